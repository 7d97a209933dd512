"""Sheets that explain games: those played, all or one player's, and those of the next round.

*Each game* says who counts for whom, expected scores and changes; *Why* what every game of one
player counts for, and the reason; *Next round* what a win, a draw and a loss would mean in each
game without a result.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from elo_xl.books.book import Book, Formula, Meaning
from elo_xl.books.front import SEPARATOR
from elo_xl.books.text import text_width
from elo_xl.functions.native.pieces import thresholds
from elo_xl.templates.blocks.ratings import in_full
from elo_xl.templates.blocks.tie_breaks import FIRST_PLACES, TIE_BREAKS, chosen, show_decimals
from elo_xl.templates.blocks.typed_games import FIRST, SECOND, SIGN

UNRATED: Final = 'format:"0.0;-0.0;0.0;–"'
"""Of a score that does not count for the player."""

NUMBERED: Final = "row_number"

_EACH: Final = """
pieces
    found(column, place) = IF({both}, INDEX(column, place), "")
    # what a sign counts stands beside it, blank where it is not rated
    score_for(rating_b, signs) = cases(OR(rating_b = "", sign_no <= 0, {same}), "",
        too_wide(), "", INDEX(signs, sign_no))
    too_wide() = IF(rules.all_rated, FALSE,
        IF(one_unrated(), FALSE, wide(rating_a, rating_b)))
    before_slash(label) = LEFT(label, FIND("/", label & "/"))
    # 0 is blank, too: where LibreOffice's threads have not stored a text yet, it reads 0
    one_unrated() = N(rating_a) * N(rating_b) = 0
    # table 8.1.2, which stands on Steps: how far each hundredth above a half begins
    chance(hundredths) = IF(one_unrated(), "", (hundredths) / 100)
    beyond(rating, cap) = SIGN(difference) * (MATCH(
        ROUND(cut(ABS(difference), rating, cap) + 1E-9, 0), Chances[lead]) - 1)
    cut(lead, rating, cap) = cases(rules.one_upgrade, IF(cap = "", lead, MIN(lead, cap)),
        NOT(rules.capped), lead, NOT(rules.varies), MIN(lead, rules.difference.most),
        IF(rating >= rules.difference.full_from, lead, MIN(lead, rules.difference.most)))
    counts_for(score, rating, value) = IF(OR(score = "", rating = ""), "", value)
    # how far a player is ahead of an opponent, and the cap where only the largest lead is cut
    ahead(score, lead) = IF(OR(score = "", difference = ""), 0, MAX(lead, 0))
    one_cut(lead, who) = cases(lead = 0, rules.difference.most,
        lead < INDEX(Leads[largest], who), "",
        COUNTIFS(upto[first_no], who, upto[lead_a], lead)
        + COUNTIFS(upto[second_no], who, upto[lead_b], lead) = 1, rules.difference.most, "")

sheet each banded {unbroken} freeze:name_a tab:help
    note about_each
    table Each rows:games group:boards gap:1
        no          0 center quiet text:{label_key} = game_label
        name_a      left 18 text:name over:column_white = found(Counted[name], first_no)
        rating_a    0 center text:rating over:column_white = IF(name_a = "", "",
            INDEX(Counted[rating], first_no))
        difference  +0 center 12 over:column_white = IF(one_unrated(), "", rating_a - rating_b)
        score_a     {score} center strong text:score over:column_white = score_for(rating_b,
            Worth[first])
        expected_a  0.00 center text:expected over:column_white = {expected_a}
        k_a         0 center text:factor over:column_white = counts_for(score_a, rating_a,
            INDEX(Ratings[k], first_no))
        change_a    +0.00 center 9 text:change over:column_white = IF(k_a = "", "",
            k_a * gain(score_a, expected_a))
        name_b      left 18 text:name over:column_black = found(Counted[name], second_no)
        rating_b    0 center text:rating over:column_black = IF(name_b = "", "",
            INDEX(Counted[rating], second_no))
        score_b     {score} center strong text:score over:column_black = score_for(rating_a,
            Worth[second])
        expected_b  0.00 center text:expected over:column_black = {expected_b}
        k_b         0 center text:factor over:column_black = counts_for(score_b, rating_b,
            INDEX(Ratings[k], second_no))
        change_b    +0.00 center 9 text:change over:column_black = IF(k_b = "", "",
            k_b * gain(score_b, expected_b))
        ?found first_no 0 quiet helper      = first_found
        ?found second_no 0 quiet helper     = second_found
        ?found sign_no  0 quiet helper      = sign_found
        shown                               = name_a <> ""
        ?rules.one_upgrade lead_a 0 quiet helper text:lead = ahead(score_a, N(difference))
        ?rules.one_upgrade lead_b 0 quiet helper text:lead = ahead(score_b, -N(difference))
        ?rules.one_upgrade cap_a 0 quiet helper text:cap = one_cut(lead_a, first_no)
        ?rules.one_upgrade cap_b 0 quiet helper text:cap = one_cut(lead_b, second_no)
    {names}
    marks
        expected_a      quiet               AND(score_a = "", expected_a <> "")
        expected_b      quiet               AND(score_b = "", expected_b <> "")
        ?rounds no:change_b end             OR(name_a.next = "", before_slash(no)
                                               <> before_slash(no.next))
"""

_WORTH: Final = """
sheet steps hidden
    table Worth rows:signs
        no          0 quiet     = row_number
        first       0.0 text:score = IF(INDEX(Result_rated, no) = 1, INDEX(Result_points, no), "")
        second      0.0 text:score = IF(INDEX(Result_rated, no) = 1, INDEX(Result_others, no), "")
"""

_CHANCES: Final = """
sheet steps hidden
    table Chances rows:hundredths
        no          0 quiet     = row_number
        lead        0 text:difference
"""

_LEADS: Final = """
sheet steps hidden
    table Leads rows:size
        no          0 quiet     = row_number
        name        left        = Counted[@name]
        largest     0           = SUMPRODUCT(MAX((Each_first = no) * Each[lead_a],
                                                 (Each_second = no) * Each[lead_b]))
"""


def each_game(
    book: Book,
    games: int = 0,
    *,
    lines: str = "",
    first: str = FIRST,
    second: str = SECOND,
    sign: str = SIGN,
    label: str = NUMBERED,
    boards: int = 0,
) -> None:
    """Write the sheet: a row for each game, with the sides of both players.

    ``first``, ``second`` and ``sign`` are formulas for the numbers of both players and of the
    result in their lists, at most 0 for none, by default those of the sheet *Games*, which has
    as many ``games`` as the book; or ``lines`` is a table that has them row by row in columns of
    these names. Formulas read these columns as ``Each_first``, ``Each_second`` and
    ``Each_sign``. ``label`` is the formula of the first column, by default the game's number,
    else round and board with a slash between them. ``boards`` is the number of games in a round, if
    games have rounds.
    """
    rules = book.rules.difference
    columns = dict(zip(("first", "second", "sign"), (first, second, sign), strict=True))
    # where only the largest lead is cut, formulas ask for the rows above
    numbered = not lines or rules.whole_event
    if lines:
        columns = {key: f"{lines}[@{key}]" for key in columns}
    names: dict[str, str] = {}
    if not numbered:
        names |= {f"{key}_no": formula for key, formula in columns.items()}
    for key in columns:
        book.names[f"Each_{key}"] = f"Each[{key}_no]" if numbered else f"{lines}[{key}]"
    said = "".join(f"\n        {name} = {formula}" for name, formula in names.items())
    from_table = book.rules.expected.model == "fide"

    def expected(a: str, b: str, sign: str) -> str:
        if from_table:
            return f"chance(50 {sign} beyond(rating_{a}, {cap(a)}))"
        most = f", {cap(a)}" if rules.capped else ""
        return f"ELO_EXPECTED(rating_{a}, rating_{b}, rules.model{most})"

    def cap(a: str) -> str:
        return f"cap_{a}" if rules.whole_event else f"largest(rating_{a})"

    book.read(
        _EACH,
        "each",
        names=f"names{said}" if names else "",
        expected_a=expected("a", "b", "+"),
        expected_b=expected("b", "a", "-"),
        games=games or book.options.rounds,
        score=UNRATED,
        label_key="no" if label == NUMBERED else "round_board",
        rounds=label != NUMBERED,
        boards=boards,
        unbroken="unbroken" if boards else "joined:no",
        found=numbered,
        first_found=columns["first"],
        second_found=columns["second"],
        sign_found=columns["sign"],
        game_label=label,
        # a line counts nobody twice, and nobody alone as Black
        both="second_no > 0" if lines else "AND(first_no > 0, second_no > 0)",
        same="FALSE" if lines else "first_no = second_no",
    )
    book.read(_WORTH, "each", signs=book.tables["Signs"].rows)
    if from_table:
        leads = [{"lead": lead} for lead in thresholds()]
        book.read(_CHANCES, "each", Chances=leads, hundredths=len(leads))
    book.names["Each_above"] = book.tables["Each" if numbered else lines].header
    if rules.whole_event:
        book.read(_LEADS, "each")


# -- one player -----------------------------------------------------------------------------------

MOST_GAMES: Final = 60
"""Rows of the sheet: the games of one player that it shows."""

LETTER: Final = 12
"""The games that are printed, on one page."""

FIGURES_WIDE: Final = "9", "11.5"
"""The widths of a column of numbers, in digits: each has a large one above it. A letter with room
for many games is shrunk to the height of the page, and fills its width with the second one."""

_WHY: Final = """
pieces
    of_one(column) = IF(One[player] = 0, "", INDEX(column, One[player]))

sheet why titles:none down:1 tab:result
    note about_why
    cells
        why_choice @ left input text:why_player list:Players[name]
        ?ahead why_target 0 left input whole:1..4000
        ?ahead why_needed 0.0 left strong = cases(NOT(ISNUMBER(why_target)), "",
            COUNT(Tried[new]) = 0, "", MAX(Tried[new]) < why_target, t.out_of_reach,
            COUNTIF(Tried[new], "<" & why_target) / 2)
        ?ahead why_still left = cases(NOT(ISNUMBER(why_needed)), "", COUNT(Why[chance]) = 0, "",
            why_needed <= why_score, t.target_reached,
            why_needed - why_score > COUNT(Why[chance]), t.out_of_reach,
            why_needed - why_score & " / " & COUNT(Why[chance]))
"""

# the letter begins with what stands in Python below
_LETTER: Final = """
sheet why
    table Why rows:rows gap:1
        opponent    left strong 22          = of(Each[name_b], Each[name_a])
        no          0 center quiet text:{label_key} = IF(line = 0, "", INDEX(Each[no], line))
        side        center quiet 7          = cases(line = 0, "", first, t.column_white,
            t.column_black)
        rating      0 center {figure}       = of(Each[rating_b], Each[rating_a])
        difference  +0 center {figure}      = cases(line = 0, "", rating = "", "",
            INDEX(Each[difference], line) = "", "",
            first, INDEX(Each[difference], line), -INDEX(Each[difference], line))
        score       0.0 center strong {figure} = of(Each[score_a], Each[score_b])
        expected    0.00 center {figure}    = IF(score = "", "", of(Each[expected_a],
                                                                    Each[expected_b]))
        change      +0.00 center {figure}   = of(Each[change_a], Each[change_b])
        because     left paragraph 32       = cases(line = 0, "",
            INDEX(Each_sign, line) <= 0, t.why_open,
            INDEX(Result_rated, INDEX(Each_sign, line)) = 0, t.why_unplayed,
            rating = "", t.why_unrated, score = "", t.why_far,
            change = "", "", counted <> difference, t.why_cut,
            rules.capped, IF(ABS(difference) > rules.difference.most, t.why_full, ""), "")
        counted     +0 quiet helper text:counted_difference = cases(
            OR(score = "", difference = ""), "",
            cap = "", difference, MAX(-cap, MIN(cap, difference)))
        line        0 quiet helper text:no  = IF(row_number > One[lines], 0, SUMPRODUCT(SMALL(
            ROW(Each_first) - Each_above + 100000 * (1 - those), row_number)))
        # the expected score of a game that will count, but has no result yet
        ?ahead chance 0.00 quiet helper text:expected = cases(line = 0, "", why_k = "", "",
            rating = "", "", INDEX(Each_sign, line) > 0, "",
            rules.all_rated, of(Each[expected_a], Each[expected_b]), wide(why_rating, rating), "",
            of(Each[expected_a], Each[expected_b]))
        shown                               = line > 0
    names
        first = INDEX(Each_first, line) = One[player]
        cap   = {cap}
    pieces
        of(white, black) = cases(line = 0, "", first, INDEX(white, line), INDEX(black, line))

sheet steps hidden
    table One rows:1
        player  0 text:no           = IF(why_choice = "", IFERROR(MATCH(1, Counted[place], 0), 0),
            IFERROR(MATCH(escaped(why_choice), Counted[name], 0), 0))
        lines   0                   = IF(player = 0, 0, SUMPRODUCT(--those))
        ?ahead games    0 text:rated_games = IF(why_k = "", 0,
            of_one(Ratings[games]) + COUNT(Why[chance]))
        ?ahead chances  0.00 text:expected = IF(why_k = "", 0, why_expected + SUM(Why[chance]))
        ?ahead k        0 text:factor   = IF(why_k = "", "", k_after(games, why_rating,
            INDEX(Players[k], player), INDEX(Counted[rule_k], player)))
"""

# the new rating after each score in half points; the least one that suffices is the first of them
_TRIED: Final = """
sheet steps hidden
    table Tried rows:2*rows+1
        no      0 quiet             = row_number
        score   0.0                 = (no - 1) / 2
        new     {new_format}        = cases(why_k = "", "", score > One[games], "",
            One[games] > {rows}, "", new_rating(why_rating,
                One[k] * gain(score, One[chances]), ""))
"""


def why(book: Book, games: int = MOST_GAMES, *, ahead: bool = True) -> None:
    """Write the sheet, from the table ``Each`` and the sheet *Ratings*.

    ``games`` are the most of one player. With ``ahead`` a target rating may be typed, and the sheet
    says which score makes it.
    """
    rules, language = book.rules, book.options.language
    book.texts["why_cut"] = rules.difference.why(language)
    book.texts["why_full"] = rules.difference.why_full(language)
    book.texts["why_unrated"] = rules.counts.why_not(float("nan"), language)
    book.texts["why_far"] = rules.counts.why_not(0.0, language)
    whole_event = rules.difference.whole_event
    cap = "of(Each[cap_a], Each[cap_b])" if whole_event else "largest(why_rating)"
    # the lines in which somebody plays
    book.names["those"] = "((Each_first = One[player]) + (Each_second = One[player]) > 0)"
    rows = min(games, MOST_GAMES, book.tables["Each"].rows)
    book.read(_WHY, "why", ahead=ahead)
    top = _letter_head(book, rows)
    book.read(
        _LETTER,
        "why",
        rows=rows,
        ahead=ahead,
        cap=cap,
        figure=FIGURES_WIDE[rows >= LETTER],
        label_key=book.tables["Each"].columns["no"].text_key,
    )
    table = book.tables["Why"]
    last = table.header + min(rows, LETTER)
    table.sheet.set_up.areas = [f"A{top}:{table.letter('because')}{last}"]
    for row in range(table.first, last + 1):
        table.sheet.height(row, 1.8)  # a reason may take two lines
    if ahead:
        book.read(_TRIED, "why", rows=rows)
    sheet = book.sheets["why"]
    sheet.mark(book.singles["why_choice"].cells, 'AND(why_choice <> "", One[player] = 0)')


FIGURES: Final = (
    ("new", 1, 1, "{new_format}"),
    ("rating", 4, 1, "0"),
    ("k", 5, 1, "0"),
    ("score", 6, 1, "0.0"),
    ("expected", 7, 1, "0.00"),
    ("change", 8, 1, "+0.00;-0.00;0.00"),
)
"""What stands large in the letter: columns of *Ratings*, where, over how many columns, and the
number format. Sums stand above the columns that they are the sums of."""


def _letter_head(book: Book, rows: int) -> int:
    """Declare the upper half of the letter, below the cells that are typed; gives its first row."""
    sheet, say = book.sheets["why"], book.say
    for row in range(book.singles["why_choice"].cells.row, sheet.row):
        sheet.merge(sheet.cells(row, 2, 1, 4))
    sheet.row += 1
    top = sheet.row
    title = 'IF(One[player] = 0, "–", of_one(Counted[name]) & " – " & t.letter_title)'
    sheet.line(Formula(title), "title")
    sheet.height(top, 1.7)
    heads = ["Event"] * ("Event" in book.defined) + ["wall_line"] * ("wall_line" in book.names)
    if heads:
        both = f' & IF(OR({heads[0]} = "", {heads[-1]} = ""), "", "{SEPARATOR}") & '
        sheet.line(Formula(both.join(heads)), "subtitle")
    sheet.row += 1
    labels, figures = sheet.row, sheet.row + 1
    for key, column, across, shown in FIGURES:
        label = say("column_factor" if key == "k" else f"column_{key}")
        role, align = ("answer", "left") if column == 1 else ("figure", "center")
        sheet.put(labels, column, label, "prose", align=align, measure=False)
        shown = shown.format(**book.usual_names)
        value = Formula(f"of_one(Ratings[{key}])")
        cell = sheet.put(figures, column, value, role, shown, align, measure=False)
        sheet.name(f"why_{key}", cell)
        for row in (labels, figures) if across > 1 else ():
            sheet.merge(sheet.cells(row, column, 1, across))
    sheet.height(figures, 2.4)
    sheet.row += 2
    sheet.put(sheet.row, 1, Formula(_sentence(book)), "prose", align="left", measure=False)
    sheet.merge(sheet.cells(sheet.row, 1, 1, 9))
    sheet.height(sheet.row, 2.2)
    sheet.row += 1
    if rows > LETTER:
        more = Formula(f'IF(One[lines] > {LETTER}, t.letter_more, "")')
        sheet.put(sheet.row, 1, more, "note", measure=False)
    return top


def _sentence(book: Book) -> str:
    """The formula of how a new rating came about; what is not whole has two decimals."""

    def rating(name: str) -> str:
        return name if book.rules.rounding.whole else f"ROUND({name}, 2)"

    def said(key: str) -> str:
        text = book.say(
            key,
            score='" & why_score & "',
            games='" & N(of_one(Ratings[games])) & "',
            expected='" & ROUND(why_expected, 2) & "',
            surplus='" & ROUND(gain(why_score, why_expected), 2) & "',
            k='" & why_k & "',
            reason=f'" & {in_full(book, "of_one(Ratings[why])")} & "',
            rating=f'" & {rating("why_rating")} & "',
            change='" & IF(why_change > 0, "+", "") & ROUND(why_change, 2) & "',
            new=f'" & {rating("why_new")} & "',
        )
        return f'"{text}"'

    counted = said("letter_linear" if book.rules.linear else "letter_whole")
    return (
        'cases(One[player] = 0, "", of_one(Counted[waits]) = 1, of_one(Ratings[why]), '
        f'AND(why_rating = "", why_new = ""), {said("letter_unrated")}, '
        f'why_rating = "", {said("letter_first")}, '
        f"N(of_one(Ratings[games])) = 0, {said('letter_idle')}, {counted})"
    )


# -- the next round -------------------------------------------------------------------------------

_AHEAD: Final = """
pieces
    past(a, b)  = ((Open[high] + a > points) + (Open[low] + b > points)
        - (Open[high] > points) - (Open[low] > points))
    up_to(a, b) = ((Open[high] + a >= points) + (Open[low] + b >= points)
        - (Open[high] >= points) - (Open[low] >= points))

sheet steps hidden
    table Open rows:boards_ahead
        no      0 quiet             = row_number
        game    0                   = game_ahead
        open    0                   = IF(game = 0, 0, IF(AND(INDEX(Each_first, game) > 0,
            INDEX(Each_second, game) > 0, INDEX(Each_sign, game) <= 0), 1, 0))
        turn    0 text:place        = IF(open = 1, SUM(upto[open]), "")
        high    0.0 text:points     = IF(open = 1, MAX(first_now, second_now), -9)
        low     0.0 text:points     = IF(open = 1, MIN(first_now, second_now), -9)
    names
        first_now  = INDEX(points_ahead, INDEX(Each_first, game))
        second_now = INDEX(points_ahead, INDEX(Each_second, game))
    # places of those who will have so many points: players who have more already, or as much, and
    # how many more each board makes at least, and at most
    table Reach rows:3*most_ahead+1
        no      0 quiet             = row_number
        points  0.0                 = (no - 1) * IF(THREE, 1, 0.5)
        above   0                   = (COUNTIFS(points_ahead, ">" & points, Counted[active], 1)
            + SUMPRODUCT((past(FULL, 0) > 0) * (past(HALF, HALF) > 0) * (past(0, FULL) > 0)))
        reach   0                   = (COUNTIFS(points_ahead, ">=" & points, Counted[active], 1)
            + SUMPRODUCT((up_to(FULL, 0) + up_to(HALF, HALF) + up_to(0, FULL) > 0)
                + (up_to(HALF, HALF) = 2)))
        place   center              = above + 1 & IF(reach > above + 1, "–" & reach, "")

sheet ahead wall:ahead_title stretch:name
    note ahead_said
    table Ahead rows:2*half_ahead group:2 gap:1
        board       0 center strong 7 optional:ahead_board = cases(at > 0, at,
            ended, INDEX(Standings[rank], row_number), "")
        colour      center 7 optional:ahead_side = cases(at = 0, IF(ended, who, ""),
            white, t.side_white, t.side_black)
        name        left strong 21 optional:ahead_name = IF(who = 0, "", INDEX(People[name], who))
        rating      0 center 8 optional:ahead_rating = IF(who = 0, "", INDEX(Counted[rating], who))
        points      0.0 center strong 8 optional:ahead_points = cases(
            at > 0, INDEX(points_ahead, who), ended, INDEX(Standings[points], row_number), "")
        new_{s}     {new_format} center 11 over:ahead_new optional:ahead_new_{s} = cases(
            ended, end_{s}, waits = 1, "",
            rating = "", published(first_{s}, games, score + counts * won_{s}),
            k = "", "", new_rating(rating, k * gain(score + counts * won_{s}, chances), ""))
        place_{s}   center 7 over:ahead_place optional:ahead_place_{s} = cases(
            ended, tie_{s}, at = 0, "", INDEX(Reach[place],
            1 + (points + gets_{s}) / IF(THREE, 1, 0.5)))
        rating_b    0 quiet helper text:rating = IF(white, rating.next, rating.above)
        performance_{s} {performance_format} quiet helper text:performance = IF(
            games = 0, "", performance(met, games, score + counts * won_{s},
                                       dp_of((score + counts * won_{s}) / games)))
        # the board in the list of those without a result, 0 for none
        at          0 quiet helper text:board = IFERROR(MATCH(group_number, Open[turn], 0), 0)
        who         0 quiet helper text:no  = cases(at = 0, IF(ended,
            INDEX(Standings[no], row_number), 0), white, INDEX(Each_first, game),
            INDEX(Each_second, game))
        waits       0 quiet helper      = IF(at = 0, 1, INDEX(Counted[waits], who))
        counts      0 quiet helper text:used = cases(at = 0, 0, rating_b = "", 0,
            rules.all_rated, 1, rating = "", 1, wide(rating, rating_b), 0, 1)
        games       0 quiet helper text:rated_games = IF(at = 0, 0,
            N(INDEX(Ratings[games], who)) + counts)
        score       0.0 quiet helper    = IF(at = 0, 0, N(INDEX(Ratings[score], who)))
        chances     0.00 quiet helper text:expected = IF(at = 0, 0,
            N(INDEX(Ratings[expected], who)) + IF(counts = 0, 0,
                N(IF(white, INDEX(Each[expected_a], game), INDEX(Each[expected_b], game)))))
        met         0 quiet helper      = IF(at = 0, 0,
            N(INDEX(Sums[met], who)) + counts * N(rating_b))
        k           0 quiet helper text:factor = IF(at = 0, "", k_after(games, rating,
            INDEX(Players[k], who), INDEX(Counted[rule_k], who)))
        first_{s}   0 quiet helper text:first = IF(rules.solved, "", IF(OR(rating <> "", games = 0),
            "", first_rating(met, games, score + counts * won_{s})))
        shown                           = who > 0
    names
        white    = row_of_group = 1
        game     = INDEX(Open[game], at)
        # after the last round everybody, as in the standings
        ended    = AND(ended_ahead, row_number <= COUNT(Standings[rank]))
        won_win  = 1
        won_draw = 0.5
        won_loss = 0
        gets_win  = FULL
        gets_draw = HALF
        gets_loss = 0
        # after the last round, what stands in the same columns
        end_win  = INDEX(Ratings[expected], who)
        end_draw = INDEX(Ratings[new], who)
        end_loss = INDEX(Ratings[performance], who)
        tie_win  = INDEX(Standings[tie1], row_number)
        tie_draw = INDEX(Standings[tie2], row_number)
        tie_loss = INDEX(Standings[tie3], row_number)
    marks
        board:place_loss end            AND(at > 0, at <> at.next)
        board:place_loss leader         AND(ended, row_number = 1)
        new_win          two_decimals   ended
        new_draw         strong         ended
"""


_RESULTS: Final = ("win", "draw", "loss")

PERFORMANCE: Final = next(tie.code for tie in TIE_BREAKS if tie.key == "tpr")
"""FIDE's letters for it: the word is too long above numbers."""


def ahead(
    book: Book, *, number: str, game: str, boards: int, points: str, most: int, over: str, done: str
) -> None:
    """Write the sheet, from the table ``Each`` and the sheet *Ratings*.

    ``number`` is the formula of the round, ``game`` that of the row in ``Each`` of a board of it,
    0 for none; ``boards`` are the boards that there can be. ``points`` are the cells of everybody's
    points after the round as far as it is played, ``most`` is the most that anybody can have.
    ``done`` is the formula of what is said where no game is open, ``over`` that of whether none is
    to come: then the sheet has the final places, with new ratings and performances.

    A row is one side of a board: the new rating, the performance and the place after each result.
    The place is what the points allow, from the best to the worst: the other games of the round may
    be won, drawn or lost, those of other rounds stay as they are, and tie-breaks may order equals
    in either way. Everybody has one game in a round, so no board depends on another: the sum over
    all boards of the fewest, or most, players with more than so many points is exact. A player's
    own board changes nothing in it, for the result that brings them to these points is one with the
    fewest above them and with the most beside them.
    """
    names: dict[str, Meaning] = {
        "boards_ahead": boards,
        "half_ahead": -(-book.options.players // 2),
        "game_ahead": game,
        "points_ahead": points,
        "most_ahead": most,
        "any_ahead": "SUM(Open[open]) > 0",
        "ended_ahead": f"AND(NOT(any_ahead), {over})",
        "ahead_title": f"IF(ended_ahead, t.ahead_over, t.sheet_ahead "
        f'& IF(any_ahead, " (" & {number} & ")", ""))',
        "ahead_said": f"cases(any_ahead, t.about_ahead_place, {over}, in_the_end_said, {done})",
        "in_the_end_said": f'"{PERFORMANCE} " & t.column_performance '
        f'& IF(first_ties_said = "", "", "{SEPARATOR}" & first_ties_said)',
        "ahead_new": "IF(any_ahead, t.column_new, t.sheet_ratings)",
        "ahead_place": "IF(any_ahead, t.column_ahead_place, t.sheet_tie_breaks)",
    }
    book.names.update(names)
    say = book.say
    # a heading is blank while there is nothing below it
    ends = (say("column_expected"), say("column_new"), PERFORMANCE)
    headings = {
        f"new_{result}": (say(f"column_if_{result}"), end)
        for result, end in zip(_RESULTS, ends, strict=True)
    }
    same = "name", "rating", "points"
    headings |= {key: 2 * (say(f"column_{key}"),) for key in same}
    headings |= {
        "board": (say("column_board"), say("column_rank")),
        "side": (say("column_side"), say("column_no")),
    }
    for key, (to_come, in_the_end) in headings.items():
        book.names[f"ahead_{key}"] = (
            f'cases(any_ahead, "{to_come}", ended_ahead, "{in_the_end}", "")'
        )
    for k, result in zip(range(1, FIRST_PLACES + 1), _RESULTS, strict=True):
        book.names[f"ahead_place_{result}"] = (
            f'cases(any_ahead, t.column_if_{result}, ended_ahead, {chosen(k)}, "")'
        )
    book.read(_AHEAD, "ahead", s=_RESULTS)
    table = book.tables["Ahead"]
    table.fitted = False
    long = text_width(say("column_new")) > 10
    table.sheet.height(table.header, 1 + long)
    one_line = [at for key, at in table.at.items() if not (long and key == "new_draw")]
    table.sheet.edits.append(
        lambda ws: _shrink(ws.cell(table.header, column) for column in one_line)
    )
    for result in _RESULTS:
        show_decimals(table, f"place_{result}")


def _shrink(cells: Iterable[Any]) -> None:
    """Let headings of one line shrink where a column is too narrow for them."""
    from openpyxl.styles import Alignment

    for cell in cells:
        at, indent = cell.alignment.horizontal, cell.alignment.indent
        cell.alignment = Alignment(at, "center", indent=indent, shrink_to_fit=True)
