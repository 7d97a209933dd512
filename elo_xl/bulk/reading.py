"""Files of players and games of any kind: DuckDB parses, joins, sorts and goes to disk.

Games whose players are whole numbers, in Parquet files without days and ids, are streamed as they
lie; all others become a table of the database first, in which names are rows of players.
"""

from __future__ import annotations

import csv
import io
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import date
from glob import escape
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from elo_xl.bulk import ENDINGS, PERIODS
from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.errors import RatingError
from elo_xl.engine.games import BLOCK, Index
from elo_xl.engine.results import read_result
from elo_xl.events.fields import Dates, MixedDatesError
from elo_xl.people import respelt, same_name
from elo_xl.xlsx.cell_xml import kept_row

Arrow = Any
"""An object of Arrow or of DuckDB, libraries that may be absent and whose types are unknown."""
Bounds = Mapping[str, tuple[float, float]]
"""What is read of players, and between which numbers it has to be."""

MEMORY: Final = "1GB"
"""What DuckDB may take before it uses the disk."""
_SIGNS: Final = (
    ("parquet", 0, b"PAR1"),
    ("arrow", 0, b"ARROW1"),
    ("arrow", 0, b"\xff\xff\xff\xff"),  # a stream
    ("sqlite", 0, b"SQLite format 3\0"),
    ("duckdb", 8, b"DUCK"),
)
"""The kinds of files, and how they begin."""
_CSV: Final = re.compile(r"\.(csv|tsv|txt)(\.gz|\.zst)?", re.IGNORECASE)
WHAT: Final = ("white", "black", "result", "period", "date", "id")
"""The columns of games that are read; those of the players come first."""
_INTEGER: Final = re.compile("U?(BIG|SMALL|TINY|HUGE)?INT(EGER)?")
_RESULTS: Final = 10_000
"""Different results of games that are read; more are no results."""
_SPELT: Final = 200_000
"""Players up to whom their names are looked for in other spellings, which takes about a second."""
_CELL, _MOST, _FREE, _ROWS = 10_000_000, 20, 1 << 26, 1 << 12
"""Of a file of SQLite: bytes of a cell, how many times as large as the file its texts may be, the
letters of which nobody asks, and the rows of a batch."""
_HEAD: Final = 1 << 16
"""Bytes in which the headings of a CSV file end."""
_PACKED: Final = {".gz": "gzip", ".zst": "zstd"}
"""How CSV files are packed, by their endings; DuckDB does not know these after a question mark."""
_WIDTHS: Final = {"MISSING COLUMNS": "too few columns", "TOO MANY COLUMNS": "too many columns"}
UNREAD_COLUMNS: Final = ("file", "row", "white", "black", "result", "period", "reason")
_SHOWN: Final = 3
"""Of how many wrong numbers it is said whose they are."""


def pyarrow(*modules: str) -> Arrow:
    """The library that writes Parquet; raises RatingError with what helps if it is not there."""
    for name in ("pyarrow.parquet", *(f"pyarrow.{module}" for module in modules)):
        library(name)
    return import_module("pyarrow")


def library(name: str) -> Arrow:
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        known = name.partition(".")[0]
        raise RatingError(f"files of this kind need {known}: pip install {known}") from missing


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


# -- files ----------------------------------------------------------------------------------------


def kind_of(path: Path) -> str:
    """What kind of file it is, by its beginning, or by its name if it is CSV; or RatingError."""
    with open(path, "rb") as file:
        begin = file.read(16)
    for kind, at, sign in _SIGNS:
        if begin[at:].startswith(sign):
            return kind
    if _CSV.search(path.name):
        return "csv"
    what = "neither Parquet nor CSV, an Arrow file, a DuckDB or an SQLite database"
    cut = ", or it is cut off" if path.suffix.lower() in ENDINGS else ""
    raise RatingError(f"{what}{cut} @ {path}")


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
    return [(int(x), "") if x.isdigit() else (-1, x) for x in re.split(r"(\d+)", name) if x]


def first_row(path: Path) -> int:
    """The number of the first row of a file in messages: that of a CSV file is a line."""
    return 2 if kind_of(path) == "csv" else 1


def place(path: Path, row: int) -> str:
    """A row of a file in messages, by its number."""
    return f"{'line' if kind_of(path) == 'csv' else 'row'} {row}"


def _text(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def _name(name: str) -> str:
    """A name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def _file(path: Path) -> str:
    """A path in SQL where DuckDB would take it for a pattern, and ``~`` for a home."""
    return _text(escape(str(path.absolute())))


def _csv(path: Path, *options: str) -> str:
    """What stands after FROM for a CSV file, whose first line says how many columns all have.

    DuckDB would rather take another separator for lines of different widths.
    """
    packed = _PACKED.get(path.suffix.lower())
    with pyarrow().input_stream(str(path), compression=packed) as file:
        head = file.read(_HEAD).decode("utf-8-sig", "replace")
    if not head.strip():
        raise RatingError(f"the file is empty @ {path}")
    separator = max(",;\t|", key=head.partition("\n")[0].count)
    names: list[str] = []
    for name in next(csv.reader(io.StringIO(head, newline=""), delimiter=separator)):
        known = {other.casefold() for other in names}
        name = name or f"column {len(names) + 1}"
        while name.casefold() in known:
            name += " "  # another column for DuckDB, the same name for by_name
        names.append(name)
    columns = ", ".join(f"{_text(name)}: 'VARCHAR'" for name in names)
    how = (
        f"auto_detect = false, header = true, delim = {_text(separator)}, quote = '\"', "
        f"compression = {_text(packed or 'none')}"
    )
    return f"read_csv({', '.join((_file(path), how, f'columns = {{{columns}}}', *options))})"


class Database:
    """A DuckDB database in a folder of its own, with the tables of files."""

    def __init__(self, folder: Path) -> None:
        if "?" in str(folder.absolute()):
            what = "DuckDB cannot work below a question mark: let -o name another folder"
            raise RatingError(f"{what} @ {folder}")
        self.wrong: type[Exception] = library("duckdb").Error
        self.con = library("duckdb").connect(str(folder / "work.duckdb"))
        self.con.execute(f"SET memory_limit = '{MEMORY}'")
        self.con.execute(f"SET temp_directory = {_text(str(folder))}")

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.con.close()

    def rows(self, sql: str, *paths: Path) -> list[tuple[Any, ...]]:
        """The rows of a query; what DuckDB says of files is raised as RatingError."""
        try:
            rows: list[tuple[Any, ...]] = self.con.execute(sql).fetchall()
        except self.wrong as wrong:
            raise self.refused(wrong, *paths) from None
        return rows

    def refused(self, wrong: Exception, *paths: Path) -> RatingError:
        """What to raise for an error of DuckDB: the lines of a CSV file that are at fault, if it is
        one of these files, and otherwise what DuckDB says."""
        if "Could not write" in str(wrong):
            return RatingError(first_line(wrong))
        for path in paths:
            if kind_of(path) != "csv":
                continue
            with suppress(self.wrong):  # where it cannot go on after a line there are none
                self.con.execute(
                    f"SELECT count(*) FROM {_csv(path, 'store_rejects = true')}"
                ).fetchall()
                lines = self.con.execute(
                    "SELECT line, first(error_type), first(error_message), first(csv_line),"
                    " count(*) OVER () FROM reject_errors GROUP BY line ORDER BY line LIMIT 3"
                ).fetchall()
                if lines:
                    told = "; ".join(
                        f"{place(path, line)}: {_WIDTHS.get(kind, why.rstrip('.'))}, {text[:80]!r}"
                        for line, kind, why, text, _ in lines
                    )
                    if more := lines[0][-1] - len(lines):
                        told = f"{told}; and {more:,} more"
                    return RatingError(f"lines that cannot be read: {told} @ {path}")
        return RatingError(f"{first_line(wrong)}{f' @ {paths[0]}' if len(paths) == 1 else ''}")

    def table(self, path: Path, name: str, wanted: str = "") -> tuple[str, dict[str, str]]:
        """What stands after FROM for the rows of a file, and the types of its columns by name;
        ``wanted`` is its table, if it has some. Raises RatingError where it cannot be read."""
        kind = kind_of(path)
        try:
            if kind == "parquet":  # folders such as period=7 are no columns of a file
                source = f"read_parquet({_file(path)}, hive_partitioning = false)"
                names = pyarrow().parquet.read_schema(path).names
                by_name(names, path, names)  # DuckDB would give the second of one name another one
            elif kind == "csv":
                source = _csv(path)
            elif kind == "duckdb":
                source = self._attached(path, name, wanted)
            else:
                source = _name(name)
                with _rows_of(path, kind, name, wanted) as reader:
                    self.con.register("stream", reader)
                    self.con.execute(f"CREATE TABLE {source} AS FROM stream")
                    self.con.unregister("stream")
            return source, {row[0]: row[1] for row in self.rows(f"DESCRIBE FROM {source}")}
        except (self.wrong, pyarrow().ArrowException, sqlite3.Error, UnicodeError) as wrong:
            raise RatingError(f"{first_line(wrong)} @ {path}") from None
        except OSError as wrong:
            if wrong.errno is not None:
                raise
            # what Arrow says of damaged contents
            raise RatingError(f"{first_line(wrong)} @ {path}") from None
        except RatingError as wrong:
            raise wrong if " @ " in str(wrong) else RatingError(f"{wrong} @ {path}") from None

    def _attached(self, path: Path, name: str, wanted: str) -> str:
        inside = f"in_{name}"
        self.con.execute(f"ATTACH {_text(str(path.absolute()))} AS {_name(inside)} (READ_ONLY)")
        where = f"database_name = {_text(inside)}"
        tables = dict(self.rows(f"SELECT table_name, sql FROM duckdb_tables() WHERE {where}"))
        table = _one_of([*tables], wanted, name, path)
        if " GENERATED ALWAYS AS" in tables[table]:
            raise RatingError(
                f"table {table!r} has columns that are computed, which may have no end: "
                f"copy it (CREATE TABLE copy AS FROM {table}) @ {path}"
            )
        return f"{_name(inside)}.{_name(table)}"


def _one_of(tables: Sequence[str], wanted: str, usual: str, path: Path, more: str = "") -> str:
    usual = usual.partition("_")[0]
    only = tables[0] if len(tables) == 1 else ""
    for name in [wanted] if wanted else [usual, only]:
        if name in tables:
            return name
    there = ", ".join(tables) or "none"
    raise RatingError(f"no table {wanted or usual!r}; there are: {there} @ {path}{more}")


@contextmanager
def _rows_of(path: Path, kind: str, name: str, wanted: str) -> Iterator[Arrow]:
    """The rows of an Arrow file or stream, or of a file of SQLite, once."""
    arrow = pyarrow()
    if kind == "arrow":
        source = arrow.OSFile(str(path))
        if source.read(6) != b"ARROW1":
            source.seek(0)
            file = batches = arrow.ipc.open_stream(source)
        else:
            file = arrow.ipc.open_file(source)
            batches = map(file.get_batch, range(file.num_record_batches))
        by_name(file.schema.names, path, file.schema.names)
        with closing(arrow.RecordBatchReader.from_batches(file.schema, _sound(batches))) as made:
            yield made
        return
    # DuckDB asks for the rows in a thread of its own, while this one waits
    where = f"{path.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(where, uri=True, check_same_thread=False)) as file:
        rows = _stored(file, wanted, name, path)
        names = [column[0] for column in rows.description]
        schema = arrow.schema([(column, "string") for column in names])
        texts = _texts(rows, schema, path.stat().st_size)
        with closing(arrow.RecordBatchReader.from_batches(schema, texts)) as reader:
            yield reader


def _sound(batches: Iterable[Arrow]) -> Iterator[Arrow]:
    """The rows as they are; raises ArrowInvalid for texts that would lie outside of the file, at
    which DuckDB ends the process."""
    for batch in batches:
        batch.validate(full=True)
        yield batch


def _stored(file: sqlite3.Connection, wanted: str, usual: str, path: Path) -> sqlite3.Cursor:
    """What a file of SQLite holds, without what it computes: that of a view, a virtual table or a
    generated column may have no end."""
    file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _CELL)
    sql = "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')"
    tables: list[str] = []
    others: list[str] = []
    for name, kind, how in file.execute(sql):
        computed = kind == "view" or str(how).upper().startswith("CREATE VIRTUAL")
        (others if computed else tables).append(name)
    more = f" (not read: {', '.join(others)}, which hold no rows but compute them)"
    table = _one_of(tables, wanted, usual, path, more if others else "")
    sql = "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0"
    columns = ", ".join(_name(name) for (name,) in file.execute(sql, [table]))
    return file.execute(f"SELECT {columns} FROM {_name(table)}")


def _texts(rows: sqlite3.Cursor, schema: Arrow, size: int) -> Iterator[Arrow]:
    """A table of SQLite, whose columns have no types, as texts in batches.

    A column's default or a damaged file may give a few bytes again and again, as good as for ever:
    that ends with what a file of its ``size`` can hold.
    """
    left = max(_FREE, _MOST * size)
    while some := rows.fetchmany(16 if left < _FREE else _ROWS if size > _FREE else 64):
        columns = [
            [None if x is None else str(x) for x in column] for column in zip(*some, strict=True)
        ]
        left -= len(some) + sum(len(x) for column in columns for x in column if x)
        if left < 0:
            raise RatingError("it gives more than a file of its size can hold")
        arrow = pyarrow()
        yield arrow.RecordBatch.from_arrays(list(map(arrow.array, columns)), schema=schema)


# -- players --------------------------------------------------------------------------------------


class Roster(NamedTuple):
    """All players, in the order of their file."""

    column: str
    """what the column is called by which they are known: ``id``, or ``name`` without one"""
    ids: Arrow
    """that column, of Arrow"""
    numbers: dict[str, FloatArray]
    """what is known of each, such as ``rating``, or of all together; NaN: not known"""

    def get(self, name: str) -> FloatArray:
        """What is known; a single NaN if nothing is."""
        return self.numbers.get(name, np.full(1, np.nan))


def players_table(base: Database, path: Path, wanted: Iterable[str] = ()) -> dict[str, str]:
    """Make the table ``people`` of a file of players, all as texts beside their ``row``; returns
    its columns by their names in small letters."""
    source, types = base.table(path, "players", "players")
    there = by_name(types, path, ("id", "name", "rating", *wanted))
    columns = ", ".join(f"{_name(x)}::VARCHAR AS {_name(key)}" for key, x in there.items())
    base.rows(
        f"CREATE TABLE people AS SELECT row_number() OVER () - 1 AS row, {columns} FROM {source}",
        path,
    )
    return there


def read_players(base: Database, path: Path, bounds: Bounds) -> Roster:
    """The players of a file.

    Raises RatingError for a file that cannot be read or has no rows, one without ``rating`` and
    ``id`` or ``name``, players who are there twice or have no id, and for what is not a number
    within its bounds.
    """
    there = players_table(base, path, bounds)
    names = ", ".join(there.values()) or "none"
    key = next((what for what in ("id", "name") if what in there), None)
    if key is None:
        raise RatingError(f"no column 'id' or 'name'; the columns are: {names} @ {path}")
    if "rating" not in there:
        wrong = "no column 'rating', which is blank for unrated players"
        raise RatingError(f"{wrong}; the columns are: {names} @ {path}")
    first = first_row(path)
    ((size, nameless, whole),) = base.rows(
        f"SELECT count(*), min(row) FILTER ({key} IS NULL), "
        f"bool_and(regexp_full_match({key}, '0|-?[1-9][0-9]{{0,17}}')) FROM people"
    )
    if not size:
        raise RatingError(f"there are no players @ {path}")
    if nameless is not None:
        raise RatingError(f"a player without {key} in {place(path, nameless + first)} @ {path}")
    for (twice,) in base.rows(f"SELECT {key} FROM people GROUP BY 1 HAVING count(*) > 1 LIMIT 1"):
        raise RatingError(f"player {int(twice) if whole else twice!r} is there twice @ {path}")
    numbers: dict[str, FloatArray] = {}
    problems = []
    for what, (least, most) in bounds.items():
        if what not in there:
            continue
        blank = "0e0" if what in ("rating", "peak") else "NULL"  # lists print 0 for unrated players
        value = f"coalesce(try_cast(trim({what}) AS DOUBLE), 'inf')"
        value = (
            f"CASE WHEN coalesce(trim({what}), '') IN ('', 'nan') THEN NULL "
            f"ELSE nullif({value}, {blank}) END"
        )
        wrong = (
            f"FROM (SELECT row, {key}, {what} AS given, {value} AS x FROM people)"
            f" WHERE x IS NOT NULL AND NOT (x BETWEEN {least!r} AND {_most(most)})"
        )
        ((count,),) = base.rows(f"SELECT count(*) {wrong}")
        if count:
            cells = ", ".join(
                f"{given} (player {who}, {place(path, row + first)})"
                for given, who, row in base.rows(
                    f"SELECT given, {key}, row {wrong} ORDER BY row LIMIT {_SHOWN}"
                )
            )
            more = f", and {count - _SHOWN:,} more" if count > _SHOWN else ""
            problems.append(f"{_wrong(what, least, most, cells + more)} @ {path}")
        numbers[what] = _column(base, f"coalesce({value}, 'nan'::DOUBLE)", "people", what)
    if problems:
        raise RatingError("\n".join(problems))
    if "played" not in numbers and "games" in numbers:  # what a rating list calls games
        numbers["played"] = numbers["games"]
    numbers.pop("games", None)
    kind = "BIGINT" if whole else "VARCHAR"
    ids = base.con.sql(f"SELECT {key}::{kind} FROM people ORDER BY row").to_arrow_table()
    own = "name" if key == "id" and "name" in there else "NULL"
    # an id counts before a name, and what two players have in common means nobody
    base.rows(
        f"""CREATE TABLE keys AS SELECT key, min(row)::INTEGER AS row FROM (
            SELECT *, min(kind) OVER (PARTITION BY key) AS least FROM (
                SELECT lower(trim({key})) AS key, row, 0 AS kind FROM people
                UNION ALL SELECT lower(trim({own})), row, 1 FROM people WHERE {own} IS NOT NULL
            )) WHERE kind = least AND key <> '' GROUP BY key HAVING count(*) = 1"""
    )
    return Roster(key, ids.column(0).combine_chunks(), numbers)


def _most(most: float) -> str:
    return "1e308" if most == np.inf else repr(most)


def _column(base: Database, value: str, table: str, what: str) -> FloatArray:
    """A column as numbers; what all have in common takes no memory."""
    made: FloatArray = base.con.execute(
        f"SELECT {value} AS x FROM {table} ORDER BY row"
    ).fetchnumpy()["x"]
    numbers = np.asarray(made, float)
    return numbers[:1].copy() if what != "rating" and (numbers == numbers[0]).all() else numbers


def _wrong(column: str, least: float, most: float, cells: str) -> str:
    """What a column must be, and which of its cells are not.

    >>> _wrong("rating", 1.0, 4000.0, "0.5"), _wrong("games", 0.0, float("inf"), "x")
    ('rating must be a number from 1 to 4,000: 0.5', 'games must be a number of 0 or more: x')
    >>> _wrong("deviation", 1e-9, 1e6, "0")
    'deviation must be a number above 0, up to 1,000,000: 0'
    """
    if 0 < least < 1:
        return f"{column} must be a number above 0, up to {most:,.0f}: {cells}"
    if most == np.inf:
        return f"{column} must be a number of {least:,.0f} or more: {cells}"
    return f"{column} must be a number from {least:,.0f} to {most:,.0f}: {cells}"


# -- games ----------------------------------------------------------------------------------------


class Batch(NamedTuple):
    """Some games that can be rated."""

    white: IntArray
    """rows of players"""
    black: IntArray
    score: FloatArray
    period: IntArray | None
    row: IntArray
    """the row of the file"""
    file: IntArray
    """which of the files"""


def columns_of(names: Iterable[str], called: Mapping[str, str], where: object) -> dict[str, str]:
    """Which column is what, of games; ``called`` are those with names of their own.

    >>> columns_of(["White", "black", "Score"], {"result": "Score"}, "games.csv")
    {'white': 'White', 'black': 'black', 'result': 'Score'}

    Raises RatingError if one of the three is missing, or one is there twice.
    """
    there = by_name(names, where, [called.get(what, what) for what in WHAT])
    columns = {}
    for what in WHAT:
        column = called.get(what, what)
        name = there.get(column.strip().casefold())
        if name is not None:
            columns[what] = name
        elif what in called or what in WHAT[:3]:
            listed_ = ", ".join(names) or "none"
            raise RatingError(f"no column {column!r}; the columns are: {listed_} @ {where}")
    return columns


def by_name(names: Iterable[str], where: object, wanted: Iterable[str]) -> dict[str, str]:
    """Columns by their names in small letters; RatingError for a wanted one that is there twice."""
    there: dict[str, str] = {}
    once = {name.strip().casefold() for name in wanted}
    for name in names:
        known = name.strip().casefold()
        if known in there and known in once:
            raise RatingError(f"two columns are called {name.strip()!r} @ {where}")
        there.setdefault(known, name)
    return there


_CALENDAR: Final = "CASE WHEN year({0}) BETWEEN 1 AND 9999 THEN {0} END"
"""A day, if Python knows it."""
_UNPLAYED: Final = "isnan(result) AND NOT twice"
"""A game that was not played needs no players."""


class Games:
    """The games of some files, whose players ``roster`` knows."""

    def __init__(
        self,
        base: Database,
        files: Sequence[Path],
        roster: Roster,
        *,
        by: str | None,
        table: str,
        called: Mapping[str, str],
        plain: bool,
        unread: Path,
    ) -> None:
        self.base, self.files, self.roster, self.by = base, files, roster, by
        self.target = unread
        self.rows = self.unplayed = self.unread = 0
        self.days: dict[int, date] = {}
        """the first day of each period, if the games have days; of all games that of number 0"""
        self.respelt: Sequence[str] = ()
        """names that players have in another spelling, for whom they are not taken"""
        self.sources: list[str] = []
        self.columns: list[dict[str, str]] = []
        self.timed = self.dated = False
        numbers = plain and by is None and pyarrow().types.is_integer(roster.ids.type)
        for number, path in enumerate(files):
            source, types = base.table(path, f"games_{number}", table)
            columns = columns_of(types, called, path)
            if by is not None and "date" not in columns:
                raise RatingError(f"no column 'date', which tells the {by} of a game @ {path}")
            if self.columns and columns.keys() != self.columns[0].keys():
                more = ", ".join(sorted(columns.keys() ^ self.columns[0].keys()))
                raise RatingError(f"not the columns of the other files: {more} @ {path}")
            self.sources.append(source)
            self.columns.append(columns)
            whole = [x for x in ("white", "black", "period") if x in columns]
            result = types[columns["result"]]
            numbers &= (
                kind_of(path) == "parquet"
                and "id" not in columns
                and all(_INTEGER.fullmatch(types[columns[x]]) for x in whole)
                and (result in ("DOUBLE", "FLOAT") or bool(_INTEGER.fullmatch(result)))
            )
        self.plain = bool(numbers)
        what = self.columns[0] if self.columns else {}
        self.timed, self.dated = by is not None or "period" in what, "date" in what
        if self.plain:
            self._first_days()
        else:
            self._prepare()

    def _select(self, number: int) -> str:
        """The rows of a file with their numbers."""
        columns = self.columns[number].items()
        texts = ", ".join(f"{_name(name)}::VARCHAR AS {what}" for what, name in columns)
        row = f"row_number() OVER () + {first_row(self.files[number]) - 1} AS row"
        return f"SELECT {number} AS source, {row}, {texts} FROM {self.sources[number]}"

    def _first_days(self) -> None:
        for source, columns in zip(self.sources, self.columns, strict=True) if self.dated else ():
            period = _name(columns["period"]) if "period" in columns else "0"
            day = _CALENDAR.format(f"try_cast({_name(columns['date'])}::VARCHAR AS TIMESTAMP)")
            for number, first in self.base.rows(
                f"SELECT {period}::BIGINT, min({day})::DATE FROM {source} GROUP BY 1"
            ):
                if first is not None:
                    self.days[number] = min(first, self.days.get(number, first))

    def _prepare(self) -> None:
        """Make the table ``played`` of all games."""
        base, what = self.base, self.columns[0]
        day = _CALENDAR.format("coalesce(try_cast(g.date AS TIMESTAMP), d.day)")
        day = day if self.dated else "NULL::TIMESTAMP"
        period = "try_cast(g.period AS BIGINT)" if "period" in what else "NULL::BIGINT"
        if self.by is not None:
            period = PERIODS[self.by].replace("day)", f"({day})::DATE)")
        twice, time = "FALSE", "g.date" if self.dated else "NULL"
        if "period" in what and self.by is None:
            time = "g.period"
        if "id" in what:
            twice = "row_number() OVER (PARTITION BY g.id ORDER BY g.source, g.row) > 1"
        made = " UNION ALL ".join(self._select(i) for i in range(len(self.files)))
        base.rows(f"CREATE TABLE games AS {made}", *self.files)
        base.con.register("results", _results(base))
        if self.dated:
            base.con.register("dates", _dates(base))
        base.rows(
            f"""CREATE TABLE played AS SELECT g.source, g.row, {day} AS day, {period} AS period,
                coalesce(w.row, -1)::INTEGER AS white, coalesce(b.row, -1)::INTEGER AS black,
                coalesce(r.score, -1)::DOUBLE AS result, {twice} AS twice,
                g.white AS first, g.black AS second, g.result AS text, {time} AS time
            FROM games g LEFT JOIN keys w ON w.key = lower(trim(g.white))
                LEFT JOIN keys b ON b.key = lower(trim(g.black))
                LEFT JOIN results r ON r.text = coalesce(g.result, '')
                {"LEFT JOIN dates d ON d.text = g.date" if self.dated else ""}"""
        )
        base.rows("DROP TABLE games")
        self.respelt = _find_others(base)
        bad = "white < 0 OR black < 0 OR white = black OR result < 0 OR twice"
        if self.timed:
            bad += " OR period IS NULL"
        elif self.dated:
            bad += " OR day IS NULL"
        count = f"SELECT count(*), count(*) FILTER ({_UNPLAYED}) FROM played"
        ((self.rows, self.unplayed),) = base.rows(count)
        self.fine = f"FROM played WHERE NOT ({_UNPLAYED}) AND NOT ({bad})"
        wrong = base.con.execute(
            "SELECT source, row, first, second, text, time, white, black, twice, result FROM played"
            f" WHERE NOT ({_UNPLAYED}) AND ({bad}) ORDER BY source, row"
        )
        while some := wrong.fetchmany(_ROWS):
            self._keep(some)
        first = (
            f"SELECT coalesce(period, 0), min(day)::DATE {self.fine} AND day IS NOT NULL GROUP BY 1"
        )
        self.days = dict(base.rows(first)) if self.dated else {}

    def _keep(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Write games that cannot be read, with the reasons."""
        begun = self.target.exists()
        with open(self.target, "a", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            if not begun:
                writer.writerow(UNREAD_COLUMNS)
            for source, row, first, second, text, time, white, black, twice, result in rows:
                why = (
                    "its id is there twice"
                    if twice
                    else reason(first, second, (white, black), text, result < 0, self._when(time))
                )
                line = (self.files[source], row, first, second, text, time, why)
                writer.writerow(kept_row(line))
                self.unread += 1

    def _when(self, time: object) -> str:
        """What is wrong with the day or the period of a game."""
        what = "period" if "period" in self.columns[0] and self.by is None else "date"
        name = self.columns[0].get(what, what)
        form = "a whole number" if what == "period" else "as in 2026-03-07"
        return (
            f"no {name}" if time is None or time == "" else f"{name} must be {form}, got {time!r}"
        )

    def batches(self) -> Iterator[Batch]:
        """All games that can be rated, in their order."""
        if self.plain:
            yield from self._streamed()
            return
        order = "source, row"
        if self.dated and (self.by is not None or not (self.timed and self.by is None)):
            order = f"day, {order}"
        period = "period" if self.timed else "0::BIGINT"
        sql = f"SELECT white, black, result, {period} AS period, row, source {self.fine}"
        for batch in self._asked(f"{sql} ORDER BY {order}"):
            white, black, score, number, row, file = map(numbers_of, batch.columns)
            yield Batch(white, black, score, number if self.timed else None, row, file)

    def _asked(self, sql: str, *paths: Path) -> Iterator[Arrow]:
        try:
            yield from self.base.con.sql(sql).to_arrow_reader(BLOCK)
        except (self.base.wrong, OSError) as wrong:
            raise self.base.refused(wrong, *paths) from None

    def _streamed(self) -> Iterator[Batch]:
        index = Index(numbers_of(self.roster.ids))
        none = np.iinfo(np.int64).min
        # what stands for a blank cell: Arrow's own way to say it takes a second to load
        blank = {"white": index.low - 1, "black": index.low - 1, "result": "'nan'", "period": none}
        for number, path in enumerate(self.files):
            cells = ", ".join(
                f"coalesce({_name(self.columns[number][what])}"
                f"::{'DOUBLE' if what == 'result' else 'BIGINT'}, {instead})"
                for what, instead in [*blank.items()][: 4 if self.timed else 3]
            )
            at = first_row(path)
            for batch in self._asked(f"SELECT {cells} FROM {self.sources[number]}", path):
                given = [numbers_of(column) for column in batch.columns]
                white, black, score = index.of(given[0]), index.of(given[1]), given[2]
                unplayed = np.isnan(score)
                fine = (white >= 0) & (black >= 0) & (white != black)
                fine &= (score == 0) | (score == 0.5) | (score == 1)
                if self.timed:
                    fine &= given[3] != none
                self.rows += score.size
                self.unplayed += int(np.count_nonzero(unplayed))
                row = np.arange(at, at + score.size)
                at += score.size
                if not fine.all():
                    bad = np.flatnonzero(~(fine | unplayed))
                    self._keep(_unread(number, row, given, white, black, bad, blank.values()))
                    white, black, score, row = (x[fine] for x in (white, black, score, row))
                period = given[3][fine] if self.timed else None
                yield Batch(white, black, score, period, row, np.full(row.size, number))


def _unread(
    source: int,
    row: IntArray,
    given: Sequence[AnyArray],
    white: IntArray,
    black: IntArray,
    bad: IntArray,
    blank: Iterable[object],
) -> Iterator[tuple[Any, ...]]:
    for i in bad.tolist():
        cells = [None if x[i] == no else x[i].item() for x, no in zip(given, blank, strict=False)]
        score = 0 if cells[2] in (0, 0.5, 1) else -1
        cells = [*cells, None][:4]
        yield (source, int(row[i]), *cells, white[i], black[i], False, score)


def numbers_of(column: Arrow) -> AnyArray:
    """A column of Arrow in which no number is missing, as NumPy has it."""
    made: AnyArray = np.frombuffer(column.buffers()[1], column.type.to_pandas_dtype())
    return made[column.offset : column.offset + len(column)]


def reason(
    white: object,
    black: object,
    rows: tuple[int, int],
    result: object,
    unreadable: bool,
    otherwise: str,
) -> str:
    """Why a game cannot be read; ``rows`` are those of its players, -1 for an unknown player.

    >>> reason("Ana", None, (0, -1), 1, False, ""), reason("Ana", "Ana", (0, 0), 1, False, "")
    ('no second player', "'Ana' is paired with themselves")
    >>> reason("Ana", "Bo", (0, 1), 3, True, ""), reason("Ana", "Bo", (0, 1), 1, False, "no date")
    ('result must be 1, 0.5 or 0, got 3', 'no date')
    """
    for what, name, row in (("first", white, rows[0]), ("second", black, rows[1])):
        if row < 0:
            if name is None or name == "":
                return f"no {what} player"
            return f"{name!r} is not in the list of players, or is there twice"
    if rows[0] == rows[1]:
        return f"{white!r} is paired with themselves"
    return f"result must be 1, 0.5 or 0, got {result!r}" if unreadable else otherwise


def backwards(period: int, before: int, path: Path, row: int) -> RatingError:
    """What to raise for a period that comes after a later one."""
    what = f"period {period} comes after period {before}, in {place(path, row)}"
    return RatingError(f"{what} @ {path}")


def _results(base: Database) -> Arrow:
    """The results that occur, as scores; those that cannot be read are left out."""
    scores: dict[str, float] = {}
    for (text,) in base.rows(f"SELECT DISTINCT coalesce(result, '') FROM games LIMIT {_RESULTS}"):
        with suppress(RatingError):
            score = read_result(text)[0]
            scores[text] = float("nan") if score is None else score
    return _of_texts(scores, "score", "float64")


def _of_texts(known: Mapping[str, object], name: str, kind: str) -> Arrow:
    """A table of texts and what each means."""
    arrow = pyarrow()
    columns = arrow.array(list(known), "string"), arrow.array(list(known.values()), kind)
    return arrow.table(columns, names=["text", name])


def _dates(base: Database) -> Arrow:
    """The dates that DuckDB does not read, if all of them together leave each one meaning."""
    sql = "SELECT DISTINCT date FROM games WHERE try_cast(date AS TIMESTAMP) IS NULL"
    texts = [text for (text,) in base.rows(f"{sql} AND date <> '' LIMIT {_RESULTS}")]
    days: dict[str, date | None] = {}
    with suppress(MixedDatesError):
        dates = Dates(texts)
        days = {text: dates.read(text) for text in texts if dates.otherwise(text) is None}
    return _of_texts(days, "day", "date32")


def _find_others(base: Database) -> list[str]:
    """Find those whose names are the same except for what a database does not see: blanks within,
    forms of one letter. What remains are names of nobody; those that somebody has in another
    spelling are given back."""
    sides = ("white", "first"), ("black", "second")
    wanted = " UNION ".join(f"SELECT {text} FROM played WHERE {row} < 0" for row, text in sides)
    names = {text: same_name(text) for (text,) in base.rows(wanted) if text}
    if not names:
        return []
    missing = frozenset(names.values())
    known: dict[str, int | None] = {}
    spelt: set[str] = set()
    ((count,),) = base.rows("SELECT count(*) FROM keys")
    keys = base.con.execute("SELECT key, row FROM keys")
    while some := keys.fetchmany(_ROWS):
        for key, row in some:
            if (name := same_name(key)) in missing:
                known[name] = row if known.get(name, row) == row else None
            if count <= _SPELT:
                spelt.update(respelt(key))
    matches = {text: row for text, name in names.items() if (row := known.get(name)) is not None}
    for side, text in sides:
        for one, row in matches.items():
            base.con.execute(
                f"UPDATE played SET {side} = ? WHERE {side} < 0 AND {text} = ?", [row, one]
            )
    unknown = names.keys() - matches.keys()
    return sorted(text for text in unknown if not spelt.isdisjoint(respelt(text)))
