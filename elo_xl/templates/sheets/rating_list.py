"""Places of players."""

from __future__ import annotations

from typing import Any


def in_order(values: list[float | None]) -> list[Any]:
    """Places from the highest down; equals in the order of the list, "" for none."""
    known = sorted(
        (i for i, v in enumerate(values) if v is not None), key=lambda i: -(values[i] or 0.0)
    )
    orders: list[Any] = [""] * len(values)
    for place, i in enumerate(known, start=1):
        orders[i] = place
    return orders
