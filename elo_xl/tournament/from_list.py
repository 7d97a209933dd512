"""What a federation's rating list knows of the players of an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from elo_xl.lists import store
from elo_xl.lists.layouts import Entry
from elo_xl.tournament.event import Player, Problem, Tournament
from elo_xl.tournament.time_control import Kind

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
    where = str(chosen or store.EXAMPLE)
    warnings: list[Problem] = []
    players = []
    for player, fitting in zip(
        tournament.players, entries_of(chosen, tournament.players), strict=True
    ):
        if len(fitting) != 1:
            warnings.append(Problem(f"{unsure(player, fitting)} @ {where}"))
            players.append(player)
            continue
        listed = as_listed(player, fitting[0], tournament.kind)
        if player.rating is not None and listed.rating != player.rating:
            shown = "unrated" if listed.rating is None else f"{listed.rating:g}"
            what = f"rating of {player.name}: {player.rating:g} in the file, {shown}"
            warnings.append(Problem(f"{what} @ {where}"))
        players.append(
            replace(listed, rating=player.rating if listed.rating is None else listed.rating)
        )
    return replace(tournament, players=tuple(players), warnings=(*tournament.warnings, *warnings))


def entries_of(chosen: store.RatingList | None, players: Sequence[Player]) -> list[Sequence[Entry]]:
    """The entries that each player may be: one where a number or the name leaves no doubt."""
    known = store.by_ids(chosen, [p.id for p in players if p.id])
    unknown = [p for p in players if p.id not in known]
    named = store.by_names(chosen, [p.name for p in unknown], 5)
    fitting = iter(_fitting(p, near) for p, near in zip(unknown, named, strict=True))
    return [[known[p.id]] if p.id in known else next(fitting) for p in players]


def unsure(player: Player, fitting: Sequence[Entry]) -> str:
    """What is to be said of a player who has no entry, or may have one of several."""
    which = ", ".join(f"{one.id} {one.name}" for one in fitting)
    what = f"may be {which}: give the number" if which else "is not found"
    return f"{player.name or player.id} {what}"


def as_listed(player: Player, entry: Entry, kind: Kind | None) -> Player:
    """A player as the list has them, for a kind of play.

    >>> ana = as_listed(Player(1, "Ana"), Entry("11", "Ferrer, Ana", rating=2105, k=20), "blitz")
    >>> ana.id, ana.rating, ana.k
    ('11', 2105.0, None)

    Whoever has no rapid or blitz rating begins with the standard one and without games, as under
    FIDE's rules (rapid and blitz, 7.2.1). The rating is None for somebody without any.
    """
    rating, k = {
        "rapid": (entry.rapid, entry.rapid_k),
        "blitz": (entry.blitz, entry.blitz_k),
    }.get(kind or "", (entry.rating, entry.k))
    games = player.games
    if rating is None:
        rating, k = entry.rating, None
        games = games if kind in (None, "standard") else 0
    listed = player.k is None and k is not None
    return replace(
        player,
        id=player.id or entry.id,
        rating=None if rating is None else float(rating),
        k=float(k) if listed and k is not None else player.k,
        k_listed=listed,
        games=games,
        birth_year=player.birth_year or entry.birth,
        federation=player.federation or entry.federation,
        title=player.title or entry.title,
    )


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
