"""How good predictions were: expected scores beside the scores of the same games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import SizeError, require

SURE: Final = 1e-12
"""An expected score counts as at least this, and at most 1 minus this: nobody is that sure."""

NEARLY: Final = 1e-9
"""What a number may lack to belong to the next bin, for 0.29·100 is 28.999999999999996."""


def log_loss(expected: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """Mean of -s·ln(e) - (1 - s)·ln(1 - e): what the predictions e cost, with natural logarithms.

    A draw counts half a win and half a loss. Chances are at least 10⁻¹². The result is NaN without
    a game. Raises DomainError for a number outside 0 to 1, SizeError for lists of different
    lengths.
    """
    e, s = _pairs(expected, scores)
    if not e.size:
        return np.nan
    # 1 - 10⁻¹² is no floating-point number: each chance is cut by itself
    won, lost = np.log(np.maximum(e, SURE)), np.log(np.maximum(1 - e, SURE))
    return float(-(s * won + (1 - s) * lost).mean())


def brier(expected: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """Mean squared error of predictions (Brier).

    Without a game it is NaN. Raises the errors of :func:`log_loss`.
    """
    e, s = _pairs(expected, scores)
    return float(((s - e) ** 2).mean()) if e.size else np.nan


@dataclass(frozen=True, slots=True)
class Calibration:
    """Predictions by bins of equal width; every field has one number per bin."""

    low: FloatArray
    """where the bin begins: an expected score, or a difference of ratings"""
    high: FloatArray
    """where the next bin begins"""
    games: IntArray
    """games of each bin"""
    expected: FloatArray
    """mean expected score; NaN without a game"""
    score: FloatArray
    """mean score; NaN without a game"""
    error: FloatArray
    """standard error of the mean score; NaN where the games are too few to tell it"""


def calibration(expected: npt.ArrayLike, scores: npt.ArrayLike, bins: int = 10) -> Calibration:
    """Games in bins by their expected score, with the mean score beside the mean expected one.

    A bin holds the games from its lower bound on, and the last one its upper bound, too. Raises the
    errors of :func:`log_loss`, and DomainError for bins that are no whole number above 0.
    """
    e, s = _pairs(expected, scores)
    require(bins >= 1 and bins % 1 == 0, "bins must be a whole number above 0", bins)
    n = int(bins)
    at = np.minimum(np.floor(e * n + NEARLY).astype(np.int64), n - 1)
    games = np.bincount(at, minlength=n)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, own = (np.bincount(at, x, n) / games for x in (e, s))
        spread = np.bincount(at, (s - own[at]) ** 2, n)
        error = np.where(games > 1, np.sqrt(spread / (games - 1) / games), np.nan)
    bounds = np.arange(n + 1) / n
    return Calibration(bounds[:-1], bounds[1:], games, mean, own, error)


def _pairs(expected: npt.ArrayLike, scores: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    e, s = (np.asarray(x, dtype=float).reshape(-1) for x in (expected, scores))
    if e.size != s.size:
        raise SizeError(f"{e.size} expected scores for {s.size} scores")
    for what, x in (("expected score", e), ("score", s)):
        require((x >= 0) & (x <= 1), f"{what} must be between 0 and 1", x)
    return e, s


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with the interval that contains it in 95 of 100 histories."""

    value: float
    """the most likely number"""
    low: float
    """where the interval begins; 0 for K and ν, and -inf for an advantage, where the games set no
    bound"""
    high: float
    """where it ends; inf where the games set no bound"""

    def __str__(self) -> str:
        return f"{self.value:.3g} ({self.low:.3g} to {self.high:.3g})"

    def holds(self, value: float) -> bool:
        """Whether the interval contains a value."""
        return self.low <= value <= self.high

    @classmethod
    def of(cls, value: float, error: float, cases: int) -> Estimate:
        """A number with its standard error, as so many independent cases tell it (Student's t)."""
        half = times_of(cases) * error
        return cls(value, value - half, value + half)


def times_of(cases: int) -> float:
    """How many standard errors an interval reaches to both sides that holds 95 % (Student's t).

    >>> round(times_of(10), 2)
    2.26
    """
    from scipy.special import stdtrit

    return float(stdtrit(cases - 1, 0.975))
