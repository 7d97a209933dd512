"""What all workbooks share: cells, styles, tables of columns, and how a page is printed.

A :class:`Book` takes every formula together with the value that it gives, in one call, so that the
two cannot drift apart; :func:`elo_xl.xlsx.save` puts the values into the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Protection, Side
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.header_footer import HeaderFooterItem
from openpyxl.worksheet.properties import PageSetupProperties

from elo_xl.templates.text import GENERAL, clean, shown, text_width, two_lines, wrapped_lines
from elo_xl.xlsx import CellValue, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from openpyxl.worksheet.worksheet import Worksheet

WHOLE: Final = "0"
TENTHS: Final = "0.0"
HUNDREDTHS: Final = "0.00"
SIGNED_WHOLE: Final = "+0;-0;0"
SIGNED_TENTHS: Final = "+0.0;-0.0;0.0"
SIGNED_HUNDREDTHS: Final = "+0.00;-0.00;0.00"

NONE: Final = "–"
"""What a cell shows that has nothing to say: no performance without a game, no rating yet."""

INK: Final = "1F2A33"
QUIET: Final = "5F6B75"
LINE: Final = "CBD3D9"
HEADER: Final = "DDE5EB"
INPUT: Final = "FFF3C4"
BLOCKED: Final = "8C98A1"
ATTENTION: Final = "9C2F0B"
MARK: Final = "F7C9A8"
GAIN: Final = "2F6F8F"
LOSS: Final = "E3A857"

FONT: Final = "Calibri"
BASE_SIZE: Final = 11
LINE_HEIGHT: Final = 15.0
"""in points, of the base size"""

NARROWEST, WIDEST, PADDING = 5.0, 48.0, 1.8
"""of columns, in digits"""

ROOM: Final = {
    **dict.fromkeys(("name", "player"), 18.0),
    **dict.fromkeys(("change", "gain", "loss"), 8.0),
    **dict.fromkeys(("new_a", "new_b"), 6.5),
    "class": 20.0,
    "why": 25.0,
    "sb": 6.0,
    "key": 13.0,
    "status": 10.0,
}
"""Least widths by the keys of columns, for what will stand in those that are still empty."""

BOLD: Final = 1.08
"""Width of bold text against the same text in the ordinary weight."""

LINE_SHARE: Final = 0.95
"""Width of running text against the sum of its letters' widths."""

FORMULA_SIGNS: Final = ("=", "+", "-", "@", "'")
"""A typed text that begins so is a formula, or loses its first letter."""

A4: Final = 9
MOST_FOOTER: Final = 60


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, as a file stores it, and the value that it gives."""

    text: str
    value: CellValue
    across: str | None = None
    """the range that an array formula fills, written into its first cell"""


Value = Formula | float | str | None
"""What a cell can be given; text never becomes a formula, whatever it begins with."""


Line = tuple[Literal["thin", "medium"], str]


@dataclass(frozen=True, slots=True)
class _Role:
    """How a cell looks by what it is for; lines are a style and a colour."""

    size: float = BASE_SIZE
    bold: bool = False
    italic: bool = False
    colour: str = INK
    fill: str | None = None
    above: Line | None = None
    below: Line | None = ("thin", LINE)
    wrap: bool = False
    locked: bool = True
    """on a protected sheet"""
    box: Line | None = None
    """lines at the sides"""

    def style(self, name: str, number_format: str, align: str | None) -> NamedStyle:
        """The role as a style of a workbook."""
        style = NamedStyle(name)
        style.font = Font(
            name=FONT, size=self.size, bold=self.bold, italic=self.italic, color=self.colour
        )
        if self.fill is not None:
            style.fill = PatternFill("solid", self.fill)
        sides = _side(self.box)
        style.border = Border(sides, sides, _side(self.above), _side(self.below))
        style.protection = Protection(locked=self.locked)
        # text after a column of numbers would else touch them
        indent = 1 if align == "left" else 0
        style.alignment = Alignment(
            align, "center", wrap_text=True if self.wrap else None, indent=indent
        )
        style.number_format = number_format
        return style


def _side(line: Line | None) -> Side:
    return Side() if line is None else Side(*line)


_ROLES: Final = {
    "title": _Role(size=18, bold=True, below=None),
    "subtitle": _Role(below=None),
    "note": _Role(size=10, italic=True, colour=QUIET, below=None),
    "section": _Role(size=12, bold=True, below=("medium", INK)),
    "heading": _Role(bold=True, fill=HEADER, above=("thin", INK), below=("medium", INK), wrap=True),
    "computed": _Role(),
    "quiet": _Role(italic=True, colour=QUIET),
    "strong": _Role(bold=True),
    "input": _Role(fill=INPUT, locked=False, box=("thin", LINE), above=("thin", LINE)),
    "cell": _Role(box=("thin", LINE), above=("thin", LINE)),
    "blocked": _Role(fill=BLOCKED, box=("thin", LINE), above=("thin", LINE)),
    "attention": _Role(bold=True, colour=ATTENTION),
    "total": _Role(bold=True, above=("thin", INK), below=None),
    "label": _Role(bold=True),
    "paragraph": _Role(wrap=True),
}
"""Named styles by what a cell is for; the file names them ``Elo …`` in the styles' gallery."""


class Book:
    """A workbook in the making: its sheets, its styles, and the values of all its formulas."""

    def __init__(self, title: str = "") -> None:
        self.workbook = Workbook()
        self.workbook.remove(self.workbook.worksheets[0])
        self.workbook.properties.creator = "elo-xl"
        self.workbook.properties.title = clean(title)
        self.values: dict[tuple[str, str], CellValue] = {}
        self.paging = "Page &P of &N"
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
            self.workbook.add_named_style(_ROLES[role].style(name, number_format, align))
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
        seen: CellValue | None
        if isinstance(value, Formula):
            seen = Text(clean(value.value)) if isinstance(value.value, str) else value.value
            cell.value = (
                value.text if value.across is None else ArrayFormula(value.across, value.text)
            )
            self.book.values[self.title, cell.coordinate] = seen
        elif isinstance(value, str):
            seen = clean(value)
            if seen:
                cell.value = seen
                cell.data_type = "s"  # openpyxl takes "=1+1" for a formula, "#N/A" for an error
        else:
            cell.value = seen = value
        cell.style = self.book.style(role, number_format, align)
        if isinstance(value, str) and value.startswith(FORMULA_SIGNS):
            cell.quotePrefix = True  # else the text would turn into a formula when it is edited
        if measure:
            width = text_width(shown(seen, number_format)) + (1.2 if align == "left" else 0)
            width *= BOLD if _ROLES[role].bold else 1
            self.widths[column] = max(self.widths.get(column, 0), width)

    def lines(self, row: int, texts: Iterable[str], role: str = "subtitle") -> int:
        """Write lines of text below each other, over all columns; gives the row after them."""
        scale = _ROLES[role].size / BASE_SIZE
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

    def page(
        self,
        header: tuple[int, int] | None = None,
        footer: str = "",
        *,
        down: int = 0,
        upright: bool = False,
    ) -> None:
        """Set up printing: A4, landscape, one page across, header rows on every page.

        ``down`` is the number of pages below each other that all must fit, 0 for any number.
        """
        ws = self.worksheet
        ws.page_setup.orientation = "portrait" if upright else "landscape"
        ws.page_setup.paperSize = A4
        ws.page_setup.fitToWidth, ws.page_setup.fitToHeight = 1, down
        ws.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        ws.print_options.horizontalCentered = True
        margins = ws.page_margins
        margins.left = margins.right = 0.5
        margins.top, margins.bottom = 0.6, 0.7
        margins.header = margins.footer = 0.3
        if header:
            ws.print_title_rows = f"{header[0]}:{header[1]}"
        text = clean(footer)
        if len(text) > MOST_FOOTER:  # the three parts must not run into each other
            text = text[: MOST_FOOTER - 1] + "…"
        # "&" begins a code there
        ends = HeaderFooterItem()
        ends.left.text = text.replace("&", "&&")
        ends.center.text = self.title.replace("&", "&&")
        ends.right.text = self.book.paging
        ws.oddFooter = ends


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
            room = ROOM.get(column.key, 0.0) if column.width is None else column.width
            least = max(BOLD * two_lines(column.heading), room)
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

    def put(self, key: str, row: int, value: Value, role: str | None = None) -> None:
        """Write a cell; an input column's formulas look like any computed cell."""
        at, column = self.columns[key]
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

    def compute(self, key: str, row: int, text: str, value: CellValue | None) -> None:
        """Write a formula (its text without =) and the value that it gives, None for a blank."""
        self.put(key, row, Formula(f"={text}", "" if value is None else value))

    def write(self, row: int, values: Mapping[str, Value], role: str | None = None) -> None:
        """Write a row, blank where there is no value."""
        for key in self.columns:
            self.put(key, row, values.get(key), role)

    def lookup(self, key: str, by: str, cell: str) -> str:
        """Formula text (without =) of ``key`` in the row in which ``by`` equals ``cell``."""
        return f"INDEX({self.range(key)},MATCH({cell},{self.range(by)},0))"

    def fit_header(self) -> None:
        """Make the header row high enough for its headings; call it after :meth:`Sheet.fit`."""
        lines = 1
        for at, column in self.columns.values():
            width = self.sheet.worksheet.column_dimensions[get_column_letter(at)].width
            lines = max(lines, wrapped_lines(column.heading, width / BOLD - 0.7))
        self.sheet.height(self.header, lines)
