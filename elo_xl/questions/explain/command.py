"""``elo-xl explain``: why a player of an event has their new rating."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import click
import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from elo_xl.books.texts import texts
from elo_xl.club.exporting import book_of
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.events.names import find_player
from elo_xl.events.rate import RatedEvent
from elo_xl.events.rate import rate as rate_event
from elo_xl.functions.formula_text import to_text
from elo_xl.languages import CODES, ENGLISH, LANGUAGES
from elo_xl.questions.explain.answer import COLUMNS, joined, letter
from elo_xl.questions.explain.event import (
    ExplainedGame,
    ExplainedNewcomer,
    ExplainedPlayer,
    explain_member,
    explain_player,
)
from elo_xl.terminal.answers import Into, answers, write
from elo_xl.terminal.console import console, print_json, progress, warn
from elo_xl.terminal.reading import EXISTING, RULES, How, K, reads_an_event


@click.command()
@click.argument("file", type=EXISTING)
@click.argument("player")
@RULES
@K
@reads_an_event
@click.option(
    "--lang",
    type=click.Choice(CODES),
    default=ENGLISH,
    show_default=True,
    help="Language of the table and the sentences.",
)
@click.option(
    "--date",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Date of the list, for a club's book; the player's last one if omitted.",
)
@answers("A letter to the player")
def explain(
    file: Path,
    player: str,
    rules: Rulebook | None,
    k: float | None,
    how: How,
    lang: str,
    day: datetime | None,
    into: Into,
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
        if rules is not None or k is not None or how != How():
            raise click.UsageError("a club's book has its own rules and ratings: leave them out")
        with progress("Rating the lists"):
            member = explain_member(book, player, day and day.date(), lang)
        name, found, notes = member.name, list(member.kinds.values()), member.other
        kinds = {kind: _json(*one) for kind, one in member.kinds.items()}
        told: dict[str, object] = {"player": name, "list": member.day.isoformat(), "kinds": kinds}
    else:
        if day is not None:
            raise click.UsageError("--date is for the lists of a club's book")
        tournament = how.read(file)
        who = find_player(tournament.players, player)
        event = rate_event(tournament, rules, k)
        name, found, notes = who.name, [(event, explain_player(event, who, lang))], []
        told = _json(*found[0])
    if into.as_json:
        print_json(told)
        return
    _print(name, found, lang)
    if targets:
        write(joined([letter(*one, lang) for one in found]), targets)
    _warn(name, found)
    for note in notes:
        warn(note)


_Explained = tuple[RatedEvent, ExplainedPlayer | ExplainedNewcomer]


def _warn(name: str, found: Sequence[_Explained]) -> None:
    # of all that was assumed, only what names the player concerns them
    for event, _ in found:
        for what in event.assumed:
            if name in what:
                warn(what, "assumed")


def _print(name: str, found: Sequence[_Explained], language: str) -> None:
    terminal = console()
    for event, explained in found:
        terminal.print(f"[bold]{escape(name)}[/], {escape(event.tournament.name)}")
        terminal.print(f"{event.rules.title.say(language)} ({event.rules.name})\n")
        if isinstance(explained, ExplainedPlayer):
            _print_player(terminal, explained, language)
        else:
            _print_newcomer(terminal, event, explained, language)
        if len(found) > 1:
            terminal.print()


def _print_player(terminal: Console, found: ExplainedPlayer, language: str) -> None:
    table, number = _table(language, found.games), LANGUAGES[language].number
    why = found.why
    for i, game in enumerate(found.games):
        table.add_row(
            *_game(game, language),
            *("" if np.isnan(x[i]) else number(how % x[i]) for x, how in _columns(found)),
            escape(why.why[i]),
        )
    terminal.print(table)
    terminal.print(f"\n{escape(why.summary)}")


def _columns(
    found: ExplainedPlayer,
) -> list[tuple[np.ndarray[tuple[int], np.dtype[np.float64]], str]]:
    return [(found.why.expected, "%.2f"), (found.why.gained, "%+.2f")]


def _print_newcomer(
    terminal: Console, event: RatedEvent, found: ExplainedNewcomer, language: str
) -> None:
    table = _table(language, found.games, NEWCOMERS)
    for game in found.games:
        table.add_row(*_game(game, language))
    if found.games:
        terminal.print(table)
    terminal.print(f"\n{escape(found.verdict)}")
    terminal.print(event.rules.first.say(language), soft_wrap=True)


NEWCOMERS: Final = ("expected", "points", "why")
"""Columns that newcomers have nothing in."""


def _table(language: str, games: Sequence[ExplainedGame], without: Sequence[str] = ()) -> Table:
    """The letter's table without rows; with events if there may be several."""
    table, say = Table(box=None, padding=(0, 2, 0, 0)), texts(language)
    for column in COLUMNS:
        if column.key in without or (column.key == "event" and not _several(games)):
            continue
        text = column.align == "left"
        table.add_column(say(column.heading), justify="left" if text else "right", no_wrap=not text)
    return table


def _several(games: Sequence[ExplainedGame]) -> bool:
    return any(game.event for game in games)


def _game(game: ExplainedGame, language: str) -> tuple[str, ...]:
    number = LANGUAGES[language].number
    rating = "" if np.isnan(game.rating) else number(to_text(game.rating))
    event = (escape(game.event),) if game.event else ()
    return (
        *event,
        str(game.round or ""),
        escape(game.opponent),
        rating,
        number(to_text(game.score)),
    )


def _json(event: RatedEvent, found: ExplainedPlayer | ExplainedNewcomer) -> dict[str, object]:
    def number(value: float) -> float | None:
        return None if np.isnan(value) else float(value)

    games: list[dict[str, object]] = [
        {
            **({"event": game.event} if game.event else {}),
            "round": game.round or None,
            "opponent": game.opponent,
            "rating": number(game.rating),
            "score": game.score,
        }
        for game in found.games
    ]
    about = {"event": event.tournament.name, "rules": event.rules.name}
    if isinstance(found, ExplainedNewcomer):
        first = found.first
        return {
            **about,
            "player": first.player.name,
            "games": games,
            "new": first.rating,
            "summary": first.reason,
        }
    why = found.why
    for i, game in enumerate(games):
        game |= {
            "difference": number(why.difference[i]),
            "counted": number(why.counted[i]),
            "expected": number(why.expected[i]),
            "points": number(why.gained[i]),
            "why": why.why[i],
        }
    return {
        **about,
        "player": found.rated.player.name,
        "games": games,
        "k": found.rated.k,
        "expected": why.expected_score,
        "score": why.score,
        "change": why.change,
        "new": found.rated.new,
        "summary": why.summary,
    }
