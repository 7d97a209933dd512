"""Who is who: the one finder of the persons whom files name, and names that are much alike.

A file may lie beside those of online events that says who plays under which nickname: a table
(CSV, xlsx, ods or xls) has a nickname in its first column, then the player's name, then, if there
is a third column, their number. A first row of headings is skipped. Case does not count in
nicknames.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from elo_xl.events.event import EventError, Player, Problem, Tournament
from elo_xl.events.sheets import Sheet, read_sheets
from elo_xl.events.source import Source
from elo_xl.events.table import headings_known
from elo_xl.lists.names import fits, plain, sounds
from elo_xl.people import same_name, spellings

_LIKE: Final = 78
"""From this share of equal letters on a name is suggested."""
_AKIN: Final = 55
_NAMED: Final = 3


class Identity(NamedTuple):
    """Which person a file names."""

    number: int
    """from 1 up, in the order in which they came"""
    new: bool
    taken_for: str = ""
    """their name until now, where it is spelled in another way"""
    id: str = ""
    """by which they were known, where the name would not do"""


class People:
    """Persons by their numbers, found by what a file calls them.

    A person with an id is found by it in any spelling, and one name with two ids is two people.
    A name without an id is the person of that name, also in another spelling: ``alike`` gives the
    keys of those. Several may be: it is for the caller to ask, or to take one. The names in
    ``apart`` are those of one person each, as they stand.
    """

    def __init__(
        self,
        persons: Iterable[tuple[int, str, str]] = (),
        alike: Callable[[str], Sequence[str]] = spellings,
        apart: Container[str] = (),
    ) -> None:
        self.names: dict[int, str] = {}
        self.ids: dict[int, str] = {}
        self._alike_keys = alike
        self._apart = apart
        self._texts: dict[str, set[int]] = {}
        self._named: dict[str, set[int]] = {}
        self._alike: dict[str, set[int]] = {}
        self._numbered: dict[str, list[int]] = {}
        self._sounds: dict[str, set[int]] = {}
        self._bare: dict[int, str] = {}
        """what those were called whom somebody named without an id"""
        for number, name, id in persons:
            self._add(number, name, id)

    def _add(self, number: int, name: str, id: str) -> None:
        for text in (name, id, str(number)):
            if text:
                self._texts.setdefault(same_name(text), set()).add(number)
        if name:
            self.names[number] = name
            self._named.setdefault(same_name(name), set()).add(number)
            for key in self._keys(name):
                self._alike.setdefault(key, set()).add(number)
        if id:
            self._has_id(number, id)

    def _keys(self, name: str) -> Sequence[str]:
        return (name,) if name in self._apart else self._alike_keys(name)

    def _like(self, name: str) -> set[int]:
        return {n for key in self._keys(name) for n in self._alike.get(key, ())}

    def _has_id(self, number: int, id: str) -> None:
        self.ids[number] = id
        self._numbered.setdefault(id, []).append(number)

    def __contains__(self, text: str) -> bool:
        return same_name(text) in self._texts

    def name(self, number: int) -> str:
        return self.names.get(number, f"player {number}")

    def find(self, text: str) -> tuple[set[int], bool]:
        """Whom a name, an id or a number may mean, and whether the spelling is another one.

        >>> people = People([(1, "Müller, Jürgen", ""), (2, "Ferrer, Ana", "99000001")])
        >>> people.find("99000001"), people.find("Jurgen Muller"), people.find("Ferrer, Anna")
        (({2}, False), ({1}, True), (set(), False))
        """
        same = same_name(text)
        if numbers := self._texts.get(same):
            # ids may differ in case alone
            if len(numbers) > 1 and (exact := numbers & set(self._numbered.get(text, ()))):
                numbers = exact | {n for n in numbers if same_name(self.names.get(n, "")) == same}
            return numbers, False
        return self.find_name(text)

    def find_name(self, text: str) -> tuple[set[int], bool]:
        """The same by names alone."""
        if numbers := self._named.get(same_name(text)):
            return numbers, False
        numbers = self._like(text) if text else set()
        return numbers, bool(numbers)

    def find_id(self, id: str) -> Sequence[int]:
        """Who has an id."""
        return self._numbered.get(id, ())

    def find_person(self, name: str, id: str) -> tuple[Sequence[int], bool]:
        """Whom a name and an id may mean together, and whether the spelling is another one.

        >>> people = People([(1, "Ferrer, Ana", ""), (2, "Oduya, Ben", "7")])
        >>> people.find_person("B. Oduya", "7"), people.find_person("Oduya, Ben", "8")
        (([2], False), ([], False))
        """
        if numbers := self.find_id(id):
            return numbers, False
        named, respelled = self.find_name(name)
        # a different id means another person of the same name
        return [n for n in sorted(named) if not (id and n in self.ids)], respelled

    def meet(self, name: str, id: str) -> Identity:
        """The person of a name and an id, who may be new.

        >>> people = People()
        >>> pairs = ("Ana", "7"), ("Anna", "7"), ("Ana", "8"), ("Bo", "")
        >>> [people.meet(name, id).number for name, id in pairs]
        [1, 1, 2, 3]

        If several may be meant it is the first one: :attr:`unclear` tells.
        """
        if numbers := self.find_id(id):
            known = self.names[numbers[0]]
            other = name and not {*self._keys(name)} & {*self._keys(known)}
            return Identity(numbers[0], False, known if other else "", id if other else "")
        alike = self._like(name)
        exact = self._named.get(same_name(name), set()) & alike
        for number in (*sorted(exact), *sorted(alike - exact)):
            if id and number in self.ids:
                continue  # another person of the same name
            if id:
                self._has_id(number, id)
            else:
                self._bare.setdefault(number, name)
            known = self.names[number]
            return Identity(number, False, "" if _as_it_stands(known, name) else known)
        number = len(self.names) + 1
        self._add(number, name, id)
        if not id:
            self._bare[number] = name
        return Identity(number, True)

    @property
    def unclear(self) -> Iterator[tuple[int, str, list[str]]]:
        """Who was named without an id where several have the name: number, name, all their ids."""
        for alike in self._alike.values():
            for number in sorted(alike) if len(alike) > 1 else ():
                if number in self._bare:
                    yield number, self._bare[number], [self.ids.get(n, "") for n in sorted(alike)]

    def suggested(self, text: str) -> str:
        """The names that are most like a text, as a question; empty if there is none.

        >>> People([(2, "Ferrer, Ana", "")]).suggested("Anna Ferrer")
        ": did you mean 'Ferrer, Ana'?"

        Names in another script and with initials are like it, too.
        """
        from rapidfuzz import fuzz, process

        if not any(letter.isalpha() for letter in text):
            return ""
        matches = process.extract(
            self._keys(text)[0],
            self._alike.keys(),
            scorer=fuzz.ratio,
            score_cutoff=_LIKE,
            limit=_NAMED,
        )
        likely = sorted({number for key, _, _ in matches for number in self._alike[key]})
        likely += [number for number in self._fitting(text) if number not in likely]
        texts = [repr(name) for name in dict.fromkeys(self.names[number] for number in likely)]
        return f": did you mean {' or '.join(texts[:_NAMED])}?" if texts else ""

    def _fitting(self, text: str) -> list[int]:
        """The players who can be meant in another script or with initials."""
        if not self._sounds:
            for number, name in self.names.items():
                for key in sounds(name):
                    self._sounds.setdefault(key, set()).add(number)
        near = {number for key in sounds(text) for number in self._sounds.get(key, ())}
        return sorted(number for number in near if fits(text, self.names[number]))


def _as_it_stands(one: str, other: str) -> bool:
    """Whether two names differ in nothing that can be seen."""
    return one == other or unicodedata.normalize("NFKC", one) == unicodedata.normalize(
        "NFKC", other
    )


def akin(one: str, other: str) -> bool:
    """Whether two names with one id may be one person's: a word sounds alike, or most letters are.

    >>> akin("Ana", "Annabel"), akin("Ferrer, A.", "Ferrer, Ana"), akin("Ferrer, Ana", "Oduya, Ben")
    (True, True, False)
    """
    from rapidfuzz import fuzz

    return bool(sounds(one) & sounds(other)) or fuzz.ratio(plain(one), plain(other)) >= _AKIN


def look_alikes(names: Iterable[str]) -> list[tuple[str, str]]:
    """The pairs of different names that only a letter or two tell apart.

    >>> look_alikes(["Ferrer, Ana", "Ferrer, Anna", "Oduya, Ben"])
    [('Ferrer, Ana', 'Ferrer, Anna')]
    """
    import numpy as np
    from rapidfuzz import fuzz, process

    distinct = list(dict.fromkeys(names))
    if not 1 < len(distinct) <= MOST_COMPARED:
        return []
    # a seed behind a name, or how somebody came to play
    bare = ((_BRACKET.sub("", name), name) for name in distinct)
    marked = [pair for pair in bare if pair[0] != pair[1] and pair[0] in distinct]
    keys = [spellings(name)[0] for name in distinct]
    near = process.cdist(keys, keys, scorer=fuzz.ratio, score_cutoff=_SAME, dtype=np.uint8)
    pairs = [
        (distinct[i], distinct[j])
        for i, j in zip(*near.nonzero(), strict=True)
        if i < j and (len(keys[i]) > _SHORT or keys[i] == keys[j]) and _one_number(keys[i], keys[j])
    ]
    return [*dict.fromkeys((*marked, *pairs))][:_MOST_PAIRS]


def are_apart(names: Collection[str], file: str) -> Iterator[Problem]:
    """What is said of names that are alike, and of different players."""
    if names:
        both = " and ".join(map(repr, sorted(names)))
        yield Problem(f"{both} are different players: they meet each other", file=file)


def _one_number(one: str, other: str) -> bool:
    """Whether the numbers in two names are the same; others make other teams or programs."""
    return _DIGITS.findall(one) == _DIGITS.findall(other)


_BRACKET: Final = re.compile(r"(?<!\s)\s*(?:\([^()]*\)|\[[^\[\]]*\])$")
_DIGITS: Final = re.compile(r"(?<![0-9.])[0-9.]*[0-9]")
MOST_COMPARED: Final = 2000
"""With more names than this, each is not compared with all others."""
_SAME: Final = 90
_SHORT: Final = 8
_MOST_PAIRS: Final = 5


def find_player(players: Sequence[Player], who: str, where: str = "in the event") -> Player:
    """The player whom a number, an ID, a name or a part of one means.

    Raises EventError if no player fits, or several do.
    """
    people = People((p.number, p.name, p.id) for p in players)
    numbers, _ = people.find(who)
    if not numbers and (words := set(spellings(who)[0].split())):
        numbers = {p.number for p in players if words <= set(spellings(p.name)[0].split())}
    if len(numbers) == 1:
        return next(p for p in players if p.number in numbers)
    if numbers:
        several = "; ".join(f"{people.name(n)} (No {n})" for n in sorted(numbers))
        raise EventError([Problem(f"{who!r} may be any of these: {several}")])
    raise EventError([Problem(f"no player {who!r} {where}{people.suggested(who)}")])


# -- nicknames -----------------------------------------------------------------------------------

_HEADING: Final = re.compile(
    r"(?i)(nick|user|handle|login|account|alias|spitzname|benutzer|apodo|usuario|pseudo|"
    r"apelido|ник|логин)"
)
_ONE_WORD: Final = re.compile(r"[^\s,]+")


@dataclass(frozen=True, slots=True)
class Nicknames:
    """Names and numbers by nickname, in the form in which names are compared."""

    file: str
    people: Mapping[str, tuple[str, str]]


def read_nicknames(source: Source) -> Nicknames:
    """Read who has which nickname.

    Raises EventError with every line that has no nickname or neither name nor number, and for a
    nickname of two people; OSError if the file cannot be read.
    """
    sheet = read_sheets(source, known=headings_known)[0]
    people: dict[str, tuple[str, str]] = {}
    problems = list(_problems(sheet, people))
    if not people and not problems:
        problems.append(Problem("it has no nicknames", file=sheet.file))
    if problems:
        raise EventError(problems)
    return Nicknames(sheet.file, people)


def _problems(sheet: Sheet, people: dict[str, tuple[str, str]]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for number, (line, cells) in enumerate(sheet.rows()):
        nick, name, id = (*(cell.strip() for cell in cells[:3]), "", "", "")[:3]
        if not (nick or name or id) or (not number and _HEADING.match(nick)):
            continue
        key = same_name(nick)
        if not nick:
            yield sheet.problem("there is no nickname", line)
        elif not name and not id:
            yield sheet.problem(f"the nickname {nick!r} has neither a name nor a number", line)
        elif people.get(key, (name, id)) != (name, id):
            yield sheet.problem(f"{nick!r} is somebody else on line {first[key]}", line)
        else:
            people[key] = name, id
            first.setdefault(key, line)


def with_names(event: Tournament, known: Nicknames) -> Tournament:
    """The event with names and numbers in the place of nicknames.

    Raises EventError for each player whose name is one word, as nicknames are, and stands neither
    in the file nor behind a nickname in it; and for two nicknames of one person in the event.
    """
    names = {same_name(name) for name, _ in known.people.values()}
    nicks = People((i, nick, "") for i, nick in enumerate(known.people, start=1))
    problems = []
    players: list[Player] = []
    seen: dict[tuple[str, str], str] = {}
    for player in event.players:
        key = same_name(player.name)
        person = known.people.get(key)
        if person is None:
            # one word may be a whole name: then the file has it among its names
            if _ONE_WORD.fullmatch(player.name) and key not in names and not player.id:
                what = f"who is {player.name!r}?{nicks.suggested(player.name)[1:]}"
                problems.append(Problem(f"{what} The nickname is missing", file=known.file))
            players.append(player)
            continue
        name, id = person
        other = seen.setdefault(person, player.name)
        if other != player.name:
            what = f"{other!r} and {player.name!r} are both {name or id}, who has played twice"
            problems.append(Problem(what, file=known.file))
        players.append(replace(player, name=name or player.name, id=id or player.id))
    if problems:
        raise EventError(problems)
    return replace(event, players=tuple(players))
