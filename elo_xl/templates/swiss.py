"""``swiss``: an open tournament, its pairings typed round by round.

Sheets: the first one, *Players*, *Pairings* (numbers and results), *Standings*, *Ratings*, *Gains
and losses* with the chart, *Tie-breaks* (every round of every player), *Each game*, *Results* (the
signs) and *Steps*. The order is by points, Buchholz cut 1, Buchholz, Sonneborn–Berger; what
unplayed rounds count there stands in :mod:`elo_xl.templates.sheets.tie_breaks`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from elo_xl.templates.forms import Cells, Form, Options, block, finish, lines_above, mark
from elo_xl.templates.front import Setting, front
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
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR
from elo_xl.templates.samples import Entry, entries, outcome
from elo_xl.templates.sheets.each_game import EachGame
from elo_xl.templates.sheets.pairings import SIGNS, SPARE, Board, Pairings
from elo_xl.templates.sheets.period_ratings import PeriodRatings
from elo_xl.templates.sheets.players import YEAR, Counted, Players
from elo_xl.templates.sheets.rating_list import gains_and_losses
from elo_xl.templates.sheets.signs import Signs
from elo_xl.templates.sheets.swiss_steps import SwissSteps
from elo_xl.templates.texts import texts


@dataclass(frozen=True, slots=True)
class Swiss:
    """What is typed; lines by round and board, both from 0."""

    name: Any = None
    year: Any = None
    entries: tuple[Entry, ...] = ()
    boards: Mapping[tuple[int, int], Board] = field(default_factory=dict)


EMPTY: Final = Swiss()


def sample(options: Options) -> Swiss:
    """An invented open with a forfeit, byes and a player who leaves."""
    chance = random.Random(20263)
    players = entries(options.players)
    sign = {1.0: "1", 0.5: "½", 0.0: "0"}
    points = [0.0] * len(players)
    met: set[tuple[int, int]] = set()
    boards: dict[tuple[int, int], Board] = {}
    for r in range(options.rounds):
        out = [3] if len(players) > 9 and r == 2 else []
        out += [len(players) - 2] if len(players) > 9 and r > 3 else []
        free = sorted(
            (i for i in range(len(players)) if i not in out),
            key=lambda i: (-points[i], -(players[i].rating or 0), i),
        )
        b = 0
        while len(free) > 1:
            own = free.pop(0)
            other = next((o for o in free if (min(own, o), max(own, o)) not in met), free[0])
            free.remove(other)
            met.add((min(own, other), max(own, other)))
            white, black = (own, other) if (r + b) % 2 else (other, own)
            score = outcome(chance, players[white].rating, players[black].rating)
            points[white] += score
            points[black] += 1 - score
            typed = "+" if (r, b) == (1, 4) and score == 1 else sign[score]
            boards[r, b] = Board(white + 1, black + 1, typed)
            b += 1
        if free:
            points[free[0]] += 1
            boards[r, b] = Board(free[0] + 1, None, "bye")
            b += 1
        if 3 in out:
            points[3] += 0.5
            boards[r, b] = Board(4, None, "½")
    return Swiss(texts(options.language)("swiss.sample_event"), SAMPLE_YEAR, players, boards)


def build(form: Form, event: Swiss) -> None:
    """Write all sheets."""
    front(
        form,
        [
            Setting("Event", "event", event.name),
            Setting(YEAR, "year", event.year, WHOLE, 1950, 2200),
        ],
    )
    players = Players(form, event.entries, form.options.players, event.year)
    typed, listed, rated, gains, ties, each = map(
        form.tab, ("pairings", "standings", "ratings", "gains", "ties", "each")
    )
    signs = Signs(form, SIGNS)
    steps = form.tab("steps")
    counted = Counted(form, players, steps, lines_above(form, steps, "steps"))
    pairings = Pairings(form, players, signs, typed, event.boards)
    games = EachGame(form, counted, signs, each, pairings.found())
    ratings = PeriodRatings(form, counted, games, rated)
    games.fill(block(ratings.table, "k"))
    _standings(form, counted, SwissSteps(form, counted, pairings, ties), ratings, listed)
    gains_and_losses(form, ratings, gains)
    finish(steps, titles=(1, 2))
    for table in (counted.table, ratings.sums):
        table.fit_header()


def _standings(
    form: Form, counted: Counted, steps: SwissSteps, ratings: PeriodRatings, sheet: Sheet
) -> None:
    """Everybody in the order of the places, to print."""
    say, n = form.say, steps.n
    keys = counted.column("key").text(fixed=True)
    first = keys.partition("!")[2].partition(":")[0]
    for i in range(n):
        key: Any = block(steps.table, "key").at(i, 0).values()[0][0]
        counted.table.put("key", i, Formula(f"={steps.table.fixed('key', i)}", key))
        here = counted.table.cell("key", i)
        order = steps.order[i]
        text = f'=IF({here}="","",RANK({here},{keys})+COUNTIF({first}:{here},{here})-1)'
        counted.table.put("place", i, Formula(text, "" if order is None else order))
    header = lines_above(form, sheet, "standings", say("about_unplayed"))
    new = ratings.table.columns["new"][1].number_format
    shown: dict[str, tuple[Table, str, str, str]] = {
        "no": (ratings.table, WHOLE, "right", "quiet"),
        "name": (ratings.table, "General", "left", "strong"),
        "rating": (ratings.table, WHOLE, "right", "computed"),
        "points": (steps.table, TENTHS, "right", "strong"),
        "cut": (steps.table, TENTHS, "right", "computed"),
        "buchholz": (steps.table, TENTHS, "right", "computed"),
        "sb": (steps.table, HUNDREDTHS, "right", "computed"),
        "change": (ratings.table, SIGNED_HUNDREDTHS, "right", "computed"),
        "new": (ratings.table, new, "right", "computed"),
        "performance": (ratings.table, WHOLE, "right", "computed"),
    }
    columns = [
        Column("place", say("column_place"), WHOLE, role="quiet"),
        Column("rank", say("column_rank"), WHOLE, "center", "strong"),
    ]
    columns += [
        Column(key, say(f"column_{key}"), number_format, align, role)
        for key, (_, number_format, align, role) in shown.items()
    ]
    table = Table(sheet, columns, header, n)
    places, source = counted.column("place").text(fixed=True), counted.column("key")
    for i in range(n):
        who = steps.order.index(i + 1) if i + 1 in steps.order else None
        where = f"MATCH(${table.cell('place', i)},{places},0)"
        rank = f"RANK(INDEX({keys},{where}),{source.text(fixed=True)})"
        row: dict[str, Any] = {
            "place": i + 1,
            "rank": Formula(f'=IFERROR({rank},"")', "" if who is None else steps.rank[who] or 0),
        }
        for key, (origin, *_) in shown.items():
            value: Any = ""
            if who is not None:
                column = origin.columns[key][0]
                value = Cells(origin.sheet, origin.first + who, column).values()[0][0]
            row[key] = Formula(f'=IFERROR(INDEX({origin.range(key)},{where}),"")', value)
        table.write(i, row)
    rank_ = f"${table.column('rank')}{table.first}"
    mark(block(table, "rank", "name"), f"{rank_}=1", look="leader")
    finish(sheet, titles=(1, header), freeze=table.cell("rating", 0), stretch=4)
    table.fit_header()


__all__ = ["EMPTY", "SPARE", "Board", "Swiss", "build", "sample"]
