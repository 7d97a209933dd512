"""The same arithmetic a second time, slow and exact: what the engine is measured against.

Forty digits for the curves, fractions for whatever FIDE prints, the tables typed from the rules.
"""

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from mpmath import mp, mpf  # type: ignore[import-untyped]

mp.dps = 40

LN10 = mp.log(10)
SD = 200 * mp.sqrt(2)
SCALES = {"logistic": 400 / LN10, "rescaled": 100 * mp.sqrt(mp.pi)}

TABLE_8_1_1 = [
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149),
    *(158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336),
    *(351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800),
]
"""dp of p = .50, .51 … 1.00 as printed"""

TABLE_8_1_2 = [
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153),
    *(162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344),
    *(357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
]
"""last difference of H = .50, .51 … .99 as printed"""


def expected(difference: float, model: str, sd: Any = SD) -> Any:
    """Expected score of a curve, to forty digits."""
    d = mpf(difference)
    return mp.ncdf(d / sd) if model == "normal" else 1 / (1 + mp.exp(-d / SCALES[model]))


def difference(score: float, model: str) -> Any:
    """Rating difference of a curve, to forty digits."""
    p = mpf(score)
    if model == "normal":
        return SD * mp.sqrt(2) * mp.erfinv(2 * p - 1)
    return SCALES[model] * mp.log(p / (1 - p))


def half_away(value: Any) -> int:
    """Rounded to the nearest whole number, halves away from zero."""
    number = Fraction(value)
    return (1 if number >= 0 else -1) * int(abs(number) + Fraction(1, 2))


def half_up(value: Any) -> int:
    """Rounded to the nearest whole number, halves upwards."""
    number = Fraction(value) + Fraction(1, 2)
    return number.numerator // number.denominator


def chance(difference: Any) -> Fraction:
    """Table 8.1.2."""
    d = half_away(difference)
    higher = Fraction(50 + bisect_left(TABLE_8_1_2, abs(d)), 100)
    return higher if d >= 0 else 1 - higher


def table_difference(percent: Any) -> int:
    """Table 8.1.1."""
    p = half_up(percent)
    return TABLE_8_1_1[p - 50] if p >= 50 else -TABLE_8_1_1[50 - p]


def score_distribution(one_game: Sequence[float], games: int) -> list[Fraction]:
    """Probability of 0, ½, 1 … points from win, draw and loss, by multiplying out."""
    win, draw, loss = (Fraction(float(p)) for p in one_game)
    result = [Fraction(1)]
    for _ in range(games):
        longer = [Fraction(0)] * (len(result) + 2)
        for i, p in enumerate(result):
            longer[i] += p * loss
            longer[i + 1] += p * draw
            longer[i + 2] += p * win
        result = longer
    return result


def fide_gains(
    ratings: Sequence[float | None],
    games: Sequence[tuple[int, int, float]],
    *,
    cap: int = 400,
    uncapped_from: float = float("inf"),
    one_upgrade: bool = False,
) -> list[Fraction]:
    """Score minus expected score of each player, game by game; unrated players count for nobody."""
    sides = [
        (own, Fraction(ratings[own]) - Fraction(ratings[other]), Fraction(score))  # type: ignore[arg-type]
        for first, second, points in games
        if ratings[first] is not None and ratings[second] is not None
        for own, other, score in ((first, second, points), (second, first, 1 - points))
    ]
    gains = [Fraction(0)] * len(ratings)
    upgraded: dict[int, Fraction] = {}
    for own, d, _ in sides:
        upgraded[own] = max(upgraded.get(own, d), d)
    for own, d, score in sides:
        counted = min(max(d, Fraction(-cap)), Fraction(cap))
        if float(ratings[own] or 0) >= uncapped_from:
            counted = d
        elif one_upgrade and d > cap:
            if upgraded.get(own) == d:
                del upgraded[own]
            else:
                counted = d
        gains[own] += score - chance(counted)
    return gains


def _glicko_sums(own: Any, games: Sequence[tuple[Any, Any, float]]) -> tuple[Any, Any]:
    """1/v and the sum of g·(score - E) of opponents (mu, phi, score), on Glicko-2's scale."""
    information, surprise = mpf(0), mpf(0)
    for mu, phi, score in games:
        g = 1 / mp.sqrt(1 + 3 * phi**2 / mp.pi**2)
        e = 1 / (1 + mp.exp(-g * (own - mu)))
        information += g**2 * e * (1 - e)
        surprise += g * (mpf(score) - e)
    return information, surprise


def glicko(
    rating: float, rd: float, games: Sequence[tuple[float, float, float]], c: float = 0
) -> tuple[Any, Any]:
    """Rating and deviation after games (opponent, their deviation, score)."""
    q = LN10 / 400
    before = min(mp.sqrt(mpf(rd) ** 2 + mpf(c) ** 2), mpf(350))
    scaled = [(mpf(opponent) * q, mpf(own) * q, score) for opponent, own, score in games]
    information, surprise = _glicko_sums(mpf(rating) * q, scaled)
    variance = 1 / (1 / before**2 + q**2 * information)
    return rating + q * variance * surprise, mp.sqrt(variance)


def glicko2(
    rating: float,
    rd: float,
    volatility: float,
    games: Sequence[tuple[float, float, float]],
    tau: float = 0.5,
) -> tuple[Any, Any, Any]:
    """Rating, deviation and volatility after games, by the steps of Glickman's paper."""
    unit = mpf("173.7178")
    mu, phi, sigma = (mpf(rating) - 1500) / unit, mpf(rd) / unit, mpf(volatility)
    if not games:
        return mpf(rating), unit * mp.sqrt(phi**2 + sigma**2), sigma
    scaled = [((mpf(o) - 1500) / unit, mpf(own) / unit, score) for o, own, score in games]
    information, surprise = _glicko_sums(mu, scaled)
    v, a, t = 1 / information, mp.log(sigma**2), mpf(tau)
    delta = v * surprise

    def f(x: Any) -> Any:
        y = mp.exp(x)
        return y * (delta**2 - phi**2 - v - y) / (2 * (phi**2 + v + y) ** 2) - (x - a) / t**2

    if delta**2 > phi**2 + v:
        b = mp.log(delta**2 - phi**2 - v)
    else:
        k = 1
        while f(a - k * t) < 0:
            k += 1
        b = a - k * t
    left, f_left, f_b = a, f(a), f(b)
    while abs(b - left) > mpf(10) ** -25:
        x = left + (left - b) * f_left / (f_b - f_left)
        f_x = f(x)
        if f_x * f_b <= 0:
            left, f_left = b, f_b
        else:
            f_left /= 2
        b, f_b = x, f_x
    sigma = mp.exp(left / 2)
    variance = 1 / (1 / (phi**2 + sigma**2) + information)
    return 1500 + unit * (mu + variance * surprise), unit * mp.sqrt(variance), sigma
