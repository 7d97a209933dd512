"""What is typed wrong is marked: the rules of the colours, computed by LibreOffice cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openpyxl.formula.translate import Translator
from openpyxl.worksheet.worksheet import Worksheet

from elo_xl.templates import gallery
from elo_xl.templates.forms import Form
from elo_xl.templates.gallery import TEMPLATES
from tests.support.calc import Calc
from tests.support.template_books import build
from tests.support.template_events import GENERATORS

EVERY = 12
"""Players, and rounds, of a book that takes more; wrong entries come early."""


def warnings(sheet: Worksheet) -> Iterator[tuple[Any, str]]:
    """Each range and formula of a rule that colours, without those that only guide the eye."""
    for area in sheet.conditional_formatting:
        for rule in area.rules:
            if rule.dxf.fill is not None:
                for cells in area.sqref.ranges:
                    yield cells, rule.formula[0]


def with_rules(form: Form) -> dict[tuple[str, int], list[str]]:
    """Write each rule beside the cells that it colours; the places by sheet and row."""
    places: dict[tuple[str, int], list[str]] = {}
    for sheet in form.workbook.worksheets:
        left = sheet.max_column + 1
        for cells, formula in list(warnings(sheet)):
            origin = sheet.cell(cells.min_row, cells.min_col).coordinate
            rule = Translator(f"={formula}", origin=origin)
            for row, column in cells.cells:
                beside = sheet.cell(row, left + column - cells.min_col)
                beside.value = rule.translate_formula(sheet.cell(row, column).coordinate)
                places.setdefault((sheet.title, row), []).append(beside.coordinate)
            left += cells.max_col - cells.min_col + 1
    return places


def checks(form: Form) -> dict[tuple[str, int], str]:
    """What the cells of each row say is wrong, by sheet and row."""
    found: dict[tuple[str, int], str] = {}
    for (sheet, at), value in form.values.items():
        cell = form.workbook[sheet][at]
        if cell.style.startswith("Elo attention"):
            found[sheet, cell.row] = found.get((sheet, cell.row), "") + str(value)
    return found


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_row_is_marked_where_its_check_says_something(
    template: str, calc: Calc, tmp_path: Path
) -> None:
    known = TEMPLATES[template]
    rounds = min(known.rounds[1], EVERY) if known.rounds else None
    players = min(known.players[1], EVERY) if known.players else None
    forms, places = {}, {}
    for seed in (2, 3, 6, 7):
        options = gallery.options(template, players=players, rounds=rounds)
        content = GENERATORS[template](options, seed, wrong=True, full=seed % 2 == 1)
        name = f"{template} {seed}"
        forms[name] = build(template, options, content)
        places[name] = with_rules(forms[name])
    found = calc.recalculate_all({name: saved(form, tmp_path) for name, form in forms.items()})
    marked: dict[str, int] = {}
    for name, form in forms.items():
        for (sheet, row), said in checks(form).items():
            rules = [found[name][sheet].get(at) for at in places[name].get((sheet, row), [])]
            assert set(rules) <= {True, False}, (name, sheet, row)
            assert any(rules) == bool(said), (name, sheet, row, said)
            marked[said] = marked.get(said, 0) + 1
    assert len(marked) > 2, "hardly anything was wrong"


def saved(form: Form, folder: Path) -> bytes:
    path = folder / "book.xlsx"
    form.workbook.save(path)
    return path.read_bytes()
