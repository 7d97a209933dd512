"""Published standings: FIDE's "Exercises in Tie-Breaking" (Technical Commission, 2024).

The all-play-all has six players and one forfeit. The open has sixteen players, five rounds,
forfeits and byes of all kinds. The figures of the exercise are those of the wording of 2024. In
March 2026 a player's own unplayed rounds were capped, which three players feel; the figures for
them are those that an open program under FIDE's endorsement gives (Sharly-Chess, in its tests).
"""

from typing import Any, Final

from elo_xl.templates.swiss import board
from tests.support.tie_breaks import BYE, FORFEIT_LOST, FORFEIT_WON, PLAYED, REQUESTED, Round

CROSSTABLE: Final = """
9w1  13b= 2w=  15b1 4w=
10b1 7w1  1b=  16w1 3b=
11w= 6b1  8w1  4b=  2w=
12b1 H    13w1 3w=  1b=
13w0 15b0 11w1 7b=  10w1
14b0 3w0  U    10w1 8b1
15w1 2b0  16b0 5w=  11b0
16b= 14w1 3b0  13w1 6w0
1b0  10w0 H    11b- U
2w0  9b1  15w0 6b0  5b0
3b=  16w0 5b0  9w+  7w1
4w0  U    14b+ Z    Z
5b1  1w=  4b0  8b0  14w0
6w1  8b0  12w- Z    13b1
7b0  5w1  10b1 1w0  16b0
8w=  11b1 7w1  2b0  15w1
"""
"""A line a player, a word a round; U is a bye by the pairing, H and Z are requested ones."""

LONGER: Final = """
9w1  13b= 2w=  15b1 4w=  6b=  3b=  16w= 8b1
10b1 7w1  1b=  16w1 3b1  4w=  6w0  15b= 5w=
11w= 6b1  8w1  4b=  2w0  16b1 1w=  14w1 10b1
12b1 H    13w1 3w=  1b=  2b=  16w= 6b=  15w1
13w0 15b0 11w1 7b=  10w1 14b0 9b1  8w0  2b=
14b0 3w0  U    10w1 8b1  1w=  2b1  4w=  16b1
15w1 2b0  16b0 5w=  11b0 10b0 13w1 9w1  14b1
16b= 14w1 3b0  13w1 6w0  11b= 15w= 5b1  1w0
1b0  10w0 H    11b- U    13b1 5w0  7b0  12w=
2w0  9b1  15w0 6b0  5b0  7w1  12b1 11w1 3w0
3b=  16w0 5b0  9w+  7w1  8w=  14b0 10b0 13w=
4w0  U    14b+ Z    Z    15b0 10w0 13b= 9b=
5b1  1w=  4b0  8b0  14w0 9w0  7b0  12w= 11b=
6w1  8b0  12w- Z    13b1 5w1  11w1 3b0  7w0
7b0  5w1  10b1 1w0  16b0 12w1 8b=  2w=  4b0
8w=  11b1 7w1  2b0  15w1 3w0  4b=  1b=  6w0
"""
"""The same open after nine rounds, from the exercise on direct encounter."""

POINTS: Final = (3.5, 4, 3.5, 3.5, 2.5, 3, 1.5, 2.5, 1.5, 1, 2.5, 2, 1.5, 2, 2, 3.5)
BUCHHOLZ: Final = (12.5, 13, 15.5, 15, 8.5, 12, 14.5, 13.5, 9, 13, 13.5, 11.5, 14, 11, 12, 12.5)
SONNEBORN: Final = (
    *(8, 9.5, 10.5, 9.75, 4.25, 6.5, 3.25, 5.25),
    *(2.25, 1.5, 5.75, 4, 4.25, 4.5, 3.5, 7.25),
)
_CUT: Final = "1:11 3:13 4:11.5 5:7.5 7:12.5 8:12 9:7.5 11:12 12:9.5 13:12 14:9 15:11 16:11"
CUT: Final = {int(no): float(cut) for no, _, cut in (w.partition(":") for w in _CUT.split())}
"""Buchholz cut 1, for the players of whom the exercise gives it."""

SINCE_2026: Final[dict[str, dict[int, float]]] = {
    "buchholz": {4: 14, 6: 11.5, 11: 12.5},
    "sonneborn": {4: 9.25, 6: 6, 11: 4.75},
    "cut": {11: 11},
}
"""What the wording of March 2026 changes: a bye counts at most half of the rounds (players 4 and
6), a forfeit at most the points of the opponent who did not come (player 11)."""

OTHERS: Final = {
    "WIN": (2, 3, 2, 2, 2, 3, 1, 2, 1, 1, 2, 2, 1, 2, 2, 3),
    "WON": (2, 3, 2, 2, 2, 2, 1, 2, 0, 1, 1, 0, 1, 2, 2, 3),
    "BPG": (2, 3, 2, 2, 2, 2, 3, 2, 1, 3, 2, 0, 3, 2, 3, 2),
    "BWG": (1, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1),
    "REP": (5, 5, 5, 4, 5, 5, 5, 5, 3, 5, 5, 3, 5, 3, 5, 5),
    "PS": (11, 13, 11, 11.5, 5, 6, 6, 8.5, 2.5, 4, 5.5, 7, 7, 6, 7, 10.5),
    "ARO": (
        *(1820, 1880, 1940, 1888, 1690, 1813, 1760, 1730),
        *(1975, 1880, 1863, 2050, 1930, 1800, 1860, 1820),
    ),
}
"""The tie-breaks of the open that the wording of 2026 does not touch."""

ENCOUNTER: Final = (2, 1, 2, 2, 7, 6, 13, 7, 13, 16, 7, 10, 13, 10, 10, 2)
ENCOUNTER_LONGER: Final = (3, 5, 1, 3, 9, 2, 6, 6, 14, 9, 13, 14, 16, 9, 9, 6)
"""Ranks by points and direct encounter, after five rounds and after nine."""

PERFORMANCES: Final = (
    *(1969, 2120, 2089, 2081, 1690, 1813, 1611, 1730),
    *(1175, 1640, 1776, 1250, 1781, 1925, 1788, 1969),
)
"""Tournament performance ratings: rounded average of the opponents met, and table 8.1.1."""

_HALF: Final = ("110½1", "½111", "111", "0½", "-")
ALL_PLAY_ALL: Final = {
    (i, i + j): sign for i, row in enumerate(_HALF) for j, sign in enumerate(row, start=1)
}
"""Players from 0 and the first one's result."""
RATINGS: Final = (2200, 2150, 2100, 2050, 1950, 2000)
ALL_POINTS: Final = (3.5, 3.5, 3.5, 1.5, 1.5, 1.5)
ALL_SONNEBORN: Final = (9.25, 6.25, 6.25, 4.25, 3.25, 2.25)
ALL_KOYA: Final = (2, 0.5, 0.5, 1, 0.5, 0)
ALL_ENCOUNTER: Final = (1, 2, 2, 6, 5, 4)
ALL_PERFORMANCES: Final = (2199, 2209, 2219, 1931, 2038, 1803)

_KINDS: Final = {"+": FORFEIT_WON, "-": FORFEIT_LOST}
_SCORES: Final = {"1": 1.0, "=": 0.5, "0": 0.0, "+": 1.0, "-": 0.0}
_BYES: Final = {"U": Round(BYE, None, 1.0), "H": Round(REQUESTED, None, 0.5), "Z": Round(REQUESTED)}


def rounds(crosstable: str = CROSSTABLE) -> list[list[Round]]:
    """The crosstable as :func:`tests.support.tie_breaks.standings` takes it."""
    return [[_round(word) for word in line.split()] for line in crosstable.split("\n")[1:-1]]


def _round(word: str) -> Round:
    if word in _BYES:
        return _BYES[word]
    opponent = int(word[:-2]) - 1
    place = 1 if word[-2] == "w" else -1
    return Round(_KINDS.get(word[-1], PLAYED), opponent, _SCORES[word[-1]], place)


def boards(crosstable: str = CROSSTABLE) -> dict[tuple[int, int], dict[str, Any]]:
    """The same as an organizer types it: White's number, Black's, White's result."""
    typed: dict[tuple[int, int], dict[str, Any]] = {}
    for no, line in enumerate(crosstable.split("\n")[1:-1], start=1):
        for r, word in enumerate(line.split()):
            at = r, sum(1 for done, _ in typed if done == r)
            if word in _BYES:
                if word != "Z":  # who is not paired at all stands nowhere
                    typed[at] = board(no, None, {"U": "bye", "H": "½ bye"}[word])
            elif word[-2] == "w":
                typed[at] = board(no, int(word[:-2]), word[-1])
    return typed
