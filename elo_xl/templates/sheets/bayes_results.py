"""The standings of a Bayesian list, and the charts of chosen players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from elo_xl.engine.bayes import equivalent_k
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
from elo_xl.templates.parts import NONE, SIGNED_TENTHS, TENTHS, WHOLE, Column, Formula, Sheet, Table
from elo_xl.templates.sheets.bayes_games import HISTORIES, BayesGames
from elo_xl.templates.sheets.players import blank, number_of
from elo_xl.templates.sheets.rating_list import in_order

CURVES: Final = 3
"""players of the charts"""


class Standings:
    """The sheet *Standings*, and on *Steps* the last row of every history by player."""

    def __init__(self, form: Form, games: BayesGames, sheet: Sheet, left: int) -> None:
        self.form, self.games = form, games
        players, listed, steps = games.players, games.listed, games.steps
        say, n = form.say, players.size
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            *(Column(key, say(f"column_now_{key}"), TENTHS) for key in HISTORIES),
            Column("games", say("column_played"), WHOLE),
            Column("key", say("column_key"), TENTHS),
            Column("place", say("column_place"), WHOLE),
        ]
        self.last = last = Table(listed.sheet, columns, listed.header, n, left)
        # rounded, so that equal ratings share an order however they were computed
        keys: list[Any] = [
            None if now == "" else round(now, 6) for now in games.histories["rating"].now
        ]
        self.orders = in_order(keys)
        counts = steps.range("counts").partition("!")[2]
        first, second = (steps.range(f"{end}_no").partition("!")[2] for end in ("first", "second"))
        letter = last.column("key")
        every = f"${letter}${last.first}:${letter}${last.last}"
        self.played = [
            sum(
                good and j + 1 in (game.first[1], game.second[1])
                for good, game in zip(games.counted, games.found, strict=True)
            )
            for j in range(n)
        ]
        for j in range(n):
            at = {key: last.cell(key, j) for key in last.columns}
            row: dict[str, Any] = {"no": j + 1}
            for key in HISTORIES:
                running = games.histories[key]
                row[key] = Formula(f"={running.table.fixed(f'p{j}', running.size)}", running.now[j])
            text = f"=SUMPRODUCT({counts}*(({first}={at['no']})+({second}={at['no']})))"
            row["games"] = Formula(text, self.played[j])
            none = f'{at["rating"]}=""'
            key_ = "" if keys[j] is None else keys[j]
            row["key"] = Formula(f'=IF({none},"",ROUND({at["rating"]},6))', key_)
            so_far = f"${letter}${last.first}:{at['key']}"
            place = f"RANK({at['key']},{every})+COUNTIF({so_far},{at['key']})-1"
            row["place"] = Formula(f'=IF({none},"",{place})', self.orders[j])
            last.write(j, row)
        self._list(sheet)

    def _list(self, sheet: Sheet) -> None:
        say, games, last = self.form.say, self.games, self.last
        players = games.players
        header = lines_above(self.form, sheet, "standings")
        sources: dict[str, tuple[str, Sequence[Any], str, str, str]] = {
            "name": (games.listed.range("id"), players.names, "General", "left", "strong"),
            "now": (last.range("rating"), games.histories["rating"].now, TENTHS, "right", "strong"),
            "sd": (last.range("sd"), games.histories["sd"].now, TENTHS, "right", "computed"),
            "elo": (last.range("elo"), games.histories["elo"].now, TENTHS, "right", "strong"),
            "start": (games.listed.range("start"), players.ratings, WHOLE, "right", "quiet"),
            "own_sd": (players.table.range("own_sd"), players.sds, TENTHS, "right", "quiet"),
            "games": (last.range("games"), self.played, WHOLE, "right", "computed"),
        }
        headings = {
            "now": "now_rating",
            "sd": "now_sd",
            "elo": "now_elo",
            "start": "first_rating",
            "own_sd": "first_sd",
            "games": "played",
        }
        columns = [Column("place", say("column_place"), WHOLE, role="quiet")]
        for key, (_, _, number_format, align, role) in sources.items():
            heading = say(f"column_{headings.get(key, key)}")
            width = 22.0 if key == "name" else None
            columns.append(Column(key, heading, number_format, align, role, width))
            if key == "elo":
                columns.append(Column("apart", say("column_apart"), SIGNED_TENTHS))
        columns += [
            Column("change", say("column_bayes_change"), SIGNED_TENTHS),
            Column("elo_change", say("column_elo_change"), SIGNED_TENTHS),
            Column("fits", say("column_now_fits"), TENTHS, role="quiet"),
        ]
        table = Table(sheet, columns, header, players.size)
        places = last.range("place")
        for i in range(players.size):
            who = self.orders.index(i + 1) if i + 1 in self.orders else None
            at = {key: table.cell(key, i) for key in table.columns}
            exists = f"{at['place']}<=COUNT({places})"
            where = f"MATCH({at['place']},{places},0)"
            row: dict[str, Any] = {"place": i + 1}
            known: dict[str, Any] = {
                key: "" if who is None else values[who] for key, (_, values, *_) in sources.items()
            }
            for key, (source, *_) in sources.items():
                text = f'=IF({exists},INDEX({source},{where}),"")'
                row[key] = Formula(text, known[key])
            for key, one, other in (
                ("apart", "now", "elo"),
                ("change", "now", "start"),
                ("elo_change", "elo", "start"),
            ):
                text = f'=IF({at["name"]}="","",{at[one]}-{at[other]})'
                row[key] = Formula(text, "" if who is None else known[one] - known[other])
            fits = f'=IF({at["name"]}="","",{at["sd"]}^2*LN(10)/200)'
            row["fits"] = Formula(fits, "" if who is None else float(equivalent_k(known["sd"])))
            table.write(i, row)
        finish(sheet, freeze=table.cell("now", 0), titles=(1, header))
        table.fit_header()


class ChartSheet:
    """The sheet *Chart*: players to choose; one with the band of his deviation, and all beside each
    other, by Bayes' formula and by Elo's rule.

    Points are counted from the first rating, so that both axes may begin at 0.
    """

    def __init__(
        self, form: Form, standings: Standings, sheet: Sheet, chosen: Sequence[Any], left: int
    ) -> None:
        self.form, self.sheet, self.games = form, sheet, standings.games
        self.chosen = [*chosen, *[None] * CURVES][:CURVES]
        names = [name.casefold() for name in self.games.players.names]
        self.who = [
            0 if blank(c) or str(c).casefold() not in names else names.index(str(c).casefold()) + 1
            for c in self.chosen
        ]
        orders = standings.orders
        if all(map(blank, self.chosen)):
            places = range(1, CURVES + 1)
            self.who = [orders.index(k) + 1 if k in orders else 0 for k in places]
        self.names = [self.games.players.names[who - 1] if who else NONE for who in self.who]
        say = form.say
        header = lines_above(form, sheet, "chart")
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("chosen", say("column_chosen"), TEXT, "left", "input", 24.0),
            Column("name", say("column_shown"), align="left", role="strong", width=22.0),
            *(Column(key, say(f"column_now_{key}"), TENTHS) for key in HISTORIES),
            Column("check", say("column_check"), align="left", width=form.widest("check_")),
        ]
        self.table = Table(sheet, columns, header, CURVES)
        self.points = self._points_table(left)
        for k in range(CURVES):
            self._choice(k, standings.last)
        names_ = self.games.players.table.range("name")
        validate(form, block(self.table, "chosen"), "chosen", kind="list", first=names_)
        mark(block(self.table, "chosen"), f'${self.table.column("check")}{header + 1}<>""')
        self._points()
        self._draw()
        finish(sheet, upright=True, down=1)
        self.table.fit_header()

    def _points_table(self, left: int) -> Table:
        """On *Steps*: the chosen players' numbers above the curves' points."""
        say, steps = self.form.say, self.games.steps
        columns = [Column("game", say("column_no"), WHOLE, role="quiet")]
        for k in range(CURVES):
            columns.append(Column(f"x{k}", f"x {k + 1}", WHOLE, role="quiet"))
            columns += [Column(f"{key}{k}", "", TENTHS, width=9.0) for key in ("rating", "elo")]
        columns += [Column(key, "", TENTHS, width=9.0) for key in ("high", "low")]
        return Table(steps.sheet, columns, steps.header, self.games.typed.size + 1, left)

    def _above(self, key: str) -> Cells:
        """The cell above the heading of a column of points."""
        points = self.points
        return Cells(points.sheet, points.header - 1, points.columns[key][0])

    def _number(self, k: int) -> str:
        """The number of a chosen player as formulas write it."""
        return self._above(f"x{k}").text(fixed=True)

    def _choice(self, k: int, last: Table) -> None:
        at = {key: self.table.cell(key, k) for key in self.table.columns}
        who, wrong, number = self.who[k], self.form.say("check_chosen"), self._number(k)
        above, chosen = self._above(f"x{k}"), self.table.fixed("chosen", k)
        places = last.range("place")
        best = f"IF(COUNT({places})>{k},MATCH({k + 1},{places},0),0)"
        text = f"=IF(COUNTA({self.table.range('chosen')})=0,{best},{number_of(chosen)})"
        above.sheet.write(above.row, above.column, Formula(text, who), "quiet", WHOLE)
        row: dict[str, Any] = {"no": k + 1, "chosen": self.chosen[k]}
        text = f"=IF({number}=0,{quoted(NONE)},INDEX(Player_ids,{number}))"
        row["name"] = Formula(text, self.names[k])
        for key in HISTORIES:
            now = self.games.histories[key].now
            text = f'=IF({number}=0,"",INDEX({last.range(key)},{number}))'
            row[key] = Formula(text, now[who - 1] if who else "")
        text = f'=IF(OR({at["chosen"]}="",{number}>0),"",{quoted(wrong)})'
        row["check"] = Formula(text, "" if who or blank(self.chosen[k]) else wrong)
        self.table.write(k, row)

    def _points(self) -> None:
        """The curves' points: after the last game that counts, and for nobody, they stay where
        they are."""
        games, table = self.games, self.points
        for key in ("rating", "elo", "high", "low"):
            for k in range(CURVES if key in HISTORIES else 1):
                text, label = self._label(key, k)
                name = f"{key}{k}" if key in HISTORIES else key
                where = table.header, table.columns[name][0]
                value = Formula(f"={text}", label)
                table.sheet.write(*where, value, "heading", align="right", measure=False)
        counts = block(games.steps, "counts").text(table.sheet, fixed=True)
        numbers = block(games.table, "no").text(table.sheet, fixed=True)
        counted = [i for i, good in enumerate(games.counted, start=1) if good]
        last, top = max(counted, default=0), self._above("game")
        text = f"=SUMPRODUCT(MAX({counts}*{numbers}))"
        top.sheet.write(top.row, top.column, Formula(text, last), "quiet", WHOLE)
        most = top.text(table.sheet, fixed=True)
        for i in range(games.typed.size + 1):
            self._point(i, last, most)

    def _point(self, i: int, last: int, most: str) -> None:
        table, histories = self.points, self.games.histories
        at = {key: table.cell(key, i) for key in table.columns}
        row: dict[str, Any] = {"game": i}
        for k, who in enumerate(self.who):
            number = self._number(k)
            x = f"=IF({number}=0,0,MIN({at['game']},{most}))"
            row[f"x{k}"] = Formula(x, min(i, last) if who else 0)
            for key in ("rating", "elo"):
                running = histories[key]
                here, first = (running.before(j, number, table.sheet) for j in (i, 0))
                gain = running.rows[i][who - 1] - running.rows[0][who - 1] if who else 0
                row[f"{key}{k}"] = Formula(f"=IF({number}=0,0,{here}-{first})", gain)
        running, who, number = histories["sd"], self.who[0], self._number(0)
        sd = running.before(i, number, table.sheet)
        own, deviation = row["rating0"].value, running.rows[i][who - 1] if who else 0
        for key, sign, value in (("high", "+", own + deviation), ("low", "-", own - deviation)):
            text = f"=IF({number}=0,0,{at['rating0']}{sign}{sd})"
            row[key] = Formula(text, value if who else 0)
        table.write(i, row)

    def _label(self, key: str, k: int) -> tuple[str, str]:
        """The name of a curve, as formula text and value."""
        name, what = self.table.fixed("name", k), self.form.say(f"curve_{key}")
        label = f"IF({self._number(k)}=0,{quoted(NONE)},{name}&{quoted(what)})"
        return label, self.names[k] + what if self.who[k] else NONE

    def _curve(self, key: str, k: int) -> Curve:
        name = f"{key}{k}" if key in HISTORIES else key
        points = self.points
        xs, ys = self._numbers(f"x{k}"), self._numbers(name)
        at = Cells(points.sheet, points.header, points.columns[name][0])
        return Curve(
            self._label(key, k)[1],
            (points.range(f"x{k}"), xs),
            (points.range(name), ys),
            name_reference=at.text(fixed=True),
            look=2 if key in ("high", "low") else None,
        )

    def _numbers(self, key: str) -> list[Any]:
        return [row[0] for row in block(self.points, key).values()]

    def _draw(self) -> None:
        say, row = self.form.say, self.table.last + 2
        x = Axis(say("axis_games"), WHOLE, least=0)
        y = Axis(say("axis_points"), "+0;-0;0")
        band = [self._curve(key, 0) for key in ("rating", "elo", "high", "low")]
        pairs = [self._curve(key, k) for k in range(CURVES) for key in ("rating", "elo")]
        for key, curves in (("band", band), ("pairs", pairs)):
            chart = curve_chart(say(f"chart_{key}"), curves, x, y)
            chart.width, chart.height = 25.0, 12.0  # type: ignore[assignment]
            self.form.chart(self.sheet, chart, f"A{row}", say(f"chart_{key}_text"))
            row += 25
