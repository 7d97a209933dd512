"""A period of a club's book is closed: ratings, games, highest ratings and history are written.

Each kind of play is rated by itself, all its events at once, with the ratings before the period.
The games of unrated players count on from period to period, for 26 months (FIDE B.02, 7.1.4); an
event in which they have no point is disregarded as long as no other one came before it (8.2.1).
Under FIDE's rules for rapid and blitz a player with only a standard rating begins with it (7.2.1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from elo_xl.club.ledger import ClubEvent, ClubGame, Ledger, Member, Record
from elo_xl.engine.arrays import round_half_away
from elo_xl.engine.rulebooks import Rulebook, on, rulebook, usual
from elo_xl.events.event import EventError, Game, Player, Problem, Tournament
from elo_xl.events.fields import RATING
from elo_xl.events.merging import all_count, pointless
from elo_xl.events.rate import EarlierGame, RatedEvent, rate
from elo_xl.people import same_name
from elo_xl.templates.club import KINDS
from elo_xl.xlsx.edit import NewValue

MONTHS: Final = 26
"""For how long the games of unrated players count."""

PEAK_DECIDES: Final = 2400
"""A player who has reached this rating has K 10 for good (FIDE B.02, 8.3.3)."""

EventGame = tuple[ClubEvent, ClubGame]
"""A game and its event."""
Earlier = tuple[ClubEvent, EarlierGame]
"""A game of an unrated member in an earlier period, and its event."""


@dataclass(frozen=True, slots=True)
class RatedMember:
    """What a period did to a member's rating of one kind."""

    name: str
    kind: str
    old: float | None
    new: float | None
    """None for a member who is still unrated"""
    games: int
    """for an unrated member all games that count so far"""
    why: str
    """why this K, or why there is a first rating or none"""
    member: Member
    """as they were before"""

    @property
    def before(self) -> Record:
        """What they had in this kind of play."""
        return self.member.records[self.kind]


@dataclass(slots=True)
class Closed:
    """What closing a period comes to."""

    day: date
    events: list[ClubEvent] = field(default_factory=list)
    waiting: list[ClubEvent] = field(default_factory=list)
    """events after the date of the list"""
    rules: dict[str, str] = field(default_factory=dict)
    """by kind, as the sheet of events names them"""
    lines: list[RatedMember] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    rated: list[EventGame] = field(default_factory=list)
    """all games with the ratings before them"""
    by_kind: dict[str, RatedEvent] = field(default_factory=dict)
    """how each kind of play was rated; the numbers of members are their rows"""
    sources: dict[str, list[str]] = field(default_factory=dict)
    """the events of the games that were rated so, by kind"""

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(game.scores is not None for _, game in self.rated)


def close_period(book: Ledger, day: date, rules: str = "", *, sure: bool = False) -> Closed:
    """Rate the open events up to a day, and write what follows into a book.

    ``rules`` replaces the rulebooks of the events. Raises EventError for everything in the book
    that cannot be read, for a day far ahead unless it is ``sure``, and where there is nothing to
    close; OptionError for unknown rules.
    """
    events = {same_name(name): event for name, event in book.events.items()}
    book.problems += _of_results(book, events)
    book.check()
    games = [(events[same_name(game.event)], game) for game in book.results]
    open_ = sorted({e.row: e for e, _ in games}.values(), key=lambda event: (event.day, event.row))
    waiting = [event for event in open_ if event.day > day]
    problems = []
    if waiting == open_:
        later = f"; {waiting[0].name!r} is on {waiting[0].day}" if waiting else ""
        problems.append(Problem(f"there is nothing to close: no open event up to {day}{later}"))
    if (last := book.last_list) is not None and day <= last:
        problems.append(Problem(f"the list of {day} must be later than the last one, of {last}"))
    if not sure and (question := book.ahead(day)):
        problems.append(Problem(f"the date of the list, {question}"))
    if problems:
        raise EventError(problems)
    before = [(event, game) for game in book.rated
              if (event := events.get(same_name(game.event))) is not None]  # fmt: skip
    now = [(event, game) for event, game in games if event.day <= day]
    done = rate_period(day, now, book.by_name, before, rules)
    done.waiting = waiting
    _write(book, done)
    return done


def _of_results(book: Ledger, events: Mapping[str, ClubEvent]) -> Iterator[Problem]:
    """The results whose players or events the book does not know."""
    for game in book.results:
        for column, name in (("white", game.white), ("black", game.black)):
            if same_name(name) not in book.by_name:
                where = book.where("Results", game.row, column)
                yield Problem(f"{name!r} is no member{book.people.suggested(name)} @ {where}")
        event = events.get(same_name(game.event))
        if event is None or event.closed:
            what = "is not on the sheet of events" if event is None else "is closed already"
            where = book.where("Results", game.row, "event")
            yield Problem(f"the event {game.event!r} {what} @ {where}")


def rate_period(
    day: date,
    games: Sequence[EventGame],
    members: Mapping[str, Member],
    earlier: Sequence[EventGame],
    rules: str = "",
) -> Closed:
    """Rate the games of a period; nothing is written.

    ``members`` are as they were before it, by their names as :func:`same_name` has them;
    ``earlier`` are the games of the periods before it, with the ratings before each; ``rules``
    replaces the rulebooks of the events. Raises EventError where one kind of play has several
    rulebooks, or where a rating is out of all bounds; OptionError for unknown rules.
    """
    by_event: dict[int, list[EventGame]] = {}
    for event, game in games:
        by_event.setdefault(event.row, []).append((event, game))
    events = {event.row: event for event, _ in games}.values()
    done = Closed(day, sorted(events, key=lambda event: (event.day, event.row)))
    for kind in KINDS:
        of_kind = [event for event in done.events if event.kind == kind]
        if of_kind:
            named = done.rules[kind] = rules or _rules(kind, of_kind)
            before = [(event, game) for event, game in earlier if event.kind == kind]
            played = [one for event in of_kind for one in by_event[event.row]]
            _KindOfPlay(kind, done, on(named, day), members, before).rate(played)
    return done


def _rules(kind: str, events: Sequence[ClubEvent]) -> str:
    """The rulebook of a period's events of one kind."""
    named = {_named(event): event for event in events}
    if len(named) > 1:
        both = "; ".join(f"{name} ({event.name})" for name, event in named.items())
        what = f"the {kind} events of one list have several rulebooks: {both}; name one on"
        raise EventError([Problem(f"{what} the sheet of events, or close with --rules or --date")])
    return next(iter(named))


def _named(event: ClubEvent) -> str:
    """The name of an event's rulebook; where only a federation is named, the edition of the day."""
    if not event.rules:
        return usual(event.kind, event.day).name
    dated = on(event.rules, event.day)
    return event.rules if dated is rulebook(event.rules) else dated.name


@dataclass(frozen=True, slots=True)
class _KindOfPlay:
    """One kind of play in a period."""

    kind: str
    done: Closed
    rules: Rulebook
    members: Mapping[str, Member]
    before: Sequence[EventGame]

    def rate(self, games: Sequence[EventGame]) -> None:
        """Rate the games, and add the new ratings and the games to what is done."""
        played = [(event, game) for event, game in games if game.scores is not None]
        there = {same_name(n): None for _, g in played for n in (g.white, g.black)}
        field_ = [self.members[name] for name in there]
        earlier = {member.row: self._earlier(member) for member in field_
                   if self._rating(member) is None}  # fmt: skip
        # Some rulebooks disregard a newcomer's first event if they scored nothing in it; both that
        # event's games of this period and those of earlier ones are left out.
        newcomers = self._of_newcomers(played, earlier)
        dropped = set() if all_count(self.rules) else pointless(newcomers)
        event = self._event(field_, played, dropped)
        before = [game for row, games in earlier.items() for event_, game in games
                  if (event_.row, row) not in dropped]  # fmt: skip
        rated = self.done.by_kind[self.kind] = rate(event, self.rules, earlier=before)
        self.done.assumed += [f"{self.kind}: {what}" for what in rated.assumed]
        by_row = {member.row: member for member in field_}
        for one in rated.players:
            if one.games:
                member = by_row[one.player.number]
                self._add(member, one.player.rating, one.new, one.games, one.k_reason)
        for first in rated.new_players:
            member = by_row[first.player.number]
            why = first.reason
            if first.rating is None and any(row == member.row for _, row in dropped):
                why += "; a first event without a point is disregarded"
            self._add(member, None, first.rating, len(first.opponents), why)
        for event_, game in games:
            white, black = (self.members[same_name(name)] for name in (game.white, game.black))
            known = replace(game, white=white.name, white_rating=self._rating(white),
                            black=black.name, black_rating=self._rating(black))  # fmt: skip
            self.done.rated.append((event_, known))

    def _rating(self, member: Member) -> float | None:
        """The rating before the period."""
        rating = member.records[self.kind].rating
        if rating is None and self.rules.after_standard:
            return member.records["standard"].rating
        return rating

    # -- the event that the engine rates ----------------------------------------------------

    def _earlier(self, member: Member) -> list[Earlier]:
        """The games of an unrated member in earlier periods."""
        since = _months_before(self.done.day, MONTHS)
        games: list[Earlier] = []
        for event, game in self.before:
            if event.day < since or not game.scores:
                continue
            sides = (game.white, game.white_rating), (game.black, game.black_rating)
            for own, other, score in zip(sides, sides[::-1], game.scores, strict=True):
                known = self.members.get(same_name(own[0]))
                mine = known is not None and known.row == member.row
                if mine and own[1] is None and other[1] is not None:
                    earlier = EarlierGame(member.row, other[0], other[1], score, event.name)
                    games.append((event, earlier))
        return sorted(games, key=lambda one: (one[0].day, one[0].row))

    def _event(
        self, field_: Sequence[Member], played: Sequence[EventGame], dropped: Set[tuple[int, int]]
    ) -> Tournament:
        players = [self._player(member) for member in field_]
        games, sources = [], self.done.sources.setdefault(self.kind, [])
        for event, game in played:
            white, black = (self.members[same_name(n)].row for n in (game.white, game.black))
            if (event.row, white) not in dropped and (event.row, black) not in dropped:
                assert game.scores is not None
                games.append(Game(game.round, white, black, game.scores[0], game.scores[1]))
                sources.append(event.name)
        return Tournament("", tuple(players), {}, tuple(games), 1, start=self.done.day)

    def _of_newcomers(
        self, played: Sequence[EventGame], earlier: dict[int, list[Earlier]]
    ) -> Iterator[tuple[int, int, float]]:
        """The games of unrated members against rated ones: the event's row, the member's row and
        their score."""
        for row, games in earlier.items():
            yield from ((event.row, row, game.score) for event, game in games)
        for event, game in played:
            sides = (game.white, game.black), (game.black, game.white)
            for (own, other), score in zip(sides, game.scores or (), strict=True):
                row, opponent = self.members[same_name(own)].row, self.members[same_name(other)]
                if row in earlier and self._rating(opponent) is not None:
                    yield event.row, row, score

    def _player(self, member: Member) -> Player:
        record = member.records[self.kind]
        rated = record.rating is not None
        by_events = self.rules.change.counts_events
        return Player(
            member.row,
            member.name,
            self._rating(member),
            birth_year=member.birth,
            games=None if by_events else record.games if rated else 0,
            index=self._evaluated(member, record.games) if by_events and rated else None,
            peak=record.peak,
        )

    def _evaluated(self, member: Member, games: int | None) -> int | None:
        """How many events of a member were evaluated; None if the book has not all their games."""
        fresh: dict[str, int] = {}
        """the event in which a newcomer got a rating"""
        mine: list[tuple[int, bool]] = []
        played = [(event.row, (same_name(game.white), game.white_rating),
                   (same_name(game.black), game.black_rating))
                  for event, game in self.before if game.scores]  # fmt: skip
        for row, *sides in played:
            known = [name for name, rating in sides if rating is None and name in self.members]
            fresh |= {n: row for n in known if self._rating(self.members[n]) is not None}
        for row, *sides in played:
            if same_name(member.name) in dict(sides):
                rated = all(rating is not None or fresh.get(n) == row for n, rating in sides)
                mine.append((row, rated))
        if games is None or games > len(mine):
            return None
        return len({row for row, rated in mine if rated})

    def _add(
        self, member: Member, old: float | None, new: float | None, games: int, why: str
    ) -> None:
        rating = None if new is None or math.isnan(new) else float(round_half_away(new))
        if rating is not None:
            try:
                RATING.checked(rating)
            except ValueError as wrong:
                raise EventError([Problem(f"{member.name}: {wrong}")]) from None
        self.done.lines.append(RatedMember(member.name, self.kind, old, rating, games, why, member))


def record_after(before: Record, rating: float, games: int, old: float | None) -> Record:
    """What a member has after a period that they began with the rating ``old``, if with any.

    >>> record_after(Record(1800, 30, 1850), 1810, 5, 1800)
    Record(rating=1810, games=35, peak=1850)

    A highest rating that was not known is known only for players with a first rating now, or where
    it decides no K any more.

    >>> record_after(Record(1800, 30), 1810, 5, 1800)
    Record(rating=1810, games=35, peak=None)

    The standard rating with which somebody begins in rapid or blitz counts as one of these.

    >>> record_after(Record(), 2396, 1, 2402)
    Record(rating=2396, games=1, peak=2402)
    """
    known = 0 if before.rating is None else before.games
    reached = max(rating, before.rating or 0, before.peak or 0, old or 0)
    unknown = before.rating is not None and before.peak is None and reached < PEAK_DECIDES
    return Record(rating, None if known is None else known + games, None if unknown else reached)


# -- what is written ------------------------------------------------------------------------------


def member_cells(kind: str, record: Record) -> dict[str, NewValue]:
    """The cells of a member's line for one kind of play."""
    return {kind: record.rating, f"{kind}_games": record.games, f"{kind}_peak": record.peak}


def history_cells(book: Ledger, day: date, line: RatedMember) -> dict[str, NewValue]:
    """The cells of a line of the history: what was published, and what was known before."""
    assert line.new is not None
    member, before = line.member, line.before
    return {
        "date": day, "name": member.name, "id": member.id or None,
        "kind": book.say(f"club.kind_{line.kind}"), "rating": line.new,
        "change": None if line.old is None else line.new - line.old, "games": line.games,
        "before": before.rating, "games_before": before.games, "peak_before": before.peak,
        "birth": member.birth,
    }  # fmt: skip


def rated_cells(day: date | None, game: ClubGame) -> dict[str, NewValue]:
    """The cells of a game's line that a period decides."""
    return {"closed": day, "white_rating": game.white_rating, "black_rating": game.black_rating}


def _write(book: Ledger, done: Closed) -> None:
    for line in done.lines:
        if line.new is not None:
            after = record_after(line.before, line.new, line.games, line.old)
            book.set("Members", line.member.row, **member_cells(line.kind, after))
            book.append("History", **history_cells(book, done.day, line))
    for event, game in done.rated:
        book.append(
            "Rated", event=event.name, round=game.round or None, white=game.white,
            black=game.black, result=game.result, **rated_cells(done.day, game),
        )  # fmt: skip
        book.clear("Results", game.row)
    for event in done.events:
        book.set("Events", event.row, closed=done.day)
        if event.rules != done.rules[event.kind]:
            book.set("Events", event.row, rulebook=done.rules[event.kind])
    book.set_single("Dates", done.day)


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
