"""The sheet *Why*: one player, every game with what it counts for, and the reason."""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book
from elo_xl.engine.rulebooks.clauses import Cap
from elo_xl.templates.blocks.games import own_caps

MOST_GAMES: Final = 60
"""Rows of the sheet: the games of one player that it shows."""

_WHY: Final = """
pieces
    of_one(column) = IF(One[player] = 0, "", INDEX(column, One[player]))

sheet why titles:none down:1 tab:result stretch:because
    note about_why
    cells
        why_choice @ left input text:why_player list:Players[name]
        why_name left strong 8 text:why_shown = IF(One[player] = 0, "–", of_one(Counted[name]))
        why_rating 0 left text:rating = of_one(Ratings[rating])
        why_k 0 left text:factor = of_one(Ratings[k])
        why_reason left 8 text:why = of_one(Ratings[why])
        why_score 0.0 left text:score = of_one(Ratings[score])
        why_expected 0.00 left text:expected = of_one(Ratings[expected])
        why_change +0.00 left text:change = of_one(Ratings[change])
        why_new {new_format} left strong text:new = of_one(Ratings[new])
    table Why rows:rows gap:1
        no          0 quiet                 = IF(line = 0, "", INDEX(Each[no], line))
        colour      center 7 text:side      = cases(line = 0, "", first, t.side_white, t.side_black)
        opponent    left strong 26          = of(Each[name_b], Each[name_a])
        rating      0                       = of(Each[rating_b], Each[rating_a])
        difference  +0                      = cases(line = 0, "", rating = "", "",
            INDEX(Each[difference], line) = "", "",
            first, INDEX(Each[difference], line), -INDEX(Each[difference], line))
        counted     +0 text:counted_difference = cases(OR(score = "", difference = ""), "",
            cap = "", difference, MAX(-cap, MIN(cap, difference)))
        expected    0.00                    = IF(score = "", "", of(Each[expected_a],
                                                                    Each[expected_b]))
        score       0.0 strong              = of(Each[score_a], Each[score_b])
        change      +0.00 text:share        = of(Each[change_a], Each[change_b])
        because     left quiet fits:why_    = cases(line = 0, "",
            INDEX(Each[sign_no], line) = 0, t.why_open,
            INDEX(Result_rated, INDEX(Each[sign_no], line)) = 0, t.why_unplayed,
            rating = "", t.why_unrated, score = "", t.why_far,
            change = "", "", counted <> difference, t.why_cut,
            rules.capped, IF(ABS(difference) > rules.difference.most, t.why_full, ""), "")
        line        0 quiet helper text:no  = IFERROR(MATCH(row_number, Mine[place], 0), 0)
        shown                               = line > 0
    names
        first = INDEX(Mine[side], line) = 1
        cap   = {cap}
    pieces
        of(white, black) = cases(line = 0, "", first, INDEX(white, line), INDEX(black, line))

sheet steps hidden
    table One rows:1
        player  0 text:no           = IF(why_choice = "", IFERROR(MATCH(1, Counted[place], 0), 0),
            IFERROR(MATCH(escaped(why_choice), Counted[name], 0), 0))
    table Mine rows:Each.rows
        no      0 quiet             = row_number
        side    0                   = cases(One[player] = 0, 0, Each[@first_no] = One[player], 1,
                                            Each[@second_no] = One[player], 2, 0)
        place   0                   = IF(side = 0, "", COUNTIF(upto[side], ">0"))
"""


def why(book: Book) -> None:
    """Write the sheet, from the table ``Each`` and the sheet *Ratings*."""
    rules, language = book.rules, book.options.language
    book.texts["why_cut"] = rules.difference.why(language)
    book.texts["why_full"] = rules.difference.why_full(language)
    book.texts["why_unrated"] = rules.counts.why_not(float("nan"), language)
    book.texts["why_far"] = rules.counts.why_not(0.0, language)
    cap = "rules.difference.most" if isinstance(rules.difference, Cap) else '""'
    book.read(
        _WHY,
        "why",
        rows=min(MOST_GAMES, book.tables["Each"].rows),
        cap="of(Each[cap_a], Each[cap_b])" if own_caps(rules) else cap,
    )
    sheet = book.sheets["why"]
    sheet.mark(book.singles["why_choice"].cells, 'AND(why_choice <> "", One[player] = 0)')
