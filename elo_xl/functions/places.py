"""Tables of three and more, by their order of finish, and even sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from elo_xl.engine.models import expected
from elo_xl.engine.sequence import Sides
from elo_xl.engine.systems import Elo, pairs_by_place
from elo_xl.engine.teams import even_sides
from elo_xl.functions import game_formulas
from elo_xl.functions.arguments import (
    LABELS,
    NumberArgument,
    Rating,
    TableArgument,
    read_name,
    read_side,
    side_fault,
)
from elo_xl.functions.catalogue import Native, function
from elo_xl.functions.cells import ERRORS, NA, OK, VALUE, Block, CellError, CellRows
from elo_xl.functions.expected import MODEL
from elo_xl.functions.runs import (
    FAMILY,
    SIDES,
    START,
    WHOLE,
    Field,
    K,
    Seats,
    read_separator,
)
from elo_xl.people import same_cell, seated

_PLACES: Final = ("name", "rating", "tables", "firsts", "mean place", "last change")


@function(
    "ELO_PLACES",
    "Table of players after games of two, three or more at a table, by order of finish.",
    TableArgument(
        "games",
        "One row per table, in the order of play: the players in their order of finish, a cell "
        "each. Bo= or =Bo shares the place of the player before.",
    ),
    K,
    START,
    MODEL,
    LABELS,
    SIDES,
    family=FAMILY,
    source="the pairs of a table, as in multielo",
    examples=[
        (
            ([["Ana", "Bo", "Cy"], ["Bo", "Dee=", "Ana"]], 32, 1500, "logistic"),
            [
                ["Bo", 1508.368153396761, 2, 1, 1.5, 8.368153396761045],
                ["Dee", 1508.368153396761, 1, 1, 1, 8.368153396761045],
                ["Ana", 1499.263693206478, 2, 1, 2, -16.736306793521862],
                ["Cy", 1484, 1, 0, 3, -16],
            ],
        )
    ],
    columns=_PLACES,
    native=Native(game_formulas.places(_PLACES), whole=True, reason=WHOLE),
)
def places(
    games: Block, k: Block, start: Block, model: str, labels: float, sides: object
) -> CellRows:
    """Every pair at a table is a game, won by who finished before the other, drawn if they share
    the place. With n players, or sides, a player's rating changes by the sum over the n - 1 others:

        k·(score - expected) / (n - 1)

    all from the ratings before the table. So a table is worth k at most, as a game of two is, in
    which it is the same as ELO_LADDER's.

    A place is one more than how many finished before: 1, 2, 2, 4. The order is by rating, then by
    name. A row with less than two names is ignored. A row that cannot be read is an error of its
    players, as in ELO_LADDER: #VALUE! for a player who is twice in it, or who shares a place with
    nobody.
    """
    field = Field(start, k)
    separator, side_rating = read_separator(sides)
    who: list[int] = []
    sizes: list[int] = []
    of_table: list[int] = []
    place: list[int] = []
    for row in games.lines():
        lineup, own, wrong_place = _read_table(row, separator)
        names = [name for side in lineup for name in side]
        status = next((ERRORS[name] for name in names if name in ERRORS), OK)
        if not status and len(lineup) < 2:
            continue
        faults = (wrong_place, side_fault(lineup), *map(field.status_of, map(same_cell, names)))
        if status := status or next(filter(None, faults), OK):
            field.mark(names, status)
            continue
        who += map(field.number_of, names)
        sizes += map(len, lineup)
        of_table.append(len(lineup))
        place += own
    size = len(field.names)
    first, second, score, game, weight = pairs_by_place(place, of_table)
    given = field.given
    seats_of = np.array(who, np.int64)
    rated = Elo(k=field.k, start=field.first, model=model, sides=side_rating).carry_sides(
        Sides(seats_of, np.cumsum(sizes, dtype=np.int64)),
        first,
        second,
        score,
        size,
        game=game,
        before={"rating": given},
        weight=weight,
        k=field.factors,
        history=True,
    )
    assert rated.history is not None
    begin = np.where(np.isnan(given), field.first, given)
    seats = Seats(seats_of, rated.history, np.zeros(seats_of.size, np.int64), begin)
    finished = np.repeat(np.array(place, float), sizes)
    tables = np.bincount(seats_of, minlength=size)
    firsts = np.bincount(seats_of[finished == 1], minlength=size)
    sums = np.bincount(seats_of, finished, size)
    with np.errstate(invalid="ignore"):
        mean = np.where(tables, sums / tables, np.nan)
    change = seats.latest(seats.after - seats.before, size, np.nan)
    rating = np.where(np.isnan(rated.rating), begin, rated.rating)
    headings: CellRows = [list(_PLACES)] if labels else []
    return headings + field.rows(rating, [tables, firsts, mean, change])


def _read_table(
    row: Sequence[object], separator: str | None
) -> tuple[list[list[str]], list[int], int]:
    """The sides of a table in their order of finish, their places, and VALUE for a place that is
    shared with nobody."""
    lineup: list[list[str]] = []
    place: list[int] = []
    status = OK
    for cell in row:
        name, shared = seated(read_name(cell))
        if not name and not shared:
            continue
        if shared and not place:
            status = VALUE
        place.append(place[-1] if shared and place else len(place) + 1)
        lineup.append(read_side(name, separator))
    return lineup, place, status


_TEAMS: Final = ("side", "name", "rating", "mean", "chance")


@function(
    "ELO_TEAMS",
    "Even sides of the players who are there: a row a player, with the mean of their side and its "
    "chance.",
    TableArgument("players", "The names of those who are there; rows without a name are left out."),
    TableArgument("ratings", "Their ratings, a cell beside each name."),
    NumberArgument("sides", "How many sides; 2 if omitted.", default=2.0, low=2, whole_number=True),
    family=FAMILY,
    source="all ways to make two sides; swaps",
    examples=[
        (
            ([["Ana"], ["Bo"], ["Cy"], ["Dee"], ["Eve"]], [[1720], [1480], [1610], [1350], [1555]]),
            [
                [1, "Ana", 1720, 1541.6666666666667, 0.4952985289677021],
                [1, "Eve", 1555, 1541.6666666666667, 0.4952985289677021],
                [1, "Dee", 1350, 1541.6666666666667, 0.4952985289677021],
                [2, "Cy", 1610, 1545, 0.5047014710322979],
                [2, "Bo", 1480, 1545, 0.5047014710322979],
            ],
        )
    ],
    columns=_TEAMS,
    native=Native(game_formulas.TEAMS, whole=True, reason=WHOLE),
)
def teams(players: Block, ratings: Block, sides: float) -> CellRows:
    """The sides have the same number of players, or differ by one, and their mean ratings differ as
    little as can be. Two sides of up to 16 players are the most even of all; of more players or
    sides no swap of two players makes them more even.

    chance is the expected score of the side's mean against that of the other side on Elo's normal
    curve, with more sides the mean of those against each of them. The order is by side, then by
    rating. A name without a rating, or twice, is #VALUE! in place of the table; less than one
    player a side is #NUM!, and lists of different lengths are #N/A.
    """
    typed = list(map(read_name, players.cells))
    read = Rating("rating", "").column(ratings.cells)
    named = next((ERRORS[name] for name in typed if name in ERRORS), OK)
    if error := named or read.first_error():
        raise CellError(error)
    if len(typed) != read.values.size:
        raise CellError(NA)
    names: list[str] = []
    own: list[float] = []
    known: set[str] = set()
    for name, rating, rated in zip(typed, read.values.tolist(), read.present(), strict=True):
        if not name:
            continue
        if not rated or same_cell(name) in known:
            raise CellError(VALUE)
        known.add(same_cell(name))
        names.append(name)
        own.append(rating)
    side = even_sides(own, int(sides))
    strength = np.bincount(side, own) / np.bincount(side)
    scores = expected(strength[:, None] - strength[None, :])
    chance = (scores.sum(axis=1) - 0.5) / (strength.size - 1)
    order = sorted(range(len(names)), key=lambda i: (side[i], -own[i]))
    return [
        [int(side[i]) + 1, names[i], own[i], strength[side[i]].item(), chance[side[i]].item()]
        for i in order
    ]
