"""How good predictions were, and where their loss is least.

Expected scores stand beside the scores of the same games. Where losses are given by blocks of time,
they also tell how sure the place of the least one is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import DomainError, SizeError, require

SURE: Final = 1e-12
"""An expected score counts as at least this, and at most 1 minus this: nobody is that sure."""

NEARLY: Final = 1e-9
"""What a number may lack to belong to the next bin, for 0.29·100 is 28.999999999999996."""


def log_loss(expected: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """Mean of -s·ln(e) - (1 - s)·ln(1 - e): what the predictions e cost, with natural logarithms.

    >>> round(log_loss([0.5, 0.9], [1, 0.5]), 4)
    0.9486

    A draw counts half a win and half a loss. Expected scores are cut to 10⁻¹² and 1 - 10⁻¹². The
    result is NaN without a game. Raises DomainError for a number outside 0 to 1, SizeError for
    lists of different lengths.
    """
    e, s = _pairs(expected, scores)
    if not e.size:
        return np.nan
    e = np.clip(e, SURE, 1 - SURE)
    return float(-(s * np.log(e) + (1 - s) * np.log(1 - e)).mean())


def brier(expected: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """Mean squared error of predictions (Brier).

    >>> round(brier([0.5, 0.9], [1, 0.5]), 4)
    0.205

    Without a game it is NaN. Raises the errors of :func:`log_loss`.
    """
    e, s = _pairs(expected, scores)
    return float(((s - e) ** 2).mean()) if e.size else np.nan


@dataclass(frozen=True, slots=True)
class Calibration:
    """Predictions by bins of equal width; every field has one number per bin."""

    low: FloatArray
    high: FloatArray
    games: IntArray
    expected: FloatArray
    """mean expected score; NaN without a game"""
    score: FloatArray
    """mean score; NaN without a game"""
    error: FloatArray
    """standard error of the mean score, from the scores themselves; NaN with less than two games"""


def calibration(expected: npt.ArrayLike, scores: npt.ArrayLike, bins: int = 10) -> Calibration:
    """Games in bins by their expected score, with the mean score beside the mean expected one.

    >>> found = calibration([0.2, 0.3, 0.9], [0, 0.5, 1], 2)
    >>> found.games.tolist(), found.expected.tolist(), found.score.tolist(), found.error.tolist()
    ([2, 1], [0.25, 0.9], [0.25, 1.0], [0.25, nan])

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


ENOUGH: Final = math.log(1.5)
"""Half the width of an interval of ln K that is narrow enough: from two thirds to one and a half
times the best."""
_FLAT: Final = 1e-12
"""The part of the losses below which they are the same everywhere."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with the interval that contains it in 95 of 100 histories."""

    value: float
    low: float
    """0 for K and ν, and -inf for an advantage, where the games set no bound"""
    high: float
    """inf where the games set no bound"""

    def holds(self, value: float) -> bool:
        """Whether the interval contains a value."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Optimum:
    """Where a sum of losses is least, and half the width of the interval around it."""

    value: float
    half: float
    open_below: bool
    open_above: bool

    def estimate(self, scale: Callable[[float], float], least: float) -> Estimate:
        low = least if self.open_below else float(scale(self.value - self.half))
        high = math.inf if self.open_above else float(scale(self.value + self.half))
        return Estimate(float(scale(self.value)), low, high)

    def needed(self, games: int) -> int:
        """About how many games would tell K, as the width goes with their root; of an interval that
        is open this says little, so that it is never more than twenty times as many."""
        number = games * min(max(2.0, (self.half / ENOUGH) ** 2), 20.0)
        digit: int = 10 ** (len(str(int(number))) - 1)
        return math.ceil(number / digit) * digit


def optimum(at: FloatArray, losses: FloatArray) -> Optimum:
    """The least sum of losses, which are given by blocks at values of a parameter.

    >>> at = np.arange(5.0)
    >>> losses = np.stack([(at - middle) ** 2 for middle in (1.8, 2.0, 2.2, 2.0)])
    >>> found = optimum(at, losses)
    >>> round(found.value, 6), round(found.half, 2), found.open_below
    (2.0, 0.26, False)
    """
    from scipy.interpolate import CubicSpline
    from scipy.optimize import minimize_scalar
    from scipy.special import stdtrit

    curves = CubicSpline(at, losses, axis=1)
    whole = CubicSpline(at, losses.sum(0))
    near = int(losses.sum(0).argmin())
    bounds = float(at[max(near - 1, 0)]), float(at[min(near + 1, at.size - 1)])
    found = minimize_scalar(
        lambda x: float(whole(x)), bounds=bounds, method="bounded", options={"xatol": 1e-6}
    )
    if not found.success:
        raise DomainError(f"the least log loss was not found: {found.message}")
    fine = np.linspace(at[0], at[-1], 2001)
    step = fine[1] - fine[0]
    each = curves(fine)
    without = each.sum(0) - each
    least = without.argmin(1)
    inner = least.clip(1, fine.size - 2)
    left, middle, right = (
        np.take_along_axis(without, (inner + i)[:, None], 1)[:, 0] for i in (-1, 0, 1)
    )
    bend = left - 2 * middle + right
    own = fine[least]
    smooth = (least == inner) & (bend > 0)
    own[smooth] += step * 0.5 * ((left - right)[smooth] / bend[smooth])
    count = own.size
    error = math.sqrt((count - 1) / count * float(((own - own.mean()) ** 2).sum()))
    half = float(stdtrit(count - 1, 0.975)) * error
    low, high = at[0] + step, at[-1] - step
    value = float(found.x)
    flat = bool(np.ptp(losses.sum(0)) <= _FLAT * losses.sum())
    return Optimum(
        value,
        math.inf if flat else half,
        flat or bool(own.min() < low or value - half < low),
        flat or bool(own.max() > high or value + half > high),
    )
