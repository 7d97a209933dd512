"""The sheets *History*, every rating in every list, and *Season*, what it comes to."""

from __future__ import annotations

from typing import Any, Final

from elo_xl.templates.forms import Cells, Form, block, finish, lines_above, mark, quoted
from elo_xl.templates.parts import SIGNED_WHOLE, WHOLE, Column, Formula, Sheet, Table
from elo_xl.templates.sheets.history_content import KEY, MOST_GAMES
from elo_xl.templates.sheets.history_entries import DATE_WIDTH, Entries, local

SHOWN: Final = (
    "name",
    "since",
    "first",
    "latest",
    "class",
    "change",
    "last",
    "best",
    "best_date",
    "worst",
    "worst_date",
    "games",
    "active_lists",
    "last_active",
    "status",
)
"""The columns of *Season* after the place; all but the class are computed on *Steps*."""


class Ratings:
    """Ratings through the lists, carried forward where a player has no line."""

    def __init__(self, form: Form, entries: Entries, sheet: Sheet, steps_top: int) -> None:
        self.form, self.entries, self.history = form, entries, entries.history
        self.sheet = sheet
        self.top = lines_above(form, sheet, "history")
        self._options(steps_top)
        self._players(self.options.last + 3)

    def _options(self, top: int) -> None:
        """What the first sheet's settings come to."""
        say, history = self.form.say, self.history
        keys = ("lists", "need", "back", "from_list")
        columns = [Column(key, say(f"column_{key}"), WHOLE) for key in keys]
        steps = self.entries.lists.sheet
        table = self.options = Table(steps, columns, top, 1)
        at = {key: table.cell(key, 0) for key in keys}
        dates = local(self.entries.lists, "date")
        need, back = "Active_games", "Active_lists"
        whole = f"AND({back}>=1,{back}<={history.lists},INT({back})={back})"
        inside = f"IF(AND({need}>=1,{need}<={MOST_GAMES}),{need},1)"
        made: dict[str, tuple[str, float]] = {
            "lists": (f"COUNT({dates})", history.n),
            "need": (f"IF(ISNUMBER({need}),{inside},1)", history.need),
            "back": (
                f"IF(ISNUMBER({back}),IF({whole},{back},{history.lists}),{history.lists})",
                history.back,
            ),
            "from_list": (f"MAX(1,{at['lists']}-{at['back']}+1)", history.since),
        }
        table.write(0, {key: Formula(f"={text}", value) for key, (text, value) in made.items()})
        self.n = table.fixed("lists", 0)

    def _players(self, top: int) -> None:
        """The header of the players on *Steps*: what *History* and *Season* read."""
        say, dates = self.form.say, self.entries.dates
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("row", say("column_first_line"), WHOLE),
            Column("name", say("column_player"), align="left"),
            Column("first_no", say("column_first_list"), WHOLE),
            Column("since", say("column_since"), dates, "center", width=DATE_WIDTH),
            Column("first", say("column_first"), WHOLE),
            Column("latest", say("column_latest"), WHOLE),
            Column("change", say("column_change"), SIGNED_WHOLE),
            Column("last", say("column_last"), SIGNED_WHOLE),
            Column("best", say("column_best"), WHOLE),
            Column("best_date", say("column_best_date"), dates, "center", width=DATE_WIDTH),
            Column("worst", say("column_worst"), WHOLE),
            Column("worst_date", say("column_worst_date"), dates, "center", width=DATE_WIDTH),
            Column("games", say("column_season_games"), WHOLE),
            Column("active_lists", say("column_active_lists"), WHOLE),
            Column("last_list", say("column_last_list"), WHOLE),
            Column("last_active", say("column_last_active"), dates, "center", width=DATE_WIDTH),
            Column("recent", say("column_recent"), WHOLE),
            Column("status", say("column_status"), align="left"),
            Column("place", say("column_place"), WHOLE),
            Column("ordered", say("column_ordered"), WHOLE),
        ]
        steps = self.entries.lists.sheet
        self.table = Table(steps, columns, top, self.history.players)
        self.form.define("Season_players", self.table.range("name"))

    def fill(self) -> None:
        """Write *History* and the players on *Steps*; the lines have been written."""
        self._matrix()
        self._summaries()

    def _matrix(self) -> None:
        say, history, entries, sheet = self.form.say, self.history, self.entries, self.sheet
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("name", say("column_player"), align="left", role="strong", width=22.0),
            Column("latest", say("column_latest"), WHOLE, role="strong"),
            Column("change", say("column_change"), SIGNED_WHOLE),
            Column("best", say("column_best"), WHOLE),
            Column("worst", say("column_worst"), WHOLE),
        ]
        lists = range(history.lists)
        columns += [Column(f"k{k}", "", WHOLE, width=DATE_WIDTH) for k in lists]
        table = self.shown = Table(sheet, columns, self.top, history.players)
        for k in lists:
            cell = entries.lists.fixed("date", k)
            date: Any = history.dates[k] if k < history.n else ""
            dated = Formula(f"={cell}", date)
            at = table.columns[f"k{k}"][0]
            sheet.write(self.top, at, dated, "heading", entries.dates, "right", measure=False)
        keys, ratings = entries.rows.range("key"), entries.rows.range("rating")
        for p in range(history.players):
            row: dict[str, Any] = {"no": p + 1}
            name = table.cell("name", p)
            known = history.names[p] if p < len(history.names) else ""
            row["name"] = Formula(f"={self.table.fixed('name', p)}", known)
            values = history.matrix[p]
            for k in lists:
                head = f"{table.column(f'k{k}')}${self.top}"
                above = table.cell(f"k{k - 1}", p) if k else '""'
                found = f"INDEX({ratings},MATCH({k + 1}*{KEY}+${table.cell('no', p)},{keys},0))"
                text = f'=IF(OR({head}="",${name}=""),"",IFERROR({found},{above}))'
                row[f"k{k}"] = Formula(text, _or_blank(values[k]))
            for key in ("latest", "change", "best", "worst"):
                row[key] = Formula(f"={self.table.fixed(key, p)}", _or_blank(self.value(key, p)))
            table.write(p, row)
        self.matrix = block(table, "k0", f"k{history.lists - 1}")
        self.form.define("Season_ratings", sheet.reference(self.matrix.text(sheet, fixed=True)))
        first, row_ = table.cell("k0", 0), table.first
        left = self.matrix.at(0, 0).text(sheet, fixed=True).split("$")[1]
        number = f"(COLUMN()-COLUMN(${left}$1)+1)*{KEY}+$A{row_}"
        carried = f'IF({first}="",FALSE,ISNA(MATCH({number},Entry_keys,0)))'
        mark(self.matrix, carried, look="quiet")
        best = f"${table.column('best')}{row_}"
        mark(self.matrix, f'IF({first}="",FALSE,{first}={best})', look="leader")
        finish(sheet, freeze=first, titles=(1, self.top))
        table.fit_header()

    def value(self, key: str, p: int) -> Any:
        """What *Steps* says of a player, None for nothing."""
        history = self.history
        known = [r for r in history.matrix[p] if r is not None]
        if p >= len(history.names) or not known:
            return None
        row, dates, lines = history.matrix[p], history.dates, history.of(p + 1)
        played = [line for line in lines if line.games]
        first_no, last = history.n - len(known) + 1, max((r.list for r in played), default=0)
        recent = sum(line.games or 0 for line in lines if line.list >= history.since)
        status = "status_active" if recent >= history.need else "status_inactive"
        return {
            "first_no": first_no,
            "since": dates[first_no - 1],
            "first": known[0],
            "latest": known[-1],
            "change": known[-1] - known[0],
            "last": known[-1] - known[-2] if len(known) > 1 else None,
            "best": max(known),
            "best_date": dates[row.index(max(known))],
            "worst": min(known),
            "worst_date": dates[row.index(min(known))],
            "games": sum(line.games or 0 for line in lines),
            "active_lists": len(played),
            "last_list": last,
            "last_active": dates[last - 1] if last else None,
            "recent": recent,
            "status": self.form.say(status),
        }[key]

    @property
    def order(self) -> list[int]:
        """Players' places in the list of players, the highest latest rating first."""
        latest = [self.value("latest", p) for p in range(self.history.players)]
        return sorted(
            (p for p, rating in enumerate(latest) if rating is not None),
            key=lambda p: -float(latest[p] or 0),
        )

    def _summaries(self) -> None:
        table, rows, say, history = self.table, self.entries.rows, self.form.say, self.history
        counts, whos = local(rows, "count"), local(rows, "who")
        whose, at_list, played = (local(rows, key) for key in ("whose", "at", "played"))
        latest = local(table, "latest")
        top = latest.partition(":")[0]
        n, need, since = (
            self.options.fixed(key, 0).partition("!")[2] for key in ("lists", "need", "from_list")
        )
        order = self.order
        for p in range(history.players):
            at = {key: table.cell(key, p) for key in table.columns}
            row = Cells(
                self.sheet, self.shown.first + p, self.matrix.column, 1, history.lists
            ).text(table.sheet, fixed=True)
            mine = f"({whose}={at['no']})*({played}>0)"
            games = f"SUMIFS({played},{whose},{at['no']}"
            status = f"IF({at['recent']}>={need},{quoted(say('status_active'))},"
            before = f"INDEX({row},MAX(1,{n}-1))"
            mine_first = f"COUNTIF({top}:{at['latest']},{at['latest']})"
            made = {
                "first_no": f"{n}-COUNT({row})+1",
                "since": f"INDEX(List_dates,{at['first_no']})",
                "first": f"INDEX({row},{at['first_no']})",
                "latest": f"INDEX({row},{n})",
                "change": f"{at['latest']}-{at['first']}",
                "last": f'IF({at["first_no"]}={n},"",{at["latest"]}-{before})',
                "best": f"MAX({row})",
                "best_date": f"INDEX(List_dates,MATCH({at['best']},{row},0))",
                "worst": f"MIN({row})",
                "worst_date": f"INDEX(List_dates,MATCH({at['worst']},{row},0))",
                "games": f"{games})",
                "active_lists": f'COUNTIFS({whose},{at["no"]},{played},">0")',
                "last_list": f"SUMPRODUCT(MAX({mine}*{at_list}))",
                "last_active": f'IF({at["last_list"]}=0,"",INDEX(List_dates,{at["last_list"]}))',
                "recent": f'{games},{at_list},">="&{since})',
                "status": f"{status}{quoted(say('status_inactive'))})",
                "place": f"RANK({at['latest']},{latest})+{mine_first}-1",
            }
            name = history.names[p] if p < len(history.names) else ""
            line = next((i for i, r in enumerate(history.rows, 1) if r.who == name and name), "")
            cells: dict[str, Any] = {
                "no": p + 1,
                "row": Formula(f'=IFERROR(MATCH({at["no"]},{counts},0),"")', line),
                "name": Formula(f'=IF({at["row"]}="","",INDEX({whos},{at["row"]}))', name),
                "ordered": Formula(
                    f'=IFERROR(MATCH({at["no"]},{local(table, "place")},0),"")',
                    order[p] + 1 if p < len(order) else "",
                ),
            }
            for key, text in made.items():
                value = order.index(p) + 1 if key == "place" and p in order else None
                value = value if key == "place" else self.value(key, p)
                cells[key] = Formula(f'=IF({at["name"]}="","",{text})', _or_blank(value))
            table.write(p, cells)

    def season(self, sheet: Sheet) -> None:
        """Everybody, the highest latest rating first: to print."""
        form, say, history = self.form, self.form.say, self.history
        header = lines_above(form, sheet, "season")
        columns = [Column("place", say("column_place"), WHOLE, role="quiet")]
        for key in SHOWN:
            source = self.table.columns.get(key)
            if source is None:
                columns.append(Column(key, say("column_class"), align="left", role="quiet"))
                continue
            made = source[1]
            role = "strong" if key in ("name", "latest") else "computed"
            columns.append(
                Column(key, made.heading, made.number_format, made.align, role, made.width)
            )
        table = Table(sheet, columns, header, history.players)
        order = self.order
        for i in range(history.players):
            who = self.table.fixed("ordered", i)
            row: dict[str, Any] = {
                "place": Formula(f'=IF({who}="","",{i + 1})', i + 1 if i < len(order) else "")
            }
            for key in SHOWN:
                if key == "class":
                    continue
                value: Any = ""
                if i < len(order):
                    name = history.names[order[i]]
                    value = name if key == "name" else _or_blank(self.value(key, order[i]))
                text = f'=IF({who}="","",INDEX({self.table.range(key)},{who}))'
                row[key] = Formula(text, value)
            table.write(i, row)
        form.call(
            block(table, "class"),
            "ELO_CLASS",
            block(table, "latest"),
            form.options.language,
            role="quiet",
            align="left",
        )
        status = f"${table.column('status')}{table.first}"
        whole = block(table, "place", "status")
        mark(whole, f"{status}={quoted(say('status_inactive'))}", look="quiet")
        finish(sheet, freeze=table.cell("since", 0), titles=(1, header))
        table.fit_header()


def _or_blank(value: Any) -> Any:
    return "" if value is None else value
