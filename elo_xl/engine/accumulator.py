"""The sums of a period's games: exact, and so the same in whatever order the games come.

Each player's games, half points and expected points are added up as whole numbers: hundredths
where the rulebook counts them (FIDE B.02, 8.1.2), otherwise 2⁻⁴⁰ of a point or finer. Sums of whole
numbers do not depend on their order: any batches, files or computers give the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.errors import OptionError, require
from elo_xl.engine.games import BLOCK, Index, columns, different, half_points, played, rest_of
from elo_xl.engine.rulebooks.event import Players
from elo_xl.engine.rulebooks.rulebook import Changed, Linear, Rulebook

FINE: Final = 1 << 40
"""Parts of a point in which expected scores are added where the rulebook has no unit of its own and
the number of games is not known: eight million games of a player do not overflow."""

SMALL: Final = 1 << 14
"""Differences of numbers below this fit into 16 bits."""

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


class Accumulator:
    """What the games of a period add to each of its players.

    >>> from elo_xl.engine.rulebooks import rulebook
    >>> sums = Accumulator(Players.known([1800.0, 1860.0, 1500.0], 20), rulebook("fide"))
    >>> sums.add([0], [1], [1])
    >>> sums.add([2, 0], [0, 2], [0.5, 1])
    >>> done = sums.changed()
    >>> done.games.tolist(), done.score.tolist(), done.change.tolist()
    ([3.0, 1.0, 2.0], [2.5, 0.0, 0.5], [7.6, -11.6, 4.0])

    ``home`` points are added to the first player. ``opponents`` asks for the sums of the opponents'
    ratings; without it they are kept for unrated players alone, whose games are kept one by one if
    sums do not suffice. ``games`` is how many there will be at most, if that is known: the fewer,
    the smaller are the parts of a point, and few are not worth a table of all differences. Raises
    OptionError for a rulebook under which games do not stand alone.
    """

    def __init__(
        self,
        players: Players,
        rules: Rulebook,
        *,
        home: float = 0.0,
        opponents: bool = False,
        games: float = math.inf,
    ) -> None:
        self.book = rules
        if not rules.in_any_order:
            raise OptionError(f"under {rules.name} the games of a period do not stand alone")
        self.players = players
        self.ratings: AnyArray = players.rating
        unrated = np.isnan(players.rating)
        self._rated = ~unrated if unrated.any() else None
        self.unit = rules.expected.unit
        """how many parts of a point expected scores are counted in"""
        fine = self.unit == 1
        if fine:
            self.unit = FINE if math.isinf(games) else 1 << min(52, 62 - int(games).bit_length())
        exempt = rules.difference.exempt(players.rating)
        self._some_exempt = exempt is not None and bool(exempt.any())
        self._lost, self._spared = self._by_difference(home, games)
        size = players.rating.size
        # both numbers of a player are side by side, so that the second is in the cache
        sums = np.zeros((2 if fine else 1, size), np.int64, order="F")
        self._packed = sums[0]
        self._fine = sums[1] if fine else None
        self._wide: Wide | None = None
        self._room = _MOST
        self.opponents: AnyArray | None = None
        """the sums of the opponents' ratings; None if nobody has any"""
        self._all_opponents = opponents
        if opponents:
            self.opponents = np.zeros(size, np.int64 if self.ratings.dtype.kind == "i" else float)
        elif self._rated is not None and rules.first.by_sums and self.ratings.dtype.kind == "i":
            self.opponents = np.zeros(size, np.int64)
        self._lists: list[tuple[IntArray, FloatArray, IntArray]] = []

    def _by_difference(
        self, home: float, games: float
    ) -> tuple[Callable[[AnyArray], IntArray], Callable[[AnyArray, int], IntArray]]:
        """What follows from differences of ratings: the first player's expected score, and how much
        more it is, for the first player (1) or the second (-1), if the difference is not cut."""
        cut, units = self.book.difference.cut, self.book.expected.units
        grain = self.unit // self.book.expected.unit

        def whole(expected: FloatArray) -> IntArray:
            return np.rint(expected * grain).astype(np.int64)

        def lost(ahead: AnyArray) -> IntArray:
            return whole(units(cut(ahead + home)))

        def spared(ahead: AnyArray, side: int) -> IntArray:
            own = side * (ahead + home)
            return whole(units(own)) - whole(units(cut(own)))

        small = _small(self.players.rating)
        span = 0 if small is None else int(small.max()) - int(small.min())
        if small is None or games < 2 * span:
            return lost, spared
        # Ratings of 16 bits take a quarter of the cache, if there are many, and a table of all
        # differences is cheaper than the games: 0 to span, then -span to -1, so that -3 finds its
        # row.
        self.ratings = small if small.size > BLOCK else small.astype(np.int64)
        rows = np.roll(np.arange(-span, span + 1.0), -span)
        table, more = lost(rows), {side: spared(rows, side) for side in (1, -1)}
        return (
            lambda ahead: table[ahead.astype(np.intp, copy=False)],
            lambda ahead, side: more[side][ahead],
        )

    def add(
        self,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        score: npt.ArrayLike,
        second_score: FloatArray | None = None,
        ids: Index | None = None,
    ) -> None:
        """Add games: the indices of both players, and the first one's score (NaN: not played).

        ``second_score`` is the second one's where a penalty makes it less than the rest (NaN: it
        does not). With ``ids`` the players are given by these numbers. Raises SizeError for players
        who are not there and lists of different lengths, DomainError for a score other than 1, 0.5
        and 0, and for a player paired with themselves.
        """
        one, two, points = columns(first, second, score)
        for start in range(0, points.size, BLOCK):
            part = slice(start, start + BLOCK)
            a, b, halves = one[part], two[part], half_points(points[part])
            if ids is not None:
                a, b = ids.of(a), ids.of(b)
            if halves is None:
                a, b, score = played(a, b, points[part], self._packed.size)
                halves = _halves(score)
            else:
                different(a, b, self._packed.size)
            fined = None
            if second_score is not None:
                fined = _halves(rest_of(points[part], second_score[part])) + halves - 2
            self._block(a, b, halves, fined)

    def _block(self, a: IntArray, b: IntArray, halves: IntArray, fined: IntArray | None) -> None:
        self._make_room(a.size)
        if self._rated is not None:
            one, two = self._rated.take(a), self._rated.take(b)
            rest = 2 - halves if fined is None else 2 - halves + fined
            self._first_games(a, b, halves, two & ~one)
            self._first_games(b, a, rest, one & ~two)
            both = one & two
            a, b, halves = a[both], b[both], halves[both]
            fined = None if fined is None else fined[both]
        own, other = self.ratings.take(a), self.ratings.take(b)
        if not self.book.counts.all_rated:
            counts = self.book.counts(own, other)
            if not counts.all():
                a, b, halves = a[counts], b[counts], halves[counts]
                own, other = own[counts], other[counts]
                fined = None if fined is None else fined[counts]
        ahead = own - other
        chance = self._lost(ahead)
        # games, half points and expected score of both players together are the same in every game
        halves <<= _HALVES
        halves += 1 << _GAMES
        both_sides = (2 << _GAMES) + (2 << _HALVES)
        if self._fine is None:
            add = self._packed
            halves += chance
            np.add.at(add, a, halves)
            np.add.at(add, b, np.subtract(both_sides + self.unit, halves, out=halves))
        else:
            add = self._fine
            for start in range(0, a.size, _NEAR):
                some = slice(start, start + _NEAR)
                for player, packed, fine in (
                    (a[some], halves[some], chance[some]),
                    (b[some], both_sides - halves[some], self.unit - chance[some]),
                ):
                    np.add.at(self._packed, player, packed)
                    np.add.at(add, player, fine)
        if fined is not None and fined.any():
            np.add.at(self._packed, b, fined << _HALVES)
        if self._all_opponents:
            assert self.opponents is not None
            kind = self.opponents.dtype
            np.add.at(self.opponents, a, other.astype(kind, copy=False))
            np.add.at(self.opponents, b, own.astype(kind, copy=False))
        for player, rating, side in ((a, own, 1), (b, other, -1)) if self._some_exempt else ():
            few = np.flatnonzero(np.asarray(self.book.difference.exempt(rating)))
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
        if self.opponents is not None:
            np.add.at(self.opponents, player, met.astype(self.opponents.dtype))
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

    def _sums(self, part: slice | IntArray) -> Wide:
        packed = self._packed[part]
        games, halves = packed >> _GAMES, packed >> _HALVES & _HALVES_MASK
        chance = packed & _CHANCE_MASK if self._fine is None else self._fine[part].copy()
        if self._wide is not None:
            for own, before in zip((games, halves, chance), self._wide, strict=True):
                own += before[part]
        return games, halves, chance

    def _gathered(self) -> tuple[IntArray, FloatArray, IntArray]:
        """The games of unrated players in an order of their own, whatever order they came in."""
        if not self._lists:
            return np.zeros(0, np.int32), np.zeros(0), np.zeros(0, np.int64)
        player, met, scored = (np.concatenate(x) for x in zip(*self._lists, strict=True))
        order = np.lexsort((scored, met, player))
        return player[order], met[order], scored[order]

    def changed(self, part: slice = slice(None)) -> Changed:
        """What was added so far changes, for some of the players."""
        games, halves, chance = self._sums(part)
        units = chance / (self.unit // self.book.expected.unit)
        change = self.book.change
        assert isinstance(change, Linear)
        some = self.players.part(part)
        return change.summed(self.book, some, games.astype(float), halves / 2, units)


def _halves(score: FloatArray) -> IntArray:
    """Scores as half points; DomainError for others."""
    halves = half_points(score)
    require(halves is not None or 2 * score % 1 == 0, "score must be 1, 0.5 or 0", score)
    assert halves is not None
    return halves


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
