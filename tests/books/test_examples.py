"""The files for whom nothing may be installed: every example, computed by others."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.utils.cell import rows_from_range
from openpyxl.worksheet.formula import ArrayFormula

from elo_xl.books import examples
from elo_xl.functions.catalogue import functions
from elo_xl.functions.cells import to_block
from elo_xl.functions.native import lambda_names, lambda_stored
from elo_xl.hosts import lambdas
from elo_xl.xlsx.in_place import read_parts
from elo_xl.xlsx.stored import called
from tests.support.calc import Calc
from tests.support.lint import problems
from tests.support.native_host import computed, same


@pytest.fixture(scope="module")
def content() -> bytes:
    return examples.workbook()


Place = tuple[str, str]


def formulas(content: bytes) -> dict[Place, tuple[str, str, Any]]:
    """By sheet and cell: formula, the cells that it fills, and the values that the file shows."""
    written = openpyxl.load_workbook(io.BytesIO(content))
    shown = openpyxl.load_workbook(io.BytesIO(content), data_only=True)
    found: dict[Place, tuple[str, str, Any]] = {}
    for sheet in written:
        for cell in (cell for row in sheet.iter_rows() for cell in row):
            if isinstance(cell.value, ArrayFormula):
                formula, area = str(cell.value.text), str(cell.value.ref)
                rows = rows_from_range(area)
                values = [[shown[sheet.title][place].value for place in row] for row in rows]
                one = len(values) == len(values[0]) == 1
                found[sheet.title, cell.coordinate] = formula, area, values[0][0] if one else values
    return found


def test_every_sheet_takes_along_what_it_calls(content: bytes) -> None:
    """Excel copies with a sheet the names that its cells use."""
    names = set(lambda_names())
    by_sheet: dict[str, set[str]] = {}
    for (sheet, _), (formula, _, _) in formulas(content).items():
        by_sheet.setdefault(sheet, set()).update(called(formula) & names)
    assert names == by_sheet.pop(examples.ALL)
    assert list(by_sheet) == list(
        dict.fromkeys(functions()[name].family for name in lambda_names())
    )
    for sheet, used in by_sheet.items():
        needed = {n for name in used for n in called(lambda_stored(name)) & names}
        assert needed <= used, sheet
    assert names == set().union(*by_sheet.values())


def test_every_example_of_the_catalogue_is_there(content: bytes) -> None:
    found = formulas(content)
    for name in lambda_names():
        function = functions()[name]
        calls = [
            shown
            for (sheet, _), (formula, _, shown) in found.items()
            if sheet == function.family and formula.startswith(f"={name}(")
        ]
        assert len(calls) == len(function.examples)
        for example, value in zip(function.examples, calls, strict=True):
            assert same(example.result, value, relative=1e-9), (name, example)


def test_excel_takes_the_file_and_has_the_values_that_spill(content: bytes) -> None:
    assert problems(content) == []
    sheet = read_parts(content)["xl/worksheets/sheet1.xml"].decode()
    spilled = re.search(
        r'<c r="D(\d+)"[^>]* cm="1"[^>]*><f t="array" ref="D\1:F\1">ELO_OUTCOMES\(', sheet
    )
    assert spilled is not None
    lists = openpyxl.load_workbook(io.BytesIO(content))["Ratings"].data_validations.dataValidation
    assert any('"fide,' in (rule.formula1 or "") for rule in lists)
    assert all(len(rule.formula1 or "") <= 255 and len(rule.prompt) <= 255 for rule in lists)


@pytest.mark.slow
def test_an_engine_with_lambda_computes_what_the_file_shows(content: bytes, tmp_path: Path) -> None:
    path, found = tmp_path / "book.xlsx", formulas(content)
    path.write_bytes(content)
    for (place, (formula, _, shown)), value in zip(
        found.items(), computed(path, found), strict=True
    ):
        assert same(shown, value), (place, formula, shown, value)


def test_libreoffice_computes_what_the_first_sheet_shows(
    content: bytes, tmp_path: Path, addin_calc: Calc
) -> None:
    """It has no LAMBDA; without the names, its add-in takes the same calls. On the other sheets it
    takes blank cells for 0."""
    path = tmp_path / "book.xlsx"
    path.write_bytes(lambdas.take_out(content))
    values = addin_calc.recalculate(path)[examples.ALL]
    asked = {p: found for p, found in formulas(content).items() if p[0] == examples.ALL}
    assert len(asked) == len(lambda_names())
    for formula, area, shown in asked.values():
        theirs = [values.get(cell, "") for row in rows_from_range(area) for cell in row]
        ours = list(to_block(shown).cells)
        assert same([ours], [theirs], relative=1e-9), (formula, ours, theirs)
