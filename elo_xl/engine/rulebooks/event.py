"""What the clauses of a rulebook read: the players and games of one event or period."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray, negative, unknown
from elo_xl.engine.errors import SizeError, require
from elo_xl.engine.games import Index, columns, played, rest_of


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
    index: FloatArray
    """events that were evaluated before; NaN: so many that the player is not new"""

    @classmethod
    def known(
        cls,
        rating: npt.ArrayLike,
        k: npt.ArrayLike | str = "auto",
        games: npt.ArrayLike = np.nan,
        age: npt.ArrayLike = np.nan,
        peak: npt.ArrayLike = np.nan,
        index: npt.ArrayLike = np.nan,
    ) -> Players:
        """Checked players; the numbers broadcast to one per rating.

        Raises DomainError for a K, games, an age or an index below 0, SizeError for lists of other
        lengths.
        """
        own: FloatArray = np.asarray(rating, dtype=float).reshape(-1)
        if math.isinf(own.item()) if own.size == 1 else np.count_nonzero(np.isinf(own)):
            require(~np.isinf(own), "rating must be finite", own)
        factor = np.nan if isinstance(k, str) else k
        size, found = own.size, []
        known = {"K": factor, "games": games, "age": age, "peak": peak, "index": index}
        for what, values in known.items():
            column: FloatArray = np.asarray(values, dtype=float).reshape(-1)
            if column.size not in (1, size):
                factors = "K factors" if what == "K" else f"values of {what}"
                raise SizeError(f"{column.size} {factors} for {size} players")
            if what != "peak" and negative(column):
                require(~(column < 0), f"{what} must not be below 0", column)
            found.append(column if column.size == size else np.broadcast_to(column, own.shape))
        return cls(own, *found)

    def part(self, which: slice) -> Players:
        """Some of the players."""
        columns = (self.rating, self.k, self.games, self.age, self.peak, self.index)
        return Players(*(column[which] for column in columns))


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
    stones: FloatArray | None = None
    """of handicap in go: the player's, or those of the opponent below 0"""
    met_games: FloatArray | None = None
    """the opponents' rated games before the event, as in :attr:`Players.games`"""

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
        stones = None if self.stones is None else self.stones[counts]
        met_games = None if self.met_games is None else self.met_games[counts]
        return Sides(
            player, self.met[counts], score, points, self.home[counts], opponent, self.limited,
            stones, met_games,
        )  # fmt: skip


class Event:
    """The checked players and games of a period."""

    def __init__(
        self,
        players: Players,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        score: npt.ArrayLike,
        home: float | FloatArray = 0.0,
        second_score: npt.ArrayLike | None = None,
        ids: Index | None = None,
        stones: npt.ArrayLike | None = None,
    ) -> None:
        self.players = players
        self.ids = ids
        self.ratings = players.rating
        self.home = home
        self.first, self.second, self.score = columns(first, second, score)
        self.stones = None if stones is None else np.asarray(stones, dtype=float).reshape(-1)
        self.second_score: FloatArray | None = None
        if second_score is not None:
            self.second_score = np.asarray(second_score, dtype=float).reshape(-1)
            if self.second_score.size != self.score.size:
                raise SizeError(
                    f"{self.second_score.size} scores of second players for {self.score.size} games"
                )

    def kept(self) -> Event:
        """The event with columns of its own: what was given may be written over."""
        own = copy(self)
        own.players = replace(self.players, rating=self.ratings.copy())
        own.ratings = own.players.rating
        own.first, own.second = self.first.copy(), self.second.copy()
        own.score = self.score.copy()
        if self.second_score is not None:
            own.second_score = self.second_score.copy()
        return own

    @cached_property
    def everybody(self) -> Sides:
        """Each game that was played twice, once from each side."""
        first, second = self.first, self.second
        if self.ids is not None:
            first, second = self.ids.of(first), self.ids.of(second)
        a, b, score = played(first, second, self.score, self.ratings.size)
        others = 1 - score
        if self.second_score is not None:
            others = rest_of(self.score, self.second_score)
        player, opponent = np.concatenate([a, b]), np.concatenate([b, a])
        points = np.concatenate([score, others])
        ahead = np.broadcast_to(self.home, self.score.shape)[~np.isnan(self.score)]
        home = np.concatenate([ahead, -ahead])
        totals = np.bincount(player, points, minlength=self.ratings.size).astype(float)
        stones = None
        if self.stones is not None:
            given = self.stones[~np.isnan(self.score)]
            stones = np.concatenate([-given, given])
        met, before = self.ratings[opponent], self.players.games[opponent]
        return Sides(player, met, points, totals, home, opponent, stones=stones, met_games=before)
