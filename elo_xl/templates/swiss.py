"""``swiss``: an open tournament, its pairings typed round by round.

Sheets: the first one, *Players*, *Pairings* (numbers and results); for the wall *Pairing list*,
*Next round* (what each result would mean), *Standings*, *Crosstable*, *Rating changes*,
*Prizes* and *Prize money*; then *Ratings*, *Gains and losses* with the chart, *Why*, *Each game*,
*Signs*, *Tie-breaks* (those that can be chosen) and, both hidden, *Tie-break figures* (every round
of every player) and *Steps*. The order is by points and up to five tie-breaks, by default Buchholz
cut 1, Buchholz and Sonneborn–Berger; the module :mod:`~elo_xl.templates.blocks.tie_breaks` tells
how they count.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from elo_xl.books.book import Book, Constant, Content, Options, Row
from elo_xl.books.front import front
from elo_xl.books.texts import texts
from elo_xl.templates.blocks.ahead import ahead
from elo_xl.templates.blocks.gains import gains_and_losses
from elo_xl.templates.blocks.games import each_game
from elo_xl.templates.blocks.numbered_games import numbered_games
from elo_xl.templates.blocks.players import EVENT_SETTING, YEAR, YEAR_SETTING, counted, players
from elo_xl.templates.blocks.purse import purse, purse_settings
from elo_xl.templates.blocks.ratings import FIRST, ratings
from elo_xl.templates.blocks.signs import BYES, PAIRED, results
from elo_xl.templates.blocks.swiss_sheets import (
    count_rounds,
    link_rounds,
    links,
    round_settings,
    wall_sheets,
)
from elo_xl.templates.blocks.tie_breaks import KINDS, settings, swiss_tie_breaks
from elo_xl.templates.blocks.wall import WALL_SETTINGS, header
from elo_xl.templates.blocks.why import why
from elo_xl.templates.sample_swiss import Entrant, Pairing, rounds_of
from elo_xl.templates.samples import MEMBERS, on_the_wall, rows
from elo_xl.templates.samples import SIGNS as SCORE_SIGNS
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR

SPARE: Final = 3
"""Lines of a round beyond half of the players, for byes."""

WALL_SHEETS: Final = (
    "pairing_list",
    "ahead",
    "standings",
    "cross",
    "changes",
    "prizes",
    "purse",
)

SIGNS: Final = (*PAIRED, *BYES)

PAIRINGS: Final = """
pieces
    stands(no)      = COUNTIF(before[first:second], no) > 0
    stands_at(no)   = IFERROR(MATCH(no, before[first], 0), MATCH(no, before[second], 0))
"""

# the rounds that have begun and the next one, with boards for everybody and one for byes
SHOWN: Final = """= OR(filled(white:black) > 0,
            AND(group_number <= last_typed + 1, row_of_group <= INT(field / 2) + 1))"""


def build(book: Book) -> None:
    """Declare all sheets."""
    rounds, boards = book.options.rounds, book.options.players // 2 + SPARE
    book.names.update(KINDS)
    front(
        book,
        EVENT_SETTING,
        *WALL_SETTINGS,
        YEAR_SETTING,
        *settings(book, "swiss", "bh_c1", "bh", "sb"),
        *round_settings(book),
        *purse_settings(book),
    )
    header(book)
    players(book, personal=True, ordered="about_numbers")
    for key in ("pairings", *WALL_SHEETS, "ratings", "gains", "why", "ties", "each"):
        book.sheet(key)
    results(book, SIGNS)
    counted(book, period_games="Ratings[@games]", order_key="Ties[@key]", first_rating=FIRST)
    book.read(PAIRINGS)
    links(book, across=7)
    numbered_games(
        book,
        "pairings",
        "Pairings",
        rows=rounds * boards,
        group=boards,
        round_formula="group_number",
        line="board 0 center quiet 7 = row_of_group",
        shown=SHOWN,
        asks=True,
    )
    link_rounds(book)
    count_rounds(book, boards)
    each_game(
        book,
        rounds * boards,
        lines="Pairings",
        label='group_number & "/" & row_of_group',
        boards=boards,
    )
    ratings(book)
    swiss_tie_breaks(book)
    wall_sheets(book)
    purse(book)
    ahead(
        book,
        number="chosen",
        game="IF(chosen = 0, 0, (chosen - 1) * boards + no)",
        boards=book.options.players // 2,
        points="Before[now]",
        most=rounds,
    )
    gains_and_losses(book)
    why(book, rounds)


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
    say = texts(options.language)
    return {
        **on_the_wall(say),
        "Event": say("swiss.sample_event"),
        YEAR: SAMPLE_YEAR,
        "Players": rows(field, personal=True),
        "Pairings": lines(options, boards),
        "Prize_sharing": say("form.sharing_hort"),
        "Purse": [{"prize": prize} for prize in (300, 200, 100, 50)],
    }


def _typed(line: Pairing) -> dict[str, Constant]:
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
