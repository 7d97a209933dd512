"""``elo-xl export``: an event or a list of players, as other programs take it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from elo_xl.club.exporting import (
    FIDE_LIST,
    FORMATS,
    SWISS_MANAGER,
    list_file,
    members_of,
    players_of,
    read_for_export,
)
from elo_xl.engine.errors import OptionError
from elo_xl.events.event import Tournament
from elo_xl.events.trf_writing import EDITIONS, TRF16, Written, written
from elo_xl.lists.layouts import KINDS
from elo_xl.templates.opened import EntriesError, nobody
from elo_xl.terminal.console import progress, refuse_replacing, tell, tell_facts, warn
from elo_xl.terminal.options import Choice, gather
from elo_xl.terminal.reading import COLUMNS, ENCODING, PLAYERS, SHEET, ReadOptions, event_option
from elo_xl.xlsx.files import is_standard, write_whole
from elo_xl.xlsx.in_place import WorkbookError

_ENDINGS: Final = {SWISS_MANAGER: "-players.txt", FIDE_LIST: "-list.txt"}
_REPORTS: Final = (".trf", ".trfx", ".txt")


def _headers(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """The records of ``032=ESP``."""
    headers = {}
    for value in values:
        code, equals, text = value.partition("=")
        if not equals:
            raise click.BadParameter(f"a header is given as 032=ESP, got {value!r}")
        headers[code.strip()] = text
    return headers


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What is written, and what it says besides what the file has."""

    format_: str
    rounds: int | None
    headers: dict[str, str]
    national: bool
    kind: str | None

    @property
    def is_report(self) -> bool:
        """Whether it is a report of an event, and no list of players."""
        return self.format_ in EDITIONS

    def check(self, target: Path) -> None:
        """Refuse options of the other formats, and a file that does not look like a report."""
        if self.is_report and (self.national or self.kind):
            raise click.UsageError("--national and --kind are for lists of players")
        if not self.is_report and (self.rounds or self.headers):
            raise click.UsageError("--rounds and --header are for reports")
        if self.is_report and target.suffix.lower() not in _REPORTS and not is_standard(target):
            raise click.UsageError(f"the name of a report must end in {' or '.join(_REPORTS)}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; FILE's name with .trf, -players.txt or -list.txt in this folder if "
    "omitted.",
)
@click.option(
    "--format",
    "format_",
    type=Choice(FORMATS),
    default=TRF16,
    show_default=True,
    help="A report of the event (trf16, trf26), or a list of the players.",
)
@click.option("--rounds", type=click.IntRange(1, 999), help="How many rounds the event has.")
@click.option(
    "--header",
    "headers",
    metavar="CODE=TEXT",
    multiple=True,
    callback=_headers,
    help='What the event does not say of itself: --header 032=ESP --header "102=Ana Ferrer". '
    "Dates of the rounds (132) have commas between them.",
)
@click.option(
    "--national",
    is_flag=True,
    help="In lists for Swiss-Manager: ratings and IDs are national ones, not FIDE's.",
)
@click.option(
    "--kind",
    type=Choice(KINDS),
    help="In lists for Swiss-Manager: which of a member's ratings; standard if omitted.",
)
@event_option("One of several events, of a club's book or a PGN file; of this, given twice, both.")
@gather("what", ExportOptions)
@gather("how", ReadOptions, PLAYERS, SHEET, COLUMNS, ENCODING)
@click.option("--force", is_flag=True, help="Replace an existing file of that name.")
def export(
    file: Path, output: Path | None, what: ExportOptions, how: ReadOptions, force: bool
) -> None:
    """Write the event in FILE as a tournament report file (TRF) for FIDE, a federation or a pairing
    program, or its players as a list for Swiss-Manager and others.

    FILE is any that `elo-xl rate` reads, or a club's book: its members, or with --event one of its
    events.
    """
    target = output or Path(file.stem + _ENDINGS.get(what.format_, ".trf"))
    # before the file is read, which may take long
    what.check(target)
    refuse_replacing(target, force, [file])
    try:
        if what.is_report:
            made, about = _report(file, how, what)
        else:
            made, about = _list(file, how, what, target.suffix.lower())
    except OptionError as wrong:
        raise click.UsageError(str(wrong)) from None
    except (EntriesError, WorkbookError) as wrong:
        raise click.ClickException(f"{file}: {wrong}") from None
    write_whole(target, made.content)
    for note in made.notes:
        warn(note, "note")
    tell(f"{about}: {target}", file=str(target), format=what.format_)


def _report(file: Path, how: ReadOptions, what: ExportOptions) -> tuple[Written, str]:
    with progress("Reading the event"):
        tournament = _event(file, how)
    for warning in tournament.warnings:
        warn(warning)
    _need(tournament.players)
    with progress("Writing the report"):
        made = written(tournament, what.format_, rounds=what.rounds, headers=what.headers)
    players, rounds = len(tournament.players), tournament.rounds
    counts = f"players: {players}, rounds: {rounds}"
    tell_facts(players=players, rounds=rounds)
    return made, f"{what.format_.upper()} ({counts})"


def _list(file: Path, how: ReadOptions, what: ExportOptions, ending: str) -> tuple[Written, str]:
    kind = what.kind
    with progress("Reading the players"):
        people = None if how.event else members_of(file)
        if people is None:
            tournament = _event(file, how)
            people, kind = players_of(tournament), kind or tournament.kind
    _need(people)
    made = list_file(people, what.format_, ending, kind=kind or "standard", national=what.national)
    tell_facts(players=len(people))
    counts = f"players: {len(people)}"
    return made, f"{what.format_} ({counts})"


def _need(players: Sequence[object]) -> None:
    """Refuse an event or a club without anybody."""
    if not players:
        raise EntriesError(nobody())


def _event(file: Path, how: ReadOptions) -> Tournament:
    return read_for_export(
        file,
        how.event,
        sheet=how.sheet,
        columns=how.columns,
        encoding=how.encoding,
        players=how.players,
    )
