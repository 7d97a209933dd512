"""Values of a workbook's formulas, worked out from their trees.

A formula is compiled once, however many cells it fills, and every cell is computed once, when it
is first asked for. A long chain of cells, each of which reads the one above, is worked off from a
stack of its own, so that no limit of Python's is met.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from elo_xl.xlsx.compile_formula import Area, Closure, Compiler, from_outside
from elo_xl.xlsx.fill import Filled, place
from elo_xl.xlsx.formula import Node, parse
from elo_xl.xlsx.values import NA, REF, Cells, Error, Grid, Value, is_grid

if TYPE_CHECKING:
    import openpyxl

__all__ = [
    "ArrayBlock",
    "Cell",
    "CircularError",
    "Error",
    "Filled",
    "Grid",
    "Value",
    "Workbook",
]


class CircularError(ValueError):
    """A cell that needs its own value; the message names it."""


@dataclass(frozen=True, slots=True, eq=False)
class ArrayBlock:
    """One array formula that fills ``rows`` x ``columns`` cells from (``row``, ``column``) on."""

    tree: Node
    row: int
    column: int
    rows: int
    columns: int


Cell = float | str | bool | None | Filled | ArrayBlock
"""What a sheet holds at a place."""

FRAMES: Final = 250
"""How many calls inside one another cells may take before a chain of them is cut."""


class _Needed(Exception):  # noqa: N818 - no error
    """Raised where a chain of cells gets too long: this one has to be computed first."""

    def __init__(self, sheet: _Sheet, at: tuple[int, int]) -> None:
        super().__init__()
        self.sheet = sheet
        self.at = at


class _Sheet(dict[tuple[int, int], Value]):
    """The values of a sheet; one that is asked for and not there yet is computed."""

    def __init__(self, book: Workbook, title: str, cells: Mapping[tuple[int, int], Cell]) -> None:
        super().__init__()
        self.book = book
        self.title = title
        self.formulas: dict[tuple[int, int], Filled | ArrayBlock] = {}
        self.rows = self.columns = 0
        for at, cell in cells.items():
            self.rows, self.columns = max(self.rows, at[0]), max(self.columns, at[1])
            if isinstance(cell, (Filled, ArrayBlock)):
                self.formulas[at] = cell
            elif cell.__class__ is int:
                self[at] = float(cell)
            else:
                self[at] = cell

    def __missing__(self, at: tuple[int, int]) -> Value:
        if at in self.formulas:
            return self.book._compute(self, at)
        found: Value = REF if at[0] < 1 or at[1] < 1 else None
        self[at] = found
        return found


class _Ranges(dict[Area, Cells]):
    """Ranges that were read once."""

    def __init__(self, sheets: Mapping[str, _Sheet]) -> None:
        super().__init__()
        self.sheets = sheets

    def __missing__(self, area: Area) -> Cells:
        title, top, left, bottom, right = area
        sheet = self.sheets[title.casefold()]
        # whole columns end where the sheet does
        bottom = max(top, min(bottom, sheet.rows))
        right = max(left, min(right, sheet.columns))
        whole = Area(title, top, left, bottom, right)
        cells = self.get(whole)
        if cells is None:
            columns = range(left, right + 1)
            cells = Cells([[sheet[i, j] for j in columns] for i in range(top, bottom + 1)])
            self[whole] = cells
        self[area] = cells
        return cells


class Workbook:
    """Sheets of constants and formulas, whose cells can be asked for what they show.

    >>> double = Filled(parse("2*A1"))
    >>> book = Workbook({"Sheet": {(1, 1): 21.0, (1, 2): double}})
    >>> book.value("Sheet", 1, 2)
    42.0

    ``sheets`` holds by title what stands at (row, column), both counted from 1; ``names`` what
    defined names stand for, such as ``"Sheet!$A$1:$A$9"``; ``functions`` worksheet functions beside
    those of every spreadsheet. They are called with a value for each single cell or constant, rows
    for a range and None for an argument left out.

    Raises CircularError when a cell is asked for that needs its own value.
    """

    def __init__(
        self,
        sheets: Mapping[str, Mapping[tuple[int, int], Cell]],
        names: Mapping[str, str] = {},
        functions: Mapping[str, Callable[..., Any]] = {},
    ) -> None:
        self.names = {name.casefold(): text for name, text in names.items()}
        self.functions = {name.upper(): function for name, function in functions.items()}
        self._sheets = {
            title.casefold(): _Sheet(self, title, cells) for title, cells in sheets.items()
        }
        self.ranges = _Ranges(self._sheets)
        self._compiled: dict[tuple[Any, ...], tuple[Node, Closure, int]] = {}
        self._blocks: dict[int, tuple[ArrayBlock, Any]] = {}
        self._busy: set[tuple[str, tuple[int, int]]] = set()
        self._frames = 0

    @classmethod
    def of(
        cls, book: openpyxl.Workbook, functions: Mapping[str, Callable[..., Any]] = {}
    ) -> Workbook:
        """The cells of an openpyxl workbook; dates are their serial numbers."""
        from openpyxl.worksheet.formula import ArrayFormula

        sheets: dict[str, dict[tuple[int, int], Cell]] = {}
        names = {name: str(defined.attr_text) for name, defined in book.defined_names.items()}
        for sheet in book.worksheets:
            cells = sheets[sheet.title] = {}
            for row in sheet.iter_rows():
                for cell in row:
                    content: Any = cell.value
                    at = int(cell.row or 0), int(cell.column or 0)
                    if isinstance(content, ArrayFormula):
                        _spread(cells, parse(str(content.text)), str(content.ref))
                    elif cell.data_type == "f":
                        cells[at] = Filled(parse(str(content)))
                        # written for this cell, so nothing moves
                    elif content is not None:
                        cells[at] = _constant(content, cell.data_type)
            for table in sheet.tables.values():
                names |= _columns(sheet.title, table)
        return cls(sheets, names, functions)

    def known(self, sheet: str) -> Mapping[tuple[int, int], Value] | None:
        """The values of a sheet, which compute themselves; None for a sheet that is not there."""
        return self._sheets.get(sheet.casefold())

    def value(self, sheet: str, row: int, column: int) -> Value:
        """What a cell shows: a formula that gives a blank shows 0."""
        values = self._sheets[sheet.casefold()]
        return self._settled(lambda: values[row, column])  # type: ignore[no-any-return]

    def evaluate(
        self, tree: Node, sheet: str, row: int, column: int, down: int = 0, right: int = 0
    ) -> Value | Grid:
        """Any formula as seen from a cell, such as the rule of a conditional format.

        ``row`` and ``column`` are those of the cell that the formula is written for, ``down`` and
        ``right`` say how far from there the cell is that it is worked out for.
        """
        closure, _ = self._closure(tree, sheet, row, column, rows=False)
        found = self._settled(lambda: closure(down, right))
        if isinstance(found, np.ndarray):
            return found.tolist()  # type: ignore[no-any-return]
        return found  # type: ignore[no-any-return]

    def _settled(self, work: Callable[[], Any]) -> Any:
        """What work gives, after the cells have been computed that it needs first."""
        waiting: list[_Needed] = []
        places: set[tuple[str, tuple[int, int]]] = set()
        while True:
            try:
                if not waiting:
                    return work()
                top = waiting[-1]
                top.sheet[top.at]
                waiting.pop()
                places.discard((top.sheet.title, top.at))
            except _Needed as needed:
                where = needed.sheet.title, needed.at
                if where in places:
                    raise _circular(*where) from None
                places.add(where)
                waiting.append(needed)

    def _compute(self, sheet: _Sheet, at: tuple[int, int]) -> Value:
        content = sheet.formulas[at]
        where = sheet.title, at
        if where in self._busy:
            raise _circular(*where)
        row, column = at
        if isinstance(content, Filled):
            closure, depth = self._closure(
                content.tree, sheet.title, row - content.down, column - content.right, rows=False
            )
        else:
            closure, depth = self._closure(
                content.tree, sheet.title, content.row, content.column, rows=True
            )
        if self._frames and self._frames + depth > FRAMES:
            raise _Needed(sheet, at)
        self._frames += depth
        self._busy.add(where)
        try:
            if isinstance(content, Filled):
                found = closure(content.down, content.right)
                if is_grid(found):
                    found = from_outside(found[0][0])
            else:
                found = self._of_block(content, closure, row, column)
        finally:
            self._frames -= depth
            self._busy.discard(where)
        shown: Value = 0.0 if found is None else found
        sheet[at] = shown
        return shown

    def _of_block(self, block: ArrayBlock, closure: Closure, row: int, column: int) -> Any:
        """One cell of an array formula, which is worked out once."""
        kept = self._blocks.get(id(block))
        if kept is None:
            kept = self._blocks[id(block)] = block, closure(0, 0)
        found = kept[1]
        if not is_grid(found):
            return found
        grid = found.tolist() if isinstance(found, np.ndarray) else found
        i, j = row - block.row, column - block.column
        i, j = 0 if len(grid) == 1 else i, 0 if len(grid[0]) == 1 else j
        return grid[i][j] if i < len(grid) and j < len(grid[0]) else NA

    def _closure(
        self, tree: Node, sheet: str, row: int, column: int, *, rows: bool
    ) -> tuple[Closure, int]:
        """A tree as a function of (down, right), and how deep it is."""
        key = id(tree), sheet, rows
        kept = self._compiled.get(key) or self._compiled.get((*key, row, column))
        if kept is None:
            compiler = Compiler(self, sheet, row, column)
            compile_ = compiler.compile if rows else compiler.single
            closure, depth = compile_(tree, rows), 2 * compiler.depth(tree) + 4
            kept = tree, closure, depth
            self._compiled[(*key, row, column) if compiler.placed else key] = kept
        return kept[1], kept[2]


def _circular(sheet: str, at: tuple[int, int]) -> CircularError:
    from elo_xl.xlsx.fill import column_letters

    return CircularError(f"the cell needs its own value @ {sheet}!{column_letters(at[1])}{at[0]}")


def _spread(cells: dict[tuple[int, int], Cell], tree: Node, reference: str) -> None:
    """One array formula in all the cells of its range."""
    found = place(reference)
    assert found is not None
    first, last = found.first, found.last or found.first
    assert first.row
    assert first.column
    assert last.row
    assert last.column
    block = ArrayBlock(
        tree, first.row, first.column, last.row - first.row + 1, last.column - first.column + 1
    )
    for row in range(first.row, last.row + 1):
        for column in range(first.column, last.column + 1):
            cells[row, column] = block


_EPOCH: Final = datetime(1899, 12, 30)


def _constant(content: Any, kind: str) -> Cell:
    if isinstance(content, datetime):
        return (content - _EPOCH) / timedelta(days=1)
    if isinstance(content, date):
        return float((content - _EPOCH.date()).days)
    if isinstance(content, time):
        return (datetime.combine(_EPOCH, content) - _EPOCH) / timedelta(days=1)
    if isinstance(content, timedelta):
        return content / timedelta(days=1)
    if kind == "e":
        return Error(content)
    if isinstance(content, str):
        return str(content)
    return content if isinstance(content, bool) else float(content)


def _columns(sheet: str, table: Any) -> dict[str, str]:
    """The columns of a table by the names that formulas call them."""
    found = place(table.ref)
    assert found is not None
    assert found.last is not None
    first, last = found.first, found.last
    assert first.row
    assert first.column
    assert last.row
    quoted = "'" + sheet.replace("'", "''") + "'"
    from elo_xl.xlsx.fill import column_letters

    names = {}
    for i, column in enumerate(table.tableColumns):
        letters = column_letters(first.column + i)
        top, bottom = first.row + 1, last.row - (table.totalsRowCount or 0)
        names[f"{table.displayName}[{column.name}]"] = (
            f"{quoted}!${letters}${top}:${letters}${bottom}"
        )
    return names
