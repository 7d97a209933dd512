"""Ratings from game to game: a plain loop, FiveThirtyEight's rules, Glickman's example."""

import csv
import io
import math
import random
from collections import defaultdict
from datetime import date, timedelta
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from elo_xl.engine import glicko, sequence
from elo_xl.engine.errors import DomainError, OptionError, SizeError
from elo_xl.engine.models import expected
from elo_xl.engine.sequence import waves
from elo_xl.engine.systems import Elo, Glicko, Glicko2, Ioffe, Rules
from elo_xl.engine.usual import CURVES
from elo_xl.functions.evaluation import worksheet


def season(seed: int, players: int, games: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    first = rng.integers(0, players, games)
    second = (first + rng.integers(1, players, games)) % players
    return first, second, rng.integers(0, 3, games) / 2


E = {
    "normal": lambda d: math.erfc(-d / 400) / 2,
    "logistic": lambda d: 1 / (1 + 10 ** (-d / 400)),
    "rescaled": lambda d: 1 / (1 + math.exp(-d / (100 * math.sqrt(math.pi)))),
}


def loop(first, second, score, model="normal", k=20.0, start=1500.0, home=0.0):
    """The rule itself, a line a game."""
    rating: defaultdict[int, float] = defaultdict(lambda: start)
    after = []
    for a, b, s in zip(first.tolist(), second.tolist(), score.tolist(), strict=True):
        gain = k * (s - E[model](rating[a] + home - rating[b]))
        rating[a] += gain
        rating[b] -= gain
        after.append((rating[a], rating[b]))
    return [rating.get(i, math.nan) for i in range(max(rating) + 1)], after


@pytest.mark.slow
@pytest.mark.parametrize("model", CURVES)
@pytest.mark.parametrize(
    ("players", "games"), [(2, 300), (20, 2000), (1000, 17_000), (5000, 20_001)]
)
@pytest.mark.parametrize("few", [0, 10**9])
def test_elo_is_the_plain_loop(model, players, games, few, monkeypatch):
    """In groups of games and in the loop over games, with and without the history."""
    monkeypatch.setattr(sequence, "FEW_PLAYERS", few)
    monkeypatch.setattr(sequence, "WIDE", 0)
    played = season(games, players, games)
    system = Elo(k=32, start=1200, home=35, model=model)
    rating, after = loop(*played, model, 32, 1200, 35)
    for history in (False, True):
        rated = system.carry(*played, history=history)
        assert rated.rating.tolist() == pytest.approx(rating, rel=0, abs=1e-9, nan_ok=True)
    assert rated.history is not None
    np.testing.assert_allclose(rated.history, after, rtol=0, atol=1e-9)
    assert rated.games.tolist() == np.bincount(np.concatenate(played[:2])).tolist()


@pytest.mark.slow
def test_the_way_is_chosen_by_what_the_games_allow(monkeypatch):
    """One player in every game leaves nothing to compute at once, however many there are."""
    first, second, score = season(1, 1000, 20_000)
    ways: list[Mock] = []
    for name in ("_in_groups", "_plain_loop"):
        way = Mock(side_effect=getattr(sequence, name))
        monkeypatch.setattr(sequence, name, way)
        ways.append(way)
    for players in (first, np.where(second == 0, 1, 0)):
        np.testing.assert_allclose(
            Elo().carry(players, second, score).rating,
            loop(players, second, score)[0],
            rtol=0,
            atol=1e-9,
        )
    assert [way.call_count for way in ways] == [1, 1]


def test_a_margin_may_be_any_function():
    first, second, score = season(3, 5, 60)
    margin = np.arange(60) % 7
    own = Elo(margin=lambda m: np.where(m < 2, 1, np.where(m < 3, 1.5, (11 + m) / 8)))
    goals = Elo(margin="goals").carry(first, second, score, margin=margin)
    assert own.carry(first, second, score, margin=margin).rating.tolist() == goals.rating.tolist()
    with pytest.raises(DomainError, match="must multiply k by a number not below 0, got -1"):
        Elo(margin=lambda m: m - 1).carry(first, second, score, margin=margin)


def test_fides_table():
    first, second, score = season(2, 30, 500)
    rating = np.full(30, 1500.0)
    for a, b, s in zip(first, second, score, strict=True):
        gain = 20 * (s - expected(rating[a] - rating[b], "fide").item())
        rating[a] += gain
        rating[b] -= gain
    found = Elo(model="fide").carry(first, second, score).rating
    np.testing.assert_allclose(found, rating, rtol=0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("players", [6, 700, 30_000])
def test_games_are_in_few_groups(players):
    pairs = np.stack(season(players, players, 20_000)[:2]).T
    assert len(list(waves(pairs, players))) < 20_000 / min(players, 2000) * 20


COLUMNS = (
    *("date", "season", "neutral", "playoff", "team1", "team2"),
    *("elo1", "elo2", "elo_prob1", "score1", "score2", "result1"),
)


def football() -> str:
    """A file of the columns that FiveThirtyEight published for the NFL, with invented games."""
    chance = random.Random(65)
    teams = [f"T{i:02}" for i in range(32)]
    out = io.StringIO()
    file = csv.DictWriter(out, COLUMNS)
    file.writeheader()
    for year in range(1990, 1996):
        day = date(year, 9, 5)
        for _week in range(18):
            chance.shuffle(teams)
            for one, two in zip(teams[::2], teams[1::2], strict=True):
                score = [chance.choice((0, 3, 7, 10, 17, 17, 24, 31, 45)) for _ in "12"]
                result = 0.5 + 0.5 * ((score[0] > score[1]) - (score[0] < score[1]))
                line = (day, year, int(chance.random() < 0.04), "", one, two, "", "", "")
                file.writerow(dict(zip(COLUMNS, (*line, *score, result), strict=True)))
            day += timedelta(7)
        if year == 1992:  # two new teams; two that rest for two seasons
            teams += ["T32", "T33"]
            resting = [teams.pop(0), teams.pop(0)]
        if year == 1994:
            teams += resting
    return out.getvalue()


def as_described(lines: list[dict[str, str]]) -> tuple[dict[str, float], list[tuple[float, float]]]:
    """K 20, home 65, margins by their logarithm; a team that has played is a third nearer to 1505
    when its next season begins."""
    elo: dict[str, float] = {}
    played_in: dict[str, str] = {}
    after = []
    for line in lines:
        teams = line["team1"], line["team2"]
        for team in teams:
            if played_in.setdefault(team, line["season"]) != line["season"]:
                elo[team] = 1505 / 3 + elo[team] * 2 / 3
            played_in[team] = line["season"]
        one, two = (elo.setdefault(team, 1300) for team in teams)
        d = one - two + (0 if line["neutral"] == "1" else 65)
        result = float(line["result1"])
        margin = max(abs(int(line["score1"]) - int(line["score2"])), 1)
        behind = {1.0: 0.001 * d + 2.2, 0.0: -0.001 * d + 2.2, 0.5: 1.0}[result]
        shift = 20 * math.log(margin + 1) * 2.2 / behind * (result - 1 / (10 ** (-d / 400) + 1))
        elo[teams[0]] += shift
        elo[teams[1]] -= shift
        after.append((elo[teams[0]], elo[teams[1]]))
    return elo, after


NFL = Elo(k=20, start=1300, home=65, model="logistic", margin="log", reversion=1 / 3, mean=1505)


@pytest.mark.parametrize("few", [0, 10**9])
def test_fivethirtyeights_chain(few, monkeypatch):
    monkeypatch.setattr(sequence, "FEW_PLAYERS", few)
    monkeypatch.setattr(sequence, "WIDE", 0)
    lines = list(csv.DictReader(io.StringIO(football())))
    elo, after = as_described(lines)
    number = {team: i for i, team in enumerate(elo)}
    column = {
        key: [float(line[key] or 0) for line in lines] for key in (*COLUMNS[1:3], *COLUMNS[9:])
    }
    rated = NFL.carry(
        [number[line["team1"]] for line in lines],
        [number[line["team2"]] for line in lines],
        column["result1"],
        before={"rating": 1300},
        period=np.array(column["season"], int),
        margin=np.subtract(column["score1"], column["score2"]),
        neutral=column["neutral"],
        history=True,
    )
    assert rated.rating.tolist() == pytest.approx(list(elo.values()), rel=0, abs=1e-9)
    assert rated.history is not None
    np.testing.assert_allclose(rated.history, after, rtol=0, atol=1e-9)


def test_goals_count_as_in_world_football():
    """ELO_EXCHANGE has the same factor, with its published cases; it rounds to whole points."""
    for scored in range(7):
        gained = Elo(k=40, model="logistic", margin="goals", home=100).carry(
            [0], [1], [1 if scored else 0.5], before={"rating": [1807, 1755]}, margin=[scored]
        )
        found: Any = worksheet("ELO_EXCHANGE", 1807, 1755, scored, 0, "world-football", 40, 1)
        assert round(gained.rating[0] - 1807) == found[0][0]


def calendar(seed: int) -> tuple[Any, ...]:
    """Games of 9 players in random periods with gaps, margins, and who is known beforehand."""
    chance = np.random.default_rng(seed)
    games = int(chance.integers(2, 40))
    played = season(seed, 9, games)
    period = np.cumsum(chance.choice([0, 0, 1, 2, 30], games)) + 5
    known: dict[str, Any] = {"rating": np.where(chance.random(9) < 0.4, 1700.0, np.nan)}
    spread = np.where(chance.random(9) < 0.6, 90.0, np.nan)
    known |= {
        "rd": spread,
        "sd": spread,
        "last_period": np.where(chance.random(9) < 0.3, 2, np.nan),
    }
    return played, period, chance.integers(1, 9, games), known


MOVING = (
    *(Elo(reversion=0.3, margin="log", home=20), Elo(model="logistic"), Ioffe(sd=120, growth=25)),
    *(Glicko(rd=300, growth=40), Glicko2(), Rules("fide"), Ioffe(sd=90, model="logistic")),
)


@pytest.mark.parametrize("system", MOVING, ids=repr)
@pytest.mark.parametrize("seed", range(20))
def test_it_makes_no_difference_in_how_many_calls_games_are_rated(system, seed):
    """To the last bit: at once, period by period, and game by game where games come in turn."""
    played, period, margin, known = calendar(seed)
    before = {name: known[name] for name in system.columns if name in known}

    def rated(parts: Any) -> Any:
        state = before
        for at in parts:
            state = system.carry(
                *(x[at] for x in played), 9, before=state, period=period[at], margin=margin[at]
            ).state
        return state

    numbers = np.arange(period.size)
    ways = [[numbers], [numbers[period == p] for p in np.unique(period)]]
    if isinstance(system, Elo | Ioffe):
        ways.append([numbers[i : i + 1] for i in numbers])
    once, *others = (rated(way) for way in ways)
    for other in others:
        for name in system.columns:
            np.testing.assert_array_equal(other[name], once[name])


@pytest.mark.parametrize("system", MOVING, ids=repr)
@pytest.mark.parametrize("seed", range(20))
def test_nobody_s_rating_depends_on_when_others_play(system, seed):
    played, period, margin, known = calendar(seed)
    before = {name: known[name] for name in system.columns if name in known}
    # two newcomers who play each other alone
    apart = [np.append(x, y) for x, y in zip(played, (9, 10, 1), strict=True)]
    before = {name: np.append(x, [np.nan] * 2) for name, x in before.items()}
    for end in (period[-1], period[-1] + 1000):
        both = system.carry(
            *apart, 11, before=before, period=np.append(period, end), margin=np.append(margin, 1)
        )
        alone = system.carry([0], [1], [1.0], margin=[1])
        for name in (name for name in system.columns if name != "last_period"):
            np.testing.assert_array_equal(both.state[name][9:], alone.state[name])


def test_deviations_grow_from_a_player_s_first_game_on():
    """Glickman, step 1, for everybody by their own calendar."""
    first, second, score = season(3, 12, 60)
    period = np.repeat([4, 5, 8], 20)
    rated = Glicko(growth=40).carry(first, second, score, 13, period=period)
    again = Glicko2().carry(first, second, score, 13, period=period)
    kept = [np.full(13, np.nan) for _ in range(5)]
    last: dict[int, int] = {}
    for number in (4, 5, 8):
        at = period == number
        here = np.unique([first[at], second[at]])
        ready: list[Any] = [x.copy() for x in kept]
        for player in here:
            if player in last:
                gone, sigma = number - last[player], 173.7178 * ready[4][player]
                ready[1][player] = min(350, math.hypot(ready[1][player], 40 * math.sqrt(gone)))
                ready[3][player] = math.hypot(ready[3][player], sigma * math.sqrt(gone - 1))
            last[player] = number
        for column, usual in zip(ready, (math.nan, 350, math.nan, 350, 0.06), strict=True):
            column[np.isnan(column)] = usual
        games = first[at], second[at], score[at]
        made = (
            *glicko.glicko_period(ready[0], ready[1], *games),
            *glicko.glicko2_period(ready[2], ready[3], ready[4], *games),
        )
        for column, after in zip(kept, made, strict=True):
            column[here] = after[here]
    for state, columns in ((rated.state, kept[:2]), (again.state, kept[2:])):
        for name, column in zip(("rating", "rd", "volatility"), columns, strict=False):
            np.testing.assert_allclose(state[name], column, rtol=1e-12)
        assert dict(enumerate(state["last_period"][:12])) == last


def test_a_rulebook_is_the_table_of_each_period():
    first, second, score = season(5, 9, 90)
    period = np.repeat([1, 2, 3], 30)
    people: Any = [[f"P{i}", 1500 + 130 * i, None, 3 * i, None, None] for i in range(8)]
    people.append(["New", None, None, None, None, None])
    before = {
        "rating": [np.nan if p[1] is None else p[1] for p in people],
        "played": [np.nan if p[3] is None else p[3] for p in people],
    }
    rated = Rules("fide").carry(first, second, score, before=before, period=period)
    for number in (1, 2, 3):
        at = np.flatnonzero(period == number)
        games = [[people[first[g]][0], people[second[g]][0], score[g]] for g in at]
        table: Any = worksheet("ELO_PERIOD", people, games)
        for person, row in zip(people, table, strict=True):
            peak = max(person[5] or 0, person[1] or 0, row[7] or 0)
            person[1], person[3], person[5] = row[7], (person[3] or 0) + row[3], peak
    assert rated.rating.tolist() == [person[1] for person in people]
    assert rated.state["played"].tolist() == [person[3] for person in people]


def test_ioffe_is_a_posterior_a_game():
    first, second, score = season(4, 6, 40)
    state = [(1500.0, 120.0)] * 6
    for a, b, s in zip(first, second, score.tolist(), strict=True):
        found: Any = worksheet("ELO_BAYES", state[a][0], state[b][0], s, state[a][1], state[b][1])
        state[a], state[b] = (found[0][0], found[0][2]), (found[0][1], found[0][3])
    rated = Ioffe(sd=120).carry(first, second, score, 7)
    assert rated.rating[:6].tolist() == pytest.approx([r for r, _ in state], rel=1e-12)
    assert rated.state["sd"][:6].tolist() == pytest.approx([sd for _, sd in state], rel=1e-12)
    assert np.isnan([rated.rating[6], rated.state["sd"][6]]).all()


def test_ratings_move_towards_the_mean_once_before_a_players_next_season():
    system = Elo(reversion=0.5, mean=1000, start=1400)
    games = [0, 0, 0], [1, 1, 2], [0.5, 0.5, 0.5]
    rated = system.carry(
        *games, 5, before={"rating": [np.nan, 1400, 1400, 1200, np.nan]}, period=[1, 2, 4]
    )
    gain = 20 * (0.5 - E["normal"](1100 - 1400))
    ratings = [1100 + gain, 1200, 1400 - gain, 1200, np.nan]
    assert rated.rating.tolist() == pytest.approx(ratings, nan_ok=True)


@pytest.mark.parametrize(("games", "more", "error", "message"), [
    (([0], [0], [1]), {}, DomainError, "player 0 is paired with themselves"),
    (([0], [1], [2]), {}, DomainError, "score must be between 0 and 1, got 2.0"),
    (([0], [1], [np.nan]), {}, DomainError, "score must be between 0 and 1, got nan"),
    (([0, 1], [1], [1]), {}, SizeError, "2 first players, 1 second players, 1 scores"),
    (([0], [1], [1]), {"size": 1}, SizeError, "player 1 is not one of 1"),
    (([0], [1], [1]), {"margin": [1, 2]}, SizeError, "2 margins for 1 games"),
    (([0], [1], [1]), {"before": {"rd": 3}}, OptionError, "column must be one of rating"),
    (([0, 0], [1, 1], [1, 1]), {"period": [2, 1]}, SizeError, "period 1 comes after period 2"),
    (([0], [1], [1]), {"before": {"rating": [1, 2, 3]}, "size": 2}, SizeError,
     "3 numbers in column rating for 2 players"),
])  # fmt: skip
def test_wrong_games(games, more, error, message):
    with pytest.raises(error, match=message):
        Elo().carry(*games, **more)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"k": -1}, DomainError, "k must not be below 0, got -1"),
        ({"model": "linear"}, OptionError, "model must be one of .*, got 'linear'"),
        ({"margin": "sets"}, OptionError, "margin must be one of log, goals, got 'sets'"),
        ({"reversion": 2}, DomainError, "reversion must be between 0 and 1, got 2"),
        ({"home": math.inf}, DomainError, "home must be within 1,000,000 points of 0, got inf"),
        ({"rd": 400}, DomainError, "rd must be above 0 and at most 350, got 400"),
    ],
)
def test_wrong_options(options, error, message):
    with pytest.raises(error, match=message):
        (Glicko if "rd" in options else Elo)(**options)


@pytest.mark.parametrize("system", [Elo(), Ioffe(), Glicko(), Glicko2(), Rules("elo")])
def test_no_games(system):
    rated = system.carry([], [], [], 2, before={"rating": [1600, np.nan]}, history=True)
    assert rated.rating.tolist() == pytest.approx([1600, np.nan], nan_ok=True)
    assert (rated.games.tolist(), rated.history.shape) == ([0, 0], (0, 2))


@pytest.mark.parametrize(
    "system",
    [
        Glicko(),
        Glicko(growth=30),
        Glicko2(),
        *(Rules(x) for x in ("fide", "elo", "dwz", "us-chess")),
    ],
    ids=repr,
)
def test_a_short_period_asks_for_its_players_only_and_leaves_the_idle_as_they_are(
    system, monkeypatch
):
    first, second, score = season(7, 40, 60)
    period = np.arange(60) // 2
    rating = np.random.default_rng(7).normal(1500, 200, 40).round(1)
    rating[:8] = np.nan
    state = system.carry(first[:2], second[:2], score[:2], 40, before={"rating": rating}).state
    for i in range(2, 60, 2):
        at = slice(i, i + 2)
        games = (first[at], second[at], score[at], 40)
        state = system.carry(*games, before=state, period=period[at]).state
    asked = []
    work = type(system)._period

    def counted(own, ready, games):
        asked.append(ready["rating"].size)
        return work(own, ready, games)

    monkeypatch.setattr(type(system), "_period", counted)
    done = system.carry(first, second, score, 40, before={"rating": rating}, period=period).state
    assert [40] == asked[:1]
    assert max(asked[1:]) <= 4
    for name, column in state.items():
        assert done[name].tobytes() == column.tobytes()


def test_a_call_without_periods_is_the_next_one():
    state = Elo(reversion=0.5).carry([0], [1], [1], period=[7]).state
    after = Elo(reversion=0.5).carry([0], [1], [1], before=state).state
    assert after["last_period"].tolist() == [8, 8]
    gain = 20 * (1 - E["normal"](10))
    assert after["rating"].tolist() == pytest.approx([1505 + gain, 1495 - gain])
    with pytest.raises(SizeError, match="period 6 comes after period 7"):
        Elo(reversion=0.5).carry([0], [1], [1], before=state, period=[6])


def test_margins_are_needed_where_they_count():
    with pytest.raises(SizeError, match="margins are counted, but the games have none"):
        NFL.carry([0], [1], [1])
