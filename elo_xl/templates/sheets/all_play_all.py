"""An event in which everybody meets everybody: what is typed, who stands where, who meets whom."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from elo_xl.engine.rounding import FloatArray
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.templates.forms import Options
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR
from elo_xl.templates.samples import Entry, entries, outcome
from elo_xl.templates.sheets.players import Players
from elo_xl.templates.sheets.signs import Signs
from elo_xl.templates.texts import texts

WIDE: Final = 1000
"""Points times this, plus Sonneborn–Berger: the larger is in front."""


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """What is typed; results by the two players' places (from 0, the smaller first)."""

    name: Any = None
    year: Any = None
    entries: tuple[Entry, ...] = ()
    results: Mapping[tuple[int, int], Any] = field(default_factory=dict)


EMPTY: Final = RoundRobin()


def sample(options: Options) -> RoundRobin:
    """An invented event with a forfeit and a newcomer."""
    chance = random.Random(20261)
    field_ = entries(options.players)
    sign = {1.0: "1", 0.5: "½", 0.0: "0"}
    results = {
        (i, j): sign[outcome(chance, field_[i].rating, field_[j].rating)]
        for i in range(len(field_))
        for j in range(i + 1, len(field_))
    }
    results[1, len(field_) - 2] = "+"
    event = texts(options.language)("round-robin.sample_event")
    return RoundRobin(event, SAMPLE_YEAR, field_, results)


class Event:
    """The event as Python sees it: points by pair, sums, and the engine's ratings."""

    def __init__(self, players: Players, signs: Signs, event: RoundRobin, rules: Rulebook) -> None:
        n = players.size
        self.typed = [[event.results.get((i, j)) for j in range(n)] for i in range(n)]
        self.place = [
            [signs.find(self.typed[i][j]) if i < j else 0 for j in range(n)] for i in range(n)
        ]
        self.points: list[list[float | None]] = [[None] * n for _ in range(n)]
        self.scores: list[list[float | None]] = [[None] * n for _ in range(n)]
        games: list[tuple[int, int, float]] = []
        ratings = [players.rating(i) for i in range(n)]
        for i in range(n):
            for j in range(i + 1, n):
                place = self.place[i][j]
                if not place or not (players.present(i) and players.present(j)):
                    continue
                sign = signs.signs[place - 1]
                self.points[i][j], self.points[j][i] = sign.points, sign.others
                if not sign.rated:
                    continue
                own, other = ratings[i], ratings[j]
                if own is not None and other is not None and not rules.rated(own, other):
                    continue
                if other is not None:
                    self.scores[i][j] = sign.points
                if own is not None:
                    self.scores[j][i] = sign.others
                games.append((i, j, sign.points))
        self.games, self.ratings, self.rules = games, ratings, rules
        self.active = [players.active(i) for i in range(n)]
        self.present = [players.present(i) for i in range(n)]
        self.total = [
            sum(p for j, p in enumerate(self.points[i]) if p is not None and self.active[j])
            for i in range(n)
        ]
        self.sb = [
            sum(
                p * self.total[j]
                for j, p in enumerate(self.points[i])
                if p is not None and self.active[j]
            )
            for i in range(n)
        ]
        self.key = [WIDE * self.total[i] + self.sb[i] if self.active[i] else None for i in range(n)]
        known = [key for key in self.key if key is not None]
        self.rank = [None if k is None else 1 + sum(o > k for o in known) for k in self.key]
        self.order = [
            None if r is None else r + sum(o == self.key[i] for o in self.key[:i])
            for i, r in enumerate(self.rank)
        ]

    def arrays(self) -> tuple[FloatArray, list[int], list[int], list[float]]:
        ratings = np.array([np.nan if r is None else r for r in self.ratings])
        first, second, score = ([g[k] for g in self.games] for k in range(3))
        return ratings, first, second, score  # type: ignore[return-value]


def berger(players: int) -> list[tuple[int, int | None, int | None]]:
    """Rounds, White and Black of an event in which everybody meets everybody.

    >>> berger(4)
    [(1, 0, 3), (1, 1, 2), (2, 3, 2), (2, 0, 1), (3, 1, 3), (3, 2, 0)]

    FIDE's Berger tables (C.05, annex 1); players count from 0, None is the free place of an odd
    number.
    """
    last = players + players % 2
    games: list[tuple[int, int | None, int | None]] = []
    for round_ in range(1, last):
        home = [
            (i, j)
            for i in range(1, last)
            for j in range(i + 1, last)
            if (i + j - round_ - 1) % (last - 1) == 0
        ]
        alone = next(i for i in range(1, last) if (2 * i - round_ - 1) % (last - 1) == 0)
        pairs = [(alone, last) if 2 * alone <= last else (last, alone)]
        pairs += [(i, j) if (i + j) % 2 else (j, i) for i, j in home]
        for pair in pairs:
            white, black = (None if p > players else p - 1 for p in pair)
            games.append((round_, white, black))
    return games
