"""What the clauses of a rulebook read: the players and games of one event or period."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import negative, unknown
from elo_xl.engine.errors import SizeError, require
from elo_xl.engine.games import columns, played
from elo_xl.engine.models import IntArray
from elo_xl.engine.rounding import FloatArray

# Games worked on at a time: their arrays stay in the cache, and the calls do not count.
BLOCK: Final = 1 << 16

SMALL: Final = 1 << 14
"""Differences of numbers below this fit into 16 bits."""


@dataclass(frozen=True, slots=True)
class Players:
    """What is known of the players before an event; every field has one number per player."""

    rating: FloatArray
    """NaN: unrated"""
    k: FloatArray
    """the K factor that somebody gave; NaN: the rulebook's own"""
    games: FloatArray
    """rated games before the event; NaN: so many that the player is not new"""
    age: FloatArray
    """list year minus birth year; NaN: adult"""
    peak: FloatArray
    """highest published rating; NaN: the rating"""

    @classmethod
    def known(
        cls,
        rating: npt.ArrayLike,
        k: npt.ArrayLike | str = "auto",
        games: npt.ArrayLike = np.nan,
        age: npt.ArrayLike = np.nan,
        peak: npt.ArrayLike = np.nan,
    ) -> Players:
        """Checked players; the numbers broadcast to one per rating.

        Raises DomainError for a K, games or an age below 0, SizeError for lists of other lengths.
        """
        own: FloatArray = np.asarray(rating, dtype=float).reshape(-1)
        if math.isinf(own.item()) if own.size == 1 else np.count_nonzero(np.isinf(own)):
            require(~np.isinf(own), "rating must be finite", own)
        factor = np.nan if isinstance(k, str) else k
        size, found = own.size, []
        for what, values in (("K", factor), ("games", games), ("age", age), ("peak", peak)):
            column: FloatArray = np.asarray(values, dtype=float).reshape(-1)
            if column.size not in (1, size):
                factors = "K factors" if what == "K" else f"values of {what}"
                raise SizeError(f"{column.size} {factors} for {size} players")
            if what != "peak" and negative(column):
                require(~(column < 0), f"{what} must not be below 0", column)
            found.append(column if column.size == size else np.broadcast_to(column, own.shape))
        return cls(own, *found)


@dataclass(frozen=True, slots=True)
class Sides:
    """Games from the side of one player each; a game between two players of an event is two."""

    player: IntArray
    """the player's index"""
    met: FloatArray
    """the opponent's rating"""
    score: FloatArray
    """the player's score; NaN if only :attr:`points` are known"""
    points: FloatArray
    """the total of each player"""
    home: FloatArray
    """rating points that are added to the player's side"""
    opponent: IntArray | None = None
    """the opponents' indices; None if they are no players of the event"""
    limited: bool = True
    """whether a limit on K times the number of games applies"""

    def own(self, players: Players) -> FloatArray:
        """The player's own rating in each game; the opponent's if they have none."""
        rating = players.rating[self.player]
        return np.where(np.isnan(rating), self.met, rating) if unknown(rating) else rating

    def total(self, values: FloatArray) -> FloatArray:
        """The sum over the games of each player."""
        totals = np.bincount(self.player, values, minlength=self.points.size)
        return totals.astype(float, copy=False)

    @property
    def games(self) -> FloatArray:
        """The number of games of each player."""
        return np.bincount(self.player, minlength=self.points.size).astype(float)

    def only(self, counts: npt.NDArray[np.bool_]) -> Sides:
        """The sides that count, with the points scored in them.

        Raises SizeError if some do not count and only totals are known.
        """
        if np.count_nonzero(counts) == counts.size:
            return self
        if np.isnan(self.score).any():
            raise SizeError(
                "a total score includes games that are not rated: give one score per game"
            )
        player, score = self.player[counts], self.score[counts]
        points = np.bincount(player, score, minlength=self.points.size).astype(float)
        opponent = None if self.opponent is None else self.opponent[counts]
        return Sides(
            player, self.met[counts], score, points, self.home[counts], opponent, self.limited
        )


class Event:
    """The checked players and games of a period."""

    def __init__(
        self,
        players: Players,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        score: npt.ArrayLike,
        home: float = 0.0,
        second_score: npt.ArrayLike | None = None,
    ) -> None:
        self.players = players
        self.ratings = players.rating
        self.home = home
        self.first, self.second, self.score = columns(first, second, score)
        self.second_score = second_score
        self.some_unrated = bool(np.isnan(self.ratings).any())

    @cached_property
    def whole(self) -> tuple[npt.NDArray[np.int16], int] | None:
        """The ratings as small whole numbers, and how far they lie apart.

        They take a quarter of the cache, and so few differences are possible that a table of what
        follows from each is cheaper than the games; None where that is not so.
        """
        if self.first.size < BLOCK or not self.ratings.size:
            return None
        low, high = np.fmin.reduce(self.ratings), np.fmax.reduce(self.ratings)
        # The comparisons are also false where everybody is unrated.
        if not (low > -SMALL and high < SMALL and 2 * (high - low) < self.first.size):
            return None
        known = np.where(np.isnan(self.ratings), low, self.ratings)
        whole = known.astype(np.int16)
        return (whole, int(high - low)) if (whole == known).all() else None

    def blocks(self) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
        """Players and scores of the games that were played between two rated players.

        Block by block: a pass over the whole arrays would cost as much as the arithmetic.
        """
        rated = ~np.isnan(self.ratings) if self.some_unrated else None
        for start in range(0, self.first.size, BLOCK):
            a, b, score = self._played(slice(start, start + BLOCK))
            if rated is not None:
                both = rated.take(a) & rated.take(b)
                a, b, score = a[both], b[both], score[both]
            yield a, b, score

    def _played(self, part: slice) -> tuple[IntArray, IntArray, FloatArray]:
        return played(self.first[part], self.second[part], self.score[part], self.ratings.size)

    def _others(self, score: FloatArray) -> FloatArray:
        """The second players' scores in the games that were played."""
        if self.second_score is None:
            return 1 - score
        own = np.asarray(self.second_score, dtype=float).reshape(-1)
        if own.size != self.score.size:
            raise SizeError(f"{own.size} scores of second players for {self.score.size} games")
        own = own[~np.isnan(self.score)]
        known = ~np.isnan(own)
        require(~known | ((own >= 0) & (own + score <= 1)), "scores add up to more than 1", own)
        return np.where(known, own, 1 - score)

    @cached_property
    def everybody(self) -> Sides:
        """Each game that was played twice, once from each side."""
        a, b, score = self._played(slice(None))
        player, opponent = np.concatenate([a, b]), np.concatenate([b, a])
        points = np.concatenate([score, self._others(score)])
        home = np.repeat([self.home, -self.home], a.size)
        totals = np.bincount(player, points, minlength=self.ratings.size).astype(float)
        return Sides(player, self.ratings[opponent], points, totals, home, opponent)
