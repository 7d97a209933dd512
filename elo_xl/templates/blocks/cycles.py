"""The headings of a crosstable in which everybody meets everybody several times."""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile
from typing import Final

LETTERS: Final = "abcd"
"""What tells the games of two players apart in the headings of *Results*, by cycle."""


def cycles_in(shown: Collection[object]) -> int:
    """How many cycles a book has whose cells show these values: the headings of *Results* tell.

    >>> cycles_in({"1", "2"}), cycles_in({"1a", "1b", "2a", "2b"})
    (1, 2)
    """
    return 1 + len(list(takewhile(lambda letter: f"1{letter}" in shown, LETTERS[1:])))
