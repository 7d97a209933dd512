"""Pairings of the next round of a Swiss by FIDE's Dutch system: those of py4swiss.

py4swiss (MIT) is an extra, because nothing else needs it: ``pip install "elo-xl[pairings]"``. Its
rules are those of before February 2026; ``docs/odds.md`` says how often it agrees with bbpPairings,
which FIDE has endorsed, under those and the present ones.
"""

from __future__ import annotations

from typing import Any, Final

from elo_xl.engine.errors import EloError
from elo_xl.questions.odds.tie_breaks import (
    BYE,
    FORFEIT_LOST,
    FORFEIT_WON,
    PLAYED,
    REQUESTED,
    Rounds,
)

MISSING: Final = (
    "rounds that are not paired yet need the package py4swiss: install it with pip install "
    '"elo-xl[pairings]"'
)

_CODES: Final = {
    (PLAYED, 1.0): "1",
    (PLAYED, 0.5): "=",
    (PLAYED, 0.0): "0",
    (FORFEIT_WON, 1.0): "+",
    (FORFEIT_LOST, 0.0): "-",
    # after any full point without a game there is no bye by the pairing any more
    (BYE, 1.0): "U",
    (REQUESTED, 0.5): "H",
    (REQUESTED, 0.0): "Z",
}
"""codes of a report file"""
_COLOURS: Final = {1: "w", -1: "b", 0: "-"}


class PairingError(EloError, ValueError):
    """A round cannot be paired, or nothing is there that could pair it."""


class Pairer:
    """Pairs round after round of an event; players are numbers from 0, in the order of ranking.

    ``rounds`` are those of the whole event, ``white`` tells whether the first player was to begin
    with White. Raises PairingError if py4swiss is not installed.
    """

    def __init__(self, players: int, rounds: int, white: bool = True) -> None:
        try:
            from py4swiss.engines import DutchEngine
            from py4swiss.engines.common import PairingError as Impossible
            from py4swiss.trf import ParsedTrf
            from py4swiss.trf.codes import PlayerCode
            from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
            from py4swiss.trf.sections import PlayerSection, XSection
        except ImportError:
            raise PairingError(MISSING) from None
        self._engine, self._impossible = DutchEngine, Impossible
        self._tokens = RoundResult, ColorToken, ResultToken
        self._players: list[Any] = [
            PlayerSection(code=PlayerCode.PLAYER, starting_number=n, points_times_ten=0, rank=n)
            for n in range(1, players + 1)
        ]
        event = XSection(number_of_rounds=rounds)
        event.configuration.first_round_color = white
        self._event = ParsedTrf(player_sections=self._players, x_section=event)

    def tell(self, rounds: Rounds, number: int) -> None:
        """Tell what a round was, or is to be: byes of the next round are told before it is paired.

        ``rounds`` are those of a single run; the round is counted from 0.
        """
        made, colour, code = self._tokens
        arrays = (rounds.kinds, rounds.scores, rounds.white, rounds.opponents)
        lines = zip(*(array[0, :, number].tolist() for array in arrays), strict=True)
        for player, (kind, score, side, opponent) in zip(self._players, lines, strict=True):
            if not kind or len(player.results) > number:
                continue
            player.results.append(
                made.model_construct(
                    id=0 if opponent == len(self._players) else opponent + 1,
                    color=colour(_COLOURS[side]),
                    result=code(_CODES[kind, score]),
                )
            )
            player.points_times_ten += round(10 * score)

    def pair(self) -> list[tuple[int, int | None]]:
        """The next round, White first; None is the bye. Raises PairingError if there is none."""
        try:
            pairs = self._engine.generate_pairings(self._event)
        except self._impossible:
            raise PairingError("there is no pairing left that the rules allow") from None
        return [(pair.white - 1, pair.black - 1 if pair.black else None) for pair in pairs]
