"""What organizers type into the templates: generated events, with everything that goes wrong."""

from __future__ import annotations

import random
from typing import Any

from elo_xl.templates.forms import Options
from elo_xl.templates.k_and_first_rating import Content, Game
from elo_xl.templates.match_odds import MatchOdds
from elo_xl.templates.rating_period import RatingPeriod
from elo_xl.templates.round_robin import RoundRobin
from elo_xl.templates.samples import Entry
from elo_xl.templates.sheets.pairings import SPARE, Board
from elo_xl.templates.sheets.typed_games import Game as PeriodGame
from elo_xl.templates.swiss import Swiss
from elo_xl.templates.team_match import TeamMatch
from tests.events import NAMES

GOOD = ("1", "½", "0", "+", "-", "--", "=", "0.5", "0,5", "1/2", "1-0", "0-1", "-:+", 1, 0, 0.5)
JUNK = ("?", "*", "x", "2", "1-1", "~", "won", 7)
ODD: dict[str, tuple[Any, ...]] = {
    "rating": ("1 834", "unr.", -5, 4000, 0),
    "birth": ("2009?", 12, 2030),
    "games": ("many", -1),
    "peak": ("-", 99999),
    "k": ("K", 400),
}


def entry(chance: random.Random, i: int, *, wrong: bool) -> Entry:
    """A player; with ``wrong`` now and then one whose row must say so."""
    name = NAMES[i % len(NAMES)] + (f" {i}" if i >= len(NAMES) else "")
    typed: dict[str, Any] = {
        "name": " ".join(name.split()).replace("\x01", "").replace("\x0b", ""),
        "rating": chance.choice((None, *range(1300, 2800, 37))),
        "birth": chance.choice((None, 1970, 2008, 2012)),
        "games": chance.choice((None, 0, 29, 30, 400)),
        "peak": chance.choice((None, None, 2310, 2400)),
        "k": chance.choice((None, None, None, 15)),
        "out": chance.choice((None, None, None, None, "x")),
    }
    if wrong and chance.random() < 0.5:
        key = chance.choice(list(ODD))
        typed[key] = chance.choice(ODD[key])
    if wrong and chance.random() < 0.1:
        typed["name"] = chance.choice((None, "  ", "Ivanova, Anna"))
    return Entry(**typed)


def round_robin(options: Options, seed: int, *, wrong: bool, full: bool) -> RoundRobin:
    chance = random.Random(seed)
    count = options.players if full else chance.randint(2, options.players - 1)
    field = tuple(entry(chance, i, wrong=wrong) for i in range(count))
    signs = [*GOOD, *(JUNK if wrong else ())]
    results = {
        (i, j): chance.choice(signs)
        for i in range(options.players)
        for j in range(i + 1, options.players)
        if (j < count or (wrong and chance.random() < 0.05)) and chance.random() < 0.9
    }
    return RoundRobin("=Open & <Club>", None if wrong else 2026, field, results)


def team_match(options: Options, seed: int, *, wrong: bool, full: bool) -> TeamMatch:
    chance = random.Random(seed)
    count = options.players if full else chance.randint(2, options.players - 1)
    home, guests = (
        [entry(chance, 20 * side + i, wrong=wrong) for i in range(count)] for side in (0, 1)
    )
    signs = [*GOOD, None, *(JUNK if wrong else ())]
    results = [chance.choice(signs) for _ in range(options.players if wrong else count)]
    return TeamMatch("", ("+Home", None), None if wrong else 2026, (home, guests), results)


def match_odds(options: Options, seed: int, *, wrong: bool, full: bool) -> MatchOdds:
    chance = random.Random(seed)
    ratings: Any = chance.randint(1200, 2800), chance.randint(1200, 2800)
    games: Any = options.rounds if full else chance.randint(1, options.rounds)
    margin: Any = chance.choice((None, 0, 35.5, 200))
    if wrong:
        ratings, games, margin = chance.choice(
            (
                (("1 800", 1700), 3, 20),
                (ratings, 99, 10),
                (ratings, 2.5, None),
                (ratings, games, "x"),
            )
        )
    return MatchOdds(("=A", None), ratings, games, margin)


def k_and_first_rating(options: Options, seed: int, *, wrong: bool, full: bool) -> Content:
    chance = random.Random(seed)
    count = options.players if full else chance.randint(0, options.players - 1)
    field = [entry(chance, i, wrong=wrong) for i in range(count)]
    signs = [*GOOD, None, *(JUNK if wrong else ())]
    games = [
        Game(
            "=1",
            chance.choice([None, *range(1100, 2500, 31), *(ODD["rating"] if wrong else ())]),
            chance.choice(signs) if seed % 3 else "0",
        )
        for _ in range(options.rounds if full else chance.randint(0, 8))
    ]
    return Content(None if wrong else 2026, field, "@new", games)


def rating_period(options: Options, seed: int, *, wrong: bool, full: bool) -> RatingPeriod:
    chance = random.Random(seed)
    count = options.players if full else chance.randint(2, options.players - 1)
    field = tuple(entry(chance, i, wrong=wrong) for i in range(count))
    names = [e.name for e in field if e.name]
    strangers = ["nobody", "?", "*", "ivanova, ANNA", None, "  "] if wrong else []
    signs = [*GOOD, *((*JUNK, None) if wrong else ())]
    games = []
    for _ in range(options.rounds if full else chance.randint(0, options.rounds - 1)):
        white, black = chance.sample(names, 2)
        if wrong and chance.random() < 0.1:
            black = chance.choice([*strangers, white])
        event = chance.choice((None, "=Cup", "*", "2026-05"))
        games.append(PeriodGame(event, white, black, chance.choice(signs)))
    return RatingPeriod("+1", None if wrong else 2026, field, games)


def swiss(options: Options, seed: int, *, wrong: bool, full: bool) -> Swiss:
    chance = random.Random(seed)
    count = options.players if full else chance.randint(2, options.players - 1)
    field = tuple(entry(chance, i, wrong=wrong) for i in range(count))
    boards: dict[tuple[int, int], Board] = {}
    for r in range(options.rounds if full else chance.randint(0, options.rounds)):
        numbers = list(range(1, count + 1))
        chance.shuffle(numbers)
        del numbers[: chance.choice((0, 0, 1, 3))]
        for b in range(options.players // 2 + SPARE):
            if not numbers:
                break
            white = numbers.pop()
            black: Any = numbers.pop() if numbers and chance.random() < 0.92 else None
            result: Any = chance.choice(GOOD if black else ("bye", "½", 0, "1", "-"))
            if wrong and chance.random() < 0.1:
                result = chance.choice((*JUNK, None, "bye"))
                black = chance.choice((white, 999, "x", "?", black, 1, 2.5))
            boards[r, b] = Board(white, black, result)
    return Swiss("+Open", None if wrong else 2026, field, boards)


GENERATORS: dict[str, Any] = {
    "rating-period": rating_period,
    "round-robin": round_robin,
    "swiss": swiss,
    "team-match": team_match,
    "match-odds": match_odds,
    "k-and-first-rating": k_and_first_rating,
}
