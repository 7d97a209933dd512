"""``round-robin``: everybody meets everybody; one half of the crosstable is typed.

Sheets: the first one, *Players*, *Crosstable*, *Ratings*, *Standings*, *Rounds* (who meets whom in
which round, by the Berger tables), *Signs*, *Tie-breaks* (those that can be chosen) and, both
hidden, *Tie-break figures* and *Steps*, which hold what the others read. Points count forfeits as
they are written, and so do tie-breaks, as FIDE has it for events in which everybody meets everybody
(C.07); the order is by points and up to five of them, by default Sonneborn–Berger. A withdrawn
player's games count for the ratings only.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from elo_xl.books.book import Book, Constant, Content, Formula, Options
from elo_xl.books.front import front
from elo_xl.books.statements import with_places
from elo_xl.books.texts import texts
from elo_xl.books.typed import read_top
from elo_xl.templates.blocks.players import EVENT_SETTING, YEAR, YEAR_SETTING, counted, players
from elo_xl.templates.blocks.ratings import rating_sheet
from elo_xl.templates.blocks.results import results
from elo_xl.templates.blocks.tie_breaks import (
    PLACES,
    chosen_columns,
    name_chosen,
    round_robin_tie_breaks,
    settings,
)
from elo_xl.templates.samples import MEMBERS, result, rows
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR

CROSSTABLE: Final = """
pieces
    nobody(j) = OR(name = "", cell(Cross, "name", j) = "")

sheet crosstable freeze:rating area:rank
    note about_crosstable
    table Cross rows:size
        no          0 quiet                     = row_number
        name        left strong                 = Counted[@name]
        rating      0                           = Counted[@rating]
        v{j}        @ center cell 4.2 heading:{j} result = cases(row_number = {j}, BLOCKED,
            row_number < {j}, INPUT, IF(Entry[@v{j}] = "", "",
            IF(cell(Place, "v" & row_number, {j}) = 0, UNKNOWN,
            INDEX(Result_mirror, cell(Place, "v" & row_number, {j})))))
        points      0.0 strong                  = IF(name = "", "", SUMPRODUCT(mine, active_across))
        rank        0 strong                    = IF(Counted[@key] = "", "",
                                                     RANK(Counted[@key], Counted[key]))
        check       left attention fits:check_  = cases(
            Players[@check] <> "", Players[@check],
            SUMPRODUCT((entries <> "") * (mine = "")) > 0, t.check_result,
            AND(Counted[@active] = 1, COUNT(Points[v1:v{size}]) > 0, lacking > 0),
                lacking & (" " & t.check_missing),
            "")
    names
        mine    = Points[@v1:v{size}]
        entries = Entry[@v1:v{size}]
        lacking = SUMPRODUCT((entries = "") * active_across) - 1
    marks
        v1:v{size}  attention   v1 = UNKNOWN
        name        attention   AND(check <> "",
                                    RIGHT(check, LEN(t.check_missing)) <> t.check_missing)
        name:rank   leader      rank = 1
"""

STEPS: Final = """
pieces
    is_rated(a, b, place) = IF(IF(OR(rules.gap = "", a = ""), FALSE, wide(a, b)), FALSE,
                               INDEX(Result_rated, place) = 1)

sheet steps hidden
    table Across rows:3 gap:1
        no      0 quiet heading:none        = EMPTY
        name    left label "{section_across}" = cases(row_number = 1, t.column_rating,
            row_number = 2, t.column_active, t.column_points)
        v{j}    0 heading:{j}               = cases(row_number = 1, cell(Counted, "rating", {j}),
            cell(Counted, "active", {j}))
    table Entry rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{section_entry}"      = Counted[@name]
        v{j}    @ center heading:{j}        = cases(row_number = {j}, BLOCKED,
            row_number < {j}, Cross_v{j}[@v{j}], cell(Entry, "v" & row_number, {j}))
    table Place rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{section_place}"      = Counted[@name]
        v{j}    0 heading:{j}               = cases(row_number = {j}, BLOCKED,
            row_number < {j}, sign_of(Entry[@v{j}]), cell(Place, "v" & row_number, {j}))
    table Points rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{section_points}"     = Counted[@name]
        v{j}    0.0 heading:{j}             = cases(row_number = {j}, BLOCKED,
            OR(Counted[@name] = "", cell(Counted, "name", {j}) = "", Place[@v{j}] = 0), "",
            INDEX(cases(row_number < {j}, Result_points, Result_others), Place[@v{j}]))
    table Scores rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{section_scores}"     = Counted[@name]
        v{j}    0.0 heading:{j}             = cases(row_number = {j}, BLOCKED,
            OR(Points[@v{j}] = "", cell(Counted, "rating", {j}) = ""), "",
            is_rated(Counted[@rating], cell(Counted, "rating", {j}), Place[@v{j}]), Points[@v{j}],
            "")
    table Expected rows:size gap:1
        no      0 quiet heading:none        = row_number
        name    left "{section_expected}"   = Counted[@name]
        v{j}    0.00 heading:{j}            = ELO_EXPECTED(Counted[@rating],
            cell(Counted, "rating", {j}), rules.model{cap})
"""

WALL: Final = """
pieces
    named(no)     = IF(no = "", t.free, INDEX(Counted[name], no))
    sign(a, b)    = INDEX(Cross[v1:v{size}], a, b)

sheet standings upright stretch:name
    note about_standings
    table Standings rows:size
        place       0 quiet         = row_number
        rank        0 center strong = in_place(Cross[rank])
        name        left strong     = in_place(Cross[name])
        rating      0               = in_place(Cross[rating])
        points      0.0 strong      = in_place(Cross[points])
        {chosen}
        change      +0.00           = in_place(Ratings[change])
        new         {new_format}    = in_place(Ratings[new])
        performance {performance_format} = in_place(Ratings[performance])

sheet rounds upright freeze:white_no
    note about_rounds
    table Rounds rows:games
        round       0 center strong
        white_no    0 quiet text:no
        white       left 24         = named(white_no)
        result      @ center strong 9 = cases(OR(white_no = "", black_no = ""), "",
            sign(white_no, black_no) = "", "",
            sign(white_no, black_no) & " : " & sign(black_no, white_no))
        black_no    0 quiet text:no
        black       left 24         = named(black_no)
    marks
        round:black end             round <> round.next
        white:black quiet           OR(white_no = "", black_no = "")
"""


def build(book: Book) -> None:
    """Declare all sheets."""
    n, rules, say = book.options.players, book.rules, book.say
    book.names.update(
        {
            "UNKNOWN": '"!"',  # what the mirrored half shows of a sign that is no result
            **{
                f"{key}_across": f'cell(Across, "v1", {row}):cell(Across, "v{n}", {row})'
                for row, key in enumerate(("rating", "active", "points"), start=1)
            },
        }
    )
    front(book, EVENT_SETTING, YEAR_SETTING, *settings(book, "round_robin", "sb"))
    players(book, out=True)
    for key in ("crosstable", "ratings", "standings", "rounds"):
        book.sheet(key)
    results(book)
    counted(
        book,
        out=True,
        period_games="Ratings[@games]",
        order_key="Ties[@key]",
        first_rating='IF(rules.first = "root", "", '
        f"ELO_INITIAL(rating_across, Scores[@v1:v{n}], rules.name))",
    )
    numbers = {"j": range(1, n + 1)}
    book.read(CROSSTABLE, loops=numbers)
    for j in range(2, n + 1):
        read_top(book.tables["Cross"], f"v{j}", j - 1)
    sections = {
        f"section_{key}": say(f"section_{key}")
        for key in ("across", "entry", "place", "points", "scores", "expected")
    }
    cap = "" if rules.cap is None else ", Counted[@cap]"
    book.read(with_places(STEPS, sections), loops=numbers, cap=cap)
    _typed_half(book)
    _numbers_across(book)
    rating_sheet(
        book,
        games=f"COUNT(Scores[@v1:v{n}])",
        score=f"SUM(Scores[@v1:v{n}])",
        expected=f'SUMIF(Scores[@v1:v{n}], ">=0", Expected[@v1:v{n}])',
        performance=f"ELO_PERFORMANCE(rating_across, Scores[@v1:v{n}], "
        'IF(rules.performance = "fide", "fide", "linear"))',
    )
    games = [
        {"round": number, "white_no": white, "black_no": black}
        for number, white, black in berger(n)
    ]
    round_robin_tie_breaks(book)
    book.read(
        WALL.replace("{chosen}", chosen_columns(book)),
        loops={"k": range(1, PLACES + 1)},
        data={"Rounds": games},
        games=len(games),
    )
    name_chosen(book.tables["Standings"])


def _typed_half(book: Book) -> None:
    """What may be typed into the cells right of the diagonal, and how they are marked."""
    table = book.tables["Cross"]
    sheet = table.sheet
    for row in range(table.first, table.last + 1):
        sheet.height(row, 1.15)
    for j in range(2, table.rows + 1):
        typed = replace(table.column(f"v{j}"), rows=j - 1)
        wrong = f'AND(Entry[@v{j}] <> "", OR(Place[@v{j}] = 0, nobody({j})))'
        sheet.mark(typed, wrong, "attention", table)
        lacking = f'AND(Entry[@v{j}] = "", NOT(nobody({j})), check <> "")'
        sheet.mark(typed, lacking, "missing", table)


def _numbers_across(book: Book) -> None:
    """The numbers above the tables of *Steps*, and the points below the first of them."""
    _, *tables = book.sheet("steps").tables
    for j in range(1, book.options.players + 1):
        for table in tables:
            table.sheet.put(table.header, 2 + j, j, "heading", "0", "right")
        points = Formula(f'N(cell(Cross, "points", {j}))')
        tables[0].sheet.put(tables[0].last, 2 + j, points, "computed", "0.0", "right")


def sample(options: Options) -> Content:
    """An invented event with a forfeit and a newcomer."""
    chance = random.Random(20261)
    field = MEMBERS[: options.players]
    typed: dict[tuple[int, int], Constant] = {
        (i, j): result(chance, field[i].rating, field[j].rating)
        for i in range(len(field))
        for j in range(i + 1, len(field))
    }
    typed[1, len(field) - 2] = "+"
    return {
        "Event": texts(options.language)("round-robin.sample_event"),
        YEAR: SAMPLE_YEAR,
        "Players": rows(field),
        "Cross": upper_half(typed),
    }


def upper_half(signs: Mapping[tuple[int, int], Constant]) -> dict[int, dict[str, Constant]]:
    """The rows of the crosstable from results by the two players' places (from 0, the smaller
    first)."""
    rows: dict[int, dict[str, Constant]] = {}
    for (i, j), sign in signs.items():
        rows.setdefault(i + 1, {})[f"v{j + 1}"] = sign
    return rows


def berger(players: int) -> list[tuple[int, int | None, int | None]]:
    """Rounds, White and Black of an event in which everybody meets everybody.

    >>> berger(4)
    [(1, 1, 4), (1, 2, 3), (2, 4, 3), (2, 1, 2), (3, 2, 4), (3, 3, 1)]

    FIDE's Berger tables (C.05, annex 1); None is the free place of an odd number of players.
    """
    last = players + players % 2
    games: list[tuple[int, int | None, int | None]] = []
    for number in range(1, last):
        home = [
            (i, j)
            for i in range(1, last)
            for j in range(i + 1, last)
            if (i + j - number - 1) % (last - 1) == 0
        ]
        alone = next(i for i in range(1, last) if (2 * i - number - 1) % (last - 1) == 0)
        pairs = [(alone, last) if 2 * alone <= last else (last, alone)]
        pairs += [(i, j) if (i + j) % 2 else (j, i) for i, j in home]
        for pair in pairs:
            white, black = (None if p > players else p for p in pair)
            games.append((number, white, black))
    return games
