"""The probabilities from which the engine's posteriors follow, by themselves."""

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.evidence import in_blocks, prepare


def probability(difference: npt.ArrayLike, variance: float, score: npt.ArrayLike) -> FloatArray:
    """The probability of results between players of whom only a normal difference is known."""
    methods, scores = prepare(score, "split", "normal")
    numbers = [np.asarray(difference, dtype=float), np.asarray(variance, dtype=float)]
    return in_blocks(lambda parts, *given: parts(*given), methods, [*numbers, *scores], 3)[0]
