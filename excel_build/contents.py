"""The files around the VBA project: sheets, help for Excel's function wizard, package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from lxml import etree
from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.formula import ArrayFormula

from elo_xl.functions.catalogue import Function
from elo_xl.functions.cells import Cell, CellRows, Result, to_formula
from elo_xl.functions.evaluation import worksheet
from elo_xl.functions.names import CATEGORY
from elo_xl.hosts.excel_addin import SETTINGS, UDF_MODULE
from elo_xl.hosts.excel_addin.buttons import VBA_PART, project_relation, project_types
from elo_xl.xlsx.cell_xml import CellValue, PlainText
from elo_xl.xlsx.opc import (
    BOOK,
    BOOK_RELATIONSHIPS,
    CONTENT_TYPES,
    MAIN,
    from_bytes,
    to_bytes,
    unzipped,
    zipped,
)
from elo_xl.xlsx.package import package
from excel_build import vba

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

X14: Final = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"

ADDIN, BOOK_WITH_MACROS = "addin", "sheet"
"""The two kinds of file."""

PROJECTS: Final = {ADDIN: "elo_xl", BOOK_WITH_MACROS: "elo_xl_workbook"}
"""The names of the VBA projects in these files."""

ARGUMENT_HELP: Final = "{8193D73E-4604-4355-AFF4-8A2333D13BE4}"
"""The extension of a workbook that holds the help of functions' arguments."""

CONFIGURED: Final = {"UDF Modules": UDF_MODULE}
"""The sheet of settings that xlwings' module reads, before the user's file of settings."""

_AN_ERROR: Final = "an error"


def addin(functions: Sequence[Function]) -> bytes:
    """``elo_xl.xlam``: the functions in every workbook."""
    book = _book()
    _settings(book, hidden=False)
    return _with_vba(book, functions, ADDIN, {})


def workbook(functions: Sequence[Function]) -> bytes:
    """``elo_xl.xlsm``: the functions in one workbook, which checks itself with their examples."""
    book = _book()
    values = _examples(book, functions)
    _settings(book, hidden=True)
    return _with_vba(book, functions, BOOK_WITH_MACROS, values)


def _book() -> Workbook:
    book = Workbook()
    book.remove(book.worksheets[0])
    book.code_name = "ThisWorkbook"
    book.properties.creator = "elo-xl"
    book.properties.title = "Elo ratings"
    book.properties.description = "The ELO_ worksheet functions, through xlwings"
    return book


def _sheet(book: Workbook, title: str, *, hidden: bool) -> Worksheet:
    sheet: Worksheet = book.create_sheet(title)
    sheet.sheet_properties.codeName = f"Sheet{len(book.worksheets)}"
    if hidden:
        sheet.sheet_state = "hidden"
    return sheet


def _settings(book: Workbook, *, hidden: bool) -> None:
    sheet = _sheet(book, f"{SETTINGS}.conf", hidden=hidden)
    for row in CONFIGURED.items():
        sheet.append(row)


def _examples(book: Workbook, functions: Sequence[Function]) -> dict[tuple[str, str], CellValue]:
    """Every example of the catalogue as a formula beside the value that it must give."""
    sheet = _sheet(book, "Examples", hidden=False)
    examples = [(f.name, e) for f in functions for e in f.examples]
    expected = 4 + max(len(_rows(e.result)[0]) for _, e in examples)
    for column, title in ((1, "Formula"), (2, "Check"), (3, "Value"), (expected, "Expected")):
        sheet.cell(1, column, title).font = Font(bold=True)
    sheet.freeze_panes = "C2"
    sheet.column_dimensions["A"].width = 70
    sheet.column_dimensions["B"].width = 20
    values: dict[tuple[str, str], CellValue] = {}
    row = 2
    for name, example in examples:
        rows = _rows(example.result)
        formula = to_formula(name, example.arguments)
        here = _range(row, 3, rows)
        _put(sheet, row, formula, here, single=len(rows) == 1 == len(rows[0]))
        _check(sheet, row, here, expected, rows)
        values[sheet.title, f"C{row}"] = _value(rows[0][0])
        row += len(rows)
    row = _column_example(sheet, row, expected)
    sheet["B1"] = f'=COUNTIF(B2:B{row - 1},"ok")&" of {len(examples) + 1} are ok"'
    return values


def _column_example(sheet: Worksheet, row: int, expected: int) -> int:
    """One call for a column with a blank, a text and an error in it; the row after it."""
    ratings: list[Cell] = [1400, 1600, 1800, None, "n/a", "#N/A"]
    sheet.cell(row, expected + 1, "Ratings").font = Font(bold=True)
    first, last = row + 1, row + len(ratings)
    column = get_column_letter(expected + 1)
    formula = f"=ELO_EXPECTED({column}{first}:{column}{last}, 1800)"
    _put(sheet, first, formula, f"C{first}:C{last}")
    for i, rating in enumerate(ratings, first):
        sheet.cell(i, expected + 1, "=NA()" if rating == "#N/A" else rating)
        sheet.cell(i, 4, f'=IFERROR(C{i},"{_AN_ERROR}")')
    shown = [
        [_AN_ERROR if str(cell).startswith("#") else cell]
        for (cell,) in _rows(worksheet("ELO_EXPECTED", [[rating] for rating in ratings], 1800))
    ]
    _check(sheet, first, f"D{first}:D{last}", expected, shown)
    return last + 1


def _put(sheet: Worksheet, row: int, formula: str, area: str, *, single: bool = False) -> None:
    """A formula, and its text beside it."""
    sheet.cell(row, 1, formula).data_type = "s"
    sheet.cell(row, 3).value = formula if single else ArrayFormula(area, formula)


def _check(sheet: Worksheet, row: int, area: str, column: int, rows: CellRows) -> None:
    """The values that the formula must give, and whether it does."""
    there = _range(row, column, rows)
    for i, line in enumerate(rows):
        for j, cell in enumerate(line):
            sheet.cell(row + i, column + j, None if cell == "" else cell)
    difference = f"IF(ISNUMBER({area}),{area},1E+300)-IF(ISNUMBER({there}),{there},0)"
    same = f'IF(ISNUMBER({there}),ABS({difference})<0.000000001,{area}&""={there}&"")'
    sheet.cell(row, 2).value = ArrayFormula(
        f"B{row}", f'=IFERROR(IF(AND({same}),"ok","differs"),"differs")'
    )


def _rows(result: Result) -> CellRows:
    return result if isinstance(result, list) else [[result]]


def _value(cell: Cell) -> CellValue:
    assert cell is not None
    return PlainText(cell) if isinstance(cell, str) else cell


def _range(row: int, column: int, rows: CellRows) -> str:
    last = get_column_letter(column + len(rows[0]) - 1)
    return f"{get_column_letter(column)}{row}:{last}{row + len(rows) - 1}"


def _with_vba(
    book: Workbook,
    functions: Sequence[Function],
    kind: str,
    values: Mapping[tuple[str, str], CellValue],
) -> bytes:
    """The workbook as a file with macros, and with help in the places where Excel keeps it."""
    parts = unzipped(package(book, values))
    parts[CONTENT_TYPES] = project_types(parts[CONTENT_TYPES], kind)
    parts[BOOK_RELATIONSHIPS] = project_relation(parts[BOOK_RELATIONSHIPS])
    parts[BOOK] = _wizard(parts[BOOK], functions)
    parts[VBA_PART] = vba.project(PROJECTS[kind], functions, len(book.worksheets))
    return zipped(parts)


def _wizard(part: bytes, functions: Sequence[Function]) -> bytes:
    """Add our category after the built-in ones, and the arguments' help, each in its place."""
    root = from_bytes(part)
    groups = etree.Element(f"{MAIN}functionGroups", builtInGroupCount=str(vba.BUILT_IN_CATEGORIES))
    etree.SubElement(groups, f"{MAIN}functionGroup", name=CATEGORY)
    next(root.iter(f"{MAIN}sheets")).addnext(groups)
    extension = etree.SubElement(
        etree.SubElement(root, f"{MAIN}extLst"), f"{MAIN}ext", nsmap={"x14": X14}
    )
    extension.set("uri", ARGUMENT_HELP)
    names = etree.SubElement(extension, f"{{{X14}}}definedNames")
    for function in sorted(functions, key=lambda f: f.name):
        name = etree.SubElement(names, f"{{{X14}}}definedName", name=function.name)
        texts = etree.SubElement(
            name, f"{{{X14}}}argumentDescriptions", count=str(len(function.arguments))
        )
        for i, argument in enumerate(function.arguments):
            text = etree.SubElement(texts, f"{{{X14}}}argumentDescription", index=str(i))
            text.text = argument.help
    return to_bytes(root)
