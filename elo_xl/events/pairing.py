"""The next round of a Swiss by FIDE's Dutch system, from a report of the rounds before it.

The rules in force since 2026 are those of gacrux, a package that is installed beside this one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from elo_xl.engine.errors import EloError
from elo_xl.events.event import Tournament
from elo_xl.events.scoring import SCORING_RECORDS
from elo_xl.events.trf import ROUNDS

MISSING: Final = (
    "rounds that are not paired yet need the package gacrux: install it where elo_xl is, with "
    'pip install "gacrux<1.12" or pipx inject elo-xl "gacrux<1.12"'
)

NOT_ENDORSED: Final = "By Gacrux, under the rules of February 2026; not endorsed by FIDE."

Pairs = list[tuple[int, int | None]]
"""The pairs of a round by starting numbers, in the order of the boards, White first; None is the
bye."""


class PairingError(EloError, ValueError):
    """A round cannot be paired, or nothing is there that could pair it."""


def check_installed() -> None:
    """Raise PairingError if gacrux is not installed."""
    _engine()


def _engine() -> tuple[Any, Any, Any, Any]:
    try:
        from gacrux.gacruxexeptions import GacruxError, GacruxNoLegalPairing
        from gacrux.pairingdutch import pairing_dutch
        from gacrux.trf2json import trf2json
    except ImportError:
        raise PairingError(MISSING) from None
    return trf2json, pairing_dutch, GacruxNoLegalPairing, GacruxError


def report_of(
    event: Tournament, last: int, rounds: int, away: Collection[int] = (), more: Sequence[str] = ()
) -> tuple[str, list[int]]:
    """A report of the rounds of an event up to the ``last`` one, and the numbers of its players.

    In the report they count from 1 without gaps. ``rounds`` are those of the whole event, ``away``
    are the players who are not paired in the round after the last one, ``more`` other records. The
    first colour is that of the first round, where there is one.
    """
    numbers = sorted(player.number for player in event.players)
    place = {number: n for n, number in enumerate(numbers, start=1)}
    scored = (line for line in event.records if line[:3] in SCORING_RECORDS)
    lines = [f"142 {rounds}", *scored, *more, *_first_colour(event, place)]
    for number in numbers:
        cells = [
            f"{place.get(cell.opponent or 0, 0):04} {cell.colour or '-'} {cell.code or 'Z'}"
            for cell in event.pairings.get(number, ())[:last]
        ]
        if number in away:
            cells += ["0000 - Z"] * (1 + last - len(cells))
        # without points, which are worked out from the results
        lines.append(f"001 {place[number]:>4}".ljust(ROUNDS - 1) + "  ".join(cells))
    return "\n".join((*lines, "")), numbers


def _first_colour(event: Tournament, place: Mapping[int, int]) -> list[str]:
    """The record that tells who has White by the games of the first round: colours alternate."""
    for number in sorted(place):
        colour = "".join(cell.colour for cell in event.pairings.get(number, ())[:1])
        if colour:
            return [f"152 {'W' if (colour == 'w') == (place[number] % 2 == 1) else 'B'}"]
    return []


@dataclass(frozen=True, slots=True)
class Reason:
    """The first of the rules' criteria that two pairings of a round meet differently."""

    points: float
    """of the score group in which that is"""
    criterion: str
    """C6 to C21, as the Dutch system numbers them; blank where only the order of players differs"""
    typed: int
    """how often, or by how much, the round as it was typed fails it"""
    rules: int


def pairs(report: str, number: int) -> Pairs:
    """The pairs of a round, from a tournament report file that tells of all rounds before it.

    >>> players = "".join(f"001 {n:>4}{'0.0':>76}\\n" for n in range(1, 6))
    >>> pairs(f"142 3\\n152 W\\n{players}", 1)
    [(1, 3), (4, 2), (5, None)]

    Starting numbers have no gaps. Byes of that round stand in the report; so do accelerated rounds
    (record 250) and pairs who must not meet (260). Without record 152, the first player has White
    where no round tells otherwise. Raises PairingError where the rules allow no pairing, and where
    the report is not understood.
    """
    brackets, _ = _brackets(report, number)
    made = sorted((pair for b in brackets for pair in b["pairs"]), key=lambda pair: pair["board"])
    return [(pair["w"], pair["b"] or None) for pair in made]


def reason(report: str, number: int) -> Reason | None:
    """Why the rules do not give the pairs of a round that the report tells of, too; None where they
    do, colours aside. Raises as :func:`pairs`."""
    rules, _ = _brackets(report, number, how=["weighted"])  # weighs all, as what is typed is
    typed, levels = _brackets(report, number, typed=True)
    for own, best in zip(typed, rules, strict=False):
        for key, value in own["quality"].items():
            # some criteria have a figure for each distance in points
            figures = [v if isinstance(v, list) else [v] for v in (value, best["quality"].get(key))]
            for first, second in zip(*figures, strict=False):
                if first != second and None not in (first, second):
                    name = key.removeprefix("Q").replace("N", "C")
                    points = float(levels[own["scorelevel"]])
                    return Reason(points, name if name[0] == "C" else "", first, second)
    return None


def _brackets(
    report: str, number: int, typed: bool = False, how: Sequence[str] = ()
) -> tuple[Any, Any]:
    """The score groups of a round as the rules pair them, or as they were typed, and the points of
    the groups by their levels."""
    reader, dutch, impossible, wrong = _engine()
    file = reader()
    try:
        file.parse_file(report, 0)
        if problems := file.chessjson["status"]["error"]:
            raise PairingError("\n".join(problems))
        engine = dutch(
            file.get_tournament(1), number, {"experimental": how, "verbose": 0, "top_color": "w"}
        )
        return engine.compute_pairing(typed), engine.crosstable.levels()
    except impossible:
        raise PairingError("there is no pairing left that the rules allow") from None
    except wrong as error:
        raise PairingError(str(error)) from None
