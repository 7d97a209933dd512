"""First ratings: the clause of a rulebook, and its form in the plain models."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from elo_xl.engine.arrays import FloatArray, round_half_away
from elo_xl.engine.performance import Games, root
from elo_xl.engine.rulebooks.clauses import Clause, Mask
from elo_xl.languages import Words


@dataclass(frozen=True, slots=True)
class FirstRatingSteps:
    """The steps to first ratings; every field is an array with one number per player."""

    average: FloatArray
    """average rating of the opponents, including the hypothetical ones"""
    percent: FloatArray
    """percentage scored, including the hypothetical draws, not rounded"""
    rating: FloatArray


@dataclass(frozen=True)
class First(Clause):
    """The first rating of an unrated player.

    In formulas: of the lists ``opponent`` and ``score`` and their sums ``played``, ``points``,
    ``rating_sum``, ``average``, and of ``start``, a first guess.
    """

    _: KW_ONLY
    games: int = 5
    """the number of games that it takes"""
    floor: int | None = None
    """lowest first rating that is published, in points"""
    zero_counts: bool = False
    """whether an event counts in which the player scored nothing"""

    steps: ClassVar[tuple[tuple[str, str], ...]] = (
        ("average", "average"),
        ("percent", "100 * points / played"),
    )
    """the way there, for the formula and for sheets: numbers by the keys of their headings, each
    with its formula, in which those before it have these names"""
    brief: ClassVar[Words | None] = None
    """a short text about it, for lists in which several stand side by side"""
    solved: ClassVar[bool] = False
    """whether it is found by approximation"""

    takes_start: ClassVar[bool] = False
    """whether it begins with a first guess"""
    by_sums: ClassVar[bool] = False
    """whether the number of games, the points and the sum of the opponents' ratings tell it"""

    endless: ClassVar[Words] = Words("every game won or lost: no finite rating gives that score")
    """why there is no such rating after enough games"""

    needs: ClassVar[Words] = Words(" It takes {games} games against rated players.")
    from_floor: ClassVar[Words] = Words(" It is not published below {floor}.")
    without_zero: ClassVar[Words] = Words(" An event without a point is disregarded.")

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        raise NotImplementedError

    def published(self, rating: FloatArray, games: FloatArray, score: FloatArray) -> Mask:
        """Whether first ratings are published: enough games, a point, not below the floor."""
        fine = np.isfinite(rating) & (games >= self.games) & ((score > 0) | self.zero_counts)
        if self.floor is not None:
            fine &= np.nan_to_num(rating) >= self.floor
        return fine

    def say(self, language: str = "en") -> str:
        text = super().say(language)
        if self.games > 1:
            text += self.needs.say(language, games=self.games)
        if self.floor is not None:
            text += self.from_floor.say(language, floor=self.floor)
        return text if self.zero_counts else text + self.without_zero.say(language)


@dataclass(frozen=True)
class Root(First):
    """The rating whose expected total is the score."""

    model: str = "normal"
    _: KW_ONLY
    games: int = 1
    floor: int | None = 0
    whole: bool = False
    """whether it is rounded to a whole number"""

    solved = True
    formula = "root(my.model)"
    text = Words("The rating whose expected score against the rated opponents equals the score.")
    rounded: ClassVar[Words] = Words(" It is rounded to a whole number.")

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        with np.errstate(invalid="ignore", divide="ignore"):
            percent = 100 * games.score / games.count
        rating = root(games, self.model)
        if self.whole:
            rating = round_half_away(rating)
        return FirstRatingSteps(games.average, percent, rating)

    def native(self) -> str:
        return f"ROUND({self.formula}, 0)" if self.whole else self.formula

    def say(self, language: str = "en") -> str:
        text = self.text.say(language)
        return text + self.rounded.say(language) if self.whole else text
