"""Long files of games in, a file with everybody's rating out, period after period.

Each period leaves a file of what everybody had before and after: the audit trail.
"""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final

import numpy as np

from elo_xl.bulk.newcomers import SPAN, Newcomers
from elo_xl.bulk.period import Gathered, Period, Rated, begin, period_of_system
from elo_xl.bulk.reading import (
    Arrow,
    Batch,
    Database,
    Games,
    Roster,
    first_line,
    library,
    listed,
    place,
    pyarrow,
    read_players,
)
from elo_xl.bulk.request import Request
from elo_xl.engine.arrays import AnyArray
from elo_xl.engine.errors import RatingError
from elo_xl.engine.games import BLOCK
from elo_xl.engine.period import carried
from elo_xl.engine.rulebooks import Rulebook, on, rulebook, usual
from elo_xl.engine.rulebooks.event import Players
from elo_xl.engine.systems import LAST, State, upcoming
from elo_xl.progress import tell, whole, written
from elo_xl.xlsx.cell_xml import kept_row

NUMBERS: Final = ("rating", "new", "games", "score", "expected", "change")
"""The columns of the result after the player's."""
_CARRIED: Final = ("played", "peak", "index")
"""What a rulebook may go on with, besides the rating."""
_FEW: Final = ["period", "games", "score", "k", "played", "index"]
"""The columns of players in which few numbers occur, again and again: of others a dictionary takes
time and room."""
RESULT: Final = "_result"
"""The file of the result, among those of the periods, before it has its name."""
_WITHOUT: Final = 300_000_000
_A_PLAYER: Final = 220
"""Bytes that a run takes without players, and for each, as measured with Glicko-2."""
_CONTAINER: Final = Path("/sys/fs/cgroup/memory.max")
"""How many bytes a container may take, where Linux says so."""
_SECONDS: Final = 0.5
"""How often it is told how far the work is."""


def rate_files(request: Request) -> Run:
    """Rate all games, period after period, and write the result.

    Raises RatingError, before anything has been published, for files that cannot be read, periods
    that run backwards, and more unreadable games than are allowed.
    """
    folder = request.folder()
    try:
        with Database(folder) as base:
            roster = read_players(base, request.players, request.bounds())
            if (count := len(roster.ids)) > (most := _room()):
                fit = f"do not fit in memory, which has room for {most:,}"
                raise RatingError(f"the ratings of {count:,} players {fit} @ {request.players}")
            tell(0, "games prepared")
            games = Games(
                base,
                listed(request.games),
                roster,
                by=request.by,
                table=request.table,
                called=request.called,
                plain=request.system is None,
                unread=folder / "_unread.csv",
            )
            run = Run(request, folder, roster, games)
            run.run()
        for left in folder.glob("work.duckdb*"):
            left.unlink()
        tell(run.games, "games rated, writing the result")
        publish(run)
    except BaseException as wrong:
        if folder.exists():
            request.leave()
        if isinstance(wrong, library("duckdb").Error):  # a full disk
            raise RatingError(first_line(wrong)) from None
        raise
    return run


def _room() -> int:
    """How many players memory has room for, the machine's or the container's; if neither is told,
    any."""
    memory = 1 << 50
    with suppress(AttributeError, ValueError):  # Windows has no such function
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):  # "max" is no limit
        memory = min(memory, int(_CONTAINER.read_text("utf-8")))
    return max(memory - _WITHOUT, 0) // _A_PLAYER


class Run:
    """A run through the periods: ``folder`` is where their files are."""

    def __init__(self, request: Request, folder: Path, roster: Roster, of: Games) -> None:
        self.asked, self.folder, self.roster, self.of = request, folder, roster, of
        self.games = 0
        self.number: int | None = None
        self.labels: list[str] = []
        self.rules: list[str] = []
        """the rulebooks, or the system, of the periods"""
        self.state = self._begin()
        self.newcomers = Newcomers(rulebook("fide"))
        """those of the last period, or of none"""
        size = len(roster.ids)
        self.before = self.state["rating"].copy()
        self.sums: dict[str, AnyArray] = {name: np.zeros(size) for name in NUMBERS[2:]}
        self.speed = 0.0
        """games a second, without what is written after each period"""
        self.writing = 0.0

    def _begin(self) -> State:
        size, system = len(self.roster.ids), self.asked.system
        names = ("rating",) if system is None else system.columns
        if system is None and not self._k_given():
            names = ("rating", "played", "peak")
            if self.asked.rules is not None and self._book().change.counts_events:
                names += ("index",)
        columns = {name: self.roster.numbers.pop(name, np.full(1, np.nan)) for name in names}
        return {
            name: column if column.size == size else np.full(size, column[0])
            for name, column in columns.items()
        }

    def _k_given(self) -> bool:
        """Whether everybody's K is given, so that nothing else of them matters."""
        return self.asked.k is not None or not np.isnan(self.roster.get("k")).any()

    def run(self) -> None:
        """Rate all periods."""
        begun = last = time.monotonic()
        period: Period | Gathered | None = None
        for batch in self.of.batches():
            at = 0
            for start in (*self._starts(batch), batch.score.size):
                if period is not None and start > at:
                    part = slice(at, start)
                    period.add(batch.white[part], batch.black[part], batch.score[part])
                    self.games += start - at
                if start < batch.score.size:
                    if period is not None:
                        self._close(period)
                    period = self._open(None if batch.period is None else int(batch.period[start]))
                at = start
            if time.monotonic() - last > _SECONDS:
                last = time.monotonic()
                tell(self.games, f"games, {self.games / (last - begun) / 1e6:.1f} million a second")
        self._check()
        if period is not None:
            self._close(period)
        self.speed = self.games / max(time.monotonic() - begun - self.writing, 1e-9)

    def _starts(self, batch: Batch) -> list[int]:
        """In which rows of a batch periods begin; RatingError for one after a later one."""
        if batch.period is None:
            return [0] if self.number is None and batch.score.size else []
        least = np.iinfo(np.int64).min
        before = np.append(least if self.number is None else self.number, batch.period[:-1])
        back = np.flatnonzero(batch.period < before)
        if back.size:
            at = back[0]
            path = self.of.files[batch.file[at]]
            what = f"period {batch.period[at]} comes after period {before[at]}"
            raise RatingError(f"{what}, in {place(path, batch.row[at])} @ {path}")
        starts: list[int] = np.flatnonzero(batch.period != before).tolist()
        return starts

    def _open(self, number: int | None) -> Period | Gathered:
        request, state = self.asked, self.state
        if number is None:
            number = upcoming(state[LAST]) if LAST in state else 0
        self.number = number
        if request.system is not None:
            return period_of_system(request.system, state, number)
        k = self.roster.get("k") if request.k is None else request.k
        played, peak, index = (state.get(name, np.nan) for name in ("played", "peak", "index"))
        players = Players.known(state["rating"], k, played, self.roster.get("age"), peak, index)
        book, earlier = self._book(), self.newcomers.waiting
        if request.by is not None:
            earlier = earlier[earlier["period"] > number - SPAN[request.by]]
        self.newcomers = Newcomers(book, earlier, number)
        return begin(players, book, self.newcomers)

    def _book(self) -> Rulebook:
        """The rulebook of the period."""
        day = None if self.number is None else self.of.days.get(self.number)
        if self.asked.rules is not None:
            return on(self.asked.rules, day if self.asked.by else None)
        return usual("standard", day)

    def _close(self, period: Period | Gathered) -> None:
        """Write the file of a period; its numbers become those with which the next one begins."""
        begun, arrow = time.monotonic(), pyarrow()
        assert self.number is not None
        label = label_of(self.asked.by, self.number, self.of.days.get(self.number))
        self.rules.append(
            self._book().name if self.asked.system is None else repr(self.asked.system)
        )
        self.labels.append(label)
        more = [name for name in self.state if name != "rating"]
        kinds = dict.fromkeys((*NUMBERS, "k", *more), arrow.float64())
        kinds["games"] = arrow.int64()
        ids = self.roster.column, self.roster.ids.type
        schema = arrow.schema([("period", arrow.string()), ids, *kinds.items()])
        target = self.folder / f"{len(self.labels):04}-{label}.parquet"
        made_by = arrow.parquet.ParquetWriter
        with made_by(target, schema, compression="zstd", use_dictionary=_FEW) as writer:
            for part, rated in period.parts():
                made, size = self._after(part, rated), part.stop - part.start
                columns = [repeated(label, size), self.roster.ids.slice(part.start, size)]
                columns += [arrow_of(made[name]) for name in kinds]
                writer.write_table(arrow.table(columns, schema=schema), BLOCK)
        self.writing += time.monotonic() - begun

    def _after(self, part: slice, rated: Rated) -> dict[str, AnyArray]:
        """What is written of some players; the state becomes that after the period."""
        before = self.state["rating"][part].copy()
        if rated.state:
            for name, column in rated.state.items():
                self.state[name][part] = column
        else:
            more = np.where(np.isnan(before), 0, rated.games)
            self.newcomers.put(self.newcomers.games, more, part.start)
            played, peak, index = (
                self.state[x][part] if x in self.state else before for x in _CARRIED
            )
            after = carried(before, played, peak, index, more, rated.new)
            for name, column in zip(("rating", *_CARRIED), (rated.new, *after), strict=True):
                if name in self.state:
                    self.state[name][part] = column
        made = {name: getattr(rated, name) for name in NUMBERS[1:]}
        for name, sums in self.sums.items():
            sums[part] += made[name]
        made["k"] = np.where(np.isnan(before), np.nan, rated.k)
        now = {name: column[part] for name, column in self.state.items()}
        return now | {"rating": before} | made

    def _check(self) -> None:
        """Raise RatingError if no games are left, or too many cannot be read."""
        of, target = self.of, self.asked.beside("-unread.csv")
        if of.unread:
            of.write_unread()
        if not of.rows:
            raise RatingError(f"there are no games @ {', '.join(map(str, self.asked.games))}")
        if self.games and of.unread <= self.asked.most_unread * of.rows:
            return
        if of.unread:
            of.target.replace(target)
        if not self.games:
            what = (
                f"there are no games to rate: of {of.rows:,}, {of.unplayed:,} were not "
                f"played, and {of.unread:,} cannot be read"
            )
            where = f"{target} says why" if of.unread else ", ".join(map(str, self.asked.games))
            raise RatingError(f"{what} @ {where}")
        raise RatingError(
            f"{of.unread:,} of {of.rows:,} games cannot be read, which is more than "
            f"the share of {self.asked.most_unread:g} that may be (--most-unread); "
            f"{target} says why"
        )


def arrow_of(numbers: AnyArray) -> Arrow:
    """Numbers as a column of Arrow, in which NaN is blank.

    >>> arrow_of(np.array([1.5, np.nan])).to_pylist()
    [1.5, None]

    Arrow's own way loads pandas where that is installed: half a second, 40 MB.
    """
    arrow = pyarrow()
    known = None
    if numbers.dtype.kind == "f":
        there = ~np.isnan(numbers)
        if not there.all():
            known = arrow.py_buffer(np.packbits(there, bitorder="little"))
    content = arrow.py_buffer(np.ascontiguousarray(numbers))
    kind = arrow.from_numpy_dtype(numbers.dtype)
    return arrow.Array.from_buffers(kind, numbers.size, [known, content])


def repeated(text: str, times: int) -> Arrow:
    """A column of Arrow with one text again and again (:func:`arrow_of` says why so).

    >>> repeated("2024-03", 2).to_pylist()
    ['2024-03', '2024-03']
    """
    arrow, letters = pyarrow(), text.encode()
    ends = arrow.py_buffer(np.arange(times + 1, dtype=np.int32) * len(letters))
    return arrow.StringArray.from_buffers(times, ends, arrow.py_buffer(letters * times))


def publish(run: Run) -> None:
    """Write the result, which gets its name last, when everything else has its own."""
    request, arrow = run.asked, pyarrow()
    as_csv = request.output.suffix.lower() == ".csv"
    kinds = dict.fromkeys(NUMBERS, arrow.float64()) | {"games": arrow.int64()}
    schema = arrow.schema([(run.roster.column, run.roster.ids.type), *kinds.items()])
    made = {"rating": run.before, "new": run.state["rating"], **run.sums}
    made["games"] = made["games"].astype(np.int64)
    ids = run.roster.ids
    if as_csv and not arrow.types.is_integer(ids.type):
        ids = arrow.array(kept_row(ids.to_pylist()), ids.type)
    columns = [ids, *(arrow_of(made[name]) for name in NUMBERS)]
    writer, how = arrow.parquet.ParquetWriter, {"use_dictionary": _FEW}
    if as_csv:
        writer, how = pyarrow("csv").csv.CSVWriter, {}
    with writer(run.folder / RESULT, schema, **how) as out:
        out.write_table(arrow.table(columns, schema=schema), BLOCK)
    for path in run.folder.iterdir():
        with open(path, "r+b") as file:
            os.fsync(file.fileno())
    with whole():
        if run.of.unread:
            run.of.target.replace(request.beside("-unread.csv"))
        shutil.rmtree(request.periods, ignore_errors=True)
        run.folder.rename(request.periods)
        (request.periods / RESULT).replace(request.output)
    written(request.output)


def label_of(by: str | None, number: int, first: date | None) -> str:
    """What a period is called, by its number or its first day.

    >>> day = date(2024, 1, 1)
    >>> [label_of(by, 0, day) for by in ("year", "quarter", "month", "week", "day", None)]
    ['2024', '2024-Q1', '2024-01', '2024-W01', '2024-01-01', '0']
    """
    if by is None or first is None:
        return str(number)
    if by == "week":
        return f"{first:%G-W%V}"
    if by == "quarter":
        return f"{first.year}-Q{first.month // 3 + 1}"
    return first.isoformat()[: {"year": 4, "month": 7, "day": 10}[by]]
