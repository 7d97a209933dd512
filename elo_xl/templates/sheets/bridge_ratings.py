"""The sheets *Ratings* and *Chart* of a bridge book, and the sums on *Steps* behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from elo_xl.templates.charts import Axis, Curve, curve_chart
from elo_xl.templates.forms import (
    TEXT,
    Cells,
    Form,
    block,
    finish,
    lines_above,
    mark,
    quoted,
    validate,
)
from elo_xl.templates.parts import (
    HUNDREDTHS,
    NONE,
    SIGNED_HUNDREDTHS,
    SIGNED_TENTHS,
    SIGNED_WHOLE,
    WHOLE,
    Column,
    Formula,
    Sheet,
    Table,
)
from elo_xl.templates.sheets.bridge_content import CURVES
from elo_xl.templates.sheets.bridge_players import BridgePlayers, Pairs
from elo_xl.templates.sheets.bridge_results import SEATS, EachResult
from elo_xl.templates.sheets.bridge_settings import MEAN, NUMBER, room
from elo_xl.templates.sheets.players import blank, number_of
from elo_xl.templates.sheets.rating_list import in_order
from elo_xl.templates.sheets.running import Running

UNKNOWN: Final = "unknown_player"

AWAY: Final = -1
"""Where curves of nobody lie: left of the chart."""


class Sums:
    """What each player and each pair has made of the results, on *Steps*."""

    def __init__(
        self, players: BridgePlayers, pairs: Pairs, each: EachResult, history: Running
    ) -> None:
        self.players, self.pairs, self.each, self.history = players, pairs, each, history
        self.n, self.sums, self.table = players.size, players.counted, players.counted
        self.mean = each.parameters.mean
        self._players()
        self._pairs()

    def _players(self) -> None:
        table, each = self.sums, self.each.table
        result, over = each.range("result"), each.range("difference")
        seats = [each.range(f"no_{seat}") for seat in SEATS]
        self.change: list[float] = []
        self.now: list[float | None] = []
        self.played, self.total, self.surplus = [0] * self.n, [0.0] * self.n, [0.0] * self.n
        rows = [row for row in self.each.counted if row is not None]
        for k in range(4):  # seat after seat, as the formulas add them
            for row in rows:
                who, ns = row.who[k] - 1, k < 2
                self.played[who] += 1
                self.total[who] += row.result if ns else 2 * self.mean - row.result
                self.surplus[who] += row.over if ns else -row.over
        last = self.history.row(self.history.size)
        for i in range(self.n):
            at = {key: table.cell(key, i) for key in table.columns}
            start = self.players.starts[i]
            now = None if start is None else self.history.now[i]
            change = 0.0 if start is None or now is None else now - start
            self.now.append(now)
            self.change.append(change)
            here = Cells(last.sheet, last.row, last.column + i).text(table.sheet)
            none = f'{at["start"]}=""'
            table.compute("now", i, f'IF({none},"",{here})', now)
            text = f'IF({none},"",{at["now"]}-{at["start"]})'
            table.compute("change", i, text, None if start is None else change)
            no = at["no"]
            counts = "+".join(f'COUNTIFS({seat},{no},{result},">-9999")' for seat in seats)
            table.compute("played", i, counts, self.played[i])
            ours, theirs = seats[:2], seats[2:]
            plus = "+".join(f"SUMIF({seat},{no},{result})" for seat in ours)
            minus = "-".join(f"SUMIF({seat},{no},{result})" for seat in theirs)
            as_ew = "+".join(f'COUNTIFS({seat},{no},{result},">-9999")' for seat in theirs)
            text = f"{plus}+2*{MEAN}*({as_ew})-{minus}"
            table.compute("sum", i, text, self.total[i])
            plus = "+".join(f"SUMIF({seat},{no},{over})" for seat in ours)
            minus = "-".join(f"SUMIF({seat},{no},{over})" for seat in theirs)
            table.compute("surplus", i, f"{plus}-{minus}", self.surplus[i])
        keys = table.range("key").partition("!")[2]
        first = keys.partition(":")[0]
        rounded = [None if now is None else round(now, 6) + 0.0 for now in self.now]
        self.orders = in_order(rounded)
        for i, value in enumerate(rounded):
            at = {key: table.cell(key, i) for key in ("now", "key")}
            table.compute("key", i, f'IF({at["now"]}="","",ROUND({at["now"]},6))', value)
            rank = f"RANK({at['key']},{keys})+COUNTIF({first}:{at['key']},{at['key']})-1"
            table.compute("place", i, f'IF({at["key"]}="","",{rank})', self.orders[i])
        self.rounded = rounded

    def _pairs(self) -> None:
        table, each, size = self.pairs.counted, self.each.table, self.pairs.size
        ns, ew, result = (each.range(key) for key in ("ns", "ew", "result"))
        played, total = [0] * size, [0.0] * size
        rows = [row for row in self.each.counted if row is not None]
        for row in rows:
            for pair, made in ((row.ns, row.result), (row.ew, 2 * self.mean - row.result)):
                played[pair - 1] += 1
                total[pair - 1] += made
        averages: list[float | None] = []
        for i in range(size):
            at = {key: table.cell(key, i) for key in table.columns}
            no = at["pair"]
            averages.append(round(total[i] / played[i], 6) + 0.0 if played[i] else None)
            count = f"COUNTIF({ns},{no})+COUNTIF({ew},{no})"
            table.compute("played", i, count, played[i])
            theirs = f"2*{MEAN}*COUNTIF({ew},{no})-SUMIF({ew},{no},{result})"
            table.compute("sum", i, f"SUMIF({ns},{no},{result})+{theirs}", total[i])
            text = f'IF({at["played"]}=0,"",ROUND({at["sum"]}/{at["played"]},6))'
            table.compute("key", i, text, averages[i])
        self.pairs.fill(averages, played)


def ratings_sheet(form: Form, sums: Sums, sheet: Sheet) -> None:
    """Everybody, the highest rating first, to print."""
    say, table = form.say, sums.table
    header = lines_above(form, sheet, "ratings")
    sources = {
        "name": ("name", "General", "left", "strong"),
        "now": ("now", WHOLE, "right", "strong"),
        "change": ("change", SIGNED_TENTHS, "right", "computed"),
        "start": ("start", WHOLE, "right", "computed"),
        "played": ("played", WHOLE, "right", "computed"),
    }
    columns = [
        Column("rank", say("column_rank"), WHOLE, "center", "strong"),
        *(
            Column(key, say(f"column_{key}"), number_format, align, role, width)
            for (key, (_, number_format, align, role)), width in zip(
                sources.items(), (26.0, *[NUMBER] * 4), strict=True
            )
        ),
        Column("average", say("column_average"), HUNDREDTHS, width=NUMBER),
        Column("surplus", say("column_surplus"), SIGNED_HUNDREDTHS, width=NUMBER),
    ]
    shown = Table(sheet, columns, header, sums.n)
    places, keys = table.range("place"), table.range("key")
    data: dict[str, Sequence[Any]] = {
        "name": sums.players.names,
        "now": sums.now,
        "change": sums.change,
        "start": sums.players.starts,
        "played": sums.played,
    }
    for i in range(sums.n):
        who = sums.orders.index(i + 1) if i + 1 in sums.orders else None
        at = {key: shown.cell(key, i) for key in shown.columns}
        line = f"ROWS({at['name'].replace(str(shown.first + i), f'${shown.first}')}:{at['name']})"
        where = f"MATCH({line},{places},0)"
        row: dict[str, Any] = {}
        exists = f"{line}<=COUNT({places})"
        rank: Any = ""
        if who is not None:
            mine = sums.rounded[who]
            rank = 1 + sum(o is not None and mine is not None and o > mine for o in sums.rounded)
        text = f'=IF({exists},RANK(INDEX({keys},{where}),{keys}),"")'
        row["rank"] = Formula(text, rank)
        for key, (source, *_) in sources.items():
            text = f'=IF({exists},INDEX({table.range(source)},{where}),"")'
            row[key] = Formula(text, "" if who is None else data[key][who])
        played = None if who is None else sums.played[who]
        for key, source, total in (
            ("average", "sum", sums.total),
            ("surplus", "surplus", sums.surplus),
        ):
            text = f"INDEX({table.range(source)},{where})/{at['played']}"
            value: Any = total[who] / played if who is not None and played else ""
            row[key] = Formula(f'=IF(N({at["played"]})=0,"",{text})', value)
        shown.write(i, row)
    finish(sheet, titles=(1, header), upright=True, stretch=2)
    shown.fit_header()


class ChartSheet:
    """The sheet *Chart*: up to six players to choose, and the way their ratings went."""

    def __init__(
        self, form: Form, sums: Sums, sheet: Sheet, chosen: Sequence[Any], points: tuple[int, int]
    ) -> None:
        self.form, self.sums, self.sheet = form, sums, sheet
        self.points, self.every = points
        self.chosen = [*chosen, *[None] * CURVES][:CURVES]
        players = sums.players
        say = form.say
        header = lines_above(form, sheet, "chart")
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("curve", say("column_curve"), TEXT, "left", "input", 28.0),
            Column("name", say("column_shown"), align="left", role="strong", width=26.0),
            Column("start", say("column_start"), WHOLE, width=NUMBER),
            Column("now", say("column_now"), WHOLE, role="strong", width=NUMBER),
            Column("check", say("column_check"), align="left", width=room(form, UNKNOWN)),
        ]
        self.table = Table(sheet, columns, header, CURVES)
        if all(map(blank, self.chosen)):
            places = [*sums.orders, *range(1, CURVES + 1)]
            self.who = [
                0 if (i := places.index(k)) >= sums.n else i + 1 for k in range(1, CURVES + 1)
            ]
        else:
            self.who = [players.found(name) for name in self.chosen]

    def fill(self, left: int) -> None:
        """Both tables and the chart; ``left`` is the first free column of *Steps*."""
        curves = self._curves(left)
        say, table, sums = self.form.say, self.table, self.sums
        for k, (name, player) in enumerate(zip(self.chosen, self.who, strict=True)):
            number = self.numbers.at(0, k).text(self.sheet)
            row: dict[str, Any] = {"no": k + 1, "curve": name}
            for key, none, data in (
                ("name", NONE, sums.players.names),
                ("start", "", sums.players.starts),
                ("now", "", sums.now),
            ):
                found = f"INDEX({sums.table.range(key)},{number})"
                value: Any = data[player - 1] if player else none
                row[key] = Formula(f"=IF({number}=0,{quoted(none)},{found})", value)
            cell, message = table.cell("curve", k), say(f"check_{UNKNOWN}")
            wrong = not blank(name) and not player
            text = f'=IF(OR({cell}="",{number}>0),"",{quoted(message)})'
            table.write(k, row)
            table.put("check", k, Formula(text, message if wrong else ""), "attention")
        names = sums.players.table.range("name")
        validate(self.form, block(table, "curve"), "curve", kind="list", first=names)
        mark(block(table, "curve"), f'${table.column("check")}{table.first}<>""')
        self._draw(curves)
        finish(self.sheet, down=1)
        table.fit_header()

    def _curves(self, left: int) -> Table:
        """The points of all curves, on *Steps*: every so many results, the last one at the end."""
        say, sums = self.form.say, self.sums
        counted, history, sheet = sums.table, sums.history, sums.table.sheet
        ks = range(CURVES)
        columns = [
            Column("point", say("column_after_result"), WHOLE, role="quiet"),
            *(Column(f"x{k}", f"x {k + 1}", WHOLE) for k in ks),
            *(Column(f"y{k}", f"y {k + 1}", SIGNED_TENTHS, width=NUMBER) for k in ks),
        ]
        table = Table(sheet, columns, counted.header, self.points, left)
        above = counted.header - 1
        each = sums.each.table
        played = [i for i, row in enumerate(sums.each.counted, start=1) if row is not None]
        last = max(played, default=0)
        text = f"=SUMPRODUCT(MAX(ISNUMBER({each.range('result')})*{each.range('no')}))"
        sheet.write(above, left, Formula(text, last), "quiet", WHOLE, "right")
        self.numbers = Cells(sheet, above, table.columns["y0"][0], 1, CURVES)
        typed = block(self.table, "curve").text(sheet, fixed=True)
        places = counted.range("place")
        for k in ks:
            cell = self.table.fixed("curve", k)
            best = f"IF(COUNT({places})>{k},MATCH({k + 1},{places},0),0)"
            text = f"=IF(COUNTA({typed})=0,{best},{number_of(cell)})"
            at = self.numbers.at(0, k)
            sheet.write(at.row, at.column, Formula(text, self.who[k]), "quiet", WHOLE, "right")
        grid = Cells(
            history.sheet, history.table.first, history.left, history.size + 1, history.players
        )
        rows = grid.text(sheet, fixed=True)
        most = Cells(sheet, above, left).text(sheet, fixed=True)
        for j in range(self.points):
            here = min(j * self.every, last)
            row: dict[str, Any] = {"point": Formula(f"=MIN({j * self.every},{most})", here)}
            point = f"${table.cell('point', j)}"
            for k, player in enumerate(self.who):
                number = self.numbers.at(0, k).text(sheet, fixed=True)
                row[f"x{k}"] = Formula(f"=IF({number}=0,{AWAY},{point})", here if player else AWAY)
                start = f"INDEX({counted.range('start')},{number})"
                text = f"=IF({number}=0,0,INDEX({rows},{point}+1,{number})-{start})"
                change: Any = 0
                if player:
                    change = history.rows[here][player - 1] - history.rows[0][player - 1]
                row[f"y{k}"] = Formula(text, change)
            table.write(j, row)
        self.values: dict[str, list[Any]] = {
            key: [row[0] for row in block(table, key).values()] for key in table.columns
        }
        return table

    def _draw(self, points: Table) -> None:
        say, table = self.form.say, self.table
        names = [row[0] for row in block(table, "name").values()]
        curves = [
            Curve(
                str(names[k]),
                (points.range(f"x{k}"), self.values[f"x{k}"]),
                (points.range(f"y{k}"), self.values[f"y{k}"]),
                name_reference=table.fixed("name", k),
                signs=True,
            )
            for k in range(CURVES)
        ]
        x, y = Axis(say("axis_results"), WHOLE, least=0), Axis(say("axis_change"), SIGNED_WHOLE)
        chart = curve_chart(say("curves"), curves, x, y)
        chart.width, chart.height = 28.0, 14.0  # type: ignore[assignment]
        self.form.chart(self.sheet, chart, f"A{table.last + 2}", say("curves_text"))
