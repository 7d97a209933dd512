"""The players of a long file: who they are, and what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from elo_xl.bulk.files import (
    Arrow,
    arrow_of,
    blank,
    by_name,
    duckdb,
    first_line,
    in_batches,
    kind_of,
    numpy_of,
    open_parquet,
    pyarrow,
)
from elo_xl.bulk.prepare import Database, first_row, place
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import RatingError

Bounds = Mapping[str, tuple[float, float]]
"""What is read of players, and between which numbers it has to be."""
_SHOWN: Final = 3
"""Of how many wrong numbers it is said whose they are."""

_Read = Callable[[str], Iterator[Arrow]]
"""what returns a column in chunks of Arrow"""


@dataclass(frozen=True, slots=True)
class Roster:
    """All players, in the order of their file."""

    column: str
    """what the column is called by which they are known: ``id``, or ``name`` without one"""
    ids: Arrow
    """that column, of Arrow"""
    path: Path
    """the file"""
    numbers: dict[str, FloatArray]
    """what is known of each, such as ``rating``, or of all together; NaN: not known"""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def by_number(self) -> bool:
        """Whether they are known by whole numbers."""
        return bool(pyarrow().types.is_integer(self.ids.type))

    def get(self, name: str) -> FloatArray:
        """What is known; a single NaN if nothing is."""
        return self.numbers.get(name, np.full(1, np.nan))

    def keys(self, folder: Path) -> Arrow:
        """Which text means whom: ids, and names that only one player has, in small letters."""
        arrow = pyarrow()
        tables = [("0", self.ids)]
        if self.column == "id":
            tables += [("1", names) for names in texts(self.path, folder, ("name",)).values()]
        with Database(folder) as base:
            parts = []
            for kind, column in tables:
                rows = arrow_of(np.arange(len(self), dtype=np.int32))
                base.con.register(f"column_{kind}", arrow.table({"key": column, "row": rows}))
                key = "lower(trim(key::VARCHAR))"
                parts.append(f"SELECT {key} AS key, row, {kind} AS kind FROM column_{kind}")
            # an id counts before a name, and what two players have in common means nobody
            keys = base.con.sql(
                "SELECT key, min(row)::INTEGER AS row FROM ("
                f"SELECT *, min(kind) OVER (PARTITION BY key) AS least FROM ({_union(parts)})"
                ") WHERE kind = least AND key <> '' GROUP BY key HAVING count(*) = 1"
            )
            return keys.to_arrow_table()


def _union(parts: list[str]) -> str:
    return " UNION ALL ".join(parts)


def read_players(path: Path, folder: Path, table: str, bounds: Bounds) -> Roster:
    """The players of a file; ``folder`` is where a database may work.

    Raises RatingError for a file that cannot be read or has no rows, one without ``rating`` and
    ``id`` or ``name``, players who are there twice or have no id, and for what is not a number
    within its bounds.
    """
    with _opened(path, folder, table) as (names, size, read):
        return _roster(names, size, read, path, bounds)


def texts(path: Path, folder: Path, wanted: tuple[str, ...]) -> dict[str, Arrow]:
    """Columns of texts of the players, those that there are, as Arrow has them."""
    arrow = pyarrow()
    columns = {}
    with _opened(path, folder, "players") as (names, _, read):
        there = {name.strip().casefold(): name for name in names}
        for what in wanted:
            if what in there:
                chunks = [chunk.cast("string") for chunk in read(there[what])]
                columns[what] = arrow.chunked_array(chunks, "string")
    return columns


@contextmanager
def _opened(path: Path, folder: Path, table: str) -> Iterator[tuple[list[str], int, _Read]]:
    """The columns of a file, the number of its rows, and what reads a column."""
    if kind_of(path) == "parquet":
        with open_parquet(path) as file:

            def chunks(name: str) -> Iterator[Arrow]:
                try:
                    for some in in_batches(file, [name]):
                        yield some.column(0)
                except (pyarrow().ArrowException, OSError) as wrong:
                    raise RatingError(f"{first_line(wrong)} @ {path}") from None

            yield file.schema_arrow.names, file.metadata.num_rows, chunks
        return
    with Database(folder) as base:
        source = base.table(path, "players", table)
        names = list(base.columns(source, path))

        def read(name: str) -> Iterator[Arrow]:
            column = '"' + name.replace('"', '""') + '"'
            try:
                rows = base.con.sql(f"SELECT {column} FROM {source}").to_arrow_table()
            except duckdb().Error as wrong:
                raise base.refused(wrong, path) from None
            yield from rows.column(0).iterchunks()

        try:
            ((size,),) = base.con.execute(f"SELECT count(*) FROM {source}").fetchall()
        except duckdb().Error as wrong:
            raise base.refused(wrong, path) from None
        yield names, size, read


def _roster(names: list[str], size: int, read: _Read, path: Path, bounds: Bounds) -> Roster:
    there = by_name(names, path, ("id", "name", "rating", *bounds))
    key = next((what for what in ("id", "name") if what in there), None)
    columns = ", ".join(names)
    if key is None:
        wrong = (
            f"no column 'id' or 'name'; the columns are: {columns}"
            if names
            else "no column 'id' or 'name'; the columns are: none"
        )
        raise RatingError(f"{wrong} @ {path}")
    if "rating" not in there:
        wrong = (
            f"no column 'rating', which is blank for unrated players; the columns are: {columns}"
        )
        raise RatingError(f"{wrong} @ {path}")
    if not size:
        raise RatingError(f"there are no players @ {path}")
    first = first_row(path)
    ids = _ids(read, there[key], size)
    if ids.null_count:
        row = int(np.flatnonzero(blank(ids))[0])
        raise RatingError(f"a player without {key} in {place(path, row + first)} @ {path}")
    same = _twice(ids)
    if same is not None:
        raise RatingError(f"player {same!r} is there twice @ {path}")
    numbers: dict[str, FloatArray] = {}
    problems = []
    for what, span in bounds.items():
        if what in there:
            numbers[what], count, some = _floats(read(there[what]), size, what, span)
            if count:
                cells = ", ".join(
                    f"{value} (player {ids[row]!s}, {place(path, row + first)})"
                    for row, value in some
                )
                if count > len(some):
                    more = count - len(some)
                    cells = f"{cells}, and {more:,} more"
                problems.append(f"{_wrong(what, *span, cells)} @ {path}")
    if problems:
        raise RatingError("\n".join(problems))
    # what a rating list calls games are those that the engine calls played
    if "played" not in numbers and "games" in numbers:
        numbers["played"] = numbers["games"]
    numbers.pop("games", None)
    return Roster(key, ids, path, numbers)


def _ids(read: _Read, name: str, size: int) -> Arrow:
    """The ids; whole numbers that are written as texts, as in CSV, are numbers."""
    arrow = pyarrow()
    numbers = np.empty(size, np.int64)
    at = 0
    for chunk in read(name):
        if not arrow.types.is_integer(chunk.type) or chunk.null_count:
            break
        numbers[at : at + len(chunk)] = numpy_of(chunk)
        at += len(chunk)
    else:
        return arrow_of(numbers)
    arrow = pyarrow("compute")
    text = arrow.chunked_array([chunk.cast("string") for chunk in read(name)]).combine_chunks()
    plain = arrow.compute.match_substring_regex(text, "^(0|[1-9][0-9]{0,17})$")
    whole = not text.null_count and arrow.compute.all(plain).as_py()
    return text.cast("int64") if whole else text


def _twice(ids: Arrow) -> object:
    """An id that is there twice, if there is one."""
    if pyarrow().types.is_integer(ids.type):
        numbers = numpy_of(ids)
        if not (numbers[1:] > numbers[:-1]).all():
            # sorted, for sets of millions of numbers take more memory than everything else
            in_order = np.sort(numbers)
            for number in in_order[1:][in_order[1:] == in_order[:-1]][:1].tolist():
                return int(number)
        return None
    for one in pyarrow("compute").compute.value_counts(ids):
        if one["counts"].as_py() > 1:
            return str(one["values"])
    return None


def _floats(
    chunks: Iterator[Arrow], size: int, what: str, bounds: tuple[float, float]
) -> tuple[FloatArray, int, list[tuple[int, object]]]:
    """A column as numbers, how many are wrong, and the rows of the first of these with them."""
    numbers: FloatArray = np.empty(size)
    at = count = 0
    first: list[tuple[int, object]] = []
    least, most = bounds
    for chunk in chunks:
        some = _cast(chunk)
        if what in ("rating", "peak"):  # lists print 0 for unrated players
            some = np.where(some == 0, np.nan, some)
        fine = np.isnan(some) | ((some >= least) & (some <= most) & np.isfinite(some))
        if not fine.all():
            bad = np.flatnonzero(~fine)
            count += bad.size
            rows = bad[: _SHOWN - len(first)].tolist()
            first += [(at + row, chunk[row].as_py()) for row in rows]
        numbers[at : at + some.size] = some
        at += some.size
    # what all have in common takes no memory
    same = what != "rating" and (numbers == numbers[0]).all()
    return numbers[:1].copy() if same else numbers, count, first


def _wrong(column: str, least: float, most: float, cells: str) -> str:
    """What a column must be, and which of its cells are not.

    >>> _wrong("rating", 100.0, 3999.0, "12"), _wrong("games", 0.0, float("inf"), "x")
    ('rating must be a number from 100 to 3,999: 12', 'games must be a number of 0 or more: x')
    >>> _wrong("deviation", 1e-9, 1e6, "0")
    'deviation must be a number above 0, up to 1,000,000: 0'
    """
    if 0 < least < 1:
        return f"{column} must be a number above 0, up to {most:,.0f}: {cells}"
    if most == np.inf:
        return f"{column} must be a number of {least:,.0f} or more: {cells}"
    return f"{column} must be a number from {least:,.0f} to {most:,.0f}: {cells}"


def _cast(chunk: Arrow) -> FloatArray:
    """A chunk of Arrow as numbers: NaN is blank, and infinity stands for what is none."""
    arrow = pyarrow()
    if arrow.types.is_integer(chunk.type) or arrow.types.is_floating(chunk.type):
        return numpy_of(chunk).astype(float)
    if arrow.types.is_string(chunk.type) or arrow.types.is_large_string(chunk.type):
        arrow = pyarrow("compute")
        empty = arrow.compute.equal(arrow.compute.utf8_trim_whitespace(chunk), "")
        chunk = arrow.compute.if_else(empty, None, chunk)
    try:
        made: FloatArray = chunk.cast("float64").to_numpy(zero_copy_only=False)
    except arrow.ArrowException:
        made = np.array([_float(value) for value in chunk.to_pylist()], float)
    return made


def _float(value: Arrow) -> float:
    try:
        return np.nan if value is None else float(value)
    except (TypeError, ValueError):
        return np.inf
