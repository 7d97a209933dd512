"""The normal distribution function and its inverse as expressions of SQL.

J. F. Hart's approximation 5666, as G. West gives it (Better approximations to cumulative normal
functions, 2005), and Laplace's continued fraction from :data:`_FAR` on; the inverse by M. J.
Wichura (Algorithm AS 241, 1988), without any iteration. Right to 5e-13 of the value, or better.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_FAR: Final = "3.7e0"
_LEVELS: Final = 28
_HART: Final = (
    (220.206867912376, 221.213596169931, 112.079291497871, 33.912866078383, 6.37396220353165,
     0.700383064443688, 3.52624965998911e-2),
    (440.413735824752, 793.826512519948, 637.333633378831, 296.564248779674, 86.7807322029461,
     16.064177579207, 1.75566716318264, 8.83883476483184e-2),
)  # fmt: skip
_WICHURA: Final = (
    (3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
     45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727),
    (1.0, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
     21213.794301586595867, 39307.895800092710610, 28729.085735721942674, 5226.4952788528545610),
    (1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550,
     3.64784832476320460504, 1.27045825245236838258, 0.241780725177450611770,
     2.27238449892691845833e-2, 7.74545014278341407640e-4),
    (1.0, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
     0.148103976427480074590, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9),
    (6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580,
     0.296560571828504891230, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7),
    (1.0, 0.599832206555887937690, 0.136929880922735805310, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15),
)  # fmt: skip


def phi(z: str) -> str:
    """The distribution function of a column or parameter."""
    a, density = f"ABS({z})", f"EXP(-({z} * {z}) / 2e0)"
    fraction = a
    for level in range(_LEVELS, 0, -1):
        fraction = f"({a} + {level}e0 / {fraction})"
    near = f"{density} * {_ratio(_HART[0], _HART[1], a)}"
    # beyond 38 there is nothing left, and EXP fails in some dialects
    tail = (
        f"CASE WHEN {a} < {_FAR} THEN {near} WHEN {a} > 38e0 THEN 0e0 "
        f"ELSE {density} / ({fraction} * 2.5066282746310002e0) END"
    )
    return f"CASE WHEN {z} > 0e0 THEN 1e0 - {tail} ELSE {tail} END"


def inverse(p: str) -> str:
    """The inverse of a column or parameter between 0 and 1; NULL at both and outside."""
    q, t = f"({p} - 0.5e0)", f"SQRT(-LN(LEAST({p}, 1e0 - {p})))"
    middle, near, far = (
        _ratio(_WICHURA[i], _WICHURA[i + 1], at)
        for i, at in ((0, f"(0.180625e0 - {q} * {q})"), (2, f"({t} - 1.6e0)"), (4, f"({t} - 5e0)"))
    )
    return (
        f"CASE WHEN {p} <= 0e0 OR {p} >= 1e0 THEN NULL WHEN ABS({q}) <= 0.425e0 THEN {q} * {middle}"
        f" WHEN {t} <= 5e0 THEN SIGN({q}) * {near} ELSE SIGN({q}) * {far} END"
    )


def _ratio(above: Sequence[float], below: Sequence[float], x: str) -> str:
    return f"({_polynomial(above, x)} / {_polynomial(below, x)})"


def _polynomial(coefficients: Sequence[float], x: str) -> str:
    *others, last = (f"{c!r}" if "e" in repr(c) else f"{c!r}e0" for c in coefficients)
    text = last
    for one in reversed(others):
        text = f"({one} + {x} * {text})"
    return text
