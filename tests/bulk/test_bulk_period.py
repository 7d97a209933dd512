"""A period in batches is the period of one table, to the last bit, however its games are cut."""

from __future__ import annotations

import numpy as np
import pytest

from elo_xl.bulk.period import Gathered, Period, Rated, begin, period_of_system
from elo_xl.engine.errors import DomainError, OptionError, SizeError
from elo_xl.engine.period import period
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.engine.rulebooks.event import Players
from elo_xl.engine.systems import Elo, Glicko, Glicko2, Ioffe

SIZE, GAMES = 300, 8000
NUMBERS = Rated._fields[:-1]


def never(*_):
    raise AssertionError("there is nothing to rate")


def some_games(seed=1, games=GAMES):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, SIZE, games)
    second = (first + rng.integers(1, SIZE, games)) % SIZE
    return first, second, rng.integers(0, 3, games) / 2


def some_players(*, whole=True, unrated=0.1):
    rng = np.random.default_rng(2)
    rating = rng.normal(2050, 400, SIZE).round() + (0 if whole else rng.random(SIZE))
    rating[rng.random(SIZE) < unrated] = np.nan
    k = np.where(rng.random(SIZE) < 0.3, 15.0, np.nan)
    return Players.known(rating, k, rng.integers(0, 60, SIZE), rng.integers(10, 60, SIZE))


def added(to, games, cuts, shuffled=False):
    order = np.random.default_rng(cuts).permutation(games[0].size) if shuffled else slice(None)
    for part in zip(*(np.array_split(x[order], cuts) for x in games), strict=True):
        to.add(*part)
    return to


def bits(rated):
    return [getattr(rated, name).tobytes() for name in NUMBERS]


@pytest.mark.slow
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("rules", RULEBOOKS)
def test_a_period_in_batches_is_the_period_of_one_table(rules, whole):
    players, games = some_players(whole=whole), some_games()
    first, second, score = games
    if rules == "usatt":  # a match of table tennis has no draw
        games = first, second, score = first, second, np.where(score == 0.5, 1.0, score)
    if not RULEBOOKS[rules].change.takes_k:
        index = players.games // 5
        players = Players.known(players.rating, "auto", players.games, players.age, index=index)
    one = period(
        players.rating,
        players.k,
        first,
        second,
        score,
        rules,
        games=players.games,
        age=players.age,
        index=players.index,
    )
    made = [
        added(begin(players, rules), games, cuts, shuffled).finish()
        for cuts, shuffled in ((1, False), (13, False), (50, RULEBOOKS[rules].in_any_order))
    ]
    assert bits(made[0]) == bits(made[1]) == bits(made[2])
    exact = RULEBOOKS[rules].expected.unit > 1
    for name in NUMBERS:
        expected, actual = getattr(one, name), getattr(made[0], name)
        np.testing.assert_allclose(
            actual, expected, rtol=0, atol=0 if exact else 1e-8, err_msg=name
        )


@pytest.mark.slow
def test_one_player_may_have_more_games_than_one_number_holds():
    games = 700_000
    first = np.zeros(games, np.int64)
    second = np.tile(np.arange(1, 8), games // 7)
    score = np.where(np.arange(games) % 3, 1.0, 0.5)
    players = Players.known(np.array([2000.0, *range(1700, 2400, 100)]), 20)
    made = added(Period(players, "fide"), (first, second, score), 11).finish()
    one = period(players.rating, players.k, first, second, score)
    assert made.games[0] == games
    for name in NUMBERS:
        np.testing.assert_array_equal(getattr(made, name), getattr(one, name))


@pytest.mark.slow
@pytest.mark.parametrize("system", [Elo(), Elo(k=32, reversion=0.3, home=40),
                                    Ioffe(sd=120, growth=20), Glicko(), Glicko2()])  # fmt: skip
def test_a_system_in_batches_carries_the_same_ratings(system):
    state = {name: np.full(SIZE, np.nan) for name in system.columns}
    state["rating"] = some_players().rating
    first, second, third = (some_games(seed) for seed in (1, 2, 3))
    number = np.repeat([0, 1, 3], GAMES)
    together = [np.concatenate(x) for x in zip(first, second, third, strict=True)]
    one = system.carry(*together, SIZE, before=state, period=number)
    for games, at in ((first, 0), (second, 1), (third, 3)):
        cut = [added(period_of_system(system, state, at), games, cuts).finish() for cuts in (1, 7)]
        assert bits(cut[0]) == bits(cut[1])
        state = cut[0].state
    for name in system.columns:
        np.testing.assert_allclose(state[name], one.state[name], rtol=1e-12)


@pytest.mark.parametrize("make", [
    lambda: Period(Players.known([1500.0, 1600.0])),
    lambda: Gathered(2, never),
])  # fmt: skip
@pytest.mark.parametrize(("game", "error"), [
    (([0], [2], [1]), SizeError),
    (([-1], [1], [1]), SizeError),
    (([0], [0], [1]), DomainError),
    (([0], [1], [1.5]), DomainError),
    (([0, 1], [1], [1]), SizeError),
    ((["Ana"], ["Bo"], [1]), SizeError),
])  # fmt: skip
def test_what_is_no_game_is_refused(make, game, error):
    with pytest.raises(error):
        make().add(*game)


def test_a_quarter_of_a_point_is_refused():
    for period_ in (Period(Players.known([1500.0, 1600.0])), Gathered(2, never)):
        with pytest.raises(DomainError, match=r"score must be 1, 0\.5 or 0, got 0\.25"):
            period_.add([0], [1], [0.25])


def test_rulebooks_of_whole_events_and_foreign_factors_are_refused():
    with pytest.raises(OptionError, match="do not stand alone"):
        Period(Players.known([1500.0]), "us-chess")


def test_nobody_and_no_games():
    assert Period(Players.known([])).finish().new.tolist() == []
    assert Period(Players.known([1500.0])).finish().new.tolist() == [1500.0]
    assert begin(Players.known([1500.0]), "us-chess").finish().games.tolist() == [0]
