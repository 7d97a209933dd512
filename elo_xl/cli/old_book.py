"""``elo-xl new --from``: the entries of an old book go into the new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

import click

from elo_xl.books.book import Book, BookError, Constant, Content
from elo_xl.books.entries import Key, content_of, typed_tables
from elo_xl.engine.errors import RatingError
from elo_xl.events.event import Kind
from elo_xl.languages import many
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.templates.opened import EntriesError, OldBook, carried, old_book
from elo_xl.terminal.options import gather, lists_begun
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
    type=click.Choice(get_args(Kind)),
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


def read(path: Path, template: str, own: Path | None) -> OldBook:
    """The old book with its entries; it ends the command if it cannot be read.

    ``own`` is the file of somebody's own book, from which both are made.
    """
    from elo_xl.books import book_file

    try:
        if own is not None:
            return old_book(path.read_bytes(), template, lambda _, o: book_file.read(own, o))
        return old_book(path.read_bytes(), template)
    except (EntriesError, WorkbookError, BookError, RatingError) as wrong:
        raise click.ClickException(f"{path}: {wrong}") from None


def options_of(old: OldBook) -> Mapping[str, object]:
    """The options of the new book where the command line leaves them open."""
    kept = ["functions", "language", "rules"]
    if old.known and (template := TEMPLATES.get(old.template)):
        kept += [key for key in ("players", "rounds") if getattr(template, key)]
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

    def report(self) -> None:
        """Say what was carried over, what the old file has otherwise, and what stays behind."""
        click.echo(f"Carried over: {self.counted()}")
        entries = self.old.entries
        # a file that does not say how large it is was read as one of the largest size
        missing = entries.missing if self.old.known else []
        for line in dict.fromkeys((*entries.notes, *missing)):
            click.echo(f"Note: {line}")
        for line in entries.left:
            click.echo(f"Not carried over: {line}")

    def counted(self) -> str:
        """How many rows, or in a crosstable cells, of each kind there are."""
        counts = Counter[tuple[str, str]]()
        units = {key if key.name == "Cross" else key._replace(column="") for key in self.entries}
        for name, typed in typed_tables(self.new).items():
            title = typed.table.sheet.title
            what = (WHAT[name], "") if name in WHAT else ("line", f" of {title}")
            counts[what] += sum(key.name == name and key.row > 0 for key in units)
        counts["single cell", ""] = sum(not key.row for key in units)
        told = (f"{many(n, what)}{of}" for (what, of), n in counts.items() if n)
        return ", ".join(told) or "nothing"
