"""Ioffe's bridge: four players, one continuous result, equations (8) to (12)."""

from __future__ import annotations

from typing import Final

from elo_xl.templates.charts import Axis, curve_chart
from elo_xl.templates.explained.bridge_cases import (
    AFTER,
    CASES,
    MEAN,
    MISPRINTED,
    PER,
    PLAYERS,
    SHIFT,
    checked,
    left,
    mean,
    shift,
)
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.formulas import curve, worked
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.forms import Cells, block
from elo_xl.templates.parts import SIGNED_HUNDREDTHS, WHOLE, Column

RESULTS: Final = tuple(range(30, 71, 2))


def write(book: Explained) -> None:
    """The sheet *Ioffe on bridge*."""
    page = book.page("bridge")
    page.formula("S ~ N(S₀ + k·(x₁ + x₂ − x₃ − x₄), σ₁²)     (8)")
    page.formula("ES = S₀ + k·(R₁ + R₂ − R₃ − R₄)     (9)     dR = S − ES     (10)")
    page.formula("p(x | S) ∝ p(S | x)·p(x₁)·p(x₂)·p(x₃)·p(x₄),   xi ~ N(Ri, σ₂²)     (11)")
    page.formula("R′i = E(xi | S) = Ri ± k·σ₂²·(S − ES) / (σ₁² + 4·k²·σ₂²)     (12)")
    page.text("bridge_twelve")
    page.section("try")
    sheet = page.sheet
    ratings = page.inputs(
        *(
            Input(f"bridge_{key}", at, *RATING, WHOLE)
            for key, at in zip(PLAYERS, CASES[0], strict=False)
        )
    )
    result, zero, percent, spread, sd = page.inputs(
        Input("bridge_result", 58, -500, 500),
        Input("bridge_mean", 50, -500, 500),
        Input("bridge_slope", 4, 0, 1000),
        Input("bridge_spread", 6, 0.1, 1000),
        Input("bridge_sd", 200, 1, 1000),
    )
    k = page.worked("line_bridge_k", [percent], f"{{0}}/{PER}", lambda p: p / PER, "0.00000000")
    given = [*ratings, zero, k]
    expected = page.worked("line_bridge_mean", given, MEAN, mean, "0.0000")
    page.worked(
        "line_bridge_misprint",
        given,
        MISPRINTED,
        lambda n, s, e, w, zero, k: zero + k * (n + s - w - w),
        "0.0000",
    )
    page.worked(
        "line_bridge_rest", [result, expected], "{0}-{1}", lambda s, e: s - e, "+0.0000;-0.0000;0"
    )
    found = page.live(
        "line_bridge_new",
        "ELO_BRIDGE",
        *ratings,
        result,
        zero,
        k,
        spread,
        sd,
        columns=4,
        number_format="0.0000",
    )
    row = page.row
    sheet.write(row, 1, page.say("line_bridge_shift"), "label", align="left", measure=False)
    for j, before in enumerate(ratings):
        moved = worked(sheet, [found.at(0, j), before], "{0}-{1}", lambda new, old: new - old)
        sheet.write(row, 2 + j, moved, "computed", "+0.0000;-0.0000;0.0000", "right")
    page.row += 1
    page.worked("line_bridge_left", [k, spread, sd], AFTER, left, "0.0000")
    _chart(page, expected, k, spread, sd)
    checked(page)
    page.finish()


def _chart(page: Page, expected: Cells, k: Cells, spread: Cells, sd: Cells) -> None:
    """The shift of the first pair over the result, for two deviations."""
    page.section("bridge_chart")
    say, book = page.say, page.book
    names = {"whole": say("curve_bridge"), "half": say("curve_bridge_half")}
    table = book.points(
        say("sheet_bridge"),
        [
            Column("result", say("column_bridge_result"), WHOLE),
            *(Column(key, name, SIGNED_HUNDREDTHS) for key, name in names.items()),
        ],
        len(RESULTS),
    )
    for i, result in enumerate(RESULTS):
        table.write(i, {"result": result})
        for key, part in (("whole", 1), ("half", 2)):
            at = table.columns[key][0]
            given = [expected, k, spread, sd, block(table, "result").at(i, 0)]
            shown = worked(
                book.curves,
                given,
                SHIFT.replace("{3}", f"({{3}}/{part})"),
                lambda e, slope, s, d, r, part=part: shift(e, slope, s, d / part, r),
            )
            book.curves.write(table.first + i, at, shown, "computed", SIGNED_HUNDREDTHS)
    chart = curve_chart(
        say("chart_bridge"),
        [curve(table, "result", key, name) for key, name in names.items()],
        Axis(say("column_bridge_result"), WHOLE, RESULTS[0], RESULTS[-1], 5),
        Axis(say("column_shift"), WHOLE),
    )
    page.chart(chart, "chart_bridge_text")
