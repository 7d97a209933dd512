"""Errors of sums and means over games: what a rating lacks is in all games of its player.

The error of a sum over games is that of sums by player: of two games with a common player the
product of the residuals counts, as in

    variance = sum over players of (their residuals)² - sum over pairs of (their residuals)²

(Fafchamps and Gubert; Aronow, Samii and Assenova). Players are as many cases as there are of them,
however many games they have.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from elo_xl.engine.models import IntArray
from elo_xl.engine.optimum import Estimate
from elo_xl.engine.rounding import FloatArray


def sum_errors(
    first: IntArray,
    second: IntArray,
    size: int,
    residual: FloatArray,
    group: IntArray,
    groups: int,
) -> FloatArray:
    """The standard error of the sum of residuals in each group of games among ``size`` players.

    >>> pairs = np.array([0, 0, 1, 3]), np.array([1, 2, 2, 4])
    >>> one = np.zeros(4, int)
    >>> (sum_errors(*pairs, 5, np.ones(4), one, 1) ** 2 * 3 / 5).round(6).tolist()
    [10.0]

    What is known of few players only is less sure: their number minus 2 counts, and with two
    players nothing is known. A sum of squares that cancels counts at least as pairs do.
    """
    both = np.concatenate([first, second]) + np.tile(group * size, 2)
    own, where = np.unique(both, return_inverse=True)
    sums = np.bincount(where, np.tile(residual, 2), own.size)
    by_player = np.bincount(own // size, sums**2, groups)
    players = np.bincount(own // size, minlength=groups)
    low, high = np.minimum(first, second), np.maximum(first, second)
    pairs, where = np.unique((group * size + low) * size + high, return_inverse=True)
    sums = np.bincount(where, residual, pairs.size)
    by_pair = np.bincount(pairs // size**2, sums**2, groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        few = np.where(players > 2, players / (players - 2), np.nan)
    return np.asarray(np.sqrt(few * np.maximum(by_player - by_pair, by_pair)))


@dataclass(frozen=True, slots=True)
class Found:
    """A number with its standard error, and how many of these an interval reaches to a side."""

    value: float
    error: float
    times: float

    @property
    def estimate(self) -> Estimate:
        """The number with its interval."""
        half = self.times * self.error
        return Estimate(self.value, self.value - half, self.value + half)


def times_of(cases: int) -> float:
    """How many standard errors an interval reaches to both sides that holds 95 % (Student's t).

    >>> round(times_of(10), 2)
    2.26
    """
    from scipy.special import stdtrit

    return float(stdtrit(cases - 1, 0.975))


def mean_of(values: FloatArray) -> Found:
    """The mean of independent numbers.

    >>> mean_of(np.array([1.0, 2.0, 3.0])).value
    2.0
    """
    error = float(values.std(ddof=1)) / math.sqrt(values.size)
    return Found(float(values.mean()), error, times_of(values.size))
