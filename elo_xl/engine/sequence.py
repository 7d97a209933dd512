"""Games rated one after another, but those without a common player at the same time.

A filter carries each player's rating from one game into the next. Games of different players can
be computed together: a round of a tournament, the tables of a bridge evening.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from elo_xl.engine.errors import DomainError, SizeError, quoted
from elo_xl.engine.models import IntArray
from elo_xl.engine.rounding import FloatArray


def seats(players: npt.ArrayLike, size: int, games: int) -> IntArray:
    """Check the players of each game: one row of indices per game, for ``size`` players.

    Raises SizeError for values that are not indices, indices out of range, and a number of rows
    other than ``games``; DomainError for a player paired with themselves.
    """
    index = np.asarray(players)
    if index.size and index.dtype.kind not in "iu":
        raise SizeError(f"players of a game are given by index, got {quoted(index.flat[0])}")
    if index.shape[0] != games:
        raise SizeError(f"players of {index.shape[0]} games for {games} results")
    index = index.astype(np.int64)
    wrong = index[(index < 0) | (index >= size)]
    if wrong.size:
        raise SizeError(f"player {wrong[0]} is not one of {size}")
    ordered = np.sort(index, axis=1)
    twice = ordered[:, 1:][ordered[:, 1:] == ordered[:, :-1]]
    if twice.size:
        raise DomainError(f"player {twice[0]} is paired with themselves")
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
    number = _periods(period, len(players))
    begins = set(np.flatnonzero(np.diff(number, prepend=number[:1])).tolist())
    free = [0] * size  # the first wave in which each player has no game yet
    wave = []
    last = 0
    for game, row in enumerate(players.tolist()):
        if game in begins:
            free = [last] * size
        now = max([free[player] for player in row])
        wave.append(now)
        for player in row:
            free[player] = now + 1
        last = max(last, now + 1)
    order = np.argsort(wave, kind="stable")
    before = number[:1]
    for games in np.split(order, np.cumsum(np.bincount(wave))[:-1] if wave else []):
        if games.size:
            yield int(number[games[0]] - before[0]), games
            before = number[games]


def _periods(period: npt.ArrayLike | None, games: int) -> IntArray:
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
