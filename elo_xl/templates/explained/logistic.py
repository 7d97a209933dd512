"""The logistic approximation, equation (3): table 1 of the teaching article, 2 of La Gaceta."""

from __future__ import annotations

from typing import Final

import numpy as np

from elo_xl.templates.charts import Axis, curve_chart
from elo_xl.templates.explained.exhibit import Printed
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.formulas import curve
from elo_xl.templates.explained.page import BASE, Explained, Input, Page
from elo_xl.templates.forms import Cells, block
from elo_xl.templates.parts import WHOLE, Column, Formula

DIFFERENCES: Final = tuple(range(0, 401, 50))
NORMAL: Final = ("0.5", "0.570", "0.638", "0.702", "0.760", "0.812", "0.856", "0.882", "0.921")
LOGISTIC: Final = ("0.5", "0.571", "0.640", "0.703", "0.760", "0.808", "0.849", "0.882", "0.909")
REACH, STEP = 800, 20
DIGITS: Final = "0.00000"
MODELS: Final = ("normal", "logistic")


def write(book: Explained) -> None:
    """The sheet *Logistic approximation*."""
    page = book.page("logistic")
    page.formula("F = 1 / (1 + 10^((μB − μA)/400))")
    page.section("try")
    rating, opponent = page.inputs(
        Input("rating", 1834, *RATING, WHOLE), Input("opponent", 2179, *RATING, WHOLE)
    )
    found = [
        page.live(f"line_{model}", "ELO_EXPECTED", rating, opponent, model, number_format=DIGITS)
        for model in MODELS
    ]
    page.worked("line_apart", found, "ABS({0}-{1})", lambda e, f: abs(e - f), DIGITS)
    _exhibit(page)
    _chart(page)
    page.finish()


def _exhibit(page: Page) -> None:
    page.section("printed")
    say = page.say
    columns = [
        Column("d", say("column_difference"), WHOLE, "left"),
        Column("a", say("column_rating"), WHOLE),
    ]
    exhibit = page.exhibit(
        columns,
        [(d, None) for d in DIFFERENCES],
        Printed("normal", NORMAL, DIGITS),
        Printed("logistic", LOGISTIC, DIGITS),
        where=page.source("both", "tables", first=1, second=2),
    )
    table = exhibit.table
    for i, d in enumerate(DIFFERENCES):
        at = exhibit.cells("a").at(i, 0)
        own = Formula(f"={BASE}+{table.cell('d', i)}", BASE + d)
        page.sheet.write(at.row, at.column, own, "computed", WHOLE, "right")
    _both(page, exhibit.cells("a"), {model: exhibit.cells(model) for model in MODELS})
    exhibit.judge()
    page.text("more_logistic")


def _both(page: Page, ratings: Cells, targets: dict[str, Cells]) -> None:
    for model, cells in targets.items():
        page.form.call(
            cells,
            "ELO_EXPECTED",
            ratings,
            BASE,
            model,
            number_format=DIGITS,
            align="right",
        )


def _chart(page: Page) -> None:
    page.section("curve")
    say, book = page.say, page.book
    differences = np.arange(0, REACH + 1, STEP).tolist()
    columns = [Column(model, say(f"column_{model}"), DIGITS) for model in MODELS]
    columns.append(Column("apart", say("column_apart"), DIGITS))
    table = book.differences(say("sheet_logistic"), differences, columns)
    _both(page, block(table, "a"), {model: block(table, model) for model in MODELS})
    gaps = []
    for i in range(len(differences)):
        e, f = (float(block(table, model).values()[i][0] or 0) for model in MODELS)
        gaps.append(abs(e - f))
        at = block(table, "apart").at(i, 0)
        text = f"=ABS({table.cell('normal', i)}-{table.cell('logistic', i)})"
        book.curves.write(at.row, at.column, Formula(text, gaps[-1]), "computed", DIGITS, "right")
    most = Formula(f"=MAX({table.range('apart')})", max(gaps))
    where = table.range("d")
    page.line("line_most_apart", most, DIGITS)
    best = f"=INDEX({where},MATCH(MAX({table.range('apart')}),{table.range('apart')},0))"
    page.line("line_most_apart_at", Formula(best, differences[gaps.index(max(gaps))]), WHOLE)
    page.row += 1
    chart = curve_chart(
        say("chart_logistic"),
        [curve(table, "d", model, say(f"column_{model}")) for model in MODELS],
        Axis(say("column_difference"), WHOLE, 0, REACH, 100),
        Axis(say("column_expected_score"), "0.0", 0.5, 1, 0.1),
    )
    page.chart(chart, "chart_logistic_text")
