"""``k-and-first-rating``: K factors with their reasons, and a first rating under every edition.

Sheets: the first one, *Players*, *K* (K, reason, class and title of everybody), *First rating* (the
games of one unrated player, and each step under each edition of FIDE's rules), *Results* and
*Steps*.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from elo_xl.engine.performance import first_rating_steps
from elo_xl.engine.period import publishable
from elo_xl.engine.rulebooks import EDITIONS, Rulebook
from elo_xl.templates.forms import (
    TEXT,
    Cells,
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
    SIGNED_TENTHS,
    SIGNED_WHOLE,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Table,
)
from elo_xl.templates.samples import PLAYERS, Entry
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR
from elo_xl.templates.sheets.players import HIGHEST, YEAR, Counted, Players, blank, number
from elo_xl.templates.sheets.signs import Signs

DATE: Final = "yyyy\\-mm\\-dd"
TITLES: Final = ((2300, "FM"), (2200, "CM"))
TITLE_GAMES: Final = 30


@dataclass(frozen=True, slots=True)
class Game:
    """A game of the unrated player, as typed."""

    opponent: Any = None
    rating: Any = None
    result: Any = None


@dataclass(frozen=True, slots=True)
class Content:
    """What is typed."""

    year: Any = None
    entries: Sequence[Entry] = ()
    newcomer: Any = None
    games: Sequence[Game] = ()


EMPTY: Final = Content()


def sample(options: Options) -> Content:
    """An invented club and the first nine games of one of its players."""
    signs = ("0", "½", "1", "½", "1", "+", "1", "1", "0")
    met = [p for p in PLAYERS[4:] if p.rating is not None]
    games = [Game(p.name, p.rating, sign) for p, sign in zip(met, signs, strict=False)]
    return Content(SAMPLE_YEAR, PLAYERS[: options.players], "Sato, Hana", games[: options.rounds])


def build(form: Form, content: Content) -> None:
    """Write all sheets."""
    front(form, [Setting(YEAR, "year", content.year, WHOLE, 1950, 2200)])
    players = Players(form, content.entries, form.options.players, content.year)
    factors, first = form.tab("k"), form.tab("first")
    signs = Signs(form)
    steps = form.tab("steps")
    header = lines_above(form, steps, "steps")
    counted = Counted(form, players, steps, header, match=True)
    _factors(form, players, counted, factors)
    _First(form, content, signs, first).fill()
    finish(steps, titles=(1, header))
    counted.table.fit_header()


def _factors(form: Form, players: Players, counted: Counted, sheet: Any) -> None:
    """The sheet with everybody's K."""
    say = form.say
    header = lines_above(form, sheet, "k", form.rules_title)
    columns = (
        Column("no", say("column_no"), WHOLE, role="quiet"),
        Column("name", say("column_name"), align="left", role="strong", width=24.0),
        Column("rating", say("column_rating"), WHOLE),
        Column("k", say("column_factor"), WHOLE, role="strong"),
        Column("why", say("column_why"), align="left", role="quiet", width=34.0),
        Column("class", say("column_class"), align="left", width=26.0),
        Column("title", say("column_title"), align="center"),
    )
    table = Table(sheet, columns, header, players.size)
    form.call(
        counted.column("rule_k"),
        "ELO_K",
        *map(counted.column, ("rating", "games", "age", "peak")),
        None,
        form.rules.name,
        number_format=WHOLE,
    )
    for i in range(players.size):
        place = {
            key: counted.table.sheet.reference(counted.table.cell(key, i))
            for key in counted.table.columns
        }
        value: Any = counted.column("rule_k").at(i, 0).values()[0][0]
        known = value if isinstance(value, float) else None
        row: dict[str, Any] = {"no": i + 1}
        for key in ("name", "rating"):
            shown: Any = counted.column(key).at(i, 0).values()[0][0]
            row[key] = Formula(f"={place[key]}", shown)
        row["k"] = counted.own_k(i, place["rule_k"], known)
        why = counted.reason(i, table.cell("k", i), place["rule_k"], "")
        row["why"] = Formula(f"={why}", counted.reason_value(i, known))
        row["title"] = _title(players, i, place)
        table.write(i, row)
    form.call(
        block(table, "class"),
        "ELO_CLASS",
        block(table, "rating"),
        form.options.language,
        align="left",
    )
    finish(sheet, freeze=table.cell("rating", 0), titles=(1, header))
    table.fit_header()


def _title(players: Players, i: int, at: dict[str, str]) -> Formula:
    """The title that FIDE gives for the rating alone."""
    top = f"MAX({at['rating']},{at['peak']})"
    text = '""'
    for level, title in reversed(TITLES):
        text = f'IF({top}>={level},"{title}",{text})'
    few = f'IF({at["games"]}="",FALSE,{at["games"]}<{TITLE_GAMES})'
    rating, games = players.rating(i), players.counted(i, "games")
    value = ""
    if rating is not None and not (games is not None and games < TITLE_GAMES):
        highest = max(rating, players.counted(i, "peak") or 0)
        value = next((title for level, title in TITLES if highest >= level), "")
    return Formula(f'=IF({at["rating"]}="","",IF({few},"",{text}))', value)


class _First:
    """The sheet of the unrated player: games above, editions below."""

    def __init__(self, form: Form, content: Content, signs: Signs, sheet: Any) -> None:
        self.form, self.say, self.signs, self.sheet = form, form.say, signs, sheet
        n = self.n = form.options.rounds
        self.content = content
        self.games = [*content.games, *[Game()] * n][:n]
        self.ratings = [self._rating(game.rating) for game in self.games]
        self.place = [signs.find(game.result) for game in self.games]
        self.scores: list[float | None] = []
        for rating, place in zip(self.ratings, self.place, strict=True):
            sign = signs.signs[place - 1] if place else None
            rated = rating is not None and sign is not None and sign.rated
            self.scores.append(sign.points if rated and sign is not None else None)

    @staticmethod
    def _rating(typed: Any) -> float | None:
        value = number(typed)
        return value if value is not None and 0 < value < HIGHEST else None

    def fill(self) -> None:
        say, sheet = self.say, self.sheet
        row = lines_above(self.form, sheet, "first", say("bigger_games", games=self.n))
        sheet.write(row, 2, say("column_newcomer"), "label", align="left")
        sheet.write(row, 3, self.content.newcomer, "input", TEXT, "left", measure=False)
        validate(self.form, Cells(sheet, row, 3), "newcomer")
        self._games(row + 2)
        self._editions(self.table.last + 2)
        finish(sheet, upright=False, down=1)
        self.editions.fit_header()

    def _games(self, header: int) -> None:
        say, sheet = self.say, self.sheet
        columns = (
            Column("no", say("column_no"), WHOLE, "center", "quiet", 13.0),
            Column("result", say("column_result"), TEXT, "center", "input", 11.0),
            Column("opponent", say("column_opponent"), TEXT, "left", "input", 34.0),
            Column("rating", say("column_rating"), WHOLE, "right", "input", 8.0),
            Column("used", say("column_used"), WHOLE, width=10.0),
            Column("score", say("column_score"), TENTHS, width=10.0),
            Column("check", say("column_check"), align="left", width=12.0),
        )
        table = self.table = Table(sheet, columns, header, self.n)
        for i, game in enumerate(self.games):
            at = {key: table.cell(key, i) for key in table.columns}
            found = self.signs.place(at["result"])
            rating, place, score = self.ratings[i], self.place[i], self.scores[i]
            inside = f'IF(AND({at["rating"]}>0,{at["rating"]}<{HIGHEST}),{at["rating"]},"")'
            used = Formula(
                f'=IF(ISNUMBER({at["rating"]}),{inside},"")', "" if rating is None else rating
            )
            counts = f'IF(INDEX(Result_rated,{found})=1,INDEX(Result_points,{found}),"")'
            text = f'=IF({at["used"]}="","",IF({found}=0,"",{counts}))'
            key = self._problem(game, rating, place)
            check = (
                f'=IF(AND({at["rating"]}<>"",{at["used"]}=""),{quoted(say("check_rating"))},'
                f'IF(AND({at["result"]}<>"",{found}=0),{quoted(say("check_result"))},'
                f'IF(AND({at["result"]}="",{at["used"]}<>""),{quoted(say("check_missing"))},'
                f'IF(AND({at["result"]}<>"",{at["used"]}=""),{quoted(say("check_opponent"))},""))))'
            )
            table.write(
                i,
                {
                    "no": i + 1,
                    "opponent": game.opponent,
                    "rating": game.rating,
                    "result": game.result,
                    "used": used,
                    "score": Formula(text, "" if score is None else score),
                },
            )
            table.put("check", i, Formula(check, say(key) if key else ""), "attention")
        last = str(HIGHEST - 1)
        validate(
            self.form, block(table, "rating"), "rating", kind="decimal", first="0", second=last
        )
        validate(self.form, block(table, "result"), "result", kind="list", first="Result_signs")
        mark(block(table, "result", "rating"), f'${table.column("check")}{table.first}<>""')

    @staticmethod
    def _problem(game: Game, rating: float | None, place: int) -> str:
        if not blank(game.rating) and rating is None:
            return "check_rating"
        if not blank(game.result) and not place:
            return "check_result"
        if blank(game.result) and rating is not None:
            return "check_missing"
        return "check_opponent" if not blank(game.result) and rating is None else ""

    def _editions(self, header: int) -> None:
        say, sheet = self.say, self.sheet
        columns = (
            Column("name", say("column_edition"), align="left", role="strong"),
            Column("since", say("column_since"), DATE, "center"),
            Column("rule", say("column_rule"), align="left", role="quiet"),
            Column("games", say("column_rated_games"), WHOLE),
            Column("points", say("column_points"), TENTHS),
            Column("average", say("column_average"), TENTHS),
            Column("part", say("column_part"), HUNDREDTHS),
            Column("half", say("column_half"), SIGNED_WHOLE),
            Column("dp", say("column_dp"), SIGNED_WHOLE),
            Column("added", say("column_added"), SIGNED_TENTHS),
            Column("computed", say("column_computed"), WHOLE),
            Column("first", say("column_first"), WHOLE, role="strong"),
            Column("why", say("column_reason"), align="left", role="quiet", width=30.0),
        )
        table = self.editions = Table(sheet, columns, header, len(EDITIONS))
        met = [r for r, s in zip(self.ratings, self.scores, strict=True) if r and s is not None]
        self.met, self.total = met, sum(s for s in self.scores if s is not None)
        for i, book in enumerate(EDITIONS):
            self._steps(table, i, book)
        self.form.call(
            block(table, "dp"),
            "ELO_DIFF",
            block(table, "part"),
            "fide",
            number_format=SIGNED_WHOLE,
            align="right",
        )
        opponents, scores = block(self.table, "used"), block(self.table, "score")
        for i, book in enumerate(EDITIONS):
            self.form.call(
                block(table, "computed").at(i, 0),
                "ELO_INITIAL",
                opponents,
                scores,
                book.name,
                number_format=WHOLE,
                align="right",
            )
            self._outcome(table, i, book)

    def _steps(self, table: Table, i: int, book: Rulebook) -> None:
        """The steps under one edition, up to the percentage."""
        rule, say = book.first, self.say
        at = {key: table.cell(key, i) for key in table.columns}
        used, scores = (
            block(self.table, key).text(self.sheet, fixed=True) for key in ("used", "score")
        )
        n = len(self.met)
        draws = rule.draws if rule.method == "hypothetical draws" else 0
        steps = first_rating_steps(self.met, self.total, book)
        average, percent = float(steps.average), float(steps.percent)
        text = say("rule_draws", draws=rule.draws, against=rule.draws_against)
        if not draws:
            text = say("rule_half", points=f"{rule.per_half_point:g}".replace(".", say("decimal")))
        total = f'SUMIF({scores},">=0",{used})'
        more = f"+{draws * rule.draws_against}" if draws else ""
        plus = f"+{draws}" if draws else ""
        points = f"{at['points']}+{draws / 2:g}" if draws else at["points"]
        over = f"2*{at['points']}-{at['games']}"
        half: Any = None
        if not draws:
            half = Formula(f'=IF({at["games"]}=0,"",{over})', 2 * self.total - n if n else "")
        row: dict[str, Any] = {
            "name": book.name,
            "since": book.since,
            "rule": text,
            "games": Formula(f"=COUNT({scores})", n),
            "points": Formula(f"=SUM({scores})", self.total),
            "average": Formula(
                f'=IF({at["games"]}=0,"",({total}{more})/({at["games"]}{plus}))',
                "" if math.isnan(average) else average,
            ),
            "part": Formula(
                f'=IF({at["games"]}=0,"",({points})/({at["games"]}{plus}))',
                "" if math.isnan(percent) else (self.total + draws / 2) / (n + draws),
            ),
            "half": half,
        }
        for key, value in row.items():
            place, column = table.columns[key]
            self.sheet.write(
                table.first + i, place, value, column.role, column.number_format, column.align
            )

    def _outcome(self, table: Table, i: int, book: Rulebook) -> None:
        """What is added to the average, and whether the result is published."""
        rule, say = book.first, self.say
        at = {key: table.cell(key, i) for key in table.columns}
        n = len(self.met)
        dp: Any = block(table, "dp").at(i, 0).values()[0][0]
        computed: Any = block(table, "computed").at(i, 0).values()[0][0]
        over = 2 * self.total - n
        if rule.method == "half points":
            text = f"IF({at['half']}>0,{rule.per_half_point:g}*{at['half']},{at['dp']})"
            added = rule.per_half_point * over if over > 0 else dp
        else:
            text, added = at["dp"], dp
        few = say("why_few", games=rule.games)
        low = say("why_low", floor=rule.floor)
        good = say("why_good")
        zero, none = say("why_zero"), say("why_none")
        tests = f"IF({at['computed']}<{rule.floor},{quoted(low)},{quoted(good)})"
        if not rule.zero_counts:
            tests = f"IF({at['points']}=0,{quoted(zero)},{tests})"
        tests = f"IF({at['games']}<{rule.games},{quoted(few)},{tests})"
        tests = f"IF({at['games']}=0,{quoted(none)},{tests})"
        published = n > 0 and bool(publishable(computed, n, self.total, book))
        if not n:
            why = none
        elif n < rule.games:
            why = few
        elif self.total == 0 and not rule.zero_counts:
            why = zero
        else:
            why = good if published else low
        row = {
            "added": Formula(f'=IF({at["games"]}=0,"",{text})', added if n else ""),
            "first": Formula(
                f'=IF({at["why"]}={quoted(good)},{at["computed"]},"")',
                computed if published else "",
            ),
            "why": Formula(f"={tests}", why),
        }
        for key, value in row.items():
            place, column = table.columns[key]
            self.sheet.write(
                table.first + i, place, value, column.role, column.number_format, column.align
            )
