"""A workbook in the making: sheets of tables and cells, written once as formulas in names.

A book is declared first and written afterwards: :meth:`Book.read` takes blocks in the language of
:mod:`elo_xl.templates.language`, :class:`Sheet` and :class:`Table` take from Python what needs
loops. :meth:`Book.finish` puts addresses in the place of names, works out every cell once, and
writes the workbook: a cell's cached value is what its formula gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from lxml import etree
from openpyxl import Workbook as ExcelFile
from openpyxl.utils.datetime import to_excel
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula

from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.functions.catalogue import find, functions
from elo_xl.functions.evaluation import call
from elo_xl.templates import layout
from elo_xl.templates.flavours import FLAVOURS
from elo_xl.templates.language import (
    BLOCKED,
    EMPTY,
    INPUT,
    BookError,
    Column,
    Meaning,
    Names,
    Piece,
    Statement,
    column_letter,
    columns_of,
    constant,
    options_of,
    piece_of,
    statements,
    typed_formula,
    with_places,
    words_of,
)
from elo_xl.templates.layout import LINE_HEIGHT, ColumnLook, Look, SetUp, Validation
from elo_xl.templates.rules import PIECES, clauses
from elo_xl.templates.styles import BOLD, FORMULA_SIGNS, ROLES, ROOM
from elo_xl.templates.text import GENERAL, clean, shown, text_width, two_lines
from elo_xl.templates.texts import texts
from elo_xl.xlsx import CellValue
from elo_xl.xlsx import Text as PlainText
from elo_xl.xlsx.evaluate import ArrayBlock, Error, Workbook
from elo_xl.xlsx.fill import Filled, Filler, filled
from elo_xl.xlsx.formula import FALSE, Binary, Call, Node, Reference, Unary, parse, to_text, walk
from elo_xl.xlsx.formula import Text as PlainTree
from elo_xl.xlsx.in_place import read_parts, with_parts
from elo_xl.xlsx.package import package

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

Constant = float | int | str | bool | date | None
"""What is typed into a cell, or stands in it for good."""

Content = Mapping[str, Any]
"""What is typed into a book: the value of a single cell by its name, and by the name of a table
its rows, each a mapping of column keys to what is typed; or a mapping from row numbers (from 1)."""


@dataclass(frozen=True, slots=True)
class Options:
    """What ``elo-xl new`` was asked for."""

    functions: str = "formulas"
    language: str = "en"
    players: int = 10
    rounds: int = 1
    rules: str = "fide"


@dataclass(frozen=True, slots=True)
class Formula:
    """The text of a formula in names, as the language of books has it."""

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
        """As formulas of the own sheet write it, fixed: ``$D$5:$D$24``."""
        first = f"${column_letter(self.column)}${self.row}"
        if self.rows * self.columns == 1:
            return first
        last = column_letter(self.column + self.columns - 1)
        return f"{first}:${last}${self.row + self.rows - 1}"

    @property
    def area(self) -> str:
        """The same without dollar signs, as settings of a sheet have it."""
        return self.address.replace("$", "")

    @property
    def reference(self) -> str:
        """As formulas of any sheet write it: ``Steps!$D$5:$D$24``."""
        return self.sheet.reference(self.address)

    def at(self, row: int, column: int = 0) -> Cells:
        """One of the cells; rows and columns count from 0."""
        return Cells(self.sheet, self.row + row, self.column + column)

    def values(self) -> list[CellValue | None]:
        """What the cells hold, row by row, once the book is finished."""
        known = self.sheet.book.known
        return [
            known(self.sheet, row, column)
            for row in range(self.row, self.row + self.rows)
            for column in range(self.column, self.column + self.columns)
        ]

    def numbers(self) -> list[float]:
        """The same as numbers, 0 for anything else."""
        return [
            float(v) if isinstance(v, int | float) and not isinstance(v, bool) else 0.0
            for v in self.values()
        ]

    def texts(self) -> list[str]:
        """The same as texts."""
        return ["" if v is None else str(v) for v in self.values()]


@dataclass(slots=True)
class _Put:
    """A single cell as it was declared."""

    value: Constant | Formula | Node
    look: Look
    table: Table | None
    row: int
    across: tuple[int, int] | None


class Book:
    """A workbook with its language, rulebook and flavour, and what is typed into it."""

    def __init__(self, template: str, options: Options, content: Content | None = None) -> None:
        self.template, self.options = template, options
        self.content: Content = content or {}
        self.text = texts(options.language)
        self.rules: Rulebook = rulebook(options.rules)
        self.flavour = FLAVOURS[options.functions]
        self.sheets: dict[str, Sheet] = {}
        self.tables: dict[str, Table] = {}
        self.pieces: dict[str, Piece] = dict(PIECES)
        self.names: dict[str, Meaning] = clauses(self.rules)
        """what names stand for in all formulas of the book"""
        self.defined: dict[str, str] = {}
        """names of cells that the file itself has"""
        self.data: dict[str, Any] = {}
        """by table, the rows that stand there for good"""
        self.texts: dict[str, str] = {}
        """texts of this book alone, before those of its template"""
        self.calls: set[tuple[str, str]] = set()
        """the cells in which a worksheet function is called"""
        self.values: dict[tuple[str, str], CellValue] = {}
        self.descriptions: dict[str, list[str]] = {}
        self.styles: dict[tuple[str, str, str | None], str] = {}
        self.workbook = ExcelFile()
        self.workbook.remove(self.workbook.worksheets[0])
        self._computed: Workbook | None = None

    # -- declaring --------------------------------------------------------------------------

    def say(self, key: str, **places: object) -> str:
        """A text of this book, of its template, or one that all templates share."""
        if key in self.texts:
            text = self.texts[key]
            return text.format(**places) if places else text
        own = f"{self.template}.{key}"
        try:
            return self.text(own if own in self.text.by_key else f"form.{key}", **places)
        except KeyError:
            raise BookError(f"no text is named {key!r}") from None

    def say_or(self, key: str, other: str) -> str:
        """A text, or another where nobody wrote it."""
        try:
            return self.say(key)
        except BookError:
            return other

    @property
    def rules_title(self) -> str:
        """The rulebook's full name in the book's language."""
        return self.say(f"rules_{self.rules.name}")

    def widest(self, prefix: str) -> float:
        """How wide a column must be for any of the bold texts whose keys begin so."""
        tables = (f"form.{prefix}", f"{self.template}.{prefix}")
        found = [t for k, t in self.text.by_key.items() if k.startswith(tables)]
        return 1.05 * max(map(text_width, found))

    def rows_of(self, table: str) -> dict[int, Mapping[str, Constant]]:
        """What is typed into a table, or stands there for good, by row from 0."""
        data = self.data.get(table, self.content.get(table, ()))
        if isinstance(data, Mapping):
            return {int(row) - 1: cells for row, cells in data.items()}
        return dict(enumerate(data))

    def kept(
        self, declared: Sequence[Statement], names: Mapping[str, Meaning]
    ) -> Iterator[Statement]:
        """The statements that count: not those whose condition, ``?name``, does not hold."""
        for statement in declared:
            if not statement.text.startswith("?"):
                yield statement
                continue
            name = statement.keyword[1:]
            meaning = names.get(name, self.names.get(name))
            if meaning is None:
                raise statement.error(f"nothing is named {name!r}")
            if meaning not in (FALSE, 0, PlainTree("")):
                yield Statement(statement.rest, statement.where, statement.children)

    def sheet(self, key: str, title: str | None = None) -> Sheet:
        """A sheet by its key: the one that is there, or a new one after the others."""
        if key not in self.sheets:
            self.sheets[key] = Sheet(self, key, title or self.say(f"sheet_{key}"))
        return self.sheets[key]

    def define(self, name: str, cells: Cells) -> None:
        """Give cells a name that the file keeps."""
        self.defined[name] = cells.reference

    def read(
        self,
        text: str,
        where: str | None = None,
        *,
        loops: Mapping[str, Sequence[int]] | None = None,
        data: Mapping[str, Any] | None = None,
        **names: Meaning,
    ) -> None:
        """Declare what a text says.

        ``names`` are those that its formulas and sizes use; ``data`` holds by table the rows that
        stand there for good.

        Raises BookError: what is wrong @ where.
        """
        self.data.update(data or {})
        filled_in = with_places(text, names)
        self.declare(statements(filled_in, where or self.template), loops or {}, names)

    def declare(
        self,
        declared: Sequence[Statement],
        loops: Mapping[str, Sequence[int]],
        names: Mapping[str, Meaning],
    ) -> None:
        """Declare sheets and pieces from statements."""
        for statement in declared:
            if statement.keyword == "pieces":
                self.pieces.update(map(piece_of, statement.children))
            elif statement.keyword == "sheet":
                key, *words = words_of(statement.rest)
                with _placed(statement):
                    sheet = self.sheet(key.strip('"'), key.strip('"') if key[:1] == '"' else None)
                sheet.read(statement, words, loops, names)
            else:
                raise statement.error(f"a book has sheets and pieces, not {statement.keyword!r}")

    # -- writing ----------------------------------------------------------------------------

    def finish(self) -> None:
        """Work out every cell and write the workbook."""
        held = {sheet.title: sheet.held() for sheet in self.sheets.values()}
        evaluated = {
            title: {at: _as_number(cell.content) for at, cell in cells.items()}
            for title, cells in held.items()
        }
        self._computed = Workbook(evaluated, self.defined, _functions())
        book = self.workbook
        book.properties.creator = "elo-xl"
        book.properties.title = clean(self.say("title"))
        book.properties.language = self.options.language
        for name, reference in self.defined.items():
            book.defined_names[name] = DefinedName(name, attr_text=reference)
        for sheet in self.sheets.values():
            sheet.write(book.create_sheet(sheet.title), held[sheet.title], self._computed)
        for sheet in self.sheets.values():
            sheet.draw()

    def known(self, sheet: Sheet, row: int, column: int) -> CellValue | None:
        """What a cell of the finished book holds."""
        if self._computed is None:
            raise RuntimeError("a cell has a value when its book is finished")
        return self._computed.value(sheet.title, row, column)

    def file(self) -> bytes:
        """The finished file, with what the flavour needs in it."""
        content = package(self.workbook, self.values)
        described = [self.descriptions.get(ws.title, []) for ws in self.workbook.worksheets]
        content = _described(content, [texts for texts in described if texts])
        return self.flavour.finish(content)

    def style(self, look: Look) -> str:
        """The named style of a look, added to the workbook where it is new."""
        key = look.role, look.number_format, look.align
        name = self.styles.get(key)
        if name is None:
            words = ["Elo", look.role, look.align or "", look.number_format.split(";")[0]]
            name = " ".join(filter(None, words)).replace('"', "")
            if name in self.styles.values():
                name += f" {len(self.styles)}"
            style = ROLES[look.role].style(name, look.number_format, look.align)
            self.workbook.add_named_style(style)
            self.styles[key] = name
        return name

    def rendered(self, tree: Node, column: str | None = None) -> Node:
        """A formula with our own functions as the flavour writes them."""
        match tree:
            case Call(name, arguments) if name.startswith("ELO_"):
                given = [None if a is None else to_text(self.rendered(a)) for a in arguments]
                return parse(self.flavour.call(name, given, column))
        return _mapped(tree, self.rendered)


@dataclass(frozen=True, slots=True)
class Held:
    """A cell of a finished sheet: what it holds, and how a file writes it."""

    content: Constant | Filled | ArrayBlock
    look: Look
    text: str | None = None
    """its formula, without ``=``"""
    across: str | None = None
    """the range that an array formula fills, for its first cell"""


class Sheet:
    """One sheet of a :class:`Book`; ``row`` is where the next thing goes."""

    def __init__(self, book: Book, key: str, title: str) -> None:
        self.book, self.key, self.title = book, key, title
        self.row = 1
        self.tables: list[Table] = []
        self.names: dict[str, Meaning] = {}
        """what names stand for in the formulas of this sheet"""
        self.puts: dict[tuple[int, int], _Put] = {}
        self.widths: dict[int, float] = {}
        self.heights: dict[int, float] = {}
        self.merged: list[str] = []
        self.longest_line = 0.0
        self.set_up = SetUp()
        self.validations: list[Validation] = []
        self.marks: list[tuple[Cells, Node, str, Table | None]] = []
        self.charts: list[tuple[Callable[[], Any], str, str]] = []
        self.edits: list[Callable[[Worksheet], None]] = []
        """what else is done to the written sheet"""
        self.worksheet: Worksheet | None = None

    def reference(self, cells: str) -> str:
        """Cells of this sheet as formulas of other sheets write them: ``Games!$A$5:$A$90``."""
        plain = self.title.isascii() and self.title.replace("_", "a").isalpha()
        quoted = self.title if plain else "'" + self.title.replace("'", "''") + "'"
        return f"{quoted}!{cells}"

    def cells(self, row: int, column: int, rows: int = 1, columns: int = 1) -> Cells:
        """Cells of this sheet."""
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
        table: Table | None = None,
        at: int = 0,
        across: tuple[int, int] | None = None,
    ) -> Cells:
        """Write a cell, with ``table`` seen from one of its rows; gives the cell back.

        ``across`` are the rows and columns that a worksheet function of several results fills.
        """
        self.puts[row, column] = _Put(
            value, Look(role, number_format, align, measure), table, at, across
        )
        rows, columns = across or (1, 1)
        return Cells(self, row, column, rows, columns)

    def name(self, name: str, cells: Cells) -> None:
        """Let formulas of the book read cells by a name; it is not a name of the file."""
        self.book.names[name] = Reference(cells.reference)
        self.names[name] = Reference(cells.address)

    def line(self, text: str | Formula, role: str = "note") -> None:
        """Write a line of text over all columns."""
        self.put(self.row, 1, text, role, measure=False)
        if isinstance(text, str):
            scale = ROLES[role].size / ROLES["computed"].size
            self.longest_line = max(self.longest_line, scale * text_width(text))
        self.row += 1

    def heading(self) -> None:
        """Write the title line, with the event's name before it where the book has one."""
        title = self.book.say(f"sheet_{self.key}") if self.key != self.title else self.title
        if "Event" in self.book.defined:
            quoted = title.replace('"', '""')
            text = f'IF(Event = "", "", Event & " – ") & "{quoted}"'
            self.line(Formula(text), "title")
        else:
            self.line(title, "title")
        self.height(1, 1.7)

    def height(self, row: int, lines: float) -> None:
        """Make a row high enough for a number of lines."""
        self.heights[row] = LINE_HEIGHT * lines + 3

    def merge(self, cells: Cells) -> None:
        """Make one cell of several."""
        self.merged.append(cells.area)

    def mark(self, cells: Cells, test: str | Node, look: str = "attention", table: Table | None = None) -> None:
        """Make cells stand out where a formula holds, seen from their first cell."""
        node = parse(test) if isinstance(test, str) else test
        self.marks.append((cells, node, look, table))

    def chart(self, drawn: Callable[[], Any], anchor: str, description: str) -> None:
        """Put a chart on the sheet when all values are known; ``description`` is for those who
        cannot see it."""
        self.charts.append((drawn, anchor, description))

    # -- the language -----------------------------------------------------------------------

    def read(
        self,
        statement: Statement,
        words: Sequence[str],
        loops: Mapping[str, Sequence[int]],
        names: Mapping[str, Meaning],
    ) -> None:
        """Declare what a sheet's statement says."""
        self.set_up.read(options_of(words), statement)
        if self.row == 1:
            self.heading()
        begun = False
        for child in statement.children:
            with _placed(child):
                if child.keyword == "note":
                    self._note(child, names)
                    continue
                if not begun and not self.tables:
                    self.row += 1  # a blank row between the notes and the rest
                begun = True
                if child.keyword == "table":
                    Table.read(self, child, loops, names)
                elif child.keyword == "cells":
                    self._cells(child, names)
                elif self.tables:
                    self.tables[-1].section(child, loops)
                else:
                    raise child.error(f"a sheet has no {child.keyword!r}")

    def _note(self, statement: Statement, names: Mapping[str, Meaning]) -> None:
        key, *places = words_of(statement.rest)
        if key.startswith('"'):
            self.line(key[1:-1])
            return
        given = {}
        for place in places:
            name, _, value = place.partition("=")
            given[name] = names.get(value or name, value)
        self.line(self.book.say(key, **given))

    def _cells(self, statement: Statement, names: Mapping[str, Meaning]) -> None:
        """Labelled cells below each other: ``name words = formula``, or typed ones."""
        left = int(options_of(words_of(statement.rest)).get("left", 1))
        self.names.update(names)
        for child in statement.children:
            for column in columns_of(child, {}):
                look = ColumnLook.read(column, self.book)
                self.put(self.row, left, look.heading, "label", align="left")
                where = Cells(self, self.row, left + 1)
                value: Constant | Node = column.formula
                if column.formula is None:
                    value = self.book.content.get(look.key)
                role = look.look.role
                self.put(
                    self.row, left + 1, value, role, look.look.number_format, look.look.align,
                    measure=role != "input",
                )  # fmt: skip
                self.name(look.key, where)
                if look.name:
                    self.book.define(look.name, where)
                if look.validation:
                    self.validations.append(look.validation.on(where, None))
                self.row += 1

    # -- writing ----------------------------------------------------------------------------

    def names_at(self, table: Table | None, *, fixed_columns: bool = False) -> Names:
        """What names mean on this sheet, or in one of its tables."""
        own = table.names if table is not None else {}
        places = (own, self.names, self.book.names)

        def look_up(name: str) -> Any:
            for place in places:
                if name in place:
                    return place[name]
            if name in self.book.defined:
                return parse(name)
            return None

        pieces = {**self.book.pieces, **(table.pieces if table is not None else {})}
        return Names(
            self, table, self.book.tables, pieces, look_up, self.book.say,
            fixed_columns=fixed_columns,
        )  # fmt: skip

    def held(self) -> dict[tuple[int, int], Held]:
        """All cells, with addresses in their formulas."""
        cells: dict[tuple[int, int], Held] = {}
        for table in self.tables:
            cells.update(table.held())
        for (row, column), put in self.puts.items():
            for at, cell in self._single(row, column, put):
                cells[at] = cell
        return cells

    def _single(self, row: int, column: int, put: _Put) -> Iterator[tuple[tuple[int, int], Held]]:
        value = put.value
        if isinstance(value, Formula):
            value = parse(value.text)
        if value is None or isinstance(value, str | int | float | date):
            yield (row, column), Held(value, put.look)
            return
        tree = self.names_at(put.table).resolve(value, put.row)
        if put.across is not None:
            yield from called_block(self, tree, Cells(self, row, column, *put.across), put.look)
            return
        known = constant(tree)
        if known is not None:
            yield (row, column), Held(known, put.look)
        else:
            yield (row, column), self.formula(row, column, tree, put.look)

    def formula(self, row: int, column: int, tree: Node, look: Look) -> Held:
        """A cell with a formula of its own."""
        if has_call(tree):
            self.book.calls.add((self.title, f"{column_letter(column)}{row}"))
        return Held(Filled(tree), look, to_text(self.book.rendered(tree)))

    def write(
        self, worksheet: Worksheet, cells: Mapping[tuple[int, int], Held], computed: Workbook
    ) -> None:
        """Write the cells with their looks, and what else the sheet has, into a file's sheet."""
        self.worksheet = worksheet
        worksheet.sheet_view.showGridLines = False
        styles = layout.Styles(self.book)
        widths = dict(self.widths)
        for table in self.tables:
            for column, width in table.widths():
                widths[column] = max(widths.get(column, 0), width)
        for (row, column), held in cells.items():
            cell = worksheet.cell(row, column)
            look, content = held.look, held.content
            seen: CellValue | None
            if isinstance(content, Filled | ArrayBlock):
                value = computed.value(self.title, row, column)
                seen = "" if value is None else value
                plain = isinstance(seen, str) and not isinstance(seen, Error)
                self.book.values[self.title, cell.coordinate] = (
                    PlainText(clean(str(seen))) if plain else seen
                )
                if held.across is not None:
                    cell.value = ArrayFormula(held.across, f"={held.text}")
                elif held.text is not None:
                    cell.value = f"={held.text}"
                    cell.data_type = "f"
            elif isinstance(content, str):
                seen = clean(content)
                if seen:
                    cell.value = seen
                    cell.data_type = "s"  # openpyxl takes "=1+1" for a formula, "#N/A" for an error
            else:
                seen = cell.value = content  # type: ignore[assignment]
            prefixed = isinstance(content, str) and content.startswith(FORMULA_SIGNS)
            styles.give(cell, look, prefixed)
            if look.measure:
                text = shown(seen, look.number_format)
                if text:
                    width = text_width(text) + (1.2 if look.align == "left" else 0)
                    width *= BOLD if ROLES[look.role].bold else 1
                    if width > widths.get(column, 0):
                        widths[column] = width
                else:
                    widths.setdefault(column, 1.2 if look.align == "left" else 0.0)
        layout.finish(self, worksheet, widths)

    def draw(self) -> None:
        """Put the charts on the written sheet."""
        assert self.worksheet is not None
        for drawn, anchor, description in self.charts:
            self.worksheet.add_chart(drawn(), anchor)
            self.book.descriptions.setdefault(self.title, []).append(description)


class Table:
    """A header row and rows of cells below it, addressed by the keys of their columns."""

    def __init__(
        self,
        sheet: Sheet,
        name: str,
        columns: Sequence[Column],
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
        self.names: dict[str, Meaning] = dict(names or {})
        self.pieces: dict[str, Piece] = {}
        self.columns: dict[str, ColumnLook] = {}
        self.at: dict[str, int] = {}
        self.lines = list(columns)
        for line in columns:
            for look in ColumnLook.all(line, sheet.book):
                self.at[look.key] = left + len(self.at)
                self.columns[look.key] = look
        self.data = sheet.book.rows_of(name)
        self.fitted = True
        """whether its header is made high enough for its headings"""
        sheet.tables.append(self)
        sheet.book.tables[name] = self
        sheet.row = max(sheet.row, self.last + 1)
        self._write_header()

    @classmethod
    def read(
        cls,
        sheet: Sheet,
        statement: Statement,
        loops: Mapping[str, Sequence[int]],
        names: Mapping[str, Meaning],
    ) -> Table:
        """A table from its statement: ``table NAME rows:SIZE group:SIZE beside:NAME gap:ROWS``."""
        name, *words = words_of(statement.rest)
        options = options_of(words)
        unknown = set(options) - {"rows", "group", "beside", "gap", "left"}
        if unknown:
            raise statement.error(f"a table has no {', '.join(sorted(unknown))}")

        def size(key: str, default: int) -> int:
            if key not in options:
                return default
            scope = sheet.names_at(None)
            look_up = scope.look_up
            scope.look_up = lambda text: names[text] if text in names else look_up(text)  # type: ignore[assignment,return-value]
            value = constant(scope.resolve(typed_formula(options[key], statement)))
            if not isinstance(value, float):
                raise statement.error(f"{key} is a number, not {options[key]!r}")
            return int(value)

        kept = sheet.book.kept(statement.children, {**sheet.names, **names})
        columns = [column for child in kept for column in columns_of(child, loops)]
        header, left = sheet.row + size("gap", 2 if sheet.tables else 0), size("left", 1)
        if "beside" in options:
            other = sheet.book.tables.get(options["beside"])
            if other is None:
                raise statement.error(f"no table is named {options['beside']!r}")
            header, left = other.header, other.left + len(other.at) + size("left", 1)
        rows = size("rows", len(sheet.book.rows_of(name)))
        return cls(
            sheet, name, columns, rows,
            header=header, left=left, group=size("group", 0), names=names,
        )  # fmt: skip

    def section(self, statement: Statement, loops: Mapping[str, Sequence[int]]) -> None:
        """Marks, custom inputs, totals, names and pieces of this table."""
        match statement.keyword:
            case "marks":
                for child in statement.children:
                    place, look, test = child.text.split(None, 2)
                    self.mark(place, look, test, child)
            case "inputs":
                for child in statement.children:
                    for column in columns_of(child, loops):
                        self._input(column)
            case "totals":
                for child in statement.children:
                    for column in columns_of(child, loops):
                        self._total(column)
                self.sheet.row += 1
            case "names":
                for child in statement.children:
                    name, _, meaning = child.text.partition("=")
                    self.names[name.strip()] = meaning.strip()
            case "pieces":
                self.pieces.update(map(piece_of, statement.children))
            case keyword:
                raise statement.error(f"a sheet has no {keyword!r}")

    def mark(self, place: str, look: str, test: str | Node, statement: Statement | None = None) -> None:
        """Make cells of columns ``a:b`` stand out where a formula holds, seen from each row."""
        if isinstance(test, str):
            test = parse(test) if statement is None else typed_formula(test, statement)
        self.sheet.mark(self.span(place), test, look, self)

    def _input(self, column: Column) -> None:
        look = ColumnLook.read(column, self.sheet.book)
        rule = Validation("custom", look.text_key, first=column.formula, soft=look.soft)
        self.sheet.validations.append(rule.on(self.span(column.keys[0]), self))

    def _total(self, column: Column) -> None:
        look = ColumnLook.read(column, self.sheet.book)
        own = self.columns[look.key].look
        number_format = look.look.number_format
        if number_format == GENERAL:
            number_format = own.number_format
        role = "total" if look.look.role == "computed" else look.look.role
        self.sheet.put(
            self.last + 1, self.at[look.key], column.formula, role, number_format,
            look.look.align or own.align, measure=own.measure, table=self,
        )  # fmt: skip

    # -- places -----------------------------------------------------------------------------

    def has(self, key: str) -> bool:
        """Whether a column has this key."""
        return key in self.at

    def letter(self, key: str) -> str:
        """The letter of a column."""
        if key not in self.at:
            raise BookError(f"table {self.name} has no column {key!r}")
        return column_letter(self.at[key])

    def column(self, key: str, last: str | None = None) -> Cells:
        """The cells of a column, or of it and its neighbours up to another."""
        self.letter(key), self.letter(last or key)
        left, right = self.at[key], self.at[last or key]
        return Cells(self.sheet, self.first, left, self.last - self.header, right - left + 1)

    def span(self, place: str) -> Cells:
        """The same for a text ``a`` or ``a:b``."""
        first, _, last = place.partition(":")
        return self.column(first, last or None)

    def cell(self, key: str, row: int) -> Cells:
        """A cell; rows count from 0."""
        return self.column(key).at(row)

    # -- writing ----------------------------------------------------------------------------

    def _write_header(self) -> None:
        before = ""
        for key, look in self.columns.items():
            at = self.at[key]
            heading = look.heading
            self.sheet.put(
                self.header, at, heading, "heading", align=look.look.align, measure=False
            )
            if look.over and look.over != before:
                self.sheet.put(
                    self.header - 1, at, self.sheet.book.say(look.over), "label", align="left",
                    measure=False,
                )  # fmt: skip
            before = look.over
            if look.name:
                self.sheet.book.define(look.name, self.column(key))
            if look.validation:
                self.sheet.validations.append(look.validation.on(self.column(key), self))

    def widths(self) -> Iterator[tuple[int, float]]:
        """The least width of each column, for its heading and what will stand below."""
        for key, look in self.columns.items():
            room = ROOM.get(key, 0.0) if look.width is None else look.width
            yield self.at[key], max(BOLD * two_lines(look.heading), room)

    def held(self) -> Iterator[tuple[tuple[int, int], Held]]:
        """All cells below the header."""
        for line in self.lines:
            with _placed(line.statement):
                if line.formula is None:
                    yield from self._constants(line)
                elif len(line.keys) > 1 or self._one_call(line):
                    yield from self._called(line)
                else:
                    yield from self._computed(line)

    def _constants(self, line: Column) -> Iterator[tuple[tuple[int, int], Held]]:
        for key in line.keys:
            look = self.columns[key].look
            for i in range(self.rows):
                value = self.data.get(i, {}).get(key)
                yield (self.first + i, self.at[key]), Held(value, look)

    def _one_call(self, line: Column) -> bool:
        """Whether the whole formula is a call of ours over cells of the row."""
        if "each" in line.words or not isinstance(line.formula, Call):
            return False
        name = line.formula.name
        return name.startswith("ELO_")

    def _computed(self, line: Column) -> Iterator[tuple[tuple[int, int], Held]]:
        assert line.formula is not None
        (key,) = line.keys
        own, at, book = self.columns[key].look, self.at[key], self.sheet.book
        names = self.sheet.names_at(self)
        tree: Node | None = None
        base, fill, known = 0, None, None
        letter = column_letter(at)
        called = False
        for i in range(self.rows):
            group = i // self.group if self.group else 0
            if tree is None or names.by_row or (names.by_group and i == group * self.group):
                fresh = names.resolve(line.formula, i)
                if tree is None or fill is None or fresh != filled(tree, i - base):
                    tree, base = fresh, i
                    known = constant(tree)
                    called = has_call(tree)
                    fill = None
                    if known is None and tree not in (INPUT, BLOCKED, EMPTY):
                        fill = Filler(book.rendered(tree) if called else tree)
            where = self.first + i, at
            if fill is not None:
                if called:
                    book.calls.add((self.sheet.title, f"{letter}{where[0]}"))
                yield where, Held(Filled(tree, i - base), own, fill.text(i - base))
            elif known is not None:
                yield where, Held(known, own)
            else:
                yield where, self._special(tree, key, i, own)

    def _special(self, tree: Node, key: str, i: int, own: Look) -> Held:
        """A cell that is typed, crossed out or blank."""
        role = {INPUT: "input", BLOCKED: "blocked"}.get(tree, own.role)  # type: ignore[call-overload]
        look = Look(role, own.number_format, own.align, own.measure)
        if tree == INPUT:
            return Held(self.data.get(i, {}).get(key), look)
        return Held(None, Look(role) if tree == BLOCKED else look)

    def _called(self, line: Column) -> Iterator[tuple[tuple[int, int], Held]]:
        """Calls that give the column, or some neighbouring ones, at once or row by row."""
        assert line.formula is not None
        first = self.at[line.keys[0]]
        looks = [self.columns[key].look for key in line.keys]
        names = self.sheet.names_at(self)
        tree = names.resolve(line.formula, 0)
        by_row = "each" in line.words or names.by_row or names.by_group
        if not by_row:
            cells = Cells(self.sheet, self.first, first, self.rows, len(looks))
            yield from called_block(self.sheet, tree, cells, *looks)
            return
        for i in range(self.rows):
            here = names.resolve(line.formula, i) if names.by_row or names.by_group else filled(tree, i)
            cells = Cells(self.sheet, self.first + i, first, 1, len(looks))
            yield from called_block(self.sheet, here, cells, *looks)


def called_block(
    sheet: Sheet, tree: Node, cells: Cells, *looks: Look
) -> Iterator[tuple[tuple[int, int], Held]]:
    """Cells that one call of a worksheet function fills: one array formula, or where the flavour
    has no arrays, a formula a cell. References without a fixed row are those of the first row."""
    if not isinstance(tree, Call) or not tree.name.startswith("ELO_"):
        raise BookError("only a worksheet function gives several cells")
    book, entry = sheet.book, find(tree.name)
    whole = Call(tree.name, tuple(_lengthened(a, cells.rows) for a in tree.arguments))
    block = ArrayBlock(whole, cells.row, cells.column, cells.rows, cells.columns)
    columns = entry.columns or (None,) * cells.columns
    fillers = [Filler(book.rendered(tree, column)) for column in columns[: cells.columns]]
    text = to_text(book.rendered(whole)) if book.flavour.one_call else ""
    for j in range(cells.columns):
        look = looks[min(j, len(looks) - 1)]
        letter = column_letter(cells.column + j)
        for i in range(cells.rows):
            at = cells.row + i, cells.column + j
            if book.flavour.one_call:
                first = i == j == 0
                yield at, Held(block, look, text if first else None, cells.area if first else None)
            else:
                book.calls.add((sheet.title, f"{letter}{at[0]}"))
                yield at, Held(block, look, fillers[j].text(i))


def _lengthened(node: Node | None, rows: int) -> Node | None:
    """An argument for a block of rows: a cell of its first row becomes those of all."""
    if isinstance(node, Reference) and rows > 1:
        end = filled(node, rows - 1)
        if end != node and isinstance(end, Reference):
            return Reference(f"{node.text}:{end.text.rpartition('!')[2]}")
    return node


def has_call(tree: Node) -> bool:
    """Whether a formula calls a worksheet function of ours."""
    return any(isinstance(node, Call) and node.name.startswith("ELO_") for node in walk(tree))


def _mapped(tree: Node, change: Callable[[Node], Node]) -> Node:
    """A tree whose arguments and operands are changed."""
    match tree:
        case Call(name, arguments):
            return Call(name, tuple(None if a is None else change(a) for a in arguments))
        case Unary(operator, operand):
            return Unary(operator, change(operand))
        case Binary(operator, left, right):
            return Binary(operator, change(left), change(right))
    return tree


@cache
def _functions() -> dict[str, Callable[..., Any]]:
    """Our worksheet functions for the evaluator: the engine works them out."""

    def one(name: str) -> Callable[..., Any]:
        def called(*arguments: Any) -> Any:
            found = call(name, *arguments)
            if isinstance(found, list):
                return [[_result(cell) for cell in row] for row in found]
            return _result(found)

        return called

    return {name: one(name) for name in functions()}


def _result(cell: Any) -> Any:
    return Error(cell) if isinstance(cell, str) and cell.startswith("#") else cell


def _as_number(content: Any) -> Any:
    """A date as the number that a spreadsheet has for it."""
    return to_excel(content) if isinstance(content, date | datetime) else content


def _described(content: bytes, descriptions: Sequence[Sequence[str]]) -> bytes:
    """The file with the alternative text of each chart; openpyxl numbers drawings by sheet."""
    parts = read_parts(content)
    changed = {}
    for i, described in enumerate(descriptions, start=1):
        name = f"xl/drawings/drawing{i}.xml"
        root = etree.fromstring(parts[name])
        for properties, text in zip(root.iter("{*}cNvPr"), described, strict=True):
            properties.set("descr", text)
        changed[name] = etree.tostring(
            root, xml_declaration=True, encoding="UTF-8", standalone=True
        )
    return with_parts(content, changed) if changed else content


class _placed:
    """Adds its place to an error of a statement."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BookError) and " @ " not in str(error):
            raise self.statement.error(str(error)) from None
        if isinstance(error, LookupError):
            raise self.statement.error(str(error).strip("'\"")) from error

