"""The values of cells; texts and cells as a spreadsheet file holds them.

There ``_x000D_`` stands for a sign that XML cannot hold. Therefore a text that reads so itself is
written in another way, wherever it stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache, partial
from html import escape as _escape
from numbers import Real
from typing import Final

from elo_xl.error_values import EXCEL_NUMBERS

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
    return _ESCAPE.sub(lambda code: chr(int(code[1], 16)), text)


_FORMULAS: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What a formula begins with; the wide signs in East Asian editions."""


PREFIXED: Final = (*_FORMULAS, "'")
"""What a text begins with that becomes another one once somebody edits its cell."""


def needs_prefix(text: str) -> bool:
    """Whether a text is a formula, or loses its first letter, once somebody edits its cell.

    >>> needs_prefix("=1+1"), needs_prefix("Ana")
    (True, False)
    """
    return text.startswith(PREFIXED)


def kept_text(text: str) -> str:
    """A text for a cell of a CSV file, where a spreadsheet would compute it otherwise.

    >>> kept_text("=1+1"), kept_text("Ana")
    ("'=1+1", 'Ana')
    """
    return f"'{text}" if text.startswith((*_FORMULAS, "\t", "\r")) else text


def kept_row(cells: Iterable[object]) -> list[object]:
    """The same for the cells of a row, of which others than texts stay as they are."""
    return [kept_text(cell) if isinstance(cell, str) else cell for cell in cells]


CellValue = float | str | bool
"""The value of a formula: a number, a text or error text such as ``"#N/A"``, or a truth value."""


class PlainText(str):
    """A text that stays a text even if it reads like an error: a player may be called ``#N/A``."""

    __slots__ = ()


EXACT: Final = 1e15
"""The largest whole number that is written without a decimal point."""


def cell_of(
    name: str,
    style: int,
    value: CellValue | None,
    formula: str | None = None,
    area: str | None = None,
) -> str:
    """A cell as a worksheet has it: a formula, without ``=`` and escaped, and what it gives.

    ``style`` is the number of its style, ``area`` the cells that an array formula fills, for the
    first of them. The other cells that it fills have a value alone.

    Raises ValueError for a number that is not finite.
    """
    inside = ""
    if formula is not None:
        inside = f"<f>{formula}</f>" if area is None else f'<f t="array" ref="{area}">{formula}</f>'
    if value is None:
        return f'<c r="{name}" s="{style}">{inside}</c>'
    kind, text = typed(value, name)
    shown = f"<v>{text}</v>" if kind == "n" else _element("v", text)
    said = "" if kind == "n" else f' t="{kind}"'
    return f'<c r="{name}" s="{style}"{said}>{inside}{shown}</c>'


def constant_of(name: str, style: int, content: CellValue) -> str:
    """A cell with a constant as a worksheet has it; an empty text is none.

    Raises ValueError for a number that is not finite.
    """
    if not isinstance(content, str):
        return cell_of(name, style, content)
    inside = f"<is>{_element('t', content)}</is>" if content else ""
    said = ' t="inlineStr"' if content else ""
    return f'<c r="{name}" s="{style}"{said}>{inside}</c>'


@lru_cache(maxsize=1024)
def _element(name: str, text: str) -> str:
    space = ' xml:space="preserve"' if text != text.strip() else ""
    return f"<{name}{space}>{escape(escaped(text))}</{name}>"


def typed(value: CellValue, place: str) -> tuple[str, str]:
    """The cell type and the text that stand for a value."""
    if value.__class__ is PlainText:
        return "str", value
    if isinstance(value, str):
        return ("e" if value in EXCEL_NUMBERS else "str"), value
    if isinstance(value, bool) or not isinstance(value, Real):  # NumPy's bool is not a number
        return "b", str(int(value))
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"a formula's value must be finite, got {number} @ {place}")
    whole = number.is_integer() and abs(number) < EXACT
    return "n", str(int(number)) if whole else repr(number)
