"""What runs through the results of a bridge club, and the curves of its players."""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book, Formula
from elo_xl.books.charts import Axis, Chart, Curve, curve_chart, step_for
from elo_xl.books.styles import SIGNED_WHOLE, WHOLE
from elo_xl.templates.blocks.running import Running, shown_above

CHART_ROWS: Final = 36


def _running(book: Book) -> Running:
    return Running(book, "Each", book.options.players // 4, {end: f"no_{end}" for end in "nsew"})


def bridge_before(book: Book) -> None:
    """Name what the four players of a result had before it."""
    running = _running(book)
    for end in running.sides:
        book.names[f"had_{end}"] = running.before(end, "History", "gain")


def bridge_moved(book: Book) -> str:
    """The columns of those whom a result moves."""
    return _running(book).columns("gain_{end} = if_rated(after_{end} - before_{end})")


def bridge_kept(book: Book) -> None:
    """Write what everybody has after each round, and say above the results what they are typed
    in."""
    _running(book).keep("History", "gain", "Sums[@start]")
    results = book.tables["Results"]
    text = 't.column_result & " " & IF(Result_mean > 0, t.unit_percent, t.unit_imp)'
    at = results.header, results.at["result"]
    results.sheet.put(*at, Formula(text), "heading", align="center", measure=False)


def bridge_curves(book: Book) -> None:
    """The numbers of the players to show, above their curves, and the chart."""
    say, points, chosen = book.say, book.tables["Curves"], book.tables["Chosen"]
    last = "SUMPRODUCT(MAX(ISNUMBER(Each[result]) * Each[no]))"
    shown_above(points, "last_result", last, "y", chosen, "curve", "Sums[place]", align="right")
    above = points.sheet.cells(points.header - 1, points.at["y1"], 1, chosen.rows)
    points.sheet.name("numbers_shown", above)

    def drawn() -> Chart:
        curves = [
            Curve(chosen.cell("name", k - 1), points.column(f"x{k}"), points.column(f"y{k}"))
            for k in range(1, chosen.rows + 1)
        ]
        x = Axis(say("axis_results"), WHOLE, least=0, step=step_for(book.tables["Results"].rows))
        return curve_chart(say("curves"), curves, x, Axis(say("axis_change"), SIGNED_WHOLE))

    chosen.sheet.chart(drawn, f"A{chosen.last + 2}", say("curves_text"), rows=CHART_ROWS)
