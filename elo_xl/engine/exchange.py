"""Points that two sides exchange after a match, as federations of team sports reckon them.

=============== ================================================== ==========================
rules           points of the first side                           source
=============== ================================================== ==========================
world-football  K·G·(W - We), whole points; G by goal difference   World Football Elo Ratings
fifa            I·(W - We), scale 600; shoot-outs 0.75 and 0.5     FIFA, men, since 2018
world-rugby     ±1 - D/10, D cut at ±10; more than 15 apart: ×1.5  World Rugby's exchange
fivb            MWF/8·(set score - its expectation)                FIVB, since February 2020
usatt           a table by spread, expected or upset               USA Table Tennis
=============== ================================================== ==========================

Matches of rugby have rules by their date: ``world-rugby`` is how World Rugby reckons them until
June 2026, with 3 points for the side at home; from July 2026 on, ``world-rugby-2026-07``, the venue
does not count.

What one side gains the other loses, except after a knock-out match under FIFA's rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import HALF, FloatArray, round_half_away
from elo_xl.engine.errors import OptionError, choose, require
from elo_xl.engine.models import BLOCK, expected
from elo_xl.special import special

WORLD_FOOTBALL: Final = "world-football"
HOME_FOOTBALL: Final = 100.0
"""Rating points that eloratings.net adds to the team at home."""

SHOOTOUT_WIN: Final = 0.75
"""The score of a side that wins the shoot-out; the other side keeps the 0.5 of the draw."""
FIFA_SCALE: Final = 600.0

WORLD_RUGBY: Final = "world-rugby"
NEUTRAL_RUGBY: Final = "2026-07"
"""The month from which on the venue does not count."""
HOME_RUGBY: Final = 3.0
RUGBY_CAP: Final = 10.0
RUGBY_CLEAR: Final = 15.0
"""A win by more than so many points counts one and a half times."""

FIVB_CUTS: Final = (-1.060, -0.394, 0.0, 0.394, 1.060)
"""Where the normal distribution is cut between 3-0, 3-1, 3-2, 2-3, 1-3 and 0-3."""
FIVB_LEAST: Final = 0.01
"""What a winner gains and a loser loses at least."""

USATT_FROM: Final = (0, 13, 38, 63, 88, 113, 138, 163, 188, 213, 238)
USATT_EXPECTED: Final = (8, 7, 6, 5, 4, 3, 2, 2, 1, 1, 0)
USATT_UPSET: Final = (8, 10, 13, 16, 20, 25, 30, 35, 40, 45, 50)
"""Points by spread, from the spreads above on, if the higher or the lower rated player wins."""


def exchange(
    rating: npt.ArrayLike,
    opponent: npt.ArrayLike,
    scored: npt.ArrayLike,
    conceded: npt.ArrayLike,
    rules: str = WORLD_FOOTBALL,
    *,
    weight: npt.ArrayLike | None = None,
    venue: npt.ArrayLike = 0,
    knockout: npt.ArrayLike = False,
    shootout: npt.ArrayLike = 0,
) -> FloatArray:
    """Points that the first and the second side gain, along a new last axis of 2.

    All arrays broadcast.

    Args:
        rating, opponent: The ratings of the first and of the second side.
        scored, conceded: Goals, points, sets (``"fivb"``) or games (``"usatt"``) of both sides.
        rules: ``"world-football"``, ``"fifa"``, ``"world-rugby"`` (``"world-rugby-2026-07"`` is its
            edition for matches from July 2026 on), ``"fivb"`` or ``"usatt"``.
        weight: How important the match is: K of world-football (20 if it is left out), I of FIFA
            (25), 2 for the finals of a World Cup of rugby (1), MWF of volleyball (40); table tennis
            has none.
        venue: 1 with the first side at home, -1 with the second, 0 elsewhere; for world-football
            and, before July 2026, rugby.
        knockout (bool or column, default False): Whether it is a knock-out match; for FIFA.
        shootout: Who won the shoot-out: 1 or 2, 0 if there was none; for FIFA.
    Raises:
        OptionError: For unknown rules, and for a weight with ``"usatt"``.
        DomainError: For a score that is not a whole number from 0, sets that end no volleyball
            match, a drawn match of table tennis, and anything else out of bounds.
    """
    rules = choose(rules, RULES, "rules")
    usual, points = RULES[rules]
    if weight is not None and usual is None:
        raise OptionError(f"{rules} has no weight, got {np.asarray(weight).flat[0]:g}")
    given = (rating, opponent, scored, conceded, usual or 1.0 if weight is None else weight)
    columns = [np.asarray(x, dtype=float) for x in (*given, venue, knockout, shootout)]
    shape = np.broadcast_shapes(*(column.shape for column in columns))
    # one number for all matches stays one number
    flat = [c if c.ndim == 0 else np.broadcast_to(c, shape).reshape(-1) for c in columns]
    result = np.empty((math.prod(shape), 2))
    for start in range(0, len(result), BLOCK):
        block = slice(start, start + BLOCK)
        match = Match(*(c if c.ndim == 0 else c[block] for c in flat))
        match.check()
        result[block, 0], result[block, 1] = points(match)
    result += 0.0  # nobody reads -0
    return result.reshape(*shape, 2)


@dataclass(frozen=True, slots=True)
class Match:
    """Matches as the rules look at them, from the first side."""

    rating: FloatArray
    opponent: FloatArray
    scored: FloatArray
    conceded: FloatArray
    weight: FloatArray
    venue: FloatArray
    knockout: FloatArray
    shootout: FloatArray

    def check(self) -> None:
        """Raise DomainError for a number outside its domain."""
        for score in (self.scored, self.conceded):
            whole = (score >= 0) & (score == np.floor(score))
            require(whole, "score must be a whole number from 0", score)
        require(self.weight >= 0, "weight must not be below 0", self.weight)
        at, won = self.venue, self.shootout
        require((at == 0) | (np.abs(at) == 1), "venue must be 1, 0 or -1", at)
        require((won == 0) | (won == 1) | (won == 2), "shootout must be 1 or 2, or 0", won)

    @property
    def ahead(self) -> FloatArray:
        return self.rating - self.opponent

    @property
    def lead(self) -> FloatArray:
        return self.scored - self.conceded


Points = tuple[FloatArray, FloatArray]
"""What the first and the second side gain."""


def _world_football(match: Match) -> Points:
    lead = match.lead
    margin = np.abs(lead)
    goals = np.where(margin < 2, 1.0, np.where(margin == 2, 1.5, (11 + margin) / 8))
    surplus = (1 + np.sign(lead)) / 2 - expected(
        match.ahead + HOME_FOOTBALL * match.venue, "logistic"
    )
    first = round_half_away(match.weight * goals * surplus)
    return first, -first


def _fifa(match: Match) -> Points:
    def gain(ahead: FloatArray, lead: FloatArray, side: int) -> FloatArray:
        score = (1 + np.sign(lead)) / 2
        # a shoot-out after a match that had a winner only decides who goes on
        score = np.where((lead == 0) & (match.shootout == side), SHOOTOUT_WIN, score)
        points = match.weight * (score - expected(ahead * (400 / FIFA_SCALE), "logistic"))
        return np.where(match.knockout != 0, np.maximum(points, 0.0), points)

    return gain(match.ahead, match.lead, 1), gain(-match.ahead, -match.lead, 2)


def _world_rugby(match: Match, home: float = HOME_RUGBY) -> Points:
    weight = match.weight
    require((weight == 1) | (weight == 2), "weight of world-rugby must be 1 or 2", weight)
    ahead = np.clip(match.ahead + home * match.venue, -RUGBY_CAP, RUGBY_CAP)
    clear = np.where(np.abs(match.lead) > RUGBY_CLEAR, 1.5, 1.0)
    first = weight * clear * (np.sign(match.lead) - ahead / RUGBY_CAP)
    return first, -first


def _fivb(match: Match) -> Points:
    ndtr = special("ndtr")
    lead = match.lead
    most, least = np.maximum(match.scored, match.conceded), np.minimum(match.scored, match.conceded)
    require(most == 3, "sets of the winner must be 3", most)
    require(least < 3, "sets of the loser must be 0, 1 or 2", least)
    # The set scores 2, 1.5, 1, -1, -1.5, -2 by their probabilities; the sum of their differences.
    strength = 8 * match.ahead / 1000
    up = [ndtr(cut + strength) for cut in FIVB_CUTS]
    mean = (up[0] + up[1] + up[3] + up[4]) / 2 + 2 * up[2] - 2
    side = np.sign(lead)
    gain = match.weight / 8 * ((lead + side) / 2 - mean)
    first = side * np.maximum(side * gain, FIVB_LEAST)
    return first, -first


def _usatt(match: Match) -> Points:
    lead = match.lead
    require(lead != 0, "a match of table tennis has a winner: games must differ", match.scored)
    first = usatt_points(match.ahead, np.sign(lead))
    return first, -first


def usatt_points(ahead: npt.ArrayLike, won: npt.ArrayLike) -> FloatArray:
    """Points of USA Table Tennis' exchange table for a win (``won`` 1) or a loss (-1).

    ``ahead`` is the rating minus the opponent's, of which whole points count.
    """
    d, side = np.asarray(ahead, dtype=float), np.asarray(won, dtype=float)
    spread = (np.fmin(np.abs(d), USATT_FROM[-1]) + HALF).astype(np.int64)
    usual, upset = _usatt_tables()
    points = np.where(d * side < 0, upset[spread], usual[spread])
    return np.where(np.isnan(d), np.nan, side * points)


@cache
def _usatt_tables() -> tuple[FloatArray, FloatArray]:
    """The points of expected and unexpected wins by spread, from 0 to the last row's first."""
    rows = np.searchsorted(USATT_FROM, np.arange(USATT_FROM[-1] + 1), side="right") - 1
    return np.array(USATT_EXPECTED, float)[rows], np.array(USATT_UPSET, float)[rows]


RULES: Final[dict[str, tuple[float | None, Callable[[Match], Points]]]] = {
    WORLD_FOOTBALL: (20.0, _world_football),
    "fifa": (25.0, _fifa),
    WORLD_RUGBY: (1.0, _world_rugby),
    f"{WORLD_RUGBY}-{NEUTRAL_RUGBY}": (1.0, partial(_world_rugby, home=0.0)),
    "fivb": (40.0, _fivb),
    "usatt": (None, _usatt),
}
"""The rules with their usual weight, None if they have no weight."""
