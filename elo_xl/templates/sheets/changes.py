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
    played = [p for p in event.players if p.games]
    changes = [round(p.change, 6) + 0.0 for p in played]
    by_change = sorted(range(len(played)), key=lambda i: (-changes[i], i))
    form = change_format(event)

    sheet.write(top, left, "Order of the changes", "section", measure=False)
    columns = (
        Column("no", "No.", WHOLE),
        Column("change", "Change", form),
        Column("order", "Order", WHOLE),
    )
    order = Table(sheet, columns, top + 1, len(played), left)
    place = {player: at for at, player in enumerate(by_change, start=1)}
    letter = order.column("change")
    first = f"{letter}${order.first}"
    for i, rated in enumerate(played):
        change = order.cell("change", i)
        value = f"=ROUND({ratings.lookup('change', 'no', order.cell('no', i))},6)"
        # equal changes stand in the order of the table, so that every place is taken once
        position = f"=RANK({change},{first}:{letter}${order.last})+COUNTIF({first}:{change},{change})-1"
        order.write(
            i,
            {
                "no": rated.player.number,
                "change": Formula(value, changes[i]),
                "order": Formula(position, place[i]),
            },
        )

    left += len(columns) + 1
    sheet.write(top, left, "What the chart on Ratings shows", "section", measure=False)
    # a bar is a gain or a loss: the zero of the other series gets no label
    without_zero = form.rpartition(";")[0] + ";;"
    columns = (
        Column("order", "Order", WHOLE),
        Column("name", "Name", align="left"),
        Column("gain", "Gain", without_zero),
        Column("loss", "Loss", without_zero),
    )
    half = MOST_BARS // 2
    places = list(range(1, len(played) + 1))
    chosen = places if len(places) <= MOST_BARS else places[:half] + places[-half:]
    bars = Table(sheet, columns, top + 1, len(chosen), left)
    names = [played[by_change[at - 1]].player.name for at in chosen]
    gains = [max(changes[by_change[at - 1]], 0.0) for at in chosen]
    losses = [min(changes[by_change[at - 1]], 0.0) for at in chosen]
    for i, at in enumerate(chosen):
        which = bars.cell("order", i)
        name = ratings.lookup("name", "no", order.lookup("no", "order", which))
        value = order.lookup("change", "order", which)
        bars.write(
            i,
            {
                "order": at,
                "name": Formula(f"={name}", names[i]),
                "gain": Formula(f"=MAX({value},0)", gains[i]),
                "loss": Formula(f"=MIN({value},0)", losses[i]),
            },
        )
    if not played:
        return
    chart = bar_chart(
        "Rating changes" if len(chosen) == len(places) else "Largest gains and losses",
        (bars.range("name"), names),
        (
            Bars("Gain", bars.range("gain"), gains, GAIN),
            Bars("Loss", bars.range("loss"), losses, LOSS),
        ),
        without_zero,
    )
    chart.width, chart.height = CHART_WIDTH, 2.0 + BAR_HEIGHT * len(chosen)
    first = len(ratings.columns) + 2
    ratings.sheet.worksheet.add_chart(chart, f"{get_column_letter(first)}{ratings.header}")
    # on paper the chart has a page of its own
    last = get_column_letter(first + math.ceil(CHART_WIDTH / COLUMN_WIDTH))
    rows = math.ceil(chart.height / ROW_HEIGHT)
    ratings.sheet.print_areas(
        f"A1:{get_column_letter(len(ratings.columns))}{ratings.last + TOTALS}",
        f"{get_column_letter(first)}{ratings.header}:{last}{ratings.header + rows}",
    )
