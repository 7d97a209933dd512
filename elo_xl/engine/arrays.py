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
    shapes = [array.shape for array in arrays]
    shape = max(shapes, key=len)
    if shapes.count(shape) == len(shapes):
        return arrays
    if all(array.size == 1 for array in arrays):
        return [array if array.shape == shape else array.reshape(shape) for array in arrays]
    return list(np.broadcast_arrays(*arrays))


def negative(values: FloatArray) -> bool:
    """Whether any number is below 0.

    >>> negative(np.array([1.0, -2.0])), negative(np.array([np.nan]))
    (True, False)
    """
    return bool(values.item() < 0 if values.size == 1 else np.count_nonzero(values < 0))


def finite(number: float) -> float | None:
    """A number; None if it is not finite."""
    return float(number) if math.isfinite(number) else None
