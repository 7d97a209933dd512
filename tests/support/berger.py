"""Who meets whom in which round of an all-play-all event, as FIDE prints it."""

from typing import Final

TABLES: Final = {
    4: "1-4 2-3, 4-3 1-2, 2-4 3-1",
    6: "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, 3-8 4-2 5-1 6-7, "
    "8-7 1-6 2-5 3-4, 4-8 5-3 6-2 7-1",
    10: "1-10 2-9 3-8 4-7 5-6, 10-6 7-5 8-4 9-3 1-2, 2-10 3-1 4-9 5-8 6-7, 10-7 8-6 9-5 1-4 2-3, "
    "3-10 4-2 5-1 6-9 7-8, 10-8 9-7 1-6 2-5 3-4, 4-10 5-3 6-2 7-1 8-9, 10-9 1-8 2-7 3-6 4-5, "
    "5-10 6-4 7-3 8-2 9-1",
}
"""The Berger tables of FIDE's competition rules (C.05, annex 1), by number of players: rounds with
White's number first."""


def berger(players: int) -> list[tuple[int, int | None, int | None]]:
    """Rounds, White and Black, with the method that makes the tables for any number of players.

    >>> berger(4)
    [(1, 1, 4), (1, 2, 3), (2, 4, 3), (2, 1, 2), (3, 2, 4), (3, 3, 1)]

    The last player stays; the others go on by half of the circle from round to round. None is the
    free place of an odd number of players.
    """
    last = players + players % 2
    circle = list(range(1, last))
    games: list[tuple[int, int | None, int | None]] = []
    for number in range(1, last):
        first, *others = circle
        pairs = [(first, last) if number % 2 else (last, first)]
        pairs += [(others[i], others[-1 - i]) for i in range(len(others) // 2)]
        for pair in pairs:
            white, black = (None if p > players else p for p in pair)
            games.append((number, white, black))
        circle = circle[last // 2 :] + circle[: last // 2]
    return games
