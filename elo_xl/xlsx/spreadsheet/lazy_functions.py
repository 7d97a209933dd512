"""Functions that evaluate their arguments themselves: conditions and functions of references.

Each makes a closure from the unevaluated arguments. With ``rows``, all cells of a
range count, as in an array formula.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from elo_xl.xlsx.formula import FALSE, Call, Constant
from elo_xl.xlsx.spreadsheet.operators import COMPARISONS, safely
from elo_xl.xlsx.spreadsheet.range_functions import OF_RANGES
from elo_xl.xlsx.spreadsheet.references import (
    Area,
    Arguments,
    Closure,
    Compiling,
    Rows,
    contents,
    crossed,
    find_area,
    part_of,
    refers,
    resized,
)
from elo_xl.xlsx.spreadsheet.value_functions import is_error, is_na
from elo_xl.xlsx.spreadsheet.values import (
    NA,
    REF,
    SEVERAL,
    VALUE,
    Argument,
    Error,
    Fault,
    RangeValues,
    Value,
    each,
    to_cells,
    to_number,
    to_truth,
    to_value,
)


def _if(compiler: Compiling, arguments: Arguments, rows: Rows) -> Closure:
    if not 2 <= len(arguments) <= 3:
        return compiler.constant(VALUE)
    test = compiler.single(arguments[0], rows)
    # a skipped argument is 0, a missing one FALSE
    yes, no = [
        compiler.constant(0.0) if branch is None else compiler.compile(branch, rows)
        for branch in (*arguments[1:], FALSE)[:2]
    ]

    def pick(condition: Value, first: Value, second: Value) -> Value:
        try:
            return first if to_truth(condition) else second
        except Fault as fault:
            return fault.error

    def chosen(down: int, right: int) -> Argument:
        condition = test(down, right)
        if condition is True:
            return yes(down, right)
        if condition is False:
            return no(down, right)
        if isinstance(condition, SEVERAL):
            return each(pick, condition, yes(down, right), no(down, right))
        try:
            return yes(down, right) if to_truth(condition) else no(down, right)
        except Fault as fault:
            return fault.error

    known = compiler.fixed.get(test)
    if isinstance(known, bool):
        return yes if known else no
    return chosen


def _unless(
    bad: Callable[[Value], bool], compiler: Compiling, arguments: Arguments, rows: Rows
) -> Closure:
    """IFERROR and IFNA."""
    if len(arguments) != 2:
        return compiler.constant(VALUE)
    value, other = [compiler.single(argument, rows) for argument in arguments]

    def unless(down: int, right: int) -> Argument:
        argument = value(down, right)
        if isinstance(argument, SEVERAL):
            return each(lambda v, o: o if bad(v) else v, argument, other(down, right))
        return other(down, right) if bad(argument) else argument

    return compiler.folded(unless, value, other)


def _ifs(compiler: Compiling, arguments: Arguments, rows: Rows) -> Closure:
    if not arguments or len(arguments) % 2:
        return compiler.constant(NA)
    rest: Call | Constant = Constant("#N/A")
    for test, value in zip(arguments[-2::-2], arguments[::-2], strict=True):
        rest = Call("IF", (test, value, rest))
    return compiler.compile(rest, rows)


def _switch(compiler: Compiling, arguments: Arguments, rows: Rows) -> Closure:
    if len(arguments) < 3:
        return compiler.constant(VALUE)
    wanted = compiler.single(arguments[0], rows)
    cases = [compiler.single(case, rows) for case in arguments[1:-1:2]]
    results = [compiler.compile(result, rows) for result in arguments[2::2]]
    pairs = list(zip(cases, results, strict=True))
    other = compiler.constant(NA) if len(arguments) % 2 else compiler.compile(arguments[-1], rows)
    same = COMPARISONS["="]

    def switch(down: int, right: int) -> Argument:
        value = wanted(down, right)
        if isinstance(value, Error):
            return value
        for case, result in pairs:
            if same(value, case(down, right)) is True:
                return result(down, right)
        return other(down, right)

    return switch


def _choose(compiler: Compiling, arguments: Arguments, rows: Rows) -> Closure:
    if len(arguments) < 2:
        return compiler.constant(VALUE)
    which = compiler.single(arguments[0], rows)
    choices = [compiler.compile(argument, rows) for argument in arguments[1:]]

    def place(of: Value) -> int | Error:
        try:
            k = int(to_number(of))
        except Fault as fault:
            return fault.error
        return k if 1 <= k <= len(choices) else VALUE

    def pick(of: Value, *values: Value) -> Value:
        k = place(of)
        return k if isinstance(k, Error) else values[k - 1]

    def choose(down: int, right: int) -> Argument:
        of = which(down, right)
        if isinstance(of, SEVERAL):
            return each(pick, of, *[choice(down, right) for choice in choices])
        k = place(of)
        return k if isinstance(k, Error) else choices[k - 1](down, right)

    return choose


def _together(
    name: str, neutral: bool, compiler: Compiling, arguments: Arguments, rows: Rows
) -> Closure:
    """AND and OR, which most often join conditions."""
    values = [compiler.inside(argument, rows) for argument in arguments]
    general = safely(OF_RANGES[name])

    def together(down: int, right: int) -> Argument:
        result = neutral
        for value in values:
            truth = value(down, right)
            if truth is neutral:
                continue
            if truth.__class__ is not bool:
                return general(*[value(down, right) for value in values])
            result = truth
        return result

    return compiler.folded(together, *values) if values else compiler.constant(VALUE)


def _row(compiler: Compiling, arguments: Arguments, rows: Rows) -> Closure:
    if arguments:
        return _lines(compiler, arguments, rows, across=False)
    compiler.placed = True
    row = compiler.row
    return lambda down, right: float(row + down)


def _column(compiler: Compiling, arguments: Arguments, rows: Rows) -> Closure:
    if arguments:
        return _lines(compiler, arguments, rows, across=True)
    compiler.placed = True
    column = compiler.column
    return lambda down, right: float(column + right)


def _lines(compiler: Compiling, arguments: Arguments, rows: Rows, *, across: bool) -> Closure:
    """The numbers of the rows or columns of a reference."""
    if len(arguments) != 1 or not refers(compiler.book, arguments[0]):
        return compiler.constant(VALUE)
    area = find_area(compiler, arguments[0])

    def lines(down: int, right: int) -> Argument:
        cells = area(down, right)
        if isinstance(cells, Error):
            return cells
        first, last = (cells.left, cells.right) if across else (cells.top, cells.bottom)
        if first == last or not rows:
            return float(first)
        numbers = np.arange(first, last + 1, dtype=float)
        return numbers.reshape((1, -1) if across else (-1, 1))

    return compiler.folded(lines, area)


def _size(across: bool, compiler: Compiling, arguments: Arguments, rows: Rows) -> Closure:
    """ROWS and COLUMNS."""
    if len(arguments) != 1:
        return compiler.constant(VALUE)
    if refers(compiler.book, arguments[0]):
        area = find_area(compiler, arguments[0])

        def size(down: int, right: int) -> Value:
            cells = area(down, right)
            if isinstance(cells, Error):
                return cells
            _, top, left, bottom, last = cells
            return float(last - left + 1 if across else bottom - top + 1)

        return compiler.folded(size, area)
    value = compiler.compile(arguments[0], bool(rows))

    def length(down: int, right: int) -> Value:
        grid = to_cells(value(down, right))
        return float(len(grid[0]) if across else len(grid))

    return compiler.folded(length, value)


def _index(compiler: Compiling, arguments: Arguments, rows: Rows) -> Closure:
    if not 2 <= len(arguments) <= 3:
        return compiler.constant(VALUE)
    at = [compiler.single(argument, rows) for argument in arguments[1:]]
    if not refers(compiler.book, arguments[0]):
        grid = compiler.compile(arguments[0], rows=True)

        def item(down: int, right: int) -> Argument:
            return _picked(to_cells(grid(down, right)), [k(down, right) for k in at])

        return compiler.folded(item, grid, *at)
    # of a reference only the cell that is picked is worked out: the others may wait for this one
    area, known, ranges = (
        find_area(compiler, arguments[0]),
        compiler.book.known,
        compiler.book.ranges,
    )
    crossing = crossed(compiler) if rows is None else None

    def content(part: Area | Error, down: int, right: int) -> Argument:
        if isinstance(part, Error):
            return part
        sheet, top, left, bottom, last = part
        if top == bottom and left == last:
            cells = known(sheet)
            return REF if cells is None else cells[top, left]
        return ranges[part] if crossing is None else crossing(part, down, right)

    def of_area(down: int, right: int) -> Argument:
        whole = area(down, right)
        if isinstance(whole, Error):
            return whole
        where = [k(down, right) for k in at]
        if any(isinstance(k, SEVERAL) for k in where):
            return each(
                lambda *one: to_value(content(part_of(whole, list(one)), down, right)), *where
            )
        return content(part_of(whole, [to_value(k) for k in where]), down, right)

    place = compiler.fixed.get(area)
    if len(at) == 1 and isinstance(place, Area) and place.left == place.right:
        return _item_of_column(compiler, place, at[0], of_area)
    return of_area


def _item_of_column(compiler: Compiling, area: Area, at: Closure, general: Closure) -> Closure:
    """INDEX of one fixed column, as in most calls."""
    sheet, top, left, bottom, _ = area
    cells = compiler.book.known(sheet)
    assert cells is not None
    known, above, size = cells, top - 1, bottom - top + 2

    def item(down: int, right: int) -> Argument:
        k = at(down, right)
        if k.__class__ is float and 1 <= k < size:
            return known[above + int(k), left]
        return k if k.__class__ is Error else general(down, right)

    return item


def _picked(grid: RangeValues, at: list[Argument]) -> Argument:
    """The result of INDEX for rows that are not on a sheet."""
    if any(isinstance(k, SEVERAL) for k in at):
        return each(lambda *one: to_value(_picked(grid, list(one))), *at)
    part = part_of(Area("", 1, 1, len(grid), len(grid[0])), [to_value(k) for k in at])
    if isinstance(part, Error):
        return part
    rows = [row[part.left - 1 : part.right] for row in grid[part.top - 1 : part.bottom]]
    return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else RangeValues(rows)


def _if_of_range(name: str, compiler: Compiling, arguments: Arguments, rows: Rows) -> Closure:
    """SUMIF and AVERAGEIF: the range that is added takes the size of the range that is tested."""
    if len(arguments) not in (2, 3):
        return compiler.constant(VALUE)
    values = [compiler.inside(argument, rows) for argument in arguments]
    values[1] = compiler.single(arguments[1], rows)
    if len(arguments) == 3 and all(refers(compiler.book, arguments[i]) for i in (0, 2)):
        cells, where = (find_area(compiler, arguments[i]) for i in (2, 0))
        values[2] = contents(compiler, compiler.folded(resized(cells, where), cells, where))
    function = safely(OF_RANGES[name])
    return lambda down, right: function(*[value(down, right) for value in values])


LAZY: Final[dict[str, Callable[[Compiling, Arguments, Rows], Closure]]] = {
    "IF": _if,
    "IFERROR": partial(_unless, is_error),
    "IFNA": partial(_unless, is_na),
    "IFS": _ifs,
    "SWITCH": _switch,
    "CHOOSE": _choose,
    "AND": partial(_together, "AND", True),
    "OR": partial(_together, "OR", False),
    "ROW": _row,
    "COLUMN": _column,
    "ROWS": partial(_size, False),
    "COLUMNS": partial(_size, True),
    "INDEX": _index,
    "SUMIF": partial(_if_of_range, "SUMIF"),
    "AVERAGEIF": partial(_if_of_range, "AVERAGEIF"),
}
