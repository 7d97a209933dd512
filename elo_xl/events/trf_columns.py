"""The columns of a tournament report file, which its reader and its writer share."""

from __future__ import annotations

from typing import Final

NUMBER: Final = (5, 8)
SEX: Final = (10, 10)
TITLE: Final = (11, 13)
NAME: Final = (15, 47)
RATING: Final = (49, 52)
FEDERATION: Final = (54, 56)
ID: Final = (58, 68)
BIRTH: Final = (70, 79)
POINTS: Final = (81, 84)
RANK: Final = (86, 89)
ROUNDS: Final = 92
"""The first column of the first round; each round has ten."""
_GAPS: Final = (4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91)
"""columns between the fields: text there means that a field is shifted and would be misread"""
_ROUND_GAPS: Final = (4, 6, 8, 9)


def width(columns: tuple[int, int]) -> int:
    """How many letters a field holds.

    >>> width(NAME)
    33
    """
    return columns[1] - columns[0] + 1


def cut(line: str, columns: tuple[int, int]) -> str:
    """The text of a field."""
    return line[columns[0] - 1 : columns[1]].strip()


def misplaced(line: str) -> int | None:
    """The first column that has text but must be blank."""
    gaps = list(_GAPS)
    gaps += [start + gap for start in range(ROUNDS, len(line) + 1, 10) for gap in _ROUND_GAPS]
    return next((gap for gap in gaps if line[gap - 1 : gap].strip()), None)
