"""The classes of ratings in the appendix of Benítez and Roca.

These are not the titles that FIDE awards (001, appendix I).
"""

from __future__ import annotations

from typing import Final

from elo_xl.languages import Words

FROM: Final = (1400, 1600, 1800, 2000, 2300, 2400, 2500)
"""Ratings at which the second and the following classes begin. The lowest class, from 1000 in the
appendix, holds every lower rating too."""

CLASS_NAMES: Final = (
    Words("Beginner"),
    Words("Amateur"),
    Words("Average club player"),
    Words("Strong club player"),
    Words("Candidate master"),
    Words("National master"),
    Words("International master"),
    Words("Grandmaster"),
)
