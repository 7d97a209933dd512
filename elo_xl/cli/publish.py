"""``elo-xl publish``: what a book shows, for the web, for paper and for programs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from elo_xl.english import plural
from elo_xl.terminal.answers import FORCE, KINDS, PRINTED, checked, write
from elo_xl.terminal.console import progress, tell, warn
from elo_xl.terminal.options import Choice, address_of, language_of

if TYPE_CHECKING:
    from elo_xl.publish.cut import Cut


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
@language_of("what is written", "BOOK's own", also=["--language"])
@click.option(
    "--sheets",
    type=Choice(["slips", "plates"]),
    help="Write what is cut out, as .html or .pdf: result slips of the round that is to be played, "
    "or name plates of all players.",
)
@address_of("it shows it as a QR code. BOOK's own if omitted (elo-xl new --address)")
@FORCE
def publish(
    book: Path,
    outputs: tuple[Path, ...],
    lang: str | None,
    sheets: Cut | None,
    address: str | None,
    force: bool,
) -> None:
    """Write what BOOK shows as a page for the web, a PDF, CSV or JSON.

    BOOK is a club's book, a workbook of elo-xl new that has a sheet for the wall, or one of elo-xl
    rate. The page is one file, which asks nothing of any other place. Chrome, Chromium or Edge
    prints the PDF.
    """
    from elo_xl.publish.books import page_of
    from elo_xl.publish.cut import cut
    from elo_xl.templates.opened import EntriesError
    from elo_xl.terminal.reading import no_book
    from elo_xl.xlsx.in_place import WorkbookError

    if sheets is not None and address is not None:
        raise click.UsageError("no address is on what is cut out: leave --address out")
    paper = KINDS if sheets is None else PRINTED
    name = f"{book.stem}-{sheets}" if sheets else book.stem
    targets = checked(outputs or (Path(),), name, force, paper)
    try:
        with progress("Reading the book"):
            content = book.read_bytes()
            page = cut(content, sheets, lang or "") if sheets else page_of(content, lang or "")
    except (EntriesError, WorkbookError) as wrong:
        raise no_book(book, wrong) from None
    if isinstance(page, bytes):
        write(page, targets)
        return
    if address is not None:
        page = replace(page, address=address)
    count = len(page.list.rows)
    write(page, targets)
    tell(f"{page.title}: {plural(count, 'line')}", title=page.title, lines=count)
    if page.club_cell and not page.club:
        warn(f"it names no club: type the name into {page.club_cell}", "note")
