"""The sheet *Prize money*: the prizes of the places are typed, and shared where players are tied.

It counts as ``elo-xl prizes`` does, without categories. Those who have the same points share
equally, by the places of the standings, or half and half (Hort); whom the tie-breaks leave
equal share in any case. What cannot be divided goes to those in front.
"""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book
from elo_xl.books.front import Setting

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

sheet purse wall stretch:name ordered
    note about_purse
    table Purse rows:size
        place       0 center strong 7 text:rank = row_number
        prize       0.00 input 11 decimal:0..1000000000
        name        left strong         = IF(Money[@paid] = 0, "", Standings[@name])
        points      0.0                 = IF(Money[@paid] = 0, "", Standings[@points])
        tied        0 center quiet 9    = IF(OR(Money[@paid] = 0, Money[@tied] = 1), "",
                                             Money[@tied])
        paid        0.00 strong 12      = IF(Money[@paid] = 0, "", Money[@paid])
        check       left attention fits:check_prize optional:IF(slips>0,t.column_check,"") = cases(
            prize = "", "", prize = WRONG, t.check_prize,
            IF(row_number = 1, FALSE, N(prize) > N(prize.above)), t.check_prize_larger,
            ABS(prize / unit - ROUND(prize / unit, 0)) > 0.000001, t.check_prize_unit, "")
        shown spare:5                   = OR(prize <> "", Money[@paid] > 0)
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
    book.read(_PURSE, "purse")
