"""Files of players and games of any kind: DuckDB parses, joins, sorts and goes to disk.

Games whose players are whole numbers, in Parquet files without days and ids, are streamed as they
lie; all others become a table of the database first, in which names are rows of players.
"""

from __future__ import annotations

import csv
import io
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from elo_xl.events.table import game_column, player_column
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
    return as_shown(line)


def as_shown(text: str) -> str:
    """A text without signs of control, as any terminal can show it."""
    return "".join(x if x.isprintable() else repr(x)[1:-1] for x in text)


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


def place(path: Path, row: object) -> str:
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
    headings = next(csv.reader(io.StringIO(head, newline=""), delimiter=separator))
    # blanks make every name another one for DuckDB; for by_name they do not count
    columns = ", ".join(
        f"{_text((heading.strip() or f'column {i}') + ' ' * i)}: 'VARCHAR'"
        for i, heading in enumerate(headings, 1)
    )
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
        except (
            *(self.wrong, pyarrow().ArrowException, sqlite3.Error),
            *(UnicodeError, OSError, RatingError),
        ) as wrong:
            # an OSError without a number is what Arrow says of damaged contents
            said = isinstance(wrong, RatingError) and " @ " in str(wrong)
            if said or (isinstance(wrong, OSError) and wrong.errno is not None):
                raise
            raise RatingError(f"{first_line(wrong)} @ {path}") from None

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
    others: Sequence[str]
    """columns that are not read, with how they would be"""

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
    names = as_shown(", ".join(map(str.strip, there.values())) or "none")
    key = next((what for what in ("id", "name") if what in there), None)
    if key is None:
        raise RatingError(f"no column 'id' or 'name'; the columns are: {names} @ {path}")
    if "rating" not in there:
        without = "no column 'rating', which is blank for unrated players"
        raise RatingError(f"{without}; the columns are: {names} @ {path}")
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
        wrong = base.rows(
            f"SELECT given, {key}, row, count(*) OVER () AS n"
            f" FROM (SELECT row, {key}, {what} AS given, {value} AS x FROM people)"
            f" WHERE NOT (x BETWEEN {least!r} AND {min(most, 1e308)!r}) ORDER BY row LIMIT {_SHOWN}"
        )
        if wrong:
            cells = ", ".join(
                f"{given} (player {who}, {place(path, row + first)})"
                for given, who, row, _ in wrong
            )
            more = wrong[0][-1] - len(wrong)
            cells += f", and {more:,} more" if more else ""
            problems.append(f"{_wrong(what, least, most, cells)} @ {path}")
        values = f"SELECT coalesce({value}, 'nan'::DOUBLE) AS x FROM people ORDER BY row"
        column: FloatArray = np.asarray(base.con.execute(values).fetchnumpy()["x"], float)
        # what all have in common takes no memory
        same = what != "rating" and (column == column[0]).all()
        numbers[what] = column[:1].copy() if same else column
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
    others = otherwise(there.values(), player_column, there, bounds)
    return Roster(key, ids.column(0).combine_chunks(), numbers, others)


def otherwise(
    names: Iterable[str], known: Callable[[str], str], there: Iterable[str], wanted: Iterable[str]
) -> list[str]:
    """Columns that are not read, as they have a name of small files, each with its name here.

    >>> otherwise(["id", "B-day", "Titel"], player_column, ["id"], ["age", "k"])
    ["'B-day' (as age)"]
    """
    means = ((name.strip(), known(name).replace("birth", "age")) for name in names)
    return [f"{name!r} (as {what})" for name, what in means if what in {*wanted} - {*there}]


def _wrong(column: str, least: float, most: float, cells: str) -> str:
    """What a column must be, and which of its cells are not.

    >>> _wrong("rating", 1.0, 4000.0, "0.5"), _wrong("games", 0.0, float("inf"), "x")
    ('rating must be a number from 1 to 4,000: 0.5', 'games must be a number of 0 or more: x')
    >>> _wrong("deviation", 1e-9, 1e6, "0")
    'deviation must be a number above 0, up to 1,000,000: 0'
    """
    span = f"from {least:,.0f} to {most:,.0f}"
    if 0 < least < 1:
        span = f"above 0, up to {most:,.0f}"
    elif most == np.inf:
        span = f"of {least:,.0f} or more"
    return f"{column} must be a number {span}: {cells}"


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
            listed_ = as_shown(", ".join(map(str.strip, names)) or "none")
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
_PLAIN: Final = {"white": "BIGINT", "black": "BIGINT", "result": "DOUBLE", "period": "BIGINT"}
"""The types of games that are streamed."""
_NEVER: Final = np.iinfo(np.int64).min
"""A period that is none."""
_TWICE: Final = np.inf
"""The score of a game whose id was there before."""


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
        self.base, self.files, self.by = base, files, by
        self.target = unread
        self.rows = self.unplayed = self.unread = 0
        self.others = list(roster.others)
        self.respelt: Sequence[str] = ()
        """names that players have in another spelling, for whom they are not taken"""
        self.sources: list[str] = []
        self.columns: list[dict[str, str]] = []
        numbers = plain and by is None and pyarrow().types.is_integer(roster.ids.type)
        for number, path in enumerate(files):
            source, types = base.table(path, f"games_{number}", table)
            columns = columns_of(types, called, path)
            if not number:
                self.others += otherwise(types, game_column, columns, ["date"])
            if by is not None and "date" not in columns:
                raise RatingError(f"no column 'date', which tells the {by} of a game @ {path}")
            if self.columns and columns.keys() != self.columns[0].keys():
                more = ", ".join(sorted(columns.keys() ^ self.columns[0].keys()))
                raise RatingError(f"not the columns of the other files: {more} @ {path}")
            self.sources.append(source)
            self.columns.append(columns)
            whole = [types[columns[x]] for x in ("white", "black", "period") if x in columns]
            result = types[columns["result"]]
            numbers &= kind_of(path) == "parquet" and "id" not in columns
            numbers &= all(map(_INTEGER.fullmatch, whole))
            numbers &= result in ("DOUBLE", "FLOAT") or bool(_INTEGER.fullmatch(result))
        self.timed = by is not None or "period" in self.columns[0]
        self.dated = "date" in self.columns[0]
        self.plain = bool(numbers)
        self.index = Index(numbers_of(roster.ids)) if self.plain else None
        self.all_rows = f"({' UNION ALL '.join(map(self._select, range(len(files))))})"
        base.rows("CREATE TABLE bad (source INT, row BIGINT, first INT, second INT, score DOUBLE)")
        self.queries = self._streamed() if self.plain else self._prepared()
        first = f"date_trunc('{by or 'day'}', min(day))::DATE"
        days = f"SELECT period, {first} FROM days WHERE day IS NOT NULL GROUP BY 1"
        self.days: dict[int, date] = dict(base.rows(days)) if self.dated else {}
        """the first day of each period, or of its games; if they are one period, of number 0"""

    def _select(self, number: int) -> str:
        """The rows of a file with their numbers."""
        kinds = _PLAIN if self.plain else {}
        cells = ", ".join(
            f"{_name(name)}::{kinds.get(what, 'VARCHAR')} AS {what}"
            for what, name in self.columns[number].items()
        )
        row = f"row_number() OVER () + {first_row(self.files[number]) - 1} AS row"
        return f"SELECT {number} AS source, {row}, {cells} FROM {self.sources[number]}"

    def _streamed(self) -> list[str]:
        """The queries of games that are as they have to be."""
        assert self.index is not None
        period = "period" if "period" in self.columns[0] else "0::BIGINT"
        if self.dated:
            day = _CALENDAR.format("try_cast(date AS TIMESTAMP)")
            days = f"SELECT {period} AS period, {day} AS day FROM {self.all_rows}"
            self.base.rows(f"CREATE VIEW days AS {days}")
        # what stands for a blank cell: Arrow's own way to say it takes a second to load
        one, two = (f"coalesce({side}, {self.index.low - 1})" for side in WHAT[:2])
        cells = f"{one}, {two}, coalesce(result, 'nan'), coalesce({period}, {_NEVER})"
        return [f"SELECT {cells} FROM ({self._select(i)})" for i in range(len(self.files))]

    def _prepared(self) -> list[str]:
        """The query of the table ``played`` of all games, which is made."""
        base, what, day = self.base, self.columns[0], "NULL::TIMESTAMP"
        if self.dated:
            day = _CALENDAR.format("coalesce(try_cast(g.date AS TIMESTAMP), d.day)")
        period = "0::BIGINT"
        if self.by is not None:
            period = PERIODS[self.by].replace("day)", f"({day})::DATE)")
        elif "period" in what:
            period = "try_cast(g.period AS BIGINT)"
        elif self.dated:
            period = f"CASE WHEN ({day}) IS NOT NULL THEN 0::BIGINT END"
        score = "coalesce(r.score, -1)::DOUBLE"
        if "id" in what:
            first = "row_number() OVER (PARTITION BY g.id ORDER BY g.source, g.row) = 1"
            score = f"CASE WHEN {first} THEN {score} ELSE '{_TWICE}' END"
        base.rows(f"CREATE TABLE games AS {self.all_rows}", *self.files)
        base.con.register("results", _results(base))
        if self.dated:
            base.con.register("dates", _dates(base))
        self.respelt = _find_others(base)
        base.rows(
            f"""CREATE TABLE played AS SELECT g.source::BIGINT AS source, g.row, {day} AS day,
                coalesce({period}, {_NEVER}) AS period, coalesce(w.row, -1)::INTEGER AS white,
                coalesce(b.row, -1)::INTEGER AS black, {score} AS result
            FROM games g LEFT JOIN keys w ON w.key = lower(trim(g.white))
                LEFT JOIN keys b ON b.key = lower(trim(g.black))
                LEFT JOIN results r ON r.text = coalesce(g.result, '')
                {"LEFT JOIN dates d ON d.text = g.date" if self.dated else ""}"""
        )
        base.rows("DROP TABLE games")
        base.rows(
            "CREATE VIEW days AS SELECT period, day FROM played WHERE white >= 0 AND black >= 0"
            " AND white <> black AND result IN (0, 0.5, 1)"
        )
        order = "source, row"
        if self.dated and (self.by is not None or not self.timed):
            order = f"day, {order}"
        return [f"SELECT white, black, result, period, row, source FROM played ORDER BY {order}"]

    def batches(self) -> Iterator[Batch]:
        """All games that can be rated, in their order; the others are counted and kept."""
        for number, sql in enumerate(self.queries):
            at = first_row(self.files[number])
            for batch in self._asked(sql, *self.files[number : number + 1]):
                white, black, score, period, *where = map(numbers_of, batch.columns)
                if self.index is not None:
                    white, black = self.index.of(white), self.index.of(black)
                    where = [np.arange(at, at + score.size), np.full(score.size, number)]
                    at += score.size
                row, file = where
                unplayed = np.isnan(score)
                fine = (white >= 0) & (black >= 0) & (white != black) & (period != _NEVER)
                fine &= (score == 0) | (score == 0.5) | (score == 1)
                self.rows += score.size
                self.unplayed += int(np.count_nonzero(unplayed))
                if not fine.all():
                    bad = ~(fine | unplayed)
                    self._keep(*(x[bad] for x in (file, row, white, black, score)))
                    white, black, score = white[fine], black[fine], score[fine]
                    period, row, file = period[fine], row[fine], file[fine]
                yield Batch(white, black, score, period if self.timed else None, row, file)

    def _asked(self, sql: str, *paths: Path) -> Iterator[Arrow]:
        try:
            yield from self.base.con.sql(sql).to_arrow_reader(BLOCK)
        except (self.base.wrong, OSError) as wrong:
            raise self.base.refused(wrong, *paths) from None

    def _keep(self, *columns: AnyArray) -> None:
        """Keep where the games are that cannot be read, and what is wrong."""
        names = "source", "row", "first", "second", "score"
        with self.base.con.cursor() as beside:
            beside.register("given", dict(zip(names, columns, strict=True)))
            beside.execute("INSERT INTO bad FROM given")
        self.unread += columns[0].size

    def write_unread(self) -> None:
        """Write the games that cannot be read, with the reasons."""
        what = "period" if "period" in self.columns[0] and self.by is None else "date"
        name = self.columns[0].get(what, what).strip()
        form = "a whole number" if what == "period" else "as in 2026-03-07"
        time = what if what in self.columns[0] else "NULL"
        rows = self.base.con.execute(
            f"SELECT source, row, white, black, result, {time}, first, second, score"
            f" FROM {self.all_rows} JOIN bad USING (source, row) ORDER BY source, row"
        )
        with open(self.target, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(UNREAD_COLUMNS)
            while some := rows.fetchmany(_ROWS):
                for source, row, one, two, result, at, first, second, score in some:
                    why = "its id is there twice"
                    if self.plain or score != _TWICE:
                        why = f"{name} must be {form}, got {at!r}" if at else f"no {name}"
                        known = score in (0, 0.5, 1)
                        why = reason(one, two, (first, second), result, not known, why)
                    cells = self.files[source], row, one, two, result, at, why
                    writer.writerow(kept_row(cells))


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
    sides = " UNION ".join(
        f"SELECT {x} AS text FROM games ANTI JOIN keys ON key = lower(trim({x}))" for x in WHAT[:2]
    )
    base.rows(f"CREATE TABLE others AS FROM ({sides}) WHERE text <> ''")
    if base.rows("SELECT count(*) FROM others") == [(0,)]:
        return []
    keys = base.rows(f"SELECT key FROM keys LIMIT {_SPELT + 1}")
    spelt = {form for (key,) in keys if len(keys) <= _SPELT for form in respelt(key)}
    base.con.create_function("same_name", same_name, ["VARCHAR"], "VARCHAR")
    base.rows(
        """INSERT INTO keys SELECT lower(trim(text)), min(known.row) FROM others JOIN (
            SELECT same_name(key) AS name, min(row) AS row FROM keys
            GROUP BY 1 HAVING min(row) = max(row)
        ) AS known ON known.name = same_name(text) GROUP BY 1"""
    )
    left = base.rows("SELECT text FROM others ANTI JOIN keys ON key = lower(trim(text))")
    return sorted(text for (text,) in left if not spelt.isdisjoint(respelt(text)))
