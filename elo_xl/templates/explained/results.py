"""A game's result as a random variable, and how many pairs there are: problems 2 and 3."""

from __future__ import annotations

from typing import Final

from elo_xl.templates.explained.exhibit import Printed
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.forms import quoted
from elo_xl.templates.parts import HUNDREDTHS, WHOLE, Column

PAIRS: Final = (("A – B", 0.4, 0.2, 0.4), ("C – D", 0.6, 0.2, 0.2), ("E – F", 0.2, 0.6, 0.2))
MOST_PLAYERS: Final = 1e6

EXPECTATION: Final = "{0}+{1}/2"
VARIANCE: Final = "{0}+{1}/4-{2}^2"


def write(book: Explained) -> None:
    """The sheet *Results as random variables*."""
    page = book.page("results")
    page.formula("E(X) = 1·p(1) + ½·p(½) + 0·p(0)")
    page.formula("Var(X) = 1²·p(1) + (½)²·p(½) − E(X)²")
    page.section("try")
    win, draw = page.inputs(
        Input("chance_win", 0.4, 0, 1, HUNDREDTHS), Input("chance_draw", 0.2, 0, 1, HUNDREDTHS)
    )
    too_much = page.say("check_sum")
    loss = page.worked(
        "column_chance_loss",
        [win, draw],
        f"IF({{0}}+{{1}}>1+1E-9,{quoted(too_much)},MAX(0,1-{{0}}-{{1}}))",
        lambda w, d: too_much if w + d > 1 + 1e-9 else max(0.0, 1 - w - d),
        HUNDREDTHS,
    )
    mean = page.worked(
        "column_expectation", [win, draw, loss], EXPECTATION, lambda w, d, _: w + d / 2, "0.000"
    )
    page.worked(
        "column_variance", [win, draw, mean], VARIANCE, lambda w, d, e: w + d / 4 - e**2, "0.000"
    )
    _answers(page)
    _pairs(page)
    page.finish()


def _answers(page: Page) -> None:
    page.section("asked")
    say = page.say
    columns = [Column("pair", say("column_pair"), align="left", role="strong")]
    columns += [
        Column(key, say(f"column_chance_{key}"), HUNDREDTHS) for key in ("win", "draw", "loss")
    ]
    exhibit = page.exhibit(
        columns,
        PAIRS,
        Printed("expectation", ["0.5", "0.7", "0.5"], "0.000", "column_answer"),
        Printed("variance", ["0.2", "0.16", "0.1"], "0.000", "column_answer"),
        where=page.source("teaching", "problem", number=2),
    )
    exhibit.fill("expectation", ["win", "draw"], EXPECTATION, lambda w, d: w + d / 2)
    exhibit.fill(
        "variance", ["win", "draw", "expectation"], VARIANCE, lambda w, d, e: w + d / 4 - e**2
    )
    exhibit.judge()
    for i, (pair, *_) in enumerate(PAIRS):
        letters = pair[0] + pair[-1]
        page.book.known[f"expectation {letters}"] = exhibit.cells("expectation").at(i, 0)
        page.book.known[f"variance {letters}"] = exhibit.cells("variance").at(i, 0)
    page.text("more_results")


def _pairs(page: Page) -> None:
    page.section("pairings")
    page.text("about_pairings")
    page.formula("n(n − 1)/2,   n(n − 1)")
    (players,) = page.inputs(Input("players", 6, 2, MOST_PLAYERS, WHOLE, step=1))
    known = page.book.known
    known["pairs"] = page.worked(
        "line_pairs", [players], "{0}*({0}-1)/2", lambda n: n * (n - 1) / 2, "#,##0"
    )
    known["coloured pairs"] = page.worked(
        "line_coloured_pairs", [players], "{0}*({0}-1)", lambda n: n * (n - 1), "#,##0"
    )
    known["players"] = players
