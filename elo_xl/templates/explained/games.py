"""Pages on one game: Benítez and Roca's model, what follows from it, and its approximations."""

from __future__ import annotations

from typing import Final

GAMES: Final = """
page results
    formula "E(X) = 1·p(1) + ½·p(½) + 0·p(0)"
    formula "Var(X) = 1²·p(1) + (½)²·p(½) − E(X)²"
    section try
    input chance_win 0.4 0..1 0.00
    input chance_draw 0.2 0..1 0.00
    chance_loss 0.00        = IF(chance_win + chance_draw > 1 + 1E-9, t.check_sum,
                                 MAX(0, 1 - chance_win - chance_draw))
    expectation 0.000 waits:chance_loss     = chance_win + chance_draw / 2
    variance 0.000 waits:chance_loss        = chance_win + chance_draw / 4 - expectation ^ 2
    section asked
    asked_in teaching.problem.2
    table Pairs
        pair left strong                    : "A – B" "C – D" "E – F"
        win 0.00 text:chance_win            : 0.4 0.6 0.2
        draw 0.00 text:chance_draw          : 0.2 0.2 0.6
        loss 0.00 text:chance_loss          : 0.4 0.2 0.2
        expectation 0.000                   = win + draw / 2
            answer 0.5 0.7 0.5
        variance 0.000                      = win + draw / 4 - expectation ^ 2
            answer 0.2 0.16 0.1
    text more_results
    section pairings
    text about_pairings
    formula "n(n − 1)/2,   n(n − 1)"
    input players 6 2..1000000 0 step:1
    pairs #,##0                             = players * (players - 1) / 2
    coloured_pairs #,##0                    = players * (players - 1)

page expected
    formula "E = Φ((μA − μB) / (200·√2))"
    section try
    input rating 1834 1..3999 0
    input opponent 2179 1..3999 0
    expected 0.00000                        = ELO_EXPECTED(rating, opponent)
    other 0.00000                           = ELO_EXPECTED(opponent, rating)
    section printed
    printed_in both.example
    table
        a 0 left text:rating                : 1834 2332 1834
        b 0 text:opponent                   : 2179 2179 1681
        gap 0                               = a - b
        expected_score 0.0000000            = ELO_EXPECTED(a, b)
            printed 0.11128 - -
        hundred 0.00                        = 100 * expected_score
            printed 11 - -
    text more_expected
    section curve
    points Expected sheet_expected
        d text:difference                   : -800..800/25
        a text:rating                       = BASE + d
        expected 0.00000 text:expected_score    = ELO_EXPECTED(a, BASE)
    chart chart_expected
        x column_difference 0 -800..800 200
        y column_expected_score 0.0 0..1 0.2
        curve Expected d expected

page consequences
    formula "E(A,B) + E(B,A) = 1"
    section try
    input fixed 1800 1300..2800 0
    input step 50 1..100 0
    blank
    table Rising
        line 0 left strong                  : 0..11
        a_rises 0                           = fixed + line * step
        e_rises 0.00000                     = ELO_EXPECTED(a_rises, fixed)
        b_falls 0                           = fixed - line * step
        e_falls 0.00000                     = ELO_EXPECTED(fixed, b_falls)
        e_other 0.00000                     = ELO_EXPECTED(b_falls, fixed)
        sum_of_both 0.00000                 = e_falls + e_other
        as_stated center                    = IF(AND(
            ABS(sum_of_both - 1) < 1E-12, ABS(e_rises - e_falls) < 1E-12,
            cases(row_number = 1, e_rises = 0.5, e_rises > e_rises.above)), t.yes, t.no)
        marks
            as_stated   attention           as_stated = t.no
    blank
    stated 0                                = COUNTIF(Rising[as_stated], t.yes)
    text more_consequences
    section limits
    table
        d 0 left text:difference            : 0 200 400 800 1200 1600
        a 0 text:rating                     = b + d
        b 0 text:opponent                   = BASE
        near 0.000000 text:expected_score   = ELO_EXPECTED(a, b)
        left 0.0E+00 text:missing           = ELO_EXPECTED(b, a)
    section bell
    text about_bell
    formula "Φ(x) + Φ(−x) = 1"
    input bell_x 1 0..3.5 0.00
    left_tail 0.00000                       = Φ(-bell_x)
    below 0.00000                           = Φ(bell_x)
    both 0.00000                            = left_tail + below
    # two lines up from the axis, at x and -x: all later points stand on their upper ends
    points Bell bell
        x 0.0000 text:point_x               : -4..4/0.1
        bell 0.0000 text:point_bell         = density(x)
        left_x 0.0000 text:point_left_x     = -N(bell_x)
        left 0.0000 text:point_left         = cases(row_number = 1, 0, density(left_x))
        right_x 0.0000 text:point_right_x   = N(bell_x)
        right 0.0000 text:point_right       = cases(row_number = 1, 0, density(right_x))
    chart chart_bell
        x "x" 0 -4..4 1
        y column_point_bell 0.0 0..0.5 0.1
        curve Bell x bell
        curve Bell left_x left "−x"
        curve Bell right_x right "x"

page unequal
    formula "E = Φ((μA − μB) / √(σA² + σB²))"
    section try
    input rating 1600 1..3999 0
    input opponent 1500 1..3999 0
    input spread 300 1..2000 0
    input opponent_spread 200 1..2000 0
    spread_of_difference 0.00               = SQRT(spread ^ 2 + opponent_spread ^ 2)
    expected 0.00000            = ELO_EXPECTED(rating, opponent,,, spread, opponent_spread)
    equal_spread 0.00000                    = ELO_EXPECTED(rating, opponent)
    section spreads
    table
        spread 0 left                       : 50 100 150 200 250 300 400 500 700 1000
        expected 0.00000 text:expected_score = ELO_EXPECTED(rating, opponent,,, spread,
                                                            opponent_spread)
    text more_unequal
    section curve
    points Unequal sheet_unequal
        spread 0                            : 10 25..1000/25
        stronger 0 text:rating              = SUM(BASE, 100)
        higher 0.00000 text:higher_rated    = ELO_EXPECTED(stronger, BASE,,, spread)
        weaker 0 text:rating                = SUM(BASE, -100)
        lower 0.00000 text:lower_rated      = ELO_EXPECTED(weaker, BASE,,, spread)
    chart chart_unequal
        x column_spread 0 0..1000 200
        y column_expected_score 0.0 0..1 0.2
        curve Unequal spread higher
        curve Unequal spread lower

page logistic
    formula "F = 1 / (1 + 10^((μB − μA)/400))"
    section try
    input rating 1834 1..3999 0
    input opponent 2179 1..3999 0
    normal 0.00000                          = ELO_EXPECTED(rating, opponent, "normal")
    logistic 0.00000                        = ELO_EXPECTED(rating, opponent, "logistic")
    apart 0.00000                           = ABS(normal - logistic)
    section printed
    printed_in both.tables.1.2
    table
        d 0 left text:difference            : 0..400/50
        a 0 text:rating                     = BASE + d
        normal 0.00000                      = ELO_EXPECTED(a, BASE, "normal")
            printed 0.5 0.570 0.638 0.702 0.760 0.812 0.856 0.882 0.921
        logistic 0.00000                    = ELO_EXPECTED(a, BASE, "logistic")
            printed 0.5 0.571 0.640 0.703 0.760 0.808 0.849 0.882 0.909
    text more_logistic
    section curve
    points Logistic sheet_logistic
        d text:difference                   : 0..800/20
        a text:rating                       = BASE + d
        normal 0.00000                      = ELO_EXPECTED(a, BASE, "normal")
        logistic 0.00000                    = ELO_EXPECTED(a, BASE, "logistic")
        apart 0.00000                       = ABS(normal - logistic)
    most_apart 0.00000                      = MAX(Logistic[apart])
    most_apart_at 0                         = where_most(Logistic[d], Logistic[apart])
    blank
    chart chart_logistic
        x column_difference 0 0..800 100
        y column_expected_score 0.0 0.5..1 0.1
        curve Logistic d normal
        curve Logistic d logistic

page decimals
    section try
    input rating 1800 1..3999 0
    input opponent 1950 1..3999 0
    normal 0.00000                          = ELO_EXPECTED(rating, opponent)
    two_decimals 0.00                       = ROUND(normal, 2)
    fide_table 0.00                         = ELO_EXPECTED(rating, opponent, "fide")
    section printed
    printed_in web.decimals
    table
        d 0 left text:difference            : (-200 -150 -120 -100 -80 -60 -40 -30 -20 -10 -5 0
                                               5 10 20 30 40 60 80 100 120 150 200)
        a 0 text:rating                     = BASE + d
        normal 0.00000                      = ELO_EXPECTED(a, BASE, "normal")
            printed {decimals}
        fide_table 0.00                     = ELO_EXPECTED(a, BASE, "fide")
            printed {decimals}
    text more_decimals
    section octave
    text about_octave
    printed_in web.octave
    table Sigma
        sigma_text left strong              : "200·√2"
        sigma 0.0000                        = 200 * SQRT(2)
            printed 2828.4271
    blank
    printed_in web.octave
    table
        octave left strong                  : "normcdf(40, 0, sigma)" "normcdf(-180, 0, sigma)"
        point 0                             : 40 -180
        normal 0.0000000                    = Φ(point / cell(Sigma, "sigma", 1))
            printed 0.55623 0.26226
        with_printed_sigma 0.00000          = Φ(point / cell(Sigma, "sigma_printed", 1))
    section same_difference
    text about_same_difference
    printed_in web.example
    table Gaps
        pair left strong                    : "A – B" "C – D"
        a 0 text:rating                     : 1850 2060
        b 0 text:opponent                   : 1790 2010
        gap 0                               = a - b
            printed 50 50
        expected_score 0.00000              = ELO_EXPECTED(a, b)
"""

DECIMALS: Final = (
    "0.24 0.30 0.34 0.36 0.39 0.42 0.44 0.46 0.47 0.49 0.49 0.50 "
    "0.51 0.51 0.53 0.54 0.56 0.58 0.61 0.64 0.66 0.70 0.76"
)
"""The expected scores that Benítez prints to two decimals."""
