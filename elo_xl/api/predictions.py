"""Games in, probabilities out, from what is known of players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from elo_xl.api.frames import AnyTable, GivenTable
from elo_xl.api.tables import (
    Names,
    neutral_ground,
    scores,
)
from elo_xl.engine import fit as engine
from elo_xl.engine import systems
from elo_xl.engine.arrays import FloatArray
from elo_xl.engine.predictions import predict as predicted_by
from elo_xl.engine.systems import LAST, upcoming

if TYPE_CHECKING:
    pass


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
