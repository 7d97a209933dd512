"""What the K factors of an event take for granted, where a fact that is unknown might decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.rounding import FloatArray
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.engine.rulebooks.event import Players
from elo_xl.events.event import Player

NEAR: Final = 50
"""Somebody whose highest rating is unknown is named within so many points of a limit."""

_NAMED: Final = 20
"""players whom a sentence names"""
_JUNIOR: Final = 10.0
"""an age at which every rule for juniors applies"""


def assumed(
    players: Sequence[Player], known: Players, played: npt.NDArray[np.bool_], book: Rulebook
) -> Iterator[str]:
    """Say of whom a highest rating, a number of games or a birth year might change the K.

    ``known`` holds what is known of the players, ``played`` who has rated games. Of players with a
    K of their own nothing is assumed.
    """
    none = np.full(known.rating.shape, np.nan)
    ruled = played & ~np.isnan(known.rating) & np.isnan(known.k)
    taken = book.k(known, none)

    def otherwise(name: str, value: FloatArray | float) -> FloatArray:
        """K factors if an unknown fact were this; NaN for all to whom that makes no difference."""
        facts = getattr(known, name)
        unknown = ruled & np.isnan(facts)
        k = book.k(replace(known, **{name: np.where(unknown, value, facts)}), none)
        return np.where(unknown & (k != taken), k, np.nan)

    reached = [(points, otherwise("peak", known.rating + points)) for points in range(1, NEAR + 1)]
    for i in np.flatnonzero(~np.isnan(reached[-1][1])).tolist():
        points, k = next((points, k[i]) for points, k in reached if not np.isnan(k[i]))
        yield (
            f"K {taken[i]:g} for {players[i].name}, {known.rating[i]:g}: whoever has ever reached "
            f"{known.rating[i] + points:g} has K {k:g}, and the highest rating is unknown"
        )
    for name, value, fact, otherwise_is in (
        ("games", 0.0, "the number of games", "a newcomer"),
        ("age", _JUNIOR, "the birth year", "a junior"),
    ):
        other = otherwise(name, value)
        # not np.unique, which loads numpy.ma
        for k in sorted({k for k in other.tolist() if k == k}):
            own = [players[i].name for i in np.flatnonzero(other == k).tolist()]
            more = f" and {len(own) - _NAMED} more" if len(own) > _NAMED else ""
            who = "; ".join(own[:_NAMED]) + more
            yield f"{fact} is unknown of {who}: as {otherwise_is} they would have K {k:g}"
