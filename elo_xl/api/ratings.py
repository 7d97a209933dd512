"""The ratings of one player, also those that say how sure they are, and what changes them.

Arguments and results are those of :mod:`.numbers`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple

import numpy as np

from elo_xl.api import frames
from elo_xl.api.docstrings import as_in
from elo_xl.api.frames import ArgumentColumn, NumbersLike, Of, by_element, optional
from elo_xl.api.numbers import expected, expected_points, margin_of
from elo_xl.engine import bayes as bayes_
from elo_xl.engine import performance as performance_
from elo_xl.engine import ratings as ratings_
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import SizeError, require
from elo_xl.engine.explain import Explained
from elo_xl.engine.explain import explain as explained
from elo_xl.engine.results import read_result
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.public import own

if TYPE_CHECKING:
    from elo_xl.api.frames import Games
    from elo_xl.words import (
        BridgeMethod,
        DrawModel,
        LanguageCode,
        Method,
        Model,
        RulebookName,
        Scale,
    )


@as_in(ratings_.k_factor, expected)
def k_factor(
    rating: NumbersLike,
    *,
    played: NumbersLike = None,
    age: NumbersLike = None,
    peak: NumbersLike = None,
    period_games: NumbersLike = None,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> NumbersLike:
    """K factor of a player under a rulebook.

    >>> k_factor(2350, played=40), k_factor(2350, played=40, peak=2405)
    (20.0, 10.0)

    Returns: K.
    References: FIDE B.02, 8.3.3.
    """

    def work(own: FloatArray, *known: FloatArray) -> FloatArray:
        before, years, top, now = (np.where(x < 0, np.nan, x) for x in known)
        return ratings_.k_factor(own, before, years, top, now, rules)

    return by_element(work, rating, *_optional(played, age, peak, period_games))


def _optional(*numbers: NumbersLike) -> list[ArgumentColumn]:
    """Columns in which a blank is an answer; -1 stands for it, as below 0 there is nothing."""
    for known in (ArgumentColumn(x).numbers for x in numbers):
        require(~(known < 0), "played, age, peak and index must not be below 0", known)
    return [optional(x, -1) for x in numbers]


@as_in(k_factor)
def explain(
    rating: float,
    k: float | Literal["auto"],
    opponents: Games,
    scores: Games,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    language: LanguageCode = "en",
    played: float | None = None,
    age: float | None = None,
    peak: float | None = None,
    home: Games = 0.0,
    index: float | None = None,
) -> Explained:
    """Change and new rating of a player after a period, with every game in numbers and a sentence.

    >>> done = explain(1800, 20, [1860, 1270], [1, "½"])
    >>> done.gained.tolist(), done.change, done.new
    ([11.6, -8.4], 3.2, 1803.0)
    >>> done.why[1].partition(". Expected")[0]
    'Difference +530, counted as +400. More than 400 points count as 400'
    >>> done.summary
    'Rated games: 2, expected 1.34, scored 1.5: +3.2, new rating 1803. K 20: as given.'

    The games are those of one player. :func:`rate_period` takes those of many, and makes all passes
    of ``"usatt"`` and ``"us-chess"``, which need a whole event: here is one.

    Args:
        k (number or "auto"): The K factor; ``"auto"`` is the rulebook's own.
        opponents: The opponent's rating in each game. Without one it is listed but does not count.
        scores (column or number): The player's score in each game, such as 1, 0.5 or ``"½"``, a
            blank for a game that was not played; or a number, the total of all.
        language: The language of the sentences, such as ``"de"``: one of those of the workbooks.
        played: Rated games before the period; 50 or more if it is blank. Only the rulebook's own K
            asks for this, the age and the peak.
        home (number or column): Points added to the player's rating, in every game or in each.
        index: Events evaluated before, which DWZ counts instead of games; 6 or more if it is blank.
    Returns: The sentences end with what FIDE's edition before would have given, where that differs.
    Raises:
        DomainError: For K below 0 or a score outside 0 to 1.
        SizeError: For columns of different lengths or indices, and a total with unrated games.
        OptionError: For an unknown rulebook, and a number as K under one that takes only its own.
    References: Benítez and Roca, axiom V; FIDE B.02, 8.3.
    """
    met, points = ArgumentColumn(opponents), ArgumentColumn(scores, _points)
    lists = [met.of_games, points.numbers, frames.floats(home)]
    if points.numbers.ndim:
        frames.same_index([met, points])
        there = ~np.isnan(points.of_games)
        lists = [x[there] if x.shape == there.shape else x for x in lists]
    facts = {"played": played, "age": age, "peak": peak, "index": index}
    known = {name: np.nan if x is None else x for name, x in facts.items()}
    others, scored, ahead = lists
    return explained(rating, k, others, scored, rules, language, home=ahead, **known)


@as_in(explain)
def needed(
    rating: NumbersLike,
    k: NumbersLike | Literal["auto"],
    opponents: Games,
    target: NumbersLike,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> NumbersLike:
    """The least score, in half points, with which the new rating is at least the target.

    >>> needed(1800, 20, [1860, 1770, 2000], [1800, 1810, 1900]).tolist()
    [1.5, 2.0, inf]

    Args:
        rating: The player's rating before the games, which count the same for each row of a column.
        k (number, column or "auto"): The K factor; ``"auto"`` is the rulebook's own.
        opponents: The ratings of the opponents; blanks are left out.
        target: The new rating that is wanted.
    Returns: The total score; inf where all wins do not suffice.
    Raises:
        SizeError: For columns of different lengths or indices, and opponents who do not count.
    References: Benítez and Roca, axiom V; FIDE B.02, 8.3.
    """
    met = ArgumentColumn(opponents).of_games
    met = met[~np.isnan(met)]
    given = [] if isinstance(k, str) else [k]

    def of_each(own: FloatArray, wanted: FloatArray, *known: FloatArray) -> FloatArray:
        return ratings_.needed(own, known[0] if given else k, met, wanted, rules)

    return by_element(of_each, rating, target, *given)


@as_in(performance_.performance, explain)
def performance(opponents: Games, scores: Games, *, method: Method = "fide") -> float:
    """Performance rating: the strength that scores against rated opponents show.

    >>> performance([1860, 1770, 2000], 1.5)
    1877.0

    Returns: The rating in points; NaN without a game.
    References: FIDE Title Regulations 1.4; Mamon.
    """
    met, scored = _games(opponents, scores)
    return performance_.performance(met, scored, method).item()


@as_in(ratings_.first_rating, explain)
def first_rating(
    opponents: Games,
    scores: Games,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    start: float | None = None,
) -> float:
    """First rating of an unrated player from games against rated opponents.

    >>> first_rating([1800] * 10, 3)
    1675.0

    Only :func:`rate_period` checks whether games are enough for a rating, and it is high enough.

    Returns: The rating in points; NaN without a game.
    References: FIDE B.02, 8.2.
    """
    met, scored = _games(opponents, scores)
    guess = np.nan if start is None else start
    return float(ratings_.first_rating(met, scored, rules, start=guess))


def _games(opponents: NumbersLike, scores: NumbersLike) -> list[FloatArray]:
    """The games of one player without blanks: opponents, and a score for each or the total."""
    points = ArgumentColumn(scores, _points)
    met, scored = ArgumentColumn(opponents).of_games, points.numbers
    if scored.ndim == 0:
        return [met[~np.isnan(met)], scored]
    require(~((scored < 0) | (scored > 1)), "score must be between 0 and 1", scored)
    return frames.games_of(opponents, points)


def _points(scores: NumbersLike) -> FloatArray:
    """Scores as numbers, also where they are typed as results are: ½, 1-0; no game: blank."""
    values = scores.to_list() if hasattr(scores, "to_list") else scores
    if not isinstance(values, list | tuple) or not any(isinstance(x, str) for x in values):
        return frames.floats(scores)
    # a number stays what it is, as a share of a match may be
    return frames.floats([read_result(x)[0] if isinstance(x, str) else x for x in values])


class Bayes(NamedTuple, Generic[Of]):
    """Two players after a game: what is believed of their strengths."""

    rating: Of
    """the first player's new rating"""
    opponent: Of
    """the second player's"""
    sd: Of
    """the standard deviation of the first player's"""
    opponent_sd: Of
    """that of the second player's"""


@as_in(bayes_.posterior, expected_points)
def bayes(
    rating: NumbersLike,
    opponent: NumbersLike,
    score: NumbersLike,
    sd: NumbersLike,
    *,
    opponent_sd: NumbersLike = None,
    draws: DrawModel | str | NumbersLike = "split",
    model: Model | str = "normal",
) -> Bayes[NumbersLike]:
    """New ratings and standard deviations of both players after a game, by Bayes' formula.

    >>> after = bayes(1600, 1500, score=1, sd=100)
    >>> round(after.rating, 2), round(after.opponent, 2), round(after.sd, 2)
    (1634.5, 1465.5, 95.06)

    Returns: A named tuple of four floats or columns.
    References: Ioffe.
    """

    def work(*given: FloatArray) -> list[FloatArray]:
        own, other, scored, first, second, *margin = given
        kind = (*margin, draws)[0]
        after = bayes_.posterior(own, other, scored, first, second, kind, model)
        return [after.rating, after.opponent, after.sd, after.opponent_sd]

    second = optional(opponent_sd, ArgumentColumn(sd).numbers)
    return Bayes(*by_element(work, rating, opponent, score, sd, second, *margin_of(draws)))


class Bridge(NamedTuple, Generic[Of]):
    """The ratings of four bridge players after a result."""

    north: Of
    """North's new rating"""
    south: Of
    """South's"""
    east: Of
    """East's"""
    west: Of
    """West's"""


@as_in(bayes_.bridge)
def bridge(
    north: NumbersLike,
    south: NumbersLike,
    east: NumbersLike,
    west: NumbersLike,
    result: NumbersLike,
    *,
    rating_sd: NumbersLike
    | tuple[NumbersLike, NumbersLike, NumbersLike, NumbersLike] = bayes_.RATING_SD,
    scale: Scale | bayes_.Scale = "percent",
    method: BridgeMethod = "closed",
    samples: int = 1_000_000,
    seed: int = 0,
) -> Bridge[NumbersLike]:
    """Ratings of four bridge players after a result of North and South.

    >>> [round(rating, 2) for rating in bridge(1600, 1500, 1550, 1450, 58)]
    [1622.21, 1522.21, 1527.79, 1427.79]

    Args:
        north, south, east, west: The ratings of the players before the result, in points.
        result: What North and South have reached, such as 58 %.
        rating_sd (number, column or a tuple of four, default 200): The standard deviation of the
            ratings before the result, in points: one for all, or one each.
    Returns: A named tuple of four floats or columns.
    Raises:
        SizeError: For columns of different lengths or indices, and a tuple that is not of four.
    References: Ioffe, eq (8) to (12).
    """

    def work(*given: FloatArray) -> list[FloatArray]:
        *four, scored = np.broadcast_arrays(*given)
        ratings, deviations = np.stack(four[:4], axis=-1), np.stack(four[4:], axis=-1)
        after = bayes_.bridge(
            ratings, scored, deviations, scale, method, samples=samples, seed=seed
        )
        return list(np.moveaxis(after.rating, -1, 0))

    deviations = rating_sd if isinstance(rating_sd, tuple) else (rating_sd,) * 4
    if len(deviations) != 4:
        raise SizeError(f"rating_sd must be one or a tuple of four, got {len(deviations)}")
    spreads = [optional(sd, bayes_.RATING_SD) for sd in deviations]
    return Bridge(*by_element(work, north, south, east, west, *spreads, result))


own(vars())
