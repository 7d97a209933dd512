"""The sheet *Rating list*: everybody with a new rating, the highest first, to print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elo_xl.books.book import Book

_LIST: Final = """
sheet list upright stretch:name
    note about_list
    table List rows:size
        place   0 quiet                     = row_number
        {more}
        name    left strong                 = shown(INDEX(Ratings[name], who))
        new     {new} strong                = shown(INDEX(Ratings[new], who))
        change  +0.00                       = shown(INDEX(Ratings[change], who))
        rating  0 text:before               = shown(INDEX(Ratings[rating], who))
        games   0 text:rated_games          = shown(INDEX(Ratings[games], who))
        after   0 quiet                     = IF(name = "", "",
            IF(AND(INDEX(Counted[games], who) = "", rating <> ""), "",
               N(INDEX(Counted[games], who)) + games))
        peak    {new} quiet text:peak_after = IF(name = "", "",
            MAX(new, rating, INDEX(Counted[peak], who)))
    names
        who = MATCH(place, Counted[place], 0)
    pieces
        shown(value) = IFERROR(value, "")
"""


def rating_list(book: Book, more: Sequence[str] = ()) -> None:
    """Write the sheet, in the order of the places of *Steps*; ``more`` are lines of further columns
    before the names, in which ``who`` is the number of the player."""
    book.read(
        _LIST,
        "list",
        size=book.options.players,
        new="0" if book.rules.rounded else "0.0",
        more=("\n" + 8 * " ").join(more),
    )
