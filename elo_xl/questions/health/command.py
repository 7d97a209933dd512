"""``elo-xl health``: whether ratings spread too far, sink, and whom newcomers cost."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.markup import escape

from elo_xl.books.answers import many, number, phrase, spoken
from elo_xl.engine.arrays import finite
from elo_xl.events.event import Kind
from elo_xl.questions.health.event import (
    Examined,
    health_of_book,
    health_of_events,
    rating_health_book,
    sentences,
)
from elo_xl.questions.health.numbers import Health
from elo_xl.questions.histories import KIND, Finding, find, interval, of_kind, tell_notes
from elo_xl.terminal.answers import ResultFile, results
from elo_xl.terminal.console import plain_table
from elo_xl.terminal.options import gather
from elo_xl.terminal.reading import COLUMNS, ENCODING, FILES, NAMES, PLAYERS, How

if TYPE_CHECKING:
    from elo_xl.engine.arrays import AnyArray


@click.command()
@FILES
@PLAYERS
@click.option(
    "--level",
    type=click.FloatRange(-1_000_000, 1_000_000),
    help="Suggest a lift that leaves ratings from here on as they are, as FIDE's of 2024 with "
    "2000; all ratings change if omitted.",
)
@KIND
@gather("how", How, COLUMNS, NAMES, ENCODING)
@results("tables")
def health(
    files: tuple[Path, ...],
    level: float | None,
    kind: Kind | None,
    how: How,
    result: ResultFile,
) -> None:
    """Tell whether the ratings with which games were played spread too far or sink, whom newcomers
    cost, and which lift would mend that, each with an interval.

    FILE is any that `elo-xl rate` reads, with the ratings of both players before each game or
    event; a folder of such files; or a club's book: its rated games. A file that cannot be read
    does not stop the others: nothing of it is counted, and the exit code is 1.
    """
    find(
        Finding(
            "Examining the ratings",
            partial(health_of_book, kind=kind, level=level),
            partial(health_of_events, kind=kind, level=level),
            partial(rating_health_book, language=result.lang),
            _json,
            _print,
            "a club's book takes only --kind and --level",
        ),
        files,
        how,
        result,
    )


def _json(examined: Examined) -> dict[str, object]:
    done, spread, drift, news = (
        examined.health,
        examined.health.spread,
        examined.health.drift,
        examined.health.newcomers,
    )

    def rows(**columns: AnyArray) -> list[dict[str, float | None]]:
        lists = [column.tolist() for column in columns.values()]
        return [
            {
                key: x if isinstance(x, int) else finite(x)
                for key, x in zip(columns, row, strict=True)
            }
            for row in zip(*lists, strict=True)
        ]

    return {
        "games": done.games,
        "players": done.players,
        "unrated": done.unrated,
        "kind": examined.kind,
        "a": interval(done.a),
        "usual": done.usual,
        "spread": rows(
            low=spread.low,
            games=spread.games,
            difference=spread.difference,
            expected=spread.expected,
            score=spread.score,
            error=spread.error,
            lifted=spread.fitted,
        ),
        "drift": drift
        and {
            "constant_players": drift.number,
            "change": interval(drift.change),
            "per_year": interval(drift.rate),
            "periods": [
                {"begin": str(begin), **row}
                for begin, row in zip(
                    examined.periods,
                    rows(
                        players=drift.players,
                        mean=drift.mean,
                        constant=drift.constant,
                        error=drift.error,
                    ),
                    strict=True,
                )
            ],
        },
        "newcomers": news
        and {
            "players": news.number,
            "began_unrated": news.unrated,
            "gift": interval(news.gift),
            "underrated": [
                {"games_to": upto, "games": games, "by": interval(off)}
                for upto, games, off in zip(news.upto, news.games.tolist(), news.off, strict=True)
            ],
        },
        "lift": {
            "a": interval(done.lift.a),
            "b": interval(done.lift.b),
            "level": done.lift.level,
        },
        "says": sentences(done, spoken()),
        "notes": [str(note) for note in examined.notes],
    }


def _print(terminal: Console, examined: Examined) -> None:
    tell_notes(examined.notes, examined.penalties)
    done, spread = examined.health, examined.health.spread
    kind = of_kind(examined.kind)
    without = phrase("; {games} without", games=many(done.unrated, "game")) if done.unrated else ""
    terminal.print(
        phrase(
            "{games}{kind} with the ratings of both, {players}{without}",
            games=many(done.games, "game"),
            kind=kind,
            players=many(done.players, "player"),
            without=without,
        )
    )
    terminal.print()
    for sentence in sentences(done, spoken()):
        terminal.print(escape(sentence), soft_wrap=True)
    table = plain_table(
        "Difference", numbers=("Games", "Expected", "Score", "Two errors", "After the lift")
    )
    for low, games, expected, score, error, fitted in zip(
        spread.low, spread.games, spread.expected, spread.score, spread.error, spread.fitted,
        strict=True,
    ):  # fmt: skip
        if games:
            twice = f"{2 * error:.3f}" if math.isfinite(error) else ""
            numbers = f"{games:,}", f"{expected:.3f}", f"{score:.3f}", twice, f"{fitted:.3f}"
            table.add_row(phrase("from {low:.0f}", low=low), *map(number, numbers))
    terminal.print()
    terminal.print(table)
    terminal.print(escape("\n".join(_meanings(done))), soft_wrap=True)


def _meanings(done: Health) -> Iterator[str]:
    """What the figures mean for a club, in sentences."""
    if done.a.low > 0:  # or else scores do not follow the ratings
        yield phrase(
            "Differences that count {a:.2f} times what they are: who is 200 points ahead scores as "
            "if it were {points:.0f}.",
            a=done.a.value,
            points=200 * done.a.value,
        )
    yield phrase(
        "Two errors: a score that is nearer to what is expected than this may be mere chance; one "
        "of 20 rows is further off by chance alone."
    )
    yield phrase("After the lift: what would be expected of the ratings after the lift above.")
