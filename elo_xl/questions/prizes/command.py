"""``elo-xl prizes``: who gets which prize of an event, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import click

from elo_xl.books.answers import number, phrase, spoken
from elo_xl.books.texts import texts
from elo_xl.events.event import Tournament
from elo_xl.publish.page import Page, PageColumn, PageValue, table
from elo_xl.questions.odds.runs import Odds, odds
from elo_xl.questions.prizes.event import (
    CENT,
    Expectation,
    Prizes,
    Winner,
    amounts_of,
    expected_prizes,
    prizes,
)
from elo_xl.questions.prizes.numbers import SHARES
from elo_xl.terminal.answers import OutputOptions, answers, show, write
from elo_xl.terminal.console import progress, tell_facts
from elo_xl.terminal.options import Choice, gather
from elo_xl.terminal.reading import READ, ReadOptions, reads_an_event


def prize_list(event: Tournament, way: str, awarded: Prizes) -> Page:
    """The list of who gets which prize of an event, in the language that is spoken."""
    amounts = awarded.total, awarded.left, *(one.amount for one in awarded.winners)
    decimals = 0 if all(amount == int(amount) for amount in amounts) else 2
    rows: list[dict[str, PageValue]] = [
        {
            "place": one.standing.place,
            "name": one.standing.player.name,
            "points": one.standing.points,
            "prize": float(one.amount),
            "why": one.why,
        }
        for one in awarded.winners
    ]
    paid, total, left = (
        number(f"{amount:,.{decimals}f}")
        for amount in (awarded.total - awarded.left, awarded.total, awarded.left)
    )
    said = [phrase("Paid: {paid} of {total}.", paid=paid, total=total)]
    if awarded.left:
        said.append(phrase("Left, as nobody is there to get it: {left}.", left=left))
    title = texts(spoken())("form.sheet_prizes")
    return _page(event, way, title, rows, decimals, [*said, *awarded.notes])


def expected_list(
    event: Tournament, way: str, known: Odds, hopes: Sequence[Expectation], notes: Sequence[str]
) -> Page:
    """The list of what everybody may expect of the prizes of an event under way, as is spoken."""
    points = {p.number: float(score) for p, score in zip(known.players, known.points, strict=True)}
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
    said = (
        phrase("The mean of {blocks:,} runs, with its standard error.", blocks=blocks)
        if blocks
        else phrase("Exact odds.")
    )
    return _page(event, way, phrase("Expected prizes"), rows, 2, [said, *notes])


def _page(
    event: Tournament,
    way: str,
    title: str,
    rows: Sequence[Mapping[str, PageValue]],
    decimals: int,
    notes: Sequence[str],
) -> Page:
    say = texts(spoken())
    columns = [
        PageColumn("place", say("form.column_place"), align="center"),
        PageColumn("name", say("form.column_name"), align="left"),
        PageColumn("points", say("form.column_points"), None),
        PageColumn("prize", say("form.column_prize"), decimals),
        PageColumn("error", "±", 2),
        PageColumn("why", say("form.column_because"), align="left", wraps=True),
    ]
    return Page(
        spoken(),
        f"{event.name}: {title}",
        texts(spoken())(f"form.about_sharing_{way.replace('-', '_')}"),
        [table("prizes", title, columns, rows, ("name", "prize"), sortable=False)],
        day=event.end or event.start,
        notes=notes,
    )


@dataclass(frozen=True, slots=True)
class Fund:
    """The prizes of an event, and how they are shared."""

    places: str | None
    categories: tuple[str, ...]
    way: str
    whole: bool

    @property
    def unit(self) -> Decimal:
        """What is paid is a multiple of this."""
        return Decimal(1) if self.whole else CENT

    def of_places(self) -> tuple[int, ...]:
        """The prizes for the places."""
        return self._amounts(self.places, "--places") if self.places else ()

    def of_categories(self) -> dict[str, tuple[int, ...]]:
        """The prizes of each category."""
        amounts: dict[str, tuple[int, ...]] = {}
        for text in self.categories:
            before, sign, listed = text.rpartition("=")
            name = before.strip()
            if not (sign and name) or "=" in name or name in amounts:
                raise click.UsageError(
                    "--category is NAME=AMOUNT,…, one for each category, each name once; "
                    f"got {text!r}"
                )
            amounts[name] = self._amounts(listed, f"--category {name}")
        return amounts

    def _amounts(self, text: str, option: str) -> tuple[int, ...]:
        try:
            return amounts_of(text, self.unit)
        except ValueError as wrong:
            raise click.UsageError(f"{option}: {wrong}") from None


@click.command("prizes")
@click.argument("file", type=READ)
@click.option("--places", metavar="AMOUNT,…", help="Prizes for the places, the first one first.")
@click.option(
    "--category",
    "categories",
    multiple=True,
    metavar="NAME=AMOUNT,…",
    help="Prizes of a category, such as U14=80,50; may be given several times, the more important "
    "first.",
)
@click.option(
    "--share",
    "way",
    type=Choice(SHARES),
    default="equal",
    show_default=True,
    help="How those share who have the same points: equally, by the places that the tie-breaks "
    "gave them, or half and half (Hort).",
)
@click.option(
    "--whole", is_flag=True, help="Pay whole units of the currency; otherwise hundredths."
)
@click.option(
    "--expected",
    is_flag=True,
    help="Say what everybody may expect before the event is over, by the odds of elo-xl odds.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1),
    help="Rounds of the event, if FILE does not say (with --expected).",
)
@click.option(
    "--runs",
    type=click.IntRange(2),
    help="How often the rounds to come are paired and played; if omitted, for 20 seconds (with "
    "--expected).",
)
@gather("fund", Fund)
@reads_an_event
@answers("A list to pin up")
def show_prizes(
    file: Path,
    fund: Fund,
    expected: bool,
    rounds: int | None,
    runs: int | None,
    how: ReadOptions,
    into: OutputOptions,
) -> None:
    """Say who gets which prize of the event in FILE, and why; everybody gets one prize at most, and
    the others move up.

    FILE is any that `elo-xl rate` reads; the order is that of its places. A category is a word that
    a book has in its column Category, or one of U14 (age), S50 (seniors), W (women), U1800
    (rating), 1600-1799 and unrated. Of equal prizes that of the place counts first, then that of
    the category named first.
    """
    if not fund.places and not fund.categories:
        raise click.UsageError("name the prizes: --places 300,200,100, --category U14=50")
    if (rounds or runs) and not expected:
        raise click.UsageError("--rounds and --runs go with --expected")
    targets, way = into.files(f"{file.stem}-prizes"), fund.way
    amounts = fund.of_places(), fund.of_categories()
    event = how.read(file, unplayed=expected)
    if expected:
        with progress("Playing the event to its end"):
            known = odds(event, rounds=rounds, runs=runs)
            people = known.players
            hopes, notes = expected_prizes(event, people, known.finals, *amounts, way, fund.unit)
        if known.failed:
            notes.append(
                phrase(
                    "{failed} runs are left out: no pairing of a round was left",
                    failed=known.failed,
                )
            )
        page = expected_list(event, way, known, hopes, [*known.notes, *notes])
        answer: dict[str, object] = {"expected": list(map(_hope, hopes))}
    else:
        awarded = prizes(event, *amounts, way, fund.unit)
        page = prize_list(event, way, awarded)
        answer = {
            "total": float(awarded.total),
            "left": float(awarded.left),
            "prizes": list(map(_winner, awarded.winners)),
        }
    tell_facts(event=event.name, share=way, **answer, notes=page.notes)
    show(page)
    if targets:
        write(page, targets)


def _winner(one: Winner) -> dict[str, object]:
    return {
        "player": one.standing.player.name,
        "id": one.standing.player.id,
        "place": one.standing.place,
        "points": one.standing.points,
        "prize": float(one.amount),
        "why": one.why,
    }


def _hope(one: Expectation) -> dict[str, object]:
    return {"player": one.player.name, "id": one.player.id, "prize": one.amount, "error": one.error}
