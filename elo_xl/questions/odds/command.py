"""``elo-xl odds``: the odds of every place of an event under way."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TypedDict

import click

from elo_xl.engine.models import MODELS
from elo_xl.engine.outcomes import SPLIT
from elo_xl.publish.page import Page
from elo_xl.questions.odds.answer import in_book, odds_page
from elo_xl.questions.odds.runs import Odds, odds
from elo_xl.terminal.answers import Into, answers, show, write
from elo_xl.terminal.console import print_json, progress, warn
from elo_xl.terminal.options import gather
from elo_xl.terminal.reading import EXISTING, How, reads_an_event


def _codes(_: click.Context, __: click.Parameter, text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    return tuple(c for part in text.split(",") if (c := part.strip().upper()) not in ("", "NONE"))


class Playing(TypedDict):
    """How the rounds to come are played: the options of :func:`.odds`."""

    rounds: int | None
    tie_breaks: tuple[str, ...] | None
    model: str
    draws: str
    runs: int | None
    seed: int


@click.command("odds")
@click.argument("file", type=EXISTING)
@click.option("--rounds", type=click.IntRange(1), help="Rounds of the event, if FILE does not say.")
@click.option(
    "--tie-breaks",
    metavar="CODE,…",
    callback=_codes,
    help="Tie-breaks that count, by FIDE's codes, such as BH-C1,BH,SB, or none; those of FILE if "
    "omitted.",
)
@click.option(
    "--model",
    type=click.Choice(MODELS),
    default="normal",
    show_default=True,
    help="Curve of the expected scores.",
)
@click.option(
    "--draws",
    default=SPLIT,
    show_default=True,
    help="How many games are drawn: split, davidson:0.8, rao-kupper:90.",
)
@click.option(
    "--runs",
    type=click.IntRange(2),
    help="How often the rounds to come are paired and played; if omitted, for 20 seconds.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="The same seed and number of runs give the same odds.",
)
@click.option(
    "--top", type=click.IntRange(1), default=3, show_default=True, help="Last place to show."
)
@gather("playing", Playing)
@reads_an_event
@answers("A list to pin up")
@click.option(
    "--into-book",
    is_flag=True,
    help="Write the odds into FILE, a book, as its last sheet, with today's date.",
)
def show_odds(
    file: Path,
    playing: Playing,
    top: int,
    how: How,
    into: Into,
    into_book: bool,
) -> None:
    """Show who will win the event in FILE with which probability, and the odds of the next places.

    FILE is any that `elo-xl rate` reads. Open games end as the ratings say. In an event in which
    everybody meets everybody the odds are exact while few games are left. Rounds of a Swiss that
    are to come are paired by FIDE's Dutch system, for which the package py4swiss is needed
    (pip install "elo-xl[pairings]").
    """
    language = _language(file) if into_book else "en"
    targets = into.files(f"{file.stem}-odds")
    event = how.read(file, unplayed=True)
    with progress("Playing the event to its end"):
        found = odds(event, **playing)
    today = date.today()
    page = odds_page(event.name, found, top, today)
    if into.as_json:
        print_json(_json(event.name, found, today))
    else:
        show(page)
    for note in found.notes:
        warn(note)
    if found.failed:
        warn(f"{found.failed} runs are left out: in these no pairing of a round was left")
    if targets:
        write(page, targets)
    if into_book:
        _write_into(file, odds_page(event.name, found, top, today, language))


def _language(file: Path) -> str:
    """The language of a book."""
    from elo_xl.events.books import template_of
    from elo_xl.templates.opened import EntriesError, old_book
    from elo_xl.xlsx.in_place import WorkbookError

    content = file.read_bytes()
    if not template_of(content):
        raise click.UsageError(f"{file}: --into-book is for books that elo-xl new has made")
    try:
        return old_book(content).options.language
    except (EntriesError, WorkbookError) as wrong:
        raise click.ClickException(f"{file}: {wrong}") from None


def _write_into(file: Path, page: Page) -> None:
    from elo_xl.xlsx.in_place import WorkbookError
    from elo_xl.xlsx.keep import change_kept

    try:
        _, copy = change_kept(file, lambda content: in_book(content, page))
    except WorkbookError as wrong:
        raise click.ClickException(f"{file}: {wrong}") from None
    click.echo(f"{file}: sheet {page.list.title}")
    if copy is not None:
        click.echo(f"Before it was: {copy.name}")


def _json(name: str, found: Odds, day: date) -> dict[str, object]:
    finals = found.finals
    expected, error = finals.mean(finals.points)
    places = [finals.place(place) for place in range(1, len(found.players) + 1)]
    return {
        "event": name,
        "date": day.isoformat(),
        "method": found.method,
        "exact": not finals.blocks,
        "runs": finals.blocks,
        "tie_breaks": found.tie_breaks,
        "players": [
            {
                "player": player.name,
                "id": player.id,
                "rating": player.rating,
                "points": float(found.points[i]),
                "expected": float(expected[i]),
                "error": float(error[i]),
                "odds": [float(chance[i]) for chance, _ in places],
                "errors": [float(errors[i]) for _, errors in places],
            }
            for i, player in enumerate(found.players)
        ],
    }
