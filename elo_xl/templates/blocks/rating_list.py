"""The sheet *Rating list*, to print: all players with a new rating, the highest first."""

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
        name    left strong                 = in_place(Ratings[name])
        new     {new_format} strong         = in_place(Ratings[new])
        change  +0.00                       = in_place(Ratings[change])
        rating  0 text:before               = in_place(Ratings[rating])
        games   0 text:rated_games          = in_place(Ratings[games])
        after   0 quiet                     = IF(name = "", "",
            IF(AND(INDEX(Counted[games], who) = "", rating <> ""), "",
               N(INDEX(Counted[games], who)) + games))
        peak    {new_format} quiet text:peak_after = IF(name = "", "",
            MAX(new, rating, INDEX(Counted[peak], who)))
        shown                               = name <> ""
    names
        who = MATCH(place, Counted[place], 0)
"""


def rating_list(book: Book, more: Sequence[str] = ()) -> None:
    """Write the sheet, in the order of the places on *Steps*.

    ``more`` are lines of further columns before the names; in their formulas ``who`` is the
    player's number.
    """
    book.read(
        _LIST,
        "list",
        more=("\n" + 8 * " ").join(more),
    )
