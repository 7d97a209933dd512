"""The book of a club as its file has it: members, events and games are read, values are written.

Whatever somebody has added to the file stays; sheets, columns and rows are found by their texts, as
:mod:`elo_xl.books.entries` finds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Final

from elo_xl.books.entries import Entry, Key
from elo_xl.books.model import Constant
from elo_xl.books.signs import check_sign
from elo_xl.club.changes import ChangedBook
from elo_xl.engine.errors import RatingError
from elo_xl.engine.results import ROUND_CODES, ResultError, read_codes
from elo_xl.events.event import EventError, Problem
from elo_xl.events.fields import GAMES, PEAK, RATING, Bounds, Dates, MixedDatesError
from elo_xl.events.games import is_day
from elo_xl.events.names import People
from elo_xl.events.scores import made_a_date
from elo_xl.events.sheets import shown
from elo_xl.events.table import NOT_COMPUTED
from elo_xl.languages import is_yes
from elo_xl.people import same_name
from elo_xl.templates.club import KINDS, SIGNS
from elo_xl.templates.opened import EntriesError
from elo_xl.xlsx.edit import NewValue, day_of

TEMPLATE: Final = "club"

FAR: Final = 366
"""Days after today, or after the last list, from which on a date may be a slip."""

ISO: Final = "2026-03-07"
"""How a date is written that leaves no doubt."""


@dataclass(slots=True)
class Record:
    """What a member has in one kind of play."""

    rating: float | None = None
    games: int | None = None
    peak: float | None = None


@dataclass(slots=True)
class Member:
    """A line of the sheet *Members*."""

    row: int
    name: str
    id: str = ""
    birth: int | None = None
    title: str = ""
    federation: str = ""
    records: dict[str, Record] = field(default_factory=dict)
    out: bool = False
    """whether they have left the club"""


@dataclass(frozen=True, slots=True)
class ClubEvent:
    """A line of the sheet *Events*."""

    row: int
    name: str
    day: date
    kind: str
    """one of :data:`~elo_xl.templates.club.KINDS`"""
    rules: str
    closed: date | None
    games: int | None = None
    players: int | None = None


@dataclass(frozen=True, slots=True)
class ClubGame:
    """A line of the sheets *Results* and *Rated games*."""

    row: int
    event: str
    round: int
    white: str
    black: str
    result: Constant
    """as typed"""
    scores: tuple[float, float] | None
    """None where nothing was played that is rated"""
    white_rating: float | None = None
    black_rating: float | None = None
    closed: date | None = None
    """the date of the list for which it was rated"""


@dataclass(frozen=True, slots=True)
class Published:
    """A line of the sheet *Rating history*."""

    row: int
    day: date
    name: str
    id: str
    kind: str
    rating: float
    change: float | None
    games: int | None
    """None for a line that was typed and comes from no period"""
    before: Record
    """what the member had in this kind of play before it"""
    birth: int | None
    """the birth year as it was known then"""

    @property
    def old(self) -> float | None:
        """The rating from which the change counts; None for a first rating."""
        return None if self.change is None else self.rating - self.change


def scores_of(value: Constant) -> tuple[float, float] | None:
    """Both players' scores in a game that is rated, from its result as typed; otherwise None.

    >>> scores_of("½"), scores_of("+"), scores_of("0-0")
    ((0.5, 0.5), None, (0.0, 0.0))

    Raises ResultError for what is no result.
    """
    if is_day(value):
        assert isinstance(value, int | float)
        raise ResultError(made_a_date(f"{day_of(value, False)}"))
    codes = read_codes(typed(value))
    if isinstance(value, str):
        check_sign(value, SIGNS)
    first, second = (ROUND_CODES[code] for code in codes)
    return (first.points, second.points) if first.rated else None


def typed(value: Constant) -> str | float:
    """The entry of a result as :func:`~elo_xl.engine.results.read_codes` takes it."""
    return value if isinstance(value, int | float) else str(value or "")


class Ledger(ChangedBook):
    """The book of a club, and the values that are to be written into it."""

    def __init__(self, file: bytes) -> None:
        """Read a file.

        Raises EntriesError for one that is no book of a club, EventError where it has lost a column
        or what a formula gives in place of an entry, WorkbookError for one that is no workbook.
        """
        super().__init__(file, TEMPLATE)
        missing = [name for name in ("Members", "Events", "Results", "History", "Rated")
                   if not self.entries.tables.get(name) or not self.entries.tables[name].rows
                   ]  # fmt: skip
        if missing:
            raise EntriesError(f"its table {missing[0]} is not found: were its headings changed?")
        self.problems: list[Problem] = []
        for name in self.entries.tables:
            for what, where in self.entries.lost.get(name, ()):
                self._problem(what, where)
        for where in self.entries.uncomputed:
            self._problem(NOT_COMPUTED, where)
        self.check()
        self.kinds = {self.say(f"club.kind_{kind}").casefold(): kind for kind in KINDS}
        self._rows: dict[str, dict[int, dict[str, Entry]]] = {}
        for key, entry in self.entries.typed.items():
            if key.row:
                self._rows.setdefault(key.name, {}).setdefault(key.row, {})[key.column] = entry
        self._orders: dict[tuple[str, str], Dates] = {}
        self._ends = {
            name: max(self._rows.get(name, {}), default=0) for name in self.entries.tables
        }
        self.members = list(self._members())
        self.events = {event.name: event for event in self._events()}
        self.results = list(self._games("Results"))
        self._check_rounds()
        self.rated = list(self._games("Rated"))

    @cached_property
    def people(self) -> People:
        """The members by the rows in which they stand."""
        return People((member.row, member.name, member.id) for member in self.members)

    @cached_property
    def by_name(self) -> Mapping[str, Member]:
        """The members by their names as :func:`same_name` has them."""
        return {same_name(member.name): member for member in self.members}

    def check(self, *tables: str) -> None:
        """Raise EventError if anything in the book cannot be read, or in these tables only."""
        sheets = tuple(f"{self.entries.tables[name].title}!" for name in tables)
        problems = [one for one in self.problems if not sheets or one.sheet.startswith(sheets)]
        if problems:
            raise EventError(problems)

    # -- what is read -----------------------------------------------------------------------

    def _lines(self, table: str) -> Iterator[tuple[int, dict[str, Entry]]]:
        for row, cells in sorted(self._rows.get(table, {}).items()):
            if any(_text(entry) for entry in cells.values()):
                yield row, cells

    def _problem(self, what: str, where: str) -> None:
        self.problems.append(Problem(what, sheet=where))

    def _yes(self, cells: Mapping[str, Entry], column: str) -> bool:
        """Whether a cell has a yes; blank is none, and anything else is a problem."""
        text = _said(cells, column)
        if text and not is_yes(text):
            self._problem(f"expected x or blank, got {text!r}", cells[column].where)
        return is_yes(text)

    def _number(self, cells: Mapping[str, Entry], column: str, bounds: Bounds) -> float | None:
        entry = cells.get(column)
        try:
            return None if entry is None else bounds.read(_text(entry))
        except ValueError as wrong:
            self._problem(str(wrong), entry.where if entry else "")
            return None

    def _signed(self, cells: Mapping[str, Entry], column: str) -> float | None:
        entry = cells.get(column)
        if entry is None or not _text(entry):
            return None
        try:
            return _CHANGE.checked(float(_text(entry).replace("−", "-")), _text(entry))
        except ValueError:
            self._problem(f"{column} is not a number: {_text(entry)!r}", entry.where)
            return None

    def _day(self, table: str, cells: Mapping[str, Entry], column: str) -> date | None:
        entry = cells.get(column)
        if entry is None or not _text(entry):
            return None
        dates = self._dates(table, column)
        day = self._as_day(entry, dates)
        if day is None:
            self._problem(f"date is not understood: {entry.value!r}", entry.where)
        elif isinstance(entry.value, str) and dates.unsure(_text(entry)):
            what = f"it is not sure which day {entry.value!r} is: write it as {ISO}"
            self._problem(what, entry.where)
        return day

    def _dates(self, table: str, column: str) -> Dates:
        """The dates that are typed as texts into a column, all in one order."""
        if (table, column) not in self._orders:
            cells = [cells[column] for cells in self._rows[table].values() if column in cells]
            texts_ = [entry for entry in cells if isinstance(entry.value, str)]
            try:
                dates = Dates(map(_text, texts_))
            except MixedDatesError as wrong:
                self._problem(f"{wrong}: write them as {ISO}", texts_[0].where)
                dates = Dates()
            self._orders[table, column] = dates
        return self._orders[table, column]

    def _as_day(self, entry: Entry, dates: Dates) -> date | None:
        value = entry.value
        if isinstance(value, int | float) and 1 <= value < 2_958_466:
            return day_of(value, self._mac)
        return dates.read(_text(entry))

    def _members(self) -> Iterator[Member]:
        seen: dict[str, str] = {}
        for row, cells in self._lines("Members"):
            name, where = _said(cells, "name"), next(iter(cells.values())).where
            if not name:
                self._problem("the name is missing", where)
                continue
            for what, key in (("name", name), ("ID", _said(cells, "id"))):
                first = seen.setdefault(f"{what} {key}", where)
                if key and first != where:
                    self._problem(f"the {what} {key!r} stands twice, at {first} too", where)
            records = {}
            for kind in KINDS:
                games = self._number(cells, f"{kind}_games", GAMES)
                records[kind] = Record(
                    self._number(cells, kind, RATING),
                    None if games is None else int(games),
                    self._number(cells, f"{kind}_peak", PEAK),
                )
            birth = self._number(cells, "birth", _BIRTH)
            yield Member(
                row,
                name,
                _said(cells, "id"),
                None if birth is None else int(birth),
                _said(cells, "title"),
                _said(cells, "federation"),
                records,
                self._yes(cells, "out"),
            )

    def _events(self) -> Iterator[ClubEvent]:
        seen: set[str] = set()
        for row, cells in self._lines("Events"):
            name, where = _said(cells, "event"), next(iter(cells.values())).where
            kind = self.kinds.get(_said(cells, "kind").casefold())
            day, closed = (self._day("Events", cells, key) for key in ("date", "closed"))
            if not name:
                self._problem("the event has no name", where)
            elif name in seen:
                self._problem(f"the event {name!r} stands twice", where)
            elif kind is None:
                known = ", ".join(self.kinds)
                self._problem(f"the kind of {name!r} is none of {known}", where)
            elif day is None:
                self._problem(f"the event {name!r} has no date", where)
            else:
                counts = (self._number(cells, key, GAMES) for key in ("games", "players"))
                games, players = (None if count is None else int(count) for count in counts)
                rules = _said(cells, "rulebook")
                yield ClubEvent(row, name, day, kind, rules, closed, games, players)
            seen.add(name)

    def _games(self, table: str) -> Iterator[ClubGame]:
        for row, cells in self._lines(table):
            where = next(iter(cells.values())).where
            sides = _said(cells, "white"), _said(cells, "black")
            if not all(sides):
                self._problem("a player is missing", where)
                continue
            if sides[0] == sides[1]:
                self._problem("White and Black are the same player", where)
                continue
            entry = cells.get("result")
            try:
                scores = None if entry is None else scores_of(entry.value)
            except RatingError as wrong:
                self._problem(str(wrong), entry.where if entry else where)
                continue
            if entry is None and table == "Results":
                self._problem("the result is missing", where)
                continue
            round_ = self._number(cells, "round", _ROUND)
            yield ClubGame(
                row,
                _said(cells, "event"),
                int(round_ or 0),
                *sides,
                entry and entry.value,
                scores,
                self._number(cells, "white_rating", RATING),
                self._number(cells, "black_rating", RATING),
                self._day(table, cells, "closed"),
            )

    def _check_rounds(self) -> None:
        """Report who is paired twice in one round of an event."""
        taken: dict[tuple[str, int, str], tuple[ClubGame, str]] = {}
        for game in self.results:
            for column, name in (("white", game.white), ("black", game.black)):
                key = same_name(game.event), game.round, same_name(name)
                first, there = taken.setdefault(key, (game, column))
                if game.round and first is not game:
                    at = self.where("Results", first.row, there)
                    what = f"{name!r} has two games in round {game.round}, the first @ {at}"
                    self._problem(what, self.where("Results", game.row, column))
                    break

    def history(self) -> Iterator[Published]:
        """The published ratings, in the order of their lines; what cannot be read is a problem."""
        for row, cells in self._lines("History"):
            where = next(iter(cells.values())).where
            day = self._day("History", cells, "date")
            name, kind = _said(cells, "name"), _said(cells, "kind")
            rating = self._number(cells, "rating", RATING)
            if day is None or not name or rating is None or kind.casefold() not in self.kinds:
                self._problem("a date, a name, a kind or a rating is missing or wrong", where)
                continue
            whole = {
                column: None if (n := self._number(cells, column, bounds)) is None else int(n)
                for column, bounds in (("games", GAMES), ("games_before", GAMES), ("birth", _BIRTH))
            }
            before = Record(
                self._number(cells, "before", RATING),
                whole["games_before"],
                self._number(cells, "peak_before", PEAK),
            )
            yield Published(
                row, day, name, _said(cells, "id"), self.kinds[kind.casefold()], rating,
                self._signed(cells, "change"), whole["games"], before, whole["birth"],
            )  # fmt: skip

    @property
    def last_list(self) -> date | None:
        """The date of the newest list."""
        return max((event.closed for event in self.events.values() if event.closed), default=None)

    def ahead(self, day: date) -> str:
        """What to ask about a day that lies far behind today and the last list."""
        last = max((date.today(), *filter(None, [self.last_list])))
        if (day - last).days <= FAR:
            return ""
        return f"{day} is more than a year after {last}: if it is meant, add --sure"

    def single(self, name: str) -> str:
        """What is typed into a cell of the first sheet."""
        entry = self.entries.typed.get(Key(name))
        return "" if entry is None or entry.value is None else _text(entry)

    @property
    def list_day(self) -> date | str:
        """The day of the list as the first sheet has it, otherwise that of the newest list."""
        entry = self.entries.typed.get(Key("Dates"))
        if entry is None or not _text(entry):
            return self.last_list or ""
        # a smaller number is a year alone, as in the title of the sheet for the wall
        year = isinstance(entry.value, int | float) and entry.value < 9999
        return _text(entry) if year else self._as_day(entry, Dates()) or _text(entry)

    @property
    def unlisted(self) -> int:
        """How many members stand below the room of their sheet, where no formula reads them."""
        return max(self._ends["Members"] - self.book.tables["Members"].rows, 0)

    def texts(self) -> dict[Key, str]:
        """All entries as they read: a number is the same as the text of it."""
        entries = self.entries.typed.items()
        return {key: text for key, entry in entries if (text := _text(entry))}

    # -- what is written --------------------------------------------------------------------

    def go_back(self, before: Ledger) -> None:
        """Write whatever was entered otherwise in an earlier state of the book."""
        then, now = before.texts(), self.texts()
        for key in sorted(then.keys() | now.keys()):
            if then.get(key) != now.get(key):
                value = before.entries.typed[key].value if key in then else None
                if key.row:
                    self.set(key.name, key.row, **{key.column: value})
                else:
                    self.set_single(key.name, value)

    def append(self, table: str, **cells: NewValue) -> int:
        """Write a row behind the last one, and give its number."""
        self._ends[table] += 1
        self.set(table, self._ends[table], **cells)
        return self._ends[table]

    def clear(self, table: str, row: int) -> None:
        """Clear what is typed in a row."""
        self.set(table, row, **dict.fromkeys(self._rows[table][row]))


_BIRTH: Final = Bounds("birth year", 1900, 2099)
_ROUND: Final = Bounds("round", 0, 999)
_CHANGE: Final = Bounds("change", -3999, 3999, whole=False)


def _text(entry: Entry) -> str:
    value = entry.value
    return shown(float(value) if isinstance(value, int) else value).strip()


def _said(cells: Mapping[str, Entry], column: str) -> str:
    return " ".join(_text(cells[column]).split()) if column in cells else ""
