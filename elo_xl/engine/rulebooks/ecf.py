"""The English Chess Federation's monthly ratings since 2020."""

from __future__ import annotations

from typing import Final

import numpy as np

from elo_xl.engine.arrays import FloatArray, round_half_away
from elo_xl.engine.performance import Games, table_difference
from elo_xl.engine.rulebooks.clauses import FideTable, First, FirstRatingSteps, WholePoints
from elo_xl.engine.rulebooks.k_table import KRow, KTable
from elo_xl.engine.rulebooks.rulebook import Rulebook
from elo_xl.languages import Words


class DummyDraw(First):
    """A performance rating with one imagined draw (the P-method)."""

    formula = """
    LET(nominal, IF(given(start), start, average),
        ROUND((rating_sum + nominal) / (played + 1)
            + table_811(100 * (points + 0.5) / (played + 1)), 0))
    """
    takes_start = True
    text = Words(
        "Average of the opponents' ratings and of one imagined opponent, a draw, plus table 8.1.1 "
        "at the percentage. The imagined opponent has the first guess, such as a former rating; "
        "without one, the average of the others."
    )

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        nominal = (
            games.average if start is None else np.where(np.isnan(start), games.average, start)
        )
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
    k=KTable((KRow(40, age_to=17), KRow(20))),
    first=DummyDraw(games=1, zero_counts=True),
    rounding=WholePoints(),
    performance="fide",
    in_books=False,
    uncertain=Words(
        "Juniors are taken to be those up to 17 years of age; the rating of the imagined opponent "
        "and the rounding were not found. Differences count in full, which table 8.1.2 ends at "
        "736. That an opponent with fewer than 10 games counts by half is left out."
    ),
)

RULEBOOKS: Final = (ECF,)
