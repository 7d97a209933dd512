"""ELO_RUN and ELO_LADDER: a plain loop, FiveThirtyEight's rules, tables as people type them."""

import csv
import io
import random
from itertools import combinations
from typing import Any

import pytest

from elo_xl.functions.evaluation import worksheet
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
    found: Any = worksheet("ELO_RUN", typed(played), k, start, home, model)
    assert found == [pytest.approx(pair, rel=1e-12) for pair in after]
    rows: Any = worksheet("ELO_LADDER", typed(played), k, start, home, model, True)
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
    games = [[line["team1"], line["team2"], line["result1"],
              int(line["score1"]) - int(line["score2"]), line["season"], line["neutral"]]
             for line in lines]  # fmt: skip
    options = 20, [[team, 1300] for team in rating], 65, "logistic"
    found: Any = worksheet("ELO_RUN", games, *options, "log", 1 / 3, 1505)
    assert found == [pytest.approx(pair, rel=0, abs=1e-9) for pair in after]
    table: Any = worksheet("ELO_LADDER", games, *options, False, "log", 1 / 3, 1505)
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
    (["Ana", "Bo", 1], None), (["ana", " ANA", 1], "#VALUE!"), (["Ana", None, 1], ""),
    ([None, "Bo", 1], ""), (["Ana", "Bo", None], ""), (["Ana", "Bo", "bye"], ""),
    (["Ana", "Bo", "won it"], "#VALUE!"), (["Ana", "Bo", 3], "#NUM!"),
    (["#REF!", "Bo", 1], "#REF!"), (["Ana", "Bo", "#N/A"], "#N/A"), (["Ana", "Dup", 1], "#VALUE!"),
    (["Bad", "Bo", 0], "#VALUE!"), (["Bo", "Ana", "½"], None),
]  # fmt: skip


def test_rows_that_cannot_be_read_count_for_nobody() -> None:
    found: Any = worksheet("ELO_RUN", [row for row, _ in ROWS], None, START)
    good = [tuple(row[:2]) for row, shown in ROWS if shown is None]
    assert good == [("Ana", "Bo"), ("Bo", "Ana")]
    after, _ = by_hand([("Ana", "Bo", 1), ("Bo", "Ana", 0.5)], 20, {"Ana": 1600}, 1500, 0, "normal")
    rated = iter(after)
    assert found == [
        pytest.approx(next(rated)) if shown is None else [shown, shown] for _, shown in ROWS
    ]
    table: Any = worksheet("ELO_LADDER", [row for row, _ in ROWS], None, START)
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
    table: Any = worksheet("ELO_LADDER", games, None, None, None, None, None, "goals")
    assert {name: cell for name, cell, *_ in table if isinstance(cell, str)} == named
    assert worksheet("ELO_LADDER", [*games, ["#N/A", "#REF!", 1]]) == "#N/A"


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
    found: Any = worksheet("ELO_RUN", [row], None, None, 10, None, *options)
    assert found[0] == [shown, shown] if shown else isinstance(found[0][0], float)


def test_points_in_a_cell_are_a_result_and_a_margin() -> None:
    """So is 1:0, which alone is a result of chess, with a margin only if it is typed."""
    typed: list[list[Any]] = [
        ["11:7", None],
        ["3 : 11", 2],
        ["1:0", None],
        ["0:0", None],
        ["4:", None],
    ]
    apart: list[list[Any]] = [[1, 4], [0, 2], [1, 1], [0.5, 0], ["4:", None]]
    made = [[["Ana", "Bo", *row] for row in rows] for rows in (typed, apart)]
    one, other = (worksheet("ELO_RUN", rows, 32, None, None, None, "log") for rows in made)
    assert one == other
    alone: Any = worksheet("ELO_RUN", [["Ana", "Bo", "1:0"]], 32, None, None, None, "log")
    assert alone == [["#VALUE!", "#VALUE!"]]


def test_blank_seasons_are_those_above() -> None:
    games = [["Ana", "Bo", 1, None, label] for label in (None, "2024", None, "2025", "2025", None)]
    found: Any = worksheet("ELO_RUN", games, None, None, None, None, None, 0.5)
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
    found: Any = worksheet("ELO_RUN", [["Ana", "Bo", 1, 3]], *options)
    assert found == error


def sided(
    games: list[tuple[list[list[str]], list[int], float]],
    k: list[tuple[int, float]],
    own: dict[str, float],
    model: str = "logistic",
    sums: bool = False,
) -> dict[str, list[float]]:
    """Every player's ratings, after each of their games: sides in their order of finish."""
    table: dict[str, list[float]] = {}
    for sides, place, weight in games:
        level = []
        for side in sides:
            ratings = [table.setdefault(name, [1500.0])[-1] for name in side]
            level.append(sum(ratings) if sums else sum(ratings) / len(ratings))
        for i, side in enumerate(sides):
            gain = 0.0
            for j in set(range(len(sides))) - {i}:
                score = 0.5 + 0.5 * ((place[j] > place[i]) - (place[j] < place[i]))
                gain += (score - E[model](level[i] - level[j])) / (len(sides) - 1)
            for name in side:
                steps = [factor for begin, factor in k if begin < len(table[name])]
                table[name].append(table[name][-1] + own.get(name, steps[-1]) * weight * gain)
    return table


@pytest.mark.parametrize("sums", [False, True])
def test_sides_by_hand(sums: bool) -> None:
    chance = random.Random(8)
    games = []
    for _ in range(60):
        who = chance.sample([f"P{i}" for i in range(9)], chance.randint(2, 4))
        cut = chance.randint(1, len(who) - 1)
        place = chance.choice(([1, 2], [2, 1], [1, 1]))
        games.append(([who[:cut], who[cut:]], place, chance.choice((1, 2, 0.5))))
    rows = [
        ["&".join(one), " & ".join(two).lower(), 0.5 + (b - a) / 2]
        for (one, two), (a, b), _ in games
    ]
    weights = [[weight if weight != 1 else None] for *_, weight in games]
    k = [[20, 24], [0, 48], ["p3", 10], [10, 32], [None, None]]
    more = "&:sum" if sums else "&", weights
    found: Any = worksheet("ELO_LADDER", rows, k, None, None, "logistic", *[None] * 4, *more)
    table = sided(games, [(0, 48), (10, 32), (20, 24)], {"P3": 10}, sums=sums)
    assert {row[0].upper(): row[1] for row in found} == pytest.approx(
        {name: ratings[-1] for name, ratings in table.items()}
    )
    assert {row[0].upper(): row[2] for row in found} == {n: len(r) - 1 for n, r in table.items()}
    assert {row[0].upper(): row[-1] for row in found} == pytest.approx(
        {name: ratings[-1] - ratings[-2] for name, ratings in table.items()}
    )
    after: Any = worksheet("ELO_RUN", rows, k, None, None, "logistic", None, None, None, *more)
    last = [table[name][-1] for name in games[-1][0][0]]
    assert after[-1][0] == pytest.approx(sum(last) / (1 if sums else len(last)))


def test_tables_by_their_order_of_finish() -> None:
    chance = random.Random(9)
    games, rows = [], []
    places: dict[str, list[int]] = {}
    for _ in range(40):
        who = chance.sample([f"P{i}" for i in range(8)], chance.randint(2, 5))
        place = [1]
        while len(place) < len(who):
            place.append(place[-1] if chance.random() < 0.2 else len(place) + 1)
        games.append(([[name] for name in who], place, 1.0))
        tied = [i > 0 and place[i] == place[i - 1] for i in range(len(who))]
        cells = zip(who, tied, strict=True)
        rows.append([chance.choice(("={}", "{} =")).format(n) if t else n for n, t in cells])
        for name, rank in zip(who, place, strict=True):
            places.setdefault(name, []).append(rank)
    k: list[tuple[int, float]] = [(0, 40), (5, 20)]
    table = sided(games, k, {})
    found: Any = worksheet("ELO_PLACES", rows, k, None, "logistic", True)
    assert found[0] == ["name", "rating", "tables", "firsts", "mean place", "last change"]
    expected = {
        name: [
            ratings[-1],
            len(ratings) - 1,
            places[name].count(1),
            sum(places[name]) / len(places[name]),
            ratings[-1] - ratings[-2],
        ]
        for name, ratings in table.items()
    }
    assert {name: own for name, *own in found[1:]} == {
        name: pytest.approx(own) for name, own in expected.items()
    }


def test_the_table_that_multielo_publishes() -> None:
    """Its K goes to n/2 pairs, ours to n - 1."""
    start = [["a", 1200], ["b", 900], ["c", 1000]]
    found: Any = worksheet("ELO_PLACES", [["a", "b", "c"]], 32 * 4 / 3, start, "logistic")
    assert {row[0]: round(row[1], 8) for row in found} == {
        "a": 1208.34629612,
        "b": 910.43382278,
        "c": 981.21988111,
    }


@pytest.mark.parametrize("players", [2, 3, 7, 10])
@pytest.mark.parametrize("seed", range(4))
def test_two_sides_are_the_most_even_of_all(players: int, seed: int) -> None:
    chance = random.Random(seed)
    rating = {f"P{i}": chance.randint(900, 2000) for i in range(players)}
    found: Any = worksheet("ELO_TEAMS", [[n] for n in rating], [[r] for r in rating.values()])
    assert {row[1]: row[2] for row in found} == rating
    total = sum(rating.values())
    gaps = [
        abs(sum(some) / size - (total - sum(some)) / (players - size))
        for size in (players // 2, players - players // 2)
        for some in combinations(rating.values(), size)
    ]
    means = {row[0]: row[3] for row in found}
    assert abs(means[1] - means[2]) == pytest.approx(min(gaps))
    chances = {row[0]: row[4] for row in found}
    assert chances[1] == pytest.approx(E["normal"](means[1] - means[2]))
    assert sum(chances.values()) == pytest.approx(1)


def test_many_sides_of_the_same_size_that_no_swap_improves() -> None:
    chance = random.Random(3)
    rating = [chance.randint(900, 2000) for _ in range(23)]
    found: Any = worksheet("ELO_TEAMS", [[f"P{i}"] for i in range(23)], [[r] for r in rating], 3)
    sides = [[row[2] for row in found if row[0] == i] for i in (1, 2, 3)]
    assert sorted(map(len, sides)) == [7, 8, 8]

    def uneven(sides: list[list[float]]) -> float:
        return sum(sum(side) ** 2 / len(side) for side in sides)

    for a, b in combinations(range(3), 2):
        for i in range(len(sides[a])):
            for j in range(len(sides[b])):
                other = [list(side) for side in sides]
                other[a][i], other[b][j] = sides[b][j], sides[a][i]
                assert uneven(other) >= uneven(sides) - 1e-6


WRONG: list[tuple[tuple[Any, ...], str]] = [
    (("ELO_RUN", [["Ana", "Bo", 1]], [[20], [12]]), "#N/A"),
    (("ELO_RUN", [["Ana", "Bo", 1]], [[0, 20], [0, 12]]), "#VALUE!"),
    (("ELO_RUN", [["Ana", "Bo", 1]], [[0, -1]]), "#NUM!"),
    (("ELO_RUN", [["Ana", "Bo", 1]], [["Ana", "x"]]), "#VALUE!"),
    (("ELO_RUN", [["Ana", "Bo", 1]], None, None, None, "logistic:0"), "#NUM!"),
    (("ELO_RUN", [["Ana", "Bo", 1]], None, None, None, "fide:3"), "#VALUE!"),
    (("ELO_RUN", [["Ana", "Bo", 1]], *[None] * 8, [[1], [2]]), "#N/A"),
    (("ELO_RUN", [["Ana & Bo", "Cy & Ana", 1]], *[None] * 7, "&"), "#VALUE!"),
    (("ELO_RUN", [["Ana &", "Cy", 1]], *[None] * 7, "&"), "#VALUE!"),
    (("ELO_RUN", [["Ana", "Bo", 1]], *[None] * 8, -1), "#NUM!"),
    (("ELO_PLACES", [["=Ana", "Bo"]]), "#VALUE!"),
    (("ELO_PLACES", [["Ana", "Bo", "ana"]]), "#VALUE!"),
    (("ELO_PLACES", [["Ana", "#REF!"]]), "#REF!"),
    (("ELO_TEAMS", [["Ana"], ["Bo"]], [[1500], [None]]), "#VALUE!"),
    (("ELO_TEAMS", [["Ana"], ["ana"]], [[1500], [1400]]), "#VALUE!"),
    (("ELO_TEAMS", [["Ana"], ["Bo"]], [[1500]]), "#N/A"),
    (("ELO_TEAMS", [["Ana"], [None]], [[1500], [None]]), "#NUM!"),
]


@pytest.mark.parametrize(("given", "error"), WRONG)
def test_what_cannot_be_read_is_an_error(given: tuple[Any, ...], error: str) -> None:
    found: Any = worksheet(*given)
    shown = {x for row in found for x in row[1:]} if isinstance(found, list) else {found}
    assert shown == {error}
