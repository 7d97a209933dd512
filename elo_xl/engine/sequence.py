"""Games rated one after another, but those without a common player at the same time.

A filter carries each player's rating from one game into the next. Games of different players can
be computed together: a round of a tournament, the tables of a bridge evening.

Elo's rule (:func:`elo`) goes from game to game:

    change of the first = K·w·(score - E(d))     d = first + home - second
    w = weight / (steepness·d + level)           1 where margins do not count

With thousands of players most games can be computed at once. With few players a plain loop is
faster than arrays of a handful of games. In both E is (1 + tanh x)/2 or (1 + erf x)/2, where x is d
in another unit. So a game costs one function and a few multiplications and additions, and both
compute the same. Ratings stay in points: where a call ends does not show in their last bits.

That is the commonest case of a game of two or more sides, each of one or more players, and of a K
that depends on the player (:func:`elo_of_sides`).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.errors import DomainError, SizeError, by_index, quoted
from elo_xl.engine.models import LOGISTIC_SCALE, RESCALED_SCALE, SD, fide_hundredths, read_model
from elo_xl.special import special

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Group = tuple[int, int, tuple[csr_array[np.float64], csr_array[np.float64]] | None]
    """Where games begin and end, and what adds them up by player if one may play several."""

_FEW: Final = 1 << 14
"""Games up to which one block is the fastest."""

CHUNK, _BLOCK, _ROWS = 1 << 20, 1 << 11, 1 << 12
"""Games that are grouped at a time, games of a block, rows of its table of players."""


def seats(players: npt.ArrayLike, size: int, games: int) -> IntArray:
    """Check the players of each game: one row of indices per game, for ``size`` players.

    Raises SizeError for values that are not indices, indices out of range, and a number of rows
    other than ``games``; DomainError for a player paired with themselves.
    """
    index = np.asarray(players)
    if index.size and index.dtype.kind not in "iu":
        raise by_index(index.flat[0])
    if index.shape[0] != games:
        raise SizeError(f"players of {index.shape[0]} games for {games} results")
    if index.size and not (index.min() >= 0 and index.max() < size):
        raise SizeError(f"player {index[(index < 0) | (index >= size)][0]} is not one of {size}")
    index = index.astype(np.int64, copy=False)
    for one, two in combinations(index.T, 2):
        if (one == two).any():
            raise DomainError(f"player {one[one == two][0]} is paired with themselves")
    return index


def waves(
    players: IntArray, size: int, period: npt.ArrayLike | None = None
) -> Iterator[tuple[int, IntArray]]:
    """Group games that can be computed at once, without changing what their order gives.

    >>> players = np.array([[0, 1], [2, 3], [0, 2]])
    >>> [(number, games.tolist()) for number, games in waves(players, 4, np.array([7, 7, 9]))]
    [(7, [0, 1]), (9, [2])]

    ``period`` numbers the rating period of each game; each group comes with that of its games.
    Raises SizeError for periods that are not whole numbers, that are not
    one per game, or that run backwards.
    """
    number = periods(period, len(players))
    for start in range(0, len(players), CHUNK):
        part = slice(start, start + CHUNK)
        order, ends = grouped(players[part], size, number[part])
        order += start
        of_group = number[order[ends - 1]]
        yield from zip(of_group.tolist(), np.split(order, ends[:-1]), strict=True)


def grouped(players: IntArray, size: int, number: IntArray) -> tuple[IntArray, IntArray]:
    """Games in an order in which groups stand together, and where each group ends.

    >>> order, ends = grouped(np.array([[0, 1], [2, 3], [0, 2]]), 4, np.zeros(3, np.int64))
    >>> order.tolist(), ends.tolist()
    ([0, 1, 2], [2, 3])

    ``number`` is the checked period of each game; the other arguments are those of :func:`waves`.
    """
    games = len(players)
    new = np.flatnonzero(number[1:] != number[:-1]) + 1
    wait = _wait(players, size, new) if games < _FEW else _wait_in_blocks(players, size, new)
    blocks, block = wait.shape
    order = np.argsort(wait, axis=1, kind="stable")
    ordered = np.take_along_axis(wait, order, axis=1)
    ends = np.ones(wait.shape, bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=ends[:, :-1])
    ends.reshape(-1)[games - 1] = True
    order += block * np.arange(blocks)[:, None]
    return order.reshape(-1)[:games], np.flatnonzero(ends.reshape(-1)[:games]) + 1


def _wait(players: IntArray, size: int, new: IntArray) -> npt.NDArray[np.uint8 | np.uint16]:
    """For how many groups each game waits; all games are one block."""
    begins = set(new.tolist())
    free = [0] * size  # the first group in which each player has no game yet
    wait = []
    least = last = 0
    for game, row in enumerate(players.tolist()):
        if game in begins:
            least = last
        now = max(least, *[free[player] for player in row])
        wait.append(now)
        for player in row:
            free[player] = now + 1
        last = max(last, now + 1)
    return np.array(wait, np.uint16)[None]


def _wait_in_blocks(
    players: IntArray, size: int, new: IntArray
) -> npt.NDArray[np.uint8 | np.uint16]:
    """For how many groups of its block each game waits: one row per block.

    The loop goes through the games of all blocks side by side. Players whose numbers agree modulo
    the rows of the table wait for each other as well, so that the table stays small. What fills the
    last block waits longest.
    """
    games, seats_of_game = players.shape
    blocks, rest = -(-games // _BLOCK), -games % _BLOCK
    rows = min(size, _ROWS)
    own = players if size <= rows else players % rows
    at = np.empty((_BLOCK, seats_of_game, blocks), np.int32)
    whole = own[: games // _BLOCK * _BLOCK].reshape(-1, _BLOCK, seats_of_game)
    at.transpose(2, 0, 1)[: len(whole)] = whole
    if rest:
        at[:, :, -1] = rows  # a row that nobody has
        at[: _BLOCK - rest, :, -1] = own[len(whole) * _BLOCK :]
    at *= blocks
    at += np.arange(blocks, dtype=np.int32)
    free = np.zeros((rows + 1) * blocks, np.uint16)
    wait = np.empty((_BLOCK, blocks), np.uint16)
    begins = np.zeros((_BLOCK, blocks), bool)
    begins[new % _BLOCK, new // _BLOCK] = True
    least = last = np.zeros(blocks, np.uint16)
    for row, now, begin in zip(at, wait, begins, strict=True):
        np.maximum.reduce(free.take(row), axis=0, out=now)
        if new.size:
            least = np.where(begin, last, least)
            np.maximum(now, least, out=now)
            last = np.maximum(last, now + 1)
        free[row] = now + 1
    if rest:
        wait[-rest:, -1] = wait.max() + 1
    return np.ascontiguousarray(wait.T, np.uint8 if wait.max() < 256 else np.uint16)


def at_once(
    first: IntArray, second: IntArray, size: int, period: IntArray | None
) -> tuple[IntArray, list[Group]]:
    """An order of the games, and the groups of it that are predicted from the same ratings."""
    from scipy.sparse import csr_array

    def adding(players: IntArray) -> csr_array[np.float64]:
        places = players, np.arange(players.size)
        return csr_array((np.ones(players.size), places), shape=(size, players.size))

    if period is None:
        parts = [games for _, games in waves(np.stack([first, second], axis=1), size)]
        ends = np.cumsum([part.size for part in parts]).tolist()
        return np.concatenate(parts), [(begin, end, None) for begin, end in pairwise([0, *ends])]
    bounds = np.flatnonzero(np.diff(period, prepend=period[:1] - 1, append=period[-1:] + 1))
    return np.arange(first.size), [
        (begin, end, (adding(first[begin:end]), adding(second[begin:end])))
        for begin, end in pairwise(bounds.tolist())
    ]


def periods(period: npt.ArrayLike | None, games: int) -> IntArray:
    """The number of each game's period, checked: whole numbers that do not run backwards."""
    if period is None:
        return np.zeros(games, np.int64)
    number = np.asarray(period)
    if number.size and number.dtype.kind not in "iu":
        raise SizeError(f"a period is a whole number, got {quoted(number.flat[0])}")
    if number.shape != (games,):
        raise SizeError(f"{number.size} periods for {games} games")
    number = number.astype(np.int64)
    back = np.flatnonzero(np.diff(number) < 0)
    if back.size:
        raise SizeError(f"period {number[back[0] + 1]} comes after period {number[back[0]]}")
    return number


def grown(sd: FloatArray, growth: FloatArray, periods: FloatArray) -> FloatArray:
    """Deviations after a number of periods: variances grow by ``growth``² per period."""
    return np.asarray(np.sqrt(sd * sd + periods * growth * growth))


FEW_PLAYERS: Final = 400
"""Players up to which the loop is faster."""

WIDE: Final = 30
"""Games of a group, on average, from which arrays are faster than the loop."""

_PART: Final = 1 << 14
"""Games that the loop takes from the arrays at a time."""


class Weights(NamedTuple):
    """What the margin of victory does to each game: the factor weight / (steepness·d + level)."""

    weight: FloatArray
    steepness: FloatArray
    level: FloatArray


def elo(
    rating: FloatArray,
    k: float,
    model: str,
    first: IntArray,
    second: IntArray,
    score: FloatArray,
    home: float | FloatArray = 0.0,
    weights: Weights | None = None,
    history: FloatArray | None = None,
) -> None:
    """Rate checked games one after another; ``rating``, one per player, is changed in place.

    >>> rating = np.array([1500.0, 1500.0, 1500.0])
    >>> elo(rating, 20, "logistic", np.array([0, 0]), np.array([1, 2]), np.array([1.0, 0.5]))
    >>> rating.round(2).tolist()
    [1509.71, 1490.0, 1500.29]

    ``home`` is one number of points for all games or one for each. ``history``, a row per game,
    receives both ratings after each game.
    """
    unit, function, curve = _units(model)
    half = k / 2
    columns: list[AnyArray] = [first, second, (score - 0.5) * k]
    more: list[FloatArray] = []
    if weights is not None or history is not None or isinstance(home, np.ndarray):
        more = [np.broadcast_to(np.asarray(home), score.shape)]
        if weights is not None:
            more += weights
    same = 0.0 if more else float(home)
    for start in range(0, score.size, CHUNK):
        part = slice(start, start + CHUNK)
        some, others = [x[part] for x in columns], [x[part] for x in more]
        after = None if history is None else history[part]
        if rating.size > FEW_PLAYERS:
            players = np.stack(some[:2]).T
            order, ends = grouped(players, rating.size, np.zeros(len(players), np.int64))
            # games at once pay only where groups are wide: each group costs some calls of NumPy
            if WIDE * ends.size < order.size:
                some = [x.take(order) for x in some]
                others = [x.take(order) for x in others]
                _in_groups(
                    rating, half, unit, curve, some, same, others, ends.tolist(), order, after
                )
                continue
        if more:
            _loop(rating, half, unit, function, some, others, after)
        else:
            _plain_loop(rating, half, unit, function, some, same)


def _in_groups(
    now: FloatArray,
    half: float,
    unit: float,
    curve: Callable[[FloatArray], FloatArray],
    columns: list[AnyArray],
    home: float,
    more: list[FloatArray],
    ends: list[int],
    order: IntArray,
    history: FloatArray | None,
) -> None:
    first, second, gained = columns
    begin = 0
    for end in ends:
        at = slice(begin, end)
        one, two = first[at], second[at]
        own, other = now.take(one), now.take(two)
        d = own - other
        if more:
            d += more[0][at]
        elif home:
            d += home
        gain = curve(d / unit)
        gain *= half
        np.subtract(gained[at], gain, out=gain)
        if len(more) > 1:
            weight, steepness, level = (x[at] for x in more[1:])
            gain *= weight / (steepness * d + level)
        own += gain
        other -= gain
        now[one] = own
        now[two] = other
        if history is not None:
            history[order[at], 0] = own
            history[order[at], 1] = other
        begin = end


def _plain_loop(
    now: FloatArray,
    half: float,
    unit: float,
    curve: Callable[[float], float],
    columns: list[AnyArray],
    home: float,
) -> None:
    ratings = now.tolist()
    for start in range(0, columns[0].size, _PART):
        part = (x[start : start + _PART].tolist() for x in columns)
        for first, second, gained in zip(*part, strict=True):
            own = ratings[first]
            other = ratings[second]
            gain = gained - half * curve((own - other + home) / unit)
            ratings[first] = own + gain
            ratings[second] = other - gain
    now[:] = ratings


def _loop(
    now: FloatArray,
    half: float,
    unit: float,
    curve: Callable[[float], float],
    columns: list[AnyArray],
    more: list[FloatArray],
    history: FloatArray | None,
) -> None:
    """The loop with an advantage and a margin for each game."""
    ratings = now.tolist()
    none = [np.broadcast_to(x, columns[0].shape) for x in (1.0, 0.0, 1.0)]
    everything = [*columns, *more, *none[len(more) - 1 :]]
    for start in range(0, columns[0].size, _PART):
        part = (x[start : start + _PART].tolist() for x in everything)
        after: tuple[list[float], list[float]] = [], []
        keep_first, keep_second = after[0].append, after[1].append
        for first, second, gained, home, weight, steepness, level in zip(*part, strict=True):
            own, other = ratings[first], ratings[second]
            d = own - other + home
            gain = (gained - half * curve(d / unit)) * weight / (steepness * d + level)
            ratings[first] = own = own + gain
            ratings[second] = other = other - gain
            keep_first(own)
            keep_second(other)
        if history is not None:
            history[start : start + _PART].T[:] = after
    now[:] = ratings


class Sides(NamedTuple):
    """The sides of games, each of one or more players; those of a game stand together."""

    players: IntArray
    """the players of all sides, one side after the other"""
    ends: IntArray
    """where the players of each side end"""

    @property
    def sizes(self) -> IntArray:
        """How many players each side has."""
        return np.diff(self.ends, prepend=0)

    def levels(self, rating: FloatArray, *, total: bool) -> FloatArray:
        """The rating of each side: the mean, or the total, of those of its players, which stand as
        the players do."""
        if not self.ends.size:
            return np.empty(0)
        sums = np.add.reduceat(rating, self.ends - self.sizes)
        return np.asarray(sums if total else sums / self.sizes)


class Factors(NamedTuple):
    """The K factors of players."""

    begins: Sequence[float]
    """the numbers of games from which another K holds, in ascending order"""
    k: Sequence[float]
    """the K from there on; the first one holds before, too"""
    own: FloatArray
    """a K of their own, one number per player; NaN: the one of their number of games"""
    played: FloatArray
    """the games of each player so far, which are counted on"""


def elo_of_sides(
    rating: FloatArray,
    factors: Factors,
    model: str,
    sides: Sides,
    first: IntArray,
    second: IntArray,
    score: FloatArray,
    ends: IntArray,
    home: float | FloatArray = 0.0,
    weights: Weights | None = None,
    history: FloatArray | None = None,
    *,
    total: bool = False,
) -> None:
    """Rate checked games of sides, one after another; ``rating`` and ``factors.played`` change.

    >>> rating = np.array([1600.0, 1500.0, 1500.0, 1500.0])
    >>> sides = Sides(np.array([0, 1, 2, 3]), np.array([2, 4]))
    >>> factors = Factors([0], [32], np.full(4, np.nan), np.zeros(4))
    >>> one = np.array([1])
    >>> elo_of_sides(rating, factors, "logistic", sides, one - 1, one, one / 1, one)
    >>> rating.round(2).tolist()
    [1613.71, 1513.71, 1486.29, 1486.29]

    ``first`` and ``second`` are sides, ``score`` the first side's; ``ends`` says where the pairs of
    each game end, all of which are rated from the ratings before the game. A side has the mean, or
    the ``total``, of its players' ratings, and all of them gain the same share of their own K.
    ``history`` receives the rating of each player of each side after the game. The other arguments
    are those of :func:`elo`, a number per pair.
    """
    unit, curve, _ = _units(model)
    now, count = rating.tolist(), factors.played.tolist()
    begins, k, own = list(factors.begins), list(factors.k), factors.own.tolist()
    who = sides.players.tolist()
    bounds = [0, *sides.ends.tolist()]
    members = [who[begin:end] for begin, end in pairwise(bounds)]
    w = weights or Weights(np.float64(1.0), np.float64(0.0), np.float64(1.0))  # type: ignore[arg-type]
    by_pair = (score, np.asarray(home), *w)
    pairs = list(
        zip(
            first.tolist(),
            second.tolist(),
            *(np.broadcast_to(x, score.shape).tolist() for x in by_pair),
            strict=True,
        )
    )

    def level(side: list[int]) -> float:
        ratings: list[float] = [now[i] for i in side]
        return sum(ratings) if total else sum(ratings) / len(ratings)

    begin = 0
    for end in ends.tolist():
        gains: dict[int, float] = {}
        for one, two, won, ahead, weight, steepness, by in pairs[begin:end]:
            d = level(members[one]) - level(members[two]) + ahead
            gain = (won - 0.5 - 0.5 * curve(d / unit)) * weight / (steepness * d + by)
            for i in members[one]:
                gains[i] = gains.get(i, 0.0) + gain
            for i in members[two]:
                gains[i] = gains.get(i, 0.0) - gain
        for i, gain in gains.items():
            factor = own[i]
            if factor != factor:  # NaN: the K of their number of games
                factor = k[max(bisect_right(begins, count[i]) - 1, 0)]
            now[i] += factor * gain
            count[i] += 1
        if history is not None:
            at = slice(bounds[pairs[begin][0]], bounds[pairs[end - 1][1] + 1])
            history[at] = [now[i] for i in who[at]]
        begin = end
    rating[:] = now
    factors.played[:] = count


def _units(
    model: str,
) -> tuple[float, Callable[[float], float], Callable[[FloatArray], FloatArray]]:
    """The curve of a model, as :func:`_curves` has them, in units of its own scale."""
    name, wide = read_model(model)
    unit, function, curve = _curves()[name]
    return unit * wide, function, curve


@cache
def _curves() -> dict[
    str, tuple[float, Callable[[float], float], Callable[[FloatArray], FloatArray]]
]:
    """For each model a unit in points, and a function of a number and one of an array, so that
    E(d) = (1 + function(d / unit)) / 2."""

    def fide(d: FloatArray) -> FloatArray:
        return fide_hundredths(d) / 50 - 1

    def fide_of_one(d: float) -> float:
        return float(fide(np.asarray(d)))

    return {
        "normal": (2 * SD, math.erf, special("erf")),
        "logistic": (2 * LOGISTIC_SCALE, math.tanh, np.tanh),
        "rescaled": (2 * RESCALED_SCALE, math.tanh, np.tanh),
        "fide": (1.0, fide_of_one, fide),
    }


def earlier_games(
    first: IntArray, second: IntArray, period: IntArray | None
) -> tuple[IntArray, IntArray]:
    """How many games each side had before, and how many count together with this one; a row a side.

    >>> before, together = earlier_games(np.array([0, 0]), np.array([1, 2]), np.array([1, 1]))
    >>> before.tolist(), together.tolist()
    ([[0, 0], [0, 0]], [[2, 2], [1, 1]])
    """
    games = first.size
    turn = np.arange(games) if period is None else np.unique(period, return_inverse=True)[1]
    # the turns of each player, in the order of time
    code = np.concatenate([first, second]) * games + np.tile(turn, 2)
    own, where, together = np.unique(code, return_inverse=True, return_counts=True)
    begin = together.cumsum() - together
    player = own // games
    before = begin - begin[np.searchsorted(player, player)]
    return before[where].reshape(2, -1), together[where].reshape(2, -1)
