"""All games at once: the ratings under which they are most likely."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from elo_xl.engine import fit as engine
from elo_xl.engine.outcomes import DAVIDSON
from elo_xl.functions import game_formulas
from elo_xl.functions.arguments import (
    LABELS,
    NumberArgument,
    Option,
    OptionOrNumber,
    Rating,
    TableArgument,
    game_lines,
    read_game,
    read_name,
)
from elo_xl.functions.catalogue import Native, function
from elo_xl.functions.cells import (
    BLANK,
    ERRORS,
    NA,
    NUM,
    STATUS_TEXTS,
    VALUE,
    Block,
    Cell,
    CellError,
    CellRows,
)
from elo_xl.functions.runs import WHOLE, beside
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


FITTED: Final = "fitted"
NONE: Final = "none"


@dataclass(frozen=True)
class _Anchors(TableArgument):
    """A name, or a table: name, rating."""

    only_choices = True

    @property
    def takes(self) -> str:
        return "name, or range: name, rating"


@function(
    "ELO_FIT",
    "Ratings from all games at once by maximum likelihood, with standard errors; White's advantage "
    "and the part of draws are fitted, too.",
    TableArgument(
        "games",
        "One row per game: first player, second player, result of the first player. Only two "
        "columns: winner, loser; then nobody has an advantage.",
    ),
    _Anchors(
        "anchor",
        "The player whose rating is fixed, or a table of several: name, rating; nobody's if "
        "omitted: then the mean is fixed.",
        default=None,
    ),
    Rating(
        "rating", "The rating of the anchor, or the mean of all; 1500 if omitted.", default=1500.0
    ),
    Option(
        "draws",
        '"davidson" (default): probabilities as of ELO_OUTCOMES with draws "davidson", whose '
        'differences are wider than Elo\'s; "ignore": half a win and half a loss, on the logistic '
        "curve.",
        default=DAVIDSON,
        choices=engine.DRAWS,
    ),
    LABELS,
    OptionOrNumber(
        "home",
        'The advantage of the first player: "fitted" (default), "none", as in a list of winner and '
        "loser, or rating points that are known.",
        default=FITTED,
        choices=(FITTED, NONE),
        low=-math.inf,
    ),
    TableArgument(
        "counts",
        "A cell beside each game: how often there was that result; once if blank or omitted.",
        default=None,
    ),
    family=FAMILY,
    source="Bradley and Terry; Davidson; sandwich errors: Huber, White",
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
                ["Ana", 1862.2300307346577, 112.66948677615181, 7, 4.5, 4.5],
                ["Bo", 1800, 0, 6, 3, 3],
                ["Cy", 1671.7342603117074, 138.5591654307054, 5, 1.5, 1.5],
            ],
        ),
        (
            (
                [["A", "B"], ["B", "C"], ["C", "A"], ["B", "A"], ["C", "B"], ["A", "C"]],
                None,
                None,
                "ignore",
                None,
                "none",
                [[2], [2], [1], [1], [1], [1]],
            ),
            [
                ["A", 1550.575217989159, 109.25414095108539, 5, 3, 3],
                ["B", 1500, 92.861985050137, 6, 3, 3],
                ["C", 1449.424782010841, 109.25414095108536, 5, 2, 2],
            ],
        ),
    ],
    columns=_HEADINGS,
    native=Native(game_formulas.fit(_HEADINGS), whole=True, reason=WHOLE),
)
def fit(
    games: Block,
    anchor: Block,
    rating: float,
    draws: str,
    labels: float,
    home: str | float,
    counts: Block,
) -> CellRows:
    """The ratings, White's advantage and Davidson's ν under which the results of all games are most
    likely. With d = rating of the first player + advantage - rating of the second, win, draw and
    loss have probabilities in proportion to 10^(d/800), ν and 10^(-d/800); the first player is
    White. With "ignore", ν is 0, and a draw is half a win and half a loss.

    The standard error is that of the difference to the anchor, or to the mean of all: from Fisher's
    information, and where draws are ignored from how far the scores are from the expected ones (a
    sandwich), as nobody knows there how often games are drawn. With several anchors the others'
    ratings are found beside theirs, and an anchor without a rating has that of the argument rating.
    The expected score is that of the same games. The order is by rating, then by name.

    Only players compare who have, by some chain of games, scored against each other. If there are
    several such groups, the rating is #N/A where no games lead to the anchor (without an anchor, to
    the largest group), and #NUM! where all points went one way, so for who won or lost all games. A
    row without two names, and a game that was not played or has the count 0, is ignored. A row that
    cannot be read gives its error in place of the table, as does an anchor without a game, and
    counts of another number of rows (#N/A); the table is
    #NUM!, too, if White's advantage or ν would have to be infinite, and for a group of more than
    15,000 players.
    """
    names: list[str] = []
    index: dict[str, int] = {}
    pairs: list[list[int]] = []
    scores: list[float] = []
    often: list[float] = []
    beside_games = beside(games, counts, NumberArgument("counts", "", low=0, whole_number=True))
    for row, (count, wrong) in zip(game_lines(games), beside_games, strict=True):
        game = read_game(row)
        if max(game.status, wrong) > BLANK:
            raise CellError(game.status if game.status > BLANK else wrong)
        if game.status == BLANK or not count:
            continue
        often.append(count)
        for name, key in zip(game.names, game.keys, strict=True):
            if index.setdefault(key, len(names)) == len(names):
                names.append(name)
        pairs.append([index[key] for key in game.keys])
        scores.append(game.score)
    first, second = np.array(pairs, np.int64).reshape(-1, 2).T
    done = engine.fit(
        first,
        second,
        scores,
        len(names),
        anchor=_read_anchors(anchor, index, rating) or None,
        level=rating,
        draws=draws,
        # among winners and losers the first one always wins
        colours=home == FITTED and games.columns != 2,
        home=None if isinstance(home, str) else home,
        counts=often,
    )
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


def _read_anchors(anchor: Block, index: Mapping[str, int], usual: float) -> dict[int, float]:
    """The players whose ratings are fixed; a single 0 is a blank cell, as everywhere for a name."""
    found: dict[int, float] = {}
    one = anchor.rows * anchor.columns == 1
    for line in anchor.lines():
        cell, typed = (*line, None)[:2]
        name = read_name(None if one and cell == 0 else cell)
        if not name:
            continue
        if name in ERRORS:
            raise CellError(ERRORS[name])
        number, status = Rating("rating", "").read(typed)
        if status > BLANK:
            raise CellError(status)
        at = index.get(same_cell(name), -1)
        if at < 0:
            raise CellError(NA)
        if at in found:
            raise CellError(VALUE)
        found[at] = usual if status else number
    return found
