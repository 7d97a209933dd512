"""``match-odds``: two players, a number of games: the probability of every score.

Sheets: the first one, *Odds* (what is typed, the odds and the chart) and *Steps*: the distribution
of the points after each game, made from the one before by win, draw and loss. It is the exact
convolution of ``ELO_MATCH``, which no built-in function gives with a draw margin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from elo_xl.engine.outcomes import match_distribution
from elo_xl.templates.charts import Bars, bar_chart
from elo_xl.templates.forms import (
    TEXT,
    Cells,
    Form,
    Options,
    finish,
    lines_above,
    mark,
    quoted,
    validate,
)
from elo_xl.templates.front import front
from elo_xl.templates.parts import GAIN, HUNDREDTHS, TENTHS, WHOLE, Column, Formula, Table
from elo_xl.templates.sheets.players import HIGHEST, number

PERCENT: Final = "0.0%"
WIDEST_MARGIN: Final = 1000


@dataclass(frozen=True, slots=True)
class MatchOdds:
    """What is typed."""

    names: tuple[Any, Any] = (None, None)
    ratings: tuple[Any, Any] = (None, None)
    games: Any = None
    margin: Any = None


EMPTY: Final = MatchOdds()


def sample(options: Options) -> MatchOdds:
    """A match of two invented players."""
    return MatchOdds(("Moreau, Élise", "Lindqvist, Arvid"), (2214, 2187), options.rounds, 60)


def build(form: Form, match: MatchOdds) -> None:
    """Write all sheets."""
    front(form)
    _Sheets(form, match).fill()


class _Sheets:
    def __init__(self, form: Form, match: MatchOdds) -> None:
        self.form, self.say, self.match = form, form.say, match
        self.most = form.options.rounds
        self.odds, self.steps = form.tab("odds"), form.tab("steps")
        self.model = "logistic" if form.rules.model == "logistic" else "normal"
        self.ratings = [self._within(r, 0.001, HIGHEST - 1) for r in match.ratings]
        games = self._within(match.games, 1, self.most)
        self.games = int(games) if games is not None and games.is_integer() else None
        self.margin = self._within(match.margin, 0, WIDEST_MARGIN)
        self.known = None not in self.ratings and self.games is not None

    @staticmethod
    def _within(typed: Any, low: float, high: float) -> float | None:
        value = number(typed)
        return value if value is not None and low <= value <= high else None

    def fill(self) -> None:
        self._inputs()
        self._used()
        self._distribution()
        self._summary()
        self._table()
        finish(self.odds, down=1)
        self.table.fit_header()
        finish(self.steps, titles=(1, 2))

    def _inputs(self) -> None:
        """What is typed, with a check beside each line."""
        say, match = self.say, self.match
        model = say(f"model_{self.model}")
        row = lines_above(self.form, self.odds, "odds", model)
        for column, key in enumerate((None, "first", "second", "check"), start=1):
            heading = None if key is None else say(f"column_{key}")
            align = "left" if column in (1, 4) else "center"
            self.odds.write(row, column, heading, "heading", align=align)
        for column, width in ((1, 30.0), (2, 16.0), (3, 16.0), (4, 34.0)):
            self.odds.widths[column] = width
        lines: list[tuple[str, tuple[Any, ...], str]] = [
            ("name", match.names, TEXT),
            ("rating", match.ratings, WHOLE),
            ("games", (match.games,), WHOLE),
            ("margin", (match.margin,), WHOLE),
        ]
        self.at: dict[str, Cells] = {}
        for i, (key, typed, number_format) in enumerate(lines, start=1):
            self.odds.write(row + i, 1, say(f"column_{key}"), "label", align="left", measure=False)
            for j, value in enumerate(typed):
                self.odds.write(
                    row + i, 2 + j, value, "input", number_format, "center", measure=False
                )
            self.at[key] = cells = Cells(self.odds, row + i, 2, 1, len(typed))
            self._input(key, cells)
        self.top = row + len(lines) + 2

    def _input(self, key: str, cells: Cells) -> None:
        say = self.say
        value, text = "", '""'
        refs = [cells.at(0, j).text(self.odds) for j in range(cells.columns)]
        typed = cells.values()[0]
        if key == "name":
            validate(self.form, cells, "name")
        elif key == "rating":
            validate(self.form, cells, key, kind="decimal", first="0", second=str(HIGHEST - 1))
            good = [
                f"IF(ISNUMBER({ref}),AND({ref}>=0.001,{ref}<={HIGHEST - 1}),FALSE)" for ref in refs
            ]
            wrong = f'IF(AND({",".join(good)}),"",{quoted(say("check_rating"))})'
            text = f'IF(COUNTA({cells.text(self.odds)})=0,"",{wrong})'
            empty = all(t in (None, "") for t in typed)
            value = "" if empty or None not in self.ratings else say("check_rating")
        elif key == "games":
            validate(self.form, cells, key, kind="whole", first="1", second=str(self.most))
            message = say("check_games", games=self.most)
            ref = refs[0]
            good_ = (
                f'IF(ISNUMBER({ref}),AND({ref}>=1,{ref}<={self.most},INT({ref})={ref}),{ref}="")'
            )
            text = f'IF({good_},"",{quoted(message)})'
            value = "" if typed[0] in (None, "") or self.games is not None else message
        else:
            validate(self.form, cells, key, kind="decimal", first="0", second=str(WIDEST_MARGIN))
            ref = refs[0]
            good_ = f'IF(ISNUMBER({ref}),AND({ref}>=0,{ref}<={WIDEST_MARGIN}),{ref}="")'
            text = f'IF({good_},"",{quoted(say("check_margin"))})'
            value = "" if typed[0] in (None, "") or self.margin is not None else say("check_margin")
        self.odds.write(
            cells.row, 4, Formula(f"={text}", value), "attention", align="left", measure=False
        )
        mark(cells, f'$D${cells.row}<>""')

    def _used(self) -> None:
        """What counts of it, and the outcomes of one game."""
        say, steps = self.say, self.steps
        row = lines_above(self.form, steps, "steps")
        heads = ("rating_a", "rating_b", "games", "margin", "win", "draw", "loss")
        for column, key in enumerate(heads, start=1):
            steps.write(row, column, say(f"column_{key}"), "heading", align="right")
        row += 1
        refs = [self.at["rating"].at(0, j).text(steps) for j in (0, 1)]
        refs += [self.at[key].text(steps) for key in ("games", "margin")]
        tests = [
            *(f"AND({ref}>=0.001,{ref}<={HIGHEST - 1})" for ref in refs[:2]),
            f"AND({refs[2]}>=1,{refs[2]}<={self.most},INT({refs[2]})={refs[2]})",
            f"AND({refs[3]}>=0,{refs[3]}<={WIDEST_MARGIN})",
        ]
        values = [*self.ratings, self.games, self.margin]
        for column, (ref, test, value) in enumerate(zip(refs, tests, values, strict=True), start=1):
            text = f'=IF(ISNUMBER({ref}),IF({test},{ref},""),"")'
            steps.write(row, column, Formula(text, "" if value is None else value))
        self.used = Cells(steps, row, 1, 1, 4)
        self.outcomes = Cells(steps, row, 5, 1, 3)
        self.form.call(
            self.outcomes,
            "ELO_OUTCOMES",
            *(self.used.at(0, j) for j in (0, 1, 3)),
            self.model,
            number_format="0.0000",
        )
        known = self.outcomes.values()[0]
        one = [float(v) if isinstance(v, float) else 0.0 for v in known]
        self.one_game = np.array(one)

    def _distribution(self) -> None:
        """A row for each game: the probability of every number of half points."""
        steps, n = self.steps, self.most
        row = self.used.row + 2
        steps.write(row, 1, self.say("column_after"), "heading", align="right")
        for h in range(2 * n + 1):
            steps.write(row, 2 + h, h / 2, "heading", TENTHS, "right")
        self.first = row + 1
        win, draw, loss = (f"N({self.outcomes.at(0, j).text(steps, fixed=True)})" for j in range(3))
        live = bool(self.one_game.any())
        for g in range(n + 1):
            at = self.first + g
            steps.write(at, 1, g, "label", WHOLE, "right")
            values = match_distribution(self.one_game, g) if live else np.zeros(2 * g + 1)
            if not live and g == 0:
                values = np.ones(1)
            for h in range(2 * g + 1):
                if g == 0:
                    steps.write(at, 2, 1, "computed", "0.0000")
                    continue
                terms = [
                    f"{Cells(steps, at - 1, 2 + h - back).text(steps)}*{chance}"
                    for back, chance in enumerate((loss, draw, win))
                    if 0 <= h - back <= 2 * (g - 1)
                ]
                text = "=" + "+".join(terms)
                steps.write(at, 2 + h, Formula(text, float(values[h])), "computed", "0.0000")
        self.final = (
            match_distribution(self.one_game, self.games) if self.known and self.games else None
        )

    def _row(self) -> str:
        """Formula text of the row of the distribution after all games."""
        whole = Cells(self.steps, self.first, 2, self.most + 1, 2 * self.most + 1)
        games = self.used.at(0, 2).text(self.odds, fixed=True)
        return f"INDEX({whole.text(self.odds, fixed=True)},{games}+1,0)"

    def _summary(self) -> None:
        """One game and the whole match, for both players."""
        say, odds = self.say, self.odds
        ready = f'OR({self.used.at(0, 0).text(odds)}="",{self.used.at(0, 1).text(odds)}="")'
        games = self.used.at(0, 2).text(odds)
        row = self.top
        for column, key in enumerate((None, "first", "second", "odds_note"), start=1):
            align = "left" if column in (1, 4) else "center"
            title: Any = None if key is None else say(f"column_{key}")
            if column in (2, 3):
                name = self.at["name"].at(0, column - 2)
                typed = name.values()[0][0]
                shown = title if typed in (None, "") else str(typed)
                cell = name.text(odds)
                title = Formula(f'=IF({cell}="",{quoted(title)},{cell})', shown)
            odds.write(row, column, title, "heading", align=align, measure=False)
        one = self.one_game.tolist() if None not in self.ratings else None
        cells = [self.outcomes.at(0, j).text(odds) for j in range(3)]
        row += 1
        self._line(row, "game_win", ready, (cells[0], cells[2]), one and (one[0], one[2]))
        self._line(row + 1, "game_draw", ready, (cells[1], cells[1]), one and (one[1], one[1]))
        ready = f'OR({ready},{games}="")'
        where = self._row()
        heads = Cells(self.steps, self.first - 1, 2, 1, 2 * self.most + 1).text(odds, fixed=True)
        final = self.final
        n = self.games or 0
        scores = np.arange(2 * n + 1) / 2
        more = final is not None and float(final[scores > n / 2].sum())
        less = final is not None and float(final[scores < n / 2].sum())
        tie = final is not None and float(final[n])
        wins = [f"SUMPRODUCT(({heads}{sign}{games}/2)*{where})" for sign in (">", "<", "=")]
        known = None if final is None else (more, less)
        self._line(row + 2, "match_win", ready, (wins[0], wins[1]), known)
        self._line(
            row + 3, "match_tie", ready, (wins[2], wins[2]), None if final is None else (tie, tie)
        )
        mean = f"SUMPRODUCT({heads}*{where})"
        expected = 0.0 if final is None else float((scores * final).sum())
        self._line(
            row + 4,
            "match_points",
            ready,
            (mean, f"{games}-{mean}"),
            None if final is None else (expected, n - expected),
            HUNDREDTHS,
        )
        win = [Cells(odds, row + 2, c).text(odds) for c in (2, 3)]
        fair = None if final is None else tuple(1 / p if p > 0 else "" for p in (more, less))
        texts = tuple(f'IF({w}>0,1/{w},"")' for w in win)
        self._line(row + 5, "match_odds", ready, texts, fair, HUNDREDTHS)
        self.ready, self.table_top = ready, row + 8

    def _line(
        self,
        row: int,
        key: str,
        missing: str,
        texts: tuple[Any, ...],
        values: Any,
        number_format: str = PERCENT,
    ) -> None:
        self.odds.write(row, 1, self.say(f"line_{key}"), "label", align="left", measure=False)
        for j, text in enumerate(texts):
            value = "" if not values else values[j]
            shown = Formula(f'=IF({missing},"",{text})', value)
            self.odds.write(row, 2 + j, shown, "computed", number_format, "center", measure=False)
        note = self.say(f"note_{key}")
        self.odds.write(row, 4, note, "quiet", align="left", measure=False)

    def _table(self) -> None:
        """Every score of the match, and the chart of it."""
        say, odds, most = self.say, self.odds, self.most
        columns = (
            Column("score", say("column_match_score"), TEXT, "center", "strong"),
            Column("exactly", say("column_exactly"), PERCENT, "center"),
            Column("least", say("column_least"), PERCENT, "center"),
        )
        table = self.table = Table(odds, columns, self.table_top, 2 * most + 1)
        games = self.used.at(0, 2).text(odds, fixed=True)
        where = self._row()
        n = self.games or 0
        names, chances = [], []
        last = f"INDEX({where},{2 * most + 1})"
        for h in range(2 * most + 1):
            exists = f"IF({self.ready},FALSE,{h}<=2*{games})"
            here = self.final is not None and h <= 2 * n
            exact = float(self.final[h]) if here and self.final is not None else ""
            least = float(self.final[h:].sum()) if here and self.final is not None else ""
            score = f"{_score(h)} : {_score(2 * n - h)}" if here else ""
            left = quoted(_score(h))
            rest = f"(2*{games}-{h})"
            right = f'IF({rest}=1,"½",INT({rest}/2)&IF(MOD({rest},2)=1,"½",""))'
            table.write(
                h,
                {
                    "score": Formula(f'=IF({exists},{left}&" : "&{right},"")', score),
                    "exactly": Formula(f'=IF({exists},INDEX({where},{h + 1}),"")', exact),
                    "least": Formula(
                        f'=IF({exists},SUM(INDEX({where},{h + 1}):{last}),"")',
                        least,
                    ),
                },
            )
            names.append(score)
            chances.append(0.0 if exact == "" else float(exact))
        chart = bar_chart(
            say("chart"),
            (table.range("score"), names),
            (Bars(say("column_exactly"), table.range("exactly"), chances, GAIN),),
            "0.0%;;",
        )
        chart.width = 15.0  # type: ignore[assignment]
        chart.height = 2.0 + 0.53 * len(names)
        self.form.chart(odds, chart, f"D{self.table_top}", say("chart_text"))


def _score(half_points: int) -> str:
    """Points as people write them.

    >>> _score(1), _score(4), _score(5)
    ('½', '2', '2½')
    """
    whole, half = divmod(half_points, 2)
    return ("½" if half else "0") if not whole else f"{whole}{'½' if half else ''}"
