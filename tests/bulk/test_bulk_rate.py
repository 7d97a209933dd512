"""``elo-xl rate`` with long files, through every door: the numbers of ``elo.rate_period``, whole or
not at all."""

from __future__ import annotations

import csv
import datetime
import gzip
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import duckdb
import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import elo_xl as elo
from elo_xl.cli import cli
from elo_xl.languages import CODES
from tests.support.levels import cases
from tests.support.lint import problems

pytestmark = pytest.mark.slow

SIZE, GAMES, MONTHS = 400, 10_000, 4
COLUMNS = ("rating", "new", "games", "score", "expected", "change")


@pytest.fixture(scope="module")
def event():
    """Players and games as plain columns: names, months in order, results."""
    rng = np.random.default_rng(11)
    rating = rng.normal(1950, 320, SIZE).round()
    rating[::17] = np.nan
    players = {
        "id": (1000 + 7 * rng.permutation(SIZE)).tolist(),
        "name": [f"Player {i}" for i in range(SIZE)],
        "rating": [None if np.isnan(x) else x for x in rating.tolist()],
        "games": rng.integers(0, 60, SIZE).tolist(),
        "age": rng.integers(10, 60, SIZE).tolist(),
    }
    white = rng.integers(0, SIZE, GAMES)
    black = (white + rng.integers(1, SIZE, GAMES)) % SIZE
    period = np.sort(rng.integers(0, MONTHS, GAMES))
    days = [datetime.date(2024, 3 + int(p), int(d)) for p, d in
            zip(period, rng.integers(1, 29, GAMES), strict=True)]  # fmt: skip
    result = rng.integers(0, 3, GAMES) / 2
    return {"players": players, "white": white, "black": black, "result": result,
            "period": period, "days": days}  # fmt: skip


@pytest.fixture(scope="module")
def expected(event):
    """The sums over all periods, by ``elo.rate_period``, month after month."""
    players = {name: list(column) for name, column in event["players"].items()}
    players["played"] = players.pop("games")
    before = list(players["rating"])
    total = {name: np.zeros(SIZE) for name in ("games", "score", "expected", "change")}
    known = np.ones(SIZE, bool)
    peak = np.array([np.nan if x is None else x for x in before])
    for number in range(MONTHS):
        own = event["period"] == number
        names = np.array(players["name"])
        games = {
            "white": names[event["white"][own]].tolist(),
            "black": names[event["black"][own]].tolist(),
            "result": event["result"][own].tolist(),
        }
        done = elo.rate_period(games, players | {"peak": peak.tolist()}, rules="fide-2024-03")
        for name, column in total.items():
            column_of = {"games": "period_games"}.get(name, name)
            more = np.array([0 if x is None else x for x in done[column_of]])
            column += more
        known &= np.array([x is not None for x in done["expected"]])
        new = np.array([np.nan if x is None else x for x in done["new"]])
        players["rating"] = done["new"]
        more = np.array(done["period_games"])
        players["played"] = (np.array(players["played"]) + more).tolist()
        peak = np.fmax(peak, new)
    for name in ("expected", "change"):
        total[name][~known] = np.nan
    rating = np.array([np.nan if x is None else x for x in before])
    return {"rating": rating, "new": new} | total


def write_players(folder, event, ending="parquet"):
    target = folder / f"players.{ending}"
    table = pa.table(event["players"])
    if ending == "parquet":
        pq.write_table(table, target)
    else:
        with open(target, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(table.column_names)
            writer.writerows(zip(*event["players"].values(), strict=True))
    return target


def games_table(event, kind="ids", *, shuffled=False):
    """Games with periods and ids, or with days and names."""
    order = np.random.default_rng(5).permutation(GAMES) if shuffled else np.arange(GAMES)
    key = np.array(event["players"]["id" if kind == "ids" else "name"])
    results = event["result"][order]
    columns = {"white": key[event["white"][order]], "black": key[event["black"][order]]}
    if kind == "ids":
        return pa.table({"period": event["period"][order], **columns, "result": results})
    texts = np.array(["0-1", "½-½", "1-0"])[(2 * results).astype(int)]
    return pa.table({"date": [event["days"][i] for i in order], **columns, "result": texts})


def as_parquet(folder, table):
    target = folder / "games.parquet"
    pq.write_table(table, target, row_group_size=900)
    return target


def as_folder(folder, table):
    target = folder / "games"
    target.mkdir()
    for number, start in enumerate(range(0, GAMES, 777)):
        # 10 comes after 9, though not by the letters
        pq.write_table(table.slice(start, 777), target / f"part {number}.parquet")
    return target


def as_csv(folder, table):
    target = folder / "games.csv"
    with open(target, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(table.column_names)
        writer.writerows(zip(*table.to_pydict().values(), strict=True))
    return target


def as_gz(folder, table):
    target = folder / "games.csv.gz"
    target.write_bytes(gzip.compress(as_csv(folder, table).read_bytes()))
    return target


def as_duckdb(folder, table, name="games"):
    target = folder / "games.duckdb"
    with duckdb.connect(str(target)) as base:
        base.register("given", table)
        base.execute(f"CREATE TABLE {name} AS FROM given")
        base.execute("CREATE TABLE others (x INT)")
    return target


def as_sqlite(folder, table, name="games"):
    target = folder / "games.sqlite"
    base = sqlite3.connect(target)
    base.execute(f"CREATE TABLE {name} ({', '.join(table.column_names)})")
    rows = zip(*([str(x) for x in column] for column in table.to_pydict().values()), strict=True)
    base.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * table.num_columns)})", rows)
    base.commit()
    base.close()
    return target


def run(*words, fails=0):
    done = CliRunner().invoke(cli, ["rate", *map(str, words)], catch_exceptions=True)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        assert fails == 1, done.exception
        return str(done.exception)
    assert done.exit_code == fails, done.output
    return done.output


def same(output, expected, event):
    made = pq.read_table(output)
    assert made.column_names == ["id", *COLUMNS]
    assert made["id"].to_pylist() == event["players"]["id"]
    for name in COLUMNS:
        numbers = made[name].to_numpy().astype(float)
        # to the last hundredth, and further: only sums over periods are not exact in binary
        np.testing.assert_allclose(numbers, expected[name], rtol=0, atol=1e-9, err_msg=name)


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def as_arrow(folder, table, made=pa.ipc.new_file):
    target = folder / "games.arrow"
    with pa.OSFile(str(target), "wb") as file, made(file, table.schema) as stream:
        stream.write_table(table, 1000)
    return target


def as_stream(folder, table):
    return as_arrow(folder, table, pa.ipc.new_stream)


@pytest.mark.parametrize("write", [as_arrow, as_stream])
def test_texts_outside_of_an_arrow_file_are_refused(write, tmp_path):
    """DuckDB would end the process."""
    columns = {"white": ["Ann", "Bob"], "black": ["Cy", "Di"], "result": ["1-0", "0-1"]}
    games, players = write(tmp_path, pa.table(columns)), tmp_path / "players.csv"
    players.write_text("id,rating\nAnn,1500\nBob,1500\nCy,1500\nDi,1500\n")
    ends, content = np.array([0, 3, 6], np.int32).tobytes(), games.read_bytes()
    assert content.count(ends) == 2  # of "white" and of "result"
    games.write_bytes(content.replace(ends, np.array([0, 3, 2**30], np.int32).tobytes()))
    said = run(games, "--players", players, "-o", tmp_path / "out.csv", fails=1)
    assert "Offset invariant failure" in said
    assert left(tmp_path) == ["games.arrow", "players.csv"]


DOORS = [as_parquet, as_folder, as_csv, as_duckdb, as_sqlite, as_stream, as_arrow]


@pytest.mark.parametrize("kind", ["ids", "names"])
@pytest.mark.parametrize("door", DOORS)
def test_every_door_gives_the_numbers_of_one_table(door, kind, event, expected, tmp_path):
    games = door(tmp_path, games_table(event, kind))
    players = write_players(tmp_path, event, "csv" if door is as_csv else "parquet")
    output = tmp_path / "out.parquet"
    by = [] if kind == "ids" else ["--period", "month"]
    said = run(games, "--players", players, "--rules", "fide-2024-03", *by, "-o", output)
    assert "10,000 games of 400 players in 4 periods" in said
    same(output, expected, event)
    assert {"out-periods", "out.parquet"} <= set(left(tmp_path))
    assert "out-partial" not in left(tmp_path)
    assert "out-unread.csv" not in left(tmp_path)
    history = pq.read_table(tmp_path / "out-periods")
    assert history.num_rows == MONTHS * SIZE
    if by:
        assert set(history["period"].to_pylist()) == {"2024-03", "2024-04", "2024-05", "2024-06"}


def test_a_name_that_looks_like_a_formula_stays_a_text(tmp_path):
    (tmp_path / "games.csv").write_text("white,black,result\n=1+1,Bo,1\n")
    (tmp_path / "players.csv").write_text("name,rating\n=1+1,1500\nBo,1500\n")
    output = tmp_path / "out.csv"
    run(tmp_path / "games.csv", "--players", tmp_path / "players.csv", "-o", output)
    with open(output, newline="") as file:
        assert ["'=1+1", "Bo"] == [row["name"] for row in csv.DictReader(file)]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_two_columns_of_one_name_are_refused(ending, tmp_path):
    games, players = tmp_path / f"games.{ending}", tmp_path / "players.csv"
    players.write_text("name,rating\nAna,1500\nBo,1500\n")
    if ending == "csv":
        games.write_text("white,black,result,result\nAna,Bo,1,0\n")
    else:
        pq.write_table(pa.table([["Ana"], ["Bo"], [1], [0]],
                                names=["white", "black", "result", "result"]), games)  # fmt: skip
    wrong = run(games, "--players", players, "-o", tmp_path / "out.parquet", fails=1)
    assert "two columns are called 'result' @" in wrong


def test_days_put_games_in_order(event, expected, tmp_path):
    games = as_parquet(tmp_path, games_table(event, "names", shuffled=True))
    players = write_players(tmp_path, event)
    output = tmp_path / "out.csv"
    run(games, "--players", players, "--rules", "fide-2024-03", "--period", "month", "-o", output)
    with open(output, newline="") as file:
        new = [float(row["new"] or "nan") for row in csv.DictReader(file)]
    np.testing.assert_array_equal(new, expected["new"])


@pytest.mark.parametrize("system", ["elo", "glicko2"])
def test_systems_carry_ratings_as_one_table_does(system, event, tmp_path):
    games = as_parquet(tmp_path, games_table(event))
    players = write_players(tmp_path, event)
    output = tmp_path / "out.parquet"
    run(games, "--players", players, "--system", system, "-o", output)
    names = np.array(event["players"]["name"])
    table = {
        "white": names[event["white"]].tolist(),
        "black": names[event["black"]].tolist(),
        "result": event["result"].tolist(),
        "period": event["period"].tolist(),
    }
    players = {name: event["players"][name] for name in ("name", "rating")} | {"played": [0] * SIZE}
    one = {"elo": elo.Elo(), "glicko2": elo.Glicko2()}[system].rate(table, players).players
    made = pq.read_table(output)
    np.testing.assert_allclose(made["new"].to_numpy(), one["rating"], rtol=1e-12)
    assert made["games"].to_pylist() == list(one["played"])


@pytest.mark.parametrize("door", [as_parquet, as_csv])
@pytest.mark.parametrize("numbered", [True, False])
def test_days_alone_tell_the_edition(door, numbered, event, tmp_path):
    days = [day.replace(day=28, month=day.month - 1) for day in event["days"]]
    table = games_table(event).append_column("date", pa.array(days))
    games = door(tmp_path, table if numbered else table.drop_columns("period"))
    players = write_players(tmp_path, event)
    said = run(games, "--players", players, "-o", tmp_path / "out.parquet")
    if numbered:  # the games of the first period are of February 2024
        assert "Rules: fide-2022-01, fide-2024-03\n" in said
        return
    assert "Rules: fide-2022-01\n" in said
    words = ["--players", players, "--rules", "fide-2022-01", "-o", tmp_path / "named.parquet"]
    run(games, *words)
    assert (tmp_path / "named.parquet").read_bytes() == (tmp_path / "out.parquet").read_bytes()


def test_whoever_had_no_rating_has_no_change_but_a_new_rating(event, tmp_path):
    games, players = as_parquet(tmp_path, games_table(event)), write_players(tmp_path, event)
    run(games, "--players", players, "--system", "elo", "-o", tmp_path / "out.parquet")
    made = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert sum(row["rating"] is None for row in made) == len(range(0, SIZE, 17))
    for row in made:
        if row["rating"] is None:
            assert row["change"] is None
        else:
            assert row["change"] == pytest.approx(row["new"] - row["rating"], abs=1e-9)


# -- what fits a sheet ----------------------------------------------------------------------------


@pytest.mark.parametrize("lang", cases(CODES, test=("en", "ru")))
@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_the_highest_ratings_of_a_federation_are_a_sheet(lang, ending, event, expected, tmp_path):
    federations = np.array([["ESP", "RUS", None][i % 3] for i in range(SIZE)], object)
    players = event["players"] | {"federation": federations.tolist()}
    players["name"] = [f"={name}" for name in players["name"]]
    file = write_players(tmp_path, {"players": players}, ending)
    games = as_parquet(tmp_path, games_table(event))
    words = [games, "--players", file, "--rules", "fide-2024-03", "--lang", lang]
    said = run(*words, "--top", 30, "--federation", "ESP", "-o", tmp_path / "list.xlsx")
    rated = (federations == "ESP") & ~np.isnan(expected["new"])
    assert re.search(rf"list\.xlsx, 30 \w+ \w+ {rated.sum()}\n", said)
    assert (tmp_path / "list.parquet").exists()
    assert problems(tmp_path / "list.xlsx") == []
    (sheet,) = openpyxl.load_workbook(tmp_path / "list.xlsx").worksheets
    rows = [row for row in sheet.iter_rows(values_only=True) if isinstance(row[0], int)]
    assert [row[0] for row in rows] == list(range(1, 31))
    order = np.argsort(-np.where(rated, expected["new"], -np.inf), kind="stable")[:30]
    assert [row[1] for row in rows] == [players["id"][i] for i in order]
    assert [row[3] for row in rows] == [players["name"][i] for i in order]
    assert [row[4] for row in rows] == expected["new"][order].tolist()
    before = [None if np.isnan(x) else x for x in expected["rating"][order].tolist()]
    assert [row[6] for row in rows] == before
    # what stands there: over four months the changes before rounding come to something else
    after = [row[4] for row in rows]
    changes = [None if a is None else b - a for a, b in zip(before, after, strict=True)]
    assert [row[5] for row in rows] == changes
    said_above = [str(row[0]) for row in sheet.iter_rows(max_row=6, values_only=True) if row[0]]
    assert said_above == [text.strip() for text in said_above]
    result = [tmp_path / "list.parquet", "-o", tmp_path / "list.xlsx", "--force"]
    said = run(*result)
    all_of_them = (~np.isnan(expected["new"])).sum()
    assert re.search(rf"list\.xlsx, {all_of_them} \w+ \w+ {all_of_them}\n", said)
    said = run(*result, "--federation", "XYZ", fails=1)
    assert "'XYZ'" in said


def test_the_change_on_a_sheet_is_the_difference_of_the_ratings_beside_it(tmp_path):
    """1800.006 and 1807.2046 are 1800.01 and 1807.20 there: 7.19, and not 7.20."""
    players, games = tmp_path / "players.csv", tmp_path / "games.parquet"
    players.write_text("id,rating\n1,1800.006\n2,1700\n")
    pq.write_table(pa.table({"white": [1], "black": [2], "result": [1]}), games)
    output = tmp_path / "list.xlsx"
    run(games, "--players", players, "--rules", "logistic", "--k", 20, "-o", output)
    rows = openpyxl.load_workbook(output).worksheets[0].iter_rows(values_only=True)
    assert [[1807.2, 7.19, 1800.01]] == [[*row[3:6]] for row in rows if row[0] == 1]


def test_0_is_unrated(event, expected, tmp_path):
    games = as_parquet(tmp_path, games_table(event))
    rating = [0 if x is None else x for x in event["players"]["rating"]]
    players = write_players(tmp_path, {"players": event["players"] | {"rating": rating}})
    run(games, "--players", players, "--rules", "fide-2024-03", "-o", tmp_path / "out.parquet")
    same(tmp_path / "out.parquet", expected, event)


def test_a_result_gives_the_lists_of_many_federations(event, tmp_path):
    federations = {"federation": [["ESP", "FRA"][i % 2] for i in range(SIZE)]}
    players = write_players(tmp_path, {"players": event["players"] | federations})
    games = as_parquet(tmp_path, games_table(event))
    result = tmp_path / "ratings.parquet"
    run(games, "--players", players, "--rules", "fide-2024-03", "-o", result)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    games.unlink()
    del before[games]
    for federation in ("ESP", "FRA"):
        book = tmp_path / f"{federation}.xlsx"
        said = run(result, "--federation", federation, "--top", 9, "-o", book)
        assert f"{federation}.xlsx, 9 players of" in said
        assert "games a second" not in said
        (sheet,) = openpyxl.load_workbook(book).worksheets
        ids = [row[1] for row in sheet.iter_rows(values_only=True) if isinstance(row[0], int)]
        own = set(event["players"]["id"][federation == "FRA" :: 2])
        assert len(ids) == 9
        assert set(ids) <= own
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    assert "already exists" in run(result, "-o", tmp_path / "ESP.xlsx", fails=2)
    assert "-o list.xlsx" in run(result, "-o", tmp_path / "more.parquet", fails=2)
    assert "--k: not for" in run(result, "--k", 10, "-o", tmp_path / "more.xlsx", fails=2)
    moved = players.rename(tmp_path / "people.parquet")
    assert "--players says where" in run(result, "-o", tmp_path / "more.xlsx", fails=1)
    run(result, "--players", moved, "-o", tmp_path / "moved.xlsx")
    # players in another order are others
    others = {name: column[::-1] for name, column in event["players"].items()}
    write_players(tmp_path, {"players": others | federations})
    said = run(result, "-o", tmp_path / "more.xlsx", fails=1)
    assert f"not the players of {result} @ {players}" in said
    assert not (tmp_path / "more.xlsx").exists()


def test_force_for_a_workbook_replaces_no_other_result(event, tmp_path):
    games = as_parquet(tmp_path, games_table(event))
    words = [games, "--players", write_players(tmp_path, event), "-o", tmp_path / "list.xlsx"]
    run(*words)
    before = (tmp_path / "list.parquet").read_bytes()
    said = run(*words, "--k", "10", "--force", fails=2)
    assert "list.parquet already exists: make the workbook of it, elo-xl rate " in said
    assert (tmp_path / "list.parquet").read_bytes() == before


def test_what_the_options_of_a_sheet_are_for(event, tmp_path):
    games = as_parquet(tmp_path, games_table(event))
    players = write_players(tmp_path, event)
    output = tmp_path / "out.parquet"
    assert "workbook" in run(games, "--players", players, "--top", 3, "-o", output, fails=2)
    assert "--players" in run(games, "-o", output, fails=2)
    assert "-o ratings.parquet" in run(games, "--players", players, fails=2)
    words = [games, "--players", players, "-o", output]
    for option in (["--dry-run"], ["--json"], ["--list", "fide"], ["--kind", "rapid"]):
        assert f"{option[0]}: not for long files" in run(*words, *option, fails=2)
    for option in (["--k", "10"], ["--rules", "elo"]):
        assert f"{option[0]}: not together with --system" in run(
            *words, "--system", "elo", *option, fails=2
        )
    csv_ = as_csv(tmp_path, games_table(event).slice(0, 9))
    assert "CSV with -o ratings.parquet" in run(csv_, "--top", 3, "-o", "list.xlsx", fails=2)
    assert not output.exists()
    assert ".parquet or .csv" in run(games, "--players", players, "-o", "out.json", fails=2)
    said = run(games, "--players", players, "--federation", "ESP", "-o", tmp_path / "list.xlsx",
               fails=1)  # fmt: skip
    assert "no column 'federation'" in said
    assert not (tmp_path / "list.xlsx").exists()


# -- what cannot be read --------------------------------------------------------------------------

BAD = [
    (1000, 5, 1, "'5' is not in the list|5 is not in the list"),
    (None, 1007, 1, "no first player"),
    (1007, 1007, 0.5, "is paired with themselves"),
    (1000, 1007, 0.25, "result must be 1, 0.5 or 0, got"),
]


@pytest.mark.parametrize("door", [as_parquet, as_csv, as_sqlite])
def test_games_that_cannot_be_read_are_listed_with_the_reason(door, event, expected, tmp_path):
    white, black, result, why = zip(*BAD, strict=True)
    more = pa.table(
        {"period": [0] * 4, "white": white, "black": black, "result": result},
        schema=games_table(event).schema,
    )
    games = door(tmp_path, pa.concat_tables([more, games_table(event)]))
    if door is as_sqlite:  # a text there, as everything in this table
        base = sqlite3.connect(games)
        base.execute("UPDATE games SET white = NULL WHERE white = 'None'")
        base.commit()
        base.close()
    players = write_players(tmp_path, event)
    output = tmp_path / "out.parquet"
    said = run(games, "--players", players, "--rules", "fide-2024-03", "-o", output)
    assert "Not read: 4 games, see" in said
    same(output, expected, event)
    with open(tmp_path / "out-unread.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    first = 2 if door is as_csv else 1  # the line of a CSV file, below the headings
    assert [int(row["row"]) for row in rows] == list(range(first, first + 4))
    for row, reason in zip(rows, why, strict=True):
        assert row["file"] == str(games)
        assert any(one in row["reason"] for one in reason.split("|"))


@pytest.mark.parametrize("door", [as_parquet, as_csv])
def test_too_many_of_them_publish_nothing(door, event, tmp_path):
    table = games_table(event)
    black = table["black"].to_pylist()
    black[::50] = [3] * len(black[::50])
    games = door(tmp_path, table.set_column(2, "black", pa.array(black)))
    players = write_players(tmp_path, event)
    output = tmp_path / "out.parquet"
    said = run(games, "--players", players, "-o", output, fails=1)
    assert "games cannot be read, which is more than the share of 0.01" in said
    assert not output.exists()
    assert not (tmp_path / "out-periods").exists()
    assert "3 is not in the list" in (tmp_path / "out-unread.csv").read_text().replace("'", "")
    run(games, "--players", players, "-o", output, "--most-unread", "0.05")
    assert output.exists()


def test_a_game_whose_id_was_there_before_counts_once(event, expected, tmp_path):
    table = games_table(event).append_column("id", pa.array(range(GAMES)))
    games = as_parquet(tmp_path, pa.concat_tables([table.slice(0, 30), table.slice(0)]))
    output = tmp_path / "out.parquet"
    players = write_players(tmp_path, event)
    said = run(games, "--players", players, "--rules", "fide-2024-03", "-o", output)
    assert "Not read: 30 games" in said
    same(output, expected, event)


@pytest.mark.parametrize("door", [as_parquet, as_csv])
def test_games_that_were_not_played_need_no_mention_but_a_count(door, event, expected, tmp_path):
    table = games_table(event)
    more = table.slice(0, 7).set_column(3, "result", pa.array([None] * 7, pa.float64()))
    games = door(tmp_path, pa.concat_tables([more, table]))
    output = tmp_path / "out.parquet"
    players = write_players(tmp_path, event)
    said = run(games, "--players", players, "--rules", "fide-2024-03", "-o", output)
    assert "Not played: 7 games" in said
    assert "Not read" not in said
    same(output, expected, event)


@pytest.mark.parametrize("write", [as_parquet, as_csv, as_gz, as_duckdb, as_sqlite, as_arrow])
def test_a_name_is_no_pattern(write, tmp_path):
    """Beside each file, and in a folder beside its own, are those that fit to it as a pattern."""
    own, other = tmp_path / "d[1]", tmp_path / "d1"

    def made(name, place, columns):
        place.mkdir(exist_ok=True)
        more = ["players"] if "name" in columns and write in (as_duckdb, as_sqlite) else []
        path = write(place, pa.table(columns), *more)
        return path.rename(place / f"{name}{''.join(path.suffixes)}")

    for name in ("g[1]", "g*", "g?") if write is as_parquet else ("[g?]*",):
        for place, beside in ((own, "g1"), (own, "g2"), (other, "g1"), (other, name)):
            made(beside, place, {"white": ["Cy"], "black": ["Ann"], "result": ["1-0"]})
        games = made(name, own, {"white": ["Ann"], "black": ["Cy"], "result": ["1-0"]})
        made("g1-who", own, {"name": ["Ann", "Cy"], "rating": ["1600", "1600"]})
        players = made(f"{name}-who", own, {"name": ["Ann", "Cy"], "rating": ["1700", "1700"]})
        output = own / "[g]*.parquet"
        run(games, "--players", players, "--k", 20, "-o", output, "--force")
        assert pq.read_table(output)["new"].to_pylist() == [1710, 1690], name
    said = run(games, "--players", players, "-o", own / "?.parquet", fails=1)
    assert "let -o name another folder @ " in said or write is as_parquet


def test_a_folder_is_no_column_of_the_files_in_it(tmp_path):
    """Some programs write ``result=0/games.parquet`` for what is then in no file."""
    folder = tmp_path / "result=0"
    folder.mkdir()
    games, players = folder / "games.parquet", folder / "players.csv"
    pq.write_table(pa.table({"white": ["a"], "black": ["b"], "result": ["1-0"]}), games)
    players.write_text("id,rating\na,1500\nb,1500\n")
    run(games, "--players", players, "--k", 20, "-o", tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet")["new"].to_pylist() == [1510, 1490]


def of_table(door, change, what):
    """The games of an event, changed before they go through a door."""
    return lambda folder, event: (door(folder, change(games_table(event))), what)


def of_bytes(name, content, what):
    def make(folder, event):
        (folder / name).write_bytes(content)
        return folder / name, what

    return make


def of_sqlite(what, *statements):
    def make(folder, event):
        path = folder / "games.sqlite"
        with closing(sqlite3.connect(path)) as base, base:
            for statement in statements:
                base.execute(statement)
        return path, what

    return make


def of_damage(change, what):
    """A Parquet file whose bytes are changed."""

    def make(folder, event):
        path = as_parquet(folder, games_table(event))
        path.write_bytes(change(path.read_bytes()))
        return path, what

    return make


def turned(table):
    return pa.concat_tables([table.slice(5000), table.slice(0, 5000)])


def without_games(table):
    return table.slice(0, 0)


def ragged(folder, event):
    path = as_csv(folder, games_table(event).slice(0, 20))
    lines = path.read_text().splitlines()
    lines[2] = "0,1000,1007"
    lines[7] += ",1,2"
    path.write_text("\n".join(lines))
    return path, "line 3: too few columns, '0,1000,1007'; line 8: too many columns, '"


def duckdb_generated(folder, event):
    path = folder / "games.duckdb"
    with duckdb.connect(str(path)) as base:
        column = "result VARCHAR AS (md5(repeat(white, 2)))"
        base.execute(f"CREATE TABLE games (white VARCHAR, black VARCHAR, {column})")
        base.execute("INSERT INTO games VALUES ('a', 'b')")
    return path, "table 'games' has columns that are computed, which may have no end: copy it"


def damaged_schema(folder, event):
    path, what = of_sqlite("decode", TABLE, GAME)(folder, event)
    path.write_bytes(path.read_bytes().replace(b"games", b"g\xffmes"))
    return path, what


TABLE, GAME = (
    "CREATE TABLE games (white, black, result)",
    "INSERT INTO games (white, black) VALUES ('a', 'b')",
)
NO_GAMES = "there are no games @ "
WRONG = {
    "endless": of_sqlite(
        "there are: none @ ",
        "CREATE VIEW games AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
        "SELECT x AS white, x AS black, 1 AS result FROM n",
    ),
    "other letters": of_sqlite(
        "Could not decode to UTF-8 column 'white' with text 'M",
        *(TABLE, GAME, "UPDATE games SET white = CAST(x'4dfc6c6c6572' AS TEXT)"),
    ),
    "damaged schema": damaged_schema,
    "virtual": of_sqlite("no table 'gam", "CREATE VIRTUAL TABLE games USING fts5(white)"),
    "generated": of_sqlite(
        "no column 'result'; the columns are: white, black @ ",
        "CREATE TABLE games (white, black, result AS (hex(zeroblob(400000000))))",
        GAME,
    ),
    "long cell": of_sqlite(
        "string or blob too big @ ", TABLE, GAME, "UPDATE games SET result = zeroblob(10000001)"
    ),
    # a column's default stands in the file once: 1 MB becomes 1 GB
    "bomb": of_sqlite(
        "it gives more than a file of its size can hold @ ",
        *(TABLE, *1000 * [GAME]),
        f"ALTER TABLE games ADD COLUMN remark DEFAULT '{'x' * 1_000_000}'",
    ),
    "DuckDB, generated": duckdb_generated,
    "cut off": of_damage(lambda x: x[:-2000], "Parquet magic bytes not found in footer"),
    "damaged": of_damage(lambda x: x[: len(x) // 2] + bytes(4000) + x[len(x) // 2 + 4000 :], "@ "),
    "no column": of_table(
        as_parquet,
        lambda table: table.drop_columns("black"),
        "no column 'black'; the columns are: period, white, result @ ",
    ),
    "turned": of_table(as_parquet, turned, "period 0 comes after period 3, in row 5001 @ "),
    "turned, CSV": of_table(as_csv, turned, "period 0 comes after period 3, in line 5002 @ "),
    "no bytes, CSV": of_bytes("games.csv", b"", "the file is empty @ "),
    "no bytes": of_bytes("games.parquet", b"", "neither Parquet nor CSV"),
    "no days": of_table(
        as_csv, lambda table: table, "no column 'date', which tells the month of a game @ "
    ),
    "strange": of_bytes("games.sqlite", b"SQLite format 3\0" + bytes(2000), "@ "),
    "no games": of_table(as_parquet, without_games, NO_GAMES),
    "no games, CSV": of_table(as_csv, without_games, NO_GAMES),
    "ragged": ragged,
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_file_is_said_and_nothing_published(wrong, event, tmp_path):
    games, what = WRONG[wrong](tmp_path, event)
    players = write_players(tmp_path, event)
    by = ["--period", "month"] if wrong == "no days" else []
    said = run(games, "--players", players, *by, "-o", tmp_path / "out.parquet", fails=1)
    assert what in said
    assert str(games) in said
    assert "Traceback" not in said
    assert "\n" not in said.strip()
    assert not {"out.parquet", "out-periods"} & set(left(tmp_path))
    assert "out-partial" not in left(tmp_path)


@pytest.mark.parametrize(
    ("date", "by"),
    [
        *((date, "month") for date in ("soon", "", "0000-05-01", "20240-05-01", "infinity")),
        *(("infinity", by) for by in ("day", "week", "quarter", "year")),
    ],
)
def test_games_without_a_day_in_the_calendar_are_listed(date, by, event, tmp_path):
    games = tmp_path / "games.csv"
    games.write_text(f"date,white,black,result\n{date},1000,1007,1\n")
    players, output = write_players(tmp_path, event), tmp_path / "out.parquet"
    words = [games, "--players", players, "--period", by, "--most-unread", 1, "-o", output]
    said = run(*words, fails=1)
    assert "of 1, 0 were not played, and 1 cannot be read" in said
    why = f"date must be as in 2026-03-07, got {date!r}" if date else "no date"
    assert (tmp_path / "out-unread.csv").read_text().rstrip().strip('"').endswith(why)
    assert left(tmp_path) == ["games.csv", "out-unread.csv", "players.parquet"]
    games.write_text(f"date,white,black,result\n{date},1000,1007,1\n2024-05-01,1000,1007,1\n")
    assert "1 game of 400 players" in run(*words)


@pytest.mark.parametrize(
    ("dates", "days"),
    [
        (("2026.03.07", "2026.04.01"), 2),
        (("7.3.2026", "1 Apr 2026"), 2),
        (("03/07/2026", "04/13/2026"), 2),  # the second tells the order of both
        (("03/07/2026", "2026-04-01"), 1),
        (("13/07/2026", "07/13/2026"), 0),
    ],
)
def test_dates_in_other_forms(dates, days, event, tmp_path):
    games = tmp_path / "games.csv"
    lines = "".join(f"{date},1000,1007,1\n" for date in dates)
    games.write_text(f"Played,white,black,result\n{lines}")
    words = [games, "--players", write_players(tmp_path, event), "--columns", "date=Played"]
    words += ["--period", "month", "--most-unread", 1, "-o", tmp_path / "out.parquet"]
    said = run(*words, fails=not days)
    assert f"{days} game{'s' * (days > 1)} of" in said if days else "2 cannot be read" in said
    if days < 2:
        unread = (tmp_path / "out-unread.csv").read_text()
        assert f"Played must be as in 2026-03-07, got '{dates[0]}'" in unread


@pytest.mark.parametrize(("change", "what"), [
    ({"id": [1] * SIZE}, "player 1 is there twice"),
    ({"id": [None] * SIZE}, "a player without id in {place}"),
    ({"rating": ["good"] * SIZE}, "rating must be a number from 1 to 4,000: good (player "),
    ({"rating": [float("inf")] * SIZE}, ", and 397 more @ "),
    ({"rating": [1500] * 7 + [99999] + [-5] * (SIZE - 8)}, "(player 8, {place8}), "),
    ({"k": [-3] + [20] * (SIZE - 1)}, "k must be a number from 0 to 100: "),
    ({"games": [-3] + [20] * (SIZE - 1)}, "games must be a number of 0 or more: "),
    ({"peak": [20000] * SIZE}, "peak must be a number from 1 to 4,000: "),
])  # fmt: skip
@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_players_that_cannot_be_read(change, what, ending, event, tmp_path):
    ids = {"id": list(range(1, SIZE + 1))}
    players = write_players(tmp_path, {"players": event["players"] | ids | change}, ending)
    games = as_parquet(tmp_path, games_table(event))
    said = run(games, "--players", players, "-o", tmp_path / "out.parquet", fails=1)
    places = ("line 2", "line 9") if ending == "csv" else ("row 1", "row 8")
    assert what.format(place=places[0], place8=places[1]) in said
    assert str(players) in said
    assert "\n" not in said.strip()
    assert "out-partial" not in left(tmp_path)


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_players_without_rows_or_ratings(ending, event, tmp_path):
    games, output = as_parquet(tmp_path, games_table(event)), tmp_path / "out.parquet"
    none: dict[str, list[int]] = {name: [] for name in event["players"]}
    players = write_players(tmp_path, {"players": none}, ending)
    assert "there are no players @" in run(games, "--players", players, "-o", output, fails=1)
    unrated = {name: column for name, column in event["players"].items() if name != "rating"}
    players = write_players(tmp_path, {"players": unrated}, ending)
    said = run(games, "--players", players, "-o", output, fails=1)
    assert "no column 'rating', which is blank for unrated players; the columns are: id, " in said


def test_what_does_not_fit_leaves_nothing(event, tmp_path, monkeypatch):
    games, players = as_parquet(tmp_path, games_table(event)), write_players(tmp_path, event, "csv")
    container = tmp_path / "memory.max"
    container.write_text(f"{300_000_000 + 2 * 220}\n")
    before, output = sorted(tmp_path.iterdir()), tmp_path / "out.parquet"
    words = [games, "--players", players, "--system", "elo", "-o", output]
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    full = subprocess.run(  # files end at 10 kB, as on a full disk
        [sys.executable, "-m", "elo_xl", "rate", *words], capture_output=True, text=True,
        check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard)),
    )  # fmt: skip
    assert 1 == full.returncode
    assert re.fullmatch("error: .*Could not write file .*: File too large\n", full.stderr)
    monkeypatch.setattr("elo_xl.bulk.rate._CONTAINER", container)
    assert "players do not fit in memory, which has room for 2 @" in run(*words, fails=1)
    assert before == sorted(tmp_path.iterdir())


@pytest.mark.parametrize(("words", "rating", "what"), [
    (["--rules", "elo"], [-50, 9000], ""),
    (["--system", "glicko"], [-50, 9000], ""),
    (["--rules", "elo"], [1e7, 0], "rating must be a number from -1,000,000 to 1,000,000"),
    (["--rules", "egf"], [-899, 3298], ""),
    (["--rules", "egf"], [-901, 3298], "rating must be a number from -900 to 3,299: -901"),
    (["--rules", "us-chess"], [4001, -5], "4001 (player a, line 2), -5 (player b, line 3)"),
])  # fmt: skip
def test_the_scale_of_ratings_is_that_of_the_rules(words, rating, what, tmp_path):
    players, games = tmp_path / "players.csv", tmp_path / "games.parquet"
    players.write_text(f"id,rating\na,{rating[0]:.0f}\nb,{rating[1]:.0f}\n")
    pq.write_table(pa.table({"white": ["a"], "black": ["b"], "result": [1]}), games)
    words = [games, "--players", players, *words, "-o", tmp_path / "out.parquet"]
    assert what in run(*words, fails=1 if what else 0)


@pytest.mark.parametrize("line", ["3,Cy", "3,Cy,1700,x"])
def test_a_line_of_players_that_is_not_as_wide_as_the_headings(line, event, tmp_path):
    players = tmp_path / "players.csv"
    players.write_text(f"id,name,rating\n1,Ann,1500\n{line}\n")
    games = as_parquet(tmp_path, games_table(event))
    said = run(games, "--players", players, "-o", tmp_path / "out.parquet", fails=1)
    assert f"line 3: too {'many' if 'x' in line else 'few'} columns, {line!r} @ {players}" in said


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv_as_programs_write_it(mark, end, tmp_path):
    players, games = tmp_path / "players.csv", tmp_path / "games.csv.gz"
    rows = [["ID", "name", "rating"], ["1", f'"A{mark} B"', "1800"], ["2", '"C ""D"""', "1800"]]
    players.write_bytes(end.join(map(mark.join, rows)).encode("utf-8-sig"))
    rows = [["white", "", "black", "result", ""], [f'"A{mark} B"', "x", '"C ""D"""', "1-0", "y"]]
    games.write_bytes(gzip.compress(end.join(map(mark.join, rows)).encode()))
    run(games, "--players", players, "--k", 20, "-o", tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet")["new"].to_pylist() == [1810, 1790]


def test_a_result_is_replaced_only_by_force_and_never_by_its_own_games(event, tmp_path):
    games = as_parquet(tmp_path, games_table(event))
    players = write_players(tmp_path, event)
    output = tmp_path / "out.parquet"
    run(games, "--players", players, "-o", output)
    before = output.read_bytes()
    assert "already exists" in run(games, "--players", players, "-o", output, fails=2)
    run(games, "--players", players, "-o", output, "--force")
    assert output.read_bytes() == before
    run(games, "--players", players, "-o", output, "--force", "--k", "10")
    assert output.read_bytes() != before
    said = run(games, "--players", players, "-o", games, "--force", fails=2)
    assert "would replace what it is made from" in said


# -- stopped, and started again -------------------------------------------------------------------

KILLS = 5


@pytest.mark.parametrize("door", [as_parquet, as_csv])
def test_a_run_that_was_killed_does_not_show(door, event, tmp_path):
    chance = random.Random(door.__name__)
    table = games_table(event)
    many = pa.concat_tables(
        [table.set_column(0, "period", pa.array(np.full(GAMES, number))) for number in range(12)]
    )
    games = door(tmp_path, many)
    players = write_players(tmp_path, event)
    whole = tmp_path / "whole.parquet"
    run(games, "--players", players, "-o", whole)
    result, trail = whole.read_bytes(), bits_of(tmp_path / "whole-periods")
    output, periods = tmp_path / "out.parquet", tmp_path / "out-periods"
    words = [sys.executable, "-c", CHILD, str(games), str(players), str(output)]
    killed = 0
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as runs:
        assert runs.stdin is not None
        assert runs.stdout is not None
        while killed < KILLS:
            print("once more", file=runs.stdin, flush=True)
            child = int(runs.stdout.readline())
            time.sleep(chance.random() * 0.5)
            os.kill(child, signal.SIGKILL)  # whose number is nobody else's before the next line
            print("what ended it?", file=runs.stdin, flush=True)
            killed += int(runs.stdout.readline()) == signal.SIGKILL
            if output.exists():  # from now on it begins anew
                assert output.read_bytes() == result
                assert bits_of(periods) == trail
                output.unlink()
                shutil.rmtree(periods)
        runs.stdin.close()
    run(games, "--players", players, "-o", output)
    assert output.read_bytes() == result
    assert bits_of(periods) == trail
    assert not [name for name in left(tmp_path) if name.startswith(".")]


CHILD = """
import os, sys
from pathlib import Path
from elo_xl.bulk.request import Request
import duckdb
from elo_xl.bulk.reading import pyarrow
from elo_xl.bulk.rate import rate_files
pyarrow()
games, players, output = map(Path, sys.argv[1:])
for line in sys.stdin:
    child = os.fork()  # which takes no time, as a new Python and its imports do
    if not child:
        rate_files(Request((games,), players, output))
        os._exit(0)
    print(child, flush=True)
    sys.stdin.readline()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) * -1, flush=True)
"""
"""What rates in a new process for every line that it is given; it says which, and what ended it."""


def bits_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".parquet"}


def test_a_folder_that_is_not_ours_stays(event, tmp_path):
    games = as_parquet(tmp_path, games_table(event))
    players = write_players(tmp_path, event)
    output, folder = tmp_path / "out.parquet", tmp_path / "out-partial"
    folder.mkdir()
    other = folder / "letter.txt"
    other.write_text("not ours")
    assert "not one of a run" in run(games, "--players", players, "-o", output, fails=1)
    assert other.exists()


def test_columns_that_would_count_under_another_name_are_told(tmp_path):
    players, games = tmp_path / "players.csv", tmp_path / "games.csv"
    players.write_text("name,rating,K-Faktor,B-day,Titel\nAna,1800,10,2015,\nBo,1700,10,2001,\n")
    games.write_text("white,black,result,Datum,Ort\nAna,Bo,1,2026-03-07,\n")
    how = ("--players", players, "-o", tmp_path / "out.csv", "--force")
    told = "Columns not read, for they need another name: 'K-Faktor' (as k), 'B-day' (as age)"
    assert f"{told}, 'Datum' (as date)\n" in run(games, *how)
    assert f"{told}\n" in run(games, *how, "--columns", "date=Datum")


def test_names_in_another_spelling_are_told(tmp_path):
    players, games = tmp_path / "players.csv", tmp_path / "games.csv"
    players.write_text('name,rating\n"Müller, Jürgen",1800\nAna,1700\n', "utf-8")
    rows = 'Ana,Jurgen Muller,1\nAna,"muller, jürgen",1\nAna,Zoë,1\n'
    games.write_text('white,black,result\nAna,"MÜLLER , Jürgen",1\n' + rows, "utf-8")
    said = run(games, "--players", players, "-o", tmp_path / "out.csv", "--most-unread", 1)
    assert "Not read: 3 games, see" in said
    names = "2 names: 'Jurgen Muller', 'muller, jürgen'"
    assert f"Not matched to players with another spelling: {names}\n" in said
