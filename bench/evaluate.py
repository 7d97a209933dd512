"""The evaluator of formulas beside ironcalc, a spreadsheet engine in Rust, on the same cells.

A table of results as organizers' books have them: checks, sums over a column for each player,
places found by name, a running total. ironcalc's time is that of computing alone; ours has the
compiling of the formulas in it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ironcalc
import openpyxl

from bench._timing import fastest, report
from elo_xl.xlsx.evaluate import Filled, Workbook
from elo_xl.xlsx.fill import Filler, filled
from elo_xl.xlsx.formula import parse, to_text

ROWS = 500

#: by column, as written for row 2
COLUMNS = {
    3: 'IF(OR(A2="",B2=""),"",IF(AND(B2>=0,B2<=100),"","check"))',
    4: f"COUNTIF($A$2:$A${ROWS + 1},A2)",
    5: f'SUMIFS($B$2:$B${ROWS + 1},$A$2:$A${ROWS + 1},A2,$B$2:$B${ROWS + 1},">10")',
    6: f"MATCH(A2,$A$2:$A${ROWS + 1},0)",
    7: 'IF(C2="",ROUND(100*(B2-50)/(D2+1),0)/100,0)',
    8: f"RANK(B2,$B$2:$B${ROWS + 1})",
    9: "N(I1)+B2",
    10: 'A2&" has "&B2',
}


def constants() -> dict[tuple[int, int], Any]:
    cells: dict[tuple[int, int], Any] = {(1, 9): 0.0}
    for row in range(2, ROWS + 2):
        cells[row, 1] = f"Player {row % 40}"
        cells[row, 2] = float(row * 37 % 101)
    return cells


def ours() -> None:
    cells = constants()
    for column, text in COLUMNS.items():
        tree = parse(text)
        cells |= {(row, column): Filled(tree, row - 2) for row in range(2, ROWS + 2)}
    Workbook({"S": cells}).values("S")


def file(path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for (row, column), value in constants().items():
        sheet.cell(row, column, value)
    for column, text in COLUMNS.items():
        filler = Filler(parse(text))
        for row in range(2, ROWS + 2):
            sheet.cell(row, column, f"={filler.text(row - 2)}")
    book.save(path)


@contextmanager
def silent() -> Iterator[None]:
    """Drop what ironcalc prints past Python."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def main() -> None:
    with tempfile.TemporaryDirectory() as work:
        path = Path(work, "table.xlsx")
        file(path)
        with silent():
            model = ironcalc.load_from_xlsx(str(path))
            own, theirs = fastest(5, ours, model.evaluate)
    report(f"{len(COLUMNS) * ROWS:,} formulas evaluated", own, theirs, 1, "ironcalc")

    tree = parse(COLUMNS[3])
    filler = Filler(tree)
    own, slow = fastest(
        5,
        lambda: [filler.text(down) for down in range(1000)],
        lambda: [to_text(filled(tree, down)) for down in range(1000)],
    )
    report("1,000 texts of a filled formula", own, slow, 0.1, "the tree filled and written")


if __name__ == "__main__":
    main()
