"""From the file of a book, of whatever kind, to what is published of it.

Of a club's book that is members with their ratings, what changed, events and history; of an event
or a period that ``elo-xl rate`` has rated, what its workbook shows; :mod:`.wall` has the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Final

from elo_xl.books.front import SEPARATOR
from elo_xl.books.identity import Identity, identity
from elo_xl.books.texts import Texts, texts
from elo_xl.club.ledger import TEMPLATE as CLUB
from elo_xl.club.ledger import ClubEvent, Ledger, Member, Published
from elo_xl.people import same_name
from elo_xl.publish.page import (
    Page,
    PageColumn,
    PageRow,
    PageTable,
    PageValue,
    Point,
    capital,
    headed,
    table,
    with_places,
)
from elo_xl.publish.wall import day_of, wall_page
from elo_xl.templates.club import KINDS
from elo_xl.templates.opened import EntriesError, book_in
from elo_xl.xlsx.cells import StoredBook, StoredSheet
from elo_xl.xlsx.in_place import read_parts


def page_of(file: bytes, language: str = "") -> Page:
    """What is published of a book, in its own language if none is given.

    >>> from elo_xl.templates.gallery import make, options
    >>> people = [{"name": "Ana", "rating": 1800}, {"name": "Ben", "rating": 1750}]
    >>> page = page_of(make("rating-period", options("rating-period"), {"Players": people}), "es")
    >>> page.title, [row["name"] for row in page.list.rows]
    ('Lista de rating', ['Ana', 'Ben'])

    Raises EventError with every entry that cannot be read; EntriesError for a file that is no book
    with anything to publish, and WorkbookError for one that is no workbook.
    """
    parts = read_parts(file)
    known = identity(parts)
    if known is None:
        raise EntriesError(
            "it does not say from which template it was made: elo-xl new TEMPLATE --from "
            "makes it again"
        )
    if known.template == CLUB:
        page = club_page(file, language)
    elif known.template == RATED:
        page = rated_page(parts, known, language)
    else:
        page = wall_page(book_in(parts), language)
    return replace(page, address=known.options.address)


# -- the book of a club ----------------------------------------------------------------------------

SHOWN: Final = ("Members", "Events", "History")
"""The tables of which nothing may be at fault."""

Theirs = Mapping[str, Mapping[str, Sequence[Published]]]
"""What was published of members, by name and kind, the oldest first."""


def club_page(file: bytes, language: str = "") -> Page:
    """The page of a club's book, in its own language if none is given.

    Raises EventError with everything in it that cannot be read, EntriesError for a book without
    members, and as :class:`~elo_xl.club.ledger.Ledger` does.
    """
    ledger = Ledger(file)
    history = list(ledger.history())
    ledger.check(*SHOWN)
    members = [member for member in ledger.members if not member.out]
    if not members:
        raise EntriesError("nobody is on the list: type the members into it first")
    say = texts(language or ledger.say.language)
    day, club, officer = ledger.list_day, ledger.single("Club"), ledger.single("Arbiter")
    title = say.of(CLUB, "sheet_list")
    if day:
        title += f" {say.of(CLUB, 'as_of')} {_said(say, day)}"
    theirs = _histories(members, history)
    headings = {kind: capital(say(f"club.kind_{kind}")) for kind in KINDS}
    curves = {
        name: {
            headings[kind]: [Point(one.day, one.rating, one.change, one.games) for one in lines]
            for kind, lines in kinds.items()
        }
        for name, kinds in theirs.items()
    }
    return Page(
        say.language,
        title,
        SEPARATOR.join(
            filter(None, (club, officer and f"{say.of(CLUB, 'wall_arbiter')} {officer}"))
        ),
        [_list(say, members, theirs, headings), *_events(say, ledger.events.values(), headings)],
        club,
        ledger.entries.where("Club"),
        day if isinstance(day, date) else ledger.last_list,
        curves=curves,
    )


def _said(say: Texts, day: date | str) -> str:
    """A day in words.

    >>> _said(texts("fr"), date(2026, 7, 1)), _said(texts("fr"), date(2026, 7, 2))
    ('1er juillet 2026', '2 juillet 2026')
    """
    if isinstance(day, str):
        return day
    month = say.of(CLUB, "months").split()[day.month - 1]
    number = say.of(CLUB, "first_day") if day.day == 1 else day.day
    return say.of(CLUB, "day_said", day=number, month=month, year=day.year)


def _histories(members: Iterable[Member], history: Iterable[Published]) -> Theirs:
    """What was published of each member: a line is theirs by the ID, otherwise by the name."""
    histories: dict[str, dict[str, list[Published]]] = {}
    by_id = {m.id: m.name for m in members if m.id}
    by_name = {same_name(m.name): m.name for m in members}
    for line in sorted(history, key=lambda one: one.day):
        name = by_id.get(line.id) or by_name.get(same_name(line.name), "")
        if name:
            histories.setdefault(name, {}).setdefault(line.kind, []).append(line)
    return {name: {kind: kinds[kind] for kind in KINDS if kind in kinds}
            for name, kinds in histories.items()}  # fmt: skip


def _list(
    say: Texts, members: Sequence[Member], theirs: Theirs, headings: Mapping[str, str]
) -> PageTable:
    kinds = [kind for kind in KINDS if any(m.records[kind].rating for m in members)] or [KINDS[0]]
    newest = max((p[-1].day for t in theirs.values() for p in t.values()), default=None)
    rows: list[dict[str, PageValue]] = []
    for member in members:
        row: dict[str, PageValue] = {
            "title": member.title,
            "name": member.name,
            "federation": member.federation,
        }
        for kind in kinds:
            row[kind] = member.records[kind].rating
            lines = theirs.get(member.name, {}).get(kind, [])
            # an older change beside the newest list would read as if it were of this one
            if lines and lines[-1].day == newest:
                change, row[f"{kind}_games"] = lines[-1].change, lines[-1].games
                row[f"{kind}_change"] = say("publish.new") if change is None else change
        rows.append(row)
    rows.sort(key=lambda row: (-_number(row[kinds[0]]), str(row["name"]).casefold()))
    columns = [
        PageColumn("place", say.of(CLUB, "column_place"), align="center"),
        PageColumn("title", say.of(CLUB, "column_title"), align="left"),
        PageColumn("name", say.of(CLUB, "column_name"), align="left"),
        PageColumn("federation", say.of(CLUB, "column_federation"), align="left"),
    ]
    for kind in kinds:
        group = headings[kind]
        columns += [
            PageColumn(kind, say.of(CLUB, "column_rating"), group=group),
            PageColumn(f"{kind}_change", say.of(CLUB, "column_change"), group=group, change=True),
            PageColumn(f"{kind}_games", say("publish.games"), group=group),
        ]
    title, needed = say.of(CLUB, "sheet_list"), ("place", "name", kinds[0])
    return table("list", title, columns, with_places(rows, kinds[0]), needed)


def _events(
    say: Texts, events: Iterable[ClubEvent], headings: Mapping[str, str]
) -> Iterable[PageTable]:
    """The events, the last ones first; no table if there are none."""
    columns = [
        PageColumn("date", say.of(CLUB, "column_date"), align="left"),
        PageColumn("event", say.of(CLUB, "column_event"), align="left"),
        PageColumn("kind", say.of(CLUB, "column_kind"), align="left"),
        PageColumn("games", say.of(CLUB, "column_event_games")),
        PageColumn("players", say.of(CLUB, "column_event_players")),
        PageColumn("closed", say("publish.in_list"), align="left"),
    ]
    rows: list[dict[str, PageValue]] = [
        {
            "date": one.day,
            "event": one.name,
            "kind": headings[one.kind],
            "games": one.games,
            "players": one.players,
            "closed": one.closed,
        }
        for one in sorted(events, key=lambda one: (one.day, one.row), reverse=True)
    ]
    if rows:
        yield table("events", say.of(CLUB, "sheet_events"), columns, rows)


def _number(value: PageValue) -> float:
    return value if isinstance(value, int | float) else 0.0


# -- an event or a period that elo-xl rate has rated -----------------------------------------------

RATED: Final = "rated-event"

LIST: Final = (
    PageColumn("place", "place", align="center"),
    PageColumn("title", "title", align="left"),
    PageColumn("name", "name", align="left"),
    PageColumn("federation", "federation", align="left"),
    PageColumn("new", "new"),
    PageColumn("change", "change", 2, change=True),
    PageColumn("rating", "before"),
    PageColumn("games", "rated_games"),
)
CROSS: Final = (
    PageColumn("rank", "rank", align="center"),
    PageColumn("no", "no"),
    PageColumn("title", "title", align="left"),
    PageColumn("name", "name", align="left"),
    PageColumn("rating", "rating"),
    PageColumn("points", "points", 1),
)
EVENTS: Final = (
    PageColumn("date", "date", align="left"),
    PageColumn("until", "until", align="left"),
    PageColumn("event", "event", align="left"),
    PageColumn("kind", "kind", align="left"),
    PageColumn("games", "event_games"),
    PageColumn("players", "event_players"),
)
STATE: Final = PageColumn("state", "state")
"""Columns of the book, with the keys of their headings."""


def rated_page(parts: Mapping[str, bytes], known: Identity, language: str = "") -> Page:
    """The page of a rated event, or of several rated as one period, from the file's values.

    Raises EntriesError where a sheet or its values are missing, and where entries need attention.
    """
    wording = texts(known.options.language)
    say = texts(language or wording.language)
    book = StoredBook(parts)
    sheet = _sheet(book, wording, "list")
    if sheet is None:
        return _period(book, wording, say)
    if status := _shown(sheet, 2):
        raise EntriesError(f"{status}: fix and save it first")
    rows = list(_rows(sheet, wording, LIST))
    if not rows:
        raise EntriesError(
            "its rating list holds no values: open it in Excel or LibreOffice, and save it"
        )
    tables = [_table("list", say, LIST, rows)]
    if (cross := _sheet(book, wording, "cross")) is not None:
        rounds = [PageColumn(str(r), str(r), align="center") for r in _rounds(cross, wording)]
        columns = (*CROSS[:-1], *rounds, CROSS[-1])
        tables.append(_table("cross", say, columns, list(_rows(cross, wording, columns))))
    event = _shown(sheet, 1).removesuffix(wording("rated-event.sheet_list")).removesuffix(" – ")
    title = " – ".join(filter(None, (event, say("rated-event.sheet_list"))))
    return Page(say.language, title, "", tables)


def _period(book: StoredBook, wording: Texts, say: Texts) -> Page:
    """The page of a period, which has a list for each kind of play, and the events."""
    tables = []
    words = {kind: (wording(f"club.kind_{kind}"), say(f"club.kind_{kind}")) for kind in KINDS}
    for kind, (here, there) in words.items():
        if sheet := book.get(capital(here)):
            rows = list(_rows(sheet, wording, LIST))
            tables.append(_table(kind, say, LIST, with_places(rows, "new"), capital(there)))
    if not tables:
        lists = ", ".join(repr(capital(here)) for here, _ in words.values())
        raise EntriesError(
            f"there is no sheet {wording('rated-event.sheet_list')!r}, and none of {lists}"
        )
    title = f"{say('rated-event.period_title')} – {tables[0].title}"
    if events := _sheet(book, wording, "events"):
        kinds, rated = dict(words.values()), wording("rated-event.state_rated")
        rows = [
            row | {"date": day_of(row["date"]), "until": day_of(row["until"]), "kind": word}
            for row in _rows(events, wording, (*EVENTS, STATE), "event")
            if row["state"] == rated and (word := kinds.get(str(row["kind"])))
        ]
        tables.append(_table("events", say, EVENTS, rows))
    return Page(say.language, title, "", tables)


def _sheet(book: StoredBook, wording: Texts, key: str) -> StoredSheet | None:
    return book.get(wording(f"rated-event.sheet_{key}"))


def _shown(sheet: StoredSheet, row: int) -> str:
    """The text at the left of a row."""
    cell = sheet.cells.get((row, 1))
    return str(cell.value) if cell else ""


def _heading(say: Texts, key: str) -> str:
    return key if key.isdigit() else say.of(RATED, f"column_{key}")


def _header(
    sheet: StoredSheet, wording: Texts, known: str = "name"
) -> tuple[int, Mapping[str, int]]:
    """The row of the headings, and their columns: the first of each."""
    for (row, _), cell in sorted(sheet.cells.items()):
        if cell.value == _heading(wording, known):
            places: dict[str, int] = {}
            for (line, column), other in sorted(sheet.cells.items()):
                if line == row:
                    places.setdefault(_number_or_text(other.value), column)
            return row, places
    raise EntriesError(f"no column is called {_heading(wording, known)!r}: were headings changed?")


def _number_or_text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _rounds(sheet: StoredSheet, wording: Texts) -> Iterator[int]:
    """The numbers that stand as headings."""
    places = _header(sheet, wording)[1]
    number = 1
    while str(number) in places:
        yield number
        number += 1


def _rows(
    sheet: StoredSheet, wording: Texts, columns: Sequence[PageColumn], known: str = "name"
) -> Iterator[dict[str, PageValue]]:
    """The rows with a name, or with what else has to be known."""
    header, places = _header(sheet, wording, known)
    by_row: dict[int, dict[int, PageValue]] = {}
    for (row, column), cell in sheet.cells.items():
        if row > header and not isinstance(cell.value, bool):
            by_row.setdefault(row, {})[column] = cell.value
    at = {c.key: places.get(_heading(wording, c.heading), 0) for c in columns}
    for _, cells in sorted(by_row.items()):
        if cells.get(at[known]):
            yield {key: cells.get(place) for key, place in at.items()}


def _table(
    key: str, say: Texts, columns: Sequence[PageColumn], rows: Sequence[PageRow], title: str = ""
) -> PageTable:
    shown = headed(columns, partial(_heading, say))
    return table(key, title or say(f"rated-event.sheet_{key}"), shown, rows)
