"""Gnumeric computes the books' samples: what it computes otherwise, it lacks.

It was chosen because it opens the files themselves and lacks least: it computes 97 of 100 formulas
as they stand there. HyperFormula computes as many, but only as its own grammar spells them, and
IronCalc 80. Gnumeric puts formulas in order by what they refer to, so that a circle of references
is an error. A formula that needs what it lacks stands there as its value.
"""

from __future__ import annotations

import os
import re
import subprocess
import warnings
from pathlib import Path

import openpyxl
import pytest
from lxml import etree

from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.formula import Call, Node, Number, parse, walk
from elo_xl.xlsx.in_place import read_parts, with_parts
from elo_xl.xlsx.opc import CELL, FORMULA, VALUE, from_bytes
from tests.support import ROOT
from tests.support.once import made
from tests.support.template_books import same, sized

pytestmark = pytest.mark.proof

NOT_LIFTED = frozenset(
    ("ABS", "INT", "LARGE", "LOOKUP", "MAX", "MIN", "MOD", "ROW", "SIGN", "SMALL", "VALUE")
)
"""What Gnumeric does not work out for arrays inside SUMPRODUCT."""


@pytest.fixture(scope="session")
def ssconvert() -> str:
    """Gnumeric's program."""
    script = ROOT / "scripts" / "gnumeric.sh"
    found = subprocess.run([script, "--find"], capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.fail(found.stderr.strip(), pytrace=False)
    return found.stdout.strip()


def lacks(node: Node) -> bool:
    """Whether a part of a formula needs what Gnumeric has not."""
    match node:
        case Call("SUMPRODUCT", arguments):
            parts = [part for argument in arguments for part in walk(argument)]
            return any(isinstance(part, Call) and part.name in NOT_LIFTED for part in parts)
        case Call(name, arguments):
            return name == "INDEX" and Number("0") in arguments[1:]
    return False


def as_it_reads(content: bytes) -> bytes:
    """A file for Gnumeric: values in the place of the formulas that it does not compute."""
    changed = {}
    for name, part in read_parts(content).items():
        if not re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name):
            continue
        root = from_bytes(part)
        for cell in root.iter(CELL):
            formula, value = cell.find(FORMULA), cell.find(VALUE)
            if formula is None or not any(map(lacks, walk(parse(formula.text or "")))):
                continue
            if value is None or not value.text:
                formula.text = '""'  # a blank cell would count as 0
            else:
                cell.remove(formula)
        changed[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return with_parts(content, changed)


def close(found: object, value: object) -> bool:
    """Its normal distribution has ten digits."""
    numbers = isinstance(found, int | float) and isinstance(value, int | float)
    return numbers and found == pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("template", TEMPLATES)
def test_samples(template: str, ssconvert: str, tmp_path: Path) -> None:
    book = made(template, sized(template))
    given, saved = tmp_path / "book.xlsx", tmp_path / "computed.xlsx"
    given.write_bytes(as_it_reads(book.file))
    subprocess.run(
        [ssconvert, "--recalc", "--export-type=Gnumeric_Excel:xlsx2", given, saved],
        env=os.environ | {"LC_ALL": "C.UTF-8", "HOME": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        computed = openpyxl.load_workbook(saved, data_only=True)
    found = {at: computed[at[0]][at[1]].value for at in book.values}
    differ = {
        (sheet, cell): (value, found[sheet, cell], book.workbook[sheet][cell].value)
        for (sheet, cell), value in book.values.items()
        if not (same(found[sheet, cell], value) or close(found[sheet, cell], value))
    }
    assert differ == {}
