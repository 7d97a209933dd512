"""The script for Google Sheets, in gas-local: Apps Script's language without Google's services."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import elo_xl
from elo_xl.functions.catalogue import functions
from elo_xl.hosts.javascript import missing, names
from elo_xl.hosts.javascript.sheets import build
from elo_xl.languages import CODES
from tests.support.command import invoke
from tests.support.custom_functions import CALLS, help_of, metadata, shown
from tests.support.levels import cases
from tests.support.native_host import same

#: Without a global of Google's: a script that asks for one fails.
RUN: Final = """
const only = { filter: (file) => file.endsWith(".gs") };
const script = require("gas-local").require(process.argv[1], {}, only);
const given = (v) =>
  Array.isArray(v) ? v.map(given)
  : v === null ? ""
  : v.day ? new Date(...v.day)
  : v;
const done = JSON.parse(require("fs").readFileSync(0, "utf-8")).map(([name, values]) => {
  try {
    return { value: script[name](...values.map(given)) };
  } catch (error) {
    return { error: error.message };
  }
});
console.log(JSON.stringify(done));
"""

Sheets = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("sheets")
    build(made)
    return made


@pytest.fixture(scope="module")
def sheets(node: Callable[..., str], folder: Path) -> Sheets:
    """What calls give, or the messages of what they throw."""

    def call(*calls: tuple[str, tuple[Any, ...]]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(node(RUN, folder, given=json.dumps(calls)))
        return found

    return call


def test_cells_give_what_they_give_everywhere(sheets: Sheets) -> None:
    for (name, arguments), found in zip(CALLS, sheets(*CALLS), strict=True):
        value = found["error"].partition(":")[0] if "error" in found else found["value"]
        assert same(elo_xl.worksheet(name, *arguments), value), (name, arguments)


def test_a_single_error_is_thrown_with_its_meaning_and_others_are_texts(sheets: Sheets) -> None:
    assert [
        {"error": "#NUM!: a number out of range, or an infinite result"},
        {"error": "#VALUE!: a text that is not a number, or an unknown option"},
        {"error": "#REF!"},
        {"value": [["", "#NUM!"]]},
        {"error": "ELO_DIFF takes 1 to 4 arguments, got 0"},
    ] == sheets(
        ("ELO_DIFF", (2,)),
        ("ELO_DIFF", ("half",)),
        ("ELO_DIFF", ("#REF!",)),
        ("ELO_DIFF", ([[None, 2]],)),
        ("ELO_DIFF", ()),
    )


def test_a_date_is_its_number(sheets: Sheets) -> None:
    # 7 January 1905 is day 1834, and months count from 0
    noon = {"day": [1905, 0, 7, 12]}
    alone, beside = sheets(("ELO_EXPECTED", (noon, 1834)), ("ELO_EXPECTED", ([[noon]], 1834)))
    assert same(elo_xl.worksheet("ELO_EXPECTED", 1834.5, 1834), alone["value"])
    assert same(alone["value"], beside["value"])


@pytest.mark.parametrize("language", cases(CODES, test=("en", "ru")))
def test_the_help_is_the_catalogue_s(
    language: str, node: Callable[..., str], tmp_path: Path
) -> None:
    code = build(tmp_path, language)[0].rename(tmp_path / "Code.js")
    assert help_of(language) == shown(metadata(node, code)["functions"])


def test_sheets_offers_our_functions_and_nothing_else(
    node: Callable[..., str], folder: Path
) -> None:
    every = 'console.log(...Object.keys(script).filter((n) => typeof script[n] === "function"))'
    found = node("\n".join([*RUN.splitlines()[:3], every]), folder).split()
    # Sheets hides functions with an underscore at the end
    offered = [name for name in found if not name.endswith("_")]
    assert names() == offered
    assert {*functions()} == {*offered, *missing()}
    assert [] == json.loads((folder / "appsscript.json").read_text("utf-8"))["oauthScopes"]


def test_the_command_writes_both_files(tmp_path: Path) -> None:
    done = invoke("addin", "sheets", "-o", tmp_path, "--lang", "es")
    assert 0 == done.exit_code, done.output
    *files, advice = done.output.splitlines()
    assert [str(tmp_path / name) for name in ("Code.gs", "appsscript.json")] == files
    assert "Extensions, Apps Script" in advice
    assert "Puntuación esperada" in (tmp_path / "Code.gs").read_text(encoding="utf-8")
