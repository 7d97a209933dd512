"""Figure 1 of Mamon's paper: both formulas, their ratio, and where it leaves a tolerance."""

from __future__ import annotations

import math
from typing import Final

from scipy.special import ndtr, ndtri

from elo_xl.templates.charts import Axis, curve_chart
from elo_xl.templates.explained.formulas import curve, worked
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.forms import Cells, block
from elo_xl.templates.parts import TENTHS, WHOLE, Column, Formula, Table

HALVINGS: Final = 42
WIDEST: Final = 6.0
"""in standard deviations of the difference: both formulas are far apart there"""

SCALE: Final = 200 * math.sqrt(2)
FIXED: Final = 2, 10
"""in percent: what the paper speaks of"""

SHARES: Final = tuple(i / 100 for i in range(1, 100))
MIDDLE: Final = 0.5
CDF: Final = "_xlfn.NORM.S.DIST({0},TRUE)"


def meeting_points(page: Page) -> list[Cells]:
    """Where the logarithmic formula is 2 %, 10 % and any percentage above Elo's: the fraction of
    points and the difference, each twice in the cells given back."""
    page.section("meeting")
    page.text("about_meeting")
    (tolerance,) = page.inputs(Input("tolerance", 5, 2, 100))
    say = page.say
    table = page.table(
        [
            Column("percent", say("column_percent"), "0.##", "left", "strong"),
            Column("x", say("column_fraction"), "0.00000"),
            Column("d", say("column_difference"), "0.000"),
        ],
        len(FIXED) + 1,
    )
    found = []
    wanted: tuple[float | Cells, ...] = (*FIXED, tolerance)
    for i, percent in enumerate(wanted):
        if isinstance(percent, Cells):
            typed = percent.values()[0][0]
            given = worked(page.sheet, [percent], "{0}", lambda value: value)
            ratio = 1 + float(typed) / 100 if isinstance(typed, int | float) else 1.0
            table.write(i, {"percent": given})
        else:
            ratio = 1 + percent / 100
            table.write(i, {"percent": percent})
        place = block(table, "percent").at(i, 0)
        end, z = _halve(page.book, place, ratio)
        waits = [place, end]
        for key, text, value in (
            ("x", CDF.format("{1}"), float(ndtr(z))),
            ("d", "200*SQRT(2)*{1}", SCALE * z),
        ):
            cell = block(table, key).at(i, 0)
            shown = worked(page.sheet, waits, text, lambda _, __, found=value: found)
            form = table.columns[key][1].number_format
            page.sheet.write(cell.row, cell.column, shown, "computed", form, "right")
            found.append(cell)
    return found[:4]


def _halve(book: Explained, percent: Cells, ratio: float) -> tuple[Cells, float]:
    """Halve an interval on the sheet *Curves* until nothing is left of it."""
    say = book.form.say
    keys = ("low", "high", "middle", "formula_ratio")
    table = book.points(
        say("meeting"),
        [Column(key, say(f"column_{key}"), "0.000000") for key in keys],
        HALVINGS,
    )
    wanted = f"1+N({percent.text(book.curves, fixed=True)})/100"
    low, high, z = 0.0, WIDEST, WIDEST / 2
    for i in range(HALVINGS):
        cell = {key: table.cell(key, i) for key in keys}
        values: dict[str, float | Formula] = {"low": low, "high": high}
        if i:
            last = {key: table.cell(key, i - 1) for key in keys}
            under = _ratio(z) < ratio
            low, high = (z, high) if under else (low, z)
            test = f"{last['formula_ratio']}<{wanted}"
            values = {
                "low": Formula(f"=IF({test},{last['middle']},{last['low']})", low),
                "high": Formula(f"=IF({test},{last['high']},{last['middle']})", high),
            }
        z = (low + high) / 2
        middle = cell["middle"]
        quotient = f"{CDF.format(middle)}/{CDF.format('-' + middle)}"
        values |= {
            "middle": Formula(f"=({cell['low']}+{cell['high']})/2", z),
            "formula_ratio": Formula(f"=400*LOG10({quotient})/(200*SQRT(2)*{middle})", _ratio(z)),
        }
        table.write(i, values)
    return block(table, "middle").at(HALVINGS - 1, 0), z


def _ratio(z: float) -> float:
    """The logarithmic formula over Elo's, at the difference of z standard deviations."""
    return 400 * math.log10(float(ndtr(z) / ndtr(-z))) / (SCALE * z)


def curves(page: Page) -> None:
    """Both panels of the figure."""
    page.section("figure_one")
    say, book = page.say, page.book
    names = {key: say(f"curve_{key}") for key in ("logistic", "normal", "rescaled")}
    ratios = ("logistic", "rescaled")
    table = book.points(
        say("sheet_two_formulas"),
        [
            Column("x", say("column_fraction"), "0.00"),
            *(Column(key, names[key], TENTHS) for key in ("logistic", "normal")),
            *(Column(f"{key} ratio", say("column_formula_ratio"), "0.0000") for key in ratios),
        ],
        len(SHARES),
    )
    _points(table)
    page.chart(
        curve_chart(
            say("chart_two"),
            [curve(table, "x", key, names[key]) for key in ("logistic", "normal")],
            Axis(say("column_fraction"), "0.0", 0, 1, 0.1),
            Axis(say("column_difference"), WHOLE, -800, 800, 200),
        ),
        "chart_two_text",
    )
    page.row += 1
    page.chart(
        curve_chart(
            say("chart_two_ratio"),
            [curve(table, "x", f"{key} ratio", names[key]) for key in ratios],
            Axis(say("column_fraction"), "0.0", 0, 1, 0.1),
            Axis(say("column_formula_ratio"), "0.00", 0.96, 1.24, 0.04),
        ),
        "chart_two_ratio_text",
    )


def _points(table: Table) -> None:
    """Both differences, and both logarithmic formulas over Elo's; in the middle, where they are 0,
    the ratio of the slopes."""
    first, second = 4 / (math.sqrt(math.pi) * math.log(10)), math.sqrt(math.pi) / 4 * math.log(10)
    for i, x in enumerate(SHARES):
        cell = {key: table.cell(key, i) for key in ("x", "logistic", "normal", "logistic ratio")}
        log, elo = 400 * math.log10(x / (1 - x)), SCALE * float(ndtri(x))
        ratio = Formula("=4/(SQRT(PI())*LN(10))", first)
        if x != MIDDLE:
            ratio = Formula(f"={cell['logistic']}/{cell['normal']}", log / elo)
        table.write(
            i,
            {
                "x": x,
                "logistic": Formula(f"=400*LOG10({cell['x']}/(1-{cell['x']}))", log),
                "normal": Formula(f"=200*SQRT(2)*_xlfn.NORM.S.INV({cell['x']})", elo),
                "logistic ratio": ratio,
                "rescaled ratio": Formula(
                    f"={cell['logistic ratio']}*SQRT(PI())/4*LN(10)", float(ratio.value) * second
                ),
            },
        )
