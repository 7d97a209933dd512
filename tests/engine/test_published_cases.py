"""Results that FIDE and others published, by the worksheet functions.

Every figure and its source is in ``data/rating_cases.json``; those of one call each are in
``tests/functions/test_public_cases.py``.
"""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import elo_xl
from tests.support import DATA

call: Callable[..., Any] = elo_xl.worksheet

CASES: dict[str, Any] = json.loads(DATA.joinpath("rating_cases.json").read_text(encoding="utf-8"))
PUBLISHED = {case["id"]: case for case in CASES["published"]}


def each(group: str) -> Any:
    return pytest.mark.parametrize("case", CASES[group], ids=lambda case: case["id"])


# whole tournaments as FIDE and others computed them (GR)


@each("tournaments")
def test_tournament(case):
    rating, k, opponents, scores = (case[key] for key in ("rating", "k", "opponents", "scores"))
    if "change" in case:
        expected = np.sum(call("ELO_EXPECTED", rating, [opponents], "fide"))
        assert case["expected_score"] == pytest.approx(expected, abs=1e-12)
        # no difference is large enough for any cap
        assert case["change"] == call("ELO_CHANGE", rating, k, [opponents], sum(scores))
    if "performance" in case:
        assert case["performance"] == call("ELO_PERFORMANCE", [opponents], sum(scores))


# single games by FIDE's calculator (F-C), which knows no exception from the cap


def test_calculator_and_rule_part_only_from_2650_on():
    parted = [c["id"] for c in CASES["calculator"] if c["change"] != c["change_2025_10"]]
    assert ["F-C16", "F-C17", "F-C20", "F-C21"] == parted


# published calculations (F-P, F-M): each game, each event, each period


@each("published")
def test_published_event(case):
    rating, opponents, scores = (case[key] for key in ("rating", "opponents", "scores"))
    assert case["deltas"] == [
        call("ELO_CHANGE", rating, 1, opponent, score, "fide-2025-10")
        for opponent, score in zip(opponents, scores, strict=True)
    ]
    assert case["sum"] == call("ELO_CHANGE", rating, 1, [opponents], [scores], "fide-2025-10")


@each("periods")
def test_published_period_is_rounded_once(case):
    events = [PUBLISHED[name] for name in case["events"]]
    # An event uses the list of its first day: the ratings of one period may differ.
    unrounded = sum(
        call("ELO_CHANGE", e["rating"], e["k"], [e["opponents"]], [e["scores"]]) for e in events
    )
    assert case["change"] == pytest.approx(unrounded, abs=1e-12)
    assert case["list_after"] - case["list_before"] == case["rounded"]
    if len({e["rating"] for e in events}) == 1:
        opponents = [rating for e in events for rating in e["opponents"]]
        scores = [score for e in events for score in e["scores"]]
        base, k = events[0]["rating"], events[0]["k"]
        assert base + case["rounded"] == call("ELO_UPDATE", base, k, [opponents], [scores])


def test_rounding_each_event_would_give_something_else():
    events = [PUBLISHED[name] for name in ("F-M02a", "F-M02b")]
    rounded = [
        call("ELO_UPDATE", e["rating"], e["k"], [e["opponents"]], [e["scores"]]) - e["rating"]
        for e in events
    ]
    assert [-2, 2] == rounded


# the R package elo (RELO)


@pytest.mark.parametrize("game", CASES["logistic"]["games"], ids=["RELO even", "RELO uneven"])
def test_logistic_updates(game):
    k = CASES["logistic"]["k"]
    rating, opponent, score = (game[key] for key in ("rating", "opponent", "score"))
    new = [
        call("ELO_UPDATE", rating, k, opponent, score, "logistic"),
        call("ELO_UPDATE", opponent, k, rating, 1 - score, "logistic"),
    ]
    assert game["new"] == pytest.approx(new, abs=5e-4)

    home = call("ELO_EXPECTED", rating + 10, opponent, "logistic")
    with_advantage = [
        call("ELO_NEW", rating, k, score, home),
        call("ELO_NEW", opponent, k, 1 - score, 1 - home),
    ]
    assert game["new_with_10_for_home"] == pytest.approx(with_advantage, abs=5e-4)


def test_race_of_three_is_three_games_at_once():
    group = CASES["group"]
    first, second, third = group["order"]
    results = [[first, second, 1], [first, third, 1], [second, third, 1]]
    table = call(
        "ELO_PERIOD",
        [[name, group["start"], group["k"]] for name in group["order"]],
        results,
        "logistic",
    )
    assert group["final"] == {row[0]: row[7] for row in table}


def test_league_of_14_weeks():
    league = CASES["league"]
    cells = dict.fromkeys(sorted(league["final"]), league["start"])
    for week in sorted({game[0] for game in league["games"]}):
        games = [game[1:] for game in league["games"] if game[0] == week]
        scores = [(1 + np.sign(game[2] - game[3])) / 2 for game in games]
        table = call(
            "ELO_PERIOD",
            [[name, rating, league["k"]] for name, rating in cells.items()],
            [[*game[:2], score] for game, score in zip(games, scores, strict=True)],
            "logistic",
        )
        cells = {row[0]: row[7] for row in table}
    assert 56 == len(league["games"])
    assert league["final"] == pytest.approx(cells, abs=6e-4)


# the papers (SEED)


def test_expected_scores_of_the_papers():
    case = CASES["seeds"]["SEED-B1"]
    for difference, expected in case["by_difference"].items():
        assert expected == pytest.approx(
            call("ELO_EXPECTED", 2000 + int(difference), 2000), abs=5e-6
        )


def test_tournament_of_the_papers():
    case = CASES["seeds"]["SEED-B2"]
    rating, opponents, scores = (case[key] for key in ("rating", "opponents", "scores"))
    assert [case["per_game"]] == call("ELO_EXPECTED", rating, [opponents], "fide")
    # the normal model agrees with the table here to the two digits printed
    assert [case["per_game"]] == np.round(call("ELO_EXPECTED", rating, [opponents]), 2).tolist()
    assert case["expected_score"] == pytest.approx(sum(case["per_game"]), abs=1e-12)
    assert case["score"] == sum(scores)
    assert 20 * (1.5 - 1.2) == pytest.approx(call("ELO_CHANGE", rating, 20, [opponents], [scores]))
