"""Books of findings: what commands have found of games whose truth is known."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from elo_xl.books.book import Book
from elo_xl.engine import fit as engine
from elo_xl.events.event import Player
from elo_xl.questions.check.event import Checked
from elo_xl.questions.check.numbers import History, check
from elo_xl.questions.check.ratings import Health, health
from elo_xl.questions.fit import FittedEvents, fitted_book
from elo_xl.templates.samples import MEMBERS

NAMES: Final = tuple(member.name for member in MEMBERS)


@cache
def season(games: int = 2000) -> tuple[Any, Any, Any]:
    """White, Black and White's score of members whose strengths wander, with White 30 points
    ahead."""
    rng = np.random.default_rng(8)
    players = len(NAMES)
    wandering = rng.normal(0, 3, (games, players)).cumsum(0)
    strength = np.linspace(250, -250, players) + wandering
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    every = np.arange(games)
    ahead = strength[every, white] - strength[every, black] + 30
    chance = 1 / (1 + 10 ** (-ahead / 400))
    return white, black, (rng.random((2, games)) < chance).sum(0) / 2


@cache
def checked() -> Checked:
    """All games of the members."""
    return Checked(check(History(*season(), len(NAMES))), None, "game", None, 0, ())


@cache
def season_fitted() -> FittedEvents:
    """Their last games, as one history."""
    return _fitted([column[-300:] for column in season()], NAMES)


@cache
def fitted() -> FittedEvents:
    """Four players who have met, one who has only lost, and two who have met nobody else."""
    white, black = [0, 1, 2, 3, 0, 1, 2, 3, 3, 5, 6], [1, 2, 3, 0, 2, 3, 0, 1, 4, 6, 5]
    score = [1, 0.5, 1, 0, 0.5, 1, 0, 0.5, 1, 1, 1]
    names = ("Aubert, Ada", "Blanco, Bo", "Costa, Cy", "Duarte, Di", "Eder, Ed", "=1+1", "<Fo>")
    return _fitted((white, black, score), names)


def _fitted(games: Sequence[Any], names: Sequence[str]) -> FittedEvents:
    players = tuple(Player(i, name, None) for i, name in enumerate(names, start=1))
    white, black, score = games
    done = engine.fit(white, black, score, len(players))
    return FittedEvents(players, done, [], engine.LEVEL, True, False, len(white), 0, ())


@cache
def fit_book(language: str = "en") -> Book:
    return fitted_book(fitted(), language)


@cache
def examined() -> Health:
    """Eight years of ratings that lie a third further apart than strengths and sink by 5 points a
    year, and of newcomers who are 100 points better than theirs."""
    rng = np.random.default_rng(7)
    strength = rng.normal(1600, 200, 40)
    white = rng.integers(0, 40, 3000)
    black = (white + rng.integers(1, 40, 3000)) % 40
    time = np.sort(2015 + 8 * rng.random(3000))
    here = (time > 2018) | ((white < 30) & (black < 30))
    white, black, time = white[here], black[here], time[here]
    chance = 1 / (1 + 10 ** ((strength[black] - strength[white]) / 400))
    score = (rng.random((2, time.size)) < chance).sum(0) / 2
    new = np.where(np.arange(40) < 30, 0, 100)
    loss = rng.normal(5, 5, 40)
    rating, other = (
        (strength[x] - 400) / 0.75 - new[x] - loss[x] * (time - 2015) for x in (white, black)
    )
    return health(white, black, score, rating, other, 40, time=time)
