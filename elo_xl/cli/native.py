"""``elo-xl addin native``: the functions as names of a workbook, for Excel without any add-in."""

from __future__ import annotations

from pathlib import Path

import click

from elo_xl.terminal.console import check_target, progress, replacing, rewritten


@click.command()
@click.argument(
    "workbook", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=False
)
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The workbook to write, which may be WORKBOOK itself; its name with -native (with "
    "--remove: -plain) in this folder if omitted.",
)
@click.option("--remove", is_flag=True, help="Remove the names again.")
@replacing
@click.option("--text", "as_text", is_flag=True, help="Print the names to import into Excel Labs.")
def native(
    workbook: Path | None, target: Path | None, remove: bool, force: bool, as_text: bool
) -> None:
    """Put the functions into WORKBOOK as LAMBDA names: Excel 365 and 2024, nothing installed."""
    from elo_xl.books import flavours
    from elo_xl.functions.native import lambda_names
    from elo_xl.hosts import lambdas
    from elo_xl.xlsx.in_place import WorkbookError

    if as_text:
        click.echo(lambdas.text(), nl=False)
        return
    if workbook is None:
        raise click.UsageError("give a WORKBOOK, or --text")
    target = target or Path(f"{workbook.stem}-{'plain' if remove else 'native'}{workbook.suffix}")
    check_target(target, force, workbook)
    try:
        with progress("Writing the workbook"):
            made, same, copy = rewritten(
                workbook, target, flavours.take_out if remove else flavours.put_into, "lambda"
            )
    except WorkbookError as error:
        raise click.ClickException(f"{workbook}: {error}") from None
    done = f"{len(lambda_names())} names"
    if remove:
        done = "as it was: none of the names was in it" if same else "without the names"
    click.echo(f"{target}: {done}")
    if copy:
        click.echo(f"Before it was: {copy.name}")
    if not remove and (unnamed := _without_names(made)):
        click.echo(
            f"No name can stand for {', '.join(unnamed)}: the cells that call them need the add-in."
        )


def _without_names(workbook: bytes) -> list[str]:
    """The functions that formulas of a workbook call although no LAMBDA can be written for them."""
    from elo_xl.functions.catalogue import functions
    from elo_xl.functions.native import lambda_names
    from elo_xl.xlsx.in_place import count_formulas
    from elo_xl.xlsx.stored import called

    unnamed, found = functions().keys() - set(lambda_names()), set[str]()

    def look(formula: str) -> bool:
        found.update(called(formula) & unnamed)
        return False

    count_formulas(workbook, b"elo_", look)
    return sorted(found)
