"""100,000 Bayesian posteriors, beside the special functions that each cannot do without.

The reference evaluates Owen's T once and the normal distribution twice on ready arguments, and adds
nothing up. The peer is what the formula says without more thought: ``scipy.integrate.quad``.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr, owens_t

from bench._timing import Work, fastest, report
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.bayes import posterior, rate_sequence
from elo_xl.engine.models import DIFFERENCE_SD, SD
from elo_xl.engine.outcomes import outcomes

N = 100_000
PLAYERS, GAMES = 40, 1000


def integrated(m: float, v: float) -> float:
    """Mean of the rating difference after a win, from two integrals."""

    def density(d: float) -> float:
        return math.erfc(-d / (2 * SD)) ** 2 * math.exp(-((d - m) ** 2) / (2 * v))

    reach = 12 * math.sqrt(v)
    total = quad(density, m - reach, m + reach, points=[m])[0]
    return float(quad(lambda d: d * density(d), m - reach, m + reach, points=[m])[0] / total)


def main() -> None:
    rng = np.random.default_rng(1)
    rating, opponent = rng.normal(1700, 200, (2, N))
    sd, opponent_sd = rng.uniform(30, 300, (2, N))
    chances = outcomes(rating - opponent).cumsum(axis=1)
    score = 1 - (rng.random(N)[:, None] > chances).sum(axis=1) / 2
    anything = rng.integers(0, 3, N) / 2
    v = sd**2 + opponent_sd**2
    h = (rating - opponent) / np.sqrt(DIFFERENCE_SD**2 + v)
    q = DIFFERENCE_SD / np.sqrt(DIFFERENCE_SD**2 + 2 * v)
    qh = q * h

    def bare() -> None:
        owens_t(h, q)
        ndtr(h)
        ndtr(qh)

    def by_quad() -> None:
        for i in range(50):
            integrated(rating[i] - opponent[i], v[i])

    def games(score: FloatArray, model: str = "normal", draws: str | float = "split") -> Work:
        return partial(posterior, rating, opponent, score, sd, opponent_sd, draws, model)

    ours, limit, others = fastest(60, games(score), bare, games(anything))
    peer = fastest(3, by_quad)[0]
    report("100,000 posteriors", ours, limit, 1.3, "owens_t and 2 ndtr")
    report("the same, scores as if all players were equal", others, limit, None, "the same")
    ratio = (peer / 50) / (ours / N)
    verdict = "ok" if ratio >= 1000 else "UNDER"
    print(f"{'one posterior':<52} {ratio:6.0f} times as fast as quad  limit 1000  {verdict}")
    for model, draws in (
        ("logistic", "split"),
        ("normal", 30.0),
        ("logistic", 30.0),
        ("fide", "split"),
    ):
        each = fastest(3, games(score, model, draws))[0]
        print(f"{f'{model}, draws {draws}':<52} {1e6 * each / N:6.2f} µs a posterior")

    # drawn by lot, one after another
    first = rng.integers(0, PLAYERS, GAMES)
    second = (first + rng.integers(1, PLAYERS, GAMES)) % PLAYERS
    start = np.full(PLAYERS, 1500.0)
    (chess,) = fastest(20, partial(rate_sequence, start, 200.0, first, second, anything[:GAMES]))
    print(f"{'1,000 chess games of 40 players in their order':<52} {1e3 * chess:6.2f} ms")


if __name__ == "__main__":
    main()
