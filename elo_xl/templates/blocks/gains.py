"""The largest gains and losses as a table, with its chart."""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book
from elo_xl.books.charts import Bars, Chart, bar_chart
from elo_xl.books.styles import GAIN, LOSS
from elo_xl.xlsx.fill import column_letters

MOST_BARS: Final = 10
"""the largest number of gains, and of losses, in the chart"""

NO_ZERO: Final = "+0.00;-0.00;;"

_GAINS: Final = """
sheet steps hidden
    table Changes rows:size
        no          0 quiet     = row_number
        # millionths of a point, and behind them the row: all are different, equals in their order
        key         0           = IF({ratings}[@change] = "", "",
            ROUND(1000000 * {ratings}[@change], 0) * {span} - no)

sheet gains down:1
    note about_gains
    table Gains rows:2*bars
        name        left strong 24      = IF(found = 0, "", INDEX({ratings}[name], found))
        gain        format:{no_zero}    = MAX(value, 0)
        loss        format:{no_zero}    = MIN(value, 0)
        # the gains from the first place down, and right below them the losses to the last place
        found       0 quiet helper text:no = cases(row_number <= gains,
            row_of(row_number), row_number <= gains + losses,
            row_of(COUNT(Changes[key]) - gains - losses + row_number), 0)
        room        format:{no_zero} helper = cases(row_number = 1, 1.25 * MAX(Gains[gain]),
            row_number = 2, 1.25 * MIN(Gains[loss]), 0)
        shown                           = found > 0
    names
        gains   = MIN({bars}, COUNTIF(Changes[key], ">0"))
        losses  = MIN({bars}, COUNTIF(Changes[key], "<" & -{span}))
        value   = IF(found = 0, 0, ROUND(INDEX({ratings}[change], found), 6))
    pieces
        row_of(place) = MATCH(LARGE(Changes[key], place), Changes[key], 0)
"""


def gains_and_losses(book: Book, ratings: str = "Ratings") -> None:
    """Write the sheet, from the table of a name with the columns ``name`` and ``change``."""
    say = book.say
    bars = min(MOST_BARS, book.options.players)
    span = 10 ** len(str(book.options.players))
    book.read(
        _GAINS,
        "gains",
        ratings=ratings,
        no_zero=NO_ZERO,
        bars=bars,
        span=span,
    )
    table = book.tables["Gains"]

    def drawn() -> Chart:
        series = (
            Bars(say("column_gain"), table.column("gain"), GAIN),
            Bars(say("column_loss"), table.column("loss"), LOSS),
        )
        size = 17.0, 2.0 + 0.55 * 2 * bars
        room = table.column("room")
        return bar_chart(say("chart"), table.column("name"), series, NO_ZERO, size, room)

    anchor = f"{column_letters(max(table.at.values()) + 2)}{table.header}"
    table.sheet.chart(drawn, anchor, say("chart_text"))
