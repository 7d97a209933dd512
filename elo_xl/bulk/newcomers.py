"""Unrated players: their games count on from period to period, until there is a first rating.

So it is when ``elo-xl close`` closes the periods of a club. A period is an event here, and one with
which somebody begins without a point is disregarded where the rulebook says so (FIDE B.02, 8.2.1).
"""

from __future__ import annotations

from typing import Final

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


_ROW: Final = np.dtype(
    [(x, "i8") for x in ("player", "period", "games", "halves")] + [("rating", "f8")]
)
Rows = npt.NDArray[np.void]
"""Games of unrated players against rated ones, one by one or added up: with half points, and the
sum of the opponents' ratings."""


def rows_of(
    player: IntArray, rating: AnyArray, halves: IntArray, period: int, games: AnyArray | None = None
) -> Rows:
    """The games of a period, in an order that is always the same."""
    rows = np.ones(player.size, _ROW)
    rows["player"], rows["period"], rows["halves"], rows["rating"] = player, period, halves, rating
    if games is not None:
        rows["games"] = games
    return rows[np.lexsort((halves, rating, player))]


def _both(some: Rows, others: Rows) -> Rows:
    """Both, in the order of players and periods."""
    both = np.concatenate([some, others])
    return both[np.lexsort((both["period"], both["player"]))]


class Newcomers:
    """The unrated players of a period with the number ``period``; ``earlier`` are the games that
    they bring along.
    """

    def __init__(self, rules: Rulebook, earlier: Rows | None = None, period: int = 0) -> None:
        self.rules, self.period = rules, period
        self.earlier: Rows = np.zeros(0, _ROW) if earlier is None else earlier
        self.waiting = self.earlier
        """the games that those who are still unrated bring along to the next period"""
        self.who: IntArray = np.zeros(0, np.int64)
        """the players with a first rating, in their order"""
        self.rating: FloatArray = np.zeros(0)
        self.games: IntArray = np.zeros(0, np.int64)
        """the games of which it was made"""

    def pooled(self, now: Rows, playing: IntArray) -> Rows:
        """All games that count, for those who play in this period; ``now`` are its own."""
        rows = _both(self.earlier[np.isin(self.earlier["player"], playing)], now)
        if self.rules.first.zero_counts or self.rules.counts.with_newcomers:
            return rows
        who, at = np.unique(rows["player"], return_inverse=True)
        begun = np.full(who.size, _NEVER)
        np.minimum.at(begun, at, np.where(rows["halves"] > 0, rows["period"], _NEVER))
        return rows[rows["period"] >= begun[at]]

    def rate(self, now: Rows, players: Players) -> None:
        """Find first ratings, with the games of this period."""
        by_sums = self.rules.first.by_sums
        if by_sums:
            who, games, halves, total = _sums(now)
            now = rows_of(who, total, halves.astype(np.int64), self.period, games)
        rows = self.pooled(now, now["player"])
        who, games, halves, total = _sums(rows)
        score, guess = halves / 2, self.rules.first.guess(players.age[who])
        if by_sums:
            sums = Games.summed(games, total, score)
            with np.errstate(invalid="ignore", divide="ignore"):
                rating = self.rules.first(sums, guess).rating
        else:
            at = np.searchsorted(who, rows["player"])
            rating = first_rating(rows["rating"], score, self.rules, player=at, start=guess)
        known = self.rules.first.published(rating, games, score)
        self.settle(rows, now["player"], who[known], rating[known], games[known])

    def settle(
        self, rows: Rows, playing: IntArray, who: IntArray, rating: FloatArray, games: AnyArray
    ) -> None:
        """Take first ratings as found; the games of all others wait."""
        self.who, self.rating, self.games = who, rating, games.astype(np.int64)
        absent = self.earlier[~np.isin(self.earlier["player"], playing)]
        self.waiting = _both(absent, rows[~np.isin(rows["player"], who)])

    def put(self, values: AnyArray, into: AnyArray, start: int) -> None:
        """Write numbers of those with a first rating among those of players from ``start`` on."""
        some = slice(*np.searchsorted(self.who, (start, start + into.size)))
        into[self.who[some] - start] = values[some]


def _sums(rows: Rows) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """The players, their games, half points and the sums of their opponents' ratings."""
    who, at = np.unique(rows["player"], return_inverse=True)
    games, halves, total = (
        np.bincount(at, rows[name]).astype(float) for name in ("games", "halves", "rating")
    )
    return who, games, halves, total


def rate_together(
    players: Players, newcomers: Newcomers, first: IntArray, second: IntArray, score: FloatArray
) -> tuple[FloatArray, IntArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Rate all games of a period at once: K, games, score, expected score, change and new rating of
    each player."""
    book, size, unrated = newcomers.rules, players.rating.size, np.isnan(players.rating)
    own, other = np.append(first, second), np.append(second, first)
    halves = (2 * np.append(score, 1 - score)).astype(np.int64)
    counts = unrated[own] & ~unrated[other]
    opponents = players.rating[other[counts]]
    now = rows_of(own[counts], opponents, halves[counts], newcomers.period)
    alone = isinstance(book.change, Linear)
    playing = now["player"] if alone else np.unique(own[unrated[own]])
    rows = now[:0] if alone else newcomers.pooled(now, playing)
    # whom they met before is in this event too: somebody of whom all that matters is known
    before = rows[rows["period"] != newcomers.period]
    more = before.size
    unknown = np.full(more, np.nan)
    done = period(
        np.append(players.rating, before["rating"]),
        np.append(players.k, unknown),
        np.append(first, before["player"]),
        np.append(second, size + np.arange(more)),
        np.append(score, before["halves"] / 2),
        book,
        games=np.append(players.games, np.full(more, _MANY)),
        age=np.append(players.age, unknown),
        peak=np.append(players.peak, before["rating"]),
        index=np.append(players.index, np.full(more, _MANY)),
    )
    k, points, expected = done.k[:size], done.score[:size], done.expected[:size]
    games, change, new = done.games[:size], done.change[:size], done.new[:size]
    if alone:
        newcomers.rate(now, players)
        new = np.where(unrated, np.nan, new)
        newcomers.put(newcomers.rating, new, 0)
    else:
        who = np.flatnonzero(unrated & ~np.isnan(new))
        newcomers.settle(rows, playing, who, new[who], games[who])
        games = games - np.bincount(before["player"], minlength=size)
        points = points - np.bincount(before["player"], before["halves"] / 2, size)
    return k, games, points, expected, change, new
