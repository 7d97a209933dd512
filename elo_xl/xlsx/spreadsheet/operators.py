"""Operators, and functions of single values, over rows.

A NumPy array stands for rows of nothing but numbers, or of nothing but truth values. It is made
where that saves time, and only by operations that give the same bits on each machine: NumPy's own
exponential, for one, does not.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from types import NoneType
from typing import Final, TypeGuard

import numpy as np

from elo_xl.xlsx.spreadsheet.value_functions import OfArrays, OfValues
from elo_xl.xlsx.spreadsheet.values import (
    DIV,
    NEAR,
    NUM,
    SEVERAL,
    Argument,
    Error,
    Fault,
    Floats,
    RangeValues,
    Truths,
    Value,
    difference,
    each,
    held,
    key_of,
    near,
    near_arrays,
    order,
    to_array,
    to_number,
    to_text,
    to_truth,
)

FEW: Final = 20
"""As many cells are worth a memory of what is where."""

Operation = Callable[..., Argument]

PLAIN: Final = frozenset((float, str, bool, Error, NoneType))
"""A single value."""


def safely(function: Operation) -> Operation:
    """Return the faults of a function as values."""

    def result(*arguments: Argument) -> Argument:
        try:
            return function(*arguments)
        except Fault as fault:
            return fault.error
        except (OverflowError, ValueError, ZeroDivisionError):
            return NUM

    return result


def lifted(function: Callable[..., Value], of_arrays: OfArrays | None = None) -> Operation:
    """Extend a function of single values to rows; ``of_arrays`` is the faster way for numbers."""

    def result(*arguments: Argument) -> Argument:
        for argument in arguments:
            if argument.__class__ not in PLAIN:
                break
        else:
            return function(*arguments)
        if of_arrays is not None:
            arrays = [to_array(argument) for argument in arguments]
            if not any(array is None for array in arrays):
                try:
                    with np.errstate(all="ignore"):
                        values = of_arrays(*arrays)
                    if values.dtype == bool or np.isfinite(values).all():
                        return values
                except (OverflowError, ValueError, ZeroDivisionError):
                    pass  # shapes differ, or a number is outside the function's domain
        return each(function, *arguments)

    return result


# Arithmetic


def power(base: float, exponent: float) -> Value:
    """A power; 0^0 is #NUM!, as in Excel."""
    if base == 0 and exponent <= 0:
        return DIV if exponent else NUM
    if base < 0 and not exponent.is_integer():
        return NUM
    if exponent == 2:  # the same bits on each machine, unlike the C library's power
        raised = base * base
    else:
        try:
            raised = base**exponent
        except OverflowError:
            return NUM
    return raised if math.isfinite(raised) else NUM


def _powers(bases: Floats, exponents: Floats) -> Floats:
    if exponents.size == 1 and exponents.item() == 2:
        squares: Floats = bases * bases
        return squares
    bases, exponents = np.broadcast_arrays(bases, exponents)
    pairs = zip(bases.ravel().tolist(), exponents.ravel().tolist(), strict=True)
    raised = [power(base, exponent) for base, exponent in pairs]
    return np.array(raised, dtype=float).reshape(bases.shape)  # ValueError for an error


def _differences(a: Floats, b: Floats) -> Floats:
    apart: Floats = a - b
    apart[np.abs(apart) < np.abs(a) * NEAR] = 0.0
    return apart


def _arithmetic(plain: Callable[[float, float], Value], of_arrays: OfArrays) -> Operation:
    def of_values(a: Value, b: Value) -> Value:
        try:
            value = plain(to_number(a), to_number(b))
        except Fault as fault:
            return fault.error
        return value if isinstance(value, Error) or math.isfinite(value) else NUM  # type: ignore[arg-type]

    return lifted(of_values, of_arrays)


ARITHMETIC: Final[dict[str, Operation]] = {
    "+": _arithmetic(lambda a, b: difference(a, -b), lambda a, b: _differences(a, -b)),
    "-": _arithmetic(difference, _differences),
    "*": _arithmetic(operator.mul, np.multiply),
    "/": _arithmetic(lambda a, b: a / b if b else DIV, np.divide),
    "^": _arithmetic(power, _powers),
}


def _joined(a: Value, b: Value) -> Value:
    try:
        return held(to_text(a) + to_text(b))
    except Fault as fault:
        return fault.error


JOINED: Final = lifted(_joined)

# Comparisons

HOLDS: Final[dict[str, Callable[[float, float], bool]]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}

_OF_ARRAYS: Final[dict[str, OfArrays]] = {
    "=": near_arrays,
    "<>": lambda a, b: ~near_arrays(a, b),
    "<": lambda a, b: (a < b) & ~near_arrays(a, b),
    ">": lambda a, b: (a > b) & ~near_arrays(a, b),
    "<=": lambda a, b: (a <= b) | near_arrays(a, b),
    ">=": lambda a, b: (a >= b) | near_arrays(a, b),
}


def _comparison(sign: str) -> Operation:
    holds = HOLDS[sign]

    def of_values(a: Value, b: Value) -> Value:
        if isinstance(a, Error):
            return a
        if isinstance(b, Error):
            return b
        return holds(order(a, b), 0)

    of_numbers = lifted(of_values, _OF_ARRAYS[sign])

    def result(a: Argument, b: Argument) -> Argument:
        if not isinstance(a, SEVERAL) and not isinstance(b, SEVERAL):
            return of_values(a, b)
        # filled down, A:A=B2 would compare every cell in every row: a range remembers its places
        if sign in ("=", "<>"):
            cells, wanted = (a, b) if a.__class__ is RangeValues else (b, a)
            if cells.__class__ is RangeValues and _is_looked_up(wanted):
                equal = _places(cells, wanted)
                if equal is not None:
                    return equal if sign == "=" else ~equal
        if _only_numbers(a) and _only_numbers(b):
            return of_numbers(a, b)
        return each(of_values, a, b)

    return result


def _is_looked_up(value: Argument) -> TypeGuard[str | float | None]:
    return value.__class__ is str or value.__class__ is float or value is None


def _only_numbers(value: Argument) -> bool:
    """Whether values can be compared as numbers: a blank is not always 0, and TRUE is never 1."""
    if isinstance(value, np.ndarray):
        return not isinstance(value.dtype, np.dtypes.BoolDType)
    return value.__class__ is float or (value.__class__ is RangeValues and value.only_numbers)


def _places(cells: RangeValues, wanted: str | float | None) -> Truths | None:
    """The positions of a value in a range, from the range's memory; None if it holds an error."""
    if cells.error is not None:
        return None
    if len(cells.flat) < FEW:  # sooner compared than looked up
        alike = [order(value, wanted) == 0 for value in cells.flat]
        return np.array(alike).reshape(len(cells), -1)
    equal = np.zeros(len(cells.flat), dtype=bool)
    places = cells.places
    # a blank equals an empty text, 0 and FALSE
    keys = ("", 0.0, (False,)) if wanted is None else (key_of(wanted),)
    for key in keys:
        equal[places.get(key, [])] = True
    if isinstance(wanted, float):
        for number in cells.around(wanted):
            if near(number, wanted):
                equal[places[number]] = True
    if not wanted:
        equal[[i for i, value in enumerate(cells.flat) if value is None]] = True
    return equal.reshape(len(cells), -1)


COMPARISONS: Final[dict[str, Operation]] = {sign: _comparison(sign) for sign in HOLDS}

# Functions of single values

_CONVERT: Final[dict[str, Callable[[Value], Value]]] = {"n": to_number, "t": to_text, "b": to_truth}


def of_single_values(entry: OfValues, count: int) -> tuple[Callable[..., Value], Operation]:
    """A function of ``count`` single values with its conversions, extended to rows."""
    converts = [_CONVERT.get(letter) for letter in entry.takes[:count]]
    function = entry.function

    # arithmetic takes one or two numbers: it is spared the loop over conversions
    if converts == [to_number]:

        def of_number(value: Value) -> Value:
            try:
                return function(value if value.__class__ is float else to_number(value))
            except Fault as fault:
                return fault.error
            except (OverflowError, ValueError):
                return NUM

        return of_number, lifted(of_number, entry.of_arrays)

    if converts == [to_number, to_number]:

        def of_numbers(a: Value, b: Value) -> Value:
            try:
                return function(
                    a if a.__class__ is float else to_number(a),
                    b if b.__class__ is float else to_number(b),
                )
            except Fault as fault:
                return fault.error
            except (OverflowError, ValueError):
                return NUM

        return of_numbers, lifted(of_numbers, entry.of_arrays)

    def of_values(*values: Value) -> Value:
        try:
            return function(
                *[v if c is None else c(v) for c, v in zip(converts, values, strict=True)]
            )
        except Fault as fault:
            return fault.error
        except (OverflowError, ValueError):
            return NUM

    return of_values, lifted(of_values, entry.of_arrays)
