"""``elo-xl rate``: a tournament file in, a rated workbook out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from elo_xl.bulk.known import PERIODS, SYSTEMS, players_of, wanted
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.events.event import EventError, Kind, Problem, Tournament
from elo_xl.events.merging import KINDS
from elo_xl.events.rate import RatedEvent
from elo_xl.events.rate import rate as rate_event
from elo_xl.functions.formula_text import to_text
from elo_xl.languages import CODES, ENGLISH, many
from elo_xl.questions.rate.json import event_json
from elo_xl.templates import MOST_LISTED
from elo_xl.terminal.console import (
    check_target,
    console,
    print_json,
    progress,
    replacing,
    signed,
    warn,
)
from elo_xl.terminal.reading import FILES, RULES, How, K, reads_an_event

WIDE = 120
"""The width, in columns, from which a terminal shows the reason for K beside each player."""


@click.command()
@FILES
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The workbook to write; FILE's name with -rated.xlsx in this folder if omitted.",
)
@RULES
@K
@reads_an_event
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    help="Kind of play of events whose files do not tell their time control; standard if omitted.",
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
@click.option(
    "--period",
    "by",
    type=click.Choice(list(PERIODS)),
    help="For long files: the periods into which the column date is put; those of the column "
    "period, or a single one, if omitted.",
)
@click.option(
    "--system",
    type=click.Choice(list(SYSTEMS)),
    help="For long files: a system that carries its ratings, instead of a rulebook; elo rates game "
    "after game.",
)
@click.option(
    "--most-unread",
    type=click.FloatRange(0, 1),
    default=0.01,
    show_default=True,
    help="For long files: the share of games that may be unreadable.",
)
@click.option(
    "--top",
    type=click.IntRange(1, MOST_LISTED),
    help="For long files and a workbook: how many of the highest ratings it has.  [default: 5000]",
)
@click.option(
    "--federation", default="", help="For long files and a workbook: the federation that it is of."
)
@replacing
@click.option("--dry-run", is_flag=True, help="Write no workbook.")
def rate(
    files: tuple[Path, ...],
    output: Path | None,
    rules: Rulebook | None,
    k: float | None,
    how: How,
    kind: Kind | None,
    lang: str,
    strict: bool,
    as_json: bool,
    by: str | None,
    system: str | None,
    most_unread: float,
    top: int | None,
    federation: str,
    force: bool,
    dry_run: bool,
) -> None:
    """Rate the event in FILE and write a workbook that shows every step, or only the results where
    spreadsheets have no sensible formula of the rules.

    FILE is a tournament report file (TRF16 or TRF26), games as PGN, a table in CSV, xlsx, ods or
    xls (a list of games, rounds with their pairings, a crosstable), or a workbook of elo-xl new.
    Ratings stand beside the games, on another sheet, or in a list of players (--players;
    players.csv in the same folder if omitted).

    Several files, or a FOLDER with all its events, are rated as one period: all games of a player
    together, each kind of play by itself. A file that cannot be read does not stop the others: the
    workbook lists it, nothing of it is counted, and the exit code is 1.

    Files of more games than a sheet has rows (Parquet, Arrow, DuckDB, SQLite, or CSV with a result
    -o that ends in .parquet) have a row per game, and ratings for --players only; the result is a
    file with a row per player, or a workbook with the --top of them. Such a result as FILE, and no
    games, makes one more workbook of it without rating anything.
    """
    file = files[0]
    others: dict[str, object] = {
        "--dry-run": dry_run,
        "--json": as_json,
        "--strict": strict,
        "--kind": kind,
        "--list": how.listed,
        "--names": how.names,
        "--event": how.event,
        "--encoding": how.encoding,
    }
    made_from = players_of(file) if len(files) == 1 else None
    if made_from is not None:
        from elo_xl.bulk.command import list_of, refuse_others

        refuse_others(
            {
                "--rules": rules,
                "--k": k is not None,
                "--period": by,
                "--system": system,
                "--columns": how.columns,
                "--sheet": how.sheet,
            }
            | others,
            f"not for {file}, whose games are rated",
        )
        list_of(file, how.players or made_from, output, top, federation, lang, force)
        return
    if wanted(files, output):
        from elo_xl.bulk.command import rate_big, refuse_others, system_of
        from elo_xl.bulk.request import Asked

        if how.players is None:
            pipe = next((one for one in files if not (one.is_file() or one.is_dir())), None)
            if pipe is not None:
                what = "a pipe is read for long files only, which it gives as a stream of Arrow"
                raise click.UsageError(f"{pipe}: {what}, with --players")
            raise click.UsageError("the players of long files have a file of their own: --players")
        if output is None:
            raise click.UsageError("the result of long files needs a name: -o ratings.parquet")
        refuse_others(others, "not for long files")
        if system:
            refuse_others({"--rules": rules, "--k": k is not None}, "not together with --system")
        rate_big(
            Asked(files, how.players, output, by, rules, system_of(system) if system else None, k,
                  how.sheet, how.columns or {}, most_unread, force),
            top, federation, lang,
        )  # fmt: skip
        return
    if by or system or top or federation:
        raise click.UsageError(
            "--period, --system, --top and --federation are for long files: Parquet, or "
            "CSV with -o ratings.parquet"
        )
    if len(files) > 1 or file.is_dir():
        if how.event or how.sheet:
            raise click.UsageError("--event and --sheet are for one file")
        from elo_xl.questions.rate.together import Several, rate_events

        rate_events(
            Several(files, output, how, rules, k, kind or "standard", lang, strict, force, dry_run,
                    as_json)
        )  # fmt: skip
        return
    target = None if dry_run else output or Path(f"{file.stem.removesuffix('.pgn')}-rated.xlsx")
    if target is not None:
        check_target(target, force, made_from=(file, how.players))
    try:
        tournament = how.read(file, kind)
    except EventError as wrong:
        if dry_run and not as_json:
            _print_understood(wrong.understood)
        raise
    if dry_run and not as_json:
        _print_understood((*tournament.understood, _counted(tournament)))
    with progress("Rating the event"):
        rated = rate_event(tournament, rules, k)
    if strict and rated.assumed:
        raise EventError(map(Problem, rated.assumed))
    if target is not None:
        from elo_xl.questions.rate.book import is_large, write_rated_event

        with progress("Writing the workbook"):
            write_rated_event(rated, target, lang)
    for warning in rated.warnings:
        warn(warning)
    for what in rated.assumed:
        warn(what, "assumed")
    if as_json:
        print_json(event_json(rated, target))
    else:
        _print_event(console(), rated)
        if target is not None:
            note = " (values: the event is too large for formulas)" if is_large(rated) else ""
            click.echo(f"Workbook: {target}{note}")


def _print_understood(lines: Sequence[str]) -> None:
    for line in lines:
        click.echo(line)
    if lines:
        click.echo()


def _counted(event: Tournament) -> str:
    """How many players, rounds and games there are.

    >>> _counted(Tournament("", (), {}, (), rounds=1))
    '0 players, 1 round, 0 games'
    """
    counts = {"player": len(event.players), "round": event.rounds, "game": len(event.games)}
    return ", ".join(many(n, what) for what, n in counts.items())


def _print_event(terminal: Console, event: RatedEvent) -> None:
    tournament = event.tournament
    terminal.print(f"[bold]{escape(tournament.name)}[/]")
    terminal.print(f"Rules: {event.rules.name} ({event.rules_reason}): {event.rules.title.en}")
    if event.borrowed_k:
        terminal.print(
            f"K factors: FIDE's, as {event.rules.name} has none of its own (--k gives another)"
        )
    if not any(player.games for player in event.players):
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
            signed(p.change),
            _rating(p.new, event),
            "" if p.performance is None else f"{p.performance:.0f}",
            *([p.k_reason] if wide else []),
        )
    if event.players:
        terminal.print(table)
    if not wide:
        _print_reasons(terminal, event)
    if event.players or not all(n.why == "none" for n in event.new_players):
        _print_new_players(terminal, event)
    if event.unrated_games:
        terminal.print(f"\nGames played but not rated: {event.unrated_games}")


def _print_new_players(terminal: Console, event: RatedEvent) -> None:
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
