"""Functions of a spreadsheet, as Excel and LibreOffice both give them.

A function of single values (:data:`OF_VALUES`) is lifted over rows by its caller. One of ranges
(:data:`OF_RANGES`) gets values that were typed as they are and whatever stands in cells as rows,
because a text in a cell is passed over where a typed one is an error.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

import numpy as np
from scipy.special import bdtr, ndtr, ndtri

from elo_xl.xlsx.criteria import common, lookup, match, pattern, positions
from elo_xl.xlsx.values import (
    DIV,
    NA,
    NUM,
    REF,
    VALUE,
    Cells,
    Error,
    Fault,
    Grid,
    Value,
    each,
    is_grid,
    number_of,
    rounded,
    to_array,
    to_cells,
    to_number,
    to_text,
    to_truth,
    total,
)


class OfValues(NamedTuple):
    """A function of single values: what it takes (n number, t text, b truth, v as it is)."""

    takes: str
    function: Callable[..., Value]
    of_arrays: Callable[..., Any] | None = None


def finite(number: float) -> float:
    if not math.isfinite(number):
        raise Fault(NUM)
    return number


# Single numbers


def _power(base: float, exponent: float) -> float:
    if base == 0 and exponent <= 0:
        raise Fault(NUM if exponent == 0 else DIV)
    if base < 0 and not exponent.is_integer():
        raise Fault(NUM)
    return finite(base**exponent)


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
    return number - divisor * math.floor(number / divisor)


def _sign(number: float) -> float:
    return float((number > 0) - (number < 0))


def _rounded_up(number: float, digits: float = 0.0) -> float:
    scale = 10.0 ** int(digits)
    size = math.ceil(_cleaned(abs(number) * scale)) / scale
    return -size if number < 0 else size


def _rounded_down(number: float, digits: float = 0.0) -> float:
    scale = 10.0 ** int(digits)
    size = math.floor(_cleaned(abs(number) * scale)) / scale
    return -size if number < 0 else size


def _cleaned(number: float) -> float:
    """Without what is left of decimal digits that binary arithmetic cannot hold."""
    return float(f"{number:.15g}")


def _ceiling(number: float, step: float = 1.0) -> float:
    if step == 0:
        return 0.0
    if number > 0 > step:
        raise Fault(NUM)
    return math.ceil(_cleaned(number / step)) * step


def _floor(number: float, step: float = 1.0) -> float:
    if step == 0:
        raise Fault(DIV)
    if number > 0 > step:
        raise Fault(NUM)
    return math.floor(_cleaned(number / step)) * step


def _quotient(number: float, divisor: float) -> float:
    if divisor == 0:
        raise Fault(DIV)
    return float(math.trunc(number / divisor))


def _factorial(number: float) -> float:
    if number < 0 or number > 170:
        raise Fault(NUM)
    return float(math.factorial(int(number)))


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
        return float(ndtr(z))
    return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def _standard_normals(z: Any, cumulative: Any) -> Any:
    if not cumulative.all():
        raise ValueError("densities have no fast way")
    return ndtr(z)


def _standard_normal_inverse(p: float) -> float:
    if not 0 < p < 1:
        raise Fault(NUM)
    return float(ndtri(p))


def _normal_inverse(p: float, mean: float, sd: float) -> float:
    if sd <= 0:
        raise Fault(NUM)
    return mean + sd * _standard_normal_inverse(p)


def _binomial(successes: float, trials: float, p: float, cumulative: bool) -> float:
    k, n = math.floor(successes), math.floor(trials)
    if k < 0 or k > n or not 0 <= p <= 1:
        raise Fault(NUM)
    if cumulative:
        return float(bdtr(float(k), n, p))
    if p in (0, 1):
        return float(k == n * p)
    logarithm = (
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
        + k * math.log(p) + (n - k) * math.log1p(-p)
    )  # fmt: skip
    if n <= 1000:
        return finite(math.comb(n, k) * p**k * (1 - p) ** (n - k))
    return math.exp(logarithm)


# Texts


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


def _replace(text: str, start: float, count: float, new: str) -> str:
    if start < 1:
        raise Fault(VALUE)
    first = int(start) - 1
    return text[:first] + new + text[first + _count(count) :]


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


def _code(text: str) -> float:
    if not text:
        raise Fault(VALUE)
    return float(ord(text[0]))


def _repeated(text: str, count: float) -> str:
    if count < 0 or len(text) * count > 32_767:
        raise Fault(VALUE)
    return text * int(count)


def _proper(text: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda word: word[0][:1].upper() + word[0][1:].lower(), text)


def _clean(text: str) -> str:
    return "".join(c for c in text if unicodedata.category(c) != "Cc")


def _value(value: Value) -> float:
    if value.__class__ is bool:
        raise Fault(VALUE)
    return to_number(value)


def _n(value: Value) -> Value:
    if isinstance(value, str):
        return value if isinstance(value, Error) else 0.0
    return 0.0 if value is None else float(value)


def _t(value: Value) -> Value:
    return value if isinstance(value, str) else ""


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
    found = _FIXED.match(form.replace('"', ""))
    if found is None:
        raise Fault(VALUE)
    before, thousands, whole, decimals, percent, after = found.groups()
    decimals = decimals or ""
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


# Dates

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


def _edate(start: float, months: float) -> float:
    day = _day(start)
    moved = day.year * 12 + day.month - 1 + int(months)
    year, month = moved // 12, moved % 12 + 1
    last = (date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)).day
    return float((date(year, month, min(day.day, last)) - _EPOCH).days)


def _weekday(number: float, kind: float = 1.0) -> float:
    monday = _day(number).weekday()
    if kind == 1:
        return float((monday + 1) % 7 + 1)
    if kind == 2:
        return monday + 1.0
    if kind == 3:
        return float(monday)
    raise Fault(NUM)


def _is_error(value: Value) -> bool:
    return isinstance(value, Error)


def _mapped(function: Callable[[float], float]) -> Callable[[Any], Any]:
    """A function of Python's over an array: NumPy's own differ from machine to machine."""

    def result(array: Any) -> Any:
        return np.array(list(map(function, array.ravel().tolist()))).reshape(array.shape)

    return result


OF_VALUES: Final[dict[str, OfValues]] = {
    "ABS": OfValues("n", abs, np.abs),
    "SIGN": OfValues("n", _sign, np.sign),
    "INT": OfValues("n", lambda x: float(math.floor(x)), np.floor),
    "SQRT": OfValues("n", _sqrt, np.sqrt),
    "EXP": OfValues("n", lambda x: finite(math.exp(x)), _mapped(math.exp)),
    "LN": OfValues("n", _positive(math.log), _mapped(math.log)),
    "LOG10": OfValues("n", _positive(math.log10), _mapped(math.log10)),
    "LOG": OfValues("nn", _log),
    "POWER": OfValues("nn", _power),
    "PI": OfValues("", lambda: math.pi),
    "MOD": OfValues("nn", _mod),
    "QUOTIENT": OfValues("nn", _quotient),
    "ROUND": OfValues("nn", rounded),
    "ROUNDUP": OfValues("nn", _rounded_up),
    "ROUNDDOWN": OfValues("nn", _rounded_down),
    "TRUNC": OfValues("nn", _rounded_down),
    "CEILING": OfValues("nn", _ceiling),
    "FLOOR": OfValues("nn", _floor),
    "FACT": OfValues("n", _factorial),
    "COMBIN": OfValues("nn", _combinations),
    "SIN": OfValues("n", math.sin),
    "COS": OfValues("n", math.cos),
    "TAN": OfValues("n", math.tan),
    "ATAN": OfValues("n", math.atan),
    "TANH": OfValues("n", math.tanh),
    "NORM.S.DIST": OfValues("nb", _standard_normal, _standard_normals),
    "NORMSDIST": OfValues("n", _standard_normal, ndtr),
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
    "ISNONTEXT": OfValues("v", lambda v: v.__class__ is not str),
    "ISBLANK": OfValues("v", lambda v: v is None),
    "ISLOGICAL": OfValues("v", lambda v: v.__class__ is bool),
    "ISERROR": OfValues("v", _is_error),
    "ISERR": OfValues("v", lambda v: _is_error(v) and v != NA),
    "ISNA": OfValues("v", lambda v: _is_error(v) and v == NA),
    "ISEVEN": OfValues("n", lambda x: int(x) % 2 == 0),
    "ISODD": OfValues("n", lambda x: int(x) % 2 == 1),
    "N": OfValues("v", _n),
    "T": OfValues("v", _t),
    "LEN": OfValues("t", lambda t: float(len(t))),
    "LEFT": OfValues("tn", lambda t, n=1.0: t[: _count(n)]),
    "RIGHT": OfValues("tn", _right),
    "MID": OfValues("tnn", _middle),
    "TRIM": OfValues("t", _trimmed),
    "UPPER": OfValues("t", str.upper),
    "LOWER": OfValues("t", str.lower),
    "PROPER": OfValues("t", _proper),
    "CLEAN": OfValues("t", _clean),
    "EXACT": OfValues("tt", lambda a, b: a == b),
    "SUBSTITUTE": OfValues("tttn", _substitute),
    "REPLACE": OfValues("tnnt", _replace),
    "FIND": OfValues("ttn", _find),
    "SEARCH": OfValues("ttn", _search),
    "REPT": OfValues("tn", _repeated),
    "VALUE": OfValues("v", _value),
    "TEXT": OfValues("vt", _text),
    "CHAR": OfValues("n", _character),
    "UNICHAR": OfValues("n", _character),
    "CODE": OfValues("t", _code),
    "UNICODE": OfValues("t", _code),
    "DATE": OfValues("nnn", _date),
    "YEAR": OfValues("n", lambda x: float(_day(x).year)),
    "MONTH": OfValues("n", lambda x: float(_day(x).month)),
    "DAY": OfValues("n", lambda x: float(_day(x).day)),
    "WEEKDAY": OfValues("nn", _weekday),
    "EDATE": OfValues("nn", _edate),
}


# Ranges


def _numbers(arguments: tuple[Any, ...]) -> Iterator[float]:
    """The numbers of arguments; raises Fault at an error or a typed text that is no number."""
    for argument in arguments:
        if argument.__class__ is float:
            yield argument
        elif is_grid(argument):
            cells = to_cells(argument)
            if cells.error is not None:
                raise Fault(cells.error)
            yield from cells.numbers
        else:
            yield to_number(argument)


def _sum(*arguments: Any) -> Value:
    return finite(total(_numbers(arguments)))


def _product(*arguments: Any) -> Value:
    numbers = list(_numbers(arguments))
    return finite(math.prod(numbers)) if numbers else 0.0


def _average(*arguments: Any) -> Value:
    return _mean(list(_numbers(arguments)))


def _mean(numbers: list[float]) -> float:
    if not numbers:
        raise Fault(DIV)
    return finite(total(numbers) / len(numbers))


def _median(*arguments: Any) -> Value:
    numbers = sorted(_numbers(arguments))
    if not numbers:
        raise Fault(NUM)
    half = len(numbers) // 2
    return numbers[half] if len(numbers) % 2 else (numbers[half - 1] + numbers[half]) / 2


def _variance(*arguments: Any) -> float:
    numbers = list(_numbers(arguments))
    if len(numbers) < 2:
        raise Fault(DIV)
    return _squares(numbers) / (len(numbers) - 1)


def _variance_of_all(*arguments: Any) -> float:
    numbers = list(_numbers(arguments))
    return _squares(numbers) / len(numbers) if numbers else _mean(numbers)


def _squares(numbers: list[float]) -> float:
    mean = _mean(numbers)
    return total((x - mean) ** 2 for x in numbers)


def _count_numbers(*arguments: Any) -> Value:
    count = 0
    for argument in arguments:
        if is_grid(argument):
            count += len(to_cells(argument).numbers)
        elif isinstance(argument, str):
            count += not isinstance(argument, Error) and number_of(argument) is not None
        else:
            count += 1
    return float(count)


def _count_filled(*arguments: Any) -> Value:
    count = 0
    for argument in arguments:
        if is_grid(argument):
            count += sum(value is not None for value in to_cells(argument).flat)
        else:
            count += 1
    return float(count)


def _count_blank(cells: Any) -> Value:
    return float(len(positions(to_cells(cells), "")))


def _criteria(pairs: tuple[Any, ...]) -> tuple[list[Cells], list[Value]]:
    if not pairs or len(pairs) % 2:
        raise Fault(VALUE)
    ranges = [to_cells(cells) for cells in pairs[::2]]
    if len({(len(cells), len(cells[0])) for cells in ranges}) > 1:
        raise Fault(VALUE)
    return ranges, [_one(wanted) for wanted in pairs[1::2]]


def _one(value: Any) -> Value:
    """The first value of rows, or the value."""
    return to_cells(value).flat[0] if is_grid(value) else value


def _chosen(cells: Any, pairs: tuple[Any, ...]) -> list[float]:
    """The numbers in a range where criteria are met in others."""
    ranges, wanted = _criteria(pairs)
    at = common(ranges, wanted)
    return _numbers_at(to_cells(cells), at)


def _numbers_at(cells: Cells, at: list[int]) -> list[float]:
    flat = cells.flat
    values = [flat[i] for i in at if i < len(flat)]
    for value in values:
        if value.__class__ is Error:
            raise Fault(value)
    return [value for value in values if value.__class__ is float]


def _count_ifs(*pairs: Any) -> Value:
    return float(len(common(*_criteria(pairs))))


def _sum_ifs(cells: Any, *pairs: Any) -> Value:
    return total(_chosen(cells, pairs))


def _sum_if(where: Any, wanted: Any, cells: Any = None) -> Value:
    return total(_chosen(where if cells is None else cells, (where, wanted)))


def _average_ifs(cells: Any, *pairs: Any) -> Value:
    return _mean(_chosen(cells, pairs))


def _average_if(where: Any, wanted: Any, cells: Any = None) -> Value:
    return _mean(_chosen(where if cells is None else cells, (where, wanted)))


def _max_ifs(cells: Any, *pairs: Any) -> Value:
    return max(_chosen(cells, pairs), default=0.0)


def _min_ifs(cells: Any, *pairs: Any) -> Value:
    return min(_chosen(cells, pairs), default=0.0)


def _sum_product(*arguments: Any) -> Value:
    grids = [to_cells(a) if not isinstance(a, np.ndarray) else a for a in arguments]
    shapes = {a.shape if isinstance(a, np.ndarray) else (len(a), len(a[0])) for a in grids}
    for grid in grids:
        if isinstance(grid, Cells) and grid.error is not None:
            raise Fault(grid.error)
    if len(shapes) > 1:
        raise Fault(VALUE)
    product = None
    for grid in grids:
        factors = _factors(grid)
        product = (
            factors if product is None else [a * b for a, b in zip(product, factors, strict=True)]
        )
    return finite(total(product or ()))


def _factors(grid: Any) -> list[float]:
    """What SUMPRODUCT takes each value for: whatever is no number is 0."""
    if isinstance(grid, np.ndarray):
        flat = grid.ravel().tolist()
        return flat if grid.dtype != bool else [0.0] * len(flat)
    return [value if value.__class__ is float else 0.0 for value in grid.flat]


def _sum_of_squares(*arguments: Any) -> Value:
    return finite(total(x * x for x in _numbers(arguments)))


def _nth(cells: Any, place: Any, largest: bool) -> Value:
    k = math.ceil(to_number(_one(place)))
    if is_grid(cells) and to_cells(cells).error is not None:
        raise Fault(to_cells(cells).error or NUM)
    ordered = to_cells(cells).ascending
    if not 1 <= k <= len(ordered):
        raise Fault(NUM)
    return ordered[-k] if largest else ordered[k - 1]


def _rank(number: Any, cells: Any, ascending: Any = 0.0) -> Value:
    wanted = to_number(_one(number))
    ordered = to_cells(cells)
    if ordered.error is not None:
        raise Fault(ordered.error)
    numbers = ordered.ascending
    below = bisect_left(numbers, wanted)
    if below == len(numbers) or numbers[below] != wanted:
        raise Fault(NA)
    if to_truth(_one(ascending)):
        return below + 1.0
    return ordered.count_above(wanted) + 1.0


def _truths(arguments: tuple[Any, ...]) -> list[bool]:
    found: list[bool] = []
    for argument in arguments:
        if is_grid(argument):
            cells = to_cells(argument)
            if cells.error is not None:
                raise Fault(cells.error)
            found += [bool(v) for v in cells.flat if v is not None and not isinstance(v, str)]
        elif argument is not None:
            found.append(to_truth(argument))
    if not found:
        raise Fault(VALUE)
    return found


def _match(wanted: Any, where: Any, kind: Any = 1.0) -> Value | Grid:
    cells, way = to_cells(where), to_number(_one(kind))
    if len(cells) > 1 and len(cells[0]) > 1:
        return NA
    if is_grid(wanted) and _several(wanted):
        return each(lambda one: match(cells, one, way), wanted)
    return match(cells, _one(wanted), way)


def _several(value: Any) -> bool:
    cells = to_cells(value)
    return len(cells.flat) > 1


def _look_up(wanted: Any, where: Any, result: Any = None) -> Value | Grid:
    table = to_cells(where)
    wide = len(table[0]) > len(table)
    if result is None and len(table) > 1 and len(table[0]) > 1:
        size = len(table) if wide else len(table[0])
        return lookup(_one(wanted), table, wide, size, approximate=True)
    found = table if result is None else to_cells(result)

    def one(value: Value) -> Value:
        at = match(table, value, 1.0)
        if isinstance(at, Error):
            return at
        flat = found.flat
        return flat[int(at) - 1] if at <= len(flat) else REF

    if is_grid(wanted) and _several(wanted):
        return each(one, wanted)
    return one(_one(wanted))


def _line(across: bool) -> Callable[..., Value | Grid]:
    def found(wanted: Any, table: Any, index: Any, approximate: Any = True) -> Value | Grid:
        cells, place = to_cells(table), to_number(_one(index))
        loose = to_truth(_one(approximate))
        return lookup(_one(wanted), cells, across, place, loose)

    return found


def _count_if(where: Any, wanted: Any) -> Value | Grid:
    cells = to_cells(where)
    if is_grid(wanted) and _several(wanted):
        return each(lambda one: float(len(positions(cells, one))), wanted)
    return float(len(positions(cells, _one(wanted))))


def _concatenated(*arguments: Any) -> Value:
    return "".join(
        to_text(value)
        for argument in arguments
        for value in (to_cells(argument).flat if is_grid(argument) else [argument])
    )


def _joined(separator: Any, no_blanks: Any, *arguments: Any) -> Value:
    texts = [
        to_text(value)
        for argument in arguments
        for value in (to_cells(argument).flat if is_grid(argument) else [argument])
    ]
    if to_truth(_one(no_blanks)):
        texts = [text for text in texts if text]
    return to_text(_one(separator)).join(texts)


def _largest(*arguments: Any) -> Value:
    return max(_numbers(arguments), default=0.0)


def _smallest(*arguments: Any) -> Value:
    return min(_numbers(arguments), default=0.0)


def _transposed(cells: Any) -> Grid:
    return [list(column) for column in zip(*to_cells(cells), strict=True)]


def _matrix_product(left: Any, right: Any) -> Value | Grid:
    a, b = to_array(left), to_array(right)
    if a is None or b is None or a.shape[1] != b.shape[0]:
        return VALUE
    columns = list(zip(*b.tolist(), strict=True))
    return [
        [total(x * y for x, y in zip(row, column, strict=True)) for column in columns]
        for row in a.tolist()
    ]


OF_RANGES: Final[dict[str, Callable[..., Value | Grid]]] = {
    "SUM": _sum,
    "PRODUCT": _product,
    "SUMSQ": _sum_of_squares,
    "AVERAGE": _average,
    "MEDIAN": _median,
    "MAX": _largest,
    "MIN": _smallest,
    "COUNT": _count_numbers,
    "COUNTA": _count_filled,
    "COUNTBLANK": _count_blank,
    "COUNTIF": _count_if,
    "COUNTIFS": _count_ifs,
    "SUMIF": _sum_if,
    "SUMIFS": _sum_ifs,
    "AVERAGEIF": _average_if,
    "AVERAGEIFS": _average_ifs,
    "MAXIFS": _max_ifs,
    "MINIFS": _min_ifs,
    "SUMPRODUCT": _sum_product,
    "MMULT": _matrix_product,
    "TRANSPOSE": _transposed,
    "LARGE": lambda cells, place: _nth(cells, place, largest=True),
    "SMALL": lambda cells, place: _nth(cells, place, largest=False),
    "RANK": _rank,
    "RANK.EQ": _rank,
    "STDEV": lambda *a: math.sqrt(_variance(*a)),
    "STDEV.S": lambda *a: math.sqrt(_variance(*a)),
    "STDEVP": lambda *a: math.sqrt(_variance_of_all(*a)),
    "STDEV.P": lambda *a: math.sqrt(_variance_of_all(*a)),
    "VAR": _variance,
    "VAR.S": _variance,
    "VARP": _variance_of_all,
    "VAR.P": _variance_of_all,
    "AND": lambda *a: all(_truths(a)),
    "OR": lambda *a: any(_truths(a)),
    "XOR": lambda *a: sum(_truths(a)) % 2 == 1,
    "MATCH": _match,
    "LOOKUP": _look_up,
    "VLOOKUP": _line(across=False),
    "HLOOKUP": _line(across=True),
    "CONCATENATE": _concatenated,
    "CONCAT": _concatenated,
    "TEXTJOIN": _joined,
}
