"""Systems that take tables: they rate games, go on with more, predict, and can be judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, wraps
from itertools import chain, product
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple
from warnings import warn

import numpy as np
import numpy.typing as npt

from elo_xl.api import tables
from elo_xl.api.docstrings import as_in
from elo_xl.api.frames import AnyTable, GivenTable
from elo_xl.api.quality import calibration, predicted
from elo_xl.api.showing import Shown
from elo_xl.api.tables import Names, NamesRead, Timed
from elo_xl.engine import quality, systems
from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import DomainError, OptionError, SizeError, choose
from elo_xl.engine.predictions import predict
from elo_xl.engine.sequence import Sides
from elo_xl.engine.systems import RatedGames
from elo_xl.english import nearest
from elo_xl.public import own

if TYPE_CHECKING:
    from elo_xl.api.frames import Table

Period = Literal["day", "week", "month", "year"]

PERIODS: Final = ("day", "week", "month", "year")
_FACTS: Final = ("margin", "neutral", "weight")
_GAMES: Final = ("white", "black", "result", "date", "period", *_FACTS)
_PLAYERS: Final = ("name", "played", "k")


class System(systems.System):
    """A way to carry ratings through games: :class:`Elo` and the others, or one of your own.

    >>> import elo_xl as elo
    >>> class Steps(elo.System):  # five points a game
    ...     keeps, start = ("rating",), 1000.0
    ...     def game(self, first, second, score):
    ...         step = 10 * (score - 0.5)
    ...         return {"rating": first["rating"] + step}, {"rating": second["rating"] - step}
    ...     def expected(self, first, second, neutral):
    ...         return 1 / (1 + 2 ** ((second["rating"] - first["rating"]) / 10))
    >>> Steps().rate([("Ana", "Bo", 1), ("Bo", "Cy", 1)]).players["rating"]
    [1005.0, 1000.0, 995.0]
    >>> evaluate(Steps(), [("Ana", "Bo", 1), ("Ana", "Bo", 1)]).expected
    [0.5, 0.6666666666666666]

    It names in ``keeps`` what it has of each player, ``rating`` first, says in ``game`` what both
    have after a game, and in ``expected``, of arrays, what it expects. Players begin with the
    rating ``start``; other columns are NaN at first.
    """

    def rate(
        self,
        games: Table,
        players: Table | None = None,
        *,
        names: NamesRead = "exact",
        columns: Mapping[str, str] | None = None,
        period: Period | None = None,
    ) -> Rated:
        """Rate games, one after another or period after period as the system does.

        >>> rated = Elo(k=20, model="logistic").rate([("Ana", "Bo", "1-0"), ("Ana", "Cy", "½")])
        >>> rated.players["name"], [round(x, 2) for x in rated.players["rating"]]
        (['Ana', 'Bo', 'Cy'], [1509.71, 1490.0, 1500.29])
        >>> [round(x, 3) for x in rated.history["expected"]]
        [0.5, 0.514]

        Args:
            games: A row per game: ``white``, ``black`` and ``result``, in the order of play, or
                with a column ``date``. They may have ``period`` (whole numbers, for systems that
                rate by period or season; without it all are of the one after the players' latest),
                ``margin``, ``neutral`` and, for :class:`Elo`, ``weight``, which multiplies K.
            players: ``name`` and what is known before: ``rating``, ``rd`` or whatever else the
                system keeps, ``played`` (rated games so far), ``last_period``, and for :class:`Elo`
                a ``k`` of their own; for :class:`Rules` also ``age``, ``peak`` and ``index``.
                Blanks begin as the system says. Default: all who are in ``games``.
            names ({"exact", "loose"}): Whether a name that differs in case, accents, blanks or the
                order of its words is the same player, too; :attr:`Rated.notes` says which do.
            columns (mapping, optional): How ``games`` call columns: ``{"white": "home_team"}``.
            period ({"day", "week", "month", "year"}, optional): What of ``date`` is the period.
                Default: the column ``period``, if there is one.
        Returns: The players after the games, the games, and what goes on from there.
        Raises:
            SizeError: For a missing column, a player who is not in the list or is there twice,
                periods that run backwards, and players with ``games`` instead of ``played``.
            DomainError: For a number out of bounds, and a player who is paired with themselves.
            OptionError: For an unknown ``names`` or ``period``.
            RatingError: For a result that cannot be read.
        """
        loose = tables.loosely(names)
        if period is not None:
            choose(period, PERIODS, "period")
        table = GivenTable(games, "games").named(columns)
        entrants = None if players is None else GivenTable(players, "players")
        known = tables.met(table, loose=loose) if entrants is None else entrants.values("name")
        index = Names(known, loose=loose)
        read = tables.timed(table, index, period)
        before = _known(self, entrants, len(known))
        kept = (_GAMES, (*_PLAYERS, *self.columns))
        notes = [note for given, words in zip((table, entrants), kept, strict=True)
                 if given is not None for note in _near_misses(given, words)]  # fmt: skip
        return Rated(self, table, entrants, index, read, *before, tuple(notes))


class Elo(systems.Elo, System):
    __doc__ = systems.Elo.__doc__
    __slots__ = ()

    def rate_sides(
        self,
        games: Table,
        players: Table | None = None,
        *,
        sides: str = "&",
        columns: Mapping[str, str | Sequence[str]] | None = None,
    ) -> Rated:
        """Rate games of sides of several players, as ``ELO_LADDER`` does, or tables of two and more
        by their order of finish, as ``ELO_PLACES`` does.

        >>> games = [("Ana & Bo", "Cy & Dee", 1), ("Ana & Cy", "Bo", "½")]
        >>> rated = Elo(k=[(0, 40), (1, 20)], model="logistic").rate_sides(games)
        >>> table = rated.players
        >>> table["name"], [round(x, 2) for x in table["rating"]], table["played"]
        (['Ana', 'Bo', 'Cy', 'Dee'], [1520.58, 1519.42, 1480.58, 1480.0], [2.0, 2.0, 2.0, 1.0])

        Args:
            games: Those of :meth:`rate`; ``white`` and ``black`` are sides. Or a row for each
                player or side of a table: ``table``, what tells tables apart, ``place``, ``name``
                and perhaps ``date``. Equal places are shared; nobody has a home advantage.
            players: That of :meth:`rate`, with a row for everybody.
            sides: What stands between the players of a side.
            columns (mapping, optional): That of :meth:`rate`; also the columns of the players of a
                side: ``{"white": ["home 1", "home 2"], "black": ["away 1", "away 2"]}``.
        Returns: That of :meth:`rate`. Its history has the ratings of the sides; in an order of
            finish ``before``, ``expected`` (the part of the others that was expected to be beaten)
            and ``after`` of each row. It predicts games of one against one.
        Raises:
            SizeError: As in :meth:`rate`, and for a row without a name, its table or its place.
            DomainError: For a player who is twice in a game.
        """
        table = GivenTable(games, "games").named(columns, sides)
        entrants = None if players is None else GivenTable(players, "players")
        there = _members(table, sides)
        index = Names(there if entrants is None else entrants.values("name"))
        if strangers := [name for name in there if name not in index]:
            raise SizeError(f"player {strangers[0]!r} is not in players")
        before = _known(self, entrants, len(index.given))
        seats = _seated(table, index, sides)
        return Rated(self, table, entrants, index, seats.read, *before, (), seats)


class _Seats(NamedTuple):
    """Who sits where in games of sides."""

    read: Timed
    """the pairs of sides"""
    lineup: Sides
    """who sits on each side"""
    rows: IntArray
    """the row of each side in the table of games"""
    facts: dict[str, Any]
    """what else is known of the pairs"""
    share: FloatArray | None
    """what part of a game each pair is, at tables in their order of finish"""
    mark: str
    """what stands between the players of a side"""


def _members(table: GivenTable, mark: str) -> list[str]:
    """The players of all sides, in the order in which they turn up."""
    teams = table.values("name") if "place" in table.columns else tables.met(table)
    return list(dict.fromkeys(name for team in teams for name in _split(team, mark)))


def _split(team: object, mark: str) -> list[str]:
    return [part.strip() for part in str(team).split(mark)]


def _seated(table: GivenTable, index: Names, mark: str) -> _Seats:
    """Read games of sides."""
    by_place, share = "place" in table.columns, None
    teams = table.values("name") if by_place else tables.met(table)
    if by_place:
        order, sizes, read, turn, share = tables.by_table(table)
        facts = _facts(table, read) | {"game": turn, "neutral": np.ones(turn.size, bool)}
        facts["weight"] = share * facts.get("weight", 1.0)
        facts.pop("margin", None)
        rows = order
    else:
        read = tables.timed(table, Names(teams))
        one, two, _, games = read.played
        order, sizes = np.stack([one, two], axis=1).reshape(-1), np.full(games.size, 2)
        first, facts, rows = 2 * np.arange(games.size), _facts(table, read), np.repeat(games, 2)
        read = read._replace(played=read.played._replace(first=first, second=first + 1))
    seats = [[index.row(name) for name in _split(teams[team], mark)] for team in order.tolist()]
    for end, size in zip(np.cumsum(sizes), sizes, strict=True):
        everybody = [*chain(*seats[end - size : end])]
        if len({*everybody}) < len(everybody):
            raise DomainError(f"a player is twice in a game @ row {rows[end - 1]} of games")
    lineup = Sides(np.array([*chain(*seats)], np.int64), np.cumsum([*map(len, seats)], dtype=int))
    return _Seats(read, lineup, rows, facts, share, mark)


class Ioffe(systems.Ioffe, System):
    __doc__ = systems.Ioffe.__doc__
    __slots__ = ()


class Glicko(systems.Glicko, System):
    __doc__ = systems.Glicko.__doc__
    __slots__ = ()

    if not TYPE_CHECKING:

        @wraps(systems.Glicko.__init__)
        def __init__(self, **options: float) -> None:
            if "c" in options:  # goes with the next release
                raise TypeError("Glicko takes growth, which was called c")
            super().__init__(**options)


class Glicko2(systems.Glicko2, System):
    __doc__ = systems.Glicko2.__doc__
    __slots__ = ()


class Rules(systems.Rules, System):
    __doc__ = systems.Rules.__doc__
    __slots__ = ()


def _known(
    model: System, entrants: GivenTable | None, size: int
) -> tuple[dict[str, FloatArray], FloatArray, FloatArray | None, FloatArray]:
    """What is known of players before: what a system keeps, rated games so far, own Ks, no days."""
    unknown, days = np.full(size, np.nan), np.full(size, -np.inf)
    if entrants is None:
        return dict.fromkeys(model.columns, unknown), unknown, None, days
    before = {name: entrants.numbers(name) for name in model.columns}
    if "rating" in entrants.columns:
        before["rating"] = tables.ratings_before(entrants)
    own_k = "k" in entrants.columns and isinstance(model, systems.Elo)
    return before, tables.played_before(entrants), entrants.numbers("k") if own_k else None, days


def _system(model: object) -> System:
    """What is a system; OptionError for anything else."""
    if not isinstance(model, System):
        raise OptionError(f"a system such as Elo(k=20) or Glicko() is needed, got {model!r}")
    return model


def _facts(table: GivenTable, read: Timed) -> dict[str, Any]:
    """What is known of games besides, for :meth:`elo_xl.engine.systems.System.carry`."""
    facts: dict[str, Any] = {"period": read.period}
    facts |= {x: table.numbers(x)[read.played.rows] for x in _FACTS if x in table.columns}
    if "weight" in facts:
        facts["weight"] = np.where(np.isnan(facts["weight"]), 1.0, facts["weight"])
    return facts


def _near_misses(table: GivenTable, known: Iterable[str]) -> list[str]:
    """Warn of columns that are not read though they are called nearly as one that would be."""
    words = [word for word in known if word not in table.columns]
    notes = []
    for name in table.columns:
        near = [] if name in known else nearest(name, words, like=0.85)
        if near:
            notes.append(f"column {name!r} of {table.what} is not read; did you mean {near[0]!r}?")
            warn(notes[-1], stacklevel=4)
    return notes


@dataclass(frozen=True, eq=False)
class Rated(Shown):
    """Games that a system has rated: what :meth:`System.rate` gives."""

    model: System
    """the system"""
    _table: GivenTable
    _entrants: GivenTable | None
    _names: Names
    _read: Timed
    _before: Mapping[str, FloatArray]
    _so_far: FloatArray
    """the games of each player before"""
    _k: FloatArray | None
    """a K of each player's own"""
    _days: FloatArray
    """the day of each player's latest game before these, as a number; -inf: none is known"""
    _notes: tuple[str, ...]
    _seats: _Seats | None = None
    """who sits where in games of sides"""

    def __repr__(self) -> str:
        games = self._read.played.rows.size
        return f"<Rated players={len(self._names.given)} games={games} model={self.model!r}>"

    def _carried(self, *, history: bool) -> RatedGames:
        played, table = self._read.played, self._table
        facts = {"before": self._before, **_facts(table, self._read)}
        if isinstance(self.model, systems.Elo):
            so_far = np.where(self._unknown, np.nan, np.nan_to_num(self._so_far))
            facts |= {"k": self._k, "played_before": so_far}
        size, seats = len(self._names.given), self._seats
        if seats is not None:
            assert isinstance(self.model, systems.Elo)
            facts |= seats.facts
            return self.model.carry_sides(seats.lineup, *played[:3], size, history=history, **facts)
        return self.model.carry(*played[:3], size, history=history, **facts)

    @cached_property
    def _done(self) -> RatedGames:
        return self._carried(history=False)

    @property
    def _unknown(self) -> npt.NDArray[np.bool_]:
        """Of whom nobody knows how many games their rating stands for."""
        return np.isnan(self._so_far) & ~np.isnan(self._before["rating"])

    @property
    def _played(self) -> FloatArray:
        """The games before and those of the list."""
        played = np.nan_to_num(self._so_far) + self._done.games
        return np.where(self._unknown, np.nan, played)

    @cached_property
    def players(self) -> Any:
        """A row per player, in the order of ``players`` or as they turn up: ``name``, the players'
        own columns, what the system keeps, and ``played``, with the games before (blank for ratings
        without them). Without a rating and a game there is no rating. What time changes is as it
        was after the latest game; ``last_period`` says when that was."""
        after: dict[str, Any] = {**self._done.state}
        after.setdefault("played", self._played)
        if self._entrants is None:
            return self._table.like({"name": list(self._names.given)} | after)
        return self._entrants.like(after, *self._entrants.columns)

    @property
    def _latest(self) -> FloatArray:
        """The day of each player's latest game, these among them."""
        latest = self._days.copy()
        dates, seats = self._read.dates, self._seats
        if dates is not None and seats is not None:
            of_side = np.empty(seats.lineup.ends.size)
            for side in self._read.played[:2]:
                of_side[side] = dates.days
            np.maximum.at(latest, seats.lineup.players, np.repeat(of_side, seats.lineup.sizes))
        elif dates is not None:
            for side in self._read.played[:2]:
                np.maximum.at(latest, side, dates.days)
        return latest

    def active(self, days: int, sinking: tuple[float, float] | None = None) -> AnyTable:
        """The players who have played in the last days, for the table that is shown.

        >>> games = {"white": ["Ana", "Ana"], "black": ["Bo", "Cy"], "result": [1, 1]}
        >>> rated = Elo(k=20).rate(games | {"date": ["2026-01-05", "2026-06-05"]})
        >>> rated.active(90)["name"]
        ['Ana', 'Cy']
        >>> rated.active(91, sinking=(10, 1400))["rating"][1]
        1470.0

        Args:
            days: How many days before the latest game of all the latest game of a player may be.
            sinking (pair of numbers, optional): Points and a floor: then all stay, and the ratings
                of the others sink by so many points for every 30 days more, down to the floor.
        Returns: :attr:`players` with ``name``, what the system keeps, and ``played``.
        Raises:
            SizeError: For games without a column ``date``.
        """
        if self._read.dates is None:
            raise SizeError("who is active is told by a column 'date' of games")
        names, latest = self._names.given, self._latest
        idle = np.where(np.isinf(latest), np.inf, latest.max(initial=0) - latest - days)
        after = {**self._done.state, "played": self._played}
        here = np.flatnonzero(idle <= 0)
        if sinking is not None:
            points, floor = sinking
            rating = after["rating"]
            low = np.minimum(rating, floor)  # a rating below the floor stays
            sunk = np.maximum(rating - points * np.maximum(idle, 0) / 30, low)
            after["rating"] = np.where(np.isfinite(idle), sunk, rating)
            here = np.arange(len(names))
        shown = {key: column[here] for key, column in after.items()}
        return self._table.like({"name": [names[i] for i in here.tolist()]} | shown)

    @cached_property
    def history(self) -> Any:
        """The games with their columns, then ``white_before`` and ``black_before``, the ratings
        that enter the game: those before it or its period, after a reversion; White's ``expected``
        score; ``white_after`` and ``black_after``. Games that were not played stay blank."""
        done, rows = self._carried(history=True), self._read.played.rows
        after = done.history
        assert after is not None
        keys = ["white_before", "black_before", "expected", "white_after", "black_after"]
        if self._seats is None:
            before, chance = self._expected(done)
        else:
            before, chance, after = self._of_sides(done, self._seats)
            if self._seats.share is not None:
                keys, rows = ["before", "expected", "after"], self._seats.rows
        wide = np.full((len(keys), self._table.size), np.nan)
        wide[:, rows] = np.vstack([before.T, chance, after.T])
        return self._table.like(dict(zip(keys, wide, strict=True)), *self._table.own)

    def _of_sides(self, done: RatedGames, seats: _Seats) -> tuple[FloatArray, ...]:
        """The ratings of sides before, their expected scores, and the ratings after."""
        assert done.walk is not None
        assert done.history is not None
        assert isinstance(self.model, systems.Elo)  # no other system has sides
        who, period = done.walk.games.seats[0]
        entered = self._entered(done.walk.of_seats(who, period), period)
        total = self.model.sides.lower() == "sum"
        before, after = (seats.lineup.levels(x, total=total) for x in (entered, done.history))
        one, two = self._read.played[:2]
        neutral = np.nan_to_num(seats.facts.get("neutral", np.zeros(one.size))) != 0
        first, second = ({"rating": before[side]} for side in (one, two))
        chance = predict(self.model, first, second, neutral).expected
        if seats.share is None:
            return before.reshape(-1, 2), chance, after.reshape(-1, 2)
        expected = np.zeros(before.size)
        np.add.at(expected, one, seats.share * chance)
        np.add.at(expected, two, seats.share * (1 - chance))
        return before, expected, after

    def _entered(self, known: dict[str, FloatArray], period: IntArray) -> FloatArray:
        """The ratings with which players enter their games."""
        known["rating"] = np.where(np.isnan(known["rating"]), self.model.start, known["rating"])
        return self.model.begun(known, period)["rating"]

    def _expected(self, done: RatedGames) -> tuple[FloatArray, FloatArray]:
        """Both ratings before each game, and White's expected score; NaN where there is none."""
        assert done.walk is not None
        sides, games = done.walk.before(), done.walk.games
        before = np.stack([self._entered(side, games.period) for side in sides], axis=1)
        there = ~np.isnan(before).any(axis=1)
        one, two = ({name: x[there] for name, x in side.items()} for side in sides)
        neutral = np.zeros(there.size, bool) if games.neutral is None else games.neutral
        chance = np.full(there.size, np.nan)
        made = predict(self.model, one, two, neutral[there], None, games.period[there])
        chance[there] = made.expected
        return before, chance

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What one should know of how the tables were read: columns that are called nearly as one
        that would be read, and names that were taken for one player, or look as if they should."""
        same = tables.alike(self._table, self._names) if self._seats is None else ()
        return (*self._notes, *same)

    def predict(self, fixtures: AnyTable, *, draws: str | None = None) -> AnyTable:
        """Predict games to come: the expected score of White in each, and win, draw and loss.

        >>> rated = Elo(model="logistic", home=60).rate([("Ana", "Bo", 1), ("Bo", "Cy", 1)])
        >>> made = rated.predict([("Ana", "Cy", None)], draws="split")
        >>> [round(made[key][0], 3) for key in ("expected", "win", "draw", "loss")]
        [0.609, 0.371, 0.476, 0.153]

        All are predicted from the ratings after the rated games, with the system's advantage, the
        season and the growth of deviations.

        Args:
            fixtures: A row per game, ``white`` and ``black``, and if known ``neutral``, ``period``
                (the next one without it) and ``result``.
            draws: ``"davidson:ν"``, with the ν that :func:`check` finds, or ``"split"``, for
                probabilities of win, draw and loss that make the expected score. A fit and
                :class:`Ioffe` have draws of their own. Default: no such probabilities.
        Returns: Of the kind of ``fixtures``, with their columns, then White's ``expected`` score;
            ``win``, ``draw`` and ``loss`` where draws are known; and ``score``, White's as a
            number, if there is a ``result``. Games of players without a rating stay blank.
        Raises:
            OptionError: For draws that are unknown or not the system's own.
            SizeError, DomainError, RatingError: As in :meth:`System.rate`, unless for strangers.
        """
        known = {name: x for name, x in self._done.state.items() if name in self.model.columns}
        return predicted(self.model, self._names, known, GivenTable(fixtures, "games"), draws)

    def update(
        self,
        games: Table,
        *,
        columns: Mapping[str, str | Sequence[str]] | None = None,
        period: Period | None = None,
    ) -> Rated:
        """Go on with more games, by players known or new: as rating all at once, to the last bit.

        >>> games = [("Ana", "Bo", 1), ("Bo", "Cy", 1), ("Cy", "Di", 0.5)]
        >>> some, all_ = Elo().rate(games[:1]), Elo().rate(games)
        >>> some.update(games[1:]).players == all_.players
        True

        The arguments are those of :meth:`System.rate`; games of sides have no ``period``.
        """
        loose, mark = self._names.loose, None if self._seats is None else self._seats.mark
        table = GivenTable(games, "games").named(columns, mark or "")
        known = tables.met(table, loose=loose) if mark is None else _members(table, mark)
        new = [name for name in known if name not in self._names]
        names = Names([*self._names.given, *new], loose=loose)

        def longer(column: FloatArray) -> FloatArray:
            return np.concatenate([column, np.full(len(new), np.nan)])

        before = {name: longer(x) for name, x in self._done.state.items()}
        entrants = None
        if self._entrants is not None:
            own = {name: [*self._entrants.values(name), *[None] * len(new)]
                   for name in self._entrants.columns}  # fmt: skip
            own["name"] = list(names.given)
            entrants = GivenTable(self._entrants.like(own), "players")
        so_far = longer(self._played)
        k = None if self._k is None else longer(self._k)
        seats = None if mark is None else _seated(table, names, mark)
        read = tables.timed(table, names, period) if seats is None else seats.read
        notes = self._notes if seats else (*self._notes, *_near_misses(table, _GAMES))
        days = np.concatenate([self._latest, np.full(len(new), -np.inf)])
        return Rated(
            self.model, table, entrants, names, read, before, so_far, k, days, notes, seats
        )


class Evaluation(NamedTuple):
    """How well a system predicted: what :func:`evaluate` gives."""

    games: int
    """how many were predicted"""
    log_loss: float
    """the mean log loss of the expected scores: the lower, the better"""
    brier: float
    """their Brier score"""
    base: float
    """the log loss of expecting the mean score of these games of every one"""
    expected: list[float]
    """what was expected of each game, in the order in which they were played"""
    score: list[float]
    """White's score in each"""

    def calibration(self, bins: int = 10) -> dict[str, list[float]]:
        """Games by expected score, as :func:`elo_xl.calibration` has them."""
        return calibration(self.expected, self.score, bins=bins)  # type: ignore[no-any-return]


@as_in(System.rate)
def evaluate(
    model: System,
    games: Table,
    players: Table | None = None,
    *,
    after: object = None,
    names: NamesRead = "exact",
    columns: Mapping[str, str] | None = None,
    period: Period | None = None,
) -> Evaluation:
    """How well a system would have predicted games, each from what was known before it.

    >>> games = [("Ana", "Bo", 1), ("Bo", "Cy", 1), ("Ana", "Cy", 1), ("Cy", "Bo", 0)]
    >>> found = evaluate(Elo(k=20), games, after=2)
    >>> found.games, [round(x, 3) for x in found.expected], round(found.log_loss, 4)
    (2, [0.529, 0.472], 0.6379)

    Args:
        model: The system.
        after (date, text or number, optional): Only later games are predicted; all are rated. A
            date or ISO text where the games have a ``date``, otherwise a period, or without periods
            how many games come before. Default: all are predicted.
    Returns: The losses, and what was expected of each game.
    """
    rated = _system(model).rate(games, players, names=names, columns=columns, period=period)
    return _judged(rated, after)


@as_in(evaluate)
def tune(
    kind: Callable[..., System],
    games: AnyTable,
    players: Table | None = None,
    *,
    after: object = None,
    names: NamesRead = "exact",
    columns: Mapping[str, str] | None = None,
    period: Period | None = None,
    tasks: Callable[..., Iterable[tuple[float, float]]] = map,
    **options: Iterable[object],
) -> AnyTable:
    """How well a kind of system would have predicted with each combination of options.

    >>> games = [("Ana", "Bo", 1), ("Bo", "Cy", 1), ("Ana", "Cy", 1)] * 20
    >>> table = tune(Elo, games, k=[10, 40], home=[0, 50])
    >>> table["k"], table["home"], [round(x, 3) for x in table["log_loss"]]
    ([40, 40, 10, 10], [50, 0, 50, 0], [0.221, 0.257, 0.387, 0.463])

    Args:
        kind (class): What makes the system: :class:`Elo`, :class:`Glicko` or any other.
        tasks (callable, default map): What maps a function over tasks, as a pool of processes does.
        options (lists): What is tried of each option of ``kind``.
    Returns: Of the kind of ``games``, the best first: options, ``log_loss`` and ``brier``.
    """
    if not options:
        raise SizeError("tune needs at least one option, such as k=[10, 20, 40]")
    tried = [dict(zip(options, each, strict=True)) for each in product(*options.values())]
    made = [_system(kind(**each)) for each in tried]
    # names and dates are read once
    first = made[0].rate(games, players, names=names, columns=columns, period=period)
    found = list(tasks(partial(_loss, first, after), made))
    order = sorted(range(len(found)), key=lambda i: found[i])
    table = {name: [tried[i][name] for i in order] for name in options}
    losses = {"log_loss": [found[i][0] for i in order], "brier": [found[i][1] for i in order]}
    return GivenTable(games, "games").like(table | losses)


def _loss(first: Rated, after: object, model: System) -> tuple[float, float]:
    """The losses of a system on games that are read."""
    unknown = np.full(first._so_far.size, np.nan)
    before = {name: first._before.get(name, unknown) for name in model.columns}
    found = _judged(replace(first, model=model, _before=before), after)
    return found.log_loss, found.brier


def _judged(rated: Rated, after: object) -> Evaluation:
    played = rated._read.played
    _, chance = rated._expected(rated._carried(history=True))
    wanted = _later(rated, after) & ~np.isnan(chance)
    if not wanted.any():
        raise SizeError("there is no game to predict")
    expected, score = chance[wanted], played.score[wanted]
    losses = quality.log_loss(expected, score), quality.brier(expected, score)
    base = quality.log_loss(np.full(score.shape, score.mean()), score)
    return Evaluation(score.size, *losses, base, expected.tolist(), score.tolist())


def _later(rated: Rated, after: object) -> Any:
    """Which games are to be predicted."""
    played, dates, number = rated._read
    if after is None:
        return np.ones(played.rows.size, bool)
    if dates is not None:
        return dates.later(after)
    if not isinstance(after, int | float):
        raise DomainError(f"the games have no dates: after must be a number, got {after!r}")
    return (np.arange(1, played.rows.size + 1) if number is None else number) > after


own(vars())
