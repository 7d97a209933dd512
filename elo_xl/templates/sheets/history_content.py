"""What is typed about a season of rating lists, and what counts of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from elo_xl.templates.forms import Options
from elo_xl.templates.sheets.players import blank, number

MOST_LINES: Final = 2000
"""Lines of the biggest book, however many players and lists it has."""

DAY_ZERO: Final = date(1899, 12, 30)
FIRST_DAY, LAST_DAY = ((d - DAY_ZERO).days for d in (date(1950, 1, 1), date(2199, 12, 31)))
"""Dates are days since the spreadsheets' day zero."""

LOWEST, HIGHEST = 1, 3999
MOST_GAMES: Final = 1000
"""of a player between two lists"""

MOST_LETTERS: Final = 100
"""of a name"""

KEY: Final = 1000
"""A list's number times this, plus a player's number: a line of the entries."""

SLOTS: Final = 6
"""players on the chart"""


@dataclass(frozen=True, slots=True)
class Line:
    """A player in a rating list, as it is typed."""

    date: Any = None
    player: Any = None
    rating: Any = None
    games: Any = None


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """What is typed."""

    name: Any = None
    need: Any = None
    """rated games that mean active"""
    back: Any = None
    """in so many last lists"""
    lines: Sequence[Line] = ()
    chosen: Sequence[Any] = ()
    """players on the chart"""
    player: Any = None
    """whose best and worst are looked at"""


USUAL_LINES: Final = 3
"""Lines a list, on average, from which on a list of one line is odd."""


def serial(day: date) -> int:
    """A date as a cell holds it.

    >>> serial(date(2026, 1, 1))
    46023
    """
    return (day - DAY_ZERO).days


def capacity(options: Options) -> int:
    """The lines that a book is made for."""
    return min(options.players * options.rounds, MOST_LINES)


def plain(typed: Any) -> str:
    """A name as it counts: without the blanks around it and doubled within."""
    text = "" if typed is None else str(typed)
    return " ".join(filter(None, text.split(" ")))[:MOST_LETTERS]


def within(typed: Any, low: float, high: float, *, whole: bool = False) -> float | None:
    """What was typed where it is a number between two."""
    value = number(typed)
    good = value is not None and low <= value <= high and (value.is_integer() or not whole)
    return value if good else None


class Row:
    """What counts of one line."""

    def __init__(self, line: Line) -> None:
        day = within(line.date, FIRST_DAY, LAST_DAY + 0.999)
        self.typed = any(map(plain, (line.date, line.player, line.rating, line.games)))
        self.date = None if day is None else int(day)
        self.name = plain(line.player)
        self.rating = within(line.rating, LOWEST, HIGHEST)
        games = within(line.games, 0, MOST_GAMES, whole=True)
        self.games = 0.0 if blank(line.games) else games
        self.good = bool(self.date and self.name and self.rating and self.games is not None)
        self.day = self.date if self.good else None
        self.list = self.first = self.count = self.player = self.key = 0
        self.used = self.alone = False

    @property
    def who(self) -> str:
        """The name where the line's list is one of the book's."""
        return self.name if self.list else ""

    @property
    def check(self) -> str:
        """The key of the text in the column *Check*."""
        if not self.typed or self.used:
            return "check_single" if self.alone else ""
        for known, key in (
            (self.date, "date"),
            (self.name, "player"),
            (self.rating, "rating"),
            (self.games is not None, "games"),
            (self.list, "lists"),
            (self.player, "players"),
        ):
            if not known:
                return f"check_{key}"
        return "check_again"


class History:
    """The lists and players that the lines make, and their ratings through the lists."""

    def __init__(self, content: RatingHistory, options: Options) -> None:
        self.content = content
        self.players, self.lists, self.size = options.players, options.rounds, capacity(options)
        lines = [*content.lines, *[Line()] * (self.size - len(content.lines))][: self.size]
        self.lines = lines
        self.rows = list(map(Row, lines))
        days = sorted({row.day for row in self.rows if row.day})
        self.last_day = days[-1] if days else None
        self.dates = days[: self.lists]
        self._number()
        self.n = len(self.dates)
        self.matrix = [self._carried(p) for p in range(1, self.players + 1)]
        need = within(content.need, 1, MOST_GAMES)
        back = within(content.back, 1, self.lists, whole=True)
        self.need = 1.0 if need is None else need
        self.back = float(self.lists) if back is None else back
        self.since = max(1, self.n - int(self.back) + 1)

    def _number(self) -> None:
        """Players in the order in which they come first, and the lines that count."""
        first: dict[str, int] = {}
        count, keys = 0, set()
        self.names: list[str] = []
        for i, row in enumerate(self.rows, start=1):
            if row.day in self.dates and row.day:
                row.list = self.dates.index(row.day) + 1
                row.first = first.setdefault(row.who.casefold(), i)
                if row.first == i:
                    count += 1
                    self.names.append(row.who)
                number_ = self.rows[row.first - 1].count if row.first < i else count
                row.player = number_ if number_ <= self.players else 0
                row.key = row.list * KEY + row.player if row.player else 0
                row.used = bool(row.key) and row.key not in keys
                keys.add(row.key)
            row.count = count
        self.names = self.names[: self.players]
        self.of_list = Counter(row.list for row in self.rows if row.used)
        for row in self.rows:
            row.alone = row.used and self.single(row.list)
        self.lines_by_key = {row.key: row for row in self.rows if row.used}

    def single(self, no: int) -> bool:
        """Whether a list has one line only, and that is odd: its date may be mistyped."""
        usual = sum(self.of_list.values()) >= USUAL_LINES * len(self.dates)
        return usual and self.of_list[no] == 1

    def _carried(self, player: int) -> list[float | None]:
        """A player's rating in every list."""
        found: list[float | None] = []
        for k in range(1, self.n + 1):
            row = self.lines_by_key.get(k * KEY + player)
            found.append(row.rating if row else found[-1] if found else None)
        return found + [None] * (self.lists - self.n)

    def of(self, player: int) -> list[Row]:
        """The lines that count of a player."""
        return [row for row in self.rows if row.used and row.player == player]

    def place(self, typed: Any) -> int:
        """The number of the player with a name, 0 for none."""
        known = [name.casefold() for name in self.names]
        name = plain(typed).casefold()
        return known.index(name) + 1 if name and name in known else 0
