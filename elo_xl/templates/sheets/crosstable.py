"""The sheet *Crosstable*: every round of every player, in the order of the final standing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from elo_xl.engine.results import ROUND_CODES
from elo_xl.templates.parts import NONE, TENTHS, WHOLE, Column, Formula, Sheet, Table, Value
from elo_xl.templates.sheets.ratings import rating_format

if TYPE_CHECKING:
    from elo_xl.tournament.event import Pairing, Player, Tournament
    from elo_xl.tournament.rate import RatedEvent

LEGEND: Final = (
    "12w1: won with White against number 12. b: Black; ½: draw; 0: loss; + and -: forfeit.",
    "Italics: does not count for the player's rating.",
)

_BYES: Final = {"H": "bye ½", "F": "bye 1", "U": "bye 1", "Z": NONE, "": None}
_SIGNS: Final = {1.0: "1", 0.5: "½", 0.0: "0"}

Key = tuple[int, int, int]
"""player, opponent, round"""


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """Where the score of a game stands, and whether it is the opponent's."""

    reference: str
    opponents: bool = False

    def sign(self) -> str:
        """Formula text of the result as a crosstable shows it."""
        own = f"1-{self.reference}" if self.opponents else self.reference
        known = f'IF({self.reference}=0.5,"½",{own})'
        return f'IF(ISNUMBER({self.reference}),{known},"{NONE}")'


def fill_crosstable(
    sheet: Sheet,
    event: RatedEvent,
    header: int,
    homes: Mapping[int, Table],
    scores: Mapping[Key, ScoreCell],
) -> Table:
    """A row a player; names, ratings and scores come from where they are typed.

    ``homes`` gives the table in which a player's name and rating stand; ``scores`` the cells of
    the games that are rated or make a first rating, by the player who sees them.
    """
    standing = _Standing(event.tournament)
    rounds = [f"r{r}" for r in range(1, standing.rounds + 1)]
    columns = [
        Column("rank", "Rank", WHOLE),
        Column("no", "No.", WHOLE),
        Column("name", "Name", align="left", role="strong"),
        Column("federation", "Fed.", align="center"),
        Column("rating", "Rating", rating_format(event)),
        *(Column(key, key[1:], align="center", width=6) for key in rounds),
        Column("points", "Points", TENTHS, role="strong"),
    ]
    if standing.differ:
        columns.append(Column("filed", "Points as filed", TENTHS))
    table = Table(sheet, columns, header, len(standing.players))
    for i, player in enumerate(standing.players):
        table.write(i, _row(table, i, player, standing, homes[player.number]))
        for key, pairing in zip(rounds, standing.pairings(player), strict=False):
            score = scores.get((player.number, pairing.opponent or 0, pairing.round))
            at, column = table.columns[key]
            role = "quiet" if score is None or score.opponents else column.role
            sheet.write(table.first + i, at, _result(pairing, score), role, align=column.align)
    return table


class _Standing:
    """The players in the order of the file's ranks, else of their points."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        players = tournament.players
        self.rounds = max(map(len, tournament.pairings.values()), default=0)
        self.points = {
            p.number: math.fsum(ROUND_CODES[cell.code].points for cell in self.pairings(p))
            for p in players
        }
        self.differ = any(
            p.points is not None and p.points != self.points[p.number] for p in players
        )
        self.ranked = any(p.rank is not None for p in players)
        self.players = sorted(players, key=self._place)
        ordered = sorted(self.points.values(), reverse=True)
        self.places = {points: ordered.index(points) + 1 for points in set(ordered)}

    def pairings(self, player: Player) -> tuple[Pairing, ...]:
        return self.tournament.pairings.get(player.number, ())

    def _place(self, player: Player) -> tuple[float, float, float, int]:
        rank = math.inf if player.rank is None else player.rank
        points = self.points[player.number] if player.points is None else player.points
        return rank, -points, -(player.rating or 0.0), player.number


def _row(
    table: Table, i: int, player: Player, standing: _Standing, home: Table
) -> dict[str, Value]:
    at = {key: table.cell(key, i) for key in table.columns}
    row: dict[str, Value] = {
        "rank": player.rank,
        "no": player.number,
        "name": Formula(f"={home.lookup('name', 'no', at['no'])}", player.name),
        "federation": player.federation,
        "rating": NONE,
        "points": player.points,
        "filed": player.points,
    }
    if player.rating is not None:
        row["rating"] = Formula(f"={home.lookup('rating', 'no', at['no'])}", float(player.rating))
    if standing.rounds:
        # every result ends with its points: 12w1, bye ½, 7b+
        last = f"RIGHT({at['r1']}:{at[f'r{standing.rounds}']},1)"
        total = f'=SUMPRODUCT(({last}="1")+({last}="+")+({last}="½")/2)'
        points = standing.points[player.number]
        row["points"] = Formula(total, points)
        if not standing.ranked:
            letter = table.column("points")
            everybody = f"{letter}${table.first}:{letter}${table.last}"
            row["rank"] = Formula(f"=RANK({at['points']},{everybody})", standing.places[points])
    return row


def _result(pairing: Pairing, score: ScoreCell | None) -> Value:
    """A round as the crosstable shows it."""
    code = pairing.code.upper()
    if pairing.opponent is None:
        return _BYES.get(code, code)
    game = f"{pairing.opponent}{pairing.colour}"
    if code in "+-":
        return game + code  # also the empty code: paired, but no result
    text = game + _SIGNS[ROUND_CODES[code].points]
    return text if score is None else Formula(f'="{game}"&{score.sign()}', text)
