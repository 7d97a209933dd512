"""Scrabble in North America: the ratings of NASPA since 2009."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from elo_xl.engine.arrays import FloatArray, round_half_away
from elo_xl.engine.models import LOGISTIC_SCALE
from elo_xl.engine.performance import Games, root
from elo_xl.engine.rulebooks.clauses import Expected, First, FirstRatingSteps, WholePoints
from elo_xl.engine.rulebooks.k_table import KRow, KTable
from elo_xl.engine.rulebooks.rulebook import Rulebook
from elo_xl.languages import Words

SLOPE: Final = 0.0031879
"""The steepness of the curve: at 200 points more a player wins about 65 % of the games."""


@dataclass(frozen=True)
class FlatLogistic(Expected):
    """A logistic curve that is flatter than in chess, because chance plays a part."""

    slope: float = SLOPE

    formula = "1 / (1 + EXP(-my.slope * d))"
    text = Words("1 / (1 + e^(−{slope:g} × difference)).")

    def units(self, difference: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return 1 / (1 + np.exp(-self.slope * difference))


@dataclass(frozen=True)
class Unchanged(First):
    """The rating that the first tournament would have left unchanged, within bounds."""

    slope: float = SLOPE
    least: int = 500
    reach: int = 400
    clear: float = 0.05

    formula = """
    LET(p, IF(points = 0, my.clear, IF(points - played = 0, 1 - my.clear, points / played)),
        gap, (LN(p) - LN(1 - p)) / my.slope,
        width, highest_met - lowest,
        even, REDUCE(lowest + gap + width / 2, SEQUENCE(60), LAMBDA(guess, step,
            guess + width / 2 ^ (step + 1) * IF(
                sum_games(1 / (1 + EXP(-my.slope * (guess - opponent)))) < p * played, 1, -1))),
        least(highest_met + my.reach * points / played, greatest(my.least, ROUND(even, 0))))
    """
    text = Words(
        "The rating that the games would have left unchanged; no win counts as 5 % and no loss as "
        "95 % of the games. At least {least}, and at most the strongest opponent's rating plus "
        "{reach} times the share of games won."
    )

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        n, won = games.count, games.score
        share = np.where(won == 0, self.clear, np.where(won == n, 1 - self.clear, won / n))
        # the common logistic curve, on a scale of its own
        scale = self.slope * LOGISTIC_SCALE
        points = np.where(n > 0, share * n, 0.0)
        even = root(Games(games.opponents * scale, points, games.player), "logistic") / scale
        highest = np.full(n.shape, -np.inf)
        np.maximum.at(highest, games.player, games.opponents)
        rating = np.maximum(round_half_away(even), self.least)
        rating = np.minimum(rating, highest + self.reach * won / n)
        return FirstRatingSteps(games.average, 100 * won / n, rating)


NASPA: Final = Rulebook(
    name="naspa",
    title=Words("NASPA, tournament Scrabble in North America"),
    source=Words("NASPA's wiki: rating system overview, initial rating"),
    expected=FlatLogistic(),
    k=KTable(
        (
            KRow(15, games_below=50, rating_from=2000),
            KRow(10, rating_from=2000),
            KRow(24, games_below=50, rating_from=1800),
            KRow(16, rating_from=1800),
            KRow(30, games_below=50),
            KRow(20),
        )
    ),
    first=Unchanged(games=1, zero_counts=True),
    rounding=WholePoints(),
    performance="linear",
    in_books=False,
    uncertain=Words(
        "K below 50 games is that of the older system. Left out: bonus points for more than 5 "
        "points a game, their share for the opponents, the parts of long tournaments, a K that "
        "changes within a tournament, and several newcomers who met each other."
    ),
)

RULEBOOKS: Final = (NASPA,)
