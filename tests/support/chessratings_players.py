"""Make ``tests/data/us_chess_players.json``: random players rated by the program chessratings.

The wheels of chessratings 0.0.1 (MIT) are empty, even one built from its source distribution, so
it cannot be a dependency. Unpack the source distribution and run

    PYTHONPATH=chessratings-0.0.1/src python -m tests.support.chessratings_players 200 2020

Each row holds one player against rated opponents, each met once, which is where the program
follows the published algorithm. Rows are left out in which its floors decide that start from the
present rating (established players from 1200 to 1399, and from 2400). Players of at most eight
games have mixed results, because the program knows streaks only from nine games on. ``start`` is
the rating from which the program begins for an unrated player: its own estimate, not step 1.

The events are rated by the program's formulas in the five steps of the published algorithm: it is
given each player of each step by itself, against opponents rated as that step says.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "data" / "us_chess_players.json"
FIELDS = ["rating", "games", "wins", "draws", "events", "start", "dual"]
FIELDS += ["opponents", "scores", "new"]


ADULT = 1300.0

Person = tuple[float | None, int, int, int]
"""rating, games, wins, draws before the event"""

Game = tuple[int, int, float]


def rows(count: int, seed: int) -> list[list[Any]]:
    uscf = importlib.import_module("chessratings.uscf_elo")
    draw = random.Random(seed)
    made: list[list[Any]] = []
    while len(made) < count:
        games = draw.choice([0, draw.randint(2, 8), draw.randint(9, 25), draw.randint(26, 400)])
        rating = round(draw.uniform(120, 2750), draw.choice([0, 3])) if games else None
        wins = draw.randint(1 if games == 2 else 0, games)
        losses = draw.randint(0, games - wins)
        if games > 8 and draw.random() < 0.2:
            wins, losses = draw.choice([(games, 0), (0, games)])
        elif games and games in (wins, losses):
            wins, losses = 1, games - 2
        events, dual = draw.randint(0, games // 3), draw.random() < 0.3
        middle = rating or draw.uniform(500, 1900)
        opponents = [
            max(100.0, round(middle + draw.gauss(0, draw.choice([150, 600]))))
            for _ in range(draw.randint(1, 12))
        ]
        luck = draw.gauss(0, 300)
        scores = [
            draw.choices([1, 0.5, 0], [p, 0.2, 1 - p])[0]
            for p in (1 / (1 + 10 ** ((met - middle - luck) / 400)) for met in opponents)
        ]
        player = uscf.Player("player", rating, games, wins, losses, Nr=events)
        field = [player, uscf.Player("spectator", 1500)]
        results = []
        for number, (met, score) in enumerate(zip(opponents, scores, strict=True)):
            field.append(uscf.Player(f"opponent {number}", met))
            winner = {1: "player", 0.5: None, 0: f"opponent {number}"}[score]
            results.append([("player", f"opponent {number}"), winner])
        event = uscf.Tournament(field, results, time_control_minutes=45 if dual else 120)
        part = uscf._PlayerTournament(player, event)
        new = part.update_player_rating()
        if new % 100 == 0 and games > 25 and (1200 <= middle < 1400 or middle >= 2400):
            continue
        start = None if games else player.estimated_rating
        made.append(
            [
                rating,
                games,
                wins,
                games - wins - losses,
                events,
                start,
                dual,
                opponents,
                scores,
                new,
            ]
        )
    return made


def events(count: int, seed: int) -> list[dict[str, Any]]:
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        size = draw.randint(4, 12)
        people: list[Person] = []
        for _ in range(size):
            played = draw.choice([0, 0, 4, 15, 40, 200])
            rating = round(draw.gauss(1500, 350), 2) if played else None
            people.append((rating, played, played // 2, played // 4))
        games: list[Game] = []
        for _ in range(size * draw.randint(2, 4)):
            first, second = draw.sample(range(size), 2)
            games.append((first, second, draw.choice([1, 1, 0.5, 0])))
        strength = [ADULT if rating is None else rating for rating, *_ in people]
        for name in ("first estimate", "intermediate", "final"):
            strength = step(name, people, games, strength)
        made.append({"players": people, "games": games, "new": strength})
    return made


def step(name: str, people: list[Person], games: list[Game], strength: list[float]) -> list[float]:
    uscf = importlib.import_module("chessratings.uscf_elo")
    after = list(strength)
    for number, (rating, played, wins, draws) in enumerate(people):
        mine = [(b, score) for a, b, score in games if a == number]
        mine += [(a, 1 - score) for a, b, score in games if b == number]
        if not mine or (name == "first estimate" and played):
            continue
        player = uscf.Player(number, rating, played, wins, played - wins - draws)
        others = [uscf.Player(other, strength[other]) for other in {other for other, _ in mine}]
        results = [
            [(number, other), {1: number, 0.5: None, 0: other}[score]] for other, score in mine
        ]
        event = uscf.Tournament([player, *others, uscf.Player("spectator", 1500)], results)
        event.time_control_minutes = 120
        player.estimated_rating = player.initialized_rating
        if name == "first estimate":
            player.effective_nr_games = 1
        part = uscf._PlayerTournament(player, event)
        standard = player.rating_type == "standard"
        new = part._compute_standard_rating() if standard else part._compute_special_rating()
        after[number] = max(new, part._compute_rating_floor() if name == "final" else 100)
    return after


def main() -> None:
    count, seed = (int(argument) for argument in sys.argv[1:])
    note = f"chessratings 0.0.1, made by tests/support/chessratings_players.py {count} {seed}"
    parts = [f'{{"made": {json.dumps(note)}', f'"fields": {json.dumps(FIELDS)}']
    for name, made in (("rows", rows(count, seed)), ("events", events(count // 20, seed))):
        lines = ",\n".join(json.dumps(row) for row in made)
        parts.append(f'"{name}": [\n{lines}\n]')
    FILE.write_text(",\n".join(parts) + "}\n")


if __name__ == "__main__":
    main()
