"""The rounds of a tournament report file: what the lines of its players say together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from elo_xl.engine.results import ROUND_CODES
from elo_xl.events.event import PENALTIES, Game, Pairing, Player, played
from elo_xl.events.text import whole
from elo_xl.events.trf_columns import ROUNDS

Report = Callable[[str, int, int], None]
"""Takes what is wrong, the line and the column."""

_AS_BYE: Final = {"1": "F", "=": "H", "0": "Z", "W": "F", "D": "H", "L": "Z"}
_PLAYED: Final = frozenset("1=0WDL")
_TOGETHER: Final = frozenset(
    [
        *(("1", "0"), ("0", "1"), ("=", "=")),
        *PENALTIES,
        *(("W", "L"), ("L", "W"), ("D", "D")),
        *(("+", "-"), ("-", "+"), ("-", "-"), ("", "")),
    ]
)
"""the pairs of codes that the two players of a game may have"""


@dataclass(slots=True)
class Cell:
    """One round of one player as written in the file."""

    opponent: int | None
    colour: str
    code: str
    line: int
    column: int
    readable: bool = True


@dataclass(slots=True)
class Rounds:
    """The cells of all players. Only together do they show which games there were."""

    players: Mapping[int, Player]
    problem: Report
    warn: Report
    places: dict[int, int] = field(default_factory=dict)
    """the line of each player"""
    cells: dict[int, list[Cell]] = field(default_factory=dict)
    broken: set[int] = field(default_factory=set)
    """players whose cells are not to be trusted"""

    def at(self, player: int, round: int) -> Cell:
        """What a player has in a round, even behind the end of their line."""
        cells = self.cells[player]
        if round <= len(cells):
            return cells[round - 1]
        return Cell(None, "", "", self.places[player], ROUNDS + 10 * (round - 1))

    @property
    def number(self) -> int:
        """The last round in which a player has anything."""
        return max(
            (
                round
                for cells in self.cells.values()
                for round, cell in enumerate(cells, start=1)
                if cell.opponent or cell.code or cell.colour
            ),
            default=0,
        )

    def games(self) -> Iterator[Game]:
        """The games; reports what the lines of two players do not agree in."""
        for round in range(1, self.number + 1):
            for player in self.players:
                cell = self.at(player, round)
                if not cell.readable:
                    continue
                if cell.opponent is None:
                    self._alone(player, cell, round)
                elif (game := self._pair(player, cell.opponent, cell, round)) is not None:
                    yield game

    def _alone(self, player: int, cell: Cell, round: int) -> None:
        bye = _AS_BYE.get(cell.code)
        if bye is not None:
            self.warn(
                f"a result without an opponent is not rated: player {player} has {cell.code!r} "
                f"in round {round}",
                cell.line,
                cell.column + 7,
            )

    def _pair(self, player: int, opponent: int, cell: Cell, round: int) -> Game | None:
        """The game of two players, from the side of the one whose line comes first; or None."""
        if opponent == player:
            what = f"player {player} is paired with themselves in round {round}"
            self.problem(what, cell.line, cell.column)
            return None
        if opponent not in self.players:
            self.problem(
                f"opponent {opponent} of player {player} in round {round} does not exist",
                cell.line,
                cell.column,
            )
            return None
        other = self.at(opponent, round)
        if not other.readable or opponent in self.broken or player in self.broken:
            return None
        if other.opponent != player:
            self._one_sided(player, opponent, cell, other, round)
            return None
        # only the player whose line comes first reports, so that a pair is reported once
        if self.places[opponent] < self.places[player]:
            return None
        return self._together(player, opponent, cell, other, round)

    def _one_sided(self, player: int, opponent: int, cell: Cell, other: Cell, round: int) -> None:
        has = f"opponent {other.opponent}" if other.opponent else "none"
        what = (
            f"player {player} has opponent {opponent} in round {round}, "
            f"but player {opponent} has {has}"
        )
        rated = cell.code in _PLAYED or other.code in _PLAYED
        # a forfeit is not rated, whoever the opponent should have been
        report = self.problem if rated or other.opponent else self.warn
        report(what, cell.line, cell.column)

    def _together(
        self, player: int, opponent: int, cell: Cell, other: Cell, round: int
    ) -> Game | None:
        a, b = cell.code, other.code
        column = cell.column + 7
        if (a, b) not in _TOGETHER:
            if a in _PLAYED or b in _PLAYED or a == b == "+":
                self.problem(
                    f"results contradict each other in round {round}: player {player} has "
                    f"{_shown(a)}, player {opponent} has {_shown(b)}",
                    cell.line,
                    column,
                )
            else:
                self.warn(
                    f"a bye or a missing result against an opponent in round {round}: player "
                    f"{player} has {_shown(a)}, player {opponent} has {_shown(b)}",
                    cell.line,
                    column,
                )
            return None
        if not a:
            self.warn(
                f"players {player} and {opponent} have no result in round {round}",
                cell.line,
                column,
            )
        if cell.colour and cell.colour == other.colour:
            colour = {"w": "white", "b": "black"}[cell.colour]
            self.warn(
                f"players {player} and {opponent} both have {colour} in round {round}",
                cell.line,
                cell.column + 5,
            )
        if not ROUND_CODES[a].rated:
            return None
        black = cell.colour == "b" or (not cell.colour and other.colour == "w")
        if black and cell.colour != other.colour:
            player, opponent, a, b = opponent, player, b, a
        return played(round, player, opponent, a, b, cell.colour != other.colour)

    def pairings(self) -> dict[int, tuple[Pairing, ...]]:
        """The rounds of each player."""
        rounds = range(1, self.number + 1)
        return {
            player: tuple(_pairing(self.at(player, round), round) for round in rounds)
            for player in self.players
        }

    def grant(self, player: int, round: int, bye: str) -> None:
        """Give a player a bye in a round for which their line says nothing."""
        cells = self.cells[player]
        while len(cells) < round:
            cells.append(Cell(None, "", "", self.places[player], ROUNDS + 10 * len(cells)))
        cell = cells[round - 1]
        if cell.opponent is None and not cell.code:
            cell.code = bye


class Byes(NamedTuple):
    """What a record 240 says."""

    kind: str
    round: int
    players: tuple[int, ...]


def read_byes(line: str) -> Byes | None:
    """Read a record 240; None if it is not understood.

    >>> read_byes("240 H 002 0001   3")
    Byes(kind='H', round=2, players=(1, 3))
    """
    kind, round = line[4:5].upper(), whole(line[6:9].strip())
    who = [whole(part) for part in line[10:].split()]
    players = tuple(number for number in who if number is not None)
    if kind not in ("F", "H", "Z") or not round or round > 999 or len(players) < len(who):
        return None
    return Byes(kind, round, players)


def is_of_team(line: str) -> bool:
    """Whether a line makes the event one of teams, whose numbers other records then mean."""
    return line[:3] in ("013", "310")


def _pairing(cell: Cell, round: int) -> Pairing:
    code = cell.code if cell.opponent else _AS_BYE.get(cell.code, cell.code)
    return Pairing(round, cell.opponent, cell.colour, code)


def _shown(code: str) -> str:
    return repr(code) if code else "none"
