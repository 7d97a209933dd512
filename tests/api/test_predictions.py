"""Predictions of games, beside formulas as their papers have them."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import elo_xl as elo

PLAYERS: dict[str, list[Any]] = {
    "name": ["Ana", "Bo", "Cy", "Di"],
    "rating": [1834.0, 2179, 1500, None],
    "rd": [80.0, 150, None, 50],
    "sd": [100.0, 60, None, 50],
}
GAMES: dict[str, list[Any]] = {
    "white": ["Ana", "Bo", "Cy", "Ana", "Zed", "Ana"],
    "black": ["Bo", "Cy", "Ana", "Di", "Ana", None],
    "neutral": [False, True, False, False, False, False],
}
PAIRS = [(1834, 2179), (2179, 1500), (1500, 1834)]


def rounded(column: Any) -> list[float | None]:
    return [None if x is None or math.isnan(x) else round(x, 10) for x in column]


def normal(ahead: float, variance: float = 2 * 200**2) -> float:
    return math.erfc(-ahead / math.sqrt(2 * variance)) / 2


def logistic(ahead: float) -> float:
    return 1 / (1 + 10 ** (-ahead / 400))


def dulled(*deviations: float) -> float:
    """Glickman's g, for the deviations of both players together."""
    q = math.log(10) / 400
    return 1 / math.sqrt(1 + 3 * q**2 * sum(rd**2 for rd in deviations) / math.pi**2)


RDS = [(80, 150), (150, 350), (350, 80)]
SDS = [(100, 60), (60, 200), (200, 100)]


@pytest.mark.parametrize(("system", "right"), [
    (elo.Elo(), [normal(a - b) for a, b in PAIRS]),
    (elo.Elo(model="logistic", home=60),
     [logistic(a + home - b) for (a, b), home in zip(PAIRS, (60, 0, 60), strict=True)]),
    (elo.Glicko(),
     [logistic(dulled(*rd) * (a - b)) for (a, b), rd in zip(PAIRS, RDS, strict=True)]),
    (elo.Glicko(growth=40),
     [logistic(dulled(*(min(math.hypot(x, 40), 350) for x in rd)) * (a - b))
      for (a, b), rd in zip(PAIRS, RDS, strict=True)]),
    (elo.Ioffe(sd=200),
     [normal(a - b, 2 * 200**2 + sum(x**2 for x in sd))
      for (a, b), sd in zip(PAIRS, SDS, strict=True)]),
    # table 8.1.2, in which 345 points are 0.11 and more than 400 count as 400
    (elo.Rules("fide"), [0.11, 0.92, 0.12]),
], ids=repr)  # fmt: skip
def test_systems(system, right):
    made = system.rate([], PLAYERS).predict(GAMES)
    assert [*(round(x, 10) for x in right), None, None, None] == rounded(made["expected"])


def test_glicko_2_is_glicko_with_its_own_rounded_scale():
    one, two = (x.rate([], PLAYERS).predict(GAMES) for x in (elo.Glicko2(), elo.Glicko()))
    assert one["expected"][:3] == pytest.approx(two["expected"][:3], abs=1e-7)


def some_games(count: int) -> dict[str, list[Any]]:
    chance = random.Random(5)
    white, black = zip(*(chance.sample(range(12), 2) for _ in range(count)), strict=True)
    result = [chance.choices([1, 0.5, 0], [w, 6, b])[0] for w, b in zip(white, black, strict=True)]
    return {"white": list(white), "black": list(black), "result": result}


def test_one_game_ahead_is_what_a_check_expects():
    """A check goes through the games by itself, with many K at once."""
    games = some_games(1500)
    players = {"name": list(range(12)), "rating": [1500] * 12}
    found = elo.check(games, players)
    assert found.home is not None
    system = elo.Elo(k=found.k.value, home=found.home.value)
    for last in (700, 1499):
        before, next_one = (
            {key: column[part] for key, column in games.items()}
            for part in (slice(last), slice(last, last + 1))
        )
        made = system.rate(before, players).predict(next_one)
        assert [pytest.approx(found.expected[last], abs=1e-9)] == made["expected"]


def test_a_fit_predicts_by_its_own_model():
    games = some_games(200)
    fitted = elo.fit(pd.DataFrame(games))
    made = fitted.predict(pd.DataFrame(games).assign(neutral=[False, True] * 100))
    strength = dict(zip(fitted.players["name"], fitted.players["rating"], strict=True))
    for row in made.head(6).itertuples():
        x = 10 ** (
            (strength[row.white] - strength[row.black] + fitted.home * (1 - row.neutral)) / 800
        )
        whole = x + fitted.draw + 1 / x
        right = (x / whole, fitted.draw / whole, 1 / x / whole)
        assert right == pytest.approx((row.win, row.draw, row.loss))
        assert right[0] + right[1] / 2 == pytest.approx(row.expected)
    ignoring = elo.fit(games, draws="ignore", colours=False)
    plain = ignoring.predict(games)
    assert ["white", "black", "result", "expected", "score"] == list(plain)
    ratings = dict(zip(ignoring.players["name"], ignoring.players["rating"], strict=True))
    ahead = ratings[games["white"][0]] - ratings[games["black"][0]]
    assert logistic(ahead) == pytest.approx(plain["expected"][0])


@pytest.mark.parametrize(("draws", "nu"), [("split", 2), ("davidson:0.8", 0.8), ("davidson:0", 0)])
@pytest.mark.parametrize("system", [elo.Elo(), elo.Glicko(), elo.Rules()])
def test_draws_make_the_expected_score(draws, nu, system):
    made = system.rate([], PLAYERS).predict(GAMES, draws=draws)
    columns = (made[name][:3] for name in ("expected", "win", "draw", "loss"))
    for expected, win, draw, loss in zip(*columns, strict=True):
        assert 1 == pytest.approx(win + draw + loss)
        assert expected == pytest.approx(win + draw / 2)
        assert nu * math.sqrt(win * loss) == pytest.approx(draw)
    assert [None] * 3 == made["win"][3:]


def test_ioffe_has_draws_of_its_own():
    made = elo.Ioffe(draws=0, sd=200).rate([], PLAYERS).predict(GAMES)
    assert [0, 0, 0] == pytest.approx(made["draw"][:3], abs=1e-12)
    # far less certain than two exact ratings make it, by a sum over what the strengths may be
    strengths = np.random.default_rng(1).normal([1834, 2179], [100, 60], (400_000, 2))
    margin = elo.Ioffe(draws=40, sd=200).rate([], PLAYERS).predict(GAMES)
    win, draw, loss = (x.mean() for x in elo.outcomes(strengths[:, 0], strengths[:, 1], draws=40))
    assert (win, draw, loss) == pytest.approx(
        tuple(margin[name][0] for name in ("win", "draw", "loss")), abs=1e-3
    )


def test_what_a_period_gives_predicts_with_the_new_ratings():
    after = elo.rate_period([("Ana", "Bo", 1)], {"name": ["Ana", "Bo"], "rating": [1500, 1500]})
    made = elo.Elo().rate([], after).predict([("Ana", "Bo", "")])
    assert [normal(20)] == pytest.approx(made["expected"])


def test_the_games_come_back_with_their_scores():
    games = pd.DataFrame(
        {"white": ["Ana", "Bo"], "black": ["Bo", "Cy"], "result": ["½", None], "city": ["x", "y"]},
        index=["g1", "g2"],
    )
    made = elo.Elo().rate([], pl.DataFrame(PLAYERS)).predict(games)
    assert ["g1", "g2"] == made.index.tolist()
    assert ["white", "black", "result", "city", "expected", "score"] == made.columns.tolist()
    assert [0.5, None] == rounded(made["score"])
    assert isinstance(elo.Elo().rate([], PLAYERS).predict(pl.from_pandas(games)), pl.DataFrame)


@pytest.mark.parametrize(
    ("rated", "draws", "message"),
    [
        (elo.Elo().rate([], PLAYERS), "rao-kupper", "draws of predictions must be one of split, d"),
        (elo.Ioffe().rate([], PLAYERS), "split", "Ioffe has draws of its own, got 'split'"),
        (elo.fit(some_games(100)), "split", "Fit has draws of its own, got 'split'"),
    ],
)
def test_draws_that_are_refused(rated, draws, message):
    with pytest.raises(elo.OptionError, match=f"^{message}"):
        rated.predict(GAMES, draws=draws)
