"""What K does: a player whose strength is known to us only, rated with three K factors at once, and
axiom V: ratings change once a period."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from scipy.special import ndtr

from elo_xl.templates.charts import Axis, curve_chart
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.formulas import curve, worked
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.explained.simulation import (
    FACTORS,
    GAMES,
    SCALE,
    expected_text,
    measures,
    simulate,
)
from elo_xl.templates.forms import block
from elo_xl.templates.parts import HUNDREDTHS, TENTHS, WHOLE, Column

TOURNAMENT: Final = ((1860, 1.0), (1770, 0.5), (2000, 0.0))


def write(book: Explained) -> None:
    """The sheet *What K does*."""
    page = book.page("k_effect")
    page.formula("R′ = R + K·(S − E)")
    page.text("k_reasons")
    page.section("try")
    cells = page.inputs(
        Input("strength", 1600, 1500, 1700, WHOLE),
        Input("jump", 200, -200, 200, WHOLE),
        Input("jump_game", 80, 0, GAMES, WHOLE, 1),
        Input("growth", 0, -50, 50, WHOLE),
        Input("k_small", 10, 0, 100, WHOLE),
        Input("k_middle", 20, 0, 100, WHOLE),
        Input("k_large", 40, 0, 100, WHOLE),
    )
    table, ratings = simulate(book, cells)
    names = measures(page, table, ratings, cells)
    page.section("k_chart")
    curves = [curve(table, "game", "strength", page.say("column_true"))]
    for key, name in zip(FACTORS, names, strict=True):
        made = curve(table, "game", key, str(name.values()[0][0]))
        curves.append(replace(made, name_reference=name.text(page.sheet, fixed=True)))
    chart = curve_chart(
        page.say("chart_k"),
        curves,
        Axis(page.say("column_game"), WHOLE, 0, GAMES, 20),
        Axis(page.say("column_rating"), WHOLE, 1300, 2100, 100),
    )
    page.chart(chart, "chart_k_text")
    page.text("k_lesson")
    _per_period(page)
    page.finish()


def _per_period(page: Page) -> None:
    """The same games rated at once and one after the other, in both orders."""
    page.section("k_period")
    page.text("about_k_period")
    rating, k = page.inputs(
        Input("rating", 1800, *RATING, WHOLE), Input("k_factor", 40, 0, 100, WHOLE)
    )
    say, sheet = page.say, page.sheet
    keys = ("opponent", "score", "expected_score", "k_forward", "k_backward")
    forms = (WHOLE, TENTHS, "0.0000", HUNDREDTHS, HUNDREDTHS)
    table = page.table(
        [
            Column("game", say("column_game"), WHOLE, "left"),
            *(Column(key, say(f"column_{key}"), f) for key, f in zip(keys, forms, strict=True)),
        ],
        len(TOURNAMENT),
    )
    for i, (opponent, score) in enumerate(TOURNAMENT):
        table.write(i, {"game": i + 1, "opponent": opponent, "score": score})
    cells = {key: block(table, key) for key in keys}
    page.form.call(
        cells["expected_score"],
        "ELO_EXPECTED",
        rating,
        cells["opponent"],
        number_format="0.0000",
        align="right",
    )
    for key, order in (("k_forward", (0, 1, 2)), ("k_backward", (2, 1, 0))):
        before = rating
        for i in order:
            at = cells[key].at(i, 0)
            given = [before, k, cells["score"].at(i, 0), cells["opponent"].at(i, 0)]
            text = f"{{0}}+{{1}}*({{2}}-{expected_text('{0}', '{3}')})"
            found = worked(sheet, given, text, _after)
            sheet.write(at.row, at.column, found, "computed", HUNDREDTHS, "right")
            before = at
    for key, at in (
        ("line_forward", cells["k_forward"].at(2, 0)),
        ("line_backward", cells["k_backward"].at(0, 0)),
    ):
        page.worked(key, [at], "{0}", lambda found: found, HUNDREDTHS)
    page.live(
        "line_at_once",
        "ELO_UPDATE",
        rating,
        k,
        cells["opponent"],
        cells["score"],
        "elo",
        number_format=HUNDREDTHS,
    )
    page.text("k_period_lesson")


def _after(rating: float, k: float, score: float, opponent: float) -> float:
    return rating + k * (score - float(ndtr((rating - opponent) / SCALE)))
