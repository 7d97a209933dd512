"""The sheet that explains every game of a list: who counts for whom, expected scores, changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from elo_xl.engine.period import rating_changes
from elo_xl.templates.forms import Cells, Form, block, finish, lines_above, mark
from elo_xl.templates.parts import (
    HUNDREDTHS,
    SIGNED_HUNDREDTHS,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Sheet,
    Table,
)
from elo_xl.templates.sheets.players import Counted
from elo_xl.templates.sheets.signs import Signs

SIDES: Final = ("a", "b")
OTHER: Final = {"a": "b", "b": "a"}


@dataclass(frozen=True, slots=True)
class Found:
    """A game as two places in the list of players and the place of a sign, 0 for none; each with
    the formula text (without =) that finds it."""

    first: tuple[str, int]
    second: tuple[str, int]
    sign: tuple[str, int]
    label: str | int | None = None
    """how the line is called; its number if left out"""


class EachGame:
    """A row a game, both players' sides beside each other; changes follow once K is known."""

    def __init__(
        self, form: Form, counted: Counted, signs: Signs, sheet: Sheet, games: Sequence[Found]
    ) -> None:
        self.form, self.counted, self.signs, self.games = form, counted, signs, games
        self.sheet = sheet
        self.header = lines_above(form, sheet, "each")
        self.varies = form.rules.uncapped_from is not None
        self.table = Table(sheet, list(self._columns()), self.header, len(games))
        players = counted.players
        self.ratings = [players.rating(i) for i in range(players.size)]
        self.valid = [
            bool(g.first[1] and g.second[1] and g.sign[1]) and g.first[1] != g.second[1]
            for g in games
        ]
        self.scores: list[tuple[float | None, float | None]] = [
            self._scores(i) for i in range(len(games))
        ]
        keys = ("name", "rating", *(["cap"] if self.varies else []))
        self.known: dict[str, list[Any]] = {
            key: [row[0] for row in block(counted.table, key).values()] for key in keys
        }
        for i, game in enumerate(games):
            self._row(i, game)
        self._expected()
        self._totals()

    def _columns(self) -> list[Column]:
        say = self.form.say
        columns = [Column("no", say("column_no"), WHOLE, role="quiet")]
        for side in SIDES:
            columns += [
                Column(f"name_{side}", say(f"column_name_{side}"), align="left", width=20.0),
                Column(f"rating_{side}", say("column_rating"), WHOLE),
            ]
        columns.insert(3, Column("score_a", say("column_score"), TENTHS, "center", "strong"))
        columns.insert(4, Column("score_b", say("column_score"), TENTHS, "center", "strong"))
        columns.append(Column("difference", say("column_difference"), WHOLE))
        for side in SIDES:
            columns += [
                Column(f"expected_{side}", say(f"column_expected_{side}"), HUNDREDTHS),
                Column(f"k_{side}", say("column_factor"), WHOLE, role="quiet"),
                Column(f"change_{side}", say(f"column_change_{side}"), SIGNED_HUNDREDTHS),
            ]
        columns += [
            Column(key, say(f"column_{key}"), WHOLE, role="quiet")
            for key in ("first_no", "second_no", "sign_no")
        ]
        if self.varies:
            columns += [
                Column(f"cap_{side}", say("column_cap"), WHOLE, role="quiet") for side in SIDES
            ]
        return columns

    def _scores(self, i: int) -> tuple[float | None, float | None]:
        """What each player scored in a game that counts for him."""
        if not self.valid[i]:
            return None, None
        game, rules = self.games[i], self.form.rules
        sign = self.signs.signs[game.sign[1] - 1]
        own, other = self.ratings[game.first[1] - 1], self.ratings[game.second[1] - 1]
        both = own is not None and other is not None
        if not sign.rated or (both and not rules.rated(own, other)):  # type: ignore[arg-type]
            return None, None
        return (
            None if other is None else sign.points,
            None if own is None else sign.others,
        )

    def ref(self, key: str, i: int) -> str:
        """A cell as other sheets read it."""
        return self.table.fixed(key, i)

    def _row(self, i: int, game: Found) -> None:
        at = {key: self.table.cell(key, i) for key in self.table.columns}
        self.table.put("no", i, i + 1 if game.label is None else game.label)
        for key, (text, found) in (
            ("first_no", game.first),
            ("second_no", game.second),
            ("sign_no", game.sign),
        ):
            self.table.put(key, i, Formula(f"={text}", found))
        shown = f"AND({at['first_no']}>0,{at['second_no']}>0)"
        both = bool(game.first[1] and game.second[1])
        for side, place, (_, who) in zip(
            SIDES, ("first_no", "second_no"), (game.first, game.second), strict=True
        ):
            for key, column in self.known.items():
                text = f'=IF({shown},INDEX({self.counted.table.range(key)},{at[place]}),"")'
                value: Any = column[who - 1] if both else ""
                self.table.put(f"{key}_{side}", i, Formula(text, value))
        a, b = at["rating_a"], at["rating_b"]
        known = all(r is not None for r in self._ratings(i)) and both
        apart = self._ratings(i)
        value = apart[0] - apart[1] if known else ""  # type: ignore[operator]
        self.table.put("difference", i, Formula(f'=IF(OR({a}="",{b}=""),"",{a}-{b})', value))
        fine = f"AND({shown},{at['first_no']}<>{at['second_no']},{at['sign_no']}>0)"
        rated = f"INDEX(Result_rated,{at['sign_no']})=1"
        rules = self.form.rules
        if rules.unrated_gap is not None:
            gap = f"AND(ABS({a}-{b})>={rules.unrated_gap},MAX({a},{b})>{rules.unrated_above})"
            rated = f'IF(OR({a}="",{b}=""),{rated},AND({rated},NOT({gap})))'
        for k, (side, name) in enumerate(
            zip(SIDES, ("Result_points", "Result_others"), strict=True)
        ):
            opponent = at[f"rating_{OTHER[side]}"]
            inner = f'IF(OR({opponent}="",NOT({rated})),"",INDEX({name},{at["sign_no"]}))'
            score = self.scores[i][k]
            text = f'=IF({fine},{inner},"")'
            self.table.put(f"score_{side}", i, Formula(text, "" if score is None else score))

    def _ratings(self, i: int) -> tuple[float | None, float | None]:
        game = self.games[i]
        return tuple(  # type: ignore[return-value]
            self.ratings[who - 1] if who else None for who in (game.first[1], game.second[1])
        )

    def _expected(self) -> None:
        rules = self.form.rules
        for side in SIDES:
            cap: Cells | float | None = rules.cap
            if self.varies:
                cap = block(self.table, f"cap_{side}")
            self.form.call(
                block(self.table, f"expected_{side}"),
                "ELO_EXPECTED",
                block(self.table, f"rating_{side}"),
                block(self.table, f"rating_{OTHER[side]}"),
                rules.model,
                cap,
                number_format=HUNDREDTHS,
                align="right",
            )

    def _totals(self) -> None:
        """Sums by player, of the games that count for him."""
        size = len(self.ratings)
        self.opponents: list[list[float]] = [[] for _ in range(size)]
        """ratings of a player's opponents"""
        self.score, self.expected = [0.0] * size, [0.0] * size
        self.chances: list[list[Any]] = [
            [row[0] for row in block(self.table, f"expected_{side}").values()] for side in SIDES
        ]
        for k in (0, 1):  # White's games before Black's, as the formulas add them
            for g, game in enumerate(self.games):
                score = self.scores[g][k]
                if score is None:
                    continue
                who = (game.first[1], game.second[1])[k] - 1
                self.opponents[who].append(self._ratings(g)[1 - k] or 0.0)
                self.score[who] += score
                chance = self.chances[k][g]
                self.expected[who] += chance if isinstance(chance, float) else 0.0

    def sums(self, key: str, no: str) -> str:
        """Formula text of a sum over the games that count for the player of a number."""
        parts = []
        for side, place in zip(SIDES, ("first_no", "second_no"), strict=True):
            who, score = self.table.range(place), self.table.range(f"score_{side}")
            if key == "score":
                parts.append(f"SUMIF({who},{no},{score})")
            elif key == "count":
                parts.append(f'COUNTIFS({who},{no},{score},">=0")')
            else:
                column = f"rating_{OTHER[side]}" if key == "met" else f"expected_{side}"
                source = self.table.range(column)
                parts.append(f'SUMIFS({source},{who},{no},{score},">=0")')
        return "+".join(parts)

    def changes(self, ks: Sequence[float | None]) -> list[float]:
        """The engine's changes of all players; NaN for the unrated."""
        rows = [(i, own) for i, (own, other) in enumerate(self.scores) if other is not None]
        counted = [(i, own) for i, own in rows if own is not None]
        nan = float("nan")
        found = rating_changes(
            [nan if r is None else r for r in self.ratings],
            [0.0 if k is None else k for k in ks],
            [self.games[i].first[1] - 1 for i, _ in counted],
            [self.games[i].second[1] - 1 for i, _ in counted],
            [own for _, own in counted],
            self.form.rules,
        )
        return [float(change) for change in found]

    def fill(self, ks: Cells) -> None:
        """K factors and changes of every game."""
        known: list[Any] = [row[0] for row in ks.values()]
        factors = ks.text(fixed=True)
        for i, game in enumerate(self.games):
            at = {key: self.table.cell(key, i) for key in self.table.columns}
            for k, (side, place, who) in enumerate(
                zip(SIDES, ("first_no", "second_no"), (game.first[1], game.second[1]), strict=True)
            ):
                score, expected = at[f"score_{side}"], at[f"expected_{side}"]
                counts = f'OR({score}="",{at[f"rating_{side}"]}="")'
                rated = self.scores[i][k] is not None and self._ratings(i)[k] is not None
                factor: Any = known[who - 1] if rated else ""
                text = f'=IF({counts},"",INDEX({factors},{at[place]}))'
                self.table.put(f"k_{side}", i, Formula(text, factor))
                surplus = f"({score}-{expected})"
                exact = self.form.rules.exact
                gained = f"ROUND(100*{surplus},0)/100" if exact else surplus
                value: Any = ""
                if rated:
                    gain = self.scores[i][k] - self.chances[k][i]
                    value = factor * (round(100 * gain) / 100 if exact else gain) + 0.0
                text = f'=IF({counts},"",{at[f"k_{side}"]}*{gained})'
                self.table.put(f"change_{side}", i, Formula(text, value))
        for side in SIDES:
            cells = block(self.table, f"expected_{side}")
            mark(cells, f'${self.table.column(f"score_{side}")}{self.table.first}=""', look="quiet")
        last = self.table.column("change_b")
        finish(
            self.sheet,
            freeze=self.table.cell("name_a", 0),
            titles=(1, self.header),
            area=f"A1:{last}{self.table.last}",
        )
        self.table.fit_header()


__all__ = ["EachGame", "Found"]
