"""The players of a PGN file: by FIDE number, then by name, with the rating of their first game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from elo_xl.lists.names import title
from elo_xl.tournament.games import Gathered
from elo_xl.tournament.names import look_alikes, spelling
from elo_xl.tournament.players import PlayerEntry
from elo_xl.tournament.table import Table
from elo_xl.tournament.tag_pairs import Encoded
from elo_xl.tournament.text import same_name

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
        self.names: list[str] = []
        self.ids: list[str] = []
        self.titles: list[str] = []
        self.lines: list[int] = []
        self.ratings: dict[int, _Rating] = {}
        self._by_id: dict[str, int] = {}
        self._by_name: dict[str, list[int]] = {}
        self._seen: set[int] = set()
        self._bare: dict[int, tuple[str, int]] = {}
        """players found by a name without a number, with the name and the line"""

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
        if id and (number := self._by_id.get(id)):
            if spelling(name) != spelling(self.names[number - 1]):
                own = self.names[number - 1]
                self.warn(f"{name!r} is taken for {own!r}: both have the number {id}", line)
            return number
        # nicknames are one word, in which every letter counts
        key = spelling(name) if re.search(r"[\s,]", name) else same_name(name)
        alike = self._by_name.setdefault(key, [])
        if not id:
            if alike:
                number = alike[0]
                self._bare.setdefault(number, (name, line))
                if same_name(name) != same_name(self.names[number - 1]):
                    self.warn(f"{name!r} is taken for {self.names[number - 1]!r}", line)
                return number
        else:
            for number in alike:
                if not self.ids[number - 1]:
                    self.ids[number - 1] = id
                    self._by_id[id] = number
                    return number
        self.names.append(name)
        self.ids.append(id)
        self.titles.append(title(self.said[person.title].strip(" -?")))
        self.lines.append(line)
        number = len(self.names)
        alike.append(number)
        if id:
            self._by_id[id] = number
        else:
            self._bare[number] = name, line
        return number

    def warn(self, what: str, line: int) -> None:
        self.table.warnings.append(self.table.sheet.problem(what, line))

    def entries(self) -> list[PlayerEntry]:
        """The players; reports names that may be several, and ratings that differ."""
        for alike in self._by_name.values():
            for number in alike if len(alike) > 1 else ():
                if number in self._bare:
                    name, line = self._bare[number]
                    ids = " or ".join(self.ids[n - 1] for n in alike)
                    what = f"{name!r} may be {ids}: two players of one name need FIDE numbers"
                    self.table.problems.append(self.table.sheet.problem(what, line))
        differ = [(n, r) for n, r in sorted(self.ratings.items()) if r.other]
        for number, rating in differ[:SHOWN]:
            value, when, line = rating.other or (0.0, b"", 0)
            a, b = _on(rating.value, rating.when), _on(value, when)
            what = f"rating of {self.names[number - 1]}: {a}, the first, counts, not {b}"
            self.warn(what, line)
        if len(differ) > SHOWN:
            more = some(len(differ) - SHOWN, "more player")
            self.table.warn(f"ratings of {more} differ between games: that of the first one counts")
        for a, b in look_alikes(name for name in self.names if re.search(r"[\s,]", name)):
            self.table.warn(f"{a!r} and {b!r} may be one person")
        return [
            PlayerEntry(
                name=name,
                number=number,
                id=self.ids[number - 1],
                rating=self.ratings[number].value if number in self.ratings else None,
                title=self.titles[number - 1],
                line=self.lines[number - 1],
            )
            for number, name in enumerate(self.names, start=1)
        ]


def _on(rating: float, when: bytes) -> str:
    day = when[:10].decode("utf-8", errors="replace")
    return f"{rating:g}" if when.startswith(LATE) else f"{rating:g} ({day})"


def some(count: int, what: str) -> str:
    """A number of things.

    >>> some(1, "game"), some(3, "game")
    ('1 game', '3 games')
    """
    return f"{count} {what}{'' if count == 1 else 's'}"
