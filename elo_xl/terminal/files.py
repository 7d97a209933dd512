"""The files that hold what a command has found: a book with charts, or pictures of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import click

from elo_xl.languages import CODES, ENGLISH
from elo_xl.terminal.console import progress, refuse_replacing

if TYPE_CHECKING:
    from elo_xl.books.book import Book

BOOK: Final = ".xlsx"
KINDS: Final = (".png", ".svg")
Makers = Mapping[str, Callable[[], bytes]]
"""What makes the content of a file, by its ending."""


def results(*others: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options of a command whose findings go into a file; ``others`` are further endings."""
    also = f", {', '.join(others)} has the numbers only" if others else ""

    def options(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in (
            click.option("--force", is_flag=True, help="Replace an existing file of that name."),
            click.option(
                "--lang",
                type=click.Choice(CODES),
                default=ENGLISH,
                show_default=True,
                help="Language of that file.",
            ),
            click.option(
                "-o",
                "--output",
                type=click.Path(path_type=Path),
                help="Write a file, too: .xlsx is a book with tables and charts, .png and .svg are "
                f"pictures of the charts{also}.",
            ),
        ):
            command = option(command)
        return command

    return options


def check_result(
    output: Path | None, force: bool, sources: Iterable[Path], others: Iterable[str] = ()
) -> None:
    """Refuse, before any work, a file that could not be written or would replace another one."""
    if output is None:
        return
    endings = (BOOK, *KINDS, *others)
    if output.suffix.lower() not in endings:
        said = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise click.UsageError(f"{output}: the name of this file must end in {said}")
    refuse_replacing(output, force, sources)
    if output.suffix.lower() in KINDS:
        from elo_xl.publish.pictures import needed

        needed()


def write_result(
    output: Path | None, book: Callable[[], Book], others: Makers = MappingProxyType({})
) -> None:
    """Write the book, its pictures, or one of the other files that there are."""
    if output is None:
        return
    from elo_xl.publish.pictures import picture
    from elo_xl.xlsx.files import write_whole

    ending = output.suffix.lower()
    with progress("Writing"):
        if ending in others:
            content = others[ending]()
        else:
            content = book().file() if ending == BOOK else picture(book(), ending)
        write_whole(output, content)


def tell_result(output: Path | None) -> None:
    """Say what was written."""
    if output is not None:
        what = {BOOK: "Workbook", **dict.fromkeys(KINDS, "Picture")}
        click.echo(f"{what.get(output.suffix.lower(), 'File')}: {output}")
