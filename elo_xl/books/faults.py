"""The entries of a finished book that need attention: those that its status line counts."""

from __future__ import annotations

from collections.abc import Iterator

from elo_xl.books.model import Declared, Place
from elo_xl.books.typed import WRONG
from elo_xl.xlsx.fill import column_letters


def faults(book: Declared) -> list[str]:
    """All entries that need attention, as *what @ where*, in the order of the sheets.

    >>> from elo_xl.templates.gallery import build, options
    >>> players = [{"name": "Ana", "rating": "17oo"}, {"name": "Bo"}, {"name": "Bo"}]
    >>> for fault in faults(build("swiss", options("swiss"), {"Players": players})):
    ...     print(fault)
    Rating is not a number from 100 to 3999: '17oo' @ Players!C7
    Name appears twice: 'Bo' @ Players!B8
    Name appears twice: 'Bo' @ Players!B9

    Raises RuntimeError before the book is finished.
    """
    order = {key: i for i, key in enumerate(book.sheets)}
    places = sorted(book.places, key=lambda place: (order[place.cells.sheet.key], place.cells.row))
    return [fault for place in places for fault in _of_place(place)]


def remarks(book: Declared) -> list[str]:
    """What checks of rows say besides, about entries that are no faults: a missing result."""
    found = []
    for place in book.places:
        table = place.table
        if table is None or place.faults is not None or not table.has("check"):
            continue
        at_fault = _signs(place)
        for i, check in enumerate(table.column("check").texts()):
            if check and not at_fault[i]:
                found.append(
                    f"{check} @ {table.sheet.title}!{table.header + 1 + i}:{table.header + 1 + i}"
                )
    return found


def _of_place(place: Place) -> Iterator[str]:
    table, cells, read = place.table, place.cells, place.read
    sheet = cells.sheet
    values = read.values()
    columns = [cells.column]
    if table is not None and table.reads:
        columns = [at for key, at in table.at.items() if key in table.reads]
    at_fault = _signs(place)
    for i in range(read.rows):
        row = values[i * read.columns : (i + 1) * read.columns]
        wrong = [at for at, value in zip(columns, row, strict=True) if value == WRONG]
        if not wrong and not at_fault[i]:
            continue
        check = table.cell("check", i).texts()[0] if table and table.has("check") else ""
        for at in wrong or columns[:1]:
            typed = sheet.book.known(sheet, cells.row + i, at)
            said = ": ".join(filter(None, (check, "" if typed in (None, "") else repr(typed))))
            where = f"{sheet.title}!{column_letters(at)}{cells.row + i}"
            yield f"{said or 'it needs attention'} @ {where}"


def _signs(place: Place) -> list[bool]:
    """For each row of a place whether its formulas find a fault in it."""
    table = place.table
    if place.faults is not None:
        return [value == -1 for value in place.faults.numbers()]
    if table is not None and table.has("fault"):
        return [value == 1 for value in table.column("fault").numbers()]
    return [False] * place.read.rows
