"""Unusual scores: exact tails against counting all results, and false alarms by simulation."""

import json
from datetime import date
from itertools import product

import numpy as np
import pytest

from elo_xl.engine.outcomes import match_distribution, outcomes
from elo_xl.events.event import Game, Player, Tournament
from elo_xl.events.files import read_event
from elo_xl.events.rate import rate
from elo_xl.questions.unusual import among, rarity, score_distribution, unusual
from tests.support import ROOT
from tests.support.command import invoke

RIVERTOWN = ROOT / "examples" / "rivertown-open.trf"


def test_the_distribution_counts_all_results() -> None:
    expected = [0.2, 0.5, 0.85, 0.64]
    counted = np.zeros(9)
    for results in product((0, 0.5, 1), repeat=4):
        chance = 1.0
        for e, score in zip(expected, results, strict=True):
            chance *= {0: (1 - e) ** 2, 0.5: 2 * e * (1 - e), 1: e**2}[score]
        counted[round(2 * sum(results))] += chance

    assert counted == pytest.approx(score_distribution(expected), abs=1e-15)
    assert counted[7:].sum() == pytest.approx(rarity(expected, 3.5))
    assert counted[:2].sum() == pytest.approx(rarity(expected, 0.5))


def test_equal_games_are_a_match() -> None:
    probabilities = outcomes(120.0)
    e = float(probabilities[0] + probabilities[1] / 2)
    assert score_distribution([e] * 8) == pytest.approx(match_distribution(probabilities, 8))


def test_many_looks_make_rare_scores_usual() -> None:
    assert 1 - (1 - 0.001) ** 500 == pytest.approx(among(0.001, 500))
    assert 1e-9 * 7 == pytest.approx(among(1e-9, 7), rel=1e-6)
    assert 1.0 == pytest.approx(among(1.0, 1))


def event(scores: list[float], ratings: list[float]) -> Tournament:
    """Number 1 plays everybody else."""
    people = [Player(1, "Hero", ratings[0])]
    people += [Player(i, f"P {i}", r) for i, r in enumerate(ratings[1:], start=2)]
    games = tuple(Game(i, 1, i + 1, s) for i, s in enumerate(scores, start=1))
    return Tournament("E", tuple(people), {}, games, len(scores), start=date(2026, 3, 1))


def test_a_rare_score_is_found() -> None:
    rated = rate(event([1] * 9, [1600, *[1900] * 9]))
    [found] = unusual(rated)

    e = next(game.expected for game in rated.games if game.player == 1)
    assert e is not None
    assert "Hero" == found.player.player.name
    assert e**18 == pytest.approx(found.chance)
    assert [] == unusual(rate(event([1, 0, 0.5, 0.5], [1800] * 5)))


@pytest.mark.slow
def test_false_alarms_are_as_rare_as_promised() -> None:
    """Events in which the ratings are true, drawn as the chances say."""
    rng = np.random.default_rng(5)
    alarms, events = 0, 400
    for _ in range(events):
        ratings = rng.normal(1800, 200, 10).round()
        games = []
        for i in range(10):
            for j in range(i):
                e = float(rate_of(ratings[i] - ratings[j]))
                score = rng.choice([1, 0.5, 0], p=[e**2, 2 * e * (1 - e), (1 - e) ** 2])
                games.append(Game(1, i + 1, j + 1, float(score)))
        people = tuple(Player(i + 1, f"P {i}", float(r)) for i, r in enumerate(ratings))
        whole = Tournament("E", people, {}, tuple(games), 9)
        alarms += bool(unusual(rate(whole, "logistic"), below=0.1))
    assert 0.03 < alarms / events < 0.12


def rate_of(difference: float) -> float:
    return 1 / (1 + 10 ** (-difference / 400))


def test_the_command() -> None:
    quiet = invoke("unusual", RIVERTOWN)
    told = invoke("unusual", RIVERTOWN, "--below", "1", "--json")

    assert "No score is unusual" in quiet.stdout
    assert 0 == quiet.exit_code
    data = json.loads(told.stdout)
    assert 14 == data["looked_at"]
    assert all(0 < one["chance"] <= one["among"] <= 1 for one in data["unusual"])
    event = rate(read_event(RIVERTOWN))
    numbers = {player.player.name: player.player.number for player in event.players}
    for one in data["unusual"]:
        own = [game.expected for game in event.games if game.player == numbers[one["player"]]]
        chances = score_distribution([e for e in own if e is not None])
        scores = np.arange(chances.size) / 2
        tail = scores >= one["score"] if one["side"] == "high" else scores <= one["score"]
        assert one["side"] == ("high" if one["score"] >= one["expected"] else "low")
        assert one["chance"] == pytest.approx(chances[tail].sum())
        assert one["among"] == pytest.approx(1 - (1 - min(1, 2 * one["chance"])) ** 14, abs=1e-7)
    shown = invoke("unusual", RIVERTOWN, "--below", "0.99")
    assert "Unusual is not wrong" in shown.stdout
