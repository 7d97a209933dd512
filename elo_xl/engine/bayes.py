"""Ioffe's Bayesian ratings for chess and bridge: ratings that carry their own uncertainty.

A player's strength is a normal variable: the rating is its mean, and a standard deviation says how
well it is known. After a game Bayes' formula gives both players' new means and deviations; no K
factor is needed. For small deviations the change is Elo's linear rule on the logistic curve, with
K = σ²·ln 10/200.

The result depends only on the difference d of the two strengths (:mod:`elo_xl.engine.evidence`), so
that with d's mean m = A - B, variance v = σA² + σB² and the probability Z(m) of the result

    A' = A + σA²·(log Z)'       σA'² = σA²·(1 + σA²·(log Z)'')
    B' = B - σB²·(log Z)'       σB'² = σB²·(1 + σB²·(log Z)'')

The two strengths are slightly correlated afterwards; like Ioffe's scheme, this module ignores that
when a player meets the next opponent.

Bridge has four players, two sides, and a result S on a continuous scale, in percent or IMPs. It is
normal with mean S0 + k·(x1 + x2 - x3 - x4) and standard deviation σ, the strengths x of the four
are normal with means R and deviations s (Ioffe, eq (8) and (11)). The posterior means are integrals
over four dimensions (eq (12)), but everything is Gaussian, so no integration is needed: with
a = (1, 1, -1, -1) and T² = σ² + k²·Σs²

    R'  = R + a·k·s²·(S - ES)/T²,   ES = S0 + k·(R1 + R2 - R3 - R4)   (eq (9) and (10))
    cov = diag(s²) - (a·k·s²)(a·k·s²)ᵀ/T²

The partners share the change in proportion to their variances, so equally if these are equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import SizeError, choose
from elo_xl.engine.evidence import MOST, Parts, in_blocks, into, prepare, within
from elo_xl.engine.outcomes import SPLIT
from elo_xl.engine.sequence import grown, seats, waves
from elo_xl.public import own

LEAST_SD: Final = 1e-9
"""The smallest deviation, in points: small, but its square is still a positive number."""

LEAST_ESTIMATE, MOST_ESTIMATE = 1.0, 2000.0
"""The deviations, in points, between which :func:`estimate_sd` searches."""


@dataclass(frozen=True, slots=True)
class Posterior:
    """Both players after a game; every field is an array with one number per game."""

    probability: FloatArray
    """probability of the result, before the game"""
    rating: FloatArray
    opponent: FloatArray
    sd: FloatArray
    opponent_sd: FloatArray


def posterior(
    rating: npt.ArrayLike,
    opponent: npt.ArrayLike,
    score: npt.ArrayLike,
    sd: npt.ArrayLike,
    opponent_sd: npt.ArrayLike | None = None,
    draws: str | npt.ArrayLike = SPLIT,
    model: str = "normal",
) -> Posterior:
    """Means and standard deviations of both players' strengths after one game.

    ``draws`` and ``model`` are those of :func:`~elo_xl.engine.outcomes.outcomes`, but "davidson"
    and "rao-kupper" need a logistic curve. All arrays broadcast (Ioffe; eq (1) and (5) are the
    probabilities of win, draw and loss).

    Args:
        rating, opponent: The ratings of the two players before the game, in points.
        score: The first player's score: 1, 0.5 or 0.
        sd: The standard deviation of the first player's rating before the game, in points.
        opponent_sd: That of the opponent's; the same if it is blank.
    Raises:
        DomainError: For any other score, a deviation not above 0 or above 1,000,000, a rating
            further than that from 0, and a draw with a draw margin or a ν of 0.
        OptionError: For an unknown model, or draws with a model that has none of that kind.
    """
    own, other, deviation = (np.asarray(x, dtype=float) for x in (rating, opponent, sd))
    within(own, -MOST, MOST, "rating must be within 1,000,000 points of 0")
    within(other, -MOST, MOST, "opponent must be within 1,000,000 points of 0")
    within(deviation, LEAST_SD, MOST, "sd must be above 0 and at most 1,000,000")
    second = deviation
    if opponent_sd is not None:
        second = np.asarray(opponent_sd, dtype=float)
        within(second, LEAST_SD, MOST, "opponent_sd must be above 0 and at most 1,000,000")
    methods, rest = prepare(score, draws, model)
    return Posterior(*in_blocks(_update, methods, [own, other, deviation, second, *rest], 5))


def _update(
    parts: Callable[..., Parts],
    own: FloatArray,
    other: FloatArray,
    sd: FloatArray,
    opponent_sd: FloatArray,
    *rest: FloatArray,
) -> tuple[FloatArray, ...]:
    v, w = sd * sd, opponent_sd * opponent_sd
    probability, slope, curvature = parts(own - other, v + w, *rest)
    gained = own + v * slope
    slope *= w
    lost = into(slope, np.subtract, other, slope)
    after = []
    for variance, deviation in ((v, sd), (w, opponent_sd)):
        variance *= curvature
        left = into(variance, np.subtract, 1, variance)
        left = into(left, np.sqrt, left)
        left *= deviation
        after.append(left)
    return probability, gained, lost, *after


@dataclass(frozen=True, slots=True)
class BayesSequence:
    """The players after a sequence of games, and each game on the way."""

    rating: FloatArray
    """ratings after the last game, one per player"""
    sd: FloatArray
    """standard deviations after the last game, one per player"""
    games: Posterior
    """both players right after each game, in the order given"""


def rate_sequence(
    ratings: npt.ArrayLike,
    sd: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    score: npt.ArrayLike,
    draws: str | npt.ArrayLike = SPLIT,
    model: str = "normal",
    *,
    growth: npt.ArrayLike = 0.0,
    period: npt.ArrayLike | None = None,
) -> BayesSequence:
    """Rate games one after another, carrying each player's rating and deviation into the next game.

    >>> s = rate_sequence([1600, 1500, 1550], 100, [0, 0], [1, 2], [1, 0.5])
    >>> s.rating.round(1).tolist(), s.sd.round(1).tolist()
    ([1625.3, 1465.5, 1560.2], [89.7, 95.1, 93.8])

    ``ratings`` and ``sd`` (one per player, or one for all) are those before the first game;
    ``first`` and ``second`` are the indices of the two players of each game, and ``score`` is the
    first player's: 1, 0.5 or 0. ``draws`` and ``model`` are those of :func:`posterior`; a margin
    may be an array with one number per game.

    Strengths change with time, so that ratings become less certain. ``period`` numbers the rating
    period of each game with whole numbers in ascending order. Before a player's game sd² grows by
    ``growth``² (in points) for each period since their latest game. So nobody's deviation depends
    on when others played.

    Raises the errors of :func:`posterior`; SizeError for indices out of range, lists of different
    lengths or periods that run backwards; DomainError for a player paired with themselves or a
    growth below 0.
    """
    rating = np.array(ratings, dtype=float).reshape(-1)
    own = np.array(np.broadcast_to(np.asarray(sd, dtype=float), rating.shape))
    more = np.asarray(growth, dtype=float)
    within(rating, -MOST, MOST, "rating must be within 1,000,000 points of 0")
    within(own, LEAST_SD, MOST, "sd must be above 0 and at most 1,000,000")
    within(more, 0.0, MOST, "growth must not be below 0")
    methods, rest = prepare(score, draws, model)
    games = rest[0].size
    sides = [np.asarray(x).reshape(-1) for x in (first, second)]
    if sides[0].size != sides[1].size:
        raise SizeError(f"{sides[0].size} first players, {sides[1].size} second players")
    players = seats(np.stack(sides, axis=1), rating.size, games)
    rest = [np.broadcast_to(x, games) for x in rest]
    history = np.empty((5, games))
    latest = np.full(rating.shape, np.nan)
    more = np.broadcast_to(more, rating.shape)
    moving = bool(more.any())
    for number, at in waves(players, rating.size, period):
        if moving:
            both = players[at]
            ago = np.nan_to_num(number - latest[both])
            own[both] = grown(own[both], more[both], ago)
            latest[both] = number
        one, two = players[at].T
        given = [rating[one], rating[two], own[one], own[two], *[x[at] for x in rest]]
        history[:, at] = in_blocks(_update, methods, given, 5)
        _, rating[one], rating[two], own[one], own[two] = history[:, at]
    return BayesSequence(rating, own, Posterior(*history))


@dataclass(frozen=True, slots=True)
class SdEstimate:
    """The standard deviation that makes past games most probable, in rating points."""

    sd: float
    """the estimate"""
    standard_error: float
    """infinite if ``sd`` is 0"""


def estimate_sd(
    ratings: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    score: npt.ArrayLike,
    draws: str | npt.ArrayLike = SPLIT,
    model: str = "normal",
) -> SdEstimate:
    """Estimate the standard deviation of initial ratings from past games by maximum likelihood.

    Arguments are those of :func:`rate_sequence`. All players begin with the same deviation, and the
    likelihood is the product of the probabilities of the results, each given the results before it.
    The standard error comes from the curvature of the likelihood at its maximum. The deviation is 0
    if the games are no more surprising than with exact ratings.

    Raises the errors of :func:`rate_sequence`, and SizeError if the games set no upper bound.
    """
    from scipy.optimize import minimize_scalar

    def surprise(log_sd: float) -> float:
        games = rate_sequence(ratings, math.exp(log_sd), first, second, score, draws, model).games
        return -float(np.log(np.maximum(games.probability, 5e-324)).sum())

    logs = np.linspace(math.log(LEAST_ESTIMATE), math.log(MOST_ESTIMATE), 25)
    best = int(np.argmin([surprise(x) for x in logs]))
    if best == 0:
        return SdEstimate(0.0, math.inf)
    if best == logs.size - 1:
        games = np.asarray(score).size
        raise SizeError(f"{games} games are too few to tell how well ratings are known")
    found = minimize_scalar(
        surprise, bounds=(logs[best - 1], logs[best + 1]), method="bounded", options={"xatol": 1e-7}
    )
    top, h = float(found.x), 1e-3
    bend = (surprise(top + h) - 2 * surprise(top) + surprise(top - h)) / h**2
    sd = math.exp(top)
    return SdEstimate(sd, sd / math.sqrt(bend) if bend > 0 else math.inf)


# -- bridge --------------------------------------------------------------------------------------

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


def bridge(
    ratings: npt.ArrayLike,
    result: npt.ArrayLike,
    rating_sd: npt.ArrayLike = RATING_SD,
    scale: str | Scale = "percent",
    method: str = "closed",
    *,
    samples: int = 1_000_000,
    seed: int = 0,
) -> BridgePosterior:
    """Means and standard deviations of four players' strengths after one result.

    The last axis of ``ratings`` holds the four players, the first two against the last two, and so
    does that of ``rating_sd`` (or one number for all); ``result`` is that of the first two. All
    arrays broadcast.

    Args:
        scale (str or Scale, default "percent"): What a result is: ``"percent"``, ``"imp"``, or a
            :class:`~elo_xl.engine.bayes.Scale`.
        method: ``"closed"`` is the formula; ``"quadrature"`` and ``"monte carlo"`` work out Ioffe's
            integrals, as he does, for comparison.
        samples, seed (int, default 1,000,000 and 0): How many random strengths are drawn for
            ``"monte carlo"``, and what they begin with.
    Raises:
        DomainError: For deviations not above 0 or above 1,000,000 (that of a result may be
            infinite), and for ratings or results further than that from 0.
        OptionError: For an unknown scale or method.
        SizeError: For other than four players.
    """
    method = choose(method, METHODS, "method")
    r, s, score, levels = _checked(ratings, result, rating_sd, scale)
    if method == "closed":
        return _closed(r, s, score, levels)
    points, weight = _grid() if method == "quadrature" else _sample(samples, seed)
    rating, sd = np.empty(r.shape), np.empty(r.shape)
    for at in np.ndindex(score.shape):  # one by one: each takes a million points anyway
        level = [float(x[at]) for x in (score, *levels)]
        rating[at], sd[at] = _integrals(r[at], s[at], level, points, weight)
    return BridgePosterior(np.asarray(levels[0] + levels[1] * (r @ SIDES)), rating, sd)


def _checked(
    ratings: npt.ArrayLike, result: npt.ArrayLike, rating_sd: npt.ArrayLike, scale: str | Scale
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
) -> BridgePosterior:
    """By the formula, with a·k·s²/T as ``gain``."""
    mean, slope, result_sd = levels
    expected = np.asarray(mean + slope * (r @ SIDES))
    share = (slope[..., None] * s) ** 2
    rest = share @ OTHERS + (result_sd * result_sd)[..., None]
    total = np.sqrt(share[..., 0] + rest[..., 0])
    gain = SIDES * (slope / total)[..., None] * (s * s)
    rating = r + gain * ((score - expected) / total)[..., None]
    return BridgePosterior(expected, rating, s / np.sqrt(1 + share / rest))


def _grid() -> tuple[FloatArray, FloatArray]:
    """Gauss–Hermite nodes in four dimensions, one per row, and their weights."""
    from scipy.special import roots_hermitenorm

    node, weight = roots_hermitenorm(24)
    points = np.stack(np.meshgrid(node, node, node, node), axis=-1).reshape(-1, 4)
    weights = np.stack(np.meshgrid(weight, weight, weight, weight), axis=-1).reshape(-1, 4)
    return points, weights.prod(axis=-1)


def _sample(samples: int, seed: int) -> tuple[FloatArray, FloatArray]:
    return np.random.default_rng(seed).standard_normal((samples, 4)), np.ones(samples)


def _integrals(
    r: FloatArray, s: FloatArray, level: list[float], points: FloatArray, weight: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Means and standard deviations of eq (12)."""
    score, mean, slope, result_sd = level
    x = s * points
    off = (score - mean - slope * ((r + x) @ SIDES)) / result_sd
    exponent = off * off / -2
    density = weight * np.exp(exponent - exponent.max())
    density /= density.sum()
    shift = density @ x
    x -= shift
    return r + shift, np.sqrt(density @ x**2)


own(vars())
