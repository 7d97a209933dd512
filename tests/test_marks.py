"""What is typed wrong is marked: the rules of the colours, worked out cell by cell.

That the evaluator computes as a spreadsheet does is shown elsewhere: LibreOffice computes them all.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from elo_xl.books.book import Book
from elo_xl.books.styles import MARK
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.formula import parse
from tests.support.template_books import build
from tests.support.template_events import GENERATORS

EVERY = 12
"""Players, and rounds, of a book that takes more; wrong entries come early."""

Row = tuple[str, int]


def colours(book: Book) -> Iterator[tuple[Row, object]]:
    """Whether a rule that marks holds, for each cell that it may colour; rules that only guide
    the eye are left out."""
    computed = book.computed
    assert computed is not None
    for sheet in book.workbook.worksheets:
        for area in sheet.conditional_formatting:
            for rule in area.rules:
                fill = rule.dxf.fill
                if fill is None or (fill.patternType == "solid" and fill.bgColor.rgb[2:] != MARK):
                    continue
                tree = parse(rule.formula[0])
                for cells in area.sqref.ranges:
                    first = cells.min_row, cells.min_col
                    for row, column in cells.cells:
                        down, right = row - cells.min_row, column - cells.min_col
                        held = computed.evaluate(tree, sheet.title, *first, down, right)
                        yield (sheet.title, row), held


def checks(book: Book) -> dict[Row, str]:
    """What the cells of each row say is wrong."""
    found: dict[Row, str] = {}
    for (sheet, at), value in book.values.items():
        cell = book.workbook[sheet][at]
        if cell.style.startswith("Elo attention"):
            found[sheet, cell.row] = found.get((sheet, cell.row), "") + str(value)
    return found


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_row_is_marked_where_its_check_says_something(template: str) -> None:
    known = TEMPLATES[template]
    rounds = min(known.rounds[1], EVERY) if known.rounds else None
    players = min(known.players[1], EVERY) if known.players else None
    marked: set[str] = set()
    for seed in (2, 3, 6, 7):
        options = gallery.options(template, players=players, rounds=rounds)
        content = GENERATORS[template](options, seed, wrong=True, full=seed % 2 == 1)
        book = build(template, options, content)
        coloured: dict[Row, bool] = {}
        for row, held in colours(book):
            assert held in (True, False), row
            coloured[row] = coloured.get(row, False) or bool(held)
        for row, said in checks(book).items():
            assert bool(said) == coloured.get(row, False), (seed, row, said)
            marked.add(said)
    assert len(marked) > 2, "hardly anything was wrong"
