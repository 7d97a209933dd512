"""``elo-xl norms``: who has made a title norm, and what is missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.markup import escape

from elo_xl.cli.console import console
from elo_xl.cli.reading import EXISTING, How, reads_an_event
from elo_xl.engine.norms import Event, Requirement
from elo_xl.tournament.event import EventError, Problem, Tournament
from elo_xl.tournament.explaining import find_player
from elo_xl.tournament.norms import PlayerNorm, event_of, norms

NEAR: Final = 1
"""Requirements that may be missing for a player to be named."""


@click.command("norms")
@click.argument("file", type=EXISTING)
@click.argument("player", required=False)
@click.option("--rounds", type=click.IntRange(1), help="Rounds scheduled, if more than played.")
@reads_an_event
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show_norms(
    file: Path,
    player: str | None,
    rounds: int | None,
    how: How,
    as_json: bool,
) -> None:
    """Show who has made a norm for a FIDE title in the event in FILE, or, with PLAYER, everything
    that a norm takes and how it stands, and what would suffice in the rounds that are left.

    FILE is any that `elo-xl rate` reads; titles and federations are needed, and in a report file
    they are there. Wins that are better left out, and games after the norm, are found.
    """
    tournament = how.read(file)
    if tournament.kind in ("rapid", "blitz"):
        raise EventError(
            [Problem(f"no norms in {tournament.kind} chess: {tournament.time_control}")]
        )
    if not any(p.federation for p in tournament.players):
        raise EventError([Problem("norms need the players' federations, and nobody has one")])
    event = event_of(tournament, rounds or 0)
    chosen = [find_player(tournament, player)] if player else tournament.players
    found = [n for who in chosen for n in norms(tournament, who, event=event)]
    if as_json:
        told = found if player else [n for n in found if n.norm.met]
        click.echo(json.dumps(list(map(_json, told)), ensure_ascii=False, indent=2))
        return
    terminal = console()
    terminal.print(f"[bold]{escape(tournament.name)}[/]")
    terminal.print(_about(tournament, event))
    if not found:
        terminal.print("No norm is left to make: the titles are held already.")
    elif player:
        for one in found:
            _print_one(terminal, one)
    else:
        _print_all(terminal, found)


def _about(tournament: Tournament, event: Event) -> str:
    kind = "double " if event.double else ""
    form = f"{kind}all-play-all" if event.predetermined else "pairings from round to round"
    mixed = "; so many foreigners that opponents of any federation will do" if event.mixed else ""
    return f"{event.rounds} rounds, {tournament.rounds} played, {form}{mixed} (FIDE B.01, 1.4)\n"


def _print_all(terminal: Console, found: list[PlayerNorm]) -> None:
    met = [one for one in found if one.norm.met]
    near = [
        one
        for one in found
        if 0 < len(one.norm.missing) <= NEAR and len(one.norm.games) > 0 and _close(one)
    ]
    for one in met:
        terminal.print(f"[bold]{escape(one.player.name)}[/]: {_made(one)}")
    if not met:
        terminal.print("Nobody has made a norm.")
    if near:
        terminal.print("\nNearly:")
    for one in near:
        terminal.print(f"{escape(one.player.name)}, {one.norm.title}: {one.norm.missing[0]}")


def _close(one: PlayerNorm) -> bool:
    """Whether what is missing is little: 50 points of a rating, or one of anything else."""
    [lack] = one.norm.missing
    large = lack.article in ("1.4.8", "1.4.8a")
    return abs(lack.has - lack.needs) <= (50 if large else 1)


def _made(one: PlayerNorm) -> str:
    norm = one.norm
    out = [f"round {g.round}" for g in norm.left_out]
    without = f" without {', '.join(out)}" if out else ""
    return (
        f"{norm.title} norm of {norm.worth} games: {norm.score:g} of {len(norm.games)}{without}, "
        f"average {norm.average}, performance {norm.performance}"
    )


def _print_one(terminal: Console, one: PlayerNorm) -> None:
    norm = one.norm
    title = _made(one) if norm.met else f"{norm.title}: no norm"
    terminal.print(f"[bold]{escape(one.player.name)}[/], {title}")
    for requirement in norm.requirements:
        terminal.print(f"  {'yes' if requirement.met else 'NO '}  {requirement}")
    later = one.chance
    if later is None:
        terminal.print()
        return
    need = [
        (later.titled, "with a title"),
        (later.holders, f"with a title that {one.norm.title} norms ask for"),
        (later.foreign, "of another foreign federation"),
    ]
    impossible = [f"{count} {what}" for count, what in need if count > later.games]
    if impossible or not later.scores:
        why = f": it takes {impossible[0]}" if impossible else ""
        terminal.print(f"  Out of reach in the {later.games} rounds that are left{why}.\n")
        return
    ways = ", ".join(
        f"{score:g} against {average}" if average > 0 else f"{score:g} against anybody"
        for score, average in later.scores
    )
    terminal.print(f"  Would suffice in {later.games} more (points, average at least): {ways}")
    some = ", ".join(f"{count} {what}" for count, what in need if count)
    terminal.print(f"  Among these opponents it takes {some or 'nobody in particular'}.\n")


def _json(one: PlayerNorm) -> dict[str, object]:
    norm = one.norm
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
        "requirements": [_requirement(r) for r in norm.requirements],
        "suffices": one.chance
        and [{"score": score, "average": average} for score, average in one.chance.scores],
    }


def _requirement(requirement: Requirement) -> dict[str, object]:
    return {
        "article": requirement.article,
        "what": requirement.what,
        "has": requirement.has,
        "needs": requirement.needs,
        "met": requirement.met,
    }
