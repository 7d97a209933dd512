"""Calls as Excel, xlwings Lite and LibreOffice store them; a workbook has one form at a time."""

from __future__ import annotations

import io
import itertools
import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from openpyxl.workbook.defined_name import DefinedName

from elo_xl.books import flavours
from elo_xl.functions.calls import unlinked
from elo_xl.functions.catalogue import functions
from elo_xl.functions.native import is_lambda_of_ours, lambda_names, lambda_stored
from elo_xl.hosts import addin_link, excel_addin, xlwings_lite
from elo_xl.xlsx.in_place import WorkbookError, formulas, read_parts, with_parts
from elo_xl.xlsx.links import Link, links, renumbered
from elo_xl.xlsx.opc import unzipped
from elo_xl.xlsx.package import package
from tests.support import package_rules
from tests.support.command import invoke
from tests.support.lint import problems
from tests.support.saved_by_excel import BOOK, IN_START_FOLDER, OTHER_PLACES, SHEET, saved_by_excel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.calc import Calc

FORMS = ("lambda", "addin", "lite")
STORED = {"lambda": "{}", "addin": "[2]!{}", "lite": "_xldudf_{}", "plain": "{}"}
TO_RATES = Link("xl/externalLinks/externalLink2.xml", "rates.xlsx")


def own_formulas(content: bytes) -> list[str]:
    """All formulas of a workbook but our definitions."""
    found = formulas(read_parts(content), b"")
    return [formula for formula in found if not is_lambda_of_ours(formula)]


def expected_formulas(form: str) -> list[str]:
    """What the formulas that Excel saved become; the other link is the first now."""
    ours = STORED[form]
    return [f'{ours.format("ELO_K")}(A1,40)&"[2]!"', "[1]Sheet1!$A$1+'[1]My sheet'!B2",
            f"SUM([1]!Rate,{ours.format('ELO_K')}(B1))", f"{ours.format('ELO_EXPECTED')}(A1,B1)",
            f"{ours.format('ELO_K')}(T[[#This Row],[rating]])+SUM(T[2024])",
            f"{ours.format('ELO_OUTCOMES')}(A1,B1)", "mine>10", "far>1",
            f"{ours.format('ELO_K')}(T[[#This Row],[rating]])+SUM(T[2024])", "[1]Sheet1!$A$1:$A$2",
            f"{ours.format('ELO_K')}(Club!$A$1)", "[1]!Rate+[1]!ELO_K(1)"]  # fmt: skip


def check(content: bytes, form: str) -> None:
    assert sorted(expected_formulas(form)) == sorted(own_formulas(content))
    assert package_rules.problems(content) == []
    wanted = set(functions()) if form == "plain" else set()
    # the name "far" calls a function of the other file that is called like one of ours
    assert [line for line in problems(content, wanted) if not line.endswith("@ name far")] == []
    parts = read_parts(content)
    ours = [Link("xl/externalLinks/externalLink1.xml", "elo_xl.xlam")] if form == "addin" else []
    assert [TO_RATES, *ours] == links(parts)
    assert b'macro="[1]!Go"' in parts["xl/drawings/drawing1.xml"]
    assert (form == "lite") == bool(xlwings_lite.code(content))
    there = set(re.findall(rb'definedName name="(ELO_\w+)"', parts[BOOK]))
    assert {name.encode() for name in lambda_names() if form == "lambda"} == there


def test_the_workbook_is_as_excel_would_have_it() -> None:
    content = saved_by_excel()
    assert package_rules.problems(content) == []
    assert problems(content) == []


@pytest.mark.parametrize("place", [IN_START_FOLDER, *OTHER_PLACES])
def test_calls_that_excel_stored_become_plain(place: tuple[str, str]) -> None:
    made = flavours.plain(saved_by_excel(place))
    check(made, "plain")
    assert flavours.plain(made) is made


@pytest.mark.slow
@pytest.mark.parametrize("way", list(itertools.permutations(FORMS)))
def test_from_form_to_form(way: tuple[str, ...]) -> None:
    content = saved_by_excel()
    for form in (*way, way[0]):
        content = flavours.put_into(content, form)
        check(content, form)
        assert content == flavours.put_into(content, form)
    check(flavours.take_out(content, way[0]), "plain")
    check(flavours.plain(content), "plain")


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_taking_out_a_form_that_is_not_there_changes_nothing(form: str) -> None:
    for other in (*FORMS, "plain"):
        if other != form:
            content = flavours.plain(saved_by_excel())
            content = content if other == "plain" else flavours.put_into(content, other)
            assert content is flavours.take_out(content, form)


def test_cells_spill_as_before() -> None:
    cells = read_parts(flavours.put_into(saved_by_excel(), "lambda"))[SHEET].decode()
    for cell in (
        '<c r="D2" cm="1"><f t="array" ref="D2">ELO_EXPECTED(A1,B1)</f><v>0</v></c>',
        '<c r="A4" cm="1"><f t="array" ref="A4:C4">ELO_OUTCOMES(A1,B1)</f><v>0</v></c>',
        '<c r="G2" cm="1"><f t="array" ref="G2">ELO_K(T[[#This Row],[rating]])+SUM(T[2024])</f>',
    ):
        assert cell in cells


def test_a_link_to_which_something_refers_stays() -> None:
    content = saved_by_excel()
    sheet = read_parts(content)[SHEET]
    sheet = sheet.replace(b"SUM([2]!Rate", b"SUM([1]elo_xl.conf!$A$1,[2]!Rate")
    made = flavours.plain(with_parts(content, {SHEET: sheet}))
    assert [link.target for link in links(read_parts(made))] == ["elo_xl.xlam", "rates.xlsx"]
    assert "SUM([1]elo_xl.conf!$A$1,[2]!Rate,ELO_K(B1))" in own_formulas(made)


def test_older_shapes_refer_to_links_too() -> None:
    content = saved_by_excel()
    drawing = b"<x:FmlaMacro>[2]!Go</x:FmlaMacro><x:FmlaLink>[2]A&amp;B!$A$1</x:FmlaLink><br>"
    made = flavours.plain(with_parts(content, {"xl/drawings/vmlDrawing1.vml": drawing}))
    assert drawing.replace(b"[2]", b"[1]") == read_parts(made)["xl/drawings/vmlDrawing1.vml"]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("[1]!ELO_K(A1)", "ELO_K(A1)"),
        ("[0]!elo_k(A1)", "ELO_K(A1)"),
        ("[7]!ELO_K(A1)", "ELO_K(A1)"),
        ("[2]!ELO_K(A1)", "[2]!ELO_K(A1)"),
        (r"'C:\a''s\elo_xl.xlam'!ELO_K(A1)", "ELO_K(A1)"),
        (r"'C:\x\ELO_XL (2).xlsm'!ELO_K([1]!ELO_K(A1))", "ELO_K(ELO_K(A1))"),
        ("elo_xl.xlam!ELO_K(A1)", "ELO_K(A1)"),
        ("other.xlam!ELO_K(A1)", "other.xlam!ELO_K(A1)"),
        (r"'C:\elo_xl.xlam\other.xlam'!ELO_K(A1)", r"'C:\elo_xl.xlam\other.xlam'!ELO_K(A1)"),
        ("Sheet1!ELO_K(A1)", "Sheet1!ELO_K(A1)"),
        ("'[2]S'!ELO_K(A1)", "'[2]S'!ELO_K(A1)"),
        ('"[1]!ELO_K("&[2]!MY_ELO_K(A1)', '"[1]!ELO_K("&[2]!MY_ELO_K(A1)'),
    ],
)
def test_which_calls_are_ours(formula: str, expected: str) -> None:
    content = saved_by_excel()
    book = read_parts(content)[BOOK].replace(b"[1]!ELO_K(Club!$A$1)", escaped(formula))
    found = own_formulas(addin_link.take_out(with_parts(content, {BOOK: book})))
    assert renumbered(expected, lambda n: max(n - 1, 0)) in found


def escaped(formula: str) -> bytes:
    return formula.replace("&", "&amp;").encode()


@given(st.text(st.sampled_from("ELO_K(\"'[]!&1")))
def test_texts_stay(formula: str) -> None:
    quoted = '"' + formula.replace('"', '""') + '"'
    assert quoted == unlinked(quoted, bool) == renumbered(quoted, lambda n: n + 1)
    assert formula == renumbered(formula, lambda n: n)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("[2]A!B1:[2]A!B9", "[1]A!B1:[1]A!B9"),
        ("SUM('[2]it''s [3]'!A1,[3]!F('[2]b'!A1))", "SUM('[1]it''s [3]'!A1,[2]!F('[1]b'!A1))"),
        ("T[[#This Row],[2]]+T[2]+'[2]B'!A1", "T[[#This Row],[2]]+T[2]+'[1]B'!A1"),
        ("[2]!T[2]+INDEX(A1,2)", "[1]!T[2]+INDEX(A1,2)"),
        ("'it''s [2]'!A1&\"[2]\"", "'it''s [2]'!A1&\"[2]\""),
        ("[12]A:B!C1", "[11]A:B!C1"),
    ],
)
def test_renumbered(formula: str, expected: str) -> None:
    assert expected == renumbered(formula, lambda n: n - 1)


def test_a_link_names_the_add_in_s_sheets(tmp_path: Path) -> None:
    built = openpyxl.load_workbook(
        io.BytesIO(with_macros_readable(excel_addin.build(tmp_path).read_bytes()))
    )
    assert built.sheetnames == list(addin_link.SHEETS)


def with_macros_readable(content: bytes) -> bytes:
    """An .xlam that openpyxl takes for an .xlsm."""
    types = unzipped(content)["[Content_Types].xml"].replace(
        b"excel.addin.macro", b"excel.sheet.macro"
    )
    return with_parts(content, {"[Content_Types].xml": types})


# --- names of others -------------------------------------------------------------------------


def test_every_definition_is_known_as_ours() -> None:
    for name in lambda_names():
        assert is_lambda_of_ours(lambda_stored(name))
        assert is_lambda_of_ours(lambda_stored(name).replace(",", ", ").replace("(", "(\n  "))


def theirs(definition: str) -> bytes:
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = "=elo_k(5)"
    book.defined_names["Elo_K"] = DefinedName("Elo_K", attr_text=definition)
    return package(book, {})


OTHERS = (
    "_xlfn.LAMBDA(_xlpm.x,_xlpm.x+1)",
    "_xlfn.LAMBDA(_xlpm.rating,_xlop.games,_xlfn.LET(_xlpm.k,20,_xlpm.k*_xlpm.rating))",
    "Sheet!$A$1",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("definition", OTHERS)
def test_a_name_of_somebody_s_own_is_refused(definition: str, form: str) -> None:
    with pytest.raises(
        WorkbookError, match=re.escape(f"Elo_K means something else here: {definition[:9]}")
    ):
        flavours.put_into(theirs(definition), form)


def test_a_name_may_stand_for_a_function_that_has_no_lambda() -> None:
    content = saved_by_excel()
    book = read_parts(content)[BOOK].replace(b'name="far"', b'name="ELO_LIST"')
    content = with_parts(content, {BOOK: book})
    assert b'name="ELO_LIST"' in read_parts(flavours.put_into(content, "lambda"))[BOOK]
    with pytest.raises(WorkbookError, match="ELO_LIST means something else here"):
        flavours.put_into(content, "lite")


@pytest.mark.parametrize("definition", OTHERS)
def test_a_name_of_somebody_s_own_is_not_removed(definition: str) -> None:
    content = theirs(definition)
    assert content is flavours.plain(content)


# --- what a removal restores ------------------------------------------------------------------


def canonical(content: bytes) -> Iterator[tuple[str, bytes]]:
    for name, part in read_parts(content).items():
        is_xml = name.endswith((".xml", ".rels"))
        yield name, etree.tostring(etree.fromstring(part), method="c14n") if is_xml else part


def without_calls() -> bytes:
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = "=SUM(1,2)"
    content = package(book, {})
    part = re.sub(b"<(calcPr|definedNames)[^>]*/>", b"", read_parts(content)[BOOK])
    return with_parts(content, {BOOK: part})


@pytest.mark.parametrize("form", FORMS)
def test_a_workbook_without_calls_is_restored(form: str) -> None:
    content = without_calls()
    assert dict(canonical(flavours.take_out(flavours.put_into(content, form), form))) == dict(
        canonical(content)
    )


def test_a_workbook_with_calls_is_computed_anew() -> None:
    content = without_calls()
    sheet = read_parts(content)[SHEET].replace(b"SUM(1,2)", b"ELO_K(1,2)")
    made = flavours.put_into(with_parts(content, {SHEET: sheet}), "lambda")
    assert b'<calcPr fullCalcOnLoad="1"/>' in read_parts(made)[BOOK]


# --- files that are refused, and the linter ---------------------------------------------------


def strict() -> bytes:
    """A workbook with the names of a Strict one."""
    content = without_calls()
    changed = {
        name: part.replace(
            b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
            b"http://purl.oclc.org/ooxml/spreadsheetml/main",
        )
        for name, part in read_parts(content).items()
    }
    return with_parts(content, changed)


@pytest.mark.parametrize(
    "command",
    [
        ["addin", "native", "book.xlsx"],
        ["addin", "native", "book.xlsx", "--remove"],
        ["addin", "lite", "book.xlsx"],
        ["addin", "libreoffice", "--convert", "book.xlsx"],
        ["new", "round-robin", "--from", "book.xlsx"],
    ],
)
def test_a_strict_workbook_is_refused(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("book.xlsx").write_bytes(strict())
    done = invoke(*command)
    assert done.exit_code == 1
    assert done.output == (
        "error: book.xlsx: it is a Strict Open XML Spreadsheet: "
        "in Excel, save it as Excel Workbook (.xlsx) first\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["book.xlsx"]


@pytest.mark.slow
@pytest.mark.parametrize(("form", "old", "new", "problem"), [
    ("lambda", b"ELO_K(A1", b"[1]!ELO_K(A1", "[1]!ELO_K calls an add-in, but ELO_K is a name of"),
    ("lambda", b"ELO_K(A1", b"_xldudf_ELO_K(A1", "_xldudf_ELO_K calls an add-in, but ELO_K is"),
    ("addin", b"[2]!ELO_K(A1", b"[3]!ELO_K(A1", "there is no link [3] @ sheet1!D1"),
    ("addin", b"[2]!ELO_K(A1", b"_xldudf_ELO_K(A1", "calls an Office add-in, but the workbook"),
    ("addin", b"mine&gt;10", b"[2]!ELO_K(A1)&gt;10", "a rule refers to another file @ sheet1"),
])  # fmt: skip
def test_lint_finds_calls_in_the_wrong_form(
    form: str, old: bytes, new: bytes, problem: str
) -> None:
    content = flavours.put_into(saved_by_excel(), form)
    sheet = read_parts(content)[SHEET]
    assert old in sheet
    found = problems(with_parts(content, {SHEET: sheet.replace(old, new)}))
    assert [line for line in found if problem in line] != []


def test_libreoffice_reads_the_other_link(calc: Calc, tmp_path: Path) -> None:
    for name, content in (("saved", saved_by_excel()), ("plain", flavours.plain(saved_by_excel()))):
        (tmp_path / f"{name}.xlsx").write_bytes(content)
        written = calc.convert(tmp_path / f"{name}.xlsx", "fods").read_text(encoding="utf-8")
        both = (
            r"=\['[^']*/rates\.xlsx'#\$Sheet1\.\$A\$1\]\+\['[^']*/rates\.xlsx'#\$'My sheet'\.B2\]"
        )
        assert re.search(both, unescape(written))
        assert ("[1]!elo_k(" in written) == (name == "saved")
