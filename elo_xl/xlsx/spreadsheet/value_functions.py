"""Functions of single numbers and truth values, and functions that test the type of a value.

They are written for one value; their caller extends them to rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from elo_xl.special import special
from elo_xl.xlsx.spreadsheet.values import (
    DIV,
    NA,
    NEAR,
    NUM,
    Array,
    Error,
    Fault,
    Floats,
    Value,
    cleaned,
    difference,
    near_arrays,
    rounded,
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
