"""One period in batches: games in, and out come the changes that a single table would give.

Each player's games, half points and expected points are added up as whole numbers: hundredths where
the rulebook counts them (FIDE B.02, 8.1.2), otherwise 2⁻⁴⁰ of a point. Sums of whole numbers do not
depend on their order, so any batches, files or computers give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.bulk.newcomers import NewcomerGames, Newcomers, rate_together
from elo_xl.bulk.newcomers import joined as together
from elo_xl.bulk.quality import Quality
from elo_xl.engine import systems
from elo_xl.engine.errors import OptionError, require
from elo_xl.engine.games import columns, played
from elo_xl.engine.models import IntArray
from elo_xl.engine.rounding import FloatArray
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.engine.rulebooks.event import BLOCK, SMALL, Players
from elo_xl.engine.rulebooks.rulebook import Linear
from elo_xl.engine.sequence import CHUNK
from elo_xl.engine.systems import ByPeriod, State, System

FINE: Final = 1 << 40
"""Parts of a point in which expected scores are added where the rulebook has no unit of its own."""

# One number holds a player's games, half points and hundredths, so that a game writes to one place
# in memory for each of its players: the places, and not the arithmetic, are what takes the time.
_HALVES, _GAMES = 25, 44
_CHANCE_MASK, _HALVES_MASK = (1 << _HALVES) - 1, (1 << _GAMES - _HALVES) - 1
_MOST: Final = (1 << 18) - 1
"""Games of a player for which that number has room."""

_NEAR: Final = 1 << 12
"""Games whose players' numbers stay in the cache until the second of the two is added."""

Wide = tuple[IntArray, IntArray, IntArray]
"""games, half points, expected score"""


class Rated(NamedTuple):
    """What a period did to players; every field has one number for each."""

    k: FloatArray
    """the K factor that applied; NaN where a system has none"""
    games: IntArray
    """rated games"""
    score: FloatArray
    """points in them"""
    expected: FloatArray
    """expected points in them; NaN for unrated players and where a system has none"""
    change: FloatArray
    """the change in rating points, unrounded; NaN for unrated players"""
    new: FloatArray
    """the rating after the period; NaN for players who still have none"""
    state: State
    """what a system keeps besides: the columns that are not the rating"""


class Sums(NamedTuple):
    """What some games add to a period, for those who played; every field is an array."""

    player: IntArray
    """the players' indices, each once"""
    games: IntArray
    halves: IntArray
    """half points"""
    chance: IntArray
    """expected score in the rulebook's units, or in 2⁻⁴⁰ of a point"""
    met: IntArray
    """sum of the rated opponents' ratings, for unrated players"""
    newcomer: IntArray
    """the unrated player of each game against a rated one, where sums do not suffice"""
    against: FloatArray
    """the opponent's rating in it"""
    scored: IntArray
    """and the half points"""


def in_blocks(rules: str | Path | Rulebook) -> bool:
    """Whether a period can be rated in batches: each game stands alone under the rulebook.

    >>> in_blocks("fide"), in_blocks("fide-2022-01"), in_blocks("us-chess")
    (True, False, False)
    """
    book = rulebook(rules)
    return type(book.change) is Linear and not book.difference.whole_event


class Period:
    """A period whose games come in batches.

    >>> period = Period(Players.known([1800.0, 1860.0, 1500.0], 20))
    >>> period.add([0], [1], [1])
    >>> period.add([2, 0], [0, 2], [0.5, 1])
    >>> done = period.finish()
    >>> done.games.tolist(), done.change.tolist(), done.new.tolist()
    ([3, 1, 2], [7.6, -11.6, 4.0], [1808.0, 1848.0, 1504.0])

    ``home`` points are added to the first player. ``lists`` says whether the games of unrated
    players are kept one by one; unless that is given, sums of them suffice if the rulebook asks for
    no more and the ratings are whole, which of a part of the players cannot be told. ``newcomers``
    bring games of earlier periods along. Raises OptionError for a rulebook under which games do not
    stand alone (:func:`in_blocks`), and for a K under one that takes only its own.
    """

    def __init__(
        self,
        players: Players,
        rules: str | Path | Rulebook = "fide",
        *,
        home: float = 0.0,
        lists: bool | None = None,
        newcomers: Newcomers | None = None,
    ) -> None:
        self.book = rulebook(rules)
        if not in_blocks(self.book):
            raise OptionError(f"under {self.book.name} the games of a period do not stand alone")
        self.book.change.check_k(self.book, players)
        self.players = players
        self.newcomers = newcomers or Newcomers(self.book)
        self.ratings: npt.NDArray[Any] = players.rating
        unrated = np.isnan(players.rating)
        self._rated = ~unrated if unrated.any() else None
        self._lost, self._spared = self._by_difference(home)
        size = players.rating.size
        self._whole_units = self.book.expected.unit > 1
        # both numbers of a player are side by side, so that the second is in the cache
        sums = np.zeros((1 if self._whole_units else 2, size), np.int64, order="F")
        self._packed = sums[0]
        self._fine = None if self._whole_units else sums[1]
        self._wide: Wide | None = None
        self._room = _MOST
        if lists is None:
            lists = not (self.book.first.by_sums and self.ratings.dtype.kind == "i")
        self._met = None if self._rated is None or lists else np.zeros(size, np.int64)
        self._lists: list[tuple[IntArray, FloatArray, IntArray]] = []
        self.quality = Quality()

    def _by_difference(
        self, home: float
    ) -> tuple[Callable[[npt.NDArray[Any]], IntArray], Callable[[npt.NDArray[Any], int], IntArray]]:
        """What follows from differences of ratings: the first player's expected score, and how much
        more it is, for the first player (1) or the second (-1), if the difference is not cut."""
        cut, units, unit = self.book.difference.cut, self.book.expected.units, self.book.expected
        grain = 1 if unit.unit > 1 else FINE

        def whole(expected: FloatArray) -> IntArray:
            return np.rint(expected * grain).astype(np.int64)

        def lost(ahead: npt.NDArray[Any]) -> IntArray:
            return whole(units(cut(ahead + home)))

        def spared(ahead: npt.NDArray[Any], side: int) -> IntArray:
            own = side * (ahead + home)
            return whole(units(own)) - whole(units(cut(own)))

        small = _small(self.players.rating)
        if small is None:
            return lost, spared
        span = int(small.max()) - int(small.min())
        # Ratings of 16 bits take a quarter of the cache, and a table of all differences is cheaper
        # than the games: 0 to span, then -span to -1, so that -3 finds its row.
        self.ratings = small
        rows = np.roll(np.arange(-span, span + 1.0), -span)
        table, more = lost(rows), {side: spared(rows, side) for side in (1, -1)}
        return lambda ahead: table[ahead], lambda ahead, side: more[side][ahead]

    def add(self, first: npt.ArrayLike, second: npt.ArrayLike, score: npt.ArrayLike) -> None:
        """Add games: the indices of both players, and the first one's score (NaN: not played).

        Raises SizeError for indices out of range and lists of different lengths, DomainError for a
        score other than 1, 0.5 and 0, and for a player paired with themselves.
        """
        one, two, points = columns(first, second, score)
        for start in range(0, points.size, BLOCK):
            part = slice(start, start + BLOCK)
            self._block(*played(one[part], two[part], points[part], self._packed.size))

    def _block(self, a: IntArray, b: IntArray, score: FloatArray) -> None:
        self._make_room(a.size)
        halves = (2 * score).astype(np.int64)
        require(halves == 2 * score, "score must be 1, 0.5 or 0", score)
        if self._rated is not None:
            one, two = self._rated.take(a), self._rated.take(b)
            self._first_games(a, b, halves, two & ~one)
            self._first_games(b, a, 2 - halves, one & ~two)
            both = one & two
            a, b, halves = a[both], b[both], halves[both]
        own, other = self.ratings.take(a), self.ratings.take(b)
        if not self.book.counts.all_rated:
            counts = self.book.counts(own, other)
            if not counts.all():
                a, b, halves = a[counts], b[counts], halves[counts]
                own, other = own[counts], other[counts]
        ahead = own - other
        chance = self._lost(ahead)
        self.quality.add(chance, self.book.expected.unit if self._whole_units else FINE, halves)
        # games, half points and expected score of both players together are the same in every game
        halves <<= _HALVES
        halves += 1 << _GAMES
        both_sides = (2 << _GAMES) + (2 << _HALVES)
        if self._fine is None:
            add = self._packed
            halves += chance
            np.add.at(add, a, halves)
            np.add.at(add, b, both_sides + self.book.expected.unit - halves)
        else:
            add = self._fine
            for start in range(0, a.size, _NEAR):
                some = slice(start, start + _NEAR)
                for player, packed, fine in (
                    (a[some], halves[some], chance[some]),
                    (b[some], both_sides - halves[some], FINE - chance[some]),
                ):
                    np.add.at(self._packed, player, packed)
                    np.add.at(add, player, fine)
        for player, rating, side in ((a, own, 1), (b, other, -1)):
            exempt = self.book.difference.exempt(rating)
            if exempt is not None:
                few = np.flatnonzero(exempt)
                np.add.at(add, player[few], self._spared(ahead[few], side))

    def _first_games(
        self, own: IntArray, other: IntArray, halves: IntArray, counts: npt.NDArray[np.bool_]
    ) -> None:
        """Count games of unrated players against rated ones, for the former alone."""
        if not counts.any():
            return
        player, scored = own[counts], halves[counts]
        np.add.at(self._packed, player, (1 << _GAMES) + (scored << _HALVES))
        met = self.ratings[other[counts]]
        if self._met is not None:
            np.add.at(self._met, player, met.astype(np.int64))
        else:
            self._lists.append((player.astype(np.int32), met.astype(float), scored))

    def _make_room(self, games: int) -> None:
        """See to it that so many games of one player fit into the packed numbers."""
        if games <= self._room:
            self._room -= games
            return
        fullest = int(self._packed.max(initial=0)) >> _GAMES
        if fullest > _MOST // 2:
            every = slice(None)
            self._wide, fullest = self._sums(every), 0
            self._packed[:] = 0
            if self._fine is not None:
                self._fine[:] = 0
        self._room = _MOST - fullest - games

    def _sums(self, part: slice) -> Wide:
        packed = self._packed[part]
        games, halves = packed >> _GAMES, packed >> _HALVES & _HALVES_MASK
        chance = packed & _CHANCE_MASK if self._fine is None else self._fine[part].copy()
        if self._wide is not None:
            for own, before in zip((games, halves, chance), self._wide, strict=True):
                own += before[part]
        return games, halves, chance

    def sums(self) -> Sums:
        """What was added so far, to be merged elsewhere into a period of the same players."""
        games, halves, chance = self._sums(slice(None))
        player = np.flatnonzero(games)
        met = np.zeros(0, np.int64) if self._met is None else self._met[player]
        return Sums(player, games[player], halves[player], chance[player], met, *self._gathered())

    def merge(self, sums: Sums) -> None:
        """Add what was added to a period of the same players elsewhere; the order is all one."""
        wide = tuple(column.copy() for column in self._sums(slice(None)))
        for own, more in zip(wide, (sums.games, sums.halves, sums.chance), strict=True):
            np.add.at(own, sums.player, more)
        self._wide = wide[0], wide[1], wide[2]
        self._packed[:] = 0
        if self._fine is not None:
            self._fine[:] = 0
        self._room = _MOST
        if self._met is not None:
            np.add.at(self._met, sums.player, sums.met)
        self._lists.append((sums.newcomer, sums.against, sums.scored))

    def _gathered(self) -> tuple[IntArray, FloatArray, IntArray]:
        """The games of unrated players in an order of their own, whatever order they came in."""
        if not self._lists:
            return np.zeros(0, np.int32), np.zeros(0), np.zeros(0, np.int64)
        player, met, scored = (np.concatenate(x) for x in zip(*self._lists, strict=True))
        order = np.lexsort((scored, met, player))
        return player[order], met[order], scored[order]

    def parts(self) -> Iterator[tuple[slice, Rated]]:
        """The outcome for block after block of the players, which takes less memory than all."""
        if self._rated is not None:
            self.newcomers.rate(self._of_newcomers(~self._rated))
        for start in range(0, max(self._packed.size, 1), BLOCK):
            part = slice(start, min(start + BLOCK, self._packed.size))
            yield part, self._outcome(part)

    def _of_newcomers(self, unrated: npt.NDArray[np.bool_]) -> NewcomerGames:
        """The games of unrated players, or the sums of them."""
        number = self.newcomers.period
        if self._met is None:
            player, met, scored = self._gathered()
            return NewcomerGames.each(player, met, scored, number)
        found = [NewcomerGames.none()]
        for start in range(0, unrated.size, BLOCK):
            part = slice(start, start + BLOCK)
            games, halves, _ = self._sums(part)
            some = np.flatnonzero(unrated[part] & (games > 0))
            met = self._met[part][some].astype(float)
            period = np.full(some.size, number)
            found.append(NewcomerGames(start + some, period, games[some], halves[some], met))
        return together(found)

    def _outcome(self, part: slice) -> Rated:
        games, halves, chance = self._sums(part)
        some = of_part(self.players, part)
        units = chance.astype(float) if self._whole_units else chance / FINE
        change = self.book.change
        assert isinstance(change, Linear)
        done = change.summed(self.book, some, games.astype(float), halves / 2, units)
        new = self.book.rounding(some.rating, done.change, some.peak)
        if self._rated is not None:
            new = np.where(self._rated[part], new, np.nan)
            self.newcomers.put(self.newcomers.rating, new, part.start)
        return Rated(done.k, games, done.score, done.expected, done.change, new, {})

    def finish(self) -> Rated:
        """The outcome for all players."""
        return joined(rated for _, rated in self.parts())


def _small(rating: FloatArray) -> npt.NDArray[np.int16] | None:
    """Ratings as whole numbers of 16 bits, if they are; any number where there is none."""
    low, high = np.fmin.reduce(rating, initial=np.inf), np.fmax.reduce(rating, initial=-np.inf)
    if not (low > -SMALL and high < SMALL and low <= high):
        return None
    small = np.empty(rating.size, np.int16)
    for start in range(0, rating.size, BLOCK):
        some = rating[start : start + BLOCK]
        known = np.where(np.isnan(some), low, some)
        small[start : start + BLOCK] = known.astype(np.int16)
        if not (small[start : start + BLOCK] == known).all():
            return None
    return small


class Gathered:
    """A period whose games must all be there before it is rated; they take 9 bytes each.

    ``after`` rates them. The interface is that of :class:`Period`.
    """

    def __init__(self, size: int, after: Callable[[IntArray, IntArray, FloatArray], Rated]) -> None:
        self.size, self.after = size, after
        self._games: list[tuple[npt.NDArray[Any], ...]] = []

    def add(self, first: npt.ArrayLike, second: npt.ArrayLike, score: npt.ArrayLike) -> None:
        """Add games (:meth:`Period.add`, with its errors)."""
        one, two, points = played(*columns(first, second, score), self.size)
        halves = (2 * points).astype(np.uint8)
        require(halves == 2 * points, "score must be 1, 0.5 or 0", points)
        self._games.append((one.astype(np.int32), two.astype(np.int32), halves))

    def parts(self) -> Iterator[tuple[slice, Rated]]:
        """The outcome, for all players at once."""
        yield slice(0, self.size), self.finish()

    def finish(self) -> Rated:
        """The outcome for all players."""
        none = np.zeros(0, np.int32)
        one, two, halves = (
            np.concatenate(x) for x in zip((none, none, none), *self._games, strict=True)
        )
        return self.after(one, two, halves / 2)


def begin(
    players: Players,
    rules: str | Path | Rulebook = "fide",
    *,
    home: float = 0.0,
    newcomers: Newcomers | None = None,
) -> Period | Gathered:
    """A period under any rulebook: in batches where games stand alone, otherwise gathered first."""
    if in_blocks(rules):
        return Period(players, rules, home=home, newcomers=newcomers)
    fresh = newcomers or Newcomers(rulebook(rules))

    def after(first: IntArray, second: IntArray, score: FloatArray) -> Rated:
        # sorted, so that the order of the files does not show in the last bits of sums
        order = np.lexsort((score, second, first))
        games = first[order], second[order], score[order]
        return Rated(*rate_together(players, fresh, *games, home), state={})

    return Gathered(players.rating.size, after)


def under(system: System, state: State, gap: int = 1) -> Gathered | InTurn:
    """A period under a system that carries its ratings, so many periods after the one before."""
    if not isinstance(system, ByPeriod):
        return InTurn(system, state)
    size = state["rating"].size

    def after(first: IntArray, second: IntArray, score: FloatArray) -> Rated:
        number = np.zeros(score.size, np.int64)
        games = np.bincount(first, minlength=size) + np.bincount(second, minlength=size)
        points = np.bincount(first, score, size) + np.bincount(second, 1 - score, size)
        done = system.after(
            state, systems.OrderedGames(first, second, score, number, None, None), gap
        )
        return _carried(state, done, games, points.astype(float))

    return Gathered(size, after)


def _carried(before: State, after: State, games: IntArray, points: FloatArray) -> Rated:
    none = np.full(games.size, np.nan)
    change = after["rating"] - before["rating"]
    return Rated(none, games, points, none, change, after["rating"], after)


class InTurn:
    """A period whose games are rated one after another, in the order in which they come.

    They go to the system in parts of one size, so that the batches do not show in the last bits.
    The interface is that of :class:`Period`.
    """

    def __init__(self, system: System, state: State) -> None:
        self.system, self.before, self.state = system, state, state
        self.size = state["rating"].size
        self.games = np.zeros(self.size, np.int64)
        self.points = np.zeros(self.size)
        self._waiting: list[tuple[IntArray, IntArray, FloatArray]] = []
        self._count = 0

    def add(self, first: npt.ArrayLike, second: npt.ArrayLike, score: npt.ArrayLike) -> None:
        """Add games (:meth:`Period.add`, with its errors)."""
        some = played(*columns(first, second, score), self.size)
        self._waiting.append(some)
        self._count += some[0].size
        while self._count >= CHUNK:
            self._rate(CHUNK)

    def _rate(self, games: int) -> None:
        """Rate so many of the waiting games."""
        if not games:
            return
        columns = [np.concatenate(x) for x in zip(*self._waiting, strict=True)]
        first, second, score = (x[:games] for x in columns)
        one, two, points = (x[games:] for x in columns)
        self._waiting, self._count = [(one, two, points)], one.size
        self.state = self.system.rate(first, second, score, self.size, before=self.state).state
        for player, scored in ((first, score), (second, 1 - score)):
            np.add.at(self.games, player, 1)
            np.add.at(self.points, player, scored)

    def parts(self) -> Iterator[tuple[slice, Rated]]:
        """The outcome, for all players at once."""
        yield slice(0, self.size), self.finish()

    def finish(self) -> Rated:
        """The outcome for all players."""
        self._rate(self._count)
        return _carried(self.before, self.state, self.games, self.points)


def of_part(players: Players, part: slice) -> Players:
    """Some of the players."""
    return Players(
        players.rating[part],
        players.k[part],
        players.games[part],
        players.age[part],
        players.peak[part],
    )


def joined(parts: Iterator[Rated]) -> Rated:
    """The outcomes of parts of the players as one."""
    *numbers, _ = (list(x) for x in zip(*parts, strict=True))
    k, games, score, expected, change, new = (np.concatenate(x) for x in numbers)
    return Rated(k, games, score, expected, change, new, {})
