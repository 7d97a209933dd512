"""Ratings as a picture: ``plot``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from elo_xl.api.frames import GivenTable
from elo_xl.api.tables import Names, met, timed
from elo_xl.engine.errors import SizeError
from elo_xl.public import own

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from elo_xl.api.frames import Table
    from elo_xl.engine.arrays import AnyArray, FloatArray

MOST: Final = 10
"""Players who are drawn unless somebody names others: more lines nobody tells apart."""

_APART: Final = 1.15
"""How far names are apart at the least, in heights of their letters."""
_WIDE: Final = 60.0
"""Names this far from each other, in points, are beside each other."""
_STEPS: Final = 100


def plot(
    history: Table, players: Iterable[Hashable] | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw how ratings went, a line per player with the name at its end.

    >>> from elo_xl import Elo
    >>> games = [("Ana", "Bo", "1-0"), ("Bo", "Cy", "½"), ("Ana", "Cy", "1-0")]
    >>> line = plot(Elo().rate(games).history, ["Ana", "Bo"]).lines[0]
    >>> line.get_label(), [round(x) for x in line.get_ydata()]
    ('Ana', [1510, 1520])

    Args:
        history: :attr:`Rated.history`: ``white``, ``black``, ``white_after`` and ``black_after``.
            Lines go by ``date`` if there is such a column, otherwise by the number of the game.
        players (iterable, optional): Whose ratings are drawn. Default: the ten with most games.
        ax (matplotlib Axes, optional): Where they are drawn. Default: a new figure of pyplot.
    Returns: With the lines in it, to be changed or saved:
        ``plot(history).figure.savefig("club.png")``.
    Raises:
        ModuleNotFoundError: Without matplotlib, with the command that installs it.
        SizeError: For a missing column, a player who is not in the games, and no rated game.
    """
    try:
        from matplotlib import pyplot, rc_context
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "plot needs matplotlib: pip install matplotlib", name="matplotlib"
        ) from None
    from elo_xl.books.charts import LOOKS
    from elo_xl.publish.pictures import DASHES, SETTINGS, plain

    table = GivenTable(history, "games")
    chosen = _lines(table, players)
    with rc_context(SETTINGS | {"date.converter": "concise"}):
        if ax is None:
            ax = pyplot.subplots(layout="constrained")[1]
        plain(ax)
        ax.margins(x=0, y=0.02)
        ax.set_ylabel("Rating")
        if "date" not in table.columns:
            ax.set_xlabel("Game")
        lines = []
        for i, (name, (at, ratings)) in enumerate(chosen.items()):
            # after all colours the same ones come again, with other dashes
            colour, dash = LOOKS[i % len(LOOKS)][0], LOOKS[(i + i // len(LOOKS)) % len(LOOKS)][1]
            marker = "." if at.size == 1 else ""
            look: dict[str, Any] = {"color": f"#{colour}", "linestyle": DASHES[dash]}
            lines += ax.plot(at, ratings, label=str(name), marker=marker, **look)
        _name(ax, lines)
    return ax


def _lines(
    history: GivenTable, players: Iterable[Hashable] | None
) -> dict[Hashable, tuple[AnyArray, FloatArray]]:
    """When the players had which ratings."""
    known = met(history)
    names = Names(known)
    played, dates, _ = timed(history, names, "")
    white, black = (history.numbers(f"{x}_after", needed=True) for x in ("white", "black"))
    if players is None:
        count = np.bincount(np.concatenate([played.first, played.second]), minlength=len(known))
        often = np.argsort(-count, kind="stable")[:MOST]
        chosen = often[count[often] > 0].tolist()
    else:
        chosen = [names.row(player) for player in players]
    if not chosen:
        raise SizeError("there is nobody to draw")
    lines: dict[Hashable, tuple[AnyArray, FloatArray]] = {}
    for player in chosen:
        games = np.flatnonzero((played.first == player) | (played.second == player))
        if not games.size:
            raise SizeError(f"player {known[player]!r} has no game with a result")
        rows = played.rows[games]
        ratings = np.where(played.first[games] == player, white[rows], black[rows])
        at = games + 1
        if dates is not None:
            at = np.array(dates.different, dtype=object)[dates.turn[games]]
        lines[known[player]] = at, ratings
    return lines


def _name(ax: Axes, lines: list[Line2D]) -> None:
    """Names at the ends of lines, pushed apart where they would overlap."""
    from matplotlib import rcParams

    ax.figure.canvas.draw()  # decides how large the axes are
    last = [np.asarray(line.get_xydata())[-1] for line in lines]
    ends = ax.transData.transform(last)
    dots = ax.figure.dpi / 72
    high, wide = _APART * rcParams["font.size"] * dots, _WIDE * dots
    order = np.argsort(ends[:, 1])
    beside = np.abs(np.diff(ends[order, 0])) < wide
    at = ends[order, 1]
    for _ in range(_STEPS):
        push = np.where(beside, np.maximum(high - np.diff(at), 0) / 2, 0)
        at[:-1] -= push
        at[1:] += push
    for i, height in zip(order, at, strict=True):
        look = {"va": "center", "color": lines[i].get_color(), "annotation_clip": False}
        away = 4, (height - ends[i, 1]) / dots
        name = str(lines[i].get_label())
        ax.annotate(name, tuple(last[i]), away, textcoords="offset points", **look)


own(vars())
