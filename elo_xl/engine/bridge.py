"""Ioffe's Bayesian ratings for bridge: four players, two sides, a result on a continuous scale.

A result S, in percent or IMPs, is normal with mean S0 + k·(x1 + x2 - x3 - x4) and standard
deviation σ, the strengths x of the four are normal with means R and deviations s (Ioffe, eq (8) and
(11)). The posterior means are integrals over four dimensions (eq (12)), but everything is Gaussian,
so no integration is needed: with a = (1, 1, -1, -1) and T² = σ² + k²·Σs²

    R'  = R + a·k·s²·(S - ES)/T²,   ES = S0 + k·(R1 + R2 - R3 - R4)   (eq (9) and (10))
    cov = diag(s²) - (a·k·s²)(a·k·s²)ᵀ/T²

The partners share the change in proportion to their variances, so equally if these are equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.bayes import LEAST_SD
from elo_xl.engine.errors import SizeError, choose
from elo_xl.engine.evidence import MOST, within

METHODS: Final = ("closed", "quadrature", "monte carlo")
SIDES: Final = np.array([1.0, 1.0, -1.0, -1.0])
"""North and South play together against East and West."""

OTHERS: Final = 1 - np.eye(4)
RATING_SD: Final = 200.0


@dataclass(frozen=True, slots=True)
class Scale:
    """How ratings become results; each field is one number, or an array with one per result."""

    mean: npt.ArrayLike
    """S0, the expected result of equal sides"""
    slope: npt.ArrayLike
    """k, what a rating point of one player adds to the result"""
    result_sd: npt.ArrayLike
    """σ, the standard deviation of a result given the strengths; infinite: no information"""


SCALES: Final = {"percent": Scale(50.0, 4 / 1500, 6.0), "imp": Scale(0.0, 0.004, 5.0)}
"""S0 and k for percent are Ioffe's; the other numbers are round figures to start with, not
estimates."""


@dataclass(frozen=True, slots=True)
class BridgePosterior:
    """Four players after a result; arrays of the results' shape, with an axis of four added."""

    expected: FloatArray
    """the result expected before it was known; one number per result"""
    rating: FloatArray
    sd: FloatArray
    covariance: FloatArray | None
    """four by four for each result; None unless requested"""
    error: FloatArray | None
    """standard errors of ``rating`` under the method "monte carlo"; otherwise None"""


def bridge(
    ratings: npt.ArrayLike,
    result: npt.ArrayLike,
    rating_sd: npt.ArrayLike = RATING_SD,
    scale: str | Scale = "percent",
    method: str = "closed",
    *,
    covariance: bool = False,
    nodes: int = 24,
    samples: int = 1_000_000,
    seed: int = 0,
) -> BridgePosterior:
    """Means and standard deviations of four players' strengths after one result.

    >>> after = bridge([1600, 1500, 1550, 1450], 58)
    >>> after.rating.round(2).tolist(), after.sd.round(2).tolist()
    ([1622.21, 1522.21, 1527.79, 1427.79], [199.23, 199.23, 199.23, 199.23])
    >>> bridge([1500] * 4, 12, 100, "imp").rating.round(2).tolist()
    [1518.72, 1518.72, 1481.28, 1481.28]

    The last axis of ``ratings`` holds the four players, the first two against the last two, and so
    does that of ``rating_sd`` (or one number for all), in rating points; ``result`` is that of the
    first side. ``scale`` is ``"percent"``, ``"imp"`` or a :class:`Scale` with your own parameters.
    All arrays broadcast.

    Methods: ``"closed"`` is the formula; ``"quadrature"`` and ``"monte carlo"`` compute the
    integrals of eq (12) for comparison, by Gauss-Hermite quadrature with ``nodes``⁴ points and from
    ``samples`` random strengths drawn from the priors and weighted by their likelihoods.
    ``covariance`` asks for the covariance of the four strengths.

    Raises DomainError for deviations not above 0 or above 1,000,000 (result_sd may be infinite) and
    for ratings or results further than that from 0, OptionError for an unknown scale or method,
    SizeError if the last axis is not four players.
    """
    method = choose(method, METHODS, "method")
    r, s, score, levels = _checked(ratings, result, rating_sd, scale)
    if method == "closed":
        expected, rating, sd, gain = _closed(r, s, score, levels)
        spread = None
        if covariance:
            spread = np.eye(4) * (s * s)[..., None] - gain[..., :, None] * gain[..., None, :]
        return BridgePosterior(expected, rating, sd, spread, None)
    points, weight = _grid(nodes) if method == "quadrature" else _sample(samples, seed)
    rating, error = np.empty(r.shape), np.empty(r.shape)
    spread = np.empty((*r.shape, 4))
    for at in np.ndindex(score.shape):  # one by one: each takes a million points anyway
        level = [float(x[at]) for x in (score, *levels)]
        rating[at], spread[at], error[at] = _integrals(r[at], s[at], level, points, weight)
    return BridgePosterior(
        np.asarray(levels[0] + levels[1] * (r @ SIDES)),
        rating,
        np.sqrt(np.diagonal(spread, axis1=-2, axis2=-1)),
        spread if covariance else None,
        error if method == "monte carlo" else None,
    )


def _checked(
    ratings: npt.ArrayLike,
    result: npt.ArrayLike,
    rating_sd: npt.ArrayLike,
    scale: str | Scale,
) -> tuple[FloatArray, FloatArray, FloatArray, list[FloatArray]]:
    """Checked and broadcast: ratings and deviations, with an axis of four; results, S0, k and σ."""
    r, s = np.asarray(ratings, dtype=float), np.asarray(rating_sd, dtype=float)
    if r.shape[-1:] != (4,) or s.shape[-1:] not in ((), (1,), (4,)):
        raise SizeError(f"four players are needed, got ratings {r.shape}, rating_sd {s.shape}")
    within(r, -MOST, MOST, "rating must be within 1,000,000 points of 0")
    within(s, LEAST_SD, MOST, "rating_sd must be above 0 and at most 1,000,000")
    score = np.asarray(result, dtype=float)
    within(score, -MOST, MOST, "result must be within 1,000,000 of 0")
    levels = _levels(scale)
    shape = np.broadcast_shapes(r.shape[:-1], s.shape[:-1], score.shape, *(x.shape for x in levels))
    r, s = np.broadcast_to(r, (*shape, 4)), np.broadcast_to(s, (*shape, 4))
    return r, s, np.broadcast_to(score, shape), [np.broadcast_to(x, shape) for x in levels]


def _levels(scale: str | Scale) -> list[FloatArray]:
    """S0, k and σ of a scale, checked."""
    if isinstance(scale, str):
        scale = SCALES[choose(scale, SCALES, "scale")]
    levels = [np.asarray(x, dtype=float) for x in (scale.mean, scale.slope, scale.result_sd)]
    within(levels[0], -MOST, MOST, "mean must be within 1,000,000 of 0")
    within(levels[1], -MOST, MOST, "slope must be within 1,000,000 of 0")
    within(levels[2], LEAST_SD, math.inf, "result_sd must be above 0")
    return levels


def _closed(
    r: FloatArray, s: FloatArray, score: FloatArray, levels: list[FloatArray]
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Expected result, ratings, deviations, and a·k·s²/T."""
    mean, slope, result_sd = levels
    expected = np.asarray(mean + slope * (r @ SIDES))
    share = (slope[..., None] * s) ** 2
    rest = share @ OTHERS + (result_sd * result_sd)[..., None]
    total = np.sqrt(share[..., 0] + rest[..., 0])
    gain = SIDES * (slope / total)[..., None] * (s * s)
    rating = r + gain * ((score - expected) / total)[..., None]
    return expected, rating, s / np.sqrt(1 + share / rest), gain


def _grid(nodes: int) -> tuple[FloatArray, FloatArray]:
    """Gauss–Hermite nodes in four dimensions, one per row, and their weights."""
    from scipy.special import roots_hermitenorm

    node, weight = roots_hermitenorm(nodes)
    points = np.stack(np.meshgrid(node, node, node, node), axis=-1).reshape(-1, 4)
    weights = np.stack(np.meshgrid(weight, weight, weight, weight), axis=-1).reshape(-1, 4)
    return points, weights.prod(axis=-1)


def _sample(samples: int, seed: int) -> tuple[FloatArray, FloatArray]:
    return np.random.default_rng(seed).standard_normal((samples, 4)), np.ones(samples)


def _integrals(
    r: FloatArray, s: FloatArray, level: list[float], points: FloatArray, weight: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Means and covariances of eq (12), and the means' standard errors for random points."""
    score, mean, slope, result_sd = level
    x = s * points
    off = (score - mean - slope * ((r + x) @ SIDES)) / result_sd
    exponent = off * off / -2
    density = weight * np.exp(exponent - exponent.max())
    density /= density.sum()
    shift = density @ x
    x -= shift
    return r + shift, (x * density[:, None]).T @ x, np.sqrt(density**2 @ x**2)
