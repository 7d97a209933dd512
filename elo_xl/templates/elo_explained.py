"""``elo-explained``: all that the five source papers compute, live, beside what they printed.

A sheet a subject: formula, cells to play with, results, printed values with paper and equation,
misprints marked. Nothing else is typed. The pages are written in the statements of
:mod:`elo_xl.books.notebook`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from elo_xl.books.book import Book, Content, Options
from elo_xl.books.front import front
from elo_xl.books.notebook.notebook import write
from elo_xl.books.notebook.page import Input
from elo_xl.books.statements import with_places
from elo_xl.templates.explained.answers import MISPRINTS, PROBLEMS
from elo_xl.templates.explained.events import EVENTS
from elo_xl.templates.explained.games import DECIMALS, GAMES
from elo_xl.templates.explained.papers import CHECKED, HALVING, IOFFE, MAMON
from elo_xl.xlsx.formula import Text

BASE: Final = 1500
"""The rating against which curves over a difference are computed."""

GAMES_PLAYED: Final = 200
SEED: Final = 1960
"""of the simulated player's luck"""

PIECES: Final = """
pieces
    Φ(z)                        = NORM.S.DIST(z, TRUE)
    density(x)                  = EXP(-(x ^ 2) / 2) / SQRT(2 * PI())
    # Elo's expected score of a rating difference, without draws and with a draw margin
    elo(d)                      = Φ(d / (200 * SQRT(2)))
    with_margin(d, margin)      = (elo(d - margin) + elo(d + margin)) / 2
    bound_of(margin)            = margin ^ 2 * EXP(-1 / 2) / (80000 * SQRT(2 * PI()))
    where_most(places, values)  = INDEX(places, MATCH(MAX(values), values, 0))
    gaps()                      = by_row(Margins[gap_first], Margins[gap_second])
    # the kinds of question about a match, row by row
    kind()                      = by_row("exactly", "at least", "at most")
    rating_by_model(opponent, games, points) = (
        opponent + 200 * SQRT(2) * NORM.S.INV(points / games))

    # the simulated player: a rating after a game, and what the table says of all three
    rated(before, k)            = before + k * (score - elo(before - opponent))
    followed(before, k)         = IF(row_number = 1, N(strength), rated(before, k))
    which()                     = by_row("small", "middle", "large")
    ratings(first, last)        = cell(Simulated, which(), first):cell(Simulated, which(), last)
    error()                     = ABS(ratings(1, 201) - Simulated[truth])
    late()                      = ((Simulated[game] > N(jump_game))
                                   * (Simulated[game] <= N(jump_game) + 40))
    calm()                      = (Simulated[game] > 0) * (Simulated[game] <= N(jump_game))

    # Mamon's expansions, as printed (power 1) and right (power 2), and where the formulas meet
    nine(x, power)              = (400 * SQRT(PI()) * (x - 0.5)
                                   * (1 + PI() / 3 * (x - 0.5) ^ power))
    ten(x, power)               = 400 * SQRT(PI()) * (x - 0.5) * (1 + 4 / 3 * (x - 0.5) ^ power)
    wanted(row)                 = 1 + N(cell(Meeting, "percent", row)) / 100
    meeting()                   = by_row(cell(Halving1, "middle", 42), cell(Halving2, "middle", 42),
                                         cell(Halving3, "middle", 42))

    # a shift: the last digits of two ratings are nothing but rounding
    shift(new, old)             = ROUND(new - old, 6)
    linear(deviation, score, d) = (deviation ^ 2 * LN(10) / 200
                                   * (score - 1 / (1 + 10 ^ (-d / 400))))
    # Ioffe's probability of a result before the game: a sum over all differences that may be
    node()                      = (ROW($1:$301) - 151) / 8
    side(own, other, score, sd, edge) = Φ(SIGN(score - edge)
        * (own - other + SQRT(2) * sd * node()) / (200 * SQRT(2)))
    chance(own, other, score, sd) = (SUMPRODUCT(EXP(-(node() ^ 2) / 2)
        * side(own, other, score, sd, 0.25) * side(own, other, score, sd, 0.75))
        / 8 / SQRT(2 * PI()) * IF(score = 0.5, 2, 1))

    # Ioffe's bridge: equations (9) and (12) of the first pair, and what is left of a deviation
    bridge_result_expected(north, south, east, west, zero, k) = (
        zero + k * (north + south - east - west))
    bridge_shift(expected, k, spread, sd, result) = (k * sd ^ 2 * (result - expected)
                                                     / (spread ^ 2 + 4 * k ^ 2 * sd ^ 2))
    bridge_sd_left(k, spread, sd) = (sd * SQRT(1 - k ^ 2 * sd ^ 2
                                               / (spread ^ 2 + 4 * k ^ 2 * sd ^ 2)))
"""


def sample(options: Options) -> Content:
    """What the papers say; the cells to play with hold their numbers."""
    return {}


def build(book: Book) -> None:
    """Declare all sheets."""
    pages(book)


def pages(book: Book) -> Mapping[str, Input]:
    """Declare all sheets; gives the cells to play with."""
    front(book, rules=False)
    book.names |= {"BASE": BASE, "language": Text(book.options.language)}
    book.data["Simulated"] = _luck()
    halvings = "".join(with_places(HALVING, {"n": n}) for n in (1, 2, 3))
    return write(
        book,
        {
            "pieces": PIECES,
            "games": with_places(GAMES, {"decimals": DECIMALS}),
            "events": EVENTS,
            "Mamon": with_places(MAMON, {"halvings": halvings}),
            "Ioffe": with_places(IOFFE, CHECKED),
            "problems": PROBLEMS,
            "misprints": MISPRINTS,
        },
    )


def _luck() -> list[dict[str, float]]:
    """The simulated player's opponents and luck, the same every time."""
    chance = random.Random(SEED)
    games = ((chance.randint(1500, 1900), chance.random()) for _ in range(GAMES_PLAYED))
    return [{}, *({"opponent": rating, "chance": round(luck, 4)} for rating, luck in games)]
