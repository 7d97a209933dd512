"""Invented players and results, for workbooks that show themselves filled in."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from elo_xl.books.model import Constant
from elo_xl.engine.models import expected

YEAR: Final = 2026


class Member(NamedTuple):
    """A player of the invented club, as typed into the sheet *Players*; None is a blank cell."""

    name: str
    rating: int | None
    birth: int | None
    games: int | None
    """rated games so far"""
    peak: int | None = None
    """the highest rating so far, where it is typed"""
    title: str | None = None
    federation: str | None = None
    category: str | None = None


_CLUB: Final = """
Moreau, Élise | 2214 | 1989 | 512 | | WFM | FRA | W
Lindqvist, Arvid | 2187 | 1974 | 903 | 2415 | IM | SWE | S50
Castaño, Irene | 2106 | 2001 | 188 | | WFM | ESP | W
Болотов, Пётр | 2043 | 1968 | 640 | | | BUL | S50
Okafor, Chidi | 1998 | 2010 | 96 | | CM | NGR | U18
Haddad, Samir | 1931 | 1995 | 21 | | | TUN |
Novák, Tereza | 1875 | 2009 | 143 | | | CZE | W, U18
Whitfield, Tom | 1790 | 1982 | 77 | | | ENG |
Bianchi, Luca | 1722 | 2012 | 34 | | | ITA | U14
Sato, Hana | | 2013 | | | | JPN | W, U14
Ferreira, Duarte | 1689 | 1990 | 260 | | | POR |
Смирнова, Вера | 1655 | 1999 | 58 | | | EST | W
Jansen, Pim | 1630 | 1961 | 1204 | | | NED | S65
Ortega, Nuria | 1604 | 2008 | 41 | | | ESP | W, U18
Kowalski, Jan | 1587 | 1979 | 17 | | | POL |
Ben-Ari, Noa | 1550 | 2004 | 85 | | | ISR | W
Müller, Fritz | 1523 | 1957 | 700 | | | GER | S65
Abdi, Leyla | 1490 | 2011 | 28 | | | SOM | W, U18
O’Brien, Niall | 1466 | 1993 | 64 | | | IRL |
Dimitrova, Rada | | 2007 | | | | BUL | W
"""
"""Name, rating, birth year, games, highest rating, title, federation and categories."""


def _member(line: str) -> Member:
    name, *cells = (cell.strip() for cell in line.split("|"))
    rating, birth, games, peak = (int(cell) if cell else None for cell in cells[:4])
    title, federation, category = (cell or None for cell in cells[4:])
    return Member(name, rating, birth, games, peak, title, federation, category)


MEMBERS: Final = tuple(map(_member, _CLUB.strip().splitlines()))

SIGNS: Final = {1.0: "1", 0.5: "½", 0.0: "0"}
"""How each score of a game is typed."""


def rows(members: Iterable[Member]) -> list[dict[str, Constant]]:
    """Players as they are typed, by the keys of the columns."""
    return [member._asdict() for member in members]


def on_the_wall(
    say: Callable[[str], str], settings: Iterable[str] = ("Club", "Place", "Dates", "Arbiter")
) -> dict[str, Constant]:
    """What the first sheet says for the sheets that are pinned up, in the language of texts."""
    return {name: say(f"form.sample_{name.lower()}") for name in settings}


def tie_breaks(say: Callable[[str], str], first: int, *keys: str) -> dict[str, Constant]:
    """The tie-breaks with these keys as they are chosen, from the place ``first`` on."""
    return {f"Tie_break_{n}": say(f"form.tie_{key}") for n, key in enumerate(keys, start=first)}


def outcome(chance: random.Random, rating: float | None, opponent: float | None) -> float:
    """A random score, 1, 0.5 or 0, as the ratings make it likely; None counts as 1450."""
    own, other = (1450.0 if x is None else float(x) for x in (rating, opponent))
    even = float(expected(own - other, "logistic"))
    draw = 0.35 * min(even, 1 - even) * 2
    drawn = chance.random()
    return 1.0 if drawn < even - draw / 2 else 0.5 if drawn < even + draw / 2 else 0.0


def result(chance: random.Random, rating: float | None, opponent: float | None) -> str:
    """A random result of a game, as it is typed."""
    return SIGNS[outcome(chance, rating, opponent)]
