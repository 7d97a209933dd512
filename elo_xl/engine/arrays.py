"""Arrays of a common shape."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from elo_xl.engine.rounding import FloatArray


def together(*values: npt.ArrayLike) -> list[FloatArray]:
    """Numbers as arrays of the shape to which they broadcast.

    >>> [a.tolist() for a in together([1, 2], 3)]
    [[1.0, 2.0], [3.0, 3.0]]

    For single numbers, which cells send, NumPy's own way takes longer than most computations.
    Raises ValueError if the shapes do not fit together.
    """
    arrays: list[FloatArray] = [np.asarray(value, dtype=float) for value in values]
    shapes = {array.shape for array in arrays}
    if len(shapes) == 1:
        return arrays
    if {array.size for array in arrays} == {1}:
        shape = max(shapes, key=len)
        return [array.reshape(shape) for array in arrays]
    return list(np.broadcast_arrays(*arrays))


def finite(number: float) -> float | None:
    """A number; None if it is not finite."""
    return float(number) if math.isfinite(number) else None
