"""The books use what Google Sheets has, by Google's own list: nobody opened them in the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from elo_xl.functions.native.inlined import SHARED
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.fill import place
from elo_xl.xlsx.formula import (
    ArrayConstant,
    Binary,
    Call,
    Name,
    Node,
    Number,
    Reference,
    Unary,
    children,
    parse,
    walk,
)
from elo_xl.xlsx.in_place import read_parts
from elo_xl.xlsx.opc import BOOK, MAIN, from_bytes
from elo_xl.xlsx.stored import FUNCTION
from tests.support import ROOT
from tests.support.once import made
from tests.support.template_books import sized

FORMULAS: Final = tuple(f"{MAIN}{tag}" for tag in ("f", "formula", "formula1", "formula2"))
"""In cells, marks and validations."""

RANGES: Final = frozenset(
    (
        *("AND", "AVERAGE", "AVERAGEIF", "AVERAGEIFS", "COLUMNS", "COUNT", "COUNTIF", "COUNTIFS"),
        *("INDEX", "LARGE", "LOOKUP", "MATCH", "MAX", "MEDIAN", "MIN", "MINVERSE", "MMULT", "OR"),
        *("PRODUCT", "RANK", "ROWS", "SMALL", "SUM", "SUMIF", "SUMIFS", "SUMSQ", "VAR"),
    )
)
"""The functions to which books give several cells at a time."""


def in_sheets() -> dict[str, tuple[int, float]]:
    """The functions of Google Sheets, with the least and the most arguments."""
    found: dict[str, tuple[int, float]] = {}
    for line in (ROOT / "tests" / "data" / "sheets_functions.txt").read_text().splitlines():
        if not line.startswith("#"):
            counts, _, names = line.partition(":")
            least, most = counts.split()
            bounds = int(least), float("inf") if most == "-" else int(most)
            found |= dict.fromkeys(names.split(), bounds)
    return found


SHEETS: Final = in_sheets()


def trees(content: bytes) -> Iterator[Node]:
    """The formulas of a file, each once."""
    texts = {
        node.text
        for name, part in read_parts(content).items()
        if name.startswith("xl/worksheets/sheet")
        for node in from_bytes(part).iter(*FORMULAS)
        if node.text and not node.text.startswith('"')  # the choices of a list
    }
    return map(parse, sorted(texts))


def lacking(tree: Node) -> Iterator[str]:
    """What Google Sheets does not have of a formula: functions, or some of their arguments."""
    for node in walk(tree):
        if isinstance(node, Call):
            least, most = SHEETS.get(node.name.removeprefix(FUNCTION), (0, -1))
            if not least <= len(node.arguments) <= most:
                yield f"{node.name} of {len(node.arguments)}"


def several(node: Node | None) -> bool:
    """Whether a part of a formula is several cells or values."""
    match node:
        case ArrayConstant() | Binary(":"):
            return True
        case Reference(text):
            written = place(text)
            return written is not None and written.last not in (None, written.first)
        case Call("INDEX", (_, *which)):
            return Number("0") in which
    return False


def lifted(node: Node) -> Iterator[Node]:
    """The parts that work out an array, for which Google Sheets needs SUMPRODUCT around them."""
    match node:
        case Call("SUMPRODUCT"):
            return
        case Call(name) if name in RANGES:
            pass
        case Binary(":"):
            pass
        case Call() | Unary() | Binary() if any(map(several, children(node))):
            yield node
    for child in children(node):
        yield from lifted(child)


@pytest.mark.slow
@pytest.mark.parametrize("template", TEMPLATES)
def test_google_sheets_has_what_books_use(template: str) -> None:
    file = made(template, sized(template)).file
    formulas = list(trees(file))
    assert len(formulas) > 100
    assert set() == {what for tree in formulas for what in lacking(tree)}
    assert [] == [part for tree in formulas for part in lifted(tree)]
    # a name is one of cells there; the others say what is printed
    defined = from_bytes(read_parts(file)[BOOK]).iter(f"{MAIN}definedName")
    ranges = {name.get("name") for name in defined if place(name.text or "") is not None}
    used = {node.text for tree in formulas for node in walk(tree) if isinstance(node, Name)}
    assert {"Players_so_far"} >= used - ranges  # a list to choose from; whoever has none types


def test_google_sheets_has_what_formulas_of_functions_use() -> None:
    assert set() == SHARED - SHEETS.keys()


@pytest.mark.parametrize(
    ("formula", "lacks"),
    [
        ('_xlfn.NUMBERVALUE(A1,".")', ["_xlfn.NUMBERVALUE of 2"]),
        ("_xlfn.NORM.S.DIST(A1,TRUE)+NORMSDIST(A1)", ["_xlfn.NORM.S.DIST of 2"]),
        ("SUM(A1:A3)", []),
    ],
)
def test_what_it_lacks_is_found(formula: str, lacks: list[str]) -> None:
    assert lacks == list(lacking(parse(formula)))


@pytest.mark.parametrize(
    ("formula", "arrays"),
    [("SUM(A1:A3*2)", 1), ("LOOKUP(2,1/(A1:A3<>0),B1:B3)", 1), ("SUMPRODUCT(A1:A3*2)", 0)],
)
def test_an_array_outside_sumproduct_is_found(formula: str, arrays: int) -> None:
    assert arrays == len(list(lifted(parse(formula))))
