"""The names go into a workbook and come out again; nothing else in it changes."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula

from elo_xl.books.examples import files
from elo_xl.functions.catalogue import functions
from elo_xl.functions.cells import to_formula
from elo_xl.functions.native import lambda_names, lambda_stored, lambda_text
from elo_xl.hosts import lambdas
from elo_xl.xlsx.in_place import read_parts, with_parts
from elo_xl.xlsx.package import package
from elo_xl.xlsx.stored import stored
from tests.support.command import invoke
from tests.support.lint import problems
from tests.support.native_host import computed, same

if TYPE_CHECKING:
    from pathlib import Path

BOOK, SHEET = "xl/workbook.xml", "xl/worksheets/sheet1.xml"


def workbook(**cells: Any) -> bytes:
    """A workbook as somebody else's program writes it, with a second sheet, a name and a chart."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for where, value in {"A1": 1800, "B1": 1900, **cells}.items():
        sheet[where] = value
    other = book.create_sheet("Notes")
    other["A1"] = "ELO_NEW( is only a text here"
    other["A2"] = '="ELO_NEW("&"1)"'
    book.defined_names["Ace"] = DefinedName("Ace", attr_text="Notes!$A$2")
    book.defined_names["Zoo"] = DefinedName("Zoo", attr_text="Notes!$A$1")
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def names_of(content: bytes) -> list[str]:
    return re.findall(r'<definedName name="([^"]+)"', read_parts(content)[BOOK].decode())


@pytest.mark.slow
def test_names_are_added_sorted_with_their_help() -> None:
    content = lambdas.put_into(workbook())
    assert names_of(content) == ["Ace", *sorted(lambda_names()), "Zoo"]
    book = openpyxl.load_workbook(io.BytesIO(content))
    for name in lambda_names():
        assert book.defined_names[name].attr_text == lambda_stored(name)
        assert book.defined_names[name].comment == functions()[name].help


def test_other_parts_stay_byte_for_byte() -> None:
    before = workbook()
    after = lambdas.put_into(before)
    one, two = read_parts(before), read_parts(after)
    assert [name for name in one if one[name] != two[name]] == [BOOK]
    assert list(one) == list(two)
    with zipfile.ZipFile(io.BytesIO(before)) as old, zipfile.ZipFile(io.BytesIO(after)) as new:
        for entry in new.infolist():
            assert entry.date_time == old.getinfo(entry.filename).date_time
            assert entry.compress_type == old.getinfo(entry.filename).compress_type


def test_adding_twice_changes_nothing_more() -> None:
    once = lambdas.put_into(workbook(C1="=ELO_NEW(A1,20,1,0.5)"))
    assert lambdas.put_into(once) == once
    assert lambdas.put_into(lambdas.take_out(once)) == once


def test_an_older_version_is_replaced() -> None:
    content = lambdas.put_into(workbook())
    old = read_parts(content)[BOOK].decode().replace("/400)", "/401)")
    assert lambdas.put_into(with_parts(content, {BOOK: old.encode()})) == content


@pytest.mark.slow
def test_cells_that_call_a_name_become_dynamic() -> None:
    content = lambdas.put_into(
        workbook(
            C1="=ELO_OUTCOMES(A1,B1)",
            C2="=ROUND(elo_expected(A1,B1),2)",
            C3="=A1*2",
            C4='="ELO_NEW("&A1',
        )
    )
    sheet = read_parts(content)[SHEET].decode()
    assert '<c r="C1" cm="1"><f t="array" ref="C1">ELO_OUTCOMES(A1,B1)</f></c>' in sheet
    assert '<c r="C2" cm="1"><f t="array" ref="C2">ROUND(elo_expected(A1,B1),2)</f>' in sheet
    assert sheet.count("cm=") == 2
    assert [p for p in problems(content) if "empty value" not in p] == []


def test_a_workbook_that_defines_the_names_is_saved_with_dynamic_cells() -> None:
    book = openpyxl.Workbook()
    book.defined_names["ELO_NEW"] = DefinedName("ELO_NEW", attr_text=lambda_stored("ELO_NEW"))
    book.worksheets[0]["A1"] = "=ELO_NEW(1800,20,1,0.5)"
    book.worksheets[0]["A2"] = "=1+1"
    content = package(book, {("Sheet", "A1"): 1810.0, ("Sheet", "A2"): 2})
    assert problems(content) == []
    sheet = read_parts(content)[SHEET].decode()
    cell = '<c r="A1" cm="1"><f t="array" ref="A1">ELO_NEW(1800,20,1,0.5)</f><v>1810</v></c>'
    assert cell in sheet
    assert sheet.count("cm=") == 1


def test_cells_that_share_a_formula_get_their_own() -> None:
    first = '<c r="C1"><f t="shared" ref="C1:C3" si="0">ELO_NEW(A1,$B$1,1,0.5)</f><v>1</v></c>'
    rows = "".join(
        f'<row r="{r}">{first if r == 1 else ""}'
        + (f'<c r="C{r}"><f t="shared" si="0"/><v>1</v></c>' if r > 1 else "")
        + "</row>"
        for r in (1, 2, 3)
    )
    before = workbook()
    sheet = read_parts(before)[SHEET].decode()
    sheet = re.sub(r"<sheetData>.*</sheetData>", f"<sheetData>{rows}</sheetData>", sheet)
    content = lambdas.put_into(with_parts(before, {SHEET: sheet.encode()}))
    written = read_parts(content)[SHEET].decode()
    for r in (1, 2, 3):
        cell = f'<c r="C{r}" cm="1"><f t="array" ref="C{r}">ELO_NEW(A{r},$B$1,1,0.5)</f><v>1</v>'
        assert cell in written


def test_array_formulas_over_several_cells_stay() -> None:
    content = workbook(C1=ArrayFormula("C1:E1", "=ELO_OUTCOMES(A1,B1)"))
    before = read_parts(content)[SHEET]
    assert read_parts(lambdas.put_into(content))[SHEET] == before
    assert read_parts(lambdas.take_out(lambdas.put_into(content)))[SHEET] == before


def test_removed_again_nothing_is_left() -> None:
    before = workbook(C1="=ELO_NEW(A1,20,1,0.5)", C2="=SUM(A1:B1)")
    after = lambdas.take_out(lambdas.put_into(before))
    assert names_of(after) == ["Ace", "Zoo"]
    one, two = read_parts(before), read_parts(after)
    assert one.keys() == two.keys()
    sheet = two[SHEET].decode()
    assert "cm=" not in sheet
    assert "<f>ELO_NEW(A1,20,1,0.5)</f>" in sheet
    assert "sheetMetadata" not in "".join(part.decode() for n, part in two.items() if ".xml" in n)
    changed = {"[Content_Types].xml", "xl/_rels/workbook.xml.rels", BOOK, SHEET}
    assert {name for name in one if one[name] != two[name]} <= changed
    assert lambdas.take_out(before) == before


@pytest.mark.slow
def test_metadata_of_others_stays() -> None:
    other = lambdas.put_into(workbook(C1="=ELO_NEW(A1,20,1,0.5)"))
    rich = read_parts(other)["xl/metadata.xml"].decode()
    rich = rich.replace(
        '<metadataTypes count="1">',
        '<metadataTypes count="2"><metadataType name="XLRICHVALUE" minSupportedVersion="120000"/>',
    )
    rich = re.sub(r"<cellMetadata.*</cellMetadata>", "", rich)
    sheet = (
        read_parts(other)[SHEET].decode().replace(' cm="1"', "").replace(' t="array" ref="C1"', "")
    )
    before = with_parts(other, {"xl/metadata.xml": rich.encode(), SHEET: sheet.encode()})
    content = lambdas.put_into(before)
    assert '<cellMetadata count="1"><bk><rc t="2" v="0"/></bk></cellMetadata>' in (
        read_parts(content)["xl/metadata.xml"].decode()
    )
    assert [p for p in problems(content) if "empty value" not in p] == []
    assert "xl/metadata.xml" in read_parts(lambdas.take_out(content))


@pytest.mark.slow
def test_excels_list_of_formula_cells_goes_when_cells_change() -> None:
    chain = "xl/calcChain.xml"
    before = workbook(C1="=ELO_NEW(A1,20,1,0.5)")
    types = read_parts(before)["[Content_Types].xml"].decode()
    relations = read_parts(before)["xl/_rels/workbook.xml.rels"].decode()
    before = with_parts(
        before,
        {
            chain: b'<calcChain xmlns="x"><c r="C1" i="1"/></calcChain>',
            "[Content_Types].xml": types.replace(
                "</Types>", f'<Override PartName="/{chain}" ContentType="application/x"/></Types>'
            ).encode(),
            "xl/_rels/workbook.xml.rels": relations.replace(
                "</Relationships>",
                '<Relationship Id="rId99" Type="http://x/calcChain" Target="calcChain.xml"/>'
                "</Relationships>",
            ).encode(),
        },
    )
    content = lambdas.put_into(before)
    assert chain not in read_parts(content)
    assert "calcChain" not in read_parts(content)["xl/_rels/workbook.xml.rels"].decode()
    assert [p for p in problems(content) if "calcChain" in p] == []


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book.xlsx").write_bytes(workbook(C1="=ELO_NEW(A1,20,1,0.5)"))
    done = invoke("addin", "native", "book.xlsx")
    assert (done.exit_code, done.output) == (0, f"book-native.xlsx: {len(lambda_names())} names\n")
    assert "ELO_K" in names_of((tmp_path / "book-native.xlsx").read_bytes())
    done = invoke("addin", "native", "book-native.xlsx", "--remove", "-o", "book.xlsx", "--force")
    assert (done.exit_code, done.output) == (0, "book.xlsx: without the names\n")
    assert names_of((tmp_path / "book.xlsx").read_bytes()) == ["Ace", "Zoo"]

    (tmp_path / "broken.xlsx").write_bytes(b"no")
    done = invoke("addin", "native", "broken.xlsx")
    assert done.exit_code == 1
    assert done.output.startswith("error: broken.xlsx: it is not a workbook")
    done = invoke("addin", "native", "--remove")
    assert done.exit_code == 2
    assert "--remove needs a WORKBOOK" in done.output


@pytest.mark.slow
def test_command_without_a_workbook(tmp_path: Path) -> None:
    command = ["addin", "native", "-o", str(tmp_path / "new")]
    done = invoke(*command)
    made = {path.name: path.read_bytes() for path in (tmp_path / "new").iterdir()}
    assert (done.exit_code, len(done.output.splitlines())) == (0, len(made))
    assert made == files()
    assert set(lambda_names()) <= set(names_of(made["elo-functions.xlsx"]))
    assert b"\nEXPECTED = LAMBDA(" in made["elo-functions-module.txt"]
    assert made["elo-functions.txt"].decode() == lambdas.text()

    (tmp_path / "new" / "elo-functions.xlsx").unlink()
    done = invoke(*command)
    assert (done.exit_code, "elo-functions.txt" in done.output) == (2, True)
    assert not (tmp_path / "new" / "elo-functions.xlsx").exists()
    assert invoke(*command, "--force").exit_code == 0


def pasted(text: str) -> dict[str, str]:
    """The definitions of a text as Excel Labs reads them, by their names there."""
    without = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    found = re.findall(r"^(\w+) = (LAMBDA\(.*?);$", without, flags=re.DOTALL | re.MULTILINE)
    assert without.split() == " ".join(f"{name} = {formula};" for name, formula in found).split()
    return dict(found)


@pytest.mark.slow
def test_text_is_what_the_formula_environment_takes() -> None:
    printed = invoke("addin", "native", "--text").output
    assert printed == lambdas.text()
    found = pasted(printed)
    assert list(found) == lambda_names()
    for name, formula in found.items():
        assert formula == lambda_text(name)
        assert stored(formula) == lambda_stored(name)
        assert f"/**\n{functions()[name].help}\n*/\n{name} = " in printed


@pytest.mark.parametrize("module", ["", "ELO"])
def test_no_definition_is_too_long_to_paste(module: str) -> None:
    """Excel Labs may store what is pasted with its layout."""
    written = lambdas.text(module)
    assert not set("\t\r") & set(written)
    assert all(len(formula) < 8000 for formula in pasted(written).values())


@pytest.mark.slow
def test_a_module_gives_the_same_values(tmp_path: Path) -> None:
    """Its names as Excel Labs makes them, in another engine."""
    book, calls = openpyxl.Workbook(), []
    for own, formula in pasted(lambdas.text("ELO")).items():
        name = f"ELO.{own}"
        book.defined_names[name] = DefinedName(name, attr_text=stored(formula))
        calls += [(name, example) for example in functions()[f"ELO_{own}"].examples]
    for row, (name, example) in enumerate(calls):
        book.worksheets[0].cell(1 + 10 * row, 1, to_formula(name, example.arguments))
    assert len(book.defined_names) == len(lambda_names())
    (tmp_path / "module.xlsx").write_bytes(package(book, {}))

    anchors = [("Sheet", f"A{1 + 10 * row}") for row in range(len(calls))]
    for (name, example), value in zip(
        calls, computed(tmp_path / "module.xlsx", anchors), strict=True
    ):
        assert same(example.result, value, relative=1e-9), (name, example, value)
