"""The games of events fitted all at once: ratings of everybody, whatever event they played in."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from elo_xl.engine import fit as engine
from elo_xl.engine.arrays import finite
from elo_xl.engine.outcomes import DAVIDSON
from elo_xl.events.event import Player, Problem
from elo_xl.events.merging import AllGames, EventFile, all_games
from elo_xl.events.names import find_player
from elo_xl.xlsx.escapes import kept_text

COLUMNS = ("name", "id", "group", "rating", "error", "games", "score", "expected")


@dataclass(frozen=True, slots=True)
class FittedEvents:
    """Ratings that were fitted to the games of events."""

    players: tuple[Player, ...]
    """everybody who has played, in the order of the fit"""
    fit: engine.Fit
    anchor: Player | None
    level: float
    """the rating of the anchor, or the mean of the main group"""
    coloured: bool
    """whether the files tell who had White in all games"""
    games: int
    penalties: int
    """games left out, as a penalty hides their result"""
    notes: tuple[Problem, ...]

    @property
    def order(self) -> list[int]:
        """The players of the main group by rating, then the others, by group and name."""
        group, rating = self.fit.group, self.fit.rating

        def key(i: int) -> tuple[int, float, str]:
            own = -float(rating[i]) if group[i] == 0 and np.isfinite(rating[i]) else 0.0
            return int(group[i]), own, self.players[i].name.casefold()

        return sorted(range(len(self.players)), key=key)

    @property
    def groups(self) -> list[list[Player]]:
        """The players within each group, the main one first."""
        found: list[list[Player]] = [[] for _ in range(int(self.fit.group.max(initial=-1)) + 1)]
        for player, group in zip(self.players, self.fit.group.tolist(), strict=True):
            found[group].append(player)
        return found

    def find(self, who: str) -> int:
        """The player whom a name, a part of one or an ID means; EventError if that is not one."""
        return _find(self.players, who)

    def rows(self) -> list[dict[str, str | int | float | None]]:
        """A row per player, in :attr:`order`; None for a number that games do not tell."""
        fit = self.fit
        return [
            {
                "name": self.players[i].name,
                "id": self.players[i].id,
                "group": int(fit.group[i]) + 1,
                "rating": finite(fit.rating[i]),
                "error": finite(fit.error[i]),
                "games": int(fit.games[i]),
                "score": float(fit.score[i]),
                "expected": finite(fit.expected[i]),
            }
            for i in self.order
        ]

    def as_csv(self) -> bytes:
        """The rows as a CSV file that Excel opens in UTF-8, with four digits after the point; no
        name becomes a formula."""
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS)
        writer.writeheader()
        for row in self.rows():
            texts = {key: kept_text(str(row[key])) for key in ("name", "id")}
            numbers = {key: round(x, 4) for key, x in row.items() if isinstance(x, float)}
            writer.writerow({**row, **numbers, **texts})
        return text.getvalue().encode("utf-8-sig")


def fit_events(
    files: Sequence[EventFile],
    *,
    anchor: str = "",
    rating: float = engine.LEVEL,
    draws: str = DAVIDSON,
    errors: bool = True,
) -> FittedEvents:
    """Fit ratings to the games of all files that are counted.

    A player is one person in all events, by number or by name. ``anchor`` names the player who has
    the ``rating``; the other options are those of :func:`~elo_xl.engine.fit.fit`. White's advantage
    is fitted if all files tell the colours.

    Raises EventError for an anchor who is nobody or may be several, DomainError where there are no
    most likely ratings.
    """
    return fit_games(all_games(files), anchor=anchor, rating=rating, draws=draws, errors=errors)


def fit_games(
    games: AllGames, *, anchor: str, rating: float, draws: str, errors: bool
) -> FittedEvents:
    """Fit ratings to games, with the options and errors of :func:`fit_events`."""
    players = games.players
    fixed = _find(players, anchor) if anchor else None
    done = engine.fit(
        games.first,
        games.second,
        games.score,
        len(players),
        anchor=fixed,
        level=rating,
        draws=draws,
        colours=games.coloured,
        errors=errors,
    )
    who = None if fixed is None else players[fixed]
    return FittedEvents(
        players, done, who, rating, games.coloured, games.score.size, games.penalties, games.notes
    )


def _find(players: Sequence[Player], who: str) -> int:
    return find_player(players, who).number - 1
