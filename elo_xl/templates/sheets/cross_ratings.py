"""Ratings of an event in which everybody meets everybody, from the matrices on *Steps*."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elo_xl.engine import period
from elo_xl.engine.rounding import round_half_away
from elo_xl.templates.forms import Cells, block, finish, lines_above
from elo_xl.templates.parts import (
    HUNDREDTHS,
    SIGNED_HUNDREDTHS,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Table,
)

if TYPE_CHECKING:
    from elo_xl.templates.round_robin import RoundRobinSheets


def ratings(book: RoundRobinSheets) -> Table:
    """The sheet *Ratings*."""
    form, say, n, rules = book.form, book.say, book.n, book.form.rules
    header = lines_above(form, book.ratings, "ratings", form.rules_title)
    new = WHOLE if rules.rounded else TENTHS
    columns = [
        Column("no", say("column_no"), WHOLE, role="quiet"),
        Column("name", say("column_name"), align="left", role="strong"),
        Column("rating", say("column_rating"), WHOLE),
        Column("games", say("column_rated_games"), WHOLE),
        Column("score", say("column_score"), TENTHS),
        Column("expected", say("column_expected"), HUNDREDTHS),
        Column("k", say("column_factor"), WHOLE),
        Column("change", say("column_change"), SIGNED_HUNDREDTHS),
        Column("new", say("column_new"), new, role="strong"),
        Column("performance", say("column_performance"), WHOLE if rules.exact else TENTHS),
        Column("why", say("column_why"), align="left", role="quiet"),
    ]
    table = Table(book.ratings, columns, header, n)
    scores = [book.row_of("scores", i) for i in range(n)]
    totals = [[s for s in row if s is not None] for row in book.event.scores]
    for i in range(n):
        row = table.first + i
        book.ratings.write(row, 1, i + 1, "quiet", WHOLE, "right")
        book.copy(book.ratings, row, 2, i, "name", "left", "strong")
        book.copy(book.ratings, row, 3, i, "rating", "right")
        here, name = book.across(scores[i], book.ratings), table.cell("name", i)
        present = book.event.present[i]
        table.put(
            "games",
            i,
            Formula(f'=IF({name}="","",COUNT({here}))', len(totals[i]) if present else ""),
        )
        table.put(
            "score",
            i,
            Formula(f'=IF({name}="","",SUM({here}))', sum(totals[i]) if present else ""),
        )
    counted = book.counted
    form.call(
        counted.column("rule_k"),
        "ELO_K",
        *map(counted.column, ("rating", "games", "age", "peak")),
        block(table, "games"),
        rules.name,
        number_format=WHOLE,
    )
    _changes(book, table, scores, totals)
    finish(book.ratings, freeze=table.cell("rating", 0), titles=(1, header))
    table.fit_header()
    return table


def _changes(
    book: RoundRobinSheets, table: Table, scores: list[Cells], totals: list[list[float]]
) -> None:
    """K, expected score, change, new rating and performance."""
    form, rules, event, counted = book.form, book.form.rules, book.event, book.counted
    ratings, first, second, score = event.arrays()
    chance: Any = book.at["expected"].values()
    ks: list[float | None] = []
    for i in range(book.n):
        cell = counted.table.cell("rule_k", i)
        rule_k = counted.column("rule_k").at(i, 0).values()[0][0]
        value = rule_k if isinstance(rule_k, float) else None
        k = counted.own_k(i, book.steps.reference(cell), value)
        ks.append(k.value if isinstance(k.value, float) else None)
        table.put("k", i, k)
        why = counted.reason(i, table.cell("k", i), book.steps.reference(cell), "")
        table.put("why", i, Formula(f"={why}", counted.reason_value(i, value)))
    known = [0.0 if k is None else k for k in ks]
    changes = period.rating_changes(ratings, known, first, second, score, rules).tolist()
    method = "fide" if rules.performance == "fide" else "linear"
    for i in range(book.n):
        at = {key: table.cell(key, i) for key in table.columns}
        rated = event.ratings[i] is not None
        mine = book.across(scores[i], book.ratings)
        chances = book.across(book.row_of("expected", i), book.ratings)
        expected = sum(
            float(chance[i][j]) for j, s in enumerate(event.scores[i]) if s is not None and rated
        )
        text = f'=IF({at["rating"]}="","",SUMIF({mine},">=0",{chances}))'
        table.put("expected", i, Formula(text, expected if rated else ""))
        surplus = f"({at['score']}-{at['expected']})"
        gained = f"ROUND(100*{surplus},0)/100" if rules.exact else surplus
        text = f'=IF({at["rating"]}="","",{at["k"]}*{gained})'
        table.put("change", i, Formula(text, changes[i] + 0.0 if rated else ""))
        first_ = _first(book, table, i, scores[i], totals[i])
        gain = f"ROUND({at['change']},0)" if rules.rounded else at["change"]
        text = f'=IF({at["rating"]}="",{first_.text},{at["rating"]}+{gain})'
        new: Any = first_.value
        if event.ratings[i] is not None:
            change = changes[i]
            if rules.rounded:
                change = round_half_away(change).item()
            new = event.ratings[i] + change
        table.put("new", i, Formula(text, new))
        where = Cells(book.ratings, table.first + i, table.columns["performance"][0])
        form.call(
            where,
            "ELO_PERFORMANCE",
            book.vectors["rating"],
            scores[i],
            method,
            number_format=table.columns["performance"][1].number_format,
            align="right",
        )


def _first(
    book: RoundRobinSheets, table: Table, i: int, scores: Cells, points: list[float]
) -> Formula:
    """The first rating of an unrated player where the rulebook publishes one."""
    rules, counted = book.form.rules, book.counted
    if rules.first.method == "root":
        return Formula('""', "")
    target = counted.column("first").at(i, 0)
    book.form.call(
        target, "ELO_INITIAL", book.vectors["rating"], scores, rules.name, number_format=WHOLE
    )
    value = target.values()[0][0]
    here = target.text(book.ratings)
    games, score = table.cell("games", i), table.cell("score", i)
    tests = [f'{here}=""', f"{games}<{rules.first.games}", f"{here}<{rules.first.floor}"]
    if not rules.first.zero_counts:
        tests.append(f"{score}=0")
    good = isinstance(value, float) and bool(
        period.publishable(value, len(points), sum(points), rules)
    )
    return Formula(f'IF(OR({",".join(tests)}),"",{here})', value if good else "")  # type: ignore[arg-type]
