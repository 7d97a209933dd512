"""The functions for tables: players and games in, ratings out, as tables of the same kind.

Games are between players by name, or by whatever else the column ``name`` holds: a text, a number
of a federation. Results are numbers, or texts as organizers type them (``1-0``, ``½``, ``W``); a
game without a result, or without a second player, was not played.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from itertools import count, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from warnings import warn

import numpy as np
import numpy.typing as npt

from elo_xl.api.docstrings import as_in
from elo_xl.api.frames import AnyColumn, AnyTable, GivenTable, blank, plain_numbers
from elo_xl.api.numbers import outcomes
from elo_xl.api.ratings import k_factor
from elo_xl.engine import bayes as bayes_
from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.errors import DomainError, RatingError, SizeError, choose
from elo_xl.engine.games import BLOCK, Index, half_points
from elo_xl.engine.outcomes import SPLIT
from elo_xl.engine.performance import BY_SUMS
from elo_xl.engine.period import AS_NOW, GAVE, Period, carried, check_name, gave, period
from elo_xl.engine.results import read_result
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.engine.systems import pairs_by_place
from elo_xl.people import respelt, same_name
from elo_xl.public import own

NamesRead = Literal["exact", "loose"]

if TYPE_CHECKING:
    from elo_xl.api.frames import Table
    from elo_xl.words import DrawModel, Model, RulebookName


@as_in(k_factor)
def rate_period(
    games: Table,
    players: AnyTable,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    names: NamesRead = "exact",
) -> AnyTable:
    """Rate a period: a row per player, in the order of ``players`` and in a table of its kind.

    >>> players = {"name": ["Ana", "Bo", "Cy"], "rating": [1800, 1860, 1770]}
    >>> players["played"] = [90, 90, 12]
    >>> games = [("Ana", "Bo", "1-0"), ("Cy", "Ana", "½")]
    >>> rated = rate_period(games, players)
    >>> rated["k"], rated["change"], rated["new"]
    ([20.0, 20.0, 40.0], [10.8, -11.6, 1.6], [1811.0, 1848.0, 1772.0])
    >>> rated["period_games"], rated["played"]
    ([2, 1, 1], [92.0, 91.0, 13.0])
    >>> rate_period(games, rated)["new"]
    [1821.0, 1837.0, 1774.0]

    Args:
        games: A row per game, which counts with the ratings before: ``white, black, result``.
        players: A row per player: ``name`` and ``rating`` (blank or 0: unrated), and if known ``k``
            (blank: the rulebook's own), ``played`` (rated games so far; blank: 50 or more),
            ``age``, ``peak`` and for DWZ ``index`` (events evaluated so far; blank: 6 or more).
            What this function gave for one period can be the ``players`` of the next.
        names ({"exact", "loose"}): Whether a name that differs in case, accents, blanks or the
            order of its words is the same player, too; a warning says which do.
    Returns: Of the kind of ``players`` and in their order: ``name``, ``rating`` before, ``k``,
        ``period_games``, ``score`` and ``expected`` in the games of this period, ``change``
        (unrounded), ``new`` and ``performance`` (blank where it is infinite; by a curve it takes
        longer than all else, so a dict has it worked out when it is read). The ``new`` rating of an
        unrated player is the first rating, if the rulebook publishes one for these games. The next
        period begins with ``new``, ``played`` (all rated games) and ``peak``, and under DWZ
        ``index``; an ``age`` goes on as it was given, and so does a K, as ``k_given``.
    Raises:
        SizeError: For a missing column, a player who is not in the list or is there twice, a part
            of what a period gave, which may be from before or after it, and players with ``games``
            instead of ``played``.
        DomainError: For a number out of bounds.
        OptionError: For an unknown rulebook, and ``played`` without ``index`` if it counts events.
        RatingError: For a result that cannot be read.
    References: Benítez and Roca, axiom V; FIDE B.02, 8.3.
    """
    table, entrants = GivenTable(games, "games"), GivenTable(players, "players")
    if "white" in entrants.columns.keys() - table.columns.keys():
        raise SizeError("games come first: rate_period(games, players)")
    ratings = ratings_before(entrants)
    column = entrants.column("name")
    given_names = column if isinstance(column, np.ndarray) else entrants.values("name")
    known = Names(given_names, loose=loosely(names))
    rated_before = _rated(entrants)
    given = entrants.numbers("k_given" if rated_before else "k")
    before = played_before(entrants)
    age, peak, index = (entrants.numbers(key) for key in ("age", "peak", "index"))

    def rated(first: IntArray, second: IntArray, score: AnyArray, ids: Index | None) -> Period:
        return period(
            ratings, given, first, second, score, rules,
            games=before, age=age, peak=peak, index=index, ids=ids,
        )  # fmt: skip

    done: Period | None = None
    numbers = known.numbers(table) if rulebook(rules).in_any_order else None
    if numbers is not None:
        # what is wrong with games is said below, with its row
        with suppress(SizeError, DomainError):
            done = rated(*numbers, known.ids)
    if done is None:
        done = rated(*known.games(table)[:3], None)
    played_now, highest, events = carried(ratings, before, peak, index, done.games, done.new)
    columns: dict[str, Any] = {"rating": ratings, "k": np.where(np.isnan(ratings), np.nan, done.k)}
    columns |= {"period_games": done.games, "score": done.score, "expected": done.expected}
    columns |= {"change": done.change, "new": done.new}

    def performance() -> FloatArray:
        return np.where(np.isfinite(done.performance), done.performance, np.nan)

    by_sums = rulebook(rules).performance in BY_SUMS
    columns["performance"] = performance() if by_sums else performance
    columns |= {"played": played_now, "peak": highest}
    if rulebook(rules).change.counts_events:
        columns["index"] = events
    kept = {"k_given": given, "age": age}
    columns |= {key: column for key, column in kept.items() if not np.isnan(column).all()}
    return entrants.like(columns, "name")


def loosely(names: str) -> bool:
    """Whether names are read loosely; OptionError for a word that says neither."""
    return choose(names, ("exact", "loose"), "names") == "loose"


@as_in(outcomes, rate_period)
def estimate_sd(
    games: Table,
    players: Table,
    *,
    draws: DrawModel | str | float = SPLIT,
    model: Model | str = "normal",
) -> bayes_.SdEstimate:
    """Estimate from past games, by maximum likelihood, how well the ratings were known.

    >>> players = {"name": ["Ana", "Bo"], "rating": [1600, 1500]}
    >>> games = {"white": ["Bo"] * 4, "black": ["Ana"] * 4, "result": [1, 1, 0.5, 1]}
    >>> found = estimate_sd(games, players)
    >>> round(found.sd), round(found.standard_error)
    (230, 166)

    Args:
        games, players: Those of :func:`rate_period`; the games in their order.
    Returns: ``sd``, the standard deviation of the ratings, in points, and its ``standard_error``.
    Raises:
        SizeError: As in :func:`rate_period`, and if the games set no upper bound.
        DomainError: For an unrated player, and a number out of bounds.
    References: Ioffe.
    """
    entrants = GivenTable(players, "players")
    ratings = ratings_before(entrants)
    first, second, score, _ = Names(entrants.values("name")).games(GivenTable(games, "games"))
    return bayes_.estimate_sd(ratings, first, second, score, draws, model)


class Names:
    """The players of a table, found by name.

    >>> games = GivenTable({"white": ["Bo", " ana", None]}, "games")
    >>> Names(["Ana", "Bo"], loose=True).find(games, "white").tolist()
    [1, 0, -1]

    If names are ``loose``, case and blanks make no difference, and a name of several words may be
    spelled in another way: a warning says so. Raises SizeError for one that is missing or twice.
    """

    def __init__(self, names: Sequence[Hashable] | AnyArray, *, loose: bool = False) -> None:
        self._given = names
        self.loose = loose
        self._respelt: dict[str, int | None] = {}
        self.ids: Index | None = None
        """the players by number, where all have numbers for names"""
        numbers = _whole(names)
        if numbers is not None and (ids := Index(numbers)).once:
            self.ids = ids
        else:
            self.index  # noqa: B018 - what is wrong with names is said at once

    @cached_property
    def _exact(self) -> dict[Hashable, int]:
        """The row of each name as it is spelled: most games spell it so, and it takes no time."""
        return dict(zip(self.given, count(), strict=False))

    @cached_property
    def given(self) -> Sequence[Hashable]:
        """The names, a row for each."""
        return self._given.tolist() if isinstance(self._given, np.ndarray) else self._given

    @cached_property
    def index(self) -> dict[Hashable, int]:
        """The row of each name, in the form in which names are compared."""
        index: dict[Hashable, int] = {}
        if not (self.loose or any(map(blank, self.given)) or len(self._exact) < len(self.given)):
            return self._exact
        for i, name in enumerate(self.given):
            if blank(name):
                raise SizeError(f"a player without a name @ row {i} of players")
            if index.setdefault(self._key(name), i) != i:
                raise SizeError(f"player {name!r} is there twice @ row {i} of players")
        return index

    def _key(self, name: Hashable) -> Hashable:
        return same_name(name) if self.loose and isinstance(name, str) else name

    def __contains__(self, name: Hashable) -> bool:
        return self._at(name) is not None

    def _at(self, name: Hashable) -> int | None:
        at = self.index.get(self._key(name))
        if at is None and self.loose and isinstance(name, str):
            if not self._respelt:
                for i, other in enumerate(self.given):
                    if isinstance(other, str):
                        for key in respelt(other):
                            self._respelt[key] = None if key in self._respelt else i
            found = {self._respelt[key] for key in respelt(name) if key in self._respelt}
            at = found.pop() if len(found) == 1 else None
            if at is not None:
                warn(f"{name!r} is read as {self.given[at]!r}", stacklevel=2)
        return at

    def row(self, name: Hashable) -> int:
        """The row of a player; SizeError for one who is not there."""
        at = self._at(name)
        if at is None:
            raise SizeError(f"player {name!r} is not in the games")
        return at

    def find(self, table: GivenTable, column: str, *, strangers: bool = False) -> IntArray:
        """The rows of players for the names in a column; -1 for blanks, and for ``strangers`` where
        these may be there. Otherwise SizeError for them."""
        numbers = None if self.ids is None else _whole(table.column(column))
        if self.ids is not None and numbers is not None:
            rows = self.ids.of(numbers)
            if rows.min(initial=0) < 0 and not strangers:
                row = int(rows.argmin())
                raise _stranger(int(numbers[row]), row, column)
            return rows
        codes, names = table.codes(column)
        places = np.array([*map(self._exact.get, names, repeat(-2)), -1])
        if (places == -2).any():
            codes, names = table.coded(column)  # only those who are in some row
            found = [-1 if blank(name) else self._at(name) for name in names]
            if None in found and not strangers:
                who = found.index(None)
                raise _stranger(names[who], _row(codes, who), column)
            places = np.array([-1 if at is None else at for at in (*found, -1)])
        return places.take(codes).astype(np.int64, copy=False)

    def numbers(self, table: GivenTable) -> tuple[IntArray, IntArray, AnyArray] | None:
        """The columns of games, where all players have numbers for names, and results are numbers:
        this avoids reading large tables row by row."""
        if self.ids is None:
            return None
        white, black = (_whole(table.column(column)) for column in ("white", "black"))
        result = plain_numbers(table.column("result"))
        if white is None or black is None or result is None:
            return None
        return white, black, result

    def sides(self, table: GivenTable, *, strangers: bool = False) -> tuple[IntArray, IntArray]:
        """The rows of both players of games, as :meth:`find` gives them."""
        first, second = (self.find(table, x, strangers=strangers) for x in ("white", "black"))
        alone = first == second
        if alone.any() and (alone := np.flatnonzero(alone & (first >= 0))).size:
            who = f"player {table.values('black')[alone[0]]!r}"
            place = f"row {alone[0]}, column 'black' of games"
            raise DomainError(f"{who} is paired with themselves @ {place}")
        return first, second

    def games(self, table: GivenTable) -> Played:
        """The games that were played: with two players and a result."""
        first, second = self.sides(table)
        score = scores(table)
        there = (first >= 0) & (second >= 0) & ~np.isnan(score)
        if there.all():
            return Played(first, second, score, np.arange(score.size))
        rows = np.flatnonzero(there)
        return Played(first[rows], second[rows], score[rows], rows)


class Played(NamedTuple):
    """The games of a table that were played; players are rows of the players' table."""

    first: IntArray
    second: IntArray
    score: FloatArray
    rows: IntArray
    """where in the table the games are"""


class Timed(NamedTuple):
    """The games of a table that were played, in the order in which they were."""

    played: Played
    dates: Dates | None
    """their dates, if they are known"""
    period: IntArray | None
    """the period of each, if they have some"""


def timed(table: GivenTable, names: Names, period: str | None = None) -> Timed:
    """Put games in the order of a column ``date``, if there is one. What of a date their ``period``
    is may be told; it is the column ``period`` if it is not, and an empty word means none."""
    played, dates = names.games(table), None
    if period or "date" in table.columns:
        dates = Dates(table, played.rows)
        turn = dates.turn
        if (turn[1:] < turn[:-1]).any():
            few = len(dates.different) <= np.iinfo(np.uint16).max  # such numbers are sorted at once
            order = np.argsort(turn.astype(np.uint16) if few else turn, kind="stable")
            played = Played._make(column.take(order) for column in played)
            dates.turn = turn.take(order)
    if dates is not None and period:
        return Timed(played, dates, getattr(dates, f"{period}s"))
    return Timed(played, dates, _periods(table, played.rows) if period is None else None)


def by_table(table: GivenTable) -> tuple[IntArray, IntArray, Timed, IntArray, FloatArray]:
    """The tables of a column ``table``, in the order of their dates or of their first rows; one who
    is alone has not played: the rows of each, how many, their pairs (sides by number, with the
    first row of the table), the table of each pair and its weight."""
    (codes, values), place = table.coded("table"), table.numbers("place")
    unknown = np.array([*map(blank, values), True])[codes]
    if (missing := np.flatnonzero(unknown | np.isnan(place))).size:
        raise SizeError(f"a table or a place is missing @ row {missing[0]} of games")
    begins = np.unique(codes, return_index=True)[1]
    turns = Dates(table, begins).turn if "date" in table.columns else np.arange(begins.size)
    order = np.lexsort((codes, turns[codes]))
    order = order[np.bincount(codes)[codes[order]] > 1]
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    sizes = np.diff(starts, append=order.size)
    first, second, score, turn, weight = pairs_by_place(place[order], sizes)
    rows = order[starts][turn]
    dates = Dates(table, rows) if "date" in table.columns else None
    pairs = Timed(Played(first, second, score, rows), dates, _periods(table, rows))
    return order, sizes, pairs, turn, weight


def _periods(table: GivenTable, rows: IntArray) -> IntArray | None:
    """The period of each game, if the table has them."""
    if "period" not in table.columns:
        return None
    number = table.numbers("period")[rows]
    whole = number == np.floor(number)
    if not whole.all():
        wrong = rows[~whole][0]
        raise SizeError(f"a period is a whole number @ row {wrong}, column 'period' of games")
    return number.astype(np.int64)


class Dates:
    """The dates of games; each different one is read once.

    Raises SizeError for games without dates and dates that do not compare, DomainError for no date.
    """

    def __init__(self, table: GivenTable, rows: IntArray) -> None:
        self.different: list[Any]
        """in their order"""
        self.turn: IntArray
        """which of them that of each game is"""
        moments = _moments(table.column("date"))
        if moments is not None and not np.isnat(moments := moments[rows]).any():
            different, self.turn = _numbered(moments)
            self.different = different.tolist()
            return
        codes, values = table.coded("date")
        used, first, own = np.unique(codes[rows], return_index=True, return_inverse=True)
        found = list(zip(used.tolist(), rows[first].tolist(), strict=True))
        missing = [row for code, row in found if code < 0 or blank(values[code])]
        if missing:
            raise SizeError(f"a game without a date @ row {min(missing)} of games")
        days = [_day_of(values[code], row) for code, row in found]
        try:
            self.different = sorted(set(days))
        except TypeError:
            raise SizeError("dates of several kinds @ column 'date' of games") from None
        number = dict(zip(self.different, count(), strict=False))
        self.turn = np.array([number[day] for day in days], dtype=np.int64)[own]

    def _each(self, number: Callable[[Any], Any]) -> AnyArray:
        return np.array([number(day) for day in self.different], dtype=np.int64)[self.turn]

    @property
    def days(self) -> IntArray:
        """The day of each game, as a number; of what is no date, its place among all."""
        if all(hasattr(day, "toordinal") for day in self.different):
            return self._each(lambda day: day.toordinal())
        return self.turn

    @property
    def weeks(self) -> IntArray:
        """The week of each game, from Monday on, as a number."""
        return (self.days - 1) // 7

    @property
    def months(self) -> IntArray:
        """The month of each game, counted through the years."""
        try:
            return self._each(lambda day: 12 * day.year + day.month)
        except AttributeError:
            raise SizeError("dates have no months @ column 'date' of games") from None

    @property
    def years(self) -> IntArray:
        """The year of each game."""
        return (self.months - 1) // 12

    def later(self, day: object) -> npt.NDArray[np.bool_]:
        """Whether each game was played after a day."""
        wanted = _plain_day(_day_of(day, -1))
        try:
            return self._each(lambda each: _plain_day(each) > wanted).astype(bool)
        except TypeError:
            raise SizeError(f"the dates of games do not compare with {day!r}") from None


def _numbered(moments: AnyArray) -> tuple[AnyArray, IntArray]:
    """Different moments in their order, and which of them each is."""
    days = moments.astype("datetime64[D]")
    number = days.astype(np.int64)
    low = number.min(initial=0)
    number -= low
    span = int(number.max(initial=0)) + 1
    if span > 4 * number.size or (days != moments).any():
        return np.unique(moments, return_inverse=True)
    there = np.zeros(span, np.int64)
    there[number] = 1
    different = (np.flatnonzero(there) + low).astype(days.dtype).astype(moments.dtype)
    return different, (there.cumsum() - 1)[number]


def _moments(column: AnyColumn) -> AnyArray | None:
    """A column of dates as NumPy has them, no finer than Python's own; None for any other."""
    if not isinstance(column, np.ndarray):
        if isinstance(column, list) or not column.dtype.is_temporal():
            return None
        column = column.to_numpy()
    moments: AnyArray = column
    if moments.dtype.kind != "M":
        return None
    return moments.astype("datetime64[us]") if moments.dtype == "datetime64[ns]" else moments


def _plain_day(date: Any) -> Any:
    """A date without its time of day."""
    return date.date() if isinstance(date, datetime) else date


def _day_of(date: object, row: int) -> Any:
    """What a date is sorted by; a text must say its year first, as it would be sorted wrongly."""
    if not isinstance(date, str):
        return date
    try:
        return datetime.fromisoformat(date.strip())
    except ValueError:
        wanted = f"a date as text is written 2026-01-31, got {date!r}"
        raise DomainError(f"{wanted} @ row {row}, column 'date' of games") from None


def met(table: GivenTable, *, loose: bool = False) -> list[Hashable]:
    """The players of games, in the order in which they turn up."""
    turn: dict[Hashable, int] = {}
    for side, column in enumerate(("white", "black")):
        codes, names = table.coded(column)
        first = np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))
        for name, at in zip(names, (2 * first + side).tolist(), strict=True):
            turn[name] = min(at, turn.get(name, at))
    there = [name for name in sorted(turn, key=turn.__getitem__) if not blank(name)]
    if not loose:
        return there
    once: list[Hashable] = []
    seen: set[Hashable] = set()
    for name in there:
        keys = respelt(name) if isinstance(name, str) else (name,)
        if seen.isdisjoint(keys):
            once.append(name)
        seen.update(keys)
    return once


def neutral_ground(table: GivenTable, rows: IntArray) -> npt.NDArray[np.bool_] | None:
    """Which games were on neutral ground, if the table says so; a blank is not."""
    if "neutral" not in table.columns:
        return None
    return np.asarray(np.nan_to_num(table.numbers("neutral")[rows]) != 0)


def alike(table: GivenTable, names: Names) -> list[str]:
    """Which names of games are taken for one player, or, if names are exact, look like one."""
    by_key: dict[Hashable, list[str]] = {}
    spelled = dict.fromkeys(str(x) for x in names.given if isinstance(x, str))
    for column in ("white", "black"):
        spelled |= dict.fromkeys(x for x in table.coded(column)[1] if isinstance(x, str) and x)
    for name in spelled:
        by_key.setdefault(respelt(name)[0], []).append(name)
    told = "one player" if names.loose else 'two players, who are one with names="loose"'
    return [
        f"{', '.join(map(repr, same[:-1]))} and {same[-1]!r} are {told}"
        for same in by_key.values()
        if len(same) > 1
    ]


def scores(table: GivenTable) -> FloatArray:
    """The first player's score of each game; NaN for games that were not played."""
    numbers = plain_numbers(table.column("result"))
    if numbers is not None:
        blocks = (numbers[start : start + BLOCK] for start in range(0, numbers.size, BLOCK))
        if all(map(_played_or_blank, blocks)):
            return numbers.astype(float, copy=False)
    codes, results = table.coded("result")
    read = np.full(len(results) + 1, np.nan)
    for i, result in enumerate(results):
        if blank(result):
            continue
        place = f"row {_row(codes, i)}, column 'result' of games"
        if hasattr(result, "toordinal"):
            made = "a date, which spreadsheets make of results such as 1-0: type them as text"
            raise DomainError(f"{made}, got {result} @ {place}")
        try:
            points = read_result(result)[0]
        except RatingError as wrong:
            raise type(wrong)(f"{wrong} @ {place}") from None
        read[i] = np.nan if points is None else points
    return read.take(codes)


def _played_or_blank(points: AnyArray) -> bool:
    """Whether all scores are 1, 0.5, 0 or NaN."""
    known = half_points(points)
    return known is not None or half_points(points[~np.isnan(points)]) is not None


def _whole(column: AnyColumn) -> IntArray | None:
    """A column that holds whole numbers only, as an array; None for any other."""
    numbers = plain_numbers(column)
    if numbers is None or not np.can_cast(numbers.dtype, np.int64):
        return None
    return numbers.astype(np.int64, copy=False)


def _stranger(name: object, row: int, column: str) -> SizeError:
    return SizeError(f"player {name!r} is not in players @ row {row}, column {column!r} of games")


def _row(codes: IntArray, code: int) -> int:
    return int(np.flatnonzero(codes == code)[0])


def ratings_before(players: GivenTable, column: str = "rating") -> FloatArray:
    """Ratings before; lists print 0 for unrated players."""
    after = column == "rating" and _rated(players)
    ratings = players.numbers("new" if after else column, needed=True)
    return np.where(ratings == 0, np.nan, ratings)


def _rated(players: GivenTable) -> bool:
    """Whether players are what :func:`rate_period` gave; SizeError for a part of it."""
    if not gave(players.columns):
        return False
    missing = [name for name in ("new", "played", "peak") if name not in players.columns]
    if missing:
        raise SizeError(
            f"{GAVE}, without {', '.join(map(repr, missing))}: give all columns that rate_period "
            f"gave, which go on from there, or no more than name, {AS_NOW}"
        )
    return True


def played_before(players: GivenTable) -> FloatArray:
    """The number of rated games so far."""
    check_name(players.columns)
    return players.numbers("played")


own(vars())
