"""What one game says about the difference of two uncertain strengths.

Before the game the difference d of the strengths is normal with mean m and variance v. The game's
result has the probability Z(m) = E[L(d)], where L is its probability at a known difference
(:func:`elo_xl.engine.outcomes.outcomes`), and all that Bayes' formula needs is Z with the first
two derivatives of its logarithm:

    mean of d after the game      m + v·slope             slope     = (log Z)'
    variance of d after the game  v·(1 - v·curvature)     curvature = -(log Z)''

================= ============================================================================
model, draws      how
================= ============================================================================
normal, split     closed form with Owen's T function; where that cancels or underflows, the
                  integral that T stands for (:func:`_owen_tail`)
normal, margin    a normal variable, the difference of the two performances, cut off at the margin
logistic curves   the trapezoidal rule on the strip where the integrand is not negligible: it
                  converges like Gauss-Hermite, and with wide priors, where Gauss-Hermite stays
                  10⁻⁶ off with 128 nodes (deviations of 700), it still does
fide              a sum over the steps of table 8.1.2
================= ============================================================================

Everything is computed relative to its largest term, so that results of probability 10⁻⁴⁰⁰ do as
well as others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.errors import require
from elo_xl.engine.models import (
    DIFFERENCE_SD,
    LAST,
    LOGISTIC_SCALE,
    RESCALED_SCALE,
    fide_hundredths,
)
from elo_xl.engine.outcomes import SPLIT, outcomes
from elo_xl.engine.rounding import FloatArray

BLOCK: Final = 1 << 13
"""Games worked on at a time: the dozen arrays of a block stay in the processor's cache."""

NODES: Final = 1 << 16
"""Nodes of a quadrature worked on at a time."""

REACH: Final = 9.0
"""Standard deviations, counted from the peak, beyond which a normal density is below 10⁻¹⁷."""

ROOT_TWO_PI: Final = math.sqrt(2 * math.pi)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What results say about rating differences; every field is an array of their shape."""

    probability: FloatArray
    """of the result, before the game"""
    slope: FloatArray
    """derivative of the logarithm of the probability by the mean difference, per point"""
    curvature: FloatArray
    """its second derivative with the sign changed, per point squared"""


def evidence(
    difference: npt.ArrayLike,
    variance: npt.ArrayLike,
    score: npt.ArrayLike,
    draws: str | npt.ArrayLike = SPLIT,
    model: str = "normal",
) -> Evidence:
    """Probability of results, and what they say about rating differences known with ``variance``.

    >>> e = evidence(100, 2 * 100**2, 1)
    >>> e.probability.round(4).item(), (100**2 * e.slope).round(4).item()
    (0.4187, 34.4975)

    ``score`` is 1, 0.5 or 0; ``draws`` and ``model`` as in
    :func:`~elo_xl.engine.outcomes.outcomes`, with its errors. All arrays broadcast.

    Raises DomainError for another score, for a variance not above 0, or for a draw where the
    margin is 0.
    """
    outcomes(0.0, draws, model)  # refuses what does not go together
    m, v, result = np.broadcast_arrays(
        *(np.asarray(x, dtype=float) for x in (difference, variance, score))
    )
    require((result == 1) | (result == 0.5) | (result == 0), "score must be 1, 0.5 or 0", result)
    require((v > 0) & np.isfinite(v), "variance must be above 0", v)
    require(np.isfinite(m), "rating difference must be finite", m)
    if isinstance(draws, str):
        return _in_blocks(_method(model), m, v, result)
    margin = np.asarray(draws, dtype=float)
    drawn, limit = np.broadcast_arrays(result == 0.5, margin)
    require(~drawn | (limit > 0), "a draw needs a margin above 0", limit)
    return _in_blocks(_margin_method(model), m, v, result, margin)


# A method takes mean differences, variances, scores (and margins) of one block, and gives
# probability, slope and curvature.
Parts = tuple[FloatArray, FloatArray, FloatArray]
Method = Callable[..., Parts]


def _method(model: str) -> Method:
    if model.lower() == "normal":
        return _owen
    if model.lower() == "fide":
        return _steps
    return _Logistic(LOGISTIC_SCALE if model.lower() == "logistic" else RESCALED_SCALE)


def _margin_method(model: str) -> Method:
    return _cut_off if model.lower() == "normal" else _Logistic(LOGISTIC_SCALE)


def _in_blocks(
    method: Method, m: FloatArray, v: FloatArray, score: FloatArray, margin: FloatArray | None = None
) -> Evidence:
    """The method's answers for arrays of any shape, worked out block by block."""
    given = np.broadcast_arrays(m, v, score, *([] if margin is None else [margin]))
    shape = given[0].shape
    flat = [np.ascontiguousarray(x).reshape(-1) for x in given]
    results = tuple(np.empty(flat[0].size) for _ in range(3))
    with np.errstate(all="ignore"):
        for start in range(0, flat[0].size, BLOCK):
            part = slice(start, start + BLOCK)
            for result, values in zip(results, method(*[x[part] for x in flat]), strict=True):
                result[part] = values
    return Evidence(*(result.reshape(shape) for result in results))


def _owen(m: FloatArray, v: FloatArray, score: FloatArray) -> Parts:
    """Normal model, split draws: with h = ±m/t, t² = c² + v, c = 200√2, q = c/√(c² + 2v),

    Z(win) = Φ(h) - 2T(h, q),  Z'(win)  = 2φ(h)Φ(qh)/t,
    Z(draw) = 4T(h, q),        Z'(draw) = 2φ(h)(1 - 2Φ(qh))/t,

    and a loss is a win with the players exchanged. One formula serves all three: ``draw`` is 1 or
    0, and ``k`` = -2 or 1, so that Z = (1 - draw)·Φ(h) - 2k·T and Z' ∝ draw + k·Φ(qh).
    """
    from scipy.special import ndtr, owens_t

    square = DIFFERENCE_SD**2
    side = np.sign(score - 0.25)
    draw = 1 - np.abs(2 * score - 1)
    k = 1 - 3 * draw
    t = v + square
    q = DIFFERENCE_SD / np.sqrt(t + v)
    np.sqrt(t, out=t)
    h = m * side
    h /= t
    won = ndtr(h)
    won *= 1 - draw
    z = owens_t(h, q)
    z *= -2 * k
    z += won
    qh = q * h
    gain = ndtr(qh)
    gain *= k
    gain += draw
    density = np.exp(-0.5 * h * h)
    density *= 2 / ROOT_TWO_PI
    density /= z
    gain *= density
    bend = np.exp(-0.5 * qh * qh)
    bend *= density
    bend *= k
    bend *= q
    bend *= -1 / ROOT_TWO_PI
    bend += gain * gain
    bend += h * gain
    # What Φ(h) and 2T(h, q) share is lost in their difference, and owens_t is right to 10⁻¹⁴.
    lost = np.flatnonzero(z < 0.01 * won + 1e-280)
    if lost.size:
        z[lost], gain[lost], bend[lost] = _owen_tail(h[lost], v[lost], draw[lost] == 1)
    gain *= side
    gain /= t
    np.clip(bend, 0.0, 2 * square / (square + 2 * v) + 2 * v / (square + 2 * v), out=bend)
    bend /= t
    bend /= t
    return z, gain, bend
