"""Expected scores and rating differences: forty digits and FIDE's printed tables."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp  # type: ignore[import-untyped]

from elo_xl.engine import models, usual
from elo_xl.engine.arrays import round_half_away, round_half_up
from elo_xl.engine.errors import DomainError, OptionError
from tests.support import exact

GRID = [0, 1e-9, 1e-3, 1, 3.5, 40, 99.9, 100, 345, 400, 735, 736, 1000, 2000, 3000, 5000]
DIFFERENCES = sorted({*GRID, *(-d for d in GRID)})
SCORES = [1e-16, 1e-10, 1e-3, 0.01, 0.11128, 0.25, 0.375, 0.4999999, 0.5]
SCORES += [1 - p for p in SCORES[1:-1]]

curves = pytest.mark.parametrize("model", usual.CURVES)
every_model = pytest.mark.parametrize("model", usual.MODELS)
points = st.floats(-4000, 4000, allow_nan=False)


# against forty digits


@curves
def test_expected_score(model):
    expected = [float(exact.expected(d, model)) for d in DIFFERENCES]
    assert expected == pytest.approx(models.expected(DIFFERENCES, model).tolist(), rel=1e-13)


@pytest.mark.parametrize("sd", [1e-3, 50, 282.842712474619, 400, 1e6])
def test_expected_score_with_a_standard_deviation(sd):
    here = [d for d in DIFFERENCES if abs(d) < 30 * sd]
    expected = [float(exact.expected(d, "normal", sd)) for d in here]
    assert expected == pytest.approx(models.expected(here, sd=sd).tolist(), rel=2e-13)


@curves
def test_difference(model):
    expected = [float(exact.difference(p, model)) for p in SCORES]
    assert expected == pytest.approx(
        models.difference(SCORES, model).tolist(), rel=1e-13, abs=1e-12
    )


@curves
def test_log_odds(model):
    here = [*DIFFERENCES, 1e-9, -0.5, 282.8, 283, -283]
    with mp.workdps(60):
        expected = [
            float(mp.log(exact.expected(d, model) / exact.expected(-d, model))) for d in here
        ]
    assert expected == pytest.approx(models.log_odds(here, model).tolist(), rel=1e-14, abs=0)


@curves
def test_slope(model):
    here = [d for d in DIFFERENCES if abs(d) <= 3000]
    expected = [float(mp.diff(lambda x: exact.expected(x, model), d)) for d in here]
    assert expected == pytest.approx(models.slope(here, model).tolist(), rel=1e-12)


@pytest.mark.parametrize(("model", "wide"), [("logistic:300", 0.75), ("Normal:250", 1.25)])
def test_scale(model, wide):
    def curve(d):
        return exact.expected(d / wide, model.lower().partition(":")[0])

    here = [-345, -1, 0.5, 90]
    assert [float(curve(d)) for d in here] == pytest.approx(models.expected(here, model), rel=1e-13)
    assert here == pytest.approx(models.difference([float(curve(d)) for d in here], model))
    odds = [float(mp.log(curve(d) / curve(-d))) for d in here]
    assert odds == pytest.approx(models.log_odds(here, model), rel=1e-13)
    slope = [float(mp.diff(curve, d)) for d in here]
    assert slope == pytest.approx(models.slope(here, model), rel=1e-12)


@curves
@pytest.mark.parametrize("score", [1e-300, 1e-30])
def test_difference_of_next_to_nothing(model, score):
    assert score == pytest.approx(
        float(exact.expected(models.difference(score, model).item(), model)), rel=1e-10, abs=0
    )


# extremes


@every_model
@pytest.mark.parametrize("far", [1e6, 1e18, 1.7e308, math.inf])
def test_expected_score_far_out(model, far):
    assert [0, 1] == models.expected([-far, far], model).tolist()


def test_expected_score_of_a_tiny_standard_deviation():
    assert [0, 0.5, 1] == models.expected([-1e300, 0, 1e300], sd=1e-300).tolist()


@every_model
def test_expected_score_of_no_difference_known(model):
    assert np.isnan(models.expected([np.nan, 0], model)).tolist() == [True, False]


@every_model
def test_difference_at_the_ends(model):
    end = 800 if model == "fide" else math.inf
    assert [-end, 0, end] == models.difference([0, 0.5, 1], model).tolist()


@curves
def test_slope_far_out(model):
    assert [0, 0] == models.slope([-1e200, 1e200], model).tolist()


# properties


@every_model
@given(d=points)
def test_both_sides_add_up_to_one(model, d):
    assert 1 == pytest.approx(sum(models.expected([d, -d], model).tolist()), abs=4e-16)


@every_model
@given(d=points, more=st.floats(0, 4000))
def test_more_difference_is_no_less_score(model, d, more):
    low, high = models.expected([d, d + more], model)
    assert 0 <= low <= high <= 1
    if model != "fide" and more >= 1 and abs(d) + more <= 1500:
        assert low < high


@curves
@given(d=st.floats(-1500, 1500))
def test_inverse_of_the_inverse(model, d):
    score = models.expected(d, model)
    # what the last bit of a score is worth in points
    last_bit = 2e-16 / models.slope(d, model).item()
    assert d == pytest.approx(models.difference(score, model).item(), abs=1e-11 + 2 * last_bit)


@every_model
@given(d=points, cap=st.floats(0, 1000))
def test_cap(model, d, cap):
    counted = max(-cap, min(cap, d))
    assert models.expected(counted, model) == models.expected(d, model, cap=cap)


@curves
@given(d=st.lists(points, min_size=1, max_size=6))
def test_arrays_are_many_numbers(model, d):
    assert [models.expected(x, model).item() for x in d] == models.expected(d, model).tolist()


def test_long_arrays_have_no_seams():
    d = np.linspace(-3000, 3000, 3 * models.BLOCK + 7).reshape(1, -1)
    for model in usual.MODELS:
        whole = models.expected(d, model)
        assert d.shape == whole.shape
        pieces = np.concatenate(
            [models.expected(part, model) for part in np.split(d[0], [11, 999])]
        )
        assert pieces.tolist() == whole[0].tolist()


@every_model
def test_result_into_an_array_of_ones_own(model):
    d, mine = np.array([[-100.0, 0.0], [50.5, 900.0]]), np.empty((2, 2))
    assert mine is models.expected(d, model, out=mine)
    assert models.expected(d, model).tolist() == mine.tolist()
    with pytest.raises(ValueError, match="out must be contiguous"):
        models.expected(d, model, out=mine.T)


def test_arguments_broadcast():
    table = models.expected([[0], [500]], "logistic", cap=[100, 400, 600])
    assert (2, 3) == table.shape
    assert table[1].tolist() == models.expected([100, 400, 500], "logistic").tolist()


# FIDE's tables


def test_table_8_1_2_is_the_printed_one():
    d = np.arange(-1000, 1001)
    printed = [int(100 * exact.chance(int(x))) for x in d]
    assert printed == models.fide_hundredths(d).tolist()
    assert [p / 100 for p in printed] == models.expected(d, "fide").tolist()


def test_table_8_1_1_is_the_printed_one():
    assert [exact.table_difference(p) for p in range(101)] == models.fide_difference(
        np.arange(101)
    ).tolist()


def test_tables_are_each_others_inverse():
    p = np.arange(1, 100)
    assert p.tolist() == models.fide_hundredths(models.fide_difference(p)).tolist()


@given(d=points)
def test_differences_are_rounded_half_away(d):
    assert exact.chance(d) * 100 == int(models.fide_hundredths(d))


@pytest.mark.parametrize("d", [3.5, 10.5, 391.5, 735.5, 411.5, 0.5, 2.5])
def test_halves_are_rounded_away_on_both_sides(d):
    table = [float(exact.chance(x)) for x in (d, -d)]
    assert table == models.expected([d, -d], "fide").tolist()
    assert models.expected(math.floor(d) + 1, "fide") == models.expected(d, "fide")


@given(games=st.integers(1, 200), half_points=st.integers(0, 400))
def test_percentages_are_rounded_half_up(games, half_points):
    score = Fraction(min(half_points, 2 * games), 2)
    dp = exact.table_difference(100 * score / games)
    assert dp == models.fide_difference(100 * float(score) / games)
    assert dp == models.difference(float(score) / games, "fide")


@pytest.mark.parametrize(
    ("scale", "disagreements", "furthest"),
    [("normal", 110, 0.0081), (2000 / 7, 6, 0.0057), ("logistic", 460, 0.0183)],
)
def test_the_table_is_none_of_the_formulas(scale, disagreements, furthest):
    d = np.arange(736)
    formula = models.expected(d, scale) if isinstance(scale, str) else models.expected(d, sd=scale)
    table = models.expected(d, "fide")
    different = np.abs(round_half_up(100 * formula) - 100 * table) > 0.5
    assert disagreements == different.sum()
    assert furthest == pytest.approx(np.abs(formula - table).max(), abs=5e-5)
    if scale == 2000 / 7:
        assert [54, 343, 344, 358, 392, 620] == d[different].tolist()


@pytest.mark.parametrize(
    ("model", "sd", "disagreements"),
    [("normal", None, 40), ("normal", 2000 / 7, 14), ("logistic", None, 44)],
)
def test_table_8_1_1_is_none_of_the_formulas(model, sd, disagreements):
    p = np.arange(51, 100)
    formula = models.difference(p / 100, model) * (
        (sd or models.DIFFERENCE_SD) / models.DIFFERENCE_SD
    )
    assert disagreements == (round_half_up(formula) != models.fide_difference(p)).sum()


# rounding


@given(st.integers(-(10**9), 10**9))
def test_halves_go_away_from_zero(twice):
    assert exact.half_away(Fraction(twice, 2)) == round_half_away(twice / 2)
    assert exact.half_up(Fraction(twice, 2)) == round_half_up(twice / 2)


@given(st.decimals(-(10**6), 10**6, places=3, allow_nan=False))
def test_rounding_is_decimal(value):
    assert exact.half_away(value) == round_half_away(float(value))
    assert exact.half_up(value) == round_half_up(float(value))


def test_a_half_that_binary_arithmetic_missed_is_a_half():
    assert 28.499999999999996 == 0.285 * 100
    assert 29 == round_half_up(0.285 * 100) == round_half_away(0.285 * 100)
    assert [-3, -3] == round_half_away([-2.5, -2.4999999999999996]).tolist()
    assert [-2, 63] == round_half_up([-2.5, 62.5]).tolist()


# what is refused, and how


@pytest.mark.parametrize(("error", "message", "function", "arguments", "options"), [
    (DomainError, "score must be between 0 and 1, got 1.5", models.difference, [[0.5, 1.5]], {}),
    (DomainError, "score must be between 0 and 1, got nan", models.difference, [math.nan], {}),
    (DomainError, "cap must not be below 0, got -1.0", models.expected, [0], {"cap": -1}),
    (DomainError, "sd must be above 0, got 0.0", models.expected, [0], {"sd": [1, 0]}),
    (OptionError, "model must be one of normal, logistic, rescaled, fide, got 'elo'",
     models.expected, [0, "elo"], {}),
    (OptionError, "model with a standard deviation of its own must be one of normal, got 'fide'",
     models.expected, [0, "fide"], {"sd": 100}),
    (OptionError, "model with a slope must be one of normal, logistic, rescaled, got 'fide'",
     models.slope, [0, "fide"], {}),
    (OptionError, "model with odds must be one of normal, logistic, rescaled, got 'fide'",
     models.log_odds, [0, "fide"], {}),
    (OptionError, "model must be one of normal, logistic, rescaled, fide, got 3", models.difference,
     [0.5, 3], {}),
])  # fmt: skip
def test_refused(error, message, function, arguments, options):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        function(*arguments, **options)


@every_model
def test_options_in_upper_case(model):
    assert models.expected(100, model) == models.expected(100, model.upper())
