"""The sheet *Why*: one player, every game with what it counts for, and the reason."""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book

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
        ?ahead why_target 0 left input whole:100..3999
        ?ahead why_needed 0.0 left strong = cases(NOT(ISNUMBER(why_target)), "",
            COUNT(Tried[new]) = 0, "", MAX(Tried[new]) < why_target, t.out_of_reach,
            COUNTIF(Tried[new], "<" & why_target) / 2)
        ?ahead why_still left = cases(NOT(ISNUMBER(why_needed)), "", COUNT(Why[chance]) = 0, "",
            why_needed <= why_score, t.target_reached,
            why_needed - why_score > COUNT(Why[chance]), t.out_of_reach,
            why_needed - why_score & " / " & COUNT(Why[chance]))
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
            INDEX(Each_sign, line) <= 0, t.why_open,
            INDEX(Result_rated, INDEX(Each_sign, line)) = 0, t.why_unplayed,
            rating = "", t.why_unrated, score = "", t.why_far,
            change = "", "", counted <> difference, t.why_cut,
            rules.capped, IF(ABS(difference) > rules.difference.most, t.why_full, ""), "")
        line        0 quiet helper text:no  = IF(row_number > One[lines], 0, SUMPRODUCT(SMALL(
            ROW(Each_first) - Each_above + 100000 * (1 - those), row_number)))
        # the expected score of a game that will count, but has no result yet
        ?ahead chance 0.00 quiet helper text:expected = cases(line = 0, "", why_k = "", "",
            rating = "", "", INDEX(Each_sign, line) > 0, "",
            rules.all_rated, of(Each[expected_a], Each[expected_b]), wide(why_rating, rating), "",
            of(Each[expected_a], Each[expected_b]))
        shown                               = line > 0
    names
        first = INDEX(Each_first, line) = One[player]
        cap   = {cap}
    pieces
        of(white, black) = cases(line = 0, "", first, INDEX(white, line), INDEX(black, line))

sheet steps hidden
    table One rows:1
        player  0 text:no           = IF(why_choice = "", IFERROR(MATCH(1, Counted[place], 0), 0),
            IFERROR(MATCH(escaped(why_choice), Counted[name], 0), 0))
        lines   0                   = IF(player = 0, 0, SUMPRODUCT(--those))
        ?ahead games    0 text:rated_games = IF(why_k = "", 0,
            of_one(Ratings[games]) + COUNT(Why[chance]))
        ?ahead chances  0.00 text:expected = IF(why_k = "", 0, why_expected + SUM(Why[chance]))
        ?ahead k        0 text:factor   = IF(why_k = "", "", k_after(games, why_rating,
            INDEX(Players[k], player), INDEX(Counted[rule_k], player)))
"""

# the new rating after each score in half points; the least one that suffices is the first of them
_AHEAD: Final = """
sheet steps hidden
    table Tried rows:2*rows+1
        no      0 quiet             = row_number
        score   0.0                 = (no - 1) / 2
        new     {new_format}        = cases(why_k = "", "", score > One[games], "",
            One[games] > {rows}, "", new_rating(why_rating,
                One[k] * gain(score, One[chances]), ""))
"""


def why(book: Book, games: int = MOST_GAMES, *, ahead: bool = True) -> None:
    """Write the sheet, from the table ``Each`` and the sheet *Ratings*.

    ``games`` are the most of one player. With ``ahead`` a target rating may be typed, and the sheet
    says which score makes it.
    """
    rules, language = book.rules, book.options.language
    book.texts["why_cut"] = rules.difference.why(language)
    book.texts["why_full"] = rules.difference.why_full(language)
    book.texts["why_unrated"] = rules.counts.why_not(float("nan"), language)
    book.texts["why_far"] = rules.counts.why_not(0.0, language)
    whole_event = rules.difference.whole_event
    cap = "of(Each[cap_a], Each[cap_b])" if whole_event else "largest(why_rating)"
    # the lines in which somebody plays
    book.names["those"] = "((Each_first = One[player]) + (Each_second = One[player]) > 0)"
    rows = min(games, MOST_GAMES, book.tables["Each"].rows)
    book.read(
        _WHY,
        "why",
        rows=rows,
        ahead=ahead,
        cap=cap,
    )
    if ahead:
        book.read(_AHEAD, "why", rows=rows)
    sheet = book.sheets["why"]
    sheet.mark(book.singles["why_choice"].cells, 'AND(why_choice <> "", One[player] = 0)')
