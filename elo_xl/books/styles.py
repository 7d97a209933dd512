"""How cells look: number formats, colours, widths, and named styles by what a cell is for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

WHOLE: Final = "0"
SIGNED_WHOLE: Final = "+0;-0;0"

NONE: Final = "–"
"""Shown where there is no value to report: no performance without a game, no rating yet."""

INK: Final = "1F2A33"
QUIET: Final = "5F6B75"
LINE: Final = "CBD3D9"
HEADER: Final = "DDE5EB"
INPUT: Final = "FFF3C4"
BLOCKED: Final = "8C98A1"
ATTENTION: Final = "9C2F0B"
MARK: Final = "F7C9A8"
GAIN: Final = "2F6F8F"
LOSS: Final = "E3A857"
PALE: Final = "FFFFFF"
BAND: Final = "F3F6F8"
"""of every second row"""
LEADER: Final = "DCEAF2"
MEDALS: Final = {"gold": "F2CF63", "silver": "CDD3D8", "bronze": "E0AE86"}
"""Behind the places of the first three on sheets to pin up, from the first on; grey paper tells
them apart, too."""
HEAT: Final = "6FA8C4"
"""The ends of a scale of colours, on which ink can be read all along."""

TABS: Final = {"typed": "E8B923", "result": GAIN, "help": "7FA37C", "helper": "B4BDC4"}
"""Colours of tabs by what a sheet is for: to type into, to read and print, to explain; helper
sheets are hidden."""

FONT: Final = "Calibri"
BASE_SIZE: Final = 11
LINE_HEIGHT: Final = 15.0
"""in points, of the base size"""

WALL_SIZE, MANY_SIZE, MOST_LARGE = 14, 12, 25
"""The letters of a table to pin up, in points, and those of one with more than so many rows."""
LARGE_SIZES: Final = (20, 18, 16)
"""The letters of a list to pin up that fits one page with them, the largest first."""
LINE_ROLES: Final = frozenset({"title", "subtitle", "note"})
"""The lines above tables."""

NARROWEST, WIDEST, PADDING = 5.0, 48.0, 1.8
"""of columns, in digits"""

IDLE: Final = 3.5
"""The width of a column to pin up that is not in use."""

ROOM: Final = {
    **dict.fromkeys(("name", "name_a", "name_b", "player"), 18.0),
    **dict.fromkeys(("change", "gain", "loss"), 8.0),
    **dict.fromkeys(("new_a", "new_b"), 6.5),
    "club": 12.0,
    "why": 25.0,
    "key": 13.0,
    "status": 10.0,
}
"""Least widths by the keys of columns, for what will stand in those that are still empty."""

BOLD: Final = 1.08
"""Width of bold text against the same text in the ordinary weight."""
LINE_SHARE: Final = 0.95
"""Width of running text against the sum of its letters' widths."""

INDENT, APART = 1.2, 0.4
"""How wide the indent of a text is, and the room beside a heading of numbers."""

BorderLine = tuple[Literal["thin", "medium"], str]


@dataclass(frozen=True, slots=True)
class Role:
    """How a cell looks by what it is for; lines are a style and a colour."""

    size: float = BASE_SIZE
    bold: bool = False
    italic: bool = False
    underline: bool = False
    colour: str = INK
    fill: str | None = None
    above: BorderLine | None = None
    below: BorderLine | None = ("thin", LINE)
    wrap: bool = False
    shrink: bool = False
    """smaller letters where a text is too long"""
    vertical: Literal["top", "center"] = "center"
    locked: bool = True
    """on a protected sheet"""
    box: BorderLine | None = None
    """lines at the sides"""


ROLES: Final = {
    "blank": Role(below=None),
    "title": Role(size=18, bold=True, below=None),
    "subtitle": Role(below=None),
    "note": Role(size=10, italic=True, colour=QUIET, below=None, vertical="top"),
    "link": Role(bold=True, underline=True, colour=GAIN),
    "status": Role(bold=True, colour=ATTENTION, below=None),
    "section": Role(size=12, bold=True, below=("medium", INK)),
    "heading": Role(bold=True, fill=HEADER, above=("thin", INK), below=("medium", INK), wrap=True),
    # above headings: over the columns of a group, and over all others
    "group": Role(bold=True, fill=HEADER, above=("thin", INK), box=("thin", QUIET), wrap=True),
    "band": Role(fill=HEADER, above=("thin", INK), below=None),
    "computed": Role(),
    "quiet": Role(italic=True, colour=QUIET),
    "strong": Role(bold=True),
    "pale": Role(colour="9AA5AD"),
    "input": Role(fill=INPUT, locked=False, box=("thin", LINE), above=("thin", LINE)),
    "cell": Role(box=("thin", LINE), above=("thin", LINE)),
    "box": Role(bold=True, box=("thin", INK), above=("thin", INK), below=("thin", INK)),
    "blocked": Role(fill=BLOCKED, box=("thin", LINE), above=("thin", LINE)),
    "attention": Role(bold=True, colour=ATTENTION),
    "attention_shrunk": Role(bold=True, colour=ATTENTION, shrink=True),
    "total": Role(bold=True, above=("thin", INK), below=None),
    "label": Role(bold=True),
    "wrapped": Role(bold=True, wrap=True),
    "paragraph": Role(wrap=True),
    "aside": Role(italic=True, colour=QUIET, wrap=True),
    "prose": Role(size=12, wrap=True, below=None),
    "answer": Role(size=28, bold=True, colour=GAIN, below=None),
    "shrunk": Role(shrink=True),
    "figure": Role(size=14, below=None, shrink=True),
}
"""Named styles by what a cell is for; the file names them ``Elo …`` in the styles' gallery.
``blank`` is for the cells beside and below everything."""


def number_format(numbers: Iterable[float | None], other: str) -> str:
    """The number format of a column: ``other`` unless all its numbers are whole."""
    return "0" if all(n is None or float(n).is_integer() for n in numbers) else other
