"""Tie-breaks of a Swiss system computed in Python, for tests: FIDE's C.07, article 16.

A round of a player is of one of the kinds below; what they count is what the docstring of
:mod:`elo_xl.templates.swiss` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

NOTHING: Final = 0
"""the round has not begun"""
PLAYED: Final = 1
FORFEIT_WON: Final = 2
FORFEIT_LOST: Final = 3
BYE: Final = 4
"""with a full point: by the pairing"""
REQUESTED: Final = 5
"""a bye with half a point or none, or not paired at all"""
OPEN: Final = 6
"""paired, without a result yet"""
VOLUNTARY: Final = (FORFEIT_LOST, REQUESTED)


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a player; the opponent counts from 0, None for none."""

    kind: int = NOTHING
    opponent: int | None = None
    points: float = 0.0
    place: int = 0
    """in the round's list: positive as White, negative as Black, 0 for none"""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player's rounds add up to."""

    points: float
    adjusted: float
    trailing: list[int]
    """for each round 1 where it and all after it are voluntary unplayed ones; a last 1 is added"""
    contributions: list[float]
    buchholz: float
    cut: float
    sonneborn: float


def standings(rounds: Sequence[Sequence[Round]]) -> list[Standing]:
    """Tie-breaks of all players from their rounds.

    >>> win, loss = Round(PLAYED, 1, 1.0, 1), Round(PLAYED, 0, 0.0, -1)
    >>> [(s.points, s.buchholz, s.sonneborn) for s in standings([[win], [loss]])]
    [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
    """
    begun = sum(
        any(own[r].kind != NOTHING for own in rounds)
        for r in range(len(rounds[0]) if rounds else 0)
    )
    points = [sum(r.points for r in own) for own in rounds]
    trailing = [_trailing(own) for own in rounds]
    adjusted = [
        total
        + sum(
            0.5 - r.points
            for r, last in zip(own, tail[1:], strict=True)
            if r.kind == REQUESTED and last
        )
        for own, tail, total in zip(rounds, trailing, points, strict=True)
    ]
    found = []
    for i, own in enumerate(rounds):
        counts = [_contribution(r, points[i], adjusted, begun) for r in own]
        some = [(r.kind, c) for r, c in zip(own, counts, strict=True) if c is not None]
        voluntary = [c for kind, c in some if kind in VOLUNTARY]
        total = sum(c for _, c in some)
        cut = min(voluntary or [c for _, c in some], default=0.0)
        plain = [c or 0.0 for c in counts]
        sonneborn = sum(r.points * c for r, c in zip(own, plain, strict=True))
        found.append(
            Standing(points[i], adjusted[i], trailing[i], plain, total, total - cut, sonneborn)
        )
    return found


def _trailing(own: Sequence[Round]) -> list[int]:
    tail = [1]
    for r in reversed(own):
        voluntary = r.kind == NOTHING or r.kind in VOLUNTARY
        tail.append(tail[-1] if voluntary else 0)
    return tail[::-1]


def _contribution(r: Round, points: float, adjusted: Sequence[float], begun: int) -> float | None:
    if r.kind in (NOTHING, OPEN):
        return None
    if r.kind == PLAYED:
        return adjusted[r.opponent or 0]
    if r.kind in (FORFEIT_WON, FORFEIT_LOST):
        return min(points, adjusted[r.opponent or 0])
    return min(points, begun / 2)
