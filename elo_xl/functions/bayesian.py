"""Ioffe's Bayesian updates: ratings with standard deviations instead of K factors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine import bayes
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.evidence import MOST, within
from elo_xl.engine.models import read_model
from elo_xl.functions.arguments import Argument, NumberArgument, NumberOrRow, Option, Rating
from elo_xl.functions.catalogue import Native, function
from elo_xl.functions.expected import DRAWS, MODEL, OPPONENT, RATING

FAMILY: Final = "Bayesian updates"

WIDEST: Final = {"lead": 7000, "sd": 1000}
"""How far apart two players may be, and the largest deviation, in points of the usual scale: a sum
over 301 points is exact so far, and no host gives a number that another one does not."""


def _far(*numbers: str) -> str:
    """Whether one of some numbers is further from 0 than the engine takes, in a formula."""
    return f"either({', '.join(f'{number} > {MOST:G}' for number in numbers)})"


def _typed(field: str) -> str:
    return f"IF(given({field}), ABS({field}), 0)"


@dataclass(frozen=True)
class _Score(NumberArgument):
    """The score of one game."""

    @property
    def wanted(self) -> str:
        return "1, 0.5 or 0"

    straight = Argument.straight

    def _fits(self, number: float | FloatArray) -> bool | npt.NDArray[np.bool_]:
        return super()._fits(number) & (number % 0.5 == 0)


@function(
    "ELO_BAYES",
    "New ratings and standard deviations of both players after a game by Bayes' formula, in four "
    "cells.",
    RATING,
    OPPONENT,
    _Score("score", "The player's score in the game: 1, 0.5 or 0.", low=0, high=1),
    NumberArgument(
        "sd",
        "Standard deviation of the player's rating before the game, in rating points.",
        above=0,
    ),
    NumberArgument(
        "opponent_sd",
        "Standard deviation of the opponent's rating; the player's if omitted.",
        default=None,
        above=0,
    ),
    DRAWS,
    MODEL,
    family=FAMILY,
    source="Ioffe",
    examples=[
        (
            (1600, 1500, 1, 100),
            [[1634.497504674922, 1465.502495325078, 95.05783727221323, 95.05783727221323]],
        ),
        (
            (1600, 1500, 1, 100, 50, "split", "logistic"),
            [[1636.303551052421, 1490.924112236895, 94.12525169060218, 49.28207268230204]],
        ),
    ],
    columns=("new rating", "new opponent", "new sd", "new opponent sd"),
    native=Native(
        {
            "new rating": "rating + sd ^ 2 * slope",
            "new opponent": "opponent - other ^ 2 * slope",
            "new sd": "sd * SQRT(1 - sd ^ 2 * curvature)",
            "new opponent sd": "other * SQRT(1 - other ^ 2 * curvature)",
        },
        # No spreadsheet has Owen's T. The trapezoidal rule with 301 points is right to 10⁻¹⁰ up to
        # deviations of 1000 points, where even 512 Gauss-Hermite constants are not.
        let="""
        other, IF(given(opponent_sd), opponent_sd, sd),
        v, sd ^ 2 + other ^ 2,
        wide, (rating = "-") + (opponent = "-") + (score < 0) + (v < 0) + (draws < 0)
            + (model = "-"),
        moment, LAMBDA(power, MAP((rating - opponent + wide) / model_wide,
            (v + wide) / model_wide ^ 2, score + wide, IF(wide = 0, draw_kind(draws), ""),
            IF(wide = 0, IF(drawn_by(draws, "rao-kupper") + drawn_by(draws, "margin"),
                draw_size(draws) / model_wide, draw_size(draws)), ""),
            IF(wide = 0, model, ""), LAMBDA(m, u, won, drawn, size, curve, LET(
            e, LAMBDA(z, IF(curve = "normal", expected(z, "normal"),
                IF(curve = "logistic", expected(z, "logistic"),
                IF(curve = "rescaled", expected(z, "rescaled"), #VALUE!)))),
            reach, 9 * SQRT(u) + IF(curve = "normal", ABS(m) * u / (40000 + u),
                least(u / 85, ABS(m) + 1000)),
            x, (SEQUENCE(301) - 151) / 150 * reach,
            d, m + x,
            weight, EXP(-(x ^ 2) / (2 * u)) * IF(drawn = "split",
                IF(won = 1, e(d) ^ 2, IF(won = 0, e(-d) ^ 2, e(d) * e(-d))),
                IF(curve = IF(drawn = "margin", "rescaled", "normal"), #VALUE!,
                IF(drawn = "davidson",
                    e(d) ^ won * e(-d) ^ (1 - won) / (1 + size * SQRT(e(d) * e(-d))),
                IF(won = 1, e(d - size), IF(won = 0,
                    e(-d - size), e(size - ABS(d)) - e(-size - ABS(d))))))),
            mean, SUM(weight * x) / SUM(weight),
            IF(power = 1, mean, SUM(weight * (x - mean) ^ 2) / SUM(weight)))))),
        slope, moment(1) * model_wide / v,
        curvature, (1 - moment(2) * model_wide ^ 2 / v) / v
        """,
        # Here the points are the same for all games, an eighth of a deviation apart, which is right
        # to 10⁻⁹ up to deviations of 500 and differences of 4000 points. ROW counts them; inserting
        # or deleting rows above only shifts them, which does not change the sums.
        inlined_let="""
        other, IF(given(opponent_sd), opponent_sd, sd),
        v, sd ^ 2 + other ^ 2,
        t, (ROW($1:$301) - 151) / 8,
        d, rating - opponent + SQRT(v) * t,
        weight, IF(drawn_by(draws, "split"), IF(model = "fide", no_sum(),
            EXP(-(t ^ 2) / 2) * expected(SIGN(score - 0.25) * d / model_wide, model)
                * expected(SIGN(score - 0.75) * d / model_wide, model)), no_sum()),
        mean, SUMPRODUCT(weight * t) / SUMPRODUCT(weight),
        slope, mean / SQRT(v),
        curvature, (1 - SUMPRODUCT(weight * t ^ 2) / SUMPRODUCT(weight) + mean ^ 2) / v
        """,
        domain={
            "score": """
            either(score < 0, 1 - score < 0, MOD(2 * score, 1) <> 0,
                both(score = 0.5, draw_size(draws) = 0))
            """
        },
        far=f"""either(ABS(rating) > {MOST:G}, ABS(opponent) > {MOST:G},
            ABS(rating - opponent) > {WIDEST["lead"]} * model_wide,
            sd > {WIDEST["sd"]} * model_wide, {_typed("opponent_sd")} > {WIDEST["sd"]} * model_wide)
        """,
        reason="The formulas sum over 301 points, which is not exact for table 8.1.2: with the "
        'model "fide" the LAMBDA gives #VALUE!. Formulas of built-in functions need draws "split" '
        "and another model, both known when they are written, one game per cell, and a sheet of at "
        "least 301 rows.",
    ),
)
def posterior(
    rating: FloatArray,
    opponent: FloatArray,
    score: FloatArray,
    sd: FloatArray,
    opponent_sd: FloatArray | None,
    draws: str | FloatArray,
    model: str,
) -> FloatArray:
    """With m = rating - opponent and Z(m) the probability of the result, where the difference of
    the two strengths is normal with mean m and variance sd² + opponent_sd²:

        new rating      = rating + sd²·(log Z)'
        new opponent    = opponent - opponent_sd²·(log Z)'
        new sd          = sd·√(1 + sd²·(log Z)'')
        new opponent sd = opponent_sd·√(1 + opponent_sd²·(log Z)'')

    The draws of Davidson and of Rao and Kupper need a logistic curve, the model logistic or
    rescaled, which their strengths come from; with the normal model the result is #VALUE!. (There a
    draw margin serves.)

    For small deviations this is Elo's rule on the logistic curve with k = sd²·ln 10/200.

    Players who are more than 7000 points apart, and deviations above 1000, are #NUM!; with another
    scale both bounds change in proportion.
    """
    _, scale = read_model(model)
    bounds = (
        ("the difference of rating and opponent", np.abs(rating - opponent), WIDEST["lead"]),
        ("sd", sd, WIDEST["sd"]),
        ("opponent_sd", sd if opponent_sd is None else opponent_sd, WIDEST["sd"]),
    )
    for what, number, most in bounds:
        within(number, 0.0, most * scale, f"{what} must be at most {most * scale:G}")
    after = bayes.posterior(rating, opponent, score, sd, opponent_sd, draws, model)
    return np.array([after.rating, after.opponent, after.sd, after.opponent_sd]).T


_PERCENT, _IMP = bayes.SCALES["percent"], bayes.SCALES["imp"]


_SEATS: Final = ("North", "South", "East", "West")


def _usual(field: str) -> str:
    """What a number of the scale is where it is not given, in a formula."""
    imp, percent = getattr(_IMP, field), getattr(_PERCENT, field)
    return f'IF(given({field}), {field}, IF(unit = "imp", {imp!r}, {percent!r}))'


def _sd_after(who: int) -> str:
    """The deviation of one of the four after the result, in a formula; as many as ratings."""
    own, *others = (f"nth(rating_sd, {1 + (who + i) % 4})" for i in range(4))
    squares = " + ".join(f"{other} ^ 2" for other in others)
    one = f"{own} / SQRT(1 + (k * {own}) ^ 2 / (s ^ 2 + k ^ 2 * ({squares})))"
    return f"IF(ABS(pull) < 0, 0, {one})"


@function(
    "ELO_BRIDGE",
    "Ratings of four bridge players after a result, in four cells: North, South, East, West; in "
    "four more their standard deviations.",
    Rating("north", "North's rating before the result."),
    Rating("south", "South's rating before the result."),
    Rating("east", "East's rating before the result."),
    Rating("west", "West's rating before the result."),
    NumberArgument("result", "The result of North and South, in percent or IMPs."),
    NumberArgument(
        "mean",
        "The expected result of equal sides; 50 for percent and 0 for IMPs if omitted.",
        default=None,
    ),
    NumberArgument(
        "slope",
        "How much one rating point of a player adds to the result; 4/1500 for percent and 0.004 "
        "for IMPs if omitted.",
        default=None,
    ),
    NumberArgument(
        "result_sd",
        "Standard deviation of a result given the players' strengths; 6 for percent and 5 for IMPs "
        "if omitted.",
        default=None,
        above=0,
    ),
    NumberOrRow(
        "rating_sd",
        "Standard deviation of the ratings, 200 if omitted; or a row of four, one per player.",
        default=bayes.RATING_SD,
        above=0,
        width=4,
    ),
    Option(
        "unit",
        'What the result is in: "percent" (default) or "imp". The numbers that are left out follow '
        "it.",
        default="percent",
        choices=tuple(bayes.SCALES),
    ),
    family=FAMILY,
    source="Ioffe, eq (8) to (12)",
    examples=[
        (
            (1600, 1500, 1550, 1450, 58),
            [
                [
                    *(1622.211584490187, 1522.211584490187, 1527.788415509813, 1427.788415509813),
                    *[199.2326110790519] * 4,
                ]
            ],
        ),
        (
            (1600, 1500, 1550, 1450, 58, None, None, None, [[200, 60, 120, 120]]),
            [
                [
                    *(1622.590508091686, 1502.033145728252, 1541.867417086993, 1441.867417086993),
                    *(199.2194939882698, 59.97896377029226, 119.8316215334188, 119.8316215334188),
                ]
            ],
        ),
    ],
    columns=(*_SEATS, *(f"{name} sd" for name in _SEATS)),
    native=Native(
        {
            "North": "north + nth(rating_sd, 1) ^ 2 * pull",
            "South": "south + nth(rating_sd, 2) ^ 2 * pull",
            "East": "east - nth(rating_sd, 3) ^ 2 * pull",
            "West": "west - nth(rating_sd, 4) ^ 2 * pull",
            **{f"{name} sd": _sd_after(i) for i, name in enumerate(_SEATS)},
        },
        let=f"""
        k, {_usual("slope")}, s, {_usual("result_sd")},
        pull, k * (result - {_usual("mean")} - k * (north + south - east - west))
            / (s ^ 2 + k ^ 2 * sum_squares(rating_sd, 4))
        """,
        far=_far(
            *("ABS(north)", "ABS(south)", "ABS(east)", "ABS(west)", "ABS(result)"),
            *(_typed("mean"), _typed("slope")),
            *(f"nth(rating_sd, {i})" for i in range(1, 5)),
        ),
    ),
)
def bridge_ratings(
    north: FloatArray,
    south: FloatArray,
    east: FloatArray,
    west: FloatArray,
    result: FloatArray,
    mean: FloatArray | None,
    slope: FloatArray | None,
    result_sd: FloatArray | None,
    rating_sd: FloatArray | float,
    unit: str,
) -> FloatArray:
    """With one deviation per player, s₁ to s₄:

        expected = mean + slope·(north + south - east - west)
        pull     = slope·(result - expected) / (result_sd² + slope²·(s₁² + s₂² + s₃² + s₄²))
        North, South: rating + s²·pull
        East, West:   rating - s²·pull
        sd:           s / √(1 + slope²·s² / (result_sd² + slope²·(the other three s²)))

    Partners share a change in proportion to their variances, so equally if these are equal.
    """
    deviations = np.asarray(rating_sd)
    if deviations.ndim == 1:
        deviations = deviations[:, None]
    ratings = np.stack([north, south, east, west], axis=-1)
    usual = bayes.SCALES[unit]
    known = bayes.Scale(
        usual.mean if mean is None else mean,
        usual.slope if slope is None else slope,
        usual.result_sd if result_sd is None else result_sd,
    )
    after = bayes.bridge(ratings, result, deviations, known)
    return np.concatenate([after.rating, after.sd], axis=-1)
