"""The next round of a Swiss by FIDE's Dutch system, from a report of the rounds before it.

The rules in force since 2026 are those of gacrux, a package that is installed beside this one.
"""

from __future__ import annotations

from typing import Any, Final

from elo_xl.engine.errors import EloError
from elo_xl.languages.messages import phrase

MISSING: Final = (
    "rounds that are not paired yet need the package gacrux: install it with pip install "
    '"elo-xl[pairings]"'
)

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
        raise PairingError(phrase(MISSING)) from None
    return trf2json, pairing_dutch, GacruxNoLegalPairing, GacruxError


def pairs(report: str, number: int) -> Pairs:
    """The pairs of a round, from a tournament report file that tells of all rounds before it.

    >>> players = "".join(f"001 {n:>4}      {'Player':33} {2000 - n}{'0.0':>32}\\n" for n in range(1, 6))
    >>> pairs(f"142 3\\n152 W\\n{players}", 1)
    [(1, 3), (4, 2), (5, None)]

    Byes of that round stand in the report; so do accelerated rounds (record 250) and pairs who must
    not meet (260). Without record 152, the first player has White where no round tells otherwise.
    Raises PairingError where the rules allow no pairing, and where the report is not understood.
    """  # noqa: E501
    reader, dutch, impossible, wrong = _engine()
    file = reader()
    try:
        file.parse_file(report, 0)
        if problems := file.chessjson["status"]["error"]:
            raise PairingError("\n".join(problems))
        engine = dutch(
            file.get_tournament(1), number, {"experimental": [], "verbose": 0, "top_color": "w"}
        )
        brackets = engine.compute_pairing(False)
    except impossible:
        raise PairingError(phrase("there is no pairing left that the rules allow")) from None
    except wrong as error:
        raise PairingError(str(error)) from None
    made = sorted((pair for b in brackets for pair in b["pairs"]), key=lambda pair: pair["board"])
    return [(pair["w"], pair["b"] or None) for pair in made]
