"""Files of any kind as one plain Parquet file: names as rows of players, games in their order.

DuckDB does it, and uses the disk where memory does not suffice: results in any notation become
numbers, names and numbers become rows of players, days become periods, and a game whose ``id`` was
there before is left out. Without days games keep the order of the files.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import date
from glob import escape
from pathlib import Path
from typing import Final

from elo_xl.bulk import PERIODS
from elo_xl.bulk.files import (
    UNREADABLE,
    Arrow,
    Parquet,
    by_name,
    columns_of,
    duckdb,
    first_line,
    kind_of,
    open_parquet,
    pyarrow,
    reason,
)
from elo_xl.engine.errors import RatingError
from elo_xl.engine.results import read_result
from elo_xl.people import respelt, same_name
from elo_xl.xlsx.cell_xml import kept_row

MEMORY: Final = "1GB"
"""What DuckDB may take before it uses the disk."""
_RESULTS: Final = 10_000
"""Different results of games that are read; more are no results."""
_ROWS: Final = 1 << 16
_SPELT: Final = 200_000
"""Players up to whom their names are looked for in other spellings, which takes about a second."""
_CELL: Final = 10_000_000
"""Bytes of a cell, beyond which no file of SQLite is read."""
_MOST: Final = 20
"""How many times as large as a file of SQLite its texts may be; numbers become five times so."""
_FREE: Final = 1 << 26
"""The letters of a file of SQLite up to which nobody asks, and of which a batch is made."""
_FEW: Final = 16
"""Rows of SQLite after which it is asked how long their cells are."""
_LONG: Final = (str, bytes)
_HEAD: Final = 1 << 16
"""Bytes in which the headings of a CSV file end."""
_SEPARATORS: Final = ",;\t|"
_PACKED: Final = {".gz": "gzip", ".zst": "zstd"}
"""How CSV files are packed, by their endings; DuckDB does not know these after a question mark."""
_WIDTHS: Final = {"MISSING COLUMNS": "too few columns", "TOO MANY COLUMNS": "too many columns"}
"""What DuckDB calls lines that are not as wide as the headings."""

_FINE: Final = "year(day) BETWEEN 1 AND 9999"
"""Whether there is a day, and one that Python knows."""

UNREAD_COLUMNS: Final = ("file", "row", "white", "black", "result", "period", "reason")
"""The columns of the file of games that could not be read."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What has become of the files."""

    games: Parquet
    rows: int
    """all rows of the files"""
    unplayed: int
    unread: int
    days: Mapping[int, date]
    """the first day of each period, if the games have days; of all games that of number 0"""
    respelt: Sequence[str] = ()
    """names that players have in another spelling, for whom they are not taken"""


class Database:
    """A DuckDB database in a folder of its own, with the tables of files by name."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "prepare.duckdb"
        self.path.unlink(missing_ok=True)
        if "?" in str(self.path.absolute()):
            what = "DuckDB cannot work below a question mark: let -o name another folder"
            raise RatingError(f"{what} @ {folder}")
        self.con = duckdb().connect(str(self.path))
        self.con.execute(f"SET memory_limit = '{MEMORY}'")
        self.con.execute(f"SET temp_directory = {_text(str(folder))}")

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.con.close()
        self.path.unlink(missing_ok=True)

    def rows(self, sql: str) -> list[tuple[Arrow, ...]]:
        """The rows of a query; what DuckDB says of a file is raised as RatingError."""
        try:
            rows: list[tuple[Arrow, ...]] = self.con.execute(sql).fetchall()
        except duckdb().Error as wrong:
            raise RatingError(first_line(wrong)) from None
        return rows

    def table(self, path: Path, name: str, wanted: str = "") -> str:
        """What stands after FROM for the rows of a file; ``wanted`` is its table, if it has some.

        Raises RatingError, naming the file, where it cannot be read.
        """
        kind = kind_of(path)
        if kind == "parquet":
            with open_parquet(path) as file:  # DuckDB would give the second of one name another one
                names = file.schema_arrow.names
                by_name(names, path, names)
            # folders such as period=7 are no columns of a file
            return f"read_parquet({_file(path)}, hive_partitioning = false)"
        if kind == "csv":
            return _csv(path)
        if kind in ("sqlite", "duckdb"):
            return self._of_database(path, kind, name, wanted)
        arrow = pyarrow()
        opened = arrow.ipc.open_stream if kind == "arrow stream" else arrow.ipc.open_file
        try:
            source = opened(arrow.OSFile(str(path)))
        except arrow.ArrowException as wrong:
            raise RatingError(f"{first_line(wrong)} @ {path}") from None
        by_name(source.schema.names, path, source.schema.names)
        if kind == "arrow stream":
            return self._kept(name, source, path)
        batches = (source.get_batch(i) for i in range(source.num_record_batches))
        reader = arrow.RecordBatchReader.from_batches(source.schema, batches)
        return self._kept(name, reader, path)

    def refused(self, wrong: Exception, *paths: Path) -> RatingError:
        """What to raise for an error of DuckDB: the lines of a CSV file that are at fault, if it is
        one of these files, and otherwise what DuckDB says."""
        for path in paths:
            if kind_of(path) != "csv":
                continue
            with suppress(RatingError):  # where it cannot go on after a line there are none
                self.rows(f"SELECT count(*) FROM {_csv(path, 'store_rejects = true')}")
                lines = self.rows(
                    "SELECT line, first(error_type), first(error_message), first(csv_line),"
                    " count(*) OVER () FROM reject_errors GROUP BY line ORDER BY line LIMIT 3"
                )
                if lines:
                    listed = "; ".join(
                        f"{place(path, line)}: {_why(kind, why)}, {text[:80]!r}"
                        for line, kind, why, text, _ in lines
                    )
                    if more := lines[0][-1] - len(lines):
                        listed = f"{listed}; and {more:,} more"
                    return RatingError(f"lines that cannot be read: {listed} @ {path}")
        where = f" @ {paths[0]}" if len(paths) == 1 else ""
        return RatingError(f"{first_line(wrong)}{where}")

    def _kept(self, name: str, reader: Arrow, path: Path) -> str:
        """A stream, which can be read once only, as a table of this database."""
        self.con.register("stream", reader)
        try:
            self.con.execute(f"CREATE TABLE {_name(name)} AS FROM stream")
        except duckdb().Error as wrong:
            raise RatingError(f"{first_line(wrong)} @ {path}") from None
        self.con.unregister("stream")
        return _name(name)

    def _of_database(self, path: Path, kind: str, name: str, wanted: str) -> str:
        if kind == "duckdb":
            inside = f"in_{name}"
            try:
                self.con.execute(
                    f"ATTACH {_text(str(path.absolute()))} AS {_name(inside)} (READ_ONLY)"
                )
            except duckdb().Error as wrong:
                raise RatingError(f"{first_line(wrong)} @ {path}") from None
            where = f"database_name = {_text(inside)}"
            tables: dict[str, str] = dict(
                self.rows(f"SELECT table_name, sql FROM duckdb_tables() WHERE {where}")
            )
            table = _one_of([*tables], wanted, name, path)
            if " GENERATED ALWAYS AS" in tables[table]:
                raise RatingError(
                    f"table {table!r} has columns that are computed, which may have no end: "
                    f"copy it (CREATE TABLE copy AS FROM {table}) @ {path}"
                )
            return f"{_name(inside)}.{_name(table)}"
        try:
            where = f"{path.resolve().as_uri()}?mode=ro"
            # DuckDB asks for the rows in a thread of its own, while this one waits
            with closing(sqlite3.connect(where, uri=True, check_same_thread=False)) as file:
                rows = _stored(file, wanted, name, path)
                return self._kept(name, _as_arrow(rows, path.stat().st_size), path)
        except (sqlite3.Error, UnicodeError) as wrong:
            raise RatingError(f"{first_line(wrong)} @ {path}") from None

    def columns(self, table: str, path: Path) -> dict[str, str]:
        """The columns of a table with their types."""
        try:
            return {row[0]: row[1] for row in self.rows(f"DESCRIBE FROM {table}")}
        except RatingError as wrong:
            raise RatingError(f"{first_line(wrong)} @ {path}") from None


def _one_of(tables: Sequence[str], wanted: str, usual: str, path: Path) -> str:
    for name in (wanted, usual.partition("_")[0], tables[0] if len(tables) == 1 else ""):
        if name in tables:
            return name
        if wanted:
            break
    table = wanted or usual.partition("_")[0]
    what = (
        f"no table {table!r}; there are: {', '.join(tables)}"
        if tables
        else f"no table {table!r}; there are: none"
    )
    raise RatingError(f"{what} @ {path}")


def _why(kind: str, why: str) -> str:
    """What is wrong with a line of a CSV file, by what DuckDB says."""
    return _WIDTHS[kind] if kind in _WIDTHS else why.rstrip(".")


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
    try:
        table = _one_of(tables, wanted, usual, path)
    except RatingError as wrong:
        if not others:
            raise
        what = f"{wrong} (not read: {', '.join(others)}, which hold no rows but compute them)"
        raise RatingError(what) from None
    sql = "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0"
    columns = ", ".join(_name(name) for (name,) in file.execute(sql, [table]))
    return file.execute(f"SELECT {columns} FROM {_name(table)}")


def _as_arrow(rows: sqlite3.Cursor, size: int) -> Arrow:
    """A table of SQLite, whose columns have no types, as texts in batches.

    A column's default or a damaged file may give a few bytes again and again, as good as for ever:
    that ends with what a file of its ``size`` can hold. Nothing else takes long without rows, as
    nothing is computed, so the time needs no limit.
    """
    arrow = pyarrow()
    names = [column[0] for column in rows.description]
    schema = arrow.schema([(name, "string") for name in names])

    def batches() -> Iterator[Arrow]:
        left = max(_FREE, _MOST * size)
        while some := _some(rows):
            columns = zip(*some, strict=True)
            texts = [[None if x is None else str(x) for x in column] for column in columns]
            left -= len(some) + sum(sum(map(len, filter(None, column))) for column in texts)
            if left < 0:
                raise RatingError("it gives more than a file of its size can hold")
            yield arrow.RecordBatch.from_arrays(list(map(arrow.array, texts)), schema=schema)

    return arrow.RecordBatchReader.from_batches(schema, batches())


def _some(rows: sqlite3.Cursor) -> list[tuple[Arrow, ...]]:
    """The next rows, as many as a batch has room for."""
    some: list[tuple[Arrow, ...]] = []
    room = _FREE
    while room > 0 and len(some) < _ROWS and (few := rows.fetchmany(_FEW)):
        some += few
        room -= sum(len(x) for row in few for x in row if isinstance(x, _LONG))
    return some


def prepare(
    files: Sequence[Path],
    keys: Arrow,
    folder: Path,
    *,
    by: str | None = None,
    table: str = "",
    called: Mapping[str, str] | None = None,
) -> Prepared:
    """Make one plain file of all games; ``keys`` is an Arrow table of ``key`` and ``row``.

    ``by`` is the kind of period into which days are put; without it a column ``period``, if there
    is one, has their numbers. ``table`` is the table of databases, ``called`` are columns with
    names of their own. Games that cannot be read go to ``_unread.csv`` in the folder.

    Raises RatingError for a file that cannot be read, a column that is missing, and days that are
    none where there is no other way to know the order.
    """
    done, made = folder / "prepared.json", folder / "prepared.parquet"
    if not done.exists():
        with Database(folder) as base:
            about = _prepared(base, files, keys, folder, by, table, called or {})
        draft = done.with_suffix(".tmp")
        draft.write_text(json.dumps(about), "utf-8")
        draft.replace(done)
    counts = json.loads(done.read_text("utf-8"))
    days = {number: date.fromisoformat(day) for number, day in counts.pop("days")}
    return Prepared(Parquet.opened(made, {}), **counts, days=days)


def first_days(files: Sequence[Parquet], folder: Path) -> dict[int, date]:
    """The first day of each period of plain files, as in :class:`Prepared`."""
    dated = [file for file in files if "date" in file.columns]
    if not dated:
        return {}
    with Database(folder) as base:
        parts = []
        for file in dated:
            period = _name(file.columns["period"]) if file.has_period else "0"
            day = f"try_cast({_name(file.columns['date'])}::VARCHAR AS TIMESTAMP)"
            source = base.table(file.path, "games")
            parts.append(f"SELECT {period}::BIGINT AS period, {day} AS day FROM {source}")
        return dict(base.rows(_first_days(f"({' UNION ALL '.join(parts)})")))


def _first_days(source: str) -> str:
    return f"SELECT period, min(day)::DATE FROM {source} WHERE {_FINE} GROUP BY period"


def _prepared(
    base: Database,
    files: Sequence[Path],
    keys: Arrow,
    folder: Path,
    by: str | None,
    table: str,
    called: Mapping[str, str],
) -> dict[str, Arrow]:
    parts = []
    what: set[str] = set()
    for number, path in enumerate(files):
        source = base.table(path, f"games_{number}", table)
        types = base.columns(source, path)
        columns = columns_of(list(types), called, path)
        if by is not None and "date" not in columns:
            raise RatingError(f"no column 'date', which tells the {by} of a game @ {path}")
        if what and what != set(columns):
            more = ", ".join(sorted(what ^ set(columns)))
            raise RatingError(f"not the columns of the other files: {more} @ {path}")
        what = set(columns)
        texts = [f"{_name(name)}::VARCHAR AS {what_}" for what_, name in columns.items()]
        parts.append(
            f"SELECT {number} AS source, row_number() OVER () + {first_row(path) - 1} AS row,"
            f" {', '.join(texts)}"
            f" FROM {source}"
        )
    base.con.register("keys", keys)
    dated = "date" in what
    day = "NULL::TIMESTAMP"
    if dated:  # Python's calendar has no other years
        time = "try_cast(g.date AS TIMESTAMP)"
        day = f"(CASE WHEN year({time}) BETWEEN 1 AND 9999 THEN {time} END)"
    period = "NULL::BIGINT"
    if by is not None:
        period = PERIODS[by].replace("day)", f"{day}::DATE)")
    elif "period" in what:
        period = "try_cast(g.period AS BIGINT)"
    twice = "FALSE"
    if "id" in what:
        twice = "row_number() OVER (PARTITION BY g.id ORDER BY g.source, g.row) > 1"
    try:
        base.con.execute("CREATE TABLE games AS " + " UNION ALL ".join(parts))
        base.con.register("results", _results(base))
        base.con.execute(
            f"""
            CREATE TABLE played AS SELECT g.source, g.row, {day} AS day, {period} AS period,
                coalesce(w.row, -1)::INTEGER AS white, coalesce(b.row, -1)::INTEGER AS black,
                coalesce(r.score, {UNREADABLE})::DOUBLE AS result, {twice} AS twice,
                g.white AS first, g.black AS second, g.result AS text,
                {"g.period" if "period" in what else "g.date" if dated else "NULL"} AS time
            FROM games g
            LEFT JOIN keys w ON w.key = lower(trim(g.white))
            LEFT JOIN keys b ON b.key = lower(trim(g.black))
            LEFT JOIN results r ON r.text = coalesce(g.result, '')
            """
        )
        base.con.execute("DROP TABLE games")
        others = _find_others(base, keys)
    except duckdb().Error as wrong:
        raise base.refused(wrong, *files) from None
    timed = by is not None or "period" in what
    bad = f"white < 0 OR black < 0 OR white = black OR result = {UNREADABLE} OR twice"
    if timed:
        bad += " OR period IS NULL"
    elif dated:
        bad += " OR day IS NULL"
    # a game that was not played needs no players
    unplayed = "isnan(result) AND NOT twice"
    order = (
        "day, source, row" if dated and (by is not None or "period" not in what) else "source, row"
    )
    ((rows, not_played),) = base.rows(f"SELECT count(*), count(*) FILTER ({unplayed}) FROM played")
    unread = _write_unread(
        base.con.execute(
            "SELECT source, row, first, second, text, time, white, black, twice, result FROM played"
            f" WHERE NOT ({unplayed}) AND ({bad}) ORDER BY source, row"
        ),
        files,
        folder / "_unread.csv",
    )
    if timed and by is None:
        _in_order(base, files, f"NOT ({unplayed}) AND NOT ({bad})")
    chosen = "white, black, result" + (", period" if timed else "")
    fine = f"FROM played WHERE NOT ({unplayed}) AND NOT ({bad})"
    draft = folder / "prepared.tmp"
    base.rows(
        f"COPY (SELECT {chosen} {fine} ORDER BY {order})"
        f" TO {_text(str(draft))} (FORMAT parquet, COMPRESSION zstd)"
    )
    draft.replace(folder / "prepared.parquet")
    periods = base.rows(_first_days(f"(SELECT coalesce(period, 0) AS period, day {fine})"))
    days = [(number, day.isoformat()) for number, day in periods]
    return {"rows": rows, "unplayed": not_played, "unread": unread, "respelt": others,
            "days": days}  # fmt: skip


def _in_order(base: Database, files: Sequence[Path], fine: str) -> None:
    """Raise RatingError, naming file and row, for a period that comes after a later one."""
    turned = base.rows(
        f"""
        WITH spans AS (
            SELECT period, source, min(row) AS first, max(row) AS last FROM played WHERE {fine}
            GROUP BY period, source
        ), pairs AS (
            SELECT source, first, lag((source, last)) OVER (ORDER BY period, source) AS until
            FROM spans
        )
        SELECT count(*) FROM pairs WHERE (source, first) < until
        """
    )
    if turned == [(0,)]:
        return
    ((period, before, at, row),) = base.rows(  # all rows in their order, which takes its time
        f"""
        WITH beside AS (
            SELECT period, lag(period) OVER (ORDER BY source, row) AS before, source, row
            FROM played WHERE {fine}
        )
        FROM beside WHERE period < before ORDER BY source, row LIMIT 1
        """
    )
    raise backwards(period, before, files[at], row)


def backwards(period: int, before: int, path: Path, row: int) -> RatingError:
    """What to raise for a period that comes after a later one."""
    what = f"period {period} comes after period {before}, in {place(path, row)}"
    return RatingError(f"{what} @ {path}")


def _results(base: Database) -> Arrow:
    """The results that occur, as scores; those that cannot be read are left out."""
    arrow = pyarrow()
    scores: dict[str, float] = {}
    for (text,) in base.rows(f"SELECT DISTINCT coalesce(result, '') FROM games LIMIT {_RESULTS}"):
        try:
            score = read_result(text)[0]
        except RatingError:
            continue
        scores[text] = float("nan") if score is None else score
    return arrow.table(
        {
            "text": arrow.array(list(scores), "string"),
            "score": arrow.array(list(scores.values()), "float64"),
        }
    )


def _find_others(base: Database, keys: Arrow) -> list[str]:
    """Find those whose names are the same except for what a database does not see: blanks within,
    forms of one letter. What remains are names of nobody; those that somebody has in another
    spelling are given back."""
    arrow = pyarrow()
    sides = ("white", "first"), ("black", "second")
    wanted = " UNION ".join(f"SELECT {text} FROM played WHERE {row} < 0" for row, text in sides)
    names = {text: same_name(text) for (text,) in base.rows(wanted) if text}
    if not names:
        return []
    missing = frozenset(names.values())
    known: dict[str, int | None] = {}
    spelt: set[str] = set()
    # a batch at a time, as there may be millions of players
    for batch in keys.to_batches(_ROWS):
        for key, row in zip(batch["key"].to_pylist(), batch["row"].to_pylist(), strict=True):
            if (name := same_name(key)) in missing:
                known[name] = row if known.get(name, row) == row else None
            if keys.num_rows <= _SPELT:
                spelt.update(respelt(key))
    matches = {text: row for text, name in names.items() if (row := known.get(name)) is not None}
    if matches:
        rows = arrow.array(list(matches.values()), "int32")
        base.con.register("others", arrow.table({"text": list(matches), "row": rows}))
        for row, text in sides:
            base.con.execute(
                f"UPDATE played SET {row} = others.row FROM others"
                f" WHERE {row} < 0 AND {text} = others.text"
            )
    return sorted(
        text for text in names.keys() - matches.keys() if not spelt.isdisjoint(respelt(text))
    )


def _write_unread(rows: Arrow, files: Sequence[Path], target: Path) -> int:
    count = 0
    with open(target, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        while some := rows.fetchmany(_ROWS):
            for source, row, first, second, text, time, white, black, twice, result in some:
                why = (
                    "its id is there twice"
                    if twice
                    else reason(first, second, (white, black), text, result == UNREADABLE)
                )
                writer.writerow(kept_row((files[source], row, first, second, text, time, why)))
                count += 1
    return count


def first_row(path: Path) -> int:
    """The number of the first row of a file in messages: that of a CSV file is a line."""
    return 2 if kind_of(path) == "csv" else 1


def place(path: Path, row: int) -> str:
    """A row of a file in messages, by its number."""
    if kind_of(path) == "csv":
        return f"line {row}"
    return f"row {row}"


def _csv(path: Path, *options: str) -> str:
    """What stands after FROM for a CSV file, whose first line says how many columns all have.

    DuckDB would rather take another separator for lines of different widths.
    """
    packed = _PACKED.get(path.suffix.lower())
    with pyarrow().input_stream(str(path), compression=packed) as file:
        head = file.read(_HEAD).decode("utf-8-sig", "replace")
    if not head.strip():
        raise RatingError(f"the file is empty @ {path}")
    line = head.partition("\n")[0]
    separator = max(_SEPARATORS, key=line.count)
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


def _file(path: Path) -> str:
    """A path in SQL where DuckDB would take it for a pattern, and ``~`` for a home."""
    return _text(escape(str(path.absolute())))


def _text(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def _name(name: str) -> str:
    """A name in SQL."""
    return '"' + name.replace('"', '""') + '"'
