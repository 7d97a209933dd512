"""Rating systems that carry their ratings from game to game, or from period to period.

A system knows what it keeps of every player (a rating, a deviation, a volatility) and how games
change that. :class:`Elo` and :class:`Ioffe` rate one game after another, :class:`Glicko`,
:class:`Glicko2` and :class:`Rules` a whole period at once, all with the same call::

    system.carry(first, second, score, period=..., history=True)

A system of whole periods says in one method what a period does (:class:`ByPeriod`). A rulebook is
such a system (:class:`Rules`): of each player it keeps a rating, the number of games and the
highest rating.

Where time changes what is known of players (growth, reversion), it does so for each by their own
games alone: from their first game on, and when they play again. So a state has what was true after
each player's latest game and the period of that game, and it makes no difference whether games are
rated in one call or in many.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.engine import bayes, glicko, sequence
from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.errors import DomainError, OptionError, SizeError, choose, require
from elo_xl.engine.evidence import MOST, prepare, within
from elo_xl.engine.games import columns, inside, played
from elo_xl.engine.models import SD, read_model
from elo_xl.engine.outcomes import SPLIT
from elo_xl.engine.period import carried
from elo_xl.engine.period import period as rate_period
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.engine.sequence import Sides, periods
from elo_xl.engine.usual import MARGINS

if TYPE_CHECKING:
    from elo_xl.words import DrawModel, Margin, Model, RulebookName, SideRating

LAST: Final = "last_period"
"""The column of a state with the period of each player's latest game; NaN: none, or not known."""

State = dict[str, FloatArray]
"""What a system keeps of the players: columns with one number per player."""


class Walk(NamedTuple):
    """What was known of the players of each game before it, of games between two players."""

    games: OrderedGames
    given: State
    """what was known of each player before all games"""
    after: State
    """what is known of both players after each game, or after its period, a row per game"""
    at_once: bool
    """whether all games of a period count with what was known before it"""

    def before(self) -> tuple[State, State]:
        """What was known of the first and of the second player of each game, with the time."""
        who = np.stack([self.games.first, self.games.second], axis=1).reshape(-1)
        known = self.of_seats(who, np.repeat(self.games.period, 2))
        one, two = ({name: x[side::2] for name, x in known.items()} for side in (0, 1))
        return one, two

    def of_seats(self, who: IntArray, period: IntArray) -> State:
        """What was known of those who play, as they follow each other, with their periods."""
        order = np.argsort(who, kind="stable")
        who, period, seat = who[order], period[order], np.arange(who.size)
        new = np.diff(who, prepend=-1) != 0
        fresh = new | (np.diff(period, prepend=-1) != 0) if self.at_once else np.ones_like(new)
        # the seat before those that count together with this one; -1 for the first of a player
        earlier = np.maximum.accumulate(np.where(fresh, seat, 0)) - 1
        earlier = np.where(new[earlier + 1], -1, earlier)

        def of(given: FloatArray, after: AnyArray) -> FloatArray:
            found = np.empty(who.size)
            found[order] = np.where(earlier < 0, given[who], after[earlier])
            return found

        known = {name: of(x, self.after[name].reshape(-1)[order])
                 for name, x in self.given.items() if name != LAST}  # fmt: skip
        known[LAST] = of(self.given.get(LAST, np.full(who.max(initial=-1) + 1, np.nan)), period)
        return known


@dataclass(frozen=True, slots=True)
class RatedGames:
    """The players after the last game."""

    state: State
    """the system's columns, such as ``rating`` and ``rd``; NaN for a player who neither had a
    rating nor played"""
    games: IntArray
    """games played, one number per player"""
    history: FloatArray | None
    """a row per game: both ratings after it, or after its period; of games of sides a number for
    each of their players; None if it was not asked for"""
    walk: Walk | None = None
    """what was known of both players before each game; None if no history was asked for"""

    @property
    def rating(self) -> FloatArray:
        """The ratings, one number per player."""
        return self.state["rating"]


@dataclass(frozen=True, slots=True)
class OrderedGames:
    """Checked games in the order in which they were played."""

    first: IntArray
    second: IntArray
    score: FloatArray
    period: IntArray
    margin: FloatArray | None
    neutral: npt.NDArray[np.bool_] | None
    weight: FloatArray | None = None
    factors: FloatArray | None = None
    """a K of each player's own"""
    played: FloatArray | None = None
    """the games of each player before these"""
    sides: Sides | None = None
    """what the first and the second of each game are, if not players"""
    turn: IntArray | None = None
    """which rows, each a pair of sides, are one game: they have the same number"""

    def part(self, begin: int, end: int) -> OrderedGames:
        """The games from ``begin`` up to ``end``."""
        at = slice(begin, end)
        columns = ("first", "second", "score", "period", "margin", "neutral", "weight", "turn")
        known = {name: getattr(self, name) for name in columns}
        return replace(self, **{name: x[at] for name, x in known.items() if x is not None})

    @property
    def players(self) -> IntArray:
        """Who plays in these games, each once."""
        here = np.unique([self.first, self.second])
        if self.sides is None:
            return here
        ends = self.sides.ends
        return np.unique(self.sides.players[(ends - self.sides.sizes)[here[0]] : ends[here[-1]]])

    def among(self) -> tuple[IntArray, OrderedGames]:
        """Who plays, and the games by their places among these, which are players."""
        here = self.players
        first, second = (np.searchsorted(here, x) for x in (self.first, self.second))
        return here, replace(self, first=first, second=second)

    @property
    def seats(self) -> list[tuple[IntArray, IntArray]]:
        """Who plays, as often as they play, and in which periods."""
        if self.sides is None:
            return [(self.first, self.period), (self.second, self.period)]
        of_side = np.zeros(self.sides.ends.size, np.int64)
        of_side[self.first] = of_side[self.second] = self.period
        return [(self.sides.players, np.repeat(of_side, self.sides.sizes))]

    def as_sides(self) -> OrderedGames:
        """The same games as those of sides of one player."""
        at = np.arange(self.score.size)
        who = np.stack([self.first, self.second], axis=1).reshape(-1)
        sides = Sides(who, np.arange(1, who.size + 1))
        return replace(self, first=2 * at, second=2 * at + 1, sides=sides, turn=at)

    def by_period(self) -> list[tuple[int, int, int]]:
        """Where the games of each period begin and end, and its number."""
        changes = np.flatnonzero(self.period[1:] != self.period[:-1]) + 1
        begins = np.append(np.zeros(min(self.period.size, 1), np.int64), changes)
        ends = np.append(begins, self.period.size)[1:]
        numbers = self.period[begins]
        return list(zip(begins.tolist(), ends.tolist(), numbers.tolist(), strict=True))


class System(ABC):
    """A way to carry ratings through games."""

    keeps: ClassVar[tuple[str, ...]]
    """what a state has of each player; the first is ``rating``"""

    @property
    def start(self) -> float:
        """The rating with which players begin."""
        return 1500.0

    def carry(
        self,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        score: npt.ArrayLike,
        size: int | None = None,
        *,
        before: Mapping[str, npt.ArrayLike] | None = None,
        period: npt.ArrayLike | None = None,
        margin: npt.ArrayLike | None = None,
        neutral: npt.ArrayLike | None = None,
        weight: npt.ArrayLike | None = None,
        k: npt.ArrayLike | None = None,
        played_before: npt.ArrayLike | None = None,
        history: bool = False,
    ) -> RatedGames:
        """Rate games in the order in which they were played.

        >>> rated = Elo(model="logistic").carry([0, 0], [1, 2], [1, 0.5], history=True)
        >>> rated.rating.round(2).tolist(), rated.history.round(2).tolist()
        ([1509.71, 1490.0, 1500.29], [[1510.0, 1490.0], [1509.71, 1500.29]])

        All systems have this method. Players are numbers from 0 here, for speed;
        :meth:`elo_xl.System.rate` takes tables with names.

        Args:
            first, second (array of int): The indices of the two players of each game.
            score: The first player's score in each game.
            size: How many players there are; as many as occur without it.
            before (mapping of str to numbers, optional): The columns of a state, one number per
                player or one for all. A player without a rating in it (NaN) begins as the system
                says.
            period (array of int, optional): The period or season of each game, in ascending order;
                without it all games belong to one, which follows the latest ``last_period`` of
                ``before``.
            margin: By how much each game was won; only Elo with the option for it reads this.
            neutral (array of bool, optional): Which games were played on neutral ground, where
                nobody has an advantage; NaN: not.
            weight: What multiplies K in each game; only Elo reads this, and the two that follow.
            k: A K of each player's own; NaN: the system's.
            played_before: The games of each player so far, 0 without it; NaN: as many as a table of
                K has.
            history: Whether to give both ratings after each game.
        Returns: The players after the last game.
        Raises:
            SizeError: For lists of different lengths, indices out of range and periods that run
                backwards, also behind a player's ``last_period``.
            DomainError: For a player paired with themselves, a score that the system does not know,
                and numbers outside their domain, of games, players or options of the system.
            OptionError: For an unknown option of the system.
        """
        one, two, points = columns(first, second, score)
        if np.isnan(points.min(initial=0)):  # elsewhere a game that was not played
            raise DomainError("score must be between 0 and 1, got nan")
        if size is None:
            shapes = [np.size(column) for column in (before or {}).values() if np.ndim(column)]
            size = max([*shapes, *(int(x.max(initial=-1)) + 1 for x in (one, two))])
        one, two, points = played(one, two, points, size)
        games = _ordered(one, two, points, size, period, margin, neutral, weight, k, played_before)
        state = self._state(before, size)
        count = np.bincount(one, minlength=size) + np.bincount(two, minlength=size)
        shape = (points.size, 2) if history else None
        return self._walked(state, games, count, period is not None, shape)

    def _walked(
        self,
        state: State,
        games: OrderedGames,
        count: IntArray,
        dated: bool,
        shape: tuple[int, ...] | None,
    ) -> RatedGames:
        """The players after the games, with a history of the given shape."""
        if shape is None:
            return RatedGames(self._timed(state, games, dated, None), count, None)
        given = {name: x.copy() for name, x in state.items()}
        after = {name: np.empty(shape) for name in given if name != LAST}
        if LAST in given and not dated:
            games = replace(games, period=games.period + upcoming(given[LAST]))
        done = self._timed(state, games, True, after)
        walk = Walk(games, given, after, isinstance(self, ByPeriod))
        return RatedGames(done, count, after["rating"], walk)

    def _state(self, before: Mapping[str, npt.ArrayLike] | None, size: int) -> State:
        """What is known of the players before, a number for each in each column."""
        given = dict(before or {})
        unknown = set(given) - set(self.columns)
        if unknown:
            choose(unknown.pop(), self.columns, "column")
        return {
            name: _per_player(given.get(name, np.nan), size, f"column {name}")
            for name in self.columns
        }

    def _timed(
        self, state: State, games: OrderedGames, dated: bool, history: State | None
    ) -> State:
        """The state after the games, with the period of each player's latest one."""
        if LAST not in state:
            return self._run(state, games, history)
        if not dated:
            games = replace(games, period=games.period + upcoming(state[LAST]))
        seats = games.seats
        for player, number in seats:
            late = np.flatnonzero(state[LAST][player] > number)
            if late.size:
                last = state[LAST][player[late[0]]]
                raise SizeError(f"period {number[late[0]]} comes after period {last:g}")
        done = self._run(state, games, history)
        for player, number in seats:
            np.fmax.at(state[LAST], player, number)
        done[LAST] = state[LAST]
        return done

    @property
    def moving(self) -> bool:
        """Whether time changes what is known of players."""
        return False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the system's state; the first one is ``rating``."""
        return (*self.keeps, LAST) if self.moving else self.keeps

    def begun(self, state: State, period: npt.ArrayLike) -> State:
        """With what players begin a period: blanks but the rating are filled, and what has changed
        since their latest game has."""
        return state

    def expected(self, first: State, second: State, neutral: npt.NDArray[np.bool_]) -> FloatArray:
        """The first player's expected score in each game, of what is known of both before it."""
        raise OptionError(f"{type(self).__name__} has no expected scores")

    def game(
        self, first: dict[str, float], second: dict[str, float], score: float
    ) -> tuple[dict[str, float], dict[str, float]]:
        """What is kept of both players after a game, of what was known of them before it."""
        raise NotImplementedError(f"{type(self).__name__} must have a method game")

    def _run(self, state: State, games: OrderedGames, history: State | None) -> State:
        """The state after the games; ``history``, if given, receives what is kept of both players
        after each."""
        columns = {name: state[name].tolist() for name in self.keeps}
        first, second = games.first.tolist(), games.second.tolist()
        rating = columns["rating"]
        for i in {*first, *second}:
            rating[i] = self.start if np.isnan(rating[i]) else rating[i]
        for at, (one, two, score) in enumerate(
            zip(first, second, games.score.tolist(), strict=True)
        ):
            own, other = ({name: x[i] for name, x in columns.items()} for i in (one, two))
            after = self.game(own, other, score)
            for name, column in columns.items():
                column[one], column[two] = (side[name] for side in after)
                if history is not None:
                    history[name][at] = column[one], column[two]
        return {name: np.array(column) for name, column in columns.items()}


def upcoming(last: FloatArray) -> int:
    """The number of the period that follows the latest one that is known; 0 if none is."""
    return 0 if np.isnan(last).all() else int(np.nanmax(last)) + 1


def _ago(state: State, deviation: str, period: npt.ArrayLike) -> FloatArray:
    """For how many periods deviations grow: since the latest game, if it is known when that was; 1
    where a deviation is given without a time; 0 for those who are new."""
    ago = np.maximum(period - state.get(LAST, np.array(np.nan)), 0)
    given = ~(np.isnan(state["rating"]) | np.isnan(state[deviation]))
    return np.where(given, np.where(np.isnan(ago), 1.0, ago), 0.0)


def _filled(column: FloatArray, value: float) -> FloatArray:
    return np.where(np.isnan(column), value, column)


def _ordered(
    first: IntArray,
    second: IntArray,
    score: FloatArray,
    size: int,
    period: npt.ArrayLike | None,
    margin: npt.ArrayLike | None,
    neutral: npt.ArrayLike | None,
    weight: npt.ArrayLike | None,
    k: npt.ArrayLike | None,
    played_before: npt.ArrayLike | None,
) -> OrderedGames:
    """The games, with all that came beside them checked."""
    ground = _per_game(neutral, score.size, "grounds")
    heavy = _per_game(weight, score.size, "weights")
    if heavy is not None:
        within(heavy, 0.0, MOST, "weight must not be below 0")
    own = None if k is None else _per_player(k, size, "k")
    if own is not None:
        within(own[~np.isnan(own)], 0.0, MOST, "k must not be below 0")
    return OrderedGames(
        first,
        second,
        score,
        periods(period, score.size),
        _per_game(margin, score.size, "margins"),
        None if ground is None else np.nan_to_num(ground) != 0,
        heavy,
        own,
        None if played_before is None else _per_player(played_before, size, "games before"),
    )


def _per_player(values: npt.ArrayLike, size: int, what: str) -> FloatArray:
    numbers = np.asarray(values, dtype=float)
    if numbers.ndim and numbers.shape != (size,):
        raise SizeError(f"{numbers.size} numbers in {what} for {size} players")
    return np.array(np.broadcast_to(numbers, size))


FAR: Final = "must be within 1,000,000 points of 0"


def _inside(value: object, least: float, said: str, most: float = MOST) -> None:
    """Raise DomainError for an option that is no number, or is out of bounds."""
    if not isinstance(value, Real):
        raise DomainError(f"{said.split()[0]} must be a number, got {value!r}")
    within(np.asarray(value, dtype=float), least, most, said)


def _home(points: float, games: OrderedGames) -> float | FloatArray:
    """The advantage of the first player, none on neutral ground."""
    return points if games.neutral is None or not points else np.where(games.neutral, 0.0, points)


def _per_game(values: npt.ArrayLike | None, games: int, what: str) -> FloatArray | None:
    if values is None:
        return None
    numbers = np.asarray(values, dtype=float)
    if numbers.shape != (games,):
        raise SizeError(f"{numbers.size} {what} for {games} games")
    return numbers


SIDES: Final = ("mean", "sum")
"""What of its players' ratings a side's may be."""


Margins = Callable[[FloatArray], FloatArray]
"""What multiplies K, of the margins of victory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elo(System):
    """Elo's rule, game after game: rating + k·(score - expected).

    >>> import elo_xl as elo
    >>> rated = elo.Elo(k=32, home=100).rate([("Ana", "Bo", 1)])
    >>> [round(x, 1) for x in rated.players["rating"]]
    [1511.6, 1488.4]

    Args:
        k (float or table, default 20): The K factor; or rows of *games from, K*: ``[(0, 40), (30,
            20)]`` is 40 in a player's first 30 games, then 20.
        start: The rating with which players begin.
        home: Points added to the first player's rating, except on neutral ground.
        model: The curve, one of those of :func:`elo_xl.expected`; normal and logistic also with a
            scale of their own, as in ``"logistic:300"``.
        margin (str or function, optional): Lets k grow with the margin of victory m: ``"log"``
            multiplies it by ln(m + 1)·2.2/(0.001·d + 2.2), where d is the winner's rating minus the
            loser's with the advantage (FiveThirtyEight; a draw counts with m = 1 and 2.2/1, and its
            margin may be blank), ``"goals"`` by 1, 1.5 and (11 + m)/8 for margins up to 1, of 2 and
            from 3 on (World Football Elo Ratings), a function by what it gives for an array of
            margins.
        reversion: The share by which a player's rating moves towards the mean before their first
            game of another period than that of their latest game: once, however many periods they
            missed, and never before their first game. The state then has ``last_period``, so that
            ratings move in the next call, too.
        mean: What ratings move towards; ``start`` without it.
        sides ({"mean", "sum"}): What of its players' ratings is the rating of a side of several.
    Raises:
        DomainError: For k below 0 and a reversion outside 0 to 1.
        OptionError: For an unknown model, kind of margin or rating of sides.
    """

    k: float | Sequence[tuple[float, float]] = 20.0
    start: float = 1500.0
    home: float = 0.0
    model: Model | str = "normal"
    margin: Margin | Margins | None = None
    reversion: float = 0.0
    mean: float | None = None
    sides: SideRating = "mean"

    keeps: ClassVar[tuple[str, ...]] = ("rating",)

    def __post_init__(self) -> None:
        within(np.array(self._k_table, dtype=float)[:, 1], 0.0, MOST, "k must not be below 0")
        for name in ("start", "home", "mean"):
            _inside(getattr(self, name) or 0.0, -MOST, f"{name} {FAR}")
        _inside(self.reversion, 0.0, "reversion must be between 0 and 1", 1.0)
        read_model(self.model)
        choose(self.sides, SIDES, "sides")
        if not (self.margin is None or callable(self.margin)):
            choose(self.margin, MARGINS, "margin")

    @property
    def moving(self) -> bool:
        return self.reversion > 0

    def begun(self, state: State, period: npt.ArrayLike) -> State:
        again = state.get(LAST, np.array(np.nan)) < period
        return {"rating": np.where(again, self.moved(state["rating"]), state["rating"])}

    @property
    def _k_table(self) -> list[tuple[float, float]]:
        """K by the number of games from which it holds, in ascending order."""
        if np.ndim(self.k) == 0:
            _inside(self.k, 0.0, "k must not be below 0")
            return [(0.0, self.k)]  # type: ignore[list-item]
        table = np.asarray(self.k, dtype=float)
        if table.ndim != 2 or table.shape[1] != 2 or not len(table):
            raise SizeError(f"k must be a number, or rows of two: games from, K; got {self.k!r}")
        return sorted(map(tuple, table.tolist()))

    def carry_sides(
        self,
        lineup: Sides,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        score: npt.ArrayLike,
        size: int,
        *,
        game: npt.ArrayLike | None = None,
        before: Mapping[str, npt.ArrayLike] | None = None,
        period: npt.ArrayLike | None = None,
        margin: npt.ArrayLike | None = None,
        neutral: npt.ArrayLike | None = None,
        weight: npt.ArrayLike | None = None,
        k: npt.ArrayLike | None = None,
        played_before: npt.ArrayLike | None = None,
        history: bool = False,
    ) -> RatedGames:
        """Rate games of sides of one or more players; the names are those of :meth:`carry`.

        ``first`` and ``second`` are sides of ``lineup``, in pairs that follow each other. Pairs of
        the same ``game``, which :func:`pairs_by_place` makes of an order of finish, are rated
        together. The history has a number for each player of each side.

        Raises the errors of :meth:`carry`, and DomainError for a player who is twice in a game.
        """
        one, two, points = played(*columns(first, second, score), lineup.ends.size)
        if points.size < np.size(score):
            raise DomainError("score must be between 0 and 1, got nan")
        turn = np.arange(points.size) if game is None else np.asarray(game)
        last = np.append(turn[1:] != turn[:-1], True)[: turn.size]
        # the game of each player of each side, by the last side of each game
        of_side = np.searchsorted(two[last], np.arange(lineup.ends.size))
        seat = np.repeat(of_side, lineup.sizes) * size + lineup.players
        who, times = np.unique(seat, return_counts=True)
        inside(lineup.players, size)
        if (times > 1).any():
            raise DomainError(f"player {who[times > 1][0] % size} is twice in a game")
        games = _ordered(one, two, points, size, period, margin, neutral, weight, k, played_before)
        games = replace(games, sides=lineup, turn=turn)
        count = np.bincount(lineup.players, minlength=size)
        shape = (lineup.players.size,) if history else None
        return self._walked(self._state(before, size), games, count, period is not None, shape)

    def _run(self, state: State, games: OrderedGames, history: State | None) -> State:
        given = state["rating"]
        rating = _filled(given, self.start)
        within(rating, -MOST, MOST, "rating must be within 1,000,000 points of 0")
        begins, k = zip(*self._k_table, strict=True)
        if games.sides is None and (games.factors is not None or len(k) > 1):
            games = games.as_sides()
            history = None if history is None else {"rating": history["rating"].reshape(-1)}
        own = np.full(given.size, np.nan) if games.factors is None else games.factors
        so_far = np.zeros(given.size) if games.played is None else games.played
        factors = sequence.Factors(begins, k, own, np.where(np.isnan(so_far), np.inf, so_far))
        played = np.zeros(given.size, np.bool_)
        for player, _ in games.seats:
            played[player] = True
        # where time changes nothing, periods mean nothing
        whole = [(0, games.score.size, 0)] if games.score.size else []
        spans = games.by_period() if self.moving else whole
        for begin, end, number in spans:
            some = games.part(begin, end)
            if self.moving:
                here = some.players
                before = {"rating": rating[here], LAST: state[LAST][here]}
                rating[here] = self.begun(before, number)["rating"]
                state[LAST][here] = number
            home, weights = _home(self.home, some), self._weights(some)
            told = some.first, some.second, some.score
            if some.sides is None:
                after = None if history is None else history["rating"][begin:end]
                if end - begin > sequence.WIDE:
                    sequence.elo(rating, k[0], self.model, *told, home, weights, after)
                    continue
                here, few = some.among()  # to walk through all players would take longer
                now, told = rating[here], (few.first, few.second, few.score)
                sequence.elo(now, k[0], self.model, *told, home, weights, after)
                rating[here] = now
                continue
            assert some.turn is not None
            ends = np.flatnonzero(np.append(some.turn[1:] != some.turn[:-1], True)) + 1
            total = self.sides.lower() == "sum"
            sequence.elo_of_sides(
                rating, factors, self.model, some.sides, *told, ends, home, weights,
                None if history is None else history["rating"], total=total,
            )  # fmt: skip
        return {"rating": np.where(played, rating, given)}

    def moved(self, rating: FloatArray) -> FloatArray:
        """Ratings as a new season begins with them."""
        mean = self.start if self.mean is None else self.mean
        return mean + (1 - self.reversion) * (rating - mean)

    def _weights(self, games: OrderedGames) -> sequence.Weights | None:
        found = self._by_margin(games)
        if games.weight is None:
            return found
        if found is None:
            none = np.zeros(games.weight.shape)
            return sequence.Weights(games.weight, none, none + 1)
        return found._replace(weight=found.weight * games.weight)

    def _by_margin(self, games: OrderedGames) -> sequence.Weights | None:
        if self.margin is None:
            return None
        if games.margin is None:
            raise SizeError("margins are counted, but the games have none: a column 'margin'")
        by = np.abs(np.where(np.isnan(games.margin) & (games.score == 0.5), 0, games.margin))
        require(np.isfinite(by), "margin must be a number", games.margin)
        if callable(self.margin):
            weight = np.broadcast_to(np.asarray(self.margin(by), dtype=float), by.shape)
            require(weight >= 0, "a margin must multiply k by a number not below 0", weight)
            return sequence.Weights(weight, np.zeros(by.shape), np.ones(by.shape))
        if self.margin.lower() == "goals":
            weight = np.where(by < 2, 1.0, np.where(by < 3, 1.5, (11 + by) / 8))
            return sequence.Weights(weight, np.zeros(by.shape), np.ones(by.shape))
        won = np.sign(games.score - 0.5)
        return sequence.Weights(
            2.2 * np.log1p(np.maximum(by, 1)), 0.001 * won, np.where(won == 0, 1.0, 2.2)
        )


def pairs_by_place(
    place: npt.ArrayLike, sizes: npt.ArrayLike
) -> tuple[IntArray, IntArray, FloatArray, IntArray, FloatArray]:
    """The pairs of sides of tables, of the places in which they finished.

    >>> first, second, score, game, weight = pairs_by_place([1, 2, 2], [3])
    >>> first.tolist(), second.tolist(), score.tolist(), weight.tolist()
    ([0, 0, 1], [1, 2, 2], [1.0, 1.0, 0.5], [0.5, 0.5, 0.5])

    ``place`` is that of each side, one table after the other, ``sizes`` the sides of each table.
    Every pair at a table is a game, won by the better place and drawn if they share it; all of them
    together weigh as much as one side's games at a table of two.
    """
    places = np.asarray(place, dtype=float)
    parts: list[tuple[AnyArray, ...]] = []
    begin, counts = 0, np.asarray(sizes, dtype=np.int64).tolist()
    upper = {n: np.triu_indices(n, 1) for n in {*counts}}
    for n in counts:
        one, two = upper[n]
        score = 0.5 + 0.5 * np.sign(places[begin + two] - places[begin + one])
        number, weight = np.full(one.size, len(parts)), np.full(one.size, 1 / (n - 1))
        parts.append((begin + one, begin + two, score, number, weight))
        begin += n
    if not parts:
        empty = np.empty(0, np.int64)
        return empty, empty, np.empty(0), empty, np.empty(0)
    return tuple(map(np.concatenate, zip(*parts, strict=True)))  # type: ignore[return-value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ioffe(System):
    """Ioffe's Bayesian ratings, game after game; deviations grow with time.

    >>> import elo_xl as elo
    >>> rated = elo.Ioffe(sd=100).rate([("Ana", "Bo", 1)])
    >>> [round(x, 2) for x in rated.players["sd"]]
    [94.45, 94.45]

    Args:
        sd: The standard deviation of the ratings with which players begin, in points.
        start: The rating with which players begin.
        draws: Where draws come from, as in :func:`elo_xl.outcomes`.
        model: The curve, one of those of :func:`elo_xl.expected`.
        growth: The root of what sd² gains in a period, in points, from a player's first game on.
            The state has ``sd`` after the latest game and with a growth ``last_period``, that of
            this game; the growth since then is added when they play. An ``sd`` that is given
            without a time grows for one period.
    """

    sd: float = SD
    start: float = 1500.0
    draws: DrawModel | str | float = SPLIT
    model: Model = "normal"
    growth: float = 0.0

    keeps: ClassVar[tuple[str, ...]] = ("rating", "sd")

    def __post_init__(self) -> None:
        _inside(self.start, -MOST, f"start {FAR}")
        _inside(self.sd, bayes.LEAST_SD, "sd must be above 0 and at most 1,000,000")
        _inside(self.growth, 0.0, "growth must not be below 0")
        prepare(np.empty(0), self.draws, self.model)

    @property
    def moving(self) -> bool:
        return self.growth > 0

    def begun(self, state: State, period: npt.ArrayLike) -> State:
        own = _filled(state["sd"], self.sd)
        if self.moving:
            own = sequence.grown(own, np.asarray(self.growth), _ago(state, "sd", period))
        return {**state, "sd": own}

    def _run(self, state: State, games: OrderedGames, history: State | None) -> State:
        size = state["rating"].size
        first = np.full(size, np.inf)
        for player in (games.first, games.second):
            np.fmin.at(first, player, games.period)
        played = np.isfinite(first)
        # as far as the first game; rate_sequence goes on from there
        ready = self.begun(state, first)["sd"]
        idle = state["sd"] if self.moving else np.where(np.isnan(state["rating"]), np.nan, ready)
        done = bayes.rate_sequence(
            _filled(state["rating"], self.start),
            np.where(played, ready, self.sd),
            games.first,
            games.second,
            games.score,
            self.draws,
            self.model,
            growth=self.growth,
            period=games.period,
        )
        if history is not None:
            history["rating"].T[:] = done.games.rating, done.games.opponent
            history["sd"].T[:] = done.games.sd, done.games.opponent_sd
        return {
            "rating": np.where(played, done.rating, state["rating"]),
            "sd": np.where(played, done.sd, idle),
        }


class ByPeriod(System):
    """A system in which all games of a period count with the ratings before it."""

    @abstractmethod
    def _period(self, ready: State, games: OrderedGames) -> State:
        """What the games of a period make of players who are ready for it; unrated players (NaN)
        who play get a rating."""

    def after(self, state: State, games: OrderedGames, number: int) -> State:
        """The state after the games of the period of that number."""
        done = self._period(self.begun(state, number), games)
        if not self.moving:
            return done
        played = np.zeros(state["rating"].size, np.bool_)
        played[games.first] = played[games.second] = True
        done[LAST] = np.full(played.size, float(number))
        return {name: np.where(played, done[name], state[name]) for name in self.columns}

    def _run(self, state: State, games: OrderedGames, history: State | None) -> State:
        size = state["rating"].size
        for begin, end, number in games.by_period():
            some = games.part(begin, end)
            # the first period says what there is of the idle, which later ones do not change
            if begin and 4 * (end - begin) < size:
                here, few = some.among()
                done = self.after({name: x[here] for name, x in state.items()}, few, number)
                for name in done:
                    state[name][here] = done[name]
            else:
                state = self.after(state, some, number)
            if history is not None:
                for name, after in history.items():
                    after[begin:end].T[:] = state[name][some.first], state[name][some.second]
        return state


@dataclass(frozen=True, slots=True, kw_only=True)
class Glicko(ByPeriod):
    """Glicko, period by period.

    >>> import elo_xl as elo
    >>> rated = elo.Glicko().rate([("Ana", "Bo", 1)])
    >>> [round(x, 1) for x in rated.players["rd"]]
    [290.2, 290.2]

    Args:
        start: The rating with which players begin.
        rd: The deviation with which they begin, in points: at most 350, the largest that there is.
        growth: Glickman's c, in points: the root of what rd² gains in a period, from a player's
            first game on. The state has ``rd`` after the latest game and with such a growth
            ``last_period``, that of this game; the growth since then is added when they play. An
            ``rd`` that is given without a time grows for one period.
    Raises:
        DomainError: For ``rd`` not above 0 or above 350.
    """

    start: float = glicko.RATING
    rd: float = glicko.RD
    growth: float = 0.0

    keeps: ClassVar[tuple[str, ...]] = ("rating", "rd")

    def __post_init__(self) -> None:
        _inside(self.start, -MOST, f"start {FAR}")
        _inside(self.rd, glicko.LEAST, "rd must be above 0 and at most 350", glicko.MOST_RD)
        _inside(self.growth, 0.0, "growth must not be below 0")

    @property
    def moving(self) -> bool:
        return self.growth > 0

    def begun(self, state: State, period: npt.ArrayLike) -> State:
        own, ago = _filled(state["rd"], self.rd), _ago(state, "rd", period)
        return {**state, "rd": glicko.grown(own, self.growth, ago)}

    def _period(self, ready: State, games: OrderedGames) -> State:
        done = glicko.glicko_period(
            ready["rating"],
            ready["rd"],
            games.first,
            games.second,
            games.score,
            start=(self.start, self.rd),
        )
        idle = ~np.isnan(done.rd)
        idle[games.first] = idle[games.second] = False
        # to the last bit, however many periods they are idle
        return {"rating": done.rating, "rd": np.where(idle, ready["rd"], done.rd)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Glicko2(ByPeriod):
    """Glicko-2, period by period.

    Deviations grow by the volatility for each period from a player's first game on. The state has
    what was true after the latest game, and ``last_period``, that of this game.

    >>> import elo_xl as elo
    >>> rated = elo.Glicko2().rate([("Ana", "Bo", 1)])
    >>> [round(x, 6) for x in rated.players["volatility"]]
    [0.06, 0.06]

    Args:
        start: The rating with which players begin.
        rd: The deviation with which they begin, in points.
        volatility: How much their strength varies at first.
        tau: How fast volatilities may change; 0.3 to 1.2 are usual.
    """

    start: float = glicko.RATING
    rd: float = glicko.RD
    volatility: float = glicko.VOLATILITY
    tau: float = 0.5

    keeps: ClassVar[tuple[str, ...]] = ("rating", "rd", "volatility")

    def __post_init__(self) -> None:
        _inside(self.start, -MOST, f"start {FAR}")
        for name in ("rd", "volatility", "tau"):
            said = f"{name} must be above 0 and at most 1,000,000"
            _inside(getattr(self, name), glicko.LEAST, said)

    @property
    def moving(self) -> bool:
        return True

    def begun(self, state: State, period: npt.ArrayLike) -> State:
        own, sigma = _filled(state["rd"], self.rd), _filled(state["volatility"], self.volatility)
        # the period itself adds its own part, from the volatility that it finds
        idle = np.maximum(_ago(state, "rd", period) - 1, 0)
        own = sequence.grown(own, glicko.SCALE * sigma, idle)
        return {**state, "rd": own, "volatility": sigma}

    def _period(self, ready: State, games: OrderedGames) -> State:
        return glicko.glicko2_period(
            ready["rating"],
            ready["rd"],
            ready["volatility"],
            games.first,
            games.second,
            games.score,
            self.tau,
            start=(self.start, self.rd, self.volatility),
        )._asdict()


@dataclass(frozen=True, slots=True)
class Rules(ByPeriod):
    """A rulebook, period by period, with its own K factors.

    >>> import elo_xl as elo
    >>> players = {"name": ["Ana", "Bo"], "rating": [1800, 1860], "played": [12, 12]}
    >>> rated = elo.Rules("fide").rate([("Ana", "Bo", 1)], players)
    >>> rated.players["rating"], rated.players["played"]
    ([1823.0, 1837.0], [13.0, 13.0])

    It keeps of each player the ``rating``, the number of rated games before, ``played`` (NaN: 30 or
    more), the ``age``, which is the list year minus the birth year (NaN: adult), the highest
    published rating, ``peak`` (NaN: the rating), and under a rulebook that counts events instead of
    games their number before, ``index`` (NaN: so many that it makes no difference); each period is
    an event. An unrated player gets a first rating by the games
    of one period, if the rulebook publishes it.

    Args:
        rules: The rulebook: a name in :data:`elo_xl.rulebooks`, or a file of one's own.
        home: Points added to the first player's rating, except on neutral ground.
    """

    rules: RulebookName | str | Path | Rulebook = "fide"
    home: float = 0.0

    keeps: ClassVar[tuple[str, ...]] = ("rating", "played", "age", "peak")

    @property
    def start(self) -> float:
        return np.nan  # of those without a rating nothing is expected

    def __post_init__(self) -> None:
        rulebook(self.rules)
        _inside(self.home, -MOST, f"home {FAR}")

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.keeps, "index") if rulebook(self.rules).change.counts_events else self.keeps

    def _period(self, ready: State, games: OrderedGames) -> State:
        rating, played, age, peak = (ready[name] for name in self.keeps)
        index = ready.get("index", np.full(rating.shape, np.nan))
        done = rate_period(
            rating,
            "auto",
            games.first,
            games.second,
            games.score,
            self.rules,
            games=played,
            age=age,
            peak=peak,
            index=index,
            home=_home(self.home, games),
        )
        count, highest, index = carried(rating, played, peak, index, done.games, done.new)
        state = {"rating": done.new, "played": count, "age": age, "peak": highest, "index": index}
        return {name: state[name] for name in self.columns}
