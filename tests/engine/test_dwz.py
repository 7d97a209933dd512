"""DWZ: published evaluations, the development coefficient, newcomers."""

import json

import numpy as np
import pytest
from mpmath import mp, mpf, ncdf, sqrt  # type: ignore[import-untyped]

import elo_xl
from elo_xl.engine.arrays import round_half_away
from elo_xl.engine.errors import OptionError
from elo_xl.engine.models import expected
from elo_xl.engine.period import period
from elo_xl.engine.ratings import change, first_rating, k_factor, update
from elo_xl.engine.rulebooks.dwz import DWZ, Development, Evaluation, Thousandths
from elo_xl.engine.rulebooks.event import Event, Players
from tests.support import DATA
from tests.support.sides import against

nan = float("nan")
CASES = json.loads(DATA.joinpath("dwz_cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES["events"], ids=lambda case: case["id"])
def test_published_evaluation(case):
    """E was 24 once, as for a player of at most 20 years, else 30."""
    age = 20 if case["e"] == 24 else 40
    opponents, scores = case["opponents"], case["scores"]
    player = Players.known(case["rating"], index=50, age=age)
    once = Evaluation().one_pass(DWZ, player, against(player, [0] * len(scores), opponents, scores))
    assert case["e"] == 800 / once.k.item() - len(scores)
    assert case["expected"] == once.expected.item()
    assert case["new"] == update(case["rating"], "auto", opponents, scores, "dwz", age=age)
    cells = (case["rating"], "auto", [opponents], [scores], "dwz", None, age)
    assert case["new"] == elo_xl.worksheet("ELO_UPDATE", *cells)
    # A first rating is a performance, from which the published ones differ by a point or less.
    assert abs(case["performance"] - first_rating(opponents, sum(scores), "dwz")) <= 1


@pytest.mark.parametrize("case", CASES["totals"], ids=lambda case: case["id"])
def test_published_total(case):
    """The lowest E, for a child with seven games: 800 (W - We)/(5 + 7)."""
    child = Players.known(case["rating"], index=1, age=12)
    games = case["e_plus_n"] - Development().coefficient(child, np.array([True])).item()
    assert 7 == games
    gain = 800 * (case["points"] - case["expected"]) / case["e_plus_n"]
    assert case["new"] == case["rating"] + round_half_away(gain).item()


@pytest.mark.slow
def test_thousandths_are_those_of_forty_digits():
    differences = np.arange(-900.0, 901.0)
    with mp.workdps(40):
        exact = [
            int(mp.floor(1000 * ncdf(mpf(d) / (200 * sqrt(2))) + mpf(0.5))) for d in differences
        ]
    assert exact == Thousandths().units(differences).tolist()


@pytest.mark.parametrize(
    ("rating", "index", "age", "ahead", "e"),
    [
        (2000, 50, 40, True, 30),  # 16 + 15 = 31
        (1500, 50, 40, True, 20),  # 5.0625 + 15
        (1500, 50, 25, False, 15),  # 5.0625 + 10
        (1500, 50, 20, False, 10),  # 5.0625 + 5
        (1500, 50, 20, True, 8),  # 10.0625 × 0.75 = 7.55
        (800, 50, 12, True, 5),  # 5.41 × 0.5, at least 5
        (1500, 2, 40, True, 10),  # at most 5 × index
        (1500, 0, 40, True, 5),
        (1300, 50, 40, False, 18),  # no brake from 1300 on
        (1150, 50, 40, False, 18),  # 1.749 + 15 + e - 1
        (1150, 1, 12, False, 8),  # 1.749 + 5 + e - 1: the brake lifts the limit of the index
        (500, 50, 40, False, 150),  # e^(800/150) - 1 = 206
        (1500, nan, nan, True, 20),
    ],
)
def test_development(rating, index, age, ahead, e):
    """The sums stand beside the rows; the rule is annex 1.2."""
    player = Players.known(rating, index=index, age=age)
    assert e == Development().coefficient(player, np.array([ahead])).item()


def test_exactly_as_expected_counts_as_ahead():
    """Half a point against an equal: the child's E is quick, and nothing changes."""
    child = Players.known(1500, index=9, age=12)
    once = Evaluation().one_pass(DWZ, child, against(child, [0], [1500], [0.5]))
    assert (0, 800 / 9) == (once.change.item(), once.k.item())


def test_newcomers_of_one_event():
    """Two have five games against rated players; one has five with the help of these; one none."""
    ratings = np.array([1500, 1600, 1700, 1800, 1900, nan, nan, nan, nan])
    games = [(5, b, s) for b, s in zip(range(5), [1, 0.5, 1, 0, 0], strict=True)]
    games += [(6, b, s) for b, s in zip(range(5), [1, 1, 1, 0.5, 0], strict=True)]
    games += [(7, b, s) for b, s in zip([0, 1, 2, 5, 6], [0, 1, 0, 0.5, 0], strict=True)]
    games += [(5, 6, 0), (8, 7, 1), (8, 0, 0), (0, 1, 0.5)]
    a, b, score = map(list, zip(*games, strict=True))
    event = Evaluation()(DWZ, Event(Players.known(ratings, index=20, age=40), a, b, score))
    first = event.first
    assert first is not None
    assert [5, 6, 7] == np.flatnonzero(np.isfinite(first)).tolist()
    strength = np.where(np.isnan(first), ratings, first)
    for newcomer, points in ((5, 3), (6, 5.5), (7, 1.5)):
        # The last player gets no rating, so the loss to that player does not count.
        met = [int(b) for own, b, _ in games if own == newcomer]
        met += [int(own) for own, b, _ in games if b == newcomer and own != 8]
        awaited = expected(strength[newcomer] - strength[met]).sum()
        assert points == pytest.approx(awaited, abs=0.005)
    # A rated player meets newcomers at their first ratings, and the last one not at all.
    opponents = strength[[5, 6, 7, 1]]
    one = change(1500, "auto", opponents, [0, 0, 1, 0.5], "dwz", index=20, age=40)
    assert one.item() == event.change[0]
    whole = period(ratings, "auto", a, b, score, "dwz", index=20, age=40)
    assert strength[5:8].tolist() == whole.new[5:8].tolist()
    assert [4, 7] == whole.games[[0, 6]].tolist()
    assert np.isnan(whole.new[8])


@pytest.mark.parametrize("scores", [[0] * 5, [1] * 5, [1, 0, 1, 0.5]])
def test_no_first_rating(scores):
    """From only wins, from only losses, from four games."""
    count = len(scores)
    ratings = [nan, *[1200] * count]
    event = period(ratings, "auto", [0] * count, range(1, count + 1), scores, "dwz")
    assert np.isnan(event.new[0])
    assert [1200] * count == event.new[1:].tolist()


def test_first_rating_in_a_cell():
    """62.5 % are 90 points, as Mamon has it; after only wins there is none."""
    assert 1290 == elo_xl.worksheet("ELO_INITIAL", [[1200] * 4], 2.5, "dwz")
    assert "#NUM!" == elo_xl.worksheet("ELO_INITIAL", [[1200] * 4], 4, "dwz")


def test_low_first_ratings_are_raised():
    """500 becomes 700 and an eighth of 500, as skillratings has it."""
    assert 763 == first_rating([500] * 6, 3, "dwz")
    assert 800 == first_rating([800] * 6, 3, "dwz")


def test_k_is_the_rulebooks_own_and_depends_on_the_result():
    with pytest.raises(OptionError, match="takes no K but its own"):
        update(1500, 20, [1400], [1], "dwz")
    with pytest.raises(OptionError, match="follows from the result"):
        k_factor(1500, 20, rules="dwz")


MET, SCORES = [1600, 1400, 1500, 1700, 1550], [1, 1, 0.5, 0, 1]
"""E is 5 after one event: 800/(5 + 5) times 3.5 less the expected 2.17 are 106 points; 20 after
many: 800/(20 + 5), 43 points. The number of games says nothing of that."""


@pytest.mark.parametrize(("index", "new"), [(1, 1606), (2, 1571), (6, 1543), (None, 1543)])
def test_events_are_counted_not_games(index, new):
    assert update(1500, "auto", MET, SCORES, "dwz", index=nan if index is None else index) == new
    for games in (None,) if index is None else (None, 9, 400):
        assert (
            elo_xl.explain(1500, "auto", MET, SCORES, rules="dwz", played=games, index=index).new
            == new
        )
        found = elo_xl.worksheet(
            "ELO_UPDATE", 1500, "auto", [MET], [SCORES], "dwz", games, 30, None, None, index
        )
        assert found == new


def test_the_number_of_games_alone_is_refused():
    players = {"name": ["A", "B"], "rating": [1500, 1600], "played": [9, 9]}
    with pytest.raises(OptionError, match="dwz counts evaluated events, not games"):
        elo_xl.rate_period([("A", "B", 1)], players, rules="dwz")
    assert "#VALUE!" == elo_xl.worksheet("ELO_UPDATE", 1500, "auto", [MET], 3.5, "dwz", 9, 30)


def test_a_table_carries_the_number_of_events():
    players = {"name": ["Ana", "B", "C", "D"], "rating": [1500, 1600, 1400, 1500], "age": [30] * 4}
    players |= {"played": [9, 30, 30, 30], "index": [1, 30, 30, 30]}
    event = [("Ana", "B", 1), ("Ana", "C", "½"), ("Ana", "D", 1)]
    first = elo_xl.rate_period(event, players, rules="dwz")
    assert (first["played"][0], first["index"][0], first["new"][0]) == (12, 2, 1600)
    assert elo_xl.rate_period(event, first, rules="dwz")["new"][0] == 1634
    games = {"white": ["Ana"] * 6, "black": ["B", "C", "D"] * 2, "result": [1, 0.5, 1] * 2}
    games["period"] = [1, 1, 1, 2, 2, 2]
    both = elo_xl.Rules("dwz").rate(games, players).players
    assert (both["rating"][0], both["index"]) == (1634, [3, 32, 32, 32])
