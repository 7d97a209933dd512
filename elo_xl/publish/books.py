"""From the file of a book, of whatever kind, to what is published of it."""

from __future__ import annotations

from elo_xl.books.identity import identity
from elo_xl.club.ledger import TEMPLATE as CLUB
from elo_xl.publish.club import club_page
from elo_xl.publish.page import Page
from elo_xl.publish.rated import TEMPLATE as RATED
from elo_xl.publish.rated import rated_page
from elo_xl.publish.wall import wall_page
from elo_xl.templates.opened import EntriesError, book_in
from elo_xl.xlsx.in_place import read_parts


def page_of(file: bytes, language: str = "") -> Page:
    """What is published of a book, in its own language if none is given.

    >>> from elo_xl.templates.gallery import make, options
    >>> people = [{"name": "Ana", "rating": 1800}, {"name": "Ben", "rating": 1750}]
    >>> page = page_of(make("rating-period", options("rating-period"), {"Players": people}), "es")
    >>> page.title, [row["name"] for row in page.list.rows]
    ('Lista de rating', ['Ana', 'Ben'])

    Raises EventError with every entry that cannot be read; EntriesError for a file that is no book
    with anything to publish, and WorkbookError for one that is no workbook.
    """
    parts = read_parts(file)
    known = identity(parts)
    if known is None:
        raise EntriesError(
            "it does not say from which template it was made: elo-xl new TEMPLATE --from makes it "
            "anew"
        )
    if known.template == CLUB:
        return club_page(file, language)
    if known.template == RATED:
        return rated_page(parts, known, language)
    return wall_page(book_in(parts), language)
