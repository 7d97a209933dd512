"""The sheet *Prizes*, for the wall: the best of all and of each category, as the standings have
them."""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book
from elo_xl.templates.blocks.wall import slots

BEST: Final = 3
"""The players of each category."""

GROUPS: Final = 12
"""The categories at most, after which there is no more room."""

EACH: Final = 4
"""The categories of a player at most."""

_CATEGORIES: Final = """
pieces
    parted(text) = SUBSTITUTE(SUBSTITUTE(text, ";", ","), ",", REPT(" ", 99))

sheet steps hidden
    table Categories rows:{each}*size group:{each}
        no      0 quiet                 = group_number
        name    left text:category      = TRIM(MID(parted(INDEX(Players[category], no)),
                                                   99 * row_of_group - 98, 99))
        # once for a player, even where it is typed twice
        text    left text:category      = IF(name = "", "",
            IF(MATCH(name, group[name], 0) = row_of_group, name, ""))
        place   0                       = IF(ISNUMBER(INDEX(Counted[place], no)),
                                             INDEX(Counted[place], no), {last})
        first   0 text:no               = IF(text = "", 0, IF(times(upto[text], text) = 1, 1, 0))
        number  0 text:no               = IF(first = 1, SUM(upto[first]), 0)
"""

_PRIZES: Final = """
sheet prizes wall stretch:name
    table Prizes rows:{groups}*{best} group:{best}
        category    left strong 16      = IF(AND(row_of_group = 1, who > 0), group_said, "")
        prize       0 center strong     = IF(who = 0, "", row_of_group)
        name        left strong         = IF(who = 0, "", INDEX(People[name], who))
        rating      0                   = IF(who = 0, "", INDEX(Counted[rating], who))
        points      0.0 strong          = IF(who = 0, "", INDEX({points}, who))
        rank        0 center            = IF(who = 0, "", RANK(INDEX(Counted[key], who),
                                                               Counted[key]))
        {slots}
        group_said  left quiet helper text:category = IF(group_number = 1, t.prize_all,
            IFERROR(INDEX(Categories[text], MATCH(group_number - 1, Categories[number], 0)), ""))
        found       0 quiet helper text:place       = IF(group_number = 1, row_of_group,
            IF(group_said = "", {last}, SUMPRODUCT(SMALL((Categories[text] <> group_said) * {last}
                + Categories[place], row_of_group))))
        who         0 quiet helper text:no          = IFERROR(MATCH(found, Counted[place], 0), 0)
        shown                                       = who > 0
    marks
        category:rank end row_of_group = {best}
"""


def prizes(book: Book, points: str) -> None:
    """Write the sheet, in the order of the places on *Steps*, from the column ``points``."""
    last = 9999
    book.read(_CATEGORIES, "categories", each=EACH, last=last)
    fields = ("federation", "fide_id", "club", "birth")
    book.read(
        _PRIZES.replace("{slots}", slots(book, "prizes", fields)),
        "prizes",
        groups=GROUPS + 1,
        best=BEST,
        last=last,
        points=points,
    )
