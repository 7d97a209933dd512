"""The blocks that a text may use by their names: ``use players personal``.

Each is a function that adds to a book, or gives the lines of columns of a table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from elo_xl.books.signs import results
from elo_xl.templates.blocks.bayes import (
    bayes_before,
    bayes_curves,
    bayes_kept,
    bayes_last,
    bayes_moved,
)
from elo_xl.templates.blocks.bridge import bridge_before, bridge_curves, bridge_kept, bridge_moved
from elo_xl.templates.blocks.editions import editions
from elo_xl.templates.blocks.games import each_game, why
from elo_xl.templates.blocks.margins import margins
from elo_xl.templates.blocks.near import near
from elo_xl.templates.blocks.odds import match_chart, match_summary, match_typed
from elo_xl.templates.blocks.players import counted, players
from elo_xl.templates.blocks.rating_lists import list_dates, list_pages, season_charts
from elo_xl.templates.blocks.ratings import after_event, gains_and_losses, ratings, rules_note
from elo_xl.templates.blocks.typed_games import identify, typed_games
from elo_xl.templates.blocks.wall import from_where, people

BLOCKS: Final[dict[str, Callable[..., Any]]] = {
    function.__name__: function
    for function in (
        after_event,
        bayes_before,
        bayes_curves,
        bayes_kept,
        bayes_last,
        bayes_moved,
        bridge_before,
        bridge_curves,
        bridge_kept,
        bridge_moved,
        counted,
        editions,
        each_game,
        from_where,
        gains_and_losses,
        identify,
        list_dates,
        list_pages,
        margins,
        match_chart,
        match_summary,
        match_typed,
        near,
        people,
        players,
        ratings,
        results,
        rules_note,
        season_charts,
        typed_games,
        why,
    )
}
