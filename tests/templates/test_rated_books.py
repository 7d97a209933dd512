"""Ratings that the books of games show, computed by the engine from the typed values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from elo_xl.engine.performance import performance
from elo_xl.engine.period import Period, period
from elo_xl.engine.ratings import k_factor
from elo_xl.engine.results import ROUND_CODES, read_codes
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.engine.rulebooks.clauses import Root
from elo_xl.templates import gallery
from tests.support.template_books import by_rulebook
from tests.support.template_events import GENERATORS

pytestmark = pytest.mark.slow

RULES = ("fide", "fide-rapid", "logistic", "fide-2009-07", "elo", "fide-2014-07", "fide-2024-03")
Row = Mapping[str, Any]
Game = tuple[int, int, Any]
"""The places of two players, from 0, and the result that was typed."""


def all_play_all(content: Mapping[str, Any]) -> Iterator[Game]:
    count = len(content["Players"])
    for row, signs in content["Cross"].items():
        for key, sign in signs.items():
            opponent = int(key[1:].partition("_")[0])
            assert max(row, opponent) <= count
            yield row - 1, opponent - 1, sign


def pairings(content: Mapping[str, Any]) -> Iterator[Game]:
    for line in content["Pairings"].values():
        if line["black"] is not None:
            yield line["white"] - 1, line["black"] - 1, line["result"]


def list_of_games(content: Mapping[str, Any]) -> Iterator[Game]:
    names = [player["name"] for player in content["Players"]]
    for game in content["Games"]:
        yield names.index(game["white"]), names.index(game["black"]), game["result"]


def boards(content: Mapping[str, Any]) -> Iterator[Game]:
    count = len(content["Players_a"])
    for i, line in enumerate(content["Match"][:count]):
        if line["result"] is not None:
            yield i, count + i, line["result"]


GAMES = {"cross": all_play_all, "rounds": pairings, "named": list_of_games, "boards": boards}
"""By the kind of games that a book says it has."""


def number(value: Any) -> float:
    return math.nan if value in (None, "") else float(value)


def by_engine(players: Sequence[Row], games: Sequence[Game], rules: Rulebook) -> Period:
    """What the engine makes of players as they are typed and of games.

    Where a rulebook finds ratings as the roots of equations, the books show the linear performance
    instead, and no first rating.
    """
    rated = []
    for first, second, sign in games:
        codes = [ROUND_CODES[code] for code in read_codes(sign)]
        if all(code.rated for code in codes):
            rated.append((first, second, codes[0].points))
    first_, second_, score = (np.array([game[at] for game in rated]) for at in range(3))
    ratings = np.array([number(player["rating"]) for player in players])
    ages = [2026 - number(player["birth"]) for player in players]
    so_far, peaks, own = ([number(p[key]) for p in players] for key in ("games", "peak", "k"))
    by_rule = k_factor(ratings, so_far, ages, peaks, rules=rules)
    k = np.where(np.isnan(ratings), 0, np.where(np.isnan(own), by_rule, own))
    made = period(ratings, k, first_.astype(int), second_.astype(int), score, rules)
    if isinstance(rules.first, Root):
        made = replace(made, new=np.where(np.isnan(ratings), math.nan, made.new))
    if rules.performance != "fide":
        sides = [pair for a, b, _ in rated for pair in ((a, b), (b, a)) if ratings[pair[1]] > 0]
        player, opponent = np.array(sides, int).reshape(-1, 2).T
        strength = performance(ratings[opponent], made.score, "linear", player=player)
        vars(made)["performance"] = strength
    return made


@pytest.mark.parametrize("seed", range(len(RULES)))
@pytest.mark.parametrize("template", by_rulebook())
def test_ratings_are_those_of_the_engine(template: str, seed: int) -> None:
    rounds = 20 if template == "rating-period" else 4 if template == "swiss" else None
    options = gallery.options(template, players=6, rounds=rounds, rules=RULES[seed])
    content = GENERATORS[template](options, seed, wrong=False, full=bool(seed % 2))
    book = gallery.build(template, options, content)
    sides = ("_a", "_b") if template == "team-match" else ("",)
    teams = [content[f"Players{side}"] for side in sides]
    assert book.commands.games
    games = list(GAMES[book.commands.games.kind](content))
    made = by_engine([player for team in teams for player in team], games, book.rules)

    def shown(key: str) -> list[float]:
        return [
            number(value)
            for side, team in zip(sides, teams, strict=True)
            for value in book.tables[f"Ratings{side}"].column(key).values()[: len(team)]
        ]

    if template == "team-match":  # a board shows a change where its game counts, and no sums
        change = np.where(made.games > 0, made.change, math.nan)
    else:
        change = made.change
        for key in ("games", "score", "expected", "new", "performance"):
            assert shown(key) == pytest.approx(getattr(made, key), abs=1e-9, nan_ok=True), key
    assert shown("change") == pytest.approx(change, abs=1e-9, nan_ok=True)
