"""How well ratings would have predicted the games of events, and what a club can do with that."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from elo_xl.engine import check as engine
from elo_xl.engine.check import FIDE_K, Check, Estimate
from elo_xl.engine.models import IntArray
from elo_xl.tournament.event import EventError, Problem
from elo_xl.tournament.time_control import Kind
from elo_xl.tournament.together import AllGames, EventFile, all_games

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
    :func:`elo_xl.engine.check.check`.
    """
    games, several = games_of_kind(files, kind)
    return check_games(games, by=by, kind=several, burn_in=burn_in)


def games_of_kind(
    files: Sequence[EventFile], kind: Kind | None = None
) -> tuple[AllGames, Kind | None]:
    """The games of one kind of play, that of most games unless given; the kind too if the files
    have several. Raises EventError if there are none."""
    games: Counter[Kind] = Counter()
    for file in files:
        if file.counted and file.event is not None:
            games[file.kind] += len(file.event.games)
    wanted = kind or next((one for one, _ in games.most_common(1)), None)
    own = [file for file in files if not file.counted or file.kind == wanted]
    return all_games(own), wanted if len(games) > 1 else None


def check_games(
    games: AllGames,
    *,
    by: str = "",
    kind: Kind | None = None,
    burn_in: int = engine.BURN_IN,
    lists: Sequence[Hashable] | None = None,
) -> Checked:
    """Check games; ``lists`` has for each game the day of the list for which it was rated."""
    undated = sum(day is None for day in games.days)
    by = by or (BY_LIST if lists is not None else BY_GAME if undated else BY_MONTH)
    if by == BY_MONTH and undated:
        raise EventError([Problem(f"{undated} of {len(games.days)} games have no day: --by game")])
    order, period = np.arange(games.score.size), None
    if by == BY_LIST and lists is not None:
        order, period = in_order(lists)
    elif not undated:
        order, period = in_order([day and day.toordinal() for day in games.days])
        if by == BY_MONTH:
            months = [day.year * 12 + day.month for day in games.days if day is not None]
            period = np.array(months, np.int64)[order]
    done = engine.check(
        games.first[order],
        games.second[order],
        games.score[order],
        len(games.players),
        rating=[p.rating or math.nan for p in games.players],
        period=None if by == BY_GAME else period,
        colours=games.coloured,
        burn_in=burn_in,
    )
    return Checked(done, by, kind, games.penalties, games.notes)


def in_order(days: Sequence[Any]) -> tuple[IntArray, IntArray]:
    """The order of time, and the number of each game's day in that order."""
    number = np.unique(np.array(days), return_inverse=True)[1]
    order = np.argsort(number, kind="stable")
    return order, number[order]


def sentences(check: Check) -> list[str]:
    """What a club can act on, in plain words."""
    said = [_of_k(check)]
    worth = check.base.log_loss - check.best.log_loss
    gain = check.fide.log_loss - check.best.log_loss
    if not check.k.holds(FIDE_K) and worth > 0 and gain > 0:
        home = "" if check.home is None else " and White's advantage"
        said.append(
            f"K {check.k.value:.0f}{home} lower the log loss from {check.fide.log_loss:.4f} to "
            f"{check.best.log_loss:.4f}, by {gain / worth:.0%} of what the ratings tell."
        )
    if check.needed is not None:
        said.append(
            f"These games are too few to tell K: it would take {check.needed:,} predicted games or "
            f"more, and there are {check.scored:,}."
        )
    if check.home is not None:
        if check.home.holds(0):
            what = "nothing speaks for an advantage"
        else:
            what = "count it when you predict a game; FIDE's ratings do not"
        said.append(f"White's advantage is {within(check.home)} points: {what}.")
    if check.draw is not None:
        nu = check.draw.value
        said.append(
            f"Draws: ν = {within(check.draw, 2)}, so equal players draw {nu / (2 + nu):.0%}."
        )
    if worth <= 0:
        said.append("Even the best ratings predict no better than knowing nothing of the players.")
    return said


def _of_k(check: Check) -> str:
    k = check.k
    if k.low == 0 and math.isinf(k.high):
        return "The games tell nothing of K."
    if k.low == 0:
        what = f"K up to {k.high:.0f} predicts your games best"
    elif math.isinf(k.high):
        what = f"K from {k.low:.0f} on predicts your games best"
    else:
        what = f"K between {k.low:.0f} and {k.high:.0f} predicts your games best"
    if k.holds(FIDE_K):
        return f"{what}; FIDE's {FIDE_K:.0f} is within: nothing speaks for another K."
    side = "below: ratings follow too slowly" if k.low > FIDE_K else "above: they jump too far"
    return f"{what}; FIDE's {FIDE_K:.0f} is {side}."


def within(found: Estimate, digits: int = 0) -> str:
    """An estimate with its interval.

    >>> within(Estimate(24.1, 18.3, 34.2)), within(Estimate(200, 120, float("inf")))
    ('24 (18 to 34)', '200 (120 or more)')
    """

    def shown(number: float) -> str:
        return f"{number:.{digits}f}".replace("-", "−")

    if math.isinf(found.high):
        interval = f"{shown(found.low)} or more" if math.isfinite(found.low) else "or any other"
    elif found.low in (0, -math.inf):
        interval = f"{shown(found.high)} or less"
    else:
        interval = f"{shown(found.low)} to {shown(found.high)}"
    return f"{shown(found.value)} ({interval})"
