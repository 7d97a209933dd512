"""Functions of ranges.

They receive typed values as they are and the values of cells as rows, because a text in
a cell is ignored, while a typed one is an error.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Container, Iterator
from typing import Final

import numpy as np

from elo_xl.xlsx.spreadsheet.criteria import common, lookup, match, positions
from elo_xl.xlsx.spreadsheet.value_functions import finite
from elo_xl.xlsx.spreadsheet.values import (
    DIV,
    NA,
    NUM,
    REF,
    SEVERAL,
    VALUE,
    Argument,
    Array,
    Error,
    Fault,
    Grid,
    RangeValues,
    Value,
    each,
    held,
    number_of,
    to_cells,
    to_number,
    to_text,
    to_truth,
    to_value,
    total,
)


def _numbers(arguments: tuple[Argument, ...]) -> Iterator[float]:
    """The numbers of arguments; raises Fault at an error or a typed text that is not a number."""
    for argument in arguments:
        if argument.__class__ is float:
            yield argument
        elif isinstance(argument, SEVERAL):
            cells = to_cells(argument)
            if cells.error is not None:
                raise Fault(cells.error)
            yield from cells.numbers
        else:
            yield to_number(argument)


def _sum(*arguments: Argument) -> Value:
    return finite(total(_numbers(arguments)))


def _product(*arguments: Argument) -> Value:
    numbers = list(_numbers(arguments))
    return finite(math.prod(numbers)) if numbers else 0.0


def _average(*arguments: Argument) -> Value:
    return _mean(list(_numbers(arguments)))


def _mean(numbers: list[float]) -> float:
    if not numbers:
        raise Fault(DIV)
    return finite(total(numbers) / len(numbers))


def _median(*arguments: Argument) -> Value:
    numbers = sorted(_numbers(arguments))
    if not numbers:
        raise Fault(NUM)
    half = len(numbers) // 2
    return numbers[half] if len(numbers) % 2 else (numbers[half - 1] + numbers[half]) / 2


def _variance(*arguments: Argument) -> float:
    numbers = list(_numbers(arguments))
    if len(numbers) < 2:
        raise Fault(DIV)
    return _squares(numbers) / (len(numbers) - 1)


def _variance_of_all(*arguments: Argument) -> float:
    numbers = list(_numbers(arguments))
    return _squares(numbers) / len(numbers) if numbers else _mean(numbers)


def _squares(numbers: list[float]) -> float:
    mean = _mean(numbers)
    return total((x - mean) ** 2 for x in numbers)


def _count_numbers(*arguments: Argument) -> Value:
    count = 0
    for argument in arguments:
        if isinstance(argument, SEVERAL):
            count += len(to_cells(argument).numbers)
        elif isinstance(argument, str):
            count += not isinstance(argument, Error) and number_of(argument) is not None
        else:
            count += 1
    return float(count)


def _count_filled(*arguments: Argument) -> Value:
    count = 0
    for argument in arguments:
        if isinstance(argument, SEVERAL):
            count += sum(value is not None for value in to_cells(argument).flat)
        else:
            count += 1
    return float(count)


def _count_blank(cells: Argument) -> Value:
    return float(len(positions(to_cells(cells), "")))


def _where(
    of: Callable[[list[int]], Value], shape: Argument, pairs: tuple[Argument, ...]
) -> Value | Grid:
    """A result computed from the positions at which all criteria are met.

    ``pairs`` are ranges and criteria in turn, the ranges all as large as ``shape``. Rows of
    criteria give rows of results.
    """
    if not pairs or len(pairs) % 2:
        return VALUE
    ranges = [to_cells(cells) for cells in pairs[::2]]
    if len({(len(cells), len(cells[0])) for cells in (to_cells(shape), *ranges)}) > 1:
        return VALUE

    def result(*wanted: Value) -> Value:
        try:
            return of(common(ranges, wanted))
        except Fault as fault:
            return fault.error

    if any(isinstance(wanted, SEVERAL) and _several(wanted) for wanted in pairs[1::2]):
        return each(result, *pairs[1::2])
    return result(*[to_value(wanted) for wanted in pairs[1::2]])


def _ifs(of: Callable[[list[float]], Value]) -> Callable[..., Value | Grid]:
    """SUMIFS and similar: a function of the numbers in a range, where others meet criteria."""

    def result(cells: Argument, *pairs: Argument) -> Value | Grid:
        table = to_cells(cells)
        return _where(lambda at: of(_numbers_at(table, at)), table, pairs)

    return result


def _if(of: Callable[[list[float]], Value]) -> Callable[..., Value | Grid]:
    """SUMIF and similar: the range that is tested comes first."""
    ifs = _ifs(of)
    return lambda where, wanted, cells=None: ifs(where if cells is None else cells, where, wanted)


def _numbers_at(cells: RangeValues, at: list[int]) -> list[float]:
    flat = cells.flat
    values = [flat[i] for i in at]
    for value in values:
        if isinstance(value, Error):
            raise Fault(value)
    return [value for value in values if value.__class__ is float]


def _count_ifs(*pairs: Argument) -> Value | Grid:
    if len(pairs) == 2 and pairs[1].__class__ in (float, str):  # as in most calls
        return float(len(positions(to_cells(pairs[0]), pairs[1])))
    return _where(lambda at: float(len(at)), pairs[0] if pairs else None, pairs)


def _sum_product(*arguments: Argument) -> Value:
    grids = [to_cells(a) if not isinstance(a, np.ndarray) else a for a in arguments]
    shapes = {a.shape if isinstance(a, np.ndarray) else (len(a), len(a[0])) for a in grids}
    # errors first: as a factor, one would be read as 0
    for grid in grids:
        if isinstance(grid, RangeValues) and grid.error is not None:
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


def _factors(grid: RangeValues | Array) -> list[float]:
    """The values as SUMPRODUCT reads them: anything but a number is 0."""
    if isinstance(grid, np.ndarray):
        return [0.0] * grid.size if grid.dtype == bool else grid.astype(float).ravel().tolist()
    return [value if value.__class__ is float else 0.0 for value in grid.flat]


def _matrix(argument: Argument) -> Array:
    """Numbers in rows; raises Fault where a cell is none."""
    if isinstance(argument, np.ndarray):
        return argument.astype(float)
    cells = to_cells(argument)
    if any(value.__class__ is not float for value in cells.flat):
        raise Fault(cells.error or VALUE)
    return np.array(cells, dtype=float)


def _matrix_product(left: Argument, right: Argument) -> Array:
    a, b = _matrix(left), _matrix(right)
    if a.shape[1] != b.shape[0]:
        raise Fault(VALUE)
    return np.asarray(a @ b, dtype=float)


def _inverse(matrix: Argument) -> Array:
    a = _matrix(matrix)
    if a.shape[0] != a.shape[1]:
        raise Fault(VALUE)
    try:
        return np.asarray(np.linalg.inv(a), dtype=float)
    except np.linalg.LinAlgError:
        raise Fault(NUM) from None


def _sum_of_squares(*arguments: Argument) -> Value:
    return finite(total(x * x for x in _numbers(arguments)))


def _nth(largest: bool) -> Callable[[Argument, Argument], Value | Grid]:
    """LARGE, whose place is rounded up, and SMALL, whose place is rounded down."""

    def result(cells: Argument, places: Argument) -> Value | Grid:
        where = to_cells(cells)
        if where.error is not None:
            return where.error
        ordered = where.ascending

        def one(place: Value) -> Value:
            try:
                k = math.ceil(to_number(place)) if largest else math.floor(to_number(place))
            except Fault as fault:
                return fault.error
            if not 1 <= k <= len(ordered):
                return NUM
            return ordered[-k] if largest else ordered[k - 1]

        return (
            each(one, places)
            if isinstance(places, SEVERAL) and _several(places)
            else one(to_value(places))
        )

    return result


def _rank(number: Argument, cells: Argument, ascending: Argument = 0.0) -> Value:
    wanted = to_number(to_value(number))
    ordered = to_cells(cells)
    if ordered.error is not None:
        raise Fault(ordered.error)
    numbers = ordered.ascending
    below = bisect_left(numbers, wanted)
    if below == len(numbers) or numbers[below] != wanted:
        raise Fault(NA)
    if to_truth(to_value(ascending)):
        return below + 1.0
    return ordered.count_above(wanted) + 1.0


def _truths(arguments: tuple[Argument, ...]) -> list[bool]:
    truths: list[bool] = []
    for argument in arguments:
        if isinstance(argument, SEVERAL):
            cells = to_cells(argument)
            if cells.error is not None:
                raise Fault(cells.error)
            truths += [bool(v) for v in cells.flat if v is not None and not isinstance(v, str)]
        elif argument is not None:
            truths.append(to_truth(argument))
    if not truths:
        raise Fault(VALUE)
    return truths


def _match(wanted: Argument, where: Argument, kind: Argument = 1.0) -> Value | Grid:
    cells, way = to_cells(where), to_number(to_value(kind))
    if len(cells) > 1 and len(cells[0]) > 1:
        return NA
    if isinstance(wanted, SEVERAL) and _several(wanted):
        return each(lambda one: match(cells, one, way), wanted)
    return match(cells, to_value(wanted), way)


def _several(value: Argument) -> bool:
    cells = to_cells(value)
    return len(cells.flat) > 1


def _look_up(wanted: Argument, where: Argument, result: Argument = None) -> Value | Grid:
    table = to_cells(where)
    wide = len(table[0]) > len(table)
    if result is None and len(table) > 1 and len(table[0]) > 1:
        size = len(table) if wide else len(table[0])
        return lookup(to_value(wanted), table, wide, size, approximate=True)
    answers = table if result is None else to_cells(result)

    def one(value: Value) -> Value:
        at = match(table, value, 1.0)
        if isinstance(at, Error):
            return at
        flat = answers.flat
        return flat[int(at) - 1] if at <= len(flat) else REF

    if isinstance(wanted, SEVERAL) and _several(wanted):
        return each(one, wanted)
    return one(to_value(wanted))


def _line(across: bool) -> Callable[..., Value | Grid]:
    def found(
        wanted: Argument, table: Argument, index: Argument, approximate: Argument = True
    ) -> Value | Grid:
        cells, place = to_cells(table), to_number(to_value(index))
        loose = to_truth(to_value(approximate))
        return lookup(to_value(wanted), cells, across, place, loose)

    return found


def _texts(arguments: tuple[Argument, ...]) -> Iterator[str]:
    for argument in arguments:
        if isinstance(argument, SEVERAL):
            yield from map(to_text, to_cells(argument).flat)
        else:
            yield to_text(argument)


def _concatenated(*arguments: Argument) -> Value:
    return held("".join(_texts(arguments)))


def _joined(separator: Argument, no_blanks: Argument, *arguments: Argument) -> Value:
    keep = not to_truth(to_value(no_blanks))
    texts = [text for text in _texts(arguments) if keep or text]
    return held(to_text(to_value(separator)).join(texts))


def _largest(*arguments: Argument) -> Value:
    return max(_numbers(arguments), default=0.0)


def _smallest(*arguments: Argument) -> Value:
    return min(_numbers(arguments), default=0.0)


OF_RANGES: Final[dict[str, Callable[..., Argument]]] = {
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
    "COUNTIF": _count_ifs,
    "COUNTIFS": _count_ifs,
    "SUMIF": _if(total),
    "SUMIFS": _ifs(total),
    "AVERAGEIF": _if(_mean),
    "AVERAGEIFS": _ifs(_mean),
    "MAXIFS": _ifs(lambda numbers: max(numbers, default=0.0)),
    "MINIFS": _ifs(lambda numbers: min(numbers, default=0.0)),
    "SUMPRODUCT": _sum_product,
    "MMULT": _matrix_product,
    "MINVERSE": _inverse,
    "LARGE": _nth(largest=True),
    "SMALL": _nth(largest=False),
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
    "MATCH": _match,
    "LOOKUP": _look_up,
    "VLOOKUP": _line(across=False),
    "HLOOKUP": _line(across=True),
    "CONCATENATE": _concatenated,
    "CONCAT": _concatenated,
    "TEXTJOIN": _joined,
}

_CRITERIA: Final = range(1, 255, 2)
_FURTHER: Final = range(2, 255, 2)

ONE: Final[dict[str, Container[int]]] = {
    **dict.fromkeys(("COUNTIF", "COUNTIFS", "SUMIF", "AVERAGEIF"), _CRITERIA),
    **dict.fromkeys(("SUMIFS", "AVERAGEIFS", "MAXIFS", "MINIFS"), _FURTHER),
    **dict.fromkeys(("MATCH", "VLOOKUP", "HLOOKUP", "RANK", "RANK.EQ"), (0, 2, 3)),
    "LOOKUP": (0,),
    "CONCATENATE": range(255),
}
"""The arguments, from 0, that are one value: in an ordinary formula one cell of a range."""
