"""The sample of the book ``swiss``: pairings that an arbiter believes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from elo_xl.engine.results import ROUND_CODES, read_codes
from elo_xl.templates import gallery
from elo_xl.templates.swiss import SPARE

SIZES = [(20, 7), (24, 7), (200, 13)]


def played(players: int, rounds: int) -> tuple[list[Any], list[list[dict[str, Any]]]]:
    """Players and the lines of each round."""
    options = gallery.options("swiss", players=players, rounds=rounds)
    content = gallery.sample("swiss", options)
    by_round: dict[int, list[dict[str, Any]]] = {}
    for row, line in content["Pairings"].items():
        by_round.setdefault((row - 1) // (players // 2 + SPARE), []).append(line)
    assert list(range(len(by_round))) == list(by_round)
    return content["Players"], list(by_round.values())


def points(line: dict[str, Any]) -> tuple[float, float]:
    if line["black"] is None:
        return {"bye": 1.0, "½ bye": 0.5}[line["result"]], 0.0
    first, second = (ROUND_CODES[code].points for code in read_codes(line["result"]))
    return first, second


@pytest.mark.parametrize(("players", "rounds"), SIZES)
def test_the_first_round_pairs_the_upper_half_with_the_lower(players: int, rounds: int) -> None:
    field, (first, *_) = played(players, rounds)
    ratings = [member["rating"] or 0 for member in field]
    assert sorted(ratings, reverse=True) == ratings
    half = len(field) // 2
    whites = [i if i % 2 else i + half for i in range(1, half + 1)]
    blacks = [i + half if i % 2 else i for i in range(1, half + 1)]
    games = [line for line in first if line["black"] is not None]
    assert whites == [line["white"] for line in games]
    assert blacks == [line["black"] for line in games]


@pytest.mark.parametrize(("players", "rounds"), SIZES)
def test_pairs_colours_floats_and_byes(players: int, rounds: int) -> None:
    field, lines = played(players, rounds)
    assert min(rounds, len(field) // 2) == len(lines)
    numbers = range(1, len(field) + 1)
    score = dict.fromkeys(numbers, 0.0)
    met: set[frozenset[int]] = set()
    colours: dict[int, str] = dict.fromkeys(numbers, "")
    floats: dict[int, list[int]] = {i: [] for i in numbers}
    byes: list[int] = []
    far = 0
    for number, each in enumerate(lines):
        present = [who for line in each for who in (line["white"], line["black"]) if who]
        assert sorted(set(present)) == sorted(present)
        for line in each:
            white, black = line["white"], line["black"]
            if black is None:
                byes += [white] if line["result"] == "bye" else []
                continue
            pair = frozenset((white, black))
            assert pair not in met
            met.add(pair)
            apart = abs(score[white] - score[black])
            far += apart > 1
            upper = max(pair, key=score.__getitem__)
            if apart and sum(score[who] == score[upper] for who in present) > 1:
                floats[upper].append(number)
            if line["result"] != "+":
                colours[white] += "w"
                colours[black] += "b"
        for line in each:
            first, second = points(line)
            score[line["white"]] += first
            if line["black"]:
                score[line["black"]] += second
    assert len(set(byes)) == len(byes)
    for who in numbers:
        assert abs(colours[who].count("w") - colours[who].count("b")) <= 2
        assert "www" not in colours[who]
        assert "bbb" not in colours[who]
    if (len(field), len(lines)) == (20, 7):  # the sample that people see
        assert far == 0
        twice = [w for w in numbers if any(b == a + 1 for a, b in pairwise(floats[w]))]
        assert twice == []


def test_a_game_that_black_does_not_come_to_and_a_player_who_leaves() -> None:
    field, lines = played(24, 7)
    signs = [line["result"] for each in lines for line in each]
    assert (1, 4) == (signs.count("+"), signs.count("bye"))
    leaver = len(field) - 1
    there = [any(leaver in (line["white"], line["black"]) for line in each) for each in lines]
    assert [True] * 4 + [False] * 3 == there
    assert {"white": 4, "black": None, "result": "½ bye"} in lines[2]
