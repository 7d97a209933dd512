"""The players of a PGN file: by FIDE number, then by name, with the rating of their first game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from elo_xl.events.games import Gathered
from elo_xl.events.names import People, look_alikes
from elo_xl.events.players import PlayerEntry
from elo_xl.events.table import Table
from elo_xl.events.tag_pairs import Encoded
from elo_xl.languages import many
from elo_xl.lists.names import title
from elo_xl.people import respelt

SHOWN: Final = 10
"""Players, events or lines that a message names."""
LATE: Final = b"9999"
"""when a game without a date was: after all others"""


@dataclass(slots=True)
class Person:
    """A name and a number as they stand together in games."""

    name: bytes
    id: bytes
    title: bytes
    number: int = 0


@dataclass(slots=True)
class _Rating:
    """The rating of a player's first game, and the first other one."""

    value: float
    when: bytes
    line: int
    other: tuple[float, bytes, int] | None = None

    def add(self, value: float, when: bytes, line: int) -> None:
        if when < self.when:
            if value != self.value:
                self.other = self.value, self.when, self.line
            self.value, self.when, self.line = value, when, line
        elif value != self.value and self.other is None:
            self.other = value, when, line


class Field:
    """The players of an event: by number, then by name."""

    def __init__(self, people: list[Person], said: Encoded, table: Table) -> None:
        self.people, self.said, self.table = people, said, table
        self._known = People(alike=respelt)
        self.titles: list[str] = []
        self.lines: list[int] = []
        self.ratings: dict[int, _Rating] = {}
        self._seen: set[int] = set()
        self._bare: dict[int, int] = {}
        """the first lines in which players have a name without a number"""

    def add(self, person: int, rating: float | None, when: bytes, line: int) -> None:
        if person not in self._seen:
            self._seen.add(person)
            self.people[person].number = self._number(self.people[person], line)
        number = self.people[person].number
        if rating is None or not number:
            return
        known = self.ratings.get(number)
        if known is None:
            self.ratings[number] = _Rating(rating, when, line)
        else:
            known.add(rating, when, line)

    def _number(self, person: Person, line: int) -> int:
        name, id = self.said[person.name], self.said[person.id]
        if Gathered.is_nobody(name):
            return 0
        met = self._known.meet(name, id)
        if met.taken_for:
            both = f": both have the number {met.id}" if met.id else ""
            self.warn(f"{name!r} is taken for {met.taken_for!r}{both}", line)
        if met.new:
            self.titles.append(title(self.said[person.title].strip(" -?")))
            self.lines.append(line)
        if not id:
            self._bare.setdefault(met.number, line)
        return met.number

    def warn(self, what: str, line: int) -> None:
        self.table.warnings.append(self.table.sheet.problem(what, line))

    def entries(self) -> list[PlayerEntry]:
        """The players; reports names that may be several, and ratings that differ."""
        names, ids = self._known.names, self._known.ids
        for number, name, alike in self._known.unclear:
            what = (
                f"{name!r} may be {' or '.join(alike)}: two players of one name need FIDE numbers"
            )
            self.table.problems.append(self.table.sheet.problem(what, self._bare[number]))
        differ = [(n, r) for n, r in sorted(self.ratings.items()) if r.other]
        for number, rating in differ[:SHOWN]:
            value, when, line = rating.other or (0.0, b"", 0)
            a, b = _on(rating.value, rating.when), _on(value, when)
            what = f"rating of {names[number]}: {a}, the first, counts, not {b}"
            self.warn(what, line)
        if len(differ) > SHOWN:
            more = many(len(differ) - SHOWN, "more player")
            self.table.warn(f"ratings of {more} differ between games: that of the first one counts")
        for a, b in look_alikes(name for name in names.values() if re.search(r"[\s,]", name)):
            self.table.warn(f"{a!r} and {b!r} may be one person")
        return [
            PlayerEntry(
                name=name,
                number=number,
                id=ids.get(number, ""),
                rating=self.ratings[number].value if number in self.ratings else None,
                title=self.titles[number - 1],
                line=self.lines[number - 1],
            )
            for number, name in names.items()
        ]


def _on(rating: float, when: bytes) -> str:
    day = when[:10].decode("utf-8", errors="replace")
    return f"{rating:g}" if when.startswith(LATE) else f"{rating:g} ({day})"
