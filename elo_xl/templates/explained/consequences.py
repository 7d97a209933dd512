"""What follows from the formula: section 4.3, problem 5, and the bell curve of figure 2."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from scipy.special import ndtr

from elo_xl.templates.charts import Axis, curve_chart
from elo_xl.templates.explained.formulas import curve, worked
from elo_xl.templates.explained.page import BASE, Explained, Input, Page
from elo_xl.templates.forms import Cells, block, mark, quoted
from elo_xl.templates.parts import WHOLE, Column, Formula

LINES: Final = 12
FAR: Final = (0, 200, 400, 800, 1200, 1600)
NORMAL: Final = "_xlfn.NORM.S.DIST({0},TRUE)"
TINY: Final = 1e-12


def write(book: Explained) -> None:
    """The sheet *What follows*."""
    page = book.page("consequences")
    page.formula("E(A,B) + E(B,A) = 1")
    page.section("try")
    fixed, step = page.inputs(
        Input("fixed", 1800, 1300, 2800, WHOLE), Input("step", 50, 1, 100, WHOLE)
    )
    _rising(page, fixed, step)
    page.text("more_consequences")
    _far(page)
    _bell(page)
    page.finish()


def _rising(page: Page, fixed: Cells, step: Cells) -> None:
    """Problem 5: one rating fixed, the other on the move."""
    say, sheet = page.say, page.sheet
    keys = ("a_rises", "e_rises", "b_falls", "e_falls", "e_other", "sum_of_both", "as_stated")
    formats = (WHOLE, "0.00000", WHOLE, "0.00000", "0.00000", "0.00000", WHOLE)
    page.row += 1
    columns = [Column("line", say("column_line"), WHOLE, "left")]
    columns += [
        Column(key, say(f"column_{key}"), form, "center" if key == "as_stated" else "right")
        for key, form in zip(keys, formats, strict=True)
    ]
    table = page.table(columns, LINES)
    cells = {key: block(table, key) for key in ("line", *keys)}
    for i in range(LINES):
        line = cells["line"].at(i, 0)
        sheet.write(line.row, line.column, i, "strong", WHOLE, "left")
        for key, sign in (("a_rises", 1), ("b_falls", -1)):
            at = cells[key].at(i, 0)
            text = "{0}%s{1}*{2}" % ("+" if sign > 0 else "-")
            found = worked(
                sheet, [fixed, line, step], text, lambda f, n, s, sign=sign: f + sign * n * s
            )
            sheet.write(at.row, at.column, found, "computed", WHOLE, "right")
    pairs = (
        ("e_rises", cells["a_rises"], fixed),
        ("e_falls", fixed, cells["b_falls"]),
        ("e_other", cells["b_falls"], fixed),
    )
    for key, own, other in pairs:
        page.form.call(
            cells[key], "ELO_EXPECTED", own, other, number_format="0.00000", align="right"
        )
    for i in range(LINES):
        one = {key: cells[key].at(i, 0) for key in keys}
        at = one["sum_of_both"]
        found = worked(sheet, [one["e_falls"], one["e_other"]], "{0}+{1}", lambda a, b: a + b)
        sheet.write(at.row, at.column, found, "computed", "0.00000", "right")
        at = one["as_stated"]
        sheet.write(at.row, at.column, _stated(page, cells, i), align="center")
    stated = cells["as_stated"].text(sheet)
    good = sum(row[0] == say("yes") for row in cells["as_stated"].values())
    text = f"=COUNTIF({stated},{quoted(say('yes'))})"
    page.row += 1
    page.book.known["lines as stated"] = page.line("line_stated", Formula(text, good), WHOLE)
    mark(cells["as_stated"], f"{one_cell(cells['as_stated'])}={quoted(say('no'))}")


def one_cell(cells: Cells) -> str:
    """The first of several cells, as formulas of its sheet write it."""
    return cells.at(0, 0).text(cells.sheet)


def _stated(page: Page, cells: dict[str, Cells], i: int) -> Formula:
    """Whether a line is as the paper says: sum 1, both ways the same, above the line before."""
    yes, no = page.say("yes"), page.say("no")
    tests = ["ABS({0}-1)<1E-12", "ABS({1}-{2})<1E-12", "{1}>{3}" if i else "{1}=0.5"]
    given = [cells[key].at(i, 0) for key in ("sum_of_both", "e_rises", "e_falls")]
    if i:
        given.append(cells["e_rises"].at(i - 1, 0))

    def judge(total: float, rises: float, falls: float, before: float = -1) -> str:
        good = abs(total - 1) < TINY and abs(rises - falls) < TINY
        return yes if good and (rises > before if i else rises == 0.5) else no

    text = f"IF(AND({','.join(tests)}),{quoted(yes)},{quoted(no)})"
    return worked(page.sheet, given, text, judge)


def _far(page: Page) -> None:
    """Towards 1, never there."""
    page.section("limits")
    say = page.say
    table = page.table(
        [
            Column("d", say("column_difference"), WHOLE, "left"),
            Column("a", say("column_rating"), WHOLE),
            Column("b", say("column_opponent"), WHOLE),
            Column("near", say("column_expected_score"), "0.000000"),
            Column("left", say("column_missing"), "0.0E+00"),
        ],
        len(FAR),
    )
    for i, d in enumerate(FAR):
        rating = Formula(f"={table.cell('b', i)}+{table.cell('d', i)}", BASE + d)
        table.write(i, {"d": d, "a": rating, "b": BASE})
    a, b = block(table, "a"), block(table, "b")
    for key, own, other, form in (("near", a, b, "0.000000"), ("left", b, a, "0.0E+00")):
        page.form.call(
            block(table, key), "ELO_EXPECTED", own, other, number_format=form, align="right"
        )


def _bell(page: Page) -> None:
    """Figure 2: both tails of the bell are the same."""
    page.section("bell")
    page.text("about_bell")
    page.formula("Φ(x) + Φ(−x) = 1")
    (x,) = page.inputs(Input("bell_x", 1, 0, 3.5, "0.00"))
    left = page.worked(
        "line_left_tail", [x], NORMAL.format("-{0}"), lambda v: float(ndtr(-v)), "0.00000"
    )
    below = page.worked("line_below", [x], NORMAL, lambda v: float(ndtr(v)), "0.00000")
    page.worked("line_both", [left, below], "{0}+{1}", lambda a, b: a + b, "0.00000")
    say, book = page.say, page.book
    xs = np.round(np.linspace(-4, 4, 81), 1).tolist()
    keys = ("x", "bell", "left_x", "left", "right_x", "right")
    table = book.points(
        say("bell"), [Column(key, say(f"column_point_{key}"), "0.0000") for key in keys], len(xs)
    )
    at = x.text(book.curves)
    middle = float(x.values()[0][0] or 0)
    for i, place in enumerate(xs):
        cell = table.cell("x", i)
        values = {"x": place, "bell": Formula(f"=EXP(-({cell}^2)/2)/SQRT(2*PI())", _density(place))}
        # two lines up from the axis, at x and -x: all later points stand on their upper ends
        for side, sign in (("left", "-"), ("right", "")):
            where = -middle if sign else middle
            values[f"{side}_x"] = Formula(f"={sign}N({at})", where)
            foot = table.cell(f"{side}_x", i)
            up = Formula(f"=EXP(-({foot}^2)/2)/SQRT(2*PI())", _density(where))
            values[side] = up if i else 0.0
        table.write(i, values)
    chart = curve_chart(
        say("chart_bell"),
        [
            curve(table, "x", "bell", say("column_point_bell")),
            curve(table, "left_x", "left", "−x"),
            curve(table, "right_x", "right", "x"),
        ],
        Axis("x", "0", -4, 4, 1),
        Axis(say("column_point_bell"), "0.0", 0, 0.5, 0.1),
    )
    page.chart(chart, "chart_bell_text")


def _density(x: float) -> float:
    return math.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
