"""Bayesian bridge ratings: the printed check values, the integrals, and what has to hold anyway."""

import math
import re
from typing import Any

import numpy as np
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import elo_xl
from elo_xl.engine.bayes import SIDES, Scale, bridge
from elo_xl.engine.errors import DomainError, OptionError, SizeError
from elo_xl.functions.catalogue import find
from elo_xl.functions.native import inline
from elo_xl.xlsx.package import package
from tests.support.native_host import same

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
    closed = bridge(ratings, result, rating_sd, scale)
    integral = bridge(ratings, result, rating_sd, scale, "quadrature")
    assert closed.expected == integral.expected
    assert closed.rating == pytest.approx(integral.rating, rel=0, abs=1e-9)
    assert closed.sd == pytest.approx(integral.sd, rel=0, abs=1e-9)


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
    assert closed.rating == pytest.approx(random.rating, rel=0, abs=2)
    assert closed.sd == pytest.approx(random.sd, rel=0.02)


def test_methods_take_many_results():
    results = [[45], [50], [58]]
    closed = bridge(FIELD, results, 200)
    for method in ("quadrature", "Monte Carlo"):
        each = bridge(FIELD, results, 200, method=method, samples=50_000)
        assert (3, 1, 4) == closed.rating.shape == each.rating.shape == each.sd.shape
        assert closed.rating == pytest.approx(each.rating, abs=3)
    again, other = (
        bridge(FIELD, 58, method="monte carlo", samples=1000, seed=seed).rating for seed in (0, 1)
    )
    assert (again == bridge(FIELD, 58, method="monte carlo", samples=1000).rating).all()
    assert (again != other).all()


# what has to hold for any numbers

ratings = st.lists(st.floats(-1e4, 1e4), min_size=4, max_size=4)
deviations = st.lists(st.floats(1e-3, 1e4), min_size=4, max_size=4)
scales = st.builds(Scale, st.floats(-100, 100), st.floats(-1, 1), st.floats(1e-3, 1e3))
results = st.floats(-1e3, 1e3)


def test_no_information_at_infinite_result_sd():
    after = bridge(FIELD, 90, [200, 60, 120, 120], Scale(50, 4 / 1500, math.inf))
    assert FIELD == after.rating.tolist()
    assert [200, 60, 120, 120] == after.sd.tolist()


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


@pytest.mark.parametrize(("arguments", "error", "message"), [
    ((FIELD, 58, 0), DomainError, "rating_sd must be above 0 and at most 1,000,000, got 0.0"),
    ((FIELD, 58, [1, 2, -3, 4]),
     *(DomainError, "rating_sd must be above 0 and at most 1,000,000, got -3.0")),
    ((FIELD, 58, 9, Scale(50, 1, 0)), DomainError, "result_sd must be above 0, got 0.0"),
    ((FIELD, 58, 9, Scale(50, 1, math.nan)), DomainError, "result_sd must be above 0, got nan"),
    ((FIELD, math.inf), DomainError, "result must be within 1,000,000 of 0, got inf"),
    (([1500, math.nan, 1, 1], 58),
     *(DomainError, "rating must be within 1,000,000 points of 0, got nan")),
    ((FIELD, 58, 9, Scale(math.nan, 1, 6)),
     *(DomainError, "mean must be within 1,000,000 of 0, got nan")),
    ((FIELD, 58, 9, Scale(50, math.inf, 6)),
     *(DomainError, "slope must be within 1,000,000 of 0, got inf")),
    ((FIELD, 58, 9, "imps"), OptionError,
     "scale must be one of percent, imp, got 'imps'; did you mean imp?"),
    ((FIELD, 58, 9, "imp", "exact"),
     *(OptionError, "method must be one of closed, quadrature, monte carlo, got 'exact'")),
    (([1500] * 3, 58), *(SizeError, "four players are needed, got ratings (3,), rating_sd ()")),
    ((FIELD, 58, [9, 9]),
     *(SizeError, "four players are needed, got ratings (4,), rating_sd (2,)")),
])  # fmt: skip
def test_errors(arguments, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        bridge(*arguments)


# the worksheet function


def call(*cells: Any) -> Any:
    """The ratings."""
    found = elo_xl.worksheet("ELO_BRIDGE", *cells)
    return [row[:4] for row in found] if isinstance(found, list) else found


def test_deviations_in_further_cells():
    for deviations in (200, [200, 60, 120, 120]):
        cells = [deviations] if isinstance(deviations, list) else deviations
        found: Any = elo_xl.worksheet("ELO_BRIDGE", *FIELD, 58, None, None, None, cells)
        assert found[0][4:] == pytest.approx(bridge(FIELD, 58, deviations).sd.tolist())


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
        found = [[values.get(f"{letter}{i}", "") for letter in "NOPQRSTU"]]
        assert same(elo_xl.worksheet("ELO_BRIDGE", *case), found), case
