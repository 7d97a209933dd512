"""Axioms I to V: appendix II of Benítez and Roca, each beside what it is on a worksheet."""

from __future__ import annotations

import math
from typing import Final

from scipy.special import ndtr

from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.forms import Cells, block
from elo_xl.templates.parts import HUNDREDTHS, SIGNED_HUNDREDTHS, TENTHS, WHOLE, Column

DIGITS: Final = "0.00000"
SPREAD: Final = 200
PERIOD: Final = ((1860, 1.0), (1770, 0.5), (2000, 0.0))


def write(book: Explained) -> None:
    """The sheet *Axioms*."""
    page = book.page("axioms")
    page.section("axiom_one")
    page.text("about_axiom_one")
    a, b, k = page.inputs(
        Input("rating", 1800, *RATING, WHOLE),
        Input("opponent", 1860, *RATING, WHOLE),
        Input("k_factor", 20, 0, 100, WHOLE),
    )
    _performance(page, a, b)
    _result(page, a, b)
    _period(page, a, k)
    page.finish()


def _performance(page: Page, a: Cells, b: Cells) -> None:
    """II and III: normal performances, independent of each other."""
    page.section("axiom_two")
    page.text("about_axiom_two")
    page.formula("rA ~ N(μA, 200²)")
    page.worked("line_axiom_low", [a], f"{{0}}-{SPREAD}", lambda rating: rating - SPREAD, WHOLE)
    page.worked("line_axiom_high", [a], f"{{0}}+{SPREAD}", lambda rating: rating + SPREAD, WHOLE)
    page.worked(
        "line_axiom_within",
        [a],
        "2*_xlfn.NORM.S.DIST(1,TRUE)-1",
        lambda rating: 2 * float(ndtr(1)) - 1,
        DIGITS,
    )
    page.worked(
        "line_axiom_above",
        [a, b],
        f"_xlfn.NORM.S.DIST(({{0}}-{{1}})/{SPREAD},TRUE)",
        lambda own, other: float(ndtr((own - other) / SPREAD)),
        DIGITS,
    )
    page.section("axiom_three")
    page.text("about_axiom_three")
    page.formula("rA − rB ~ N(μA − μB, 200² + 200²)")
    page.worked("line_axiom_mean", [a, b], "{0}-{1}", lambda own, other: own - other, WHOLE)
    page.worked(
        "line_axiom_sd",
        [a, b],
        f"SQRT({SPREAD}^2+{SPREAD}^2)",
        lambda own, other: math.sqrt(2 * SPREAD**2),
        HUNDREDTHS,
    )


def _result(page: Page, a: Cells, b: Cells) -> None:
    """IV: who performs better wins, and the expected score is the mean of that."""
    page.section("axiom_four")
    page.text("about_axiom_four")
    page.formula("X = 1, ½, 0:  rA > rB, rA = rB, rA < rB;   E = E(X) = Φ((μA − μB) / (200·√2))")
    page.live("line_axiom_outcomes", "ELO_OUTCOMES", a, b, 0, columns=3, number_format=DIGITS)
    page.live("line_axiom_expected", "ELO_EXPECTED", a, b, number_format=DIGITS)
    page.live("line_axiom_other", "ELO_EXPECTED", b, a, number_format=DIGITS)


def _period(page: Page, rating: Cells, k: Cells) -> None:
    """V: the new rating, once a period."""
    page.section("axiom_five")
    page.text("about_axiom_five")
    page.formula("μ′ = μ + K·(S − E),   E = E(A,B₁) + … + E(A,Bₙ)")
    say = page.say
    table = page.table(
        [
            Column("game", say("column_game"), WHOLE, "left"),
            Column("opponent", say("column_opponent"), WHOLE),
            Column("score", say("column_score"), TENTHS),
            Column("expected", say("column_expected_score"), DIGITS),
        ],
        len(PERIOD),
    )
    for i, (opponent, score) in enumerate(PERIOD):
        table.write(i, {"game": i + 1, "opponent": opponent, "score": score})
    met, points, expected = (block(table, key) for key in ("opponent", "score", "expected"))
    page.form.call(expected, "ELO_EXPECTED", rating, met, number_format=DIGITS, align="right")
    games = range(len(PERIOD))
    total = page.worked(
        "line_axiom_score",
        [points.at(i, 0) for i in games],
        "+".join(f"{{{i}}}" for i in games),
        lambda *each: sum(each),
        TENTHS,
    )
    hoped = page.worked(
        "line_axiom_hoped",
        [expected.at(i, 0) for i in games],
        "+".join(f"{{{i}}}" for i in games),
        lambda *each: sum(each),
        DIGITS,
    )
    page.live("line_axiom_new", "ELO_NEW", rating, k, total, hoped, number_format=HUNDREDTHS)
    page.live(
        "line_axiom_change",
        "ELO_CHANGE",
        rating,
        k,
        met,
        points,
        "elo",
        number_format=SIGNED_HUNDREDTHS,
    )
    page.live(
        "line_axiom_update", "ELO_UPDATE", rating, k, met, points, "elo", number_format=HUNDREDTHS
    )
