"""Pages on Mamon's two formulas for a difference, and Ioffe's corrections for chess and bridge."""

from __future__ import annotations

from typing import Final

MAMON: Final = """
page two_formulas
    formula "Δlog = 400·log₁₀(x / (1 − x))     (2)"
    formula "ΔElo = 400·erf⁻¹(2x − 1) = 200·√2·Φ⁻¹(x)     (5)"
    formula "Δlog,2 = 100·√π·ln(x / (1 − x))     (8)"
    section try
    input points_won 12.5 0.5..1000 0.0 step:0.5
    input points_lost 7.5 0.5..1000 0.0 step:0.5
    fraction 0.0000                         = points_won / (points_won + points_lost)
    diff_normal 0.00                        = ELO_DIFF(fraction, "normal")
    diff_logistic 0.00                      = ELO_DIFF(fraction, "logistic")
    diff_rescaled 0.00                      = ELO_DIFF(fraction, "rescaled")
    diff_fide 0.00                          = ELO_DIFF(fraction, "fide")
    nine_printed 0.00                       = nine(fraction, 1)
    nine_right 0.00                         = nine(fraction, 2)
    ten_printed 0.00                        = ten(fraction, 1)
    ten_right 0.00                          = ten(fraction, 2)
    text two_lesson
    section figure_one
    # in the middle, where both are 0, the ratio of the slopes
    points Figure sheet_two_formulas
        x 0.00 text:fraction                : 0.01..0.99/0.01
        logistic 0.0 head:curve_logistic    = 400 * LOG10(x / (1 - x))
        normal 0.0 head:curve_normal        = 200 * SQRT(2) * NORMSINV(x)
        ratio 0.0000 text:formula_ratio     = cases(row_number = 50, 4 / (SQRT(PI()) * LN(10)),
                                                    logistic / normal)
        rescaled 0.0000 text:formula_ratio  = ratio * SQRT(PI()) / 4 * LN(10)
    chart chart_two
        x column_fraction 0.0 0..1 0.1
        y column_difference 0 -800..800 200
        curve Figure x logistic
        curve Figure x normal
    blank
    chart chart_two_ratio
        x column_fraction 0.0 0..1 0.1
        y column_formula_ratio 0.00 0.96..1.24 0.04
        curve Figure x ratio name:curve_logistic
        curve Figure x rescaled name:curve_rescaled
    section meeting
    text about_meeting
    input tolerance 5 2..100
    table Meeting rows:3
        percent left strong            = by_row(2, 10, tolerance)
        x 0.00000 text:fraction waits:percent       = Φ(meeting())
        d 0.000 text:difference waits:percent       = 200 * SQRT(2) * meeting()
{halvings}
    section printed
    facts live printed
        fraction    0.625   mamon.text          = 12.5 / (12.5 + 7.5)
        other       0.375   mamon.text          = 7.5 / (12.5 + 7.5)
        a           405.7   mamon.equation.1    = 90 / LOG10(0.625 / (1 - 0.625))
        log         88.7    mamon.equation.2    = ELO_DIFF(0.625, "logistic")
        magazine    90      mamon.text          = ELO_DIFF(0.625)
        elo         90.1    mamon.equation.5    = ELO_DIFF(0.625)
        sd          282     mamon.equation.3    = SQRT(2) * 200
        slope_log   694.9   mamon.equation.6    = 1600 / LN(10)
        slope_elo   709.0   mamon.equation.7    = 400 * SQRT(PI())
        ratio       1.020   mamon.equation.8    = SQRT(PI()) / 4 * LN(10)
        two         2       mamon.text          = 100 * (SQRT(PI()) / 4 * LN(10) - 1)
        rescaled    408.1   mamon.equation.8    = 100 * SQRT(PI()) * LN(10)
        third       27      mamon.text          = 100 * (4 / PI() - 1)
        points_two  268     mamon.text          = cell(Meeting, "d", 1)
        share_two   83      mamon.text          = 100 * cell(Meeting, "x", 1)
    section checked
    text about_checked_two
    facts checked_live check
        elo_close       71.657  mamon.equation.5    = ELO_DIFF(0.6)
        nine_printed    78.32   mamon.equation.9    = nine(0.6, 1)
        nine_right      71.641  mamon.equation.9    = nine(0.6, 2)
        rescaled_close  -       mamon.equation.8    = ELO_DIFF(0.6, "rescaled")
        ten_printed     -       mamon.equation.10   = ten(0.6, 1)
        ten_right       -       mamon.equation.10   = ten(0.6, 2)
        third_ratio     1.273   mamon.equation.10   = 4 / PI()
        points_two      267.7   mamon.figure.1      = cell(Meeting, "d", 1)
        x_two           0.8280  mamon.figure.1      = cell(Meeting, "x", 1)
        x_ten           0.9504  mamon.figure.1      = cell(Meeting, "x", 2)
        table           95      fide_table          = ELO_DIFF(0.625, "fide")
"""

HALVING: Final = """
    # an interval halved until nothing is left of it; beyond 6 deviations the formulas are far apart
    points Halving{n} meeting rows:42
        low 0.000000        = cases(row_number = 1, 0, IF(formula_ratio.above < wanted({n}),
                                                          middle.above, low.above))
        high 0.000000       = cases(row_number = 1, 6, IF(formula_ratio.above < wanted({n}),
                                                          high.above, middle.above))
        middle 0.000000     = (low + high) / 2
        formula_ratio 0.000000      = 400 * LOG10(Φ(middle) / Φ(-middle)) / (200 * SQRT(2) * middle)
"""

IOFFE: Final = """
page bayes
    formula "E(A) = p₁ + ½·p½     E(B) = p₀ + ½·p½     E(A) + E(B) = 1     (1) (2) (3)"
    formula "E = Φ((RA − RB) / (200·√2))     (4)"
    formula "p₁ = E²,   p½ = 2·E·(1 − E),   p₀ = (1 − E)²     (5)"
    formula "E = 1 / (1 + 10^((RB − RA) / 400))     (6)"
    formula "R′ = R + K·(S − E)     (7)"
    text bayes_five
    section try
    input rating 1600 1..3999 0
    input opponent 1500 1..3999 0
    input deviation 100 1..300 0
    input k_factor 20 0..100 0
    bayes_outcomes 0.00000 win,draw,loss    = ELO_OUTCOMES(rating, opponent)
    bayes_first 0.00000                     = win + draw / 2
    bayes_second 0.00000                    = loss + draw / 2
    bayes_sum 0.00000                       = bayes_first + bayes_second
    bayes_normal 0.00000                    = ELO_EXPECTED(rating, opponent)
    bayes_logistic 0.00000                  = ELO_EXPECTED(rating, opponent, "logistic")
    section bayes_after
    text about_bayes_after
    table
        score 0.0 left strong               : 1 0.5 0
        chance_before 0.0000                = chance(rating, opponent, score, deviation)
        bayes_new,bayes_other,bayes_sd 0.00 = ELO_BAYES(rating, opponent, score, deviation)
        bayes_shift +0.00                   = shift(bayes_new, rating)
        logistic_new 0.00       = ELO_BAYES(rating, opponent, score, deviation,,, "logistic")
        logistic_shift +0.00                = shift(logistic_new, rating)
        linear_shift +0.00                  = k_factor * (score - elo(rating - opponent))
    section bayes_link
    text about_bayes_link
    formula "K = σ²·ln 10 / 200     σ = √(200·K / ln 10)"
    table
        k 0 left text:factor                : 10 20 40
        deviation 0.0000                    = SQRT(200 * k / LN(10))
            check 29.5 41.7 58.9
        bayes_new 0.0000                    = ELO_BAYES(BASE, BASE, 1, deviation,,, "logistic")
        bayes_win 0.0000                    = shift(bayes_new, BASE)
            check - 9.47 -
        linear_win 0.0000                   = k * (1 - 0.5)
    section bayes_chart
    text about_bayes_chart
    points Bayes sheet_bayes
        d text:difference                   : -600..600/50
        a text:rating                       = BASE + d
        won_after 0.0000 text:bayes_new     = ELO_BAYES(a, BASE, 1, deviation,,, "logistic")
        lost_after 0.0000 text:bayes_new    = ELO_BAYES(a, BASE, 0, deviation,,, "logistic")
        won +0.00 head:curve_won            = shift(won_after, a)
        won_linear +0.00 head:curve_won_linear      = linear(deviation, 1, d)
        lost +0.00 head:curve_lost          = shift(lost_after, a)
        lost_linear +0.00 head:curve_lost_linear    = linear(deviation, 0, d)
    chart chart_bayes
        x column_difference 0 -600..600 200
        y column_shift 0
        curve Bayes d won
        curve Bayes d won_linear
        curve Bayes d lost
        curve Bayes d lost_linear
    section checked
    text about_checked_bayes
    table
        own 0 left text:rating              : {own}
        other 0 text:opponent               : {other}
        score 0.0                           : {score}
        sd 0 text:deviation                 : {sd}
        chance_before 0.00000               = chance(own, other, score, sd)
            check 0.2820 0.4187 0.4107 0.1706 0.0532 0.2228 0.7240
    blank
    table
        own 0 left text:rating              : {own}
        other 0 text:opponent               : {other}
        score 0.0                           : {score}
        sd 0 text:deviation                 : {sd}
        after 0.0000 text:bayes_new         = ELO_BAYES(own, other, score, sd,,, "normal")
        shift_normal +0.0000                = shift(after, own)
            check 44.7289 34.4975 -11.9069 -56.0208 149.2478 70.3276 -32.6041
    blank
    table
        own 0 left text:rating              : {own}
        other 0 text:opponent               : {other}
        score 0.0                           : {score}
        sd 0 text:deviation                 : {sd}
        after 0.0000 text:bayes_new         = ELO_BAYES(own, other, score, sd,,, "logistic")
        shift_logistic +0.0000              = shift(after, own)
            check 44.5619 34.0385 -11.3302 -55.8339 145.9299 62.5454 -31.8792

page bridge
    formula "S ~ N(S₀ + k·(x₁ + x₂ − x₃ − x₄), σ₁²)     (8)"
    formula "ES = S₀ + k·(R₁ + R₂ − R₃ − R₄)     (9)     dR = S − ES     (10)"
    formula "p(x | S) ∝ p(S | x)·p(x₁)·p(x₂)·p(x₃)·p(x₄),   xi ~ N(Ri, σ₂²)     (11)"
    formula "R′i = E(xi | S) = Ri ± k·σ₂²·(S − ES) / (σ₁² + 4·k²·σ₂²)     (12)"
    text bridge_twelve
    section try
    input bridge_north 1600 1..3999 0
    input bridge_south 1500 1..3999 0
    input bridge_east 1550 1..3999 0
    input bridge_west 1450 1..3999 0
    input bridge_result 58 -500..500
    input bridge_mean 50 -500..500
    input bridge_slope 4 0..1000
    input bridge_spread 6 0.1..1000
    input bridge_sd 200 1..1000
    bridge_k 0.00000000                     = bridge_slope / 1500
    bridge_expected 0.0000 label:line_bridge_mean   = bridge_result_expected(
        bridge_north, bridge_south, bridge_east, bridge_west, bridge_mean, bridge_k)
    bridge_misprint 0.0000 waits:bridge_east        = bridge_result_expected(
        bridge_north, bridge_south, bridge_west, bridge_west, bridge_mean, bridge_k)
    bridge_rest format:"+0.0000;-0.0000;0"  = bridge_result - bridge_expected
    bridge_new 0.0000 north,south,east,west = ELO_BRIDGE(
        bridge_north, bridge_south, bridge_east, bridge_west,
        bridge_result, bridge_mean, bridge_k, bridge_spread, bridge_sd)
    bridge_shift +0.0000 gain_n,gain_s,gain_e,gain_w = (north - bridge_north ;
        south - bridge_south ; east - bridge_east ; west - bridge_west)
    bridge_left 0.0000                      = bridge_sd_left(bridge_k, bridge_spread, bridge_sd)
    section bridge_chart
    points Bridge sheet_bridge
        result 0 text:bridge_result         : 30..70/2
        whole +0.00 head:curve_bridge       = bridge_shift(bridge_expected, bridge_k, bridge_spread,
                                                           bridge_sd, result)
        half +0.00 head:curve_bridge_half   = bridge_shift(bridge_expected, bridge_k, bridge_spread,
                                                           bridge_sd / 2, result)
    chart chart_bridge
        x column_bridge_result 0 30..70 5
        y column_shift 0
        curve Bridge result whole
        curve Bridge result half
    section checked
    text about_checked_bridge
    texts
        column_sd_north = "σ₂ " & t.column_bridge_north
        column_sd_south = "σ₂ " & t.column_bridge_south
        column_sd_east = "σ₂ " & t.column_bridge_east
        column_sd_west = "σ₂ " & t.column_bridge_west
        column_new_north = t.column_new_of(player = t.column_bridge_north)
        column_new_south = t.column_new_of(player = t.column_bridge_south)
        column_new_east = t.column_new_of(player = t.column_bridge_east)
        column_new_west = t.column_new_of(player = t.column_bridge_west)
    table Cases
        case 0 left strong text:bridge_case : 1..5
        north 0 text:bridge_north           : 1600 1600 2100 1500 1600
        south 0 text:bridge_south           : 1500 1500 1300 1500 1500
        east 0 text:bridge_east             : 1550 1550 1700 1500 1550
        west 0 text:bridge_west             : 1450 1450 1700 1500 1450
        result 0.0 text:bridge_result       : 58 45 52 12 58
        mean 0 text:bridge_mean             : 50 50 50 0 50
        k 0.000000 text:bridge_k            : 4/1500 4/1500 4/1500 0.004 4/1500
        spread 0 text:bridge_spread         : 6 6 8 5 6
        sd_north 0                          : 200 200 150 100 200
        sd_south 0                          : 200 200 150 100 60
        sd_east 0                           : 200 200 150 100 120
        sd_west 0                           : 200 200 150 100 120
    blank
    table After
        case 0 left strong text:bridge_case : 1..5
        new_north,new_south,new_east,new_west 0.000000 each = ELO_BRIDGE(
            Cases[@north], Cases[@south], Cases[@east], Cases[@west], Cases[@result], Cases[@mean],
            Cases[@k], Cases[@spread], Cases[@sd_north:sd_west])
    blank
    table
        case 0 left strong text:bridge_case : 1..5
        bridge_expected 0.000000            = bridge_result_expected(Cases[@north], Cases[@south],
            Cases[@east], Cases[@west], Cases[@mean], Cases[@k])
            check 50.266667 50.266667 50 0 50.266667
        bridge_left 0.0000                  = cases(row_number = 1, bridge_sd_left(
            Cases[@k], Cases[@spread], Cases[@sd_north]), EMPTY)
            check 199.2326 - - - -
    blank
    table
        case 0 left strong text:bridge_case : 1..5
        bridge_shift_north +0.000000        = After[@new_north] - Cases[@north]
            check 22.211584 -15.126855 1.856436 18.720749 22.590508
        bridge_shift_south +0.000000        = After[@new_south] - Cases[@south]
            check 22.211584 -15.126855 1.856436 18.720749 2.033146
    blank
    table
        case 0 left strong text:bridge_case : 1..5
        bridge_shift_east +0.000000         = After[@new_east] - Cases[@east]
            check -22.211584 15.126855 -1.856436 -18.720749 -8.132583
        bridge_shift_west +0.000000         = After[@new_west] - Cases[@west]
            check -22.211584 15.126855 -1.856436 -18.720749 -8.132583
"""

CHECKED: Final = {
    "own": "1500 1600 1600 1600 1834 1834 1834",
    "other": "1500 1500 1500 1500 2179 2179 2179",
    "score": "1 1 0.5 0 1 0.5 0",
    "sd": "100 100 100 100 150 150 150",
}
"""The games for which Bayes' formula was worked out in other ways."""
