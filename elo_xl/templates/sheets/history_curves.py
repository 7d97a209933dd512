"""The sheet *Chart* of a season: up to six players, and what all its curves are made of."""

from __future__ import annotations

from typing import Any

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
from elo_xl.templates.parts import NONE, SIGNED_WHOLE, WHOLE, Column, Formula, Sheet, Table
from elo_xl.templates.sheets.history_content import SLOTS
from elo_xl.templates.sheets.history_entries import DATE_WIDTH, GAP, escaped, local
from elo_xl.templates.sheets.history_ratings import Ratings
from elo_xl.templates.sheets.players import blank


class Chosen:
    """Players whom somebody chose by name, and the points of their curves, on *Steps*."""

    def __init__(self, form: Form, ratings: Ratings, top: int, size: int) -> None:
        self.form, self.ratings, self.history = form, ratings, ratings.history
        self.steps = ratings.entries.lists.sheet
        self.n = ratings.n.partition("!")[2]
        self.names, self.firsts = (local(ratings.table, key) for key in ("name", "first_no"))
        say = form.say
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("name", say("column_player"), align="left"),
            Column("player", say("column_player_no"), WHOLE),
            Column("drawn", say("column_drawn"), WHOLE),
            Column("from_list", say("column_from_list"), WHOLE),
        ]
        self.slots = Table(self.steps, columns, top, size)
        for s in range(size):
            self.slots.write(s, {"no": s + 1})

    def tabulate(self, columns: list[Column]) -> None:
        """Below the players, the table of the points: a row a list."""
        number = Column("no", self.form.say("column_no"), WHOLE, role="quiet")
        top = self.slots.last + GAP
        self.points = Table(self.steps, [number, *columns], top, self.history.lists)
        for k in range(self.history.lists):
            self.points.write(k, {"no": k + 1})

    def dated(self, key: str, number: str = "") -> Column:
        """A column of *Steps* with dates."""
        heading = f"{self.form.say('column_date')} {number}".strip()
        return Column(key, heading, self.ratings.entries.dates, "center", width=DATE_WIDTH)

    def place(self, cell: str) -> str:
        """Formula text of the number of the player whom a cell names, 0 for nobody."""
        found = f"MATCH({escaped(f'TRIM({cell})')},{self.names},0)"
        return f'IFERROR(IF(TRIM({cell})="",0,{found}),0)'

    def name(self, s: int, player: int) -> None:
        """Write who it is."""
        here = self.slots.cell("player", s)
        name = self.history.names[player - 1] if player else NONE
        self.slots.compute(
            "name",
            s,
            f"IF({here}=0,{quoted(NONE)},INDEX({self.names},{here}))",
            name,
        )

    def unknown(self, cells: Cells, s: int, wrong: bool, row: int, column: int) -> None:
        """Say in a cell of the same sheet that a chosen name has no line that counts."""
        sheet, message = cells.sheet, self.form.say("check_unknown")
        cell, place = cells.text(sheet), self.slots.fixed("player", s)
        text = f'=IF(AND({cell}<>"",{place}=0),{quoted(message)},"")'
        shown = Formula(text, message if wrong else "")
        sheet.write(row, column, shown, "attention", align="left", measure=False)
        where = Cells(sheet, row, column).text(sheet, fixed=True)
        mark(cells, f'{where}<>""')

    def list_at(self, k: int, first: int, start: str) -> tuple[str, int]:
        """The list of a point, as formula text and number: before a player's first list that
        one again, after the last list the last one, so that nothing is drawn there."""
        no = self.points.cell("no", k)
        return f"MIN(MAX({no},{start}),{self.n})", min(max(k + 1, first), self.history.n)

    def day(self, k: int, key: str, text: str, shown: int) -> None:
        """Write the date of a point."""
        value = self.history.dates[shown - 1] if self.history.n else 0
        self.points.compute(key, k, f"IF({self.n}=0,0,INDEX(List_dates,{text}))", value)

    def curve(self, name: str, x: str, y: str, name_reference: str | None = None) -> Curve:
        """Two columns of the points as a curve."""
        xs, ys = (
            (self.points.range(key), [float(row[0] or 0) for row in self._values(key)])
            for key in (x, y)
        )
        return Curve(name, xs, ys, name_reference)

    def _values(self, key: str) -> list[list[Any]]:
        return block(self.points, key).values()


class SeasonChart(Chosen):
    """The sheet, its choices and its two charts: ratings, and what they changed by."""

    def __init__(self, form: Form, ratings: Ratings, sheet: Sheet, top: int) -> None:
        super().__init__(form, ratings, top, SLOTS)
        say = form.say
        columns = []
        for s in range(1, SLOTS + 1):
            columns += [
                self.dated(f"x{s}", str(s)),
                Column(f"y{s}", f"{say('column_rating')} {s}", WHOLE),
                Column(f"z{s}", f"{say('column_change_list')} {s}", SIGNED_WHOLE),
            ]
        self.tabulate(columns)
        self._choices(sheet)
        dates = Axis(say("column_date"), ratings.entries.dates)
        row = self.table.last + 2
        for axis, key, number_format in (
            ("y", "chart", WHOLE),
            ("z", "chart_change", SIGNED_WHOLE),
        ):
            curves = [
                self.curve(
                    str(block(self.slots, "name").at(s, 0).values()[0][0]),
                    f"x{s + 1}",
                    f"{axis}{s + 1}",
                    self.slots.fixed("name", s),
                )
                for s in range(SLOTS)
            ]
            title = say("column_rating" if axis == "y" else "column_change_list")
            chart = curve_chart(say(key), curves, dates, Axis(title, number_format))
            chart.width, chart.height = 22.0, 10.5  # type: ignore[assignment]
            form.chart(sheet, chart, f"A{row}", say(f"{key}_text"))
            row += 22
        finish(sheet, down=1, upright=True)
        self.table.fit_header()

    def _choices(self, sheet: Sheet) -> None:
        """Who is drawn; an empty place, or a name of nobody, draws nothing."""
        form, say, history, slots = self.form, self.form.say, self.history, self.slots
        columns = [
            Column("no", say("column_curve"), WHOLE, "center", "quiet", 8.0),
            Column("name", say("column_player"), TEXT, "left", "input", 30.0),
            Column("check", say("column_check"), align="left", width=form.widest("check_unknown")),
        ]
        table = self.table = Table(sheet, columns, lines_above(form, sheet, "chart"), SLOTS)
        chosen = [*history.content.chosen, *[None] * SLOTS][:SLOTS]
        found = [0 if blank(typed) else history.place(typed) for typed in chosen]
        # a place that draws nobody repeats the last point of the first one that does
        lead, leads = next(filter(None, found), 0), "0"
        for s in reversed(range(SLOTS)):
            cell = slots.cell("player", s)
            leads = f"IF({cell}>0,{cell},{leads})"
        for s, (typed, player) in enumerate(zip(chosen, found, strict=True)):
            table.write(s, {"no": s + 1, "name": typed})
            cell, here = table.fixed("name", s), slots.cell("player", s)
            slots.compute("player", s, f'IF({cell}="",0,{self.place(cell)})', player)
            self.name(s, player)
            slots.compute("drawn", s, f"IF({here}>0,{here},{leads})", player or lead)
            first = self.ratings.value("first_no", player - 1) if player else history.n
            text = f"IF({here}>0,INDEX({self.firsts},MAX(1,{here})),{self.n})"
            slots.compute("from_list", s, text, first)
            wrong = not blank(typed) and not player
            check = table.columns["check"][0]
            self.unknown(block(table, "name").at(s, 0), s, wrong, table.first + s, check)
            self._points(s, player or lead, int(first))
        validate(form, block(table, "name"), "chosen", kind="list", first="Season_players")

    def _points(self, s: int, drawn: int, first: int) -> None:
        history, points, slots = self.history, self.points, self.slots
        player, start = (
            block(slots, key).at(s, 0).text(self.steps, fixed=True)
            for key in ("drawn", "from_list")
        )
        x, y, z = (f"{axis}{s + 1}" for axis in "xyz")
        begin = 0.0
        for k in range(history.lists):
            text, shown = self.list_at(k, first, start)
            rating: Any = history.matrix[drawn - 1][shown - 1] if drawn else 0.0
            begin = rating if k == 0 else begin
            self.day(k, x, text, shown)
            found = f"IF({player}=0,0,INDEX(Season_ratings,{player},{text}))"
            points.compute(y, k, found, rating)
            change = f"{points.cell(y, k)}-{points.cell(y, 0)}"
            points.compute(z, k, change, rating - begin)
