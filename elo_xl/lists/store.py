"""Where lists are kept: one SQLite file for each list and month."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from elo_xl.folders import data_folder
from elo_xl.lists.layouts import Entry, ListError, Reading, number_of
from elo_xl.lists.names import family, plain

FOLDER: Final = "ELO_XL_LISTS"
"""The environment variable that names the folder of the lists."""

EXAMPLE: Final = "example"
"""The list of invented players that is always there."""

_EXAMPLES: Final = (
    Entry("99000001", "Ferrer, Ana", "ESP", "", "F", 1999, 2105, 7, 20, 2080, 0, 20, 2061, 9, 20),
    Entry("99000002", "Okafor, Ngozi", "NGR", "WGM", "F", 2001, 2230, 0, 20, 2199, 4, 20),
    Entry("99000003", "Lindqvist, Alva", "SWE", "", "F", 2012),
)

ENDING: Final = ".rating-list"
NAME: Final = re.compile(r"[a-z][a-z0-9_]*(-[a-z0-9_]+)*")
MONTH: Final = re.compile(r"20\d\d-(0[1-9]|1[0-2])")
_TEXTS: Final = frozenset(("id", "name", "federation", "title", "sex", "flag"))
_COLUMNS: Final = ", ".join(
    f"{field} {'TEXT' if field in _TEXTS else 'INTEGER'}" for field in Entry._fields
)
_BATCH: Final = 20_000
_LIKE: Final = 72
_SOUNDS_ALIKE: Final = 45
"""The least likeness, of 100, of a name that is found, and of one that sounds alike."""


@dataclass(frozen=True, order=True)
class RatingList:
    """A list that is there."""

    name: str
    month: str
    """``2026-10``"""
    path: Path

    def __str__(self) -> str:
        return f"{self.name}-{self.month}"


def folder() -> Path:
    """Where the lists are: ``ELO_XL_LISTS``, or the place for a program's data of this system."""
    return data_folder(FOLDER, "lists")


def lists() -> list[RatingList]:
    """All lists, by name and month, the newest month of a name last."""
    rating_lists = []
    for path in folder().glob(f"*{ENDING}"):
        name, month = path.stem[:-8], path.stem[-7:]
        if NAME.fullmatch(name) and MONTH.fullmatch(month):
            rating_lists.append(RatingList(name, month, path))
    return sorted(rating_lists)


def choose(name: str | None = None) -> RatingList | None:
    """A list by its name, with or without the month; the newest one if no month is given.

    Without a name it is the newest list called ``fide``, or the newest of all. None is the example.
    Raises ListError if there is none.
    """
    if name is not None and name.lower() == EXAMPLE:
        return None
    there = lists()
    if name is None:
        matches = [one for one in there if one.name == "fide"] or sorted(
            there, key=lambda x: x.month
        )
    else:
        wanted = name.strip().lower()
        matches = [one for one in there if wanted in (one.name, str(one))]
    if matches:
        return matches[-1]
    if name is None:
        raise ListError("there is no rating list; elo-xl list import reads one")
    if not there:
        raise ListError(f"there is no rating list {name!r}; elo-xl list import reads one")
    raise ListError(
        f"there is no rating list {name!r} here, but: {', '.join(map(str, there))}; elo-xl "
        "list import reads one"
    )


def fill(base: sqlite3.Connection, entries: Iterable[Entry], reading: Reading | None = None) -> int:
    base.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
    base.execute(f"CREATE TABLE players ({_COLUMNS}, family TEXT)")
    marks = ", ".join("?" * (len(Entry._fields) + 1))
    insert = f"INSERT INTO players VALUES ({marks})"
    count = 0
    rows = iter(entries)
    while batch := [(*entry, family(entry.name)) for entry in islice(rows, _BATCH)]:
        base.executemany(insert, batch)
        count += len(batch)
    base.execute("CREATE INDEX by_id ON players (id)")
    twice = base.execute(
        "SELECT id, MIN(rowid), COUNT(*) FROM players GROUP BY id HAVING COUNT(*) > 1"
    ).fetchall()
    for number, first, times in twice:
        base.execute("DELETE FROM players WHERE id = ? AND rowid > ?", (number, first))
        count -= times - 1
        if reading is not None:
            for _ in range(times - 1):
                reading.fault(f"number {number} is there already")
    base.execute("CREATE INDEX by_family ON players (family)")
    base.execute("COMMIT")
    return count


def imported(one: RatingList) -> datetime:
    """When a list was imported."""
    return datetime.fromtimestamp(one.path.stat().st_mtime)


def size(one: RatingList | None) -> int:
    """The number of players of a list."""
    with _open(one) as base:
        (count,) = base.execute("SELECT COUNT(*) FROM players").fetchone()
        return int(count)


def by_ids(one: RatingList | None, ids: Sequence[str]) -> dict[str, Entry]:
    """The entries of players by their numbers as they are given, for all of them at once."""
    wanted = {text: number_of(text) for text in ids}
    with _open(one) as base:
        rows = base.execute(
            f"SELECT {', '.join(Entry._fields)} FROM players"
            " WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(wanted.values())),),
        )
        entries = {row[0]: Entry(*row) for row in rows}
    return {text: entries[number] for text, number in wanted.items() if number in entries}


def by_names(one: RatingList | None, names: Sequence[str], most: int = 10) -> list[list[Entry]]:
    """The entries that are most like each name, the best first.

    Names that sound alike are looked up; where there are none, the whole list is searched for
    similar letters.
    """
    with _open(one) as base:
        return [_like(base, name, most) for name in names]


def likeness(name: str, entry: Entry) -> float:
    """How much a name is like that of an entry, from 0 to 100, in whichever order its words are."""
    from rapidfuzz import fuzz

    return float(fuzz.token_sort_ratio(plain(name), plain(entry.name)))


def _like(base: sqlite3.Connection, name: str, most: int) -> list[Entry]:
    from rapidfuzz import fuzz, process

    fields = ", ".join(Entry._fields)
    keys = {key for part in (name, *name.split()) if (key := family(part))}
    rows = base.execute(
        f"SELECT {fields} FROM players WHERE family IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(keys)),),
    )
    entries = _ranked(name, map(Entry._make, rows), most, _SOUNDS_ALIKE)
    if entries:
        return entries
    # all that begin alike, in parts, so that a list of millions does not stand in memory
    begin = [key[0] for key in keys]
    rows = base.execute(
        "SELECT rowid, name FROM players WHERE "
        + (" OR ".join("family >= ? AND family < ?" for _ in begin) or "FALSE"),
        [end for first in begin for end in (first, chr(ord(first) + 1))],
    )
    wanted = plain(name)
    best: list[tuple[float, int]] = []
    while part := rows.fetchmany(_BATCH):
        scored = process.extract(
            wanted,
            {rowid: plain(other) for rowid, other in part},
            scorer=fuzz.token_sort_ratio,
            score_cutoff=_LIKE,
            limit=most,
        )
        best = sorted([*best, *((score, rowid) for _, score, rowid in scored)], reverse=True)[:most]
    one = f"SELECT {fields} FROM players WHERE rowid = ?"
    entries = [Entry._make(base.execute(one, (row,)).fetchone()) for _, row in best]
    return _ranked(name, entries, most, _LIKE)


def _ranked(name: str, entries: Iterable[Entry], most: int, least: float) -> list[Entry]:
    from rapidfuzz import fuzz

    words = plain(name).split()

    def score(entry: Entry) -> float:
        text = plain(entry.name)
        whole = float(fuzz.token_sort_ratio(" ".join(words), text))
        # "Ferrer" finds all of that name: a part that is like a whole word of it counts nearly all
        return max(whole, 0.95 * float(fuzz.token_set_ratio(" ".join(words), text)))

    scored = [(score(entry), entry.rating or 0, entry) for entry in entries]
    scored = [one for one in scored if one[0] >= least]
    scored.sort(key=lambda one: (-one[0], -one[1], one[2].name))
    return [entry for *_, entry in scored[:most]]


@contextmanager
def _open(one: RatingList | None) -> Iterator[sqlite3.Connection]:
    """The database of a list, which cannot be changed; the example is made in memory."""
    try:
        address = f"{one.path.resolve().as_uri()}?mode=ro&immutable=1" if one else ":memory:"
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as base:
            if one is None:
                fill(base, _EXAMPLES)
            yield base
    # a database that was damaged may also hold names that are none, in texts that are none
    except (sqlite3.Error, ValueError, TypeError, AttributeError) as error:
        where = EXAMPLE if one is None else one.path
        raise ListError(f"the list is damaged ({error}) @ {where}") from None
