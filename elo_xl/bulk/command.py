"""``elo-xl rate`` with files of more games than a sheet has rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from elo_xl.bulk.files import listed
from elo_xl.bulk.known import RESULTS, SYSTEMS
from elo_xl.bulk.request import Asked
from elo_xl.languages import many
from elo_xl.terminal.console import check_target, progress, refuse_replacing

if TYPE_CHECKING:
    from elo_xl.bulk.rate import Report
    from elo_xl.engine.systems import System

TOP = 5000
"""Players whom a workbook has if nobody says how many."""


def system_of(name: str) -> System:
    """A system by its name; what long files need is loaded for them alone."""
    from elo_xl.engine import systems

    system: System = getattr(systems, SYSTEMS[name])()
    return system


def refuse_others(given: Mapping[str, object], why: str) -> None:
    """Refuse options that would have no effect, if one of them is given.

    >>> refuse_others({"--json": False, "--event": ""}, "not for long files")
    """
    named = [option for option, value in given.items() if value]
    if named:
        raise click.UsageError(f"{', '.join(named)}: {why}")


def rate_big(asked: Asked, top: int | None, federation: str, lang: str) -> None:
    """Rate long files and say what was written; a workbook as output takes the highest ratings."""
    book = asked.output if asked.output.suffix.lower() == ".xlsx" else None
    if book is None:
        if top or federation:
            raise click.UsageError("--top and --federation are for a workbook: -o list.xlsx")
        if asked.output.suffix.lower() not in RESULTS:
            raise click.UsageError(f"{asked.output}: the name of a result ends in .parquet or .csv")
        refuse_replacing(asked.output, asked.force, [*listed(asked.games), asked.players])
        _rate(asked)
        return
    asked = replace(asked, output=book.with_suffix(".parquet"))
    check_target(book, asked.force)
    if not asked.made():
        if asked.output.exists():  # --force is for what -o names
            raise click.UsageError(
                f"{asked.output} already exists, from other games, players or options: choose "
                f"another name with -o, or make it anew with -o {asked.output} --force"
            )
        _rate(asked)
    _write_book(asked, book, top, federation, lang)


def list_of(
    result: Path, players: Path, output: Path | None, top: int | None, federation: str, lang: str,
    force: bool,
) -> None:  # fmt: skip
    """Write the workbook of the highest ratings of a result that is there, and say so."""
    if output is None or output.suffix.lower() != ".xlsx":
        raise click.UsageError(
            f"{result} is a result of elo-xl rate, of which a workbook is made: -o list.xlsx"
        )
    if result.suffix.lower() != ".parquet":
        raise click.UsageError(f"{result}: a workbook is made of a result in Parquet only")
    check_target(output, force, made_from=[result, players])
    if not players.is_file():
        raise click.ClickException(f"{players}: the players are not there; --players says where")
    _write_book(Asked((), players, result), output, top, federation, lang)


def _write_book(asked: Asked, book: Path, top: int | None, federation: str, lang: str) -> None:
    from elo_xl.bulk.extract import highest
    from elo_xl.bulk.sheet import write_big_list

    with progress("Writing the workbook"):
        extract = highest(asked.output, asked.players, top or TOP, federation)
        write_big_list(extract, book, ", ".join(filter(None, [federation, *_periods(asked)])), lang)
    click.echo(f"Workbook: {book}, {many(len(extract.rows), 'player')} of {extract.rated:,}")


def _periods(asked: Asked) -> list[str]:
    """The first and the last period of a result."""
    names = sorted(path.stem.partition("-")[2] for path in asked.periods.glob("*.parquet"))
    return [f"{names[0]} – {names[-1]}"] if len(names) > 1 else []


_NAMED: Final = 3
"""names that a line shows"""


def _rate(asked: Asked) -> None:
    from elo_xl.bulk.rate import rate_files

    with progress("Rating"):
        report = rate_files(asked)
    for line in _said(asked, report):
        click.echo(line)


def _said(asked: Asked, report: Report) -> list[str]:
    periods = report.periods
    span = f" ({periods[0]} to {periods[-1]})" if len(periods) > 1 else ""
    counts = many(report.games, "game"), many(report.players, "player")
    lines = [
        f"{counts[0]} of {counts[1]} in {many(len(periods), 'period')}{span}",
        f"Speed: {report.speed:,.0f} games a second",
        f"Rules: {', '.join(report.rules)}",
    ]
    if report.resumed:
        lines.append(f"{many(report.resumed, 'period')} had been rated before")
    if report.unplayed:
        lines.append(f"Not played: {many(report.unplayed, 'game')}")
    if report.unread_file is not None:
        lines.append(f"Not read: {many(report.unread, 'game')}, see {report.unread_file}")
    if report.respelt:
        some = ", ".join(map(repr, report.respelt[:_NAMED]))
        more = ", …" if len(report.respelt) > _NAMED else ""
        names = many(len(report.respelt), "name")
        lines.append(f"Not taken for players of another spelling: {names}: {some}{more}")
    return [*lines, f"Ratings: {report.output}", f"After each period: {asked.periods}"]
