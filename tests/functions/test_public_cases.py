"""The cases for other people's programs hold here, and say what they are."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import elo_xl
from elo_xl.functions.catalogue import functions
from elo_xl.functions.cells import STATUS_TEXTS, to_block
from elo_xl.hosts.javascript import script
from tests.support import ROOT
from tests.support.native_host import EXCEPTIONS
from tests.support.public_cases import OURS, PublicCase, published, text

PUBLISHED = list(published())
NAMED = {case.id: case for case in PUBLISHED}


@pytest.fixture(scope="module")
def file() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text())
    return found


def agrees(case: dict[str, Any], result: Any) -> bool:
    """As the page says: numbers within the tolerance, all else exactly."""
    number = float | int
    wanted, given = to_block(case["result"]), to_block(result)
    return wanted.shape == given.shape and all(
        abs(x - y) <= case["tolerance"]
        if isinstance(x, number) and isinstance(y, number)
        else x == y
        for x, y in zip(wanted.cells, given.cells, strict=True)
    )


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case.id)
def test_published_figure(case: PublicCase) -> None:
    assert case.source
    assert agrees(case.line(), elo_xl.worksheet(case.function, *case.arguments)), case


def test_the_file_is_complete(file: dict[str, Any]) -> None:
    cases = file["cases"]
    assert len(cases) == len({case["id"] for case in cases})
    assert {case["function"] for case in cases} == functions().keys() - OURS
    takes = {function["name"]: function["arguments"] for function in file["functions"]}
    assert all(len(case["arguments"]) <= len(takes[case["function"]]) for case in cases)
    sources = {source["number"] for source in file["sources"] if source["text"]}
    assert sources == {case["source"] for case in cases if "source" in case}
    seen = {cell for case in cases for cell in to_block(case["result"]).cells if cell is not None}
    errors = {cell for cell in seen if isinstance(cell, str) and cell.startswith("#")}
    assert {"#VALUE!", "#NUM!", "#N/A", "#DIV/0!"} <= errors <= set(STATUS_TEXTS)


def example(language: str) -> str:
    """The page's program."""
    page = (ROOT / "docs" / "test-your-program.md").read_text(encoding="utf-8")
    found = re.search(rf"```{language}\n(.*?)```", page, flags=re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which programs run, with the file."""
    (tmp_path / "cases.json").write_text(text(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_page_s_examples(node: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    exec(example("python"), {})
    said = [capsys.readouterr().out, node(example("javascript"))]
    assert [True, True] == [re.fullmatch(r"\d\d cases agree\n", line) is not None for line in said]


IN_JAVASCRIPT = """
const ELO = eval(require("fs").readFileSync(0, "utf-8") + "\\nELO");
const { cases } = JSON.parse(require("fs").readFileSync("cases.json", "utf-8"));
const shown = (v) => ELO.isError(v) ? String(v) : v;
const cells = (v) => Array.isArray(v) ? v.map((row) => row.map(shown)) : [[shown(v)]];
const near = (x, y, by) => typeof x === "number" && typeof y === "number"
  ? Math.abs(x - y) <= by : x === y;
const agree = (a, b, by) => a.length === b.length && a.every((row, i) =>
  row.length === b[i].length && row.every((x, j) => near(x, b[i][j], by)));
const wrong = cases.filter((c) => !agree(
  cells(c.result), cells(ELO.call(c.function, c.arguments)), c.tolerance));
console.log(JSON.stringify(wrong));
"""


@pytest.mark.usefixtures("folder")
def test_the_functions_in_javascript(node: Callable[..., str]) -> None:
    """They read the file as another program would."""
    wrong = json.loads(node(IN_JAVASCRIPT, given=script()))
    excepted = [known for known in EXCEPTIONS if known.host == "javascript"]
    for case in wrong:
        name = case["id"].removeprefix(f"{case['function']} ")
        assert any(known.covers("javascript", case["function"], name) for known in excepted), case
    assert wrong  # the known ones are noticed, and so would another one be


def test_a_wrong_result_is_noticed() -> None:
    case = NAMED["F-P01"].line()
    assert agrees(case, -2.5)
    assert not any(agrees(case, wrong) for wrong in (-2.4999, "-2.5", "#NUM!", [[-2.5, -2.5]]))
