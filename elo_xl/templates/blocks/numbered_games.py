"""A sheet of games and byes by rounds, in which players are typed by their numbers.

Each line is judged by itself, from the top of its round: where a player stands in two lines, the
second one does not count, and everybody else's games do. The column *Check* says what is wrong, and
only the cell at fault is marked. A result that is not there yet is said, but no fault.

**Questions.** A result without an opponent may be a bye, or Black was forgotten: it is asked about,
not made a point. So is, where ``asks`` says so, a pairing that has been played before, or a second
bye of a whole point. FIDE's C.04.1 forbids both, and the likeliest slip is a round typed twice; but
a small club cannot always avoid them. So nobody gets points or a rating change from such a line
until the arbiter answers with an ``x`` in the column *OK*. Until then its players are taken to be
paired, with a result that is missing. A game that was not played forbids no other one.
"""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book

PROBLEMS: Final = {
    "NO_WHITE": 1,
    "NOBODY_WHITE": 2,
    "NOBODY_BLACK": 3,
    "SELF": 4,
    "AGAIN_WHITE": 5,  # in the round; up to here a line does not count
    "AGAIN_BLACK": 6,
    "UNCLEAR": 7,  # from here on its players are paired, but their result waits
    "OPEN": 8,
    "ALONE": 9,
    "NO_BYE": 10,
    "MET": 11,
    "SECOND_BYE": 12,
    "MISSING": 13,
}
"""What a line needs; what is open or missing is no fault."""

_NUMBERED: Final = """
pieces
    present(no)      = IF(ISNUMBER(no), INDEX(Players[name], no) <> "", FALSE)
    name_of(no)      = IF(present(no), INDEX(Players[name], no), "")
    nobody(no)       = t.check_number & IF(no = WRONG, "", ": " & no)
    asked(what)      = what & " " & INDEX({table}[round], earlier) & t.check_sure
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
        ?asks sure  @ center input 4 list:"x"
        check       left attention fits:check_          = CHOOSE(problem + 1, "", t.check_white,
            nobody(white), nobody(black), t.check_self,
            white & " " & t.check_also & " " & other_a, black & " " & t.check_also & " " & other_b,
            t.check_result, t.check_open, t.check_alone, t.check_bye,
            cases(asks, asked(t.check_met), ""), cases(asks, asked(t.check_bye_again), ""),
            t.check_missing)
        other_a     0 quiet helper text:other_line      = IF(present(white), stands_at(white), 0)
        other_b     0 quiet helper text:other_line      = IF(present(black), stands_at(black), 0)
        typed_sign  0 quiet helper                      = sign_of(result)
        slip        0 quiet helper text:problem         = cases(filled(white:black) = 0, 0,
            white = "", NO_WHITE, NOT(present(white)), NOBODY_WHITE,
            AND(black <> "", NOT(present(black))), NOBODY_BLACK, white = black, SELF,
            other_a > 0, AGAIN_WHITE, other_b > 0, AGAIN_BLACK, result = WRONG, UNCLEAR,
            AND(black = "", result = ""), OPEN, result = "", MISSING,
            AND(black = "", typed_sign <= pair_signs), ALONE,
            AND(black <> "", typed_sign > pair_signs), NO_BYE, 0)
        valid       0 quiet helper                      = IF(OR(filled(white:black) = 0,
            AND(slip > 0, slip < UNCLEAR)), 0, 1)
        first       0 quiet helper text:first_no        = IF(valid = 1, N(white), 0)
        second      0 quiet helper text:second_no       = IF(valid = 1, N(black), 0)
        ?asks key   0 quiet helper text:pair            = cases(valid = 0, "",
            black = "", IF(result = "bye", white, ""),
            INDEX(Result_rated, MAX(typed_sign, 1)) = 0, "",
            MIN(white, black) * 1000 + MAX(white, black))
        ?asks earlier 0 quiet helper                    = IF(key = "", 0,
                                                             MATCH(key, {table}[key], 0))
        problem     0 quiet helper                      = cases(NOT(asks), slip,
            sure <> "", slip, earlier = 0, slip, earlier = row_number, slip,
            black = "", SECOND_BYE, MET)
        fault       0 quiet helper                      = IF(OR(problem = 0, problem = OPEN,
                                                                problem = MISSING), 0, 1)
        sign        0 quiet helper text:sign_no         = IF(problem = 0, typed_sign, 0)
        points_a    0.0 quiet helper text:points        = points_of(Result_points)
        points_b    0.0 quiet helper text:others        = points_of(Result_others)
        shown {shown}
        {more}
    marks
        white       attention  OR(problem = NO_WHITE, problem = NOBODY_WHITE,
                                  problem = AGAIN_WHITE, problem = SECOND_BYE)
        black       attention  OR(problem = NOBODY_BLACK, problem = SELF,
                                  problem = AGAIN_BLACK, problem = MET)
        result      attention  OR(problem = ALONE, problem = NO_BYE)
        result      missing    OR(problem = OPEN, problem = MISSING)
        round:check end        round <> round.next
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
    shown: str = "spare:10 = filled(white:black) > 0",
    asks: bool = False,
    more: str = "",
) -> None:
    """Write the sheet ``key`` with a table of ``rows`` lines, ``group`` of them in each round.

    ``round_formula`` gives the number of the round; without one it is part of the book's content.
    ``line`` and ``more`` are lines of columns: the number of the line, and columns behind all
    others. ``shown`` says which lines are shown; with ``asks`` the sheet asks the questions above
    about pairings and byes. The piece ``stands_at(no)``, which the book
    defines, is the line above in the round in which a player stands, or 0.
    """
    book.names.update(PROBLEMS)
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
        shown=shown,
        asks=asks,
        more=more.strip(),
    )
