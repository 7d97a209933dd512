"""The values of a workbook's formulas, computed from their trees.

A formula is compiled once, however many cells it fills, and every cell is computed once, when it
is first asked for. A long chain of cells, each of which reads the one above, is worked off from a
stack of its own, so that no limit of Python's is met.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, NamedTuple, TypeVar

from elo_xl.xlsx.fill import COLUMNS, ROWS, Filled, column_letters
from elo_xl.xlsx.formula import FormulaError, Name, Node, parse, walk
from elo_xl.xlsx.spreadsheet.compiling import Compiler
from elo_xl.xlsx.spreadsheet.references import Area, Closure, Known, Own
from elo_xl.xlsx.spreadsheet.values import (
    NA,
    REF,
    SEVERAL,
    Error,
    Grid,
    RangeValues,
    Value,
    to_grid,
    to_value,
)

__all__ = [
    "ArrayBlock",
    "CellContent",
    "CircularError",
    "Error",
    "Filled",
    "Grid",
    "Value",
    "Workbook",
]


class CircularError(ValueError):
    """The cell at ``at``, row and column, of a sheet depends on its own value."""

    def __init__(self, sheet: str, at: tuple[int, int]) -> None:
        super().__init__(
            f"the cell depends on its own value @ {sheet}!{column_letters(at[1])}{at[0]}"
        )
        self.sheet, self.at = sheet, at


@dataclass(frozen=True, slots=True, eq=False)
class ArrayBlock:
    """One array formula that fills ``rows`` x ``columns`` cells from (``row``, ``column``) on.

    ``tree`` is written for a place ``down`` rows above.
    """

    tree: Node
    row: int
    column: int
    rows: int
    columns: int
    down: int = 0


CellContent = float | str | bool | None | Filled | ArrayBlock
"""The content of one cell of a sheet."""

T = TypeVar("T")

FRAMES: Final = 500
"""The number of nested calls after which a chain of cells is cut."""


SHORT: Final = 255
"""The length of a text that does not fill the memory."""
MOST_LETTERS: Final = 100_000_000
"""The letters in all longer texts that formulas make."""


class _Needed(Exception):  # noqa: N818 - not an error
    """Raised if a chain of cells gets too long: this cell must be computed first."""

    def __init__(self, sheet: _SheetValues, at: tuple[int, int]) -> None:
        super().__init__()
        self.sheet = sheet
        self.at = at


class _Compiled(NamedTuple):
    tree: Node  # kept, because it is found by its identity
    closure: Closure
    frames: int  # the number of nested calls it takes


class _SheetValues(dict[tuple[int, int], Value]):
    """The values of a sheet; a value is computed when it is first requested."""

    def __init__(
        self, book: Workbook, title: str, cells: Mapping[tuple[int, int], CellContent]
    ) -> None:
        super().__init__()
        self.book = book
        self.title = title
        self.formulas: dict[tuple[int, int], Filled | ArrayBlock] = {}
        self.compiled: dict[object, _Compiled] = {}
        self.rows, self.columns = (max(map(itemgetter(i), cells), default=0) for i in (0, 1))
        for at, cell in cells.items():
            if isinstance(cell, (Filled, ArrayBlock)):
                self.formulas[at] = cell
            elif cell.__class__ is int:
                self[at] = float(cell)
            else:
                self[at] = cell
        self.pending = self.formulas.copy()  # not yet computed, nor being computed

    def __missing__(self, at: tuple[int, int]) -> Value:
        content = self.pending.pop(at, None)
        if content is None:
            if at in self.formulas:
                raise CircularError(self.title, at)
            outside: Value = REF if at[0] < 1 or at[1] < 1 else None
            self[at] = outside
            return outside
        book, frames = self.book, 0
        try:
            plain = content.__class__ is Filled
            compiled = self.compiled.get(id(content.tree)) if plain else None
            if compiled is None:
                compiled = book.compiled(content, self, at)
            if book.frames and book.frames + compiled.frames > FRAMES:
                raise _Needed(self, at)
            frames = compiled.frames
            book.frames += frames
            if isinstance(content, Filled):
                value = compiled.closure(content.down, content.right)
            else:
                value = book.of_block(content, compiled.closure, at)
        except BaseException:
            self.pending[at] = content
            raise
        finally:
            book.frames -= frames
        shown = to_value(value)
        if shown is None:
            shown = 0.0
        elif shown.__class__ is str and len(shown) > SHORT:
            book.letters += len(shown)
            if book.letters > MOST_LETTERS:
                raise OverflowError(f"long texts have more than {MOST_LETTERS:,} characters in all")
        self[at] = shown
        return shown


class _Ranges(dict[Area, RangeValues]):
    """The ranges read so far."""

    def __init__(self, sheets: Mapping[str, _SheetValues]) -> None:
        super().__init__()
        self.sheets = sheets

    def __missing__(self, area: Area) -> RangeValues:
        title, top, left, bottom, right = area
        sheet = self.sheets[title.casefold()]
        if bottom == ROWS:  # whole columns end at the last row of the sheet
            bottom = max(top, sheet.rows)
        if right == COLUMNS:
            right = max(left, sheet.columns)
        whole = Area(title, top, left, bottom, right)
        cells = self.get(whole)
        if cells is None:
            columns = range(left, right + 1)
            # ranges that grow down a column have the one of the row above in them
            above = self.get(Area(title, top, left, bottom - 1, right)) if bottom > top else None
            rows: list[list[Value]] = [] if above is None else list(above)
            begin = top + len(rows)
            if left == right:
                rows += [[sheet[i, left]] for i in range(begin, bottom + 1)]
            else:
                rows += [[sheet[i, j] for j in columns] for i in range(begin, bottom + 1)]
            cells = RangeValues(rows)
            self[whole] = cells
        self[area] = cells
        return cells


class Workbook:
    """Sheets of constants and formulas that compute what their cells show.

    >>> double = Filled(parse("2*A1"))
    >>> book = Workbook({"Sheet": {(1, 1): 21.0, (1, 2): double}})
    >>> book.value("Sheet", 1, 2)
    42.0

    ``sheets`` holds the cells of each sheet, by title and (row, column) from 1; ``names`` what
    defined names stand for, such as ``"Sheet!$A$1:$A$9"``; ``functions`` gives a worksheet function
    beside those of every spreadsheet, by its name in capitals. It is called with a value for each
    single cell or constant, rows for a range and None for an omitted argument.

    Raises CircularError if a requested cell depends on its own value, OverflowError if the texts of
    all cells would fill the memory.
    """

    def __init__(
        self,
        sheets: Mapping[str, Mapping[tuple[int, int], CellContent]],
        names: Mapping[str, str] = {},
        functions: Callable[[str], Own | None] = lambda _: None,
    ) -> None:
        self._names = {name.casefold(): text for name, text in names.items()}
        self._named: dict[str, Node | None] = {}
        self.own = functions
        self._sheets = {
            title.casefold(): _SheetValues(self, title, cells) for title, cells in sheets.items()
        }
        self.ranges = _Ranges(self._sheets)
        self._blocks: dict[int, tuple[ArrayBlock, Grid]] = {}
        self.letters = 0
        self.frames = 0  # the number of nested calls that are under way

    def named(self, name: str) -> Node | None:
        """The meaning of a defined name, or None; a name local to a sheet counts like any other."""
        key = name.rpartition("!")[2].casefold()
        if key not in self._named:
            self._named[key] = None  # even while it is read, in case it refers to itself
            try:
                tree = parse(self._names[key])
            except (KeyError, FormulaError):
                return None
            names = [node.text for node in walk(tree) if isinstance(node, Name)]
            if all(self.named(n) or n.casefold() not in self._names for n in names):
                self._named[key] = tree
        return self._named[key]

    def known(self, sheet: str) -> Known | None:
        """The values of a sheet, computed on demand; None for an unknown sheet."""
        return self._sheets.get(sheet.casefold())

    def value(self, sheet: str, row: int, column: int) -> Value:
        """The value that a cell shows: a formula that gives a blank shows 0."""
        return self._shown(self._sheets[sheet.casefold()], (row, column))

    def values(self, sheet: str) -> dict[tuple[int, int], Value]:
        """The values that all formulas of a sheet show, by (row, column).

        This is faster than one by one, because garbage collection is off meanwhile: it would look
        through everything that formulas are compiled to, again and again.
        """
        collecting = gc.isenabled()
        gc.disable()
        try:
            values = self._sheets[sheet.casefold()]
            shown: dict[tuple[int, int], Value] = {}
            for at in values.formulas:
                try:
                    shown[at] = values[at]
                except _Needed:
                    shown[at] = self._shown(values, at)
            return shown
        finally:
            if collecting:
                gc.enable()

    def evaluate(
        self, tree: Node, sheet: str, row: int, column: int, down: int = 0, right: int = 0
    ) -> Value | Grid:
        """The value of any formula seen from a cell, such as the rule of a conditional format.

        ``row`` and ``column`` are those of the cell that the formula is written for, ``down`` and
        ``right`` say how far from there the cell is that it is worked out for.
        """
        compiled = self._compile(tree, self._sheets[sheet.casefold()], row, column)
        value = self._settled(lambda: compiled.closure(down, right))
        return to_grid(value) if isinstance(value, SEVERAL) else value

    def _shown(self, sheet: _SheetValues, at: tuple[int, int]) -> Value:
        return self._settled(lambda: sheet[at])

    def _settled(self, work: Callable[[], T]) -> T:
        """The result of ``work``, after computing the cells that it needs."""
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
                    raise CircularError(*where) from None
                places.add(where)
                waiting.append(needed)

    def of_block(self, block: ArrayBlock, closure: Closure, at: tuple[int, int]) -> Value:
        """One cell of an array formula, which is computed only once."""
        kept = self._blocks.get(id(block))
        if kept is None:
            kept = self._blocks[id(block)] = block, to_grid(closure(block.down, 0))
        grid = kept[1]
        row, column = at
        # one row, one column or one value fills the whole block
        i = 0 if len(grid) == 1 else row - block.row
        j = 0 if len(grid[0]) == 1 else column - block.column
        return grid[i][j] if i < len(grid) and j < len(grid[0]) else NA

    def compiled(
        self, content: Filled | ArrayBlock, sheet: _SheetValues, at: tuple[int, int]
    ) -> _Compiled:
        """What a cell holds, as a function of (down, right)."""
        if isinstance(content, Filled):
            row, column = at[0] - content.down, at[1] - content.right
            return self._compile(content.tree, sheet, row, column)
        top = content.row - content.down
        return self._compile(content.tree, sheet, top, content.column, rows=True)

    def _compile(
        self, tree: Node, sheet: _SheetValues, row: int, column: int, *, rows: bool = False
    ) -> _Compiled:
        """A tree as a function of (down, right), compiled once for all cells that it fills."""
        key: object = (id(tree), rows) if rows else id(tree)
        place = key, row, column
        kept = sheet.compiled.get(key) or sheet.compiled.get(place)
        if kept is None:
            compiler = Compiler(self, sheet.title, row, column)
            closure = (compiler.compile if rows else compiler.single)(tree, rows)
            kept = _Compiled(tree, closure, 2 * compiler.depth + 4)
            sheet.compiled[place if compiler.placed else key] = kept
        return kept
