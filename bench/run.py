"""A million games one after another, beside the plain loop that everybody writes first.

The loop keeps the ratings in a list and computes ``1 / (1 + 10 ** (d / 400))``; it checks nothing
and keeps no history. The peers have an object for each player, as their documentation has it, and
get a fiftieth of the games, for which the players stand ready: elote rates by the same rule, with
the same figures; openskill keeps a deviation as well, by Weng and Lin's rule, and is compared with
Ioffe's. The front door takes a table with the names of the players, and the loop beside it a dict.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import polars as pl
from elote import EloCompetitor
from openskill.models import BradleyTerryFull

import elo_xl as elo
from bench._timing import faster, fastest, report
from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.systems import Elo, Ioffe

GAMES, SHARE = 1_000_000, 50
LIMITS = {20: None, 1000: 150 / 330, 100_000: 150 / 330}

Pairs = list[tuple[int, int, float]]


def plain(players: int, first: IntArray, second: IntArray, score: FloatArray) -> list[float]:
    rating = [1500.0] * players
    for a, b, s in zip(first.tolist(), second.tolist(), score.tolist(), strict=True):
        gain = 20 * (s - 1 / (1 + 10 ** ((rating[b] - rating[a]) / 400)))
        rating[a] += gain
        rating[b] -= gain
    return rating


def plain_names(white: list[str], black: list[str], result: list[str]) -> dict[str, float]:
    rating: dict[str, float] = {}
    points = {"1-0": 1.0, "½": 0.5, "0-1": 0.0}
    for a, b, text in zip(white, black, result, strict=True):
        own, other = rating.get(a, 1500.0), rating.get(b, 1500.0)
        gain = 20 * (points[text] - 1 / (1 + 10 ** ((other - own) / 400)))
        rating[a] = own + gain
        rating[b] = other - gain
    return rating


def by_elote(everybody: list[EloCompetitor], games: Pairs) -> None:
    for a, b, s in games:
        if s == 1:
            everybody[a].beat(everybody[b])
        elif s == 0:
            everybody[b].beat(everybody[a])
        else:
            everybody[a].tied(everybody[b])


def by_openskill(model: BradleyTerryFull, everybody: list[Any], games: Pairs) -> None:
    for a, b, s in games:
        teams = [[everybody[a]], [everybody[b]]]
        (everybody[a],), (everybody[b],) = model.rate(teams, scores=[s, 1 - s])


def main() -> None:
    rng = np.random.default_rng(1)
    for players, limit in LIMITS.items():
        first = rng.integers(0, players, GAMES)
        second = (first + rng.integers(1, players, GAMES)) % players
        score = rng.integers(0, 3, GAMES) / 2
        games = first, second, score
        logistic, normal = Elo(model="logistic").carry, Elo().carry
        loop = partial(plain, players, *games)
        assert np.abs(logistic(*games, players).rating - loop()).max() < 1e-9
        ours, elos, history, reference = fastest(
            5,
            partial(logistic, *games, players),
            partial(normal, *games, players),
            partial(logistic, *games, players, history=True),
            loop,
        )
        what = f"{GAMES:,} games of {players:,}"
        report(what, ours, reference, limit, "a plain loop")
        report(f"{what}, normal", elos, reference, limit, "a plain loop")
        report(f"{what}, with history", history, reference, None, "a plain loop")

        some = slice(GAMES // SHARE)
        few = first[some], second[some], score[some]
        pairs = list(zip(*(x.tolist() for x in few), strict=True))
        competitors = [EloCompetitor(1500, k_factor=20) for _ in range(players)]
        by_elote(competitors, pairs)
        ratings = [competitor.rating for competitor in competitors]
        assert np.nanmax(np.abs(logistic(*few, players).rating - ratings)) < 1e-9
        model = BradleyTerryFull()
        everybody = [model.rating() for _ in range(players)]
        deviations, peer, other = fastest(
            3,
            partial(Ioffe().carry, *few, players),
            partial(by_elote, competitors, pairs),
            partial(by_openskill, model, everybody, pairs),
        )
        faster(what, ours, SHARE * peer, "elote")
        faster(f"{GAMES // SHARE:,} games of {players:,}, Ioffe", deviations, other, "openskill")

        white, black = ([f"Player {i}" for i in x.tolist()] for x in (first, second))
        result = np.array(["0-1", "½", "1-0"])[(2 * score).astype(int)].tolist()
        table = {"white": white, "black": black, "result": result}
        ours, reference = fastest(
            3,
            partial(lambda games: elo.Elo(model="logistic").rate(games).players, table),
            partial(plain_names, white, black, result),
        )
        report(f"{what}, a table with names", ours, reference, 1, "a plain loop with a dict")

        frame = pl.DataFrame({"white": first, "black": second, "result": score})
        days = np.datetime64("2020-01-01") + rng.integers(0, 3650, GAMES)
        ours, reference = fastest(
            5,
            *(
                partial(lambda games: elo.Elo(model="logistic").rate(games).players, games)
                for games in (frame.with_columns(pl.Series("date", days)), frame)
            ),
        )
        report(f"{what}, Polars with dates", ours, reference, 1.3, "the same without")


if __name__ == "__main__":
    main()
