"""``elo-xl addin excel``, ``lite`` and ``status``: the functions in Excel through xlwings."""

from __future__ import annotations

from pathlib import Path

import click

from elo_xl.cli.console import addin_options, carry_out, progress


@click.command()
@addin_options
@click.option("--workbook", is_flag=True, help="Build elo_xl.xlsm, one workbook with its examples.")
def excel(folder: Path, workbook: bool, action: str | None) -> None:
    """Build elo_xl.xlam, the add-in for Excel on Windows; it can be built on any system."""
    from elo_xl.functions.names import NamesError
    from elo_xl.hosts.excel_addin import AddinError, build, windows

    try:
        if action:
            carry_out(action, windows.Computer())
        else:
            with progress("Building"):
                made = build(folder, workbook=workbook)
            click.echo(made)
    except (AddinError, NamesError) as error:
        raise click.ClickException(str(error)) from None


@click.command()
@click.argument("workbook", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The workbook to write; WORKBOOK's name with -lite in this folder if omitted.",
)
def lite(workbook: Path, target: Path | None) -> None:
    """Put the functions into WORKBOOK for xlwings Lite: Excel on Mac, web and Windows."""
    from elo_xl.functions.calls import calls_ours
    from elo_xl.functions.names import NamesError
    from elo_xl.hosts import xlwings_lite
    from elo_xl.xlsx.in_place import WorkbookError, count_formulas
    from elo_xl.xlsx.package import write_whole

    target = target or Path(f"{workbook.stem}-lite{workbook.suffix}")
    try:
        with progress("Writing the workbook"):
            made = xlwings_lite.put_into(workbook.read_bytes())
            write_whole(target, made)
    except (WorkbookError, NamesError) as error:
        raise click.ClickException(f"{workbook}: {error}") from None
    calls = count_formulas(made, b"elo_", calls_ours)
    click.echo(f"{target}: {calls} formulas with functions for xlwings Lite")


@click.command()
def status() -> None:
    """Show which Python and versions Excel's add-in uses, and what does not fit."""
    from elo_xl.hosts.excel_addin import AddinError, windows

    try:
        carry_out("status", windows.Computer())
    except AddinError as error:
        raise click.ClickException(str(error)) from None
