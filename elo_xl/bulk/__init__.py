"""Games that do not fit on one sheet: millions of them, read in batches, rated period by period.

:mod:`.period` is the core, one period as sums of whole numbers, which add up to the same bits
however the games are cut; :mod:`.reading` has DuckDB read games and players; :mod:`.rate` goes
through the periods, to which :mod:`.newcomers` brings the games of who has no rating yet; and
:mod:`.extract` takes from the result what fits a sheet.

What is asked before it is known that files are long stands here: nothing else is loaded for an
event.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ENDINGS: Final = (
    *(".parquet", ".pq", ".arrow", ".arrows", ".feather", ".ipc"),
    *(".sqlite", ".sqlite3", ".duckdb", ".ddb"),
)
"""The endings of files that no other command reads."""
RESULTS: Final = (".parquet", ".csv")
"""The endings of results, besides that of a workbook."""
NOTE: Final = "_asked.json"
"""The file that says what a folder is of; a name of which readers of folders take no notice."""

PERIODS: Final = {
    "day": "date_diff('day', DATE '1970-01-01', day)",
    "week": "date_diff('week', DATE '1970-01-05', day)",
    "month": "12 * year(day) + month(day) - 1",
    "quarter": "4 * year(day) + quarter(day) - 1",
    "year": "year(day)",
}
"""The kinds of periods into which days are put, and how DuckDB numbers them."""
SYSTEMS: Final = {"elo": "Elo", "ioffe": "Ioffe", "glicko": "Glicko", "glicko2": "Glicko2"}
"""The systems that carry their ratings, with the names of their classes."""


def is_long(sources: Sequence[Path], output: Path | None) -> bool:
    """Whether what is named is to be rated in batches, or was."""
    batches = output is not None and output.suffix.lower() in RESULTS
    return batches or any(map(is_big, sources)) or is_result(sources)


def is_big(path: Path) -> bool:
    """Whether a path is a file, or a folder of files, that no event is read from."""
    if path.is_dir():
        return any(path.rglob("*.parquet"))
    device = path.is_char_device() or path.is_block_device()
    return path.suffix.lower() in ENDINGS or not (path.is_file() or device)


def periods_of(result: Path) -> Path:
    """The folder beside a result with the ratings after each period.

    >>> periods_of(Path("list.parquet")).name
    'list-periods'
    """
    return result.with_name(f"{result.stem}-periods")


def is_result(sources: Sequence[Path]) -> bool:
    """Whether what is named is a single file that was made of long files."""
    return len(sources) == 1 and players_of(sources[0]) is not None


def players_of(result: Path) -> Path | None:
    """The file of players from which a result was made; None for a file that is no result."""
    if not result.is_file() or not (note := periods_of(result) / NOTE).is_file():
        return None
    return Path(json.loads(note.read_text("utf-8"))["players"])
