"""The draw margin: equation (4), problems 9 and 10, table 2 of the teaching article."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from scipy.special import ndtr

from elo_xl.templates.charts import Axis, curve_chart
from elo_xl.templates.explained.exhibit import Printed
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.formulas import curve, worked
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.forms import Cells, block, quoted
from elo_xl.templates.parts import WHOLE, Column, Table, Value

DIFFERENCES: Final = tuple(range(0, 301, 50))
PUBLISHED: Final = {
    "none": ("0.5", "0.5702", "0.6382", "0.7021", "0.7603", "0.8116", "0.8556"),
    "first": ("0.5", "0.5701", "0.6380", "0.7019", "0.7601", "0.8115", "0.8554"),
    "second": ("0.5", "0.5700", "0.6378", "0.7016", "0.7597", "0.8110", "0.8550"),
}
MARGINS: Final = {"first": 10, "second": 20}
WIDEST: Final = 1000.0
REACH, STEP = 800, 20
DIGITS: Final = "0.0000000"
ROOT: Final = 200 * math.sqrt(2)
PHI: Final = "_xlfn.NORM.S.DIST({}/(200*SQRT(2)),TRUE)"
EXPECTED: Final = PHI.format("{0}")
WITH_MARGIN: Final = f"({PHI.format('({0}-{1})')}+{PHI.format('({0}+{1})')})/2"
BOUND: Final = "{0}^2*EXP(-1/2)/(80000*SQRT(2*PI()))"


def write(book: Explained) -> None:
    """The sheet *Draw margin*."""
    page = book.page("margin")
    page.formula(
        "E(Y) = (Φ(α) + Φ(β)) / 2,   α = (μA − μB − ε)/(200·√2),   β = (μA − μB + ε)/(200·√2)"
    )
    page.section("try")
    rating, opponent, margin = page.inputs(
        Input("rating", 1600, *RATING, WHOLE),
        Input("opponent", 1500, *RATING, WHOLE),
        Input("margin", 20, 0, WIDEST, WHOLE),
    )
    _live(page, rating, opponent, margin)
    page.section("printed")
    margins = {key: page.line(f"line_margin_{key}", value, WHOLE) for key, value in MARGINS.items()}
    _exhibit(page, margins)
    page.text("more_margin")
    _bound(page, margins)
    page.finish()


def _live(page: Page, rating: Cells, opponent: Cells, margin: Cells) -> None:
    page.headings("chance_win", "chance_draw", "chance_loss")
    chances = page.live(
        "line_outcomes_margin",
        "ELO_OUTCOMES",
        rating,
        opponent,
        margin,
        columns=3,
        number_format=DIGITS,
    )
    win, draw = (chances.at(0, j) for j in (0, 1))
    mean = page.worked("line_mean_y", [win, draw], "{0}+{1}/2", lambda w, d: w + d / 2, DIGITS)
    plain = page.live("line_mean_x", "ELO_EXPECTED", rating, opponent, number_format=DIGITS)
    gap = page.worked("line_gap", [plain, mean], "ABS({0}-{1})", lambda a, b: abs(a - b), "0.0E+00")
    bound = page.worked("line_bound", [margin], BOUND, bound_of, "0.0E+00")
    yes, no = page.say("yes"), page.say("no")
    page.worked(
        "line_under",
        [gap, bound],
        f"IF({{0}}<={{1}}+1E-15,{quoted(yes)},{quoted(no)})",
        lambda g, b: yes if g <= b + 1e-15 else no,
    )
    # problem 9
    page.book.known["zero margin"] = page.worked(
        "line_zero_margin",
        [rating, opponent],
        f"{PHI.format('({0}-{1}-0)')}/2+{PHI.format('({0}-{1}+0)')}/2-{PHI.format('({0}-{1})')}",
        lambda a, b: 0.0,
        WHOLE,
    )


def bound_of(margin: float) -> float:
    """Problem 10: E and E(Y) are never further apart."""
    return margin**2 * math.exp(-0.5) / (80000 * math.sqrt(2 * math.pi))


def _with_margin(difference: float, margin: float) -> float:
    return float(ndtr((difference - margin) / ROOT) + ndtr((difference + margin) / ROOT)) / 2


def _exhibit(page: Page, margins: dict[str, Cells]) -> None:
    say = page.say
    results = [Printed(f"margin_{key}", texts, DIGITS) for key, texts in PUBLISHED.items()]
    exhibit = page.exhibit(
        [Column("d", say("column_difference"), WHOLE, "left")],
        [(d,) for d in DIFFERENCES],
        *results,
        where=page.source("both", "tables", first=2, second=3),
    )
    exhibit.fill("margin_none", ["d"], EXPECTED, lambda d: float(ndtr(d / ROOT)))
    for key, cell in margins.items():
        for i in range(len(DIFFERENCES)):
            at = exhibit.cells(f"margin_{key}").at(i, 0)
            given = [exhibit.cells("d").at(i, 0), cell]
            found = worked(page.sheet, given, WITH_MARGIN, _with_margin)
            page.sheet.write(at.row, at.column, found, "computed", DIGITS, "right")
    exhibit.judge()


def _bound(page: Page, margins: dict[str, Cells]) -> None:
    """Problem 10: the gap is nowhere greater than the bound."""
    page.section("bound")
    page.text("about_bound")
    page.formula("|E − E(Y)| ≤ ε²·e^(−1/2) / (80000·√(2π))")
    say = page.say
    points = _points(page, margins)
    table = page.table(
        [
            Column("margin", say("column_margin"), WHOLE, "left"),
            Column("bound", say("column_bound"), DIGITS),
            Column("most", say("column_most_gap"), DIGITS),
            Column("at", say("column_at_difference"), WHOLE),
        ],
        len(margins),
    )
    differences = block(points, "d")
    for i, (key, margin) in enumerate(margins.items()):
        gaps = block(points, f"gap {key}")
        values = [float(row[0] or 0) for row in gaps.values()]
        places, found = points.range("d"), points.range(f"gap {key}")
        where = f"INDEX({places},MATCH(MAX({found}),{found},0))"
        best = differences.values()[values.index(max(values))][0]
        own = worked(page.sheet, [margin], "{0}", lambda m: m)
        bound = worked(page.sheet, [margin], BOUND, bound_of)
        most = worked(page.sheet, [margin], f"MAX({found})", _same(max(values)))
        at = worked(page.sheet, [margin], f"ABS({where})", _same(abs(float(best or 0))))
        table.write(i, {"margin": own, "bound": bound, "most": most, "at": at})
        page.book.known[f"bound {key}"] = block(table, "bound").at(i, 0)
        page.book.known[f"most {key}"] = block(table, "most").at(i, 0)
    page.row += 1
    names = {key: say("curve_gap", margin=value) for key, value in MARGINS.items()}
    bounds = {key: say("curve_bound", margin=value) for key, value in MARGINS.items()}
    chart = curve_chart(
        say("chart_margin"),
        [
            curve(points, "d", f"{what} {key}", texts[key])
            for key in MARGINS
            for what, texts in (("gap", names), ("bound", bounds))
        ],
        Axis(say("column_difference"), WHOLE, -REACH, REACH, 200),
        Axis("|E − E(Y)|", "0.0000", 0),
    )
    page.chart(chart, "chart_margin_text")


def _same(value: float) -> Callable[..., float]:
    return lambda *_: value


def _points(page: Page, margins: dict[str, Cells]) -> Table:
    say, book = page.say, page.book
    differences = np.arange(-REACH, REACH + 1, STEP).tolist()
    columns = [
        Column(f"{what} {key}", say(f"curve_{what}", margin=value), DIGITS)
        for key, value in MARGINS.items()
        for what in ("gap", "bound")
    ]
    table = book.points(
        say("sheet_margin"),
        [Column("d", say("column_difference"), WHOLE), *columns],
        len(differences),
    )
    for i, d in enumerate(differences):
        table.write(i, {"d": d})
        given = block(table, "d").at(i, 0)
        row: dict[str, Value] = {"d": d}
        for key, margin in margins.items():
            gap = f"ABS({EXPECTED}-{WITH_MARGIN})"
            row[f"gap {key}"] = worked(book.curves, [given, margin], gap, _gap)
            row[f"bound {key}"] = worked(book.curves, [margin], BOUND, bound_of)
        table.write(i, row)
    return table


def _gap(difference: float, margin: float) -> float:
    return abs(float(ndtr(difference / ROOT)) - _with_margin(difference, margin))
