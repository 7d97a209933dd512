"""What a federation's rating list knows of the players of an event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from elo_xl.events.event import Kind, Player, Problem, Tournament
from elo_xl.lists import names, store
from elo_xl.lists.layouts import Entry, number_of

_SURE: Final = 90
"""From this likeness on a name is matched to an entry, if no other comes near it."""
_APART: Final = 4
"""By how much the second best name has to be less like it."""
_LOOKED_AT: Final = 5
_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Match:
    """What a list has of a player."""

    entry: Entry | None
    """None where no entry is found, or it is not sure who it is"""
    note: str = ""
    """what is to be said of it"""
    near: Entry | None = None
    """the only one whose name may be the player's, where that is not sure"""


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
    matches = each_once(tournament.players, entries_of(chosen, tournament.players))
    for player, match in zip(tournament.players, matches, strict=True):
        if match.note:
            warnings.append(Problem(f"{match.note} @ {where}"))
        if match.entry is None:
            players.append(player)
            continue
        listed = as_listed(player, match.entry, tournament.kind)
        if player.rating is not None and listed.rating != player.rating:
            shown = "unrated" if listed.rating is None else f"{listed.rating:g}"
            what = f"rating of {player.name}: {player.rating:g} in the file, {shown}"
            warnings.append(Problem(f"{what} @ {where}"))
        players.append(
            replace(listed, rating=player.rating if listed.rating is None else listed.rating)
        )
    return replace(tournament, players=tuple(players), warnings=(*tournament.warnings, *warnings))


def entries_of(chosen: store.RatingList | None, players: Sequence[Player]) -> list[Match]:
    """The entry of each player, where the number or the name leaves no doubt.

    A number of somebody who has another name and another birth year is another federation's.
    """
    known = store.by_ids(chosen, [p.id for p in players if p.id])
    unknown = [p for p in players if p.id not in known]
    named = store.by_names(chosen, [p.name for p in unknown], _LOOKED_AT)
    fitting = iter(_named(p, near) for p, near in zip(unknown, named, strict=True))
    return [_numbered(p, known[p.id]) if p.id in known else next(fitting) for p in players]


def each_once(
    players: Sequence[Player], matches: Sequence[Match], remedy: str = "give the number"
) -> list[Match]:
    """The same where an entry is taken once: by the one who has its number, or by nobody.

    ``remedy`` is what helps if two players are one person.
    """
    claims: dict[str, list[Player]] = {}
    for player, match in zip(players, matches, strict=True):
        if match.entry:
            claims.setdefault(match.entry.id, []).append(player)

    def once(player: Player, match: Match) -> Match:
        entry = match.entry or match.near
        # a number is stronger than any likeness of names
        if entry is None or number_of(player.id) == entry.id:
            return match
        others = [other for other in claims.get(entry.id, ()) if other is not player]
        if not others:
            return match
        owner = next((other for other in others if number_of(other.id) == entry.id), None)
        has = f", who has the number {entry.id}," if owner else ""
        name = (owner or others[0]).name
        what = f"{player.name} and {name}{has} may be one person, {entry.id} {entry.name}"
        return Match(None, f"{what}; nothing is used for {player.name}: {remedy}")

    return [once(player, match) for player, match in zip(players, matches, strict=True)]


def as_listed(player: Player, entry: Entry, kind: Kind | None) -> Player:
    """A player as the list has them, for a kind of play.

    >>> ana = as_listed(Player(1, "Ana"), Entry("11", "Ferrer, Ana", rating=2105, k=20), "blitz")
    >>> ana.id, ana.rating, ana.k
    ('11', 2105.0, None)

    A player without a rapid or blitz rating begins with the standard one and without games, as
    under FIDE's rules (rapid and blitz, 7.2.1). The rating is None for a player without any.
    """
    rating, k = {"rapid": (entry.rapid, entry.rapid_k), "blitz": (entry.blitz, entry.blitz_k)}.get(
        kind or "", (entry.rating, entry.k)
    )
    games = player.games
    if rating is None:
        rating, k = entry.rating, None
        games = games if kind in (None, "standard") else 0
    listed = player.k is None and k is not None
    born, otherwise = player.birth_year or entry.birth, player.otherwise
    # a date of birth that may be of two years is the one of the list
    if otherwise and entry.birth in (born, otherwise[0]):
        born, otherwise = entry.birth, None
    return replace(
        player,
        id=player.id or entry.id,
        rating=None if rating is None else float(rating),
        k=float(k) if listed and k is not None else player.k,
        k_listed=listed,
        games=games,
        birth_year=born,
        otherwise=otherwise,
        federation=player.federation or entry.federation,
        title=player.title or entry.title,
    )


def _numbered(player: Player, entry: Entry) -> Match:
    """What to make of an entry that has the player's number."""
    named = not player.name or names.fits(player.name, entry.name)
    born = entry.birth is None or player.birth_year in (None, entry.birth)
    who = f"{player.name} has the number {player.id}, of {entry.name}"
    if named and born:
        return Match(entry)
    if named:
        return Match(
            entry, f"{player.name} is born {player.birth_year} here, {entry.birth} in the list"
        )
    if born:
        return Match(entry, who)
    years = f"born {entry.birth}, not {player.birth_year}"
    return Match(None, f"{who}, {years}: is it another federation's? Nothing is taken")


def _named(player: Player, near: Sequence[Entry]) -> Match:
    """What to make of the entries whose names are most like the player's."""
    alike = [(store.likeness(player.name, entry), entry) for entry in near if player.name]
    fitting = [(score, entry) for score, entry in alike if not any(_against(player, entry))]
    best = max((score for score, _ in fitting), default=0)
    if best >= _SURE:
        # the best is sure only where no other is nearly as good
        sure = [entry for score, entry in fitting if score >= best - _APART]
        if len(sure) == 1:
            return Match(sure[0])
        which = "; ".join(f"{one.id} {one.name}" for one in sure)
        return Match(None, f"{player.name} may be {which}: give the number")
    likely = [e for score, e in alike if score >= _SURE or names.fits(player.name, e.name)]
    said = [
        f"{entry.id} {entry.name} {against or 'may be meant: give the number'}"
        for entry in likely[:_SHOWN]
        for against in ["; ".join(_against(player, entry))]
    ]
    why = f": {'; '.join(said)}" if said else ""
    only = likely[0] if len(likely) == 1 and not any(_against(player, likely[0])) else None
    return Match(None, f"{player.name or player.id} is not found{why}", only)


def _against(player: Player, entry: Entry) -> Iterator[str]:
    """Why an entry of such a name is not the player's."""
    if player.id.isdecimal():
        yield f"has another number than {player.id}"  # or the list is too old
    if player.federation not in ("", entry.federation):
        there = f"is of {entry.federation}" if entry.federation else "has no federation"
        yield f"{there} there, {player.federation} here"
    if entry.birth is not None and player.birth_year not in (None, entry.birth):
        yield f"is born {entry.birth} there, {player.birth_year} here"
