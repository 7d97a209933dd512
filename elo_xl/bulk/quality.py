"""How well the ratings before a period predicted its games, by counts that add up exactly."""

from __future__ import annotations

from typing import Final

import numpy as np

from elo_xl.engine.arrays import IntArray
from elo_xl.engine.quality import SURE

STEPS: Final = 1000
"""Into how many parts a point is divided for these figures; FIDE's hundredths are among them."""
_RESULTS: Final = 3

COLUMNS: Final = (
    "period", "low", "high", "games", "expected", "score", "draws", "log_loss", "brier",
)  # fmt: skip
"""The columns of the figures: of each tenth of expected scores, games and means."""


class Quality:
    """How many games with which expected score ended how.

    >>> quality = Quality()
    >>> quality.add(np.array([60, 50]), 100, np.array([2, 1]))
    >>> [row["games"] for row in quality.tenths() if row["games"]]
    [1, 1]
    """

    def __init__(self, counts: list[int] | None = None) -> None:
        size = (STEPS + 1) * _RESULTS
        self.counts = np.zeros(size, np.int64)
        if counts is not None:
            at, number = np.reshape(counts, (2, -1))
            self.counts[at] = number

    def add(self, expected: IntArray, unit: int, halves: IntArray) -> None:
        """Count games by the first player's expected score, in units, and half points."""
        step = (expected * STEPS + unit // 2) // unit if unit < STEPS else _rounded(expected, unit)
        self.counts += np.bincount(step * _RESULTS + halves, minlength=self.counts.size)

    def kept(self) -> list[int]:
        """The counts that are not 0, as a list: first where they stand, then the numbers."""
        at = np.flatnonzero(self.counts)
        return [*at.tolist(), *self.counts[at].tolist()]

    def tenths(self) -> list[dict[str, float]]:
        """The figures of each tenth of the expected scores in which there are games."""
        e = np.repeat(np.arange(STEPS + 1) / STEPS, _RESULTS)
        s = np.tile(np.arange(_RESULTS) / 2, STEPS + 1)
        cut = np.clip(e, SURE, 1 - SURE)
        loss = -(s * np.log(cut) + (1 - s) * np.log(1 - cut))
        tenth = np.minimum(np.repeat(np.arange(STEPS + 1) * 10 // STEPS, _RESULTS), 9)
        rows = []
        for number in range(10):
            own = np.where(tenth == number, self.counts, 0)
            games = int(own.sum())
            if games:
                figures = {"expected": e, "score": s, "draws": s == 0.5, "log_loss": loss,
                           "brier": (s - e) ** 2}  # fmt: skip
                means = {name: float((own * x).sum() / games) for name, x in figures.items()}
                rows.append({"low": number / 10, "high": (number + 1) / 10, "games": games} | means)
        return rows


def _rounded(expected: IntArray, unit: int) -> IntArray:
    # units are powers of two here: a product with 1000 would still fit, but a shift is faster
    return (expected * STEPS + unit // 2) >> (unit.bit_length() - 1)
