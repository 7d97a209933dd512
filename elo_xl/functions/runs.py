"""Game after game: ratings beside the games, and the table after the last one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.systems import MARGINS, Elo
from elo_xl.functions.arguments import (
    Entrants,
    NumberArgument,
    Option,
    Rating,
    TableArgument,
    read_game,
    read_name,
)
from elo_xl.functions.catalogue import Native, function
from elo_xl.functions.cells import (
    BLANK,
    ERRORS,
    NA,
    OK,
    STATUS_TEXTS,
    VALUE,
    Block,
    Cell,
    CellError,
    CellRows,
    Status,
    read_number,
)
from elo_xl.functions.expected import MODEL
from elo_xl.people import same_cell

if TYPE_CHECKING:
    from elo_xl.words import Margin, Model

FAMILY: Final = "Game after game"

_USUAL: Final = Elo()
_REASON: Final = (
    "Each game needs the ratings that all games before it left: the template ladder has them in "
    "cells, game by game."
)
_SOURCE: Final = (
    "Benítez and Roca, eq (5); FiveThirtyEight's NFL ratings (log, reversion); World Football Elo "
    "Ratings (goals)"
)


@dataclass(frozen=True)
class _Start(TableArgument):
    """One number, or a table: name, rating."""

    @property
    def takes(self) -> str:
        return "number, or range: name, rating"


GAMES: Final = TableArgument(
    "games",
    "One row per game, in the order of play: first player, second player, result of the first "
    "player; where they count also margin of victory, season, TRUE for neutral ground.",
)
K: Final = NumberArgument(
    "k",
    "The K factor: how many points one point of score is worth; 20 if omitted.",
    default=_USUAL.k,
    low=0,
)
START: Final = _Start(
    "start",
    "The rating with which players begin, 1500 if omitted; or a table: name, rating (1500 for "
    "whoever has none).",
    default=None,
)
HOME: Final = NumberArgument(
    "home",
    "Home advantage: rating points added to the first player of each game, such as 35 for White in "
    "chess; 0 if omitted.",
    default=0.0,
)
MARGIN: Final = Option(
    "margin",
    'How K grows with the margin of victory m: "log" (times ln(m + 1), less for favourites), '
    '"goals" (times 1, 1.5, (11 + m)/8); not at all if omitted.',
    default=None,
    choices=MARGINS,
)
REVERSION: Final = NumberArgument(
    "reversion",
    "The share by which a player's rating moves towards the mean before their first game of a new "
    "season, such as 1/3; 0 if omitted.",
    default=0.0,
    low=0,
    high=1,
)
MEAN: Final = NumberArgument(
    "mean", "The rating towards which they move; the first rating if omitted.", default=None
)

EXAMPLE: Final[CellRows] = [["Ana", "Bo", 1], ["Cy", "Ana", "½"], ["Bo", "Cy", 0]]


@function(
    "ELO_RUN",
    "Ratings of both players after each game, rated game after game, in two cells a game.",
    GAMES,
    K,
    START,
    HOME,
    MODEL,
    MARGIN,
    REVERSION,
    MEAN,
    family=FAMILY,
    source=_SOURCE,
    examples=[
        (
            (EXAMPLE,),
            [
                [1510, 1490],
                [1500.2820360330431, 1509.7179639669569],
                [1480.2899870101699, 1509.9920490228733],
            ],
        ),
    ],
    columns=("first rating", "second rating"),
    native=Native(reason=_REASON),
)
def run(
    games: Block,
    k: float,
    start: Block,
    home: float,
    model: Model,
    margin: Margin | None,
    reversion: float,
    mean: float | None,
) -> CellRows:
    """A game changes both ratings by k·w·(score - expected), where expected is that of
    first + home - second. w is 1 without a margin; with "log" it is ln(m + 1)·2.2/(0.001·d + 2.2),
    where d is the winner's rating minus the loser's with the advantage (m at least 1; a draw:
    ln 2·2.2), with
    "goals" 1 for margins up to 1, 1.5 for 2, (11 + m)/8 from 3 on. Before a player's first game of
    another season than that of their latest game their rating becomes
    rating + reversion·(mean - rating): once, however many seasons they missed, and never before
    their first game.

    The margin is the fourth column of the games, the season the fifth: whenever another name
    stands there, a season begins; a blank is the season of the row above. In the sixth column TRUE
    means neutral ground. Columns of options that are left out are not read.

    A row without two names, and a game that was not played, gives empty cells. A row that cannot be
    read gives errors and counts for nobody: #VALUE! for an unknown result, a player paired with
    themselves, a won game without its margin, a player who is in the table of first ratings twice.
    The margin of a draw may be blank.
    """
    played = _RatedGames(games, start, k, home, model, margin, reversion, mean)
    rows: CellRows = [[None if s == BLANK else STATUS_TEXTS[s]] * 2 for s in played.status]
    for i, pair in zip(played.rows, played.after.tolist(), strict=True):
        rows[i] = pair
    return rows


_HEADINGS: Final = ("name", "rating", "games", "wins", "draws", "losses", "streak", "last change")


@function(
    "ELO_LADDER",
    "Table after the last game, rated game after game: rating, games, wins, draws, losses, streak "
    "and last change of each player.",
    GAMES,
    K,
    START,
    HOME,
    MODEL,
    NumberArgument(
        "labels", "TRUE puts a row of headings on top; FALSE (default) does not.", default=0.0
    ),
    MARGIN,
    REVERSION,
    MEAN,
    family=FAMILY,
    source=_SOURCE,
    examples=[
        (
            (EXAMPLE,),
            [
                ["Cy", 1509.9920490228733, 2, 1, 1, 0, 1, 9.710012989830147],
                ["Ana", 1509.7179639669569, 2, 1, 1, 0, 0, -0.2820360330431413],
                ["Bo", 1480.2899870101699, 2, 0, 0, 2, -2, -9.710012989830147],
            ],
        ),
    ],
    columns=_HEADINGS,
    native=Native(reason=_REASON),
)
def ladder(
    games: Block,
    k: float,
    start: Block,
    home: float,
    model: Model,
    labels: float,
    margin: Margin | None,
    reversion: float,
    mean: float | None,
) -> CellRows:
    """The ratings are those that ELO_RUN gives after each player's last game, with the same
    options. The order is by rating, then by name.
    streak is 3 after three wins in a row, -2 after two losses, 0 after a draw. A player in the
    table of first ratings is listed even without a game.

    What cannot be read shows its error in the rows of the players whom it concerns, which come
    last: a row of the table of first ratings, and a game, as in ELO_PERIOD. A game in which both
    names are errors gives its error in place of the table.
    """
    played = _RatedGames(games, start, k, home, model, margin, reversion, mean)
    headings: CellRows = [list(_HEADINGS)] if labels else []
    return headings + played.table()


class _RatedGames:
    """Games as they are typed, and the ratings that come of them."""

    def __init__(
        self,
        games: Block,
        start: Block,
        k: float,
        home: float,
        model: Model,
        margin: Margin | None,
        reversion: float,
        mean: float | None,
    ) -> None:
        first, self.members = _read_start(start)
        self.system = Elo(k, first, home, model, margin, reversion, mean)
        self.names = list(self.members.names)
        self.index = dict(self.members.index)
        self.status: Status = np.zeros(games.rows, np.uint8)
        self.rows: list[int] = []
        """the rows that count"""
        self.wrong: dict[int, int] = {}
        """the error of each player whom a row concerns that cannot be read"""
        self.lost = OK
        """the error of a row in which both names are errors"""
        pairs: list[list[int]] = []
        columns: list[tuple[float, ...]] = []
        season, current = 0, ""
        for i, row in enumerate(games.lines()):
            game = read_game(row)
            typed = [*row[3:6], None, None, None]
            label = same_cell(read_name(typed[1])) if reversion else ""
            if label and label != current and label.upper() not in ERRORS:
                season, current = season + bool(current), label
            by, wrong_margin = _read_if(
                margin is not None, typed[0], OK if game.score == 0.5 else VALUE
            )
            neutral, wrong_ground = _read_if(home != 0, typed[2], OK)
            wrong = [game.status, *map(self._status_of, game.keys), wrong_margin]
            wrong += [ERRORS.get(label.upper(), OK), wrong_ground]
            self.status[i] = next(filter(None, wrong), OK)
            if self.status[i] == OK:
                self.rows.append(i)
                pairs.append([self._number_of(name) for name in game.names])
                columns.append((game.score, season, by, neutral))
            elif self.status[i] > BLANK:
                known = [name for name in game.names if name and name not in ERRORS]
                for name in known:
                    self.wrong.setdefault(self._number_of(name), int(self.status[i]))
                if not known:
                    self.lost = self.lost or int(self.status[i])
        self.pairs: IntArray = np.array(pairs, np.int64).reshape(-1, 2)
        self.score, seasons, margins, grounds = np.array(columns, float).reshape(-1, 4).T
        self.season: IntArray = seasons.astype(np.int64)
        self.given = np.full(len(self.names), np.nan)
        self.given[: len(self.members.names)] = self.members.columns[0]
        rated = self.system.rate(
            self.pairs[:, 0],
            self.pairs[:, 1],
            self.score,
            len(self.names),
            before={"rating": self.given},
            period=self.season,
            margin=margins,
            neutral=grounds,
            history=True,
        )
        assert rated.history is not None
        self.rating: FloatArray = np.where(np.isnan(rated.rating), first, rated.rating)
        self.after: FloatArray = rated.history

    def _status_of(self, key: str) -> int:
        at = self.index.get(key, len(self.names))
        return int(self.members.status[at]) if at < len(self.members.names) else OK

    def _number_of(self, name: str) -> int:
        at = self.index.setdefault(same_cell(name), len(self.names))
        if at == len(self.names):
            self.names.append(name)
        return at

    def table(self) -> CellRows:
        """A row per player; those with errors come last."""
        if self.lost:
            raise CellError(self.lost)
        size = len(self.names)
        order = np.argsort(self.pairs.reshape(-1), kind="stable")  # each player's games together
        who = self.pairs.reshape(-1)[order]
        won = np.stack([self.score, 1 - self.score], axis=1).reshape(-1)[order]
        new = np.diff(who, prepend=-1) != 0
        last = np.flatnonzero(np.diff(who, append=-1))
        begins = np.where(new | (won != np.roll(won, 1)), np.arange(who.size), 0)
        length = np.arange(who.size) - np.maximum.accumulate(begins) + 1
        streak, change = np.zeros(size), np.full(size, np.nan)
        streak[who[last]] = (length * np.sign(won - 0.5))[last]
        change[who[last]] = (self.after.reshape(-1)[order] - self._before(order, who, new))[last]
        counts = [np.bincount(who[won == score], minlength=size) for score in (1, 0.5, 0)]
        played = np.bincount(who, minlength=size)
        columns: list[AnyArray] = [self.rating, played, *counts, streak, change]
        wrong = self.wrong | {i: int(x) for i, x in enumerate(self.members.status) if x}
        ranked = sorted(
            set(range(size)) - set(wrong),
            key=lambda i: (-float(self.rating[i].round(6)), self.names[i].casefold()),
        )
        rows: CellRows = []
        for i in ranked:
            numbers: list[Cell] = [column[i].item() for column in columns]
            if np.isnan(change[i]):
                numbers[-1] = None
            rows.append([self.names[i], *numbers])
        rows += [
            [self.names[i], *[STATUS_TEXTS[status]] * len(columns)]
            for i, status in sorted(wrong.items())
            if status != BLANK
        ]
        return rows or [[None] * (len(columns) + 1)]

    def _before(self, order: IntArray, who: IntArray, new: npt.NDArray[np.bool_]) -> FloatArray:
        """Each player's rating before each of their games: after the one before it, moved towards
        the mean if that was in another season, or the first one."""
        season = np.repeat(self.season, 2)[order]
        before = np.roll(self.after.reshape(-1)[order], 1)
        given = self.given[who[new]]
        before[new] = np.where(np.isnan(given), self.system.start, given)
        moves = ~new & (season != np.roll(season, 1))
        return np.where(moves, self.system.moved(before), before)


def _read_if(counts: bool, cell: object, blank: int) -> tuple[float, int]:
    """A number and its status, where it counts; ``blank`` is the status of a blank."""
    if not counts:
        return 0.0, OK
    number, status = read_number(cell)
    return (0.0, blank) if status == BLANK else (number, status)


def _read_start(start: Block) -> tuple[float, Entrants]:
    """The first rating of everybody else, and the players whose first ratings are given."""
    rating = Rating("rating", "")
    if start.columns > 1:
        return _USUAL.start, Entrants(start, rating)
    if start.rows > 1:
        raise CellError(NA)
    number, status = read_number(start.cells[0])
    if status > BLANK:
        raise CellError(status)
    return _USUAL.start if status else number, Entrants(Block(0, 1, ()), rating)
