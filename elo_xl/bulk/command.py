"""``elo-xl rate`` with files of more games than a sheet has rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from elo_xl.bulk import PERIODS, RESULTS, SYSTEMS, is_result, players_of
from elo_xl.english import plural
from elo_xl.templates import MOST_LISTED
from elo_xl.terminal.console import check_target, progress, refuse_replacing, wants_json
from elo_xl.terminal.options import Choice, gather
from elo_xl.terminal.reading import RateOptions, ReadOptions

if TYPE_CHECKING:
    from elo_xl.bulk.rate import Run
    from elo_xl.bulk.request import Request

TOP = 5000
"""Players whom a workbook has if no number is given."""


@dataclass(frozen=True, slots=True)
class LongOptions:
    """What ``elo-xl rate`` is asked for with long files alone."""

    by: str | None
    system: str | None
    most_unread: float
    top: int | None
    federation: str

    def refuse(self) -> None:
        """Refuse them where files are not long."""
        if self.by or self.system or self.top or self.federation:
            raise click.UsageError(
                "--period, --system, --top and --federation are for long files: Parquet, or "
                "CSV with -o ratings.parquet"
            )


for_long_files: Final = gather(
    "long",
    LongOptions,
    click.option(
        "--period",
        "by",
        type=Choice(PERIODS),
        help="For long files: the periods into which the column date is put; those of the column "
        "period, or a single one, if omitted.",
    ),
    click.option(
        "--system",
        type=Choice(SYSTEMS),
        help="For long files: a system that carries its ratings, instead of a rulebook; elo rates "
        "game after game.",
    ),
    click.option(
        "--most-unread",
        type=click.FloatRange(0, 1),
        default=0.01,
        show_default=True,
        help="For long files: the share of games that may be unreadable.",
    ),
    click.option(
        "--top",
        type=click.IntRange(1, MOST_LISTED),
        help="For long files and a workbook: how many of the highest ratings it has.  "
        f"[default: {TOP}]",
    ),
    click.option(
        "--federation",
        default="",
        help="For long files and a workbook: the federation that it is of.",
    ),
)
"""These options, as the argument ``long`` of a command."""


def rate_long(
    files: tuple[Path, ...], how: ReadOptions, options: RateOptions, long: LongOptions
) -> None:
    """Rate long files, or make one more workbook of a result of such, and say what was written."""
    without_use: dict[str, object] = {
        "--dry-run": options.dry_run,
        "--json": wants_json(),
        "--strict": options.strict,
        "--kind": options.kind,
        "--list": how.listed,
        "--names": how.names,
        "--event": how.event,
        "--encoding": how.encoding,
    }
    with_rules = {"--rules": options.rules, "--k": options.k is not None}
    if is_result(files):
        columns = {"--columns": how.columns, "--sheet": how.sheet}
        _refuse(
            with_rules | {"--period": long.by, "--system": long.system} | columns | without_use,
            f"not for {files[0]}, whose games are rated",
        )
        _list_of(files[0], how.players, options, long)
        return
    if how.players is None:
        pipe = next((one for one in files if not (one.is_file() or one.is_dir())), None)
        if pipe is not None:
            raise click.UsageError(f"{pipe}: a pipe cannot be read, only a file")
        raise click.UsageError("the players of long files have a file of their own: --players")
    if options.output is None:
        raise click.UsageError("the result of long files needs a name: -o ratings.parquet")
    _refuse(without_use, "not for long files")
    if long.system:
        _refuse(with_rules, "not together with --system")
    from elo_xl.bulk.request import Request
    from elo_xl.engine import systems

    _rate_into(
        Request(
            files,
            how.players,
            options.output,
            long.by,
            options.rules,
            getattr(systems, SYSTEMS[long.system])() if long.system else None,
            options.k,
            how.sheet,
            how.columns or {},
            long.most_unread,
            options.force,
        ),
        long,
        options.lang,
    )


def _refuse(given: Mapping[str, object], why: str) -> None:
    """Refuse options that would have no effect, if one of them is given.

    >>> _refuse({"--json": False, "--event": ""}, "not for long files")
    """
    named = [option for option, value in given.items() if value]
    if named:
        raise click.UsageError(f"{', '.join(named)}: {why}")


def _rate_into(request: Request, long: LongOptions, lang: str) -> None:
    """Rate; a workbook as output takes the highest ratings of the result beside it."""
    from elo_xl.bulk.reading import listed

    book = request.output if request.output.suffix.lower() == ".xlsx" else None
    if book is None:
        if long.top or long.federation:
            raise click.UsageError("--top and --federation are for a workbook: -o list.xlsx")
        if request.output.suffix.lower() not in RESULTS:
            raise click.UsageError(
                f"{request.output}: the name of a result ends in .parquet or .csv"
            )
        refuse_replacing(request.output, request.force, [*listed(request.games), request.players])
        _rate(request)
        return
    request = replace(request, output=book.with_suffix(".parquet"))
    check_target(book, request.force)
    if request.output.exists():  # --force is for what -o names
        raise click.UsageError(
            f"{request.output} already exists: make the workbook of it, elo-xl rate "
            f"{request.output} -o {book}, or replace it with -o {request.output} --force"
        )
    _rate(request)
    _write_book(request, book, long, lang)


def _list_of(result: Path, players: Path | None, options: RateOptions, long: LongOptions) -> None:
    """Write the workbook of the highest ratings of a result that is there."""
    from elo_xl.bulk.request import Request

    if options.output is None or options.output.suffix.lower() != ".xlsx":
        raise click.UsageError(
            f"{result} is a result of elo-xl rate, of which a workbook is made: -o list.xlsx"
        )
    if result.suffix.lower() != ".parquet":
        raise click.UsageError(f"{result}: a workbook is made of a result in Parquet only")
    players = players or players_of(result)
    assert players is not None
    check_target(options.output, options.force, made_from=[result, players])
    if not players.is_file():
        raise click.ClickException(f"{players}: the players are not there; --players says where")
    _write_book(Request((), players, result), options.output, long, options.lang)


def _write_book(request: Request, book: Path, long: LongOptions, lang: str) -> None:
    from elo_xl.bulk.extract import highest, write_big_list

    with progress("Writing the workbook"):
        extract = highest(request.output, request.players, long.top or TOP, long.federation)
        names = sorted(path.stem.partition("-")[2] for path in request.periods.glob("*.parquet"))
        span = f"{names[0]} – {names[-1]}" if len(names) > 1 else ""
        title = ", ".join(filter(None, [long.federation, span]))
        write_big_list(extract, book, title, lang)
    shown = plural(len(extract.rows), "player")
    click.echo(f"Workbook: {book}, {shown} of {extract.rated}")


_NAMED: Final = 3
"""names that a line shows"""


def _rate(request: Request) -> None:
    from elo_xl.bulk.rate import rate_files

    with progress("Rating"):
        run = rate_files(request)
    for line in _said(run):
        click.echo(line)


def _said(run: Run) -> list[str]:
    request, periods, of = run.asked, run.labels, run.of
    span = f" ({periods[0]} to {periods[-1]})" if len(periods) > 1 else ""
    counts = plural(run.games, "game"), plural(len(run.roster.ids), "player")
    lines = [
        f"{counts[0]} of {counts[1]} in {plural(len(periods), 'period')}{span}",
        f"Speed: {run.speed:,.0f} games a second",
        f"Rules: {', '.join(dict.fromkeys(run.rules))}",
    ]
    if of.unplayed:
        lines.append(f"Not played: {plural(of.unplayed, 'game')}")
    if of.unread:
        lines.append(f"Not read: {plural(of.unread, 'game')}, see {request.beside('-unread.csv')}")
    if of.others:
        lines.append(f"Columns not read, for they need another name: {', '.join(of.others)}")
    if of.respelt:
        some = ", ".join(map(repr, of.respelt[:_NAMED]))
        more = ", …" if len(of.respelt) > _NAMED else ""
        names = plural(len(of.respelt), "name")
        lines.append(f"Not matched to players with another spelling: {names}: {some}{more}")
    return [*lines, f"Ratings: {request.output}", f"After each period: {request.periods}"]
