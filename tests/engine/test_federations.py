"""Rulebooks of the ECF, EGF, NASPA and USATT against what they and their calculators published.

Every published figure and its source is in ``data/federation_cases.json``.
"""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf  # type: ignore[import-untyped]

import elo_xl
from docs_build.function_page import function_page
from docs_build.rulebook_page import pages as rulebook_pages
from elo_xl.engine.errors import DomainError, OptionError, SizeError
from elo_xl.engine.explain import explain
from elo_xl.engine.models import expected
from elo_xl.engine.period import period
from elo_xl.engine.ratings import change, first_rating, k_factor, update
from elo_xl.engine.rulebooks import RULEBOOKS, rulebook
from elo_xl.functions.catalogue import find
from elo_xl.functions.native import inline
from elo_xl.languages import CODES
from tests.support import DATA
from tests.support.levels import examples

call: Callable[..., Any] = elo_xl.worksheet

PUBLISHED: dict[str, Any] = json.loads(
    DATA.joinpath("federation_cases.json").read_text(encoding="utf-8")
)


def each(group: str) -> Any:
    return pytest.mark.parametrize("case", PUBLISHED[group], ids=lambda case: case["id"])


# EGF


# the database's own figures are in tests/functions/test_public_cases.py


def test_egf_step_by_step():
    steps = PUBLISHED["egf_steps"]
    rating, opponent = steps["rating"], steps["opponent"]
    book = rulebook("egf")
    assert steps["con"] == pytest.approx(k_factor(rating, rules="egf").item(), abs=5e-9)
    lost = change(rating, "auto", opponent, 0, "egf") - change(rating, "auto", opponent, 1, "egf")
    assert steps["con"] == pytest.approx(-lost.item(), abs=5e-9)
    ahead = np.array([rating - opponent])
    share = book.expected(book.difference(ahead, np.array([rating]), [0]))
    assert steps["expected"] == pytest.approx(share.item(), abs=5e-9)
    bonus = change(rating, "auto", opponent, share.item(), "egf")
    assert steps["bonus"] == pytest.approx(bonus.item(), abs=5e-9)


def test_egf_with_stones_of_handicap():
    # a game of the European Go Database's event T191116B, and how it changed both ratings
    done = period([600, 39.888], "auto", [0], [1], [1], "egf", stones=[3])
    assert [24.739, -22.052] == done.change.round(3).tolist()
    even = period([600, 39.888], "auto", [0], [1], [1], "egf").change
    assert (period([600, 39.888], "auto", [0], [1], [1], "egf", stones=[0]).change == even).all()


GO = st.floats(-900, 3000)


@settings(max_examples=examples(200))
@given(GO, st.lists(st.tuples(GO, st.sampled_from((0, 0.5, 1))), min_size=1, max_size=6))
def test_egf_in_40_digits(rating, games):
    """The formulas as the database's description writes them."""
    with mp.workdps(40):
        r = mpf(rating)
        new = r
        for opponent, score in games:
            beta = [-7 * mp.log(3300 - x) for x in (r, mpf(opponent))]
            share = 1 / (1 + mp.exp(beta[1] - beta[0]))
            new += ((3300 - r) / 200) ** mpf("1.6") * (score - share)
            new += mp.log(1 + mp.exp((2300 - r) / 80)) / 5
        new = float(max(new, -900))
    met, won = zip(*games, strict=True)
    assert new == pytest.approx(update(rating, "auto", met, won, "egf").item(), abs=1e-8)


def test_egf_floor_and_top():
    assert -900 == update(-895, "auto", [-895] * 5, [0] * 5, "egf")
    with pytest.raises(DomainError, match="rating must be below 3300, got 3300"):
        update(3300, "auto", 2700, 1, "egf")
    with pytest.raises(DomainError, match="rating must be below 3300, got 3400"):
        update(2700, "auto", 3400, 1, "egf")
    assert "#NUM!" == call("ELO_UPDATE", 3400, "auto", 2700, 1, "egf")


def test_egf_newcomers_start_from_a_declared_grade():
    met, won = [2000, 2150, 2300], [1, 1, 0]
    assert update(2100, "auto", met, won, "egf") == first_rating(met, sum(won), "egf", start=2100)
    assert np.isnan(first_rating(met, 2, "egf"))
    assert "#NUM!" == call("ELO_INITIAL", [met], [won], "egf")
    declared = call("ELO_INITIAL", [met], [won], "egf", 2100)
    assert declared == call("ELO_UPDATE", 2100, "auto", [met], [won], "egf")


@pytest.mark.parametrize("rules", ["egf", "usatt"])
def test_no_other_k(rules):
    with pytest.raises(OptionError, match=f"{rules} takes no K but its own .*, got 20"):
        change(2100, 20, 2100, 1, rules)
    assert "#VALUE!" == call("ELO_CHANGE", 2100, 20, 2100, 1, rules)


# ECF


def test_ecf_wins_between_equals():
    assert [1810, 1820] == update(1800, "auto", 1800, 1, "ecf", age=[18, 17]).tolist()
    assert 1810 == call("ELO_UPDATE", 1800, "auto", 1800, 1, "ecf")
    assert 1805 == call("ELO_UPDATE", 1800, 10, 1800, 1, "ecf")


def test_ecf_counts_by_fide_s_table():
    for met, hundredths in ((2000, 24), (1655, 69), (900, 100)):
        gain = change(1800, "auto", met, 1, "ecf").item()
        assert (100 - hundredths) / 5 == gain, met


def test_ecf_first_rating_with_a_dummy_draw():
    """2/3 and a draw against 1800: 62.5 %, which table 8.1.1 has at 63 %: +95."""
    assert 1745 == first_rating([1500, 1600, 1700], 2, "ecf") == 1650 + 95
    assert 1645 == call("ELO_INITIAL", [[1500, 1600, 1700]], [[1, 1, 0]], "ecf", 1400) == 1550 + 95
    assert 1700 + 193 == first_rating([1600], 1, "ecf")  # 75 %
    junior = period([np.nan, 1600], "auto", [0], [1], [1], "ecf", age=[12, np.nan])
    assert 1400 + 193 == junior.new[0]  # the dummy has 100 × 12


# NASPA


@each("scrabble_nsa")
def test_old_scrabble_ratings_are_elo_s_normal_model(case):
    share = call("ELO_EXPECTED", 1500 + case["difference"], 1500)
    assert case["expected"] == pytest.approx(share, abs=case["tolerance"])


def test_old_scrabble_ratings_of_a_tournament():
    case = PUBLISHED["scrabble_nsa_tournament"]
    total = expected(case["rating"] - np.array(case["opponents"])).sum()
    assert case["expected"] == pytest.approx(total, abs=case["tolerance"])


@pytest.mark.parametrize(
    ("k", "rating", "games"),
    [
        *[(20, 1200, 50), (30, 1200, 49), (16, 1800, 50), (24, 1999, 49), (10, 2000, 50)],
        *[(15, 2100, 0), (20, 1799, None), (10, 2000, None)],
    ],
)
def test_naspa_k(k, rating, games):
    assert k == call("ELO_K", rating, games, None, None, None, "naspa")


@settings(max_examples=examples(200))
@given(st.lists(st.floats(500, 2100), min_size=1, max_size=9))
def test_naspa_in_40_digits(opponents):
    with mp.workdps(40):
        shares = [1 / (1 + mp.exp(mpf("0.0031879") * (mpf(x) - 1500))) for x in opponents]
        fair = float(20 * (len(opponents) - mp.fsum(shares)))
    won = [1] * len(opponents)
    assert fair == pytest.approx(change(1500, "auto", opponents, won, "naspa").item(), abs=1e-9)


@settings(max_examples=examples(200))
@given(st.lists(st.integers(700, 1900), min_size=2, max_size=9), st.data())
def test_naspa_newcomer_keeps_the_first_rating(opponents, data):
    """Half a point more or less, and the games would have changed it."""
    points = data.draw(st.integers(1, len(opponents) - 1))
    rating = first_rating(opponents, points, "naspa").item()
    most = max(opponents) + 400 * points / len(opponents)
    if 500 < rating < most:
        at = [change(rating + x, 20, opponents, points, "naspa").item() for x in (-0.5, 0.5)]
        assert at[1] <= 1e-9 <= at[0] + 2e-9


def test_naspa_bounds_of_first_ratings():
    assert 500 == first_rating([600, 650], 0, "naspa")
    assert 1900 == first_rating([1200, 1500], 2, "naspa")
    # no win counts as 5 % of the games: ln(19)/0.0031879 below equals
    assert 1500 - round(np.log(19) / 0.0031879) == first_rating([1500, 1500], 0, "naspa")


# USATT


@each("usatt")
def test_usatt(case):
    higher, lower = 1500 + case["spread"], 1500
    assert higher + case["expected"] == call("ELO_UPDATE", higher, "auto", lower, 1, "usatt")
    assert lower + case["upset"] == call("ELO_UPDATE", lower, "auto", higher, 1, "usatt")
    matches = explain(lower, "auto", [higher] * 2, [1, 0], rules="usatt")
    assert [case["upset"], -case["expected"]] == matches.gained.tolist()


def test_a_drawn_match_is_an_error_of_its_players_alone():
    players = [["Ana", 1500], ["Bo", 1600], ["Cy", 1700], ["Di", 1800]]
    table = elo_xl.worksheet("ELO_PERIOD", players, [["Ana", "Bo", 0.5], ["Cy", "Di", 1]], "usatt")
    assert isinstance(table, list)
    assert [row[7] for row in table] == ["#NUM!", "#NUM!", 1720, 1780]


def test_usatt_at_the_fair_share_nothing_changes():
    book = rulebook("usatt")
    for spread in (-300.0, -101, -3, 0, 30, 150, 237):
        share = book.expected(np.array([spread])).item()
        won, lost = (change(1500 + spread, "auto", 1500, s, "usatt").item() for s in (1, 0))
        assert 0 == pytest.approx(share * won + (1 - share) * lost, abs=1e-12)


def event(ratings, *games):
    a, b = zip(*games, strict=True)
    return period(ratings, "auto", a, b, [1] * len(games), "usatt")


def test_usatt_small_gains_count_once():
    done = event([1500, 1480, 1600], (0, 1), (0, 2))  # 7 and 20 points
    assert [1527, 1473, 1580] == done.new.tolist()
    assert [27, -7, -20] == done.change.tolist()


def test_usatt_fifty_points_count_from_the_rating_of_pass_1():
    """A wins 50 from B, then 50 again from 1050 against 1300."""
    assert [1100, 1250] == event([1000, 1300], (0, 1)).new.tolist()


def test_usatt_from_75_points_results_count():
    """A gains 100: the mean of 1100 and of (1300 + 1400)/2 is 1225, which then meets B, C and D."""
    done = event([1000, 1300, 1250, 1400], (0, 1), (0, 2), (3, 0))
    assert [1225 + 16 + 10 - 2, 1300 - 16, 1250 - 10, 1400 + 2] == done.new.tolist()


def test_usatt_from_75_points_without_a_loss_the_median_counts():
    done = event([1000, 1300, 1200], (0, 1), (0, 2))  # 50 and 40 points
    assert [1250 + 13 + 6, 1300 - 13, 1200 - 6] == done.new.tolist()


def test_usatt_first_ratings():
    assert 1550 == call("ELO_INITIAL", [[1500, 1600, 1400]], [[1, 0, 1]], "usatt")
    assert [1600, 1400] == [call("ELO_INITIAL", 1500, s, "usatt") for s in (1, 0)]
    assert 1500 == first_rating([1400, 1500, 1700], 3, "usatt")
    assert np.isnan(first_rating([1400, 1500, 1700], 2, "usatt"))  # who won which match?
    done = event([np.nan, 1500, 1600, 1400], (0, 1), (2, 0), (0, 3))
    assert [1550, 1500, 1600, 1400] == done.new.tolist()


def test_usatt_errors():
    with pytest.raises(
        DomainError, match=r"score of a match of table tennis must be 1 or 0, got 0\.5"
    ):
        change(1500, "auto", 1500, 0.5, "usatt")
    with pytest.raises(SizeError, match="give one score per match"):
        change(1500, "auto", [1500, 1600], 1, "usatt")
    with pytest.raises(OptionError, match="usatt has no K"):
        k_factor(1500, rules="usatt")
    assert "#NUM!" == call("ELO_CHANGE", 1500, "auto", 1500, 0.5, "usatt")
    assert "#N/A" == call("ELO_CHANGE", 1500, "auto", [[1500, 1600]], 1, "usatt")
    assert "#VALUE!" == call("ELO_K", 1500, None, None, None, None, "usatt")


# native forms


def test_inlined():
    assert inline("ELO_CHANGE", "B2", '"auto"', "C2", "D2", "egf", checks="none").startswith(
        "((3300-B2)/200)^1.6*("
    )
    assert inline("ELO_K", "B2", "C2", rules="naspa", checks="none").startswith(
        'IF(AND(C2<>"",C2<50,B2>=2000),15,'
    )


# all of them


@pytest.mark.parametrize("rules", RULEBOOKS)
def test_pages_say_under_which_rulebooks_an_event_is_more_than_its_players(rules):
    """1500 beats 1900 and 2000 of few games, in one cell and in an event of the three."""
    clause = rulebook(rules).change
    few: Any = {"index" if clause.counts_events else "games": [np.nan, 9, 9]}
    whole = period([1500, 1900, 2000], "auto", [0, 0], [1, 2], [1, 1], rules, **few).change[0]
    alone, said = change(1500, "auto", [1900, 2000], [1, 1], rules), clause.alone
    assert (abs(whole - alone) > 1e-9) == bool(said)
    pages = [function_page(find(f"ELO_{name}")) for name in ("CHANGE", "UPDATE", "EXPLAIN")]
    for page in [*pages, rulebook_pages()[f"rulebooks/{rulebook(rules).name}.md"]()]:
        top = page[: page.index("|")]
        assert said in top
        assert not said or "ELO_PERIOD" in top


@pytest.mark.parametrize("rules", ["ecf", "egf", "naspa", "usatt"])
def test_a_period_is_an_update_for_each_player(rules):
    rng = np.random.default_rng(5)
    ratings = rng.integers(1500, 1560, 12).astype(float)  # so close that nobody gains 50
    a = rng.integers(0, 12, 30)
    b = (a + rng.integers(1, 12, 30)) % 12
    won = rng.integers(0, 2, 30).astype(float)
    done = period(ratings, "auto", a, b, won, rules)
    for i, rating in enumerate(ratings):
        met = np.concatenate([ratings[b[a == i]], ratings[a[b == i]]])
        scores = np.concatenate([won[a == i], 1 - won[b == i]])
        assert done.change[i] == pytest.approx(change(rating, "auto", met, scores, rules), abs=1e-9)


@pytest.mark.parametrize("rules", ["ecf", "egf", "naspa", "usatt"])
@pytest.mark.parametrize("language", CODES)
def test_every_clause_speaks(rules, language):
    sentences = dict(rulebook(rules).sentences(language))
    assert all(text.strip() and "{" not in text for text in sentences.values())
