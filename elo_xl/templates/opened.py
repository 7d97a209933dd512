"""Books that people have filled in: what their files hold, and how that goes into another book.

A file says what it was made from (:mod:`elo_xl.books.identity`). One that does not, because it is
older or a program has dropped it, is read by a book as large as its template can be.

For the next period or event the old book is computed again from its entries: new ratings are those
of its formulas, whatever program has saved the file, and whatever values it has left in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Final

from elo_xl.books.book import Book
from elo_xl.books.book_file import BookText
from elo_xl.books.commands import Fill, Keep, Next
from elo_xl.books.entries import Entries, Entry, Key, placed, read_entries
from elo_xl.books.faults import faults, remarks
from elo_xl.books.identity import Identity, identity
from elo_xl.books.model import Constant, Content, Declared, Options, Table
from elo_xl.books.statements import BookError
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.languages import CODES
from elo_xl.people import same_cell
from elo_xl.templates.blocks.cycles import cycles_in
from elo_xl.templates.blocks.players import YEAR
from elo_xl.templates.gallery import TEMPLATES, declared
from elo_xl.xlsx.cell_xml import CellValue
from elo_xl.xlsx.cells import StoredBook
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.folding import value_of
from elo_xl.xlsx.in_place import read_parts

Declare = Callable[[Options, Content | None], Book]
"""What declares a book of one template, with its content."""

RATED: Final = "rated-event"
_RATED: Final = (
    "it is the workbook that elo-xl rate has made of an event: rate the event's own file, or put "
    "that file into a club's book with elo-xl add"
)

MOST_NAMED: Final = 12
"""Entries that a message names."""


class EntriesError(ValueError):
    """The entries of a file cannot be read, or have no room in another book."""


def nobody() -> str:
    """What is said of a book or an event without players."""
    return "nobody is on the list: type the players into it first"


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
    declare: Declare
    """what declares such a book again"""

    @property
    def content(self) -> Content:
        """What was typed, as the content of a book of the same template and options."""
        return self.entries.content

    def built(self, options: Options, content: Content | None = None) -> Book:
        """Such a book, worked out."""
        book = self.declare(options, content)
        book.finish()
        return book


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


def old_book(file: bytes, template: str = "", declare: Declare | None = None) -> OldBook:
    """Read the file of a book.

    ``template`` is its template if it does not say so itself; ``declare`` declares such a book, if
    that is not to be what its template or the text that it carries says. Raises as :func:`entries`
    does.
    """
    return book_in(read_parts(file), template, declare)


def book_in(
    parts: Mapping[str, bytes], template: str = "", declare: Declare | None = None
) -> OldBook:
    """Read the parts of the file of a book, as :func:`old_book` reads a file."""
    known, stored = identity(parts), StoredBook(parts)
    if known is not None and known.template == RATED:
        raise EntriesError(_RATED)
    if known is not None and template and known.template != template:
        raise EntriesError(f"it was made from {known.template}, not from {template}")
    if known is None and not template:
        raise EntriesError("it does not say from which template it was made: name the template")
    name = template or known.template if known else template
    declare = declare or _declared(name, known)
    options = known.options if known else _guessed(stored, name, declare)
    book = declare(options, None)
    return OldBook(name, options, known, book, stored, read_entries(book, stored), declare)


def _declared(name: str, known: Identity | None) -> Declare:
    """What declares a book of a template, or of the text that the file of a user's own book
    carries.

    Raises EntriesError for a file without such a text, and for one whose size no such book has.
    """
    template = TEMPLATES.get(name)
    if template is not None:
        sizes = template.players, template.rounds
        declare: Declare = partial(declared, name)
    elif known is not None and known.text:
        text = BookText(known.text, name)
        with _readable(name):
            sizes = text.bounds("players"), text.bounds("rounds")

        def declare(options: Options, content: Content | None) -> Book:
            with _readable(name):
                return text.book(options, content)

    else:
        raise EntriesError(
            f"it was made from {name}, and does not carry its text: make it again with "
            f"elo-xl new {name} --from it"
        )
    # a file can say anything: with such options a book of any size would be built to compare
    said = (known.options.players, known.options.rounds) if known else (0, 0)
    for count, bounds in zip(said, sizes, strict=True):
        if known and bounds and not bounds[0] <= count <= bounds[2]:
            raise EntriesError(f"it says that it has room for {count}, as no {name} has")
    return declare


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """What is wrong in the text that a file carries is said as what is wrong with the file."""
    try:
        yield
    except BookError as wrong:
        raise EntriesError(f"it carries the text of {name}, in which {wrong}") from None


def _guessed(stored: StoredBook, template: str, declare: Declare) -> Options:
    """The options of a file that does not tell them: its language by its sheets, its rulebook from
    its first sheet, and the largest numbers."""
    largest = Options()
    if (known := TEMPLATES.get(template)) is not None:
        players, rounds = (bounds[2] if bounds else 1 for bounds in (known.players, known.rounds))
        if known.cycles:  # more of them would be other columns
            values = (cell.value for sheet in stored for cell in stored[sheet].cells.values())
            rounds = cycles_in(set(values))
        largest = Options(players=players, rounds=rounds)
    shared = {}
    for language in CODES:
        options = replace(largest, language=language)
        titles = {sheet.title for sheet in declare(options, None).sheets.values()}
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
    taken, refused = placed(old.entries, old.book, new)
    if refused:
        raise EntriesError(f"the new book has no room for {listed(refused)}")
    return taken


def listed(things: list[str], between: str = ", ") -> str:
    """The first of some things, and how many more there are."""
    more = len(things) - MOST_NAMED
    return between.join(things[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def continued(old: OldBook, *, title: str = "", year: int | None = None) -> OldBook:
    """An old book with what the next one begins with in the place of its entries.

    >>> from elo_xl.templates.gallery import make, options
    >>> from elo_xl.templates.opened import old_book
    >>> people = [{"name": "Ana", "rating": 1800}, {"name": "Ben", "rating": 1800}]
    >>> games = [{"white": "Ana", "black": "Ben", "result": "1"}]
    >>> chosen = options("rating-period")
    >>> old = old_book(make("rating-period", chosen, {"Players": people, "Games": games}))
    >>> continued(old).content["Players"][1]
    {'name': 'Ana', 'rating': 1810, 'peak': 1810}

    ``title`` is the name of the next event, ``year`` the one for which ages are counted; without it
    that of the old book stays. Settings stay, results do not. The notes of the entries and what is
    left behind tell what else there was.

    Raises EntriesError for a template whose books have no next one, for entries that need attention
    and for those that no formula of the old book reads.
    """
    following = old.book.commands.next
    if following is None:
        raise EntriesError(f"it was made from {old.template}, whose books have no next one")
    book, wrong = checked(old)
    if wrong:
        raise EntriesError(
            f"it has entries that need attention, fix and save them first: {listed(wrong, '; ')}"
        )
    filled = _Filled(old, book)
    filled.begin(following)
    if title:
        filled.typed[Key("Event")] = Entry(title, "")
    if year is not None:
        if YEAR not in book.singles:
            raise EntriesError(f"books of {old.template} ask for no year")
        filled.typed[Key(YEAR)] = Entry(year, "")
    elif (same := filled.typed.get(Key(YEAR))) and same.value is not None:
        filled.notes.append(f"the year for the ages is {same.value} as before @ {same.where}")
    entries = old.entries
    notes = [*entries.notes, *filled.notes, *remarks(book)]
    left = [*entries.left, *filled.left]
    return replace(old, entries=Entries(filled.typed, notes, entries.missing, left))


def checked(old: OldBook) -> tuple[Book, list[str]]:
    """The book worked out from its entries, and those that need attention, as it marks them.

    Nothing that it works out may be used while there are any: a game with such an entry counts as
    one that is yet to be played. Raises EntriesError for entries that no formula reads.
    """
    _check_rows(old)
    book = old.built(replace(old.options, functions="formulas"), old.content)
    return book, faults(book)


def _check_rows(old: OldBook) -> None:
    """Refuse entries below the last row that formulas read."""
    below = [
        f"{entry.value!r} @ {entry.where}"
        for key, entry in old.entries.typed.items()
        if key.row > _rows(old.book, key)
    ]
    if below:
        raise EntriesError(
            "no formula reads what stands below the last row, make the book larger first "
            f"(elo-xl new --from): {listed(below)}"
        )


def _rows(book: Declared, key: Key) -> int:
    return book.tables[key.name].rows if key.row else 0


@dataclass(slots=True)
class _Filled:
    """The old book, worked out, and the entries of the next one."""

    old: OldBook
    book: Book
    typed: dict[Key, Entry] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def begin(self, following: Next) -> None:
        """Take over what stays, and type what the book says of the next one."""
        for key, entry in self.old.entries.typed.items():
            if not (key.row or any(fnmatchcase(key.name, name) for name in following.blank)):
                self.typed[key] = entry
        for name, formula in following.cells.items():
            value = next(iter(self.book.tables.values())).worth(formula)
            if value is not None:
                self.typed[Key(name)] = Entry(_whole(value), "")
        for step in following.steps:
            if isinstance(step, Keep):
                self.typed |= {
                    key: entry
                    for key, entry in self.old.entries.typed.items()
                    if key.name == step.table and key.row and step.keeps(key.column)
                }
            else:
                self.fill(step)

    def fill(self, step: Fill) -> None:
        """Type what formulas give for each row of a table, or of another one, whose first column
        tells the row."""
        table, source = self.book.tables[step.table], self.book.tables[step.source]
        own, first = source is table, next(iter(step.columns))
        rows = {
            same_cell(str(entry.value)): key.row
            for key, entry in self.typed.items()
            if key.name == step.table and key.column == first
        }
        last = max(rows.values(), default=0)
        typed = {key.row for key in self.old.entries.typed if key.name == step.table}
        for i in range(source.rows):
            if own and i + 1 not in typed:
                continue
            values = {key: source.worth(formula, i) for key, formula in step.columns.items()}
            row = i + 1
            if not own:
                if values[first] is None:
                    continue
                row = rows.setdefault(same_cell(str(values[first])), last + 1)
                last = max(last, row)
            for key, value in values.items():
                self._type(table, row, key, value)
            for note in step.notes:
                said = source.worth(note, i)
                if said is not None and said not in self.notes:
                    self.notes.append(str(said))
            for at, formula in step.left:
                if (what := source.worth(formula, i)) is not None:
                    self.left.append(f"{what} @ {_where(self.book.tables[at.table], i, at.column)}")

    def _type(self, table: Table, row: int, column: str, value: CellValue | None) -> None:
        """Type a value, or nothing, into a cell.

        Raises EntriesError for a number that the cell does not take.
        """
        key = Key(table.name, row, column)
        where = _where(table, row - 1, column)
        if value is None:
            self.typed.pop(key, None)
            return
        allowed = table.columns[column].validation
        if allowed is not None and allowed.kind in ("whole", "decimal"):
            names = table.sheet.names_at(table)
            least, most = (
                value_of(names.resolve(bound)) if bound is not None else None
                for bound in (allowed.first, allowed.second)
            )
            if (
                isinstance(value, int | float)
                and isinstance(least, int | float)
                and isinstance(most, int | float)
                and not least <= value <= most
            ):
                name = self.typed.get(Key(table.name, row, "name"))
                raise EntriesError(
                    f"{name.value if name else 'somebody'} would have the {column} {value:g}, and "
                    f"a cell takes {least:g} to {most:g} @ {where}"
                )
        self.typed[key] = Entry(_whole(value), where)


def _where(table: Table, row: int, column: str) -> str:
    return f"{table.sheet.title}!{column_letters(table.at[column])}{table.first + row}"


def _whole(value: CellValue) -> Constant:
    return int(value) if isinstance(value, float) and value.is_integer() else value
