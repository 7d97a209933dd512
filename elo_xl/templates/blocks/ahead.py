"""The sheet *Next round*: what a win, a draw and a loss would mean in each game without a result.

A row is one side of a board: the new rating, the performance and the place after each result. The
place is what the points allow, from the best to the worst: the other games of the round may be won,
drawn or lost, those of other rounds stay as they are, and tie-breaks may order equals in either
way. Everybody has one game in a round, so no board depends on another: the sum over all boards of
the fewest, or most, players with more than so many points is exact. Somebody's own board changes
nothing in it, for the result that brings them to these points is one with the fewest above them
and with the most beside them.
"""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book, Meaning

_AHEAD: Final = """
sheet steps hidden
    table Open rows:boards_ahead
        no      0 quiet             = row_number
        game    0                   = game_ahead
        open    0                   = IF(game = 0, 0, IF(AND(INDEX(Each_first, game) > 0,
            INDEX(Each_second, game) > 0, INDEX(Each_sign, game) <= 0), 1, 0))
        turn    0 text:place        = IF(open = 1, SUM(upto[open]), "")
        high    0.0 text:points     = IF(open = 1, MAX(first_now, second_now), -9)
        low     0.0 text:points     = IF(open = 1, MIN(first_now, second_now), -9)
    names
        first_now  = INDEX(points_ahead, INDEX(Each_first, game))
        second_now = INDEX(points_ahead, INDEX(Each_second, game))
    # places of whoever will have so many points: players who have more already, or as much, and
    # what must and what can come from the boards
    table Reach rows:2*most_ahead+1
        no      0 quiet             = row_number
        points  0.0                 = (no - 1) / 2
        above   0                   = (COUNTIFS(points_ahead, ">" & points, Counted[active], 1)
            + SUMPRODUCT((Open[high] = points) * (Open[low] >= points - 0.5)))
        reach   0                   = (COUNTIFS(points_ahead, ">=" & points, Counted[active], 1)
            + SUMPRODUCT((Open[high] = points - 1) + (Open[high] = points - 0.5)
                + (Open[low] = points - 0.5) + (Open[low] = points - 1) * (Open[high] >= points)))
        place   center              = above + 1 & IF(reach > above + 1, "–" & reach, "")

sheet ahead wall:ahead_title stretch:name
    note about_ahead_place
    table Ahead rows:2*boards_ahead group:2 gap:1
        board       0 center quiet 7    = IFERROR(MATCH(group_number, Open[turn], 0), "")
        colour      center 8 text:side  = cases(board = "", "", white, t.side_white, t.side_black)
        name        left strong 22      = IF(board = "", "", INDEX(People[name], who))
        rating      0 7                 = IF(board = "", "", INDEX(Counted[rating], who))
        opponent    left 22             = IF(white, name.next, name.above)
        rating_b    0 7 text:rating     = IF(white, rating.next, rating.above)
        points      0.0                 = IF(board = "", "", INDEX(points_ahead, who))
        expected    0.00                = cases(counts = 0, "",
            white, INDEX(Each[expected_a], game), INDEX(Each[expected_b], game))
        new_{s}     {new_format} strong 8 text:if_{s} over:column_new = cases(waits = 1, "",
            rating = "", published(first_{s}, games, score + counts * won_{s}),
            k = "", "", new_rating(rating, k * gain(score + counts * won_{s}, chances), ""))
        performance_{s} {performance_format} 8 text:if_{s} over:column_performance = IF(
            games = 0, "", performance(met, games, score + counts * won_{s},
                                       dp_of((score + counts * won_{s}) / games)))
        place_{s}   center strong 8 text:if_{s} over:column_ahead_place = IF(board = "", "",
            INDEX(Reach[place], 1 + 2 * (points + won_{s})))
        who         0 quiet helper text:no  = cases(board = "", 0, white, INDEX(Each_first, game),
                                                    INDEX(Each_second, game))
        waits       0 quiet helper      = IF(board = "", 1, INDEX(Counted[waits], who))
        counts      0 quiet helper text:used = cases(board = "", 0, rating_b = "", 0,
            rules.all_rated, 1, rating = "", 1, wide(rating, rating_b), 0, 1)
        games       0 quiet helper text:rated_games = IF(board = "", 0,
            N(INDEX(Ratings[games], who)) + counts)
        score       0.0 quiet helper    = IF(board = "", 0, N(INDEX(Ratings[score], who)))
        chances     0.00 quiet helper text:expected = IF(board = "", 0,
            N(INDEX(Ratings[expected], who)) + N(expected))
        met         0 quiet helper      = IF(board = "", 0,
            N(INDEX(Sums[met], who)) + counts * N(rating_b))
        k           0 quiet helper text:factor = IF(board = "", "", k_after(games, rating,
            INDEX(Players[k], who), INDEX(Counted[rule_k], who)))
        first_{s}   0 quiet helper text:first = IF(rules.solved, "", IF(OR(rating <> "", games = 0),
            "", first_rating(met, games, score + counts * won_{s})))
        shown                           = board <> ""
    names
        white    = row_of_group = 1
        game     = INDEX(Open[game], board)
        won_win  = 1
        won_draw = 0.5
        won_loss = 0
    marks
        board:place_loss end            board <> board.next
"""


def ahead(book: Book, *, number: str, game: str, boards: int, points: str, most: int) -> None:
    """Write the sheet, from the table ``Each`` and the sheet *Ratings*.

    ``number`` is the formula of the round, ``game`` that of the row in ``Each`` of a board of it,
    0 for none; ``boards`` are the boards that there can be. ``points`` are the cells of everybody's
    points after the round as far as it is played, ``most`` is the most that anybody can have.
    """
    names: dict[str, Meaning] = {
        "boards_ahead": boards,
        "game_ahead": game,
        "points_ahead": points,
        "most_ahead": most,
        "ahead_title": f't.sheet_ahead & IF(SUM(Open[open]) = 0, "", " (" & {number} & ")")',
    }
    book.names.update(names)
    book.read(_AHEAD, "ahead", loops={"s": ("win", "draw", "loss")})
