"""``elo-xl pair``: the next round of a Swiss, typed into its book, or the typed ones checked.

Only blank lines are written: whatever somebody has typed into a round stays, and a round that has a
pairing is never paired again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import click
from rich.markup import escape

from elo_xl.books.answers import number as shown
from elo_xl.books.answers import phrase
from elo_xl.books.entries import Key
from elo_xl.books.model import Constant
from elo_xl.books.signs import BYES
from elo_xl.club.changes import ChangedBook
from elo_xl.club.steps import change
from elo_xl.events.books import read_event_book
from elo_xl.events.event import EventError, Tournament
from elo_xl.events.names import find_player
from elo_xl.events.pairing import (
    NOT_ENDORSED,
    PairingError,
    Pairs,
    Reason,
    pairs,
    reason,
    report_of,
)
from elo_xl.events.scoring import scoring_of
from elo_xl.templates.opened import EntriesError, nobody
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
from elo_xl.terminal.options import gather
from elo_xl.terminal.reading import EXISTING, no_book
from elo_xl.xlsx.in_place import WorkbookError

FULL, HALF, NONE = BYES
"""The signs of byes with a point, half a point and none."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is wished of a round beside the rules; players by their numbers."""

    absent: tuple[int, ...] = ()
    """no point in this round"""
    half: tuple[int, ...] = ()
    """half a point without a game"""
    gone: tuple[int, ...] = ()
    """not paired any more"""
    back: tuple[int, ...] = ()
    """paired although they were not in the round before"""
    forbid: tuple[tuple[int, int], ...] = ()
    baku: bool = False
    """accelerated rounds"""
    black_first: bool = False
    """the first player begins with Black"""
    rounds: int | None = None
    """of the whole event; as many as the book has room for if omitted"""

    def last(self, event: Tournament) -> int:
        """The number of the last round."""
        return self.rounds or event.room

    def records(self, event: Tournament) -> list[str]:
        """What a report says of accelerated rounds, forbidden pairs and the first colour."""
        numbers = sorted(player.number for player in event.players)
        place = {number: n for n, number in enumerate(numbers, start=1)}
        last = self.last(event)
        lines = [f"152 {'B' if self.black_first else 'W'}"]
        lines += [f"260 001 {last:03} {place[a]:>4} {place[b]:>4}" for a, b in self.forbid]
        if self.baku:
            # C.04.7: half of the players, up to the next even number, for half of the rounds
            ahead, accelerated = 2 * -(-len(numbers) // 4), -(-last // 2)
            whole = -(-accelerated // 2)
            for points, first, until in (("1.0", 1, whole), ("0.5", whole + 1, accelerated)):
                if first <= until:
                    # the first column is for the points of teams
                    lines.append(f"250 {points:>9} {first:03} {until:03} 0001 {ahead:04}")
        return lines


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round that is paired; players by their numbers."""

    number: int
    pairs: Pairs
    byes: Mapping[int, str]
    """the signs of those that were wished for"""
    gone: tuple[int, ...]
    """who is not paired, as they were not in the round before"""


def latest(event: Tournament) -> int:
    """The last round that has a pairing; 0 before the first one."""
    cells = (cell for cells in event.pairings.values() for cell in cells)
    return max((cell.round for cell in cells if cell.opponent is not None), default=0)


def next_round(event: Tournament, wishes: Wishes) -> NextRound:
    """The pairings of the next round of an event.

    Raises PairingError where there is none, where a result is missing, and for wishes that nobody
    can follow.
    """
    if not event.players:
        raise PairingError(nobody())
    number = latest(event) + 1
    if number > wishes.last(event):
        raise PairingError(f"all {number - 1} rounds are paired")
    named = {player.number: player.name for player in event.players}
    _check(event, wishes, named, number)
    typed = {n for n, cells in event.pairings.items() for c in cells[number - 1 :][:1] if c.code}
    byes = dict.fromkeys(wishes.absent, NONE) | dict.fromkeys(wishes.half, HALF)
    idle = {
        n
        for n, cells in event.pairings.items()
        if number > 1 and cells[number - 2].opponent is None and not cells[number - 2].code
    }
    gone = tuple(sorted(idle - typed - byes.keys() - {*wishes.back, *wishes.gone}))
    away = typed | byes.keys() | {*wishes.gone, *gone}
    last = wishes.last(event)
    report, numbers = report_of(event, number - 1, last, away, wishes.records(event))
    made = [(numbers[a - 1], b and numbers[b - 1]) for a, b in pairs(report, number)]
    return NextRound(number, made, byes, gone)


def _check(event: Tournament, wishes: Wishes, named: Mapping[int, str], number: int) -> None:
    """Refuse what is not ready for the round, and wishes that contradict each other."""
    for n, cells in event.pairings.items():
        for cell in cells:
            if cell.opponent is not None and not cell.code and cell.colour == "w":
                both = f"{named[n]} – {named[cell.opponent]}"
                raise PairingError(f"round {cell.round}: the result of {both} is missing")
    each = (*wishes.absent, *wishes.half, *wishes.gone, *wishes.back)
    for n in (*each, *(n for pair in wishes.forbid for n in pair)):
        if n not in named:
            raise PairingError(f"no player has the number {n}")
    for n in each:
        cells = event.pairings[n][number - 1 :]
        if each.count(n) > 1 or (cells and cells[0].code):
            raise PairingError(f"{named[n]} has more than one part in round {number}")


# -- the book -------------------------------------------------------------------------------------


def pairings_of(book: ChangedBook) -> str:
    """The table in which the rounds of a book are paired.

    Raises EntriesError for a book without such rounds.
    """
    games = book.book.commands.games
    if games is None or games.kind != "rounds":
        raise EntriesError(f"it was made from {book.book.made_from}, which has no rounds to pair")
    return games.table


def type_round(book: ChangedBook, made: NextRound) -> None:
    """Type a round into the blank lines that its book has for it.

    Raises PairingError where these do not suffice.
    """
    name = pairings_of(book)
    table = book.book.tables[name]
    size = table.group
    rows = range((made.number - 1) * size + 1, made.number * size + 1)
    if rows[-1] > table.rows:
        raise PairingError(f"all {made.number - 1} rounds are paired")
    taken = {key.row for key, entry in book.entries.typed.items()
             if key.name == name and entry.value not in (None, "")}  # fmt: skip
    free = [row for row in rows if row not in taken]
    lines: list[tuple[int, int | None, Constant]] = [
        *((white, black, None if black else FULL) for white, black in made.pairs),
        *((player, None, sign) for player, sign in made.byes.items()),
    ]
    if len(lines) > len(free):
        what = (
            f"round {made.number} needs {len(lines)} lines, and {len(free)} are blank: mark who is "
            "absent as gone (--gone); they may come back later (--back)"
        )
        raise PairingError(what)
    for row, (white, black, result) in zip(free, lines, strict=False):
        cells = {"white": white, "black": black, "result": result}
        book.set(name, row, **{key: value for key, value in cells.items() if value})


@dataclass(frozen=True, slots=True)
class Difference:
    """A line of a round that is not as by the rules."""

    where: str
    typed: tuple[int, int | None]
    rules: tuple[int, int | None]
    """what White's line is by the rules"""


@dataclass(frozen=True, slots=True)
class CheckedRound:
    """A round that was typed, beside what the rules give."""

    number: int
    lines: int
    """games, and the bye by the pairing"""
    differences: tuple[Difference, ...]
    why: Reason | None
    """None where it is as by the rules, colours aside"""


def checked(book: ChangedBook, event: Tournament, wishes: Wishes) -> Iterator[CheckedRound]:
    """Each round that has pairings, beside what the rules give after the rounds before it.

    Players who were not in the round, or had a requested bye, were not to be paired.
    """
    last = wishes.last(event)
    records = wishes.records(event)
    for number in range(1, latest(event) + 1):
        report, numbers = report_of(event, number, last, (), records)
        rules = [(numbers[a - 1], b and numbers[b - 1]) for a, b in pairs(report, number)]
        # each pair once, as White has it, and the bye that the pairing gave
        own = {
            (n, cell.opponent)
            for n, cells in event.pairings.items()
            for cell in cells[number - 1 :][:1]
            if cell.colour == "w" or cell.code == "U"
        }
        by_rules = {n: pair for pair in rules for n in pair if n is not None}
        differ = own - set(rules)
        colours_only = {frozenset(p) for p in own} == {frozenset(p) for p in rules}
        why = None if not differ or colours_only else reason(report, number)
        found = tuple(
            Difference(where, pair, by_rules[pair[0]])
            for where, pair in _lines(book, number, {pair[0]: pair for pair in differ})
        )
        yield CheckedRound(number, len(own), found, why)


def _lines(
    book: ChangedBook, number: int, by_white: Mapping[int, tuple[int, int | None]]
) -> Iterator[tuple[str, tuple[int, int | None]]]:
    """Pairs of a round in the order of its lines, with the cells in which White's numbers are."""
    name = pairings_of(book)
    size = book.book.tables[name].group
    for row in range((number - 1) * size + 1, number * size + 1):
        entry = book.entries.typed.get(Key(name, row, "white"))
        said = "" if entry is None else str(entry.value).strip().removesuffix(".0")
        if entry is not None and said.isdecimal() and int(said) in by_white:
            yield entry.where, by_white[int(said)]


# -- the command ----------------------------------------------------------------------------------


def _people(_: click.Context, __: click.Parameter, text: str | None) -> tuple[int | str, ...]:
    parts = [part.strip() for part in (text or "").split(",") if part.strip()]
    if all(part.isdecimal() for part in parts):
        return tuple(map(int, parts))
    # a comma is a part of names
    return tuple(part.strip() for part in (text or "").split(";") if part.strip())


def _by_number(event: Tournament, wishes: Wishes) -> Wishes:
    """The wishes with numbers in place of names; PairingError for a name that is none."""

    def numbers(people: Sequence[int | str]) -> tuple[int, ...]:
        try:
            return tuple(
                who if isinstance(who, int) else find_player(event.players, who).number
                for who in people
            )
        except EventError as wrong:
            raise PairingError(str(wrong)) from None

    return replace(
        wishes,
        absent=numbers(wishes.absent),
        half=numbers(wishes.half),
        gone=numbers(wishes.gone),
        back=numbers(wishes.back),
    )


def _two(_: click.Context, __: click.Parameter, text: str | None) -> tuple[tuple[int, int], ...]:
    try:
        both = (part.split("-") for part in (text or "").split(",") if part.strip())
        return tuple((int(a), int(b)) for a, b in both)
    except ValueError:
        what = f"{text!r}: type pairs of numbers such as 3-7,4-12"
        raise click.BadParameter(what) from None


@click.command()
@click.argument("book", type=EXISTING)
@click.option(
    "--absent",
    metavar="WHO,…",
    callback=_people,
    help="Players who are absent: numbers, or names with ; between.",
)
@click.option("--half", metavar="WHO,…", callback=_people, help="Who has asked for half a point.")
@click.option("--gone", metavar="WHO,…", callback=_people, help="Who has left the event.")
@click.option(
    "--back",
    metavar="WHO,…",
    callback=_people,
    help="Who plays although they were in no line of the round before.",
)
@click.option(
    "--forbid", metavar="N-M,…", callback=_two, help="Pairs who must not meet, such as 3-7,4-12."
)
@click.option("--baku", is_flag=True, help="Accelerate the first half of the rounds (Baku).")
@click.option(
    "--black-first", is_flag=True, help="Player 1 begins with Black, as the lot has decided."
)
@click.option(
    "--rounds",
    type=click.IntRange(1),
    help="Rounds of the event, if not all that BOOK has room for.",
)
@gather("wishes", Wishes)
@click.option("--check", is_flag=True, help="Compare the rounds in BOOK with the rules.")
@click.option("--dry-run", is_flag=True, help="Show what would be done; write nothing.")
def pair(book: Path, wishes: Wishes, check: bool, dry_run: bool) -> None:
    """Pair the next round of the Swiss in BOOK, and type it in.

    The rules are those of FIDE's Dutch system since February 2026, for which the package gacrux is
    needed (pip install "gacrux<1.12"). Pairings and byes that somebody has typed stay as they are.
    Players who were in no line of the round before are assumed to have left. `elo-xl undo` takes
    the round back.
    """

    def read(file: bytes) -> ChangedBook:
        opened = ChangedBook(file)
        pairings_of(opened)
        return opened

    def event_in(opened: ChangedBook) -> Tournament:
        return replace(read_event_book(opened.file, book.name, unplayed=True), complete=None)

    def work(opened: ChangedBook) -> tuple[Tournament, NextRound]:
        event = event_in(opened)
        made = next_round(event, _by_number(event, wishes))
        type_round(opened, made)
        return event, made

    try:
        if check:
            opened = read(book.read_bytes())
            event = event_in(opened)
            with progress("Pairing"):
                rounds = list(checked(opened, event, _by_number(event, wishes)))
            _print_checked(rounds)
            return
        with progress("Pairing"):
            (event, made), copy = change(book, "pair", read, work, write=not dry_run)
    except (EntriesError, WorkbookError, PairingError) as wrong:
        raise no_book(book, wrong) from None
    _print(event, made)
    if not dry_run:
        tell_workbook(book)
        tell_copy(book, copy)


def _print(event: Tournament, made: NextRound) -> None:
    """Say how the round is paired."""
    named, scoring = {player.number: player.name for player in event.players}, scoring_of(event)
    points = {
        n: scoring.points(n, ((cell.colour, cell.code) for cell in cells[: made.number - 1]))
        for n, cells in event.pairings.items()
    }

    def called(n: int) -> str:
        return escape(f"{n} {named[n]} ({shown(f'{points[n]:g}')})")

    tell(phrase("Round {number}", number=made.number), round=made.number)
    table = plain_table("", "White", "Black", numbers=())
    for board, (white, black) in enumerate(made.pairs, start=1):
        table.add_row(str(board), called(white), FULL if black is None else called(black))
    for player, sign in made.byes.items():
        table.add_row("", called(player), sign)
    console().print(table)
    tell_facts(
        pairs=[list(pair) for pair in made.pairs],
        byes=[[player, sign] for player, sign in made.byes.items()],
        gone=list(made.gone),
    )
    tell(phrase(NOT_ENDORSED))
    players = sorted(event.players, key=lambda player: player.number) if made.number == 1 else ()
    for above, below in pairwise(players):
        if (above.rating or 0) < (below.rating or 0):
            both = (f"{p.number} {p.name} ({p.rating or 0:g})" for p in (above, below))
            warn(f"the numbers are not in the order of ratings: {' stands above '.join(both)}")
            break
    if made.gone:
        names = "; ".join(named[n] for n in made.gone)
        before = made.number - 1
        warn(f"not in round {before}, so not paired (--back pairs them): {names}", "note")


def _print_checked(rounds: Sequence[CheckedRound]) -> None:
    """Say which rounds are as by the rules, and which lines of others are not."""
    for one in rounds:
        right = one.lines - len(one.differences)
        tell(
            phrase(
                "Round {number}: {right} of {lines} lines are as by the rules",
                number=one.number,
                right=right,
                lines=one.lines,
            )
        )
        if not one.differences:
            continue
        tell(_why(one))
        table = plain_table("Cell", "Typed", "By the rules", numbers=())
        for line in one.differences:
            table.add_row(line.where, _pair(line.typed), _pair(line.rules))
        console().print(table)
    tell_facts(
        rounds=[
            {
                "round": one.number,
                "lines": one.lines,
                "differences": [
                    {"cell": line.where, "typed": list(line.typed), "rules": list(line.rules)}
                    for line in one.differences
                ],
                "criterion": one.why and one.why.criterion,
                "group": one.why and one.why.points,
            }
            for one in rounds
        ]
    )
    tell(phrase(NOT_ENDORSED))


def _pair(both: tuple[int, int | None]) -> str:
    white, black = both
    return f"{white} – {black}" if black is not None else f"{white} {FULL}"


def _why(one: CheckedRound) -> str:
    """Why a round is not as by the rules."""
    if one.why is None:
        return phrase("The pairs are those of the rules, and colours differ.")
    if not one.why.criterion:
        return phrase(
            "In the group with {points:g} points others come first in the order of pairs.",
            points=one.why.points,
        )
    return phrase(
        "In the group with {points:g} points criterion {criterion} counts {typed} as typed, and "
        "{rules} by the rules.",
        points=one.why.points,
        criterion=one.why.criterion,
        typed=one.why.typed,
        rules=one.why.rules,
    )
