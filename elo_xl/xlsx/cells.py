"""The cells of a workbook that any program has saved: what was typed, and what formulas gave.

Only values count here. They are read from the parts of the file, not through openpyxl, because a
cell must keep what it holds: a date its exact number, a text its blanks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, cached_property
from itertools import product
from typing import Final, NamedTuple

from lxml import etree

from elo_xl.xlsx.cell_xml import CellValue, unescaped
from elo_xl.xlsx.fill import COLUMNS, ROWS, column_number
from elo_xl.xlsx.in_place import WorkbookError
from elo_xl.xlsx.opc import SHARED_TEXTS, STYLES, Element, from_bytes, sheet_parts

Place = tuple[int, int]
"""Row and column, from 1."""


class StoredCell(NamedTuple):
    """A cell with something in it."""

    value: CellValue
    formula: bool
    """whether the value is that of a formula, or of a cell that an array formula fills"""
    locked: bool
    """whether a protected sheet refuses to change it"""


class StoredSheet(NamedTuple):
    """The cells of a worksheet that hold something."""

    cells: Mapping[Place, StoredCell]
    protected: bool
    uncomputed: Set[Place] = frozenset()
    """where formulas stand of which no program has saved what they give"""
    formulas: Set[Place] = frozenset()


MOST_FILLED: Final = 20
"""How many cells the array formulas of a sheet may fill together, for each cell that is there."""


class StoredBook(Mapping[str, StoredSheet]):
    """The worksheets of a file by title; each is read when it is asked for.

    That raises WorkbookError for a sheet with cells that no program would write.
    """

    def __init__(self, parts: Mapping[str, bytes]) -> None:
        self._parts = parts
        self._names = {title: part for title, part in sheet_parts(parts).items() if part in parts}
        self._read: dict[str, StoredSheet] = {}

    def holding(self, values: Mapping[str, Mapping[Place, CellValue | None]]) -> StoredBook:
        """The book with other values in cells without formulas, by sheet and place; None for none.

        They are values as a file gives them back.
        """
        book = StoredBook(self._parts)
        book._read = self._read | {
            title: _holding(self[title], cells) for title, cells in values.items()
        }
        return book

    @cached_property
    def _shared(self) -> list[str]:
        if SHARED_TEXTS not in self._parts:
            return []
        return [_text(entry) for entry in from_bytes(self._parts[SHARED_TEXTS]).iterfind("{*}si")]

    @cached_property
    def _locked(self) -> list[bool]:
        """By the number of a cell's style, whether it is locked."""
        if STYLES not in self._parts:
            return []
        styles = from_bytes(self._parts[STYLES]).iterfind("{*}cellXfs/{*}xf")
        return [
            not any(p.get("locked") in ("0", "false") for p in style.iterfind("{*}protection"))
            for style in styles
        ]

    def __getitem__(self, title: str) -> StoredSheet:
        if title not in self._read:
            part = self._names[title]
            try:
                sheet = _sheet(from_bytes(self._parts[part]), self._shared, self._locked)
            except (ValueError, LookupError) as error:
                raise WorkbookError(f"it is damaged: {part} cannot be read ({error})") from None
            self._read[title] = sheet
        return self._read[title]

    def __contains__(self, title: object) -> bool:
        return title in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _holding(sheet: StoredSheet, values: Mapping[Place, CellValue | None]) -> StoredSheet:
    cells = {**sheet.cells, **{at: StoredCell(value, False, False)
                               for at, value in values.items() if value is not None}}  # fmt: skip
    for at in values.keys() & cells.keys():
        if values[at] is None:
            del cells[at]
    return sheet._replace(cells=dict(sorted(cells.items())))


def _sheet(root: Element, shared: Sequence[str], locked: Sequence[bool]) -> StoredSheet:
    cells: dict[Place, StoredCell] = {}
    filled: list[tuple[int, int, int, int]] = []
    uncomputed: set[Place] = set()
    formulas: set[Place] = set()
    for at, cell in _placed(root):
        inside = {_local(child.tag): child for child in cell if child.tag.__class__ is str}
        formula = inside.get("f")
        if formula is not None:
            formulas.add(at)
        if formula is not None and formula.get("t") == "array":
            first, _, last = (formula.get("ref") or "A1").partition(":")
            filled.append((*_place(first), *_place(last or first)))
        value = _value(cell.get("t", "n"), inside, shared)
        if value is not None and value != "":
            style = int(cell.get("s", 0))
            held = style >= len(locked) or locked[style]
            cells[at] = StoredCell(value, formula is not None, held)
        elif formula is not None and cell.get("t") != "str":  # a blank text is a value
            uncomputed.add(at)
    room = MOST_FILLED * len(cells)
    for top, left, bottom, right in filled:
        # a range of a damaged sheet may be all of it, again and again
        places = (bottom - top + 1) * (right - left + 1)
        if (room := room - min(places, len(cells))) < 0:
            raise WorkbookError("it is damaged: array formulas fill the same cells many times")
        covered: Iterable[Place] = (
            [at for at in cells if top <= at[0] <= bottom and left <= at[1] <= right]
            if places > len(cells)
            else product(range(top, bottom + 1), range(left, right + 1))
        )
        for place in covered:
            if place in cells:
                cells[place] = cells[place]._replace(formula=True)
    protection = root.find("{*}sheetProtection")
    protected = protection is not None and protection.get("sheet") in ("1", "true")
    return StoredSheet(cells, protected, uncomputed, formulas)


def _placed(root: Element) -> Iterator[tuple[Place, Element]]:
    """The cells with their places; a file may leave out what follows from the one before."""
    row = 0
    for line in root.iterfind("{*}sheetData/{*}row"):
        row, column = int(line.get("r", row + 1)), 0
        for cell in line.iterchildren("{*}c"):
            name = cell.get("r")
            at = _place(name) if name else (row, column + 1)
            column = at[1]
            if not (1 <= at[0] <= ROWS and column <= COLUMNS):
                raise ValueError(f"no sheet has a cell in row {at[0]}, column {column}")
            yield at, cell


@cache
def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _place(name: str) -> Place:
    letters = name.rstrip("0123456789")
    return int(name[len(letters) :]), column_of(letters)


@cache
def column_of(letters: str) -> int:
    """The number of a column from its letters; ValueError for what is none."""
    if not (letters.isascii() and letters.isalpha() and len(letters) <= 3):
        raise ValueError(f"{letters!r} is no column")
    return column_number(letters)


def _value(kind: str, inside: Mapping[str, Element], shared: Sequence[str]) -> CellValue | None:
    if kind == "inlineStr":
        return _text(inside["is"]) if "is" in inside else None
    text = inside["v"].text if "v" in inside else None
    if not text:
        return None
    match kind:
        case "s":
            return shared[int(text)]
        case "b":
            return text.strip() in ("1", "true")
        case "n":
            number = float(text)
            return int(number) if number.is_integer() and "." not in text else number
    return unescaped(text)


def _text(entry: Element) -> str:
    """A text with its runs, without the readings that Japanese programs put beside it."""
    runs = []
    for element in entry:
        if etree.QName(element).localname == "t":
            runs.append(element.text or "")
        elif etree.QName(element).localname == "r":
            runs.append(element.findtext("{*}t") or "")
    return unescaped("".join(runs))
