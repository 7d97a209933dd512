"""The parts of an event: players, pairings, games; and problems of files, as *what @ where*."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, Literal, NamedTuple

from elo_xl.engine import results
from elo_xl.engine.errors import EloError
from elo_xl.engine.results import ROUND_CODES
from elo_xl.public import own

Ground = Literal["", "home", "neutral"]
"""where a game was played: the first player's home, neutral ground, or unknown"""

Kind = Literal["standard", "rapid", "blitz"]
"""The kind of play by the time that a player has for 60 moves: from an hour on, above ten minutes,
or up to them."""

_MINUTES: Final = r"(?:min(?:ut[a-z]*)?|мин\w*|m|['′’])"
_SECONDS: Final = r"(?:sec(?:ond[a-z]*)?|seg\w*|сек\w*|s|[\"″”]|'')"
_IN_WORDS: Final = re.compile(rf"(?<![0-9])([0-9]+)\s*{_MINUTES}(?![\w'])")
_SECONDS_IN_WORDS: Final = re.compile(rf"(?<![0-9])([0-9]+)\s*{_SECONDS}(?!\w)")
_IN_NUMBERS: Final = re.compile(r"(?:[0-9]+/)?([0-9]+)(?:\s*\+\s*([0-9]+))?")
_LONGEST: Final = 500
"""Letters that a time control has at most."""
_MOST_MINUTES: Final = 180
"""A bare number up to this one counts minutes, a larger one seconds."""


def kind_of(text: str, *, in_seconds: bool = False) -> Kind | None:
    """The kind of an event with this time control; None where it is not understood.

    >>> kind_of("90 min/40 moves + 30 min, 30 sec a move"), kind_of("15+10"), kind_of("3'+2''")
    ('standard', 'rapid', 'blitz')
    >>> kind_of("30+30"), kind_of("5+5"), kind_of("6+5")
    ('standard', 'blitz', 'rapid')
    >>> kind_of("5400+30"), kind_of("180+2", in_seconds=True), kind_of("club evening")
    ('standard', 'blitz', None)

    ``in_seconds``: bare numbers are seconds, as in record 222 of TRF26. Several periods are parted
    by colons, and each may begin with a number of moves: ``40/5400+30:1800+30``.
    """
    text = text.strip().casefold()
    if len(text) > _LONGEST:
        return None
    minutes = [int(number) for number in _IN_WORDS.findall(text)]
    seconds = [int(number) for number in _SECONDS_IN_WORDS.findall(text)]
    if minutes:
        return _kind(60 * sum(minutes), max(seconds, default=0))
    periods = [_IN_NUMBERS.fullmatch(period.strip()) for period in text.split(":")]
    if not all(periods):
        return None
    times = [(int(p.group(1)), int(p.group(2) or 0)) for p in periods if p]
    # a number of so many minutes can only be seconds, whatever the file calls them
    unit = 1 if in_seconds or any(base > _MOST_MINUTES for base, _ in times) else 60
    return _kind(unit * sum(base for base, _ in times), max(more for _, more in times))


def _kind(base: int, per_move: int) -> Kind | None:
    total = base + 60 * per_move
    if not total:
        return None
    return "standard" if total >= 3600 else "rapid" if total > 600 else "blitz"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that cannot be right, and its place.

    >>> print(Problem("rating is not a number: '2x00'", line=12, column=49))
    rating is not a number: '2x00' @ line 12, column 49
    """

    what: str
    line: int | None = None
    column: int | None = None
    file: str = ""
    sheet: str = ""
    """of a workbook, where the place is that of a cell: ``Games!C7``"""

    def __str__(self) -> str:
        where = [self.file] if self.file else []
        if self.sheet and self.line is not None and self.column is not None:
            from openpyxl.utils import get_column_letter

            where.append(f"{self.sheet}!{get_column_letter(self.column)}{self.line}")
        else:
            where += [self.sheet] if self.sheet else []
            line = "row" if self.sheet else "line"
            where += [f"{line} {self.line}"] if self.line is not None else []
            where += [f"column {self.column}"] if self.column is not None else []
        return f"{self.what} @ {', '.join(where)}" if where else self.what


MOST_ALIKE: Final = 5
"""Problems of one kind that a message tells one by one; of more it has the first, and how many."""
_PARTICULAR: Final = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9]+(?:[.,][0-9]+)*")


def by_kind(problems: Iterable[Problem]) -> Iterator[str]:
    """The problems in lines, a kind of which there are many in one of them.

    >>> many = [Problem(f"no result {n}", line=n) for n in range(2, 10)]
    >>> list(by_kind([*many[:2], Problem("no date", line=1)]))
    ['no result 2 @ line 2', 'no result 3 @ line 3', 'no date @ line 1']
    >>> list(by_kind(many))
    ['no result 2 @ line 2; and 7 more like it, the last one @ line 9']
    """
    kinds: dict[tuple[str, ...], list[Problem]] = {}
    for problem in problems:
        kind = _PARTICULAR.sub("", problem.what), problem.file, problem.sheet
        # who was taken for whom is told of everybody
        kinds.setdefault(
            kind if " is read as " not in problem.what else (str(problem),), []
        ).append(problem)
    for alike in kinds.values():
        if len(alike) <= MOST_ALIKE:
            yield from map(str, alike)
        else:
            last = str(replace(alike[-1], what="", file="")).strip()
            yield f"{alike[0]}; and {len(alike) - 1:,} more like it, the last one {last}".rstrip(
                " ,"
            )


NO_DATES: Final = "the games have no dates"


class EventError(EloError, ValueError):
    """A file could not be understood; the message has all problems (:func:`by_kind`)."""

    def __init__(self, problems: Iterable[Problem], understood: Iterable[str] = ()) -> None:
        self.problems = tuple(problems)
        """what is wrong, each with its place"""
        self.understood = tuple(understood)
        """what was understood of the file nevertheless, in sentences"""
        super().__init__("\n".join(by_kind(self.problems)))

    def __reduce__(self) -> tuple[type[EventError], tuple[object, ...]]:
        return type(self), (self.problems, self.understood)  # what it is made again from


class NoRatingsError(EventError):
    """Nobody in a file has a rating; apart from that it can be read."""


class SidesError(EventError):
    """A book has games, but of several players on a side or at a table: not of two players."""


class Finish(NamedTuple):
    """A table's order of finish."""

    names: list[str]
    places: list[int]
    """of each of them; who shares a place has the same"""
    day: date | None


class OrdersError(SidesError):
    """A list has orders of finish, not games of two players."""

    name: str = ""
    finishes: Sequence[Finish] = ()
    notes: Sequence[str] = ()
    """how it was read"""


@dataclass(frozen=True, slots=True)
class Player:
    """A player of an event, with what the files say about them."""

    number: int
    """starting number, unique in the event"""
    name: str
    rating: float | None = None
    """None for an unrated player (lists print 0)"""
    federation: str = ""
    id: str = ""
    sex: str = ""
    title: str = ""
    birth_year: int | None = None
    born: date | None = None
    """the day of birth, where the file tells it"""
    club: str = ""
    categories: tuple[str, ...] = ()
    """the words in the column *Category* of a book"""
    points: float | None = None
    """the points that the file states"""
    rank: int | None = None
    k: float | None = None
    """K factor from a players file, the source of the next two fields too"""
    games: int | None = None
    """rated games before the event"""
    index: int | None = None
    """events evaluated before, under rulebooks that count these"""
    peak: float | None = None
    """highest published rating"""
    k_listed: bool = False
    """whether the K factor is that of the rating list"""
    aged: bool = field(default=False, compare=False)
    """whether the birth year is that of an age in the year of the event"""
    otherwise: tuple[int, Problem] | None = field(default=None, compare=False)
    """the birth year if all dates of birth stand in another order, where none of them decides that,
    with the text and the place"""


def born_when(player: Player) -> Problem | None:
    """What to ask about a date of birth whose order nothing decides."""
    if player.otherwise is None:
        return None
    year, at = player.otherwise
    what = f"{at.what} is a day of {player.birth_year} or of {year}: write years in full"
    return replace(at, what=what)


@dataclass(frozen=True, slots=True)
class Pairing:
    """One round of one player: their cell in the crosstable."""

    round: int
    opponent: int | None
    colour: str
    """``"w"``, ``"b"`` or ``""``"""
    code: str
    """the code of a tournament report file: ``1 = 0`` for a game played, ``W D L`` for an unrated
    game, ``+ -`` for a forfeit, ``H F U Z`` for byes, ``""`` for nothing; ``1 = 0`` occur only with
    a :class:`Game`"""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played; the two ratings and the rules decide whether it is rated."""

    round: int
    first: int
    second: int
    score: float
    """the first player's: 1, 0.5 or 0"""
    second_score: float | None = None
    """the second player's, where a penalty made the two add up to less than 1"""
    coloured: bool = field(default=False, compare=False)
    """whether the first player is known to have White"""
    day: date | None = field(default=None, compare=False)
    """the day, where the file tells that of each game"""
    ratings: tuple[float | None, float | None] | None = field(default=None, compare=False)
    """the two ratings beside the game, where those of each game were asked for"""
    ground: Ground = field(default="", compare=False)
    points: tuple[float, float] | None = field(default=None, compare=False)
    """what both have scored, in points, goals or sets, where the file tells it"""
    stones: float = field(default=0, compare=False)
    """of handicap that the second player had, in go"""
    times: int = field(default=1, compare=False)
    """how often it was played, with this result, where the file tells that; only a fit asks"""

    @property
    def sided(self) -> bool:
        """Whether the file tells who had White or was at home, or that nobody was."""
        return self.coloured or self.ground != ""

    @property
    def margin(self) -> float | None:
        """By how much the game was won, where the file tells the score."""
        return None if self.points is None else abs(self.points[0] - self.points[1])

    @property
    def other_score(self) -> float:
        """The second player's score."""
        return 1 - self.score if self.second_score is None else self.second_score

    @property
    def sides(self) -> tuple[tuple[int, int, float], tuple[int, int, float]]:
        """Each of the two players, with the other one and their own score."""
        return (self.first, self.second, self.score), (self.second, self.first, self.other_score)


PENALTIES: Final = frozenset(results.PENALTIES.values())
"""What the players of a game have whose result the arbiter lowered (Laws of Chess, 12.9)."""


def scored(code: str, reply: str) -> tuple[float, float | None]:
    """The scores of a game whose players have these codes of a report file; the second one where
    the two add up to less than 1.

    >>> scored("1", "0"), scored("=", "0")
    ((1.0, None), (0.5, 0.0))
    """
    other = ROUND_CODES[reply].points if (code, reply) in PENALTIES else None
    return ROUND_CODES[code].points, other


class League(NamedTuple):
    """What the results of a league are worth, and how the games to come are expected to end."""

    points: tuple[float, float, float]
    """for a win, a draw and a loss"""
    home: float
    """advantage of the home side, in rating points"""
    draws: str | float
    """those of :func:`~elo_xl.engine.outcomes.outcomes`"""


@dataclass(frozen=True, slots=True)
class Tournament:
    """An event as described by its file."""

    name: str
    players: tuple[Player, ...]
    pairings: Mapping[int, tuple[Pairing, ...]]
    """by player number: one pairing per round, in the order of the rounds, round 1 first"""
    games: tuple[Game, ...]
    """the games played (results 1, =, 0), each once, in the order of the rounds"""
    rounds: int
    """the last round that the file mentions"""
    fixtures: tuple[Game, ...] = field(default=(), compare=False)
    """the games that have no result yet; their score is NaN"""
    seasons: int = field(default=0, compare=False)
    """how many a list has, where it has a column of them"""
    league: League | None = field(default=None, compare=False)
    """what a book of a league works out"""
    now: tuple[float, ...] = field(default=(), compare=False)
    """the ratings of today that a book gives the players by its own rules"""
    planned: int = 0
    """the rounds that the event is to have, where the file says so"""
    room: int = 0
    """the rounds that a book has room for"""
    days: tuple[date | None, ...] = ()
    """the days of the rounds, as far as the file tells them"""
    rounds_counted: bool = False
    """whether rounds were counted for each player, because the file has none"""
    rated_only: bool = False
    """whether nothing is known but the rated games: forfeits, byes, points and ranks are not"""
    city: str = ""
    federation: str = ""
    start: date | None = None
    end: date | None = None
    otherwise: tuple[date, Problem] | None = None
    """the first day if all dates stand in another order, where none of them decides that, with the
    text and the place of that day"""
    unordered: Problem | None = None
    """what to ask if the order of the games counts, and the dates have it in another order, too"""
    year_only: bool = False
    """whether only the year of ``start`` is known, and the day stands for it"""
    undated: Problem | None = None
    """why there is no ``start`` although the file names a first day"""
    time_control: str = ""
    kind: Kind | None = None
    """standard, rapid or blitz, if the time control says so"""
    warnings: tuple[Problem, ...] = field(default=())
    records: tuple[str, ...] = ()
    """all lines of a report file except those of players, verbatim, with unknown record types; of
    a book, those for which it has something that stands in no other field"""
    above: tuple[int, ...] = ()
    """how many lines of players stand above each of these lines in a report file"""
    announced: frozenset[tuple[int, int]] = frozenset()
    """the players and rounds of byes that a report file has in records 240 only"""
    left: tuple[int, ...] = ()
    """the players who have withdrawn, where a book says so"""
    teams: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """name and players of each team of a book"""
    complete: Callable[[Tournament], Tournament] | None = field(default=None, compare=False)
    """adds what a book works out for a report of the event, such as its order of the players"""
    rules: str = ""
    """the rulebook that the file itself names"""
    understood: tuple[str, ...] = ()
    """what was made of the sheets and columns of a table, in sentences"""
    reading: str = ""
    """how a list of games of any sport was read, in a line"""

    @property
    def state(self) -> str:
        """How far an event is in which games are open, in a few words; nothing of any other."""
        cells = [cell for cells in self.pairings.values() for cell in cells if cell.opponent]
        open_ = sum(not cell.code for cell in cells) // 2
        if not open_:
            return ""
        of = f" of {self.planned}" if self.planned else ""
        games = "1 game" if open_ == 1 else f"{open_} games"
        return f"round {max(cell.round for cell in cells)}{of}, {games} open"


own(vars())
