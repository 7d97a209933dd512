"""US Chess: published figures, random players and events of chessratings, floors, matches."""

import json
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest

import elo_xl
from elo_xl.engine.errors import DomainError, OptionError
from elo_xl.engine.period import period
from elo_xl.engine.ratings import change, first_rating, k_factor, update
from elo_xl.engine.rulebooks import on, rulebook
from elo_xl.engine.rulebooks.event import Event, Players
from elo_xl.engine.rulebooks.rulebook import Changed
from elo_xl.engine.rulebooks.us_chess import (
    UNKNOWN,
    Career,
    EffectiveGames,
    FiveSteps,
    effective_games,
    floor,
    initial_rating,
    special_rating,
)
from tests.support import DATA
from tests.support.sides import against

nan = float("nan")
CASES = json.loads((DATA / "us_chess_cases.json").read_text("utf-8"))
RANDOM = json.loads((DATA / "us_chess_players.json").read_text("utf-8"))
OF_2017 = rulebook("us-chess-2017-05")
DUAL = replace(OF_2017, k=EffectiveGames(dual=True))


def number(value: float | None) -> float:
    return nan if value is None else value


def new_ratings(players: Players, changed: Changed) -> np.ndarray:
    assert changed.first is not None
    return np.where(np.isnan(players.rating), changed.first, players.rating + changed.change)


def rate(players: Players, games: list[Any], career: Career = UNKNOWN) -> Changed:
    first, second, score = map(list, zip(*games, strict=True))
    return FiveSteps(14)(OF_2017, Event(players, first, second, score), career)


@pytest.mark.parametrize("case", CASES["players"], ids=lambda case: case["id"])
def test_published_player(case):
    rules = DUAL if case.get("dual") else OF_2017
    player = Players.known(number(case["rating"]), games=case["games"])
    sides = against(player, [0] * len(case["scores"]), case["opponents"], case["scores"])
    career = Career(case.get("wins", nan), case.get("draws", nan))
    new = new_ratings(player, FiveSteps(14).one_pass(rules, player, sides, career)).item()
    assert case["new"] == pytest.approx(new, abs=1e-6)


@pytest.mark.parametrize("case", CASES["players"][:4], ids=lambda case: case["id"])
def test_published_player_in_a_cell(case):
    games, opponents, scores = case["games"], [case["opponents"]], [case["scores"]]
    cells = (case["rating"], "auto", opponents, scores, "us-chess-2017-05", games)
    assert case["new"] == pytest.approx(elo_xl.worksheet("ELO_UPDATE", *cells), abs=1e-6)
    assert case["new"] - case["rating"] == pytest.approx(
        elo_xl.worksheet("ELO_CHANGE", *cells[:3], sum(case["scores"]), *cells[4:]), abs=1e-6
    )


@pytest.mark.parametrize("rules", [OF_2017, DUAL])
def test_random_players_against_rated_opponents(rules):
    """The same with 10,000 players and another seed showed no difference above 5e-10."""
    rows = [dict(zip(RANDOM["fields"], row, strict=True)) for row in RANDOM["rows"]]
    rows = [row for row in rows if row["dual"] == (rules is DUAL)]
    assert len(rows) > 50
    names = ("rating", "games", "wins", "draws", "events", "start", "new")
    column = {name: np.array([number(row[name]) for row in rows]) for name in names}
    players = Players.known(column["rating"], games=column["games"])
    sides = against(
        players,
        np.repeat(np.arange(len(rows)), [len(row["scores"]) for row in rows]),
        np.concatenate([row["opponents"] for row in rows]),
        np.concatenate([row["scores"] for row in rows]),
    )
    career = Career(*(column[name] for name in ("wins", "draws", "events", "start")))
    new = new_ratings(players, FiveSteps(14).one_pass(rules, players, sides, career))
    assert column["new"].tolist() == pytest.approx(new.tolist(), abs=1e-6)


@pytest.mark.parametrize("event", RANDOM["events"])
def test_five_steps(event):
    rating, games, wins, draws = np.array(event["players"], dtype=float).T
    players = Players.known(rating, games=games)
    new = new_ratings(players, rate(players, event["games"], Career(wins, draws, 0)))
    present = sorted({player for game in event["games"] for player in game[:2]})
    absent_and_unrated = np.isnan(np.delete(rating, present))
    assert np.isnan(np.delete(new, present)[absent_and_unrated]).all()
    wanted = [event["new"][player] for player in present]
    assert wanted == pytest.approx(new[present].tolist(), abs=1e-9)


def test_a_period_is_one_event():
    event = RANDOM["events"][0]
    rating, games, *_ = np.array(event["players"], dtype=float).T
    first, second, score = map(list, zip(*event["games"], strict=True))
    made = period(rating, "auto", first, second, score, "us-chess-2017-05", games=games)
    players = Players.known(rating, games=games)
    changed = rate(players, event["games"])
    played = changed.games > 0
    assert new_ratings(players, changed)[played].tolist() == made.new[played].tolist()
    assert (2 * len(event["games"]), len(event["games"])) == (made.games.sum(), made.score.sum())


@pytest.mark.parametrize("case", CASES["starts"], ids=lambda case: case["start"])
def test_first_rating_from_a_start(case):
    """Between two far opponents any rating from 1000 to 2000 fits."""
    opponents, score, start = case["opponents"], case["score"], case["start"]
    assert case["new"] == first_rating(opponents, score, "us-chess-2017-05", start=start)
    assert case["new"] == elo_xl.worksheet(
        "ELO_INITIAL", [opponents], score, "us-chess-2017-05", start
    )


def test_first_rating_without_a_start():
    """An adult begins at 1300."""
    without = first_rating([100, 2900], 1, "us-chess-2017-05")
    assert without == first_rating([100, 2900], 1, "us-chess-2017-05", start=1300)
    assert without != first_rating([100, 2900], 1, "us-chess-2017-05", start=1000)


def test_initial_ratings():
    """The rule's own corners: 100, fifty a year from 2 to 26, 1300."""
    assert [100, 100, 100, 650, 1300] == initial_rating([0, 1.9, 2, 13, 26]).tolist()
    assert [1300, 1300] == initial_rating([70, nan]).tolist()
    with pytest.raises(DomainError, match="age must not be below 0, got -1"):
        initial_rating(-1)


@pytest.mark.parametrize("case", CASES["effective_games"], ids=lambda case: case["rating"])
def test_effective_games(case):
    worth = effective_games(case["rating"], case["games"]).item()
    assert case["worth"] == pytest.approx(worth, abs=5e-5)
    k = k_factor(case["rating"], case["games"], period_games=5, rules="us-chess-2017-05").item()
    assert case["worth"] + 5 == pytest.approx(800 / k, abs=5e-5)


def test_k_needs_the_number_of_games():
    with pytest.raises(OptionError, match="number of games in the event"):
        k_factor(1500, 100, rules="us-chess-2017-05")
    with pytest.raises(OptionError, match="takes no K but its own"):
        update(1500, 20, [1400], [1], "us-chess-2017-05")


@pytest.mark.parametrize("case", CASES["floors"], ids=lambda case: case["peak"])
def test_floors_by_peak(case):
    assert case["floor"] == floor(case["peak"]).item() == floor(case["peak"], 26).item()
    assert floor(case["peak"], 25).item() == 100


def test_nobody_falls_through_the_floor():
    """An established 1701 with a peak of 1941 loses everything: 1700."""
    assert 1700 == update(
        1701, "auto", [1500] * 9, [0] * 9, "us-chess-2017-05", played=300, peak=1941
    )


def test_dual_k_is_the_same_up_to_2200_and_a_quarter_from_2500():
    players = Players.known([1500, 2200, 2500, 2700], games=300)
    m = np.full(4, 5.0)
    share = EffectiveGames(dual=True)(players, m) / EffectiveGames()(players, m)
    assert [1, 1, 0.25, 0.25] == share.tolist()


@pytest.mark.parametrize(
    ("opponents", "games", "bonus"), [(2, 2, False), (3, 3, True), (2, 4, True), (2, 5, False)]
)
def test_bonus_needs_three_games_and_nobody_met_three_times(opponents, games, bonus):
    players = Players.known([1500, *[1900] * opponents], games=200)
    meetings = [(0, 1 + i % opponents, 1) for i in range(games)] + [(1, 2, 0.5)]
    won = rate(players, meetings)
    gain = won.k[0] * (games - won.expected[0])
    extra = gain - 14 * max(games, 4) ** 0.5
    assert won.change[0] == pytest.approx(gain + bonus * extra, rel=1e-12)


def test_a_match_moves_no_more_than_fifty_points():
    won = rate(Players.known([1500, 1890], games=60), [(0, 1, 1)] * 12)
    assert [50, -50] == won.change.tolist()


def test_a_match_in_two_passes():
    event = rate(Players.known([1500, 1510], games=60), [(0, 1, 0.5)] * 2)

    def gain(own, other):
        worth = 50 / (0.662 + 0.00000739 * (2569 - own) ** 2) ** 0.5
        return 800 / (worth + 2) * (1 - 2 / (1 + 10 ** ((other - own) / 400)))

    between = 1500 + gain(1500, 1510), 1510 + gain(1510, 1500)
    final = [gain(1500, between[1]), gain(1510, between[0])]
    assert final == pytest.approx(event.change.tolist(), rel=1e-12)


@pytest.mark.parametrize(
    ("ratings", "games"), [([1500, 1901], 60), ([1500, 1600], [60, 25]), ([1500, nan], [60, 0])]
)
def test_a_match_that_is_not_rated(ratings, games):
    event = rate(Players.known(ratings, games=games), [(0, 1, 1)] * 4)
    assert 0 == event.change[0]
    assert event.first is not None
    assert np.isnan(event.first).all()


@pytest.mark.parametrize(("points", "new"), [(0, 500), (6, 1900)])
def test_special_rating_after_one_result_only(points, new):
    """400 points from the weakest or the strongest opponent."""
    opponents = [1200, 1350, 1500, 900, 1000, 1100]
    assert new == special_rating([1300], [0], [0] * 6, opponents, [points]).item()


def test_special_ratings_end_at_2700():
    assert 2700 == special_rating([2600], [4], [0], [2750], [1]).item()


def test_advantage_at_home():
    """A hundred points at home are a hundred points off the opponents."""
    at_home = change(1500, "auto", [1600, 1700], [1, 0], "us-chess-2017-05", played=90, home=100)
    assert change(1500, "auto", [1500, 1600], [1, 0], "us-chess-2017-05", played=90) == at_home


def section() -> tuple[dict[str, Any], list[tuple[str, str, float]], np.ndarray]:
    """A section of 2015 with the official ratings after it: players, games, new ratings. A line is
    number, rating, games before (E: more than 25), new rating, results."""
    lines = (DATA / "us_chess_section.txt").read_text("utf-8").splitlines()
    rows = [line.split("|") for line in lines]
    games = {
        frozenset((own, text[1:])): (own, text[1:], {"W": 1.0, "D": 0.5, "L": 0.0}[text[0]])
        for own, *_, results in rows
        for text in results.split()
    }
    players = {
        "name": [row[0] for row in rows],
        "rating": [float(row[1]) for row in rows],
        "played": [None if row[2] == "E" else int(row[2]) for row in rows],
    }
    return players, list(games.values()), np.array([float(row[3]) for row in rows])


@pytest.mark.parametrize(("rules", "right"), [("us-chess-2015-01", 62), ("us-chess-2017-05", 46)])
def test_an_official_section(rules, right):
    """Within the rounding of the crosstable; two of 64 stand on floors that it does not tell."""
    players, games, official = section()
    new = np.array(elo_xl.rate_period(games, players, rules=rules)["new"])
    assert (np.abs(new - official) <= 0.75).sum() == right


@pytest.mark.parametrize(
    ("day", "threshold"),
    [
        ((2013, 5, 17), 10),
        ((2013, 5, 18), 8),
        ((2016, 12, 31), 12),
        ((2017, 5, 1), 14),
        ((2023, 1, 31), 14),
        ((2023, 2, 1), 12),
        ((2025, 1, 1), 10),
        (None, 10),
    ],
)
def test_the_edition_of_a_day(day, threshold):
    change = on("us-chess", day and date(*day)).change
    assert isinstance(change, FiveSteps)
    assert change.threshold == threshold
