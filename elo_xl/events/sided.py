"""Games that have sides of several players, or more than two sides at a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.fit import summed
from elo_xl.engine.sequence import Sides
from elo_xl.engine.systems import Elo, RatedGames, pairs_by_place
from elo_xl.engine.usual import USUAL_MODEL
from elo_xl.events.event import EventError, Game, Player, Problem
from elo_xl.languages.typed_words import TYPED
from elo_xl.people import same_cell
from elo_xl.templates.opened import checked, old_book

_WORDS: Final = "|".join({word for one in TYPED.values() for word in one.together.split(", ")})
PAIR: Final = re.compile(
    rf"(?<=\w)\s*[&/+]\s*(?=\w)|(?<=\w)\s+(?:{_WORDS})\s+(?=\w)", re.IGNORECASE
)
"""What stands between the players of a side in the cell of a list."""
SEVERAL: Final = "all names are of several people"


class SidedEvent(NamedTuple):
    """Who has played such games, and what the games make of their ratings."""

    name: str
    template: str
    players: tuple[str, ...]
    rated: RatedGames
    points: FloatArray
    """games won, with halves for draws; of a table the part of the others that was beaten"""
    k: float
    start: float


def rate_sided(file: bytes, k: float | None = None, start: float | None = None) -> SidedEvent:
    """Rate the games of a book of kind ``sides``, in their order.

    ``k`` and ``start`` are those of the book if omitted.

    Raises EventError for entries that need attention, and the errors of :func:`.old_book` and
    :func:`.checked`.
    """
    old = old_book(file)
    of = old.book.commands.games
    assert of is not None
    book, wrong = checked(old)
    if wrong:
        raise EventError(map(Problem, wrong))
    games, people = book.tables[of.table], book.tables[of.of]

    def text(key: str, row: int = 0) -> str:
        table = people if key in ("name", "rating", "played") else games
        value = table.worth(of.says[key], row) if key in of.says else None
        return "" if value is None else str(value)

    def number(key: str, row: int = 0) -> float:
        return float(text(key, row) or "nan")

    rows = sorted({key.row - 1 for key in old.entries.typed if key.name == of.table})
    rows = [row for row in rows if text("sides", row)]
    # players are numbers; where nobody sits stands 0
    lines = [[[int(n) - 1 for n in side.split() if n != "0"]
              for side in text("sides", row).split("/")] for row in rows]  # fmt: skip
    seats = [side for line in lines for side in line if side]
    # without places there are two sides, and a score
    ranks = [(text("places", row) or "1/2").split("/") for row in rows]
    places = [float(rank) for row, line in zip(ranks, lines, strict=True)
              for rank, side in zip(row, line, strict=True) if side]  # fmt: skip
    sizes = [sum(map(bool, line)) for line in lines]
    first, second, score, game, weight = pairs_by_place(places, sizes)
    if "score" in of.says:
        score = np.array([number("score", row) for row in rows])
    lineup = Sides(np.concatenate(seats or [[]]).astype(np.int64), np.cumsum([*map(len, seats)]))
    names = tuple(text("name", row) for row in range(people.rows))
    first_k = [(0.0, number("first_k"))] if k is None and number("first") > 0 else []
    k = number("k") if k is None else k
    start = number("start") if start is None else start
    elo = Elo(
        k=[*first_k, (number("first"), k)] if first_k else k,
        start=start,
        model=USUAL_MODEL,
        margin="log" if text("by") else None,
    )
    rated = elo.carry_sides(
        lineup,
        first,
        second,
        score,
        len(names),
        game=game,
        before={"rating": [number("rating", row) for row in range(people.rows)]},
        margin=np.array([number("margin", row) for row in rows])[game] if elo.margin else None,
        weight=weight,
        played_before=np.nan_to_num([number("played", row) for row in range(people.rows)]),
    )
    won = (1 + np.sign(score - 0.5)) / 2
    own = summed(first, weight * won, len(seats)) + summed(second, weight * (1 - won), len(seats))
    points = summed(lineup.players, np.repeat(own, lineup.sizes), len(names)).round(6)
    said = old.content.get("Event", "")
    return SidedEvent(str(said), old.template, names, rated, points, k, start)


class People(NamedTuple):
    """Who plays in games between sides that a list names as one, such as ``Ana & Bo``."""

    names: list[str]
    lineup: Sides
    """the two sides of each game, one game after the other"""


def people_of(players: Iterable[Player], games: Sequence[Game]) -> People | None:
    """The people behind the names of a list, if these are sides: all of them, or some whose people
    have other partners, too, or play alone.

    >>> players = [Player(1, "Ana & Bo"), Player(2, "Cy / Dee"), Player(3, "AC/DC")]
    >>> people_of(players[:2], [Game(1, 1, 2, 1.0)]).names
    ['Ana', 'Bo', 'Cy', 'Dee']
    >>> people_of([Player(1, "Ana and Bo"), Player(2, "Bo y Cy")], []).names
    ['Ana', 'Bo', 'Cy']
    >>> people_of([*players[::2], Player(4, "Eve")], [])

    Raises EventError for somebody who is twice in a game.
    """
    split = {player.number: PAIR.split(player.name) for player in players}
    keys = {number: [*map(same_cell, people)] for number, people in split.items()}
    everybody = [*chain(*keys.values())]
    if len(everybody) == len(keys) or (
        any(len(people) == 1 for people in keys.values()) and len(set(everybody)) == len(everybody)
    ):
        return None
    row = {key: i for i, key in enumerate(dict.fromkeys(everybody))}
    names = dict(zip(reversed(everybody), reversed([*chain(*split.values())]), strict=True))
    for game in games:
        met = [*keys[game.first], *keys[game.second]]
        if twice := [names[key] for key in met if met.count(key) > 1]:
            both = " against ".join(" & ".join(split[n]) for n in (game.first, game.second))
            raise EventError([Problem(f"{twice[0]!r} is twice in the game {both}")])
    sides = [keys[number] for game in games for number in (game.first, game.second)]
    lineup = Sides(
        np.array([row[key] for key in chain(*sides)], dtype=np.int64), np.cumsum([*map(len, sides)])
    )
    return People([names[key] for key in row], lineup)
