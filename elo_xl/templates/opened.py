"""Books that people have filled in: what their files hold, and how that goes into another book.

A file says what it was made from (:mod:`elo_xl.books.identity`). One that does not, because it is
older or a program has dropped it, is read by a book as large as its template can be.

For the next period or event the old book is worked out anew from its entries: new ratings are those
of its formulas, whatever program has saved the file, and whatever values it has left in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from elo_xl.books.entries import Entries, Entry, Key, placed, read_entries
from elo_xl.books.faults import faults, remarks
from elo_xl.books.identity import Identity, identity
from elo_xl.books.model import Cells, Constant, Content, Declared, Options
from elo_xl.engine.arrays import round_half_away
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.languages import CODES
from elo_xl.people import same_cell
from elo_xl.templates.blocks.cycles import cycles_in
from elo_xl.templates.blocks.players import YEAR
from elo_xl.templates.gallery import TEMPLATES, build, declared
from elo_xl.xlsx.cells import StoredBook
from elo_xl.xlsx.fill import column_letters
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
        if known.cycles:  # more of them would be other columns
            values = (cell.value for sheet in stored for cell in stored[sheet].cells.values())
            rounds = cycles_in(set(values))
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
    taken, refused = placed(old.entries, old.book, new)
    if refused:
        raise EntriesError(f"the new book has no room for {listed(refused)}")
    return taken


def listed(things: list[str], between: str = ", ") -> str:
    """The first of some things, and how many more there are."""
    more = len(things) - MOST_NAMED
    return between.join(things[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


OF_THE_EVENT: Final = (
    *("Event", "Dates", "Pairings_round", "Standings_round", "Round_shown"),
    *("pair_one", "pair_two", "one_choice"),
)
"""Single cells that the next book has blank."""

LEAST, MOST = 100, 3999
"""of a rating that can be typed"""

DECIMALS: Final = 6
"""of ratings and deviations that need not be whole"""


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
    if old.template not in _NEXT:
        able = ", ".join(_NEXT)
        raise EntriesError(
            f"it was made from {old.template}, whose books are not continued: those of {able} are"
        )
    check_rows(old)
    book = build(old.template, replace(old.options, functions="formulas"), old.content)
    if wrong := faults(book):
        raise EntriesError(
            f"it has entries that need attention, mend and save them first: {listed(wrong, '; ')}"
        )
    filled = _Filled(old, book)
    for key, entry in old.entries.typed.items():
        if not key.row and key.name not in OF_THE_EVENT:
            filled.typed[key] = entry
    _NEXT[old.template](filled)
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


def check_rows(old: OldBook) -> None:
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
    book: Declared
    typed: dict[Key, Entry] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def cells(self, table: str, column: str) -> Cells:
        """A column, of what is typed as it is read."""
        at = self.book.tables[table]
        return at.reads.get(column) or at.column(column)

    def texts(self, table: str, column: str) -> list[str]:
        return self.cells(table, column).texts()

    def numbers(self, table: str, column: str) -> list[float | None]:
        """The numbers of a column; None for anything else."""
        return [
            float(v) if isinstance(v, int | float) and not isinstance(v, bool) else None
            for v in self.cells(table, column).values()
        ]

    def keep(self, table: str, but: Collection[str] = ()) -> None:
        """Take over all that is typed in a table, except for some columns."""
        for key, entry in self.old.entries.typed.items():
            if key.name == table and key.row and key.column not in but:
                self.typed[key] = entry

    def put(self, table: str, row: int, column: str, value: float | None) -> None:
        """Type a number, or nothing, into a cell; rows are counted from 0."""
        key = Key(table, row + 1, column)
        if value is None:
            self.typed.pop(key, None)
            return
        number: Constant = int(value) if float(value).is_integer() else value
        self.typed[key] = Entry(number, self.where(table, row, column))

    def where(self, table: str, row: int, column: str) -> str:
        at = self.book.tables[table]
        return f"{at.sheet.title}!{column_letters(at.at[column])}{at.first + row}"

    # -- players --------------------------------------------------------------------------------

    def people(self, players: str, counted: str, side: str = "") -> None:
        """Take over players with their new ratings, games and highest ratings.

        ``side`` ends the names of the tables of a team.
        """
        self.keep(players, but=("out",))
        known = [self.numbers(counted, key) for key in ("rating", "games", "peak")]
        ratings = f"Ratings{side}"
        new = self.numbers(ratings, "new")
        if side:
            scores = self.on_boards(side)
            played = [float(score is not None) for score in scores]
        else:
            scores = self.numbers(ratings, "score")
            played = [games or 0.0 for games in self.numbers(ratings, "games")]
        for row, name in enumerate(self.texts(counted, "name")):
            if not name:
                continue
            rating, games, peak = (column[row] for column in known)
            after = rating if (computed := new[row]) is None else float(round_half_away(computed))
            if after is not None and not LEAST <= after <= MOST:
                at = self.where(players, row, "rating")
                what = f"{name} would have the rating {after:g}, and a cell takes {LEAST} to {MOST}"
                raise EntriesError(f"{what} @ {at}")
            self.put(players, row, "rating", after)
            # blank games of a rated player mean many: this event's few would make them a newcomer
            if played[row] and (rating is None or games is not None):
                self.put(players, row, "games", (games or 0) + played[row])
            rated = [one for one in (after, rating, peak) if one is not None]
            self.put(players, row, "peak", max(rated, default=None))
            if after is None and played[row]:
                points = f"{scores[row] or 0:g} points of {played[row]:g} games"
                at = self.where(ratings, row, "score")
                self.left.append(f"{points} towards the first rating of {name} @ {at}")

    def on_boards(self, side: str) -> list[float | None]:
        """The scores of a team's games that count for ratings, also for a first rating, of which
        the book of a match knows nothing."""
        signs = [sign == 1 for sign in self.numbers("Signs", "rated")]
        other = {"_a": "_b", "_b": "_a"}[side]
        columns = [
            self.numbers(f"Ratings{side}", "score"),
            self.numbers(f"Ratings{side}", "rating"),
            self.numbers(f"Ratings{other}", "rating"),
            self.numbers("Match", f"points{side}"),
            self.numbers("Match", "sign"),
        ]
        return [
            points
            if rating is None and opponent is not None and sign and signs[int(sign) - 1]
            else score
            for score, rating, opponent, points, sign in zip(*columns, strict=True)
        ]


def _event(filled: _Filled) -> None:
    filled.people("Players", "Counted")


def _team_match(filled: _Filled) -> None:
    for side in "ab":
        filled.people(f"Players_{side}", f"Counted_{side}", f"_{side}")


def _bayes_chess(filled: _Filled) -> None:
    filled.keep("Players")
    filled.keep("Chosen")
    columns = [filled.numbers("Last", key) for key in ("rating", "sd", "games")]
    for row, (rating, sd, games) in enumerate(zip(*columns, strict=True)):
        if games and rating is not None and sd is not None:
            filled.put("Players", row, "rating", round(rating, DECIMALS))
            filled.put("Players", row, "sd", round(sd, DECIMALS))


def _bridge_pairs(filled: _Filled) -> None:
    for table in ("Players", "Pairs", "Chosen"):
        filled.keep(table)
    columns = [filled.numbers("Sums", key) for key in ("now", "played")]
    for row, (now, played) in enumerate(zip(*columns, strict=True)):
        if played and now is not None:
            filled.put("Players", row, "rating", round(now, DECIMALS))


def _rating_history(filled: _Filled) -> None:
    """The last list becomes the first one; its games belong to the season before."""
    lists = int(filled.numbers("Settled", "lists")[0] or 0)
    for key in [key for key in filled.typed if key.name.startswith("list_")]:
        last = filled.typed.pop(key)
        if key.name == f"list_{lists}":
            first = last
    if lists:
        filled.typed[Key("list_1")] = first
    typed = {key.column for key in filled.old.entries.typed if key.name == "Entries"}
    filled.keep("Entries", but=typed - {"name"})
    filled.keep("Curves")
    for row, rating in enumerate(filled.numbers("Members", "latest")):
        filled.put("Entries", row, "r1", rating)


def _ladder(filled: _Filled) -> None:
    """A new season: the ratings of those who have played are drawn back as the settings say."""
    start, reversion = (filled.numbers("Used", key)[0] or 0.0 for key in ("start", "reversion"))
    people: dict[str, tuple[str, float]] = {}
    for table, share in (("Starts", 0.0), ("Members", reversion)):
        columns = filled.texts(table, "name"), filled.numbers(table, "rating")
        for name, rating in zip(*columns, strict=True):
            if name and rating is not None:
                people[same_cell(name)] = name, start + (1 - share) * (rating - start)
    for row, (name, rating) in enumerate(people.values()):
        key = Key("Starts", row + 1, "name")
        filled.typed[key] = Entry(name, filled.where("Starts", 0, "name"))
        after = Entry(round(rating, DECIMALS), filled.typed[key].where)
        filled.typed[key._replace(column="rating")] = after
    if reversion:
        filled.notes.append(
            f"ratings of those who have played are {100 * reversion:g} % nearer to {start:g}"
        )


_NEXT: Final[Mapping[str, Callable[[_Filled], None]]] = {
    "rating-period": _event,
    "round-robin": _event,
    "swiss": _event,
    "team-match": _team_match,
    "rating-history": _rating_history,
    "ladder": _ladder,
    "bayes-chess": _bayes_chess,
    "bridge-pairs": _bridge_pairs,
}
