"""Invented events with everything that can happen in one: byes, forfeits, newcomers, odd names."""

import random
from datetime import date
from itertools import cycle, islice

from elo_xl.events.event import Game, Pairing, Player, Tournament

NAMES = ("Ivanova, Anna", "=1+1", "+49 Verein", "-2,5 Uhr", "@SUM(A1)", "כהן, דוד",
         "Ботвинник, Михаил", "#N/A", "O'Neill & Sons <b>", '"quoted", "twice"', "李 世乭", "1e5",
         "TRUE", "Tab\tand\x01control\x0b\nlines", "*", "~?", "  blanks around  ",
         "=cmd|' /C calc'!A0")  # fmt: skip

RESULTS = ((1.0, ("1", "0")), (0.5, ("=", "=")), (0.0, ("0", "1")))


def tournament(
    players: int = 26,
    rounds: int = 7,
    *,
    seed: int = 1,
    unrated: int = 4,
    ranked: bool = True,
    strongest: int = 2790,
    step: int = 70,
    first_day: date | None = date(2025, 11, 3),
) -> Tournament:
    """A random event: pairings without sense, results as they fall."""
    chance = random.Random(seed)
    names = islice(cycle(NAMES), players)
    everyone = [
        Player(
            number=i,
            name=name if i <= len(NAMES) else f"{name} {i}",
            rating=None if i > players - unrated else float(max(strongest - step * (i - 1), 1000)),
            federation=chance.choice(("ESP", "ISR", "IND", "")),
            title=chance.choice(("", "", "GM", "WIM")),
            birth_year=chance.choice((None, 1980, 2009)),
            games=chance.choice((None, 5, 200)),
            index=1 + i % 9,
        )
        for i, name in enumerate(names, start=1)
    ]
    numbers = [p.number for p in everyone]
    pairings: dict[int, list[Pairing]] = {n: [] for n in numbers}
    games: list[Game] = []
    for round_ in range(1, rounds + 1):
        waiting = numbers[:]
        chance.shuffle(waiting)
        absent = {waiting.pop(): code for code in "HZ" if len(waiting) > 4}
        if len(waiting) % 2:
            absent[waiting.pop()] = "U"
        for number, code in absent.items():
            pairings[number].append(Pairing(round_, None, "", code))
        for table in range(0, len(waiting), 2):
            white, black = waiting[table : table + 2]
            what = chance.random()
            if what < 0.03:
                codes = ("+", "-")
            elif what < 0.05:
                codes = ("W", "L")
            else:
                score, codes = chance.choice(RESULTS)
                games.append(Game(round_, white, black, score))
            pairings[white].append(Pairing(round_, black, "w", codes[0]))
            pairings[black].append(Pairing(round_, white, "b", codes[1]))
    return Tournament(
        name="=Open & <Championship> №1",
        players=tuple(everyone),
        pairings={n: tuple(cells) for n, cells in pairings.items()},
        games=tuple(games),
        rounds=rounds,
        city="Ajaccio",
        federation="FRA",
        start=first_day,
        end=first_day,
    )
