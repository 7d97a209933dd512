"""How good the ratings of a history are, beside one plain pass over its games.

The pass keeps the ratings in a list and predicts each game with ``erf``. The check predicts all
games with some hundred pairs of K and White's advantage, finds the best, and its intervals; what
it says of the ratings beside the games solves for the spread and adds up residuals by player and
by pair.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from bench._timing import fastest, report
from bench.fit import history
from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.questions.check.numbers import History, check
from elo_xl.questions.check.ratings import health

SIZES = ((30, 5_000, 0.5, 0.1), (1_000, 100_000, 3.0, 1.5))


def bare(white: IntArray, black: IntArray, score: FloatArray, players: int) -> None:
    rating = [1500.0] * players
    loss = 0.0
    for one, two, points in zip(white.tolist(), black.tolist(), score.tolist(), strict=True):
        chance = (1 + math.erf((rating[one] - rating[two]) / 400)) / 2
        loss -= points * math.log(chance) + (1 - points) * math.log(1 - chance)
        rating[one] += 20 * (points - chance)
        rating[two] -= 20 * (points - chance)


def checked(
    white: IntArray, black: IntArray, score: FloatArray, players: int, period: IntArray | None
) -> None:
    check(History(white, black, score, players, period=period))


def main() -> None:
    for players, games, goal, of_ratings in SIZES:
        one, two, score = history(players, games)
        months = np.arange(games) * 60 // games
        strength = np.random.default_rng(1).normal(1500, 150, players)
        passed = partial(bare, one, two, score, players)

        rated = partial(
            health, one, two, score, strength[one], strength[two], players, time=months / 12
        )
        for how, work, most in (
            ("by game", partial(checked, one, two, score, players, None), goal),
            ("by month", partial(checked, one, two, score, players, months), goal),
            ("its ratings", rated, of_ratings),
        ):
            ours, reference = fastest(3, work, passed)
            report(f"{players:,} players, {games:,} games, {how}", ours, reference, None, "a pass")
            print(f"{'':<52} {ours:.2f} s, goal {most:g} s")


if __name__ == "__main__":
    main()
