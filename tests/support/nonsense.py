"""Nonsense for the typed cells of a book, and what the book makes of it.

``Pad(template)`` is a good sample that is declared once. ``with_entries`` types something else into
some of its cells and works it out anew: for that the formulas need not be made again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from openpyxl.utils import coordinate_to_tuple, get_column_letter
from openpyxl.utils.datetime import from_excel, to_excel

from elo_xl.books import working_out
from elo_xl.books.book import Book, Options
from elo_xl.books.model import Constant
from elo_xl.books.styles import MARK
from elo_xl.books.typed import SHEET, WRONG, Reading
from elo_xl.templates import gallery
from elo_xl.xlsx.evaluate import Error, Filled, Value, Workbook
from elo_xl.xlsx.formula import Call, Node, parse, walk
from tests.support.moves import Spot, typed_cells

Entries = Mapping[Spot, Constant]

NONSENSE: Final[tuple[Constant, ...]] = (
    *("abc", "?", "*", "~", "!", "-", "--", "#", "=1+1", "n/a", "unr.", "1834?", "18oo", "x y"),
    *("#N/A", "#REF!", Error("#N/A"), Error("#DIV/0!"), Error("#VALUE!"), Error("#NAME?")),
    *(-1, -1834, 0, 0.5, 1.5, 1600.5, 2.25, 99, 4000, 20000, 1e9, -1e9, 1e300, 1e-9, 0.58),
    12345678,
    *("1600,5", "1e3", "5 %", "1.650.000", "1:30", "12/5", "0x10", "1 2 3 4 5 6 7", "½½"),
    *(-1000, 2958465, 2958466, 73051, 18263, 1, 60, "2026-02-30", "31.04.2026", "tomorrow"),
    *("01/03/2026", "2206-01-01", "1899-12-31", "0000-00-00"),
    *("", " ", "\u00a0", "  \u00a0 ", "\n", "\t", "\u202f", "'"),
    *("Nobody", "nobody, at all", "  Nobody\u00a0", "Ann  Lee", 7, 12, 999, 3.0, 2),
    *("2-0", "1-1", "W-W", "won", "bye", "0.6", "3:", "+-+", "1-0-0", "x", "X", "xx", "y"),
    *("L", "draw", "1 : 0", "1–0F", "-:+", "+", "½", "0", 1, "U", "absent"),
    *(True, False, "TRUE", "ИСТИНА"),
    *("a" * 300, "<b>&amp;</b>", '"; DROP', "\U0001f600", "e\u0301", "\u200f", "Ⅷ", "１８００"),
)
"""What people type, paste or leave behind where something else belongs."""

RESULTS: Final = {
    "1": ("1", 1, "1-0", "1 – 0", "W", " win ", "1:0", "1\u00a0-\u00a00", "1.0"),
    "½": ("½", "=", 0.5, "0,5", "1/2", "½-½", "d", " Draw", "0.5 : 0.5", "½ – ½"),
    "0": ("0", 0, "0-1", "0—1", "L", "lost ", "0 : 1"),
    "+": ("+", "+-", "+:-", "1-0F", " + / - "),
    "-": ("-", "-+", "–", "-:+", "0-1f"),
    "--": ("--", "- -", "–:–"),
}
"""The same result, as one may write it."""


class Sheets:
    """What a book shows with other entries."""

    def __init__(self, pad: Pad, entries: Entries) -> None:
        self.pad, self.entries = pad, entries
        self.workbook = Workbook(pad.contents(entries), pad.book.defined, working_out._ours)
        self.values: dict[Spot, Value] = {
            (title, row, column): value
            for title in pad.titles
            for (row, column), value in self.workbook.values(title).items()
        }

    @property
    def errors(self) -> list[tuple[Spot, Value]]:
        """The computed cells that show an error."""
        return [
            (at, value)
            for at, value in self.values.items()
            if isinstance(value, Error) and not (value == "#N/A" and self.pad.gap(at))
        ]

    @property
    def wrong(self) -> list[Spot]:
        """The typed cells whose entry cannot be read."""
        return [typed for typed, read in self.pad.reads.items() if self.values[read] == WRONG]

    @property
    def faults(self) -> set[tuple[str, int]]:
        """The rows that are at fault: sheet and row."""
        return {at[:2] for at in self.pad.faults if self.values[at] in (1, 2)} | {
            at[:2] for at in self.pad.below if self.below_zero(at)
        }

    def below_zero(self, at: Spot) -> bool:
        value = self.values[at]
        return isinstance(value, float) and value < 0

    @property
    def attention(self) -> tuple[float, Spot | None]:
        """How many entries need attention or are asked about, and where the status line leads."""
        names = self.pad.book.names
        count, first = 0.0, None
        for number, place in (("Attention", "First_fault"), ("Questions", "First_question")):
            if number in names:
                more, where = (
                    self.workbook.evaluate(names[key], self.pad.titles[0], 1, 1)  # type: ignore[arg-type]
                    for key in (number, place)
                )
                assert isinstance(more, float)
                count, first = count + more, first or (where if more else None)
        if not count:
            return count, None
        title, _, cell = str(first).rpartition("!")
        return count, (title.strip("'").replace("''", "'"), *coordinate_to_tuple(cell))

    def marked(self, at: Spot) -> bool:
        """Whether a cell stands out as wrong."""
        title, row, column = at
        return any(
            self.workbook.evaluate(tree, title, top, left, row - top, column - left) is True
            for tree, (left, top, right, bottom) in self.pad.marks[title]
            if left <= column <= right and top <= row <= bottom
        )

    def read(self, table: str, row: int, key: str) -> Value:
        """What was read in a table; rows count from 0."""
        place, letter = self.pad.book.tables[table].place(key)
        column = coordinate_to_tuple(f"{letter}1")[1]
        return self.values[place.title, self.pad.book.tables[table].first + row, column]

    def shown(self, table: str, key: str) -> list[Value]:
        """What the cells of a computed column show."""
        of = self.pad.book.tables[table]
        return [self.values[of.sheet.title, of.first + row, of.at[key]] for row in range(of.rows)]


class Pad:
    """The sample of a template, in which typed cells can be changed."""

    def __init__(self, template: str, options: Options) -> None:
        self.book: Book = gallery.build(template, options, gallery.sample(template, options))
        self.titles = [sheet.title for sheet in self.book.sheets.values()]
        self._held = {s.title: working_out._held(s) for s in self.book.sheets.values()}
        self._contents = {
            title: {at: working_out._content(cell.content, title) for at, cell in cells.items()}
            for title, cells in self._held.items()
        }
        legend = self.book.sheets["start"].title, 1  # the yellow one there explains the colours
        self.spots: dict[Spot, Constant] = {
            spot: float(to_excel(value)) if isinstance(value, date) else value
            for spot, value in typed_cells(self.book).items()
            if (spot[0], spot[2]) != legend
        }
        self.singles = {
            (one.cells.sheet.title, one.cells.row, one.cells.column): name
            for name, one in self.book.singles.items()
        }
        self.reads: dict[Spot, Spot] = dict(self._reads())
        assert self.reads.keys() == self.spots.keys(), self.reads.keys() ^ self.spots.keys()
        self.kinds = dict(self._kinds())
        self.faults = [
            (sheet.title, table.first + row, table.at["fault"])
            for sheet in self.book.sheets.values()
            for table in sheet.tables
            if table.has("fault")
            for row in range(table.rows)
        ]
        self.below = [
            (cells.sheet.title, cells.row + row, cells.column)
            for cells in (place.faults for place in self.book.places)
            if cells is not None
            for row in range(cells.rows)
        ]
        self.marks: dict[str, list[tuple[Node, tuple[int, int, int, int]]]] = {
            title: list(self._marks(title)) for title in self.titles
        }
        self.good = Sheets(self, {})

    def contents(self, entries: Entries) -> dict[str, Any]:
        """The cells of all sheets, with other entries in some of them."""
        contents: dict[str, Any] = {title: dict(c) for title, c in self._contents.items()}
        for (title, row, column), value in entries.items():
            contents[title][row, column] = value
        return contents

    def gap(self, at: Spot) -> bool:
        """Whether a cell may hold #N/A: a chart leaves a gap there, or beside it."""
        title, row, column = at
        beside = (self._contents[title].get((row, column - i)) for i in (0, 1))
        return any(isinstance(c, Filled) and Call("NA", ()) in walk(c.tree) for c in beside)

    def with_entries(self, entries: Entries) -> Sheets:
        """What the book shows with other entries."""
        return Sheets(self, entries)

    def _reads(self) -> Iterator[tuple[Spot, Spot]]:
        """Where each typed cell is read."""
        sheet = self.book.sheets[SHEET]
        for place in self.book.places:
            if place.table is None:
                cells, read = place.cells, place.read
                yield (
                    (cells.sheet.title, cells.row, cells.column),
                    (sheet.title, read.row, read.column),
                )
        for table in sheet.tables:
            name, _, key = table.name.rpartition("_")
            source = self.book.tables[
                name if name in self.book.tables else table.name.removesuffix(" read")
            ]
            for key in source.columns:
                if table.has(key):
                    for row in range(table.rows):
                        typed = source.sheet.title, source.first + row, source.at[key]
                        if typed in self.spots:
                            yield typed, (sheet.title, table.first + row, table.at[key])

    def _kinds(self) -> Iterator[tuple[Spot, str]]:
        """How each typed cell is read."""
        book = self.book
        for sheet in book.sheets.values():
            for (row, column), put in sheet.puts.items():
                dated = put.look.number_format == book.date_format
                setting = sheet.key == "start"
                yield (sheet.title, row, column), ("when" if setting else "date") if dated else ""
            for table in sheet.tables:
                for key, at in table.at.items():
                    of = table.columns[key]
                    kind = Reading.of(of.look, of.validation, book).kind
                    for row in range(table.first, table.last + 1):
                        yield (sheet.title, row, at), kind

    def _marks(self, title: str) -> Iterator[tuple[Node, tuple[int, int, int, int]]]:
        """The rules that mark what is wrong, each with the cells that it is for."""
        for area in self.book.workbook[title].conditional_formatting:
            for rule in area.rules:
                fill = rule.dxf.fill
                solid = fill is not None and fill.patternType == "solid"
                if solid and fill.bgColor.rgb[2:] == MARK:
                    tree = parse(rule.formula[0])
                    for cells in area.sqref.ranges:
                        yield tree, cells.bounds


def drawn(pad: Pad, chance: random.Random, count: int) -> dict[Spot, Constant]:
    """Nonsense for some of the typed cells, rather for those that are filled in the sample."""
    filled = [spot for spot, value in pad.spots.items() if value is not None]
    entries: dict[Spot, Constant] = {}
    for _ in range(count):
        at = chance.choice(filled if chance.random() < 0.8 else [*pad.spots])
        title, row, column = at
        how = chance.random()
        if how < 0.08:  # what stands beside it: a game against oneself
            near = [s for s in filled if s[:2] == (title, row) and s != at]
            entries[at] = pad.spots[chance.choice(near or [at])]
        elif how < 0.16:  # what stands above or below: a player twice
            near = [s for s in filled if s[0] == title and s[2] == column and s != at]
            entries[at] = pad.spots[chance.choice(near or [at])]
        elif how < 0.2:  # a line twice
            other = chance.choice(
                [s[1] for s in filled if s[0] == title and s[2] == column] or [row]
            )
            for spot in [s for s in pad.spots if s[:2] == (title, row)]:
                if (title, other, spot[2]) in pad.spots:
                    entries[spot] = pad.spots[title, other, spot[2]]
        else:
            entries[at] = chance.choice(NONSENSE)
    return entries


def harmless(pad: Pad, chance: random.Random, spot: Spot) -> Constant:
    """The entry of a cell, written in another way."""
    value, kind = pad.spots[spot], pad.kinds[spot]
    if isinstance(value, str):
        if kind == "result":
            return chance.choice(RESULTS.get(value, (f" {value} ", value.upper())))
        blank = chance.choice(("  ", "\u00a0", "\u202f", "\n"))
        return chance.choice((f" {value}", f"{value}\u00a0", value.replace(" ", blank)))
    assert isinstance(value, int | float)
    if kind == "when":
        return value
    if kind == "date":
        day = from_excel(value)
        return chance.choice((f"{day:%Y-%m-%d}", f" {day:%d.%m.%Y}\u00a0", value + 0.25))
    text = str(int(value)) if value == int(value) else repr(value)
    point = text.replace(".", ",") if "." in text else f"{text},0"
    return chance.choice((text, f" {text} ", f"\u00a0{text}", point))


def named(at: Spot) -> str:
    """A place as people write it."""
    return f"{at[0]}!{get_column_letter(at[2])}{at[1]}"
