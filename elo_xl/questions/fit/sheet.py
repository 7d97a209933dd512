"""The book of ratings that were fitted to all games at once: values, made anew every time.

Sheets: *Ratings* with White's advantage and the draws, *Chart* with the first players and their
errors, *Expected scores* between them, a heat map, and a hidden one with the points of the chart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from elo_xl.books.book import Book, Constant, Options, Row
from elo_xl.engine.outcomes import DAVIDSON, outcomes
from elo_xl.languages import ENGLISH
from elo_xl.questions.fit.event import FittedEvents

STEPS: Final = (10, 20, 50, 100, 200, 500, 1000)
MOST_LINES: Final = 8
"""Rating points between the lines of the chart, and about how many lines there are."""

DRAWN: Final = 30
MET: Final = 20
"""Players of the chart, and of the heat map."""

_SHEETS: Final = """
sheet ratings freeze:rating stretch:name
    note counted
    note about_ratings
    ?several note about_group
    table Ratings
        place       0 quiet
        name        left strong
        ?id id      @ left
        ?several group 0 quiet
        rating      0 strong
        error       0
        games       0
        score       0.0
        expected    0.00
        ?several why left quiet

sheet chart titles:none down:1
    note about_chart players=drawn
    ?errors note about_errors
    ?drawn chart chart_ratings
        x column_name @
        y column_rating 0 {low}..{high} {step}
        curve Drawn name rating points errors:twice
    table Parameters
        what        left strong
        value
        error
"""

_DRAWN: Final = """
sheet expected titles:none down:1 freeze:v1 stretch:name
    note about_expected
    table Expected
        place       0 quiet
        name        left strong
        v{j}        0.00 heading:{j} center
    heat v1:v{met}

sheet points hidden
    note about_points
    table Drawn
        name        left
        rating      0
        twice       0
"""


def fitted_book(found: FittedEvents, language: str = ENGLISH) -> Book:
    """The workbook of fitted ratings, worked out."""
    book = Book("fitted", Options(language=language))
    fit, say, rows = found.fit, book.say, found.rows()
    rated = [i for i in found.order if fit.group[i] == 0 and math.isfinite(fit.rating[i])]
    first = rated[:MET]
    anchor = found.anchor.name if found.anchor else say("mean")
    book.texts["counted"] = say(
        "counted",
        games=found.games,
        players=len(rows),
        anchor=anchor,
        level=f"{found.level:g}",
    )
    drawn = np.array(rated[:DRAWN], int)
    ratings, twice = fit.rating[drawn], np.nan_to_num(2 * fit.error[drawn], posinf=0.0)
    low, high = min(ratings - twice, default=0), max(ratings + twice, default=0)
    step = next((s for s in STEPS if high - low <= MOST_LINES * s), STEPS[-1])
    book.read(
        _SHEETS + (_DRAWN if first else ""),
        loops={"j": range(1, len(first) + 1)},
        data={
            "Ratings": list(_ratings(book, found)),
            "Parameters": list(_parameters(book, found)),
            "Expected": list(_expected(found, first)),
            "Drawn": [
                {"name": found.players[i].name, "rating": float(rating), "twice": float(two)}
                for i, rating, two in zip(drawn.tolist(), ratings, twice, strict=True)
            ],
        },
        several=len(rated) < len(rows),
        id=any(player.id for player in found.players),
        drawn=drawn.size,
        errors=bool(twice.any()),
        met=len(first),
        low=step * math.floor(low / step),
        high=step * (math.floor(high / step) + 1),
        step=step,
    )
    book.finish()
    return book


def _ratings(book: Book, found: FittedEvents) -> Iterator[Row]:
    fit, place = found.fit, 0
    for i, row in zip(found.order, found.rows(), strict=True):
        why = ""
        if row["rating"] is not None:
            place += 1
        elif math.isinf(fit.rating[i]):
            why = "wins" if fit.rating[i] > 0 else "losses"
        else:
            why = "one_way" if fit.connected[i] else "apart"
        shown = {"place": place if not why else None, "why": book.say(f"why_{why}") if why else ""}
        yield {**row, **shown}


def _parameters(book: Book, found: FittedEvents) -> Iterator[Row]:
    """White's advantage and the draws, as far as the games tell them."""
    fit = found.fit

    def row(key: str, value: float, error: float, digits: int) -> Iterator[Row]:
        if math.isfinite(value):
            yield {
                "what": book.say(f"what_{key}"),
                "value": round(value, digits),
                "error": round(error, digits) if math.isfinite(error) else None,
            }

    if found.coloured and not math.isnan(fit.home_error):
        yield from row("home", fit.home, fit.home_error, 1)
    yield from row("draw", fit.draw, fit.draw_error, 2)
    yield from row("equal", fit.draw / (2 + fit.draw), math.nan, 2)


def _expected(found: FittedEvents, players: Sequence[int]) -> Iterator[Row]:
    """The expected scores of players against each other."""
    fit = found.fit
    ratings = fit.rating[list(players)]
    draws = "split" if math.isnan(fit.draw) else f"{DAVIDSON}:{min(fit.draw, 1e6)!r}"
    chances = outcomes(np.subtract.outer(ratings, ratings), draws, "logistic")
    scores = chances[..., 0] + chances[..., 1] / 2
    for i, player in enumerate(players):
        cells: dict[str, Constant] = {
            f"v{j + 1}": float(scores[i, j]) for j in range(len(players)) if j != i
        }
        yield {"place": i + 1, "name": found.players[player].name, **cells}
