"""Glickman's ratings for a period: Glicko with a deviation, Glicko-2 with a volatility as well.

A player's deviation (RD) says in points how well their rating is known. With q = ln 10/400,
g(RD) = 1/√(1 + 3q²·RD²/π²) and E = 1/(1 + e^(-g·q·(rating - opponent))), each game against an
opponent of deviation RD gives

    information  I = Σ (q·g)²·E·(1 - E)      surprise  S = Σ q·g·(score - E)

and afterwards RD'² = RD²/(1 + I·RD²), rating' = rating + RD'²·S. All games of a period count with
the ratings and deviations that the players had when it began. Glicko raises the deviation before a
period by a constant; Glicko-2 by the player's volatility, which is itself estimated from how far
the results are from what was expected (Glickman, *The Glicko system* and *Example of the Glicko-2
system*).
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import SizeError, require
from elo_xl.engine.evidence import MOST, within
from elo_xl.engine.games import columns, played

RATING, RD, VOLATILITY = 1500.0, 350.0, 0.06
"""What an unrated player begins with."""

MOST_RD: Final = 350.0
"""The largest deviation in Glicko: that of an unrated player."""

Q: Final = math.log(10) / 400

SCALE: Final = 173.7178
"""Points of Glicko in one of Glicko-2, as printed; 400/ln 10 has more digits."""

FAR: Final = 300.0
"""The largest exponent that counts: beyond it the expected score is 0 or 1 to 130 digits."""

EXACT: Final = 1e-12
"""How close the logarithm of the squared volatility is to the solution of its equation."""

SECANTS, STEPS = 40, 130
"""So many steps of the iteration are secants at most, and so many there are in all."""

LEAST: Final = 1e-9
"""The smallest deviation and volatility."""

# Games worked on at a time: their arrays stay in the cache.
_BLOCK: Final = 1 << 14


class Glicko(NamedTuple):
    """Ratings after a period, and how well they are known."""

    rating: FloatArray
    rd: FloatArray
    """deviation, in points"""


class Glicko2(NamedTuple):
    """Ratings after a period, how well they are known and how much strength varies."""

    rating: FloatArray
    rd: FloatArray
    """deviation, in points"""
    volatility: FloatArray


class _Evidence(NamedTuple):
    """What the games of a period tell about each player, in units of 1/q points."""

    information: FloatArray
    """above 0 if there is a game, however sure its result was"""
    surprise: FloatArray


def glicko(
    rating: npt.ArrayLike,
    rd: npt.ArrayLike,
    opponents: npt.ArrayLike,
    rds: npt.ArrayLike,
    scores: npt.ArrayLike,
    growth: npt.ArrayLike = 0.0,
    periods: npt.ArrayLike = 1.0,
) -> Glicko:
    """One player's rating and deviation after a period by Glicko.

    ``opponents``, ``rds`` and ``scores`` have one number per game; without a game only the
    deviation grows. Before the games it becomes √(rd² + growth²·periods), at most 350;
    ``growth``, Glickman's c, is in points per period, and ``periods`` counts those since the rating
    was worked out. ``rating``, ``rd``, ``growth`` and ``periods`` may be arrays: the same games are
    then rated for each (Glickman).

    Raises DomainError for a deviation not above 0 or above 1,000,000, a rating further than that
    from 0, a score outside 0 to 1, growth or periods below 0; SizeError for lists of different
    lengths.
    """
    own, before = _ratings(rating), grown(_deviations(rd), growth, periods)
    games = _of_one(own * Q, *_opponents(opponents, rds, scores, Q))
    return Glicko(*_moved(own, (before * Q) ** 2, games, 1 / Q))


def glicko2(
    rating: npt.ArrayLike,
    rd: npt.ArrayLike,
    volatility: npt.ArrayLike,
    opponents: npt.ArrayLike,
    rds: npt.ArrayLike,
    scores: npt.ArrayLike,
    tau: npt.ArrayLike = 0.5,
) -> Glicko2:
    """One player's rating, deviation and volatility after a period by Glicko-2.

    ``opponents``, ``rds`` and ``scores`` have one number per game; without a game the deviation
    grows by the volatility, and nothing else changes. ``tau`` limits how fast the volatility
    changes: 0.3 to 1.2 are usual. The other arguments may be arrays: the same games are then rated
    for each (Glickman).

    Raises DomainError for a deviation, volatility or tau not above 0 or above 1,000,000, a rating
    further than that from 0, a score outside 0 to 1; SizeError for lists of different lengths.
    """
    own, phi = _ratings(rating), _deviations(rd) / SCALE
    sigma, rate = _volatilities(volatility), _tau(tau)
    games = _of_one((own - RATING) / SCALE, *_opponents(opponents, rds, scores, 1 / SCALE, RATING))
    return _moved2(*np.broadcast_arrays(own, phi, sigma, rate, *games))


def glicko_period(
    ratings: npt.ArrayLike,
    rds: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    score: npt.ArrayLike,
    growth: npt.ArrayLike = 0.0,
    periods: npt.ArrayLike = 1.0,
    *,
    start: tuple[float, float] = (RATING, RD),
) -> Glicko:
    """Rate a period of many players by Glicko.

    >>> after = glicko_period([1500, 1400, 1700], [200, 30, 300], [0, 2], [1, 0], [1, 1], growth=30)
    >>> after.rating.round(1).tolist(), after.rd.round(1).tolist()
    ([1522.4, 1396.7, 1785.0], [167.6, 42.2, 252.5])

    ``ratings`` and ``rds`` have one number per player, or ``rds`` one for all; ``first`` and
    ``second`` the indices of the two players of each game, and ``score`` the first player's score
    (NaN: not played). ``growth`` and ``periods`` are those of :func:`glicko` and may differ between
    players. Unrated players (NaN) begin with ``start`` when they play; until then they stay NaN.

    Raises the errors of :func:`glicko`; SizeError for indices out of range, DomainError for a
    player paired with themselves.
    """
    given = _table("deviations", ratings, rds)
    field, games = _players(given, start), columns(first, second, score)
    own = _ratings(field[0])
    before = grown(_deviations(field[1]), growth, periods)
    found = _of_all(own * Q, before * Q, *games)
    return Glicko(*_kept(given, found, _moved(own, (before * Q) ** 2, found, 1 / Q)))


def glicko2_period(
    ratings: npt.ArrayLike,
    rds: npt.ArrayLike,
    volatilities: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    score: npt.ArrayLike,
    tau: npt.ArrayLike = 0.5,
    *,
    start: tuple[float, float, float] = (RATING, RD, VOLATILITY),
) -> Glicko2:
    """Rate a period of many players by Glicko-2.

    >>> after = glicko2_period([1500, 1400, np.nan], [200, 30, np.nan], 0.06, [0], [1], [1])
    >>> after.rating.round(1).tolist(), after.rd.round(1).tolist()
    ([1563.6, 1398.1, nan], [175.4, 31.7, nan])

    Arguments and errors are those of :func:`glicko_period` and :func:`glicko2`.
    """
    given = _table("volatilities", *_table("deviations", ratings, rds), volatilities)
    field, games = _players(given, start), columns(first, second, score)
    own, phi, sigma = _ratings(field[0]), _deviations(field[1]) / SCALE, _volatilities(field[2])
    rate = np.broadcast_to(_tau(tau), own.shape)
    found = _of_all((own - RATING) / SCALE, phi, *games)
    return Glicko2(*_kept(given, found, _moved2(own, phi, sigma, rate, *found)))


def expected(
    rating: npt.ArrayLike,
    rd: npt.ArrayLike,
    opponent: npt.ArrayLike,
    other_rd: npt.ArrayLike,
    unit: float = Q,
) -> FloatArray:
    """Expected score of a player against an opponent, both of whom are known to a deviation.

    >>> expected(1400, 80, 1500, 150).round(3).item()
    0.376

    All arrays broadcast (Glickman, whose example this is). Glicko-2 has the ``unit`` 1/SCALE.
    Raises DomainError for a rating or a deviation out of bounds.
    """
    g = _dulled(np.hypot(_deviations(rd), _deviations(other_rd)) * unit)
    z = g * unit * (_ratings(rating) - _ratings(opponent))
    return np.asarray(1 / (1 + np.exp(-np.clip(z, -FAR, FAR))))


def grown(rd: npt.ArrayLike, growth: npt.ArrayLike, periods: npt.ArrayLike = 1.0) -> FloatArray:
    """Deviations, in points, after periods without games: √(rd² + growth²·periods), at most 350.

    All arrays broadcast (Glickman). Raises DomainError for growth or periods below 0.
    """
    more, count = np.asarray(growth, dtype=float), np.asarray(periods, dtype=float)
    require(more >= 0, "growth must not be below 0", more)
    require(count >= 0, "periods must not be below 0", count)
    own = np.asarray(rd, dtype=float)
    with np.errstate(over="ignore"):  # an infinite deviation is above 350
        return np.asarray(np.minimum(np.sqrt(own * own + more * more * count), MOST_RD))


def _ratings(rating: npt.ArrayLike) -> FloatArray:
    values = np.asarray(rating, dtype=float)
    within(values, -MOST, MOST, "rating must be within 1,000,000 points of 0")
    return values


def _deviations(rd: npt.ArrayLike) -> FloatArray:
    values = np.asarray(rd, dtype=float)
    within(values, LEAST, MOST, "rd must be above 0 and at most 1,000,000")
    return values


def _volatilities(volatility: npt.ArrayLike) -> FloatArray:
    values = np.asarray(volatility, dtype=float)
    within(values, LEAST, MOST, "volatility must be above 0 and at most 1,000,000")
    return values


def _tau(tau: npt.ArrayLike) -> FloatArray:
    values = np.asarray(tau, dtype=float)
    within(values, LEAST, MOST, "tau must be above 0 and at most 1,000,000")
    return values


def _opponents(
    opponents: npt.ArrayLike,
    rds: npt.ArrayLike,
    scores: npt.ArrayLike,
    unit: float,
    middle: float = 0.0,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The games of one player: opponents' ratings in units of 1/q points, their g, scores."""
    other, deviation = _ratings(opponents).reshape(-1), _deviations(rds).reshape(-1)
    score = np.asarray(scores, dtype=float).reshape(-1)
    if not other.size == deviation.size == score.size:
        raise SizeError(
            f"{score.size} scores and {deviation.size} deviations for {other.size} opponents"
        )
    require((score >= 0) & (score <= 1), "score must be between 0 and 1", score)
    return (other - middle) * unit, _dulled(deviation * unit), score


def _dulled(phi: FloatArray) -> FloatArray:
    """g: how much an uncertain opponent's rating counts."""
    return np.asarray(1 / np.sqrt(1 + 3 / np.pi**2 * phi * phi))


def _one_game(gap: FloatArray, g: FloatArray, score: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Information and surprise of games; E·(1 - E) = 1/(2 + 2·cosh z) is exact however small."""
    z = np.clip(gap * g, -FAR, FAR)
    return g * g / (2 + 2 * np.cosh(z)), g * (score - 0.5 - np.tanh(z / 2) / 2)


def _of_one(own: FloatArray, other: FloatArray, g: FloatArray, score: FloatArray) -> _Evidence:
    information, surprise = _one_game(own[..., None] - other, g, score)
    return _Evidence(information.sum(axis=-1), surprise.sum(axis=-1))


def _of_all(
    mu: FloatArray, phi: FloatArray, first: IntArray, second: IntArray, score: FloatArray
) -> _Evidence:
    """What the games tell about each player: their own are those of either side."""
    found = _Evidence(np.zeros(mu.size), np.zeros(mu.size))
    dulled = _dulled(phi)
    for start in range(0, first.size, _BLOCK):
        part = slice(start, start + _BLOCK)
        one, two, points = played(first[part], second[part], score[part], mu.size)
        gap = mu[one] - mu[two]
        for player, other, ahead, won in ((one, two, gap, points), (two, one, -gap, 1 - points)):
            information, surprise = _one_game(ahead, dulled[other], won)
            np.add.at(found.information, player, information)
            np.add.at(found.surprise, player, surprise)
    return found


def _moved(
    rating: FloatArray, variance: FloatArray, games: _Evidence, unit: float
) -> tuple[FloatArray, FloatArray]:
    """Rating and deviation, in points, after games; the variance before them is given."""
    after = variance / (1 + games.information * variance)
    return np.asarray(rating + unit * after * games.surprise), np.asarray(unit * np.sqrt(after))


def _moved2(
    rating: FloatArray,
    phi: FloatArray,
    sigma: FloatArray,
    tau: FloatArray,
    information: FloatArray,
    surprise: FloatArray,
) -> Glicko2:
    """Rating, deviation and volatility after games, by Glicko-2."""
    played_ = information > 0
    new = sigma.copy()
    new[played_] = _volatility(
        *(x[played_] for x in (phi * phi, sigma, tau, information, surprise))
    )
    games = _Evidence(information, surprise)
    return Glicko2(*_moved(rating, phi * phi + new * new, games, SCALE), new)


def _volatility(
    variance: FloatArray,
    sigma: FloatArray,
    tau: FloatArray,
    information: FloatArray,
    surprise: FloatArray,
) -> FloatArray:
    """The volatility that solves Glickman's equation, for many players at once.

    The unknown is x = ln σ². Each step is his: a secant in which the end that stays is halved (the
    Illinois algorithm). It gets to the solution in about six steps. Where a player and a result
    are so odd that it has not after forty, the interval is halved instead, so that it always ends.
    """
    squared = surprise * surprise
    middle = 2 * np.log(sigma)

    def slope(x: FloatArray, own: tuple[FloatArray, ...]) -> FloatArray:
        variance, information, squared, middle, tau = own
        y = np.exp(x)
        spread = 1 + information * (variance + y)
        return np.asarray(
            y / spread / 2 * (squared / spread - information) - (x - middle) / tau / tau
        )

    # Δ² - φ² - v of the paper times I²: above 0 if the results surprise
    excess = squared - information * (1 + information * variance)
    surprising = excess > 0
    down = middle - tau * np.maximum(1, np.ceil(tau / 2))
    up = np.log(np.where(surprising, excess, 1)) - 2 * np.log(information)
    result = np.empty_like(sigma)
    at = np.arange(sigma.size)
    own = (variance, information, squared, middle, tau)
    a, b = middle, np.where(surprising, up, down)
    at_a, at_b = slope(a, own), slope(b, own)
    for step in range(STEPS):
        done = np.abs(b - a) <= EXACT
        if done.any():
            result[at[done]] = b[done]
            left = ~done
            at, a, b, at_a, at_b = at[left], a[left], b[left], at_a[left], at_b[left]
            own = tuple(x[left] for x in own)
        if not at.size:
            break
        x = a + (b - a) * (at_a / (at_a - at_b) if step < SECANTS else 0.5)
        at_x = slope(x, own)
        crossed = at_x * at_b <= 0
        a, at_a = np.where(crossed, b, a), np.where(crossed, at_b, at_a / 2)
        b, at_b = x, at_x
    result[at] = b
    return np.asarray(np.exp(result / 2))


def _table(what: str, *given: npt.ArrayLike) -> tuple[FloatArray, ...]:
    """Columns with one number per player; the last may be one for all."""
    *before, last = (np.asarray(x, dtype=float).reshape(-1) for x in given)
    size = before[0].size
    if last.size not in (1, size):
        raise SizeError(f"{last.size} {what} for {size} players")
    return (*before, np.broadcast_to(last, size))


def _players(given: tuple[FloatArray, ...], start: tuple[float, ...]) -> list[FloatArray]:
    """The players with what is unknown about them replaced by what everybody begins with."""
    return [np.where(np.isnan(x), first, x) for x, first in zip(given, start, strict=True)]


def _kept(
    given: tuple[FloatArray, ...], games: _Evidence, after: tuple[FloatArray, ...]
) -> list[FloatArray]:
    """The result, in which unrated players who have not played are still unrated."""
    absent = np.isnan(given[0]) & (games.information == 0)
    return [np.where(absent, np.nan, x) for x in after]
