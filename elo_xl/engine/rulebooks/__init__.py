"""Rating rules: one frozen :class:`Rulebook` per edition, federation or model.

Each module of this package declares some, as ``RULEBOOKS``; nothing else names the modules. A
rulebook is composed of the clauses of :mod:`.clauses`, and may also be a file of one's own
(:mod:`.own`).
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from elo_xl.engine.errors import choose
from elo_xl.engine.rulebooks.fide import EDITIONS, before, in_force
from elo_xl.engine.rulebooks.rulebook import Rulebook

__all__ = ["EDITIONS", "RULEBOOKS", "Rulebook", "before", "in_force", "rulebook"]

#: The order of the modules in lists; others follow by name.
_FIRST: Final = ("fide", "plain")


def _declared() -> dict[str, Rulebook]:
    names = sorted(module.name for module in iter_modules(__path__))
    found = {"fide": EDITIONS[0]}
    for name in sorted(names, key=lambda n: (n not in _FIRST, n)):
        module = import_module(f"{__name__}.{name}")
        found |= {book.name: book for book in getattr(module, "RULEBOOKS", ())}
    return found


RULEBOOKS: Final[dict[str, Rulebook]] = _declared()
"""All rulebooks by name; ``"fide"`` is FIDE's newest edition."""


def rulebook(rules: str | Rulebook) -> Rulebook:
    """Look up a rulebook by name; ``"fide"`` is FIDE's newest edition.

    >>> rulebook("fide").name
    'fide-2025-10'

    A Rulebook is returned as it is. A path that ends in ``.toml``, or the name of such a file, is a
    rulebook of one's own (:mod:`.own`). Raises OptionError for an unknown name, and for a file that
    is wrong.
    """
    if isinstance(rules, Rulebook):
        return rules
    if rules in RULEBOOKS:
        return RULEBOOKS[rules]
    if str(rules).lower() not in RULEBOOKS:
        from elo_xl.engine.rulebooks import own

        if (path := own.path_of(str(rules))) is not None:
            return own.read(path)
    return RULEBOOKS[choose(rules, RULEBOOKS, "rules")]
