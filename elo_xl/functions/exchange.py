"""Points that two sides exchange after a match of football, rugby, volleyball or table tennis."""

from __future__ import annotations

from typing import Final

from elo_xl.engine import exchange as engine
from elo_xl.engine.arrays import FloatArray
from elo_xl.functions.arguments import NumberArgument, Option, Rating
from elo_xl.functions.catalogue import Native, function

FAMILY: Final = "Team sports"


def _usual(rules: str) -> str:
    return f"{engine.RULES[rules][0]:g}"


def _row(numbers: tuple[int, ...]) -> str:
    return "{" + ", ".join(map(str, numbers)) + "}"


@function(
    "ELO_EXCHANGE",
    "Points that both sides gain by a match of football, rugby, volleyball or table tennis, in two "
    "cells.",
    Rating("rating", "Rating of the first side before the match."),
    Rating("opponent", "Rating of the second side before the match."),
    NumberArgument(
        "scored",
        "What the first side scored: goals, points, sets (fivb) or games (usatt).",
        low=0,
        whole_number=True,
    ),
    NumberArgument("conceded", "What the second side scored.", low=0, whole_number=True),
    Option(
        "rules",
        'Whose rules: "world-football" (default), "fifa", "world-rugby" (from July 2026 on '
        '"world-rugby-2026-07"), "fivb" (volleyball), "usatt" (table tennis).',
        default=engine.WORLD_FOOTBALL,
        choices=tuple(engine.RULES),
    ),
    NumberArgument(
        "weight",
        "Weight of the match: K of world-football (20 if omitted), I of fifa (25), MWF of fivb "
        "(40); world-rugby: 1, or 2 for finals of a World Cup; usatt has none.",
        default=None,
        low=0,
    ),
    NumberArgument(
        "venue",
        "1: the first side is at home, -1: the second is, 0 (default): neutral ground; counts for "
        "world-football and world-rugby.",
        default=0.0,
        low=-1,
        high=1,
        whole_number=True,
    ),
    NumberArgument(
        "knockout",
        "TRUE for a knock-out match of finals, in which nobody loses points; counts for fifa.",
        default=0.0,
        low=0,
        high=1,
        whole_number=True,
    ),
    NumberArgument(
        "shootout",
        "Who won the penalty shoot-out after a draw: 1 or 2; 0 (default): there was none; counts "
        "for fifa.",
        default=0.0,
        low=0,
        high=2,
        whole_number=True,
    ),
    family=FAMILY,
    source="World Football Elo Ratings; FIFA, procedures of the men's ranking, 2018; World Rugby's "
    "points exchange; FIVB World Ranking, 2020; USATT's point exchange table",
    examples=[
        ((1807, 1355, 3, 1, "world-football", 50, 0), [[5, -5]]),
        ((1300, 1500, 1, 0, "fifa"), [[17.074649673679783, -17.074649673679783]]),
        ((400, 350, 3, 0, "fivb"), [[7.267588080517693, -7.267588080517693]]),
        ((1600, 1500, 2, 3, "usatt"), [[-20, 20]]),
    ],
    columns=("first", "second"),
    native=Native(
        {"first": "gain", "second": 'IF(rules = "fifa", fifa(-ahead, -lead, 2), 0 - gain)'},
        let=f"""
        ahead, rating - opponent, lead, scored - conceded,
        worth, LAMBDA(usual, IF(given(weight), weight, usual)),
        fifa, LAMBDA(d, led, side, LET(
            won, worth({_usual("fifa")}) * ((1 + SIGN(led)) / 2
                + IF(both(led = 0, shootout - side = 0), {engine.SHOOTOUT_WIN - 0.5}, 0)
                - 1 / (1 + 10 ^ (-d / {engine.FIFA_SCALE:g}))),
            IF(knockout, greatest(won, 0), won))),
        below, LAMBDA(cut, NORMSDIST(cut + 8 * ahead / 1000)),
        gain, IF(rules = "world-football",
            ROUND(worth({_usual("world-football")})
                * IF(ABS(lead) < 2, 1, IF(ABS(lead) = 2, 1.5, (11 + ABS(lead)) / 8))
                * ((1 + SIGN(lead)) / 2
                    - expected(ahead + {engine.HOME_FOOTBALL:g} * venue, "logistic")), 0),
        IF(rules = "fifa", fifa(ahead, lead, 1),
        IF(either(rules = "world-rugby", rules = "world-rugby-2026-07"),
            LET(w, worth({_usual("world-rugby")}),
                IF((w - 1) * (w - 2) = 0,
                    w * IF(ABS(lead) > {engine.RUGBY_CLEAR:g}, 1.5, 1)
                        * (SIGN(lead) - clip(
                            ahead + IF(rules = "world-rugby", {engine.HOME_RUGBY:g} * venue, 0),
                            {engine.RUGBY_CAP:g}) / {engine.RUGBY_CAP:g}),
                    #NUM!)),
        IF(rules = "fivb",
            IF(both((scored - 3) * (conceded - 3) = 0, scored + conceded < 6), LET(
                w, worth({_usual("fivb")}),
                won, w / 8 * ((lead + SIGN(lead)) / 2 - ({
            " + ".join(f"below({engine.FIVB_CUTS[i]})" for i in (0, 1, 3, 4))
        }) / 2 - 2 * below(0) + 2),
                SIGN(lead) * greatest(SIGN(lead) * won, {engine.FIVB_LEAST})), #NUM!),
        IF(given(weight), #VALUE!, IF(lead = 0, #NUM!, SIGN(lead) * IF(ahead * lead < 0,
            LOOKUP(half_up(ABS(ahead)), {_row(engine.USATT_FROM)}, {_row(engine.USATT_UPSET)}),
            LOOKUP(half_up(ABS(ahead)), {_row(engine.USATT_FROM)},
                {_row(engine.USATT_EXPECTED)}))))))))
        """,
    ),
)
def exchange(
    rating: FloatArray,
    opponent: FloatArray,
    scored: FloatArray,
    conceded: FloatArray,
    rules: str,
    weight: FloatArray | None,
    venue: FloatArray | float,
    knockout: FloatArray | float,
    shootout: FloatArray | float,
) -> FloatArray:
    """With d = rating - opponent, W = 1, 0.5 or 0 for a win, a draw or a loss, and E(d) =
    1/(1 + 10^(-d/400)), the first side gains:

    ============== =========================================================================
    world-football K·G·(W - E(d + 100·venue)), rounded to whole points; G = 1, 1.5, 1.75 for
                   a goal difference of up to 1, of 2, of 3, then 1/8 more for each goal
    fifa           I·(W - E(d·400/600)); W = 0.75 and 0.5 after a shoot-out that ended a draw
    world-rugby    weight·(1, 0 or -1 - D/10), D = d + 3·venue, at most ±10; 1.5 times if the
                   scores are more than 15 points apart; world-rugby-2026-07, for matches from July
                   2026 on, has D = d, wherever they are played
    fivb           MWF/8·(S - ΣP·S), where S is 2, 1.5, 1, -1, -1.5, -2 for 3-0, 3-1, 3-2,
                   2-3, 1-3, 0-3 and P are the probabilities of these sets, between the cuts
                   Φ(±1.06 + 0.008·d), Φ(±0.394 + 0.008·d), Φ(0.008·d); a winner gains,
                   and a loser loses, at least 0.01
    usatt          by the table: for example 8 points up to a difference of 12, and 0 or 50,
                   by who wins, from 238 on
    ============== =========================================================================

    The second side loses what the first one gains, except under FIFA's rules: after a shoot-out,
    which is worth 0.75 and 0.5, and in knock-out matches, where nobody loses points. The venue
    counts for world-football and world-rugby only, a knock-out match and its shoot-out for fifa
    only; elsewhere a shoot-out is a draw. Sets that end no volleyball match, a drawn match of table
    tennis, and a weight of world-rugby other than 1 and 2 give #NUM!; a weight with usatt gives
    #VALUE!.
    """
    return engine.exchange(
        rating,
        opponent,
        scored,
        conceded,
        rules,
        weight=weight,
        venue=venue,
        knockout=knockout,
        shootout=shootout,
    )
