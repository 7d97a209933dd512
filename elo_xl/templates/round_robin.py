"""``round-robin``: everybody meets everybody; one half of the crosstable is typed.

Sheets: the first one, *Players*, *Crosstable*, *Ratings*, *Standings*, *Rounds* (who meets whom in
which round, by the Berger tables), *Results* (the signs) and *Steps*, which holds what the others
read. Points count forfeits as they are written; Sonneborn–Berger adds the points of everybody
beaten and half of those of everybody drawn with, forfeits included, as FIDE has it for events in
which everybody meets everybody (C.07). A withdrawn player's games count for the ratings only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

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
from elo_xl.templates.front import Setting, front
from elo_xl.templates.parts import (
    HUNDREDTHS,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Sheet,
    Table,
)
from elo_xl.templates.sheets.all_play_all import EMPTY, WIDE, Event, RoundRobin, sample
from elo_xl.templates.sheets.cross_ratings import ratings
from elo_xl.templates.sheets.players import YEAR, Counted, Players
from elo_xl.templates.sheets.signs import Signs
from elo_xl.templates.sheets.wall import rounds, standings

UNKNOWN: Final = "!"
"""What the mirrored half shows of a sign that is no result."""


def build(form: Form, event: RoundRobin) -> None:
    """Write all sheets."""
    front(
        form,
        [
            Setting("Event", "event", event.name),
            Setting(YEAR, "year", event.year, WHOLE, 1950, 2200),
        ],
    )
    RoundRobinSheets(form, event).fill()


class RoundRobinSheets:
    """The sheets in their order, and the tables on them."""

    def __init__(self, form: Form, event: RoundRobin) -> None:
        self.form, self.say = form, form.say
        self.n = form.options.players
        self.players = Players(form, event.entries, self.n, event.year, out=True)
        self.cross, self.ratings, self.standings, self.rounds = map(
            form.tab, ("crosstable", "ratings", "standings", "rounds")
        )
        self.signs = Signs(form)
        self.steps = form.tab("steps")
        self.event = Event(self.players, self.signs, event, form.rules)

    def fill(self) -> None:
        n, say = self.n, self.say
        header = lines_above(self.form, self.steps, "steps")
        counted = Counted(self.form, self.players, self.steps, header)
        self.counted = counted
        row = counted.table.last + 2
        self.vectors = {
            key: self._vector(row + at, key) for at, key in enumerate(("rating", "active"), start=1)
        }
        self.vectors["points"] = Cells(self.steps, row + 3, 3, 1, n)
        self._title(row, say("section_across"))
        self.at: dict[str, Cells] = {}
        for at, key in enumerate(("place", "points", "scores", "expected")):
            top = row + 5 + at * (n + 2)
            self._title(top, say(f"section_{key}"))
            self.at[key] = Cells(self.steps, top + 1, 3, n, n)
        self._crosstable()
        self._matrices()
        self._points()
        self.rating_table = ratings(self)
        standings(self)
        rounds(self)
        finish(self.steps, titles=(1, 2))
        counted.table.fit_header()

    # -- the sheet of steps -----------------------------------------------------------------

    def _title(self, row: int, text: str) -> None:
        """A section's title over the numbers of the players."""
        self.steps.write(row, 1, None, "heading")
        self.steps.write(row, 2, text, "heading", align="left", measure=False)
        for j in range(self.n):
            self.steps.write(row, 3 + j, j + 1, "heading", WHOLE, "right")

    def _label(self, row: int, i: int) -> None:
        self.steps.write(row, 1, i + 1, "quiet", WHOLE, "right")
        self.copy(self.steps, row, 2, i, "name", "left")

    def copy(
        self,
        sheet: Sheet,
        row: int,
        column: int,
        i: int,
        key: str,
        align: str,
        role: str = "computed",
    ) -> None:
        """A cell that shows what the counted table has of a player."""
        table = self.counted.table
        source = Cells(self.steps, table.first + i, table.columns[key][0])
        value = source.values()[0][0]
        text = f"={source.text(sheet, fixed=True)}"
        sheet.write(row, column, Formula(text, value), role, WHOLE, align)  # type: ignore[arg-type]

    def _vector(self, row: int, key: str) -> Cells:
        self.steps.write(row, 2, self.say(f"column_{key}"), "label", align="left")
        for j in range(self.n):
            self.copy(self.steps, row, 3 + j, j, key, "right")
        return Cells(self.steps, row, 3, 1, self.n)

    def row_of(self, key: str, i: int) -> Cells:
        cells = self.at[key]
        return Cells(self.steps, cells.row + i, cells.column, 1, self.n)

    def across(self, cells: Cells, seen_from: Sheet | None = None) -> str:
        return cells.text(seen_from or self.steps, fixed=True)

    def _matrices(self) -> None:
        n, event = self.n, self.event
        names = self.counted.table
        rules = self.form.rules
        for i in range(n):
            for cells in self.at.values():
                self._label(cells.row + i, i)
            for j in range(n):
                sign = Cells(self.cross, self.table.first + i, self.left + j)
                if i == j:
                    for key in ("place", "points", "scores"):
                        cell = self.at[key].at(i, j)
                        self.steps.write(cell.row, cell.column, None, "blocked")
                    continue
                upper = (i, j) if i < j else (j, i)
                place = self.at["place"].at(*upper).text(self.steps)
                if i < j:
                    here = sign.text(self.steps)
                    self._step("place", i, j, self.signs.place(here), event.place[i][j], WHOLE)
                else:
                    self._step("place", i, j, place, event.place[j][i], WHOLE)
                both = f'{names.cell("name", i)}="",{names.cell("name", j)}=""'
                table = "Result_points" if i < j else "Result_others"
                points = f'IF(OR({both},{place}=0),"",INDEX({table},{place}))'
                self._step("points", i, j, points, event.points[i][j], TENTHS)
                got = self.at["points"].at(i, j).text(self.steps)
                tests = [f'{got}=""', f'{names.cell("rating", j)}=""']
                text = f'IF(INDEX(Result_rated,{place})=1,{got},"")'
                if rules.unrated_gap is not None:
                    a, b = names.cell("rating", i), names.cell("rating", j)
                    gap = (
                        f"AND(ABS({a}-{b})>={rules.unrated_gap},MAX({a},{b})>{rules.unrated_above})"
                    )
                    text = f'IF(IF({a}="",FALSE,{gap}),"",{text})'
                text = f'IF(OR({",".join(tests)}),"",{text})'
                self._step("scores", i, j, text, event.scores[i][j], TENTHS)
        arguments: list[Any] = [self.counted.column("rating"), self.vectors["rating"], rules.model]
        if self.counted.capped:
            arguments.append(self.counted.column("cap"))
        self.form.call(self.at["expected"], "ELO_EXPECTED", *arguments, number_format=HUNDREDTHS)

    def _step(
        self, key: str, i: int, j: int, text: str, value: float | None, number_format: str
    ) -> None:
        cell = self.at[key].at(i, j)
        shown = Formula(f"={text}", "" if value is None else value)
        self.steps.write(cell.row, cell.column, shown, "computed", number_format)

    # -- the crosstable ---------------------------------------------------------------------

    def _crosstable(self) -> None:
        form, say, n = self.form, self.say, self.n
        header = lines_above(form, self.cross, "crosstable")
        self.left = 4
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("name", say("column_name"), align="left", role="strong"),
            Column("rating", say("column_rating"), WHOLE),
            *(Column(f"v{j}", str(j + 1), TEXT, "center", "input", 4.2) for j in range(n)),
            Column("points", say("column_points"), TENTHS, role="strong"),
            Column("sb", say("column_sb"), HUNDREDTHS),
            Column("rank", say("column_rank"), WHOLE, role="strong"),
            Column("check", say("column_check"), align="left", width=form.widest("check_")),
        ]
        self.table = Table(self.cross, columns, header, n)
        for i in range(n):
            row = self.table.first + i
            self.cross.write(row, 1, i + 1, "quiet", WHOLE, "right")
            self.copy(self.cross, row, 2, i, "name", "left", "strong")
            self.copy(self.cross, row, 3, i, "rating", "right")
            for j in range(n):
                self._result(i, j)
            self.cross.height(row, 1.15)
        names = self.table.column("name")
        for i in range(n - 1):  # the cells to type: right of the diagonal
            row = self.table.first + i
            cells = Cells(self.cross, row, self.left + i + 1, 1, n - i - 1)
            validate(form, cells, "result", kind="list", first="Result_signs")
            first = cells.at(0, 0).text(self.cross)
            column = f"${names}${self.table.first}:${names}${self.table.last}"
            other = f"INDEX({column},COLUMN({first})-{self.left - 1})"
            nobody = f'OR(${names}{row}="",{other}="")'
            mark(cells, f'AND({first}<>"",OR({self.signs.place(first)}=0,{nobody}))')
            mark(
                cells,
                f'AND({first}="",NOT({nobody}),${self.table.column("check")}{row}<>"")',
                look="missing",
            )
        whole = Cells(self.cross, self.table.first, self.left, n, n)
        mark(whole, f'{whole.at(0, 0).text(self.cross)}="{UNKNOWN}"')
        check, lacking = f"${self.table.column('check')}{self.table.first}", say("check_missing")
        wrong = f"RIGHT({check},{len(lacking)})<>{quoted(lacking)}"
        mark(block(self.table, "name"), f'AND({check}<>"",{wrong})')
        rank = block(self.table, "name", "rank")
        mark(rank, f"${self.table.column('rank')}{self.table.first}=1", look="leader")

    def _result(self, i: int, j: int) -> None:
        """A cell of the crosstable: typed, mirrored, or nobody's."""
        row, column = self.table.first + i, self.left + j
        if i == j:
            self.cross.write(row, column, None, "blocked")
            return
        if i < j:
            typed = self.event.typed[i][j]
            self.cross.write(row, column, typed, "input", TEXT, "center", measure=False)
            return
        typed, place = self.event.typed[j][i], self.event.place[j][i]
        upper = Cells(self.cross, self.table.first + j, self.left + i).text(self.cross)
        at = self.across(self.at["place"].at(j, i), self.cross)
        text = f'=IF({upper}="","",IF({at}=0,"{UNKNOWN}",INDEX(Result_mirror,{at})))'
        value = "" if typed in (None, "") else UNKNOWN
        if value and place:
            value = self.signs.signs[place - 1].mirror
        self.cross.write(row, column, Formula(text, value), "cell", TEXT, "center", measure=False)

    def _points(self) -> None:
        """Points, Sonneborn–Berger, rank and check of the crosstable."""
        n, event, say = self.n, self.event, self.say
        self.steps.write(self.vectors["points"].row, 2, say("column_points"), "label", align="left")
        active = self.across(self.vectors["active"], self.cross)
        totals = self.across(self.vectors["points"], self.cross)
        keys = self.counted.column("key").text(fixed=True).partition("!")[2]
        begun = any(p is not None for row in event.points for p in row)
        whole = self.across(self.at["points"], self.cross)
        for i in range(n):
            at = {key: self.table.cell(key, i) for key in self.table.columns}
            mine = self.across(self.row_of("points", i), self.cross)
            present, rank = event.present[i], event.rank[i]
            signs = f"{at['v0']}:{at[f'v{n - 1}']}"
            total = Formula(
                f'=IF({at["name"]}="","",SUMPRODUCT({mine},{active}))',
                event.total[i] if present else "",
            )
            sb = Formula(
                f'=IF({at["name"]}="","",SUMPRODUCT({mine},{active},{totals}))',
                event.sb[i] if present else "",
            )
            key = self.counted.table.cell("key", i)
            active_i = self.counted.table.cell("active", i)
            where = {
                cell: self.cross.reference(at[cell].replace("$", "")) for cell in ("points", "sb")
            }
            known = event.key[i]
            text = f'=IF({active_i}=1,{WIDE}*{where["points"]}+{where["sb"]},"")'
            self.counted.table.put("key", i, Formula(text, "" if known is None else known))
            order = event.order[i]
            first = keys.partition(":")[0]
            text = f'=IF({key}="","",RANK({key},{keys})+COUNTIF({first}:{key},{key})-1)'
            self.counted.table.put("place", i, Formula(text, "" if order is None else order))
            seen = self.steps.reference(key)
            ranked = Formula(
                f'=IF({seen}="","",RANK({seen},{self.steps.reference(keys)}))',
                "" if rank is None else rank,
            )
            check = self._check(i, at, signs, mine, active, whole, begun)
            for name, value in (("points", total), ("sb", sb), ("rank", ranked)):
                self.table.put(name, i, value)
            self.table.put("check", i, check, "attention")
            total_cell = self.vectors["points"].at(0, i)
            text = f"=N({self.cross.reference(at['points'])})"
            self.steps.write(
                total_cell.row,
                total_cell.column,
                Formula(text, event.total[i] if present else 0),
                "computed",
                TENTHS,
            )
        table = self.table
        for_the_wall = f"A1:{table.column('rank')}{table.last}"
        freeze = table.cell("rating", 0)
        finish(self.cross, freeze=freeze, titles=(1, table.header), area=for_the_wall)
        table.fit_header()

    def _check(
        self,
        i: int,
        at: Mapping[str, str],
        signs: str,
        mine: str,
        active: str,
        whole: str,
        begun: bool,
    ) -> Formula:
        """What is wrong with a row of the crosstable, or how many results it still lacks."""
        say, event, n = self.say, self.event, self.n
        problem = self.players.ref("check", i)
        wrong = f'SUMPRODUCT(({signs}<>"")*({mine}=""))'
        lacking = f'SUMPRODUCT(({signs}="")*{active})-1'
        me = self.steps.reference(self.counted.table.cell("active", i))
        count = f"{lacking}&{quoted(' ' + say('check_missing'))}"
        text = (
            f'=IF({problem}<>"",{problem},IF({wrong}>0,{quoted(say("check_result"))},'
            f'IF(AND({me}=1,COUNT({whole})>0,{lacking}>0),{count},"")))'
        )
        key = self.players.problem(i)
        shown = [
            event.typed[min(i, j)][max(i, j)] not in (None, "") if i != j else False
            for j in range(n)
        ]
        bad = any(shown[j] and event.points[i][j] is None for j in range(n))
        missing = sum(event.active[j] and not shown[j] for j in range(n)) - 1
        if key:
            value = say(key)
        elif bad:
            value = say("check_result")
        elif event.active[i] and begun and missing > 0:
            value = f"{missing} {say('check_missing')}"
        else:
            value = ""
        return Formula(text, value)


__all__ = ["EMPTY", "RoundRobin", "build", "sample"]
