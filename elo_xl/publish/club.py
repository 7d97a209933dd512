"""The page of a club's book: members with their ratings, what changed, events, history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from elo_xl.books.texts import Texts, texts
from elo_xl.club.ledger import TEMPLATE, ClubEvent, Ledger, Member, Published
from elo_xl.people import same_name
from elo_xl.publish.page import (
    Page,
    PageColumn,
    PageTable,
    PageValue,
    Point,
    capital,
    table,
    with_places,
)
from elo_xl.templates.blocks.wall import SEPARATOR
from elo_xl.templates.club import KINDS
from elo_xl.templates.opened import EntriesError

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
    title = say.of(TEMPLATE, "sheet_list")
    if day:
        title += f" {say.of(TEMPLATE, 'as_of')} {_said(say, day)}"
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
            filter(None, (club, officer and f"{say.of(TEMPLATE, 'wall_arbiter')} {officer}"))
        ),
        [_list(say, members, theirs, headings), *_events(say, ledger.events.values(), headings)],
        club,
        day if isinstance(day, date) else ledger.last_list,
        curves,
    )


def _said(say: Texts, day: date | str) -> str:
    """A day in words."""
    if isinstance(day, str):
        return day
    month = say.of(TEMPLATE, "months").split()[day.month - 1]
    return say.of(TEMPLATE, "day_said", day=day.day, month=month, year=day.year)


def _histories(members: Iterable[Member], history: Iterable[Published]) -> Theirs:
    """What was published of each member: a line is theirs by the ID, otherwise by the name."""
    found: dict[str, dict[str, list[Published]]] = {}
    by_id = {m.id: m.name for m in members if m.id}
    by_name = {same_name(m.name): m.name for m in members}
    for line in sorted(history, key=lambda one: one.day):
        name = by_id.get(line.id) or by_name.get(same_name(line.name), "")
        if name:
            found.setdefault(name, {}).setdefault(line.kind, []).append(line)
    return {name: {kind: kinds[kind] for kind in KINDS if kind in kinds}
            for name, kinds in found.items()}  # fmt: skip


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
        PageColumn("place", say.of(TEMPLATE, "column_place"), align="center"),
        PageColumn("title", say.of(TEMPLATE, "column_title"), align="left", minor=True),
        PageColumn("name", say.of(TEMPLATE, "column_name"), align="left"),
        PageColumn("federation", say.of(TEMPLATE, "column_federation"), align="left", minor=True),
    ]
    for kind in kinds:
        group, minor = headings[kind], kind != kinds[0]
        columns += [
            PageColumn(kind, say.of(TEMPLATE, "column_rating"), group=group, minor=minor),
            PageColumn(
                f"{kind}_change",
                say.of(TEMPLATE, "column_change"),
                group=group,
                change=True,
                minor=minor,
            ),
            PageColumn(f"{kind}_games", say("publish.games"), group=group, minor=minor),
        ]
    title, needed = say.of(TEMPLATE, "sheet_list"), ("place", "name", kinds[0])
    return table("list", title, columns, with_places(rows, kinds[0]), needed)


def _events(
    say: Texts, events: Iterable[ClubEvent], headings: Mapping[str, str]
) -> Iterable[PageTable]:
    """The events, the last ones first; no table if there are none."""
    columns = [
        PageColumn("date", say.of(TEMPLATE, "column_date"), align="left"),
        PageColumn("event", say.of(TEMPLATE, "column_event"), align="left"),
        PageColumn("kind", say.of(TEMPLATE, "column_kind"), align="left", minor=True),
        PageColumn("games", say.of(TEMPLATE, "column_event_games")),
        PageColumn("players", say.of(TEMPLATE, "column_event_players"), minor=True),
        PageColumn("closed", say("publish.in_list"), align="left", minor=True),
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
        yield table("events", say.of(TEMPLATE, "sheet_events"), columns, rows)


def _number(value: PageValue) -> float:
    return value if isinstance(value, int | float) else 0.0
