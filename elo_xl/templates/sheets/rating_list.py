"""The chart of gainers and losers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from elo_xl.templates.charts import Bars, bar_chart
from elo_xl.templates.forms import Form, finish, lines_above
from elo_xl.templates.parts import (
    GAIN,
    LOSS,
    SIGNED_HUNDREDTHS,
    WHOLE,
    Column,
    Formula,
    Sheet,
    Table,
)

NO_ZERO: Final = "+0.00;-0.00;;"
MOST_BARS: Final = 10
"""gainers, and as many losers, of the chart"""


class Rated(Protocol):
    """A player's rating, as those have it whose changes are shown."""

    def rating(self, i: int) -> float | None: ...


class Changes(Protocol):
    """What :func:`gains_and_losses` reads: tables with names and changes (below ``sums`` there must
    be room), and Python's view of them."""

    @property
    def n(self) -> int: ...
    @property
    def table(self) -> Table: ...
    @property
    def sums(self) -> Table: ...
    @property
    def change(self) -> Sequence[float]: ...
    @property
    def players(self) -> Rated: ...


def _value(table: Table, key: str, row: int) -> Any:
    at = table.columns[key][0]
    book, ws = table.sheet.book, table.sheet.worksheet
    cell = ws.cell(table.first + row, at)
    return book.values.get((table.sheet.title, cell.coordinate), cell.value)


def in_order(values: list[float | None]) -> list[Any]:
    """Places from the highest down; equals in the order of the list, "" for none."""
    known = sorted(
        (i for i, v in enumerate(values) if v is not None), key=lambda i: -_of(values[i])
    )
    orders: list[Any] = [""] * len(values)
    for place, i in enumerate(known, start=1):
        orders[i] = place
    return orders


def _of(value: float | None) -> float:
    return 0.0 if value is None else value


def gains_and_losses(form: Form, ratings: Changes, sheet: Sheet) -> None:
    """The largest gains and losses as a table, with its chart."""
    say, n = form.say, ratings.n
    counted = ratings.sums
    bars = min(MOST_BARS, n)
    steps = Table(
        counted.sheet,
        [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("name", say("column_name"), align="left"),
            Column("change", say("column_change"), SIGNED_HUNDREDTHS),
            Column("place", say("column_place"), WHOLE),
        ],
        counted.last + 3,
        n,
    )
    changes: list[float | None] = [
        round(c, 6) + 0.0 if ratings.players.rating(i) is not None else None
        for i, c in enumerate(ratings.change)
    ]
    orders = in_order(changes)
    column = steps.range("change").partition("!")[2]
    first = column.partition(":")[0]
    for i in range(n):
        here, source = steps.cell("change", i), ratings.table.fixed("change", i)
        order = f'=IF({here}="","",RANK({here},{column})+COUNTIF({first}:{here},{here})-1)'
        change = changes[i]
        steps.write(
            i,
            {
                "no": i + 1,
                "name": Formula(
                    f"={ratings.table.fixed('name', i)}", _value(ratings.table, "name", i)
                ),
                "change": Formula(
                    f'=IF({source}="","",ROUND({source},6))', "" if change is None else change
                ),
                "place": Formula(order, orders[i]),
            },
        )
    header = lines_above(form, sheet, "gains")
    table = Table(
        sheet,
        [
            Column("place", say("column_place"), WHOLE, role="quiet"),
            Column("name", say("column_name"), align="left", role="strong", width=24.0),
            Column("gain", say("column_gain"), NO_ZERO),
            Column("loss", say("column_loss"), NO_ZERO),
        ],
        header,
        2 * bars,
    )
    column, places = steps.range("change"), steps.range("place")
    known = [c for c in changes if c is not None]
    labels, up, down = [], [], []
    for row in range(2 * bars):
        gains = row < bars
        k = row + 1 if gains else 2 * bars - row
        sign = ">" if gains else "<"
        place = k if gains else len(known) - k + 1
        enough = sum(c > 0 if gains else c < 0 for c in known) >= k
        who = orders.index(place) if enough else None
        at = table.cell("place", row)
        text = f"{k}" if gains else f"COUNT({column})-{k}+1"
        exists = f'COUNTIF({column},"{sign}0")>={k}'
        found = f"MATCH({at},{places},0)"
        name = "" if who is None else _value(ratings.table, "name", who)
        change = 0.0 if who is None else changes[who] or 0.0
        value = f'IF({at}="",0,INDEX({column},{found}))'
        table.write(
            row,
            {
                "place": Formula(f'=IF({exists},{text},"")', "" if who is None else place),
                "name": Formula(f'=IF({at}="","",INDEX({steps.range("name")},{found}))', name),
                ("gain" if gains else "loss"): Formula(f"={value}", change),
                ("loss" if gains else "gain"): 0,
            },
        )
        labels.append(str(name))
        up.append(max(change, 0.0))
        down.append(min(change, 0.0))
    series = (
        Bars(say("column_gain"), table.range("gain"), up, GAIN),
        Bars(say("column_loss"), table.range("loss"), down, LOSS),
    )
    chart = bar_chart(say("chart"), (table.range("name"), labels), series, NO_ZERO)
    chart.width = 17.0  # type: ignore[assignment]
    chart.height = 2.0 + 0.55 * 2 * bars
    form.chart(sheet, chart, f"F{header}", say("chart_text"))
    finish(sheet, titles=(1, header), down=1)
    table.fit_header()
