"""The add-in inside a real LibreOffice: worksheet functions called there, many in one run::

values([("ELO_EXPECTED", (1834, 2179))], addin_calc)     # cell values in, cell values out
"""

from __future__ import annotations

import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.formula import ArrayFormula

from elo_xl import call
from elo_xl.functions.cells import block
from elo_xl.hosts.libreoffice.build import NAME, build
from elo_xl.hosts.libreoffice.install import Office
from elo_xl.hosts.libreoffice.wheels import ask, fetch
from tests.calc import Calc

Call = tuple[str, Sequence[Any]]

BLANK_CELL: Any = object()
"""An argument that is a reference to one blank cell; None is one left out."""


@dataclass(frozen=True)
class Text:
    """An argument as it stands in the formula."""

    formula: str


def values(calls: Sequence[Call], calc: Calc) -> list[Any]:
    """The value of each call, computed by LibreOffice in one workbook.

    Cell values are those of ``elo_xl.call``, both ways: single ones stand in cells that the formula
    refers to, lists of rows in ranges. Where LibreOffice's result has another size than that of
    ``elo_xl.call``, a text says so in its place.
    """
    book = openpyxl.Workbook()
    given = _Given(book.worksheets[0])
    results = book.create_sheet("Results")
    sizes = []
    top = 1
    for name, cells in calls:
        formula = f"{name}({','.join(map(given.argument, _trimmed(cells)))})"
        size = block(call(name, *[None if cell is BLANK_CELL else cell for cell in cells])).shape
        results.cell(top, 1).value = f"=ROWS({formula})"
        results.cell(top, 2).value = f"=COLUMNS({formula})"
        area = f"C{top}:{get_column_letter(size[1] + 2)}{top + size[0] - 1}"
        alone = size == (1, 1)
        results[f"C{top}"] = f"={formula}" if alone else ArrayFormula(area, f"={formula}")
        sizes.append((top, size))
        top += size[0]
    path = calc.home / "calls.xlsx"
    book.save(path)
    sheet = calc.workbook(path)["Results"]
    return [_result(sheet, top, size) for top, size in sizes]


def formulas(texts: Sequence[str], calc: Calc) -> list[Any]:
    """The value of each formula, in a cell of its own."""
    book = openpyxl.Workbook()
    for row, text in enumerate(texts, start=1):
        book.worksheets[0].cell(row, 1).value = f"={text}"
    path = calc.home / "formulas.xlsx"
    book.save(path)
    sheet = calc.workbook(path).worksheets[0]
    cells = [sheet.cell(row, 1).value for row in range(1, len(texts) + 1)]
    return ["" if value is None else value for value in cells]


def _result(sheet: Any, top: int, size: tuple[int, int]) -> Any:
    own = tuple(sheet.cell(top, column).value for column in (1, 2))
    # An error that LibreOffice hands on by itself has no size.
    if own != size and isinstance(own[0], int):
        return f"{own[0]} rows of {own[1]} instead of {size[0]} of {size[1]}"
    rows = [
        [sheet.cell(top + row, 3 + column).value for column in range(size[1])]
        for row in range(size[0])
    ]
    rows = [["" if value is None else value for value in row] for row in rows]
    return rows if size != (1, 1) else rows[0][0]


def _trimmed(cells: Sequence[Any]) -> Sequence[Any]:
    while cells and cells[-1] is None:
        cells = cells[:-1]
    return cells


class _Given:
    """The sheet with the arguments' cells, one argument below the other."""

    def __init__(self, sheet: Any) -> None:
        self.sheet = sheet
        self.top = 1
        sheet.title = "Given"

    def argument(self, cell: Any) -> str:
        """An argument's text in a formula; what it refers to is written to the sheet."""
        if cell is None:
            return ""
        if isinstance(cell, Text):
            return cell.formula
        own = block(None if cell is BLANK_CELL else cell)
        first = f"Given!$A${self.top}"
        last = f"${get_column_letter(own.columns)}${self.top + own.rows - 1}"
        for row in own.lines():
            for column, value in enumerate(row, start=1):
                place = self.sheet.cell(self.top, column)
                place.value = value
                if place.data_type == "f":
                    place.data_type = "s"
            self.top += 1
        return f"{first}:{last}" if isinstance(cell, (list, tuple)) else first


def with_addin(soffice: str, home: Path) -> Calc:
    """A LibreOffice with the add-in, and NumPy and SciPy in its Python's reach."""
    home.mkdir(exist_ok=True)
    return Calc(soffice, home, addin=build(home / NAME), packages=_packages(soffice, home))


def office_of(soffice: str) -> Office:
    """The LibreOffice of a soffice, which may be a script that starts one further below."""
    folder = Path(soffice).resolve().parent
    if not (folder / "libpyuno.so").exists():
        folder = next(folder.rglob("libpyuno.so")).parent
    return Office(folder)


@cache
def _packages(soffice: str, home: Path) -> Path | None:
    """A folder with NumPy and SciPy for LibreOffice's Python, where that has none itself."""
    target, complete = ask(office_of(soffice).python)
    if complete:
        return None
    if target.version == sysconfig.get_python_version():
        return Path(sysconfig.get_path("platlib"))
    fetch(target, home / "packages")
    return home / "packages"
