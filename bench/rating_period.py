"""``elo_xl.rate_period``, a million games of 10,000 players, beside blocked ``np.add.at``.

The reference does only what cannot be left out: gathers both ratings, evaluates the bare model and
adds each game to both players, in blocks. It checks nothing, reads no name and no result, knows no
player without the cap, and finds no K and no performance. The plain loop is what everybody writes
first, in lists; it gets a fiftieth of the games.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy.special import ndtr

import elo_xl as elo
from bench._timing import faster, fastest, report
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.models import hundredths_by_difference

PLAYERS, GAMES, BLOCK, SHARE = 10_000, 1_000_000, 1 << 16, 50


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

    ids = np.arange(PLAYERS) + 1_000_000
    names = np.array([f"Player {number:05d}, Of The Bench" for number in range(PLAYERS)], object)
    numbered = {"name": ids, "rating": ratings, "k": np.full(PLAYERS, 20)}
    named = numbered | {"name": names.tolist()}
    games = {"white": ids[first], "black": ids[second], "result": score}
    texts = pd.Series(names, dtype="str")
    coded = pd.Categorical.from_codes
    dictionary = [pa.DictionaryArray.from_arrays(side, pa.array(names)) for side in (first, second)]
    for what, players, played, rules, model, limit in (
        ("numbers", numbered, games, "fide", fide, 2),
        ("numbers, logistic", numbered, games, "logistic", logistic, 3),
        ("numbers, normal", numbered, games, "elo", normal, 3),
        (
            "numbers, ratings in fractions",
            numbered | {"rating": ratings + 0.25},
            games,
            "fide",
            fide,
            None,
        ),
        (
            "names in lists",
            named,
            games | {"white": names[first].tolist(), "black": names[second].tolist()},
            "fide",
            fide,
            8,
        ),
        (
            "names, pandas",
            pd.DataFrame(named),
            pd.DataFrame(games | {"white": texts[first].array, "black": texts[second].array}),
            "fide",
            fide,
            8,
        ),
        (
            "names, categories of pandas",
            pd.DataFrame(named),
            pd.DataFrame(games | {"white": coded(first, names), "black": coded(second, names)}),
            "fide",
            fide,
            8,
        ),
        (
            "names, dictionaries of Arrow",
            pa.table(named),
            pa.table(games | {"white": dictionary[0], "black": dictionary[1]}),
            "fide",
            fide,
            8,
        ),
    ):
        ours, reference = fastest(
            9, partial(elo.rate_period, played, players, rules=rules), partial(blocked, model)
        )
        report(f"period of 1,000,000 games, {what}", ours, reference, limit, "blocked np.add.at")

    some = (x[: GAMES // SHARE].tolist() for x in (first, second, score))
    ours, loop = fastest(
        3,
        partial(elo.rate_period, games, numbered),
        partial(plain, [0.0] * PLAYERS, ratings.tolist(), *some),
    )
    faster("the same, numbers", ours, SHARE * loop, "a plain loop")

    tracemalloc.start()
    elo.rate_period(games, numbered)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    print(f"{'memory over the inputs, result included':<52} {peak:6.1f} MB  limit 20")


if __name__ == "__main__":
    main()
