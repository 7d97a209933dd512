"""The jobs of docs/recipes.md on 20,000 invented games: lines of code and seconds, beside peers.

What a peer cannot do at all has no function here. Its lines are those that a user would write, with
its own loop where it wants one game after another.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any

import choix
import elote
import numpy as np
import pandas as pd
from openskill.models import PlackettLuce

import elo_xl as elo
from bench._timing import fastest

GAMES, PLAYERS = 20_000, 300
LAST = "2025-07-01"


def table() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    strength = rng.normal(1500, 150, PLAYERS)
    white = rng.integers(0, PLAYERS, GAMES)
    black = (white + rng.integers(1, PLAYERS, GAMES)) % PLAYERS
    chance = elo.expected(strength[white], strength[black], model="logistic", home=50)
    goals = rng.poisson([3 * chance, 3 - 3 * chance]).T
    games = pd.DataFrame({"white": white, "black": black}).map("P{:03}".format)
    games["result"] = (np.sign(goals[:, 0] - goals[:, 1]) + 1) / 2
    games["margin"] = np.abs(goals[:, 0] - goals[:, 1])
    games["surface"] = rng.choice(["clay", "grass", "hard"], GAMES)
    days = np.sort(rng.integers(0, 3 * 365, GAMES)).astype("m8[D]")
    return games.assign(date=np.datetime64("2023-01-01", "s") + days)


def football(games: pd.DataFrame) -> Any:
    tried = elo.tune(elo.Elo, games, after=LAST, k=[10, 20, 40], home=[0, 50], margin=["goals"])
    best = tried.iloc[0].drop(["log_loss", "brier"]).to_dict()
    return elo.Elo(**best).rate(games).predict(games.tail(10))


def football_elote(games: pd.DataFrame) -> Any:
    rows = [(a, b, s, None, None) for a, b, s in games[["white", "black", "result"]].to_numpy()]
    periods = [rows[i : i + 500] for i in range(0, len(rows), 500)]
    grid: dict[str, Any] = {"k_factor": [10, 20, 40]}
    return elote.tune(elote.EloCompetitor, grid, periods, warmup=len(periods) * 5 // 6)


def months(games: pd.DataFrame) -> Any:
    players = {"name": sorted({*games["white"]}), "rating": [1500] * PLAYERS}
    return elo.Rules("fide").rate(games, players, period="month").players


def surfaces(games: pd.DataFrame) -> Any:
    return {name: elo.Elo(k=32).rate(part).players for name, part in games.groupby("surface")}


def surfaces_elote(games: pd.DataFrame) -> Any:
    found = {}
    for name, part in games.groupby("surface"):
        of: Any = defaultdict(partial(elote.EloCompetitor, 1500, 32))
        for a, b, score in part[["white", "black", "result"]].to_numpy():
            one, two = of[a], of[b]
            if score == 0.5:
                one.tied(two)
            elif score:
                one.beat(two)
            else:
                two.beat(one)
        found[name] = of
    return found


def arena(games: pd.DataFrame) -> Any:
    fitted = elo.fit(games, colours=False)
    return fitted.players.assign(low=lambda x: x.rating - 1.96 * x.error)


def arena_choix(games: pd.DataFrame) -> Any:
    number = {name: i for i, name in enumerate(sorted({*games["white"], *games["black"]}))}
    decided = games[games["result"] != 0.5]
    pairs = [
        (number[a], number[b]) if score else (number[b], number[a])
        for a, b, score in decided[["white", "black", "result"]].to_numpy()
    ]
    return choix.opt_pairwise(len(number), pairs)


def seasons(games: pd.DataFrame) -> Any:
    model = elo.Elo(home=65, model="logistic", margin="log", reversion=1 / 3, mean=1505)
    return model.rate(games, period="year").history


def weeks(games: pd.DataFrame) -> Any:
    return elo.Glicko2().rate(games, period="week").players


def weeks_elote(games: pd.DataFrame) -> Any:
    arena = elote.LambdaArena(
        lambda a, b, attributes=None: attributes, base_competitor=elote.Glicko2Competitor
    )
    for _, part in games.groupby(games["date"].dt.to_period("W")):
        arena.rating_period(
            [(a, b, s, None) for a, b, s in part[["white", "black", "result"]].to_numpy()]
        )
    return arena.leaderboard()


def growing_k(games: pd.DataFrame) -> Any:
    k = [(n, 250 / (n + 5) ** 0.4) for n in range(1000)]
    return elo.Elo(k=k, model="logistic").rate(games).players


def growing_k_elote(games: pd.DataFrame) -> Any:
    of: Any = defaultdict(partial(elote.EloCompetitor, 1500))
    played: dict[str, int] = defaultdict(int)
    for a, b, score in games[["white", "black", "result"]].to_numpy():
        one, two = of[a], of[b]
        for name, player in ((a, one), (b, two)):
            player._k_factor = 250 / (played[name] + 5) ** 0.4
            played[name] += 1
        if score == 0.5:
            one.tied(two)
        elif score:
            one.beat(two)
        else:
            two.beat(one)
    return of


def pairs_of(games: pd.DataFrame) -> pd.DataFrame:
    other = games.sample(frac=1, random_state=1)
    names = games["white"] + " & " + other["white"].to_numpy()
    against = games["black"] + " & " + other["black"].to_numpy()
    four = pd.DataFrame({"white": names, "black": against, "result": games["result"]})
    apart = four.apply(lambda x: len({*x.white.split(" & "), *x.black.split(" & ")}) == 4, axis=1)
    return four[apart]


def doubles(games: pd.DataFrame) -> Any:
    return elo.Elo(model="logistic").rate_sides(games)


def doubles_openskill(games: pd.DataFrame) -> Any:
    model = PlackettLuce()
    of: Any = defaultdict(model.rating)
    for sides in games[["white", "black", "result"]].to_numpy():
        names = [side.split(" & ") for side in sides[:2]]
        teams = [[of[name] for name in side] for side in names]
        for side, rated in zip(
            names, model.rate(teams, scores=[sides[2], 1 - sides[2]]), strict=True
        ):
            of.update(zip(side, rated, strict=True))
    return of


def tables_of(games: pd.DataFrame) -> list[list[str]]:
    rows = games[["white", "black"]].to_numpy().reshape(-1, 4)
    return [list(row) for row in rows.tolist() if len({*row}) == 4]


def places(rows: list[list[str]]) -> Any:
    return elo.worksheet("ELO_PLACES", rows, 32, 1500, "logistic")


def places_openskill(rows: list[list[str]]) -> Any:
    model = PlackettLuce()
    of: Any = defaultdict(model.rating)
    for names in rows:
        rated = model.rate([[of[name]] for name in names], ranks=[1, 2, 3, 4])
        of.update((name, team[0]) for name, team in zip(names, rated, strict=True))
    return of


def lines(work: Callable[..., Any]) -> int:
    """How many lines stand in a function."""
    return len(inspect.getsource(work).splitlines()) - 1


def main() -> None:
    games = table()
    four, rows = pairs_of(games), tables_of(games)
    print(*(f"{name} {version(name)}" for name in ("choix", "elote", "openskill")), sep=", ")
    for given, *works in (
        (games, football, football_elote),
        (games, months),
        (games, surfaces, surfaces_elote),
        (games, arena, arena_choix),
        (games, seasons),
        (games, weeks, weeks_elote),
        (games, growing_k, growing_k_elote),
        (four, doubles, doubles_openskill),
        (rows, places, places_openskill),
    ):
        for work, took in zip(works, fastest(3, *(partial(x, given) for x in works)), strict=True):
            print(f"{work.__name__:<20} {lines(work):>3} lines {took:8.3f} s", flush=True)


if __name__ == "__main__":
    main()
