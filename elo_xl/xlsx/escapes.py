"""Texts as a spreadsheet file holds them, where ``_x000D_`` stands for a sign that XML cannot hold.

Therefore a text that reads so itself is written in another way, wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from html import escape as _escape
from typing import Final

escape = partial(_escape, quote=False)
"""A text as it stands inside an element; xml.sax.saxutils has the same, and loads urllib."""

_READS_SO: Final = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPE: Final = re.compile("_x([0-9A-Fa-f]{4})_")


def escaped(text: str) -> str:
    """A text as a file holds it, where ``_x0041_`` would stand for the letter A.

    >>> escaped("_x0041_")
    '_x005F_x0041_'
    """
    return _READS_SO.sub("_x005F_", text)


def unescaped(text: str) -> str:
    r"""The text that a file holds.

    >>> unescaped("a_x0009_b_x005F_x0009_")
    'a\tb_x0009_'
    """
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)


_FORMULAS: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What a formula begins with; the wide signs in East Asian editions."""


def needs_prefix(text: str) -> bool:
    """Whether a text is a formula, or loses its first letter, once somebody edits its cell.

    >>> needs_prefix("=1+1"), needs_prefix("Ana")
    (True, False)
    """
    return text.startswith((*_FORMULAS, "'"))


def kept_text(text: str) -> str:
    """A text for a cell of a CSV file, where a spreadsheet would compute it otherwise.

    >>> kept_text("=1+1"), kept_text("Ana")
    ("'=1+1", 'Ana')
    """
    return f"'{text}" if text.startswith((*_FORMULAS, "\t", "\r")) else text


def kept_row(cells: Iterable[object]) -> list[object]:
    """The same for the cells of a row, of which others than texts stay as they are."""
    return [kept_text(cell) if isinstance(cell, str) else cell for cell in cells]
