"""Several events rated together, as one period: each player's games of all of them at once.

Each kind of play is rated by itself, with the ratings before the period and one rounding at its
end, as one event with all the games. A player is one person in all events: by the entry in the
rating list, otherwise by number, otherwise by name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.events.event import EventError, Game, Kind, Player, Problem, Tournament
from elo_xl.events.from_list import as_listed, entries_of
from elo_xl.events.rate import Chosen, RatedEvent, rate, rules_of
from elo_xl.lists import store
from elo_xl.lists.layouts import Entry, number_of
from elo_xl.people import respelt, same_name

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
SAME: Final = 0.9
"""From this share of common games on two files have the same event."""

_FORFEIT: Final = "games left out, as they were decided by forfeit: {games:,}"
_UNRATED: Final = "games left out, as they are not rated: {games:,}"
_LEFT_OUT: Final = dict.fromkeys("+-", _FORFEIT) | dict.fromkeys("WDL", _UNRATED)
"""Why a pairing is no game that tells of strength, by its code."""

Person = tuple[str, str]
"""who a person is: ``list``, ``id`` or ``name``, and the number or the spelling"""
_Written = tuple[str, str, str, int | None]
"""what a file writes of a player by which they can be told: number, name, federation, birth year"""
E = TypeVar("E", bound=Hashable)


@dataclass(slots=True)
class EventFile:
    """A file with its event, or why nothing of it is counted."""

    name: str
    event: Tournament | None = None
    problems: list[Problem] = field(default_factory=list)
    people: dict[int, Person] = field(default_factory=dict)
    """who has which starting number"""

    @property
    def counted(self) -> bool:
        return self.event is not None and not self.problems

    @property
    def kind(self) -> Kind:
        return (self.event and self.event.kind) or "standard"

    def refuse(self, what: str) -> None:
        self.problems.append(Problem(what, file=self.name))


@dataclass(frozen=True, slots=True)
class Together:
    """What the events of a period come to."""

    files: tuple[EventFile, ...]
    rated: Mapping[Kind, RatedEvent]
    numbers: Mapping[Kind, Mapping[Person, int]]
    """the numbers of the players of each kind"""
    notes: tuple[Problem, ...]


def rate_together(
    files: Iterable[EventFile],
    rules: str | Path | Rulebook | None = None,
    k: float | None = None,
    *,
    listed: str | None = None,
    kind: Kind = "standard",
) -> Together:
    """Rate the events of files as one period.

    ``rules`` and ``k`` are as in :func:`~elo_xl.events.rate.rate`; ``listed`` is the rating
    list that has the players' ratings and K factors; ``kind`` is that of events whose files do not
    tell it. Without a list a player has the rating of their first event. An event in which a player
    occurs twice, that another file has, too, or that would come under another rulebook than most
    games of its kind, is refused: the problems of its file say why.

    Raises OptionError for unknown rules, ListError for an unknown list, EventError where the rules
    take no K.
    """
    files = tuple(files)
    for file in files:
        if file.event is not None and file.event.kind is None:
            file.event = replace(file.event, kind=kind)
    known = _People(files, listed)
    for file in files:
        known.find(file)
    _refuse_twice(files)
    rated: dict[Kind, RatedEvent] = {}
    numbers: dict[Kind, Mapping[Person, int]] = {}
    for one in KINDS:
        counted = [file for file in files if file.counted and file.kind == one]
        if counted and (chosen := _rulebook(counted, rules)):
            book, why = chosen
            # choosing the rulebook may have refused some
            counted = [file for file in counted if file.counted]
            merged, numbers[one] = _merged(counted, one, known, book)
            rated[one] = replace(rate(merged, book, k), chosen=why)
    return Together(files, rated, numbers, tuple(known.notes))


def pointless(games: Iterable[tuple[E, int, float]]) -> set[tuple[E, int]]:
    """The events with which unrated players begin and have no point there, which are disregarded
    (FIDE B.02, 8.2.1), and these players.

    ``games`` are those of unrated players against rated ones, in the order of the events: the
    event, the player and their score.
    """
    points: dict[int, dict[E, float]] = defaultdict(lambda: defaultdict(float))
    for event, player, score in games:
        points[player][event] += score
    return {
        (event, player)
        for player, by_event in points.items()
        for event, _ in takewhile(lambda item: not item[1], by_event.items())
    }


def as_read(file: EventFile) -> Iterator[Problem]:
    """How a file of any sport was read, and those of its warnings that matter."""
    if file.event is not None and file.event.reading:
        yield Problem(file.event.reading, file=file.name)
    for warning in that_matter(file.event.warnings if file.event is not None else ()):
        yield replace(warning, file=file.name)


def that_matter(warnings: Iterable[Problem]) -> list[Problem]:
    """The warnings that say who was taken for whom, or that a column was not counted."""
    return [warning for warning in warnings if _MATTERS.search(warning.what)]


_MATTERS: Final = re.compile(
    "is read as|may be one person|are different players|column '(count|time|weight)s?' is ignored",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AllGames:
    """The games of many events, in the order of the events, and who played them."""

    players: tuple[Player, ...]
    """everybody who has played, with the rating of their first event"""
    first: IntArray
    second: IntArray
    score: FloatArray
    ratings: FloatArray
    """what both had in each game: a row of the first players and one of the second, with NaN"""
    days: tuple[date | None, ...]
    """the day of each game, or the first one of its event"""
    coloured: bool
    """whether the files tell who had White, or was at home, in all games"""
    neutral: npt.NDArray[np.bool_]
    """which games were on neutral ground"""
    home: bool
    """whether sides are at home, and nobody has White"""
    penalties: int
    """games left out, as a penalty hides their result"""
    notes: tuple[Problem, ...]
    times: IntArray | None = None
    """how often each was played, where a file tells that"""

    def of(self, kind: Kind | None, counts: Mapping[Kind, int]) -> AllGames:
        """The same with a note of the games of other kinds of play, which are left out."""
        others = {one: count for one, count in counts.items() if one != kind}
        if kind is None or not others:
            return self
        said = ", ".join(f"{one} {count}" for one, count in others.items())
        note = f"games of other kinds of play are left out: {said} (--kind)"
        return replace(self, notes=(*self.notes, Problem(note)))


def all_games(files: Iterable[EventFile]) -> AllGames:
    """The games of all files that are counted; a player is one person in all of them.

    An event in which a player occurs twice, or that another file has, too, is refused. Raises
    EventError if there is no game.
    """
    files = sorted(files, key=_first_day)
    known = _People(files, None)
    for file in files:
        known.find(file)
    _refuse_twice(files)
    numbers: dict[Person, int] = {}
    players: list[Player] = []
    pairs: list[tuple[int, int]] = []
    scores: list[float] = []
    ratings: list[tuple[float | None, float | None]] = []
    days: list[date | None] = []
    coloured, home, penalties = True, True, 0
    neutral: list[bool] = []
    times: list[int] = []
    unplayed: Counter[str] = Counter()
    for file in files:
        if not file.counted or file.event is None:
            continue
        event = file.event
        unplayed.update(
            _LEFT_OUT[pairing.code]
            for number, all_rounds in event.pairings.items()
            for pairing in all_rounds
            if pairing.code in _LEFT_OUT and number < (pairing.opponent or 0)
        )
        named = {player.number: player for player in event.players}
        for game in event.games:
            # what an arbiter decided, such as 0 and 0, is no result that a fit can have
            if game.second_score is not None:
                penalties += 1
                continue
            pair = []
            for number in (game.first, game.second):
                at = numbers.setdefault(file.people[number], len(players))
                if at == len(players):
                    player = named[number]
                    born = player.birth_year
                    players.append(
                        Player(at + 1, player.name, player.rating, id=player.id, birth_year=born)
                    )
                pair.append(at)
            own_ratings = named[game.first].rating, named[game.second].rating
            ratings.append(game.ratings or own_ratings)
            pairs.append((pair[0], pair[1]))
            scores.append(game.score)
            of_round = event.days[game.round - 1] if 0 < game.round <= len(event.days) else None
            days.append(game.day or of_round or event.start)
            coloured &= game.sided
            neutral.append(game.ground == "neutral")
            times.append(game.times)
            home &= game.ground != ""
    if not pairs:
        refused = [problem for file in files for problem in file.problems]
        raise EventError(refused or [Problem("there is no game")])
    first, second = np.array(pairs, np.int64).T
    return AllGames(
        tuple(players),
        first,
        second,
        np.array(scores),
        np.array(ratings, dtype=float).T,
        tuple(days),
        coloured,
        np.array(neutral),
        home,
        penalties,
        (
            *(note for file in files if file.counted for note in as_read(file)),
            *known.notes,
            *(Problem(why.format(games=count)) for why, count in unplayed.items()),
        ),
        np.array(times, np.int64),
    )


# -- who is who -----------------------------------------------------------------------------------


def games_of_kind(
    files: Sequence[EventFile], kind: Kind | None = None
) -> tuple[AllGames, Kind | None]:
    """The games of one kind of play, that of most games unless given; the kind too if the files
    have several. Raises EventError if there are none."""
    games: Counter[Kind] = Counter()
    for file in files:
        if file.counted and file.event is not None:
            games[file.kind] += len(file.event.games)
    wanted = kind or next((one for one, _ in games.most_common(1)), None)
    chosen = [file for file in files if not file.counted or file.kind == wanted]
    return all_games(chosen).of(wanted, games), wanted if len(games) > 1 else None


def in_order(days: Sequence[object]) -> tuple[IntArray, IntArray]:
    """The order of time, and the number of each game's day in that order."""
    number = np.unique(np.array(days), return_inverse=True)[1]
    order = np.argsort(number, kind="stable")
    return order, number[order]


class _People:
    """The players of all events, each person once."""

    def __init__(self, files: Sequence[EventFile], listed: str | None) -> None:
        self.notes: list[Problem] = []
        self.entries: dict[Person, Entry] = {}
        self._found: dict[_Written, Entry | None] = {}
        self._named: dict[str, set[Person]] = defaultdict(set)
        """who has a number, by the spelling of the name"""
        self._one: dict[str, Person] = {}
        """who has none, by the same"""
        self._called: dict[Person, set[str]] = defaultdict(set)
        self._two = {name for file in files for name in _two_of_one_spelling(file.event)}
        first: dict[_Written, tuple[Player, str]] = {}
        for file in files:
            for player in _playing(file.event):
                first.setdefault(_written(player), (player, file.name))
        if listed is not None:
            self._look_up(first, listed)
        for key, (player, _) in first.items():
            if (person := self._numbered(key)) is not None:
                for spelt in respelt(player.name):
                    self._named[spelt].add(person)

    def _look_up(self, first: Mapping[_Written, tuple[Player, str]], listed: str) -> None:
        chosen = store.choose(listed)
        where = str(chosen or store.EXAMPLE)
        players = [player for player, _ in first.values()]
        matches = dict(zip(first, entries_of(chosen, players), strict=True))
        named: dict[str, set[str]] = defaultdict(set)
        for key, match in matches.items():
            if match.entry is not None:
                self._found[key] = match.entry
                self.entries["list", match.entry.id] = match.entry
                named[key[1]].add(match.entry.id)
        for key, match in matches.items():
            # a player without a number here may be found by what another file says
            elsewhere = match.entry is None and not key[0] and len(named.get(key[1], ())) == 1
            if match.note and not elsewhere:
                self.notes.append(Problem(f"{match.note} @ {where}; {first[key][1]}"))

    def _numbered(self, key: _Written) -> Person | None:
        if (entry := self._found.get(key)) is not None:
            return "list", entry.id
        return ("id", key[0]) if key[0] else None

    def find(self, file: EventFile) -> None:
        """Find who the players of a file are."""
        seen: dict[Person, Player] = {}
        for player in _playing(file.event):
            person = self._numbered(_written(player))
            if person is None:
                keys = (player.name,) if player.name in self._two else respelt(player.name)
                alike = {person for key in keys for person in self._named.get(key, ())}
                person = next(iter(alike)) if len(alike) == 1 else self._by_name(keys)
                self._tell(person, player.name, file.name)
                if len(alike) > 1:
                    may = " or ".join(sorted(number for _, number in alike))
                    what = f"{player.name} may be {may}; it is treated as another person"
                    self.notes.append(Problem(what, file=file.name))
            other = seen.setdefault(person, player)
            if other is not player:
                both = f"{other.name!r} and {player.name!r}"
                file.refuse(
                    f"two players are called {player.name!r}: add numbers"
                    if person[0] == "name"
                    else f"{both} are the same player, with the number {person[1]}"
                )
            file.people[player.number] = person

    def _by_name(self, keys: Sequence[str]) -> Person:
        person = next((self._one[key] for key in keys if key in self._one), ("name", keys[0]))
        for key in keys:
            self._one.setdefault(key, person)
        return person

    def _tell(self, person: Person, name: str, file: str) -> None:
        """Say whom a name in another spelling is taken for."""
        called = self._called[person]
        if called and name not in called and not any(same_name(name) == same_name(other)
                                                     for other in called):  # fmt: skip
            what = f"{name!r} is read as {min(called)!r}"
            self.notes.append(Problem(what, file=file))
        called.add(name)

    def player(self, person: Person, number: int, said: Sequence[tuple[Player, str]]) -> Player:
        """A person as they are rated; ``said`` is what the files say, the first event first."""
        first, file = said[0]

        def known(key: str, otherwise: Any = None) -> Any:
            values = (getattr(player, key) for player, _ in said)
            return next((value for value in values if value not in (None, "")), otherwise)

        born = next((player for player, _ in said if player.birth_year is not None), first)
        player = Player(
            number,
            first.name,
            known("rating"),
            known("federation", ""),
            known("id", ""),
            title=known("title", ""),
            birth_year=born.birth_year,
            aged=born.aged,
            otherwise=born.otherwise,
            k=known("k"),
            games=known("games"),
            index=known("index"),
            peak=known("peak"),
        )
        for other, where in said:
            if other.rating not in (None, player.rating) and person not in self.entries:
                what = f"rating of {player.name}: {player.rating:g} ({file}) counts, not"
                self.notes.append(Problem(f"{what} {other.rating:g}", file=where))
                break
        return player

    def listed(self, player: Player, person: Person, kind: Kind) -> Player:
        """The player with what the list says, if it has them."""
        if (entry := self.entries.get(person)) is None:
            return player
        listed = as_listed(player, entry, kind)
        if player.rating is not None and listed.rating is None:
            what = f"rating of {entry.name}: {player.rating:g} in the files, unrated in the list"
            self.notes.append(Problem(f"{what}: that of the files counts"))
        rating = player.rating if listed.rating is None else listed.rating
        return replace(listed, name=entry.name, id=entry.id, rating=rating)


def _playing(event: Tournament | None) -> Iterator[Player]:
    """The players of an event who have played."""
    if event is not None:
        playing = {number for game in event.games for number in (game.first, game.second)}
        yield from (player for player in event.players if player.number in playing)


def _two_of_one_spelling(event: Tournament | None) -> Iterator[str]:
    """The names without a number that an event has for different players, though their spelling is
    one."""
    named: dict[str, set[str]] = defaultdict(set)
    for player in _playing(event):
        for key in respelt(player.name) if not number_of(player.id) else ():
            named[key].add(player.name)
    for names in named.values():
        yield from names if len(names) > 1 else ()


def _written(player: Player) -> _Written:
    return number_of(player.id), respelt(player.name)[0], player.federation, player.birth_year


# -- which events count ---------------------------------------------------------------------------


def _refuse_twice(files: Sequence[EventFile]) -> None:
    """Refuse events that another file has, too; of two the one with more games counts."""
    # the one with more games goes first: only what comes later can be refused
    by_size = sorted(
        (file for file in files if file.counted and file.event and file.event.games),
        key=lambda file: -len(file.event.games if file.event else ()),
    )
    games = [Counter(_results(file)) for file in by_size]
    having: dict[object, list[int]] = defaultdict(list)
    for i, counts in enumerate(games):
        common: Counter[int] = Counter()
        for result, count in counts.items():
            for other in having[result]:
                common[other] += min(count, games[other][result])
        total = counts.total()
        for other, number in common.items():
            if number >= SAME * total and _at_one_time(by_size[i].event, by_size[other].event):
                what = f"{number} of its {total} games" if number < total else "all its games"
                by_size[i].refuse(
                    f"it is the same event as {by_size[other].name}, which has {what}, too"
                )
                break
        else:
            for result in counts:
                having[result].append(i)


def _results(file: EventFile) -> Iterator[object]:
    """The games of a file: who scored what against whom."""
    for game in file.event.games if file.event else ():
        yield frozenset((file.people[number], score) for number, _, score in game.sides)


def _at_one_time(one: Tournament | None, other: Tournament | None) -> bool:
    """Whether two events may have been at the same time."""
    if one is None or other is None or one.start is None or other.start is None:
        return True
    return one.start <= (other.end or other.start) and other.start <= (one.end or one.start)


def _rulebook(
    files: Sequence[EventFile], rules: str | Path | Rulebook | None
) -> tuple[Rulebook, Chosen] | None:
    """The rulebook of one kind, and why; events under another one are refused."""
    by_book: dict[str, list[tuple[EventFile, Rulebook, Chosen]]] = {}
    undated = []
    for file in files:
        assert file.event is not None
        try:
            book, why = rules_of(file.event, rules)
        except EventError as wrong:
            file.problems += [replace(problem, file=file.name) for problem in wrong.problems]
            continue
        # without a day an event goes with the others: nothing says that other rules apply to it
        if why == "no day":
            undated.append((file, book, why))
        else:
            by_book.setdefault(book.name, []).append((file, book, why))
    if not by_book:
        return undated[0][1:] if undated else None
    weight = {
        name: sum(len(file.event.games) for file, *_ in lines if file.event)
        for name, lines in by_book.items()
    }
    usual = max(weight, key=lambda name: weight[name])
    for name, lines in by_book.items():
        for file, *_ in lines if name != usual else ():
            file.refuse(
                f"it comes under {name}, and the other {file.kind} events under {usual}: "
                "rate it by itself, or choose one with --rules"
            )
    return by_book[usual][0][1:]


# -- one event of all -----------------------------------------------------------------------------


def _merged(
    files: Sequence[EventFile], kind: Kind, known: _People, book: Rulebook
) -> tuple[Tournament, Mapping[Person, int]]:
    """All events of a kind as one, and the numbers of the players."""
    # by day, as without a list the first event tells the rating, wherever its file was named
    files = sorted(files, key=lambda file: (_first_day(file), file.name))
    said: dict[Person, list[tuple[Player, str]]] = defaultdict(list)
    for file in files:
        for player in _playing(file.event):
            said[file.people[player.number]].append((player, file.name))
    order = sorted(said, key=lambda person: (said[person][0][0].name.casefold(), person))
    numbers = {person: number for number, person in enumerate(order, start=1)}
    players = [
        known.listed(known.player(person, number, said[person]), person, kind)
        for person, number in numbers.items()
    ]
    games: list[tuple[int, Game]] = []
    for i, file in enumerate(files):
        for game in file.event.games if file.event else ():
            first, second = (numbers[file.people[n]] for n in (game.first, game.second))
            games.append((i, replace(game, first=first, second=second)))
    dropped = set() if all_count(book) else pointless(_of_newcomers(players, games))
    counted = [game for i, game in games if not {(i, game.first), (i, game.second)} & dropped]
    events = [file.event for file in files if file.event is not None]
    days = [day for event in events for day in (event.start, event.end or event.start) if day]
    start = min(days, default=None)
    merged = Tournament(
        name="",
        players=tuple(players),
        pairings={},
        games=tuple(counted),
        rounds=max((event.rounds for event in events), default=0),
        start=start,
        end=max(days, default=None),
        otherwise=next(_otherwise(events), None),
        time_control=next((event.time_control for event in events if event.time_control), ""),
        kind=kind,
    )
    return merged, numbers


def _otherwise(events: Sequence[Tournament]) -> Iterator[tuple[date, Problem]]:
    """The first days of all if the dates of one event stand in another order."""
    for event in events:
        if event.otherwise:
            day, at = event.otherwise
            others = [other.start for other in events if other is not event and other.start]
            yield min([day, *others]), at


def _first_day(file: EventFile) -> date:
    return (file.event and file.event.start) or date.max


def all_count(book: Rulebook) -> bool:
    """Whether an event without a point counts for an unrated player, too."""
    return book.first.zero_counts or book.counts.with_newcomers


def _of_newcomers(
    players: Sequence[Player], games: Sequence[tuple[int, Game]]
) -> Iterator[tuple[int, int, float]]:
    """The games of unrated players against rated ones: the event, the player and their score."""
    rated = {player.number for player in players if player.rating is not None}
    for i, game in games:
        for own, other, score in game.sides:
            if own not in rated and other in rated:
                yield i, own, score
