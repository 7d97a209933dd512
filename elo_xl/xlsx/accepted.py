"""What Excel accepts in a file: names, formulas and texts; anything else it repairs or refuses.

Other programs accept much more, so that only these rules find it. The numbers of arguments are
those of the grammar of formulas (ISO/IEC 29500-1, 18.17, and [MS-XLSX], 2.2.2), the limits those
that Microsoft lists as *Excel specifications and limits*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Final

from elo_xl.xlsx.cell_xml import escaped
from elo_xl.xlsx.fill import COLUMNS, ROWS, place
from elo_xl.xlsx.formula import (
    ArrayConstant,
    Call,
    Constant,
    Name,
    Node,
    Number,
    Reference,
    Text,
    Unary,
    children,
    walk,
)
from elo_xl.xlsx.stored import FUNCTION, LONGEST, cell_like

MOST_TEXT: Final = 255
"""of a text in a formula, a list of choices, a number format, a name: its characters"""
MOST_ARGUMENTS: Final = 255
MOST_NESTED: Final = 64
MOST_DEEP: Final = 200
"""Operators and calls within each other: Excel has no such limit, but the evaluator has."""

_NAME: Final = re.compile(r"(?:[^\W\d]|\\)[\w.\\?]*")

#: Texts in quotes, what stands in brackets, a sign behind its mark, and any other sign.
_FORMAT: Final = re.compile(r'(?:"[^"]*"|\[[^]["]*\]|[\\_*].|[^]["\\_*])*+')

_COUNTS: Final = {
    "0 0": "FALSE NA PI TRUE",
    "0 1": "COLUMN ROW",
    "1 1": "ABS CHAR CLEAN COLUMNS COUNTBLANK DAY EXP INT ISBLANK ISERR ISERROR ISEVEN ISLOGICAL "
    "ISNA ISNUMBER ISODD ISTEXT LEN LN LOG10 LOWER MINVERSE MONTH N NORM.S.INV NORMSDIST NORMSINV "
    "NOT ROWS SIGN SQRT TRIM UNICHAR UPPER VALUE YEAR",
    "1 2": "HYPERLINK LEFT LOG RIGHT TRUNC WEEKDAY",
    "1 3": "NUMBERVALUE",
    "1 255": "AND AVERAGE CONCAT CONCATENATE COUNT COUNTA MAX MEDIAN MIN OR PRODUCT STDEV STDEV.P "
    "STDEV.S STDEVP SUM SUMPRODUCT SUMSQ VAR VAR.P VAR.S VARP",
    "2 2": "CEILING COMBIN COUNTIF EXACT FLOOR IFERROR IFNA LARGE MMULT MOD NORM.S.DIST POWER REPT "
    "ROUND ROUNDDOWN ROUNDUP SMALL TEXT",
    "2 3": "AVERAGEIF FIND IF LOOKUP MATCH RANK RANK.EQ SEARCH SUMIF",
    "2 4": "INDEX",
    "2 254": "COUNTIFS IFS",
    "2 255": "CHOOSE",
    "3 3": "DATE MID NORM.INV NORMINV",
    "3 4": "HLOOKUP SUBSTITUTE VLOOKUP",
    "3 254": "SWITCH TEXTJOIN",
    "3 255": "AVERAGEIFS MAXIFS MINIFS SUMIFS",
    "4 4": "BINOM.DIST BINOMDIST NORM.DIST NORMDIST REPLACE",
}
ARGUMENTS: Final = {
    name: (*map(int, counts.split()),)
    for counts, names in _COUNTS.items()
    for name in names.split()
}
"""The least and the most arguments of each function that the evaluator knows."""
_IN_PAIRS: Final = {"COUNTIFS": 0, "IFS": 0, "AVERAGEIFS": 1, "MAXIFS": 1, "MINIFS": 1, "SUMIFS": 1}


def name_problems(name: str) -> list[str]:
    """The problems of a defined name.

    >>> name_problems("ELO_NEW"), name_problems("ELO2024")
    ([], ['it reads as a cell'])
    """
    if not _NAME.fullmatch(name) or len(name) > MOST_TEXT or name.upper() in ("TRUE", "FALSE"):
        return ["it is no name"]
    return ["it reads as a cell"] if cell_like(name) else []


@lru_cache(maxsize=512)
def call_problems(name: str, given: int) -> tuple[str, ...]:
    """The problems of a call with a number of arguments.

    >>> call_problems("ROUND", 1)
    ('ROUND has 1 argument, Excel takes 2',)
    """
    function = name.upper().removeprefix(FUNCTION.upper())
    said = f"{function} has {given} argument{'s' * (given != 1)}, Excel takes"
    least, most = ARGUMENTS.get(function, (0, MOST_ARGUMENTS))
    if not least <= given <= most:
        more = " or more" if given < least < most else ""
        return (f"{said} {least if given < least else most}{more}",)
    return (f"{said} them in pairs",) * (given % 2 != _IN_PAIRS.get(function, given % 2))


def node_problems(node: Node) -> Iterator[str]:
    """The problems of a part of a formula that is no call, without those of its own parts."""
    match node:
        case Text(value) if len(value) > MOST_TEXT:
            yield f"a text of {len(value)} characters, Excel takes {MOST_TEXT}: {value[:20]}…"
        case Text(value) if escaped(value) != value:
            yield f"a text with a sign as files write it: {value}"
        case Unary("@" | "#" as operator, _):
            yield f"{operator} is not a stored form"
        case ArrayConstant(rows) if len({len(row) for row in rows}) > 1:
            yield "an array constant with rows of different lengths"
        case ArrayConstant(rows) if not all(_is_constant(each) for row in rows for each in row):
            yield "an array constant with something else than constants"


def format_problems(shown: str) -> Iterator[str]:
    """The problems of a number format.

    >>> list(format_problems("[[[")), list(format_problems('0.0" km"'))
    (['it is no number format'], [])
    """
    if len(shown) > MOST_TEXT:
        yield f"a number format of {len(shown)} characters, Excel takes {MOST_TEXT}"
    elif not _FORMAT.fullmatch(shown):
        yield "it is no number format"


_LEAVES: Final = (Reference, Number, Constant, Name)
_WITH_RULES: Final = (Text, Unary, ArrayConstant)


def _is_constant(node: Node) -> bool:
    signed = isinstance(node, Unary) and node.operator in "+-" and isinstance(node.operand, Number)
    return signed or isinstance(node, Number | Text | Constant)


def tree_problems(tree: Node) -> Iterator[str]:
    """The problems of a formula and of all its parts, whatever its names mean."""
    waiting, parts, deepest, nested = [(tree, 1, 0)], 0, 0, 0
    while waiting:
        node, depth, calls = waiting.pop()
        parts += 1
        if parts > LONGEST:
            yield f"a formula of more than {LONGEST} characters, Excel takes {LONGEST}"
            return
        if node.__class__ in _LEAVES:
            continue
        if isinstance(node, Call):
            yield from call_problems(node.name, len(node.arguments))
            calls += 1
        elif node.__class__ in _WITH_RULES:
            yield from node_problems(node)
        deepest, nested = max(deepest, depth), max(nested, calls)
        waiting += [(child, depth + 1, calls) for child in children(node)]
    if nested > MOST_NESTED:
        yield f"{nested} nested calls, Excel takes {MOST_NESTED}"
    if deepest > MOST_DEEP:
        yield f"{deepest} operators and calls within each other, at most {MOST_DEEP} are read"


def length_problems(formula: str) -> Iterator[str]:
    """Whether the text of a formula is too long."""
    if len(formula) > LONGEST:
        yield f"a formula of {len(formula)} characters, Excel takes {LONGEST}"


def too_long(tree: Node) -> bool:
    """Whether a formula has more parts than Excel takes characters."""
    return next(islice(walk(tree), LONGEST, None), None) is not None


def reference_problems(text: str) -> Iterator[str]:
    """The problems of a reference that somebody typed, but for the title of its sheet.

    >>> list(reference_problems("[1]Sheet1!A1")), list(reference_problems("XFE1"))
    (['[1]Sheet1!A1 leads to another file'], ['XFE1 is beyond the last row or column'])
    """
    cells = place(text)
    if "[" in text.rpartition("!")[0]:
        yield f"{text} leads to another file"
    elif cells is not None:
        for end in filter(None, (cells.first, cells.last)):
            if (end.row or 1) > ROWS or (end.column or 1) > COLUMNS:
                yield f"{text} is beyond the last row or column"
                return
