"""Cell values in and out, their shapes and errors; no other module deals with these.

A cell holds a number, a text, TRUE or FALSE, nothing (None), or an error, represented by its text
(``"#NUM!"``). A range is a list of rows. While a function works, the cells of an argument are a
:class:`CellArray`: numbers, each with a status that says whether it is valid.
"""

from __future__ import annotations

import gc
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import AnyArray
from elo_xl.engine.errors import DomainError, RatingError, SizeError
from elo_xl.error_values import ERROR_TEXTS

Cell = float | int | str | bool | None
"""The value of one cell."""

CellRows = list[list[Cell]]

Result = Cell | CellRows
"""The value of one cell, or rows of values."""

Status = npt.NDArray[np.uint8]

OK: Final = 0
BLANK: Final = 1
STATUS_TEXTS: Final = ("ok", "", *ERROR_TEXTS)
"""What a cell of each status shows; OK is never shown."""

ERRORS: Final = {text: code for code, text in enumerate(STATUS_TEXTS) if code > BLANK}
VALUE, NUM, NA = ERRORS["#VALUE!"], ERRORS["#NUM!"], ERRORS["#N/A"]

# Blanks that people and locales put into numbers: space, no-break, figure, thin, narrow no-break.
_BLANKS = " \u00a0\u2007\u2009\u202f"
_NUMBER = re.compile(
    rf"[+-]?(?:\d{{1,3}}(?:[{_BLANKS}]\d{{3}})+|\d+)?(?:[.,]\d*)?(?:e[+-]?\d+)?",
    re.ASCII | re.IGNORECASE,
)
_DROP = str.maketrans({**dict.fromkeys(_BLANKS), ",": "."})


class CellError(Exception):
    """Carries the status of a cell out of a function that cannot go on."""

    def __init__(self, status: int) -> None:
        super().__init__(STATUS_TEXTS[status])
        self.status = status


class PartError(CellError):
    """Carries out of a function the values that it has, and the errors of the other elements.

    So nobody has to look for these by trying halves.
    """

    def __init__(self, values: npt.NDArray[np.object_], errors: Mapping[int, Exception]) -> None:
        self.values, self.errors = values, errors
        self.first = errors[min(errors)]
        super().__init__(status_of(self.first))


CELL_ERRORS: Final = (CellError, RatingError, ArithmeticError)
"""The exceptions that the engine may raise for bad cell values."""


def status_of(error: Exception) -> int:
    """The cell error that an exception of the engine becomes."""
    if isinstance(error, CellError):
        return error.status
    if isinstance(error, SizeError):
        return NA
    return NUM if isinstance(error, (DomainError, ArithmeticError)) else VALUE


def read_number(cell: object) -> tuple[float, int]:
    """Read a cell as a number, with its status.

    NaN is a blank: data frames have no other for numbers.
    """
    if isinstance(cell, str):
        return _read_text(cell)
    if cell is None:
        return math.nan, BLANK
    try:
        number = float(cell)  # type: ignore[arg-type]  # int, bool, NumPy's scalars, Decimal
    except OverflowError:
        return math.nan, NUM
    except (TypeError, ValueError):
        return math.nan, VALUE
    if math.isfinite(number):
        return number, OK
    return math.nan, BLANK if math.isnan(number) else NUM


def _read_text(text: str) -> tuple[float, int]:
    plain = text.strip()
    if not plain:
        return math.nan, BLANK
    if plain in ERRORS:
        return math.nan, ERRORS[plain]
    plain = plain.replace("\u2212", "-")
    if _NUMBER.fullmatch(plain) is None or not any(
        c.isdigit() for c in plain.lower().split("e")[0]
    ):
        return math.nan, VALUE
    number = float(plain.translate(_DROP))
    return (number, OK) if math.isfinite(number) else (math.nan, NUM)


@dataclass(frozen=True, slots=True)
class Block:
    """The cells of one argument: a rectangle whose cells are in reading order."""

    rows: int
    columns: int
    cells: Sequence[object]

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.columns

    def lines(self) -> list[Sequence[object]]:
        """The rows of the block."""
        width = self.columns
        return [self.cells[i * width : (i + 1) * width] for i in range(self.rows)]


_ROWS: Final = frozenset((list, tuple))


def to_block(value: object) -> Block:
    """Turn what a caller passes for one argument into a rectangle.

    A flat list is one row, and an empty list a blank cell. Short rows are padded with blanks.

    >>> to_block([[1, 2], [3]]).lines()
    [[1, 2], [3, None]]
    """
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        return Block(1, 1, (value,))
    if not value:
        return Block(1, 1, (None,))
    if not isinstance(value[0], (list, tuple, np.ndarray)):
        return Block(1, len(value), value)
    rows: Sequence[Sequence[object]] = value
    # one look at the types of all rows: most blocks are lists of lists, and many are long
    if not _ROWS.issuperset(map(type, value)):
        rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in value]
        rows = [row if isinstance(row, (list, tuple)) else (row,) for row in rows]
    widths = set(map(len, rows))
    width = max(widths)
    if not width:
        return Block(len(rows), 1, (None,) * len(rows))
    if len(widths) > 1:
        rows = [[*row, *[None] * (width - len(row))] for row in rows]
    return Block(len(rows), width, list(chain.from_iterable(rows)))


@dataclass(slots=True)
class CellArray:
    """The cells of one argument while a function works: their values and, unless all are OK, the
    status of each."""

    values: AnyArray
    status: Status | None = None

    def first_error(self) -> int | None:
        """The status of the first cell that holds an error."""
        if self.status is None:
            return None
        wrong = self.status[self.status > BLANK]
        return int(wrong[0]) if wrong.size else None

    def present(self) -> npt.NDArray[np.bool_]:
        """Which cells hold a value."""
        return np.ones(len(self.values), bool) if self.status is None else self.status == OK


_NUMERIC = {float, int, bool}


def read_numbers(
    cells: Sequence[object], read: Callable[[object], tuple[float, int]] = read_number
) -> CellArray:
    """Read the cells of a block as numbers: all at once if all are numbers, otherwise one by one.

    ``read`` reads one cell. If it checks more than :func:`read_number` does, the caller must check
    the numbers of the fast path too (see ``NumberArgument.column``).
    """
    if _NUMERIC.issuperset(map(type, cells)):
        try:
            values = np.array(cells, dtype=float)
        except OverflowError:
            pass
        else:
            finite = np.isfinite(values)
            if np.count_nonzero(finite) == finite.size:
                return CellArray(values)
            wrong = np.where(np.isnan(values), BLANK, NUM)
            return CellArray(values, np.where(finite, OK, wrong).astype(np.uint8))
    pairs = list(map(read, cells))
    values = np.array([number for number, _ in pairs])
    return CellArray(values, np.array([status for _, status in pairs], dtype=np.uint8))


def broadcast(column: CellArray, own: tuple[int, int], to: tuple[int, int]) -> CellArray:
    """Broadcast as Excel does: a single row or column repeats; other missing cells are #N/A.

    >>> broadcast(CellArray(np.array([1.0, 2.0])), (2, 1), (3, 1)).status.tolist()
    [0, 0, 8]
    """
    size = to[0] * to[1]
    if own == to:
        return column
    if own == (1, 1):
        status = column.status
        return CellArray(
            np.broadcast_to(column.values, (size, *column.values.shape[1:])),
            None if status is None else np.broadcast_to(status, size),
        )
    row = np.zeros(to[0], int) if own[0] == 1 else np.arange(to[0])
    col = np.zeros(to[1], int) if own[1] == 1 else np.arange(to[1])
    surplus = (row[:, None] >= own[0]) | (col[None, :] >= own[1])
    at = np.where(surplus, 0, row[:, None] * own[1] + col[None, :]).reshape(-1)
    status = np.zeros(size, np.uint8) if column.status is None else column.status[at]
    status[surplus.reshape(-1)] = NA
    return CellArray(column.values[at], status)


def to_cells(values: AnyArray, status: Status | None, shape: tuple[int, int]) -> Result:
    """Turn results into cells: a list of rows, or the value itself if it is one cell.

    ``values`` has one element per cell, or one row per element if a function gives several numbers.
    Numbers that are not finite become #NUM!.
    """
    wide = values.ndim == 2
    rows = values if wide else values.reshape(shape)
    if values.dtype != object:
        finite = np.isfinite(rows)
        if status is None and np.count_nonzero(finite) == finite.size:
            return _cell_or_rows(rows.tolist())
        rows = rows.astype(object)
        rows[~finite] = "#NUM!"
    if status is not None and status.any():
        marks = status if wide else status.reshape(shape)
        for code in set(marks[marks != OK].tolist()):
            rows[marks == code] = STATUS_TEXTS[code]
    return _cell_or_rows(rows.tolist())


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Disable garbage collection: scanning 100,000 new rows takes longer than creating them.

    The rows hold plain values, so that there is no garbage to find among them.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _cell_or_rows(rows: CellRows) -> Result:
    return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else rows


def to_text(cell: Cell) -> str:
    """Write a cell value as a person would."""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return "" if cell is None else str(cell)


def to_formula(name: str, arguments: Sequence[Result]) -> str:
    """Write a call as a formula, with ranges as array constants."""

    def one(cell: Cell) -> str:
        return '"{}"'.format(cell.replace('"', '""')) if isinstance(cell, str) else to_text(cell)

    def argument(value: Result) -> str:
        if isinstance(value, list):
            return "{" + ";".join(",".join(map(one, row)) for row in value) + "}"
        return one(value)

    return f"={name}({', '.join(map(argument, arguments))})"
