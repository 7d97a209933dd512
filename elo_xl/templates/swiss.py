"""``swiss``: an open tournament, its pairings typed round by round.

Sheets: the first one, *Players*, *Pairings* (numbers and results), *Standings*, *Ratings*, *Gains
and losses* with the chart, *Each game*, *Signs*, *Tie-breaks* (those that can be chosen) and, both
hidden, *Tie-break figures* (every round of every player) and *Steps*. The order is by points and up
to five tie-breaks, by default Buchholz cut 1, Buchholz and Sonneborn–Berger; the module
:mod:`~elo_xl.templates.blocks.tie_breaks` tells how they count.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from elo_xl.books.book import Book, Constant, Content, Options, Row
from elo_xl.books.front import front
from elo_xl.books.texts import texts
from elo_xl.templates.blocks.gains import gains_and_losses
from elo_xl.templates.blocks.games import each_game
from elo_xl.templates.blocks.numbered_games import numbered_games
from elo_xl.templates.blocks.players import EVENT_SETTING, YEAR, YEAR_SETTING, counted, players
from elo_xl.templates.blocks.ratings import FIRST, ratings
from elo_xl.templates.blocks.results import BYES, PAIRED, results
from elo_xl.templates.blocks.tie_breaks import (
    KINDS,
    PLACES,
    chosen_columns,
    name_chosen,
    settings,
    swiss_tie_breaks,
)
from elo_xl.templates.sample_swiss import Entrant, Line, rounds_of
from elo_xl.templates.samples import MEMBERS, rows
from elo_xl.templates.samples import SIGNS as SCORE_SIGNS
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR

SPARE: Final = 3
"""Lines of a round beyond half of the players, for byes."""

SIGNS: Final = (*PAIRED, *BYES)

PAIRINGS: Final = """
pieces
    stands_at(no)     = IFERROR(MATCH(no, before[first], 0), IFERROR(MATCH(no, before[second], 0),
                                                                     0))
    kind(points, bye) = cases(valid <> 1, NOTHING, sign = 0, UNFINISHED, black = "", bye,
                              INDEX(Result_rated, sign) = 1, PLAYED,
                              IF(points > 0, FORFEIT_WON, FORFEIT_LOST))
"""

KIND_COLUMNS: Final = """
        kind_a      0 quiet helper text:kind            = kind(points_a,
                                                               IF(points_a = 1, BYE, REQUESTED))
        kind_b      0 quiet helper text:other_kind      = kind(points_b, NOTHING)
"""

STANDINGS: Final = """
sheet standings freeze:rating stretch:name
    note about_standings
    note about_unplayed
    table Standings rows:size
        place       0 quiet             = row_number
        rank        0 center strong     = IFERROR(RANK(INDEX(Counted[key],
            MATCH(place, Counted[place], 0)), Counted[key]), "")
        no          0 quiet             = in_place(Ratings[no])
        name        left strong         = in_place(Ratings[name])
        rating      0                   = in_place(Ratings[rating])
        points      0.0 strong          = in_place(Ties[points])
        {chosen}
        change      +0.00               = in_place(Ratings[change])
        new         {new_format}        = in_place(Ratings[new])
        performance 0                   = in_place(Ratings[performance])
    marks
        rank:name   leader              rank = 1
"""


def build(book: Book) -> None:
    """Declare all sheets."""
    rounds, boards = book.options.rounds, book.options.players // 2 + SPARE
    book.names.update(KINDS)
    front(book, EVENT_SETTING, YEAR_SETTING, *settings(book, "swiss", "bh_c1", "bh", "sb"))
    players(book)
    for key in ("pairings", "standings", "ratings", "gains", "ties", "each"):
        book.sheet(key)
    results(book, SIGNS)
    counted(book, period_games="Ratings[@games]", order_key="Ties[@key]", first_rating=FIRST)
    book.read(PAIRINGS)
    numbered_games(
        book,
        "pairings",
        "Pairings",
        rows=rounds * boards,
        group=boards,
        round_formula="group_number",
        line="board 0 center quiet 7 = row_of_group",
        note=f"note bigger_rounds rounds={rounds}",
        asks=True,
        more=KIND_COLUMNS,
    )
    pairings = book.tables["Pairings"]
    tops = range(pairings.first, pairings.last, boards)
    last = pairings.letter("black_name")  # for the wall: what is wrong stays on the screen
    pairings.sheet.set_up.areas = [f"A{top}:{last}{top + boards - 1}" for top in tops]
    each_game(
        book,
        rounds * boards,
        first="Pairings[@first]",
        second="Pairings[@second]",
        sign="Pairings[@sign]",
        label='group_number & "/" & row_of_group',
        boards=boards,
    )
    ratings(book)
    swiss_tie_breaks(book)
    book.read(
        STANDINGS.replace("{chosen}", chosen_columns(book)), loops={"k": range(1, PLACES + 1)}
    )
    name_chosen(book.tables["Standings"])
    gains_and_losses(book)


def sample(options: Options) -> Content:
    """An invented open with a forfeit, byes and a player who leaves."""
    # starting numbers are those of a list by ratings
    field = sorted(MEMBERS[: options.players], key=lambda member: -(member.rating or 0))
    entrants = [Entrant(i, member.rating) for i, member in enumerate(field, start=1)]
    played = rounds_of(
        entrants,
        options.rounds,
        random.Random(20363),
        half_byes={4: 3} if len(field) > 9 else {},
        leaving={len(field) - 1: 4} if len(field) > 9 else {},
        forfeit=(2, 5),
    )
    boards = {(r, b): _typed(line) for r, each in enumerate(played) for b, line in enumerate(each)}
    return {
        "Event": texts(options.language)("swiss.sample_event"),
        YEAR: SAMPLE_YEAR,
        "Players": rows(field),
        "Pairings": lines(options, boards),
    }


def _typed(line: Line) -> dict[str, Constant]:
    """A line of a round as it is typed."""
    white, score, black, came = line
    if black is None:
        return board(white.number, None, "bye" if score == 1 else "½ bye")
    return board(white.number, black.number, SCORE_SIGNS[score] if came else "+")


def board(white: Constant, black: Constant, result: Constant) -> dict[str, Constant]:
    """A line as it is typed: numbers of the players and White's result; no Black: a bye."""
    return {"white": white, "black": black, "result": result}


def lines(options: Options, boards: Mapping[tuple[int, int], Row]) -> dict[int, Row]:
    """The lines of the sheet *Pairings* from those of rounds and boards, both from 0."""
    size = options.players // 2 + SPARE
    return {r * size + b + 1: line for (r, b), line in boards.items()}
