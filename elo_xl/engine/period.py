"""A rating period: ratings and games in, changes and new ratings out.

All games count with the ratings before the period (Benítez and Roca, axiom V; FIDE B.02, 8.3),
unless a rulebook says otherwise. Under FIDE's rules all sums are whole hundredths, so that -2.5 is
exactly -2.5 and becomes -3.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from elo_xl.engine.accumulator import Accumulator
from elo_xl.engine.arrays import AnyArray, FloatArray, IntArray
from elo_xl.engine.errors import DomainError, SizeError
from elo_xl.engine.games import Index
from elo_xl.engine.performance import BY_SUMS, Games, strength
from elo_xl.engine.ratings import first_steps
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.engine.rulebooks.event import Event, Players
from elo_xl.engine.rulebooks.rulebook import Changed


@dataclass(frozen=True)
class Period:
    """What a period did to each player: arrays with one number per player."""

    k: FloatArray
    """the K factor that applied, lowered where the rulebook limits K times games"""
    games: IntArray
    """number of rated games"""
    score: FloatArray
    """points scored in the rated games"""
    expected: FloatArray
    """points expected in the rated games; NaN for unrated players"""
    change: FloatArray
    """the change in rating points, unrounded; NaN for unrated players"""
    new: FloatArray
    """rating plus change, rounded as the rulebook says; for unrated players the first rating"""
    first: FloatArray
    """what the rulebook finds for unrated players, published or not; NaN for rated ones"""
    _book: Rulebook
    _met: Games | Event

    @cached_property
    def performance(self) -> FloatArray:
        """Performance rating, in rating points, by the rulebook's method; NaN without a game.

        By the curves it is searched in all games, which takes far longer than the rest of the
        period, so it is worked out when somebody asks for it.
        """
        met = self._met if isinstance(self._met, Games) else _met(self._book, self._met)
        return strength(met, self._book.performance)[: self.new.size]

    def part(self, size: int) -> Period:
        """The first players of the period."""
        columns = {f.name: getattr(self, f.name) for f in fields(self) if f.name[0] != "_"}
        return replace(self, **{name: column[:size] for name, column in columns.items()})


def period(
    ratings: npt.ArrayLike,
    k: npt.ArrayLike | str,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    score: npt.ArrayLike,
    rules: str | Path | Rulebook = "fide",
    *,
    games: npt.ArrayLike = np.nan,
    age: npt.ArrayLike = np.nan,
    peak: npt.ArrayLike = np.nan,
    index: npt.ArrayLike = np.nan,
    home: float | FloatArray = 0.0,
    second_score: npt.ArrayLike | None = None,
    ids: Index | None = None,
    stones: npt.ArrayLike | None = None,
) -> Period:
    """Rate a period for all players: games, score, expected score, change, new, performance.

    ``ratings`` holds one rating per player (NaN: unrated); ``k`` one K factor per player, or one
    for all, or ``"auto"``; a K that is NaN, or ``"auto"``, is the rulebook's own, which ``games``,
    ``age`` and ``peak`` decide (as in :func:`~elo_xl.engine.ratings.k_factor`), or ``index``, the
    number of events evaluated before. ``first`` and ``second`` are the indices of the two players
    of each game, ``score`` the first player's score (NaN: not played), ``second_score`` the second
    player's where a penalty makes it other than 1 minus the first's (NaN: it is not); ``home`` is a
    number of rating points, or one per game, added to the first player's side. ``stones`` is the
    handicap of the second player in games of go, which counts where the rulebook knows it.

    With ``ids``, and under rulebooks whose games stand alone, the players of games
    are given by these numbers, not by indices, and no score is other than 1, 0.5 and 0. The games
    of one call form one event, which matters under the rules of 2022. K is lowered where the
    rulebook limits K times the games of a period. Games against an unrated player count for nobody
    but that player: the unrated player's games, score and performance are those against rated
    opponents, and the new rating is the first rating if the rulebook publishes one, otherwise NaN.

    Raises SizeError for indices out of range or arrays of different lengths, DomainError for a
    score outside 0 to 1, a K below 0, or a player paired with themselves, OptionError for an
    unknown rulebook, and for a number as K under one that takes only its own.
    """
    book = rulebook(rules)
    own: FloatArray = np.asarray(ratings, dtype=float).reshape(-1)
    players = Players.known(own, k, games, age, peak, index)
    book.change.check(book, players)
    event = Event(players, first, second, score, home, second_score, ids, stones)
    unrated = np.isnan(own)
    newcomers = bool(unrated.any())
    sums = _sums(book, event)
    done = book.change(book, event) if sums is None else sums.changed()
    by_sums = book.performance in BY_SUMS and (book.first.by_sums or not newcomers)
    met: Games | Event
    if sums is not None and sums.opponents is not None and by_sums:
        met = Games.summed(done.games, sums.opponents.astype(float), done.score)
    else:
        met = event.kept() if sums is not None and not newcomers else _met(book, event)
    new, fresh = book.rounding(own, done.change, players.peak), np.full(own.shape, np.nan)
    if newcomers:
        assert isinstance(met, Games)
        guess = book.first.guess(players.age)
        fresh = first_steps(met, book, guess).rating if done.first is None else done.first
        fresh = np.where(unrated, fresh, np.nan)
        new = np.where(unrated, published(book, done, fresh), new)
    return Period(
        done.k,
        done.games.astype(np.int64),
        done.score,
        np.where(unrated, np.nan, done.expected),
        done.change,
        new,
        fresh,
        book,
        met,
    )


def _met(book: Rulebook, event: Event) -> Games:
    """The games that count, one by one."""
    sides = event.everybody
    rated = sides.only(book.counts(sides.own(event.players), sides.met))
    return Games(rated.met, rated.points, rated.player)


def _sums(book: Rulebook, event: Event) -> Accumulator | None:
    """The sums of a period's games, where they tell all; None where they do not.

    They do not under rules of whole events, nor for quarters of points; what else is wrong with the
    games is said by what is done then.
    """
    if not book.in_any_order or isinstance(event.home, np.ndarray) or event.stones is not None:
        return None
    sums = Accumulator(
        event.players, book, home=event.home, games=event.score.size,
        opponents=book.performance in BY_SUMS,
    )  # fmt: skip
    try:
        sums.add(event.first, event.second, event.score, event.second_score, event.ids)
    except DomainError:
        if event.ids is not None:
            raise
        return None
    return sums


def carried(
    rating: FloatArray,
    games: FloatArray,
    peak: FloatArray,
    index: FloatArray,
    done: AnyArray,
    new: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The numbers of rated games, the highest ratings and the numbers of evaluated events after a
    period, from those before it, the games ``done`` in it and the new ratings.

    >>> none = np.array([np.nan, np.nan])
    >>> before = np.array([1800, np.nan]), np.array([29, np.nan]), none, np.array([3, np.nan])
    >>> done = period(before[0], "auto", [0], [1], [1])
    >>> [column.tolist() for column in carried(*before, done.games, done.new)]
    [[29.0, 1.0], [1800.0, nan], [3.0, nan]]

    The games of a newcomer, who is unrated and of whom no number is known (NaN), begin with 0, and
    so do the events of one who gets a rating. A period is an event.
    """
    newcomer, played = np.isnan(rating), done > 0
    highest: FloatArray = np.fmax(np.fmax(peak, rating), new)
    count: FloatArray = np.where(newcomer & np.isnan(games) & played, 0, games) + done
    evaluated = played & ~np.isnan(new)
    events: FloatArray = np.where(newcomer & np.isnan(index) & evaluated, 0, index) + evaluated
    return count, highest, events


GAVE: Final = "players are what a period gave"
AS_NOW: Final = "rating, played, age and peak, as they are now"
"""What has to be said where that is refused: what they are, and what may be given."""


def check_name(columns: Collection[str]) -> None:
    """Refuse players with a column ``games``: ignored, it would leave a wrong K.

    >>> check_name(["name", "rating", "games"])
    Traceback (most recent call last):
    ...
    elo_xl.SizeError: players have a column 'games': \
the number of rated games so far is called 'played'
    """
    if "games" in columns and "played" not in columns:
        raise SizeError(
            "players have a column 'games': the number of rated games so far is called 'played'"
        )


def gave(columns: Collection[str]) -> bool:
    """Whether players are what a period gave, whose rating is from before it, by their columns.

    >>> gave(["id", "rating", "new"]), gave(["id", "rating", "played"])
    (True, False)
    """
    return "new" in columns or {"expected", "change"} <= {*columns}


def published(book: Rulebook, done: Changed, fresh: FloatArray) -> FloatArray:
    """First ratings where the rulebook publishes them, otherwise NaN."""
    return np.where(book.first.published(fresh, done.games, done.score), fresh, np.nan)
