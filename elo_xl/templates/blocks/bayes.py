"""What runs through the games of a book by Bayes' formula and by Elo's rule, and its curves."""

from __future__ import annotations

from functools import partial
from typing import Final

from elo_xl.books.book import Book, Formula
from elo_xl.books.charts import Axis, Chart, Curve, curve_chart, step_for
from elo_xl.books.styles import NONE, SIGNED_WHOLE, WHOLE
from elo_xl.templates.blocks.running import BLOCK, Running, shown_above

CURVES: Final = 3
"""players of the charts"""
CHART_ROWS: Final = 20

KEPT: Final = {
    "Ratings": ("rating", "change", "Listed[@start]"),
    "Deviations": ("before", "sd_gain", "Players[@own_sd]"),
    "Elo": ("elo", "elo_change", "Listed[@start]"),
}
"""What runs: rating and deviation by Bayes' formula, the rating by Elo's rule. By the name of its
table: the columns of *Each game* with what both players have before a game, those of what it
changes, and what a player begins with."""


def _running(book: Book) -> Running:
    return Running(book, "Each", BLOCK, {"a": "Found[@first_no]", "b": "Found[@second_no]"})


def bayes_last(book: Book) -> str:
    """The columns of what everybody has after the last block of games."""
    columns = {"rating": "Ratings", "sd": "Deviations", "elo": "Elo"}
    last = -(-book.options.rounds // BLOCK)
    return "\n".join(
        f"{key} 0.0 text:now_{key} = last({table}[@b{last}])" for key, table in columns.items()
    )


def bayes_before(book: Book) -> None:
    """Name what both players have before a game; everybody plays once an evening."""
    running = _running(book)
    for table, (what, change, _) in KEPT.items():
        for end in running.sides:
            book.names[f"{what}_before_{end}"] = running.before(end, table, change)
    book.sheets["games"].set_up.ordered = True
    for key in ("games", "each"):
        book.sheets[key].set_up.unbroken = max(book.options.players // 2, 2)


def bayes_moved(book: Book) -> str:
    """The columns of those whom a game moves."""
    return _running(book).columns("sd_gain_{end} = rated(sd_{end} - before_{end})")


def bayes_kept(book: Book) -> None:
    """Write what everybody has after each block of games."""
    for table, (_, change, start) in KEPT.items():
        _running(book).keep(table, change, start)


def bayes_curves(book: Book) -> None:
    """The chosen players' numbers above the points of their curves, the curves' names, and the
    charts: one player with the band of their deviation, and all beside each other.

    Points are counted from the first rating, so that both axes may begin at 0.
    """
    say, points, chosen = book.say, book.tables["Points"], book.tables["Chosen"]
    steps = points.sheet
    last = "SUMPRODUCT(MAX(Found[counts] * Each[no]))"
    shown_above(points, "last_game", last, "x", chosen, "chosen", "Last[place]")
    named = {("elo1", 1): "t.curve_elo", ("high", 1): "t.curve_band"} | {
        (f"rating{k}", k): f'cell(Chosen, "name", {k})' for k in range(1, CURVES + 1)
    }
    for (key, k), name in named.items():
        heading = Formula(f'IF(shown{k} = 0, "{NONE}", {name})')
        place = points.header, points.at[key]
        steps.put(*place, heading, "heading", align="right", measure=False)
    for table in steps.tables:
        table.fitted = False
    steps.height(points.header, 3)

    def curve(key: str, k: int = 1) -> Curve:
        bound = key in ("high", "low")
        name = steps.cells(points.header, points.at["high" if bound else key])
        look = 0 if bound else None
        return Curve(name, points.column(f"x{k}"), points.column(key), look=look, thin=bound)

    def drawn(key: str) -> Chart:
        ways = [curve(f"rating{k}", k) for k in range(1, CURVES + 1)]
        band = [ways[0], curve("elo1"), curve("high"), curve("low")]
        step = step_for(book.options.rounds)
        x = Axis(say("axis_games"), WHOLE, least=0, step=step)
        y = Axis(say("axis_points"), SIGNED_WHOLE)
        curves = band if key == "band" else ways
        return curve_chart(say(f"chart_{key}"), curves, x, y)

    row = chosen.last + 2
    for key in ("band", "pairs"):
        chosen.sheet.chart(
            partial(drawn, key), f"A{row}", say(f"chart_{key}_text"), rows=CHART_ROWS
        )
        row += CHART_ROWS + 1
