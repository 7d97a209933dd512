"""How rare a score is: its exact probability, and how many scores were looked at."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import require


def score_distribution(expected: npt.ArrayLike) -> FloatArray:
    """The probabilities of all scores in games with these expected scores, from 0 by half points.

    >>> score_distribution([0.5, 0.5]).tolist()
    [0.0625, 0.25, 0.375, 0.25, 0.0625]

    An expected score E is split into win, draw and loss as E², 2E(1 − E), (1 − E)². Games are
    independent of each other. Raises DomainError for an expected score outside 0 to 1.
    """
    chances: FloatArray = np.asarray(expected, dtype=float).reshape(-1)
    require((chances >= 0) & (chances <= 1), "expected score must be between 0 and 1", chances)
    found: FloatArray = np.ones(1)
    for e in chances:
        found = np.convolve(found, [(1 - e) ** 2, 2 * e * (1 - e), e**2])
    return found


def rarity(expected: npt.ArrayLike, score: float) -> float:
    """The probability of a score as high or higher, or, below what is expected, as low or lower.

    >>> rarity([0.25, 0.25, 0.25], 3), rarity([0.5], 0.5)
    (0.000244140625, 0.75)

    Raises DomainError as :func:`score_distribution`, and for a score outside 0 to the number of
    games.
    """
    chances = score_distribution(expected)
    most = (chances.size - 1) // 2
    require(0 <= score <= most, f"score must be between 0 and {most}", score)
    place = round(2 * score)
    above = score >= float(np.sum(np.asarray(expected, dtype=float)))
    tail = chances[place:] if above else chances[: place + 1]
    return min(float(tail.sum()), 1.0)


def among(chance: float, looked_at: int) -> float:
    """The probability that the rarest of so many scores is as rare as that.

    >>> round(among(0.001, 100), 3)
    0.095
    """
    return float(-np.expm1(looked_at * np.log1p(-min(chance, 1 - 1e-16))))
