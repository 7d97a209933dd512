"""A filled book as its file has it, and values that are to be written into single cells of it.

Whatever somebody has added to the file stays; sheets, columns and rows are found by their texts, as
:mod:`elo_xl.books.entries` finds them.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from elo_xl.books.entries import read_entries
from elo_xl.books.identity import identity
from elo_xl.books.texts import texts
from elo_xl.club.recalculating import showing
from elo_xl.templates.opened import EntriesError, book_in
from elo_xl.xlsx.cells import Place
from elo_xl.xlsx.edit import NewValue, edited, from_1904, given_back, serial
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.in_place import read_parts, with_parts
from elo_xl.xlsx.opc import Parts


class ChangedBook:
    """A filled book, and the values that are to be written into it."""

    def __init__(self, file: bytes, template: str = "") -> None:
        """Read the file of a book, of any template or of one.

        Raises EntriesError for any other file, WorkbookError for one that is no workbook.
        """
        self.file = file
        self.parts = read_parts(file)
        if identity(self.parts) is None:
            raise EntriesError(
                "it does not say what it was made from, as a program has dropped its "
                f"properties: elo-xl new {template or 'TEMPLATE'} --from makes it again"
            )
        old = self._old = book_in(self.parts, template)
        self.book = old.book
        self.entries, self.say = old.entries, texts(old.options.language)
        self.left: list[str] = []
        """sheets whose formulas were not found when the book was written"""
        self._mac = from_1904(self.parts)
        self._changes: dict[str, dict[Place, NewValue]] = {}

    def where(self, table: str, row: int, column: str) -> str:
        """The place of a cell for messages."""
        at = self.entries.tables[table].place(row, column)
        return f"{self.entries.tables[table].title}!{column_letters(at[1])}{at[0]}"

    def set(self, table: str, row: int, **cells: NewValue) -> None:
        """Write cells of a row, which is counted from 1."""
        there = self.entries.tables[table]
        for column, value in cells.items():
            if column in there.columns:
                self._changes.setdefault(there.title, {})[there.place(row, column)] = value

    def set_single(self, name: str, value: NewValue) -> None:
        """Write a cell of the first sheet, if it is there."""
        if name in self.entries.singles:
            title, at = self.entries.singles[name]
            self._changes.setdefault(title, {})[at] = value

    @property
    def changes(self) -> dict[str, dict[Place, float | str | None]]:
        """What was written, by sheet and place; dates are the numbers of their cells."""
        return {
            title: {
                place: serial(value, self._mac) if isinstance(value, date) else value
                for place, value in cells.items()
            }
            for title, cells in self._changes.items()
        }

    def changed(self) -> bytes:
        """The file with what was written; its formulas show what they gave before.

        Raises WorkbookError where a value has no place, as it would replace a formula.
        """
        return with_parts(self.file, edited(self.parts, self._changes))

    def written_parts(self) -> Parts:
        """The parts that differ from those of the file, with what was written and what its formulas
        give then.

        Where these are not found, they are left to the program that opens it, and :attr:`left`
        names their sheets.
        """
        values = {
            title: {place: given_back(value, self._mac) for place, value in cells.items()}
            for title, cells in self._changes.items()
        }
        stored = self._old.stored.holding(values)
        now = replace(self._old, stored=stored, entries=read_entries(self.book, stored))
        done = showing(now)
        self.left = done.left
        return edited(self.parts, self._changes, done.cells)
