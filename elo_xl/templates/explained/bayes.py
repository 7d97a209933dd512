"""Ioffe's chess: expectations, the linear correction and the Bayesian one, equations (1) to (7)."""

from __future__ import annotations

import math
from typing import Final

from scipy.special import ndtr

from elo_xl.templates.charts import Axis, curve_chart
from elo_xl.templates.explained.bayes_checks import (
    CHANCE,
    LESS,
    chance,
    checked,
    less,
    links,
)
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.formulas import curve, worked
from elo_xl.templates.explained.page import BASE, Explained, Input, Page
from elo_xl.templates.forms import Cells, block
from elo_xl.templates.parts import HUNDREDTHS, SIGNED_HUNDREDTHS, TENTHS, WHOLE, Column

DIGITS: Final = "0.00000"
SPREAD: Final = 1.0, 300.0
SCORES: Final = 1.0, 0.5, 0.0

FAR: Final = tuple(range(-600, 601, 50))


def write(book: Explained) -> None:
    """The sheet *Ioffe on chess*."""
    page = book.page("bayes")
    page.formula("E(A) = p₁ + ½·p½     E(B) = p₀ + ½·p½     E(A) + E(B) = 1     (1) (2) (3)")
    page.formula("E = Φ((RA − RB) / (200·√2))     (4)")
    page.formula("p₁ = E²,   p½ = 2·E·(1 − E),   p₀ = (1 − E)²     (5)")
    page.formula("E = 1 / (1 + 10^((RB − RA) / 400))     (6)")
    page.formula("R′ = R + K·(S − E)     (7)")
    page.text("bayes_five")
    page.section("try")
    own, other, sd, k = page.inputs(
        Input("rating", 1600, *RATING, WHOLE),
        Input("opponent", 1500, *RATING, WHOLE),
        Input("deviation", 100, *SPREAD, WHOLE),
        Input("k_factor", 20, 0, 100, WHOLE),
    )
    _expectations(page, own, other)
    _after(page, own, other, sd, k)
    links(page)
    _chart(page, sd)
    checked(page)
    page.finish(pages=2)


def _expectations(page: Page, own: Cells, other: Cells) -> None:
    """Equations (1) to (6)."""
    odds = page.live(
        "line_bayes_outcomes", "ELO_OUTCOMES", own, other, columns=3, number_format=DIGITS
    )
    win, draw, loss = (odds.at(0, j) for j in range(3))
    first = page.worked(
        "line_bayes_first", [win, draw], "{0}+{1}/2", lambda w, d: w + d / 2, DIGITS
    )
    second = page.worked(
        "line_bayes_second", [loss, draw], "{0}+{1}/2", lambda w, d: w + d / 2, DIGITS
    )
    page.worked("line_bayes_sum", [first, second], "{0}+{1}", lambda a, b: a + b, DIGITS)
    page.live("line_bayes_normal", "ELO_EXPECTED", own, other, number_format=DIGITS)
    page.live("line_bayes_logistic", "ELO_EXPECTED", own, other, "logistic", number_format=DIGITS)


def _after(page: Page, own: Cells, other: Cells, sd: Cells, k: Cells) -> None:
    """Both corrections after each of the three results."""
    page.section("bayes_after")
    page.text("about_bayes_after")
    say, sheet = page.say, page.sheet
    heads = {
        "chance_before": "0.0000",
        "bayes_new": HUNDREDTHS,
        "bayes_other": HUNDREDTHS,
        "bayes_sd": HUNDREDTHS,
        "bayes_shift": SIGNED_HUNDREDTHS,
        "logistic_new": HUNDREDTHS,
        "logistic_shift": SIGNED_HUNDREDTHS,
        "linear_shift": SIGNED_HUNDREDTHS,
    }
    table = page.table(
        [
            Column("score", say("column_score"), TENTHS, "left", "strong"),
            *(Column(key, say(f"column_{key}"), f) for key, f in heads.items()),
        ],
        len(SCORES),
    )
    for i, score in enumerate(SCORES):
        table.write(i, {"score": score})
    cells = {key: block(table, key) for key in ("score", *heads)}
    three = block(table, "bayes_new", "bayes_sd")
    given = own, other, cells["score"], sd
    page.form.call(three, "ELO_BAYES", *given, number_format=HUNDREDTHS, align="right")
    page.form.call(
        cells["logistic_new"],
        "ELO_BAYES",
        *given,
        None,
        None,
        "logistic",
        number_format=HUNDREDTHS,
        align="right",
    )
    linear = "{1}*({2}-_xlfn.NORM.S.DIST(({0}-{3})/(200*SQRT(2)),TRUE))"
    for i in range(len(SCORES)):
        at = {key: one.at(i, 0) for key, one in cells.items()}
        for key, waits, text, compute in (
            ("chance_before", [own, other, at["score"], sd], CHANCE, chance),
            ("bayes_shift", [at["bayes_new"], own], LESS, less),
            ("logistic_shift", [at["logistic_new"], own], LESS, less),
            ("linear_shift", [own, k, at["score"], other], linear, _linear),
        ):
            shown = worked(sheet, waits, text, compute)
            form = table.columns[key][1].number_format
            sheet.write(at[key].row, at[key].column, shown, "computed", form, "right")


def _linear(own: float, k: float, score: float, other: float) -> float:
    return k * (score - float(ndtr((own - other) / (200 * math.sqrt(2)))))


def _chart(page: Page, sd: Cells) -> None:
    """The Bayesian shift against the linear one, over the rating difference."""
    page.section("bayes_chart")
    page.text("about_bayes_chart")
    say, book = page.say, page.book
    names = {key: say(f"curve_{key}") for key in ("won", "won_linear", "lost", "lost_linear")}
    table = book.differences(
        say("sheet_bayes"),
        FAR,
        [
            Column("won after", say("column_bayes_new"), "0.0000"),
            Column("lost after", say("column_bayes_new"), "0.0000"),
            *(Column(key, name, SIGNED_HUNDREDTHS) for key, name in names.items()),
        ],
    )
    own = block(table, "a")
    for key, score in (("won", 1), ("lost", 0)):
        page.form.call(
            block(table, f"{key} after"),
            "ELO_BAYES",
            own,
            BASE,
            score,
            sd,
            None,
            None,
            "logistic",
            number_format="0.0000",
        )
        after = block(table, f"{key} after")
        at, linear = (table.columns[name][0] for name in (key, f"{key}_linear"))
        text = f"{{0}}^2*LN(10)/200*({score}-1/(1+10^(-{{1}}/400)))"
        for i in range(len(FAR)):
            new = worked(book.curves, [after.at(i, 0), own.at(i, 0)], LESS, less)
            line = worked(
                book.curves,
                [sd, block(table, "d").at(i, 0)],
                text,
                lambda s, d, score=score: (
                    s**2 * math.log(10) / 200 * (score - 1 / (1 + 10 ** (-d / 400)))
                ),
            )
            for column, shown in ((at, new), (linear, line)):
                book.curves.write(table.first + i, column, shown, "computed", SIGNED_HUNDREDTHS)
    chart = curve_chart(
        say("chart_bayes"),
        [curve(table, "d", key, name) for key, name in names.items()],
        Axis(say("column_difference"), WHOLE, FAR[0], FAR[-1], 200),
        Axis(say("column_shift"), WHOLE),
    )
    page.chart(chart, "chart_bayes_text")
