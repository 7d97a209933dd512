"""``elo-xl templates``, ``new`` and ``next``: workbooks to fill in, or with entries of old ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, get_args
from zipfile import is_zipfile

import click

from elo_xl import __version__
from elo_xl.books.additions import Additions
from elo_xl.books.answers import spoken
from elo_xl.books.book import Book, BookError, Constant, Content, Options
from elo_xl.books.book_file import BookText
from elo_xl.books.entries import Key, content_of, typed_tables
from elo_xl.books.texts import texts
from elo_xl.engine.errors import RatingError
from elo_xl.english import meant, nearest, plural
from elo_xl.events.event import Kind
from elo_xl.hosts import FLAVOURS
from elo_xl.languages import ENGLISH
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.templates.opened import EntriesError, OldBook, carried, old_book
from elo_xl.terminal.console import (
    check_target,
    console,
    progress,
    put_into,
    replacing,
    tell,
    tell_facts,
    tell_workbook,
    warn,
)
from elo_xl.terminal.options import (
    Choice,
    address_of,
    chosen_rules,
    gather,
    language_of,
    lists_begun,
)
from elo_xl.terminal.reading import no_book
from elo_xl.xlsx.in_place import WorkbookError

WHAT: Final = {
    **dict.fromkeys(("Players", "Players_a", "Players_b"), "player"),
    **dict.fromkeys(("Games", "Pairings", "Cross", "Match", "Met"), "game"),
}
"""What a row of a table is."""

LISTED: Final = click.option(
    "--list",
    "listed",
    shell_complete=lists_begun,
    help="Rating list with the players' ratings, K, titles and birth years, such as fide or "
    "fide-2026-10.",
)
KIND: Final = click.option(
    "--kind",
    type=Choice(get_args(Kind)),
    default="standard",
    show_default=True,
    help="Which ratings of the list a book of one event takes.",
)


@dataclass(frozen=True, slots=True)
class FromList:
    """The rating list from which players have their ratings, if there is one."""

    listed: str | None
    kind: Kind

    def into(self, path: Path, old: OldBook) -> OldBook:
        """The entries with what the list says; it ends the command if the book takes none."""
        from elo_xl.events.refreshed import refreshed

        if self.listed is None:
            return old
        try:
            return refreshed(old, self.listed, self.kind)
        except EntriesError as wrong:
            raise click.ClickException(f"{path}: {wrong}") from None


takes_a_list: Final = gather("ratings", FromList, LISTED, KIND)
"""The options of a command whose players have their ratings from a list, as its argument
``ratings``."""


def read(path: Path, template: str, source: Path | None) -> OldBook:
    """The old book with its entries; it ends the command if it cannot be read.

    ``source`` is the file of a user's own book, from which both are made.
    """
    from elo_xl.books import book_file

    try:
        if source is not None:
            own = source
            return old_book(
                path.read_bytes(), template, lambda o, c: book_file.read(own, o, content=c)
            )
        return old_book(path.read_bytes(), template)
    except (EntriesError, WorkbookError, BookError, RatingError) as wrong:
        raise no_book(path, wrong) from None


def options_of(old: OldBook) -> Mapping[str, object]:
    """The options of the new book where the command line leaves them open."""
    kept = ["functions", "language", "rules", "address"]
    template = TEMPLATES.get(old.template)
    if old.known:
        sizes = ("players", "rounds")
        kept += [key for key in sizes if template is None or getattr(template, key)]
    return {key: getattr(old.options, key) for key in kept}


@dataclass(frozen=True, slots=True)
class Carried:
    """The entries on their way into the new book."""

    old: OldBook
    new: Book
    entries: Mapping[Key, Constant]

    @classmethod
    def into(cls, old: OldBook, declare: Callable[[Content | None], Book]) -> Carried:
        """Find the place of all entries; it ends the command if one has none."""
        empty = declare(None)
        try:
            return cls(old, empty, carried(old, empty))
        except EntriesError as wrong:
            raise click.ClickException(str(wrong)) from None

    @property
    def content(self) -> Content:
        """The entries as the content of the new book."""
        return content_of(self.entries)

    def check(self, file: bytes) -> None:
        """Read the new file as any other one: every entry must be in it."""
        written = old_book(file, self.new.made_from, lambda *_: self.new).entries.typed
        lost = [
            key
            for key, value in self.entries.items()
            if key.row and (key not in written or written[key].value != value)
        ]
        if lost:
            raise RuntimeError(f"entries were not written: {lost}")

    def report(self, added: Additions | None = None) -> None:
        """Say what was carried over, what the old file has otherwise, and what stays behind."""
        counts, entries = self.counts(), self.old.entries
        if added is not None:
            counts |= {(what, " of your own"): n for what, n in added.taken.items()}
        left = entries.left if added is None else added.left
        parts = [f"{plural(n, what)}{of}" for (what, of), n in counts.items()]
        tell(
            f"Carried over: {', '.join(parts) or 'nothing'}",
            carried={f"{what}s{of}": n for (what, of), n in counts.items()},
            not_carried=list(left),
        )
        # a file that does not say how large it is was read as one of the largest size
        missing = entries.missing if self.old.known else []
        for line in dict.fromkeys((*entries.notes, *missing, *(added.notes if added else ()))):
            warn(line, "note")
        for line in left:
            tell(f"Not carried over: {line}")

    def counts(self) -> dict[tuple[str, str], int]:
        """How many rows, or in a crosstable cells, of each kind there are."""
        counts = Counter[tuple[str, str]]()
        units = {key if key.name == "Cross" else key._replace(column="") for key in self.entries}
        for name, typed in typed_tables(self.new).items():
            title = typed.table.sheet.title
            what = (WHAT[name], "") if name in WHAT else ("line", f" of {title}")
            counts[what] += sum(key.name == name and key.row > 0 for key in units)
        counts["single cell", ""] = sum(not key.row for key in units)
        return {key: n for key, n in counts.items() if n}


def _beginning(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The templates whose names begin like this, for a shell that completes them."""
    return [name for name in TEMPLATES if name.startswith(begun.lower())]


def _name_of_rules(context: click.Context, option: click.Parameter, text: str | None) -> str | None:
    rules = chosen_rules(context, option, text)
    return None if rules is None else rules.name


@click.command("templates")
@language_of("the list")
def list_templates(lang: str) -> None:
    """List the workbooks that `elo-xl new` makes."""
    said = [
        {"name": t.name, "purpose": t.summary(lang), "players": t.players, "rounds": t.rounds}
        for t in TEMPLATES.values()
    ]
    tell_facts(templates=said)
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
    """the name of a template, or the path of the file of a user's own book; may be blank"""
    functions: str | None = None
    language: str | None = None
    players: int | None = None
    rounds: int | None = None
    rules: str | None = None
    address: str | None = None

    @property
    def own(self) -> bool:
        """Whether it is a user's own book."""
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
        known = TEMPLATES.get(self.name)
        usual = known.players[1] if known and known.players else 1
        count = max(len(rows) for rows in begun.values() if isinstance(rows, list))
        if self.players is not None and self.players < count:
            raise click.UsageError(f"--players {self.players} is no room for {count} players")
        return replace(self, players=self.players or max(usual, count))


Declare = Callable[[Content | None], Book]
"""What declares the book that is wanted, with its content."""


class _New(click.Command):
    """The command, which says what a number or a list in a wrong place was meant for."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter as wrong:
            if wrong.param is None or wrong.param.name != "players":
                raise
            what = f"{wrong.message.rstrip('.')}; a list of names goes to --people"
            raise click.BadParameter(what, ctx, wrong.param) from None
        except click.UsageError as wrong:
            if more := re.search(r"\((\d+)\)$", wrong.message):
                raise click.UsageError(f"for {more[1]} players: --players {more[1]}", ctx) from None
            raise


@click.command(cls=_New)
@click.argument("template", required=False, default="", shell_complete=_beginning)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The workbook to write; TEMPLATE.xlsx in this folder if omitted.",
)
@click.option(
    "--functions",
    type=Choice(FLAVOURS),
    help="How cells call the ELO_ functions: as built-in formulas that open anywhere, as LAMBDA "
    "names (Microsoft 365, Excel 2024), or as calls of the add-in for Excel, of xlwings Lite or of "
    "the add-in for LibreOffice; formulas if omitted.",
)
@language_of("the workbook", "that of the old one, or English,", "language")
@click.option("--players", type=int, help="How many players or boards it has room for.")
@click.option(
    "--rounds",
    type=int,
    help="How many rounds it has room for; of round-robin, how often everybody meets everybody.",
)
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
@address_of("sheets for the wall show it as a QR code. Blank: none any more")
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
    typed, named = None, bool(wanted.template)
    if old is not None:
        typed = read(old, wanted.name, Path(wanted.template) if wanted.own else None)
        wanted = replace(wanted, template=wanted.template or typed.template)
        wanted = wanted.completed(options_of(typed))
        typed = ratings.into(old, typed)
    begun, notes = None, list[str]()
    if typed is not None and wanted.own and not named:
        declare = carried_book(typed, wanted)
    else:
        declare = _own(wanted, filled) if wanted.own else template_book(wanted, filled)
    if people is not None:
        begun, notes = _begun(declare(None), people, ratings)
        if not wanted.own:
            declare = template_book(wanted.with_room(begun))
    target = output or Path(f"{Path(wanted.name).stem}.xlsx")
    # a club's book with this ending is to have its buttons
    macros = wanted.name == "club" and target.suffix.lower() == ".xlsm"
    check_target(target, force, made_from=[people], macros=macros)
    with progress("Writing the workbook"):
        carried = None if typed is None else Carried.into(typed, declare)
        additions = None
        book = declare(begun if carried is None else carried.content)
        if typed is not None and old is not None:
            additions = Additions(
                old.read_bytes(),
                typed.stored,
                typed.built(typed.options),
                typed.entries,
                exact=typed.known is not None and typed.known.version == __version__,
            )
            book.add = additions.into
        if wanted.address and not any(sheet.set_up.wall for sheet in book.sheets.values()):
            raise click.UsageError(f"{wanted.name} has no sheet that shows an address")
        try:
            content = book.file()
        except WorkbookError as wrong:  # of a sheet to which people have added something
            raise no_book(old or target, wrong) from None
        if carried is not None:
            carried.check(content)
        put_into(target, _with_buttons(content, wanted) if macros else content, "new")
    tell_workbook(target)
    for note in notes:
        warn(note, "note")
    if carried is not None:
        carried.report(additions)


def _begun(book: Book, people: Path, ratings: FromList) -> tuple[Content, list[str]]:
    """What is typed into the new book of the players of a file."""
    from elo_xl.events import refreshed as listed_books
    from elo_xl.events.players import read_players

    with progress("Reading the players"):
        file = read_players(people)
        return listed_books.people(book, file, ratings.listed, ratings.kind)


def _with_buttons(content: bytes, wanted: Wanted) -> bytes:
    """A club's book with buttons that close a period and take a step back."""
    from elo_xl.hosts import excel_addin
    from elo_xl.hosts.excel_addin.buttons import with_buttons

    say = texts(wanted.language or ENGLISH)
    labels = {say(f"club.button_{key}"): f"Elo{key.capitalize()}" for key in ("close", "undo")}
    try:
        project = excel_addin.content(excel_addin.CLUB_PROJECT)
    except excel_addin.AddinError as error:
        raise click.ClickException(str(error)) from None
    return with_buttons(content, project, say("club.sheet_events"), labels)


def template_book(wanted: Wanted, filled: bool = False) -> Declare:
    """What declares a book of a template."""
    if wanted.name not in TEMPLATES:
        what = f"there is no template {wanted.template!r}: elo-xl templates lists them"
        word = wanted.name
        if not any(name.startswith(word) for name in TEMPLATES):
            titles = _titles()
            word = next((titles[title] for title in nearest(word, titles)), "")
        raise click.UsageError(what + meant(word, TEMPLATES))
    try:
        options = gallery.options(
            wanted.name,
            functions=wanted.functions or "formulas",
            language=wanted.language or ENGLISH,
            players=wanted.players,
            rounds=wanted.rounds,
            rules=wanted.rules or "fide",
            address=wanted.address or "",
            filled=filled,
        )
    except RatingError as wrong:
        raise click.UsageError(str(wrong)) from None
    sample = gallery.sample(wanted.name, options) if filled else None
    return lambda content: gallery.declared(wanted.name, options, content or sample)


def _titles() -> dict[str, str]:
    """The templates by their names, and by their titles and the words of these, as they are
    spoken."""
    titles = {name: template.say("title", spoken()) for name, template in TEMPLATES.items()}
    words = {
        word: name
        for name, title in titles.items()
        for word in (title, *title.split())
        if len(word) > 4
    }
    return {**words, **{name: name for name in TEMPLATES}}


def _own(wanted: Wanted, filled: bool) -> Declare:
    """What declares a user's own book; it is worked out, so that all errors are found."""
    from elo_xl.books import book_file

    path = Path(wanted.template)
    options = Options(
        functions=wanted.functions or "formulas",
        language=wanted.language or "",
        rules=wanted.rules or "",
        address=wanted.address or "",
    )

    def declare(content: Content | None) -> Book:
        try:
            book = book_file.read(path, options, filled=filled, content=content)
            book.finish()
        except (BookError, RatingError) as wrong:
            raise click.ClickException(str(wrong)) from None
        except (OSError, UnicodeDecodeError) as wrong:
            raise click.ClickException(f"{path} cannot be read: {wrong}") from None
        return book

    return declare


def carried_book(old: OldBook, wanted: Wanted) -> Declare:
    """What declares a user's own book again from the text that its file carries."""
    assert old.known is not None
    text = BookText(old.known.text, old.template)
    options = Options(
        **{key: value for key, value in asdict(wanted).items() if key != "template" and value}
    )
    for key, number in (("players", options.players), ("rounds", options.rounds)):
        bounds = text.bounds(key)
        if bounds and not bounds[0] <= number <= bounds[2]:
            raise click.UsageError(
                f"{old.template} takes {bounds[0]} to {bounds[2]} {key}, got {number}"
            )
    return lambda content: text.book(options, content)


@click.command("next")
@click.argument("old", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The workbook to write; OLD's name with -next.xlsx in this folder if omitted.",
)
@click.option("--title", default="", help="The name of the next event; blank if omitted.")
@click.option(
    "--year",
    type=click.IntRange(1950, 2099),
    help="The year for which ages are counted; that of the old book if omitted.",
)
@click.option("--players", type=int, help="Room for more players than the old book has.")
@click.option("--rounds", type=int, help="Room for more rounds, games or lists.")
@takes_a_list
@replacing
def next_(
    old: Path,
    output: Path | None,
    title: str,
    year: int | None,
    players: int | None,
    rounds: int | None,
    ratings: FromList,
    force: bool,
) -> None:
    """Write the book of the next period or event from the workbook OLD, which you have filled in.

    Players have their new ratings, games and highest ratings, or with --list those of a rating
    list; settings stay, results do not.
    """
    from elo_xl.events.books import template_of
    from elo_xl.templates.opened import continued

    output = output or Path(f"{old.stem}-next.xlsx")
    check_target(output, force, made_from=[old])
    if not is_zipfile(old):
        raise click.ClickException(
            f"{old}: it is no workbook; elo-xl next takes one that elo-xl new has made and "
            "you have filled in"
        )
    if not template_of(old.read_bytes()):
        raise click.ClickException(
            f"{old}: it does not say from which template it was made: make it again with "
            "elo-xl new TEMPLATE --from first"
        )
    filled = read(old, "", None)
    wanted = Wanted(filled.template, players=players, rounds=rounds)
    with progress("Writing the workbook"):
        try:
            begun = continued(filled, title=title, year=year)
        except EntriesError as wrong:
            raise click.ClickException(f"{old}: {wrong}") from None
        begun = ratings.into(old, begun)
        wanted = wanted.completed(options_of(begun))
        declare = carried_book(filled, wanted) if wanted.own else template_book(wanted)
        carried = Carried.into(begun, declare)
        content = declare(carried.content).file()
        carried.check(content)
        put_into(output, content, "next")
    tell_workbook(output)
    carried.report()
