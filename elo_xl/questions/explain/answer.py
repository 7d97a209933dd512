"""A letter to a player: every game of an event, and why the rating changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from elo_xl.books.texts import texts
from elo_xl.events.rate import RatedEvent
from elo_xl.publish.page import Page, PageColumn, PageValue, headed, table
from elo_xl.questions.explain.event import ExplainedNewcomer, ExplainedPlayer

COLUMNS: Final = (
    PageColumn("event", "form.column_event", align="left"),
    PageColumn("round", "publish.round", align="center"),
    PageColumn("name", "form.column_opponent", align="left"),
    PageColumn("rating", "form.column_rating", None),
    PageColumn("score", "form.column_score", 1),
    PageColumn("expected", "form.column_expected", 2),
    PageColumn("points", "form.column_share", 2, change=True),
    PageColumn("why", "form.column_because", align="left", wraps=True),
)


def letter(
    event: RatedEvent, found: ExplainedPlayer | ExplainedNewcomer, language: str = "en"
) -> Page:
    """The letter to a player of a rated event."""
    say = texts(language)
    rows: list[dict[str, PageValue]] = []
    for i, game in enumerate(found.games):
        row: dict[str, PageValue] = {
            "event": game.event,
            "round": game.round or None,
            "name": game.opponent,
            "rating": _number(game.rating),
            "score": game.score,
        }
        if isinstance(found, ExplainedPlayer):
            row |= {
                "expected": _number(found.why.expected[i]),
                "points": _number(found.why.gained[i]),
                "why": found.why.why[i],
            }
        rows.append(row)
    if isinstance(found, ExplainedPlayer):
        who, notes = found.rated.player, [found.why.summary]
    else:
        who = found.first.player
        notes = [found.verdict, event.rules.first.say(language)]
    columns = headed(COLUMNS, say)
    rules = f"{event.rules.title.say(language)} ({event.rules.name})"
    return Page(
        language,
        f"{event.tournament.name}: {who.name}",
        rules,
        [table("games", say("form.sheet_why"), columns, rows, sortable=False)],
        day=event.tournament.end or event.tournament.start,
        notes=notes,
    )


def joined(letters: Sequence[Page]) -> Page:
    """Several letters to one player as one, with a table for each."""
    if len(letters) == 1:
        return letters[0]
    tables = [
        replace(one.list, key=f"games{number}", title=one.title)
        for number, one in enumerate(letters, start=1)
    ]
    notes = [note for one in letters for note in (one.title, *one.notes)]
    below = "; ".join(dict.fromkeys(one.below for one in letters))
    return replace(letters[0], below=below, tables=tables, notes=notes)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
