"""``elo-xl check``: how good ratings are."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.markup import escape

from elo_xl.books.answers import phrase
from elo_xl.club.exporting import rated_games
from elo_xl.engine.arrays import finite
from elo_xl.events.event import Kind
from elo_xl.events.merging import games_of_kind
from elo_xl.publish.pictures import drawn
from elo_xl.questions.check.event import BY_GAME, BY_MONTH, Checked, chart, check_games, rows
from elo_xl.questions.check.numbers import BURN_IN
from elo_xl.questions.histories import KIND, Finding, find, tell_notes
from elo_xl.terminal.answers import PICTURES, ResultFile, results
from elo_xl.terminal.console import plain_table
from elo_xl.terminal.options import Choice, gather
from elo_xl.terminal.reading import COLUMNS, ENCODING, FILES, NAMES, PLAYERS, ReadOptions


@click.command()
@FILES
@PLAYERS
@click.option(
    "--by",
    type=Choice((BY_GAME, BY_MONTH)),
    help="When ratings change: after each game, or at the end of each month; if omitted, as in "
    "FILE: with each list of a club's book, each month if all games have a day.",
)
@KIND
@click.option(
    "--burn-in",
    type=click.IntRange(1, 1000),
    default=BURN_IN,
    show_default=True,
    help="Games that give a newcomer's first rating, and are not predicted.",
)
@click.option(
    "--level",
    type=click.FloatRange(-1_000_000, 1_000_000),
    help="Suggest a lift that leaves ratings from here on as they are, as FIDE's of 2024 with "
    "2000; all ratings change if omitted.",
)
@gather("how", ReadOptions, COLUMNS, NAMES, ENCODING)
@results(book=False)
def check(
    files: tuple[Path, ...],
    by: str | None,
    kind: Kind | None,
    burn_in: int,
    level: float | None,
    how: ReadOptions,
    result: ResultFile,
) -> None:
    """Report how good ratings are: the K, White's advantage and the part of draws that would have
    predicted the games best; whether expected scores come true; and, where both players' ratings
    stand beside the games, their spread, their drift, newcomers, and which lift would help.

    FILE is any that `elo-xl rate` reads, a folder of such files, or a club's book: its rated games.
    A file that cannot be read does not stop the others: nothing of it is counted, and the exit code
    is 1.
    """
    checked = partial(check_games, by=by or "", burn_in=burn_in, level=level)
    find(
        Finding(
            "Checking the ratings",
            lambda book: checked(*rated_games(book, kind)),
            lambda read: checked(*games_of_kind(read, kind)),
            None,
            _facts,
            _print,
            "a club's book takes only --by, --kind, --burn-in and --level",
            {ending: partial(_picture, ending) for ending in PICTURES},
        ),
        files,
        how,
        result,
    )


def _picture(ending: str, checked: Checked) -> bytes:
    return drawn(partial(chart, checked), ending)


def _print(terminal: Console, checked: Checked) -> None:
    tell_notes(checked.notes, checked.penalties)
    if checked.kind:
        terminal.print(phrase("Kind of play: {kind}", kind=phrase(checked.kind)))
    table = plain_table("What", numbers=("Value", "From", "To"), why="Which means")
    for row in rows(checked):
        table.add_row(*map(escape, row))
    terminal.print(table)


def _facts(checked: Checked) -> dict[str, object]:
    table = [row._asdict() for row in rows(checked)]
    return {**_plain(checked), "notes": checked.notes, "table": table}


def _plain(part: object) -> Any:
    """What Python finds as JSON, by the same names; what is not known or has no bound is null."""
    if is_dataclass(part):
        shown = [field.name for field in fields(part) if field.repr]
        return {name: _plain(getattr(part, name)) for name in shown}
    part = part.tolist() if isinstance(part, np.ndarray) else part
    if isinstance(part, list | tuple):
        return list(map(_plain, part))
    return finite(part) if isinstance(part, float) else part
