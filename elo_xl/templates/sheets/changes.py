"""The chart of the changes on *Ratings*, and the figures on another sheet that it reads."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from openpyxl.utils import get_column_letter

from elo_xl.templates.charts import Bars, bar_chart
from elo_xl.templates.parts import GAIN, LOSS, WHOLE, Column, Formula, Sheet, Table
from elo_xl.templates.sheets.ratings import TOTALS, change_format

if TYPE_CHECKING:
    from elo_xl.tournament.rate import RatedEvent

MOST_BARS: Final = 24
"""Bars of the chart; of more players it shows the largest gains and losses."""

CHART_WIDTH: Final = 17.0
BAR_HEIGHT: Final = 0.46
COLUMN_WIDTH: Final = 1.6
ROW_HEIGHT: Final = 0.5
"""in centimetres, the last two at least"""


def chart_of_changes(ratings: Table, sheet: Sheet, event: RatedEvent, top: int, left: int) -> None:
    """Order the players by their changes on ``sheet``, and draw them beside the ``ratings``.

    Formulas keep the order, so that the chart stays sorted when a result is corrected.
    """
    changes = _Changes(event)
    order = _order(ratings, sheet, changes, top, left)
    bars = _bars(ratings, order, changes, top, left + len(order.columns) + 1)
    if changes.players:
        _draw(ratings, bars, changes)


class _Changes:
    """The players with a rated game, and which of them the chart shows."""

    def __init__(self, event: RatedEvent) -> None:
        self.players = [p for p in event.players if p.games]
        # rounded, so that equal changes are equal in the last digit too
        self.values = [round(p.change, 6) + 0.0 for p in self.players]
        self.in_order = sorted(range(len(self.players)), key=lambda i: (-self.values[i], i))
        places = range(1, len(self.players) + 1)
        self.all = len(places) <= MOST_BARS
        half = MOST_BARS // 2
        self.places = [*places] if self.all else [*places[:half], *places[-half:]]
        self.format = change_format(event)
        # a bar is a gain or a loss: the zero of the other series gets no label
        self.without_zero = self.format.rpartition(";")[0] + ";;"

    def at(self, place: int) -> tuple[str, float]:
        """Name and change at a place, 1 being the largest gain."""
        i = self.in_order[place - 1]
        return self.players[i].player.name, self.values[i]


def _order(ratings: Table, sheet: Sheet, changes: _Changes, top: int, left: int) -> Table:
    columns = (
        Column("no", "No.", WHOLE),
        Column("change", "Change", changes.format),
        Column("order", "Order", WHOLE),
    )
    sheet.write(top, left, "Order of the changes", "section", measure=False)
    table = Table(sheet, columns, top + 1, len(changes.players), left)
    place = {player: at for at, player in enumerate(changes.in_order, start=1)}
    letter = table.column("change")
    first = f"{letter}${table.first}"
    for i, rated in enumerate(changes.players):
        change = table.cell("change", i)
        value = f"=ROUND({ratings.lookup('change', 'no', table.cell('no', i))},6)"
        # equal changes stand in the order of the table, so that every place is taken once
        before = f"COUNTIF({first}:{change},{change})"
        position = f"=RANK({change},{first}:{letter}${table.last})+{before}-1"
        table.write(
            i,
            {
                "no": rated.player.number,
                "change": Formula(value, changes.values[i]),
                "order": Formula(position, place[i]),
            },
        )
    return table


def _bars(ratings: Table, order: Table, changes: _Changes, top: int, left: int) -> Table:
    columns = (
        Column("order", "Order", WHOLE),
        Column("name", "Name", align="left"),
        Column("gain", "Gain", changes.without_zero),
        Column("loss", "Loss", changes.without_zero),
    )
    sheet = order.sheet
    sheet.write(top, left, "What the chart on Ratings shows", "section", measure=False)
    table = Table(sheet, columns, top + 1, len(changes.places), left)
    for i, place in enumerate(changes.places):
        name, change = changes.at(place)
        which = table.cell("order", i)
        found = ratings.lookup("name", "no", order.lookup("no", "order", which))
        value = order.lookup("change", "order", which)
        table.write(
            i,
            {
                "order": place,
                "name": Formula(f"={found}", name),
                "gain": Formula(f"=MAX({value},0)", max(change, 0.0)),
                "loss": Formula(f"=MIN({value},0)", min(change, 0.0)),
            },
        )
    return table


def _draw(ratings: Table, bars: Table, changes: _Changes) -> None:
    names, values = zip(*map(changes.at, changes.places), strict=True)
    gains = [max(value, 0.0) for value in values]
    losses = [min(value, 0.0) for value in values]
    chart = bar_chart(
        "Rating changes" if changes.all else "Largest gains and losses",
        (bars.range("name"), names),
        (
            Bars("Gain", bars.range("gain"), gains, GAIN),
            Bars("Loss", bars.range("loss"), losses, LOSS),
        ),
        changes.without_zero,
    )
    height = 2.0 + BAR_HEIGHT * len(changes.places)
    # the stubs take them for ints
    chart.width = CHART_WIDTH  # type: ignore[assignment]
    chart.height = height
    first = len(ratings.columns) + 2
    ratings.sheet.worksheet.add_chart(chart, f"{get_column_letter(first)}{ratings.header}")
    # on paper the chart has a page of its own
    last = get_column_letter(first + math.ceil(CHART_WIDTH / COLUMN_WIDTH))
    bottom = ratings.header + math.ceil(height / ROW_HEIGHT)
    ratings.sheet.print_areas(
        f"A1:{get_column_letter(len(ratings.columns))}{ratings.last + TOTALS}",
        f"{get_column_letter(first)}{ratings.header}:{last}{bottom}",
    )
