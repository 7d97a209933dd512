"""The sheet *Games*: what was played, typed as it comes; players are found by their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elo_xl.books.book import Book, Constant

FIRST: Final = "number_of(Games[@white])"
SECOND: Final = "number_of(Games[@black])"
SIGN: Final = "sign_of(Games[@result])"
"""The formulas of a line's players and of its result, as numbers in their lists, 0 for none."""

_GAMES: Final = """
pieces
    why_unknown(who) = who & ": " & cases(times({players}[name], who) = 0, t.check_stranger,
        times({players}[name], who) > 1, t.check_shared, t.check_unusable)

sheet games upright freeze:date
    note about_games
    note bigger_games games=size
    table Games rows:size
        no      0 quiet                             = row_number
        date    date center input 12 date:DATE(1950,1,1)..DATE(2199,12,31)
        event   @ left input 18
        white   @ left input 24 list:{players}[name]
        black   @ left input 24 list:{players}[name]
        result  @ center input 8 result
        {more}
        check   left attention fits:check_          = cases(
            filled(white:result) = 0, "",
            OR(white = "", black = ""), t.check_alone,
            {found}[@first_no] = 0, why_unknown(white),
            {found}[@second_no] = 0, why_unknown(black),
            {found}[@first_no] = {found}[@second_no], t.check_self,
            result = WRONG, t.check_result, result = "", t.check_missing,
            date = WRONG, t.check_date,
            # most lines are told from others by the players alone, which is quick
            IF(again, COUNTIFS({found}[first_no], {found}[@first_no],
                               {found}[second_no], {found}[@second_no]) > 1, FALSE),
                IF(SUMPRODUCT(({found}[first_no] = {found}[@first_no])
                    * ({found}[second_no] = {found}[@second_no]) * (Games[event] = event)
                    * (Games[date] = date)) > 1, t.check_again, ""), "")
        fault   0 quiet helper                      = IF(OR(check = "",
                                                         check = t.check_missing), 0, 1)
        shown spare:10                              = filled(date:result) > 0
    inputs
        event soft
    marks
        white       attention   AND(fault = 1, {found}[@first_no] = 0)
        black       attention   AND(fault = 1, {found}[@second_no] = 0)
        white:black attention   check = t.check_self
        ?again white:black attention check = t.check_again
        result      missing     check = t.check_missing
"""

_IDS: Final = """
sheet steps hidden
    table Ids rows:{counted}.rows beside:{counted}
        id      left 22 name:Player_ids = IF({counted}[@name] = "", "",
            IF(times({players}[name], {counted}[@name]) = 1, {counted}[@name], ""))
"""


def typed_games(
    book: Book,
    *,
    found: str = "Each",
    players: str = "Players",
    more: Sequence[str] = (),
    again: bool = True,
) -> None:
    """Write the sheet, from the table ``found`` with the columns ``first_no``, ``second_no`` and
    ``sign_no``, which tell by :data:`FIRST`, :data:`SECOND` and :data:`SIGN` whom each line means.

    ``more`` are lines of further columns beside what is typed. With ``again`` the sheet asks about
    games that appear twice in an event.
    """
    book.read(
        _GAMES,
        "games",
        size=book.options.rounds,
        found=found,
        players=players,
        more=("\n" + 8 * " ").join(more),
        again=again,
    )
    table = book.tables["Games"]
    for row in range(table.first, table.last + 1):
        table.sheet.height(row, 1.1)


def identify(book: Book, *, players: str = "Players", counted: str = "Counted") -> None:
    """Write the names by which games find players beside the table ``counted``.

    A name that two players share finds neither of them.
    """
    book.read(_IDS, "ids", players=players, counted=counted)


def game(
    event: Constant,
    white: Constant,
    black: Constant,
    result: Constant,
    day: Constant = None,
) -> dict[str, Constant]:
    """A line as it is typed; the result is White's."""
    return {"date": day, "event": event, "white": white, "black": black, "result": result}
