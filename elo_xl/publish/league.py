"""What the page of a league is made for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from elo_xl.engine.usual import USUAL_K, USUAL_MODEL, USUAL_START

DATES: Final = ("mdy", "dmy")
KINDS: Final = {"ladder": "ladder", "doubles": "doubles", "tables": "game-night"}
"""The kinds of leagues, with the templates of the books that they could have instead."""


@dataclass(frozen=True)  # its defaults are those of the command's options, too
class League:
    """What a page is made for; the names are those of its settings in an address, too."""

    title: str = ""
    game: str = "ladder"
    k: float = USUAL_K
    start: float = USUAL_START
    model: str = USUAL_MODEL
    sides: str | None = None
    """what stands between the players of a side"""
    margin: str | None = None
    csv: str = ""
    """the address of the answers, from that of the page; empty if the page is told it"""
    dates: str | None = None
    """how dates such as 11/3/2026 are read: mdy or dmy; the page asks where it could be either"""
