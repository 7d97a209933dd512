"""The declared parts of a book: sheets, tables and single cells, and what names mean in them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any, Final

from elo_xl.books.column_words import ColumnLook, Look, SetUp, Validation
from elo_xl.books.commands import Commands
from elo_xl.books.flavours import FLAVOURS
from elo_xl.books.names import INPUT, Meaning, NamesInSheet, TableLike
from elo_xl.books.rules import PIECES, clauses, own_pieces
from elo_xl.books.statements import BookError, ColumnLine, refuse
from elo_xl.books.styles import LINE_HEIGHT, ROLES
from elo_xl.books.text import GENERAL, text_width
from elo_xl.books.texts import texts
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.languages import LANGUAGES
from elo_xl.xlsx.accepted import name_problems
from elo_xl.xlsx.cell_xml import CellValue, escaped
from elo_xl.xlsx.evaluate import Workbook
from elo_xl.xlsx.fill import COLUMNS, ROWS, column_letters, in_sheet
from elo_xl.xlsx.folding import Piece
from elo_xl.xlsx.formula import Binary, Node, Reference, parse, to_text, walk

if TYPE_CHECKING:
    from openpyxl.chart import BarChart, LineChart, ScatterChart
    from openpyxl.worksheet.worksheet import Worksheet

    Chart = BarChart | LineChart | ScatterChart

Constant = float | int | str | bool | date | None
"""The content of a cell without a formula; None is a blank cell."""

Row = Mapping[str, Constant]
"""The constants in a row of a table, by the keys of its columns."""

Rows = Sequence[Row] | Mapping[int, Row]
"""The rows of a table: all in order, or some by their numbers, counted from 1."""

Content = Mapping[str, Any]
"""What is typed into a book: single cells by their names, and the :data:`Rows` of tables by
the names of the tables."""


@dataclass(frozen=True, slots=True)
class Options:
    """What ``elo-xl new`` was asked for."""

    functions: str = "formulas"
    language: str = "en"
    players: int = 10
    rounds: int = 1
    rules: str = "fide"
    address: str = ""
    """of the page that shows the book to everybody: sheets for the wall have it as a QR code"""


@dataclass(frozen=True, slots=True)
class Formula:
    """The text of a formula in the language of books."""

    text: str


@dataclass(frozen=True, slots=True)
class Cells:
    """A block of cells on a sheet."""

    sheet: Sheet
    row: int
    column: int
    rows: int = 1
    columns: int = 1

    @property
    def address(self) -> str:
        """The fixed reference for formulas of the same sheet: ``$D$5:$D$24``."""
        first = f"${column_letters(self.column)}${self.row}"
        if self.rows * self.columns == 1:
            return first
        last = column_letters(self.column + self.columns - 1)
        return f"{first}:${last}${self.row + self.rows - 1}"

    @property
    def area(self) -> str:
        """The range without dollar signs, for settings of the sheet: ``D5:D24``."""
        return self.address.replace("$", "")

    @property
    def reference(self) -> str:
        """The fixed reference for formulas of any sheet: ``'Steps'!$D$5:$D$24``."""
        return self.sheet.reference(self.address)

    def at(self, row: int, column: int = 0) -> Cells:
        """One of the cells, by row and column counted from 0."""
        return Cells(self.sheet, self.row + row, self.column + column)

    def values(self) -> list[CellValue | None]:
        """The values of the cells, row by row.

        Raises RuntimeError before the book is finished.
        """
        known = self.sheet.book.known
        return [
            known(self.sheet, row, column)
            for row in range(self.row, self.row + self.rows)
            for column in range(self.column, self.column + self.columns)
        ]

    def numbers(self) -> list[float]:
        """The values as numbers; anything that is not a number is 0."""
        return [
            float(v) if isinstance(v, int | float) and not isinstance(v, bool) else 0.0
            for v in self.values()
        ]

    def texts(self) -> list[str]:
        """The values as texts; a blank cell is an empty text."""
        return ["" if v is None else str(v) for v in self.values()]


@dataclass(frozen=True, slots=True)
class Mark:
    """A conditional format: a look for the cells in which a test holds.

    The test is written for the first of the cells, or for the rows of ``table``.
    """

    cells: Cells
    test: Node
    look: str
    table: Table | None
    where: str


@dataclass(slots=True)
class Run:
    """Typed cells below each other, and the names of the formulas that read them."""

    cells: Cells
    names: dict[str, Meaning]
    raw: str
    """the name that stands for what is typed; it has a meaning when all cells are known"""
    group: int = 0
    """the rows of a round, if each is read by itself"""
    beside: int = 0
    """the computed column next to them, with which they are"""


@dataclass(frozen=True, slots=True)
class CountedCells:
    """Typed cells that the status line counts, and where they are read."""

    cells: Cells
    read: Cells
    table: Table | None = None
    faults: Cells | None = None
    """for each cell a number, below 0 where it needs attention; by default the unreadable ones"""
    questions: float = 0.0
    """the number up to which it is asked about instead, where an answer can be typed"""


@dataclass(frozen=True, slots=True)
class Seen:
    """From where a formula sees its names."""

    table: Table | None = None
    """it is one of the row of this table"""
    row: int = 0
    """counted from 0"""
    names: Mapping[str, Meaning] | None = None
    """further names that it uses"""


ANYWHERE: Final = Seen()
COMPUTED: Final = Look()


@dataclass(slots=True)
class Put:
    """A single cell as declared; see :meth:`Sheet.put`."""

    value: Constant | Formula | Node
    look: Look
    seen: Seen
    across: tuple[int, int] | None
    where: str


@dataclass(frozen=True, slots=True)
class Single:
    """A single cell that is typed; ``choices`` are what its list offers, a number has bounds."""

    cells: Cells
    choices: Sequence[str] = ()
    kind: str = "text"
    least: Node | None = None
    most: Node | None = None


MOST_TITLE: Final = 31
MOST_HIGH: Final = 409
"""points of a row in Excel"""
RESERVED: Final = "history"
"""Excel keeps this title, however it is written, for a sheet of its own."""
UNTITLED: Final = frozenset("[]:*?/\\'")
"""What Excel allows in the title of a sheet: its most characters, and those that it refuses."""


class Declared:
    """The declared parts of a book, with its language, rulebook, flavour and content."""

    most_cells: float = math.inf
    """how many cells its tables may have"""
    most_lines: float = math.inf
    """how many lines and columns it may have, with those that loops make"""

    def __init__(self, template: str, options: Options, content: Content | None = None) -> None:
        self.template, self.options = template, options
        self.content: Content = content or {}
        self.text = texts(options.language)
        self.rules: Rulebook = rulebook(options.rules)
        self.flavour = FLAVOURS[options.functions]
        self.sheets: dict[str, Sheet] = {}
        self.tables: dict[str, Table] = {}
        self.ranges: dict[str, TableLike] = {}
        """cells that formulas read as if they were a table"""
        self.pieces: dict[str, Piece] = PIECES | own_pieces(self.rules, options.language)
        self.names: dict[str, Meaning] = clauses(self.rules)
        """what names mean in all formulas of the book"""
        self.defined: dict[str, str] = {}
        """the defined names of the file, with their references"""
        self.runs: list[Run] = []
        self.places: list[CountedCells] = []
        """all that is typed, see :mod:`elo_xl.books.typed`"""
        self.data: dict[str, Rows] = {}
        """rows of constants, by table"""
        self.texts = {"rules_title": self.rules.title.say(options.language)}
        """texts of this book alone; they come before those of its template"""
        self.calls: set[tuple[str, str]] = set()
        """the cells in which a worksheet function is called"""
        self.singles: dict[str, Single] = {}
        """the single cells that are typed, by their names in the content"""
        self.made_from, self.said = template, options
        """what the file says of itself: its template and its options"""
        self.carried = ""
        """the text of a user's own book, which its file carries"""
        self.commands = Commands()
        """what the commands of elo-xl take from it"""
        self.computed: Workbook | None = None
        self.last: list[Callable[[], None]] = [
            lambda: self.commands.check({*self.tables, *self.sheets})
        ]
        """what can be declared only when everything else is"""

    def say(self, key: str, **places: object) -> str:
        """A text of this book, of its template, or one that all templates share.

        Raises BookError for an unknown key.
        """
        if key in self.texts:
            text = self.texts[key]
            return text.format(**places) if places else text
        try:
            return self.text.of(self.template, key, **places)
        except KeyError:
            raise BookError(f"no text is named {key!r}") from None

    def say_or(self, key: str, other: str) -> str:
        """A text, or another one if the key is unknown."""
        try:
            return self.say(key)
        except BookError:
            return other

    @property
    def date_format(self) -> str:
        """The number format of dates in the book's language."""
        return LANGUAGES[self.options.language].date_format

    def number(self, text: str) -> str:
        """A number with the decimal sign of the book's language."""
        return LANGUAGES[self.options.language].number(text)

    def between(self, kind: str, least: str | None, most: str | None) -> str:
        """What is said of a number out of its bounds; "" if these are no numbers themselves."""
        try:
            low, high = (f"{float(bound or ''):.15g}".replace("-", "−") for bound in (least, most))
            key = {"whole": "between_whole", "decimal": "between"}[kind]
        except (KeyError, ValueError):
            return ""
        return self.say(key, least=self.number(low), most=self.number(high))

    def widest(self, *prefixes: str) -> float:
        """The width, in digits, that every text whose key begins so fits in bold letters."""
        rooms = "form", self.template
        tables = tuple(f"{room}.{p}" for p in prefixes for room in rooms)
        shown = [t for k, t in self.text.by_key(*rooms).items() if k.startswith(tables)]
        return 1.05 * max(map(text_width, shown))

    def rows_of(self, table: str) -> Mapping[int, Row]:
        """The constants in a table, by row counted from 0."""
        data: Rows = self.data.get(table) or self.content.get(table, ())
        if isinstance(data, Mapping):
            return {int(row) - 1: cells for row, cells in data.items()}
        return dict(enumerate(data))

    def sheet(self, key: str, title: str | None = None) -> Sheet:
        """The sheet with a key; if there is none, a new one behind all others."""
        if key not in self.sheets:
            shown = title or self.say(f"sheet_{key}")
            if len(shown) > MOST_TITLE or set(shown) & UNTITLED:
                raise BookError(
                    f"a sheet's title has at most {MOST_TITLE} characters, none of them "
                    f"{' '.join(sorted(UNTITLED))}: {shown!r}"
                )
            if escaped(shown) != shown:  # programs differ in how formulas name such a sheet
                raise BookError(f"a sheet's title holds no sign as files write it: {shown!r}")
            if shown.casefold() == RESERVED:
                raise BookError(f"Excel reserves the title {shown!r} for itself")
            if shown.casefold() in (sheet.title.casefold() for sheet in self.sheets.values()):
                raise BookError(f"two sheets have the title {shown!r}")
            self.sheets[key] = Sheet(self, key, shown)
        return self.sheets[key]

    def define(self, name: str, cells: Cells) -> None:
        """Give cells a defined name of the file.

        Raises BookError for one that Excel refuses, or that differs from another by case only.
        """
        refuse(f"{name!r} cannot be the name of cells: {why}" for why in name_problems(name))
        for other in self.defined:
            if other != name and other.casefold() == name.casefold():
                raise BookError(f"Excel does not tell the names {other!r} and {name!r} apart")
        self.defined[name] = cells.reference

    def known(self, sheet: Sheet, row: int, column: int) -> CellValue | None:
        """The value of a cell of the finished book.

        Raises RuntimeError before the book is finished.
        """
        if self.computed is None:
            raise RuntimeError("a cell has a value when its book is finished")
        return self.computed.value(sheet.title, row, column)


class Sheet:
    """A sheet of a book; ``row`` is the row in which the next statement begins."""

    def __init__(self, book: Declared, key: str, title: str) -> None:
        self.book, self.key, self.title = book, key, title
        self.where = title
        """the place that errors in formulas name"""
        self.begun = title
        """the place where it is described, which other errors name"""
        self.row = 1
        self.tables: list[Table] = []
        self.names: dict[str, Meaning] = {}
        """what names mean in the formulas of this sheet"""
        self.puts: dict[tuple[int, int], Put] = {}
        self.widths: dict[int, float] = {}
        self.heights: dict[int, float] = {}
        self.merged: list[str] = []
        self.longest_line = 0.0
        self.set_up = SetUp()
        self.validations: list[tuple[Cells, Validation, Table | None]] = []
        self.marks: list[Mark] = []
        self.charts: list[tuple[Callable[[], Chart], str, int, int, str]] = []
        self.helpers: set[int] = set()
        """hidden columns besides those of tables"""
        self.edits: list[Callable[[Worksheet], None]] = []
        """further changes of the written sheet"""

    def reference(self, cells: str) -> str:
        """The reference to cells of this sheet for other sheets: ``'Games'!$A$5:$A$90``."""
        return in_sheet(self.title, cells)

    def place(self, cells: str) -> str:
        """How people read where cells are, with no more quotes than a link needs: ``Games!B7``."""
        plain = self.title.isascii() and self.title.replace("_", "a").isalpha()
        named = plain and not name_problems(self.title)
        return f"{self.title}!{cells}" if named else self.reference(cells)

    def titled(self, title: str) -> bool:
        """Whether the book has a sheet with a title."""
        return title.casefold() in (s.title.casefold() for s in self.book.sheets.values())

    def cells(self, row: int, column: int, rows: int = 1, columns: int = 1) -> Cells:
        """Cells of this sheet.

        Raises BookError for some beyond its first or last row or column.
        """
        last_row, last_column = row + rows - 1, column + columns - 1
        if not (1 <= row <= last_row <= ROWS and 1 <= column <= last_column <= COLUMNS):
            raise BookError(f"a sheet has at most {ROWS:,} rows and {COLUMNS:,} columns")
        return Cells(self, row, column, rows, columns)

    def put(
        self,
        row: int,
        column: int,
        value: Constant | Formula | Node,
        role: str = "computed",
        number_format: str = GENERAL,
        align: str | None = None,
        *,
        measure: bool = True,
    ) -> Cells:
        """Declare a cell, and give it back; ``role`` and all that follows are its look."""
        look = Look(role, number_format, align, measure)
        return self.fill(Cells(self, row, column), value, look)

    def fill(
        self,
        cells: Cells,
        value: Constant | Formula | Node,
        look: Look = COMPUTED,
        seen: Seen = ANYWHERE,
        *,
        several: bool = False,
    ) -> Cells:
        """Declare a cell, or, with ``several``, the cells that a worksheet function with several
        results fills, and give them back."""
        across = (cells.rows, cells.columns) if several else None
        self.puts[cells.row, cells.column] = Put(value, look, seen, across, self.where)
        return cells

    def name(self, name: str, cells: Cells) -> None:
        """Let formulas of the book read cells by a name; the file has no such name."""
        self.book.names[name] = Reference(cells.reference)
        here = cells.sheet is self
        self.names[name] = Reference(cells.address if here else cells.reference)

    def line(self, text: str | Formula, role: str = "note") -> None:
        """Declare a line of text, which may extend over all columns."""
        self.put(self.row, 1, text, role, measure=False)
        if isinstance(text, str):
            scale = ROLES[role].size / ROLES["computed"].size
            self.longest_line = max(self.longest_line, scale * text_width(text))
        self.row += 1

    def heading(self) -> None:
        """Declare the title line, with the name of the event if the book has one."""
        title = self.book.say(f"sheet_{self.key}") if self.key != self.title else self.title
        said = self.set_up.says or '"' + title.replace('"', '""') + '"'
        if "Event" in self.book.defined:
            self.line(Formula(f'IF(Event = "", "", Event & " – ") & {said}'), "title")
        else:
            self.line(Formula(said) if self.set_up.says else title, "title")
        self.height(1, 1.7)
        if self.set_up.wall and "wall_line" in self.book.names:
            # slips to cut out are for games to come
            told = () if self.set_up.plain else ("as_of", "state")
            ends = (f"_{name}" for name in told if name in self.book.names)
            self.line(Formula(f"wall_line{next(ends, '')}"), "subtitle")
        if self.set_up.wall:
            # what the organizer still has to fix is not for the wall
            self.heights[self.row] = LINE_HEIGHT / 2
            self.row += 1
        else:
            self.line(Formula("status_line"), "status")

    def height(self, row: int, lines: float) -> None:
        """Make a row as high as a number of lines of text."""
        self.heights[row] = min(LINE_HEIGHT * lines + 3, MOST_HIGH)

    @property
    def kind(self) -> str:
        """What the sheet is for, one of :data:`~elo_xl.books.styles.TABS`."""
        if self.set_up.hidden:
            return "helper"
        if self.set_up.tab:
            return self.set_up.tab
        # one cell to type in is enough: the tab's colour shows where there is any
        looks = [put.look for put in self.puts.values()]
        lines = [line for table in self.tables for line in table.lines]
        looks += [table.columns[key].look for table in self.tables for key in table.columns]
        typed = any(look.role == "input" for look in looks) or any(
            line.formula is not None and INPUT in walk(line.formula) for line in lines
        )
        return "typed" if typed else "result" if self.tables or self.charts else "help"

    def merge(self, cells: Cells) -> None:
        """Merge cells."""
        self.merged.append(cells.area)

    def link(self, cell: Cells, target: Cells) -> None:
        """Lead from a cell to another place in the book."""

        def edit(worksheet: Worksheet) -> None:
            from openpyxl.worksheet.hyperlink import Hyperlink

            place = target.reference.replace("$", "")
            worksheet[cell.area].hyperlink = Hyperlink(ref=cell.area, location=place)

        self.edits.append(edit)

    def mark(
        self, cells: Cells, test: str | Node, look: str = "attention", table: Table | None = None
    ) -> None:
        """Give cells a look where a test holds; it is written for their first cell."""
        node = parse(test) if isinstance(test, str) else test
        self.marks.append(Mark(cells, node, look, table, self.where))

    def chart(
        self,
        drawn: Callable[[], Chart],
        anchor: str,
        description: str,
        *,
        rows: int = 0,
        last: int = 0,
    ) -> None:
        """Add a chart, drawn when all values are known; ``description`` is the sentence below its
        title, and its alternative text.

        A chart over a number of ``rows`` reaches to the column ``last``, by default to the last
        one of the tables.
        """
        self.charts.append((drawn, anchor, rows, last, description))

    def names_at(
        self,
        table: Table | None,
        more: Mapping[str, Meaning] | None = None,
        *,
        fixed_columns: bool = False,
        raw: bool = False,
    ) -> NamesInSheet:
        """What names mean on this sheet or in one of its tables; ``more`` take precedence.

        With ``raw`` typed columns are the cells themselves, not what was read.
        """
        table_names = table.names if table is not None else {}
        places = (more or {}, table_names, self.names, self.book.names)

        def look_up(name: str) -> Meaning | None:
            for place in places:
                if name in place:
                    return place[name]
            if name in self.book.defined:
                return parse(name)
            return None

        pieces = {**self.book.pieces, **(table.pieces if table is not None else {})}
        return NamesInSheet(
            self,
            table,
            {**self.book.tables, **self.book.ranges},
            pieces,
            look_up,
            self.book.say,
            fixed_columns=fixed_columns,
            raw=raw,
        )


class Table:
    """A header row and the rows below it; columns have keys."""

    def __init__(
        self,
        sheet: Sheet,
        name: str,
        columns: Sequence[ColumnLine],
        rows: int,
        *,
        header: int | None = None,
        left: int = 1,
        group: int = 0,
        names: Mapping[str, Meaning] | None = None,
    ) -> None:
        self.sheet, self.name, self.rows, self.group = sheet, name, rows, group
        self.header = sheet.row if header is None else header
        self.left = left
        self.first = self.header + 1
        # a table without rows keeps a blank one, for the ranges of formulas
        self.last = self.header + max(rows, 1)
        self.bottom = self.last
        """the last row, with the totals if there are any"""
        self.names: dict[str, Meaning] = dict(names or {})
        self.pieces: dict[str, Piece] = {}
        self.columns: dict[str, ColumnLook] = {}
        self.at: dict[str, int] = {}
        self.reads: dict[str, Cells] = {}
        """where typed columns are read, by their keys"""
        self.shown: Binary | None = None
        """the test which rows are shown, if not all are: a column compared with a constant"""
        sheet.cells(self.header, left, max(rows, 1) + 1)  # where there is room for them
        self.lines = list(columns)
        for line in columns:
            for look in ColumnLook.all(line, sheet.book):
                if look.key in self.at:
                    raise line.statement.error(f"two columns have the key {look.key!r}")
                self.at[look.key] = left + len(self.at)
                self.columns[look.key] = look
        self._keep_from_the_edge()
        self.data = sheet.book.rows_of(name)
        self.groups: list[Cells] = []
        """of columns with a text above their headings: where it stands"""
        self.fitted = True
        """whether the header becomes high enough for its headings"""
        sheet.tables.append(self)
        sheet.book.tables[name] = self
        sheet.row = max(sheet.row, self.last + 1)
        self._write_header()

    def mark(self, place: str, look: str, test: str | Node) -> None:
        """Give the cells of columns ``a:b`` a look in the rows where a test holds."""
        self.sheet.mark(self.span(place), test, look, self)

    def has(self, key: str) -> bool:
        """Whether a column has this key."""
        return key in self.at

    def letter(self, key: str) -> str:
        """The letter of a column."""
        if key not in self.at:
            raise BookError(f"table {self.name} has no column {key!r}")
        return column_letters(self.at[key])

    def place(self, key: str) -> tuple[Sheet, str]:
        """The sheet and the column in which formulas read a column: a typed one is read elsewhere.

        Raises BookError for an unknown column.
        """
        letter, read = self.letter(key), self.reads.get(key)
        return (self.sheet, letter) if read is None else (read.sheet, column_letters(read.column))

    def column(self, key: str, last: str | None = None) -> Cells:
        """The cells of a column, or of all columns up to ``last``.

        Raises BookError for an unknown column.
        """
        self.letter(key), self.letter(last or key)
        left, right = self.at[key], self.at[last or key]
        return Cells(self.sheet, self.first, left, self.last - self.header, right - left + 1)

    def span(self, place: str) -> Cells:
        """The cells of a column ``a`` or of the columns ``a:b``."""
        first, _, last = place.partition(":")
        return self.column(first, last or None)

    def worth(self, formula: Node, row: int = 0) -> CellValue | None:
        """The value of a formula in a row of the table, counted from 0; None for a blank one.

        Raises BookError for a formula that gives several cells, RuntimeError before the book is
        finished.
        """
        computed = self.sheet.book.computed
        if computed is None:
            raise RuntimeError("a formula has a value when its book is finished")
        tree = self.sheet.names_at(self).resolve(formula, row)
        value = computed.evaluate(tree, self.sheet.title, self.first + row, self.left)
        if value is None or isinstance(value, str | int | float):
            return None if value == "" else value
        raise BookError(f"{to_text(formula)} gives several cells")

    def cell(self, key: str, row: int) -> Cells:
        """The cell in a row, counted from 0."""
        return self.column(key).at(row)

    @property
    def trailing(self) -> frozenset[str]:
        """The optional columns behind all others that are seen: the table ends before those that
        are not in use. One between others is blank, but still a column."""
        seen = [key for key, look in self.columns.items() if not look.helper]
        return frozenset(takewhile(lambda key: self.columns[key].optional, reversed(seen)))

    def _keep_from_the_edge(self) -> None:
        """Tell the last column of numbers whether the table may end behind it."""
        for key in reversed(self.columns):
            column = self.columns[key]
            if not column.helper and column.look.align == "right":
                self.columns[key] = replace(column, look=replace(column.look, edge=True))
                return
            if not column.helper and column.optional is None:
                return

    def _write_header(self) -> None:
        trailing = self.trailing
        seen = (look for look in self.columns.values() if not look.helper)
        self.headed = any(look.heading or look.optional for look in seen)
        for key, look in self.columns.items():
            at = self.at[key]
            heading = look.heading if self.headed else ""
            self.sheet.fill(
                self.sheet.cells(self.header, at),
                heading if look.optional is None else look.optional,
                Look(
                    "heading" if self.headed else "blank",
                    f'{GENERAL};;;"{look.under}"' if look.under else GENERAL,
                    look.look.align,
                    False,
                    key in trailing,
                    look.look.edge,
                ),
                Seen(names=self.names),
            )
            if look.name:
                self.sheet.book.define(look.name, self.column(key))
            if look.validation:
                self.sheet.validations.append((self.column(key), look.validation, self))
            # one cell across several rows, in every group of them
            if look.tall:
                for row in range(look.tall - 1, self.rows, self.group or self.last):
                    self.sheet.merge(self.sheet.cells(self.first + row, at, 2))
        self._write_groups()

    def _write_groups(self) -> None:
        """Write the texts above headings, each across its columns, in a band across the table; on a
        sheet that only computes, where they may be hundreds, above the first of them."""
        sheet = self.sheet
        across = not sheet.set_up.hidden and any(look.over for look in self.columns.values())
        if across and not sheet.set_up.wall and (self.header - 2, 1) in sheet.puts:
            sheet.height(self.header - 2, 1.5)  # else the band would touch the note above it
        for over, group in groupby(self.columns.items(), lambda column: column[1].over):
            columns = list(group)
            if not over:
                for key, column in columns if across else ():
                    if not column.helper and not column.optional:
                        above = self.header - 1, self.at[key]
                        sheet.put(*above, None, "band", measure=False)
                continue
            cells = sheet.cells(self.header - 1, self.at[columns[0][0]], 1, len(columns))
            said = over if over in sheet.book.names else f"t.{over}"
            first = columns[0][1].optional
            if first is not None:
                said = f'IF({to_text(first)} = "", "", {said})'
            text = sheet.book.say(over) if said == f"t.{over}" else Formula(said)
            look = Look("group", GENERAL, "center", False, first is not None)
            if sheet.set_up.hidden:
                look = Look("label", GENERAL, "left", False)
            else:
                sheet.merge(cells)
                self.groups.append(cells)
            sheet.fill(cells.at(0), text, look, Seen(names=self.names))
