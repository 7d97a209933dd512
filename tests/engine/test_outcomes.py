"""Win, draw and loss, points, and whole matches, against forty digits and exact fractions."""

import math
import re
from fractions import Fraction
from itertools import accumulate, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf  # type: ignore[import-untyped]

import elo_xl
from elo_xl.engine import models, outcomes, usual
from elo_xl.engine.errors import DomainError, OptionError
from tests.support import exact
from tests.support.native_host import same

DIFFERENCES = [0, 1, 100, 345, 800, 1500, 3000]
MARGINS = [1e-6, 1e-3, 1, 20, 400, 3000]

with_margin = pytest.mark.parametrize("model", ["normal", "logistic"])
every_model = pytest.mark.parametrize("model", usual.MODELS)
every_model_with_odds = pytest.mark.parametrize("model", usual.CURVES)
every_draw_model = pytest.mark.parametrize(
    ("model", "draws"),
    list(product(usual.CURVES, ("davidson", "davidson:7", "rao-kupper", "rao-kupper:300"))),
)
points = st.floats(-3000, 3000, allow_nan=False)


def margin_outcomes(d: float, margin: float, model: str) -> list[float]:
    """Win, draw and loss to forty digits."""
    d, e = mpf(d), mpf(margin)
    far = abs(d)  # the draw from the side where the curve is small
    draw = exact.expected(e - far, model) - exact.expected(-e - far, model)
    win, loss = exact.expected(d - e, model), exact.expected(-d - e, model)
    assert abs(win + draw + loss - 1) < mpf(10) ** -35
    return [float(p) for p in (win, draw, loss)]


# one game


@pytest.mark.slow
@with_margin
@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("d", [*DIFFERENCES, *(-d for d in DIFFERENCES[1:])])
def test_margin(model, margin, d):
    # the two performances d ± margin are rounded before anything is computed
    rel = 1e-13 + 1e-12 / margin
    expected = margin_outcomes(d, margin, model)
    assert expected == pytest.approx(outcomes.outcomes(d, margin, model).tolist(), rel=rel, abs=0)
    assert expected == pytest.approx(outcomes.outcomes(d, margin, model).tolist(), rel=0, abs=5e-16)


@pytest.mark.parametrize("model", usual.CURVES)
@pytest.mark.parametrize("d", [*DIFFERENCES, *(-d for d in DIFFERENCES[1:])])
def test_split(model, d):
    own, other = exact.expected(d, model), exact.expected(-d, model)
    expected = [float(p) for p in (own * own, 2 * own * other, other * other)]
    assert expected == pytest.approx(outcomes.outcomes(d, model=model).tolist(), rel=1e-13, abs=0)


def test_split_of_the_table_is_exact():
    assert [0.92**2, 2 * 0.92 * 0.08, 0.08**2] == pytest.approx(
        outcomes.outcomes(400, model="fide").tolist(), rel=1e-15
    )


@every_model
@given(d=points)
def test_split_keeps_the_expected_score(model, d):
    win, draw, loss = outcomes.outcomes(d, model=model).tolist()
    assert 1 == pytest.approx(win + draw + loss, abs=1e-15)
    assert models.expected(d, model).item() == pytest.approx(win + draw / 2, abs=1e-15)


@with_margin
@given(d=points, margin=st.floats(0, 3000))
def test_margin_adds_up_and_is_symmetric(model, d, margin):
    here, there = outcomes.outcomes([d, -d], margin, model)
    assert here.tolist() == there[::-1].tolist()
    assert 1 == pytest.approx(here.sum(), abs=1e-15)
    assert here.min() >= 0


@with_margin
@given(d=points)
def test_no_margin_no_draw(model, d):
    expected = [*models.expected([d, -d], model).tolist(), 0]
    win, draw, loss = outcomes.outcomes(d, 0, model).tolist()
    assert expected == [win, loss, draw]


@given(d=points, margin=st.floats(0, 500), more=st.floats(0.001, 500))
def test_a_larger_margin_draws_more(d, margin, more):
    draws = outcomes.outcomes(d, [margin, margin + more])[:, 1]
    assert draws[0] < draws[1] or abs(d) - margin - more > 2000


def test_shapes():
    assert (3,) == outcomes.outcomes(100).shape
    assert (2, 4, 3) == outcomes.outcomes(np.zeros((2, 1)), [1, 2, 3, 4]).shape
    assert (2, 4) == outcomes.points(np.zeros((2, 1)), draws=[1, 2, 3, 4]).shape


# the draw margin of the papers, whose numbers the book elo-explained has


def test_the_mean_of_the_margin_of_the_paper():
    chances = outcomes.outcomes(120, 30)
    assert (models.expected(90) + models.expected(150)) / 2 == pytest.approx(
        chances[0] + chances[1] / 2, rel=1e-15
    )


# Davidson's draws, and Rao and Kupper's

FAR = [*DIFFERENCES, 5000, 20_000, 1e6]


def of_strengths(d: float, draws: str, model: str) -> list[float]:
    """Win, draw and loss as the two papers define them, from strengths whose ratio is the odds."""
    kind, _, parameter = draws.partition(":")
    with mp.workdps(60):
        size = mpf(parameter)
        first, second = exact.expected(d, model), exact.expected(-d, model)
        if kind == "davidson":
            tie = size * mp.sqrt(first * second)
            total = first + second + tie
            return [float(p / total) for p in (first, tie, second)]
        theta = exact.expected(size, model) / exact.expected(-size, model)
        win, loss = first / (first + theta * second), second / (second + theta * first)
        tie = (theta**2 - 1) * first * second
        tie /= (first + theta * second) * (second + theta * first)
        assert abs(win + tie + loss - 1) < mpf(10) ** -50
        return [float(p) for p in (win, tie, loss)]


@pytest.mark.slow
@pytest.mark.parametrize("model", usual.CURVES)
@pytest.mark.parametrize(
    "draws",
    [
        *("davidson:0", "davidson:0.001", "davidson:0.79", "davidson:1", "davidson:50"),
        *("rao-kupper:0", "rao-kupper:0.001", "rao-kupper:90", "rao-kupper:1000"),
    ],
)
@pytest.mark.parametrize("d", [*FAR, *(-d for d in FAR[1:])])
def test_strengths(model, draws, d):
    found = outcomes.outcomes(d, draws, model).tolist()
    # what is lost is the rounding of the exponent, at most 745 where a chance is a number at all
    assert of_strengths(d, draws, model) == pytest.approx(found, rel=3e-13, abs=1e-300)


@every_draw_model
@given(d=st.floats(-1e6, 1e6))
def test_draw_models_add_up_and_are_symmetric(model, draws, d):
    here, there = outcomes.outcomes([d, -d], draws, model)
    assert here.tolist() == there[::-1].tolist()
    assert 1 == pytest.approx(here.sum(), abs=1e-15)
    assert here.min() >= 0
    # the score lies between ½ and that of the curve
    score, half = here[0] + here[1] / 2, 1e-15
    low, high = sorted([0.5, models.expected(d, model).item()])
    assert low - half <= score <= high + half


@every_model_with_odds
def test_equal_players_draw_a_third_with_davidson(model):
    assert [1 / 3] * 3 == pytest.approx(outcomes.outcomes(0, "davidson", model).tolist(), rel=1e-15)
    win, draw, loss = outcomes.outcomes(0, "rao-kupper", model)
    assert win == loss
    assert models.expected(-90, model) == pytest.approx(win, rel=1e-14)
    assert 0.5 == pytest.approx(win + draw / 2, rel=1e-15)


@every_model_with_odds
@pytest.mark.parametrize("draws", ["davidson:0", "rao-kupper:0"])
@given(d=points)
def test_a_parameter_of_0_has_no_draws(model, draws, d):
    win, draw, loss = outcomes.outcomes(d, draws, model).tolist()
    assert 0 == draw
    assert models.expected([d, -d], model).tolist() == pytest.approx([win, loss], rel=1e-13)


@given(d=points, margin=st.floats(0.01, 1000))
def test_rao_and_kupper_is_the_margin_of_the_logistic_curve(d, margin):
    by_margin = outcomes.outcomes(d, margin, "logistic")
    by_name = outcomes.outcomes(d, f"rao-kupper:{margin!r}", "logistic")
    assert by_margin == pytest.approx(by_name, rel=1e-10, abs=1e-15)


@given(d=points)
def test_the_split_is_davidson_with_half_of_the_games_of_equals_drawn(d):
    """Szczecinski and Djebbi, 2020: Elo's rule implies Davidson's draws with ν = 2, where a
    difference counts half."""
    split = outcomes.outcomes(d / 2, model="logistic")
    assert split == pytest.approx(outcomes.outcomes(d, "davidson:2", "logistic"), rel=1e-12)


def test_bayeselo():
    """Coulom's defaults, White's advantage of 32.8 and a margin of 97.3 points: his
    P(win) = f(difference - advantage + margin), where f(x) = 1 / (1 + 10^(x/400))."""
    for white, black in ((1500, 1500), (2700, 2810), (2100, 1850)):
        win, loss = (
            1 / (1 + mpf(10) ** ((theirs + mpf("97.3")) / 400))
            for theirs in (black - white - mpf("32.8"), white - black + mpf("32.8"))
        )
        expected = [float(p) for p in (win, 1 - win - loss, loss)]
        found = elo_xl.worksheet("ELO_OUTCOMES", white, black, "rao-kupper:97.3", "logistic", 32.8)
        assert same([expected], found)


#: Davidson's example 2 (1970), chocolate puddings: two brands, preferences for each, and ties.
PUDDINGS = """
1 2 19 22 16   1 3 16 19 12   2 3 19 19 10   1 4 18 23 13   2 4 23 19 9
3 4 19 20 15   1 5 13 19 18   2 5 16 20 12   3 5 16 15 17   4 5 17 14 16
1 6 18 21 12   2 6 22 20 12   3 6 13 18 10   4 6 14 19 18   5 6 11 21 12
"""
WORTH = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855]
TIES = 0.7468147
"""his estimates, as the R package PlackettLuce prints them"""


def test_puddings_of_davidson():
    """The most probable strengths explain each brand's score and the number of ties."""
    i, j, won, lost, tied = np.array(PUDDINGS.split(), dtype=int).reshape(-1, 5).T
    rating = 400 * np.log10(WORTH)
    here = outcomes.outcomes(rating[i - 1] - rating[j - 1], f"davidson:{TIES}", "logistic")
    games = won + lost + tied
    for brand in range(1, 7):
        own = games * (here[:, 0] + here[:, 1] / 2) * (i == brand)
        own += games * (here[:, 2] + here[:, 1] / 2) * (j == brand)
        score = ((won + tied / 2) * (i == brand) + (lost + tied / 2) * (j == brand)).sum()
        assert score == pytest.approx(own.sum(), abs=0.01)
    assert tied.sum() == pytest.approx((games * here[:, 1]).sum(), abs=0.01)


# points


@every_model
@given(d=points)
def test_points_of_a_chess_game_are_the_expected_score(model, d):
    assert models.expected(d, model) == pytest.approx(
        outcomes.points(d, 1, 0.5, 0, model=model), abs=1e-15
    )


@given(d=points, margin=st.floats(0, 300), worth=st.tuples(*[st.floats(-9, 9)] * 3))
def test_points_are_a_weighted_sum(d, margin, worth):
    win, draw, loss = worth
    weighted = math.fsum(p * w for p, w in zip(outcomes.outcomes(d, margin), worth, strict=True))
    found = outcomes.points(d, win, draw, loss, margin).item()
    assert weighted == pytest.approx(found, abs=1e-14)


# matches


@pytest.mark.slow
@pytest.mark.parametrize("games", [0, 1, 2, 3, 10, 40])
@pytest.mark.parametrize(
    "one_game",
    [
        (0.5, 0.25, 0.25),
        (0, 0, 1),
        (1, 0, 0),
        (0, 1, 0),
        (0.5, 0, 0.5),
        (0, 0.5, 0.5),
        (0.9, 0.1, 0),
        tuple(outcomes.outcomes(-345).tolist()),
        tuple(outcomes.outcomes(3000, 1e-6).tolist()),
        tuple(outcomes.outcomes(-7400).tolist()),
        tuple(outcomes.outcomes(10600, 20).tolist()),
    ],
)
def test_distribution(one_game, games):
    distribution = exact.score_distribution(one_game, games)
    result = outcomes.match_distribution(one_game, games).tolist()
    assert len(distribution) == len(result) == 2 * games + 1
    for right, p in zip(distribution, result, strict=True):
        # below about 1e-290 a number has no sixteen digits left
        assert float(right) == pytest.approx(p, rel=3e-13, abs=1e-290)


@given(d=st.floats(-1200, 1200), games=st.integers(0, 12), margin=st.none() | st.floats(0, 300))
def test_distribution_of_any_match(d, games, margin):
    one_game = outcomes.outcomes(d, "split" if margin is None else margin)
    right = exact.score_distribution(one_game.tolist(), games)
    result = outcomes.match_distribution(one_game, games).tolist()
    assert [float(p) for p in right] == pytest.approx(result, rel=1e-12, abs=1e-290)


@pytest.mark.slow
@pytest.mark.parametrize("games", [1000, 10_000])
def test_long_matches_without_draws_are_binomial(games):
    win = 0.11128
    p = outcomes.match_distribution([win, 0, 1 - win], games)
    for won in range(0, games + 1, games // 20):
        w, lost = mpf(win), mpf(1 - win)
        right = mp.binomial(games, won) * w**won * lost ** (games - won)
        assert float(right) == pytest.approx(p[2 * won], rel=1e-11, abs=1e-290)
    assert 0 == p[1::2].max()
    assert 1 == pytest.approx(p.sum(), abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("draws", ["split", 0, 30])
@pytest.mark.parametrize("d", [0, -345, 2500, 12_000])
def test_long_matches_add_up(draws, d):
    p = outcomes.match_distribution(outcomes.outcomes(d, draws), 3000)
    assert np.isfinite(p).all()
    assert 1 == pytest.approx(p.sum(), abs=1e-11)
    mean = (p * np.arange(6001)).sum() / 6000
    win, draw, _ = outcomes.outcomes(d, draws)
    assert win + draw / 2 == pytest.approx(mean, rel=1e-11)


@pytest.mark.parametrize("draws", ["split", 0, 45.5, "davidson:0.4", "rao-kupper"])
def test_kinds(draws):
    d, games = 130, 7
    points_ = np.arange(2 * games + 1) / 2
    right = exact.score_distribution(outcomes.outcomes(d, draws).tolist(), games)
    up_to = list(accumulate(right, initial=Fraction(0)))
    expected = {
        "exactly": right,
        "at most": up_to[1:],
        "at least": [sum(right) - below for below in up_to[:-1]],
    }
    for kind, chances in expected.items():
        found = outcomes.match_probability(d, games, points_, kind, draws)
        assert [float(p) for p in chances] == pytest.approx(found.tolist(), rel=1e-12, abs=1e-15)
        one = [outcomes.match_probability(d, games, x, kind, draws).item() for x in points_]
        assert found.tolist() == one


@pytest.mark.slow
def test_many_long_matches_take_no_more_memory_than_a_block(monkeypatch):
    d, points_ = np.linspace(-400, 400, 50)[:, None], np.array([0, 10.5, 20, 31])
    whole = outcomes.match_probability(d, 31, points_, "at most", 20)
    monkeypatch.setattr(outcomes, "BLOCK", 100)
    sizes = set()
    original = outcomes.match_distribution

    def recorded(probabilities, games):
        sizes.add(probabilities.shape)
        return original(probabilities, games)

    monkeypatch.setattr(outcomes, "match_distribution", recorded)
    assert whole.tolist() == outcomes.match_probability(d, 31, points_, "at most", 20).tolist()
    assert {(1, 3)} == sizes


# what is refused, and how


@pytest.mark.parametrize(("error", "message", "function", "arguments"), [
    (DomainError, "draw margin must not be below 0, got -1.0", outcomes.outcomes, [0, [1, -1]]),
    (OptionError, "draws, unless a number, must be one of split, davidson, rao-kupper, got 'half'",
     outcomes.outcomes, [0, "half"]),
    (OptionError, "the parameter of davidson must be a number, got 'davidson:much'",
     outcomes.outcomes, [0, "davidson:much"]),
    (OptionError, "split takes no parameter, got 'split:1'", outcomes.outcomes, [0, "split:1"]),
    (OptionError, "model with davidson must be one of normal, logistic, rescaled, got 'fide'",
     outcomes.outcomes, [0, "davidson", "fide"]),
    *((DomainError, f"the parameter of rao-kupper must be a number not below 0, got {size}",
       outcomes.outcomes, [0, f"Rao-Kupper: {size}"])
      for size in (-1.0, math.inf, math.nan)),
    (OptionError, "model with a draw margin must be one of normal, logistic, got 'rescaled'",
     outcomes.outcomes, [0, 20, "rescaled"]),
    (OptionError, "model with a draw margin must be one of normal, logistic, got 'fide'",
     outcomes.outcomes, [0, 0, "fide"]),
    (OptionError, "kind must be one of exactly, at least, at most, got 'more'",
     outcomes.match_probability, [0, 1, 1, "more"]),
    *((DomainError, f"games must be a whole number from 0 to 10000, got {games}",
       outcomes.match_probability, [0, games, 0])
      for games in (-1, 0.5, 10_001, math.nan)),
    *((DomainError, f"points must be a multiple of ½ from 0 to 4, got {points_}",
       outcomes.match_probability, [0, 4, points_])
      for points_ in (-0.5, 4.5, 0.25, math.nan)),
])  # fmt: skip
def test_refused(error, message, function, arguments):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        function(*arguments)
