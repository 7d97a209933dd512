"""LibreOffice's add-in: the file, the functions inside a real LibreOffice, and the way there."""

import os
import struct
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import openpyxl
import pytest
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.table import Table

from docs_build.libreoffice_limits import LIMITS
from elo_xl import worksheet
from elo_xl.books.flavours import plain
from elo_xl.functions.catalogue import functions
from elo_xl.functions.cells import ERRORS
from elo_xl.hosts.libreoffice.adapter import calc_error, to_calc
from elo_xl.hosts.libreoffice.build import INTERFACE, NAME, PREFIXES, SERVICE, build
from elo_xl.hosts.libreoffice.install import (
    REQUIREMENTS,
    OfficeError,
    Target,
    ask,
    fetch,
    find_office,
)
from elo_xl.languages import TRANSLATED
from elo_xl.xlsx.opc import unzipped
from tests.support import ROOT
from tests.support.calc import Calc
from tests.support.command import invoke
from tests.support.libreoffice_host import BLANK_CELL, Calls, office_of, packages_for, values
from tests.support.package_index import Index, serving

LANGUAGES = {"en-US", *TRANSLATED}
METHODS = {prefix + name: f for prefix in PREFIXES for name, f in functions().items()}


def near(value: Any) -> Any:
    """As LibreOffice saves it: numbers with 15 digits."""
    if isinstance(value, list):
        return [near(one) for one in value]
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return pytest.approx(value, rel=2e-14, abs=0) if number else value


@pytest.fixture(scope="module")
def oxt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("oxt"))


# --- the file -------------------------------------------------------------------------------


@pytest.mark.slow
def test_built_twice_it_is_the_same(oxt: Path, tmp_path: Path) -> None:
    done = invoke("addin", "libreoffice", "-o", tmp_path / "new")

    assert done.output == f"{tmp_path / 'new' / NAME}\n"
    assert oxt.read_bytes() == (tmp_path / "new" / NAME).read_bytes()


@pytest.mark.slow
def test_carries_what_a_cell_needs_and_nothing_else(oxt: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(oxt) as package:
        package.extractall(tmp_path)
    code = (
        "import sys, json\n"
        f"sys.path.insert(0, {str(tmp_path / 'pythonpath')!r})\n"
        "from elo_xl.hosts.libreoffice.adapter import connect\n"
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


@pytest.mark.slow
def test_what_it_carries_runs_on_python_3_10(oxt: Path, tmp_path: Path) -> None:
    """LibreOffice 25.2 for Windows and macOS has that one."""
    with zipfile.ZipFile(oxt) as package:
        package.extractall(tmp_path)
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
    library = unzipped(oxt.read_bytes())["elo_xl.rdb"]

    assert {
        INTERFACE: [
            (name, "[][]any" if f.columns else "any", [(a.name, "any") for a in f.arguments])
            for name, f in METHODS.items()
        ]
    } == dict(read_library(library))


def test_manifest_names_what_is_there(oxt: Path) -> None:
    package = unzipped(oxt.read_bytes())
    manifest = ET.fromstring(package["META-INF/manifest.xml"])
    namespace = "{http://openoffice.org/2001/manifest}"

    parts = [entry.get(f"{namespace}full-path") for entry in manifest]
    assert set(parts) < set(package)
    assert len(parts) == 3


def test_description_asks_for_a_new_libreoffice(oxt: Path) -> None:
    description = unzipped(oxt.read_bytes())["description.xml"].decode()

    assert 'LibreOffice-minimal-version value="25.2"' in description
    assert f'<version value="{sys.modules["elo_xl"].__version__}"/>' in description


@pytest.mark.slow
def test_wizard_explains_every_function_in_every_language(oxt: Path) -> None:
    registry = ET.fromstring(unzipped(oxt.read_bytes())["CalcAddIns.xcu"])
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
        assert all(own["Description"][language] != function.help for language in TRANSLATED)


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
def computed(addin_calc: Calc, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the tests below ask for, in one run: lists of values, and files as they are saved."""
    folder = tmp_path_factory.mktemp("computed")
    asked: dict[str, list[Any]] = {
        "examples": [(name, example.arguments) for name, example in EXAMPLES],
        "calls": CALLS,
        "limits": [(name, cells) for name, cells, _ in LIMITED.values()],
        "limits of formulas": list(LIMITED_FORMULAS),
        "formulas": list(FORMULAS),
    }
    calls = Calls([each for some in asked.values() for each in some])
    calls.book.save(folder / "asked.xlsx")
    names(folder / "names.xlsx")
    many_cells(folder / "many.xlsx")
    saved_by_excel(folder / "saved.xlsx")
    converted = plain((folder / "saved.xlsx").read_bytes())
    (folder / "converted.xlsx").write_bytes(converted)

    files = ["asked", "names", "many", "converted"]
    paths = [folder / f"{name}.xlsx" for name in files]
    # Thousands of cells are among them, and no reason to wait.
    saved = dict(zip(files, addin_calc.convert_all(paths, "xlsx", limit=30), strict=True))
    answers = iter(calls.answers(saved["asked"]))
    return {what: [next(answers) for _ in some] for what, some in asked.items()} | saved


CALLS: list[tuple[str, tuple[Any, ...]]] = [
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
    ("ELO_SCORE", (False,)),
    # errors of each kind
    *[("ELO_EXPECTED", (1834, error)) for error in ("#N/A", "#VALUE!", "#NUM!", "#DIV/0!")],
    *[("ELO_EXPECTED", (1834, error)) for error in ("#REF!", "#NAME?", "#NULL!")],
]
"""What differs in LibreOffice; all else is in the parity table."""


def as_called(cells: tuple[Any, ...]) -> list[Any]:
    return [None if cell is BLANK_CELL else cell for cell in cells]


def test_every_example_of_every_function(computed: dict[str, Any]) -> None:
    wrong = {
        (name, str(example.arguments)): value
        for (name, example), value in zip(EXAMPLES, computed["examples"], strict=True)
        if near(worksheet(name, *example.arguments)) != value
    }

    assert wrong == {}
    assert functions().keys() == {name for name, _ in EXAMPLES}


def test_cells_mean_what_they_mean_elsewhere(computed: dict[str, Any]) -> None:
    wrong = {
        (name, str(cells)): (value, worksheet(name, *as_called(cells)))
        for (name, cells), value in zip(CALLS, computed["calls"], strict=True)
        if near(worksheet(name, *as_called(cells))) != value
    }

    assert wrong == {}


#: For each limit that changes values: a call that meets it, and what comes out here.
LIMITED: dict[str, tuple[str, tuple[Any, ...], Any]] = {
    "blank cell": ("ELO_EXPECTED", (2400, 1800, "normal", BLANK_CELL), 0.5),
    "zero for an option": ("ELO_EXPECTED", (1834, 2179, 0), 0.1112780866099),
    "error in a range": ("ELO_DIFF", ([[0.5], ["#N/A"]],), [["#VALUE!"], ["#VALUE!"]]),
}


LIMITED_FORMULAS = {
    "ELO_EXPECTED(1834)": "",  # too few arguments
    "ELO_OUTCOMES(1600,1500)": pytest.approx(0.4072522635600),  # no spilling
    'SUMPRODUCT(--(ELO_SCORE({"1-0";"+"})=""))': 0,  # texts in an array
    "[1]!ELO_DIFF(0.5)": "#NAME?",  # formulas of an .xlam
}


def test_limits_are_as_listed(computed: dict[str, Any]) -> None:
    touching = {limit.key: limit.touches for limit in LIMITS if limit.touches}
    found = dict(zip(LIMITED, computed["limits"], strict=True))
    for key, (name, cells, value) in LIMITED.items():
        assert touching[key](functions()[name], as_called(cells))
        assert found[key] == (pytest.approx(value) if isinstance(value, float) else value)
        assert found[key] != near(worksheet(name, *as_called(cells)))
    assert list(LIMITED_FORMULAS.values()) == computed["limits of formulas"]
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


FORMULAS = {
    "ELO_EXPECTED(1834,2179,,,,,,1)": "#VALUE!",  # one argument too many
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
    "_xll.ELO_K(2350,40)": 20,  # as those of an add-in that is not a workbook
}


def test_in_other_formulas(computed: dict[str, Any]) -> None:
    found = dict(zip(FORMULAS, computed["formulas"], strict=True))

    assert {
        text: pytest.approx(value) if type(value) in (int, float) else value
        for text, value in FORMULAS.items()
    } == found


NAMES = {
    "E1": "=ELO_EXPECTED(A2,B2)",
    "E2": "=_xldudf_ELO_EXPECTED(A2,B2)",
    "E3": "=_xll.ELO_EXPECTED(A2,B2)",
    "E4": "=SUMPRODUCT(ELO_EXPECTED(Players[Elo],1800))",
    "E5": '=IF(A2>0,ELO_CLASS(A2,"es"),"")',
}


def names(path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "S"
    for row in (["Elo", "Rival"], [1834, 2179], [2400, 1800]):
        sheet.append(row)
    sheet.add_table(Table(displayName="Players", ref="A1:B3"))
    for cell, formula in NAMES.items():
        sheet[cell] = formula
    sheet["F1"] = ArrayFormula("F1:F4", "=ELO_EXPECTED(A2:A3,B2:B3)")
    book.save(path)


def test_files_keep_the_names(computed: dict[str, Any]) -> None:
    back = openpyxl.load_workbook(computed["names"])["S"]
    assert NAMES == {cell: back[cell].value for cell in NAMES}
    assert ("F1:F4", "=ELO_EXPECTED(A2:A3,B2:B3)") == (back["F1"].value.ref, back["F1"].value.text)
    found = openpyxl.load_workbook(computed["names"], data_only=True)["S"]
    expected = [worksheet("ELO_EXPECTED", 1834, 2179), worksheet("ELO_EXPECTED", 2400, 1800)]
    assert near([expected[0]] * 3) == [found[cell].value for cell in ("E1", "E2", "E3")]
    both: Any = [worksheet("ELO_EXPECTED", rating, 1800) for rating in (1834, 2400)]
    assert near(sum(both)) == found["E4"].value
    assert found["E5"].value == "Jugador fuerte de club"
    # More cells than the result has show #N/A.
    assert near([*expected, "#N/A", "#N/A"]) == [found.cell(row, 6).value for row in range(1, 5)]


def test_own_files_keep_the_names(addin_calc: Calc, tmp_path: Path) -> None:
    """What LibreOffice's own files hold: whoever changes this breaks every file there is."""
    names(tmp_path / "names.xlsx")

    own = addin_calc.convert(tmp_path / "names.xlsx", "fods").read_text(encoding="utf-8")

    assert "of:=ORG.ELOXL.ADDIN.ELOFUNCTIONS.ELO_EXPECTED([.A2];[.B2])" in own


def many_cells(path: Path, rows: int = 2_000) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in range(1, rows + 1):
        own = 1000 + row % 1801, 2800 - row % 1799
        sheet.append([*own, f"=ELO_EXPECTED(A{row},B{row})"])
    array = ArrayFormula(f"D1:D{rows}", f'=ELO_EXPECTED(A1:A{rows},B1:B{rows},"fide",400)')
    sheet["D1"] = array
    book.save(path)


def test_many_cells(computed: dict[str, Any]) -> None:
    with closing(openpyxl.load_workbook(computed["many"], read_only=True, data_only=True)) as book:
        found = np.array(list(book.worksheets[0].iter_rows(values_only=True)))

    assert found.shape == (2_000, 4)
    players, rivals, singly, at_once = found.T[..., np.newaxis].tolist()
    near = partial(np.testing.assert_allclose, rtol=2e-14, atol=0)
    near(singly, worksheet("ELO_EXPECTED", players, rivals))
    near(at_once, worksheet("ELO_EXPECTED", players, rivals, "fide", 400))


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
    assert [line] * 3 == values(asked, bare)


@pytest.mark.slow
def test_without_scipy_it_says_the_same() -> None:
    """SciPy is loaded when first needed: the cell that needs it is told."""
    code = (
        "import sys\n"
        "sys.modules['scipy'] = sys.modules['scipy.special'] = None\n"
        "from elo_xl.hosts.libreoffice.adapter import connect\n"
        "print(connect('ELO_EXPECTED', list, 'advice')(1834.0, 2179.0, *[None] * 4))\n"
        "print(connect('ELO_OUTCOMES', list, 'advice')(1834.0, 2179.0, None, None))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert done.stdout == "advice\n[['advice']]\n"


@pytest.fixture
def index(space: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """All that pip can reach: NumPy and SciPy as they might be, made for many."""
    index = Index(space / "index")
    index.invent("numpy", "2.1")
    index.invent("scipy", "1.14")
    with serving(index) as environment:
        for name, value in environment.items():
            if value is None:
                monkeypatch.delenv(name)
        for name, value in environment.items():
            if value is not None:
                monkeypatch.setenv(name, value)
        yield index
    assert [line for line in index.requests if not line.startswith("GET /simple/")] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "folder", "patch", "tags", "module"),
    [
        # The newer ones are not for this Python,
        (
            *(Target("3.10", "win_amd64"), "cp310-win_amd64"),
            *("0", "cp310-cp310-win_amd64", "_fast.cp310-win_amd64.pyd"),
        ),
        # or not for an old glibc.
        (
            *(Target("3.11", "manylinux_2_26_x86_64"), "cp311-linux_x86_64"),
            *("0", "cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64", "_fast.so"),
        ),
        # Of those for several systems the one for the newest of them, unless that is too new.
        (
            *(Target("3.12", "macosx_13_0_arm64"), "cp312-darwin_arm64"),
            *("1", "cp312-cp312-macosx_12_0_arm64", "_fast.so"),
        ),
    ],
    ids=["3.10 for Windows", "3.11 for old Linux", "3.12 for macOS"],
)
def test_wheels_for_another_python(
    target: Target, folder: str, patch: str, tags: str, module: str, index: Index, space: Path
) -> None:
    came = fetch(target, space / "wheels")

    assert folder == target.folder
    assert [f"numpy 2.1.{patch}", f"scipy 1.14.{patch}"] == came
    wheels = {"numpy": f"numpy-2.1.{patch}-{tags}.whl", "scipy": f"scipy-1.14.{patch}-{tags}.whl"}
    assert sorted(wheels.values()) == index.fetched
    # Each file says which wheel it came with. LibreOffice's own builds know no platform in a
    # module's name, except on Windows; tests and scripts are nobody's.
    assert {
        Path(place): wheel
        for name, wheel in wheels.items()
        for place in (f"{name}/__init__.py", f"{name}/core/{module}", f"{name}.libs/library")
    } == {
        path.relative_to(space / "wheels"): path.read_text()
        for path in (space / "wheels").rglob("*")
        if path.is_file() and path.parent.suffix != ".dist-info"
    }


@pytest.mark.slow
def test_wheels_that_nobody_makes(index: Index, space: Path) -> None:
    with pytest.raises(OfficeError, match=r"no NumPy and SciPy for Python 3\.10 on amiga: ERROR"):
        fetch(Target("3.10", "amiga"), space / "wheels")

    assert index.fetched == []


@pytest.mark.slow
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
    """What to put before a command so that it does not run as root.

    Root may keep a checkout or temporary files where nobody else can look, hence the one privilege;
    without the bit the system would grant it to open files, and not to ask whether they open.
    """
    if os.geteuid():
        return []
    nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"]
    privilege = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
    return ["setpriv", *nobody, *privilege, "--securebits=+no_setuid_fixup"]


def libraries(programs: Path) -> dict[str, str]:
    """For a LibreOffice that is only unpacked: where its libraries are; its soffice knows."""
    if programs.is_relative_to("/usr"):
        return {}
    folders = [programs, *programs.parents[1].glob("*-linux-*")]
    return {"LD_LIBRARY_PATH": ":".join(map(str, folders))}


def files_of_a_cell(python: Path, packages: Path) -> set[Path]:
    """The modules of NumPy and SciPy that the functions load: unopkg is slow with all of them."""
    code = (
        "import sys\n"
        "from elo_xl import worksheet\n"
        "worksheet('ELO_EXPECTED', 1834, 2179), worksheet('ELO_OUTCOMES', 1600, 1500)\n"
        "print(*filter(None, (getattr(m, '__file__', None) for m in sys.modules.values())),"
        " sep='\\n')"
    )
    reach = {"PYTHONPATH": os.pathsep.join(map(str, (packages, ROOT)))}
    done = subprocess.run(
        [python, "-c", code], capture_output=True, text=True, check=True, env=os.environ | reach
    )
    return {Path(line) for line in done.stdout.splitlines()}


def test_installing_computing_and_removing(calc: Calc, index: Index, space: Path) -> None:
    """The whole way of a user whose LibreOffice has no NumPy, with LibreOffice's own unopkg."""
    office = office_of(calc.soffice)
    target, complete = ask(office.python)
    told = f"its Python {target.version} has NumPy and SciPy"
    packages = None if complete else packages_for(calc.soffice)
    if packages:
        needed = files_of_a_cell(office.python, packages)
        numpy, scipy = (index.repack(n, packages, target, needed) for n in ("numpy", "scipy"))
        told = f"with numpy {numpy} and scipy {scipy} for its Python {target.version}"
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
    assert f"; {told}. " in installed.stdout
    assert len(index.fetched) == (2 if packages else 0)
    # No other add-in, and no PYTHONPATH: what is installed is all there is.
    # It is the user who computes: of what root wrote into the profile, unopkg could remove nothing.
    profile = home / ".config" / "libreoffice" / "4"
    user = Calc(calc.soffice, space, profile=profile, prefix=prefix)
    asked = {"ELO_EXPECTED(1834,2179)": 0.1112780866099, "SUM(ELO_OUTCOMES(1600,1500))": 1}
    assert pytest.approx(list(asked.values())) == values(list(asked), user)

    status = run("--status")
    assert (status.returncode, status.stderr) == (0, "")
    assert (
        "add-in of elo-xl {0}; this is elo-xl {0}\n".format(sys.modules["elo_xl"].__version__)
        in status.stdout
    )

    removed = run("--uninstall")
    assert (removed.returncode, removed.stderr) == (0, "")
    assert "removed from" in removed.stdout
    assert "no add-in: run" in run("--status").stdout
    again = run("--uninstall")
    assert again.returncode == 1
    assert "There is no such extension" in again.stderr


def test_root_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    for name in ("soffice", "unopkg"):
        (tmp_path / name).touch()

    options = ["--install", "--soffice", str(tmp_path / "soffice")]
    done = invoke("addin", "libreoffice", *options)

    assert done.exit_code == 1
    assert done.output == (
        "error: LibreOffice installs no add-ins for root: run this as the user who works with it\n"
    )


def test_a_missing_unopkg_is_told(tmp_path: Path) -> None:
    (tmp_path / "soffice").touch()

    with pytest.raises(OfficeError, match="no unopkg beside"):
        find_office(tmp_path / "soffice")


# --- workbooks that Excel saved -------------------------------------------------------------


def saved_by_excel(path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet["A1"] = "=[1]!ELO_EXPECTED(1834,2179)+[12]!ELO_DIFF(0.5)"
    sheet["A2"] = "[1]!ELO_DIFF is text"
    book.save(path)


def test_formulas_of_an_xlam_are_converted(computed: dict[str, Any], tmp_path: Path) -> None:
    saved_by_excel(tmp_path / "saved.xlsx")

    done = invoke("addin", "libreoffice", "--convert", tmp_path / "saved.xlsx", "-o", tmp_path)

    target = tmp_path / "saved-libreoffice.xlsx"
    assert done.output == f"{target}: formulas with functions of elo_xl: 1\n"
    converted = openpyxl.load_workbook(target).worksheets[0]
    assert converted["A1"].value == "=ELO_EXPECTED(1834,2179)+ELO_DIFF(0.5)"
    assert converted["A2"].value == "[1]!ELO_DIFF is text"
    found = openpyxl.load_workbook(computed["converted"], data_only=True).worksheets[0]
    assert found["A1"].value == pytest.approx(0.1112780866099)


def test_what_is_no_workbook_cannot_be_converted(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_text("no")

    done = invoke("addin", "libreoffice", "--convert", tmp_path / "a.xlsx", "-o", tmp_path)

    assert done.output.startswith(f"error: {tmp_path / 'a.xlsx'}: it is not a workbook")
    assert [path.name for path in tmp_path.iterdir()] == ["a.xlsx"]
