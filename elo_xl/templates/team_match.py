"""``team-match``: a match of two teams, board by board.

Sheets: the first one, one for each team, *Match* (results, expected scores and rating changes on
both sides of the board), *Results* (the signs) and *Steps*.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from openpyxl.utils import get_column_letter

from elo_xl.engine.period import rating_changes
from elo_xl.templates.forms import (
    TEXT,
    Form,
    Options,
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
    SIGNED_HUNDREDTHS,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Table,
)
from elo_xl.templates.samples import PLAYERS, Entry, outcome
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR
from elo_xl.templates.sheets.players import YEAR, Counted, Players
from elo_xl.templates.sheets.signs import Signs
from elo_xl.templates.texts import texts

SIDES: Final = ("a", "b")


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """What is typed; a result is the first team's."""

    name: Any = None
    teams: tuple[Any, Any] = (None, None)
    year: Any = None
    players: tuple[Sequence[Entry], Sequence[Entry]] = ((), ())
    results: Sequence[Any] = ()


EMPTY: Final = TeamMatch()


def sample(options: Options) -> TeamMatch:
    """An invented match with a forfeit on the last board."""
    chance, say = random.Random(11), texts(options.language)
    n = min(options.players, len(PLAYERS) // 2)
    teams = PLAYERS[0 : 2 * n : 2], PLAYERS[1 : 2 * n : 2]
    sign = {1.0: "1", 0.5: "½", 0.0: "0"}
    results = [sign[outcome(chance, a.rating, b.rating)] for a, b in zip(*teams, strict=True)]
    results[-1] = "+"
    event, home, guests = (say(f"team-match.sample_{key}") for key in ("event", "home", "guests"))
    return TeamMatch(event, (home, guests), SAMPLE_YEAR, teams, results)


def build(form: Form, match: TeamMatch) -> None:
    """Write all sheets."""
    n, say = form.options.players, form.say
    front(
        form,
        [
            Setting("Event", "event", match.name),
            Setting("Team_a", "team_a", match.teams[0]),
            Setting("Team_b", "team_b", match.teams[1]),
            Setting(YEAR, "year", match.year, WHOLE, 1950, 2200),
        ],
    )
    teams = [
        Players(form, entries, n, match.year, tab=f"team_{side}")
        for side, entries in zip(SIDES, match.players, strict=True)
    ]
    sheet = form.tab("match")
    signs = Signs(form)
    steps = form.tab("steps")
    header = lines_above(form, steps, "steps")
    counted = []
    for side, players in zip(SIDES, teams, strict=True):
        steps.write(header, 1, say(f"sheet_team_{side}"), "section", measure=False)
        counted.append(Counted(form, players, steps, header + 1, match=True))
        header = counted[-1].table.last + 2
    _Match(form, match, teams, counted, signs, sheet).fill()
    finish(steps, titles=(1, 2))
    for each in counted:
        each.table.fit_header()


class _Match:
    """The sheet *Match*."""

    def __init__(
        self,
        form: Form,
        match: TeamMatch,
        teams: list[Players],
        counted: list[Counted],
        signs: Signs,
        sheet: Any,
    ) -> None:
        self.form, self.say, self.teams, self.counted = form, form.say, teams, counted
        self.signs, self.sheet, self.match = signs, sheet, match
        self.n = n = form.options.players
        results = [*match.results, *[None] * n][:n]
        self.typed = results
        self.place = [signs.find(typed) for typed in results]
        self.points: list[tuple[float, float] | None] = []
        self.rated: list[bool] = []
        for i, place in enumerate(self.place):
            both = all(team.present(i) for team in teams)
            sign = signs.signs[place - 1] if place else None
            self.points.append((sign.points, sign.others) if sign and both else None)
            own, other = (team.rating(i) for team in teams)
            self.rated.append(
                bool(both and sign and sign.rated)
                and own is not None
                and other is not None
                and bool(form.rules.rated(own, other))
            )

    def fill(self) -> None:
        say, n = self.say, self.n
        header = lines_above(self.form, self.sheet, "match", self.form.rules_title)
        plain = {
            "change": (SIGNED_HUNDREDTHS, "computed"),
            "k": (WHOLE, "quiet"),
            "expected": (HUNDREDTHS, "computed"),
            "rating": (WHOLE, "computed"),
        }
        headings = {"k": "factor"}

        def half(side: str, keys: Sequence[str]) -> list[Column]:
            """The columns of a team; those of the second mirror the first one's."""
            return [
                Column(f"{key}_{side}", say(f"column_{headings.get(key, key)}"), *shape)
                for key in keys
                for shape in [(plain[key][0], "right", plain[key][1])]
            ]

        columns = [
            Column("board", say("column_board"), WHOLE, "center", "quiet"),
            *half("a", list(plain)),
            Column("name_a", say("column_name_a"), align="left", role="strong", width=20.0),
            Column("result", say("column_result"), TEXT, "center", "input", 8.0),
            Column("points_a", say("column_points"), TENTHS, "center"),
            Column("points_b", say("column_points"), TENTHS, "center"),
            Column("name_b", say("column_name_b"), align="left", role="strong", width=20.0),
            *half("b", list(plain)[::-1]),
            Column("check", say("column_check"), align="left", width=self.form.widest("check_")),
        ]
        self.table = table = Table(self.sheet, columns, header, n)
        for i in range(n):
            self.table.put("board", i, i + 1)
            self.table.put("result", i, self.typed[i])
            self._result(i)
            for side in SIDES:
                self._copy(i, side)
        self._calls()
        self._changes()
        for i in range(n):
            self._check(i)
            self.sheet.height(table.first + i, 1.15)
        self._totals()
        cells = block(table, "result")
        validate(self.form, cells, "result", kind="list", first="Result_signs")
        check, first = f"${table.column('check')}{table.first}", cells.at(0, 0).text(self.sheet)
        mark(cells, f'AND({check}<>"",{first}<>"")')
        mark(cells, f'AND({check}<>"",{first}="")', look="missing")
        for_the_wall = (
            f"A1:{get_column_letter(table.columns['check'][0] - 1)}{self.sheet.worksheet.max_row}"
        )
        freeze = table.cell("name_a", 0)
        finish(self.sheet, freeze=freeze, titles=(1, header), area=for_the_wall)
        table.fit_header()

    def _at(self, i: int) -> dict[str, str]:
        return {key: self.table.cell(key, i) for key in self.table.columns}

    def _copy(self, i: int, side: str) -> None:
        """Name and rating of a player."""
        counted = self.counted[SIDES.index(side)]
        for key in ("name", "rating"):
            source = counted.column(key).at(i, 0)
            value: Any = source.values()[0][0]
            text = f"={source.text(self.sheet, fixed=True)}"
            self.table.put(f"{key}_{side}", i, Formula(text, value))

    def _result(self, i: int) -> None:
        """The points of both teams."""
        at = self._at(i)
        found = self.signs.place(at["result"])
        both = f'OR({at["name_a"]}="",{at["name_b"]}="",{found}=0)'
        for k, (side, name) in enumerate(
            zip(SIDES, ("Result_points", "Result_others"), strict=True)
        ):
            points = self.points[i]
            text = f'=IF({both},"",INDEX({name},{found}))'
            self.table.put(f"points_{side}", i, Formula(text, "" if points is None else points[k]))

    def _calls(self) -> None:
        """Expected scores and K factors."""
        form, model = self.form, self.form.rules.model
        for side, other in (("a", "b"), ("b", "a")):
            counted = self.counted[SIDES.index(side)]
            arguments: list[Any] = [
                block(self.table, f"rating_{side}"),
                block(self.table, f"rating_{other}"),
                model,
            ]
            if counted.capped:
                arguments.append(counted.column("cap"))
            form.call(
                block(self.table, f"expected_{side}"),
                "ELO_EXPECTED",
                *arguments,
                number_format=HUNDREDTHS,
                align="right",
            )
            form.call(
                counted.column("rule_k"),
                "ELO_K",
                *map(counted.column, ("rating", "games", "age", "peak")),
                None,
                form.rules.name,
                number_format=WHOLE,
            )
            steps = counted.table.sheet
            for i in range(self.n):
                value: Any = counted.column("rule_k").at(i, 0).values()[0][0]
                cell = steps.reference(counted.table.cell("rule_k", i))
                known = value if isinstance(value, float) else None
                self.table.put(f"k_{side}", i, counted.own_k(i, cell, known))

    def _changes(self) -> None:
        rules = self.form.rules
        ratings = [[team.rating(i) for i in range(self.n)] for team in self.teams]
        flat = np.array([np.nan if r is None else r for team in ratings for r in team])
        ks = [
            block(self.table, f"k_{side}").at(i, 0).values()[0][0]
            for side in SIDES
            for i in range(self.n)
        ]
        known = [float(k) if isinstance(k, float | int) else 0.0 for k in ks]
        boards = [i for i in range(self.n) if self.rated[i]]
        scores = [points[0] for i in boards if (points := self.points[i]) is not None]
        changes = rating_changes(
            flat, known, boards, [self.n + i for i in boards], scores, rules
        ).tolist()
        for i in range(self.n):
            at = self._at(i)
            tests = [f'{at[key]}=""' for key in ("points_a", "rating_a", "rating_b")]
            found = self.signs.place(at["result"])
            played = f"INDEX(Result_rated,{found})=0"
            if rules.unrated_gap is not None:
                gap = f"ABS({at['rating_a']}-{at['rating_b']})>={rules.unrated_gap}"
                top = f"MAX({at['rating_a']},{at['rating_b']})>{rules.unrated_above}"
                played = f"OR({played},AND({gap},{top}))"
            for k, side in enumerate(SIDES):
                surplus = f"({at[f'points_{side}']}-{at[f'expected_{side}']})"
                gained = f"ROUND(100*{surplus},0)/100" if rules.exact else surplus
                text = f'=IF(OR({",".join(tests)}),"",IF({played},"",{at[f"k_{side}"]}*{gained}))'
                value = changes[k * self.n + i] + 0.0 if self.rated[i] else ""
                self.table.put(f"change_{side}", i, Formula(text, value))

    def _check(self, i: int) -> None:
        at, say = self._at(i), self.say
        one, two = (team.ref("check", i) for team in self.teams)
        names = f'({at["name_a"]}<>"")+({at["name_b"]}<>"")'
        begun = f"COUNT({block(self.table, 'points_a').text(self.sheet, fixed=True)})>0"
        text = (
            f'=IF({one}<>"",{one},IF({two}<>"",{two},'
            f'IF(AND({at["result"]}<>"",{at["points_a"]}=""),{quoted(say("check_result"))},'
            f"IF({names}=1,{quoted(say('check_alone'))},"
            f'IF(AND({names}=2,{begun},{at["result"]}=""),{quoted(say("check_missing"))},"")))))'
        )
        keys = [team.problem(i) for team in self.teams]
        present = sum(team.present(i) for team in self.teams)
        empty = self.typed[i] in (None, "")
        key = keys[0] or keys[1]
        if not key and not empty and self.points[i] is None:
            key = "check_result"
        elif not key and present == 1:
            key = "check_alone"
        elif not key and present == 2 and empty and any(p is not None for p in self.points):
            key = "check_missing"
        self.table.put("check", i, Formula(text, say(key) if key else ""), "attention")

    def _totals(self) -> None:
        """The team scores, expected and actual, of the boards with a result."""
        table = self.table
        row = table.last + 1 - table.first
        values: dict[str, Any] = {}
        points = block(table, "points_a").text(self.sheet)
        for k, side in enumerate(SIDES):
            mine = block(table, f"points_{side}").text(self.sheet)
            chances = block(table, f"expected_{side}")
            total = sum(p[k] for p in self.points if p is not None)
            values[f"points_{side}"] = Formula(f"=SUM({mine})", total)
            numbers = [
                float(value)
                for (value,), p in zip(chances.values(), self.points, strict=True)
                if p is not None and isinstance(value, float | int)
            ]
            text = f'=ROUND(SUMIF({points},">=0",{chances.text(self.sheet)}),6)'
            values[f"expected_{side}"] = Formula(text, round(sum(numbers), 6))
            own = block(table, f"change_{side}")
            gains = [v for (v,) in own.values() if isinstance(v, float | int)]
            text = f"=ROUND(SUM({own.text(self.sheet)}),6)"
            values[f"change_{side}"] = Formula(text, round(sum(gains), 6) + 0.0)
        for key, team in zip(("name_a", "name_b"), ("Team_a", "Team_b"), strict=True):
            name = self.match.teams[0 if key == "name_a" else 1]
            shown = "" if name in (None, "") else name
            values[key] = Formula(f'=IF({team}="","",{team})', shown)
        table.write(row, values, "total")
