Option Explicit

' Made from the catalogue of elo-xl; a new build writes it anew.

Public Function ELO_EXPECTED(rating, opponent, Optional model, Optional cap, Optional sd, Optional opponent_sd, Optional home)
Attribute ELO_EXPECTED.VB_Description = "Expected score of a player against an opponent, between 0 and 1."
Attribute ELO_EXPECTED.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_EXPECTED = EloCall("ELO_EXPECTED", 2, Array(rating, opponent, model, cap, sd, opponent_sd, home))
End Function

Public Function ELO_DIFF(score, Optional model, Optional sd, Optional opponent_sd)
Attribute ELO_DIFF.VB_Description = "Rating difference at which a fractional score is the expected score."
Attribute ELO_DIFF.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_DIFF = EloCall("ELO_DIFF", 1, Array(score, model, sd, opponent_sd))
End Function

Public Function ELO_OUTCOMES(rating, opponent, Optional draws, Optional model, Optional home, Optional sd, Optional opponent_sd)
Attribute ELO_OUTCOMES.VB_Description = "Probabilities of win, draw and loss against an opponent, in three cells."
Attribute ELO_OUTCOMES.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_OUTCOMES = EloCall("ELO_OUTCOMES", 2, Array(rating, opponent, draws, model, home, sd, opponent_sd))
End Function

Public Function ELO_POINTS(rating, opponent, Optional win, Optional draw, Optional loss, Optional draws, Optional model, Optional home, Optional sd, Optional opponent_sd)
Attribute ELO_POINTS.VB_Description = "Expected points of a game in which a win, a draw and a loss count 3, 1 and 0 by default."
Attribute ELO_POINTS.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_POINTS = EloCall("ELO_POINTS", 2, Array(rating, opponent, win, draw, loss, draws, model, home, sd, opponent_sd))
End Function

Public Function ELO_MATCH(rating, opponent, games, points, Optional kind, Optional draws, Optional model, Optional home, Optional sd, Optional opponent_sd)
Attribute ELO_MATCH.VB_Description = "Probability of scoring exactly, at least or at most a given number of points in a match."
Attribute ELO_MATCH.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_MATCH = EloCall("ELO_MATCH", 4, Array(rating, opponent, games, points, kind, draws, model, home, sd, opponent_sd))
End Function

Public Function ELO_K(rating, Optional games, Optional age, Optional peak, Optional period_games, Optional rules)
Attribute ELO_K.VB_Description = "K factor of a player under a rulebook."
Attribute ELO_K.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_K = EloCall("ELO_K", 1, Array(rating, games, age, peak, period_games, rules))
End Function

Public Function ELO_NEW(rating, k, score, expected)
Attribute ELO_NEW.VB_Description = "New rating by Elo's formula: rating + k·(score - expected), not rounded."
Attribute ELO_NEW.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_NEW = EloCall("ELO_NEW", 4, Array(rating, k, score, expected))
End Function

Public Function ELO_CHANGE(rating, k, opponents, scores, Optional rules, Optional games, Optional age, Optional peak, Optional home, Optional index)
Attribute ELO_CHANGE.VB_Description = "Rating change in a period: k times the sum of score minus expected score, not rounded."
Attribute ELO_CHANGE.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_CHANGE = EloCall("ELO_CHANGE", 4, Array(rating, k, opponents, scores, rules, games, age, peak, home, index))
End Function

Public Function ELO_UPDATE(rating, k, opponents, scores, Optional rules, Optional games, Optional age, Optional peak, Optional home, Optional index)
Attribute ELO_UPDATE.VB_Description = "New rating after a period: rating plus change, rounded as the rulebook says."
Attribute ELO_UPDATE.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_UPDATE = EloCall("ELO_UPDATE", 4, Array(rating, k, opponents, scores, rules, games, age, peak, home, index))
End Function

Public Function ELO_NEEDED(rating, k, opponents, target, Optional rules)
Attribute ELO_NEEDED.VB_Description = "The least score, in half points, that gives a player at least a target rating."
Attribute ELO_NEEDED.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_NEEDED = EloCall("ELO_NEEDED", 4, Array(rating, k, opponents, target, rules))
End Function

Public Function ELO_PERFORMANCE(opponents, scores, Optional method)
Attribute ELO_PERFORMANCE.VB_Description = "Performance rating: the strength that a score against rated opponents shows."
Attribute ELO_PERFORMANCE.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_PERFORMANCE = EloCall("ELO_PERFORMANCE", 2, Array(opponents, scores, method))
End Function

Public Function ELO_INITIAL(opponents, scores, Optional rules, Optional start)
Attribute ELO_INITIAL.VB_Description = "First rating of an unrated player from games against rated opponents."
Attribute ELO_INITIAL.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_INITIAL = EloCall("ELO_INITIAL", 2, Array(opponents, scores, rules, start))
End Function

Public Function ELO_SCORE(result, Optional side)
Attribute ELO_SCORE.VB_Description = "Score 1, 0.5 or 0 of a result as organizers type it; empty for unplayed games."
Attribute ELO_SCORE.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_SCORE = EloCall("ELO_SCORE", 1, Array(result, side))
End Function

Public Function ELO_CLASS(rating, Optional language)
Attribute ELO_CLASS.VB_Description = "Class of a rating, such as Strong club player."
Attribute ELO_CLASS.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_CLASS = EloCall("ELO_CLASS", 1, Array(rating, language))
End Function

Public Function ELO_EXPLAIN(rating, k, opponents, scores, Optional rules, Optional language, Optional games, Optional age, Optional peak, Optional home, Optional index)
Attribute ELO_EXPLAIN.VB_Description = "Why a rating changes: one row per game with its difference, expected score, points and reason, then the sum."
Attribute ELO_EXPLAIN.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_EXPLAIN = EloCall("ELO_EXPLAIN", 4, Array(rating, k, opponents, scores, rules, language, games, age, peak, home, index))
End Function

Public Function ELO_PERIOD(players, games, Optional rules, Optional labels)
Attribute ELO_PERIOD.VB_Description = "Table of a rating period: games, score, expected score, change and new rating of each player."
Attribute ELO_PERIOD.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_PERIOD = EloCall("ELO_PERIOD", 2, Array(players, games, rules, labels))
End Function

Public Function ELO_RUN(games, Optional k, Optional start, Optional home, Optional model, Optional margin, Optional reversion, Optional mean, Optional sides, Optional weights)
Attribute ELO_RUN.VB_Description = "Ratings of both players after each game, rated game after game, in two cells a game."
Attribute ELO_RUN.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_RUN = EloCall("ELO_RUN", 1, Array(games, k, start, home, model, margin, reversion, mean, sides, weights))
End Function

Public Function ELO_LADDER(games, Optional k, Optional start, Optional home, Optional model, Optional labels, Optional margin, Optional reversion, Optional mean, Optional sides, Optional weights)
Attribute ELO_LADDER.VB_Description = "Table after the last game, rated game after game: rating, games, wins, draws, losses, streak and last change of each player."
Attribute ELO_LADDER.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_LADDER = EloCall("ELO_LADDER", 1, Array(games, k, start, home, model, labels, margin, reversion, mean, sides, weights))
End Function

Public Function ELO_PLACES(games, Optional k, Optional start, Optional model, Optional labels, Optional sides)
Attribute ELO_PLACES.VB_Description = "Table of players after games of two, three or more at a table, by order of finish."
Attribute ELO_PLACES.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_PLACES = EloCall("ELO_PLACES", 1, Array(games, k, start, model, labels, sides))
End Function

Public Function ELO_TEAMS(players, ratings, Optional sides)
Attribute ELO_TEAMS.VB_Description = "Even sides of the players who are there: a row a player, with the mean of their side and its chance."
Attribute ELO_TEAMS.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_TEAMS = EloCall("ELO_TEAMS", 2, Array(players, ratings, sides))
End Function

Public Function ELO_FIT(games, Optional anchor, Optional rating, Optional draws, Optional labels, Optional home, Optional counts)
Attribute ELO_FIT.VB_Description = "Ratings from all games at once by maximum likelihood, with standard errors; White's advantage and the part of draws are fitted, too."
Attribute ELO_FIT.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_FIT = EloCall("ELO_FIT", 1, Array(games, anchor, rating, draws, labels, home, counts))
End Function

Public Function ELO_LOGLOSS(expected, scores)
Attribute ELO_LOGLOSS.VB_Description = "Mean log loss of expected scores: the lower, the better the predictions."
Attribute ELO_LOGLOSS.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_LOGLOSS = EloCall("ELO_LOGLOSS", 2, Array(expected, scores))
End Function

Public Function ELO_BRIER(expected, scores)
Attribute ELO_BRIER.VB_Description = "Brier score of expected scores, the mean squared error: the lower, the better."
Attribute ELO_BRIER.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_BRIER = EloCall("ELO_BRIER", 2, Array(expected, scores))
End Function

Public Function ELO_CALIBRATION(expected, scores, Optional bins, Optional labels)
Attribute ELO_CALIBRATION.VB_Description = "Games by their expected score, in bins: mean expected score beside mean score, with its standard error."
Attribute ELO_CALIBRATION.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_CALIBRATION = EloCall("ELO_CALIBRATION", 2, Array(expected, scores, bins, labels))
End Function

Public Function ELO_BAYES(rating, opponent, score, sd, Optional opponent_sd, Optional draws, Optional model)
Attribute ELO_BAYES.VB_Description = "New ratings and standard deviations of both players after a game by Bayes' formula, in four cells."
Attribute ELO_BAYES.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_BAYES = EloCall("ELO_BAYES", 4, Array(rating, opponent, score, sd, opponent_sd, draws, model))
End Function

Public Function ELO_BRIDGE(north, south, east, west, result, Optional mean, Optional slope, Optional result_sd, Optional rating_sd, Optional unit)
Attribute ELO_BRIDGE.VB_Description = "Ratings of four bridge players after a result, in four cells: North, South, East, West; in four more their standard deviations."
Attribute ELO_BRIDGE.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_BRIDGE = EloCall("ELO_BRIDGE", 5, Array(north, south, east, west, result, mean, slope, result_sd, rating_sd, unit))
End Function

Public Function ELO_GLICKO(rating, rd, opponents, rds, scores, Optional growth, Optional periods)
Attribute ELO_GLICKO.VB_Description = "New rating and deviation (RD) after a period by Glicko, in two cells."
Attribute ELO_GLICKO.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_GLICKO = EloCall("ELO_GLICKO", 5, Array(rating, rd, opponents, rds, scores, growth, periods))
End Function

Public Function ELO_GLICKO2(rating, rd, volatility, opponents, rds, scores, Optional tau)
Attribute ELO_GLICKO2.VB_Description = "New rating, deviation (RD) and volatility after a period by Glicko-2, in three cells."
Attribute ELO_GLICKO2.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_GLICKO2 = EloCall("ELO_GLICKO2", 6, Array(rating, rd, volatility, opponents, rds, scores, tau))
End Function

Public Function ELO_EXCHANGE(rating, opponent, scored, conceded, Optional rules, Optional weight, Optional venue, Optional knockout, Optional shootout)
Attribute ELO_EXCHANGE.VB_Description = "Points that both sides gain by a match of football, rugby, volleyball or table tennis, in two cells."
Attribute ELO_EXCHANGE.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_EXCHANGE = EloCall("ELO_EXCHANGE", 4, Array(rating, opponent, scored, conceded, rules, weight, venue, knockout, shootout))
End Function

Public Function ELO_LIST(id, Optional field, Optional list)
Attribute ELO_LIST.VB_Description = "What a rating list says of a player: rating, K, name and more, by the player's number."
Attribute ELO_LIST.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_LIST = EloCall("ELO_LIST", 1, Array(id, field, list))
End Function

Public Function ELO_LAST_ERROR()
Attribute ELO_LAST_ERROR.VB_Description = "Why a function last gave #VALUE! although no value was wrong: the message of Python or xlwings. Empty if nothing failed."
Attribute ELO_LAST_ERROR.VB_ProcData.VB_Invoke_Func = " \n20"
    Application.Volatile
    ELO_LAST_ERROR = EloLastFailure
End Function

Public Sub EloStatus()
    MsgBox EloState, vbInformation, "elo_xl"
End Sub

Public Sub EloRestart()
    EloStartAnew
    MsgBox EloState, vbInformation, "elo_xl"
End Sub

Public Sub EloClose()
    EloClosePeriod
End Sub

Public Sub EloUndo()
    EloTakeBack
End Sub
