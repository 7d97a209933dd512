"""The health of a history's ratings, beside one plain pass over its games.

The pass sums what Elo's curve gives for each game with ``erf``; the health solves for the spread,
adds up residuals by player and by pair, and follows constant players and newcomers.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from bench._timing import fastest, report
from bench.fit import history
from elo_xl.engine.arrays import FloatArray
from elo_xl.questions.check.ratings import health

SIZES = ((30, 5_000, 0.1), (1_000, 100_000, 1.5))


def bare(rating: FloatArray, other: FloatArray, score: FloatArray) -> float:
    return math.fsum(
        points - (1 + math.erf((own - met) / 400)) / 2
        for own, met, points in zip(rating.tolist(), other.tolist(), score.tolist(), strict=True)
    )


def main() -> None:
    for players, games, goal in SIZES:
        one, two, score = history(players, games)
        strength = np.random.default_rng(1).normal(1500, 150, players)
        rating, other = strength[one], strength[two]
        time = np.arange(games) * 8.0 / games
        ours, reference = fastest(
            3,
            partial(health, one, two, score, rating, other, players, time=time),
            partial(bare, rating, other, score),
        )
        report(f"{players:,} players, {games:,} games", ours, reference, None, "a pass")
        print(f"{'':<52} {ours:.2f} s, goal {goal:g} s")


if __name__ == "__main__":
    main()
