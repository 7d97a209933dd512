"""The games of a period as arrays: two players by index and the first player's score."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.errors import DomainError, SizeError, by_index, require

BLOCK: Final = 1 << 16
"""Games worked on at a time: their arrays stay in the cache, and the calls do not count."""


def columns(
    first: npt.ArrayLike, second: npt.ArrayLike, score: npt.ArrayLike
) -> tuple[IntArray, IntArray, FloatArray]:
    """Both players and the score of each game as arrays of one length.

    Raises SizeError for other lengths and for players that are not given by index.
    """
    one, two = _indices(first), _indices(second)
    points: FloatArray = np.asarray(score, dtype=float).reshape(-1)
    if not one.size == two.size == points.size:
        raise SizeError(
            f"{one.size} first players, {two.size} second players, {points.size} scores"
        )
    return one, two, points


def different(first: IntArray, second: IntArray, size: int) -> None:
    """Raise SizeError for indices out of range, DomainError for a player paired with themselves."""
    inside(first, size)
    inside(second, size)
    if (first == second).any():
        raise DomainError(f"player {first[first == second][0]} is paired with themselves")


def inside(players: IntArray, size: int) -> None:
    """Raise SizeError for indices out of range."""
    # Read as unsigned, a negative index is a huge one: one pass finds both errors.
    unsigned = players.view(f"u{players.itemsize}")
    if players.size and unsigned.max() >= size:
        wrong = players[(players < 0) | (players >= size)][0]
        raise SizeError(f"player {wrong} is not one of {size}")


def played(
    first: IntArray, second: IntArray, score: FloatArray, size: int
) -> tuple[IntArray, IntArray, FloatArray]:
    """The games that were played, which have a score other than NaN, among ``size`` players.

    Raises SizeError for indices out of range, DomainError for a score outside 0 to 1 or a player
    paired with themselves.
    """
    different(first, second, size)
    # The comparison is also false where there are NaN.
    if not (score.min(initial=0) >= 0 and score.max(initial=1) <= 1):
        known = ~np.isnan(score)
        inside = (score >= 0) & (score <= 1)
        require(inside | ~known, "score must be between 0 and 1", score)
        return first[known], second[known], score[known]
    return first, second, score


def scored(
    first: npt.ArrayLike, second: npt.ArrayLike, score: npt.ArrayLike, size: int
) -> tuple[IntArray, IntArray, FloatArray]:
    """The columns of games among ``size`` players that were won, drawn or lost.

    Raises the errors of :func:`columns` and :func:`played`; DomainError for another score.
    """
    one, two, points = columns(first, second, score)
    require(np.isin(points, (0, 0.5, 1)), "score must be 1, 0.5 or 0", points)
    return played(one, two, points, size)


def rest_of(score: FloatArray, second: FloatArray) -> FloatArray:
    """The second players' scores in the games that were played: what is given, or (NaN) the rest.

    Raises DomainError for one below 0, and for scores that add up to more than 1.
    """
    done = ~np.isnan(score)
    score, second = score[done], second[done]
    known = ~np.isnan(second)
    fine = ~known | ((second >= 0) & (second + score <= 1))
    require(fine, "scores add up to more than 1", second)
    return np.where(known, second, 1 - score)


def half_points(score: AnyArray) -> IntArray | None:
    """Scores as half points; None unless all are 1, 0.5 and 0.

    >>> half_points(np.array([1, 0.5])).tolist(), half_points(np.array([1, np.nan]))
    ([2, 1], None)
    """
    twice = score + score
    with np.errstate(invalid="ignore"):
        halves = twice.astype(np.int8)  # the processor has no fast way to wide integers
    whole = (halves == twice).all() and halves.view(np.uint8).max(initial=0) <= 2
    return halves.astype(np.int64) if whole else None


class Index:
    """The rows of players by their numbers.

    >>> Index(np.array([12, 10, 15])).of(np.array([10, 15, 11, -3])).tolist()
    [1, 2, -1, -1]
    """

    def __init__(self, ids: IntArray) -> None:
        self.low = int(ids.min()) if ids.size else 0
        self.table: npt.NDArray[np.int32] | None = None
        self.order: IntArray | None = None
        span = int(ids.max(initial=self.low)) - self.low + 1
        self.size = ids.size
        self.dense = bool((ids == np.arange(self.low, self.low + ids.size)).all())
        self.once = self.dense
        """whether everybody has a number of their own"""
        if self.dense:
            return
        if span <= 16 * ids.size + BLOCK:
            self.table = np.full(span, -1, np.int32)
            self.table[ids - self.low] = np.arange(ids.size, dtype=np.int32)
            self.once = np.count_nonzero(self.table >= 0) == ids.size
        else:
            self.order = np.argsort(ids)
            self.sorted = ids[self.order]
            self.once = bool((self.sorted[1:] > self.sorted[:-1]).all())

    def of(self, ids: AnyArray) -> IntArray:
        """The rows of some players; -1 for those who are not there."""
        ids = ids.astype(np.int64, copy=False)
        if self.order is not None:
            at = np.searchsorted(self.sorted, ids)
            at[at == self.size] = 0
            return np.where(self.sorted[at] == ids, self.order[at], -1)
        at = ids - self.low
        size = self.size if self.table is None else self.table.size
        if at.size and at.view(np.uint64).max() >= size:
            outside = (at < 0) | (at >= size)
            return np.where(outside, -1, self._within(np.where(outside, 0, at)))
        return self._within(at)

    def _within(self, at: IntArray) -> IntArray:
        return at if self.table is None else self.table.take(at).astype(np.int64)


def _indices(players: npt.ArrayLike) -> IntArray:
    index: IntArray = np.asarray(players).reshape(-1)
    if not index.size:
        return index.astype(np.int64)
    if index.dtype.kind not in "iu":
        raise by_index(index[0])
    return index
