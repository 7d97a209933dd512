"""``elo-xl templates`` and ``elo-xl new``: workbooks to fill in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from elo_xl.cli.old_book import FromList, takes_a_list
from elo_xl.hosts import FLAVOURS
from elo_xl.languages import CODES, ENGLISH
from elo_xl.terminal.console import check_target, console, print_json, progress, replacing
from elo_xl.terminal.options import gather
from elo_xl.terminal.rules import chosen_rules

if TYPE_CHECKING:
    from elo_xl.books.book import Book, Content


def _beginning(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The templates whose names begin like this, for a shell that completes them."""
    from elo_xl.templates.gallery import TEMPLATES

    return [name for name in TEMPLATES if name.startswith(begun.lower())]


def _name_of_rules(context: click.Context, option: click.Parameter, text: str | None) -> str | None:
    rules = chosen_rules(context, option, text)
    return None if rules is None else rules.name


@click.command("templates")
@click.option("--lang", type=click.Choice(CODES), default=ENGLISH, help="Language of the list.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def list_templates(lang: str, as_json: bool) -> None:
    """List the workbooks that `elo-xl new` makes."""
    from elo_xl.templates.gallery import TEMPLATES

    if as_json:
        said = [
            {"name": t.name, "purpose": t.summary(lang), "players": t.players, "rounds": t.rounds}
            for t in TEMPLATES.values()
        ]
        print_json(said)
        return
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for template in TEMPLATES.values():
        table.add_row(f"[bold]{template.name}[/]", escape(template.summary(lang)))
    console().print(table)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for; None is what it leaves open."""

    template: str
    """the name of a template, or the path of the file of somebody's own book; may be blank"""
    functions: str | None = None
    language: str | None = None
    players: int | None = None
    rounds: int | None = None
    rules: str | None = None

    @property
    def own(self) -> bool:
        """Whether it is somebody's own book."""
        from elo_xl.books.book_file import SUFFIX

        return self.template.lower().endswith(SUFFIX)

    @property
    def name(self) -> str:
        """The name of the template."""
        return Path(self.template).name if self.own else self.template.lower()

    def completed(self, options: Mapping[str, Any]) -> Wanted:
        """What is wanted, with these options where the command line leaves them open."""
        open_ = {key: value for key, value in options.items() if getattr(self, key) is None}
        return replace(self, **open_)

    def with_room(self, begun: Content) -> Wanted:
        """The same with room for all players of a content, unless it is said how much it has."""
        from elo_xl.templates.gallery import TEMPLATES

        known = TEMPLATES.get(self.name)
        usual = known.players[1] if known and known.players else 1
        count = max(len(rows) for rows in begun.values() if isinstance(rows, list))
        if self.players is not None and self.players < count:
            raise click.UsageError(f"--players {self.players} is no room for {count} players")
        return replace(self, players=self.players or max(usual, count))


Declare = Callable[["Content | None"], "Book"]
"""What declares the book that is wanted, with its content."""


@click.command()
@click.argument("template", required=False, default="", shell_complete=_beginning)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The workbook to write; TEMPLATE.xlsx in this folder if omitted.",
)
@click.option(
    "--functions",
    type=click.Choice(FLAVOURS),
    help="How cells call the ELO_ functions: as built-in formulas that open anywhere, as LAMBDA "
    "names (Microsoft 365, Excel 2024), or as calls of the add-in for Excel, of xlwings Lite or of "
    "the add-in for LibreOffice; formulas if omitted.",
)
@click.option(
    "--lang", "language", type=click.Choice(CODES), help=f"Its language; {ENGLISH} if omitted."
)
@click.option("--players", type=int, help="How many players or boards it has room for.")
@click.option("--rounds", type=int, help="How many rounds it has room for.")
@click.option(
    "--rules",
    callback=_name_of_rules,
    help="The rulebook, or the path of your own (club.toml); FIDE's newest edition if omitted.",
)
@click.option(
    "--from",
    "old",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A workbook that you have filled in: the new one gets all its entries. Whatever you "
    "omit, TEMPLATE too, is as it was there.",
)
@click.option(
    "--people",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="List of the players or members (CSV, xlsx, ods or xls), by name or ID, with whatever it "
    "has of ratings, birth years, titles.",
)
@gather("wanted", Wanted)
@takes_a_list
@click.option("--sample", "filled", is_flag=True, help="Fill in an invented event.")
@replacing
def new(
    wanted: Wanted,
    output: Path | None,
    old: Path | None,
    people: Path | None,
    ratings: FromList,
    filled: bool,
    force: bool,
) -> None:
    """Write the workbook TEMPLATE (`elo-xl templates` lists them), ready to fill in.

    TEMPLATE may also be the file of your own book, such as ./our-league.book. The book of a club
    has buttons for Excel on Windows if its name ends in .xlsm.
    """
    from elo_xl.cli.old_book import Carried, options_of, read
    from elo_xl.xlsx.files import write_whole

    if old is None and not wanted.template:
        raise click.UsageError("name a template, or with --from a workbook to take the entries of")
    if sum((old is not None, people is not None, filled)) > 1:
        raise click.UsageError("--sample, --from and --people exclude each other")
    if ratings.listed is not None and old is None and people is None:
        raise click.UsageError("--list needs players: give them with --people, or with --from")
    if wanted.own and (wanted.players is not None or wanted.rounds is not None):
        raise click.UsageError("the file of your own book says how many rows it has")
    if wanted.own and not Path(wanted.template).is_file():
        raise click.UsageError(f"{wanted.template} is no file")
    typed = None
    if old is not None:
        typed = read(old, wanted.name, Path(wanted.template) if wanted.own else None)
        wanted = replace(wanted, template=wanted.template or typed.template)
        wanted = wanted.completed(options_of(typed))
        typed = ratings.into(old, typed)
    begun, notes = (None, []) if people is None else _begun(wanted, people, ratings)
    if begun is not None:
        wanted = wanted.with_room(begun)
    declare = _own(wanted, filled) if wanted.own else template_book(wanted, filled)
    target = output or Path(f"{Path(wanted.name).stem}.xlsx")
    # whoever names a club's book so wants its buttons
    macros = wanted.name == "club" and target.suffix.lower() == ".xlsm"
    check_target(target, force, macros=macros)
    with progress("Writing the workbook"):
        carried = None if typed is None else Carried.into(typed, declare)
        content = declare(begun if carried is None else carried.content).file()
        if carried is not None:
            carried.check(content)
        write_whole(target, _with_buttons(content, wanted) if macros else content)
    click.echo(f"Workbook: {target}")
    for note in notes:
        click.echo(f"Note: {note}")
    if carried is not None:
        carried.report()


def _begun(wanted: Wanted, people: Path, ratings: FromList) -> tuple[Content, list[str]]:
    """What is typed into the new book of the players of a file."""
    from elo_xl.events import refreshed as listed_books
    from elo_xl.events.players import read_players

    with progress("Reading the players"):
        file = read_players(people)
        return listed_books.people(wanted.name, file, ratings.listed, ratings.kind)


def _with_buttons(content: bytes, wanted: Wanted) -> bytes:
    """A club's book with buttons that close a period and take a step back."""
    from elo_xl.books.texts import texts
    from elo_xl.hosts import excel_addin
    from elo_xl.hosts.excel_addin.buttons import with_buttons

    say = texts(wanted.language or ENGLISH)
    labels = {say(f"club.button_{key}"): f"Elo{key.capitalize()}" for key in ("close", "undo")}
    project = excel_addin.content(excel_addin.CLUB_PROJECT)
    return with_buttons(content, project, say("club.sheet_events"), labels)


def template_book(wanted: Wanted, filled: bool = False) -> Declare:
    """What declares a book of a template."""
    from elo_xl.engine.errors import RatingError
    from elo_xl.templates import gallery

    try:
        options = gallery.options(
            wanted.name,
            functions=wanted.functions or "formulas",
            language=wanted.language or ENGLISH,
            players=wanted.players,
            rounds=wanted.rounds,
            rules=wanted.rules or "fide",
        )
    except RatingError as wrong:
        raise click.UsageError(str(wrong)) from None
    sample = gallery.sample(wanted.name, options) if filled else None
    return lambda content: gallery.declared(wanted.name, options, content or sample)


def _own(wanted: Wanted, filled: bool) -> Declare:
    """What declares somebody's own book; it is worked out, so that all errors are found."""
    from elo_xl.books import book_file
    from elo_xl.books.book import BookError, Options
    from elo_xl.engine.errors import RatingError
    from elo_xl.xlsx.evaluate import CircularError

    path = Path(wanted.template)
    options = Options(
        wanted.functions or "formulas", wanted.language or "", rules=wanted.rules or ""
    )

    def declare(content: Content | None) -> Book:
        try:
            book = book_file.read(path, options, filled=filled, content=content)
            book.finish()
        except (BookError, RatingError, CircularError) as wrong:
            raise click.ClickException(str(wrong)) from None
        except (OSError, UnicodeDecodeError) as wrong:
            raise click.ClickException(f"{path} cannot be read: {wrong}") from None
        return book

    return declare
