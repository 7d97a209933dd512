"""What all workbooks share: cells, styles, tables of columns, and how a page is printed.

A :class:`Book` takes every formula together with the value that it gives, in one call, so that the
two cannot drift apart; :func:`elo_xl.xlsx.save` puts the values into the file.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from elo_xl.xlsx import CellValue

WHOLE: Final = "0"
TENTHS: Final = "0.0"
HUNDREDTHS: Final = "0.00"
SIGNED_WHOLE: Final = "+0;-0;0"
SIGNED_TENTHS: Final = "+0.0;-0.0;0.0"
SIGNED_HUNDREDTHS: Final = "+0.00;-0.00;0.00"
GENERAL: Final = "General"

NONE: Final = "–"
"""What a cell shows that has nothing to say: no performance without a game, no rating yet."""

INK: Final = "1F2A33"
QUIET: Final = "5F6B75"
LINE: Final = "CBD3D9"
HEADER: Final = "DDE5EB"
INPUT: Final = "FFF3C4"
GAIN: Final = "2F6F8F"
LOSS: Final = "E3A857"

BASE_SIZE: Final = 11
LINE_HEIGHT: Final = 15.0
"""in points, of the base size"""

NARROWEST, WIDEST, PADDING = 5.0, 48.0, 1.8
"""of columns, in digits"""

LINE_SHARE: Final = 0.95
"""Width of running text against the sum of its letters' widths."""

A4: Final = 9

MOST_TEXT: Final = 32767
"""The longest text that a cell holds."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, as a file stores it, and the value that it gives."""

    text: str
    value: CellValue


Value = Formula | float | str | None
"""What a cell can be given; text never becomes a formula, whatever it begins with."""


@dataclass(frozen=True, slots=True)
class _Role:
    font: Font
    fill: PatternFill = PatternFill()
    border: Border = Border()
    wrap: bool = False
    vertical: str = "center"


_ROW = Border(bottom=Side("thin", LINE))
_ROLES: Final = {
    "title": _Role(Font(name="Calibri", size=18, bold=True, color=INK)),
    "subtitle": _Role(Font(name="Calibri", size=11, color=INK)),
    "section": _Role(
        Font(name="Calibri", size=12, bold=True, color=INK),
        border=Border(bottom=Side("medium", INK)),
    ),
    "heading": _Role(
        Font(name="Calibri", size=11, bold=True, color=INK),
        PatternFill("solid", HEADER),
        Border(top=Side("thin", INK), bottom=Side("medium", INK)),
        wrap=True,
    ),
    "computed": _Role(Font(name="Calibri", size=11, color=INK), border=_ROW),
    "quiet": _Role(Font(name="Calibri", size=11, italic=True, color=QUIET), border=_ROW),
    "strong": _Role(Font(name="Calibri", size=11, bold=True, color=INK), border=_ROW),
    "input": _Role(
        Font(name="Calibri", size=11, color=INK), PatternFill("solid", INPUT), border=_ROW
    ),
    "total": _Role(
        Font(name="Calibri", size=11, bold=True, color=INK), border=Border(top=Side("thin", INK))
    ),
    "label": _Role(Font(name="Calibri", size=11, bold=True, color=INK), border=_ROW),
    "paragraph": _Role(Font(name="Calibri", size=11, color=INK), border=_ROW, wrap=True),
    "note": _Role(Font(name="Calibri", size=10, italic=True, color=QUIET)),
}
"""Named styles by what a cell is for; the file names them ``Elo …`` in the styles' gallery."""


def clean(text: str) -> str:
    """Text as a cell can hold it: one line, without the characters that XML forbids.

    >>> clean("Anna\\x00\\x0b Karl\\nsen")
    'Anna Karl sen'
    """
    line = "".join(" " if c in "\t\r\n" else c for c in text if c in "\t\r\n" or _allowed(c))
    return line[:MOST_TEXT]


def _allowed(c: str) -> bool:
    return c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff"


def text_width(text: str) -> float:
    """About how wide a text is, in digits of the same font.

    >>> text_width("1834"), text_width("Li"), text_width("李")
    (4.0, 1.75, 2.0)
    """
    return sum(map(_char_width, text))


def _char_width(c: str) -> float:
    if unicodedata.combining(c):
        return 0.0
    if unicodedata.east_asian_width(c) in "WF":
        return 2.0
    if c in "ijlIft.,;:'|!() ":
        return 0.55
    if c in "mwMW@%—":
        return 1.65
    return 1.2 if c.isupper() else 1.0


def shown(value: CellValue | None, number_format: str) -> str:
    """About what a cell shows of a value, to measure it.

    >>> shown(-2.5, SIGNED_HUNDREDTHS), shown("draw", GENERAL)
    ('-2.50', 'draw')
    """
    if value is None or isinstance(value, str):
        return value or ""
    sample = number_format.split(";")[0]
    decimals = len(sample.partition(".")[2]) if "." in sample else 0
    if number_format == GENERAL:
        return f"{value:g}"
    return f"{value:{'+' if sample.startswith('+') else ''}.{decimals}f}"


class Book:
    """A workbook in the making: its sheets, its styles, and the values of all its formulas."""

    def __init__(self, title: str = "") -> None:
        self.workbook = Workbook()
        self.workbook.remove(self.workbook.worksheets[0])
        self.workbook.properties.creator = "elo-xl"
        self.workbook.properties.title = clean(title)
        self.values: dict[tuple[str, str], CellValue] = {}
        self._styles: dict[tuple[str, str, str | None], str] = {}

    def sheet(self, title: str) -> Sheet:
        """A new sheet, after the others."""
        return Sheet(self, self.workbook.create_sheet(title))

    def define(self, name: str, reference: str) -> str:
        """A name for a cell or range, for formulas to read by; gives the name back."""
        self.workbook.defined_names[name] = DefinedName(name, attr_text=reference)
        return name

    def style(self, role: str, number_format: str, align: str | None) -> str:
        """The named style of a role, a number format and an alignment, added where it is new."""
        key = role, number_format, align
        name = self._styles.get(key)
        if name is None:
            words = ["Elo", role, align or "", number_format.split(";")[0]]
            name = " ".join(filter(None, words)).replace('"', "")
            if name in self._styles.values():
                name += f" {len(self._styles)}"
            look = _ROLES[role]
            style = NamedStyle(name, look.font, look.fill, look.border, number_format=number_format)
            # text after a column of numbers would else touch them
            indent = 1 if align == "left" else 0
            style.alignment = Alignment(
                align, look.vertical, wrap_text=look.wrap or None, indent=indent
            )
            self.workbook.add_named_style(style)
            self._styles[key] = name
        return name


class Sheet:
    """One sheet of a :class:`Book`."""

    def __init__(self, book: Book, worksheet: Worksheet) -> None:
        self.book = book
        self.worksheet = worksheet
        self.title = worksheet.title
        self.widths: dict[int, float] = {}
        self.longest_line = 0.0
        worksheet.sheet_view.showGridLines = False

    def reference(self, cells: str) -> str:
        """Cells of this sheet as formulas of other sheets write them: ``Games!$A$5:$A$90``."""
        plain = self.title.isascii() and self.title.replace("_", "a").isalpha()
        quoted = self.title if plain else "'" + self.title.replace("'", "''") + "'"
        return f"{quoted}!{cells}"

    def write(
        self,
        row: int,
        column: int,
        value: Value,
        role: str = "computed",
        number_format: str = GENERAL,
        align: str | None = None,
        *,
        measure: bool = True,
    ) -> None:
        """Write a cell; with ``measure`` its column will be wide enough for it."""
        cell = self.worksheet.cell(row, column)
        if isinstance(value, Formula):
            cell.value = value.text
            seen = clean(value.value) if isinstance(value.value, str) else value.value
            self.book.values[self.title, cell.coordinate] = seen
        elif isinstance(value, str):
            value = seen = clean(value)
            if value:
                cell.value = value
                cell.data_type = "s"  # openpyxl takes "=1+1" for a formula, "#N/A" for an error
        else:
            cell.value = seen = value
        cell.style = self.book.style(role, number_format, align)
        if isinstance(value, str) and value[:1] in tuple("=+-@'"):
            cell.quotePrefix = True  # else the text would turn into a formula when it is edited
        if measure:
            width = text_width(shown(seen, number_format)) + (1.2 if align == "left" else 0)
            self.widths[column] = max(self.widths.get(column, 0), width)

    def lines(self, row: int, texts: Iterable[str], role: str = "subtitle") -> int:
        """Write lines of text below each other, over all columns; gives the row after them."""
        scale = _ROLES[role].font.sz / BASE_SIZE
        for text in texts:
            self.write(row, 1, text, role, measure=False)
            self.longest_line = max(self.longest_line, scale * text_width(text))
            row += 1
        return row

    def height(self, row: int, lines: float) -> None:
        """Make a row high enough for a number of lines."""
        self.worksheet.row_dimensions[row].height = LINE_HEIGHT * lines + 3

    def print_areas(self, *areas: str) -> None:
        """Print these areas only, each from a new page on."""
        self.worksheet.print_area = ",".join(areas)

    def fit(self, stretch: int | None = None) -> None:
        """Make every column as wide as its contents, within bounds.

        ``stretch`` is the column that grows where the lines above a table are longer than all
        columns are wide: paper shows nothing beyond the last one.
        """
        widths = {
            column: min(max(width + PADDING, NARROWEST), WIDEST)
            for column, width in self.widths.items()
        }
        if stretch is not None:
            missing = LINE_SHARE * self.longest_line - sum(widths.values())
            widths[stretch] = min(widths[stretch] + max(missing, 0.0), 2 * WIDEST)
        for column, width in widths.items():
            letter = get_column_letter(column)
            self.worksheet.column_dimensions[letter].width = round(width, 2)

    def page(self, header: tuple[int, int] | None = None, footer: str = "") -> None:
        """Set up printing: A4, landscape, one page across, header rows on every page."""
        ws = self.worksheet
        ws.page_setup.orientation = "landscape"
        ws.page_setup.paperSize = A4
        ws.page_setup.fitToWidth, ws.page_setup.fitToHeight = 1, 0
        ws.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        ws.print_options.horizontalCentered = True
        margins = ws.page_margins
        margins.left = margins.right = 0.5
        margins.top, margins.bottom = 0.6, 0.7
        margins.header = margins.footer = 0.3
        if header:
            ws.print_title_rows = f"{header[0]}:{header[1]}"
        # "&" begins a code in headers and footers; all of them together hold 255 characters
        ws.oddFooter.left.text = clean(footer)[:100].replace("&", "&&")
        ws.oddFooter.center.text = self.title.replace("&", "&&")
        ws.oddFooter.right.text = "Page &P of &N"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    key: str
    heading: str
    number_format: str = GENERAL
    align: str = "right"
    role: str = "computed"
    width: float | None = None
    """None: as wide as its contents, else at least so wide, whatever it holds"""


class Table:
    """A header row and rows of cells below it, addressed by the keys of their columns."""

    def __init__(
        self, sheet: Sheet, columns: Sequence[Column], header: int, size: int, left: int = 1
    ) -> None:
        self.sheet = sheet
        self.columns = {c.key: (left + i, c) for i, c in enumerate(columns)}
        self.header = header
        self.first = header + 1
        # a table without rows keeps a blank one, for the ranges of formulas
        self.last = header + max(size, 1)
        for at, column in self.columns.values():
            sheet.write(header, at, column.heading, "heading", align=column.align, measure=False)
            word = max(map(text_width, column.heading.split()), default=0.0)
            least = max(1.08 * word, column.width or 0.0)
            sheet.widths[at] = max(sheet.widths.get(at, 0), least)

    def column(self, key: str) -> str:
        """The letter of a column."""
        return get_column_letter(self.columns[key][0])

    def cell(self, key: str, row: int) -> str:
        """A cell as formulas of its own row write it; rows count from 0."""
        return f"{self.column(key)}{self.first + row}"

    def fixed(self, key: str, row: int) -> str:
        """A cell as formulas of any sheet write it."""
        return self.sheet.reference(f"${self.column(key)}${self.first + row}")

    def range(self, key: str) -> str:
        """All cells of a column as formulas of any sheet write them."""
        letter = self.column(key)
        return self.sheet.reference(f"${letter}${self.first}:${letter}${self.last}")

    def write(self, row: int, values: Mapping[str, Value], role: str | None = None) -> None:
        """Write a row; an input column's formulas look like any computed cell."""
        for key, (at, column) in self.columns.items():
            value = values.get(key)
            chosen = role or column.role
            if chosen == "input" and isinstance(value, Formula):
                chosen = "computed"
            self.sheet.write(
                self.first + row,
                at,
                value,
                chosen,
                column.number_format,
                column.align,
                measure=column.width is None,
            )

    def lookup(self, key: str, by: str, cell: str) -> str:
        """Formula text (without =): the value of ``key`` in the row where ``by`` equals ``cell``."""
        return f"INDEX({self.range(key)},MATCH({cell},{self.range(by)},0))"

    def fit_header(self) -> None:
        """Make the header row high enough for its headings; call it after :meth:`Sheet.fit`."""
        lines = 1
        for at, column in self.columns.values():
            width = self.sheet.worksheet.column_dimensions[get_column_letter(at)].width
            lines = max(lines, wrapped_lines(column.heading, width / 1.08 - 0.7))
        self.sheet.height(self.header, lines)


def wrapped_lines(text: str, width: float) -> int:
    """About how many lines a text takes in a column of a width.

    >>> wrapped_lines("Score minus expected", 9)
    3
    """
    lines, used = 1, 0.0
    for word in text.split():
        needed = text_width(word)
        if used and used + 0.55 + needed > width:
            lines, used = lines + 1, 0.0
        used += needed + (0.55 if used else 0.0)
        if needed > width:
            lines += math.ceil(needed / width) - 1
    return lines
