"""The front door for Python: the same numbers as in cells, in the kind of column that was given."""

from __future__ import annotations

import ast
import copy
import json
import math
import pickle
from collections.abc import Callable
from datetime import date
from itertools import product
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

import elo_xl as elo
from elo_xl.api.frames import blank
from elo_xl.engine.performance import performance, root
from tests.support import ROOT

RULES = ("fide", "fide-2022-01", "fide-rapid", "elo", "logistic")
MODELS = ("normal", "logistic", "rescaled", "fide")

ratings = st.floats(1, 3500, allow_nan=False) | st.integers(1, 3500).map(float)
scores = st.sampled_from([0, 0.5, 1])


def same(cell: Any, number: float) -> bool:
    """Whether a cell and a result of Python are the same, to the last bit."""
    if cell == "":
        return math.isnan(number)
    return bool(cell == number)


def refused(work: Any) -> str:
    """The error value that a cell would show."""
    try:
        work()
    except elo.SizeError:
        return "#N/A"
    except elo.DomainError:
        return "#NUM!"
    except elo.RatingError:
        return "#VALUE!"
    return ""


# the same as in cells


@given(ratings, ratings, st.sampled_from(MODELS), st.none() | st.integers(0, 800))
def test_expected_is_what_the_cell_shows(rating, opponent, model, cap):
    result = elo.expected(rating, opponent, model=model, cap=cap)
    assert type(result) is float
    assert elo.worksheet("ELO_EXPECTED", rating, opponent, model, cap) == result


@given(st.floats(0, 1), st.sampled_from(MODELS))
def test_difference_is_what_the_cell_shows(score, model):
    cell = elo.worksheet("ELO_DIFF", score, model)
    result = elo.difference(score, model=model)
    assert cell == (result if math.isfinite(result) else "#NUM!")


DRAWS = st.sampled_from(["split", "davidson", "davidson:0.79", "rao-kupper:50"])


@given(ratings, ratings, DRAWS | st.integers(0, 300), st.sampled_from(MODELS))
def test_outcomes_and_points_are_what_the_cells_show(rating, opponent, draws, model):
    cells: Any = elo.worksheet("ELO_OUTCOMES", rating, opponent, draws, model)
    points = elo.worksheet("ELO_POINTS", rating, opponent, 3, 1, 0, draws, model)
    if isinstance(points, str):
        assert points == refused(lambda: elo.outcomes(rating, opponent, draws=draws, model=model))
        assert points == refused(
            lambda: elo.expected_points(rating, opponent, draws=draws, model=model)
        )
        return
    assert cells == [list(elo.outcomes(rating, opponent, draws=draws, model=model))]
    assert points == elo.expected_points(rating, opponent, draws=draws, model=model)


@pytest.mark.slow
@given(
    st.lists(st.tuples(ratings, ratings, st.integers(0, 12)), min_size=1, max_size=6),
    st.sampled_from(["exactly", "at least", "at most"]),
)
@settings(max_examples=30)
def test_matches_of_different_lengths_are_what_the_cells_show(rows, kind):
    own, other, games = zip(*rows, strict=True)
    points = [n / 2 for n in games]
    cells: Any = elo.worksheet(
        "ELO_MATCH", *([[x] for x in c] for c in (own, other, games, points)), kind
    )
    expected = [row[0] for row in cells] if len(rows) > 1 else [cells]
    assert elo.match_odds(own, other, games, points, kind=kind).tolist() == expected


@given(
    ratings,
    st.none() | st.integers(0, 60),
    st.none() | st.integers(5, 60),
    st.none() | ratings,
    st.none() | st.integers(0, 99),
    st.sampled_from(RULES),
)
def test_k_is_what_the_cell_shows(rating, played, age, peak, period, rules):
    cell = elo.worksheet("ELO_K", rating, played, age, peak, period, rules)
    assert cell == elo.k_factor(
        rating, played=played, age=age, peak=peak, period_games=period, rules=rules
    )


@given(
    ratings,
    st.integers(0, 40),
    st.lists(st.tuples(ratings, scores), min_size=1, max_size=12),
    st.sampled_from(RULES),
)
def test_changes_are_what_the_cells_show(rating, k, games, rules):
    opponents, points = [list(x) for x in zip(*games, strict=True)]
    given_ = (rating, k, opponents, points)
    done = elo.explain(*given_, rules=rules)
    assert elo.worksheet("ELO_CHANGE", *given_, rules) == done.change
    assert elo.worksheet("ELO_UPDATE", *given_, rules) == done.new


@given(st.lists(st.tuples(ratings, scores), max_size=12), st.sampled_from(RULES))
def test_first_and_performance_ratings_are_what_the_cells_show(games, rules):
    opponents, points = [[row[i] for row in games] for i in (0, 1)]
    for method in ("fide", "normal", "logistic", "linear"):
        cell = elo.worksheet("ELO_PERFORMANCE", opponents, points, method)
        result = elo.performance(opponents, points, method=method)
        assert math.isinf(result) if cell == "#NUM!" else same(cell, result)
    cell = elo.worksheet("ELO_INITIAL", opponents, points, rules)
    result = elo.first_rating(opponents, points, rules=rules)
    assert math.isinf(result) if cell == "#NUM!" else same(cell, result)


@given(ratings, ratings, scores, st.integers(1, 400), st.integers(1, 400))
@settings(max_examples=30)
def test_bayes_is_what_the_cells_show(rating, opponent, score, sd, other):
    cells = elo.worksheet("ELO_BAYES", rating, opponent, score, sd, other)
    assert cells == [list(elo.bayes(rating, opponent, score, sd, opponent_sd=other))]


def cells_of(*call: Any) -> list[list[Any]]:
    cells = elo.worksheet(*call)
    assert isinstance(cells, list)
    return cells


def test_bridge_is_what_the_cells_show():
    players = (1600, 1500, 1550, 1450)
    [shown] = cells_of("ELO_BRIDGE", *players, 58)
    assert list(elo.bridge(*players, 58)) == shown[:4]
    deviations = (200, 60, 120, 120)
    [shown] = cells_of("ELO_BRIDGE", *players, 58, None, None, None, [list(deviations)])
    assert list(elo.bridge(*players, 58, rating_sd=deviations)) == shown[:4]
    sampled = elo.bridge(*players, 58, rating_sd=deviations, method="monte carlo", samples=20_000)
    assert sampled != elo.bridge(*players, 58, rating_sd=deviations)
    assert list(sampled) == pytest.approx(shown[:4], abs=5)


def test_rugby_has_the_rules_of_the_day():
    match: Any = {"scored": 20, "conceded": 10, "rules": "world-rugby", "venue": 1}
    days = pd.Series(pd.to_datetime(["2026-06-30", "2026-07-01", None]))
    old, new = ([0.5, -0.5], [0.8, -0.8])
    assert old == list(elo.exchange(82, 80, **match))
    assert new == list(elo.exchange(82, 80, **match, date="2026-07-01"))
    assert old == list(elo.exchange(82, 80, **match, date=date(2026, 6, 30)))
    assert [0.5, 0.8, 0.5] == elo.exchange([82] * 3, 80, **match, date=days).first.tolist()
    assert new == list(elo.exchange(82, 80, **match | {"rules": "World-Rugby"}, date="2026-07-01"))
    for wrong in ("soon", 2026, 5.0):
        with pytest.raises(elo.DomainError, match="a date is a day"):
            elo.exchange(82, 80, **match, date=wrong)
    football = match | {"rules": "world-football"}
    assert elo.exchange(82, 80, **football) == elo.exchange(82, 80, **football, date="2030-01-01")


def test_exchange_is_what_the_cells_show():
    rules: Any
    for rules, (a, b) in product(("world-football", "fifa", "fivb", "usatt"), ((3, 1), (1, 3))):
        cells = elo.worksheet("ELO_EXCHANGE", 1807, 1355, a, b, rules)
        assert cells == [list(elo.exchange(1807, 1355, a, b, rules=rules))]


def test_home_advantage_is_added_to_the_rating():
    cell = elo.worksheet("ELO_EXPECTED", 1500, 1500, None, None, None, None, 60)
    assert cell == elo.expected(1500, 1500, home=60)
    for function in (elo.expected, elo.expected_points, lambda *x, **y: elo.outcomes(*x, **y).win):
        assert function(1560, 1500) == function(1500, 1500, home=60)
    assert elo.match_odds(1560, 1500, 4, 2) == elo.match_odds(1500, 1500, 4, 2, home=60)


# the kind of column


COLUMN = [1834, None, 2000.0]
EXPECTED = [0.11128, None, 0.26341]


def plain(column: Any) -> list[float | None]:
    values = column.to_list() if hasattr(column, "to_list") else column.to_pylist()
    return [None if x is None or math.isnan(x) else round(x, 5) for x in values]


@pytest.mark.slow
@pytest.mark.parametrize(
    "column",
    [
        pd.Series(COLUMN, index=["c", "a", "b"], name="elo"),
        pd.Series([1834, None, 2000], index=["c", "a", "b"], name="elo", dtype="Int64"),
        pd.Series(COLUMN, index=["c", "a", "b"], name="elo", dtype="float64[pyarrow]"),
        pd.Series(COLUMN, index=["c", "a", "b"], name="elo", dtype=object),
        pl.Series("elo", [1834, None, 2000]),
        pl.Series("elo", [1834.0, math.nan, 2000.0]),
        pa.chunked_array([[1834], [None, 2000]]),
    ],
)
def test_a_column_keeps_its_kind(column):
    for result in (elo.expected(column, 2179), elo.outcomes(column, 2179).win):
        assert type(result) is type(column)
        if isinstance(column, pd.Series):
            assert column.index.equals(result.index)
        if not isinstance(column, pa.ChunkedArray):
            assert "elo" == result.name
            blanks = result.isna() if isinstance(column, pd.Series) else result.is_null()
            assert [False, True, False] == blanks.to_list()
    assert EXPECTED == plain(elo.expected(column, 2179))
    assert EXPECTED == plain(elo.expected(column, [2179, 2179, 2179]))
    with_list = elo.expected([1834, 1834, 1834], column)
    assert type(with_list) is type(column)


def test_lists_and_arrays_become_arrays():
    for column in (COLUMN, tuple(COLUMN), np.array(COLUMN, dtype=float), range(1834, 1837)):
        assert isinstance(elo.expected(column, 2179), np.ndarray)
    masked = np.ma.masked_invalid(np.array(COLUMN, dtype=float))
    assert [False, True, False] == np.isnan(elo.expected(masked, 2179)).tolist()
    table = elo.expected(np.array([[1500], [1600]]), [1500, 1600, 1700])
    assert (2, 3) == table.shape
    assert math.isnan(elo.expected(None, 1500))
    assert type(elo.expected(np.float64(1500), np.int64(1600))) is float


@given(st.lists(st.none() | ratings, min_size=1), st.sampled_from(MODELS))
def test_blanks_change_nothing_else(column, model):
    known = [x for x in column if x is not None]
    result = elo.expected(column, 1800, model=model)
    assert [x is None for x in column] == np.isnan(result).tolist()
    assert elo.expected(known, 1800, model=model).tolist() == result[~np.isnan(result)].tolist()


@pytest.mark.slow
def test_a_blank_option_is_as_if_left_out():
    """As in cells, where it may stand in a range beside others."""
    none = pd.Series([None, 100.0])
    rows: Any = elo.worksheet("ELO_EXPECTED", 2400, 1800, "normal", [[None], [100]])
    assert [row[0] for row in rows] == elo.expected(2400, 1800, cap=none).tolist()
    assert [elo.expected(1500, 1500), elo.expected(1600, 1500)] == elo.expected(
        1500, 1500, home=none
    ).tolist()
    rows = elo.worksheet("ELO_POINTS", 1600, 1500, [[None], [100]])
    assert [row[0] for row in rows] == elo.expected_points(1600, 1500, win=none).tolist()
    rows = elo.worksheet("ELO_BAYES", 1600, 1500, 1, 80, [[None], [100]])
    assert [row[3] for row in rows] == elo.bayes(
        1600, 1500, 1, 80, opponent_sd=none
    ).opponent_sd.tolist()
    rows = elo.worksheet("ELO_EXCHANGE", 1807, 1355, 1, 3, "fifa", [[None], [100]])
    fifa: Any = "FIFA"
    assert [row[0] for row in rows] == elo.exchange(
        1807, 1355, 1, 3, rules=fifa, weight=none
    ).first.tolist()


def test_columns_that_do_not_fit_are_refused():
    a, b = pd.Series([1500, 1600]), pd.Series([1500, 1600], index=[1, 0])
    with pytest.raises(elo.SizeError, match=r"^columns with different indices: align them first$"):
        elo.expected(a, b)
    with pytest.raises(elo.SizeError, match=r"^columns of different lengths: 2, 3$"):
        elo.expected(a, [1, 2, 3])
    with pytest.raises(elo.DomainError, match=r"^a number is needed, got 'x' @ row 1$"):
        elo.expected([1500, "x"], 1500)  # type: ignore[arg-type]
    with pytest.raises(elo.DomainError, match=r"^a number is needed, got 'x' @ row 1$"):
        elo.expected(pl.Series(["1500", "x"]), 1500)
    with pytest.raises(TypeError, match=r"^a column is needed, got a whole DataFrame$"):
        elo.expected(pd.DataFrame({"a": [1500]}), 1500)
    with pytest.raises(elo.SizeError, match=r"^lists of different lengths: 3, 2$"):
        elo.performance([1860, 1770, 2000], [1, 0])
    with pytest.raises(elo.SizeError, match=r"^one list of games is needed, got a table of shape"):
        elo.explain(1500, 20, [[1400, 1500], [1500, 1500]], [[1, 0], [1, 1]])
    with pytest.raises(elo.DomainError, match=r"^score must be between 0 and 1, got 1.5$"):
        elo.performance([1860, 1770], [1, 1.5])
    with pytest.raises(elo.SizeError, match=r"^rating_sd must be one or a tuple of four, got 2$"):
        elo.bridge(1600, 1500, 1550, 1450, 58, rating_sd=(200, 100))


MET, SCORED = pd.Series([1700, 1900]), pd.Series([0, 1], index=[1, 0])


@pytest.mark.parametrize(
    "work",
    [
        lambda: elo.log_loss(MET / 2000, SCORED),
        lambda: elo.brier(MET / 2000, SCORED),
        lambda: elo.calibration(MET / 2000, SCORED),
        lambda: elo.explain(1800, 20, MET, SCORED),
        lambda: elo.performance(MET, SCORED),
        lambda: elo.first_rating(MET, SCORED),
    ],
)
def test_games_whose_columns_have_different_indices_are_refused(work):
    with pytest.raises(elo.SizeError, match=r"^columns with different indices: align them first$"):
        work()


@pytest.mark.parametrize(
    "work",
    [
        lambda met, scores: elo.explain(1800, 20, met, scores).new,
        lambda met, scores: elo.explain(1800, 20, met, scores).change,
        elo.performance,
        elo.first_rating,
    ],
)
def test_only_a_bare_number_is_a_total(work):
    met = [1700, 1900, 1850]
    assert work(met, 1) == work(met, np.array(1.0)) == pytest.approx(work(met, [1, 0, 0]))
    for scores in ([1], np.array([1.0]), pd.Series([1])):
        with pytest.raises(elo.SizeError):
            work(met, scores)


def test_a_first_rating_knows_which_match_was_won():
    found = elo.first_rating([1500, 1600, 1400], [1, 0, 1], rules="usatt")
    assert 1550 == found == elo.worksheet("ELO_INITIAL", [[1500, 1600, 1400]], [[1, 0, 1]], "usatt")


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1834.0]),
        pl.Series([1834.0, 1900.0]),
        pd.DataFrame({"a": [1834.0]}),
        pa.chunked_array([[1834.0]]),
    ],
)
def test_cells_are_no_columns(column):
    with pytest.raises(TypeError, match=r"^ELO_EXPECTED takes cells, a range as a list of rows"):
        elo.worksheet("ELO_EXPECTED", column, 1500)


def test_errors_have_one_base():
    branches = (elo.RatingError, elo.EventError)
    assert all(issubclass(e, elo.EloError) and issubclass(e, ValueError) for e in branches)
    leaves = (elo.DomainError, elo.OptionError, elo.SizeError)
    assert all(issubclass(e, elo.RatingError) for e in leaves)


def test_what_processes_hand_on_comes_back_as_it_was():
    with pytest.raises(elo.EventError) as wrong:
        elo.read_event(b"White,Elo\n1,2\n")
    back = pickle.loads(pickle.dumps(wrong.value))
    assert (str(wrong.value), wrong.value.problems) == (str(back), back.problems)
    book = elo.new_workbook("match-odds", rounds=np.int64(4), sample=True)  # type: ignore[arg-type]
    assert book.book.file() == pickle.loads(pickle.dumps(book)).book.file()


def test_blanks_of_pandas_are_blanks_in_columns_of_any_values():
    column = pd.Series([1500, pd.NA], dtype=object)
    assert [0.5, None] == elo.expected(column, 1500).replace(np.nan, None).tolist()
    assert np.isnan(elo.expected(pd.NA, 1500))
    assert blank(pd.NA)
    with pytest.raises(elo.DomainError, match="a number is needed, got 'x' @ row 2"):
        elo.expected([1500, pd.NA, "x"], 1500)


def test_what_has_no_name_is_said():
    games = pd.DataFrame([["Ana", "Bo", "1-0"]])
    with pytest.raises(elo.SizeError, match="columns of games have no names but 0, 1, 2"):
        elo.Elo().rate(games)
    with pytest.raises(elo.OptionError, match=r"language must be one of en, .*, got 'it'"):
        elo.explain(1500, 20, [1500], [1], language="it")  # type: ignore[arg-type]
    with pytest.raises(elo.DomainError, match=r"takes 4 to 200 players, got 24\.5"):
        elo.new_workbook("swiss", players=24.5)  # type: ignore[arg-type]


# tables


PLAYERS: dict[str, list[Any]] = {
    "name": ["Ana", "Bo", "Cy", "Di"],
    "rating": [1800, 1860, 1770, None],
    "played": [90, None, 12, None],
    "club": ["x", "y", "x", "y"],
}
GAMES: dict[str, list[Any]] = {
    "white": ["Ana", "Cy", "Di", "Bo", "Ana"],
    "black": ["Bo", "Ana", "Ana", "Cy", None],
    "result": ["1-0", "½", "0,5", "+", "bye"],
}
RATED = [
    *("name", "rating", "k", "period_games", "score", "expected", "change", "new", "performance")
]


def structured(table: dict[str, list[Any]]) -> Any:
    rows = pd.DataFrame(table).to_records(index=False)
    return np.array(rows.tolist(), rows.dtype)


def columns_of(table: Any) -> dict[str, list[Any]]:
    """A table of any kind as lists, with None for blanks."""
    if isinstance(table, pa.Table):
        columns = table.to_pydict()
    elif isinstance(table, np.ndarray):
        columns = {name: table[name].tolist() for name in table.dtype.names or ()}
    elif isinstance(table, dict):
        columns = {name: list(column) for name, column in table.items()}
    else:
        columns = {name: table[name].to_list() for name in table.columns}
    return {name: [None if pd.isna(x) else x for x in column] for name, column in columns.items()}


KINDS = {
    "pandas": pd.DataFrame,
    "pandas with arrow": lambda table: pd.DataFrame(table).convert_dtypes(dtype_backend="pyarrow"),
    "pandas with nullable types": lambda table: pd.DataFrame(table).convert_dtypes(),
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "a dict of lists": dict,
    "a dict of arrays": lambda table: {name: np.array(x) for name, x in table.items()},
    "a dict of columns": lambda table: {name: pd.Series(x) for name, x in table.items()},
    "a structured array": structured,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_keeps_its_kind(kind):
    players = KINDS[kind](PLAYERS)
    rated = elo.rate_period(KINDS[kind](GAMES), players)
    assert type(rated) is type(players)
    columns = columns_of(rated)
    assert [*RATED, "played", "peak"] == list(columns)
    assert PLAYERS["name"] == columns["name"]
    assert [1800, 1860, 1770, None] == columns["rating"]
    assert [20, 20, 40, None] == columns["k"]
    assert [2, 1, 1, 1] == columns["period_games"]
    assert [10.8, -11.6, 1.6, None] == columns["change"]
    assert [1811, 1848, 1772, None] == columns["new"]


COPIES = {
    "dict": dict,
    "copy": copy.copy,
    "pickle": lambda columns: pickle.loads(pickle.dumps(columns)),
    "json": lambda columns: json.loads(json.dumps(columns)),
    "items": lambda columns: dict(columns.items()),
    "values": lambda columns: dict(zip(columns, columns.values(), strict=True)),
    "get": lambda columns: {name: columns.get(name) for name in columns},
    "or": lambda columns: {} | columns,
    "keywords": lambda columns: dict(**columns),
    "repr": lambda columns: ast.literal_eval(repr(columns)),
    "arrow": lambda columns: pa.table(columns).to_pydict(),
    "polars": lambda columns: pl.DataFrame(columns).to_dict(as_series=False),
}
RATED_ONES = {"name": [1, 2, 3], "rating": [1800, 1860, 1770], "played": [90, 90, 12]}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_performance_to_search_waits_until_it_is_read(copied):
    sides = {"white": np.array([1, 3, 3]), "black": np.array([2, 1, 2])}
    games = sides | {"result": np.array([1, 0.5, 0.5])}
    with patch("elo_xl.engine.performance.root", side_effect=root) as search:
        rated = elo.rate_period(games, RATED_ONES, rules="logistic")
        elo.rate_period(games, rated, rules="logistic")
        for column in games.values():
            column[:] = 0  # what was given may be written over
        assert search.call_count == 0
        whole = copied(rated)
        assert search.call_count == 1
    assert dict is type(whole)
    assert whole == rated
    wanted = [[1860, 1770], [1800, 1770], [1800, 1860]]
    shown = [performance(*x, "logistic").item() for x in zip(wanted, [1.5, 0.5, 1], strict=True)]
    assert pytest.approx(shown, rel=1e-12) == whole["performance"]


MONTHS = [
    {"white": white, "black": black, "result": result}
    for white, black, result in (
        (["Ana", "Bo", "Cy", *["Di"] * 5], ["Bo", "Cy", "Ana", *["Ana", "Bo"] * 2, "Bo"],
         [1, 0.5, 0, 1, 1, 0.5, 0, 1]),
        (["Cy", "Ana", "Cy"], ["Ana", "Di", "Bo"], [0, 0, 1]),
        (["Bo", "Ana"], ["Di", "Bo"], [0.5, 0]),
    )
]  # fmt: skip


@pytest.mark.parametrize("kind", ["pandas", "polars", "a dict of lists"])
def test_what_a_period_gives_begins_the_next(kind):
    """As a club goes on: Bo, once at 2400, keeps K 10; Cy has 40 up to the thirtieth game; Di is
    new."""
    people: dict[str, dict[str, Any]] = {
        "Ana": {"rating": 2398, "played": 90, "peak": None},
        "Bo": {"rating": 2401, "played": 200, "peak": None},
        "Cy": {"rating": 2000, "played": 27, "peak": 2050},
        "Di": {"rating": None, "played": 0, "peak": None},
    }
    start = {key: [one[key] for one in people.values()] for key in ("rating", "played", "peak")}
    players = KINDS[kind]({"name": list(people)} | start)
    ks = []
    for month in MONTHS:
        players = elo.rate_period(month, players)
        by_hand = {key: [one[key] for one in people.values()] for key in start}
        rated = elo.rate_period(month, {"name": list(people)} | by_hand)
        columns = columns_of(players)
        assert {key: columns[key] for key in RATED} == {key: rated[key] for key in RATED}
        ks.append(rated["k"])
        for one, new, games in zip(
            people.values(), rated["new"], rated["period_games"], strict=True
        ):
            one["peak"] = max((x for x in (one["peak"], one["rating"], new) if x), default=None)
            one |= {"rating": new, "played": one["played"] + games}
    assert [[20, 10, 40, None], [10, 10, 40, 40], [10, 10, 20, 40]] == ks
    assert [one["played"] for one in people.values()] == columns["played"]
    by_rules = elo.Rules().rate(MONTHS[0], players).players
    assert columns_of(elo.rate_period(MONTHS[0], players))["new"] == list(by_rules["rating"])


def test_a_k_that_is_given_and_an_age_go_on():
    players = {"name": ["Ana", "Bo"], "rating": [1800, 1860], "k": [32, None], "age": [None, 12]}
    game = {"white": ["Ana"], "black": ["Bo"], "result": [1]}
    for _ in range(2):
        players = elo.rate_period(game, players)
        assert [32, 40] == players["k"]


@pytest.mark.parametrize("lost", ["new", "played", "peak"])
def test_a_part_of_what_a_period_gives_is_refused(lost):
    game = {"white": ["Ana"], "black": ["Bo"], "result": [1]}
    rated = elo.rate_period(game, {"name": ["Ana", "Bo"], "rating": [1800, 1860]})
    del rated[lost]
    for work in (elo.rate_period, lambda *tables: elo.Elo().rate(*tables).players):
        with pytest.raises(
            elo.SizeError, match=f"^players are what a period gave, without '{lost}'"
        ):
            work(game, rated)


def test_the_index_of_players_is_kept():
    players = pd.DataFrame(PLAYERS, index=[7, 3, 5, 1])
    assert [7, 3, 5, 1] == elo.rate_period(pd.DataFrame(GAMES), players).index.tolist()


names = st.sampled_from(["Ana", "Bo", "Cy", "Di", "Ed"])


@given(
    st.dictionaries(names, st.none() | ratings, min_size=2),
    st.lists(st.tuples(names, names, st.sampled_from([1, 0.5, 0, None, "1-0", "+", "½"]))),
    st.sampled_from(RULES),
)
def test_a_period_is_what_the_cells_show(players, games, rules):
    games = [game for game in games if game[0] != game[1] and {*game[:2]} <= set(players)]
    rated = elo.rate_period(
        {key: [game[i] for game in games] for i, key in enumerate(("white", "black", "result"))},
        {"name": list(players), "rating": list(players.values())},
        rules=rules,
    )
    rows: Any = elo.worksheet(
        "ELO_PERIOD", list(map(list, players.items())), list(map(list, games)), rules
    )
    for i, row in enumerate(rows):
        for cell, key in zip(row, RATED, strict=True):
            value = rated[key][i]
            assert cell == ("" if value is None else value) or (cell, value) == ("#NUM!", None), key


NO_TABLE = "players must be a table, such as a dict of columns or a data frame, got "


@pytest.mark.parametrize(("players", "error", "message"), [
    ([1], TypeError, f"{NO_TABLE}list"),
    (pl.LazyFrame(PLAYERS), TypeError,
     "players must be a table: call collect() on the LazyFrame first"),
    (pd.Series([1]), TypeError, f"{NO_TABLE}Series"),
    ({"nom": []}, elo.SizeError, "players need a column 'rating'; the columns are: nom"),
    ({"name": ["Ana"], "rating": []}, elo.SizeError,
     "columns of players of different lengths: name 1, rating 0"),
    ({"name": ["Ana"], "rating": ["x"]}, elo.DomainError,
     "a number is needed, got 'x' @ row 0, column 'rating' of players"),
    (PLAYERS | {"name": ["Ana", "Bo", "Bo", "Di"]}, elo.SizeError,
     "player 'Bo' is there twice @ row 2 of players"),
    (PLAYERS | {"name": ["Ana", None, "Cy", "Di"]}, elo.SizeError,
     "a player without a name @ row 1 of players"),
    (PLAYERS | {"k": [-1, 1, 1, 1]}, elo.DomainError, "K must not be below 0, got -1.0"),
    ({"name": ["Ana"], "rating": [1500], "games": [12]}, elo.SizeError,
     "players have a column 'games': the number of rated games so far is called 'played'"),
    (pd.DataFrame(PLAYERS).set_index("name")[["rating"]], elo.SizeError,
     ("players need a column 'name'; the columns are: rating; 'name' is in the index: call "
      "reset_index() first")),
    (pd.DataFrame([["Ana", 1]], columns=pd.MultiIndex.from_product([["a"], ["name", "b"]])),
     elo.SizeError,
     "columns of players have names of several parts, such as ('a', 'name'): join them first"),
    (pd.DataFrame([["Ana", 1]], columns=["name", "name"]), elo.SizeError,
     "players have several columns of one name"),
    ({"name": ["Ana"], "rating": {"Ana": 1500}}, TypeError,
     "column 'rating' of players must be a list, an array or a column of a data frame, got dict"),
    ({"name": (x for x in ["Ana"]), "rating": [1500]}, TypeError,
     ("column 'name' of players must be a list, an array or a column of a data frame, got "
      "generator")),
    ({"name": ["Ana"], "rating": [[1500]]}, elo.SizeError,
     "one number a row is needed @ column 'rating' of players"),
    ([("Ana", 1500), ("Bo", 1600, 12)], elo.SizeError,
     "a row of players is (name, rating), got 3 values @ row 1"),
    ([("Ana", 1500), {"name": "Bo"}], TypeError, f"{NO_TABLE}list"),
])  # fmt: skip
def test_errors_of_players(players, error, message):
    with pytest.raises(error) as caught:
        elo.rate_period({"white": ["Ana"], "black": ["Bo"], "result": [1]}, players)
    assert message == str(caught.value)


@pytest.mark.parametrize(
    ("column", "value", "error", "message"),
    [
        ("white", "Zed", elo.SizeError, "player 'Zed' is not in players"),
        ("black", "Ana", elo.DomainError, "player 'Ana' is paired with themselves"),
        ("result", "w0n", elo.RatingError, "result must be 1, 0.5 or 0, got 'w0n'"),
        ("result", 2, elo.DomainError, "result must be 1, 0.5 or 0, got 2"),
    ],
)
def test_errors_of_games(column, value, error, message):
    games: dict[str, list[Any]] = {"white": ["Bo", "Ana"], "black": ["Ana", "Bo"], "result": [1, 0]}
    games[column][1] = value
    with pytest.raises(error) as caught:
        elo.rate_period(games, PLAYERS)
    assert f"{message} @ row 1, column {column!r} of games" == str(caught.value)


def test_nothing_that_is_given_changes():
    players = {"name": np.array(["Ana", "Bo"]), "rating": np.array([0.0, 1800])}
    elo.rate_period({"white": ["Ana"], "black": ["Bo"], "result": [1]}, players)
    assert [0, 1800] == players["rating"].tolist()


def test_players_may_be_numbers():
    players = {"name": [1503014, 4100018], "rating": [2800, 2700]}
    games = {"white": [4100018.0, 1503014], "black": [1503014, math.nan], "result": [1, 1]}
    assert [1, 1] == elo.rate_period(games, players)["period_games"]


@pytest.mark.parametrize("names", [[7, 3, 5], [-(10**18), 10**18, 3], [3, 4, 5]])
@pytest.mark.parametrize("column", [np.array, pd.Series, pl.Series, list])
def test_players_with_numbers_are_rated_as_those_with_names(names, column):
    known = {"rating": [1800, 1900, 2000]}
    games = np.array([[0, 1], [2, 0], [0, 1]])
    texts = np.array(["Ana", "Bo", "Cy"])
    by_name = {"white": texts[games[:, 0]], "black": texts[games[:, 1]], "result": [1, 0.5, 0]}
    by_number = by_name | {
        side: column([names[i] for i in games[:, at]]) for at, side in enumerate(("white", "black"))
    }
    right = elo.rate_period(by_name, known | {"name": texts.tolist()})
    assert right["new"] == elo.rate_period(by_number, known | {"name": names})["new"]
    with pytest.raises(elo.SizeError, match=r"^player 9 is not in players @ row 1, column 'black'"):
        elo.rate_period(by_number | {"black": column([names[1], 9, 9])}, known | {"name": names})
    with pytest.raises(elo.SizeError, match=r"^player 3 is there twice @ row 1 of players$"):
        elo.rate_period(by_number, known | {"name": column([3, 3, 1])})


CODED: dict[str, Callable[[list[Any]], Any]] = {
    # with a category that nobody has, and who is no player
    "pandas": lambda names: pd.Series(pd.Categorical(names, ["Zed", "Cy", "Bo", "Ana"])),
    "polars": lambda names: pl.Series(names, dtype=pl.Categorical),
    "Arrow": lambda names: pa.chunked_array(
        [pa.array(part).dictionary_encode() for part in (names[:2], names[2:])]
    ),
    "Arrow, unsigned": lambda names: pa.chunked_array(
        [
            pa.DictionaryArray.from_arrays(
                pa.array([["Cy", "Ana", "Zed", "Bo", None].index(name) for name in names], "u1"),
                ["Cy", "Ana", "Zed", "Bo", None],
            )
        ]
    ),
}


@pytest.mark.parametrize("kind", CODED)
def test_names_may_be_coded(kind):
    games: dict[str, list[Any]] = {
        "white": ["Cy", "Ana", "Bo"],
        "black": [None, "Bo", "Cy"],
        "result": [1, 1, 0.5],
    }
    coded = games | {side: CODED[kind](games[side]) for side in ("white", "black")}
    players = {"name": ["Ana", "Bo", "Cy"], "rating": [1800, 1860, 1770]}
    assert elo.rate_period(games, players)["new"] == elo.rate_period(coded, players)["new"]
    with pytest.raises(elo.SizeError, match=r"^player 'Bo' is not in players @ row 2, column 'wh"):
        elo.rate_period(coded, {"name": ["Ana", "Cy"], "rating": [1800, 1770]})


SEASON: dict[str, list[Any]] = {
    "white": ["Ana", "Cy", "Ana", "Bo", "Ana", None],
    "black": ["Bo", "Ana", "Cy", "Cy", None, "Ana"],
    "result": ["1-0", "½", "+", "0-1", "bye", None],
    "note": ["a", "b", "c", "d", "e", "f"],
}


def by_hand(games: Any, k: float) -> dict[str, float]:
    """Elo's rule, one game after another, as anybody would write it."""
    rating: dict[str, float] = {}
    for white, black, score in games:
        a, b = rating.get(white, 1500.0), rating.get(black, 1500.0)
        gain = k * (score - math.erfc((b - a) / 400) / 2)
        rating |= {white: a + gain, black: b - gain}
    return rating


@pytest.mark.parametrize("kind", KINDS)
def test_games_one_after_another(kind):
    games = KINDS[kind](SEASON)
    after = elo.Elo(k=32).rate(games).players
    assert type(after) is type(games)
    columns = columns_of(after)
    assert ["name", "rating", "played"] == list(columns)
    hand = by_hand([("Ana", "Bo", 1), ("Cy", "Ana", 0.5), ("Bo", "Cy", 0)], 32)
    assert list(hand) == columns["name"] == ["Ana", "Bo", "Cy"]
    assert list(hand.values()) == pytest.approx(columns["rating"], abs=1e-9)
    assert [2, 2, 2] == columns["played"]


WALK = ["white_before", "black_before", "expected", "white_after", "black_after"]


@pytest.mark.parametrize("kind", KINDS)
def test_ratings_after_each_game(kind):
    games = KINDS[kind](SEASON)
    history = elo.Elo().rate(games).history
    assert type(history) is type(games)
    columns = columns_of(history)
    assert [*SEASON, *WALK] == list(columns)
    assert SEASON["note"] == columns["note"]
    after = columns_of(elo.Elo().rate(games).players)
    assert columns["black_after"][1] == after["rating"][0]
    assert columns["white_after"][3:] == [after["rating"][1], None, None]
    assert columns["black_after"][2] is None


@pytest.mark.parametrize("system", [elo.Elo(), elo.Glicko(), elo.Ioffe()])
def test_the_inactive_leave_the_table_or_sink(system):
    games: dict[str, Any] = {"white": list("ABA"), "black": list("BCD"), "result": [1, 0.5, 0]}
    games["date"] = ["2026-01-01", "2026-03-02", "2026-04-01"]
    rated = system.rate(games)
    every = dict(zip("ABCD", rated.players["rating"], strict=True))
    shown = rated.active(29)
    assert dict(zip(shown["name"], shown["rating"], strict=True)) == {x: every[x] for x in "AD"}
    assert rated.active(30)["name"] == list("ABCD")
    first, last = ({key: x[at] for key, x in games.items()} for at in (slice(2), slice(2, 3)))
    assert system.rate(first).update(last).active(30)["name"] == list("ABCD")
    low = min(every["B"], every["C"]) - 1
    sunk = rated.active(15, sinking=(10, low))["rating"]
    assert sunk == pytest.approx([every["A"], *(max(every[x] - 5, low) for x in "BC"), every["D"]])
    del games["date"]
    with pytest.raises(elo.SizeError, match="a column 'date'"):
        system.rate(games).active(9)


def test_fits_of_counts_and_several_anchors():
    games: dict[str, Any] = {"white": list("ABCB"), "black": list("BCAA"), "result": [1] * 4}
    often: Any = {"white": list("AABCB"), "black": list("BBCAA"), "result": [1] * 5}
    games["count"] = [2, 1, 1, 1]
    anchors = {"A": 1600, "C": 1500}
    found = [elo.fit(table, anchor=anchors, home=20).players["rating"] for table in (games, often)]
    assert found[0] == pytest.approx(found[1])
    rows: Any = [[*row, 1] for row in zip(games["white"], games["black"], strict=True)]
    counts = [[n] for n in games["count"]]
    table: Any = elo.worksheet("ELO_FIT", rows, [["A", 1600], ["C", 1500]], *[None] * 3, 20, counts)
    assert dict(zip("ABC", found[0], strict=True)) == pytest.approx({r[0]: r[1] for r in table})


def test_the_index_of_games_is_kept():
    games = pd.DataFrame(SEASON, index=list("uvwxyz"))
    assert list("uvwxyz") == elo.Elo().rate(games).history.index.tolist()
    players = pd.DataFrame({"name": ["Bo", "Ana", "Cy"]}, index=[5, 3, 1])
    assert [5, 3, 1] == elo.Elo().rate(games, players).players.index.tolist()


@pytest.mark.parametrize("system", [elo.Elo(), elo.Ioffe(), elo.Glicko(), elo.Glicko2()])
def test_a_season_in_two_halves(system):
    """What one call leaves is what the next one begins with."""
    whole = {"period": [1, 1, 1, 2, 2, 2]} | SEASON
    parts = [
        {key: column[half] for key, column in whole.items()} for half in (slice(3), slice(3, 6))
    ]
    start = {"name": ["Ana", "Bo", "Cy", "Di"]}
    middle = system.rate(parts[0], start).players
    assert middle["rating"][3] is None
    one, two = (system.rate(whole, start).players, system.rate(parts[1], middle).players)
    assert [2, 2, 2, 0] == one["played"] == two["played"]
    for column in system.columns:
        known = [x for x in one[column] if x is not None]
        assert known == pytest.approx([x for x in two[column] if x is not None], rel=1e-12)


@pytest.mark.parametrize("rules", ["fide", "us-chess", "egf"])
def test_a_rulebook_is_a_system(rules):
    games = {"white": ["Ana", "Bo"], "black": ["Bo", "Cy"], "result": [1, 0.5]}
    players = {"name": ["Ana", "Bo", "Cy"], "rating": [1800, 1860, 1700]}
    known = {"played": [12, 90, 90], "age": [12, 40, None], "peak": [None, 1900, None]}
    by_period = elo.rate_period(games, players | known, rules=rules)
    by_system = elo.Rules(rules).rate(games, players | known).players
    assert by_period["new"] == by_system["rating"]
    assert by_system["played"] == [13, 92, 91]


@pytest.mark.parametrize("system", ["elo", elo.Elo, None])
def test_what_is_no_system(system):
    with pytest.raises(elo.OptionError, match=r"^a system such as Elo\(k=20\) or Glicko\(\) is ne"):
        elo.evaluate(system, SEASON)


def test_dates_that_would_be_sorted_wrongly_are_refused():
    games = {key: column[:3] for key, column in SEASON.items()}
    right = elo.Elo().rate(games | {"date": ["2026-01-12", "2026-01-03", "2026-02-02"]}).players
    order = [1, 0, 2]
    assert right == elo.Elo().rate(
        {key: [column[i] for i in order] for key, column in games.items()}, {"name": right["name"]}
    ).players | {"name": right["name"]}
    for dates, row in ((["3.1.2026", "12.1.2026", "2.2.2026"], 0), (["2026-01-03", "a", "3"], 1)):
        with pytest.raises(elo.DomainError, match=rf"^a date as text is .* @ row {row}, column"):
            elo.Elo().rate(games | {"date": dates})
    with pytest.raises(elo.SizeError, match=r"^dates of several kinds"):
        elo.Elo().rate(games | {"date": ["2026-01-03", 46000, 46001]})


@pytest.mark.parametrize("rules", ["fide", "elo", "us-chess"])
def test_a_rating_without_end_is_refused(rules):
    players = {"name": ["Ana", "Bo"], "rating": [float("inf"), 1860]}
    games = {"white": ["Ana"], "black": ["Bo"], "result": [1]}
    with pytest.raises(elo.DomainError, match=r"^rating must be finite, got inf$"):
        elo.rate_period(games, players, rules=rules)


def test_dates_put_games_in_order():
    order = [2, 0, 3, 1]
    games = pd.DataFrame(SEASON)[:4].assign(date=pd.date_range("2026-01-02", periods=4))
    mixed = games.iloc[order]
    assert (
        elo.Elo()
        .rate(games)
        .players.set_index("name")
        .equals(elo.Elo().rate(mixed).players.set_index("name").loc[["Ana", "Bo", "Cy"]])
    )
    history = elo.Elo().rate(mixed).history
    assert order == history.index.tolist()
    assert history.sort_index().equals(elo.Elo().rate(games).history)
    with pytest.raises(elo.SizeError, match=r"^a game without a date @ row 1 of games$"):
        elo.Elo().rate(games.assign(date=[pd.Timestamp("2026-01-02"), None, None, None]))


def test_what_games_may_tell_besides():
    games = {"white": ["Ana"], "black": ["Bo"], "result": [1], "neutral": [True], "margin": [3]}
    home, neutral = elo.Elo(home=100), {**games, "neutral": [False]}
    assert elo.Elo().rate(games).players["rating"] == home.rate(games).players["rating"]
    assert home.rate(neutral).players["rating"][0] < 1510
    goals = elo.Elo(margin="goals")
    assert [1510 + 7.5, 1490 - 7.5] == goals.rate(games).players["rating"]
    with pytest.raises(
        elo.SizeError, match=r"^a period is a whole number @ row 0, column 'period'"
    ):
        elo.Elo().rate(games | {"period": [1.5]})


@pytest.mark.slow
def test_an_unknown_deviation_is_found_again():
    """Games drawn from strengths that scatter by 150 points around their ratings."""
    rng = np.random.default_rng(4)
    size = 400
    ratings = rng.normal(1600, 200, size)
    strength = ratings + rng.normal(0, 150, size)
    first, second = rng.integers(0, size, (2, 4000))
    first, second = first[first != second], second[first != second]
    win, draw, _ = elo.outcomes(strength[first], strength[second])
    luck = rng.random(first.size)
    score = np.where(luck < win, 1, np.where(luck < win + draw, 0.5, 0))
    found = elo.estimate_sd(
        {"white": first, "black": second, "result": score},
        {"name": np.arange(size), "rating": ratings},
    )
    assert abs(found.sd - 150) < 3 * found.standard_error < 30


# files


@pytest.mark.slow
def test_an_event_from_its_file_to_a_workbook(tmp_path):
    event = elo.read_event(
        ROOT / "examples/rivertown-open.trf", players=ROOT / "examples/rivertown-players.csv"
    )
    rated = elo.rate_event(event)
    assert pickle.loads(pickle.dumps(rated)).event == rated.event
    table = rated.players
    assert sorted(event.players["name"]) == sorted(table["name"])
    path = tmp_path / "rated.xlsx"
    rated.to_excel(path, language="es")
    cells = [c.value for ws in load_workbook(path, data_only=True) for row in ws for c in row]
    assert set(table["name"]) <= set(cells)
    assert (
        len(rated.games["player"])
        == 2 * sum(score in (1, 0.5, 0) for score in event.games["result"])
        - 2 * rated.event.unrated_games
    )


def test_an_event_can_be_rated_as_a_period():
    event = elo.read_event(
        ROOT / "examples/club-evening-games.csv", players=ROOT / "examples/club-evening-players.csv"
    )
    for rules in ("fide", "elo"):
        table = pd.DataFrame(elo.rate_event(event, rules=rules).players).set_index("name")
        rows = elo.rate_period(pd.DataFrame(event.games), pd.DataFrame(event.players), rules=rules)
        period = rows.set_index("name").loc[table.index, RATED[1:]]
        rated = table["rating"].notna()
        pd.testing.assert_frame_equal(
            period[rated].astype(float), table[rated].drop(columns="reason").astype(float)
        )
        assert period["new"].astype(float).equals(table["new"].astype(float))


def test_a_file_with_problems_names_them_all():
    with pytest.raises(elo.EventError, match="'two' @ games, line 2") as caught:
        elo.read_event(b"white,black,result\nAna,Bo,two\n", players=b"name,rating\nAna,1\nBo,2\n")
    assert isinstance(caught.value, elo.EloError)


@pytest.mark.slow
def test_a_new_workbook(tmp_path):
    path = tmp_path / "open.xlsx"
    elo.new_workbook("round-robin", players=4, language="ru", sample=True).save(path)
    assert load_workbook(path).sheetnames
    with pytest.raises(elo.DomainError, match=r"^swiss takes 4 to 200 players, got 3$"):
        elo.new_workbook("swiss", players=3)
    with pytest.raises(elo.OptionError, match=r"^template must be one of "):
        elo.new_workbook("chess")  # type: ignore[arg-type]


def test_every_value_is_shown_in_a_line():
    event = elo.read_event(ROOT / "examples/rivertown-open.trf")
    rated = elo.rate_event(event)
    fitted = elo.fit(event.games)
    chance = np.random.default_rng(1)
    white = chance.integers(0, 30, 2000)
    games: dict[str, Any] = {"white": white, "black": (white + 1) % 30}
    games |= {"result": chance.integers(0, 3, 2000) / 2}
    both = {"white_rating": 1500 + white, "black_rating": 1500 - white}
    lines = {
        "<Event 'Rivertown Open 2026' players=16 games=52>": event,
        "<EventRatings 'Rivertown Open 2026' players=16 games=52 rules='fide-2025-10'>": rated,
        "<Fit players=16 games=52 home=-245 draw=1.83>": fitted,
        "<Workbook 'match-odds' sheets=4>": elo.new_workbook("match-odds"),
        "<Rulebook 'logistic': ": elo.rulebooks["logistic"],
        "<Rulebooks fide, fide-rapid, elo, ": elo.rulebooks,
        "<Check games=2000 players=30 K=": elo.check(games),
        "<Health games=2000 players=30 a=": elo.health(games | both),
    }
    for line, value in lines.items():
        assert repr(value).startswith(line)
        assert len(repr(value)) < 200
        assert "\n" not in repr(value)
        assert repr(value) == repr(pickle.loads(pickle.dumps(value)))
    for value in (event, rated, fitted, elo.rulebooks):
        shown = value._repr_html_()
        assert 11 == shown.count("<tr>")
        assert f"and {11 if value is elo.rulebooks else 6} more" in shown
    assert "Lindqvist, Alva" in event._repr_html_()


def test_rulebooks_are_found_by_name():
    assert elo.rulebooks["fide"] is elo.rulebooks["fide-2025-10"]
    assert isinstance(elo.rulebooks["elo"], elo.Rulebook)
    assert elo.k_factor(1500, played=12, rules=elo.rulebooks["fide-2009-07"]) == 25


# every kind that is promised


def test_arrow_has_two_kinds_of_columns_and_of_tables():
    arrays = pa.array([1500, None]), pa.chunked_array([[1500, None]])
    for column in arrays:
        result = elo.expected(column, 1500)
        assert type(result) is (pa.DoubleArray if column is arrays[0] else pa.ChunkedArray)
        assert result.to_pylist() == [0.5, None]
    players = pa.RecordBatch.from_pydict({"name": ["Ana", "Bo"], "rating": [1500, 1500]})
    games = pa.RecordBatch.from_pydict({"white": ["Ana"], "black": ["Bo"], "result": ["1-0"]})
    rated = elo.rate_period(games, players)
    assert isinstance(rated, pa.RecordBatch)
    assert rated["change"].to_pylist() == [10, -10]
    assert isinstance(elo.Elo().rate(games).players, pa.RecordBatch)


def test_a_list_of_dicts_is_a_table():
    games: Any = [{"white": "Ana", "black": "Bo", "result": "½"}, {"white": "Bo", "black": None}]
    assert elo.Elo().rate(games).players["played"] == [1, 1]


class Game(NamedTuple):
    """A game with a day, as somebody may have declared it."""

    date: str
    white: str
    black: str
    result: str


def test_tuples_are_rows():
    games = [("Ana", "Bo", "1-0"), ("Bo", "Cy", "½")]
    players = [("Ana", 1800), ("Bo", 1860), ("Cy", None)]
    rated = elo.rate_period(games, players)
    assert [11.6, -11.6, None] == rated["change"]
    named = [Game("2026-01-09", *games[1]), Game("2026-01-02", *games[0])]
    assert ["date", "white", "black", "result", *WALK] == list(elo.Elo().rate(named).history)
    one, two = (
        elo.Elo().rate(rows, {"name": ["Ana", "Bo", "Cy"]}).players for rows in (games, named)
    )
    assert one == two
    assert [1800, 1860, None] == elo.rate_period([], players)["new"]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(pd.to_datetime(["2026-01-09", None])),
        pl.Series([date(2026, 1, 9), None]),
        np.array(["2026-01-09", "NaT"], "M8[D]"),
        [date(2026, 1, 9), None],
        pd.Series(pd.to_timedelta(["1D", None])),
    ],
)
def test_a_date_is_no_number(column):
    wrong = r"^a number is needed, got .*\(.+\) @ row 0"
    with pytest.raises(elo.DomainError, match=f"{wrong}$"):
        elo.expected(column, 1500)
    with pytest.raises(elo.DomainError, match=f"{wrong}, column 'rating' of players$"):
        elo.rate_period([], {"name": ["Ana", "Bo"], "rating": column})


def test_scores_are_typed_as_results_are():
    index = ["a", "b", "c"]
    for scores in (["1", "½", "+"], pd.Series(["1", "½", "+"], index)):
        opponents = pd.Series([1500, 1600, 1700], index)
        assert elo.performance(opponents, scores) == elo.performance([1500, 1600], 1.5)


@pytest.mark.parametrize("wrong", [(x for x in [1]), {"a": 1}, pl.col("a")])
def test_what_is_no_column(wrong):
    with pytest.raises(TypeError, match=r"^a number or a column is needed, got "):
        elo.expected(wrong, 1500)


def test_dates_are_no_results():
    games = pd.DataFrame({"white": ["Ana"], "black": ["Bo"], "result": [pd.Timestamp(2000, 1, 1)]})
    with pytest.raises(elo.DomainError, match=r"such as 1-0: .* @ row 0, column 'result' of games"):
        elo.Elo().rate(games)
    assert elo.Elo().rate(games.assign(result=pd.NaT)).players["played"].tolist() == [0, 0]


def test_two_infinite_ratings_have_no_difference() -> None:
    assert np.isnan(elo.expected(np.inf, np.inf))
