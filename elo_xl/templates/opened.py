"""Books that people have filled in: what their files hold, and how that goes into another book.

A file says what it was made from (:mod:`elo_xl.books.identity`). One that does not, because it is
older or a program has dropped it, is read by a book as large as its template can be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from elo_xl.books.entries import Entries, Key, placed, read_entries
from elo_xl.books.identity import Identity, identity
from elo_xl.books.model import Constant, Content, Declared, Options
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.languages import CODES
from elo_xl.templates.gallery import TEMPLATES, declared
from elo_xl.xlsx.cells import StoredBook
from elo_xl.xlsx.in_place import read_parts

Declare = Callable[[str, Options], Declared]
"""What declares a book of a template without any content."""

RATED: Final = "rated-event"
_RATED: Final = (
    "it is the workbook that elo-xl rate has made of an event: rate the event's own file, or put "
    "that file into a club's book with elo-xl add"
)

MOST_NAMED: Final = 12
"""Entries that a message names."""


class EntriesError(ValueError):
    """The entries of a file cannot be read, or have no room in another book."""


@dataclass(frozen=True, slots=True)
class OldBook:
    """A file with what was typed into it."""

    template: str
    options: Options
    known: Identity | None
    """what the file says of itself"""
    book: Declared
    stored: StoredBook
    entries: Entries

    @property
    def content(self) -> Content:
        """What was typed, as the content of a book of the same template and options."""
        return self.entries.content


def entries(file: bytes) -> tuple[str, Options, Content]:
    """Template, options and content of the file of a book.

    >>> from elo_xl.templates.gallery import make, options
    >>> chosen = options("match-odds", rounds=4)
    >>> entries(make("match-odds", chosen, {"games": 3, "name_first": "Ana"}))[2]
    {'name_first': 'Ana', 'games': 3}

    Raises EntriesError for a file that does not say what it is, and WorkbookError for one that is
    no workbook.
    """
    old = old_book(file)
    return old.template, old.options, old.content


def old_book(file: bytes, template: str = "", declare: Declare = declared) -> OldBook:
    """Read the file of a book.

    ``template`` is its template if it does not say so itself; ``declare`` declares a book that is
    none of :data:`~elo_xl.templates.gallery.TEMPLATES`. Raises as :func:`entries` does.
    """
    return book_in(read_parts(file), template, declare)


def book_in(parts: Mapping[str, bytes], template: str = "", declare: Declare = declared) -> OldBook:
    """Read the parts of the file of a book, as :func:`old_book` reads a file."""
    known, stored = identity(parts), StoredBook(parts)
    if known is not None and known.template == RATED:
        raise EntriesError(_RATED)
    if known is not None and template and known.template != template:
        raise EntriesError(f"it was made from {known.template}, not from {template}")
    if known is None and not template:
        raise EntriesError("it does not say from which template it was made: name the template")
    name = template or known.template if known else template
    if declare is declared and name not in TEMPLATES:
        raise EntriesError(f"entries cannot be read from a book that was made from {name}")
    options = known.options if known else _guessed(stored, name, declare)
    if declare is declared:
        # a file can say anything: with such options a book of any size would be built to compare
        for count, bounds in (
            (options.players, TEMPLATES[name].players),
            (options.rounds, TEMPLATES[name].rounds),
        ):
            if bounds and not bounds[0] <= count <= bounds[2]:
                raise EntriesError(f"it says that it has room for {count}, as no {name} has")
    book = declare(name, options)
    return OldBook(name, options, known, book, stored, read_entries(book, stored))


def _guessed(stored: StoredBook, template: str, declare: Declare) -> Options:
    """The options of a file that does not tell them: its language by its sheets, its rulebook from
    its first sheet, and the largest numbers."""
    largest = Options()
    if (known := TEMPLATES.get(template)) is not None:
        players, rounds = (bounds[2] if bounds else 1 for bounds in (known.players, known.rounds))
        largest = Options(players=players, rounds=rounds)
    shared = {}
    for language in CODES:
        options = replace(largest, language=language)
        titles = {sheet.title for sheet in declare(template, options).sheets.values()}
        shared[options] = len(titles & set(stored))
    best = max(shared, key=shared.__getitem__)
    if not shared[best]:
        raise EntriesError(f"it has none of the sheets of {template}")
    shown = (cell.value for cell in stored[next(iter(stored))].cells.values())
    rules = [value for value in shown if isinstance(value, str) and value in RULEBOOKS]
    return replace(best, rules=rules[0]) if rules else best


def carried(old: OldBook, new: Declared) -> dict[Key, Constant]:
    """The entries as a new book of the same template takes them.

    Raises EntriesError if it has no room for some of them.
    """
    found, refused = placed(old.entries, old.book, new)
    if refused:
        raise EntriesError(f"the new book has no room for {listed(refused)}")
    return found


def listed(things: list[str], between: str = ", ") -> str:
    """The first of some things, and how many more there are."""
    more = len(things) - MOST_NAMED
    return between.join(things[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
