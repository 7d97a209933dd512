"""Functions of single values: numbers, truth values, texts and dates, and tests of their type.

They are written for one value; their caller extends them to rows.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final, NamedTuple

import numpy as np

from elo_xl.special import special
from elo_xl.xlsx.spreadsheet.criteria import pattern
from elo_xl.xlsx.spreadsheet.values import (
    DIV,
    MOST_LETTERS,
    NA,
    NEAR,
    NUM,
    VALUE,
    Array,
    Error,
    Fault,
    Floats,
    Value,
    cleaned,
    difference,
    held,
    near_arrays,
    number_of,
    rounded,
    to_number,
    to_text,
    whole_below,
)

OfArrays = Callable[..., Array]
"""A function of arrays of numbers."""


class OfValues(NamedTuple):
    """A function of single values, with the types of its arguments.

    ``takes`` has a letter for each argument: n a number, t a text, b a truth value, v any value as
    it is. ``of_arrays`` gives the same for NumPy arrays of numbers.
    """

    takes: str
    function: Callable[..., Value]
    of_arrays: OfArrays | None = None


def finite(number: float) -> float:
    """The number; raises Fault if no cell can hold it."""
    if not math.isfinite(number):
        raise Fault(NUM)
    return number


def _positive(function: Callable[[float], float]) -> Callable[[float], float]:
    def result(number: float) -> float:
        if number <= 0:
            raise Fault(NUM)
        return function(number)

    return result


def _log(number: float, base: float = 10.0) -> float:
    if number <= 0 or base <= 0:
        raise Fault(NUM)
    if base == 1:
        raise Fault(DIV)
    return math.log10(number) if base == 10 else math.log(number) / math.log(base)


def _sqrt(number: float) -> float:
    if number < 0:
        raise Fault(NUM)
    return math.sqrt(number)


def _mod(number: float, divisor: float) -> float:
    if divisor == 0:
        raise Fault(DIV)
    return difference(number, whole_below(number / divisor) * divisor)


def _wholes_below(numbers: Floats) -> Floats:
    below = np.floor(numbers)
    return np.where(near_arrays(numbers, below + 1.0), below + 1.0, below)


def _mods(numbers: Floats, divisors: Floats) -> Floats:
    if not divisors.all():
        raise ValueError("a division by 0 has no fast way")
    # 0 is added, as -0 rounds down to -0 here
    below = (_wholes_below(numbers / divisors) + 0.0) * divisors
    apart: Floats = numbers - below
    apart[np.abs(apart) < np.abs(numbers) * NEAR] = 0.0
    return apart


def _sign(number: float) -> float:
    return float((number > 0) - (number < 0))


def _rounded_up(number: float, digits: float = 0.0) -> float:
    scale = 10.0 ** int(digits)
    size = math.ceil(cleaned(abs(number) * scale)) / scale
    return -size if number < 0 else size


def _rounded_down(number: float, digits: float = 0.0) -> float:
    scale = 10.0 ** int(digits)
    size = math.floor(cleaned(abs(number) * scale)) / scale
    return -size if number < 0 else size


def _ceiling(number: float, step: float = 1.0) -> float:
    if step == 0:
        return 0.0
    if number > 0 > step:
        raise Fault(NUM)
    return math.ceil(cleaned(number / step)) * step


def _floor(number: float, step: float = 1.0) -> float:
    if step == 0:
        raise Fault(DIV)
    if number > 0 > step:
        raise Fault(NUM)
    return math.floor(cleaned(number / step)) * step


def _combinations(count: float, chosen: float) -> float:
    if chosen < 0 or count < chosen:
        raise Fault(NUM)
    return float(math.comb(int(count), int(chosen)))


# Distributions


def _normal(x: float, mean: float, sd: float, cumulative: bool) -> float:
    if sd <= 0:
        raise Fault(NUM)
    return _standard_normal((x - mean) / sd, cumulative) / (1.0 if cumulative else sd)


def _standard_normal(z: float, cumulative: bool = True) -> float:
    if cumulative:
        return float(special("ndtr")(z))
    return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def _standard_normals(z: Floats, cumulative: Floats) -> Floats:
    if not cumulative.all():
        raise ValueError("densities have no fast way")
    return _normal_curve(z)


def _normal_curve(z: Floats) -> Floats:
    result: Floats = special("ndtr")(z)
    return result


def _standard_normal_inverse(p: float) -> float:
    if not 0 < p < 1:
        raise Fault(NUM)
    return float(special("ndtri")(p))


def _normal_inverse(p: float, mean: float, sd: float) -> float:
    if sd <= 0:
        raise Fault(NUM)
    return mean + sd * _standard_normal_inverse(p)


def _binomial(successes: float, trials: float, p: float, cumulative: bool) -> float:
    k, n = math.floor(successes), math.floor(trials)
    if k < 0 or k > n or not 0 <= p <= 1:
        raise Fault(NUM)
    if cumulative:
        return float(special("bdtr")(float(k), n, p))
    if p in (0, 1):
        return float(k == n * p)
    logarithm = (
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
        + k * math.log(p) + (n - k) * math.log1p(-p)
    )  # fmt: skip
    if n <= 1000:
        return finite(math.comb(n, k) * p**k * (1 - p) ** (n - k))
    return math.exp(logarithm)


def _n(value: Value) -> Value:
    if isinstance(value, str):
        return value if isinstance(value, Error) else 0.0
    return 0.0 if value is None else float(value)


def is_error(value: Value) -> bool:
    return value.__class__ is Error


def is_na(value: Value) -> bool:
    return value.__class__ is Error and value == NA


def _mapped(function: Callable[[float], float]) -> Callable[[Floats], Floats]:
    """Apply a Python function to an array: NumPy's own differ from machine to machine."""

    def result(array: Floats) -> Floats:
        return np.array(list(map(function, array.ravel().tolist()))).reshape(array.shape)

    return result


NUMBERS: Final[dict[str, OfValues]] = {
    "ABS": OfValues("n", abs, np.abs),
    "SIGN": OfValues("n", _sign, np.sign),
    "INT": OfValues("n", whole_below, _wholes_below),
    "SQRT": OfValues("n", _sqrt, np.sqrt),
    "EXP": OfValues("n", lambda x: finite(math.exp(x)), _mapped(math.exp)),
    "LN": OfValues("n", _positive(math.log), _mapped(math.log)),
    "LOG10": OfValues("n", _positive(math.log10), _mapped(math.log10)),
    "LOG": OfValues("nn", _log),
    "PI": OfValues("", lambda: math.pi),
    "MOD": OfValues("nn", _mod, _mods),
    "ROUND": OfValues("nn", rounded),
    "ROUNDUP": OfValues("nn", _rounded_up),
    "ROUNDDOWN": OfValues("nn", _rounded_down),
    "TRUNC": OfValues("nn", _rounded_down),
    "CEILING": OfValues("nn", _ceiling),
    "FLOOR": OfValues("nn", _floor),
    "COMBIN": OfValues("nn", _combinations),
    "NORM.S.DIST": OfValues("nb", _standard_normal, _standard_normals),
    "NORMSDIST": OfValues("n", _standard_normal, _normal_curve),
    "NORM.S.INV": OfValues("n", _standard_normal_inverse),
    "NORMSINV": OfValues("n", _standard_normal_inverse),
    "NORM.DIST": OfValues("nnnb", _normal),
    "NORMDIST": OfValues("nnnb", _normal),
    "NORM.INV": OfValues("nnn", _normal_inverse),
    "NORMINV": OfValues("nnn", _normal_inverse),
    "BINOM.DIST": OfValues("nnnb", _binomial),
    "BINOMDIST": OfValues("nnnb", _binomial),
    "NOT": OfValues("b", lambda x: not x),
    "TRUE": OfValues("", lambda: True),
    "FALSE": OfValues("", lambda: False),
    "NA": OfValues("", lambda: NA),
    "ISNUMBER": OfValues("v", lambda v: v.__class__ is float),
    "ISTEXT": OfValues("v", lambda v: v.__class__ is str),
    "ISBLANK": OfValues("v", lambda v: v is None),
    "ISLOGICAL": OfValues("v", lambda v: v.__class__ is bool),
    "ISERROR": OfValues("v", is_error),
    "ISERR": OfValues("v", lambda v: is_error(v) and v != NA),
    "ISNA": OfValues("v", is_na),
    "ISEVEN": OfValues("n", lambda x: int(x) % 2 == 0),
    "ISODD": OfValues("n", lambda x: int(x) % 2 == 1),
    "N": OfValues("v", _n),
}


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
        if len(text) + text.count(old) * (len(new) - len(old)) > MOST_LETTERS:
            raise Fault(VALUE)
        return text.replace(old, new)
    if which < 1:
        raise Fault(VALUE)
    parts = text.split(old)
    k = int(which)
    if k >= len(parts):
        return text
    return held(old.join(parts[:k]) + new + old.join(parts[k:]))


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
    matched = loose.search(text, int(start) - 1)
    if matched is None:
        raise Fault(VALUE)
    return matched.start() + 1.0


def _trimmed(text: str) -> str:
    return " ".join(word for word in text.split(" ") if word)


def _character(number: float) -> str:
    if not 1 <= number < 0x110000:
        raise Fault(VALUE)
    return chr(int(number))


def _repeated(text: str, count: float) -> str:
    if count < 0 or len(text) * count > MOST_LETTERS:
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
        if not sections[2]:  # a zero that is not shown
            return ""
        sections[0] = sections[2]
    parts = _FIXED.match(sections[0])
    if parts is None:
        raise Fault(VALUE)
    before, thousands, whole, decimals, percent, after = parts.groups()
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
    return re.sub(r"y+|m+|d+", lambda letters: parts.get(letters[0], letters[0]), form)


def _number_value(text: str, point: str = ".", group: str = ",") -> float:
    """A number in a text with the given decimal point; groups stand before it only."""
    point, group = point[:1], group[:1]
    if not point or point == group:
        raise Fault(VALUE)
    plain = "".join(text.split(" "))
    if not plain:
        return 0.0
    percents = len(plain) - len(plain.rstrip("%"))
    whole, mark, decimals = plain.rstrip("%").partition(point)
    if group and group in decimals:
        raise Fault(VALUE)
    plain = (whole.replace(group, "") if group else whole) + ("." + decimals if mark else "")
    if not _PLAIN.match(plain):
        raise Fault(VALUE)
    # a hundred to the power of 155 is more than a number can be
    return float(plain) / 100.0**percents if percents < 155 else 0.0


_PLAIN: Final = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")


def _replaced(text: str, start: float, count: float, new: str) -> str:
    if start < 1:
        raise Fault(VALUE)
    first = int(start) - 1
    return held(text[:first] + new + text[first + _count(count) :])


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
