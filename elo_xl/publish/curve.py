"""The drawing of a player's ratings: where its lines, points and words stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from elo_xl.publish.page import Point

WIDTH: Final = 640
HEIGHT: Final = 260
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 12, 26
"""Room beside the curves."""

STEPS: Final = (10, 20, 50, 100, 200, 500, 1000)
"""Rating points between the lines behind the curves."""
MOST_LINES: Final = 6
MOST_DOTS: Final = 60
"""Points of a curve that are drawn one by one."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A curve: its points in the drawing, and the same as SVG writes them."""

    kind: str
    places: Sequence[tuple[float, float]]
    dots: Sequence[tuple[float, float]]

    @property
    def line(self) -> str:
        """The points of a polyline."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.places)


@dataclass(frozen=True, slots=True)
class Drawing:
    """The curves of a player in one drawing."""

    curves: Sequence[Drawn]
    levels: Sequence[tuple[float, int]]
    """height and rating of the lines behind the curves"""
    marks: Sequence[tuple[float, str, date | int]]
    """place, anchor and day, or number of the game, of the words below"""


def drawing(kinds: Mapping[str, Sequence[Point]]) -> Drawing:
    """Draw the ratings of a player.

    >>> drawn = drawing({"Standard": [Point(1, 1500), Point(3, 1540)]})
    >>> drawn.curves[0].line, [rating for _, rating in drawn.levels]
    ('46,234 626,12', [1500, 1510, 1520, 1530, 1540])
    """
    points = [point for kind in kinds.values() for point in kind]
    ratings = [point.rating for point in points]
    step = next(
        (s for s in STEPS if max(ratings) - min(ratings) <= s * (MOST_LINES - 1)), STEPS[-1]
    )
    low = int(min(ratings) // step) * step
    high = max(-int(-max(ratings) // step) * step, low + step)
    first, *_, last = sorted([place(points[0]), *map(place, points)])

    def x(point: Point) -> float:
        share = (place(point) - first) / (last - first) if last > first else 0.5
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(rating: float) -> float:
        return round(TOP + (high - rating) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    curves = []
    for kind, line in kinds.items():
        places = [(x(point), y(point.rating)) for point in line]
        curves.append(Drawn(kind, places, places if len(places) <= MOST_DOTS else places[-1:]))
    at = sorted({point.at for point in points}, key=_number)
    marks = [(x(Point(at[0], 0)), "start" if len(at) > 1 else "middle", at[0])]
    if len(at) > 1:
        marks.append((x(Point(at[-1], 0)), "end", at[-1]))
    return Drawing(curves, [(y(r), r) for r in range(low, high + 1, step)], marks)


def place(point: Point) -> int:
    """Where a point stands in time: the number of its day, or of its game."""
    return _number(point.at)


def _number(at: date | int) -> int:
    return at.toordinal() if isinstance(at, date) else at
