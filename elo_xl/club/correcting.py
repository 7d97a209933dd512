"""Past results are corrected: the closed periods are rated anew, and what differs is written.

What closing a period wrote is taken as the truth only where nothing else tells it: the ratings,
games and highest ratings with which a member began, and those that somebody typed in between two
lists. They are found by going through the lists in their order: where a line of the history begins
with something else than the line before it ended with, it was typed, and stays as typed. Everything
else follows from the games, by the code that closes periods.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final

from elo_xl.club.closing import (
    Closed,
    EventGame,
    RatedMember,
    history_cells,
    member_cells,
    rate_period,
    rated_cells,
    record_after,
)
from elo_xl.club.ledger import ClubEvent, ClubGame, Ledger, Member, Published, Record
from elo_xl.engine.rulebooks import rulebook, usual
from elo_xl.events.event import EventError, Problem
from elo_xl.people import same_name
from elo_xl.templates.club import KINDS

FIELDS: Final = ("rating", "games", "peak")
"""What a member has in a kind of play."""

MemberKind = tuple[int, str]
"""A member's row and a kind of play."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A published rating that is another one now."""

    name: str
    kind: str
    day: date
    published: float | None
    """None where nothing was published"""
    new: float | None
    """None where nothing would have been published"""
    published_games: int | None
    games: int | None


@dataclass(slots=True)
class Corrected:
    """What a correction comes to."""

    lists: int
    games: int
    ratings: int
    """published ratings that were compared"""
    moved: list[Moved] = field(default_factory=list)
    beside: int = 0
    """ratings beside the games that are other ones now"""
    completed: int = 0
    """games that were typed in, and got the date of their list"""
    kept: list[str] = field(default_factory=list)
    """what was typed in between two lists and therefore does not move"""
    changed: bool = False
    """whether anything in the book is to be written"""


def correct(book: Ledger) -> Corrected:
    """Rate all closed periods of a book anew, and write what differs into it.

    A book in which nothing was changed has no difference. Raises EventError for everything that
    cannot be read.
    """
    past = Past(book)
    compared = sum(day in past.games for day, _ in past.lines)
    done = Corrected(len(past.games), sum(map(len, past.games.values())), compared)
    for closed in past.again():
        _history(book, past, closed, done)
        _rated(book, past, closed, done)
    done.kept += past.kept
    _members(book, past, done)
    done.changed = bool(book.changes)
    return done


class Past:
    """A club's closed periods: as they were published, and as they are rated now."""

    def __init__(self, book: Ledger) -> None:
        self.book = book
        published = list(book.history())
        book.check()
        self.by_name = _known(book, published)
        self.by_row = {member.row: member for member in book.members}
        self.events = {same_name(name): event for name, event in book.events.items()}
        self.original = {game.row: game for game in book.rated}
        self.games = self._games()
        self.lines: dict[tuple[date, MemberKind], Published] = {}
        for line in published:
            self._sort_in(line)
        book.check()
        self.own_lines: dict[MemberKind, list[Published]] = {}
        for (_, key), line in sorted(self.lines.items(), key=lambda one: one[0]):
            self.own_lines.setdefault(key, []).append(line)
        days = {*self.games, *(day for day, _ in self.lines)}
        self.seen = {day: self._seen(day) for day in sorted(days)}
        self.published = {
            (member.row, kind): self._first((member.row, kind), member.records[kind])
            for member in book.members
            for kind in KINDS
        }
        """what each member had by the lists so far"""
        self.now = dict(self.published)
        """what each member has by the games so far"""
        self.kept: list[str] = []
        """what was typed, and does not move what comes after it"""

    # -- what the book tells ----------------------------------------------------------------

    def _games(self) -> dict[date, list[EventGame]]:
        """The games of each list, in the order of the lists."""
        games: dict[date, list[EventGame]] = {}
        for game in self.book.rated:
            event = self.events.get(same_name(game.event))
            sides = [self.by_name.get(same_name(name)) for name in (game.white, game.black)]
            for column, member in zip(("white", "black"), sides, strict=True):
                if member is None:
                    name = getattr(game, column)
                    self._problem(
                        f"{name!r} is no member; whoever left stays on the sheet of "
                        "members, with an x",
                        game,
                        column,
                    )
            if event is None:
                self._problem(
                    f"the event {game.event!r} is not on the sheet of events",
                    game,
                )
            elif event.closed is None:
                self._problem(f"the event {game.event!r} is not closed", game)
            elif game.closed not in (None, event.closed):
                self._problem(
                    f"the game counts for {game.closed}, its event for {event.closed}",
                    game,
                )
            elif sides[0] is sides[1]:
                self._problem("White and Black are the same player", game, "white")
            else:
                games.setdefault(event.closed, []).append((event, game))
        return dict(sorted(games.items()))

    def _problem(self, what: str, game: ClubGame, column: str = "event") -> None:
        where = self.book.where("Rated", game.row, column)
        self.book.problems.append(Problem(f"{what} @ {where}"))

    def _sort_in(self, line: Published) -> None:
        where = self.book.where("History", line.row, "name")
        if line.games is None or line.day not in self.lists:
            return  # nothing that a period wrote
        member = self.by_name.get(same_name(line.name))
        if member is None:
            what = f"{line.name!r} is no member; whoever left stays on the sheet of members"
            self.book.problems.append(Problem(f"{what}, with an x @ {where}"))
            return
        if line.kind == KINDS[0] and line.change is not None and line.before.rating is None:
            what = f"the rating of {line.name!r} before the list of {line.day} is missing"
            self.book.problems.append(Problem(f"{what} @ {where}"))
        key = line.day, (member.row, line.kind)
        if key in self.lines:
            what = f"{line.name!r} stands twice for {line.kind} on {line.day}"
            self.book.problems.append(Problem(f"{what} @ {where}"))
        self.lines[key] = line

    @property
    def lists(self) -> set[date]:
        """The dates of all lists for which an event was closed."""
        return {event.closed for event in self.events.values() if event.closed}

    def _seen(self, day: date) -> dict[MemberKind, dict[str, Any]]:
        """What the book tells of members before a list, standard play first."""
        figures: dict[MemberKind, dict[str, Any]] = {}
        for (on, key), line in self.lines.items():
            if on == day:
                figures[key] = {name: getattr(line.before, name) for name in FIELDS}
        for kind in KINDS:
            for event, game in self.games.get(day, ()):
                if event.kind != kind or game.closed is None:
                    continue  # a game without a date was typed in afterwards: it tells nothing
                for name, rating in (
                    (game.white, game.white_rating),
                    (game.black, game.black_rating),
                ):
                    key = self.by_name[same_name(name)].row, kind
                    if rating is not None and self._standard(event, day, key):
                        key = key[0], KINDS[0]
                    figures.setdefault(key, {"rating": rating})
        return figures

    def _standard(self, event: ClubEvent, day: date, key: MemberKind) -> bool:
        """Whether the rating beside a game of rapid or blitz is the standard one."""
        row, kind = key
        rules = rulebook(event.rules or usual(event.kind, event.day))
        if kind == KINDS[0] or not rules.after_standard:
            return False
        lines = self.own_lines.get(key, [])
        if any(line.day < day for line in lines):
            return False
        first = lines[0].before if lines else self.by_row[row].records[kind]
        return first.rating is None

    def _first(self, key: MemberKind, current: Record) -> Record:
        """What a member began with: the first that is told of each figure."""
        figures: dict[str, Any] = {}
        for seen in self.seen.values():
            for name, value in seen.get(key, {}).items():
                figures.setdefault(name, value)
        return replace(current, **figures)

    # -- list after list --------------------------------------------------------------------

    def again(self) -> Iterator[Closed]:
        """Rate the lists of which the book has games anew, one after the other.

        Raises EventError as :func:`~elo_xl.club.closing.rate_period` does, naming the list.
        """
        earlier: list[EventGame] = []
        for day in self.seen:
            self.kept += self.begin(day)
            if day not in self.games:
                self.kept += self.keep(day)
                continue
            try:
                closed = rate_period(day, self.games[day], self.members_on(day), earlier)
            except EventError as wrong:
                problems = [replace(p, what=f"list of {day}: {p.what}") for p in wrong.problems]
                raise EventError(problems) from None
            earlier += closed.rated
            yield closed
            self.end(closed)

    def begin(self, day: date) -> list[str]:
        """Take what was typed since the last list; gives what does not move because of it."""
        kept = []
        for key, figures in self.seen[day].items():
            for name, value in figures.items():
                published = getattr(self.published[key], name)
                if value == published:
                    continue
                if name == "rating" and getattr(self.now[key], name) != published:
                    who = f"{self.by_row[key[0]].name}, {key[1]}"
                    has = "no rating" if value is None else f"{value:g}"
                    kept.append(f"{who}: {has}, typed in before the list of {day}")
                self.published[key] = replace(self.published[key], **{name: value})
                self.now[key] = replace(self.now[key], **{name: value})
        return kept

    def keep(self, day: date) -> list[str]:
        """Take a list as it is of which the book has no games; gives what does not move."""
        kept = []
        for (on, key), line in self.lines.items():
            if on == day:
                if self.now[key].rating != self.published[key].rating:
                    who = f"{self.by_row[key[0]].name}, {key[1]}"
                    kept.append(f"{who}: the list of {day} has no games here")
                after = record_after(line.before, line.rating, line.games or 0, line.old)
                self.published[key] = self.now[key] = after
        return kept

    def members_on(self, day: date) -> Mapping[str, Member]:
        """The members before a list.

        A birth year that became known later did not count then; one that was corrected does.
        """
        unborn = {row for (on, (row, _)), line in self.lines.items()
                  if on == day and line.birth is None}  # fmt: skip
        then = {
            row: replace(
                member,
                birth=None if row in unborn else member.birth,
                records={kind: self.now[row, kind] for kind in KINDS},
            )
            for row, member in self.by_row.items()
        }
        return {name: then[member.row] for name, member in self.by_name.items()}

    def end(self, closed: Closed) -> None:
        """Go on behind a list."""
        for (on, key), line in self.lines.items():
            if on == closed.day:
                self.published[key] = record_after(
                    line.before, line.rating, line.games or 0, line.old
                )
        for key, computed in _published(closed).items():
            assert computed.new is not None
            self.now[key] = record_after(
                computed.before, computed.new, computed.games, computed.old
            )


def _known(book: Ledger, published: Sequence[Published]) -> dict[str, Member]:
    """The members by their names, those of earlier lists, too, where an ID tells whose they are."""
    by_id = {member.id: member for member in book.members if member.id}
    known = dict(book.by_name)
    for line in published:
        if (member := by_id.get(line.id)) is not None:
            known.setdefault(same_name(line.name), member)
    return known


def _published(closed: Closed) -> dict[MemberKind, RatedMember]:
    return {(line.member.row, line.kind): line for line in closed.lines if line.new is not None}


# -- what is written ------------------------------------------------------------------------------


def _history(book: Ledger, past: Past, closed: Closed, done: Corrected) -> None:
    computed = _published(closed)
    before = {key: line for (on, key), line in past.lines.items() if on == closed.day}
    for key in sorted(computed.keys() | before.keys(), key=lambda key: (KINDS.index(key[1]), key)):
        old, new = before.get(key), computed.get(key)
        was = (None, None) if old is None else (old.rating, old.games)
        now = (None, None) if new is None else (new.new, new.games)
        if was != now:
            name = past.by_row[key[0]].name
            done.moved.append(Moved(name, key[1], closed.day, was[0], now[0], was[1], now[1]))
        if new is None:
            assert old is not None
            book.clear("History", old.row)
            continue
        cells = history_cells(book, closed.day, new)
        if old is None:
            book.append("History", **cells)
            continue
        has = {"rating": old.rating, "change": old.change, "games": old.games,
               "before": old.before.rating, "games_before": old.before.games,
               "peak_before": old.before.peak, "birth": old.birth}  # fmt: skip
        book.set("History", old.row, **{c: cells[c] for c in has if cells[c] != has[c]})


def _rated(book: Ledger, past: Past, closed: Closed, done: Corrected) -> None:
    for event, game in closed.rated:
        old = past.original[game.row]
        has, cells = rated_cells(old.closed, old), rated_cells(event.closed, game)
        other = {column: value for column, value in cells.items() if value != has[column]}
        book.set("Rated", game.row, **other)
        if old.closed is None:
            done.completed += 1
        else:
            done.beside += len(other)


def _members(book: Ledger, past: Past, done: Corrected) -> None:
    """Write what members have now, but for what was typed since the last list."""
    for key, published in past.published.items():
        member, now = past.by_row[key[0]], past.now[key]
        has = member.records[key[1]]
        typed = {name: getattr(has, name) for name in FIELDS
                 if getattr(has, name) != getattr(published, name)}  # fmt: skip
        if "rating" in typed and now.rating != published.rating:
            value = "no rating" if has.rating is None else f"{has.rating:g}"
            done.kept.append(f"{member.name}, {key[1]}: {value}, typed in after the last list")
        cells, old = member_cells(key[1], replace(now, **typed)), member_cells(key[1], has)
        book.set("Members", member.row, **{c: cells[c] for c in cells if cells[c] != old[c]})
