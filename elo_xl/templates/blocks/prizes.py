"""What is won: the sheet *Prizes*, for the wall, and the sheet *Prize money*.

*Prizes* has the best of all and of each category, as the standings have them, and one prize for
each player: as ``elo-xl prizes`` gives them by place, where a prize of all is larger than a first
one of a category, which is larger than a second one, and of equal ones the category comes first
that was typed first. Whom the tie-breaks leave equal have prizes in the order of their numbers.

On *Prize money* the prizes of the places are typed, and shared where players are tied. It counts as
``elo-xl prizes`` does, without categories. Those who have the same points share equally, by the
places of the standings, or half and half (Hort); whom the tie-breaks leave equal share in any case.
What cannot be divided goes to those in front.
"""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book
from elo_xl.books.front import Setting
from elo_xl.templates.blocks.players import MOST_CATEGORIES
from elo_xl.templates.blocks.wall import from_where

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
        at      0 text:row_no           = SUMPRODUCT(MIN(10 * Categories[no] + {columns}
            + {beyond} * ((Categories[c1:c{each}] = "")
            + ISNUMBER(MATCH(escaped(Categories[c1:c{each}]), before[name], 0)) > 0)))
        name    left heading:none       = IF(at >= {beyond}, "",
            INDEX(Categories[c1:c{each}], INT(at / 10), MOD(at, 10)))
"""

_PRIZES: Final = """
sheet steps hidden
    # the prizes from the largest down: those of all, all first ones, all second ones and so on;
    # each goes to the best whom it is for and who has none of those above
    table Given rows:({groups}+1)*{best}
        name        left text:category  = IF(row_number <= {best}, t.prize_all,
            INDEX(Groups[name], 1 + MOD(row_number - {best} - 1, {groups})))
        place       0                   = cases(row_number <= {best}, best_of(0),
            name = "", {last}, best_of({last} * ({are_of} = 0)))
        who         0 text:player_no    = IFERROR(MATCH(place, Counted[place], 0), 0)
    pieces
        best_of(others) = SUMPRODUCT(MIN(Categories[place] + others
            + {last} * ISNUMBER(MATCH(Categories[place], before[place], 0))))
    # the same as they are shown
    table Awards rows:({groups}+1)*{best}
        no          0 quiet             = row_number
        given       0 text:row_no       = IF(row_number <= {best}, row_number,
            {best} + MOD(row_number - 1, {best}) * {groups} + INT((row_number - 1) / {best}))
        number      0 text:row_no       = IF(INDEX(Given[who], given) = 0, 0,
            COUNTIF(before[number], ">0") + 1)

sheet prizes wall:prizes_title stretch:name
    note about_prizes_each
    table Prizes rows:{prizes}
        category    left strong 16      = IF(prize = 1, INDEX(Given[name], given), "")
        prize       0 center strong     = IF(award = 0, "", MOD(award - 1, {best}) + 1)
        name        left strong         = IF(who = 0, "", INDEX(People[name], who))
        {from_where}
        rating      0 center 7          = IF(who = 0, "", INDEX(Counted[rating], who))
        points      0.0 center strong   = IF(who = 0, "", INDEX({points}, who))
        rank        0 center            = IF(who = 0, "", RANK(INDEX(Counted[key], who),
                                                               Counted[key]))
        award       0 quiet helper text:row_no      = IFERROR(MATCH(row_number,
                                                                    Awards[number], 0), 0)
        who         0 quiet helper text:player_no   = IF(award = 0, 0, INDEX(Given[who], given))
        shown                                       = who > 0
    names
        given = INDEX(Awards[given], award)
    marks
        category:rank end                           prize.next <= prize
"""


def prizes(book: Book, points: str) -> None:
    """Write the sheet, in the order of the places on *Steps*, from the column ``points``."""
    last, columns = 9999, range(1, MOST_CATEGORIES + 1)
    book.read(
        _CATEGORIES,
        "categories",
        columns=f"{{{','.join(map(str, columns))}}}",
        c=columns,
        each=MOST_CATEGORIES,
        groups=GROUPS,
        last=last,
        beyond=10**6,
    )
    book.read(
        _PRIZES,
        "prizes",
        from_where=from_where(book, columns=[("federation", "club")]),
        groups=GROUPS,
        are_of=f"({' + '.join(f'(Categories[c{c}] = name)' for c in columns)})",
        best=BEST,
        last=last,
        points=points,
        # nobody has two
        prizes=min((GROUPS + 1) * BEST, book.options.players),
    )


# -- prize money ----------------------------------------------------------------------------------


_WAYS: Final = "equal", "hort", "tie_break"

_PURSE: Final = """
sheet steps hidden
    table Money rows:size
        no          0 quiet             = row_number
        # those who share have the same here; blank behind the last player
        group       0.0 text:shares     = cases(Standings[@rank] = "", "",
            sharing = 3, Standings[@rank], Standings[@points])
        tied        0                   = IF(group = "", 1, COUNTIF(Money[group], group))
        # in the smallest units that are paid
        units       0                   = IF(ISNUMBER(Purse[@prize]),
                                             ROUND(Purse[@prize] / unit, 0), 0)
        due         0.00                = IF(group = "", 0, portion * even / tied
            + (1 - portion) * own / COUNTIF(Standings[rank], Standings[@rank]))
        # millionths of a unit that are due beside whole units
        rest        0                   = ROUND((due - whole) * 1000000, 0)
        paid        0.00                = IF(group = "", 0,
            (whole + IF(before < more, 1, 0)) * unit)
    names
        sharing     = cases(Prize_sharing = t.sharing_hort, 2,
                      Prize_sharing = t.sharing_tie_break, 3, 1)
        portion     = CHOOSE(sharing, 1, 0.5, 0)
        even        = SUMIF(Money[group], group, Money[units])
        own         = SUMIF(Standings[rank], Standings[@rank], Money[units])
        whole       = INT(due + 0.000001)
        # whole units that are left of the dues of a group, and who gets one before this player
        more        = ROUND(SUMIF(Money[group], group, Money[rest]) / 1000000, 0)
        before      = (COUNTIFS(Money[group], group, Money[rest], ">" & rest)
                       + COUNTIFS(upto[group], group, upto[rest], rest) - 1)

sheet purse wall:purse_title stretch:name ordered
    # a person who stands before the list has no first sheet to look at
    note sharing_said
    table Purse rows:size
        place       0 center strong 5 text:rank = IF(shown, row_number, "")
        prize       0.00 input 9 decimal:0..1000000000
        name        left strong         = IF(Money[@paid] = 0, "", Standings[@name])
        points      0.0 center          = IF(Money[@paid] = 0, "", Standings[@points])
        tied        format:"{tied}" center quiet {wide} = IF(OR(Money[@paid] = 0, Money[@tied] = 1),
                                             "", Money[@tied])
        paid        0.00 strong 11      = IF(Money[@paid] = 0, "", Money[@paid])
        # what it says flows over the cells beside the list
        check       left attention 1 optional:IF(slips>0,"!","") = cases(
            prize = "", "", prize = WRONG, t.check_prize,
            IF(row_number = 1, FALSE, N(prize) > N(prize.above)), t.check_prize_larger,
            ABS(prize / unit - ROUND(prize / unit, 0)) > 0.000001, t.check_prize_unit, "")
        in_use      0 quiet helper      = IF(OR(prize <> "", Money[@paid] > 0), 1, 0)
        # and a line to type the next prize in, until somebody has won
        shown                           = OR(in_use = 1, row_number = 1,
            IF(won, FALSE, N(in_use.above) = 1))
    names
        won = INDEX(Money[paid], 1) > 0
    marks
        # then paper has nothing yellow
        prize       paper               won
"""


def purse_settings(book: Book) -> list[Setting]:
    """How prizes are shared and in which units they are paid, on the first sheet."""
    choices = [book.say(f"sharing_{way}") for way in _WAYS]
    return [
        Setting("Prize_sharing", "prize_sharing", choices[0], choices=choices),
        Setting("Prize_unit", "prize_unit", 0.01, "0.00", 0.01, 1000),
    ]


def purse(book: Book) -> None:
    """Write the sheet, whose rows are those of the table ``Standings``."""
    book.names["unit"] = "IF(ISNUMBER(Prize_unit), Prize_unit, 0.01)"
    book.names["slips"] = 'SUMPRODUCT(--(Purse[check] <> ""))'
    before = book.say("shared_by") + " "
    # a number format, not a text: a program that reads the file gets a number
    tied = "".join(f"\\{letter}" for letter in before) + "0"
    others = (f"Prize_sharing = t.sharing_{way}, t.about_sharing_{way}" for way in _WAYS[1:])
    book.names["sharing_said"] = f"cases({', '.join(others)}, t.about_sharing_{_WAYS[0]})"
    book.read(_PURSE, "purse", tied=tied, wide=len(before) + 2)
