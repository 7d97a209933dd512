"""Glickman's systems: ratings with a deviation of their own, and with a volatility as well."""

from __future__ import annotations

from typing import Final

import numpy as np

from elo_xl.engine import glicko
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import SizeError
from elo_xl.engine.evidence import MOST
from elo_xl.functions.arguments import NumberArgument, Numbers
from elo_xl.functions.catalogue import Native, function
from elo_xl.functions.cells import CellArray, CellRows, Result
from elo_xl.functions.ratings import OPPONENTS, RATING

FAMILY: Final = "Glicko"

RD: Final = NumberArgument(
    "rd", "The deviation (RD) of the player's rating before the games, in rating points.", above=0
)
RDS: Final = Numbers(
    "rds",
    "The deviations (RD) of the opponents' ratings, beside the opponents.",
    of=NumberArgument("opponent_rd", "", above=0),
)
SCORES: Final = Numbers(
    "scores",
    "The player's scores (1, 0.5 or 0), beside the opponents.",
    of=NumberArgument("score", "", low=0, high=1),
)

_FAR: Final = f"MAX(ABS(rating), {{}}, counted * ABS(opponent), counted * opponent_rd) > {MOST:G}"

GAMES: Final[tuple[Result, Result, Result]] = (
    [[1400], [1550], [1700]],
    [[30], [100], [300]],
    [[1], [0], [0]],
)


@function(
    "ELO_GLICKO",
    "New rating and deviation (RD) after a period by Glicko, in two cells.",
    RATING,
    RD,
    OPPONENTS,
    RDS,
    SCORES,
    NumberArgument(
        "growth",
        "How much the deviation grows in a period without games, Glickman's c; 0 if omitted.",
        default=0.0,
        low=0,
    ),
    NumberArgument(
        "periods", "Periods since the rating was worked out; 1 if omitted.", default=1.0, low=0
    ),
    family=FAMILY,
    source="Glickman, The Glicko system",
    examples=[
        ((1500, 200, *GAMES), [[1464.1064627569112, 151.39890244796933]]),
        ((1500, 50, *GAMES, 63.2, 4), [[1478.474784900062, 117.24338457131516]]),
    ],
    columns=("new rating", "new RD"),
    native=Native(
        {
            "new rating": """
                rating + LN(10) / 400 * variance
                    * sum_games((score - 1 / (1 + EXP(-ahead))) / SQRT(wide))
            """,
            "new RD": "SQRT(variance)",
        },
        let="""
        wide, 1 + 3 * (LN(10) / 400 * opponent_rd / PI()) ^ 2,
        ahead, LN(10) / 400 * (rating - opponent) / SQRT(wide),
        before, least(350 ^ 2, rd ^ 2 + growth * growth * periods),
        variance, 1 / (1 / before
            + (LN(10) / 400) ^ 2 * sum_games(1 / wide / (2 + EXP(ahead) + EXP(-ahead))))
        """,
        far=_FAR.format("rd"),
    ),
)
def glicko_rating(
    rating: float,
    rd: float,
    opponents: CellArray,
    rds: CellArray,
    scores: CellArray,
    growth: float,
    periods: float,
) -> CellRows:
    """With q = ln 10/400, g(RD) = 1/√(1 + 3q²·RD²/π²) of each opponent and the expected score
    E = 1/(1 + 10^(-g·(rating - opponent)/400)):

        before     = √(rd² + growth²·periods), at most 350
        new RD     = 1/√(1/before² + q²·Σ g²·E·(1 - E))
        new rating = rating + q·(new RD)²·Σ g·(score - E)

    Without a game only the deviation grows. An unrated player begins with 1500 and an RD of 350.
    """
    met, deviations, won = _games(opponents, rds, scores)
    after = glicko.glicko(rating, rd, met, deviations, won, growth, periods)
    return [[float(x) for x in after]]


@function(
    "ELO_GLICKO2",
    "New rating, deviation (RD) and volatility after a period by Glicko-2, in three cells.",
    RATING,
    RD,
    NumberArgument(
        "volatility", "How much the player's strength varies, such as 0.06 (new players).", above=0
    ),
    OPPONENTS,
    RDS,
    SCORES,
    NumberArgument(
        "tau",
        "How fast the volatility may change, usually 0.3 to 1.2; 0.5 if omitted.",
        default=0.5,
        above=0,
    ),
    family=FAMILY,
    source="Glickman, Example of the Glicko-2 system",
    examples=[
        ((1500, 200, 0.06, *GAMES), [[1464.0506705390892, 151.5165241243043, 0.05999598440067785]]),
        (
            (1500, 200, 0.06, *GAMES, 1.2),
            [[1464.0507060079024, 151.51644937864594, 0.059976888532482016]],
        ),
    ],
    columns=("new rating", "new RD", "new volatility"),
    native=Native(
        {
            "new rating": f"rating + {glicko.SCALE} * variance * surprise",
            "new RD": f"{glicko.SCALE} * SQRT(variance)",
            "new volatility": "sigma",
        },
        # REDUCE carries four numbers: both ends of the interval and the heights of the curve there.
        let=f"""
        g, 1 / SQRT(1 + 3 * (opponent_rd / {glicko.SCALE} / PI()) ^ 2),
        z, within(g * (rating - opponent) / {glicko.SCALE}, {glicko.FAR:g}),
        information, sum_games(g ^ 2 / (2 + EXP(z) + EXP(-z))),
        surprise, sum_games(g * (score - 1 / (1 + EXP(-z)))),
        phi, rd / {glicko.SCALE},
        middle, 2 * LN(volatility),
        height, LAMBDA(at, LET(y, EXP(at), spread, 1 + information * (phi ^ 2 + y),
            y / spread / 2 * (surprise ^ 2 / spread - information) - (at - middle) / tau ^ 2)),
        excess, surprise ^ 2 - information * (1 + information * phi ^ 2),
        far, IF(excess > 0, LN(excess) - 2 * LN(information),
            middle - tau * greatest(1, ROUNDUP(tau / 2, 0))),
        found, REDUCE(HSTACK(middle, far, height(middle), height(far)),
            SEQUENCE({glicko.STEPS}), LAMBDA(ends, step, LET(
                a, INDEX(ends, 1, 1), b, INDEX(ends, 1, 2),
                at_a, INDEX(ends, 1, 3), at_b, INDEX(ends, 1, 4),
                IF(ABS(b - a) <= {glicko.EXACT:G}, ends, LET(
                    new, a + (b - a) * IF(step <= {glicko.SECANTS}, at_a / (at_a - at_b), 0.5),
                    at_new, height(new),
                    IF(at_new * at_b <= 0, HSTACK(b, new, at_b, at_new),
                        HSTACK(a, new, at_a / 2, at_new))))))),
        sigma, IF(information = 0, volatility, EXP(INDEX(found, 1, 2) / 2)),
        variance, 1 / (1 / (phi ^ 2 + sigma ^ 2) + information)
        """,
        far=_FAR.format("rd, volatility, tau"),
        reason="The volatility is found by approximation, in many steps.",
    ),
)
def glicko2_rating(
    rating: float,
    rd: float,
    volatility: float,
    opponents: CellArray,
    rds: CellArray,
    scores: CellArray,
    tau: float,
) -> CellRows:
    """On the scale μ = (rating - 1500)/173.7178, φ = rd/173.7178, with g(φ) = 1/√(1 + 3φ²/π²) of
    each opponent and E = 1/(1 + e^(-g·(μ - opponent))):

        v = 1/Σ g²·E·(1 - E)
        Δ = v·Σ g·(score - E)

    The new volatility is e^(x/2), where x solves

        e^x·(Δ² - φ² - v - e^x) / (2·(φ² + v + e^x)²) = (x - ln volatility²)/tau²

    and with it

        new φ = 1/√(1/(φ² + volatility²) + 1/v)
        new μ = μ + (new φ)²·Σ g·(score - E)

    Without a game only the deviation grows, to √(φ² + volatility²). An unrated player begins with
    1500, an RD of 350 and a volatility of 0.06.
    """
    met, deviations, won = _games(opponents, rds, scores)
    after = glicko.glicko2(rating, rd, volatility, met, deviations, won, tau)
    return [[float(x) for x in after]]


def _games(opponents: CellArray, *beside: CellArray) -> list[FloatArray]:
    """The columns of the games in which no cell is blank."""
    columns = (opponents, *beside)
    sizes = [column.values.size for column in columns]
    if len(set(sizes)) > 1:
        raise SizeError(f"the columns of the games have {' and '.join(map(str, sizes))} cells")
    full = np.logical_and.reduce([column.present() for column in columns])
    return [column.values[full] for column in columns]
