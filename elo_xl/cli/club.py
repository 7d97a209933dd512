"""``elo-xl add``, ``close``, ``correct``, ``list update`` and ``undo``: a club's book."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

import click
from rich.markup import escape

from elo_xl.books.answers import number, phrase
from elo_xl.cli.lists import which
from elo_xl.club import live as open_steps
from elo_xl.club.adding import Added, Adding, Updated, add_event, update_ratings
from elo_xl.club.closing import Closed, close_period
from elo_xl.club.correcting import Corrected, Moved
from elo_xl.club.correcting import correct as rated_anew
from elo_xl.club.ledger import Ledger
from elo_xl.club.steps import Done, step
from elo_xl.club.steps import undo as take_back
from elo_xl.english import plural
from elo_xl.events.event import NO_DATES
from elo_xl.functions.cells import to_text
from elo_xl.hosts.excel_addin.open_books import ExcelError, OpenBook
from elo_xl.templates.club import KINDS
from elo_xl.templates.opened import EntriesError
from elo_xl.terminal.console import (
    console,
    plain_table,
    progress,
    tell,
    tell_copy,
    tell_facts,
    tell_workbook,
    warn,
)
from elo_xl.terminal.options import Choice, Option, day_of, gather, kept_rules
from elo_xl.terminal.reading import COLUMNS, ENCODING, NAMES, SHEET, ReadOptions, no_book
from elo_xl.xlsx.in_place import WorkbookError


@dataclass(frozen=True, slots=True)
class BookChange:
    """The club's book that a command changes, and how far it goes."""

    book: Path
    live: bool
    dry_run: bool

    def carry_out(self, what: str, work: Callable[[Ledger], Done]) -> tuple[Done, Path]:
        """What a step has done, and the copy of what the book was."""
        books = []

        def watched(ledger: Ledger) -> Done:
            books.append(ledger)
            done = work(ledger)
            if below := ledger.unlisted:
                warn(
                    f"{plural(below, 'member')} below the room of the sheet are not on the "
                    f"list: elo-xl new club --from {self.book} with larger --players makes "
                    "room"
                )
            return done

        with _refusals(self.book):
            if self.live:
                at = OpenBook.at(self.book)
                return open_steps.step(at, what, watched, write=not self.dry_run)
            done = step(self.book, what, watched, write=not self.dry_run)
        for title in books[-1].left:
            warn(
                f"the formulas of {title} are not where they were: what they give shows "
                "when Excel opens the book; in LibreOffice press Ctrl+Shift+F9"
            )
        return done

    def tell(self, copy: Path, changed: bool = True) -> None:
        """Say what was written, if anything was."""
        if changed and not self.dry_run:
            if self.live:
                said = "Workbook: {book}, in Excel: save it there to keep it"
                tell(said.format(book=self.book), workbook=str(self.book))
            else:
                tell_workbook(self.book)
            tell_copy(self.book, copy)


def _date(what: str) -> Option:
    """The option of a day."""
    return click.option("--date", "day", type=day_of, metavar="YYYY-MM-DD", help=what)


BOOK: Final = click.argument("book", type=click.Path(path_type=Path, dir_okay=False, exists=True))
SURE: Final = click.option(
    "--sure", is_flag=True, help="Take a date that is more than a year ahead."
)
LIVE: Final = click.option(
    "--live", is_flag=True, help="Work on BOOK where it is open in Excel, on Windows."
)
DRY: Final = click.option("--dry-run", is_flag=True, help="Show what would be done; write nothing.")
changes_a_book: Final = gather("change", BookChange, LIVE, DRY)
"""The options of a command that changes BOOK, with which they are its argument ``change``."""


@click.command()
@BOOK
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--name", default="", help="Name of the event; as in FILE if omitted.")
@_date("First day of the event; as in FILE if omitted.")
@click.option(
    "--kind", type=Choice(KINDS), help="By the time control in FILE, or standard, if omitted."
)
@click.option(
    "--rules",
    callback=kept_rules,
    help="Rulebook, or the name of your own; FIDE's for the kind and the day if omitted.",
)
@click.option("--again", is_flag=True, help="Take an event even if the book seems to have it.")
@click.option("--new", is_flag=True, help="Take people with names much like a member's as new.")
@SURE
@click.option(
    "--ratings", is_flag=True, help="New members take their ratings from FILE, as first ones."
)
@gather("adding", Adding)
@gather("how", ReadOptions, NAMES, SHEET, COLUMNS, ENCODING)
@changes_a_book
def add(file: Path, adding: Adding, how: ReadOptions, change: BookChange) -> None:
    """Put the event in FILE into a club's BOOK, which `elo-xl new club` has made.

    FILE is any that `elo-xl rate` reads. Members are found by their ID, otherwise by a name that
    can mean only one of them; anybody else becomes a member, without a rating unless
    --ratings takes it from FILE.
    """

    def work(ledger: Ledger) -> Added:
        event = how.read(file, unrated=True)
        for warning in event.warnings:
            if adding.day is None or warning.what != NO_DATES:
                warn(warning)
        return add_event(ledger, event, adding)

    added, copy = change.carry_out(f"add {file.name}", work)
    about = f"{added.day}, {phrase(added.kind)}, {added.rules}"
    counts = f"{plural(added.games, 'game')}, {plural(added.players, 'player')}"
    tell(
        f"{added.event} ({about}): {counts}",
        event=added.event,
        date=str(added.day),
        kind=added.kind,
        rules=added.rules,
        games=added.games,
        players=added.players,
        new_members=added.new,
        ratings_taken=added.taken,
        ratings_left=added.left,
    )
    if added.new:
        tell(f"New members: {'; '.join(added.new)}")
    if added.taken:
        tell(f"Ratings from {file.name}: {'; '.join(added.taken)}")
    if added.left:
        tell(
            f"Unrated here although {file.name} has ratings: {'; '.join(added.left)} "
            "(--ratings takes them; elo-xl undo first)"
        )
    for note in added.notes:
        warn(note, "note")
    change.tell(copy)


@click.command()
@BOOK
@_date("Date of the list; today if omitted.")
@click.option(
    "--rules",
    callback=kept_rules,
    help="Rulebook for all events, instead of those on the sheet Events.",
)
@SURE
@changes_a_book
def close(day: date | None, rules: str, sure: bool, change: BookChange) -> None:
    """Rate the open events of a club's BOOK and write the new ratings.

    Events after the date of the list stay open. The games of unrated members count on in later
    periods, for 26 months.
    """
    of = day or date.today()
    with progress("Rating the period"):
        closed, copy = change.carry_out(
            f"close {of}", lambda book: close_period(book, of, rules, sure=sure)
        )
    _print(closed)
    change.tell(copy)


@click.command()
@BOOK
@changes_a_book
def correct(change: BookChange) -> None:
    """Show and write all published ratings of a club's BOOK that a correction of the past moves.

    Correct a result on the sheet of rated games, type a game there that is missing, or clear one,
    in the program that opens the book. All closed periods are rated again, in their order. Where
    nothing was changed, the published ratings agree with the games, and nothing is written.
    """
    with progress("Rating all periods"):
        done, copy = change.carry_out("correct", rated_anew)
    _print_moved(done)
    change.tell(copy, done.changed)


@click.command()
@BOOK
@LIVE
def undo(book: Path, live: bool) -> None:
    """Take back what `elo-xl add`, `close`, `correct` or `pair` did last to BOOK.

    The book is what it was, byte for byte; with --live its entries are what they were. What
    others have changed since stays.
    """
    with _refusals(book):
        what, copy = open_steps.undo(OpenBook.at(book)) if live else take_back(book)
    tell(f"Taken back: {what}", taken_back=what)
    if live:
        said = (
            f"Workbook: {book}, in Excel: save it there to keep it; its entries are again "
            f"those of {copy.name}"
        )
    else:
        said = f"Workbook: {book} is again what {copy.name} is"
    tell(said, workbook=str(book), copy=copy.name)


@click.command("update")
@BOOK
@which
@changes_a_book
def update(name: str | None, change: BookChange) -> None:
    """Take over the ratings of a list for the members of a club's BOOK.

    Members are found by their ID, otherwise by a name that leaves no doubt. Titles come from the
    list, too, and IDs, birth years and federations that are blank. `elo-xl undo` takes it back.
    """

    def work(ledger: Ledger) -> Updated:
        done = update_ratings(ledger, name)
        if not done.ratings and not done.facts:
            # an error, as only that leaves the book, its copies and its history untouched
            raise _NothingNewError(done)
        return done

    try:
        done, copy = change.carry_out(f"list update {name or ''}".strip(), work)
    except _NothingNewError as same:
        done, copy = same.done, None
    if done.ratings:
        table = plain_table("Name", "Kind", numbers=("Rating", "New", "Change"))
        for line in done.ratings:
            was = "" if line.old is None else to_text(line.old)
            by = "new" if line.old is None else number(f"{line.new - line.old:+g}")
            new = number(to_text(line.new))
            table.add_row(escape(line.name), phrase(line.kind), number(was), new, by)
        console().print(table)
    tell_facts(
        ratings=[
            {"name": one.name, "kind": one.kind, "old": one.old, "new": one.new}
            for one in done.ratings
        ],
        facts=done.facts,
    )
    for fact in done.facts:
        tell(fact)
    for note in done.notes:
        warn(note, "note")
    if copy is None:
        tell(f"Nothing differs from {done.source}: {change.book} stays as it is")
    else:
        change.tell(copy)


class _NothingNewError(Exception):
    """A list changes nothing in a book, which is not written then."""

    def __init__(self, done: Updated) -> None:
        super().__init__()
        self.done = done


@contextmanager
def _refusals(book: Path) -> Iterator[None]:
    """What a book, or Excel, refuses as the message of a command."""
    try:
        yield
    except (EntriesError, WorkbookError, ExcelError) as wrong:
        raise no_book(book, wrong) from None


def _print(closed: Closed) -> None:
    counts = f"{plural(len(closed.events), 'event')}, {plural(closed.games, 'game')}"
    tell(
        f"{click.style(closed.day, bold=True)}: {counts}",
        date=str(closed.day),
        events=[event.name for event in closed.events],
        games=closed.games,
        rules=closed.rules,
        open=[event.name for event in closed.waiting],
    )
    for kind, rules in closed.rules.items():
        tell(f"Rules, {kind}: {rules}")
    for event in closed.waiting:
        tell(f"Still open: {event.name} ({event.day})")
    table = plain_table("Name", "Kind", numbers=("Rating", "New", "Change", "Games"), why="Because")
    order = {kind: n for n, kind in enumerate(KINDS)}
    lines = sorted(closed.lines, key=lambda one: (order[one.kind], -(one.new or 0), one.name))
    for line in lines:
        change = "" if line.old is None or line.new is None else f"{line.new - line.old:+g}"
        table.add_row(
            escape(line.name),
            phrase(line.kind),
            "" if line.old is None else number(to_text(line.old)),
            # blank is no rating before, - is none yet after the list: the line says why
            "-" if line.new is None else number(to_text(line.new)),
            number(change),
            str(line.games),
            escape(line.why),
        )
    console().print(table)
    keys = ("name", "kind", "old", "new", "games", "why")
    tell_facts(members=[{key: getattr(line, key) for key in keys} for line in lines])
    for what in closed.assumed:
        warn(what, "note")


def _print_moved(done: Corrected) -> None:
    rated = f"{plural(done.lists, 'list')}, {plural(done.games, 'game')}"
    if done.moved:
        numbers = ("Published", "Corrected", "Difference", "Games")
        table = plain_table("Name", "Kind", "List", numbers=numbers)
        for one in done.moved:
            table.add_row(escape(one.name), phrase(one.kind), f"{one.day}", *_figures(one))
        console().print(table)
    keys = ("name", "kind", "published", "new", "published_games", "games")
    tell_facts(
        lists=done.lists,
        games=done.games,
        ratings=done.ratings,
        moved=[
            {"list": str(one.day), **{key: getattr(one, key) for key in keys}} for one in done.moved
        ],
        ratings_beside=done.beside,
        games_typed_in=done.completed,
        kept=done.kept,
    )
    ratings = plural(done.ratings, "published rating")
    if done.moved:
        people = len({one.name for one in done.moved})
        both = [one.new - one.published for one in done.moved
                if one.new is not None and one.published is not None]  # fmt: skip
        tell(
            f"{rated}: {len(done.moved)} of {ratings} differ, of "
            f"{plural(people, 'member')}; by {sum(both):+g} in all, at most by "
            f"{max(map(abs, both), default=0):g}"
        )
    else:
        tell(f"{rated}: {ratings} agree with the games")
    if done.beside:
        tell(f"Ratings beside the games that differ: {done.beside}")
    if done.completed:
        tell(f"Games typed in since: {done.completed}")
    for what in done.kept:
        tell(f"Does not move: {what}")


def _figures(one: Moved) -> tuple[str, ...]:
    """What was published, what is right, the difference, and the games if others count."""
    both = one.published, one.new
    ratings = ["-" if rating is None else number(to_text(rating)) for rating in both]
    known = one.new is not None and one.published is not None
    change = number(f"{(one.new or 0) - (one.published or 0):+g}") if known else ""
    games = [str(number or 0) for number in (one.published_games, one.games)]
    return *ratings, change, " → ".join(dict.fromkeys(games))
