"""How well ratings would have predicted the games of events."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np

from elo_xl.club.games import rated_games
from elo_xl.club.ledger import Ledger
from elo_xl.events.event import EventError, Kind, Problem
from elo_xl.events.merging import AllGames, EventFile, games_of_kind
from elo_xl.questions.check import numbers as engine
from elo_xl.questions.check.numbers import Check

BY_GAME: Final = "game"
BY_MONTH: Final = "month"
BY_LIST: Final = "list"
"""Ratings change after each game, each month, or with each list of a club's book."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a history says of its ratings."""

    check: Check
    by: str
    kind: Kind | None
    """the kind of play, if the events have several"""
    penalties: int
    """games left out, as a penalty hides their result"""
    notes: tuple[Problem, ...]


def check_events(
    files: Sequence[EventFile],
    *,
    by: str = "",
    kind: Kind | None = None,
    burn_in: int = engine.BURN_IN,
) -> Checked:
    """Check the games of all files that are counted, of one kind of play.

    ``by`` is ``"game"`` or ``"month"``; months count if it is left out and all games have a day.
    ``kind`` is that of most games unless given; who begins with a rating in the files is no
    newcomer. Raises EventError if there are no games, or no days for months, DomainError as
    :func:`elo_xl.questions.check.numbers.check`.
    """
    games, several = games_of_kind(files, kind)
    return check_games(games, by=by, kind=several, burn_in=burn_in)


def check_book(
    book: Ledger, *, by: str = "", kind: Kind | None = None, burn_in: int = engine.BURN_IN
) -> Checked:
    """Check the games of all closed periods of a club's book, of one kind of play.

    All games of a list count with the ratings of the list before, unless ``by`` is ``"game"`` or
    ``"month"``. Members begin with the rating that stands beside their first game. The options and
    errors are those of :func:`check_events`; EventError too for what
    cannot be read.
    """
    games, several, lists = rated_games(book, kind)
    return check_games(games, by=by, kind=several, burn_in=burn_in, lists=lists)


def check_games(
    games: AllGames,
    *,
    by: str = "",
    kind: Kind | None = None,
    burn_in: int = engine.BURN_IN,
    lists: Sequence[date] | None = None,
) -> Checked:
    """Check games; ``lists`` has for each game the day of the list for which it was rated."""
    undated = sum(day is None for day in games.days)
    by = by or (BY_LIST if lists is not None else BY_GAME if undated else BY_MONTH)
    if by == BY_MONTH and undated:
        raise EventError([Problem(f"{undated} of {len(games.days)} games have no day: --by game")])
    days = [day for day in games.days if day is not None]
    times = [] if undated else [[day.toordinal() for day in days]]
    if by == BY_LIST and lists is not None:
        times.append([day.toordinal() for day in lists])
    elif by == BY_MONTH:
        times.append([day.year * 12 + day.month for day in days])
    turns = np.array(times, np.int64).reshape(-1, games.score.size)
    order = np.lexsort((np.zeros(games.score.size), *turns))  # which keeps that of equal games
    turns = turns[:, order]
    done = engine.check(
        games.first[order],
        games.second[order],
        games.score[order],
        len(games.players),
        rating=[p.rating or math.nan for p in games.players],
        period=None if by == BY_GAME else turns[-1],
        day=np.diff(turns, prepend=0).any(0).cumsum() if times else None,
        colours=games.coloured,
        burn_in=burn_in,
    )
    return Checked(done, by, kind, games.penalties, games.notes)
