"""Rounding as rating rules define it: a half never goes to the even neighbour.

Python's ``round`` and NumPy's ``rint`` give 62 for 62.5 and -2 for -2.5; FIDE gives 63 and -3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

AnyArray = npt.NDArray[Any]
"""An array of numbers, or of any values."""

FloatArray = npt.NDArray[np.float64]

# A half that binary arithmetic leaves slightly too small (0.285 * 100 = 28.499999999999996) still
# counts as a half, as it does in a spreadsheet's ROUND.
HALF = 0.5 + 1e-9


def round_half_away(value: npt.ArrayLike) -> FloatArray:
    """Round to the nearest whole number, halves away from zero (FIDE B.02, 8.3.4).

    >>> round_half_away([0.5, -2.5, 2.49]).tolist()
    [1.0, -3.0, 2.0]
    """
    x = np.asarray(value, dtype=float)
    result: FloatArray = np.copysign(np.floor(np.abs(x) + HALF), x)
    return result


def round_half_up(value: npt.ArrayLike) -> FloatArray:
    """Round to the nearest whole number, halves up (FIDE Title Regulations 1.4.7 b and 1.4.8).

    >>> round_half_up([62.5, -2.5]).tolist()
    [63.0, -2.0]
    """
    result: FloatArray = np.floor(np.asarray(value, dtype=float) + HALF)
    return result
