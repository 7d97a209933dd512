"""The rounds of FIDE's Berger tables (C.05, annex 1), for any number of players and of cycles.

In every cycle everybody meets everybody once, and colours change from one cycle to the next. All
cycles but the last one have their last two rounds exchanged, as FIDE recommends for two cycles:
otherwise some would have one colour three times in a row where the next cycle begins. Of four
players that is true for more than two cycles only if every other cycle is changed, the first, the
third and so on.
"""

from __future__ import annotations


def meeting(a: int, b: int, seats: int, cycle: int = 1, cycles: int = 1) -> tuple[int, bool]:
    """The round in which two numbers meet in a cycle, and whether the smaller one has White.

    >>> meeting(1, 6, 6), meeting(3, 6, 6)
    ((1, True), (5, True))
    >>> meeting(3, 6, 6, cycle=1, cycles=2), meeting(3, 6, 6, cycle=2, cycles=2)
    ((4, True), (10, False))

    ``seats`` is the number of players, made even: the last number meets the player who would be
    alone.
    """
    a, b = sorted((a, b))
    last = seats - 1
    round = 1 + ((2 * a if b == seats else a + b) - 2) % max(last, 1)
    white = 2 * a <= seats if b == seats else (a + b) % 2 == 1
    exchanged = cycles > 1 and (cycle % 2 == 1 if seats == 4 else cycle < cycles)
    if exchanged and round >= last - 1 > 0:
        round = 2 * last - 1 - round
    return (cycle - 1) * last + round, white == (cycle % 2 == 1)
