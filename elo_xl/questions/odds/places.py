"""The odds of every place: final standings with their probabilities, listed, added up or drawn.

**All outcomes** of the games that are left can be listed while there are some hundred thousands
(:func:`every_outcome`): the odds are exact, tie-breaks included. **Convolution** goes further where
only points count: game by game, outcomes that give everybody the same points become one
(:func:`points_together`). Beyond that outcomes are **drawn** (:func:`drawn`), and the odds have
standard errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.errors import require
from elo_xl.engine.models import IntArray
from elo_xl.engine.rounding import FloatArray

MOST_OUTCOMES: Final = 3**12
"""Outcomes of all games together that are listed."""
MOST_TOTALS: Final = 1 << 20
"""Different points of all players together that a convolution carries along."""
SCORES: Final = np.array((1.0, 0.5, 0.0))
"""The first side's score of the outcomes 0, 1 and 2: won, drawn and lost."""


@dataclass(frozen=True, slots=True)
class Finals:
    """Final standings, each with its probability.

    >>> finals = Finals(np.array([[2, 1, 1.0]]), np.array([[1, 2, 2]]), np.ones(1))
    >>> finals.place(2)[0].tolist()
    [0.0, 0.5, 0.5]
    """

    points: FloatArray
    """of every player at the end, a row a standing"""
    places: IntArray
    """ranks after tie-breaks, as 1, 2, 2, 4: those who stay tied have the first of their places"""
    weights: FloatArray
    """the probability of each standing; all together 1"""
    blocks: int = 0
    """in how many blocks of equal length and weight the standings stand that were drawn
    independently of each other; 0 if all outcomes are there, and the odds exact"""

    def mean(self, values: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """The mean of something by standing and player, and its standard error.

        The error is 0 where the odds are exact, NaN for a single block.
        """
        each = np.asarray(values, dtype=float)
        mean = np.asarray(self.weights @ each)
        if not self.blocks:
            return mean, np.zeros_like(mean)
        if self.blocks == 1:
            return mean, np.full_like(mean, np.nan)
        of_block = each.reshape(self.blocks, -1, each.shape[1]).mean(axis=1)
        return mean, of_block.std(axis=0, ddof=1) / np.sqrt(self.blocks)

    def place(self, number: int) -> tuple[FloatArray, FloatArray]:
        """Everybody's chance of a place, and its standard error; who stays tied draws lots."""
        require(number >= 1, "place must be at least 1", number)
        return self.mean(self._among(number) - self._among(number - 1))

    def among(self, number: int) -> tuple[FloatArray, FloatArray]:
        """Everybody's chance of one of the first places, and its standard error."""
        require(number >= 1, "number of places must be at least 1", number)
        return self.mean(self._among(number))

    def _among(self, number: int) -> FloatArray:
        """The share of the first ``number`` places of which each player is sure in each run."""
        runs, players = self.places.shape
        cell = self.places + np.arange(runs)[:, None] * (players + 1)
        tied = np.bincount(cell.reshape(-1), minlength=runs * (players + 1))[cell]
        return np.asarray(np.clip((number + 1 - self.places) / tied, 0.0, 1.0))


# -- outcomes of games ----------------------------------------------------------------------------


def every_outcome(chances: npt.ArrayLike) -> tuple[IntArray, FloatArray] | None:
    """All outcomes of some games together, a row each, and their probabilities.

    >>> outcomes, weights = every_outcome([[0.5, 0.25, 0.25], [1, 0, 0]])
    >>> outcomes.tolist(), weights.tolist()
    ([[0, 0], [1, 0], [2, 0]], [0.5, 0.25, 0.25])

    ``chances`` are win, draw and loss of each game. Impossible outcomes are left out. Gives None
    where there are more than :data:`MOST_OUTCOMES`.
    """
    p = np.asarray(chances, dtype=float).reshape(-1, 3)
    if (np.log((p > 0).sum(axis=1)).sum()) > np.log(MOST_OUTCOMES) + 1e-9:
        return None
    possible = [np.flatnonzero(game > 0) for game in p]
    grid = np.meshgrid(*possible, indexing="ij")
    outcomes = np.stack([axis.reshape(-1) for axis in grid], axis=1) if possible else _NONE
    weights = p[np.arange(len(p)), outcomes].prod(axis=1)
    return outcomes.astype(np.int64), weights


_NONE: Final = np.zeros((1, 0), dtype=np.int64)


def drawn(chances: npt.ArrayLike, runs: int, random: np.random.Generator) -> IntArray:
    """Outcomes of some games by lot, a row a run.

    >>> drawn([[0, 1, 0], [0, 0, 1]], 2, np.random.default_rng(1)).tolist()
    [[1, 2], [1, 2]]
    """
    p = np.asarray(chances, dtype=float).reshape(-1, 3)
    lot = random.random((runs, len(p)))
    # the last outcome that is possible takes what rounding leaves
    bounds = np.cumsum(p, axis=1)[:, :2]
    bounds[p[:, 2] == 0, 1] = 1.0
    bounds[(p[:, 1:] == 0).all(axis=1), 0] = 1.0
    return np.asarray((lot[:, :, None] >= bounds).sum(axis=2))


# -- points alone ---------------------------------------------------------------------------------


def points_together(
    points: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike, chances: npt.ArrayLike
) -> tuple[FloatArray, FloatArray] | None:
    """The points that all players can have together at the end, a row each, with probabilities.

    >>> totals, weights = points_together([1, 0], [0], [1], [[0.5, 0.25, 0.25]])
    >>> totals.tolist(), weights.tolist()
    ([[2.0, 0.0], [1.5, 0.5], [1.0, 1.0]], [0.5, 0.25, 0.25])

    ``points`` are those that the players have, ``first`` and ``second`` the players of each game
    that is left, counted from 0. It is a convolution: game by game, all that leads to the same
    points of everybody is added up. Gives None where that is more than :data:`MOST_TOTALS` rows.
    """
    begun = np.asarray(points, dtype=float)
    a, b = (np.asarray(side, dtype=np.int64).reshape(-1) for side in (first, second))
    p = np.asarray(chances, dtype=float).reshape(-1, 3)
    left = np.bincount(a, minlength=begun.size) + np.bincount(b, minlength=begun.size)
    # a row is one number, which has a digit for the half points that each player wins
    bases = 2.0 * left + 1
    if np.log2(bases).sum() > 62:
        return None
    digits = np.concatenate([[1], np.cumprod(bases[:-1])]).astype(np.int64)
    states: IntArray = np.zeros(1, dtype=np.int64)
    weights: FloatArray = np.ones(1)
    for one, other, chance in zip(a, b, p, strict=True):
        steps = np.array([2 * digits[one], digits[one] + digits[other], 2 * digits[other]])
        reached = (states[:, None] + steps).reshape(-1)
        states, at = np.unique(reached, return_inverse=True)
        weights = np.asarray(np.bincount(at, (weights[:, None] * chance).reshape(-1)))
        if states.size > MOST_TOTALS:
            return None
    gained = states[:, None] // digits % bases.astype(np.int64)
    return begun + gained / 2, weights
