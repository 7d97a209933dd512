"""How the commands print."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from elo_xl.books.answers import number, phrase
from elo_xl.english import brief
from elo_xl.hosts import PROBLEM, Installation
from elo_xl.progress import listening

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status
    from rich.table import Table


MOST_SHOWN: Final = 40
"""Players of one kind, files that are refused, and notes, that a terminal shows."""


MANY_COPIES: Final = 5
"""From so many dated copies of a workbook on, a command says what they are for."""


def console() -> Console:
    """Standard output, as wide as the terminal; silent where the answer is JSON."""
    from rich.console import Console

    terminal = Console(highlight=False, quiet=wants_json())
    if not terminal.is_terminal:
        # there is no width to fit, so nothing should be cut off
        terminal.width = 160
    return terminal


def signed(change: float) -> str:
    """A change of a rating for a table: on a terminal, gains are green and losses red.

    >>> signed(7.2), signed(-0.004)
    ('[green]+7.20[/]', '-0.00')
    """
    colour = "" if abs(change) < 0.005 else "green" if change > 0 else "red"
    shown = number(f"{change:+.2f}")
    return f"[{colour}]{shown}[/]" if colour else shown


def plain_table(*texts: str, numbers: Iterable[str], why: str = "") -> Table:
    """A table without lines: texts, numbers beside them, and sentences at the end. A first column
    headed No, or without a heading, counts the lines."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in texts:
        table.add_column(phrase(heading), justify="right" if heading in ("No", "") else "left")
    for heading in numbers:
        table.add_column(phrase(heading), justify="right", no_wrap=True)
    if why:
        table.add_column(phrase(why))
    return table


def _meant(part: object) -> object:
    """The same without the digits that computing alone has brought.

    >>> _meant({"prize": 99.94500000000001, "odds": [0.1 + 0.2, 1e-9], "id": "7"})
    {'prize': 99.945, 'odds': [0.3, 1e-09], 'id': '7'}
    """
    if isinstance(part, Mapping):
        return {key: _meant(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_meant(value) for value in part]
    return float(f"{part:.9g}") if isinstance(part, float) else part


Severity = Literal["error", "warning", "note"]
"""An error ends a command, a warning may be a fault, a note is to be known."""

_COLOURS: Final = {"error": "red", "warning": "yellow", "note": "cyan"}


def warn(what: object, kind: Severity = "warning") -> None:
    """Print a message on standard error, as every command does; what ``--json`` collects has it."""
    what = brief(str(what))
    if kind != "error":
        tell_facts(**{f"{kind}s": [what]})
    if kind == "error" or not _Collected.quiet:
        prefix = click.style(f"{kind}:", fg=_COLOURS[kind], bold=True)
        click.echo(f"{prefix} {what}", err=True)


class _Collected:
    quiet = False
    facts: dict[str, object] | None = None
    messages: Mapping[str, list[str]] = {}


def wants_json() -> bool:
    """Whether the answer is to be JSON, so that nothing is printed for people."""
    return _Collected.facts is not None


def tell(text: str = "", **facts: object) -> None:
    """Print a line for people; with ``--json`` the facts in it are a part of the answer."""
    if not wants_json():
        click.echo(text)
    tell_facts(**facts)


def tell_facts(**facts: object) -> None:
    """Add facts to the answer of ``--json``; each note and each warning is there once."""
    if _Collected.facts is None:
        return
    for kind, messages in _Collected.messages.items():
        added = facts.pop(kind, ())
        assert isinstance(added, Sequence)
        messages += dict.fromkeys(text for text in map(str, added) if text not in messages)
    _Collected.facts |= facts


def tell_workbook(path: Path) -> None:
    """Say which workbook was written."""
    tell(f"Workbook: {path}", workbook=str(path))


def tell_copy(path: Path, copy: Path) -> None:
    """Say which copy there is of what a workbook was before; and when there are many, what they
    are for."""
    from elo_xl.xlsx.keep import copies

    tell(f"Before it was: {copy.name}", copy=copy.name)
    if (count := len(copies(path))) >= MANY_COPIES:
        warn(
            f"{count} dated copies lie beside the book: elo-xl undo needs the newest ones; "
            "delete the others when you like",
            "note",
        )


@contextmanager
def quietly(*, answer: bool) -> Iterator[None]:
    """Print errors only, and the ``answer`` if it is JSON."""
    before, _Collected.quiet = _Collected.quiet, True
    try:
        with (
            open(os.devnull, "w", encoding="utf-8") as nowhere,
            redirect_stdout(sys.stdout if answer else nowhere),
        ):
            yield
    finally:
        _Collected.quiet = before


@contextmanager
def answering() -> Iterator[None]:
    """Collect what is told, and print it as JSON at the end, also where the exit code is not 0."""
    before = _Collected.facts, _Collected.messages
    facts: dict[str, object] = {}
    messages: dict[str, list[str]] = {"warnings": [], "notes": []}
    _Collected.facts, _Collected.messages = facts, messages

    def printed() -> None:
        answer = _meant({**messages, **facts})
        click.echo(json.dumps(answer, ensure_ascii=False, indent=2))

    try:
        yield
    except (SystemExit, click.exceptions.Exit):
        printed()
        raise
    else:
        printed()
    finally:
        _Collected.facts, _Collected.messages = before


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Show on a terminal what is being done, and how far, if it takes more than a second."""
    status: Status | None = None

    def start() -> None:
        from rich.console import Console

        nonlocal status
        status = Console(stderr=True).status(f"{what} …")
        status.start()

    def told(count: int, kind: str) -> None:
        if status is not None:
            status.update(f"{what} … {count:,} {kind}")

    timer = threading.Timer(1.0, start)
    if sys.stderr.isatty() and not _Collected.quiet:
        timer.start()
    try:
        with listening(told):
            yield
    finally:
        timer.cancel()
        if timer.is_alive():  # it may just begin to show it
            timer.join()
        if status is not None:
            status.stop()


@contextmanager
def counted(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Show on a terminal how many of some things are done; returns what is called after each."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    terminal = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} / {task.total:,}"),
        console=terminal,
        transient=True,
        disable=not terminal.is_terminal,
    )
    task = bar.add_task(what, total=total)
    with bar:
        yield lambda: bar.advance(task)


def replacing(command: Callable[..., object]) -> Callable[..., object]:
    """The option of a command that writes a workbook."""
    option = click.option(
        "--force", is_flag=True, help="Replace an existing workbook of that name."
    )
    return option(command)


def refuse_replacing(
    target: Path,
    force: bool,
    sources: Iterable[Path | None] = (),
    *,
    makes_folder: bool = False,
) -> None:
    """Refuse, before any work, a file that would replace one of ``sources``, or, without ``force``,
    any other file; and one that cannot be written, as in a folder that is missing and not made. A
    book that people fill in is copied first."""
    from elo_xl.xlsx.files import check_free, is_standard

    if is_standard(target):
        return
    if any(source is not None and target.resolve() == source.resolve() for source in sources):
        raise click.UsageError(
            f"{target}: it would replace what it is made from: choose another name with -o"
        )
    if not makes_folder:
        target.parent.stat()
    check_free(target)  # what --force does not replace, either, is not to be forced
    if target.exists() and not force:
        raise click.UsageError(
            f"{target} already exists: choose another name with -o, or replace it with --force"
        )
    if _filled_in(target):
        from elo_xl.xlsx.keep import kept_copy

        tell_copy(target, kept_copy(target))


def _filled_in(path: Path) -> bool:
    """Whether there is a book that people fill in."""
    from elo_xl.events.books import template_of
    from elo_xl.events.files import MADE_HERE

    return path.exists() and template_of(path.read_bytes()) not in ("", MADE_HERE)


def put_into(target: Path, book: bytes, what: str) -> None:
    """Write a book; one that is there is in a copy already, to which ``elo-xl undo`` goes back."""
    from elo_xl.xlsx.files import write_whole

    if _filled_in(target):
        from elo_xl.club.steps import replaced

        replaced(target, what, book)
    else:
        write_whole(target, book)


def check_target(
    target: Path,
    force: bool,
    source: Path | None = None,
    *,
    made_from: Iterable[Path | None] = (),
    macros: bool = False,
    makes_folder: bool = False,
) -> None:
    """Refuse a name under which Excel would not open the workbook, and one that is taken.

    A workbook made from ``source`` keeps its ending, because one with ``macros`` has another than
    one without. ``force`` allows to replace a file, but none of ``made_from``; the source itself
    may always be changed.
    """
    ending = (source.suffix if source else ".xlsm" if macros else ".xlsx").lower()
    from elo_xl.xlsx.files import is_standard

    if ending and target.suffix.lower() != ending and not is_standard(target):
        raise click.ClickException(f"{target}: the name of this workbook must end in {ending}")
    if not (source is not None and target.is_file() and target.samefile(source)):
        refuse_replacing(target, force, made_from, makes_folder=makes_folder)


def rewritten(
    source: Path, target: Path, change: Callable[[bytes, str], bytes], form: str
) -> tuple[bytes, bool, Path | None]:
    """Write a workbook with its calls in another form, or without them, to ``target``.

    Gives what was written, whether that is what ``source`` was, and the copy that is kept where the
    two are one file.
    """
    from elo_xl.xlsx.files import write_whole
    from elo_xl.xlsx.keep import change_kept

    if target.exists() and target.samefile(source):
        made, copy = change_kept(target, lambda given: change(given, form))
        return made, copy is None, copy
    given = source.read_bytes()
    made = change(given, form)
    write_whole(target, made)
    return made, made == given, None


def addin_options(command: Callable[..., object]) -> Callable[..., object]:
    """The options of a command that builds an add-in, or puts it into a program."""
    for option in (
        click.option("--uninstall", "action", flag_value="uninstall", help="Remove it again."),
        click.option("--install", "action", flag_value="install", help="Install it for this user."),
        click.option(
            "-o",
            "--output",
            "folder",
            type=click.Path(path_type=Path, file_okay=False),
            default=Path(),
            help="The folder to write to; this one if omitted.",
        ),
    ):
        command = option(command)
    return command


_ACTIONS: Final = {"install": "Installing", "uninstall": "Removing", "status": "Looking"}


def carry_out(action: str, program: Installation) -> None:
    """Install or uninstall the add-in, or query its status, and print the report.

    The exit code is 1 if something does not fit.
    """
    work = {"install": program.install, "uninstall": program.uninstall, "status": program.status}
    with progress(_ACTIONS[action]):
        lines = list(work[action]())
    tell("\n".join(lines), lines=lines)
    if any(line.startswith(PROBLEM) for line in lines):
        sys.exit(1)
