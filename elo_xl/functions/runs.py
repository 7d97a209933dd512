"""Game after game: ratings beside the games, and the table after the last one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.evidence import MOST
from elo_xl.engine.sequence import Sides
from elo_xl.engine.systems import Elo
from elo_xl.engine.usual import MARGINS
from elo_xl.functions import game_formulas
from elo_xl.functions.arguments import (
    LABELS,
    Entrants,
    Name,
    NumberArgument,
    Option,
    Rating,
    TableArgument,
    game_lines,
    read_game,
    read_name,
    read_results,
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
    from elo_xl.words import Margin, SideRating

FAMILY: Final = "Game after game"

_USUAL: Final = Elo()
_USUAL_K: Final = 20.0
WHOLE: Final = "The result is a whole table, which one cell cannot have."
"""Why there is no formula of built-in functions."""

_SOURCE: Final = (
    "Benítez and Roca, eq (5); FiveThirtyEight's NFL ratings (log, reversion); World Football Elo "
    "Ratings (goals)"
)


@dataclass(frozen=True)
class _NumberOrTable(TableArgument):
    """One number, or a table."""

    columns: str = ""

    @property
    def takes(self) -> str:
        return f"number, or range: {self.columns}"


GAMES: Final = TableArgument(
    "games",
    "One row per game, in the order of play: first player, second player, result of the first "
    "player (only two columns: winner, loser); where they count also margin of victory, season, "
    "TRUE for neutral ground.",
)
K: Final = _NumberOrTable(
    "k",
    "The K factor: how many points one point of score is worth; 20 if omitted. Or a table: games "
    "from, K, for players with that many games so far; a name in place of a number of games: K of "
    "that player.",
    default=None,
    columns="games from or name, K",
)
START: Final = _NumberOrTable(
    "start",
    "The rating with which players begin, 1500 if omitted; or a table: name, rating (1500 for "
    "whoever has none).",
    default=None,
    columns="name, rating",
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

SIDES: Final = Name(
    "sides",
    'What stands between the players of a side, such as "&" in Ana & Bo: each has a rating of '
    'their own, a side their mean, or with "&:sum" their sum. If omitted, the cell is one name.',
    default=None,
)
WEIGHTS: Final = TableArgument(
    "weights",
    "A cell beside each game that multiplies its K, such as 2 for a final; 1 if blank or omitted. "
    "With k 1 they are the K of each game.",
    default=None,
)
PLAYED: Final = (GAMES, K, START, HOME, MODEL)
SEASONS: Final = (MARGIN, REVERSION, MEAN, SIDES, WEIGHTS)
"""What ELO_RUN and ELO_LADDER take first, and last."""

EXAMPLE: Final[CellRows] = [["Ana", "Bo", 1], ["Cy", "Ana", "½"], ["Bo", "Cy", 0]]


@function(
    "ELO_RUN",
    "Ratings of both players after each game, rated game after game, in two cells a game.",
    *PLAYED,
    *SEASONS,
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
        (
            (
                [["Ana & Bo", "Cy & Dee", 1], ["Ana & Cy", "Bo", "½"]],
                [[0, 40], [1, 20]],
                1500,
                None,
                "logistic",
                None,
                None,
                None,
                "&",
            ),
            [[1520, 1480], [1500.5750112778455, 1519.4249887221545]],
        ),
    ],
    columns=("first rating", "second rating"),
    native=Native(game_formulas.RUN, whole=True, more=game_formulas.REST, reason=WHOLE),
)
def run(
    games: Block,
    k: Block,
    start: Block,
    home: float,
    model: str,
    margin: Margin | None,
    reversion: float,
    mean: float | None,
    sides: object,
    weights: Block,
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

    With sides, expected is that of both sides' ratings, every player of a side moves by their own
    k times the same w·(score - expected), and the two cells are the ratings of the sides.

    A row without two names, and a game that was not played, gives empty cells. A row that cannot be
    read gives errors and counts for nobody: #VALUE! for an unknown result, a player paired with
    themselves, a won game without its margin, a player who is in the table of first ratings twice.
    The margin of a draw may be blank. Weights of another number of rows, and a k of one column, are
    #N/A.

    A result may be points such as 11:7: then the margin is their difference, unless the fourth
    column has one. As soon as a cell has points that are no result of chess, 1:0, 0:0 and 1:1 are
    points, too. Programs make times of points that are typed: format the column as text first, or
    type them in two columns, D and E, with =(1+SIGN(D2-E2))/2 as the result.
    """
    played = _RatedGames(games, start, k, home, model, margin, reversion, mean, sides, weights)
    rows: CellRows = [[None if s == BLANK else STATUS_TEXTS[s]] * 2 for s in played.status]
    for i, pair in zip(played.rows, played.of_sides().tolist(), strict=True):
        rows[i] = pair
    return rows


_HEADINGS: Final = ("name", "rating", "games", "wins", "draws", "losses", "streak", "last change")


@function(
    "ELO_LADDER",
    "Table after the last game, rated game after game: rating, games, wins, draws, losses, streak "
    "and last change of each player.",
    *PLAYED,
    LABELS,
    *SEASONS,
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
        )
    ],
    columns=_HEADINGS,
    native=Native(game_formulas.ladder(_HEADINGS), whole=True, reason=WHOLE),
)
def ladder(
    games: Block,
    k: Block,
    start: Block,
    home: float,
    model: str,
    labels: float,
    margin: Margin | None,
    reversion: float,
    mean: float | None,
    sides: object,
    weights: Block,
) -> CellRows:
    """The ratings are those that ELO_RUN gives after each player's last game, with the same
    options. The order is by rating, then by name.
    streak is 3 after three wins in a row, -2 after two losses, 0 after a draw. A player in the
    table of first ratings is listed even without a game.

    What cannot be read shows its error in the rows of the players whom it concerns, which come
    last: a row of the table of first ratings, and a game, as in ELO_PERIOD. A game in which all
    names are errors gives its error in place of the table.
    """
    played = _RatedGames(games, start, k, home, model, margin, reversion, mean, sides, weights)
    headings: CellRows = [list(_HEADINGS)] if labels else []
    return headings + played.table()


class Field:
    """Who plays: by name, with first ratings and K factors."""

    def __init__(self, start: Block, k: Block) -> None:
        self.first, self.members = _read_start(start)
        self.k, self._factors = _read_k(k)
        self.names = list(self.members.names)
        self.index = dict(self.members.index)
        self.wrong: dict[int, int] = {}
        """the error of each player whom a game concerns that cannot be read"""
        self.lost = OK
        """the error of a game in which all names are errors"""

    def mark(self, names: Iterable[str], status: int) -> None:
        """A game that cannot be read is an error of its players."""
        known = [name for name in names if name and name not in ERRORS]
        for name in known:
            self.wrong.setdefault(self.number_of(name), status)
        if not known:
            self.lost = self.lost or status

    def status_of(self, key: str) -> int:
        """The error of a player in the table of first ratings."""
        at = self.index.get(key, len(self.names))
        return int(self.members.status[at]) if at < len(self.members.names) else OK

    def number_of(self, name: str) -> int:
        """The number of a player, who gets one if they have none."""
        at = self.index.setdefault(same_cell(name), len(self.names))
        if at == len(self.names):
            self.names.append(name)
        return at

    @property
    def given(self) -> FloatArray:
        """The first ratings of all players; NaN where none is given."""
        every = np.full(len(self.names), np.nan)
        every[: len(self.members.names)] = self.members.columns[0]
        return every

    @property
    def factors(self) -> FloatArray | None:
        """A K of each player's own, NaN for who has none; None if nobody has one."""
        if not self._factors:
            return None
        own = np.full(len(self.names), np.nan)
        for key, k in self._factors.items():
            if key in self.index:
                own[self.index[key]] = k
        return own

    def rows(self, rating: FloatArray, columns: Sequence[AnyArray]) -> CellRows:
        """A row per player, by rating, then by name; those with errors come last. A number that is
        NaN becomes a blank."""
        if self.lost:
            raise CellError(self.lost)
        wrong = self.wrong | {i: int(x) for i, x in enumerate(self.members.status) if x}
        ranked = sorted(
            set(range(len(self.names))) - set(wrong),
            key=lambda i: (-float(rating[i].round(6)), self.names[i].casefold()),
        )
        rows: CellRows = []
        for i in ranked:
            numbers: list[Cell] = [column[i].item() for column in (rating, *columns)]
            rows.append([self.names[i], *(None if x != x else x for x in numbers)])
        rows += [
            [self.names[i], *[STATUS_TEXTS[status]] * (len(columns) + 1)]
            for i, status in sorted(wrong.items())
            if status != BLANK
        ]
        return rows or [[None] * (len(columns) + 2)]


class Seats:
    """Every player of every game, player by player, in the order of their games."""

    def __init__(self, who: IntArray, after: FloatArray, season: IntArray, first: FloatArray):
        """``first`` has a number per player, the others one per seat in the order of the games."""
        self.order = np.argsort(who, kind="stable")
        self.who = who[self.order]
        self.new = np.diff(self.who, prepend=-1) != 0
        self.last = np.flatnonzero(np.diff(self.who, append=-1))
        self.after = after[self.order]
        self.before = np.roll(self.after, 1)
        """the rating after the game before, or the first one"""
        self.before[self.new] = first[self.who[self.new]]
        own = season[self.order]
        self.moves = ~self.new & (own != np.roll(own, 1))
        """whether a season has begun since then"""

    def latest(self, numbers: AnyArray, size: int, none: float) -> FloatArray:
        """What there is of each player's last game; ``none`` for who has played none."""
        every = np.full(size, none)
        every[self.who[self.last]] = numbers[self.last]
        return every


class _RatedGames:
    """Games as they are typed, and the ratings that come of them."""

    def __init__(
        self,
        games: Block,
        start: Block,
        k: Block,
        home: float,
        model: str,
        margin: Margin | None,
        reversion: float,
        mean: float | None,
        sides: object,
        weights: Block,
    ) -> None:
        self.field = Field(start, k)
        separator, self.side_rating = read_separator(sides)
        self.system = Elo(
            k=self.field.k,
            start=self.field.first,
            home=home,
            model=model,
            margin=margin,
            reversion=reversion,
            mean=mean,
            sides=self.side_rating,
        )
        weight = beside(games, weights, NumberArgument("weights", "", low=0, high=MOST))
        self.status: Status = np.zeros(games.rows, np.uint8)
        self.rows: list[int] = []
        """the rows that count"""
        who: list[int] = []
        sizes: list[int] = []
        columns: list[tuple[float, ...]] = []
        season, current = 0, ""
        lines = game_lines(games)
        for i, (row, (result, lead)) in enumerate(zip(lines, read_results(lines), strict=True)):
            game = read_game(row, separator, result)
            typed = [*row[3:6], None, None, None]
            if lead is not None and read_number(typed[0])[1] == BLANK:
                typed[0] = lead
            label = same_cell(read_name(typed[1])) if reversion else ""
            if label and label != current and label.upper() not in ERRORS:
                season, current = season + bool(current), label
            by, wrong_margin = _read_if(
                margin is not None, typed[0], OK if game.score == 0.5 else VALUE
            )
            neutral, wrong_ground = _read_if(home != 0, typed[2], OK)
            heavy, wrong_weight = weight[i]
            wrong = [game.status, *map(self.field.status_of, game.keys), wrong_margin]
            wrong += [ERRORS.get(label.upper(), OK), wrong_ground, wrong_weight]
            self.status[i] = next(filter(None, wrong), OK)
            if self.status[i] == OK:
                self.rows.append(i)
                who += map(self.field.number_of, game.names)
                sizes += map(len, game.sides)
                columns.append((game.score, season, by, neutral, heavy))
            elif self.status[i] > BLANK:
                self.field.mark(game.names, int(self.status[i]))
        self.who: IntArray = np.array(who, np.int64)
        self.sizes: IntArray = np.array(sizes, np.int64)
        self.score, seasons, margins, grounds, heavy_ = np.array(columns, float).reshape(-1, 5).T
        self.season: IntArray = seasons.astype(np.int64)
        size = len(self.field.names)
        given = self.field.given
        of_games: dict[str, Any] = {
            "before": {"rating": given},
            "period": self.season,
            "margin": margins,
            "neutral": grounds,
            "weight": None if weights.cells == (None,) else heavy_,
            "k": self.field.factors,
            "history": True,
        }
        if separator is None:
            one, two = self.who.reshape(-1, 2).T
            rated = self.system.carry(one, two, self.score, size, **of_games)
        else:
            one, two = np.arange(self.sizes.size).reshape(-1, 2).T
            lineup = Sides(self.who, np.cumsum(self.sizes))
            rated = self.system.carry_sides(lineup, one, two, self.score, size, **of_games)
        assert rated.history is not None
        self.begin = np.where(np.isnan(given), self.field.first, given)
        self.rating: FloatArray = np.where(np.isnan(rated.rating), self.begin, rated.rating)
        self.after: FloatArray = rated.history.reshape(-1)
        """the rating of each player of each side after the game"""

    def of_sides(self) -> FloatArray:
        """A row per game: the ratings of both sides after it."""
        sides = Sides(self.who, np.cumsum(self.sizes))
        return sides.levels(self.after, total=self.side_rating == "sum").reshape(-1, 2)

    def table(self) -> CellRows:
        """A row per player."""
        size = len(self.field.names)
        seats = Seats(self.who, self.after, self._by_seat(np.repeat(self.season, 2)), self.begin)
        scores = self._by_seat(np.stack([self.score, 1 - self.score], axis=1).reshape(-1))
        who, won = seats.who, scores[seats.order]
        begins = np.where(seats.new | (won != np.roll(won, 1)), np.arange(who.size), 0)
        length = np.arange(who.size) - np.maximum.accumulate(begins) + 1
        streak = seats.latest(length * np.sign(won - 0.5), size, 0)
        before = np.where(seats.moves, self.system.moved(seats.before), seats.before)
        change = seats.latest(seats.after - before, size, np.nan)
        counts = [np.bincount(who[won == score], minlength=size) for score in (1, 0.5, 0)]
        played = np.bincount(who, minlength=size)
        return self.field.rows(self.rating, [played, *counts, streak, change])

    def _by_seat(self, of_sides: AnyArray) -> AnyArray:
        """What each side has, for each of its players."""
        return np.repeat(of_sides, self.sizes)


def read_separator(sides: object) -> tuple[str | None, SideRating]:
    """What stands between the players of a side, and what their side's rating is."""
    if sides is None:
        return None, "mean"
    word, colon, how = str(sides).strip().rpartition(":")
    if colon and how.strip().lower() == "sum" and word.strip():
        return word.strip(), "sum"
    return str(sides).strip(), "mean"


def beside(games: Block, given: Block, argument: NumberArgument) -> list[tuple[float, int]]:
    """The number that stands beside each game, 1 for a blank, with its status; one cell is for all
    games."""
    if given.rows * given.columns == 1:
        given = Block(games.rows, 1, [given.cells[0]] * games.rows)
    if given.shape != (games.rows, 1):
        raise CellError(NA)
    read = map(argument.read, given.cells)
    return [(1.0, OK) if status == BLANK else (number, status) for number, status in read]


def _read_if(counts: bool, cell: object, blank: int) -> tuple[float, int]:
    """A number and its status, where it counts; ``blank`` is the status of a blank."""
    if not counts:
        return 0.0, OK
    number, status = read_number(cell)
    return (0.0, blank) if status == BLANK else (number, status)


def _read_start(start: Block) -> tuple[float, Entrants]:
    """The first rating of everybody else, and the players whose first ratings are given."""
    rating = Rating("rating", "", low=-MOST, high=MOST)
    if start.columns > 1:
        return _USUAL.start, Entrants(start, rating)
    return _one_number(
        start, NumberArgument("start", "", low=-MOST, high=MOST), _USUAL.start
    ), Entrants(Block(0, 1, ()), rating)


def _read_k(given: Block) -> tuple[float | list[tuple[float, float]], dict[str, float]]:
    """K as Elo's rule takes it, and that of the players who have one of their own."""
    factor, games = NumberArgument("k", "", low=0, high=MOST), NumberArgument("games", "", low=0)
    if given.columns == 1:
        return _one_number(given, factor, _USUAL_K), {}
    by_games: dict[float, float] = {}
    own: dict[str, float] = {}
    for what, cell in (line[:2] for line in given.lines()):
        begin, wrong = games.read(what)
        k, fault = factor.read(cell)
        if wrong == BLANK:
            continue
        name = same_cell(read_name(what)) if wrong == VALUE else ""
        fault = fault or (OK if name and name.upper() not in ERRORS else wrong)
        if fault or name in own or (not name and begin in by_games):
            raise CellError(VALUE if fault in (OK, BLANK) else fault)
        if name:
            own[name] = k
        else:
            by_games[begin] = k
    return sorted(by_games.items()) or _USUAL_K, own


def _one_number(given: Block, argument: NumberArgument, usual: float) -> float:
    """The number of an argument that is no table."""
    if given.rows * given.columns > 1:
        raise CellError(NA)
    number, status = argument.read(given.cells[0])
    if status > BLANK:
        raise CellError(status)
    return usual if status else number
