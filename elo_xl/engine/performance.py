"""Performance ratings: the strength that the results of some games show."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray, round_half_up
from elo_xl.engine.errors import SizeError, choose, require
from elo_xl.engine.models import difference, expected, fide_difference, slope

METHODS: Final = ("fide", "normal", "logistic", "linear")
BY_SUMS: Final = ("fide", "linear")
"""The methods for which :meth:`Games.summed` suffices."""


def performance(
    opponents: npt.ArrayLike,
    score: npt.ArrayLike,
    method: str = "fide",
    *,
    player: npt.ArrayLike | None = None,
) -> FloatArray:
    """Performance rating: the strength that a total score against rated opponents shows.

    ``opponents`` is a list of ratings and ``score`` a number, the total scored against them, or a
    list with one score per opponent. For many players at once, ``player`` gives for each opponent
    the index of the player who met them, and ``score`` lists all players' totals; the result then
    has one number per player. It is NaN for a player without a game.

    Args:
        method: ``"fide"`` (average opponent plus table 8.1.1 at the percentage, both rounded half
            up), ``"normal"`` or ``"logistic"`` (the rating whose expected total is the score,
            infinite where all was won or lost) or ``"linear"`` (average plus 400·(wins -
            losses)/games).
    Raises:
        OptionError: For an unknown method.
        DomainError: For a total outside 0 to the number of games.
        SizeError: For lists of different lengths.
    """
    games = Games(opponents, score, player)
    return games.shaped(strength(games, method))


def strength(games: Games, method: str) -> FloatArray:
    """What :func:`performance` gives, for games that are checked or added up."""
    method = choose(method, METHODS, "method")
    with np.errstate(invalid="ignore", divide="ignore"):
        if method == "linear":
            result = games.average + 400 * (2 * games.score - games.count) / games.count
        elif method == "fide":
            result = round_half_up(games.average) + table_difference(games.score, games.count)
        else:
            result = root(games, method)
    return result


class Games:
    """The checked games of one player or of many, added up by player."""

    def __init__(
        self, opponents: npt.ArrayLike, score: npt.ArrayLike, player: npt.ArrayLike | None
    ) -> None:
        self.opponents: FloatArray = np.asarray(opponents, dtype=float).reshape(-1)
        self.score: FloatArray = np.asarray(score, dtype=float).reshape(-1)
        self.single = player is None
        self.player: IntArray = (
            np.zeros(self.opponents.size, dtype=np.int64)
            if player is None
            else np.asarray(player, dtype=np.int64).reshape(-1)
        )
        if self.player.size != self.opponents.size:
            raise SizeError(f"{self.player.size} players for {self.opponents.size} opponents")
        self.each: FloatArray | None = None
        """one score per game, if they are known"""
        if self.single and self.score.size == self.opponents.size:
            one_game = (self.score >= 0) & (self.score <= 1)
            require(one_game, "score must be between 0 and 1", self.score)
            self.each, self.score = self.score, self.score.sum(keepdims=True)
        elif self.single and np.ndim(score):
            raise SizeError(f"{self.score.size} scores for {self.opponents.size} opponents")
        outside = (self.player < 0) | (self.player >= self.score.size)
        if outside.any():
            raise SizeError(f"player {self.player[outside][0]} is not one of {self.score.size}")
        self.count: FloatArray = self.sum(np.ones(self.opponents.size))
        require(
            (self.score >= 0) & (self.score <= self.count),
            "score must be between 0 and the number of games",
            self.score,
        )
        self.total: FloatArray = self.sum(self.opponents)
        with np.errstate(invalid="ignore", divide="ignore"):
            self.average: FloatArray = self.total / self.count

    @classmethod
    def summed(cls, count: FloatArray, total: FloatArray, score: FloatArray) -> Games:
        """Games of which only the numbers, the sums of the opponents' ratings and the scores of
        all players are known: enough for what asks for no single game."""
        games = cls([], np.zeros(0), np.zeros(0, np.int64))
        games.count, games.total, games.score = count, total, score
        with np.errstate(invalid="ignore", divide="ignore"):
            games.average = total / count
        return games

    def sum(self, values: FloatArray) -> FloatArray:
        return np.bincount(self.player, values, minlength=self.score.size).astype(float)

    def shaped(self, result: FloatArray) -> FloatArray:
        return result.reshape(()) if self.single else result


def table_difference(score: FloatArray, games: FloatArray) -> FloatArray:
    """Table 8.1.1 at 100·score/games; NaN without games."""
    percent = np.where(games > 0, 100 * score / games, 50)
    return np.where(games > 0, fide_difference(percent), np.nan)


def root(games: Games, model: str) -> FloatArray:
    """The ratings at which the expected totals are the scores: Newton's method, kept in a bracket.

    With p the fraction scored, the root lies between the weakest and the strongest opponent, each
    plus the difference at which the expected score is p.
    """
    count = games.count
    some = count > 0
    gap = difference(np.where(some, games.score / np.where(some, count, 1), 0.5), model)
    low, high = np.full(count.shape, np.inf), np.full(count.shape, -np.inf)
    np.minimum.at(low, games.player, games.opponents)
    np.maximum.at(high, games.player, games.opponents)
    low, high, rating = low + gap, high + gap, games.average + gap
    open_ = some & np.isfinite(gap)
    for _ in range(200):
        if not open_.any():
            break
        ahead = np.where(open_, rating, 0.0)[games.player] - games.opponents
        surplus = games.sum(expected(ahead, model)) - games.score
        low = np.where(surplus <= 0, np.maximum(low, rating), low)
        high = np.where(surplus >= 0, np.minimum(high, rating), high)
        better = rating - surplus / games.sum(slope(ahead, model))
        better = np.where((better >= low) & (better <= high), better, (low + high) / 2)
        better = np.where(open_ & (surplus != 0), better, rating)
        open_ &= np.abs(better - rating) > 1e-13 * np.maximum(np.abs(rating), 1.0)
        rating = better
    return np.where(some, rating, np.nan)
