"""Pages on matches, tournaments and rating periods: Benítez and Roca's problems and axioms."""

from __future__ import annotations

from typing import Final

EVENTS: Final = """
page matches
    formula "P(S = k) = n!/(k!·(n−k)!) · E^k · (1−E)^(n−k)"
    section try
    input rating 1834 1..3999 0
    input opponent 2179 1..3999 0
    input match_games 10 1..20 0 step:1
    input match_points 3 0..20 step:0.5
    expected 0.00000                        = ELO_EXPECTED(rating, opponent)
    reachable                               = IF(match_points <= match_games, match_points, "")
    blank
    table
        kind left strong                    : t.kind_exactly t.kind_at_least t.kind_at_most
        no_draws 0.0000000      = ELO_MATCH(rating, opponent, match_games, reachable, kind(), 0)
        with_draws 0.0000000    = ELO_MATCH(rating, opponent, match_games, reachable, kind())
    section asked
    asked_in teaching.problem.4
    table Match
        kind left strong                    : t.kind_exactly t.kind_at_least
        rating 0                            : 1834 1834
        opponent 0                          : 2179 2179
        match_games 0                       : 10 10
        match_points 0                      : 3 3
        probability 0.0000000   = ELO_MATCH(rating, opponent, match_games, match_points, kind(), 0)
            answer 0.0724 0.0909
    text more_matches
    section distribution
    # points beyond the last one repeat it
    points Scores sheet_matches rows:41
        plain 0.0 text:match_points         = MIN(row_number - 1, N(match_games))
        no_draws 0.0000000      = ELO_MATCH(rating, opponent, match_games, plain, "exactly", 0)
        drawn 0.0 text:match_points         = MIN((row_number - 1) / 2, N(match_games))
        with_draws 0.0000000    = ELO_MATCH(rating, opponent, match_games, drawn, "exactly")
    chart chart_matches
        x column_match_points 0 0.. 1
        y column_probability 0.00 0..
        curve Scores plain no_draws signs
        curve Scores drawn with_draws signs

page football
    formula "E = 3·P(1) + 1·P(½) + 0·P(0)"
    section try
    input rating 1600 1..3999 0
    input opponent 1500 1..3999 0
    input points_win 3 -10..10
    input points_draw 1 -10..10
    input points_loss 0 -10..10
    input margin 50 0..1000 0
    headings chance_win chance_draw chance_loss
    outcomes_split 0.0000 win,draw,loss     = ELO_OUTCOMES(rating, opponent)
    outcomes_margin 0.0000 won,drawn,lost   = ELO_OUTCOMES(rating, opponent, margin)
    points_none 0.0000      = ELO_POINTS(rating, opponent, points_win, points_draw, points_loss, 0)
    points_split 0.0000     = ELO_POINTS(rating, opponent, points_win, points_draw, points_loss)
    points_margin 0.0000    = ELO_POINTS(rating, opponent, points_win, points_draw, points_loss,
                                         margin)
    section printed
    printed_in web.football
    table
        situation 0 left strong             : 1 2
        win 0.0 text:chance_win             : 0.5 0.2
        draw 0.0 text:chance_draw           : 0 0.6
        loss 0.0 text:chance_loss           : 0.5 0.2
        football 0.00                       = 3 * win + draw
            printed 1.5 1.2
        chess 0.00                          = win + draw / 2
        older 0.00                          = 2 * win + draw
    text more_football

page unrated
    formula "R = μB + 200·√2·Φ⁻¹(S/n)"
    section try
    input opponents 1800 1..3999 0
    input match_games 10 1..20 0 step:1
    input match_points 3 0..20 step:0.5
    reachable                               = IF(match_points <= match_games, match_points, "")
    by_model 0.00       = IF(OR(reachable = 0, reachable = match_games), "–",
                             rating_by_model(opponents, match_games, reachable))
    section by_fide
    text about_by_fide
    mean 0.00           = (match_games * opponents + 2 * 1800) / (match_games + 2)
    share 0.00          = ROUND((reachable + 1) / (match_games + 2), 2)
    dp 0                = ELO_DIFF(share, "fide")
    first 0             = MIN(2200, ROUND(mean + dp, 0))
    points Opponents sheet_unrated
        game 0                              : 1..20
        opponent 0                          = IF(game <= match_games, opponents, "")
    initial 0           = ELO_INITIAL(Opponents[opponent], reachable, "fide-2024-03")
    texts
        rule_2024 = t.rule_fide(edition = "2024-03")
        rule_2022 = t.rule_fide(edition = "2022-01")
        rule_2017 = t.rule_fide(edition = "2017-07")
        rule_2014 = t.rule_fide(edition = "2014-07")
        rule_2009 = t.rule_fide(edition = "2009-07")
    section asked
    asked_in teaching.problem.8
    table Rules
        rule left strong                    : (t.rule_model t.rule_logistic t.rule_2024 t.rule_2022
                                               t.rule_2017 t.rule_2014 t.rule_2009)
        opponent 0 text:opponents           : 1800 1800 1800 1800 1800 1800 1800
        match_games 0                       : 10 10 10 10 10 10 10
        match_points 0                      : 3 3 3 3 3 3 3
        first_rating 0.00                   = by_row(
            rating_by_model(opponent, match_games, match_points),
            opponent + 400 * LOG10(match_points / (match_games - match_points)),
            ELO_INITIAL(Asked[opponent], match_points, "fide-2024-03"),
            ELO_INITIAL(Asked[opponent], match_points, "fide-2022-01"),
            ELO_INITIAL(Asked[opponent], match_points, "fide-2017-07"),
            ELO_INITIAL(Asked[opponent], match_points, "fide-2014-07"),
            ELO_INITIAL(Asked[opponent], match_points, "fide-2009-07"))
            answer 1651.68 - 1675 - - - -
    points Asked sheet_unrated
        game 0                              : 1..20
        opponent 0      = IF(game <= cell(Rules, "match_games", 1), cell(Rules, "opponent", 1), "")
    text more_unrated

page margin
    formula "E(Y) = (Φ(α) + Φ(β)) / 2,   α = (μA − μB − ε)/(200·√2),   β = (μA − μB + ε)/(200·√2)"
    section try
    input rating 1600 1..3999 0
    input opponent 1500 1..3999 0
    input margin 20 0..1000 0
    headings chance_win chance_draw chance_loss
    outcomes_margin 0.0000000 win,draw,loss = ELO_OUTCOMES(rating, opponent, margin)
    mean_y 0.0000000                        = win + draw / 2
    mean_x 0.0000000                        = ELO_EXPECTED(rating, opponent)
    gap 0.0E+00                             = ABS(mean_x - mean_y)
    bound 0.0E+00                           = bound_of(margin)
    under                                   = IF(gap <= bound + 1E-15, t.yes, t.no)
    zero_margin 0       = with_margin(rating - opponent, 0) - elo(rating - opponent)
    section printed
    first 0 label:line_margin_first         = 10
    second 0 label:line_margin_second       = 20
    printed_in both.tables.2.3
    table
        d 0 left text:difference            : 0..300/50
        margin_none 0.0000000               = elo(d)
            printed 0.5 0.5702 0.6382 0.7021 0.7603 0.8116 0.8556
        margin_first 0.0000000              = with_margin(d, first)
            printed 0.5 0.5701 0.6380 0.7019 0.7601 0.8115 0.8554
        margin_second 0.0000000             = with_margin(d, second)
            printed 0.5 0.5700 0.6378 0.7016 0.7597 0.8110 0.8550
    text more_margin
    section bound
    text about_bound
    formula "|E − E(Y)| ≤ ε²·e^(−1/2) / (80000·√(2π))"
    texts
        column_gap_first = t.curve_gap(margin = 10)
        column_gap_second = t.curve_gap(margin = 20)
        column_bound_first = t.curve_bound(margin = 10)
        column_bound_second = t.curve_bound(margin = 20)
    points Margins sheet_margin
        d 0 text:difference                 : -800..800/20
        gap_first 0.0000000                 = ABS(elo(d) - with_margin(d, first))
        bound_first 0.0000000               = bound_of(first)
        gap_second 0.0000000                = ABS(elo(d) - with_margin(d, second))
        bound_second 0.0000000              = bound_of(second)
    table Bounds rows:2
        margin 0 left                       = by_row(first, second)
        bound 0.0000000                     = bound_of(margin)
        most 0.0000000 text:most_gap        = MAX(gaps())
        at 0 text:at_difference             = ABS(where_most(Margins[d], gaps()))
    blank
    chart chart_margin
        x column_difference 0 -800..800 200
        y "|E − E(Y)|" 0.0000 0..
        curve Margins d gap_first
        curve Margins d bound_first
        curve Margins d gap_second
        curve Margins d bound_second

page tournament
    formula "E = E(A,X) + E(A,Y) + E(A,Z),   K·(S − E)"
    section try
    input rating 1800 1..3999 0
    input k 20 0..100 0
    blank
    table Try
        game left strong                    : 1..6
        opponent 0 input 1..3999            : 1860 1770 2000 - - -
        game_score input 0..1 step:0.5      : 1 0.5 0 - - -
        expected 0.00000 text:expected_score    = ELO_EXPECTED(rating, Opponent[@counts])
        more +0.00000                       = Game_score[@counts] - expected
        totals
            game                            = t.column_total
            game_score 0.0                  = SUMIF(Try[more], ">-9", Game_score[counts])
            expected                        = SUMIF(Try[more], ">-9", Try[expected])
            more                            = SUM(Try[more])
    change_elo +0.00    = ELO_CHANGE(rating, k, Opponent[counts], Game_score[counts], "elo")
    change_fide +0.00   = ELO_CHANGE(rating, k, Opponent[counts], Game_score[counts],
                                     "fide-2025-10")
    new_fide 0          = ELO_UPDATE(rating, k, Opponent[counts], Game_score[counts],
                                     "fide-2025-10")
    section printed
    printed_in both.tables.3.4
    table Games
        rival left strong                   : "X" "Y" "Z"
        a 0 text:rating                     : 1800 1800 1800
        b 0 text:opponent                   : 1860 1770 2000
        score 0.0 text:game_score           : 1 0.5 0
        expected_score 0.00000              = ELO_EXPECTED(a, b)
            printed 0.42 0.54 0.24
    blank
    printed_in both.tables.3.4
    table
        total left strong                   : t.total_expected t.total_score
        sum 0.00000                         = by_row(SUM(Games[expected_score]), SUM(Games[score]))
            printed 1.2 1.5
    text more_tournament
    section cap
    text about_cap
    texts
        column_cap_400 = t.column_cap_of(cap = 400)
        column_by_2024 = t.column_change_by(edition = "2024-03")
        column_by_2025 = t.column_change_by(edition = "2025-10")
    table
        a 0 left text:rating                : 2400 1800 2700
        b 0 text:opponent                   : 1800 2400 2200
        no_cap 0.00000                      = ELO_EXPECTED(a, b)
        cap 0.00000 text:cap_400            = ELO_EXPECTED(a, b,, 400)
        k 0 "K"                             : 10 10 10
        score 0.0 text:game_score           : 1 1 1
        by_2024 +0.00 each                  = ELO_CHANGE(a, k, b, score, "fide-2024-03")
        by_2025 +0.00 each                  = ELO_CHANGE(a, k, b, score, "fide-2025-10")

page new_rating
    formula "R' = μ + K·(S − E)"
    section try
    input rating 1800 1..3999 0
    input k 20 0..100 0
    input total_score 5 0..100 0.0 step:0.5
    input total_expected 4 0..100 0.00
    new 0.00                                = ELO_NEW(rating, k, total_score, total_expected)
    section printed
    printed_in all_three.equation.5
    table
        rating 0 left                       : 1800 1800
        k 0                                 : 20 40
        total_score 0                       : 5 5
        total_expected 0                    : 4 4
        new_rating 0.00                     = ELO_NEW(rating, k, total_score, total_expected)
            printed 1820 1840
    text more_new_rating
    section fide_k
    text about_fide_k
    input k_rating 2200 1..3999 0
    input k_games 90 0..100000 0 step:1
    input k_age 17 0..120 0 step:1
    input k_peak 2210 1..3999 0
    k_fide 0 label:line_k                   = ELO_K(k_rating, k_games, k_age, k_peak)
    blank
    printed_in web.k
    table
        case left strong                    : t.case_new t.case_young t.case_usual t.case_master
        k_rating 0                          : 1500 2200 2350 2350
        k_games 0                           : 12 90 40 400
        k_age 0                             : 30 17 30 30
        k_peak 0                            : - - - 2405
        k 0                                 = ELO_K(k_rating, k_games, k_age, k_peak)
            printed 40 40 20 10
    text more_fide_k

page k_effect
    formula "R′ = R + K·(S − E)"
    text k_reasons
    section try
    input strength 1600 1500..1700 0
    input jump 200 -200..200 0
    input jump_game 80 0..200 0 step:1
    input growth 0 -50..50 0
    input k_small 10 0..100 0
    input k_middle 20 0..100 0
    input k_large 40 0..100 0
    points Simulated sheet_k_effect rows:201
        game 0                              = row_number - 1
        opponent 0
        chance 0.0000
        truth 0.0 text:true                 = (N(strength) + IF(game > N(jump_game), N(jump), 0)
                                               + N(growth) * game / 100)
        expected_score 0.0000               = cases(row_number = 1, EMPTY, elo(truth - opponent))
        score 0.0                           = cases(row_number = 1, EMPTY,
            IF(chance < expected_score ^ 2, 1, IF(chance < 1 - (1 - expected_score) ^ 2, 0.5, 0)))
        small 0.0 text:k_small              = followed(small.above, N(k_small))
        middle 0.0 text:k_middle            = followed(middle.above, N(k_middle))
        large 0.0 text:k_large              = followed(large.above, N(k_large))
    blank
    step small_name column_name             = "K = " & ROUND(N(k_small), 2)
    step middle_name column_name            = "K = " & ROUND(N(k_middle), 2)
    step large_name column_name             = "K = " & ROUND(N(k_large), 2)
    texts
        column_k_after_jump = t.column_k_late(games = 40)
    table rows:3
        k left strong text:factor           = by_row(small_name, middle_name, large_name)
        k_distance 0.0                      = SUMPRODUCT(error()) / 200
        k_late 0.0 text:k_after_jump        = (SUMPRODUCT(late() * error())
                                               / MAX(1, SUMPRODUCT(late())))
        k_calm 0.0                          = SQRT(SUMPRODUCT(calm() * error() ^ 2)
                                                   / MAX(1, SUMPRODUCT(calm())))
        k_step 0.0                          = (SUMPRODUCT(ABS(ratings(2, 201) - ratings(1, 200)))
                                               / 200)
    section k_chart
    chart chart_k
        x column_game 0 0..200 20
        y column_rating 0 1300..2100 100
        curve Simulated game truth
        curve Simulated game small name:small_name
        curve Simulated game middle name:middle_name
        curve Simulated game large name:large_name
    text k_lesson
    section k_period
    text about_k_period
    input rating 1800 1..3999 0
    input k_factor 40 0..100 0
    table Period
        game 0 left                         : 1 2 3
        opponent 0                          : 1860 1770 2000
        score 0.0                           : 1 0.5 0
        expected_score 0.0000               = ELO_EXPECTED(rating, opponent)
        k_forward 0.00      = rated(cases(row_number = 1, rating, k_forward.above), k_factor)
        k_backward 0.00     = rated(cases(row_number = 3, rating, k_backward.next), k_factor)
    forward 0.00                            = cell(Period, "k_forward", 3)
    backward 0.00                           = cell(Period, "k_backward", 1)
    at_once 0.00        = ELO_UPDATE(rating, k_factor, Period[opponent], Period[score], "elo")
    text k_period_lesson

page classes wide
    section try
    input rating 1834 1..3999 0
    class                                   = ELO_CLASS(rating, language)
    section printed
    text about_appendix
    table
        class_group left text:class_here    = ELO_CLASS(from, language)
        from 0                              : 1000 1400 1600 1800 2000 2300 2400 2500
        to 0                                : 1399 1599 1799 1999 2299 2399 2499 -
        printed left quiet                  : ("Principiante" "Aficionado" "Jugador medio de club"
                                               "Jugador fuerte de club" "Candidato a maestro"
                                               "Maestro nacional" "Maestro internacional"
                                               "Gran maestro")
        class_from left                     = ELO_CLASS(from, "es")
        class_to left                       = ELO_CLASS(to, "es")
        verdict left                        = IF(AND(class_from = printed,
            cases(row_number = 8, TRUE, class_to = printed)), t.agrees, t.misprint)
        marks
            verdict     attention           verdict = t.misprint
    section titles
    text about_titles
    table
        title left strong                   : (t.title_cm t.title_fm t.title_im t.title_gm
                                               t.title_wcm t.title_wfm t.title_wim t.title_wgm)
        least 0                             : 2200 2300 2400 2500 2000 2100 2200 2300
        class_least left                    = ELO_CLASS(least, language)

page axioms
    section axiom_one
    text about_axiom_one
    input rating 1800 1..3999 0
    input opponent 1860 1..3999 0
    input k_factor 20 0..100 0
    section axiom_two
    text about_axiom_two
    formula "rA ~ N(μA, 200²)"
    axiom_low 0                             = rating - 200
    axiom_high 0                            = rating + 200
    axiom_within 0.00000 waits:rating       = 2 * Φ(1) - 1
    axiom_above 0.00000                     = Φ((rating - opponent) / 200)
    section axiom_three
    text about_axiom_three
    formula "rA − rB ~ N(μA − μB, 200² + 200²)"
    axiom_mean 0                            = rating - opponent
    axiom_sd 0.00 waits:rating,opponent     = SQRT(200 ^ 2 + 200 ^ 2)
    section axiom_four
    text about_axiom_four
    formula "X = 1, ½, 0:  rA > rB, rA = rB, rA < rB;   E = E(X) = Φ((μA − μB) / (200·√2))"
    axiom_outcomes 0.00000 win,draw,loss    = ELO_OUTCOMES(rating, opponent, 0)
    axiom_expected 0.00000                  = ELO_EXPECTED(rating, opponent)
    axiom_other 0.00000                     = ELO_EXPECTED(opponent, rating)
    section axiom_five
    text about_axiom_five
    formula "μ′ = μ + K·(S − E),   E = E(A,B₁) + … + E(A,Bₙ)"
    table Fifth
        game 0 left                         : 1 2 3
        opponent 0                          : 1860 1770 2000
        score 0.0                           : 1 0.5 0
        expected 0.00000 text:expected_score    = ELO_EXPECTED(rating, opponent)
    axiom_score 0.0                         = SUM(Fifth[score])
    axiom_hoped 0.00000 waits:rating        = SUM(Fifth[expected])
    axiom_new 0.00                          = ELO_NEW(rating, k_factor, axiom_score, axiom_hoped)
    axiom_change +0.00  = ELO_CHANGE(rating, k_factor, Fifth[opponent], Fifth[score], "elo")
    axiom_update 0.00   = ELO_UPDATE(rating, k_factor, Fifth[opponent], Fifth[score], "elo")
"""
