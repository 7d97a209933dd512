"""Pages: sheets of text, formulas, cells to play with and results, beside what others printed.

::

    page "Expected score"
        text "It depends on the difference of the ratings only."
        formula "E = Φ((μA − μB) / (200·√2))"
        section "Try it"
        rating "Rating" 0 input decimal:1..3999 = 1834
        chance "Expected score" 0.00000         = ELO_EXPECTED(rating, 2179)
        section "What the article prints"
        table Printed
            d "Difference" 0 left               : 0..100/50
            e "E" 0.00000                       = ELO_EXPECTED(1500 + d, 1500)
                printed 0.5 0.570 0.638

``docs/books.md`` lists the statements. The name of a line is that of its result, and of a yellow
cell that of the number that counts there: a blank text while the entry makes no sense. Other sheets
call it ``PAGE.NAME``. A paper page begins with a section, or behind a blank row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Protocol

from elo_xl.books.charts import chart
from elo_xl.books.column_words import ColumnLook
from elo_xl.books.layout import ACROSS, HIGH, LOW, UPRIGHT
from elo_xl.books.listed import LISTED, constants_of, whole
from elo_xl.books.model import Cells, Constant, Declared, Seen, Sheet, Table
from elo_xl.books.names import Meaning
from elo_xl.books.statements import (
    BookError,
    ColumnLine,
    Statement,
    columns_of,
    located,
    options_of,
    words_of,
)
from elo_xl.books.styles import LINE_HEIGHT, PADDING
from elo_xl.books.text import wrapped_lines
from elo_xl.books.typed import WRONG, Reading, read_single
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.folding import value_of
from elo_xl.xlsx.formula import Binary, Call, Reference, Text, to_text

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

LABEL, CELL, COLUMNS = 27.0, 5.0, 8
"""Least widths of the first column and of the others, and the least number of columns."""
LETTERS: Final = 0.96
"""The letters of running text in a line, against the width of its cells in digits."""
SHRUNK: Final = 1.32
"""How much longer than paper a page may be before it is cut; its letters shrink."""
A_LITTLE: Final = 1.18
"""How much longer its pieces may be: A4 is longer than Letter."""
SECTIONS: Final = ("marks", "inputs", "totals", "names", "heat", "pieces")
"""What belongs to the table above it."""


class Reader(Protocol):
    """The parts of the reader of all statements that pages need."""

    @property
    def book(self) -> Declared: ...
    @property
    def loops(self) -> Mapping[str, Sequence[int | str]]: ...
    @property
    def names(self) -> Mapping[str, Meaning]: ...
    def table(self, sheet: Sheet, statement: Statement) -> None: ...
    def section(self, table: Table, statement: Statement) -> None: ...
    def columns(self, statement: Statement) -> Iterator[ColumnLine]: ...
    def kept(
        self, declared: Sequence[Statement], meanings: Mapping[str, Meaning]
    ) -> Iterator[Statement]: ...


def page(reader: Reader, statement: Statement) -> None:
    """Read ``page KEY words`` or ``page "Title" words``; ``wide`` is paper across."""
    key, *words = words_of(statement.rest)
    upright = "wide" not in words
    paper, room = (UPRIGHT, HIGH) if upright else (ACROSS, LOW)
    sheet = reader.book.sheet(key.strip('"'), key.strip('"') if key.startswith('"') else None)
    sheet.begun = statement.where
    made = Page(reader, sheet, _columns(statement))
    # text and tables fill the paper, and letters need not shrink
    cell = max(CELL, (paper - LABEL - PADDING) / (made.columns - 1) - PADDING)
    sheet.widths = {c: LABEL if c == 1 else cell for c in range(1, made.columns + 1)}
    sheet.set_up.upright, sheet.set_up.titles, sheet.set_up.heading_lines = upright, 1, 3
    sheet.set_up.read(options_of([word for word in words if word != "wide"]), statement)
    sheet.heading()
    if about := reader.book.say_or(f"about_{sheet.key}", ""):
        made.paragraph(about)
    for child in reader.kept(statement.children, sheet.names):
        sheet.where = child.where
        with located(child.where):
            made.read(child)
    sheet.edits.append(lambda worksheet: _cut(made, worksheet, paper, room))


@dataclass(frozen=True, slots=True)
class Page:
    """A page while it is written."""

    reader: Reader
    sheet: Sheet
    columns: int
    """how many columns paragraphs span: those of the widest table"""
    cuts: list[int] = field(default_factory=list)
    """the rows with which a page of paper may begin"""

    def read(self, statement: Statement) -> None:
        """Write what a statement says; one that no other method reads is a line."""
        sheet, keyword = self.sheet, statement.keyword
        if keyword in SECTIONS:
            if not sheet.tables:
                raise BookError(f"a page has no {keyword!r}")
            self.reader.section(sheet.tables[-1], statement)
        elif keyword in ("text", "note"):
            role = "paragraph" if keyword == "text" else "note"
            self.paragraph(self._said(statement), role)
        elif keyword == "formula":
            words = statement.rest.strip('"')
            sheet.put(sheet.row, 1, words, "strong", align="left", measure=False)
            sheet.row += 1
        elif keyword in ("section", "blank"):
            sheet.row += 1
            self.cuts.append(sheet.row)
            if keyword == "section":
                self._across(self._said(statement), "section")
                sheet.height(sheet.row, 1.2)
                sheet.row += 1
        elif keyword == "table":
            self._table(statement)
        elif keyword == "chart":
            chart(sheet, statement, last=self.columns)
        else:
            for column in self.reader.columns(statement):
                self._line(column)

    # -- texts ------------------------------------------------------------------------------

    def _said(self, statement: Statement) -> str:
        """A text in quotes, or one of the book: ``KEY number=5 sheet=t.sheet_results``."""
        key, *places = words_of(statement.rest) or [""]
        if key.startswith('"'):
            return key.strip('"')
        given = {}
        for name, _, value in (place.partition("=") for place in places):
            known = value.startswith("t.")
            given[name] = self.reader.book.say(value[2:]) if known else value.strip('"')
        return self.reader.book.say(key, **given)

    def _across(self, words: str, role: str, align: str | None = None) -> None:
        """Write a text into the first of the cells up to the last column."""
        for column in range(1, self.columns + 1):
            shown = words if column == 1 else None
            self.sheet.put(self.sheet.row, column, shown, role, align=align, measure=False)

    def paragraph(self, words: str, role: str = "paragraph") -> None:
        """Write a text over all columns, with the height that it needs."""
        sheet, row = self.sheet, self.sheet.row
        self._across(words, role, "left")
        sheet.merge(sheet.cells(row, 1, 1, self.columns))

        def fit(worksheet: Worksheet) -> None:
            lines = wrapped_lines(words, LETTERS * sum(_widths(worksheet, self.columns)))
            worksheet.row_dimensions[row].height = LINE_HEIGHT * lines + 3 * (lines > 1)

        sheet.edits.append(fit)
        sheet.row += 1

    def _table(self, statement: Statement) -> None:
        """Write a table. Yellow cells in it are each read by itself: below them are lines, which
        depend on them, and no formula may refer to the whole column in which it stands."""
        book, name = self.reader.book, words_of(statement.rest)[0]
        columns, yellow, rows = [], [], ""
        for child in statement.children:
            match = LISTED.fullmatch(child.text)
            words = words_of(child.text if match is None else match[1])
            if "input" in words:
                said = ColumnLook.read(
                    next(columns_of(Statement(" ".join(words), child.where), {})), book
                )
                usual = [] if match is None else [*constants_of(book, match[2])]
                yellow.append((said, usual))
                rows = f"rows:{len(usual)}"
                child = Statement(f'{said.key} "{said.heading}"', child.where)
            columns.append(child)
        text = f"table {name} gap:0 {rows} {statement.rest.removeprefix(name)}"
        self.reader.table(self.sheet, replace(statement, text=text, children=columns))
        table = self.sheet.tables[-1]
        for said, usual in yellow:
            for i, value in enumerate(usual, start=1):
                cell = table.cell(said.key, i - 1)
                self._name(f"{said.key}_{i}", self._input(said, cell, value, f".{i}"))
        self._fit_texts(table)

    def _fit_texts(self, table: Table) -> None:
        """Make the rows of a table as high as the texts in its first column need."""
        key = next(iter(table.columns))
        for i, row in table.data.items() if table.columns[key].look.role == "paragraph" else ():
            lines = wrapped_lines(str(row[key]), LETTERS * self.sheet.widths[1])
            self.sheet.height(table.first + i, lines)

    # -- lines ------------------------------------------------------------------------------

    def _line(self, column: ColumnLine) -> None:
        """Write ``KEY words = formula``, or with the word ``input`` what a yellow cell holds."""
        sheet, said = self.sheet, ColumnLook.read(column, self.reader.book)
        key, look = said.key, said.look
        typed = look.role == "input"
        if column.formula is None and not typed:
            raise BookError(f"a page has no {key!r}")
        sheet.put(sheet.row, 1, said.heading, "wrapped", align="left", measure=False)
        if (lines := wrapped_lines(said.heading, LABEL)) > 1:
            sheet.height(sheet.row, lines)
        cell = sheet.cells(sheet.row, 2)
        if typed:
            tree = column.formula
            usual = None if tree is None else value_of(sheet.names_at(None).resolve(tree))
            self._name(key, self._input(said, cell, usual))
        else:
            self._name(key, sheet.fill(cell, column.formula, look, Seen(names=self.reader.names)))
        sheet.row += 1

    def _name(self, name: str, cells: Cells) -> None:
        """Let formulas read a cell by a name, those of other sheets as ``PAGE.NAME``."""
        if name in self.sheet.names:
            raise BookError(f"the page already has something named {name!r}")
        here = cells.sheet is self.sheet
        self.sheet.names[name] = Reference(cells.address if here else cells.reference)
        page = self.sheet.key.replace(" ", "_")
        self.sheet.book.names[f"{page}.{name}"] = Reference(cells.reference)

    def _input(self, said: ColumnLook, cell: Cells, usual: Constant, row: str = "") -> Cells:
        """Write a yellow cell; gives the cell of what counts of it: nothing if it makes no
        sense."""
        sheet, book, allowed = self.sheet, self.reader.book, said.validation
        name = f"{sheet.key}.{said.key}{row}"
        usual = whole(usual) if isinstance(usual, float) else usual
        typed: Constant = book.content.get(name, usual)
        sheet.fill(cell, typed, replace(said.look, align="right"))
        if allowed is not None:
            if allowed.first is not None and allowed.second is not None and not allowed.error:
                bounds = (to_text(bound) for bound in (allowed.first, allowed.second))
                takes = book.between(allowed.kind, *bounds)
                prompt = allowed.prompt or book.say_or(f"prompt_{said.text_key}", takes)
                allowed = replace(allowed, error=takes, prompt=prompt)
            sheet.validations.append((cell, allowed, None))
        label = f"{sheet.title}: {said.heading}{row.replace('.', ' ')}"
        read = read_single(name, cell, Reading.of(said.look, allowed, book), label)
        value = Reference(read.address)
        counts = Call("IF", (Binary("=", value, Text(WRONG)), Text(""), value))
        return read.sheet.fill(read.at(0, 1), counts)


def _columns(statement: Statement) -> int:
    """The columns of the widest table of a page."""
    most = COLUMNS
    for table in statement.children:
        if table.keyword == "table":
            keys = sum(line.keyword.count(",") + 1 for line in table.children)
            most = max(most, keys + 2 * sum(len(line.children) for line in table.children))
    return most


def _widths(worksheet: Worksheet, last: int) -> list[float]:
    """The widths of the columns up to the last one."""
    there = worksheet.column_dimensions
    return [there[column_letters(column)].width for column in range(1, last + 1)]


def _cut(page: Page, worksheet: Worksheet, paper: float, room: float) -> None:
    """Print a page on as many pages of paper as it needs, each beginning with a section.

    Excel takes no notice of breaks where a sheet fits a page across, but begins a page with every
    area that is printed.
    """
    across, there = sum(_widths(worksheet, page.columns)), worksheet.row_dimensions
    whole, room = (room * max(across / paper, shrunk) for shrunk in (SHRUNK, A_LITTLE))
    bottom = page.sheet.row - 1

    def high(first: int, last: int) -> float:
        return sum(there[row].height or LINE_HEIGHT for row in range(first, last + 1))

    def begins(room: float) -> list[int]:
        rows, title = [1], high(1, 1)
        while high(rows[-1], bottom) > (room - title if rows[1:] else whole):
            left = [row for row in page.cuts if row > rows[-1]]
            if not left:
                break
            fit = [row for row in left if high(rows[-1], row - 1) <= room - title]
            rows.append(max(fit, default=left[0]))
        return rows

    rows = begins(room)
    # no piece is much longer than the others
    while len(shorter := begins(room := room - LINE_HEIGHT)) == len(rows) > 1:
        rows = shorter
    ends = [row - 1 for row in rows[1:]] + [bottom]
    last = column_letters(page.columns)
    worksheet.print_area = ",".join(
        f"A{first}:{last}{end}" for first, end in zip(rows, ends, strict=True)
    )
    worksheet.page_setup.fitToHeight = len(rows)
