"""USA Table Tennis: points exchanged match by match, in an event in two passes.

The table stands in :mod:`elo_xl.engine.exchange`. A whole event is rated in passes, as far as they
are known here:

1. Everybody exchanges points with the ratings from before the event.
2. A player who gained at least 50 points enters the last pass with another rating: up to 74 points
   with the rating of pass 1; from 75 with the mean of that and of the middle between the best win
   and the worst loss, or, without a loss, with the median of the opponents.
3. Points are exchanged again with these ratings, and added to them.

Not known: whether the ratings of pass 2 may be lower than those from before (here they may not),
how far an unrated player's matches count for the opponents (here not at all), and how newcomers
who only won or only lost are rated: by the median of the opponents here, and 100 points above or
below the opponent after a single match.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import OptionError, SizeError, require
from elo_xl.engine.exchange import USATT_EXPECTED, USATT_FROM, USATT_UPSET, usatt_points
from elo_xl.engine.performance import Games
from elo_xl.engine.rulebooks.clauses import Expected, First, FirstRatingSteps, KFactor, WholePoints
from elo_xl.engine.rulebooks.event import Event, Players, Sides
from elo_xl.engine.rulebooks.rulebook import Change, Changed, Rulebook
from elo_xl.languages import Words

SMALL_GAIN: Final = 50
"""The gain of pass 1 below which a player enters the last pass with the old rating."""

LARGE_GAIN: Final = 75
"""The gain of pass 1 from which results count instead of the points exchanged."""

AFTER_ONE: Final = 100
"""How far a newcomer's first rating is from the opponent's after a single match."""


def _row(numbers: tuple[int, ...]) -> str:
    return "{" + ", ".join(map(str, numbers)) + "}"


_EXPECTED = f"LOOKUP(half_up(ABS(d)), {_row(USATT_FROM)}, {_row(USATT_EXPECTED)})"
_UPSET = f"LOOKUP(half_up(ABS(d)), {_row(USATT_FROM)}, {_row(USATT_UPSET)})"


class FairShare(Expected):
    """The share of wins at which the table's exchange changes nothing."""

    formula = f"LET(e, {_EXPECTED}, u, {_UPSET}, IF(d < 0, e, u) / (e + u))"
    text = Words(
        "The share of wins at which the points of the table balance: 35 of 37 at a difference of "
        "170, where the higher rated player gains 2 or loses 35."
    )

    def units(self, difference: FloatArray) -> FloatArray:
        won, lost = usatt_points(difference, 1), usatt_points(difference, -1)
        return lost / (lost - won)


class ByMatch(KFactor):
    """There is no K: the table says what each match is worth."""

    text = Words("None: the table says what each match is worth.")

    def __call__(self, players: Players, period_games: FloatArray) -> FloatArray:
        raise OptionError("usatt has no K: the table says what each match is worth")

    def reason(self, players: Players, language: str = "en") -> list[str]:
        return [self.say(language)] * players.rating.size


class Exchange(Change):
    """Points by the table for each match; a whole event takes two passes."""

    takes_k = False
    draws = False
    alone = (
        "The games of one player alone make the first pass of an event only, for the ratings of "
        "the opponents in the other ones do not follow from them. From a gain of 50 points on, a "
        "whole event gives another rating."
    )
    formula = f"""
    LET(d, rating + home - opponent, side, 2 * score - 1, e, {_EXPECTED}, u, {_UPSET},
        k + IF(both(total, played > 1), #N/A, IF(sum_games(score * (1 - score)) > 0, #NUM!,
            sum_games(side * (e + (d * side < 0) * (u - e))))))
    """  # k is 0, or the error that a K gives
    text = Words(
        "Each match moves points by a table, from 8 between equals to 0 for an expected and 50 for "
        "an unexpected win at a difference of 238 or more. In an event, who gained 50 points and "
        "more is first given a higher rating, with which all matches count again."
    )

    def one_pass(self, rules: Rulebook, players: Players, sides: Sides) -> Changed:
        own = players.rating[sides.player]
        rated = rules.counts(own, sides.met)
        sides = sides.only(rated | (np.isnan(own) & rules.counts(sides.met, sides.met)))
        if np.isnan(sides.score).any():
            raise SizeError("a total does not say who won which match: give one score per match")
        won = (sides.score == 0) | (sides.score == 1)
        require(won, "score of a match of table tennis must be 1 or 0", sides.score)
        ahead = players.rating[sides.player] + sides.home - sides.met
        change = sides.total(usatt_points(ahead, 2 * sides.score - 1))
        fair = sides.total(rules.expected.units(ahead))
        return Changed(
            np.full(players.rating.shape, np.nan), sides.games, sides.points, fair, change
        )

    def each(
        self, rules: Rulebook, players: Players, sides: Sides, counted: FloatArray, done: Changed
    ) -> tuple[FloatArray, FloatArray]:
        return rules.expected(counted), usatt_points(counted, 2 * sides.score - 1)

    def __call__(self, rules: Rulebook, event: Event) -> Changed:
        players, sides = event.players, event.everybody
        before = players.rating
        pass_1 = self.one_pass(rules, players, sides)
        between = np.where(np.isnan(before), np.nan, _adjusted(before, pass_1.change, sides))
        met = between[sides.opponent]
        again = replace(players, rating=between)
        last = self.one_pass(
            rules,
            again,
            Sides(sides.player, met, sides.score, sides.points, sides.home, sides.opponent),
        )
        return Changed(
            pass_1.k,
            pass_1.games,
            pass_1.score,
            pass_1.expected,
            between + last.change - before,
            _first(np.isnan(before), sides),
        )


def _adjusted(before: FloatArray, gain: FloatArray, sides: Sides) -> FloatArray:
    """The ratings with which players enter the last pass."""
    few = (gain >= LARGE_GAIN)[sides.player]
    best, worst, median = _results(sides.player[few], sides.met[few], sides.score[few], before.size)
    middle = (best + worst) / 2
    large = np.where(np.isnan(middle), median, (before + gain + middle) / 2)
    entered = np.where(gain < LARGE_GAIN, before + gain, large)
    return np.where(gain < SMALL_GAIN, before, np.fmax(entered, before))


def _first(unrated: npt.NDArray[np.bool_], sides: Sides) -> FloatArray:
    """First ratings of the unrated players, NaN for the others."""
    few = unrated[sides.player]
    return first_by_results(sides.player[few], sides.met[few], sides.score[few], unrated.size)


def first_by_results(
    player: npt.NDArray[np.integer], met: FloatArray, score: FloatArray, size: int
) -> FloatArray:
    """First ratings of players from matches against rated opponents; NaN without any.

    >>> who, met, score = np.array([0, 0, 1]), np.array([1500.0, 1600, 1400]), np.array([1, 0, 1])
    >>> first_by_results(who, met, score, 2).tolist()
    [1550.0, 1500.0]
    """
    best, worst, median = _results(player, met, score, size)
    games = np.bincount(player[~np.isnan(met)], minlength=size)
    single = median + np.where(np.isnan(best), -AFTER_ONE, AFTER_ONE)
    middle = (best + worst) / 2
    return np.where(np.isnan(middle), np.where(games == 1, single, median), middle)


def _results(
    player: npt.NDArray[np.integer], met: FloatArray, score: FloatArray, size: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The best win, the worst loss and the median of the rated opponents of each player.

    What does not exist is NaN, and everything of a player with a result that is not known.
    """
    rated = ~np.isnan(met)
    player, met, score = player[rated], met[rated], score[rated]
    best, worst = np.full(size, -np.inf), np.full(size, np.inf)
    np.maximum.at(best, player, np.where(score == 0, -np.inf, met))
    np.minimum.at(worst, player, np.where(score == 1, np.inf, met))
    order = np.lexsort((met, player))
    games = np.bincount(player, minlength=size)
    begins = np.cumsum(games) - games
    some = games > 0
    low, high = (begins + (games - 1) // 2)[some], (begins + games // 2)[some]
    median = np.full(size, np.nan)
    median[some] = (met[order[low]] + met[order[high]]) / 2
    unknown = np.isin(np.arange(size), player[np.isnan(score)])
    for values in (best, worst, median):
        values[unknown | np.isinf(values)] = np.nan
    return best, worst, median


@dataclass(frozen=True)
class ByResults(First):
    """The middle between the best win and the worst loss, or the median of the opponents."""

    formula = """
    IF(IF(total, points * (played - points), sum_games(score * (1 - score))) <> 0, #NUM!,
        IF(points * (played - points) = 0,
            MEDIAN(FILTER(opponent, counted)) + (played = 1) * (2 * points - 1) * my.after_one,
            (most_games(opponent * score) + 1E+6
                - most_games((1E+6 - opponent) * (1 - score))) / 2))
    """
    text = Words(
        "The middle between the best win and the worst loss; for players who only won or only "
        "lost the median of the opponents, after a single match {after_one} points above or below "
        "the opponent."
    )
    after_one: int = AFTER_ONE

    def __call__(self, games: Games, start: FloatArray | None = None) -> FirstRatingSteps:
        each = games.each
        if each is None:
            # a total tells the results only of those who won or lost everything
            each = (games.score / games.count)[games.player]
        each = np.where((each > 0) & (each < 1), np.nan, each)
        rating = first_by_results(games.player, games.opponents, each, games.score.size)
        return FirstRatingSteps(games.average, 100 * games.score / games.count, rating)


USATT: Final = Rulebook(
    name="usatt",
    title=Words("USA Table Tennis, exchange of points"),
    source=Words("USATT's point exchange table and four passes, as clubs describe them"),
    expected=FairShare(),
    k=ByMatch(),
    change=Exchange(),
    first=ByResults(games=1, zero_counts=True),
    rounding=WholePoints(),
    performance="linear",
    in_books=False,
    uncertain=Words(
        "Not known: whether the rating that somebody is given before the last pass may be lower "
        "than the old one, how matches of newcomers count for the others, and the first rating of "
        "those who only won or only lost."
    ),
)
"""Ratings are whole numbers; a match has no draw."""

RULEBOOKS: Final = (USATT,)
