"""Systems over tables: what they remember, predict and go on with, and how they are judged."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import elo_xl as elo

PLAYERS = [f"P{i}" for i in range(7)]
RATED = {"name": PLAYERS, "rating": [1500.0 + 40 * i for i in range(7)]}
SYSTEMS = [
    elo.Elo(k=[(0, 40), (6, 20)], home=40, reversion=0.3),
    elo.Elo(margin="log", model="logistic:300"),
    elo.Ioffe(sd=90, growth=25),
    elo.Glicko(growth=50),
    elo.Glicko2(),
    elo.Rules("fide", home=30),
]


def games(seed: int, number: int = 40) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    white = rng.integers(0, 7, number)
    black = (white + rng.integers(1, 7, number)) % 7
    days = [date(2025, 1, 1) + timedelta(int(x)) for x in np.sort(rng.integers(0, 500, number))]
    return {
        "white": [PLAYERS[i] for i in white],
        "black": [PLAYERS[i] for i in black],
        "result": (rng.integers(0, 3, number) / 2).tolist(),
        "margin": rng.integers(1, 4, number).tolist(),
        "neutral": rng.choice(np.array([True, False, None]), number).tolist(),
        "date": days,
        "period": [12 * day.year + day.month for day in days],
    }


def part(table: dict[str, list[Any]], begin: int, end: int | None = None) -> dict[str, list[Any]]:
    return {key: column[begin:end] for key, column in table.items()}


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
@pytest.mark.parametrize("players", [None, RATED], ids=["newcomers", "rated"])
def test_going_on_is_rating_all_at_once_and_history_is_what_was_predicted(
    system: elo.System, players: Any
) -> None:
    table = games(1)
    whole = system.rate(table, players)
    months = table["period"]
    begins = [0, *(i for i in range(1, len(months)) if months[i] != months[i - 1]), None]
    so_far = system.rate(part(table, 0, begins[1]), players)
    expected = [] if players is None else so_far.history["expected"]
    for begin, end in pairwise(begins[1:]):
        some = part(table, begin, end)  # type: ignore[arg-type]
        first = part(some, 0, 1)  # of later ones in the month, systems of periods know no more
        predicted = so_far.predict(first)["expected"]
        so_far = so_far.update(some)
        expected = [*expected, predicted[0], *so_far.history["expected"][1:]]
    after, at_once = so_far.players, whole.players
    order = [after["name"].index(name) for name in at_once["name"]]
    assert at_once == {key: [column[i] for i in order] for key, column in after.items()}
    if players is not None:
        assert whole.history["expected"] == expected
        walk = elo.evaluate(system, table, players)
        known = [e for e in expected if e is not None]
        assert walk.expected == known
        assert walk.log_loss == elo.log_loss(known, walk.score)


def test_history_has_the_ratings_that_enter_each_game_and_those_after_it() -> None:
    table = games(2)
    told = elo.Elo(model="logistic", reversion=0.3).rate(table, period="month").history
    before, last = dict.fromkeys(PLAYERS, 1500.0), dict[str, int]()
    for i, month in enumerate(table["period"]):
        white, black = told["white"][i], told["black"][i]
        for name in (white, black):
            if last.setdefault(name, month) != month:
                before[name], last[name] = 1500 + 0.7 * (before[name] - 1500), month
        assert (told["white_before"][i], told["black_before"][i]) == (before[white], before[black])
        expected = elo.expected(before[white], before[black], model="logistic")
        assert expected == pytest.approx(told["expected"][i], abs=1e-14)
        gain = 20 * (told["result"][i] - expected)
        assert before[white] + gain == pytest.approx(told["white_after"][i], abs=1e-9)
        before[white], before[black] = told["white_after"][i], told["black_after"][i]


def test_months_are_periods_and_columns_have_names_of_their_own() -> None:
    table = games(3)
    by_column = elo.Glicko(growth=30).rate(table).players
    renamed = {"home": table["white"], "away": table["black"]}
    renamed |= {key: table[key] for key in ("result", "date")}
    rated = elo.Glicko(growth=30).rate(
        pl.DataFrame(renamed), columns={"white": "home", "black": "away"}, period="month"
    )
    assert by_column == rated.players.to_dict(as_series=False)
    assert ["home", "away", "result", "date"] == rated.history.columns[:4]


def test_nobody_has_an_advantage_on_neutral_ground_and_a_blank_is_none() -> None:
    for system in (elo.Elo(home=100), elo.Rules("fide", home=100)):
        table = {"white": ["A", "C", "E"], "black": ["B", "D", "F"], "result": [1, 1, 1]}
        people = {"name": [*"ABCDEF"], "rating": [1500] * 6}
        history = system.rate(table | {"neutral": [False, None, True]}, people).history
        assert history["expected"][0] == history["expected"][1] > 0.6
        gains = np.subtract(history["white_after"], history["white_before"])
        assert gains[0] == gains[1] < gains[2]


def test_names_are_exact_and_notes_say_who_looks_alike() -> None:
    table = [("Müller, Jo", "Bo", 1), ("Jo Muller", "Cy", 1), ("Stockfish 16", "Stockfish 1.6", 1)]
    exact = elo.Elo().rate(table)
    assert len(exact.players["name"]) == 6
    alike = "'Müller, Jo' and 'Jo Muller' are "
    assert exact.notes == (f'{alike}two players, who are one with names="loose"',)
    with pytest.warns(UserWarning, match="'Jo Muller' is read as 'Müller, Jo'"):
        loose = elo.Elo().rate(table, names="loose")
    assert loose.notes == (f"{alike}one player",)
    assert loose.players["played"] == [2, 1, 1, 1, 1]


def test_a_column_called_nearly_as_one_that_is_read_is_told() -> None:
    table = {"white": ["A"], "black": ["B"], "result": [1], "Date": ["2026-01-01"], "city": ["X"]}
    with pytest.warns(UserWarning, match="did you mean 'date'"):
        rated = elo.Elo().rate(table)
    assert rated.notes == ("column 'Date' of games is not read; did you mean 'date'?",)


def test_a_players_own_columns_and_k_stay() -> None:
    people = {"name": ["A", "B"], "club": ["x", "y"], "k": [40, None], "rating": [1500, 1500]}
    rated = elo.Elo().rate([("A", "B", 1)], people).update([("B", "C", 1), ("A", "C", 0.5)])
    assert rated.players["club"] == ["x", "y", None]
    first = elo.Elo().rate([("A", "B", 1)], people).players["rating"]
    assert first == [1520, 1490]


def test_games_after_a_day_a_period_or_a_number_are_judged() -> None:
    table = games(4)
    day = table["date"][25]
    later = sum(each > day for each in table["date"])
    assert 0 < later == elo.evaluate(elo.Elo(), table, after=day).games
    assert later == elo.evaluate(elo.Elo(), table, after=day.isoformat()).games
    del table["date"]
    month = table["period"][25]
    later = sum(each > month for each in table["period"])
    assert 0 < later == elo.evaluate(elo.Elo(), table, after=month).games
    del table["period"]
    found = elo.evaluate(elo.Elo(), table, after=30)
    assert found.games == 10
    assert sum(found.calibration(4)["games"]) == 10
    with pytest.raises(elo.DomainError, match="the games have no dates: after must be a number"):
        elo.evaluate(elo.Elo(), table, after="2026-01-01")
    with pytest.raises(elo.SizeError, match="there is no game to predict"):
        elo.evaluate(elo.Elo(), table, after=40)


def test_tuning_is_evaluating_each_combination() -> None:
    table = games(5)
    tried = elo.tune(elo.Elo, pl.DataFrame(table), RATED, k=[10, 30], reversion=[0, 0.5], after=day)
    assert tried.shape == (4, 4)
    for k, reversion, log_loss, brier in tried.iter_rows():
        found = elo.evaluate(elo.Elo(k=k, reversion=reversion), table, RATED, after=day)
        assert (found.log_loss, found.brier) == (log_loss, brier)
    assert tried["log_loss"].is_sorted()
    with pytest.raises(elo.SizeError, match="tune needs at least one option"):
        elo.tune(elo.Elo, table)


day = date(2025, 6, 1)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: elo.Elo(k="20"), "k must be a number, got '20'"),  # type: ignore[arg-type]
        (lambda: elo.Glicko(growth=-1), "growth must not be below 0, got -1"),
        (lambda: elo.Glicko2(tau=0), "tau must be above 0 and at most 1,000,000, got 0"),
        (lambda: elo.Ioffe(sd=-1), "sd must be above 0 and at most 1,000,000, got -1"),
        (lambda: elo.Ioffe(draws="often"), "draws, unless a number, must be one of "),
        (lambda: elo.Rules("chess"), "rules must be one of "),
        (lambda: elo.Elo().rate([], names="near"), "names must be one of exact, loose, got 'near'"),  # type: ignore[arg-type]
    ],
)
def test_options_are_checked_at_once(make: Any, said: str) -> None:
    with pytest.raises(elo.RatingError) as refused:
        make()
    assert str(refused.value).startswith(said)


def test_old_names_say_what_the_new_ones_are() -> None:
    options: dict[str, Any] = {"c": 30}
    with pytest.raises(TypeError, match="Glicko takes growth, which was called c"):
        elo.Glicko(**options)
    players = {"name": ["Ana", "Bo"], "rating": [1500, 1500]}
    with pytest.raises(elo.SizeError, match="games come first"):
        elo.rate_period(players, {"white": ["Ana"], "black": ["Bo"], "result": [1]})


# -- sides of several players ---------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["", "rating"])
def test_sides_of_one_player_are_players(missing: str) -> None:
    """With the players' own K, games before, dates and weights."""
    players = {"name": ["Ana", "Bo", "Cy"], "rating": [1600.0, None, 1500.0]}
    players |= {"played": [3.0, None, 40.0], "k": [10.0, None, None]}
    players.pop(missing, None)
    games = {
        "white": ["Ana", "Cy", "Bo", "Ana"],
        "black": ["Bo", "Ana", "Cy", "Cy"],
        "result": [1, 0.5, None, 1],
        "date": ["2026-05-03", "2026-05-01", "2026-05-02", "2026-05-02"],
        "weight": [1, 2, None, 1],
    }
    system = elo.Elo(k=[(0, 40), (10, 20)], home=50)
    sides, pairs = system.rate_sides(games, players), system.rate(games, players)
    assert (sides.players, sides.history) == (pairs.players, pairs.history)
    assert sides.active(0) == pairs.active(0)


def test_players_of_a_side_may_have_columns_of_their_own() -> None:
    games = {"a": ["Ana", "Cy"], "a2": ["Bo", None], "b": ["Cy", "Dee"], "b2": ["Dee", "Bo"]}
    sides = {"white": ["a", "a2"], "black": ["b", "b2"]}
    system, result = elo.Elo(k=32), {"result": [1.0, 0.5]}
    cells = [("Ana & Bo", "Cy & Dee", 1), ("Cy", "Dee & Bo", 0.5)]
    expected: Any = system.rate_sides(cells).players
    for make in (dict, pd.DataFrame, pl.DataFrame):
        found: Any = system.rate_sides(make(games | result), columns=sides).players
        assert expected == {name: list(found[name]) for name in expected}


def test_orders_of_finish_are_rated_as_in_a_cell() -> None:
    """In the order of their dates; nobody is at home, one who sits alone has not played, and a
    final counts twice."""
    tables: Any = {
        "table": ["late", "late", "alone", "late", "early", "early", "early"],
        "date": ["2026-03-02"] * 4 + ["2026-03-01"] * 3,
        "name": ["Cy", "Ana & Dee", "Bo", "Bo", "Ana", "Bo", "Cy"],
        "place": [2, 1, 1, 2, 1, 2, 3],
    }
    rows = [["Ana", "Bo", "Cy"], ["Ana & Dee", "Cy", "=Bo"]]
    cells: Any = elo.worksheet("ELO_PLACES", rows, 32, None, "logistic", None, "&")
    system = elo.Elo(k=32, model="logistic", home=60)
    made: Any = system.rate_sides(tables).players
    found = dict(zip(made["name"], zip(made["rating"], made["played"], strict=True), strict=True))
    assert {row[0]: (pytest.approx(row[1]), row[2]) for row in cells} == found
    assert ["Ana", "Bo", "Cy", "Dee"] == sorted(system.rate_sides(tables).active(0)["name"])
    early = system.rate_sides({key: x[4:] + x[2:3] for key, x in tables.items()})
    assert ["Ana", "Bo", "Cy"] == sorted(early.active(0)["name"])
    weighed: list[Any] = [
        system.rate_sides({key: x[4:] for key, x in tables.items()} | {"weight": [w] * 3}).players
        for w in (1, 2)
    ]
    gains = [[x - 1500 for x in table["rating"]] for table in weighed]
    assert [2 * x for x in gains[0]] == pytest.approx(gains[1])


_DOUBLES: Any = [("Ana & Bo", "Cy & Dee", 1), ("Cy", "Ana", 0.5), ("Ed & Ana", "Bo", 0)]
_RACES: Any = {"table": [1, 1, 1, 2, 2], "place": [1, 2, 2, 1, 2]}
_RACES |= {"name": ["Ana", "Bo & Cy", "Dee", "Cy", "Ed"], "period": [1, 1, 1, 2, 2]}


@pytest.mark.parametrize("sides", ["mean", "sum"])
def test_history_of_sides(sides: Any) -> None:
    """A side's gain is what the formula says of its ratings before and of what was expected."""
    system = elo.Elo(k=20, model="logistic:800", sides=sides, home=30)
    made: Any = system.rate_sides(_DOUBLES).history
    first = [made[key][0] for key in ("white_before", "black_before")]
    level = {"mean": 1500.0, "sum": 3000.0}[sides]
    assert [level, level] == first
    for (white, _, score), before, expected, after in zip(
        _DOUBLES, *(made[key] for key in ("white_before", "expected", "white_after")), strict=True
    ):
        gain = 20 * (score - expected) * (len(white.split("&")) if sides == "sum" else 1)
        assert before + gain == pytest.approx(after)


def test_history_of_places() -> None:
    system = elo.Elo(k=32, model="logistic", reversion=0.5)
    made: Any = system.rate_sides(_RACES)
    assert [0.5, 0.5, 0.5] == made.history["expected"][:3]
    cy = made.history["before"][3]
    assert 1500 - 8 / 2 == cy  # a quarter of 32 lost, and half of it back
    assert (
        made.history["after"][3]
        == dict(zip(made.players["name"], made.players["rating"], strict=True))["Cy"]
    )


@pytest.mark.parametrize(("games", "at"), [(_DOUBLES, 1), (_RACES, 3)])
def test_more_games_of_sides_are_rated_as_all_at_once(games: Any, at: int) -> None:
    def part(*where: int | None) -> Any:
        if isinstance(games, list):
            return games[slice(*where)]
        return {key: column[slice(*where)] for key, column in games.items()}

    # without periods, later games are of the next one
    system = elo.Elo(k=[(0, 40), (1, 20)], reversion=0.25 if "period" in games else 0)
    some, rest, whole = (system.rate_sides(x) for x in (part(at), part(at, None), games))
    more = some.update(part(at, None))
    assert more.players == whole.players != rest.players
    assert more.history == {key: column[at:] for key, column in whole.history.items()}


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ((None, 1, "Bo"), "a table or a place is missing @ row 1"),
        ((1, None, "Bo"), "a table or a place is missing @ row 1"),
        ((1, 2, "Bo & Ana"), "a player is twice in a game @ row 1"),
    ],
)
def test_orders_of_finish_that_cannot_be_read(row: tuple[Any, ...], what: str) -> None:
    keys = ("table", "place", "name")
    games = {key: [first, cell] for key, first, cell in zip(keys, (1, 1, "Ana"), row, strict=True)}
    with pytest.raises(elo.EloError, match=what):
        elo.Elo().rate_sides(games)


@pytest.mark.parametrize(
    ("game", "players", "what"),
    [
        (("Ana & Bo", "Ana", 1), None, "a player is twice in a game @ row 0"),
        (("Ana &", "Bo", 1), None, "a player without a name"),
        (("Ana & Zed", "Bo", 1), {"name": ["Ana", "Bo"]}, "player 'Zed' is not in players"),
    ],
)
def test_sides_that_cannot_be_read(game: Any, players: Any, what: str) -> None:
    with pytest.raises(elo.EloError, match=what):
        elo.Elo().rate_sides([game], players)
