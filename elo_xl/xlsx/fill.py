"""Formulas filled down and to the right, as a spreadsheet does: references without $ move.

A column of a table is one formula. Its tree is written for the first cell, and every other cell
holds the same tree some rows down and some columns to the right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final, NamedTuple

from elo_xl.xlsx.formula import (
    ArrayConstant,
    Call,
    Constant,
    Counting,
    Name,
    Node,
    Number,
    Reference,
    rebuilt,
    to_text,
)

ROWS: Final = 1_048_576
COLUMNS: Final = 16_384


@dataclass(frozen=True, slots=True)
class Filled:
    """A formula that a spreadsheet fills down and to the right.

    ``tree`` is written for a first cell; this cell stands ``down`` rows below and ``right`` columns
    beside it. Parts of references without ``$`` move with it.
    """

    tree: Node
    down: int = 0
    right: int = 0


class Corner(NamedTuple):
    """One corner of a reference; a whole column has no row, a whole row no column.

    A part after a ``$`` does not move.
    """

    row: int | None
    row_fixed: bool
    column: int | None
    column_fixed: bool


class WrittenReference(NamedTuple):
    """The cells of a reference as written: the sheet, or none for its own, and two corners."""

    prefix: str  # with quotes and "!" as written
    sheet: str | None
    first: Corner
    last: Corner | None  # None: a single cell


_CORNER: Final = re.compile(r"(\$?)([A-Za-z]{1,3})?(?:(\$?)([1-9][0-9]{0,6}))?\Z")


def column_number(letters: str) -> int:
    """The number of a column, from its letters.

    >>> column_number("A"), column_number("XFD")
    (1, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - 64
    return number


@lru_cache(maxsize=COLUMNS)
def column_letters(number: int) -> str:
    """The letters of a column, from its number.

    >>> column_letters(28)
    'AB'
    """
    letters = ""
    while number > 0:
        number, letter = divmod(number - 1, 26)
        letters = chr(65 + letter) + letters
    return letters


def in_sheet(title: str, cells: str) -> str:
    """The reference to cells of a sheet.

    >>> in_sheet("Ana's games", "B7")
    "'Ana''s games'!B7"
    """
    # quoted, as some titles read as rows, columns or truth values: R, C, TRUE
    return "'" + title.replace("'", "''") + f"'!{cells}"


@lru_cache(maxsize=65_536)
def place(text: str) -> WrittenReference | None:
    """The cells that a reference means; None for a name or a column of a table.

    >>> place("'Each game'!$O5").sheet
    'Each game'
    """
    prefix, mark, cells = text.rpartition("!")
    sheet = prefix[1:-1].replace("''", "'") if prefix.startswith("'") else prefix
    first, colon, last = cells.partition(":")
    corners = [_corner(end) for end in ([first, last] if colon else [first])]
    if None in corners or (not colon and None in (corners[0] or ())):
        return None
    start, end = corners[0], corners[-1] if colon else None
    assert start is not None
    return WrittenReference(prefix + mark, sheet if mark else None, start, end)


def one_row(node: Node | None, names: Set[str] = frozenset()) -> bool:
    """Whether a formula gives several values in one row, as far as its text tells.

    >>> from elo_xl.xlsx.formula import parse
    >>> one_row(parse("$B2:$E2")), one_row(parse("{1,2,3}")), one_row(parse("B2:B5"))
    (True, True, False)

    ``names`` are those of such rows, in capitals. Of these INDEX wants both numbers: not every
    program takes a single one for that of the column.
    """
    match node:
        case Reference(text):
            reference = place(text)
            if reference is None:
                return text.upper() in names
            first, last = reference.first, reference.last
            return last is not None and first.row == last.row and first.column != last.column
        case Name(text):
            return text.upper() in names
        case ArrayConstant(rows):
            return len(rows) == 1 and len(rows[0]) > 1
        case Call(name, (_, *chosen)) if name.upper() in ("IF", "CHOOSE"):
            return any(one_row(each, names) for each in chosen)
        case Call(name, (_, row, Number(column))) if name.upper() == "INDEX":
            return float(column) == 0 and row != Number("0")
    return False


def _corner(text: str) -> Corner | None:
    corner = _CORNER.match(text)
    if corner is None or text in ("", "$"):
        return None
    first, letters, second, digits = corner.groups()
    column = column_number(letters) if letters else None
    if letters is None:  # "$5": the pattern gave the mark to the column
        second = first or second
    return Corner(int(digits) if digits else None, bool(second), column, bool(first))


def filled(tree: Node, down: int, right: int = 0) -> Node:
    """The tree of a formula moved some rows down and some columns to the right.

    >>> from elo_xl.xlsx.formula import parse
    >>> to_text(filled(parse("SUM(B$2:B5)*$C5"), 2, 1))
    'SUM(C$2:C7)*$C7'

    A reference that leaves the sheet is #REF!, as in a spreadsheet.
    """

    def moved(leaf: Reference | Counting) -> Node:
        if isinstance(leaf, Counting):
            return Counting(leaf.start + leaf.step * down, leaf.step)
        return _moved(leaf.text, down, right, str)

    return _mapped(tree, moved) if down or right else tree


def _moved(text: str, down: int, right: int, row_text: Callable[[int], str]) -> Node:
    """Move a reference; ``row_text`` writes the rows that move."""
    reference = place(text)
    if reference is None:
        return Reference(text)
    ends = []
    for corner in (reference.first, reference.last):
        if corner is None:
            continue
        written = ""
        if corner.column is not None:
            column = corner.column if corner.column_fixed else corner.column + right
            if not 1 <= column <= COLUMNS:
                return Constant("#REF!")
            written += "$" * corner.column_fixed + column_letters(column)
        if corner.row is not None:
            row = corner.row if corner.row_fixed else corner.row + down
            if not 1 <= row <= ROWS:
                return Constant("#REF!")
            written += f"${row}" if corner.row_fixed else row_text(row)
        ends.append(written)
    return Reference(reference.prefix + ":".join(ends))


def _mapped(node: Node, moved: Callable[[Reference | Counting], Node]) -> Node:
    if isinstance(node, Reference | Counting):
        return moved(node)
    return rebuilt(node, partial(_mapped, moved=moved))


class Filler:
    """The texts of a formula in all cells into which it is filled.

    >>> from elo_xl.xlsx.formula import parse
    >>> filler = Filler(parse('IF(B5="","",B5-$C$2)'))
    >>> filler.text(0), filler.text(3)
    ('IF(B5="","",B5-$C$2)', 'IF(B8="","",B8-$C$2)')

    ``finish`` is done to each text. It is done, and the text is split, only once, so that a cell
    takes a microsecond.
    """

    __slots__ = ("_finish", "_splits", "tree")

    def __init__(self, tree: Node, finish: Callable[[str], str] = str) -> None:
        self.tree, self._finish = tree, finish
        self._splits: dict[int, _Split] = {}

    def text(self, down: int, right: int = 0) -> str:
        """The formula, without ``=``, of the cell ``down`` rows below the first."""
        split = self._splits.get(right)
        if split is None:
            split = self._splits[right] = _split(self.tree, right, self._finish)
        low, high, texts, numbers, template = split
        if low + down < 1 or high + down > ROWS:
            return self._finish(to_text(filled(self.tree, down, right)))
        if texts is not None:  # all that moves is in one row, as in most formulas of a table
            return str(numbers[0][0] + down).join(texts) if numbers else texts[0]
        return template % tuple([start + step * down for start, step in numbers])


class _Split(NamedTuple):
    low: int  # the least and the greatest row of references that move
    high: int
    texts: list[str] | None  # the texts between the same number again and again
    numbers: list[tuple[int, int]]  # what moves: a number, and what it grows by from row to row
    template: str  # the text with %d for these numbers


_MARK: Final = "\0"


def _split(tree: Node, right: int, finish: Callable[[str], str]) -> _Split:
    rows: list[int] = []

    def row_text(row: int) -> str:
        rows.append(row)
        return f"{_MARK}{row},1{_MARK}"

    def moved(leaf: Reference | Counting) -> Node:
        if isinstance(leaf, Counting):
            return Reference(f"{_MARK}{leaf.start},{leaf.step}{_MARK}")
        return _moved(leaf.text, 0, right, row_text)

    parts = finish(to_text(_mapped(tree, moved))).split(_MARK)
    texts = parts[::2]
    numbers = [
        (int(start), int(step)) for start, _, step in (p.partition(",") for p in parts[1::2])
    ]
    alike = len(set(numbers)) < 2 and all(step == 1 for _, step in numbers)
    template = "%d".join(text.replace("%", "%%") for text in texts)
    return _Split(
        min(rows, default=1), max(rows, default=1), texts if alike else None, numbers, template
    )
