"""Periods and sweeps on a real Apache Spark, beside the same ones in one process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import pytest

import elo_xl as elo
import elo_xl.spark
from elo_xl.engine.errors import DomainError, EloError, OptionError, SizeError
from elo_xl.engine.rulebooks import rulebook
from elo_xl.hosts.sql.period import why_not
from tests.support import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.memory": "1g",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "5000",
    "spark.sql.shuffle.partitions": "3",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Spark in this machine's own processes; the test fails without it."""
    found = subprocess.run(
        [ROOT / "scripts" / "spark.sh", "--find"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        pytest.fail(found.stderr.strip(), pytrace=False)
    settings = {
        "JAVA_HOME": str(Path(found.stdout.strip()).resolve().parents[1]),
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    with mock.patch.dict(os.environ, settings):
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local[2]")
        home = tmp_path_factory.mktemp("spark")
        for name, value in {**SETTINGS, "spark.sql.warehouse.dir": str(home)}.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        yield session
        session.stop()


def some_games(seed: int, size: int, count: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    white = rng.integers(0, size, count)
    black = (white + rng.integers(1, size, count)) % size
    result = rng.choice([1, 0.5, 0, np.nan], count, p=[0.4, 0.3, 0.29, 0.01])
    return {"white": white, "black": black, "result": result}


def some_players(seed: int, size: int) -> dict[str, Any]:
    """Players of all kinds: young and old, of many games and of few, a tenth without a rating."""
    rng = np.random.default_rng(seed)
    rating = rng.normal(2000, 350, size).round()
    rating[rng.random(size) < 0.1] = np.nan
    return {
        "id": rng.permutation(size),
        "rating": rating,
        "k": np.where(rng.random(size) < 0.2, 15.0, np.nan),
        "played": np.where(rng.random(size) < 0.5, rng.integers(0, 60, size), np.nan),
        "age": np.where(rng.random(size) < 0.5, rng.integers(8, 80, size), np.nan),
        "peak": np.where(rng.random(size) < 0.5, rating + rng.integers(0, 300, size), np.nan),
    }


def stored(spark: Any, folder: Path, name: str, columns: dict[str, Any]) -> Any:
    path = folder / f"{name}.parquet"
    pd.DataFrame(columns).to_parquet(path, row_group_size=100_000)
    return spark.read.parquet(str(path))


def agree(
    rated: Any, players: dict[str, Any], games: dict[str, Any], rules: str = "fide"
) -> pd.DataFrame:
    """The ratings of Spark by players, which have to be those of one table."""
    named = pd.DataFrame(players).rename(columns={"id": "name"})
    expected = elo.rate_period(pd.DataFrame(games), named, rules=rules)
    actual = by_id(rated).loc[expected["name"]]
    assert len(expected) == len(actual)
    # whole numbers of hundredths agree to the last bit, others were added up in another order
    apart = 0 if rulebook(rules).expected.unit > 1 else 1e-8
    for name in ("rating", "k", "period_games", "score", "expected", "change", "new"):
        np.testing.assert_allclose(expected[name], actual[name], rtol=0, atol=apart, err_msg=name)
    return actual


def by_id(rated: Any) -> pd.DataFrame:
    return rated.ratings.toArrow().to_pandas().set_index("id")


@pytest.mark.parametrize(
    "rules", [name for name, book in elo.rulebooks.items() if not why_not(book)]
)
def test_a_period_under_each_rulebook(rules: str, spark: Any, tmp_path: Path) -> None:
    players, games = some_players(3, 300), some_games(4, 300, 6000)
    players["rating"][:30] = 0  # as lists print unrated players
    players["rating"][30:] += 0.25
    if not elo.rulebooks[rules].change.takes_k:
        del players["k"]
    known, played = (stored(spark, tmp_path, *x) for x in (("players", players), ("games", games)))
    agree(elo_xl.spark.rate_period(played, known, rules), players, games, rules)


def test_games_that_cannot_be_rated_are_named(spark: Any) -> None:
    players = spark.createDataFrame(
        [("Ana", 1800.0), ("Bo", 1700.0), ("Cy", None)], "id string, rating double"
    )
    rows = [("Ana", "Bo", 1.0, None), ("Bo", "Cy", 0.5, None), ("Bo", "Ana", None, None),
            ("Bo", "Nobody", None, None), (None, "Bo", 1.0, "no first player"),
            ("Bo", None, 1.0, "no second player"), ("Bo", "", 0.5, "no second player"),
            ("ana", "Bo", 1.0, "'ana' is not in players"),
            ("Bo", "Di", 0.0, "'Di' is not in players"),
            ("Cy", "Cy", 1.0, "'Cy' is paired with themselves"),
            ("Ana", "Bo", 0.75, "result must be 1, 0.5 or 0, got 0.75"),
            ("Ana", "Bo", float("inf"), "result must be 1, 0.5 or 0, got Infinity")]  # fmt: skip
    games = spark.createDataFrame(
        [(*row[:3], at) for at, row in enumerate(rows)],
        "white string, black string, result double, `row.number` long",
    ).repartition(3)
    rated = elo_xl.spark.rate_period(games, players)
    named = [("Ana", 1800, None), ("Bo", 1700, None), ("Cy", None, None)]
    columns = dict(zip(("id", "rating", "k"), map(list, zip(*named, strict=True)), strict=True))
    white, black, result = map(list, zip(*(row[:3] for row in rows[:2]), strict=True))
    agree(rated, columns, {"white": white, "black": black, "result": result})
    rejects = sorted(rated.rejects.collect(), key=lambda row: row["row.number"])
    assert ["white", "black", "result", "row.number", "reason"] == rated.rejects.columns
    assert rows[4:] == [(*row[:3], row.reason) for row in rejects]


def test_a_period_without_games_and_one_without_players(spark: Any) -> None:
    games = spark.createDataFrame([], "white int, black short, result int")
    players = spark.createDataFrame([(7, 1800), (8, None)], "id short, rating int")
    (one, two) = sorted(elo_xl.spark.rate_period(games, players).ratings.collect())
    assert (7, 1800, 1800, 0, 0, 0, 0, 20) == tuple(one)
    assert (8, None, None, 0, 0, None, None, None) == tuple(two)
    nobody = elo_xl.spark.rate_period(games.limit(0), players.where("id = 9"))
    assert [] == nobody.ratings.collect()


GAMES = ("white long, black long, result double", [(1, 2, 1.0)])
PLAYERS = ("id long, rating double", [(1, 1800.0), (2, 1700.0)])


@pytest.mark.parametrize(
    ("players", "games", "rules", "error", "said"),
    [
        (("id long", [(1,)]), GAMES, "fide", SizeError,
         "players need a column 'rating'; the columns are: id"),
        (PLAYERS, ("white long, black long", [(1, 2)]), "fide", SizeError,
         "games need a column 'result'; the columns are: white, black"),
        (("id long, rating double, new double", [(1, 1800.0, 1810.0)]), GAMES, "fide", SizeError,
         "players are what a period gave: give no more than id, rating, played, age and peak"),
        (PLAYERS, GAMES, "fidee", OptionError, "rules must be one of"),
        (PLAYERS, GAMES, "us-chess", OptionError,
         "under us-chess-2025-01 the games of a period do not stand alone"),
        (("id double, rating double", [(1.0, 1800.0)]), GAMES, "fide", DomainError,
         "ids are whole numbers or texts, got double @ column 'id' of players"),
        (PLAYERS, ("white long, black string, result double", []), "fide", DomainError,
         "ids of two types @ columns 'white' and 'black' of games"),
        (("id string, rating double", []), GAMES, "fide", DomainError,
         "players of games are bigint, but ids of players are string"),
        (("id long, rating string", [(1, "1800")]), GAMES, "fide", DomainError,
         "numbers are needed, got string @ column 'rating' of players"),
        (PLAYERS, ("white long, black long, result string", []), "fide", DomainError,
         "numbers are needed, got string @ column 'result' of games"),
        ((PLAYERS[0], [(1, 1800.0), (None, 1700.0), (None, 1700.0)]), GAMES, "fide", SizeError,
         "players without an id: 2"),
        ((PLAYERS[0], [(2, 1800.0), (3, 1.0), (2, 1700.0)]), GAMES, "fide", SizeError,
         "player 2 is there twice in players"),
        ((PLAYERS[0], [(2, float("-inf"))]), GAMES, "fide", DomainError,
         "rating must be within 1,000,000 points of 0, got -inf @ player 2"),
        (("id string, rating int, k int", [("Bo", 1, -20)]),
         ("white string, black string, result int", []), "fide", DomainError,
         "K must not be below 0, got -20 @ player 'Bo'"),
        (("id long, rating int, played int, age int", [(1, 1, 0, 9), (2, 1, None, -1)]), GAMES,
         "fide", DomainError, "age must not be below 0, got -1 @ player 2"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_period_is_refused(
    players: tuple[str, list[Any]], games: tuple[str, list[Any]], rules: str,
    error: type[EloError], said: str, spark: Any,
) -> None:  # fmt: skip
    given, of_games = (spark.createDataFrame(rows, schema) for schema, rows in (players, games))
    with pytest.raises(error, match=re.escape(said)):
        elo_xl.spark.rate_period(of_games, given, rules)


def test_a_sweep_is_the_same_on_spark(spark: Any) -> None:
    games = pd.DataFrame(some_games(5, 40, 2000))
    grid: dict[str, Any] = {"k": np.linspace(2, 60, 20), "home": [0, 30], "draw": [0.7, 1]}
    here = elo.sweep(games, **grid)
    there = elo.sweep(games, **grid, tasks=elo_xl.spark.tasks(spark))
    pd.testing.assert_frame_equal(here, there)


def test_the_page_names_the_rulebooks_that_are_refused() -> None:
    page = (ROOT / "docs" / "spark.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"\*\*Rulebooks\*\*.*?\n\n", page, flags=re.DOTALL)
    books = {name for name in elo.rulebooks if why_not(rulebook(name))}
    refused = {re.sub(r"-\d{4}-\d\d$", "", name) for name in books}
    assert refused == set(re.findall(r"`([^`]+)`", said))


def test_the_page_s_code_runs(spark: Any, tmp_path: Path) -> None:
    players, games = some_players(6, 50), some_games(7, 50, 2000)
    stored(spark, tmp_path, "players", players)
    stored(spark, tmp_path, "games", {**games, "period": np.arange(2000) // 1000})
    page = (ROOT / "docs" / "spark.md").read_text(encoding="utf-8")
    scope: dict[str, Any] = {}
    for code in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL):
        exec(re.sub(r'parquet\((f?)"', rf'parquet(\1"{tmp_path}/', code), scope)
    before, done = pd.DataFrame(players), []
    for part in (slice(0, 1000), slice(1000, 2000)):
        some = pd.DataFrame({name: column[part] for name, column in games.items()})
        done.append(elo.rate_period(some, before.rename(columns={"id": "name"})))
        reached = before[["peak", "rating"]].max(axis=1)
        before["rating"] = done[-1]["new"].to_numpy()
        before["peak"] = np.fmax(reached, before["rating"])
        before["played"] += done[-1]["period_games"].to_numpy()
    for period, expected in enumerate(done):
        actual = pd.read_parquet(tmp_path / f"rated-{period}").set_index("id")["new"]
        np.testing.assert_array_equal(expected["new"], actual.loc[expected["name"]])
    assert 24 == len(scope["table"])
