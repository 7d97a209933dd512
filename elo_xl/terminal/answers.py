"""How commands give an answer: on the terminal, as JSON, and as a page in files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.markup import escape
from rich.table import Table

from elo_xl.terminal.console import console, progress, refuse_replacing
from elo_xl.terminal.options import Option, gather

if TYPE_CHECKING:
    from elo_xl.publish.page import Page


def _html(page: Page) -> bytes:
    from elo_xl.publish.html import html

    return html(page)


def _pdf(page: Page) -> bytes:
    from elo_xl.publish.printing import pdf

    return pdf(_html(page))


def _csv(page: Page) -> bytes:
    from elo_xl.publish.data import as_csv

    return as_csv(page)


def _json(page: Page) -> bytes:
    from elo_xl.publish.data import as_json

    return as_json(page)


FORCE: Final = click.option("--force", is_flag=True, help="Replace existing files of these names.")

KINDS: Final[dict[str, Callable[[Page], bytes]]] = {
    ".html": _html,
    ".pdf": _pdf,
    ".csv": _csv,
    ".json": _json,
}
"""What is written, by the ending of the file."""


@dataclass(frozen=True, slots=True)
class Into:
    """Where an answer goes: to the terminal, as a table or as JSON, and into files."""

    as_json: bool
    outputs: tuple[Path, ...]
    force: bool

    def files(self, name: str) -> list[Path]:
        """The files to write, refused as by :func:`checked`."""
        if self.as_json and self.outputs:
            raise click.UsageError(
                f"--json and -o exclude each other: -o {name}.json writes a file"
            )
        return checked(self.outputs, name, self.force)


def answers(what: str, shown: str = "Print JSON instead of a table.") -> Option:
    """The options of a command that answers a question, as its argument ``into``; ``what`` says
    what the files hold."""

    return gather(
        "into",
        Into,
        click.option("--json", "as_json", is_flag=True, help=shown),
        click.option(
            "-o",
            "--output",
            "outputs",
            multiple=True,
            type=click.Path(path_type=Path),
            help=f"{what}: .html, .pdf, .csv or .json; may be given several times.",
        ),
        FORCE,
    )


def checked(outputs: Iterable[Path], name: str, force: bool) -> list[Path]:
    """The files to write: ``name`` with .html in a folder; refused where they would replace one."""
    targets = [_target(path, name) for path in outputs]
    for target in targets:
        refuse_replacing(target, force)
    return targets


def write(page: Page, targets: Iterable[Path]) -> None:
    """Write a page into files, all of them made before the first is written, and name them."""
    from elo_xl.xlsx.files import write_whole

    with progress("Writing"):
        written = {target: KINDS[target.suffix.lower()](page) for target in targets}
        for target, content in written.items():
            write_whole(target, content)
    for target in written:
        click.echo(f"{target.suffix[1:].upper()}: {target}")


def _target(path: Path, name: str) -> Path:
    """The file to write, for a file or a folder."""
    if path.is_dir():
        return path / f"{name}.html"
    if path.suffix.lower() not in KINDS:
        raise click.UsageError(f"{path}: its name must end in {', '.join(KINDS)}")
    return path


def show(page: Page) -> None:
    """Print the first table of a page, with what stands around it."""
    terminal = console()
    terminal.print(f"[bold]{escape(page.title)}[/]\n{escape(page.below)}")
    for note in page.notes:
        terminal.print(escape(note))
    terminal.print()
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in page.list.columns:
        heading = f"{column.heading} %" if column.group else column.heading
        text = column.align == "left"
        table.add_column(heading, justify="left" if text else "right", no_wrap=not column.wraps)
    for line in page.list.rows:
        table.add_row(*(escape(c.text(line[c.key], page.language)) for c in page.list.columns))
    terminal.print(table)
