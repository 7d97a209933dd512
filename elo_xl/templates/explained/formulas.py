"""Formulas that wait for what they read, and curves through the cells of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from elo_xl.templates.charts import Curve
from elo_xl.templates.forms import Cells, block
from elo_xl.templates.parts import Formula, Sheet, Table
from elo_xl.templates.sheets.players import number


def worked(
    seen_from: Sheet, given: Sequence[Cells], text: str, compute: Callable[..., float | str]
) -> Formula:
    """A formula of built-in functions that is blank until all its cells hold numbers.

    ``text`` (without =) names the cells ``{0}``, ``{1}``, …; ``compute`` is Python's view of it.
    """
    cells = [one.text(seen_from) for one in given]
    found = [number(one.values()[0][0]) for one in given]
    value = "" if None in found else compute(*found)
    ready = f"COUNT({','.join(cells)})<{len(cells)}"
    return Formula(f'=IF({ready},"",{text.format(*cells)})', value)


def curve(table: Table, x: str, y: str, name: str, *, signs: bool = False) -> Curve:
    """Two columns of a table as one curve of a chart."""
    xs, ys = ([number(row[0]) or 0.0 for row in block(table, key).values()] for key in (x, y))
    return Curve(name, (table.range(x), xs), (table.range(y), ys), signs=signs)
