"""An event put together from games and byes, in the order in which a file has them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from elo_xl.engine.results import ROUND_CODES
from elo_xl.english import plural
from elo_xl.events.event import Game, Ground, Pairing, Player, Problem, Tournament, scored
from elo_xl.events.players import PlayerEntry, with_entry
from elo_xl.events.table import Row, Table

MOST_ROUNDS: Final = 999
"""Rounds that an event may have. Games without rounds may be more: then there are no pairings."""
MOST_PAIRINGS: Final = 1_000_000
"""Players times rounds, beyond which there are none either."""


class Line(NamedTuple):
    """A game, forfeit or bye, by the numbers of the players."""

    round: int
    first: int
    second: int | None
    code: str
    reply: str
    coloured: bool
    """whether the first player is known to have White"""
    ratings: tuple[float | None, float | None] | None = None
    """those beside the game, if they may change between games"""
    ground: Ground = ""
    points: tuple[float, float] | None = None
    stones: float = 0
    """of handicap that the second player had, in go"""
    times: int = 1
    """how often it was played, with this result"""


def _one_way(line: Line) -> tuple[int | None, int | None, str]:
    """The two players and the result; of a game without sides in one order, as a list from the
    points of view of both has it twice."""
    game, turned = (line.first, line.second, line.code), (line.second, line.first, line.reply)
    return game if line.coloured or line.ground else min(game, turned, key=str)


def with_handicap(count: int, known: bool) -> str:
    """What is said of games that begin with stones on the board; whose they are, may be unknown."""
    said = f"{plural(count, 'game')} with handicap"
    if not known:
        return f"{said} rated as even: the list does not say who had Black"
    return f"{said}: the rules egf count its stones, all others rate such games as even"


class Assembly:
    """The lines of an event. Where the file has no rounds, a game is the next one of both."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.days: dict[str, Problem] = {}
        """the dates as they are written, each with its first place"""
        self.dates: dict[str, date] = {}
        """what they mean"""
        self.otherwise: tuple[date, Problem] | None = None
        """as in :class:`Tournament`"""
        self.unordered: Problem | None = None
        """as in :class:`Tournament`"""
        self.days_of_rounds: dict[int, set[str]] = {}
        self.days_of_lines: dict[int, str] = {}
        self.seasons: set[str] = set()
        self.readings: list[str] = []
        """how lists of any sport were read"""
        self.counted = False
        """whether rounds were counted, for lack of any in the file"""
        self._last: dict[int, int] = {}
        self._taken: dict[tuple[int, int], int] = {}

    def next_round(self, first: int, second: int | None) -> int:
        last, self.counted = self._last, True
        return 1 + max(last.get(first, 0), last.get(second or 0, 0))

    def add(self, line: Line) -> None:
        self.lines.append(line)
        self._last[line.first] = max(line.round, self._last.get(line.first, 0))
        if line.second is not None:
            self._last[line.second] = max(line.round, self._last.get(line.second, 0))

    def add_typed(self, line: Line, table: Table, row: Row, called: Callable[[int], str]) -> None:
        """Add a line whose round the file names; a second one of the same player is a problem.

        ``called`` tells the players' names.
        """
        for player in (line.first, line.second):
            if player is None:
                continue
            before = self._taken.setdefault((player, line.round), row.line)
            if before != row.line:
                column = "first" if player == line.first else "second"
                there = table.sheet.there(before)
                what = f"{called(player)!r} has two games in round {line.round}, the first {there}"
                table.problem(what, row, column)
                return
        self.add(line)

    def twice(self, entries: Sequence[PlayerEntry]) -> Iterator[str]:
        """What to say about games that stand twice: on one day, or, where there are no days, most
        of them. Rounds in the file refuse them."""
        days = self.days_of_lines
        games = Counter(
            (*_one_way(line), days.get(i, ""))
            for i, line in enumerate(self.lines)
            if line.second is not None
        )
        more = games.total() - len(games)
        if self.counted and more and (days or 2 * len(games) <= games.total()):
            names = {entry.number: entry.name for entry in entries}
            first, second, *_ = next(game for game, n in games.items() if n > 1)
            both = f"{names.get(first)!r} and {names.get(second)!r}"
            stand = "game stands" if more == 1 else "games stand"
            yield f"{more} {stand} there more than once, as one of {both}: all count"

    @property
    def mirrored(self) -> bool:
        """Whether a list has each game twice, from the points of view of both players."""
        games = Counter(
            (line.first, line.second, line.code, line.reply, self.days_of_lines.get(i, ""))
            for i, line in enumerate(self.lines)
            if not (line.coloured or line.ground)
        )
        turned = {(b, a, reply, code, day): n for (a, b, code, reply, day), n in games.items()}
        won = sum(code == "1" for _, _, code, *_ in games)
        alike = self.counted and games == turned and games.total() == len(self.lines)
        return alike and won > 1

    def _forfeits(self) -> Iterator[Problem]:
        """What to say where + and - may be the results of games that were played."""
        codes = {code for line in self.lines if line.second for code in (line.code, line.reply)}
        if "+" in codes and not codes & {"1", "0"}:
            what = "all games with a winner are forfeits, which are not rated: if they were played"
            yield Problem(f"{what}, type 1 and 0 for + and -")

    def tournament(
        self,
        name: str,
        entries: Sequence[PlayerEntry],
        days: Sequence[date],
        warnings: Sequence[Problem],
        understood: Sequence[str] = (),
    ) -> Tournament:
        start, end = min(days, default=None), max(days, default=None)
        rounds = max(self._last.values(), default=0)
        numbers = [entry.number for entry in entries if entry.number is not None]
        paired = rounds <= MOST_ROUNDS and rounds * len(numbers) <= MOST_PAIRINGS
        return Tournament(
            name=name,
            players=tuple(
                with_entry(Player(entry.number, entry.name), entry, start)
                for entry in entries
                if entry.number is not None
            ),
            pairings=self._pairings(numbers, rounds) if paired else {},
            # games whose rounds are only counted stay in the file's order, which is that of time
            games=tuple(sorted(self._games(), key=lambda g: 0 if self.counted else g.round)),
            rounds=rounds,
            fixtures=tuple(self._fixtures()),
            seasons=len(self.seasons),
            days=() if self.counted or not paired else self._days(rounds),
            rounds_counted=self.counted,
            start=start,
            end=end,
            otherwise=self.otherwise,
            unordered=self.unordered,
            warnings=(*warnings, *self._forfeits()),
            understood=tuple(understood),
        )

    def _days(self, rounds: int) -> tuple[date | None, ...]:
        """The first day of each round; none if the file has no dates beside them."""
        days: list[date | None] = []
        for round in range(1, rounds + 1):
            texts = self.days_of_rounds.get(round, ())
            days.append(min((self.dates[x] for x in texts if x in self.dates), default=None))
        return tuple(days) if any(days) else ()

    def _games(self) -> Iterator[Game]:
        for i, line in enumerate(self.lines):
            if line.second is not None and ROUND_CODES[line.code].rated:
                score, other = scored(line.code, line.reply)
                day = self.dates.get(self.days_of_lines.get(i, ""))
                told = line.ratings, line.ground, line.points, line.stones, line.times
                yield Game(
                    line.round, line.first, line.second, score, other, line.coloured, day, *told
                )

    def _fixtures(self) -> Iterator[Game]:
        for i, line in enumerate(self.lines):
            if line.second is not None and not line.code:
                day = self.dates.get(self.days_of_lines.get(i, ""))
                pair = line.first, line.second
                yield Game(line.round, *pair, math.nan, None, line.coloured, day, None, line.ground)

    def _pairings(self, numbers: Sequence[int], rounds: int) -> Mapping[int, tuple[Pairing, ...]]:
        pairings: dict[int, dict[int, Pairing]] = {number: {} for number in numbers}
        for round, first, second, code, reply, coloured, *_ in self.lines:
            white, black = ("w", "b") if coloured and second is not None else ("", "")
            pairings[first][round] = Pairing(round, second, white, code)
            if second is not None:
                pairings[second][round] = Pairing(round, first, black, reply)
        blank = {round: Pairing(round, None, "", "") for round in range(1, rounds + 1)}
        return {
            number: tuple(cells.get(round, none) for round, none in blank.items())
            for number, cells in pairings.items()
        }
