"""Ratings that say how sure they are: Bayesian updates, Glicko and Glicko-2.

Arguments and results are those of :mod:`.numbers`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elo_xl.api.frames import ArgumentColumn, NumbersLike, by_element, games_of, optional
from elo_xl.api.numbers import kind_of, margin_of
from elo_xl.engine import bayes as bayes_
from elo_xl.engine import glicko as glicko_
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import SizeError


class Bayes(NamedTuple):
    """Two players after a game: what is believed of their strengths."""

    rating: NumbersLike
    opponent: NumbersLike
    sd: NumbersLike
    opponent_sd: NumbersLike


def bayes(
    rating: NumbersLike,
    opponent: NumbersLike,
    score: NumbersLike,
    sd: NumbersLike,
    *,
    opponent_sd: NumbersLike = None,
    draws: str | NumbersLike = "split",
    model: str = "normal",
) -> Bayes:
    """New ratings and standard deviations of both players after a game, by Bayes' formula.

    >>> after = bayes(1600, 1500, score=1, sd=100)
    >>> round(after.rating, 2), round(after.opponent, 2), round(after.sd, 2)
    (1634.5, 1465.5, 95.06)

    ``score`` is the first player's: 1, 0.5 or 0. ``sd`` is the standard deviation of the first
    player's rating before the game, in points; the opponent's is the same unless given. ``draws``
    and ``model`` are those of :func:`outcomes`.

    Raises DomainError for any other score or a deviation not above 0, OptionError for options that
    are unknown or do not go together (Ioffe).
    """

    def work(*given: FloatArray) -> list[FloatArray]:
        own, other, scored, deviation, second_sd, *margin = given
        after = bayes_.posterior(
            own, other, scored, deviation, second_sd, kind_of(draws, margin), model
        )
        return [after.rating, after.opponent, after.sd, after.opponent_sd]

    second = optional(opponent_sd, ArgumentColumn(sd).numbers)
    return Bayes(*by_element(work, rating, opponent, score, sd, second, *margin_of(draws)))


class Bridge(NamedTuple):
    """The ratings of four bridge players."""

    north: NumbersLike
    south: NumbersLike
    east: NumbersLike
    west: NumbersLike


def bridge(
    north: NumbersLike,
    south: NumbersLike,
    east: NumbersLike,
    west: NumbersLike,
    result: NumbersLike,
    *,
    rating_sd: NumbersLike
    | tuple[NumbersLike, NumbersLike, NumbersLike, NumbersLike] = bayes_.RATING_SD,
    scale: str | bayes_.Scale = "percent",
) -> Bridge:
    """Ratings of four bridge players after a result of North and South.

    >>> [round(rating, 2) for rating in bridge(1600, 1500, 1550, 1450, 58)]
    [1622.21, 1522.21, 1527.79, 1427.79]

    ``rating_sd`` is the standard deviation of the ratings before the result: one for all four, or a
    tuple of four. ``scale`` is ``"percent"`` (default), ``"imp"`` or a
    :class:`~elo_xl.engine.bayes.Scale`.

    Raises DomainError for deviations not above 0, OptionError for an unknown scale (Ioffe, eq (8)
    to (12)).
    """

    def work(*given: FloatArray) -> list[FloatArray]:
        *four, scored = np.broadcast_arrays(*given)
        ratings, deviations = np.stack(four[:4], axis=-1), np.stack(four[4:], axis=-1)
        after = bayes_.bridge(ratings, scored, deviations, scale)
        return list(np.moveaxis(after.rating, -1, 0))

    deviations = rating_sd if isinstance(rating_sd, tuple) else (rating_sd,) * 4
    if len(deviations) != 4:
        raise SizeError(f"rating_sd must be one or a tuple of four, got {len(deviations)}")
    return Bridge(
        *by_element(
            work,
            north,
            south,
            east,
            west,
            *[optional(sd, bayes_.RATING_SD) for sd in deviations],
            result,
        )
    )


class GlickoRating(NamedTuple):
    """A player after a period: the rating, and how well it is known."""

    rating: NumbersLike
    rd: NumbersLike


def glicko(
    rating: NumbersLike,
    rd: NumbersLike,
    opponents: NumbersLike,
    rds: NumbersLike,
    scores: NumbersLike,
    *,
    growth: NumbersLike = 0,
    periods: NumbersLike = 1,
) -> GlickoRating:
    """A player's rating and deviation after a period by Glicko.

    >>> after = glicko(1500, 200, [1400, 1550, 1700], [30, 100, 300], [1, 0, 0])
    >>> round(after.rating, 1), round(after.rd, 1)
    (1464.1, 151.4)

    ``opponents``, ``rds`` and ``scores`` have one number per game; games with a blank are left out.
    Before the games the deviation becomes √(rd² + growth²·periods), at most 350. ``rating``,
    ``rd``, ``growth`` and ``periods`` may be columns: the same games are then rated for each row.

    Raises DomainError for a deviation not above 0, a score outside 0 to 1, or growth or periods
    below 0; SizeError for lists of different lengths and for columns with different indices
    (Glickman).
    """
    games = games_of(opponents, rds, scores)

    def work(own: FloatArray, deviation: FloatArray, *rest: FloatArray) -> object:
        return glicko_.glicko(own, deviation, *games, *rest)

    return GlickoRating(*by_element(work, rating, rd, optional(growth, 0), optional(periods, 1)))


class Glicko2Rating(NamedTuple):
    """A player after a period: the rating, how well it is known, and how much strength varies."""

    rating: NumbersLike
    rd: NumbersLike
    volatility: NumbersLike


def glicko2(
    rating: NumbersLike,
    rd: NumbersLike,
    volatility: NumbersLike,
    opponents: NumbersLike,
    rds: NumbersLike,
    scores: NumbersLike,
    *,
    tau: NumbersLike = 0.5,
) -> Glicko2Rating:
    """A player's rating, deviation and volatility after a period by Glicko-2.

    >>> after = glicko2(1500, 200, 0.06, [1400, 1550, 1700], [30, 100, 300], [1, 0, 0])
    >>> round(after.rating, 2), round(after.rd, 2), round(after.volatility, 5)
    (1464.05, 151.52, 0.06)

    ``tau`` limits how fast the volatility changes; 0.3 to 1.2 are usual. The other arguments and
    the errors are those of :func:`glicko` (Glickman).
    """
    met, spreads, scored = games_of(opponents, rds, scores)

    def work(own: FloatArray, deviation: FloatArray, sigma: FloatArray, rate: FloatArray) -> object:
        return glicko_.glicko2(own, deviation, sigma, met, spreads, scored, rate)

    return Glicko2Rating(*by_element(work, rating, rd, volatility, optional(tau, 0.5)))
