"""The options by which commands read events, the same for all of them."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Final, TypeVar
from zipfile import is_zipfile

import click

from elo_xl.engine.errors import EloError
from elo_xl.english import brief, meant, nearest, plural
from elo_xl.events.event import Kind, Tournament, by_kind
from elo_xl.events.from_list import with_list
from elo_xl.events.names import Nicknames, read_nicknames
from elo_xl.events.table import columns_named
from elo_xl.terminal.console import MOST_SHOWN, counted, progress, warn
from elo_xl.terminal.options import chosen_rules, gather, lists_begun
from elo_xl.xlsx.in_place import WorkbookError

if TYPE_CHECKING:
    from elo_xl.engine.rulebooks import Rulebook
    from elo_xl.events.merging import EventFile

Command = TypeVar("Command", bound=Callable[..., Any])


STDIN: Final = "stdin"
"""What the file is called that holds what comes in by standard input."""


class FoundPath(click.Path):
    """A path that is there; of one that is not, the message asks for those that are like it.

    Where a file is only read, ``-`` may be standard input.
    """

    def __init__(self, *, stdin: bool = False, **more: Any) -> None:
        super().__init__(path_type=Path, exists=True, **more)
        self.stdin = stdin

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(value)
        if self.stdin and str(path) == "-":
            return self._written(param, ctx)
        if not path.exists() and path.parent.is_dir():
            there = [other.name for other in path.parent.iterdir()]
            if near := nearest(path.name, there, 3):
                shown = [str(path.with_name(name)) for name in near]
                self.fail(f"{str(path)!r} does not exist{meant(str(path), shown)}", param, ctx)
        found: Path = super().convert(value, param, ctx)  # type: ignore[assignment]
        return found

    def _written(self, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Standard input as a file: what it holds says how it is read, as of any other."""
        content = sys.stdin.buffer.read()
        if not content:
            self.fail("standard input is empty, or was read already", param, ctx)
        folder = mkdtemp()
        atexit.register(rmtree, folder, ignore_errors=True)
        path = Path(folder, STDIN)
        path.write_bytes(content)
        return path


EXISTING: Final = FoundPath(dir_okay=False)
READ: Final = FoundPath(dir_okay=False, stdin=True)


def _columns(_: click.Context, __: click.Parameter, text: str | None) -> dict[str, str] | None:
    try:
        return dict(columns_named(text)) if text else None
    except ValueError as wrong:
        raise click.BadParameter(str(wrong)) from None


FILES: Final = click.argument(
    "files", nargs=-1, required=True, metavar="FILE…", type=FoundPath(stdin=True)
)
RULES: Final = click.option(
    "--rules",
    callback=chosen_rules,
    help="Rulebook, or the path of your own (club.toml); FIDE's edition in force on the first day "
    "if omitted.",
)
K: Final = click.option("--k", type=click.FloatRange(0, 100), help="K factor for all players.")
PLAYERS: Final = click.option(
    "--players",
    type=READ,
    help="List of players (CSV, xlsx, ods or xls) with what FILE does not say of them: ratings, K, "
    "games, birth years, peaks, IDs.",
)
LISTED: Final = click.option(
    "--list",
    "listed",
    shell_complete=lists_begun,
    help="Rating list with the players' ratings, K and birth years, such as fide or fide-2026-10.",
)
NAMES: Final = click.option(
    "--names",
    type=EXISTING,
    help="File with a nickname and a name, or number, in each line, for online events.",
)
SHEET: Final = click.option("--sheet", default="", help="Sheet with the games; found if omitted.")
COLUMNS: Final = click.option(
    "--columns",
    metavar="WHAT=HEADING,…",
    callback=_columns,
    help="What columns of FILE are called: white=Weiß,black=Schwarz.",
)


def _events(_: click.Context, __: click.Parameter, names: tuple[str, ...]) -> str | tuple[str, ...]:
    return names if len(names) > 1 else "".join(names)


def event_option(help: str) -> Callable[[Command], Command]:
    """The option that names one event of a file, or several, as one."""
    return click.option("--event", multiple=True, callback=_events, help=help)


EVENT: Final = event_option(
    "Event of a PGN file that has several; given twice, both count as one, and * is all of them."
)
ENCODING: Final = click.option(
    "--encoding", default="", help="Encoding of a text file, such as cp1250."
)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How an event is to be read."""

    players: Path | None = None
    listed: str | None = None
    names: Path | None = None
    sheet: str = ""
    columns: Mapping[str, str] | None = None
    event: str | tuple[str, ...] = ""
    encoding: str = ""

    def read(
        self, file: Path, kind: Kind | None = None, *, unrated: bool = False, unplayed: bool = False
    ) -> Tournament:
        """The event in a file, its players with what the rating list says of them; ``kind`` is the
        kind of play where the file does not tell. With ``unrated`` no player needs a rating, and
        with ``unplayed`` a book need have no games."""
        with progress("Reading the event"):
            from elo_xl.events.files import read_event

            tournament = read_event(
                file,
                self.players,
                sheet=self.sheet,
                columns=self.columns,
                encoding=self.encoding,
                event=self.event,
                unrated=unrated or self.listed is not None,
                names=self._nicknames(),
                unplayed=unplayed,
            )
        if tournament.kind is None:
            tournament = replace(tournament, kind=kind)
        if self.listed is None:
            return tournament
        with progress("Looking the players up"):
            return with_list(tournament, self.listed)

    def read_all(
        self,
        paths: Sequence[tuple[str, Path]],
        event: str | tuple[str, ...] = "",
        *,
        unrated: bool = True,
    ) -> list[EventFile]:
        """The events in files; a file that cannot be read does not stop the others."""
        from elo_xl.events.files import read_event, read_events

        read = partial(
            read_event,
            players=self.players,
            columns=self.columns,
            encoding=self.encoding,
            event=event,
            unrated=unrated,
            names=self._nicknames(),
        )
        with counted("Reading", len(paths)) as advance:
            return list(read_events(paths, read, advance))

    def _nicknames(self) -> Nicknames | None:
        """Who plays under which nickname, by the file that was named."""
        return None if self.names is None else read_nicknames(self.names)


reads_an_event: Final = gather(
    "how", ReadOptions, PLAYERS, LISTED, NAMES, SHEET, COLUMNS, EVENT, ENCODING
)
"""The options of a command that reads one event, as its argument ``how``."""


@dataclass(frozen=True, slots=True)
class RateOptions:
    """What ``elo-xl rate`` is asked for, besides how events are to be read."""

    output: Path | None
    rules: Rulebook | None
    k: float | None
    start: float | None
    kind: Kind | None
    lang: str
    strict: bool
    force: bool
    dry_run: bool

    def target(self, name: str) -> Path | None:
        """The workbook to write, which has a name of its own if none is given."""
        return None if self.dry_run else self.output or Path(f"{name}-rated.xlsx")


def named_paths(
    sources: Sequence[Path], target: Path | None
) -> tuple[list[tuple[str, Path]], list[Path]]:
    """All files with the names by which they are called, each once, and what is left out."""
    from elo_xl.events.files import event_paths

    names: dict[Path, str] = {}
    others: list[Path] = []
    for source in sources:
        if not source.is_dir():
            names.setdefault(source, str(source))
            continue
        events, left = event_paths(source)
        others += left
        for path in events:
            if target is None or path.resolve() != target.resolve():
                name = path.relative_to(source) if len(sources) == 1 else path
                names.setdefault(path, name.as_posix())
    return [(name, path) for path, name in names.items()], others


def some_paths(sources: Sequence[Path]) -> list[tuple[str, Path]]:
    """All files with events with the names by which they are called; there must be some."""
    paths, _ = named_paths(sources, None)
    if not paths:
        raise no_event(sources)
    return paths


def no_book(path: Path, wrong: Exception) -> click.ClickException:
    """What to raise for a file that is not the book that it should be; of an event it says so."""
    said = str(wrong)
    if isinstance(wrong, WorkbookError) and _is_event(path):
        said = f"this is an event's file, not a workbook: elo-xl rate {path}"
    elif isinstance(wrong, WorkbookError) and _is_list(path):
        said = f"this is a list of players, not a workbook: elo-xl new swiss --people {path}"
    return click.ClickException(brief(f"{path}: {said}"))


def _is_event(path: Path) -> bool:
    from elo_xl.events.files import read_event

    with suppress(EloError):
        return not is_zipfile(path) and bool(read_event(path, unrated=True).games)
    return False


def _is_list(path: Path) -> bool:
    from elo_xl.events.players import read_players

    with suppress(EloError):
        return not is_zipfile(path) and bool(read_players(path).entries)
    return False


def no_event(sources: Sequence[Path]) -> click.ClickException:
    """What to raise where nothing that was named holds an event."""
    return click.ClickException(f"there is no event in {', '.join(map(str, sources))}")


def tell_refused(files: Sequence[EventFile], done: str = "counted") -> None:
    """Say what is wrong with the files that are refused; the exit code is 1 if there are any."""
    refused = [file for file in files if file.problems]
    for file in refused[:MOST_SHOWN]:
        for problem in by_kind(file.problems):
            warn(problem, "error")
    if refused:
        of = plural(len(files), "file")
        warn(f"{len(refused)} of {of} not {done}", "error")
        sys.exit(1)
