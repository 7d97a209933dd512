"""The functions as SQL are in the parity table; here are whole periods, and what is written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlglot

import elo_xl as elo
from elo_xl.hosts import sql
from elo_xl.hosts.sql.period import REJECTED, period, why_not
from tests.support.all_cases import cases
from tests.support.command import invoke
from tests.support.native_host import EXCEPTIONS, same
from tests.support.parity import expected, in_database
from tests.support.sql_host import ClickHouse, Database, DuckDb, Row, postgres, takes

pytestmark = pytest.mark.slow

WITH_STATEMENT = [name for name, book in elo.rulebooks.items() if not why_not(book)]
PLAYERS = {name: name == "id" for name in ("id", "rating", "k", "played", "age", "peak")}
GAMES = {"white": True, "black": True, "result": False}


@pytest.fixture(
    scope="module",
    params=[
        "duckdb",
        *(pytest.param(x, marks=pytest.mark.proof) for x in ("postgres", "clickhouse")),
    ],
)
def base(request: pytest.FixtureRequest) -> Iterator[Database]:
    """A database with players, a tenth of them unrated, and their games."""
    if request.param == "postgres":
        with postgres() as made:
            yield filled(made)
    else:
        yield filled(DuckDb() if request.param == "duckdb" else ClickHouse())


def filled(base: Database) -> Database:
    base.table("players", PLAYERS, [_known(row) for row in zip(*players().values(), strict=True)])
    base.table("games", GAMES, [_known(row) for row in zip(*games().values(), strict=True)])
    return base


def _known(row: Row) -> Row:
    return tuple(None if x != x else x for x in row)


def players(size: int = 300) -> dict[str, list[Any]]:
    rng = np.random.default_rng(47)
    rating = np.where(rng.random(size) < 0.1, np.nan, rng.integers(1350, 2800, size))
    peak = np.where(rng.random(size) < 0.5, np.nan, rating + rng.integers(0, 90, size))
    numbers = {
        "rating": rating,
        "k": np.where(rng.random(size) < 0.9, np.nan, 17.5),
        "played": np.where(rng.random(size) < 0.1, np.nan, rng.integers(0, 90, size)),
        "age": np.where(rng.random(size) < 0.1, np.nan, rng.integers(8, 80, size)),
        "peak": peak,
    }
    return {"id": [f"p{i}" for i in range(size)]} | {n: x.tolist() for n, x in numbers.items()}


def games(count: int = 4000, size: int = 300) -> dict[str, list[Any]]:
    rng = np.random.default_rng(48)
    white = rng.integers(0, size - 5, count)
    black = (white + rng.integers(1, size - 5, count)) % (size - 5)
    result = rng.choice([1, 0.5, 0, np.nan], count, p=[0.4, 0.3, 0.25, 0.05])
    names = [[f"p{i}" for i in side.tolist()] for side in (white, black)]
    return {"white": names[0], "black": names[1], "result": result.tolist()}


@pytest.mark.parametrize("rules", WITH_STATEMENT)
def test_a_period_is_that_of_rate_period(base: Database, rules: str) -> None:
    known = players()
    if not elo.rulebooks[rules].change.takes_k:
        del known["k"]
    known["name"] = known.pop("id")
    ours = elo.rate_period(games(), known, rules=rules)
    names = [*ours, "id"]
    text = f"SELECT {', '.join(NUMBERS)}, id FROM ({period(rules)}) AS p"
    text = sql.query(text, base.dialect)
    rows = {row[-1]: row for row in base.rows(text)}
    for i, name in enumerate(NUMBERS):
        theirs = np.array([rows[who][i] for who in ours["name"]], float)
        own = np.array(ours[name], float)
        exact = elo.rulebooks[rules].expected.unit > 1 or name == "period_games"
        np.testing.assert_allclose(theirs, own, rtol=0, atol=0 if exact else 1e-9, err_msg=name)
    assert {"id", *NUMBERS} <= {*names}


NUMBERS = [
    *("rating", "k", "period_games", "score", "expected", "change", "new"),
    *("played", "age", "peak"),
]


@pytest.mark.proof
def test_the_functions_are_those_of_cells(base: Database) -> None:
    chosen = takes(cases(), base.dialect)
    wrong = [
        (case, ours, theirs)
        for case, theirs in zip(chosen, in_database(chosen, base), strict=True)
        if not same(ours := expected(case), theirs)
        and not any(known.covers("sql", case.function, case.name) for known in EXCEPTIONS)
    ]
    assert len(chosen) > 1200
    assert [] == wrong


def test_games_that_count_for_nobody_are_named(base: Database) -> None:
    wrong = [(None, "p1", 1.0), ("p1", "p1", 1.0), ("p1", "nobody", 0.5), ("p1", "p2", 0.75)]
    base.table("typed", GAMES, [*wrong, ("p1", "p2", 1.0), ("p1", "p2", None)])
    text = REJECTED.replace("FROM games", "FROM typed")
    found = {row[:3]: row[3] for row in base.rows(sql.query(text, base.dialect))}
    assert found == dict(
        zip(
            wrong,
            [
                "no first player",
                "'p1' is paired with themselves",
                "'nobody' is not in players",
                "result must be 1, 0.5 or 0, got 0.75",
            ],
            strict=True,
        )
    )


@pytest.mark.parametrize("dialect", sql.DIALECTS)
def test_what_is_written_is_sql(dialect: str, tmp_path: Path) -> None:
    done = invoke("addin", "sql", "--dialect", dialect, "-o", tmp_path / "made")
    assert not done.exit_code, done.output
    functions, statement, rejected = sorted((tmp_path / "made").iterdir())
    for path in (statement, rejected):
        assert len(sqlglot.parse(path.read_text("utf-8"), read=dialect)) == 1
    text = functions.read_text("utf-8")
    assert text.count("\nCREATE OR ") == sum(
        sql.DIALECTS[dialect].aggregates or not f.aggregate for f in sql.written()[0].values()
    )
    assert all(f"-- not here: {name}: " in text for name in sql.missing(dialect))


def test_what_has_no_statement_is_said() -> None:
    done = invoke("addin", "sql", "--dialect", "duckdb", "--rules", "dwz")
    assert done.exit_code == 1
    assert "dwz has no statement: it rates the games of an event together" in done.output
