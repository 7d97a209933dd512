"""``elo-xl rate`` with a list in which nobody has a rating: a table, and a book of it.

Everybody begins at the same rating, and Elo's plain formula on the logistic curve goes game after
game, in the order of the days if all games have one. The book, ladder, doubles or game-night, is
filled and live: games that are typed into it go on where the list ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click
import numpy as np
from rich.markup import escape

from elo_xl.books.answers import many, number, phrase
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.fit import summed
from elo_xl.engine.sequence import Sides
from elo_xl.engine.systems import Elo, RatedGames, pairs_by_place
from elo_xl.engine.usual import USUAL_K, USUAL_MODEL, USUAL_START
from elo_xl.english import plural
from elo_xl.events.event import EventError, Finish, Game, OrdersError, Tournament, by_kind
from elo_xl.events.sided import SEVERAL, People, people_of, rate_sided
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
    games = in_time(event)
    if not games:
        raise click.ClickException("there is no game")
    at = {player.number: i for i, player in enumerate(event.players)}
    scores = np.array([game.score for game in games])
    elo, people = _plain_elo(options), people_of(event.players, games)
    notes = [event.reading, *by_kind(event.warnings)]
    if people is not None:
        names, lineup = people
        sides = np.arange(lineup.ends.size)
        rated = elo.carry_sides(lineup, sides[::2], sides[1::2], scores, len(names))
        own = np.repeat(np.ravel([scores, 1 - scores], "F"), lineup.sizes)
        points = summed(lineup.players, own, len(names))
        notes = [note for note in notes if SEVERAL not in note]
        notes.append(f"all {len(names)} people are rated; a side's rating is the mean of theirs")
        large = max(lineup.sizes) > 2
        book = _Book("doubles", "Doubles", list(_typed_sides(people, games)) if not large else [])
    else:
        names = [player.name for player in event.players]
        first, second = (np.array([at[n] for n in side]) for side in zip(
            *((game.first, game.second) for game in games), strict=True))  # fmt: skip
        rated = elo.carry(first, second, scores, len(at))
        points = summed(first, scores, len(at)) + summed(second, 1 - scores, len(at))
        book = _Book("ladder", "League", list(_typed(event, games)))
    for note in filter(None, notes):
        warn(note, "note")
    if left := len(event.games) - len(games):
        warn(f"{plural(left, 'game')} with a penalty left out: the result is unknown")
    if any(game.ground for game in games):
        warn("no home advantage is counted; elo-xl odds and the workbook league have one", "note")
    how = elo, options, target
    _tell_and_write(event.name, names, rated, points, book, how, event.understood)


def rate_orders(list_: OrdersError, options: RateOptions, target: Path | None) -> None:
    """Rate the tables of a list of orders of finish from nothing, print the table and write the
    book."""
    finishes = list_.finishes
    everybody = [name for finish in finishes for name in finish.names]
    spelt = {same_cell(name): name for name in reversed(everybody)}
    row = {key: i for i, key in enumerate(dict.fromkeys(map(same_cell, everybody)))}
    seats = np.array([row[same_cell(name)] for name in everybody])
    places = [float(place) for finish in finishes for place in finish.places]
    first, second, score, game, weight = pairs_by_place(places, [len(f.names) for f in finishes])
    elo = _plain_elo(options)
    lineup = Sides(seats, np.arange(seats.size) + 1)
    rated = elo.carry_sides(lineup, first, second, score, len(row), game=game, weight=weight)
    won = weight * score
    won = summed(first, won, seats.size) + summed(second, weight - won, seats.size)
    days = [finish.day for finish in finishes]
    for note in list_.notes:
        warn(note, "note")
    known = [day for day in days if day is not None]
    if known != sorted(known):
        warn("the dates are in another order than the lines")
    rows = list(_typed_finishes(finishes)) if max(len(f.names) for f in finishes) <= 8 else []
    names = [spelt[key] for key in row]
    book = _Book("game-night", "Table", rows)
    points = summed(seats, won, len(row)).round(6)
    _tell_and_write(list_.name, names, rated, points, book, (elo, options, target))


class _Book(NamedTuple):
    """The book that a list is written into."""

    template: str
    prefix: str
    """what the names of its settings begin with"""
    games: list[dict[str, Constant]]
    """what is typed into it; nothing if it has no room for so many players in a game"""


def _plain_elo(options: RateOptions) -> Elo:
    k = USUAL_K if options.k is None else options.k
    return Elo(
        k=k, start=USUAL_START if options.start is None else options.start, model=USUAL_MODEL
    )


def _tell_and_write(
    event: str,
    names: Sequence[str],
    rated: RatedGames,
    points: FloatArray,
    book: _Book,
    how: tuple[Elo, RateOptions, Path | None],
    understood: Sequence[str] = (),
) -> None:
    """Print what was rated from nothing, and write the book of it."""
    elo, options, target = how
    k, start = elo.k, elo.start
    assert isinstance(k, int | float)
    warn(
        f"nobody has a rating: all begin at {start:g} (--start) with K {k:g} (--k) on the "
        f"{elo.model} curve, game after game; ratings that there are: --players or --list",
        "note",
    )
    why = no_book(book, names, k, start)
    if target is not None and why:
        warn(f"no workbook is written: {why}", "note")
        target = None
    if target is not None:
        with progress("Writing the workbook"):
            _write(event, names, book, target, (int(k), int(start), options.lang))
    columns = rated.rating.tolist(), rated.games.tolist(), points.tolist()
    _tell(event, names, *columns, understood, k=k, start=start)
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


def no_book(book: _Book, names: Sequence[str], k: float, start: float) -> str:
    """Why the book of a list cannot hold it; nothing if it can."""
    of, count = gallery.TEMPLATES[book.template], len(book.games)
    if not count:
        return f"{book.template} has no room for so many players in a game"
    for what, many_, bounds in (("player", len(names), of.players), ("game", count, of.rounds)):
        if bounds and many_ > bounds[2]:
            return f"{book.template} has room for {bounds[2]:,} {what}s, and there are {many_:,}"
    named: dict[str, str] = {}
    for name in names:
        other = named.setdefault(same_cell(name), name)
        if other != name:
            return f"cells cannot tell {other!r} from {name!r}"
    if k != int(k) or not 1 <= k <= 200 or start != int(start) or not 100 <= start <= 4000:
        return f"{book.template} takes a whole K from 1 to 200 and a whole start from 100 to 4000"
    return ""


def _write(
    event: str, names: Sequence[str], book: _Book, target: Path, settings: tuple[int, int, str]
) -> None:
    """Write the book of a list with its players and games."""
    from elo_xl.xlsx.files import write_whole

    k, start, language = settings
    of = gallery.TEMPLATES[book.template]

    def room(count: int, bounds: tuple[int, int, int] | None) -> int:
        least, usual, most = bounds or (1, 1, 1)
        return max(least, min(most, max(usual, int(_ROOM * count))))

    content: Content = {
        "Event": event,
        f"{book.prefix}_k": k,
        f"{book.prefix}_start": start,
        "Games": book.games,
    }
    if book.template != "ladder":  # which finds its players in the games
        content = {**content, "Players": [{"name": name} for name in names]}
    chosen = gallery.options(
        book.template,
        language=language,
        players=room(len(names), of.players),
        rounds=room(len(book.games), of.rounds),
    )
    write_whole(target, gallery.make(book.template, chosen, content))


def _typed(event: Tournament, games: Sequence[Game]) -> Iterator[dict[str, Constant]]:
    names = {player.number: player.name for player in event.players}
    signs: dict[float, Constant] = {1.0: 1, 0.5: "½", 0.0: 0}
    for game in games:
        points = _points(game)
        result = signs[game.score] if points is None else "-".join(f"{x:g}" for x in points)
        pair = {"first": names[game.first], "second": names[game.second]}
        yield {"date": _in_bounds(game.day), **pair, "result": result}


def _typed_sides(people: People, games: Sequence[Game]) -> Iterator[dict[str, Constant]]:
    seats = np.split(people.lineup.players, people.lineup.ends[:-1])
    for game, ours, theirs in zip(games, seats[::2], seats[1::2], strict=True):
        row: dict[str, Constant] = {"date": _in_bounds(game.day)}
        for columns, side in ((("first", "second"), ours), (("third", "fourth"), theirs)):
            row |= {column: people.names[i] for column, i in zip(columns, side, strict=False)}
        points = _points(game) or (int(game.score > 0), int(game.score < 1))
        yield row | dict(zip(("ours", "theirs"), points, strict=True))


def _typed_finishes(finishes: Iterable[Finish]) -> Iterator[dict[str, Constant]]:
    for finish in finishes:
        row: dict[str, Constant] = {"date": _in_bounds(finish.day)}
        for n, (name, place) in enumerate(zip(finish.names, finish.places, strict=True), start=1):
            row |= {f"n{n}": name, f"p{n}": place}
        yield row


def _points(game: Game) -> tuple[float, float] | None:
    """The points of a game that a book takes."""
    known = game.points is not None and all(x == int(x) < 1000 for x in game.points)
    return game.points if known else None


def _in_bounds(day: date | None) -> date | None:
    return day if day is not None and _DAYS[0] <= day <= _DAYS[1] else None
