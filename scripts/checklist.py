"""The checklist for Excel as one file: python -m scripts.checklist make FILE, and read FILE.

The file is a workbook with the steps of ``docs/excel-checklist.md`` and yellow cells for what a
person saw. The answers to ``docs/excel-trial.md`` have the same form, and are read in the same way:
by their texts, so a step whose words have changed since has no answer.
"""

from __future__ import annotations

import io
import json
import math
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import click
import openpyxl
from markdown_it import MarkdownIt
from markdown_it.token import Token
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties

from elo_xl import __version__
from elo_xl.books.column_words import Look
from elo_xl.books.layout import A4, Styles
from elo_xl.books.styles import LINE_HEIGHT, TABS
from elo_xl.books.text import GENERAL
from elo_xl.xlsx.cell_xml import CellValue, needs_prefix
from elo_xl.xlsx.files import write_whole
from elo_xl.xlsx.in_place import WorkbookError, read_parts
from elo_xl.xlsx.package import package

PAGE: Final = Path(__file__).parents[1] / "docs" / "excel-checklist.md"
TRIAL: Final = PAGE.with_name("excel-trial.md")
SHEET: Final = "Checklist"
AS_EXPECTED, NOT, NOT_TRIED = ANSWERS = "as expected", "not", "not tried"
WIDTHS: Final = {"A": 6.0, "B": 60.0, "C": 60.0, "D": 13.0, "E": 50.0}

FACTS: Final = {
    "System": "such as Windows 11 24H2 x64, macOS or the web",
    "Python": "of this computer; type over it if this file was made on another",
    "elo-xl": "what py -P -m elo_xl --version says, or the name of the installer",
    "Excel": "File, Account: name, version, 32 or 64 bits, language, from Microsoft or the Store",
    "Status": "what py -P -m elo_xl addin status says",
    "Remarks": "what else you noticed, what was unclear, how long it took",
}
"""What is asked beside the steps, and what is meant."""

OURS: Final = "Python", "elo-xl", "Status"
"""of these what people without Python do not know"""
FOUND: Final = "Opened in"
"""What the workbook finds out by itself."""


@dataclass(frozen=True)
class Step:
    """A step of the page, and what somebody saw."""

    section: str
    number: int
    do: str
    expected: str
    answer: str = NOT_TRIED
    seen: str = ""

    @property
    def text(self) -> tuple[str, str]:
        """By which it is known."""
        return self.do, self.expected


@dataclass(frozen=True)
class Report:
    """What a file says of the steps of today's page."""

    facts: dict[str, str]
    steps: list[Step]
    outdated: list[Step]
    """answers to steps that the page does not have, or not in these words"""

    def of(self, answer: str) -> list[Step]:
        """The steps with an answer."""
        return [step for step in self.steps if step.answer == answer]


class ChecklistError(Exception):
    """A file that is no filled checklist; the message says what is wrong, and where."""


def steps(page: str) -> list[Step]:
    """The steps of a page.

    >>> page = "## Start\\n\\n| | Do | Expected |\\n|---|---|---|\\n| 1 | `=A1` | *2* |\\n"
    >>> [(step.section, step.number, step.do, step.expected) for step in steps(page)]
    [('Start', 1, '=A1', '2')]
    """
    found, section, row = list[Step](), "", list[str]()
    opened = ""
    for token in MarkdownIt("commonmark").enable("table").parse(page):
        if token.type == "inline":
            if opened == "heading_open":
                section = _plain(token)
            elif opened == "td_open":
                row.append(_plain(token))
        elif token.type == "tr_close" and row:
            number, do, expected = row
            found.append(Step(section, int(number), do, expected))
            row = []
        opened = token.type
    return found


def _plain(token: Token) -> str:
    """What is read of a text."""
    parts = token.children or ()
    return "".join(part.content for part in parts if part.type in ("text", "code_inline"))


# --- written ------------------------------------------------------------------------------------


def workbook(todo: list[Step], page: Path = PAGE) -> bytes:
    """The file with the steps of a page, of which nothing is answered."""
    file = openpyxl.Workbook()
    sheet: Any = file.active
    sheet.title = SHEET
    file.properties.creator = "elo-xl"
    sheet.sheet_properties.tabColor = TABS["typed"]
    sheet.sheet_view.showGridLines = False
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", A4
    sheet.page_setup.fitToHeight = 0
    for column, width in WIDTHS.items():
        sheet.column_dimensions[column].width = width
    styles, values = Styles(file), dict[tuple[str, str], CellValue]()

    def put(row: int, roles: str, *texts: str | int | None) -> None:
        for column, (role, text) in enumerate(zip(roles.split(), texts, strict=True), 1):
            cell = sheet.cell(row, column, text)
            if isinstance(text, str) and role != "computed":
                cell.data_type = "s"
            prefixed = isinstance(text, str) and role != "computed" and needs_prefix(text)
            look = Look(role, "@" if role == "input" else GENERAL, "left")
            styles.give(cell, sheet, look, prefixed)
        lengths = zip(texts, WIDTHS.values(), strict=False)
        lines = max(math.ceil(len(str(text or "")) / width) for text, width in lengths)
        if "paragraph" in roles:
            sheet.row_dimensions[row].height = LINE_HEIGHT * max(1, lines)

    put(1, "title", "What to check in Excel")
    said = "Fill in the yellow cells, save the file, and send it back. What each part needs says"
    put(2, "subtitle", f"{said} the page {page.stem}.")
    asked = {fact: text for fact, text in FACTS.items() if page == PAGE or fact not in OURS}
    here = platform.platform(), platform.python_version(), __version__
    known = dict(zip(("System", "Python", "elo-xl"), here, strict=True)) if page == PAGE else {}
    row = 3
    for row, (fact, meant) in enumerate(asked.items(), 4):
        put(row, "blank label input blank", None, fact, known.get(fact), meant)
    put(row := row + 1, "blank label computed", None, FOUND, None)
    sheet.cell(row, 3).value = '=IFERROR(INFO("release")&", "&INFO("osversion"),"")'
    values[SHEET, f"C{row}"] = ""
    counts, row = row + 1, row + 2
    first, section = row + 1, ""
    for step in todo:
        if step.section != section:
            section, row = step.section, row + 2
            put(row, "section section section section section", *[section, *[None] * 4])
            put(row := row + 1, " ".join(["heading"] * 5), *HEADINGS)
        roles = "strong paragraph paragraph input input"
        put(row := row + 1, roles, step.number, step.do, step.expected, None, None)
    answers = f"D{first}:D{row}"
    put(counts, "blank label computed", None, "So far", None)
    count = '=COUNTIF({0},"{1}")&" {1}, "&COUNTIF({0},"{2}")&" {2}, of {3}"'
    sheet.cell(counts, 3).value = count.format(answers, AS_EXPECTED, NOT, len(todo))
    values[SHEET, f"C{counts}"] = f"0 {AS_EXPECTED}, 0 {NOT}, of {len(todo)}"
    rule = DataValidation(type="list", formula1=f'"{",".join(ANSWERS)}"', allow_blank=True)
    rule.add(answers)
    sheet.add_data_validation(rule)
    sheet.protection.sheet = True
    sheet.protection.formatRows = sheet.protection.formatColumns = False
    return package(file, values)


HEADINGS: Final = "Step", "Do", "Expected", "Answer", "What was there instead, or was to be noted"


# --- read ---------------------------------------------------------------------------------------


def report(content: bytes) -> Report:
    """What a file says of the steps of its page; raises ChecklistError with all that cannot be
    read."""
    try:
        read_parts(content)
    except WorkbookError as error:
        raise ChecklistError(str(error)) from None
    file = openpyxl.load_workbook(io.BytesIO(content), data_only=True)
    if SHEET not in file.sheetnames:
        raise ChecklistError(f"there is no sheet {SHEET}")
    page = TRIAL if TRIAL.stem in str(file[SHEET]["A2"].value) else PAGE
    todo = steps(page.read_text(encoding="utf-8"))
    facts, answered, wrong = dict[str, str](), list[Step](), list[str]()
    section = ""
    for row, cells in enumerate(file[SHEET].iter_rows(max_col=5, values_only=True), 1):
        number, do, expected, answer, seen = cells
        if isinstance(number, str):
            section = number if do is None else section
        elif isinstance(number, int | float):
            said = _said(answer).lower() or NOT_TRIED
            if said not in ANSWERS:
                wrong.append(
                    f"answer must be {', '.join(ANSWERS)}, got {answer!r} @ {SHEET}!D{row}"
                )
            texts = _said(do), _said(expected), said, _said(seen)
            answered.append(Step(section, int(number), *texts))
        elif do in (*FACTS, FOUND):
            facts[_said(do)] = _said(expected)
    if not answered:
        wrong.append(f"there are no steps @ {SHEET}")
    if wrong:
        raise ChecklistError("\n".join(wrong))
    given = {step.text: step for step in answered}
    seen_today = [
        replace(step, answer=there.answer, seen=there.seen)
        if (there := given.pop(step.text, None))
        else step
        for step in todo
    ]
    return Report(facts, seen_today, [s for s in given.values() if s.answer != NOT_TRIED])


def _said(cell: object) -> str:
    return "" if cell is None else str(cell).strip()


def told(report: Report) -> Iterator[str]:
    """What is read of a report, line by line."""
    for fact, said in report.facts.items():
        yield f"{fact}: {said or 'not said'}"
    for answer, heading in (
        (NOT, "not as expected"),
        (NOT_TRIED, "not tried, so unproven"),
        (AS_EXPECTED, AS_EXPECTED),
    ):
        found = report.of(answer)
        yield f"\n{len(found)} of {len(report.steps)} {heading}"
        for step in found:
            short = answer == AS_EXPECTED and not step.seen
            yield from [] if short else _lines(step)
    if report.outdated:
        yield f"\nanswers to steps that have changed since: {len(report.outdated)}"
        for step in report.outdated:
            yield from _lines(step)


def _lines(step: Step) -> Iterator[str]:
    yield f"{step.number:>3}  {step.do}"
    if step.answer == NOT:
        yield f"     expected: {step.expected}"
    if step.seen:
        yield f"     {'seen' if step.answer == NOT else 'noted'}: {step.seen}"


# --- commands -----------------------------------------------------------------------------------


@click.group()
def main() -> None:
    """Make the checklist for Excel as one file, and read it back."""


@main.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def make(file: Path) -> None:
    """Write FILE, an .xlsx to be filled in."""
    if file.exists():
        raise click.ClickException(f"{file} exists, and may hold answers")
    write_whole(file, workbook(steps(PAGE.read_text(encoding="utf-8"))))
    click.echo(str(file))


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print it for programs.")
def read(file: Path, as_json: bool) -> None:
    """Say what FILE shows; the exit code is 1 if something was not as expected."""
    try:
        found = report(file.read_bytes())
    except ChecklistError as error:
        raise click.ClickException(
            "\n".join(f"{file}: {e}" for e in str(error).splitlines())
        ) from None
    if as_json:
        click.echo(json.dumps(asdict(found), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(told(found)))
    if any(step.answer == NOT for step in (*found.steps, *found.outdated)):
        sys.exit(1)


if __name__ == "__main__":
    main()
