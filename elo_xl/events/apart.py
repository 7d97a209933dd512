"""Workbooks of old kinds (xls, xlsb), read in a process of their own.

What reads them for us may give up the whole process over a damaged file, or want more memory than
there is. So it is another process that ends then, and a damaged file is one like any other.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Final

SECONDS: Final = 120
"""How long a file may take; one that is full takes a tenth of it."""
MEMORY: Final = 4 << 30
"""How many bytes it may, where the system can limit that."""

_READER: Final = """
import pickle, sys
memory, *sys.path = int(sys.argv[1]), *sys.argv[2:]
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
except (ImportError, OSError, ValueError):
    pass
from io import BytesIO
from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum
sheets = []
try:
    book = CalamineWorkbook.from_filelike(BytesIO(sys.stdin.buffer.read()))
    seen = {one.name: one.visible == SheetVisibleEnum.Visible for one in book.sheets_metadata}
    for title in book.sheet_names:
        try:
            sheet = book.get_sheet_by_name(title)
            rows = list(sheet.iter_rows()) if sheet.start is not None else []
            sheets.append((title, not seen.get(title, True), rows, ""))
        except CalamineError as error:
            sheets.append((title, not seen.get(title, True), [], str(error) or "unreadable"))
except PasswordError:
    sheets = None
with sys.stdout.buffer as out:
    pickle.dump(sheets, out)
"""


class DamagedError(ValueError):
    """A workbook that cannot be read."""


@dataclass(frozen=True, slots=True)
class SheetApart:
    """A sheet with all its cells."""

    title: str
    hidden: bool
    rows: list[list[str | float | bool | date | time | timedelta]]
    wrong: str
    """why it could not be read, if so"""


def sheets_apart(data: bytes) -> list[SheetApart] | None:
    """The sheets of a workbook; None for one that is protected by a password.

    Raises DamagedError where it cannot be read, also within bounds of time and memory.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _READER, str(MEMORY), *sys.path],
            input=data,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            env={**os.environ, "RUST_BACKTRACE": "0"},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except subprocess.TimeoutExpired:
        raise DamagedError(f"it was not read within {SECONDS} seconds") from None
    if done.returncode:
        raise DamagedError(_why(done.stderr.decode("utf-8", "replace")))
    read = pickle.loads(done.stdout)  # what our own process wrote
    return None if read is None else [SheetApart(*sheet) for sheet in read]


def _why(said: str) -> str:
    """What the process said at its end, which an exception says last and an abort first.

    >>> _why("Traceback …\\npyo3_runtime.PanicException: index out of range\\n")
    'index out of range'
    """
    lines = [line for line in said.splitlines() if line.strip()] or ["its reader ended"]
    last = lines[-1].partition(": ")[2] if "Traceback" in said else ""
    return last or lines[0]
