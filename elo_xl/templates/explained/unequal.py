"""Players of unequal steadiness: problem 6."""

from __future__ import annotations

from typing import Final

from elo_xl.templates.charts import Axis, curve_chart
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.formulas import curve
from elo_xl.templates.explained.page import BASE, Explained, Input, Page
from elo_xl.templates.forms import Cells, block
from elo_xl.templates.parts import WHOLE, Column, Formula

SPREAD: Final = 1.0, 2000.0
SPREADS: Final = (50, 100, 150, 200, 250, 300, 400, 500, 700, 1000)
STEPS: Final = (10, *range(25, 1001, 25))
AHEAD: Final = 100
DIGITS: Final = "0.00000"


def write(book: Explained) -> None:
    """The sheet *Unequal spread*."""
    page = book.page("unequal")
    page.formula("E = Φ((μA − μB) / √(σA² + σB²))")
    page.section("try")
    rating, opponent, spread, other = page.inputs(
        Input("rating", 1600, *RATING, WHOLE),
        Input("opponent", 1500, *RATING, WHOLE),
        Input("spread", 300, *SPREAD, WHOLE),
        Input("opponent_spread", 200, *SPREAD, WHOLE),
    )
    book.known["spread"] = page.worked(
        "line_spread_of_difference",
        [spread, other],
        "SQRT({0}^2+{1}^2)",
        lambda a, b: (a**2 + b**2) ** 0.5,
        "0.00",
    )
    book.known["unequal"] = page.live(
        "line_expected",
        "ELO_EXPECTED",
        rating,
        opponent,
        None,
        None,
        spread,
        other,
        number_format=DIGITS,
    )
    page.live("line_equal_spread", "ELO_EXPECTED", rating, opponent, number_format=DIGITS)
    _table(page, rating, opponent, other)
    page.text("more_unequal")
    _chart(page)
    page.finish()


def _table(page: Page, rating: Cells, opponent: Cells, other: Cells) -> None:
    """The same players, with every spread of the first."""
    page.section("spreads")
    say = page.say
    table = page.table(
        [
            Column("spread", say("column_spread"), WHOLE, "left"),
            Column("expected", say("column_expected_score"), DIGITS),
        ],
        len(SPREADS),
    )
    for i, spread in enumerate(SPREADS):
        table.write(i, {"spread": spread})
    page.form.call(
        block(table, "expected"),
        "ELO_EXPECTED",
        rating,
        opponent,
        None,
        None,
        block(table, "spread"),
        other,
        number_format=DIGITS,
        align="right",
    )


def _chart(page: Page) -> None:
    page.section("curve")
    say, book = page.say, page.book
    keys = ("higher", "lower")
    names = {key: say(f"column_{key}_rated") for key in keys}
    table = book.points(
        say("sheet_unequal"),
        [
            Column("spread", say("column_spread"), WHOLE),
            *(
                column
                for key in keys
                for column in (
                    Column(f"{key} rating", say("column_rating"), WHOLE),
                    Column(key, names[key], DIGITS),
                )
            ),
        ],
        len(STEPS),
    )
    for i, spread in enumerate(STEPS):
        ratings = {
            f"{key} rating": Formula(f"={BASE}{sign:+d}", BASE + sign)
            for key, sign in zip(keys, (AHEAD, -AHEAD), strict=True)
        }
        table.write(i, {"spread": spread} | ratings)
    for key in keys:
        page.form.call(
            block(table, key),
            "ELO_EXPECTED",
            block(table, f"{key} rating"),
            BASE,
            None,
            None,
            block(table, "spread"),
            number_format=DIGITS,
        )
    chart = curve_chart(
        say("chart_unequal"),
        [curve(table, "spread", key, names[key]) for key in keys],
        Axis(say("column_spread"), WHOLE, 0, 1000, 200),
        Axis(say("column_expected_score"), "0.0", 0, 1, 0.2),
    )
    page.chart(chart, "chart_unequal_text")
