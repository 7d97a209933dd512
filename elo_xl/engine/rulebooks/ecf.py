"""The English Chess Federation's monthly ratings since 2020."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from elo_xl.engine.arrays import FloatArray, round_half_away
from elo_xl.engine.performance import Games, table_difference
from elo_xl.engine.rulebooks.clauses import FideTable, First, FirstRatingSteps, WholePoints
from elo_xl.engine.rulebooks.event import Players, Sides
from elo_xl.engine.rulebooks.k_table import KRow, KTable
from elo_xl.engine.rulebooks.rulebook import Changed, Linear, Rulebook
from elo_xl.languages import Words

PARTIAL: Final = 10
"""Games from which on a rating is a full one."""
HALF: Final = 0.5
"""How much a game against an opponent with a partial rating counts."""
ADULT: Final = 18
"""The age from which on a player is no junior."""


class HalfAgainstPartial(Linear):
    """A game against an opponent with few games counts half."""

    alone = (
        "A game against an opponent whose rating comes from fewer than 10 games counts half. A "
        "cell does not know the opponents' games: give such games a call of their own, with half "
        "the K, and add up the changes."
    )
    text = Words(
        "K × (score − expected score), added up over the games; half of it against an opponent "
        "with fewer than 10 games."
    )

    def one_pass(self, rules: Rulebook, players: Players, sides: Sides) -> Changed:
        done = super().one_pass(rules, players, sides)
        if sides.met_games is None or not (partial := sides.met_games < PARTIAL).any():
            return done
        light = super().one_pass(rules, players, sides.only(partial))
        return replace(done, change=done.change - (1 - HALF) * light.change)

    def weight(self, met_games: FloatArray) -> FloatArray:
        return np.where(met_games < PARTIAL, HALF, 1.0)


@dataclass(frozen=True)
class DummyDraw(First):
    """A performance rating with one imagined draw (the P-method)."""

    nominal: int = 1800
    """rating of the imagined opponent of a new adult"""
    formula = """
    LET(nominal, IF(given(start), start, my.nominal),
        ROUND((rating_sum + nominal) / (played + 1)
            + table_811(100 * (points + 0.5) / (played + 1)), 0))
    """
    takes_start = True
    text = Words(
        "Average of the opponents' ratings and of one imagined opponent, a draw, plus table 8.1.1 "
        "at the percentage. The imagined opponent of an adult has {nominal}; a first guess "
        "replaces it: 100 × age for those under 18, 100 less for rapid and blitz, or a former "
        "rating if that is higher."
    )

    def guess(self, age: FloatArray) -> FloatArray:
        return np.where(age < ADULT, 100 * age, np.nan)

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        nominal = self.nominal if start is None else np.where(np.isnan(start), self.nominal, start)
        n, points = games.count + 1, games.score + 0.5
        average = (games.total + nominal) / n
        rating = round_half_away(average + table_difference(points, n))
        return FirstRatingSteps(average, 100 * points / n, rating)


ECF: Final = Rulebook(
    name="ecf",
    title=Words("English Chess Federation, monthly ratings since 2020"),
    source=Words(
        "ECF: the calculation of ratings on a monthly basis; help pages of the rating site"
    ),
    expected=FideTable(),
    k=KTable((KRow(40, age_to=ADULT - 1), KRow(20))),
    change=HalfAgainstPartial(),
    first=DummyDraw(games=1, zero_counts=True),
    rounding=WholePoints(),
    performance="fide",
    in_books=False,
    uncertain=Words(
        "The rounding was not found. Differences count in full, which table 8.1.2 ends at 736. "
        "Players with fewer than 10 games are rated by K here; the ECF gives them a first rating "
        "again, from all games so far. It also counts games against new players by half, with the "
        "rating that these get in the same month."
    ),
)

RULEBOOKS: Final = (ECF,)
