"""What formulas give: the evaluator beside programs that are not ours."""

from __future__ import annotations

import io
import math
from datetime import date
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.table import Table

import elo_xl
from elo_xl.engine.arrays import round_half_away
from elo_xl.xlsx.cell_xml import PlainText
from elo_xl.xlsx.evaluate import ArrayBlock, CircularError, Error, Filled, Workbook
from elo_xl.xlsx.fill import Filler, filled
from elo_xl.xlsx.formula import parse, to_text
from elo_xl.xlsx.package import package
from elo_xl.xlsx.spreadsheet.compiling import OF_VALUES
from elo_xl.xlsx.spreadsheet.lazy_functions import LAZY
from elo_xl.xlsx.spreadsheet.range_functions import OF_RANGES
from elo_xl.xlsx.spreadsheet.values import rounded, shown
from tests.support.openpyxl_book import of_openpyxl
from tests.support.spreadsheet_cases import CASES, DIFFERENT, book

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.calc import Calc

FORMULAS = tuple(dict.fromkeys(formula for group in CASES.values() for formula in group))

#: LibreOffice writes its own errors of arguments into .xlsx files as #VALUE!.
ALIKE = {"#NUM!": "#VALUE!"}


def same(ours: Any, theirs: Any) -> bool:
    if theirs is None:
        return ours in ("", None)
    if isinstance(ours, str):
        return isinstance(theirs, str) and ALIKE.get(ours, ours) == ALIKE.get(theirs, theirs)
    if isinstance(theirs, str):
        return False
    return math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-12)


def value(formula: str, **cells: Any) -> Any:
    """A formula's value beside a few cells."""
    sheet = {
        (int(at[1:]), ord(at[0]) - 64): Filled(parse(v[1:])) if str(v)[:1] == "=" else v
        for at, v in cells.items()
    }
    return Workbook({"S": sheet}).evaluate(parse(formula), "S", 9, 9)


# Beside other programs


def test_libreoffice_gives_the_same(calc: Calc, tmp_path: Path) -> None:
    rows = dict(enumerate([*FORMULAS, *DIFFERENT], start=1))
    made = book(rows)
    made.save(tmp_path / "formulas.xlsx")
    theirs = calc.recalculate(tmp_path / "formulas.xlsx")["Formulas"]
    ours = of_openpyxl(made)
    wrong = {}
    for row, formula in rows.items():
        found, calculated = ours.value("Formulas", row, 1), theirs.get(f"A{row}")
        excel, other = DIFFERENT.get(formula, (calculated, calculated))
        if not (same(found, excel) and same(other, calculated)):
            wrong[formula] = found, calculated
    assert not wrong


def test_every_function_is_compared() -> None:
    called = " ".join(FORMULAS).replace("_xlfn.", "")
    names = OF_VALUES.keys() | OF_RANGES.keys() | LAZY.keys()
    assert sorted(name for name in names if f"{name}(" not in called) == []


# Cells


def test_a_filled_formula_moves_with_its_cell() -> None:
    tree = parse("A1*$A$1+ROW()")
    sheet: dict[tuple[int, int], Any] = {(i, 1): float(i) for i in range(1, 6)}
    sheet |= {(i, 2): Filled(tree, i - 1) for i in range(1, 6)}
    values = Workbook({"S": sheet}).values("S")
    assert values == {(i, 2): 2.0 * i for i in range(1, 6)}


def test_to_the_right_too() -> None:
    sheet: dict[tuple[int, int], Any] = {(1, 1): 1.0, (1, 2): 2.0}
    sheet |= {(2, 1 + i): Filled(parse("A1"), right=i) for i in range(2)}
    assert Workbook({"S": sheet}).value("S", 2, 2) == 2.0


def test_one_tree_at_two_places_knows_where_it_stands() -> None:
    here = Filled(parse("ROW()"))
    assert Workbook({"S": {(3, 1): here, (7, 1): here}}).values("S") == {(3, 1): 3.0, (7, 1): 7.0}


def test_a_formula_that_gives_a_blank_shows_0() -> None:
    workbook = Workbook({"S": {(1, 2): Filled(parse("A1"))}})
    assert workbook.value("S", 1, 2) == 0.0
    assert workbook.value("S", 1, 1) is None


def test_an_array_formula_fills_its_cells() -> None:
    block = ArrayBlock(parse("A1:A3*2"), 1, 2, 4, 1)
    sheet: dict[tuple[int, int], Any] = {(i, 1): float(i) for i in range(1, 4)}
    sheet |= {(i, 2): block for i in range(1, 5)}
    values = Workbook({"S": sheet}).values("S")
    assert list(values.values()) == [2.0, 4.0, 6.0, Error("#N/A")]


def test_a_chain_of_thousands_of_cells() -> None:
    tree = parse('IF(B2="","",IFERROR(A1+B2,0))')
    sheet: dict[tuple[int, int], Any] = {(1, 1): 0.0}
    for row in range(2, 3002):
        sheet |= {(row, 1): Filled(tree, row - 2), (row, 2): 1.0}
    assert Workbook({"S": sheet}).value("S", 3001, 1) == 3000.0


@pytest.mark.parametrize("length", [1, 2, 1000])
def test_a_circle_is_named(length: int) -> None:
    sheet: dict[tuple[int, int], Any] = {
        (i, 1): Filled(parse("A2"), i - 1) for i in range(1, length)
    }
    sheet[length, 1] = Filled(parse("A1"))
    with pytest.raises(CircularError, match=r"S!A\d+"):
        Workbook({"S": sheet}).value("S", 1, 1)


def test_a_column_may_be_read_by_its_own_cells() -> None:
    sheet = {(i, 3): Filled(parse("INDEX($C:$C,ROW()-1)+1")) for i in range(2, 50)}
    assert Workbook({"S": {(1, 3): 5.0, **sheet}}).value("S", 49, 3) == 53.0


def test_the_rule_of_a_mark_is_seen_from_each_cell() -> None:
    workbook = Workbook({"S": {(1, 1): 1.0, (2, 1): -1.0}})
    rule = parse("$A1<0")
    assert [workbook.evaluate(rule, "S", 1, 2, down) for down in (0, 1)] == [False, True]


def test_titles_and_names_in_any_case() -> None:
    workbook = Workbook(
        {"My sheet": {(1, 1): 4.0}}, {"Points": "'my SHEET'!$A$1", "Loop": "Loop+1"}
    )
    assert workbook.evaluate(parse("POINTS+'my sheet'!A1"), "My Sheet", 5, 5) == 8.0
    assert workbook.evaluate(parse("Loop"), "My sheet", 5, 5) == Error("#NAME?")
    assert workbook.evaluate(parse("Other!A1"), "My sheet", 5, 5) == Error("#REF!")


def test_functions_of_the_caller() -> None:
    seen: list[Any] = []

    def own(*arguments: Any) -> Any:
        seen.extend(arguments)
        return [["#N/A", 1], [True, "x"]]

    workbook = Workbook({"S": {(1, 1): 1.0, (2, 1): "a"}}, functions={"OWN": own}.get)
    found = workbook.evaluate(parse("OWN(A1,A1:A3,,{1,2})"), "S", 9, 9)
    assert seen == [1.0, [[1.0], ["a"], [None]], None, [[1.0, 2.0]]]
    assert found == [[Error("#N/A"), 1.0], [True, "x"]]
    assert isinstance(found, list)
    assert isinstance(found[0][0], Error)


def test_our_functions_in_an_array_formula() -> None:
    functions = {"ELO_EXPECTED": lambda *a: elo_xl.worksheet("ELO_EXPECTED", *a)}
    block = ArrayBlock(parse("ELO_EXPECTED(A1:A2,1800)"), 1, 2, 2, 1)
    sheet = {(1, 1): 1800.0, (2, 1): None, (1, 2): block, (2, 2): block}
    assert list(Workbook({"S": sheet}, functions=functions.get).values("S").values()) == [0.5, ""]


def test_a_workbook_of_openpyxl() -> None:
    made = openpyxl.Workbook()
    sheet = made.worksheets[0]
    rows: list[tuple[Any, ...]] = [("Name", "Elo"), ("Anna", 1800), ("Bo", 1900)]
    for row in (*rows, (date(2024, 1, 1), "#N/A")):
        sheet.append(row)
    sheet.add_table(Table(displayName="Players", ref="A1:B3"))
    sheet["D1"] = "=SUM(Players[Elo])"
    sheet["D2"] = "=A4"
    sheet["D3"] = "=B4"
    sheet["E1"] = ArrayFormula("E1:E2", "=B2:B3+1")
    buffer = io.BytesIO()
    made.save(buffer)
    values = of_openpyxl(openpyxl.load_workbook(buffer)).values("Sheet")
    assert [values[at] for at in sorted(values)] == [3700.0, 1801.0, 45292.0, 1901.0, Error("#N/A")]


def test_errors_and_texts_that_read_like_them_are_stored_as_what_they_are() -> None:
    made = openpyxl.Workbook()
    sheet = made.worksheets[0]
    sheet["A1"], sheet["A2"] = "=NA()", '="#N/"&"A"'
    found = {f"A{row}": value for (row, _), value in of_openpyxl(made).values("Sheet").items()}
    stored = {("Sheet", at): v if isinstance(v, Error) else PlainText(v) for at, v in found.items()}
    read = openpyxl.load_workbook(io.BytesIO(package(made, stored)), data_only=True)["Sheet"]
    assert [(cell.value, cell.data_type) for cell in read["A"]] == [("#N/A", "e"), ("#N/A", "s")]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ('CHOOSE(1,"a","b")', "a"),
        ("VAR.S(A1:A3)", 1.0),
        ("BINOM.DIST(0,5,0,FALSE)", 1.0),
        ("LOG(8,2)", 3.0),
        ('TEXT(-3,"0")', "-3"),
        ('TEXT(0.5,"0%")', "50%"),
        ('TEXT(0,"0;;")&TEXT(12,"0;;")', "12"),
        ("MATCH(2,A1:A3,1)", 2.0),
        ("MATCH(TRUE,A4:A6,0)", 1.0),
        ("A9=FALSE", True),
        ('COUNTIF(A1:A9,"<>")', 7.0),
        ('COUNTIF(A1:A9,">=b")', 1.0),
        ("COUNTIF(A1:A9,1)+10*COUNTIF(A1:A9,TRUE)", 21.0),
    ],
)
def test_small_formulas_as_in_every_spreadsheet(formula: str, expected: float | str) -> None:
    cells = {"A1": 1.0, "A2": 2.0, "A3": 3.0, "A4": True, "A5": "a", "A6": "b", "A7": True}
    assert value(formula, **cells) == expected


# Numbers


def test_sums_go_from_left_to_right() -> None:
    numbers = [0.1] * 10 + [1e16, 1.0, -1e16]
    expected = 0.0
    for number in numbers:
        expected += number
    cells = {f"A{i}": number for i, number in enumerate(numbers, start=1)}
    assert value("SUM(A1:A13)", **cells) == expected
    assert value("SUMPRODUCT(A1:A13,A1:A13^0)", **cells) == expected
    assert value('SUMIF(A1:A13,"<>x")', **cells) == expected


@given(st.floats(-1e6, 1e6) | st.integers(-(10**7), 10**7).map(lambda k: k / 8))
def test_halves_go_away_from_zero_as_in_the_engine(number: float) -> None:
    assert rounded(number) == round_half_away(number)


@given(st.floats(-1e300, 1e300))
def test_15_digits_are_shown(number: float) -> None:
    assert math.isclose(float(shown(number)), number, rel_tol=1e-14)


# Texts of filled formulas


@pytest.mark.parametrize("formula", FORMULAS[::7])
def test_a_filler_writes_what_filled_gives(formula: str) -> None:
    tree = parse(formula)
    filler = Filler(tree)
    for down, right in ((0, 0), (5, 0), (3, 2), (-1, 0), (0, 30_000), (2_000_000, 0)):
        assert filler.text(down, right) == to_text(filled(tree, down, right))


def test_a_reference_that_leaves_the_sheet() -> None:
    assert to_text(filled(parse("A1+B$2"), -1)) == "#REF!+B$2"
