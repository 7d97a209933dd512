"""A list of prizes to pin up: who gets how much, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from elo_xl.books.texts import texts
from elo_xl.events.event import Tournament
from elo_xl.publish.page import Page, PageColumn, PageValue, table
from elo_xl.questions.odds.runs import Odds
from elo_xl.questions.prizes.event import Expectation, Prizes

WAYS: Final = {
    "equal": "Those who have the same points share their prizes equally.",
    "tie-break": "Prizes go by place, tie-breaks included.",
    "hort": "Half of each prize goes by place, half is shared by those who have the same points "
    "(Hort).",
}


def prize_list(event: Tournament, way: str, found: Prizes) -> Page:
    """The list of who gets which prize of an event, in English."""
    amounts = found.total, found.left, *(one.amount for one in found.winners)
    decimals = 0 if all(amount == int(amount) for amount in amounts) else 2
    rows: list[dict[str, PageValue]] = [
        {
            "place": one.standing.place,
            "name": one.standing.player.name,
            "points": one.standing.points,
            "prize": float(one.amount),
            "why": one.why,
        }
        for one in found.winners
    ]
    total, left = (f"{amount:,.{decimals}f}" for amount in (found.total, found.left))
    said = [f"Paid: {found.total - found.left:,.{decimals}f} of {total}."]
    if found.left:
        said.append(f"Left, as nobody is there to get it: {left}.")
    title = texts("en")("form.sheet_prizes")
    return _page(event, way, title, rows, decimals, [*said, *found.notes])


def expected_list(
    event: Tournament, way: str, known: Odds, hopes: Sequence[Expectation], notes: Sequence[str]
) -> Page:
    """The list of what everybody may expect of the prizes of an event under way, in English."""
    points = {p.number: float(own) for p, own in zip(known.players, known.points, strict=True)}
    rows: list[dict[str, PageValue]] = [
        {
            "name": one.player.name,
            "points": points[one.player.number],
            "prize": one.amount,
            "error": one.error or None,
        }
        for one in hopes
        if round(one.amount, 2)
    ]
    blocks = known.finals.blocks
    said = f"The mean of {blocks:,} runs, with its standard error." if blocks else "Exact odds."
    return _page(event, way, "Expected prizes", rows, 2, [said, *notes])


def _page(
    event: Tournament,
    way: str,
    title: str,
    rows: Sequence[Mapping[str, PageValue]],
    decimals: int,
    notes: Sequence[str],
) -> Page:
    say = texts("en")
    columns = [
        PageColumn("place", say("form.column_place"), align="center"),
        PageColumn("name", say("form.column_name"), align="left"),
        PageColumn("points", say("form.column_points"), None),
        PageColumn("prize", say("form.column_prize"), decimals),
        PageColumn("error", "±", 2),
        PageColumn("why", say("form.column_because"), align="left", wraps=True),
    ]
    return Page(
        "en",
        f"{event.name}: {title}",
        WAYS[way],
        [table("prizes", title, columns, rows, ("name", "prize"), sortable=False)],
        day=event.end or event.start,
        notes=notes,
    )
