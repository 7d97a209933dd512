"""How commands give an answer: on the terminal, as JSON, and in files.

A file holds a page (:class:`OutputOptions`), or a book with charts or pictures of these
(:class:`ResultFile`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import click
from rich.markup import escape
from rich.table import Table

from elo_xl.terminal.console import (
    console,
    progress,
    refuse_replacing,
    tell,
    tell_facts,
    wants_json,
)
from elo_xl.terminal.options import Option, gather, language_of

if TYPE_CHECKING:
    from elo_xl.books.book import Book
    from elo_xl.publish.page import Page


BOOK: Final = ".xlsx"
PICTURES: Final = (".png", ".svg")
Makers = Mapping[str, Callable[[], bytes]]
"""What makes the content of a file, by its ending."""


@dataclass(frozen=True, slots=True)
class ResultFile:
    """The file into which a finding goes, besides the terminal."""

    output: Path | None
    lang: str
    force: bool

    def check(
        self, sources: Iterable[Path], others: Iterable[str] = (), *, book: bool = True
    ) -> None:
        """Refuse, before any work, a file that could not be written or would replace another."""
        if self.output is None:
            return
        endings = (BOOK, *PICTURES, *others) if book else (*others,)
        if self._ending(endings) not in endings:
            said = ", ".join(endings)
            raise click.UsageError(
                f"{self.output}: the name of this file must end in one of {said}"
            )
        refuse_replacing(self.output, self.force, sources)
        if self._ending(endings) in PICTURES:
            from elo_xl.publish.pictures import needed

            needed()

    def _ending(self, endings: Sequence[str]) -> str:
        """The ending of the file; standard output gets the first that there may be."""
        from elo_xl.xlsx.files import is_standard

        assert self.output is not None
        return endings[0] if is_standard(self.output) else self.output.suffix.lower()

    def write(self, book: Callable[[], Book] | None, others: Makers = MappingProxyType({})) -> None:
        """Write the book, its pictures, or one of the other files that there are."""
        if self.output is None:
            return
        from elo_xl.publish.pictures import picture
        from elo_xl.xlsx.files import write_whole

        ending = self._ending([*others] if book is None else [BOOK])
        with progress("Writing"):
            if book is None or ending in others:
                content = others[ending]()
            else:
                content = book().file() if ending == BOOK else picture(book(), ending)
            write_whole(self.output, content)

    def tell(self) -> None:
        """Say what was written."""
        if self.output is not None:
            what = {BOOK: "Workbook: {path}", **dict.fromkeys(PICTURES, "Picture: {path}")}
            said = what.get(self.output.suffix.lower(), "File: {path}")
            tell(said.format(path=self.output), files=[str(self.output)])


def results(*others: str, book: bool = True) -> Option:
    """The options of a command whose findings go into a file, as its argument ``result``;
    ``others`` are further endings. Without a ``book`` pictures are all that is written."""
    written = ".xlsx is a book with tables and charts, .png and .svg are pictures of the charts"
    if not book:
        written = ".png and .svg are pictures of the chart"
    also = f", {', '.join(others)} has the numbers only" if others else ""
    return gather(
        "result",
        ResultFile,
        click.option(
            "-o",
            "--output",
            type=click.Path(path_type=Path),
            help=f"Write a file, too: {written}{also}.",
        ),
        language_of("that file"),
        click.option("--force", is_flag=True, help="Replace an existing file of that name."),
    )


def _html(page: Page | bytes) -> bytes:
    from elo_xl.publish.html import html

    return page if isinstance(page, bytes) else html(page)


def _pdf(page: Page | bytes) -> bytes:
    from elo_xl.publish.printing import pdf

    return pdf(_html(page))


def _csv(page: Page) -> bytes:
    from elo_xl.publish.page import as_csv

    return as_csv(page)


def _json(page: Page) -> bytes:
    from elo_xl.publish.page import as_json

    return as_json(page)


FORCE: Final = click.option("--force", is_flag=True, help="Replace existing files of these names.")

PRINTED: Final = {".html": _html, ".pdf": _pdf}
"""What is written of a page that is HTML already, by the ending of the file."""
KINDS: Final[Mapping[str, Callable[[Page], bytes]]] = {**PRINTED, ".csv": _csv, ".json": _json}
"""What is written of any other one."""


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """The files into which an answer goes, besides the terminal."""

    outputs: tuple[Path, ...]
    force: bool

    def files(self, name: str) -> list[Path]:
        """The files to write, refused as by :func:`checked`."""
        if self.outputs and wants_json():
            raise click.UsageError(
                f"--json and -o exclude each other: -o {name}.json writes a file"
            )
        return checked(self.outputs, name, self.force)


def answers(what: str) -> Option:
    """The options of a command that answers a question, as its argument ``into``; ``what`` says
    what the files hold."""

    return gather(
        "into",
        OutputOptions,
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


def checked(
    outputs: Iterable[Path], name: str, force: bool, endings: Iterable[str] = KINDS
) -> list[Path]:
    """The files to write: ``name`` with .html in a folder; refused where they would replace one."""
    targets = [_target(path, name, endings) for path in outputs]
    for target in targets:
        refuse_replacing(target, force)
    return targets


def write(page: Page | bytes, targets: Iterable[Path]) -> None:
    """Write a page into files, all of them made before the first is written, and name them; one
    that is HTML already only into those of :data:`PRINTED`."""
    from elo_xl.xlsx.files import write_whole

    with progress("Writing"):
        written = {
            target: PRINTED[ending](page) if isinstance(page, bytes) else KINDS[ending](page)
            for target in targets
            for ending in (target.suffix.lower() or ".html",)
        }
        for target, content in written.items():
            write_whole(target, content)
    for target in written:
        tell(f"{target.suffix[1:].upper() or 'HTML'}: {target}")
    tell_facts(files=list(map(str, written)))


def _target(path: Path, name: str, endings: Iterable[str]) -> Path:
    """The file to write, for a file or a folder; standard output gets HTML."""
    from elo_xl.xlsx.files import is_standard

    if path.is_dir():
        return path / f"{name}.html"
    if path.suffix.lower() not in endings and not is_standard(path):
        raise click.UsageError(f"{path}: its name must end in {', '.join(endings)}")
    return path


def show(page: Page) -> None:
    """Print the first table of a page, with what stands around it."""
    terminal = console()
    terminal.print(f"[bold]{escape(page.title)}[/]\n{escape(page.below)}")
    for note in page.notes:
        terminal.print(escape(note))
    terminal.print()
    # what the last columns have in common stands above them, at the right
    groups = dict.fromkeys(column.group for column in page.list.columns if column.group)
    above = escape(", ".join(groups)) or None
    table = Table(title=above, title_justify="right", title_style="bold",
                  box=None, padding=(0, 2, 0, 0))  # fmt: skip
    for column in page.list.columns:
        text = column.align == "left"
        table.add_column(
            column.heading, justify="left" if text else "right", no_wrap=not column.wraps
        )
    for line in page.list.rows:
        table.add_row(*(escape(c.text(line[c.key], page.language)) for c in page.list.columns))
    terminal.print(table)
