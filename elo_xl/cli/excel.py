"""``elo-xl addin excel`` and ``status``: the functions in Excel on Windows through xlwings."""

from __future__ import annotations

from pathlib import Path

import click

from elo_xl.terminal.console import addin_options, carry_out


@click.command()
@addin_options
@click.option("--workbook", is_flag=True, help="Write elo_xl.xlsm, one workbook with its examples.")
def excel(folder: Path, workbook: bool, action: str | None) -> None:
    """Write elo_xl.xlam, the add-in for Excel on Windows, or install it there."""
    from elo_xl.hosts.excel_addin import LICENCE, AddinError, build, windows

    try:
        if action:
            carry_out(action, windows.Computer())
        else:
            made = build(folder, workbook=workbook)
            click.echo(f"{made}\n{made.with_name(LICENCE)}")
    except AddinError as error:
        raise click.ClickException(str(error)) from None


@click.command()
def status() -> None:
    """Show which Python and versions Excel's add-in uses, and what does not fit."""
    from elo_xl.hosts.excel_addin import AddinError, windows

    try:
        carry_out("status", windows.Computer())
    except AddinError as error:
        raise click.ClickException(str(error)) from None
