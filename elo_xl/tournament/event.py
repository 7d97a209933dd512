"""What an event is: players, pairings, games; and every problem of a file as *what @ where*."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that cannot be right, and where it stands.

    >>> print(Problem("rating is no number: '2x00'", line=12, column=49))
    rating is no number: '2x00' @ line 12, column 49
    """

    what: str
    line: int | None = None
    column: int | None = None
    file: str = ""

    def __str__(self) -> str:
        where = [self.file] if self.file else []
        where += [f"line {self.line}"] if self.line is not None else []
        where += [f"column {self.column}"] if self.column is not None else []
        return f"{self.what} @ {', '.join(where)}" if where else self.what


class EventError(ValueError):
    """A file that could not be understood: every problem of it, one a line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(frozen=True, slots=True)
class Player:
    """A player of an event, with what the files say of them."""

    number: int
    """starting number, unique in the event"""
    name: str
    rating: float | None = None
    """None: unrated (lists print 0)"""
    federation: str = ""
    id: str = ""
    sex: str = ""
    title: str = ""
    birth_year: int | None = None
    points: float | None = None
    """as the file states them"""
    rank: int | None = None
    k: float | None = None
    """from a players file, like the next two"""
    games: int | None = None
    """rated games before the event"""
    peak: float | None = None
    """highest published rating"""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One round of one player: their cell in the crosstable."""

    round: int
    opponent: int | None
    colour: str
    """``"w"``, ``"b"`` or ``""``"""
    code: str
    """as in a tournament report file: ``1 = 0`` played, ``W D L`` unrated game, ``+ -`` forfeit,
    ``H F U Z`` byes, ``""`` nothing; ``1 = 0`` stand only where there is a :class:`Game`"""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played; whether it is rated depends on the two ratings and the rules."""

    round: int
    first: int
    second: int
    score: float
    """the first player's: 1, 0.5 or 0"""


@dataclass(frozen=True, slots=True)
class Tournament:
    """An event as its file tells it."""

    name: str
    players: tuple[Player, ...]
    pairings: Mapping[int, tuple[Pairing, ...]]
    """by player number: one a round, in the order of the rounds, so that round 1 is the first"""
    games: tuple[Game, ...]
    """the played ones (results 1, =, 0), each once, in the order of the rounds"""
    rounds: int
    """the last round of which the file says anything"""
    city: str = ""
    federation: str = ""
    start: date | None = None
    end: date | None = None
    time_control: str = ""
    warnings: tuple[Problem, ...] = field(default=())
    records: tuple[str, ...] = ()
    """all lines of a report file except those of players, verbatim, with unknown record types"""
