"""What is typed wrong is marked: the rules of the colours, worked out cell by cell.

That the evaluator computes as a spreadsheet does is shown elsewhere: LibreOffice computes them all.
"""

from __future__ import annotations

import pytest

from elo_xl.books.book import Book
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from tests.support.levels import amount
from tests.support.marks import Cell, rules
from tests.support.template_books import build
from tests.support.template_events import GENERATORS

pytestmark = pytest.mark.slow

EVERY, SEEDS = 12, amount((3, 6), (2, 3, 6, 7))
"""Players, and rounds, of a book that takes more; wrong entries come early."""

Row = tuple[str, int]


def checks(book: Book) -> dict[Row, list[tuple[Cell, str]]]:
    """The checks of each row, and what they say; where nothing is typed in a row, its check belongs
    to the last row above in which something is."""
    typed: dict[str, set[int]] = {}
    for place in book.places:
        rows = range(place.cells.row, place.cells.row + place.cells.rows)
        typed.setdefault(place.cells.sheet.title, set()).update(rows)
    found: dict[Row, list[tuple[Cell, str]]] = {}
    for (sheet, at), value in book.values.items():
        cell = book.workbook[sheet][at]
        if cell.style.startswith("Elo attention"):
            row = max((row for row in typed.get(sheet, ()) if row <= cell.row), default=cell.row)
            found.setdefault((sheet, row), []).append(((sheet, cell.row, cell.column), str(value)))
    return found


def faults(book: Book) -> dict[Row, bool]:
    """Whether each row of a table counts among the entries that need attention."""
    return {
        (table.sheet.title, table.first + i): fault == 1
        for table in book.tables.values()
        if table.has("fault")
        for i, fault in enumerate(table.column("fault").values())
    }


@pytest.mark.parametrize("template", [t for t in TEMPLATES if t != "elo-explained"])
def test_a_row_is_marked_where_its_check_says_something(template: str) -> None:
    """What is only remarked, in quiet letters, is no fault, and at most a result is missing. Pages
    say nothing beside their cells."""
    known = TEMPLATES[template]
    rounds = min(known.rounds[1], EVERY) if known.rounds else None
    players = min(known.players[1], EVERY) if known.players else None
    marked: set[str] = set()
    for seed in SEEDS:
        options = gallery.options(template, players=players, rounds=rounds)
        content = GENERATORS[template](options, seed, wrong=True, full=seed % 2 == 1)
        book = build(template, options, content)
        faulty = faults(book)
        found: dict[str, set[Cell]] = {"attention": set(), "missing": set(), "quiet": set()}
        for kind, cell, held in rules(book):
            if held:
                found[kind].add(cell)
        quiet = found["quiet"]
        coloured, hatched = (
            {cell[:2] for cell in found[kind]} for kind in ("attention", "missing")
        )
        for row, said in checks(book).items():
            remarks = [text for cell, text in said if cell in quiet]
            loud = "".join(text for cell, text in said if cell not in quiet)
            if any(remarks):
                assert not loud, (seed, row, said)
                assert row not in coloured, (seed, row, remarks)
                assert not faulty.get(row, False), (seed, row, remarks)
            else:
                assert bool(loud) == (row in coloured | hatched), (seed, row, loud)
                assert not faulty.get(row, False) or loud, (seed, row)
                marked.add(loud)
    assert len(marked) > 2, "hardly anything was wrong"
