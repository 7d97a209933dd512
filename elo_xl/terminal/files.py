"""The files that hold what a command has found: a book with charts, or pictures of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import click

from elo_xl.languages import CODES, ENGLISH
from elo_xl.terminal.console import progress, refuse_replacing
from elo_xl.terminal.options import Option, gather

if TYPE_CHECKING:
    from elo_xl.books.book import Book

BOOK: Final = ".xlsx"
KINDS: Final = (".png", ".svg")
Makers = Mapping[str, Callable[[], bytes]]
"""What makes the content of a file, by its ending."""


@dataclass(frozen=True, slots=True)
class ResultFile:
    """Where a finding goes: to the terminal, as tables or as JSON, and into a file."""

    as_json: bool
    output: Path | None
    lang: str
    force: bool

    def check(self, sources: Iterable[Path], others: Iterable[str] = ()) -> None:
        """Refuse, before any work, a file that could not be written or would replace another."""
        if self.output is None:
            return
        endings = (BOOK, *KINDS, *others)
        if self.output.suffix.lower() not in endings:
            said = f"{', '.join(endings[:-1])} or {endings[-1]}"
            raise click.UsageError(f"{self.output}: the name of this file must end in {said}")
        refuse_replacing(self.output, self.force, sources)
        if self.output.suffix.lower() in KINDS:
            from elo_xl.publish.pictures import needed

            needed()

    def write(self, book: Callable[[], Book], others: Makers = MappingProxyType({})) -> None:
        """Write the book, its pictures, or one of the other files that there are."""
        if self.output is None:
            return
        from elo_xl.publish.pictures import picture
        from elo_xl.xlsx.files import write_whole

        ending = self.output.suffix.lower()
        with progress("Writing"):
            if ending in others:
                content = others[ending]()
            else:
                content = book().file() if ending == BOOK else picture(book(), ending)
            write_whole(self.output, content)

    def tell(self) -> None:
        """Say what was written."""
        if self.output is not None:
            what = {BOOK: "Workbook", **dict.fromkeys(KINDS, "Picture")}
            click.echo(f"{what.get(self.output.suffix.lower(), 'File')}: {self.output}")


def results(shown: str, *others: str) -> Option:
    """The options of a command whose findings go into a file, as its argument ``result``; JSON
    comes instead of what is ``shown``, and ``others`` are further endings."""
    also = f", {', '.join(others)} has the numbers only" if others else ""
    return gather(
        "result",
        ResultFile,
        click.option("--json", "as_json", is_flag=True, help=f"Print JSON instead of {shown}."),
        click.option(
            "-o",
            "--output",
            type=click.Path(path_type=Path),
            help="Write a file, too: .xlsx is a book with tables and charts, .png and .svg are "
            f"pictures of the charts{also}.",
        ),
        click.option(
            "--lang",
            type=click.Choice(CODES),
            default=ENGLISH,
            show_default=True,
            help="Language of that file.",
        ),
        click.option("--force", is_flag=True, help="Replace an existing file of that name."),
    )
