"""Through the periods of long files: each leaves a file behind, which the next one begins with.

These files, one per period, are the audit trail: what everybody had before and after. They are also
where a run that was stopped goes on, to the same bits.
"""

from __future__ import annotations

import csv
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Final, TypedDict

import numpy as np
import numpy.typing as npt

from elo_xl.bulk import files as reading
from elo_xl.bulk.files import (
    Arrow,
    Batch,
    Parquet,
    arrow_of,
    numpy_of,
    open_parquet,
    parquet_writer,
    pyarrow,
    repeated,
)
from elo_xl.bulk.newcomers import SPAN, NewcomerGames, Newcomers
from elo_xl.bulk.period import Gathered, InTurn, Period, Rated, begin, period_of_system
from elo_xl.bulk.players import Roster
from elo_xl.bulk.prepare import UNREAD_COLUMNS, Prepared, backwards, first_days
from elo_xl.bulk.request import Request
from elo_xl.engine.arrays import IntArray
from elo_xl.engine.errors import RatingError
from elo_xl.engine.games import BLOCK, Index
from elo_xl.engine.rulebooks import Rulebook, on, rulebook, usual
from elo_xl.engine.rulebooks.event import Players
from elo_xl.engine.systems import LAST, State, upcoming
from elo_xl.progress import tell
from elo_xl.xlsx.cell_xml import kept_row
from elo_xl.xlsx.files import unfinished

Mask = npt.NDArray[np.bool_]

NUMBERS: Final = ("rating", "new", "games", "score", "expected", "change")
"""The columns of the result after the player's."""
_KEY: Final = b"elo_xl"
"""Under which key the files of periods say what they are."""
_SECONDS: Final = 0.5
"""How often it is told how far the work is."""


class AboutPeriod(TypedDict):
    """What the file of a period says of itself and of the games so far."""

    period: str
    number: int
    rules: str
    read: int
    games: int
    unplayed: int
    unread: int
    quality: list[int]


class Run:
    """A run through the periods: ``folder`` is where their files are."""

    def __init__(
        self,
        request: Request,
        folder: Path,
        roster: Roster,
        files: Sequence[Parquet],
        index: Index,
        prepared: Prepared | None,
    ) -> None:
        self.asked, self.folder, self.roster = request, folder, roster
        self.files, self.index, self.prepared = files, index, prepared
        self.total = sum(file.rows for file in files)
        self.rows = self.total if prepared is None else prepared.rows
        self.read = self.games = 0
        self.unplayed = 0 if prepared is None else prepared.unplayed
        self.unread = 0 if prepared is None else prepared.unread
        self.days: Mapping[int, date] = {}
        """the first day of each period, if that is to be known and no other way tells it"""
        if request.rules is None and request.system is None and request.by is None:
            self.days = first_days(files, folder) if prepared is None else prepared.days
        self.done: list[Path] = []
        self.about: list[AboutPeriod] = []
        self.number: int | None = None
        self.state = self._begin()
        self.newcomers = Newcomers(rulebook("fide"))
        """those of the last period, or of none"""
        self.speed = 0.0
        """games a second, without what is written after each period"""
        self.writing = 0.0

    def _begin(self) -> State:
        size, system = len(self.roster), self.asked.system
        known = self.roster.numbers
        names = ("rating",) if system is None else system.columns
        if system is None and not self._k_given():
            names = ("rating", "played", "peak")
            if self.asked.rules is not None and self._book().change.counts_events:
                names += ("index",)
        columns = {name: known.pop(name, np.full(1, np.nan)) for name in names}
        return {
            name: column if column.size == size else np.full(size, column[0])
            for name, column in columns.items()
        }

    def _k_given(self) -> bool:
        """Whether everybody's K is given, so that nothing else of them matters."""
        return self.asked.k is not None or not np.isnan(self.roster.get("k")).any()

    # -- games ------------------------------------------------------------------------------------

    def run(self) -> int:
        """Rate the periods that are not rated yet; returns the number of those that were."""
        self._resume()
        resumed, begun, last = len(self.done), time.monotonic(), 0.0
        before = self.read
        period: Period | Gathered | InTurn | None = None
        batches = reading.batches(
            self.files, self.index, period=self.files[0].has_period, skip=self.read
        )
        with unfinished(self.folder / "unread") as draft, _Unread(draft) as unread:
            for batch in batches:
                unplayed, fine = _readable(batch)
                starts = self._starts(batch, np.flatnonzero(fine), period is None)
                at = 0
                for start in (*starts, batch.white.size):
                    part = slice(at, start)
                    self.unplayed += int(unplayed[part].sum())
                    self.unread += unread.add(batch, part, ~(fine | unplayed))
                    if period is not None:
                        self.games += _add(period, batch, part, fine[part])
                    self.read += start - at
                    if start < batch.white.size:
                        if period is not None:
                            self._close(period, unread)
                        period = self._open(batch.period, start)
                    at = start
                if self.unread > self.asked.most_unread * self.rows:
                    break
                seconds = time.monotonic() - begun
                if seconds - last > _SECONDS:
                    last = seconds
                    tell(self.read, _left(self.read - before, self.total - self.read, last))
            if self.unread > self.asked.most_unread * self.rows or not self.games:
                self._refuse(unread)
            if period is not None:
                self._close(period, unread)
        seconds = time.monotonic() - begun - self.writing
        self.speed = (self.read - before) / max(seconds, 1e-9)
        return resumed

    def _starts(self, batch: Batch, at: IntArray, closed: bool) -> list[int]:
        """In which rows of a batch periods begin; ``at`` are the rows that count.

        Raises RatingError for a period that comes after a later one.
        """
        if not at.size:
            return []
        if batch.period is None:
            return [int(at[0])] if closed else []
        number = batch.period[at]
        if not closed and (number == self.number).all():  # nearly every batch
            return []
        least = np.iinfo(np.int64).min
        before = np.append(least if self.number is None else self.number, number[:-1])
        back = np.flatnonzero(number < before)
        if back.size:
            row = batch.row + int(at[back[0]]) + 1
            at_ = back[0]
            raise backwards(int(number[at_]), int(before[at_]), batch.file, row)
        starts: list[int] = at[number != before].tolist()
        return starts

    def _open(self, periods: IntArray | None, row: int) -> Period | Gathered | InTurn:
        request, state = self.asked, self.state
        if periods is None:
            self.number = upcoming(state[LAST]) if LAST in state else 0
        else:
            self.number = int(periods[row])
        if request.system is not None:
            return period_of_system(request.system, state, self.number)
        k = self.roster.get("k") if request.k is None else request.k
        played, peak = (state.get(name, np.nan) for name in ("played", "peak"))
        index = state.get("index", np.nan)
        players = Players.known(state["rating"], k, played, self.roster.get("age"), peak, index)
        book, earlier = self._book(), self.newcomers.waiting
        if request.by is not None:
            earlier = earlier.since(self.number + 1 - SPAN[request.by])
        self.newcomers = Newcomers(book, earlier, self.number)
        return begin(players, book, newcomers=self.newcomers)

    def _book(self) -> Rulebook:
        """The rulebook of the period."""
        if self.asked.rules is not None:
            by = self.asked.by
            day = first_day(by, self.number) if by and self.number is not None else None
            return on(self.asked.rules, day)
        assert self.number is not None
        by = self.asked.by
        day = self.days.get(self.number) if by is None else first_day(by, self.number)
        return usual("standard", day)

    # -- what a period leaves behind --------------------------------------------------------------

    def _close(self, period: Period | Gathered | InTurn, unread: _Unread) -> None:
        """Write the file of a period; its numbers become those with which the next one begins."""
        begun, arrow = time.monotonic(), pyarrow()
        assert self.number is not None
        label = label_of(self.asked.by, self.number)
        position = len(self.done) + 1
        rules = self._book().name if self.asked.system is None else repr(self.asked.system)
        about: AboutPeriod = {
            "period": label,
            "number": self.number,
            "rules": rules,
            "read": self.read,
            "games": self.games,
            "unplayed": self.unplayed,
            "unread": self.unread,
            "quality": period.quality.kept() if isinstance(period, Period) else [],
        }
        unread.keep(self.folder / f"_unread-{position:04}.csv")
        target = self.folder / f"{position:04}-{label}.parquet"
        schema = arrow.schema(self._columns(), metadata={_KEY: json.dumps(about)})
        with (
            writing(target) as draft,
            parquet_writer(draft, schema, "zstd") as writer,
        ):
            for part, rated in period.parts():
                made = self._after(part, rated)
                made["period"] = repeated(label, part.stop - part.start)
                columns = [
                    arrow_of(column) if isinstance(column, np.ndarray) else column
                    for column in map(made.__getitem__, schema.names)
                ]
                writer.write_table(arrow.table(columns, schema=schema), BLOCK)
            self._keep(position)
        _waiting_of(self.folder, position - 1).unlink(missing_ok=True)
        self.done.append(target)
        self.about.append(about)
        self.writing += time.monotonic() - begun

    def _keep(self, position: int) -> None:
        """Write the games that unrated players bring along; nothing is not written."""
        waiting = self.newcomers.waiting
        if waiting.player.size:
            with writing(_waiting_of(self.folder, position)) as draft:
                columns = {name: arrow_of(x) for name, x in waiting._asdict().items()}
                pyarrow().parquet.write_table(pyarrow().table(columns), draft)

    def _columns(self) -> list[tuple[str, Arrow]]:
        """The columns of the file of a period: the result's, and then what is carried on."""
        arrow = pyarrow()
        carried = [name for name in self.state if name != "rating"]
        kinds = dict.fromkeys((*NUMBERS, "k", *carried), arrow.float64())
        kinds["games"] = arrow.int64()
        ids = self.roster.column, self.roster.ids.type
        return [("period", arrow.string()), ids, *kinds.items()]

    def _after(self, part: slice, rated: Rated) -> dict[str, Arrow]:
        """What is written of some players; the state becomes that after the period."""
        before = self.state["rating"][part].copy()
        if rated.state:
            for name, column in rated.state.items():
                self.state[name][part] = column
        else:
            if "played" in self.state:
                played, peak = (self.state[name][part] for name in ("played", "peak"))
                fresh = np.isnan(before) & ~np.isnan(rated.new)
                more = np.where(np.isnan(before), 0, rated.games)
                self.newcomers.put(self.newcomers.games, more, part.start)
                played[:] = np.where(fresh, np.nan_to_num(played), played) + more
                peak[:] = np.fmax(np.fmax(peak, before), rated.new)
                if "index" in self.state:
                    index = self.state["index"][part]
                    index[:] = np.where(fresh, np.nan_to_num(index), index) + (more > 0)
            self.state["rating"][part] = rated.new
        made = {name: getattr(rated, name) for name in NUMBERS[1:]}
        made["k"] = np.where(np.isnan(before), np.nan, rated.k)
        carried = {name: column[part] for name, column in self.state.items() if name != "rating"}
        ids = self.roster.ids.slice(part.start, part.stop - part.start)
        return {self.roster.column: ids, "rating": before} | made | carried

    def _resume(self) -> None:
        """Take over what a run before has left."""
        for path in sorted(self.folder.glob("[0-9]*-*.parquet")):
            with open_parquet(path) as file:
                about = json.loads(file.schema_arrow.metadata[_KEY])
                self.done.append(path)
                self.about.append(about)
        if not self.done:
            return
        last = self.about[-1]
        self.number = last["number"]
        self.read, self.games = last["read"], last["games"]
        self.unplayed, self.unread = last["unplayed"], last["unread"]
        names = {"rating": "new"} | {name: name for name in self.state if name != "rating"}
        with open_parquet(self.done[-1]) as file:
            for name, column in names.items():
                self.state[name] = np.array(
                    numpy_of(file.read([column], use_threads=False).column(0)), float
                )
        kept = _waiting_of(self.folder, len(self.done))
        if kept.exists():
            with open_parquet(kept) as file:
                columns = file.read(list(NewcomerGames._fields), use_threads=False).columns
            self.newcomers.waiting = NewcomerGames(*map(numpy_of, columns))

    def _refuse(self, unread: _Unread) -> None:
        """Say that no games are left, or too many cannot be read, and where these are."""
        unread.keep(self.folder / "_unread-last.csv")
        target = self.publish_unread()
        if not self.games:
            what = (
                f"there are no games to rate: of {self.rows:,}, {self.unplayed:,} were not "
                f"played, and {self.unread:,} cannot be read"
            )
            where = (
                ", ".join(map(str, self.asked.games)) if target is None else f"{target} says why"
            )
            raise RatingError(f"{what} @ {where}")
        raise RatingError(
            f"{self.unread:,} of {self.rows:,} games cannot be read, which is more than "
            f"the share of {self.asked.most_unread:g} that may be (--most-unread); "
            f"{target} says why"
        )

    def publish_unread(self) -> Path | None:
        """Write the games that could not be read beside the result, if there are any."""
        if not self.unread:
            return None
        target = self.asked.beside("-unread.csv")
        parts = sorted(self.folder.glob("_unread*.csv"))
        with writing(target) as draft, open(draft, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerow(UNREAD_COLUMNS)
            for part in parts:
                with open(part, encoding="utf-8", newline="") as lines:
                    file.writelines(lines)
        return target


def _waiting_of(folder: Path, position: int) -> Path:
    """The file of the games that unrated players bring along after so many periods."""
    return folder / f"_newcomers-{position:04}.parquet"


# -- games that cannot be read --------------------------------------------------------------------


def _readable(batch: Batch) -> tuple[Mask, Mask]:
    """Which games of a batch were not played, and which can be rated."""
    unplayed = np.isnan(batch.score)
    fine = (batch.white >= 0) & (batch.black >= 0) & (batch.white != batch.black)
    fine &= batch.score >= 0
    if batch.period is not None:
        fine &= ~reading.without_period(batch)
    return unplayed, fine


def _add(period: Period | Gathered | InTurn, batch: Batch, part: slice, fine: Mask) -> int:
    """Add the games of a part of a batch that are fine; returns their number."""
    white, black, score = batch.white[part], batch.black[part], batch.score[part]
    if not fine.all():
        white, black, score = white[fine], black[fine], score[fine]
    period.add(white, black, score)
    return score.size


class _Unread:
    """The rows of a period that cannot be read, as they come."""

    def __init__(self, draft: Path) -> None:
        self.file = open(draft, "r+", encoding="utf-8", newline="")  # noqa: SIM115
        self.writer = csv.writer(self.file)

    def __enter__(self) -> _Unread:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def add(self, batch: Batch, part: slice, bad: Mask) -> int:
        """Write the bad rows of a part of a batch; returns their number."""
        rows = part.start + np.flatnonzero(bad[part])
        given = batch.given
        for row in rows.tolist():
            cells = {what: given[what][row].as_py() for what in given}
            players = int(batch.white[row]), int(batch.black[row])
            white, black, result = (cells[what] for what in ("white", "black", "result"))
            why = reading.reason(
                white, black, players, result, batch.score[row] == reading.UNREADABLE
            )
            line = (batch.file, batch.row + row + 1, white, black, result, cells.get("period"), why)
            self.writer.writerow(kept_row(line))
        return int(rows.size)

    def keep(self, target: Path) -> None:
        """Keep what was written so far under a name, and start over; an empty file is not kept."""
        self.file.seek(0)
        text = self.file.read()
        if text:
            with writing(target) as draft:
                draft.write_text(text, "utf-8", newline="")
        self.file.seek(0)
        self.file.truncate()


@contextmanager
def writing(target: Path) -> Iterator[Path]:
    """A file to be written that gets its name only when it is whole and on the disk."""
    with unfinished(target) as draft:
        yield draft
        with open(draft, "r+b") as file:
            os.fsync(file.fileno())
        draft.replace(target)


# -- periods --------------------------------------------------------------------------------------


def label_of(by: str | None, number: int) -> str:
    """What a period is called.

    >>> label_of("month", 12 * 2024 + 2), label_of("week", 0), label_of("quarter", 8096)
    ('2024-03', '1970-W02', '2024-Q1')
    >>> label_of("day", 366), label_of("year", 2024), label_of(None, 7)
    ('1971-01-02', '2024', '7')
    """
    if by is None:
        return str(number)
    day = first_day(by, number)
    if by == "week":
        return f"{day:%G-W%V}"
    if by == "quarter":
        return f"{day.year}-Q{day.month // 3 + 1}"
    return day.isoformat()[: {"year": 4, "month": 7, "day": 10}[by]]


def first_day(by: str, number: int) -> date:
    """The first day of a period (the numbers are those of :data:`.prepare.PERIODS`).

    >>> first_day("month", 12 * 2024 + 2), first_day("quarter", 4 * 2024 + 3)
    (datetime.date(2024, 3, 1), datetime.date(2024, 10, 1))
    """
    if by in ("day", "week"):
        start = date(1970, 1, 5 if by == "week" else 1)
        return start + timedelta(days=number * (7 if by == "week" else 1))
    months = {"month": 1, "quarter": 3, "year": 12}[by]
    return date(number * months // 12, number * months % 12 + 1, 1)


def _left(read: int, left: int, seconds: float) -> str:
    """How fast it is and what is left.

    >>> _left(6_000_000, 12_000_000, 2.0)
    'games, 3.0 million a second, 4 s left'
    """
    speed = read / seconds
    rest = left / speed if speed else 0.0
    shown = f"{rest:.0f} s" if rest < 100 else f"{rest / 60:.0f} min"
    return f"games, {speed / 1e6:.1f} million a second, {shown} left"
