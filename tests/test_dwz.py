"""DWZ: published evaluations, the development coefficient, newcomers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from mpmath import mp, mpf, ncdf, sqrt  # type: ignore[import-untyped]

from elo_xl.engine.dwz import (
    development,
    first_rating,
    lifted_2025,
    rate,
    rate_against,
    thousandths,
)
from elo_xl.engine.errors import DomainError
from elo_xl.engine.models import expected
from elo_xl.engine.rounding import round_half_away

nan = float("nan")
CASES = json.loads(Path(__file__).with_name("data").joinpath("dwz_cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES["events"], ids=lambda case: case["id"])
def test_published_evaluation(case):
    """All but the first are of a player of whom E is 30, the first of one of at most 20 years."""
    age = 20 if case["e"] == 24 else 40
    count = len(case["opponents"])
    rated = rate_against(
        case["rating"], 50, age, nan, [0] * count, case["opponents"], case["scores"]
    )
    assert case["e"] == 800 / rated.k.item() - count
    assert case["expected"] == rated.expected.item()
    assert case["new"] == case["rating"] + round_half_away(rated.change).item()
    # A first rating is the performance from which the rules start; published to a point or two.
    assert abs(case["performance"] - first_rating(case["opponents"], case["scores"])) <= 1


@pytest.mark.parametrize("case", CASES["totals"], ids=lambda case: case["id"])
def test_published_total(case):
    """The lowest E, for a child with seven games: 800 (W - We)/(5 + 7)."""
    games = case["e_plus_n"] - development(case["rating"], 1, 12, True).item()
    assert 7 == games
    change = 800 * (case["points"] - case["expected"]) / case["e_plus_n"]
    assert case["new"] == case["rating"] + round_half_away(change).item()


@pytest.mark.parametrize("case", CASES["lifted"], ids=lambda case: case["id"])
def test_lift_of_2025(case):
    assert case["new"] == lifted_2025(case["rating"]).item()


def test_thousandths_are_those_of_forty_digits():
    mp.dps = 40
    differences = np.arange(-900, 901)
    exact = [int(mp.floor(1000 * ncdf(int(d) / (200 * sqrt(2))) + mpf("0.5"))) for d in differences]
    assert exact == thousandths(differences).tolist()


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
    assert e == development(rating, index, age, ahead).item()


def test_exactly_as_expected_counts_as_ahead():
    """Half a point against an equal: the child's E is quick, and nothing changes."""
    event = rate_against(1500, 9, 12, nan, [0], [1500], [0.5])
    assert (0, 800 / 9) == (event.change.item(), event.k.item())


def sides(games):
    first, second, score = np.array(games, dtype=float).T
    player, opponent = np.concatenate([first, second]), np.concatenate([second, first])
    return player.astype(int), opponent.astype(int), np.concatenate([score, 1 - score])


def test_newcomers_of_one_event():
    """Two with five games against rated players, one with five only with them, one with none."""
    ratings = np.array([1500, 1600, 1700, 1800, 1900, nan, nan, nan, nan])
    games = [[5, b, s] for b, s in zip(range(5), [1, 0.5, 1, 0, 0], strict=True)]
    games += [[6, b, s] for b, s in zip(range(5), [1, 1, 1, 0.5, 0], strict=True)]
    games += [[7, b, s] for b, s in zip([0, 1, 2, 5, 6], [0, 1, 0, 0.5, 0], strict=True)]
    games += [[5, 6, 0], [8, 7, 1], [8, 0, 0], [0, 1, 0.5]]
    event = rate(ratings, 20, 40, nan, *sides(games))
    first = event.first
    assert np.isfinite(first[5:8]).all()
    assert np.isnan(first[[0, 1, 2, 3, 4, 8]]).all()
    strength = np.where(np.isnan(first), ratings, first)
    for newcomer, points in ((5, 3), (6, 5.5), (7, 1.5)):
        # the eighth player gets no rating, so the seventh's loss to that player does not count
        met = [int(b) for a, b, _ in games if a == newcomer]
        met += [int(a) for a, b, _ in games if b == newcomer and a != 8]
        awaited = expected(strength[newcomer] - strength[met]).sum()
        assert points == pytest.approx(awaited, abs=0.005)
    # A rated player meets newcomers at their first ratings, and the eighth not at all.
    opponents = strength[[5, 6, 7, 1]]
    again = rate_against(1500, 20, 40, nan, [0] * 4, opponents, [0, 0, 1, 0.5])
    assert again.change.item() == event.change[0]
    assert again.expected.item() == event.expected[0]


@pytest.mark.parametrize("points", [0, 5])
def test_no_first_rating_from_one_result_only(points):
    event = rate_against(nan, 0, 12, nan, [0] * 5, [1200] * 5, [points / 5] * 5)
    assert np.isnan(event.first.item())
    assert np.isnan(first_rating([1200] * 5, points).item())


def test_no_first_rating_from_four_games():
    event = rate_against(nan, 0, 12, nan, [0] * 4, [1200] * 4, [1, 0, 1, 0.5])
    assert np.isnan(event.first.item())
    assert 1290 == first_rating([1200] * 4, [1, 0, 1, 0.5]).item()


def test_low_first_ratings_are_raised():
    """500 becomes 700 and an eighth of 500, as skillratings has it."""
    assert 763 == first_rating([500] * 6, 3).item()
    assert 800 == first_rating([800] * 6, 3).item()


def test_numbers_outside_their_domain():
    with pytest.raises(DomainError, match="games must not be below 0, got -1"):
        development(1500, -1)
    with pytest.raises(DomainError, match="score must be between 0 and 1, got 2"):
        rate_against(1500, 30, nan, nan, [0], [1500], [2])
