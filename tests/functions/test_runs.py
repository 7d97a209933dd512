"""ELO_RUN and ELO_LADDER: a plain loop, FiveThirtyEight's rules, tables as people type them."""

from __future__ import annotations

import csv
import io
import random
from typing import Any

import pytest

from elo_xl.functions.evaluation import call
from tests.engine.test_systems import E, as_described, football

Typed = tuple[str, str, float]


def season(seed: int, players: int, games: int) -> list[Typed]:
    chance = random.Random(seed)
    names = [f"Name {i}" for i in range(players)]
    pairs = (chance.sample(names, 2) for _ in range(games))
    return [(one, two, chance.choice((1.0, 0.5, 0.0))) for one, two in pairs]


def typed(games: list[Typed], seed: int = 1) -> list[list[Any]]:
    chance = random.Random(seed)
    texts = {1.0: (1, "1-0", "W", "1"), 0.5: (0.5, "½", "0,5", "="), 0.0: (0, "0:1", "loss", "0")}
    spelled = (str.upper, str.lower, lambda name: f" {name}  ")
    return [
        [chance.choice(spelled)(one), chance.choice(spelled)(two), chance.choice(texts[score])]
        for one, two, score in games
    ]


def by_hand(
    games: list[Typed], k: float, starts: dict[str, float], start: float, home: float, model: str
) -> tuple[list[list[float]], dict[str, list[Any]]]:
    """Both ratings after each game, and each player's rating, scores and last change."""
    table: dict[str, list[Any]] = {}
    after = []
    for one, two, score in games:
        a, b = (table.setdefault(n, [starts.get(n, start), [], 0.0]) for n in (one, two))
        gain = k * (score - E[model](a[0] + home - b[0]))
        for line, own, won in ((a, gain, score), (b, -gain, 1 - score)):
            line[0] += own
            line[1].append(won)
            line[2] = own
        after.append([a[0], b[0]])
    return after, table


def streak(scores: list[float]) -> int:
    length = 1
    while length < len(scores) and scores[-length - 1] == scores[-1]:
        length += 1
    return round(length * (2 * scores[-1] - 1)) if scores[-1] != 0.5 else 0


@pytest.mark.parametrize(
    ("players", "games", "k", "home", "model"),
    [(2, 9, 20, 0, "normal"), (9, 200, 32, 35, "logistic"), (40, 300, 7, -60, "rescaled")],
)
def test_a_season_by_hand(players: int, games: int, k: float, home: float, model: str) -> None:
    played = season(games, players, games)
    starts = {"Name 0": 1800.0, "Name 1": 1234.5}
    start = [[name.upper(), rating] for name, rating in starts.items()] + [["Name 2", None]]
    after, table = by_hand(played, k, starts, 1500, home, model)
    found: Any = call("ELO_RUN", typed(played), k, start, home, model)
    assert found == [pytest.approx(pair, rel=1e-12) for pair in after]
    rows: Any = call("ELO_LADDER", typed(played), k, start, home, model, True)
    headings = ["name", "rating", "games", "wins", "draws", "losses", "streak", "last change"]
    assert rows[0] == headings
    listed = {row[0].lower().strip(): row[1:] for row in rows[1:]}
    assert [row[1] for row in rows[1:]] == sorted((row[1] for row in rows[1:]), reverse=True)
    assert set(listed) == {n.lower() for n in (*table, "Name 0", "Name 1", "Name 2")}
    for name, (rating, scores, change) in table.items():
        counts = [len(scores), *(scores.count(score) for score in (1, 0.5, 0))]
        expected = [rating, *counts, streak(scores), change]
        assert listed[name.lower()] == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.slow
def test_fivethirtyeights_chain_in_cells() -> None:
    lines = list(csv.DictReader(io.StringIO(football())))
    # two teams have played in the next season, too
    lines.append({**lines[-1], "season": str(int(lines[-1]["season"]) + 1)})
    rating, after = as_described(lines)
    games = [
        [
            line["team1"],
            line["team2"],
            line["result1"],
            int(line["score1"]) - int(line["score2"]),
            line["season"],
            line["neutral"],
        ]
        for line in lines
    ]
    options = 20, [[team, 1300] for team in rating], 65, "logistic"
    found: Any = call("ELO_RUN", games, *options, "log", 1 / 3, 1505)
    assert found == [pytest.approx(pair, rel=0, abs=1e-9) for pair in after]
    table: Any = call("ELO_LADDER", games, *options, False, "log", 1 / 3, 1505)
    before: dict[str, tuple[float, str]] = {}
    change = {}
    for line, pair in zip(lines, after, strict=True):
        for team, now in zip((line["team1"], line["team2"]), pair, strict=True):
            last, year = before.get(team, (1300, line["season"]))
            change[team] = now - (last if year == line["season"] else last * 2 / 3 + 1505 / 3)
            before[team] = now, line["season"]
    assert {row[0]: row[1] for row in table} == pytest.approx(rating, rel=0, abs=1e-9)
    assert {row[0]: row[7] for row in table} == pytest.approx(change, rel=0, abs=1e-9)


START = [["Ana", 1600], ["Dup", 1500], ["dup", 1400], ["Bad", "x"], [None, None], ["Cy", 0]]
ROWS: list[tuple[list[Any], Any]] = [
    (["Ana", "Bo", 1], None),
    (["ana", " ANA", 1], "#VALUE!"),
    (["Ana", None, 1], ""),
    ([None, "Bo", 1], ""),
    (["Ana", "Bo", None], ""),
    (["Ana", "Bo", "bye"], ""),
    (["Ana", "Bo", "won it"], "#VALUE!"),
    (["Ana", "Bo", 3], "#NUM!"),
    (["#REF!", "Bo", 1], "#REF!"),
    (["Ana", "Bo", "#N/A"], "#N/A"),
    (["Ana", "Dup", 1], "#VALUE!"),
    (["Bad", "Bo", 0], "#VALUE!"),
    (["Bo", "Ana", "½"], None),
]


def test_rows_that_cannot_be_read_count_for_nobody() -> None:
    found: Any = call("ELO_RUN", [row for row, _ in ROWS], None, START)
    good = [tuple(row[:2]) for row, shown in ROWS if shown is None]
    assert good == [("Ana", "Bo"), ("Bo", "Ana")]
    after, _ = by_hand([("Ana", "Bo", 1), ("Bo", "Ana", 0.5)], 20, {"Ana": 1600}, 1500, 0, "normal")
    rated = iter(after)
    assert found == [
        pytest.approx(next(rated)) if shown is None else [shown, shown] for _, shown in ROWS
    ]
    table: Any = call("ELO_LADDER", [row for row, _ in ROWS], None, START)
    assert table == [
        ["Cy", 1500, 0, 0, 0, 0, 0, ""],
        *[[name, *["#VALUE!"] * 7] for name in ("Ana", "Dup", "dup", "Bad", "Bo")],
    ]


@pytest.mark.parametrize(
    ("row", "named"),
    [
        (["Ana", "Bo", "wun"], {"Ana": "#VALUE!", "Bo": "#VALUE!"}),
        (["Eve", "Eve", 1], {"Eve": "#VALUE!"}),
        (["#REF!", "Bo", 1], {"Bo": "#REF!"}),
        (["Ana", "Bo", 1, "much"], {"Ana": "#VALUE!", "Bo": "#VALUE!"}),
    ],
)
def test_a_row_that_cannot_be_read_is_an_error_of_its_players(
    row: list[Any], named: dict[str, str]
) -> None:
    games = [["Ana", "Bo", 1, 2], ["Cy", "Di", "½"], row]
    table: Any = call("ELO_LADDER", games, None, None, None, None, None, "goals")
    assert {name: cell for name, cell, *_ in table if isinstance(cell, str)} == named
    assert call("ELO_LADDER", [*games, ["#N/A", "#REF!", 1]]) == "#N/A"


@pytest.mark.parametrize(
    ("row", "options", "shown"),
    [
        (["Ana", "Bo", 1, None], ("log",), "#VALUE!"),
        (["Ana", "Bo", 0.5, None], ("log",), None),
        (["Ana", "Bo", 1, "much"], ("log",), "#VALUE!"),
        (["Ana", "Bo", 1, "much"], (None,), None),
        (["Ana", "Bo", 1, None, "#DIV/0!"], (None, 0.5), "#DIV/0!"),
        (["Ana", "Bo", 1, None, "#DIV/0!"], (None, 0), None),
        (["Ana", "Bo", 1, None, None, "maybe"], (None,), "#VALUE!"),
    ],
)
def test_columns_count_where_their_option_does(
    row: list[Any], options: tuple[Any, ...], shown: str | None
) -> None:
    found: Any = call("ELO_RUN", [row], None, None, 10, None, *options)
    assert found[0] == [shown, shown] if shown else isinstance(found[0][0], float)


def test_blank_seasons_are_those_above() -> None:
    games = [["Ana", "Bo", 1, None, label] for label in (None, "2024", None, "2025", "2025", None)]
    found: Any = call("ELO_RUN", games, None, None, None, None, None, 0.5)
    rating = [1500.0, 1500.0]
    for i, pair in enumerate(found):
        if i == 3:
            rating = [(r + 1500) / 2 for r in rating]
        gain = 20 * (1 - E["normal"](rating[0] - rating[1]))
        rating = [rating[0] + gain, rating[1] - gain]
        assert pair == pytest.approx(rating)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ((-1,), "#NUM!"),
        (("x",), "#VALUE!"),
        ((20, "x"), "#VALUE!"),
        ((20, [[1], [2]]), "#N/A"),
        ((20, None, None, "linear"), "#VALUE!"),
        ((20, None, None, None, "sets"), "#VALUE!"),
        ((20, None, None, None, "log", 2), "#NUM!"),
    ],
)
def test_wrong_options(options: tuple[Any, ...], error: str) -> None:
    found: Any = call("ELO_RUN", [["Ana", "Bo", 1, 3]], *options)
    assert found == error
