"""The checklist for Excel: its page, the file that is made of it, and what is read back."""

import json
import re
from pathlib import Path
from typing import Any, Final

import openpyxl
import pytest
from click.testing import CliRunner

from scripts import checklist
from tests.support.calc import Calc
from tests.support.lint import problems

PAGE: Final = checklist.PAGE.read_text(encoding="utf-8")
STEPS: Final = checklist.steps(PAGE)


@pytest.mark.parametrize("path", [checklist.PAGE, checklist.TRIAL], ids=lambda path: path.stem)
def test_the_steps_are_numbered_and_named_as_they_are(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    steps = checklist.steps(page)
    assert list(range(1, len(steps) + 1)) == [step.number for step in steps]
    assert len(steps) == len({step.text for step in steps}), "a step is known by its words"
    named = re.findall(r"[Ss]teps? (\d+)(?: (?:to|and) (\d+))?", re.sub(r"\s+", " ", page))
    assert {int(number) for both in named for number in both if number} <= {
        step.number for step in steps
    }


def test_the_minutes_add_up() -> None:
    minutes = [int(text) for text in re.findall(r"^## .*\((\d+) minutes?\)$", PAGE, re.MULTILINE)]
    assert len(minutes) == 1 + len({step.section for step in STEPS})
    total, *parts = map(
        int,
        re.findall(r"takes (\d+) minutes: (\d+) on .*?, (\d+) on .*?, (\d+) in G", PAGE, re.DOTALL)[
            0
        ],
    )
    assert total == sum(minutes) == sum(parts)


def run(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(checklist.main, words)
    assert code == done.exit_code, done.output
    return done.output


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file as it is made."""
    path = tmp_path / "checklist.xlsx"
    run("make", str(path))
    return path


def fill(file: Path, answers: dict[int, tuple[str | None, str | None]], **facts: str) -> None:
    """Type answers to steps, and what was seen there."""
    book = openpyxl.load_workbook(file)
    sheet: Any = book[checklist.SHEET]
    for row in sheet.iter_rows(max_col=5):
        number, fact = row[0].value, row[1].value
        if number in answers:
            assert not row[3].protection.locked
            row[3].value, row[4].value = answers[number]
        elif number is None and fact in facts:
            assert not row[2].protection.locked
            row[2].value = facts[fact]
    book.save(file)


def test_a_file_that_nobody_has_filled_in(file: Path) -> None:
    assert [] == problems(file.read_bytes())
    said = run("read", str(file))
    assert f"{len(STEPS)} of {len(STEPS)} not tried, so unproven" in said
    assert "Excel: not said" in said
    assert "may hold answers" in run("make", str(file), code=1)


def test_what_somebody_has_seen(file: Path) -> None:
    fill(
        file,
        {1: ("as expected", None), 8: ("As Expected ", "2 s"), 2: ("not", "#NAME?")},
        Excel="16",
    )
    said = run("read", str(file), code=1)
    assert "Excel: 16" in said
    assert (
        f"1 of {len(STEPS)} not as expected\n  2  Type =ELO_EXPECTED(1834,2179) into A1.\n" in said
    )
    assert "     seen: #NAME?\n" in said
    assert f"{len(STEPS) - 3} of {len(STEPS)} not tried, so unproven" in said
    assert f"2 of {len(STEPS)} as expected\n  8  M1: " in said
    assert said.endswith("     noted: 2 s\n")
    told = json.loads(run("read", "--json", str(file), code=1))
    assert ["as expected", "not", "not tried"] == [step["answer"] for step in told["steps"][:3]]
    assert "16" == told["facts"]["Excel"]
    fill(file, {2: ("not tried", None)})
    run("read", str(file))


def test_steps_that_have_changed_since_are_noticed(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(file, {1: ("as expected", None), 2: ("not", "#NAME?"), 3: ("as expected", None)})
    page = tmp_path / "page.md"
    first, second, third = (f"| {step.number} |" for step in STEPS[:3])
    changed = PAGE.replace(f"\n{first}", f"\n{second}!").replace(f"\n{second} ", f"\n{first} ")
    changed = changed.replace(f"\n{second}!", f"\n{second}").replace(
        f"{third} *Form", f"{third} *form"
    )
    page.write_text(changed, encoding="utf-8")
    monkeypatch.setattr(checklist, "PAGE", page)
    told = json.loads(run("read", "--json", str(file), code=1))
    assert [(1, "not"), (2, "as expected"), (3, "not tried")] == [
        (step["number"], step["answer"])
        for step in sorted(told["steps"], key=lambda s: s["number"])
    ][:3]
    assert ["Formulas, Insert Function, category Elo."] == [step["do"] for step in told["outdated"]]
    assert "answers to steps that have changed since: 1\n  3  Formulas" in run(
        "read", str(file), code=1
    )


def test_what_cannot_be_read_is_named(file: Path, tmp_path: Path) -> None:
    fill(file, {1: ("yes", None), 2: ("ok", None)})
    said = run("read", str(file), code=1)
    assert re.search(
        r"answer must be as expected, not, not tried, got 'yes' @ Checklist!D\d+\n", said
    )
    assert "got 'ok' @ Checklist!D" in said
    other = tmp_path / "other.xlsx"
    openpyxl.Workbook().save(other)
    assert "there is no sheet Checklist" in run("read", str(other), code=1)
    other.write_bytes(b"no workbook")
    assert "it is not a workbook" in run("read", str(other), code=1)


def test_what_the_file_finds_out_by_itself(file: Path, calc: Calc) -> None:
    fill(file, {1: ("as expected", None), 2: ("not", None)})
    (computed,) = calc.recalculate_all({"filled": file.read_bytes()}).values()
    shown = [value for value in computed[checklist.SHEET].values() if isinstance(value, str)]
    assert f"1 as expected, 1 not, of {len(STEPS)}" in shown
    assert any(re.search(r"\(Build:\d+\), ", value) for value in shown)
