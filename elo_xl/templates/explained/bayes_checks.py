"""What Bayes' formula gives, against values that were worked out in other ways."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from scipy.special import ndtr

from elo_xl.templates.explained.exhibit import Printed
from elo_xl.templates.explained.page import BASE, Page
from elo_xl.templates.parts import TENTHS, WHOLE, Column

DIGITS: Final = "0.00000"
SIGNED: Final = "+0.0000;-0.0000;0.0000"

PLACES: Final = 6
LESS: Final = f"ROUND({{0}}-{{1}},{PLACES})"
"""A shift: the last digits of two ratings are nothing but rounding"""

CHECKED: Final = (
    (1500, 1500, 100, 1.0, "0.2820", "44.7289", "44.5619"),
    (1600, 1500, 100, 1.0, "0.4187", "34.4975", "34.0385"),
    (1600, 1500, 100, 0.5, "0.4107", "-11.9069", "-11.3302"),
    (1600, 1500, 100, 0.0, "0.1706", "-56.0208", "-55.8339"),
    (1834, 2179, 150, 1.0, "0.0532", "149.2478", "145.9299"),
    (1834, 2179, 150, 0.5, "0.2228", "70.3276", "62.5454"),
    (1834, 2179, 150, 0.0, "0.7240", "-32.6041", "-31.8792"),
)
"""Ratings, deviation, score; probability and shifts with the normal and the logistic E"""

LINKS: Final = ((10, "29.5", None), (20, "41.7", "9.47"), (40, "58.9", None))

_T: Final = "((ROW($1:$301)-151)/8)"
_SIDE: Final = (
    f"_xlfn.NORM.S.DIST(SIGN({{2}}-%s)*({{0}}-{{1}}+SQRT(2)*{{3}}*{_T})/(200*SQRT(2)),TRUE)"
)
CHANCE: Final = (
    f"SUMPRODUCT(EXP(-({_T}^2)/2)*{_SIDE % '0.25'}*{_SIDE % '0.75'})"
    "/8/SQRT(2*PI())*IF({2}=0.5,2,1)"
)
"""The probability of a result before the game: equation (5) over all differences that may be; cells
are both ratings, the score and the deviation"""


def chance(own: float, other: float, score: float, sd: float) -> float:
    """The same sum in Python."""
    t = (np.arange(1, 302) - 151) / 8
    d = own - other + math.sqrt(2) * sd * t
    both = (np.sign(score - edge) * d / (200 * math.sqrt(2)) for edge in (0.25, 0.75))
    first, second = (ndtr(side) for side in both)
    total = float((np.exp(-(t**2) / 2) * first * second).sum())
    return total / 8 / math.sqrt(2 * math.pi) * (2 if score == 0.5 else 1)


def less(new: float, old: float) -> float:
    """The same in Python."""
    return round(new - old, PLACES)


def checked(page: Page) -> None:
    """The values of Bayes' formula that were worked out in other ways."""
    page.section("checked")
    page.text("about_checked_bayes")
    say = page.say
    inputs = [
        Column("own", say("column_rating"), WHOLE, "left"),
        Column("other", say("column_opponent"), WHOLE),
        Column("score", say("column_score"), TENTHS),
        Column("sd", say("column_deviation"), WHOLE),
    ]
    after = Column("after", say("column_bayes_new"), "0.0000")
    for at, (key, model) in enumerate(
        (("chance_before", None), ("shift_normal", "normal"), ("shift_logistic", "logistic")), 4
    ):
        columns = [*inputs, after] if model else inputs
        rows = [(a, b, score, sd, None)[: len(columns)] for a, b, sd, score, *_ in CHECKED]
        form = SIGNED if model else DIGITS
        checks = [str(row[at]) for row in CHECKED]
        exhibit = page.exhibit(columns, rows, Printed(key, checks, form, "column_check_value"))
        if model:
            given = (exhibit.cells(one.key) for one in inputs)
            page.form.call(
                exhibit.cells("after"),
                "ELO_BAYES",
                *given,
                None,
                None,
                model,
                number_format="0.0000",
                align="right",
            )
            exhibit.fill(key, ("after", "own"), LESS, less)
        else:
            exhibit.fill(key, [one.key for one in inputs], CHANCE, chance)
        exhibit.judge()
        page.row += 1


def links(page: Page) -> None:
    """K and the deviation that amounts to it."""
    page.section("bayes_link")
    page.text("about_bayes_link")
    page.formula("K = σ²·ln 10 / 200     σ = √(200·K / ln 10)")
    say = page.say
    exhibit = page.exhibit(
        [Column("k", say("column_factor"), WHOLE, "left")],
        [(k,) for k, _, _ in LINKS],
        Printed("deviation", [sd for _, sd, _ in LINKS], "0.0000", "column_check_value"),
        Printed("bayes_new", [None] * len(LINKS), "0.0000"),
        Printed("bayes_win", [win for _, _, win in LINKS], "0.0000", "column_check_value"),
        Printed("linear_win", [None] * len(LINKS), "0.0000"),
    )
    exhibit.fill(
        "deviation", ("k",), "SQRT(200*{0}/LN(10))", lambda k: math.sqrt(200 * k / math.log(10))
    )
    page.form.call(
        exhibit.cells("bayes_new"),
        "ELO_BAYES",
        BASE,
        BASE,
        1,
        exhibit.cells("deviation"),
        None,
        None,
        "logistic",
        number_format="0.0000",
        align="right",
    )
    exhibit.fill(
        "bayes_win", ("bayes_new",), f"ROUND({{0}}-{BASE},{PLACES})", lambda new: less(new, BASE)
    )
    exhibit.fill("linear_win", ("k",), "{0}*(1-0.5)", lambda k: k / 2)
    exhibit.judge()
