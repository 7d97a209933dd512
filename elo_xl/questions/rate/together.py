"""``elo-xl rate`` with a folder or several files: many events as one period."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from elo_xl.events.event import EventError, Problem
from elo_xl.events.merging import EventFile, Together, rate_together
from elo_xl.events.rate import RatedEvent
from elo_xl.functions.formula_text import to_text
from elo_xl.languages import many
from elo_xl.lists import store
from elo_xl.questions.rate.json import event_json
from elo_xl.terminal.console import (
    MOST_SHOWN,
    check_target,
    console,
    plain_table,
    print_json,
    progress,
    signed,
)
from elo_xl.terminal.reading import How, RateOptions, named_paths


def rate_events(sources: Sequence[Path], how: How, asked: RateOptions) -> None:
    """Rate all events as one period; the exit code is 1 unless all of them are rated."""
    listed = "" if how.listed is None else str(store.choose(how.listed) or store.EXAMPLE)
    target = asked.target((len(sources) == 1 and sources[0].resolve().name) or "events")
    paths, others = named_paths(sources, target)
    if not paths:
        raise click.ClickException(f"there is no event in {', '.join(map(str, sources))}")
    if target is not None:
        check_target(target, asked.force, made_from=(*(path for _, path in paths), how.players))
    files = how.read_all(paths, unrated=how.listed is not None)
    with progress("Rating the events"):
        period = rate_together(
            files, asked.rules, asked.k, listed=how.listed, kind=asked.kind or "standard"
        )
    assumed = [Problem(f"{kind}: {what}") for kind, event in period.rated.items()
               for what in event.assumed]  # fmt: skip
    if asked.strict and assumed:
        raise EventError(assumed)
    if not period.rated:
        target = None
    if target is not None:
        from elo_xl.questions.rate.period import write_rated_period

        with progress("Writing the workbook"):
            write_rated_period(period, target, listed, asked.lang)
    if asked.as_json:
        print_json(_as_json(period, target))
    else:
        _print(period, others, target)
    for file in period.refused[:MOST_SHOWN]:
        for problem in file.problems:
            click.echo(f"elo-xl: {problem}", err=True)
    if refused := len(period.refused):
        click.echo(f"elo-xl: {refused} of {many(len(files), 'file')} not rated", err=True)
        sys.exit(1)


def _print(period: Together, others: Sequence[Path], target: Path | None) -> None:
    _tell_notes(period, others, target)
    terminal = console()
    for kind, event in period.rated.items():
        own = [file for file in period.files if file.counted and file.kind == kind]
        played = [p for p in event.players if p.games]
        fresh = [p for p in event.new_players if p.rating is not None]
        terminal.print(
            f"[bold]{kind.capitalize()}[/]: {many(len(own), 'event')}, "
            f"{many(len(event.tournament.games), 'game')}, "
            f"{many(len(played), 'rated player')}, {many(len(fresh), 'first rating')}"
        )
        terminal.print(
            f"Rules: {event.rules.name} ({event.rules_reason}): {event.rules.title.english}"
        )
        terminal.print(_table(event))
        if (left := len(played) + len(fresh) - MOST_SHOWN) > 0:
            terminal.print(f"and {left} more{' in the workbook' if target else ''}")
    if target is not None:
        click.echo(f"Workbook: {target}")


def _tell_notes(period: Together, others: Sequence[Path], target: Path | None) -> None:
    """Say on standard error what is left out, and what is doubtful."""
    from elo_xl.questions.rate.period import notes_of

    # a season has hundreds of everything: the terminal shows the first, the workbook all
    for path in others[:MOST_SHOWN]:
        click.echo(f"left out, as no event: {path.name}", err=True)
    notes = notes_of(period)
    for note in notes[:MOST_SHOWN]:
        click.echo(f"note: {note}", err=True)
    if (more := len(notes) - MOST_SHOWN) > 0:
        where = ": all are on the sheet Notes" if target else ""
        click.echo(f"and {many(more, 'note')} more{where}", err=True)


def _table(event: RatedEvent) -> Table:
    table = plain_table("ID", "Name", numbers=("Rating", "New", "Change", "Games", "K"))
    rows = [(p.player, p.player.rating, p.new, signed(p.change), p.games, p.k)
            for p in event.players if p.games]  # fmt: skip
    rows += [(n.player, None, n.rating, "", len(n.opponents), None)
             for n in event.new_players if n.rating is not None]  # fmt: skip
    rows.sort(key=lambda row: -(row[2] or 0))
    for player, old, new, change, games, k in rows[:MOST_SHOWN]:
        shown = ("" if number is None else to_text(round(number, 2)) for number in (old, new, k))
        was, now, factor = shown
        table.add_row(escape(player.id), escape(player.name), was, now, change, str(games), factor)
    return table


def _as_json(period: Together, target: Path | None) -> dict[str, object]:
    from elo_xl.questions.rate.period import notes_of

    return {
        "files": [_file_json(file) for file in period.files],
        "rated": {kind: event_json(event, None) for kind, event in period.rated.items()},
        "notes": notes_of(period),
        "workbook": target and str(target),
    }


def _file_json(file: EventFile) -> dict[str, object]:
    event = file.event
    return {
        "file": file.name,
        "event": event and event.name,
        "start": event and event.start and event.start.isoformat(),
        "kind": event and file.kind,
        "players": len(file.people),
        "games": len(event.games) if event else None,
        "rated": file.counted,
        "problems": [str(problem) for problem in file.problems],
    }
