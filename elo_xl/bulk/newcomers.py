"""Unrated players: their games count on from period to period, until there is a first rating.

So it is when ``elo-xl close`` closes the periods of a club. A period is an event here, and one with
which somebody begins without a point is disregarded where the rulebook says so (FIDE B.02, 8.2.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.performance import Games
from elo_xl.engine.period import period
from elo_xl.engine.ratings import first_rating
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.engine.rulebooks.event import Players
from elo_xl.engine.rulebooks.rulebook import Linear

SPAN: Final = {"day": 791, "week": 113, "month": 26, "quarter": 8, "year": 2}
"""For how many periods these games count, that of the rating among them: 26 months (FIDE B.02,
7.1.4), of which only whole quarters and years count."""

_MANY: Final = 1000
"""Games of a player who is not new."""
_NEVER: Final = np.iinfo(np.int64).max


class NewcomerGames(NamedTuple):
    """Games of unrated players against rated ones, one by one or added up; all are arrays."""

    player: IntArray
    period: IntArray
    games: IntArray
    halves: IntArray
    """half points"""
    rating: FloatArray
    """the sum of the opponents' ratings"""

    @classmethod
    def none(cls) -> NewcomerGames:
        zero = np.zeros(0, np.int64)
        return cls(zero, zero, zero, zero, np.zeros(0))

    @classmethod
    def each(
        cls, player: IntArray, rating: FloatArray, halves: IntArray, period: int
    ) -> NewcomerGames:
        """The games of a period, in an order that is always the same."""
        order = np.lexsort((halves, rating, player))
        ones = np.ones(player.size, np.int64)
        return cls(player[order], period * ones, ones, halves[order], rating[order])

    def of(self, which: npt.NDArray[np.bool_] | IntArray) -> NewcomerGames:
        """Some of them."""
        player, period, games, halves = (column[which] for column in self[:4])
        return NewcomerGames(player, period, games, halves, self.rating[which])

    def since(self, period: int) -> NewcomerGames:
        """Those of a period and later ones."""
        return self.of(self.period >= period)

    def added_up(self) -> NewcomerGames:
        """The same in one row for each player, if they are of one period."""
        who, at = np.unique(self.player, return_inverse=True)
        games, halves = (_sum(at, x).astype(np.int64) for x in (self.games, self.halves))
        return NewcomerGames(who, self.period[: who.size], games, halves, _sum(at, self.rating))

    def and_(self, others: NewcomerGames) -> NewcomerGames:
        """Both, in the order of players and periods."""
        both = joined([self, others])
        return both.of(np.lexsort((both.period, both.player)))


class Newcomers:
    """The unrated players of a period with the number ``period``; ``earlier`` are the games that
    they bring along.

    >>> from elo_xl.engine.rulebooks import rulebook
    >>> three = NewcomerGames.each(np.array([7, 7, 7]), np.full(3, 2200.0), np.array([1, 1, 1]), 0)
    >>> first = Newcomers(rulebook("fide"), period=0)
    >>> first.rate(three)
    >>> first.who.tolist(), first.waiting.games.tolist()
    ([], [3])
    >>> second = Newcomers(rulebook("fide"), first.waiting, 1)
    >>> second.rate(three._replace(period=three.period + 1))
    >>> second.who.tolist(), second.games.tolist(), second.rating.tolist()
    ([7], [6], [2100.0])
    """

    def __init__(
        self, rules: Rulebook, earlier: NewcomerGames | None = None, period: int = 0
    ) -> None:
        self.rules, self.period = rules, period
        self.earlier = NewcomerGames.none() if earlier is None else earlier
        self.waiting = self.earlier
        """the games that those who are still unrated bring along to the next period"""
        self.who: IntArray = np.zeros(0, np.int64)
        """the players with a first rating, in their order"""
        self.rating: FloatArray = np.zeros(0)
        self.games: IntArray = np.zeros(0, np.int64)
        """the games of which it was made"""

    def pooled(self, now: NewcomerGames, playing: IntArray) -> NewcomerGames:
        """All games that count, for those who play in this period; ``now`` are its own."""
        earlier = self.earlier.of(np.isin(self.earlier.player, playing))
        rows = earlier.and_(now)
        if self.rules.first.zero_counts or self.rules.counts.with_newcomers:
            return rows
        who, at = np.unique(rows.player, return_inverse=True)
        begun = np.full(who.size, _NEVER)
        np.minimum.at(begun, at, np.where(rows.halves > 0, rows.period, _NEVER))
        return rows.of(rows.period >= begun[at])

    def rate(self, now: NewcomerGames) -> None:
        """Find first ratings, with the games of this period."""
        if self.rules.first.by_sums:
            now = now.added_up()
        rows = self.pooled(now, now.player)
        who, at = np.unique(rows.player, return_inverse=True)
        games, score = _sum(at, rows.games), _sum(at, rows.halves) / 2
        if self.rules.first.by_sums:
            sums = Games.summed(games, _sum(at, rows.rating), score)
            with np.errstate(invalid="ignore", divide="ignore"):
                rating = self.rules.first(sums, np.full(who.size, np.nan)).rating
        else:
            rating = first_rating(rows.rating, score, self.rules, player=at)
        known = self.rules.first.published(rating, games, score)
        self.settle(rows, now.player, who[known], rating[known], games[known])

    def settle(
        self,
        rows: NewcomerGames,
        playing: IntArray,
        who: IntArray,
        rating: FloatArray,
        games: AnyArray,
    ) -> None:
        """Take first ratings as found; the games of all others wait."""
        self.who, self.rating, self.games = who, rating, games.astype(np.int64)
        absent = self.earlier.of(~np.isin(self.earlier.player, playing))
        self.waiting = absent.and_(rows.of(~np.isin(rows.player, who)))

    def put(self, values: AnyArray, into: AnyArray, start: int) -> None:
        """Write numbers of those with a first rating among those of players from ``start`` on."""
        some = slice(*np.searchsorted(self.who, (start, start + into.size)))
        into[self.who[some] - start] = values[some]


def joined(parts: Sequence[NewcomerGames]) -> NewcomerGames:
    """All of them, one after another."""
    columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    player, period, games, halves, rating = columns
    return NewcomerGames(player, period, games, halves, rating)


def _sum(at: IntArray, values: AnyArray) -> FloatArray:
    """The sums of numbers by the place at which each belongs."""
    return np.bincount(at, values).astype(float)


def rate_together(
    players: Players,
    newcomers: Newcomers,
    first: IntArray,
    second: IntArray,
    score: FloatArray,
    home: float = 0.0,
) -> tuple[FloatArray, IntArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Rate all games of a period at once: K, games, score, expected score, change and new rating of
    each player."""
    book, size, unrated = newcomers.rules, players.rating.size, np.isnan(players.rating)
    own, other = np.append(first, second), np.append(second, first)
    halves = (2 * np.append(score, 1 - score)).astype(np.int64)
    counts = unrated[own] & ~unrated[other]
    opponents = players.rating[other[counts]]
    now = NewcomerGames.each(own[counts], opponents, halves[counts], newcomers.period)
    alone = isinstance(book.change, Linear)
    playing = now.player if alone else np.unique(own[unrated[own]])
    rows = NewcomerGames.none() if alone else newcomers.pooled(now, playing)
    # whom they met before is in this event too: somebody of whom all that matters is known
    before = rows.of(rows.period != newcomers.period)
    more = before.player.size
    unknown = np.full(more, np.nan)
    done = period(
        np.append(players.rating, before.rating),
        np.append(players.k, unknown),
        np.append(first, before.player),
        np.append(second, size + np.arange(more)),
        np.append(score, before.halves / 2),
        book,
        games=np.append(players.games, np.full(more, _MANY)),
        age=np.append(players.age, unknown),
        peak=np.append(players.peak, before.rating),
        index=np.append(players.index, np.full(more, _MANY)),
        home=home,
    )
    k, points, expected = done.k[:size], done.score[:size], done.expected[:size]
    games, change, new = done.games[:size], done.change[:size], done.new[:size]
    if alone:
        newcomers.rate(now)
        new = np.where(unrated, np.nan, new)
        newcomers.put(newcomers.rating, new, 0)
    else:
        who = np.flatnonzero(unrated & ~np.isnan(new))
        newcomers.settle(rows, playing, who, new[who], games[who])
        games = games - np.bincount(before.player, minlength=size)
        points = points - np.bincount(before.player, before.halves / 2, size)
    return k, games, points, expected, change, new
