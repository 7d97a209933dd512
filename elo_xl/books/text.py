"""Text as cells can hold it, and about how much room it takes."""

from __future__ import annotations

import math
import unicodedata
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from elo_xl.xlsx.cell_xml import CellValue

GENERAL: Final = "General"

MOST_TEXT: Final = 32767
"""The longest text that a cell holds."""


def clean(text: str) -> str:
    """Text as a cell can hold it: one line, without the characters that XML forbids.

    >>> clean("Anna\\x00\\x0b Karl\\nsen")
    'Anna Karl sen'
    """
    if text.isprintable():
        return text[:MOST_TEXT]
    line = "".join(" " if c in "\t\r\n" else c for c in text if c in "\t\r\n" or _allowed(c))
    return line[:MOST_TEXT]


def _allowed(c: str) -> bool:
    return c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff"


@lru_cache(maxsize=65_536)
def text_width(text: str) -> float:
    """About how wide a text is, in digits of the same font.

    >>> text_width("1834"), text_width("Li"), text_width("李")
    (4.0, 1.75, 2.0)
    """
    return math.fsum(map(_char_width, text))


def _char_width(c: str) -> float:
    if unicodedata.combining(c):
        return 0.0
    if unicodedata.east_asian_width(c) in "WF":
        return 2.0
    if c in "ijlIft.,;:'|!() ":
        return 0.55
    if c in "mwMW@%—жмшщыюЖШЩЫЮ":
        return 1.65
    return 1.2 if c.isupper() else 1.0


def shown(value: CellValue | None, number_format: str) -> str:
    """About what a cell shows of a value, to measure it.

    >>> shown(-2.5, "+0.00;-0.00;0.00"), shown("draw", GENERAL)
    ('-2.50', 'draw')
    """
    if value is None or isinstance(value, str):
        return value or ""
    sample = number_format.split(";")[0]
    decimals = len(sample.partition(".")[2]) if "." in sample else 0
    if number_format == GENERAL:
        return f"{value:g}"
    return f"{value:{'+' if sample.startswith('+') else ''}.{decimals}f}"


def in_lines(text: str, lines: int) -> float:
    """The least width in which a text takes so many lines at most.

    >>> in_lines("Score minus expected", 2), in_lines("Score minus expected", 3)
    (10.95, 7.55)
    """
    words = text.split()
    spans = combinations(range(len(words) + 1), 2)
    widths = sorted({text_width(" ".join(words[first:end])) for first, end in spans})
    return next((width for width in widths if wrapped_lines(text, width + 1e-9) <= lines), 0.0)


def wrapped_lines(text: str, width: float) -> int:
    """About how many lines a text takes in a column of a width.

    >>> wrapped_lines("Score minus expected", 9)
    3
    """
    lines, used = 1, 0.0
    for word in text.split():
        needed = text_width(word)
        if used and used + 0.55 + needed > width:
            lines, used = lines + 1, 0.0
        used += needed + (0.55 if used else 0.0)
        if needed > width:
            lines += math.ceil(needed / width) - 1
    return lines
