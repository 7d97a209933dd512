"""The new rating, equation (5), and FIDE's K as Benítez' web page gives it."""

from __future__ import annotations

from typing import Final

from elo_xl.templates.explained.exhibit import Printed
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.forms import Cells
from elo_xl.templates.parts import HUNDREDTHS, TENTHS, WHOLE, Column

CASES: Final = (("new", 1500, 12, 30, None), ("young", 2200, 90, 17, None))
CASES_LATER: Final = (("usual", 2350, 40, 30, None), ("master", 2350, 400, 30, 2405))
PUBLISHED: Final = ("40", "40", "20", "10")


def write(book: Explained) -> None:
    """The sheet *The new rating*."""
    page = book.page("new_rating")
    page.formula("R' = μ + K·(S − E)")
    page.section("try")
    given = page.inputs(
        Input("rating", 1800, *RATING, WHOLE),
        Input("k", 20, 0, 100, WHOLE),
        Input("total_score", 5, 0, 100, TENTHS, step=0.5),
        Input("total_expected", 4, 0, 100, HUNDREDTHS),
    )
    page.live("line_new", "ELO_NEW", *given, number_format=HUNDREDTHS)
    _exhibit(page)
    page.text("more_new_rating")
    _k(page)
    page.finish()


def _exhibit(page: Page) -> None:
    page.section("printed")
    say = page.say
    keys = ("rating", "k", "total_score", "total_expected")
    exhibit = page.exhibit(
        [
            Column(key, say(f"column_{key}"), WHOLE, "left" if key == "rating" else "right")
            for key in keys
        ],
        [(1800, 20, 5, 4), (1800, 40, 5, 4)],
        Printed("new_rating", ["1820", "1840"], HUNDREDTHS),
        where=page.source("all_three", "equation", number=5),
    )
    given = [exhibit.cells(key) for key in keys]
    page.form.call(
        exhibit.cells("new_rating"), "ELO_NEW", *given, number_format=HUNDREDTHS, align="right"
    )
    exhibit.judge()


def _k(page: Page) -> None:
    """The four rules of the web page."""
    page.section("fide_k")
    page.text("about_fide_k")
    given: list[Cells] = page.inputs(
        Input("k_rating", 2200, *RATING, WHOLE),
        Input("k_games", 90, 0, 100000, WHOLE, step=1),
        Input("k_age", 17, 0, 120, WHOLE, step=1),
        Input("k_peak", 2210, *RATING, WHOLE),
    )
    page.live("line_k", "ELO_K", *given, number_format=WHOLE)
    page.row += 1
    say = page.say
    keys = ("k_rating", "k_games", "k_age", "k_peak")
    rows = [(say(f"case_{case}"), *numbers) for case, *numbers in (*CASES, *CASES_LATER)]
    exhibit = page.exhibit(
        [
            Column("case", say("column_case"), align="left", role="strong"),
            *(Column(key, say(f"column_{key}"), WHOLE) for key in keys),
        ],
        rows,
        Printed("k", PUBLISHED, WHOLE),
        where=page.source("web", "k"),
    )
    cells = [exhibit.cells(key) for key in keys]
    page.form.call(exhibit.cells("k"), "ELO_K", *cells, number_format=WHOLE, align="right")
    exhibit.judge()
    page.text("more_fide_k")
