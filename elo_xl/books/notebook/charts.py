"""The statement of a chart: its axes, and curves through columns of tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from elo_xl.books.charts import Axis, Chart, Curve, curve_chart
from elo_xl.books.looks import number_format
from elo_xl.books.model import Cells
from elo_xl.books.notebook.page import Page
from elo_xl.books.statements import Statement, words_of
from elo_xl.books.styles import LINE_HEIGHT

ROWS: Final = 20
"""height of a chart, in rows of the sheet"""
SIZE: Final = 20.0, ROWS * LINE_HEIGHT / 72 * 2.54


def chart(page: Page, statement: Statement) -> None:
    """``chart KEY``."""
    key, sheet = statement.rest, page.sheet
    axes: dict[str, Axis] = {}
    curves: list[Callable[[], Curve]] = []
    for child in statement.children:
        if child.keyword in ("x", "y"):
            axes[child.keyword] = _axis(page, child)
        else:
            curves.append(_curve(page, child))

    def drawn() -> Chart:
        drawn_curves = [curve() for curve in curves]
        return curve_chart(page.book.say(key), drawn_curves, axes["x"], axes["y"], SIZE)

    sheet.chart(drawn, f"A{sheet.row}", page.book.say(f"{key}_text"))
    sheet.row += ROWS + 1


def _axis(page: Page, statement: Statement) -> Axis:
    """``x TITLE FORMAT LEAST..MOST STEP``."""
    title, shown, *rest = words_of(statement.rest)
    bounds, step = (*rest, "", "")[:2]
    low, _, high = bounds.partition("..")
    words = title.strip('"') if title.startswith('"') else page.book.say(title)
    least, most, by = (float(text) if text else None for text in (low, high, step))
    return Axis(words, number_format(shown, page.book), least, most, by)


def _curve(page: Page, statement: Statement) -> Callable[[], Curve]:
    """``curve TABLE x y``, with ``signs`` at its points, and ``"name"`` or ``name:KEY``."""
    key, x, y, *words = words_of(statement.rest)

    def curve() -> Curve:
        table = page.book.tables[key]
        name: str | Cells = table.columns[y].heading
        for word in words:
            if word.startswith('"'):
                name = word.strip('"')
            elif word.startswith("name:"):
                name = page.cells.get(word[5:]) or page.book.say(word[5:])
        return Curve(name, table.column(x), table.column(y), signs="signs" in words)

    return curve
