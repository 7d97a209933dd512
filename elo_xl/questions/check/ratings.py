"""The ratings with which games were played: whether they spread too far, sink, and suit newcomers.

F is Elo's curve, and errors count players and not games:

    spread      score = F(a·difference) on average: below 1, favourites score less than expected
    drift       the mean of players who have played all the time, from the first period to the last
    newcomers   score - F(difference) in their first games, which opponents with K 20 pay for

A lift a·R + b makes the scores those that the curve promises, and gives constant players the mean
back that they had. With a level it is FIDE's of March 2024: ratings from the level on stay.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import DomainError, SizeError, require
from elo_xl.engine.evidence import MOST
from elo_xl.engine.games import scored
from elo_xl.engine.models import expected, slope
from elo_xl.engine.quality import Calibration, Estimate, times_of
from elo_xl.engine.sequence import earlier_games
from elo_xl.public import own
from elo_xl.questions.check.numbers import FIDE_K, NEW_GAMES

WIDTH, BINS = 50.0, 10
"""Differences are counted in bins of so many points; the last bin has all larger ones."""
PERIODS: Final = 8
"""Periods of equal length; constant players have games in each two of them."""
FEWEST, FEWEST_GAMES = 5, 125
"""Players and games below which nothing is said of them."""
SETTLED: Final = 60
"""Games after which a newcomer is an opponent like any other."""
YEAR: Final = 365.25
"""Days, if time is told in years."""
GROWN: Final = 21
"""The age in the first year of the games from which a player may be of constant strength."""
LATE: Final = 0.25
"""The part of the time after which new names are newcomers, if nobody begins unrated."""
_SAME: Final = 1e-6
"""A change of a mean that is rounding."""
_FAR: Final = 1500.0
"""No difference counts as more."""


@dataclass(frozen=True, slots=True)
class Spread(Calibration):
    """Scores of the higher rated players, in bins of so many points of difference."""

    difference: FloatArray
    """mean difference; NaN without a game, as in the other fields"""
    fitted: FloatArray
    """mean expected score after the lift"""


@dataclass(frozen=True, slots=True)
class Drift:
    """How the ratings of constant players have moved; the fields have one number per period."""

    begin: FloatArray
    """when each period begins"""
    players: IntArray
    """rated players of each period"""
    mean: FloatArray
    """the mean of their ratings; NaN without a game"""
    constant: FloatArray
    """the mean of the constant players; NaN if they are too few"""
    error: FloatArray
    """standard error of its change since the first period"""
    number: int
    """how many constant players there are"""
    change: Estimate | None
    """from the first period to the last; None for too few constant players, and if their ratings
    never change"""
    rate: Estimate | None
    """the same in each unit of time"""


@dataclass(frozen=True, slots=True)
class Newcomers:
    """How well newcomers are rated."""

    number: int
    """how many newcomers there are"""
    unrated: bool
    """whether they are those who began without a rating, or those who came late"""
    gift: Estimate | None
    """the points that opponents with K 20 win from a newcomer in their first 30 rated games"""


@dataclass(frozen=True, slots=True)
class Lift:
    """A change of all ratings to a·R + b, or only of those below a level."""

    a: Estimate
    """what ratings are multiplied by"""
    b: Estimate
    """the points that are added then"""
    level: float | None
    """ratings from here on stay; None if all change"""
    centre: float
    """the rating at which the error of ``a`` counts for nothing"""
    _errors: tuple[float, float] = field(repr=False)
    _times: float = field(repr=False)

    def at(self, rating: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Ratings after the lift, and half the widths of their intervals."""
        r = np.asarray(rating, dtype=float)
        lifted = self.a.value * r + self.b.value
        half = self._times * np.hypot(self._errors[0] * (r - self.centre), self._errors[1])
        if self.level is None:
            return lifted, half
        return np.where(r < self.level, lifted, r), np.where(r < self.level, half, 0.0)


@dataclass(frozen=True, slots=True)
class Health:
    """What games say of the ratings with which they were played: what :func:`health` gives."""

    games: int
    """games of two rated players"""
    players: int
    """players of these games"""
    unrated: int
    """games left out, as one or both had no rating"""
    ratings: tuple[float, float]
    """the lowest and the highest one"""
    spread: Spread
    """scores against differences"""
    a: Estimate
    """what differences have to be multiplied by"""
    usual: float | None
    """the ``a`` of ratings that follow constant strengths with K 20, which is a little below 1;
    None with a level"""
    drift: Drift | None
    """how ratings have moved; None if it is not known when the games were played"""
    newcomers: Newcomers | None
    """how well newcomers are rated; None if they are too few"""
    lift: Lift
    """the change of ratings that would correct their spread"""

    def __repr__(self) -> str:
        return f"<Health games={self.games} players={self.players} a={self.a}>"


def health(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    score: npt.ArrayLike,
    rating: npt.ArrayLike,
    other: npt.ArrayLike,
    size: int,
    *,
    time: npt.ArrayLike | None = None,
    young: npt.ArrayLike = False,
    level: float | None = None,
) -> Health:
    """Examine the ratings with which games were played.

    ``first`` and ``second`` are the indices of ``size`` players, ``score`` is the first one's 1,
    0.5 or 0; ``rating`` and ``other`` are the ratings of both before each game, NaN for who had
    none. The games stand in the order in which they were played, with their ``time`` in any unit.
    ``young`` says who is too young to be of constant strength. Ratings from ``level`` on stay if it
    is given; without it all ratings change, the constant players get their first mean back, and
    without such players the mean stays.

    Raises SizeError for lists that do not fit together, indices out of range and a time that runs
    backwards; DomainError for another score, a player paired with themselves, a rating beyond
    1,000,000, fewer than 125 games of rated players, and ratings that tell nothing.
    """
    one, two, points = scored(first, second, score, size)
    both = [np.asarray(x, dtype=float) for x in (rating, other)]
    for x in both:
        if x.shape != one.shape:
            raise SizeError(f"{x.size} ratings for {one.size} games")
    r = np.stack(both)
    require(np.isnan(r) | (np.abs(r) <= MOST), "rating must be within 1,000,000 points of 0", r)
    if level is not None:
        require(abs(level) <= MOST, "level must be within 1,000,000 points of 0", level)
    when = None if time is None else np.asarray(time, dtype=float)
    if when is not None and (when.shape != one.shape or (np.diff(when) < 0).any()):
        raise SizeError("time must have a number for each game and must not run backwards")
    games = _TwoRatings(one, two, points, r, when, size)
    rated = games.some(~np.isnan(r).any(0))
    count = rated.score.size
    if count < FEWEST_GAMES:
        raise DomainError(
            f"{count} of {games.score.size} games have ratings of both players, and "
            f"{FEWEST_GAMES} are needed; in the others a player has no rating yet"
        )
    x, offset = _parts(rated.rating, level)
    factor = _solve(x, offset, rated, 10.0)
    if factor is None:
        raise DomainError("the scores do not tell how far ratings spread")
    new, unrated = _new(games)
    drift = None
    if when is not None and when[0] < when[-1]:
        grown = ~np.broadcast_to(np.asarray(young, bool), size)
        drift = _drift(rated, grown & ~new if unrated else grown)
    return Health(
        games=count,
        players=rated.playing(),
        unrated=one.size - count,
        ratings=(float(rated.rating.min()), float(rated.rating.max())),
        spread=_spread(rated, factor.value * x + offset),
        a=Estimate.of(*factor),
        usual=_usual(rated) if level is None else None,
        drift=drift,
        newcomers=_newcomers(rated, new, unrated),
        lift=_lift(rated, factor, drift, level),
    )


@dataclass(frozen=True, slots=True)
class _TwoRatings:
    first: IntArray
    second: IntArray
    score: FloatArray
    rating: FloatArray
    """a row for each of the two sides"""
    time: FloatArray | None
    size: int

    def some(self, which: npt.NDArray[np.bool_]) -> _TwoRatings:
        time, rating = None if self.time is None else self.time[which], self.rating[:, which]
        both = self.first[which], self.second[which]
        return _TwoRatings(*both, self.score[which], rating, time, self.size)

    @property
    def sides(self) -> IntArray:
        """Both players of each game, in the order of the games."""
        return np.stack([self.first, self.second], axis=1).reshape(-1)

    def playing(self) -> int:
        return int(np.unique(self.sides).size)

    def expected(self) -> FloatArray:
        return expected(self.rating[0] - self.rating[1])

    def errors(self, residual: FloatArray, group: IntArray, groups: int) -> FloatArray:
        """The standard error of the sum of residuals in each group of games.

        What is known of few players only is less sure: their number minus 2 counts, and with two
        players nothing is known. A sum of squares that cancels counts at least as pairs do.
        """
        both = np.concatenate([self.first, self.second]) + np.tile(group * self.size, 2)
        codes, where = np.unique(both, return_inverse=True)
        sums = np.bincount(where, np.tile(residual, 2), codes.size)
        by_player = np.bincount(codes // self.size, sums**2, groups)
        players = np.bincount(codes // self.size, minlength=groups)
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        code = (group * self.size + low) * self.size + high
        pairs, where = np.unique(code, return_inverse=True)
        sums = np.bincount(where, residual, pairs.size)
        by_pair = np.bincount(pairs // self.size**2, sums**2, groups)
        with np.errstate(invalid="ignore", divide="ignore"):
            few = np.where(players > 2, players / (players - 2), np.nan)
        return np.asarray(np.sqrt(few * np.maximum(by_player - by_pair, by_pair)))


def _parts(rating: FloatArray, level: float | None) -> tuple[FloatArray, FloatArray]:
    """The part of each difference that a lift multiplies, and the part that stays."""
    if level is None:
        return rating[0] - rating[1], np.zeros(rating.shape[1])
    below, above = np.minimum(rating, level), np.maximum(rating, level)
    return below[0] - below[1], above[0] - above[1]


def _solve(x: FloatArray, offset: FloatArray, games: _TwoRatings, most: float) -> Measured | None:
    """The most likely c, if a game's difference is c·x + offset; None if it is beyond ``most``.

    The likelihood of wins counts, with a draw as half a win and half a loss; it has one maximum.
    """
    from scipy.optimize import brentq

    def parts(c: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        d = (c * x + offset).clip(-_FAR, _FAR)
        e = expected(d)
        steep = slope(d)
        return games.score - e, steep, x * steep / (e * (1 - e))

    def rise(c: float) -> float:
        residual, _, weight = parts(c)
        return float(weight @ residual)

    if not rise(-most) > 0 > rise(most):
        return None
    value = float(brentq(rise, -most, most, xtol=1e-9))
    residual, steep, weight = parts(value)
    one = np.zeros(x.size, np.int64)
    error = float(games.errors(weight * residual, one, 1)[0] / (weight * steep @ x))
    moved = games.some(x != 0).playing()
    return Measured(value, error, moved) if math.isfinite(error) else None


def _spread(games: _TwoRatings, lifted: FloatArray) -> Spread:
    d = games.rating[0] - games.rating[1]
    at = np.minimum(np.abs(d) // WIDTH, BINS - 1).astype(np.int64)
    side = np.where(d < 0, -1.0, 1.0)
    e = games.expected()
    counts = np.bincount(at, minlength=BINS)

    def of_higher(score: FloatArray) -> FloatArray:
        return np.bincount(at, 0.5 + side * (score - 0.5), BINS) / counts

    with np.errstate(invalid="ignore", divide="ignore"):
        mean, score = of_higher(e), of_higher(games.score)
        residual = side * (games.score - e) - (score - mean)[at]
        return Spread(
            low=WIDTH * np.arange(BINS, dtype=float),
            high=np.append(WIDTH * np.arange(1.0, BINS), np.inf),
            games=counts,
            difference=np.bincount(at, np.abs(d), BINS) / counts,
            expected=mean,
            score=score,
            error=games.errors(residual, at, BINS) / counts,
            fitted=of_higher(expected(lifted)),
        )


def _usual(games: _TwoRatings) -> float:
    """What is left of differences between ratings that constant strengths make with K 20.

    A rating moves by K times a residual and is pulled back by K times the curve's slope, so that
    its variance around the strength comes to rest at K·(variance of residuals) / (2·slope).
    """
    residual = games.score - games.expected()
    steep = float(slope(games.rating[0] - games.rating[1]).mean())
    noise = FIDE_K * float(residual @ residual) / residual.size / (2 * steep)
    return max(0.0, 1 - noise / float(games.rating.var()))


def _drift(games: _TwoRatings, steady: npt.NDArray[np.bool_]) -> Drift:
    assert games.time is not None
    start, end = float(games.time[0]), float(games.time[-1])
    length = (end - start) / PERIODS
    turn = np.minimum((games.time - start) / length, PERIODS - 1).astype(np.int64)
    cell = games.sides * PERIODS + np.repeat(turn, 2)
    shape = games.size, PERIODS
    counts: IntArray = np.bincount(cell, minlength=games.size * PERIODS).reshape(shape)
    sums = np.bincount(cell, games.rating.T.reshape(-1), games.size * PERIODS).reshape(shape)
    with np.errstate(invalid="ignore"):
        ratings: FloatArray = sums / counts
    always = (counts.reshape(-1, PERIODS // 2, 2).sum(2) > 0).all(1) & steady
    kept = ratings[always]
    kept[:, 0] = np.where(np.isnan(kept[:, 0]), kept[:, 1], kept[:, 0])
    for i in range(1, PERIODS):  # who does not play keeps their rating
        kept[:, i] = np.where(np.isnan(kept[:, i]), kept[:, i - 1], kept[:, i])
    number = len(kept)
    constant = error = np.full(PERIODS, np.nan)
    change = rate = None
    if number >= FEWEST:
        since = kept - kept[:, :1]
        constant, error = kept.mean(0), since.std(0, ddof=1) / math.sqrt(number)
        if np.abs(since).max() > _SAME:
            change = mean_of(since[:, -1])
            units = length * (PERIODS - 1)
            rate = Estimate(*(x / units for x in (change.value, change.low, change.high)))
    players: IntArray = (counts > 0).sum(0)
    with np.errstate(invalid="ignore"):
        mean = np.nansum(ratings, 0) / players
    begin = start + length * np.arange(PERIODS, dtype=float)
    return Drift(begin, players, mean, constant, error, number, change, rate)


def _new(games: _TwoRatings) -> tuple[npt.NDArray[np.bool_], bool]:
    """Who is a newcomer, and whether they are those who began without a rating."""
    sides = games.sides
    who, begun = np.unique(sides, return_index=True)
    new = np.zeros(games.size, bool)
    unrated = np.isnan(games.rating.T.reshape(-1)[begun])
    if unrated.any():
        new[who] = unrated
        return new, True
    when = np.arange(games.score.size, dtype=float) if games.time is None else games.time
    late = when[0] + LATE * (when[-1] - when[0])
    new[who] = when[begun // 2] > late
    return new, False


def _newcomers(games: _TwoRatings, new: npt.NDArray[np.bool_], unrated: bool) -> Newcomers | None:
    number = int(new[np.unique(games.sides)].sum())
    if number < FEWEST:
        return None
    before, _ = earlier_games(games.first, games.second, None)
    sides = np.stack([games.first, games.second])
    early = new[sides] & (before < SETTLED)
    # a game counts where one side is new, in the first 30 games of that side
    one = (early[0] != early[1]) & (early & (before < NEW_GAMES)).any(0)
    side = np.where(early[0, one], 1.0, -1.0)
    some = games.some(one)
    lost = FIDE_K * (side * (some.expected() - some.score))
    each, where = np.unique(np.where(side > 0, *sides[:, one]), return_inverse=True)
    sums: FloatArray = np.bincount(where, lost, each.size).astype(float)
    return Newcomers(number, unrated, mean_of(sums) if each.size >= FEWEST else None)


def _lift(games: _TwoRatings, a: Measured, drift: Drift | None, level: float | None) -> Lift:
    shift = 0.0
    if level is not None:
        centre = kept = level
    elif drift is not None and drift.change is not None:
        kept, centre = float(drift.constant[0]), float(drift.constant[-1])
        shift = float(drift.error[-1])
    else:
        centre = kept = float(games.rating.mean())
    b = Estimate.of(kept - a.value * centre, math.hypot(a.error * centre, shift), a.cases)
    return Lift(Estimate.of(*a), b, level, centre, (a.error, shift), times_of(a.cases))


class Measured(NamedTuple):
    """A number with its standard error, and how many independent cases tell it."""

    value: float
    error: float
    cases: int


def mean_of(values: FloatArray) -> Estimate:
    """The mean of independent numbers."""
    error = float(values.std(ddof=1)) / math.sqrt(values.size)
    return Estimate.of(float(values.mean()), error, values.size)


own(vars())
