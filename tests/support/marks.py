"""The rules of the colours of a book, worked out cell by cell."""

from collections.abc import Iterator
from typing import Any, Final

from elo_xl.books.book import Book
from elo_xl.books.layout import LOOKS
from elo_xl.books.styles import MARK
from elo_xl.xlsx.formula import parse

QUIET: Final = LOOKS["quiet"]["font"].color

Cell = tuple[str, int, int]
"""Title of the sheet, row, column."""


def rules(book: Book, *titles: str) -> Iterator[tuple[str, Cell, bool]]:
    """The kind of look that a rule may give to each cell, and whether the rule holds there; of all
    sheets, or of those with some titles."""
    computed = book.computed
    assert computed is not None
    for sheet in book.workbook.worksheets:
        if titles and sheet.title not in titles:
            continue
        for area in sheet.conditional_formatting:
            for rule in area.rules:
                if not (kind := _kind(rule.dxf)):
                    continue
                tree = parse(rule.formula[0])
                for cells in area.sqref.ranges:
                    first = cells.min_row, cells.min_col
                    for row, column in cells.cells:
                        down, right = row - cells.min_row, column - cells.min_col
                        held = computed.evaluate(tree, sheet.title, *first, down, right)
                        assert held in (True, False), (sheet.title, row, column)
                        yield kind, (sheet.title, row, column), bool(held)


def marked(book: Book, title: str) -> set[tuple[int, int]]:
    """The cells of a sheet that are marked as wrong."""
    return {cell[1:] for kind, cell, holds in rules(book, title) if holds and kind == "attention"}


def _kind(look: Any) -> str:
    """``attention``, ``missing`` or ``quiet``; rules that only guide the eye have none."""
    if look.fill is not None and look.fill.patternType != "solid":
        return "missing"
    if look.fill is not None and look.fill.bgColor.rgb[2:] == MARK:
        return "attention"
    return "quiet" if look.font is not None and look.font.color == QUIET else ""
