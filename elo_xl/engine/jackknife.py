"""Where a sum of losses is least, with an interval that leaves out one block after the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import DomainError
from elo_xl.engine.quality import Estimate, times_of

LEAST_BLOCKS: Final = 5
"""Fewer blocks tell no interval."""
_FLAT: Final = 1e-12
"""The part of the losses below which they are the same everywhere."""


def begins(day: IntArray, blocks: int) -> IntArray:
    """Where blocks of about as many games begin: with a day, unless days are too long for that.

    >>> begins(np.repeat(np.arange(6), [3, 1, 2, 2, 1, 1]), 5).tolist()
    [0, 3, 4, 6, 8]
    >>> begins(np.repeat([0, 1], 5), 5).tolist()
    [0, 2, 4, 6, 8]
    """
    equal: IntArray = np.arange(blocks) * day.size // blocks
    fresh = np.flatnonzero(np.diff(day, prepend=day[0] - 1))
    near = fresh[np.searchsorted(fresh, equal, "right") - 1]
    after = np.append(fresh, day.size)[np.searchsorted(fresh, equal)]
    begins = np.unique(np.where(equal - near <= after - equal, near, after))
    begins = begins[begins < day.size]
    longest = np.diff(begins, append=day.size).max()
    return begins if begins.size >= LEAST_BLOCKS and longest <= 2 * day.size / blocks else equal


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


def optimum(at: FloatArray, losses: FloatArray) -> Optimum:
    """The least sum of losses, which are given by blocks at values of a parameter.

    >>> at = np.arange(5.0)
    >>> losses = np.stack([(at - middle) ** 2 for middle in (1.8, 2.0, 2.2, 2.0)])
    >>> best = optimum(at, losses)
    >>> round(best.value, 6), round(best.half, 2), best.open_below
    (2.0, 0.26, False)
    """
    from scipy.interpolate import CubicSpline
    from scipy.optimize import minimize_scalar

    curves = CubicSpline(at, losses, axis=1)
    whole = CubicSpline(at, losses.sum(0))
    near = int(losses.sum(0).argmin())
    bounds = float(at[max(near - 1, 0)]), float(at[min(near + 1, at.size - 1)])
    minimum = minimize_scalar(
        lambda x: float(whole(x)), bounds=bounds, method="bounded", options={"xatol": 1e-6}
    )
    if not minimum.success:
        raise DomainError(f"the least log loss was not found: {minimum.message}")
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
    minima = fine[least]
    smooth = (least == inner) & (bend > 0)
    minima[smooth] += step * 0.5 * ((left - right)[smooth] / bend[smooth])
    count = minima.size
    error = math.sqrt((count - 1) / count * float(((minima - minima.mean()) ** 2).sum()))
    half = times_of(count) * error
    low, high = at[0] + step, at[-1] - step
    value = float(minimum.x)
    flat = bool(np.ptp(losses.sum(0)) <= _FLAT * losses.sum())
    return Optimum(
        value,
        math.inf if flat else half,
        flat or bool(minima.min() < low or value - half < low),
        flat or bool(minima.max() > high or value + half > high),
    )
