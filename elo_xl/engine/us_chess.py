"""The rating system of US Chess (Glickman and Doan, September 2020): events in five steps.

A period is one event. Each player's part in it is known by index; a game stands there twice, once
for each side, and games against unrated players count too. Ratings are kept unrounded.

Where the published text and the program chessratings 0.0.1 differ, the text is followed: opponents
count in the end with their intermediate ratings (step 5, which the program leaves out); the first
estimate of an unrated player is a special rating with one effective game (the program takes its
starting value); a player of at most eight games who only won or only lost so far has the prior
rating moved by 400 points; floors follow the highest rating, from 1200 to 2100, not the present
one; a match is rated only between established players at most 400 points apart.

The bonus threshold of the text is 14. US Chess announced 12 for events since February 2023 and 10
for events since January 2025: ``threshold`` takes either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.errors import require
from elo_xl.engine.models import IntArray, expected
from elo_xl.engine.rounding import FloatArray

SPECIAL_UP_TO: Final = 8
"""The number of games up to which the special formula applies."""

PROVISIONAL_UP_TO: Final = 25
"""The number of games up to which a rating is provisional; above, it is established."""

THRESHOLD: Final = 14.0
LOWEST: Final = 100.0
ADULT: Final = 1300.0
"""The rating with which an unrated player of 26 years or more, or of unknown age, begins."""

MOST_SPECIAL: Final = 2700.0
MOST_IN_MATCH: Final = 50.0
REACH: Final = 400.0
"""The difference from which a provisional winning expectancy is 0 or 1, in points."""

TOLERANCE: Final = 1e-7


@dataclass(frozen=True, slots=True)
class Career:
    """What is seldom known of players before an event: a number each, or one array a player.

    NaN is unknown. It makes the absolute floor the lowest possible, and nobody has a streak.
    """

    wins: npt.ArrayLike = np.nan
    draws: npt.ArrayLike = np.nan
    events: npt.ArrayLike = np.nan
    """events of three or more games"""
    start: npt.ArrayLike = np.nan
    """an unrated player's rating of step 1, where it does not follow from the age"""


UNKNOWN: Final = Career()


@dataclass(frozen=True, slots=True)
class Rated:
    """What an event does to its players; every field is an array with one number per player."""

    k: FloatArray
    """800/(N'+m), the K factor; NaN without games"""
    expected: FloatArray
    """the expected score under the player's formula, in points; NaN for unrated players"""
    change: FloatArray
    """new rating minus old, with bonus and floor, unrounded; NaN for unrated players"""
    first: FloatArray
    """an unrated player's first rating; NaN for rated players and without games"""


def initial_rating(age: npt.ArrayLike) -> FloatArray:
    """The rating with which an unrated player enters the first event: 50 points for each year.

    >>> initial_rating([1, 12, 26, 40, np.nan]).tolist()
    [100.0, 600.0, 1300.0, 1300.0, 1300.0]

    It is 100 below the age of 2 and 1300 from 26 on or where the age is NaN (step 1). Raises
    DomainError for an age below 0.
    """
    years = np.asarray(age, dtype=float)
    require(~(years < 0), "age must not be below 0", years)
    return np.where(years < 2, LOWEST, np.fmin(50 * years, ADULT))


def effective_games(rating: npt.ArrayLike, games: npt.ArrayLike = np.nan) -> FloatArray:
    """N', the number of games that a rating is worth: less than was played, and at most 50.

    >>> effective_games([1700, 1470, 2400], [30, 6, np.nan]).round(4).tolist()
    [20.0118, 6.0, 50.0]

    ``games`` is the number of rated games so far (NaN: more than N' can be). Both broadcast
    (step 2). Raises DomainError for a number of games below 0.
    """
    r, n = np.asarray(rating, dtype=float), np.asarray(games, dtype=float)
    require(~(n < 0), "games must not be below 0", n)
    worth = 50 / np.sqrt(0.662 + 0.00000739 * (2569 - np.fmin(r, 2355)) ** 2)
    least: FloatArray = np.fmin(np.where(r > 2355, 50.0, worth), n)
    return least


def k_factor(
    rating: npt.ArrayLike,
    games: npt.ArrayLike = np.nan,
    period_games: npt.ArrayLike = 1,
    *,
    dual: bool = False,
) -> FloatArray:
    """K of the standard formula: 800/(N'+m), where m is the number of games in the event.

    >>> k_factor(1700, 100, 4).round(4).item()
    33.317
    >>> k_factor([2300, 2300, 2600], period_games=3, dual=True).round(4).tolist()
    [12.3189, 12.3189, 3.7736]

    ``dual`` is for events of 30 to 65 minutes, which are rated as regular and as quick: there K
    falls from 2200 points on, to a quarter at 2500. The arguments broadcast. Raises DomainError
    for a number of games below 0.
    """
    r, m = np.asarray(rating, dtype=float), np.asarray(period_games, dtype=float)
    require(~(m < 0), "games must not be below 0", m)
    with np.errstate(divide="ignore"):
        k = 800 / (effective_games(r, games) + m)
    return k * np.clip(6.5 - 0.0025 * r, 0.25, 1) if dual else np.asarray(k)


def floor(
    peak: npt.ArrayLike = np.nan,
    games: npt.ArrayLike = np.nan,
    wins: npt.ArrayLike = np.nan,
    draws: npt.ArrayLike = np.nan,
    events: npt.ArrayLike = np.nan,
) -> FloatArray:
    """The rating below which a player does not fall.

    >>> floor([1941, 2450, 1399, 1941], [100, 100, 100, 20]).tolist()
    [1700.0, 2100.0, 100.0, 100.0]
    >>> floor(wins=[3, 30], draws=[2, 0], events=[1, 9]).tolist()
    [117.0, 150.0]

    The absolute floor is 100, and four points for each win, two for each draw, one for each event
    of three or more games, at most 150; what is not known (NaN) counts as 0. An established player
    has besides the hundred at or below the highest established rating minus 200, from 1200 to
    2100. Floors from prizes and titles are not known here. The arguments broadcast.
    """
    top, n, won, drawn, held = (
        np.asarray(a, dtype=float) for a in (peak, games, wins, draws, events)
    )
    absolute: FloatArray = np.fmin(
        LOWEST + 4 * np.nan_to_num(won) + 2 * np.nan_to_num(drawn) + np.nan_to_num(held), 150
    )
    hundred = np.minimum(100 * np.floor(top / 100) - 200, 2100)
    return np.where(~(n <= PROVISIONAL_UP_TO) & (hundred >= 1200), hundred, absolute)


def special_rating(
    prior: npt.ArrayLike,
    effective: npt.ArrayLike,
    player: npt.ArrayLike,
    opponent: npt.ArrayLike,
    score: npt.ArrayLike,
    streak: npt.ArrayLike = 0,
) -> FloatArray:
    """Special ratings: those at which the provisional winning expectancies add up to the score.

    >>> special_rating([1500], [6], [0, 0, 0], [1400, 1550, 1650], [1, 0, 0.5]).round(4).tolist()
    [1511.1111]

    For each player ``prior`` is the rating before the event, ``effective`` the number of games that
    it is worth and ``streak`` 1 or -1 if all games before were won or lost. ``player``,
    ``opponent`` (a rating) and ``score`` describe the games. The prior counts as so many drawn
    games against it, or, after a streak, as so many won (lost) games against a rating 400 points
    below (above). An expectancy rises in a straight line from 0 at 400 points behind to 1 at 400
    ahead. Where a whole stretch of ratings fits, it is the one nearest to the prior. The result is
    at most 2700, and NaN without games.

    The published iteration walks from knot to knot of that sum; here they are all sorted, and the
    same end is reached at once.
    """
    r0 = np.asarray(prior, dtype=float).reshape(-1)
    n, side = (
        np.broadcast_to(np.asarray(a, dtype=float).reshape(-1), r0.shape)
        for a in (effective, streak)
    )
    who = np.asarray(player, dtype=np.int64).reshape(-1)
    other = np.asarray(opponent, dtype=float).reshape(-1)
    points = _sums(who, np.asarray(score, dtype=float).reshape(-1), r0.size)
    m = _sums(who, np.ones(who.size), r0.size)
    anchor = r0 - REACH * side
    with np.errstate(invalid="ignore"):
        start = (n * anchor + _sums(who, other, r0.size) + REACH * (2 * points - m)) / (n + m)
    low, high = _roots(anchor, n, who, other, points + n * (1 + side) / 2)
    inside = (start > low + TOLERANCE) & (start < high - TOLERANCE)
    # A prior worth no game still ends the walk when it is within reach.
    wanted = np.where(n > 0, r0, np.clip(start, r0 - REACH, r0 + REACH))
    rating = np.clip(np.where(inside, wanted, start), low, high)
    return np.where(m > 0, np.minimum(rating, MOST_SPECIAL), np.nan)


def _roots(
    anchor: FloatArray,
    weight: FloatArray,
    player: IntArray,
    opponent: FloatArray,
    total: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """The lowest and the highest rating at which the expectancies add up to ``total``."""
    size = anchor.size
    centre = np.concatenate([anchor, opponent])
    rise = np.concatenate([weight, np.ones(opponent.size)]) / (2 * REACH)
    who = np.concatenate([np.arange(size), player])
    who, knot = np.concatenate([who, who]), np.concatenate([centre - REACH, centre + REACH])
    order = np.lexsort((knot, who))
    who, knot = who[order], knot[order]
    slope = np.cumsum(np.concatenate([rise, -rise])[order])
    begins = np.searchsorted(who, np.arange(size))
    steps = np.diff(knot, prepend=knot[:1]) * np.concatenate([[0.0], slope[:-1]])[: knot.size]
    # Back to 0 for the next player: the rounding errors of all others must not pile up.
    steps[begins[1:]] = -(weight + np.bincount(player, minlength=size))[:-1]
    grown = np.cumsum(steps)
    surplus = grown - grown[begins][who] - total[who]
    surplus[np.abs(surplus) < TOLERANCE] = 0.0
    index = np.arange(who.size)
    last = index.size - 1
    up = np.minimum.reduceat(np.where(surplus >= 0, index, last), begins)
    down = np.maximum.reduceat(np.where(surplus <= 0, index, 0), begins)

    def zero(left: IntArray, right: IntArray) -> FloatArray:
        """Where the line from one knot to the next is 0."""
        step = surplus[right] - surplus[left]
        part = np.where(step > 0, -surplus[left] / np.where(step > 0, step, 1), 0)
        return np.asarray(knot[left] + part * (knot[right] - knot[left]))

    low = np.where(surplus[up] == 0, knot[up], zero(np.maximum(up - 1, 0), up))
    high = np.where(surplus[down] == 0, knot[down], zero(down, np.minimum(down + 1, last)))
    return low, high


def rate(
    rating: npt.ArrayLike,
    games: npt.ArrayLike,
    age: npt.ArrayLike,
    peak: npt.ArrayLike,
    player: npt.ArrayLike,
    opponent: npt.ArrayLike,
    score: npt.ArrayLike,
    career: Career = UNKNOWN,
    *,
    dual: bool = False,
    threshold: float = THRESHOLD,
) -> Rated:
    """Rate a whole event in the five steps.

    >>> event = rate([1700, 1650, np.nan], [100, 30, 0], np.nan, np.nan,
    ...              [0, 1, 0, 2, 1, 2], [1, 0, 2, 0, 2, 1], [1, 0, 1, 0, 0.5, 0.5])
    >>> event.change.round(2).tolist(), event.first.round(2).tolist()
    ([22.0, -24.0, nan], [nan, nan, 1472.04])

    For each player: ``rating`` (NaN: unrated), ``games`` rated before the event (NaN:
    established), ``age`` in years (NaN: adult), ``peak`` rating (NaN: ``rating``). For each side of
    a game: the indices ``player`` and ``opponent``, and the ``score``. ``dual`` is that of
    :func:`k_factor`; a gain above ``threshold`` times √m counts twice (m at least 4), for players
    who have at least three games and met nobody more than twice.

    An event of two players is a match: no bonus, no floors, at most 50 points, and not rated unless
    both are established and at most 400 points apart.

    Raises DomainError for an age or a number of games below 0 and a score outside 0 to 1.
    """
    who, other = (np.asarray(a, dtype=np.int64).reshape(-1) for a in (player, opponent))
    event = _Event(rating, games, age, peak, who, score, career, dual)
    pairs, back, met = np.unique(
        who * event.prior.size + other, return_inverse=True, return_counts=True
    )
    if pairs.size == 2:
        return event.match(other)
    often = np.zeros(event.prior.size)
    np.maximum.at(often, who, met[back])
    event.threshold = np.where(often <= 2, threshold, np.inf)
    strength = event.prior
    if event.unrated.any():
        first = special_rating(event.prior, 1, who, strength[other], event.score)
        strength = np.where(event.unrated, np.fmax(first, LOWEST), strength)
    between = np.maximum(event.new(strength[other])[0], LOWEST)
    return event.rated(*event.new(between[other]))


def rate_against(
    rating: npt.ArrayLike,
    games: npt.ArrayLike,
    age: npt.ArrayLike,
    peak: npt.ArrayLike,
    player: npt.ArrayLike,
    opponent: npt.ArrayLike,
    score: npt.ArrayLike,
    career: Career = UNKNOWN,
    *,
    dual: bool = False,
    threshold: float = THRESHOLD,
) -> Rated:
    """Rate players against opponents of whom only the ratings are known.

    >>> one = rate_against(1500, 6, np.nan, np.nan, [0, 0, 0], [1400, 1550, 1650], [1, 0, 0.5])
    >>> one.change.round(7).tolist()
    [11.1111111]

    ``opponent`` holds the ratings of the opponents, each another person; without the whole event
    there is no second pass. All else is as in :func:`rate`.
    """
    who = np.asarray(player, dtype=np.int64).reshape(-1)
    event = _Event(rating, games, age, peak, who, score, career, dual)
    event.threshold = np.full(event.prior.shape, threshold)
    return event.rated(*event.new(np.asarray(opponent, dtype=float).reshape(-1)))


class _Event:
    """The players of an event as steps 1 and 2 see them, and one side of each game."""

    def __init__(
        self,
        rating: npt.ArrayLike,
        games: npt.ArrayLike,
        age: npt.ArrayLike,
        peak: npt.ArrayLike,
        player: IntArray,
        score: npt.ArrayLike,
        career: Career,
        dual: bool,
    ) -> None:
        known = np.asarray(rating, dtype=float).reshape(-1)
        self.unrated = np.isnan(known)
        start = np.asarray(career.start, dtype=float)
        begin = np.where(np.isnan(start), initial_rating(age), start)
        self.prior: FloatArray = np.where(self.unrated, begin, known)
        self.games, self.wins, self.draws, self.events = (
            np.where(self.unrated, 0.0, np.asarray(a, dtype=float))
            for a in (games, career.wins, career.draws, career.events)
        )
        self.peak: FloatArray = np.fmax(known, np.asarray(peak, dtype=float))
        self.player = player
        self.score: FloatArray = np.asarray(score, dtype=float).reshape(-1)
        require((self.score >= 0) & (self.score <= 1), "score must be between 0 and 1", self.score)
        self.m = self.sum(np.ones(player.size))
        self.k = k_factor(self.prior, self.games, self.m, dual=dual)
        self.worth = effective_games(self.prior, self.games)
        played = self.games > 0
        all_lost = played & (self.wins == 0) & (self.draws == 0)
        self.streak = 1.0 * (played & (self.wins == self.games)) - all_lost
        self.special = (self.games <= SPECIAL_UP_TO) | (self.streak != 0)
        self.threshold: FloatArray = np.full(self.prior.shape, np.inf)

    def sum(self, values: FloatArray) -> FloatArray:
        return _sums(self.player, values, self.prior.size)

    def new(self, met: FloatArray) -> tuple[FloatArray, FloatArray]:
        """New ratings, before floors, against opponents rated ``met``, and expected scores."""
        ahead = self.prior[self.player] - met
        awaited = self.sum(
            np.where(
                self.special[self.player],
                np.clip(0.5 + ahead / (2 * REACH), 0, 1),
                expected(ahead, "logistic"),
            )
        )
        with np.errstate(invalid="ignore"):  # K is infinite for an unrated player without games
            gain = self.k * (self.sum(self.score) - awaited)
            bonus = np.maximum(gain - self.threshold * np.sqrt(np.maximum(self.m, 4)), 0)
            new = self.prior + gain + np.where(self.m >= 3, bonus, 0)
        fitted = special_rating(self.prior, self.worth, self.player, met, self.score, self.streak)
        return np.where(self.special, fitted, new), awaited

    def rated(self, new: FloatArray, awaited: FloatArray) -> Rated:
        """The result of an event, with floors."""
        won, drawn = (self.sum(1.0 * (self.score == s)) for s in (1, 0.5))
        held = np.nan_to_num(self.events) + (self.m >= 3)
        least = floor(
            self.peak,
            self.games,
            np.nan_to_num(self.wins) + won,
            np.nan_to_num(self.draws) + drawn,
            held,
        )
        return self._result(np.maximum(new, least), awaited)

    def match(self, opponent: IntArray) -> Rated:
        """The result of a match of two players."""
        strength, awaited = self.prior, np.full(self.prior.shape, np.nan)
        apart = np.abs(strength[self.player] - strength[opponent])
        provisional = self.games[self.player] <= PROVISIONAL_UP_TO
        if (apart > REACH).any() or provisional.any():
            return self._result(np.where(self.unrated, np.nan, strength), awaited)
        self.special = np.zeros(strength.shape, dtype=bool)
        for _ in range(2):
            new, awaited = self.new(strength[opponent])
            strength = np.clip(new, self.prior - MOST_IN_MATCH, self.prior + MOST_IN_MATCH)
        return self._result(strength, awaited)

    def _result(self, new: FloatArray, awaited: FloatArray) -> Rated:
        played = self.m > 0
        return Rated(
            np.where(played, self.k, np.nan),
            np.where(self.unrated, np.nan, awaited),
            np.where(self.unrated, np.nan, np.where(played, new - self.prior, 0)),
            np.where(self.unrated & played, new, np.nan),
        )


def _sums(player: IntArray, values: FloatArray, size: int) -> FloatArray:
    return np.bincount(player, values, minlength=size).astype(float)
