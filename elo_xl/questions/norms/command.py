"""``elo-xl norms``: who has made a title norm, and what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.markup import escape

from elo_xl.books.answers import phrase, spoken
from elo_xl.events.names import find_player
from elo_xl.lists.names import TITLES
from elo_xl.questions.norms.event import SPECIAL, PlayerNorm, all_norms, event_of, norms
from elo_xl.questions.norms.numbers import NormEvent, Requirement
from elo_xl.terminal.answers import OutputOptions, answers, write
from elo_xl.terminal.console import console, tell_facts, warn
from elo_xl.terminal.options import Choice, language_of
from elo_xl.terminal.reading import READ, ReadOptions, reads_an_event

if TYPE_CHECKING:
    from elo_xl.questions.norms.sheet import Words


@click.command("norms")
@click.argument("file", type=READ)
@click.argument("player", required=False)
@click.option(
    "--rounds", type=click.IntRange(1), help="Rounds scheduled, if more than FILE knows of."
)
@click.option(
    "--special",
    type=Choice(SPECIAL),
    help="Kind of event for which FIDE makes an exception: the final of a national championship, a "
    "national team championship, a zonal; a world or continental team championship, a World Cup.",
)
@reads_an_event
@language_of("what -o writes")
@answers("The norms with all they take and every game")
def show_norms(
    file: Path,
    player: str | None,
    rounds: int | None,
    special: str | None,
    how: ReadOptions,
    lang: str,
    into: OutputOptions,
) -> None:
    """Show who has made a norm for a FIDE title in the event in FILE, or is near to one, or, with
    PLAYER, everything that a norm takes and how it stands, and what would suffice in the rounds
    that are left.

    FILE is any that `elo-xl rate` reads; titles and federations are needed, and in a report file
    they are there. Wins that are better left out, and games after the norm, are found.
    """
    targets = into.files(f"{file.stem}-norms")
    tournament = how.read(file)
    unknown = sorted({p.title for p in tournament.players} - TITLES - {""})
    if unknown:
        warn(f"none of FIDE's titles, so they count as none: {', '.join(unknown)}")
    event = event_of(tournament, rounds or 0, special or "")
    if player:
        player_norms = norms(tournament, find_player(tournament.players, player), event)
    else:
        player_norms = all_norms(tournament, event)
    tell_facts(event=tournament.name, norms=list(map(_facts, player_norms)))
    terminal = console()
    terminal.print(f"[bold]{escape(tournament.name)}[/]")
    terminal.print(_about(event))
    if player:
        for one in player_norms:
            _print_one(terminal, one)
        if not player_norms:
            terminal.print(phrase("No norm is left to make: the titles are held already."))
    else:
        _print_all(terminal, player_norms)
    if targets:
        from elo_xl.questions.norms.sheet import norms_page

        write(norms_page(tournament, event, player_norms, lang), targets)


def _words() -> Words:
    from elo_xl.questions.norms.sheet import Words

    return Words(spoken())


def _about(event: NormEvent) -> str:
    form = phrase(
        "pairings from round to round"
        if not event.predetermined
        else "double all-play-all"
        if event.double
        else "all-play-all"
    )
    exempt = (
        phrase("; opponents of any federation will do ({exempt})", exempt=event.exempt)
        if event.exempt
        else ""
    )
    played = event.rounds - event.left
    return phrase(
        "{rounds} rounds, {played} played, {form}{exempt} (FIDE B.01, 1.4)\n",
        rounds=event.rounds,
        played=played,
        form=form,
        exempt=exempt,
    )


def _print_all(terminal: Console, player_norms: list[PlayerNorm]) -> None:
    made = [one for one in player_norms if one.norm.met]
    for one in made:
        terminal.print(f"[bold]{escape(one.player.name)}[/]: {_made(one)}")
    if not made:
        terminal.print(phrase("Nobody has made a norm."))
    if len(made) < len(player_norms):
        terminal.print(phrase("\nNear to one:"))
    for one in player_norms[len(made) :]:
        words = _words().suffices(one) if one.chance else _words().standing(one)
        terminal.print(f"{escape(one.player.name)}, {one.norm.title}: {words}")


def _made(one: PlayerNorm) -> str:
    norm = one.norm
    figures = phrase(
        "average {average}, performance {performance}",
        average=norm.average,
        performance=norm.performance,
    )
    return f"{norm.title} {_words().standing(one)}: {norm.score:g} of {len(norm.games)}, {figures}"


def _print_one(terminal: Console, one: PlayerNorm) -> None:
    norm = one.norm
    title = _made(one) if norm.met else phrase("{title}: no norm", title=norm.title)
    terminal.print(f"[bold]{escape(one.player.name)}[/], {title}")
    for r in norm.requirements:
        mark = phrase("yes" if r.kept else "(no)" if r.met else "NO")
        terminal.print(f"  {mark:4} {_words().told(r, norm.title)}")
    if suffices := _words().suffices(one):
        terminal.print(phrase("  Would suffice: {suffices}", suffices=suffices))
    terminal.print()


def _facts(one: PlayerNorm) -> dict[str, object]:
    norm, later = one.norm, one.chance
    return {
        "player": one.player.name,
        "id": one.player.id,
        "title": norm.title,
        "norm": norm.met,
        "games": norm.worth or len(norm.games),
        "score": norm.score,
        "average": norm.average,
        "performance": norm.performance,
        "rounds": [g.round for g in norm.games],
        "left_out": [g.round for g in norm.left_out],
        "requirements": [_requirement(r, norm.title) for r in norm.requirements],
        "suffices": later
        and [{"score": score, "average": average} for score, average in later.scores],
    }


def _requirement(requirement: Requirement, title: str) -> dict[str, object]:
    return {
        "article": requirement.article,
        "what": _words().what(requirement, title),
        "has": requirement.has,
        "needs": requirement.needs,
        "met": requirement.met,
        "exempt": requirement.exempt or None,
    }
