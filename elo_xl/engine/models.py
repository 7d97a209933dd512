"""Expected score from rating difference, and rating difference from score, under four models.

========== ========================================= ==========================================
model      expected score of difference d            source
========== ========================================= ==========================================
normal     Φ(d / (200√2))                            Benítez and Roca, eq (2); Ioffe, eq (4)
logistic   1 / (1 + 10^(-d/400))                     Benítez and Roca, eq (3); Ioffe, eq (6)
rescaled   1 / (1 + e^(-d/(100√π)))                  Mamon, eq (8): the logistic curve with
                                                     Elo's slope at 0 (408.1 instead of 400)
fide       table 8.1.2, d rounded half away from 0   FIDE Rating Regulations B.02, 8.1.2
========== ========================================= ==========================================

FIDE's table is none of the three curves: it is read as printed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.arrays import HALF, FloatArray, round_half_up
from elo_xl.engine.errors import OptionError, choose, require
from elo_xl.engine.usual import CURVES, MODELS
from elo_xl.special import special

SD: Final = 200.0
"""Elo's standard deviation of one player's performance, in rating points."""

DIFFERENCE_SD: Final = SD * math.sqrt(2)
"""Standard deviation of the difference of two performances: 200√2, 282.8 points."""

LOGISTIC_SCALE: Final = 400 / math.log(10)
RESCALED_SCALE: Final = 100 * math.sqrt(math.pi)

SCALES: Final = {"normal": SD, "logistic": 400.0}
"""The models that another scale may follow, as in ``"logistic:300"``, and the scale they have."""

# Blocks of this many numbers stay in the processor's cache through all steps of a formula.
BLOCK: Final = 1 << 16


def read_model(model: str) -> tuple[str, float]:
    """The curve that a model names, and how many times as wide it is as usual.

    >>> read_model("logistic:300"), read_model("Normal")
    (('logistic', 0.75), ('normal', 1.0))

    Raises OptionError for an unknown model and a scale that is no number, DomainError for a scale
    that is not above 0.
    """
    if type(model) is str and model in MODELS:  # most calls: this takes no time
        return model, 1.0
    word, colon, text = str(model).partition(":")
    if not colon:
        return choose(model, MODELS, "model"), 1.0
    curve = choose(word.strip(), SCALES, "model with a scale")
    try:
        scale = float(text)
    except ValueError:
        raise OptionError(f"the scale of a model must be a number, got {model!r}") from None
    require(0 < scale < math.inf, "the scale of a model must be above 0", scale)
    return curve, scale / SCALES[curve]


def expected(
    difference: npt.ArrayLike,
    model: str = "normal",
    *,
    cap: npt.ArrayLike | None = None,
    sd: npt.ArrayLike | None = None,
    out: FloatArray | None = None,
) -> FloatArray:
    """Expected score, between 0 and 1, of a rating difference (own minus opponent's) in points.

    ``"logistic:300"`` is the logistic curve on a scale of 300 points. ``cap`` is the largest
    absolute difference that counts (no limit if omitted). ``sd``, for the normal model only, is the
    standard deviation of the difference of the two performances (√2 times the scale if omitted,
    200√2 points as a rule).
    ``difference``, ``cap`` and ``sd`` broadcast; the result has their common shape. ``out``, if
    given, is a contiguous array of that shape that receives the result.

    Raises OptionError for an unknown model or an ``sd`` with another model, DomainError for a
    cap below 0 or an sd not above 0.
    """
    curve, wide = read_model(model)
    d = np.asarray(difference, dtype=float)
    if cap is not None:
        limit = np.asarray(cap, dtype=float)
        require(limit >= 0, "cap must not be below 0", limit)
        d = np.clip(d, -limit, limit)
    if sd is not None:
        with np.errstate(over="ignore"):
            d = d / spread(sd, model) * DIFFERENCE_SD
    elif wide != 1:
        d = d / wide
    flat = np.ascontiguousarray(d).reshape(-1)
    if out is not None and not out.flags.c_contiguous:
        raise ValueError("out must be contiguous")
    result = np.empty(flat.shape) if out is None else out.reshape(-1)
    compute = _curve(curve)
    work = np.empty(min(flat.size, BLOCK))
    for start in range(0, flat.size, BLOCK):
        some = flat[start : start + BLOCK]
        compute(some, work[: some.size], result[start : start + BLOCK])
    return result.reshape(d.shape) if out is None else out


def usual_sd(model: str) -> float:
    """The standard deviation of one player's performance under a model: its scale, or Elo's 200.

    >>> usual_sd("normal:250")
    250.0

    Raises the errors of :func:`read_model`.
    """
    curve, wide = read_model(model)
    return SD * wide if curve == "normal" else SD


def spread(sd: npt.ArrayLike, model: str) -> FloatArray:
    """A standard deviation of the difference of two performances, checked."""
    choose(read_model(model)[0], ("normal",), "model with a standard deviation of its own")
    wide = np.asarray(sd, dtype=float)
    require(wide > 0, "sd must be above 0", wide)
    return wide


def difference(
    score: npt.ArrayLike, model: str = "normal", sd: npt.ArrayLike | None = None
) -> FloatArray:
    """Rating difference, in points, at which the expected score is ``score`` (0 to 1).

    For the curves this is the inverse of :func:`expected` (Mamon, eq (2) and (5)), with -inf and
    inf at 0 and 1, and ``sd`` is that of :func:`expected`. ``"fide"`` rounds the score half up to
    hundredths and reads table 8.1.1, which has -800 and 800 there.

    Raises OptionError for an unknown model or an ``sd`` with another one, DomainError for a score
    outside 0 to 1 or an sd not above 0.
    """
    model, scale = read_model(model)
    wide = DIFFERENCE_SD * scale if sd is None else spread(sd, model)
    p = np.asarray(score, dtype=float)
    require((p >= 0) & (p <= 1), "score must be between 0 and 1", p)
    if model == "fide":
        return fide_difference(100 * p)
    if model == "normal":
        return np.asarray(wide * special("ndtri")(p))
    with np.errstate(divide="ignore"):
        odds: FloatArray = np.log(p) - np.log1p(-p)
    return odds * ((LOGISTIC_SCALE if model == "logistic" else RESCALED_SCALE) * scale)


def log_odds(difference: npt.ArrayLike, model: str = "normal") -> FloatArray:
    """Natural logarithm of a curve's odds F(d) / F(-d), where F(d) is the expected score.

    It is proportional to the difference on the logistic curves, whose odds are those of Bradley and
    Terry, and grows like its square on the normal one; it stays finite where a chance is below
    10⁻³⁰⁸. Raises OptionError for ``"fide"``, whose table has odds of 0, and for an unknown model.
    """
    model, wide = read_model(model)
    choose(model, CURVES, "model with odds")
    d = np.asarray(difference, dtype=float) / wide
    if model != "normal":
        return np.asarray(d / (LOGISTIC_SCALE if model == "logistic" else RESCALED_SCALE))
    erf, log_ndtr = special("erf"), special("log_ndtr")
    z = np.asarray(d / DIFFERENCE_SD)
    near = np.abs(z) < 1  # where the two logarithms nearly cancel
    result: FloatArray = np.where(
        near, 2 * np.arctanh(erf(np.where(near, z, 0) / math.sqrt(2))), log_ndtr(z) - log_ndtr(-z)
    )
    return result


def slope(difference: npt.ArrayLike, model: str = "normal") -> FloatArray:
    """Derivative of a curve's expected score with respect to the rating difference, per point.

    >>> (1 / slope(0)).round(1).item()
    709.0

    At 0 its reciprocal is what a whole point of score is worth to first order: 709.0 rating points
    on Elo's curve, 694.9 on the logistic one (Mamon, eq (3) and (6)). Raises OptionError for
    ``"fide"``, which has no slope, and for an unknown model.
    """
    model, wide = read_model(model)
    choose(model, CURVES, "model with a slope")
    d = np.asarray(difference, dtype=float) / wide
    if model == "normal":
        z = d / DIFFERENCE_SD
        with np.errstate(over="ignore"):
            density: FloatArray = np.exp(-z * z / 2)
        return density / (DIFFERENCE_SD * wide * math.sqrt(2 * math.pi))
    scale = (LOGISTIC_SCALE if model == "logistic" else RESCALED_SCALE) * wide
    return expected(d, model) * expected(-d, model) / scale


def fide_difference(percent: npt.ArrayLike) -> FloatArray:
    """Look up in table 8.1.1 the rating difference for a score in percent, from 0 to 100.

    The percentage is rounded half up to a whole percent. The function takes a percentage, not a
    fraction, because 100·W/n is exact where W/n is not.
    """
    return differences_by_percent()[round_half_up(percent).astype(np.int64)]


def fide_hundredths(difference: npt.ArrayLike) -> FloatArray:
    """Look up in table 8.1.2 the expected score in whole hundredths: 92 at a difference of 400.

    Differences are first rounded to whole points, halves away from zero. Sums of these hundredths
    and of scores in hundredths are whole numbers, so they carry no rounding error (FIDE B.02,
    8.1.2, 8.3.2).
    """
    d = np.asarray(difference, dtype=float).clip(-LAST, LAST)
    rows = np.copysign(HALF, d)
    rows += d
    result: FloatArray = hundredths_by_difference()[rows.astype(np.int64)]
    return result


LAST: Final = 736
"""The difference from which table 8.1.2 gives 1.00, in points."""


@cache
def hundredths_by_difference() -> FloatArray:
    """Table 8.1.2 as an array: differences 0 to 736, then -736 to -1, so that -3 finds its row."""
    higher = np.empty(LAST + 1)
    for row in _table("table_8_1_2.csv"):
        last = int(row["d_max"]) if row["d_max"] else LAST
        higher[int(row["d_min"]) : last + 1] = round(float(row["pd_high"]) * 100)
    return np.concatenate([higher, 100 - higher[:0:-1]])


@cache
def differences_by_percent() -> FloatArray:
    """Table 8.1.1 as an array; the index is the percentage scored, 0 to 100."""
    return np.array([float(row["dp"]) for row in _table("table_8_1_1.csv")])


def _table(name: str) -> list[dict[str, str]]:
    import csv
    from importlib import resources

    text = resources.files("elo_xl.engine").joinpath("tables", name).read_text("ascii")
    return list(csv.DictReader(text.splitlines()))


Curve = Callable[[FloatArray, FloatArray, FloatArray], object]


@cache
def _curve(model: str) -> Curve:
    """A curve by name; it writes expected scores of a block of differences into a block.

    The steps between go into a third block, which stays in the cache through all of them.
    """
    if model == "fide":
        return _table_as_curve
    if model != "normal":
        return partial(_logistic, LOGISTIC_SCALE if model == "logistic" else RESCALED_SCALE)
    ndtr = special("ndtr")

    def normal(d: FloatArray, work: FloatArray, result: FloatArray) -> None:
        ndtr(np.divide(d, DIFFERENCE_SD, out=work), out=result)

    return normal


def _table_as_curve(d: FloatArray, work: FloatArray, result: FloatArray) -> None:
    unknown = np.isnan(d)
    some = unknown.any()
    np.divide(fide_hundredths(np.where(unknown, 0.0, d) if some else d), 100, out=result)
    if some:
        result[unknown] = np.nan


def _logistic(scale: float, d: FloatArray, work: FloatArray, result: FloatArray) -> None:
    # Powers of 2 take less time than powers of e.
    np.multiply(d, -1 / (math.log(2) * scale), out=work)
    with np.errstate(over="ignore"):
        np.exp2(work, out=work)
    np.add(work, 1.0, out=work)
    np.divide(1.0, work, out=result)
