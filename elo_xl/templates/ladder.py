"""``ladder``: an office or club league with Elo ratings, game after game.

Sheets: the first one, *Games* (typed in the order in which they were played, with the ratings after
each), *Table* (to print and pin up), *Head to head* (two players: odds of their next game, their
games so far; the first of the table against each other), *One player* (their last games, their
record against everybody), *Chart* and *Steps*.

Players are whoever has played: the first game of a name makes a player. Each player's games are
numbered, so a game's line finds the ratings before it by two numbers, player and game. It looks for
them among the lines of its own block only; what stood before the block is kept beside it, a row a
player. So the work grows with the games, not with their square.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from functools import partial
from typing import Any, Final

from elo_xl.books.book import Book, Constant, Content, Formula, Options
from elo_xl.books.charts import COUNTS, MONTHS, RATINGS, Axis, Chart, Curve, curve_chart
from elo_xl.books.front import Setting, front
from elo_xl.books.looks import Validation
from elo_xl.books.statements import Statement
from elo_xl.books.styles import NONE, WHOLE
from elo_xl.books.texts import texts
from elo_xl.books.typed import Reading, normal, read_single
from elo_xl.engine.models import expected
from elo_xl.engine.results import spellings
from elo_xl.templates.blocks.wall import CLUB, PLACE, SEPARATOR, header
from elo_xl.templates.samples import on_the_wall

BLOCK: Final = 100
"""Lines among which a game looks for the games before it."""

USUAL_K, USUAL_START = 20, 1500

SLOTS: Final = 6
"""players on the chart"""
POINTS: Final = 200
"""Games of a player that a curve shows, the last ones."""
FIRST_OF_TABLE: Final = 10
"""players whose games against each other are counted"""
MEETINGS: Final = 10
"""of two players that are listed, the last ones"""
GAP: Final = 3.0
"""Width between tables beside each other."""
RECENT: Final = 25
"""Games of one player that are listed, the last ones, and opponents, those of most games."""

NUMBERS: Final = {
    "FAR": 1_000_000,  # the line of what stands nowhere
    "TURNS": 10_000,  # a player's number times this, plus the number of their game
    "DAYS": 30,  # of the change that the table shows
    "NEW_GAMES": 2,  # up to which a name may be a misspelling
    "RANKED": 1_000_000,  # added to the rating of those who have enough games for a place
}

FAULTS: Final = ("alone", "same", "date", "result", "draw", "settings", "players")
"""What is wrong with a line, by the numbers of Each[what] from 1 on; the game waits, except for a
date."""
HINTS: Final = ("missing", "unplayed", "back", "similar")
"""What is only remarked of a line, by the numbers after those."""

GAMES: Final = """
sheet games upright freeze:date area:new_b
    note about_games
    note bigger_games games=lines
    table Games rows:lines
        no      0 quiet                             = row_number
        date    date center input 10.5 date:DATE(1950,1,1)..DATE(2199,12,31)
        first   @ left input 20 list:Players_so_far soft
        second  @ left input 20 list:Players_so_far soft
        result  @ center input 12.5 list:first:second free
        chance  0% center                           = IF(counts, Each[@expected], "")
        change  +0.0                                = IF(counts, Each[@points], "")
        new_a   0 strong 7.5                          = IF(counts, Each[@after_a], "")
        new_b   0 strong 7.5                          = IF(counts, Each[@after_b], "")
        check   left attention fits:check_settings,check_date = IF(what = {n_similar},
            t.check_similar & " " & INDEX(Members[name], MAX(Each[@similar], 1)),
            CHOOSE(what + 1, "", {checks}))
        what    0 quiet helper                      = Each[@what]
        shown spare:20                              = date & first & second & result <> ""
        fault   0 quiet helper                      = IF(AND(what >= 1, what <= {faults}), 1, 0)
    names
        counts = Each[@counts] = 1
    marks
        first:second    attention   OR(what = {n_alone}, what = {n_same}, what = {n_players})
        result          attention   OR(what = {n_result}, what = {n_draw})
        result          missing     what = {n_missing}
        check           quiet       what > {faults}
"""

STEPS: Final = """
pieces
    line_of(text, list) = IFERROR(MATCH(escaped(text), list, 0), FAR)
    turn_of(player, nth) = player * TURNS + nth
    # what a column of the first, and one of the second players has of one game of one player
    at_turn(turn, firsts, seconds) = (SUMIF(Each[turn_a], turn, firsts)
                                      + SUMIF(Each[turn_b], turn, seconds))
    line_at(turn)       = IFERROR(MATCH(turn, Each[turn_a], 0), IFERROR(
                                  MATCH(turn, Each[turn_b], 0), 0))
    # what is left out where there are no draws
    drawable(value) = IF(Used[draws] = 0, "–", value)
    # a whole number written with digits only, else blank
    digits(text) = IFERROR(IF(TEXT(VALUE(text), REPT("0", LEN(text))) = text, VALUE(text), ""), "")
    # the number of a player by name, 0 for nobody
    player_of(name) = IFERROR(IF(name = "", 0, MATCH(escaped(name), Members[name], 0)), 0)

sheet steps
    table Used rows:1
        k           0           = IF(League_k = "", {usual_k}, within(League_k, 1, 200))
        start       0           = IF(League_start = "", {usual_start},
            within(League_start, 100, 4000))
        home        0           = IF(League_home = "", 0, within(League_home, -400, 400))
        draws       0           = cases(League_draws = "", 1, League_draws = t.draws_yes, 1,
            League_draws = t.draws_no, 0, "")
        least       0           = IF(League_least = "", 1, within(League_least, 1, 100))
        right       0           = IF(COUNT(k:least) = 5, 1, 0)
        games       0 text:games_counted = SUM(Each[counts])
        drawn       0           = COUNTIFS(Each[counts], 1, Each[score], 0.5)
        # as often as so far, between equals; half of the games at most
        margin      0.0         = cases(draws = 0, 0, games = 0, 0,
            400 * LOG10((1 + MIN(drawn / games, 0.5)) / (1 - MIN(drawn / games, 0.5))))
        day         0           = N(INDEX(Each[day], Each.rows))
        first_day   0           = IF(MAX(Each[day]) = 0, 0,
            SMALL(Each[day], COUNTIF(Each[day], 0) + 1))
        # of the curves over dates, in days
        pace        0           = MAX(1, ROUNDUP((MAX(Each[day]) - first_day) / {points}, 0))

    table Each rows:lines group:block
        no          0 quiet     = row_number
        date        0 9         = IF(ISNUMBER(Games[@date]), Games[@date], 0)
        first       left        = Games[@first]
        second      left        = Games[@second]
        sign        left        = SUBSTITUTE(result_read(Games[@result]), ":", "-")
        cut         0           = IFERROR(FIND("-", sign), 0)
        side_a      0           = IF(cut = 0, "", digits(LEFT(sign, cut - 1)))
        side_b      0           = IF(cut = 0, "", digits(MID(sign, cut + 1, 4)))
        # won by the first 1, by the second 0; "?" cannot be read, "–" was not played
        score       0.0         = cases(sign = "", "", Games[@result] = first, 1,
            Games[@result] = second, 0, COUNT(side_a, side_b) = 2,
            (1 + SIGN(side_a - side_b)) / 2,
            IFERROR(INDEX(Signs[score], MATCH(sign, Signs[sign], 0)), "?"))
        valid       0           = IF(AND(first <> "", second <> "", first <> second,
            first <> WRONG, second <> WRONG, ISNUMBER(score), Used[right] = 1),
            IF(AND(score = 0.5, Used[draws] = 0), 0, 1), 0)
        name_a      left        = IF(valid = 1, first, "")
        name_b      left        = IF(valid = 1, second, "")
        # the first lines with a name, as a first and as a second player
        a_first     0           = IF(valid = 1, line_of(first, Each[name_a]), FAR)
        a_second    0           = IF(valid = 1, line_of(first, Each[name_b]), FAR)
        b_first     0           = IF(valid = 1, line_of(second, Each[name_a]), FAR)
        b_second    0           = IF(valid = 1, line_of(second, Each[name_b]), FAR)
        # how many players there are after the line's first name, and after its second one
        count_a     0           = N(count_b.above) + new_a
        count_b     0           = N(count_b.above) + new_a + new_b
        number_a    0           = numbered(a_first, a_second)
        number_b    0           = numbered(b_first, b_second)
        counts      0           = IF(AND(valid = 1, MAX(number_a, number_b) <= size), 1, 0)
        first_no    0           = counts * number_a
        second_no   0           = counts * number_b
        # a player's games in the lines above: those of the block, and the one before the block
        here_a      0           = IF(counts = 0, 0,
            COUNTIF(firsts, first_no) + COUNTIF(seconds, first_no))
        here_b      0           = IF(counts = 0, 0,
            COUNTIF(firsts, second_no) + COUNTIF(seconds, second_no))
        turn_a      0           = IF(counts = 0, 0,
            turn_of(first_no, kept_games(first_no) + here_a + 1))
        turn_b      0           = IF(counts = 0, 0,
            turn_of(second_no, kept_games(second_no) + here_b + 1))
        before_a    0.0 9      = played(IF(here_a = 0, kept_rating(first_no),
            SUMIF(turns_a, turn_a - 1, afters_a) + SUMIF(turns_b, turn_a - 1, afters_b)), "")
        before_b    0.0 9      = played(IF(here_b = 0, kept_rating(second_no),
            SUMIF(turns_a, turn_b - 1, afters_a) + SUMIF(turns_b, turn_b - 1, afters_b)), "")
        expected    0.00        = played(
            ELO_EXPECTED(before_a + Used[home], before_b, "logistic"), "")
        points      +0.0        = played(Used[k] * (score - expected), 0)
        after_a     0.0 9      = played(before_a + points, 0)
        after_b     0.0 9      = played(before_b - points, 0)
        # the date of the line, or of the last line above that has one
        day         0 9         = IF(date > 0, date, N(day.above))
        meeting     0           = N(meeting.above) + IF(OR(
            AND(first_no = pair_first, second_no = pair_second),
            AND(first_no = pair_second, second_no = pair_first)), counts, 0)
        similar     0           = IF(counts = 0, 0, MAX(INDEX(Members[similar], first_no),
            INDEX(Members[similar], second_no)))
        what        0           = cases(
            first & second & sign = "", IF(wrong_date, {n_date}, 0),
            OR(first = "", second = "", first = WRONG, second = WRONG), {n_alone},
            first = second, {n_same},
            wrong_date, {n_date}, sign = "", {n_missing}, score = "?", {n_result},
            score = "–", {n_unplayed}, AND(score = 0.5, Used[draws] = 0), {n_draw},
            Used[right] = 0, {n_settings}, counts = 0, {n_players},
            similar > 0, {n_similar}, AND(date > 0, date < N(day.above)), {n_back}, 0)
    names
        new_a       = IF(AND(a_first = no, a_second > no), 1, 0)
        new_b       = IF(AND(b_second = no, b_first > no), 1, 0)
        wrong_date  = Games[@date] = WRONG
        firsts      = cell(Each, "first_no", {block} * (group_number - 1)):first_no.above
        seconds     = cell(Each, "second_no", {block} * (group_number - 1)):second_no.above
        turns_a     = cell(Each, "turn_a", {block} * (group_number - 1)):turn_a.above
        turns_b     = cell(Each, "turn_b", {block} * (group_number - 1)):turn_b.above
        afters_a    = cell(Each, "after_a", {block} * (group_number - 1)):after_a.above
        afters_b    = cell(Each, "after_b", {block} * (group_number - 1)):after_b.above
    pieces
        # MATCH for a plain comparison: columns with it LibreOffice computes in one thread, and in
        # several threads it takes a long chain of cells for a circle
        played(value, other) = IF(ISNUMBER(MATCH(1, counts:counts, 0)), value, other)
        numbered(as_first, as_second) = cases(valid = 0, 0, as_first <= as_second,
            INDEX(Each[count_a], as_first), INDEX(Each[count_b], as_second))
        kept_games(player)  = cases(group_number = 1, 0, kept("g" & (group_number - 1), player))
        kept_rating(player) = cases(group_number = 1, Used[start],
            kept("r" & (group_number - 1), player))
        kept(key, player)   = INDEX(cell(Kept, key, 1):cell(Kept, key, size), player)

    table Signs rows:signs beside:Each
        sign        @ left
        score       0.0

    table Kept rows:size beside:Signs
        no          0 quiet     = row_number
        g0          0 9 "0"       = 0
        r0          0.0 9 "0"     = Used[start]
        g{k}        0 9 "{k}"     = (g{k-1} + COUNTIF(lines_of("first_no", from{k}, to{k}), no)
            + COUNTIF(lines_of("second_no", from{k}, to{k}), no))
        r{k}        0.0 9 "{k}"   = IF(ISNUMBER(MATCH(g{k}, g{k-1}:g{k-1}, 0)), r{k-1}, SUMIF(
            lines_of("turn_a", from{k}, to{k}), turn_of(no, g{k}),
            lines_of("after_a", from{k}, to{k})) + SUMIF(
            lines_of("turn_b", from{k}, to{k}), turn_of(no, g{k}),
            lines_of("after_b", from{k}, to{k})))
    pieces
        lines_of(key, first, last) = cell(Each, key, first):cell(Each, key, last)

    table Members rows:size beside:Kept
        no          0 quiet     = row_number
        at_a        0           = IFERROR(MATCH(no, Each[count_a], 0), FAR)
        at_b        0           = IFERROR(MATCH(no, Each[count_b], 0), FAR)
        name        left        = cases(MIN(at_a, at_b) = FAR, "",
            at_a <= at_b, INDEX(Each[first], at_a), INDEX(Each[second], at_b))
        games       0           = Kept[@g{blocks}]
        won         0           = known(COUNTIFS(Each[first_no], no, Each[score], 1)
                                        + COUNTIFS(Each[second_no], no, Each[score], 0))
        drawn       0           = known(COUNTIFS(Each[first_no], no, Each[score], 0.5)
                                        + COUNTIFS(Each[second_no], no, Each[score], 0.5))
        lost        0           = known(games - won - drawn)
        rating      0.0         = known(Kept[@r{blocks}])
        best        0.0 9      = known(MAX(Used[start], SUMPRODUCT(MAX(
            (Each[first_no] = no) * Each[after_a], (Each[second_no] = no) * Each[after_b]))))
        # the numbers of the last games that were not won, and not lost
        not_won     0           = known(SUMPRODUCT(MAX(turn_of(no, 0),
            (Each[first_no] = no) * (Each[score] < 1) * Each[turn_a],
            (Each[second_no] = no) * (Each[score] > 0) * Each[turn_b])) - turn_of(no, 0))
        not_lost    0           = known(SUMPRODUCT(MAX(turn_of(no, 0),
            (Each[first_no] = no) * (Each[score] > 0) * Each[turn_a],
            (Each[second_no] = no) * (Each[score] < 1) * Each[turn_b])) - turn_of(no, 0))
        streak      +0          = known(not_lost - not_won)
        turn        0           = known(turn_of(no, games))
        last        +0.0        = known(SUMIF(Each[turn_a], turn, Each[points])
                                        - SUMIF(Each[turn_b], turn, Each[points]))
        played      0 9         = known(at_turn(turn, Each[date], Each[date]))
        month       +0.0        = known(IF(Used[day] = 0, "",
            SUMIFS(Each[points], Each[first_no], no, Each[day], ">" & (Used[day] - DAYS))
            - SUMIFS(Each[points], Each[second_no], no, Each[day], ">" & (Used[day] - DAYS))))
        # rounded, so that equal ratings share a place however they were computed
        key         0.0         = known(ROUND(rating, 6) + IF(games >= Used[least], RANKED, 0))
        order       0           = order(key, Members[key], upto[key])
        ordered     0           = IFERROR(MATCH(no, Members[order], 0), 0)
        # an earlier player whose name differs in one letter, or in two that changed places
        similar     0           = cases(row_number = 1, 0, OR(games = 0, games > NEW_GAMES,
            LEN(name) < 4), 0, ISNUMBER(-RIGHT(name, 1)), 0, SUMPRODUCT(MAX((LEN(earlier) >= 4)
            * (LEFT(name, LETTERS - 1) = LEFT(earlier, LETTERS - 1))
            * ((MID(name, LETTERS + 1, 99) = MID(earlier, LETTERS + 1, 99))
                + (MID(name, LETTERS + 1, 99) = MID(earlier, LETTERS, 99))
                + (MID(name, LETTERS, 99) = MID(earlier, LETTERS + 1, 99))
                + (MID(name, LETTERS, 1) = MID(earlier, LETTERS + 1, 1))
                    * (MID(name, LETTERS + 1, 1) = MID(earlier, LETTERS, 1))
                    * (MID(name, LETTERS + 2, 99) = MID(earlier, LETTERS + 2, 99)) > 0)
            * (cell(Members, "no", 1):no.above))))
    names
        earlier = cell(Members, "name", 1):name.above
    pieces
        known(value) = IF(games = 0, "", value)

    table Versus rows:size beside:Members
        no          0 quiet     = row_number
        won         0           = met(1, 0)
        drawn       0           = met(0.5, 0.5)
        lost        0           = met(0, 1)
        games       0           = won + drawn + lost
        gained      +0.0        = IF(games = 0, 0,
            SUMIFS(Each[points], Each[first_no], one, Each[second_no], no)
            - SUMIFS(Each[points], Each[second_no], one, Each[first_no], no))
        # most games first, then as in the table
        key         0           = IF(games = 0, "", games * FAR - INDEX(Members[order], no))
        order       0           = order(key, Versus[key], upto[key])
        ordered     0           = IFERROR(MATCH(no, Versus[order], 0), 0)
    pieces
        met(own, others) = IF(one = 0, 0,
            COUNTIFS(Each[first_no], one, Each[second_no], no, Each[score], own)
            + COUNTIFS(Each[second_no], one, Each[first_no], no, Each[score], others))

    table Points rows:points+1 beside:Versus
        no          0 quiet     = row_number - 1
        # behind the last day that one again, so that nothing is drawn
        day         0 9 text:date = MIN(MAX(Each[day]), Used[first_day] + no * Used[pace])
{points_columns}
    pieces
        games_by(player, day) = (COUNTIFS(Each[first_no], player, Each[day], "<=" & day)
            + COUNTIFS(Each[second_no], player, Each[day], "<=" & day))

    # the first of the table against each other: games won by the one of the row, and drawn ones
    table Duels rows:firsts beside:Points
        no          0 quiet     = row_number
        who         0 text:number = N(INDEX(Members[ordered], no))
        w{j}        0 "{won} {j}" = met(N(cell(Members, "ordered", {j})), 1, 0)
        d{j}        0 "{drawn} {j}" = IF(Used[draws] = 0, 0,
            met(N(cell(Members, "ordered", {j})), 0.5, 0.5))
    pieces
        met(other, own, others) = IF(OR(who = 0, other = 0, who = other), 0,
            COUNTIFS(Each[first_no], who, Each[second_no], other, Each[score], own)
            + COUNTIFS(Each[first_no], other, Each[second_no], who, Each[score], others))
"""

CURVE: Final = """
        x{s}        0 9 "x {s}"   = IF(drawn{s} = 0, 0, cases(nth{s} = 0,
            line_at(turn_of(drawn{s}, 1)) - 1, line_at(turn_of(drawn{s}, nth{s}))))
        y{s}        0.0 9 "y {s}" = cases(drawn{s} = 0, 0, nth{s} = 0, Used[start],
            at_turn(turn_of(drawn{s}, nth{s}), Each[after_a], Each[after_b]))
"""
BY_DATE: Final = """
        z{s}        0.0 9 "z {s}" = cases(OR(drawn{s} = 0, day = 0), NA(),
            games_by(drawn{s}, day) = 0, NA(),
            at_turn(turn_of(drawn{s}, games_by(drawn{s}, day)), Each[after_a], Each[after_b]))
"""

TABLE: Final = """
sheet table wall freeze:rating stretch:name
    table Table rows:size
        place   0 center strong 7       = cases(who = 0, "", INDEX(Members[key], who) < RANKED, "–",
            RANK(INDEX(Members[key], who), Members[key]))
        name    left strong 22 text:player = theirs(Members[name])
        rating  0 strong 8              = theirs(Members[rating])
        last    +0                      = theirs(Members[last])
        month   +0                      = theirs(Members[month])
        games   0                       = theirs(Members[games])
        won     0                       = theirs(Members[won])
        drawn   0                       = IF(who = 0, "", drawable(INDEX(Members[drawn], who)))
        lost    0                       = theirs(Members[lost])
        streak  +0                      = theirs(Members[streak])
        best    0 9                    = theirs(Members[best])
        played  date center 10.5        = IF(who = 0, "", IF(INDEX(Members[played], who) = 0, "",
            INDEX(Members[played], who)))
        shown                           = who > 0
    names
        who = Members[@ordered]
    pieces
        theirs(column) = IF(who = 0, "", INDEX(column, who))
    marks
        place:played    quiet   place = "–"
"""

AS_OF: Final = """
    {line} & IF(Used[games] = 0, "", IF({line} = "", "", "{separator}")
    & t.after_games & " " & Used[games]
    & IF(Used[day] = 0, "", "{separator}" & t.last_game & " " & day_said(Used[day])))
"""
"""What the table says of itself: club and place, how many games there were, and the day of the last
one."""

PLAYER: Final = """
sheet player upright titles:none down:1 tab:result
    note about_player
    cells
        one_choice @ left input list:Players_so_far
        one_name left strong text:on_show = IF(one = 0, "–", INDEX(Members[name], one))
        one_rating 0 left text:rating   = IF(one = 0, "", INDEX(Members[rating], one))
        one_best 0 left text:best       = IF(one = 0, "", INDEX(Members[best], one))
        one_record left text:record     = IF(one = 0, "", INDEX(Members[won], one) & " – "
            & IF(Used[draws] = 0, "", INDEX(Members[drawn], one) & " – ")
            & INDEX(Members[lost], one))
        one_streak +0 left text:streak  = IF(one = 0, "", INDEX(Members[streak], one))
        one_check left attention text:check = IF(AND(one_choice <> "", one = 0),
            t.check_unknown, "")
"""

RECORD: Final = """
sheet player
    table Rivals rows:rivals gap:1
        name    left strong 18 text:opponent = IF(who = 0, "", INDEX(Members[name], who))
        # as wide as the name that is chosen above it
        games   0 14                    = theirs(Versus[games])
        won     0                       = theirs(Versus[won])
        drawn   0                       = IF(who = 0, "", drawable(INDEX(Versus[drawn], who)))
        lost    0                       = theirs(Versus[lost])
        share   0% center               = IF(who = 0, "", (won + N(drawn) / 2) / games)
        gained  +0                      = theirs(Versus[gained])
        shown                           = who > 0
    names
        who = Versus[@ordered]
    pieces
        theirs(column) = IF(who = 0, "", INDEX(column, who))
    table Recent rows:recent beside:Rivals
        date    date center 10.5        = IF(line = 0, "", IF(INDEX(Each[date], line) = 0, "",
            INDEX(Each[date], line)))
        name    left 18 text:opponent   = cases(line = 0, "", as_first, INDEX(Each[second], line),
            INDEX(Each[first], line))
        outcome center strong 8         = cases(line = 0, "", own = 1, t.letter_won, own = 0,
            t.letter_lost, t.letter_drawn)
        change  +0.0 text:points        = IF(line = 0, "", IF(as_first, 1, -1)
                                            * INDEX(Each[points], line))
        after   0                       = cases(line = 0, "", as_first, INDEX(Each[after_a], line),
            INDEX(Each[after_b], line))
        shown                           = line > 0
    names
        line     = Recalled[@line]
        as_first = INDEX(Each[first_no], line) = one
        own      = IF(as_first, INDEX(Each[score], line), 1 - INDEX(Each[score], line))

sheet steps
    table Recalled rows:recent beside:Duels
        no      0 quiet                 = row_number
        line    0                       = IF(one = 0, 0, IF(INDEX(Members[games], one) < no, 0,
            line_at(turn_of(one, INDEX(Members[games], one) + 1 - no))))
"""

MATRIX: Final = """
pieces
    column_of(no) = IF(N(cell(Members,"ordered",no))=0,"",no)
sheet pair
    table Matrix rows:firsts left:7
        no      0 center quiet      = row_number
        name    left strong 16 text:player = IF(Duels[@who] = 0, "",
            INDEX(Members[name], Duels[@who]))
        v{j}    center 6.5 optional:column_of({j}) = cases(row_number = {j}, IF(name = "", "", "×"),
            Duels[@w{j}] + Duels[@d{j}] + lost({j}) = 0, "",
            Duels[@w{j}] & "–" & IF(Used[draws] = 0, "", Duels[@d{j}] & "–") & lost({j}))
        shown                       = name <> ""
    pieces
        lost(other) = cell(Duels, "w" & row_number, other)
"""

MET: Final = """
sheet pair
    table Met rows:meetings gap:2
        date    date left               = IF(line = 0, "", IF(INDEX(Each[date], line) = 0, "",
            INDEX(Each[date], line)))
        first   left                    = IF(line = 0, "", INDEX(Each[first], line))
        second  left                    = IF(line = 0, "", INDEX(Each[second], line))
        typed   @ center text:result    = IF(line = 0, "", INDEX(Games[result], line))
        gained  +0.0                    = IF(line = 0, "", INDEX(Each[points], line)
            * IF(INDEX(Each[first_no], line) = pair_first, 1, -1))
        shown                           = line > 0
    names
        line = IF(row_number > pair_games, 0, IFERROR(
            MATCH(pair_games + 1 - row_number, Each[meeting], 0), 0))
"""

CHART: Final = """
sheet chart titles:none down:1 upright tab:result
    note about_chart
    table Curves rows:slots
        no      0 center quiet 8 text:curve = row_number
        chosen  @ left input 26 list:Players_so_far
        name    left strong 22 text:on_show = IF(number = 0, "–", INDEX(Members[name], number))
        rating  0                       = IF(number = 0, "", INDEX(Members[rating], number))
        check   left attention fits:check_unknown = IF(
            AND(chosen <> "", number = 0), t.check_unknown, "")
    marks
        chosen  attention   check <> ""
    names
        number = INDEX(Drawn[number], row_number)
"""

CHOSEN: Final = """
sheet steps hidden titles:2
    note about_steps
    # what is chosen on the sheets of players: their numbers, 0 for nobody
    table Pair rows:1 gap:1
        first       0               = IF(pair_one = "", N(cell(Members, "ordered", 1)),
            player_of(pair_one))
        second      0               = cases(pair_two <> "", player_of(pair_two),
            first = N(cell(Members, "ordered", 1)), N(cell(Members, "ordered", 2)),
            N(cell(Members, "ordered", 1)))
        known       0               = IF(AND(first > 0, second > 0, first <> second), 1, 0)
        rating_a    0.0             = IF(known = 0, "", INDEX(Members[rating], first))
        rating_b    0.0             = IF(known = 0, "", INDEX(Members[rating], second))
        expected    0.00            = IF(known = 0, "",
            ELO_EXPECTED(rating_a + Used[home], rating_b, "logistic"))
        at_home     0.0             = IF(known = 0, "", rating_a + Used[home])
        win,draw,loss 0.00          = ELO_OUTCOMES(at_home, rating_b, margin, "logistic")
        margin      0.0             = Used[margin]
        games       0               = MAX(Each[meeting])
        won_a       0               = met(first, second, 1) + met_away(first, second, 0)
        drawn       0               = met(first, second, 0.5) + met_away(first, second, 0.5)
        won_b       0               = games - won_a - drawn
        gained      +0.0            = IF(known = 0, 0, SUMIFS(Each[points], Each[first_no], first,
            Each[second_no], second) - SUMIFS(Each[points], Each[first_no], second,
            Each[second_no], first))
        one         0               = IF(one_choice = "", N(cell(Members, "ordered", 1)),
            player_of(one_choice))
    pieces
        met(a, b, own) = COUNTIFS(Each[first_no], a, Each[second_no], b, Each[score], own) * known
        met_away(a, b, others) = COUNTIFS(Each[second_no], a, Each[first_no], b,
            Each[score], others) * known
    # those on the chart, and the one player
    table Drawn rows:slots+1 beside:Pair
        no          0 quiet         = row_number
        number      0               = cases(row_number > {slots}, one,
            filled(Curves[chosen]) = 0, N(INDEX(Members[ordered], no)),
            player_of(INDEX(Curves[chosen], no)))
        # a place that draws nobody repeats the first one that does
        drawn       0               = IF(number > 0, number, {leader})
        games       0               = IF(drawn = 0, 0, INDEX(Members[games], drawn))
"""

LINES: Final = (
    ("rating", "0", "Pair[rating_a]", "Pair[rating_b]"),
    ("expected", "0%", "Pair[expected]", "1 - Pair[expected]"),
    ("win", "0%", "Pair[win]", "Pair[loss]"),
    ("draw", "0%", "drawable(Pair[draw])", "drawable(Pair[draw])"),
    ("for_win", "+0.0", "Used[k] * (1 - Pair[expected])", "Used[k] * Pair[expected]"),
    (
        "for_draw",
        "+0.0",
        "drawable(Used[k] * (0.5 - Pair[expected]))",
        "drawable(Used[k] * (Pair[expected] - 0.5))",
    ),
    ("for_loss", "+0.0", "-Used[k] * Pair[expected]", "Used[k] * (Pair[expected] - 1)"),
    ("won", "0", "Pair[won_a]", "Pair[won_b]"),
    ("drawn", "0", "drawable(Pair[drawn])", "drawable(Pair[drawn])"),
    ("gained", "+0.0", "Pair[gained]", "-Pair[gained]"),
    ("streak", "+0", "INDEX(Members[streak], pair_first)", "INDEX(Members[streak], pair_second)"),
)
"""What is said of two players: key, number format, a formula for each; ``rating`` begins the next
game, ``won`` the games so far."""


def build(book: Book) -> None:
    """Declare all sheets."""
    say, players, lines = book.say, book.options.players, book.options.rounds
    block = min(BLOCK, lines)
    blocks = -(-lines // block)
    book.names |= NUMBERS
    book.names |= {
        "pair_first": "Pair[first]",
        "pair_second": "Pair[second]",
        "pair_games": "Pair[games]",
        "one": "Pair[one]",
        "LETTERS": "{" + ",".join(map(str, range(1, 31))) + "}",
    }
    front(
        book,
        Setting("Event", "event"),
        CLUB,
        PLACE,
        Setting("League_k", "k", USUAL_K, WHOLE, 1, 200),
        Setting("League_start", "start", USUAL_START, WHOLE, 100, 4000),
        Setting("League_home", "home", 0, WHOLE, -400, 400),
        Setting(
            "League_draws", "draws", say("draws_yes"), choices=(say("draws_yes"), say("draws_no"))
        ),
        Setting("League_least", "least", 1, WHOLE, 1, 100),
        rules=False,
    )
    header(book, (CLUB, PLACE))
    book.names["wall_line"] = AS_OF.format(line=book.names["wall_line"], separator=SEPARATOR)
    for key in ("games", "table", "pair", "player", "chart", "steps"):
        book.sheet(key)
    numbers: dict[str, Any] = {f"n_{key}": i for i, key in enumerate((*FAULTS, *HINTS), start=1)}
    sizes: dict[str, Any] = {
        "lines": lines,
        "block": block,
        "blocks": blocks,
        "faults": len(FAULTS),
    }
    for k in range(1, blocks + 1):
        # the last line of a block is seen from the next one: what is kept ends before it
        sizes |= {f"from{k}": block * (k - 1), f"to{k}": block * k - 1 if k < blocks else lines}
    checks = ", ".join(f"t.check_{key}" for key in (*FAULTS, *HINTS))
    book.read(GAMES, checks=checks, **sizes, **numbers)
    book.read(TABLE)
    _pair(book)
    book.read(PLAYER)
    book.read(CHART, slots=SLOTS)
    slots = [f'cell(Drawn, "number", {s})' for s in range(1, SLOTS + 1)]
    leader = f"cases({''.join(f'{slot} > 0, {slot}, ' for slot in slots)}0)"
    book.read(CHOSEN, slots=SLOTS, leader=leader)
    signs = [
        {"sign": normal(text).replace(":", "-"), "score": "–" if scores[0] is None else scores[0]}
        for text, scores in spellings().items()
        if text
    ]
    points = "".join(CURVE.replace("{s}", str(s)) for s in range(1, SLOTS + 2))
    points += "".join(BY_DATE.replace("{s}", str(s)) for s in range(1, SLOTS + 1))
    names = "".join(
        f'        drawn{s} = cell(Drawn, "drawn", {s})\n'
        f'        nth{s} = MIN(no, cell(Drawn, "games", {s}))'
        f' + MAX(0, cell(Drawn, "games", {s}) - {POINTS})\n'
        for s in range(1, SLOTS + 2)
    )
    firsts = min(players, FIRST_OF_TABLE)
    book.read(
        STEPS.replace("{points_columns}", points.strip("\n") + "\n    names\n" + names),
        loops={"k": range(1, blocks + 1), "j": range(1, firsts + 1)},
        data={"Signs": signs},
        usual_k=USUAL_K,
        usual_start=USUAL_START,
        signs=len(signs),
        points=POINTS,
        firsts=firsts,
        won=say("column_won"),
        drawn=say("column_drawn"),
        **sizes,
        **numbers,
    )
    book.read(RECORD, recent=RECENT, rivals=min(players, RECENT))
    recent = book.tables["Recent"]
    recent.sheet.widths[recent.left - 1] = GAP
    book.read(MET, meetings=MEETINGS)
    met = book.tables["Met"]
    gained = Formula('IF(pair_first = 0, "", t.points_of & " " & INDEX(Members[name], pair_first))')
    met.sheet.put(met.header, met.at["gained"], gained, "heading", align="right", measure=False)
    ranked = book.tables["Table"].column("name")
    count = f'MAX(1,SUMPRODUCT(--({ranked.reference}<>"")))'
    first = ranked.at(0).reference
    book.defined["Players_so_far"] = f"{first}:INDEX({ranked.reference},{count})"
    _charts(book)


def _pair(book: Book) -> None:
    """Two players: what is chosen, the odds of their next game, their games so far."""
    say, sheet = book.say, book.sheet("pair")
    firsts = min(book.options.players, FIRST_OF_TABLE)
    book.read(f"sheet pair titles:none down:1 tab:result area:v{firsts}\n    note about_pair")
    sheet.widths.update({1: 25.0, 2: 16.0, 3: 16.0, 4: 12.0, 5: 12.0, 6: GAP})
    sheet.row += 1
    top = sheet.row
    sheet.put(top, 1, say("column_player"), "label", align="left", measure=False)
    asked = Validation.read("list:Players_so_far", "chosen", Statement("chosen", "ladder"))
    assert asked is not None
    for column, key in ((2, "pair_one"), (3, "pair_two")):
        cell = sheet.put(top, column, book.content.get(key), "input", "@", "center", measure=False)
        label = f"{sheet.title}: {say('column_player')}"
        sheet.name(key, read_single(key, cell, Reading(), label))
        sheet.validations.append((cell, asked, None))
    check = Formula(
        'cases(Pair[known] = 1, "", AND(pair_one = "", pair_two = ""), "", '
        "AND(pair_first = pair_second, pair_first > 0), t.check_same, t.check_unknown)"
    )
    sheet.put(top, 4, check, "status", align="left", measure=False)
    sheet.row += 1
    names = [
        f'IF(pair_{p} = 0, "{NONE}", INDEX(Members[name], pair_{p}))' for p in ("first", "second")
    ]
    for key, number_format, *sides in LINES:
        if key in ("rating", "won"):
            sheet.row += 1
            if key == "rating":
                head = sheet.row
            part = say("part_next" if key == "rating" else "part_so_far")
            headings: list[str | Formula] = [part, *map(Formula, names)]
            for column, heading in enumerate(headings, start=1):
                align = "left" if column == 1 else "center"
                sheet.put(sheet.row, column, heading, "heading", align=align, measure=False)
            sheet.row += 1
        role = "strong" if key in ("expected", "won") else "computed"
        sheet.put(sheet.row, 1, say(f"line_{key}"), "label", align="left", measure=False)
        for column, text in enumerate(sides, start=2):
            shown = Formula(f'IF(Pair[known] = 0, "", {text})')
            look = number_format
            if number_format.startswith("+"):
                look = f"{number_format};-{number_format[1:]};0"
            sheet.put(sheet.row, column, shown, role, look, "center", measure=False)
        sheet.row += 1
    # beside them, from the heading of the next game on
    below, sheet.row = sheet.row, head
    book.read(MATRIX, loops={"j": range(1, firsts + 1)}, firsts=firsts)
    sheet.row = max(below, sheet.row)
    matrix = book.tables["Matrix"]
    says = Formula("IF(Used[draws] = 0, t.matrix_decided, t.matrix_drawn)")
    sheet.put(head - 1, matrix.left, says, "label", align="left", measure=False)


def _charts(book: Book) -> None:
    """The curves of the chosen players, over dates and over the games of the league, and that of
    the one player."""
    say, points, chosen = book.say, book.tables["Points"], book.tables["Curves"]
    rivals = book.tables["Rivals"]
    y, games = Axis(say("column_rating"), RATINGS), Axis(say("axis_games"), COUNTS)
    dates = Axis(say("column_date"), MONTHS, months=True)

    def drawn(letter: str) -> Chart:
        curves = [
            Curve(
                chosen.cell("name", s - 1),
                points.column("day" if letter == "d" else f"x{s}"),
                points.column(f"{'z' if letter == 'd' else 'y'}{s}"),
            )
            for s in range(1, SLOTS + 1)
        ]
        x = dates if letter == "d" else games
        return curve_chart(say(f"chart_{letter}"), curves, x, y, (22.0, 11.0))

    def alone() -> Chart:
        name = say("column_rating")
        one = Curve(name, points.column(f"x{SLOTS + 1}"), points.column(f"y{SLOTS + 1}"))
        return curve_chart(say("chart_one"), (one,), games, y, (26.0, 9.0))

    top = chosen.last + 2
    for i, letter in enumerate("dx"):
        chosen.sheet.chart(partial(drawn, letter), f"A{top + 23 * i}", say(f"chart_{letter}_text"))
    rivals.sheet.chart(alone, f"A{rivals.header + RECENT + 2}", say("chart_one_text"))


LEAGUE: Final = (
    ("Amara", 1760),
    ("Ben", 1650),
    ("Chiara", 1600),
    ("Deniz", 1560),
    ("Elif", 1520),
    ("Farid", 1500),
    ("Greta", 1480),
    ("Hugo", 1440),
    ("Ines", 1400),
    ("Jonas", 1360),
    ("Kaya", 1300),
    ("Luca", 1210),
)
"""The sample's players, with strengths that nobody sees."""
LATE: Final = "Kaya"
"""who joins in the second month"""
SAMPLE_GAMES: Final = 152
FIRST: Final = date(2026, 1, 12)


def sample(options: Options) -> Content:
    """An invented office's table tennis, best of five: a few games most days, most often between
    players of about the same strength."""
    chance, say = random.Random(20262), texts(options.language)
    league = LEAGUE[: options.players]
    games: list[dict[str, Constant]] = []
    day = FIRST
    while len(games) < min(SAMPLE_GAMES, options.rounds):
        here = [m for m in league if m[0] != LATE or day > FIRST + timedelta(40)]
        pairs = [(one, two) for one in here for two in here if one != two]
        weights = [1 / (60 + abs(one[1] - two[1])) for one, two in pairs]
        for _ in range(chance.choice((0, 1, 1, 2, 2, 3)) if day.weekday() < 5 else 0):
            one, two = chance.choices(pairs, weights)[0]
            sets, won, lost = float(expected(0.6 * (one[1] - two[1]), "logistic")), 0, 0
            while max(won, lost) < 3:
                win = chance.random() < sets
                won, lost = won + win, lost + (not win)
            games.append(game(day, one[0], two[0], f"{won}-{lost}"))
        day += timedelta(1)
    return {
        **on_the_wall(say, ("Place",)),
        "Event": say("ladder.sample_event"),
        "League_k": 32,
        "League_draws": say("ladder.draws_no"),
        "League_least": 5,
        "Games": games[: options.rounds],
        "pair_one": league[-1][0] if len(league) < 3 else league[2][0],
        "pair_two": league[0][0] if len(league) < 3 else league[1][0],
        "one_choice": league[1][0],
    }


def game(
    day: Constant = None, first: Constant = None, second: Constant = None, result: Constant = None
) -> dict[str, Constant]:
    """A line as it is typed."""
    return {"date": day, "first": first, "second": second, "result": result}
