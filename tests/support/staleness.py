"""How many formulas a typed cell makes stale, as a spreadsheet program sees it: those that refer to
a range with the cell in it, whatever they take from it, and all that refer to these."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from openpyxl import Workbook
from openpyxl.formula import Tokenizer
from openpyxl.utils import quote_sheetname, range_boundaries

Place = tuple[str, int, int]
"""Sheet, row and column of a cell."""

LAST_ROW, LAST_COLUMN = 1 << 20, 1 << 14


class Area(NamedTuple):
    """A range of a sheet; rows and columns count from 1."""

    sheet: str
    left: int
    top: int
    right: int
    bottom: int


class Formulas:
    """The formulas of a workbook that openpyxl has read, and what they refer to."""

    def __init__(self, workbook: Workbook) -> None:
        self._names = {name: one.attr_text or "" for name, one in workbook.defined_names.items()}
        self._sheets = {quote_sheetname(title): title for title in workbook.sheetnames}
        self.texts: dict[Place, str] = {
            (sheet.title, cell.row or 0, cell.column or 0): str(cell.value)
            for sheet in workbook
            for row in sheet.iter_rows()
            for cell in row
            if cell.data_type == "f"
        }
        self._readers: defaultdict[Area, list[Place]] = defaultdict(list)
        for place, text in self.texts.items():
            for area in set(self._areas(text, place[0])):
                self._readers[area].append(place)
        self._by_column: defaultdict[tuple[str, int], list[Area]] = defaultdict(list)
        for area in self._readers:
            for column in range(area.left, min(area.right, 300) + 1):
                self._by_column[area.sheet, column].append(area)

    def _areas(self, text: str, sheet: str) -> Iterator[Area]:
        for token in Tokenizer(text).items:
            if token.subtype != "RANGE":
                continue
            if token.value in self._names:
                yield from self._areas(f"={self._names[token.value]}", sheet)
                continue
            title, _, cells = token.value.rpartition("!")
            left, top, right, bottom = range_boundaries(cells)
            yield Area(
                self._sheets.get(title, title) or sheet,
                left or 1, top or 1, right or LAST_COLUMN, bottom or LAST_ROW,
            )  # fmt: skip

    def stale_after(self, sheet: str, row: int, column: int) -> int:
        """The number of formulas that are stale when a cell was typed into."""
        stale: set[Place] = set()
        done: set[Area] = set()
        waiting: list[Place] = [(sheet, row, column)]
        while waiting:
            title, row, column = waiting.pop()
            for area in self._by_column[title, column]:
                if area.top <= row <= area.bottom and area not in done:
                    done.add(area)
                    new = set(self._readers[area]) - stale
                    stale |= new
                    waiting += new
        return len(stale)
