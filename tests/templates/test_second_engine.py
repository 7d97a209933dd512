"""Another spreadsheet engine computes the books' samples: IronCalc, written by others in Rust."""

from __future__ import annotations

import re
from pathlib import Path

import ironcalc
import pytest
from lxml import etree
from openpyxl.utils import coordinate_to_tuple

from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.in_place import read_parts, with_parts
from elo_xl.xlsx.opc import CELL, FORMULA, VALUE, from_bytes
from tests.support.levels import amount
from tests.support.once import made
from tests.support.template_books import same, sized

pytestmark = pytest.mark.slow

NOT_COMPUTED = re.compile(
    r"\{|LOOKUP\(|SUMPRODUCT\(.*NORM|\):INDEX\(|MAX\(.*INDEX\(|SUMPRODUCT\(M(?:AX|IN)|SUMPRODUCT\(.*ABS\(|ROW\(|MOD\("
)
"""Formulas whose arrays this engine does not work out: they stand there as their values."""


def as_it_reads(content: bytes) -> bytes:
    """A file for this engine: no styled blanks, which it takes for 0, and values in the place of
    the formulas that it does not compute."""
    changed = {}
    for name, part in read_parts(content).items():
        if not re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name):
            continue
        root = from_bytes(part)
        for cell in list(root.iter(CELL)):
            formula = cell.find(FORMULA)
            if formula is not None and NOT_COMPUTED.search(formula.text or ""):
                cell.remove(formula)
            if cell.find(FORMULA) is None and cell.find(VALUE) is None and not len(cell):
                parent = cell.getparent()
                assert parent is not None
                parent.remove(cell)
        changed[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return with_parts(content, changed)


def close(found: object, value: object) -> bool:
    """Its normal distribution has ten digits."""
    numbers = isinstance(found, float) and isinstance(value, float)
    return numbers and found == pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("template", TEMPLATES)
def test_samples(template: str, tmp_path: Path) -> None:
    book = made(template, amount(sized(template), gallery.options(template)))
    path = tmp_path / "book.xlsx"
    path.write_bytes(as_it_reads(book.file))
    model = ironcalc.load_from_xlsx(str(path))
    model.evaluate()
    sheets = {sheet.title: i for i, sheet in enumerate(book.workbook.worksheets)}
    differ = {}
    for (sheet, cell), value in book.values.items():
        found = model.get_cell_value(sheets[sheet], *coordinate_to_tuple(cell))
        if not (same(found, value) or close(found, value)):
            differ[sheet, cell] = value, found, book.workbook[sheet][cell].value
    assert differ == {}
