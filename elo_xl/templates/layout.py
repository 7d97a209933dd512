"""How a sheet is laid out: looks of columns, what may be typed, marks, widths and printing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Border, Font, PatternFill, Side
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.header_footer import HeaderFooterItem
from openpyxl.worksheet.properties import PageSetupProperties

from elo_xl.languages import LANGUAGES
from elo_xl.templates.language import BookError, Column, Statement, column_letter
from elo_xl.templates.styles import (
    ATTENTION,
    BOLD,
    INK,
    INPUT,
    MARK,
    NARROWEST,
    PADDING,
    ROLES,
    WIDEST,
)
from elo_xl.templates.text import GENERAL, clean, wrapped_lines
from elo_xl.xlsx.formula import Node, parse, to_text

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

    from elo_xl.templates.book import Book, Cells, Sheet, Table

LINE_HEIGHT: Final = 15.0
"""in points, of the base size"""
LINE_SHARE: Final = 0.95
"""Width of running text against the sum of its letters' widths."""
A4: Final = 9
MOST_FOOTER: Final = 60
MOST_PROMPT: Final = 255
MOST_PROMPT_TITLE: Final = 32


@dataclass(frozen=True, slots=True)
class Look:
    """How a cell looks."""

    role: str = "computed"
    number_format: str = GENERAL
    align: str | None = None
    measure: bool = True
    """whether its column will be wide enough for it"""


# -- the words of a column ------------------------------------------------------------------------

_FORMAT: Final = re.compile(r"\+?[0#@][0#.,%E+]*")
_WIDTH: Final = re.compile(r"[1-9][0-9]*(\.[0-9]+)?")
_RULES: Final = ("whole", "decimal", "list", "date")
_FLAGS: Final = ("soft", "each")
_VALUES: Final = ("text", "name", "fits", "over", "heading", "format")


def number_format(word: str, book: Book) -> str:
    """A number format as a word: ``+0.0`` shows the sign, ``date`` is the language's."""
    if word == "date":
        return LANGUAGES[book.options.language].date_format
    return f"{word};-{word[1:]};{word[1:]}" if word.startswith("+") else word


@dataclass(frozen=True, slots=True)
class ColumnLook:
    """What the words of a column say.

    ======================= ====================================================================
    ``0`` ``0.00`` ``+0.0`` number format; ``@`` a text as typed, ``date`` a date
    ``left`` ``center``     alignment; numbers stand right
    ``strong`` ``input`` …  what the cells are for: a role of :data:`~elo_xl.templates.styles.ROLES`
    ``24``                  the least width, whatever the cells hold; else as wide as they are
    ``fits:check_``         the width of the widest text whose key begins so
    ``whole:1..size``       what may be typed, in the manner of Excel: ``decimal:0..100``,
                            ``list:Result_signs``, ``list:"x"``; ``soft`` lets anything pass
    ``"Rating"``            the heading; else it is the text ``column_KEY``
    ``text:white_no``       other texts: ``column_white_no``, ``prompt_white_no`` and so on
    ``over:block_place``    a text above the heading
    ``name:Result_signs``   a name for the column that the file keeps
    ``each``                one call of a worksheet function a row, not one for all
    ======================= ====================================================================
    """

    key: str
    look: Look
    heading: str
    text_key: str
    width: float | None = None
    name: str = ""
    over: str = ""
    soft: bool = False
    validation: Validation | None = None

    @classmethod
    def all(cls, column: Column, book: Book) -> Iterator[ColumnLook]:
        """One for each key of a line."""
        for key in column.keys:
            yield cls.read(replace(column, keys=(key,)), book)

    @classmethod
    def read(cls, column: Column, book: Book) -> ColumnLook:
        """Of a line with one key."""
        key = column.keys[0]
        values: dict[str, str] = {}
        rule, heading, width = "", None, None
        role, shown, align = "computed", GENERAL, "right"
        for word in column.words:
            name, colon, value = word.partition(":")
            if word.startswith('"'):
                heading = word[1:-1]
            elif word in ROLES:
                role = word
            elif word in ("left", "center", "right"):
                align = word
            elif word == "date" or _FORMAT.fullmatch(word):
                shown = number_format(word, book)
            elif _WIDTH.fullmatch(word):
                width = float(word)
            elif colon and name in _RULES:
                rule = word
            elif word in _FLAGS or (colon and name in _VALUES):
                values[name] = value.strip('"')
            else:
                raise column.statement.error(f"a column has no {word!r}")
        text_key = values.get("text", key)
        if heading is None:
            heading = values.get("heading")
        if heading is None:
            heading = book.say(f"column_{text_key}")
        if "fits" in values:
            width = book.widest(values["fits"])
        if "format" in values:
            shown = values["format"]
        return cls(
            key,
            Look(role, shown, align, width is None),
            "" if heading == "none" else heading,
            text_key,
            width,
            values.get("name", ""),
            values.get("over", ""),
            "soft" in values,
            Validation.read(rule, text_key, column.statement, soft="soft" in values),
        )


# -- what may be typed ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Validation:
    """What may be typed into cells; its texts are ``prompt_KEY`` and ``error_KEY``."""

    kind: str
    text_key: str
    first: Node | None = None
    second: Node | None = None
    soft: bool = False
    """whether anything else can be typed all the same"""
    cells: Cells | None = None
    table: Table | None = None

    @classmethod
    def read(
        cls, rule: str, text_key: str, statement: Statement, *, soft: bool = False
    ) -> Validation | None:
        """Of a word such as ``whole:1..size`` or ``list:Result_signs``; None of an empty one."""
        if not rule:
            return None
        kind, _, value = rule.partition(":")
        if kind == "list":
            return cls(kind, text_key, parse(value), soft=soft)
        low, dots, high = value.partition("..")
        if not dots:
            raise statement.error(f"bounds look like {kind}:1..9, not {rule!r}")
        return cls(kind, text_key, parse(low), parse(high), soft=soft)

    def on(self, cells: Cells, table: Table | None) -> Validation:
        """The same for certain cells."""
        return replace(self, cells=cells, table=table)

    def add(self, sheet: Sheet, worksheet: Worksheet) -> None:
        """Write it into a file's sheet."""
        assert self.cells is not None
        names, say = sheet.names_at(self.table), sheet.book.say_or
        first, second = (
            None if node is None else to_text(names.resolve(node))
            for node in (self.first, self.second)
        )
        rule = DataValidation(type=self.kind, formula1=first, formula2=second, allow_blank=True)
        if self.second is not None:
            rule.operator = "between"
        rule.promptTitle = say(f"column_{self.text_key}", self.text_key)[:MOST_PROMPT_TITLE]
        rule.prompt = say(f"prompt_{self.text_key}", "")[:MOST_PROMPT]
        rule.errorTitle = rule.promptTitle
        rule.error = say(f"error_{self.text_key}", rule.prompt)[:MOST_PROMPT]
        rule.errorStyle = "warning" if self.soft else "stop"
        rule.showErrorMessage = True
        rule.showInputMessage = bool(rule.prompt)
        rule.add(self.cells.area)
        worksheet.add_data_validation(rule)


# -- marks ----------------------------------------------------------------------------------------

_THIN: Final = Side("thin", ATTENTION)
LOOKS: Final[Mapping[str, Mapping[str, Any]]] = {
    "attention": {
        "font": Font(bold=True, color=ATTENTION),
        "fill": PatternFill(bgColor=MARK, fill_type="solid"),
        "border": Border(_THIN, _THIN, _THIN, _THIN),
    },
    "missing": {"fill": PatternFill("lightUp", fgColor=ATTENTION, bgColor=INPUT)},
    "end": {"border": Border(bottom=Side("thin", INK))},
    "leader": {"font": Font(bold=True, color=INK)},
    "quiet": {"font": Font(italic=True, color="8C98A1")},
}
"""``attention`` for what is wrong, ``missing`` for what has not been typed yet, ``leader`` for
what to find at a glance, ``quiet`` for what does not count, ``end`` for a group's last row."""


def _mark(
    sheet: Sheet, worksheet: Worksheet, cells: Cells, test: Node, look: str, table: Table | None
) -> None:
    if look not in LOOKS:
        raise BookError(f"no look is named {look!r}: there are {', '.join(LOOKS)}")
    formula = to_text(sheet.names_at(table, fixed_columns=True).resolve(test))
    rule = FormulaRule(formula=[formula], **LOOKS[look])  # type: ignore[no-untyped-call]
    worksheet.conditional_formatting.add(cells.area, rule)


# -- a finished sheet -----------------------------------------------------------------------------


@dataclass(slots=True)
class SetUp:
    """How a sheet is seen and printed, and whether it is locked.

    ``freeze:KEY`` keeps the columns before one, and the header, on the screen; ``titles:N`` repeats
    the first N rows on every page (the rows up to the first table's header if left out);
    ``stretch:KEY`` makes a column wider where the lines above need room; ``upright`` and
    ``down:N`` set the page; ``area:KEY`` prints up to a column; ``open`` leaves it unlocked.
    """

    freeze: str = ""
    stretch: str = ""
    titles: int | None = None
    down: int = 0
    upright: bool = False
    open: bool = False
    area: str = ""
    areas: list[str] = field(default_factory=list)
    """cells printed from a new page on each, instead of ``area``"""
    exact: dict[int, float] = field(default_factory=dict)
    """widths of columns that follow nothing"""

    def read(self, options: Mapping[str, str], statement: Statement) -> None:
        """Take over what a sheet's words say."""
        for key, value in options.items():
            if key in ("upright", "open"):
                setattr(self, key, True)
            elif key in ("freeze", "stretch", "area"):
                setattr(self, key, value)
            elif key in ("titles", "down"):
                setattr(self, key, 0 if value == "none" else int(value))
            else:
                raise statement.error(f"a sheet has no {key!r}")


class Styles:
    """Gives looks to cells; openpyxl finds a named style slowly, so each is found once."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.known: dict[tuple[Look, bool], Any] = {}

    def give(self, cell: Any, look: Look, prefixed: bool) -> None:
        """Make a cell look so; ``prefixed``: its text would else become a formula when edited."""
        key = replace(look, measure=True), prefixed
        if key not in self.known:
            cell.style = self.book.style(look)
            if prefixed:
                cell.quotePrefix = True
            self.known[key] = copy(cell._style)
        cell._style = self.known[key]


def finish(sheet: Sheet, worksheet: Worksheet, widths: Mapping[int, float]) -> None:
    """Widths, heights, validations, marks, print settings and the lock of a written sheet."""
    asked = sheet.set_up
    _fit(sheet, worksheet, widths)
    for area in sheet.merged:
        worksheet.merge_cells(area)
    for validation in sheet.validations:
        validation.add(sheet, worksheet)
    for cells, test, look, table in sheet.marks:
        _mark(sheet, worksheet, cells, test, look, table)
    if asked.freeze:
        worksheet.freeze_panes = _with_column(sheet, asked.freeze).cell(asked.freeze, 0).area
    _page(sheet, worksheet)
    if asked.areas:
        worksheet.print_area = ",".join(asked.areas)
    elif asked.area:
        table = _with_column(sheet, asked.area)
        worksheet.print_area = f"A1:{table.letter(asked.area)}{table.last}"
    protection = worksheet.protection
    protection.sheet = not asked.open
    # these stay allowed
    protection.formatCells = protection.formatColumns = protection.formatRows = False
    for edit in sheet.edits:
        edit(worksheet)


def _with_column(sheet: Sheet, key: str) -> Table:
    for table in sheet.tables:
        if table.has(key):
            return table
    raise BookError(f"no table of the sheet {sheet.title!r} has a column {key!r}")


def _fit(sheet: Sheet, worksheet: Worksheet, measured: Mapping[int, float]) -> None:
    """Make every column as wide as its contents, within bounds, and headers high enough.

    One column grows where the lines above a table are longer than all columns are wide: paper shows
    nothing beyond the last one.
    """
    asked = sheet.set_up
    widths = {
        column: min(max(width + PADDING, NARROWEST), WIDEST) for column, width in measured.items()
    }
    if asked.stretch:
        if asked.stretch.isdigit():
            column = int(asked.stretch)
        else:
            column = _with_column(sheet, asked.stretch).at[asked.stretch]
        missing = LINE_SHARE * sheet.longest_line - sum(widths.values())
        widths[column] = min(widths[column] + max(missing, 0.0), 2 * WIDEST)
    widths = asked.exact or widths
    for column, width in widths.items():
        worksheet.column_dimensions[column_letter(column)].width = round(width, 2)
    for table in sheet.tables:
        lines = 1
        for key, look in table.columns.items():
            width = worksheet.column_dimensions[column_letter(table.at[key])].width
            lines = max(lines, wrapped_lines(look.heading, width / BOLD - 0.7))
        if table.fitted:
            sheet.height(table.header, lines)
    for row, height in sheet.heights.items():
        worksheet.row_dimensions[row].height = height


def _page(sheet: Sheet, worksheet: Worksheet) -> None:
    """Set up printing: A4, one page across, header rows on every page."""
    asked = sheet.set_up
    setup = worksheet.page_setup
    setup.orientation = "portrait" if asked.upright else "landscape"
    setup.paperSize = A4
    setup.fitToWidth, setup.fitToHeight = 1, asked.down
    worksheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    worksheet.print_options.horizontalCentered = True
    margins = worksheet.page_margins
    margins.left = margins.right = 0.5
    margins.top, margins.bottom = 0.6, 0.7
    margins.header = margins.footer = 0.3
    rows = asked.titles
    if rows is None and sheet.tables:
        rows = sheet.tables[0].header
    if rows:
        worksheet.print_title_rows = f"1:{rows}"
    text = clean(sheet.book.say("title"))
    if len(text) > MOST_FOOTER:  # the three parts must not run into each other
        text = text[: MOST_FOOTER - 1] + "…"
    # "&" begins a code there
    ends = HeaderFooterItem()
    ends.left.text = text.replace("&", "&&")
    ends.center.text = sheet.title.replace("&", "&&")
    ends.right.text = sheet.book.say("paging", page="&P", pages="&N")
    worksheet.oddFooter = ends


Edit = Callable[["Worksheet"], None]
"""What else is done to a written sheet."""
