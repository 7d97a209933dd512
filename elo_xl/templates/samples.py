"""Invented players and results, for workbooks that show themselves filled in."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

from elo_xl.engine.models import expected


@dataclass(frozen=True, slots=True)
class Entry:
    """What is typed about a player; anything may be, so that checks have something to find."""

    name: Any = None
    rating: Any = None
    birth: Any = None
    games: Any = None
    peak: Any = None
    k: Any = None
    out: Any = None


YEAR: Final = 2026

PLAYERS: Final = (
    Entry("Moreau, Élise", 2214, 1989, 512),
    Entry("Lindqvist, Arvid", 2187, 1974, 903, 2415),
    Entry("Castaño, Irene", 2106, 2001, 188),
    Entry("Болотов, Пётр", 2043, 1968, 640),
    Entry("Okafor, Chidi", 1998, 2010, 96),
    Entry("Haddad, Samir", 1931, 1995, 21),
    Entry("Novák, Tereza", 1875, 2009, 143),
    Entry("Whitfield, Tom", 1790, 1982, 77),
    Entry("Bianchi, Luca", 1722, 2012, 34),
    Entry("Sato, Hana", None, 2013, None),
    Entry("Ferreira, Duarte", 1689, 1990, 260),
    Entry("Смирнова, Вера", 1655, 1999, 58),
    Entry("Jansen, Pim", 1630, 1961, 1204),
    Entry("Ortega, Nuria", 1604, 2008, 41),
    Entry("Kowalski, Jan", 1587, 1979, 17),
    Entry("Ben-Ari, Noa", 1550, 2004, 85),
    Entry("Müller, Fritz", 1523, 1957, 700),
    Entry("Abdi, Leyla", 1490, 2011, 28),
    Entry("O’Brien, Niall", 1466, 1993, 64),
    Entry("Dimitrova, Rada", None, 2007, None),
)


def entries(count: int) -> tuple[Entry, ...]:
    """The first players of the invented club."""
    return PLAYERS[:count]


def outcome(chance: random.Random, rating: Any, opponent: Any) -> float:
    """A score as the ratings make it likely."""
    own, other = (float(x) if isinstance(x, int | float) else 1450.0 for x in (rating, opponent))
    even = float(expected(own - other, "logistic"))
    draw = 0.35 * min(even, 1 - even) * 2
    at = chance.random()
    return 1.0 if at < even - draw / 2 else 0.5 if at < even + draw / 2 else 0.0
