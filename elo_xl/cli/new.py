"""``elo-xl templates`` and ``elo-xl new``: workbooks to fill in."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from elo_xl.cli.console import console, progress
from elo_xl.hosts import FLAVOURS
from elo_xl.languages import CODES, ENGLISH


@click.command("templates")
@click.option("--lang", type=click.Choice(CODES), default=ENGLISH, help="Language of the lines.")
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
    help="The workbook to write; TEMPLATE.xlsx in this folder if left out.",
)
@click.option(
    "--functions",
    type=click.Choice(FLAVOURS),
    default="formulas",
    show_default=True,
    help="How the ELO_ functions stand in the cells: as built-in formulas that open anywhere, as "
    "LAMBDA names (Microsoft 365, Excel 2024), or as calls of the add-in or of xlwings Lite.",
)
@click.option(
    "--lang", type=click.Choice(CODES), default=ENGLISH, show_default=True, help="Its language."
)
@click.option("--players", type=int, help="How many players or boards it has room for.")
@click.option("--rounds", type=int, help="How many rounds it has room for.")
@click.option("--rules", default="fide", show_default=True, help="The rulebook.")
@click.option("--sample", "filled", is_flag=True, help="Fill in an invented event.")
@click.option("--force", is_flag=True, help="Replace a workbook of that name, and all in it.")
def new(
    template: str,
    output: Path | None,
    functions: str,
    lang: str,
    players: int | None,
    rounds: int | None,
    rules: str,
    filled: bool,
    force: bool,
) -> None:
    """Write the workbook TEMPLATE (`elo-xl templates` lists them), ready to fill in."""
    from elo_xl.engine.errors import RatingError
    from elo_xl.templates import gallery
    from elo_xl.xlsx.package import write_whole

    try:
        options = gallery.options(
            template,
            functions=functions,
            language=lang,
            players=players,
            rounds=rounds,
            rules=rules,
        )
    except RatingError as wrong:
        raise click.UsageError(str(wrong)) from None
    target = output or Path(f"{template.lower()}.xlsx")
    if target.exists() and not force:
        raise click.UsageError(
            f"{target} is there already: choose another name with -o, or --force to replace it"
        )
    with progress("Writing the workbook"):
        content = gallery.sample(template.lower(), options) if filled else None
        write_whole(target, gallery.make(template.lower(), options, content))
    click.echo(f"Workbook: {target}")
