"""A list of prizes to pin up: who gets how much, and why."""

from __future__ import annotations

from typing import Final

from elo_xl.books.texts import texts
from elo_xl.publish.page import Column, Page, Value, table
from elo_xl.tournament.event import Tournament
from elo_xl.tournament.prizes import Prizes

WAYS: Final = {
    "equal": "Those who have the same points share their prizes equally.",
    "tie-break": "Prizes go by place, tie-breaks included.",
    "hort": "Half of each prize goes by place, half is shared by those who have the same points "
    "(Hort).",
}


def prize_list(event: Tournament, way: str, found: Prizes) -> Page:
    """The list of who gets which prize of an event, in English."""
    say = texts("en")
    whole = all(one.amount == int(one.amount) for one in found.winners)
    columns = [
        Column("place", say("form.column_place"), align="center"),
        Column("name", say("form.column_name"), align="left"),
        Column("points", say("form.column_points"), 1),
        Column("prize", say("form.column_prize"), 0 if whole else 2),
        Column("why", say("form.column_because"), align="left", wraps=True),
    ]
    rows: list[dict[str, Value]] = [
        {
            "place": one.standing.place,
            "name": one.standing.player.name,
            "points": one.standing.points,
            "prize": float(one.amount),
            "why": one.why,
        }
        for one in found.winners
    ]
    title = say("form.sheet_prizes")
    return Page(
        "en",
        f"{event.name}: {title}",
        WAYS[way],
        [table("prizes", title, columns, rows, sortable=False)],
        day=event.end or event.start,
        notes=found.notes,
    )
