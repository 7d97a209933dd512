"""Expected scores: what two ratings tell about a game or a match."""

from __future__ import annotations

from typing import Final

import numpy as np

from elo_xl.engine import models, outcomes, usual
from elo_xl.engine.arrays import FloatArray
from elo_xl.functions.arguments import NumberArgument, Option, OptionOrNumber, Rating
from elo_xl.functions.catalogue import Native, function

FAMILY: Final = "Expected scores"

RATING: Final = Rating("rating", "The player's rating.")
OPPONENT: Final = Rating("opponent", "The opponent's rating.")
MODEL: Final = Option(
    "model",
    'How a rating difference becomes a score: "normal" (default, Elo\'s own), "logistic", '
    '"rescaled" (the logistic curve with Elo\'s slope), "fide" (table 8.1.2); also with a scale: '
    '"logistic:300", "normal:250".',
    default="normal",
    choices=usual.MODELS,
    parameters=tuple(sorted(models.SCALES.items())),
    scale=True,
)
HOME: Final = NumberArgument(
    "home",
    "Home advantage: rating points added to the player's side (negative: to the opponent's), such "
    "as 35 for White in chess; 0 if omitted.",
    default=0.0,
)
DRAWS: Final = OptionOrNumber(
    "draws",
    'How games are drawn: "split" (default: win E², draw 2E(1-E), loss (1-E)²); a number: the draw '
    'margin in rating points (0: no draws); "davidson" or "rao-kupper", also with their parameter '
    'after a colon: "davidson:0.79".',
    default="split",
    choices=(outcomes.SPLIT, *outcomes.PARAMETERS),
    parameters=tuple(outcomes.PARAMETERS.items()),
)
SD: Final = NumberArgument(
    "sd",
    "Standard deviation of the player's performance in rating points, normal model only; "
    "200 if omitted.",
    default=None,
    above=0,
)
OPPONENT_SD: Final = NumberArgument(
    "opponent_sd",
    "Standard deviation of the opponent's performance in rating points, normal model only; "
    "200 if omitted.",
    default=None,
    above=0,
)
CHANCES: Final = (DRAWS, MODEL, HOME, SD, OPPONENT_SD)
"""What the chances of a win, a draw and a loss depend on besides the ratings."""
# "normal" alone knows deviations; formulas without them do not mention them
_SPREAD: Final = """SQRT(IF(given(sd), sd, 200 * model_wide) ^ 2
    + IF(given(opponent_sd), opponent_sd, 200 * model_wide) ^ 2)"""
_OWN: Final = "either(present(sd), present(opponent_sd))"
_ANY: Final = "either(given(sd), given(opponent_sd))"
_AHEAD: Final = "d, rating - opponent + home"
_GAME: Final = f"""
    e, LAMBDA(z, IF({_OWN}, IF(model = "normal", NORMSDIST(z / {_SPREAD}),
        IF({_ANY}, #VALUE!, expected(z / model_wide, model))), expected(z / model_wide, model))),
    size, draw_size(draws),
    odd, either(drawn_by(draws, "davidson"), drawn_by(draws, "rao-kupper")),
    fits, either(model = "normal", model = "logistic", both(odd, model = "rescaled")),
    bent, both(drawn_by(draws, "rao-kupper"), model = "normal"),
    root, LAMBDA(z, SQRT(e(z) * e(-z))),
    won, LAMBDA(z, IF(drawn_by(draws, "split"), e(z) ^ 2, IF(fits,
        IF(drawn_by(draws, "davidson"), e(z) / (1 + size * root(z)),
        IF(bent, e(z) * e(-size) / (e(z) * e(-size) + e(-z) * e(size)), e(z - size))), #VALUE!))),
    tied, LAMBDA(z, IF(drawn_by(draws, "split"), 2 * e(z) * e(-z), IF(fits,
        IF(drawn_by(draws, "davidson"), size * root(z) / (1 + size * root(z)),
        IF(bent, (e(size) - e(-size)) * e(z) * e(-z) / (e(z) * e(-size) + e(-z) * e(size))
                / (e(z) * e(size) + e(-z) * e(-size)),
            e(size - ABS(z)) - e(-size - ABS(z)))), #VALUE!)))
"""
_DRAWS_IN_CELLS: Final = (
    "Formulas of built-in functions take the draw models of Davidson and of Rao and Kupper only if "
    "they are known when the formula is written; in a cell they give #VALUE!."
)


@function(
    "ELO_EXPECTED",
    "Expected score of a player against an opponent, between 0 and 1.",
    RATING,
    OPPONENT,
    MODEL,
    NumberArgument(
        "cap",
        "The largest rating difference that counts, 400 under most of FIDE's rules; no limit if "
        "omitted.",
        default=None,
        low=0,
    ),
    SD,
    OPPONENT_SD,
    HOME,
    family=FAMILY,
    source="Benítez and Roca, eq (2) and (3), problem 6; Mamon, eq (4); Ioffe, eq (4) and (6)",
    examples=[
        ((1834, 2179), 0.1112780866099),
        ((1834, 2179, "logistic"), 0.1206828465460),
        ((1834, 2179, "rescaled"), 0.1249405215192),
        ((1834, 2179, "fide"), 0.11),
        ((2400, 1800, "normal", 400), 0.9213503964749),
        ((2400, 1800, "logistic", 400), 0.9090909090909),
        ((2400, 1800, "fide", 400), 0.92),
        ((1834, 2179, "logistic", None, None, None, 35), 0.1437479399018),
        ((1500, 1800, "logistic:300"), 0.0909090909091),
    ],
    native=Native(
        f"""
        LET(ahead, rating - opponent + home, d, IF(given(cap), clip(ahead, cap), ahead),
            IF({_OWN}, IF(model = "normal", NORMSDIST(d / {_SPREAD}),
                IF({_ANY}, #VALUE!, expected(d / model_wide, model))),
                expected(d / model_wide, model)))
        """,
    ),
)
def expected(
    rating: FloatArray,
    opponent: FloatArray,
    model: str,
    cap: FloatArray | None,
    sd: FloatArray | None,
    opponent_sd: FloatArray | None,
    home: FloatArray | float,
) -> FloatArray:
    """With d = rating - opponent + home, limited to the cap if one is given (the difference that
    counts is cut, home advantage and all):

    ========= ====================================================================
    normal    Φ(d / √(sd² + opponent_sd²)), which is Φ(d / (200√2)) for Elo's 200
    logistic  1 / (1 + 10^(-d/400))
    rescaled  1 / (1 + e^(-d/(100√π)))
    fide      table 8.1.2, d first rounded to whole points, halves away from zero
    ========= ====================================================================

    Φ is the normal distribution function, NORMSDIST. "logistic:300" has 300 in place of 400, and
    with "normal:250" each standard deviation is 250 where none is given.
    """
    spread = _spread(model, sd, opponent_sd)
    return models.expected(rating - opponent + home, model, cap=cap, sd=spread)


def _spread(model: str, sd: FloatArray | None, opponent_sd: FloatArray | None) -> FloatArray | None:
    """The standard deviation of the difference of two performances; None if neither is given."""
    if sd is None and opponent_sd is None:
        return None
    usual_sd = models.usual_sd(model)
    own, other = (np.asarray(usual_sd if x is None else x) for x in (sd, opponent_sd))
    return np.asarray(np.hypot(own, other))


@function(
    "ELO_DIFF",
    "Rating difference at which a fractional score is the expected score.",
    NumberArgument(
        "score", "The score as a fraction of the games, between 0 and 1.", low=0, high=1
    ),
    MODEL,
    SD,
    OPPONENT_SD,
    family=FAMILY,
    source="Mamon, eq (1), (2), (5) and (8); FIDE B.02, table 8.1.1",
    examples=[
        ((0.625,), 90.124822004871),
        ((0.625, "logistic"), 88.739499846543),
        ((0.625, "rescaled"), 90.541484398524),
        ((0.625, "fide"), 95),
        ((0.625, "normal", 300), 114.8870565154787),
        ((0.625, "normal:400"), 180.249644009742),
    ],
    native=Native(
        f"""
        IF({_OWN}, IF(model = "normal", difference(score, "normal") * {_SPREAD} / (200 * SQRT(2)),
            IF({_ANY}, #VALUE!, difference(score, model) * model_wide)),
            difference(score, model) * model_wide)
        """,
        domain={
            "score": """
            IF(model = "fide", either(score < 0, 1 - score < 0),
                either(score <= 0, 1 - score <= 0))
            """
        },
    ),
)
def difference(
    score: FloatArray, model: str, sd: FloatArray | None, opponent_sd: FloatArray | None
) -> FloatArray:
    """The inverse of the expected score:

    ========= =======================================================================
    normal    √(sd² + opponent_sd²)·Φ⁻¹(score), with Elo's 200 so 200√2·Φ⁻¹(score)
    logistic  400·log₁₀(score / (1 - score))
    rescaled  100√π·ln(score / (1 - score))
    fide      table 8.1.1, the score first rounded to hundredths, halves up; 800 at 1
    ========= =======================================================================

    Φ⁻¹ is NORMSINV. The three curves have no finite difference at 0 and 1: the result is #NUM!.
    """
    return models.difference(score, model, _spread(model, sd, opponent_sd))


@function(
    "ELO_OUTCOMES",
    "Probabilities of win, draw and loss against an opponent, in three cells.",
    RATING,
    OPPONENT,
    *CHANCES,
    family=FAMILY,
    source="Benítez and Roca, eq (4), problems 9 and 10; Ioffe, eq (1) and (5); Davidson; Rao and "
    "Kupper; Glenn and David",
    examples=[
        ((1600, 1500), [[0.4072522635600, 0.4618218630483, 0.1309258733917]]),
        ((1600, 1500, 20), [[0.6113512946052, 0.0529620851243, 0.3356866202704]]),
        (
            (1600, 1500, "davidson:0.79", "logistic"),
            [[0.464089292515, 0.2749341197255, 0.2609765877595]],
        ),
        (
            (1600, 1500, "rao-kupper:97.3", "logistic", 32.8),
            [[0.5509115546295, 0.2390281609133, 0.2100602844572]],
        ),
    ],
    columns=("win", "draw", "loss"),
    native=Native(
        {"win": "won(d)", "draw": "tied(d)", "loss": "won(-d)"},
        let=f"{_AHEAD}, {_GAME}",
        reason=_DRAWS_IN_CELLS,
    ),
)
def outcome_probabilities(
    rating: FloatArray,
    opponent: FloatArray,
    draws: str | FloatArray,
    model: str,
    home: FloatArray | float,
    sd: FloatArray | None,
    opponent_sd: FloatArray | None,
) -> FloatArray:
    """With d = rating - opponent + home, F the model's curve and E = F(d) the expected score:

    ============== ======================= ===================================
    draws          win                     loss
    ============== ======================= ===================================
    split          E²                      (1 - E)²
    a margin ε     F(d - ε)                F(-d - ε)
    davidson:ν     E / (1 + ν√(E(1 - E)))  (1 - E) / (1 + ν√(E(1 - E)))
    rao-kupper:ε   E / (E + θ(1 - E))      (1 - E) / (1 - E + θE)
    ============== ======================= ===================================

    The rest is drawn, and θ = F(ε) / F(-ε); with deviations of the players F is that of
    ELO_EXPECTED. Left out, ν is 1, so that equal players draw a third, and the ε of Rao and Kupper
    is 90. On the normal curve a margin is the model of Glenn and David; on the logistic curve it is
    that of Rao and Kupper, and E / (1 - E) = 10^(d/400) is the ratio of the strengths, as in their
    paper and Davidson's.

    Only the split keeps the expected score: win + draw/2 = E. The others keep it for equal players
    and where there are no draws, and otherwise come nearer to 1/2 than E.

    A margin needs the model normal or logistic, and the other two any model but fide, whose table
    has no odds at its ends; else the result is #VALUE!, and so it is if the parameter cannot be
    read. One below 0 gives #NUM!.
    """
    spread = _spread(model, sd, opponent_sd)
    return outcomes.outcomes(rating - opponent + home, draws, model, spread)


@function(
    "ELO_POINTS",
    "Expected points of a game in which a win, a draw and a loss count 3, 1 and 0 by default.",
    RATING,
    OPPONENT,
    NumberArgument("win", "Points for a win; 3 if omitted.", default=3.0),
    NumberArgument("draw", "Points for a draw; 1 if omitted.", default=1.0),
    NumberArgument("loss", "Points for a loss; 0 if omitted.", default=0.0),
    *CHANCES,
    family=FAMILY,
    source="Benítez and Roca, problem 7; Benítez's web page",
    examples=[
        ((1600, 1500, 3, 1, 0, 50), 1.8423746595187),
        ((1600, 1500, 3, 1, 0, "davidson", "logistic", 65), 1.803078809181),
    ],
    native=Native(
        f"LET({_AHEAD}, {_GAME}, win * won(d) + draw * tied(d) + loss * won(-d))",
        reason=_DRAWS_IN_CELLS,
    ),
)
def expected_points(
    rating: FloatArray,
    opponent: FloatArray,
    win: FloatArray | float,
    draw: FloatArray | float,
    loss: FloatArray | float,
    draws: str | FloatArray,
    model: str,
    home: FloatArray | float,
    sd: FloatArray | None,
    opponent_sd: FloatArray | None,
) -> FloatArray:
    """win·P(win) + draw·P(draw) + loss·P(loss), with the probabilities of ELO_OUTCOMES."""
    spread = _spread(model, sd, opponent_sd)
    return outcomes.points(rating - opponent + home, win, draw, loss, draws, model, spread)


@function(
    "ELO_MATCH",
    "Probability of scoring exactly, at least or at most a given number of points in a match.",
    RATING,
    OPPONENT,
    NumberArgument(
        "games", "Number of games in the match.", low=0, high=outcomes.MOST_GAMES, whole_number=True
    ),
    NumberArgument(
        "points", "The player's points: a multiple of 0.5, at most the number of games.", low=0
    ),
    Option(
        "kind",
        'Which scores count: "exactly" (default), "at least" or "at most" these points.',
        default="exactly",
        choices=outcomes.KINDS,
    ),
    *CHANCES,
    family=FAMILY,
    source="Benítez and Roca, problem 4",
    examples=[
        ((1834, 2179, 10, 3, "exactly", 0), 0.0724054765095),
        ((1834, 2179, 10, 3, "at least", 0), 0.0909221964317),
    ],
    native=Native(
        f"""
        LET({_AHEAD}, {_GAME}, IF(drawn_by(draws, "split"),
            IF(kind = "exactly", BINOM.DIST(2 * points, 2 * games, e(d), FALSE),
            IF(kind = "at most", BINOM.DIST(2 * points, 2 * games, e(d), TRUE),
                BINOM.DIST(2 * (games - points), 2 * games, e(-d), TRUE))),
        IF(fits, IF(size = 0,
            IF(kind = "exactly",
                IF(MOD(points, 1) = 0, BINOM.DIST(points, games, e(d), FALSE), 0),
            IF(kind = "at most", BINOM.DIST(INT(points), games, e(d), TRUE),
                BINOM.DIST(INT(games - points), games, e(-d), TRUE))),
            LET(own, won(d), other, won(-d), even, tied(d),
                IF(kind = "exactly", match_sum(points, own, even, other, FALSE),
                IF(kind = "at most", match_sum(points, own, even, other, TRUE),
                    match_sum(games - points, other, even, own, TRUE))))),
        #VALUE!)))
        """,
        domain={"points": "either(points < 0, games < points, MOD(2 * points, 1) <> 0)"},
        reason="A draw margin other than 0, or another draw model, needs a sum over all numbers of "
        "wins.",
    ),
)
def match_probability(
    rating: FloatArray,
    opponent: FloatArray,
    games: FloatArray,
    points: FloatArray,
    kind: str,
    draws: str | FloatArray,
    model: str,
    home: FloatArray | float,
    sd: FloatArray | None,
    opponent_sd: FloatArray | None,
) -> FloatArray:
    """The games are independent, each with the probabilities of ELO_OUTCOMES. Exactly s points:

        Σ n! / (w! v! l!) · P(win)^w · P(draw)^v · P(loss)^l   over w + v + l = n, w + v/2 = s

    where n is the number of games; the other kinds add these up. If the points exceed the games or
    are not a multiple of 0.5, the result is #NUM!.
    """
    ahead = rating - opponent + home
    result = np.empty(ahead.shape)
    spread = _spread(model, sd, opponent_sd)
    wide = None if spread is None else np.broadcast_to(spread, ahead.shape)
    for n in np.unique(games):
        at = games == n
        margin = draws if isinstance(draws, str) else draws[at]
        width = None if wide is None else wide[at]
        result[at] = outcomes.match_probability(
            ahead[at], n, points[at], kind, margin, model, width
        )
    return result
