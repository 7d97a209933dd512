"""A million games one after another, beside the plain loop that everybody writes first.

The loop keeps the ratings in a list and computes ``1 / (1 + 10 ** (d / 400))``; it checks nothing
and keeps no history. elote (group ``bench``) is measured too if it is installed, with an object for
each player as its documentation has it, on a fiftieth of the games.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from bench._timing import fastest, report
from elo_xl.engine.models import IntArray
from elo_xl.engine.rounding import FloatArray
from elo_xl.engine.systems import Elo

GAMES, SHARE = 1_000_000, 50
LIMITS = {20: None, 1000: 150 / 330, 100_000: 150 / 330}


def plain(players: int, first: IntArray, second: IntArray, score: FloatArray) -> list[float]:
    rating = [1500.0] * players
    for a, b, s in zip(first.tolist(), second.tolist(), score.tolist(), strict=True):
        gain = 20 * (s - 1 / (1 + 10 ** ((rating[b] - rating[a]) / 400)))
        rating[a] += gain
        rating[b] -= gain
    return rating


def elote(players: int, first: IntArray, second: IntArray, score: FloatArray) -> None:
    competitor = import_module("elote").EloCompetitor
    everybody = [competitor(initial_rating=1500) for _ in range(players)]
    for a, b, s in zip(first.tolist(), second.tolist(), score.tolist(), strict=True):
        if s == 1:
            everybody[a].beat(everybody[b])
        elif s == 0:
            everybody[b].beat(everybody[a])
        else:
            everybody[a].tied(everybody[b])


def main() -> None:
    rng = np.random.default_rng(1)
    for players, limit in LIMITS.items():
        first = rng.integers(0, players, GAMES)
        second = (first + rng.integers(1, players, GAMES)) % players
        score = rng.integers(0, 3, GAMES) / 2
        games = first, second, score
        logistic, normal = Elo(model="logistic").rate, Elo().rate
        loop = partial(plain, players, *games)
        assert np.abs(logistic(*games, players).rating - loop()).max() < 1e-9
        ours, elos, history, reference = fastest(
            5,
            partial(logistic, *games, players),
            partial(normal, *games, players),
            partial(logistic, *games, players, history=True),
            loop,
        )
        what = f"{GAMES:,} games of {players:,}"
        report(what, ours, reference, limit, "a plain loop")
        report(f"{what}, normal", elos, reference, limit, "a plain loop")
        report(f"{what}, with history", history, reference, None, "a plain loop")
        if find_spec("elote"):
            few = slice(GAMES // SHARE)
            (peer,) = fastest(2, partial(elote, players, first[few], second[few], score[few]))
            report(what, ours, SHARE * peer, None, "elote")


if __name__ == "__main__":
    main()
