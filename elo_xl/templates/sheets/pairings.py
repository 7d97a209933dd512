"""The sheet *Pairings*: every board of every round, by the players' numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from elo_xl.templates.forms import TEXT, Form, block, finish, lines_above, mark, quoted, validate
from elo_xl.templates.parts import TENTHS, WHOLE, Column, Formula, Sheet, Table
from elo_xl.templates.sheets.each_game import Found
from elo_xl.templates.sheets.players import Players, blank, number, times
from elo_xl.templates.sheets.signs import ALSO, PAIRED, Signs
from elo_xl.templates.sheets.tie_breaks import (
    BYE,
    FORFEIT_LOST,
    FORFEIT_WON,
    NOTHING,
    OPEN,
    PLAYED,
    REQUESTED,
    Round,
)

SIGNS: Final = (*PAIRED, "bye", *ALSO)
BYE_SIGN: Final = SIGNS.index("bye") + 1
PROBLEMS: Final = ("number", "self", "again")
SPARE: Final = 3
"""Lines of a round beyond half of the players, for byes."""


@dataclass(frozen=True, slots=True)
class Board:
    """A line as it is typed: numbers of the players and White's result; no Black: a bye."""

    white: Any = None
    black: Any = None
    result: Any = None


class Pairings:
    """The sheet, and Python's view of it; lines by round and board, both from 0."""

    def __init__(
        self,
        form: Form,
        players: Players,
        signs: Signs,
        sheet: Sheet,
        typed: Mapping[tuple[int, int], Board],
    ) -> None:
        self.form, self.players, self.signs, self.sheet = form, players, signs, sheet
        self.rounds = form.options.rounds
        self.boards = form.options.players // 2 + SPARE
        self.lines = [
            typed.get((r, b), Board()) for r in range(self.rounds) for b in range(self.boards)
        ]
        say = form.say
        header = lines_above(form, sheet, "pairings", say("bigger_rounds", rounds=self.rounds))
        columns = [
            Column("round", say("column_round"), WHOLE, "center", "strong", 7.0),
            Column("board", say("column_board"), WHOLE, "center", "quiet", 7.0),
            Column("white", say("column_white_no"), WHOLE, "center", "input", 7.0),
            Column("white_name", say("column_white"), align="left", width=24.0),
            Column("result", say("column_result"), TEXT, "center", "input", 8.0),
            Column("black", say("column_black_no"), WHOLE, "center", "input", 7.0),
            Column("black_name", say("column_black"), align="left", width=24.0),
            Column("check", say("column_check"), align="left", width=form.widest("check_")),
            Column("valid", say("column_valid"), WHOLE, role="quiet"),
            Column("first", say("column_first_no"), WHOLE, role="quiet"),
            Column("second", say("column_second_no"), WHOLE, role="quiet"),
            Column("sign", say("column_sign_no"), WHOLE, role="quiet"),
            Column("points_a", say("column_points"), TENTHS, role="quiet"),
            Column("points_b", say("column_others"), TENTHS, role="quiet"),
            Column("kind_a", say("column_kind"), WHOLE, role="quiet"),
            Column("kind_b", say("column_other_kind"), WHOLE, role="quiet"),
        ]
        self.table = Table(sheet, columns, header, len(self.lines))
        self._read()
        for i in range(len(self.lines)):
            self._row(i)
        self._rules()
        finish(sheet, freeze=self.table.cell("white", 0), titles=(1, header), upright=True)
        self.table.fit_header()
        tops = range(self.table.first, self.table.last, self.boards)
        last = self.table.column("black_name")  # for the wall: what is wrong stays on the screen
        sheet.print_areas(*(f"A{top}:{last}{top + self.boards - 1}" for top in tops))

    def span(self, key: str, r: int) -> str:
        """The cells of a column in one round."""
        first, last = r * self.boards, (r + 1) * self.boards - 1
        return f"{self.table.fixed(key, first)}:{self.table.fixed(key, last).rpartition('!')[2]}"

    def _who(self, typed: Any) -> int:
        """The number of a player who exists, else 0."""
        value = number(typed)
        if value is None or not value.is_integer() or not 1 <= value <= self.players.size:
            return 0
        return int(value) if self.players.present(int(value) - 1) else 0

    def _read(self) -> None:
        self.numbers = [(self._who(line.white), self._who(line.black)) for line in self.lines]
        self.problems: list[str] = []
        self.valid: list[bool] = []
        self.signs_at: list[int] = []
        for i, (line, (white, black)) in enumerate(zip(self.lines, self.numbers, strict=True)):
            start = i // self.boards * self.boards
            here = [
                x for at in self.lines[start : start + self.boards] for x in (at.white, at.black)
            ]
            again = any(who and sum(number(x) == who for x in here) > 1 for who in (white, black))
            sign = self.signs.find(line.result)
            if not blank(line.black) and sign == BYE_SIGN:
                sign = 0
            problem = ""
            if all(map(blank, (line.white, line.black, line.result))):
                problem = "none"
            elif not white or not (black or blank(line.black)):
                problem = "check_number"
            elif white == black:
                problem = "check_self"
            elif again:
                problem = "check_again"
            self.valid.append(problem == "")
            if not problem:
                problem = "check_missing" if blank(line.result) else "" if sign else "check_result"
            self.problems.append("" if problem == "none" else problem)
            self.signs_at.append(sign)

    def kinds(self, i: int) -> tuple[int, int]:
        """What kind of round a line is for White and for Black."""
        if not self.valid[i]:
            return NOTHING, NOTHING
        if not self.signs_at[i]:
            return OPEN, OPEN
        sign = self.signs.signs[self.signs_at[i] - 1]
        if not self.numbers[i][1]:
            return (BYE if sign.points == 1 else REQUESTED), NOTHING
        if sign.rated:
            return PLAYED, PLAYED
        return tuple(FORFEIT_WON if p else FORFEIT_LOST for p in (sign.points, sign.others))  # type: ignore[return-value]

    def of(self, player: int, r: int, begun: bool) -> Round:
        """A round of a player, counted from 0."""
        if not self.players.present(player):
            return Round()
        for b in range(self.boards):
            i = r * self.boards + b
            if not self.valid[i] or player + 1 not in self.numbers[i]:
                continue
            side = self.numbers[i].index(player + 1)
            other = self.numbers[i][1 - side]
            sign = self.signs.signs[self.signs_at[i] - 1] if self.signs_at[i] else None
            points = (sign.points, sign.others)[side] if sign else 0.0
            place = (b + 1) * (1 - 2 * side)
            return Round(self.kinds(i)[side], other - 1 if other else None, points, place)
        return Round(REQUESTED if begun else NOTHING)

    def begun(self, r: int) -> bool:
        return any(self.valid[r * self.boards : (r + 1) * self.boards])

    def found(self) -> list[Found]:
        """The games, for the ratings."""
        games = []
        for i, (white, black) in enumerate(self.numbers):
            ends = [
                (self.table.fixed(key, i), who if self.valid[i] else 0)
                for key, who in (("first", white), ("second", black))
            ]
            sign = self.table.fixed("sign", i), self.signs_at[i]
            r, b = divmod(i, self.boards)
            games.append(Found(ends[0], ends[1], sign, f"{r + 1}/{b + 1}"))
        return games

    def _state(self, i: int) -> int:
        """1 for a line that counts, 0 for an empty one, below 0 what is wrong with its numbers."""
        key = self.problems[i].removeprefix("check_")
        return int(self.valid[i]) if key not in PROBLEMS else -PROBLEMS.index(key) - 1

    def _row(self, i: int) -> None:
        line, say, n = self.lines[i], self.form.say, self.players.size
        at = {key: self.table.cell(key, i) for key in self.table.columns}
        r = i // self.boards
        names = self.players.table.range("name")
        spans = [self.span(key, r).rpartition("!")[2] for key in ("white", "black")]
        good, again, shown = [], [], []
        for key, who in zip(("white", "black"), self.numbers[i], strict=True):
            cell = at[key]
            inside = f"AND({cell}>=1,{cell}<={n},INT({cell})={cell})"
            good.append(
                f'IF(ISNUMBER({cell}),IF({inside},TRIM(INDEX({names},{cell}))<>"",FALSE),FALSE)'
            )
            again.append("+".join(times(span, cell) for span in spans))
            name = str(self.players.entries[who - 1].name) if who else ""
            shown.append(Formula(f'=IF({good[-1]},INDEX({names},{cell}),"")', name))
        empty = f'AND({at["white"]}="",{at["black"]}="",{at["result"]}="")'
        tests = [
            (f"NOT({good[0]})", "number"),
            (f'IF({at["black"]}="",FALSE,NOT({good[1]}))', "number"),
            (f"{at['white']}={at['black']}", "self"),
            (f"{again[0]}>1", "again"),
            (f'IF({at["black"]}="",FALSE,{again[1]}>1)', "again"),
        ]
        valid = "1"
        for test, key in reversed(tests):
            valid = f"IF({test},{-PROBLEMS.index(key) - 1},{valid})"
        text = (
            f'IF({at["result"]}="",{quoted(say("check_missing"))},'
            f'IF({at["sign"]}=0,{quoted(say("check_result"))},""))'
        )
        for at_, key in enumerate(PROBLEMS, start=1):
            text = f"IF({at['valid']}={-at_},{quoted(say(f'check_{key}'))},{text})"
        problem = self.problems[i]
        sign = self.signs.place(at["result"])
        sign = f'IF(AND({at["black"]}<>"",{at["result"]}&""="bye"),0,{sign})'
        kinds, ok = self.kinds(i), self.valid[i] and self.signs_at[i]
        points = self.signs.signs[self.signs_at[i] - 1] if ok else None
        rated = f"INDEX(Result_rated,{at['sign']})=1"
        values: dict[str, Any] = {
            "round": r + 1,
            "board": i % self.boards + 1,
            "white": line.white,
            "black": line.black,
            "result": line.result,
            "white_name": shown[0],
            "black_name": shown[1],
            "check": Formula(f'=IF({at["valid"]}=0,"",{text})', say(problem) if problem else ""),
            "valid": Formula(f"=IF({empty},0,{valid})", self._state(i)),
            "sign": Formula(f"={sign}", self.signs_at[i]),
        }
        for key, side, who in zip(
            ("first", "second"), ("white", "black"), self.numbers[i], strict=True
        ):
            text = f"=IF({at['valid']}=1,N({at[side]}),0)"
            values[key] = Formula(text, who if self.valid[i] else 0)
        ready = f"AND({at['valid']}=1,{at['sign']}>0)"
        for key, name, kind, score in (
            ("a", "Result_points", kinds[0], points and points.points),
            ("b", "Result_others", kinds[1], points and points.others),
        ):
            cell = at[f"points_{key}"]
            values[f"points_{key}"] = Formula(
                f"=IF({ready},INDEX({name},{at['sign']}),0)", score or 0
            )
            alone = f"IF({cell}=1,{BYE},{REQUESTED})" if key == "a" else f"{NOTHING}"
            won = f"IF({cell}>0,{FORFEIT_WON},{FORFEIT_LOST})"
            inner = f'IF({at["black"]}="",{alone},IF({rated},{PLAYED},{won}))'
            text = f"=IF({at['valid']}<>1,{NOTHING},IF({at['sign']}=0,{OPEN},{inner}))"
            values[f"kind_{key}"] = Formula(text, kind)
        self.table.write(i, values)
        self.table.put("check", i, values["check"], "attention")

    def _rules(self) -> None:
        table, last = self.table, str(self.players.size)
        for key in ("white", "black"):
            validate(
                self.form, block(table, key), f"{key}_no", kind="whole", first="1", second=last
            )
        validate(self.form, block(table, "result"), "result", kind="list", first="Result_signs")
        row = table.first
        check, result = f"${table.column('check')}{row}", f"${table.column('result')}{row}"
        mark(block(table, "white", "black_name"), f'AND({check}<>"",{result}<>"")')
        mark(block(table, "white", "black_name"), f'AND({check}<>"",{result}="")', look="missing")
        ends = f"${table.column('round')}{row}<>${table.column('round')}{row + 1}"
        mark(block(table, "round", "check"), ends, look="end")
