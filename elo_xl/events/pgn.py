"""Games as PGN, as programs for games, databases and playing sites export them.

The reader takes the tags of each game: ``Event``, ``White``, ``Black``, ``Result``, ``Round``,
``Date`` or ``UTCDate``, ``WhiteElo``, ``WhiteFideId`` and ``WhiteTitle``, the same for Black, and
``TimeControl``. It skips moves, comments and variations.

The file may be packed by gzip, bzip2 or Zstandard (``games.pgn.zst``; before Python 3.14 with the
extra ``zstd``). It may have any size.

**Event.** A file with several events is refused with their names, unless ``--event`` names one.

**Players** are identified by their FIDE numbers, then by their names. Names in another spelling
(accents, order) are read as the same person, and a note says so; nicknames, which are one word, may
differ only in case. If a player's rating changes between games, that of their first game counts, by
date, and a note gives both. ``?``, ``-`` and 0 are no rating.

**Results.** An unfinished game (``*``) is not rated; ``--dry-run`` says how many there are. A game
without moves, among others with moves, may be a forfeit, so a note names it.

**Rounds.** ``3.1`` is board 1 of round 3. If rounds are missing (``?``, ``-``), or players have
several games in one (``1.1``, ``1.2``), the rounds of each player are counted in the order of dates
and times. A game that occurs twice, with the same players, round, date and time, is refused.

**Dates.** ``2026.03.??`` counts as the first day if no game has a whole date.

**Time control** in seconds (``5400+30``, ``40/7200:3600``) makes an event rapid or blitz. Numbers
that can only be minutes, such as ``90+30``, are read as minutes, with a note.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple

from elo_xl.engine.errors import RatingError
from elo_xl.english import plural
from elo_xl.events.assembly import MOST_ROUNDS, Assembly, Line
from elo_xl.events.event import (
    NO_DATES,
    EventError,
    Kind,
    NoRatingsError,
    Problem,
    Tournament,
    kind_of,
)
from elo_xl.events.fields import RATING
from elo_xl.events.games import PLAYED, Gathered
from elo_xl.events.names import People, are_apart, look_alikes
from elo_xl.events.players import PlayerEntry, in_order
from elo_xl.events.scores import codes_of
from elo_xl.events.sheets import Sheet
from elo_xl.events.source import Source, UnknownEncodingError, decode, file_name
from elo_xl.events.table import Row, Table
from elo_xl.events.tables import days_of
from elo_xl.events.tag_pairs import BROKEN, Encoded, TagPairs
from elo_xl.lists.names import title
from elo_xl.people import respelt, same_name
from elo_xl.progress import counted

_NEEDED: Final = (
    b"Event Date UTCDate UTCTime Round White Black Result WhiteElo BlackElo WhiteFideId "
    b"BlackFideId TimeControl"
).split()
"""The tags in which a mistake is a problem."""
_NONE: Final = frozenset((b"", b"?", b"-", b"0", b"??", b"????", b"----", b"++++"))
_STANDARD: Final = frozenset((b"", b"standard", b"chess", b"normal"))
_ROUND: Final = re.compile(rb"([1-9][0-9]{0,2})(?:[. /-][0-9]+)*")
_MONTH: Final = re.compile(r"([0-9]{4})[./-]([0-9]{2})[./-][?]+")
_ADDRESS: Final = re.compile(r"://|\.[a-z]{2,}")
"""of a playing site, which is no place"""
_WITH_BONUS: Final = re.compile(r"([0-9]+)\+([0-9]+)")


EVERY: Final = "*"
"""In place of an event's name: all events of a file."""


class _Game(NamedTuple):
    line: int
    event: int
    white: int
    black: int
    codes: tuple[str, str]
    round: bytes
    when: bytes
    """date and time, for the order"""
    day: bytes
    ratings: tuple[float | None, float | None]


@dataclass(slots=True)
class _About:
    """What a file says of an event, with the places."""

    name: bytes
    games: int = 0
    unfinished: int = 0
    site: bytes = b""
    played: int = 0
    """games with moves"""


def read_pgn(
    source: Source, *, event: str | tuple[str, ...] = "", encoding: str = "", unrated: bool = False
) -> Tournament:
    r"""Read an event from a PGN file, given as a path or as the file's bytes.

    ``event`` is the name of the event that is meant, if the file has several, names of some that
    are read as one, or :data:`EVERY`; ``encoding`` is that of the names, if it cannot be told.
    Somebody
    has to have a rating unless the file may be ``unrated``, as they come from a list.

    Raises :class:`EventError` with every problem of the file, and OSError if it cannot be read.
    """
    reader = _Reader(source)
    try:
        reader.read()
        return reader.tournament(event, encoding, unrated)
    except UnknownEncodingError as wrong:
        raise EventError([Problem(str(wrong), file=reader.name)]) from None


class _Reader:
    """The games of a file, as bytes; then, of one event, as a tournament."""

    def __init__(self, source: Source) -> None:
        self.pairs = TagPairs(source, _NEEDED)
        self.name = file_name(source)
        self.sheet = Sheet(self.name, "", lambda: iter(()))
        self.people: list[Person] = []
        self.events: list[_About] = []
        self.games: list[_Game] = []
        self.problems: list[tuple[int | None, Problem]] = []
        """each with its event"""
        self.days: dict[tuple[int, bytes], int] = {}
        self.tempos: Counter[tuple[int, bytes]] = Counter()
        self.variants: Counter[tuple[int, bytes]] = Counter()
        self.moveless: list[tuple[int, int]] = []
        self.contrary: list[tuple[int, int]] = []
        self.several = self.every = False

    def problem(self, what: str, line: int, event: int | None = None) -> None:
        self.problems.append((event, self.sheet.problem(what, line)))

    # -- the file ---------------------------------------------------------------------------------

    def read(self) -> None:
        names: dict[bytes, int] = {}
        known: dict[tuple[bytes, bytes], int] = {}
        kept: dict[bytes, bytes] = {}
        codes: dict[bytes, tuple[str, str] | str] = {}
        ratings: dict[bytes, float | str | None] = {}
        first: dict[int, int] = {}
        for line, tags, played, ending in counted(self.pairs.games(), "games"):
            get = tags.get
            event_name = get(b"BroadcastName") or get(b"Event", b"")
            event = names.get(event_name)
            if event is None:
                event = names[event_name] = len(self.events)
                self.events.append(_About(event_name, site=get(b"Site", b"")))
            about = self.events[event]
            about.games += 1
            if BROKEN in tags:
                continue
            result = get(b"Result", b"")
            if ending not in (b"", b"*", result) and _contradicts(result, ending):
                self.contrary.append((event, line))
            if result == b"*":
                about.unfinished += 1
                continue

            def at(tag: bytes, tags: dict[bytes, bytes] = tags, line: int = line) -> int:
                return line + (list(tags).index(tag) if tag in tags else 0)

            outcome = codes.get(result)
            if outcome is None:
                outcome = codes[result] = _result(result)
            if isinstance(outcome, str):
                self.problem(outcome, at(b"Result"), event)
                outcome = "", ""
            sides: list[int] = []
            values: list[float | None] = []
            for colour in (b"White", b"Black"):
                name, id = get(colour, b"").strip(), get(colour + b"FideId", b"").strip()
                if name in _NONE and name != b"0":
                    self.problem(f"{colour.decode()} has no name", at(colour), event)
                id = b"" if id in _NONE else id
                person = known.get((name, id))
                if person is None:
                    person = known[name, id] = len(self.people)
                    self.people.append(Person(name, id, get(colour + b"Title", b"")))
                sides.append(person)
                text = get(colour + b"Elo", b"")
                rating = ratings.get(text, "")
                if rating == "":
                    rating = ratings[text] = _rating(text)
                if isinstance(rating, str):
                    self.problem(rating, at(colour + b"Elo"), event)
                    rating = None
                values.append(rating)
            round = get(b"Round", b"")
            day, time = self._day(tags, event, at), get(b"UTCTime", b"")
            if round not in _NONE or time:
                # the hash is enough: that of a million games takes a tenth of what they would
                key = hash((event, *sides, round, day, time))
                if (before := first.setdefault(key, line)) != line:
                    what = f"the game occurs twice: round, date and players of line {before}"
                    self.problem(what, line, event)
                    continue
            tempo = get(b"TimeControl", b"")
            if tempo not in _NONE:
                self.tempos[event, tempo] += 1
            variant = get(b"Variant", b"")
            if variant and variant.lower() not in _STANDARD:
                self.variants[event, variant] += 1
            if played:
                about.played += 1
            elif outcome[0] in PLAYED:
                self.moveless.append((event, line))
            self.games.append(
                _Game(
                    line,
                    event,
                    sides[0],
                    sides[1],
                    outcome,
                    kept.setdefault(round, round),
                    (day or LATE) + time,
                    day,
                    (values[0], values[1]),
                )
            )
        for what, line in self.pairs.problems:
            self.problem(what, line)

    def _day(self, tags: dict[bytes, bytes], event: int, at: Callable[[bytes], int]) -> bytes:
        """The date of a game, as it is written; empty if it is not whole."""
        for tag in (b"Date", b"UTCDate", b"EventDate"):
            text = tags.get(tag, b"")
            if text not in _NONE:
                if (event, text) not in self.days:
                    self.days[event, text] = at(tag)
                if b"?" not in text:
                    return text
        return b""

    # -- an event ---------------------------------------------------------------------------------

    def tournament(
        self,
        name: str | tuple[str, ...],
        encoding: str,
        unrated: bool,
        apart: frozenset[str] = frozenset(),
    ) -> Tournament:
        texts = {about.name for about in self.events} | {about.site for about in self.events}
        for person in self.people:
            texts.update((person.name, person.title, person.id))
        said = Encoded(texts, encoding)
        chosen = self._chosen(name, said)
        table = Table(self.sheet, None, {})
        # who asks for one event need not fix the others in its file
        table.problems = [p for event, p in self.problems if event is None or event in chosen]
        table.warnings = [self.sheet.problem(what, line) for what, line in self.pairs.doubts]
        games = [game for game in self.games if game.event in chosen]
        entries = self._players(games, said, table, apart)
        assembly = Assembly()
        names = {entry.number: entry.name for entry in entries}
        understood = self._games(games, assembly, table, names.__getitem__)
        if (met := self._alike_and_met(games, said) if table.problems else apart) - apart:
            return self.tournament(name, encoding, unrated, apart | met)
        table.warnings += list(are_apart(apart, self.name))
        days, undated = self._days(chosen, assembly, table)
        tempo, kind = self._tempo(chosen, table)
        abouts = [self.events[event] for event in chosen]
        title_ = next((text for about in abouts if (text := said[about.name])), "")
        understood.insert(0, self._counted(abouts, title_))
        if table.problems:
            raise EventError(in_order(table.problems), understood)
        if not (unrated or any(entry.rating for entry in entries)):
            what = "the games have no ratings: name the players with --players"
            raise NoRatingsError([table.at(what)], understood)
        self._odd(chosen, table)
        if not days and undated is None:
            table.warn(NO_DATES)
        if title_ in ("", "?"):
            title_ = self.name.rpartition(".")[0] or self.name
        done = assembly.tournament(title_, entries, days, table.warnings, understood)
        city = self._city(abouts, said)
        return replace(done, city=city, undated=undated, time_control=tempo, kind=kind)

    def _city(self, abouts: Sequence[_About], said: Encoded) -> str:
        """Where the event is; a site that is unknown or an address of a server is no city."""
        site = said[abouts[0].site] if abouts else ""
        return "" if site in ("?", "-") or _ADDRESS.search(site) else site

    def _chosen(self, name: str | tuple[str, ...], said: Encoded) -> list[int]:
        """The events of one name; raises EventError if there are several, or none."""
        named: dict[str, list[int]] = {}
        for number, about in enumerate(self.events):
            named.setdefault(same_name(said[about.name]), []).append(number)
        # with problems there are games, though nobody can read them: these are told instead
        if not named and not self.problems:
            raise EventError([Problem("the file has no games", file=self.name)])
        names = (name,) if isinstance(name, str) else name
        self.every = EVERY in names
        if self.every:
            self.several = len(named) > 1
            return list(range(len(self.events)))
        missing = [one for one in names if one and same_name(one) not in named]
        if missing or (not any(names) and len(named) > 1):
            counts = {
                said[self.events[numbers[0]].name]: sum(self.events[n].games for n in numbers)
                for numbers in named.values()
            }
            shown = [
                f"{text!r} ({plural(count, 'game')})"
                for text, count in sorted(counts.items(), key=lambda one: -one[1])[:SHOWN]
            ]
            more = f" and {len(named) - SHOWN} more" if len(named) > SHOWN else ""
            listed = f"{', '.join(shown)}{more}"
            what = (
                f"no event is called {missing[0]!r}; there are {listed}"
                if missing
                else f"there are {len(named)} events: {listed}: choose one with --event, or "
                'several with as many, or all with --event "*"'
            )
            raise EventError([Problem(what, file=self.name)])
        if any(names):
            return sorted({number for one in names for number in named[same_name(one)]})
        return list(range(len(self.events)))

    def _alike_and_met(self, games: Iterable[_Game], said: Encoded) -> frozenset[str]:
        """The names of two who were taken for one, and met."""
        pairs = [(self.people[game.white], self.people[game.black]) for game in games]
        alike = [pair for pair in pairs if pair[0].number == pair[1].number]
        names = [{said[person.name] for person in pair} for pair in alike]
        return frozenset(name for both in names if len(both) == 2 for name in both)

    def _players(
        self, games: Iterable[_Game], said: Encoded, table: Table, apart: frozenset[str]
    ) -> list[PlayerEntry]:
        field = Field(self.people, said, table, apart)
        for game in games:
            line, when = game.line, game.when
            for person, rating in zip((game.white, game.black), game.ratings, strict=True):
                field.add(person, rating, when, line)
        return field.entries()

    def _games(
        self, games: list[_Game], event: Assembly, table: Table, called: Callable[[int], str]
    ) -> list[str]:
        """Add the games to an event; tells how rounds were counted, if they were."""
        people = self.people
        byes, why = 0, ""
        rounds = {game.round: _round(game.round) for game in games}
        # rounds count as written only where nobody has two games in one; otherwise time orders all
        if self.several:
            why = "they are those of several events"
        elif not all(rounds.values()):
            why = "not all games have rounds"
        else:
            taken: dict[tuple[int, int], bytes] = {}
            for game in games:
                for person in (game.white, game.black):
                    key = people[person].number, rounds[game.round]
                    if taken.setdefault(key, game.round) != game.round and key[0]:
                        why = f"some players have several games in a round, such as {key[1]}"
        if why:
            games = sorted(games, key=lambda game: game.when)
        for game in games:
            first, second = people[game.white].number, people[game.black].number
            if not first or not second:
                byes += 1
                continue
            if first == second:
                table.problem("White and Black are the same player", Row(game.line, [], {}))
                continue
            code, reply = game.codes
            if game.day:
                event.days_of_lines[len(event.lines)] = _read(game.day)
            ratings = game.ratings if self.every else None
            if why:
                round = event.next_round(first, second)
                event.add(Line(round, first, second, code, reply, True, ratings))
            else:
                line = Line(rounds[game.round], first, second, code, reply, True, ratings)
                event.add_typed(line, table, Row(game.line, [], {}), called)
        notes = [f"Rounds: {why}, so those of each player are counted in order of time"]
        if byes:
            notes.append(f"Byes: {plural(byes, 'game')} with one side empty")
        return notes if why else notes[1:]

    def _days(
        self, chosen: Container[int], event: Assembly, table: Table
    ) -> tuple[list[date], Problem | None]:
        parts: dict[str, Problem] = {}
        for (number, raw), line in self.days.items():
            if number in chosen:
                text = _read(raw)
                known = parts if "?" in text else event.days
                known.setdefault(text, self.sheet.problem(repr(text), line))
        before = len(table.problems)
        days = days_of(event, table)
        if days or len(table.problems) > before or not parts:
            return days, None
        months = []
        for text, place in parts.items():
            if (match := _MONTH.fullmatch(text)) and 1 <= int(match.group(2)) <= 12:
                months.append((date(int(match.group(1)), int(match.group(2)), 1), text, place))
        if not months:
            text, place = next(iter(parts.items()))
            return [], replace(place, what=f"the date has no month: {text!r}")
        day, text, place = min(months, key=lambda one: one[0])
        table.warnings.append(replace(place, what=f"{text!r} is read as {day.isoformat()}"))
        return [day], None

    def _tempo(self, chosen: Container[int], table: Table) -> tuple[str, Kind | None]:
        counts: Counter[str] = Counter()
        for (number, raw), count in self.tempos.items():
            if number in chosen:
                counts[_read(raw)] += count
        kinds: Counter[Kind] = Counter()
        for text, count in counts.items():
            minutes = _WITH_BONUS.fullmatch(text)
            # nobody plays 90 seconds with 30 more for each move
            if minutes and int(minutes[1]) <= 180 and int(minutes[2]) >= 10:
                kind = kind_of(text)
                table.warn(f"time control {text!r} is read as minutes; PGN has seconds: 5400+30")
            else:
                kind = kind_of(text, in_seconds=True)
            if kind is not None:
                kinds[kind] += count
        usual = counts.most_common(1)[0][0] if counts else ""
        if len(kinds) > 1:
            shown = ", ".join(f"{kind} ({plural(n, 'game')})" for kind, n in kinds.most_common())
            table.warn(f"the time controls differ: {shown}; name the rules with --rules")
            return usual, None
        return usual, next(iter(kinds), None)

    def _odd(self, chosen: Container[int], table: Table) -> None:
        """Warn of games that may be forfeits, and of those that are another kind of chess."""
        played = sum(about.played for n, about in enumerate(self.events) if n in chosen)
        odd = [
            (self.moveless if played else [], "without moves, which may be a forfeit (+/-)"),
            (
                self.contrary,
                "whose moves end with another result than the tag Result, which counts",
            ),
        ]
        for games, what in odd:
            if lines := [line for event, line in games if event in chosen]:
                table.warn(f"{plural(len(lines), 'game')} {what}: line {_lines(lines)}")
        for (event, variant), count in self.variants.items():
            if event in chosen:
                table.warn(f"{plural(count, 'game')} of the variant {_read(variant)!r}")

    def _counted(self, abouts: Iterable[_About], name: str) -> str:
        abouts = list(abouts)
        total = sum(about.games for about in abouts)
        unfinished = sum(about.unfinished for about in abouts)
        text = f"Games: {self.name or 'the file'}, event {name!r}: {plural(total, 'game')}"
        return text + (f", {unfinished} not finished (*)" if unfinished else "")


# -- values ---------------------------------------------------------------------------------------


def _lines(lines: Sequence[int]) -> str:
    return ", ".join(map(str, lines[:SHOWN])) + (" …" if len(lines) > SHOWN else "")


def _contradicts(tag: bytes, ending: bytes) -> bool:
    """Whether the result of a tag is another one than that after the moves; a forfeit is none."""
    said = _result(tag)
    played = not isinstance(said, str) and PLAYED.issuperset(said)
    return tag == b"*" or (played and said != _result(ending))


def _read(raw: bytes) -> str:
    """A text that is not a name, in whatever encoding."""
    try:
        return decode(raw).strip()
    except UnknownEncodingError:
        return raw.decode("latin-1").strip()


def _result(raw: bytes) -> tuple[str, str] | str:
    """The round codes of a result, or what is wrong with it."""
    text = _read(raw)
    if text in ("", "?"):
        return "the result is missing"
    try:
        code, reply = codes_of(text)
    except RatingError as wrong:
        return str(wrong)
    return (code, reply) if code and reply else f"the result is not that of a game: {text!r}"


def _rating(raw: bytes) -> float | str | None:
    """A rating, none, or what is wrong with it."""
    text = _read(raw)
    if text.encode() in _NONE:
        return None
    try:
        return RATING.read(text)
    except ValueError as wrong:
        return str(wrong)


def _round(raw: bytes) -> int:
    match = _ROUND.fullmatch(raw.strip())
    return min(int(match.group(1)), MOST_ROUNDS) if match else 0


# -- the players: by FIDE number, then by name, with the rating of their first game ---------------


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

    def __init__(
        self, people: list[Person], said: Encoded, table: Table, apart: frozenset[str]
    ) -> None:
        self.people, self.said, self.table = people, said, table
        self._apart = apart
        self._known = People(alike=respelt, apart=apart)
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
        identity = self._known.meet(name, id)
        if identity.taken_for:
            both = f": both have the number {identity.id}" if identity.id else ""
            self.warn(f"{name!r} is read as {identity.taken_for!r}{both}", line)
        if identity.new:
            self.titles.append(title(self.said[person.title].strip(" -?")))
            self.lines.append(line)
        if not id:
            self._bare.setdefault(identity.number, line)
        return identity.number

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
            more = plural(len(differ) - SHOWN, "more player")
            self.table.warn(f"ratings of {more} differ between games: that of the first one counts")
        alone = (name for name in names.values() if name not in self._apart)
        for a, b in look_alikes(name for name in alone if re.search(r"[\s,]", name)):
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
