"""Win, draw and loss: their probabilities, expected points, and the score of a whole match."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import OptionError, choose, require
from elo_xl.engine.models import DIFFERENCE_SD, expected, log_odds, read_model, spread
from elo_xl.engine.quality import SURE
from elo_xl.engine.usual import CURVES

SPLIT: Final = "split"
MARGIN: Final = "margin"
DAVIDSON: Final = "davidson"
RAO_KUPPER: Final = "rao-kupper"

PARAMETERS: Final = {DAVIDSON: 1.0, RAO_KUPPER: 90.0}
"""The draw models that take a parameter after a colon, and the parameter if there is none."""

KINDS: Final = ("exactly", "at least", "at most")
MOST_GAMES: Final = 10_000

# Probabilities computed at a time: the distributions of many long matches do not fit in memory.
BLOCK: Final = 1 << 18


class Draws(NamedTuple):
    """How games are drawn: :func:`read_draws` makes it."""

    kind: str
    """``"split"``, ``"margin"``, ``"davidson"`` or ``"rao-kupper"``"""
    parameter: FloatArray
    """margin in rating points (Rao and Kupper's, too), or Davidson's ν; 0 for ``"split"``"""


def read_draws(draws: str | npt.ArrayLike, model: str) -> Draws:
    """Read what ``draws`` says, and check that the model admits it.

    >>> read_draws("davidson:0.79", "normal").parameter.item()
    0.79

    Raises the errors of :func:`outcomes`.
    """
    model = read_model(model)[0]
    if not isinstance(draws, str):
        choose(model, ("normal", "logistic"), "model with a draw margin")
        margin = np.asarray(draws, dtype=float)
        require(margin >= 0, "draw margin must not be below 0", margin)
        return Draws(MARGIN, margin)
    word, _, text = draws.partition(":")
    kind = choose(word.strip(), (SPLIT, *PARAMETERS), "draws, unless a number,")
    if kind == SPLIT:
        if text.strip():
            raise OptionError(f"split takes no parameter, got {draws!r}")
        return Draws(SPLIT, np.zeros(()))
    choose(model, CURVES, f"model with {kind}")
    try:
        number = float(text) if text.strip() else PARAMETERS[kind]
    except ValueError:
        raise OptionError(f"the parameter of {kind} must be a number, got {draws!r}") from None
    require(0 <= number < math.inf, f"the parameter of {kind} must be a number not below 0", number)
    return Draws(kind, np.asarray(number))


def outcomes(
    difference: npt.ArrayLike,
    draws: str | npt.ArrayLike = SPLIT,
    model: str = "normal",
    sd: npt.ArrayLike | None = None,
) -> FloatArray:
    """Probabilities of win, draw and loss at a rating difference, along a new last axis of 3.

    ``difference`` is in rating points; the home advantage of the first side is simply added to it.
    It broadcasts with a margin that is an array. ``sd``, for the normal model, is that of
    :func:`~elo_xl.engine.models.expected`. With the model's curve F and E = F(d), ``draws``
    is

    ==================== ==========================================================================
    ``"split"``          (default) E², 2E(1-E), (1-E)² (Ioffe, eq (1) and (5))
    a number ε           the draw margin, in rating points: the game is drawn if the two
                         performances differ by less, so P(win) = F(d-ε) and P(loss) = F(-d-ε)
                         (Benítez and Roca, eq (4); on the normal curve Glenn and David's model);
                         models normal and logistic
    ``"davidson:ν"``     P(draw) is ν times the geometric mean of P(win) and P(loss), whose ratio is
                         E/(1-E) (Davidson); ν is 1 if left out, and equal players then draw a third
    ``"rao-kupper:ε"``   P(win) = E/(E + θ(1-E)), where θ = F(ε)/F(-ε) are the odds at a margin of ε
                         points (Rao and Kupper); ε is 90 if left out
    ==================== ==========================================================================

    The last two need a curve, whose odds E/(1-E) are the ratio of the strengths; on the logistic
    curve that is 10^(d/400), as in their papers, and P(win) of Rao and Kupper is again F(d-ε).
    ``"split"`` keeps the expected score, P(win) + P(draw)/2 = E. The others keep it for equal
    players and where there are no draws, and elsewhere give a score nearer to ½.

    Raises OptionError for an unknown model, draws with a model that has none of that kind, or a
    parameter that is not a number; DomainError for a margin or a parameter below 0.
    """
    d = np.asarray(difference, dtype=float)
    kind, parameter = read_draws(draws, model)
    model, scale = read_model(model)
    if sd is not None or scale != 1:
        unit = np.asarray(1 / scale if sd is None else DIFFERENCE_SD / spread(sd, model))
        d, parameter = d * unit, parameter * (1.0 if kind == DAVIDSON else unit)
    if kind == SPLIT:
        own, other = expected(d, model), expected(-d, model)
        return np.stack([own * own, 2 * own * other, other * other], axis=-1)
    if kind == MARGIN:
        win, loss = expected(d - parameter, model), expected(-d - parameter, model)
        # 1 - win - loss, but without cancellation if one side is far ahead
        ahead = np.abs(d)
        draw = expected(parameter - ahead, model) - expected(-parameter - ahead, model)
        return np.stack([win, draw, loss], axis=-1)
    odds = log_odds(d, model)
    if kind == DAVIDSON:
        # in units of the stronger side's strength, so that nothing overflows
        root = np.exp(-np.abs(odds) / 2)
        ahead, tied, behind = np.ones_like(root), parameter * root, root * root
        first = odds >= 0
        parts = [np.where(first, ahead, behind), tied, np.where(first, behind, ahead)]
        return np.asarray(np.stack(parts, axis=-1) / (ahead + tied + behind)[..., None])
    margin = log_odds(parameter, model)
    win, loss = (_share(side - margin) for side in (odds, -odds))
    draw = -np.expm1(-2 * margin) * (_share(margin + odds) * _share(margin - odds))
    return np.stack([win, draw, loss], axis=-1)


def at_expected(expected: FloatArray, draws: str) -> FloatArray:
    """Probabilities of win, draw and loss that make a given expected score: a row for each.

    >>> at_expected(np.array([0.5, 0.7]), "davidson:1").round(3).tolist()
    [[0.333, 0.333, 0.333], [0.554, 0.292, 0.154]]

    ``draws`` is ``"split"``, which makes E², 2E(1-E) and (1-E)², or ``"davidson:ν"``: a draw has ν
    times the geometric mean of the other two. The first is the second with a ν of 2.

    Raises OptionError for other draws, DomainError for a ν below 0 (Davidson).
    """
    choose(draws.partition(":")[0].strip(), (SPLIT, DAVIDSON), "draws of predictions")
    kind, parameter = read_draws(draws, "logistic")
    nu = 2.0 if kind == SPLIT else parameter
    # the ratio of the likelier side is the more exact one
    likelier = np.maximum(expected, 1 - expected)
    x = davidson_ratio(likelier, nu)
    parts = np.stack([x * x, nu * x, np.ones(x.shape)], axis=-1)
    parts /= parts.sum(axis=-1, keepdims=True)
    return np.where((expected >= 0.5)[..., None], parts, parts[..., ::-1])


def davidson_ratio(expected: FloatArray, draw: npt.ArrayLike) -> FloatArray:
    """x, whose square is the ratio of wins and losses with an expected score under Davidson's ν.

    Davidson's expected score (x² + νx/2) / (x² + νx + 1) is the given one, e, where
    (1 - e)·x² + ν·(½ - e)·x - e = 0. Expected scores are cut to 10⁻¹² and 1 - 10⁻¹².

    >>> davidson_ratio(np.array([0.5, 0.9]), 0).round(9).tolist()
    [1.0, 3.0]
    """
    e = expected.clip(SURE, 1 - SURE)
    half = np.asarray(draw) * (e - 0.5) / 2
    return np.asarray((half + np.sqrt(half * half + e * (1 - e))) / (1 - e))


def _share(odds: FloatArray) -> FloatArray:
    """1 / (1 + e^-x) for the logarithm x of odds."""
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-odds)))


def points(
    difference: npt.ArrayLike,
    win: npt.ArrayLike = 3,
    draw: npt.ArrayLike = 1,
    loss: npt.ArrayLike = 0,
    draws: str | npt.ArrayLike = SPLIT,
    model: str = "normal",
    sd: npt.ArrayLike | None = None,
) -> FloatArray:
    """Expected points of a game, with football's 3, 1 and 0 for win, draw and loss by default.

    >>> points(100, draws=50).round(4).item()
    1.8424
    >>> points(100, 1, 0.5, 0).round(4).item()
    0.6382

    ``difference`` is in rating points; ``draws``, ``model`` and ``sd`` are those of
    :func:`outcomes`. All numbers broadcast (Benítez and Roca, problem 7).

    Raises the errors of :func:`outcomes`.
    """
    p = outcomes(difference, draws, model, sd)
    worth = np.stack(
        np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in (win, draw, loss))), -1
    )
    return np.asarray((p * worth).sum(axis=-1))


def match_distribution(probabilities: npt.ArrayLike, games: int) -> FloatArray:
    """Probability of each score 0, ½, 1 … ``games`` in a match of independent games.

    ``probabilities`` holds win, draw and loss of one game along its last axis; the result has
    2·games + 1 numbers there. They are the coefficients of (loss + draw·x + win·x²)^games, by a
    recurrence run from both ends to the middle, so that every term is positive and nothing cancels
    (Benítez and Roca, problem 4). Raises DomainError for games that are not a whole number from 0
    to 10,000.
    """
    n = _whole_games(games)
    p = np.asarray(probabilities, dtype=float)
    low = _half_distribution(p[..., 2], p[..., 1], p[..., 0], n)
    high = _half_distribution(p[..., 0], p[..., 1], p[..., 2], n)
    return np.concatenate([low, high[..., -2::-1]], axis=-1)


def match_probability(
    difference: npt.ArrayLike,
    games: int,
    points: npt.ArrayLike,
    kind: str = "exactly",
    draws: str | npt.ArrayLike = SPLIT,
    model: str = "normal",
    sd: npt.ArrayLike | None = None,
) -> FloatArray:
    """Probability of scoring exactly, at least or at most ``points`` in a match of ``games``.

    ``points`` is a multiple of ½ from 0 to ``games``, and ``games`` a whole number up to 10,000.
    ``draws``, ``model`` and ``sd`` are those of :func:`outcomes`. All arrays broadcast (Benítez and
    Roca, problem 4).

    Raises DomainError for other points or games, OptionError for an unknown kind, and the errors of
    :func:`outcomes`.
    """
    kind = choose(kind, KINDS, "kind")
    n = _whole_games(games)
    half_points = 2 * np.asarray(points, dtype=float)
    possible = (half_points >= 0) & (half_points <= 2 * n) & (half_points % 1 == 0)
    require(possible, f"points must be a multiple of ½ from 0 to {n}", half_points / 2)
    scores = np.arange(2 * n + 1)
    chosen = {"exactly": np.equal, "at least": np.greater_equal, "at most": np.less_equal}[kind]
    split = isinstance(draws, str)
    arrays = np.broadcast_arrays(
        *(np.asarray(difference, dtype=float), half_points, 0.0 if split else draws),
        DIFFERENCE_SD if sd is None else sd,
    )
    ahead, at, margin, width = (array.reshape(-1) for array in arrays)
    result = np.empty(arrays[0].shape)
    flat = result.reshape(-1)
    step = max(BLOCK // scores.size, 1)
    for start in range(0, flat.size, step):
        part = slice(start, start + step)
        wide = None if sd is None else width[part]
        one_game = outcomes(ahead[part], draws if split else margin[part], model, wide)
        counts = chosen(scores, at[part, None])
        flat[part] = (match_distribution(one_game, n) * counts).sum(axis=-1)
    return np.minimum(result, 1.0)


def _whole_games(games: float) -> int:
    require(
        0 <= games <= MOST_GAMES and games % 1 == 0,
        f"games must be a whole number from 0 to {MOST_GAMES}",
        games,
    )
    return int(games)


def _half_distribution(none: FloatArray, half: FloatArray, full: FloatArray, n: int) -> FloatArray:
    """Coefficients 0 to n of (none + half·x + full·x²)^n.

    With q = P^n, the identity P·q' = n·P'·q gives
    none·(k+1)·q[k+1] = (n-k)·half·q[k] + (2n-k+1)·full·q[k-1], all terms positive for k <= n.
    The loop carries r[k] = q[k] / none^(n-k), so that it never divides by a none near zero, and a
    common exponent, because none^n alone may be far below 1e-308.
    """
    none, half, full = np.broadcast_arrays(none, half, full)
    result = np.zeros((*none.shape, n + 1))
    exponents = np.zeros_like(result)
    last, this = np.zeros(none.shape), np.ones(none.shape)
    exponent = np.zeros(none.shape)
    result[..., 0] = this
    for k in range(n):
        last, this = (
            this,
            ((n - k) * half * this + (2 * n - k + 1) * full * none * last) / (k + 1),
        )
        large = np.maximum(this, last)
        scale = np.where((large > 1e100) | ((large < 1e-100) & (large > 0)), large, 1.0)
        this, last, exponent = this / scale, last / scale, exponent + np.log(scale)
        result[..., k + 1], exponents[..., k + 1] = this, exponent
    with np.errstate(divide="ignore"):
        exponents[..., :n] += np.log(none)[..., None] * np.arange(n, 0, -1)
    # in two halves: the factor may be below 1e-308 although the product is not
    result *= np.exp(exponents / 2)
    result *= np.exp(exponents / 2)
    return result
