"""Sheets in which games are typed: as they come, or by rounds.

On the sheet *Games* players are found by their names; on one with rounds, which has byes, too, they
are typed by their numbers (:func:`numbered_games`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elo_xl.books.book import Book
from elo_xl.books.typed import at_fault
from elo_xl.templates.blocks.near import near

FIRST: Final = "number_of(Games[@white])"
SECOND: Final = "number_of(Games[@black])"
SIGN: Final = "sign_of(Games[@result])"
"""The formulas of a line's players and of its result, as numbers in their lists, 0 for none."""

CHECK_ROOM: Final = 10
"""The width of the column *Check*, of which paper shows no more. If other columns need the paper,
it is narrow: on the screen what it says flows over the cells beside it."""

MOST_UPRIGHT: Final = 60
"""The lines of a list with questions that stands on upright paper."""

_GAMES: Final = """
pieces
    why_unknown(who, near) = who & ": " & cases(times({players}[name], who) = 0,
        t.check_stranger & perhaps(near),
        times({players}[name], who) > 1, t.check_shared, t.check_unusable)

sheet games upright joined:event freeze:date stretch:check
    note about_games
    note bigger_games games=size
    table Games rows:size
        no      0 center quiet                      = row_number
        date    date center input 11 date:DATE(1950,1,1)..DATE(2199,12,31)
        event   @ left input 15
        white   @ left input 18 list:{players}[name]
        black   @ left input 18 list:{players}[name]
        result  @ center input 7 result
        ?again sure @ center input 4 yes
        {more}
        fault   0 quiet helper                      = cases(check = "", 0,
            check = t.check_missing, 0, again, IF(check = t.check_again, 2, 1), 1)
        shown spare:10                              = filled(date:result) > 0
        check   left attention {check}              = cases(
            filled(white:result) = 0, "",
            OR(white = "", black = ""), t.check_alone,
            {found}[@first_no] = 0, why_unknown(white, Games_near[@white]),
            {found}[@second_no] = 0, why_unknown(black, Games_near[@black]),
            {found}[@first_no] = {found}[@second_no], t.check_self,
            result = WRONG, t.check_result, result = "", t.check_missing,
            date = WRONG, t.check_date,
            # most lines are told from others by the players alone, which is quick
            IF(again, COUNTIFS({found}[first_no], {found}[@first_no],
                               {found}[second_no], {found}[@second_no]) > 1, FALSE),
                IF(AND(sure <> YES, SUMPRODUCT(({found}[first_no] = {found}[@first_no])
                    * ({found}[second_no] = {found}[@second_no]) * (Games[event] = event)
                    * (Games[date] = date)) > 1), t.check_again, ""), "")
    inputs
        event soft
    marks
        white       attention   AND(fault = 1, {found}[@first_no] = 0)
        black       attention   AND(fault = 1, {found}[@second_no] = 0)
        white:black attention   check = t.check_self
        ?again white:black attention check = t.check_again
        result      missing     check = t.check_missing
        no:check    begin       event <> event.above
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
    lines: str = "Each",
    players: str = "Players",
    more: Sequence[str] = (),
    again: bool = True,
) -> None:
    """Write the sheet, from the table ``lines`` with the columns ``first_no``, ``second_no`` and
    ``sign_no``, which tell by :data:`FIRST`, :data:`SECOND` and :data:`SIGN` whom each line means.

    ``more`` are lines of further columns beside what is typed. With ``again`` the sheet asks about
    games that appear twice in an event, which an ``x`` in the column *OK* answers.
    """
    book.names["last_game"] = "MAX(Games[date])"
    book.read(
        _GAMES,
        "games",
        size=book.options.rounds,
        found=lines,
        players=players,
        more="\n".join(more),
        again=again,
        check=5 if more else CHECK_ROOM,
    )
    near(book, table="Games", columns="white,black", names=players)


def identify(book: Book, *, players: str = "Players", counted: str = "Counted") -> None:
    """Write the names by which games find players beside the table ``counted``.

    A name that two players share finds neither of them.
    """
    book.read(_IDS, "ids", players=players, counted=counted)


PROBLEMS: Final = {
    "NO_WHITE": 1,
    "NOBODY_WHITE": 2,
    "NOBODY_BLACK": 3,
    "SELF": 4,
    "AGAIN_WHITE": 5,  # in the round; up to here a line does not count
    "AGAIN_BLACK": 6,
    "UNCLEAR": 7,  # from here on its players are paired, but their result waits
    "ALONE": 8,
    "NO_BYE": 9,
    "MET": 10,  # from here on it is asked about
    "SECOND_BYE": 11,
}
"""What is wrong with a line. The columns ``first`` and ``sign`` have it below 0: the number of
White and that of the result stand there only if nothing is wrong."""

_NUMBERED: Final = """
pieces
    name_of(no)      = IFERROR(INDEX(Players[name], no), "")
    said_no(no)      = IF(no = WRONG, "", ": " & no)
    points_of(signs) = IF(sign > 0, INDEX(signs, sign), 0)
    # what a line without a result lacks
    lacks()          = cases(first = 0, "", second = 0, cell(Slips, "said", {lacking}),
                                                        cell(Slips, "said", {lacking+1}))
    who_stands()     = IF(sign = -AGAIN_WHITE, white, black)
    more_said()      = cases(sign = -NOBODY_WHITE, said_no(white), sign = -NOBODY_BLACK,
        said_no(black), OR(sign = -AGAIN_WHITE, sign = -AGAIN_BLACK),
        " " & stands_at(who_stands()), "")

sheet {key} {upright} freeze:white ordered {unbroken} area:black_name
    ?told note about_{key}
    table {table} rows:{rows} group:{group}
        round       0 center strong 7 {round}
        {line}
        white       0 center input 7 whole:1..size text:white_no
        white_name  left 24 text:white                  = name_of(white)
        result      @ center input 8 result
        black       0 center input 7 whole:1..size text:black_no
        black_name  left 24 text:black                  = name_of(black)
        ?asks sure  @ center input 4 yes
        # these four know nothing of results, so a result that is typed does not change them
        first       0 quiet helper text:first_no        = cases(white = "", 0,
            white_name = "", -NOBODY_WHITE,
            IF(black = "", FALSE, black_name = ""), -NOBODY_BLACK, white = black, -SELF,
            stands(white), -AGAIN_WHITE, IF(black = "", FALSE, stands(black)), -AGAIN_BLACK, white)
        second      0 quiet helper text:second_no       = IF(first > 0, N(black), 0)
        ?asks key   0 quiet helper text:pair            = cases(first <= 0, "",
            second = 0, IF(result = "bye", first, ""),
            IFERROR(INDEX(Result_rated, MATCH(result, Result_signs, 0)), 1) = 0, "",
            MIN(first, second) * 1000 + MAX(first, second))
        sign        0 quiet helper text:sign_no         = cases(
            first < 0, first, first = 0, IF(filled(white:black) = 0, 0, -NO_WHITE),
            unanswered, IF(second = 0, -SECOND_BYE, -MET),
            result = WRONG, -UNCLEAR, result = "", 0,
            (second = 0) <> (RIGHT(result, 3) = "bye"), IF(second = 0, -ALONE, -NO_BYE),
            MATCH(result, Result_signs, 0))
        ?asks colour 0 quiet helper heading:none        = cases(
            OR(first <= 0, second = 0, sure = YES), 0, IF(sign > 0, INDEX(Result_rated, sign) = 0,
            FALSE), 0, too_often(first) > 0, 2 * too_often(first) - 1,
            MAX(-2 * too_often(second), 0))
        shown {shown}
        {more}
        ?listed unread 0 quiet helper heading:none      = 0
        check       left attention {check}              = cases(
            IF(asks, colour > 0, FALSE), of_colours, sign > 0, "", sign = 0, lacks(),
            cases(sign = -AGAIN_WHITE, white & " ", sign = -AGAIN_BLACK, black & " ", "")
            & INDEX(Slips[said], -sign)
            & cases(asks, IF(sign > -MET, more_said(), met_before), more_said()))
    names
        unanswered = cases(asks, IF(OR(sure = YES, key = ""), FALSE,
                                    MATCH(key, through[key], 0) < row_number), FALSE)
        met_before = cases(asks, " " & INDEX({table}[round], MATCH(key, through[key], 0))
                                 & t.check_sure, "")
        of_colours = cases(asks, IF(MOD(colour, 2) = 1, white_name, black_name) & " "
            & INDEX(Slips[said], {lacking-1} - (colour < 3)), "")
    marks
        ?asks white missing    MOD(colour, 2) = 1
        ?asks black missing    AND(colour > 0, MOD(colour, 2) = 0)
        white       attention  OR(sign = -NO_WHITE, sign = -NOBODY_WHITE,
                                  sign = -AGAIN_WHITE, sign = -SECOND_BYE)
        black       attention  OR(sign = -NOBODY_BLACK, sign = -SELF,
                                  sign = -AGAIN_BLACK, sign = -MET)
        result      attention  OR(sign = -ALONE, sign = -NO_BYE)
        result      missing    AND(first > 0, sign = 0)
        round       pale       round = round.above
        round:check begin      round <> round.above

sheet steps hidden
    table Slips rows:{slips}
        no          0 quiet = row_number
        said        left
"""


def numbered_games(
    book: Book,
    key: str,
    *,
    rows: int,
    line: str,
    group: int = 0,
    shown: str = "spare:10 = filled(white:black) > 0",
    asks: bool = False,
    more: str = "",
    wide: str = "",
) -> None:
    """Write the sheet ``key`` with a table of ``rows`` lines, ``group`` of them in each round.

    Without a ``group`` the number of the round is part of the book's content.
    ``line`` and ``more`` are lines of columns: the number of the line, and columns behind all
    others, whose width is ``{wide}``. ``shown`` says which lines are shown; with ``asks`` the sheet
    asks the questions below about pairings and byes. The book defines two pieces: ``stands(no)`` is
    whether a player stands above in the round, and ``stands_at(no)`` is their line there; with
    ``asks`` a third one: ``too_often(no)`` is 1 if the player had White in the last two games
    before the round, 2 if two times more than Black, -1 and -2 the other way round, and otherwise
    0.

    Each line is judged by itself, from the top of its round: where a player stands in two lines,
    the second one does not count, and everybody else's games do. The column *Check* says what is
    wrong, and only the cell at fault is marked. A result that is not there yet is said, but no
    fault.

    **Questions.** A result without an opponent may be a bye, or Black was forgotten: it is asked
    about, not made a point. So is, where ``asks`` says so, a pairing that has been played before,
    or a second bye of a whole point. FIDE's C.04.1 forbids both, and the likeliest slip is a round
    typed twice; but a small club cannot always avoid them. So nobody gets points or a rating change
    from such a line until the arbiter answers with an ``x`` in the column *OK*. Until then its
    players are taken to be paired, with a result that is missing. A game that was not played
    forbids no other one. A colour for the third time in a row, or three times more than the other,
    is only marked: the rules allow it at the end of an event, so the line counts.
    """
    book.names.update(PROBLEMS)
    table = key.capitalize()
    across = asks and rows > MOST_UPRIGHT
    said = ("white", "number", "number", "self", "also", "also", "result", "alone", "bye")
    questions = ("met", "bye_again") if asks else ()
    lacking = ("open", "missing")
    slips = [{"said": book.say(f"check_{key}")} for key in (*said, *questions)]
    remarks = ("third", "ahead") if asks else ()
    slips += [{"said": book.say(f"check_{key}") + book.say("check_sure")} for key in remarks]
    slips += [{"said": book.say(f"check_{key}")} for key in lacking]
    book.read(
        _NUMBERED,
        key,
        key=key,
        table=table,
        rows=rows,
        group=group,
        unbroken="unbroken only:chosen" if group else "",
        # questions and colours need the paper's width, a short list no pages without a game
        upright="" if across else "upright",
        check=14 if across else 5,
        round="= group_number" if group else "",
        line=line,
        shown=shown,
        asks=asks,
        told=not asks,
        listed=not group,
        more=more,
        wide=wide,
        slips=len(slips),
        lacking=len(slips) - 1,
        Slips=slips,
    )
    at_fault(book.tables[table], -PROBLEMS["MET"])
