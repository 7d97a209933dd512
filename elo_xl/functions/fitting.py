"""All games at once: the ratings under which they are most likely."""

from __future__ import annotations

from typing import Final

import numpy as np

from elo_xl.engine import fit as engine
from elo_xl.engine.outcomes import DAVIDSON
from elo_xl.functions.arguments import (
    Name,
    NumberArgument,
    Option,
    Rating,
    TableArgument,
    read_game,
    read_name,
)
from elo_xl.functions.catalogue import Native, function
from elo_xl.functions.cells import BLANK, NA, NUM, STATUS_TEXTS, Block, Cell, CellError, CellRows
from elo_xl.people import same_cell

FAMILY: Final = "All games at once"

EXAMPLE: Final[CellRows] = [
    ["Ana", "Bo", 1],
    ["Bo", "Cy", "½"],
    ["Cy", "Ana", 0],
    ["Ana", "Cy", "½"],
    ["Bo", "Ana", "½"],
    ["Cy", "Bo", 0],
    ["Bo", "Ana", 1],
    ["Cy", "Ana", "½"],
    ["Ana", "Bo", 1],
]

_HEADINGS: Final = ("name", "rating", "standard error", "games", "score", "expected")


@function(
    "ELO_FIT",
    "Ratings from all games at once by maximum likelihood, with standard errors; White's advantage "
    "and the part of draws are fitted, too.",
    TableArgument(
        "games", "One row per game: first player, second player, result of the first player."
    ),
    Name(
        "anchor",
        "The player whose rating is fixed; nobody's if omitted: then the mean is fixed.",
        default=None,
    ),
    Rating(
        "rating", "The rating of the anchor, or the mean of all; 1500 if omitted.", default=1500.0
    ),
    Option(
        "draws",
        '"davidson" (default): probabilities as of ELO_OUTCOMES with draws "davidson", whose '
        'differences are wider than Elo\'s; "ignore": half a win and half a loss, on the logistic '
        "curve, with errors that are too large.",
        default=DAVIDSON,
        choices=engine.DRAWS,
    ),
    NumberArgument(
        "labels", "TRUE puts a row of headings on top; FALSE (default) does not.", default=0.0
    ),
    family=FAMILY,
    source="Bradley and Terry; Davidson",
    examples=[
        (
            (EXAMPLE,),
            [
                ["Ana", 1672.3695413827816, 152.1593578455453, 7, 4.5, 4.5],
                ["Bo", 1545.0002304144205, 146.55647624803603, 6, 3, 3],
                ["Cy", 1282.630228202798, 185.8325027428604, 5, 1.5, 1.5],
            ],
        ),
        (
            (EXAMPLE, "Bo", 1800, "ignore"),
            [
                ["Ana", 1862.2300307346577, 160.36132523720795, 7, 4.5, 4.5],
                ["Bo", 1800, 0, 6, 3, 3],
                ["Cy", 1671.7342603117074, 198.31959421164606, 5, 1.5, 1.5],
            ],
        ),
    ],
    columns=_HEADINGS,
    native=Native(reason="The most likely ratings are found by approximation, all together."),
)
def fit(games: Block, anchor: object, rating: float, draws: str, labels: float) -> CellRows:
    """The ratings, White's advantage and Davidson's ν under which the results of all games are most
    likely. With d = rating of the first player + advantage - rating of the second, win, draw and
    loss have probabilities in proportion to 10^(d/800), ν and 10^(-d/800); the first player is
    White. With "ignore", ν is 0, and a draw is half a win and half a loss.

    The standard error is that of the difference to the anchor, or to the mean of all, from Fisher's
    information; the expected score is that of the same games. The order is by rating, then by name.

    Only players compare who have, by some chain of games, scored against each other. If there are
    several such groups, the rating is #N/A where no games lead to the anchor (without an anchor, to
    the largest group), and #NUM! where all points went one way, so for who won or lost all games. A
    row without two names, and a game that was not played, is ignored. A row that cannot be read
    gives its error in place of the table, as does an anchor without a game (#N/A); the table is
    #NUM!, too, if White's advantage or ν would have to be infinite, and for a group of more than
    15,000 players.
    """
    names: list[str] = []
    index: dict[str, int] = {}
    pairs: list[list[int]] = []
    scores: list[float] = []
    for game in map(read_game, games.lines()):
        if game.status > BLANK:
            raise CellError(game.status)
        if game.status == BLANK:
            continue
        for name, key in zip(game.names, game.keys, strict=True):
            if index.setdefault(key, len(names)) == len(names):
                names.append(name)
        pairs.append([index[key] for key in game.keys])
        scores.append(game.score)
    # -1: an anchor that is none of the players
    fixed = None if anchor is None else index.get(same_cell(read_name(anchor)), -1)
    if fixed == -1:
        raise CellError(NA)
    first, second = np.array(pairs, np.int64).reshape(-1, 2).T
    done = engine.fit(first, second, scores, len(names), anchor=fixed, level=rating, draws=draws)
    # in place of a rating: #NUM! where it is infinite, #N/A where nothing leads to the anchor
    unknown = np.where(np.isfinite(done.rating), 0, np.where(done.connected, NUM, NA))
    order = sorted(
        range(len(names)),
        key=lambda i: (unknown[i], -np.nan_to_num(done.rating[i].round(6)), names[i].casefold()),
    )
    rows: CellRows = [list(_HEADINGS)] if labels else []
    for i in order:
        own: list[Cell] = [done.rating[i].item(), done.error[i].item()]
        if unknown[i]:
            own = [STATUS_TEXTS[unknown[i]]] * 2
        rows.append(
            [names[i], *own, *(x[i].item() for x in (done.games, done.score, done.expected))]
        )
    return rows or [[None] * len(_HEADINGS)]
