"""Pages that bring together the teaching article's ten problems, and all misprints."""

from __future__ import annotations

from typing import Final

PROBLEMS: Final = """
page problems down:none
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
