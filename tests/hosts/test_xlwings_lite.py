"""Workbooks for xlwings Lite: code embedded, formulas renamed, everything else as it was."""

import ast
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from openpyxl.formatting.rule import FormulaRule
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula

import elo_xl
from elo_xl.functions.calls import calls_ours
from elo_xl.functions.catalogue import functions
from elo_xl.hosts.xlwings_lite import (
    REQUIREMENTS,
    code,
    engine_zip,
    plain,
    put_into,
    rules,
    stored,
    take_out,
)
from elo_xl.hosts.xlwings_lite import main as ours
from elo_xl.xlsx.in_place import (
    WorkbookError,
    count_formulas,
    read_parts,
    rewrite_formulas,
    with_parts,
)
from elo_xl.xlsx.package import package
from tests.support import ROOT, package_rules
from tests.support.command import invoke

pytestmark = pytest.mark.frozen

FORMULAS = {
    "D2": "=ELO_EXPECTED(A2,B2)",
    "D3": '="ELO_EXPECTED(A2,B2) & more"&ELO_K(A2)',
    "D4": '=IF(A2>B2,elo_expected(A2,B2)&"<&>""ELO_K(""",SUM(A2,B2))',
    "D5": "=SUM(A2:B2)",
    "D6": "='ELO_K(1)'!A1+1",
}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A workbook with our functions wherever a formula can stand, and texts that look like them."""
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    sheet["A1"] = "ELO_EXPECTED(A2,B2) is a text"
    sheet["A2"], sheet["B2"] = 1834, 2179
    for cell, formula in FORMULAS.items():
        sheet[cell] = formula
    sheet["E2"] = ArrayFormula("E2:G2", "=ELO_OUTCOMES(A2,B2)")
    workbook.create_sheet("ELO_K(1)")
    sheet.conditional_formatting.add("A2", FormulaRule(["ELO_K(A2)>10"]))
    validation = DataValidation(type="custom", formula1="ELO_K(A2)>10")
    validation.add("A2")
    sheet.add_data_validation(validation)
    workbook.defined_names["mine"] = DefinedName("mine", attr_text="ELO_K(Sheet!$A$2)")
    path = tmp_path / "rated ½.xlsx"
    workbook.save(path)
    return path


def embed(source: Path, target: Path) -> int:
    """Put the functions into a copy of a workbook; how many formulas call them."""
    made = put_into(source.read_bytes())
    target.write_bytes(made)
    return count_formulas(made, b"elo_", calls_ours)


@pytest.mark.slow
def test_round_trip(book: Path, tmp_path: Path) -> None:
    target = tmp_path / "lite.xlsx"
    assert embed(book, target) == 7
    content = target.read_bytes()

    assert code(content) == {
        "main.py": ours(),
        "requirements.txt": "\n".join((*REQUIREMENTS, "")),
        "xlwingsSettingsWorkbook": {"startupBehavior": "taskpane"},
    }
    assert package_rules.problems(content) == []


def test_only_formulas_and_what_refers_to_the_code_change(book: Path, tmp_path: Path) -> None:
    target = tmp_path / "lite.xlsx"
    embed(book, target)
    before, after = read_parts(book.read_bytes()), read_parts(target.read_bytes())

    changed = {name for name in before if before[name] != after[name]}
    assert changed == {
        "[Content_Types].xml",
        "_rels/.rels",
        "xl/workbook.xml",
        "xl/worksheets/sheet1.xml",
    }
    assert list(before) == list(after)[: len(before)]
    assert set(after) - set(before) == {
        "xl/webextensions/_rels/taskpanes.xml.rels",
        "xl/webextensions/taskpanes.xml",
        "xl/webextensions/webextension1.xml",
    }
    sheet = before["xl/worksheets/sheet1.xml"]
    for old, new in (
        (b">ELO_", b">_xldudf_ELO_"),
        (b'"&amp;ELO_K(A2)<', b'"&amp;_xldudf_ELO_K(A2)<'),
        (b",elo_expected(", b",_xldudf_ELO_EXPECTED("),
        (b"<t>_xldudf_", b"<t>"),
    ):
        assert old in sheet
        sheet = sheet.replace(old, new)
    assert sheet == after["xl/worksheets/sheet1.xml"]


def test_a_second_time_changes_nothing(book: Path, tmp_path: Path) -> None:
    once, twice = tmp_path / "once.xlsx", tmp_path / "twice.xlsx"
    embed(book, once)
    assert embed(once, twice) == 7
    assert read_parts(once.read_bytes()) == read_parts(twice.read_bytes())
    assert once.read_bytes() == twice.read_bytes()
    embed(twice, twice)
    assert once.read_bytes() == twice.read_bytes()


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("ELO_K(A1)", "_xldudf_ELO_K(A1)"),
        ("elo_k(A1)", "_xldudf_ELO_K(A1)"),
        ("_xldudf_ELO_K(A1)", "_xldudf_ELO_K(A1)"),
        ("_XLDUDF_elo_k(A1)", "_xldudf_ELO_K(A1)"),
        ("[1]!ELO_K(A1)", "[1]!ELO_K(A1)"),
        (r"'C:\a''s\elo_xl.xlam'!ELO_K(A1)", r"'C:\a''s\elo_xl.xlam'!ELO_K(A1)"),
        ("elo_xl.xlam!ELO_K(A1)", "elo_xl.xlam!ELO_K(A1)"),
        ("-ELO_K(ELO_K(A1))^2", "-_xldudf_ELO_K(_xldudf_ELO_K(A1))^2"),
        ("MY_ELO_K(A1)", "MY_ELO_K(A1)"),
        ("ELO_KK(A1)", "ELO_KK(A1)"),
        ("ELO_K", "ELO_K"),
        ("ELO_UNKNOWN(A1)", "ELO_UNKNOWN(A1)"),
        ('"ELO_K(A1)"', '"ELO_K(A1)"'),
        ('"a""ELO_K("&ELO_K(A1)', '"a""ELO_K("&_xldudf_ELO_K(A1)'),
        ("'ELO_K(x)'!A1", "'ELO_K(x)'!A1"),
        ("'it''s ELO_K(x)'!A1", "'it''s ELO_K(x)'!A1"),
        ("Table1[ELO_K(x)]", "Table1[ELO_K(x)]"),
        ("T[[#This Row],[ELO_K(x)]]+ELO_K(1)", "T[[#This Row],[ELO_K(x)]]+_xldudf_ELO_K(1)"),
        ("Sheet1!ELO_K(A1)", "Sheet1!ELO_K(A1)"),
    ],
)
def test_stored(formula: str, expected: str) -> None:
    assert expected == stored(formula)
    assert expected == stored(expected)


@given(st.text(st.sampled_from("ELO_K(\"'[]!& x1")))
def test_stored_is_idempotent_and_leaves_texts_alone(formula: str) -> None:
    once = stored(formula)
    assert once == stored(once)
    quoted = '"' + formula.replace('"', '""') + '"'
    assert quoted == stored(quoted)


def test_code_that_is_there_already_is_kept(book: Path, tmp_path: Path) -> None:
    first = tmp_path / "first.xlsx"
    embed(book, first)
    content = first.read_bytes()
    name = "xl/webextensions/webextension1.xml"
    own = 'import xlwings as xw\n\n\n@xw.func\ndef hello(x):\n    return f"<{x}> & \\n"\n'
    part = read_parts(content)[name].decode()
    for old, new in (
        (ours(), own),
        ("\n".join((*REQUIREMENTS, "")), "# mine\nxlwings==0.37.8\npandas"),
    ):
        part = part.replace(escaped(old), escaped(new))
    first.write_bytes(with_parts(content, {name: part.encode()}))

    second = tmp_path / "second.xlsx"
    embed(first, second)

    found = code(second.read_bytes())
    assert f"{own.rstrip()}\n\n{ours()}" == found["main.py"]
    assert ["# mine", "xlwings==0.37.8", "pandas", *REQUIREMENTS[1:]] == (
        found["requirements.txt"].splitlines()
    )
    third = tmp_path / "third.xlsx"
    embed(second, third)
    assert second.read_bytes() == third.read_bytes()


def escaped(text: str) -> str:
    value = json.dumps(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return value.replace('"', "&quot;")


def test_formulas_in_other_spellings_of_xml() -> None:
    part = (
        '<?xml version="1.0"?>\r\n<x:s xmlns:x="m"><!-- <f>ELO_K(0)</f> -->'
        '<x:f t="shared" si="0">ELO_K(&#65;1)&amp;"é"</x:f><x:f/><x:v>ELO_K(2)</x:v>'
        "<x:f><![CDATA[ELO_K(3)]]></x:f><x:f>SUM( 1 )</x:f></x:s>"
    )
    expected = part.replace("ELO_K(&#65;1)", "_xldudf_ELO_K(A1)")
    expected = expected.replace("<![CDATA[ELO_K(3)]]>", "_xldudf_ELO_K(3)")
    assert expected.encode() == rewrite_formulas(part.encode(), stored)


OWN = 'import xlwings as xw\n\n\n@xw.func\ndef hello(x):\n    return f"<{x}>"\n'


def with_values(content: bytes, **values: Any) -> bytes:
    """A workbook with other properties for xlwings Lite; None removes one."""
    name = "xl/webextensions/webextension1.xml"
    root = etree.fromstring(read_parts(content)[name])
    (properties,) = root.iter("{*}properties")
    for key, value in values.items():
        for item in properties.findall(f"*[@name='{key}']"):
            properties.remove(item)
        if value is not None:
            item = etree.SubElement(properties, f"{{{properties.nsmap['we']}}}property", name=key)
            item.set("value", json.dumps(value))
    return with_parts(content, {name: etree.tostring(root)})


def test_taken_out_nothing_is_left(book: Path) -> None:
    before = book.read_bytes()
    after = take_out(put_into(before))
    plain = read_parts(before)
    sheet = plain["xl/worksheets/sheet1.xml"].replace(b",elo_expected(", b",ELO_EXPECTED(")
    assert {**plain, "xl/worksheets/sheet1.xml": sheet}.keys() == read_parts(after).keys()
    xml = ("[Content_Types].xml", "_rels/.rels")
    for name, part in read_parts(after).items():
        expected = sheet if name == "xl/worksheets/sheet1.xml" else plain[name]
        if name in xml:
            assert canonical(expected) == canonical(part)
        else:
            assert expected == part, name
    assert package_rules.problems(after) == []
    assert after == take_out(after)
    assert before == take_out(before)


def canonical(part: bytes) -> str:
    return str(etree.canonicalize(part.decode()))


def test_what_lite_notes_for_itself_leaves_too(book: Path) -> None:
    made = with_values(
        put_into(book.read_bytes()),
        pyodideVersion="0.27.5",
        addinVersion="1.0.0.0-35",
        xlwingsWorkbookId="0f",
        **{"requirements-pinned.txt": "# made by Lite\nnumpy==2.0.2\n"},
        **{"Office.AutoShowTaskpaneWithDocument": True},
    )
    assert not any("webextension" in name for name in read_parts(take_out(made)))


def test_somebody_s_code_stays_when_ours_is_taken_out(book: Path) -> None:
    needs = "".join(f"{line}\n" for line in REQUIREMENTS)
    made = put_into(
        with_values(
            put_into(book.read_bytes()),
            **{"main.py": OWN, "requirements.txt": "pandas\n", "pyodideVersion": "0.27.5"},
        )
    )
    assert code(made)["requirements.txt"] == f"pandas\n{needs}"
    after = take_out(made)
    assert code(after) == {
        "main.py": OWN,
        "requirements.txt": f"pandas\n{REQUIREMENTS[0]}\n",
        "xlwingsSettingsWorkbook": {"startupBehavior": "taskpane"},
        "pyodideVersion": "0.27.5",
    }
    assert package_rules.problems(after) == []
    assert after == take_out(after)
    assert made == put_into(after)


@pytest.mark.parametrize(
    ("own", "kept"),
    [
        (OWN, ["xlwings<1"]),
        (f"import numpy as np\n{OWN}", ["xlwings<1", "numpy"]),
        (f"from scipy import stats\n{OWN}", ["xlwings<1", "scipy"]),
    ],
)
def test_what_somebody_s_code_needs_stays(book: Path, own: str, kept: list[str]) -> None:
    made = put_into(book.read_bytes())
    mixed = with_values(made, **{"main.py": f"{own}\n{ours()}"})
    assert kept == code(take_out(mixed))["requirements.txt"].splitlines()


def test_our_code_is_small_enough_for_a_workbook_s_settings() -> None:
    """Microsoft supports 2 MB for all settings of an add-in, and somebody met a limit at 1 MB."""
    assert len(json.dumps(ours())) < 220_000
    assert max(map(len, ours().splitlines())) < 10_000  # the longest that Lite's editor shows


def test_our_code_is_the_package_s_but_for_docstrings() -> None:
    class WithoutTexts(ast.NodeTransformer):
        def visit_Expr(self, node: ast.Expr) -> ast.Expr:
            text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            return ast.Expr(ast.Constant("")) if text else node

    with zipfile.ZipFile(io.BytesIO(engine_zip())) as archive:
        carried = {name: archive.read(name) for name in archive.namelist()}
    for name, content in carried.items():
        source = (ROOT / name).read_bytes()
        if name.endswith(".py"):
            assert source.count(b"\n") == content.count(b"\n"), name
            assert ast.dump(WithoutTexts().visit(ast.parse(source))) == ast.dump(ast.parse(content))
        else:
            assert source == content, name


RUN = """\
import json, sys
namespace = {"__name__": "main"}
exec(sys.stdin.read(), namespace)
json.dump(
    [
        sorted(name for name in namespace if name.startswith("ELO_")),
        sorted(name for name in namespace if name.startswith("_elo")),
        namespace["ELO_EXPECTED"]([[1834]], [[2179]]),
    ],
    sys.stdout,
)
"""


def test_our_code_brings_every_function(tmp_path: Path) -> None:
    """In a Python of its own, where what the workbook brings comes before what is installed."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", RUN], input=ours(), cwd=tmp_path, capture_output=True,
        encoding="utf-8", check=True,
    )  # fmt: skip
    value = [[elo_xl.worksheet("ELO_EXPECTED", 1834, 2179)]]
    assert [sorted(functions()), [], value] == json.loads(done.stdout)


def test_code_written_after_ours_stays_too(book: Path) -> None:
    made = put_into(book.read_bytes())
    main = code(made)["main.py"].replace("\n", "\r\n") + "\r\n" + OWN
    assert OWN == code(take_out(with_values(made, **{"main.py": main})))["main.py"]


def test_an_extension_that_was_there_before_stays(book: Path) -> None:
    made = with_values(put_into(book.read_bytes()), **{"main.py": None, "requirements.txt": None})
    name = "xl/webextensions/webextension1.xml"
    part = read_parts(made)[name].replace(b"{2B7B4E0C-", b"{00000000-")
    theirs = with_parts(made, {name: part})
    assert read_parts(take_out(put_into(theirs))).keys() == read_parts(theirs).keys()


def test_another_add_in_s_pane_outlives_ours(book: Path) -> None:
    content = put_into(book.read_bytes())
    name = "xl/webextensions/webextension1.xml"
    foreign = (
        read_parts(content)[name].replace(b"wa200008175", b"wa1").replace(b"WA200008175", b"WA1")
    )
    theirs = with_parts(content, {name: foreign})
    both = put_into(theirs)
    assert "xl/webextensions/webextension2.xml" in read_parts(both)
    after = take_out(both)
    assert package_rules.problems(after) == []
    parts = read_parts(after)
    assert "xl/webextensions/webextension2.xml" not in parts
    assert foreign == parts[name]
    assert len(fromstring(parts["xl/webextensions/taskpanes.xml"])) == 1
    assert len(fromstring(parts["xl/webextensions/_rels/taskpanes.xml.rels"])) == 1


@pytest.mark.parametrize(
    ("old", "new"), [(b"<we:properties>", b"<we:p>"), (b'value="{', b'value="{{')]
)
def test_a_damaged_extension_is_said_to_be(book: Path, old: bytes, new: bytes) -> None:
    made = put_into(book.read_bytes())
    name = "xl/webextensions/webextension1.xml"
    part = read_parts(made)[name]
    assert old in part
    damaged = part.replace(old, new).replace(old[:1] + b"/" + old[1:], new[:1] + b"/" + new[1:])
    content = with_parts(made, {name: damaged})
    for change in (put_into, take_out):
        with pytest.raises(WorkbookError, match="xlwings Lite is damaged"):
            change(content)


def test_calls_of_the_add_in_are_no_business_of_lite_s() -> None:
    assert "[1]!ELO_K(A1)" == plain("[1]!ELO_K(A1)")
    assert "ELO_K(ELO_K(A1))" == plain("_xldudf_ELO_K(_xldudf_ELO_K(A1))")


def test_rules_that_lite_cannot_compute_are_named(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the program's own file has them, and as Excel 2010 and later write those of other sheets.

    Microsoft calls functions of Office add-ins in such rules a known gap (office-js, 6135).
    """
    content = book.read_bytes()
    name = "xl/worksheets/sheet1.xml"
    later = (
        b'<extLst><ext xmlns:x14="urn:x14" xmlns:xm="urn:xm"><x14:dataValidations>'
        b"<x14:dataValidation><x14:formula1><xm:f>ELO_K('ELO_K(1)'!A1)</xm:f></x14:formula1>"
        b"<xm:sqref>B2:B9 D2</xm:sqref></x14:dataValidation></x14:dataValidations></ext></extLst>"
        b"</worksheet>"
    )
    part = read_parts(content)[name].replace(b"</worksheet>", later)
    made = put_into(with_parts(content, {name: part}))
    expected = [
        "conditional format @ Sheet!A2",
        "data validation @ Sheet!A2",
        "data validation @ Sheet!B2:B9 D2",
    ]
    assert expected == list(rules(made))
    assert [] == list(rules(put_into(package(openpyxl.Workbook(), {}))))

    monkeypatch.chdir(tmp_path)
    result = invoke("addin", "lite", book)
    assert result.output.splitlines()[1:] == [
        "Excel runs no function of xlwings Lite in these rules; let a cell call it instead:",
        "  conditional format @ Sheet!A2",
        "  data validation @ Sheet!A2",
    ]


def test_the_command_removes_again(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    invoke("addin", "lite", book, "-o", "l.xlsx")
    again = invoke("addin", "lite", book, "-o", "l.xlsx")
    assert again.exit_code == 2
    assert "l.xlsx already exists" in again.output
    assert invoke("addin", "lite", book, "-o", "l.xlsx", "--force").exit_code == 0
    result = invoke("addin", "lite", "l.xlsx", "--remove")
    assert result.exit_code == 0
    assert result.output == "l-plain.xlsx: without the functions for xlwings Lite\n"
    assert code((tmp_path / "l-plain.xlsx").read_bytes()) == {}


def test_the_command_says_that_no_formula_calls_the_functions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    openpyxl.Workbook().save("empty.xlsx")
    result = invoke("addin", "lite", "empty.xlsx")
    assert result.output == (
        "empty-lite.xlsx: ready for xlwings Lite; no formula calls the functions yet\n"
    )


def test_the_command_writes_beside_it(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = book.read_bytes()
    result = invoke("addin", "lite", book)
    assert result.exit_code == 0
    written, *_ = result.output.splitlines()
    assert written == "rated ½-lite.xlsx: 7 formulas with functions for xlwings Lite"
    assert code((tmp_path / "rated ½-lite.xlsx").read_bytes())["main.py"] == ours()
    assert book.read_bytes() == before
    result = invoke("addin", "lite", book, "-o", book)
    assert result.exit_code == 0
    assert code(book.read_bytes())["main.py"] == ours()
