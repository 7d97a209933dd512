"""A table on a sheet: its columns, by any of their headings, its rows and its problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

from elo_xl.events.event import Problem
from elo_xl.events.headings import IGNORED, plain
from elo_xl.events.sheets import Sheet, SheetError
from elo_xl.events.text import PEAK, RATING, Bounds, number, whole
from elo_xl.progress import counted

ABOVE: Final = 60
"""Rows in which headings are looked for."""

NOT_COMPUTED: Final = (
    "the formula in the cell was never computed: open the file in Excel or LibreOffice and save it"
)

Columns = dict[str, int]
"""The places of columns, from 0."""

_GROUPED: Final = re.compile(r"[1-9][.,][0-9]{3}")


class Row:
    """One line of a table: its cells by column; a missing cell is empty."""

    __slots__ = ("cells", "columns", "line")

    def __init__(self, line: int, cells: list[str], columns: Columns) -> None:
        self.line, self.cells, self.columns = line, cells, columns

    def __getitem__(self, column: str) -> str:
        place = self.columns.get(column)
        return self.cells[place] if place is not None and place < len(self.cells) else ""


class Table:
    """The rows of a sheet below its headings, with what is wrong with them."""

    def __init__(
        self, sheet: Sheet, top: int | None, columns: Columns, headings: Sequence[str] = ()
    ) -> None:
        self.sheet = sheet
        self.name = sheet.file
        self.top = top
        """the line of the headings; None without any"""
        self.columns = columns
        self.headings = list(headings)
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.whole = True
        self.width = len(self.headings) or None
        self.thousands: dict[str, Thousands] = {}
        self.coloured = False
        """whether the first players have White"""
        self.asks = False
        """whether a line that may be half typed is a problem, as in the books"""
        self.check_result: Callable[[str], None] | None = None
        """raises RatingError for a result that a book marks"""
        self.only: Sequence[Row] | None = None
        """the rows that count, if they are not all"""
        self._told: set[int] = set()
        """the rows whose cells without a value were reported"""

    def heading(self, column: str) -> str:
        place = self.columns.get(column)
        return "" if place is None or place >= len(self.headings) else self.headings[place]

    def problem(self, what: str, row: Row | None = None, column: str = "") -> None:
        self.problems.append(self.at(what, row, column))

    def warn(self, what: str, row: Row | None = None, column: str = "") -> None:
        self.warnings.append(self.at(what, row, column))

    def at(self, what: str, row: Row | None = None, column: str = "") -> Problem:
        place = (row.columns if row else self.columns).get(column)
        line = row.line if row else self.top
        return self.sheet.problem(what, line, None if place is None else place + 1)

    def rows(self) -> Iterator[Row]:
        """The rows below the headings; what follows something unreadable is left out."""
        if self.only is not None:
            yield from self.only
            return
        columns, width, top = self.columns, self.width, self.top or 0
        unread = self.sheet.unread()
        try:
            for line, cells in counted(self.sheet.rows(), "rows"):
                if line <= top or (line in unread and self._unread(line, unread[line])):
                    continue
                if width is not None and len(cells) > width:
                    surplus = next((n for n in range(width, len(cells)) if cells[n]), None)
                    if surplus is not None:
                        what = f"more cells than headings: {cells[surplus]!r} has none"
                        self.problems.append(self.sheet.problem(what, line, surplus + 1))
                yield Row(line, cells, columns)
        except SheetError as error:
            # rows are read more than once, but the fault is told once
            if self.whole:
                self.problems.append(self.sheet.problem(str(error), error.line))
            self.whole = False

    def _unread(self, line: int, cells: Mapping[int, str]) -> bool:
        """Report the cells of a row that have no value, once; whether there are any that count."""
        own = sorted(cells.keys() & set(self.columns.values()))
        if own and line not in self._told:
            self._told.add(line)
            self.whole = False
            for place in own:
                what = (
                    f"the cell shows {cells[place]}: correct its formula"
                    if cells[place]
                    else NOT_COMPUTED
                )
                self.problems.append(self.sheet.problem(what, line, place + 1))
        return bool(own)

    def bounded(self, row: Row, column: str, bounds: Bounds) -> float | None:
        """A number within its bounds, or None; 0 is none for a rating."""
        text = row[column]
        if not text or (bounds in (RATING, PEAK) and number(text) == 0):
            return None
        try:
            return self.thousands.get(column, _AS_IT_IS).read(text, bounds)
        except ValueError as wrong:
            self.problem(str(wrong), row, column)
            return None

    def count(self, row: Row, column: str) -> int | None:
        value = whole(row[column])
        if value is None and row[column]:
            self.problem(f"{column} is not a whole number: {row[column]!r}", row, column)
        return value


class Thousands:
    """Whether points or commas in a column of ratings separate thousands.

    >>> Thousands(["1.700", "2.130", "950"]).read("1.700", RATING)
    1700.0
    >>> Thousands(["1.700", "1850"]).read("1.700", RATING)
    Traceback (most recent call last):
    ...
    ValueError: rating '1.700' may be 1700 or 1.7, as others of the column have no such sign: write 1700
    """  # noqa: E501

    def __init__(self, texts: Iterable[str] = ()) -> None:
        filled = {text for text in texts if text}
        grouped = {text for text in filled if _GROUPED.fullmatch(text)}
        plain_ones = {text for text in filled - grouped if text.isdigit() and len(text) <= 3}
        self.sure = bool(grouped) and not filled - grouped - plain_ones

    def read(self, text: str, bounds: Bounds) -> float | None:
        if _GROUPED.fullmatch(text):
            joined = re.sub("[.,]", "", text)
            if not self.sure:
                raise ValueError(
                    f"{bounds.what} {text!r} may be {joined} or {number(text):g}, as others of the "
                    f"column have no such sign: write {joined}"
                )
            text = joined
        return bounds.read(text)


_AS_IT_IS: Final = Thousands()


# -- headings -------------------------------------------------------------------------------------


class Head:
    """A row of headings, with the columns that each name may stand for."""

    def __init__(
        self,
        line: int,
        cells: list[str],
        column_of: Callable[[str], str],
        renamed: Mapping[str, str],
    ) -> None:
        self.line = line
        self.cells = cells
        self.places: dict[str, list[int]] = {}
        self.unknown: list[int] = []
        # columns that the user names go first: no other heading may take their place
        given: dict[str, int] = {}
        for place, cell in enumerate(cells):
            if cell and (what := renamed.get(plain(cell))) and (column := column_of(what)):
                given.setdefault(column, place)
        for place, cell in enumerate(cells):
            if place in given.values():
                continue
            column = column_of(cell) if cell else ""
            if column and column not in given:
                self.places.setdefault(column, []).append(place)
            elif cell and plain(cell) not in IGNORED:
                self.unknown.append(place)
        self.places |= {column: [place] for column, place in given.items()}

    def __len__(self) -> int:
        return len(self.places)


def top_rows(sheet: Sheet) -> list[tuple[int, list[str]]]:
    """The first rows of a sheet, as far as they can be read."""
    found: list[tuple[int, list[str]]] = []
    with suppress(SheetError):
        found.extend(islice(sheet.rows(), ABOVE))  # keeps those before an unreadable one
    return found


def best_head(
    rows: Sequence[tuple[int, list[str]]],
    column_of: Callable[[str], str],
    fits: Callable[[Head], bool],
    renamed: Mapping[str, str],
) -> Head | None:
    """The row in which most headings are known, the first of several; None if none fits."""
    heads = (Head(line, cells, column_of, renamed) for line, cells in rows)
    return max((head for head in heads if fits(head)), key=len, default=None)


def unknown_columns(table: Table, head: Head, used: Iterable[int] = ()) -> None:
    """Warn of columns that are not known."""
    for place in sorted(set(head.unknown) - set(used)):
        what = f"unknown column {head.cells[place]!r} is ignored"
        table.warnings.append(table.sheet.problem(what, head.line, place + 1))
