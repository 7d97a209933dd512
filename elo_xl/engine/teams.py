"""Even sides: players divided so that the sides are as strong as each other."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import IntArray
from elo_xl.engine.errors import DomainError, require

ALL_WAYS: Final = 16
"""Players up to whom all ways to make two sides are tried."""
MOST_SWAPS: Final = 50


def even_sides(rating: npt.ArrayLike, sides: int = 2) -> IntArray:
    """The number of each player's side, from 0, so that the sides are even.

    >>> even_sides([1500, 1400, 1300, 1200]).tolist()
    [0, 1, 1, 0]

    The sides have the same number of players, or differ by one, and their means differ as little as
    can be. For two sides of up to 16 players together that is the best of all ways; otherwise
    players are dealt to and fro from the strongest on, and then the two are swapped who help most,
    as long as a swap helps. Of equally even ways the first one counts, where players stand by their
    rating. The strongest player is on the side 0.

    Raises DomainError for less than one player a side, less than two sides, or a rating that is not
    finite.
    """
    own = np.asarray(rating, dtype=float)
    require(np.isfinite(own), "rating must be finite", own)
    if not 2 <= sides <= own.size:
        raise DomainError(f"{own.size} players cannot be {sides} sides of at least one player")
    order = np.argsort(-own, kind="stable")
    ranked = own[order]
    best = _of_all(ranked) if sides == 2 and own.size <= ALL_WAYS else _by_swaps(ranked, sides)
    side = np.empty(own.size, np.int64)
    side[order] = best
    return side


def _of_all(rating: npt.NDArray[np.float64]) -> IntArray:
    """The best of all ways; the first player is on the side 0."""
    n = rating.size
    ways = np.arange(2 ** (n - 1))[:, None] >> np.arange(n - 1) & 1
    other = ways.sum(axis=1)
    mine = rating[0] + (1 - ways) @ rating[1:]
    gap = np.abs(other * mine - (n - other) * (ways @ rating[1:])).round(6)
    gap[np.abs(n - 2 * other) > 1] = np.inf
    return np.append(0, ways[np.argmin(gap)]).astype(np.int64)


def _by_swaps(rating: npt.NDArray[np.float64], sides: int) -> IntArray:
    """Dealt to and fro, then made more even by swaps of two players.

    The sum over the sides of total²/size is least where the means are nearest to each other.
    """
    turn, seat = np.divmod(np.arange(rating.size), sides)
    side = np.where(turn % 2, sides - 1 - seat, seat)
    size = np.bincount(side).astype(float)
    for _ in range(MOST_SWAPS):
        total = np.bincount(side, rating)
        own, held = total[side], size[side]
        more = rating[None, :] - rating[:, None]  # what i's side gains for j
        gain = ((2 * own[:, None] + more) * more) / held[:, None]
        gain = (gain + gain.T).round(6)
        gain[side[:, None] == side] = 0
        i, j = np.unravel_index(np.argmin(gain), gain.shape)
        if gain[i, j] >= 0:
            break
        side[[i, j]] = side[[j, i]]
    return np.where(side == side[0], 0, np.where(side == 0, side[0], side))
