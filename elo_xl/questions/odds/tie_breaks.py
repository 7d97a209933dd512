"""Places by points and tie-breaks, in many runs of an event at once: FIDE's C.07, in arrays.

What unplayed rounds count, and how direct encounter works, is told by the books' own tie-breaks
(:mod:`elo_xl.templates.blocks.tie_breaks`); the figures are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.errors import OptionError
from elo_xl.engine.models import IntArray, fide_difference
from elo_xl.engine.rounding import FloatArray, round_half_up

BoolArray = npt.NDArray[np.bool_]

NOTHING, PLAYED, FORFEIT_WON, FORFEIT_LOST, BYE, REQUESTED = range(6)
"""What a round was for a player: a bye is one with a full point, by the pairing; a requested one
has half a point or none. Whoever is not paired at all has a requested one, too."""

DIRECT: Final = "DE"
_AGAIN: Final = 4
"""how often direct encounter compares those who are still tied"""
_BLOCK: Final = 1 << 21
"""numbers in an array at a time"""


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of all players, in arrays by run, player and round.

    The first axis of all but the scores may have length 1, if all runs have the same pairings.
    """

    opponents: IntArray
    """counted from 0; the number of players for none"""
    white: IntArray
    """1 as White, -1 as Black, 0 for neither"""
    kinds: IntArray
    scores: FloatArray

    def some(self, runs: slice) -> Rounds:
        """Some of the runs."""

        def part(array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
            return array if len(array) == 1 < len(self.scores) else array[runs]

        fields = {name: part(getattr(self, name)) for name in ("opponents", "white", "kinds")}
        return replace(self, scores=self.scores[runs], **fields)  # type: ignore[arg-type]


def places(
    rounds: Rounds, order: Sequence[str], ratings: npt.ArrayLike, *, all_play_all: bool = False
) -> tuple[FloatArray, IntArray]:
    """Everybody's points and place in each run, by points and then the tie-breaks in ``order``.

    >>> met = np.array([[[1], [0]]])
    >>> both = np.ones_like(met)
    >>> drawn_game = Rounds(met, np.array([[[1], [-1]]]), both, np.full((1, 2, 1), 0.5))
    >>> points, place = places(drawn_game, ["BPG"], [1800, 1750])
    >>> points.tolist(), place.tolist()
    ([[0.5, 0.5]], [[2, 1]])

    Tie-breaks have FIDE's codes: those in :data:`SWISS`, or for an event in which everybody meets
    everybody in :data:`ALL_PLAY_ALL`, and ``DE``. ``ratings`` are NaN for unrated players. Players
    who stay tied have the same place. Raises OptionError for a tie-break that is not there.
    """
    known = ALL_PLAY_ALL if all_play_all else SWISS
    for code in order:
        if code not in (*known, DIRECT):
            listed = ", ".join((DIRECT, *known))
            raise OptionError(f"tie-break must be one of {listed}, got {code!r}")
    rated = np.asarray(ratings, dtype=float)
    runs, players, last = rounds.scores.shape
    # direct encounter compares all players with each other
    size = players * max(last * (last if DIRECT in order else 1), players * (DIRECT in order), 1)
    step = max(_BLOCK // size, 1)
    found = [
        _places(rounds.some(slice(start, start + step)), order, rated, known)
        for start in range(0, runs, step)
    ]
    points, place = zip(*found, strict=True)
    return np.concatenate(points), np.concatenate(place)


def _places(
    rounds: Rounds, codes: Sequence[str], ratings: FloatArray, known: Mapping[str, _Value]
) -> tuple[FloatArray, IntArray]:
    table = _Table(rounds, ratings, known is ALL_PLAY_ALL)
    place = ranks(table.points)
    for code in codes:
        if code == DIRECT:
            place = _by_encounter(table, place)
        else:
            place = _refined(place, known[code](table))
    return table.points, place


def ranks(points: FloatArray) -> IntArray:
    """Places by points alone.

    >>> ranks(np.array([[1.5, 2, 1.5, 0]])).tolist()
    [[2, 1, 2, 4]]
    """
    return _refined(np.ones(points.shape, dtype=np.int64), points)


def _refined(place: IntArray, value: FloatArray) -> IntArray:
    """The places of tied players after one more figure, the larger in front."""
    order = np.lexsort((-value, place), axis=-1)
    sorted_place, sorted_value = (np.take_along_axis(a, order, -1) for a in (place, value))
    new = np.ones(place.shape, dtype=bool)
    new[:, 1:] = (np.diff(sorted_place, axis=-1) != 0) | (np.diff(sorted_value, axis=-1) != 0)
    numbers = np.arange(1, place.shape[1] + 1)
    ranks = np.maximum.accumulate(np.where(new, numbers, 0), axis=-1)
    result = np.empty_like(place)
    np.put_along_axis(result, order, ranks, -1)
    return result


class _Table:
    """What several tie-breaks need of a block of runs."""

    def __init__(self, rounds: Rounds, ratings: FloatArray, all_play_all: bool) -> None:
        self.scores, self.white = rounds.scores, rounds.white
        self.opponents, self.kinds = rounds.opponents, rounds.kinds
        self.points: FloatArray = self.scores.sum(axis=-1)
        self.begun = self.scores.shape[-1]
        self.number = np.arange(self.begun)
        self.played: BoolArray = self.kinds == PLAYED
        self.voluntary: BoolArray = (self.kinds == FORFEIT_LOST) | (self.kinds == REQUESTED)
        forfeits = (self.kinds == FORFEIT_WON) | (self.kinds == FORFEIT_LOST)
        self.meeting: BoolArray = self.played | forfeits if all_play_all else self.played
        """the games that direct encounter counts"""
        self.ratings = np.append(ratings, np.nan)[self.opponents]

    def met(self, values: npt.ArrayLike) -> FloatArray:
        """A figure of every player, as each of their opponents has it in each round."""
        padded = np.pad(np.asarray(values, dtype=float), ((0, 0), (0, 1)))
        if len(self.opponents) == 1:
            return padded[:, self.opponents[0]]
        return padded[np.arange(len(padded))[:, None, None], self.opponents]

    def counts(self) -> FloatArray:
        """What each round contributes to Buchholz (C.07, article 16)."""
        there = np.where(self.voluntary, -1, self.number).max(axis=-1, keepdims=True)
        late = (self.kinds == REQUESTED) & (self.number > there)
        adjusted = self.points + (late * (0.5 - self.scores)).sum(axis=-1)
        own = self.points[:, :, None]
        other = self.met(adjusted)
        forfeit = (self.kinds == FORFEIT_WON) | (self.kinds == FORFEIT_LOST)
        alone = np.minimum(own, self.begun / 2)
        return np.where(self.played, other, np.where(forfeit, np.minimum(own, other), alone))


_Value = Callable[[_Table], FloatArray]


def _buchholz(table: _Table, low: int = 0, high: int = 0) -> FloatArray:
    """The sum of contributions without the ``low`` least, voluntary unplayed rounds before all
    others, and of the rest without the ``high`` largest."""
    counts = table.counts()
    first = np.where(table.voluntary, counts - 1000, counts)
    order = np.argsort(first, axis=-1, kind="stable")
    left = np.sort(np.take_along_axis(counts, order, -1)[:, :, low:], axis=-1)
    return np.asarray(left[:, :, : max(left.shape[-1] - high, 0)].sum(axis=-1))


def _count(what: Callable[[_Table], BoolArray]) -> _Value:
    return lambda table: np.broadcast_to(what(table).sum(axis=-1), table.points.shape).astype(float)


def _average_rating(table: _Table) -> FloatArray:
    rated = table.played & ~np.isnan(table.ratings)
    count = rated.sum(axis=-1)
    total = np.where(rated, table.ratings, 0.0).sum(axis=-1)
    average = np.where(count > 0, round_half_up(total / np.maximum(count, 1)), 0.0)
    return np.broadcast_to(average, table.points.shape)


def _performance(table: _Table) -> FloatArray:
    rated = table.played & ~np.isnan(table.ratings)
    count = np.maximum(rated.sum(axis=-1), 1)
    percent = 100 * np.where(rated, table.scores, 0.0).sum(axis=-1) / count
    some = rated.any(axis=-1)
    return np.where(some, np.maximum(_average_rating(table) + fide_difference(percent), 0), 0.0)


def _progressive(table: _Table) -> FloatArray:
    return np.asarray((table.scores * (table.begun - table.number)).sum(axis=-1))


def _against_half(table: _Table) -> FloatArray:
    games = (table.opponents < table.points.shape[1]).sum(axis=-1, keepdims=True)
    # half of what an opponent could score, who has as many games
    good = table.met(table.points) >= games / 2
    return np.asarray((good * table.scores).sum(axis=-1))


_WINS: Final = _count(lambda table: table.scores == 1)
_BLACK_GAMES: Final = _count(lambda table: table.played & (table.white < 0))
_BLACK_WINS: Final = _count(lambda table: table.played & (table.white < 0) & (table.scores == 1))

SWISS: Final[Mapping[str, _Value]] = {
    "WIN": _WINS,
    "WON": _count(lambda table: table.played & (table.scores == 1)),
    "BPG": _BLACK_GAMES,
    "BWG": _BLACK_WINS,
    "REP": _count(lambda table: ~table.voluntary),
    "PS": _progressive,
    "BH": _buchholz,
    "BH-C1": partial(_buchholz, low=1),
    "BH-C2": partial(_buchholz, low=2),
    "BH-M1": partial(_buchholz, low=1, high=1),
    "BH-M2": partial(_buchholz, low=2, high=2),
    "SB": lambda table: np.asarray((table.counts() * table.scores).sum(axis=-1)),
    "ARO": _average_rating,
    "TPR": _performance,
}
"""The tie-breaks of a Swiss by FIDE's codes, beside direct encounter."""

ALL_PLAY_ALL: Final[Mapping[str, _Value]] = {
    "WIN": _WINS,
    "BPG": _BLACK_GAMES,
    "BWG": _BLACK_WINS,
    "PS": _progressive,
    "SB": lambda table: np.asarray((table.met(table.points) * table.scores).sum(axis=-1)),
    "KS": _against_half,
    "ARO": _average_rating,
    "TPR": _performance,
}
"""Those of an event in which everybody meets everybody; forfeits count as they are written, but
for games with Black, which are those over the board (C.07, 7.3 and 7.4)."""


def _by_encounter(table: _Table, place: IntArray) -> IntArray:
    """The places of tied players after direct encounter (C.07, article 6)."""
    known = np.where(table.meeting, table.opponents, -1)
    # those who met twice: the average of their games
    times = (known[..., :, None] == known[..., None, :]).sum(axis=-1)
    part = np.where(table.meeting, 1 / times, 0.0)
    for _ in range(_AGAIN):
        same = place[:, :, None] == place[:, None, :]
        group = same.sum(axis=-1)
        if (group == 1).all():
            break
        share = part * (table.met(place) == place[:, :, None])
        got = (share * table.scores).sum(axis=-1).round(6)
        most = (got + group - 1 - share.sum(axis=-1)).round(6)
        above = (same & (got[:, None, :] > got[:, :, None])).sum(axis=-1)
        whole = ~(same & (most != got)[:, None, :]).any(axis=-1)
        # of an incomplete group those are in front whom nobody behind them can reach
        reach = (same & (most[:, None, :] >= got[:, :, None])).sum(axis=-1) - 1
        below = (same & (reach[:, None, :] < reach[:, :, None])).sum(axis=-1)
        alone = (same & (reach[:, None, :] == reach[:, :, None])).sum(axis=-1) == 1
        distinct = ~(same & ~alone[:, None, :] & (reach[:, None, :] < reach[:, :, None])).any(
            axis=-1
        )
        sure = (below == reach) & distinct
        behind = (same & sure[:, None, :]).sum(axis=-1)
        place = place + np.where(whole, above, np.where(sure, below, behind))
    return place
