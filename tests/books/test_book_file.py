"""Books that a file describes: the example, and what is said of mistakes in one."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from elo_xl.books import book_file
from elo_xl.books.book import BookError, Options
from elo_xl.cli import cli
from elo_xl.xlsx.evaluate import CircularError
from tests.support import ROOT
from tests.support.calc import Calc
from tests.support.template_books import differences

EXAMPLE = ROOT / "examples" / "table-tennis.book"


@pytest.mark.slow
def test_the_example(tmp_path: Path) -> None:
    target = tmp_path / "evening.xlsx"
    run = CliRunner().invoke(cli, ["new", str(EXAMPLE), "--sample", "-o", str(target)])
    assert run.output == f"Workbook: {target}\n"
    book = openpyxl.load_workbook(target, data_only=True)
    assert ["Start here", "Players", "Games", "Table", "As read"] == book.sheetnames
    rows = [[c.value for c in row] for row in book["Table"].iter_rows(6, 9, 2, 7)]
    games = [("Ada", "Bo"), ("Chen", "Ada"), ("Bo", "Dana"), ("Ada", "Dana"), ("Chen", "Bo")]
    start = {"Ada": 1620, "Bo": 1540, "Chen": 1500, "Dana": 1455}
    change = dict.fromkeys(start, 0.0)
    for winner, loser in games:
        worth = 24 / (1 + 10 ** ((start[winner] - start[loser]) / 400))
        change[winner] += worth
        change[loser] -= worth
    counts = {"Ada": (3, 2, 1), "Bo": (3, 1, 3), "Chen": (2, 2, 1), "Dana": (2, 0, 4)}
    expected = [
        [name, *counts[name], pytest.approx(change[name]), round(start[name] + change[name])]
        for name in start
    ]
    assert expected == rows


@pytest.mark.parametrize("functions", ["formulas", "libreoffice"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_libreoffice_computes_the_example(
    functions: str, language: str, calc: Calc, addin_calc: Calc
) -> None:
    book = book_file.read(EXAMPLE, Options(functions, language), filled=True)
    program = calc if functions == "formulas" else addin_calc
    assert [] == differences({"example": book}, program.recalculate_all({"example": book.file()}))


START = 'book "B"\nsheet "S"\n    table T rows:2\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("sheet S", 'a book begins with a line: book "Its title" @ our.book:1'),
        ("book ours", "no ready-made book has the texts of 'ours' @ our.book:1"),
        ('book "B"\n    players 2 to 9', "invalid statement"),
        ('book "B"\nloops\n    r 1..x', "invalid statement"),
        ('book "B"\nuse playrs', "block must be one of"),
        ('book "B"\nuse players loud', "the block players has no loud @ our.book:2"),
        ('book "B"\neach r\n    sheet "S"', "no loop is named 'r' @ our.book:2"),
        ('book "B"\nsettings\n    K 0 loud = 1', "bounds and a format, not 'loud' @ our.book:3"),
        ('book "B"\n    languge en', "not 'languge' @ our.book:2"),
        (
            'book "B"\nshet "S"',
            "a book has sheets, pages, pieces and commands, not 'shet' @ our.book:2",
        ),
        (f"{START}        a 0 centre = 1", "a column has no 'centre' @ our.book:4"),
        (f"{START}        a 0 = SUMM(b)", "no function is named 'SUMM'; did you mean SUM"),
        (f"{START}        a 0 = b + 1", "nothing is named 'b' @ our.book:4"),
        (f"{START}        a 0 = Q[b]", "no table is named 'Q' @ our.book:4"),
        (f"{START}        a 0 = T[b]", "table T has no column 'b' @ our.book:4"),
        (f"{START}        a 0 = 1 +", "@ our.book:4"),
        (f"{START}        a 0 = SUM(1", "a parenthesis is not closed @ our.book:4"),
        (f"{START}        a 0 = 1\n            + 2", "while a parenthesis is open @ our.book:5"),
        (f"{START}        a 0 = cases(a, 1)", "and a last value @ our.book:4"),
        (f"{START}\ta 0 = 1", "indented with a tab; use spaces @ our.book:4"),
        (f"{START}        a whole:1 input", "bounds are written whole:1..9"),
        (f"{START}        a 0 = 1\n    marks\n        a loud a = 1", "no look is named 'loud'"),
        (
            f"{START}        a 0 = 1\n    marks\n        b attention a = 1",
            "no column 'b' @ our.book:6",
        ),
        (
            'book "B"\nsheet "S"\n    table T rows:x\n        a 0 = 1',
            "nothing is named 'x' @ our.book:3",
        ),
        (
            f"{START}        a input\n    typed\n        1, 2",
            "2 cells for 1 columns that can be typed",
        ),
        ('book "B"\n    language xx', "language must be one of"),
        ('book "B"\n    rules fidee', "@ our.book:2"),
        ('book "B"\nsheet', "something is missing after 'sheet' @ our.book:2"),
        ('book "B"\nsheet "S"\n    table', "something is missing after 'table' @ our.book:3"),
        ('book "B"\nsheet "a/b"', "none of them ' * / : ? [ \\ ]: 'a/b' @ our.book:2"),
        ('book "B"\nsheet "S"\nsheet "s"', "two sheets have the title 's' @ our.book:3"),
        ('book "B"\nsheet "S" down:x', "invalid statement"),
        (f"{START}        a 0 = 1\n        a 0 = 2", "two columns have the key 'a' @ our.book:5"),
        (f"{START}        a 0 = group[a]", "invalid statement"),
        (f"{START}        a 0 = ELO_K()", "needs rating @ our.book:4"),
        (f"{START}        a whole:x..9 input", "nothing is named 'x' @ our.book:4"),
        (f"{START}        a list: input", "@ our.book:4"),
        ('book "B"\nsheet "S"\n    table T rows:-3', "@ our.book:3"),
        (
            'book "B"\nsheet "S"\n    table T rows:1e9',
            "a table has at most 1,048,576 rows, got '1e9' @ our.book:3",
        ),
        (
            'book "B"\nsheet "S"\n    table T rows:600000\n        a 0 input',
            "tables have at most 200,000 cells, typed ones counted twice @ our.book:3",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "our.book"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BookError) as caught:
        book_file.read(path, Options("formulas", "en"), filled=True).file()
    assert problem in str(caught.value)


def test_a_cell_that_needs_itself_is_named(tmp_path: Path) -> None:
    path = tmp_path / "our.book"
    path.write_text(f"{START}        a 0 = SUM(T[a])", encoding="utf-8")
    with pytest.raises(CircularError, match="S"):
        book_file.read(path, Options("formulas", "en")).finish()
    run = CliRunner().invoke(cli, ["new", str(path), "-o", str(tmp_path / "our.xlsx")])
    assert 1 == run.exit_code
    assert not (tmp_path / "our.xlsx").exists()


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    run = CliRunner().invoke(cli, ["new", str(tmp_path / "none.book")])
    assert 2 == run.exit_code
    assert "is no file" in run.output
