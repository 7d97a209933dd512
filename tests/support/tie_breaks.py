"""Tie-breaks computed in Python, for tests: FIDE's C.07, article by article.

A round of a player is of one of the kinds below; what they count is what the docstring of
:mod:`elo_xl.templates.blocks.tie_breaks` says.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
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


# -- all tie-breaks, by the letters that FIDE has for them -----------------------------------------

Games = Mapping[tuple[int, int], Fraction]
"""What players scored against others: their average, should they have met more than once."""


def figures(
    rounds: Sequence[Sequence[Round]], ratings: Sequence[float | None]
) -> list[dict[str, float]]:
    """All tie-breaks of a Swiss but direct encounter, for each player."""
    return [_figures(own, standing, ratings) for own, standing in _with_standings(rounds)]


def _with_standings(
    rounds: Sequence[Sequence[Round]],
) -> Iterable[tuple[Sequence[Round], Standing]]:
    begun = [r for r in range(len(rounds[0])) if any(own[r].kind != NOTHING for own in rounds)]
    return zip([[own[r] for r in begun] for own in rounds], standings(rounds), strict=True)


def _figures(
    own: Sequence[Round], standing: Standing, ratings: Sequence[float | None]
) -> dict[str, float]:
    played = [r for r in own if r.kind == PLAYED]
    black = [r for r in played if r.place < 0]
    met = [ratings[r.opponent] for r in played if r.opponent is not None]
    rated = [rating for rating in met if rating is not None]
    counted = [
        (r.kind not in VOLUNTARY, c)
        for r, c in zip(own, standing.contributions, strict=False)
        if r.kind not in (NOTHING, OPEN)
    ]
    return {
        "WIN": sum(r.points == 1 for r in own),
        "WON": sum(r.points == 1 for r in played),
        "BPG": len(black),
        "BWG": sum(r.points == 1 for r in black),
        "REP": sum(r.kind not in VOLUNTARY for r in own),
        "PS": sum(sum(r.points for r in own[:after]) for after in range(1, len(own) + 1)),
        "BH": standing.buchholz,
        "BH-C1": _cut(counted, 1, 0),
        "BH-C2": _cut(counted, 2, 0),
        "BH-M1": _cut(counted, 1, 1),
        "BH-M2": _cut(counted, 2, 2),
        "SB": standing.sonneborn,
        "ARO": rounded(Fraction(sum(map(Fraction, rated)), len(rated))) if rated else 0,
    }


def rounded(number: Fraction) -> int:
    """To the nearest whole number, 0.5 up."""
    return int(number + Fraction(1, 2))


def _cut(counted: Collection[tuple[bool, float]], low: int, high: int) -> float:
    """The sum of contributions without the ``low`` least and then the ``high`` largest ones; those
    that come with False are the first to be cut."""
    left = sorted(sorted(c for _, c in sorted(counted)[low:])[: -high or None])
    return sum(left)


def games(rounds: Sequence[Sequence[Round]]) -> Games:
    """The games of a Swiss that were played, for direct encounter."""
    points: dict[tuple[int, int], list[Fraction]] = {}
    for who, own in enumerate(rounds):
        for r in own:
            if r.kind == PLAYED and r.opponent is not None:
                points.setdefault((who, r.opponent), []).append(Fraction(r.points))
    return {pair: sum(some, Fraction(0)) / len(some) for pair, some in points.items()}


def encounter(tied: Sequence[int], scored: Games) -> list[list[int]]:
    """Article 6: the tied players in order; those who stay tied are in one list.

    >>> encounter([0, 1, 2], {(0, 1): 1, (1, 0): 0, (0, 2): 1, (2, 0): 0})
    [[0], [1, 2]]
    """
    if len(tied) == 1:
        return [list(tied)]
    own = {p: sum((scored.get((p, q), 0) for q in tied), Fraction(0)) for p in tied}
    missing = {p: sum((p, q) not in scored for q in tied if q != p) for p in tied}
    order: list[list[int]]
    if not any(missing.values()):
        ranked = sorted(tied, key=lambda p: -own[p])
        order = [list(some) for _, some in groupby(ranked, key=lambda p: own[p])]
    else:
        order, rest = [], list(tied)
        while len(rest) > 1:
            safe = [
                p for p in rest if all(own[p] > own[q] + missing[q] for q in rest if q is not p)
            ]
            if not safe:
                break
            order.append(safe)
            rest.remove(safe[0])
        order.append(rest)
    if len(order) == 1:
        return order
    return [again for some in order for again in encounter(some, scored)]


def ranks(
    points: Sequence[float],
    chosen: Sequence[str],
    values: Sequence[Mapping[str, float]],
    scored: Games,
) -> tuple[list[int], list[int]]:
    """The ranks by points and tie-breaks, and the places by direct encounter, 0 for the others."""
    order = _classes(range(len(points)), lambda p: points[p])
    places = [0] * len(points)
    for code in chosen:
        refined: list[list[int]] = []
        for tied in order:
            if code == "DE":
                found = encounter(tied, scored)
                for i, some in enumerate(found if len(tied) > 1 else []):
                    for p in some:
                        places[p] = 1 + sum(map(len, found[:i]))
            else:
                found = _classes(tied, lambda p, c=code: values[p][c])  # type: ignore[misc]
            refined += found
        order = refined
    rank = [0] * len(points)
    for i, some in enumerate(order):
        for p in some:
            rank[p] = 1 + sum(map(len, order[:i]))
    return rank, places


def _classes(players: Iterable[int], value: Callable[[int], float]) -> list[list[int]]:
    """The players by value, the largest first; equal ones together."""
    ranked = sorted(players, key=lambda p: -value(p))
    return [list(some) for _, some in groupby(ranked, key=value)]
