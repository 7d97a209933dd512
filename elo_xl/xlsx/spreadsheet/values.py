"""Cell values as a spreadsheet treats them: errors, conversions, comparisons, ranges.

Inside the evaluator a value is a float (never an int), a str, a bool, an :class:`Error` or None
for a blank. Several of them are rows in a list; rows that come from a sheet are
:class:`RangeValues`, which remember what was looked up in them; and numbers alone may be a NumPy
array.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.error_values import EXCEL_NUMBERS


class Error(str):
    """An error value such as ``Error("#N/A")``; a text with the same letters is not one."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Error({str(self)!r})"


Value = float | str | bool | Error | None
"""The value of one cell; None is a blank cell."""

Grid = list[list[Value]]
"""Rows of values."""

Floats = npt.NDArray[np.float64]

Truths = npt.NDArray[np.bool_]

Array = Floats | Truths

Argument = Value | Grid | Array
"""The result of a part of a formula."""

SEVERAL: Final = (list, np.ndarray)
"""The classes of results that are not a single value."""

LookupKey = float | str | tuple[bool] | None
"""The key that equal values share."""

NULL, DIV, VALUE, REF, NAME, NUM, NA = map(
    Error, ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A")
)


ERRORS: Final = frozenset(EXCEL_NUMBERS)
"""The texts of all errors."""


class Fault(Exception):  # noqa: N818 - caught wherever it is raised
    """Raised by a function of single values if a spreadsheet shows an error."""

    def __init__(self, error: Error) -> None:
        super().__init__(error)
        self.error = error


# A half that binary arithmetic leaves slightly too small still counts as a half.
HALF: Final = 0.5 + 1e-9

# A spreadsheet treats two numbers as equal if their relative difference is below this.
NEAR: Final = 2.0**-48

_NUMBER: Final = re.compile(
    r"\s*([-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[Ee][-+]?[0-9]+)?)\s*+(%?)\s*\Z"
)


def number_of(text: str) -> float | None:
    """The number that a text reads as, or None.

    >>> number_of(" 1e3 "), number_of("12%"), number_of("twelve")
    (1000.0, 0.12, None)
    """
    parts = _NUMBER.match(text)
    if parts is None:
        return None
    number = float(parts[1]) / 100 if parts[2] else float(parts[1])
    return number if math.isfinite(number) else None


def to_number(value: Value) -> float:
    """Convert a value to a number; raises Fault."""
    if value.__class__ is float:
        return value
    if value is None:
        return 0.0
    if isinstance(value, str):
        if isinstance(value, Error):
            raise Fault(value)
        number = number_of(value)
        if number is None:
            raise Fault(VALUE)
        return number
    return float(value)


def to_text(value: Value) -> str:
    """Convert a value to a text, as ``&`` does; raises Fault."""
    if isinstance(value, str):
        if isinstance(value, Error):
            raise Fault(value)
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return shown(value)


def to_truth(value: Value) -> bool:
    """Convert a value to a condition; raises Fault."""
    if isinstance(value, str):
        if isinstance(value, Error):
            raise Fault(value)
        upper = value.upper()
        if upper not in ("TRUE", "FALSE"):
            raise Fault(VALUE)
        return upper == "TRUE"
    return bool(value)


def shown(number: float) -> str:
    """Write a number as a spreadsheet does in a text, with 15 significant digits.

    >>> shown(0.1 + 0.2), shown(-3.0), shown(1e15), shown(0.00002)
    ('0.3', '-3', '1E+15', '0.00002')
    """
    if number == 0:
        return "0"
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    mantissa, _, exponent = f"{number:.14e}".partition("e")
    power = int(exponent)
    if -10 < power < 15:
        return f"{number:.{14 - power}f}".rstrip("0").rstrip(".") if power < 14 else f"{number:.0f}"
    return f"{mantissa.rstrip('0').rstrip('.')}E{exponent[0]}{abs(power):02d}"


def rounded(number: float, digits: float = 0.0) -> float:
    """Round a number to decimal digits, halves away from zero.

    >>> rounded(2.5), rounded(-2.5), rounded(0.285, 2), rounded(1250.0, -2)
    (3.0, -3.0, 0.29, 1300.0)
    """
    places = int(digits)
    if places >= 0:
        scale = 10.0**places
        size = math.floor(abs(number) * scale + HALF) / scale
    else:
        scale = 10.0**-places
        size = math.floor(abs(number) / scale + HALF) * scale
    return -size if number < 0 and size else size


def total(numbers: Iterable[float]) -> float:
    """The sum from left to right: the builtin compensates from Python 3.12 on."""
    result = 0.0
    for number in numbers:
        result += number
    return result


def near(a: float, b: float) -> bool:
    """Whether a spreadsheet treats two numbers as equal.

    >>> near(0.1 + 0.2, 0.3), near(1.0, 1.0000001)
    (True, False)
    """
    if a == b:
        return True
    apart = abs(a - b)
    return apart < abs(a) * NEAR and apart < abs(b) * NEAR


def difference(a: float, b: float) -> float:
    """The number, or 0 if only a rounding error is left."""
    apart = a - b
    return 0.0 if abs(apart) < abs(a) * NEAR else apart


def near_arrays(a: Floats, b: Floats) -> Truths:
    """Where a spreadsheet treats the numbers of two arrays as equal."""
    apart = np.abs(a - b)
    same: Truths = (a == b) | ((apart < np.abs(a) * NEAR) & (apart < np.abs(b) * NEAR))
    return same


def cleaned(number: float) -> float:
    """A number without the error that decimal digits leave in binary arithmetic.

    >>> cleaned(4.35 * 100)
    435.0
    """
    return float(f"{number:.15g}")


def whole_below(number: float) -> float:
    """Round down, but count a number just below a whole one, by rounding error, as that one.

    >>> whole_below(-2.5), whole_below(4.35 * 100)
    (-3.0, 435.0)
    """
    below = float(math.floor(number))
    return below + 1.0 if near(number, below + 1.0) else below


def _rank(value: float | str) -> tuple[int, float | str]:
    if isinstance(value, bool):
        return 2, value
    return (1, value.casefold()) if isinstance(value, str) else (0, value)


def order(a: Value, b: Value) -> int:
    """Compare (-1, 0 or 1): numbers before texts before truth values; case does not matter.

    A blank equals an empty text next to a text, FALSE next to a truth value, otherwise 0.
    """
    if a is None:
        a = _blank_beside(b)
    if b is None:
        b = _blank_beside(a)
    if a.__class__ is float and b.__class__ is float:
        if near(a, b):
            return 0
        return -1 if a < b else 1
    x, y = _rank(a), _rank(b)
    return (x > y) - (x < y)


def _blank_beside(value: Value) -> float | str:
    if isinstance(value, bool):
        return False
    return "" if isinstance(value, str) else 0.0


def key_of(value: Value) -> LookupKey:
    """The key by which equal values are looked up; None for blanks and errors."""
    if value.__class__ is float:
        return value
    if value.__class__ is str:
        return value.casefold()
    return (value,) if isinstance(value, bool) else None


class RangeValues(list[list[Value]]):
    """The values of a range on a sheet, by rows, with a memory of earlier lookups."""

    @cached_property
    def flat(self) -> list[Value]:
        """All values, row by row."""
        if len(self) == 1:
            return self[0]
        return [value for row in self for value in row]

    @cached_property
    def places(self) -> dict[LookupKey, list[int]]:
        """The positions of each value, from 0, by :func:`key_of`."""
        positions: dict[LookupKey, list[int]] = {}
        for i, value in enumerate(self.flat):
            if value.__class__ is float:
                positions.setdefault(value, []).append(i)
            elif value.__class__ is str:
                positions.setdefault(value.casefold(), []).append(i)
            elif value.__class__ is bool:
                positions.setdefault((value,), []).append(i)
        return positions

    @cached_property
    def found(self) -> dict[object, list[int]]:
        """Positions by criterion, stored by the lookups."""
        return {}

    @cached_property
    def members(self) -> dict[tuple[Value, type], frozenset[int]]:
        """The same as sets."""
        return {}

    @cached_property
    def first_row(self) -> RangeValues:
        return RangeValues([self[0]])

    @cached_property
    def first_column(self) -> RangeValues:
        return RangeValues([[row[0] for row in self]])

    @cached_property
    def numeric(self) -> Floats | None:
        """All cells as numbers for arithmetic, blanks as 0; None if there is a text or an error."""
        flat = self.flat
        for value in flat:
            if isinstance(value, str):
                return None
        numbers = [0.0 if value is None else float(value) for value in flat]
        return np.array(numbers).reshape(len(self), -1)

    @cached_property
    def only_numbers(self) -> bool:
        """Whether all cells are numbers, none blank and none a truth value."""
        return all(value.__class__ is float for value in self.flat)

    @cached_property
    def error(self) -> Error | None:
        """The first error in the range."""
        return next((v for v in self.flat if v.__class__ is Error), None)

    @cached_property
    def numbers(self) -> list[float]:
        """The numbers in the range; blanks, texts and truth values are ignored."""
        return [v for v in self.flat if v.__class__ is float]

    @cached_property
    def ascending(self) -> list[float]:
        """The numbers in ascending order."""
        return sorted(self.numbers)

    @cached_property
    def sorted_kinds(self) -> dict[type, tuple[list[float | str], list[int]]]:
        """Numbers, texts and truth values apart, each with its positions, for approximate MATCH."""
        apart: dict[type, tuple[list[float | str], list[int]]] = {}
        for i, value in enumerate(self.flat):
            if value is None or isinstance(value, Error):
                continue
            values, at = apart.setdefault(value.__class__, ([], []))
            values.append(value.casefold() if isinstance(value, str) else value)
            at.append(i)
        return apart

    def around(self, number: float) -> list[float]:
        """The numbers in the range that a spreadsheet may treat as equal."""
        margin = abs(number) * NEAR
        first = bisect_left(self.ascending, number - margin)
        return self.ascending[first : bisect_right(self.ascending, number + margin)]

    def count_above(self, number: float) -> int:
        return len(self.ascending) - bisect_right(self.ascending, number)


def to_cells(value: Argument) -> RangeValues:
    """Convert anything to rows with a memory."""
    if value.__class__ is RangeValues:
        return value
    return RangeValues(to_grid(value))


def to_grid(value: Argument) -> Grid:
    """Convert anything to rows."""
    if isinstance(value, np.ndarray):
        rows: Grid = value.tolist()
        return rows
    return value if isinstance(value, list) else [[value]]


def to_value(value: Argument) -> Value:
    """Convert to one value: the first of rows."""
    return to_grid(value)[0][0] if isinstance(value, SEVERAL) else value


def to_array(value: Argument) -> Floats | None:
    """Rows, or one value, as an array of numbers; None if that loses anything."""
    if isinstance(value, np.ndarray):
        return value.astype(float)
    if isinstance(value, list):
        return to_cells(value).numeric
    if isinstance(value, str):
        return None
    return np.full((1, 1), 0.0 if value is None else float(value))


MOST_LETTERS: Final = 32_767
"""The longest text that a cell holds; a formula that makes a longer one gives #VALUE!."""


def held(text: str) -> str:
    """A text that a formula made.

    Raises Fault if no cell can hold it.
    """
    if len(text) > MOST_LETTERS:
        raise Fault(VALUE)
    return text


def each(function: Callable[..., Value], *arguments: Argument) -> Grid:
    """Apply a function of single values to rows; a single row or column is repeated to fit.

    >>> each(lambda a, b: a * b, [[1.0, 2.0]], [[3.0], [4.0]])
    [[3.0, 6.0], [4.0, 8.0]]

    Where an argument of another shape has no value, the result is #N/A.
    """
    grids = [to_grid(a) for a in arguments]
    rows, columns = max(map(len, grids)), max(len(g[0]) for g in grids)
    stretched = [list(_stretched(g, rows, columns)) for g in grids]
    return [
        [
            NA if MISSING in values else function(*values)
            for values in zip(*(g[i] for g in stretched), strict=True)
        ]
        for i in range(rows)
    ]


class _Missing(Enum):
    VALUE = 0


MISSING: Final = _Missing.VALUE


def _stretched(grid: Grid, rows: int, columns: int) -> Iterator[list[Value | _Missing]]:
    for i in range(rows):
        if i >= len(grid) and len(grid) > 1:
            yield [MISSING] * columns
            continue
        row = grid[i if len(grid) > 1 else 0]
        if len(row) == 1:
            row = row * columns
        yield [*row, *[MISSING] * (columns - len(row))]
