"""``elo-xl publish``: what a book shows, for the web, for paper and for programs."""

from __future__ import annotations

from pathlib import Path

import click

from elo_xl.languages import CODES, many
from elo_xl.terminal.answers import FORCE, checked, write
from elo_xl.terminal.console import progress, warn


@click.command()
@click.argument("book", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="The file to write, whose ending says what it is: .html, .pdf, .csv or .json; may be "
    "given several times. In a folder, and if omitted in this one, it is BOOK's name with .html.",
)
@click.option(
    "--lang",
    "--language",
    "lang",
    type=click.Choice(CODES),
    default=None,
    help="Language of what is written; BOOK's own if omitted.",
)
@FORCE
def publish(book: Path, outputs: tuple[Path, ...], lang: str | None, force: bool) -> None:
    """Write what BOOK shows as a page for the web, a PDF, CSV or JSON.

    BOOK is a club's book, a workbook of elo-xl new that has a list or standings, or one of elo-xl
    rate. The page is one file, which asks nothing of any other place. Chrome, Chromium or Edge
    prints the PDF.
    """
    from elo_xl.publish.books import page_of
    from elo_xl.templates.opened import EntriesError
    from elo_xl.xlsx.in_place import WorkbookError

    targets = checked(outputs or (Path(),), book.stem, force)
    try:
        with progress("Reading the book"):
            page = page_of(book.read_bytes(), lang or "")
    except (EntriesError, WorkbookError) as wrong:
        raise click.ClickException(f"{book}: {wrong}") from None
    click.echo(f"{page.title}: {many(len(page.list.rows), 'line')}")
    write(page, targets)
    if page.club_cell and not page.club:
        warn(f"it names no club: type the name into {page.club_cell}", "note")
