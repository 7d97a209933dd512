"""``round-robin``: everybody meets everybody, once or in several *cycles*; each result is typed
once, into half a crosstable.

Typed are *Players*, *Results* and, on *Berger table*, the dates of the rounds. For the wall there
are *Crosstable*, *Standings*, *Pairings* (of one round), *Next round* (what each result in it would
mean), *Rounds* (all of them), *Prizes* and *Prize money*. *Ratings*, *Why*, *Each game*, *Signs*,
*Tie-breaks* (those that can be chosen) and, hidden, *Tie-break figures* and *Steps*, which hold
what the others read, complete the book.

The rounds are those of FIDE's Berger tables for as many players as there are: the last number that
has a name decides. A blank line above it is a free number: who meets it has a bye. From cycle
to cycle colours change, and some rounds are exchanged (:mod:`elo_xl.events.berger` says why). In
*Results* the games of two players stand side by side.

Forfeits count as they are written, in tie-breaks, too, as FIDE has it for events in which
everybody meets everybody (C.07); the order is by points and up to five tie-breaks, by default
Sonneborn–Berger. A player who withdraws with fewer than half of the games played
leaves the standings, and points against this player do not count. After half of the games all
points count, and what was not played is lost by forfeit. Games count for ratings in either case.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from elo_xl.books.book import Book, Constant, Content, Options
from elo_xl.books.front import Setting, front
from elo_xl.books.signs import PAIRED, results
from elo_xl.books.texts import texts
from elo_xl.books.typed import read_top
from elo_xl.templates.blocks.cycles import LETTERS
from elo_xl.templates.blocks.games import ahead, each_game, why
from elo_xl.templates.blocks.players import EVENT_SETTING, YEAR, YEAR_SETTING, counted, players
from elo_xl.templates.blocks.prizes import prizes, purse, purse_settings
from elo_xl.templates.blocks.ratings import ratings
from elo_xl.templates.blocks.tie_breaks import (
    CHOSEN_COLUMNS,
    PLACES,
    counting_settings,
    name_chosen,
    round_robin_tie_breaks,
    settings,
)
from elo_xl.templates.blocks.wall import START, START_SAID, WALL_SETTINGS, from_where, people
from elo_xl.templates.samples import MEMBERS, on_the_wall, result, rows, tie_breaks
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR
from elo_xl.xlsx.formula import parse

PLAYED: Final = 3
"""The first signs of the list are those of games that were played."""

NARROW: Final = 20
"""With more players than this the cells of the crosstable are narrower, so that it fits on A4."""

SO_FAR: Final = (
    'cases(round_begun < round_open, t.after_round & " " & round_begun, '
    't.after_games & " " & arrived & " / " & arrived + missing)'
)
"""Of which results tables are made, before all are there."""

TYPED: Final = """
commands
    publish standings
    pictures crosstable standings
    boards Board white,rating_w,white_no black,rating_b,black_no number:round_shown
    games Cross cross
        rank = IF(Points[@rank] = 0, "", Points[@rank])
    report "Individual: Round-Robin"
    page event

sheet entry freeze:points stretch:name ordered
    note about_entry
    note about_entry_more
    ?several note about_cycles
    table Cross rows:size
        no          0 center quiet          = row_number
        name        left strong 22          = Counted[@name]
        points      0.0                     = Points[@total]
        late        center format:"0;;" 9   = SUMPRODUCT((Final[@v1:{last_v}] = 0)
            * (ABS(Met[@v1:{last_v}]) <= round_begun) * (Met[@v1:{last_v}] <> 0)
            * (COLUMN(Final[@v1:{last_v}]) > in_all(no) + {left}))
        v{j}{c}     @ center cell 4.2 result optional:IF(entrants>{j-1},game_of{c}({j}),"") = cases(
            row_number = {j}, BLOCKED, row_number < {j}, INPUT,
            sign(Final[@v{j}{c}]))
        # a result of nobody is seen, too
        shown                               = OR(no <= MIN(entrants, seats),
                                                 COUNTIF(Place[@v1:{last_v}], -1) > 0)
"""
"""A cell above the diagonal is typed; one below it shows the same game from the other side."""

STEPS: Final = """
pieces
    wins(a, b)      = IF(MAX(a, b) = seats, 2 * MIN(a, b) <= seats, MOD(a + b, 2) = 1)
    sign(place)     = IF(N(place) > 0, INDEX(Result_signs, MAX(N(place), 1)), "")
    rated_game(a, b, place) = IF(IF(OR(rules.all_rated, a = ""), FALSE, wide(a, b)), FALSE,
                               INDEX(Result_rated, place) = 1)

sheet steps hidden
    cells
        entrants    0 = SUMPRODUCT(MAX((Counted[name] <> "") * Counted[no]))
        seats       0 = IF(entrants < 2, 0, entrants + MOD(entrants, 2))
        last_round  0 = MAX(in_all(seats - 1), 0)
        boards      0 = seats / 2
        missing     0 = COUNTIF(Final[v1:{last_v}], 0) / 2
        arrived     0 = COUNTIF(Place[v1:{last_v}], ">0") / 2
        # the last round with a result, and the first one in which any is missing
        round_begun 0 = SUMPRODUCT(MAX((Place[v1:{last_v}] > 0) * ABS(Met[v1:{last_v}])))
        round_open  0 = IF(missing = 0, last_round, SUMPRODUCT(MIN(ABS(Met[v1:{last_v}])
                            + 1000 * ((Met[v1:{last_v}] = 0) + (Final[v1:{last_v}] <> 0)))))
        round_shown 0 = IF(ISNUMBER(Round_shown), MIN(Round_shown, last_round), round_open)
    # the rounds of all cycles: which one of Berger's table it is, whose colours hold for side 1,
    # who would meet themselves in it, and whether they have White against the last number
    ?several table Schedule rows:most_rounds gap:1
        no      0 quiet text:round          = row_number
        cycle   0                           = IF(no > last_round, 0,
                                                 1 + INT((no - 1) / (seats - 1)))
        side    0 text:table_side           = IF(MOD(cycle, 2) = 1, 1, -1)
        base    0                           = cases(cycle = 0, 0,
            OR(seats < 4, in_cycle < seats - 2, IF(seats = 4, side < 0, cycle = cycles)), in_cycle,
            2 * seats - 3 - in_cycle)
        alone   0                           = IF(base = 0, 0,
            IF(MOD(base, 2) = 1, base + 1, base + seats) / 2)
        white   0 text:white_alone          = IF(MOD(base + cycle, 2) = 0, 1, 0)
    ?several names
        in_cycle = no - (cycle - 1) * (seats - 1)
    table Across rows:3+several gap:1
        no      0 quiet heading:none        = EMPTY
        name    left label "{t.section_across}" = cases(row_number = 1, t.column_rating,
            row_number = 2, t.column_active, row_number = 3, t.column_points, t.column_no)
        v{j}{c} 0.0 heading:{j}             = cases(row_number = 1, cell(Counted, "rating", {j}),
            row_number = 2, cell(Counted, "active", {j}),
            row_number = 3, N(cell(Points, "total", {j})), {j})
    # the round in which two meet, negative for Black
    table Met rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{t.section_met}"        = Counted[@name]
        v{j}{c} 0 heading:{j}               = cases(row_number = {j}, 0,
            MAX(no, {j}) > seats, 0,
            in_cycle{c}((no < {j}) = wins(no, {j}), 1 + MOD(IF(MAX(no, {j}) = seats,
                2 * MIN(no, {j}), no + {j}) - 2, seats - 1)))
    # the sign that was typed, by its place in the list; -1 for an entry that makes no sense
    table Place rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{t.section_place}"      = Counted[@name]
        v{j}{c} 0 heading:{j}               = cases(row_number = {j}, 0,
            row_number < {j}, cases(Cross_v{j}{c}[@v{j}{c}] = "", 0,
                OR(Cross_v{j}{c}[@v{j}{c}] = WRONG, name = "", cell(Counted, "name", {j}) = ""), -1,
                sign_of(Cross_v{j}{c}[@v{j}{c}])),
            MAX(cell(Place, "v" & row_number & "{c}", {j}), 0))
    # the sign that counts, from each player's side: forfeits of those who have withdrawn, too;
    # 0 for a result that is missing, -1 for none to come
    table Final rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{t.section_final}"      = Counted[@name]
        v{j}{c} 0 heading:{j}               = cases(row_number = {j}, -1,
            row_number < {j}, cases(OR(name = "", cell(Counted, "name", {j}) = ""), -1,
                Place[@v{j}{c}] > 0, Place[@v{j}{c}],
                AND(Players[@out] <> YES, cell(Players, "out", {j}) <> YES), 0,
                Counted[@active] * cell(Counted, "active", {j}) = 0, -1,
                Players[@out] <> YES, FORFEIT_WON, cell(Players, "out", {j}) <> YES, FORFEIT_LOST,
                FORFEIT_BOTH),
            IF(cell(Final, "v" & row_number & "{c}", {j}) > 0, MATCH(INDEX(Result_mirror,
                MAX(cell(Final, "v" & row_number & "{c}", {j}), 1)), Result_signs, 0),
                cell(Final, "v" & row_number & "{c}", {j})))
    table Points rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{t.section_points}"     = Counted[@name]
        v{j}{c} 0.0 heading:{j}             = IF(Final[@v{j}{c}] > 0,
            worth_of(2 * INDEX(Result_points, MAX(Final[@v{j}{c}], 1))), "")
        total   0.0 text:points             = IF(name = "", "",
            SUMPRODUCT(v1:{last_v}, active_across))
        rank    0                           = IF(Counted[@key] = "", "",
            RANK(Counted[@key], Counted[key]))
    table Scores rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{t.section_scores}"     = Counted[@name]
        v{j}{c} 0.0 heading:{j}             = cases(OR(Points[@v{j}{c}] = "",
            cell(Counted, "rating", {j}) = ""), "",
            rated_game(Counted[@rating], cell(Counted, "rating", {j}), MAX(Final[@v{j}{c}], 1)),
            INDEX(Result_points, MAX(Final[@v{j}{c}], 1)), "")
"""

ONE_CYCLE: Final = """
pieces
    in_all(number)              = number
    in_cycle(white, round)      = IF(white, 1, -1) * round
    game_of(opponent)           = opponent
    game_with(opponent, round)  = opponent
    alone(round)                = IF(MOD(round, 2) = 1, (round + 1) / 2, (round + seats) / 2)
    alone_white(round)          = MOD(round, 2) = 1
    of_side(round, number)      = number
"""
CYCLES: Final = """
pieces
    in_all(number)              = cycles * number
    game_with(opponent, round)  = cycles * (opponent - 1) + of_round(Schedule[cycle], round)
    alone(round)                = of_round(Schedule[alone], round)
    alone_white(round)          = of_round(Schedule[white], round) = 1
    of_side(round, number)      = of_round(Schedule[side], round) * number
    of_round(column, round)     = INDEX(column, MAX(N(round), 1))
    seen(place)                 = IF(N(place) > 0, sign(place), "·")
"""
"""What depends on the number of cycles: how many rounds, games and so on there are in all; the
round of a pair, negative for Black; the heading of a game in *Results* and its column; and of a
round who would meet themselves, whether they have White against the last number, and on which side
of them White is."""

WALL: Final = """
pieces
    # the numbers on a board, in the order of the tables: an odd number of players has the bye last
    turn(board)         = IF(MOD(entrants, 2) = 1, MOD(board, boards), board - 1)
    first_of(round, board)  = IF(turn(board) = 0,
        IF(OR(alone_white(round), seats > entrants), alone(round), seats),
        1 + MOD(alone(round) + of_side(round, turn(board)) - 1, seats - 1))
    second_of(round, board) = IF(turn(board) = 0,
        IF(OR(alone_white(round), seats > entrants), seats, alone(round)),
        1 + MOD(alone(round) - of_side(round, turn(board)) - 1, seats - 1))
    # what a list holds for a number, and for one that nobody has
    of_player(list, no, none) = IF(no = "", "", IF(no > entrants, none,
                                   IF(INDEX(list, MIN(no, size)) = "", none,
                                      INDEX(list, MIN(no, size)))))
    # who has withdrawn is no opponent in a game that was not played
    gone(no, other, round) = IF(OR(no = "", other = ""), FALSE, IF(MAX(no, other) > entrants,
        IF(N(no) > entrants, FALSE, INDEX(Players[out], MIN(N(no), size)) = YES),
        IF(INDEX(Players[out], MIN(N(no), size)) = YES,
            INDEX(Place[v1:{last_v}], MIN(N(no), size),
                game_with(MIN(N(other), size), round)) = 0, FALSE)))
    beside(name, what)  = IF(name = t.free, "", what)
    named(no, other, round) = IF(gone(no, other, round), t.free,
                                 of_player(People[name], no, t.free))
    sign_between(a, b, round) = IF(OR(a = "", b = ""), "", IF(MAX(N(a), N(b)) > entrants, "",
        sign(INDEX(Final[v1:{last_v}], MAX(MIN(N(a), size), 1),
            game_with(MAX(MIN(N(b), size), 1), round)))))
    score(a, b, round)  = IF(sign_between(a, b, round) = "", "",
                             sign_between(a, b, round) & " : " & sign_between(b, a, round))
    # the sign that counts between the two of a board, -1 for no game
    final_of(a, b, round) = IF(OR(a = "", b = ""), -1, IF(MAX(N(a), N(b)) > entrants, -1,
        INDEX(Final[v1:{last_v}], MAX(MIN(N(a), size), 1),
            game_with(MAX(MIN(N(b), size), 1), round))))
    # points from the rounds before one
    points_before(no, round) = IF(OR(no = "", N(no) > entrants), "", SUMPRODUCT(
        (ABS(INDEX(Met[v1:{last_v}], MAX(MIN(N(no), size), 1), 0)) < round) * active_across,
        INDEX(Points[v1:{last_v}], MAX(MIN(N(no), size), 1), 0)))
    day_of_round(round) = IF(N(round) = 0, "", INDEX(Days[date], MAX(N(round), 1)))

sheet crosstable wall stretch:name
    table Grid rows:size
        no          0 quiet             = row_number
        name        left strong 26      = People[@name]
        rating      0 center 7          = Counted[@rating]
        points      0.0 center strong   = Points[@total]
        rank        0 center strong     = Points[@rank]
        c{j} @ center cell {narrow} optional:IF(entrants>{j-1},{j},"") = IF(row_number = {j},
            BLOCKED, {both})
        shown                           = no <= MIN(entrants, seats)
    marks
        no:c{size}      leader          rank = 1
        name:points     quiet           AND(name <> "", rank = "")
        c1:c{size}      blocked         no = COLUMN() - {left}
        c1:c{size}      quiet           AND(
            COLUMN() - {left} <= SUMPRODUCT(MAX(Grid[no] * (Grid[shown] > 0))),
            OR(without_rank(no), without_rank(COLUMN() - {left})))
    pieces
        without_rank(no) = AND(INDEX(Grid[name], no) <> "", INDEX(Grid[rank], no) = "")

sheet standings wall:standings_title stretch:name
    note ties_said
    table Standings rows:size
        rank        0 center strong     = in_place(Points[rank])
        no          0 quiet             = IFERROR(MATCH(place, Counted[place], 0), "")
        name        left strong         = in_place(People[name])
        {from_where}
        rating      0 center 7          = in_place(Counted[rating])
        points      0.0 center strong   = in_place(Points[total])
        {chosen}
        place       0 quiet helper      = row_number
        shown                           = name <> ""
    marks
        rank:tie5       leader          rank = 1

sheet pairings wall:pairings_title stretch:white
    table Board rows:most_boards
        board           0 center quiet 7    = row_number
        white_no        0 quiet text:no     = IF(shown > 0, first_of(round_shown, board), "")
        white           left strong 22      = named(white_no, black_no, round_shown)
        rating_w        0 center 7 text:rating       = beside(white,
            of_player(Counted[rating], white_no, ""))
        points_w        0.0 center text:points = beside(white, points_before(white_no, round_shown))
        result          @ center box 9      = score(white_no, black_no, round_shown)
        points_b        0.0 center text:points = beside(black, points_before(black_no, round_shown))
        rating_b        0 center 7 text:rating       = beside(black,
            of_player(Counted[rating], black_no, ""))
        black           left strong 22      = named(black_no, white_no, round_shown)
        black_no        0 quiet text:no     = IF(shown > 0, second_of(round_shown, board), "")
        shown                               = board <= boards
    marks
        white:black     quiet               MAX(N(white_no), N(black_no)) > entrants

sheet rounds wall upright
    table Rounds rows:most_games
        # each page of a long list tells the round of its first line
        round_said  0 center pale text:round = round
        day         date center 10          = IF(board = 1, day_of_round(round), "")
        white_no    0 quiet text:no         = IF(board = "", "", first_of(round, board))
        white       left strong 19          = named(white_no, black_no, round)
        result      @ center strong 9       = score(white_no, black_no, round)
        black       left strong 19          = named(black_no, white_no, round)
        black_no    0 quiet text:no         = IF(board = "", "", second_of(round, board))
        round       0 quiet helper          = IF(no <= boards * last_round,
            1 + INT((no - 1) / MAX(boards, 1)), "")
        board       0 quiet helper          = IF(round = "", "",
            1 + MOD(no - 1, MAX(boards, 1)))
        no          0 quiet helper          = row_number
        final       0 quiet helper text:sign_no = final_of(white_no, black_no, round)
        shown                               = round <> ""
    marks
        white:black     quiet               MAX(N(white_no), N(black_no)) > entrants
        round_said      strong              board = 1
        round_said:black_no end             board = MAX(Rounds[board])

sheet berger wall tab:typed ordered
    note about_berger
    ?several note about_berger_cycles
    table Days rows:most_rounds
        round       0 center strong 7       = row_number
        date        date input center 12 date:DATE(1950,1,1)..DATE(2099,12,31)
        b{b}        center 8 optional:IF(boards>{b-1},t.column_board&" {b}","") = cases(
            OR(round > last_round, {b} > boards), "",
            MAX(first_of(round, {b}), second_of(round, {b})) > entrants,
                first_of(round, {b}) & " –",
            first_of(round, {b}) & "–" & second_of(round, {b}))
        shown                               = round <= last_round
    marks
        # what is pinned up has nothing yellow
        date        paper                   date <> ""
"""


def build(book: Book) -> None:
    """Declare all sheets."""
    n = book.options.players
    cycles = book.options.rounds
    boards = (n + 1) // 2
    rounds = cycles * (2 * boards - 1)
    suffixes = [_suffix(cycle) for cycle in range(1, cycles + 1)]
    last = column_of(n, cycles)
    book.read(_pieces(cycles))
    across = ("rating", "active", "points", "opponent")[: 3 + (cycles > 1)]
    book.names.update(
        {
            "cycles": cycles,
            "several": int(cycles > 1),
            "past_last": "last_round + 1" if cycles > 1 else "seats",
            **{
                f"{key}_across": f'cell(Across, "v1", {row}):cell(Across, "{last}", {row})'
                for row, key in enumerate(across, start=1)
            },
            **{
                name: float(PAIRED.index(sign) + 1)
                for name, sign in (
                    ("FORFEIT_WON", "+"),
                    ("FORFEIT_LOST", "-"),
                    ("FORFEIT_BOTH", "--"),
                )
            },
            "event_over": "AND(entrants > 1, missing = 0)",
            "standings_title": "cases(OR(arrived = 0, entrants < 2), t.sheet_standings, "
            f"missing = 0, t.final_standings, {SO_FAR})",
            **{
                f"{key}_title": f't.sheet_{key} & IF(missing = 0, "", " – " & {SO_FAR})'
                for key in ("prizes", "purse")
            },
            "pairings_title": "IF(entrants < 2, t.sheet_pairings, "
            't.round_title & " " & round_shown & IF(day_of_round(round_shown) = "", "", '
            '", " & day_said(day_of_round(round_shown))))'
            f" & {START_SAID}",
        }
    )
    chosen = Setting(
        "Round_shown",
        "round",
        None,
        "0",
        1,
        rounds,
        wrong="AND(ISNUMBER(Round_shown), Round_shown > last_round)",
    )
    tie_breaks = settings(book, "round_robin", "sb")
    front(
        book,
        EVENT_SETTING,
        *WALL_SETTINGS,
        YEAR_SETTING,
        chosen,
        START,
        *tie_breaks,
        *purse_settings(book),
        *counting_settings(book, byes=False),
    )
    players(book, out=True, personal=True, ordered="about_numbers")
    for key in (
        "entry",
        "berger",
        "crosstable",
        "standings",
        "pairings",
        "ahead",
        "rounds",
        "prizes",
        "purse",
        "ratings",
        "why",
        "each",
    ):
        book.sheet(key)
    results(book)
    counted(
        book,
        takes_part='AND(name <> "", OR(Players[@out] <> YES, 2 * COUNTIFS('
        f'Place[@v1:{last}], ">0", Place[@v1:{last}], "<={PLAYED}") '
        ">= in_all(filled(Counted[name]) - 1)))",
        period_games="Ratings[@games]",
        order_key="Ties[@key]",
    )
    people(book)
    numbers: dict[str, Sequence[int | str]] = {
        "j": range(1, n + 1),
        "c": suffixes,
        "b": range(1, boards + 1),
    }
    book.read(STEPS, **numbers, most_rounds=rounds, last_v=last)
    _typed_half(book, numbers, last)
    each_game(
        book,
        boards * rounds,
        first="IF(Rounds[@final] < 0, 0, Rounds[@white_no])",
        second="IF(Rounds[@final] < 0, 0, Rounds[@black_no])",
        sign="MAX(Rounds[@final], 0)",
        label='IF(Rounds[@final] < 0, "", Rounds[@round] & "/" & Rounds[@board])',
        boards=boards,
    )
    ratings(book)
    round_robin_tie_breaks(book, last)
    book.read(
        WALL,
        **numbers,
        k=range(1, PLACES + 1),
        chosen=CHOSEN_COLUMNS,
        from_where=from_where(book, "no"),
        both=_both(suffixes),
        left=5,
        narrow=f"{0.6 + 2.2 * cycles:.1f}" if cycles > 1 else "4.2" if n <= NARROW else "3.6",
        most_boards=boards,
        most_rounds=rounds,
        most_games=boards * rounds,
        last_v=last,
    )
    name_chosen(book.tables["Standings"])
    table = book.tables["Cross"]
    for row in range(table.first, table.last + 1):
        table.sheet.height(row, 1.15)
    ahead(
        book,
        number="round_shown",
        game="IF(AND(no <= boards, round_shown > 0), (round_shown - 1) * boards + no, 0)",
        boards=n // 2,
        points="Points[total]",
        most=rounds,
        over="event_over",
        done="IF(entrants < 2, t.ahead_first, t.ahead_next)",
    )
    why(book, rounds)
    prizes(book, "Points[total]")
    purse(book)


def column_of(opponent: int, cycle: int) -> str:
    """The key of the column with the results against an opponent in a cycle.

    >>> column_of(3, 1), column_of(3, 2)
    ('v3', 'v3_2')
    """
    return f"v{opponent}{_suffix(cycle)}"


def _suffix(cycle: int) -> str:
    return f"_{cycle}" if cycle > 1 else ""


def _pieces(cycles: int) -> str:
    """The formulas that are others if there are several cycles."""
    if cycles == 1:
        return ONE_CYCLE
    lines = []
    for cycle, letter in enumerate(LETTERS[:cycles], start=1):
        signs = "1, -1" if cycle % 2 else "-1, 1"
        before = f"{cycle - 1} * (seats - 1) + " if cycle > 1 else ""
        # a player who is exchanged takes the place of the one whose place they have
        round = f"{before}INDEX(Schedule[base], {before}round)"
        lines += [
            f"in_cycle{_suffix(cycle)}(white, round) = IF(white, {signs}) * ({round})",
            f'game_of{_suffix(cycle)}(opponent) = opponent & "{letter}"',
        ]
    return CYCLES + "".join(f"    {line}\n" for line in lines)


def _both(suffixes: Sequence[str]) -> str:
    """The formula of what the crosstable shows of the games of two players."""
    if len(suffixes) == 1:
        return "sign(Final[@v{j}])"
    signs = ' & " " & '.join(f"seen(Final[@v{{j}}{suffix}])" for suffix in suffixes)
    return f'IF(COUNTIF(Final[@v{{j}}:v{{j}}{suffixes[-1]}], ">0") = 0, "", {signs})'


def _typed_half(book: Book, numbers: Mapping[str, Sequence[int | str]], last: str) -> None:
    """What may be typed into the cells right of the diagonal, and how they are marked."""
    left = book.tables["Final"].left + 1
    book.read(TYPED, **numbers, left=left, last_v=last)
    table, place = book.tables["Cross"], book.tables["Place"]
    for j, key in ((j, f"v{j}{c}") for j in range(1, table.rows + 1) for c in numbers["c"]):
        table.mark(key, "blocked", parse(f"no = {j}"))
        if j == 1:
            continue
        read_top(table, key, j - 1, replace(place.column(key), rows=j - 1))
        due = f"Final[@{key}] = 0, Met[@{key}] <> 0, ABS(Met[@{key}]) <= round_begun"
        in_use = f'{table.sheet.cells(table.header, table.at[key]).address} <> ""'
        table.mark(key, "attention", parse(f"Place[@{key}] = -1"))
        table.mark(key, "missing", parse(f"AND(no < {j}, {due})"))
        table.mark(key, "input", parse(f"AND(no < {j}, {in_use})"))


def sample(options: Options) -> Content:
    """An invented event with a forfeit and a newcomer, on Friday evenings."""
    chance, say = random.Random(20261), texts(options.language)
    field = MEMBERS[: options.players]
    typed: list[dict[tuple[int, int], Constant]] = [
        {
            (i, j): result(chance, field[i].rating, field[j].rating)
            for i in range(len(field))
            for j in range(i + 1, len(field))
        }
        for _ in range(options.rounds)
    ]
    typed[0][1, len(field) - 2] = "+"
    rounds = options.rounds * (len(field) - 1 + len(field) % 2)
    begin = date(SAMPLE_YEAR, 1, 9)
    return {
        **on_the_wall(say, ("Club", "Place", "Arbiter")),
        **tie_breaks(say, 1, "de", "sb", "win", "ks", "bwg"),
        "Event": say("round-robin.sample_event"),
        YEAR: SAMPLE_YEAR,
        "Players": rows(field),
        "Cross": upper_half(*typed),
        "Purse": [{"prize": prize} for prize in (150, 100, 50)[: len(field)]],
        "Days": [{"date": begin + timedelta(weeks=week)} for week in range(rounds)],
    }


def upper_half(*cycles: Mapping[tuple[int, int], Constant]) -> dict[int, dict[str, Constant]]:
    """The rows of the crosstable from the results of each cycle by the two players' places (from 0,
    the smaller first)."""
    rows: dict[int, dict[str, Constant]] = {}
    for cycle, signs in enumerate(cycles, start=1):
        for (i, j), sign in signs.items():
            rows.setdefault(i + 1, {})[column_of(j + 1, cycle)] = sign
    return rows
