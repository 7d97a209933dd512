"""``elo-xl fit``: ratings from all games of files at once."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.markup import escape

from elo_xl.club.games import rated_games
from elo_xl.engine.fit import DRAWS, LEVEL
from elo_xl.engine.outcomes import DAVIDSON
from elo_xl.events.merging import AllGames, all_games
from elo_xl.functions.formula_text import to_text
from elo_xl.languages import many
from elo_xl.questions.fit.event import FittedEvents, fit_games
from elo_xl.questions.histories import Finding, find, tell_notes
from elo_xl.terminal.console import plain_table
from elo_xl.terminal.files import ResultFile, results
from elo_xl.terminal.options import gather
from elo_xl.terminal.reading import COLUMNS, ENCODING, NAMES, How

if TYPE_CHECKING:
    from elo_xl.books.book import Book

CSV = ".csv"

MOST_SHOWN = 100
"""Players, groups and notes that a terminal shows."""
MOST_NAMED = 5
"""Players of a group that it names."""


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path))
@click.option("--anchor", default="", help="Player whose rating is fixed: a name or an ID.")
@click.option(
    "--rating",
    type=float,
    default=LEVEL,
    show_default=True,
    help="The rating of the anchor, or the mean of all if there is none.",
)
@click.option(
    "--draws",
    type=click.Choice(DRAWS),
    default=DAVIDSON,
    show_default=True,
    help="How draws count: davidson fits their part; ignore takes half a win and half a loss.",
)
@click.option(
    "--compare", nargs=2, metavar="A B", help="The chance that player A is stronger than player B."
)
@click.option("--no-errors", is_flag=True, help="No standard errors: faster for thousands.")
@gather(
    "how",
    How,
    COLUMNS,
    NAMES,
    click.option("--event", default="", help="One event of a PGN file; all of them if omitted."),
    ENCODING,
)
@results("a table", CSV)
def fit(
    files: tuple[Path, ...],
    anchor: str,
    rating: float,
    draws: str,
    compare: tuple[str, str] | None,
    no_errors: bool,
    how: How,
    result: ResultFile,
) -> None:
    """Fit ratings to all games of the files at once: those under which the results are most likely,
    with standard errors, White's advantage and the part of draws.

    FILE is any that `elo-xl rate` reads, a folder of such files, or a club's book: its rated games
    of every kind of play. No ratings are needed. A player is one person in all files, by number or
    by name. A file that cannot be read does not stop the others: nothing of it is counted, and the
    exit code is 1.
    """

    def fitted(games: AllGames) -> _Fitted:
        found = fit_games(games, anchor=anchor, rating=rating, draws=draws, errors=not no_errors)
        return found, None if compare is None else _compared(found, compare)

    find(
        Finding(
            "Fitting the ratings",
            lambda book: fitted(rated_games(book, every=True)[0]),
            lambda read: fitted(all_games(read)),
            lambda found: _book(found[0], result.lang),
            _json,
            partial(_print, rating=rating),
            "a club's book has no use for --columns, --names, --event and --encoding",
            {CSV: lambda found: found[0].as_csv()},
        ),
        files,
        how,
        result,
    )


_Fitted = tuple[FittedEvents, tuple[float, str] | None]
"""Ratings, and the chance that one of two players is the stronger one, also in a sentence."""


def _compared(found: FittedEvents, compare: tuple[str, str]) -> tuple[float, str]:
    one, two = (found.find(who) for who in compare)
    chance = found.fit.stronger(one, two)
    ahead, error = found.fit.difference(one, two)
    names = found.players[one].name, found.players[two].name
    return chance, (
        f"{names[0]} is stronger than {names[1]} with a chance of {100 * chance:.1f} %: "
        f"the difference is {ahead:+.0f} ±{error:.0f}"
    )


def _book(found: FittedEvents, lang: str) -> Book:
    from elo_xl.questions.fit.sheet import fitted_book

    return fitted_book(found, lang)


def _json(both: _Fitted) -> dict[str, object]:
    found, compared = both
    done = found.fit
    numbers = {
        "home": done.home,
        "home_error": done.home_error,
        "draw": done.draw,
        "draw_error": done.draw_error,
        "log_likelihood": done.log_likelihood,
    }
    return {
        "games": found.games,
        "anchor": found.anchor and found.anchor.name,
        "players": found.rows(),
        **{key: x if math.isfinite(x) else None for key, x in numbers.items()},
        "groups": [[player.name for player in group] for group in found.groups],
        "chance": compared and compared[0],
        "notes": [str(note) for note in found.notes],
    }


def _print(terminal: Console, both: _Fitted, rating: float) -> None:
    found, compared = both
    tell_notes(found.notes, found.penalties, MOST_SHOWN)
    done, order = found.fit, found.order
    # one group only: nothing ties the levels of others to it, and _others tells of them
    rated = [i for i in order if done.group[i] == 0 and math.isfinite(done.rating[i])]
    terminal.print(f"{many(found.games, 'game')} of {many(len(found.players), 'player')}")
    table = plain_table("", "Name", numbers=("Rating", "Error", "Games", "Score"))
    for place, i in enumerate(rated[:MOST_SHOWN], start=1):
        error = done.error[i]
        table.add_row(
            str(place),
            escape(found.players[i].name),
            f"{done.rating[i]:.0f}",
            "" if math.isnan(error) else "∞" if math.isinf(error) else f"±{error:.0f}",
            str(done.games[i]),
            to_text(done.score[i].item()),
        )
    if rated:
        terminal.print(table)
    if (more := len(rated) - MOST_SHOWN) > 0:
        terminal.print(f"and {many(more, 'player')} more: -o writes all")
    terminal.print()
    fixed = found.anchor.name if found.anchor else "The mean of these ratings"
    scale = f"{fixed} is {to_text(rating)}; errors are standard errors of the differences to that"
    for line in (scale, *_parameters(found), *_others(found)):
        terminal.print(escape(line), soft_wrap=True)
    if compared is not None:
        click.echo(compared[1])


def _parameters(found: FittedEvents) -> list[str]:
    """White's advantage and the draws, in sentences."""
    done = found.fit
    if not found.coloured:
        home = "White's advantage is not fitted: the files do not tell the colours of all games"
    elif math.isnan(done.home_error):
        home = "White's advantage: these games do not tell it"
    else:
        home = f"White's advantage: {done.home:.0f} ±{done.home_error:.0f} points"
    if math.isnan(done.draw):
        return [home, "Draws count half a win and half a loss: the errors are too large"]
    if math.isinf(done.draw):
        return [home, "All games were drawn: everybody is equal, and how surely is not told"]
    error = "" if math.isnan(done.draw_error) else f" ±{done.draw_error:.2f}"
    equal = done.draw / (2 + done.draw)
    return [home, f"Draws: ν = {done.draw:.2f}{error}, so equal players draw {equal:.0%} of games"]


def _others(found: FittedEvents) -> list[str]:
    """Who has no rating, and why."""
    done = found.fit
    who = {own: [p.name for p, x in zip(found.players, done.rating, strict=True) if x == own]
           for own in (math.inf, -math.inf)}  # fmt: skip
    lines = [
        f"Only {what}, so without a rating: {_named(who[own])}"
        for own, what in ((math.inf, "wins"), (-math.inf, "losses"))
        if who[own]
    ]
    rated = dict.fromkeys([*who[math.inf], *who[-math.inf]])
    for number, group in enumerate(found.groups[1:], start=2):
        names = [player.name for player in group if player.name not in rated]
        if names:
            at = group[0].number - 1
            why = "all points went one way" if done.connected[at] else "no games lead there"
            lines.append(f"Group {number}, not comparable as {why}: {_named(names)}")
    if (more := len(lines) - MOST_SHOWN) > 0:
        lines[MOST_SHOWN:] = [f"and {many(more, 'group')} more"]
    return lines


def _named(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return "; ".join(names[:MOST_NAMED]) + (f"; and {more:,} more" if more > 0 else "")
