"""What a federation's rating list knows of the players of an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from elo_xl.lists import store
from elo_xl.lists.layouts import Entry
from elo_xl.tournament.event import Player, Problem, Tournament

_SURE: Final = 90
"""From this likeness on a name is taken for that of an entry, if no other comes near it."""
_APART: Final = 4
"""By how much the second best name has to be less like it."""


def with_list(tournament: Tournament, name: str | None) -> Tournament:
    """The event with ratings, K factors and birth years from a list, by number or by name.

    The ratings are those of the event's kind of play. Whatever is not found stays as the file says;
    each player who is not in the list, and each rating that was another, is a warning. Raises
    ListError if there is no such list.
    """
    one = store.choose(name)
    prefix = {"rapid": "rapid", "blitz": "blitz"}.get(tournament.kind or "", "")
    known = store.by_ids(one, [p.id for p in tournament.players if p.id])
    unknown = [p for p in tournament.players if p.id not in known]
    named = store.by_names(one, [p.name for p in unknown], 5)
    by_number = {
        player.number: _chosen(player, near) for player, near in zip(unknown, named, strict=True)
    }
    where = str(one or store.EXAMPLE)
    warnings: list[Problem] = []
    players = []
    for player in tournament.players:
        entry = known.get(player.id) or by_number.get(player.number)
        if entry is None:
            warnings.append(Problem(f"{player.name} is not found @ {where}"))
            players.append(player)
            continue
        rating = getattr(entry, prefix or "rating")
        if player.rating is not None and rating != player.rating:
            shown = "unrated" if rating is None else rating
            what = f"rating of {player.name}: {player.rating:g} in the file, {shown}"
            warnings.append(Problem(f"{what} @ {where}"))
        k = getattr(entry, f"{prefix}_k" if prefix else "k")
        players.append(
            replace(
                player,
                id=player.id or entry.id,
                rating=player.rating if rating is None else float(rating),
                k=player.k if player.k is not None or k is None else float(k),
                birth_year=player.birth_year or entry.birth,
                federation=player.federation or entry.federation,
                title=player.title or entry.title,
            )
        )
    return replace(tournament, players=tuple(players), warnings=(*tournament.warnings, *warnings))


def _chosen(player: Player, near: Sequence[Entry]) -> Entry | None:
    """The entry that is the player's, if the name leaves no doubt."""
    if player.id and player.id.isdecimal():
        return None  # the number is another's, or the list is too old
    fitting = [
        entry
        for entry in near
        if player.federation in ("", entry.federation)
        and (entry.birth is None or player.birth_year in (None, entry.birth))
    ]
    alike = [(store.likeness(player.name, entry), entry) for entry in fitting]
    best = sorted(alike, key=lambda one: -one[0])[:2]
    if not best or best[0][0] < _SURE:
        return None
    return None if len(best) > 1 and best[1][0] > best[0][0] - _APART else best[0][1]
