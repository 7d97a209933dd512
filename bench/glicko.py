"""A period of 100,000 players and a million games by Glicko and Glicko-2, beside its bare sums.

The reference gathers the ratings, evaluates both curves and adds each game to both players; it
checks nothing and knows no volatility. The peers get a smaller period, the same as ours for the
ratio: glicko2-py rates it as a period, with the same figures; elote knows no periods and rates
game after game.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from elote import Glicko2Competitor, GlickoCompetitor
from glicko2.engine.rating_engine import RatingEngine
from glicko2.models import MatchResult, Player, RatingPeriod

from bench._timing import faster, fastest, report
from elo_xl.engine.glicko import SCALE, glicko2_period, glicko_period

PLAYERS, GAMES, BLOCK = 100_000, 1_000_000, 1 << 14
FEW, SOME = 2_000, 20_000


def main() -> None:
    rng = np.random.default_rng(1)
    ratings = rng.normal(1500, 250, PLAYERS)
    rds = rng.uniform(30, 350, PLAYERS)
    volatilities = rng.uniform(0.04, 0.08, PLAYERS)
    first = rng.integers(0, PLAYERS, GAMES)
    second = (first + rng.integers(1, PLAYERS, GAMES)) % PLAYERS
    score = rng.integers(0, 3, GAMES) / 2
    mu = (ratings - 1500) / SCALE
    g = 1 / np.sqrt(1 + 3 / np.pi**2 * (rds / SCALE) ** 2)

    def bare() -> None:
        information, surprise = np.zeros((2, PLAYERS))
        for start in range(0, GAMES, BLOCK):
            part = slice(start, start + BLOCK)
            a, b, won = first[part], second[part], score[part]
            for own, other, points in ((a, b, won), (b, a, 1 - won)):
                weight = g[other]
                z = weight * (mu[own] - mu[other])
                np.add.at(information, own, weight * weight / (2 + 2 * np.cosh(z)))
                np.add.at(surprise, own, weight * (points - 0.5 - np.tanh(z / 2) / 2))

    one, two, reference = fastest(
        9,
        partial(glicko_period, ratings, rds, first, second, score, growth=35),
        partial(glicko2_period, ratings, rds, volatilities, first, second, score),
        bare,
    )
    report("Glicko, 100,000 players, 1,000,000 games", one, reference, 1.5, "bare sums")
    report("Glicko-2, the same", two, reference, 3, "bare sums")

    a, b, won = first[:SOME] % FEW, second[:SOME] % FEW, score[:SOME]
    games = [x[a != b] for x in (a, b, won)]
    pairs = list(zip(*(x.tolist() for x in games), strict=True))
    field = list(zip(ratings.tolist(), rds.tolist(), volatilities.tolist(), strict=True))[:FEW]
    one, two = fastest(
        9,
        partial(glicko_period, ratings[:FEW], rds[:FEW], *games),
        partial(glicko2_period, ratings[:FEW], rds[:FEW], volatilities[:FEW], *games),
    )

    period = RatingPeriod("", [MatchResult(str(a), str(b), won) for a, b, won in pairs])

    def by_glicko2_py() -> None:
        engine = RatingEngine()
        for i, (rating, rd, volatility) in enumerate(field):
            engine.pool.add(Player(str(i), (rating - 1500) / SCALE, rd / SCALE, volatility))
        engine.process_period(period)

    def in_turn(players: list[Any]) -> None:
        for a, b, won in pairs:
            if won == 0.5:
                players[a].tied(players[b])
            else:
                players[a if won else b].beat(players[b if won else a])

    def by_elote() -> None:
        in_turn([GlickoCompetitor(rating, rd) for rating, rd, _ in field])

    def by_elote2() -> None:
        in_turn([Glicko2Competitor(*player) for player in field])

    for what, ours, peer, name in (
        ("Glicko", one, by_elote, "elote, game by game"),
        ("Glicko-2", two, by_elote2, "elote, game by game"),
        ("Glicko-2", two, by_glicko2_py, "glicko2-py"),
    ):
        theirs = fastest(3, peer)[0]
        faster(f"{what}, {FEW:,} players, {len(pairs):,} games", ours, theirs, name)


if __name__ == "__main__":
    main()
