"""Performance ratings and first ratings, against exact tables and forty-digit roots."""

import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf  # type: ignore[import-untyped]

from elo_xl.engine.errors import DomainError, OptionError, SizeError
from elo_xl.engine.models import difference, expected
from elo_xl.engine.performance import METHODS, performance
from elo_xl.engine.ratings import first_rating, first_rating_steps
from tests.support import exact
from tests.support.rulebooks import IN_BOOKS

every_method = pytest.mark.parametrize("method", METHODS)
roots = pytest.mark.parametrize("method", ["normal", "logistic"])

CARUANA = [2877, 2772, 2805, 2768, 2787] * 2
"""St. Louis 2014, 8½ of 10"""


@st.composite
def results(draw: Any, some: int = 1) -> tuple[list[int], float]:
    """Opponents and a total score; with ``some`` neither nothing nor everything."""
    opponents = draw(st.lists(st.integers(1000, 2900), min_size=1, max_size=12))
    return opponents, draw(st.integers(some, 2 * len(opponents) - some)) / 2


def fide_performance(opponents: list[Any], score: float) -> int:
    n = len(opponents)
    average = exact.half_up(sum(map(Fraction, opponents)) / n)
    return average + exact.table_difference(100 * Fraction(score) / n)


# performance


@given(results(some=0))
def test_fide(result):
    assert fide_performance(*result) == performance(*result)


@roots
@given(result=results())
def test_root_is_where_the_expected_total_is_the_score(method, result):
    opponents, score = result
    rating = performance(opponents, score, method).item()
    surplus = mp.fsum(exact.expected(mpf(rating) - o, method) for o in opponents) - mpf(score)
    slope = mp.fsum(
        mp.diff(lambda x: exact.expected(x, method), mpf(rating) - o) for o in opponents
    )
    assert abs(surplus / slope) < 1e-9 + 1e-14 / slope


@roots
@given(rating=st.floats(1000, 2900), score=st.integers(1, 9))
def test_root_against_equal_opponents_is_the_difference(method, rating, score):
    assert rating + difference(score / 10, method).item() == pytest.approx(
        performance([rating] * 10, score, method).item(), abs=1e-9
    )


@given(results(some=0))
def test_linear(result):
    opponents, score = result
    n = len(opponents)
    right = Fraction(sum(opponents), n) + 400 * (2 * Fraction(score) - n) / n
    assert float(right) == pytest.approx(performance(opponents, score, "linear").item(), rel=1e-15)


@every_method
@given(results=st.lists(results(some=0), min_size=1, max_size=6))
def test_many_players_are_each_by_themselves(method, results):
    single = [performance(opponents, score, method).item() for opponents, score in results]
    met = np.concatenate([opponents for opponents, _ in results])
    player = np.repeat(range(len(results)), [len(opponents) for opponents, _ in results])
    shuffled = np.random.default_rng(len(met)).permutation(met.size)
    together = performance(
        met[shuffled], [score for _, score in results], method, player=player[shuffled]
    )
    assert single == pytest.approx(together.tolist(), rel=1e-12)


@every_method
@given(result=results(some=0), half=st.sampled_from([0.5, 1]))
def test_more_points_are_no_worse(method, result, half):
    opponents, score = result
    better = min(score + half, len(opponents))
    assert performance(opponents, score, method) <= performance(opponents, better, method)


@pytest.mark.parametrize(
    ("rating", "method"), [(3098, "fide"), (3106, "logistic"), (3098, "normal"), (3082, "linear")]
)
def test_published_figures_differ_by_method(rating, method):
    assert rating == performance(CARUANA, 8.5, method).round()
    average = sum(CARUANA) / 10
    assert 3103 == (average + difference(0.85, "logistic")).round()


@pytest.mark.parametrize(
    ("opponents", "score", "rating"),
    [
        ([1801, 1800], 1, 1801),  # an average of 1800½ is rounded up
        ([1800] * 8, 5, 1895),  # 62½ % is 63 %
        ([1800] * 8, 3, 1800 - 87),  # 37½ % is 38 %
        ([1800], 1, 2600),
        ([1800], 0, 1000),
        ([2000.4, 2000.4], 1, 2000),
    ],
)
def test_halves_are_rounded_up(opponents, score, rating):
    assert rating == performance(opponents, score)


@roots
def test_all_won_and_all_lost_have_no_finite_performance(method):
    assert [-math.inf, math.inf] == [performance([1800, 2000], x, method) for x in (0, 2)]
    both = performance([1800, 2000, 1900], [1, 2], method, player=[0, 1, 1])
    assert [math.inf, math.inf] == both.tolist()


@every_method
def test_nobody_met(method):
    assert math.isnan(performance([], 0, method))
    two = performance([1800, 1900], [0, 1], method, player=[1, 1])
    assert math.isnan(two[0])
    assert performance([1800, 1900], 1, method) == two[1]
    assert [] == performance([], [], method, player=[]).tolist()


# first ratings


def first_rating_2024(opponents: list[int], score: float) -> int:
    n = len(opponents) + 2
    average = Fraction(sum(opponents) + 2 * 1800, n)
    dp = exact.table_difference(100 * (Fraction(score) + 1) / n)
    return min(exact.half_away(average + dp), 2200)


def first_rating_2022(opponents: list[int], score: float, per_half_point: float = 20) -> int:
    n = len(opponents)
    average, half_points = Fraction(sum(opponents), n), 2 * Fraction(score) - n
    gain = (
        Fraction(per_half_point) * half_points
        if half_points > 0
        else exact.table_difference(100 * Fraction(score) / n)
    )
    return exact.half_away(average + gain)


@given(results(some=0))
def test_first_ratings(result):
    opponents, score = result
    for rules in ("fide", "fide-2024-03", "fide-rapid"):
        assert first_rating_2024(opponents, score) == first_rating(opponents, score, rules)
    for rules in ("fide-2022-01", "fide-2017-07", "fide-2014-07"):
        assert first_rating_2022(opponents, score) == first_rating(opponents, score, rules)
    oldest = first_rating(opponents, score, "fide-2009-07")
    assert first_rating_2022(opponents, score, 12.5) == oldest
    for rules, method in (("elo", "normal"), ("logistic", "logistic")):
        assert performance(opponents, score, method) == first_rating(opponents, score, rules)


def test_at_most_2200():
    assert [2200, 2200, 2195] == [
        first_rating(opponents, 5).item() for opponents in ([2700] * 5, [2050] * 5, [1920] * 5)
    ]


def test_steps():
    steps = first_rating_steps([1900, 2000, 1850], 2)
    assert (1900 + 2000 + 1850 + 3600) / 5 == steps.average
    assert 60 == steps.percent
    assert 1870 + 72 == steps.rating
    steps = first_rating_steps([1900, 2000, 1850, 1850], 2.5, "fide-2022-01")
    assert [1900, 62.5, 1920] == [steps.average, steps.percent, steps.rating]


@pytest.mark.parametrize("rules", IN_BOOKS)
def test_first_ratings_of_many(rules):
    steps = first_rating_steps([1800, 1900, 2000], [1, 0, 0.5], rules, player=[0, 0, 2])
    assert np.isnan([step[1] for step in (steps.average, steps.percent, steps.rating)]).all()
    for i, (opponents, score) in {0: ([1800, 1900], 1), 2: ([2000], 0.5)}.items():
        single = first_rating_steps(opponents, score, rules)
        assert single.average == steps.average[i]
        assert single.percent == steps.percent[i]
        assert single.rating.item() == pytest.approx(steps.rating[i], rel=1e-13)


@roots
def test_opponents_far_apart(method):
    # between two opponents 3,000 points apart nearly every rating scores one of two
    rating = performance([500, 3500], 1, method).item()
    assert rating == pytest.approx(2000, abs=1)
    assert 1.5 == pytest.approx(
        expected(
            performance([500, 3500], 1.5, method).item() - np.array([500, 3500]), method
        ).sum(),
        abs=1e-12,
    )


# what is refused, and how


@pytest.mark.parametrize(("error", "message", "arguments", "options"), [
    (OptionError, "method must be one of fide, normal, logistic, linear, got 'mean'",
     ([1800], 1, "mean"), {}),
    (DomainError, "score must be between 0 and the number of games, got 3.5",
     ([1800, 1900, 2000], 3.5), {}),
    (DomainError, "score must be between 0 and 1, got -0.5", ([1800], -0.5), {}),
    (DomainError, "score must be between 0 and the number of games, got 1.0", ([], 1), {}),
    (DomainError, "score must be between 0 and the number of games, got 2.0",
     ([1800, 1900], [0, 2]), {"player": [0, 1]}),
    (SizeError, "2 scores for 3 opponents", ([1800, 1900, 2000], [1, 0]), {}),
    (SizeError, "1 players for 2 opponents", ([1800, 1900], [1]), {"player": [0]}),
    (SizeError, "player 1 is not one of 1", ([1800, 1900], [1]), {"player": [0, 1]}),
    (SizeError, "player -1 is not one of 1", ([1800, 1900], [1]), {"player": [0, -1]}),
])  # fmt: skip
def test_refused(error, message, arguments, options):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        performance(*arguments, **options)
