"""The games of a club's closed periods, for what is asked of a whole history."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import cast

import numpy as np

from elo_xl.club.ledger import Ledger
from elo_xl.events.event import EventError, Kind, Player, Problem
from elo_xl.events.merging import AllGames


def rated_games(
    book: Ledger, kind: Kind | None = None, *, every: bool = False
) -> tuple[AllGames, Kind | None, list[date]]:
    """The rated games of one kind of play, or of ``every`` kind, that kind if the book has several,
    and the list for which each game was rated. Raises EventError if there are none."""
    book.check("Events", "Rated")
    kinds: dict[str, Kind] = {name: cast("Kind", event.kind) for name, event in book.events.items()}
    rated = [
        (game, game.scores, game.closed, kinds[game.event])
        for game in book.rated
        if game.scores is not None and game.closed is not None and game.event in kinds
    ]
    if not rated:
        raise EventError([Problem("no period is closed yet, so there is no rated game")])
    counts = Counter(one for *_, one in rated)
    several = len(counts) > 1
    kind = kind or counts.most_common(1)[0][0]
    own = [row for row in rated if every or row[-1] == kind]
    rated = sorted(own, key=lambda row: row[2])
    members = {member.name: member for member in book.members}
    numbers: dict[str, int] = {}
    players: list[Player] = []
    pairs, scores, ratings, days, lists = [], [], [], [], []
    penalties = 0
    for game, (first, second), closed, _ in rated:
        # what an arbiter decided, such as 0 and 0, is no result that a fit can have
        if first + second != 1:
            penalties += 1
            continue
        pair = []
        for name, rating in ((game.white, game.white_rating), (game.black, game.black_rating)):
            at = numbers.setdefault(name, len(players))
            if at == len(players):
                who = members.get(name)
                id, born = (who.id, who.birth) if who else ("", None)
                players.append(Player(at + 1, name, rating, id=id, birth_year=born))
            pair.append(at)
        pairs.append(pair)
        scores.append(first)
        ratings.append((game.white_rating, game.black_rating))
        days.append(book.events[game.event].day)
        lists.append(closed)
    if not pairs:
        raise EventError([Problem(f"there is no rated game of {kind} play")])
    one, two = np.array(pairs, np.int64).T
    played: tuple[date | None, ...] = tuple(days)
    had = np.array(ratings, dtype=float).T
    games = AllGames(tuple(players), one, two, np.array(scores), had, played, True, penalties, ())
    return games, kind if several else None, lists
