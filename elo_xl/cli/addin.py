"""``elo-xl addin``: put the functions into Excel, LibreOffice, or a single workbook."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from elo_xl.cli.excel import excel, status
from elo_xl.cli.lite import lite
from elo_xl.cli.native import native
from elo_xl.terminal.console import addin_options, carry_out, check_target, progress, replacing
from elo_xl.xlsx.in_place import WorkbookError, count_formulas


@click.group()
def addin() -> None:
    """Build and install the functions for Excel, xlwings Lite, LibreOffice, or as plain names."""


for command in (excel, lite, native, status):
    addin.add_command(command)


@addin.command()
@addin_options
@click.option("--status", "action", flag_value="status", help="Show what is installed.")
@click.option(
    "--soffice",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="LibreOffice's soffice; the first one found if omitted.",
)
@click.option(
    "--wheels-for",
    "targets",
    nargs=2,
    multiple=True,
    metavar="PYTHON PLATFORM",
    help="Include NumPy and SciPy for another computer's LibreOffice, such as 3.10 win_amd64.",
)
@click.option(
    "--convert",
    "workbook",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Copy a workbook that Excel saved with the .xlam so that LibreOffice finds its functions.",
)
@replacing
def libreoffice(
    folder: Path,
    action: str | None,
    soffice: Path | None,
    targets: tuple[tuple[str, str], ...],
    workbook: Path | None,
    force: bool,
) -> None:
    """Build elo_xl.oxt, the add-in for LibreOffice Calc 25.2 and newer."""
    from elo_xl.books.flavours import plain
    from elo_xl.functions.calls import calls_ours
    from elo_xl.hosts.libreoffice import build, install, wheels
    from elo_xl.xlsx.files import write_whole

    try:
        if action:
            carry_out(action, install.find_office(soffice))
            return
        if workbook:
            named = folder.suffix.lower() == workbook.suffix.lower()
            target = folder if named else folder / f"{workbook.stem}-libreoffice{workbook.suffix}"
            check_target(target, force, workbook)
            converted = plain(workbook.read_bytes())
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, converted)
            count = count_formulas(converted, b"elo_", calls_ours)
            click.echo(f"{target}: formulas with functions of elo_xl: {count}")
            return
        with progress("Building"), TemporaryDirectory() as work:
            wanted = [wheels.Target(*target) for target in targets]
            click.echo(build.build(folder, wheels.fetch_all(wanted, Path(work))))
    except wheels.OfficeError as error:
        raise click.ClickException(str(error)) from None
    except WorkbookError as error:
        raise click.ClickException(f"{workbook}: {error}") from None
