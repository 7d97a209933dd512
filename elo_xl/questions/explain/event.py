"""Why a player of a rated event has the rating that they have."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, NamedTuple

import numpy as np

from elo_xl.engine.explain import Explained, explain_sides
from elo_xl.engine.rulebooks.event import Players, Sides
from elo_xl.engine.rulebooks.rulebook import Changed
from elo_xl.events.event import Player
from elo_xl.events.rate import NewPlayer, RatedEvent, RatedPlayer, first_reason, known_players
from elo_xl.languages import Words


class ExplainedGame(NamedTuple):
    """A game of the player that is explained."""

    round: int
    opponent: str
    rating: float
    """the opponent's rating as it counts; NaN: unrated"""
    score: float
    event: str = ""
    """where the games of several events are rated at once"""


@dataclass(frozen=True, slots=True)
class ExplainedPlayer:
    """A rated player of an event, their games and why they changed the rating."""

    rated: RatedPlayer
    games: tuple[ExplainedGame, ...]
    why: Explained
    """an entry per game"""


@dataclass(frozen=True, slots=True)
class ExplainedNewcomer:
    """An unrated player of an event and their games; the reason is that of the first rating."""

    first: NewPlayer
    games: tuple[ExplainedGame, ...]
    verdict: str
    """the first rating, or that there is none, and why"""


def explain_player(
    event: RatedEvent, player: Player, language: str = "en"
) -> ExplainedPlayer | ExplainedNewcomer:
    """Why ``player`` has their new rating, or their first one, game by game."""
    newcomers = {n.player.number: n for n in event.new_players}
    games = tuple(_games(event, player, newcomers))
    if player.number in newcomers:
        first = newcomers[player.number]
        why = first_reason(first, event.rules, language)
        says = _WITHOUT if first.rating is None else _FIRST
        return ExplainedNewcomer(first, games, says.say(language, rating=first.rating, why=why))
    rated = next(p for p in event.players if p.player.number == player.number)
    everybody = known_players(event.tournament, event.k)
    place = [p.number == player.number for p in event.tournament.players].index(True)
    one = Players(*(getattr(everybody, f.name)[place : place + 1] for f in fields(Players)))
    sides = Sides(
        player=np.zeros(len(games), np.int64),
        met=np.array([g.rating for g in games], float),
        score=np.array([g.score for g in games], float),
        points=np.array([sum(g.score for g in games)], float),
        home=np.zeros(len(games)),
    )
    numbers = (rated.k, rated.games, rated.score, rated.expected, rated.change)
    done = Changed(*(np.array([np.nan if n is None else n], float) for n in numbers))
    return ExplainedPlayer(rated, games, explain_sides(event.rules, one, sides, done, language))


_WITHOUT: Final = Words("Unrated, no first rating: {why}.")
_FIRST: Final = Words("Unrated, first rating {rating:g}: {why}.")


def _games(
    event: RatedEvent, player: Player, newcomers: dict[int, NewPlayer]
) -> list[ExplainedGame]:
    """The games of a player, by round; those of earlier periods come last."""
    people = {p.number: p for p in event.tournament.players}
    with_newcomers = event.rules.counts.with_newcomers
    found = []
    for game in event.tournament.games:
        for own, other, score in (
            (game.first, game.second, game.score),
            (game.second, game.first, game.other_score),
        ):
            if own == player.number:
                rating = people[other].rating
                if rating is None and with_newcomers:
                    rating = newcomers[other].rating
                known = np.nan if rating is None else rating
                found.append(ExplainedGame(game.round, people[other].name, known, score))
    earlier = [ExplainedGame(0, game.opponent, game.rating, game.score, game.event)
               for game in event.earlier if game.player == player.number]  # fmt: skip
    return [*sorted(found, key=lambda met: met.round), *earlier]
