"""An invented Swiss, paired as an arbiter would: in score groups, upper half against lower half.

It is no full pairing program of FIDE's Dutch system (C.04.3), but keeps what everybody sees of it:
in the first round, players by rating, 1 meets n/2 + 1 and colours alternate down the boards; later
the upper half of a score group meets its lower half, in order; who is left over meets the best of
the next group. Nobody meets anybody twice, nobody has a colour three times running or three times
more than the other, nobody has two byes, and hardly anybody is left over in two rounds running.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from elo_xl.templates.samples import outcome

ABSOLUTE: Final = 3
"""The strength of a wish for a colour that must be met."""


@dataclass(slots=True)
class Entrant:
    """A player, with their place in the list of ratings."""

    number: int
    rating: float | None
    points: float = 0.0
    colours: str = ""
    """of the games played, such as ``wbw``"""
    met: set[int] = field(default_factory=set)
    had_bye: bool = False
    floated: bool = False
    """whether the opponent in the last round had fewer points"""

    @property
    def wish(self) -> int:
        """The colour that is due: White if positive, Black if negative, and how urgently."""
        ahead = self.colours.count("b") - self.colours.count("w")
        if abs(ahead) > 1 or self.colours[-2:] in ("ww", "bb"):
            return ABSOLUTE if self.colours[-1] == "b" else -ABSOLUTE
        return 2 * ahead or {"b": 1, "w": -1, "": 0}[self.colours[-1:]]


class Pairing(NamedTuple):
    """A line of a round: White, the score, and Black, or None for a bye."""

    white: Entrant
    score: float
    black: Entrant | None
    played: bool = True


def rounds_of(
    entrants: Sequence[Entrant],
    rounds: int,
    chance: random.Random,
    *,
    half_byes: dict[int, int],
    leaving: dict[int, int],
    forfeit: tuple[int, int],
) -> Iterator[list[Pairing]]:
    """The lines of each round, played as the ratings make it likely.

    By numbers, ``half_byes`` are the rounds in which players ask for half a point, ``leaving``
    those after which they are gone. ``forfeit`` are round and board of a game that Black does not
    come to. There are no more rounds than half of the players, so that everybody can find an
    opponent.
    """
    for number in range(1, min(rounds, len(entrants) // 2) + 1):
        here = [e for e in entrants if number <= leaving.get(e.number, number)]
        away = [e for e in here if half_byes.get(e.number) == number]
        here = sorted((e for e in here if e not in away), key=lambda e: (-e.points, e.number))
        left = []
        if len(here) % 2:
            left.append(next(e for e in reversed(here) if not e.had_bye))
            here.remove(left[0])
        lines = []
        for board, (one, two) in enumerate(_paired(here), start=1):
            white, black = _coloured(one, two, board)
            came = (number, board) != forfeit
            score = outcome(chance, white.rating, black.rating) if came else 1.0
            lines.append(Pairing(white, score, black, came))
        lines += [Pairing(e, 1.0, None) for e in left] + [Pairing(e, 0.5, None) for e in away]
        for line in lines:
            _enter(line)
        yield lines


def _enter(line: Pairing) -> None:
    """What a line means for its players."""
    white, score, black, played = line
    white.floated = black is None or white.points > black.points
    if black is not None:
        black.floated = black.points > white.points
    white.points += score
    if black is None:
        white.had_bye = white.had_bye or score == 1
        return
    black.points += 1 - score
    white.met.add(black.number)
    black.met.add(white.number)
    if played:
        white.colours += "w"
        black.colours += "b"


def _paired(players: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    """Pairs of players who stand in order; colours must be met if that is possible."""
    found = _search(players, strict=True)
    if found is None:
        found = _search(players, strict=False)
    assert found is not None
    return found


def _search(players: Sequence[Entrant], *, strict: bool) -> list[tuple[Entrant, Entrant]] | None:
    """Pair the first player with the best opponent that leaves the others an opponent, too."""
    if not players:
        return []
    first, group = players[0], sum(p.points == players[0].points for p in players)
    lower_half = max(group // 2, 1)
    over = -1
    if group % 2:  # somebody is left over: the last one who was not in the round before
        rested = (at for at in range(group - 1, 0, -1) if not players[at].floated)
        over = next(rested, group - 1)

    def worse(at: int) -> tuple[float, bool, bool, int, int]:
        other = players[at]
        both = first.wish * other.wish > 0
        clash = min(abs(first.wish), abs(other.wish)) if both else 0
        apart = first.points - other.points
        return apart, at == over, at < lower_half, clash, abs(at - lower_half)

    for at in sorted(range(1, len(players)), key=worse):
        other = players[at]
        if other.number in first.met:
            continue
        if strict and first.wish * other.wish == ABSOLUTE**2:
            continue
        rest = _search([*players[1:at], *players[at + 1 :]], strict=strict)
        if rest is not None:
            return [(first, other), *rest]
    return None


def _coloured(one: Entrant, two: Entrant, board: int) -> tuple[Entrant, Entrant]:
    """White and Black; ``one`` stands higher."""
    if one.wish != two.wish:
        return (one, two) if one.wish > two.wish else (two, one)
    for a, b in zip(reversed(one.colours), reversed(two.colours), strict=False):
        if a != b:  # the colours of the last round in which they differed are exchanged
            return (two, one) if a == "w" else (one, two)
    return (one, two) if one.wish > 0 or (one.wish == 0 and board % 2) else (two, one)
