"""The members of a club's book take over the ratings of a federation's list."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Final

from elo_xl.club.ledger import Ledger, Member
from elo_xl.events.event import EventError, Player, Problem
from elo_xl.events.refreshed import looked_up
from elo_xl.lists import store
from elo_xl.lists.layouts import Entry
from elo_xl.templates.club import KINDS

_ONE_PERSON: Final = (
    "if they are, put x in Left for one of them, or write the other's name into Results and delete "
    "the line; if not, give the number"
)


@dataclass(frozen=True, slots=True)
class Taken:
    """A rating that a member has from the list."""

    name: str
    kind: str
    old: float | None
    """None for somebody without a rating of this kind"""
    new: float


@dataclass(slots=True)
class Updated:
    """What a list changes."""

    source: str
    day: date
    """the first day of its month"""
    ratings: list[Taken] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    """titles that are new, and numbers, birth years and federations that were blank"""
    notes: list[str] = field(default_factory=list)
    """who is not in the list, or not for sure"""


def update_ratings(book: Ledger, name: str | None = None) -> Updated:
    """Take ratings, titles and blank facts of the members over from a list into a book, which is
    changed but not written yet.

    Each new rating has a line in the history, with the first day of the list's month. Whoever the
    list has without a rating keeps theirs. Raises EventError for a book that cannot be read and for
    a list that is older than the ratings of the book, ListError if there is no such list.
    """
    published = [line.day for line in book.history()]
    book.check()
    chosen = store.choose(name)
    source = str(chosen or store.EXAMPLE)
    month = date.today() if chosen is None else date.fromisoformat(f"{chosen.month}-01")
    done = Updated(source, month.replace(day=1))
    if published and max(published).replace(day=1) > done.day:
        what = f"{source} is older than the last ratings of the book, of {max(published)}"
        raise EventError([Problem(what)])
    # whoever has left without a number takes none: another line may be the same person
    members = [m for m in book.members if m.id or not m.out]
    players = [
        Player(m.row, m.name, federation=m.federation, id=m.id, birth_year=m.birth) for m in members
    ]
    found, done.notes = looked_up(players, source if chosen else store.EXAMPLE, _ONE_PERSON)
    for member, (_, entry) in zip(members, found, strict=True):
        if entry is not None:
            _take(book, member, entry, done)
    return done


def _take(book: Ledger, member: Member, entry: Entry, done: Updated) -> None:
    for kind, rating in zip(KINDS, (entry.rating, entry.rapid, entry.blitz), strict=True):
        record = member.records[kind]
        if rating is None or rating == record.rating:
            continue
        done.ratings.append(Taken(member.name, kind, record.rating, rating))
        peak = max(rating, record.peak or rating, record.rating or rating)
        book.set("Members", member.row, **{kind: rating, f"{kind}_peak": peak})
        book.append(
            "History", date=done.day, name=member.name, id=member.id or entry.id,
            kind=book.say(f"club.kind_{kind}"), rating=rating,
            change=None if record.rating is None else rating - record.rating,
        )  # fmt: skip
    facts: dict[str, tuple[object, str | int | None]] = {
        "id": (member.id, entry.id),
        "birth": (member.birth, entry.birth),
        "federation": (member.federation, entry.federation),
        "title": (member.title if member.title == entry.title else "", entry.title),
    }
    for column, (known, told) in facts.items():
        if not known and told:
            book.set("Members", member.row, **{column: told})
            done.facts.append(f"{member.name}: {column} {told}")
