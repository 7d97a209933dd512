"""The trial in Excel: a zip that says itself whether a program computes our books as we have."""

import io
import re
from typing import Final

import openpyxl
import pytest

from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.selfcheck import SHEET
from scripts import checklist, trial
from tests.support.calc import Calc
from tests.support.levels import cases
from tests.support.lint import problems

PAGE: Final = checklist.TRIAL.read_text(encoding="utf-8")
FILES: Final = trial.files()
BOOKS: Final = sorted(path for path in FILES if path.startswith("books/"))
QUICK: Final = "books/match-odds-sample.xlsx", "books/probes.xlsx"


def test_the_page_names_files_and_sheets_as_they_are() -> None:
    assert {*TEMPLATES, "probes", trial.FUNCTIONS.removesuffix(".xlsx")} == {
        re.sub(r"books/(.+?)(-sample)?\.xlsx", r"\1", path) for path in BOOKS
    }
    named = set(re.findall(r"`([a-z-]+\.(?:xlsx|html))`", PAGE))
    assert named <= {path.removeprefix("books/") for path in FILES}
    assert 15 == sum(map(int, re.findall(r"^## \d\. .*\((\d+) minutes?\)$", PAGE, re.MULTILINE)))


def test_the_person_needs_nothing_but_a_browser_and_excel() -> None:
    html = FILES["excel-trial.html"]().decode()
    assert len(checklist.steps(PAGE)) == html.count("<tr>") - html.count("<thead>")
    assert None is re.search(r"src=|python|git\b", html)
    answers = FILES["answers.xlsx"]()
    assert [] == problems(answers)
    sheet = openpyxl.load_workbook(io.BytesIO(answers)).worksheets[0]
    typed = [str(cell.value) for row in sheet.iter_rows(max_col=2) for cell in row]
    assert {"System", "Excel", "Remarks"} == {*checklist.FACTS} & {*typed}
    assert checklist.steps(PAGE) == checklist.report(answers).steps


@pytest.mark.parametrize(
    "path", cases([path for path in BOOKS if not path.endswith(trial.FUNCTIONS)], test=QUICK)
)
def test_libreoffice_computes_what_the_books_store(path: str, calc: Calc) -> None:
    """But for LAMBDA names, which it does not have."""
    (computed,) = calc.recalculate_all({path: FILES[path]()}).values()
    said = computed[SHEET]
    assert (f"0 of {said['A1'].split()[2]} cells differ", None) == (said["A1"], said.get("A2"))
