"""``elo-xl selfcheck``: books that say themselves whether a program computes what they store."""

from __future__ import annotations

from pathlib import Path

import click

from elo_xl.english import plural
from elo_xl.terminal.console import check_target, progress, replacing, tell
from elo_xl.xlsx.files import write_whole
from elo_xl.xlsx.in_place import WorkbookError


@click.command()
@click.argument(
    "books",
    metavar="BOOK...",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    nargs=-1,
    required=True,
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The workbook to write, or with several a folder for them; BOOK's name with -selfcheck "
    "in this folder if omitted.",
)
@replacing
def selfcheck(books: tuple[Path, ...], output: Path | None, force: bool) -> None:
    """Add a last sheet to copies of workbooks which says whether the program that opens them
    computes what they store: `0 of 8237 cells differ`, or the first that does.

    BOOK is any .xlsx or .xlsm. What changes by itself, such as TODAY(), differs on another day.
    """
    from elo_xl.xlsx.selfcheck import checked

    folder = output if output and (len(books) > 1 or output.is_dir()) else None
    if folder and folder.suffix and not folder.is_dir():
        raise click.UsageError(f"{folder}: -o names a folder where there are several workbooks")
    made: dict[Path, tuple[bytes, int]] = {}
    with progress("Writing the workbooks"):
        for book in books:
            name = f"{book.stem}-selfcheck{book.suffix}"
            target = (folder or Path()) / name if folder or not output else output
            macros = book.suffix.lower() == ".xlsm"
            check_target(target, force, made_from=books, macros=macros, makes_folder=True)
            try:
                made[target] = checked(book.read_bytes())
            except WorkbookError as error:
                raise click.ClickException(f"{book}: {error}") from None
    if len(made) < len(books):
        raise click.UsageError("two of the workbooks have the same name: write them one by one")
    for target, (content, _) in made.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content)
    facts = [{"workbook": str(target), "cells": count} for target, (_, count) in made.items()]
    lines = (f"{target}: {plural(count, 'cell')} to compare" for target, (_, count) in made.items())
    tell("\n".join(lines), workbooks=facts)
