"""Mamon's two formulas for a rating difference: the logarithmic one and Elo's own."""

from __future__ import annotations

import math
from typing import Final

from elo_xl.templates.explained.facts import Fact, facts
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.explained.two_curves import curves, meeting_points
from elo_xl.templates.forms import Cells, Given
from elo_xl.templates.parts import HUNDREDTHS, Formula

X: Final = 12.5 / 20
CLOSE: Final = 0.6
"""Where the expansions are compared"""

ROOT: Final = 400 * math.sqrt(math.pi)
"""The slope of Elo's formula at 0.5, and of the rescaled one"""

POINTS_MADE: Final = 0.5, 1000.0
MODELS: Final = ("normal", "logistic", "rescaled", "fide")

PRINTED_NINE: Final = "400*SQRT(PI())*({0}-0.5)*(1+PI()/3*({0}-0.5))"
RIGHT_NINE: Final = "400*SQRT(PI())*({0}-0.5)*(1+PI()/3*({0}-0.5)^2)"
PRINTED_TEN: Final = "400*SQRT(PI())*({0}-0.5)*(1+4/3*({0}-0.5))"
RIGHT_TEN: Final = "400*SQRT(PI())*({0}-0.5)*(1+4/3*({0}-0.5)^2)"


def expansion(factor: float, power: int, x: float) -> float:
    """The third-order forms of both formulas, as printed (power 1) and right (power 2)."""
    return ROOT * (x - 0.5) * (1 + factor * (x - 0.5) ** power)


EXPANSIONS: Final = (
    ("nine_printed", PRINTED_NINE, math.pi / 3, 1),
    ("nine_right", RIGHT_NINE, math.pi / 3, 2),
    ("ten_printed", PRINTED_TEN, 4 / 3, 1),
    ("ten_right", RIGHT_TEN, 4 / 3, 2),
)


def write(book: Explained) -> None:
    """The sheet *Two formulas*."""
    page = book.page("two_formulas")
    page.formula("Δlog = 400·log₁₀(x / (1 − x))     (2)")
    page.formula("ΔElo = 400·erf⁻¹(2x − 1) = 200·√2·Φ⁻¹(x)     (5)")
    page.formula("Δlog,2 = 100·√π·ln(x / (1 − x))     (8)")
    page.section("try")
    won, lost = page.inputs(
        Input("points_won", 12.5, *POINTS_MADE, "0.0", 0.5),
        Input("points_lost", 7.5, *POINTS_MADE, "0.0", 0.5),
    )
    x = page.worked(
        "line_fraction", [won, lost], "{0}/({0}+{1})", lambda w, m: w / (w + m), "0.0000"
    )
    for model in MODELS:
        page.live(f"line_diff_{model}", "ELO_DIFF", x, model, number_format=HUNDREDTHS)
    for key, text, factor, power in EXPANSIONS:
        page.worked(
            f"line_{key}",
            [x],
            text,
            lambda at, f=factor, p=power: expansion(f, p, at),
            HUNDREDTHS,
        )
    page.text("two_lesson")
    curves(page)
    meeting = meeting_points(page)
    _printed(page, meeting)
    _checked(page, meeting)
    page.finish(pages=2)


def _printed(page: Page, meeting: list[Cells]) -> None:
    """All numbers of the paper."""
    page.section("printed")
    say, where = page.say, page.source
    log = math.log10(X / (1 - X))
    ratio = math.sqrt(math.pi) / 4 * math.log(10)
    share, points = (_seen(page, cell) for cell in meeting[:2])

    def at(number: int) -> str:
        return where("mamon", "equation", number=number)

    text = where("mamon", "text")
    rescaled = 100 * math.sqrt(math.pi) * math.log(10)
    rows: list[tuple[str, str, Formula | tuple[Given, ...], str]] = [
        ("fraction", "0.625", Formula("=12.5/(12.5+7.5)", X), text),
        ("other", "0.375", Formula("=7.5/(12.5+7.5)", 1 - X), text),
        ("a", "405.7", Formula(f"=90/LOG10({X}/(1-{X}))", 90 / log), at(1)),
        ("log", "88.7", ("ELO_DIFF", X, "logistic"), at(2)),
        ("magazine", "90", ("ELO_DIFF", X), text),
        ("elo", "90.1", ("ELO_DIFF", X), at(5)),
        ("sd", "282", Formula("=SQRT(2)*200", math.sqrt(2) * 200), at(3)),
        ("slope_log", "694.9", Formula("=1600/LN(10)", 1600 / math.log(10)), at(6)),
        ("slope_elo", "709.0", Formula("=400*SQRT(PI())", ROOT), at(7)),
        ("ratio", "1.020", Formula("=SQRT(PI())/4*LN(10)", ratio), at(8)),
        ("two", "2", Formula("=100*(SQRT(PI())/4*LN(10)-1)", 100 * (ratio - 1)), text),
        ("rescaled", "408.1", Formula("=100*SQRT(PI())*LN(10)", rescaled), at(8)),
        ("third", "27", Formula("=100*(4/PI()-1)", 100 * (4 / math.pi - 1)), text),
        ("points_two", "268", points, text),
        ("share_two", "83", Formula(f"=100*{share.text[1:]}", 100 * float(share.value)), text),
    ]
    facts(
        page, [Fact(say(f"fact_{key}"), printed, live, place) for key, printed, live, place in rows]
    )


def _checked(page: Page, meeting: list[Cells]) -> None:
    """What the paper does not print, against values worked out in another way."""
    page.section("checked")
    page.text("about_checked_two")
    say, where = page.say, page.source
    made = {
        key: Formula("=" + text.format(f"{CLOSE:g}"), expansion(factor, power, CLOSE))
        for key, text, factor, power in EXPANSIONS
    }
    share, points, far, _ = (_seen(page, cell) for cell in meeting)
    rows: list[tuple[str, str | None, Formula | tuple[Given, ...], int]] = [
        ("elo_close", "71.657", ("ELO_DIFF", CLOSE), 5),
        ("nine_printed", "78.32", made["nine_printed"], 9),
        ("nine_right", "71.641", made["nine_right"], 9),
        ("rescaled_close", None, ("ELO_DIFF", CLOSE, "rescaled"), 8),
        ("ten_printed", None, made["ten_printed"], 10),
        ("ten_right", None, made["ten_right"], 10),
        ("third_ratio", "1.273", Formula("=4/PI()", 4 / math.pi), 10),
    ]
    found = [
        Fact(say(f"fact_{key}"), value, live, where("mamon", "equation", number=number))
        for key, value, live, number in rows
    ]
    figure = where("mamon", "figure", number=1)
    found += [
        Fact(say("fact_points_two"), "267.7", points, figure),
        Fact(say("fact_x_two"), "0.8280", share, figure),
        Fact(say("fact_x_ten"), "0.9504", far, figure),
        Fact(say("fact_table"), "95", ("ELO_DIFF", X, "fide"), say("place_fide_table")),
    ]
    facts(page, found, key="checked_live", heading="column_check_value")


def _seen(page: Page, cell: Cells) -> Formula:
    """What another cell holds."""
    return Formula(f"={cell.text(page.sheet)}", float(cell.values()[0][0] or 0))
