"""``elo-xl explain``: why a player of an event, or a member of a club, has their new rating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

import click
import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from elo_xl.books.texts import texts
from elo_xl.club.closing import Closed
from elo_xl.club.correcting import Past
from elo_xl.club.exporting import book_of
from elo_xl.club.ledger import TEMPLATE, Ledger
from elo_xl.engine.arrays import finite
from elo_xl.engine.explain import Explained, explain_sides
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.engine.rulebooks.event import Players, Sides
from elo_xl.engine.rulebooks.rulebook import Changed
from elo_xl.events.event import EventError, Player, Problem
from elo_xl.events.names import find_player
from elo_xl.events.rate import NewPlayer, RatedEvent, RatedPlayer, first_reason, known_players
from elo_xl.events.rate import rate as rate_event
from elo_xl.functions.cells import to_text
from elo_xl.languages import ENGLISH, LANGUAGES, Words
from elo_xl.publish.page import Page, PageColumn, PageValue, headed, table
from elo_xl.terminal.answers import OutputOptions, answers, write
from elo_xl.terminal.console import console, progress, tell_facts, warn
from elo_xl.terminal.options import day_of, language_of
from elo_xl.terminal.reading import READ, RULES, K, ReadOptions, reads_an_event


class ExplainedGame(NamedTuple):
    """A game of the player that is explained."""

    round: int
    opponent: str
    rating: float
    """the opponent's rating as it counts; NaN: unrated"""
    score: float
    event: str = ""
    """where the games of several events are rated at once"""
    stones: float = 0
    """of handicap in go: the player's, or those of the opponent below 0"""
    met_games: float = np.nan
    """the opponent's rated games before, if that is known"""


@dataclass(frozen=True, slots=True)
class ExplainedPlayer:
    """A rated player of an event, their games and why they changed the rating."""

    rated: RatedPlayer
    games: tuple[ExplainedGame, ...]
    why: Explained
    """an entry per game"""


@dataclass(frozen=True, slots=True)
class ExplainedNewcomer:
    """An unrated player of an event and their games; the reason is that of the first rating."""

    first: NewPlayer
    games: tuple[ExplainedGame, ...]
    verdict: str
    """the first rating, or that there is none, and why"""


def explain_player(
    event: RatedEvent, player: Player, language: str = "en"
) -> ExplainedPlayer | ExplainedNewcomer:
    """Why ``player`` has their new rating, or their first one, game by game."""
    newcomers = {n.player.number: n for n in event.new_players}
    games = tuple(_games(event, player, newcomers))
    if player.number in newcomers:
        first = newcomers[player.number]
        why = first_reason(first, event.rules, language)
        says = _WITHOUT if first.rating is None else _FIRST
        return ExplainedNewcomer(first, games, says.say(language, rating=first.rating, why=why))
    rated = next(p for p in event.players if p.player.number == player.number)
    everybody = known_players(event.tournament, event.k)
    place = [p.number == player.number for p in event.tournament.players].index(True)
    one = Players(*(getattr(everybody, f.name)[place : place + 1] for f in fields(Players)))
    sides = Sides(
        player=np.zeros(len(games), np.int64),
        met=np.array([g.rating for g in games], float),
        score=np.array([g.score for g in games], float),
        points=np.array([sum(g.score for g in games)], float),
        home=np.zeros(len(games)),
        stones=np.array([g.stones for g in games], float),
        met_games=np.array([g.met_games for g in games], float),
    )
    # as they were rated: what is explained are the very numbers that were printed
    numbers = (rated.k, rated.games, rated.score, rated.expected, rated.change)
    done = Changed(*(np.array([np.nan if n is None else n], float) for n in numbers))
    return ExplainedPlayer(rated, games, explain_sides(event.rules, one, sides, done, language))


_WITHOUT: Final = Words("Unrated, no first rating: {why}.")
_FIRST: Final = Words("Unrated, first rating {rating:g}: {why}.")


def _games(
    event: RatedEvent, player: Player, newcomers: dict[int, NewPlayer]
) -> list[ExplainedGame]:
    """The games of a player, by round; those of earlier periods come last."""
    people = {p.number: p for p in event.tournament.players}
    with_newcomers = event.rules.counts.with_newcomers
    games = []
    for game in event.tournament.games:
        for own, other, score in game.sides:
            if own == player.number:
                rating = people[other].rating
                if rating is None and with_newcomers:
                    rating = newcomers[other].rating
                known = np.nan if rating is None else rating
                name, stones = people[other].name, game.stones
                stones = -stones if own == game.first else stones
                before = people[other].games
                games.append(
                    ExplainedGame(
                        game.round, name, known, score, stones=stones,
                        met_games=np.nan if before is None else before,
                    )
                )  # fmt: skip
    earlier = [ExplainedGame(0, game.opponent, game.rating, game.score, game.event)
               for game in event.earlier if game.player == player.number]  # fmt: skip
    return [*sorted(games, key=lambda game: game.round), *earlier]


# -- a member of a club: a closed list, rated as it was then --------------------------------------


@dataclass(slots=True)
class ExplainedMember:
    """A member's games of a list and why they changed the ratings."""

    name: str
    day: date
    kinds: dict[str, tuple[RatedEvent, ExplainedPlayer | ExplainedNewcomer]] = field(
        default_factory=dict
    )
    """the kinds of play in which there were games; each is one event with all of its games"""
    other: list[str] = field(default_factory=list)
    """what was published otherwise"""


def explain_member(
    book: Ledger, who: str, day: date | None = None, language: str = ENGLISH
) -> ExplainedMember:
    """Why a member has the ratings of a list, of the last one with games of theirs if omitted.

    ``who`` is a name, a part of one or an ID. Raises EventError if no player fits or
    several do, where there are no games, and for everything in the book that cannot be read.
    """
    past = Past(book)
    people = tuple(Player(member.row, member.name, id=member.id) for member in book.members)
    member = find_player(people, who, "in the club")
    chosen: Closed | None = None
    days = []
    for closed in past.again():
        if any(line.member.row == member.number for line in closed.lines):
            days.append(closed.day)
            if day in (None, closed.day):
                chosen = closed
    if chosen is None:
        where = "a closed list" if day is None else f"the list of {day}"
        known = f"; there are some in {', '.join(map(str, days[-12:]))}" if days else ""
        raise EventError([Problem(f"{member.name} has no games in {where}{known}")])
    say = texts(language)
    shown = f"{say.of(TEMPLATE, 'sheet_list')} {chosen.day.strftime(LANGUAGES[language].date)}"
    done = ExplainedMember(member.name, chosen.day)
    for line in chosen.lines:
        if line.member.row != member.number:
            continue
        name = f"{shown}, {say(f'club.kind_{line.kind}')}"
        done.kinds[line.kind] = _explained(chosen, line.kind, member.number, name, language)
        published = past.lines.get((chosen.day, (member.number, line.kind)))
        # a game was corrected after its list: what was published stands until somebody decides
        if published is not None and published.rating != line.new:
            now = "none" if line.new is None else f"{line.new:g}"
            done.other.append(
                f"{line.kind}: {published.rating:g} was published, the games now give "
                f"{now}: elo-xl correct writes that"
            )
    return done


def _explained(
    closed: Closed, kind: str, number: int, name: str, language: str
) -> tuple[RatedEvent, ExplainedPlayer | ExplainedNewcomer]:
    """One kind of play; the games stand in the order of the events."""
    event = closed.by_kind[kind]
    games = event.tournament.games
    in_order = tuple(replace(game, round=i) for i, game in enumerate(games))
    ordered = replace(event, tournament=replace(event.tournament, name=name, games=in_order))
    player = next(p for p in event.tournament.players if p.number == number)
    explained = explain_player(ordered, player, language)
    named = tuple(
        game
        if game.event
        else game._replace(round=games[game.round].round, event=closed.sources[kind][game.round])
        for game in explained.games
    )
    return ordered, replace(explained, games=named)


COLUMNS: Final = (
    PageColumn("event", "form.column_event", align="left"),
    PageColumn("round", "publish.round", align="center"),
    PageColumn("name", "form.column_opponent", align="left"),
    PageColumn("rating", "form.column_rating", None),
    PageColumn("score", "form.column_score", 1),
    PageColumn("expected", "form.column_expected", 2),
    PageColumn("points", "form.column_change", 2, change=True),
    PageColumn("why", "form.column_because", align="left", wraps=True),
)


def letter(
    event: RatedEvent, explained: ExplainedPlayer | ExplainedNewcomer, language: str = "en"
) -> Page:
    """The letter to a player of a rated event."""
    say = texts(language)
    rows: list[dict[str, PageValue]] = []
    for i, game in enumerate(explained.games):
        row: dict[str, PageValue] = {
            "event": game.event,
            "round": game.round or None,
            "name": game.opponent,
            "rating": finite(game.rating),
            "score": game.score,
        }
        if isinstance(explained, ExplainedPlayer):
            row |= {
                "expected": finite(explained.why.expected[i]),
                "points": finite(explained.why.gained[i]),
                "why": explained.why.why[i],
            }
        rows.append(row)
    if isinstance(explained, ExplainedPlayer):
        who, notes = explained.rated.player, [explained.why.summary]
    else:
        who = explained.first.player
        notes = [explained.verdict, event.rules.first.say(language)]
    columns = headed(COLUMNS, say)
    rules = f"{event.rules.title.say(language)} ({event.rules.name})"
    return Page(
        language,
        f"{event.tournament.name}: {who.name}",
        rules,
        [table("games", say("form.sheet_why"), columns, rows, sortable=False)],
        day=event.tournament.end or event.tournament.start,
        notes=notes,
    )


def joined(letters: Sequence[Page]) -> Page:
    """Several letters to one player as one, with a table for each."""
    if len(letters) == 1:
        return letters[0]
    tables = [
        replace(one.list, key=f"games{number}", title=one.title)
        for number, one in enumerate(letters, start=1)
    ]
    notes = [note for one in letters for note in (one.title, *one.notes)]
    below = "; ".join(dict.fromkeys(one.below for one in letters))
    return replace(letters[0], below=below, tables=tables, notes=notes)


def _first(context: click.Context, argument: click.Parameter, file: Path) -> Path:
    """The file, which is there; where a name stands in its place the order is told."""
    try:
        return READ.convert(file, argument, context)
    except click.BadParameter as wrong:
        if not file.suffix:
            order = "FILE stands first: elo-xl explain FILE PLAYER"
            said = f"{wrong.message.removesuffix('.')}; {order}"
            raise click.BadParameter(said, context, argument) from None
        raise


@click.command()
@click.argument("file", type=click.Path(path_type=Path), callback=_first)
@click.argument("player")
@RULES
@K
@reads_an_event
@language_of("the table and the sentences")
@click.option(
    "--date",
    "day",
    type=day_of,
    metavar="YYYY-MM-DD",
    help="Date of the list, for a club's book; the player's last one if omitted.",
)
@answers("A letter to the player")
def explain(
    file: Path,
    player: str,
    rules: Rulebook | None,
    k: float | None,
    how: ReadOptions,
    lang: str,
    day: date | None,
    into: OutputOptions,
) -> None:
    """Say why PLAYER of the event in FILE has their new rating: every game with its difference,
    expected score and share of the change, the K factor with its reason, and what FIDE's edition
    before would have given.

    FILE is any that `elo-xl rate` reads, PLAYER a name, an ID or a starting number. For a member of
    a club's book it is the rating of a closed list. With -o the same stands in a letter to the
    player.
    """
    targets = into.files(f"{file.stem}-{player}")
    if (book := book_of(file)) is not None:
        if rules is not None or k is not None or how != ReadOptions():
            raise click.UsageError("a club's book has its own rules and ratings: leave them out")
        with progress("Rating the lists"):
            member = explain_member(book, player, day, lang)
        name, events, notes = member.name, list(member.kinds.values()), member.other
        kinds = {kind: _facts(*one) for kind, one in member.kinds.items()}
        answer: dict[str, object] = {"player": name, "list": member.day.isoformat(), "kinds": kinds}
    else:
        if day is not None:
            raise click.UsageError("--date is for the lists of a club's book")
        tournament = how.read(file)
        who = find_player(tournament.players, player)
        event = rate_event(tournament, rules, k)
        name, events, notes = who.name, [(event, explain_player(event, who, lang))], []
        answer = _facts(*events[0])
    tell_facts(**answer)
    _print(name, events, lang)
    if targets:
        write(joined([letter(*one, lang) for one in events]), targets)
    _warn(name, events)
    for note in notes:
        warn(note)


_Explained = tuple[RatedEvent, ExplainedPlayer | ExplainedNewcomer]


def _warn(name: str, events: Sequence[_Explained]) -> None:
    # of all that was assumed, only what names the player concerns them
    for event, _ in events:
        for what in event.assumed:
            if name in what:
                warn(what, "note")


def _print(name: str, events: Sequence[_Explained], language: str) -> None:
    terminal = console()
    for event, explained in events:
        terminal.print(f"[bold]{escape(name)}[/], {escape(event.tournament.name)}")
        terminal.print(f"{event.rules.title.say(language)} ({event.rules.name})\n")
        if isinstance(explained, ExplainedPlayer):
            _print_player(terminal, explained, language)
        else:
            _print_newcomer(terminal, event, explained, language)
        if len(events) > 1:
            terminal.print()


def _print_player(terminal: Console, explained: ExplainedPlayer, language: str) -> None:
    table, number = _table(language, explained.games), LANGUAGES[language].number
    why = explained.why
    columns = (why.expected, "%.2f"), (why.gained, "%+.2f")
    for i, game in enumerate(explained.games):
        table.add_row(
            *_game(game, language),
            *("" if np.isnan(x[i]) else number(how % x[i]) for x, how in columns),
            escape(why.why[i]),
        )
    terminal.print(table)
    terminal.print(f"\n{escape(why.summary)}")


def _print_newcomer(
    terminal: Console, event: RatedEvent, explained: ExplainedNewcomer, language: str
) -> None:
    table = _table(language, explained.games, NEWCOMERS)
    for game in explained.games:
        table.add_row(*_game(game, language))
    if explained.games:
        terminal.print(table)
    terminal.print(f"\n{escape(explained.verdict)}")
    terminal.print(event.rules.first.say(language), soft_wrap=True)


NEWCOMERS: Final = ("expected", "points", "why")
"""Columns that newcomers have nothing in."""


def _table(language: str, games: Sequence[ExplainedGame], without: Sequence[str] = ()) -> Table:
    """The letter's table without rows; with events if there may be several."""
    table, say = Table(box=None, padding=(0, 2, 0, 0)), texts(language)
    several = any(game.event for game in games)
    for column in COLUMNS:
        if column.key in without or (column.key == "event" and not several):
            continue
        text = column.align == "left"
        table.add_column(say(column.heading), justify="left" if text else "right", no_wrap=not text)
    return table


def _game(game: ExplainedGame, language: str) -> tuple[str, ...]:
    number = LANGUAGES[language].number
    rating = "" if np.isnan(game.rating) else number(to_text(game.rating))
    event = (escape(game.event),) if game.event else ()
    score = number(to_text(game.score))
    return *event, str(game.round or ""), escape(game.opponent), rating, score


def _facts(event: RatedEvent, explained: ExplainedPlayer | ExplainedNewcomer) -> dict[str, object]:
    games: list[dict[str, object]] = [
        {
            **({"event": game.event} if game.event else {}),
            "round": game.round or None,
            "opponent": game.opponent,
            "rating": finite(game.rating),
            "score": game.score,
        }
        for game in explained.games
    ]
    about = {"event": event.tournament.name, "rules": event.rules.name}
    if isinstance(explained, ExplainedNewcomer):
        first = explained.first
        return {
            **about,
            "player": first.player.name,
            "games": games,
            "new": first.rating,
            "summary": first.reason,
        }
    why = explained.why
    for i, game in enumerate(games):
        game |= {
            "difference": finite(why.difference[i]),
            "counted": finite(why.counted[i]),
            "expected": finite(why.expected[i]),
            "points": finite(why.gained[i]),
            "why": why.why[i],
        }
    return {
        **about,
        "player": explained.rated.player.name,
        "games": games,
        "k": explained.rated.k,
        "expected": why.expected_score,
        "score": why.score,
        "change": why.change,
        "new": explained.rated.new,
        "summary": why.summary,
    }
