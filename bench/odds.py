"""The odds of places: a Swiss of 60 players and nine rounds, an all-play-all counted out, a season.

The reference of the Swiss is the pairing of nine first rounds, which gacrux does; that of the
all-play-all is to list the results; that of a season, half of which is played, is to draw them.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from itertools import permutations

import numpy as np

from bench._timing import fastest, report
from elo_xl.events.event import Player, Tournament
from elo_xl.events.files import read_event
from elo_xl.questions.odds.event import Position, position_of
from elo_xl.questions.odds.league import league_odds
from elo_xl.questions.odds.numbers import MOST_OUTCOMES, drawn, every_outcome
from elo_xl.questions.odds.runs import ENDINGS, RUNS, Pairer, odds, played_on

TEAMS, MOST_SEASON = 20, 20.0
PLAYERS, ROUNDS = 60, 9
SECONDS = 20


def field(players: int) -> Tournament:
    ratings = np.linspace(2450, 1450, players).round()
    people = (Player(n, f"P{n}", rating=float(r)) for n, r in enumerate(ratings, start=1))
    return Tournament("Bench", tuple(people), {}, (), 0, planned=ROUNDS)


def paired(known: Position) -> None:
    """Nine first rounds: what each costs, without any results."""
    for _ in range(ROUNDS):
        Pairer(PLAYERS, ROUNDS).pair(0)


def counted_out() -> None:
    """Twelve open games: four players meet twice."""
    circle = replace(field(4), planned=6, records=("092 Individual: Round-Robin",))
    assert len(odds(circle, tie_breaks=["SB"]).finals.weights) == MOST_OUTCOMES


def season() -> Tournament:
    """Half of the games of a league with goals, the other half to come."""
    pairs = np.random.default_rng(1).permutation([*permutations(range(TEAMS), 2)]).tolist()
    half = len(pairs) // 2
    goals = [f"{n % 4},{n % 3}" if n < half else "," for n in range(len(pairs))]
    rows = (
        f"T{a},{1700 - 15 * a},T{b},{1700 - 15 * b},{c}"
        for (a, b), c in zip(pairs, goals, strict=True)
    )
    head = "home,home elo,away,away elo,home_score,away_score"
    return read_event("\n".join([head, *rows]).encode())


def main() -> None:
    known, _ = position_of(field(PLAYERS), 0, ["BH-C1", "BH", "SB"], "normal", "split", [])
    random = np.random.default_rng(1)
    ours, reference = fastest(3, partial(played_on, known, random), partial(paired, known))
    what = f"{PLAYERS} players, {ROUNDS} rounds, once, {ENDINGS} endings"
    report(what, ours, reference, None, "nine first rounds")
    runs = int(SECONDS * (os.cpu_count() or 1) / ours)
    print(f"{'':<52} {ours:.2f} s; {runs} runs in {SECONDS} s on {os.cpu_count()} processors")
    ours, reference = fastest(2, counted_out, partial(every_outcome, np.full((12, 3), 1 / 3)))
    report(f"12 open games, {MOST_OUTCOMES:,} results", ours, reference, None, "listing them")
    chances = np.full((TEAMS * (TEAMS - 1) // 2, 3), 1 / 3)
    ours, reference = fastest(
        5, partial(league_odds, season()), partial(drawn, chances, RUNS, random)
    )
    what = f"a season: {TEAMS} teams, {len(chances)} games, {RUNS:,} times"
    report(what, ours, reference, MOST_SEASON, "drawing results")


if __name__ == "__main__":
    main()
