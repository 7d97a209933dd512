"""Rulebooks of one's own: a file in TOML says which clauses apply, and with which numbers.

.. code-block:: toml

    title = "Rivertown club rules"
    model = "logistic"          # or "normal", or "fide" for table 8.1.2
    cap = 400                   # largest difference that counts; left out: no limit
    rounding = "whole"          # or "none"
    floor = 800                 # no rating falls below it; left out: none
    most_points = 700           # K times the games of a period; left out: no limit

    [[k]]                       # the first line that applies decides
    k = 40
    games_below = 30
    [[k]]
    k = 20                      # the last line has no condition

    [first]
    method = "performance"      # or "hypothetical draws", or "half points"
    games = 5
    floor = 1000

Somebody else's workbook must not choose which files are opened. A *text* is therefore never a path:
it is compared with the names of the files in one folder, which is the user's own. A ``Path``, which
no cell and no file can hold, opens any file.
"""

from __future__ import annotations

import os
import reprlib
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Final

from elo_xl.engine.errors import OptionError
from elo_xl.engine.rulebooks.clauses import (
    Cap,
    Expected,
    FideTable,
    First,
    Full,
    Logistic,
    Normal,
    Root,
    Unrounded,
    WholePoints,
)
from elo_xl.engine.rulebooks.fide import HalfPoints, HypotheticalDraws
from elo_xl.engine.rulebooks.k_table import KRow, KTable
from elo_xl.engine.rulebooks.rulebook import Rulebook
from elo_xl.folders import data_folder
from elo_xl.languages import Words

ENDING: Final = ".toml"
FOLDER: Final = "ELO_XL_RULEBOOKS"
"""The environment variable that names the folder of rulebooks known by the names of their files."""

_MOST_LINES: Final = 50
"""Of K factors: each is an IF in the one before, of which Excel takes 64."""
_MOST_BYTES: Final = 1_000_000

_MODELS: Final[Mapping[str, Callable[[], Expected]]] = {
    "normal": Normal,
    "logistic": Logistic,
    "fide": FideTable,
}
_ROUNDINGS: Final = {"whole": WholePoints, "none": Unrounded}
_FIRST: Final[Mapping[str, Callable[..., First]]] = {
    "performance": Root,
    "hypothetical draws": HypotheticalDraws,
    "half points": HalfPoints,
}
_KNOWN: Final = (
    *("title", "model", "cap", "rounding", "floor", "most_points", "performance", "k", "first"),
)
_CONDITIONS: Final = tuple(f.name for f in fields(KRow) if f.name not in ("k", "why"))


_by_path: Final[dict[str, Rulebook]] = {}
"""What :func:`read` has read from outside the folder, by name: a book that is being made for such a
rulebook names it."""


def folder() -> Path:
    """The folder of one's own rulebooks: ``ELO_XL_RULEBOOKS``, or a place for data of programs."""
    return data_folder(FOLDER, "rulebooks")


def named(rules: str) -> Rulebook | None:
    """The rulebook of a name; None if there is none.

    It is the file ``NAME.toml`` of the folder, in upper or lower case, with or without its ending.
    Raises OptionError as :func:`read` does.
    """
    if rules in _by_path:
        return _by_path[rules]
    wanted = rules.casefold().removesuffix(ENDING)
    try:
        there = sorted(os.listdir(folder()))
    except OSError:
        return None
    files = (name for name in there if name.casefold() == wanted + ENDING)
    return next((read(folder() / name) for name in files), None)


def read(path: Path) -> Rulebook:
    """The rulebook in a file. Its name is that of the file without its ending if the file lies in
    the folder of one's own rulebooks, otherwise the path.

    Raises OptionError, as *what @ where*, for a file that cannot be read, and for an entry that is
    unknown, missing or out of bounds.
    """
    try:
        changed = path.stat()
        inside = path.suffix.lower() == ENDING and path.resolve().parent == folder().resolve()
    except (OSError, ValueError) as error:
        raise OptionError(f"{getattr(error, 'strerror', None) or error} @ {path}") from error
    book = _read(path, path.stem if inside else str(path), changed.st_mtime_ns, changed.st_size)
    if not inside:
        _by_path[book.name] = book
    return book


@lru_cache(maxsize=64)
def _read(path: Path, name: str, _changed: int, _size: int) -> Rulebook:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise OptionError(f"it has more than {_MOST_BYTES:,} bytes @ {path}")
        return made(tomllib.loads(content.decode("utf-8-sig")), name, str(path))
    except OptionError:
        raise
    except RecursionError:
        raise OptionError(f"its tables or lists are nested too deep @ {path}") from None
    except (OSError, ValueError) as error:
        raise OptionError(f"{error} @ {path}") from error


def made(entries: Mapping[str, object], name: str, where: str = "") -> Rulebook:
    """The rulebook of the entries of a file, ``where`` it is; errors are those of :func:`read`.

    >>> rules = made({"model": "logistic", "k": [{"k": 32}]}, "club.toml")
    >>> rules.k.say(), rules.expected.model
    ('32.', 'logistic')
    """
    file = _Entries(entries, where or name)
    file.only(_KNOWN)
    model = file.choice("model", _MODELS, "normal")
    floor, cap = file.whole("floor", -9999, 9999), file.whole("cap", 1, 9999)
    title = file.text("title", Path(name).stem)
    curve = "normal" if model == "fide" else model
    rounding = file.choice("rounding", _ROUNDINGS, "whole")
    return Rulebook(
        name=name,
        title=_literally(title),
        source=_literally(name),
        difference=Full() if cap is None else Cap(cap),
        expected=_MODELS[model](),
        k=KTable(_rows(file), file.whole("most_points", 1, 99_999)),
        first=_first(file.table("first"), curve, rounding == "whole"),
        rounding=_ROUNDINGS[rounding](floor),
        performance=file.choice("performance", ("fide", "linear", curve), model),
    )


def _literally(text: str) -> Words:
    """A text that has no places for numbers, whatever braces it has."""
    return Words(text.replace("{", "{{").replace("}", "}}"))


def _rows(file: _Entries) -> tuple[KRow, ...]:
    rows = []
    lines = file.tables("k")
    if len(lines) > _MOST_LINES:
        raise file.error(f"there are {len(lines)} lines; formulas take up to {_MOST_LINES}", "k")
    for line in lines:
        line.only(("k", *_CONDITIONS))
        k = line.whole("k", 0, 1000)
        if k is None:
            raise line.error("there is no number", "k")
        conditions = {key: line.whole(key, 0, 9999) for key in _CONDITIONS}
        if line is lines[-1] and any(value is not None for value in conditions.values()):
            raise line.error("the last line is for everybody else, and has no condition", "k")
        rows.append(KRow(k, **conditions))  # type: ignore[arg-type]
    if not rows:
        raise file.error("there is no table of K factors", "k")
    return tuple(rows)


def _first(file: _Entries, curve: str, rounded: bool) -> First:
    method = file.choice("method", _FIRST, "performance")
    common = {
        "games": file.whole("games", 1, 99),
        "floor": file.whole("floor", 0, 9999),
        "zero_counts": file.truth("zero_counts"),
    }
    own: dict[str, object] = {}
    if method == "hypothetical draws":
        bounds = {"draws": (1, 99), "against": (1, 9999), "most": (1, 9999)}
        own = {key: file.whole(key, *of) for key, of in bounds.items()}
    elif method == "half points":
        own = {"per_half_point": file.number("per_half_point", 0, 999)}
    file.only(("method", *common, *own))
    if method == "performance":
        own = {"model": curve, "whole": rounded}
    given = {key: value for key, value in (common | own).items() if value is not None}
    return _FIRST[method](**given)


def _quoted(value: object) -> str:
    """An entry as a message quotes it, cut if it is long."""
    try:
        return reprlib.repr(value)
    except ValueError:
        return "a number of too many digits"


class _Entries:
    """The entries of one table of a file, with what to say about one that is wrong."""

    def __init__(self, entries: Mapping[str, object], file: str, at: str = "") -> None:
        self.entries, self.file, self.at = entries, file, at

    def error(self, what: str, key: str) -> OptionError:
        return OptionError(f"{what} @ {self.file}: {self.at}{key}")

    def only(self, known: tuple[str, ...]) -> None:
        for key in self.entries:
            if key not in known:
                raise self.error(f"unknown entry; known are {', '.join(known)}", key)

    def choice(self, key: str, known: Collection[str], usual: str) -> str:
        value = self.entries.get(key, usual)
        if not isinstance(value, str) or value not in known:
            raise self.error(f"one of {', '.join(known)} is needed, got {_quoted(value)}", key)
        return value

    def text(self, key: str, usual: str) -> str:
        value = self.entries.get(key, usual)
        if not isinstance(value, str) or not value.isprintable():
            raise self.error(f"a text of one line is needed, got {_quoted(value)}", key)
        return value

    def truth(self, key: str) -> bool | None:
        value = self.entries.get(key)
        if value is not None and not isinstance(value, bool):
            raise self.error(f"true or false is needed, got {_quoted(value)}", key)
        return value

    def number(self, key: str, low: float, high: float) -> float | None:
        value = self.entries.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(f"a number is needed, got {_quoted(value)}", key)
        if not low <= value <= high:
            raise self.error(
                f"a number from {low:g} to {high:g} is needed, got {_quoted(value)}", key
            )
        return float(value)

    def whole(self, key: str, low: int, high: int) -> int | None:
        value = self.entries.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.error(
                f"a whole number from {low} to {high} is needed, got {_quoted(value)}", key
            )
        return value

    def table(self, key: str) -> _Entries:
        value = self.entries.get(key, {})
        if not isinstance(value, dict):
            raise self.error(f"a table is needed, got {_quoted(value)}", key)
        return _Entries(value, self.file, f"{self.at}{key}.")

    def tables(self, key: str) -> list[_Entries]:
        value = self.entries.get(key, [])
        if not isinstance(value, list) or not all(isinstance(line, dict) for line in value):
            raise self.error(f"tables headed [[{key}]] are needed, got {_quoted(value)}", key)
        return [_Entries(line, self.file, f"{key}[{i}].") for i, line in enumerate(value, 1)]
