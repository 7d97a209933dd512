"""``elo-xl rate`` with a list in which nobody has a rating: a table, and the ladder's book of it.

Everybody begins at the same rating, and Elo's plain formula on the logistic curve goes game after
game, in the order of the days if all games have one. The book is filled and live: games that are
typed into it go on where the list ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import numpy as np
from rich.markup import escape

from elo_xl.books.answers import many, number, phrase
from elo_xl.engine.fit import summed
from elo_xl.engine.systems import Elo
from elo_xl.engine.usual import USUAL_K, USUAL_START
from elo_xl.english import plural
from elo_xl.events.event import EventError, Game, Tournament, by_kind
from elo_xl.events.sided import rate_sided
from elo_xl.functions.cells import to_text
from elo_xl.people import same_cell
from elo_xl.templates import gallery
from elo_xl.terminal.console import (
    MOST_SHOWN,
    console,
    plain_table,
    progress,
    tell_facts,
    tell_workbook,
    warn,
)

if TYPE_CHECKING:
    from elo_xl.books.book import Constant, Content
    from elo_xl.terminal.reading import RateOptions

_ROOM: Final = 1.25
"""How much larger than the list its book is, so that more games can be typed."""
_DAYS: Final = date(1950, 1, 1), date(2199, 12, 31)
"""the first and the last day that the book takes"""


def rate_sides(file: Path, options: RateOptions) -> None:
    """Rate the games of a book whose sides are of several players, and print the table."""
    with progress("Rating the games"):
        event = rate_sided(file.read_bytes(), options.k, options.start)
    warn(
        f"those without a rating begin at {event.start:g} (--start), with K {event.k:g} (--k); no "
        f"workbook is written, as this one, made from {event.template}, shows every step",
        "note",
    )
    rated = event.rated
    columns = rated.rating.tolist(), rated.games.tolist(), event.points.tolist()
    _tell(event.name, event.players, *columns, k=event.k, start=event.start)


def tell_own(event: Tournament) -> None:
    """Print the table of a book that rates by its own rules, with the ratings that it shows."""
    warn(
        "the ratings are the book's own, by its settings, and no workbook is written, as it shows "
        "every step; --rules rates the games in another way",
        "note",
    )
    at = {player.number: i for i, player in enumerate(event.players)}
    games, points = np.zeros((2, len(at)))
    for game in event.games:
        if game.second_score is None:
            sides = [at[game.first], at[game.second]]
            games[sides] += 1
            points[sides] += game.score, 1 - game.score
    names = [player.name for player in event.players]
    _tell(
        event.name, names, event.now, games.astype(int).tolist(), points.tolist(), event.understood
    )


def rate_ladder(event: Tournament, options: RateOptions, target: Path | None) -> None:
    """Rate the games of an event from nothing, print the table and write the book."""
    k = USUAL_K if options.k is None else options.k
    start = USUAL_START if options.start is None else options.start
    games = in_time(event)
    if not games:
        raise click.ClickException("there is no game")
    at = {player.number: i for i, player in enumerate(event.players)}
    first, second = (np.array([at[n] for n in side]) for side in zip(
        *((game.first, game.second) for game in games), strict=True))  # fmt: skip
    scores = np.array([game.score for game in games])
    rated = Elo(k=k, start=start, model="logistic").carry(first, second, scores, len(at))
    points = summed(first, scores, len(at)) + summed(second, 1 - scores, len(at))
    for note in filter(None, (event.reading, *by_kind(event.warnings))):
        warn(note, "note")
    if left := len(event.games) - len(games):
        warn(f"{plural(left, 'game')} with a penalty left out: the result is unknown")
    warn(
        f"nobody has a rating: all begin at {start:g} (--start) with K {k:g} (--k), game after "
        "game; ratings that there are: --players or --list",
        "note",
    )
    why = no_book(event, len(games), k, start)
    if target is not None and why:
        warn(f"no workbook is written: {why}", "note")
        target = None
    if target is not None:
        with progress("Writing the workbook"):
            write_ladder(event, games, target, k, start, options.lang)
    names = [player.name for player in event.players]
    columns = rated.rating.tolist(), rated.games.tolist(), points.tolist()
    _tell(event.name, names, *columns, event.understood, k=k, start=start)
    if target is not None:
        tell_workbook(target)


def in_time(event: Tournament) -> list[Game]:
    """The games with a known result in the order of their days, if all have one.

    Raises EventError where dates may be read in two ways, with another order of the games in each.
    """
    games = [game for game in event.games if game.second_score is None]
    days = [game.day for game in games if game.day is not None]
    if len(days) < len(games):
        return games
    if event.unordered is not None:
        raise EventError([event.unordered])
    return [game for _, game in sorted(zip(days, games, strict=True), key=lambda pair: pair[0])]


def _tell(
    event: str,
    players: Sequence[str],
    ratings: Sequence[float],
    games: Sequence[int],
    points: Sequence[float],
    understood: Sequence[str] = (),
    **settings: float,
) -> None:
    rows = [row for row in zip(players, ratings, games, points, strict=True) if row[2]]
    rows.sort(key=lambda row: (-row[1], row[0].casefold()))
    keys = ("name", "rating", "games", "score")
    facts = [dict(zip(keys, row, strict=True)) for row in rows]
    tell_facts(event=event, **settings, players=facts, understood=[*understood])
    table = plain_table("", "Name", numbers=("Rating", "Games", "Score"))
    for place, (name, rating, played, scored) in enumerate(rows[:MOST_SHOWN], start=1):
        score = number(to_text(round(scored, 2)))
        table.add_row(str(place), escape(name), f"{rating:.0f}", str(played), score)
    terminal = console()
    terminal.print(f"[bold]{escape(event)}[/]")
    terminal.print(table)
    if (more := len(rows) - MOST_SHOWN) > 0:
        terminal.print(phrase("and {players} more: -o writes all", players=many(more, "player")))


def no_book(event: Tournament, games: int, k: float, start: float) -> str:
    """Why the ladder's book cannot hold a list; nothing if it can."""
    ladder = gallery.TEMPLATES["ladder"]
    for what, count, bounds in (
        ("player", len(event.players), ladder.players),
        ("game", games, ladder.rounds),
    ):
        if bounds and count > bounds[2]:
            return f"the ladder's book has room for {bounds[2]:,} {what}s, and there are {count:,}"
    named: dict[str, str] = {}
    for player in event.players:
        other = named.setdefault(same_cell(player.name), player.name)
        if other != player.name:
            return f"cells cannot tell {other!r} from {player.name!r}"
    if k != int(k) or not 1 <= k <= 200 or start != int(start) or not 100 <= start <= 4000:
        return "the ladder's book takes a whole K from 1 to 200 and a whole start from 100 to 4000"
    return ""


def write_ladder(
    event: Tournament, games: Sequence[Game], target: Path, k: float, start: float, language: str
) -> None:
    """Write the ladder's book with the games of a list."""
    from elo_xl.xlsx.files import write_whole

    ladder = gallery.TEMPLATES["ladder"]

    def room(count: int, bounds: tuple[int, int, int] | None) -> int:
        least, usual, most = bounds or (1, 1, 1)
        return max(least, min(most, max(usual, int(_ROOM * count))))

    content: Content = {
        "Event": event.name,
        "League_k": int(k),
        "League_start": int(start),
        "Games": list(_typed(event, games)),
    }
    chosen = gallery.options(
        "ladder",
        language=language,
        players=room(len(event.players), ladder.players),
        rounds=room(len(games), ladder.rounds),
    )
    write_whole(target, gallery.make("ladder", chosen, content))


def _typed(event: Tournament, games: Sequence[Game]) -> Iterator[dict[str, Constant]]:
    names = {player.number: player.name for player in event.players}
    signs: dict[float, Constant] = {1.0: 1, 0.5: "½", 0.0: 0}
    for game in games:
        result = signs[game.score]
        if game.points is not None and all(x == int(x) < 1000 for x in game.points):
            result = "-".join(f"{x:g}" for x in game.points)
        day = game.day if game.day is not None and _DAYS[0] <= game.day <= _DAYS[1] else None
        pair = {"first": names[game.first], "second": names[game.second]}
        yield {"date": day, **pair, "result": result}
