"""A rating period: ratings and games in, changes and new ratings out.

All games count with the ratings before the period (Benítez and Roca, axiom V; FIDE B.02, 8.3).
Under FIDE's rules all sums are whole hundredths, so that -2.5 is exactly -2.5 and becomes -3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.errors import SizeError, require
from elo_xl.engine.games import columns, played
from elo_xl.engine.models import IntArray, expected, fide_hundredths
from elo_xl.engine.performance import first_rating, performance
from elo_xl.engine.rounding import FloatArray, round_half_away
from elo_xl.engine.rulebooks import Rulebook, limited_k, rulebook

# Games worked on at a time: their arrays stay in the cache, and are small enough for the allocator
# to hand out the same memory again instead of fetching fresh pages for every block.
BLOCK: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Period:
    """What a period did to each player; every field is an array with one number per player."""

    k: FloatArray
    """the K factor given, lowered where the rulebook limits K times games"""
    games: IntArray
    """number of rated games"""
    score: FloatArray
    """points scored in the rated games"""
    expected: FloatArray
    """points expected in the rated games; NaN for unrated players"""
    change: FloatArray
    """K·(score - expected) in rating points, unrounded; NaN for unrated players"""
    new: FloatArray
    """rating plus change, rounded as the rulebook says; for unrated players the first rating"""
    performance: FloatArray
    """performance rating, in rating points, by the rulebook's method; NaN without a game"""


def change(
    rating: npt.ArrayLike,
    k: npt.ArrayLike,
    opponents: npt.ArrayLike,
    scores: npt.ArrayLike,
    rules: str | Rulebook = "fide",
) -> FloatArray:
    """Rating change, in points, of one player in a period: K·Σ(score - expected score), unrounded.

    >>> change(1800, 20, [1860, 1770, 2000], [1, 0.5, 0]).item()
    6.0
    >>> change(2813, 10, [1787, 2025, 2310, 2400, 2505], [1, 1, 1, 1, 0.5]).item()
    -2.5

    ``opponents`` are the ratings of rated opponents; ``scores`` holds one score per opponent, or
    the total. ``rating`` and ``k`` may be arrays: the same games are then rated for each of them.
    Games that the rulebook does not rate count neither in the score nor in the expected score
    (Benítez and Roca, axiom V; FIDE B.02, 8.3).

    Raises DomainError for K below 0 or a score outside 0 to 1, SizeError for lists of different
    lengths and for a total that includes games that are not rated, OptionError for an unknown
    rulebook.
    """
    book = rulebook(rules)
    own, factor = np.broadcast_arrays(np.asarray(rating, dtype=float), np.asarray(k, dtype=float))
    require(factor >= 0, "K must not be below 0", factor)
    other = np.asarray(opponents, dtype=float).reshape(-1)
    score = np.asarray(scores, dtype=float).reshape(-1)
    total = score.size == 1 != other.size
    if score.size not in (1, other.size):
        raise SizeError(f"{score.size} scores for {other.size} opponents")
    most = other.size if total else 1
    require((score >= 0) & (score <= most), f"score must be between 0 and {most}", score)
    counts = book.rated(own[..., None], other)
    if total:
        if not counts.all():
            raise SizeError(
                "a total score includes games that are not rated: give one score per game"
            )
        won = score[0]
    else:
        won = (score * counts).sum(axis=-1)
    lost = (expected_points(own[..., None], other, book) * counts).sum(axis=-1)
    return np.asarray(factor * (100 * won - lost) / 100)


def update(
    rating: npt.ArrayLike,
    k: npt.ArrayLike,
    opponents: npt.ArrayLike,
    scores: npt.ArrayLike,
    rules: str | Rulebook = "fide",
) -> FloatArray:
    """New rating of one player after a period: rating plus change, rounded as the rulebook says.

    >>> update(2813, 10, [1787, 2025, 2310, 2400, 2505], [1, 1, 1, 1, 0.5]).item()
    2810.0

    Arguments and errors are those of :func:`change` (FIDE B.02, 8.3.4).
    """
    book = rulebook(rules)
    return np.asarray(rating, dtype=float) + _rounded(
        change(rating, k, opponents, scores, book), book
    )


def expected_points(
    rating: npt.ArrayLike, opponents: npt.ArrayLike, rules: str | Rulebook = "fide"
) -> FloatArray:
    """Expected scores of games under a rulebook, in hundredths of a point.

    >>> expected_points(1800, [1860, 1770, 2000]).tolist()
    [42.0, 54.0, 24.0]

    ``rating`` and ``opponents`` broadcast; the last axis holds the games of one player in one
    event. Under FIDE's rules the results are whole numbers (B.02, 8.1.2). Raises OptionError for an
    unknown rulebook.
    """
    book = rulebook(rules)
    own, other = np.broadcast_arrays(
        np.asarray(rating, dtype=float), np.asarray(opponents, dtype=float)
    )
    shape = own.shape or (1,)
    own, other = own.reshape(-1), other.reshape(-1)
    event = np.arange(own.size) // max(shape[-1], 1)
    counted = counted_differences(own, other, book, event)
    if book.exact:
        return fide_hundredths(counted).reshape(shape)
    return (100 * expected(counted, book.model)).reshape(shape)


def rating_changes(
    ratings: npt.ArrayLike,
    k: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    score: npt.ArrayLike,
    rules: str | Rulebook = "fide",
) -> FloatArray:
    """Rating changes of all players in a period, unrounded: the fast part of :func:`period`.

    >>> rating_changes([1800, 1860, 1500], [20, 20, 40], [0], [1], [1]).tolist()
    [11.6, -11.6, 0.0]

    ``ratings`` holds one rating per player (NaN: unrated, and the change is NaN too); ``k`` one K
    factor per player, or one for all; ``first`` and ``second`` the indices of the two players of
    each game; ``score`` the first player's score (NaN: not played). The games of one call form one
    event, which matters under the rules of 2022.

    Raises SizeError for indices out of range or arrays of different lengths, DomainError for a
    score outside 0 to 1, a K below 0, or a player paired with themselves, OptionError for an
    unknown rulebook.
    """
    field = _Field(ratings, first, second, score, rules)
    return field.times(field.factors(k), field.gained())


def period(
    ratings: npt.ArrayLike,
    k: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    score: npt.ArrayLike,
    rules: str | Rulebook = "fide",
) -> Period:
    """Rate a period for all players: games, score, expected score, change, new, performance.

    >>> p = period([2000, 1900, np.nan], 20, [0, 0, 1], [1, 2, 2], [0.5, 1, 1])
    >>> p.games.tolist(), p.new.tolist()
    ([1, 1, 2], [1997.0, 1903.0, nan])

    Arguments and errors are those of :func:`rating_changes`. K is lowered where the rulebook limits
    K times the games of a period. Games against an unrated player count for nobody but that player:
    the unrated player's games, score and performance are those against rated opponents, and the new
    rating is the first rating if the rulebook publishes one, otherwise NaN.
    """
    field = _Field(ratings, first, second, score, rules)
    book, size = field.book, field.ratings.size
    player, opponent, points = field.sides()
    games: IntArray = np.bincount(player, minlength=size).astype(np.int64)
    won: FloatArray = np.bincount(player, points, minlength=size).astype(float)
    met = field.ratings[opponent]
    gained = field.gained()
    factor = limited_k(field.factors(k), games, book)
    changes = field.times(factor, gained)
    unrated = np.isnan(field.ratings)
    expected_ = np.where(unrated, np.nan, (field.unit * won - gained) / field.unit)
    new = field.ratings + _rounded(changes, book)
    if unrated.any():
        fresh = first_rating(met, won, book, player=player)
        fresh[~publishable(fresh, games, won, book)] = np.nan
        new = np.where(unrated, fresh, new)
    strength = performance(met, won, book.performance, player=player)
    return Period(factor, games, won, expected_, changes, new, strength)


def publishable(
    rating: npt.ArrayLike, games: npt.ArrayLike, score: npt.ArrayLike, rules: str | Rulebook
) -> npt.NDArray[np.bool_]:
    """Whether a first rating is published: enough games, a score above zero, not below the floor.

    >>> publishable([1675, 1399], [5, 5], [2, 2], "fide").tolist()
    [True, False]

    All arrays broadcast (FIDE B.02, 8.2). Raises OptionError for an unknown rulebook.
    """
    rule = rulebook(rules).first
    value = np.asarray(rating, dtype=float)
    enough = np.asarray(games) >= rule.games
    scored = (np.asarray(score) > 0) | rule.zero_counts
    published: npt.NDArray[np.bool_] = np.isfinite(value) & (value >= rule.floor) & enough & scored
    return published


def _rounded(change: FloatArray, book: Rulebook) -> FloatArray:
    return round_half_away(change) if book.rounded else change


def counted_differences(
    rating: npt.ArrayLike,
    opponent: npt.ArrayLike,
    rules: str | Rulebook,
    player: npt.ArrayLike,
) -> FloatArray:
    """The rating differences, in points, that count for players in the games of one event.

    >>> counted_differences([2600, 2600], [2100, 2050], "fide-2022-01", [0, 0]).tolist()
    [500.0, 400.0]

    ``rating``, ``opponent`` and ``player`` hold one number per game: the player's rating, the
    opponent's and the player's index, which matters only under the rules of 2022. Of the games in
    which a player is ahead by more than the cap, these cut only the one with the largest
    difference; the others count in full (FIDE B.02, 8.3.1). Raises OptionError for an unknown
    rulebook.
    """
    book = rulebook(rules)
    own = np.asarray(rating, dtype=float)
    difference = own - np.asarray(opponent, dtype=float)
    if not book.one_upgrade:
        return book.counted(difference, own)
    who = np.asarray(player)
    counted: FloatArray = np.maximum(difference, -float(book.cap or 0))
    largest = np.full(who.max(initial=-1) + 1, -np.inf)
    np.maximum.at(largest, who, difference)
    candidates = np.flatnonzero(difference == largest[who])
    cut = candidates[np.unique(who[candidates], return_index=True)[1]]
    counted[cut] = book.counted(difference[cut], own[cut])
    return counted


class _Field:
    """The checked players and games of a period."""

    def __init__(
        self,
        ratings: npt.ArrayLike,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        score: npt.ArrayLike,
        rules: str | Rulebook,
    ) -> None:
        self.book = rulebook(rules)
        self.ratings: FloatArray = np.asarray(ratings, dtype=float).reshape(-1)
        self.first, self.second, self.score = columns(first, second, score)
        self.some_unrated = bool(np.isnan(self.ratings).any())

    @property
    def unit(self) -> int:
        """How many units make a point: under FIDE's rules whole hundredths add up exactly."""
        return 100 if self.book.exact else 1

    def _played(self, part: slice = slice(None)) -> tuple[IntArray, IntArray, FloatArray]:
        """Check the games and return players and scores of those that were played.

        Block by block: a pass over the whole arrays would cost as much as the arithmetic.
        """
        return played(self.first[part], self.second[part], self.score[part], self.ratings.size)

    def sides(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Each game twice: player, opponent and the player's score, without unrated opponents."""
        a, b, score = self._played()
        player, opponent = np.concatenate([a, b]), np.concatenate([b, a])
        points = np.concatenate([score, 1 - score])
        own, other = self.ratings[player], self.ratings[opponent]
        counts = self.book.rated(np.where(np.isnan(own), other, own), other)
        return player[counts], opponent[counts], points[counts]

    def gained(self) -> FloatArray:
        """Each player's score minus expected score, in units of :attr:`unit` points."""
        if self.book.one_upgrade:
            return self._gained_in_one_event()
        total = np.zeros(self.ratings.size)
        for start in range(0, self.first.size, BLOCK):
            a, b, score = self._played(slice(start, start + BLOCK))
            own, other = self.ratings[a], self.ratings[b]
            if self.some_unrated or self.book.unrated_gap is not None:
                counts = self.book.rated(own, other)
                a, b = a[counts], b[counts]
                score, own, other = score[counts], own[counts], other[counts]
            ahead = own - other
            gain = self._gain(self.book.cut(ahead), score)
            np.add.at(total, a, gain)
            np.subtract.at(total, b, gain)
            if self.book.uncapped_from is not None:
                few = np.flatnonzero(own >= self.book.uncapped_from)
                more = self._gain(self.book.counted(ahead[few], own[few]), score[few]) - gain[few]
                np.add.at(total, a[few], more)
                few = np.flatnonzero(other >= self.book.uncapped_from)
                less = self._gain(self.book.counted(-ahead[few], other[few]), 1 - score[few])
                np.add.at(total, b[few], less + gain[few])
        return total

    def _gained_in_one_event(self) -> FloatArray:
        """The same under a rule that depends on all games of a player in the event."""
        player, opponent, score = self.sides()
        own, other = self.ratings[player], self.ratings[opponent]
        counts = self.book.rated(own, other)
        player, score, own, other = player[counts], score[counts], own[counts], other[counts]
        gain = self._gain(counted_differences(own, other, self.book, player), score)
        return np.bincount(player, gain, minlength=self.ratings.size).astype(float)

    def _gain(self, counted: FloatArray, score: FloatArray) -> FloatArray:
        """Score minus expected score, in units of :attr:`unit` points."""
        if self.book.exact:
            return 100 * score - fide_hundredths(counted)
        return score - expected(counted, self.book.model)

    def factors(self, k: npt.ArrayLike) -> FloatArray:
        """The K factors, checked: one for each player, or one for all."""
        factor: FloatArray = np.asarray(k, dtype=float).reshape(-1)
        if factor.size not in (1, self.ratings.size):
            raise SizeError(f"{factor.size} K factors for {self.ratings.size} players")
        require(~(factor < 0), "K must not be below 0", factor)
        return factor

    def times(self, factor: FloatArray, gained: FloatArray) -> FloatArray:
        """K times the gained score, in rating points; NaN for unrated players."""
        result: FloatArray = factor * gained
        result /= self.unit
        if self.some_unrated:
            result[np.isnan(self.ratings)] = np.nan
        return result
