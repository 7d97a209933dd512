"""The rating system of US Chess (Glickman and Doan, September 2020): events in five steps.

Since May 2013, when K became what it is now, editions differ in the bonus threshold B alone: it
rose from 8 to 10 and 12 against inflation, to 14 for events that end from 1 May 2017 on, fell to 12
from 1 February 2023 and to 10 from 1 January 2025. When it became 10 and 12 was not found: the
committee proposed 10 in early 2014, and official ratings of a section of 2015 are those of 12.

Where the published text and the program chessratings 0.0.1 differ, the text is followed: opponents
count in the end with their intermediate ratings (step 5, which the program leaves out); the first
estimate of an unrated player is a special rating with one effective game (the program takes its
starting value); a player of at most eight games who only won or only lost so far has the prior
rating moved by 400 points; floors follow the highest rating, from 1200 to 2100, not the present
one; a match is rated only between established players at most 400 points apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import OptionError, require
from elo_xl.engine.models import expected
from elo_xl.engine.performance import Games
from elo_xl.engine.rulebooks.clauses import BothRated, First, FirstRatingSteps, KFactor, Logistic
from elo_xl.engine.rulebooks.event import Event, Players, Sides
from elo_xl.engine.rulebooks.rulebook import Change, Changed, Rulebook
from elo_xl.languages import Words

SPECIAL_UP_TO: Final = 8
"""The number of games up to which the special formula applies."""

PROVISIONAL_UP_TO: Final = 25
"""The number of games up to which a rating is provisional; above, it is established."""

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


def initial_rating(age: npt.ArrayLike) -> FloatArray:
    """The rating with which an unrated player enters the first event: 50 points for each year.

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
    points: npt.ArrayLike,
    streak: npt.ArrayLike = 0,
) -> FloatArray:
    """Special ratings: those at which the provisional winning expectancies add up to the score.

    >>> special_rating([1500], [6], [0, 0, 0], [1400, 1550, 1650], [1.5]).round(4).tolist()
    [1511.1111]

    For each player ``prior`` is the rating before the event, ``effective`` the number of games that
    it is worth, ``points`` the score and ``streak`` 1 or -1 if all games before were won or lost.
    ``player`` and ``opponent`` (a rating) describe the games. The prior counts as so many drawn
    games against it, or, after a streak, as so many won (lost) games against a rating 400 points
    below (above). An expectancy rises in a straight line from 0 at 400 points behind to 1 at 400
    ahead. Where a whole stretch of ratings fits, it is the one nearest to the prior; if the prior
    is worth no game, the one nearest to what average and score suggest, moved to within 400 points
    of the prior. The result is at most 2700, and NaN without games.

    The published iteration walks from knot to knot of that sum; here they are all sorted, and the
    same end is reached at once.
    """
    r0 = np.asarray(prior, dtype=float).reshape(-1)
    n, total, side = (
        np.broadcast_to(np.asarray(a, dtype=float).reshape(-1), r0.shape)
        for a in (effective, points, streak)
    )
    who = np.asarray(player, dtype=np.int64).reshape(-1)
    other = np.asarray(opponent, dtype=float).reshape(-1)
    m, met = (np.bincount(who, a, minlength=r0.size) for a in (np.ones(who.size), other))
    anchor = r0 - REACH * side
    with np.errstate(invalid="ignore"):
        start = (n * anchor + met + REACH * (2 * total - m)) / (n + m)
    low, high = _roots(anchor, n, who, other, total + n * (1 + side) / 2)
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


# -- the clauses ----------------------------------------------------------------------------------

_WORTH: Final = """
least(IF(given(games), games, 50),
    IF(rating > 2355, 50, 50 / SQRT(0.662 + 0.00000739 * (2569 - rating) ^ 2)))
"""

# special_rating() in a cell, without streaks: of prior, its worth, and the games.
_SPECIAL: Final = f"""
LET(height, LAMBDA(r, LET(y, worth * clip((r - prior) / {2 * REACH:g}, 0.5) + played / 2 - points
        + sum_games(clip((r + ahead - opponent) / {2 * REACH:g}, 0.5)),
        IF(ABS(y) < {TOLERANCE:G}, 0, y))),
    centres, VSTACK(prior, opponent - ahead),
    knots, VSTACK(centres - {REACH:g}, centres + {REACH:g}),
    heights, MAP(knots, LAMBDA(r, height(r))),
    up, MIN(IF(heights >= 0, knots, 1E+99)), down, MAX(IF(heights <= 0, knots, -1E+99)),
    cross, LAMBDA(a, b, a - height(a) * (b - a) / (height(b) - height(a))),
    low, IF(height(up) = 0, up, cross(MAX(IF(knots < up, knots, -1E+99)), up)),
    high, IF(height(down) = 0, down, cross(down, MIN(IF(knots > down, knots, 1E+99)))),
    guess, (worth * prior + rating_sum - played * ahead + {REACH:g} * (2 * points - played))
        / (worth + played),
    free, IF((guess > low + {TOLERANCE:G}) * (guess < high - {TOLERANCE:G}) = 0, guess,
        IF(worth > 0, prior, prior + clip(guess - prior, {REACH:g}))),
    least(MEDIAN(low, free, high), {MOST_SPECIAL:g}))
"""


class EveryGame(BothRated):
    """Games against unrated players count too, with the ratings that these have after the event."""

    with_newcomers = True
    text = Words(
        "Every game that was played, also against an unrated player, who counts with an estimate. "
        "A match of two players counts only if both are established and at most 400 points apart."
    )


@dataclass(frozen=True)
class EffectiveGames(KFactor):
    """K follows from the number of games that a rating is worth, and from those of the event."""

    dual: bool = False
    """whether events of 30 to 65 minutes are meant, which are rated as regular and as quick"""

    formula = f"""
    IF(given(period_games), LET(n, period_games + {_WORTH},
        IF(n = 0, #NUM!, 800 / n)), #VALUE!)
    """
    text = Words(
        "800 / (N′ + m), where m is the number of games in the event and N′ the number of games "
        "before it, but at most 50 / √(0.662 + 0.00000739 × (2569 − rating)²), from 2355 on 50."
    )
    less: ClassVar[Words] = Words(" From 2200 on it falls, to a quarter at 2500.")
    why: ClassVar[Words] = Words("worth {games} games")

    def __call__(self, players: Players, period_games: FloatArray) -> FloatArray:
        """K of each player, as in ``EffectiveGames()(players, games_of_the_event)``.

        >>> known = Players.known([1700, 2300], games=[100, 300])
        >>> EffectiveGames()(known, np.array([4, 3])).round(4).tolist()
        [33.317, 16.4252]
        >>> EffectiveGames(dual=True)(known, np.array([4, 3])).round(4).tolist()
        [33.317, 12.3189]

        Raises OptionError where the number of games in the event is unknown.
        """
        if np.isnan(period_games).any():
            raise OptionError("K follows from the number of games in the event, which is missing")
        with np.errstate(divide="ignore"):
            k = 800 / (effective_games(players.rating, players.games) + period_games)
        return k * np.clip(6.5 - 0.0025 * players.rating, 0.25, 1) if self.dual else k

    def native(self) -> str:
        return "" if self.dual else super().native()

    def reason(self, players: Players, language: str = "en") -> list[str]:
        worth = effective_games(players.rating, players.games).round(1).tolist()
        return [self.why.say(language, games=games) for games in worth]

    def say(self, language: str = "en") -> str:
        return super().say(language) + (self.less.say(language) if self.dual else "")


@dataclass(frozen=True)
class FiveSteps(Change):
    """The five steps of an event: twice the same formulas, then with better known opponents."""

    threshold: float
    """of the bonus, in points per root of the number of games"""

    takes_k = False
    long = f"""
    IF(played = 0, IF(IF(given(games), games, 1) = 0, 0, IF(k > 0, 0, k)), LET(
        worth, {_WORTH}, prior, rating, ahead, home,
        special, IF(given(games), games <= {SPECIAL_UP_TO}, FALSE),
        gain, k * (points - sum_games(expected(rating + home - opponent))),
        bonus, IF(played < 3, 0, greatest(gain - my.threshold * SQRT(greatest(played, 4)), 0)),
        top, highest(rating, peak),
        hundred, least(100 * INT(top / 100) - 200, 2100),
        absolute, least({LOWEST:g} + (played >= 3)
            + IF(total, 0, sum_games(4 * (score = 1) + 2 * (score = 0.5))), 150),
        established, IF(given(games), games > {PROVISIONAL_UP_TO}, TRUE),
        lowest_now, IF(established * (hundred >= 1200), hundred, absolute),
        IF(k > 0, greatest(IF(special, {_SPECIAL}, rating + gain + bonus), lowest_now) - rating,
            k)))
    """
    alone = (
        "The games of one player alone count with the opponents' ratings from before the event. A "
        "whole event counts all games twice, the second time with the ratings found the first time."
    )
    text = Words(
        "K × (score − expected score), and as much again as this exceeds {threshold:g} × √m, from "
        "three games on and unless somebody was met more than twice (√4 for three games). Up to "
        "eight games, and after only wins or only losses, the rating is instead the one at which "
        "the expected score is the score, with a straight line from 400 points behind to 400 "
        "ahead and the rating before counting as N′ draws. All this twice: the second time every "
        "opponent counts with the rating found the first time. Nobody falls below the floor: the "
        "hundred below the highest established rating minus 200, from 1200 to 2100, or 100 to "
        "150. A match has no bonus and no floor and moves at most 50 points."
    )

    def one_pass(
        self, rules: Rulebook, players: Players, sides: Sides, career: Career = UNKNOWN
    ) -> Changed:
        """One pass, against opponents of whom only the ratings are known, each another person."""
        field = _Field(rules, players, sides.only(~np.isnan(sides.met)), career)
        field.threshold = np.full(field.prior.shape, self.threshold)
        return field.result(*field.new(field.sides.met), floors=True)

    def each(
        self, rules: Rulebook, players: Players, sides: Sides, counted: FloatArray, done: Changed
    ) -> tuple[FloatArray, FloatArray]:
        """The games of players with few before the event have no share of the change."""
        awaited, gained = super().each(rules, players, sides, counted, done)
        special = players.games[sides.player] <= SPECIAL_UP_TO
        line = np.clip(0.5 + counted / (2 * REACH), 0, 1)
        return np.where(special, line, awaited), np.where(special, np.nan, gained)

    def __call__(self, rules: Rulebook, event: Event, career: Career = UNKNOWN) -> Changed:
        """A whole event; one of two players is a match."""
        field = _Field(rules, event.players, event.everybody, career)
        player, other = field.sides.player, event.everybody.opponent
        assert other is not None
        pairs, back, met = np.unique(
            player * field.prior.size + other, return_inverse=True, return_counts=True
        )
        if pairs.size == 2:
            return field.match(other)
        often = np.zeros(field.prior.size)
        np.maximum.at(often, player, met[back])
        field.threshold = np.where(often <= 2, self.threshold, np.inf)
        strength = field.prior
        if field.unrated.any():
            first = special_rating(strength, 1, player, strength[other], field.sides.points)
            strength = np.where(field.unrated, np.fmax(first, LOWEST), strength)
        between = np.maximum(field.new(strength[other])[0], LOWEST)
        return field.result(*field.new(between[other]), floors=True)


class _Field:
    """The players of an event as steps 1 and 2 see them, and their sides of the games."""

    def __init__(self, rules: Rulebook, players: Players, sides: Sides, career: Career) -> None:
        self.sides, self.m = sides, sides.games
        self.unrated = np.isnan(players.rating)
        start = np.asarray(career.start, dtype=float)
        begin = np.where(np.isnan(start), initial_rating(players.age), start)
        self.prior: FloatArray = np.where(self.unrated, begin, players.rating)
        self.games, self.wins, self.draws, self.events = (
            np.where(self.unrated, 0.0, np.asarray(a, dtype=float))
            for a in (players.games, career.wins, career.draws, career.events)
        )
        self.peak: FloatArray = np.fmax(players.rating, players.peak)
        self.k = rules.k(Players.known(self.prior, games=self.games), self.m)
        self.worth = effective_games(self.prior, self.games)
        played = self.games > 0
        all_lost = played & (self.wins == 0) & (self.draws == 0)
        self.streak = 1.0 * (played & (self.wins == self.games)) - all_lost
        self.special = (self.games <= SPECIAL_UP_TO) | (self.streak != 0)
        self.threshold: FloatArray = np.full(self.prior.shape, np.inf)

    def new(self, met: FloatArray) -> tuple[FloatArray, FloatArray]:
        """New ratings, before floors, against opponents rated ``met``, and expected scores."""
        player, points = self.sides.player, self.sides.points
        met = met - self.sides.home
        ahead = self.prior[player] - met
        line = np.clip(0.5 + ahead / (2 * REACH), 0, 1)
        awaited = self.sides.total(
            np.where(self.special[player], line, expected(ahead, "logistic"))
        )
        with np.errstate(invalid="ignore"):  # K is infinite for an unrated player without games
            gain = self.k * (points - awaited)
            bonus = np.maximum(gain - self.threshold * np.sqrt(np.maximum(self.m, 4)), 0)
            new = self.prior + gain + np.where(self.m >= 3, bonus, 0)
        fitted = special_rating(self.prior, self.worth, player, met, points, self.streak)
        return np.where(self.special, fitted, new), awaited

    def match(self, opponent: IntArray) -> Changed:
        """The result of a match of two players."""
        strength, player = self.prior, self.sides.player
        apart = np.abs(strength[player] - strength[opponent])
        if (apart > REACH).any() or (self.games[player] <= PROVISIONAL_UP_TO).any():
            return self.result(np.where(self.unrated, np.nan, strength), self.sides.points)
        self.special = np.zeros(strength.shape, dtype=bool)
        awaited = self.sides.points
        for _ in range(2):
            new, awaited = self.new(strength[opponent])
            strength = np.clip(new, self.prior - MOST_IN_MATCH, self.prior + MOST_IN_MATCH)
        return self.result(strength, awaited)

    def floor(self) -> FloatArray:
        won, drawn = (self.sides.total(1.0 * (self.sides.score == s)) for s in (1, 0.5))
        wins, draws, events = (np.nan_to_num(a) for a in (self.wins, self.draws, self.events))
        return floor(self.peak, self.games, wins + won, draws + drawn, events + (self.m >= 3))

    def result(self, new: FloatArray, awaited: FloatArray, *, floors: bool = False) -> Changed:
        if floors:
            new = np.maximum(new, self.floor())
        played = self.m > 0
        change = np.where(played, new - self.prior, 0)
        return Changed(
            np.where(played, self.k, np.nan),
            self.m,
            self.sides.points,
            awaited,
            np.where(self.unrated, np.nan, change),
            np.where(self.unrated & played, new, np.nan),
        )


@dataclass(frozen=True)
class SpecialFirst(First):
    """The special rating of somebody whose rating before is worth nothing."""

    games: int = 1
    zero_counts: bool = True

    takes_start = True
    long = f"""
    LET(worth, 0, prior, IF(given(start), start, {ADULT:g}), ahead, 0,
        greatest({_SPECIAL}, {LOWEST:g}))
    """
    text = Words(
        "The rating at which the expected score is the score, with a straight line from 400 points "
        "behind to 400 ahead; after only wins or only losses 400 points from the strongest or "
        "weakest opponent. At most 2700, at least 100. Where several ratings fit, one within 400 "
        "points of a first guess: 50 points for each year of age up to 26, for adults 1300."
    )

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        given = np.full(games.score.shape, np.nan) if start is None else start
        prior = np.where(np.isnan(given), ADULT, given)
        rating = special_rating(prior, 0, games.player, games.opponents, games.score)
        with np.errstate(invalid="ignore", divide="ignore"):
            percent = 100 * games.score / games.count
        return FirstRatingSteps(games.average, percent, np.maximum(rating, LOWEST))


_UNKNOWN: Final = Words(
    "An unrated player with a rating elsewhere begins with a blend of such ratings; the formula "
    "was not found: give that rating, with 5 or 10 games. Floors from prizes and titles are not "
    "known here."
)

_EDITIONS: Final = (
    (date(2025, 1, 1), Words("US Chess rating system from January 2025"), 10, _UNKNOWN),
    (date(2023, 2, 1), Words("US Chess rating system from February 2023"), 12, _UNKNOWN),
    (date(2017, 5, 1), Words("US Chess rating system from May 2017"), 14, _UNKNOWN),
    (
        date(2015, 1, 1),
        Words("US Chess rating system from 2015"),
        12,
        Words(
            "From which day the bonus threshold was 12 was not found: it was to rise from 8 to 10 "
            "in 2014, and official ratings of 2015 are those of 12. Floors from prizes and titles "
            "are not known here."
        ),
    ),
    (
        date(2013, 5, 18),
        Words("US Chess rating system from May 2013"),
        8,
        Words(
            "The bonus threshold was to rise from 8 to 10 in 2014; from which day was not found. "
            "Floors from prizes and titles are not known here."
        ),
    ),
)
"""the first day of each edition, its title, its bonus threshold, what is uncertain in it"""

RULEBOOKS: Final = tuple(
    Rulebook(
        name=f"us-chess-{since:%Y-%m}",
        title=title,
        source=Words(
            "Glickman and Doan, The US Chess Rating System, 2 September 2020; US Chess on its site "
            "and forum about the bonus threshold"
        ),
        since=since,
        counts=EveryGame(),
        expected=Logistic(),
        k=EffectiveGames(),
        change=FiveSteps(bonus),
        first=SpecialFirst(),
        performance="logistic",
        uncertain=uncertain,
    )
    for since, title, bonus, uncertain in _EDITIONS
)
"""All events are rated whole, twice, so that opponents count with better known ratings."""

NEWEST: Final = "us-chess"
"""The name of the newest edition; where the day of an event is known, of that in force then."""
