"""``ladder``: an office or club league with Elo ratings, game after game.

Sheets: the first one, *Games* (typed in the order in which they were played, with the ratings after
each), *Own first ratings* (of those who do not begin as everybody does), *Table* (to print and pin
up), *Head to head* (two players: odds of their next game, their games so far; the first of the
table against each other), *One player* (their last games, their record against everybody), *Chart*
and *Steps*.

Players are those who have played: the first game of a name makes a player. Each player's games are
numbered, so a game's line finds the ratings before it by two numbers, player and game. It looks for
them among the lines of its own block only; what stood before the block is kept beside it, a row a
player. So the work grows with the games, not with their square. The season of the game before is
found in the same way: a player moves towards the first rating in the line of their first game of a
season.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any, Final

from elo_xl.books.book import Book, Constant, Content, Options
from elo_xl.books.front import Setting, front
from elo_xl.books.styles import WHOLE
from elo_xl.books.texts import texts
from elo_xl.books.typed import looked_up
from elo_xl.engine.models import expected
from elo_xl.engine.results import PENALTIES, SPELLINGS, read_result
from elo_xl.engine.usual import USUAL_K, USUAL_START
from elo_xl.templates.blocks.ladder_sheets import ladder_sheets
from elo_xl.templates.blocks.margins import CHOICES, margins
from elo_xl.templates.blocks.wall import CLUB, PLACE
from elo_xl.templates.samples import on_the_wall

BLOCK: Final = 100
"""Lines among which a game looks for the games before it."""


NUMBERS: Final = {
    "FAR": 1_000_000,  # the line of what stands nowhere
    "TURNS": 10_000,  # a player's number times this, plus the number of their game
    "DAYS": 30,  # of the change that the table shows
    "NEW_GAMES": 2,  # up to which a name may be a misspelling
    "RANKED": 1_000_000,  # added to the rating of those who have enough games for a place
}

FAULTS: Final = ("alone", "same", "date", "result", "draw", "players")
"""What is wrong with a line, by the numbers of Each[what] from 1 on; the game waits, except for a
date."""
HINTS: Final = ("settings", "missing", "unplayed", "back", "similar", "sides")
"""What is only remarked of a line, by the numbers after those: no fault, even if it waits."""

GAMES: Final = """
commands
    publish table
    pictures table pair
    curves Each
    page league
    players Starts
    games Games uncoloured of:Members
        score = Each[@score]
        name = name
        rating = rating_at_start(name)
        now = rating
    next
        blank Event pair_one pair_two one_choice
        keep Starts
        fill Starts from:Members
            name = name
            rating = ROUND(Used[start] + (1 - Used[reversion]) * (rating - Used[start]), 6)
            note = IF(Used[reversion] = 0, "", "ratings of those who have played are "
                & ROUND(100 * Used[reversion], 6) & " % nearer to " & Used[start])

sheet games upright freeze:date area:new_b ordered
    note about_games
    note bigger_games games=lines
    table Games rows:lines
        no      0 center quiet                      = row_number
        date    date center input 10.5 date:DATE(1950,1,1)..DATE(2199,12,31)
        first   @ left input 16 list:Players_so_far soft
        second  @ left input 16 list:Players_so_far soft
        result  @ center input 10 list:first:second free
        change  +0.0 center                         = IF(counts, Each[@points], "")
        new_a   0 center strong 9.5         = IF(counts, Each[@after_a], "")
        new_b   0 center strong 9.5         = IF(counts, Each[@after_b], "")
        what    0 quiet helper                      = Each[@what]
        shown spare:20                              = date & first & second & result <> ""
        fault   0 quiet helper                      = IF(AND(what >= 1, what <= {faults}), 1, 0)
        # nothing stands to its right, so what it says flows over the columns there
        check   left attention 5                    = IF(what = {n_similar},
            t.check_similar & " " & INDEX(Members[name], MAX(Each[@similar], 1)),
            CHOOSE(what + 1, "", {checks}))
    names
        counts = Each[@counts] = 1
    marks
        first:second    attention   OR(what = {n_alone}, what = {n_same}, what = {n_players})
        result          attention   OR(what = {n_result}, what = {n_draw})
        result          missing     what = {n_missing}
        check           quiet       what > {faults}
        # between weeks, which begin on a Monday
        no:check        begin       INT((N(date) - 2) / 7) <> INT((N(date.above) - 2) / 7)
"""

STARTS: Final = """
sheet starts upright freeze:rating stretch:check
    note about_starts
    table Starts rows:size
        no      0 center quiet              = row_number
        name    @ left input 22 text:player
        rating  input 10 decimal:-9999..9999
        check   left attention fits:check_name,check_twice,check_start = cases(
            filled(name:rating) = 0, "", OR(name = "", name = WRONG), t.check_name,
            times(Starts[name], name) > 1, t.check_twice,
            OR(rating = "", ISNUMBER(rating)), "", t.check_start)
        fault   0 quiet helper              = IF(check = "", 0, 1)
        shown spare:5                       = filled(name:rating) > 0
    inputs
        name soft = times(Starts[name], name) = 1
    marks
        name    attention   OR(check = t.check_name, check = t.check_twice)
        rating  attention   check = t.check_start
"""

STEPS: Final = """
pieces
    # a player's own first rating, else everybody's
    rating_at_start(name) = IFERROR(1 * INDEX(Starts[rating],
        MATCH(escaped(name), Starts[name], 0)), Used[start])
    # the K of a player's game by its number; one with a first rating of their own is not new
    k_of(name, number) = IF(number > Used[first], Used[k],
        IF(ISNUMBER(INDEX(Starts[rating], MATCH(escaped(name), Starts[name], 0))), Used[k],
            Used[first_k]))
    weight_of(score, size, ahead) = margin_weight(League_margin, IF(score > 0.5, size, 0),
        IF(score < 0.5, size, 0), ahead)
    # names that look like those of two players
    several(name) = SUMPRODUCT(--ISNUMBER(FIND({"&","/","+"}, name)))
    line_of(text, list) = IFERROR(MATCH(escaped(text), list, 0), FAR)
    turn_of(player, nth) = player * TURNS + nth
    # what a column of the first, and one of the second players has of one game of one player
    at_turn(turn, firsts, seconds) = (SUMIF(Each[turn_a], turn, firsts)
                                      + SUMIF(Each[turn_b], turn, seconds))
    line_at(turn)       = IFERROR(MATCH(turn, Each[turn_a], 0), IFERROR(
                                  MATCH(turn, Each[turn_b], 0), 0))
    # what is left out where there are no draws
    drawable(value) = IF(Used[draws] = 0, "", value)
    # a whole number written with digits only, else blank
    digits(text) = IFERROR(IF(TEXT(VALUE(text), REPT("0", LEN(text))) = text, VALUE(text), ""), "")
    # the number of a player by name, 0 for nobody
    player_of(name) = IFERROR(IF(name = "", 0, MATCH(escaped(name), Members[name], 0)), 0)

sheet steps hidden titles:2
    note about_steps
    table Used rows:1 gap:1
        k           0           = IF(League_k = "", {usual_k}, within(League_k, 1, 200))
        start       0           = IF(League_start = "", {usual_start},
            within(League_start, 100, 4000))
        home        0           = IF(League_home = "", 0, within(League_home, -400, 400))
        draws       0           = cases(League_draws = "", 1, League_draws = t.draws_yes, 1,
            League_draws = t.draws_no, 0, "")
        first       0 text:first_games = IF(League_first = "", 0, within(League_first, 0, 100))
        first_k     0           = IF(League_first_k = "", k, within(League_first_k, 1, 200))
        least       0           = IF(League_least = "", 1, within(League_least, 1, 100))
        reversion   0%          = IF(League_reversion = "", 0,
            IF(within(League_reversion, 0, 100) = "", "", League_reversion / 100))
        begins      0           = IF(League_season = "", 1, within(League_season, 1, 12))
        right       0           = IF(AND(COUNT(k:begins) = 9, League_margin <> WRONG,
            League_days <> WRONG), 1, 0)
        games       0 text:games_counted = SUM(Each[counts])
        drawn       0           = COUNTIFS(Each[counts], 1, Each[score], 0.5)
        # as often as so far, between equals; half of the games at most
        margin      0.0         = cases(draws = 0, 0, games = 0, 0,
            400 * LOG10((1 + MIN(drawn / games, 0.5)) / (1 - MIN(drawn / games, 0.5))))
        day         0           = N(INDEX(Each[day], Each.rows))

    table Each rows:lines group:block
        no          0 quiet     = row_number
        date        0 9         = IF(ISNUMBER(Games[@date]), Games[@date], 0)
        first       left        = Games[@first]
        second      left        = Games[@second]
        sign        left        = normal_form(Games[@result])
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
        season      0           = MAX(N(season.above), IF(date > 0,
            YEAR(date) + IF(MONTH(date) >= Used[begins], 1, 0), 0))
        # what the season leaves of the distance from the first rating, by that of the game before
        stays_a     0.00        = stays(IF(here_a = 0, kept("s", first_no),
            SUMIF(turns_a, turn_a - 1, seasons) + SUMIF(turns_b, turn_a - 1, seasons)))
        stays_b     0.00        = stays(IF(here_b = 0, kept("s", second_no),
            SUMIF(turns_a, turn_b - 1, seasons) + SUMIF(turns_b, turn_b - 1, seasons)))
        before_a    0.0 9      = played(moved(stays_a, IF(here_a = 0, kept("r", first_no),
            SUMIF(turns_a, turn_a - 1, ratings_a) + SUMIF(turns_b, turn_a - 1, ratings_b))), "")
        before_b    0.0 9      = played(moved(stays_b, IF(here_b = 0, kept("r", second_no),
            SUMIF(turns_a, turn_b - 1, ratings_a) + SUMIF(turns_b, turn_b - 1, ratings_b))), "")
        expected    0.00        = played(
            ELO_EXPECTED(before_a + Used[home], before_b, "logistic"), "")
        surplus     0.00        = played((score - expected)
            * weight_of(score, size_of_win, before_a + Used[home] - before_b), 0)
        points      +0.0        = played(k_of(first, MOD(turn_a, TURNS)) * surplus, 0)
        points_b    +0.0        = played(-k_of(second, MOD(turn_b, TURNS)) * surplus, 0)
        after_a     0.0 9      = played(before_a + points, 0)
        after_b     0.0 9      = played(before_b + points_b, 0)
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
            similar > 0, {n_similar}, AND(date > 0, date < N(day.above)), {n_back},
            several(first) + several(second) > 0, {n_sides}, 0)
    names
        new_a       = IF(AND(a_first = no, a_second > no), 1, 0)
        new_b       = IF(AND(b_second = no, b_first > no), 1, 0)
        wrong_date  = Games[@date] = WRONG
        # the margin of a win, 1 where only the winner is known
        size_of_win = IF(COUNT(side_a, side_b) = 2, ABS(side_a - side_b), 1)
        firsts      = cell(Each, "first_no", {block} * (group_number - 1)):first_no.above
        seconds     = cell(Each, "second_no", {block} * (group_number - 1)):second_no.above
        turns_a     = cell(Each, "turn_a", {block} * (group_number - 1)):turn_a.above
        turns_b     = cell(Each, "turn_b", {block} * (group_number - 1)):turn_b.above
        ratings_a   = cell(Each, "after_a", {block} * (group_number - 1)):after_a.above
        ratings_b   = cell(Each, "after_b", {block} * (group_number - 1)):after_b.above
        seasons     = cell(Each, "season", {block} * (group_number - 1)):season.above
    pieces
        # MATCH for a plain comparison: columns with it LibreOffice computes in one thread, and in
        # several threads it takes a long chain of cells for a circle
        played(value, other) = IF(ISNUMBER(MATCH(1, counts:counts, 0)), value, other)
        numbered(as_first, as_second) = cases(valid = 0, 0, as_first <= as_second,
            INDEX(Each[count_a], as_first), INDEX(Each[count_b], as_second))
        kept_games(player)  = cases(group_number = 1, 0, kept("g", player))
        kept(key, player)   = INDEX(cell(Kept, key & (group_number - 1), 1):
            cell(Kept, key & (group_number - 1), size), player)
        # a player without a game, or with games before any date, begins no new season
        stays(last) = cases(counts * N(Used[reversion]) = 0, 1, OR(last = 0, last = season), 1,
            1 - Used[reversion])
        moved(share, rating) = Used[start] + share * (rating - Used[start])

    table Signs rows:signs beside:Each
        sign        @ left
        score       0.0

    table Kept rows:size beside:Signs
        no          0 quiet     = row_number
        g0          0 9 "0"       = 0
        r0          0.0 9 "0"     = rating_at_start(INDEX(Members[name], no))
        s0          0 9 "0"       = 0
        g{k}        0 9 "{k}"     = (g{k-1} + COUNTIF(lines_of("first_no", from{k}, to{k}), no)
            + COUNTIF(lines_of("second_no", from{k}, to{k}), no))
        r{k}        0.0 9 "{k}"   = IF(ISNUMBER(MATCH(g{k}, g{k-1}:g{k-1}, 0)), r{k-1}, SUMIF(
            lines_of("turn_a", from{k}, to{k}), turn_of(no, g{k}),
            lines_of("after_a", from{k}, to{k})) + SUMIF(
            lines_of("turn_b", from{k}, to{k}), turn_of(no, g{k}),
            lines_of("after_b", from{k}, to{k})))
        s{k}        0 9 "{k}"     = IF(ISNUMBER(MATCH(g{k}, g{k-1}:g{k-1}, 0)), s{k-1}, SUMIF(
            lines_of("turn_a", from{k}, to{k}), turn_of(no, g{k}),
            lines_of("season", from{k}, to{k})) + SUMIF(
            lines_of("turn_b", from{k}, to{k}), turn_of(no, g{k}),
            lines_of("season", from{k}, to{k})))
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
        best        0.0 9      = known(MAX(Kept[@r0], SUMPRODUCT(MAX(
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
        last        +0.0        = known(at_turn(turn, Each[points], Each[points_b]))
        played      0 9         = known(at_turn(turn, Each[date], Each[date]))
        month       +0.0        = known(IF(Used[day] = 0, "",
            SUMIFS(Each[points], Each[first_no], no, Each[day], ">" & (Used[day] - DAYS))
            + SUMIFS(Each[points_b], Each[second_no], no, Each[day], ">" & (Used[day] - DAYS))))
        share       0%          = known((won + drawn / 2) / games)
        away        0           = IF(games = 0, 0, IF(AND(ISNUMBER(League_days), played > 0,
            played + N(League_days) < Used[day]), 1, 0))
        # rounded, so that equal ratings share a place however they were computed
        # and those who are not shown come last
        key         0.0         = known(ROUND(rating, 6) + IF(games >= Used[least], RANKED, 0)
            - 3 * RANKED * away)
        order       0           = order(key, Members[key], upto[key])
        ordered     0           = IFERROR(MATCH(no, Members[order], 0), 0)
        listed      left        = IF(ordered = 0, "", INDEX(Members[name], ordered))
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

"""


def build(book: Book) -> None:
    """Declare all sheets."""
    say, lines = book.say, book.options.rounds
    kinds = [say(f"margin_{kind}") for kind in CHOICES]
    margins(book)
    block = min(BLOCK, lines)
    blocks = -(-lines // block)
    book.names |= NUMBERS
    book.names["LETTERS"] = "{" + ",".join(map(str, range(1, 31))) + "}"
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
        Setting("League_reversion", "reversion", 0, WHOLE, 0, 100),
        Setting("League_season", "season", 1, WHOLE, 1, 12),
        Setting("League_first", "first_games", None, WHOLE, 0, 100),
        Setting("League_first_k", "first_k", None, WHOLE, 1, 200),
        Setting("League_margin", "margin", kinds[0], choices=kinds),
        Setting("League_days", "days", None, WHOLE, 1, 1000),
        rules=False,
    )
    for key in ("games", "table", "cross", "pair", "player", "chart", "starts", "steps"):
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
    book.read(STARTS)
    signs = [
        {"sign": looked_up(text), "score": "–" if score is None else score}
        for text, codes in SPELLINGS.items()
        if text and codes not in PENALTIES.values()
        for score in [read_result(text)[0]]
    ]
    book.read(
        STEPS,
        k=range(1, blocks + 1),
        Signs=signs,
        usual_k=USUAL_K,
        usual_start=USUAL_START,
        signs=len(signs),
        **sizes,
        **numbers,
    )
    ladder_sheets(book)


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
BEFORE: Final = (("Amara", 1600), ("Ben", 1560), ("Luca", 1400))
"""whose ratings the sample has from the season before"""
SHOWN: Final = ("Amara", "Ben", "Elif", "Farid", "Ines", "Kaya")
"""whose curves the sample's chart has: they seldom cross"""
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
        # an office plays from Monday to Friday
        for _ in range(chance.choice((0, 1, 1, 2, 2, 3)) if day.weekday() < 5 else 0):
            one, two = chance.choices(pairs, weights)[0]
            sets, won, lost = float(expected(0.6 * (one[1] - two[1]), "logistic")), 0, 0
            while max(won, lost) < 3:
                win = chance.random() < sets
                won, lost = won + win, lost + (not win)
            games.append(game(day, one[0], two[0], f"{won}-{lost}"))
        day += timedelta(1)
    games = games[: options.rounds]
    played = {line[side] for line in games for side in ("first", "second")}
    return {
        **on_the_wall(say, ("Place",)),
        "Event": say("ladder.sample_event"),
        "League_k": 32,
        "League_draws": say("ladder.draws_no"),
        "League_least": 5,
        "Starts": [{"name": n, "rating": start} for n, start in BEFORE[: options.players]],
        "Games": games,
        "Curves": [{"chosen": n} for n, _ in league if n in SHOWN and n in played],
        "pair_one": league[-1][0] if len(league) < 3 else league[2][0],
        "pair_two": league[0][0] if len(league) < 3 else league[1][0],
        "one_choice": league[1][0],
    }


def game(
    day: Constant = None, first: Constant = None, second: Constant = None, result: Constant = None
) -> dict[str, Constant]:
    """A line as it is typed."""
    return {"date": day, "first": first, "second": second, "result": result}
