"""Rating periods against game-by-game arithmetic in fractions, and what must hold of every one."""

import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elo_xl.engine import accumulator, performance, period
from elo_xl.engine import ratings as one
from elo_xl.engine.errors import DomainError, OptionError, SizeError
from elo_xl.engine.models import expected
from elo_xl.engine.rulebooks import RULEBOOKS, rulebook
from elo_xl.engine.rulebooks.own import folder
from tests.support import exact
from tests.support.levels import examples

nan = math.nan

EDITIONS: dict[str, dict[str, Any]] = {
    "fide-2024-03": {},
    "fide-2025-10": {"uncapped_from": 2650},
    "fide-2022-01": {"one_upgrade": True},
}
"""The editions that differ in what counts, as keywords of the slow arithmetic."""

fide = pytest.mark.parametrize("rules", EDITIONS)
plain = pytest.mark.parametrize("rules", ["elo", "logistic"])
linear = [name for name, book in RULEBOOKS.items() if book.linear]
every_rulebook = pytest.mark.parametrize("rules", linear)
few = settings(max_examples=examples(25))  # of each of ten rulebooks

ratings_ = st.one_of(
    st.integers(1000, 2900), st.sampled_from([2249, 2250, 2649, 2650, 2651, 2000.5, 1600])
)
anyone = st.none() | ratings_
k_factors = st.sampled_from([10, 15, 20, 25, 38, 40])


@st.composite
def fields(draw: Any, rating: Any = anyone) -> tuple[list[Any], list[int], list[Any]]:
    """Ratings (None: unrated), K factors and games of a small event."""
    ratings = draw(st.lists(rating, min_size=2, max_size=7))
    k = draw(st.lists(k_factors, min_size=len(ratings), max_size=len(ratings)))
    pairs = st.permutations(range(len(ratings))).map(lambda order: order[:2])
    games = draw(st.lists(st.tuples(pairs, st.sampled_from([0, 0.5, 1])), max_size=25))
    return ratings, k, [(*pair, score) for pair, score in games]


def columns(ratings: list[Any], games: list[Any]) -> tuple[list[Any], Any, Any, Any]:
    """As the engine wants them: unrated players are NaN, games three lists."""
    known = [nan if rating is None else rating for rating in ratings]
    first, second, scores = zip(*games, strict=True) if games else ([], [], [])
    return known, list(first), list(second), list(scores)


def whole(ratings: list[Any], k: Any, games: list[Any], rules: str) -> period.Period:
    known, first, second, scores = columns(ratings, games)
    return period.period(known, k, first, second, scores, rules)


def changes(ratings: list[Any], k: Any, games: list[Any], rules: str) -> list[float]:
    moved: list[float] = whole(ratings, k, games, rules).change.tolist()
    return moved


# FIDE's arithmetic, game by game


@fide
@given(fields())
def test_period_is_exact(rules, field):
    ratings, k, games = field
    gains = exact.fide_gains(ratings, games, **EDITIONS[rules])
    done = whole(ratings, k, games, rules)
    for i, (rating, gain) in enumerate(zip(ratings, gains, strict=True)):
        met = [
            (ratings[b if a == i else a], score if a == i else 1 - score)
            for a, b, score in games
            if i in (a, b) and ratings[b if a == i else a] is not None
        ]
        score = Fraction(sum(points for _, points in met))
        assert (len(met), score) == (done.games[i], done.score[i])
        if rating is None:
            assert math.isnan(done.change[i])
            assert math.isnan(done.expected[i])
        else:
            limited = int(rulebook(rules).k.limited(np.array([k[i]]), np.array([len(met)]))[0])
            assert limited == done.k[i]
            assert float(score - gain) == done.expected[i]
            assert float(limited * gain) == done.change[i]
            assert rating + exact.half_away(limited * gain) == done.new[i]
        if met:
            strength = performance.performance([r for r, _ in met], float(score))
            assert strength == done.performance[i]
        else:
            assert math.isnan(done.performance[i])


@fide
@given(
    rating=ratings_, k=k_factors, games=st.lists(st.tuples(ratings_, st.sampled_from([0, 0.5, 1])))
)
def test_one_player_is_a_period_of_one(rules, rating, k, games):
    opponents, scores = [list(x) for x in zip(*games, strict=True)] if games else ([], [])
    ratings = [rating, *opponents]
    sides = [(0, i, score) for i, score in enumerate(scores, start=1)]
    gain = exact.fide_gains(ratings, sides, **EDITIONS[rules])[0]
    assert float(k * gain) == one.change(rating, k, opponents, scores, rules)
    assert rating + exact.half_away(k * gain) == one.update(rating, k, opponents, scores, rules)
    if games:
        assert float(k * gain) == one.change(rating, k, opponents, sum(scores), rules)


def test_minus_two_and_a_half_is_minus_three():
    games = [1787, 2025, 2310, 2400, 2505], [1, 1, 1, 1, 0.5]
    assert -2.4999999999999996 == 10 * sum([0, 0, 0.04, 0.07, -0.36])  # in binary numbers
    assert -2.5 == one.change(2813, 10, *games)
    assert 2810 == one.update(2813, 10, *games)


@pytest.mark.parametrize(
    ("hundredths", "rounded"), [(250, 3), (-250, -3), (50, 1), (-50, -1), (249, 2), (-249, -2)]
)
def test_halves_of_a_period_go_away_from_zero(hundredths, rounded):
    # K 1 and games between equals: every win is worth half a point
    wins = abs(hundredths) // 50
    k = abs(hundredths) / 50 / max(wins, 1)
    score = 1 if hundredths > 0 else 0
    assert hundredths / 100 == pytest.approx(
        one.change(2000, k, [2000] * wins, [score] * wins).item()
    )
    assert 2000 + rounded == one.update(2000, k, [2000] * wins, [score] * wins)


# properties of all rulebooks


@every_rulebook
@few
@given(fields(st.integers(2500, 2900)))  # near enough for any cap
def test_points_are_neither_made_nor_lost(rules, field):
    ratings, _, games = field
    assert 0 == pytest.approx(math.fsum(changes(ratings, 20, games, rules)), abs=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["fide-2024-03", "fide-rapid", "elo", "logistic"])
@given(fields(ratings_))
def test_points_are_neither_made_nor_lost_across_the_cap(rules, field):
    ratings, _, games = field
    assert 0 == pytest.approx(math.fsum(changes(ratings, 20, games, rules)), abs=1e-10)


@every_rulebook
@few
@given(field=fields(), random=st.randoms(use_true_random=False))
def test_order_of_games_does_not_matter(rules, field, random):
    ratings, k, games = field
    shuffled = list(games)
    random.shuffle(shuffled)
    turned = [
        (b, a, 1 - score) if random.random() < 0.5 else (a, b, score) for a, b, score in shuffled
    ]
    for other in (shuffled, turned):
        one, two = whole(ratings, k, games, rules), whole(ratings, k, other, rules)
        same = 0 if rulebook(rules).expected.unit > 1 else 1e-9
        for x, y in zip(
            (one.games, one.score, one.expected, one.change, one.new),
            (two.games, two.score, two.expected, two.change, two.new),
            strict=True,
        ):
            assert x.tolist() == pytest.approx(y.tolist(), abs=same, rel=0, nan_ok=True)


@every_rulebook
@few
@given(fields())
def test_unrated_players_count_for_nobody(rules, field):
    ratings, k, games = field
    both = [g for g in games if ratings[g[0]] is not None and ratings[g[1]] is not None]
    without, with_them = (changes(ratings, k, some, rules) for some in (both, games))
    assert without == pytest.approx(with_them, abs=1e-12, nan_ok=True)


@plain
@given(fields(ratings_))
def test_plain_models_add_up_differences(rules, field):
    ratings, k, games = field
    gains = np.zeros(len(ratings))
    for a, b, score in games:
        chance = expected(ratings[a] - ratings[b], rulebook(rules).expected.model)
        gains[a] += score - chance
        gains[b] -= score - chance
    done = whole(ratings, k, games, rules)
    assert (k * gains).tolist() == pytest.approx(done.change.tolist(), abs=1e-10)
    assert (ratings + k * gains).tolist() == pytest.approx(done.new.tolist(), abs=1e-9)


@every_rulebook
@few
@given(fields())
def test_games_not_played_do_not_count(rules, field):
    ratings, k, games = field
    more = [(1, 0, nan), *games, (0, 1, nan)]
    played, all_ = (changes(ratings, k, some, rules) for some in (games, more))
    assert played == pytest.approx(all_, rel=0, abs=0, nan_ok=True)


@every_rulebook
def test_blocks_have_no_seams(rules, monkeypatch):
    random = np.random.default_rng(7)
    ratings = random.integers(1400, 2800, 60).astype(float)
    ratings[::9] = nan
    first = random.integers(0, 60, 500)
    second = (first + random.integers(1, 60, 500)) % 60
    score = random.integers(0, 3, 500) / 2
    at_once = period.period(ratings, 20, first, second, score, rules)
    monkeypatch.setattr(accumulator, "BLOCK", 64)
    pieces = period.period(ratings, 20, first, second, score, rules)
    assert at_once.change.tobytes() == pieces.change.tobytes()


@pytest.mark.slow
@fide
@pytest.mark.parametrize("nobody", [True, False])
@pytest.mark.parametrize("half", [0.0, 0.5])
def test_many_games_are_exact(rules, nobody, half, monkeypatch):
    """Whole ratings are read as such; halves are not."""
    monkeypatch.setattr(accumulator, "BLOCK", 1000)
    random = np.random.default_rng(3)
    ratings = (random.integers(1200, 2900, 60) + half).tolist()
    if nobody:
        ratings[::9] = [None] * 7
    first = random.integers(0, 60, 5500)
    second = (first + random.integers(1, 60, 5500)) % 60
    score = random.integers(0, 3, 5500) / 2
    games = list(zip(first.tolist(), second.tolist(), score.tolist(), strict=True))
    gains = exact.fide_gains(ratings, games, **EDITIONS[rules])
    limited = whole(ratings, 20, games, rules).k
    right = [
        None if own is None else float(int(k) * gain)
        for own, k, gain in zip(ratings, limited, gains, strict=True)
    ]
    assert right == [None if math.isnan(x) else x for x in changes(ratings, 20, games, rules)]


# single rules


def test_2650_counts_on_each_side_for_itself():
    for rating, opponent, own, other in (
        (2650, 2150, 0.04, -0.08),
        (2649, 2149, 0.08, -0.08),
        (2700, 1964, 0, -0.08),
    ):
        moved = period.period([rating, opponent], 1, [0], [1], [1], "fide-2025-10").change
        assert [own, other] == moved.tolist()
        turned = period.period([opponent, rating], 1, [0], [1], [0], "fide-2025-10").change
        assert [other, own] == turned.tolist()
    assert [0.0, 0.0] == period.period([2750, 2750], 1, [0], [1], [0.5]).change.tolist()
    # both at 2650 or above and far apart: nobody's difference is cut
    assert [0.01, -0.01] == period.period([3300, 2650], 1, [0], [1], [1]).change.tolist()


def test_one_upgrade_of_2022_is_for_the_largest_difference():
    # 450, 500 and 420 ahead: only 500 is cut to 400, the others count in full
    opponents = [2050, 2000, 2080]
    assert 2.1 == one.change(2500, 10, opponents, [1, 1, 1], "fide-2022-01")
    assert 2.4 == one.change(2500, 10, opponents, [1, 1, 1], "fide-2024-03")
    moved = period.period(
        [2500, *opponents], 10, [0, 0, 0], [1, 2, 3], [1, 1, 1], "fide-2022-01"
    ).change
    # the lower rated side has every difference cut
    assert [2.1, -0.8, -0.8, -0.8] == moved.tolist()


def test_equal_largest_differences_of_2022_are_cut_once():
    assert 1.2 == one.change(2500, 10, [2000, 2000], [1, 1], "fide-2022-01")


def test_several_ratings_at_once_are_several_events():
    assert [2.1, 1.4] == one.change(
        [2500, 2600], 10, [2050, 2000, 2080], [1, 1, 1], "fide-2022-01"
    ).tolist()


def test_counted_differences_need_the_player():
    counted = one.counted_differences(
        [2600, 2600, 2700], [2100, 2050, 2100], "fide-2022-01", [0, 0, 1]
    )
    assert [500, 400, 400] == counted.tolist()
    assert [] == one.counted_differences([], [], "fide-2022-01", np.zeros(0, int)).tolist()


def test_rapid_games_across_600_points():
    ratings = [2601, 2001, 2600, 2000]
    games = [0, 2, 0], [1, 3, 3], [1, 1, 0]
    done = period.period(ratings, 10, *games, "fide-rapid")
    assert [0, 0, 1, 1] == done.games.tolist()
    assert [0, 0, 0.8, -0.8] == done.change.tolist()
    assert 0 == one.change(2601, 10, [2001], [1], "fide-rapid")
    with pytest.raises(
        SizeError, match=r"^a total score includes games that are not rated: give one"
    ):
        one.change(2601, 10, [2001, 2400], 1.5, "fide-rapid")


def test_k_times_games_of_the_period():
    games = [0] * 18, list(range(1, 19)), [1] * 18
    done = period.period([2000] * 19, 40, *games)
    assert [38, 40] == done.k[:2].tolist()
    assert [38 * 9, -20] == done.change[:2].tolist()
    assert 40 == period.period([2000] * 19, 40, *games, "fide-2017-07").k[0]


# unrated players


def test_first_rating_of_a_period():
    # 5 games against rated opponents, one against another newcomer
    ratings = [nan, nan, 1900, 1900, 1900, 2000, 2000]
    first, second = [0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6]
    scores = [1, 1, 0, 0.5, 0, 1]
    done = period.period(ratings, 20, first, second, scores)
    assert [5, 0, 0] == done.games[:3].tolist()
    assert [2.5, 0] == done.score[:2].tolist()
    average = (3 * 1900 + 2 * 2000 + 2 * 1800) / 7
    assert (
        exact.half_away(Fraction(average) + exact.table_difference(Fraction(350, 7))) == done.new[0]
    )
    assert math.isnan(done.new[1])
    assert [nan, nan, 0, 0] == pytest.approx(done.change[:4].tolist(), nan_ok=True)
    assert done.performance[0] == performance.performance([1900] * 3 + [2000] * 2, 2.5)


@pytest.mark.parametrize(
    ("published", "rating", "games", "score", "rules"),
    [
        (True, 1400, 5, 0.5, "fide"),
        (False, 1399, 5, 0.5, "fide"),
        (False, 1700, 4, 4, "fide"),
        (False, 1500, 9, 0, "fide"),
        (True, 1000, 5, 1, "fide-2022-01"),
        (False, 999, 5, 1, "fide-2022-01"),
        (True, 1200, 9, 1, "fide-2009-07"),
        (False, 1200, 8, 1, "fide-2009-07"),
        (True, 100, 1, 0.5, "elo"),
        (False, math.inf, 1, 1, "elo"),
        (False, nan, 5, 1, "fide"),
    ],
)
def test_first_rating_is_published(published, rating, games, score, rules):
    numbers = map(np.array, (rating, games, score))
    assert published == rulebook(rules).first.published(*numbers)


def test_newcomers_without_enough_games_stay_unrated():
    done = period.period([nan, 2000], 20, [0], [1], [1])
    assert [nan, 2000] == pytest.approx(done.new.tolist(), nan_ok=True)
    assert [1, 0] == done.games.tolist()


# sizes and shapes


def test_nobody_and_no_game():
    assert [] == period.period([], 20, [], [], []).change.tolist()
    done = period.period([2000, nan], [20, 40], [], [], [])
    assert [2000, nan] == pytest.approx(done.new.tolist(), nan_ok=True)
    assert [0, 0] == done.games.tolist()
    assert 0 == one.change(2000, 20, [], [])
    assert 2000 == one.update(2000, 20, [], [])


def test_arrays_of_any_integers():
    for kind in (np.int8, np.uint16, np.int64):
        first, second = np.array([[0], [1]], dtype=kind)
        moved = period.period([2000, 2000], 20, first, second, [1]).change
        assert [10, -10] == moved.tolist()


@pytest.mark.parametrize(("error", "message", "arguments"), [
    (SizeError, "player 2 is not one of 2", ([2000, 2000], 20, [0], [2], [1])),
    (SizeError, "player -1 is not one of 2", ([2000, 2000], 20, [-1], [1], [1])),
    (SizeError, "player 0 is not one of 0", ([], 20, [0], [0], [1])),
    (SizeError, "players of a game are given by index, got 0.5",
     ([2000, 2000], 20, [0.5], [1], [1])),
    (SizeError, "players of a game are given by index, got 'Ana': elo_xl.rate_period takes names",
     ([2000, 2000], 20, ["Ana"], [1], [1])),
    (SizeError, "1 first players, 2 second players, 3 scores",
     ([2000, 2000], 20, [0], [1, 1], [1, 1, 1])),
    (SizeError, "3 K factors for 2 players", ([2000, 2000], [20, 20, 20], [0], [1], [1])),
    (DomainError, "K must not be below 0, got -1.0", ([2000, 2000], [20, -1], [0], [1], [1])),
    (DomainError, "score must be between 0 and 1, got 1.5",
     ([2000, 2000], 20, [0, 0], [1, 1], [nan, 1.5])),
    (DomainError, "score must be between 0 and 1, got -1.0", ([0, 0], 20, [0], [1], [-1])),
    (DomainError, "player 1 is paired with themselves", ([2000, 2000], 20, [0, 1], [1, 1], [1, 1])),
    (SizeError, "players of a game are given by index, got 'Ana': elo_xl.rate_period takes names",
     ([2000, 2000], 20, np.array(["Ana"], dtype=object), ["Bo"], [1])),
])  # fmt: skip
def test_refused(error, message, arguments):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        period.period(*arguments)


@pytest.mark.parametrize(("error", "message", "arguments"), [
    (SizeError, "2 scores for 3 opponents", (2000, 20, [1, 2, 3], [1, 0])),
    (SizeError, "2 scores for 1 opponents", (2000, 20, [1], [1, 0])),
    (DomainError, "score must be between 0 and 1, got 2.0", (2000, 20, [1, 2, 3], [1, 2, 0])),
    (DomainError, "score must be between 0 and 3, got 3.5", (2000, 20, [1, 2, 3], 3.5)),
    (DomainError, "score must be between 0 and 1, got 1.5", (2000, 20, [1], 1.5)),
    (DomainError, "K must not be below 0, got -20.0", (2000, -20, [1], 1)),
    (OptionError,
     (f"rules must be one of {', '.join(RULEBOOKS)}, got 'fifa'; one of your own is known by its "
      f"name in {folder()}, and to commands also by the path of its .toml file"),
     (2000, 20, [1], 1, "fifa")),
])  # fmt: skip
@pytest.mark.parametrize("function", [one.change, one.update])
def test_refused_for_one_player(error, message, arguments, function):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        function(*arguments)
