"""A bridge club's evening: what is typed, and an invented one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from elo_xl.engine.bridge import RATING_SD, SCALES
from elo_xl.templates.forms import Options
from elo_xl.templates.samples import PLAYERS
from elo_xl.templates.texts import texts

FIRST: Final = 1500
"""The usual first rating of a newcomer."""

CURVES: Final = 6
"""Players whom the chart shows."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The settings as typed: ``scale`` is a word of the list, the rest numbers or nothing."""

    scale: Any = None
    slope: Any = None
    result_sd: Any = None
    rating_sd: Any = None
    first: Any = None


@dataclass(frozen=True, slots=True)
class Result:
    """A row as typed: numbers of pairs, and what North and South made of it."""

    round: Any = None
    board: Any = None
    ns: Any = None
    ew: Any = None
    result: Any = None


@dataclass(frozen=True, slots=True)
class BridgePairs:
    """What is typed."""

    name: Any = None
    parameters: Parameters = field(default_factory=Parameters)
    players: Sequence[tuple[Any, Any]] = ()
    """names and ratings"""
    pairs: Sequence[tuple[Any, Any]] = ()
    results: Sequence[Result] = ()
    chosen: Sequence[Any] = ()
    """names for the chart"""


EMPTY: Final = BridgePairs()

MORE: Final = (
    "Petrov, Ilian",
    "Álvarez, Marta",
    "Белова, Ксения",
    "Nakamura, Yui",
    "Andersen, Bo",
    "Rossi, Giulia",
    "Mbeki, Thandi",
    "Dupont, Gérard",
    "Kaya, Emre",
    "Virtanen, Aino",
    "Горин, Максим",
    "Horváth, Ádám",
    "Silva, Beatriz",
    "Schmid, Ursula",
    "Lee, Min-jun",
    "Papas, Eleni",
    "Murphy, Ciara",
    "Popescu, Dan",
    "de Vries, Saskia",
    "Nowak, Zofia",
)


def tables(players: int) -> int:
    """Tables that so many players fill."""
    return players // 4


def sample(options: Options) -> BridgePairs:
    """An invented club evening: results as hidden strengths make them likely, two newcomers."""
    chance = random.Random(20263)
    scale = SCALES["percent"]
    mean, slope, spread = (float(np.asarray(x)) for x in (scale.mean, scale.slope, scale.result_sd))
    names = [*(str(p.name) for p in PLAYERS), *MORE][: options.players]
    ratings = [round(chance.gauss(FIRST, 180)) for _ in names]
    strengths = [chance.gauss(rating, RATING_SD) for rating in ratings]
    typed: list[tuple[Any, Any]] = list(zip(names, ratings, strict=True))
    for newcomer in (9, 19):
        if newcomer < len(names):
            typed[newcomer] = names[newcomer], None
    order = list(range(len(names)))
    chance.shuffle(order)
    pairs = list(zip(order[::2], order[1::2], strict=False))
    results = []
    for round_ in range(1, options.rounds + 1):
        drawn = list(range(len(pairs)))
        chance.shuffle(drawn)
        for table in range(len(pairs) // 2):
            ns, ew = drawn[2 * table], drawn[2 * table + 1]
            lead = sum(strengths[p] for p in pairs[ns]) - sum(strengths[p] for p in pairs[ew])
            found = round(chance.gauss(mean + slope * lead, spread), 1)
            found = min(max(found, 0.0), 100.0)
            results.append(Result(round_, table + 1, ns + 1, ew + 1, found))
    say = texts(options.language)
    return BridgePairs(
        say("bridge-pairs.sample_event"),
        Parameters(say("bridge-pairs.scale_percent")),
        players=typed,
        pairs=[(names[a], names[b]) for a, b in pairs],
        results=results,
    )
