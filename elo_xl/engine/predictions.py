"""What a rating system, or a fit, expects of games, from what it knows of both players.

It is what the system itself reckons with when it rates the next games: the rating difference with
the home advantage on its curve, and where it keeps deviations these as well, of both players
(Glickman; Ioffe).
"""

from __future__ import annotations

from functools import singledispatch
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.engine import bayes, glicko, models
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import OptionError
from elo_xl.engine.evidence import MOST, within
from elo_xl.engine.fit import Fit
from elo_xl.engine.outcomes import at_expected, outcomes
from elo_xl.engine.rulebooks import rulebook
from elo_xl.engine.systems import Elo, Glicko, Glicko2, Ioffe, Rules, State, System


class Predicted(NamedTuple):
    """What is expected of games, a number per game."""

    expected: FloatArray
    """the first player's expected score"""
    outcomes: FloatArray | None
    """a row per game: win, draw and loss; None if nothing is known of draws"""


def predict(
    model: System | Fit,
    first: State,
    second: State,
    neutral: npt.NDArray[np.bool_],
    draws: str | None = None,
    period: npt.ArrayLike = 0,
) -> Predicted:
    """Predict games.

    >>> one, two = {"rating": np.array([1800.0])}, {"rating": np.array([1700.0])}
    >>> made = predict(Elo(model="logistic"), one, two, np.array([False]), "split")
    >>> made.expected.round(4).tolist(), made.outcomes.round(4).tolist()
    ([0.6401], [[0.4097, 0.4608, 0.1296]])

    ``first`` and ``second`` have what the system keeps of the players of each game, with a rating
    for everybody; a deviation that is NaN is the one with which players begin. ``neutral`` says
    which games are on neutral ground, ``period`` in which period they are: players begin it as the
    system says. ``draws`` are those of
    :func:`~elo_xl.engine.outcomes.at_expected`.

    Raises OptionError for draws that are unknown, or where the model has its own; DomainError for
    ratings and deviations that the system does not take.
    """
    if isinstance(model, Ioffe | Fit) and draws is not None:
        raise OptionError(f"{type(model).__name__} has draws of its own, got {draws!r}")
    if isinstance(model, Fit):
        return _by_fit(model, first, second, neutral)
    for side in (first, second):
        within(side["rating"], -MOST, MOST, "rating must be within 1,000,000 points of 0")
    first, second = (model.begun(side, period) for side in (first, second))
    if isinstance(model, Ioffe):
        return _by_bayes(model, first, second)
    chance = _expected(model, first, second, neutral)
    return Predicted(chance, None if draws is None else at_expected(chance, draws))


def _by_fit(model: Fit, first: State, second: State, neutral: npt.NDArray[np.bool_]) -> Predicted:
    with np.errstate(invalid="ignore"):  # of two who have won all games nobody knows
        ahead = first["rating"] + np.where(neutral, 0.0, model.home) - second["rating"]
    if np.isnan(model.draw):
        return Predicted(models.expected(ahead, "logistic"), None)
    if np.isinf(model.draw):
        every = np.broadcast_to([0.0, 1.0, 0.0], (ahead.size, 3))
    else:
        every = outcomes(ahead, f"davidson:{model.draw}", "logistic")
    return Predicted(every[:, 0] + every[:, 1] / 2, every)


def _by_bayes(system: Ioffe, first: State, second: State) -> Predicted:
    own, opponent = first["rating"], second["rating"]
    sd, other = first["sd"], second["sd"]
    # a margin of 0 has no draws, which is why they are what is left
    win, loss = (
        bayes.posterior(own, opponent, score, sd, other, system.draws, system.model).probability
        for score in (1, 0)
    )
    draw = np.maximum(1 - win - loss, 0)
    return Predicted(win + draw / 2, np.stack([win, draw, loss], axis=-1))


@singledispatch
def _expected(
    system: System, first: State, second: State, neutral: npt.NDArray[np.bool_]
) -> FloatArray:
    return system.expected(first, second, neutral)


@_expected.register
def _(system: Elo, first: State, second: State, neutral: npt.NDArray[np.bool_]) -> FloatArray:
    home = np.where(neutral, 0.0, system.home)
    return models.expected(first["rating"] + home - second["rating"], system.model)


@_expected.register
def _(system: Glicko, first: State, second: State, neutral: npt.NDArray[np.bool_]) -> FloatArray:
    return glicko.expected(first["rating"], first["rd"], second["rating"], second["rd"])


@_expected.register
def _(system: Glicko2, first: State, second: State, neutral: npt.NDArray[np.bool_]) -> FloatArray:
    rds = first["rd"], second["rd"]
    return glicko.expected(first["rating"], rds[0], second["rating"], rds[1], 1 / glicko.SCALE)


@_expected.register
def _(system: Rules, first: State, second: State, neutral: npt.NDArray[np.bool_]) -> FloatArray:
    book = rulebook(system.rules)
    own, other = first["rating"], second["rating"]
    home = np.where(neutral, 0.0, system.home)
    # every game is an event of its own
    counted = book.difference(own + home - other, own, np.arange(own.size))
    return np.where(book.counts(own, other), book.expected(counted), np.nan)
