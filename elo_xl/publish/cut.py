"""What is printed to be cut out: result slips of a round, and name plates to fold."""

from __future__ import annotations

from typing import Final, Literal

from elo_xl.books.front import SEPARATOR
from elo_xl.books.texts import texts
from elo_xl.events.books import read_event_book
from elo_xl.publish.html import rendered
from elo_xl.publish.page import PageColumn
from elo_xl.publish.wall import boards, cell, typed, worked_out
from elo_xl.templates.opened import EntriesError, book_in, nobody
from elo_xl.xlsx.in_place import read_parts

Cut = Literal["slips", "plates"]


BIG: Final = 22
"""Letters of a name that a plate has room for in large type."""


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
    slips = [(board, sides) for board, sides in boards(book, say, place) if all(sides)]
    if not slips:
        raise EntriesError("no round is paired: type the pairings or the players into it first")
    number = f"{cell(book, place.number):g}" if place.number else ""
    return rendered(
        "cut",
        language=say.language,
        say=say,
        title=typed(book, "Event"),
        round=number and f"{say('publish.round')} {number}",
        slips=slips,
        plates=[],
    )


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
