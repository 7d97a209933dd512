"""What is printed to be cut out: result slips of a round, and name plates to fold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from openpyxl.utils import coordinate_to_tuple

from elo_xl.books.book import Book
from elo_xl.books.commands import Boards
from elo_xl.books.front import SEPARATOR
from elo_xl.books.texts import Texts, texts
from elo_xl.events.books import read_event_book
from elo_xl.publish.html import rendered
from elo_xl.publish.page import PageColumn
from elo_xl.publish.wall import typed, worked_out
from elo_xl.templates.opened import EntriesError, book_in, nobody
from elo_xl.xlsx.formula import Reference
from elo_xl.xlsx.in_place import read_parts

Cut = Literal["slips", "plates"]
Colour = Literal["white", "black", ""]


BIG: Final = 22
"""Letters of a name that a plate has room for in large type."""


@dataclass(frozen=True, slots=True)
class Side:
    """A player on a result slip."""

    name: str
    about: str
    """number or team, and rating"""
    colour: Colour
    """blank where a match leaves it open"""


def cut(file: bytes, what: Cut, language: str = "") -> bytes:
    """A page of HTML with all slips or plates of a book, in the book's language if none is given.

    Raises as :func:`~elo_xl.publish.books.page_of` does, and EntriesError where no round is paired
    or nobody is on the list.
    """
    return {"slips": _slips, "plates": _plates}[what](file, language)


def _slips(file: bytes, language: str) -> bytes:
    old = book_in(read_parts(file))
    place = old.book.commands.boards
    if place is None:
        raise EntriesError(f"it was made from {old.template}, which has no boards of a round")
    book = worked_out(old, language)
    say = texts(book.options.language)
    slips = [(board, sides) for board, sides in _boards(book, say, place) if all(sides)]
    if not slips:
        raise EntriesError("no round is paired: type the pairings or the players into it first")
    number = f"{_cell(book, place.number):g}" if place.number else ""
    return rendered(
        "cut",
        language=say.language,
        say=say,
        title=typed(book, "Event"),
        round=number and f"{say('publish.round')} {number}",
        slips=slips,
        plates=[],
    )


def _boards(
    book: Book, say: Texts, place: Boards
) -> Iterator[tuple[str, tuple[Side | None, Side | None]]]:
    """The boards of a round, White first; None for a side on which nobody plays."""
    table = book.tables[place.table]

    def column(key: str) -> list[object]:
        return list(table.column(key).values()) if key else ["" for _ in range(table.rows)]

    nobody = ("", None, "–", book.say_or("free", ""))
    # in a match the first team has White on some boards, and on all others that comes first
    letters = column("colour_a") if table.has("colour_a") else ["w"] * table.rows
    white = book.say_or("letter_white", "w")
    teams = [typed(book, name) for name in ("Team_a", "Team_b")]
    boards = column("board")
    columns = [[column(key) for key in side] for side in place.sides]
    for i, board in enumerate(boards):
        if not isinstance(board, int | float):
            continue
        first = int(letters[i] not in (white, ""))
        sides: list[Side | None] = []
        for k, cells in enumerate(columns):
            name, rating, number = (values[i] for values in cells)
            about = [
                f"{say('form.column_no')} {number:g}" if isinstance(number, float) else teams[k],
                f"{rating:g}" if isinstance(rating, int | float) else "",
            ]
            colour: Colour = ("white" if k == first else "black") if letters[i] else ""
            side = Side(str(name), SEPARATOR.join(filter(None, map(str, about))), colour)
            sides.append(None if name in nobody else side)
        yield f"{board:g}", (sides[first], sides[1 - first])


def _cell(book: Book, name: str) -> float:
    """The number in a cell of a hidden sheet."""
    reference = book.names[name]
    assert isinstance(reference, Reference)
    address = reference.text.rpartition("!")[2].replace("$", "")
    value = book.known(book.sheets["steps"], *coordinate_to_tuple(address))
    return float(value) if isinstance(value, int | float) else 0.0


def _plates(file: bytes, language: str) -> bytes:
    event = read_event_book(file, unplayed=True)
    if not event.players:
        raise EntriesError(nobody())
    say = texts(language or book_in(read_parts(file)).options.language)
    teams = {number: name for name, numbers in event.teams for number in numbers}
    rating = PageColumn("rating", "")
    plates = [
        (
            player.name,
            SEPARATOR.join(
                filter(
                    None,
                    (
                        player.title,
                        player.federation,
                        rating.text(rating.rounded(player.rating), say.language),
                        teams.get(player.number, player.club),
                    ),
                )
            ),
        )
        for player in event.players
    ]
    return rendered(
        "cut",
        language=say.language,
        say=say,
        title=event.name,
        round="",
        slips=[],
        plates=plates,
        big=BIG,
    )
