"""Games rated one after another, but those without a common player at the same time.

A filter carries each player's rating from one game into the next. Games of different players can
be computed together: a round of a tournament, the tables of a bridge evening.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import DomainError, SizeError, by_index, quoted

_FEW: Final = 1 << 14
"""Games up to which one block is the fastest."""

CHUNK, _BLOCK, _ROWS = 1 << 20, 1 << 11, 1 << 12
"""Games that are grouped at a time, games of a block, rows of its table of players."""


def seats(players: npt.ArrayLike, size: int, games: int) -> IntArray:
    """Check the players of each game: one row of indices per game, for ``size`` players.

    Raises SizeError for values that are not indices, indices out of range, and a number of rows
    other than ``games``; DomainError for a player paired with themselves.
    """
    index = np.asarray(players)
    if index.size and index.dtype.kind not in "iu":
        raise by_index(index.flat[0])
    if index.shape[0] != games:
        raise SizeError(f"players of {index.shape[0]} games for {games} results")
    if index.size and not (index.min() >= 0 and index.max() < size):
        raise SizeError(f"player {index[(index < 0) | (index >= size)][0]} is not one of {size}")
    index = index.astype(np.int64, copy=False)
    for one, two in combinations(index.T, 2):
        if (one == two).any():
            raise DomainError(f"player {one[one == two][0]} is paired with themselves")
    return index


def waves(
    players: IntArray, size: int, period: npt.ArrayLike | None = None
) -> Iterator[tuple[int, IntArray]]:
    """Group games that can be computed at once, without changing what their order gives.

    >>> players = np.array([[0, 1], [2, 3], [0, 2]])
    >>> [(gap, games.tolist()) for gap, games in waves(players, 4)]
    [(0, [0, 1]), (0, [2])]

    ``period`` numbers the rating period of each game; each group comes with the number of periods
    since the group before it. Raises SizeError for periods that are not whole numbers, that are not
    one per game, or that run backwards.
    """
    number = periods(period, len(players))
    before = number[:1]
    for start in range(0, len(players), CHUNK):
        part = slice(start, start + CHUNK)
        order, ends = grouped(players[part], size, number[part])
        order += start
        of_group = number[order[ends - 1]]
        gaps = np.diff(of_group, prepend=before)
        before = of_group[-1:]
        yield from zip(gaps.tolist(), np.split(order, ends[:-1]), strict=True)


def grouped(players: IntArray, size: int, number: IntArray) -> tuple[IntArray, IntArray]:
    """Games in an order in which groups stand together, and where each group ends.

    >>> order, ends = grouped(np.array([[0, 1], [2, 3], [0, 2]]), 4, np.zeros(3, np.int64))
    >>> order.tolist(), ends.tolist()
    ([0, 1, 2], [2, 3])

    ``number`` is the checked period of each game; the other arguments are those of :func:`waves`.
    """
    games = len(players)
    new = np.flatnonzero(number[1:] != number[:-1]) + 1
    wait = _wait(players, size, new) if games < _FEW else _wait_in_blocks(players, size, new)
    blocks, block = wait.shape
    order = np.argsort(wait, axis=1, kind="stable")
    ordered = np.take_along_axis(wait, order, axis=1)
    ends = np.ones(wait.shape, bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=ends[:, :-1])
    ends.reshape(-1)[games - 1] = True
    order += block * np.arange(blocks)[:, None]
    return order.reshape(-1)[:games], np.flatnonzero(ends.reshape(-1)[:games]) + 1


def _wait(players: IntArray, size: int, new: IntArray) -> npt.NDArray[np.uint8 | np.uint16]:
    """For how many groups each game waits; all games are one block."""
    begins = set(new.tolist())
    free = [0] * size  # the first group in which each player has no game yet
    wait = []
    least = last = 0
    for game, row in enumerate(players.tolist()):
        if game in begins:
            least = last
        now = max(least, *[free[player] for player in row])
        wait.append(now)
        for player in row:
            free[player] = now + 1
        last = max(last, now + 1)
    return np.array(wait, np.uint16)[None]


def _wait_in_blocks(
    players: IntArray, size: int, new: IntArray
) -> npt.NDArray[np.uint8 | np.uint16]:
    """For how many groups of its block each game waits: a row a block.

    The loop goes through the games of all blocks side by side. Players whose numbers agree modulo
    the rows of the table wait for each other as well, so that the table stays small. What fills the
    last block waits longest.
    """
    games, seats_of_game = players.shape
    blocks, rest = -(-games // _BLOCK), -games % _BLOCK
    rows = min(size, _ROWS)
    own = players if size <= rows else players % rows
    at = np.empty((_BLOCK, seats_of_game, blocks), np.int32)
    whole = own[: games // _BLOCK * _BLOCK].reshape(-1, _BLOCK, seats_of_game)
    at.transpose(2, 0, 1)[: len(whole)] = whole
    if rest:
        at[:, :, -1] = rows  # a row that nobody has
        at[: _BLOCK - rest, :, -1] = own[len(whole) * _BLOCK :]
    at *= blocks
    at += np.arange(blocks, dtype=np.int32)
    free = np.zeros((rows + 1) * blocks, np.uint16)
    wait = np.empty((_BLOCK, blocks), np.uint16)
    begins = np.zeros((_BLOCK, blocks), bool)
    begins[new % _BLOCK, new // _BLOCK] = True
    least = last = np.zeros(blocks, np.uint16)
    for row, now, begin in zip(at, wait, begins, strict=True):
        np.maximum.reduce(free.take(row), axis=0, out=now)
        if new.size:
            least = np.where(begin, last, least)
            np.maximum(now, least, out=now)
            last = np.maximum(last, now + 1)
        free[row] = now + 1
    if rest:
        wait[-rest:, -1] = wait.max() + 1
    return np.ascontiguousarray(wait.T, np.uint8 if wait.max() < 256 else np.uint16)


def periods(period: npt.ArrayLike | None, games: int) -> IntArray:
    """The number of each game's period, checked: whole numbers that do not run backwards."""
    if period is None:
        return np.zeros(games, np.int64)
    number = np.asarray(period)
    if number.size and number.dtype.kind not in "iu":
        raise SizeError(f"a period is a whole number, got {quoted(number.flat[0])}")
    if number.shape != (games,):
        raise SizeError(f"{number.size} periods for {games} games")
    number = number.astype(np.int64)
    back = np.flatnonzero(np.diff(number) < 0)
    if back.size:
        raise SizeError(f"period {number[back[0] + 1]} comes after period {number[back[0]]}")
    return number


def grown(sd: FloatArray, growth: FloatArray, periods: int) -> FloatArray:
    """Deviations after a number of periods: variances grow by ``growth``² per period."""
    return np.asarray(np.sqrt(sd * sd + periods * growth * growth)) if periods else sd
