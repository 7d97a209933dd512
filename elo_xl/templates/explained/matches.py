"""Matches of several games: problem 4."""

from __future__ import annotations

from typing import Final

from elo_xl.templates.charts import Axis, curve_chart
from elo_xl.templates.explained.exhibit import Printed
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.formulas import curve
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.forms import Cells, block
from elo_xl.templates.parts import TENTHS, WHOLE, Column, Formula

KINDS: Final = ("exactly", "at least", "at most")
MOST_GAMES: Final = 20
DIGITS: Final = "0.0000000"


def write(book: Explained) -> None:
    """The sheet *Matches*."""
    page = book.page("matches")
    page.formula("P(S = k) = n!/(k!·(n−k)!) · E^k · (1−E)^(n−k)")
    page.section("try")
    rating, opponent, games, points = page.inputs(
        Input("rating", 1834, *RATING, WHOLE),
        Input("opponent", 2179, *RATING, WHOLE),
        Input("match_games", 10, 1, MOST_GAMES, WHOLE, step=1),
        Input("match_points", 3, 0, MOST_GAMES, step=0.5),
    )
    page.live("line_expected", "ELO_EXPECTED", rating, opponent, number_format="0.00000")
    reachable = page.worked(
        "line_reachable", [games, points], 'IF({1}<={0},{1},"")', lambda n, k: k if k <= n else ""
    )
    _live(page, [rating, opponent, games, reachable])
    _exhibit(page)
    page.text("more_matches")
    _chart(page, rating, opponent, games)
    page.finish()


def _live(page: Page, given: list[Cells]) -> None:
    """Every kind of question, without draws and with them."""
    say = page.say
    page.row += 1
    columns = [Column("kind", say("column_kind"), align="left", role="strong")]
    columns += [Column(key, say(f"column_{key}"), DIGITS) for key in ("no_draws", "with_draws")]
    table = page.table(columns, len(KINDS))
    for i, kind in enumerate(KINDS):
        table.write(i, {"kind": say(f"kind_{kind.replace(' ', '_')}")})
        for key, draws in (("no_draws", 0), ("with_draws", None)):
            at = block(table, key).at(i, 0)
            page.form.call(
                at, "ELO_MATCH", *given, kind, draws, number_format=DIGITS, align="right"
            )


def _exhibit(page: Page) -> None:
    page.section("asked")
    say = page.say
    keys = ("rating", "opponent", "match_games", "match_points")
    exhibit = page.exhibit(
        [
            Column("kind", say("column_kind"), align="left", role="strong"),
            *(Column(key, say(f"column_{key}"), WHOLE) for key in keys),
        ],
        [(say(f"kind_{kind.replace(' ', '_')}"), 1834, 2179, 10, 3) for kind in KINDS[:2]],
        Printed("probability", ["0.0724", "0.0909"], DIGITS, "column_answer"),
        where=page.source("teaching", "problem", number=4),
    )
    for i, kind in enumerate(KINDS[:2]):
        target = exhibit.cells("probability").at(i, 0)
        given = [exhibit.cells(key).at(i, 0) for key in keys]
        page.form.call(target, "ELO_MATCH", *given, kind, 0, number_format=DIGITS, align="right")
        page.book.known[f"match {kind}"] = target
    exhibit.judge()


def _chart(page: Page, rating: Cells, opponent: Cells, games: Cells) -> None:
    """Every score of the match; points beyond the last one repeat it."""
    page.section("distribution")
    say, book, curves = page.say, page.book, page.book.curves
    keys = ("no_draws", "with_draws")
    names = {key: say(f"column_{key}") for key in keys}
    columns = [
        column
        for key in keys
        for column in (
            Column(f"{key} points", say("column_match_points"), TENTHS),
            Column(key, names[key], DIGITS),
        )
    ]
    table = book.points(say("sheet_matches"), columns, 2 * MOST_GAMES + 1)
    n = float(games.values()[0][0] or 0)
    count = games.text(curves)
    for i in range(2 * MOST_GAMES + 1):
        for key, points in (("no_draws", float(i)), ("with_draws", i / 2)):
            at = block(table, f"{key} points").at(i, 0)
            found = Formula(f"=MIN({points:g},N({count}))", min(points, n))
            curves.write(at.row, at.column, found, "computed", TENTHS, "right")
    for key, draws in (("no_draws", 0), ("with_draws", None)):
        page.form.call(
            block(table, key),
            "ELO_MATCH",
            rating,
            opponent,
            games,
            block(table, f"{key} points"),
            "exactly",
            draws,
            number_format=DIGITS,
        )
    chart = curve_chart(
        say("chart_matches"),
        [curve(table, f"{key} points", key, names[key], signs=True) for key in keys],
        Axis(say("column_match_points"), WHOLE, 0, None, 1),
        Axis(say("column_probability"), "0.00", 0),
    )
    page.chart(chart, "chart_matches_text")
