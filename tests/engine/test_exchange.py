"""Points that two sides exchange, against what federations and their calculators published.

Every published figure and its source is in ``data/exchange_cases.json``.
"""

import json
from collections.abc import Callable
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import elo_xl
from elo_xl.engine import exchange as engine
from elo_xl.engine.errors import DomainError, OptionError
from elo_xl.engine.exchange import RULES, usatt_points
from elo_xl.functions.native import inline
from tests.support import DATA
from tests.support.levels import examples

call: Callable[..., Any] = elo_xl.worksheet
exchange: Callable[..., Any] = engine.exchange

PUBLISHED: dict[str, Any] = json.loads(
    DATA.joinpath("exchange_cases.json").read_text(encoding="utf-8")
)


def each(group: str) -> Any:
    return pytest.mark.parametrize("case", PUBLISHED[group], ids=lambda case: case["id"])


# published matches: those of one call each are in tests/functions/test_public_cases.py


def test_the_away_side_may_come_first():
    for case in PUBLISHED["world_football"]:
        (a, b), (own, other) = case["ratings"], case["goals"]
        turned = exchange(b, a, other, own, weight=case["k"], venue=-case["home"])
        assert [-case["change"], case["change"]] == turned.tolist()


@each("world_rugby")
def test_world_rugby(case):
    match = (*case["ratings"], *case["points"])
    if not case["home"]:  # from July 2026 on, everywhere as on neutral ground
        old = call("ELO_EXCHANGE", *match, "world-rugby", case["weight"], case["home"])
        new = call("ELO_EXCHANGE", *match, "world-rugby-2026-07", case["weight"], [[1], [-1]])
        assert old * 2 == new


def test_world_rugby_by_either_winner():
    case = PUBLISHED["world_rugby_wins"]
    for points, side in (([10, 3], 0), ([3, 10], 1)):
        gain = exchange(*case["ratings"], *points, "world-rugby")[side]
        assert case["wins"][side] == pytest.approx(gain, abs=case["tolerance"])


def test_fifa():
    case = PUBLISHED["fifa"]["match"]
    gains = exchange(*case["ratings"], 1, 0, "fifa", weight=case["weight"])
    assert case["new"] == pytest.approx(gains + case["ratings"], abs=case["tolerance"])
    case = PUBLISHED["fifa"]["expected"]
    lost = -exchange(*case["ratings"], 0, 1, "fifa", weight=1)[0]
    assert case["expected"] == pytest.approx(lost, abs=case["tolerance"])


def test_usatt_row_by_row():
    for row in PUBLISHED["usatt_table"]:
        spreads = np.arange(row["from"], (row["to"] or 400) + 1)
        assert {row["expected"]} == set(usatt_points(spreads, 1).tolist())
        wins = {row["upset"]} if row["from"] else {8}
        assert wins == set(usatt_points(-spreads, 1).tolist())
    assert [7, 8] == usatt_points([12.5, 12.4], 1).tolist()


# the contract's worked values, and other-systems.md's


def test_worked_values():
    rugby = call("ELO_EXCHANGE", 92.777351682669, 90.362919014871, 27, 20, "world-rugby", 1, 1)
    assert [0.4586, -0.4586] == pytest.approx(rugby[0], abs=5e-5)
    assert -10.232412 == pytest.approx(exchange(400, 350, 1, 3, "fivb")[0], abs=5e-7)
    assert 9.375 == exchange(300, 300, 3, 1, "fivb", weight=50)[0]


SETS = ((3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3))


@pytest.mark.parametrize("sets", SETS)
def test_fivb_is_the_sum_over_six_results(sets):
    """Each probability by itself, in 40 digits, as the federation's paper writes it."""
    values = [2, 1.5, 1, -1, -1.5, -2]
    with mpmath.workdps(40):
        cuts = [mpmath.mpf(cut) / 1000 for cut in (-1060, -394, 0, 394, 1060)]
        for a, b in ((400, 350), (120.5, 401.25), (10, 9), (0.5, 380)):
            delta = 8 * (mpmath.mpf(a) - mpmath.mpf(b)) / 1000
            reached = [mpmath.ncdf(cut + delta) for cut in cuts]
            chances = np.diff([mpmath.mpf(0), *reached, mpmath.mpf(1)])
            surplus = values[SETS.index(sets)] - mpmath.fdot(zip(chances, values, strict=True))
            wins = sets[0] > sets[1]
            fair = 45 * surplus / 8
            paid = max(fair, mpmath.mpf("0.01")) if wins else min(fair, mpmath.mpf("-0.01"))
            assert float(paid) == pytest.approx(
                exchange(a, b, *sets, "fivb", weight=45)[0], abs=1e-12
            )


def test_a_narrow_win_of_a_much_stronger_volleyball_side_still_gains():
    assert [0.01, -0.01] == exchange(450, 100, 3, 2, "fivb").tolist()
    assert [-0.01, 0.01] == exchange(100, 450, 2, 3, "fivb").tolist()


def test_goals_widen_the_exchange():
    """1, 1.5, 1.75 and 1/8 more for each goal; equal sides win half of K."""
    gains = exchange(1500, 1500, range(7), 0, weight=160)[:, 0]
    assert [0, 80, 120, 140, 150, 160, 170] == gains.tolist()


def test_halves_go_away_from_zero():
    assert [[23, -23], [-23, 23]] == exchange(1500, 1500, [2, 0], [0, 2], weight=30).tolist()


# knock-outs and shoot-outs


def test_shootout_of_fifa():
    even = exchange(1500, 1500, 1, 1, "fifa", weight=60, shootout=[0, 1, 2])
    assert [[0, 0], [15, 0], [0, 15]] == even.tolist()
    decided = exchange(1500, 1500, 2, 1, "fifa", weight=60, shootout=[0, 2])
    assert [[30, -30], [30, -30]] == decided.tolist()


def test_nobody_loses_points_in_a_knockout_of_fifa():
    assert [[30, 0], [0, 30], [0, 0]] == exchange(
        1500, 1500, [1, 0, 1], [0, 1, 1], "fifa", weight=60, knockout=True
    ).tolist()
    favourite = exchange(1900, 1300, 0, 0, "fifa", weight=60, knockout=True, shootout=1)
    # W - We is 0.75 - 10/11 for the one, 0.5 - 1/11 for the other
    assert [0, 60 * (1 / 2 - 1 / 11)] == pytest.approx(favourite, abs=1e-12)


@pytest.mark.parametrize("rules", ["world-football", "world-rugby", "fivb"])
def test_elsewhere_they_change_nothing(rules):
    plain = exchange(300, 290, 3, 1, rules)
    assert plain.tolist() == exchange(300, 290, 3, 1, rules, knockout=True, shootout=2).tolist()


# properties

RATING = st.floats(1, 3000)
SCORE = st.integers(0, 60)


@settings(max_examples=examples(300))
@given(RATING, RATING, SCORE, SCORE, st.sampled_from((-1, 0, 1)), st.sampled_from(sorted(RULES)))
def test_sides_may_be_swapped(a, b, own, other, venue, rules):
    if rules in ("fivb", "usatt"):
        own, other = SETS[(own + other) % 6]
    there = exchange(a, b, own, other, rules, venue=venue)
    back = exchange(b, a, other, own, rules, venue=-venue)
    assert there == pytest.approx(back[::-1], abs=1e-9)
    assert 0 == pytest.approx(there.sum(), abs=1e-12)


@settings(max_examples=examples())
@given(st.lists(st.tuples(RATING, RATING, SCORE, SCORE), min_size=1, max_size=8))
def test_a_column_is_its_matches(matches):
    columns = np.array(matches).T
    for rules in ("world-football", "fifa", "world-rugby"):
        every = exchange(*columns, rules)
        assert [exchange(*match, rules).tolist() for match in matches] == every.tolist()


def test_many_matches_in_blocks():
    many = np.arange(100_000)
    gains = exchange(1000 + many % 700, 1300.0, many % 5, [[1], [2]])
    assert (2, 100_000, 2) == gains.shape
    at = 77_777
    assert exchange(1000 + at % 700, 1300, at % 5, 2).tolist() == gains[1, at].tolist()
    assert (0, 2) == exchange([], [], [], []).shape


# what raises


@pytest.mark.parametrize(
    ("message", "arguments", "named"),
    [
        ("score must be a whole number from 0, got -1.0", (1500, 1500, -1, 0), {}),
        ("score must be a whole number from 0, got 1.5", (1500, 1500, 0, 1.5), {}),
        ("sets of the winner must be 3, got 4.0", (300, 300, 4, 3, "fivb"), {}),
        ("sets of the loser must be 0, 1 or 2, got 3.0", (300, 300, 3, 3, "fivb"), {}),
        ("games must differ, got 2.0", (1500, 1500, 2, 2, "usatt"), {}),
        ("weight of world-rugby must be 1 or 2, got 20.0", (80, 80, 9, 3, "world-rugby", 20), {}),
        ("weight must not be below 0, got -1.0", (1500, 1500, 1, 0, "fifa", -1), {}),
        ("venue must be 1, 0 or -1, got 2.0", (1500, 1500, 1, 0), {"venue": 2}),
        ("shootout must be 1 or 2, or 0, got 3.0", (1500, 1500, 1, 1, "fifa"), {"shootout": 3}),
    ],
)
def test_outside_its_domain(message, arguments, named):
    given_, weight = arguments[:5], arguments[5:]
    named = {**named, "weight": weight[0]} if weight else named
    with pytest.raises(DomainError, match=message):
        exchange(*given_, **named)
    cells = [*given_, *["world-football"][: 5 - len(given_)], *(weight or [None])]
    cells += [named.get("venue"), None, named.get("shootout")]
    assert [["#NUM!"] * 2] == call("ELO_EXCHANGE", *cells)


def test_options_that_nobody_knows():
    with pytest.raises(OptionError, match=r"rules must be one of world-football, .*, got 'chess'"):
        exchange(1500, 1500, 1, 0, "chess")
    with pytest.raises(OptionError, match="usatt has no weight, got 20"):
        exchange(1500, 1500, 1, 0, "usatt", weight=20)
    for cells in ((1500, 1500, 1, 0, "chess"), (1500, 1500, 1, 0, "usatt", 20)):
        assert [["#VALUE!"] * 2] == call("ELO_EXCHANGE", *cells)


def test_cells():
    assert [[""] * 2] == call("ELO_EXCHANGE", 1500, 0, 1, 0) == call("ELO_EXCHANGE", 1, 1, None, 0)
    assert [[10, -10], ["#NUM!"] * 2, ["#VALUE!"] * 2, [""] * 2] == call(
        "ELO_EXCHANGE", 1500, 1500, [[1], [-1], ["x"], [None]], 0
    )
    assert [[30, 0]] == call("ELO_EXCHANGE", 1500, 1500, 1, 0, "FIFA", 60, None, True)


# native forms


def test_inlined_is_what_a_person_would_type():
    match = ("B2", "C2", "D2", "E2")
    assert inline("ELO_EXCHANGE", *match, "world-rugby", column="first", checks="none") == (
        "IF(ABS(D2-E2)>15,1.5,1)*(SIGN(D2-E2)-MEDIAN(-10,B2-C2,10)/10)"
    )
    assert inline("ELO_EXCHANGE", *match, "fifa", 60, column="second", checks="none") == (
        "60*((1+SIGN(E2-D2))/2-1/(1+10^((B2-C2)/600)))"
    )
    assert inline("ELO_EXCHANGE", *match, "fifa", knockout=1, column="first", checks="none") == (
        "MAX(25*((1+SIGN(D2-E2))/2-1/(1+10^((C2-B2)/600))),0)"
    )
