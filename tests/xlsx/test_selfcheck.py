"""A book that says itself whether the program which opens it computes what it stores."""

import io
import re
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.formula import ArrayFormula

from elo_xl.xlsx.cell_xml import CellValue
from elo_xl.xlsx.in_place import WorkbookError, read_parts
from elo_xl.xlsx.package import package
from elo_xl.xlsx.selfcheck import SHEET, WAITING, checked
from tests.support.calc import Calc
from tests.support.command import invoke
from tests.support.lint import problems

LONG = "x" * 300
FORMULAS: dict[str, tuple[Any, CellValue, CellValue]] = {
    "A1": ("=1/3", 1 / 3, 0.333333),
    "A2": ('=""', "", "x"),
    "A3": ('=REPT("x",300)', LONG, LONG.upper()),
    "A4": ("=1/0", "#DIV/0!", "#N/A"),
    "A5": ("=1=1", True, False),
    "A6": ("=DATE(2026,11,28)", 46354, 46355),
    "A7": ('="1"', "1", 1),
    "A8": ("=B9", 0, ""),
    "A9": ("=0", 0, "#N/A"),
    "A10": ("=1=1", True, 1),
    "A11": ('=" a ""=b"""', ' a "=b"', 'a "=b"'),
    "A12": ("=LN(0)", "#NUM!", 0),
    "A13": ("=1E+200", 1e200, 1.00000001e200),
}
"""By cell a formula, what it gives, and what it does not."""


FILLED: dict[str, tuple[CellValue, CellValue]] = {"C1": (2, 3), "C2": (4, 3), "C3": (6, 7)}
"""The same of the cells of an array formula."""


def book(*, wrong: bool = False, title: str = "R") -> bytes:
    """A book of one sheet, in which all formulas, or none, store something wrong."""
    file = openpyxl.Workbook()
    sheet: Any = file.active
    sheet.title = title
    for name, (formula, *_) in FORMULAS.items():
        sheet[name] = formula
    sheet["C2"] = sheet["C3"] = 0
    sheet["C1"] = ArrayFormula("C1:C3", "={1;2;3}*2")
    values = {name: given[-2:] for name, given in FORMULAS.items()} | FILLED
    sheet["D1"] = "=1+1"  # of which the file stores nothing
    return package(file, {(title, name): both[wrong] for name, both in values.items()})


def test_what_every_kind_of_value_says(calc: Calc) -> None:
    (right, count), (wrong, _) = checked(book()), checked(book(wrong=True))
    assert len(FORMULAS) + len(FILLED) == count
    computed = calc.recalculate_all({"right": right, "wrong": wrong})
    sheets = {name: cells[SHEET] for name, cells in computed.items()}
    assert f"0 of {count} cells differ" == sheets["right"]["A1"]
    assert "A2" not in sheets["right"]
    rows = range(6, 6 + count)
    named = {sheets["wrong"][f"A{n}"]: sheets["wrong"][f"D{n}"] for n in rows}
    assert {f"'R'!{name}": 1 for name in (*FORMULAS, *FILLED)} == named
    assert f"{count} of {count} cells differ" == sheets["wrong"]["A1"]
    assert "The first: 'R'!A1" == sheets["wrong"]["A2"]


def test_the_other_sheets_stay_and_the_book_opens_on_the_new_one() -> None:
    old = book(title="Ana's games")
    new, _ = checked(old)
    before, after = read_parts(old), read_parts(new)
    added = {"xl/worksheets/sheet2.xml"}
    told = {"xl/workbook.xml", "xl/_rels/workbook.xml.rels", "[Content_Types].xml"}
    assert added == after.keys() - before.keys()
    selected = re.compile(rb' tabSelected="1"')
    changed = {name for name in before if selected.sub(b"", before[name]) != after[name]}
    assert told == {name for name in changed if name != "xl/worksheets/sheet1.xml"}
    assert b'fullCalcOnLoad="1"' in after["xl/workbook.xml"]
    opened: Any = openpyxl.load_workbook(io.BytesIO(new), data_only=True)
    assert SHEET == opened.active.title
    assert [False, True] == [bool(sheet.sheet_view.tabSelected) for sheet in opened.worksheets]
    assert WAITING == opened[SHEET]["A1"].value, "until a program has computed, nothing is said"
    assert "'Ana''s games'!A1" == opened[SHEET]["A6"].value
    assert [] == problems(new)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(WorkbookError, match="it has a sheet called Selfcheck already"):
        checked(checked(book())[0])
    with pytest.raises(WorkbookError, match="it stores no value of a formula"):
        checked(package(openpyxl.Workbook(), {}))


def test_command(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def run(*words: str, code: int = 0) -> str:
        done = invoke("selfcheck", *words)
        assert code == done.exit_code, done.output
        return done.output

    (tmp_path / "more").mkdir()
    for name in ("a.xlsx", "b.xlsx", "more/a.xlsx"):
        (tmp_path / name).write_bytes(book())
    assert "a-selfcheck.xlsx: 16 cells to compare\n" == run("a.xlsx")
    assert "already exists" in run("a.xlsx", code=2)
    assert "c.xlsx: 16 cells to compare\n" == run("a.xlsx", "-o", "c.xlsx")
    assert 2 == run("a.xlsx", "b.xlsx", "-o", "out").count("16 cells")
    assert ["a-selfcheck.xlsx", "b-selfcheck.xlsx"] == sorted(
        path.name for path in (tmp_path / "out").iterdir()
    )
    assert "-o names a folder" in run("a.xlsx", "b.xlsx", "-o", "d.xlsx", code=2)
    assert "same name" in run("a.xlsx", "more/a.xlsx", "-o", "both", code=2)
    (tmp_path / "no.xlsx").write_bytes(b"none")
    assert "no.xlsx: it is not a workbook" in run("no.xlsx", code=1)
