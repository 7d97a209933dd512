"""The add-in inside a real LibreOffice: worksheet functions called there, many in one run::

values([("ELO_EXPECTED", (1834, 2179))], addin_calc)     # cell values in, cell values out
"""

import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.formula import ArrayFormula

from elo_xl import worksheet
from elo_xl.functions.cells import to_block
from elo_xl.hosts.libreoffice.build import build
from elo_xl.hosts.libreoffice.install import Office, ask, fetch
from tests.support.calc import Calc, CalcError, find_soffice

PREPARED = Path(__file__).parents[2] / "build" / "libreoffice"
"""Folders with NumPy and SciPy for a LibreOffice whose Python is another one than ours."""

Call = tuple[str, Sequence[Any]]

BLANK_CELL: Any = object()
"""An argument that is a reference to one blank cell; None is an omitted argument."""


@dataclass(frozen=True)
class Text:
    """An argument as written in the formula."""

    formula: str


class Calls:
    """A workbook with calls, and the values that LibreOffice computed.

    Cell values are those of ``elo_xl.worksheet``, both ways: single ones stand in cells to which
    the formula refers, lists of rows in ranges. Where LibreOffice's result has another size than
    that of ``elo_xl.worksheet``, a text says so in its place. A text in place of a call is a
    formula, and has one cell.
    """

    def __init__(self, calls: Sequence[Call | str]) -> None:
        self.book = openpyxl.Workbook()
        given = _Given(self.book.worksheets[0])
        results = self.book.create_sheet("Results")
        self.sizes = []
        top = 1
        for each in calls:
            size = (1, 1)
            if isinstance(each, str):
                formula = each
            else:
                name, cells = each
                formula = f"{name}({','.join(map(given.argument, _trimmed(cells)))})"
                size = to_block(
                    worksheet(name, *[None if c is BLANK_CELL else c for c in cells])
                ).shape
                results.cell(top, 1).value = f"=ROWS({formula})"
                results.cell(top, 2).value = f"=COLUMNS({formula})"
            area = f"C{top}:{get_column_letter(size[1] + 2)}{top + size[0] - 1}"
            alone = size == (1, 1)
            results[f"C{top}"] = f"={formula}" if alone else ArrayFormula(area, f"={formula}")
            self.sizes.append((top, size))
            top += size[0]

    def answers(self, saved: Path) -> list[Any]:
        """The value of each call, from the workbook as LibreOffice saved it."""
        sheet = openpyxl.load_workbook(saved, data_only=True)["Results"]
        return [_result(sheet, top, size) for top, size in self.sizes]


def values(calls: Sequence[Call | str], calc: Calc) -> list[Any]:
    """The value of each call or formula, computed by LibreOffice in one workbook."""
    asked = Calls(calls)
    path = calc.home / "calls.xlsx"
    asked.book.save(path)
    return asked.answers(calc.convert(path, "xlsx"))


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
        own = to_block(None if cell is BLANK_CELL else cell)
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
    return Calc(soffice, home, addin=build(home), packages=packages_for(soffice))


def office_of(soffice: str) -> Office:
    """The LibreOffice of a soffice, which may be a script that starts one further below."""
    folder = Path(soffice).resolve().parent
    if not (folder / "libpyuno.so").exists():
        folder = next(folder.rglob("libpyuno.so")).parent
    return Office(folder)


@cache
def packages_for(soffice: str) -> Path | None:
    """A folder with NumPy and SciPy for LibreOffice's Python, where that has none itself."""
    target, complete = ask(office_of(soffice).python)
    if complete:
        return None
    if target.version == sysconfig.get_python_version():
        return Path(sysconfig.get_path("platlib"))
    folder = PREPARED / target.folder
    if not folder.exists():
        raise CalcError(
            f"NumPy and SciPy for LibreOffice's Python {target.version} are missing: run "
            "python -m tests.support.libreoffice_host"
        )
    return folder


def prepare(soffice: str) -> None:
    """Fetch NumPy and SciPy for LibreOffice's Python where nothing here has them.

    Before the tests, since those use no network.
    """
    try:
        packages_for(soffice)
    except CalcError:
        target, _ = ask(office_of(soffice).python)
        PREPARED.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=PREPARED) as work:
            fetch(target, Path(work, "packages"))
            Path(work, "packages").rename(PREPARED / target.folder)


if __name__ == "__main__":
    prepare(find_soffice())
