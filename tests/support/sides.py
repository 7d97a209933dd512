"""Games of players against opponents of whom only the ratings are known."""

import numpy as np
import numpy.typing as npt

from elo_xl.engine.rulebooks.event import Players, Sides


def against(
    players: Players, player: npt.ArrayLike, met: npt.ArrayLike, score: npt.ArrayLike
) -> Sides:
    who = np.asarray(player, dtype=np.int64)
    scores = np.asarray(score, dtype=float)
    points = np.bincount(who, scores, minlength=players.rating.size).astype(float)
    return Sides(who, np.asarray(met, dtype=float), scores, points, np.zeros(who.size))
