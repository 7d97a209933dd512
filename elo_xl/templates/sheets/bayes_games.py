"""Each game of a Bayesian list: what it does to both players, by Bayes' formula and by Elo's rule.

Ratings and deviations run through three sheets with a row a game and a column a player; a game
reads the row before its own and writes the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from elo_xl.templates.forms import Cells, Form, block, finish, lines_above, mark
from elo_xl.templates.parts import (
    HUNDREDTHS,
    SIGNED_TENTHS,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Sheet,
    Table,
)
from elo_xl.templates.sheets.bayes_players import BayesPlayers
from elo_xl.templates.sheets.each_game import SIDES, Found
from elo_xl.templates.sheets.running import Running
from elo_xl.templates.sheets.signs import Signs
from elo_xl.templates.sheets.typed_games import TypedGames

HISTORIES: Final = ("rating", "sd", "elo")
"""What runs: rating and deviation by Bayes' formula, the rating by Elo's rule."""

_NAME_WIDTH: Final = 11.0
"""of a player's column; names take several lines"""

_GROUPS: Final = {"rating_a": "before", "new_a": "after", "elo_a": "elo"}


def model_of(form: Form) -> str:
    """The curve of expected scores: the rulebook's own, but a table has no integrals."""
    return "logistic" if form.rules.model == "logistic" else "normal"


class BayesGames:
    """The sheet *Each game* and the three histories."""

    def __init__(
        self,
        form: Form,
        players: BayesPlayers,
        typed: TypedGames,
        signs: Signs,
        sheets: tuple[Sheet, dict[str, Sheet], Sheet],
        listed: Table,
        found: Sequence[Found],
    ) -> None:
        self.form, self.players, self.typed, self.signs = form, players, typed, signs
        self.sheet, tabs, steps = sheets
        self.listed, self.found = listed, found
        self.model = model_of(form)
        say = form.say
        self.header = lines_above(form, self.sheet, "each") + 1
        self.table = Table(self.sheet, self._columns(), self.header, typed.size)
        columns = [
            Column("first_no", say("column_first_no"), WHOLE),
            Column("second_no", say("column_second_no"), WHOLE),
            Column("sign_no", say("column_sign_no"), WHOLE),
            Column("counts", say("column_counts"), WHOLE),
        ]
        left = max(at for at, _ in listed.columns.values()) + 2
        self.steps = Table(steps, columns, listed.header, typed.size, left)
        self.histories = {key: self._history(key, sheet) for key, sheet in tabs.items()}
        self.counted = [False] * typed.size
        for i, game in enumerate(found):
            self._numbers(i, game)
            self._game(i, game)
        self._more()
        self._groups()
        mark(
            block(self.table, "white", "black"), f'${self.table.cell("score", 0)}=""', look="quiet"
        )
        finish(self.sheet, freeze=self.table.cell("score", 0), titles=(1, self.header))
        self.table.fit_header()
        for key, sheet in tabs.items():
            self._finish(self.histories[key], sheet)

    def _columns(self) -> list[Column]:
        say = self.form.say
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("white", say("column_white"), align="left", width=20.0),
            Column("black", say("column_black"), align="left", width=20.0),
            Column("score", say("column_score"), TENTHS, "center", "strong"),
        ]
        for key, role in (("rating", "computed"), ("sd", "quiet")):
            columns += [
                Column(f"{key}_{side}", say(f"column_{key}_{side}"), TENTHS, role=role, width=7.0)
                for side in SIDES
            ]
        columns.append(Column("expected", say("column_expected_a"), HUNDREDTHS))
        for key, heading in (("new", "after"), ("new_sd", "sd")):
            columns += [
                Column(f"{key}_{side}", say(f"column_{heading}_{side}"), TENTHS, width=7.0)
                for side in SIDES
            ]
        columns += [
            Column(f"change_{side}", say(f"column_change_{side}"), SIGNED_TENTHS) for side in SIDES
        ]
        columns += [
            Column(f"elo_{side}", say(f"column_rating_{side}"), TENTHS, width=7.0) for side in SIDES
        ]
        columns.append(Column("elo_expected", say("column_expected_a"), HUNDREDTHS))
        columns += [
            Column(f"elo_new_{side}", say(f"column_after_{side}"), TENTHS, width=7.0)
            for side in SIDES
        ]
        columns += [
            Column(f"elo_change_{side}", say(f"column_change_{side}"), SIGNED_TENTHS)
            for side in SIDES
        ]
        return columns

    def _history(self, key: str, sheet: Sheet) -> Running:
        say, players, listed = self.form.say, self.players, self.listed
        labels = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("white", say("column_white"), align="left", width=20.0),
            Column("black", say("column_black"), align="left", width=20.0),
        ]
        header = lines_above(self.form, sheet, key) + 1
        names = [(listed.fixed("id", j), name) for j, name in enumerate(players.names)]
        starts: list[tuple[str, Any]] = [
            (listed.fixed("start", j), rating) for j, rating in enumerate(players.ratings)
        ]
        if key == "sd":
            starts = [
                (players.table.fixed("own_sd", j), value) for j, value in enumerate(players.sds)
            ]
        running = Running(sheet, labels, header, names, starts, self.typed.size, TENTHS)
        sheet.write(running.table.first, 1, 0, "quiet", WHOLE, "right")
        sheet.write(running.table.first, 2, say("start_row"), "quiet", align="left", measure=False)
        return running

    def _numbers(self, i: int, game: Found) -> None:
        """Who met whom and with which sign, and whether the game counts."""
        steps = self.steps
        at = {key: steps.cell(key, i) for key in steps.columns}
        first, second, sign = at["first_no"], at["second_no"], at["sign_no"]
        one, two, place = game.first[1], game.second[1], game.sign[1]
        known = bool(one and two and place) and one != two
        self.counted[i] = known and self.signs.signs[place - 1].rated
        test = f"AND({first}>0,{second}>0,{first}<>{second},{sign}>0)"
        row: dict[str, Any] = {
            "first_no": Formula(f"={game.first[0]}", one),
            "second_no": Formula(f"={game.second[0]}", two),
            "sign_no": Formula(f"={game.sign[0]}", place),
            "counts": Formula(f"=IF({test},INDEX(Result_rated,{sign}),0)", int(self.counted[i])),
        }
        steps.write(i, row)

    def _game(self, i: int, game: Found) -> None:
        table, steps, typed = self.table, self.steps, self.typed
        numbers = {side: steps.fixed(f"{key}_no", i) for side, key in _ENDS.items()}
        counts, good = f"{steps.fixed('counts', i)}=1", self.counted[i]
        who = (game.first[1], game.second[1]) if good else ()
        row: dict[str, Any] = {"no": i + 1}
        for key in ("white", "black"):
            cell, text = typed.table.fixed(key, i), getattr(typed.games[i], key)
            row[key] = Formula(f'=IF({cell}="","",{cell})', "" if text is None else text)
        sign = steps.fixed("sign_no", i)
        score: Any = self.signs.signs[game.sign[1] - 1].points if good else ""
        row["score"] = Formula(f'=IF({counts},INDEX(Result_points,{sign}),"")', score)
        for key, running in self.histories.items():
            for k, side in enumerate(SIDES):
                before = running.before(i, numbers[side], self.sheet)
                value = running.now[who[k] - 1] if who else ""
                row[f"{key}_{side}"] = Formula(f'=IF({counts},{before},"")', value)
        table.write(i, row)
        cells = {
            key: Cells(self.sheet, table.first + i, x) for key, (x, _) in table.columns.items()
        }
        pair = cells["rating_a"], cells["rating_b"]
        form = self.form
        format_ = {"number_format": HUNDREDTHS, "align": "right"}
        form.call(cells["expected"], "ELO_EXPECTED", *pair, self.model, **format_)
        form.call(
            Cells(self.sheet, table.first + i, cells["new_a"].column, 1, 4),
            "ELO_BAYES",
            *pair,
            cells["score"],
            cells["sd_a"],
            cells["sd_b"],
            "split",
            self.model,
            number_format=TENTHS,
            align="right",
        )
        pair = cells["elo_a"], cells["elo_b"]
        form.call(cells["elo_expected"], "ELO_EXPECTED", *pair, self.model, **format_)
        self._elo(i, who, numbers)
        self._changes(i)
        labels: dict[str, Any] = {"no": i + 1} | {
            key: Formula(f"={table.fixed(key, i)}", row[key].value) for key in ("white", "black")
        }
        found = {"rating": "new", "sd": "new_sd", "elo": "elo_new"}
        for key, running in self.histories.items():
            new = Cells(self.sheet, table.first + i, cells[f"{found[key]}_a"].column, 1, 2)
            ends = block(steps, "first_no", "second_no")
            ends = Cells(ends.sheet, steps.first + i, ends.column, 1, 2)
            running.after(i, labels, counts, ends, new, who)

    def _value(self, key: str, i: int) -> Any:
        return block(self.table, key).at(i, 0).values()[0][0]

    def _elo(self, i: int, who: Sequence[int], numbers: dict[str, str]) -> None:
        """R + K(S - E) for both; Black's S and E are what White's leave of 1."""
        table = self.table
        at = {key: table.cell(key, i) for key in table.columns}
        ks = self.players.table.range("own_k")
        for k, (side, sign) in enumerate(zip(SIDES, "+-", strict=True)):
            factor = f"INDEX({ks},{numbers[side]})"
            rule = f"{at[f'elo_{side}']}{sign}{factor}*({at['score']}-{at['elo_expected']})"
            value: Any = ""
            if who:
                surplus = self._value("score", i) - self._value("elo_expected", i)
                change = self.players.ks[who[k] - 1] * surplus
                before = self._value(f"elo_{side}", i)
                value = before + change if sign == "+" else before - change
            text = f'=IF({at["score"]}="","",{rule})'
            table.put(f"elo_new_{side}", i, Formula(text, value))

    def _changes(self, i: int) -> None:
        at = {key: self.table.cell(key, i) for key in self.table.columns}
        for side in SIDES:
            for change, new, old in (
                ("change", "new", "rating"),
                ("elo_change", "elo_new", "elo"),
            ):
                after, before = (self._value(f"{key}_{side}", i) for key in (new, old))
                value = "" if after == "" else after - before
                text = f"{at[f'{new}_{side}']}-{at[f'{old}_{side}']}"
                text = f'=IF({at["score"]}="","",{text})'
                self.table.put(f"{change}_{side}", i, Formula(text, value))

    def _more(self) -> None:
        """The new ratings beside what is typed."""
        games = self.typed.table
        for i in range(self.typed.size):
            for side in SIDES:
                key = f"new_{side}"
                games.put(key, i, Formula(f"={self.table.fixed(key, i)}", self._value(key, i)))

    def _groups(self) -> None:
        """What the columns below have in common, above their headings."""
        for key, group in _GROUPS.items():
            at = self.table.columns[key][0]
            text = self.form.say(f"group_{group}")
            self.sheet.write(self.header - 1, at, text, "label", align="left", measure=False)

    def _finish(self, running: Running, sheet: Sheet) -> None:
        for j in range(running.players):
            sheet.widths[running.left + j] = _NAME_WIDTH
        header = running.table.header
        finish(sheet, freeze=running.table.cell("p0", 1), titles=(1, header))
        sheet.height(header, 3)


_ENDS: Final = {"a": "first", "b": "second"}


def more_columns(form: Form) -> list[Column]:
    """What stands beside a typed game."""
    return [
        Column(f"new_{side}", form.say(f"column_after_{side}"), TENTHS, role="strong")
        for side in SIDES
    ]
