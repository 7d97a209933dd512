"""The linter finds what Excel would repair, and nothing in what the project writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import openpyxl
import pytest
from openpyxl.formatting.rule import FormulaRule
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.table import Table, TableColumn, TableFormula

from elo_xl.functions.catalogue import functions
from elo_xl.hosts import lambdas
from elo_xl.xlsx.accepted import ARGUMENTS, name_problems
from elo_xl.xlsx.in_place import read_parts, with_parts
from elo_xl.xlsx.package import package
from elo_xl.xlsx.spreadsheet import FUNCTIONS
from tests.support.levels import cases
from tests.support.lint import formula_problems, problems
from tests.support.once import ready_made, ready_made_file

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(("formula", "problem"), [
    ("=1+1", "it starts with ="),
    ("1+", "no formula"),
    ("NORM.S.DIST(A1,TRUE)", "NORM.S.DIST lacks the prefix _xlfn."),
    ("FILTER(A:A,B:B)", "FILTER lacks the prefix _xlfn._xlws."),
    ("_xlfn.FILTER(A:A,B:B)", "FILTER needs _xlfn._xlws."),
    ("_xlfn.SUM(A1)", "_xlfn.SUM: no function has this prefix and name"),
    ("_xlfn._xlws.SORTBY(A:A,B:B)", "_xlfn._xlws.SORTBY: no function has this prefix"),
    ("_xludf.ELO_NEW(1)", "_xludf.ELO_NEW: an unknown prefix"),
    ("FOO(1)", "FOO is neither a function nor a name of the workbook"),
    ("Rate*2", "Rate is not a name of the workbook"),
    ("LAMBDA(x,x)", "LAMBDA lacks the prefix _xlfn."),
    ("_xlfn.LAMBDA(x,x+1)", "_XLFN.LAMBDA binds x without a prefix"),
    ("_xlfn.LAMBDA([_xlpm.x],1)", "[_xlpm.x] is not a stored form"),
    ("_xlfn.LAMBDA(_xlop.x,_xlop.x)", "_xlop.x outside a parameter list"),
    ("_xlfn.LET(_xlop.x,1,2)", "_xlop.x outside a parameter list"),
    ("_xlfn.LET(_xlpm.x,1,_xlpm.y)", "_xlpm.y is not bound by LET or LAMBDA here"),
    ("_xlfn.LET(_xlpm.slope,_xlfn.LAMBDA(_xlpm.x,_xlpm.x),_xlpm.slope(1))",
     "_xlpm.slope is called by the name of a function that Excel has"),
    ("_xlfn.LET(_xlpm.x,_xlpm.x,1)", "_xlpm.x is not bound by LET or LAMBDA here"),
    ("_xlfn.LET(_xlpm.x,1)", "_XLFN.LET without a result"),
    ("_xlfn.LET(_xlpm.ra1,1,_xlpm.ra1)", "_xlpm.ra1 reads as a cell"),
    ("_xlfn.LAMBDA(_xlop.x,_xlpm.y,1)", "_xlpm.y is required, but follows an optional"),
    ("_xlfn.MAP(A1:A3,_xleta.ABS)", "_xleta.ABS: a function passed by its name"),
    ("T[@Elo]", "T[@Elo]: a file must have [[#This Row],[…]]"),
    ("SUM(A1#)", "# is not a stored form"),
    ("@A1:A3", "@ is not a stored form"),
    (f'"{"x" * 256}"', "a text of 256 characters"),
    ("+".join(["A1"] * 3000), "a formula of 8999 characters, Excel takes 8000"),
    ("ROUND(A1)", "ROUND has 1 argument, Excel takes 2"),
    ("MAX()", "MAX has 0 arguments, Excel takes 1"),
    ("_xlfn.NORM.S.DIST(A1)", "NORM.S.DIST has 1 argument, Excel takes 2"),
    ("PI(1)", "PI has 1 argument, Excel takes 0"),
    ("SUMIFS(A:A,B:B,1,C:C)", "SUMIFS has 4 arguments, Excel takes them in pairs"),
    ("SUM({1,{2,3}})", "an array constant with something else than constants"),
    ('A1&"_x0044_"', "a text with a sign as files write it: _x0044_"),
    (f"SUM({','.join(['1'] * 256)})", "SUM has 256 arguments"),
    ("ABS(" * 65 + "1" + ")" * 65, "65 nested calls"),
    ("INDEX({1,2,3},A1)", "INDEX of one row with one number"),
    ("SUM(INDEX($B2:$E2,3))", "INDEX of one row with one number"),
    ("INDEX(IF(A1,{1,2},{3,4}),2)", "INDEX of one row with one number"),
    ("SUM(INDEX(INDEX(B2:E9,A1,0),2))", "INDEX of one row with one number"),
    ("SUM({1,2;3})", "an array constant with rows of different lengths"),
])  # fmt: skip
def test_a_broken_formula_is_found(formula: str, problem: str) -> None:
    assert any(found.startswith(problem) for found in formula_problems(formula)), formula_problems(
        formula
    )


@pytest.mark.parametrize(
    "formula",
    [
        'IF(OR(B2="",C2=""),"",_xlfn.NORM.S.DIST((B2-C2)/(200*SQRT(2)),TRUE))',
        "_xlfn.LAMBDA(_xlpm.a,_xlop.b,_xlfn.LET(_xlpm.x,_xlpm.a,_xlpm.x+IF(_xlfn.ISOMITTED(_xlpm.b),1,2)))",
        "_xlfn.LET(_xlpm.f,_xlfn.LAMBDA(_xlpm.x,_xlpm.x),_xlpm.f(1))",
        "SUM(_xlfn.ANCHORARRAY(A1))+_xlfn.SINGLE(A1:A3)",
        "'LAMBDA(x)'!A1&\"FILTER(\"",
        "Sheet1!$1:$2,Sheet1!$A:$A",
        "INDEX({1,2,3},1,A1)+INDEX(B2:B9,A1)+INDEX(INDEX(B2:E9,0,A1),2)+INDEX({1;2},2)",
    ],
)
def test_a_sound_formula_has_no_problems(formula: str) -> None:
    assert formula_problems(formula) == []


@pytest.mark.parametrize(
    "formula",
    [
        'SUMPRODUCT(IF(A1:A3="",0,A1:A3))',
        "SUMPRODUCT(IFERROR(1/A1:A3,0))",
        "SUMPRODUCT(CHOOSE(A1:A3,1,2))",
    ],
)
def test_ranges_that_a_plain_cell_does_not_see(formula: str) -> None:
    assert formula_problems(formula) == []
    assert any("needs an array formula" in p for p in formula_problems(formula, plain=True))


def test_one_value_for_all_is_fine_in_a_plain_cell() -> None:
    formula = "SUMPRODUCT((A1:A3<>0)*MATCH(A1:A3,IF(B1<2650,{0,4},{0,4,11})))"
    assert formula_problems(formula, plain=True) == []


def test_names_of_one_row() -> None:
    def change(workbook: openpyxl.Workbook) -> None:
        for name, text in {"Row": "Sheet!$B$1:$E$1", "Column": "Sheet!$B$1:$B$9"}.items():
            workbook.defined_names[name] = DefinedName(name, attr_text=text)
        sheet = workbook["Sheet"]
        for i, formula in enumerate(("Row,2", "Row,1,2", "Column,2"), start=5):
            sheet[f"E{i}"] = f"=INDEX({formula})"

    (found,) = problems(book(change))
    assert found.startswith("INDEX of one row with one number")
    assert found.endswith("@ sheet1!E5")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "fault"),
    [
        ('SUMPRODUCT(IF(Points="",0,1))', "IF over a range"),
        ("SUMPRODUCT(IF(Sheet1!Points>0,1,0))", "IF over a range"),
        ("SUMPRODUCT(IFERROR(1/Points,0))", "IFERROR over a range"),
        ("INDEX(Names,MATCH(1,(Points=3)*(Names=A1),0))", "MATCH in values"),
        ("MATCH(1,(B1:B9=3)*(C1:C9=A1),0)", "MATCH in values"),
        ("MATCH(TRUE,ISNUMBER(Points),0)", "MATCH in values"),
        ("SUMPRODUCT(IF(Total>3,Points,0))", ""),
        ("SUMPRODUCT(IF(INDEX(Points,2)>3,1,0))", ""),
        ("SUMPRODUCT(MATCH(1,(Points=3)*(Names=A1),0))", ""),
        ("MATCH(1,INDEX((Points=3)*(Names=A1),0),0)", ""),
        ("MATCH(A1,Points,0)", ""),
        ("MATCH(A1,INDEX(Points,0),0)", ""),
        ("LOOKUP(2,1/(Points=3),Names)", ""),
    ],
)
def test_names_of_ranges_that_a_plain_cell_does_not_see(formula: str, fault: str) -> None:
    def change(workbook: openpyxl.Workbook) -> None:
        cells = {"Points": "Sheet!$B$1:$B$9", "Names": "Again", "Again": "Sheet!$C$1:$C$9"}
        for name, text in {**cells, "Total": "Sheet!$B$10"}.items():
            workbook.defined_names[name] = DefinedName(name, attr_text=text)
        workbook["Sheet"]["E1"] = f"={formula.replace('Sheet1!', 'Sheet!')}"

    found = [problem for problem in problems(book(change)) if "array formula" in problem]
    assert bool(fault) == bool(found), found
    assert all(problem.startswith(fault) for problem in found)


LONG = "&".join(f'"{"x" * 250}"' for _ in range(31))


@pytest.mark.slow
@pytest.mark.parametrize(("sound", "faulty", "problem"), [
    ("LOG10(A1)", "LOG11(A9)", "LOG11 is neither a function"),
    ("Total+A1", "Total2+A9", "Total2 is not a name"),
    ("A1+Sheet!$A$1", "A1+[1]Sheet!$A$1", "there is no link [1]"),
    (f'"{"x" * 254}9"', f'"{"x" * 254}10"', "a text of 256 characters"),
    ("&".join([LONG, *["A1"] * 40]), "&".join([LONG, *["A1000"] * 40]),
     "a formula of 8082 characters"),
])  # fmt: skip
def test_a_formula_that_differs_by_digits_is_read_again(
    sound: str, faulty: str, problem: str
) -> None:
    def change(workbook: openpyxl.Workbook) -> None:
        workbook.defined_names["Total"] = DefinedName("Total", attr_text="Sheet!$B$10")
        for row, formula in enumerate((sound, sound, faulty, sound, faulty), start=2):
            workbook["Sheet"][f"E{row}"] = f"={formula}"

    found = problems(book(change))
    assert [each.rpartition(" @ ")[2] for each in found] == ["sheet1!E4", "sheet1!E6"], found
    assert all(each.startswith(problem) for each in found), found


def test_circles_of_references() -> None:
    def change(workbook: openpyxl.Workbook) -> None:
        workbook.defined_names["Taken"] = DefinedName("Taken", attr_text="Sheet!$B$4:$B$6")
        sheet, other = workbook["Sheet"], workbook.create_sheet("Other one")
        sheet["B6"], other["A1"], other["A2"] = "='Other one'!A2", "=INDEX(Taken,2)", "=A1+1"
        sheet["B4"], sheet["D5"], sheet["E5"] = 3, "=B4+ROW(D5)+ROWS(D1:D9)", "=SUM(E4,E$5)"
        other["C1"] = ArrayFormula("C1:C3", "=C4:C6")
        other["C5"], other["C6"] = "=C7", "=C3"

    found = [each for each in problems(book(change)) if "circle" in each]
    assert found == [
        "a circle of references: Other one!A1 → Sheet!B6 → Other one!A2",
        "a circle of references: Other one!C1 → Other one!C6",
        "a circle of references: Sheet!E5",
    ]


def test_every_function_of_books_has_its_numbers_of_arguments() -> None:
    assert FUNCTIONS == ARGUMENTS.keys()


def test_names() -> None:
    assert name_problems("ELO_NEW") == []
    assert name_problems("ELO2024") == name_problems("R1C1") == ["it reads as a cell"]
    for name in ("1st", "a" * 256, "True"):
        assert name_problems(name) == ["it is no name"]


def book(change: Callable[[openpyxl.Workbook], None] | None = None) -> bytes:
    """A small workbook that calls a name, with the names in it."""
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    sheet["A1"], sheet["B1"] = 1800, 1900
    sheet["C1"], sheet["D1"] = "=ELO_EXPECTED(A1,B1)", "=A1*2"
    if change:
        change(workbook)
    return lambdas.put_into(package(workbook, {}))


def edited(content: bytes, part: str, old: str, new: str) -> bytes:
    text = read_parts(content)[part].decode()
    assert old in text
    return with_parts(content, {part: text.replace(old, new).encode()})


SHEET, BOOK = "xl/worksheets/sheet1.xml", "xl/workbook.xml"


@pytest.mark.slow
def test_a_sound_workbook_has_no_problems(tmp_path: Path) -> None:
    assert problems(book()) == []
    path = tmp_path / "book.xlsx"
    path.write_bytes(book())
    assert problems(path) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "old", "new", "problem"),
    [
        (BOOK, ' fullCalcOnLoad="1"', "", "fullCalcOnLoad is missing"),
        (SHEET, ' cm="1"', "", "an array formula of one cell without cm: it would never spill"),
        (SHEET, ' cm="1"', ' cm="2"', "cm=2 has no record in the metadata @ sheet1!C1"),
        (SHEET, ' t="array" ref="C1"', "", "a LAMBDA name called in a plain cell"),
        (SHEET, "<f>A1*2</f>", "<f>A1*2</f><v></v>", "an empty value beside the formula"),
        (SHEET, "<f>A1*2</f>", "<f>PHI(A1)</f>", "PHI lacks the prefix _xlfn. @ sheet1!D1"),
        (BOOK, 'name="ELO_NEW"', 'name="ELO1"', "it reads as a cell @ name ELO1"),
        (BOOK, 'name="ELO_NEW"', 'name="ELO_K"', "it occurs twice @ name ELO_K"),
        (BOOK, 'comment="New rating', 'comment="' + "x" * 250, "its comment has "),
        (BOOK, "_xlop.rules", "[_xlpm.rules]", "[_xlpm.rules] is not a stored form"),
        ("[Content_Types].xml", "sheetMetadata+xml", "other+xml", "its content type is missing"),
        ("xl/_rels/workbook.xml.rels", "/sheetMetadata", "/x", "its relationship is missing"),
    ],
)
def test_a_broken_workbook_is_found(part: str, old: str, new: str, problem: str) -> None:
    content = edited(book(), part, old, new)
    assert any(problem in found for found in problems(content)), problems(content)


@pytest.mark.slow
def test_tables_and_rules_are_looked_at() -> None:
    def change(workbook: openpyxl.Workbook) -> None:
        sheet = workbook.worksheets[0]
        for row in (("Elo", "New"), (1800, "=ELO_NEW(A4,20,1,0.5)")):
            sheet.append(row)
        table = Table(displayName="Games", ref="A2:B3")
        formula = TableFormula(attr_text="ELO_NEW(Games[[#This Row],[Elo]],20,1,0.5)")
        table.tableColumns = [
            TableColumn(id=1, name="Elo"),
            TableColumn(id=2, name="New", calculatedColumnFormula=formula),
        ]
        sheet.add_table(table)
        sheet.conditional_formatting.add("A1", FormulaRule(formula=["PHI(A1)>0"]))
        sheet.conditional_formatting.add("A2", FormulaRule(formula=["Other!A1>0"]))
        sheet.conditional_formatting.add("A3", FormulaRule(formula=['A1="!"']))
        workbook.defined_names["Games"] = DefinedName("Games", attr_text="Sheet!$A$1")

    content = book(change)
    found = problems(content)
    assert [f for f in found if "table" in f] == ["a table has the same name @ name Games"]
    assert any("PHI lacks the prefix _xlfn. @ sheet1, a rule" in f for f in found)
    assert found.count("the rule of a colour reads another sheet @ sheet1") == 1
    content = edited(content, "xl/tables/table1.xml", ' array="1"', "")
    assert any("called without array=1 @ table Games" in f for f in problems(content))


@pytest.mark.slow
def test_an_array_formula_over_several_cells_is_sound() -> None:
    def change(workbook: openpyxl.Workbook) -> None:
        workbook.worksheets[0]["A5"] = ArrayFormula("A5:C5", "=ELO_OUTCOMES(A1,B1)")

    assert problems(book(change)) == []


@pytest.mark.slow
def test_command(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(edited(book(), SHEET, "<f>A1*2</f>", "<f>PHI(A1)</f>"))
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.lint", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == f"{path}: PHI lacks the prefix _xlfn. @ sheet1!D1\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", cases(sorted(ready_made()), test=("k-and-first-rating.xlsx",)))
def test_the_ready_made_workbooks_are_sound(name: str) -> None:
    ours = [*functions(), *(f"_xldudf_{name}" for name in functions())]
    assert problems(ready_made_file(name).file, ours) == []


def test_functions_of_an_add_in_have_to_be_named() -> None:
    workbook = openpyxl.Workbook()
    workbook.worksheets[0]["A1"] = ArrayFormula("A1", "=ELO_NEW(1,2,3,4)")
    content = package(workbook, {})
    assert problems(content, ["ELO_NEW"]) == []
    assert problems(content) == [
        "ELO_NEW is neither a function nor a name of the workbook @ sheet1!A1"
    ]
