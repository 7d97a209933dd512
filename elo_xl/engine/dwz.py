"""The rating system of the German Chess Federation: DWZ (Wertungsordnung, chapter 3 and annex 1).

The expected score is that of Elo's normal model, rounded to thousandths, as published evaluations
print it. Since August 2013 it follows from the formula; the table before it had 1 from a
difference of 735 on. What a result changes depends on the rating, the age, the number of
tournaments evaluated before (the index) and on whether the player did as well as expected.

Newcomers of one event get their first ratings together: each has the rating at which the expected
scores of the games, against rated players and other newcomers, add up to the points. The table of
annex 2.1 serves the rules only as a first guess of that rating; any guess leads to the same end.
The end of annex 1.1 could not be read: that first ratings below 800 become 700 and an eighth is
known from programs (skillratings) only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.errors import require
from elo_xl.engine.models import IntArray, difference, expected
from elo_xl.engine.rounding import FloatArray, round_half_away

YOUTH: Final = 20
JUNIOR: Final = 25
"""The last years of age with the constants 5 and 10; above, it is 15."""

LEAST: Final = 5
MOST: Final = 30
MOST_BRAKED: Final = 150
BRAKE_BELOW: Final = 1300.0

FIRST_GAMES: Final = 5
"""The number of games that a first rating takes."""

LOW: Final = 800.0


@dataclass(frozen=True, slots=True)
class Rated:
    """What an event does to its players; every field is an array with one number per player."""

    k: FloatArray
    """800/(E+n), what a point is worth; NaN without games and for unrated players"""
    expected: FloatArray
    """the expected score, in points; NaN for unrated players"""
    change: FloatArray
    """the rating change, unrounded; NaN for unrated players"""
    first: FloatArray
    """an unrated player's first rating; NaN where the rules publish none, and for rated players"""


def thousandths(difference: npt.ArrayLike) -> FloatArray:
    """Expected scores of rating differences, in whole thousandths of a point.

    >>> thousandths([0, 100, -345]).tolist()
    [500.0, 638.0, 111.0]

    Whole numbers add up without rounding errors (3.3.1).
    """
    return round_half_away(1000 * expected(difference))


def development(
    rating: npt.ArrayLike,
    index: npt.ArrayLike = np.nan,
    age: npt.ArrayLike = np.nan,
    ahead: npt.ArrayLike = False,
) -> FloatArray:
    """The development coefficient E: the slower a rating shall move, the larger.

    >>> development([2085, 1500, 1500, 1000], [50, 50, 3, 50], [40, 12, 40, 40],
    ...             [True, True, True, False]).tolist()
    [30.0, 8.0, 15.0, 22.0]

    E is (rating/1000)⁴ plus 5 up to 20 years of age, 10 up to 25, else 15 (also where the age is
    NaN). Where a player of at most 20 years is ``ahead``, with as many points as expected or more,
    it is multiplied by rating/2000, but between ½ and 1. Where a player below 1300 is not, a brake
    of e^((1300-rating)/150) - 1 is added. Rounded to a whole number it lies between 5 and 30, and
    is at most five times the ``index`` (NaN: 6 or more); with the brake it is at most 150. All
    broadcast (annex 1.2).

    Raises DomainError for an index or an age below 0.
    """
    r, n, years, up = np.broadcast_arrays(
        *(np.asarray(a, dtype=float) for a in (rating, index, age, ahead))
    )
    require(~(n < 0), "games must not be below 0", n)
    require(~(years < 0), "age must not be below 0", years)
    young = years <= YOUTH
    ages = np.where(young, 5, np.where(years <= JUNIOR, 10, 15))
    base = (r / 1000) ** 4 + ages
    faster = np.where(young & (up > 0), np.clip(r / 2000, 0.5, 1), 1)
    braked = (r < BRAKE_BELOW) & ~(up > 0)
    brake = np.where(braked, np.expm1((BRAKE_BELOW - np.fmin(r, BRAKE_BELOW)) / 150), 0)
    most = np.where(braked, MOST_BRAKED, np.fmin(5 * np.maximum(n, 1), MOST))
    return np.clip(round_half_away(base * faster + brake), LEAST, most)


def rate(
    rating: npt.ArrayLike,
    games: npt.ArrayLike,
    age: npt.ArrayLike,
    peak: npt.ArrayLike,
    player: npt.ArrayLike,
    opponent: npt.ArrayLike,
    score: npt.ArrayLike,
) -> Rated:
    """Rate a whole event, newcomers first.

    >>> event = rate([1700, 1650, 1800], [9, 30, 2], np.nan, np.nan,
    ...              [0, 1, 0, 2], [1, 0, 2, 0], [1, 0, 0.5, 0.5])
    >>> event.change.round(2).tolist()
    [18.18, -14.96, -10.04]

    For each player: ``rating`` (NaN: unrated), ``games``, which is the index here (NaN: 6 or more),
    and ``age`` in years (NaN: adult); ``peak`` means nothing. For each side of a game: the indices
    ``player`` and ``opponent``, and the ``score``.

    A newcomer who has at least five games against rated players, and neither lost nor won them all,
    gets a first rating; then, on the same terms, one who has five against these and rated players.
    Their games among themselves count too. Rated players meet newcomers at their first ratings;
    games against all others do not count (3.4, 3.5).

    Raises DomainError for an index or an age below 0 and a score outside 0 to 1.
    """
    r = np.asarray(rating, dtype=float).reshape(-1)
    who, other = (np.asarray(a, dtype=np.int64).reshape(-1) for a in (player, opponent))
    points = np.asarray(score, dtype=float).reshape(-1)
    first = _first_ratings(r, who, other, points)
    met = np.where(np.isnan(r), first, r)[other]
    return _rated(r, games, age, who, met, points, first)


def rate_against(
    rating: npt.ArrayLike,
    games: npt.ArrayLike,
    age: npt.ArrayLike,
    peak: npt.ArrayLike,
    player: npt.ArrayLike,
    opponent: npt.ArrayLike,
    score: npt.ArrayLike,
) -> Rated:
    """Rate players against opponents of whom only the ratings are known.

    >>> rate_against(1500, 12, 17, np.nan, [0, 0], [1600, 1450], [1, 0.5]).change.round(2).tolist()
    [45.44]

    ``opponent`` holds the ratings of the opponents (NaN: unrated, and the game does not count). All
    else is as in :func:`rate`.
    """
    r = np.asarray(rating, dtype=float).reshape(-1)
    who = np.asarray(player, dtype=np.int64).reshape(-1)
    met = np.asarray(opponent, dtype=float).reshape(-1)
    points = np.asarray(score, dtype=float).reshape(-1)
    strength = np.concatenate([r, met])
    first = _first_ratings(strength, who, r.size + np.arange(met.size), points)[: r.size]
    return _rated(r, games, age, who, met, points, first)


def _rated(
    rating: FloatArray,
    index: npt.ArrayLike,
    age: npt.ArrayLike,
    player: IntArray,
    met: FloatArray,
    score: FloatArray,
    first: FloatArray,
) -> Rated:
    require((score >= 0) & (score <= 1), "score must be between 0 and 1", score)
    counts = ~np.isnan(met) & ~np.isnan(rating[player])
    who, points = player[counts], score[counts]
    n = _sums(who, np.ones(who.size), rating.size)
    awaited = _sums(who, thousandths(rating[who] - met[counts]), rating.size)
    gained = 1000 * _sums(who, points, rating.size) - awaited
    with np.errstate(invalid="ignore"):
        k = 800 / (development(rating, index, age, gained >= 0) + n)
    unrated = np.isnan(rating)
    return Rated(
        np.where(n > 0, k, np.nan),
        np.where(unrated, np.nan, awaited / 1000),
        np.where(unrated, np.nan, k * gained / 1000),
        first,
    )


def first_rating(opponents: npt.ArrayLike, score: npt.ArrayLike) -> FloatArray:
    """The first rating of one player from games against rated opponents, however few.

    >>> first_rating([1300, 1540, 1200, 1290, 1400], [1, 0.5, 0, 1, 1]).item()
    1505.0

    ``score`` holds one score per opponent, or the total. It is NaN after only wins or only losses
    (3.4.4, annex 1.1).
    """
    met = np.asarray(opponents, dtype=float).reshape(-1)
    points = np.asarray(score, dtype=float).sum()
    nobody = np.zeros(met.size, dtype=np.int64)
    each = np.full(met.size, points / max(met.size, 1))
    strength = np.concatenate([[np.nan], met])
    fitted = _together(strength, np.array([0]), nobody, 1 + np.arange(met.size), each)
    return np.asarray(_published(fitted)[0])


def _first_ratings(
    rating: FloatArray, player: IntArray, opponent: IntArray, score: FloatArray
) -> FloatArray:
    """First ratings of the newcomers of an event; NaN for all others."""
    unrated = np.isnan(rating)
    first = np.full(rating.shape, np.nan)
    chosen = ~unrated
    for _ in range(2):
        within = chosen[opponent] & unrated[player]
        n = _sums(player[within], np.ones(int(within.sum())), rating.size)
        won = _sums(player[within], score[within], rating.size)
        chosen = chosen | (unrated & (n >= FIRST_GAMES) & (won > 0) & (won < n))
    newcomers = np.flatnonzero(chosen & unrated)
    if newcomers.size:
        ours = (chosen & unrated)[player] & chosen[opponent]
        fitted = _together(rating, newcomers, player[ours], opponent[ours], score[ours])
        first[newcomers] = _published(fitted)
    return first


def _together(
    rating: FloatArray, newcomers: IntArray, player: IntArray, opponent: IntArray, score: FloatArray
) -> FloatArray:
    """The ratings of the newcomers at which everybody's expected score is the score.

    Each step moves a rating by the difference that half a point and the surplus per game would mean
    between equals, for all newcomers at once (annex 1.1.2).
    """
    n, won = (_sums(player, a, rating.size)[newcomers] for a in (np.ones(player.size), score))
    with np.errstate(invalid="ignore"):
        fair = (won > 0) & (won < n)
    strength = rating.copy()
    strength[newcomers] = np.nanmean(rating) if (~np.isnan(rating)).any() else np.nan
    for _ in range(1000):
        awaited = _sums(player, expected(strength[player] - strength[opponent]), rating.size)
        surplus = (won - awaited[newcomers]) / np.maximum(n, 1)
        step = np.where(fair, difference(np.clip(0.5 + surplus, 0.005, 0.995)), 0)
        strength[newcomers] += step
        if not (np.abs(step) > 1e-9).any():
            break
    return np.where(fair, strength[newcomers], np.nan)


def _published(rating: FloatArray) -> FloatArray:
    return round_half_away(np.where(rating < LOW, 700 + rating / 8, rating))


def lifted_2025(rating: npt.ArrayLike) -> FloatArray:
    """Ratings after the lift that was announced for 2025, when the federation's program changed.

    >>> lifted_2025([700, 1200, 1600, 2000, 2200]).tolist()
    [1100.0, 1528.0, 1784.0, 2040.0, 2200.0]

    Below 1000 they rise by 400 points, below 2110 they become 0.64 of themselves and 760. That it
    was carried out, and on which day, could not be found.
    """
    r = np.asarray(rating, dtype=float)
    return round_half_away(np.where(r < 1000, r + 400, np.where(r < 2110, 0.64 * r + 760, r)))


def _sums(player: IntArray, values: FloatArray, size: int) -> FloatArray:
    return np.bincount(player, values, minlength=size).astype(float)
