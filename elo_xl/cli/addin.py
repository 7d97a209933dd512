"""``elo-xl addin``: put the functions into Excel, LibreOffice, or a single workbook."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from elo_xl.cli import Commands
from elo_xl.english import plural
from elo_xl.terminal.console import (
    addin_options,
    carry_out,
    check_target,
    progress,
    refuse_replacing,
    replacing,
    rewritten,
    tell,
    tell_copy,
)
from elo_xl.terminal.options import Option, address_of, language_of
from elo_xl.xlsx.in_place import WorkbookError, count_formulas


class _Hosts(Commands):
    """The programs; one that is asked for by the name of its maker is named."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if (meant := _MEANT.get(args[0].casefold())) and meant in self.commands:
            raise click.UsageError(f"for {args[0]}: elo-xl addin {meant}")
        return super().resolve_command(ctx, args)


_MEANT: Final = {
    **dict.fromkeys(("google", "google-sheets", "gsheets", "drive"), "sheets"),
    **dict.fromkeys(("calc", "openoffice", "soffice"), "libreoffice"),
    **dict.fromkeys(("mac", "web", "javascript"), "office"),
    "xlwings": "excel",
    "windows": "excel",
}
"""what the programs are also called"""


@click.group(cls=_Hosts, modules={})
def addin() -> None:
    """Build and install the functions for Excel, LibreOffice, Google Sheets, or as plain names."""


@addin.command()
@addin_options
@click.option("--workbook", is_flag=True, help="Write elo_xl.xlsm, one workbook with its examples.")
def excel(folder: Path, workbook: bool, action: str | None) -> None:
    """Write elo_xl.xlam, the add-in for Excel on Windows, or install it there."""
    # loaded here, as in the other commands: their list need not wait for it
    from elo_xl.hosts.excel_addin import LICENCE, AddinError, build, windows

    try:
        if action:
            carry_out(action, windows.Computer())
        else:
            made = build(folder, workbook=workbook)
            _tell_files([made, made.with_name(LICENCE)])
    except AddinError as error:
        raise click.ClickException(str(error)) from None


def _output(ending: str, otherwise: str = "") -> Option:
    """Where a command writes a workbook with the functions, or without them."""
    return click.option(
        "-o",
        "--output",
        "target",
        type=click.Path(path_type=Path, dir_okay=bool(otherwise)),
        help=f"The workbook to write, which may be WORKBOOK itself; its name with -{ending} (with "
        f"--remove: -plain) in this folder if omitted.{otherwise}",
    )


@addin.command()
@click.argument("workbook", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@_output("lite")
@click.option("--remove", is_flag=True, help="Remove the functions again.")
@replacing
def lite(workbook: Path, target: Path | None, remove: bool, force: bool) -> None:
    """Put the functions into WORKBOOK for xlwings Lite: Excel on Mac, web and Windows."""
    from elo_xl.books import flavours
    from elo_xl.functions.calls import calls_ours
    from elo_xl.functions.names import NamesError
    from elo_xl.hosts import xlwings_lite

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
    said = f"{target}: {_removed(same) if remove else _put(calls)}"
    tell(said, workbook=str(target), formulas=calls, changed=not same, rules=list(map(str, idle)))
    if copy:
        tell_copy(target, copy)
    if idle:
        tell("Excel runs no function of xlwings Lite in these rules; let a cell call it instead:")
    for rule in idle:
        tell(f"  {rule}")


def _removed(same: bool) -> str:
    if same:
        return "as it was: no functions for xlwings Lite were in it"
    return "without the functions for xlwings Lite"


def _put(calls: int) -> str:
    if calls:
        return f"{calls} formulas with functions for xlwings Lite"
    return "ready for xlwings Lite; no formula calls the functions yet"


@addin.command()
@click.argument(
    "workbook", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=False
)
@_output("native", " Without WORKBOOK, a folder.")
@click.option("--remove", is_flag=True, help="Remove the names again.")
@replacing
@click.option("--text", "as_text", is_flag=True, help="Print the names to import into Excel Labs.")
def native(
    workbook: Path | None, target: Path | None, remove: bool, force: bool, as_text: bool
) -> None:
    """Put the functions into WORKBOOK as LAMBDA names: Excel 365 and 2024, nothing installed.

    Without WORKBOOK it writes a workbook that has them with their examples, and two texts to paste
    into Excel Labs: for its module Workbook, and for one named ELO.
    """
    from elo_xl.books import flavours
    from elo_xl.functions.native import lambda_names
    from elo_xl.hosts import lambdas

    # three commands in one: a text, files to give away, a workbook
    if as_text:
        tell(lambdas.text().removesuffix("\n"), names=lambdas.text())
        return
    if workbook is None:
        if remove:
            raise click.UsageError("--remove needs a WORKBOOK")
        _write_files(target or Path(), force)
        return
    target = target or Path(f"{workbook.stem}-{'plain' if remove else 'native'}{workbook.suffix}")
    check_target(target, force, workbook)
    try:
        with progress("Writing the workbook"):
            made, same, copy = rewritten(
                workbook, target, flavours.take_out if remove else flavours.put_into, "lambda"
            )
    except WorkbookError as error:
        raise click.ClickException(f"{workbook}: {error}") from None
    done = plural(len(lambda_names()), "name")
    if remove:
        done = "as it was: none of the names was in it" if same else "without the names"
    unnamed = [] if remove else _without_names(made)
    tell(f"{target}: {done}", workbook=str(target), changed=not same, unnamed=unnamed)
    if copy:
        tell_copy(target, copy)
    if unnamed:
        tell(
            f"No name can stand for {', '.join(unnamed)}: the cells that call them need the add-in."
        )


def _write_files(folder: Path, force: bool) -> None:
    """Write the names as files to give away into a folder, all of them or none."""
    from elo_xl.books import examples
    from elo_xl.xlsx.files import write_whole

    with progress("Writing the workbook"):
        made = {folder / name: content for name, content in examples.files().items()}
    for path in made:
        refuse_replacing(path, force, makes_folder=True)
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in made.items():
        write_whole(path, content)
    tell("\n".join(map(str, made)), files=list(map(str, made)))


def _without_names(workbook: bytes) -> list[str]:
    """The functions that formulas of a workbook call although no LAMBDA can be written for them."""
    from elo_xl.functions.catalogue import functions
    from elo_xl.functions.native import lambda_names
    from elo_xl.xlsx.stored import called

    unnamed, names = functions().keys() - set(lambda_names()), set[str]()

    def look(formula: str) -> bool:
        names.update(called(formula) & unnamed)
        return False

    count_formulas(workbook, b"elo_", look)
    return sorted(names)


def _folder(name: str) -> Option:
    """Where a command writes several files."""
    return click.option(
        "-o",
        "--output",
        "folder",
        type=click.Path(path_type=Path, file_okay=False),
        default=Path(name),
        help=f"The folder to write to; {name} if omitted.",
    )


@addin.command()
@_folder("google-sheets")
@language_of("the functions' help")
def sheets(folder: Path, lang: str) -> None:
    """Write Code.gs, which is pasted into a spreadsheet of Google Sheets."""
    from elo_xl.hosts.javascript.sheets import CODE, PAGE, build

    _tell_files(build(folder, lang))
    tell(f"Paste {CODE} into the spreadsheet under Extensions, Apps Script: {PAGE}")


@addin.command()
@_folder("office-addin")
@address_of(
    "what the manifests name; https://localhost:3000, to try it on this computer, if omitted",
    "folder",
    ("https://",),
)
@language_of("the functions' help and of the pane")
def office(folder: Path, address: str | None, lang: str) -> None:
    """Write the add-in for Excel on a Mac, on the web and on Windows: files for any web server."""
    from elo_xl.hosts.javascript.office import HERE, PAGE, build

    address = address or HERE
    _tell_files(build(folder, address, lang))
    tell(f"With the folder at {address}, add manifest.xml in Excel: {PAGE}")


@addin.command()
@click.option(
    "--dialect",
    default="duckdb",
    show_default=True,
    type=click.Choice(
        ["duckdb", "postgres", "clickhouse", "spark", "bigquery", "snowflake", "tsql"]
    ),
    help="The database.",
)
@click.option("--rules", default="fide", show_default=True, help="The rulebook of the period.")
@_folder("elo-sql")
def sql(dialect: str, rules: str, folder: Path) -> None:
    """Write the functions and a whole rating period as SQL, for games that lie in a database."""
    from elo_xl.engine.errors import RatingError
    from elo_xl.hosts.sql import PAGE, TESTED, build
    from elo_xl.hosts.sql.tree import NoSqlError

    try:
        _tell_files(build(folder, dialect, rules))
    except (NoSqlError, RatingError) as wrong:
        raise click.ClickException(str(wrong)) from None
    except ModuleNotFoundError:
        raise click.ClickException("it needs sqlglot: pip install sqlglot") from None
    tried = "" if dialect in TESTED else f" Nobody has run it in {dialect} yet."
    tell(f"What they need and give: {PAGE}{tried}")


def _tell_files(files: list[Path]) -> None:
    paths = list(map(str, files))
    tell("\n".join(paths), files=paths)


@addin.command()
def status() -> None:
    """Show which Python and versions Excel's add-in uses, and what does not fit."""
    from elo_xl.hosts.excel_addin import AddinError, windows

    try:
        carry_out("status", windows.Computer())
    except AddinError as error:
        raise click.ClickException(str(error)) from None


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
    from elo_xl.hosts.libreoffice import build, install
    from elo_xl.xlsx.files import write_whole

    try:
        if action:
            carry_out(action, install.find_office(soffice))
            return
        if workbook:
            named = folder.suffix.lower() == workbook.suffix.lower()
            target = folder if named else folder / f"{workbook.stem}-libreoffice{workbook.suffix}"
            check_target(target, force, workbook, makes_folder=True)
            converted = plain(workbook.read_bytes())
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, converted)
            count = count_formulas(converted, b"elo_", calls_ours)
            tell(
                f"{target}: formulas with functions of elo_xl: {count}",
                workbook=str(target),
                formulas=count,
            )
            return
        with progress("Building"), TemporaryDirectory() as work:
            wanted = [install.Target(*target) for target in targets]
            made = build.build(folder, install.fetch_all(wanted, Path(work)))
            _tell_files([made])
    except install.OfficeError as error:
        raise click.ClickException(str(error)) from None
    except WorkbookError as error:
        raise click.ClickException(f"{workbook}: {error}") from None
