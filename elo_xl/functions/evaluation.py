"""How a worksheet function runs: it reads cells, computes elements and turns errors into cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import AnyArray
from elo_xl.engine.errors import RatingError, SizeError
from elo_xl.functions.arguments import Argument, NumberArgument, Option, TableArgument
from elo_xl.functions.catalogue import Function, find
from elo_xl.functions.cells import (
    BLANK,
    CELL_ERRORS,
    NUM,
    OK,
    STATUS_TEXTS,
    Block,
    Cell,
    CellArray,
    CellError,
    PartError,
    Result,
    Status,
    broadcast,
    status_of,
    to_block,
    to_cells,
    without_garbage_collection,
)
from elo_xl.public import own


def evaluate(function: Function, *cells: object) -> Result:
    """The value of a function for cell values; errors are returned as cell values too.

    Raises TypeError for a wrong number of arguments.
    """
    if not function.least <= len(cells) <= len(function.arguments):
        most = len(function.arguments)
        takes = f"{function.least} to {most}"
        what = (
            f"{function.signature} takes {most if function.least == most else takes} "
            f"arguments, got {len(cells)}"
        )
        raise TypeError(what)
    quick = _evaluate_ranges if function.takes_ranges else _evaluate_cells
    result = quick(function, cells)
    if result is not None:
        return result
    with without_garbage_collection():
        omitted = [None] * (len(function.arguments) - len(cells))
        return _evaluate_arrays(function, (*cells, *omitted))


def worksheet(name: str, *cells: object) -> Result:
    """The value of a worksheet function for plain cell values.

    >>> worksheet("ELO_EXPECTED", 1834, 2179, "fide")
    0.11
    >>> worksheet("ELO_EXPECTED", [[1834], [None], ["x"]], 2179, "fide")
    [[0.11], [''], ['#VALUE!']]

    Args:
        name: The name of the function, in capitals or not.
        *cells (cell or range): A number, a text, True or False, None or NaN for a blank, or the
            text of an error; a range is a list of rows.
    Returns: A cell or a range. Cell values never raise: a wrong one gives ``"#VALUE!"``,
        ``"#NUM!"`` or ``"#N/A"`` in the cells that it concerns.
    Raises:
        LookupError: For an unknown name.
        TypeError: For a wrong number of arguments, and for a column or table of a data frame, which
            the functions of :mod:`elo_xl` itself take.
    """
    for cell in cells:
        if hasattr(cell, "__array__") and not isinstance(cell, np.ndarray | np.generic):
            raise TypeError(
                f"{name} takes cells, a range as a list of rows, but got a "
                f"{type(cell).__name__}: the functions of elo_xl itself take columns and tables"
            )
    return evaluate(find(name), *cells)


_REASONS: Final[ContextVar[list[str] | None]] = ContextVar("reasons", default=None)


@contextmanager
def reasons() -> Iterator[list[str]]:
    """Collect what the engine says of cells that it cannot take.

    >>> with reasons() as why:
    ...     value = worksheet("ELO_SCORE", "1-1")
    >>> value, why
    ('#VALUE!', ["the two results of a game must add up to 1, got '1-1'"])
    """
    found: list[str] = []
    before = _REASONS.set(found)
    try:
        yield found
    finally:
        _REASONS.reset(before)


def _status_and_report(error: Exception) -> int:
    """The cell error of an exception, whose words are collected if anybody listens."""
    if isinstance(error, PartError):
        error = error.first
    if (found := _REASONS.get()) is not None and isinstance(error, RatingError):
        found.append(str(error))
    return status_of(error)


MOST_CROSSED: Final = 1 << 22
"""Results of rows and columns that cross; a whole row across a whole column has 17 billion."""
_RANGES: Final = (list, tuple, np.ndarray)
_SINGLE: Final = frozenset((float, int, bool, str, type(None)))


def _evaluate_cells(function: Function, cells: Sequence[object]) -> Result:
    """The fast path of an element-wise function: None if an argument is not one cell."""
    if not _SINGLE.issuperset(map(type, cells)) and any(isinstance(c, _RANGES) for c in cells):
        return None
    values = function.omitted.copy()
    blank = False
    error = OK
    for i, (argument, cell) in enumerate(zip(function.arguments, cells, strict=False)):
        low, beyond = argument.straight
        if type(cell) is float and low <= cell < beyond:
            values[i] = np.array([cell])  # as `single` makes it
            continue
        if cell is None:
            blank |= argument.required
            continue
        value, status = argument.read(cell)
        if status == OK:
            values[i] = argument.single(value)
        elif status == BLANK:
            blank |= argument.required
        else:
            error = error or status
    # as in _status: an error goes before a blank, wherever they stand
    if error or blank:
        columns = len(function.columns) or 1
        text: Cell = STATUS_TEXTS[error or BLANK]
        return text if columns == 1 else [[text] * columns]
    try:
        result = _quietly(function.work, *values)
    except CELL_ERRORS as wrong:
        text = STATUS_TEXTS[_status_and_report(wrong)]
        return text if not function.columns else [[text] * len(function.columns)]
    if result.size == 1 and result.dtype.char == "d":
        number: float = result.item()
        return number if math.isfinite(number) else STATUS_TEXTS[NUM]
    return to_cells(result, None, (1, 1))


def _evaluate_ranges(function: Function, cells: Sequence[object]) -> Result:
    """The fast path of a function of ranges: None if another argument, or the result, is one."""
    if function.columns:
        return None
    values = function.omitted.copy()
    blank = False
    error = in_range = OK
    for i, (argument, cell) in enumerate(zip(function.arguments, cells, strict=False)):
        if argument.whole:
            values[i] = taken = argument.taken(to_block(cell))
            if isinstance(taken, CellArray) and taken.status is not None:
                in_range = in_range or taken.first_error() or OK
        elif cell is None:
            blank |= argument.required
        elif isinstance(cell, _RANGES):
            return None
        else:
            low, beyond = argument.straight
            straight = type(cell) is float and low <= cell < beyond
            value, status = (cell, OK) if straight else argument.read(cell)
            if status == OK:
                if isinstance(value, float) and isinstance(argument, NumberArgument):
                    value = np.float64(value)
                values[i] = value
            elif status == BLANK:
                blank |= argument.required
            else:
                error = error or status
    # the order of _one_by_one: errors of single cells, then blanks, then what stands in ranges
    if error or blank or in_range:
        return STATUS_TEXTS[error or (BLANK if blank else in_range)]
    try:
        result = _quietly(function.work, *values)
    except CELL_ERRORS as wrong:
        return STATUS_TEXTS[_status_and_report(wrong)]
    return _plain(result)


_Result = TypeVar("_Result")


@np.errstate(all="ignore")
def _quietly(work: Callable[..., _Result], *values: object) -> _Result:
    return work(*values)


def _evaluate_arrays(function: Function, cells: Sequence[object]) -> Result:
    """The general path: every argument is a block of cells, an omitted one is None."""
    blocks = [to_block(cell) for cell in cells]
    spread = [a for a in function.arguments if not a.whole]
    read = [a.elements(b) for a, b in zip(function.arguments, blocks, strict=True) if not a.whole]
    shape = (
        max((rows for _, (rows, _) in read), default=1),
        max((columns for _, (_, columns) in read), default=1),
    )
    size = shape[0] * shape[1]
    # one argument alone may be larger: its cells are in memory already, what crosses is not
    if size > MOST_CROSSED and size > max(rows * columns for _, (rows, columns) in read):
        what = f"a row across a column has {shape[0]:,} x {shape[1]:,} results, more than"
        return STATUS_TEXTS[
            _status_and_report(SizeError(f"{what} {MOST_CROSSED:,}: take fewer cells"))
        ]
    columns = [broadcast(column, own, shape) for column, own in read]
    elements = _Elements(spread, columns, _status(columns, spread), shape)
    with np.errstate(all="ignore"):
        if len(spread) == len(blocks):
            return _by_groups(function, elements)
        return _one_by_one(function, elements, blocks)


def _by_groups(function: Function, elements: _Elements) -> Result:
    """Evaluate element-wise: one call for all elements that share their options."""
    width = len(function.columns)
    shape = (elements.size, width) if width else (elements.size,)
    values: AnyArray = np.zeros(shape)
    status = elements.status
    for at, arguments in elements.groups():
        part, wrong = _try_group(function, arguments, at.size)
        if at.size == elements.size:
            values, status = part, status if wrong is None else wrong
            break
        if part.dtype != values.dtype:
            values = values.astype(object)
        values[at] = part
        if wrong is not None:
            status[at] = wrong
    if not status.any():
        return to_cells(values, None, elements.shape)
    if width:
        status = np.repeat(status[:, None], width, axis=1)
    return to_cells(values, status, elements.shape)


def _try_group(
    function: Function, arguments: list[object], size: int
) -> tuple[AnyArray, npt.NDArray[np.uint8] | None]:
    """The values of a group; if the engine raises an error of it all, its two halves are tried
    apart."""
    try:
        return function.work(*arguments), None
    except PartError as part:
        errors = np.zeros(size, np.uint8)
        errors[list(part.errors)] = [_status_and_report(wrong) for wrong in part.errors.values()]
        return part.values, errors
    except CELL_ERRORS as wrong:
        width = len(function.columns)
        if size == 1:
            empty = np.zeros((1, width) if width else 1)
            return empty, np.array([_status_and_report(wrong)], np.uint8)
    middle = size // 2
    parts = []
    for half in (slice(0, middle), slice(middle, size)):
        own = [a[half] if isinstance(a, np.ndarray) else a for a in arguments]
        values, status = _try_group(function, own, half.stop - half.start)
        parts.append((values, np.zeros(len(values), np.uint8) if status is None else status))
    return np.concatenate([v for v, _ in parts]), np.concatenate([s for _, s in parts])


def _one_by_one(function: Function, elements: _Elements, blocks: Sequence[Block]) -> Result:
    """Evaluate with whole ranges: one call for each element of the other arguments."""
    ranges: dict[int, Block | CellArray] = {}
    error: int | None = None
    for i, (argument, cells) in enumerate(zip(function.arguments, blocks, strict=True)):
        if argument.whole:
            ranges[i] = taken = argument.taken(cells)
            error = error or (taken.first_error() if isinstance(taken, CellArray) else None)
    table = any(isinstance(argument, TableArgument) for argument in function.arguments)
    # of a table there is one result: its error is one cell, and not one in each column
    width = 1 if table else len(function.columns)
    results: list[Any] = []
    for i in range(elements.size):
        try:
            if elements.status[i]:
                raise CellError(int(elements.status[i]))
            if error:
                raise CellError(error)
            others = iter(elements.arguments_of(i))
            indices = range(len(function.arguments))
            own = [ranges[j] if j in ranges else next(others) for j in indices]
            results.append(function.work(*own))
        except CELL_ERRORS as wrong:
            results.append(STATUS_TEXTS[_status_and_report(wrong)])
    if function.columns:
        rows = [row for r in results for row in (r if isinstance(r, list) else [[r] * width])]
        return to_cells(_objects(rows), None, (len(rows), 1))
    values = np.empty(len(results), dtype=object)
    values[:] = [_plain(result) for result in results]
    return to_cells(values, None, elements.shape)


def _plain(value: Cell) -> Cell:
    """Turn a result into a cell: None becomes an empty text, a number that is not finite #NUM!."""
    if value is None or isinstance(value, str):
        return value or ""
    number = float(value)
    return number if math.isfinite(number) else "#NUM!"


def _objects(rows: Sequence[Sequence[Cell]]) -> AnyArray:
    width = max(map(len, rows))
    result = np.empty((len(rows), width), dtype=object)
    for i, row in enumerate(rows):
        result[i] = [_plain(cell) for cell in row] + [""] * (width - len(row))
    return result


def _status(columns: Sequence[CellArray], arguments: Sequence[Argument]) -> Status:
    """The status of each element: its first error, otherwise BLANK if a required argument is."""
    size = columns[0].values.size if columns else 1
    blank = np.zeros(size, bool)
    result = np.zeros(size, np.uint8)
    for column, argument in zip(columns, arguments, strict=True):
        if column.status is not None:
            if argument.required:
                blank |= column.status == BLANK
            result = np.where((result == OK) & (column.status > BLANK), column.status, result)
    return np.where((result == OK) & blank, BLANK, result).astype(np.uint8)


class _Elements:
    """The elements that an element-wise call has to compute."""

    def __init__(
        self,
        arguments: Sequence[Argument],
        columns: Sequence[CellArray],
        status: Status,
        shape: tuple[int, int],
    ) -> None:
        self.arguments = arguments
        self.columns = columns
        self.status = status
        self.shape = shape
        self.size = shape[0] * shape[1]

    def groups(self) -> Iterator[tuple[npt.NDArray[np.int64], list[object]]]:
        """Indices and arguments of elements with the same options and omitted arguments."""
        rest = np.flatnonzero(self.status == OK)
        if not rest.size:
            return
        key: npt.NDArray[np.int64] | None = None
        for argument, column in zip(self.arguments, self.columns, strict=True):
            codes = _codes(column) if isinstance(argument, Option) else column.present()
            if (codes[rest] != codes[rest[0]]).any():
                both = codes if key is None else key * (int(codes.max()) + 1) + codes
                key = np.unique(both, return_inverse=True)[1]
        # one group, as nearly always; np.unique loads numpy.ma
        groups = [rest] if key is None else [rest[key[rest] == n] for n in np.unique(key[rest])]
        for at in groups:
            yield at, [self._argument(i, at) for i in range(len(self.columns))]

    def _argument(self, i: int, at: npt.NDArray[np.int64]) -> object:
        argument, column = self.arguments[i], self.columns[i]
        here = column.values if at.size == self.size else column.values[at]
        if column.status is not None and column.status[at[0]] == BLANK:
            return argument.default
        if isinstance(argument, Option):
            name = here[0]
            return name if isinstance(name, str) else here.astype(float)
        return here

    def arguments_of(self, i: int) -> list[object]:
        """The arguments of one element, as plain numbers and names."""
        values = []
        for argument, column in zip(self.arguments, self.columns, strict=True):
            blank = column.status is not None and column.status[i] == BLANK
            values.append(argument.default if blank else column.values[i])
        return values


def _codes(column: CellArray) -> npt.NDArray[np.int64]:
    """Options as small numbers: 0 if omitted; all plain numbers of an argument share one code."""
    if column.values.strides == (0,):  # one cell for all elements
        return np.zeros(column.values.size, np.int64)
    codes: dict[object, int] = {None: 0, float: 1}
    return np.array(
        [codes.setdefault(float if isinstance(v, float) else v, len(codes)) for v in column.values]
    )


own(vars())
