"""``round-robin``: everybody meets everybody; each result is typed once, into half a crosstable.

Typed are *Players*, *Results* and, on *Berger table*, the dates of the rounds. For the wall there
are *Crosstable*, *Standings*, *Pairings* (of one round), *Next round* (what each result in it would
mean), *Rounds* (all of them), *Prizes* and *Prize money*. *Ratings*, *Why*, *Each game*, *Signs*,
*Tie-breaks* (those that can be chosen) and, hidden, *Tie-break figures* and *Steps*, which hold
what the others read, complete the book.

The rounds are those of FIDE's Berger tables for as many players as there are: the last number that
has a name decides. A blank line above it is a free number: whoever meets it has a bye.

Forfeits count as they are written, in tie-breaks, too, as FIDE has it for events in which
everybody meets everybody (C.07); the order is by points and up to five tie-breaks, by default
Sonneborn–Berger. A player who withdraws with fewer than half of the games played
leaves the standings, and nobody's points against this player count. After half of the games all
points count, and what was not played is lost by forfeit. Games count for ratings in either case.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from elo_xl.books.book import Book, Constant, Content, Options
from elo_xl.books.front import Setting, front
from elo_xl.books.statements import with_places
from elo_xl.books.texts import texts
from elo_xl.books.typed import read_top
from elo_xl.templates.blocks.games import ahead, each_game, why
from elo_xl.templates.blocks.players import EVENT_SETTING, YEAR, YEAR_SETTING, counted, players
from elo_xl.templates.blocks.prizes import prizes, purse, purse_settings
from elo_xl.templates.blocks.ratings import FIRST, ratings
from elo_xl.templates.blocks.signs import PAIRED, results
from elo_xl.templates.blocks.tie_breaks import (
    CHOSEN_COLUMNS,
    PLACES,
    name_chosen,
    round_robin_tie_breaks,
    settings,
)
from elo_xl.templates.blocks.wall import (
    START,
    START_SAID,
    WALL_SETTINGS,
    from_where,
    header,
    people,
)
from elo_xl.templates.samples import MEMBERS, result, rows
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR
from elo_xl.xlsx.formula import parse

PLAYED: Final = 3
"""The first signs of the list are those of games that were played."""

NARROW: Final = 20
"""With more players than this the cells of the crosstable are narrower, so that it fits on A4."""

TYPED: Final = """
sheet entry freeze:points ordered
    note about_entry
    note about_entry_more
    table Cross rows:size
        no          0 quiet                 = row_number
        name        left strong 22          = Counted[@name]
        points      0.0                     = Points[@total]
        late        center format:"0;;" 9   = SUMPRODUCT((Final[@v1:v{size}] = 0)
            * (ABS(Met[@v1:v{size}]) <= round_begun) * (Met[@v1:v{size}] <> 0)
            * (COLUMN(Final[@v1:v{size}]) > no + {left}))
        v{j}        @ center cell 4.2 result optional:IF(entrants>{j-1},{j},"") = cases(
            row_number = {j}, BLOCKED, row_number < {j}, INPUT,
            sign(Final[@v{j}]))
        # a result of nobody is seen, too
        shown                               = OR(no <= MIN(entrants, seats),
                                                 COUNTIF(Place[@v1:v{size}], -1) > 0)
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
        last_round  0 = MAX(seats - 1, 0)
        boards      0 = seats / 2
        missing     0 = COUNTIF(Final[v1:v{size}], 0) / 2
        arrived     0 = COUNTIF(Place[v1:v{size}], ">0") / 2
        # the last round with a result, and the first one in which any is missing
        round_begun 0 = SUMPRODUCT(MAX((Place[v1:v{size}] > 0) * ABS(Met[v1:v{size}])))
        round_open  0 = IF(missing = 0, last_round, SUMPRODUCT(MIN(ABS(Met[v1:v{size}])
                            + 1000 * ((Met[v1:v{size}] = 0) + (Final[v1:v{size}] <> 0)))))
        round_shown 0 = IF(ISNUMBER(Round_shown), MIN(Round_shown, last_round), round_open)
    table Across rows:3 gap:1
        no      0 quiet heading:none        = EMPTY
        name    left label "{section_across}" = cases(row_number = 1, t.column_rating,
            row_number = 2, t.column_active, t.column_points)
        v{j}    0.0 heading:{j}             = cases(row_number = 1, cell(Counted, "rating", {j}),
            row_number = 2, cell(Counted, "active", {j}), N(cell(Points, "total", {j})))
    # the round in which two meet, negative for Black
    table Met rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{section_met}"        = Counted[@name]
        v{j}    0 heading:{j}               = cases(row_number = {j}, 0,
            MAX(no, {j}) > seats, 0,
            IF((no < {j}) = wins(no, {j}), 1, -1) * (1 + MOD(IF(MAX(no, {j}) = seats,
                2 * MIN(no, {j}), no + {j}) - 2, seats - 1)))
    # the sign that was typed, by its place in the list; -1 for an entry that makes no sense
    table Place rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{section_place}"      = Counted[@name]
        v{j}    0 heading:{j}               = cases(row_number = {j}, 0,
            row_number < {j}, cases(Cross_v{j}[@v{j}] = "", 0,
                OR(Cross_v{j}[@v{j}] = WRONG, name = "", cell(Counted, "name", {j}) = ""), -1,
                sign_of(Cross_v{j}[@v{j}])),
            MAX(cell(Place, "v" & row_number, {j}), 0))
    # the sign that counts, from each player's side: forfeits of those who have withdrawn, too;
    # 0 for a result that is missing, -1 for none to come
    table Final rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{section_final}"      = Counted[@name]
        v{j}    0 heading:{j}               = cases(row_number = {j}, -1,
            row_number < {j}, cases(OR(name = "", cell(Counted, "name", {j}) = ""), -1,
                Place[@v{j}] > 0, Place[@v{j}],
                AND(Players[@out] <> YES, cell(Players, "out", {j}) <> YES), 0,
                Counted[@active] * cell(Counted, "active", {j}) = 0, -1,
                Players[@out] <> YES, FORFEIT_WON, cell(Players, "out", {j}) <> YES, FORFEIT_LOST,
                FORFEIT_BOTH),
            IF(cell(Final, "v" & row_number, {j}) > 0, MATCH(INDEX(Result_mirror,
                MAX(cell(Final, "v" & row_number, {j}), 1)), Result_signs, 0),
                cell(Final, "v" & row_number, {j})))
    table Points rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{section_points}"     = Counted[@name]
        v{j}    0.0 heading:{j}             = IF(Final[@v{j}] > 0,
            INDEX(Result_points, MAX(Final[@v{j}], 1)), "")
        total   0.0 text:points             = IF(name = "", "",
            SUMPRODUCT(v1:v{size}, active_across))
        rank    0                           = IF(Counted[@key] = "", "",
            RANK(Counted[@key], Counted[key]))
    table Scores rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{section_scores}"     = Counted[@name]
        v{j}    0.0 heading:{j}             = cases(OR(Points[@v{j}] = "",
            cell(Counted, "rating", {j}) = ""), "",
            rated_game(Counted[@rating], cell(Counted, "rating", {j}), MAX(Final[@v{j}], 1)),
            Points[@v{j}], "")
"""

WALL: Final = """
pieces
    # the numbers on a board, in the order of the tables: an odd number of players has the bye last
    turn(board)         = IF(MOD(entrants, 2) = 1, MOD(board, boards), board - 1)
    alone(round)        = IF(MOD(round, 2) = 1, (round + 1) / 2, (round + seats) / 2)
    first_of(round, board)  = IF(turn(board) = 0,
        IF(OR(MOD(round, 2) = 1, seats > entrants), alone(round), seats),
        1 + MOD(alone(round) + turn(board) - 1, seats - 1))
    second_of(round, board) = IF(turn(board) = 0,
        IF(OR(MOD(round, 2) = 1, seats > entrants), seats, alone(round)),
        1 + MOD(alone(round) - turn(board) - 1, seats - 1))
    # what a list holds for a number, and for one that nobody has
    of_player(list, no, none) = IF(no = "", "", IF(no > entrants, none,
                                   IF(INDEX(list, MIN(no, size)) = "", none,
                                      INDEX(list, MIN(no, size)))))
    # who has withdrawn, in a game that was not played, is nobody's opponent
    gone(no, other)     = IF(OR(no = "", other = ""), FALSE, IF(MAX(no, other) > entrants,
        IF(N(no) > entrants, FALSE, INDEX(Players[out], MIN(N(no), size)) = YES),
        IF(INDEX(Players[out], MIN(N(no), size)) = YES,
            INDEX(Place[v1:v{size}], MIN(N(no), size), MIN(N(other), size)) = 0, FALSE)))
    beside(name, what)  = IF(name = t.free, "", what)
    named(no, other)    = IF(gone(no, other), t.free, of_player(People[name], no, t.free))
    sign_between(a, b)  = IF(OR(a = "", b = ""), "", IF(MAX(N(a), N(b)) > entrants, "",
        sign(INDEX(Final[v1:v{size}], MAX(MIN(N(a), size), 1), MAX(MIN(N(b), size), 1)))))
    score(a, b)         = IF(sign_between(a, b) = "", "",
                             sign_between(a, b) & " : " & sign_between(b, a))
    # the sign that counts between the two of a board, -1 for no game
    final_of(a, b)      = IF(OR(a = "", b = ""), -1, IF(MAX(N(a), N(b)) > entrants, -1,
        INDEX(Final[v1:v{size}], MAX(MIN(N(a), size), 1), MAX(MIN(N(b), size), 1))))
    # points from the rounds before one
    points_before(no, round) = IF(OR(no = "", N(no) > entrants), "", SUMPRODUCT(
        (ABS(INDEX(Met[v1:v{size}], MAX(MIN(N(no), size), 1), 0)) < round) * active_across,
        INDEX(Points[v1:v{size}], MAX(MIN(N(no), size), 1), 0)))
    day_of_round(round) = IF(N(round) = 0, "", INDEX(Days[date], MAX(N(round), 1)))

sheet crosstable wall stretch:name
    table Grid rows:size
        no          0 quiet             = row_number
        name        left strong 22      = People[@name]
        rating      0                   = Counted[@rating]
        points      0.0 strong          = Points[@total]
        rank        0 center strong     = Points[@rank]
        c{j} @ center cell {narrow} optional:IF(entrants>{j-1},{j},"") = IF(row_number = {j},
            BLOCKED, sign(Final[@v{j}]))
        shown                           = no <= MIN(entrants, seats)
    marks
        name:rank       leader          rank = 1
        name:points     quiet           AND(name <> "", rank = "")
        c1:c{size}      blocked         no = COLUMN() - {left}
        c1:c{size}      quiet           AND(
            COLUMN() - {left} <= SUMPRODUCT(MAX(Grid[no] * (Grid[shown] > 0))),
            OR(without_rank(no), without_rank(COLUMN() - {left})))
    pieces
        without_rank(no) = AND(INDEX(Grid[name], no) <> "", INDEX(Grid[rank], no) = "")

sheet standings wall:standings_title stretch:name
    table Standings rows:size
        rank        0 center strong     = in_place(Points[rank])
        no          0 quiet             = IFERROR(MATCH(place, Counted[place], 0), "")
        name        left strong         = in_place(People[name])
        {from_where}
        rating      0                   = in_place(Counted[rating])
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
        white           left strong 22      = named(white_no, black_no)
        rating_w        0 text:rating       = beside(white,
            of_player(Counted[rating], white_no, ""))
        points_w        0.0 center text:points = beside(white, points_before(white_no, round_shown))
        result          @ center box 9      = score(white_no, black_no)
        points_b        0.0 center text:points = beside(black, points_before(black_no, round_shown))
        rating_b        0 text:rating       = beside(black,
            of_player(Counted[rating], black_no, ""))
        black           left strong 22      = named(black_no, white_no)
        black_no        0 quiet text:no     = IF(shown > 0, second_of(round_shown, board), "")
        shown                               = board <= boards
    marks
        white:black     quiet               MAX(N(white_no), N(black_no)) > entrants

sheet rounds wall upright
    table Rounds rows:most_games
        # each page of a long list tells the round of its first line
        round_said  0 center pale text:round = round
        day         date center 12          = IF(board = 1, day_of_round(round), "")
        white_no    0 quiet text:no         = IF(board = "", "", first_of(round, board))
        white       left strong 24          = named(white_no, black_no)
        result      @ center strong 9       = score(white_no, black_no)
        black       left strong 24          = named(black_no, white_no)
        black_no    0 quiet text:no         = IF(board = "", "", second_of(round, board))
        round       0 quiet helper          = IF(no <= boards * last_round,
            1 + INT((no - 1) / MAX(boards, 1)), "")
        board       0 quiet helper          = IF(round = "", "",
            1 + MOD(no - 1, MAX(boards, 1)))
        no          0 quiet helper          = row_number
        final       0 quiet helper text:sign_no = final_of(white_no, black_no)
        shown                               = round <> ""
    marks
        white:black     quiet               MAX(N(white_no), N(black_no)) > entrants
        round_said      strong              board = 1
        round_said:black_no end             board = MAX(Rounds[board])

sheet berger wall tab:typed ordered
    note about_berger
    table Days rows:most_rounds
        round       0 center strong 7       = row_number
        date        date input center 12 date:DATE(1950,1,1)..DATE(2099,12,31)
        b{b}        center 8 optional:IF(boards>{b-1},{b},"") = cases(
            OR(round > last_round, {b} > boards), "",
            MAX(first_of(round, {b}), second_of(round, {b})) > entrants,
                first_of(round, {b}) & " –",
            first_of(round, {b}) & "–" & second_of(round, {b}))
        shown                               = round <= last_round
"""


def build(book: Book) -> None:
    """Declare all sheets."""
    n, say = book.options.players, book.say
    boards = (n + 1) // 2
    rounds = 2 * boards - 1
    book.names.update(
        {
            **{
                f"{key}_across": f'cell(Across, "v1", {row}):cell(Across, "v{n}", {row})'
                for row, key in enumerate(("rating", "active", "points"), start=1)
            },
            **{
                name: float(PAIRED.index(sign) + 1)
                for name, sign in (
                    ("FORFEIT_WON", "+"),
                    ("FORFEIT_LOST", "-"),
                    ("FORFEIT_BOTH", "--"),
                )
            },
            "standings_title": "cases(OR(arrived = 0, entrants < 2), t.sheet_standings, "
            "missing = 0, t.final_standings, "
            'round_begun < round_open, t.after_round & " " & round_begun, '
            't.after_games & " " & arrived & " / " & arrived + missing)',
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
    )
    header(book)
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
        f'Place[@v1:v{n}], ">0", Place[@v1:v{n}], "<={PLAYED}") >= filled(Counted[name]) - 1))',
        period_games="Ratings[@games]",
        order_key="Ties[@key]",
        first_rating=FIRST,
    )
    people(book)
    numbers = {"j": range(1, n + 1), "b": range(1, boards + 1)}
    sections = {
        f"section_{key}": say(f"section_{key}")
        for key in ("across", "met", "place", "final", "points", "scores")
    }
    book.read(with_places(STEPS, sections), loops=numbers)
    _typed_half(book, numbers)
    each_game(
        book,
        boards * rounds,
        first="IF(Rounds[@final] < 0, 0, Rounds[@white_no])",
        second="IF(Rounds[@final] < 0, 0, Rounds[@black_no])",
        sign="MAX(Rounds[@final], 0)",
        label='IF(Rounds[@final] < 0, "", Rounds[@round] & "/" & Rounds[@board])',
    )
    ratings(book)
    round_robin_tie_breaks(book)
    book.read(
        WALL.replace("{chosen}", CHOSEN_COLUMNS).replace("{from_where}", from_where(book, "no")),
        loops=numbers | {"k": range(1, PLACES + 1)},
        left=5,
        narrow="4.2" if n <= NARROW else "3.6",
        most_boards=boards,
        most_rounds=rounds,
        most_games=boards * rounds,
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
        done="cases(entrants < 2, t.ahead_first, missing > 0, t.ahead_next, t.ahead_over)",
    )
    why(book, rounds)
    prizes(book, "Points[total]")
    purse(book)


def _typed_half(book: Book, numbers: Mapping[str, range]) -> None:
    """What may be typed into the cells right of the diagonal, and how they are marked."""
    book.read(TYPED, loops=numbers, left=book.tables["Final"].left + 1)
    table, place = book.tables["Cross"], book.tables["Place"]
    for j in range(1, table.rows + 1):
        key = f"v{j}"
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
    typed: dict[tuple[int, int], Constant] = {
        (i, j): result(chance, field[i].rating, field[j].rating)
        for i in range(len(field))
        for j in range(i + 1, len(field))
    }
    typed[1, len(field) - 2] = "+"
    rounds = len(field) - 1 + len(field) % 2
    begin = date(SAMPLE_YEAR, 1, 9)
    return {
        "Event": say("round-robin.sample_event"),
        YEAR: SAMPLE_YEAR,
        "Players": rows(field),
        "Cross": upper_half(typed),
        "Purse": [{"prize": prize} for prize in (150, 100, 50)[: len(field)]],
        "Days": [{"date": begin + timedelta(weeks=week)} for week in range(rounds)],
    }


def upper_half(signs: Mapping[tuple[int, int], Constant]) -> dict[int, dict[str, Constant]]:
    """The rows of the crosstable from results by the two players' places (from 0, the smaller
    first)."""
    rows: dict[int, dict[str, Constant]] = {}
    for (i, j), sign in signs.items():
        rows.setdefault(i + 1, {})[f"v{j + 1}"] = sign
    return rows
