"""``elo-xl check``: how good ratings are, and which K would have been the best."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from elo_xl.books.answers import many, number, phrase, spoken
from elo_xl.events.event import Kind
from elo_xl.functions.cells import to_text
from elo_xl.questions.check.event import (
    BY_GAME,
    BY_MONTH,
    Checked,
    check_book,
    check_events,
    is_best,
    k_check_book,
    sentences,
    tells_k,
)
from elo_xl.questions.check.numbers import BURN_IN, FIDE_K, Check
from elo_xl.questions.histories import KIND, Finding, find, interval, of_kind, tell_notes, within
from elo_xl.terminal.answers import ResultFile, results
from elo_xl.terminal.console import plain_table
from elo_xl.terminal.options import Choice, gather
from elo_xl.terminal.reading import COLUMNS, ENCODING, FILES, NAMES, PLAYERS, How


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
        "says": sentences(done, spoken()),
        "notes": [str(note) for note in checked.notes],
    }


_WHEN = {BY_GAME: "after each game", BY_MONTH: "each month", "list": "with each list"}


def _print(terminal: Console, checked: Checked) -> None:
    tell_notes(checked.notes, checked.penalties)
    done = checked.check
    kind = of_kind(checked.kind)
    terminal.print(
        phrase(
            "{games}{kind}, {players}, {draws:.0%} draws; ratings change {when}",
            games=many(done.games, "game"),
            kind=kind,
            players=many(done.players, "player"),
            draws=done.draws / done.games,
            when=phrase(_WHEN[checked.by]),
        )
    )
    if left_out := done.games - done.scored:
        terminal.print(
            phrase(
                "{scored:,} predicted; {left_out:,} are first games of {newcomers}",
                scored=done.scored,
                left_out=left_out,
                newcomers=many(done.newcomers, "newcomer"),
            )
        )
    terminal.print()
    for sentence in sentences(done, spoken()):
        terminal.print(escape(sentence), soft_wrap=True)
    table = plain_table("Prediction", numbers=("Log loss", "Brier"))
    home = "" if done.home is None else phrase(", White {home:+.0f}", home=done.home.value)
    with_k = phrase("K {k:.0f}{home}", k=done.k.value, home=home)
    if is_best(done):
        with_k = phrase("Best: {what}", what=with_k)
    fide = phrase("FIDE: K {k:.0f}, newcomers {new:.0f}", k=FIDE_K, new=2 * FIDE_K)
    ways = {with_k: done.best, fide: done.fide, phrase("Knowing nothing"): done.base}
    if not tells_k(done):
        del ways[with_k]  # any other K would do as well
    for way, one in ways.items():
        table.add_row(way, number(f"{one.log_loss:.4f}"), number(f"{one.brier:.4f}"))
    terminal.print()
    terminal.print(table)
    terminal.print(escape("\n".join(_meanings(done))), soft_wrap=True)
    if tells_k(done):
        best = within(done.k, language=spoken())
        terminal.print()
        terminal.print(
            phrase("Best K {best}; newcomers have twice as much for 30 games", best=best)
        )
    table = plain_table("K", numbers=("Log loss",))
    for k, loss in done.curve:
        mark = " ←" if tells_k(done) and k == round(done.k.value, 1) else "  "
        table.add_row(number(to_text(k)), f"{number(f'{loss:.4f}')}{mark}")
    terminal.print(table)


def _meanings(done: Check) -> Iterator[str]:
    """What the figures mean for a club, in sentences."""
    yield phrase(
        "Log loss: how much the results surprise whoever predicts them, on average. The lower, the "
        "better; whoever knows nothing has {base:.4f}.",
        base=done.base.log_loss,
    )
    yield phrase(
        "Brier: by how much the predicted scores miss the results, squared. The lower, the better; "
        "one great surprise counts less here."
    )
    if done.draw is not None:
        yield phrase(
            "ν: how common draws are; 0 is none, and with 2 equal players draw every other game."
        )
