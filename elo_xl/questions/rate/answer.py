"""What the answers of ``elo-xl rate`` have in common: rated events as JSON and in a line."""

from __future__ import annotations

import numpy as np

from elo_xl.books.answers import phrase, spoken
from elo_xl.engine.arrays import finite
from elo_xl.engine.period import carried
from elo_xl.events.event import Player
from elo_xl.events.rate import RatedEvent


def rules_line(event: RatedEvent) -> str:
    """The rules of an event, and why it has them."""
    return phrase(
        "Rules: {name} ({rules_reason}): {english}",
        name=event.rules.name,
        rules_reason=event.rules_reason,
        english=event.rules.title.say(spoken()),
    )


def unlisted(event: RatedEvent) -> list[str]:
    """Who is unrated on the next list, as their new rating is too low for it."""
    floor = event.rules.unlisted_below
    return [p.player.name for p in event.players if p.games and p.new < floor]


def event_facts(event: RatedEvent) -> dict[str, object]:
    """What JSON has of an event."""
    tournament = event.tournament
    rated = [
        {
            **_who(p.player),
            "rating": _number(p.player.rating),
            "k": _number(p.k),
            "k_reason": p.k_reason,
            "period_games": p.games,
            "score": p.score,
            "expected": p.expected,
            "change": p.change,
            "new": _number(p.new),
            **_after(p.player, p.games, p.new),
            "performance": _number(p.performance),
            "first_rating_reason": None,
        }
        for p in event.players
    ]
    unrated = [
        {
            **_who(p.player),
            "rating": None,
            "k": None,
            "k_reason": None,
            "period_games": len(p.opponents),
            "score": p.score,
            "expected": None,
            "change": None,
            "new": _number(p.rating),
            **_after(p.player, len(p.opponents), p.rating),
            "performance": None,
            "first_rating_reason": p.reason,
        }
        for p in event.new_players
    ]
    return {
        "event": tournament.name,
        "start": tournament.start and tournament.start.isoformat(),
        "rules": event.rules.name,
        "rules_reason": event.rules_reason,
        "players": rated + unrated,
        "unrated_games": event.unrated_games,
        "unlisted": unlisted(event),
        "assumed": list(event.assumed),
        "understood": list(tournament.understood),
    }


def _who(player: Player) -> dict[str, object]:
    return {"number": player.number, "id": player.id, "name": player.name}


def _after(player: Player, games: int, new: float | None) -> dict[str, object]:
    """With what a player goes on, as :func:`elo_xl.rate_period` has it."""
    numbers = (player.rating, player.games, player.peak, None, games, new)
    count, peak, _ = carried(*(np.array([x], float) for x in numbers))
    return {"played": _number(finite(count[0])), "peak": _number(finite(peak[0]))}


def _number(value: float | None) -> float | None:
    return int(value) if value is not None and float(value).is_integer() else value
