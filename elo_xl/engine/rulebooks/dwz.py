"""The rating system of the German Chess Federation: DWZ (Wertungsordnung, chapter 3 and annex 1).

The expected score is that of Elo's normal model, rounded to thousandths, as published evaluations
print it. Since August 2013 it follows from the formula; the table before it had 1 from a
difference of 735 on. What a result changes depends on the rating, the age, the number of
tournaments evaluated before (the index) and on whether the player did as well as expected.

Newcomers of one event get their first ratings together: each has the rating at which the expected
scores of the games, against rated players and other newcomers, add up to the points. The table of
annex 2.1 serves the rules only as a first guess of that rating; any guess leads to the same end.
The end of annex 1.1 could not be read: that first ratings below 800 become 700 and an eighth is
known from programs (skillratings) only.
"""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from elo_xl.engine.arrays import FloatArray, round_half_away
from elo_xl.engine.errors import OptionError
from elo_xl.engine.models import difference, expected
from elo_xl.engine.performance import Games, root
from elo_xl.engine.rulebooks.clauses import (
    BothRated,
    Expected,
    First,
    FirstRatingSteps,
    KFactor,
    Mask,
    WholePoints,
)
from elo_xl.engine.rulebooks.event import Event, Players, Sides
from elo_xl.engine.rulebooks.rulebook import Change, Changed, Rulebook
from elo_xl.languages import Words


class Thousandths(Expected):
    """Elo's own curve, in whole thousandths, which add up without rounding errors."""

    unit = 1000
    formula = 'ROUND(1000 * expected(d, "normal"), 0)'
    text = Words("Φ(difference / (200√2)), rounded to thousandths.")

    def units(self, difference: FloatArray) -> FloatArray:
        """The expected scores, in thousandths.

        >>> Thousandths().units(np.array([0, 100, -345])).tolist()
        [500.0, 638.0, 111.0]
        """
        return round_half_away(1000 * expected(difference))


class WithNewcomers(BothRated):
    """Newcomers who get a first rating count with it."""

    with_newcomers = True
    text = Words(
        "Games that were played between rated players, and against newcomers who get a rating in "
        "the same event, with that rating. Forfeits do not count."
    )


class Development(KFactor):
    """The development coefficient E: the slower a rating shall move, the larger (annex 1.2)."""

    text = Words(
        "800 / (E + number of games). E is (rating / 1000)⁴ plus 5 up to 20 years of age, 10 up to "
        "25, otherwise 15; for players up to 20 who do as well as expected or better times "
        "rating / 2000, which is at least ½ and at most 1; for players below 1300 who do worse "
        "plus e^((1300 − rating) / 150) − 1. E is a whole number from 5 to 30, at most 5 times the "
        "number of evaluated events, or at most 150 if something was added."
    )

    young: ClassVar[Words] = Words("20 or younger")
    junior: ClassVar[Words] = Words("21 to 25")
    adult: ClassVar[Words] = Words("older than 25")

    def coefficient(self, players: Players, ahead: Mask) -> FloatArray:
        """E of each player; ``ahead`` are those with as many points as expected, or more."""
        rating, index, age = players.rating, players.index, players.age
        young = age <= 20
        base = (rating / 1000) ** 4 + np.where(young, 5, np.where(age <= 25, 10, 15))
        faster = np.where(young & ahead, np.clip(rating / 2000, 0.5, 1), 1)
        braked = (rating < 1300) & ~ahead
        brake = np.where(braked, np.expm1((1300 - np.fmin(rating, 1300)) / 150), 0)
        most = np.where(braked, 150, np.fmin(5 * np.maximum(index, 1), 30))
        return np.clip(round_half_away(base * faster + brake), 5, most)

    def __call__(self, players: Players, period_games: FloatArray) -> FloatArray:
        raise OptionError("the K factor of dwz follows from the result too")

    def reason(self, players: Players, language: str = "en") -> list[str]:
        groups = ((20, self.young), (25, self.junior))
        return [
            next((why for last, why in groups if age <= last), self.adult).say(language)
            for age in players.age.tolist()
        ]


class Evaluation(Change):
    """What an event changes: newcomers first, then all others (3.4, 3.5)."""

    takes_k = False
    counts_events = True
    # Excel takes no name longer than 8,192 characters, and other rulebooks need theirs.
    formula = """
    IF(both(given(games), NOT(given(index))), #VALUE!, LET(
        gain, unit * points - sum_games(expected(rating + home - opponent)),
        base, (rating / 1000) ^ 4 + IF(both(given(age), age <= 25), IF(age <= 20, 5, 10), 15),
        slow, (gain < 0) * (rating < 1300),
        k + 800 * gain / (played + MEDIAN(5,
            IF(slow, 150, IF(given(index), MEDIAN(5, 5 * index, 30), 30)),
            ROUND(IF(slow, base + EXP((1300 - rating) / 150) - 1, base
                * IF(both(given(age), age <= 20, gain >= 0), MEDIAN(0.5, rating / 2000, 1), 1)),
                0))) / unit))
    """
    text = Words("K × (score − expected score), added up over the games.")

    def one_pass(self, rules: Rulebook, players: Players, sides: Sides) -> Changed:
        """Against opponents of whom only the ratings are known."""
        assert isinstance(rules.k, Development)
        sides = sides.only(~np.isnan(sides.met))
        own, unit = players.rating[sides.player], rules.expected.unit
        ahead = np.nan_to_num(own) + sides.home - sides.met
        awaited = sides.total(rules.expected.units(ahead))
        gained = unit * sides.points - awaited
        games, unrated = sides.games, np.isnan(players.rating)
        with np.errstate(invalid="ignore"):
            below = rules.k.coefficient(players, gained >= 0) + games
            k = 800 / below
            change = 800 * gained / below / unit
        return Changed(k, games, sides.points, awaited / unit, np.where(unrated, np.nan, change))

    def __call__(self, rules: Rulebook, event: Event) -> Changed:
        sides, rating = event.everybody, event.ratings
        first = first_ratings(rating, sides, rules.first.games)
        assert sides.opponent is not None
        met = np.where(np.isnan(rating), first, rating)[sides.opponent]
        seen = Sides(
            sides.player, met, sides.score, sides.points, sides.home, sides.opponent, sides.limited
        )
        done = self.one_pass(rules, event.players, seen)
        return Changed(done.k, done.games, done.score, done.expected, done.change, first)


def first_ratings(rating: FloatArray, sides: Sides, least: int = 5) -> FloatArray:
    """First ratings of the newcomers (NaN) of an event; NaN for all others.

    A newcomer who has at least ``least`` games against rated players, and neither lost nor won them
    all, gets a first rating; then, on the same terms, one who has so many against these and rated
    players (3.4.1).
    """
    player, opponent = sides.player, sides.opponent
    assert opponent is not None
    unrated = np.isnan(rating)
    chosen = ~unrated
    for _ in range(2):
        within = sides.only(chosen[opponent])
        n, won = within.games, within.points
        chosen = chosen | (unrated & (n >= least) & (won > 0) & (won < n))
    fresh = chosen & unrated
    if not fresh.any():
        return np.full(rating.shape, np.nan)
    games = sides.only(fresh[player] & chosen[opponent])
    return published(np.where(fresh, _together(rating, fresh, games), np.nan))


def _together(rating: FloatArray, fresh: Mask, games: Sides) -> FloatArray:
    """The ratings at which every newcomer's expected score is the score.

    Each step moves a rating by the difference that half a point and the surplus per game would mean
    between equals, for all newcomers at once (annex 1.1.2).
    """
    strength = np.where(fresh, np.nanmean(rating), rating)
    n = np.maximum(games.games, 1)
    for _ in range(1000):
        ahead = strength[games.player] + games.home - strength[games.opponent]
        surplus = (games.points - games.total(expected(ahead))) / n
        step = np.where(fresh, difference(np.clip(0.5 + surplus, 0.005, 0.995)), 0)
        strength = strength + step
        if (np.abs(step) < 1e-9).all():
            break
    return strength


def published(rating: FloatArray) -> FloatArray:
    """First ratings as they are published: whole, and those below 800 raised.

    >>> published(np.array([1500.4, 800.0, 500.0])).tolist()
    [1500.0, 800.0, 763.0]
    """
    return round_half_away(np.where(rating < 800, 700 + rating / 8, rating))


class Performance(First):
    """A newcomer's first rating is the performance."""

    formula = 'LET(found, root("normal"), ROUND(IF(found < 800, 700 + found / 8, found), 0))'
    text = Words(
        "The rating whose expected score is the score, of all newcomers of the event together; "
        "below 800 it is 700 plus an eighth of it. None after only wins or only losses."
    )

    endless = Words("only wins or only losses, or too few opponents who get a rating")

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        with np.errstate(invalid="ignore", divide="ignore"):
            percent = 100 * games.score / games.count
        return FirstRatingSteps(games.average, percent, published(root(games, "normal")))


class EachEvent(WholePoints):
    """Ratings are whole after each event."""

    text = Words("Rounded to a whole number after each event.")


DWZ: Final = Rulebook(
    name="dwz",
    title=Words("German rating system (DWZ)"),
    source=Words("Wertungsordnung of the German Chess Federation, chapter 3 and annex 1 (2014)"),
    counts=WithNewcomers(),
    expected=Thousandths(),
    k=Development(),
    change=Evaluation(),
    first=Performance(),
    rounding=EachEvent(),
    performance="normal",
    uncertain=Words(
        "That first ratings below 800 are raised is known from programs only. Whether the lift "
        "announced for 2025 was carried out was not found."
    ),
)
RULEBOOKS: Final = (DWZ,)
