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
sheet steps hidden
    table Categories rows:size
        no      0 quiet                 = row_number
        c{c}    left text:category heading:{c} over:column_category = TRIM(MID(
            SUBSTITUTE(SUBSTITUTE(Players[@category], ";", ","), ",", REPT(" ", 99)), 99 * {c} - 98,
            99))
        place   0                       = IF(ISNUMBER(Counted[@place]), Counted[@place], {last})
    # all categories, in the order in which they are typed first: that of a row and a column
    table Groups rows:{groups}
        at      0 text:row_no           = SUMPRODUCT(MIN(10 * Categories[no] + {{columns}}
            + {beyond} * ((Categories[c1:c{each}] = "")
            + ISNUMBER(MATCH(escaped(Categories[c1:c{each}]), before[name], 0)) > 0)))
        name    left heading:none       = IF(at >= {beyond}, "",
            INDEX(Categories[c1:c{each}], INT(at / 10), MOD(at, 10)))
"""

_PRIZES: Final = """
sheet steps hidden
    table Awards rows:({groups}+1)*{best} group:{best}
        no          0 quiet             = row_number
        name        left text:category  = IF(group_number = 1, t.prize_all,
                                             INDEX(Groups[name], group_number - 1))
        # a category counts once for a player, even where it is typed twice
        place       0                   = IF(group_number = 1, row_of_group, IF(name = "", {last},
            SUMPRODUCT(SMALL(({are_of} = 0) * {last} + Categories[place], row_of_group))))
        who         0 text:player_no    = IFERROR(MATCH(place, Counted[place], 0), 0)
        number      0 text:row_no       = IF(who = 0, 0, COUNTIF(upto[who], ">0"))

sheet prizes wall stretch:name
    table Prizes rows:({groups}+1)*{best}
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
    last, columns = 9999, range(1, MOST_CATEGORIES + 1)
    book.read(
        _CATEGORIES.replace("{{columns}}", f"{{{','.join(map(str, columns))}}}"),
        "categories",
        loops={"c": columns},
        each=MOST_CATEGORIES,
        groups=GROUPS,
        last=last,
        beyond=10**6,
    )
    fields = ("federation", "fide_id", "club", "birth")
    book.read(
        _PRIZES.replace("{slots}", slots(book, "prizes", fields)),
        "prizes",
        groups=GROUPS,
        are_of=f"({' + '.join(f'(Categories[c{c}] = name)' for c in columns)})",
        best=BEST,
        last=last,
        points=points,
    )
