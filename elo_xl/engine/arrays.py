"""Arrays: their types, their common shape, and rounding as rating rules define it.

A half never goes to the even neighbour. Python's ``round`` and NumPy's ``rint`` give 62 for 62.5
and -2 for -2.5; FIDE gives 63 and -3.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

AnyArray = npt.NDArray[Any]
"""An array of numbers, or of any values."""

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

# A half that binary arithmetic leaves slightly too small (0.285 * 100 = 28.499999999999996) still
# counts as a half, as it does in a spreadsheet's ROUND.
HALF = 0.5 + 1e-9

_SINGLE: Final = {(), (1,)}


def round_half_away(value: npt.ArrayLike) -> FloatArray:
    """Round to the nearest whole number, halves away from zero (FIDE B.02, 8.3.4)."""
    x = np.asarray(value, dtype=float)
    result: FloatArray = np.copysign(np.floor(np.abs(x) + HALF), x)
    return result


def round_half_up(value: npt.ArrayLike) -> FloatArray:
    """Round to the nearest whole number, halves up (FIDE Title Regulations 1.4.7 b and 1.4.8)."""
    result: FloatArray = np.floor(np.asarray(value, dtype=float) + HALF)
    return result


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
