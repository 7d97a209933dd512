"""Tie-breaks, and the rounds of every player that they come from.

Unplayed rounds count by FIDE's C.07, article 16, in the wording of March 2026, as open programs
state it; the figures of FIDE's tie-break exercise of 2024 come out but for the three players whose
unplayed rounds it caps. A player's opponents count their *adjusted* score: a requested bye that
only voluntary unplayed rounds follow is a draw. A player's own unplayed rounds count as games
against a virtual opponent with the player's own points: after a forfeit at most the opponent's
adjusted score, otherwise at most half of the rounds. Cut 1 takes away the lowest contribution, and
where there are voluntary unplayed rounds the lowest of those.
"""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book

KINDS: Final = {
    "NOTHING": 0,  # the round has not begun
    "PLAYED": 1,
    "FORFEIT_WON": 2,
    "FORFEIT_LOST": 3,
    "BYE": 4,  # with a full point: by the pairing
    "REQUESTED": 5,  # a bye with half a point or none, or not paired at all
    "UNFINISHED": 6,  # paired, without a result yet
}
"""What a round was for a player."""

_TIES: Final = """
pieces
    met(who)                        = INDEX(Ties[adjusted], MAX(who, 1))
    pick(place, white, black, none) = cases(place = 0, none,
                                            place > 0, INDEX(white, MAX(place, 1)),
                                            INDEX(black, MAX(-place, 1)))
    lowest(without)                 = SUMPRODUCT(MIN(counts + 1000 * without))

sheet ties freeze:points
    note about_ties
    note about_ties_more
    note about_ties_last
    cells left:2
        begun 0 strong              = rounds_begun + 0
    table Ties rows:size gap:0
        no            0 quiet             = row_number
        name          left strong 34      = Counted[@name]
        points        0.0                 = IF(name = "", "", SUM(scored))
        last_there    0 quiet helper      = SUMPRODUCT(MAX(numbers * (kinds <> NOTHING)
            * (kinds <> FORFEIT_LOST) * (kinds <> REQUESTED)))
        adjusted      0.0                 = IF(name = "", "", points + SUMPRODUCT(
            (kinds = REQUESTED) * (numbers > last_there) * (0.5 - scored)))
        buchholz      0.0                 = IF(name = "", "", SUM(counts))
        cut           0.0                 = IF(name = "", "", buchholz - cases(
            COUNTIF(kinds, NOTHING) + COUNTIF(kinds, UNFINISHED) = rounds, 0,
            COUNTIF(kinds, FORFEIT_LOST) + COUNTIF(kinds, REQUESTED) > 0,
                lowest((kinds <> FORFEIT_LOST) * (kinds <> REQUESTED)),
            lowest((kinds = NOTHING) + (kinds = UNFINISHED))))
        sb            0.00                = IF(name = "", "", SUMPRODUCT(counts, scored))
        key           0 quiet helper      = IF(name = "", "",
            ((points * 1000 + cut) * 1000 + buchholz) * 1000 + sb)
        place{r}    0 helper 4 heading:{r} over:block_place = IF(name = "", 0,
            IFERROR(MATCH(no, Pairings.{r}[first], 0),
                    IFERROR(-MATCH(no, Pairings.{r}[second], 0), 0)))
        opponent{r} 0 helper 4 heading:{r} over:block_opponent = pick(place{r},
            Pairings.{r}[second], Pairings.{r}[first], 0)
        scored{r}   0.0 helper 4 heading:{r} over:block_scored = pick(place{r},
            Pairings.{r}[points_a], Pairings.{r}[points_b], 0)
        kind{r}     0 helper 4 heading:{r} over:block_kind = pick(place{r},
            Pairings.{r}[kind_a], Pairings.{r}[kind_b],
            IF(AND(name <> "", COUNTIF(Pairings.{r}[valid], 1) > 0), REQUESTED, NOTHING))
        counts{r}   0.0 helper 4 heading:{r} over:block_counts = cases(
            OR(kind{r} = NOTHING, kind{r} = UNFINISHED), 0,
            kind{r} = PLAYED, met(opponent{r}),
            kind{r} <= FORFEIT_LOST, MIN(points, met(opponent{r})),
            MIN(points, begun / 2))
    names
        kinds  = kind1:kind{rounds}
        counts = counts1:counts{rounds}
        scored = scored1:scored{rounds}
"""


def tie_breaks(book: Book) -> None:
    """Write the sheet, from the rounds of the table ``Pairings``."""
    rounds = range(1, book.options.rounds + 1)
    begun = " + ".join(f"(COUNTIF(Pairings.{r}[valid], 1) > 0)" for r in rounds)
    book.read(
        _TIES,
        "ties",
        loops={"r": rounds},
        rounds=len(rounds),
        rounds_begun=begun,
        numbers=f"{{{','.join(map(str, rounds))}}}",
    )
