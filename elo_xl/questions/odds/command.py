"""``elo-xl odds``: the odds of every place of an event under way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final, TypedDict

import click
import numpy as np

from elo_xl.books.answers import phrase, speaking, spoken
from elo_xl.books.layout import MOST_UPRIGHT
from elo_xl.books.styles import BOLD, LINE_HEIGHT, PADDING, TABS
from elo_xl.books.text import text_width, wrapped_lines
from elo_xl.books.texts import texts
from elo_xl.engine.tie_breaks import EDITIONS
from elo_xl.events.event import NoRatingsError, Tournament
from elo_xl.events.merging import that_matter
from elo_xl.languages import LANGUAGES
from elo_xl.publish.page import Page, PageColumn, PageRow, table
from elo_xl.questions.odds.league import is_league, league_odds, read_points
from elo_xl.questions.odds.runs import ENDINGS, Odds, odds
from elo_xl.terminal.answers import OutputOptions, answers, show, write
from elo_xl.terminal.console import progress, tell, tell_copy, tell_facts, wants_json, warn
from elo_xl.terminal.options import Choice, gather, known_model
from elo_xl.terminal.reading import EXISTING, ReadOptions, reads_an_event
from elo_xl.xlsx.added_sheet import Paper, StyledCell, with_sheet
from elo_xl.xlsx.in_place import WorkbookError, read_parts, with_parts

Worth = tuple[float, float, float]
"""what a win, a draw and a loss are worth"""
_DAY: Final = "yyyy-mm-dd"
_ABOVE: Final = 3
"""the row of the first sentence"""
_LEAST: Final = 6.0
"""of widths: the longest number is 100.0"""
_FORMS: Final = ("0", "0.0", "0.00")


def odds_page(
    event: str, forecast: Odds, top: int, day: date, language: str = "en", last: int = 0
) -> Page:
    """Everybody's expected points and chances of the first places, the likeliest winner first.

    Chances are in percent; ``top`` is the last place that has a column, and ``last`` says of how
    many last places there is one.
    """
    if (winners := settled(forecast)) is not None:
        return _over(event, forecast, winners, day, language)
    say = texts(language)
    finals = forecast.finals
    top = min(top, len(forecast.players))
    chances = [finals.place(place)[0] for place in range(1, top + 1)]
    among = finals.among(top)[0]
    last = min(last, len(forecast.players))
    relegated = 1 - finals.among(len(forecast.players) - last)[0] if last else among
    expected = finals.mean(finals.points)[0]
    order = np.lexsort((-expected, *(-chance for chance in reversed(chances))))
    group = say("odds.of_place")
    columns = [
        PageColumn("name", say("form.column_name"), align="left"),
        PageColumn("rating", say("form.column_rating")),
        PageColumn("points", say("form.column_points"), _decimals(forecast)),
        PageColumn("expected", say("odds.expected"), 2),
        *(PageColumn(f"place_{p}", str(p), 1, group=group) for p in range(1, top + 1)),
    ]
    if top > 1:
        columns.append(PageColumn("among", say("odds.first_places", top=top), 1, group=group))
    if last:
        columns.append(PageColumn("last", say("odds.last_places", last=last), 1, group=group))
    rows: list[PageRow] = [
        {
            "name": forecast.players[i].name,
            "rating": forecast.players[i].rating,
            "points": float(forecast.points[i]),
            "expected": float(expected[i]),
            **{f"place_{p}": 100 * float(chance[i]) for p, chance in enumerate(chances, start=1)},
            "among": 100 * float(among[i]),
            "last": 100 * float(relegated[i]),
        }
        for i in order.tolist()
    ]
    title = say("odds.title", event=event).strip()
    return Page(
        language,
        title,
        how(forecast, top, language),
        [table("odds", say("odds.sheet"), columns, rows, ("name", "points"))],
        day=day,
        notes=[_ties(forecast, language)],
    )


def _ties(forecast: Odds, language: str) -> str:
    """What orders players with equal points, in a sentence."""
    say, codes = texts(language), forecast.tie_breaks
    if forecast.league and codes:
        named = ", ".join(say(f"odds.tie_{code.lower()}") for code in codes)
        return say("odds.by_goals", ties=named)
    return say("odds.by_ties", ties=", ".join(codes)) if codes else say("odds.by_lot")


def _decimals(forecast: Odds) -> int:
    """Of points so far: whole ones of a league have none."""
    return 0 if forecast.league and (forecast.points % 1 == 0).all() else 1


def settled(forecast: Odds) -> list[int] | None:
    """The players by place, where all is over and no lot decides a place."""
    if forecast.games or forecast.to_pair:
        return None
    places = range(1, len(forecast.players) + 1)
    chances = np.array([forecast.finals.place(place)[0] for place in places])
    return chances.argmax(1).tolist() if np.isin(chances, (0, 1)).all() else None


def _over(event: str, forecast: Odds, order: Sequence[int], day: date, language: str) -> Page:
    """The page of an event that is over: there are no odds any more, but a winner."""
    say = texts(language)
    columns = [
        PageColumn("place", say("form.column_place"), align="center"),
        PageColumn("name", say("form.column_name"), align="left"),
        PageColumn("rating", say("form.column_rating")),
        PageColumn("points", say("form.column_points"), _decimals(forecast)),
    ]
    rows: list[PageRow] = [
        {
            "place": place,
            "name": forecast.players[i].name,
            "rating": forecast.players[i].rating,
            "points": float(forecast.points[i]),
        }
        for place, i in enumerate(order, start=1)
    ]
    with speaking(language):
        winner = phrase(
            "{name} has won with {points:g} points.",
            name=rows[0]["name"],
            points=float(forecast.points[order[0]]),
        )
    return Page(
        language,
        say("odds.title", event=event).strip(),
        say("odds.over"),
        [table("odds", say("odds.sheet"), columns, rows, ("name", "points"))],
        day=day,
        notes=[winner, _ties(forecast, language)],
    )


def how(forecast: Odds, top: int, language: str) -> str:
    """In a sentence, how the odds were found and how sure they are."""
    say = texts(language)
    if not (forecast.games or forecast.to_pair):
        return say("odds.over")
    rounds = "rounds_one" if forecast.to_pair == 1 else "rounds_many"
    return say(
        f"odds.{forecast.method}",
        games=forecast.games,
        runs=len(forecast.finals.weights),
        rounds=say(f"odds.{rounds}", rounds=forecast.to_pair),
        blocks=forecast.finals.blocks,
        endings=ENDINGS,
        error=LANGUAGES[language].number(f"{100 * worst_error(forecast, top):.1f}"),
    )


def worst_error(forecast: Odds, top: int) -> float:
    """The largest standard error of a chance that is shown."""
    finals = forecast.finals
    return float(max(finals.place(place)[1].max() for place in range(1, top + 1)))


def in_book(file: bytes, page: Page) -> bytes:
    """The file of a book with the page as its last sheet, the day beside it.

    Raises WorkbookError for a file that is no such workbook.
    """
    parts = read_parts(file)
    listed, say = page.list, texts(page.language)
    columns = listed.columns
    group = next((n for n, column in enumerate(columns) if column.group), None)
    sides = ["left" if column.align == "left" else "center" for column in columns]
    sentences = (page.below, *page.notes)

    def heading(texts_: Sequence[str | None]) -> list[StyledCell]:
        pairs = zip(texts_, sides, strict=True)
        return [StyledCell(text, look="Elo heading", align=side) for text, side in pairs]

    above = [column.group if n == group else None for n, column in enumerate(columns)]
    rows = [
        [StyledCell(page.title, look="Elo title")],
        [
            StyledCell(say("odds.day"), look="Elo subtitle"),
            StyledCell(page.day, _DAY, "Elo subtitle", "center"),
        ],
        *([StyledCell(sentence, look="Elo paragraph", align="left")] for sentence in sentences),
        [],
        heading(above),
        heading([column.heading for column in columns]),
        *(
            [
                StyledCell(line[c.key], _FORMS[c.decimals or 0], "Elo computed", side)
                for c, side in zip(columns, sides, strict=True)
            ]
            for line in listed.rows
        ),
    ]
    # the sentences run across all columns, so their heights follow from the widths
    widths = [_width(column, listed.rows) for column in columns]
    widths[1] = max(widths[1], PADDING + text_width(str(page.day)))
    across = sum(widths)
    lines = max(wrapped_lines(c.heading, w / BOLD) for c, w in zip(columns, widths, strict=True))
    first = _ABOVE + len(sentences)
    heights = {n: LINE_HEIGHT * wrapped_lines(sentence, across - PADDING)
               for n, sentence in enumerate(sentences, start=_ABOVE)}  # fmt: skip
    spans = [] if group is None else [(first + 1, group + 1, len(columns))]
    paper = Paper(
        widths,
        {1: 24.0, **heights, first + 2: LINE_HEIGHT * lines},
        [*((n, 1, len(columns)) for n in heights), *spans],
        (first + 1, first + 2),
        across <= MOST_UPRIGHT,
        TABS["result"],
        say("form.paging", page="&P", pages="&N"),
    )
    return with_parts(file, with_sheet(parts, listed.title, rows, paper))


def _width(column: PageColumn, rows: Sequence[PageRow]) -> float:
    """The width of a column in digits, as its heading and its names need it."""
    names = (str(row[column.key]) for row in rows) if column.align == "left" else ()
    words = (BOLD * text_width(word) for word in column.heading.split())
    return PADDING + max(_LEAST, *words, *map(text_width, names))


def _codes(_: click.Context, __: click.Parameter, text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    return tuple(c for part in text.split(",") if (c := part.strip().upper()) not in ("", "NONE"))


def _points(_: click.Context, __: click.Parameter, text: str | None) -> Worth | None:
    return None if text is None else read_points(text)


class Playing(TypedDict, total=False):
    """How the games to come are played: the options of :func:`.odds` and :func:`.league_odds`."""

    rounds: int | None
    tie_breaks: tuple[str, ...] | None
    model: str
    draws: str
    runs: int | None
    seed: int
    edition: str | None
    points: Worth
    home: float


_OF_SWISS: Final = ("rounds", "edition")
_OF_LEAGUE: Final = ("points", "home")


def _foretold(event: Tournament, playing: Playing) -> Odds:
    """The odds of a league, or of an event of players; an option of the other one is refused."""
    given = {name: value for name, value in playing.items() if value is not None}
    league = "points" in given or is_league(event)
    for name in _OF_SWISS if league else _OF_LEAGUE:
        if name in given:
            what = "other events than leagues" if league else "a league: name its --points"
            raise click.UsageError(f"--{name} is for {what}")
    return (league_odds if league else odds)(event, **given)  # type: ignore[arg-type]


@click.command("odds")
@click.argument("file", type=EXISTING)
@click.option("--rounds", type=click.IntRange(1), help="Rounds of the event, if FILE does not say.")
@click.option(
    "--tie-breaks",
    metavar="CODE,…",
    callback=_codes,
    help="Tie-breaks that count, by FIDE's codes, such as BH-C1,BH,SB, or none; those of FILE if "
    "omitted. Of a league GD,GF,WIN: difference of goals, goals, wins.",
)
@click.option(
    "--model",
    metavar="CURVE",
    callback=known_model,
    help="Curve of the expected scores, as in ELO_EXPECTED: logistic, logistic:300; normal, or "
    "logistic for a league, if omitted.",
)
@click.option(
    "--draws",
    help="How many games are drawn: split, davidson:0.8, rao-kupper:90; split, or in a league as "
    "many as so far, if omitted.",
)
@click.option(
    "--points",
    metavar="WIN-DRAW-LOSS",
    callback=_points,
    help="What a win, a draw and a loss are worth in a league; those of the book, or 3-1-0, if "
    "omitted.",
)
@click.option(
    "--home",
    type=click.FloatRange(-1000, 1000),
    help="Advantage of the home side of a league, in rating points; the book's, or fitted to the "
    "games, if omitted.",
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
    "--edition",
    type=Choice(tuple(EDITIONS)),
    help="Edition of FIDE's tie-breaks (C.07); the one in force on the first day if omitted.",
)
@click.option(
    "--top", type=click.IntRange(1), default=3, show_default=True, help="Last place to show."
)
@click.option(
    "--last", type=click.IntRange(0), default=0, help="Show the chance of the last places: so many."
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
    last: int,
    how: ReadOptions,
    into: OutputOptions,
    into_book: bool,
) -> None:
    """Show who will win the event in FILE with which probability, and the odds of the next places.

    FILE is any that `elo-xl rate` reads. Open games end as the ratings say. In an event in which
    everybody meets everybody the odds are exact while few games are left. Rounds of a Swiss that
    are to come are paired by FIDE's Dutch system, for which the package gacrux is needed
    (pip install "gacrux<1.12").

    A list of games at home and away, or the book league, is a league: games without a result are to
    come, a win is worth three points, and the difference of goals orders equal points.
    """
    language = _language(file) if into_book else "en"
    targets = into.files(f"{file.stem}-odds")
    try:
        event = how.read(file, unplayed=True)
    except NoRatingsError:
        event = how.read(file, unplayed=True, unrated=True)
        if not (playing.get("points") or is_league(event)):
            raise
    with progress("Playing the event to its end"):
        forecast = _foretold(event, playing)
    today = date.today()
    page = odds_page(event.name, forecast, top, today, spoken(), last)
    if wants_json():  # every place takes longer than the first ones
        tell_facts(**_facts(event.name, forecast, today))
    show(page)
    for note in (*forecast.notes, *map(str, that_matter(event.warnings))):
        warn(note, "note" if forecast.league else "warning")
    if forecast.failed:
        warn(f"{forecast.failed} runs are left out: in these no pairing of a round was left")
    if targets:
        write(page, targets)
    if into_book:
        _write_into(file, odds_page(event.name, forecast, top, today, language, last))


def _language(file: Path) -> str:
    """The language of a book."""
    from elo_xl.events.books import template_of
    from elo_xl.templates.opened import EntriesError, old_book

    content = file.read_bytes()
    if not template_of(content):
        raise click.UsageError(f"{file}: --into-book is for books that elo-xl new has made")
    try:
        return old_book(content).options.language
    except (EntriesError, WorkbookError) as wrong:
        raise click.ClickException(f"{file}: {wrong}") from None


def _write_into(file: Path, page: Page) -> None:
    from elo_xl.xlsx.keep import change_kept

    try:
        _, copy = change_kept(file, lambda content: in_book(content, page))
    except WorkbookError as wrong:
        raise click.ClickException(f"{file}: {wrong}") from None
    tell(f"{file}: sheet {page.list.title}", workbook=str(file), sheet=page.list.title)
    if copy is not None:
        tell_copy(file, copy)


def _facts(name: str, forecast: Odds, day: date) -> dict[str, object]:
    finals = forecast.finals
    expected, error = finals.mean(finals.points)
    places = [finals.place(place) for place in range(1, len(forecast.players) + 1)]
    league = forecast.league._asdict() if forecast.league else {}
    league.pop("ratings", None)  # players have them
    return {
        "event": name,
        "date": day.isoformat(),
        "method": forecast.method,
        "exact": not finals.blocks,
        "runs": finals.blocks,
        "tie_breaks": forecast.tie_breaks,
        "edition": forecast.edition,
        **({"league": league} if league else {}),
        "players": [
            {
                "player": player.name,
                "id": player.id,
                "rating": player.rating,
                "points": float(forecast.points[i]),
                "expected": float(expected[i]),
                "error": float(error[i]),
                "odds": [float(chance[i]) for chance, _ in places],
                "errors": [float(errors[i]) for _, errors in places],
            }
            for i, player in enumerate(forecast.players)
        ],
    }
