"""What two ratings tell, for numbers and columns: ratings in, not differences.

They take numbers, lists, arrays and columns of data frames, which broadcast, and give results of
the same kind (:mod:`.frames`). NaN and None are blanks: so is what depends on them. Unlike a cell,
which shows 0 for an unrated player, a rating of 0 is a number here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, NamedTuple

import numpy as np

from elo_xl.api.docstrings import as_in
from elo_xl.api.frames import ArgumentColumn, NumbersLike, Of, by_element, optional
from elo_xl.engine import exchange as exchange_
from elo_xl.engine import models
from elo_xl.engine import outcomes as outcomes_
from elo_xl.engine.arrays import AnyArray, FloatArray
from elo_xl.engine.errors import DomainError, choose
from elo_xl.public import own

Draws = str | FloatArray
"""The name of a way of draws, or the margin within which a game is drawn."""

if TYPE_CHECKING:
    from elo_xl.words import DrawModel, ExchangeRules, MatchKind, Model


def expected(
    rating: NumbersLike,
    opponent: NumbersLike,
    *,
    model: Model | str = "normal",
    cap: NumbersLike = None,
    home: NumbersLike = 0,
    sd: NumbersLike = None,
    opponent_sd: NumbersLike = None,
) -> NumbersLike:
    """Expected score of a player against an opponent, between 0 and 1.

    >>> round(expected(1834, 2179), 5)
    0.11128
    >>> expected([1834, None, 2000], 2000, model="logistic").round(4).tolist()
    [0.2778, nan, 0.5]

    Args:
        rating, opponent: The ratings of the player and of the opponent, in points.
        model: The curve: ``"normal"`` (Elo's own), ``"logistic"``, which is ``1/(1 +
            10^(-d/400))``, ``"rescaled"`` or ``"fide"`` (table 8.1.2); normal and logistic also
            with a scale, as in ``"logistic:300"``.
        cap: The largest difference that counts, in points, 0 or more; all of it counts without one.
        home: Points added to the player's rating.
        sd, opponent_sd: The standard deviations of the performances of the player and of the
            opponent, in points above 0, on the normal curve only; Elo's 200 where they are blank.
    Returns: The expected score; blank where a rating is blank.
    Raises:
        OptionError: For an unknown word, and for options that do not go together.
        DomainError: For a number out of bounds.
        SizeError: For columns and lists of different lengths or indices.
    References: Benítez and Roca, eq (2) and (3); Mamon, eq (4); Ioffe, eq (4) and (6).
    """

    def work(
        d: FloatArray, _: Draws, wide: FloatArray | None, most: FloatArray | None = None
    ) -> FloatArray:
        return models.expected(d, model, cap=most, sd=wide)

    limit = [] if cap is None else [optional(cap, np.inf)]
    return _game(work, rating, opponent, home, "", (model, sd, opponent_sd), *limit)


def _game(
    work: Callable[..., object],
    rating: NumbersLike,
    opponent: NumbersLike,
    home: NumbersLike,
    draws: str | NumbersLike,
    deviations: tuple[str, NumbersLike, NumbersLike],
    *more: NumbersLike,
) -> NumbersLike:
    """What ``work`` gives for the difference of two ratings, the way of draws, the standard
    deviation of the difference (None: the usual one), and more arguments."""
    margins, spreads = margin_of(draws), _spreads(*deviations)

    def of_arrays(own: FloatArray, other: FloatArray, at: FloatArray, *rest: FloatArray) -> object:
        left = iter(rest)
        wide = np.hypot(*(next(left) for _ in spreads)) if spreads else None
        return work(own + at - other, next(left) if margins else draws, wide, *left)

    given = (rating, opponent, optional(home, 0), *spreads, *margins, *more)
    return by_element(of_arrays, *given)


def _spreads(model: str, *deviations: NumbersLike) -> list[ArgumentColumn]:
    """Two standard deviations as arguments; none where none is given."""
    if all(sd is None for sd in deviations):
        return []
    return [optional(sd, models.usual_sd(model)) for sd in deviations]


@as_in(expected)
def difference(
    score: NumbersLike,
    *,
    model: Model | str = "normal",
    sd: NumbersLike = None,
    opponent_sd: NumbersLike = None,
) -> NumbersLike:
    """Rating difference at which a fractional score is the expected one.

    >>> round(difference(0.625), 1), difference(0.625, model="fide")
    (90.1, 95.0)

    Args:
        score: An expected score, between 0 and 1.
    Returns: The difference in points. At 0 and 1: -inf and inf, in table 8.1.1 -800 and 800.
    References: Mamon, eq (1), (2) and (5).
    """

    def work(p: FloatArray, *spreads: FloatArray) -> FloatArray:
        return models.difference(p, model, np.hypot(*spreads) if spreads else None)

    return by_element(work, score, *_spreads(model, sd, opponent_sd))


class Outcomes(NamedTuple, Generic[Of]):
    """Probabilities of a game's outcomes, from the first player's side."""

    win: Of
    """that the first player wins"""
    draw: Of
    """that nobody does"""
    loss: Of
    """that the second player wins"""


@as_in(difference, expected)
def outcomes(
    rating: NumbersLike,
    opponent: NumbersLike,
    *,
    draws: DrawModel | str | NumbersLike = "split",
    model: Model | str = "normal",
    home: NumbersLike = 0,
    sd: NumbersLike = None,
    opponent_sd: NumbersLike = None,
) -> Outcomes[NumbersLike]:
    """Probabilities of win, draw and loss against an opponent.

    >>> win, draw, loss = outcomes(1600, 1500)
    >>> round(win, 4), round(draw, 4), round(loss, 4)
    (0.4073, 0.4618, 0.1309)

    Args:
        draws (str, number or column, default "split"): Where draws come from: ``"split"`` splits
            the expected score E into E², 2E(1-E) and (1-E)²; a number is the draw margin in points,
            0 or more; ``"davidson"`` and ``"rao-kupper"`` may have a number: ``"davidson:0.79"``.
    Returns: A named tuple of three floats or columns.
    References: Benítez and Roca, eq (4); Ioffe, eq (1) and (5).
    """

    def work(d: FloatArray, kind: Draws, wide: FloatArray | None) -> list[FloatArray]:
        return list(np.moveaxis(outcomes_.outcomes(d, kind, model, wide), -1, 0))

    return Outcomes(*_game(work, rating, opponent, home, draws, (model, sd, opponent_sd)))


@as_in(outcomes)
def expected_points(
    rating: NumbersLike,
    opponent: NumbersLike,
    *,
    win: NumbersLike = 3,
    draw: NumbersLike = 1,
    loss: NumbersLike = 0,
    draws: DrawModel | str | NumbersLike = "split",
    model: Model | str = "normal",
    home: NumbersLike = 0,
    sd: NumbersLike = None,
    opponent_sd: NumbersLike = None,
) -> NumbersLike:
    """Expected points of a game, with football's 3, 1 and 0 for win, draw and loss by default.

    >>> round(expected_points(1600, 1500, draws=50), 4)
    1.8424

    Args:
        win, draw, loss (number or column, default 3, 1 and 0): What each result is worth.
    Returns: The expected points.
    References: Benítez and Roca, problem 7.
    """

    def work(d: FloatArray, kind: Draws, wide: FloatArray | None, *worth: FloatArray) -> FloatArray:
        won, drawn, lost = worth
        return outcomes_.points(d, won, drawn, lost, kind, model, wide)

    worth = [optional(x, usual) for x, usual in ((win, 3), (draw, 1), (loss, 0))]
    return _game(work, rating, opponent, home, draws, (model, sd, opponent_sd), *worth)


@as_in(expected_points)
def match_odds(
    rating: NumbersLike,
    opponent: NumbersLike,
    length: NumbersLike,
    points: NumbersLike,
    *,
    kind: MatchKind = "exactly",
    draws: DrawModel | str | NumbersLike = "split",
    model: Model | str = "normal",
    home: NumbersLike = 0,
    sd: NumbersLike = None,
    opponent_sd: NumbersLike = None,
) -> NumbersLike:
    """Probability of scoring so many points in a match of so many games.

    >>> round(match_odds(1834, 2179, length=10, points=3, draws=0), 4)
    0.0724

    Args:
        length: How many games the match has: a whole number from 0 to 10,000.
        points: What the player scores in them: a multiple of ½.
        kind: ``"exactly"`` so many points, ``"at least"`` or ``"at most"``.
    Returns: The probability.
    References: Benítez and Roca, problem 4.
    """

    def work(
        d: FloatArray, by: Draws, wide: FloatArray | None, n: FloatArray, scored: FloatArray
    ) -> FloatArray:
        word = isinstance(by, str)
        arrays = np.broadcast_arrays(d, n, scored, 0 if word else by, 0 if wide is None else wide)
        result = np.empty(arrays[0].shape)
        for size in np.unique(n):
            here = arrays[1] == size
            ahead, _, at, margin, width = (x[here] for x in arrays)
            result[here] = outcomes_.match_probability(
                *(ahead, size, at, kind, by if word else margin, model),
                None if wide is None else width,
            )
        return result

    return _game(work, rating, opponent, home, draws, (model, sd, opponent_sd), length, points)


class Exchange(NamedTuple, Generic[Of]):
    """Points that two sides gain by a match."""

    first: Of
    """points of the first side"""
    second: Of
    """points of the second side"""


@as_in(exchange_.exchange, expected)
def exchange(
    rating: NumbersLike,
    opponent: NumbersLike,
    scored: NumbersLike,
    conceded: NumbersLike,
    *,
    rules: ExchangeRules = exchange_.WORLD_FOOTBALL,
    weight: NumbersLike = None,
    venue: NumbersLike = 0,
    knockout: NumbersLike = False,
    shootout: NumbersLike = 0,
    date: object = None,
) -> Exchange[NumbersLike]:
    """Points that two sides gain by a match of football, rugby, volleyball or table tennis.

    >>> exchange(1807, 1355, scored=3, conceded=1, weight=50)
    Exchange(first=5.0, second=-5.0)

    Args:
        date (a day or a column of days): When the match was played, which decides the edition of
            ``"world-rugby"``. Default: the one before July 2026.
    Returns: A named tuple of two floats or columns.
    References: World Football Elo Ratings; FIFA; World Rugby; FIVB; USA Table Tennis.
    """

    def work(*given: FloatArray) -> list[FloatArray]:
        own, other, goals, against, at, last, penalties, *importance = given
        known: dict[str, FloatArray] = {"venue": at, "knockout": last, "shootout": penalties}
        known |= dict(zip(["weight"], importance, strict=False))
        made = exchange_.exchange(own, other, goals, against, rules, **known)
        return list(np.moveaxis(made, -1, 0))

    options = [optional(x, 0) for x in (venue, knockout, shootout)]
    if date is not None and choose(rules, exchange_.RULES, "rules") == exchange_.WORLD_RUGBY:
        # its editions differ in the venue alone
        neutral = _days(date) >= np.datetime64(exchange_.NEUTRAL_RUGBY)
        options[0].numbers = np.where(neutral, 0.0, options[0].numbers)
    if weight is not None:
        usual, _ = exchange_.RULES[choose(rules, exchange_.RULES, "rules")]
        options.append(optional(weight, np.nan if usual is None else usual))
    return Exchange(*by_element(work, rating, opponent, scored, conceded, *options))


def _days(date: object) -> AnyArray:
    days = np.asarray(date)
    try:
        if days.dtype.kind not in "biuf":  # numbers would count from 1970
            return days.astype("datetime64[D]")
    except ValueError:
        pass
    raise DomainError(f"a date is a day, or written 2026-01-31, got {date!r}")


def margin_of(draws: str | NumbersLike) -> list[NumbersLike]:
    """The draw margin, which may be a column, as one more argument; none for a draw model."""
    return [] if isinstance(draws, str) else [draws]


own(vars())
