"""Arrays of a common shape."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.rounding import FloatArray

_SINGLE: Final = {(), (1,)}


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
    if shapes == _SINGLE:
        return [array.reshape(1) for array in arrays]
    return list(np.broadcast_arrays(*arrays))


def negative(values: FloatArray) -> bool:
    """Whether any number is below 0.

    >>> negative(np.array([1.0, -2.0])), negative(np.array([np.nan]))
    (True, False)
    """
    return bool(values.item() < 0 if values.size == 1 else np.count_nonzero(values < 0))


def unknown(values: FloatArray) -> int:
    """How many numbers are not known, but NaN.

    >>> unknown(np.array([np.nan, 1.0])), unknown(np.array([1.0]))
    (1, 0)
    """
    if values.size == 1:
        return int(math.isnan(values.item()))
    return int(np.count_nonzero(np.isnan(values)))


def finite(number: float) -> float | None:
    """A number; None if it is not finite."""
    return float(number) if math.isfinite(number) else None
