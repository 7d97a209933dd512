"""Looks, validations, conditional formats, widths and print settings of a written sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, TypedDict

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
from openpyxl.worksheet.properties import PageSetupProperties

from elo_xl.books.column_words import Look, Validation
from elo_xl.books.model import Cells, Mark, Sheet, Table
from elo_xl.books.statements import BookError, located
from elo_xl.books.styles import (
    ATTENTION,
    BLOCKED,
    BOLD,
    FONT,
    INK,
    INPUT,
    MARK,
    NARROWEST,
    PADDING,
    ROLES,
    TABS,
    WIDEST,
    BorderLine,
    Role,
)
from elo_xl.books.text import clean, wrapped_lines
from elo_xl.xlsx.cell_xml import escaped
from elo_xl.xlsx.fill import COLUMNS, column_letters
from elo_xl.xlsx.formula import Binary, Call, Name, to_text

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

LINE_SHARE: Final = 0.95
"""Width of running text against the sum of its letters' widths."""
A4: Final = 9
MOST_UPRIGHT: Final = 134.0
"""Width in digits, up to which letters on upright paper have 8 points and more."""
MOST_FOOTER: Final = 60
MOST_PROMPT: Final = 255
MOST_PROMPT_TITLE: Final = 32
PRINT_AREA: Final = "_xlnm.Print_Area"
BLANK: Final = Look("blank")


def _style(role: Role, name: str) -> NamedStyle:
    """A role as a style of a workbook."""
    style = NamedStyle(name)
    style.font = Font(
        name=FONT,
        size=role.size,
        bold=role.bold,
        italic=role.italic,
        underline="single" if role.underline else None,
        color=role.colour,
    )
    if role.fill is not None:
        style.fill = PatternFill("solid", role.fill)
    style.border = _border(role)
    style.protection = Protection(locked=role.locked)
    style.alignment = _alignment(role, None)
    return style


def _border(role: Role) -> Border:
    """The lines around a cell of a role."""
    sides = _side(role.box)
    return Border(sides, sides, _side(role.above), _side(role.below))


def _side(line: BorderLine | None) -> Side:
    return Side() if line is None else Side(*line)


def _alignment(role: Role, align: str | None) -> Alignment:
    """How text stands in a cell of a role."""
    # text after a column of numbers would else touch them
    indent = 1 if align == "left" else 0
    return Alignment(
        align,
        "center",
        wrap_text=role.wrap or None,
        indent=indent,
        shrink_to_fit=role.shrink or None,
    )


class Styles:
    """The styles of a file: a named one for each role, number format and alignment beside it.

    Excel leaves the file's default style behind where somebody cuts a cell. That style is unlocked,
    so what was emptied can be typed in again; every other one says whether it is locked. Looking
    styles up in openpyxl is slow, hence they are kept.
    """

    def __init__(self, file: Workbook) -> None:
        self.file = file
        self.known: dict[tuple[str, str, str | None, bool, bool], StyleArray] = {}
        self.numbers: dict[tuple[str, str, str | None, bool, bool], int] = {}
        unlocked = Protection(locked=False)
        inside: Any = file
        inside._named_styles["Normal"].protection = unlocked
        default = StyleArray()
        default.protectionId = inside._protections.add(unlocked)
        inside._cell_styles = IndexedList([default])

    def give(self, target: Any, worksheet: Worksheet, look: Look, prefixed: bool = False) -> None:
        """Give a cell or a column of openpyxl's a look.

        A ``prefixed`` cell keeps a text that would become a formula when somebody edits it.
        """
        key = look.role, look.number_format, look.align, look.bare, prefixed
        if key not in self.known:
            role, name = ROLES[look.role], f"Elo {look.role}"
            if name not in self.file.named_styles:
                self.file.add_named_style(_style(role, name))
            cell: Any = Cell(worksheet, 1, 1)
            cell.style = name
            cell.number_format = look.number_format
            cell.alignment = _alignment(role, look.align)
            if look.bare:
                cell.fill, cell.border = PatternFill(), Border()
            cell.quotePrefix = prefixed
            self.known[key] = cell._style
            self.numbers[key] = int(cell.style_id)
        target._style = copy(self.known[key])

    def number(self, worksheet: Worksheet, look: Look, prefixed: bool) -> int:
        """The number by which a cell of the file refers to such a style."""
        key = look.role, look.number_format, look.align, look.bare, prefixed
        if key not in self.numbers:
            self.give(Cell(worksheet, 1, 1), worksheet, look, prefixed)
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
    first, second = (
        None if node is None else to_text(names.resolve(node))
        for node in (allowed.first, allowed.second)
    )
    kind = "list" if allowed.kind == "result" or allowed.kind == "yes" else allowed.kind
    rule = DataValidation(type=kind, formula1=first, formula2=second, allow_blank=True)
    if allowed.second is not None:
        rule.operator = "between"
    rule.promptTitle = say(f"column_{allowed.text_key}", allowed.text_key)[:MOST_PROMPT_TITLE]
    rule.prompt = (allowed.prompt or say(f"prompt_{allowed.text_key}", ""))[:MOST_PROMPT]
    rule.errorTitle = rule.promptTitle
    rule.error = (allowed.error or say(f"error_{allowed.text_key}", rule.prompt))[:MOST_PROMPT]
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
    "end": {"border": Border(bottom=Side("thin", INK))},
    "input": {"fill": PatternFill(bgColor=INPUT, fill_type="solid")},
    "blocked": {"fill": PatternFill(bgColor=BLOCKED, fill_type="solid")},
    "leader": {"font": Font(bold=True, color=INK)},
    "quiet": {"font": Font(italic=True, color="8C98A1")},
    "one_decimal": {"numFmt": NumberFormat(BUILTIN_FORMATS_MAX_SIZE + 1, "0.0")},
    "two_decimals": {"numFmt": NumberFormat(2, "0.00")},
}
"""Looks of conditional formats: ``attention`` for mistakes, ``missing`` for entries that are still
missing, ``leader`` for highlights, ``quiet`` for what does not count, ``end`` for the last row of a
group, ``one_decimal`` and ``two_decimals`` for numbers; ``input`` and ``blocked`` for such cells in
a column that is not in use everywhere."""


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
    for role, cells in _by_role(mark.table, first, first + mark.cells.columns):
        # LibreOffice gives a cell the look of one rule only, hence its lines go with it
        whole = replace(cells, row=mark.cells.row, rows=mark.cells.rows)
        rule = _rule(test, _frame(role, look))
        worksheet.conditional_formatting.add(whole.area, rule)


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
    headings = {cells.column: cells for cells in _optional(table)}
    for role, cells in _by_role(table, left, right + 1):
        formula = test
        if cells.column in headings:
            heading = headings[cells.column]
            used = f'{heading.address}<>""'
            formula = f"AND({test},{used})"
            rule = _rule(used, _frame(ROLES["heading"], {}))
            worksheet.conditional_formatting.add(heading.area, rule)
        rule = _rule(formula, _frame(role, {}))
        worksheet.conditional_formatting.add(cells.area, rule)


def _optional(table: Table) -> Iterator[Cells]:
    """The headings of the columns that may be out of use."""
    for key, look in table.columns.items():
        if look.optional is not None:
            yield table.sheet.cells(table.header, table.at[key])


def _by_role(table: Table, first: int, beyond: int) -> Iterator[tuple[Role, Cells]]:
    """The visible columns from one to before another, neighbours with the same lines at once."""

    def lines(key: str) -> tuple[object, ...]:
        role = ROLES[table.columns[key].look.role]
        optional = key if table.columns[key].optional is not None else ""
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
    for side in ("left", "right", "top", "bottom"):
        line = getattr(look.get("border"), side, None)
        if line is not None and line.style:
            setattr(border, side, line)
    if role.fill is not None:
        framed.setdefault("fill", PatternFill(bgColor=role.fill, fill_type="solid"))
    return framed


def finish(sheet: Sheet, worksheet: Worksheet, widths: Mapping[int, float], styles: Styles) -> None:
    """Complete a written sheet: widths, heights, validations, marks, print settings and lock.

    ``widths`` are the measured widths by column. Raises BookError for an unknown column or look.
    """
    set_up = sheet.set_up
    _fit(sheet, worksheet, widths)
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
    for mark in sheet.marks:
        with located(mark.where):
            _mark(sheet, worksheet, mark)
    for table in sheet.tables:
        if table.shown is not None:
            _rows_in_use(table, table.shown, worksheet)
    if set_up.freeze:
        worksheet.freeze_panes = _with_column(sheet, set_up.freeze).cell(set_up.freeze, 0).area
    _page(sheet, worksheet)
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


def _print_area(sheet: Sheet, worksheet: Worksheet) -> None:
    """Print the columns that were asked for, and no row behind the last one that is shown.

    Excel works out anew where the rows end. LibreOffice only understands an area that stands for
    good, and prints everything instead.
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
            if not look.helper and look.optional is None
        ]
        last = max(columns)
        if set_up.area:
            last = _with_column(sheet, set_up.area).at[set_up.area]
        rows = [_last_row(table, table.shown) for table in lowest if table.shown]
        end = f"MAX({max(table.header for table in lowest)},{','.join(rows)})"
        letters = column_letters(last)
        corner = f"INDEX({sheet.reference(f'${letters}:${letters}')},{end})"
        optional = (cells for table in lowest for cells in _optional(table))
        headings = [cells for cells in optional if cells.column > last]
        # Columns that only some settings fill are printed if their headings are not blank.
        if headings:
            beyond = column_letters(headings[-1].column)
            whole = sheet.reference(f"$A:${beyond}")
            used = "+".join(f'({cells.reference}<>"")' for cells in headings)
            corner = f"INDEX({whole},{end},{last}+{used})"
        area = f"INDEX({sheet.reference('$A:$A')},1):{corner}"
        worksheet.defined_names[PRINT_AREA] = DefinedName(PRINT_AREA, attr_text=area)
    elif set_up.area:
        table = _with_column(sheet, set_up.area)
        worksheet.print_area = f"A1:{table.letter(set_up.area)}{table.bottom}"


def _last_row(table: Table, shown: Binary) -> str:
    """The formula of the last row of a table that is shown."""
    assert isinstance(shown.left, Name)
    cells = table.column(shown.left.text).reference
    return f"SUMPRODUCT(MAX(({cells}{shown.operator}{to_text(shown.right)})*ROW({cells})))"


def _with_column(sheet: Sheet, key: str) -> Table:
    for table in sheet.tables:
        if table.has(key):
            return table
    raise BookError(f"no table of the sheet {sheet.title!r} has a column {key!r}")


def _fit(sheet: Sheet, worksheet: Worksheet, measured: Mapping[int, float]) -> None:
    """Make every column as wide as its contents, within bounds, and headers high enough.

    The column ``stretch`` grows if the lines above a table are longer than all columns together:
    paper shows nothing beyond the last column.
    """
    set_up = sheet.set_up
    widths = {
        column: min(max(width + PADDING, NARROWEST), WIDEST) for column, width in measured.items()
    }
    if set_up.stretch:
        if set_up.stretch.isdigit():
            column = int(set_up.stretch)
        else:
            column = _with_column(sheet, set_up.stretch).at[set_up.stretch]
        hidden = {
            table.at[k] for table in sheet.tables for k, c in table.columns.items() if c.helper
        }
        seen = sum(width for at, width in widths.items() if at not in hidden)
        missing = LINE_SHARE * sheet.longest_line - seen
        widths[column] = min(widths[column] + max(missing, 0.0), 2 * WIDEST)
    widths = set_up.exact or widths
    for column, width in widths.items():
        worksheet.column_dimensions[column_letters(column)].width = round(width, 2)
    headers: dict[int, int] = {}  # tables beside each other share one
    for table in sheet.tables:
        lines = headers.get(table.header, 1)
        for key, look in table.columns.items():
            width = worksheet.column_dimensions[column_letters(table.at[key])].width
            lines = max(lines, wrapped_lines(look.heading, width / BOLD - 0.7))
        headers[table.header] = lines
        if table.fitted:
            sheet.height(table.header, lines)
    for row, height in sheet.heights.items():
        worksheet.row_dimensions[row].height = height


def _page(sheet: Sheet, worksheet: Worksheet) -> None:
    """Set up printing: A4, one page across, header rows on every page."""
    set_up = sheet.set_up
    setup = worksheet.page_setup
    upright = set_up.upright or (set_up.wall and _width(sheet, worksheet) <= MOST_UPRIGHT)
    setup.orientation = "portrait" if upright else "landscape"
    setup.paperSize = A4
    setup.fitToWidth, setup.fitToHeight = 1, set_up.down
    worksheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    worksheet.print_options.horizontalCentered = True
    margins = worksheet.page_margins
    margins.left = margins.right = 0.5
    margins.top, margins.bottom = 0.6, 0.7
    margins.header = margins.footer = 0.3
    rows = set_up.titles
    if rows is None and sheet.tables:
        rows = sheet.tables[0].header
    if rows:
        worksheet.print_title_rows = f"1:{rows}"
    text = clean(sheet.book.say("title"))
    if len(text) > MOST_FOOTER:  # the three parts must not run into each other
        text = text[: MOST_FOOTER - 1] + "…"
    # "&" begins a code there
    ends = HeaderFooterItem()
    if not set_up.wall:
        ends.left.text = escaped(text.replace("&", "&&"))
    ends.center.text = sheet.title.replace("&", "&&")
    ends.right.text = sheet.book.say("paging", page="&P", pages="&N")
    worksheet.oddFooter = ends


def _width(sheet: Sheet, worksheet: Worksheet) -> float:
    """The width of all columns that are seen, in digits."""
    dimensions = worksheet.column_dimensions
    columns = {at for table in sheet.tables for at in table.at.values()}
    seen = (dimensions[column_letters(at)] for at in columns)
    return sum(each.width for each in seen if not each.hidden)
