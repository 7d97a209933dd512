"""``team-match``: a match of two teams, board by board.

Sheets: the first one, one for each team, *Match* (results, expected scores and rating changes on
both sides of the board), *Signs* and *Steps*.
"""

from __future__ import annotations

import random
from typing import Final

from elo_xl.books.book import Book, Content, Options
from elo_xl.books.front import Setting, front
from elo_xl.books.texts import texts
from elo_xl.templates.blocks.players import EVENT_SETTING, YEAR, YEAR_SETTING, counted, players
from elo_xl.templates.blocks.results import results
from elo_xl.templates.samples import MEMBERS, result, rows
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR

SIDES: Final = ("a", "b")

MATCH: Final = """
pieces
    points_of(signs) = IF(OR(name_a = "", name_b = "", sign_of(result) = 0), "",
                          INDEX(signs, sign_of(result)))
    change_of(points, chance, k) = cases(
        OR(points_a = "", rating_a = "", rating_b = ""), "",
        OR(INDEX(Result_rated, sign_of(result)) = 0, wide(rating_a, rating_b)), "",
        k * gain(points, chance))

sheet match freeze:name_a area:change_b
    note about_match
    note rules_{rules}
    table Match rows:boards
        board       0 center quiet          = row_number
        change_a    +0.00 text:change       = change_of(points_a, expected_a, k_a)
        k_a         0 quiet text:factor     = own_k(Counted_a[@rating], Players_a[@k],
                                                    Counted_a[@rule_k])
        expected_a  0.00 text:expected      = ELO_EXPECTED(rating_a, rating_b, rules.model{cap_a})
        rating_a    0 text:rating           = Counted_a[@rating]
        name_a      left strong 20          = Counted_a[@name]
        result      @ center input 8 result
        points_a    0.0 center text:points  = points_of(Result_points)
        points_b    0.0 center text:points  = points_of(Result_others)
        name_b      left strong 20          = Counted_b[@name]
        rating_b    0 text:rating           = Counted_b[@rating]
        expected_b  0.00 text:expected      = ELO_EXPECTED(rating_b, rating_a, rules.model{cap_b})
        k_b         0 quiet text:factor     = own_k(Counted_b[@rating], Players_b[@k],
                                                    Counted_b[@rule_k])
        change_b    +0.00 text:change       = change_of(points_b, expected_b, k_b)
        check       left attention fits:check_ = cases(
            Players_a[@check] <> "", Players_a[@check],
            Players_b[@check] <> "", Players_b[@check],
            AND(result <> "", points_a = ""), t.check_result,
            present = 1, t.check_alone,
            AND(present = 2, COUNT(Match[points_a]) > 0, result = ""), t.check_missing,
            "")
    names
        present     = (name_a <> "") + (name_b <> "")
    totals
        name_{s}     = IF(Team_{s} = "", "", Team_{s})
        points_{s}   = SUM(Match[points_{s}])
        expected_{s} = ROUND(SUMIF(Match[points_a], ">=0", Match[expected_{s}]), 6)
        change_{s}   = ROUND(SUM(Match[change_{s}]), 6)
    marks
        result      attention   AND(check <> "", result <> "")
        result      missing     AND(check <> "", result = "")
"""


def build(book: Book) -> None:
    """Declare all sheets."""
    capped = book.rules.cap is not None
    front(
        book,
        EVENT_SETTING,
        Setting("Team_a", "team_a"),
        Setting("Team_b", "team_b"),
        YEAR_SETTING,
    )
    for side in SIDES:
        players(book, key=f"team_{side}", table=f"Players_{side}")
    book.sheet("match")
    results(book)
    for side in SIDES:
        title = book.say(f"sheet_team_{side}")
        counted(book, table=f"Players_{side}", counted=f"Counted_{side}", title=title)
    book.read(
        MATCH,
        loops={"s": SIDES},
        boards=book.options.players,
        rules=book.rules.name,
        cap_a=", Counted_a[@cap]" if capped else "",
        cap_b=", Counted_b[@cap]" if capped else "",
    )
    match = book.tables["Match"]
    for row in range(match.first, match.bottom):
        match.sheet.height(row, 1.15)


def sample(options: Options) -> Content:
    """An invented match with a forfeit on the last board."""
    chance, say = random.Random(11), texts(options.language)
    n = min(options.players, len(MEMBERS) // 2)
    home, guests = MEMBERS[0 : 2 * n : 2], MEMBERS[1 : 2 * n : 2]
    signs = [result(chance, a.rating, b.rating) for a, b in zip(home, guests, strict=True)]
    signs[-1] = "+"
    return {
        "Event": say("team-match.sample_event"),
        "Team_a": say("team-match.sample_home"),
        "Team_b": say("team-match.sample_guests"),
        YEAR: SAMPLE_YEAR,
        "Players_a": rows(home),
        "Players_b": rows(guests),
        "Match": [{"result": typed} for typed in signs],
    }
