"""References: the cells that a node of a formula means, before any of them is read."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol, TypeVar

from elo_xl.xlsx.fill import COLUMNS, ROWS, place
from elo_xl.xlsx.formula import Binary, Call, Name, Node, Reference
from elo_xl.xlsx.spreadsheet.values import (
    REF,
    VALUE,
    Argument,
    Error,
    Fault,
    Grid,
    RangeValues,
    Value,
    to_number,
    to_value,
)

Closure = Callable[[int, int], Argument]
"""A formula's value for a cell, given its distance from the first cell in rows and columns."""

Arguments = tuple[Node | None, ...]

Rows = bool | None
"""What is wanted of a range: all its cells count, as in an array formula; the range itself, for a
function of ranges; or with None the one cell in the formula's own row or column."""


class Area(NamedTuple):
    """Cells of a sheet, by their first and last rows and columns."""

    sheet: str
    top: int
    left: int
    bottom: int
    right: int


FindArea = Callable[[int, int], Area | Error]

Known = Mapping[tuple[int, int], Value]
"""The values of a sheet by (row, column)."""

Own = Callable[..., Value | Grid]
"""A worksheet function supplied by the caller of the evaluator; its errors are texts."""

T = TypeVar("T")


class CellSource(Protocol):
    """The cells and ranges that formulas read, computed on demand."""

    @property
    def own(self) -> Callable[[str], Own | None]:
        """Worksheet functions in addition to those of every spreadsheet, by name in capitals."""

    @property
    def ranges(self) -> Mapping[Area, RangeValues]:
        """The values of any range."""

    def known(self, sheet: str) -> Known | None:
        """The values of a sheet; None for an unknown sheet."""

    def named(self, name: str) -> Node | None:
        """The meaning of a defined name."""


class Compiling(Protocol):
    """The part of the compiler that functions use to compile their arguments."""

    book: CellSource
    sheet: str
    row: int
    column: int
    placed: bool
    """Whether a closure depends on its own row or column."""
    fixed: dict[Callable[[int, int], object], object]
    """The values of constant closures."""

    def compile(self, node: Node | None, rows: Rows = False) -> Closure: ...
    def single(self, node: Node | None, rows: Rows) -> Closure: ...
    def inside(self, node: Node | None, rows: Rows) -> Closure: ...
    def constant(self, value: T) -> Callable[[int, int], T]: ...
    def folded(
        self, closure: Callable[[int, int], T], *parts: Callable[[int, int], object]
    ) -> Callable[[int, int], T]: ...


def refers(book: CellSource, node: Node | None) -> bool:
    """Whether a node means cells of a sheet rather than values."""
    match node:
        case Reference(text):
            return place(text) is not None or refers(book, book.named(text))
        case Name(name):
            return refers(book, book.named(name))
        case Call(name, arguments):
            return name.upper() == "INDEX" and refers(book, next(iter(arguments), None))
        case Binary(":", left, right):
            return refers(book, left) and refers(book, right)
    return False


def is_range(book: CellSource, node: Node | None) -> bool:
    """Whether a node is written as a reference to several cells."""
    if node.__class__ is Call:  # as most are
        return False
    match node:
        case Reference(text):
            cells = place(text)
            return is_range(book, book.named(text)) if cells is None else cells.last is not None
        case Name(name):
            return is_range(book, book.named(name))
        case Binary(":", _, _):
            return True
    return False


def find_area(compiler: Compiling, node: Node | None) -> FindArea:
    """The cells that a node means, by (down, right)."""
    match node:
        case Reference(text):
            cells = place(text)
            if cells is not None:
                return _of_reference(compiler, text)
            return find_area(compiler, compiler.book.named(text))
        case Name(name):
            return find_area(compiler, compiler.book.named(name))
        case Call(_, arguments) if refers(compiler.book, node):
            return _of_index(compiler, arguments)
        case Binary(":", left, right):
            return _between(find_area(compiler, left), find_area(compiler, right))
    return compiler.constant(VALUE)


def _of_reference(compiler: Compiling, text: str) -> FindArea:
    cells = place(text)
    assert cells is not None
    sheet = compiler.sheet if cells.sheet is None else cells.sheet
    if compiler.book.known(sheet) is None:
        return compiler.constant(REF)
    a, b = cells.first, cells.last or cells.first
    # whole columns have no rows, whole rows no columns
    top, top_fixed = (1, True) if a.row is None else (a.row, a.row_fixed)
    bottom, bottom_fixed = (ROWS, True) if b.row is None else (b.row, b.row_fixed)
    left, left_fixed = (1, True) if a.column is None else (a.column, a.column_fixed)
    last, last_fixed = (COLUMNS, True) if b.column is None else (b.column, b.column_fixed)

    def area(down: int, right: int) -> Area | Error:
        t = top if top_fixed else top + down
        e = bottom if bottom_fixed else bottom + down
        f = left if left_fixed else left + right
        g = last if last_fixed else last + right
        if t > e:
            t, e = e, t
        if f > g:
            f, g = g, f
        if t < 1 or f < 1 or e > ROWS or g > COLUMNS:
            return REF
        return Area(sheet, t, f, e, g)

    if top_fixed and bottom_fixed and left_fixed and last_fixed:
        return compiler.constant(area(0, 0))
    return area


def _between(first: FindArea, last: FindArea) -> FindArea:
    def area(down: int, right: int) -> Area | Error:
        a, b = first(down, right), last(down, right)
        if isinstance(a, Error):
            return a
        if isinstance(b, Error):
            return b
        if a.sheet != b.sheet:
            return VALUE
        top, left = min(a.top, b.top), min(a.left, b.left)
        return Area(a.sheet, top, left, max(a.bottom, b.bottom), max(a.right, b.right))

    return area


def _of_index(compiler: Compiling, arguments: Arguments) -> FindArea:
    area = find_area(compiler, arguments[0])
    at = [compiler.single(argument, rows=False) for argument in arguments[1:3]]

    def part(down: int, right: int) -> Area | Error:
        whole = area(down, right)
        if isinstance(whole, Error):
            return whole
        return part_of(whole, [to_value(k(down, right)) for k in at])

    return part


def resized(area: FindArea, like: FindArea) -> FindArea:
    """A range resized to the size of another: SUMIF uses only its first cell."""

    def result(down: int, right: int) -> Area | Error:
        start, shape = area(down, right), like(down, right)
        if isinstance(start, Error) or isinstance(shape, Error):
            return start if isinstance(start, Error) else REF
        sheet, top, left = start[:3]
        height, width = shape.bottom - shape.top, shape.right - shape.left
        return Area(sheet, top, left, top + height, left + width)

    return result


def part_of(area: Area, at: list[Value]) -> Area | Error:
    """The part of a range that INDEX selects: a cell, a row, a column or the whole."""
    try:
        numbers = [math.floor(to_number(k)) for k in at]
    except Fault as fault:
        return fault.error
    sheet, top, left, bottom, right = area
    if len(numbers) == 1:
        row, column = (0, numbers[0]) if top == bottom and left < right else (numbers[0], 0)
    else:
        row, column = numbers
    if row < 0 or column < 0:
        return VALUE
    if top + row - 1 > bottom or left + column - 1 > right:
        return REF
    if row:
        top = bottom = top + row - 1
    if column:
        left = right = left + column - 1
    return Area(sheet, top, left, bottom, right)


def contents(compiler: Compiling, area: FindArea) -> Closure:
    """The values of cells: rows, or the value of a single one."""
    ranges, known = compiler.book.ranges, compiler.book.known
    if area in compiler.fixed:
        fixed = compiler.fixed[area]
        if isinstance(fixed, Error):
            return compiler.constant(fixed)
        if isinstance(fixed, Area) and fixed[1:3] != fixed[3:]:
            return lambda down, right: ranges[fixed]

    def values(down: int, right: int) -> Argument:
        whole = area(down, right)
        if isinstance(whole, Error):
            return whole
        sheet, top, left, bottom, last = whole
        if top == bottom and left == last:
            cells = known(sheet)
            return REF if cells is None else cells[top, left]
        return ranges[whole]

    return values


def intersection(compiler: Compiling, area: FindArea) -> Closure:
    """The cell of a range in the formula's own row or column."""
    crossing = crossed(compiler)
    return lambda down, right: crossing(area(down, right), down, right)


def crossed(compiler: Compiling) -> Callable[[Area | Error, int, int], Value]:
    """What gives the one cell of a range that is in the formula's own row or column."""
    compiler.placed = True
    own_row, own_column, known = compiler.row, compiler.column, compiler.book.known

    def crossing(whole: Area | Error, down: int, right: int) -> Value:
        if isinstance(whole, Error):
            return whole
        sheet, top, left, bottom, last = whole
        row, column = own_row + down, own_column + right
        if left == last:
            column = left
        if top == bottom:
            row = top
        if not (top <= row <= bottom and left <= column <= last):
            return VALUE
        cells = known(sheet)
        return REF if cells is None else cells[row, column]

    return crossing
