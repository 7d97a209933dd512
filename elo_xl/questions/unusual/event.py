"""Scores of an event that are far from what the ratings lead to expect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from elo_xl.engine.models import expected
from elo_xl.events.rate import RatedEvent, RatedPlayer
from elo_xl.questions.unusual.numbers import among, rarity

LEAST_GAMES: Final = 4
"""Fewer games say nothing."""


@dataclass(frozen=True, slots=True)
class Unusual:
    """A score, and how rare it is."""

    player: RatedPlayer
    high: bool
    """whether it is above the expected one"""
    chance: float
    """of a score as high, or higher; if it is low, of one as low, or lower"""
    among: float
    """that anybody of those looked at has one as rare as that, high or low"""


def looked_at(event: RatedEvent) -> int:
    """The number of players whose scores are compared: those with enough rated games."""
    return sum(p.games >= LEAST_GAMES for p in event.players)


def unusual(event: RatedEvent, *, below: float = 0.05) -> list[Unusual]:
    """The scores that would be rare even in view of how many were looked at, the rarest first.

    What is expected of a game is what the rulebook expects, where it takes each game by itself,
    otherwise the logistic curve's.
    """
    count = looked_at(event)
    games: dict[int, list[float]] = {}
    for game in event.games:
        chance = game.expected
        if chance is None:
            chance = float(expected(game.difference, "logistic"))
        games.setdefault(game.player, []).append(float(np.clip(chance, 0, 1)))
    found = []
    for player in event.players:
        if player.games < LEAST_GAMES:
            continue
        own = games[player.player.number]
        chance = rarity(own, player.score)
        rare = among(min(2 * chance, 1), count)  # high or low
        if rare < below:
            found.append(Unusual(player, player.score >= sum(own), chance, rare))
    return sorted(found, key=lambda one: one.chance)
