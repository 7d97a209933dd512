"""Elo's rule from game to game: every rating is the one that the game before left.

    change of the first = K·w·(score - E(d))     d = first + home - second
    w = weight / (steepness·d + level)           1 where margins do not count

Games without a common player can be computed at once
(:func:`elo_xl.engine.sequence.grouped`), and with thousands of players most can. With few players a
plain loop is faster than arrays of a handful of games. Both work in units in which
E = (1 + tanh d)/2 or (1 + erf d)/2, so that a game costs one function and a few multiplications and
additions, and both compute the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.models import LOGISTIC_SCALE, RESCALED_SCALE, SD, fide_hundredths
from elo_xl.engine.sequence import CHUNK, grouped
from elo_xl.special import special

FEW_PLAYERS: Final = 400
"""Players up to which the loop is faster."""

WIDE: Final = 30
"""Games of a group, on average, from which arrays are faster than the loop."""

_PART: Final = 1 << 14
"""Games that the loop takes from the arrays at a time."""


class Weights(NamedTuple):
    """What the margin of victory does to each game: the factor weight / (steepness·d + level)."""

    weight: FloatArray
    steepness: FloatArray
    level: FloatArray


def run(
    rating: FloatArray,
    k: float,
    model: str,
    first: IntArray,
    second: IntArray,
    score: FloatArray,
    home: float | FloatArray = 0.0,
    weights: Weights | None = None,
    history: FloatArray | None = None,
) -> None:
    """Rate checked games one after another; ``rating``, one per player, is changed in place.

    >>> rating = np.array([1500.0, 1500.0, 1500.0])
    >>> run(rating, 20, "logistic", np.array([0, 0]), np.array([1, 2]), np.array([1.0, 0.5]))
    >>> rating.round(2).tolist()
    [1509.71, 1490.0, 1500.29]

    ``home`` is one number of points for all games or one for each. ``history``, a row per game,
    receives both ratings after each game.
    """
    unit, function, curve = _curves()[model]
    now, half = rating / unit, k / 2 / unit
    columns: list[AnyArray] = [first, second, (score - 0.5) * (k / unit)]
    more: list[FloatArray] = []
    if weights is not None or history is not None or isinstance(home, np.ndarray):
        more = [np.broadcast_to(np.asarray(home) / unit, score.shape)]
        if weights is not None:
            more += [weights.weight, weights.steepness * unit, weights.level]
    same = 0.0 if more else float(home) / unit
    for start in range(0, score.size, CHUNK):
        part = slice(start, start + CHUNK)
        some, others = [x[part] for x in columns], [x[part] for x in more]
        after = None if history is None else history[part]
        if rating.size > FEW_PLAYERS:
            players = np.stack(some[:2]).T
            order, ends = grouped(players, rating.size, np.zeros(len(players), np.int64))
            # games at once pay only where groups are wide: each group costs some calls of NumPy
            if WIDE * ends.size < order.size:
                some = [x.take(order) for x in some]
                others = [x.take(order) for x in others]
                _in_groups(now, half, curve, some, same, others, ends.tolist(), order, after)
                continue
        if more:
            _loop(now, half, function, some, others, after)
        else:
            _plain_loop(now, half, function, some, same)
    np.multiply(now, unit, out=rating)
    if history is not None:
        history *= unit


def _in_groups(
    now: FloatArray,
    half: float,
    curve: Callable[[FloatArray], FloatArray],
    columns: list[AnyArray],
    home: float,
    more: list[FloatArray],
    ends: list[int],
    order: IntArray,
    history: FloatArray | None,
) -> None:
    first, second, gained = columns
    begin = 0
    for end in ends:
        at = slice(begin, end)
        one, two = first[at], second[at]
        own, other = now.take(one), now.take(two)
        d = own - other
        if more:
            d += more[0][at]
        elif home:
            d += home
        gain = curve(d)
        gain *= half
        np.subtract(gained[at], gain, out=gain)
        if len(more) > 1:
            weight, steepness, level = (x[at] for x in more[1:])
            gain *= weight / (steepness * d + level)
        own += gain
        other -= gain
        now[one] = own
        now[two] = other
        if history is not None:
            history[order[at], 0] = own
            history[order[at], 1] = other
        begin = end


def _plain_loop(
    now: FloatArray,
    half: float,
    curve: Callable[[float], float],
    columns: list[AnyArray],
    home: float,
) -> None:
    ratings = now.tolist()
    for start in range(0, columns[0].size, _PART):
        part = (x[start : start + _PART].tolist() for x in columns)
        for first, second, gained in zip(*part, strict=True):
            own = ratings[first]
            other = ratings[second]
            gain = gained - half * curve(own - other + home)
            ratings[first] = own + gain
            ratings[second] = other - gain
    now[:] = ratings


def _loop(
    now: FloatArray,
    half: float,
    curve: Callable[[float], float],
    columns: list[AnyArray],
    more: list[FloatArray],
    history: FloatArray | None,
) -> None:
    """The loop with an advantage and a margin for each game."""
    ratings = now.tolist()
    none = [np.broadcast_to(x, columns[0].shape) for x in (1.0, 0.0, 1.0)]
    everything = [*columns, *more, *none[len(more) - 1 :]]
    for start in range(0, columns[0].size, _PART):
        part = (x[start : start + _PART].tolist() for x in everything)
        after: tuple[list[float], list[float]] = [], []
        keep_first, keep_second = after[0].append, after[1].append
        for first, second, gained, home, weight, steepness, level in zip(*part, strict=True):
            own, other = ratings[first], ratings[second]
            d = own - other + home
            gain = (gained - half * curve(d)) * weight / (steepness * d + level)
            ratings[first] = own = own + gain
            ratings[second] = other = other - gain
            keep_first(own)
            keep_second(other)
        if history is not None:
            history[start : start + _PART].T[:] = after
    now[:] = ratings


@cache
def _curves() -> dict[
    str, tuple[float, Callable[[float], float], Callable[[FloatArray], FloatArray]]
]:
    """For each model a unit in points, and a function of a number and one of an array, so that
    E(d) = (1 + function(d / unit)) / 2."""

    def fide(d: FloatArray) -> FloatArray:
        return fide_hundredths(d) / 50 - 1

    def fide_of_one(d: float) -> float:
        return float(fide(np.asarray(d)))

    return {
        "normal": (2 * SD, math.erf, special("erf")),
        "logistic": (2 * LOGISTIC_SCALE, math.tanh, np.tanh),
        "rescaled": (2 * RESCALED_SCALE, math.tanh, np.tanh),
        "fide": (1.0, fide_of_one, fide),
    }
