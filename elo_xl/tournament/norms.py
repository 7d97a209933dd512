"""The title norms of an event's players, from its titles, federations and pairings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from elo_xl.engine.norms import (
    LEVELS,
    TITLED,
    WITHOUT_FEDERATION,
    Chance,
    Event,
    Norm,
    NormGame,
    best_norm,
    chance,
)
from elo_xl.tournament.event import Pairing, Player, Tournament

_WOMEN: Final = ("WGM", "WIM")
_HELD: Final = {
    "GM": ("GM",),
    "IM": ("GM", "IM"),
    "WGM": ("GM", "IM", "WGM"),
    "WIM": ("GM", "IM", "WGM", "WIM"),
}
"""By title: whoever has one of these needs no norm for it."""
_MISSED: Final = {"+": "forfeit", "U": "bye"}
"""Codes of rounds that do not spoil a norm of eight games."""
_FOREIGNERS, _FEDERATIONS, _TITLES = 20, 3, 10
"""Rated players from abroad, their federations and titles in every round (1.4.3d)."""


@dataclass(frozen=True, slots=True)
class PlayerNorm:
    """How a player stands for the norm of one title."""

    player: Player
    norm: Norm
    chance: Chance | None = None
    """what would suffice in the rounds that are left; None if there are none"""


def event_of(tournament: Tournament, rounds: int = 0) -> Event:
    """What matters of an event for norms; ``rounds`` are those scheduled, if more than played."""
    meetings = Counter(frozenset((g.first, g.second)) for g in tournament.games)
    numbers = [p.number for p in tournament.players]
    pairs = len(numbers) * (len(numbers) - 1) // 2
    most = max(meetings.values(), default=0)
    scheduled = max(rounds, tournament.rounds)
    everybody = len(numbers) - 1 + len(numbers) % 2
    predetermined = len(numbers) > 2 and (
        (most == 1 and scheduled == everybody) or (most == 2 and scheduled == 2 * everybody)
    )
    # forfeits leave gaps: most pairs have met
    predetermined &= len(meetings) * 10 >= pairs * 9 or tournament.rounds < scheduled
    return Event(
        scheduled,
        predetermined,
        predetermined and scheduled == 2 * everybody,
        not predetermined and _mixed(tournament),
    )


def norms(
    tournament: Tournament, player: Player, *, rounds: int = 0, event: Event | None = None
) -> list[PlayerNorm]:
    """How a player stands for the norms of all titles that they do not have yet.

    ``rounds`` are those scheduled, if more than played. Women's titles are looked at for women.
    """
    about = event_of(tournament, rounds) if event is None else event
    games, missing = _games(tournament, player, about)
    left = about.rounds - tournament.rounds
    found = []
    for title in LEVELS:
        if player.title in _HELD[title]:
            continue
        if title in _WOMEN and player.sex.lower() not in ("w", "f"):
            continue
        norm = best_norm(title, games, player.federation, about, missing=missing)
        later = chance(title, games, player.federation, about, left) if left > 0 else None
        found.append(PlayerNorm(player, norm, later))
    return found


def _games(tournament: Tournament, player: Player, event: Event) -> tuple[list[NormGame], str]:
    """The player's games that count for norms, and why the only other round was not played."""
    people = {p.number: p for p in tournament.players}
    hopeless = _hopeless(tournament) if event.predetermined else set()
    games = []
    for game in tournament.games:
        for own, other, score in (
            (game.first, game.second, game.score),
            (game.second, game.first, game.other_score),
        ):
            if own == player.number and other not in hopeless:
                met = people[other]
                games.append(
                    NormGame(game.round, str(other), met.rating, met.title, met.federation, score)
                )
    games.sort(key=lambda game: game.round)
    line = tournament.pairings.get(player.number, ())
    others = [p.code for p in line if p.round not in {game.round for game in games}]
    missing = _MISSED.get(others[0], "") if len(others) == 1 else ""
    return games, missing


def _hopeless(tournament: Tournament) -> set[int]:
    """Unrated players of an all-play-all who scored nothing against rated ones (1.4.2b)."""
    rated = {p.number for p in tournament.players if p.rating is not None}
    points: Counter[int] = Counter()
    for game in tournament.games:
        if game.second in rated:
            points[game.first] += game.score > 0
        if game.first in rated:
            points[game.second] += game.other_score > 0
    return {p.number for p in tournament.players if p.rating is None and not points[p.number]}


def _mixed(tournament: Tournament) -> bool:
    """Whether opponents of any federations will do (1.4.3d): in every round there are enough rated
    players from abroad, of enough federations and with enough titles, who miss one round at most.
    """
    home = tournament.federation
    if not home:
        return False
    abroad = [
        p
        for p in tournament.players
        if p.rating is not None
        and p.federation not in (home, *WITHOUT_FEDERATION)
        and _absent(tournament.pairings.get(p.number, ())) <= 1
    ]
    holders = [p for p in abroad if p.title in TITLED - {"FM", "WFM"}]
    return (
        len(abroad) >= _FOREIGNERS
        and len({p.federation for p in abroad}) >= _FEDERATIONS
        and len(holders) >= _TITLES
    )


def _absent(line: tuple[Pairing, ...]) -> int:
    """The rounds that a player missed; byes of the pairings are none."""
    return sum(p.code in ("", "Z", "H", "F", "-") for p in line)
