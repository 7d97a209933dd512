"""What people have added to a book, on its way into a larger one: sheets of their own, and cells
beside the tables and between them.

Formulas stay formulas if everything that they could mean stands where it stood; else their values
stay.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from elo_xl.books.entries import Entries, Typed, moved_row
from elo_xl.books.model import Sheet
from elo_xl.xlsx.cell_xml import CellValue, unescaped
from elo_xl.xlsx.cells import Place, StoredBook
from elo_xl.xlsx.fill import column_letters

if TYPE_CHECKING:
    from openpyxl import Workbook

    from elo_xl.books.book import Book

Move = tuple[str, Place, str, Place]
"""Sheet and place of a cell in the old file, and those to which it goes."""

_OWN_FORMATS: Final = 164
"""The first number of a format that a workbook defines."""


@dataclass(slots=True)
class Additions:
    """What was added to the book of a file."""

    file: bytes
    stored: StoredBook
    book: Book
    """such a book, empty"""
    entries: Entries
    exact: bool
    """whether this version has made the file, so that all other cells in it are people's"""
    taken: dict[str, int] = field(default_factory=dict)
    """how many of what another book has taken over"""
    notes: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """what it has no place for, as *what @ where*"""

    def into(self, new: Book, made: Workbook) -> dict[tuple[str, str], CellValue]:
        """Put them into the file of another book; gives the values of their formulas."""
        own = [t for t in self.entries.own_sheets if self.exact or not self.stored[t].protected]
        titles = {title.casefold() for title in made.sheetnames}
        kept = [title for title in own if title.casefold() not in titles]
        self.left = [
            f"a sheet whose name another one has @ {title}" for title in own if title not in kept
        ]
        moves = [move for sheet in new.sheets.values() for move in self._moves(new, sheet)]
        counts = {"sheet": len(kept), "cell": len(moves)}
        self.taken = {what: n for what, n in counts.items() if n}
        if not self.taken:
            return {}
        from openpyxl import load_workbook

        try:
            source: Any = load_workbook(io.BytesIO(self.file), rich_text=True)
        except Exception:  # noqa: BLE001  # of what other programs write, openpyxl may raise any
            self.taken, self.left = {}, self.entries.left
            return {}
        inside: Any = made
        styles = _Styles(source, made)
        stay = not self.entries.moved and all(at == place for _, at, _, place in moves)
        values: dict[tuple[str, str], CellValue] = {}
        for title, at, into, place in moves:
            cell, there = source[title].cell(*at), inside[into].cell(*place)
            self._put(cell, there, stay, values)
            there._style, there.comment = styles.of(cell), copy(cell.comment)
        for title in kept:
            sheet = source[title]
            for cell in sheet._cells.values():
                if cell.value is not None:
                    self._put(cell, cell, stay, values)
                cell._style = styles.of(cell)
            for line in (*sheet.row_dimensions.values(), *sheet.column_dimensions.values()):
                line._style = styles.of(line)
            sheet._parent = made  # openpyxl moves no sheet from file to file
            inside._sheets.append(sheet)
        known = {*made.defined_names, *self.book.defined}
        for name, defined in source.defined_names.items() if stay else ():
            if name not in known and not name.casefold().startswith(("elo", "_")):
                made.defined_names[name] = defined
        return values

    def _moves(self, new: Book, sheet: Sheet) -> Iterator[Move]:
        """The cells that people have added to one of the book's sheets."""
        old, entries = self.book.sheets.get(sheet.key), self.entries
        title = entries.titles.get(sheet.key, "" if old is None else old.title)
        if old is None or title not in self.stored or old.set_up.hidden:
            return
        own = set(entries.own_cells.get(sheet.key, ()))
        if self.exact and not entries.moved:
            stored = self.stored[title]
            own |= (stored.cells.keys() | stored.formulas) - self.book.filled_places(title)
            own -= entries.seen.get(title, set())
        taken = new.filled_places(sheet.title)
        right = max((column for _, column in (*taken, *own)), default=0)
        apart: dict[int, int] = {}
        for at in sorted(own):
            row, column = self._row(old, sheet, at[0]), at[1]
            if (row, column) in taken:
                column = apart.setdefault(column, right + 1 + len(apart))
            yield title, at, sheet.title, (row, column)

    def _row(self, old: Sheet, new: Sheet, row: int) -> int:
        """Where a row of a sheet is in the new book: beside the same row of a table, above the
        tables, or below them."""
        there = row
        for table in sorted(old.tables, key=lambda table: table.first):
            other = new.book.tables.get(table.name)
            if other is None:
                continue
            located = self.entries.tables.get(table.name)
            rows = {at: n - 1 for n, at in located.rows.items()} if located else {}
            rows = rows or {table.first + n: n for n in range(table.rows)}
            first, last = min(rows, default=table.first), max(rows, default=table.last)
            if row in rows:
                return other.first + (moved_row(table, Typed(other), rows[row]) or 0)
            if row > last:
                there = row + other.bottom - max(table.bottom, last)
            elif there == row < first:
                there = row + other.first - first
        return there

    def _put(
        self, cell: Any, there: Any, stay: bool, values: dict[tuple[str, str], CellValue]
    ) -> None:
        """Give a cell what another one holds."""
        title, at = cell.parent.title, (cell.row, cell.column)
        stored = self.stored[title].cells.get(at)
        value, kind = cell._value, cell.data_type
        if kind == "f" and stay:
            if stored is not None:
                place = f"{column_letters(there.column)}{there.row}"
                values[there.parent.title, place] = stored.value
        elif kind == "f":
            self.notes = ["of formulas of your own only the values stay: cells stand elsewhere now"]
            value = None if stored is None else stored.value
            kind = "s" if isinstance(value, str) else "n"
        if type(value) is str and kind == "s":
            value = unescaped(value)
        there._value, there.data_type = value, kind


class _Styles:
    """The looks of one file's cells, as those of another one."""

    def __init__(self, source: Any, made: Any) -> None:
        self.source, self.made = source, made

    def of(self, styled: Any) -> Any:
        """The style of a cell, row or column."""
        style = copy(styled._style)
        for key in ("font", "fill", "border", "protection", "alignment"):
            known = getattr(self.source, f"_{key}s")[getattr(style, f"{key}Id")]
            setattr(style, f"{key}Id", getattr(self.made, f"_{key}s").add(known))
        if style.numFmtId >= _OWN_FORMATS:
            form = self.source._number_formats[style.numFmtId - _OWN_FORMATS]
            style.numFmtId = self.made._number_formats.add(form) + _OWN_FORMATS
        style.xfId = 0
        return style
