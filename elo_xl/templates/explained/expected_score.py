"""Elo's model: the expected score of a game, equation (2) of Benítez and Roca."""

from __future__ import annotations

from typing import Final

import numpy as np

from elo_xl.templates.charts import Axis, curve_chart
from elo_xl.templates.explained.exhibit import Printed
from elo_xl.templates.explained.formulas import curve
from elo_xl.templates.explained.page import BASE, Explained, Input, Page
from elo_xl.templates.forms import block
from elo_xl.templates.parts import WHOLE, Column
from elo_xl.templates.sheets.players import HIGHEST

RATING: Final = 1.0, float(HIGHEST - 1)
REACH, STEP = 800, 25
DIGITS: Final = "0.00000"


def write(book: Explained) -> None:
    """The sheet *Expected score*."""
    page = book.page("expected")
    page.formula("E = Φ((μA − μB) / (200·√2))")
    page.section("try")
    rating, opponent = page.inputs(
        Input("rating", 1834, *RATING, WHOLE), Input("opponent", 2179, *RATING, WHOLE)
    )
    page.live("line_expected", "ELO_EXPECTED", rating, opponent, number_format=DIGITS)
    page.live("line_other", "ELO_EXPECTED", opponent, rating, number_format=DIGITS)
    _exhibit(page)
    _chart(page)
    page.finish()


def _exhibit(page: Page) -> None:
    page.section("printed")
    say = page.say
    columns = [
        Column("a", say("column_rating"), WHOLE, "left"),
        Column("b", say("column_opponent"), WHOLE),
    ]
    rows = [(1834, 2179), (2332, 2179), (1834, 1681)]
    exhibit = page.exhibit(
        columns,
        rows,
        Printed("gap", [None] * 3, WHOLE),
        Printed("expected_score", ["0.11128", None, None]),
        Printed("hundred", ["11", None, None], "0.00"),
        where=page.source("both", "example"),
    )
    exhibit.fill("gap", ["a", "b"], "{0}-{1}", lambda a, b: a - b)
    page.form.call(
        exhibit.cells("expected_score"),
        "ELO_EXPECTED",
        exhibit.cells("a"),
        exhibit.cells("b"),
        number_format="0.0000000",
        align="right",
    )
    exhibit.fill("hundred", ["expected_score"], "100*{0}", lambda e: 100 * e)
    exhibit.judge()
    page.text("more_expected")


def _chart(page: Page) -> None:
    page.section("curve")
    say, book = page.say, page.book
    table = book.differences(
        say("sheet_expected"),
        np.arange(-REACH, REACH + 1, STEP).tolist(),
        [Column("expected", say("column_expected_score"), DIGITS)],
    )
    found = block(table, "expected")
    page.form.call(found, "ELO_EXPECTED", block(table, "a"), BASE, number_format=DIGITS)
    chart = curve_chart(
        say("chart_expected"),
        [curve(table, "d", "expected", say("column_expected_score"))],
        Axis(say("column_difference"), WHOLE, -REACH, REACH, 200),
        Axis(say("column_expected_score"), "0.0", 0, 1, 0.2),
    )
    page.chart(chart, "chart_expected_text")
