"""The add-in inside LibreOffice, beside its own NORM.S.DIST: what loading a file takes for them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import openpyxl
from openpyxl.worksheet.formula import ArrayFormula

from bench._timing import fastest, report
from tests.support.calc import find_soffice
from tests.support.libreoffice_host import with_addin

ARRAY, CELLS = 100_000, 10_000


def workbook(folder: Path, rows: int, each: str = "", whole: str = "") -> Path:
    """Two columns of ratings, and one formula per row or one for all rows."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    ratings = np.random.default_rng(1).normal(1700, 250, (rows, 2)).round().tolist()
    for row, pair in enumerate(ratings, start=1):
        sheet.append([*pair, each.format(row)] if each else pair)
    if whole:
        sheet["C1"] = ArrayFormula(f"C1:C{rows}", whole.format(rows))
    path = folder / f"{rows}-{bool(each)}-{len(each + whole)}.xlsx"
    book.save(path)
    return path


def main() -> None:
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        calc = with_addin(find_soffice(), folder / "calc")
        for what, rows, ours, native in (
            (
                "100,000 rows in one array formula",
                ARRAY,
                {"whole": "=ELO_EXPECTED(A1:A{0},B1:B{0})"},
                {"whole": "=_xlfn.NORM.S.DIST((A1:A{0}-B1:B{0})/282.842712474619,TRUE)"},
            ),
            (
                "10,000 cells",
                CELLS,
                {"each": "=ELO_EXPECTED(A{0},B{0})"},
                {"each": "=_xlfn.NORM.S.DIST((A{0}-B{0})/282.842712474619,TRUE)"},
            ),
        ):
            paths = [workbook(folder, rows, **formula) for formula in (ours, native)]
            own, beside = fastest(
                5, *[lambda path=path: calc.convert(path, "csv") for path in paths]
            )
            report(what, own, beside, 3, "LibreOffice's own NORM.S.DIST")


if __name__ == "__main__":
    main()
