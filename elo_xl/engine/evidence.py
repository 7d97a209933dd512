"""What one game tells about the difference of two uncertain strengths.

Before the game the difference d of the strengths is normal with mean m and variance v. The game's
result has the probability Z(m) = E[L(d)], where L is its probability at a known difference
(:func:`elo_xl.engine.outcomes.outcomes`), and all that Bayes' formula needs is Z with the first
two derivatives of its logarithm:

    mean of d after the game      m + v·slope             slope     = (log Z)'
    variance of d after the game  v·(1 - v·curvature)     curvature = -(log Z)''

================ ==============================================================================
model, draws     how
================ ==============================================================================
normal, split    closed form with Owen's T function; where that cancels or underflows, the
                 integral that T stands for
normal, margin   a normal variable, the difference of the two performances, cut off at the margin
logistic curves  quadrature (see below)
fide             a sum over the steps of table 8.1.2
================ ==============================================================================

The draws of Davidson and of Rao and Kupper are for the logistic curves only, where strengths are
those of their papers and Rao and Kupper's is a margin. On the normal curve a great ν makes the
probability of a win log-convex, so that a wide prior may have two peaks after it.

Everything is computed relative to its largest term, so that a result of probability 10⁻⁴⁰⁰ is
handled as accurately as any other.

The integrals of the logistic curves have no closed form: the probability of a result, and with it
the mean and variance of d after the game. They are computed by the trapezoidal rule over the
interval where the integrand is not negligible. On an analytic function it converges as fast as
Gauss-Hermite quadrature, and it still does with a wide prior, where the nodes of Gauss-Hermite
spread with the prior and miss the bend of the curve: with 128 nodes that rule is right to 10⁻¹²
points at deviations of 200, and 0.05 points off at 700.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import choose, require
from elo_xl.engine.models import (
    DIFFERENCE_SD,
    LAST,
    LOGISTIC_SCALE,
    RESCALED_SCALE,
    fide_hundredths,
    read_model,
)
from elo_xl.engine.outcomes import DAVIDSON, PARAMETERS, SPLIT, read_draws
from elo_xl.special import special

REACH: Final = 9.0
"""Standard deviations from the peak beyond which a normal density is negligible (10⁻¹⁷)."""

ROOT_TWO_PI: Final = math.sqrt(2 * math.pi)

Parts = tuple[FloatArray, FloatArray, FloatArray]
"""For games: the probability of the result, and the slope and curvature of its logarithm."""


@cache
def legendre() -> tuple[FloatArray, FloatArray]:
    """48 Gauss-Legendre nodes and weights between 0 and 1."""
    from scipy.special import roots_legendre

    node, weight = roots_legendre(48)
    return np.asarray((1 + node) / 2), np.asarray(weight / 2)


def logistic(
    m: FloatArray,
    v: FloatArray,
    score: FloatArray,
    margin: FloatArray | None = None,
    *,
    scale: float,
) -> Parts:
    """Probability, slope and curvature under a logistic curve with the given scale.

    From here on rating differences are in units of the scale.

    With E(x) = 1/(1 + e^-x), each result has L(d) = factor·E(a + d)^α·E(a - d)^β. Split draws:
    a = 0, α = 2·score, β = 2 - α. With a margin ε: α = 1, β = 0, a = -ε for a win, α = β = 1,
    a = ε for a draw.
    """
    draw = score == 0.5
    if margin is None:
        a, alpha, beta = np.zeros(m.size), 2 * score, 2 - 2 * score
        factor = np.where(draw, 2.0, 1.0)
    else:
        a, alpha, beta = np.where(draw, margin, -margin) / scale, np.ceil(score), np.ceil(1 - score)
        factor = np.where(draw, -np.expm1(-2 * margin / scale), 1.0)
    return _parts(_Curves(m / scale, np.sqrt(v) / scale, a, alpha, beta), v, factor, scale)


def davidson(
    m: FloatArray, v: FloatArray, score: FloatArray, nu: FloatArray, *, scale: float
) -> Parts:
    """The same for Davidson's draws: L(d) = factor·e^((α-β)d/2) / (2·cosh(d/2) + ν).

    α is the score and β = 1 - α; the factor of a draw is ν. The slope of log L is between -β and α,
    and its bend nowhere sharper than without draws.
    """
    curves = _Davidson(m / scale, np.sqrt(v) / scale, np.zeros(m.size), score, 1 - score, nu)
    return _parts(curves, v, np.where(score == 0.5, nu, 1.0), scale)


def _parts(curves: _Curves, v: FloatArray, factor: FloatArray, scale: float) -> Parts:
    """Probability, slope and curvature in points, from curves in units of the scale."""
    alpha, beta = curves.alpha, curves.beta
    peak = curves.peak()
    wide = curves.wide(peak)
    result = np.empty((3, v.size))
    for at, nodes in ((np.flatnonzero(~wide), 80), (np.flatnonzero(wide), 256)):
        if at.size:
            result[:, at] = curves.at(at).moments(peak[at], nodes)
    z, mean, variance = result
    slope = np.clip(mean * scale / v, -beta / scale, alpha / scale)
    curvature = np.clip((1 - variance * scale**2 / v) / v, 0, (alpha + beta) / (2 * scale) ** 2)
    return np.minimum(factor * z, 1), slope, curvature


@dataclass(frozen=True, slots=True)
class _Curves:
    """Densities of y = d - m after a result, up to a factor: see :func:`logistic`.

    They are log-concave, and fall off from their peak at least as fast as the prior.
    """

    m: FloatArray
    s: FloatArray
    a: FloatArray
    alpha: FloatArray
    beta: FloatArray

    def at(self, index: npt.NDArray[np.int64]) -> _Curves:
        """The curves with the given indices, as columns."""
        return type(self)(*(getattr(self, field.name)[index, None] for field in fields(self)))

    def log_likelihood(self, d: FloatArray) -> FloatArray:
        """log L at a difference, up to the factor."""
        return self.alpha * _log_expected(self.a + d) + self.beta * _log_expected(self.a - d)

    def tilt(self, d: FloatArray) -> FloatArray:
        """The slope of log L."""
        return np.asarray(
            self.alpha / (1 + np.exp(self.a + d)) - self.beta / (1 + np.exp(self.a - d))
        )

    def log_density(self, y: FloatArray) -> FloatArray:
        return np.asarray(self.log_likelihood(self.m + y) - (y / self.s) ** 2 / 2)

    def peak(self) -> FloatArray:
        """Find the peaks by bisection, to a twentieth of s; the slope of log L gives the bounds."""
        v = self.s**2
        low, high = -self.beta * v, self.alpha * v
        for _ in range(math.ceil(math.log2(max(2, 40 * self.s.max())))):
            y = (low + high) / 2
            up = self.tilt(self.m + y) > y / v
            low, high = np.where(up, y, low), np.where(up, high, y)
        return np.asarray((low + high) / 2)

    @property
    def bend(self) -> FloatArray:
        """The difference at which log L bends, within a few units."""
        return (self.beta - self.alpha) * self.a

    def wide(self, peak: FloatArray) -> npt.NDArray[np.bool_]:
        """Whether the prior is so wide that the nodes must be denser around the bend."""
        return np.asarray((self.s > 2) & (np.abs(self.m + peak - self.bend) < REACH * self.s))

    def moments(self, peak: FloatArray, nodes: int) -> FloatArray:
        """Integral, mean and variance; the columns must be either all wide or all not."""
        peak, reach = peak[:, None], REACH * self.s
        part = np.linspace(0, 1, nodes)
        if self.wide(peak[:1])[0, 0]:
            shift = self.m - self.bend
            first, last = np.arcsinh(shift + peak - reach), np.arcsinh(shift + peak + reach)
            u = first + (last - first) * part
            y = np.sinh(u) - shift
            step = (last - first) / (nodes - 1) * np.cosh(u)
        else:
            y = peak + reach * (2 * part - 1)
            step = 2 * reach / (nodes - 1)
        top = self.log_density(peak)
        density = step * np.exp(self.log_density(y) - top)
        total = density.sum(axis=-1)
        off = y - peak
        mean = (density * off).sum(axis=-1) / total
        variance = (density * (off - mean[:, None]) ** 2).sum(axis=-1) / total
        z = total * np.exp(top[:, 0]) / (ROOT_TWO_PI * self.s[:, 0])
        return np.array([z, peak[:, 0] + mean, variance])


@dataclass(frozen=True, slots=True)
class _Davidson(_Curves):
    """The same with Davidson's draws."""

    nu: FloatArray

    def log_likelihood(self, d: FloatArray) -> FloatArray:
        half = np.abs(d) / 2
        root = np.exp(-half)
        return np.asarray(
            (self.alpha - self.beta) / 2 * d - half - np.log(1 + root * (self.nu + root))
        )

    def tilt(self, d: FloatArray) -> FloatArray:
        root = np.exp(-np.abs(d) / 2)
        side = np.copysign((1 - root * root) / (1 + root * (self.nu + root)), d)
        return np.asarray((self.alpha - self.beta - side) / 2)


def _log_expected(x: FloatArray) -> FloatArray:
    return np.asarray(np.minimum(x, 0) - np.log(1 + np.exp(-np.abs(x))))


MOST: Final = 1e6
"""The largest rating and the largest standard deviation, in points."""

SQUARE: Final = DIFFERENCE_SD**2


class EvidenceMethod(NamedTuple):
    """A way to compute probability, slope and curvature from means, variances and scores."""

    parts: Callable[..., Parts]
    block: int
    """number of games processed at a time, few enough for the processor's cache"""
    of_one: bool = False
    """whether it takes plain numbers as well, for which NumPy needs a fifth of an array's time"""


def prepare(
    score: npt.ArrayLike, draws: str | npt.ArrayLike, model: str
) -> tuple[list[EvidenceMethod], list[FloatArray]]:
    """The methods for a model and a kind of draws, and the checked arrays that they take besides
    mean differences and variances: scores, and a parameter of the draws if there is one."""
    model, scale = read_model(model)
    if isinstance(draws, str):
        kind, parameter, methods = _of_text(draws, model)
    else:
        kind, parameter = read_draws(draws, model)
        methods = _methods(kind, model)
    if scale != 1:
        methods = [m._replace(parts=partial(_scaled, m.parts, scale)) for m in methods]
        parameter = parameter / (1.0 if kind == DAVIDSON else scale)
    points = np.asarray(score, dtype=float)
    if not (points.size == 1 and points.item() in (1, 0.5, 0)):
        possible = (points == 1) | (points == 0.5) | (points == 0)
        require(possible, "score must be 1, 0.5 or 0", points)
    if kind == SPLIT:
        return methods, [points]
    what = "a parameter of davidson" if kind == DAVIDSON else "a draw margin"
    require((points != 0.5) | (parameter > 0), f"a draw needs {what} above 0", parameter)
    return methods, [points, parameter]


@lru_cache(maxsize=64)
def _of_text(draws: str, model: str) -> tuple[str, FloatArray, list[EvidenceMethod]]:
    """The kind of draws that a text names, with its parameter, and the methods for them."""
    kind, parameter = read_draws(draws, model)
    return kind, parameter, _methods(kind, model)


def _scaled(
    parts: Callable[..., Parts], scale: float, m: FloatArray, v: FloatArray, *rest: FloatArray
) -> Parts:
    """The same on a curve that is so many times as wide."""
    probability, slope, curvature = parts(m / scale, v / scale**2, *rest)
    return probability, slope / scale, curvature / scale**2


def _methods(kind: str, model: str) -> list[EvidenceMethod]:
    if kind in PARAMETERS:
        choose(model, ("logistic", "rescaled"), f"model with {kind} and uncertain ratings")
    if model in ("logistic", "rescaled"):
        curve = davidson if kind == DAVIDSON else logistic
        scale = LOGISTIC_SCALE if model == "logistic" else RESCALED_SCALE
        return [EvidenceMethod(partial(curve, scale=scale), 1 << 8)]
    if model == "fide":
        return [EvidenceMethod(_steps, 1 << 9)]
    if kind == SPLIT:
        return [EvidenceMethod(_owen, 12_000, of_one=True), EvidenceMethod(_owen_tail, 1 << 10)]
    return [EvidenceMethod(_cut_off, 1 << 10)]


def within(values: FloatArray, low: float, high: float, what: str) -> None:
    """Raise DomainError ``what, got VALUE`` for the first value outside ``low`` to ``high``."""
    if values.size == 1:
        inside = low <= values.item() <= high
    else:
        inside = bool(values.min(initial=high) >= low and values.max(initial=low) <= high)
    if not inside:
        require((values >= low) & (values <= high), what, values)


def in_blocks(
    work: Callable[..., Sequence[FloatArray]],
    methods: Sequence[EvidenceMethod],
    given: Sequence[FloatArray],
    count: int,
) -> list[FloatArray]:
    """Run ``work(method, *arrays)`` on broadcast arrays, block by block.

    ``work`` gives ``count`` results. The first of them is a probability; where it is NaN, the next
    method is tried.
    """
    shape = given[0].shape
    if len({x.shape for x in given}) > 1:
        shape = np.broadcast_shapes(*(x.shape for x in given))
    flat = [(x if x.shape == shape else np.broadcast_to(x, shape)).reshape(-1) for x in given]
    size = math.prod(shape)
    with np.errstate(all="ignore"):
        if size == 1 and methods[0].of_one:
            parts = work(methods[0].parts, *[x[0] for x in flat])
            results = np.array(parts)[:, None]
            if not math.isnan(parts[0]):
                return list(results.reshape(count, *shape))
        else:
            results = np.empty((count, size))  # one piece, which the allocator can reuse
            for start in range(0, size, methods[0].block):
                part = slice(start, start + methods[0].block)
                _store(work(methods[0].parts, *[x[part] for x in flat]), results[:, part])
        for method in methods[1:]:
            unknown = np.isnan(results[0])
            left = np.flatnonzero(unknown) if np.count_nonzero(unknown) else np.zeros(0, np.int64)
            for start in range(0, left.size, method.block):
                at = left[start : start + method.block]
                out = np.empty((count, at.size))
                _store(work(method.parts, *[x[at] for x in flat]), out)
                results[:, at] = out
    return [result.reshape(shape) for result in results]


def into(
    place: FloatArray, function: Callable[..., FloatArray], *values: npt.ArrayLike
) -> FloatArray:
    """What a function of NumPy's gives, in the place of an array; a plain number has no place.

    The operator of Python's gives the same for plain numbers, in a tenth of the time.
    """
    result: FloatArray = (
        function(*values, out=place) if place.ndim else _OPERATORS.get(function, function)(*values)
    )
    return result


_OPERATORS: Final[dict[Callable[..., FloatArray], Callable[..., FloatArray]]] = {
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.divide: operator.truediv,
}


def _store(parts: Sequence[FloatArray], rows: FloatArray) -> None:
    for part, row in zip(parts, rows, strict=True):
        row[:] = part


def _owen(m: FloatArray, v: FloatArray, score: FloatArray) -> Parts:
    """Normal model, split draws: with h = ±m/t, t² = c² + v, c = 200√2, q = c/√(c² + 2v),

    Z(win) = Φ(h) - 2T(h, q),  Z'(win)  = 2φ(h)Φ(qh)/t,
    Z(draw) = 4T(h, q),        Z'(draw) = 2φ(h)(1 - 2Φ(qh))/t,

    and a loss is a win with the players exchanged. One formula serves all three: with ``draw`` 1
    or 0 and ``k`` -2 or 1, Z = (1 - draw)·Φ(h) - 2k·T and Z' = 2φ(h)(draw + k·Φ(qh))/t.

    Where Φ(h) and 2T(h, q) nearly cancel, their difference is not exact, because owens_t is right
    to 10⁻¹⁴ only: such results, and those of probability below 10⁻²⁸⁰, are left to the next method.
    Working in place takes a tenth of the time.
    """
    ndtr, owens_t = special("ndtr"), special("owens_t")
    side = 2 * score
    side -= 1
    draw = side * side
    draw = into(draw, np.subtract, 1, draw)
    side += draw
    k = draw * -3
    k += 1
    tt = v + SQUARE
    qq = tt + v
    qq = into(qq, np.divide, SQUARE, qq)
    q = np.sqrt(qq)
    side /= np.sqrt(tt)
    h = side * m
    z = owens_t(h, q)
    z *= k
    z *= -2
    won = ndtr(h)
    won -= won * draw
    z += won
    won *= 0.003
    lost = z <= won
    lost |= z < 1e-280
    if np.count_nonzero(lost) if lost.ndim else lost:
        z = np.where(lost, np.nan, z)
    gain = into(won, np.multiply, q, h)  # becomes t·Z'/Z
    gain = into(gain, ndtr, gain)
    gain *= k
    gain += draw
    exponent = into(draw, np.multiply, h, h)
    exponent *= -0.5
    density = np.exp(exponent)
    density *= 2 / ROOT_TWO_PI
    density /= z
    gain *= density
    exponent *= qq
    bend = into(exponent, np.exp, exponent)  # becomes -t²·(log Z)''
    bend *= density
    bend *= k
    bend *= q
    bend *= -1 / ROOT_TWO_PI
    h += gain
    h *= gain
    bend += h
    bend /= tt
    gain *= side
    return z, gain, bend


def _owen_tail(m: FloatArray, v: FloatArray, score: FloatArray) -> Parts:
    """The same for players of very different strength, from positive terms only.

    T(h, q) is the integral of exp(-h²(1+x²)/2)/(1+x²)/2π over x from 0 to q, and 2T(h, 1) is
    Φ(h)Φ(-h). So Z(win) is Φ(h)² and twice that integral from q to 1. With a = |h| everything is
    taken relative to φ(a)φ(qa) for a win (an upset: h < 0), relative to φ(a) for a draw.
    """
    from scipy.special import erf, erfcx

    def mills(x: FloatArray) -> FloatArray:
        """Φ(-x)/φ(x)."""
        return np.asarray(ROOT_TWO_PI / 2 * erfcx(x / math.sqrt(2)))

    def integral(bend: FloatArray, start: FloatArray, width: FloatArray) -> FloatArray:
        """The integral of exp(-a²(x²-start²)/2)/(1+x²) over ``width`` from ``start``."""
        node, weight = legendre()
        y = width[:, None] * node
        x = start[:, None] + y
        return width * ((np.exp(-bend[:, None] * y * (x - y / 2)) / (1 + x * x)) @ weight)

    draw = score == 0.5
    side = np.where(draw, -np.sign(m), np.sign(score - 0.5))
    t = np.sqrt(v + SQUARE)
    q = DIFFERENCE_SD / np.sqrt(2 * v + SQUARE)
    gap = 2 * v / (2 * v + SQUARE)  # 1 - q²
    a = np.abs(m) / t
    far = 80 / (a * a)  # the square of x at which the integrand has fallen to e^-40
    start = np.where(draw, 0, q)
    width = np.minimum(np.where(draw, q, gap / (1 + q)), far / (start + np.sqrt(start**2 + far)))
    part = integral(a * a, start, width)
    near, here = np.exp(-((q * a) ** 2) / 2), np.exp(-a * a / 2)
    won = 2 * part + mills(a) ** 2 * np.exp(-a * a * gap / 2)
    drawn = 4 / ROOT_TWO_PI * part
    z = here * np.where(draw, drawn / ROOT_TWO_PI, won * near / (2 * math.pi))
    gain = np.where(draw, 2 * erf(q * a / math.sqrt(2)) / drawn, 2 * mills(q * a) / won)
    bend = gain * (gain - a) + q * np.where(draw, 4 / ROOT_TWO_PI * near / drawn, -2 / won)
    return z, side * gain / t, np.clip(bend / (t * t), 0, 2 / SQUARE * q * q)


def _cut_off(m: FloatArray, v: FloatArray, score: FloatArray, margin: FloatArray) -> Parts:
    """Normal model with a draw margin: the performances differ by more than the margin, or by less.

    Their difference p is normal with variance t² = c² + v, and the result truncates it. With the
    mean µ and variance w of (p - m)/t after that, the slope is µ/t and the curvature (1 - w)/t².
    """
    from scipy.special import erfcx, ndtr

    draw = score == 0.5
    side = np.where(draw, -np.sign(m), np.sign(score - 0.5))
    t = np.sqrt(v + SQUARE)
    edge = (margin - side * m) / t
    mean = math.sqrt(2 / math.pi) / erfcx(edge / math.sqrt(2))
    fixed = mean * (mean - edge)
    z = ndtr(-edge)
    if draw.any():
        z[draw], mean[draw], fixed[draw] = _between(np.abs(m[draw]), margin[draw], t[draw])
    return z, side * mean / t, np.clip(fixed, 0, 1) / (t * t)


def _between(m: FloatArray, margin: FloatArray, t: FloatArray) -> Parts:
    """A normal variable with mean -m <= 0 and deviation t, truncated to ±margin: its mass there;
    mean plus m, and 1 minus variance, in units of t."""
    node, weight = legendre()
    first = (m - margin) / t
    peak = np.maximum(first, 0)  # where the density is highest: z is counted from there
    low = np.maximum(first - peak, -REACH)
    high = np.minimum(2 * margin / t + first - peak, 80 / (peak + np.sqrt(peak * peak + 80)))
    z = low[:, None] + (high - low)[:, None] * node
    density = np.exp(-z * (z / 2 + peak[:, None])) * weight
    total = density.sum(axis=-1)
    mean = (density * z).sum(axis=-1) / total
    variance = (density * (z - mean[:, None]) ** 2).sum(axis=-1) / total
    mass = (high - low) * total * np.exp(-peak * peak / 2) / ROOT_TWO_PI
    return mass, peak + mean, 1 - variance


def _steps(m: FloatArray, v: FloatArray, score: FloatArray) -> Parts:
    """FIDE's table: L jumps at each edge of the table, and Z is the sum of jump·P(d > edge).

    A loss is a win seen from the other side. A draw is seen from the weaker side: then the edges
    where it becomes more probable come first, and almost nothing cancels.
    """
    from scipy.special import erfcx, ndtr

    edges, jumps = _edges()
    draw = score == 0.5
    side = np.where(draw, -np.copysign(1, m), np.sign(score - 0.5))
    s = np.sqrt(v)
    b = (edges - (side * m)[:, None]) / s[:, None]
    tail = np.maximum(b[:, :1], 0)
    density = np.exp((tail - b) * (tail + b) / 2)
    far = erfcx(b / math.sqrt(2)) * density
    above = ROOT_TWO_PI / 2 * np.where(tail > 0, far, 2 * ndtr(-b))
    jump = jumps[draw.astype(int)]
    z = (jump * above).sum(axis=-1)
    mean = (jump * density).sum(axis=-1) / z
    bend = mean * mean - (jump * b * density).sum(axis=-1) / z
    # a mean within the steps may become less certain, but not one below all of them
    bend = np.clip(bend, np.where(tail[:, 0] > 1, 0, -1), 1)
    return z * np.exp(-(tail[:, 0] ** 2) / 2) / ROOT_TWO_PI, side * mean / s, bend / v


@cache
def _edges() -> tuple[FloatArray, FloatArray]:
    """The differences at which table 8.1.2 changes, and the jumps of P(win) and P(draw) there."""
    e = fide_hundredths(np.arange(-LAST, LAST + 1)) / 100
    at = np.flatnonzero(np.diff(e))
    jumps = np.stack([np.diff(e * e)[at], np.diff(2 * e * (1 - e))[at]])
    return np.asarray(at - LAST + 0.5), jumps
