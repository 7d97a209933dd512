"""``team-match``: a match of two teams, board by board.

Sheets: the first one, one for each team, *Match* (where results are typed), *Match report* for the
wall, *Ratings* (expected scores and rating changes on both sides of a board), *Signs* and *Steps*.
A board may be empty: a win by forfeit there counts for the match.
"""

from __future__ import annotations

import random
from typing import Final

from elo_xl.books.book import Book, Content, Options
from elo_xl.books.front import Setting, front
from elo_xl.books.signs import results
from elo_xl.books.texts import texts
from elo_xl.templates.blocks.players import EVENT_SETTING, YEAR, YEAR_SETTING, counted, players
from elo_xl.templates.blocks.ratings import after_event
from elo_xl.templates.blocks.wall import ARBITER, DATES, PLACE, people
from elo_xl.templates.samples import MEMBERS, on_the_wall, result, rows
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR

SIDES: Final = ("a", "b")

MATCH: Final = """
pieces
    points_of(signs) = IF(counts = 1, INDEX(signs, sign), "")
    colour(first)    = cases(OR(First_white = "", present = 0), "",
                             MOD(board + IF(First_white = first, 0, 1), 2) = 1, t.letter_white,
                             t.letter_black)
    at_fault(said)   = IF(AND(check <> "", check = said), 1, 0)
    halves(points)   = IF(INT(points) = points, points,
                          IF(points < 1, "", INT(points)) & "½")

commands
    publish report
    boards Report name_a,rating_a name_b,rating_b
    games Match boards
    report "Team: Match"

sheet match freeze:name_a ordered
    note about_match
    table Match rows:boards
        board       0 center quiet          = row_number
        colour_a    center quiet 8 text:colour = colour(t.column_name_a)
        name_a      left strong 32 optional:said_a = Counted_a[@name]
        rating_a    0 center text:rating    = Counted_a[@rating]
        result      @ center input 10 result
        rating_b    0 center text:rating    = Counted_b[@rating]
        name_b      left strong 32 optional:said_b = Counted_b[@name]
        fault       0 quiet helper          = IF(AND(result <> "", counts = 0), 1, 0)
        sign        0 quiet helper text:sign_no = sign_of(result)
        # with one player only a forfeit counts, and nobody who is not there can win
        counts      0 quiet helper text:used = IF(cases(sign = 0, FALSE, present = 0, FALSE,
            present = 2, TRUE, INDEX(Result_rated, sign) = 1, FALSE,
            INDEX(IF(name_a = "", Result_points, Result_others), sign) = 0), 1, 0)
        points_a    0.0 quiet helper text:points = points_of(Result_points)
        points_b    0.0 quiet helper text:others = points_of(Result_others)
        in_match    0 quiet helper text:board = IF(present = 0, 0, 1)
        shown                               = OR(present > 0, result <> "")
        wrong_a     0 quiet helper text:fault = at_fault(Players_a[@check])
        wrong_b     0 quiet helper text:fault = at_fault(Players_b[@check])
        check       left attention 5 = cases(
            result = WRONG, t.check_result,
            AND(result <> "", present = 0), t.check_nobody,
            AND(result <> "", counts = 0), t.check_forfeit,
            Players_a[@check] <> "", Players_a[@check],
            Players_b[@check] <> "", Players_b[@check],
            AND(present = 1, result = ""), t.check_alone,
            AND(present = 2, result = "", SUM(Match[counts]) > 0), t.check_missing,
            "")
    names
        present     = (name_a <> "") + (name_b <> "")
    marks
        result      attention   fault = 1
        name_a      attention   wrong_a = 1
        name_b      attention   wrong_b = 1
        result      missing     OR(check = t.check_alone, check = t.check_missing)

sheet report wall:report_title stretch:name_a
    note match_said
    table Report rows:boards
        board       0 center quiet          = row_number
        colour_a    center quiet 8 text:colour = Match[@colour_a]
        name_a      left strong optional:said_a = said(People_a[@name])
        rating_a    0 center text:rating    = Match[@rating_a]
        result      center strong 12        = IF(Match[@counts] = 0, "",
            INDEX(Result_signs, Match[@sign]) & " : " & INDEX(Result_mirror, Match[@sign]))
        rating_b    0 center text:rating    = Match[@rating_b]
        name_b      left strong optional:said_b = said(People_b[@name])
        colour_b    center quiet 8 text:colour = IF(Match[@name_b] = "", "",
                                                  colour(t.column_name_b))
        shown                               = Match[@shown]
    names
        present     = Match[@in_match]
    pieces
        said(name)  = IF(name = "", IF(Match[@in_match] = 0, "", "–"), name)

sheet ratings upright titles:none
    notes about_ratings
    note rules_title
    table Teams rows:2
        no          0 center quiet          = row_number
        name        left strong 18 text:team = by_row(said_a, said_b)
        score       0.0 center strong       = by_row(SUM(Ratings_a[score]), SUM(Ratings_b[score]))
        expected    0.00 center             = by_row(
            ROUND(SUMIF(Ratings_a[score], ">=0", Ratings_a[expected]), 6),
            ROUND(SUMIF(Ratings_b[score], ">=0", Ratings_b[expected]), 6))
        change      +0.00 center            = by_row(ROUND(SUM(Ratings_a[change]), 6),
                                                     ROUND(SUM(Ratings_b[change]), 6))
"""

SIDE: Final = """
pieces
    # the scores that count for ratings, also for a first one, of which a match knows nothing
    score_{s}(points, score) = IF(IF(AND(Counted_{s}[@rating] = "", Counted_{o}[@rating] <> "",
        Match[@sign] > 0), INDEX(Result_rated, MAX(Match[@sign], 1)) = 1, FALSE), points, score)
    played_{s}(points, score) = COUNT(score_{s}(points, score))

commands
    players Players_{s}
    next
        keep Players_{s}
        fill Players_{s}
            rating = rating_after(Ratings_{s}[@new], Counted_{s}[@rating])
            games = games_after(Counted_{s}[@rating], Counted_{s}[@games],
                played_{s}(Match[@points_{s}], Ratings_{s}[@score]))
            peak = peak_after(Ratings_{s}[@new], Counted_{s}[@rating], Counted_{s}[@peak])
            left Ratings_{s}[score] = waiting(Ratings_{s}[@new], Counted_{s}[@rating],
                score_{s}(Match[@points_{s}], Ratings_{s}[@score]),
                played_{s}(Match[@points_{s}], Ratings_{s}[@score]), Counted_{s}[@name])

sheet ratings
    table Ratings_{s} rows:boards gap:1
        board       0 center quiet          = row_number
        name        left strong 18 optional:said_{s} = Counted_{s}[@name]
        rating      0 center                = Counted_{s}[@rating]
        others      0 center text:opponent  = Counted_{o}[@rating]
        score       0.0 center              = IF(played, Match[@points_{s}], "")
        expected    0.00 center             = ELO_EXPECTED(rating, others, rules.model{cap})
        k           0 center text:factor = IF(Counted_{s}[@waits] = 1, "",
            own_k(rating, Players_{s}[@k], Counted_{s}[@rule_k]))
        change      +0.00 center            = IF(OR(score = "", k = ""), "",
                                                 k * gain(score, expected))
        new         {new_format} center strong 10.5 = IF(Counted_{s}[@waits] = 1, "",
            new_rating(rating, N(change), ""))
        shown                               = OR(name <> "", Counted_{o}[@name] <> "")
    marks
        expected:k  quiet   score = ""
    names
        played  = IF(OR(Match[@counts] = 0, rating = "", others = ""), FALSE,
            IF(INDEX(Result_rated, MAX(Match[@sign], 1)) = 1, NOT(wide(rating, others)), FALSE))
"""


def build(book: Book) -> None:
    """Declare all sheets."""
    say = book.say
    front(
        book,
        EVENT_SETTING,
        Setting("Team_a", "team_a"),
        Setting("Team_b", "team_b"),
        Setting("First_white", "white", choices=[say(f"column_name_{side}") for side in SIDES]),
        PLACE,
        DATES,
        ARBITER,
        YEAR_SETTING,
    )
    for side in SIDES:
        book.sheet(f"team_{side}").set_up.says = f"title_{side}"
        players(
            book,
            key=f"team_{side}",
            table=f"Players_{side}",
            personal=True,
            ordered=f"about_team_{side}",
        )
    for key in ("match", "report", "ratings"):
        book.sheet(key)
    results(book)
    after_event(book)
    for side in SIDES:
        title = say(f"sheet_team_{side}")
        counted(book, table=f"Players_{side}", counted=f"Counted_{side}", title=title)
        people(book, f"Players_{side}", f"People_{side}")
    _score(book)
    book.read(MATCH, boards=book.options.players)
    for s, o in zip(SIDES, reversed(SIDES), strict=True):
        most = ", largest(Counted_{s}[@rating])" if book.rules.difference.capped else ""
        side = SIDE.replace("{cap}", most).replace("{s}", s).replace("{o}", o)
        book.read(side, boards=book.options.players)
    match = book.tables["Match"]
    for row in range(match.first, match.bottom + 1):
        match.sheet.height(row, 1.5)


def _score(book: Book) -> None:
    """The title of the report, the score, and the points of the match above its table, when all
    boards have a result: two for a win, one for a draw."""
    for side in SIDES:
        book.names[f"score_{side}"] = f"halves(SUM(Match[points_{side}]))"
        name = f"Team_{side}"
        book.names[f"said_{side}"] = f'IF({name} = "", t.column_name_{side}, {name})'
        book.names[f"title_{side}"] = f't.sheet_team_{side} & IF({name} = "", "", ": " & {name})'
    book.names["report_title"] = 'said_a & " " & score_a & " : " & score_b & " " & said_b'
    book.names["match_points"] = (
        't.match_points & " " & (1 + SIGN(SUM(Match[points_a]) - SUM(Match[points_b]))) & " : "'
        " & (1 - SIGN(SUM(Match[points_a]) - SUM(Match[points_b])))"
    )
    book.names["all_there"] = (
        "AND(SUM(Match[in_match]) > 0, SUM(Match[counts]) = SUM(Match[in_match]))"
    )
    book.names["match_said"] = 'IF(all_there, match_points, "")'


def sample(options: Options) -> Content:
    """An invented match with a forfeit on the last board."""
    chance, say = random.Random(11), texts(options.language)
    n = min(options.players, len(MEMBERS) // 2)
    home, guests = MEMBERS[0 : 2 * n : 2], MEMBERS[1 : 2 * n : 2]
    signs = [result(chance, a.rating, b.rating) for a, b in zip(home, guests, strict=True)]
    signs[-1] = "+"
    return {
        **on_the_wall(say, ("Place", "Arbiter")),
        "Event": say("team-match.sample_event"),
        "Team_a": say("team-match.sample_home"),
        "Team_b": say("team-match.sample_guests"),
        YEAR: SAMPLE_YEAR,
        "First_white": say("team-match.column_name_b"),
        "Players_a": rows(home, personal=True),
        "Players_b": rows(guests, personal=True),
        "Match": [{"result": typed} for typed in signs],
    }
