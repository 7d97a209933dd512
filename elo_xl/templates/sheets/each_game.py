"""Games as places in lists, as the sheets of typed games find them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SIDES: Final = ("a", "b")


@dataclass(frozen=True, slots=True)
class Found:
    """A game as two places in the list of players and the place of a sign, 0 for none; each with
    the formula text (without =) that finds it."""

    first: tuple[str, int]
    second: tuple[str, int]
    sign: tuple[str, int]
    label: str | int | None = None
    """how the line is called; its number if left out"""


__all__ = ["SIDES", "Found"]
