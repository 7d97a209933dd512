"""What fits a sheet: the players with the highest ratings, of one federation or all; its book."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final, NamedTuple

from elo_xl.books.book import Book, Options
from elo_xl.books.styles import number_format
from elo_xl.bulk.reading import Database, players_table
from elo_xl.engine.errors import RatingError
from elo_xl.languages import ENGLISH
from elo_xl.xlsx.files import write_whole

_READ: Final = ("rating", "new", "games")
_PLACES: Final = 2
"""Decimals of the ratings of a list."""
_EXACT: Final = 10**15
"""Numbers with more digits are not exact in a sheet."""


class Extract(NamedTuple):
    """Some players of a result."""

    rows: list[dict[str, Any]]
    """``id, name, federation, title, rating, new, change, games`` of each, the highest new first;
    the change is the difference of the two ratings"""
    rated: int
    """players with a rating after the last period, of the federation or of all"""


def highest(result: Path, players: Path, most: int, federation: str = "") -> Extract:
    """The players with the highest ratings after the last period; of equal ones, the first of the
    file come first.

    ``players`` is the file from which the result was made, which has names and federations. Raises
    RatingError for a federation of which no player is, and where the file has no such column.
    """
    with tempfile.TemporaryDirectory() as folder, Database(Path(folder)) as base:
        there = players_table(base, players)
        source, types = base.table(result, "result")
        key = next(iter(types))
        base.rows(f"CREATE TABLE made AS SELECT row_number() OVER () - 1 AS row, * FROM {source}")
        # below, rows belong together by their place alone
        if key not in there or base.rows(
            "SELECT 1 FROM made FULL JOIN people ON made.row = people.row "
            f"WHERE made.{key}::VARCHAR IS DISTINCT FROM people.{key} LIMIT 1"
        ):
            raise RatingError(f"not the players of {result} @ {players}")
        own = "new IS NOT NULL"
        if federation:
            if "federation" not in there:
                raise RatingError(f"no column 'federation' @ {players}")
            own += " AND federation = ?"
        said = [name for name in ("name", "federation", "title") if name in there and name != key]
        found = base.con.execute(
            f"SELECT count(*) OVER (), {', '.join(f'made.{x}' for x in (key, *_READ))}"
            f"{''.join(f', people.{x}' for x in said)} FROM made JOIN people ON people.row = "
            f"made.row WHERE {own} ORDER BY new DESC, made.row LIMIT {most}",
            [federation] if federation else [],
        ).fetchall()
        if federation and not found:
            raise RatingError(f"no rated player is of {federation!r} @ {players}")
    rows = []
    for _, who, before, new, games, *more in found:
        old, now = (None if x is None else round(x, _PLACES) for x in (before, new))
        change = None if old is None or now is None else round(now - old, _PLACES)
        row = {"id": _id(who), "name": str(who), **dict(zip(said, more, strict=True))}
        rows.append(row | {"rating": old, "new": now, "change": change, "games": games})
    return Extract(rows, found[0][0] if found else 0)


def _id(given: object) -> object:
    """An id as a cell has it.

    >>> _id(1503014), _id("A1"), _id(12345678901234567)
    (1503014, 'A1', '12345678901234567')
    """
    return given if isinstance(given, int) and abs(given) < _EXACT else str(given)


# -- the workbook ---------------------------------------------------------------------------------


_LIST: Final = """
sheet list freeze:name stretch:name
    note extract_counts
    table List
        place       0 quiet
        id          @ left text:own_id
        ?title title @ center
        ?federation federation @ center
        name        left strong
        new         {new_format} strong
        change      {change_format}
        rating      {old_format} text:before
        games       0 text:rated_games
"""


def write_big_list(extract: Extract, path: Path, facts: str, language: str = ENGLISH) -> None:
    """Write the list to ``path``, whole or not at all; ``facts`` say what it was taken from.

    Raises OSError naming ``path`` where it cannot be written.
    """
    book = Book("rated-event", Options(language=language))
    rows = extract.rows
    book.texts["title"] = book.say("period_title")
    book.texts["extract_counts"] = book.say(
        "extract_of", shown=len(rows), rated=extract.rated, facts=facts
    ).rstrip()
    book.read(
        _LIST,
        List=[{"place": place} | row for place, row in enumerate(rows, start=1)],
        title=any(row.get("title") for row in rows),
        federation=any(row.get("federation") for row in rows),
        change_format="+" + number_format([row["change"] for row in rows], "0.00"),
        new_format=number_format([row["new"] for row in rows], "0.0"),
        old_format=number_format([row["rating"] for row in rows], "0.0"),
    )
    book.finish()
    write_whole(path, book.file())
