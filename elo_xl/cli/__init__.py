"""The command ``elo-xl``: a line for each command, whose module is where its work is."""

from __future__ import annotations

import os
import sys
from glob import glob
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from elo_xl import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

COMMANDS: Final = {
    "functions": "elo_xl.cli.functions.list_functions",
    "call": "elo_xl.cli.functions.call",
    "rate": "elo_xl.questions.rate.command.rate",
    "explain": "elo_xl.questions.explain.explain",
    "fit": "elo_xl.questions.fit.fit",
    "check": "elo_xl.questions.check.command.check",
    "health": "elo_xl.questions.health.command.health",
    "norms": "elo_xl.questions.norms.command.show_norms",
    "odds": "elo_xl.questions.odds.command.show_odds",
    "prizes": "elo_xl.questions.prizes.command.show_prizes",
    "unusual": "elo_xl.questions.unusual.show_unusual",
    "templates": "elo_xl.cli.new.list_templates",
    "new": "elo_xl.cli.new.new",
    "next": "elo_xl.cli.new.next_",
    "add": "elo_xl.cli.club.add",
    "close": "elo_xl.cli.club.close",
    "correct": "elo_xl.cli.club.correct",
    "undo": "elo_xl.cli.club.undo",
    "publish": "elo_xl.cli.publish.publish",
    "export": "elo_xl.cli.export.export",
    "list": "elo_xl.cli.lists.lists",
    "addin": "elo_xl.cli.addin.addin",
}
"""Each command with its module and its name there."""


class Commands(click.Group):
    """Commands whose modules are loaded when they are asked for: some load for a second what others
    do without."""

    def __init__(self, *, modules: Mapping[str, str], **options: Any) -> None:
        """``modules``: such commands, each with its module and its name there."""
        super().__init__(**options)
        self.modules = modules
        for name in modules:
            self.add_command(click.Command(name))  # what there is, for messages

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.modules:
            return super().get_command(ctx, cmd_name)
        module, _, name = self.modules[cmd_name].rpartition(".")
        command: click.Command = getattr(import_module(module), name)
        return command


@click.group(
    cls=Commands,
    modules=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="elo-xl")
def cli() -> None:
    """Elo's rating system as worksheet functions, and the rating of whole events."""


def expanded(words: Iterable[str]) -> list[str]:
    """Words with files in place of patterns of ``*`` and ``?``, which no name has on Windows; click
    would take ``games[1].csv`` for a pattern, too, and read ``games1.csv``."""
    found: list[str] = []
    for word in map(os.path.expanduser, words):
        found += glob(word.replace("[", "[[]"), recursive=True) or [word]
    return found


def main() -> NoReturn:
    """Run the command; each problem is one line on standard error."""
    from elo_xl.engine.errors import EloError

    for stream in (sys.stdout, sys.stderr):
        # A terminal or file that cannot show a letter gets a question mark, not an error.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    # No shell of Windows puts files in place of patterns.
    words = expanded(sys.argv[1:]) if os.name == "nt" else None
    try:
        cli(words, prog_name="elo-xl")
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
