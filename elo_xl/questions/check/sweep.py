"""How well each of many K, advantages of White and ν would have predicted a history.

The parts of the grid know nothing of each other, so that whatever maps a function over a list may
compute them: this process, a pool of processes, a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np

from elo_xl.engine.errors import DomainError, require
from elo_xl.engine.evidence import MOST, within
from elo_xl.engine.quality import brier, log_loss
from elo_xl.engine.rounding import FloatArray
from elo_xl.questions.check.numbers import History, draw_losses

Tasks = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""What maps a function over a list, as ``map`` does."""

COLUMNS: Final = ("k", "home", "draw", "log_loss", "brier", "outcome_loss")
"""What is known of each combination; without a ν neither ``draw`` nor ``outcome_loss``."""

_PART: Final = 8
"""K and advantages that are one task: they share the walk through the games."""


def sweep(
    history: History, k: FloatArray, home: FloatArray, draw: FloatArray, *, tasks: Tasks
) -> dict[str, FloatArray]:
    """The losses of every combination of K, advantage and ν: a column for each of COLUMNS.

    >>> luck = np.random.default_rng(1)
    >>> white, score = luck.integers(0, 20, 400), luck.integers(0, 3, 400) / 2
    >>> games = History.of(white, (white + 1) % 20, score, 20, 1500, None, 1)
    >>> table = sweep(games, np.array([0.0, 40]), np.zeros(1), np.zeros(0), tasks=map)
    >>> table["k"].tolist(), table["log_loss"].round(4).tolist()
    ([0.0, 40.0], [0.6931, 0.7077])

    ``outcome_loss`` is the log loss of wins, draws and losses by Davidson's model with ν. Raises
    DomainError for numbers out of bounds, and where there is nothing to try.
    """
    for name, values in (("K", k), ("home", home)):
        if not values.size:
            raise DomainError(f"a sweep needs at least one {name}")
    within(k, 0.0, MOST, "K must not be below 0")
    within(home, -MOST, MOST, "home must be within 1,000,000 points of 0")
    require((draw > 0) & (draw < np.inf), "draw must be above 0", draw)
    pairs = np.array(list(product(k.tolist(), home.tolist())))
    parts = [pairs[begin : begin + _PART] for begin in range(0, len(pairs), _PART)]
    rows = np.concatenate(list(tasks(partial(_part, history, draw), parts)))
    names = COLUMNS if draw.size else ("k", "home", "log_loss", "brier")
    return dict(zip(names, rows.T, strict=True))


def _part(history: History, draw: FloatArray, pairs: FloatArray) -> FloatArray:
    """The rows of some K and advantages."""
    rows = []
    for pair, chance in zip(pairs, history.predict(*pairs.T).T, strict=True):
        losses = log_loss(chance, history.result), brier(chance, history.result)
        for nu in draw:
            drawn = draw_losses(chance, history.result, np.array([nu])).mean()
            rows.append([*pair, nu, *losses, drawn])
        if not draw.size:
            rows.append([*pair, *losses])
    return np.array(rows)
