"""HyperFormula and Gnumeric compute the books' samples: what they compute otherwise, they lack.

Both put formulas in order by what they refer to, so that a circle of references is an error. A
formula that needs what an engine lacks stands there as its value.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import warnings
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from lxml import etree
from openpyxl.utils import coordinate_to_tuple
from openpyxl.utils.datetime import to_excel

from elo_xl.books.book import Book
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.fill import place
from elo_xl.xlsx.formula import (
    ArrayConstant,
    Binary,
    Call,
    Constant,
    Node,
    Number,
    Reference,
    Unary,
    parse,
    to_text,
    walk,
)
from elo_xl.xlsx.in_place import read_parts, with_parts
from elo_xl.xlsx.opc import CELL, FORMULA, VALUE, from_bytes
from elo_xl.xlsx.stored import FUNCTION
from tests.support import ROOT
from tests.support.template_books import same, sized

pytestmark = pytest.mark.proof


@pytest.fixture(scope="session")
def engines() -> tuple[str, str]:
    """The folder of HyperFormula, and Gnumeric's program ssconvert."""
    script = ROOT / "scripts" / "engines.sh"
    found = subprocess.run([script, "--find"], capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.fail(found.stderr.strip(), pytrace=False)
    hyperformula, ssconvert = found.stdout.splitlines()
    return hyperformula, ssconvert


def hyperformula_lacks(node: Node) -> bool:
    """Whether a part of a formula needs what HyperFormula has not."""
    match node:
        case Call(name, arguments):
            several = [place(a.text) for a in arguments if isinstance(a, Reference)]
            blocks = [each for each in several if each is not None and each.last is not None]
            wide = any(b.last and b.last.column != b.first.column for b in blocks)
            return (
                name.removeprefix(FUNCTION) in ("AVERAGEIFS", "LOOKUP", "RANK")
                or (name == "ROW" and bool(blocks))  # the numbers of several rows
                or (name == "SUMIF" and wide)  # of several columns
                or (name == "INDEX" and Number("0") in arguments[1:])  # a row, or a column
            )
        case Binary(":"):  # INDEX():INDEX()
            return True
    return False


NOT_LIFTED = frozenset(
    ("ABS", "INT", "LARGE", "LOOKUP", "MAX", "MIN", "MOD", "ROW", "SIGN", "SMALL", "VALUE")
)
"""What Gnumeric does not work out for arrays inside SUMPRODUCT."""


def gnumeric_lacks(node: Node) -> bool:
    """Whether a part of a formula needs what Gnumeric has not."""
    match node:
        case Call("SUMPRODUCT", arguments):
            parts = [part for argument in arguments for part in walk(argument)]
            return any(isinstance(part, Call) and part.name in NOT_LIFTED for part in parts)
        case Call(name, arguments):
            return name == "INDEX" and Number("0") in arguments[1:]
    return False


def close(found: object, value: object) -> bool:
    """Their normal distributions have ten digits."""
    numbers = isinstance(found, int | float) and isinstance(value, int | float)
    return numbers and found == pytest.approx(value, rel=1e-9, abs=1e-9)


def differences(
    book: Book, found: Callable[[str, str], object]
) -> dict[tuple[str, str], tuple[object, ...]]:
    """Of each cell with another value: what the book shows, what was found, the formula."""
    return {
        (sheet, cell): (value, found(sheet, cell), book.workbook[sheet][cell].value)
        for (sheet, cell), value in book.values.items()
        if not (same(found(sheet, cell), value) or close(found(sheet, cell), value))
    }


def sample(template: str) -> Book:
    options = sized(template)
    return gallery.build(template, options, gallery.sample(template, options))


# -- HyperFormula ---------------------------------------------------------------------------------


def in_its_grammar(node: Node) -> Node:
    """A formula as HyperFormula reads it: TRUE() for TRUE, no 1E-9, no prefixes."""
    match node:
        case Constant("TRUE" | "FALSE" as text):
            return Call(text, ())
        case Number(text) if "E" in text.upper():
            return Number(f"{float(text):.20f}".rstrip("0"))
        case Call("NORMSDIST", (at,)):
            return Call("NORM.S.DIST", (at and in_its_grammar(at), Call("TRUE", ())))
        case Call(name, arguments):
            given = tuple(a and in_its_grammar(a) for a in arguments)
            return Call(name.removeprefix(FUNCTION), given)
        case Unary(operator, operand):
            return Unary(operator, in_its_grammar(operand))
        case Binary(operator, left, right):
            return Binary(operator, in_its_grammar(left), in_its_grammar(right))
        case ArrayConstant(rows):
            return ArrayConstant(tuple(tuple(map(in_its_grammar, row)) for row in rows))
    return node


def entries(book: Book) -> Iterator[tuple[str, list[list[Any]]]]:
    """The cells of each sheet as HyperFormula takes them."""
    for sheet in book.workbook.worksheets:
        rows: list[list[Any]] = []
        for row in sheet.iter_rows(1, sheet.max_row, 1, sheet.max_column):
            rows.append([])
            for cell in row:
                value: Any = cell.value
                if cell.data_type == "f":
                    tree = parse(str(value))
                    value = "=" + to_text(in_its_grammar(tree))
                    if any(map(hyperformula_lacks, walk(tree))):
                        known = book.values[sheet.title, cell.coordinate]
                        value = f"'{known}" if isinstance(known, str) else known
                        value = '=""' if value == "'" else value
                elif isinstance(value, str):
                    value = f"'{value}"
                elif isinstance(value, date):
                    value = to_excel(value)
                rows[-1].append(value)
        yield sheet.title, rows


@pytest.mark.parametrize("template", TEMPLATES)
def test_hyperformula(template: str, engines: tuple[str, str]) -> None:
    book = sample(template)
    names = {name: f"={one.attr_text}" for name, one in book.workbook.defined_names.items()}
    run = subprocess.run(
        ["node", ROOT / "tests" / "hyperformula" / "compute.mjs", engines[0]],
        input=json.dumps({"sheets": dict(entries(book)), "names": names}),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    computed = json.loads(run.stdout)

    def found(sheet: str, cell: str) -> object:
        row, column = coordinate_to_tuple(cell)
        rows = computed[sheet]
        return rows[row - 1][column - 1] if column <= len(rows[row - 1]) else None

    assert differences(book, found) == {}


# -- Gnumeric -------------------------------------------------------------------------------------


def as_it_reads(content: bytes) -> bytes:
    """A file for Gnumeric: values in the place of the formulas that it does not compute."""
    changed = {}
    for name, part in read_parts(content).items():
        if not re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name):
            continue
        root = from_bytes(part)
        for cell in root.iter(CELL):
            formula, value = cell.find(FORMULA), cell.find(VALUE)
            if formula is None or not any(map(gnumeric_lacks, walk(parse(formula.text or "")))):
                continue
            if value is None or not value.text:
                formula.text = '""'  # a blank cell would count as 0
            else:
                cell.remove(formula)
        changed[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return with_parts(content, changed)


@pytest.mark.parametrize("template", TEMPLATES)
def test_gnumeric(template: str, engines: tuple[str, str], tmp_path: Path) -> None:
    book = sample(template)
    given, made = tmp_path / "book.xlsx", tmp_path / "computed.xlsx"
    given.write_bytes(as_it_reads(book.file()))
    subprocess.run(
        [engines[1], "--recalc", "--export-type=Gnumeric_Excel:xlsx2", given, made],
        env=os.environ | {"LC_ALL": "C.UTF-8", "HOME": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        computed = openpyxl.load_workbook(made, data_only=True)
    assert differences(book, lambda sheet, cell: computed[sheet][cell].value) == {}
