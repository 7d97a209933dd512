"""Books of findings: what commands have found of games whose truth is known."""

from __future__ import annotations

from functools import cache

import numpy as np

from elo_xl.books.book import Book
from elo_xl.engine.check import check
from elo_xl.templates.k_check import k_check_book
from elo_xl.tournament.checking import Checked


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
