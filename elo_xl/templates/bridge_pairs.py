"""``bridge-pairs``: a bridge club's players, rated result by result as Mark Ioffe does it.

Sheets: the first one with all parameters, *Players*, *Pairs*, *Results* (typed as they come),
*Ratings*, *Chart* (the ways of six players), *Gains and losses*, *Each result* (expected result and
four ratings before and after it), *History* (everybody's rating after each result) and *Steps*.

Each result reads the ratings that stand in the history's row above its own, so that whatever is
corrected moves everything after it. All players have one and the same deviation, which stays as it
is: that is Ioffe's scheme, and there partners share every change half and half.
"""

from __future__ import annotations

from typing import Final

from elo_xl.templates.forms import Cells, Form, finish, lines_above, mark
from elo_xl.templates.parts import WHOLE, Column
from elo_xl.templates.sheets.bridge_content import EMPTY, BridgePairs, sample, tables
from elo_xl.templates.sheets.bridge_players import BridgePlayers, Pairs
from elo_xl.templates.sheets.bridge_ratings import ChartSheet, Sums, ratings_sheet
from elo_xl.templates.sheets.bridge_results import EachResult, TypedResults
from elo_xl.templates.sheets.bridge_settings import Parameters
from elo_xl.templates.sheets.rating_list import gains_and_losses
from elo_xl.templates.sheets.running import Running

NAME_WIDTH: Final = 8.5
"""of a player's column in the history"""


def build(form: Form, content: BridgePairs) -> None:
    """Write all sheets."""
    say, options = form.say, form.options
    parameters = Parameters(form, content)
    # the tabs in their order; what they hold is known in another one
    players = BridgePlayers(form, parameters, content.players, options.players)
    pairs = Pairs(form, players, form.tab("pairs"), content.pairs)
    names = ("results", "ratings", "chart", "gains", "each", "history", "steps")
    typed, ratings, chart, gains, each, history, steps = map(form.tab, names)
    players.steps(steps, lines_above(form, steps, "steps"))
    free = len(players.counted.columns) + 2
    pairs.steps(free)
    free += len(pairs.counted.columns) + 1
    full = tables(options.players)
    size = options.rounds * full
    note = say("bigger_results", rounds=options.rounds, tables=full, rows=size)
    results = TypedResults(form, parameters, pairs, typed, content.results, size, note)
    labels = (
        Column("no", say("column_after_result"), WHOLE, role="quiet"),
        Column("round", say("column_round"), WHOLE, "center"),
    )
    running = Running(
        history,
        labels,
        lines_above(form, history, "history") + 1,
        [(players.counted.fixed("short", i), name) for i, name in enumerate(players.short)],
        [
            (players.counted.fixed("start", i), "" if rating is None else rating)
            for i, rating in enumerate(players.starts)
        ],
        size,
        width=NAME_WIDTH,
    )
    running.table.put("no", 0, 0)
    found = EachResult(form, results, each, running)
    results.check(found)
    sums = Sums(players, pairs, found, running)
    ratings_sheet(form, sums, ratings)
    gains_and_losses(form, sums, gains)
    curves = ChartSheet(form, sums, chart, content.chosen, (options.rounds + 1, full))
    curves.fill(free)
    found.finish()
    moved = running.row(1)
    cell, above = (running.row(i).at(0, 0).text(history) for i in (1, 0))
    everybody = Cells(history, moved.row, moved.column, size, moved.columns)
    mark(everybody, f"{cell}<>{above}", look="leader")
    header = running.table.header
    finish(history, freeze=running.table.cell("p0", 0), titles=(header - 1, header))
    history.height(header, 2)  # a family name may take two lines
    finish(steps, titles=(1, 2))
    players.counted.fit_header()


__all__ = ["EMPTY", "build", "sample"]
