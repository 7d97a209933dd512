"""The sheet *Ratings*, and the sums on *Steps* that it is made of in a list of games."""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book
from elo_xl.engine.models import differences_by_percent

FIRST: Final = (
    'IF(rules.solved, "", IF(OR(name = "", waits = 1, rating <> "", '
    'N(Ratings[@games]) = 0), "", '
    "first_rating(Sums[@met], Ratings[@games], Ratings[@score])))"
)
"""The formula of the first rating in the list of what counts of each player."""

_RATINGS: Final = """
sheet ratings freeze:rating
    note about_ratings
    note rules_title
    {assumed}
    table Ratings rows:size
        no          0 quiet                 = row_number
        name        left strong 22          = Counted[@name]
        rating      0                       = Counted[@rating]
        games       0 text:rated_games      = IF(name = "", "", games_found)
        score       0.0                     = IF(name = "", "", score_found)
        expected    0.00                    = IF(rating = "", "", expected_found)
        k           0 text:factor           = IF(Counted[@waits] = 1, "",
                                                own_k(Counted[@rating], Players[@k],
                                                      Counted[@rule_k]))
        change      +0.00                   = IF(k = "", "", k * gain(score, expected))
        new         {new_format} strong     = IF(Counted[@waits] = 1, "", new_rating(rating,
                                                change, published(Counted[@first], games, score)))
        performance {performance_format}    = performance_found
        why         left quiet 38           = IF(Counted[@waits] = 1, t.reason_waits,
            reason(Counted[@name], Counted[@rating], Counted[@games], Counted[@age],
                   Counted[@peak], Players[@k], Counted[@rule_k]))
        shown                               = name <> ""
"""

_SUMS: Final = """
pieces
    summed(white, black) = (SUMIFS(white, Each_first, no, Each[score_a], ">=0")
                          + SUMIFS(black, Each_second, no, Each[score_b], ">=0"))
    # table 8.1.1 stands on Steps in hundredths
    table_811(percent) = INDEX(Parts[dp], 1 + ROUND(percent + 1E-9, 0))
    dp_of(part) = table_811(100 * part)

sheet steps hidden
    table Sums rows:size
        no          0 quiet     = row_number
        met         0           = IF(N(Ratings[@games]) = 0, "",
                                     summed(Each[rating_b], Each[rating_a]))
    table Parts rows:{parts}
        no          0 quiet     = row_number
        part        0.00
        dp          0
"""


def ratings(
    book: Book, performance: str = "performance(Sums[@met], games, score, dp_of(score / games))"
) -> None:
    """New ratings of all players of a list of games, each from their row of sums."""
    book.read(
        _RATINGS,
        "ratings",
        assumed=note_assumed(book),
        games_found='(COUNTIFS(Each_first, no, Each[score_a], ">=0")'
        ' + COUNTIFS(Each_second, no, Each[score_b], ">=0"))',
        score_found="(SUMIF(Each_first, no, Each[score_a])"
        " + SUMIF(Each_second, no, Each[score_b]))",
        expected_found="summed(Each[expected_a], Each[expected_b])",
        performance_found=performance,
    )
    table = [
        {"part": percent / 100, "dp": dp}
        for percent, dp in enumerate(differences_by_percent().tolist())
    ]
    book.read(_SUMS, "ratings", data={"Parts": table}, parts=len(table))


def note_assumed(book: Book) -> str:
    """A note on reasons that say "assumed", where the rulebook has such reasons."""
    return "note note_assumed" if book.rules.k.assumes else ""
