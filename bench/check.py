"""The check of a history's ratings, beside one plain pass over its games with a single K.

The pass keeps the ratings in a list and predicts each game with ``erf``; the check predicts all
games with some hundred pairs of K and White's advantage, finds the best, and its intervals.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from bench._timing import fastest, report
from bench.fit import history
from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.questions.check.numbers import check

SIZES = ((30, 5_000, 0.5), (1_000, 100_000, 3.0))


def bare(white: IntArray, black: IntArray, score: FloatArray, players: int) -> None:
    rating = [1500.0] * players
    loss = 0.0
    for one, two, points in zip(white.tolist(), black.tolist(), score.tolist(), strict=True):
        chance = (1 + math.erf((rating[one] - rating[two]) / 400)) / 2
        loss -= points * math.log(chance) + (1 - points) * math.log(1 - chance)
        rating[one] += 20 * (points - chance)
        rating[two] -= 20 * (points - chance)


def main() -> None:
    for players, games, goal in SIZES:
        one, two, score = history(players, games)
        months = np.arange(games) * 60 // games
        passed = partial(bare, one, two, score, players)
        for how, period in (("by game", None), ("by month", months)):
            ours, reference = fastest(
                3, partial(check, one, two, score, players, period=period), passed
            )
            report(f"{players:,} players, {games:,} games, {how}", ours, reference, None, "a pass")
            print(f"{'':<52} {ours:.2f} s, goal {goal:g} s")


if __name__ == "__main__":
    main()
