"""Games in, probabilities out: ``predict``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from elo_xl.api.frames import AnyTable, GivenTable
from elo_xl.api.quality import Fit
from elo_xl.api.tables import (
    Names,
    NamesRead,
    loosely,
    neutral_ground,
    ratings_before,
    scores,
)
from elo_xl.engine import fit as engine
from elo_xl.engine import systems
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.errors import OptionError
from elo_xl.engine.predictions import predict as predicted_by
from elo_xl.engine.systems import LAST, upcoming

if TYPE_CHECKING:
    from elo_xl.api.frames import Table


class Predicting(ABC):
    """What knows with which system its ratings predict."""

    @abstractmethod
    def predict(self, fixtures: AnyTable, *, draws: str | None = None) -> AnyTable:
        """Predict games to come."""


def predict(
    rated: Predicting | Fit[Any] | Table,
    games: AnyTable,
    *,
    system: systems.System | None = None,
    draws: str | None = None,
    names: NamesRead = "exact",
) -> AnyTable:
    """Predict games from ratings: the expected score of White in each, and win, draw and loss.

    >>> from elo_xl import Elo, log_loss
    >>> after = Elo().rate([("Ana", "Bo", "1-0"), ("Bo", "Cy", "1-0")])
    >>> made = predict(after, [("Ana", "Bo", None), ("Cy", "Ana", "½"), ("Di", "Ana", None)])
    >>> list(made), [e if e is None else round(e, 4) for e in made["expected"]]
    (['white', 'black', 'result', 'expected', 'score'], [0.5137, 0.4714, None])
    >>> round(log_loss(made["expected"], made["score"]), 4)
    0.6948

    Args:
        rated (Rated, Fit or table): What a system's ``rate`` or :func:`fit` gave; or a row per
            player, ``name`` and ``rating``, and ``rd`` or ``sd`` where the system keeps them, and
            ``last_period``.
        games (table): A row per game, ``white`` and ``black``, and if known ``neutral``, ``period``
            (the next one without it) and ``result``. All are predicted from the same ratings, those
            of ``rated``.
        system (System, optional): What predicts: the curve, the advantage and the reversion of an
            :class:`Elo`, the deviations of an :class:`Ioffe`, :class:`Glicko` or :class:`Glicko2`
            as the period of the game begins with them, the rulebook of :class:`Rules`. A table
            needs one; what knows its own takes none.
        draws (str, optional): ``"davidson:ν"``, with the ν that :func:`check` finds, or
            ``"split"``, for probabilities of win, draw and loss that make the expected score. A fit
            and :class:`Ioffe` have draws of their own. Default: no such probabilities.
        names ({"exact", "loose"}): As in :func:`rate_period`, for a table.
    Returns:
        table: Of the kind of ``games``, with all their columns, then ``expected``, White's expected
            score; ``win``, ``draw`` and ``loss`` where draws are known; and ``score``, White's as a
            number, if there is a column ``result``. Of whom there is no rating, games stay blank:
            an unknown player is no mistake here.
    Raises:
        SizeError: For a column that is missing, and a player who is there twice in ``rated``.
        DomainError: For a number out of bounds, and a player who is paired with themselves.
        OptionError: For a table without a system, and draws that are unknown or not the model's
            own.
        RatingError: For a result that cannot be read.
    """
    if isinstance(rated, Fit | Predicting) and system is not None:
        kind = type(rated).__name__
        raise OptionError(f"a {kind} predicts by its own system, got {system!r}")
    if isinstance(rated, Predicting):
        return rated.predict(games, draws=draws)
    if isinstance(rated, Fit):
        model: systems.System | engine.Fit = rated.fitted
        index, known = rated._names, {"rating": rated.fitted.rating}
    else:
        if not isinstance(system, systems.System):
            raise OptionError(
                "ratings do not tell their system: give system=Elo(k=20) or another, "
                f"or what its rate gave; got {system!r}"
            )
        model = system
        players = GivenTable(rated, "players")
        index = Names(players.values("name"), loose=loosely(names))
        known = {name: players.numbers(name) for name in model.columns}
        known["rating"] = ratings_before(players)
    return predicted(model, index, known, GivenTable(games, "games"), draws)


def predicted(
    model: systems.System | engine.Fit,
    names: Names,
    known: Mapping[str, FloatArray],
    table: GivenTable,
    draws: str | None,
) -> AnyTable:
    """Predict the games of a table from what is known of players, a number for each."""
    both = np.stack(names.sides(table, strangers=True))
    there = (both >= 0).all(axis=0) & ~np.isnan(known["rating"][both]).any(axis=0)
    first, second = ({name: x[side[there]] for name, x in known.items()} for side in both)
    ground = neutral_ground(table, np.flatnonzero(there))
    neutral = np.zeros(there.sum(), bool) if ground is None else ground
    period = np.full(table.size, upcoming(known.get(LAST, np.array(np.nan))))
    if "period" in table.columns:
        period = table.numbers("period")
    made = predicted_by(model, first, second, neutral, draws, period[there])
    columns = {"expected": made.expected}
    if made.outcomes is not None:
        columns |= zip(("win", "draw", "loss"), made.outcomes.T, strict=True)
    for name, some in columns.items():
        columns[name] = np.full(table.size, np.nan)
        columns[name][there] = some
    if "result" in table.columns:
        columns["score"] = scores(table)
    return table.like(columns, *table.own)
