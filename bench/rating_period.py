"""One period of a million players and five million games, beside blocked ``np.add.at``.

The reference does only what cannot be left out: gathers both ratings, evaluates the bare model and
adds each game to both players, in blocks. It checks nothing, and knows no player without the cap.
The plain loop is what everybody writes first, in lists; it gets a fiftieth of the games.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.special import ndtr

from bench._timing import faster, fastest, report
from elo_xl.engine.models import hundredths_by_difference
from elo_xl.engine.period import rating_changes
from elo_xl.engine.rounding import FloatArray

PLAYERS, GAMES, BLOCK, SHARE = 1_000_000, 5_000_000, 1 << 16, 50


def plain(
    change: list[float],
    ratings: list[float],
    first: list[int],
    second: list[int],
    score: list[float],
) -> None:
    for a, b, s in zip(first, second, score, strict=True):
        gain = 20 * (s - 1 / (1 + 10 ** ((ratings[b] - ratings[a]) / 400)))
        change[a] += gain
        change[b] -= gain


def main() -> None:
    rng = np.random.default_rng(1)
    ratings = rng.normal(1700, 250, PLAYERS).round()
    first = rng.integers(0, PLAYERS, GAMES)
    second = (first + rng.integers(1, PLAYERS, GAMES)) % PLAYERS
    score = rng.integers(0, 3, GAMES) / 2
    table = hundredths_by_difference()

    def logistic(d: FloatArray) -> FloatArray:
        return np.asarray(1 / (1 + np.exp(d * (-np.log(10) / 400))))

    def normal(d: FloatArray) -> FloatArray:
        return ndtr(d / 282.8427)

    def fide(d: FloatArray) -> FloatArray:
        return table[np.clip(d, -400, 400).astype(np.int64)] / 100

    def blocked(model: Callable[[FloatArray], FloatArray]) -> FloatArray:
        total = np.zeros(PLAYERS)
        for start in range(0, GAMES, BLOCK):
            part = slice(start, start + BLOCK)
            a, b = first[part], second[part]
            gain = score[part] - model(ratings[a] - ratings[b])
            np.add.at(total, a, gain)
            np.subtract.at(total, b, gain)
        return 20 * total

    for name, rules, model in (
        ("logistic", "logistic", logistic),
        ("normal", "elo", normal),
        ("FIDE", "fide", fide),
    ):
        ours, reference = fastest(
            9,
            partial(rating_changes, ratings, 20, first, second, score, rules),
            partial(blocked, model),
        )
        report(f"period of 5,000,000 games, {name}", ours, reference, 1.2, "blocked np.add.at")

    fractions = ratings + 0.25
    ours, reference = fastest(
        9,
        partial(rating_changes, fractions, 20, first, second, score, "logistic"),
        partial(blocked, logistic),
    )
    report("the same, logistic, ratings in fractions", ours, reference, 1.2, "blocked np.add.at")

    some = (x[: GAMES // SHARE].tolist() for x in (first, second, score))
    (loop,) = fastest(3, partial(plain, [0.0] * PLAYERS, ratings.tolist(), *some))
    faster("the same, logistic", ours, SHARE * loop, "a plain loop")

    tracemalloc.start()
    rating_changes(ratings, 20, first, second, score)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    print(f"{'memory over the inputs, result included':<52} {peak:6.1f} MB  limit 20")


if __name__ == "__main__":
    main()
