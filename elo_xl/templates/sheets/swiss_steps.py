"""The sheet *Tie-breaks*: every round of every player, and what follows from it."""

from __future__ import annotations

from typing import Any, Final

from elo_xl.templates.forms import Cells, Form, block, finish, lines_above
from elo_xl.templates.parts import HUNDREDTHS, TENTHS, WHOLE, Column, Formula, Sheet, Table
from elo_xl.templates.sheets.pairings import Pairings
from elo_xl.templates.sheets.players import Counted
from elo_xl.templates.sheets.tie_breaks import (
    FORFEIT_LOST,
    NOTHING,
    OPEN,
    PLAYED,
    REQUESTED,
    standings,
)

BLOCKS: Final = {
    "place": WHOLE,
    "opponent": WHOLE,
    "scored": TENTHS,
    "kind": WHOLE,
    "trailing": WHOLE,
    "counts": TENTHS,
}
"""Groups of columns, one column a round, and their number formats."""

SUMS: Final = {
    "points": TENTHS,
    "adjusted": TENTHS,
    "buchholz": TENTHS,
    "cut": TENTHS,
    "sb": HUNDREDTHS,
    "key": WHOLE,
}


class SwissSteps:
    """The sheet, in the order of the players' numbers."""

    def __init__(self, form: Form, counted: Counted, pairings: Pairings, sheet: Sheet) -> None:
        self.form, self.counted, self.pairings, self.sheet = form, counted, pairings, sheet
        self.n, self.rounds = counted.players.size, pairings.rounds
        say = form.say
        more = say("about_ties_more"), say("about_ties_last")
        header = lines_above(form, sheet, "ties", *more) + 1
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("name", say("column_name"), align="left", role="strong", width=34.0),
        ]
        columns += [
            Column(key, say(f"column_{key}"), format_, role="quiet" if key == "key" else "computed")
            for key, format_ in SUMS.items()
        ]
        for key, number_format in BLOCKS.items():
            many = self.rounds + (key == "trailing")
            columns += [
                Column(f"{key}{r}", str(r + 1) if r < self.rounds else "", number_format, width=4.0)
                for r in range(many)
            ]
        self.table = Table(sheet, columns, header, self.n)
        for key in BLOCKS:
            at = self.table.columns[f"{key}0"][0]
            title = say(f"block_{key}")
            sheet.write(header - 1, at, title, "label", align="left", measure=False)
        self._begun(header - 1)
        begun = [pairings.begun(r) for r in range(self.rounds)]
        self.own = [
            [pairings.of(i, r, begun[r]) for r in range(self.rounds)] for i in range(self.n)
        ]
        self.found = standings(self.own)
        for i in range(self.n):
            self._row(i)
        known = [self._key(i) if counted.players.present(i) else None for i in range(self.n)]
        self.rank = [
            None if k is None else 1 + sum(o is not None and o > k for o in known) for k in known
        ]
        self.order = [
            None if r is None else r + sum(o == known[i] for o in known[:i])
            for i, r in enumerate(self.rank)
        ]
        area = f"A1:{self.table.column('sb')}{self.table.last}"  # the rounds are for the screen
        finish(sheet, freeze=self.table.cell("points", 0), titles=(1, header), area=area)
        self.table.fit_header()

    def _begun(self, row: int) -> None:
        """How many rounds have begun."""
        self.sheet.write(row, 2, self.form.say("column_begun"), "label", align="left")
        spans = [self.pairings.span("valid", r) for r in range(self.rounds)]
        text = "+".join(f"(COUNTIF({span},1)>0)" for span in spans)
        count = sum(self.pairings.begun(r) for r in range(self.rounds))
        self.sheet.write(row, 3, Formula(f"={text}+0", count), "strong", WHOLE)
        self.begun = Cells(self.sheet, row, 3).text(self.sheet, fixed=True)

    def _key(self, i: int) -> float:
        s = self.found[i]
        return ((s.points * 1000 + s.cut) * 1000 + s.buchholz) * 1000 + s.sonneborn

    def _row(self, i: int) -> None:
        at = {key: self.table.cell(key, i) for key in self.table.columns}
        last = self.rounds - 1
        span = {key: f"{at[f'{key}0']}:{at[f'{key}{last}']}" for key in BLOCKS}
        after = f"{at['trailing1']}:{at[f'trailing{self.rounds}']}"
        present, found = self.counted.players.present(i), self.found[i]
        name: Any = block(self.counted.table, "name").at(i, 0).values()[0][0]
        row: dict[str, Any] = {
            "no": i + 1,
            "name": Formula(f"={self.counted.table.fixed('name', i)}", name),
            f"trailing{self.rounds}": 1,
        }
        kinds, counts = span["kind"], span["counts"]
        lowest = "SUMPRODUCT(MIN({}+1000*{}))"
        voluntary = lowest.format(counts, f"({kinds}<>{FORFEIT_LOST})*({kinds}<>{REQUESTED})")
        whole = lowest.format(counts, f"(({kinds}={NOTHING})+({kinds}={OPEN}))")
        some = f"COUNTIF({kinds},{FORFEIT_LOST})+COUNTIF({kinds},{REQUESTED})>0"
        none = f"COUNTIF({kinds},{NOTHING})+COUNTIF({kinds},{OPEN})={self.rounds}"
        least = f"IF({none},0,IF({some},{voluntary},{whole}))"
        drawn = f"SUMPRODUCT(({kinds}={REQUESTED})*({after}=1)*(0.5-{span['scored']}))"
        sums = {
            "points": (f"SUM({span['scored']})", found.points),
            "adjusted": (f"{at['points']}+{drawn}", found.adjusted),
            "buchholz": (f"SUM({counts})", found.buchholz),
            "cut": (f"{at['buchholz']}-{least}", found.cut),
            "sb": (f"SUMPRODUCT({counts},{span['scored']})", found.sonneborn),
            "key": (
                f"(({at['points']}*1000+{at['cut']})*1000+{at['buchholz']})*1000+{at['sb']}",
                self._key(i),
            ),
        }
        for key, (text, value) in sums.items():
            row[key] = Formula(f'=IF({at["name"]}="","",{text})', value if present else "")
        for r in range(self.rounds):
            self._round(i, r, at, row)
        self.table.write(i, row)

    def _round(self, i: int, r: int, at: dict[str, str], row: dict[str, Any]) -> None:
        own, found = self.own[i][r], self.found[i]
        spans = {
            key: self.pairings.span(key, r)
            for key in ("points_a", "points_b", "kind_a", "kind_b", "valid")
        }
        each = [self.pairings.span(key, r) for key in ("first", "second")]
        place, other, kind = (at[f"{key}{r}"] for key in ("place", "opponent", "kind"))
        no = at["no"]
        text = f"IFERROR(MATCH({no},{each[0]},0),IFERROR(-MATCH({no},{each[1]},0),0))"
        row[f"place{r}"] = Formula(f'=IF({at["name"]}="",0,{text})', own.place)

        def pick(first: str, second: str, none: str) -> str:
            return (
                f"=IF({place}=0,{none},IF({place}>0,INDEX({first},MAX({place},1)),"
                f"INDEX({second},MAX(-{place},1))))"
            )

        known = 0 if own.opponent is None else own.opponent + 1
        row[f"opponent{r}"] = Formula(pick(each[1], each[0], "0"), known)
        row[f"scored{r}"] = Formula(pick(spans["points_a"], spans["points_b"], "0"), own.points)
        absent = f'IF(AND({at["name"]}<>"",COUNTIF({spans["valid"]},1)>0),{REQUESTED},{NOTHING})'
        row[f"kind{r}"] = Formula(pick(spans["kind_a"], spans["kind_b"], absent), own.kind)
        later = at[f"trailing{r + 1}"]
        free = f"OR({kind}={NOTHING},{kind}={FORFEIT_LOST},{kind}={REQUESTED})"
        row[f"trailing{r}"] = Formula(f"=IF({free},{later},0)", found.trailing[r])
        scores = self.table.range("adjusted").rpartition("!")[2]
        rated = f"INDEX({scores},MAX({other},1))"
        mine = at["points"]
        text = (
            f"IF(OR({kind}={NOTHING},{kind}={OPEN}),0,IF({kind}={PLAYED},{rated},"
            f"IF({kind}<={FORFEIT_LOST},MIN({mine},{rated}),MIN({mine},{self.begun}/2))))"
        )
        row[f"counts{r}"] = Formula(f"={text}", found.contributions[r])
