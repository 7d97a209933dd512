"""Bayesian bridge ratings: the printed check values, the integrals, and what has to hold anyway."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

import numpy as np
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import elo_xl
from elo_xl.engine.bridge import SIDES, Scale, bridge, bridge_sequence, estimate_sds
from elo_xl.engine.errors import DomainError, OptionError, SizeError
from elo_xl.functions.catalogue import find
from elo_xl.functions.native import inline
from elo_xl.xlsx.package import package
from tests.support.native_host import lambda_values, same

PERCENT = Scale(50, 4 / 1500, 6)
FIELD = [1600, 1500, 1550, 1450]

# ratings, result, rating_sd, scale, printed shifts
CHECKS: list[tuple[Any, ...]] = [
    (FIELD, 58, 200, PERCENT, "+22.211584 +22.211584 -22.211584 -22.211584"),
    (FIELD, 45, 200, PERCENT, "-15.126855 -15.126855 +15.126855 +15.126855"),
    (
        [2100, 1300, 1700, 1700],
        *(52, 150, Scale(50, 4 / 1500, 8)),
        "+1.856436 +1.856436 -1.856436 -1.856436",
    ),
    ([1500] * 4, 12, 100, "imp", "+18.720749 +18.720749 -18.720749 -18.720749"),
    (FIELD, 58, (200, 60, 120, 120), PERCENT, "+22.590508 +2.033146 -8.132583 -8.132583"),
]
every_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check[4].split()[0])


# the check values of the specification, to their last printed digit


@every_check
def test_check_value(check):
    ratings, result, rating_sd, scale, printed = check
    after = bridge(ratings, result, rating_sd, scale)
    assert printed == " ".join(f"{x:+.6f}" for x in after.rating - ratings)


def test_expected_result_and_deviation():
    after = bridge(FIELD, [58, 45], 200, PERCENT)
    assert ["50.266667"] * 2 == [f"{x:.6f}" for x in after.expected]
    assert {"199.2326"} == {f"{x:.4f}" for x in after.sd.flat}
    assert 50 == bridge([2100, 1300, 1700, 1700], 52).expected


# against the integrals themselves


@pytest.mark.slow
@every_check
def test_quadrature(check):
    ratings, result, rating_sd, scale, _ = check
    closed = bridge(ratings, result, rating_sd, scale, covariance=True)
    integral = bridge(ratings, result, rating_sd, scale, "quadrature", covariance=True)
    assert closed.expected == integral.expected
    assert closed.rating == pytest.approx(integral.rating, rel=0, abs=1e-9)
    assert closed.sd == pytest.approx(integral.sd, rel=0, abs=1e-9)
    assert closed.covariance == pytest.approx(integral.covariance, rel=0, abs=1e-6)
    assert closed.error is integral.error is None


def test_quadrature_of_a_result_that_nobody_expects():
    """All likelihoods are below the least number of a processor."""
    closed, integral = (bridge(FIELD, 450, 50, method=name) for name in ("closed", "quadrature"))
    assert closed.rating == pytest.approx(integral.rating, rel=0, abs=1e-9)
    assert closed.sd == pytest.approx(integral.sd, rel=0, abs=1e-9)


@every_check
def test_monte_carlo(check):
    ratings, result, rating_sd, scale, _ = check
    closed = bridge(ratings, result, rating_sd, scale)
    random = bridge(ratings, result, rating_sd, scale, "monte carlo", samples=200_000, seed=4)
    assert random.error is not None
    assert (random.error < 2).all()
    assert (np.abs(closed.rating - random.rating) < 4 * random.error).all()
    assert closed.sd == pytest.approx(random.sd, rel=0.02)


def test_methods_take_many_results():
    results = [[45], [50], [58]]
    closed = bridge(FIELD, results, 200)
    for method in ("quadrature", "Monte Carlo"):
        each = bridge(FIELD, results, 200, method=method, nodes=12, samples=50_000)
        assert (3, 1, 4) == closed.rating.shape == each.rating.shape == each.sd.shape
        assert closed.rating == pytest.approx(each.rating, abs=3)
    again, other = (
        bridge(FIELD, 58, method="monte carlo", samples=1000, seed=seed).rating for seed in (0, 1)
    )
    assert (again == bridge(FIELD, 58, method="monte carlo", samples=1000).rating).all()
    assert (again != other).all()


def test_covariance():
    """Partners become slightly negatively correlated, opponents positively."""
    after = bridge(FIELD, 58, [200, 60, 120, 120], covariance=True)
    assert after.covariance is not None
    assert bridge(FIELD, 58).covariance is None
    assert after.sd**2 == pytest.approx(np.diag(after.covariance))
    assert (np.linalg.eigvalsh(after.covariance) > 0).all()
    assert after.covariance[0, 1] < 0 < after.covariance[0, 2]
    # by Bayes' formula with inverse matrices
    k = 4 / 1500
    inverse = (
        np.diag(1.0 / np.array([200, 60, 120, 120]) ** 2) + np.outer(SIDES, SIDES) * (k / 6) ** 2
    )
    assert np.linalg.inv(inverse) == pytest.approx(after.covariance)


# what has to hold for any numbers

ratings = st.lists(st.floats(-1e4, 1e4), min_size=4, max_size=4)
deviations = st.lists(st.floats(1e-3, 1e4), min_size=4, max_size=4)
scales = st.builds(Scale, st.floats(-100, 100), st.floats(-1, 1), st.floats(1e-3, 1e3))
results = st.floats(-1e3, 1e3)


def test_no_information_at_infinite_result_sd():
    after = bridge(FIELD, 90, [200, 60, 120, 120], Scale(50, 4 / 1500, math.inf), covariance=True)
    assert FIELD == after.rating.tolist()
    assert [200, 60, 120, 120] == after.sd.tolist()
    assert np.diag([200.0**2, 60**2, 120**2, 120**2]).tolist() == after.covariance.tolist()  # type: ignore[union-attr]


def test_full_information_at_no_result_sd():
    after = bridge(FIELD, 58, [200, 60, 120, 120], Scale(50, 4 / 1500, 1e-9))
    assert 58 == pytest.approx(50 + 4 / 1500 * (after.rating @ SIDES), abs=1e-9)
    assert after.sd[0] == pytest.approx(200 * math.sqrt(1 - 200**2 / (200**2 + 60**2 + 2 * 120**2)))


@given(ratings, deviations, results, scales)
def test_sides_exchanged(r, sd, result, scale):
    """The mirrored result at the mirrored table."""
    one = bridge(r, result, sd, scale)
    two = bridge([*r[2:], *r[:2]], 2 * scale.mean - result, [*sd[2:], *sd[:2]], scale)
    size = np.abs(one.rating - r).max()
    assert one.rating[[2, 3, 0, 1]] == pytest.approx(two.rating, rel=1e-10, abs=1e-9 * (1 + size))
    assert one.sd[[2, 3, 0, 1]] == pytest.approx(two.sd, rel=1e-12)


@given(ratings, deviations, results, scales)
def test_players_exchanged(r, sd, result, scale):
    one = bridge(r, result, sd, scale)
    two = bridge([r[i] for i in (1, 0, 2, 3)], result, [sd[i] for i in (1, 0, 2, 3)], scale)
    size = np.abs(one.rating - r).max()
    assert one.rating[[1, 0, 2, 3]] == pytest.approx(two.rating, rel=1e-10, abs=1e-9 * (1 + size))


@given(ratings, deviations, results, scales)
def test_partners_share_by_their_variances(r, sd, result, scale):
    after = bridge(r, result, sd, scale)
    assert np.isfinite(after.rating).all()
    shift = SIDES * (after.rating - r) / np.square(sd)
    scale_of_rounding = 1e-10 * (1e4 + np.abs(after.rating)) / np.square(sd)
    assert (np.abs(shift - shift[0]) <= scale_of_rounding + scale_of_rounding[0]).all()
    assert (after.sd > 0).all()
    assert (after.sd <= sd).all()
    # the expectation moves towards the result and not past it
    before, now = after.expected, scale.mean + scale.slope * (after.rating @ SIDES)
    room = 1e-9 * (1 + np.abs(after.rating).sum())
    assert min(before, result) - room <= now <= max(before, result) + room


@given(ratings, st.floats(1e-3, 1e4), scales)
def test_better_results_make_better_ratings(r, sd, scale):
    after = bridge(r, [-20, 30, 80], sd, scale)
    moves = np.diff(after.rating, axis=0) * SIDES * math.copysign(1, scale.slope)
    assert (moves >= -1e-9 * (1 + np.abs(after.rating).max())).all()
    assert after.rating.sum(axis=1) == pytest.approx(sum(r), abs=1e-8 * (1 + np.abs(r).sum()))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((FIELD, 58, 0), DomainError, "rating_sd must be above 0 and at most 1,000,000, got 0.0"),
        (
            (FIELD, 58, [1, 2, -3, 4]),
            *(DomainError, "rating_sd must be above 0 and at most 1,000,000, got -3.0"),
        ),
        ((FIELD, 58, 9, Scale(50, 1, 0)), DomainError, "result_sd must be above 0, got 0.0"),
        ((FIELD, 58, 9, Scale(50, 1, math.nan)), DomainError, "result_sd must be above 0, got nan"),
        ((FIELD, math.inf), DomainError, "result must be within 1,000,000 of 0, got inf"),
        (
            ([1500, math.nan, 1, 1], 58),
            *(DomainError, "rating must be within 1,000,000 points of 0, got nan"),
        ),
        (
            (FIELD, 58, 9, Scale(math.nan, 1, 6)),
            *(DomainError, "mean must be within 1,000,000 of 0, got nan"),
        ),
        (
            (FIELD, 58, 9, Scale(50, math.inf, 6)),
            *(DomainError, "slope must be within 1,000,000 of 0, got inf"),
        ),
        ((FIELD, 58, 9, "imps"), OptionError, "scale must be one of percent, imp, got 'imps'"),
        (
            (FIELD, 58, 9, "imp", "exact"),
            *(OptionError, "method must be one of closed, quadrature, monte carlo, got 'exact'"),
        ),
        (
            ([1500] * 3, 58),
            *(SizeError, "four players are needed, got ratings (3,), rating_sd ()"),
        ),
        (
            (FIELD, 58, [9, 9]),
            *(SizeError, "four players are needed, got ratings (4,), rating_sd (2,)"),
        ),
    ],
)
def test_errors(arguments, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        bridge(*arguments)


# one result after another


def evening(players: int, count: int, seed: int = 3) -> tuple[list[list[int]], list[float]]:
    rng = np.random.default_rng(seed)
    tables = [rng.permutation(players)[:4].tolist() for _ in range(count)]
    return tables, rng.normal(50, 8, count).tolist()


def one_by_one(r, sd, tables, scores, growth, period):
    """A plain loop over single posteriors."""
    r, sd = np.array(r), np.array(sd)
    last = period[0]
    steps = []
    for table, score, now in zip(tables, scores, period, strict=True):
        sd = np.sqrt(sd**2 + (now - last) * np.square(growth))
        last = now
        after = bridge(r[table], score, sd[table], PERCENT)
        r[table], sd[table] = after.rating, after.sd
        steps.append([after.expected, *after.rating, *after.sd])
    return r, sd, np.array(steps)


@pytest.mark.parametrize("growth", [0, 25, list(range(10))])
def test_sequence(growth):
    tables, scores = evening(10, 80)
    rng = np.random.default_rng(5)
    r, sd, period = rng.normal(1500, 200, 10), rng.uniform(50, 250, 10), np.arange(80) // 7
    final, final_sd, steps = one_by_one(r, sd, tables, scores, growth, period)
    done = bridge_sequence(r, sd, tables, scores, PERCENT, growth=growth, period=period)
    assert final == pytest.approx(done.rating, rel=1e-13)
    assert final_sd == pytest.approx(done.sd, rel=1e-13)
    assert steps[:, 0] == pytest.approx(done.games.expected, rel=1e-13)
    assert steps[:, 1:5] == pytest.approx(done.games.rating, rel=1e-13)
    assert steps[:, 5:] == pytest.approx(done.games.sd, rel=1e-13)


def test_scales_of_a_sequence():
    """Evenings on both scales in one history, a scale a result."""
    scale = Scale([50, 0], [4 / 1500, 0.004], [6, 5])
    done = bridge_sequence([1500] * 4, 100, [[0, 1, 2, 3]] * 2, [55, 12], scale)
    one = bridge([1500] * 4, 55, 100)
    two = bridge(one.rating, 12, one.sd, "imp")
    assert two.rating == pytest.approx(done.rating, rel=1e-14)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"players": [[0, 1, 2, 9]]}, SizeError, "player 9 is not one of 5"),
        ({"players": [[0, 1, 2, 2]]}, DomainError, "player 2 is paired with themselves"),
        (
            {"players": [[0, 1]]},
            SizeError,
            "four players per result are needed, got an array (1, 2)",
        ),
        (
            {"players": [0, 1, 2, 3]},
            SizeError,
            "four players per result are needed, got an array (4,)",
        ),
        ({"result": [50, 50]}, SizeError, "players of 1 games for 2 results"),
        ({"result": [math.nan]}, DomainError, "result must be within 1,000,000 of 0, got nan"),
        (
            {"rating_sd": -1},
            *(DomainError, "rating_sd must be above 0 and at most 1,000,000, got -1.0"),
        ),
        ({"growth": -2}, DomainError, "growth must not be below 0, got -2.0"),
    ],
)
def test_errors_of_a_sequence(change, error, message):
    given_: dict[str, Any] = {"ratings": [1500] * 5, "rating_sd": 100, "players": [[0, 1, 2, 3]]}
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        bridge_sequence(**{**given_, "result": [50], **change})


# deviations from past results


def simulated(
    seed: int, scale: Any, rating_sd: float, players: int = 60, count: int = 1500
) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    prior = rng.normal(1500, 150, players)
    strengths = prior + rng.normal(0, rating_sd, players)
    tables = np.array([rng.permutation(players)[:4] for _ in range(count)])
    expected = scale.mean + scale.slope * (strengths[tables] @ SIDES)
    return prior, tables, expected + scale.result_sd * rng.standard_normal(count)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("scale", [PERCENT, Scale(0, 0.004, 5)], ids=["percent", "imp"])
def test_estimates(seed, scale):
    found = estimate_sds(*simulated(seed, scale, 180), scale)
    assert abs(found.result_sd - scale.result_sd) < 4 * found.result_sd_error
    assert abs(found.rating_sd - 180) < 4 * found.rating_sd_error
    assert found.result_sd_error < 0.3
    assert found.rating_sd_error < 150


@pytest.mark.slow
def test_standard_errors_are_honest():
    off = []
    for seed in range(60):
        found = estimate_sds(*simulated(seed, PERCENT, 250, 40, 800))
        off.append(
            [
                (found.result_sd - 6) / found.result_sd_error,
                (found.rating_sd - 250) / found.rating_sd_error,
            ]
        )
    assert [1, 1] == pytest.approx(np.std(off, axis=0), abs=0.3)
    assert [0, 0] == pytest.approx(np.mean(off, axis=0), abs=0.5)


def test_estimates_are_the_most_likely():
    """The likelihood as it stands, with the covariance matrix of all results."""
    prior, tables, results = simulated(1, PERCENT, 300, 12, 90)
    found = estimate_sds(prior, tables, results)
    design = np.zeros((90, 12))
    np.put_along_axis(design, tables, SIDES * PERCENT.slope, axis=1)
    off = results - 50 - design @ prior

    def log_likelihood(own: float, other: float) -> float:
        covariance = own**2 * np.eye(90) + other**2 * design @ design.T
        fit = off @ np.linalg.solve(covariance, off)
        return float(-(np.linalg.slogdet(covariance)[1] + fit) / 2)

    best = log_likelihood(found.result_sd, found.rating_sd)
    for own in (0.98, 1, 1.02):
        for other in (0.95, 1, 1.05):
            near = log_likelihood(own * found.result_sd, other * found.rating_sd)
            assert near < best or own == other == 1
    # curvature at the top: the standard errors, up to chance
    step = 0.01
    for value, error, move in (
        (found.result_sd, found.result_sd_error, (1, 0)),
        (found.rating_sd, found.rating_sd_error, (0, 1)),
    ):
        low, high = (
            log_likelihood(*np.multiply([found.result_sd, found.rating_sd], 1 + s * np.array(move)))
            for s in (-step, step)
        )
        curvature = (2 * best - low - high) / (step * value) ** 2
        assert 1 / math.sqrt(curvature) == pytest.approx(error, rel=0.4)


def test_results_that_strengths_do_not_explain():
    rng = np.random.default_rng(2)
    tables = [[0, 1, 2, 3], [2, 3, 0, 1]] * 20  # the same score for both sides, over and over
    found = estimate_sds([1500] * 4, tables, 50 + rng.normal(0, 0.1, 40) + 3)
    assert 0 == found.rating_sd
    assert math.inf == found.rating_sd_error
    assert found.result_sd == pytest.approx(3, rel=0.05)
    assert 0 < found.result_sd_error < 1


@pytest.mark.parametrize(
    ("tables", "results", "error", "message"),
    [
        ([[0, 1, 2, 3]], [55], SizeError, "1 results are too few for 8 players"),
        ([[0, 1, 2, 3]] * 5, [55] * 5, SizeError, "5 results are too few for 8 players"),
        (np.zeros((0, 4), int), [], SizeError, "0 results are too few for 8 players"),
        ([[0, 1, 2, 3]], [math.nan], DomainError, "result must be within 1,000,000 of 0, got nan"),
    ],
)
def test_errors_of_estimates(tables, results, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        estimate_sds([1500] * 8, tables, results)


def test_a_scale_without_slope_cannot_be_estimated():
    with pytest.raises(DomainError, match=r"^slope must not be 0, got 0.0$"):
        estimate_sds([1500] * 4, [[0, 1, 2, 3]] * 9, range(9), Scale(4, 0, 1))


# the worksheet function


def call(*cells: Any) -> Any:
    return elo_xl.call("ELO_BRIDGE", *cells)


def test_worked_value():
    printed = "1622.211584490187 1522.211584490187 1527.788415509813 1427.788415509813"
    (row,) = call(*FIELD, 58)
    for digits, value in zip(printed.split(), row, strict=True):
        assert abs(Decimal(digits) - Decimal(value)) < Decimal("1e-12")


def test_defaults():
    plain = call(*FIELD, 58)
    assert plain == call(*FIELD, 58, 50, 4 / 1500, 6, 200)
    assert plain == call(*FIELD, 58, None, "", None, None)
    imp = call(*[1500] * 4, 12, 0, 0.004, 5, 100)[0]
    assert bridge([1500] * 4, 12, 100, "imp").rating.tolist() == imp


def test_a_row_of_four_deviations():
    row = [[200, 60, 120, 120]]
    (one,) = call(*FIELD, 58, None, None, None, row)
    assert bridge(FIELD, 58, row[0]).rating.tolist() == one
    assert one == call(*FIELD, 58, None, None, None, row[0])[0]
    assert call(*FIELD, 58) == call(*FIELD, 58, None, None, None, [[200] * 4])
    # one row for all results, or one row per result
    scores = [[58], [45]]
    assert [one, call(*FIELD, 45, None, None, None, row)[0]] == call(
        *FIELD, scores, None, None, None, row
    )
    assert [one, call(*FIELD, 45, None, None, None, 90)[0]] == call(
        *FIELD, scores, None, None, None, [*row, [90] * 4]
    )
    # a column is a number a result
    assert [call(*FIELD, s, None, None, None, d)[0] for s, d in ((58, 100), (45, 90))] == call(
        *FIELD, scores, None, None, None, [[100], [90]]
    )


def test_blanks_and_errors_in_a_row_of_four():
    def cell(*row: Any) -> Any:
        return call(*FIELD, 58, None, None, None, [list(row)])[0]

    assert call(*FIELD, 58)[0] == cell(None, None, "", None)
    assert cell(200, 60, 200, 200) == cell(None, 60, "200,0", "")
    assert ["#NUM!"] * 4 == cell(200, 0, 120, 120) == cell(200, -1, "x", 120)
    assert ["#VALUE!"] * 4 == cell(200, 60, "x", 0)
    assert ["#N/A"] * 4 == cell(None, None, None, "#N/A")
    rows = call(*FIELD, [[58]] * 3, None, None, None, [[200] * 4, [0] * 4])
    assert [call(*FIELD, 58)[0], ["#NUM!"] * 4, ["#N/A"] * 4] == rows


@pytest.mark.parametrize("at", range(5))
def test_missing_players(at):
    cells: list[Any] = [*FIELD, 58]
    cells[at] = None
    assert [[""] * 4] == call(*cells)
    if at < 4:
        cells[at] = 0
        assert [[""] * 4] == call(*cells)


def test_a_result_of_0_is_a_result():
    assert call(*FIELD, 0) == call(*FIELD, "0")
    assert isinstance(call(*FIELD, 0)[0][0], float)


@pytest.mark.parametrize(
    ("cells", "error"),
    [
        ((*FIELD, 58, 50, 0.003, 0), "#NUM!"),
        ((*FIELD, 58, 50, 0.003, -6), "#NUM!"),
        ((*FIELD, 58, 50, 0.003, 6, 0), "#NUM!"),
        ((*FIELD, 58, 50, 0.003, 6, -200), "#NUM!"),
        ((*FIELD, 1e9), "#NUM!"),
        ((*FIELD, "won"), "#VALUE!"),
        ((*FIELD, "#REF!"), "#REF!"),
    ],
)
def test_errors_in_a_cell(cells, error):
    assert [[error] * 4] == call(*cells)


def test_columns_stack():
    norths: list[list[Any]] = [[1600], [None], [1700], ["x"]]
    rows = call(norths, *FIELD[1:], 58)
    assert [call(n, *FIELD[1:], 58)[0] for (n,) in norths] == rows
    assert [""] * 4 == rows[1]
    assert ["#VALUE!"] * 4 == rows[3]


# its native forms

ROW = [[200, 60, 120, 120]]
TWO: list[list[Any]] = [[58], [45]]
NATIVE: list[tuple[Any, ...]] = [
    (*FIELD, 58),
    (*FIELD, 45, 50, "", 8, 150),
    (1500, 1500, 1500, 1500, 12, 0, 0.004, 5, 100),
    (*FIELD, 0),
    # rows of four
    (*FIELD, 58, None, None, None, ROW),
    (*FIELD, 58, None, None, None, [[None, 60, "", 200]]),
    (*FIELD, 58, None, None, None, [[1, 0, 1, 1]]),
    (*FIELD, 58, None, None, None, [[1, 1, "x", 1]]),
    # ranges
    (*FIELD, TWO, None, None, None, ROW),
    (*FIELD, TWO, None, None, None, [*ROW, [90] * 4]),
    (*FIELD, TWO, None, None, None, [[100], [90]]),
    ([[1600], [None], [1700], ["x"], [0]], *FIELD[1:], 58),
    ([[1600, 1500]], *FIELD[1:], TWO, None, None, None, [[100], [200]]),
    # blanks and errors
    (*FIELD, None),
    (*FIELD, "#N/A"),
    (*FIELD, 58, 50, 0.003, 0),
    (*FIELD, 58, 50, 0.003, 6, -1),
    (*FIELD, 58, 50, 0.003, 6, "x"),
]


@pytest.mark.slow
def test_lambda(tmp_path):
    found = lambda_values([("ELO_BRIDGE", cells) for cells in NATIVE], tmp_path)
    for cells, native in zip(NATIVE, found, strict=True):
        assert same(call(*cells), native), cells


def test_inlined(calc, tmp_path):
    """Cells of one row each: the players, the result, the parameters, a deviation or a row."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    cases = [c for c in NATIVE if not any(isinstance(x, list) and len(x) > 1 for x in c)]
    for i, case in enumerate(cases, 1):
        cells: list[Any] = [*case, *[None] * (9 - len(case))]
        plain, rating_sd = cells[:8], cells[8]
        deviations = rating_sd[0] if isinstance(rating_sd, list) else [rating_sd]
        for j, cell in enumerate([*plain, *deviations], 1):
            if cell != "":
                sheet.cell(i, j, cell)
        row = f"I{i}:L{i}" if len(deviations) > 1 else f"I{i}"
        given_ = [f"{letter}{i}" for letter in "ABCDEFGH"]
        for j, column in enumerate(find("ELO_BRIDGE").columns, 14):
            formula = inline("ELO_BRIDGE", *given_, row, column=column, stored=True)
            sheet.cell(i, j, f"={formula}")
    path = tmp_path / "bridge.xlsx"
    path.write_bytes(package(book, {}))
    values = calc.recalculate(path)[sheet.title]
    for i, case in enumerate(cases, 1):
        found = [[values.get(f"{letter}{i}", "") for letter in "NOPQ"]]
        assert same(call(*case), found), case
