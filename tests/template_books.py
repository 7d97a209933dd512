"""Template workbooks in tests: built, computed by other programs, compared, checked as packages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lxml import etree
from pyopenvba.apps.excel import ExcelApplication

from elo_xl.templates.forms import Form, Options
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.in_place import read_parts
from tests import package_rules

Wrong = list[tuple[str, str, str, object, object]]

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def build(template: str, options: Options, content: Any = None) -> Form:
    """A workbook, not yet saved: its formulas' values are in ``values``."""
    form = Form(template, options)
    module = TEMPLATES[template].module
    module.build(form, module.EMPTY if content is None else content)
    return form


def same(found: object, value: object) -> bool:
    if value == "":
        return found in (None, "")
    if isinstance(value, str) or isinstance(found, str | None):
        return found == value
    number = float(value)  # type: ignore[arg-type]
    return abs(float(found) - number) <= 1e-12 * max(1.0, abs(number))  # type: ignore[arg-type]


def differences(forms: Mapping[str, Form], found: Mapping[str, Any]) -> Wrong:
    """Book, sheet, cell, value and what was found, of every cell that differs."""
    return [
        (name, sheet, cell, value, found[name][sheet].get(cell))
        for name, form in forms.items()
        for (sheet, cell), value in form.values.items()
        if not same(found[name][sheet].get(cell), value)
    ]


def native_differences(form: Form, path: Path) -> Wrong:
    """The calls of LAMBDA names that another engine computes otherwise.

    Only they have no cached value in its file: what they read is known, for the engine gives 0
    where it has to go too deep at once. All other formulas are those of the other flavours.
    """
    known = dict(form.values)
    for cell in form.calls:
        del form.values[cell]
    path.write_bytes(form.content())
    form.values = known
    app = ExcelApplication.open(str(path))
    return [
        (path.name, sheet, cell, known[sheet, cell], found)
        for sheet, cell in sorted(form.calls)
        if not same(found := app.sheet(sheet).value(cell), known[sheet, cell])
    ]


def problems(content: bytes) -> list[str]:
    """What Excel would repair or cut: see :mod:`tests.package_rules`, and cells and validations."""
    found = package_rules.problems(content)
    for name, part in read_parts(content).items():
        if name.startswith("xl/worksheets/sheet"):
            found += [f"{name}: {what}" for what in _in_sheet(etree.fromstring(part))]
    return found


def _in_sheet(root: Any) -> Iterable[str]:
    last = (0, 0)
    for cell in root.iter(f"{MAIN}c"):
        at = _place(cell.get("r"))
        if at <= last:
            yield f"cell {cell.get('r')} is out of order"
        last = at
        formula, value = cell.find(f"{MAIN}f"), cell.find(f"{MAIN}v")
        if formula is not None and not formula.text:
            yield f"cell {cell.get('r')} has an empty formula"
        if formula is not None and len(formula.text or "") > 8000:
            yield f"cell {cell.get('r')} has a formula of {len(formula.text)} characters"
        if value is not None and value.text is None and cell.get("t") != "str":
            yield f"cell {cell.get('r')} has an empty value"
    for rule in root.iter(f"{MAIN}dataValidation"):
        for attribute, most in (
            ("promptTitle", 32),
            ("prompt", 255),
            ("errorTitle", 32),
            ("error", 255),
        ):
            if len(rule.get(attribute, "")) > most:
                yield f"validation {rule.get('sqref')}: {attribute} is too long"
        for formula in rule:
            if len(formula.text or "") > 255:
                yield f"validation {rule.get('sqref')}: its formula is too long"


def _place(cell: str) -> tuple[int, int]:
    from openpyxl.utils import coordinate_to_tuple

    return coordinate_to_tuple(cell)
