"""How well ratings predict: the K, White's advantage and draws that suit a history best.

Every game is predicted from the ratings before it, which only the games before have made:

    expected score of White = F(rating of White + home - rating of Black)      F: Elo's curve
    change of a player      = K·(score - expected score)

Twice K counts in a newcomer's first 30 games, as with FIDE's 20 and 40. Who begins without a rating
gets one by their first ten games, which move nobody else and are predictions of nothing: each step
is that of an average of so many games. K and ``home`` are those with the least log loss of the
other games; draws come last, as they move no rating: Davidson's model has the expected score that
the ratings give, so that ν tells of draws alone.

Intervals leave out one of ten blocks of time after the other (a jackknife): games of one evening or
one tournament have something in common, and a rating remembers its last thirty games or so. No
block begins in the middle of an evening, so that their order in the file does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import DomainError, SizeError, require
from elo_xl.engine.evidence import MOST, within
from elo_xl.engine.games import scored
from elo_xl.engine.jackknife import LEAST_BLOCKS, Optimum, begins, optimum
from elo_xl.engine.models import difference, expected
from elo_xl.engine.outcomes import davidson_ratio
from elo_xl.engine.quality import SURE, Calibration, Estimate, brier, calibration, log_loss
from elo_xl.engine.sequence import at_once, earlier_games, periods
from elo_xl.public import own

FIDE_K: Final = 20.0
NEW_GAMES: Final = 30
"""Games up to which K counts twice."""
BURN_IN: Final = 10
"""Games that give a newcomer's first rating."""
START: Final = 1500.0
BLOCKS: Final = 10
OF_BLOCK: Final = 25
"""Blocks of time, and the least number of games of each."""
SHOWN: Final = (*range(5, 45, 5), 50, 60, 80, 100, 120, 160, 200)
"""The K of the curve."""
_K: Final = np.linspace(math.log(1), math.log(200), 23)
_HOME: Final = np.arange(-250.0, 251.0, 50.0)
_DRAW: Final = np.linspace(math.log(0.01), math.log(50), 25)
"""Where the losses are computed; between these values they are a smooth curve."""
_FIRST: Final = 709.0
"""What a whole point of score is worth in rating points, for a first rating."""
ENOUGH: Final = math.log(1.5)
"""Half the width of an interval of ln K that is narrow enough: from two thirds to one and a half
times the best."""
_CAP: Final = 400.0
"""The largest difference that counts under FIDE's rules."""
_ROUNDS: Final = 20
_MOST_CELLS: Final = 1 << 24


@dataclass(frozen=True, slots=True)
class Prediction:
    """How good a way to predict is: log loss and Brier score of all games that were predicted."""

    log_loss: float
    """the mean log loss"""
    brier: float
    """the mean squared error"""


@dataclass(frozen=True, slots=True)
class Check:
    """What a history says of K, White's advantage and draws: what :func:`check` gives."""

    games: int
    """games that were played"""
    players: int
    """players of these games"""
    draws: int
    """games that were drawn"""
    scored: int
    """games that were predicted"""
    newcomers: int
    """players who began without a rating; their first games are not predicted"""
    blocks: int
    """blocks of time, each of which was left out once for the intervals"""
    k: Estimate
    """the K that would have predicted best"""
    home: Estimate | None
    """White's advantage in points; None if it was not looked for"""
    draw: Estimate | None
    """Davidson's ν; None without a draw among the games that were predicted"""
    fide: Prediction
    """K 20, and 40 for newcomers, with FIDE's table and no advantage"""
    best: Prediction
    """the best K with the best advantage"""
    base: Prediction
    """knowing nothing of the players: White's mean score for every game"""
    curve: tuple[tuple[float, float], ...]
    """K and the log loss with it, with the best advantage"""
    needed: int | None
    """about how many games would tell K; None if these do"""
    calibration: Calibration = field(compare=False)
    """the games that were predicted by White's expected score with the best K"""
    expected: FloatArray = field(compare=False, repr=False)
    """White's expected score in each game with the best K, in the order of time; NaN where the game
    was not predicted"""

    def __repr__(self) -> str:
        found = f"K={self.k} home={self.home} draw={self.draw}"
        return f"<Check games={self.games} players={self.players} {found}>"


def check(history: History, *, colours: bool = True) -> Check:
    """Find the K, the advantage of White and ν that would have predicted games best.

    Without ``colours`` the first of two players is anybody, and nobody has an advantage. Raises
    DomainError if the search does not settle (Davidson).
    """
    k, home = _search(history, colours)
    best_k, best_home = math.exp(k.value), home.value
    best = history.predict(np.array([best_k]), np.array([best_home]))[:, 0]
    result = history.result
    draw = None
    if (result == 0.5).any():
        draw = optimum(_DRAW, history.by_block(draw_losses(best, result, np.exp(_DRAW))))
    shown = np.array(sorted({*SHOWN, round(best_k, 1)}))
    losses = history.losses(shown, np.full(shown.size, best_home)).sum(0) / result.size
    fide = history.predict(np.array([FIDE_K]), np.zeros(1), fide=True)[:, 0]
    playing = np.unique([history.first, history.second])
    every = np.full(history.score.size, np.nan)
    every[history.scored] = best
    estimate = k.estimate(np.exp, 0.0)
    sure = k.half <= ENOUGH and not (k.open_below or k.open_above)
    return Check(
        games=history.score.size,
        players=playing.size,
        draws=int((history.score == 0.5).sum()),
        scored=result.size,
        newcomers=int(history.new[playing].sum()),
        blocks=history.begins.size,
        k=estimate,
        home=home.estimate(float, -math.inf) if colours else None,
        draw=None if draw is None else draw.estimate(np.exp, 0.0),
        fide=_quality(fide, result),
        best=_quality(best, result),
        base=_quality(np.full(result.size, result.mean()), result),
        curve=tuple(zip(shown.tolist(), losses.tolist(), strict=True)),
        needed=None if sure or not estimate.holds(FIDE_K) else _needed(k, result.size),
        calibration=calibration(best, result),
        expected=every,
    )


class History:
    """The games of a history, ready to be predicted with many K at once.

    ``first`` and ``second`` are the indices of White and Black of ``size`` players, ``score`` is
    White's 1, 0.5 or 0, in the order in which the games were played. ``rating`` is what each player
    began with (NaN: a newcomer); ``period`` numbers the period of each game: all games of a period
    count with the ratings before it. ``day`` numbers the day of each game, or whatever else blocks
    of time should not cut (default: the period); where days are too long for that, they do.
    In ``neutral`` games nobody has an advantage. ``burn_in`` is how many games give a newcomer's
    first rating.

    Raises SizeError for lists that do not fit together, indices out of range, and periods or days
    that run backwards; DomainError for another score, a player paired with themselves, a rating
    beyond 1,000,000, a burn-in below 1, and too few games.
    """

    def __init__(
        self,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        score: npt.ArrayLike,
        size: int,
        *,
        rating: npt.ArrayLike = np.nan,
        period: npt.ArrayLike | None = None,
        day: npt.ArrayLike | None = None,
        neutral: npt.ArrayLike | None = None,
        burn_in: int = BURN_IN,
    ) -> None:
        require(burn_in >= 1, "burn_in must be 1 or more", burn_in)
        one, two, points = scored(first, second, score, size)
        start = np.asarray(rating, dtype=float)
        if start.shape not in ((), (size,)):
            raise SizeError(f"{start.size} ratings for {size} players")
        start = np.broadcast_to(start, size)
        known = np.isnan(start) | (np.abs(start) <= MOST)
        require(known, "rating must be within 1,000,000 points of 0", start)
        turns = None if period is None else periods(period, points.size)
        days = np.arange(points.size) if turns is None else turns
        if day is not None:
            days = periods(day, points.size)
        self.new = np.isnan(start)
        self.start = np.where(self.new, START, start)
        before, together = earlier_games(one, two, turns)
        new = self.new[np.stack([one, two])]
        entering = new & (before < burn_in)
        self.scored: IntArray = np.flatnonzero(~entering.any(0))
        count = self.scored.size
        blocks = min(BLOCKS, count // OF_BLOCK)
        if blocks < LEAST_BLOCKS:
            left_out = points.size - count
            raise DomainError(
                f"{count} games can be predicted, and {LEAST_BLOCKS * OF_BLOCK} are needed"
                + (f": {left_out} give newcomers their first ratings" if left_out else "")
            )
        self.begins = begins(days[self.scored], blocks)
        # the step of a side is fixed + times·K; an entering player moves nobody else
        fixed = np.where(entering, _FIRST / (before + together + 1), 0.0)
        times = np.where(entering | entering[::-1], 0.0, np.where(new & (before < NEW_GAMES), 2, 1))
        order, self.groups = at_once(one, two, size, turns)
        self.back = np.argsort(order)[self.scored]
        self.first, self.second, self.score = one[order], two[order], points[order]
        self.result: FloatArray = points[self.scored]
        self.fixed, self.times = fixed[:, order], times[:, order]
        self.ground = None if neutral is None else 1.0 - np.asarray(neutral, bool)[order, None]

    def predict(self, k: FloatArray, home: FloatArray, *, fide: bool = False) -> FloatArray:
        """White's expected score of the predicted games: a column for each K and its advantage."""
        model, cap = ("fide", _CAP) if fide else ("normal", None)
        now = np.repeat(self.start[:, None], k.size, axis=1)
        done = np.empty((self.score.size, k.size))
        for begin, end, sides in self.groups:
            at = slice(begin, end)
            one, two = self.first[at], self.second[at]
            own, other = now.take(one, 0), now.take(two, 0)
            ahead = home if self.ground is None else self.ground[at] * home
            chance = expected(own - other + ahead, model, cap=cap)
            done[at] = chance
            gain = self.score[at, None] - chance
            up, down = (
                gain * (fixed[at, None] + times[at, None] * k)
                for fixed, times in zip(self.fixed, self.times, strict=True)
            )
            if sides is None:
                now[one] = own + up
                now[two] = other - down
            else:
                now += sides[0] @ up - sides[1] @ down
        return done[self.back]

    def losses(self, k: FloatArray, home: FloatArray) -> FloatArray:
        """The sums of the log losses in each block: a column for each K and its advantage."""
        width = max(1, _MOST_CELLS // self.score.size)
        result = self.result
        lost, drawn = np.flatnonzero(result == 0), np.flatnonzero(result == 0.5)
        weight = np.where(result == 0.5, -0.5, -1.0)[:, None]
        parts = []
        for start in range(0, k.size, width):
            at = slice(start, start + width)
            chance = self.predict(k[at], home[at])
            np.clip(chance, SURE, 1 - SURE, out=chance)
            chance[lost] = 1 - chance[lost]
            chance[drawn] *= 1 - chance[drawn]
            np.log(chance, out=chance)
            chance *= weight
            parts.append(self.by_block(chance))
        return np.concatenate(parts, axis=1)

    def by_block(self, losses: FloatArray) -> FloatArray:
        """The sums of losses of the predicted games in each block of time."""
        return np.add.reduceat(losses, self.begins, axis=0)


def _search(history: History, colours: bool) -> tuple[Optimum, Optimum]:
    """The best K, as a logarithm, and the best advantage, found in turns until both stay."""
    mean = float(history.result.mean().clip(0.1, 0.9))
    k, home = math.log(FIDE_K), float(difference(mean)) if colours else 0.0
    of_home = Optimum(0.0, 0.0, False, False)
    for _ in range(_ROUNDS):
        of_k = optimum(_K, history.losses(np.exp(_K), np.full(_K.size, home)))
        if colours:
            least = math.exp(of_k.value)
            of_home = optimum(_HOME, history.losses(np.full(_HOME.size, least), _HOME))
        moved = abs(of_k.value - k), abs(of_home.value - home)
        k, home = of_k.value, of_home.value
        if not colours or (moved[0] < 1e-3 and moved[1] < 0.05):
            return of_k, of_home
    raise DomainError(f"K and White's advantage did not settle in {_ROUNDS} rounds")


def _needed(k: Optimum, games: int) -> int:
    """About how many games would tell K, as the width of its interval goes with their root; where
    it is open this says little, so that it is never more than twenty times as many."""
    number = games * min(max(2.0, (k.half / ENOUGH) ** 2), 20.0)
    digit: int = 10 ** (len(str(int(number))) - 1)
    return math.ceil(number / digit) * digit


def draw_losses(chance: FloatArray, result: FloatArray, draw: FloatArray) -> FloatArray:
    """The log loss of wins, draws and losses with each ν: a row a game."""
    x = davidson_ratio(chance[:, None], draw)
    every = np.log(x * x + draw * x + 1)
    numerator = np.where(result == 1, 2.0, np.where(result == 0.5, 1.0, 0.0))[:, None] * np.log(x)
    return np.asarray(every - numerator - np.where(result[:, None] == 0.5, np.log(draw), 0.0))


def _quality(chance: FloatArray, result: FloatArray) -> Prediction:
    return Prediction(log_loss(chance, result), brier(chance, result))


# -- a sweep: what each of many K, advantages of White and ν would have cost ----------------------

Tasks = Callable[[Callable[[FloatArray], FloatArray], Iterable[FloatArray]], Iterable[FloatArray]]
"""What maps a function over a list, as ``map`` does: the parts of a sweep know nothing of each
other, so that this process, a pool of processes or a cluster may compute them."""

_PART: Final = 8
"""K and advantages that are one task: they share the walk through the games."""


def sweep(
    history: History, k: FloatArray, home: FloatArray, draw: FloatArray, *, tasks: Tasks
) -> dict[str, FloatArray]:
    """The losses of every combination of K, advantage and ν: a column for each part of it.

    ``outcome_loss`` is the log loss of wins, draws and losses by Davidson's model with ν. Raises
    DomainError for numbers out of bounds, and where there is nothing to try.
    """
    for name, values in (("K", k), ("home", home)):
        if not values.size:
            raise DomainError(f"a sweep needs at least one {name}")
    within(k, 0.0, MOST, "K must not be below 0")
    within(home, -MOST, MOST, "home must be within 1,000,000 points of 0")
    require((draw > 0) & (draw < np.inf), "draw must be above 0", draw)
    pairs = np.array(list(product(k.tolist(), home.tolist())))
    parts = [pairs[begin : begin + _PART] for begin in range(0, len(pairs), _PART)]
    rows = np.concatenate(list(tasks(partial(_part, history, draw), parts)))
    columns = "k home draw log_loss brier outcome_loss" if draw.size else "k home log_loss brier"
    return dict(zip(columns.split(), rows.T, strict=True))


def _part(history: History, draw: FloatArray, pairs: FloatArray) -> FloatArray:
    """The rows of some K and advantages."""
    rows = []
    for pair, chance in zip(pairs, history.predict(*pairs.T).T, strict=True):
        losses = log_loss(chance, history.result), brier(chance, history.result)
        for nu in draw:
            outcome = draw_losses(chance, history.result, np.array([nu])).mean()
            rows.append([*pair, nu, *losses, outcome])
        if not draw.size:
            rows.append([*pair, *losses])
    return np.array(rows)


own(vars())
