"""Rating lists are kept: all of a list or nothing of it.

The cells of LibreOffice and xlwings Lite read lists and write none, so :mod:`.store` does without
what this takes.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import date, timedelta

from elo_xl.lists import store
from elo_xl.lists.layouts import Entry, ListError, Reading
from elo_xl.progress import whole, written
from elo_xl.xlsx.files import unfinished


def write(
    name: str, month: str, entries: Iterable[Entry], reading: Reading | None = None
) -> tuple[store.RatingList, int]:
    """Keep a list, all of it or nothing; one of the same name and month is replaced.

    Of entries with one number the first counts; ``reading`` is told of the others. Raises ListError
    for a name or month that cannot be one, and for a month that has not come.
    """
    if not store.NAME.fullmatch(name):
        raise ListError(f"a list's name has small letters, digits and hyphens, got {name!r}")
    if not store.MONTH.fullmatch(month):
        raise ListError(f"a month is written as 2026-10, got {month!r}")
    if month > f"{date.today() + timedelta(days=45):%Y-%m}":
        raise ListError(f"the month {month} has not come")
    place = store.folder()
    place.mkdir(parents=True, exist_ok=True)
    target = place / f"{name}-{month}{store.ENDING}"
    with unfinished(target) as work:
        # nobody else knows of the file, and the mark that it is being written is a lock, too
        alone = f"{work.resolve().as_uri()}?nolock=1"
        try:
            with closing(sqlite3.connect(alone, uri=True, isolation_level=None)) as base:
                count = store.fill(base, entries, reading)
            if not count:
                first = f": {reading.shown[0]}" if reading and reading.shown else ""
                raise ListError(f"there is no player in it that can be read{first}")
            with whole():
                with work.open("rb+") as file:
                    os.fsync(file.fileno())
                work.replace(target)
                written(target)
        except sqlite3.Error as error:
            raise ListError(f"{error} @ {target}") from None
    return store.RatingList(name, month, target), count
