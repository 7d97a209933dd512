"""``elo-xl prizes``: who gets which prize of an event, and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from elo_xl.cli.console import console, warn
from elo_xl.cli.publish import checked, write
from elo_xl.cli.reading import EXISTING, How, reads_an_event
from elo_xl.engine.prizes import SHARES
from elo_xl.functions.formula_text import to_text
from elo_xl.publish.prizes import prize_list
from elo_xl.tournament.prizes import CENT, Prizes, amounts_of, prizes


@click.command("prizes")
@click.argument("file", type=EXISTING)
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
    type=click.Choice(list(SHARES)),
    default="equal",
    show_default=True,
    help="How those share who have the same points: equally, by the places that the tie-breaks "
    "gave them, or half and half (Hort).",
)
@click.option(
    "--whole", is_flag=True, help="Pay whole units of the currency; otherwise hundredths."
)
@reads_an_event
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A list to pin up: .html, .pdf, .csv or .json; may be given several times.",
)
@click.option("--force", is_flag=True, help="Replace existing files of these names.")
def show_prizes(
    file: Path,
    places: str | None,
    categories: tuple[str, ...],
    way: str,
    whole: bool,
    how: How,
    as_json: bool,
    outputs: tuple[Path, ...],
    force: bool,
) -> None:
    """Say who gets which prize of the event in FILE, and why; everybody gets one prize at most, and
    the others move up.

    FILE is any that `elo-xl rate` reads; the order is that of its places. A category is a word that
    a book has in its column Category, or one of U14 (age), S50 (seniors), W (women), U1800
    (rating), 1600-1799 and unrated. Of equal prizes that of the place counts first, then that of
    the category named first.
    """
    if as_json and outputs:
        raise click.UsageError("--json and -o exclude each other: -o prizes.json writes a file")
    if not places and not categories:
        raise click.UsageError("name the prizes: --places 300,200,100, --category U14=50")
    targets = checked(outputs, f"{file.stem}-prizes", force)
    unit = Decimal(1) if whole else CENT
    amounts = _amounts(places, unit, "--places") if places else ()
    of_category = {}
    for text in categories:
        name, sign, listed = text.rpartition("=")
        if not (sign and name.strip()) or name.strip() in of_category:
            raise click.UsageError(f"--category is NAME=AMOUNT,…, each name once; got {text!r}")
        of_category[name.strip()] = _amounts(listed, unit, f"--category {name.strip()}")
    event = how.read(file)
    found = prizes(event, amounts, of_category, way, unit)
    if as_json:
        click.echo(json.dumps(_json(event.name, way, found), ensure_ascii=False, indent=2))
        return
    _print(event.name, found)
    for note in found.notes:
        warn(note)
    if targets:
        write(prize_list(event, way, found), targets)


def _amounts(text: str, unit: Decimal, option: str) -> tuple[int, ...]:
    try:
        return amounts_of(text, unit)
    except ValueError as wrong:
        raise click.UsageError(f"{option}: {wrong}") from None


def _print(name: str, found: Prizes) -> None:
    terminal, money = console(), _money(found)
    terminal.print(f"[bold]{escape(name)}[/]\n")
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("Place", "Name", "Points", "Prize", "Why"):
        text = heading in ("Name", "Why")
        table.add_column(heading, justify="left" if text else "right", no_wrap=not text)
    for one in found.winners:
        standing = one.standing
        table.add_row(
            str(standing.place),
            escape(standing.player.name),
            to_text(standing.points),
            money(one.amount),
            escape(one.why),
        )
    terminal.print(table)
    terminal.print(f"\nPaid: {money(found.total - found.left)} of {money(found.total)}.")
    if found.left:
        terminal.print(f"Left, as nobody is there to get it: {money(found.left)}.")


def _money(found: Prizes) -> Callable[[Decimal], str]:
    """How amounts are written: without decimals if none has any."""
    whole = all(one.amount == int(one.amount) for one in found.winners)
    return lambda amount: f"{amount:,.{0 if whole and amount == int(amount) else 2}f}"


def _json(name: str, way: str, found: Prizes) -> dict[str, object]:
    return {
        "event": name,
        "share": way,
        "total": float(found.total),
        "left": float(found.left),
        "prizes": [
            {
                "player": one.standing.player.name,
                "id": one.standing.player.id,
                "place": one.standing.place,
                "points": one.standing.points,
                "prize": float(one.amount),
                "why": one.why,
            }
            for one in found.winners
        ],
        "notes": list(found.notes),
    }
