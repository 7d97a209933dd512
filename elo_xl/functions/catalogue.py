"""Every worksheet function, declared once: from its entry everything else is made.

An entry is a decorated function. Its docstring is the formula, for the reference page. Its
arguments say how their cells are read; what it receives is ready for the engine:

* an element-wise function gets, for each argument, an array with one number an element, or the
  option's name, or None where an optional argument is left out; elements that differ in an option
  or in what is left out come in separate calls. It returns an array, or one with a row an element
  where the function gives several cells.
* a function with a :class:`Numbers` or :class:`Table` argument gets plain numbers for the others,
  and is called once for each element of theirs. It returns one number, a list of rows, or None for
  an empty cell.

Cells in error, blanks, shapes and whatever the engine raises are dealt with here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from elo_xl.functions.arguments import Argument, Option, Table
from elo_xl.functions.cells import (
    BLANK,
    CELL_ERRORS,
    NUM,
    OK,
    STATUS_TEXTS,
    Block,
    Cell,
    CellError,
    Column,
    Status,
    block,
    leave,
    no_collection,
    status_of,
    stretch,
)

Result = Cell | list[list[Cell]]


@dataclass(frozen=True)
class Example:
    """A call with its result; a test runs every one of them."""

    arguments: tuple[Any, ...]
    result: Any


@dataclass(frozen=True)
class Native:
    """A worksheet function as formulas of the spreadsheet's own functions.

    ``formula`` is the arithmetic as a person types it, in the names of the arguments; a mapping
    where the result has several cells, by their headings. Functions in capitals are the
    spreadsheet's, those in small letters the pieces of :mod:`elo_xl.functions.native`. Reading
    cells, blanks, errors and domains come on top of it there.
    """

    formula: str | Mapping[str, str] = ""
    """empty where there is none; then ``reason`` says why"""
    reason: str = ""
    """why there is no LAMBDA, or for which options no inlined form"""
    let: str = ""
    """names that the formulas of several cells share, as LET has them"""
    inlined_let: str = ""
    """the same names where there is no LAMBDA, if they are worked out in another way there"""
    domain: Mapping[str, str] = field(default_factory=dict)
    """by argument: the condition for #NUM!, where it is not only the argument's own bounds"""
    compared: bool = False
    """whether numbers are only compared, so that a text would not be noticed"""
    whole: bool = False
    """whether ``formula`` reads its cells itself; there is no inlined form then"""

    def text(self, column: str | None = None) -> str:
        """The arithmetic of the result, or of one of its cells, for an inlined formula."""
        if isinstance(self.formula, str):
            return self.formula
        if column is None:
            raise LookupError(f"one of the columns is needed: {', '.join(self.formula)}")
        formula, names = self.formula[column], self.inlined_let or self.let
        return f"LET({names}, {formula})" if names else formula


@dataclass(frozen=True)
class Function:
    """One worksheet function."""

    name: str
    help: str
    """one line"""
    family: str
    arguments: tuple[Argument, ...]
    work: Callable[..., Any]
    source: str
    examples: tuple[Example, ...]
    columns: tuple[str, ...] = ()
    """headings of the result's cells where there are several"""
    native: Native | None = None

    @property
    def kind(self) -> str:
        """``"table"``, ``"aggregate"`` or ``"element-wise"``."""
        if self.columns:
            return "table"
        return "aggregate" if any(a.whole for a in self.arguments) else "element-wise"

    @cached_property
    def least(self) -> int:
        """How many arguments are required; they come first."""
        return sum(a.required for a in self.arguments)

    @cached_property
    def _left_out(self) -> list[Any]:
        """What an element-wise function takes for each argument that is blank."""
        values = [None if a.required else a.alone(a.default) for a in self.arguments]
        for value in values:
            if isinstance(value, np.ndarray):
                value.flags.writeable = False  # every call is handed the same one
        return values

    @property
    def signature(self) -> str:
        names = [a.name if a.required else f"[{a.name}]" for a in self.arguments]
        return f"{self.name}({', '.join(names)})"

    def __call__(self, *cells: object) -> Result:
        """The function's value for cell values; errors come back as cell values, too."""
        if not self.least <= len(cells) <= len(self.arguments):
            most = len(self.arguments)
            takes = f"{self.least}" if self.least == most else f"{self.least} to {most}"
            raise TypeError(f"{self.signature} takes {takes} arguments, got {len(cells)}")
        single = self._single(cells)
        if single is not None:
            return single[0]
        with no_collection():
            return self._many((*cells, *[None] * (len(self.arguments) - len(cells))))

    def _single(self, cells: Sequence[object]) -> tuple[Result] | None:
        """The short way where every argument is one cell and the function is element-wise."""
        values = self._left_out.copy()
        blank = False
        error = OK
        for i, (argument, cell) in enumerate(zip(self.arguments, cells, strict=False)):
            if argument.whole or isinstance(cell, (list, tuple, np.ndarray)):
                return None
            value, status = argument.read(cell)
            if status == OK:
                values[i] = argument.alone(value)
            elif status == BLANK:
                blank |= argument.required
            else:
                error = error or status
        if error or blank:
            columns = len(self.columns) or 1
            text: Cell = STATUS_TEXTS[error or BLANK]
            return (text if columns == 1 else [[text] * columns],)
        with np.errstate(all="ignore"):
            try:
                result = self.work(*values)
            except CELL_ERRORS as wrong:
                text = STATUS_TEXTS[status_of(wrong)]
                return (text if not self.columns else [[text] * len(self.columns)],)
        if result.size == 1 and result.dtype == float:
            number = result.item()
            return (number if math.isfinite(number) else STATUS_TEXTS[NUM],)
        return (leave(result, None, (1, 1)),)

    def _many(self, cells: Sequence[object]) -> Result:
        blocks = [block(cell) for cell in cells]
        spread = [a for a in self.arguments if not a.whole]
        read = [a.elements(b) for a, b in zip(self.arguments, blocks, strict=True) if not a.whole]
        shape = (
            max((rows for _, (rows, _) in read), default=1),
            max((columns for _, (_, columns) in read), default=1),
        )
        columns = [stretch(column, own, shape) for column, own in read]
        elements = _Elements(spread, columns, _status(columns, spread), shape)
        with np.errstate(all="ignore"):
            if len(spread) == len(blocks):
                return self._by_groups(elements)
            return self._one_by_one(elements, blocks)

    def _by_groups(self, elements: _Elements) -> Result:
        """Element-wise: one call for all elements that share their options."""
        width = len(self.columns)
        shape = (elements.size, width) if width else (elements.size,)
        values: npt.NDArray[Any] = np.zeros(shape)
        status = elements.status
        for at, arguments in elements.groups():
            part, wrong = self._try(arguments, at.size)
            if at.size == elements.size:
                values, status = part, status if wrong is None else wrong
                break
            if part.dtype != values.dtype:
                values = values.astype(object)
            values[at] = part
            if wrong is not None:
                status[at] = wrong
        if not status.any():
            return leave(values, None, elements.shape)
        if width:
            status = np.repeat(status[:, None], width, axis=1)
        return leave(values, status, elements.shape)

    def _try(
        self, arguments: list[Any], size: int
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8] | None]:
        """The values of a group; where the engine refuses it, of its two halves by themselves."""
        try:
            return self.work(*arguments), None
        except CELL_ERRORS as wrong:
            width = len(self.columns)
            if size == 1:
                empty = np.zeros((1, width) if width else 1)
                return empty, np.array([status_of(wrong)], np.uint8)
        middle = size // 2
        parts = []
        for half in (slice(0, middle), slice(middle, size)):
            own = [a[half] if isinstance(a, np.ndarray) else a for a in arguments]
            values, status = self._try(own, half.stop - half.start)
            parts.append((values, np.zeros(len(values), np.uint8) if status is None else status))
        return np.concatenate([v for v, _ in parts]), np.concatenate([s for _, s in parts])

    def _one_by_one(self, elements: _Elements, blocks: Sequence[Block]) -> Result:
        """With whole ranges: one call for each element of the other arguments."""
        ranges: dict[int, Any] = {}
        error: int | None = None
        for i, (argument, cells) in enumerate(zip(self.arguments, blocks, strict=True)):
            if isinstance(argument, Table):
                ranges[i] = cells
            elif argument.whole:
                ranges[i] = argument.column(cells.cells)
                error = error or ranges[i].first_error()
        results: list[Any] = []
        for i in range(elements.size):
            try:
                if elements.status[i]:
                    raise CellError(int(elements.status[i]))
                if error:
                    raise CellError(error)
                others = iter(elements.at(i))
                results.append(
                    self.work(
                        *[
                            ranges[j] if j in ranges else next(others)
                            for j in range(len(self.arguments))
                        ]
                    )
                )
            except CELL_ERRORS as wrong:
                results.append(STATUS_TEXTS[status_of(wrong)])
        if self.columns:
            rows = [row for r in results for row in (r if isinstance(r, list) else [[r]])]
            return leave(_objects(rows), None, (len(rows), 1))
        values = np.empty(len(results), dtype=object)
        values[:] = [_plain(result) for result in results]
        return leave(values, None, elements.shape)


def _plain(value: Any) -> Cell:
    """A result as a cell: None is empty text, what is not finite is #NUM!."""
    if value is None or isinstance(value, str):
        return value or ""
    number = float(value)
    return number if math.isfinite(number) else "#NUM!"


def _objects(rows: list[list[Any]]) -> npt.NDArray[Any]:
    width = max(map(len, rows))
    result = np.empty((len(rows), width), dtype=object)
    for i, row in enumerate(rows):
        result[i] = [_plain(cell) for cell in row] + [""] * (width - len(row))
    return result


def _status(columns: Sequence[Column], arguments: Sequence[Argument]) -> Status:
    """Of each element: its first error, else BLANK where a required argument is blank."""
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
    """The elements that an element-wise call has to work out."""

    def __init__(
        self,
        arguments: Sequence[Argument],
        columns: Sequence[Column],
        status: Status,
        shape: tuple[int, int],
    ) -> None:
        self.arguments = arguments
        self.columns = columns
        self.status = status
        self.shape = shape
        self.size = shape[0] * shape[1]

    def groups(self) -> Iterator[tuple[npt.NDArray[np.int64], list[Any]]]:
        """Indices and arguments of elements that share their options and what is left out."""
        rest = np.flatnonzero(self.status == OK)
        if not rest.size:
            return
        key = np.zeros(self.size, np.int64)
        for argument, column in zip(self.arguments, self.columns, strict=True):
            codes = _codes(column) if isinstance(argument, Option) else column.present()
            if (codes[rest] != codes[rest[0]]).any():
                key = np.unique(key * (int(codes.max()) + 1) + codes, return_inverse=True)[1]
        for group in np.unique(key[rest]):
            at = rest[key[rest] == group]
            yield at, [self._argument(i, at) for i in range(len(self.columns))]

    def _argument(self, i: int, at: npt.NDArray[np.int64]) -> Any:
        argument, column = self.arguments[i], self.columns[i]
        here = column.values if at.size == self.size else column.values[at]
        if column.status is not None and column.status[at[0]] == BLANK:
            return argument.default
        if isinstance(argument, Option):
            name = here[0]
            return name if isinstance(name, str) else here.astype(float)
        return here

    def at(self, i: int) -> list[Any]:
        """The arguments of one element, as plain numbers and names."""
        values = []
        for argument, column in zip(self.arguments, self.columns, strict=True):
            blank = column.status is not None and column.status[i] == BLANK
            values.append(argument.default if blank else column.values[i])
        return values


def _codes(column: Column) -> npt.NDArray[np.int64]:
    """Options as small numbers: 0 where left out; plain numbers of an argument share one."""
    if column.values.strides == (0,):  # one cell for all elements
        return np.zeros(column.values.size, np.int64)
    codes: dict[Any, int] = {None: 0, float: 1}
    return np.array(
        [codes.setdefault(float if isinstance(v, float) else v, len(codes)) for v in column.values]
    )


_Work = TypeVar("_Work", bound=Callable[..., Any])
_REGISTRY: dict[str, Function] = {}
_MODULES: Final = ("expected", "ratings", "periods", "bayesian")


def function(
    name: str,
    help: str,
    *arguments: Argument,
    family: str,
    source: str,
    examples: Iterable[tuple[tuple[Any, ...], Any]],
    columns: tuple[str, ...] = (),
    native: Native | None = None,
) -> Callable[[_Work], _Work]:
    """Declare the decorated function as the worksheet function ``name``."""

    def declare(work: _Work) -> _Work:
        _REGISTRY[name] = Function(
            name=name,
            help=help,
            family=family,
            arguments=arguments,
            work=work,
            source=source,
            examples=tuple(Example(*example) for example in examples),
            columns=columns,
            native=native,
        )
        return work

    return declare


@cache
def functions() -> dict[str, Function]:
    """All functions by name, in the order of the families, whichever was imported first."""
    modules = [import_module(f"elo_xl.functions.{name}").__name__ for name in _MODULES]
    in_order = sorted(_REGISTRY.values(), key=lambda f: modules.index(f.work.__module__))
    return {function.name: function for function in in_order}


def find(name: str) -> Function:
    """The function of a name, in upper or lower case; LookupError with near names else."""
    known = functions()
    try:
        return known[name.upper()]
    except KeyError:
        from difflib import get_close_matches

        near = get_close_matches(name.upper(), known, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise LookupError(f"no function {name!r}{hint}") from None


def call(name: str, *cells: object) -> Result:
    """The value of a worksheet function for plain cell values.

    >>> call("ELO_EXPECTED", 1834, 2179, "fide")
    0.11
    >>> call("ELO_EXPECTED", [[1834], [None], ["x"]], 2179, "fide")
    [[0.11], [''], ['#VALUE!']]

    A cell value is a number, a text, True or False, None for a blank, or the text of an error; a
    range is a list of rows, and so is a result of several cells. Nothing in a cell raises: what is
    wrong comes back as ``"#VALUE!"``, ``"#NUM!"`` or ``"#N/A"`` where it belongs. LookupError for
    an unknown name, TypeError for a wrong number of arguments.
    """
    return find(name)(*cells)


def to_text(cell: Cell) -> str:
    """A cell value as a person writes it.

    >>> [to_text(cell) for cell in (1820.0, 0.5, None, "#NUM!", True)]
    ['1820', '0.5', '', '#NUM!', 'TRUE']
    """
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return "" if cell is None else str(cell)


def to_formula(name: str, arguments: Sequence[Any]) -> str:
    """A call as a formula, with ranges as array constants.

    >>> to_formula("ELO_K", (1500, 12, None, None, 36))
    '=ELO_K(1500, 12, , , 36)'
    >>> to_formula("ELO_PERFORMANCE", ([[1860], [1770]], 1.5, "linear"))
    '=ELO_PERFORMANCE({1860;1770}, 1.5, "linear")'
    """

    def one(cell: Any) -> str:
        return '"{}"'.format(cell.replace('"', '""')) if isinstance(cell, str) else to_text(cell)

    def argument(value: Any) -> str:
        if isinstance(value, list):
            return "{" + ";".join(",".join(map(one, row)) for row in value) + "}"
        return one(value)

    return f"={name}({', '.join(map(argument, arguments))})"
