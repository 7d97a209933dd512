"""One period in batches: games in, and out come the changes that a single table would give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.bulk.newcomers import NewcomerGames, Newcomers, rate_together
from elo_xl.bulk.newcomers import joined as together
from elo_xl.engine import systems
from elo_xl.engine.accumulator import Accumulator
from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.errors import require
from elo_xl.engine.games import BLOCK, columns, played
from elo_xl.engine.quality import SURE
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.engine.rulebooks.event import Players
from elo_xl.engine.sequence import CHUNK
from elo_xl.engine.systems import ByPeriod, State, System

STEPS: Final = 1000
"""Into how many parts a point is divided for these figures; FIDE's hundredths are among them."""
_RESULTS: Final = 3

COLUMNS: Final = (
    "period", "low", "high", "games", "expected", "score", "draws", "log_loss", "brier",
)  # fmt: skip
"""The columns of the figures: of each tenth of expected scores, games and means."""


class Quality:
    """How many games with which expected score ended how.

    >>> quality = Quality()
    >>> quality.add(np.array([60, 50]), 100, np.array([2, 1]))
    >>> [row["games"] for row in quality.tenths() if row["games"]]
    [1, 1]
    """

    def __init__(self, counts: list[int] | None = None) -> None:
        size = (STEPS + 1) * _RESULTS
        self.counts = np.zeros(size, np.int64)
        if counts is not None:
            at, number = np.reshape(counts, (2, -1))
            self.counts[at] = number

    def add(self, expected: IntArray, unit: int, halves: IntArray) -> None:
        """Count games by the first player's expected score, in units, and half points."""
        step = (expected * STEPS + unit // 2) // unit if unit < STEPS else _rounded(expected, unit)
        self.counts += np.bincount(step * _RESULTS + halves, minlength=self.counts.size)

    def kept(self) -> list[int]:
        """The counts that are not 0, as a list: first where they stand, then the numbers."""
        at = np.flatnonzero(self.counts)
        return [*at.tolist(), *self.counts[at].tolist()]

    def tenths(self) -> list[dict[str, float]]:
        """The figures of each tenth of the expected scores in which there are games."""
        e = np.repeat(np.arange(STEPS + 1) / STEPS, _RESULTS)
        s = np.tile(np.arange(_RESULTS) / 2, STEPS + 1)
        cut = np.clip(e, SURE, 1 - SURE)
        loss = -(s * np.log(cut) + (1 - s) * np.log(1 - cut))
        tenth = np.minimum(np.repeat(np.arange(STEPS + 1) * 10 // STEPS, _RESULTS), 9)
        rows = []
        for number in range(10):
            counts = np.where(tenth == number, self.counts, 0)
            games = int(counts.sum())
            if games:
                figures = {"expected": e, "score": s, "draws": s == 0.5, "log_loss": loss,
                           "brier": (s - e) ** 2}  # fmt: skip
                means = {name: float((counts * x).sum() / games) for name, x in figures.items()}
                rows.append({"low": number / 10, "high": (number + 1) / 10, "games": games} | means)
        return rows


def _rounded(expected: IntArray, unit: int) -> IntArray:
    # units are powers of two here: a product with 1000 would still fit, but a shift is faster
    return (expected * STEPS + unit // 2) >> (unit.bit_length() - 1)


class Rated(NamedTuple):
    """What a period did to players; every field has one number for each."""

    k: FloatArray
    """the K factor that applied; NaN where a system has none"""
    games: IntArray
    """rated games"""
    score: FloatArray
    """points in them"""
    expected: FloatArray
    """expected points in them; NaN for unrated players and where a system has none"""
    change: FloatArray
    """the change in rating points, unrounded; NaN for unrated players"""
    new: FloatArray
    """the rating after the period; NaN for players who still have none"""
    state: State
    """what a system keeps besides: the columns that are not the rating"""


class Period(Accumulator):
    """A period whose games come in batches.

    >>> period = Period(Players.known([1800.0, 1860.0, 1500.0], 20))
    >>> period.add([0], [1], [1])
    >>> period.add([2, 0], [0, 2], [0.5, 1])
    >>> done = period.finish()
    >>> done.games.tolist(), done.change.tolist(), done.new.tolist()
    ([3, 1, 2], [7.6, -11.6, 4.0], [1808.0, 1848.0, 1504.0])

    ``lists`` says whether the games of unrated players are kept one by one; unless that is given,
    sums of them suffice if the rulebook asks for no more and the ratings are whole, which of a part
    of the players cannot be told. ``newcomers`` bring games of earlier periods along. Raises
    OptionError for a rulebook under which games do not stand alone, and for a K under one that
    takes only its own.
    """

    def __init__(
        self,
        players: Players,
        rules: str | Path | Rulebook = "fide",
        *,
        home: float = 0.0,
        lists: bool | None = None,
        newcomers: Newcomers | None = None,
    ) -> None:
        super().__init__(players, rulebook(rules), home=home, lists=lists)
        self.book.change.check(self.book, players)
        self.newcomers = newcomers or Newcomers(self.book)
        self.quality = Quality()

    def seen(self, chance: IntArray, halves: IntArray) -> None:
        self.quality.add(chance, self.unit, halves)

    def parts(self) -> Iterator[tuple[slice, Rated]]:
        """The outcome for block after block of the players, which takes less memory than all."""
        if self._rated is not None:
            self.newcomers.rate(self._of_newcomers(~self._rated))
        for start in range(0, max(self._packed.size, 1), BLOCK):
            part = slice(start, min(start + BLOCK, self._packed.size))
            yield part, self._outcome(part)

    def _of_newcomers(self, unrated: npt.NDArray[np.bool_]) -> NewcomerGames:
        """The games of unrated players, or the sums of them."""
        number = self.newcomers.period
        if self.opponents is None:
            player, opponents, scored = self._gathered()
            return NewcomerGames.each(player, opponents, scored, number)
        blocks = [NewcomerGames.none()]
        for start in range(0, unrated.size, BLOCK):
            part = slice(start, start + BLOCK)
            games, halves, _ = self._sums(part)
            some = np.flatnonzero(unrated[part] & (games > 0))
            opponents = self.opponents[part][some].astype(float)
            period = np.full(some.size, number)
            blocks.append(NewcomerGames(start + some, period, games[some], halves[some], opponents))
        return together(blocks)

    def _outcome(self, part: slice) -> Rated:
        done, some = self.changed(part), self.players.part(part)
        new = self.book.rounding(some.rating, done.change, some.peak)
        if self._rated is not None:
            new = np.where(self._rated[part], new, np.nan)
            self.newcomers.put(self.newcomers.rating, new, part.start)
        games = done.games.astype(np.int64)
        return Rated(done.k, games, done.score, done.expected, done.change, new, {})

    def finish(self) -> Rated:
        """The outcome for all players."""
        return joined(rated for _, rated in self.parts())


class Gathered:
    """A period whose games must all be there before it is rated; they take 9 bytes each.

    ``after`` rates them. The interface is that of :class:`Period`.
    """

    def __init__(self, size: int, after: Callable[[IntArray, IntArray, FloatArray], Rated]) -> None:
        self.size, self.after = size, after
        self._games: list[tuple[AnyArray, ...]] = []

    def add(self, first: npt.ArrayLike, second: npt.ArrayLike, score: npt.ArrayLike) -> None:
        """Add games (:meth:`Period.add`, with its errors)."""
        one, two, points = played(*columns(first, second, score), self.size)
        halves = (2 * points).astype(np.uint8)
        require(halves == 2 * points, "score must be 1, 0.5 or 0", points)
        self._games.append((one.astype(np.int32), two.astype(np.int32), halves))

    def parts(self) -> Iterator[tuple[slice, Rated]]:
        """The outcome, for all players at once."""
        yield slice(0, self.size), self.finish()

    def finish(self) -> Rated:
        """The outcome for all players."""
        none = np.zeros(0, np.int32)
        one, two, halves = (
            np.concatenate(x) for x in zip((none, none, none), *self._games, strict=True)
        )
        return self.after(one, two, halves / 2)


def begin(
    players: Players,
    rules: str | Path | Rulebook = "fide",
    *,
    home: float = 0.0,
    newcomers: Newcomers | None = None,
) -> Period | Gathered:
    """A period under any rulebook: in batches where games stand alone, otherwise gathered first."""
    if rulebook(rules).in_any_order:
        return Period(players, rules, home=home, newcomers=newcomers)
    fresh = newcomers or Newcomers(rulebook(rules))

    def after(first: IntArray, second: IntArray, score: FloatArray) -> Rated:
        # sorted, so that the order of the files does not show in the last bits of sums
        order = np.lexsort((score, second, first))
        games = first[order], second[order], score[order]
        return Rated(*rate_together(players, fresh, *games, home), state={})

    return Gathered(players.rating.size, after)


def period_of_system(system: System, state: State, period: int) -> Gathered | InTurn:
    """The period of a number under a system that carries its ratings."""
    if not isinstance(system, ByPeriod):
        return InTurn(system, state, period)
    size = state["rating"].size

    def after(first: IntArray, second: IntArray, score: FloatArray) -> Rated:
        number = np.full(score.size, period)
        games = np.bincount(first, minlength=size) + np.bincount(second, minlength=size)
        points = np.bincount(first, score, size) + np.bincount(second, 1 - score, size)
        done = system.after(
            state, systems.OrderedGames(first, second, score, number, None, None), period
        )
        return _carried(state, done, games, points.astype(float))

    return Gathered(size, after)


def _carried(before: State, after: State, games: IntArray, points: FloatArray) -> Rated:
    none = np.full(games.size, np.nan)
    change = after["rating"] - before["rating"]
    return Rated(none, games, points, none, change, after["rating"], after)


class InTurn:
    """A period whose games are rated one after another, in the order in which they come.

    They go to the system in parts of one size, so that the batches do not show in the last bits.
    The interface is that of :class:`Period`.
    """

    def __init__(self, system: System, state: State, period: int = 0) -> None:
        self.system, self.before, self.state, self.period = system, state, state, period
        self.size = state["rating"].size
        self.games = np.zeros(self.size, np.int64)
        self.points = np.zeros(self.size)
        self._waiting: list[tuple[IntArray, IntArray, FloatArray]] = []
        self._count = 0

    def add(self, first: npt.ArrayLike, second: npt.ArrayLike, score: npt.ArrayLike) -> None:
        """Add games (:meth:`Period.add`, with its errors)."""
        some = played(*columns(first, second, score), self.size)
        self._waiting.append(some)
        self._count += some[0].size
        while self._count >= CHUNK:
            self._rate(CHUNK)

    def _rate(self, games: int) -> None:
        """Rate so many of the waiting games."""
        if not games:
            return
        columns = [np.concatenate(x) for x in zip(*self._waiting, strict=True)]
        first, second, score = (x[:games] for x in columns)
        one, two, points = (x[games:] for x in columns)
        self._waiting, self._count = [(one, two, points)], one.size
        number = np.full(score.size, self.period)
        self.state = self.system.carry(
            first, second, score, self.size, before=self.state, period=number
        ).state
        for player, scored in ((first, score), (second, 1 - score)):
            np.add.at(self.games, player, 1)
            np.add.at(self.points, player, scored)

    def parts(self) -> Iterator[tuple[slice, Rated]]:
        """The outcome, for all players at once."""
        yield slice(0, self.size), self.finish()

    def finish(self) -> Rated:
        """The outcome for all players."""
        self._rate(self._count)
        return _carried(self.before, self.state, self.games, self.points)


def joined(parts: Iterator[Rated]) -> Rated:
    """The outcomes of parts of the players as one."""
    *numbers, _ = (list(x) for x in zip(*parts, strict=True))
    k, games, score, expected, change, new = (np.concatenate(x) for x in numbers)
    return Rated(k, games, score, expected, change, new, {})
