"""What commands offer before they compute anything: the names of curves and margins, usual numbers.

It stands apart so that the help of a command loads no NumPy.
"""

from __future__ import annotations

from typing import Final

MODELS: Final = ("normal", "logistic", "rescaled", "fide")
CURVES: Final = ("normal", "logistic", "rescaled")
MARGINS: Final = ("log", "goals")
"""What the option ``margin`` of Elo may be."""

RATINGS: Final = (1, 4000)
"""Between which numbers ratings in files and books are: juniors of a national list may have 2."""

USUAL_K: Final = 20
USUAL_START: Final = 1500
USUAL_MODEL: Final = "logistic"
"""K factor, first rating and curve of a league that names none."""
