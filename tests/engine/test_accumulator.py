"""Sums of whole units against the games of each player added up as floats, the slow way."""

import numpy as np
import pytest

from elo_xl.engine.accumulator import Accumulator
from elo_xl.engine.errors import DomainError, OptionError
from elo_xl.engine.period import period
from elo_xl.engine.rulebooks import RULEBOOKS, rulebook
from elo_xl.engine.rulebooks.event import Event, Players

SIZE, GAMES = 40, 900


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("rules", [name for name, book in RULEBOOKS.items() if book.in_any_order])
def test_sums_are_what_the_games_of_each_player_give(rules, whole):
    rng = np.random.default_rng(3)
    rating = rng.normal(2050, 400, SIZE).round() + (0 if whole else rng.random(SIZE))
    rating[::9] = np.nan
    first = rng.integers(0, SIZE, GAMES)
    second = (first + rng.integers(1, SIZE, GAMES)) % SIZE
    score = rng.integers(0, 3, GAMES) / 2
    score[::11] = np.nan
    other = np.where(rng.random(GAMES) < 0.2, 0.0, np.nan)
    book, players = rulebook(rules), Players.known(rating, games=rng.integers(0, 60, SIZE))
    slow = book.change(book, Event(players, first, second, score, 35.0, other))
    for games in (GAMES, 10**6):  # without and with a table of all differences
        sums = Accumulator(players, book, home=35.0, games=games)
        sums.add(first, second, score, other)
        done = sums.changed()
        exact = 0 if book.expected.unit > 1 else 1e-8
        for name in ("k", "games", "score", "expected", "change"):
            np.testing.assert_allclose(
                getattr(done, name), getattr(slow, name), rtol=0, atol=exact, err_msg=name
            )


@pytest.mark.parametrize("rules", ["fide", "elo"])
def test_quarters_of_a_point_count_in_a_period(rules):
    done = period([1800, 1800], 20, [0], [1], [0.25], rules)
    assert ([0.25, 0.75], [-5, 5]) == (done.score.tolist(), done.change.tolist())


def test_points_that_nobody_gets():
    done = period([1800, 1800], 20, [0], [1], [0.5], second_score=[0])
    assert ([0.5, 0], [0, -10]) == (done.score.tolist(), done.change.tolist())
    with pytest.raises(DomainError, match=r"^scores add up to more than 1, got 0\.5$"):
        period([1800, 1800], 20, [0], [1], [1], second_score=[0.5])


def test_rulebooks_of_whole_events_are_refused():
    with pytest.raises(
        OptionError, match=r"^under us-chess-2025-01 the games of a period do not stand"
    ):
        Accumulator(Players.known([1500.0]), rulebook("us-chess"))
