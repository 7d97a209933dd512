"""One period in batches: games in, and out come the changes that a single table would give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.bulk.newcomers import Newcomers, Rows, rate_together, rows_of
from elo_xl.engine.accumulator import Accumulator
from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.errors import require
from elo_xl.engine.games import BLOCK, columns, played
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.engine.rulebooks.event import Players
from elo_xl.engine.systems import State, System


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

    ``newcomers`` bring games of earlier periods along. Raises OptionError for a rulebook under
    which games do not stand alone, and for a K under one that takes only its own.
    """

    def __init__(
        self,
        players: Players,
        rules: str | Path | Rulebook = "fide",
        newcomers: Newcomers | None = None,
    ) -> None:
        super().__init__(players, rulebook(rules))
        self.book.change.check(self.book, players)
        self.newcomers = newcomers or Newcomers(self.book)

    def parts(self) -> Iterator[tuple[slice, Rated]]:
        """The outcome for block after block of the players, which takes less memory than all."""
        if self._rated is not None:
            rows = self._of_newcomers(np.flatnonzero(~self._rated))
            self.newcomers.rate(rows, self.players)
        for start in range(0, max(self._packed.size, 1), BLOCK):
            part = slice(start, min(start + BLOCK, self._packed.size))
            yield part, self._outcome(part)

    def _of_newcomers(self, unrated: IntArray) -> Rows:
        """The games of unrated players, or the sums of them."""
        number = self.newcomers.period
        if self.opponents is None:
            player, opponents, scored = self._gathered()
            return rows_of(player, opponents, scored, number)
        games, halves, _ = self._sums(unrated)
        some = np.flatnonzero(games)
        who = unrated[some]
        return rows_of(who, self.opponents[who], halves[some], number, games[some])

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
        *numbers, _ = zip(*(rated for _, rated in self.parts()), strict=True)
        k, games, score, expected, change, new = map(np.concatenate, numbers)
        return Rated(k, games, score, expected, change, new, {})


class Gathered:
    """A period whose games must all be there before it is rated; they take 9 bytes each.

    ``after`` rates them. The interface is that of :class:`Period`.
    """

    def __init__(self, size: int, after: Callable[[IntArray, IntArray, FloatArray], Rated]) -> None:
        self.size, self.after = size, after
        none = np.zeros(0, np.int32)
        self._games: list[tuple[AnyArray, ...]] = [(none, none, none.astype(np.uint8))]

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
        one, two, halves = (np.concatenate(x) for x in zip(*self._games, strict=True))
        return self.after(one, two, halves / 2)


def begin(
    players: Players, rules: str | Path | Rulebook = "fide", newcomers: Newcomers | None = None
) -> Period | Gathered:
    """A period under any rulebook: in batches where games stand alone, otherwise gathered first."""
    if rulebook(rules).in_any_order:
        return Period(players, rules, newcomers)
    fresh = newcomers or Newcomers(rulebook(rules))

    def after(first: IntArray, second: IntArray, score: FloatArray) -> Rated:
        # sorted, so that the order of the files does not show in the last bits of sums
        order = np.lexsort((score, second, first))
        return Rated(*rate_together(players, fresh, first[order], second[order], score[order]), {})

    return Gathered(players.rating.size, after)


def period_of_system(system: System, state: State, period: int) -> Gathered:
    """The period of a number under a system that carries its ratings."""
    size = state["rating"].size

    def after(first: IntArray, second: IntArray, score: FloatArray) -> Rated:
        number = np.full(score.size, period)
        done = system.carry(first, second, score, size, before=state, period=number)
        points = np.bincount(first, score, size) + np.bincount(second, 1 - score, size)
        none, new = np.full(size, np.nan), done.state["rating"]
        score = points.astype(float)
        return Rated(none, done.games, score, none, new - state["rating"], new, done.state)

    return Gathered(size, after)
