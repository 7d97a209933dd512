"""From the declared parts of a book to its cells: addresses for names, values of formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import NamedTuple

from elo_xl.books.column_words import Look
from elo_xl.books.marks import bring_near
from elo_xl.books.model import Cells, Constant, Declared, Formula, Put, Sheet, Table
from elo_xl.books.names import BLOCKED, EMPTY, INPUT
from elo_xl.books.statements import BookError, ColumnLine, located, refuse
from elo_xl.books.text import clean
from elo_xl.books.typed import settle
from elo_xl.functions.catalogue import PREFIX, find, known
from elo_xl.functions.evaluation import worksheet
from elo_xl.xlsx.accepted import length_problems, tree_problems
from elo_xl.xlsx.cell_xml import CellValue, PlainText, escape
from elo_xl.xlsx.cells import Place
from elo_xl.xlsx.evaluate import ArrayBlock, CellContent, CircularError, Grid, Value, Workbook
from elo_xl.xlsx.fill import Filled, Filler, column_letters, filled
from elo_xl.xlsx.folding import value_of
from elo_xl.xlsx.formula import Call, Node, Reference, parse, rebuilt, to_text, walk
from elo_xl.xlsx.stored import LONGEST


class Held(NamedTuple):
    """A cell of a finished sheet: what it holds, and how a file writes it.

    ``filler`` gives the text of its formula, so many rows ``down``; ``across`` is the range that an
    array formula fills, for its first cell.
    """

    content: Constant | Filled | ArrayBlock
    look: Look
    filler: Filler | None = None
    down: int = 0
    across: str | None = None


FIRST_YEAR: int = 1900

Sheets = Mapping[str, Mapping[Place, Held]]
"""The cells of every sheet, by its title."""


def worked_out(book: Declared) -> Sheets:
    """Find out what every cell of a book holds, and what its formulas give."""
    for declare in book.last:
        declare()
    settle(book)
    bring_near(book)
    held = {sheet.title: _held(sheet) for sheet in book.sheets.values()}
    contents = {
        title: {at: _content(cell.content, title) for at, cell in cells.items()}
        for title, cells in held.items()
    }
    computed = book.computed = Workbook(contents, book.defined, _ours)
    for sheet in book.sheets.values():
        with located(sheet.begun):
            try:
                computed.values(sheet.title)
            except OverflowError as error:
                raise BookError(str(error)) from None
            except CircularError as error:
                own = next(each for each in book.sheets.values() if each.title == error.sheet)
                what, _, cell = str(error).partition(" @ ")
                with located(_place(own, *error.at)):
                    raise BookError(f"{what}, {cell}") from None
    return held


def _place(sheet: Sheet, row: int, column: int) -> str:
    """Where the file says what a cell holds."""
    for table in sheet.tables:
        for line in table.lines:
            if table.first <= row < table.first + table.rows and column in map(
                table.at.__getitem__, line.keys
            ):
                return line.statement.where
    put = sheet.puts.get((row, column))
    return put.where if put else sheet.begun


def values(book: Declared, title: str) -> dict[Place, CellValue]:
    """What the formulas of a sheet give, by row and column."""
    assert book.computed is not None
    return {at: as_seen(value) for at, value in book.computed.values(title).items()}


# -- cells ----------------------------------------------------------------------------------------


def _held(sheet: Sheet) -> dict[Place, Held]:
    """All cells of a sheet, with addresses in their formulas."""
    cells: dict[Place, Held] = {}
    for table in sheet.tables:
        for line in table.lines:
            with located(line.statement.where):
                cells.update(_column(table, line))
    for at, put in sheet.puts.items():
        with located(put.where):
            cells.update(_single(sheet, at, put))
    return cells


def _single(sheet: Sheet, at: Place, put: Put) -> Iterator[tuple[Place, Held]]:
    """A cell that was declared alone, or those that its call fills."""
    value = put.value
    if isinstance(value, Formula):
        value = parse(value.text)
    if value is None or isinstance(value, str | int | float | date):
        yield at, Held(value, put.look)
        return
    tree = sheet.names_at(put.seen.table, put.seen.names).resolve(value, put.seen.row)
    known = value_of(tree)
    if put.across is not None:
        yield from _called(
            _Filling(sheet, tree, *put.across), Cells(sheet, *at, *put.across), [put.look]
        )
    elif known is not None:
        yield at, Held(known, put.look)
    else:
        if has_call(tree):
            sheet.book.calls.add((sheet.title, f"{column_letters(at[1])}{at[0]}"))
        yield at, Held(Filled(tree), put.look, _written(sheet.book, tree))


def _written(book: Declared, tree: Node, heading: str | None = None) -> Filler:
    """The texts of a formula in a file; ``heading`` as in :func:`rendered`.

    Raises BookError for one that Excel would refuse.
    """
    if has_call(tree):
        tree = rendered(book, tree, heading)
        refuse(tree_problems(tree))
    filler = Filler(tree, escape)
    if len(filler.text(0)) > LONGEST:  # escaped it may only seem to be so long
        refuse(length_problems(to_text(tree)))
    return filler


def _column(table: Table, line: ColumnLine) -> Iterator[tuple[Place, Held]]:
    """The cells of a line of a table."""
    formula = line.formula
    if formula is None:
        return _typed(table, line)
    whole_call = isinstance(formula, Call) and formula.name.startswith(PREFIX)
    if len(line.keys) > 1 or (whole_call and "each" not in line.words):
        return _calls(table, line, formula)
    return _formulas(table, line.keys[0], formula)


def _typed(table: Table, line: ColumnLine) -> Iterator[tuple[Place, Held]]:
    """Cells without a formula: typed, or with what stands there for good."""
    for key in line.keys:
        look, column = table.columns[key].look, table.at[key]
        for i in range(table.rows):
            yield (table.first + i, column), Held(table.data.get(i, {}).get(key), look)


def _formulas(table: Table, key: str, formula: Node) -> Iterator[tuple[Place, Held]]:
    """A formula filled down; only where it depends on the row is it resolved again."""
    look, column = table.columns[key].look, table.at[key]
    book, title, letter = table.sheet.book, table.sheet.title, column_letters(column)
    names = table.sheet.names_at(table)
    tree: Node | None = None
    filler: Filler | None = None
    base, called = 0, False
    for i in range(table.rows):
        afresh = names.by_row or i >= names.until or (names.by_group and i % table.group == 0)
        if tree is None or afresh:
            fresh = names.resolve(formula, i, counting=True)
            # one that has only moved down keeps its filler, which is slow to make
            if tree is None or filler is None or fresh != filled(tree, i - base):
                tree, base, filler = fresh, i, None
                called = has_call(tree)
                if value_of(tree) is None and tree not in (INPUT, BLOCKED, EMPTY):
                    filler = _written(book, tree)
        at = table.first + i, column
        if filler is None:
            yield at, _without_formula(table, key, i, tree)
            continue
        if called:
            book.calls.add((title, f"{letter}{at[0]}"))
        yield at, Held(Filled(tree, i - base), look, filler, i - base)


def _without_formula(table: Table, key: str, i: int, tree: Node) -> Held:
    """A cell whose formula came out as a constant, or as typed, crossed out or blank."""
    look = table.columns[key].look
    if tree == INPUT:
        return Held(table.data.get(i, {}).get(key), replace(look, role="input"))
    if tree == BLOCKED:
        return Held(None, Look("blocked", bare=look.bare))
    return Held(None if tree == EMPTY else value_of(tree), look)


def _calls(table: Table, line: ColumnLine, formula: Node) -> Iterator[tuple[Place, Held]]:
    """Calls of a worksheet function that fill a column, or some neighbours, at once or row by
    row."""
    sheet, first = table.sheet, table.at[line.keys[0]]
    looks = [table.columns[key].look for key in line.keys]
    names = sheet.names_at(table)
    tree = names.resolve(formula, 0)
    each = "each" in line.words or names.by_row or names.by_group
    if not each and not (isinstance(tree, Call) and any(map(_moving, tree.arguments))):
        cells = Cells(sheet, table.first, first, table.rows, len(looks))
        yield from _called(_Filling(sheet, tree, table.rows, len(looks)), cells, looks)
        return
    call_, base = _Filling(sheet, tree, 1, len(looks)), 0
    for i in range(table.rows):
        if i and (names.by_row or (names.by_group and i % table.group == 0)):
            call_, base = _Filling(sheet, names.resolve(formula, i), 1, len(looks)), i
        cells = Cells(sheet, table.first + i, first, 1, len(looks))
        yield from _called(call_, cells, looks, i - base)


class _Filling:
    """A call of a worksheet function, and its formulas in the cells that it fills: one array
    formula, or where the flavour has no arrays, a formula a column.

    References without a fixed row are those of the first row.
    """

    def __init__(self, sheet: Sheet, tree: Node, rows: int, columns: int) -> None:
        if not isinstance(tree, Call) or not tree.name.startswith(PREFIX):
            raise BookError("only a worksheet function gives several cells")
        book = sheet.book
        self.whole = Call(tree.name, tuple(_lengthened(a, rows) for a in tree.arguments))
        if book.flavour.one_call:
            self.fillers = [_written(book, self.whole)]
        else:
            headings = find(tree.name).columns or (None,) * columns
            self.fillers = [_written(book, tree, name) for name in headings[:columns]]


def _called(
    call_: _Filling, cells: Cells, looks: Sequence[Look], down: int = 0
) -> Iterator[tuple[Place, Held]]:
    """Cells that a call fills, ``down`` rows below those that it was written for."""
    book = cells.sheet.book
    block = ArrayBlock(call_.whole, cells.row, cells.column, cells.rows, cells.columns, down)
    for j in range(cells.columns):
        look, letter = looks[min(j, len(looks) - 1)], column_letters(cells.column + j)
        for i in range(cells.rows):
            at = cells.row + i, cells.column + j
            if not book.flavour.one_call:
                book.calls.add((cells.sheet.title, f"{letter}{at[0]}"))
                yield at, Held(block, look, call_.fillers[j], down + i)
            elif i == j == 0:
                yield at, Held(block, look, call_.fillers[0], down, cells.area)
            else:
                yield at, Held(block, look)


def _moving(node: Node | None) -> bool:
    """Whether an argument differs from row to row by more than one cell: it is worked out there."""
    return not isinstance(node, Reference | None) and filled(node, 1) != node


def _lengthened(node: Node | None, rows: int) -> Node | None:
    """An argument for a block of rows: a cell of its first row becomes those of all."""
    if isinstance(node, Reference) and rows > 1:
        end = filled(node, rows - 1)
        if end != node and isinstance(end, Reference):
            return Reference(f"{node.text}:{end.text.rpartition('!')[2]}")
    return node


def has_call(tree: Node) -> bool:
    """Whether a formula calls a worksheet function of ours."""
    return any(isinstance(node, Call) and node.name.startswith(PREFIX) for node in walk(tree))


def rendered(book: Declared, tree: Node, heading: str | None = None) -> Node:
    """A formula with our own functions as the flavour writes them.

    ``heading`` names the one of several results that a cell shows.
    """

    def changed(node: Node) -> Node:
        node = rebuilt(node, changed)
        if isinstance(node, Call) and node.name.startswith(PREFIX):
            texts = [None if a is None else to_text(a) for a in node.arguments]
            return parse(book.flavour.call(node.name, texts, heading))
        return node

    return changed(tree)


# -- values ---------------------------------------------------------------------------------------


def _content(content: Constant | Filled | ArrayBlock, title: str) -> CellContent:
    """What a cell of a sheet holds as the evaluator takes it: a date is a number.

    Raises BookError for a date that no spreadsheet has.
    """
    if isinstance(content, date):
        if content.year < FIRST_YEAR:
            raise BookError(f"a spreadsheet has no date before {FIRST_YEAR}: {content} @ {title}")
        from openpyxl.utils.datetime import to_excel

        return float(to_excel(content))  # type: ignore[no-untyped-call]
    return content


def _ours(name: str) -> Callable[..., Value | Grid] | None:
    """One of our worksheet functions for the evaluator: the engine works it out."""
    return None if known(name) is None else partial(worksheet, name)


def as_seen(value: Value) -> CellValue:
    """What a cell shows of the value of its formula."""
    if value is None:
        return ""
    if value.__class__ is str:
        return PlainText(clean(value)) if value else ""
    return value
