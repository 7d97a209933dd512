"""Long files of games in, a file with everybody's rating out."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from elo_xl.bulk import files as reading
from elo_xl.bulk.files import (
    Parquet,
    arrow_of,
    numpy_of,
    open_parquet,
    parquet_writer,
    pyarrow,
    repeated,
)
from elo_xl.bulk.period import COLUMNS, Quality
from elo_xl.bulk.players import Roster, read_players
from elo_xl.bulk.prepare import Prepared, prepare
from elo_xl.bulk.request import Request
from elo_xl.bulk.run import NUMBERS, Run, writing
from elo_xl.engine.arrays import AnyArray
from elo_xl.engine.errors import RatingError
from elo_xl.engine.games import BLOCK, Index
from elo_xl.progress import tell, whole, written
from elo_xl.xlsx.cell_xml import kept_row

_SPAN: Final = 8
"""Blocks of players whose sums are added up at a time."""


@dataclass(frozen=True, slots=True)
class Report:
    """What has come out."""

    output: Path
    players: int
    periods: tuple[str, ...]
    rules: tuple[str, ...]
    """the rulebooks, or the system, of the periods"""
    resumed: int
    """periods that a run before had rated"""
    games: int
    unplayed: int
    unread: int
    unread_file: Path | None
    respelt: Sequence[str]
    """names that players have in another spelling, whose games are not read"""
    speed: float
    """games a second"""


def rate_files(request: Request) -> Report:
    """Rate all games, period after period, and write the result.

    Raises RatingError, before anything has been published, for files that cannot be read, periods
    that run backwards, and more unreadable games than are allowed.
    """
    folder = request.folder()
    try:
        roster = read_players(request.players, folder, "players", request.bounds())
        run = Run(request, folder, roster, *_games(request, roster, folder))
        if not run.rows:
            where = ", ".join(map(str, request.games))
            raise RatingError(f"there are no games @ {where}")
        resumed = run.run()
    except Exception:
        request.leave()
        raise
    tell(run.games, "games rated, writing the result")
    publish(run)
    return Report(
        request.output,
        len(roster),
        tuple(about["period"] for about in run.about),
        tuple(dict.fromkeys(about["rules"] for about in run.about)),
        resumed,
        run.games,
        run.unplayed,
        run.unread,
        request.beside("-unread.csv") if run.unread else None,
        () if run.prepared is None else run.prepared.respelt,
        run.speed,
    )


def _games(
    request: Request, roster: Roster, folder: Path
) -> tuple[Sequence[Parquet], Index, Prepared | None]:
    """The games as plain files, whose players the index finds."""
    files = reading.listed(request.games)
    if roster.by_number and request.by is None and request.system is None:
        opened: list[Parquet] = []
        for path in files:
            if reading.kind_of(path) != "parquet":
                break
            file = Parquet.opened(path, request.called)
            if not file.plain or (opened and opened[0].has_period != file.has_period):
                break
            opened.append(file)
        else:
            return opened, Index(numpy_of(roster.ids)), None
    tell(0, "games prepared")
    done = prepare(
        files,
        roster.keys(folder),
        folder,
        by=request.by,
        table=request.table,
        called=request.called,
    )
    return [done.games], Index(np.arange(len(roster))), done


def publish(run: Run) -> None:
    """Write the result, the figures of quality and what could not be read, in this order.

    The result gets its name last, when everything else has its own.
    """
    request = run.asked
    run.state.clear()
    with whole(), writing(request.output) as draft:
        _write_result(run, draft, request.output.suffix.lower() == ".csv")
        _write_quality(run)
        run.publish_unread()
        for pattern in ("prepared.json", "prepared.parquet", "_unread.csv", "_newcomers-*"):
            for left in run.folder.glob(pattern):
                left.unlink()
        shutil.rmtree(request.periods, ignore_errors=True)
        run.folder.rename(request.periods)
    written(request.output)


def _write_result(run: Run, draft: Path, as_csv: bool) -> None:
    """Everybody's rating before the first period and after the last one, and sums of all."""
    arrow = pyarrow(*(["csv"] if as_csv else []))
    kinds = dict.fromkeys(NUMBERS, arrow.float64()) | {"games": arrow.int64()}
    schema = arrow.schema([(run.roster.column, run.roster.ids.type), *kinds.items()])
    writer = arrow.csv.CSVWriter if as_csv else parquet_writer
    size = len(run.roster)
    with writer(draft, schema) as out:
        for start in range(0, size, _SPAN * BLOCK):
            part = slice(start, min(start + _SPAN * BLOCK, size))
            groups = range(start // BLOCK, -(-part.stop // BLOCK))
            made = _summed(run.done, list(groups), part.stop - part.start)
            columns = [arrow_of(made[name]) for name in NUMBERS]
            ids = run.roster.ids.slice(start, part.stop - start)
            if as_csv and not arrow.types.is_integer(ids.type):
                ids = arrow.array(kept_row(ids.to_pylist()), ids.type)
            out.write_table(arrow.table([ids, *columns], schema=schema), BLOCK)


def _summed(files: Sequence[Path], groups: list[int], size: int) -> dict[str, AnyArray]:
    """The ratings of some players before the first file and after the last one, and the sums."""
    made: dict[str, AnyArray] = {name: np.zeros(size) for name in NUMBERS}
    made["games"] = np.zeros(size, np.int64)
    for number, path in enumerate(files):
        with open_parquet(path) as file:
            for name in NUMBERS:
                if (name == "rating" and number) or (name == "new" and number < len(files) - 1):
                    continue
                more = file.read_row_groups(groups, [name], use_threads=False).column(0)
                made[name] += numpy_of(more)
    return made


def _write_quality(run: Run) -> None:
    """How well the ratings before each period predicted its games, where that is known."""
    arrow = pyarrow()
    tables = []
    for about in run.about:
        rows = Quality(about["quality"]).tenths() if about["quality"] else []
        columns = [arrow_of(np.array([row[name] for row in rows])) for name in COLUMNS[1:]]
        if rows:
            tables.append(arrow.table([repeated(about["period"], len(rows)), *columns], COLUMNS))
    if not tables:
        return
    with writing(run.asked.beside("-quality.parquet")) as draft:
        arrow.parquet.write_table(arrow.concat_tables(tables), draft)
