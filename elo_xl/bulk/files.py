"""The files of games and players, and how Parquet files are read in batches.

Parquet files whose players are numbers, and whose periods are or are not there, are read as they
are. Everything else goes through :mod:`.prepare` and is such a file afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.bulk import ENDINGS
from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.errors import RatingError
from elo_xl.engine.games import BLOCK, Index

Arrow = Any
"""An object of Arrow or of a database, libraries that may be absent and whose types are unknown."""

_SIGNS: Final = (
    ("parquet", 0, b"PAR1"),
    ("arrow file", 0, b"ARROW1"),
    ("arrow stream", 0, b"\xff\xff\xff\xff"),
    ("sqlite", 0, b"SQLite format 3\0"),
    ("duckdb", 8, b"DUCK"),
)
"""The kinds of files, and how they begin."""
_CSV: Final = re.compile(r"\.(csv|tsv|txt)(\.gz|\.zst)?", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"(\d+)")

WHAT: Final = ("white", "black", "result", "period", "date", "id")
"""The columns of games that are read; those of the players come first."""

_REPEATED: Final = ("period", "games", "score", "k", "played")
"""The columns of players in which few numbers occur, again and again."""
_BUFFER: Final = 1 << 16
"""Bytes of each column that are read at a time."""
UNREADABLE: Final = -1.0
"""The score of a game whose result cannot be read."""


def pyarrow(*modules: str) -> Arrow:
    """The library that reads and writes Parquet, with more of its modules where they are needed;
    raises RatingError with what helps if it is not there."""
    try:
        for name in ("parquet", *modules):
            import_module(f"pyarrow.{name}")
    except ModuleNotFoundError as missing:
        raise _needed("pyarrow") from missing
    return import_module("pyarrow")


# Arrow's own ways from NumPy and to it load pandas where that is installed: half a second, 40 MB.


def numpy_of(column: Arrow) -> AnyArray:
    """A column of numbers of Arrow as NumPy has it; where some are blank, as floats with NaN.

    >>> numpy_of(pyarrow().array([1, None, 3])).tolist()
    [1.0, nan, 3.0]
    """
    if isinstance(column, pyarrow().ChunkedArray):
        return np.concatenate([numpy_of(chunk) for chunk in column.chunks])
    made = _content(column)
    return np.where(blank(column), np.nan, made) if column.null_count else made


def _content(column: Arrow) -> AnyArray:
    """The numbers of a column of Arrow, with any number where it is blank."""
    made: AnyArray = np.frombuffer(column.buffers()[1], column.type.to_pandas_dtype())
    return made[column.offset : column.offset + len(column)]


def blank(column: Arrow) -> npt.NDArray[np.bool_]:
    """Which rows of a column of Arrow are blank.

    >>> blank(pyarrow().array([1, None, 3])[1:]).tolist()
    [True, False]
    """
    if not column.null_count:
        return np.zeros(len(column), bool)
    bits = np.frombuffer(column.buffers()[0], np.uint8)
    there = np.unpackbits(bits, count=column.offset + len(column), bitorder="little")
    return ~there[column.offset :].astype(bool)


def arrow_of(numbers: AnyArray) -> Arrow:
    """Numbers as a column of Arrow, in which NaN is blank.

    >>> arrow_of(np.array([1.5, np.nan])).to_pylist()
    [1.5, None]
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
    """A column of Arrow with one text again and again.

    >>> repeated("2024-03", 2).to_pylist()
    ['2024-03', '2024-03']
    """
    arrow, letters = pyarrow(), text.encode()
    ends = arrow.py_buffer(np.arange(times + 1, dtype=np.int32) * len(letters))
    return arrow.StringArray.from_buffers(times, ends, arrow.py_buffer(letters * times))


def parquet_writer(path: Path, schema: Arrow, compression: str = "snappy") -> Arrow:
    """What writes a Parquet file of players."""
    # A dictionary of numbers of which nearly each is another one takes time and room.
    repeated = [name for name in schema.names if name in _REPEATED]
    return pyarrow().parquet.ParquetWriter(
        path, schema, compression=compression, use_dictionary=repeated
    )


def duckdb() -> Arrow:
    """The database that prepares files; raises RatingError with what helps if it is not there."""
    try:
        import duckdb
    except ModuleNotFoundError as missing:
        raise _needed("duckdb") from missing
    return duckdb


def _needed(name: str) -> RatingError:
    return RatingError(f"files of this kind need {name}: pip install {name}")


def kind_of(path: Path) -> str:
    """What kind of file it is, by its beginning, or by its name if it is CSV.

    Raises RatingError for others.
    """
    if not path.is_file():
        return "arrow stream"
    with open(path, "rb") as file:
        begin = file.read(16)
    for kind, at, sign in _SIGNS:
        if begin[at:].startswith(sign):
            return kind
    if _CSV.search(path.name):
        return "csv"
    what = (
        ("neither Parquet nor CSV, an Arrow file, a DuckDB or an SQLite database, or it is cut off")
        if path.suffix.lower() in ENDINGS
        else "neither Parquet nor CSV, an Arrow file, a DuckDB or an SQLite database"
    )
    raise RatingError(f"{what} @ {path}")


def listed(sources: Iterable[Path]) -> list[Path]:
    """All files, those of folders in the order of their names and of the numbers in them.

    Raises RatingError for a file that is there twice, and a folder without any.
    """
    paths: dict[Path, Path] = {}
    for source in sources:
        files = [source]
        if source.is_dir():
            files = sorted(source.rglob("*.parquet"), key=lambda path: _by_numbers(str(path)))
            if not files:
                raise RatingError(f"no Parquet file in it @ {source}")
        for file in files:
            if paths.setdefault(file.resolve(), file) is not file:
                raise RatingError(f"the file is there twice @ {file}")
    return list(paths.values())


def _by_numbers(name: str) -> list[tuple[int, str]]:
    return [(int(x), "") if x.isdigit() else (-1, x) for x in _NUMBERS.split(name) if x]


def columns_of(names: Sequence[str], called: Mapping[str, str], where: object) -> dict[str, str]:
    """Which column is what, of games; ``called`` are those with names of their own.

    >>> columns_of(["White", "black", "Score"], {"result": "Score"}, "games.csv")
    {'white': 'White', 'black': 'black', 'result': 'Score'}

    Raises RatingError if one of the three is missing, or one is there twice.
    """
    there = by_name(names, where, [called.get(what, what) for what in WHAT])
    columns = {}
    for what in WHAT:
        name = there.get(called.get(what, what).strip().casefold())
        if name is not None:
            columns[what] = name
        elif what in called or what in WHAT[:3]:
            column = called.get(what, what)
            wrong = (
                f"no column {column!r}; the columns are: {', '.join(names)}"
                if names
                else f"no column {column!r}; the columns are: none"
            )
            raise RatingError(f"{wrong} @ {where}")
    return columns


def by_name(names: Sequence[str], where: object, wanted: Iterable[str]) -> dict[str, str]:
    """Columns by their names in small letters; RatingError for a wanted one that is there twice."""
    there: dict[str, str] = {}
    once = {name.strip().casefold() for name in wanted}
    for name in names:
        known = name.strip().casefold()
        if known in there and known in once:
            raise RatingError(f"two columns are called {name.strip()!r} @ {where}")
        there.setdefault(known, name)
    return there


@dataclass(frozen=True, slots=True)
class Parquet:
    """A Parquet file of games: its columns and its number of rows."""

    path: Path
    columns: Mapping[str, str]
    rows: int
    types: Mapping[str, Arrow]

    @classmethod
    def opened(cls, path: Path, called: Mapping[str, str]) -> Parquet:
        """The file, of which only the end has been read."""
        with open_parquet(path) as file:
            schema = file.schema_arrow
            columns = columns_of(schema.names, called, path)
            types = {what: schema.field(name).type for what, name in columns.items()}
            return cls(path, columns, file.metadata.num_rows, types)

    @property
    def has_period(self) -> bool:
        return "period" in self.columns

    @property
    def plain(self) -> bool:
        """Whether its numbers need no preparation."""
        types = pyarrow().types
        numbers = ["white", "black", *(["period"] if self.has_period else [])]
        score = self.types["result"]
        return (
            "id" not in self.types
            and all(types.is_integer(self.types[what]) for what in numbers)
            and (types.is_floating(score) or types.is_integer(score))
        )


def open_parquet(path: Path) -> Arrow:
    """A Parquet file to be read; raises RatingError, naming it, if it is none or is cut off."""
    arrow = pyarrow()
    try:
        return arrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=_BUFFER)
    except arrow.ArrowException as wrong:
        raise RatingError(f"{first_line(wrong)} @ {path}") from None


def in_batches(file: Arrow, names: Sequence[str], groups: Sequence[int] | None = None) -> Arrow:
    """Columns of an open Parquet file in batches; in one thread, as each thread keeps memory."""
    return file.iter_batches(BLOCK, row_groups=groups, columns=names, use_threads=False)


def first_line(wrong: Exception) -> str:
    r"""What an error of another library says, on one line that any terminal can show.

    >>> first_line(OSError("type \x0f is unknown.\nStack:"))
    'type \\x0f is unknown'

    Of one of Python's that another library passes on, that is the end.
    """
    lines = str(wrong).splitlines() or [type(wrong).__name__]
    passed_on = any("Traceback (most recent call last)" in line for line in lines)
    line = (lines[-1].partition(": ")[2] if passed_on else lines[0]).rstrip(".")
    return "".join(x if x.isprintable() else repr(x)[1:-1] for x in line)


class Batch(NamedTuple):
    """Some rows of games."""

    file: Path
    row: int
    """how many rows of the file are before them"""
    white: IntArray
    """rows of players; -1 for an unknown player"""
    black: IntArray
    score: FloatArray
    """NaN: not played; :data:`UNREADABLE`"""
    period: IntArray | None
    given: Mapping[str, Arrow]
    """the columns as the file has them"""


def batches(
    files: Sequence[Parquet], index: Index, *, period: bool, skip: int = 0
) -> Iterator[Batch]:
    """The games of plain files in batches, from a number of rows on.

    Raises RatingError, naming the file, where it cannot be read.
    """
    arrow = pyarrow()
    wanted = ["white", "black", "result", *(["period"] if period else [])]
    for file in files:
        if skip >= file.rows:
            skip -= file.rows
            continue
        with open_parquet(file.path) as opened:
            at = 0
            groups: list[int] = []
            for group in range(opened.num_row_groups):
                rows = opened.metadata.row_group(group).num_rows
                if at + rows <= skip:
                    at += rows
                else:
                    groups += range(group, opened.num_row_groups)
                    break
            names = [file.columns[what] for what in wanted]
            made = in_batches(opened, names, groups)
            while True:
                # only the reading: cells that are wrong are told elsewhere, with their rows
                try:
                    some = next(made, None)
                except (arrow.ArrowException, OSError) as wrong:
                    raise RatingError(f"{first_line(wrong)} @ {file.path}") from None
                if some is None:
                    break
                if at + some.num_rows > skip:
                    some = some.slice(max(skip - at, 0))
                    at = max(skip, at)
                    given = {what: some.column(file.columns[what]) for what in wanted}
                    yield Batch(
                        file.path,
                        at,
                        _players(given["white"], index),
                        _players(given["black"], index),
                        _scores(given["result"]),
                        _whole(given["period"], _NO_PERIOD) if period else None,
                        given,
                    )
                at += some.num_rows
        skip = 0


_NO_PERIOD: Final = np.iinfo(np.int64).min
"""Stands where a game has no period."""


def _whole(column: Arrow, missing: int) -> AnyArray:
    made = _content(column)
    if not column.null_count:
        return made
    return np.where(blank(column), missing, made.astype(np.int64))


def _players(column: Arrow, index: Index) -> IntArray:
    # before the first number, so that nobody has it
    return index.of(_whole(column, index.low - 1))


def _scores(column: Arrow) -> FloatArray:
    score: FloatArray = numpy_of(column).astype(float, copy=False)
    fine = (score == 0) | (score == 1) | (score == 0.5)
    if fine.all():
        return score
    return np.where(fine | np.isnan(score), score, UNREADABLE)


def without_period(batch: Batch) -> npt.NDArray[np.bool_]:
    """Which games of a batch have no period."""
    if batch.period is None:
        return np.zeros(batch.white.size, bool)
    missing: npt.NDArray[np.bool_] = batch.period == _NO_PERIOD
    return missing


def reason(
    white: object, black: object, rows: tuple[int, int], result: object, unreadable: bool
) -> str:
    """Why a game cannot be read; ``rows`` are those of its players, -1 for an unknown player.

    >>> reason("Ana", None, (0, -1), 1, False), reason("Ana", "Ana", (0, 0), 1, False)
    ('no second player', "'Ana' is paired with themselves")
    >>> reason("Ana", "Bo", (0, 1), 3, True), reason("Ana", "Bo", (0, 1), 1, False)
    ('result must be 1, 0.5 or 0, got 3', 'no period or date')
    """
    for what, name, row in (("first", white, rows[0]), ("second", black, rows[1])):
        if row < 0:
            if name is None or name == "":
                return f"no {what} player"
            return f"{name!r} is not in the list of players, or is there twice"
    if rows[0] == rows[1]:
        return f"{white!r} is paired with themselves"
    return f"result must be 1, 0.5 or 0, got {result!r}" if unreadable else "no period or date"
