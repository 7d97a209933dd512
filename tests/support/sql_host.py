"""The functions and periods as SQL, computed by DuckDB, PostgreSQL and ClickHouse."""

import csv
import io
import math
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from elo_xl.functions.arguments import Argument, Numbers, Option, OptionOrNumber
from elo_xl.functions.catalogue import find
from elo_xl.functions.cells import ERRORS, to_block
from elo_xl.hosts import sql
from tests.support.native_cases import Case

Row = tuple[Any, ...]


class Database(Protocol):
    """A database that computes what is written for its dialect."""

    dialect: str

    def run(self, text: str) -> None: ...

    def table(self, name: str, columns: dict[str, bool], rows: Sequence[Row]) -> None:
        """Make a table; ``columns`` are their names, each with whether it is a text."""

    def rows(self, text: str) -> list[Row]: ...


class DuckDb:
    dialect = "duckdb"

    def __init__(self) -> None:
        import duckdb

        self.con = duckdb.connect()

    def run(self, text: str) -> None:
        self.con.execute(text)

    def table(self, name: str, columns: dict[str, bool], rows: Sequence[Row]) -> None:
        self.run(_created(name, columns, "DOUBLE", "VARCHAR"))
        self.con.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", rows)

    def rows(self, text: str) -> list[Row]:
        return self.con.execute(text).fetchall()


class Postgres:
    """Debian's PostgreSQL, in a folder of its own."""

    dialect = "postgres"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, text: str) -> None:
        self._psql(text)

    def table(self, name: str, columns: dict[str, bool], rows: Sequence[Row]) -> None:
        kinds = sql.DIALECTS[self.dialect]
        values = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
        self.run(
            f"{_created(name, columns, kinds.number, kinds.text)}; INSERT INTO {name} "
            f"VALUES {values};"
        )

    def rows(self, text: str) -> list[Row]:
        made = self._psql(f"COPY ({text.rstrip().rstrip(';')}) TO STDOUT CSV")
        return [tuple(map(_read, row)) for row in csv.reader(io.StringIO(made))]

    def _psql(self, text: str) -> str:
        line = ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-h", str(self.folder), "-d", "postgres"]
        line += ["-U", "postgres"]
        done = subprocess.run(line, input=text, capture_output=True, text=True, check=False)
        assert not done.returncode, done.stderr[:2000]
        return done.stdout


class ClickHouse:
    dialect = "clickhouse"

    def __init__(self) -> None:
        from chdb.session import Session

        self.session = Session()

    def run(self, text: str) -> None:
        self.session.query(text.rstrip(";"))

    def table(self, name: str, columns: dict[str, bool], rows: Sequence[Row]) -> None:
        self.run(f"DROP TABLE IF EXISTS {name}")
        made = _created(name, columns, "Nullable(Float64)", "Nullable(String)")
        self.run(f"{made} ENGINE = Memory")
        values = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
        self.run(f"INSERT INTO {name} VALUES {values}")

    def rows(self, text: str) -> list[Row]:
        made = str(self.session.query(text, "CSV"))
        return [tuple(map(_read, row)) for row in csv.reader(io.StringIO(made))]


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL that ends with the test; the test fails where none is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin")) or [
        Path(where).parent for where in [shutil.which("initdb")] if where
    ]
    assert found, "PostgreSQL is missing. Run: make databases"
    # it refuses to run as root
    user = ["runuser", "-u", "postgres", "--"] if not os.getuid() else []
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if user:
            shutil.chown(folder, "postgres")
        at = folder / "data"
        quiet: dict[str, Any] = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder}
        made = [*user, str(found[-1] / "initdb"), "-A", "trust", "-U", "postgres", "-D", str(at)]
        subprocess.run(made, **quiet)
        options = f"-c listen_addresses= -k {folder}"
        start = [*user, str(found[-1] / "pg_ctl"), "-w", "-D", str(at), "-o", options]
        subprocess.run([*start, "-l", str(folder / "log"), "start"], **quiet)
        try:
            yield Postgres(folder)
        finally:
            subprocess.run([*start, "-m", "immediate", "stop"], **quiet)


def takes(cases: Sequence[Case], dialect: str = "duckdb") -> list[Case]:
    """The calls that a query can make: cells, not ranges; numbers, not texts that mean some."""
    without = sql.missing(dialect)
    return [case for case in cases if case.function not in without and _rows(case)]


def sql_values(cases: Sequence[Case], base: Database) -> list[Any]:
    """What a database makes of calls; an error stands where it has NULL and ``errors`` one."""
    for text in sql.statements(base.dialect):
        base.run(text)
    found: dict[int, Any] = {}
    for name in dict.fromkeys(case.function for case in cases):
        function = find(name)
        own = {i: case for i, case in enumerate(cases) if case.function == name}
        columns = {"i": False}
        for argument in function.arguments:
            columns |= sql.parameters(argument)
        rows = [(i, *row) for i, case in own.items() for row in _rows(case)]
        base.table(f"t_{name}".lower(), columns, rows)
        cells = [
            f"{'_'.join([name, *(c or '').split()]).lower()}({', '.join([*columns][1:])})"
            for c in function.columns or (None,)
        ]
        lists = {a.name for a in function.arguments if isinstance(a, Numbers)}
        grouped = f" GROUP BY {', '.join(c for c in columns if c not in lists)}" if lists else ""
        text = f"SELECT i, {', '.join(cells)} FROM t_{name.lower()}{grouped}"
        for i, *values in base.rows(text):
            found[int(i)] = [list(values)] if function.columns else values[0]
    return [found[i] for i in range(len(cases))]


def with_errors(ours: Any, theirs: Any) -> Any:
    """What a database gave, with our error where it has NULL: it has nothing else for one."""
    if isinstance(theirs, list):
        cells = to_block(ours).cells
        own = list(cells) if len(cells) == len(theirs[0]) else [cells[0]] * len(theirs[0])
        merged = [with_errors(x, y) for x, y in zip(own, theirs[0], strict=True)]
        return (
            merged[0] if not isinstance(ours, list) and len({*map(str, merged)}) == 1 else [merged]
        )
    return ours if theirs is None and isinstance(ours, str) and ours in ERRORS else theirs


def _rows(case: Case) -> list[Row]:
    """A row for each game of a call, or one; none for a call that a query cannot make."""
    function = find(case.function)
    given = [*case.arguments, *[None] * (len(function.arguments) - len(case.arguments))]
    columns: list[list[Any]] = []
    sizes = set[int]()
    for argument, cell in zip(function.arguments, given, strict=True):
        if argument.whole:
            block = to_block(cell)
            if block.rows > 1 < block.columns:
                return []
            columns.append(list(block.cells))
            sizes.add(len(block.cells))
            if not all(map(_is_number, block.cells)):
                return []
        elif isinstance(cell, list) or (values := _cell(argument, cell)) is None:
            return []
        else:
            columns += [[value] for value in values]
    if len(sizes) > 1:
        return []
    count = max(sizes, default=1)
    return list(zip(*(x * count if len(x) == 1 else x for x in columns), strict=True))


def _cell(argument: Argument, cell: Any) -> list[Any] | None:
    """The values of an argument's parameters; None for what has no column in a database."""
    cell = None if cell == "" else cell
    if isinstance(argument, OptionOrNumber) and argument.parameters:
        if isinstance(cell, str):
            kind, _, size = cell.partition(":")
            kind = kind.strip().lower()
            try:
                number = float(size) if size.strip() else None
            except ValueError:
                return None
            fine = number is None or kind in dict(argument.parameters)
            return [kind, number] if fine and not kind[:1].isdigit() else None
        return ["margin" if cell is not None else None, cell]
    if isinstance(argument, OptionOrNumber):
        return [None] if cell == "auto" else [cell] if isinstance(cell, int | float) else None
    if isinstance(argument, Option):
        if not isinstance(cell, str | None):
            return None
        return [cell and (argument.read(cell)[0] or cell.strip().lower() or None)]
    return [cell] if _is_number(cell) else None


def _is_number(cell: Any) -> bool:
    return cell is None or isinstance(cell, int | float)


def _created(name: str, columns: dict[str, bool], number: str, text: str) -> str:
    # in quotation marks: to ClickHouse, "index" is a word of its own
    kinds = ", ".join(f'"{c}" {text if is_text else number}' for c, is_text in columns.items())
    return f"CREATE TABLE {name} ({kinds})"


def _literal(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "NULL"
    return f"'{value}'" if isinstance(value, str) else repr(float(value))


def _read(text: str) -> Any:
    if text in ("", r"\N"):
        return None
    try:
        return float(text)
    except ValueError:
        return text
