"""``elo-xl addin lite``: the functions in a workbook for xlwings Lite, on Mac, web and Windows."""

from __future__ import annotations

from pathlib import Path

import click

from elo_xl.terminal.console import check_target, progress, replacing, rewritten


@click.command()
@click.argument("workbook", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The workbook to write, which may be WORKBOOK itself; its name with -lite (with "
    "--remove: -plain) in this folder if omitted.",
)
@click.option("--remove", is_flag=True, help="Remove the functions again.")
@replacing
def lite(workbook: Path, target: Path | None, remove: bool, force: bool) -> None:
    """Put the functions into WORKBOOK for xlwings Lite: Excel on Mac, web and Windows."""
    # loaded here: the list of commands need not wait for it
    from elo_xl.books import flavours
    from elo_xl.functions.calls import calls_ours
    from elo_xl.functions.names import NamesError
    from elo_xl.hosts import xlwings_lite
    from elo_xl.xlsx.in_place import WorkbookError, count_formulas

    target = target or Path(f"{workbook.stem}-{'plain' if remove else 'lite'}{workbook.suffix}")
    check_target(target, force, workbook)
    try:
        with progress("Writing the workbook"):
            made, same, copy = rewritten(
                workbook, target, flavours.take_out if remove else flavours.put_into, "lite"
            )
            calls = 0 if remove else count_formulas(made, b"elo_", calls_ours)
            idle = [] if remove else list(xlwings_lite.rules(made))
    except (WorkbookError, NamesError) as error:
        raise click.ClickException(f"{workbook}: {error}") from None
    click.echo(f"{target}: {_removed(same) if remove else _put(calls)}")
    if copy:
        click.echo(f"Before it was: {copy.name}")
    if idle:
        click.echo(
            "Excel runs no function of xlwings Lite in these rules; let a cell call it instead:"
        )
    for rule in idle:
        click.echo(f"  {rule}")


def _removed(same: bool) -> str:
    if same:
        return "as it was: no functions for xlwings Lite were in it"
    return "without the functions for xlwings Lite"


def _put(calls: int) -> str:
    if calls:
        return f"{calls} formulas with functions for xlwings Lite"
    return "ready for xlwings Lite; no formula calls the functions yet"
