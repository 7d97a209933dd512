"""The kind of an event by its time control: standard, rapid or blitz.

FIDE counts the time of a player for 60 moves: standard from 60 minutes on, rapid above 10, blitz up
to 10.
"""

from __future__ import annotations

import re
from typing import Final, Literal

Kind = Literal["standard", "rapid", "blitz"]

_MINUTES: Final = r"(?:min(?:ut[a-z]*)?|мин\w*|m|['′’])"
_SECONDS: Final = r"(?:sec(?:ond[a-z]*)?|seg\w*|сек\w*|s|[\"″”]|'')"
_IN_WORDS: Final = re.compile(rf"([0-9]+)\s*{_MINUTES}(?![\w'])")
_SECONDS_IN_WORDS: Final = re.compile(rf"([0-9]+)\s*{_SECONDS}(?!\w)")
_IN_NUMBERS: Final = re.compile(r"(?:[0-9]+/)?([0-9]+)(?:\s*\+\s*([0-9]+))?")
_MOST_MINUTES: Final = 180
"""A bare number up to this one counts minutes, a larger one seconds."""


def kind_of(text: str, *, in_seconds: bool = False) -> Kind | None:
    """The kind of an event with this time control; None where it is not understood.

    >>> kind_of("90 min/40 moves + 30 min, 30 sec a move"), kind_of("15+10"), kind_of("3'+2''")
    ('standard', 'rapid', 'blitz')
    >>> kind_of("30+30"), kind_of("5+5"), kind_of("6+5")
    ('standard', 'blitz', 'rapid')
    >>> kind_of("5400+30"), kind_of("180+2", in_seconds=True), kind_of("club evening")
    ('standard', 'blitz', None)

    ``in_seconds``: bare numbers are seconds, as in record 222 of TRF26. Several periods are parted
    by colons, and each may begin with a number of moves: ``40/5400+30:1800+30``.
    """
    text = text.strip().casefold()
    minutes = [int(number) for number in _IN_WORDS.findall(text)]
    seconds = [int(number) for number in _SECONDS_IN_WORDS.findall(text)]
    if minutes:
        return _kind(60 * sum(minutes), max(seconds, default=0))
    periods = [_IN_NUMBERS.fullmatch(period.strip()) for period in text.split(":")]
    if not all(periods):
        return None
    found = [(int(p.group(1)), int(p.group(2) or 0)) for p in periods if p]
    unit = 1 if in_seconds or any(base > _MOST_MINUTES for base, _ in found) else 60
    return _kind(unit * sum(base for base, _ in found), max(more for _, more in found))


def _kind(base: int, per_move: int) -> Kind | None:
    total = base + 60 * per_move
    if not total:
        return None
    return "standard" if total >= 3600 else "rapid" if total > 600 else "blitz"
