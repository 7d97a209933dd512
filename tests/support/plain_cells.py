"""Find the ranges in a formula of which Excel 2016 sees one value only, in a plain cell.

Excel 365 and LibreOffice's SUMPRODUCT work them out as arrays, so only this rule finds them.
"""

from collections.abc import Callable, Iterator, Mapping, Set
from typing import Final

from elo_xl.xlsx.fill import one_row
from elo_xl.xlsx.formula import Call, FormulaError, Name, Node, Reference, children, parse
from elo_xl.xlsx.opc import MAIN, Element
from elo_xl.xlsx.stored import called

_ADDING_UP: Final = frozenset(("SUMPRODUCT", "MMULT"))
#: Functions that see one value of a range even inside SUMPRODUCT.
_ONE_VALUE: Final = frozenset(("IF", "IFERROR", "CHOOSE", "_XLFN.IFNA", "N", "T"))
#: Functions that make one value of a range.
_REDUCING: Final = frozenset(
    (
        *("SUM", "SUMPRODUCT", "SUMIF", "SUMIFS", "COUNT", "COUNTA", "COUNTIF", "COUNTIFS"),
        *("MAX", "MIN", "AVERAGE", "ROWS", "COLUMNS", "AND", "OR"),
    )
)
#: Functions that give as many values as these of their arguments have.
_LOOKING_UP: Final = {
    **dict.fromkeys(("MATCH", "LOOKUP", "VLOOKUP", "HLOOKUP"), slice(1)),
    "INDEX": slice(1, None),
}
#: Functions that give a range as it is, or work out an array in every cell.
_REFERRING: Final = frozenset(("INDEX", "OFFSET", "INDIRECT", "CHOOSE"))


def plain_problems(
    tree: Node, ranges: Set[str] = frozenset(), *, arrays: bool = False
) -> Iterator[str]:
    """The problems of a formula in a plain cell.

    >>> list(plain_problems(parse('SUMPRODUCT(IF(Points="",0,1))'), {"POINTS"}))
    ['IF over a range inside SUMPRODUCT needs an array formula']

    ``ranges`` are the names that mean several cells, in capitals; ``arrays`` says that a function
    around the formula works out arrays.
    """
    if isinstance(tree, Call):
        name = tree.name.upper()
        first, second = (*tree.arguments, None, None)[:2]
        if name in _ONE_VALUE and arrays and _has_range(first, ranges):
            yield f"{name} over a range inside SUMPRODUCT needs an array formula"
        as_it_is = isinstance(second, Name | Reference) or (
            isinstance(second, Call) and second.name.upper() in _REFERRING
        )
        if name == "MATCH" and not (arrays or as_it_is) and _has_range(second, ranges):
            yield "MATCH in values that are worked out of a range needs an array formula"
        arrays |= name in _ADDING_UP
    for child in children(tree):
        yield from plain_problems(child, ranges, arrays=arrays)


def range_names(book: Element) -> tuple[frozenset[str], frozenset[str]]:
    """The names of a workbook, in capitals, that mean several cells, and those that mean a row."""
    texts = {
        entry.get("name", "").upper(): entry.text or "" for entry in book.iter(f"{MAIN}definedName")
    }
    areas = {name: tree for name, text in texts.items() if (tree := _area(text)) is not None}
    return _meaning(areas, _has_range), _meaning(areas, one_row)


def _area(text: str) -> Node | None:
    """The meaning of a name, unless it calls a function."""
    try:
        return None if called(text) else parse(text)
    except FormulaError:
        return None


def _meaning(areas: Mapping[str, Node], test: Callable[[Node, Set[str]], bool]) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    while True:  # until no name means another one that does
        more = found | {name for name, tree in areas.items() if test(tree, found)}
        if more == found:
            return found
        found = more


def _has_range(node: Node | None, ranges: Set[str]) -> bool:
    """Whether a formula gives several values: a range that no function reduces to one."""
    match node:
        case Reference(text):
            return ":" in text or text.rpartition("!")[2].upper() in ranges
        case Name(text):
            return text.upper() in ranges
        case Call(name, arguments) if name.upper() in _LOOKING_UP:
            return any(_has_range(each, ranges) for each in arguments[_LOOKING_UP[name.upper()]])
        case Call(name) if name.upper() in _REDUCING:
            return False
        case None:
            return False
    return any(_has_range(child, ranges) for child in children(node))
