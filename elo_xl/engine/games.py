"""The games of a period as arrays: two players by index and the first player's score."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from elo_xl.engine.errors import DomainError, SizeError, by_index, require
from elo_xl.engine.models import IntArray
from elo_xl.engine.rounding import FloatArray


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


def played(
    first: IntArray, second: IntArray, score: FloatArray, size: int
) -> tuple[IntArray, IntArray, FloatArray]:
    """The games that were played, which have a score other than NaN, among ``size`` players.

    Raises SizeError for indices out of range, DomainError for a score outside 0 to 1 or a player
    paired with themselves.
    """
    for players in (first, second):
        # Read as unsigned, a negative index is a huge one: one pass finds both errors.
        unsigned = players.view(f"u{players.itemsize}")
        if players.size and unsigned.max() >= size:
            wrong = players[(players < 0) | (players >= size)][0]
            raise SizeError(f"player {wrong} is not one of {size}")
    if (first == second).any():
        raise DomainError(f"player {first[first == second][0]} is paired with themselves")
    # The comparison is also false where there are NaN.
    if not (score.min(initial=0) >= 0 and score.max(initial=1) <= 1):
        known = ~np.isnan(score)
        inside = (score >= 0) & (score <= 1)
        require(inside | ~known, "score must be between 0 and 1", score)
        return first[known], second[known], score[known]
    return first, second, score


def _indices(players: npt.ArrayLike) -> IntArray:
    index: IntArray = np.asarray(players).reshape(-1)
    if not index.size:
        return index.astype(np.int64)
    if index.dtype.kind not in "iu":
        raise by_index(index[0])
    return index
