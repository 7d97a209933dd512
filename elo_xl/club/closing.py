"""A period of a club's book is closed: ratings, games, highest ratings and history are written.

Each kind of play is rated by itself, all its events at once, with the ratings before the period.
The games of unrated players count on from period to period, for 26 months (FIDE B.02, 7.1.4); an
event in which they have no point is disregarded as long as no other one came before it (8.2.1).
Under FIDE's rules for rapid and blitz whoever has a standard rating only begins with that (7.2.1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from itertools import count
from typing import Final

from elo_xl.club.adding import usual_rules
from elo_xl.club.ledger import ClubEvent, ClubGame, Ledger, Member, Record
from elo_xl.engine.rounding import round_half_away
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.templates.club import KINDS
from elo_xl.tournament.event import EventError, Game, Player, Problem, Tournament
from elo_xl.tournament.rate import rate
from elo_xl.tournament.text import RATING, same_name

MONTHS: Final = 26
"""For how long the games of unrated players count."""

_OTHERS: Final = 1_000_000
"""The numbers of opponents in earlier periods begin behind this one."""


@dataclass(frozen=True, slots=True)
class Line:
    """What a period did to a member's rating of one kind."""

    name: str
    kind: str
    old: float | None
    new: float | None
    """None for somebody who is still unrated"""
    games: int
    """for an unrated member all games that count so far"""
    why: str
    """why this K, or why there is a first rating or none"""


@dataclass(slots=True)
class Closed:
    """What closing a period comes to."""

    day: date
    events: list[ClubEvent] = field(default_factory=list)
    waiting: list[ClubEvent] = field(default_factory=list)
    """events after the date of the list"""
    rules: dict[str, str] = field(default_factory=dict)
    """by kind"""
    lines: list[Line] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    games: int = 0


def close_period(book: Ledger, day: date, rules: str = "") -> Closed:
    """Rate the open events up to a day, and write what follows into a book.

    ``rules`` replaces the rulebooks of the events. Raises EventError for everything in the book
    that cannot be read, and where there is nothing to close; OptionError for unknown rules.
    """
    members = {same_name(member.name): member for member in book.members}
    events = {same_name(name): event for name, event in book.events.items()}
    for game in book.results:
        for column, name in (("white", game.white), ("black", game.black)):
            if same_name(name) not in members:
                where = book.where("Results", game.row, column)
                book.problems.append(Problem(f"{name!r} is no member @ {where}"))
        event = events.get(same_name(game.event))
        if event is None or event.closed:
            what = "is not on the sheet of events" if event is None else "is closed already"
            where = book.where("Results", game.row, "event")
            book.problems.append(Problem(f"the event {game.event!r} {what} @ {where}"))
    book.check()
    by_event: dict[str, list[ClubGame]] = {}
    for game in book.results:
        by_event.setdefault(same_name(game.event), []).append(game)
    open_ = [event for event in book.events.values()
             if not event.closed and same_name(event.name) in by_event]  # fmt: skip
    open_.sort(key=lambda event: (event.day, event.row))
    done = Closed(day, [e for e in open_ if e.day <= day], [e for e in open_ if e.day > day])
    problems = []
    if not done.events:
        problems.append(Problem(f"there is nothing to close: no open event up to {day}"))
    if (last := book.last_list) is not None and day <= last:
        problems.append(Problem(f"the list of {day} must be later than the last one, of {last}"))
    if problems:
        raise EventError(problems)
    for kind in KINDS:
        own = [event for event in done.events if event.kind == kind]
        if own:
            games = [(event, game) for event in own for game in by_event[same_name(event.name)]]
            _Kind(book, kind, done, rules, members).close(own, games)
    for event in done.events:
        book.set("Events", event.row, closed=day)
    book.set_single("Dates", day)
    return done


class _Kind:
    """One kind of play in a period."""

    def __init__(
        self, book: Ledger, kind: str, done: Closed, rules: str, members: dict[str, Member]
    ) -> None:
        self.book, self.kind, self.done, self.members = book, kind, done, members
        self.rules_asked = rules

    def close(
        self, events: Sequence[ClubEvent], games: Sequence[tuple[ClubEvent, ClubGame]]
    ) -> None:
        self.rules = self._rules(events)
        self.done.rules[self.kind] = self.rules.name
        played = [(event, game) for event, game in games if game.scores is not None]
        there = {same_name(n): None for _, g in played for n in (g.white, g.black)}
        field_ = [self.members[name] for name in there]
        earlier = {member.row: self._earlier(member) for member in field_
                   if self._rating(member) is None}  # fmt: skip
        dropped = self._pointless(field_, played, earlier)
        event = self._event(field_, played, earlier, dropped)
        rated = rate(event, self.rules)
        self.done.assumed += [f"{self.kind}: {what}" for what in rated.assumed]
        by_row = {member.row: member for member in field_}
        for one in rated.players:
            if one.player.number in by_row and one.games:
                member = by_row[one.player.number]
                self._write(member, one.player.rating, one.new, one.games, one.k_reason)
        for first in rated.new_players:
            member = by_row[first.player.number]
            why = first.reason
            if first.rating is None and any(row == member.row for _, row in dropped):
                why += "; a first event without a point is disregarded"
            self._write(member, None, first.rating, len(first.opponents), why)
        for event_, game in games:
            sides = [self.members[same_name(name)] for name in (game.white, game.black)]
            ratings = [self._rating(member) for member in sides]
            self.book.append(
                "Rated", closed=self.done.day, event=event_.name, round=game.round or None,
                white=sides[0].name, white_rating=ratings[0], black=sides[1].name,
                black_rating=ratings[1],
                result=game.result if isinstance(game.result, int | float) else str(game.result),
            )  # fmt: skip
            self.book.clear("Results", game.row)
        self.done.games += len(played)

    def _rules(self, events: Sequence[ClubEvent]) -> Rulebook:
        if self.rules_asked:
            return rulebook(self.rules_asked)
        named = {event.rules or usual_rules(event.kind, event.day): event for event in events}
        if len(named) > 1:
            both = ", ".join(f"{name} ({event.name})" for name, event in named.items())
            what = f"the {self.kind} events have several rulebooks: {both}; close them one after"
            raise EventError([Problem(f"{what} the other (--date), or choose one (--rules)")])
        return rulebook(next(iter(named)))

    def _rating(self, member: Member) -> float | None:
        """The rating before the period."""
        own = member.records[self.kind].rating
        if own is None and self.rules.name.startswith("fide-rapid"):
            return member.records["standard"].rating
        return own

    # -- the event that the engine rates ----------------------------------------------------

    def _earlier(self, member: Member) -> list[tuple[ClubEvent, float, float]]:
        """The games of an unrated member in earlier periods: event, opponent's rating, score."""
        since = _months_before(self.done.day, MONTHS)
        events = {same_name(name): event for name, event in self.book.events.items()}
        found = []
        for game in self.book.rated:
            event = events.get(same_name(game.event))
            if event is None or event.kind != self.kind or event.day < since or not game.scores:
                continue
            sides = (game.white, game.white_rating), (game.black, game.black_rating)
            for own, other, score in zip(sides, sides[::-1], game.scores, strict=True):
                mine = same_name(own[0]) == same_name(member.name)
                if mine and own[1] is None and other[1] is not None:
                    found.append((event, other[1], score))
        return sorted(found, key=lambda one: (one[0].day, one[0].row))

    def _event(
        self,
        field_: Sequence[Member],
        played: Sequence[tuple[ClubEvent, ClubGame]],
        earlier: dict[int, list[tuple[ClubEvent, float, float]]],
        dropped: Set[tuple[int, int]],
    ) -> Tournament:
        players = [self._player(member) for member in field_]
        games = []
        for event, game in played:
            white, black = (self.members[same_name(n)].row for n in (game.white, game.black))
            if (event.row, white) not in dropped and (event.row, black) not in dropped:
                assert game.scores is not None
                games.append(Game(game.round, white, black, game.scores[0], game.scores[1]))
        numbers = count(_OTHERS)
        for row, before in earlier.items():
            for event, rating, score in before:
                if (event.row, row) not in dropped:
                    other = next(numbers)
                    # all that might be asked of their K is known: nothing of it is written
                    players.append(Player(other, "", rating, games=1000, peak=rating,
                                          birth_year=1900))  # fmt: skip
                    games.append(Game(0, row, other, score))
        return Tournament("", tuple(players), {}, tuple(games), 1, start=self.done.day)

    def _pointless(
        self,
        field_: Sequence[Member],
        played: Sequence[tuple[ClubEvent, ClubGame]],
        earlier: dict[int, list[tuple[ClubEvent, float, float]]],
    ) -> set[tuple[int, int]]:
        """Events, with the unrated members who begin with them and have no point there."""
        if self.rules.first.zero_counts or self.rules.counts.with_newcomers:
            return set()
        found = set()
        for member in field_:
            if member.row not in earlier:
                continue
            points: dict[int, float] = {}
            for event, _, score in earlier[member.row]:
                points[event.row] = points.get(event.row, 0) + score
            for event, game in played:
                sides = (game.white, game.black), (game.black, game.white)
                for (own, other), score in zip(sides, game.scores or (), strict=True):
                    opponent = self.members[same_name(other)]
                    mine = same_name(own) == same_name(member.name)
                    if mine and self._rating(opponent) is not None:
                        points[event.row] = points.get(event.row, 0) + score
            for row, sum_ in points.items():
                if sum_:
                    break
                found.add((row, member.row))
        return found

    def _player(self, member: Member) -> Player:
        record = member.records[self.kind]
        own = record.rating is not None
        return Player(
            member.row,
            member.name,
            self._rating(member),
            birth_year=member.birth,
            games=record.games if own else 0,
            peak=record.peak,
        )

    # -- what is written --------------------------------------------------------------------

    def _write(
        self, member: Member, old: float | None, new: float | None, games: int, why: str
    ) -> None:
        record: Record = member.records[self.kind]
        rating = None if new is None or math.isnan(new) else float(round_half_away(new))
        self.done.lines.append(Line(member.name, self.kind, old, rating, games, why))
        if rating is None:
            return
        try:
            RATING.checked(rating)
        except ValueError as wrong:
            raise EventError([Problem(f"{member.name}: {wrong}")]) from None
        before = record.games
        if record.rating is None:
            before = 0
        self.book.set(
            "Members", member.row,
            **{
                self.kind: rating,
                f"{self.kind}_games": None if before is None else before + games,
                f"{self.kind}_peak": max(rating, record.rating or 0, record.peak or 0),
            },
        )  # fmt: skip
        self.book.append(
            "History", date=self.done.day, name=member.name, id=member.id or None,
            kind=self.book.say(f"club.kind_{self.kind}"), rating=rating,
            change=None if old is None else rating - old, games=games,
        )  # fmt: skip


def _months_before(day: date, months: int) -> date:
    """The day some months before, or the last one of that month.

    >>> _months_before(date(2026, 4, 30), 26)
    datetime.date(2024, 2, 29)
    """
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    for last in range(day.day, 27, -1):
        try:
            return date(year, month + 1, last)
        except ValueError:
            continue
    return date(year, month + 1, day.day)
