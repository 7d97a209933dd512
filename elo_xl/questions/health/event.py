"""The health of the ratings with which the games of events were played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from elo_xl.club.games import rated_games
from elo_xl.club.ledger import Ledger
from elo_xl.events.event import EventError, Kind, Problem
from elo_xl.events.merging import AllGames, EventFile, games_of_kind, in_order
from elo_xl.questions.health.numbers import GROWN, YEAR, Health, health


@dataclass(frozen=True, slots=True)
class Examined:
    """What games say of their players' ratings."""

    health: Health
    kind: Kind | None
    """the kind of play, if the events have several"""
    penalties: int
    """games left out, as a penalty hides their result"""
    notes: tuple[Problem, ...]

    @property
    def periods(self) -> tuple[date, ...]:
        """The first days of the periods in which drift is looked for, if days are known."""
        begin = () if self.health.drift is None else self.health.drift.begin.tolist()
        return tuple(date.fromordinal(round(YEAR * years)) for years in begin)


def health_of_events(
    files: Sequence[EventFile], *, kind: Kind | None = None, level: float | None = None
) -> Examined:
    """Examine the ratings beside the games of all files that are counted, of one kind of play.

    ``kind`` is that of most games unless given; ``level`` is that of :func:`~.numbers.health`.
    Raises EventError if there are no games or no ratings, DomainError as that function.
    """
    games, several = games_of_kind(files, kind)
    return health_of_games(games, kind=several, level=level)


def health_of_book(
    book: Ledger, *, kind: Kind | None = None, level: float | None = None
) -> Examined:
    """Examine the ratings with which the games of a club's book were rated, of one kind of play.

    The options and errors are those of :func:`health_of_events`.
    """
    games, several, _ = rated_games(book, kind)
    return health_of_games(games, kind=several, level=level)


def health_of_games(
    games: AllGames, *, kind: Kind | None = None, level: float | None = None
) -> Examined:
    """Examine the ratings of games; drift needs a day of every game."""
    if np.isnan(games.ratings).any(0).all():
        raise EventError([Problem("no game has the ratings of both players")])
    days = [day.toordinal() for day in games.days if day is not None]
    order, when, grown = np.arange(games.score.size), None, 0
    if len(days) == games.score.size:
        order = in_order(days)[0]
        when, grown = np.array(days)[order] / YEAR, date.fromordinal(min(days)).year - GROWN
    rating, other = games.ratings[:, order]
    done = health(
        games.first[order],
        games.second[order],
        games.score[order],
        rating,
        other,
        len(games.players),
        time=when,
        young=[(player.birth_year or 0) > grown for player in games.players],
        level=level,
    )
    return Examined(done, kind, games.penalties, games.notes)
