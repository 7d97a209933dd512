"""``elo-xl fit``: ratings of everybody, fitted to all games of events at once.

Sheets of the book: *Ratings* with White's advantage and the draws, *Chart* with the first players
and their errors, *Expected scores* between them, a heat map, and a hidden one with the points of
the chart. All hold values, made again every time.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.markup import escape

from elo_xl.books.answers import many, number, phrase
from elo_xl.engine import fit as engine
from elo_xl.engine.arrays import FloatArray, finite
from elo_xl.engine.outcomes import DAVIDSON, outcomes
from elo_xl.events.event import EventError, Player, Problem
from elo_xl.events.games import OFTEN, ONCE
from elo_xl.events.merging import AllGames, all_games
from elo_xl.events.names import find_player
from elo_xl.functions.cells import to_text
from elo_xl.languages import ENGLISH
from elo_xl.questions.histories import Finding, find, tell_notes
from elo_xl.terminal.answers import ResultFile, results
from elo_xl.terminal.console import plain_table
from elo_xl.terminal.options import Choice, gather
from elo_xl.terminal.reading import COLUMNS, ENCODING, NAMES, ReadOptions, event_option
from elo_xl.xlsx.cell_xml import kept_text

if TYPE_CHECKING:
    from elo_xl.books.book import Book, Constant, Row
    from elo_xl.club.ledger import Ledger

_WIDE: Final = 150.0
"""A usual error that makes a rating worthless beside others, in points."""
_FIELDS: Final = ("name", "id", "group", "rating", "error", "played", "score", "expected")


Anchors = Sequence[tuple[str, float | None]]
"""who has a fixed rating, and which, unless it is the usual one"""


@dataclass(frozen=True, slots=True)
class FittedEvents:
    """Ratings that were fitted to the games of events."""

    players: tuple[Player, ...]
    """everybody who has played, in the order of the fit"""
    fit: engine.Fit
    anchors: Sequence[tuple[str, float]]
    """whose ratings were given, and which"""
    level: float
    """the mean of the main group if there are none"""
    coloured: bool
    """whether the files tell who had White, or was at home, in all games"""
    home: bool
    """whether sides are at home, and nobody has White"""
    games: int
    penalties: int
    """games left out, as a penalty hides their result"""
    notes: tuple[Problem, ...]

    @property
    def order(self) -> list[int]:
        """The players of the main group by rating, then the others, by group and name."""
        group, rating = self.fit.group, self.fit.rating

        def key(i: int) -> tuple[int, float, str]:
            by_rating = -float(rating[i]) if group[i] == 0 and np.isfinite(rating[i]) else 0.0
            return int(group[i]), by_rating, self.players[i].name.casefold()

        return sorted(range(len(self.players)), key=key)

    @property
    def groups(self) -> list[list[Player]]:
        """The players within each group, the main one first."""
        groups: list[list[Player]] = [[] for _ in range(int(self.fit.group.max(initial=-1)) + 1)]
        for player, group in zip(self.players, self.fit.group.tolist(), strict=True):
            groups[group].append(player)
        return groups

    def scale(self, mean: str) -> str:
        """What was given: the ratings of anchors, or the mean, which is called so."""
        given = self.anchors or [(mean, self.level)]
        return "; ".join(f"{name}: {number(to_text(rating))}" for name, rating in given)

    def rows(self) -> list[dict[str, str | int | float | None]]:
        """A row per player, in :attr:`order`; None for a number that games do not tell."""
        fit = self.fit
        return [
            {
                "name": self.players[i].name,
                "id": self.players[i].id,
                "group": int(fit.group[i]) + 1,
                "rating": finite(fit.rating[i]),
                "error": finite(fit.error[i]),
                "played": int(fit.games[i]),
                "score": float(fit.score[i]),
                "expected": finite(fit.expected[i]),
            }
            for i in self.order
        ]

    def as_csv(self) -> bytes:
        """The rows as a CSV file that Excel opens in UTF-8, with four digits after the point; no
        name becomes a formula."""
        text = io.StringIO()
        writer = csv.DictWriter(text, _FIELDS)
        writer.writeheader()
        for row in self.rows():
            texts = {key: kept_text(str(row[key])) for key in ("name", "id")}
            numbers = {key: round(x, 4) for key, x in row.items() if isinstance(x, float)}
            writer.writerow({**row, **numbers, **texts})
        return text.getvalue().encode("utf-8-sig")


def fit_games(
    games: AllGames, *, anchors: Anchors, rating: float, draws: str, errors: bool
) -> FittedEvents:
    """Fit ratings to the games of many events.

    ``anchors`` names players with their ratings, ``rating`` if None; the other options are those of
    :func:`~elo_xl.engine.fit.fit`. White's advantage is fitted if all files tell the colours.

    Raises EventError for an anchor that fits no player or several, or is there twice, DomainError
    where there are no most likely ratings.
    """
    players = games.players
    fixed: dict[int, float] = {}
    for who, own in anchors:
        at = _find(players, who)
        if at in fixed:
            raise EventError([Problem(f"--anchor names {players[at].name!r} twice")])
        fixed[at] = rating if own is None else own
    done = engine.fit(
        games.first,
        games.second,
        games.score,
        len(players),
        anchor=fixed,
        level=rating,
        draws=draws,
        colours=games.coloured,
        counts=games.times,
        errors=errors,
        neutral=games.neutral,
    )
    notes = (replace(note, what=note.what.replace(ONCE, OFTEN)) for note in games.notes)
    return FittedEvents(
        players,
        done,
        [(players[at].name, own) for at, own in fixed.items()],
        rating,
        games.coloured,
        games.home,
        games.score.size if games.times is None else int(games.times.sum()),
        games.penalties,
        tuple(notes),
    )


def _find(players: Sequence[Player], who: str) -> int:
    return find_player(players, who).number - 1


STEPS: Final = (10, 20, 50, 100, 200, 500, 1000)
MOST_LINES: Final = 8
"""Rating points between the lines of the chart, and about how many lines there are."""

DRAWN: Final = 30
MET: Final = 20
"""Players of the chart, and of the heat map."""

_SHEETS: Final = """
sheet ratings freeze:rating stretch:name
    note counted
    note about_ratings
    ?several note about_group
    table Ratings
        place       0 quiet
        name        left strong
        ?id id      @ left
        ?several group 0 quiet
        rating      0 strong
        error       0
        games       0
        score       0.0
        expected    0.00
        ?several why left quiet

sheet chart titles:none down:1
    note about_chart players=drawn
    ?errors note about_errors
    ?drawn chart chart_ratings
        x column_name @
        y column_rating 0 {low}..{high} {step}
        curve Drawn name rating points errors:twice
    table Parameters
        what        left strong
        value
        error
"""

_DRAWN: Final = """
sheet expected titles:none down:1 freeze:v1 stretch:name
    note about_expected
    table Expected
        place       0 quiet
        name        left strong
        v{j}        0.00 heading:{j} center
    heat v1:v{met}

sheet points hidden
    note about_points
    table Drawn
        name        left
        rating      0
        twice       0
"""


def fitted_book(fitted: FittedEvents, language: str = ENGLISH) -> Book:
    """The workbook of fitted ratings, worked out."""
    from elo_xl.books.book import Book, Options

    book = Book("fitted", Options(language=language))
    fit, say, rows = fitted.fit, book.say, fitted.rows()
    rated = [i for i in fitted.order if fit.group[i] == 0 and math.isfinite(fit.rating[i])]
    first = rated[:MET]
    fixed = fitted.scale(say("mean"))
    book.texts["counted"] = say("counted", games=fitted.games, players=len(rows), fixed=fixed)
    drawn = np.array(rated[:DRAWN], int)
    ratings, twice = fit.rating[drawn], np.nan_to_num(2 * fit.error[drawn], posinf=0.0)
    low, high = min(ratings - twice, default=0), max(ratings + twice, default=0)
    step = next((s for s in STEPS if high - low <= MOST_LINES * s), STEPS[-1])
    book.read(
        _SHEETS + (_DRAWN if first else ""),
        j=range(1, len(first) + 1),
        Ratings=list(_ratings(book, fitted)),
        Parameters=list(_parameters(book, fitted)),
        Expected=list(_expected(fitted, first)),
        Drawn=[
            {"name": fitted.players[i].name, "rating": float(rating), "twice": float(two)}
            for i, rating, two in zip(drawn.tolist(), ratings, twice, strict=True)
        ],
        several=len(rated) < len(rows),
        id=any(player.id for player in fitted.players),
        drawn=drawn.size,
        errors=bool(twice.any()),
        met=len(first),
        low=step * math.floor(low / step),
        high=step * (math.floor(high / step) + 1),
        step=step,
    )
    book.finish()
    return book


def _ratings(book: Book, fitted: FittedEvents) -> Iterator[Row]:
    fit, place = fitted.fit, 0
    for i, row in zip(fitted.order, fitted.rows(), strict=True):
        why = ""
        if row["rating"] is not None:
            place += 1
        elif math.isinf(fit.rating[i]):
            why = "wins" if fit.rating[i] > 0 else "losses"
        else:
            why = "one_way" if fit.connected[i] else "apart"
        shown = {"place": place if not why else None, "why": book.say(f"why_{why}") if why else ""}
        yield {**row, "games": row["played"], **shown}


def _parameters(book: Book, fitted: FittedEvents) -> Iterator[Row]:
    """White's advantage and the draws, as far as the games tell them."""
    fit = fitted.fit

    def row(key: str, value: float, error: float, digits: int) -> Iterator[Row]:
        if math.isfinite(value):
            yield {
                "what": book.say(f"what_{key}"),
                "value": round(value, digits),
                "error": round(error, digits) if math.isfinite(error) else None,
            }

    if fitted.coloured and not math.isnan(fit.home_error):
        yield from row("ground" if fitted.home else "home", fit.home, fit.home_error, 1)
    yield from row("draw", fit.draw, fit.draw_error, 2)
    yield from row("equal", fit.draw / (2 + fit.draw), math.nan, 2)


def _scores(fit: engine.Fit, differences: npt.ArrayLike) -> FloatArray:
    """The expected scores at differences of ratings, with the draws of a fit."""
    draws = "split" if math.isnan(fit.draw) else f"{DAVIDSON}:{min(fit.draw, 1e6)!r}"
    chances = outcomes(differences, draws, "logistic")
    return chances[..., 0] + chances[..., 1] / 2


def _expected(fitted: FittedEvents, players: Sequence[int]) -> Iterator[Row]:
    """The expected scores of players against each other."""
    ratings = fitted.fit.rating[list(players)]
    scores = _scores(fitted.fit, np.subtract.outer(ratings, ratings))
    for i, player in enumerate(players):
        cells: dict[str, Constant] = {
            f"v{j + 1}": float(scores[i, j]) for j in range(len(players)) if j != i
        }
        yield {"place": i + 1, "name": fitted.players[player].name, **cells}


CSV = ".csv"

MOST_SHOWN = 100
"""Players, groups and notes that a terminal shows."""
MOST_NAMED = 5
"""Players of a group that it names."""


def _anchors(ctx: click.Context, option: click.Parameter, given: Sequence[str]) -> Anchors:
    """The names, with their ratings behind the last sign of equality, if they have one."""
    apart = [(text, *text.rpartition("=")[::2]) for text in filter(None, given)]
    return [(name, click.FLOAT(rating.strip(), option, ctx)) if name else (text, None)
            for text, name, rating in apart]  # fmt: skip


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path))
@click.option(
    "--anchor",
    "anchors",
    metavar="NAME[=RATING]",
    multiple=True,
    callback=_anchors,
    help="Player whose rating is fixed: a name or an ID; may be given several times.",
)
@click.option(
    "--rating",
    type=float,
    default=engine.LEVEL,
    show_default=True,
    help="The rating of an anchor without one, or the mean of all if there is no anchor.",
)
@click.option(
    "--draws",
    type=Choice(engine.DRAWS),
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
    ReadOptions,
    COLUMNS,
    NAMES,
    event_option("Event of a PGN file, which may be given twice; all of them if omitted."),
    ENCODING,
)
@results(CSV)
def fit(
    files: tuple[Path, ...],
    anchors: Anchors,
    rating: float,
    draws: str,
    compare: tuple[str, str] | None,
    no_errors: bool,
    how: ReadOptions,
    result: ResultFile,
) -> None:
    """Fit ratings to all games of the files at once: those under which the results are most likely,
    with standard errors, White's advantage and the part of draws.

    FILE is any that `elo-xl rate` reads, a folder of such files, or a club's book: its rated games
    of every kind of play. No ratings are needed. A player is one person in all files, by number or
    by name. A game counts as often as a column such as times or count says. A file that cannot be
    read does not stop the others: nothing of it is counted, and the exit code is 1.
    """

    def fitted(games: AllGames) -> _Fitted:
        ratings = fit_games(
            games, anchors=anchors, rating=rating, draws=draws, errors=not no_errors
        )
        return ratings, None if compare is None else _compared(ratings, compare)

    find(
        Finding(
            "Fitting the ratings",
            lambda book: fitted(_rated_games(book)),
            lambda read: fitted(all_games(read)),
            lambda both: fitted_book(both[0], result.lang),
            _facts,
            _print,
            "a club's book has no use for --columns, --names, --event and --encoding",
            {CSV: lambda both: both[0].as_csv()},
        ),
        files,
        how,
        result,
    )


def _rated_games(book: Ledger) -> AllGames:
    # loaded here, as books are: who asks what the command can do need not wait for them
    from elo_xl.club.exporting import rated_games

    return rated_games(book, every=True)[0]


_Fitted = tuple[FittedEvents, tuple[float, str] | None]
"""Ratings, and the chance that one of two players is the stronger one, also in a sentence."""


def _compared(fitted: FittedEvents, compare: tuple[str, str]) -> tuple[float, str]:
    one, two = (_find(fitted.players, who) for who in compare)
    chance = fitted.fit.stronger(one, two)
    ahead, error = fitted.fit.difference(one, two)
    names = fitted.players[one].name, fitted.players[two].name
    return chance, phrase(
        "{first} is stronger than {second} with a chance of {chance:.1f} %: the difference is "
        "{ahead:+.0f} ±{error:.0f}",
        first=names[0],
        second=names[1],
        chance=100 * chance,
        ahead=ahead,
        error=error,
    )


def _facts(both: _Fitted) -> dict[str, object]:
    fitted, compared = both
    done = fitted.fit
    numbers = {
        "home": done.home,
        "home_error": done.home_error,
        "draw": done.draw,
        "draw_error": done.draw_error,
        "log_likelihood": done.log_likelihood,
    }
    return {
        "games": fitted.games,
        "anchor": fitted.anchors[0][0] if fitted.anchors else None,
        "anchors": [{"name": name, "rating": own} for name, own in fitted.anchors],
        "players": fitted.rows(),
        **{key: x if math.isfinite(x) else None for key, x in numbers.items()},
        "groups": [[player.name for player in group] for group in fitted.groups],
        "chance": compared and compared[0],
        "notes": [str(note) for note in fitted.notes],
    }


def _print(terminal: Console, both: _Fitted) -> None:
    fitted, compared = both
    tell_notes(fitted.notes, fitted.penalties, MOST_SHOWN)
    done, order = fitted.fit, fitted.order
    # one group only: nothing ties the levels of others to it, and _others tells of them
    rated = [i for i in order if done.group[i] == 0 and math.isfinite(done.rating[i])]
    terminal.print(
        phrase(
            "{games} of {players}",
            games=many(fitted.games, "game"),
            players=many(len(fitted.players), "player"),
        )
    )
    table = plain_table("", "Name", numbers=("Rating", "Error", "Games", "Score"))
    for place, i in enumerate(rated[:MOST_SHOWN], start=1):
        error = done.error[i]
        table.add_row(
            str(place),
            escape(fitted.players[i].name),
            f"{done.rating[i]:.0f}",
            "" if math.isnan(error) else "∞" if math.isinf(error) else f"±{error:.0f}",
            str(done.games[i]),
            number(to_text(done.score[i].item())),
        )
    if rated:
        terminal.print(table)
    if (more := len(rated) - MOST_SHOWN) > 0:
        terminal.print(phrase("and {players} more: -o writes all", players=many(more, "player")))
    terminal.print()
    scale = phrase(
        "{fixed}. ±: two times in three, the true difference from that lies within these bounds",
        fixed=fitted.scale(phrase("The mean of these ratings")),
    )
    for line in (scale, *_besides(fitted), *_others(fitted)):
        terminal.print(escape(line), soft_wrap=True)
    if compared is not None:
        terminal.print(compared[1], markup=False, soft_wrap=True)


def _besides(fitted: FittedEvents) -> Iterator[str]:
    """How sure the ratings are, White's advantage and the draws, in sentences."""
    done = fitted.fit
    errors = done.error[(done.group == 0) & np.isfinite(done.error)]
    if errors.size and (usual := float(np.median(errors))) > _WIDE:
        yield phrase(
            "These games are few: half of the ratings are uncertain by ±{usual:.0f} or more; "
            "the games of a season, or of several events, tell more",
            usual=usual,
        )
    if not fitted.coloured:
        home = phrase(
            "White's advantage is not fitted: the files do not tell the colours of all games"
        )
    elif math.isnan(done.home_error):
        home = phrase(
            "Home advantage: these games do not tell it"
            if fitted.home
            else "White's advantage: these games do not tell it"
        )
    else:
        home = phrase(
            "Home advantage: {home:.0f} ±{home_error:.0f} points, with which the home side scores "
            "{share:.0%} against an equal"
            if fitted.home
            else "White's advantage: {home:.0f} ±{home_error:.0f} points, with which White scores "
            "{share:.0%} against an equal",
            home=done.home,
            share=float(_scores(done, done.home)),
            home_error=done.home_error,
        )
    yield home
    if math.isnan(done.draw):
        yield phrase("Draws count half a win and half a loss; errors follow the results")
    elif math.isinf(done.draw):
        yield phrase("All games were drawn: everybody is equal, and how surely is not told")
    else:
        error = "" if math.isnan(done.draw_error) else number(f" ±{done.draw_error:.2f}")
        equal = done.draw / (2 + done.draw)
        yield phrase(
            "Draws: ν = {draw:.2f}{error}, so equal players draw {equal:.0%} of games",
            draw=done.draw,
            error=error,
            equal=equal,
        )


def _others(fitted: FittedEvents) -> list[str]:
    """Who has no rating, and why."""
    done = fitted.fit
    who = {rating: [p.name for p, x in zip(fitted.players, done.rating, strict=True) if x == rating]
           for rating in (math.inf, -math.inf)}  # fmt: skip
    lines = [
        phrase(what, named=_named(who[rating]))
        for rating, what in (
            (math.inf, "Only wins, so without a rating: {named}"),
            (-math.inf, "Only losses, so without a rating: {named}"),
        )
        if who[rating]
    ]
    rated = dict.fromkeys([*who[math.inf], *who[-math.inf]])
    for count, group in enumerate(fitted.groups[1:], start=2):
        names = [player.name for player in group if player.name not in rated]
        if names:
            at = group[0].number - 1
            why = (
                phrase("all points went one way")
                if done.connected[at]
                else phrase("no games lead there")
            )
            lines.append(
                phrase(
                    "Group {number}, not comparable as {why}: {named}",
                    number=count,
                    why=why,
                    named=_named(names),
                )
            )
    if (more := len(lines) - MOST_SHOWN) > 0:
        lines[MOST_SHOWN:] = [phrase("and {groups} more", groups=many(more, "group"))]
    return lines


def _named(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return "; ".join(names[:MOST_NAMED]) + (
        phrase("; and {more:,} more", more=more) if more > 0 else ""
    )
