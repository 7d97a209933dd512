"""``elo-xl templates`` and ``elo-xl new``: workbooks to fill in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from elo_xl.cli.console import console, progress
from elo_xl.hosts import FLAVOURS
from elo_xl.languages import CODES, ENGLISH


@click.command("templates")
@click.option("--lang", type=click.Choice(CODES), default=ENGLISH, help="Language of the list.")
def list_templates(lang: str) -> None:
    """List the workbooks that `elo-xl new` makes."""
    from elo_xl.templates.gallery import TEMPLATES

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for template in TEMPLATES.values():
        table.add_row(f"[bold]{template.name}[/]", escape(template.summary(lang)))
    console().print(table)


@click.command()
@click.argument("template")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The workbook to write; TEMPLATE.xlsx in this folder if omitted.",
)
@click.option(
    "--functions",
    type=click.Choice(FLAVOURS),
    default="formulas",
    show_default=True,
    help="How cells call the ELO_ functions: as built-in formulas that open anywhere, as "
    "LAMBDA names (Microsoft 365, Excel 2024), or as calls of the add-in or of xlwings Lite.",
)
@click.option("--lang", type=click.Choice(CODES), help=f"Its language; {ENGLISH} if omitted.")
@click.option("--players", type=int, help="How many players or boards it has room for.")
@click.option("--rounds", type=int, help="How many rounds it has room for.")
@click.option("--rules", help="The rulebook; FIDE's newest edition if omitted.")
@click.option("--sample", "filled", is_flag=True, help="Fill in an invented event.")
@click.option("--force", is_flag=True, help="Replace an existing workbook of that name.")
def new(
    template: str,
    output: Path | None,
    functions: str,
    lang: str | None,
    players: int | None,
    rounds: int | None,
    rules: str | None,
    filled: bool,
    force: bool,
) -> None:
    """Write the workbook TEMPLATE (`elo-xl templates` lists them), ready to fill in.

    TEMPLATE may also be the file of your own book, such as ./our-league.book.
    """
    from elo_xl.books.book_file import SUFFIX
    from elo_xl.xlsx.package import write_whole

    own = template.lower().endswith(SUFFIX)
    target = output or Path(f"{Path(template).stem}.xlsx" if own else f"{template.lower()}.xlsx")
    if own and (players is not None or rounds is not None):
        raise click.UsageError("the file of your own book says how many rows it has")
    make = (
        _own(Path(template), functions, lang, rules, filled=filled)
        if own
        else _template(template, functions, lang, players, rounds, rules, filled=filled)
    )
    if target.exists() and not force:
        raise click.UsageError(
            f"{target} already exists: choose another name with -o, or replace it with --force"
        )
    with progress("Writing the workbook"):
        write_whole(target, make())
    click.echo(f"Workbook: {target}")


def _template(
    template: str,
    functions: str,
    lang: str | None,
    players: int | None,
    rounds: int | None,
    rules: str | None,
    *,
    filled: bool,
) -> Callable[[], bytes]:
    """The function that makes a ready-made book."""
    from elo_xl.engine.errors import RatingError
    from elo_xl.templates import gallery

    try:
        options = gallery.options(
            template,
            functions=functions,
            language=lang or ENGLISH,
            players=players,
            rounds=rounds,
            rules=rules or "fide",
        )
    except RatingError as wrong:
        raise click.UsageError(str(wrong)) from None
    content = gallery.sample(template.lower(), options) if filled else None
    return lambda: gallery.make(template.lower(), options, content)


def _own(
    path: Path, functions: str, lang: str | None, rules: str | None, *, filled: bool
) -> Callable[[], bytes]:
    """What makes a book that a file describes; it is worked out, so that all errors are found."""
    from elo_xl.books import book_file
    from elo_xl.books.book import BookError, Options
    from elo_xl.engine.errors import RatingError
    from elo_xl.xlsx.evaluate import CircularError

    options = Options(functions, lang or "", rules=rules or "")
    try:
        book = book_file.read(path, options, filled=filled)
        book.finish()
    except (BookError, RatingError, CircularError) as wrong:
        raise click.ClickException(str(wrong)) from None
    except (OSError, UnicodeDecodeError) as wrong:
        raise click.ClickException(f"{path} cannot be read: {wrong}") from None
    return book.file
