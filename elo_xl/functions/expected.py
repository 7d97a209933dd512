"""Expected scores: what two ratings say about a game or a match."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from elo_xl.engine import models, outcomes
from elo_xl.engine.rounding import FloatArray
from elo_xl.functions.catalogue import Number, Option, OptionOrNumber, Rating, function

FAMILY: Final = "Expected scores"

RATING: Final = Rating("rating", "The player's rating.")
OPPONENT: Final = Rating("opponent", "The opponent's rating.")
MODEL: Final = Option(
    "model",
    'How a rating difference becomes a score: "normal" (default, Elo\'s own), "logistic", '
    '"rescaled" (the logistic curve with Elo\'s slope), "fide" (table 8.1.2).',
    default="normal",
    choices=models.MODELS,
)
DRAWS: Final = OptionOrNumber(
    "draws",
    'How the expected score E splits into win, draw and loss: "split" (default: E², 2E(1-E), '
    "(1-E)²), or a draw margin in rating points (0: no draws).",
    default="split",
    choices=(outcomes.SPLIT,),
)


@function(
    "ELO_EXPECTED",
    "Expected score of a player against an opponent, between 0 and 1.",
    RATING,
    OPPONENT,
    MODEL,
    Number(
        "cap",
        "The largest rating difference counted, 400 in most of FIDE's rules; no limit if left out.",
        default=None,
        low=0,
    ),
    Number(
        "sd",
        "Standard deviation of the player's performance in rating points, normal model only; "
        "200 if left out.",
        default=None,
        above=0,
    ),
    Number(
        "opponent_sd",
        "Standard deviation of the opponent's performance in rating points, normal model only; "
        "200 if left out.",
        default=None,
        above=0,
    ),
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
    ],
)
def expected(
    rating: FloatArray, opponent: FloatArray, model: str, cap: Any, sd: Any, opponent_sd: Any
) -> FloatArray:
    spread = None
    if sd is not None or opponent_sd is not None:
        spread = np.hypot(
            models.SD if sd is None else sd, models.SD if opponent_sd is None else opponent_sd
        )
    return models.expected(rating - opponent, model, cap=cap, sd=spread)


@function(
    "ELO_DIFF",
    "Rating difference at which a fractional score is the expected one.",
    Number("score", "The score as a fraction of the games, between 0 and 1.", low=0, high=1),
    MODEL,
    family=FAMILY,
    source="Mamon, eq (2), (5) and (8); FIDE B.02, table 8.1.1",
    examples=[
        ((0.625,), 90.124822004871),
        ((0.625, "logistic"), 88.739499846543),
        ((0.625, "rescaled"), 90.541484398524),
        ((0.625, "fide"), 95),
    ],
)
def difference(score: FloatArray, model: str) -> FloatArray:
    return models.difference(score, model)


@function(
    "ELO_OUTCOMES",
    "Probabilities of win, draw and loss against an opponent, in three cells.",
    RATING,
    OPPONENT,
    DRAWS,
    MODEL,
    family=FAMILY,
    source="Benítez and Roca, eq (4), problems 9 and 10; Ioffe, eq (1) and (5)",
    examples=[
        ((1600, 1500), [[0.4072522635600, 0.4618218630483, 0.1309258733917]]),
        ((1600, 1500, 20), [[0.6113512946052, 0.0529620851243, 0.3356866202704]]),
    ],
    columns=("win", "draw", "loss"),
)
def outcome_probabilities(
    rating: FloatArray, opponent: FloatArray, draws: Any, model: str
) -> FloatArray:
    return outcomes.outcomes(rating - opponent, draws, model)


@function(
    "ELO_POINTS",
    "Expected points of a game in which a win, a draw and a loss count 3, 1 and 0, or as given.",
    RATING,
    OPPONENT,
    Number("win", "Points for a win; 3 if left out.", default=3.0),
    Number("draw", "Points for a draw; 1 if left out.", default=1.0),
    Number("loss", "Points for a loss; 0 if left out.", default=0.0),
    DRAWS,
    MODEL,
    family=FAMILY,
    source="Benítez and Roca, problem 7; Benítez's web page",
    examples=[((1600, 1500, 3, 1, 0, 50), 1.8423746595187)],
)
def expected_points(
    rating: FloatArray,
    opponent: FloatArray,
    win: Any,
    draw: Any,
    loss: Any,
    draws: Any,
    model: str,
) -> FloatArray:
    return outcomes.points(rating - opponent, win, draw, loss, draws, model)


@function(
    "ELO_MATCH",
    "Probability of scoring exactly, at least or at most so many points in a match.",
    RATING,
    OPPONENT,
    Number("games", "Games of the match.", low=0, high=outcomes.MOST_GAMES, whole_number=True),
    Number("points", "Points of the player, a multiple of 0.5 up to the games.", low=0),
    Option(
        "kind",
        'Which scores count: "exactly" (default) those points, "at least" or "at most" so many.',
        default="exactly",
        choices=outcomes.KINDS,
    ),
    DRAWS,
    MODEL,
    family=FAMILY,
    source="Benítez and Roca, problem 4",
    examples=[
        ((1834, 2179, 10, 3, "exactly", 0), 0.0724054765095),
        ((1834, 2179, 10, 3, "at least", 0), 0.0909221964317),
    ],
)
def match_probability(
    rating: FloatArray,
    opponent: FloatArray,
    games: FloatArray,
    points: FloatArray,
    kind: str,
    draws: Any,
    model: str,
) -> FloatArray:
    ahead = rating - opponent
    result = np.empty(ahead.shape)
    for n in np.unique(games):
        at = games == n
        margin = draws if isinstance(draws, str) else draws[at]
        result[at] = outcomes.match_probability(ahead[at], n, points[at], kind, margin, model)
    return result
