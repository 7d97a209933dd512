"""The page of an event or a period that ``elo-xl rate`` has rated: what its workbook shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from elo_xl.books.identity import Identity
from elo_xl.books.texts import Texts, texts
from elo_xl.publish.page import (
    Page,
    PageColumn,
    PageRow,
    PageTable,
    PageValue,
    capital,
    headed,
    table,
    with_places,
)
from elo_xl.publish.wall import day_of
from elo_xl.templates.club import KINDS
from elo_xl.templates.opened import EntriesError
from elo_xl.xlsx.cells import StoredBook, StoredSheet

TEMPLATE: Final = "rated-event"

LIST: Final = (
    PageColumn("place", "place", align="center"),
    PageColumn("title", "title", align="left"),
    PageColumn("name", "name", align="left"),
    PageColumn("federation", "federation", align="left", minor=True),
    PageColumn("new", "new"),
    PageColumn("change", "change", 2, change=True),
    PageColumn("rating", "before", minor=True),
    PageColumn("games", "rated_games", minor=True),
)
CROSS: Final = (
    PageColumn("rank", "rank", align="center"),
    PageColumn("no", "no", minor=True),
    PageColumn("title", "title", align="left", minor=True),
    PageColumn("name", "name", align="left"),
    PageColumn("rating", "rating", minor=True),
    PageColumn("points", "points", 1),
)
EVENTS: Final = (
    PageColumn("date", "date", align="left"),
    PageColumn("until", "until", align="left", minor=True),
    PageColumn("event", "event", align="left"),
    PageColumn("kind", "kind", align="left", minor=True),
    PageColumn("games", "event_games"),
    PageColumn("players", "event_players", minor=True),
)
STATE: Final = PageColumn("state", "state")
"""Columns of the book, with the keys of their headings."""


def rated_page(parts: Mapping[str, bytes], known: Identity, language: str = "") -> Page:
    """The page of a rated event, or of several rated as one period, from the file's values.

    Raises EntriesError where a sheet or its values are missing, and where entries need attention.
    """
    own = texts(known.options.language)
    say = texts(language or own.language)
    book = StoredBook(parts)
    sheet = _sheet(book, own, "list")
    if sheet is None:
        return _period(book, own, say)
    if status := _shown(sheet, 2):
        raise EntriesError(f"{status}: mend and save it first")
    rows = list(_rows(sheet, own, LIST))
    if not rows:
        raise EntriesError(
            "its rating list holds no values: open it in Excel or LibreOffice, and save it"
        )
    tables = [_table("list", say, LIST, rows)]
    if (cross := _sheet(book, own, "cross")) is not None:
        rounds = [PageColumn(str(r), str(r), align="center") for r in _rounds(cross, own)]
        columns = (*CROSS[:-1], *rounds, CROSS[-1])
        tables.append(_table("cross", say, columns, list(_rows(cross, own, columns))))
    event = _shown(sheet, 1).removesuffix(own("rated-event.sheet_list")).removesuffix(" – ")
    title = " – ".join(filter(None, (event, say("rated-event.sheet_list"))))
    return Page(say.language, title, "", tables)


def _period(book: StoredBook, own: Texts, say: Texts) -> Page:
    """The page of a period, which has a list for each kind of play, and the events."""
    tables = []
    words = {kind: (own(f"club.kind_{kind}"), say(f"club.kind_{kind}")) for kind in KINDS}
    for kind, (here, there) in words.items():
        if sheet := book.get(capital(here)):
            rows = list(_rows(sheet, own, LIST))
            tables.append(_table(kind, say, LIST, with_places(rows, "new"), capital(there)))
    if not tables:
        lists = ", ".join(repr(capital(here)) for here, _ in words.values())
        raise EntriesError(
            f"there is no sheet {own('rated-event.sheet_list')!r}, and none of {lists}"
        )
    title = f"{say('rated-event.period_title')} – {tables[0].title}"
    if events := _sheet(book, own, "events"):
        kinds, rated = dict(words.values()), own("rated-event.state_rated")
        rows = [
            row | {"date": day_of(row["date"]), "until": day_of(row["until"]), "kind": word}
            for row in _rows(events, own, (*EVENTS, STATE), "event")
            if row["state"] == rated and (word := kinds.get(str(row["kind"])))
        ]
        tables.append(_table("events", say, EVENTS, rows))
    return Page(say.language, title, "", tables)


def _sheet(book: StoredBook, own: Texts, key: str) -> StoredSheet | None:
    return book.get(own(f"rated-event.sheet_{key}"))


def _shown(sheet: StoredSheet, row: int) -> str:
    """The text at the left of a row."""
    cell = sheet.cells.get((row, 1))
    return str(cell.value) if cell else ""


def _heading(say: Texts, key: str) -> str:
    return key if key.isdigit() else say.of(TEMPLATE, f"column_{key}")


def _header(sheet: StoredSheet, own: Texts, known: str = "name") -> tuple[int, Mapping[str, int]]:
    """The row of the headings, and their columns: the first of each."""
    for (row, _), cell in sorted(sheet.cells.items()):
        if cell.value == _heading(own, known):
            places: dict[str, int] = {}
            for (line, column), other in sorted(sheet.cells.items()):
                if line == row:
                    places.setdefault(_number_or_text(other.value), column)
            return row, places
    raise EntriesError(f"no column is called {_heading(own, known)!r}: were headings changed?")


def _number_or_text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _rounds(sheet: StoredSheet, own: Texts) -> Iterator[int]:
    """The numbers that stand as headings."""
    places = _header(sheet, own)[1]
    number = 1
    while str(number) in places:
        yield number
        number += 1


def _rows(
    sheet: StoredSheet, own: Texts, columns: Sequence[PageColumn], known: str = "name"
) -> Iterator[dict[str, PageValue]]:
    """The rows with a name, or with what else has to be known."""
    header, places = _header(sheet, own, known)
    by_row: dict[int, dict[int, PageValue]] = {}
    for (row, column), cell in sheet.cells.items():
        if row > header and not isinstance(cell.value, bool):
            by_row.setdefault(row, {})[column] = cell.value
    at = {c.key: places.get(_heading(own, c.heading), 0) for c in columns}
    for _, cells in sorted(by_row.items()):
        if cells.get(at[known]):
            yield {key: cells.get(place) for key, place in at.items()}


def _table(
    key: str, say: Texts, columns: Sequence[PageColumn], rows: Sequence[PageRow], title: str = ""
) -> PageTable:
    shown = headed(columns, partial(_heading, say))
    return table(key, title or say(f"rated-event.sheet_{key}"), shown, rows)
