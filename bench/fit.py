"""Ratings from all games at once, beside the passes over the games that nothing can do without.

The reference counts the games of each pair and works out one likelihood with its slope. Ordo, a
program in C, took 1.4 s and 21.5 s for the same sizes on a machine like this, and with errors from
20 simulations 30 s and 278 s: figures of another run, which are only told.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from bench._timing import fastest, report
from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.fit import fit
from elo_xl.engine.models import LOGISTIC_SCALE
from elo_xl.engine.outcomes import outcomes

SIZES = (
    (1_000, 100_000, True, 0.5, "Ordo: 1.4 s, with errors 30 s"),
    (10_000, 1_000_000, False, 5.0, "Ordo: 21.5 s"),
)


def history(players: int, games: int) -> tuple[IntArray, IntArray, FloatArray]:
    rng = np.random.default_rng(1)
    strength = rng.normal(0, 200, players)
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    ahead = strength[white] - strength[black] + 35
    win, draw, _ = outcomes(ahead, "davidson:0.86", "logistic").T
    drawn = rng.random(games)
    return white, black, np.where(drawn < win, 1, np.where(drawn < win + draw, 0.5, 0))


def bare(white: IntArray, black: IntArray, score: FloatArray, players: int) -> None:
    np.unique((white * players + black) * 3 + (2 * score).astype(int), return_counts=True)
    ratings = np.zeros(players)
    d = (ratings[white] - ratings[black]) / LOGISTIC_SCALE
    root = np.exp(-np.abs(d) / 2)
    total = 1 + root + root * root
    np.log(total).sum()
    np.bincount(white, 1 / total, players)
    np.bincount(black, 1 / total, players)


def main() -> None:
    for players, games, errors, goal, others in SIZES:
        one, two, score = history(players, games)
        ours, reference = fastest(
            3,
            partial(fit, one, two, score, players, errors=errors),
            partial(bare, one, two, score, players),
        )
        what = f"{players:,} players, {games:,} games{', all errors' if errors else ''}"
        report(what, ours, reference, None, "one pass")
        print(f"{'':<52} {ours:.2f} s, goal {goal:g} s; {others}")


if __name__ == "__main__":
    main()
