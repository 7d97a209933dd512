"""Millions of games from Parquet files, beside what else one would take; one process each.

The plain loop over batches is the limit: pyarrow reads, NumPy looks both ratings and the table up
and adds each game to both players; it checks nothing, and gives nothing but the changes. Polars and
DuckDB join the ratings, with the logistic curve, which costs them less than a table. All have the
same files, of a single period. Memory is the peak of the whole process.
Seconds of the clock are the best of some runs; seconds of the processor, of all cores together, are
beside them, for on a busy machine only these say what a game costs.

The whole command, from its start to the file of ratings, is beside a script that reads, computes
the logistic curve and writes the new ratings, without any check.

The statement of a period for databases is beside DuckDB's own sums of the same rows, under the same
curve and under FIDE's rules.

``--full`` takes twenty million games of two million players, ten times as many; ``--large`` a
hundred million games, and a gigabyte of disk.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

FILES, BLOCK = 24, 1 << 16
SIZES = {"": (2_000_000, 200_000), "--full": (20_000_000, 2_000_000),
         "--large": (100_000_000, 2_000_000)}  # fmt: skip
"""games and players"""
FEWER = 10
"""What part of the games shows whether a game costs as much among few as among many."""
LIMIT_MB, LIMIT_TIMES, LIMIT_QUERY, FLAT = 250, 2, 2, 0.1


def write(folder: Path, games: int, players: int) -> None:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(1)
    folder.mkdir()
    (folder / "games").mkdir()
    # nobody above 2600, where FIDE's rules are others and the plain loop would not know it
    rating = rng.normal(1700, 250, players).clip(1000, 2600).round()
    table = pa.table({"id": np.arange(players), "rating": rating, "k": np.full(players, 20.0)})
    pq.write_table(table, folder / "players.parquet")
    for number in range(FILES):
        size = games // FILES + (number < games % FILES)
        white = rng.integers(0, players, size, dtype=np.int32)
        black = (white + rng.integers(1, players, size, dtype=np.int32)) % players
        columns = {"white": white, "black": black, "result": rng.integers(0, 3, size) / 2}
        pq.write_table(pa.table(columns), folder / "games" / f"{number}.parquet")


Outcome = tuple[float, float, float]
"""seconds of the clock and of the processor for the games alone, and the sum of some changes"""


def ours(folder: Path) -> Outcome:
    import pyarrow.parquet as pq

    from elo_xl.bulk.rate import Run, rate_files
    from elo_xl.bulk.request import Request

    spent = []

    def timed(name: str, sign: int) -> None:
        work = getattr(Run, name)

        def run(*given: Any) -> Any:
            begun = time.process_time()
            result = work(*given)
            spent.append(sign * (time.process_time() - begun))
            return result

        setattr(Run, name, run)

    timed("run", 1)
    timed("_close", -1)  # what is written after a period is the players, not the games
    output = folder / "out.parquet"
    report = rate_files(Request((folder / "games",), folder / "players.parquet", output))
    with pq.ParquetFile(output) as file:
        # not the change: with so many games K is lowered, of which the plain loop knows nothing
        some = next(file.iter_batches(1000, columns=["score", "expected"])).columns
        gained = some[0].to_numpy() - some[1].to_numpy()
    return report.games / report.speed, sum(spent), float(abs(20 * gained).sum())


def plain(folder: Path) -> Outcome:
    import numpy as np
    import pyarrow.parquet as pq

    from elo_xl.engine.models import hundredths_by_difference

    rating = pq.read_table(folder / "players.parquet", columns=["rating"])["rating"].to_numpy()
    table, change = hundredths_by_difference(), np.zeros(rating.size)
    start, cpu = time.perf_counter(), time.process_time()
    for path in sorted((folder / "games").iterdir()):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(BLOCK):
                one, two, score = (column.to_numpy() for column in batch.columns)
                ahead = np.clip(rating[one] - rating[two], -400, 400).astype(np.int64)
                gain = 100 * score - table[ahead]
                np.add.at(change, one, gain)
                np.subtract.at(change, two, gain)
    seconds = time.perf_counter() - start
    return seconds, time.process_time() - cpu, float(abs(20 * change / 100)[:1000].sum())


def command(folder: Path) -> Outcome:
    """The whole process, with all that it loads."""
    import contextlib
    import io

    import pyarrow.parquet as pq

    from elo_xl.cli import cli

    output = folder / "out-logistic.parquet"
    words = ["rate", folder / "games", "--players", folder / "players.parquet",
             "--rules", "logistic", "-o", output]  # fmt: skip
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        cli([str(word) for word in words], standalone_mode=False)
    seconds, cpu = time.perf_counter() - start, time.process_time()
    with pq.ParquetFile(output) as file:
        some = next(file.iter_batches(1000, columns=["change"]))["change"].to_numpy()
    return seconds, cpu, float(abs(some).sum())


def script(folder: Path) -> Outcome:
    """What one writes without us: the new ratings, and no check."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    start = time.perf_counter()
    players = pq.read_table(folder / "players.parquet", columns=["id", "rating", "k"])
    rating, change = players["rating"].to_numpy(), np.zeros(players.num_rows)
    for path in sorted((folder / "games").iterdir()):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(BLOCK):
                one, two, score = (column.to_numpy() for column in batch.columns)
                gain = score - 1 / (1 + 10 ** ((rating[two] - rating[one]) / 400))
                np.add.at(change, one, gain)
                np.subtract.at(change, two, gain)
    change *= players["k"].to_numpy()
    columns = {"id": players["id"], "rating": rating, "new": rating + change, "change": change}
    pq.write_table(pa.table(columns), folder / "out-script.parquet")
    return time.perf_counter() - start, time.process_time(), float(abs(change[:1000]).sum())


def polars(folder: Path) -> Outcome:
    import polars as pl

    start, cpu = time.perf_counter(), time.process_time()
    players = pl.scan_parquet(folder / "players.parquet").select("id", "rating")
    games = pl.scan_parquet(folder / "games" / "*.parquet")
    for side in ("white", "black"):
        own = players.rename({"id": side, "rating": f"{side}_rating"})
        games = games.with_columns(pl.col(side).cast(pl.Int64)).join(own, on=side)
    ahead = (pl.col("white_rating") - pl.col("black_rating")).clip(-400, 400)
    games = games.with_columns(gain=pl.col("result") - 1 / (1 + 10 ** (-ahead / 400)))
    both = pl.concat([games.select(id="white", gain="gain"),
                      games.select(id="black", gain=-pl.col("gain"))])  # fmt: skip
    made = both.group_by("id").agg(pl.col("gain").sum() * 20).collect(engine="streaming")
    return time.perf_counter() - start, time.process_time() - cpu, float(made.height)


def duckdb(folder: Path) -> Outcome:
    import duckdb as db

    start, cpu = time.perf_counter(), time.process_time()
    made = db.sql(
        f"""
        WITH players AS (FROM read_parquet('{folder}/players.parquet')), gains AS (
            SELECT white, black, result - 1 / (1 + pow(10,
                -greatest(-400, least(400, w.rating - b.rating)) / 400)) AS gain
            FROM read_parquet('{folder}/games/*.parquet') g
            JOIN players w ON w.id = g.white JOIN players b ON b.id = g.black)
        SELECT id, 20 * sum(gain) AS change FROM (
            SELECT white AS id, gain FROM gains UNION ALL SELECT black, -gain FROM gains)
        GROUP BY id
        """
    )
    assert made is not None
    rows = made.to_arrow_table().num_rows
    return time.perf_counter() - start, time.process_time() - cpu, float(rows)


def statement(folder: Path, rules: str = "logistic") -> Outcome:
    """A period by the statement for databases, under the curve that the other query has."""
    import duckdb as db

    from elo_xl.hosts.sql.period import period

    text = period(rules)
    with db.connect() as base:
        base.execute(
            f"CREATE VIEW games AS FROM read_parquet('{folder}/games/*.parquet');"
            "CREATE VIEW players AS SELECT *, NULL AS played, NULL AS age, NULL AS peak "
            f"FROM read_parquet('{folder}/players.parquet')"
        )
        start, cpu = time.perf_counter(), time.process_time()
        rows = base.sql(text).to_arrow_table().num_rows
    return time.perf_counter() - start, time.process_time() - cpu, float(rows)


WAYS: dict[str, Callable[[Path], Outcome]] = {
    "elo_xl": ours,
    "plain": plain,
    "polars": polars,
    "duckdb": duckdb,
    "statement": statement,
    "statement, fide": partial(statement, rules="fide"),
    "command": command,
    "script": script,
}


def peak() -> float:
    """The most memory this process has had, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024 / 1e6


def start(way: str, folder: Path) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "bench.bulk", way, str(folder)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def end(child: subprocess.Popen[str]) -> dict[str, float]:
    said, _ = child.communicate()
    assert child.returncode == 0
    found: dict[str, float] = json.loads(said)
    return found


def clear(folder: Path) -> None:
    for path in folder.glob("out*"):
        for inside in path.iterdir() if path.is_dir() else ():
            inside.unlink()
        path.rmdir() if path.is_dir() else path.unlink()


def measured(ways: Iterable[str], folder: Path, repeat: int) -> dict[str, dict[str, float]]:
    """The best figures of some runs; the ways take turns, so that noise affects all alike."""
    best: dict[str, dict[str, float]] = {}
    for _ in range(repeat):
        for way in ways:
            clear(folder)
            run = end(start(way, folder))
            before = best.get(way, run)
            best[way] = {name: min(run[name], before[name]) for name in run}
    return best


def line(what: str, games: int, run: dict[str, float], beside: float | None = None) -> None:
    clock, cpu = (games / run[name] / 1e6 for name in ("seconds", "cpu"))
    speed = f"{clock:5.2f} million games/s, {cpu:5.2f} a second of processor"
    ratio = "" if beside is None else f", {beside / run['cpu']:.2f} times plain"
    print(
        f"{what:<28} {speed}{ratio}, {run['peak']:.0f} MB, {run['whole']:.1f} s in all", flush=True
    )


def main() -> None:
    option = sys.argv[1] if len(sys.argv) > 1 else ""
    games, players = SIZES[option]
    repeat, fewer = {"": 2, "--full": 3, "--large": 1}[option], games // FEWER
    with tempfile.TemporaryDirectory(dir=".") as name:
        few, many = Path(name, "few"), Path(name, "many")
        write(few, fewer, players)
        write(many, games, players)
        runs = measured(WAYS, many, repeat)
        asked, other_way = runs.pop("command"), runs.pop("script")
        times = asked["cpu"] / other_way["cpu"]
        verdict = "ok" if times <= LIMIT_TIMES else "OVER"
        print(
            f"whole command, {games:,} games of {players:,}, logistic: {times:.2f} times a plain "
            f"script  limit {LIMIT_TIMES}  {verdict}  ({asked['cpu']:.1f} s of processor against "
            f"{other_way['cpu']:.1f} s, {asked['peak']:.0f} MB against {other_way['peak']:.0f} MB)"
        )
        assert abs(asked["sum"] - other_way["sum"]) < 1e-6
        for way, run in runs.items():
            line(f"{games:,} games, {way}", games, run, runs["plain"]["cpu"])
        assert abs(runs["elo_xl"]["sum"] - runs["plain"]["sum"]) < 1e-6
        for way in ("statement", "statement, fide"):
            assert runs[way]["sum"] == players
            times = runs[way]["cpu"] / runs["duckdb"]["cpu"]
            verdict = "ok" if times <= LIMIT_QUERY else "OVER"
            print(f"the {way}, of a period of {games:,} games: {times:.2f} times DuckDB's own sums "
                  f"of the same rows  limit {LIMIT_QUERY}  {verdict}")  # fmt: skip
        peak_mb = max(runs["elo_xl"]["peak"], asked["peak"])
        limit = "ok" if peak_mb <= LIMIT_MB else "OVER"
        print(f"memory of {players:,} players: {peak_mb:.0f} MB  limit {LIMIT_MB} MB  {limit}")
        short = measured(["elo_xl"], few, repeat + 1)["elo_xl"]
        line(f"{fewer:,} games, elo_xl", fewer, short)
        cost = runs["elo_xl"]["cpu"] / games / (short["cpu"] / fewer)
        verdict = "ok" if cost <= 1 + FLAT else "OVER"
        print(
            f"cost of a game, {games:,} beside {fewer:,}: {cost:.2f}  limit {1 + FLAT}  {verdict}"
        )
        other = Path(name, "other")
        write(other, games, players)
        clear(many)
        begun = time.perf_counter()
        children = [start("elo_xl", folder) for folder in (many, other)]
        both = [end(child) for child in children]
        together = time.perf_counter() - begun
        one = sum(run["whole"] for run in both) / 2
        alone = runs["elo_xl"]["whole"]
        print(f"two pools in two processes: {together:.1f} s, one alone {alone:.1f} s: "
              f"{2 * alone / one:.2f} times as fast as one after the other")  # fmt: skip


def child(way: str, folder: Path) -> None:
    begun = time.perf_counter()
    seconds, cpu, total = WAYS[way](folder)
    whole = time.perf_counter() - begun
    print(
        json.dumps({"seconds": seconds, "cpu": cpu, "sum": total, "peak": peak(), "whole": whole})
    )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        child(sys.argv[1], Path(sys.argv[2]))
    else:
        main()
