"""One player's best and worst so far, list by list, and the activity of all."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from elo_xl.languages import LANGUAGES
from elo_xl.templates.charts import Axis, Bars, bar_chart, curve_chart
from elo_xl.templates.forms import (
    TEXT,
    Cells,
    Form,
    block,
    finish,
    lines_above,
    mark,
    validate,
)
from elo_xl.templates.parts import (
    GAIN,
    NONE,
    SIGNED_WHOLE,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Sheet,
    Table,
)
from elo_xl.templates.sheets.history_content import DAY_ZERO, KEY
from elo_xl.templates.sheets.history_curves import Chosen
from elo_xl.templates.sheets.history_entries import DATE_WIDTH
from elo_xl.templates.sheets.history_ratings import Ratings
from elo_xl.templates.sheets.players import blank

CURVES: Final = ("rating", "best", "worst")


class OnePlayer(Chosen):
    """The sheet *One player*."""

    def __init__(self, form: Form, ratings: Ratings, sheet: Sheet, top: int) -> None:
        super().__init__(form, ratings, top, 1)
        self.sheet = sheet
        columns = [Column(key, form.say(f"column_{key}"), WHOLE) for key in CURVES]
        self.tabulate([self.dated("x"), *columns])
        self._choice()

    def _choice(self) -> None:
        """A player's rating list by list, with the best and worst so far, and their curves."""
        form, say, history, sheet = self.form, self.form.say, self.history, self.sheet
        top = lines_above(form, sheet, "player")
        sheet.write(top, 1, say("column_player"), "label", align="left", measure=False)
        typed = history.content.player
        sheet.write(top, 2, typed, "input", TEXT, "left", measure=False)
        choice = Cells(sheet, top, 2)
        validate(form, choice, "choice", kind="list", first="Season_players")
        slots, order = self.slots, self.ratings.order
        cell = choice.text(self.steps, fixed=True)
        player = history.place(typed) if not blank(typed) else order[0] + 1 if order else 0
        leader = f"N({self.ratings.table.cell('ordered', 0)})"
        slots.compute("player", 0, f'IF({cell}="",{leader},{self.place(cell)})', player)
        here = slots.cell("player", 0)
        self.name(0, player)
        name = history.names[player - 1] if player else NONE
        slots.compute("drawn", 0, here, player)
        first = self.ratings.value("first_no", player - 1) if player else 0
        slots.compute("from_list", 0, f"IF({here}=0,0,INDEX({self.firsts},{here}))", first)
        self.unknown(choice, 0, not blank(typed) and not player, top, 3)
        sheet.write(
            top + 1,
            2,
            Formula(f"={slots.fixed('name', 0)}", name),
            "strong",
            align="left",
            measure=False,
        )
        sheet.write(top + 1, 1, say("label_shown"), "label", align="left", measure=False)
        self._table(top + 3, player, int(first or 0))

    def _table(self, header: int, player: int, first: int) -> None:
        say, history, sheet = self.form.say, self.history, self.sheet
        number, start = (self.slots.fixed(key, 0) for key in ("player", "from_list"))
        columns = [
            Column("no", say("column_no"), WHOLE, "right", "quiet", 9.0),
            Column("date", say("column_date"), self.ratings.entries.dates, "center", width=24.0),
            Column("rating", say("column_rating"), WHOLE, role="strong"),
            Column("change", say("column_change_list"), SIGNED_WHOLE),
            Column("games", say("column_played"), WHOLE),
            Column("best", say("column_best"), WHOLE),
            Column("worst", say("column_worst"), WHOLE),
        ]
        table = Table(sheet, columns, header, history.lists)
        rows = self.ratings.entries.rows
        keys, played = rows.range("key"), rows.range("played")
        ratings = history.matrix[player - 1] if player else [None] * history.lists
        best: float | None = None
        worst: float | None = None
        for k, rating in enumerate(ratings):
            at = {key: table.cell(key, k) for key in table.columns}
            before = table.cell("rating", k - 1) if k else '""'
            last = ratings[k - 1] if k else None
            line = history.lines_by_key.get((k + 1) * KEY + player) if player else None
            if rating is not None:
                best = rating if best is None else max(best, rating)
                worst = rating if worst is None else min(worst, rating)
            found = f"INDEX({played},MATCH({at['no']}*{KEY}+{number},{keys},0))"
            change = "" if rating is None or last is None else rating - last
            day = f"{self.ratings.entries.lists.fixed('date', k)}"
            made: dict[str, tuple[str, Any]] = {
                "date": (day, history.dates[k] if k < history.n else None),
                "rating": (f'IF({number}=0,"",INDEX(Season_ratings,{number},{at["no"]}))', rating),
                "change": (
                    f'IF(OR({at["rating"]}="",{before}=""),"",{at["rating"]}-N({before}))'
                    if k
                    else '""',
                    change,
                ),
                "games": (f'IF({number}=0,"",IFERROR({found},""))', line.games if line else None),
            }
            for key, function, value in (("best", "MAX", best), ("worst", "MIN", worst)):
                above = f",{table.cell(key, k - 1)}" if k else ""
                made[key] = (
                    f'IF({at["rating"]}="","",{function}({at["rating"]}{above}))',
                    value if rating is not None else None,
                )
            cells: dict[str, Any] = {"no": k + 1}
            for key, (text, value) in made.items():
                cells[key] = Formula(f"={text}", "" if value is None else value)
            table.write(k, cells)
        mark(
            block(table, "rating"),
            f'AND({table.cell("rating", 0)}<>"",${table.column("games")}{table.first}="")',
            look="quiet",
        )
        self._curves(table, number, start, player, first)

    def _curves(self, table: Table, number: str, start: str, player: int, first: int) -> None:
        form, say, points = self.form, self.form.say, self.points
        number, start = number.partition("!")[2], start.partition("!")[2]
        for k in range(self.history.lists):
            text, shown = self.list_at(k, first, start)
            self.day(k, "x", text, shown)
            for key in CURVES:
                value: Any = block(table, key).values()[shown - 1][0] if player else 0
                found = f"IF({number}=0,0,INDEX({table.range(key)},{text}))"
                points.compute(key, k, found, value)
        curves = [self.curve(say(f"column_{key}"), "x", key) for key in CURVES]
        dates = Axis(say("column_date"), self.ratings.entries.dates)
        chart = curve_chart(say("chart_player"), curves, dates, Axis(say("column_rating"), WHOLE))
        chart.width, chart.height = 19.0, 11.5  # type: ignore[assignment]
        form.chart(table.sheet, chart, f"I{table.header}", say("chart_player_text"))
        finish(table.sheet, down=1)
        table.fit_header()


def activity(form: Form, ratings: Ratings, sheet: Sheet) -> None:
    """What happened from list to list, and the games of each as bars."""
    say, history, entries = form.say, ratings.history, ratings.entries
    header = lines_above(form, sheet, "activity")
    columns = [
        Column("no", say("column_no"), WHOLE, role="quiet"),
        Column("date", say("column_date"), align="center", width=DATE_WIDTH),
        Column("rated", say("column_rated_players"), WHOLE),
        Column("new", say("column_new_players"), WHOLE),
        Column("active", say("column_active_players"), WHOLE),
        Column("games", say("column_list_games"), WHOLE, role="strong"),
        Column("average", say("column_average"), TENTHS),
    ]
    table = Table(sheet, columns, header, history.lists)
    rows, firsts = entries.rows, ratings.table.range("first_no")
    at_list, played = rows.range("at"), rows.range("played")
    language = LANGUAGES[form.options.language]
    labels, bars = [], []
    for k in range(history.lists):
        here, no = k < history.n, table.cell("no", k)
        date = entries.lists.fixed("date", k)
        label = ""
        if here:
            label = (DAY_ZERO + timedelta(days=history.dates[k])).strftime(language.date)
        rated = [row[k] for row in history.matrix]
        known = [r for r in rated if r is not None]
        lines = [row for row in history.rows if row.used and row.list == k + 1]
        starts = [ratings.value("first_no", p) for p in range(len(history.names))]
        column = f"INDEX(Season_ratings,0,{no})"
        games = sum(row.games or 0 for row in lines)
        made: dict[str, tuple[str, Any]] = {
            "date": (language.date_text(date), label),
            "rated": (f"COUNT({column})", len(known)),
            "new": (f"COUNTIF({firsts},{no})", starts.count(k + 1)),
            "active": (
                f'COUNTIFS({at_list},{no},{played},">0")',
                sum(bool(row.games) for row in lines),
            ),
            "games": (f"SUMIFS({played},{at_list},{no})", games),
            "average": (f"AVERAGE({column})", sum(known) / max(len(known), 1)),
        }
        cells: dict[str, Any] = {"no": k + 1}
        for key, (text, value) in made.items():
            cells[key] = Formula(f'=IF({date}="","",{text})', value if here else "")
        table.write(k, cells)
        labels.append(label)
        bars.append(float(games))
    series = (Bars(say("column_list_games"), table.range("games"), bars, GAIN),)
    chart = bar_chart(say("chart_activity"), (table.range("date"), labels), series, "0;;;")
    chart.width = 15.0  # type: ignore[assignment]
    chart.height = 2.5 + 0.6 * history.lists
    form.chart(sheet, chart, f"I{header}", say("chart_activity_text"))
    finish(sheet, down=1)
    table.fit_header()
