"""US Chess: published figures, random players and events of chessratings, floors, matches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from elo_xl.engine.errors import DomainError
from elo_xl.engine.us_chess import (
    Career,
    effective_games,
    floor,
    initial_rating,
    k_factor,
    rate,
    rate_against,
    special_rating,
)

nan = float("nan")
DATA = Path(__file__).with_name("data")
CASES = json.loads((DATA / "us_chess_cases.json").read_text("utf-8"))
RANDOM = json.loads((DATA / "us_chess_players.json").read_text("utf-8"))


def number(value: float | None) -> float:
    return nan if value is None else value


@pytest.mark.parametrize("case", CASES["players"], ids=lambda case: case["id"])
def test_published_player(case):
    career = Career(case.get("wins", nan), case.get("draws", nan))
    rating, opponents = number(case["rating"]), case["opponents"]
    players = np.zeros(len(opponents), dtype=int)
    rated = rate_against(
        rating,
        case["games"],
        nan,
        nan,
        players,
        opponents,
        case["scores"],
        career,
        dual=case.get("dual", False),
    )
    new = rated.first if np.isnan(rating) else rating + rated.change
    assert case["new"] == pytest.approx(new.item(), abs=1e-6)


@pytest.mark.parametrize("dual", [False, True])
def test_random_players_against_rated_opponents(dual):
    """The same players at 10,000 with another seed: no difference above 5e-10."""
    rows = [dict(zip(RANDOM["fields"], row, strict=True)) for row in RANDOM["rows"]]
    rows = [row for row in rows if row["dual"] == dual]
    column: dict[str, Any] = {
        name: np.array([number(row[name]) for row in rows])
        for name in ("rating", "games", "wins", "draws", "events", "start", "new")
    }
    rated = rate_against(
        column["rating"],
        column["games"],
        nan,
        nan,
        np.repeat(np.arange(len(rows)), [len(row["scores"]) for row in rows]),
        np.concatenate([row["opponents"] for row in rows]),
        np.concatenate([row["scores"] for row in rows]),
        Career(*(column[name] for name in ("wins", "draws", "events", "start"))),
        dual=dual,
    )
    new = np.where(np.isnan(column["rating"]), rated.first, column["rating"] + rated.change)
    assert len(rows) > 50
    assert column["new"].tolist() == pytest.approx(new.tolist(), abs=1e-6)


@pytest.mark.parametrize("event", RANDOM["events"])
def test_five_steps(event):
    rating, games, wins, draws = np.array(event["players"], dtype=float).T
    career = Career(wins, draws, 0 * games)
    player, opponent, score = sides(event["games"])
    rated = rate(rating, games, nan, nan, player, opponent, score, career)
    new = np.where(np.isnan(rating), rated.first, rating + rated.change)
    absent = np.setdiff1d(np.arange(rating.size), np.array(event["games"])[:, :2].astype(int))
    assert np.isnan(new[absent & np.isnan(rating[absent])]).all()
    present = np.setdiff1d(np.arange(rating.size), absent)
    wanted = np.array(event["new"])[present].tolist()
    assert wanted == pytest.approx(new[present].tolist(), abs=1e-9)


def sides(games):
    first, second, score = np.array(games, dtype=float).T
    player, opponent = np.concatenate([first, second]), np.concatenate([second, first])
    return player.astype(int), opponent.astype(int), np.concatenate([score, 1 - score])


def test_initial_ratings():
    """The rule's own corners: 100, fifty a year from 2 to 26, 1300."""
    assert [100, 100, 100, 650, 1300, 1300] == initial_rating([0, 1.9, 2, 13, 26, 70]).tolist()
    with pytest.raises(DomainError, match="age must not be below 0, got -1"):
        initial_rating(-1)


@pytest.mark.parametrize("case", CASES["effective_games"], ids=lambda case: case["rating"])
def test_effective_games(case):
    assert case["worth"] == pytest.approx(
        effective_games(case["rating"], case["games"]).item(), abs=5e-5
    )


@pytest.mark.parametrize("case", CASES["floors"], ids=lambda case: case["peak"])
def test_floors_by_peak(case):
    assert case["floor"] == floor(case["peak"]).item() == floor(case["peak"], 26).item()
    assert floor(case["peak"], 25).item() == 100


def test_nobody_falls_through_the_floor():
    """An established 1701 with a peak of 1941 loses everything: 1700."""
    event = rate_against(1701, 300, nan, 1941, [0] * 9, [1500] * 9, [0] * 9)
    assert -1 == event.change.item()


def test_dual_k_is_the_same_below_2200_and_a_quarter_from_2500():
    ratings = np.array([1500, 2200, 2500, 2700])
    share = k_factor(ratings, 300, 5, dual=True) / k_factor(ratings, 300, 5)
    assert [1, 1, 0.25, 0.25] == share.tolist()


def test_bonus_needs_three_games_and_nobody_met_three_times():
    def gain(opponents, games):
        ratings = [1500, *[1900] * opponents]
        second = 1 + np.arange(games) % opponents
        meetings = [[0, b, 1] for b in second] + [[1, opponents, 0.5]] * (opponents > 1)
        return rate(ratings, 200, nan, nan, *sides(meetings), threshold=14)

    for opponents, games, bonus in [(2, 2, False), (3, 3, True), (2, 4, True), (2, 5, False)]:
        event = gain(opponents, games)
        k, surplus = event.k[0], games - event.expected[0]
        assert bonus == (event.change[0] > k * surplus + 1e-9)
        if bonus:
            more = k * surplus - 14 * np.sqrt(max(games, 4))
            assert event.change[0] == pytest.approx(k * surplus + more, rel=1e-12)


def test_a_match_moves_no_more_than_fifty_points():
    games = [[0, 1, 1]] * 12
    won = rate([1500, 1890], 60, nan, nan, *sides(games))
    assert [50, -50] == won.change.tolist()


def test_a_match_in_two_passes():
    event = rate([1500, 1510], 60, nan, nan, *sides([[0, 1, 0.5]] * 2))

    def gain(own, other):
        worth = 50 / (0.662 + 0.00000739 * (2569 - own) ** 2) ** 0.5
        return 800 / (worth + 2) * (1 - 2 / (1 + 10 ** ((other - own) / 400)))

    between = 1500 + gain(1500, 1510), 1510 + gain(1510, 1500)
    final = [gain(1500, between[1]), gain(1510, between[0])]
    assert final == pytest.approx(event.change.tolist(), rel=1e-12)


@pytest.mark.parametrize(
    ("ratings", "games"), [([1500, 1901], 60), ([1500, 1600], [60, 25]), ([1500, nan], [60, 0])]
)
def test_a_match_that_is_not_rated(ratings, games):
    event = rate(ratings, games, nan, nan, *sides([[0, 1, 1]] * 4))
    assert 0 == event.change[0]
    assert np.isnan(event.first).all()


@pytest.mark.parametrize("points", [0, 6])
def test_special_rating_after_one_result_only(points):
    """The nearest rating that explains it: 400 points from the best or weakest opponent."""
    opponents = [1200, 1350, 1500, 900, 1000, 1100]
    scores = [points / 6] * 6
    new = special_rating([1300], [0], [0] * 6, opponents, scores).item()
    assert new == (1900 if points else 500)


def test_special_ratings_end_at_2700():
    assert 2700 == special_rating([2600], [4], [0], [2750], [1]).item()


def test_scores_outside_0_to_1():
    with pytest.raises(DomainError, match="score must be between 0 and 1, got 2"):
        rate_against(1500, 30, nan, nan, [0], [1500], [2])
