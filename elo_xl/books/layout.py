"""Looks, validations, conditional formats, widths and print settings of a written sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from itertools import groupby, pairwise
from math import ceil, fsum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from openpyxl.cell import Cell
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Protection, Side
from openpyxl.styles.cell_style import StyleArray
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import BUILTIN_FORMATS_MAX_SIZE, NumberFormat
from openpyxl.utils import column_index_from_string
from openpyxl.utils.indexed_list import IndexedList
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.dimensions import ColumnDimension
from openpyxl.worksheet.header_footer import HeaderFooterItem
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.properties import PageSetupProperties

from elo_xl.addresses import MADE_WITH
from elo_xl.books.column_words import Look, Validation
from elo_xl.books.model import Cells, Mark, Sheet, Table
from elo_xl.books.statements import BookError, located
from elo_xl.books.styles import (
    ATTENTION,
    BAND,
    BASE_SIZE,
    BLOCKED,
    BOLD,
    FONT,
    IDLE,
    INK,
    INPUT,
    LARGE_SIZES,
    LEADER,
    LINE,
    LINE_HEIGHT,
    LINE_ROLES,
    LINE_SHARE,
    MANY_SIZE,
    MARK,
    MEDALS,
    MOST_LARGE,
    NARROWEST,
    PADDING,
    QUIET,
    ROLES,
    TABS,
    WALL_SIZE,
    WIDEST,
    BorderLine,
    Role,
)
from elo_xl.books.text import clean, wrapped_lines
from elo_xl.xlsx.accepted import MOST_TEXT
from elo_xl.xlsx.cell_xml import escaped
from elo_xl.xlsx.fill import COLUMNS, column_letters
from elo_xl.xlsx.formula import Binary, Call, Name, Number, Text, to_text

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

A4: Final = 9
MOST_UPRIGHT: Final = 134.0
"""Width in digits, up to which letters on upright paper have 8 points and more."""
UPRIGHT, ACROSS = 99.0, 137.0
"""Widths in digits that fill A4 and Letter, upright and across, without shrinking."""
HIGH, LOW = 686.5, 486.5
"""Heights in points of what A4 and Letter hold, upright and across."""
A4_LONGER: Final = 1 / 0.92
"""How much longer a list may be on A4 than on the shorter Letter."""
CALC: Final = 1.06
"""How much wider columns are in LibreOffice than in Excel."""
WALL_ROW, MOST_ROW = 1.06, 1.8
"""The least and the greatest height of a row to pin up, in lines."""
TYPED_ROW: Final = 1.2
"""The height of a row of a list in lines, unless a lower one saves a page."""
SHRUNK: Final = 1.1
"""A sheet to pin up may be wider than upright paper by so much; the letters shrink."""
SQUEEZED: Final = 1.25
"""A sheet to pin up may be longer than a page by so much; the letters shrink."""
MOST_FOOTER: Final = 60
MOST_PROMPT: Final = 255
MOST_PROMPT_TITLE: Final = 32
PRINT_AREA: Final = "_xlnm.Print_Area"
LIVING: Final = "_"
"""A name of each sheet for what is printed of it, worked out again. openpyxl takes the letters and
digits of a print area for cells and warns of them, hence it has none."""
BLANK: Final = Look("blank")
LEADS: Final = "leader"
IN_USE: Final = Name("in_use")
"""The column of a table with spare rows that tells which rows are in use."""


class Widths(NamedTuple):
    """The widths of columns in digits, with ordinary letters."""

    there: Mapping[int, float]
    """of headings and what stands below them now"""
    room: Mapping[int, float]
    """the least ones, for what may stand there; longer texts are shrunk on what is pinned up"""


def type_size(sheet: Sheet, measured: Widths) -> tuple[int, float]:
    """The size of ordinary letters, and the height of a row in lines: what is pinned up is read
    from three metres, hence a short list has the largest letters with which it fits a page, in
    height and width, and rows that fill it."""
    set_up = sheet.set_up
    if not set_up.wall:
        return BASE_SIZE, _typed_row(sheet, measured)
    many = max((t.rows for t in sheet.tables), default=0) > MOST_LARGE
    usual = MANY_SIZE if many else WALL_SIZE
    if not sheet.tables or sheet.charts or set_up.areas or set_up.exact:
        return usual, WALL_ROW
    bottom = max(table.bottom for table in sheet.tables)
    fixed = [height for row, height in sheet.heights.items() if row <= bottom]
    above = fsum(fixed) + LINE_HEIGHT  # a heading has two lines at the most
    rows = max(bottom - len(fixed), 1)
    slip = max(table.group for table in sheet.tables)
    if set_up.unbroken and slip:  # as many as fill a page, with the line above them
        size = LARGE_SIZES[1]
        room = (HIGH * BASE_SIZE / size - fsum(fixed)) / LINE_HEIGHT
        return size, room / (slip * max(int(room / slip), 1) + 1)
    for size in (*LARGE_SIZES, usual):
        scale = size / BASE_SIZE
        widths = _scaled(sheet, measured, size)
        across = fsum(widths[at] for at in _printed_columns(sheet) if at in widths)
        upright = set_up.upright or max(across, _line(sheet, size)) <= SHRUNK * UPRIGHT
        paper, page = (UPRIGHT, HIGH) if upright else (ACROSS, LOW)
        line = (page / scale - above) / rows / LINE_HEIGHT
        if line >= WALL_ROW and (across <= SHRUNK * paper or size == usual):
            return size, min(line, MOST_ROW)
    return usual, WALL_ROW


def _typed_row(sheet: Sheet, measured: Widths) -> float:
    """The height of a row in lines on a sheet that is not pinned up: with room, but not so much
    that the last rows of a list go on a page of their own."""
    if sheet.charts or not sheet.tables:
        return TYPED_ROW
    widths = _scaled(sheet, measured, BASE_SIZE)
    across = fsum(widths[at] for at in _printed_columns(sheet) if at in widths)
    first = min(table.first for table in sheet.tables)
    group = max(_round(sheet, table) for table in sheet.tables)
    rows = max(table.bottom for table in sheet.tables) - first + 1
    above = [sheet.heights.get(row, LINE_HEIGHT) for row in range(1, first)]
    left = _page_height(sheet, across) - fsum(above) - 2 * LINE_HEIGHT
    if left <= 0:
        return 1.0
    # as many pages as the lowest rows need
    pages = ceil(rows * LINE_HEIGHT / left / A4_LONGER)
    if group > 1:  # whole rounds fill a page
        pages = ceil(rows / group / max(int(left / LINE_HEIGHT * A4_LONGER / group), 1))
    rows = group * ceil(rows / pages / group)
    most = (SQUEEZED if sheet.set_up.unbroken > 1 else 1) * TYPED_ROW
    return min(max(left / rows / LINE_HEIGHT, 1.0), most)


def line_size(role: str, size: int) -> int:
    """The size of letters of a role on a sheet with ordinary ones of a size: lines above tables
    are as long as paper is wide, and do not grow with the largest."""
    return min(size, WALL_SIZE) if role in LINE_ROLES else size


def _line(sheet: Sheet, size: int) -> float:
    """The width of the longest line above the tables, where ordinary letters have a size."""
    return LINE_SHARE * line_size("note", size) / BASE_SIZE * sheet.longest_line


def _place_for_logo(sheet: Sheet, worksheet: Worksheet) -> None:
    """Say how a picture gets there to those who click beside the first cell of the title."""
    said = sheet.book.say("trouble_logo")
    rule = DataValidation(prompt=said[:MOST_PROMPT], showInputMessage=True)
    rule.add(sheet.cells(1, 2, 1, max(2, *_printed_columns(sheet)) - 1).area)
    worksheet.add_data_validation(rule)


def _printed_columns(sheet: Sheet) -> set[int]:
    """The columns that LibreOffice prints: also those that are not in use."""
    return {
        table.at[key]
        for table in sheet.tables
        for key, look in table.columns.items()
        if not look.helper
    }


def _scaled(sheet: Sheet, measured: Widths, size: int) -> dict[int, float]:
    """The widths of columns within bounds for letters of a size; what is pinned up has little
    room for columns that are not in use."""
    scale = size / BASE_SIZE
    # where longer texts do not shrink all need their room
    whole = {t.at[key] for t in sheet.tables for key, c in t.columns.items() if not c.look.bare}
    widths = {}
    for column, there in measured.there.items():
        room = scale if column in whole else min(size, WALL_SIZE) / BASE_SIZE
        least = room * measured.room.get(column, 0.0) or scale * (NARROWEST - PADDING)
        most = scale * (WIDEST - PADDING)
        padding = PADDING if least > 1.5 else 0.0  # else what stands there flows over other cells
        widths[column] = max(min(scale * there, most), least) + padding
    return widths | dict.fromkeys(_idle(sheet) & set(widths), IDLE)


def _idle(sheet: Sheet) -> set[int]:
    """The columns of a sheet to pin up that are not in use, and come after all that are: numbers in
    the centre, which hold little; others need all their room when they come into use."""
    centred = {
        table.at[key]
        for table in sheet.tables
        for key in table.trailing
        if table.columns[key].look.align == "center"
        and table.columns[key].look.number_format.startswith("0")
    }
    return centred - in_use(sheet) if sheet.set_up.wall else set()


def _style(role: Role, name: str, size: int) -> NamedStyle:
    """A role as a style of a workbook."""
    style = NamedStyle(name)
    style.font = Font(
        name=FONT,
        size=round(role.size * size / BASE_SIZE),
        bold=role.bold,
        italic=role.italic,
        underline="single" if role.underline else None,
        color=role.colour,
    )
    if role.fill is not None:
        style.fill = PatternFill("solid", role.fill)
    style.border = _border(role)
    style.protection = Protection(locked=role.locked)
    style.alignment = _alignment(role)
    return style


def _border(role: Role) -> Border:
    """The lines around a cell of a role."""
    sides = _side(role.box)
    return Border(sides, sides, _side(role.above), _side(role.below))


def _side(line: BorderLine | None) -> Side:
    return Side() if line is None else Side(*line)


def _alignment(role: Role, look: Look = BLANK) -> Alignment:
    """How text stands in a cell of a role."""
    # text after a column of numbers would else touch them; other numbers have no indent, as
    # LibreOffice forgets it where only the number format differs from that of the cell before
    return Alignment(
        look.align,
        role.vertical,
        wrap_text=role.wrap or None,
        indent=int(look.indented),
        shrink_to_fit=role.shrink or None,
    )


_Key = tuple[Look, bool, int]
"""A look, whether the cell is prefixed, and the size of its letters."""


class Styles:
    """The styles of a file: a named one for each role, number format and alignment beside it.

    Excel leaves the file's default style behind where somebody cuts a cell. That style is unlocked,
    so what was emptied can be typed in again; every other one says whether it is locked. Looking
    styles up in openpyxl is slow, hence they are kept.
    """

    def __init__(self, file: Workbook) -> None:
        self.file = file
        self.known: dict[_Key, StyleArray] = {}
        self.numbers: dict[_Key, int] = {}
        unlocked = Protection(locked=False)
        inside: Any = file
        inside._named_styles["Normal"].protection = unlocked
        default = StyleArray()
        default.protectionId = inside._protections.add(unlocked)
        inside._cell_styles = IndexedList([default])

    def give(
        self,
        target: Any,
        worksheet: Worksheet,
        look: Look,
        prefixed: bool = False,
        size: int = BASE_SIZE,
    ) -> None:
        """Give a cell or a column of openpyxl's a look, with letters of a size.

        A ``prefixed`` cell keeps a text that would become a formula when somebody edits it.
        """
        key = look, prefixed, size
        if key not in self.known:
            role, name = ROLES[look.role], f"Elo {look.role}"
            if size != BASE_SIZE:
                name += f" {size}"
            if name not in self.file.named_styles:
                self.file.add_named_style(_style(role, name, size))
            cell: Any = Cell(worksheet, 1, 1)
            cell.style = name
            cell.number_format = look.number_format
            # on what is pinned up, where nobody widens a column
            narrow = size != BASE_SIZE and look.bare and not role.wrap
            cell.alignment = _alignment(replace(role, shrink=role.shrink or narrow), look)
            if look.bare:
                cell.fill, cell.border = PatternFill(), Border()
            cell.quotePrefix = prefixed
            self.known[key] = cell._style
            self.numbers[key] = int(cell.style_id)
        target._style = copy(self.known[key])

    def number(self, worksheet: Worksheet, look: Look, prefixed: bool, size: int) -> int:
        """The number by which a cell of the file refers to such a style."""
        key = look, prefixed, size
        if key not in self.numbers:
            self.give(Cell(worksheet, 1, 1), worksheet, look, prefixed, size)
        return self.numbers[key]

    def columns(self, worksheet: Worksheet) -> None:
        """Lock the cells beside and below everything, to the last column that there can be."""
        there = worksheet.column_dimensions
        last = max(map(column_index_from_string, there), default=0)
        beyond = column_letters(last + 1)
        there[beyond] = ColumnDimension(worksheet, beyond, min=last + 1, max=COLUMNS)
        for number in range(1, last + 2):
            self.give(there[column_letters(number)], worksheet, BLANK)


def _validate(
    sheet: Sheet, worksheet: Worksheet, cells: Cells, allowed: Validation, table: Table | None
) -> None:
    """Add a data validation, with its messages, for cells."""
    # what is typed is judged before it is read
    names, say = sheet.names_at(table, raw=allowed.kind == "custom"), sheet.book.say_or
    bounds = [node and names.resolve(node) for node in (allowed.first, allowed.second)]
    first, second = (None if node is None else to_text(node) for node in bounds)
    if isinstance(bounds[0], Text) and len(bounds[0].value) > MOST_TEXT:
        raise BookError(f"a list of choices has at most {MOST_TEXT} characters")
    kind = "list" if allowed.kind == "result" or allowed.kind == "yes" else allowed.kind
    rule = DataValidation(type=kind, formula1=first, formula2=second, allow_blank=True)
    if allowed.second is not None:
        rule.operator = "between"
    rule.promptTitle = say(f"column_{allowed.text_key}", allowed.text_key)[:MOST_PROMPT_TITLE]
    rule.prompt = (allowed.prompt or say(f"prompt_{allowed.text_key}", ""))[:MOST_PROMPT]
    rule.errorTitle = rule.promptTitle
    takes = sheet.book.between(kind, first, second) or rule.prompt
    rule.error = (allowed.error or say(f"error_{allowed.text_key}", takes))[:MOST_PROMPT]
    rule.errorStyle = "warning" if allowed.soft else "stop"
    # more is understood than the list offers
    rule.showErrorMessage = kind == allowed.kind and not allowed.free
    rule.showInputMessage = bool(rule.prompt)
    rule.add(cells.area)
    worksheet.add_data_validation(rule)


class MarkLook(TypedDict, total=False):
    """How a conditional format changes cells."""

    font: Font
    fill: PatternFill
    border: Border
    numFmt: NumberFormat


_THIN: Final = Side("thin", ATTENTION)
LOOKS: Final[Mapping[str, MarkLook]] = {
    "attention": {
        "font": Font(bold=True, color=ATTENTION),
        "fill": PatternFill(bgColor=MARK, fill_type="solid"),
        "border": Border(_THIN, _THIN, _THIN, _THIN),
    },
    "missing": {"fill": PatternFill("lightUp", fgColor=ATTENTION, bgColor=INPUT)},
    "begin": {"border": Border(top=Side("thin", INK))},
    "end": {"border": Border(bottom=Side("thin", INK))},
    "line": {"border": Border(bottom=Side("thin", LINE))},
    "cut": {"border": Border(bottom=Side("dashed", INK))},
    "input": {"fill": PatternFill(bgColor=INPUT, fill_type="solid")},
    "paper": {"fill": PatternFill(bgColor="FFFFFF", fill_type="solid")},
    "blocked": {"fill": PatternFill(bgColor=BLOCKED, fill_type="solid")},
    "leader": {
        "font": Font(bold=True, color=INK),
        "fill": PatternFill(bgColor=LEADER, fill_type="solid"),
    },
    **{
        name: {
            "font": Font(bold=True, color=INK),
            "fill": PatternFill(bgColor=colour, fill_type="solid"),
        }
        for name, colour in MEDALS.items()
    },
    "quiet": {"font": Font(italic=True, color=QUIET)},
    "strong": {"font": Font(bold=True, color=INK)},
    "pale": {"font": Font(bold=False, color=ROLES["pale"].colour)},
    "one_decimal": {"numFmt": NumberFormat(BUILTIN_FORMATS_MAX_SIZE + 1, "0.0")},
    "two_decimals": {"numFmt": NumberFormat(2, "0.00")},
}
"""Looks of conditional formats: ``attention`` for mistakes, ``missing`` for entries that are still
missing, ``leader`` for highlights, ``gold``, ``silver`` and ``bronze`` for places, ``quiet`` for
what does not count, ``strong`` for the first of values that are repeated and ``pale`` for the
others, ``begin`` and ``end`` for the first and last row of a group, ``line`` for a row that has
none unless it is in use, ``cut`` for the line along which paper is cut, ``one_decimal`` and
``two_decimals`` for numbers; ``input`` and ``blocked`` for such cells in a column that is not in
use everywhere, ``paper`` for typed ones that are to be printed white."""


UNSEEN: Final = ";;;"
"""A number format that shows nothing."""


def _mark(sheet: Sheet, worksheet: Worksheet, mark: Mark) -> None:
    if mark.look not in LOOKS:
        raise BookError(f"no look is named {mark.look!r}: there are {', '.join(LOOKS)}")
    names = sheet.names_at(mark.table, fixed_columns=True)
    look = LOOKS[mark.look]
    if mark.table is None or mark.table.shown is None:
        rule = _rule(to_text(names.resolve(mark.test)), look)
        worksheet.conditional_formatting.add(mark.cells.area, rule)
        return
    test = to_text(names.resolve(Call("AND", (mark.table.shown, mark.test))))
    first = mark.cells.column
    # what needs attention is told of columns that are not in use, too
    headings = _optional(mark.table) if mark.look == LEADS else {}
    for role, cells in _by_role(mark.table, first, first + mark.cells.columns):
        # LibreOffice gives a cell the look of one rule only, hence its lines go with it
        whole = replace(cells, row=mark.cells.row, rows=mark.cells.rows)
        heading_used = partial(_if_used, headings.get(cells.column))
        for banded, framed, beside in _banded(mark.table, role, cells.column, test):
            rule = _rule(heading_used(banded), _frame(framed, beside | look))
            worksheet.conditional_formatting.add(whole.area, rule)


def _medals(mark: Mark) -> Iterator[Mark]:
    """The marks of the first three places, for a table to pin up that highlights the first one:
    fills, since not every program shows number formats of rules, or pictures among letters."""
    table, test = mark.table, mark.test
    if mark.look != LEADS or table is None or not table.sheet.set_up.wall:
        return
    match test:
        case Binary("=", Name(key), Number("1")) if table.has(key):
            for place, look in enumerate(MEDALS, start=1):
                cells, to = table.column(key), replace(test, right=Number(str(place)))
                yield replace(mark, cells=cells, test=to, look=look)


def _rule(test: str, look: MarkLook) -> Rule:
    return Rule("expression", dxf=DifferentialStyle(**look), formula=[test])


def _rows_in_use(table: Table, shown: Binary, worksheet: Worksheet) -> None:
    """Give lines and fills to the rows that are shown, and hide what stands in all others."""
    names = table.sheet.names_at(table, fixed_columns=True)
    test = to_text(names.resolve(shown))
    hidden: MarkLook = {"numFmt": NumberFormat(BUILTIN_FORMATS_MAX_SIZE, UNSEEN)}
    seen = [table.at[key] for key, look in table.columns.items() if not look.helper]
    left, right = min(seen), max(seen)
    area = table.sheet.cells(table.first, left, table.rows, right - left + 1).area
    worksheet.conditional_formatting.add(area, _rule(f"NOT({test})", hidden))
    headings = _optional(table)
    grouped = {g.column + k for g in table.groups for k in range(g.columns)}
    for at, heading in headings.items():
        rule = _rule(f'{heading.address}<>""', _frame(ROLES["heading"], {}))
        worksheet.conditional_formatting.add(heading.area, rule)
        if grouped and at not in grouped:  # the band above headings goes across the table
            above = replace(heading, row=heading.row - 1)
            rule = _rule(f'{heading.address}<>""', _frame(ROLES["band"], {}))
            worksheet.conditional_formatting.add(above.area, rule)
    for group in table.groups:
        if group.column in {heading.column for heading in headings.values()}:
            rule = _rule(f'{group.at(0).address}<>""', _frame(ROLES["group"], {}))
            worksheet.conditional_formatting.add(group.area, rule)
    in_use = to_text(names.resolve(_printed(table, shown)))
    for role, cells in _by_role(table, left, right + 1):
        heading_used = partial(_if_used, headings.get(cells.column))
        lined = test if role.fill else in_use
        for banded, framed, beside in _banded(table, role, cells.column, lined):
            rule = _rule(heading_used(banded), _frame(framed, beside))
            worksheet.conditional_formatting.add(cells.area, rule)


def _printed(table: Table, shown: Binary) -> Binary:
    """The test which rows are printed: on a sheet to pin up none that is only there to type in."""
    spare = table.sheet.set_up.wall and table.has(IN_USE.text)
    return replace(shown, left=IN_USE) if spare else shown


def _banded(
    table: Table, role: Role, column: int, test: str
) -> Iterator[tuple[str, Role, MarkLook]]:
    """Tests of rows, and the role and look of a column in them: what is pinned up, or only
    read, has bands, and a leader stands out."""
    set_up = table.sheet.set_up
    if (set_up.wall or set_up.banded) and not set_up.plain and role.fill is None:
        names = table.sheet.names_at(table, fixed_columns=True)
        for mark in table.sheet.marks:
            beyond = mark.cells.column + mark.cells.columns
            here = mark.table is table and mark.cells.column <= column < beyond
            if here and mark.look == LEADS:
                yield f"AND({to_text(names.resolve(mark.test))},{test})", role, LOOKS[LEADS]
        yield f"AND(ISEVEN(ROW()-{table.header}),{test})", replace(role, fill=BAND), {}
    yield test, role, {}


def _optional(table: Table) -> dict[int, Cells]:
    """The headings of the columns that the table may end before, by column."""
    return {
        table.at[key]: table.sheet.cells(table.header, table.at[key])
        for key in sorted(table.trailing, key=table.at.__getitem__)
    }


def _if_used(heading: Cells | None, test: str) -> str:
    """A test in a column, which holds nowhere if the column has no heading."""
    return test if heading is None else f'AND({test},{heading.address}<>"")'


def _by_role(table: Table, first: int, beyond: int) -> Iterator[tuple[Role, Cells]]:
    """The visible columns from one to before another, neighbours with the same lines at once."""

    trailing = table.trailing

    def lines(key: str) -> tuple[object, ...]:
        role = ROLES[table.columns[key].look.role]
        optional = key if key in trailing else ""
        return optional, role.fill, role.above, role.below, role.box

    # helper columns are hidden, and may stand far away
    seen = (k for k, look in table.columns.items() if not look.helper)
    for _, group in groupby((k for k in seen if first <= table.at[k] < beyond), lines):
        keys = list(group)
        yield ROLES[table.columns[keys[0]].look.role], table.column(keys[0], keys[-1])


def _frame(role: Role, look: MarkLook) -> MarkLook:
    """A look, and the lines and the fill of a role where it has none."""
    framed = look.copy()
    border = framed["border"] = _border(role)
    if role.above and role.above[1] == LINE:
        border.top = Side()  # it would break the line below headings, or at the end of a group
    for side in ("left", "right", "top", "bottom"):
        line = getattr(look.get("border"), side, None)
        if line is not None and line.style:
            setattr(border, side, line)
    if role.fill is not None:
        framed.setdefault("fill", PatternFill(bgColor=role.fill, fill_type="solid"))
    return framed


def finish(
    sheet: Sheet, worksheet: Worksheet, widths: Widths, size: int, high: float, styles: Styles
) -> None:
    """Complete a written sheet: widths, heights, validations, marks, print settings and lock.

    ``widths`` are the measured widths by column, ``size`` and ``high`` are those of ordinary
    letters and rows. Raises BookError for an unknown column or look.
    """
    set_up = sheet.set_up
    _fit(sheet, worksheet, widths, size, high)
    _hide(sheet, worksheet)
    styles.columns(worksheet)
    if set_up.hidden:
        worksheet.sheet_state = "hidden"
    worksheet.sheet_properties.tabColor = TABS[sheet.kind]
    for area in sheet.merged:
        worksheet.merge_cells(area)
    for cells, validation, table in sheet.validations:
        with located(validation.where or sheet.title):
            _validate(sheet, worksheet, cells, validation, table)
    medals = [medal for mark in sheet.marks for medal in _medals(mark)]
    # the first rule that holds gives a cell its look
    for mark in (*medals, *sorted(sheet.marks, key=lambda mark: mark.look == LEADS)):
        with located(mark.where):
            _mark(sheet, worksheet, mark)
    for table in sheet.tables:
        if table.shown is not None:
            _rows_in_use(table, table.shown, worksheet)
    if set_up.freeze:
        worksheet.freeze_panes = _with_column(sheet, set_up.freeze).cell(set_up.freeze, 0).area
    if set_up.wall and sheet.tables:
        _place_for_logo(sheet, worksheet)
    _page(sheet, worksheet)
    _keep_rounds(sheet, worksheet)
    _keep_joined(sheet, worksheet)
    _print_area(sheet, worksheet)
    protection = worksheet.protection
    protection.sheet = True
    # these stay allowed
    protection.formatCells = protection.formatColumns = protection.formatRows = False
    protection.sort = protection.autoFilter = not may_be_sorted(sheet)
    for edit in sheet.edits:
        edit(worksheet)


def may_be_sorted(sheet: Sheet) -> bool:
    """Whether a sheet has a typed list of which no other cell knows the places of the rows.

    Excel sorts no range with a locked cell in it, so the typed columns are next to each other.
    """
    typed = [sorted(table.at[key] for key in table.reads) for table in sheet.tables if table.reads]
    together = all(columns == [*range(columns[0], columns[-1] + 1)] for columns in typed)
    return bool(typed) and together and not sheet.set_up.ordered


def _hide(sheet: Sheet, worksheet: Worksheet) -> None:
    """Group and hide the columns that only compute."""
    helpers, others = set(sheet.helpers), set[int]()
    for table in sheet.tables:
        for key, look in table.columns.items():
            (helpers if look.helper else others).add(table.at[key])
    if helpers & others:
        letters = ", ".join(map(column_letters, sorted(helpers & others)))
        raise BookError(f"column {letters} is a helper in one table, but not in all")
    for column in helpers:
        dimension = worksheet.column_dimensions[column_letters(column)]
        dimension.hidden, dimension.outlineLevel = True, 1
        if column + 1 not in helpers:
            worksheet.column_dimensions[column_letters(column + 1)].collapsed = True


def _keep_joined(sheet: Sheet, worksheet: Worksheet) -> None:
    """Begin a page where what is ``joined`` would else go on to the next one."""
    if not sheet.set_up.joined or sheet.set_up.unbroken:
        return
    table = _with_column(sheet, sheet.set_up.joined)
    said = table.column(sheet.set_up.joined).values()
    shared = [str(value or "").partition("/")[0] for value in said]
    room = _room(sheet, worksheet) - _high(worksheet, 1, table.header)
    above = end = table.header
    for row, (this, below) in enumerate(pairwise([*shared, ""]), start=table.first):
        if this == below:
            continue
        if end > above and _high(worksheet, above + 1, row) > room:
            worksheet.row_breaks.append(Break(id=end))
            above = end
        end = row


def _print_area(sheet: Sheet, worksheet: Worksheet) -> None:
    """Print the columns that were asked for, and no row behind the last one that is shown.

    Excel finds again where the rows end. LibreOffice only understands an area that stands for
    good, and prints everything instead: a book near the field has no empty pages there.
    """
    set_up = sheet.set_up
    bottom = max((table.bottom for table in sheet.tables), default=0)
    lowest = [table for table in sheet.tables if table.bottom == bottom]
    if set_up.areas:
        worksheet.print_area = ",".join(set_up.areas)
    elif lowest and not sheet.charts and all(t.shown and t.last == bottom for t in lowest):
        columns = [
            table.at[key]
            for table in sheet.tables
            for key, look in table.columns.items()
            if not look.helper and key not in table.trailing
        ]
        last = max(columns, default=0)
        if set_up.area:
            last = _with_column(sheet, set_up.area).at[set_up.area]
        first, beyond = _printed_rows(sheet, worksheet)
        rows = [_last_row(t, _printed(t, t.shown), beyond) for t in lowest if t.shown]
        end = f"MAX({max(table.header for table in lowest)},{','.join(rows)})"
        end = f"IFERROR({end},{bottom})"
        letters = column_letters(max(last, 1))
        corner = f"INDEX({sheet.reference(f'${letters}:${letters}')},{end})"
        optional = (cells for table in lowest for cells in _optional(table).values())
        headings = [cells for cells in optional if cells.column > last]
        # Columns that only some settings fill are printed if their headings are not blank; a table
        # without any heading leaves its whole width to the lines above it (column 0 is all).
        if headings:
            beyond = column_letters(headings[-1].column)
            whole = sheet.reference(f"$A:${beyond}")
            used = "+".join(f'({cells.reference}<>"")' for cells in headings)
            corner = f"INDEX({whole},{end},{last}+{used})"
        area = f"INDEX({sheet.reference('$A:$A')},{first}):{corner}"
        for name, text in ((LIVING, area), (PRINT_AREA, sheet.reference(LIVING))):
            worksheet.defined_names[name] = DefinedName(name, attr_text=text)
    elif set_up.area:
        table = _with_column(sheet, set_up.area)
        worksheet.print_area = f"A1:{table.letter(set_up.area)}{table.bottom}"


def _printed_rows(sheet: Sheet, worksheet: Worksheet) -> tuple[str, str]:
    """The formulas of the first row to print and of the row behind the last round to print, where
    that is one of long rounds; else the first row and nothing."""
    for table in sheet.tables if sheet.set_up.only else ():
        if _rounds_on_page(sheet, worksheet, table) < 2:
            number = to_text(sheet.names_at(None).resolve(Name(sheet.set_up.only)))
            end = f"{table.first}+{table.group}*{number}"
            return f"IF({number}=0,1,{end}-{table.group})", end
    return "1", ""


def _last_row(table: Table, shown: Binary, beyond: str = "") -> str:
    """The formula of the last row of a table that is shown, before another one."""
    assert isinstance(shown.left, Name)
    cells = table.column(shown.left.text).reference
    before = f"*(ROW({cells})<{beyond})" if beyond else ""
    return f"SUMPRODUCT(MAX(({cells}{shown.operator}{to_text(shown.right)}){before}*ROW({cells})))"


def _with_column(sheet: Sheet, key: str) -> Table:
    for table in sheet.tables:
        if table.has(key):
            return table
    raise BookError(f"no table of the sheet {sheet.title!r} has a column {key!r}")


def _fit(sheet: Sheet, worksheet: Worksheet, measured: Widths, size: int, high: float) -> None:
    """Make every column as wide as its contents, within bounds, and rows high enough.

    The column ``stretch`` grows if the lines above a table are longer than all columns together:
    paper shows nothing beyond the last column. What is pinned up fills the paper.
    """
    widths = _scaled(sheet, measured, size)
    seen = [at for at in in_use(sheet) if at in widths]
    for column, width in _widths(sheet, widths, seen, size).items():
        worksheet.column_dimensions[column_letters(column)].width = round(width, 2)
    _set_heights(sheet, worksheet, size, high)
    if not sheet.set_up.down and (squeezed := _squeezed(sheet, worksheet)):
        # the letters shrink to the height of the page: then broader columns fill its width
        sheet.set_up.down = 1
        for column in seen:
            worksheet.column_dimensions[column_letters(column)].width *= squeezed


def _widths(
    sheet: Sheet, widths: dict[int, float], seen: Sequence[int], size: int
) -> Mapping[int, float]:
    """The widths of columns, of which those that are ``seen`` share what room there is."""
    set_up, scale, lines = sheet.set_up, size / BASE_SIZE, _line(sheet, size)
    if set_up.stretch:
        if set_up.stretch.isdigit():
            column = int(set_up.stretch)
        else:
            column = _with_column(sheet, set_up.stretch).at[set_up.stretch]
        missing = lines - fsum(widths[at] for at in seen)
        widths[column] = min(widths[column] + max(missing, 0.0), 2 * scale * WIDEST)
    if set_up.wall:
        across = fsum(widths[at] for at in seen)
        whole = fsum(widths[at] for at in _printed_columns(sheet) & set(widths))
        upright = set_up.upright or max(whole, lines) <= SHRUNK * UPRIGHT
        paper = max(UPRIGHT if upright else ACROSS, lines)
        grown = max(min(paper, SHRUNK * paper - (whole - across)) / across, 1.0)
        widths |= {at: grown * widths[at] for at in seen}
        set_up.upright = upright
    return set_up.exact or widths


def _set_heights(sheet: Sheet, worksheet: Worksheet, size: int, high: float) -> None:
    """Make rows high enough, once the columns have their widths."""
    set_up, scale, idle = sheet.set_up, size / BASE_SIZE, _idle(sheet)
    for table in sheet.tables:
        for at in idle & set(table.at.values()):
            worksheet.cell(table.header, at).alignment = Alignment(
                "center", "center", shrink_to_fit=True
            )
    if set_up.wall:
        note = line_size("note", size) / size * LINE_HEIGHT
        for (row, _), put in sheet.puts.items():
            if put.look.role == "note":
                sheet.heights.setdefault(row, note)
    headers: dict[int, int] = {}  # tables beside each other share one
    for table in sheet.tables:
        deep = headers.get(table.header, 1)
        for key, look in table.columns.items():
            if look.helper or table.at[key] in idle:
                continue
            width = worksheet.column_dimensions[column_letters(table.at[key])].width / scale
            deep = max(deep, wrapped_lines(look.headed, width / BOLD - 0.7))
        headers[table.header] = deep
        if table.fitted:
            sheet.height(table.header, deep if table.headed else 0)
        if not set_up.hidden:
            for row in range(1 if set_up.wall else table.first, table.bottom + 1):
                sheet.heights.setdefault(row, high * LINE_HEIGHT)
    for row, height in sheet.heights.items():
        worksheet.row_dimensions[row].height = round(scale * height, 2)


def _keep_rounds(sheet: Sheet, worksheet: Worksheet) -> None:
    """Begin a page where a round would else go on to the next one, on a sheet that is ``unbroken``.

    Excel takes no notice of breaks where a sheet fits a page across.
    """
    for table in sheet.tables if sheet.set_up.unbroken else ():
        step = max(_rounds_on_page(sheet, worksheet, table), 1) * _round(sheet, table)
        for row in range(table.header + step, table.last, step):
            worksheet.row_breaks.append(Break(id=row))


def _rounds_on_page(sheet: Sheet, worksheet: Worksheet, table: Table) -> int:
    """How many rounds of a table fit a page whole."""
    room = _room(sheet, worksheet) - _high(worksheet, 1, table.header)
    return int(room // _high(worksheet, table.first, table.header + _round(sheet, table)))


def _round(sheet: Sheet, table: Table) -> int:
    """How many rows of a table stay on one page."""
    unbroken = min(sheet.set_up.unbroken, max(table.rows, 1))
    return (unbroken if unbroken > 1 else table.group * unbroken) or 1


def _high(worksheet: Worksheet, first: int, last: int) -> float:
    """The height in points of rows from one to another."""
    there = worksheet.row_dimensions
    return fsum(there[row].height or LINE_HEIGHT for row in range(first, last + 1))


def _room(sheet: Sheet, worksheet: Worksheet) -> float:
    """The height in points of the rows that a page holds, shrunk to its width in LibreOffice."""
    seen = {t.at[k] for t in sheet.tables for k, c in t.columns.items() if not c.helper}
    across = fsum(worksheet.column_dimensions[column_letters(at)].width for at in seen)
    return _page_height(sheet, across)


def _page_height(sheet: Sheet, across: float) -> float:
    """The height in points of the rows that a page holds where columns have a width in all."""
    paper, page = (UPRIGHT, HIGH) if sheet.set_up.upright else (ACROSS, LOW)
    return page * max(CALC * across / paper, 1.0)


def _squeezed(sheet: Sheet, worksheet: Worksheet) -> float:
    """How much longer than a page a list to pin up is whose last rows do not go on a page of their
    own; 0 for all other sheets."""
    if not sheet.set_up.wall or not sheet.tables:
        return 0.0
    high = _high(worksheet, 1, max(table.bottom for table in sheet.tables))
    longer = high / _room(sheet, worksheet)
    return longer if 1 < longer <= SQUEEZED else 0.0


def in_use(sheet: Sheet) -> set[int]:
    """The columns of all tables that are seen, with what the file holds now; of one that is not
    there now all."""
    known = sheet.book.known
    seen = {
        table.at[key]: key not in table.trailing or known(sheet, table.header, table.at[key]) != ""
        for table in sheet.tables
        for key, look in table.columns.items()
        if not look.helper
    }
    return {at for at, used in seen.items() if used} or set(seen)


def _page(sheet: Sheet, worksheet: Worksheet) -> None:
    """Set up printing: A4, one page across, header rows on every page."""
    set_up, say = sheet.set_up, sheet.book.say
    setup = worksheet.page_setup
    setup.orientation = "portrait" if set_up.upright else "landscape"
    setup.paperSize = A4
    setup.fitToWidth, setup.fitToHeight = 1, set_up.down
    # pages are those of the sheet, also where the whole book is printed
    setup.firstPageNumber, setup.useFirstPageNumber = 1, True
    worksheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    worksheet.print_options.horizontalCentered = True
    margins = worksheet.page_margins
    margins.left = margins.right = 0.5
    margins.top, margins.bottom = 0.6, 0.75
    margins.header = margins.footer = 0.3
    rows = set_up.titles
    if rows is None and sheet.tables:
        rows = sheet.tables[0].header
    if rows:
        worksheet.print_title_rows = f"1:{rows}"
    text = clean(say("title"))
    if len(text) > MOST_FOOTER:  # the three parts must not run into each other
        text = text[: MOST_FOOTER - 1] + "…"
    # "&" begins a code there
    ends = HeaderFooterItem()
    left = escaped(text.replace("&", "&&"))
    ends.left.text = say("printed", at="&D &T") if set_up.wall else left
    center = sheet.title
    if set_up.wall:  # a reader who likes the list finds what it was made with
        center += f" · {say('made_with', program=MADE_WITH)}"
    ends.center.text = center.replace("&", "&&")
    ends.right.text = say("page", page="&P")
    worksheet.oddFooter = ends
