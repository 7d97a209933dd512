"""What files bring into a club's book.

An event's games go into *Results*, and new people into *Members*; these take over their ratings
from a federation's list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Final

from elo_xl.club.ledger import Ledger, Member
from elo_xl.engine.rulebooks import rulebook, usual
from elo_xl.events.event import EventError, Game, Player, Problem, Tournament, born_when
from elo_xl.events.merging import SAME
from elo_xl.events.refreshed import looked_up
from elo_xl.lists import store
from elo_xl.lists.layouts import Entry
from elo_xl.people import same_name
from elo_xl.templates.club import KINDS

SIGNS: Final = {(1.0, 0.0): "1", (0.5, 0.5): "½", (0.0, 1.0): "0"} | {
    (0.0, 0.0): "0-0",
    (0.5, 0.0): "½-0",
    (0.0, 0.5): "0-½",
}
"""How the two scores of a game are typed."""

ONE_DAY: Final = timedelta(days=1)
"""So far apart files may have the first day of one event."""


@dataclass(slots=True)
class Added:
    """What went into the book."""

    event: str
    day: date
    kind: str
    rules: str
    games: int
    players: int
    new: list[str] = field(default_factory=list)
    """people who are members from now on"""
    taken: list[str] = field(default_factory=list)
    """new members with the ratings that they have from the file"""
    left: list[str] = field(default_factory=list)
    """new members with the ratings that the file has and the book has not"""
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Adding:
    """How an event goes into a book; ``name``, ``day`` and ``kind`` replace what its file says."""

    name: str = ""
    day: date | None = None
    kind: str | None = None
    rules: str = ""
    """the rulebook, by default FIDE's for the kind and the day"""
    again: bool = False
    """another event of that day may have the same games"""
    new: bool = False
    """people whose names are much like that of a member are members from now on, too"""
    sure: bool = False
    """its first day may lie more than a year ahead"""
    ratings: bool = False
    """new members take their rating of this kind from the file, with games and highest rating"""


def add_event(book: Ledger, event: Tournament, how: Adding = Adding()) -> Added:
    """Put an event into a book, which is changed but not written yet.

    People are found by their id, otherwise by a name that can mean only one member; anybody else
    becomes a member without a rating.

    Raises EventError where the event has no name or date, is in the book already, or where it is
    not sure who a player is; OptionError for an unknown rulebook.
    """
    book.check()
    title = " ".join((how.name or event.name).split())
    day = how.day or event.start
    kind = how.kind or event.kind or "standard"
    problems = list(_problems(book, event, how, title, kind))
    who, done = _people(book, event, how.new, problems)
    playing = _playing(event)
    for player in event.players:
        member = who.get(player.number)
        if player.number in playing and not (member and member.birth):
            problems += filter(None, [born_when(player)])
    if day is not None and not how.again:
        problems += _twice(book, event, day, who)
    if problems or day is None:
        raise EventError(problems)
    # From here on the book is changed.
    if how.rules:
        rulebook(how.rules)
    rules = how.rules or usual(kind, day).name
    added = Added(title, day, kind, rules, len(event.games), len(who))
    added.notes = done
    names = {}
    for player in event.players:
        if (member := who.get(player.number)) is not None:
            names[player.number] = member.name
            _complete(book, member, player, added)
        elif player.number in playing:
            names[player.number] = _enrol(book, player, kind if how.ratings else "", added)
    word = book.say(f"club.kind_{kind}")
    book.append("Events", event=title, date=day, kind=word, games=len(event.games),
                players=len(names), rulebook=added.rules)  # fmt: skip
    for game in event.games:
        _game(book, event, game, title, names)
    added.players = len(names)
    if event.kind is None and kind == "standard":
        added.notes.append("the file does not say its kind of play: standard (--kind changes it)")
    return added


def _problems(
    book: Ledger, event: Tournament, how: Adding, title: str, kind: str
) -> Iterator[Problem]:
    """What is wrong with an event as a whole."""
    day = how.day or event.start
    if not title:
        yield Problem("the event has no name: give it one (--name)")
    if day is None:
        yield Problem("the event has no date: give it one (--date)")
    elif not how.sure and (question := book.ahead(day)):
        yield Problem(f"the first day of the event, {question}")
    elif event.otherwise and not how.day:
        other, at = event.otherwise
        named = how.rules or usual(kind, day).name, how.rules or usual(kind, other).name
        if named[0] != named[1] or other.year != day.year:
            what = f"the first day, {at.what}, is {day} or {other}: say which (--date)"
            yield replace(at, what=what)
    if any(same_name(title) == same_name(other) for other in book.events):
        yield Problem(
            f"the event {title!r} is in the book already: another one needs another --name"
        )
    if not event.games:
        yield Problem("the event has no games that are rated")


def _twice(
    book: Ledger, event: Tournament, day: date, who: Mapping[int, Member]
) -> Iterator[Problem]:
    """Events of the book with the same games at the same time."""
    played = Counter(
        frozenset(
            (same_name(who[number].name), score) for number, _, score in game.sides if number in who
        )
        for game in event.games
    )
    there: dict[str, Counter[frozenset[tuple[str, float]]]] = {}
    for game in (*book.results, *book.rated):
        if game.scores is not None:
            sides = zip((game.white, game.black), game.scores, strict=True)
            key = frozenset((same_name(name), score) for name, score in sides)
            there.setdefault(same_name(game.event), Counter())[key] += 1
    for other in book.events.values():
        games = there.get(same_name(other.name), Counter())
        common, least = (played & games).total(), min(played.total(), games.total())
        if common and common >= SAME * least and abs(other.day - day) <= ONE_DAY:
            has = "all its games" if common == played.total() else f"{common} of its games"
            what = f"it is the same event as {other.name!r} in the book, which has {has}, too"
            yield Problem(f"{what} (--again takes it nevertheless)")


def _playing(event: Tournament) -> set[int]:
    return {number for game in event.games for number in (game.first, game.second)}


def _people(
    book: Ledger, event: Tournament, new: bool, problems: list[Problem]
) -> tuple[dict[int, Member], list[str]]:
    """The members among the players of an event, and what is to be said of them."""
    by_row = {member.row: member for member in book.members}
    members: dict[int, Member] = {}
    taken: dict[int, Player] = {}
    notes: list[str] = []
    playing = _playing(event)
    for player in event.players:
        if player.number not in playing:
            continue
        # the games of a table may name players by their IDs
        numbered = book.people.find_id(player.id or player.name)
        member = by_row[numbered[0]] if numbered else None
        if member is None:
            if player.name.isdigit():
                what = f"no member has the ID {player.name!r}: a new one needs a name"
                problems.append(Problem(what))
                continue
            rows, respelled = book.people.find_person(player.name, player.id)
            fitting = [by_row[row] for row in rows]
            if len(fitting) > 1:
                may = " or ".join(repr(each.name) for each in fitting)
                problems.append(Problem(f"{player.name!r} is ambiguous: {may}; add an ID"))
                continue
            if fitting:
                member = fitting[0]
                if respelled:
                    notes.append(f"{player.name} is matched to the member {member.name}")
            elif (
                not new
                and not book.people.find_name(player.name)[0]
                and (like := book.people.suggested(player.name))
            ):
                problems.append(
                    Problem(f"{player.name!r} is no member{like} Take new people with --new")
                )
                continue
        elif same_name(member.name) != same_name(player.name):
            notes.append(f"{player.name} is the member {member.name}, by the ID {player.id}")
        if member is None:
            continue
        if (other := taken.get(member.row)) is not None:
            problems.append(
                Problem(f"{other.name!r} and {player.name!r} are both the member {member.name!r}")
            )
        taken[member.row] = player
        members[player.number] = member
    return members, notes


def _complete(book: Ledger, member: Member, player: Player, added: Added) -> None:
    """Write what the file knows of a member and the book does not."""
    facts: Mapping[str, tuple[object, str | int | None]] = {
        "id": (member.id, player.id),
        "birth": (member.birth, player.birth_year),
        "title": (member.title, player.title),
        "federation": (member.federation, player.federation),
    }
    for column, (known, fact) in facts.items():
        if not known and fact:
            book.set("Members", member.row, **{column: fact})
            if column == "id":
                added.notes.append(f"{member.name} has the ID {fact} from now on")


def _enrol(book: Ledger, player: Player, kind: str, added: Added) -> str:
    """Append a new member, with the rating of this kind from the file; without one if empty."""
    name = " ".join(player.name.split())
    taken = book.by_name.keys() | {same_name(other) for other in added.new}
    if same_name(name) in taken:
        name = f"{name} ({player.id or player.birth_year or len(taken) + 1})"
    book.append(
        "Members", name=name, id=player.id or None, birth=player.birth_year,
        title=player.title or None, federation=player.federation or None,
        **({kind: player.rating, f"{kind}_games": player.games, f"{kind}_peak": player.peak}
           if kind else {}),
    )  # fmt: skip
    added.new.append(name)
    if player.rating is not None:
        (added.taken if kind else added.left).append(f"{name} {player.rating:g}")
    return name


def _game(
    book: Ledger, event: Tournament, game: Game, title: str, names: Mapping[int, str]
) -> None:
    first, second, scores = game.first, game.second, (game.score, game.other_score)
    cell = next((p for p in event.pairings.get(first, ()) if p.round == game.round), None)
    if cell is not None and cell.colour == "b":
        first, second, scores = second, first, (scores[1], scores[0])
    book.append(
        "Results", event=title, round=game.round or None, white=names[first],
        black=names[second], result=SIGNS[scores],
    )  # fmt: skip


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
    """None for a member without a rating of this kind"""
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

    Each new rating has a line in the history, with the first day of the list's month. Members
    whom the list has without a rating keep theirs. Raises EventError for a book that cannot be read
    and for a list that is older than the ratings of the book, ListError if there is no such list.
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
    # a member who has left without a number takes none: another line may be the same person
    members = [m for m in book.members if m.id or not m.out]
    players = [
        Player(m.row, m.name, federation=m.federation, id=m.id, birth_year=m.birth) for m in members
    ]
    pairs, done.notes = looked_up(players, source if chosen else store.EXAMPLE, _ONE_PERSON)
    for member, (_, entry) in zip(members, pairs, strict=True):
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
    for column, (known, fact) in facts.items():
        if not known and fact:
            book.set("Members", member.row, **{column: fact})
            done.facts.append(f"{member.name}: {column} {fact}")
