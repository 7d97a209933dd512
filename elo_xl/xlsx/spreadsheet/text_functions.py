"""Functions of single texts and dates."""

from __future__ import annotations

import math
import re
from datetime import date, timedelta
from typing import Final

from elo_xl.xlsx.spreadsheet.criteria import pattern
from elo_xl.xlsx.spreadsheet.value_functions import OfValues
from elo_xl.xlsx.spreadsheet.values import (
    NUM,
    VALUE,
    Fault,
    Value,
    number_of,
    rounded,
    to_number,
    to_text,
)


def _count(number: float) -> int:
    if number < 0:
        raise Fault(VALUE)
    return int(number)


def _right(text: str, count: float = 1.0) -> str:
    return text[max(0, len(text) - _count(count)) :]


def _middle(text: str, start: float, count: float) -> str:
    if start < 1:
        raise Fault(VALUE)
    first = int(start) - 1
    return text[first : first + _count(count)]


def _substitute(text: str, old: str, new: str, which: float | None = None) -> str:
    if not old:
        return text
    if which is None:
        return text.replace(old, new)
    if which < 1:
        raise Fault(VALUE)
    parts = text.split(old)
    k = int(which)
    if k >= len(parts):
        return text
    return old.join(parts[:k]) + new + old.join(parts[k:])


def _find(wanted: str, text: str, start: float = 1.0) -> float:
    if not 1 <= start <= len(text) + 1:
        raise Fault(VALUE)
    at = text.find(wanted, int(start) - 1)
    if at < 0:
        raise Fault(VALUE)
    return at + 1.0


def _search(wanted: str, text: str, start: float = 1.0) -> float:
    wild = pattern(wanted)
    if wild is None:
        return _find(wanted.casefold(), text.casefold(), start)
    if not 1 <= start <= len(text) + 1:
        raise Fault(VALUE)
    loose = re.compile(wild.pattern.removesuffix(r"\Z"), wild.flags)
    found = loose.search(text, int(start) - 1)
    if found is None:
        raise Fault(VALUE)
    return found.start() + 1.0


def _trimmed(text: str) -> str:
    return " ".join(word for word in text.split(" ") if word)


def _character(number: float) -> str:
    if not 1 <= number < 0x110000:
        raise Fault(VALUE)
    return chr(int(number))


def _repeated(text: str, count: float) -> str:
    if count < 0 or len(text) * count > 32_767:
        raise Fault(VALUE)
    return text * int(count)


def _value(value: Value) -> float:
    if value.__class__ is bool:
        raise Fault(VALUE)
    if isinstance(value, str) and _THOUSANDS.match(value):
        return to_number(value.replace(",", ""))
    return to_number(value)


_THOUSANDS: Final = re.compile(r"[-+]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?\Z")
_FIXED: Final = re.compile(r"([^0#.,%]*)(#,##)?([0#]+)(?:\.([0#]+))?(%?)([^0#.,%]*)\Z")


def _text(value: Value, form: str) -> str:
    """A number in a simple format such as 0, 0.00, #,##0 or 0%."""
    if isinstance(value, str) and number_of(value) is None:
        return to_text(value)
    number = to_number(value)
    if form in ("General", "@", ""):
        return to_text(number) if form else ""
    dated = form.lower()
    if re.fullmatch(r"[ymd\-/. ]+", dated):
        return _dated(number, dated)
    sections = form.replace('"', "").split(";")
    if len(sections) > 1 and number < 0:
        number, sections[0] = -number, sections[1]
    elif len(sections) > 2 and number == 0:
        sections[0] = sections[2]
    found = _FIXED.match(sections[0])
    if found is None:
        raise Fault(VALUE)
    before, thousands, whole, decimals, percent, after = found.groups()
    decimals = decimals or ""
    # Excel shows 0.285 as 0.29; Python's format would round what the computer holds, to 0.28
    number = rounded(number * (100 if percent else 1), len(decimals))
    written = f"{abs(number):{',' if thousands else ''}.{len(decimals)}f}"
    left, _, right = written.partition(".")
    least = whole.count("0")
    left = left.zfill(least) if least else left.lstrip("0")
    while right and len(right) > decimals.count("0") and right[-1] == "0":
        right = right[:-1]
    point = "." if decimals else ""
    return f"{'-' if number < 0 else ''}{before}{left}{point}{right}{percent}{after}"


def _dated(number: float, form: str) -> str:
    day = _day(number)
    parts = {"yyyy": f"{day.year:04d}", "yy": f"{day.year % 100:02d}", "mm": f"{day.month:02d}"}
    parts |= {"m": str(day.month), "dd": f"{day.day:02d}", "d": str(day.day)}
    return re.sub(r"y+|m+|d+", lambda found: parts.get(found[0], found[0]), form)


def _number_value(text: str, point: str = ".", group: str = ",") -> float:
    """A number in a text with the given decimal point; groups stand before it only."""
    point, group = point[:1], group[:1]
    if not point or point == group:
        raise Fault(VALUE)
    plain = "".join(text.split(" "))
    if not plain:
        return 0.0
    percents = len(plain) - len(plain.rstrip("%"))
    whole, found, decimals = plain.rstrip("%").partition(point)
    if group and group in decimals:
        raise Fault(VALUE)
    plain = (whole.replace(group, "") if group else whole) + ("." + decimals if found else "")
    if not _PLAIN.match(plain):
        raise Fault(VALUE)
    return float(plain) / 100.0**percents


_PLAIN: Final = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")


def _replaced(text: str, start: float, count: float, new: str) -> str:
    if start < 1:
        raise Fault(VALUE)
    first = int(start) - 1
    return text[:first] + new + text[first + _count(count) :]


_EPOCH: Final = date(1899, 12, 30)


def _day(number: float) -> date:
    if not 0 <= number < 2_958_466:
        raise Fault(NUM)
    return _EPOCH + timedelta(days=math.floor(number))


def _date(year: float, month: float, day: float) -> float:
    years = int(year) + (1900 if 0 <= year < 1900 else 0)
    months = years * 12 + int(month) - 1
    if not 1900 <= months // 12 < 10_000:
        raise Fault(NUM)
    first = date(months // 12, months % 12 + 1, 1)
    return float((first - _EPOCH).days + int(day) - 1)


def _weekday(number: float, kind: float = 1.0) -> float:
    monday = _day(number).weekday()
    if kind == 1:
        return float((monday + 1) % 7 + 1)
    if kind == 2:
        return monday + 1.0
    if kind == 3:
        return float(monday)
    raise Fault(NUM)


TEXTS: Final[dict[str, OfValues]] = {
    "LEN": OfValues("t", lambda t: float(len(t))),
    "LEFT": OfValues("tn", lambda t, n=1.0: t[: _count(n)]),
    "RIGHT": OfValues("tn", _right),
    "MID": OfValues("tnn", _middle),
    "TRIM": OfValues("t", _trimmed),
    "UPPER": OfValues("t", str.upper),
    "LOWER": OfValues("t", str.lower),
    "EXACT": OfValues("tt", lambda a, b: a == b),
    "SUBSTITUTE": OfValues("tttn", _substitute),
    "FIND": OfValues("ttn", _find),
    "SEARCH": OfValues("ttn", _search),
    "REPT": OfValues("tn", _repeated),
    "VALUE": OfValues("v", _value),
    "NUMBERVALUE": OfValues("ttt", _number_value),
    "REPLACE": OfValues("tnnt", _replaced),
    "CLEAN": OfValues("t", lambda t: "".join(c for c in t if c >= " ")),
    # what a cell shows of a link
    "HYPERLINK": OfValues("vv", lambda link, shown=None: link if shown is None else shown),
    "TEXT": OfValues("vt", _text),
    "CHAR": OfValues("n", _character),
    "UNICHAR": OfValues("n", _character),
    "DATE": OfValues("nnn", _date),
    "YEAR": OfValues("n", lambda x: float(_day(x).year)),
    "MONTH": OfValues("n", lambda x: float(_day(x).month)),
    "DAY": OfValues("n", lambda x: float(_day(x).day)),
    "WEEKDAY": OfValues("nn", _weekday),
}
