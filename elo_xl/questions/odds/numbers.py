"""The odds of every place: final standings with their probabilities, listed, added up or drawn.

**All outcomes** of the games that are left can be listed while there are some hundred thousands
(:func:`every_outcome`): the odds are exact, tie-breaks included. **Convolution** goes further where
only points count: game by game, outcomes that give everybody the same points become one
(:func:`points_together`). Beyond that outcomes are **drawn** (:func:`drawn`), and the odds have
standard errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray, round_half_up
from elo_xl.engine.errors import OptionError, require
from elo_xl.engine.models import fide_difference
from elo_xl.engine.tie_breaks import EDITIONS, NEWEST

MOST_OUTCOMES: Final = 3**12
"""Outcomes of all games together that are listed."""
MOST_TOTALS: Final = 1 << 20
"""Different points of all players together that a convolution carries along."""
SCORES: Final = np.array((1.0, 0.5, 0.0))
"""The first side's score of the outcomes 0, 1 and 2: won, drawn and lost."""


@dataclass(frozen=True, slots=True)
class Finals:
    """Final standings, each with its probability."""

    points: FloatArray
    """of every player at the end, one row per standing"""
    places: IntArray
    """ranks after tie-breaks, as 1, 2, 2, 4: those who stay tied have the first of their places"""
    weights: FloatArray
    """the probability of each standing; all together 1"""
    blocks: int = 0
    """in how many blocks of equal length and weight the standings stand that were drawn
    independently of each other; 0 if all outcomes are there, and the odds exact"""

    def mean(self, values: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """The mean of something by standing and player, and its standard error.

        The error is 0 where the odds are exact, NaN for a single block.
        """
        each = np.asarray(values, dtype=float)
        mean = np.asarray(self.weights @ each)
        if not self.blocks:
            return mean, np.zeros_like(mean)
        if self.blocks == 1:
            return mean, np.full_like(mean, np.nan)
        of_block = each.reshape(self.blocks, -1, each.shape[1]).mean(axis=1)
        return mean, of_block.std(axis=0, ddof=1) / np.sqrt(self.blocks)

    def place(self, number: int) -> tuple[FloatArray, FloatArray]:
        """Everybody's chance of a place, and its standard error; who stays tied draws lots."""
        require(number >= 1, "place must be at least 1", number)
        return self.mean(self._among(number) - self._among(number - 1))

    def among(self, number: int) -> tuple[FloatArray, FloatArray]:
        """Everybody's chance of one of the first places, and its standard error."""
        require(number >= 1, "number of places must be at least 1", number)
        return self.mean(self._among(number))

    def _among(self, number: int) -> FloatArray:
        """The share of the first ``number`` places of which each player is sure in each run."""
        runs, players = self.places.shape
        cell = self.places + np.arange(runs)[:, None] * (players + 1)
        tied = np.bincount(cell.reshape(-1), minlength=runs * (players + 1))[cell]
        return np.asarray(np.clip((number + 1 - self.places) / tied, 0.0, 1.0))


# -- outcomes of games ----------------------------------------------------------------------------


def every_outcome(chances: npt.ArrayLike) -> tuple[IntArray, FloatArray] | None:
    """All outcomes of some games together, a row each, and their probabilities.

    ``chances`` are win, draw and loss of each game. Impossible outcomes are left out. Gives None
    where there are more than :data:`MOST_OUTCOMES`.
    """
    p = np.asarray(chances, dtype=float).reshape(-1, 3)
    if (np.log((p > 0).sum(axis=1)).sum()) > np.log(MOST_OUTCOMES) + 1e-9:
        return None
    possible = [np.flatnonzero(game > 0) for game in p]
    grid = np.meshgrid(*possible, indexing="ij")
    outcomes = np.stack([axis.reshape(-1) for axis in grid], axis=1) if possible else _NONE
    weights = p[np.arange(len(p)), outcomes].prod(axis=1)
    return outcomes.astype(np.int64), weights


_NONE: Final = np.zeros((1, 0), dtype=np.int64)


def drawn(chances: npt.ArrayLike, runs: int, random: np.random.Generator) -> IntArray:
    """Outcomes of some games by lot, one row per run.

    >>> drawn([[0, 1, 0], [0, 0, 1]], 2, np.random.default_rng(1)).tolist()
    [[1, 2], [1, 2]]
    """
    p = np.asarray(chances, dtype=float).reshape(-1, 3)
    lot = random.random((runs, len(p)))
    # the last outcome that is possible takes what rounding leaves
    bounds = np.cumsum(p, axis=1)[:, :2]
    bounds[p[:, 2] == 0, 1] = 1.0
    bounds[(p[:, 1:] == 0).all(axis=1), 0] = 1.0
    return np.asarray((lot[:, :, None] >= bounds).sum(axis=2))


# -- points alone ---------------------------------------------------------------------------------


def points_together(
    points: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike, chances: npt.ArrayLike
) -> tuple[FloatArray, FloatArray] | None:
    """The points that all players can have together at the end, a row each, with probabilities.

    >>> totals, weights = points_together([1, 0], [0], [1], [[0.5, 0.25, 0.25]])
    >>> totals.tolist(), weights.tolist()
    ([[2.0, 0.0], [1.5, 0.5], [1.0, 1.0]], [0.5, 0.25, 0.25])

    ``points`` are those that the players have, ``first`` and ``second`` the players of each game
    that is left, counted from 0. It is a convolution: game by game, all that leads to the same
    points of everybody is added up. Gives None where that is more than :data:`MOST_TOTALS` rows.
    """
    begun = np.asarray(points, dtype=float)
    a, b = (np.asarray(side, dtype=np.int64).reshape(-1) for side in (first, second))
    p = np.asarray(chances, dtype=float).reshape(-1, 3)
    left = np.bincount(a, minlength=begun.size) + np.bincount(b, minlength=begun.size)
    # a row is one number, which has a digit for the half points that each player wins
    bases = 2.0 * left + 1
    if np.log2(bases).sum() > 62:
        return None
    digits = np.concatenate([[1], np.cumprod(bases[:-1])]).astype(np.int64)
    states: IntArray = np.zeros(1, dtype=np.int64)
    weights: FloatArray = np.ones(1)
    for one, other, chance in zip(a, b, p, strict=True):
        steps = np.array([2 * digits[one], digits[one] + digits[other], 2 * digits[other]])
        reached = (states[:, None] + steps).reshape(-1)
        states, at = np.unique(reached, return_inverse=True)
        weights = np.asarray(np.bincount(at, (weights[:, None] * chance).reshape(-1)))
        if states.size > MOST_TOTALS:
            return None
    gained = states[:, None] // digits % bases.astype(np.int64)
    return begun + gained / 2, weights


BoolArray = npt.NDArray[np.bool_]

NOTHING, PLAYED, FORFEIT_WON, FORFEIT_LOST, BYE, REQUESTED = range(6)
"""What a round was for a player: a bye is one with a full point, by the pairing; a requested one
has half a point or none. Players who are not paired at all have a requested one, too."""

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
    rounds: Rounds,
    order: Sequence[str],
    ratings: npt.ArrayLike,
    *,
    all_play_all: bool = False,
    edition: str = NEWEST,
) -> tuple[FloatArray, IntArray]:
    """Everybody's points and place in each run, by points and then the tie-breaks in ``order``.

    Tie-breaks have FIDE's codes: those in :data:`SWISS`, or for an event in which everybody meets
    everybody in :data:`ALL_PLAY_ALL`, and ``DE``, in one of the
    :data:`~elo_xl.engine.tie_breaks.EDITIONS`. ``ratings``
    are NaN for unrated players. Players who stay tied have the same place. Raises OptionError for a
    tie-break that is not there.
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
    blocks = [
        _places(rounds.some(slice(start, start + step)), order, rated, known, edition)
        for start in range(0, runs, step)
    ]
    points, place = zip(*blocks, strict=True)
    return np.concatenate(points), np.concatenate(place)


def _places(
    rounds: Rounds,
    codes: Sequence[str],
    ratings: FloatArray,
    known: Mapping[str, _TieBreakValue],
    edition: str,
) -> tuple[FloatArray, IntArray]:
    table = _RunsBlock(rounds, ratings, known is ALL_PLAY_ALL, edition)
    place = ranks(table.points)
    for code in codes:
        if code == DIRECT:
            place = _by_encounter(table, place)
        else:
            place = _refined(place, known[code](table))
    return table.points, place


def ranks(points: FloatArray, *ties: FloatArray) -> IntArray:
    """Places by points, and among equal points by other figures, one after the other.

    >>> ranks(np.array([[1.5, 2, 1.5, 0]])).tolist()
    [[2, 1, 2, 4]]
    >>> ranks(np.array([[3, 4, 3]]), np.array([[-1, 0, 2]])).tolist()
    [[3, 1, 2]]
    """
    place = np.ones(points.shape, dtype=np.int64)
    for figure in (points, *ties):
        place = _refined(place, figure)
    return place


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


class _RunsBlock:
    """What several tie-breaks need of a block of runs."""

    def __init__(
        self, rounds: Rounds, ratings: FloatArray, all_play_all: bool, edition: str = NEWEST
    ) -> None:
        self.unplayed = EDITIONS[edition].unplayed
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
        own, away = self.points[:, :, None], (self.kinds != NOTHING) & ~self.played
        if self.unplayed == "virtual":
            draws = (away * (0.5 - self.scores)).sum(axis=-1)
            later = (self.begun - 1 - self.number) / 2
            virtual = self.scores.cumsum(axis=-1) + 1 - 2 * self.scores + later
            return np.where(self.played, self.met(self.points + draws), virtual)
        there = np.where(self.voluntary, -1, self.number).max(axis=-1, keepdims=True)
        late = (self.kinds == REQUESTED) & (self.number > there)
        other = self.met(self.points + (late * (0.5 - self.scores)).sum(axis=-1))
        if self.unplayed == "dummy":
            return np.where(self.played, other, own)
        forfeit = (self.kinds == FORFEIT_WON) | (self.kinds == FORFEIT_LOST)
        alone = np.minimum(own, self.begun / 2)
        return np.where(self.played, other, np.where(forfeit, np.minimum(own, other), alone))


_TieBreakValue = Callable[[_RunsBlock], FloatArray]


def _buchholz(table: _RunsBlock, low: int = 0, high: int = 0) -> FloatArray:
    """The sum of contributions without the ``low`` least, voluntary unplayed rounds before all
    others since there are dummies, and of the rest without the ``high`` largest."""
    counts = table.counts()
    first = counts - 1000 * (table.voluntary & (table.unplayed != "virtual"))
    order = np.argsort(first, axis=-1, kind="stable")
    left = np.sort(np.take_along_axis(counts, order, -1)[:, :, low:], axis=-1)
    return np.asarray(left[:, :, : max(left.shape[-1] - high, 0)].sum(axis=-1))


def _count(what: Callable[[_RunsBlock], BoolArray]) -> _TieBreakValue:
    return lambda table: np.broadcast_to(what(table).sum(axis=-1), table.points.shape).astype(float)


def _average_rating(table: _RunsBlock) -> FloatArray:
    rated = table.played & ~np.isnan(table.ratings)
    count = rated.sum(axis=-1)
    total = np.where(rated, table.ratings, 0.0).sum(axis=-1)
    average = np.where(count > 0, round_half_up(total / np.maximum(count, 1)), 0.0)
    return np.broadcast_to(average, table.points.shape)


def _performance(table: _RunsBlock) -> FloatArray:
    rated = table.played & ~np.isnan(table.ratings)
    count = np.maximum(rated.sum(axis=-1), 1)
    percent = 100 * np.where(rated, table.scores, 0.0).sum(axis=-1) / count
    some = rated.any(axis=-1)
    return np.where(some, np.maximum(_average_rating(table) + fide_difference(percent), 0), 0.0)


def _average_of(table: _RunsBlock, values: FloatArray) -> FloatArray:
    """The average of a figure of the opponents met over the board; NaN counts for nobody."""
    theirs = table.met(values)
    some = table.played & ~np.isnan(theirs)
    total = np.where(some, theirs, 0.0).sum(axis=-1)
    return np.asarray(total / np.maximum(some.sum(axis=-1), 1))


def _average_performance(table: _RunsBlock) -> FloatArray:
    rated = (table.played & ~np.isnan(table.ratings)).any(axis=-1)
    return round_half_up(_average_of(table, np.where(rated, _performance(table), np.nan)))


def _average_buchholz(table: _RunsBlock) -> FloatArray:
    # with so many decimals Gacrux, the program of FIDE's commission, tells averages apart
    scale = 100 if table.begun < 9 else 1000
    return round_half_up(_average_of(table, _buchholz(table)) * scale) / scale


def _progressive(table: _RunsBlock) -> FloatArray:
    return np.asarray((table.scores * (table.begun - table.number)).sum(axis=-1))


def _against_half(table: _RunsBlock) -> FloatArray:
    games = (table.opponents < table.points.shape[1]).sum(axis=-1, keepdims=True)
    # half of what an opponent could score, who has as many games
    good = table.met(table.points) >= games / 2
    return np.asarray((good * table.scores).sum(axis=-1))


_WINS: Final = _count(lambda table: table.scores == 1)
_BLACK_GAMES: Final = _count(lambda table: table.played & (table.white < 0))
_BLACK_WINS: Final = _count(lambda table: table.played & (table.white < 0) & (table.scores == 1))

SWISS: Final[Mapping[str, _TieBreakValue]] = {
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
    "APRO": _average_performance,
    "AOB": _average_buchholz,
}
"""The tie-breaks of a Swiss by FIDE's codes, beside direct encounter."""

ALL_PLAY_ALL: Final[Mapping[str, _TieBreakValue]] = {
    "WIN": _WINS,
    "BPG": _BLACK_GAMES,
    "BWG": _BLACK_WINS,
    "PS": _progressive,
    "SB": lambda table: np.asarray((table.met(table.points) * table.scores).sum(axis=-1)),
    "KS": _against_half,
    "ARO": _average_rating,
    "TPR": _performance,
    "APRO": _average_performance,
}
"""Those of an event in which everybody meets everybody; forfeits count as they are written, but
for games with Black, which are those over the board (C.07, 7.3 and 7.4)."""


def _by_encounter(table: _RunsBlock, place: IntArray) -> IntArray:
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
