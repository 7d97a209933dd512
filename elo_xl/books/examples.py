"""The functions without any add-in, as files to give away: nothing has to be installed.

A workbook has them as LAMBDA names, with every example in cells to try; two texts are for Excel
Labs. Excel takes the names that a sheet uses along with a copy of the sheet: the first sheet uses
all of them, a sheet of a family all that its functions call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from openpyxl import Workbook
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from elo_xl.books.column_words import Look
from elo_xl.books.layout import A4, MOST_PROMPT, Styles
from elo_xl.books.styles import TABS
from elo_xl.books.text import GENERAL
from elo_xl.functions.arguments import Option
from elo_xl.functions.catalogue import PREFIX, Function, find
from elo_xl.functions.cells import CellRows, Result, to_formula
from elo_xl.functions.evaluation import worksheet
from elo_xl.functions.native import lambda_names, lambda_stored
from elo_xl.hosts import lambdas
from elo_xl.xlsx.cell_xml import CellValue, PlainText, needs_prefix
from elo_xl.xlsx.dynamic import with_dynamic_cells
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.in_place import read_parts, with_parts
from elo_xl.xlsx.package import package
from elo_xl.xlsx.stored import called

ALL: Final = "ELO functions"
"""The sheet that uses every name."""

MODULE: Final = PREFIX.rstrip("_")

ABOUT: Final = """\
Microsoft 365 or Excel 2024; nothing is installed. If cells show #NAME?, click Enable Editing.
To have the functions in a workbook of yours, copy this sheet into it: right-click its tab, Move or
Copy, choose the workbook, Create a copy. The names come with it; then the sheet may be hidden.
The other sheets have every example in yellow cells, to try one's own numbers.\
"""


def files() -> dict[str, bytes]:
    """All files by their names."""
    return {
        "elo-functions.xlsx": workbook(),
        "elo-functions.txt": lambdas.text().encode(),
        "elo-functions-module.txt": lambdas.text(MODULE).encode(),
    }


def workbook() -> bytes:
    """The workbook: a sheet with all functions, and one for the examples of each family."""
    known = [find(name) for name in lambda_names()]
    book = _Examples()
    book.overview(known)
    for family, functions in groupby(known, key=lambda f: f.family):
        book.family(family, _with_called([f.name for f in functions]))
    return book.content()


def _with_called(names: Sequence[str]) -> list[Function]:
    """Functions, then those that their LAMBDAs call."""
    known, found = set(lambda_names()), dict.fromkeys(names)
    for name in (waiting := list(names)):
        new = sorted(known.intersection(called(lambda_stored(name))) - found.keys())
        found |= dict.fromkeys(new)
        waiting += new
    return [find(name) for name in found]


class _Examples:
    """The workbook while it is written."""

    def __init__(self) -> None:
        self.file = Workbook()
        self.file.remove(self.file.worksheets[0])
        self.file.properties.creator = "elo-xl"
        self.file.properties.title = ALL
        self.styles = Styles(self.file)
        self.values: dict[tuple[str, str], CellValue] = {}
        """what the formulas give, for code that shows the file without computing it"""

    def content(self) -> bytes:
        """The file, with the names, and results that spill as Excel stores them."""
        content = lambdas.put_into(package(self.file, self.values))
        return with_parts(content, with_dynamic_cells(read_parts(content), spilled=True), set())

    def overview(self, functions: Sequence[Function]) -> None:
        """All functions with one call each; every argument stands in the formula."""
        sheet = self._sheet(ALL, "help", {"A": 19.0, "B": 70.0, "C": 62.0})
        self._put(sheet, 1, 1, ALL, "title")
        for row, text in enumerate(ABOUT.splitlines(), 2):
            self._put(sheet, row, 1, text, "subtitle")
        row += 2
        self._row(sheet, row, ("function", "what it gives", "a call", "its result"), "heading")
        for function in functions:
            example = function.examples[0]
            formula = to_formula(function.name, example.arguments)
            self._row(sheet, row := row + 1, (function.name, function.help, formula), "blank")
            value = worksheet(function.name, *example.arguments)
            row += self._result(sheet, row, 4, formula, value) - 1

    def family(self, family: str, functions: Iterable[Function]) -> None:
        """A sheet with all examples of some functions, their arguments in cells."""
        sheet, row = self._sheet(family, "typed", {}), 1
        for function in functions:
            self._row(sheet, row, (function.signature, *[None] * 7), "section")
            self._put(sheet, row + 1, 1, function.help, "subtitle")
            row = self._examples(sheet, row + 2, function) + 1

    def _examples(self, sheet: Worksheet, row: int, function: Function) -> int:
        """The examples of a function, one below the other; the row after them."""
        given = [
            [_rows(value) for value in (*example.arguments, *[None] * len(function.arguments))]
            for example in function.examples
        ]
        columns, column = [], 1
        for i, argument in enumerate(function.arguments):
            columns.append(column)
            width = max(len(blocks[i][0]) for blocks in given)
            self._row(sheet, row, (argument.name, *[None] * (width - 1)), "heading", column)
            column += width
        headings = function.columns or ("result",)
        self._row(sheet, row, (*headings, "formula"), "heading", column)
        first = row = row + 1
        for blocks, example in zip(given, function.examples, strict=True):
            areas = [
                self._typed(sheet, row, at, block)
                for at, block in zip(columns, blocks, strict=False)
            ]
            formula = f"={function.name}({','.join(areas)})"
            result = worksheet(function.name, *example.arguments)
            high = self._result(sheet, row, column, formula, result)
            self._put(sheet, row, column + len(headings), formula, "quiet")
            row += max(high, *(len(block) for block in blocks))
        for at, argument in zip(columns, function.arguments, strict=True):
            choices = ",".join(argument.choices) if isinstance(argument, Option) else ""
            rule = DataValidation(type="list" if choices else None, allow_blank=True)
            rule.formula1 = f'"{choices}"' if choices else None
            rule.promptTitle, rule.prompt = argument.name, argument.help[:MOST_PROMPT]
            rule.showInputMessage, rule.showErrorMessage = True, False
            rule.add(_area(first, at, row - first, 1))
            sheet.add_data_validation(rule)
        return row

    def _typed(self, sheet: Worksheet, row: int, column: int, block: CellRows) -> str:
        """The cells of an argument, to be typed over; their address."""
        for i, line in enumerate(block):
            self._row(sheet, row + i, line, "input", column)
        return _area(row, column, len(block), len(block[0]))

    def _result(self, sheet: Worksheet, row: int, column: int, formula: str, result: Result) -> int:
        """A formula with the values that it gives; the number of their rows."""
        block = _rows(result)
        for i, line in enumerate(block):
            for j, value in enumerate(line):
                self._put(sheet, row + i, column + j, None, "computed")
                shown = PlainText(value or "") if isinstance(value, str | None) else value
                self.values[sheet.title, f"{column_letters(column + j)}{row + i}"] = shown
        area = _area(row, column, len(block), len(block[0]))
        sheet.cell(row, column).value = ArrayFormula(area, formula)
        return len(block)

    def _sheet(self, title: str, kind: str, widths: dict[str, float]) -> Worksheet:
        sheet: Worksheet = self.file.create_sheet(title)
        sheet.sheet_properties.tabColor = TABS[kind]
        sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", A4
        sheet.page_setup.fitToHeight = 0
        sheet.sheet_view.showGridLines = False
        sheet.sheet_format.defaultColWidth = 15.0
        for column, width in widths.items():
            sheet.column_dimensions[column].width = width
        return sheet

    def _row(
        self, sheet: Worksheet, row: int, texts: Iterable[Any], role: str, column: int = 1
    ) -> None:
        for at, text in enumerate(texts, column):
            self._put(sheet, row, at, text, role)

    def _put(self, sheet: Worksheet, row: int, column: int, value: Any, role: str) -> None:
        cell = sheet.cell(row, column, value)
        text = isinstance(value, str)
        if text:
            cell.data_type = "s"  # also what looks like a formula or an error
        # Excel would make a date of a result that is typed over another one
        align = "left" if role in ("heading", "input", "computed", "quiet") else None
        look = Look(role, "@" if text and role == "input" else GENERAL, align)
        self.styles.give(cell, sheet, look, text and needs_prefix(value))


def _rows(value: Result) -> CellRows:
    return value if isinstance(value, list) else [[value]]


def _area(row: int, column: int, high: int, wide: int) -> str:
    first, last = column_letters(column), column_letters(column + wide - 1)
    end = f":{last}{row + high - 1}" if (high, wide) != (1, 1) else ""
    return f"{first}{row}{end}"
