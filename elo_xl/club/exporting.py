"""What others take from a club's book, or a file of anybody's: an event, the players of a list.

Who asks about a whole history takes all rated games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from elo_xl.books.entries import Key
from elo_xl.club.ledger import TEMPLATE, ClubEvent, ClubGame, Ledger, Member, typed
from elo_xl.engine.errors import OptionError, choose
from elo_xl.engine.results import read_codes
from elo_xl.events.assembly import Assembly, Line
from elo_xl.events.event import EventError, Kind, Player, Problem, Tournament
from elo_xl.events.files import read_event
from elo_xl.events.merging import AllGames
from elo_xl.events.players import PlayerEntry
from elo_xl.events.sheets import shown
from elo_xl.events.source import is_workbook
from elo_xl.events.trf_writing import EDITIONS, Written
from elo_xl.lists.layouts import Entry
from elo_xl.lists.writing import WRITERS, Listed
from elo_xl.people import same_name
from elo_xl.templates.club import KINDS

SWISS_MANAGER: Final = "swiss-manager"
FIDE_LIST: Final = "fide-list"
FORMATS: Final = (*EDITIONS, SWISS_MANAGER, FIDE_LIST)

_K: Final = {"rating": "k", "rapid": "rapid_k", "blitz": "blitz_k"}
_SHOWN: Final = 3


def read_for_export(path: Path, event: str | tuple[str, ...] = "", **options: Any) -> Tournament:
    """The event in a file that ``elo-xl rate`` reads, or one of the events in a club's book.

    ``event`` names one of several events; ``options`` are those of
    :func:`~elo_xl.events.files.read_event`. A book of ours need not have games yet, and
    no file needs ratings.

    Raises EventError, with every problem and its place, and OSError if the file cannot be read.
    """
    from elo_xl.events.books import read_event_book, template_of

    data = _workbook(path)
    template = template_of(data)
    if template == TEMPLATE:
        if not isinstance(event, str):
            raise EventError([Problem("--event names one event of a club's book")])
        return club_event(Ledger(data), event)
    if template and not (event or any(options.values())):
        return read_event_book(data, path.name, unplayed=True)
    return read_event(path, event=event, unrated=True, **options)


def club_event(book: Ledger, name: str) -> Tournament:
    """An event of a club's book, open or closed, with the ratings that its games have there.

    The book has no forfeits and byes of an event's file and no last day, so nobody has points.

    Raises EventError for a name that no event has, and for everything in the book that cannot be
    read.
    """
    book.check()
    events = [e for e in book.events.values() if name and same_name(e.name) == same_name(name)]
    if not events:
        known = "; ".join(repr(event.name) for event in list(book.events.values())[-12:])
        what = f"no event is called {name!r}" if name else "a club's book has several events"
        raise EventError([Problem(f"{what}: name one with --event, of {known or 'none'}")])
    (event,) = events
    entered = book.rated if event.closed else book.results
    games = [game for game in entered if same_name(game.event) == same_name(event.name)]
    if not games:
        raise EventError([Problem(f"the event {event.name!r} has no games in the book")])
    return _tournament(book, event, games)


def _tournament(book: Ledger, event: ClubEvent, games: list[ClubGame]) -> Tournament:
    ratings: dict[str, float | None] = {}
    for game in games:
        for name, rating in ((game.white, game.white_rating), (game.black, game.black_rating)):
            ratings.setdefault(same_name(name), rating)
    # a game has its ratings written when the period closes; until then those of today count
    if not event.closed:
        ratings = {
            key: book.by_name[key].records[event.kind].rating if key in book.by_name else None
            for key in ratings
        }
    order = sorted(ratings, key=lambda key: (-(ratings[key] or 0), key))
    numbers = {key: number for number, key in enumerate(order, start=1)}
    assembly = Assembly()
    taken: set[tuple[int, int]] = set()
    problems = []
    for game in games:
        white, black = numbers[same_name(game.white)], numbers[same_name(game.black)]
        round = game.round or assembly.next_round(white, black)
        for name, number in ((game.white, white), (game.black, black)):
            if (round, number) in taken:
                what = f"{name!r} has two games in round {round} of {event.name!r}"
                problems.append(Problem(what))
            taken.add((round, number))
        assembly.add(Line(round, white, black, *read_codes(typed(game.result)), True))
    if problems:
        raise EventError(problems)
    people = {key: book.by_name.get(key) for key in order}
    names = {same_name(name): name for game in games for name in (game.white, game.black)}
    made = assembly.tournament(
        event.name, [PlayerEntry(names[key], numbers[key]) for key in order], [event.day], []
    )
    players = tuple(
        _player(player, people[key], ratings[key])
        for key, player in zip(order, made.players, strict=True)
    )
    return replace(
        made,
        players=players,
        kind=cast(Kind, event.kind),
        rules=event.rules,
        end=None,
        rated_only=True,
    )


def _player(player: Player, member: Member | None, rating: float | None) -> Player:
    if member is None:
        return replace(player, rating=rating)
    return replace(
        player,
        name=member.name,
        rating=rating,
        id=member.id,
        title=member.title,
        federation=member.federation,
        birth_year=member.birth,
    )


def book_of(path: Path) -> Ledger | None:
    """The club's book in a file; None if the file is none."""
    from elo_xl.events.books import template_of  # which loads the books

    data = b"" if path.is_dir() else _workbook(path)
    return Ledger(data) if data and template_of(data) == TEMPLATE else None


def members_of(path: Path) -> list[Listed] | None:
    """The members of a club's book; None if the file is none.

    Raises EventError for everything in the book that cannot be read.
    """
    if (book := book_of(path)) is None:
        return None
    book.check()
    club = book.entries.typed.get(Key("Club"))
    return [_member(member, "" if club is None else shown(club.value)) for member in book.members]


def _member(member: Member, club: str) -> Listed:
    ratings: dict[str, Any] = {_field(kind): _whole(member.records[kind].rating) for kind in KINDS}
    who = Entry(
        *(member.id, member.name, member.federation, member.title, _sex(member.title)),
        birth=member.birth,
    )
    return Listed(who._replace(**ratings), club=club)


def players_of(event: Tournament) -> list[Listed]:
    """The players of an event, with ratings of its kind."""
    field = _field(event.kind or "standard")
    people = []
    for p in event.players:
        who = Entry(p.id, p.name, p.federation, p.title, _sex(p.title, p.sex), p.birth_year)
        rated: dict[str, Any] = {field: _whole(p.rating), _K[field]: _whole(p.k)}
        people.append(Listed(who._replace(**rated), p.born, p.club))
    return people


def list_file(
    people: Sequence[Listed],
    format: str,
    ending: str,
    *,
    kind: str = "standard",
    national: bool = False,
) -> Written:
    """A list of players for another program: one of :data:`~elo_xl.lists.writing.WRITERS`.

    ``ending`` is that of the file's name. Swiss-Manager gets the ratings of one ``kind``; with
    ``national`` ratings and numbers are those of the federation, otherwise FIDE's.

    Raises OptionError for another format or ending, ListError for what has no room.
    """
    choose(format, FORMATS, "format")
    endings = [suffix for name, suffix in WRITERS if name == format]
    if ending not in endings:
        raise OptionError(f"the name of a {format} file must end in {' or '.join(endings)}")
    if format == SWISS_MANAGER:
        field = _field(kind)
        people = [
            person._replace(entry=person.entry._replace(rating=getattr(person.entry, field)))
            for person in people
        ]
    return Written(
        WRITERS[format, ending](people, national=national), tuple(_noted(people, format))
    )


def _noted(people: Sequence[Listed], format: str) -> Iterator[str]:
    """What a list lacks that a program for tournaments asks for."""
    whole = [person.entry for person in people if "," not in person.entry.name]
    if whole and format == SWISS_MANAGER:
        yield f"last and first name are not separated by a comma: {_some(whole)}"
    fields = [_field(kind) for kind in KINDS] if format == FIDE_LIST else ["rating"]
    unrated = [p.entry for p in people if not any(getattr(p.entry, f) for f in fields)]
    if unrated:
        yield f"no rating: {_some(unrated)}"


def _some(entries: Sequence[Entry]) -> str:
    names = [*(entry.name for entry in entries[:_SHOWN]), *(["…"] if entries[_SHOWN:] else [])]
    return f"{len(entries)} of the players ({'; '.join(names)})"


def _sex(title: str, sex: str = "") -> str:
    """A player's sex, which women's titles tell."""
    return sex or ("w" if title in ("WGM", "WIM", "WFM", "WCM") else "")


def _field(kind: str) -> str:
    return "rating" if kind == "standard" else kind


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _workbook(path: Path) -> bytes:
    """The content of a file if it is a workbook; otherwise nothing."""
    data = path.read_bytes() if path.suffix.lower() in (".xlsx", ".xlsm") else b""
    return data if data and is_workbook(data) else b""


def rated_games(
    book: Ledger, kind: Kind | None = None, *, every: bool = False
) -> tuple[AllGames, Kind | None, list[date]]:
    """The rated games of one kind of play, or of ``every`` kind, that kind if the book has several,
    and the list for which each game was rated. Raises EventError if there are none."""
    book.check("Events", "Rated")
    kinds: dict[str, Kind] = {name: cast("Kind", event.kind) for name, event in book.events.items()}
    rated = [
        (game, game.scores, game.closed, kinds[game.event])
        for game in book.rated
        if game.scores is not None and game.closed is not None and game.event in kinds
    ]
    if not rated:
        raise EventError([Problem("no period is closed yet, so there is no rated game")])
    counts: Counter[Kind] = Counter(one for *_, one in rated)
    several = len(counts) > 1
    kind = kind or counts.most_common(1)[0][0]
    rows = [row for row in rated if every or row[-1] == kind]
    rated = sorted(rows, key=lambda row: row[2])
    members = {member.name: member for member in book.members}
    numbers: dict[str, int] = {}
    players: list[Player] = []
    pairs, scores, ratings, days, lists = [], [], [], [], []
    penalties = 0
    for game, (first, second), closed, _ in rated:
        # what an arbiter decided, such as 0 and 0, is no result that a fit can have
        if first + second != 1:
            penalties += 1
            continue
        pair = []
        for name, rating in ((game.white, game.white_rating), (game.black, game.black_rating)):
            at = numbers.setdefault(name, len(players))
            if at == len(players):
                who = members.get(name)
                id, born = (who.id, who.birth) if who else ("", None)
                players.append(Player(at + 1, name, rating, id=id, birth_year=born))
            pair.append(at)
        pairs.append(pair)
        scores.append(first)
        ratings.append((game.white_rating, game.black_rating))
        days.append(book.events[game.event].day)
        lists.append(closed)
    if not pairs:
        raise EventError([Problem(f"there is no rated game of {kind} play")])
    one, two = np.array(pairs, np.int64).T
    played: tuple[date | None, ...] = tuple(days)
    had = np.array(ratings, dtype=float).T
    games = AllGames(
        tuple(players),
        one,
        two,
        np.array(scores),
        had,
        played,
        True,
        np.zeros(len(scores), bool),
        False,
        penalties,
        (),
    )
    return games if every else games.of(kind, counts), kind if several else None, lists
