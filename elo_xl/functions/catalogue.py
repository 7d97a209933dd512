"""The catalogue: all worksheet functions, from the modules that declare them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from elo_xl.functions.function import DECLARED, Function

MODULES: Final = (
    "elo_xl.functions.expected",
    "elo_xl.functions.ratings",
    "elo_xl.functions.explaining",
    "elo_xl.functions.periods",
    "elo_xl.functions.runs",
    "elo_xl.functions.fitting",
    "elo_xl.functions.predictions",
    "elo_xl.functions.bayesian",
    "elo_xl.functions.deviations",
    "elo_xl.functions.exchange",
    "elo_xl.lists.function",
)
"""The modules that declare functions, in the order of the families; they are imported by name, so
that a room of which no function may know can offer one."""

PREFIX: Final = "ELO_"
"""How the name of every function begins."""


@cache
def functions() -> dict[str, Function]:
    """All functions by name, in the order of the families, whichever was imported first."""
    for module in MODULES:
        import_module(module)
    in_order = sorted(DECLARED.values(), key=lambda f: MODULES.index(f.work.__module__))
    return {function.name: function for function in in_order}


def known(name: str) -> Function | None:
    """The function of a name in capitals, or None.

    Modules are imported only up to the one that declares the function: with a module come those of
    the engine, which take longer to import than a cell to compute.
    """
    modules = iter(MODULES if name.startswith(PREFIX) else ())
    while name not in DECLARED and (module := next(modules, None)):
        import_module(module)
    return DECLARED.get(name)


def find(name: str) -> Function:
    """Find a function by name, in any case; raise LookupError, with similar names, if unknown."""
    wanted = name.upper()
    if (function := known(wanted)) is not None:
        return function

    from difflib import get_close_matches

    whole, names = f"{PREFIX}{wanted}", functions()
    near = [whole] if whole in names else get_close_matches(wanted, names, n=3)
    near = near or get_close_matches(whole, names, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise LookupError(f"no function {name!r}{hint}")
