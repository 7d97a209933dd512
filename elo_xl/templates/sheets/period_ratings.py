"""The sheet *Ratings* of a list of games, and the sums that it is made of on *Steps*."""

from __future__ import annotations

import math
from typing import Any

from elo_xl.engine.performance import first_rating, performance
from elo_xl.engine.period import publishable
from elo_xl.engine.rounding import round_half_away
from elo_xl.templates.forms import Form, block, finish, lines_above
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
from elo_xl.templates.sheets.each_game import EachGame
from elo_xl.templates.sheets.players import Counted


class PeriodRatings:
    """New ratings of all players, each from his row of sums."""

    def __init__(self, form: Form, counted: Counted, games: EachGame, sheet: Sheet) -> None:
        self.form, self.counted, self.games, self.sheet = form, counted, games, sheet
        self.players, self.n = counted.players, counted.players.size
        say, rules = form.say, form.rules
        self.met_by = "fide" if rules.performance == "fide" else "linear"
        self.sums = Table(
            counted.table.sheet,
            [
                Column("no", say("column_no"), WHOLE, role="quiet"),
                Column("name", say("column_name"), align="left"),
                Column("met", say("column_met"), WHOLE),
                Column("part", say("column_part"), "0.0000"),
                Column("dp", say("column_dp"), WHOLE),
                Column("first_part", say("column_first_part"), "0.0000"),
                Column("first_dp", say("column_first_dp"), WHOLE),
            ],
            counted.table.last + 3,
            self.n,
        )
        header = lines_above(form, sheet, "ratings", form.rules_title)
        columns = [
            Column("no", say("column_no"), WHOLE, role="quiet"),
            Column("name", say("column_name"), align="left", role="strong", width=22.0),
            Column("rating", say("column_rating"), WHOLE),
            Column("games", say("column_rated_games"), WHOLE),
            Column("score", say("column_score"), TENTHS),
            Column("expected", say("column_expected"), HUNDREDTHS),
            Column("k", say("column_factor"), WHOLE),
            Column("change", say("column_change"), SIGNED_HUNDREDTHS),
            Column("new", say("column_new"), WHOLE if rules.rounded else TENTHS, role="strong"),
            Column("performance", say("column_performance"), WHOLE if rules.exact else TENTHS),
            Column("why", say("column_why"), align="left", role="quiet", width=34.0),
        ]
        self.table = Table(sheet, columns, header, self.n)
        self.count = list(map(len, games.opponents))
        self.score = games.score
        self.met = list(map(sum, games.opponents))
        self._totals()
        self._factors()
        self._table()
        finish(sheet, freeze=self.table.cell("rating", 0), titles=(1, header))
        self.table.fit_header()

    def _totals(self) -> None:
        """Games, score and expected score; on *Steps* what performances are made of."""
        form, rules, n = self.form, self.form.rules, self.n
        extra = rules.first.draws if rules.first.method == "hypothetical draws" else 0
        for i in range(n):
            present, rated = self.players.present(i), self.players.rating(i) is not None
            at = {key: self.table.cell(key, i) for key in self.table.columns}
            here = {key: self.sums.cell(key, i) for key in self.sums.columns}
            self.table.put("no", i, i + 1)
            self.sums.put("no", i, i + 1)
            for key in ("name", "rating"):
                value: Any = block(self.counted.table, key).at(i, 0).values()[0][0]
                copy = Formula(f"={self.counted.table.fixed(key, i)}", value)
                self.table.put(key, i, copy)
                if key == "name":
                    self.sums.put(key, i, copy)
            for key, source, known in (
                ("games", "count", self.count[i]),
                ("score", "score", self.score[i]),
            ):
                text = f'=IF({at["name"]}="","",{self.games.sums(source, at["no"])})'
                self.table.put(key, i, Formula(text, known if present else ""))
            text = f'=IF({at["rating"]}="","",{self.games.sums("expected", at["no"])})'
            expected = self.games.expected[i] if rated else ""
            self.table.put("expected", i, Formula(text, expected))
            games, score = (self.table.fixed(key, i) for key in ("games", "score"))
            some = bool(present and self.count[i])
            for key, text, known in (
                ("met", self.games.sums("met", here["no"]), self.met[i]),
                ("part", f"{score}/{games}", self.score[i] / max(self.count[i], 1)),
                (
                    "first_part",
                    f"({score}+{extra / 2:g})/({games}+{extra})",
                    (self.score[i] + extra / 2) / max(self.count[i] + extra, 1),
                ),
            ):
                shown = f'=IF(N({games})=0,"",{text})'
                self.sums.put(key, i, Formula(shown, known if some else ""))
        for source, target in (("part", "dp"), ("first_part", "first_dp")):
            part = block(self.sums, source)
            form.call(
                block(self.sums, target),
                "ELO_DIFF",
                part,
                "fide",
                number_format=WHOLE,
                align="right",
            )

    def _factors(self) -> None:
        rules, counted = self.form.rules, self.counted
        self.form.call(
            counted.column("rule_k"),
            "ELO_K",
            *map(counted.column, ("rating", "games", "age", "peak")),
            block(self.table, "games"),
            rules.name,
            number_format=WHOLE,
        )
        self.ks: list[float | None] = []
        for i in range(self.n):
            cell = self.counted.table.fixed("rule_k", i)
            rule_k = counted.column("rule_k").at(i, 0).values()[0][0]
            value = rule_k if isinstance(rule_k, float) else None
            k = counted.own_k(i, cell, value)
            self.ks.append(float(k.value) if isinstance(k.value, int | float) else None)
            self.table.put("k", i, k)
            why = counted.reason(i, self.table.cell("k", i), cell, "")
            self.table.put("why", i, Formula(f"={why}", counted.reason_value(i, value)))

    def _table(self) -> None:
        rules = self.form.rules
        self.change = self.games.changes(self.ks)
        self.new: list[float | None] = []
        for i in range(self.n):
            at = {key: self.table.cell(key, i) for key in self.table.columns}
            rating = self.players.rating(i)
            surplus = f"({at['score']}-{at['expected']})"
            gained = f"ROUND(100*{surplus},0)/100" if rules.exact else surplus
            text = f'=IF({at["rating"]}="","",{at["k"]}*{gained})'
            change = self.change[i]
            self.table.put("change", i, Formula(text, "" if rating is None else change + 0.0))
            text, first = self._first(i)
            gain = f"ROUND({at['change']},0)" if rules.rounded else at["change"]
            new = first
            if rating is not None:
                new = rating + (float(round_half_away(change)) if rules.rounded else change)
            self.new.append(new)
            text = f'=IF({at["rating"]}="",{text},{at["rating"]}+{gain})'
            self.table.put("new", i, Formula(text, "" if new is None else new))
            self._performance(i)

    def _performance(self, i: int) -> None:
        met, dp = self.sums.fixed("met", i), self.sums.fixed("dp", i)
        games, score = self.table.cell("games", i), self.table.cell("score", i)
        text = f"ROUND({met}/{games},0)+{dp}"
        if self.met_by == "linear":
            text = f"{met}/{games}+400*(2*{score}-{games})/{games}"
        value: Any = ""
        if self.count[i]:
            value = float(performance(self.games.opponents[i], self.score[i], self.met_by))
        shown = f'=IF(N({games})=0,"",{text})'
        self.table.put("performance", i, Formula(shown, value))

    def _first(self, i: int) -> tuple[str, float | None]:
        """The first rating of an unrated player where the rulebook publishes one."""
        rules, rule = self.form.rules, self.form.rules.first
        if rule.method == "root":
            return '""', None
        met, dp, first_dp = (self.sums.fixed(key, i) for key in ("met", "dp", "first_dp"))
        games, score = (self.table.fixed(key, i) for key in ("games", "score"))
        if rule.method == "half points":
            above = f"(2*{score}-{games})"
            gain = f"IF({above}>0,{rule.per_half_point:g}*{above},{dp})"
            text = f"ROUND({met}/{games}+{gain},0)"
        else:
            against = rule.draws * rule.draws_against
            text = f"ROUND(({met}+{against})/({games}+{rule.draws})+{first_dp},0)"
        if rule.most is not None:
            text = f"MIN({rule.most},{text})"
        value: Any = ""
        if self.count[i]:
            value = float(first_rating(self.games.opponents[i], self.score[i], rules))
        unrated = self.players.present(i) and self.players.rating(i) is None
        here = self.counted.table.fixed("first", i)
        name, rating = (self.counted.table.fixed(key, i) for key in ("name", "rating"))
        shown = f'=IF(OR({name}="",{rating}<>"",N({games})=0),"",{text})'
        self.counted.table.put("first", i, Formula(shown, value if unrated else ""))
        tests = [f'{here}=""', f"N({games})<{rule.games}", f"N({here})<{rule.floor}"]
        if not rule.zero_counts:
            tests.append(f"N({score})=0")
        good = (
            unrated
            and isinstance(value, float)
            and math.isfinite(value)
            and bool(publishable(value, self.count[i], self.score[i], rules))
        )
        return f'IF(OR({",".join(tests)}),"",{here})', value if good else None
