"""``elo-xl addin excel``, ``lite`` and ``status``: the functions in Excel through xlwings."""

from __future__ import annotations

from pathlib import Path

import click

from elo_xl.cli.console import progress


@click.command()
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="The folder to write to; this one if left out.",
)
@click.option("--workbook", is_flag=True, help="Build elo_xl.xlsm, one workbook with its examples.")
@click.option("--install", "action", flag_value="install", help="Put it into Excel's start folder.")
@click.option("--uninstall", "action", flag_value="uninstall", help="Take it out again.")
def excel(folder: Path, workbook: bool, action: str | None) -> None:
    """Build elo_xl.xlam, the add-in for Excel on Windows; it can be built on any system."""
    from elo_xl.functions.names import NamesError
    from elo_xl.hosts.excel_addin import AddinError, build, windows

    try:
        if action:
            with progress(f"{action.capitalize()}ing"):
                lines = list(getattr(windows, action)(windows.Computer()))
        else:
            with progress("Building"):
                lines = [str(build(folder, workbook=workbook))]
    except (AddinError, NamesError) as error:
        raise click.ClickException(str(error)) from None
    click.echo("\n".join(lines))


@click.command()
@click.argument("workbook", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The workbook to write; WORKBOOK's name with -lite in this folder if left out.",
)
def lite(workbook: Path, target: Path | None) -> None:
    """Put the functions into WORKBOOK for xlwings Lite: Excel on Mac, web and Windows."""
    from elo_xl.functions.names import NamesError
    from elo_xl.hosts.xlwings_lite import WorkbookError, embed

    target = target or Path(f"{workbook.stem}-lite{workbook.suffix}")
    try:
        with progress("Writing the workbook"):
            calls = embed(workbook, target)
    except (WorkbookError, NamesError) as error:
        raise click.ClickException(f"{workbook}: {error}") from None
    click.echo(f"{target}: {calls} formulas with functions for xlwings Lite")


@click.command()
def status() -> None:
    """Say which Python and versions Excel's add-in uses, and what does not fit."""
    from elo_xl.hosts.excel_addin import AddinError, windows

    try:
        click.echo("\n".join(windows.status(windows.Computer())))
    except AddinError as error:
        raise click.ClickException(str(error)) from None
