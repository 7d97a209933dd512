"""Books that a file describes: the example, and what is said of mistakes in one."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import openpyxl
import pytest

import elo_xl as elo
from elo_xl.books import book_file
from elo_xl.books.book import BookError, Options
from tests.support import ROOT
from tests.support.calc import Calc
from tests.support.command import invoke
from tests.support.template_books import differences

EXAMPLE = ROOT / "examples" / "table-tennis.book"


@pytest.mark.slow
def test_the_example(tmp_path: Path) -> None:
    target = tmp_path / "evening.xlsx"
    run = invoke("new", EXAMPLE, "--sample", "-o", target)
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


def test_a_setting_holds_the_scale_of_a_curve(calc: Calc, tmp_path: Path) -> None:
    path = tmp_path / "our.book"
    path.write_text(
        """
        book "B"
        settings
            Normal list:"normal,logistic:300" = "logistic:300"
        sheet "S"
            table T rows:2
                a 0 input
                typed @ input
                b 0.00 = ELO_EXPECTED(a, 1500, Normal)
                c 0.00 = ELO_EXPECTED(a, 1500, typed)
            typed
                1200, normal:250.5
                1200, logistic:0
        """.replace("\n        ", "\n").strip(),
        encoding="utf-8",
    )
    book = book_file.read(path, Options("formulas", "en"), filled=True)
    found = calc.recalculate_all({"our": book.file()})["our"]["S"]
    known = [elo.expected(1200, 1500, model=model) for model in ("logistic:300", "normal:250.5")]
    for cell, expected in zip(("C5", "D5"), known, strict=True):
        assert [pytest.approx(float(expected))] * 2 == [found[cell], book.values["S", cell]]
    assert [found["D6"], book.values["S", "D6"]] == ["#VALUE!", "#NUM!"]  # no number in either


LOOPS = 'book "B"\nloops\n    r 1..1000\n    s 1..1000\n    t 1..1000\n'
START = 'book "B"\nsheet "S"\n    table T rows:2\n'


@pytest.mark.parametrize(("text", "problem"), [
    ("sheet S", 'a book begins with a line: book "Its title" @ our.book:1'),
    ("book ours", "no ready-made book has the texts of 'ours' @ our.book:1"),
    ('book "B"\n    players 2 to 9', "invalid statement"),
    ('book "B"\nloops\n    r 1..x', "invalid statement"),
    ('book "B"\nsizes\n    half = 1 / 2', "a size is a whole number, got '1 / 2'"),
    ('book "B"\nuse playrs', "block must be one of"),
    ('book "B"\nuse players loud', "the block players has no loud @ our.book:2:1"),
    ('book "B"\neach r\n    sheet "S"', "no loop is named 'r' @ our.book:2:6"),
    ('book "B"\nsettings\n    K 0 loud = 1', "bounds and a format, not 'loud' @ our.book:3:9"),
    ('book "B"\n    languge en', "not 'languge' @ our.book:2:5"),
    ('book "B"\nshet "S"',
     "a book has sheets, pages, pieces and commands, not 'shet' @ our.book:2"),
    (f"{START}        a 0 centre = 1", "a column has no 'centre' @ our.book:4:13"),
    (f"{START}        a 0 = SUMM(b)", "no function is named 'SUMM'; did you mean SUM"),
    (f"{START}        a 0 = b + 1", "nothing is named 'b' @ our.book:4:15"),
    (f"{START}        a 0 = Q[b]", "no table is named 'Q' @ our.book:4:15"),
    (f"{START}        a 0 = T[b]", "table T has no column 'b' @ our.book:4:17"),
    (f"{START}        a 0 = (1 + 2) + )", "@ our.book:4:25"),
    (f"{START}        a 0 = SUM(1,\n  # 2\n      3) +",
     "should be in 'SUM(1, 3) +' @ our.book:6:11"),
    (f"{START}        a 0 = 1 ~ 2", "@ our.book:4:17"),
    (f"{START}        a{{size}} 0 = x", "nothing is named 'x' @ our.book:4:21"),
    (f"{START}        a 0 = SUM(1", "a parenthesis is not closed @ our.book:4:9"),
    (f"{START}        a 0 = 1\n            + 2", "while a parenthesis is open @ our.book:5:13"),
    (f"{START}        a 0 = cases(a, 1)", "and a last value @ our.book:4:15"),
    (f"{START}\ta 0 = 1", "indented with a tab; use spaces @ our.book:4:1"),
    (f"{START}        a whole:1 input", "bounds are written whole:1..9"),
    (f"{START}        a 0 = 1\n    marks\n        a loud a = 1", "no look is named 'loud'"),
    (f"{START}        a 0 = 1\n    marks\n        b attention a = 1",
     "no column 'b' @ our.book:6:9"),
    ('book "B"\nsheet "S"\n    table T rows:x\n        a 0 = 1',
     "nothing is named 'x' @ our.book:3:18"),
    (f"{START}        a input\n    typed\n        1, 2", "2 cells for 1 columns that can be typed"),
    ('book "B"\n    language xx', "language must be one of"),
    ('book "B"\n    rules fidee', "@ our.book:2"),
    ('book "B"\nsheet', "something is missing after 'sheet' @ our.book:2"),
    ('book "B"\nsheet "S"\n    table', "something is missing after 'table' @ our.book:3"),
    ('book "B"\nsheet "a/b"', "none of them ' * / : ? [ \\ ]: 'a/b' @ our.book:2"),
    ('book "B"\nsheet "S"\nsheet "s"', "two sheets have the title 's' @ our.book:3:8"),
    ('book "B"\nsheet "S" down:x', "invalid statement"),
    (f"{START}        a 0 = 1\n        a 0 = 2", "two columns have the key 'a' @ our.book:5"),
    (f"{START}        a 0 = group[a]", "invalid statement"),
    (f"{START}        a 0 = ELO_K()", "needs rating @ our.book:4"),
    (f"{START}        a whole:x..9 input", "nothing is named 'x' @ our.book:4"),
    (f"{START}        a list: input", "@ our.book:4"),
    ('book "B"\nsheet "S"\n    table T rows:-3', "@ our.book:3"),
    ('book "B"\nsheet "S"\n    table T rows:1e9',
     "a table has at most 1,048,576 rows, got '1e9' @ our.book:3"),
    ('book "B"\nsheet "S"\n    table T rows:600000\n        a 0 input',
     "tables have at most 200,000 cells, typed ones counted twice @ our.book:3"),
    # what Excel refuses besides formulas
    *((f'book "B"\nsettings\n    {name} 0 0..9 = 1',
       f"{name!r} cannot be the name of a setting: it {why} @ our.book:3")
      for name, why in {**dict.fromkeys(("K1", "R", "rc", "R1C1", "top3"), "reads as a cell"),
                        **dict.fromkeys(("TRUE", "1st", "n" * 256), "is no name")}.items()),
    ('book "B"\nsettings\n    Win 0 = 1\n    WIN 0 = 2',
     "two settings have the name 'WIN' @ our.book:4"),
    (f"{START}        a input name:K2", "'K2' cannot be the name of cells: it reads as a cell"),
    (f'{START}        a input list:"{"x," * 128}"', "a list of choices has at most 255 characters"),
    (f'book "B"\nsettings\n    Way list:"{"x," * 128}" = x',
     "a list of choices has at most 255 characters @ our.book:3"),
    (f'{START}        a format:"[[[" = 1', "it is no number format @ our.book:4"),
    (f'{START}        a format:"{"0" * 256}" = 1', "a number format of 256 characters"),
    (f"{START}        a 256 = 1", "a column is at most 255 digits wide @ our.book:4"),
    ('book "B"\nsheet "S"\n    table T rows:1 heading:99',
     "a row is at most 25 lines high, got '99' @ our.book:3"),
    ('book "B"\nsheet "S\ufffe"', "a file cannot hold the character '\\ufffe' @ our.book:2:9"),
    # what would take all the time and memory there is
    (f'book "B"\n{"# x" * 400_000}', "has at most 1,000,000 characters @ our.book:1"),
    ('book "B"\nsettings\n    K 0 = 1e999999999', "as large as '1e999999999' @ our.book:3:11"),
    (f"{START}        a input\n    typed\n        1e400", "as large as '1e400' @ our.book:6:9"),
    ('book "B"\n    rounds 2..9 = 1000000000', "sizes look like 2..60 = 30"),
    ('book "B"\nloops\n    r 1..1000000000', "a loop has at most 16,384 values @ our.book:3"),
    (f'{LOOPS}sheet "S"\n    table T rows:1\n        a{{r}}_{{s}}_{{t}} = 1',
     "a book has at most 10,000 lines, with those that loops make @ our.book:8"),
    (f'{LOOPS}sheet "S"\n    each r\n     each s\n      each t\n       blank',
     "a book has at most 10,000 lines, with those that loops make @ our.book:10"),
    ('book "B"\nsheet "S"\n    table T rows:4000\n        a = REPT("x", 32767)',
     "long texts have more than 100,000,000 characters in all @ our.book:2:1"),
    ('book "B"\nsheet "S" unbroken:9999999999', "a sheet has at most 1,048,576 rows"),
    ('book "B"\nsheet "S"\n    cells left:99999999\n        a 0 input',
     "a sheet has at most 1,048,576 rows and 16,384 columns @ our.book:3"),
    ('book "B"\nsheet "S"\n    table T rows:1 left:16384\n        a = 1\n        b = 1',
     "a sheet has at most 1,048,576 rows and 16,384 columns @ our.book:3"),
    (f'{START}        {"a" * 60_000}" = 1', "a column is KEY words = formula"),
    *((f"{START}        {key} 0 input decimal:0..9", "the key of a column is a name, not")
      for key in ("7a", "a:b", ":", "a,", "a,7")),
    # rows that nobody would see
    ('book "B"\npage "P"\n    a 0 input = 1\n    typed\n        1',
     "a page has no typed rows: its lines say what yellow cells hold @ our.book:4"),
    ('book "B"\ntyped\n    Kk = 1', "nothing to type into is named 'Kk' @ our.book:3:5"),
    (f"{START}        a input\ntyped T rows:2 a b\n    1, 2",
     "T has no column 'b' @ our.book:5:18"),
])  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "our.book"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BookError) as caught:
        book_file.read(path, Options("formulas", "en"), filled=True).file()
    assert problem in str(caught.value)


LONG = "x" * 256
PIECES = "\n".join(f"    p{i + 1}(x) = p{i}(p{i}(x))" for i in range(20))


@pytest.mark.parametrize(("formula", "problem"), [
    ("ROUND(a)", "ROUND has 1 argument, Excel takes 2"),
    ("IF()", "IF has 0 arguments, Excel takes 2"),
    (f"SUM({'a,' * 255}a)", "SUM has 256 arguments, Excel takes 255"),
    (f"{'ABS(' * 65}a{')' * 65}", "65 nested calls, Excel takes 64"),
    ("+".join(["a"] * 202), "201 operators and calls within each other"),
    ("+".join(["a"] * 9000), "it nests too deeply, or means itself"),
    (f"{'(' * 2000}a{')' * 2000}", "it nests too deeply, or means itself"),
    (f'a & "{LONG}"', "a text of 256 characters, Excel takes 255"),
    ("&".join([f'a & "{LONG[1:]}"'] * 32), "a formula of 8671 characters, Excel takes 8000"),
    ("SUM({1,2;3})", "an array constant with rows of different lengths"),
    ("SUM({1,{2,3}})", "an array constant with something else than constants"),
    ("SUM({a,2})", "an array constant with something else than constants"),
    ('a & "_x0044_"', "a text with a sign as files write it: _x0044_"),
    ("1E400", "1E400 is too large a number"),
    ("A1#", "# is not a stored form"),
    ("@a", "@ is not a stored form"),
    ("[a]", "a column of this row is written [@a], not [a]"),
    ("[@b2]", "nothing is named 'b2'"),
    ("[1]S!A1", "[1]S!A1 leads to another file"),
    ("'[x.xlsx]S'!A1", "'[x.xlsx]S'!A1 leads to another file"),
    ("Nowhere!A1", "no sheet has the title 'Nowhere'"),
    ("S:T!A1", "no sheet has the title 'S:T'"),
    ("XFE1", "XFE1 is beyond the last row or column"),
    ("S!A1048577", "S!A1048577 is beyond the last row or column"),
    ("S!name", "nothing is named 'S!name'"),
    ('HYPERLINK("http://example.org")', "HYPERLINK leads to a place in the book"),
    ('HYPERLINK("x" & a)', "HYPERLINK leads to a place in the book"),
    ("IF(a = 1, INPUT, 2)", "INPUT, BLOCKED and EMPTY are whole results, decided by no cell"),
    *((f"{value}(1)", "only a function takes arguments, not ")
      for value in ("(a)", "SUM(a)", "LAMBDA(x, x)")),
    ("a T[a]", "there is no operator between a and T[a]"),
    ("$A$1:XFD9 SUM(A1:B9)", "there is no operator between $A$1:XFD9 and SUM(A1:B9)"),
    ("SUM(v1:XFD9)", "nothing is named 'XFD9'"),
    ("SUM(A1:v1)", "nothing is named 'A1'"),
    ('SUM(a:"")', "a range ends at a cell, not at "),
    ("SUM(1:a)", "a range ends at a cell, not at '1'"),
    ("SUM(a:ABS(a))", "a range ends at a cell, not at "),
    ("again(a)", "it nests too deeply, or means itself"),
    ("p20(a)", "the formula has more characters than Excel takes"),
])  # fmt: skip
def test_what_excel_refuses_in_a_formula(formula: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "our.book"
    pieces = f"pieces\n    again(x) = again(x)\n    p0(x) = x & x\n{PIECES}\n"
    head, _, table = START.partition("\n")
    columns = f"        a 0 input\n        v1 0 input\n        b 0 = {formula}"
    path.write_text(f"{head}\n{pieces}{table}{columns}", encoding="utf-8")
    with pytest.raises(BookError) as caught:
        book_file.read(path, Options("formulas", "en")).finish()
    assert problem in str(caught.value)
    assert re.search(r" @ our\.book:29:\d+$", str(caught.value))


@pytest.mark.parametrize("title", ["R", "rc", "C", "TRUE", "Plain"])
def test_titles_are_quoted_and_a_row_is_read_as_in_excel(title: str, tmp_path: Path) -> None:
    path = tmp_path / "our.book"
    tables = (
        "    table T rows:2\n        a 0 input\n        b 0 = [@a] * 2\n    typed\n        5\n"
        '        7\nsheet "Sum"\n    table U rows:1\n        c 0 = SUM(T[b])'
    )
    path.write_text(f'book "B"\nsheet "{title}"\n{tables}', encoding="utf-8")
    book = book_file.read(path, Options("formulas", "en"), filled=True)
    assert 24.0 == book.values["Sum", "A5"]
    assert f"=SUM('{title}'!$B$5:$B$6)" == book.workbook["Sum"]["A5"].value


def test_a_sign_of_equality_in_quotes_is_a_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "our.book"
    text = (
        'book "B"\n    players 2..9 = 4 "pupils (all = 9)"\nsettings\n'
        '    win "Points (win=2)" = 3\n'
        'sheet "S"\n    table T rows:2\n        a 0 "A=1" input\n        b 0 = win * a\n'
        "    typed\n        5"
    )
    path.write_text(text, encoding="utf-8")
    book = book_file.read(path, Options("formulas", "en"), filled=True)
    assert [15.0, "A=1"] == [book.values["S", "B5"], book.workbook["S"]["A4"].value]
    size = book_file.BookText.of(path).size("players")
    assert size is not None
    assert "pupils (all = 9)" == size.unit
    assert "Points (win=2)" in chain(*book.workbook["Start here"].values)


def test_a_round_longer_than_its_table_takes_no_time(tmp_path: Path) -> None:
    path = tmp_path / "our.book"
    text = 'book "B"\nsheet "S" unbroken:1048576 wall\n    table T rows:6\n        a 0 = 1'
    path.write_text(text, encoding="utf-8")
    sheet = book_file.read(path, Options("formulas", "en")).workbook["S"]
    assert 9 == max(sheet.row_dimensions)  # rows that nobody sees have no height


def test_a_cell_that_needs_itself_is_named(tmp_path: Path) -> None:
    path = tmp_path / "our.book"
    path.write_text(f"{START}        a 0 = SUM(T[a])", encoding="utf-8")
    with pytest.raises(BookError, match=r"its own value, S!A5 @ our\.book:4:9"):
        book_file.read(path, Options("formulas", "en")).finish()
    run = invoke("new", path, "-o", tmp_path / "our.xlsx")
    assert 1 == run.exit_code
    assert not (tmp_path / "our.xlsx").exists()


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    run = invoke("new", tmp_path / "none.book")
    assert 2 == run.exit_code
    assert "is no file" in run.output
