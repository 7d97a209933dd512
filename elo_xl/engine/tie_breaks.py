"""The editions of FIDE's Tie-Break Regulations (Handbook C.07): how unplayed rounds count.

An edition holds for events that begin while it is in force. What it says of a player's own unplayed
round, and of the unplayed rounds of an opponent, is one of three ways:

- ``"virtual"``: as against somebody who had the player's points before the round, scores in it
  what the player does not, and draws all later rounds. An opponent's unplayed rounds are draws.
- ``"dummy"``: as against somebody with the player's points at the end. Of an opponent's unplayed
  rounds only requested byes to the end are draws. What is cut first are voluntary unplayed rounds.
- ``"capped"``: as ``"dummy"``, but with no more than the adjusted points of the opponent who was
  scheduled, or half of the rounds without one.

The minutes of the Swiss Pairings Programs Committee of 2009 (80th FIDE Congress, which ended on 18
October) have the first way, which stayed until 2023. From September 2023 to March 2024 the next
edition was for FIDE's own events only. What the rules said before 2009 is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

Unplayed = Literal["virtual", "dummy", "capped"]


@dataclass(frozen=True, slots=True)
class Edition:
    """An edition: the day from which it is in force, and how it counts unplayed rounds."""

    since: date
    unplayed: Unplayed


EDITIONS: Final = {
    "2009-10": Edition(date(2009, 10, 18), "virtual"),
    "2024-04": Edition(date(2024, 4, 1), "dummy"),
    "2024-08": Edition(date(2024, 8, 1), "dummy"),
    "2026-03": Edition(date(2026, 3, 1), "capped"),
}
"""by the month from which they are in force, the oldest first"""
NEWEST: Final = max(EDITIONS)

EDITION_SAID: Final = "### tie-breaks: FIDE C.07 "
"""how a report names the edition, in a comment"""


def edition_of(day: date | None) -> str:
    """The edition in force on the first day of an event; the newest one for no day, and "" for a
    day before the oldest that is known.

    >>> edition_of(date(2025, 6, 10)), edition_of(date(2026, 3, 1)), edition_of(None)
    ('2024-08', '2026-03', '2026-03')
    >>> edition_of(date(2023, 12, 1)), edition_of(date(2008, 1, 1))
    ('2009-10', '')
    """
    if day is None:
        return NEWEST
    return max((name for name, edition in EDITIONS.items() if edition.since <= day), default="")
