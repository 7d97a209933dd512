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
    chosen = store.choose(name)
    prefix = {"rapid": "rapid", "blitz": "blitz"}.get(tournament.kind or "", "")
    known = store.by_ids(chosen, [p.id for p in tournament.players if p.id])
    unknown = [p for p in tournament.players if p.id not in known]
    named = store.by_names(chosen, [p.name for p in unknown], 5)
    by_number = {
        player.number: _fitting(player, near) for player, near in zip(unknown, named, strict=True)
    }
    where = str(chosen or store.EXAMPLE)
    warnings: list[Problem] = []
    players = []
    for player in tournament.players:
        fitting = [known[player.id]] if player.id in known else by_number[player.number]
        if len(fitting) != 1:
            which = ", ".join(f"{one.id} {one.name}" for one in fitting)
            what = f"may be {which}: give the number" if which else "is not found"
            warnings.append(Problem(f"{player.name} {what} @ {where}"))
            players.append(player)
            continue
        (entry,) = fitting
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


def _fitting(player: Player, near: Sequence[Entry]) -> list[Entry]:
    """The entries that the player may be: one if the name leaves no doubt."""
    if player.id.isdecimal():
        return []  # the number is another's, or the list is too old
    alike = [
        (store.likeness(player.name, entry), entry)
        for entry in near
        if player.federation in ("", entry.federation)
        and (entry.birth is None or player.birth_year in (None, entry.birth))
    ]
    best = max((score for score, _ in alike), default=0)
    return [entry for score, entry in alike if best >= _SURE and score >= best - _APART]
