"""What is public says so: :class:`elo_xl.Elo` calls itself that in tracebacks, pickles and help."""

from __future__ import annotations

from collections.abc import Mapping

import elo_xl


def own(names: Mapping[str, object]) -> None:
    """Let the public names of a module, whose ``vars()`` these are, be those of :mod:`elo_xl`.

    >>> elo_xl.expected.__module__, elo_xl.DomainError.__module__
    ('elo_xl', 'elo_xl')
    """
    home = str(names["__name__"]).removeprefix("elo_xl.")
    for name in vars(elo_xl)["_MODULES"][home].split():
        if callable(names[name]):
            names[name].__module__ = elo_xl.__name__
