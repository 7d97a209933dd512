"""Benítez' web page: the expected score to two decimals, and his lines of Octave."""

from __future__ import annotations

import math
from typing import Final

from scipy.special import ndtr

from elo_xl.engine.rounding import round_half_up
from elo_xl.templates.explained.exhibit import Printed
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.page import BASE, Explained, Input, Page
from elo_xl.templates.parts import HUNDREDTHS, WHOLE, Column, Formula

PUBLISHED: Final = {
    -200: "0.24", -150: "0.30", -120: "0.34", -100: "0.36", -80: "0.39", -60: "0.42",
    -40: "0.44", -30: "0.46", -20: "0.47", -10: "0.49", -5: "0.49", 0: "0.50",
    5: "0.51", 10: "0.51", 20: "0.53", 30: "0.54", 40: "0.56", 60: "0.58",
    80: "0.61", 100: "0.64", 120: "0.66", 150: "0.70", 200: "0.76",
}  # fmt: skip
OCTAVE: Final = {40: "0.55623", -180: "0.26226"}
SIGMA: Final = (("200·√2", 2), ("200·√200", 200))
DIGITS: Final = "0.00000"


def write(book: Explained) -> None:
    """The sheet *Two decimals*."""
    page = book.page("decimals")
    page.section("try")
    rating, opponent = page.inputs(
        Input("rating", 1800, *RATING, WHOLE), Input("opponent", 1950, *RATING, WHOLE)
    )
    found = page.live("line_normal", "ELO_EXPECTED", rating, opponent, number_format=DIGITS)
    page.worked("line_two_decimals", [found], "ROUND({0},2)", _rounded, HUNDREDTHS)
    page.live("line_fide_table", "ELO_EXPECTED", rating, opponent, "fide", number_format=HUNDREDTHS)
    _table(page)
    page.text("more_decimals")
    _octave(page)
    _differences(page)
    page.finish()


def _rounded(value: float) -> float:
    return round_half_up(100 * value).item() / 100


def _table(page: Page) -> None:
    """The 23 values."""
    page.section("printed")
    say = page.say
    exhibit = page.exhibit(
        [
            Column("d", say("column_difference"), WHOLE, "left"),
            Column("a", say("column_rating"), WHOLE),
        ],
        [(d, None) for d in PUBLISHED],
        Printed("normal", list(PUBLISHED.values()), DIGITS),
        Printed("fide_table", list(PUBLISHED.values()), HUNDREDTHS),
        where=page.source("web", "decimals"),
    )
    for i, d in enumerate(PUBLISHED):
        at = exhibit.cells("a").at(i, 0)
        own = Formula(f"={BASE}+{exhibit.table.cell('d', i)}", BASE + d)
        page.sheet.write(at.row, at.column, own, "computed", WHOLE, "right")
    for key, model, form in (("normal", "normal", DIGITS), ("fide_table", "fide", HUNDREDTHS)):
        page.form.call(
            exhibit.cells(key),
            "ELO_EXPECTED",
            exhibit.cells("a"),
            BASE,
            model,
            number_format=form,
            align="right",
        )
    exhibit.judge()


def _octave(page: Page) -> None:
    """``normcdf(x, 0, sigma)``, with the right sigma and with the printed one."""
    page.section("octave")
    page.text("about_octave")
    say = page.say
    exhibit = page.exhibit(
        [Column("sigma_text", say("column_sigma_text"), align="left", role="strong")],
        [(text,) for text, _ in SIGMA[:1]],
        Printed("sigma", [f"{200 * math.sqrt(200):.4f}"], "0.0000"),
        where=page.source("web", "octave"),
    )
    right = exhibit.cells("sigma")
    page.sheet.write(
        right.row,
        right.column,
        Formula("=200*SQRT(2)", 200 * math.sqrt(2)),
        "computed",
        "0.0000",
        "right",
    )
    exhibit.judge()
    printed = exhibit.cells("sigma printed")
    page.row += 1
    exhibit = page.exhibit(
        [Column("octave", say("column_octave"), align="left", role="strong")],
        [(f"normcdf({x}, 0, sigma)",) for x in OCTAVE],
        Printed("point", [None] * len(OCTAVE), WHOLE),
        Printed("normal", list(OCTAVE.values()), "0.0000000"),
        Printed("with_printed_sigma", [None] * len(OCTAVE), DIGITS),
        where=page.source("web", "octave"),
    )
    for i, x in enumerate(OCTAVE):
        at = exhibit.cells("point").at(i, 0)
        page.sheet.write(at.row, at.column, x, "computed", WHOLE, "right")
        sigmas = (("normal", right), ("with_printed_sigma", printed))
        for (key, sigma), form in zip(sigmas, ("0.0000000", DIGITS), strict=True):
            cell = exhibit.cells(key).at(i, 0)
            text = f"=_xlfn.NORM.S.DIST({at.text(page.sheet)}/{sigma.text(page.sheet)},TRUE)"
            value = float(ndtr(x / float(sigma.values()[0][0] or 1)))
            page.sheet.write(cell.row, cell.column, Formula(text, value), "computed", form, "right")
    exhibit.judge()


def _differences(page: Page) -> None:
    """Two pairs that the page says are equally far apart."""
    page.section("same_difference")
    page.text("about_same_difference")
    say = page.say
    exhibit = page.exhibit(
        [
            Column("pair", say("column_pair"), align="left", role="strong"),
            Column("a", say("column_rating"), WHOLE),
            Column("b", say("column_opponent"), WHOLE),
        ],
        [("A – B", 1850, 1790), ("C – D", 2060, 2010)],
        Printed("gap", ["50", "50"], WHOLE),
        Printed("expected_score", [None, None], DIGITS),
        where=page.source("web", "example"),
    )
    exhibit.fill("gap", ["a", "b"], "{0}-{1}", lambda a, b: a - b)
    page.form.call(
        exhibit.cells("expected_score"),
        "ELO_EXPECTED",
        exhibit.cells("a"),
        exhibit.cells("b"),
        number_format=DIGITS,
        align="right",
    )
    exhibit.judge()
