"""Bayesian chess ratings: the published check values, forty digits, and what has to hold anyway."""

import math
import re
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf  # type: ignore[import-untyped]

import elo_xl
from elo_xl.engine import models
from elo_xl.engine.bayes import posterior, rate_sequence
from elo_xl.engine.errors import DomainError, OptionError, SizeError
from elo_xl.engine.outcomes import outcomes
from elo_xl.engine.sequence import waves
from elo_xl.functions.catalogue import find
from elo_xl.functions.native import NoInlinedFormError, inline
from tests.support import exact
from tests.support.levels import amount
from tests.support.native_host import inline_values, same

RESULTS = [1, 0.5, 0]
FIELDS = ["probability", "rating", "opponent", "sd", "opponent_sd"]

# model and draws of every method that the engine has
KINDS: list[tuple[str, Any]] = [
    ("normal", "split"), ("normal", 20), ("logistic", "split"), ("logistic", 50),
    ("rescaled", "split"), ("fide", "split"), ("logistic", "davidson:0.79"),
    ("rescaled", "davidson:6"), ("rescaled", "rao-kupper:70"),
]  # fmt: skip
every_kind = pytest.mark.parametrize(("model", "draws"), KINDS)
curves_only = [kind for kind in KINDS if kind[0] != "fide"]


# the check values of the specification, to their last printed digit

CHECKS = """
1500 1500 100 1   0.2820  44.7289  44.5619
1600 1500 100 1   0.4187  34.4975  34.0385
1600 1500 100 0.5 0.4107 -11.9069 -11.3302
1600 1500 100 0   0.1706 -56.0208 -55.8339
1834 2179 150 1   0.0532 149.2478 145.9299
1834 2179 150 0.5 0.2228  70.3276  62.5454
1834 2179 150 0   0.7240 -32.6041 -31.8792
"""


@pytest.mark.parametrize("check", CHECKS.strip().splitlines())
def test_check_value(check):
    *game, p, by_normal, by_logistic = check.split()
    rating, opponent, sd, score = map(float, game)
    normal = posterior(rating, opponent, score, sd)
    logistic = posterior(rating, opponent, score, sd, model="logistic")
    assert p == f"{normal.probability:.4f}"
    assert [by_normal, by_logistic] == [f"{x.rating - rating:.4f}" for x in (normal, logistic)]
    for after in (normal, logistic):
        assert rating + opponent == pytest.approx(after.rating + after.opponent, rel=1e-15)
        assert after.sd == after.opponent_sd


def test_closed_form_at_equality():
    """Φ₂(0, 0; ρ) = 1/4 + asin(ρ)/2π."""
    v = 2 * 100**2
    p = 0.25 + math.asin(v / (80000 + v)) / (2 * math.pi)
    assert p == pytest.approx(posterior(1500, 1500, 1, 100).probability, rel=1e-15)


# against forty digits


def by_trapezoids(
    m: float, sd: float, opponent_sd: float, model: str, draws: Any = "split"
) -> list[tuple[Any, Any, Any]]:
    """Probability, mean and variance of d - m after a win, a draw and a loss.

    The trapezoidal rule converges exponentially on the whole line; from step to step its error is
    exp(-2π·distance of the nearest singularity/step), far below what is asked for here.
    """
    v = mpf(sd) ** 2 + mpf(opponent_sd) ** 2
    s = mp.sqrt(v)
    step = min(s * mpf("0.45"), mpf(60))
    tilt = abs(m) * 2 * v / (80000 + 2 * v) if model == "normal" else 2 * v / exact.SCALES[model]
    count = int((tilt + 14 * s) / step) + 1
    sums = [[mpf(0)] * 3 for _ in RESULTS]
    for i in range(-count, count + 1):
        x = i * step
        prior = mp.exp(-x * x / (2 * v))
        d = m + x
        if draws == "split":
            own, other = exact.expected(d, model), exact.expected(-d, model)
            chances = [own * own, 2 * own * other, other * other]
        elif isinstance(draws, str) and draws.startswith("davidson"):
            own, other = exact.expected(d, model), exact.expected(-d, model)
            tie = mpf(draws.partition(":")[2]) * mp.sqrt(own * other)
            chances = [own / (1 + tie), tie / (1 + tie), other / (1 + tie)]
        else:
            if isinstance(draws, str):
                draws = float(draws.partition(":")[2])
            own, other = exact.expected(d - draws, model), exact.expected(-d - draws, model)
            chances = [own, 1 - own - other, other]
        for chance, total in zip(chances, sums, strict=True):
            for power in range(3):
                total[power] += prior * chance * x**power
    return [(a * step / mp.sqrt(2 * mp.pi * v), b / a, c / a - (b / a) ** 2) for a, b, c in sums]


def after_game(
    m: float, sd: float, opponent_sd: float, moments: tuple[Any, Any, Any]
) -> list[float]:
    """Probability, both shifts and both deviations that the moments of d - m give."""
    p, mean, variance = moments
    v = mpf(sd) ** 2 + mpf(opponent_sd) ** 2
    result = [p]
    for own, sign in ((sd, 1), (opponent_sd, -1)):
        result.append(sign * own**2 * mean / v)
    for own in (sd, opponent_sd):
        share = mpf(own) ** 2 / v
        result.append(mp.sqrt(own**2 * (1 - share) + share**2 * variance))
    return [float(x) for x in result]


def computed(m: float, sd: float, opponent_sd: float, model: str, draws: Any = "split") -> Any:
    after = posterior(m, 0, RESULTS, sd, opponent_sd, draws, model)
    shifts = [after.rating - m, after.opponent]
    return np.stack([after.probability, *shifts, after.sd, after.opponent_sd], axis=-1).tolist()


def compare(m: float, sd: float, opponent_sd: float, limit: float, *kind: Any) -> None:
    reference = by_trapezoids(m, sd, opponent_sd, *kind)
    for moments, here in zip(reference, computed(m, sd, opponent_sd, *kind), strict=True):
        there = after_game(m, sd, opponent_sd, moments)
        assert there[0] == pytest.approx(here[0], rel=1e-11)
        assert there[1:] == pytest.approx(here[1:], rel=0, abs=limit)


SDS = [(10, 10), (30, 30), (100, 60), (350, 350), (700, 700), (10, 700)]


@pytest.mark.slow
def test_reference_against_adaptive_quadrature():
    v = mpf(30**2 + 40**2)

    def density(d: Any) -> Any:
        return mp.exp(-((d + 700) ** 2) / (2 * v)) * exact.expected(d, "normal") ** 2

    ends = [-700 + 100 * k for k in range(-8, 10)]
    total = mp.quad(density, ends)
    mean = mp.quad(lambda d: density(d) * (d + 700), ends) / total
    found = by_trapezoids(-700, 30, 40, "normal")[0]
    assert abs(total / mp.sqrt(2 * mp.pi * v) / found[0] - 1) < mpf(10) ** -25
    assert abs(mean - found[1]) < mpf(10) ** -20


@pytest.mark.slow
@pytest.mark.parametrize("sds", SDS)
@pytest.mark.parametrize("difference", [0, 50, 345, 1000, -1500, -2500, 3000])
def test_closed_form(difference, sds):
    compare(difference, *sds, 1e-8, "normal")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("difference", "sds"), [(-12_000, (30, 30)), (20_000, (200, 400)), (80_000, (1500, 1500))]
)
def test_closed_form_far_out(difference: float, sds: tuple[float, float]) -> None:
    """The upset's probability is around 10⁻⁸⁰⁰ and 10⁻²¹⁰⁰; also for hardly known players."""
    reference = by_trapezoids(difference, *sds, "normal")
    for moments, here in zip(reference, computed(difference, *sds, "normal"), strict=True):
        assert after_game(difference, *sds, moments)[1:] == pytest.approx(here[1:], abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [k for k in curves_only if k != ("normal", "split")], ids=str)
def test_quadrature(kind):
    for difference, *sds in (
        (0, 10, 10),
        (-40, 245, 250),  # on both sides of where the nodes change
        (-40, 240, 250),
        (345, 100, 60),
        (-1500, 200, 200),
        (700, 700, 700),
        (-3000, 350, 350),
        (3000, 10, 700),
        (-5300, 800, 800),  # a draw shifts the peak into the bend
    ):
        compare(difference, *sds, 1e-9, *kind)


@pytest.mark.parametrize("model", ["normal", "logistic"])
@pytest.mark.parametrize("margin", [1e-6, 1, 400])
def test_margins(model, margin):
    compare(-120, 90, 60, 1e-9, model, margin)


@pytest.mark.slow
@pytest.mark.parametrize("nu", [0.001, 2, 500])
def test_davidson(nu):
    for m, *sds in ((-120, 90, 60), (800, 400, 500)):
        compare(m, *sds, 1e-9, "logistic", f"davidson:{nu}")


def by_steps(m: float, sd: float) -> list[tuple[Any, Any, Any]]:
    """The same for FIDE's table: truncated normal distributions between its edges."""
    edges = [mpf(last) + mpf("0.5") for last in exact.TABLE_8_1_2]
    edges = [-mp.inf, *(-x for x in reversed(edges)), *edges, mp.inf]
    scores = [mpf(p) / 100 for p in [*range(50), *range(50, 101)]]
    v = 2 * mpf(sd) ** 2
    s = mp.sqrt(v)
    sums = [[mpf(0)] * 3 for _ in RESULTS]
    for own, left, right in zip(scores, edges[:-1], edges[1:], strict=True):
        a, b = (left - m) / s, (right - m) / s
        ends = [(0, 0) if mp.isinf(x) else (mp.npdf(x), x * mp.npdf(x)) for x in (a, b)]
        mass = mp.ncdf(b) - mp.ncdf(a) if a < 0 else mp.ncdf(-a) - mp.ncdf(-b)
        first = s * (ends[0][0] - ends[1][0])
        second = v * (mass + ends[0][1] - ends[1][1])
        for chance, total in zip(
            (own * own, 2 * own * (1 - own), (1 - own) ** 2), sums, strict=True
        ):
            for power, moment in enumerate((mass, first, second)):
                total[power] += chance * moment
    return [(z, x / z, y / z - (x / z) ** 2) for z, x, y in sums]


@pytest.mark.slow
@pytest.mark.parametrize("sd", [10, 60, 200, 700])
@pytest.mark.parametrize("difference", [0, -3.4, 345, -735.5, 1100, -1500])
def test_fide_table(difference, sd):
    assert len(exact.TABLE_8_1_2) == 50
    with mp.workdps(60):
        reference = by_steps(difference, sd)
    for moments, here in zip(reference, computed(difference, sd, sd, "fide"), strict=True):
        there = after_game(difference, sd, sd, moments)
        assert there[0] == pytest.approx(here[0], rel=1e-9, abs=0)
        assert there[1:] == pytest.approx(here[1:], rel=0, abs=1e-8)


@pytest.mark.slow
@every_kind
def test_monte_carlo(model, draws):
    rng = np.random.default_rng(6)
    x = rng.normal([1600, 1500], [120, 80], (400_000, 2))
    after = posterior(1600, 1500, RESULTS, 120, 80, draws, model)
    for i, weight in enumerate(outcomes(x[:, 0] - x[:, 1], draws, model).T):
        assert abs(weight.mean() - after.probability[i]) < 4 * weight.std() / math.sqrt(len(x))
        share = weight / weight.sum()
        for values, mean, sd in (
            (x[:, 0], after.rating[i], after.sd[i]),
            (x[:, 1], after.opponent[i], after.opponent_sd[i]),
        ):
            off = values - share @ values
            assert abs(share @ values - mean) < 4 * math.sqrt(share**2 @ off**2)
            square = off**2 - share @ off**2
            assert abs(share @ off**2 - sd**2) < 4 * math.sqrt(share**2 @ square**2)


# what has to hold for any numbers

ratings = st.floats(-3000, 6000)
deviations = st.floats(0.5, 1500)
kinds = st.sampled_from(KINDS)


@given(ratings, ratings, deviations, deviations, kinds)
def test_on_average_nothing_changes(a, b, sd, opponent_sd, kind):
    """Means keep their mean, and variances the part that the result does not explain."""
    after = posterior(a, b, RESULTS, sd, opponent_sd, kind[1], kind[0])
    p = after.probability
    assert p.sum() == pytest.approx(1, abs=1e-12)
    for before, mean, own, left in (
        (a, after.rating, sd, after.sd),
        (b, after.opponent, opponent_sd, after.opponent_sd),
    ):
        assert p @ (mean - before) == pytest.approx(0, abs=1e-9 * own)
        assert p @ (left**2 + (mean - before) ** 2) == pytest.approx(own**2, rel=1e-9)


@pytest.mark.slow
@given(ratings, ratings, deviations, deviations, kinds)
def test_players_exchanged(a, b, sd, opponent_sd, kind):
    one = posterior(a, b, RESULTS, sd, opponent_sd, kind[1], kind[0])
    two = posterior(b, a, RESULTS[::-1], opponent_sd, sd, kind[1], kind[0])
    for field, other in zip(
        FIELDS, ["probability", "opponent", "rating", "opponent_sd", "sd"], strict=True
    ):
        assert getattr(one, field).tolist() == pytest.approx(
            getattr(two, other).tolist(), rel=1e-11, abs=1e-9
        )


@given(ratings, ratings, deviations, deviations, kinds)
def test_order(a, b, sd, opponent_sd, kind):
    after = posterior(a, b, RESULTS, sd, opponent_sd, kind[1], kind[0])
    win, _, loss = after.rating
    assert win >= a >= loss
    assert after.opponent[0] <= b <= after.opponent[2]
    assert np.diff(after.rating).max() <= 1e-9
    assert np.diff(after.opponent).min() >= -1e-9
    # a draw brings the two together, and not past each other
    gap = after.rating[1] - after.opponent[1]
    assert abs(gap) <= abs(a - b) * (1 + 1e-12) + 1e-9
    assert gap * (a - b) >= -1e-6
    if kind[0] != "fide":  # log-concave: a result always makes one surer
        assert (after.sd <= sd).all()
        assert (after.opponent_sd <= opponent_sd).all()
    assert min(after.sd.min(), after.opponent_sd.min()) > 0


anything = st.floats(-1e6, 1e6)
any_sd = st.floats(1e-9, 1e6)


@given(anything, anything, any_sd, any_sd, st.sampled_from(RESULTS), kinds)
def test_never_nan(a, b, sd, opponent_sd, score, kind):
    after = posterior(a, b, score, sd, opponent_sd, kind[1], kind[0])
    assert all(np.isfinite(getattr(after, field)) for field in FIELDS)
    assert 0 <= after.probability <= 1 + 1e-12
    assert (after.rating - a) * (score - 0.5) >= 0
    assert (after.opponent - b) * (score - 0.5) <= 0
    assert 0 <= after.sd <= sd * (1.05 if kind[0] == "fide" else 1)


@given(st.floats(0, 3000), deviations, st.sampled_from(RESULTS))
def test_closed_form_has_no_seam(difference, sd, score):
    """Owen's function hands over to its tail somewhere: a neighbour's rating is a neighbour."""
    after = posterior(0, [difference, difference + 1e-6], score, sd)
    assert abs(np.diff(after.rating)[0]) < 1e-5
    assert abs(np.diff(after.sd)[0]) < 1e-5


def test_small_deviations_change_little():
    after = posterior(1600, 1500, RESULTS, 1e-9)
    assert [1600] * 3 == after.rating.tolist()
    assert [1e-9] * 3 == after.sd.tolist()


def test_arrays_broadcast():
    after = posterior([[1600], [1700]], [1500, 1600, 1700], 1, 100, [50, 60, 70])
    assert (2, 3) == after.rating.shape == after.opponent_sd.shape
    one = posterior(1700, 1600, 1, 100, 60)
    assert [getattr(after, f)[1, 1] for f in FIELDS] == [getattr(one, f) for f in FIELDS]
    margins = posterior(1600, 1500, 1, 100, draws=[[10], [20]], model="logistic")
    assert (2, 1) == margins.rating.shape
    assert 0 == posterior([], [], [], []).rating.size


@pytest.mark.slow
def test_many_games_as_one_by_one():
    rng = np.random.default_rng(7)
    n = 13_000  # more than a block
    a, b = rng.normal(1700, 600, (2, n))
    sd, other = rng.uniform(20, 400, (2, n))
    score = rng.choice(RESULTS, n)
    for model, draws in KINDS:
        together = posterior(a, b, score, sd, other, draws, model)
        for i in (0, 1, 256, 12_000, n - 1):
            alone = posterior(a[i], b[i], score[i], sd[i], other[i], draws, model)
            assert [getattr(alone, f).item() for f in FIELDS] == pytest.approx(
                [getattr(together, f)[i] for f in FIELDS], rel=1e-13
            )


# Elo's rule


@pytest.mark.parametrize("score", RESULTS)
def test_small_deviations_are_elos_rule(score):
    after = posterior(1834, 2179, score, 0.3, 0.1, model="logistic")
    off = score - models.expected(1834 - 2179, "logistic")
    changes = [after.rating - 1834, after.opponent - 2179]
    k = math.log(10) / 200 * np.square([0.3, 0.1])
    assert k * off * [1, -1] == pytest.approx(changes, rel=1e-5)


# errors name the value


@pytest.mark.parametrize(("arguments", "message"), [
    ((1600, 1500, 0.7, 100), "score must be 1, 0.5 or 0, got 0.7"),
    ((1600, 1500, [1, 2], 100), "score must be 1, 0.5 or 0, got 2.0"),
    ((1600, 1500, math.nan, 100), "score must be 1, 0.5 or 0, got nan"),
    ((1600, 1500, 1, 0), "sd must be above 0 and at most 1,000,000, got 0.0"),
    ((1600, 1500, 1, [100, -3]), "sd must be above 0 and at most 1,000,000, got -3.0"),
    ((1600, 1500, 1, math.nan), "sd must be above 0 and at most 1,000,000, got nan"),
    ((1600, 1500, 1, math.inf), "sd must be above 0 and at most 1,000,000, got inf"),
    ((1600, 1500, 1, 9, 0), "opponent_sd must be above 0 and at most 1,000,000, got 0.0"),
    ((math.nan, 1500, 1, 9), "rating must be within 1,000,000 points of 0, got nan"),
    ((1600, 2e6, 1, 9), "opponent must be within 1,000,000 points of 0, got 2000000.0"),
    ((1600, 1500, 1, 9, 9, -5), "draw margin must not be below 0, got -5.0"),
    ((1600, 1500, 0.5, 9, 9, 0), "a draw needs a draw margin above 0, got 0.0"),
    ((1600, 1500, 0.5, 9, 9, "davidson:0", "logistic"),
     "a draw needs a parameter of davidson above 0, got 0.0"),
])  # fmt: skip
def test_domain_errors(arguments, message):
    with pytest.raises(DomainError, match=f"^{re.escape(message)}$"):
        posterior(*arguments)


@pytest.mark.parametrize(
    ("draws", "model", "value"),
    [
        ("split", "elo", "'elo'"),
        (20, "fide", "'fide'"),
        ("half", "normal", "'half'"),
        ("davidson", "normal", "'normal'"),
        ("rao-kupper", "Normal", "'normal'"),
        ("davidson", "fide", "'fide'"),
    ],
)
def test_option_errors(draws, model, value):
    with pytest.raises(OptionError, match=f"got {value}$"):
        posterior(1600, 1500, 1, 100, draws=draws, model=model)


# one game after another


def one_by_one(ratings, sds, games, growth=0.0, period=None, **kind):
    """A plain loop over single posteriors."""
    rating, sd = list(ratings), list(sds)
    last: dict[int, int] = {}
    grow = np.broadcast_to(growth, len(sd))
    steps = []
    for i, (a, b, score) in enumerate(games):
        now = 0 if period is None else period[i]
        for player in (a, b):
            gap = now - last.get(player, now)
            sd[player] = math.sqrt(sd[player] ** 2 + gap * grow[player] ** 2)
            last[player] = now
        after = posterior(rating[a], rating[b], score, sd[a], sd[b], **kind)
        rating[a], rating[b] = after.rating.item(), after.opponent.item()
        sd[a], sd[b] = after.sd.item(), after.opponent_sd.item()
        steps.append([getattr(after, f).item() for f in FIELDS])
    return rating, sd, steps


def random_games(players, count, seed=8):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, players, count)
    second = (first + rng.integers(1, players, count)) % players
    return list(zip(first.tolist(), second.tolist(), rng.choice(RESULTS, count), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("periods", [False, True])
def test_sequence(kind, periods):
    games = random_games(7, 60)
    rng = np.random.default_rng(9)
    ratings, sds, growth = rng.normal(1600, 200, 7), rng.uniform(30, 250, 7), rng.uniform(0, 60, 7)
    more: dict[str, Any] = {}
    if periods:
        more = {"growth": growth, "period": np.sort(rng.integers(3, 12, 60))}
    options: dict[str, Any] = {"model": kind[0], "draws": kind[1]}
    rating, sd, steps = one_by_one(ratings, sds, games, **more, **options)
    first, second, score = zip(*games, strict=True)
    done = rate_sequence(ratings, sds, first, second, score, **options, **more)
    assert rating == pytest.approx(done.rating.tolist(), rel=1e-13)
    assert sd == pytest.approx(done.sd.tolist(), rel=1e-13)
    history = np.stack([getattr(done.games, f) for f in FIELDS], axis=-1)
    assert np.array(steps) == pytest.approx(history, rel=1e-12)


def test_sequence_leaves_its_arguments_alone():
    ratings, sds = np.array([1600.0, 1500.0]), np.array([90.0, 80.0])
    rate_sequence(ratings, sds, [0], [1], [1])
    assert [1600, 1500] == ratings.tolist()
    assert [90, 80] == sds.tolist()


def test_margins_of_a_sequence():
    margins = [10, 40]
    done = rate_sequence([1600, 1500], 90, [0, 0], [1, 1], [1, 0.5], margins)
    one = posterior(1600, 1500, 1, 90, 90, 10)
    two = posterior(one.rating, one.opponent, 0.5, one.sd, one.opponent_sd, 40)
    assert [two.rating, two.opponent] == pytest.approx(done.rating.tolist(), rel=1e-14)


def test_a_sequence_without_games():
    done = rate_sequence([1500, 1600], 50, [], [], [])
    assert [1500, 1600] == done.rating.tolist()
    assert [50, 50] == done.sd.tolist()
    assert 0 == done.games.rating.size


@pytest.mark.slow
def test_ratings_find_the_strengths():
    """Deviations are honest: the strengths lie about one of them away."""
    rng = np.random.default_rng(10)
    strengths = rng.normal(0, 200, 60)
    strengths += 1600 - strengths.mean()  # games say nothing about everybody's level
    first = rng.integers(0, 60, 1500)
    second = (first + rng.integers(1, 60, 1500)) % 60
    chances = outcomes(strengths[first] - strengths[second], model="logistic").cumsum(axis=1)
    score = 1 - (rng.random(1500)[:, None] > chances).sum(axis=1) / 2
    done = rate_sequence([1600] * 60, 200, first, second, score, model="logistic")
    off = (done.rating - strengths) / done.sd
    assert 0.7 < np.sqrt((off**2).mean()) < 1.35
    assert np.abs(done.rating - strengths).mean() < 60


@given(st.integers(0, 10**6))
def test_waves_keep_every_player_s_order(seed):
    rng = np.random.default_rng(seed)
    players = np.array([rng.permutation(6)[:2] for _ in range(25)])
    period = np.sort(rng.integers(0, 4, 25))
    parts = [games.tolist() for _, games in waves(players, 6, period)]
    order = [game for part in parts for game in part]
    assert sorted(order) == list(range(25))
    for part in parts:
        assert len(set(players[part].ravel().tolist())) == 2 * len(part)
        assert len(set(period[part].tolist())) == 1
    for player in range(6):
        mine = [game for game in order if player in players[game]]
        assert mine == sorted(mine)


@pytest.mark.parametrize(("change", "error", "message"), [
    ({"first": [0, 5]}, SizeError, "player 5 is not one of 3"),
    ({"second": [-1, 2]}, SizeError, "player -1 is not one of 3"),
    ({"first": [0.0, 1.0]}, SizeError, "players of a game are given by index, got 0.0"),
    ({"first": np.array(["Ana", "Bo"], dtype=object)}, SizeError,
     "players of a game are given by index, got 'Ana': elo_xl.rate_period takes names"),
    ({"first": [0]}, SizeError, "1 first players, 2 second players"),
    ({"score": [1]}, SizeError, "players of 2 games for 1 results"),
    ({"second": [0, 2]}, DomainError, "player 0 is paired with themselves"),
    ({"score": [1, 0.3]}, DomainError, "score must be 1, 0.5 or 0, got 0.3"),
    ({"sd": [9, 0, 9]}, DomainError, "sd must be above 0 and at most 1,000,000, got 0.0"),
    ({"growth": [0, 0, -1]}, DomainError, "growth must not be below 0, got -1.0"),
    ({"period": [2, 1]}, SizeError, "period 1 comes after period 2"),
    ({"period": [1.5, 2]}, SizeError, "a period is a whole number, got 1.5"),
    ({"period": [1]}, SizeError, "1 periods for 2 games"),
    ({"ratings": [1500, math.nan, 1500]}, DomainError,
     "rating must be within 1,000,000 points of 0, got nan"),
])  # fmt: skip
def test_errors_of_a_sequence(change, error, message):
    given_: dict[str, Any] = {"ratings": [1500] * 3, "sd": 100, "first": [0, 1], "second": [1, 2]}
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        rate_sequence(**{**given_, "score": [1, 0.5], **change})


# its native form


@pytest.mark.parametrize(
    "options", [(None, 20), (None, "F2"), (None, None, "fide"), (None, None, "F2")]
)
def test_no_inlined_form(options):
    with pytest.raises(NoInlinedFormError, match="sum over 301 points"):
        inline("ELO_BAYES", "A1", "B1", "C1", "D1", *options, column="new rating")


def test_inlined_form_is_for_one_game():
    with pytest.raises(ValueError, match="rating must be one cell in ELO_BAYES"):
        inline("ELO_BAYES", "A1:A5", "B1", "C1", "D1", column="new sd")


@pytest.mark.parametrize("model", ["normal", "logistic", "rescaled"])
def test_inlined_forms_are_exact_and_short(model, calc):
    calls = [
        ("ELO_BAYES", (1500 + m, 1500, score, sd, other, "split", model))
        for m in amount((-1495, 40.5, 1500), (-1495, -1000, -300, 0, 40.5, 700, 1500))
        for score in RESULTS
        for sd, other in product((30, 80, 180, 350), (30, 120, 350))
    ]
    for (_, given_), found in zip(calls, inline_values(calls, calc), strict=True):
        ours = elo_xl.worksheet("ELO_BAYES", *given_)
        assert same(ours, found, relative=0, absolute=1e-9), given_
    for column in find("ELO_BAYES").columns:
        formula = inline("ELO_BAYES", "A2", "B2", "C2", "D2", "E2", None, model, column=column)
        assert len(formula) < 1300
