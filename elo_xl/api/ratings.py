"""The ratings of one player, also those that say how sure they are, and what changes them.

Arguments and results are those of :mod:`.numbers`.
"""

# mypy: disable-error-code="overload-overlap"
# What takes a number and what takes any column overlap, and the first that fits is meant.
from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, overload

import numpy as np

from elo_xl.api.frames import (
    ArgumentColumn,
    NumbersLike,
    Of,
    by_element,
    floats,
    games_of,
    optional,
)
from elo_xl.api.numbers import kind_of, margin_of
from elo_xl.engine import bayes as bayes_
from elo_xl.engine import glicko as glicko_
from elo_xl.engine import performance as performance_
from elo_xl.engine import ratings as ratings_
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import SizeError, require
from elo_xl.engine.rulebooks import Rulebook

if TYPE_CHECKING:
    from elo_xl.api.frames import Games, Kind, Number, Numbers
    from elo_xl.words import DrawModel, Method, Model, RulebookName, Scale


@overload
def k_factor(
    rating: Number,
    *,
    played: Number = None,
    age: Number = None,
    peak: Number = None,
    period_games: Number = None,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> float: ...
@overload
def k_factor(
    rating: Kind | Numbers,
    *,
    played: Kind | Numbers = None,
    age: Kind | Numbers = None,
    peak: Kind | Numbers = None,
    period_games: Kind | Numbers = None,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> Kind: ...
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
    >>> k_factor([2350, 1500], played=[None, 12]).tolist()
    [20.0, 40.0]

    ``played`` is the number of rated games before the period (30 or more if it is blank), ``age``
    the list year minus the birth year (adult), ``peak`` the highest published rating (the rating
    itself). ``period_games`` are the games of the period: K times them is limited to 700.

    Raises DomainError for a number below 0, OptionError for an unknown rulebook (FIDE B.02, 8.3.3).
    """

    def work(own: FloatArray, *known: FloatArray) -> FloatArray:
        before, years, top, now = _blank(known)
        return ratings_.k_factor(own, before, years, top, now, rules)

    return by_element(work, rating, *_optional(played, age, peak, period_games))


def _optional(*numbers: NumbersLike) -> list[ArgumentColumn]:
    """Columns in which a blank is an answer; -1 stands for it, as below 0 there is nothing."""
    for known in (ArgumentColumn(x).numbers for x in numbers):
        require(~(known < 0), "played, age and peak must not be below 0", known)
    return [optional(x, -1) for x in numbers]


def _blank(known: Sequence[FloatArray]) -> list[FloatArray]:
    return [np.where(x < 0, np.nan, x) for x in known]


@overload
def change(
    rating: Number,
    k: Number | Literal["auto"],
    opponents: Games,
    scores: Games,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    played: Number = None,
    age: Number = None,
    peak: Number = None,
    home: float = 0.0,
) -> float: ...
@overload
def change(
    rating: Kind | Numbers,
    k: Kind | Numbers | Literal["auto"],
    opponents: Games,
    scores: Games,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    played: Kind | Numbers = None,
    age: Kind | Numbers = None,
    peak: Kind | Numbers = None,
    home: float = 0.0,
) -> Kind: ...
def change(
    rating: NumbersLike,
    k: NumbersLike | Literal["auto"],
    opponents: NumbersLike,
    scores: NumbersLike,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    played: NumbersLike = None,
    age: NumbersLike = None,
    peak: NumbersLike = None,
    home: float = 0.0,
) -> NumbersLike:
    """Rating change in a period, unrounded: k times the sum of score minus expected score.

    >>> change(1800, 20, [1860, 1770, 2000], [1, 0.5, 0])
    6.0
    >>> change(1500, "auto", [1860, 1770], [1, 0.5], played=12)
    49.2

    ``opponents`` and ``scores`` are those of one player's games, or ``scores`` is a number, the
    total; games with a blank are left out. ``rating`` and ``k`` may be columns: the same games are
    then rated for each of their rows. ``k="auto"`` is the rulebook's own K, which ``played``,
    ``age`` and ``peak`` decide as in :func:`k_factor`. ``home`` is a number of rating points added
    to the player's side. For the games of many players, see :func:`elo_xl.rate_period`, which also
    makes the passes of ``"usatt"`` and ``"us-chess"`` that need a whole event: here is one pass.

    Raises DomainError for K below 0 or a score outside 0 to 1, SizeError for lists of different
    lengths and for columns with different indices, OptionError for an unknown rulebook and for a
    number as K under one that takes only its own (Benítez and Roca, axiom V; FIDE B.02, 8.3).
    """
    return _period(ratings_.change, rating, k, (opponents, scores), rules, played, age, peak, home)


@overload
def new_rating(
    rating: Number,
    k: Number | Literal["auto"],
    opponents: Games,
    scores: Games,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    played: Number = None,
    age: Number = None,
    peak: Number = None,
    home: float = 0.0,
) -> float: ...
@overload
def new_rating(
    rating: Kind | Numbers,
    k: Kind | Numbers | Literal["auto"],
    opponents: Games,
    scores: Games,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    played: Kind | Numbers = None,
    age: Kind | Numbers = None,
    peak: Kind | Numbers = None,
    home: float = 0.0,
) -> Kind: ...
def new_rating(
    rating: NumbersLike,
    k: NumbersLike | Literal["auto"],
    opponents: NumbersLike,
    scores: NumbersLike,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
    played: NumbersLike = None,
    age: NumbersLike = None,
    peak: NumbersLike = None,
    home: float = 0.0,
) -> NumbersLike:
    """New rating after a period: rating plus :func:`change`, rounded as the rulebook says.

    >>> new_rating(2813, 10, [1787, 2025, 2310, 2400, 2505], [1, 1, 1, 1, 0.5])
    2810.0

    Arguments and errors are those of :func:`change` (FIDE B.02, 8.3.4).
    """
    return _period(ratings_.update, rating, k, (opponents, scores), rules, played, age, peak, home)


def _period(
    work: Callable[..., FloatArray],
    rating: NumbersLike,
    k: NumbersLike | str,
    lists: tuple[NumbersLike, NumbersLike],
    rules: str | Path | Rulebook,
    played: NumbersLike,
    age: NumbersLike,
    peak: NumbersLike,
    home: float,
) -> NumbersLike:
    """What a period of one player gives, for each row of what is known of them."""
    met, scored = _games(*lists)
    given = [] if isinstance(k, str) else [k]

    def of_each(own: FloatArray, *known: FloatArray) -> FloatArray:
        factor: FloatArray | str = known[0] if given else str(k)
        before, years, top = _blank(known[-3:])
        return work(own, factor, met, scored, rules, played=before, age=years, peak=top, home=home)

    return by_element(of_each, rating, *given, *_optional(played, age, peak))


@overload
def needed(
    rating: Number,
    k: Number | Literal["auto"],
    opponents: Games,
    target: Number,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> float: ...
@overload
def needed(
    rating: Kind | Numbers,
    k: Kind | Numbers | Literal["auto"],
    opponents: Games,
    target: Kind | Numbers,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> Kind: ...
def needed(
    rating: NumbersLike,
    k: NumbersLike | Literal["auto"],
    opponents: NumbersLike,
    target: NumbersLike,
    *,
    rules: RulebookName | str | Path | Rulebook = "fide",
) -> NumbersLike:
    """The least score, in half points, with which :func:`new_rating` gives at least the target.

    >>> needed(1800, 20, [1860, 1770, 2000], [1800, 1810, 1900]).tolist()
    [1.5, 2.0, inf]

    It is inf where all wins do not suffice. ``rating``, ``k`` and ``target`` may be columns, all
    for the same ``opponents``, of whom blanks are left out. ``k="auto"`` is the rulebook's own.

    Raises the errors of :func:`new_rating` for a total score (Benítez and Roca, axiom V; FIDE B.02,
    8.3).
    """
    met = ArgumentColumn(opponents).numbers.reshape(-1)
    met = met[~np.isnan(met)]
    given = [] if isinstance(k, str) else [k]

    def of_each(own: FloatArray, wanted: FloatArray, *known: FloatArray) -> FloatArray:
        return ratings_.needed(own, known[0] if given else str(k), met, wanted, rules)

    return by_element(of_each, rating, target, *given)


def performance(opponents: Games, scores: Games, *, method: Method = "fide") -> float:
    """Performance rating: the strength that scores against rated opponents show.

    >>> performance([1860, 1770, 2000], 1.5)
    1877.0
    >>> round(performance([1860, 1770, None], [1, 0.5, 1], method="linear"))
    2015

    ``scores`` holds a score per opponent, or is a number, the total; games with a blank are left
    out, and the result is NaN without a game. ``method`` is ``"fide"`` (default: average opponent
    plus table 8.1.1), ``"normal"``, ``"logistic"`` (the rating whose expected total is the score,
    infinite where all was won or lost) or ``"linear"``.

    Raises OptionError for an unknown method, DomainError for a total outside 0 to the number of
    games, SizeError for lists of different lengths and for columns with different indices (FIDE
    Title Regulations 1.4; Mamon).
    """
    met, scored = _games(opponents, scores)
    return performance_.performance(met, scored, method).item()


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

    ``opponents`` and ``scores`` are those of :func:`performance`; ``start`` is a first guess, for
    rulebooks that take one. Whether there are enough games for a rating, and whether it is high
    enough, is not checked here; :func:`elo_xl.rate_period` does.

    Raises OptionError for an unknown rulebook, and the other errors of :func:`performance` (FIDE
    B.02, 8.2).
    """
    met, scored = _games(opponents, scores)
    guess = np.nan if start is None else start
    return float(ratings_.first_rating(met, scored, rules, start=guess))


def _games(opponents: NumbersLike, scores: NumbersLike) -> list[FloatArray]:
    """The games of one player without blanks: opponents, and a score for each or the total."""
    points = ArgumentColumn(scores, _points)
    met, scored = ArgumentColumn(opponents).numbers.reshape(-1), points.numbers
    if scored.ndim == 0:
        return [met[~np.isnan(met)], scored]
    require(~((scored < 0) | (scored > 1)), "score must be between 0 and 1", scored)
    return games_of(opponents, points)


def _points(scores: NumbersLike) -> FloatArray:
    """Scores as numbers, also where they are typed as results are: ½, 1-0; no game: blank."""
    values = scores.to_list() if hasattr(scores, "to_list") else scores
    if not isinstance(values, list | tuple) or not any(isinstance(x, str) for x in values):
        return floats(scores)
    from elo_xl.engine.results import read_result

    # a number stays what it is, as a share of a match may be
    return floats([read_result(x)[0] if isinstance(x, str) else x for x in values])


class Bayes(NamedTuple, Generic[Of]):
    """Two players after a game: what is believed of their strengths."""

    rating: Of
    opponent: Of
    sd: Of
    opponent_sd: Of


@overload
def bayes(
    rating: Number,
    opponent: Number,
    score: Number,
    sd: Number,
    *,
    opponent_sd: Number = None,
    draws: DrawModel | str | Number = "split",
    model: Model = "normal",
) -> Bayes[float]: ...
@overload
def bayes(
    rating: Kind | Numbers,
    opponent: Kind | Numbers,
    score: Kind | Numbers,
    sd: Kind | Numbers,
    *,
    opponent_sd: Kind | Numbers = None,
    draws: DrawModel | str | Kind | Numbers = "split",
    model: Model = "normal",
) -> Bayes[Kind]: ...
def bayes(
    rating: NumbersLike,
    opponent: NumbersLike,
    score: NumbersLike,
    sd: NumbersLike,
    *,
    opponent_sd: NumbersLike = None,
    draws: DrawModel | str | NumbersLike = "split",
    model: Model = "normal",
) -> Bayes[NumbersLike]:
    """New ratings and standard deviations of both players after a game, by Bayes' formula.

    >>> after = bayes(1600, 1500, score=1, sd=100)
    >>> round(after.rating, 2), round(after.opponent, 2), round(after.sd, 2)
    (1634.5, 1465.5, 95.06)

    ``score`` is the first player's: 1, 0.5 or 0. ``sd`` is the standard deviation of the first
    player's rating before the game, in points; the opponent's is the same unless given. ``draws``
    and ``model`` are those of :func:`outcomes`.

    Raises DomainError for any other score or a deviation not above 0, OptionError for options that
    are unknown or do not go together (Ioffe).
    """

    def work(*given: FloatArray) -> list[FloatArray]:
        own, other, scored, deviation, second_sd, *margin = given
        after = bayes_.posterior(
            own, other, scored, deviation, second_sd, kind_of(draws, margin), model
        )
        return [after.rating, after.opponent, after.sd, after.opponent_sd]

    second = optional(opponent_sd, ArgumentColumn(sd).numbers)
    return Bayes(*by_element(work, rating, opponent, score, sd, second, *margin_of(draws)))


class Bridge(NamedTuple, Generic[Of]):
    """The ratings of four bridge players."""

    north: Of
    south: Of
    east: Of
    west: Of


@overload
def bridge(
    north: Number,
    south: Number,
    east: Number,
    west: Number,
    result: Number,
    *,
    rating_sd: Number | tuple[Number, Number, Number, Number] = bayes_.RATING_SD,
    scale: Scale | bayes_.Scale = "percent",
) -> Bridge[float]: ...
@overload
def bridge(
    north: Kind | Numbers,
    south: Kind | Numbers,
    east: Kind | Numbers,
    west: Kind | Numbers,
    result: Kind | Numbers,
    *,
    rating_sd: Kind
    | Numbers
    | tuple[Kind | Numbers, Kind | Numbers, Kind | Numbers, Kind | Numbers] = bayes_.RATING_SD,
    scale: Scale | bayes_.Scale = "percent",
) -> Bridge[Kind]: ...
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
) -> Bridge[NumbersLike]:
    """Ratings of four bridge players after a result of North and South.

    >>> [round(rating, 2) for rating in bridge(1600, 1500, 1550, 1450, 58)]
    [1622.21, 1522.21, 1527.79, 1427.79]

    ``rating_sd`` is the standard deviation of the ratings before the result: one for all four, or a
    tuple of four. ``scale`` is ``"percent"`` (default), ``"imp"`` or a
    :class:`~elo_xl.engine.bayes.Scale`.

    Raises DomainError for deviations not above 0, OptionError for an unknown scale (Ioffe, eq (8)
    to (12)).
    """

    def work(*given: FloatArray) -> list[FloatArray]:
        *four, scored = np.broadcast_arrays(*given)
        ratings, deviations = np.stack(four[:4], axis=-1), np.stack(four[4:], axis=-1)
        after = bayes_.bridge(ratings, scored, deviations, scale)
        return list(np.moveaxis(after.rating, -1, 0))

    deviations = rating_sd if isinstance(rating_sd, tuple) else (rating_sd,) * 4
    if len(deviations) != 4:
        raise SizeError(f"rating_sd must be one or a tuple of four, got {len(deviations)}")
    return Bridge(
        *by_element(
            work,
            north,
            south,
            east,
            west,
            *[optional(sd, bayes_.RATING_SD) for sd in deviations],
            result,
        )
    )


class GlickoRating(NamedTuple, Generic[Of]):
    """A player after a period: the rating, and how well it is known."""

    rating: Of
    rd: Of


@overload
def glicko(
    rating: Number,
    rd: Number,
    opponents: Games,
    rds: Games,
    scores: Games,
    *,
    growth: Number = 0,
    periods: Number = 1,
) -> GlickoRating[float]: ...
@overload
def glicko(
    rating: Kind | Numbers,
    rd: Kind | Numbers,
    opponents: Games,
    rds: Games,
    scores: Games,
    *,
    growth: Kind | Numbers = 0,
    periods: Kind | Numbers = 1,
) -> GlickoRating[Kind]: ...
def glicko(
    rating: NumbersLike,
    rd: NumbersLike,
    opponents: NumbersLike,
    rds: NumbersLike,
    scores: NumbersLike,
    *,
    growth: NumbersLike = 0,
    periods: NumbersLike = 1,
) -> GlickoRating[NumbersLike]:
    """A player's rating and deviation after a period by Glicko.

    >>> after = glicko(1500, 200, [1400, 1550, 1700], [30, 100, 300], [1, 0, 0])
    >>> round(after.rating, 1), round(after.rd, 1)
    (1464.1, 151.4)

    ``opponents``, ``rds`` and ``scores`` have one number per game; games with a blank are left out.
    Before the games the deviation becomes √(rd² + growth²·periods), at most 350. ``rating``,
    ``rd``, ``growth`` and ``periods`` may be columns: the same games are then rated for each row.

    Raises DomainError for a deviation not above 0, a score outside 0 to 1, or growth or periods
    below 0; SizeError for lists of different lengths and for columns with different indices
    (Glickman).
    """
    games = games_of(opponents, rds, scores)

    def work(own: FloatArray, deviation: FloatArray, *rest: FloatArray) -> object:
        return glicko_.glicko(own, deviation, *games, *rest)

    return GlickoRating(*by_element(work, rating, rd, optional(growth, 0), optional(periods, 1)))


class Glicko2Rating(NamedTuple, Generic[Of]):
    """A player after a period: the rating, how well it is known, and how much strength varies."""

    rating: Of
    rd: Of
    volatility: Of


@overload
def glicko2(
    rating: Number,
    rd: Number,
    volatility: Number,
    opponents: Games,
    rds: Games,
    scores: Games,
    *,
    tau: Number = 0.5,
) -> Glicko2Rating[float]: ...
@overload
def glicko2(
    rating: Kind | Numbers,
    rd: Kind | Numbers,
    volatility: Kind | Numbers,
    opponents: Games,
    rds: Games,
    scores: Games,
    *,
    tau: Kind | Numbers = 0.5,
) -> Glicko2Rating[Kind]: ...
def glicko2(
    rating: NumbersLike,
    rd: NumbersLike,
    volatility: NumbersLike,
    opponents: NumbersLike,
    rds: NumbersLike,
    scores: NumbersLike,
    *,
    tau: NumbersLike = 0.5,
) -> Glicko2Rating[NumbersLike]:
    """A player's rating, deviation and volatility after a period by Glicko-2.

    >>> after = glicko2(1500, 200, 0.06, [1400, 1550, 1700], [30, 100, 300], [1, 0, 0])
    >>> round(after.rating, 2), round(after.rd, 2), round(after.volatility, 5)
    (1464.05, 151.52, 0.06)

    ``tau`` limits how fast the volatility changes; 0.3 to 1.2 are usual. The other arguments and
    the errors are those of :func:`glicko` (Glickman).
    """
    met, spreads, scored = games_of(opponents, rds, scores)

    def work(own: FloatArray, deviation: FloatArray, sigma: FloatArray, rate: FloatArray) -> object:
        return glicko_.glicko2(own, deviation, sigma, met, spreads, scored, rate)

    return Glicko2Rating(*by_element(work, rating, rd, volatility, optional(tau, 0.5)))
