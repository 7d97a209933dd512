"""The deviation that past chess games speak for: simulated clubs, and a plain search."""

import math

import numpy as np
import pytest

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.bayes import estimate_sd
from elo_xl.engine.errors import DomainError, SizeError
from elo_xl.engine.outcomes import outcomes
from tests.support.evidence import probability
from tests.support.levels import cases


def club(
    seed: int, sd: float, players: int = 60, games: int = 1500, model: str = "normal"
) -> tuple[FloatArray, IntArray, IntArray, FloatArray]:
    """Ratings that are off by ``sd``, and games that the true strengths decide."""
    rng = np.random.default_rng(seed)
    ratings = rng.normal(1700, 200, players)
    strengths = ratings + rng.normal(0, sd, players)
    first = rng.integers(0, players, games)
    second = (first + rng.integers(1, players, games)) % players
    return ratings, first, second, played(rng, strengths[first] - strengths[second], model)


def played(rng: np.random.Generator, difference: FloatArray, model: str = "normal") -> FloatArray:
    """Scores as strengths make them likely."""
    chances = outcomes(difference, model=model)
    at = rng.random(difference.size)
    scores = np.where(at < chances[:, 0], 1.0, np.where(at < chances[:, :2].sum(axis=1), 0.5, 0.0))
    return np.asarray(scores)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "sd", "model"),
    cases(
        [(seed, *of) for seed in range(12) for of in ((60, "normal"), (150, "logistic"))],
        test=[(0, 60, "normal"), (0, 150, "logistic")],
    ),
)
def test_the_deviation_of_a_simulated_club_is_found(seed: int, sd: float, model: str) -> None:
    found = estimate_sd(*club(seed, sd, model=model), model=model)
    assert abs(found.sd - sd) < 3.5 * found.standard_error
    assert found.standard_error < 0.25 * sd
    # about as exact as knowing the 60 strengths would make it: sd/√(2·60)
    assert found.standard_error > 0.9 * found.sd / math.sqrt(120)


def test_it_is_the_most_likely_one() -> None:
    """Everybody plays once: the games do not touch, and the likelihood is a product."""
    rng = np.random.default_rng(7)
    ratings = rng.normal(1700, 100, 600)
    strengths = ratings + rng.normal(0, 200, 600)
    score = played(rng, strengths[::2] - strengths[1::2])
    found = estimate_sd(ratings, np.arange(0, 600, 2), np.arange(1, 600, 2), score)
    difference = ratings[::2] - ratings[1::2]

    def log_likelihood(sd: float) -> float:
        return float(np.log(probability(difference, 2 * sd**2, score)).sum())

    around = found.sd * np.linspace(0.9, 1.1, 41)
    best = around[np.argmax([log_likelihood(sd) for sd in around])]
    assert abs(best - found.sd) <= 0.005 * found.sd
    h = 0.01 * found.sd
    bend = sum(w * log_likelihood(found.sd + d) for w, d in ((1, h), (-2, 0.0), (1, -h))) / h**2
    assert found.standard_error == pytest.approx(1 / math.sqrt(-bend), rel=0.02)


def test_where_games_do_not_surprise_the_deviation_is_nil() -> None:
    found = estimate_sd([1500] * 4, [0, 2] * 20, [1, 3] * 20, [0.5] * 40)
    assert (found.sd, found.standard_error) == (0.0, math.inf)


def test_games_that_say_too_little() -> None:
    with pytest.raises(SizeError, match="1 games are too few"):
        estimate_sd([2500, 1000], [1], [0], [1])
    with pytest.raises(DomainError, match="score must be"):
        estimate_sd([1500, 1500], [0], [1], [0.3])
