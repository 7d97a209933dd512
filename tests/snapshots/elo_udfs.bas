Option Explicit

' Made by elo-xl VERSION from its catalogue; a new build writes it anew.

Public Function ELO_EXPECTED(rating, opponent, Optional model, Optional cap, Optional sd, Optional opponent_sd)
Attribute ELO_EXPECTED.VB_Description = "Expected score of a player against an opponent, between 0 and 1."
Attribute ELO_EXPECTED.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_EXPECTED = EloCall("ELO_EXPECTED", 2, Array(rating, opponent, model, cap, sd, opponent_sd))
End Function

Public Function ELO_DIFF(score, Optional model)
Attribute ELO_DIFF.VB_Description = "Rating difference at which a fractional score is the expected score."
Attribute ELO_DIFF.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_DIFF = EloCall("ELO_DIFF", 1, Array(score, model))
End Function

Public Function ELO_OUTCOMES(rating, opponent, Optional draws, Optional model)
Attribute ELO_OUTCOMES.VB_Description = "Probabilities of win, draw and loss against an opponent, in three cells."
Attribute ELO_OUTCOMES.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_OUTCOMES = EloCall("ELO_OUTCOMES", 2, Array(rating, opponent, draws, model))
End Function

Public Function ELO_POINTS(rating, opponent, Optional win, Optional draw, Optional loss, Optional draws, Optional model)
Attribute ELO_POINTS.VB_Description = "Expected points of a game in which a win, a draw and a loss count 3, 1 and 0 by default."
Attribute ELO_POINTS.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_POINTS = EloCall("ELO_POINTS", 2, Array(rating, opponent, win, draw, loss, draws, model))
End Function

Public Function ELO_MATCH(rating, opponent, games, points, Optional kind, Optional draws, Optional model)
Attribute ELO_MATCH.VB_Description = "Probability of scoring exactly, at least or at most a given number of points in a match."
Attribute ELO_MATCH.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_MATCH = EloCall("ELO_MATCH", 4, Array(rating, opponent, games, points, kind, draws, model))
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

Public Function ELO_CHANGE(rating, k, opponents, scores, Optional rules)
Attribute ELO_CHANGE.VB_Description = "Rating change in a period: k times the sum of score minus expected score, not rounded."
Attribute ELO_CHANGE.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_CHANGE = EloCall("ELO_CHANGE", 4, Array(rating, k, opponents, scores, rules))
End Function

Public Function ELO_UPDATE(rating, k, opponents, scores, Optional rules)
Attribute ELO_UPDATE.VB_Description = "New rating after a period: rating plus change, rounded as the rulebook says."
Attribute ELO_UPDATE.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_UPDATE = EloCall("ELO_UPDATE", 4, Array(rating, k, opponents, scores, rules))
End Function

Public Function ELO_PERFORMANCE(opponents, scores, Optional method)
Attribute ELO_PERFORMANCE.VB_Description = "Performance rating: the strength that a score against rated opponents shows."
Attribute ELO_PERFORMANCE.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_PERFORMANCE = EloCall("ELO_PERFORMANCE", 2, Array(opponents, scores, method))
End Function

Public Function ELO_INITIAL(opponents, scores, Optional rules)
Attribute ELO_INITIAL.VB_Description = "First rating of an unrated player from games against rated opponents."
Attribute ELO_INITIAL.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_INITIAL = EloCall("ELO_INITIAL", 2, Array(opponents, scores, rules))
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

Public Function ELO_PERIOD(players, games, Optional rules, Optional labels)
Attribute ELO_PERIOD.VB_Description = "Table of a rating period: games, score, expected score, change and new rating of each player."
Attribute ELO_PERIOD.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_PERIOD = EloCall("ELO_PERIOD", 2, Array(players, games, rules, labels))
End Function

Public Function ELO_BAYES(rating, opponent, score, sd, Optional opponent_sd, Optional draws, Optional model)
Attribute ELO_BAYES.VB_Description = "New ratings and standard deviations of both players after a game by Bayes' formula, in four cells."
Attribute ELO_BAYES.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_BAYES = EloCall("ELO_BAYES", 4, Array(rating, opponent, score, sd, opponent_sd, draws, model))
End Function

Public Function ELO_BRIDGE(north, south, east, west, result, Optional mean, Optional slope, Optional result_sd, Optional rating_sd)
Attribute ELO_BRIDGE.VB_Description = "Ratings of four bridge players after a result, in four cells: North, South, East, West."
Attribute ELO_BRIDGE.VB_ProcData.VB_Invoke_Func = " \n20"
    ELO_BRIDGE = EloCall("ELO_BRIDGE", 5, Array(north, south, east, west, result, mean, slope, result_sd, rating_sd))
End Function

Public Function ELO_LAST_ERROR()
Attribute ELO_LAST_ERROR.VB_Description = "Why a function last gave #VALUE! although no value was wrong: the message of Python or xlwings. Empty if nothing failed."
Attribute ELO_LAST_ERROR.VB_ProcData.VB_Invoke_Func = " \n20"
    Application.Volatile
    ELO_LAST_ERROR = EloLastFailure
End Function
