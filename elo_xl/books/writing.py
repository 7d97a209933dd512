"""From the worked out cells of a book to its file, by openpyxl."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from openpyxl import Workbook as ExcelFile
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.utils.datetime import to_excel
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula

from elo_xl.books import identity, layout
from elo_xl.books.charts import captioned, reaching
from elo_xl.books.code import ROOM as ROOM_OF_CODE
from elo_xl.books.code import Picture
from elo_xl.books.column_words import Look
from elo_xl.books.model import Declared, Sheet
from elo_xl.books.statements import located
from elo_xl.books.styles import APART, BOLD, INDENT, ROLES, ROOM
from elo_xl.books.text import clean, in_lines, shown, text_width
from elo_xl.books.working_out import Held, Sheets, as_seen
from elo_xl.xlsx.cell_xml import CellValue, cell_of, constant_of, needs_prefix
from elo_xl.xlsx.cells import Place
from elo_xl.xlsx.evaluate import ArrayBlock, Value
from elo_xl.xlsx.fill import Filled, column_letters, filled
from elo_xl.xlsx.formula import to_text
from elo_xl.xlsx.opc import from_bytes, to_bytes
from elo_xl.xlsx.package import AddedRows

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet


@dataclass(frozen=True, slots=True)
class Finished:
    """A book as it goes into a file: in one of openpyxl's its single cells and all that is not a
    cell."""

    file: ExcelFile
    values: Mapping[tuple[str, str], CellValue]
    """what the formulas of the single cells give"""
    below: Mapping[str, AddedRows]
    """by sheet, the cells below the first row of a table, which are most"""


def written(book: Declared, held: Sheets) -> Finished:
    """Write a book that is worked out."""
    computed = book.computed
    assert computed is not None
    file = ExcelFile()
    file.remove(file.worksheets[0])
    file.properties.creator = "elo-xl"
    file.properties.title = clean(book.say("title"))
    file.properties.language = book.options.language
    for said in identity.properties(book):
        file.custom_doc_props.append(said)  # type: ignore[attr-defined]
    for name, reference in book.defined.items():
        file.defined_names[name] = DefinedName(name, attr_text=reference)
    styles = layout.Styles(file)
    made = {}
    shown: dict[tuple[str, str], CellValue] = {}
    below: dict[str, AddedRows] = {}
    for sheet in book.sheets.values():
        worksheet = made[sheet.key] = file.create_sheet(sheet.title)
        values = computed.values(sheet.title)
        with located(sheet.begun):
            below[sheet.title] = _write(sheet, worksheet, held[sheet.title], values, styles, shown)
    for sheet in book.sheets.values():
        with located(sheet.begun):
            _draw(sheet, made[sheet.key])
    looks: dict[DifferentialStyle, int] = {}  # openpyxl would compare each one with all others
    for rule in (r for s in made.values() for f in s.conditional_formatting for r in f.cfRule):
        if rule.dxf is not None:
            rule.dxfId, rule.dxf = looks.setdefault(rule.dxf, len(looks)), None
    file._differential_styles.styles = [*looks]  # type: ignore[attr-defined]
    return Finished(file, shown, below)


def _draw(sheet: Sheet, worksheet: Worksheet) -> None:
    """Write the charts of a sheet."""
    for drawn, anchor, rows, last, text in sheet.charts:
        chart: Any = captioned(drawn(), text)
        chart.anchor = anchor
        if rows:
            last = last or max(layout.in_use(sheet))
            width = worksheet.column_dimensions[column_letters(last)].width
            chart.anchor = reaching(anchor, last, width, rows)
        worksheet.add_chart(chart)


def _write(
    sheet: Sheet,
    worksheet: Worksheet,
    cells: Mapping[Place, Held],
    values: Mapping[Place, Value],
    styles: layout.Styles,
    shown: dict[tuple[str, str], CellValue],
) -> AddedRows:
    """Write the cells with their looks, and what else the sheet has.

    The cells below the first row of a table are not given to openpyxl but back; what the formulas
    of all others give is added to ``shown``.
    """
    rows: AddedRows = {}
    worksheet.sheet_view.showGridLines = False
    widths = _measured(sheet, cells, values)
    ordinary, high = layout.type_size(sheet, widths)
    below: set[Place] = set()
    for table in sheet.tables:
        below.update(product(range(table.first + 1, table.bottom + 1), table.at.values()))
    below.difference_update(sheet.puts)
    for at, (content, look, filler, down, across) in cells.items():
        row, column = at
        seen: CellValue | None = None
        entered: str | float | None = None
        typed = False
        if isinstance(content, Filled | ArrayBlock):
            seen = as_seen(values[at])
        elif isinstance(content, str):
            seen = entered = clean(content)
            typed = needs_prefix(content)
        elif isinstance(content, date):
            entered, seen = to_excel(content), 0.0  # type: ignore[no-untyped-call]
        elif content is not None:
            seen = entered = content
        name = f"{column_letters(column)}{row}"
        size = layout.line_size(look.role, ordinary)
        if at in below:
            style = styles.number(worksheet, look, typed, size)
            formula = None if filler is None else filler.text(down)
            rows.setdefault(row, {})[column] = (
                cell_of(name, style, seen, formula, across)
                if entered is None
                else constant_of(name, style, entered)
            )
        else:
            cell = worksheet.cell(row, column)
            if filler is not None:
                formula = f"={to_text(filled(filler.tree, down))}"
                cell.value = formula if across is None else ArrayFormula(across, formula)
            elif entered is not None and entered != "":
                cell.value = entered
                if isinstance(entered, str):
                    # openpyxl takes "=1+1" for a formula, "#N/A" for an error
                    cell.data_type = "s"
            if entered is None and seen is not None:
                shown[sheet.title, name] = seen
            styles.give(cell, worksheet, look, typed, size)
    layout.finish(sheet, worksheet, widths, ordinary, high, styles)
    if address := _address(sheet):
        worksheet.row_dimensions[1].height = ROOM_OF_CODE
        worksheet.add_image(Picture.at_the_right(address, _columns(sheet, worksheet)))
    return rows


def _measured(
    sheet: Sheet, cells: Mapping[Place, Held], values: Mapping[Place, Value]
) -> layout.Widths:
    """The widths of columns with ordinary letters."""
    room, there = dict(sheet.widths), dict.fromkeys(sheet.widths, 0.0)
    crowded: set[int] = set()
    for table in sheet.tables:
        aligned: list[tuple[int, str | None]] = []
        for key, shape in table.columns.items():
            column = table.at[key]
            heading = shape.headed
            if shape.width is None and shape.optional is not None:
                heading = str(values[table.header, column])
            apart = INDENT if shape.look.indented else APART
            if not shape.helper:
                aligned.append((column, shape.look.align))
            wide = BOLD * (in_lines(heading, sheet.set_up.heading_lines) + apart)
            there[column] = max(there.get(column, 0), wide)
            least = ROOM.get(key, 0.0) if shape.width is None else shape.width
            room[column] = max(room.get(column, 0), least)
        crowded |= {at for (_, a), (at, b) in pairwise(aligned) if (a, b) == ("right", "center")}
    for (row, column), (content, look, *_) in cells.items():
        if look.measure:
            seen: CellValue | None
            if isinstance(content, Filled | ArrayBlock):
                seen = as_seen(values[row, column])
            elif isinstance(content, str):
                seen = clean(content)
            elif isinstance(content, date):
                seen = 0.0
            else:
                seen = content
            there[column] = max(there.get(column, 0.0), _width(seen, look))
    for column in crowded:  # in the middle, close behind numbers at the right
        there[column] += 4 * APART
    return layout.Widths(there, room)


def _address(sheet: Sheet) -> str:
    """The address that a sheet shows as a code; blank for most."""
    return sheet.book.said.address if sheet.set_up.wall else ""


def _columns(sheet: Sheet, worksheet: Worksheet) -> list[int]:
    """How many pixels wide the columns are that have headings now."""
    last = max(layout.in_use(sheet))
    seen = [worksheet.column_dimensions[column_letters(k + 1)] for k in range(last)]
    return [0 if column.hidden else round(7 * column.width + 5) for column in seen]


def _width(seen: CellValue | None, look: Look) -> float:
    text = shown(seen, look.number_format)
    width = text_width(text) if text else 0.0
    indent = INDENT if look.indented else 0.0
    return (width + indent) * (BOLD if ROLES[look.role].bold else 1)


def _code(sheet: Sheet) -> str:
    """What a program says instead of showing the code of a sheet."""
    address = _address(sheet)
    return address and sheet.book.text("publish.code", address=address)


def described(parts: Mapping[str, bytes], book: Declared) -> dict[str, bytes]:
    """The drawings with the texts in place of charts and codes; openpyxl numbers them by sheet."""
    changed = {}
    drawn = [
        [*(text for *_, text in sheet.charts), *filter(None, [_code(sheet)])]
        for sheet in book.sheets.values()
    ]
    for i, texts in enumerate(filter(None, drawn), start=1):
        name = f"xl/drawings/drawing{i}.xml"
        root = from_bytes(parts[name])
        for properties, text in zip(root.iter("{*}cNvPr"), texts, strict=True):
            properties.set("descr", text)
        changed[name] = to_bytes(root)
    return changed
