"""The command ``elo-xl``: one module per group of commands."""

from __future__ import annotations

import os
import sys
from typing import Final, NoReturn

import click

from elo_xl import __version__
from elo_xl.cli.addin import addin
from elo_xl.cli.check import check
from elo_xl.cli.club import add, close, correct, undo
from elo_xl.cli.explain import explain
from elo_xl.cli.export import export
from elo_xl.cli.fit import fit
from elo_xl.cli.functions import call, list_functions
from elo_xl.cli.lists import lists
from elo_xl.cli.new import list_templates, new
from elo_xl.cli.next import next_
from elo_xl.cli.norms import show_norms
from elo_xl.cli.prizes import show_prizes
from elo_xl.cli.publish import publish
from elo_xl.cli.rate import rate
from elo_xl.cli.unusual import show_unusual


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="elo-xl")
def cli() -> None:
    """Elo's rating system as worksheet functions, and the rating of whole events."""


COMMANDS: Final = (
    list_functions,
    call,
    rate,
    explain,
    fit,
    check,
    show_norms,
    show_prizes,
    show_unusual,
    list_templates,
    new,
    next_,
    add,
    close,
    correct,
    undo,
    publish,
    export,
    lists,
    addin,
)
for command in COMMANDS:
    cli.add_command(command)


def main() -> NoReturn:
    """Run the command; each problem is one line on standard error."""
    from elo_xl.engine.errors import EloError

    for stream in (sys.stdout, sys.stderr):
        # A terminal or file that cannot show a letter gets a question mark, not an error.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        cli(prog_name="elo-xl")
    except EloError as error:
        lines = str(error).splitlines()
    except OSError as error:
        lines = [f"{error.filename}: {error.strerror}" if error.filename else str(error)]
    except Exception as error:
        if os.environ.get("ELO_XL_DEBUG"):
            raise
        lines = [f"internal error, please report it ({type(error).__name__}: {error})"]
    for line in lines:
        click.echo(f"elo-xl: {line}", err=True)
    sys.exit(1)
