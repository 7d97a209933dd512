"""Invented players and results, for workbooks that show themselves filled in."""

from __future__ import annotations

import random
from typing import Any, Final

from elo_xl.engine.models import expected

Row = dict[str, Any]
"""What is typed in a row of a table, by the keys of its columns; anything may be, so that checks
have something to find."""

KEYS: Final = ("name", "rating", "birth", "games", "peak")


YEAR: Final = 2026

PLAYERS: Final[tuple[Row, ...]] = tuple(
    dict(zip(KEYS, typed, strict=False))
    for typed in (
        ("Moreau, Élise", 2214, 1989, 512),
        ("Lindqvist, Arvid", 2187, 1974, 903, 2415),
        ("Castaño, Irene", 2106, 2001, 188),
        ("Болотов, Пётр", 2043, 1968, 640),
        ("Okafor, Chidi", 1998, 2010, 96),
        ("Haddad, Samir", 1931, 1995, 21),
        ("Novák, Tereza", 1875, 2009, 143),
        ("Whitfield, Tom", 1790, 1982, 77),
        ("Bianchi, Luca", 1722, 2012, 34),
        ("Sato, Hana", None, 2013, None),
        ("Ferreira, Duarte", 1689, 1990, 260),
        ("Смирнова, Вера", 1655, 1999, 58),
        ("Jansen, Pim", 1630, 1961, 1204),
        ("Ortega, Nuria", 1604, 2008, 41),
        ("Kowalski, Jan", 1587, 1979, 17),
        ("Ben-Ari, Noa", 1550, 2004, 85),
        ("Müller, Fritz", 1523, 1957, 700),
        ("Abdi, Leyla", 1490, 2011, 28),
        ("O’Brien, Niall", 1466, 1993, 64),
        ("Dimitrova, Rada", None, 2007, None),
    )
)


def entries(count: int) -> list[Row]:
    """The first players of the invented club."""
    return list(PLAYERS[:count])


def outcome(chance: random.Random, rating: Any, opponent: Any) -> float:
    """A score as the ratings make it likely."""
    own, other = (float(x) if isinstance(x, int | float) else 1450.0 for x in (rating, opponent))
    even = float(expected(own - other, "logistic"))
    draw = 0.35 * min(even, 1 - even) * 2
    at = chance.random()
    return 1.0 if at < even - draw / 2 else 0.5 if at < even + draw / 2 else 0.0
