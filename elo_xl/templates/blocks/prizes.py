"""The sheet *Prizes*, for the wall: the best of all and of each category, as the standings have
them."""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book
from elo_xl.templates.blocks.players import MOST_CATEGORIES
from elo_xl.templates.blocks.wall import slots

BEST: Final = 3
"""The players of each category."""

GROUPS: Final = 12
"""The categories at most, after which there is no more room."""

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
sheet steps hidden
    table Awards rows:{groups}*{best} group:{best}
        no          0 quiet             = row_number
        name        left text:category  = IF(group_number = 1, t.prize_all,
            IFERROR(INDEX(Categories[text], MATCH(group_number - 1, Categories[number], 0)), ""))
        place       0                   = IF(group_number = 1, row_of_group, IF(name = "", {last},
            SUMPRODUCT(SMALL((Categories[text] <> name) * {last} + Categories[place],
                             row_of_group))))
        who         0 text:player_no    = IFERROR(MATCH(place, Counted[place], 0), 0)
        number      0 text:row_no       = IF(who = 0, 0, COUNTIF(upto[who], ">0"))

sheet prizes wall stretch:name
    table Prizes rows:{groups}*{best}
        category    left strong 16      = IF(prize = 1, INDEX(Awards[name], award), "")
        prize       0 center strong     = IF(award = 0, "", MOD(award - 1, {best}) + 1)
        name        left strong         = IF(who = 0, "", INDEX(People[name], who))
        rating      0                   = IF(who = 0, "", INDEX(Counted[rating], who))
        points      0.0 strong          = IF(who = 0, "", INDEX({points}, who))
        rank        0 center            = IF(who = 0, "", RANK(INDEX(Counted[key], who),
                                                               Counted[key]))
        {slots}
        award       0 quiet helper text:row_no      = IFERROR(MATCH(row_number,
                                                                    Awards[number], 0), 0)
        who         0 quiet helper text:player_no   = IF(award = 0, 0, INDEX(Awards[who], award))
        shown                                       = who > 0
    marks
        category:rank end                           prize.next <= prize
"""


def prizes(book: Book, points: str) -> None:
    """Write the sheet, in the order of the places on *Steps*, from the column ``points``."""
    last = 9999
    book.read(_CATEGORIES, "categories", each=MOST_CATEGORIES, last=last)
    fields = ("federation", "fide_id", "club", "birth")
    book.read(
        _PRIZES.replace("{slots}", slots(book, "prizes", fields)),
        "prizes",
        groups=GROUPS + 1,
        best=BEST,
        last=last,
        points=points,
    )
