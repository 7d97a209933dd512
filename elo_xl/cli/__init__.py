"""The command ``elo-xl``: a line for each command, whose module is where its work is."""

from __future__ import annotations

import os
import sys
from glob import glob
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO

import click

from elo_xl import __version__
from elo_xl.books.answers import speaking, wanted
from elo_xl.progress import Stopped, stopping
from elo_xl.terminal.console import warn
from elo_xl.terminal.options import with_common

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

COMMANDS: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "Make a book": {
        "templates": ("cli.new.list_templates", "List the workbooks there are."),
        "new": ("cli.new.new", "Make a workbook, ready to fill in."),
        "next": ("cli.new.next_", "Make the book of the next period or event from a filled one."),
        "pair": ("questions.pair.pair", "Pair the next round of a Swiss book."),
        "selfcheck": ("cli.selfcheck.selfcheck", "Let a book say whether a program computes it."),
    },
    "Rate": {
        "rate": ("questions.rate.command.rate", "Rate an event, or files of millions of games."),
        "list": ("cli.lists.lists", "Keep federations' rating lists; look players up in them."),
        "export": ("cli.export.export", "Write an event as a report file for a federation."),
    },
    "Keep a club": {
        "add": ("cli.club.add", "Put an event into a club's book."),
        "close": ("cli.club.close", "Rate the open events and write the new ratings."),
        "correct": ("cli.club.correct", "Rate the past again after a correction."),
        "undo": ("cli.club.undo", "Take back what was done last to a book."),
    },
    "Ask": {
        "explain": ("questions.explain.explain", "Say why a player has their new rating."),
        "norms": ("questions.norms.command.show_norms", "Show who has made a norm for a title."),
        "prizes": ("questions.prizes.command.show_prizes", "Say who gets which prize, and why."),
        "odds": ("questions.odds.command.show_odds", "Show who will win, and how likely."),
        "unusual": ("questions.unusual.show_unusual", "Show the scores that are rare."),
        "fit": ("questions.fit.fit", "Fit ratings to many games at once."),
        "check": (
            "questions.check.command.check",
            "Report how good ratings are: K, calibration, spread, drift.",
        ),
    },
    "Publish": {
        "publish": ("cli.publish.publish", "Write a book as a web page, PDF, CSV or JSON.")
    },
    "Functions": {
        "functions": ("cli.functions.list_functions", "List and explain the worksheet functions."),
        "call": ("cli.functions.call", "Print the value of a worksheet function."),
        "addin": ("cli.addin.addin", "Install the functions for Excel or LibreOffice."),
    },
}
"""The commands by what one wants to do: where in elo_xl each is, and what it does in a line."""


def _of_click(text: str) -> str:
    """A text of click with the prefix of our own messages."""
    return text.replace("Error: ", "error: ")


def _of_click_many(one: str, several: str, count: int) -> str:
    return _of_click(one if count == 1 else several)


for _module in (click.core, click.exceptions, click.formatting, click.parser, click.types):
    # These two functions translate the texts of click.
    for _name, _function in (("_", _of_click), ("ngettext", _of_click_many)):
        if hasattr(_module, _name):
            setattr(_module, _name, _function)


class Commands(click.Group):
    """Commands whose modules are loaded when they are asked for: some load for a second what others
    do without."""

    def __init__(
        self, *, modules: Mapping[str, Mapping[str, tuple[str, str]]], **options: Any
    ) -> None:
        """``modules``: under each heading such commands, each with where it is and its line."""
        super().__init__(**options)
        self.headings = modules
        self.modules = {
            name: place for group in modules.values() for name, (place, _) in group.items()
        }
        for group in modules.values():
            for name, (_, line) in group.items():
                self.add_command(click.Command(name, short_help=line))  # stands for it in messages

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.modules:
            plain = super().get_command(ctx, cmd_name)
            return None if plain is None else with_common(plain)
        module, _, name = self.modules[cmd_name].rpartition(".")
        command: click.Command = getattr(import_module(f"elo_xl.{module}"), name)
        return with_common(command)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as wrong:
            if wrong.possibilities:
                raise
            hint = "Options of a command stand after its name."
            raise click.NoSuchOption(
                wrong.option_name, f"{wrong.message} {hint}", ctx=ctx
            ) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] == "help":  # as many programs have it
            args = [*(word for word in args[1:] if word in self.commands), "--help"]
        if args[0] == "health":
            raise click.UsageError("elo-xl check answers now what health did")
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *more: Any, **options: Any) -> Any:
        words = sys.argv[1:] if args is None else list(args)
        with speaking(wanted(words)):
            return super().main(words, *more, **options)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        plain = sorted(self.commands.keys() - self.modules.keys())
        groups = {"Commands": [*plain, *self.headings.get("Commands", ())]}
        for heading, names in {**self.headings, **groups}.items():
            if names:
                with formatter.section(heading):
                    formatter.write_dl(
                        [(name, self.commands[name].get_short_help_str(100)) for name in names]
                    )


@click.group(
    cls=Commands, modules=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="elo-xl")
def cli() -> None:
    """Elo's rating system as worksheet functions, and the rating of whole events."""


def expanded(words: Iterable[str]) -> list[str]:
    """Words with files in place of patterns of ``*`` and ``?``, which no name has on Windows; click
    would take ``games[1].csv`` for a pattern, too, and read ``games1.csv``."""
    arguments: list[str] = []
    for word in map(os.path.expanduser, words):
        arguments += glob(word.replace("[", "[[]"), recursive=True) or [word]
    return arguments


def main() -> NoReturn:
    """Run the command; each problem is one line on standard error."""
    # A service, or a program without a window, may have neither.
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        # A terminal or file that cannot show a letter gets a question mark, not an error.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    # No shell of Windows puts files in place of patterns.
    words = expanded(sys.argv[1:]) if os.name == "nt" else sys.argv[1:]
    with speaking(wanted(words)):
        _run(words)


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")


def _run(words: Sequence[str]) -> NoReturn:
    from elo_xl.engine.errors import EloError

    try:
        cli(words, prog_name="elo-xl")
    except EloError as error:
        lines = str(error).splitlines()
    except OSError as error:
        lines = [f"{error.filename}: {error.strerror}" if error.filename else str(error)]
    except Exception as error:
        if os.environ.get("ELO_XL_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        lines = [f"internal error, please report it ({what})"]
    if stopping():
        raise Stopped
    for line in lines:
        warn(line, "error")
    sys.exit(1)
