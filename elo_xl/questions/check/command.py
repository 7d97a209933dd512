"""``elo-xl check``: how good ratings are."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console
from rich.markup import escape

from elo_xl.engine.arrays import finite
from elo_xl.engine.quality import Estimate
from elo_xl.events.event import Kind
from elo_xl.events.merging import KINDS
from elo_xl.questions.check.event import (
    BY_GAME,
    BY_MONTH,
    Checked,
    chart,
    check_book,
    check_events,
    figures,
    rows,
    say,
    sentences,
)
from elo_xl.questions.check.numbers import BURN_IN, Check
from elo_xl.questions.check.ratings import Health
from elo_xl.questions.histories import Finding, find, tell_notes
from elo_xl.terminal.answers import PICTURES, ResultFile, results
from elo_xl.terminal.console import plain_table
from elo_xl.terminal.options import Choice, gather
from elo_xl.terminal.reading import COLUMNS, ENCODING, FILES, NAMES, PLAYERS, How

if TYPE_CHECKING:
    from elo_xl.engine.arrays import AnyArray

KIND: Final = click.option(
    "--kind", type=Choice(KINDS), help="Kind of play; that of most games if omitted."
)


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
@gather("how", How, COLUMNS, NAMES, ENCODING)
@results("a table", "Write the chart, too: .png or .svg.")
def check(
    files: tuple[Path, ...],
    by: str | None,
    kind: Kind | None,
    burn_in: int,
    level: float | None,
    how: How,
    result: ResultFile,
) -> None:
    """Report how good the ratings of a history are: the K, White's advantage and the part of draws
    that would have predicted its games best, beside FIDE's rule; whether predictions come true;
    whether the ratings beside the games spread too far, drift, or are wrong for newcomers; and
    which lift would help. Each figure has an interval.

    FILE is any that `elo-xl rate` reads, a folder of such files, or a club's book: its rated games.
    The second half needs the ratings of both players beside the games. A file that cannot be read
    does not stop the others: nothing of it is counted, and the exit code is 1.
    """
    options: dict[str, Any] = {"by": by or "", "kind": kind, "burn_in": burn_in, "level": level}

    def picture(checked: Checked, kind: str) -> bytes:
        from elo_xl.publish.pictures import drawn

        return drawn(partial(chart, checked), kind)

    find(
        Finding(
            "Checking the ratings",
            partial(check_book, **options),
            partial(check_events, **options),
            {ending: partial(picture, kind=ending) for ending in PICTURES},
            _json,
            _print,
            "a club's book takes only --by, --kind, --burn-in and --level",
        ),
        files,
        how,
        result,
    )


def _print(terminal: Console, checked: Checked) -> None:
    tell_notes(checked.notes, checked.penalties)
    for sentence in sentences(checked):
        terminal.print(escape(sentence), soft_wrap=True)
    keys = "column_what", "column_value", "column_low", "column_high", "column_compare"
    what, *numbers = map(say, keys)
    table = plain_table(what, numbers=numbers)
    for row in figures(checked):
        table.add_row(*map(escape, row))
    terminal.print()
    terminal.print(table)


def _json(checked: Checked) -> dict[str, object]:
    found, examined = checked.check, checked.health
    return {
        "by": checked.by,
        "kind": checked.kind,
        **({} if found is None else _of_prediction(found)),
        "ratings": examined and _of_ratings(checked, examined),
        "says": sentences(checked),
        "notes": [str(note) for note in checked.notes],
    }


def _of_prediction(done: Check) -> dict[str, object]:
    ways = {"best": done.best, "fide": done.fide, "base": done.base}
    bins = ("low", "high", "games", "expected", "score", "error")
    return {
        "games": done.games,
        "players": done.players,
        "draws": done.draws,
        "newcomers": done.newcomers,
        "predicted": done.scored,
        "blocks": done.blocks,
        "k": _interval(done.k),
        "home": _interval(done.home),
        "draw": _interval(done.draw),
        "predictions": {
            key: {"log_loss": one.log_loss, "brier": one.brier} for key, one in ways.items()
        },
        "curve": [{"k": k, "log_loss": loss} for k, loss in done.curve],
        "calibration": [dict(zip(bins, row, strict=True)) for row in rows(done.calibration)],
        "games_needed": done.needed,
    }


def _of_ratings(checked: Checked, done: Health) -> dict[str, object]:
    drift, news, spread, lift = done.drift, done.newcomers, done.spread, done.lift

    def columns(part: object, *names: str) -> list[dict[str, float | None]]:
        lists: list[AnyArray] = [getattr(part, name) for name in names]
        lines = zip(*(column.tolist() for column in lists), strict=True)
        return [
            {k: x if isinstance(x, int) else finite(x) for k, x in zip(names, line, strict=True)}
            for line in lines
        ]

    return {
        "games": done.games,
        "players": done.players,
        "unrated": done.unrated,
        "a": _interval(done.a),
        "usual": done.usual,
        "spread": columns(spread, "low", "games", "difference", "expected", "score", "error"),
        "drift": drift
        and {
            "constant_players": drift.number,
            "change": _interval(drift.change),
            "per_year": _interval(drift.rate),
            "periods": [
                {"begin": str(begin), **row}
                for begin, row in zip(
                    checked.periods,
                    columns(drift, "players", "mean", "constant", "error"),
                    strict=True,
                )
            ],
        },
        "newcomers": news
        and {
            "players": news.number,
            "began_unrated": news.unrated,
            "gift": _interval(news.gift),
        },
        "lift": {"a": _interval(lift.a), "b": _interval(lift.b), "level": lift.level},
    }


def _interval(estimate: Estimate | None) -> dict[str, float | None] | None:
    """An estimate for JSON, in which there is nothing infinite."""
    if estimate is None:
        return None
    return {key: finite(getattr(estimate, key)) for key in ("value", "low", "high")}
