"""The add-in's files and code: read by others, run without Excel."""

import importlib.util
import io
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from defusedxml.ElementTree import fromstring
from pyopenvba.exceptions import VBARuntimeError
from pyopenvba.interpreter._objects import VBAObject, member
from pyopenvba.interpreter._values import EMPTY

import elo_xl
import excel_build
from elo_xl.error_values import EXCEL_NUMBERS
from elo_xl.functions.arguments import NumberArgument
from elo_xl.functions.catalogue import Function, functions
from elo_xl.functions.cells import ERRORS, to_formula
from elo_xl.functions.names import CATEGORY, NamesError
from elo_xl.hosts import addin_link, excel_addin
from elo_xl.hosts.excel_addin import (
    ADDIN,
    CLUB_PROJECT,
    LICENCE,
    SETTINGS,
    UDF_MODULE,
    WORKBOOK,
    AddinError,
    windows,
)
from elo_xl.hosts.excel_addin.buttons import VBA_PART
from elo_xl.xlsx.cells import StoredBook
from elo_xl.xlsx.in_place import read_parts
from elo_xl.xlsx.opc import BOOK_RELATIONSHIPS, CONTENT_TYPES
from excel_build import fresh, vba
from tests.snapshots import check
from tests.support import ROOT, package_rules
from tests.support.calc import Calc
from tests.support.command import invoke
from tests.support.vba_host import CallUDF, Excel, through_xlwings, to_vba

FUNCTIONS = list(functions().values())
KINDS = [pytest.param(False, id=ADDIN), pytest.param(True, id=WORKBOOK)]


@pytest.fixture(scope="module")
def files() -> dict[bool, bytes]:
    """The add-in and the workbook."""
    made = fresh()
    return {False: made[ADDIN], True: made[WORKBOOK]}


def members(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def modules(content: bytes) -> dict[str, str]:
    """The VBA modules of a file as oletools reads them."""
    return package_rules.modules(members(content)[VBA_PART])


# --- the text -----------------------------------------------------------------------------------


@pytest.mark.snapshot
def test_the_code_is_what_it_was() -> None:
    check("elo_calls.bas", vba.calls())
    check("elo_udfs.bas", vba.wrappers(FUNCTIONS))


def test_every_line_of_code_is_short_and_in_the_project_s_characters() -> None:
    for text in (vba.calls(), vba.wrappers(FUNCTIONS)):
        assert text.encode("cp1252")
        assert max(map(len, text.splitlines())) <= vba.LONGEST_LINE


def test_quotes_in_help_are_doubled() -> None:
    (function,) = (f for f in FUNCTIONS if f.name == "ELO_K")
    quoted = Function(**{**vars_of(function), "help": 'K of "a" player.'})
    assert 'VB_Description = "K of ""a"" player."' in vba.wrappers([quoted])


def vars_of(function: Function) -> dict[str, Any]:
    return {name: getattr(function, name) for name in function.__dataclass_fields__}


def test_the_module_that_python_is_asked_for_is_there() -> None:
    assert importlib.util.find_spec(UDF_MODULE) is not None
    assert f'"{UDF_MODULE}"' in vba.calls()


# --- the files, read by others ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("workbook", KINDS)
def test_the_package_keeps_the_format_s_rules(files: dict[bool, bytes], workbook: bool) -> None:
    assert package_rules.problems(files[workbook]) == []
    # Programs that look at the first bytes only know a workbook by them.
    assert next(iter(members(files[workbook]))) == CONTENT_TYPES


@pytest.mark.slow
def test_the_files_in_the_package_are_made_anew() -> None:
    """They lie there to be signed: ``python -m excel_build`` writes them."""
    for name, made in fresh().items():
        kept = excel_addin.content(name)
        if name in (LICENCE, CLUB_PROJECT):
            assert made == kept
        else:
            assert members(made) == members(kept), f"{name}: run python -m excel_build"


@pytest.mark.slow
@pytest.mark.parametrize("workbook", KINDS)
def test_oletools_reads_the_code(files: dict[bool, bytes], workbook: bool) -> None:
    found = modules(files[workbook])
    for name, text in ((vba.CALLS, vba.calls()), (vba.WRAPPERS, vba.wrappers(FUNCTIONS))):
        assert f'Attribute VB_Name = "{name}"\n{text}' == found[name]
    assert {"ThisWorkbook", "Dictionary", vba.XLWINGS} <= set(found)
    assert "Module1" not in found


PROCEDURE: Final = re.compile(r"^ *(?:Public |Private )?(?:Function|Sub) (\w+)", re.MULTILINE)


def test_of_xlwings_module_only_what_is_needed_is_there_as_it_was_installed(
    files: dict[bool, bytes],
) -> None:
    installed = (vba.xlwings_folder() / "xlwings.bas").read_text(encoding="utf-8")
    ours = modules(files[False])[vba.XLWINGS]
    folders = r'import xlwings.utils;xlwings.utils.prepare_sys_path(\""" & PYTHONPATH & "\"");'
    changed = {
        'PROJECT_NAME As String = "xlwings"': 'PROJECT_NAME As String = "elo_xl"',
        ' -B -c ""import sys, os;"': ' -B -P -c ""import sys, os;"',
        f"{folders}import xlwings; ": "import xlwings; ",
        "In Range(sht.": "In sht.Range(sht.",
        f"xlwings64-{vba.XLWINGS_VERSION}.dll": "elo_xl64.dll",
        f"xlwings32-{vba.XLWINGS_VERSION}.dll": "elo_xl32.dll",
    }
    own = (Path(vba.__file__).with_name("xlwings_changes.bas")).read_text(encoding="ascii")
    for old, new in changed.items():
        installed = installed.replace(old, new)
    there = iter(
        re.sub(r"^( *)Private Declare", r"\1Declare", installed, flags=re.MULTILINE).splitlines()
    )
    kept = re.sub(
        r"^( *)Private Declare", r"\1Declare", ours.replace(vba._CHANGED, ""), flags=re.MULTILINE
    )
    for procedure in vba._PROCEDURE.finditer(own):
        assert procedure[0] in kept
        kept = kept.replace(procedure[0], "")
    assert [] == [line for line in kept.splitlines() if line not in there]
    assert "BSD 3-clause license" in ours
    # whatever is called is there
    code = re.sub(r'"[^"\n]*"|\'.*', "", "\n".join(modules(files[False]).values()))
    called = set(re.findall(r"\w+", code)) & set(PROCEDURE.findall(installed))
    assert called <= set(PROCEDURE.findall(ours))


@pytest.mark.parametrize("workbook", KINDS)
def test_no_shape_of_a_workbook_finds_a_macro_that_starts_a_program(
    files: dict[bool, bytes], workbook: bool
) -> None:
    code = "\n".join(modules(files[workbook]).values())
    names = {name.lower() for name in PROCEDURE.findall(code)}
    assert names.isdisjoint(("runpython", "runfrozenpython", "executewindows", "executemac", "sql"))
    assert names.isdisjoint(("saveconfigtofile", "readfile", "killfileonmac", "importpythonudfs"))
    assert "WScript.Run" not in code
    assert "Public Declare" not in code
    assert not re.search(r"^ *Declare", code, re.MULTILINE)
    # What a workbook brings along, or what lies beside it, names no interpreter.
    for word in ("ActiveWorkbook", "GetDirectoryConfigFilePath"):
        assert word not in modules(files[workbook])[vba.XLWINGS]


@pytest.mark.parametrize("workbook", KINDS)
def test_libreoffice_reads_the_code(
    files: dict[bool, bytes], workbook: bool, calc: Calc, tmp_path: Path
) -> None:
    content = members(files[workbook])
    types = content[CONTENT_TYPES]
    # LibreOffice opens no .xlam; the rest of the file is what it reads.
    content[CONTENT_TYPES] = types.replace(b"ms-excel.addin.", b"ms-excel.sheet.")
    path = tmp_path / "book.xlsm"
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in content.items():
            archive.writestr(name, part)

    saved = members(calc.convert(path, "ods").read_bytes())

    library = "Basic/elo_xl_workbook" if workbook else "Basic/elo_xl"
    for name, text in ((vba.CALLS, vba.calls()), (vba.WRAPPERS, vba.wrappers(FUNCTIONS))):
        module = fromstring(saved[f"{library}/{name}.xml"])
        code = "\n".join(line for line in "".join(module.itertext()).splitlines() if line.strip())
        for line in text.splitlines():
            if line.strip() and "VB_" not in line:
                assert line.strip() in code
    listed = fromstring(saved[f"{library}/script-lb.xml"])
    names = {value for element in listed for key, value in element.items() if key.endswith("name")}
    assert {vba.CALLS, vba.WRAPPERS, vba.XLWINGS, "ThisWorkbook", "Sheet1"} <= names


@pytest.mark.parametrize("workbook", KINDS)
def test_wizard_help_is_the_catalogue_s(files: dict[bool, bytes], workbook: bool) -> None:
    book = fromstring(members(files[workbook])[package_rules.BOOK])

    expected = {f.name: list(enumerate(a.help for a in f.arguments)) for f in FUNCTIONS}
    assert expected == package_rules.wizard(book)

    (groups,) = book.iter(f"{package_rules.MAIN}functionGroups")
    assert groups.get("builtInGroupCount") == "19"
    assert [CATEGORY] == [group.get("name") for group in groups]
    code = modules(files[workbook])[vba.WRAPPERS]
    for function in FUNCTIONS:
        text = function.help.replace('"', '""')
        assert f'\nAttribute {function.name}.VB_Description = "{text}"\n' in code
        attribute = f"{function.name}.VB_ProcData.VB_Invoke_Func"
        assert f'\nAttribute {attribute} = " \\n20"\n' in code


@pytest.mark.parametrize("workbook", KINDS)
def test_the_sheet_of_settings(files: dict[bool, bytes], workbook: bool) -> None:
    content = members(files[workbook])
    book = fromstring(content[package_rules.BOOK])
    titles = [sheet.get("name") for sheet in book.iter(f"{package_rules.MAIN}sheet")]
    assert titles == ["Examples", *addin_link.SHEETS][not workbook :]
    settings = StoredBook(read_parts(files[workbook]))[f"{SETTINGS}.conf"].cells
    assert ["UDF Modules", UDF_MODULE] == [cell.value for cell in settings.values()]


def test_the_workbook_s_examples_are_the_catalogue_s(files: dict[bool, bytes]) -> None:
    sheet = fromstring(members(files[True])["xl/worksheets/sheet1.xml"])
    formulas = [f.text for f in sheet.iter(f"{package_rules.MAIN}f")]
    for function in FUNCTIONS:
        for example in function.examples:
            text = to_formula(function.name, example.arguments)
            assert text.removeprefix("=") in formulas
    examples = sum(len(f.examples) for f in FUNCTIONS)
    assert f'" of {examples + 1} are ok"' in "".join(f for f in formulas if f and "COUNTIF" in f)


def test_the_workbook_checks_itself(files: dict[bool, bytes], addin_calc: Calc) -> None:
    """Its formulas that compare, with LibreOffice's own add-in in the place of VBA."""
    content = members(files[True])
    types, links = content[CONTENT_TYPES], content[BOOK_RELATIONSHIPS]
    plain = b"vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    content[CONTENT_TYPES] = re.sub(
        rb'<Override PartName="/xl/vbaProject.bin"[^>]*>',
        b"",
        types.replace(b"vnd.ms-excel.sheet.macroEnabled.main+xml", plain),
    )
    content[BOOK_RELATIONSHIPS] = re.sub(rb"<Relationship [^>]*vbaProject.bin[^>]*>", b"", links)
    del content[VBA_PART]
    path = addin_calc.home / "examples.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in content.items():
            archive.writestr(name, part)

    sheet = addin_calc.recalculate(path)["Examples"]

    checks = [value for cell, value in sheet.items() if re.fullmatch(r"B[1-9]\d*", cell)]
    examples = sum(len(f.examples) for f in FUNCTIONS)
    # The last block has an error in a range, which LibreOffice hands to no add-in.
    assert [f"{examples} of {examples + 1} are ok", *["ok"] * examples, "differs"] == checks


@pytest.mark.slow
def test_a_broken_package_is_noticed(files: dict[bool, bytes]) -> None:
    """The rules are not empty words."""
    good = members(files[True])

    def problems(changed: dict[str, bytes]) -> str:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, part in {**good, **changed}.items():
                archive.writestr(name, part)
        return "\n".join(package_rules.problems(buffer.getvalue()))

    types, book = good[CONTENT_TYPES], good[package_rules.BOOK]
    assert "nothing leads to xl/stray.xml" in problems({"xl/stray.xml": b"<a/>"})
    assert "has no content type" in problems({"xl/stray.odd": b""})
    assert "is declared as" in problems(
        {CONTENT_TYPES: types.replace(b"ms-excel.sheet.macroEnabled", b"other")}
    )
    groups = re.search(b"<functionGroups.*</functionGroups>", book)
    assert groups is not None
    moved = book.replace(groups[0], b"").replace(b"<sheets>", groups[0] + b"<sheets>")
    assert "elements out of order" in problems({package_rules.BOOK: moved})
    assert "code names" in problems({package_rules.BOOK: book.replace(b"ThisWorkbook", b"Other")})


# --- the code, run ------------------------------------------------------------------------------

ASK = """
Function Ask(text, setting_name)
    Dim found As String, given As String, wanted As String
    given = text
    wanted = setting_name
    found = "none"
    EloSetting given, wanted, found
    Ask = found
End Function
"""


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('"INTERPRETER_WIN","C:\\A, b\\python.exe"', "C:\\A, b\\python.exe"),
        ("interpreter_win, C:\\python.exe ", "C:\\python.exe"),
        ("", "none"),
        ("no setting", "none"),
        ('\n"SHOW CONSOLE","True"\n"INTERPRETER_WIN","x"\n', "x"),  # all lines at once
    ],
)
def test_a_line_of_the_file_of_settings(text: str, read: str) -> None:
    """A blank one once moved all others: key and value were read across lines."""
    excel = Excel()
    excel.application.add_module(ASK, name="ask")
    excel.application.sheet(1).set_value("A1", text)
    assert read == excel.application.evaluate('Ask(Range("A1").Value, "INTERPRETER_WIN")')


@pytest.fixture(scope="module")
def excel() -> Excel:
    return Excel()


@pytest.mark.slow
def test_every_example_runs_through_vba_and_xlwings(excel: Excel) -> None:
    for function in FUNCTIONS:
        for example in function.examples:
            row, arguments = 1, []
            for argument in example.arguments:
                if isinstance(argument, list):
                    arguments.append(f'Range("{excel.fill(argument, row)}")')
                    row += len(argument)
                else:
                    arguments.append(literal(argument))
            value = excel.evaluate(f"{function.name}({', '.join(arguments)})")
            assert elo_xl.worksheet(function.name, *example.arguments) == value
            for i in range(1, row):
                for letter in "ABCDEFGHIJ":
                    excel.application.sheet(1).set_value(f"{letter}{i}", None)


def literal(value: Any) -> str:
    if value is None:
        return ""
    return f'"{value}"' if isinstance(value, str) else str(value)


@pytest.mark.slow
def test_arguments_become_values_and_what_is_left_out_is_not_sent() -> None:
    excel = Excel(lambda module, name, values: 1.0)
    area = excel.fill([[1500.0, 1600.0], [None, "x"]])
    excel.evaluate(f'ELO_EXPECTED(Range("{area}"), Range("A1"))')
    excel.evaluate('ELO_EXPECTED(1500#, 1600#, , 400#, , Range("A2"))')
    excel.evaluate('ELO_EXPECTED(CVErr(2042), True, "fide")')
    excel.evaluate('ELO_EXPECTED(Range("A1:A2,B1:B2"), Empty)')
    excel.evaluate("ELO_EXPECTED(Array(1500#, 1600#), 1700#)")
    na, value = -2146826246, -2146826273
    assert [values for _, values in excel.calls] == [
        (((1500.0, 1600.0), (None, "x")), 1500.0),
        (1500.0, 1600.0, None, 400.0),
        (na, True, "fide"),
        (value, None),
        ((1500.0, 1600.0), 1700.0),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "number"), [(text, EXCEL_NUMBERS.get(text, 2015)) for text in ERRORS]
)
def test_error_texts_become_errors(text: str, number: int) -> None:
    excel = Excel(lambda module, name, values: text)
    assert f"Error {number}" == repr(excel.application.evaluate("ELO_EXPECTED(1, 2)"))


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (0.5, 0.5),
        ("", ""),
        ("#1 of the list", "#1 of the list"),
        ("Strong club player", "Strong club player"),
        (["#N/A", 0.5, "a"], [["#N/A", 0.5, "a"]]),
        ([["#N/A", 0.5], ["#no error", "#NUM!"]], [["#N/A", 0.5], ["#no error", "#NUM!"]]),
        ([[0.25], ["#VALUE!"], [""]], [[0.25], ["#VALUE!"], [""]]),
    ],
)
def test_errors_also_inside_arrays(result: Any, shown: Any) -> None:
    excel = Excel(lambda module, name, values: result)
    raw = excel.application.evaluate("ELO_EXPECTED(1, 2)")
    assert shown == excel.evaluate("ELO_EXPECTED(1, 2)")
    # plain() writes errors as texts: look at what they are before that
    texts = [cell for row in (raw if isinstance(raw, list) else [raw]) for cell in flat(row)]
    assert not [cell for cell in texts if isinstance(cell, str) and cell in ERRORS]


def flat(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def raising(*names: str) -> CallUDF:
    """Python, except that calls of these functions fail."""

    def call(module: str, name: str, values: tuple[Any, ...]) -> Any:
        if name in names:
            raise VBARuntimeError(1000, "Unexpected Python Error: Traceback …")
        return through_xlwings(module, name, values)

    return call


@pytest.mark.slow
def test_a_failure_is_value_and_its_reason_can_be_asked_for() -> None:
    excel = Excel(raising("ELO_EXPECTED"))
    assert excel.evaluate("ELO_LAST_ERROR()") == ""
    assert excel.evaluate("ELO_EXPECTED(1, 2)") == "#VALUE!"
    assert excel.evaluate("ELO_LAST_ERROR()") == "Unexpected Python Error: Traceback …"
    # Python lives, so it is neither asked twice nor started again, and other functions work.
    assert (1, 1) == (len(excel.calls), excel.servers)
    assert excel.evaluate("ELO_NEW(1800, 20, 5, 4)") == 1820.0
    assert "Last failure: Unexpected Python Error: Traceback …" in excel.run("EloStatus")


def test_a_new_server_shows_once_that_it_works() -> None:
    excel = Excel()
    assert "has not been started" in excel.run("EloStatus")
    during = []
    excel.start = lambda: during.append(excel.status_bar)
    assert [excel.evaluate(f"ELO_NEW({i}, 20, 5, 4)") for i in (1700, 1800)] == [1720.0, 1820.0]
    assert (1, 1) == (excel.servers, excel.questions)
    assert during == ["Starting Python for the ELO_ functions…"]
    assert excel.status_bar is False
    assert excel.run("EloStatus") == "Python runs. The ELO_ functions reach it."


def cells(excel: Excel, count: int) -> set[Any]:
    return {excel.evaluate(f"ELO_NEW({1500 + i}, 20, 5, 4)") for i in range(count)}


REASON = "Could not activate Python COM server,\r\nhr = -2147221164"


def broken_start() -> None:
    raise VBARuntimeError(1000, REASON)


def broken_functions(module: str, name: str, values: tuple[Any, ...]) -> Any:
    raise VBARuntimeError(1000, "ModuleNotFoundError: No module named 'numpy'")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "call", "reason"),
    [
        (broken_start, through_xlwings, REASON),
        (lambda: None, broken_functions, "ModuleNotFoundError: No module named 'numpy'"),
    ],
)
def test_a_python_that_cannot_start_is_tried_once(
    start: Callable[[], None], call: CallUDF, reason: str
) -> None:
    excel = Excel(call)
    excel.start = start
    excel.application.freeze_clock(datetime(2026, 1, 1, 23, 55))
    assert ({"#VALUE!"}, 1) == (cells(excel, 100), excel.servers)
    assert excel.evaluate("ELO_LAST_ERROR()") == reason
    in_a_line = " ".join(reason.replace("\r", " ").replace("\n", " ").split())
    assert " ".join(str(excel.status_bar).split()).endswith(in_a_line)
    told = excel.run("EloStatus")
    assert "#VALUE! until 00:05" in told
    assert told.endswith(reason)

    excel.application.freeze_clock(datetime(2026, 1, 2, 0, 4, 59))
    assert ({"#VALUE!"}, 1) == (cells(excel, 100), excel.servers)
    excel.application.freeze_clock(datetime(2026, 1, 2, 0, 5, 1))
    assert ({"#VALUE!"}, 2) == (cells(excel, 100), excel.servers)

    assert "#VALUE! until 00:15" in excel.run("EloRestart")
    assert (3, 0) == (excel.servers, excel.recalculations)
    assert ({"#VALUE!"}, 3) == (cells(excel, 100), excel.servers)

    excel.start, excel.call = lambda: None, through_xlwings
    assert excel.run("EloRestart") == "Python runs. The ELO_ functions reach it."
    assert (4, 2, 1) == (excel.servers, excel.ended, excel.recalculations)
    assert excel.status_bar is False
    assert 100 == len(cells(excel, 100) - {"#VALUE!"})
    assert excel.servers == 4


def test_a_computer_to_which_only_the_add_in_came_is_told_what_is_missing() -> None:
    excel = Excel(settings=False)
    excel.start = broken_start
    assert {"#VALUE!"} == cells(excel, 2)
    missing = "This computer has no settings for these functions. Run on it: py -P -m elo_xl addin"
    assert excel.evaluate("ELO_LAST_ERROR()").startswith(missing)
    assert missing in str(excel.status_bar)
    # A Python on PATH needs no settings.
    excel.start = lambda: None
    assert excel.run("EloRestart") == "Python runs. The ELO_ functions reach it."


@pytest.mark.slow
def test_a_server_that_ends_is_replaced_once() -> None:
    excel = Excel()
    assert excel.evaluate("ELO_NEW(1800, 20, 5, 4)") == 1820.0
    alive = False

    def call(module: str, name: str, values: tuple[Any, ...]) -> Any:
        if not alive:
            raise VBARuntimeError(462, "The remote server machine does not exist")
        return through_xlwings(module, name, values)

    def start() -> None:
        nonlocal alive
        alive = True

    excel.call, excel.start = call, start
    assert excel.evaluate("ELO_NEW(1900, 20, 5, 4)") == 1920.0
    assert excel.servers == 2
    # And one that cannot be replaced is tried once for all cells.
    alive = False
    excel.start = broken_start
    assert ({"#VALUE!"}, 3) == (cells(excel, 100), excel.servers)


@pytest.mark.slow
def test_a_call_that_ends_python_ends_it_twice() -> None:
    alive = True

    def call(module: str, name: str, values: tuple[Any, ...]) -> Any:
        nonlocal alive
        alive = alive and name != "ELO_NEW"
        if not alive:
            raise VBARuntimeError(462, "The remote server machine does not exist")
        return through_xlwings(module, name, values)

    def start() -> None:
        nonlocal alive
        alive = True

    excel = Excel(call)
    excel.start = start
    assert ({"#VALUE!"}, 2) == (cells(excel, 100), excel.servers)


def test_on_a_mac_the_reason_is_said() -> None:
    excel = Excel(mac=True)
    assert excel.evaluate("ELO_EXPECTED(1, 2)") == "#VALUE!"
    said = "These functions need Excel for Windows. On a Mac they work in xlwings Lite."
    assert said == excel.evaluate("ELO_LAST_ERROR()") == excel.run("EloStatus")
    assert (said, 0, 0) == (excel.run("EloRestart"), excel.servers, excel.ended)


@pytest.mark.slow
def test_the_same_call_costs_one_call_in_a_recalculation() -> None:
    answers = count()  # 0 is for the question of a new server
    excel = Excel(lambda module, name, values: float(next(answers)))
    clock = datetime(2026, 1, 1, 12)
    area = excel.fill([[1500.0, 1600.0], [1.0, None]])
    expressions = [
        "ELO_EXPECTED(1500#, 1600#)",
        "ELO_EXPECTED(1500#, 1600#, , True)",
        "ELO_EXPECTED(CVErr(2042), 1600#)",
        "ELO_EXPECTED(CVErr(2015), 1600#)",
        # The same values in other shapes.
        "ELO_EXPECTED(Array(1500#, 1600#), 1#)",
        f'ELO_EXPECTED(Range("{area}"), 1#)',
        'ELO_EXPECTED(Range("A1:B1"), 1#)',
        "ELO_POINTS(1500#, 1600#)",
    ]
    for second in (0, 1, 2):
        excel.application.freeze_clock(clock + timedelta(seconds=second))
        assert [1.0 + i for i in range(len(expressions))] == list(map(excel.evaluate, expressions))
    # The same to fifteen digits, or as texts, is another call.
    for more, other in enumerate(
        (
            "ELO_EXPECTED(1500#, 1600.0000000000002#)",
            'ELO_EXPECTED("1500", 1600#)',
            'ELO_EXPECTED(1500#, 1600#, , "True")',
        ),
        1,
    ):
        assert excel.evaluate(other) == len(expressions) + more
    # A file of rules may have changed since the last recalculation.
    excel.application.freeze_clock(clock + timedelta(seconds=5))
    assert excel.evaluate(expressions[-1]) == len(expressions) + 4


@pytest.mark.slow
def test_a_large_call_is_not_remembered() -> None:
    excel = Excel(lambda module, name, values: 1.0)
    excel.application.freeze_clock(datetime(2026, 1, 1, 12))
    for rows, calls in ((200, 1), (201, 3)):
        area = excel.fill([[1500.0 + i] for i in range(rows)])
        for _ in range(2):
            excel.evaluate(f'ELO_CLASS(Range("{area}"))')
        assert calls == len(excel.calls)


class Waiting(VBAObject):  # type: ignore[misc]
    """A cell whose formula Excel has not calculated yet."""

    @member  # type: ignore[untyped-decorator]
    def CountLarge(self) -> object:  # noqa: N802
        return 1

    @member  # type: ignore[untyped-decorator]
    def Count(self) -> object:  # noqa: N802
        return 1

    @member  # type: ignore[untyped-decorator]
    def Areas(self) -> object:  # noqa: N802
        return self

    @member  # type: ignore[untyped-decorator]
    def Value2(self) -> object:  # noqa: N802
        return EMPTY

    @member  # type: ignore[untyped-decorator]
    def HasFormula(self) -> object:  # noqa: N802
        return True


def test_a_cell_that_is_not_calculated_yet_costs_no_call() -> None:
    excel = Excel(lambda module, name, values: 1.0)
    host = excel.application.interpreter.host
    known = host.global_object
    host.global_object = lambda name: Waiting() if name == "waiting" else known(name)
    assert excel.evaluate("ELO_EXPECTED(1500#, Waiting)") == "#VALUE!"
    assert ([], 0, "") == (excel.calls, excel.servers, excel.evaluate("ELO_LAST_ERROR()"))
    # A blank cell is a value.
    assert excel.evaluate('ELO_EXPECTED(1500#, Range("A1"))') == 1.0
    assert excel.calls == [("ELO_EXPECTED", (1500.0, None))]


@pytest.mark.slow
def test_whole_columns_and_rows_end_with_their_values() -> None:
    excel = Excel(lambda module, name, values: 1.0)
    excel.fill([[1500.0, 1.0, None, 7.0], [1600.0, 0.0], [None, 0.5], [None, None, 8.0]])
    a, b = ((1500.0,), (1600.0,)), ((1.0,), (0.0,), (0.5,))
    blank = ((None,),)
    for arguments, sent in (
        ('Range("A:A"), 1#', (a, 1.0)),
        # All of one length, and as long as any other argument.
        ('Range("A:A"), Range("B:B")', ((*a, *blank), b)),
        ('Range("A:A"), Range("C1:C4")', ((*a, *blank, *blank), (*blank * 3, (8.0,)))),
        ('Range("A:B"), 1#', (((1500.0, 1.0), (1600.0, 0.0), (None, 0.5)), 1.0)),
        ('Range("F:F"), 1#', (None, 1.0)),
        ('Range("1:1"), 1#', (((1500.0, 1.0, None, 7.0),), 1.0)),
        ('Range("1:1"), Range("A:A")', (((1500.0, 1.0, None, 7.0),), a)),
    ):
        excel.evaluate(f"ELO_EXPECTED({arguments})")
        assert sent == excel.calls[-1][1], arguments
    excel.evaluate("ELO_LADDER(Cells)")
    (whole,) = excel.calls[-1][1]
    assert (4, 4) == (len(whole), len(whole[0]))


def test_whole_columns_of_an_empty_sheet_are_a_blank() -> None:
    assert Excel().evaluate('ELO_EXPECTED(Range("A:A"), 1800)') == ""


def test_only_the_last_error_is_calculated_without_a_change() -> None:
    """Excel itself calculates a cell anew if one that it depends on has changed, or if it must."""
    # the macros for a club's book are run by a person
    macro = "CallUDF(CLUB_MODULE, function_name, sent, ActiveWorkbook)"
    assert macro in vba.calls()
    code = vba.calls().replace(macro, "") + vba.wrappers(FUNCTIONS)
    (last_error,) = re.findall(r"(?s)Public Function ELO_LAST_ERROR\(\).*?End Function", code)
    assert "Application.Volatile\n" in last_error
    assert "Volatile" not in code.replace(last_error, "")
    for word in (
        "Caller",
        "ThisCell",
        "ActiveSheet",
        "ActiveCell",
        "ThisWorkbook",
        "ActiveWorkbook",
    ):
        assert word not in code
    assert "CallUDF(UDF_MODULE, function_name, sent))" in code


def test_vba_arrays_of_the_harness_have_the_shape_of_com_s() -> None:
    assert to_vba([[1.0, 2.0], [3.0, 4.0]]).get([1, 0]) == 3.0


# --- building, and what it refuses --------------------------------------------------------------


def test_build_writes_the_file_and_xlwings_licence(tmp_path: Path) -> None:
    target = excel_addin.build(tmp_path / "new folder")
    assert target.name == ADDIN
    assert "BSD 3-clause license" in target.with_name(LICENCE).read_text(encoding="utf-8")
    assert sorted(p.name for p in target.parent.iterdir()) == sorted([ADDIN, LICENCE])


def test_names_that_a_host_refuses_are_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = Function("ELO1", "Help.", "", (NumberArgument("end", "Help."),), max, "", ())
    monkeypatch.setattr(excel_build, "functions", lambda: {"ELO1": bad})
    with pytest.raises(NamesError, match="ELO1: reads as a cell's address") as refused:
        fresh()
    assert "ELO1, argument end: is a word of VBA's" in str(refused.value)


def test_another_xlwings_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vba, "version", lambda package: "0.37.99")
    with pytest.raises(AddinError, match=rf"made from xlwings {vba.XLWINGS_VERSION}: pip"):
        fresh()


def test_what_is_said_of_versions_of_xlwings_agrees() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = declared["project"]["optional-dependencies"]
    assert [f"{excel_addin.XLWINGS}; sys_platform == 'win32'"] == extras["excel"]
    assert f"xlwings=={vba.XLWINGS_VERSION}" in declared["dependency-groups"]["dev"]
    bounds = [".".join(map(str, bound)) for bound in (windows.OLDEST, windows.BEYOND)]
    assert "xlwings>={},<{}".format(*bounds) == excel_addin.XLWINGS
    # the add-in names none
    assert not re.search(r"xlwings\d\d-", modules(excel_addin.content())[vba.XLWINGS])


def test_an_xlwings_that_cannot_be_changed_is_refused() -> None:
    with pytest.raises(AddinError, match="has no line"):
        vba._own_settings('Attribute VB_Name = "xlwings"\nno project name here\n')


@pytest.mark.slow
def test_building_imports_no_xlwings() -> None:
    program = "import sys; from excel_build import fresh; fresh(); print('xlwings' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "False"


def test_only_the_free_part_of_xlwings_is_named() -> None:
    folder = Path(elo_xl.__file__).parent
    for path in [*folder.rglob("*.py"), *folder.rglob("*.bas")]:
        text = path.read_text(encoding="utf-8").lower()
        for word in ("xlwings.pro", "xlwings.server", "license_key", "licence_key"):
            assert word not in text, path


def test_the_checklist_s_figures() -> None:
    text = (ROOT / "docs" / "excel-checklist.md").read_text(encoding="utf-8")
    call = elo_xl.worksheet
    for formula, value, shown in (
        ("=ELO_EXPECTED(1834,2179)", call("ELO_EXPECTED", 1834, 2179), "0.111278"),
        ("=ELO_K(1500,90,30,,36)", call("ELO_K", 1500, 90, 30, None, 36), "19"),
        ("=ELO_K(2350,40)", call("ELO_K", 2350, 40), "20"),
        ("=ELO_DIFF(2)", call("ELO_DIFF", 2), "#NUM!"),
        ("=ELO_K(1500,,A1)", call("ELO_K", 1500, None, None), "20"),
        ("=ELO_EXPECTED(C1:C5,1800)", call("ELO_EXPECTED", 1400, 1800), "0.0786"),
        ("=ELO_EXPECTED(C1:C5,1800)", call("ELO_EXPECTED", 1834, 1800), "0.5478"),
    ):
        assert formula in text
        assert shown in text
        places = len(shown.partition(".")[2])
        assert shown == (value if isinstance(value, str) else f"{value:.{places}f}")


def test_the_command_writes_both_kinds(tmp_path: Path) -> None:
    for options, name in (([], ADDIN), (["--workbook"], WORKBOOK)):
        result = invoke("addin", "excel", "-o", tmp_path, *options)
        assert result.exit_code == 0
        assert result.output.splitlines() == [str(tmp_path / name), str(tmp_path / LICENCE)]
        assert excel_addin.content(name) == (tmp_path / name).read_bytes()
