"""Typed nonsense by the thousand: nothing breaks, all that is wrong is marked and counted, and
nothing is guessed.

The evaluator computes the sheets; that a spreadsheet shows the same is tested elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import pytest

from elo_xl.books.model import Constant
from elo_xl.books.typed import SHEET
from elo_xl.templates.gallery import TEMPLATES
from tests.support.levels import amount
from tests.support.moves import Spot
from tests.support.nonsense import Pad, Sheets, drawn, harmless, named
from tests.support.template_books import sized

pytestmark = pytest.mark.slow

PLAYERS, BOOKS, VARIANTS = amount(6, 12), amount(3, 14), amount(1, 2)
"""Players, or rounds, of a book; books with nonsense in them; books typed in another way."""

COUNTS = (2, 20, 40, 1, 1, 3, 8)
"""How much nonsense is in a book."""


@cache
def pad(template: str) -> Pad:
    rounds = {"rounds": 3} if template == "swiss" else {}
    return Pad(template, sized(template, PLAYERS, **rounds))


def books(template: str) -> Iterator[tuple[int, dict[Spot, Constant], Sheets]]:
    """Books with nonsense in them: seed, entries, what is shown."""
    for seed in range(BOOKS):
        chance = random.Random(f"{template} {seed}")
        entries = drawn(pad(template), chance, COUNTS[seed % len(COUNTS)])
        yield seed, entries, pad(template).with_entries(entries)


def told(entries: dict[Spot, Constant]) -> list[tuple[str, Constant]]:
    return [(named(at), value) for at, value in entries.items()]


@pytest.mark.parametrize("template", TEMPLATES)
def test_nonsense_is_marked_and_counted_and_breaks_nothing(template: str) -> None:
    good = pad(template).good
    assert (good.attention, good.errors, good.wrong, good.faults) == ((0, None), [], [], set())
    assert [named(at) for at in pad(template).spots if good.marked(at)] == []
    typed = found = 0
    for seed, entries, sheets in books(template):
        typed += len(entries)
        wrong, faults, (count, first) = sheets.wrong, sheets.faults, sheets.attention
        found += len(wrong)
        case = seed, told(entries)
        assert sheets.errors == [], case
        assert count >= max(len(faults), bool(wrong)), case
        assert bool(count) == bool(wrong or faults), case
        assert first is None or first in wrong or first[:2] in faults, case
        assert [named(at) for at in wrong if not sheets.marked(at)] == [], case
        assert guessed(template, entries, sheets) == [], case
    assert typed > 3 * BOOKS
    assert found > BOOKS / 2


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_same_written_in_another_way_changes_nothing(template: str) -> None:
    book = pad(template)
    read = book.book.sheets[SHEET].title
    for seed in range(VARIANTS):
        chance = random.Random(seed)
        entries = {
            at: harmless(book, chance, at)
            for at, value in book.spots.items()
            if value is not None and chance.random() < 0.7
        }
        assert sum(book.spots[at] != value for at, value in entries.items()) >= len(entries) / 4
        sheets = book.with_entries(entries)
        changed = {
            named(at): (value, book.good.values[at])
            for at, value in sheets.values.items()
            if value != book.good.values[at] and at[0] != read
        }
        assert changed == {}, (seed, told(entries))


# -- who is involved ------------------------------------------------------------------------------

PERSONAL = ("rating", "birth", "games", "peak", "k")
"""What new ratings rest on; while one of these cannot be read a player's rating waits."""

NUMBERS: Final = (
    ("Ratings", ("change", "new"), False),
    ("Ratings_a", ("change", "new"), False),
    ("Factors", ("k",), False),
    ("Last", ("rating", "elo"), True),
    ("Sums", ("now", "change"), True),
)
"""The tables that show players' numbers, in the rows in which they are typed; and whether a game
counts there with the ratings after the games before it."""


class Numbers(NamedTuple):
    """Where a book has its players' numbers."""

    players: str
    table: str
    keys: tuple[str, ...]
    one_after_another: bool


@cache
def numbers(template: str) -> Numbers | None:
    tables = pad(template).book.tables
    players = next((name for name in tables if name.startswith("Players")), "")
    found = [
        Numbers(players, *shown)
        for shown in NUMBERS
        if players and shown[0] in tables and all(map(tables[shown[0]].has, shown[1]))
    ]
    return found[0] if found else None


def guessed(template: str, entries: dict[Spot, Constant], sheets: Sheets) -> list[object]:
    """The numbers of players that were made up, or changed though nothing of theirs did."""
    if (known := numbers(template)) is None:
        return []
    players, table, keys, one_after_another = known
    found: list[object] = []
    good, book = pad(template).good, pad(template).book
    of = book.tables[players]
    waiting = {
        row
        for row in range(of.rows)
        if "!" in [sheets.read(players, row, key) for key in PERSONAL if key in of.reads]
    }
    touched = involved(template, known, entries, sheets)
    for key in keys:
        shown = sheets.shown(table, key)
        if not one_after_another:
            found += [("made up", key, row, shown[row]) for row in waiting if shown[row] != ""]
        if touched is not None:
            before = good.shown(table, key)
            found += [
                ("changed", key, row, before[row], shown[row])
                for row in range(of.rows)
                if row not in touched and before[row] != shown[row]
            ]
    return found


def involved(
    template: str, known: Numbers, entries: dict[Spot, Constant], sheets: Sheets
) -> set[int] | None:
    """The rows of the players whom changed entries are about, and of their opponents; None if
    everybody's numbers may change."""
    good, book = pad(template).good, pad(template).book
    before, after = (list(games(template, known, each)) for each in (good, sheets))
    players = book.tables[known.players]
    touched: set[int] = set()
    for title, line, column in entries:
        if (title, line, column) in pad(template).singles:
            return None
        table = next(
            table
            for table in book.tables.values()
            if table.sheet.title == title
            and table.first <= line <= table.last
            and column in table.at.values()
        )
        row = line - table.first
        if table.name == "Cross":
            touched |= {row, column - table.at["v1"]}
        elif table.name.startswith("Players"):
            touched.add(row)
        elif table.name == "Pairs":
            return None
        elif table.name in ("Games", "Pairings", "Match", "Results"):
            touched |= before[row] | after[row]
    names = [name.casefold() for name in names_of(template, known, sheets)]
    touched |= {row for row in range(players.rows) if names[row] and names.count(names[row]) > 1}
    while True:
        more = touched.union(*(game for game in before if game & touched))
        if more == touched or not known.one_after_another:
            return more
        touched = more


def names_of(template: str, known: Numbers, sheets: Sheets) -> list[str]:
    rows = pad(template).book.tables[known.players].rows
    return [str(sheets.read(known.players, row, "name")) for row in range(rows)]


def games(template: str, known: Numbers, sheets: Sheets) -> Iterator[set[int]]:
    """The players of each game, by their rows, as the entries have them."""
    names = [name.casefold() for name in names_of(template, known, sheets)]

    def called(*found: object) -> set[int]:
        known = {str(name).casefold() for name in found} - {""}
        return {row for row, name in enumerate(names) if name in known}

    def read(table: str, *keys: str) -> Iterator[list[object]]:
        for row in range(pad(template).book.tables[table].rows):
            yield [sheets.read(table, row, key) for key in keys]

    match template:
        case "rating-period" | "bayes-chess":
            yield from (called(*found) for found in read("Games", "white", "black"))
        case "swiss":
            for found in read("Pairings", "white", "black"):
                yield {int(number) - 1 for number in found if isinstance(number, float)}
        case "team-match":
            yield from ({row} for row in range(len(names)))
        case "round-robin":
            yield from ({i, j} for i in range(len(names)) for j in range(i))
        case "bridge-pairs":
            pairs = [called(*found) for found in read("Pairs", "first", "second")]
            for found in read("Results", "ns", "ew"):
                sides = [pairs[int(n) - 1] for n in found if isinstance(n, float)]
                yield set().union(*sides)
