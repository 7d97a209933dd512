"""Criteria and lookups of COUNTIF, SUMIFS, MATCH and similar functions.

The range remembers what was found in it, so that a column of a thousand COUNTIF over the
same range reads it once.
"""

from __future__ import annotations

import operator
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from elo_xl.xlsx.spreadsheet.values import (
    ERRORS,
    NA,
    REF,
    VALUE,
    Error,
    LookupKey,
    RangeValues,
    Value,
    key_of,
    number_of,
    order,
)

Test = Callable[[Value], bool]

_CRITERION: Final = re.compile(r"(<=|>=|<>|<|>|=)?(.*)\Z", re.DOTALL)

_ORDERS: Final[dict[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


@lru_cache(maxsize=4096)
def pattern(text: str) -> re.Pattern[str] | None:
    """A text with the wild cards ``*`` and ``?`` as a pattern; None if it has none.

    >>> bool(pattern("An*").match("anna")), bool(pattern("~*").match("anna")), pattern("Anna")
    (True, False, None)

    A ``~`` before a wild card makes it plain.
    """
    if not any(sign in text for sign in "*?~"):
        return None
    wild = {"*": ".*", "?": "."}
    parts = [
        re.escape(part[1]) if len(part) == 2 else wild.get(part, re.escape(part))
        for part in re.findall(r"~[*?~]|.", text, re.DOTALL)
    ]
    return re.compile("".join(parts) + r"\Z", re.IGNORECASE | re.DOTALL)


class Criterion:
    """The condition on a cell: ``5``, ``">0"``, ``"<>"``, ``"An*"``."""

    __slots__ = ("key", "test")

    def __init__(self, wanted: Value) -> None:
        #: the key that equal cells share, if the criterion is a plain value
        self.key: LookupKey = None
        if isinstance(wanted, str) and not isinstance(wanted, Error):
            self.test = self._typed(wanted)
        elif isinstance(wanted, Error):
            self.test = lambda value: isinstance(value, Error) and value == wanted
        else:
            wanted = 0.0 if wanted is None else wanted
            self.key = key_of(wanted)
            self.test = self._equal(wanted)

    def _equal(self, wanted: Value) -> Test:
        key = key_of(wanted)
        return lambda value: key_of(value) == key

    def _typed(self, text: str) -> Test:
        parts = _CRITERION.match(text)
        assert parts is not None
        sign, rest = parts[1] or "", parts[2]
        wanted: Value = number_of(rest)
        if wanted is None and rest.upper() in ("TRUE", "FALSE"):
            wanted = rest.upper() == "TRUE"
        if rest.upper() in ERRORS and sign in ("", "="):
            return Criterion(Error(rest.upper())).test
        if sign in _ORDERS:
            return self._ordered(_ORDERS[sign], rest if wanted is None else wanted)
        if rest == "":
            # "" finds blank cells and empty texts, "=" blank cells only, "<>" whatever is not blank
            if sign == "":
                return lambda value: value is None or (value == "" and not isinstance(value, Error))
            return (lambda v: v is not None) if sign == "<>" else (lambda v: v is None)
        if wanted is not None:
            equal = self._equal(wanted)
            key = key_of(wanted)
        elif (wild := pattern(rest)) is not None:
            key = None

            def equal(value: Value) -> bool:
                return value.__class__ is str and wild.match(value) is not None

        else:
            equal = self._equal(rest)
            key = key_of(rest)
        if sign == "<>":
            return lambda value: not equal(value)
        self.key = key
        return equal

    def _ordered(self, holds: Callable[[int, int], bool], wanted: Value) -> Test:
        kind = wanted.__class__
        if kind is float:

            def numeric(value: Value) -> bool:
                return value.__class__ is float and holds(order(value, wanted), 0)

            return numeric
        return lambda value: value.__class__ is kind and holds(order(value, wanted), 0)


criterion = lru_cache(maxsize=65_536)(Criterion)


def positions(cells: RangeValues, wanted: Value) -> list[int]:
    """The positions, from 0, of the cells of a range that meet a criterion."""
    if wanted.__class__ is float:  # as most formulas do
        return cells.places.get(wanted, [])
    condition = criterion(wanted)
    if condition.key is not None:
        return cells.places.get(condition.key, [])
    known = cells.found
    at = known.get(condition)
    if at is None:
        test = condition.test
        at = known[condition] = [i for i, value in enumerate(cells.flat) if test(value)]
    return at


def common(ranges: Sequence[RangeValues], wanted: Sequence[Value]) -> list[int]:
    """The positions at which all criteria are met."""
    if len(ranges) == 1:
        return positions(ranges[0], wanted[0])
    lists = [positions(cells, one) for cells, one in zip(ranges, wanted, strict=True)]
    shortest = min(range(len(lists)), key=lambda i: len(lists[i]))
    kept = lists[shortest]
    for i, (cells, at) in enumerate(zip(ranges, lists, strict=True)):
        if i == shortest or not kept:
            continue
        key = wanted[i], wanted[i].__class__
        members = cells.members.get(key)
        if members is None:
            members = cells.members[key] = frozenset(at)
        kept = [k for k in kept if k in members]
    return kept


def exact_match(cells: RangeValues, wanted: Value) -> float | Error:
    """The position, from 1, of the first cell that matches; texts may hold wild cards."""
    if isinstance(wanted, Error):
        return wanted
    if wanted is None:
        wanted = 0.0
    if wanted.__class__ is str and (wild := pattern(wanted)) is not None:
        at = cells.found.get(wild)
        if at is None:
            at = cells.found[wild] = [
                i for i, v in enumerate(cells.flat) if v.__class__ is str and wild.match(v)
            ]
    else:
        at = cells.places.get(key_of(wanted))
    return at[0] + 1.0 if at else NA


def match(cells: RangeValues, wanted: Value, kind: float) -> float | Error:
    """What MATCH gives: with kind 1 the last cell up to what is wanted in rising cells, with 0 the
    first that is the same, with -1 the last that is not below it in falling cells.
    """
    if kind == 0:
        return exact_match(cells, wanted)
    if isinstance(wanted, Error):
        return wanted
    if wanted is None:
        wanted = 0.0
    apart = cells.sorted_kinds.get(wanted.__class__)
    if apart is None:
        return NA
    values, at = apart
    sought = wanted.casefold() if isinstance(wanted, str) else wanted
    if kind > 0:
        i = bisect_right(values, sought)
        if i < len(values) and order(values[i], sought) == 0:
            i += 1
    else:
        i = bisect_left(values, True, key=lambda value: order(value, sought) < 0)
    return at[i - 1] + 1.0 if i else NA


def lookup(
    wanted: Value, table: RangeValues, across: bool, index: float, approximate: bool
) -> Value:
    """The result of VLOOKUP, or of HLOOKUP with ``across``."""
    line = table.first_row if across else table.first_column
    place = int(index)
    if place < 1:
        return VALUE
    if place > len(table if across else table[0]):
        return REF
    at = match(line, wanted, 1.0 if approximate else 0.0)
    if isinstance(at, Error):
        return at
    i = int(at) - 1
    return table[place - 1][i] if across else table[i][place - 1]
