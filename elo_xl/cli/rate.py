"""``elo-xl rate``: a tournament file in, a rated workbook out."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from elo_xl.cli.console import check_target, console, progress, replacing
from elo_xl.engine.errors import OptionError
from elo_xl.engine.rulebooks import rulebook
from elo_xl.functions.formula_text import to_text
from elo_xl.languages import CODES, ENGLISH
from elo_xl.tournament.csv_files import read_games, read_players, with_players
from elo_xl.tournament.event import EventError, Player, Problem, Tournament
from elo_xl.tournament.rate import RatedEvent
from elo_xl.tournament.rate import rate as rate_event
from elo_xl.tournament.trf import read_trf

WIDE = 120
"""The width, in columns, from which a terminal shows the reason for K beside each player."""

TRF_ENDINGS = (".trf", ".trfx", ".txt")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The workbook to write; FILE's name with -rated.xlsx in this folder if omitted.",
)
@click.option(
    "--rules",
    help="Rulebook, or the path of your own (club.toml); FIDE's edition in force on the first day "
    "if omitted.",
)
@click.option("--k", type=click.FloatRange(0, 100), help="K factor for all players.")
@click.option(
    "--players",
    type=click.Path(path_type=Path),
    help="CSV file with K, games, birth year and peak rating of the players.",
)
@click.option(
    "--lang",
    type=click.Choice(CODES),
    default=ENGLISH,
    show_default=True,
    help="Language of the workbook.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Refuse to rate where a K factor would rest on an unknown highest rating, number of games "
    "or birth year.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@replacing
@click.option("--dry-run", is_flag=True, help="Write no workbook.")
def rate(
    file: Path,
    output: Path | None,
    rules: str | None,
    k: float | None,
    players: Path | None,
    lang: str,
    strict: bool,
    as_json: bool,
    force: bool,
    dry_run: bool,
) -> None:
    """Rate the event in FILE and write a workbook that shows every step, or only the results where
    spreadsheets have no sensible formula of the rules.

    FILE is a tournament report file (TRF16 or TRF26: .trf, .trfx, .txt), or a CSV file of games.
    The latter needs a CSV file of players (--players; players.csv in the same folder if omitted).
    """
    try:
        book = None if rules is None else rulebook(rules)
    except OptionError as wrong:
        raise click.UsageError(str(wrong)) from None
    target = None if dry_run else output or Path(f"{file.stem}-rated.xlsx")
    if target is not None:
        check_target(target, force)
    with progress("Reading the event"):
        tournament = _read(file, players)
    with progress("Rating the event"):
        event = rate_event(tournament, book, k)
    if strict and event.assumed:
        raise EventError(map(Problem, event.assumed))
    if target is not None:
        from elo_xl.templates.rated_event import write_rated_event

        with progress("Writing the workbook"):
            write_rated_event(event, target, lang)
    for warning in event.warnings:
        click.echo(f"warning: {warning}", err=True)
    for what in event.assumed:
        click.echo(f"assumed: {what}", err=True)
    if as_json:
        click.echo(json.dumps(_event_json(event, target), ensure_ascii=False, indent=2))
    else:
        _print_event(console(), event)
        if target is not None:
            click.echo(f"Workbook: {target}")


def _read(file: Path, players: Path | None) -> Tournament:
    ending = file.suffix.lower()
    if ending == ".csv":
        beside = file.with_name("players.csv")
        if players is None and file.exists() and not beside.exists():
            raise EventError([Problem(f"{beside}: no such file; name the players with --players")])
        return read_games(file, players or beside)
    if ending not in TRF_ENDINGS:
        known = ", ".join(TRF_ENDINGS)
        raise EventError([Problem(f"{file}: not a tournament report file ({known}) or .csv")])
    tournament = read_trf(file)
    return with_players(tournament, read_players(players)) if players else tournament


def _event_json(event: RatedEvent, workbook: Path | None) -> dict[str, object]:
    tournament = event.tournament
    rated = [
        {
            **_who(p.player),
            "rating": _number(p.player.rating),
            "k": _number(p.k),
            "k_reason": p.k_reason,
            "games": p.games,
            "score": p.score,
            "expected": p.expected,
            "change": p.change,
            "new": _number(p.new),
            "performance": _number(p.performance),
            "first_rating_reason": None,
        }
        for p in event.players
    ]
    unrated = [
        {
            **_who(p.player),
            "rating": None,
            "k": None,
            "k_reason": None,
            "games": len(p.opponents),
            "score": p.score,
            "expected": None,
            "change": None,
            "new": _number(p.rating),
            "performance": None,
            "first_rating_reason": p.reason,
        }
        for p in event.new_players
    ]
    return {
        "event": tournament.name,
        "start": tournament.start and tournament.start.isoformat(),
        "rules": event.rules.name,
        "rules_reason": event.rules_reason,
        "players": rated + unrated,
        "unrated_games": event.unrated_games,
        "warnings": [str(warning) for warning in event.warnings],
        "assumed": list(event.assumed),
        "workbook": workbook and str(workbook),
    }


def _who(player: Player) -> dict[str, object]:
    return {"number": player.number, "id": player.id, "name": player.name}


def _number(value: float | None) -> float | None:
    return int(value) if value is not None and float(value).is_integer() else value


def _print_event(terminal: Console, event: RatedEvent) -> None:
    tournament = event.tournament
    terminal.print(f"[bold]{escape(tournament.name)}[/]")
    terminal.print(f"Rules: {event.rules.name} ({event.rules_reason}): {event.rules.title.en}")
    if not event.games:
        terminal.print("This event has no rated games: all ratings stay as they are.")
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("No", justify="right")
    table.add_column("Name")
    for heading in ("Rating", "K", "Games", "Score", "Expected", "Change", "New", "Perf."):
        table.add_column(heading, justify="right", no_wrap=True)
    wide = terminal.width >= WIDE
    if wide:
        table.add_column("K because")
    for p in event.players:
        table.add_row(
            str(p.player.number),
            escape(p.player.name),
            *(to_text(p.player.rating), _k(p.k), str(p.games), to_text(p.score)),
            f"{p.expected:.2f}",
            f"{p.change:+.2f}",
            _rating(p.new, event),
            "" if p.performance is None else f"{p.performance:.0f}",
            *([p.k_reason] if wide else []),
        )
    if event.players:
        terminal.print(table)
    if not wide:
        _print_reasons(terminal, event)
    if event.new_players:
        fresh = Table(box=None, padding=(0, 2, 0, 0))
        fresh.add_column("No", justify="right")
        fresh.add_column("Unrated player")
        for heading in ("Games", "Score", "First rating"):
            fresh.add_column(heading, justify="right", no_wrap=True)
        fresh.add_column("Because")
        for n in event.new_players:
            fresh.add_row(
                str(n.player.number),
                escape(n.player.name),
                str(len(n.opponents)),
                to_text(n.score),
                "-" if n.rating is None else _rating(n.rating, event),
                n.reason,
            )
        terminal.print()
        terminal.print(fresh)
    if event.unrated_games:
        terminal.print(f"\nGames played but not rated: {event.unrated_games}")


def _print_reasons(terminal: Console, event: RatedEvent) -> None:
    """Print the reasons for K, with the players of each, if the table has no room for them."""
    numbers: dict[tuple[float, str], list[str]] = {}
    for p in event.players:
        if p.k is not None:
            numbers.setdefault((p.k, p.k_reason), []).append(str(p.player.number))
    if numbers:
        terminal.print()
    for (k, reason), own in sorted(numbers.items()):
        terminal.print(f"K {_k(k)}, {reason}: No {', '.join(own)}", soft_wrap=True)


def _rating(rating: float, event: RatedEvent) -> str:
    return to_text(rating if event.rules.rounding.whole else round(rating, 2))


def _k(k: float | None) -> str:
    return "" if k is None else to_text(round(k, 2))
