"""A sheet of games and byes by rounds, in which players are typed by their numbers."""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book

_NUMBERED: Final = """
pieces
    present(no)      = IF(ISNUMBER(no), INDEX(Players[name], no) <> "", FALSE)
    name_of(no)      = IF(present(no), INDEX(Players[name], no), "")
    points_of(signs) = IF(AND(valid = 1, sign > 0), INDEX(signs, sign), 0)

sheet {key} upright freeze:white
    note about_{key}
    {note}
    table {table} rows:{rows} group:{group}
        round       0 center strong 7 {round}
        {line}
        white       0 center input 7 whole:1..size text:white_no
        white_name  left 24 text:white                  = name_of(white)
        result      @ center input 8 result
        black       0 center input 7 whole:1..size text:black_no
        black_name  left 24 text:black                  = name_of(black)
        check       left attention fits:check_          = cases(
            valid = 0, "", valid = -3, t.check_again, valid = -2, t.check_self,
            valid = -1, t.check_number, result = WRONG, t.check_result,
            result = "", t.check_missing, sign = 0, t.check_result, "")
        fault       0 quiet helper                          = IF(OR(check = "",
                                                             check = t.check_missing), 0, 1)
        valid       0 quiet helper                         = cases(
            AND(white = "", black = "", result = ""), 0,
            NOT(present(white)), -1, IF(black = "", FALSE, NOT(present(black))), -1,
            white = black, -2, in_round(white) > 1, -3,
            IF(black = "", FALSE, in_round(black) > 1), -3, 1)
        first       0 quiet helper text:first_no               = IF(valid = 1, N(white), 0)
        second      0 quiet helper text:second_no              = IF(valid = 1, N(black), 0)
        sign        0 quiet helper text:sign_no         = IF(AND(black <> "", result = "bye"),
                                                             0, sign_of(result))
        points_a    0.0 quiet helper text:points        = points_of(Result_points)
        points_b    0.0 quiet helper text:others        = points_of(Result_others)
        shown spare:10                                  = filled(white:black) > 0
        {more}
    marks
        white:black_name  attention  AND(fault = 1, check <> t.check_result)
        result            missing    check = t.check_missing
        round:check       end        round <> round.next
"""


def numbered_games(
    book: Book,
    key: str,
    table: str,
    *,
    rows: int,
    line: str,
    round_formula: str = "",
    group: int = 0,
    note: str = "",
    more: str = "",
) -> None:
    """Write the sheet ``key`` with a table of ``rows`` lines, ``group`` of them in each round.

    ``round_formula`` gives the number of the round; without one it is part of the book's content.
    ``line`` and ``more`` are lines of columns: the number of the line, and columns behind all
    others. The piece ``in_round(no)``, which the book defines, counts in how many lines of the
    round a player stands.
    """
    book.read(
        _NUMBERED,
        key,
        key=key,
        table=table,
        rows=rows,
        group=group,
        round=round_formula and f"= {round_formula}",
        line=line,
        note=note,
        more=more.strip(),
    )
