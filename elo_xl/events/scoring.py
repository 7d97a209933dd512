"""The points that results are worth according to the records of a tournament report file.

Points do not affect ratings; they are compared with the results because a slip of the pen shows
there first. So a scoring that is not understood ends the comparison, never the reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from elo_xl.engine.results import ROUND_CODES
from elo_xl.events.fields import number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from elo_xl.events.event import Tournament

SCORING_RECORDS: Final = frozenset(["162", "XXS", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"])

_WIN: Final = (("", "1"), ("", "W"), ("", "+"), ("", "F"))
_DRAW: Final = (("", "="), ("", "D"), ("", "H"))
_LOSS: Final = (("", "0"), ("", "L"))
_ABSENT: Final = (("", "Z"), ("", ""))
_WORTH: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    # TRF26, record 162
    "W": _WIN,
    "D": _DRAW,
    "L": _LOSS,
    "A": (*_ABSENT, ("", "-")),
    "P": (("", "U"),),
    "X": (),
    "Z": _ABSENT,  # older programs, for which a forfeit is no absence
    # JaVaFo, XXS
    "WW": (("w", "1"), ("w", "W")),
    "BW": (("b", "1"), ("b", "W")),
    "WD": (("w", "="), ("w", "D")),
    "BD": (("b", "="), ("b", "D")),
    "WL": (("w", "0"), ("w", "L")),
    "BL": (("b", "0"), ("b", "L")),
    "FW": (("", "+"),),
    "FL": (("", "-"),),
    "FPB": (("", "F"),),
    "HPB": (("", "H"),),
    "ZPB": _ABSENT,
    "PAB": (("", "U"),),
    # bbpPairings
    "BBW": _WIN,
    "BBD": _DRAW,
    "BBL": _LOSS,
    "BBZ": _ABSENT,
    "BBF": (("", "-"),),
    "BBU": (("", "U"),),
}
"""the results that each symbol means, by colour (empty: either) and round code"""

_ENTRY: Final = re.compile(
    r"(?:(?<!\s)\s+|(?<![A-Z\s]))([A-Z]+)\s*=?\s*([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)"
)
_SIGNED: Final = re.compile(r"\s*+(-?)\s*([0-9.,]+)\s*")
_KIND: Final = {"1": "W", "=": "D", "0": "L", "U": "", "": "Z"}
"""the type in a record 299 for each round code, if it is not the code itself"""


@dataclass(frozen=True, slots=True)
class _Abnormal:
    """Points for a kind of result; without a kind, a bonus or penalty."""

    kind: str
    points: float
    round: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scoring:
    """The points that an event's results are worth."""

    worth: dict[tuple[str, str], float]
    abnormal: tuple[_Abnormal, ...]

    def points(self, player: int, results: Iterable[tuple[str, str]]) -> float:
        """A player's points, given the colour and code of every round."""
        mine = [a for a in self.abnormal if player in a.players or not a.players]
        total = sum(a.points for a in mine if not a.kind)
        for round, (colour, code) in enumerate(results, start=1):
            points = self.worth.get((colour, code), self.worth["", code])
            for a in mine:
                if a.kind and a.round in (0, round) and a.kind == _KIND.get(code, code):
                    points = a.points
            total += points
        return total


def read_scoring(
    records: Iterable[tuple[int, str]], warn: Callable[[str, int], None]
) -> Scoring | None:
    """Read an event's scoring from records 162, 299, ``XXS``, ``BB?``; None if not understood.

    ``records`` are pairs of line number and line; ``warn`` is called with a message and the number
    of the line.
    """
    worth = {("", code): known.points for code, known in ROUND_CODES.items()}
    abnormal: list[_Abnormal] = []
    allocated = False
    for place, line in records:
        if line[:3] == "299":
            special = _read_abnormal(line)
            if special is None:
                warn(f"record 299 is not understood, no points are checked: {line!r}", place)
                return None
            abnormal.append(special)
            continue
        text = line if line.startswith("BB") else line[3:]
        entries: list[tuple[str, str]] = _ENTRY.findall(text)
        known = all(symbol in _WORTH for symbol, _ in entries)
        if not entries or not known or _ENTRY.sub("", text).strip():
            warn(f"the scoring is not understood, no points are checked: {line!r}", place)
            return None
        for symbol, points in entries:
            allocated = allocated or symbol in ("P", "PAB", "BBU")
            worth.update(dict.fromkeys(_WORTH[symbol], number(points) or 0.0))
    # a bye of the pairings is worth a win where nothing else is written
    if not allocated:
        worth["", "U"] = worth["", "1"]
    return Scoring(worth, tuple(abnormal))


def own_scoring(event: Tournament) -> Scoring | None:
    """What the results of an event count by its records; None if those are not understood."""
    records = [(0, r) for r in event.records if r[:3] in SCORING_RECORDS or r[:3] == "299"]
    return read_scoring(records, lambda *_: None)


def scoring_of(event: Tournament) -> Scoring:
    """What the results of an event count by its records; the usual points, if those say nothing
    that is understood."""
    scoring = own_scoring(event) or read_scoring([], lambda *_: None)
    assert scoring is not None
    return scoring


def _read_abnormal(line: str) -> _Abnormal | None:
    kind = line[4:5].strip().upper()
    signed = _SIGNED.fullmatch(line[13:17])
    points = number(signed.group(2)) if signed else None
    round, players = line[19:22].strip() or "0", line[23:].split()
    whole = all(part.isascii() and part.isdigit() for part in (round, *players))
    if signed is None or points is None or not whole or kind not in {*"WDLFHZ+-", ""}:
        return None
    return _Abnormal(
        kind, -points if signed.group(1) else points, int(round), tuple(map(int, players))
    )
