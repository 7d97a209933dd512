"""The English Chess Federation's monthly ratings since 2020."""

from __future__ import annotations

from typing import Final

import numpy as np

from elo_xl.engine.performance import Games, table_difference
from elo_xl.engine.rounding import FloatArray, round_half_away
from elo_xl.engine.rulebooks.clauses import FideTable, WholePoints
from elo_xl.engine.rulebooks.first import First, FirstRatingSteps
from elo_xl.engine.rulebooks.k_table import KRow, KTable
from elo_xl.engine.rulebooks.rulebook import Rulebook
from elo_xl.engine.rulebooks.words import Words


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
        "without one, the average of the others.",
        "La media de los ratings de los rivales y de un rival imaginario, con tablas, más la tabla "
        "8.1.1 con el porcentaje. El rival imaginario tiene la primera estimación, por ejemplo un "
        "rating antiguo; sin ella, la media de los demás.",
        "Средний рейтинг соперников и одного воображаемого, с которым ничья, плюс таблица 8.1.1 "
        "для процента очков. У воображаемого соперника рейтинг первой оценки, например прежний; "
        "без неё — средний рейтинг остальных.",
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
    title=Words(
        "English Chess Federation, monthly ratings since 2020",
        "Federación Inglesa de Ajedrez, ratings mensuales desde 2020",
        "Английская шахматная федерация, месячные рейтинги с 2020 года",
    ),
    source=Words(
        "ECF: the calculation of ratings on a monthly basis; help pages of the rating site",
        "ECF: el cálculo mensual de los ratings; páginas de ayuda del sitio de ratings",
        "ECF: помесячный расчёт рейтингов; справка сайта рейтингов",
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
        "736. That an opponent with fewer than 10 games counts by half is left out.",
        "Se toma por júniors a quienes tienen hasta 17 años; no se han encontrado el rating del "
        "rival imaginario ni el redondeo. Las diferencias cuentan enteras; la tabla 8.1.2 acaba en "
        "736. Falta que un rival con menos de 10 partidas cuente la mitad.",
        "Юниорами считаются игроки до 17 лет включительно; рейтинг воображаемого соперника и "
        "правило округления найти не удалось. Разности учитываются полностью; таблица 8.1.2 "
        "кончается на 736. Не учтено, что соперник, сыгравший меньше 10 партий, считается "
        "наполовину.",
    ),
)

RULEBOOKS: Final = (ECF,)
