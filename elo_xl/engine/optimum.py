"""Where losses that are given by blocks of time are least, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import DomainError

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
