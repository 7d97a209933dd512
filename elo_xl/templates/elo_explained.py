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
from elo_xl.templates.explained.events import EVENTS
from elo_xl.templates.explained.games import DECIMALS, GAMES
from elo_xl.templates.explained.papers import CHECKED, HALVING, IOFFE, MAMON
from elo_xl.xlsx.formula import Text

BASE: Final = 1500
"""The rating against which curves over a difference are computed."""

GAMES_PLAYED: Final = 200
SEED: Final = 1960
"""of the simulated player's luck"""

COMMANDS: Final = """
commands
    pictures k_effect expected two_formulas
"""

PIECES: Final = """
pieces
    Φ(z)                        = NORMSDIST(z)
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
        opponent + 200 * SQRT(2) * NORMSINV(points / games))

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
    book.read(COMMANDS)


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


# -- pages that bring together the teaching article's ten problems, and all misprints -------------

PROBLEMS: Final = """
page problems
    problem 1 results
    problem 2 results
        answer_expectation_ab 0.00          = cell(Pairs, "expectation", 1)
        answer_expectation_cd 0.00          = cell(Pairs, "expectation", 2)
        answer_expectation_ef 0.00          = cell(Pairs, "expectation", 3)
        answer_variance_ab 0.00             = cell(Pairs, "variance", 1)
        answer_variance_ef 0.00             = cell(Pairs, "variance", 3)
    problem 3 results
        players #,##0                       = results.players
        pairs #,##0                         = results.pairs
        coloured_pairs #,##0                = results.coloured_pairs
    problem 4 matches
        kind_exactly 0.0000000              = cell(Match, "probability", 1)
        kind_at_least 0.0000000             = cell(Match, "probability", 2)
    problem 5 consequences
        answer_lines 0                      = consequences.stated
    problem 6 unequal
        formula "E = Φ((μA − μB) / √(σA² + σB²))"
        spread_of_difference 0.00           = unequal.spread_of_difference
        answer_unequal 0.00000              = unequal.expected
    problem 7 football
        formula "E = 3·Φ(α) + (Φ(β) − Φ(α))"
        points_split 0.0000                 = football.points_split
        points_margin 0.0000                = football.points_margin
    problem 8 unrated
        rule_model 0.00                     = cell(Rules, "first_rating", 1)
        answer_fide 0                       = cell(Rules, "first_rating", 3)
    problem 9 margin
        zero_margin                         = margin.zero_margin
    problem 10 margin
        formula "|E − E(Y)| ≤ ε²·e^(−1/2) / (80000·√(2π))"
        answer_bound_first 0.0000000        = cell(Bounds, "bound", 1)
        answer_most_first 0.0000000         = cell(Bounds, "most", 1)
        answer_bound_second 0.0000000       = cell(Bounds, "bound", 2)
        answer_most_second 0.0000000        = cell(Bounds, "most", 2)
"""

MISPRINTS: Final = """
page misprints wide
    section wrong_numbers
    facts live printed
        wrong_350       0.882   teaching.table.1;gaceta.table.2     = ELO_EXPECTED(1850, 1500)
        wrong_200       0.7603  teaching.table.2;gaceta.table.3     = ELO_EXPECTED(1700, 1500)
        wrong_margin    0.6380  teaching.table.2;gaceta.table.3     = with_margin(100, 10)
        wrong_difference    50  web.text        = cell(Gaps, "a", 1) - cell(Gaps, "b", 1)
        right_difference    50  web.text        = cell(Gaps, "a", 2) - cell(Gaps, "b", 2)
        wrong_sd        282     mamon.equation.3                    = SQRT(2) * 200
    section wrong_formulas
    text about_wrong_formulas
    table
        where left              : (@web.text @web.text @mamon.equation.9 @mamon.equation.10
                                   @ioffe.equation.9 @ioffe.equation.4)
        example left            : ("normcdf(40,0,sigma) = 0.55623" "normcdf(-180,0,sigma) = 0.26226"
                                   "x = 0.6" "x = 0.6" "1600 1500 1550 1450" "RA − RB = 100")
        printed left text:as_printed : ("sigma = 200*sqrt(200)" "sigma = 200*sqrt(200)"
                                   "[1 + (π/3)(x − ½)]" "[1 + (4/3)(x − ½)]" "R1 + R2 − R4 − R4"
                                   "Φ(RA − RB)")
        gives 0.00000           = by_row(
            Φ(40 / (200 * SQRT(200))), Φ(-180 / (200 * SQRT(200))), nine(0.6, 1), ten(0.6, 1),
            bridge_result_expected(1600, 1500, 1450, 1450, 50, 4 / 1500), Φ(100))
        right left              : ("200*sqrt(2)" "200*sqrt(2)" "[1 + (π/3)(x − ½)²]"
                                   "[1 + (4/3)(x − ½)²]" "R1 + R2 − R3 − R4"
                                   "Φ((RA − RB) / (200·√2))")
        right_gives 0.00000 text:gives = by_row(
            elo(40), elo(-180), nine(0.6, 2), ten(0.6, 2),
            bridge_result_expected(1600, 1500, 1550, 1450, 50, 4 / 1500), elo(100))
        verdict center          = IF(ABS(gives - right_gives) < 1E-9, t.agrees, t.misprint)
        marks
            verdict attention     verdict = t.misprint
    section remarks
    remark table 0.00           = ELO_EXPECTED(1800, 1594, "fide")
    remark table_spread 0.00000 = ELO_EXPECTED(1800, 1594)
    remark cap 0.00000          = ELO_EXPECTED(2700, 2100, "normal", 400)
    remark no_cap 0.00000       = ELO_EXPECTED(2700, 2100)
    remark classes              = ELO_CLASS(2200, language)
    remark three 0.0000         = ELO_MATCH(1834, 2179, 10, 3, "exactly", 0)
    remark three_more 0.0000    = ELO_MATCH(1834, 2179, 10, 3, "at least", 0)
    remark bound 0.0000000      = bound_of(10)
    remark sharp 0.0000000      = elo(200 * SQRT(2)) - with_margin(200 * SQRT(2), 10)
    remark zero
    remark k_young 0            = ELO_K(2200, 90, 18)
    remark k_many 0             = ELO_K(1500, 90, 30,, 36)
    remark two_decimals
    remark mamon
    remark fischer 0            = ELO_DIFF(0.625, "fide")
    remark sigma
    remark lost
"""
