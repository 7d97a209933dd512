"""The sheet *Ratings*: what the event did to every rated player."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from openpyxl.worksheet.datavalidation import DataValidation

from elo_xl.templates.parts import (
    HUNDREDTHS,
    NONE,
    SIGNED_HUNDREDTHS,
    SIGNED_TENTHS,
    TENTHS,
    WHOLE,
    Column,
    Formula,
    Sheet,
    Table,
    Value,
)
from elo_xl.templates.tables import dp_formula

if TYPE_CHECKING:
    from elo_xl.tournament.rate import RatedEvent, RatedPlayer

TOTALS = 2
"""Rows below the players'."""

STALE = "rate again"
"""What a cell shows whose figure no formula gives, when the games are no longer those it is of."""


def ratings_table(sheet: Sheet, event: RatedEvent, header: int) -> Table:
    """The columns of the sheet, without rows: other sheets' formulas need to know the place."""
    ratings = rating_format(event)
    new = ratings if event.rules.rounded else TENTHS
    titles = any(p.player.title for p in event.players)
    columns = [
        Column("no", "No.", WHOLE),
        *([Column("title", "Title", align="center")] if titles else []),
        Column("name", "Name", align="left", role="strong"),
        Column("federation", "Fed.", align="center"),
        Column("rating", "Rating", ratings, role="input"),
        Column("k", "K", role="input"),
        Column("games", "Games", WHOLE),
        Column("score", "Score", TENTHS),
        Column("expected", "Expected score", HUNDREDTHS),
        Column("change", "Rating change", change_format(event)),
        Column("new", "New rating", new, role="strong"),
        Column("performance", "Performance", WHOLE if event.rules.exact else TENTHS),
        Column("why", "Why this K", align="left", role="quiet"),
    ]
    return Table(sheet, columns, header, len(event.players))


def rating_format(event: RatedEvent) -> str:
    """Ratings are shown whole where all of them are."""
    ratings = [p.rating for p in event.tournament.players if p.rating is not None]
    return WHOLE if all(float(r).is_integer() for r in ratings) else TENTHS


def change_format(event: RatedEvent) -> str:
    """As many decimals as the changes can have: hundredths of a point times 10 are tenths."""
    tenths = event.rules.exact and all(p.k % 10 == 0 for p in event.players)
    return SIGNED_TENTHS if tenths else SIGNED_HUNDREDTHS


def fill_ratings(table: Table, games: Table, event: RatedEvent) -> None:
    """A row a player, the totals, and what may be typed."""
    met: dict[int, list[float]] = {}
    for game in event.games:
        met.setdefault(game.player, []).append(game.opponent_rating)
    for i, rated in enumerate(event.players):
        table.write(i, _row(table, games, event, i, rated, met.get(rated.player.number, [])))
    if event.players:
        _totals(table, event)
    for key, most in (("rating", 9999), ("k", 1000)):
        rule = DataValidation(
            type="decimal", operator="between", formula1="0", formula2=str(most), allow_blank=True
        )
        rule.error, rule.errorTitle = f"A number from 0 to {most}, please.", "Not a number"
        rule.add(f"{table.cell(key, 0)}:{table.column(key)}{table.last}")
        table.sheet.worksheet.add_data_validation(rule)


def of_player(games: Table, number: str) -> str:
    """The criteria that pick a player's games: those that have a score."""
    return f'{games.range("no")},{number},{games.range("score")},">=0"'


def _row(
    table: Table, games: Table, event: RatedEvent, i: int, rated: RatedPlayer, met: list[float]
) -> dict[str, Value]:
    player, rules = rated.player, event.rules
    mine = of_player(games, table.cell("no", i))
    at = {key: table.cell(key, i) for key in table.columns}
    surplus = f"({at['score']}-{at['expected']})"
    change = f"ROUND(100*{surplus},0)/100" if rules.exact else surplus
    gain = f"ROUND({at['change']},0)" if rules.rounded else at["change"]
    performance = _performance(rated, rules.performance, games, mine, at, met)
    return {
        "no": player.number,
        "title": player.title,
        "name": player.name,
        "federation": player.federation,
        "rating": player.rating,
        "k": rated.k,
        "games": Formula(f"=COUNTIFS({mine})", rated.games),
        "score": Formula(f"=SUMIFS({games.range('score')},{mine})", rated.score),
        "expected": Formula(f"=SUMIFS({games.range('expected')},{mine})", rated.expected),
        "change": Formula(f"={at['k']}*{change}", rated.change),
        "new": Formula(f"={at['rating']}+{gain}", rated.new),
        "performance": performance,
        "why": rated.k_reason,
    }


def _performance(
    rated: RatedPlayer, method: str, games: Table, mine: str, at: dict[str, str], met: list[float]
) -> Formula:
    value = NONE if rated.performance is None else rated.performance
    score, count = at["score"], at["games"]
    average = f"AVERAGEIFS({games.range('opponent_rating')},{mine})"
    if method == "fide":
        dp = dp_formula(f"100*{score}/{count}")
        return Formula(f'=IF({count}=0,"{NONE}",ROUND({average},0)+{dp})', value)
    if method == "linear":
        linear = f"{average}+400*(2*{score}-{count})/{count}"
        return Formula(f'=IF({count}=0,"{NONE}",{linear})', value)
    total = f"SUMIFS({games.range('opponent_rating')},{mine})"
    return constant(value, {count: rated.games, score: rated.score, total: math.fsum(met)})


def constant(value: float | str, where: dict[str, float]) -> Formula:
    """A figure found by iteration, which no built-in function does: shown while its games stand.

    >>> constant(1876.2, {"G6": 3}).text
    '=IF(AND(ABS(G6-3)<0.000001),1876.2,"rate again")'
    """
    tests = ",".join(f"ABS({cell}-{number:.15g})<0.000001" for cell, number in where.items())
    shown = f'"{value}"' if isinstance(value, str) else f"{value:.15g}"
    return Formula(f'=IF(AND({tests}),{shown},"{STALE}")', value)


def _totals(table: Table, event: RatedEvent) -> None:
    players = event.players
    fields = {
        "rating": [p.player.rating or 0.0 for p in players],
        "games": [float(p.games) for p in players],
        "score": [p.score for p in players],
        "expected": [p.expected for p in players],
        "change": [p.change for p in players],
        "new": [p.new for p in players],
    }

    def every(key: str) -> str:
        return f"{table.cell(key, 0)}:{table.column(key)}{table.last}"

    # rounded, for sums of tenths are not quite zero where they should be
    total: dict[str, Value] = {
        key: Formula(f"=ROUND(SUM({every(key)}),6)", round(math.fsum(fields[key]), 6))
        for key in ("games", "score", "expected", "change")
    }
    average: dict[str, Value] = {
        key: Formula(
            f"=ROUND(AVERAGE({every(key)}),6)", round(math.fsum(fields[key]) / len(players), 6)
        )
        for key in ("rating", "change", "new")
    }
    size = table.last - table.header
    table.write(size, {"name": "Total", **total}, "total")
    table.write(size + 1, {"name": "Average", **average}, "total")
