"""The sheet *Games*: what was played, typed as it comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from elo_xl.templates.forms import (
    TEXT,
    Form,
    block,
    finish,
    lines_above,
    mark,
    quoted,
    validate,
)
from elo_xl.templates.parts import WHOLE, Column, Formula, Sheet, Table
from elo_xl.templates.sheets.each_game import Found
from elo_xl.templates.sheets.players import blank, number_of
from elo_xl.templates.sheets.signs import Signs

KEY: Final = 1000
"""First player's number times this, plus the second's: who met whom."""


@dataclass(frozen=True, slots=True)
class Game:
    """A line as it is typed; the result is White's."""

    event: Any = None
    white: Any = None
    black: Any = None
    result: Any = None


class Listed(Protocol):
    """Players whose table has the names that may be typed."""

    @property
    def table(self) -> Table: ...


class TypedGames:
    """The sheet, Python's view of it, and what is wrong with each line.

    ``more`` are columns of computed cells beside what is typed.
    """

    def __init__(
        self,
        form: Form,
        players: Listed,
        sheet: Sheet,
        games: Sequence[Game],
        size: int,
        more: Sequence[Column] = (),
    ) -> None:
        self.form, self.players, self.sheet, self.size = form, players, sheet, size
        self.games = [*games, *[Game()] * (size - len(games))][:size]
        say = form.say
        header = lines_above(form, sheet, "games", say("bigger_games", games=size))
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("event", say("column_event"), TEXT, "left", "input", 18.0),
            Column("white", say("column_white"), TEXT, "left", "input", 24.0),
            Column("black", say("column_black"), TEXT, "left", "input", 24.0),
            Column("result", say("column_result"), TEXT, "center", "input", 8.0),
            *more,
            Column("check", say("column_check"), align="left", width=form.widest("check_")),
        ]
        self.table = Table(sheet, columns, header, size)
        keys = ("event", "white", "black", "result")
        for i, game in enumerate(self.games):
            self.table.write(i, {"no": i + 1} | {key: getattr(game, key) for key in keys})
            sheet.height(self.table.first + i, 1.1)

    def find(self, signs: Signs, names: Sequence[str]) -> list[Found]:
        """Where the players and the sign of each line stand in their lists; ``Player_ids`` and
        ``Player_numbers`` are the list's names and numbers."""
        places = {name.casefold(): i for i, name in enumerate(names, start=1) if name}
        found = []
        for i, game in enumerate(self.games):
            ends = []
            for key in ("white", "black"):
                cell, typed = self.table.fixed(key, i), getattr(game, key)
                ends.append((number_of(cell), places.get(str(typed).casefold(), 0) if typed else 0))
            sign = signs.place(self.table.fixed("result", i)), signs.find(game.result)
            found.append(Found(ends[0], ends[1], sign))
        self.found = found
        return found

    def check(self, each: Table, *, again: bool = True) -> None:
        """Say what is wrong with each line; ``each`` holds what was found of it.

        ``again`` asks whether a game that stands twice is meant.
        """
        say = self.form.say
        events = self.table.range("event").partition("!")[2]
        firsts, seconds = each.range("first_no"), each.range("second_no")
        problems = self.problems(again=again)
        for i in range(self.size):
            at = {key: self.table.cell(key, i) for key in self.table.columns}
            first, second, sign = (
                each.fixed(key, i) for key in ("first_no", "second_no", "sign_no")
            )
            same = f"({firsts}={first})*({seconds}={second})*({events}={at['event']})"
            text = '""'
            if again:
                text = f'IF(SUMPRODUCT({same})>1,{quoted(say("check_again"))},"")'
            for test, key in (
                (f"{sign}=0", "result"),
                (f'{at["result"]}=""', "missing"),
                (f"{first}={second}", "self"),
                (f"OR({first}=0,{second}=0)", "unknown"),
                (f'OR({at["white"]}="",{at["black"]}="")', "alone"),
            ):
                text = f"IF({test},{quoted(say(f'check_{key}'))},{text})"
            typed = f"{at['white']}:{at['result']}"
            text = f'=IF(COUNTA({typed})=0,"",{text})'
            key = problems[i]
            self.table.put("check", i, Formula(text, say(key) if key else ""), "attention")
        self._rules()
        finish(
            self.sheet,
            freeze=self.table.cell("event", 0),
            titles=(1, self.table.header),
            upright=True,
        )
        self.table.fit_header()

    def problems(self, *, again: bool) -> list[str]:
        """The key of the text in the column *Check*, line by line."""
        keys = [
            (g.first[1], g.second[1], str(t.event).casefold())
            for g, t in zip(self.found, self.games, strict=True)
        ]
        found = []
        for (first, second, _), key, typed, game in zip(
            keys, keys, self.games, self.found, strict=True
        ):
            if all(map(blank, (typed.white, typed.black, typed.result))):
                found.append("")
            elif blank(typed.white) or blank(typed.black):
                found.append("check_alone")
            elif not first or not second:
                found.append("check_unknown")
            elif first == second:
                found.append("check_self")
            elif blank(typed.result):
                found.append("check_missing")
            elif not game.sign[1]:
                found.append("check_result")
            else:
                found.append("check_again" if again and keys.count(key) > 1 else "")
        return found

    def _rules(self) -> None:
        table = self.table
        names = self.players.table.range("name")
        validate(self.form, block(table, "event"), "event", strict=False)
        for key in ("white", "black"):
            validate(self.form, block(table, key), key, kind="list", first=names)
        validate(self.form, block(table, "result"), "result", kind="list", first="Result_signs")
        check, row = f"${table.column('check')}{table.first}", table.first
        result = f"${table.column('result')}{row}"
        mark(block(table, "white", "result"), f'AND({check}<>"",{result}<>"")')
        mark(block(table, "white", "black"), f'AND({check}<>"",{result}="")')
        mark(block(table, "result"), f'AND({check}<>"",{result}="")', look="missing")


__all__ = ["Game", "TypedGames"]
