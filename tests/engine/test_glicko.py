"""Glicko and Glicko-2: published examples, forty digits, another package, and what has to hold."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from glicko2.math.algorithm import update_rating
from hypothesis import given
from hypothesis import strategies as st

import elo_xl
from elo_xl.engine.errors import DomainError, SizeError
from elo_xl.engine.glicko import glicko, glicko2, glicko2_period, glicko_period, grown
from elo_xl.functions.native import NoInlinedFormError, inline
from tests.support import exact

MET, RDS, WON = [1400, 1550, 1700], [30, 100, 300], [1, 0, 0]


def games(seed: int, count: int, rating: float, wide: float) -> list[tuple[float, float, float]]:
    """Opponents around a rating, their deviations and the scores against them."""
    rng = np.random.default_rng(seed)
    met = rating + rng.uniform(-wide, wide, count)
    return list(
        zip(
            met.tolist(),
            rng.choice([1.0, 30, 100, 300, 1000], count).tolist(),
            (rng.integers(0, 3, count) / 2).tolist(),
            strict=True,
        )
    )


def drawn(seed: int) -> tuple[float, float, float, float, list[tuple[float, float, float]]]:
    """Rating, deviation, volatility, tau and games of a player, a few of them very odd."""
    rng = np.random.default_rng(seed)
    rating = float(rng.uniform(100, 3500))
    rd, volatility, tau = (
        float(rng.choice(values))
        for values in (
            [1, 30, 80, 200, 350, 1000],
            [0.001, 0.03, 0.06, 0.1, 0.5, 2],
            [0.1, 0.3, 0.5, 1, 1.2, 2, 4],
        )
    )
    wide = float(rng.choice([100, 400, 2500, 9000]))
    return rating, rd, volatility, tau, games(seed, int(rng.integers(1, 30)), rating, wide)


# -- published -------------------------------------------------------------------------------------


def test_glickmans_examples() -> None:
    rating, rd = glicko(1500, 200, MET, RDS, WON)
    assert [round(float(rating)), round(float(rd), 1)] == [1464, 151.4]
    assert float(rd) == pytest.approx(151.398902, abs=5e-7)
    rating, rd, volatility = glicko2(1500, 200, 0.06, MET, RDS, WON)
    # the paper rounds on the way and prints 1464.06
    assert float(rating) == pytest.approx(1464.06, abs=0.01)
    assert float(rd) == pytest.approx(151.52, abs=0.005)
    assert float(volatility) == pytest.approx(0.05999, abs=1e-5)
    # the figure that other programs stop at, some steps before the solution
    assert float(volatility) == pytest.approx(0.059995984286, abs=1e-9)


def test_a_deviation_of_50_takes_100_periods_to_that_of_an_unrated_player() -> None:
    # Glickman: c = 34.6
    assert grown(50, 34.6, 100).round().item() == 350
    assert grown(50, 34.6, 99).item() < 348
    assert grown([50, 400], 34.6, 1000).tolist() == [350, 350]


# -- forty digits ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_forty_digits(seed: int) -> None:
    rating, rd, volatility, tau, played = drawn(seed)
    met, rds, won = zip(*played, strict=True)
    assert [float(x) for x in glicko(rating, rd, met, rds, won, 30)] == pytest.approx(
        [float(x) for x in exact.glicko(rating, rd, played, 30)], rel=1e-12
    )
    assert [float(x) for x in glicko2(rating, rd, volatility, met, rds, won, tau)] == pytest.approx(
        [float(x) for x in exact.glicko2(rating, rd, volatility, played, tau)], rel=1e-12
    )


def test_an_upset_whose_equation_has_three_solutions() -> None:
    """The volatility is the solution that the steps of the paper lead to, next to the old one."""
    played = [(2700.0, 30.0, 1.0)]
    found = glicko2(1500, 30, 0.06, [2700], [30], [1])
    assert [float(x) for x in found] == pytest.approx(
        [float(x) for x in exact.glicko2(1500, 30, 0.06, played)], rel=1e-12
    )
    assert 0.06 < float(found.volatility) < 0.061


# -- another package -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(100, 160))
def test_another_package(seed: int) -> None:
    rating, rd, volatility, tau, _ = drawn(seed)
    played = games(seed, 12, rating, 800)
    unit = 173.7178
    theirs = update_rating(
        (rating - 1500) / unit,
        rd / unit,
        volatility,
        [((other - 1500) / unit, own / unit, score) for other, own, score in played],
        tau,
    )
    met, rds, won = zip(*played, strict=True)
    ours = glicko2(rating, rd, volatility, met, rds, won, tau)
    # it stops at 1e-6
    assert [float(x) for x in ours] == pytest.approx(
        [1500 + unit * theirs.mu, unit * theirs.phi, theirs.sigma], rel=2e-6
    )


# -- a whole period --------------------------------------------------------------------------------


def field(seed: int, players: int, count: int) -> tuple[Any, ...]:
    """Ratings, deviations, volatilities, first and second players, scores."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, players, count)
    second = (first + rng.integers(1, players, count)) % players
    return (
        rng.normal(1500, 300, players),
        rng.uniform(20, 350, players),
        rng.uniform(0.03, 0.1, players),
        first,
        second,
        rng.integers(0, 3, count) / 2,
    )


def test_a_period_is_each_players_games() -> None:
    ratings, rds, volatilities, first, second, score = field(1, 40, 300)
    # one without a game
    keep = (first != 7) & (second != 7)
    first, second, score = first[keep], second[keep], score[keep]
    one = glicko_period(ratings, rds, first, second, score, 40, 2)
    two = glicko2_period(ratings, rds, volatilities, first, second, score, 0.7)
    before = grown(rds, 40, 2)
    for i in range(ratings.size):
        met = np.concatenate([second[first == i], first[second == i]])
        won = np.concatenate([score[first == i], 1 - score[second == i]])
        alone = glicko(ratings[i], rds[i], ratings[met], before[met], won, 40, 2)
        assert [x[i] for x in one] == pytest.approx([float(x) for x in alone], rel=1e-13)
        alone2 = glicko2(ratings[i], rds[i], volatilities[i], ratings[met], rds[met], won, 0.7)
        assert [x[i] for x in two] == pytest.approx([float(x) for x in alone2], rel=1e-12)
    assert one.rating[7] == ratings[7]
    assert one.rd[7] == before[7]
    assert two.rating[7] == ratings[7]
    assert two.volatility[7] == volatilities[7]


def test_unrated_players() -> None:
    nan = np.nan
    ratings, rds = [nan, 1500, nan, 1700], [nan, 200, nan, nan]
    after = glicko_period(ratings, rds, [0], [1], [1], 50)
    known = glicko_period([1500, 1500, 1500, 1700], [350, 200, 350, 350], [0], [1], [1], 50)
    assert after.rating.tolist()[:2] == known.rating.tolist()[:2]
    assert after.rd.tolist()[:2] == known.rd.tolist()[:2]
    assert np.isnan([after.rating[2], after.rd[2]]).all()
    assert [after.rating[3], after.rd[3]] == [1700, 350]

    volatilities = [nan, 0.05, nan, nan]
    other = glicko2_period(ratings, rds, volatilities, [0], [1], [1], start=(1200, 300, 0.09))
    same = glicko2_period(
        [1200, 1500, 1200, 1700], [300, 200, 300, 300], [0.09, 0.05, 0.09, 0.09], [0], [1], [1]
    )
    for ours, theirs in zip(other, same, strict=True):
        assert ours[[0, 1, 3]].tolist() == theirs[[0, 1, 3]].tolist()
        assert np.isnan(ours[2])


def test_games_without_a_score_were_not_played() -> None:
    ratings, rds, volatilities, first, second, score = field(2, 10, 40)
    some = np.where(np.arange(40) % 3, score, np.nan)
    there = ~np.isnan(some)
    found = glicko2_period(ratings, rds, volatilities, first, second, some)
    expected = glicko2_period(ratings, rds, volatilities, first[there], second[there], some[there])
    assert [x.tolist() for x in expected] == [x.tolist() for x in found]


def test_an_empty_period() -> None:
    nobody = glicko2_period([], [], [], [], [], [])
    assert [x.size for x in nobody] == [0, 0, 0]
    one = glicko_period([1500.0], 60, [], [], [], 30)
    assert [x.tolist() for x in one] == [[1500], pytest.approx([np.hypot(60, 30)])]


# -- what has to hold ------------------------------------------------------------------------------

PLAYERS = st.tuples(
    st.floats(100, 3500), st.floats(20, 500), st.floats(0.01, 0.5), st.sampled_from([0, 0.5, 1])
)


@given(st.lists(PLAYERS, min_size=1, max_size=12), st.randoms())
def test_the_order_of_games_does_not_matter(met: list[tuple[float, ...]], lots: Any) -> None:
    mixed = met.copy()
    lots.shuffle(mixed)
    for calculate in (
        lambda own: glicko(1600, 90, *zip(*((r, d, s) for r, d, _, s in own), strict=True)),
        lambda own: glicko2(1600, 90, 0.06, *zip(*((r, d, s) for r, d, _, s in own), strict=True)),
    ):
        one, other = calculate(met), calculate(mixed)
        assert [float(x) for x in one] == pytest.approx([float(x) for x in other], rel=1e-11)


@given(PLAYERS, PLAYERS)
def test_which_player_is_named_first_does_not_matter(
    one: tuple[float, ...], two: tuple[float, ...]
) -> None:
    ratings, rds, volatilities = ([one[i], two[i]] for i in range(3))
    there = glicko2_period(ratings, rds, volatilities, [0], [1], [one[3]])
    back = glicko2_period(ratings, rds, volatilities, [1], [0], [1 - one[3]])
    assert [x.tolist() for x in there] == [pytest.approx(x.tolist(), rel=1e-12) for x in back]
    if one[3] != 0.5:
        gained = (there.rating - ratings) * (2 * one[3] - 1)
        assert gained[0] >= 0 >= gained[1]


@given(st.floats(100, 3000), st.floats(20, 350), st.floats(0.01, 0.3), st.floats(0, 1))
def test_equal_players_gain_what_the_other_loses(
    rating: float, rd: float, volatility: float, score: float
) -> None:
    for after in (
        glicko_period([rating] * 2, rd, [0], [1], [score], 30),
        glicko2_period([rating] * 2, rd, volatility, [0], [1], [score]),
    ):
        gained = after.rating - rating
        assert gained[0] == pytest.approx(-gained[1], abs=1e-9)
        assert after[1][0] == pytest.approx(after[1][1], rel=1e-12)


def test_nothing_is_too_odd() -> None:
    """Everything within the bounds gives finite numbers, and soon."""
    rng = np.random.default_rng(3)
    players = 20_000
    rds, volatilities, tau = 10 ** rng.uniform(-9, 6, (3, players))
    first = rng.integers(0, players, 2 * players)
    second = (first + rng.integers(1, players, 2 * players)) % players
    score = rng.integers(0, 3, 2 * players) / 2
    for wide in (1e6, 1e4, 1e2):
        ratings = rng.uniform(-wide, wide, players)
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            one = glicko_period(ratings, rds, first, second, score, 1e6)
            two = glicko2_period(ratings, rds, volatilities, first, second, score, tau)
        assert all(np.isfinite(x).all() for x in (*one, *two))
        assert all((x > 0).all() for x in (one.rd, two.rd, two.volatility))


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("call", "message"), [
    (lambda: glicko(1500, 0, MET, RDS, WON), "rd must be above 0 and at most 1,000,000, got 0"),
    (lambda: glicko(1500, -5, MET, RDS, WON), "rd must be above 0 and at most 1,000,000, got -5"),
    (lambda: glicko(1500, 50, MET, [30, 0, 1], WON), "rd must be above 0 .*, got 0"),
    (lambda: glicko(1500, 50, MET, [30, np.nan, 1], WON), "rd must be above 0 .*, got nan"),
    (lambda: glicko(1500, 50, MET, RDS, [1, 2, 0]), "score must be between 0 and 1, got 2"),
    (lambda: glicko(2e6, 50, MET, RDS, WON), "rating must be within 1,000,000 points of 0"),
    (lambda: glicko(1500, 50, MET, RDS, WON, -1), "growth must not be below 0, got -1"),
    (lambda: glicko(1500, 50, MET, RDS, WON, 1, -2), "periods must not be below 0, got -2"),
    (lambda: glicko2(1500, 50, 0, MET, RDS, WON), "volatility must be above 0 .*, got 0"),
    (lambda: glicko2(1500, 50, 0.06, MET, RDS, WON, 0), "tau must be above 0 .*, got 0"),
    (lambda: glicko2_period([1500, 1500], 50, 0.06, [0], [0], [1]), "0 is paired with themselves"),
    (lambda: glicko2_period([1500, 1500], 50, 0.06, [0], [1], [-1]), "score .*, got -1"),
])  # fmt: skip
def test_numbers_outside_their_domain(call: Callable[[], object], message: str) -> None:
    with pytest.raises(DomainError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: glicko(1500, 50, MET, RDS, [1, 0]), "2 scores and 3 deviations for 3 opponents"),
        (lambda: glicko2(1500, 50, 1, MET, 30, WON), "3 scores and 1 deviations for 3 opponents"),
        (lambda: glicko_period([1500] * 3, [50, 60], [0], [1], [1]), "2 deviations for 3 players"),
        (lambda: glicko2_period([1500] * 3, 50, [1, 1], [0], [1], [1]), "2 volatilities for 3"),
        (lambda: glicko_period([1500] * 3, 50, [0], [3], [1]), "player 3 is not one of 3"),
        (lambda: glicko_period([1500] * 3, 50, [0], [1], [1, 0]), "1 first players, 1 second"),
    ],
)
def test_sizes_that_do_not_fit(call: Callable[[], object], message: str) -> None:
    with pytest.raises(SizeError, match=message):
        call()


# -- in cells --------------------------------------------------------------------------------------


def test_every_cell_of_a_row_shows_its_error_or_blank() -> None:
    lists = ([[x] for x in MET], [[x] for x in RDS], [[x] for x in WON])
    ratings = [["x"], [None], [1500], ["#N/A"]]
    assert elo_xl.worksheet("ELO_GLICKO2", ratings, 200, 0.06, *lists) == [
        ["#VALUE!"] * 3,
        [""] * 3,
        pytest.approx([1464.0506705, 151.5165241, 0.0599959844]),
        ["#N/A"] * 3,
    ]
    assert elo_xl.worksheet("ELO_GLICKO", 1500, 0, *lists) == [["#NUM!"] * 2]
    assert elo_xl.worksheet("ELO_GLICKO", 1500, 50, *lists[:2], [[1], [0]]) == [["#N/A"] * 2]


def test_what_has_a_formula_of_built_in_functions() -> None:
    cells = ("B2", "C2", "D2:D9", "E2:E9", "F2:F9")
    assert inline("ELO_GLICKO", *cells, column="new RD", checks="none") == (
        'SQRT(1/(1/MIN(350^2,C2^2)+(LN(10)/400)^2*SUMPRODUCT((D2:D9<>0)*(E2:E9<>"")'
        '*(F2:F9<>"")*(1/(1+3*(LN(10)/400*E2:E9/PI())^2)'
        "/(2+EXP(LN(10)/400*(B2-D2:D9)/SQRT(1+3*(LN(10)/400*E2:E9/PI())^2))"
        "+EXP(-(LN(10)/400*(B2-D2:D9)/SQRT(1+3*(LN(10)/400*E2:E9/PI())^2))))))))"
    )
    with pytest.raises(NoInlinedFormError, match="The volatility is found by approximation"):
        inline("ELO_GLICKO2", "B2", "C2", "G2", *cells[2:], column="new RD")


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (("B2", "C2", "D2:D9", "E2:E8", "F2:F9"), "D2:D9 and E2:E8 differ in shape"),
        (("B2", "C2", "D2:D9", "E2", "F2:F9"), "rds and opponents differ in shape"),
        (("B2", "C2", "D2:D9", "E2:E9", 2.5), "scores must be cells"),
        (("B2:B9", "C2", "D2:D9", "E2:E9", "F2:F9"), "rating must be one cell"),
    ],
)
def test_formulas_that_are_refused(cells: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        inline("ELO_GLICKO", *cells, column="new RD")
