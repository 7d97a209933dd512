"""LibreOffice's add-in: the file, the functions inside a real LibreOffice, and the way there."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.table import Table

from elo_xl import call
from elo_xl.cli import cli
from elo_xl.functions.catalogue import functions
from elo_xl.functions.cells import ERRORS
from elo_xl.hosts.libreoffice.bridge import calc_error, to_calc
from elo_xl.hosts.libreoffice.build import INTERFACE, NAME, PREFIXES, SERVICE, build
from elo_xl.hosts.libreoffice.install import find_office
from elo_xl.hosts.libreoffice.limits import LIMITS
from elo_xl.hosts.libreoffice.wheels import REQUIREMENTS, OfficeError, Target, ask, fetch
from tests.calc import Calc
from tests.libreoffice_host import BLANK_CELL, formulas, office_of, values

ROOT = Path(__file__).parents[1]
LANGUAGES = {"en-US", "es", "ru"}
METHODS = {prefix + name: f for prefix in PREFIXES for name, f in functions().items()}


def near(value: Any) -> Any:
    """As LibreOffice saves it: numbers with 15 digits."""
    if isinstance(value, list):
        return [near(one) for one in value]
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return pytest.approx(value, rel=2e-14, abs=0) if number else value


@pytest.fixture(scope="module")
def oxt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("oxt") / NAME)


# --- the file -------------------------------------------------------------------------------


def test_built_twice_it_is_the_same(oxt: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["addin", "libreoffice", "-o", str(tmp_path / "new")])

    assert done.output == f"{tmp_path / 'new' / NAME}\n"
    assert oxt.read_bytes() == (tmp_path / "new" / NAME).read_bytes()


def test_carries_what_a_cell_needs_and_nothing_else(oxt: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(oxt).extractall(tmp_path)
    code = (
        "import sys, json\n"
        f"sys.path.insert(0, {str(tmp_path / 'pythonpath')!r})\n"
        "from elo_xl.hosts.libreoffice.bridge import connect\n"
        "print(connect('ELO_EXPECTED', list, '')(1834.0, 1834.0, None, None, None, None))\n"
        "print(sorted({m.split('.')[0] for m in sys.modules}))"
    )
    # -I: neither this checkout nor an installed copy is in reach.
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )

    value, modules = done.stdout.splitlines()
    assert value == "0.5"
    loaded = set(eval(modules)) - set(sys.stdlib_module_names)
    assert not loaded & {"click", "openpyxl", "lxml", "rich", "xlwings", "defusedxml"}
    assert {"elo_xl", "numpy", "scipy"} <= loaded


def test_what_it_carries_runs_on_python_3_10(oxt: Path, tmp_path: Path) -> None:
    """LibreOffice 25.2 for Windows and macOS has that one."""
    zipfile.ZipFile(oxt).extractall(tmp_path)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--python-version=3.10", "--no-incremental"),
            *("--config-file=", "--ignore-missing-imports", "--no-site-packages", "elo_xl"),
        ],
        cwd=tmp_path / "pythonpath",
        capture_output=True,
        text=True,
        check=False,
    )

    # What is new in the standard library or in the language; types are the project's own check.
    newer = ("[import-not-found]", "[syntax]")
    found = [line for line in done.stdout.splitlines() if line.endswith(newer)]
    found += [line for line in done.stdout.splitlines() if "error: Module " in line]
    assert found == []
    assert "checked" in done.stdout


def test_type_library_declares_every_method(oxt: Path) -> None:
    library = zipfile.ZipFile(oxt).read("elo_xl.rdb")

    assert {
        INTERFACE: [
            (name, "[][]any" if f.columns else "any", [(a.name, "any") for a in f.arguments])
            for name, f in METHODS.items()
        ]
    } == dict(read_library(library))


def test_manifest_names_what_is_there(oxt: Path) -> None:
    package = zipfile.ZipFile(oxt)
    manifest = ET.fromstring(package.read("META-INF/manifest.xml"))
    namespace = "{http://openoffice.org/2001/manifest}"

    parts = [entry.get(f"{namespace}full-path") for entry in manifest]
    assert set(parts) < set(package.namelist())
    assert len(parts) == 3


def test_description_asks_for_a_new_libreoffice(oxt: Path) -> None:
    description = zipfile.ZipFile(oxt).read("description.xml").decode()

    assert 'LibreOffice-minimal-version value="25.2"' in description
    assert f'<version value="{sys.modules["elo_xl"].__version__}"/>' in description


def test_wizard_explains_every_function_in_three_languages(oxt: Path) -> None:
    registry = ET.fromstring(zipfile.ZipFile(oxt).read("CalcAddIns.xcu"))
    node = registry[0][0]
    assert SERVICE == node.get(f"{OOR}name")
    nodes = {child.get(f"{OOR}name"): child for child in node[0]}
    assert METHODS.keys() == nodes.keys()

    for method, function in METHODS.items():
        own = props(nodes[method])
        stored = next(s + function.name for p, s in PREFIXES.items() if p + function.name == method)
        assert {"en-US": stored} == own["CompatibilityName"] == own["DisplayName"]
        assert {None: "Add-In" if stored == function.name else "Spreadsheet"} == own["Category"]
        assert function.help == own["Description"]["en-US"]
        arguments = [props(child) for child in nodes[method].findall("node/node")]
        assert [a.name for a in function.arguments] == [
            a["DisplayName"]["en-US"] for a in arguments
        ]
        for texts in [own["Description"], *[t for a in arguments for t in a.values()]]:
            assert LANGUAGES == texts.keys()
            assert all(0 < len(text) <= 255 for text in texts.values())
        assert len(set(own["Description"].values())) == 3


OOR = "{http://openoffice.org/2001/registry}"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def props(node: Any) -> dict[str, dict[str | None, str]]:
    return {
        prop.get(f"{OOR}name"): {value.get(LANG): value.text for value in prop}
        for prop in node.findall("prop")
    }


def read_library(library: bytes) -> Iterator[tuple[str, Any]]:
    """The interfaces of a binary UNOIDL file, by its description in LibreOffice's source."""
    assert library.startswith(b"UNOIDL\xff\0")

    def number(at: int) -> int:
        return int(struct.unpack_from("<I", library, at)[0])

    class Reader:
        def __init__(self, at: int) -> None:
            self.at = at

        def byte(self) -> int:
            self.at += 1
            return library[self.at - 1]

        def number(self) -> int:
            self.at += 4
            return number(self.at - 4)

        def text(self) -> str:
            length = self.number()
            self.at += length
            return library[self.at - length : self.at].decode("ascii")

        def method(self) -> Any:
            name, result = self.text(), self.text()
            arguments = []
            for _ in range(self.number()):
                assert self.byte() == 0  # goes in
                arguments.append((self.text(), self.text()))
            assert self.number() == 0  # exceptions
            return name, result, arguments

    def entities(at: int, count: int, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        names = []
        for entry in range(at, at + 8 * count, 8):
            start = number(entry)
            names.append(library[start : library.index(b"\0", start)].decode("ascii"))
            yield from entity(number(entry + 4), (*path, names[-1]))
        assert names == sorted(names)  # it is searched by halves

    def entity(at: int, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        reader = Reader(at)
        kind = reader.byte()
        if kind == 0:
            yield from entities(at + 5, reader.number(), path)
            return
        assert kind == 5
        assert [reader.text() for _ in range(reader.number())] == ["com.sun.star.uno.XInterface"]
        assert (reader.number(), reader.number()) == (0, 0)  # optional bases, attributes
        yield ".".join(path), [reader.method() for _ in range(reader.number())]

    yield from entities(number(8), number(12), ())


# --- inside LibreOffice ---------------------------------------------------------------------

EXAMPLES = [(f.name, example) for f in functions().values() for example in f.examples]


@pytest.fixture(scope="module")
def computed(addin_calc: Calc) -> dict[str, list[Any]]:
    """What most of the tests below ask for, in one run."""
    asked = {
        "examples": [(name, example.arguments) for name, example in EXAMPLES],
        "calls": CALLS,
        "limits": [(name, cells) for name, cells, _ in LIMITED.values()],
    }
    answers = iter(values([each for calls in asked.values() for each in calls], addin_calc))
    return {what: [next(answers) for _ in calls] for what, calls in asked.items()}


COLUMN = [[1834], [None], ["x"], ["1 834,5"], [0], [""], [2400]]
CALLS: list[tuple[str, tuple[Any, ...]]] = [
    # numbers as texts, options, what is left out
    ("ELO_EXPECTED", ("1834", "2 179")),
    ("ELO_EXPECTED", (1834, 2179, "FIDE")),
    ("ELO_EXPECTED", (1834, 2179, " Logistic ")),
    ("ELO_EXPECTED", (1834, 2179, "no model")),
    ("ELO_EXPECTED", (1834, 2179, None, 100)),
    ("ELO_EXPECTED", (1834, 2179, None, None, None, 350)),
    ("ELO_EXPECTED", (1834, 2179, [[""]], [[""]], 250)),
    ("ELO_K", (2300, None, 17)),
    ("ELO_K", (1500, 90, 30, None, 36)),
    ("ELO_OUTCOMES", (1600, 1500, "split", "fide")),
    ("ELO_OUTCOMES", (1600, 1500, 20)),
    # one blank cell: ratings and options know what it means
    ("ELO_EXPECTED", (BLANK_CELL, 1800)),
    ("ELO_EXPECTED", (1834, 2179, BLANK_CELL)),
    ("ELO_EXPECTED", (1834, 2179, BLANK_CELL, 400)),
    ("ELO_CLASS", (1834, BLANK_CELL)),
    ("ELO_K", (2300, 50, 20, BLANK_CELL)),
    ("ELO_UPDATE", (1800, 20, [[1860, 1770]], [[1, 0.5]], BLANK_CELL)),
    # a range of one tells a blank from 0
    ("ELO_EXPECTED", (2400, 1800, "normal", [[None]])),
    ("ELO_SCORE", ([[None]],)),
    # truth values count 1 and 0
    ("ELO_NEW", (1800, 20, True, False)),
    ("ELO_SCORE", (True,)),
    ("ELO_SCORE", (False,)),
    # texts, domains, errors of each kind
    ("ELO_EXPECTED", (1834, "x")),
    ("ELO_EXPECTED", ("", 1800)),
    ("ELO_EXPECTED", (1834, 1800, "normal", -1)),
    ("ELO_DIFF", (1,)),
    ("ELO_DIFF", (1.5,)),
    ("ELO_NEW", (1e308, 1e308, 10, 0)),
    *[("ELO_EXPECTED", (1834, error)) for error in ("#N/A", "#VALUE!", "#NUM!", "#DIV/0!")],
    *[("ELO_EXPECTED", (1834, error)) for error in ("#REF!", "#NAME?", "#NULL!")],
    ("ELO_UPDATE", ("#REF!", 20, [[1860]], [[1]])),
    # ranges: blanks, texts, shapes
    ("ELO_EXPECTED", (COLUMN, 1800)),
    ("ELO_EXPECTED", (COLUMN, 1800, "fide")),
    ("ELO_EXPECTED", ([[1834], [2100]], [[1800, 1900, None]])),
    ("ELO_EXPECTED", ([[1834], [2100], [1500]], [[1800], [1900]])),
    ("ELO_EXPECTED", ([[1834]], [[1800]])),
    ("ELO_EXPECTED", ([[1834], [1900]], 1800, [["fide"], ["logistic"]])),
    ("ELO_DIFF", ([[0.5, 0, 1, 2, "a", None]], "normal")),
    ("ELO_DIFF", ([[0.5, 0, 1, 2, "a", None]], "fide")),
    ("ELO_OUTCOMES", ([[1600], [None], ["x"]], 1500)),
    ("ELO_SCORE", ([["1-0"], ["½"], [None], ["+"], [0.5], ["x"], ["0,5"], ["=1-0"]],)),
    ("ELO_CLASS", ([[1000], [2650]], "ru")),
    ("ELO_MATCH", (1834, 2179, 10, [[3], [3.25], [11]])),
    ("ELO_UPDATE", (1800, 20, [[1860], [None], [0], [2000]], [[1], [1], [0], [0.5]])),
    ("ELO_UPDATE", (1800, 20, [[1860], [1900]], [[1], [1], [0]])),
    ("ELO_UPDATE", ([[1800], [None], ["x"]], 20, [[1860], [1900]], 1.5)),
    ("ELO_PERFORMANCE", ([[None], [None]], 1)),
    ("ELO_PERFORMANCE", ([[1860, "x"]], 1)),
    (
        "ELO_PERIOD",
        (
            [["Ana", 1800, 20], ["Bo", 1860, None], ["Нина", None, None], [None, None, None]],
            [["Ana", "bo", "½"], ["Ana", "Нина", 1], [None, None, None]],
            None,
            True,
        ),
    ),
    ("ELO_PERIOD", ([["Ana", 1800, 20], ["Ana", 1700, 20]], [["Ana", "Cy", 1]], "elo")),
]


def as_called(cells: tuple[Any, ...]) -> list[Any]:
    return [None if cell is BLANK_CELL else cell for cell in cells]


def test_every_example_of_every_function(computed: dict[str, list[Any]]) -> None:
    wrong = {
        (name, str(example.arguments)): value
        for (name, example), value in zip(EXAMPLES, computed["examples"], strict=True)
        if near(call(name, *example.arguments)) != value
    }

    assert wrong == {}
    assert functions().keys() == {name for name, _ in EXAMPLES}


def test_cells_mean_what_they_mean_elsewhere(computed: dict[str, list[Any]]) -> None:
    wrong = {
        (name, str(cells)): (value, call(name, *as_called(cells)))
        for (name, cells), value in zip(CALLS, computed["calls"], strict=True)
        if near(call(name, *as_called(cells))) != value
    }

    assert wrong == {}


#: For each limit that changes values: a call that meets it, and what comes out here.
LIMITED: dict[str, tuple[str, tuple[Any, ...], Any]] = {
    "blank cell": ("ELO_EXPECTED", (2400, 1800, "normal", BLANK_CELL), 0.5),
    "zero for an option": ("ELO_EXPECTED", (1834, 2179, 0), 0.1112780866099),
    "error in a range": ("ELO_DIFF", ([[0.5], ["#N/A"]],), [["#VALUE!"], ["#VALUE!"]]),
}


def test_limits_are_as_listed(computed: dict[str, list[Any]], addin_calc: Calc) -> None:
    touching = {limit.key: limit.touches for limit in LIMITS if limit.touches}
    found = dict(zip(LIMITED, computed["limits"], strict=True))
    for key, (name, cells, value) in LIMITED.items():
        assert touching[key](functions()[name], as_called(cells))
        assert found[key] == (pytest.approx(value) if isinstance(value, float) else value)
        assert found[key] != near(call(name, *as_called(cells)))
    others = {
        "ELO_EXPECTED(1834)": "",  # too few arguments
        "ELO_OUTCOMES(1600,1500)": pytest.approx(0.4072522635600),  # no spilling
        'SUMPRODUCT(--(ELO_SCORE({"1-0";"+"})=""))': 0,  # texts in an array
        "[1]!ELO_DIFF(0.5)": "#NAME?",  # formulas of an .xlam
    }
    assert list(others.values()) == formulas(list(others), addin_calc)
    assert touching["too few arguments"](functions()["ELO_EXPECTED"], (1834,))

    untouched = [
        (key, name, cells)
        for name, cells in CALLS
        for key, touches in touching.items()
        if touches(functions()[name], as_called(cells)) and BLANK_CELL in cells
    ]
    assert untouched == []
    assert touching.keys() == {*LIMITED, "too few arguments"}
    assert {limit.key for limit in LIMITS} - touching.keys() == {
        "no spilling",
        "texts in an array",
        "former results",
        "optional in the wizard",
        "formulas of an .xlam",
    }


def test_in_other_formulas(addin_calc: Calc) -> None:
    asked = {
        "ELO_EXPECTED(1834,2179,,,,,1)": "#VALUE!",  # one argument too many
        "ELO_EXPECTED()": "",
        'elo_expected(1834,2179,"fide")': 0.11,
        "ELO_EXPECTED(1834,2179)+ELO_EXPECTED(2179,1834)": 1,
        "SUM(ELO_OUTCOMES(1600,1500))": 1,
        "INDEX(ELO_OUTCOMES(1600,1500),1,3)": 0.1309258733917,
        "SUMPRODUCT(ELO_EXPECTED({1834;2179},2179))": 0.6112780866099,
        'ELO_PERFORMANCE({1860,1770,2000},1.5,"fide")': 1877,
        "ISNA(ELO_UPDATE(1800,20,{1860,1900},{1,1,0}))": True,
        "ISERROR(ELO_DIFF(1))": True,
        'IFERROR(ELO_DIFF(1),"none")': "none",
        'ELO_EXPECTED(1834,2179,"","",250)': pytest.approx(0.14060638393473684),
        # texts are the same as those that are typed
        'IF(ELO_CLASS(1834,"en")="Strong club player",1,2)': 1,
        'IF(ELO_SCORE("+")="","unplayed","played")': "unplayed",
        'MATCH("Grandmaster",ELO_CLASS({1834;2600}),0)': 2,
        'SUMPRODUCT(--(ELO_CLASS({1834;2600})="Grandmaster"))': 1,
        "ERROR.TYPE(ELO_DIFF(1))": 6,
        "ISNUMBER(ELO_NEW(1800,20,5,4))": True,
        'ISTEXT(ELO_SCORE("+"))': True,
        '_xldudf_ELO_EXPECTED(1834,2179,"fide")': 0.11,  # as xlwings Lite's functions are stored
        "_xll.ELO_K(2350,40)": 20,  # as those of an add-in that is no workbook
    }

    found = dict(zip(asked, formulas(list(asked), addin_calc), strict=True))

    assert {
        text: pytest.approx(value) if type(value) in (int, float) else value
        for text, value in asked.items()
    } == found


def test_files_keep_the_names(addin_calc: Calc, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "S"
    kept = {
        "E1": "=ELO_EXPECTED(A2,B2)",
        "E2": "=_xldudf_ELO_EXPECTED(A2,B2)",
        "E3": "=_xll.ELO_EXPECTED(A2,B2)",
        "E4": "=SUMPRODUCT(ELO_EXPECTED(Players[Elo],1800))",
        "E5": '=IF(A2>0,ELO_CLASS(A2,"es"),"")',
    }
    for row in (["Elo", "Rival"], [1834, 2179], [2400, 1800]):
        sheet.append(row)
    sheet.add_table(Table(displayName="Players", ref="A1:B3"))
    for cell, formula in kept.items():
        sheet[cell] = formula
    sheet["F1"] = ArrayFormula("F1:F4", "=ELO_EXPECTED(A2:A3,B2:B3)")
    path = tmp_path / "names.xlsx"
    book.save(path)

    saved = addin_calc.convert(path, "xlsx")
    own = addin_calc.convert(path, "fods").read_text(encoding="utf-8")

    back = openpyxl.load_workbook(saved)["S"]
    assert kept == {cell: back[cell].value for cell in kept}
    assert ("F1:F4", "=ELO_EXPECTED(A2:A3,B2:B3)") == (back["F1"].value.ref, back["F1"].value.text)
    found = openpyxl.load_workbook(saved, data_only=True)["S"]
    expected = [call("ELO_EXPECTED", 1834, 2179), call("ELO_EXPECTED", 2400, 1800)]
    assert near([expected[0]] * 3) == [found[cell].value for cell in ("E1", "E2", "E3")]
    both: Any = [call("ELO_EXPECTED", rating, 1800) for rating in (1834, 2400)]
    assert near(sum(both)) == found["E4"].value
    assert found["E5"].value == "Jugador fuerte de club"
    # More cells than the result has show #N/A.
    assert near([*expected, "#N/A", "#N/A"]) == [found.cell(row, 6).value for row in range(1, 5)]
    # What LibreOffice's own files hold: whoever changes this breaks every file there is.
    assert "of:=ORG.ELOXL.ADDIN.ELOFUNCTIONS.ELO_EXPECTED([.A2];[.B2])" in own


def test_many_cells(addin_calc: Calc, tmp_path: Path) -> None:
    rows = 10_000
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in range(1, rows + 1):
        own = 1000 + row % 1801, 2800 - row % 1799
        sheet.append([*own, f"=ELO_EXPECTED(A{row},B{row})"])
    array = ArrayFormula(f"D1:D{rows}", f'=ELO_EXPECTED(A1:A{rows},B1:B{rows},"fide",400)')
    sheet["D1"] = array
    path = tmp_path / "many.xlsx"
    book.save(path)

    found = addin_calc.workbook(path, limit=20).worksheets[0]

    columns = [[[cell.value] for cell in found[letter]] for letter in "ABCD"]
    assert near(call("ELO_EXPECTED", *columns[:2])) == columns[2]
    assert near(call("ELO_EXPECTED", *columns[:2], "fide", 400)) == columns[3]


def test_an_error_of_every_kind_can_leave() -> None:
    kinds = ["#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"]
    codes = [521, 532, 519, 524, 525, 503, 32767]

    row = to_calc([[*kinds, 1.5, "text"]])[0]

    assert [1.5, "text"] == list(row[7:])
    assert codes == [struct.unpack("<I", struct.pack("<d", cell)[:4])[0] for cell in row[:7]]
    assert all(cell != cell for cell in row[:7])
    assert struct.pack("<d", calc_error("#SPILL!")) == struct.pack("<d", calc_error("#VALUE!"))
    assert set(kinds) < set(ERRORS)


# --- NumPy and SciPy, and installing --------------------------------------------------------


@pytest.fixture
def space() -> Iterator[Path]:
    """A folder for what is too large to be kept."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


def test_without_numpy_a_cell_says_what_to_run(calc: Calc, oxt: Path, tmp_path: Path) -> None:
    """The same for a NumPy made for another Python: that raises ImportError, too."""
    broken = tmp_path / "packages" / "numpy"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise ImportError('made for another Python')\n")
    bare = Calc(calc.soffice, tmp_path, addin=oxt, packages=broken.parent)
    version = ask(office_of(calc.soffice).python)[0].version

    asked = ["ELO_EXPECTED(1834,2179)", "ELO_K(2350,40)", "ELO_OUTCOMES(1600,1500)"]
    what, remedy = "lacks NumPy and SciPy", "run: elo-xl addin libreoffice --install"
    line = f"elo_xl: LibreOffice's Python {version} {what}; {remedy}"
    assert [line] * 3 == formulas(asked, bare)


def test_without_scipy_it_says_the_same() -> None:
    """SciPy is loaded when first needed: the cell that needs it is told."""
    code = (
        "import sys\n"
        "sys.modules['scipy'] = sys.modules['scipy.special'] = None\n"
        "from elo_xl.hosts.libreoffice.bridge import connect\n"
        "print(connect('ELO_EXPECTED', list, 'advice')(1834.0, 2179.0, *[None] * 4))\n"
        "print(connect('ELO_OUTCOMES', list, 'advice')(1834.0, 2179.0, None, None))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert done.stdout == "advice\n[['advice']]\n"


@pytest.mark.parametrize(
    ("target", "folder", "modules"),
    [
        (
            Target("3.10", "win_amd64"),
            "cp310-win_amd64",
            [
                "numpy/_core/_multiarray_umath.cp310-win_amd64.pyd",
                "scipy/special/_special_ufuncs.cp310-win_amd64.pyd",
            ],
        ),
        (
            Target("3.12", "macosx_14_0_arm64"),
            "cp312-darwin_arm64",
            # LibreOffice's own builds know no platform in a module's name.
            ["numpy/_core/_multiarray_umath.so"],
        ),
    ],
    ids=["3.10 for Windows", "3.12 for macOS"],
)
def test_wheels_for_another_python(
    target: Target, folder: str, modules: list[str], space: Path
) -> None:
    came = fetch(target, space, REQUIREMENTS[: len(modules)])

    assert folder == target.folder
    assert ["numpy", "scipy"][: len(modules)] == [each.split()[0] for each in came]
    assert [True] * len(modules) == [(space / module).is_file() for module in modules]
    assert list(space.rglob("tests")) == []


def test_wheels_that_nobody_makes(tmp_path: Path) -> None:
    with pytest.raises(OfficeError, match=r"no NumPy and SciPy for Python 3\.10 on amiga: ERROR"):
        fetch(Target("3.10", "amiga"), tmp_path)


def test_wheels_are_what_the_project_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert set(REQUIREMENTS) < set(project["dependencies"])


def test_add_in_and_wheels_agree_on_the_folder(calc: Calc) -> None:
    """The component works it out by itself, inside LibreOffice's Python."""
    python = office_of(calc.soffice).python
    component = (ROOT / "elo_xl" / "hosts" / "libreoffice" / "component.py").read_text("utf-8")
    own = component[component.index("SYSTEM = ") : component.index("# Before other")]
    code = "import os, sys, sysconfig\n__file__ = '/'\nPYTHON = '{}.{}'.format(*sys.version_info)\n"
    done = subprocess.run(
        [python, "-c", f"{code}{own}\nprint(WHEELS)"], capture_output=True, text=True, check=True
    )

    assert f"/wheels/{ask(python)[0].folder}\n" == done.stdout


def not_root() -> list[str]:
    """What to put before a command so that it does not run as root."""
    if os.geteuid():
        return []
    test = [sys.executable, "-c", "import os, sys; sys.exit(os.geteuid() == 0)"]
    for prefix in (
        ["unshare", "-U"],
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"],
    ):
        if shutil.which(prefix[0]) and not subprocess.run([*prefix, *test], check=False).returncode:
            return prefix
    pytest.skip("root here, and no way to run as somebody else")


def libraries(programs: Path) -> dict[str, str]:
    """For a LibreOffice that is only unpacked: where its libraries are; its soffice knows."""
    if programs.is_relative_to("/usr"):
        return {}
    folders = [programs, *programs.parents[1].glob("*-linux-*")]
    return {"LD_LIBRARY_PATH": ":".join(map(str, folders))}


def test_installing_computing_and_removing(calc: Calc, space: Path) -> None:
    """The whole way of a user whose LibreOffice has no NumPy, with LibreOffice's own unopkg."""
    office = office_of(calc.soffice)
    home = space / "home"
    home.mkdir()
    for folder in (space, home):  # whoever this is going to be
        folder.chmod(0o777)
    prefix = not_root()
    settings = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")}
    environment = {**os.environ, **settings, "PYTHONPATH": str(ROOT), **libraries(office.programs)}

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        code = "from elo_xl.cli import main; main()"
        soffice = ["--soffice", str(office.unopkg.with_name("soffice"))]
        return subprocess.run(
            [*prefix, sys.executable, "-c", code, "addin", "libreoffice", *options, *soffice],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            timeout=120,
        )

    installed = run("--install")
    assert (installed.returncode, installed.stderr) == (0, "")
    complete = ask(office.python)[1]
    assert (" has NumPy and SciPy" if complete else "with numpy 2") in installed.stdout
    # No other add-in, and no PYTHONPATH: what is installed is all there is.
    user = Calc(calc.soffice, space / "user")
    shutil.rmtree(user.profile)
    (home / ".config" / "libreoffice" / "4").rename(user.profile)
    assert formulas(["ELO_EXPECTED(1834,2179)"], user) == [pytest.approx(0.1112780866099)]
    user.profile.rename(home / ".config" / "libreoffice" / "4")

    assert "removed from" in run("--uninstall").stdout
    again = run("--uninstall")
    assert again.returncode == 1
    assert "There is no such extension" in again.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="not root here")
def test_root_is_told_in_one_line() -> None:
    done = CliRunner().invoke(cli, ["addin", "libreoffice", "--install"])

    assert done.exit_code == 1
    assert done.output == (
        "Error: LibreOffice installs no add-ins for root: run this as the user who works with it\n"
    )


def test_a_missing_unopkg_is_told(tmp_path: Path) -> None:
    (tmp_path / "soffice").touch()

    with pytest.raises(OfficeError, match="no unopkg beside"):
        find_office(tmp_path / "soffice")


# --- workbooks that Excel saved -------------------------------------------------------------


def test_formulas_of_an_xlam_are_converted(addin_calc: Calc, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet["A1"] = "=[1]!ELO_EXPECTED(1834,2179)+[12]!ELO_DIFF(0.5)"
    sheet["A2"] = "[1]!ELO_DIFF is text"
    book.save(tmp_path / "saved.xlsx")

    done = CliRunner().invoke(
        cli,
        ["addin", "libreoffice", "--convert", str(tmp_path / "saved.xlsx"), "-o", str(tmp_path)],
    )

    target = tmp_path / "saved-libreoffice.xlsx"
    assert done.output == f"{target}: 2 formulas converted\n"
    converted = openpyxl.load_workbook(target).worksheets[0]
    assert converted["A1"].value == "=ELO_EXPECTED(1834,2179)+ELO_DIFF(0.5)"
    assert converted["A2"].value == "[1]!ELO_DIFF is text"
    assert addin_calc.workbook(target).worksheets[0]["A1"].value == pytest.approx(0.1112780866099)


def test_what_is_no_workbook_cannot_be_converted(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_text("no")

    done = CliRunner().invoke(
        cli, ["addin", "libreoffice", "--convert", str(tmp_path / "a.xlsx"), "-o", str(tmp_path)]
    )

    assert done.output == f"Error: {tmp_path / 'a.xlsx'} is no workbook\n"
    assert [path.name for path in tmp_path.iterdir()] == ["a.xlsx"]
