"""The catalogue: all worksheet functions, from the modules that declare them."""

from __future__ import annotations

from functools import cache
from typing import Final

from elo_xl.functions import (
    bayesian,
    deviations,
    exchange,
    expected,
    explaining,
    histories,
    periods,
    predictions,
    rating_list,
    ratings,
    runs,
)
from elo_xl.functions.function import DECLARED, Function

_MODULES: Final = (
    *(expected, ratings, explaining, periods, runs, histories, predictions),
    *(bayesian, deviations, exchange, rating_list),
)


@cache
def functions() -> dict[str, Function]:
    """All functions by name, in the order of the families, whichever was imported first."""
    modules = [module.__name__ for module in _MODULES]
    in_order = sorted(DECLARED.values(), key=lambda f: modules.index(f.work.__module__))
    return {function.name: function for function in in_order}


def find(name: str) -> Function:
    """Find a function by name, in any case; raise LookupError, with similar names, if unknown."""
    known = functions()
    try:
        return known[name.upper()]
    except KeyError:
        from difflib import get_close_matches

        whole = f"ELO_{name.upper()}"
        near = [whole] if whole in known else get_close_matches(name.upper(), known, n=3)
        near = near or get_close_matches(whole, known, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise LookupError(f"no function {name!r}{hint}") from None
