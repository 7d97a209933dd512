"""``elo-xl check``: how good ratings are, and which K would have been the best."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from elo_xl.events.event import Kind
from elo_xl.functions.cells import to_text
from elo_xl.languages import many
from elo_xl.questions.check.event import (
    BY_GAME,
    BY_MONTH,
    Checked,
    check_book,
    check_events,
    k_check_book,
    sentences,
)
from elo_xl.questions.check.numbers import BURN_IN, FIDE_K
from elo_xl.questions.histories import KIND, Finding, find, interval, tell_notes, within
from elo_xl.terminal.answers import ResultFile, results
from elo_xl.terminal.console import plain_table
from elo_xl.terminal.options import gather
from elo_xl.terminal.reading import COLUMNS, ENCODING, FILES, NAMES, PLAYERS, How


@click.command()
@FILES
@PLAYERS
@click.option(
    "--by",
    type=click.Choice((BY_GAME, BY_MONTH)),
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
@gather("how", How, COLUMNS, NAMES, ENCODING)
@results("tables")
def check(
    files: tuple[Path, ...],
    by: str | None,
    kind: Kind | None,
    burn_in: int,
    how: How,
    result: ResultFile,
) -> None:
    """Find the K, White's advantage and the part of draws that would have predicted the games of
    the files best, each with an interval, beside FIDE's rule and knowing nothing.

    FILE is any that `elo-xl rate` reads, a folder of such files, or a club's book: its rated games.
    A file that cannot be read does not stop the others: nothing of it is counted, and the exit code
    is 1.
    """
    find(
        Finding(
            "Checking the ratings",
            partial(check_book, by=by or "", kind=kind, burn_in=burn_in),
            partial(check_events, by=by or "", kind=kind, burn_in=burn_in),
            partial(k_check_book, language=result.lang),
            _json,
            _print,
            "a club's book takes only --by, --kind and --burn-in",
        ),
        files,
        how,
        result,
    )


def _json(checked: Checked) -> dict[str, object]:
    done = checked.check

    return {
        "games": done.games,
        "players": done.players,
        "draws": done.draws,
        "newcomers": done.newcomers,
        "predicted": done.scored,
        "by": checked.by,
        "kind": checked.kind,
        "blocks": done.blocks,
        "k": interval(done.k),
        "home": interval(done.home),
        "draw": interval(done.draw),
        "predictions": {
            key: {"log_loss": one.log_loss, "brier": one.brier}
            for key, one in (("best", done.best), ("fide", done.fide), ("base", done.base))
        },
        "curve": [{"k": k, "log_loss": loss} for k, loss in done.curve],
        "games_needed": done.needed,
        "says": sentences(done),
        "notes": [str(note) for note in checked.notes],
    }


_WHEN = {BY_GAME: "after each game", BY_MONTH: "each month", "list": "with each list"}


def _print(terminal: Console, checked: Checked) -> None:
    tell_notes(checked.notes, checked.penalties)
    done = checked.check
    kind = f" of {checked.kind} play" if checked.kind else ""
    terminal.print(
        f"{many(done.games, 'game')}{kind}, {many(done.players, 'player')}, "
        f"{done.draws / done.games:.0%} draws; ratings change {_WHEN[checked.by]}"
    )
    if left_out := done.games - done.scored:
        terminal.print(
            f"{done.scored:,} predicted; {left_out:,} are first games of "
            f"{many(done.newcomers, 'newcomer')}"
        )
    terminal.print()
    for sentence in sentences(done):
        terminal.print(escape(sentence), soft_wrap=True)
    table = plain_table("Prediction", numbers=("Log loss", "Brier"))
    home = "" if done.home is None else f", White {done.home.value:+.0f}"
    for what, one in (
        (f"Best: K {done.k.value:.0f}{home}", done.best),
        (f"FIDE: K {FIDE_K:.0f}, newcomers {2 * FIDE_K:.0f}", done.fide),
        ("Knowing nothing", done.base),
    ):
        table.add_row(what, f"{one.log_loss:.4f}", f"{one.brier:.4f}")
    terminal.print()
    terminal.print(table)
    terminal.print(f"\nBest K {within(done.k)}; newcomers have twice as much for 30 games")
    table = plain_table("K", numbers=("Log loss",))
    for k, loss in done.curve:
        table.add_row(to_text(k), f"{loss:.4f}{' ←' if k == round(done.k.value, 1) else '  '}")
    terminal.print(table)
