"""The add-in for Excel on Mac, web and Windows: its functions in Node, its manifests, its pane."""

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import PIL.Image
import pytest
from lxml import etree

import elo_xl
from elo_xl.error_values import EXCEL_NUMBERS
from elo_xl.functions.catalogue import find
from elo_xl.hosts.javascript import names
from elo_xl.hosts.javascript.office import HERE, IDENTIFIER, OFFICE, build
from elo_xl.languages import CODES
from tests.support.browser import Browser
from tests.support.command import invoke
from tests.support.custom_functions import CALLS, help_of, metadata, shown
from tests.support.javascript import PACKAGES
from tests.support.levels import cases
from tests.support.native_host import same

ADDRESS: Final = "https://club.example/elo"
APP: Final = "{http://schemas.microsoft.com/office/appforoffice/1.1}"
OVERRIDES: Final = "{http://schemas.microsoft.com/office/taskpaneappversionoverrides}"
BASIC: Final = "{http://schemas.microsoft.com/office/officeappbasictypes/1.0}"

#: What Excel has for functions, with the names of its errors as Microsoft's reference lists them.
EXCEL: Final = """
class Refusal extends Error {
  constructor(code, message) { super(message); this.code = code; }
}
let functions;
const CustomFunctions = {
  Error: Refusal,
  ErrorCode: {
    divisionByZero: "#DIV/0!", invalidName: "#NAME?", invalidNumber: "#NUM!",
    invalidReference: "#REF!", invalidValue: "#VALUE!", notAvailable: "#N/A",
    nullReference: "#NULL!",
  },
  associate(all) { functions = all; },
};
const fs = require("fs"), vm = require("vm");
vm.runInNewContext(fs.readFileSync(process.argv[1], "utf-8"), { CustomFunctions });
const shown = (v) =>
  Array.isArray(v) ? v.map(shown) : v instanceof Refusal ? `${v.code} ${v.message}` : v;
const done = JSON.parse(fs.readFileSync(0, "utf-8")).map(([name, given]) => {
  try {
    return shown(functions[name](...given, { functionName: name }));
  } catch (error) {
    return shown(error);
  }
});
console.log(JSON.stringify(done));
"""

Excel = Callable[..., list[Any]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("office")
    build(made, f"{ADDRESS}/")
    return made


@pytest.fixture(scope="module")
def excel(node: Callable[..., str], folder: Path) -> Excel:
    """What calls give: rows, or one error with its message."""

    def call(*calls: tuple[str, tuple[Any, ...]]) -> list[Any]:
        sent = [
            (name, [_sent(given) for given in _padded(name, arguments)])
            for name, arguments in calls
        ]
        found: list[Any] = json.loads(node(EXCEL, folder / "functions.js", given=json.dumps(sent)))
        return found

    return call


def _padded(name: str, arguments: tuple[Any, ...]) -> list[Any]:
    """Excel sends null for every argument that is omitted."""
    count = len(find(name).arguments)
    return [*arguments, *[None] * (count - len(arguments))]


def _sent(argument: Any) -> Any:
    """An argument as Excel sends it: always rows, errors as objects."""

    def cell(value: Any) -> Any:
        if isinstance(value, str) and value in EXCEL_NUMBERS:
            return {"type": "Error", "basicType": "Error", "basicValue": value}
        return value

    if argument is None:
        return None
    rows = argument if isinstance(argument, list) else [[argument]]
    return [[cell(value) for value in row] for row in rows]


def _code(value: Any) -> Any:
    """A result without the messages of its errors."""
    if isinstance(value, list):
        return [[_code(cell) for cell in row] for row in value]
    return value.partition(" ")[0] if isinstance(value, str) and value[:1] == "#" else value


def test_cells_give_what_they_give_everywhere(excel: Excel) -> None:
    for (name, arguments), found in zip(CALLS, excel(*CALLS), strict=True):
        assert same(elo_xl.worksheet(name, *arguments), _code(found)), (name, arguments)


def test_results_are_rows_and_errors_are_excel_s(excel: Excel) -> None:
    formatted = {"type": "FormattedNumber", "basicValue": 1834, "numberFormat": "0 €"}
    assert [
        [[0.5]],
        [["", "#NUM! a number out of range, or an infinite result"]],
        "#N/A ranges whose sizes do not fit together, or a player who is not there",
        "#VALUE! #REF!",  # which Excel takes from no function
    ] == excel(
        ("ELO_EXPECTED", (formatted, 1834)),
        ("ELO_DIFF", ([["", 2]],)),
        ("ELO_CHANGE", (1800, 20, [[1860, 1770]], [[1, 0, 1]])),
        ("ELO_DIFF", ("#REF!",)),
    )


@pytest.mark.parametrize("language", cases(CODES, test=("en", "ru")))
def test_functions_json_is_what_microsoft_s_tool_makes(
    language: str, node: Callable[..., str], tmp_path: Path
) -> None:
    build(tmp_path, language=language)
    written = json.loads((tmp_path / "functions.json").read_text(encoding="utf-8"))
    made = metadata(node, tmp_path / "functions.js")
    assert made == written
    assert help_of(language) == shown(made["functions"])


# -- the manifests --------------------------------------------------------------------------------


def test_the_unified_manifest_is_as_microsoft_s_schema_says(
    node: Callable[..., str], folder: Path
) -> None:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    place = manifest["$schema"].partition("json-schemas/")[2]
    schema = PACKAGES / "@microsoft" / "app-manifest" / "build" / "json-schemas" / place
    done = subprocess.run(
        [
            Path(sys.executable).with_name("check-jsonschema"),
            "--schemafile",
            schema,
            folder / "manifest.json",
        ],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    assert f"v{manifest['manifestVersion']}" in place
    with zipfile.ZipFile(folder / "manifest.zip") as archive:
        assert json.loads(archive.read("manifest.json")) == manifest
        for kind, size in (("color", 192), ("outline", 32)):
            icon = archive.read(manifest["icons"][kind])
            assert (size, size) == PIL.Image.open(io.BytesIO(icon)).size


@pytest.fixture
def root(folder: Path) -> etree._Element:
    """The older manifest."""
    return etree.parse(folder / "manifest.xml").getroot()


def values(root: etree._Element, *, tag: str = "", id: str | None = None) -> list[str | None]:
    """What the elements with a tag or an id have as their value."""
    return [e.get("DefaultValue") for e in root.iter(tag or "*") if id in (None, e.get("id"))]


def test_both_manifests_name_the_same_things(root: etree._Element, folder: Path) -> None:
    unified = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    runtime = unified["extensions"][0]["runtimes"][0]

    assert IDENTIFIER == root.findtext(f"{APP}Id") == unified["id"]
    assert f"{unified['version']}.0" == root.findtext(f"{APP}Version")
    assert values(root, tag=f"{APP}DisplayName") == [unified["name"]["full"]]
    needed = {set_.get("Name"): set_.get("MinVersion") for set_ in root.iter(f"{APP}Set")}
    assert {"SharedRuntime": "1.1", "CustomFunctionsRuntime": "1.4"} == needed
    capabilities = unified["extensions"][0]["requirements"]["capabilities"]
    assert needed == {one["name"]: one["minVersion"] for one in capabilities}
    pane = f"{ADDRESS}/taskpane.html"
    assert pane == runtime["code"]["page"]
    assert [pane] == values(root, tag=f"{APP}SourceLocation") == values(root, id="Pane.Url")
    assert values(root, id="Functions.Url") == [runtime["customFunctions"]["metadataUrl"]]
    # the names of the functions are the whole names
    assert [] == values(root, tag=f"{OVERRIDES}Namespace")
    assert "namespace" not in runtime["customFunctions"]


def test_what_the_manifest_refers_to_is_there(root: etree._Element, folder: Path) -> None:
    resources = next(root.iter(f"{OVERRIDES}Resources"))
    used = {element.get("resid") for element in root.iter()} - {None}
    assert used == {element.get("id") for element in resources.iter()} - {None}
    own = {value for value in values(root) if value and value.startswith(ADDRESS)}
    for address in own | {f"{ADDRESS}/functions.js"}:
        assert (folder / address.removeprefix(f"{ADDRESS}/")).is_file(), address
    for size in {image.get("size") for image in root.iter(f"{BASIC}Image")} - {None}:
        icon = io.BytesIO((folder / f"icon-{size}.png").read_bytes())
        assert (int(size or 0),) * 2 == PIL.Image.open(icon).size


# -- the pane -------------------------------------------------------------------------------------

#: Excel for the pane: a sheet of one cell, $A$1, and what its formula is.
SHEET: Final = """
const cell = { address: "Sheet1!A1", formulas: [[""]], load() {} };
const Excel = {
  async run(work) {
    await work({ workbook: { getActiveCell: () => cell }, async sync() {} });
  },
};
const Office = { onReady() { Office.ready = true; } };
const CustomFunctions = { associate(all) { CustomFunctions.all = all; } };
"""


def _opened(browser: Browser, folder: Path, place: Path, office: str) -> Browser:
    """The pane with something in the place of Microsoft's script."""
    for name in ("taskpane.html", "functions.js"):
        text = (folder / name).read_text(encoding="utf-8").replace(OFFICE, "excel.js")
        (place / name).write_text(text, encoding="utf-8")
    (place / "excel.js").write_text(office, encoding="utf-8")
    browser.screen(320, 700)  # as wide as Excel makes panes
    browser.open(place / "taskpane.html")
    return browser


@pytest.fixture
def pane(browser: Browser, folder: Path, tmp_path: Path) -> Iterator[Browser]:
    """The pane in Excel; it must complain of nothing."""
    yield _opened(browser, folder, tmp_path, SHEET)
    assert [] == browser.complaints()


def listed(browser: Browser) -> list[str]:
    found: list[str] = browser.run(
        "[...document.querySelectorAll('li')].filter(e => e.checkVisibility())"
        ".map(e => e.querySelector('h2').innerText)"
    )
    return found


def said(browser: Browser) -> str:
    found: str = browser.run("document.getElementById('said').innerText")
    return found


def search(browser: Browser, text: str) -> None:
    browser.run("document.getElementById('search').select()")
    browser.type(text)


def test_the_pane_lists_functions_and_searches_in_their_help(pane: Browser) -> None:
    assert names() == listed(pane) == pane.run("Object.keys(CustomFunctions.all)")
    assert True is pane.run("Office.ready")
    search(pane, "bridge four")
    assert (["ELO_BRIDGE"], "") == (listed(pane), said(pane))
    search(pane, "marmalade")
    assert ([], "No function has all of that in its help.") == (listed(pane), said(pane))


def test_an_example_goes_into_an_empty_cell_only(pane: Browser) -> None:
    search(pane, "rating difference fractional")
    pane.click("li:not([hidden]) button")
    assert "Sheet1!A1 has the example." == said(pane)
    assert "=ELO_DIFF(0.625)" == pane.run("cell.formulas[0][0]")
    pane.click("li:not([hidden]) button")
    assert "Sheet1!A1 is not empty: select an empty cell." == said(pane)
    pane.run("Excel.run = async () => { throw new Error('a cell is being edited') }")
    pane.click("li:not([hidden]) button")
    assert "a cell is being edited" == said(pane)


@pytest.mark.parametrize("dark", [False, True])
def test_nothing_keeps_people_from_reading_the_pane(pane: Browser, dark: bool) -> None:
    pane.screen(320, 700, dark=dark)
    pane.run("document.querySelectorAll('details').forEach(e => e.open = true)")
    assert [] == pane.barriers()
    assert 320 >= pane.run("document.documentElement.scrollWidth")


def test_in_a_browser_the_pane_says_where_it_belongs(browser: Browser, tmp_path: Path) -> None:
    build(tmp_path / "made", language="ru")
    _opened(browser, tmp_path / "made", tmp_path, "")
    assert names() == listed(browser)
    assert "Откройте эту страницу в Excel: там она вставляет примеры в ячейки." == said(browser)
    assert 0 == browser.run("document.querySelectorAll('button').length")
    assert "ru" == browser.run("document.documentElement.lang")
    assert [] == browser.complaints()


def test_the_command_writes_all_files(tmp_path: Path) -> None:
    def run(*more: str) -> str:
        done = invoke("addin", "office", "-o", tmp_path, *more)
        assert ("--address" in more and "http:" in more[-1]) == bool(done.exit_code)
        return done.output

    *files, advice = run().splitlines()
    assert {*map(str, tmp_path.iterdir())} == {*files}
    assert HERE in advice
    assert HERE in (tmp_path / "manifest.xml").read_text(encoding="utf-8")
    run("--address", f"{ADDRESS}/")
    assert f'"{ADDRESS}/taskpane.html"' in (tmp_path / "manifest.xml").read_text(encoding="utf-8")
    assert "from https:// on" in run("--address", "http://club.example")
