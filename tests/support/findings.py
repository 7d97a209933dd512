"""Books of findings: what commands have found of games whose truth is known."""

from __future__ import annotations

from functools import cache

import numpy as np

from elo_xl.books.book import Book
from elo_xl.engine import fit as engine
from elo_xl.engine.check import check
from elo_xl.templates.fitted import fitted_book
from elo_xl.templates.k_check import k_check_book
from elo_xl.tournament.checking import Checked
from elo_xl.tournament.event import Player
from elo_xl.tournament.fitting import FittedEvents


@cache
def checked(games: int = 2000) -> Checked:
    """A history of players who stay as they are, and of a true advantage of 30 points."""
    rng = np.random.default_rng(5)
    strength = rng.normal(0, 200, 30)
    white = rng.integers(0, 30, games)
    black = (white + rng.integers(1, 30, games)) % 30
    chance = 1 / (1 + 10 ** ((strength[black] - strength[white] - 30) / 400))
    score = (rng.random((2, games)) < chance).sum(0) / 2
    return Checked(check(white, black, score, 30, rating=1500), "game", None, 0, ())


@cache
def k_book(language: str = "en") -> Book:
    return k_check_book(checked(), language)


@cache
def fitted() -> FittedEvents:
    """Four players who have met, one who has only lost, and two who have met nobody else."""
    white, black = [0, 1, 2, 3, 0, 1, 2, 3, 3, 5, 6], [1, 2, 3, 0, 2, 3, 0, 1, 4, 6, 5]
    score = [1, 0.5, 1, 0, 0.5, 1, 0, 0.5, 1, 1, 1]
    names = ("Aubert, Ada", "Blanco, Bo", "Costa, Cy", "Duarte, Di", "Eder, Ed", "=1+1", "<Fo>")
    players = tuple(Player(i, name, None) for i, name in enumerate(names, start=1))
    done = engine.fit(white, black, score, len(players))
    return FittedEvents(players, done, None, 1500.0, True, len(white), 0, ())


@cache
def fit_book(language: str = "en") -> Book:
    return fitted_book(fitted(), language)
