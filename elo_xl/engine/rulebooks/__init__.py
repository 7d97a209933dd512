"""Rating rules: one frozen :class:`Rulebook` per edition, federation or model.

Each module of this package declares some, as ``RULEBOOKS``; nothing else names the modules. A
rulebook is composed of the clauses of :mod:`.clauses`, and may also be a file of one's own
(:mod:`.own`).
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

from elo_xl.engine.errors import OptionError, choose
from elo_xl.engine.rulebooks.fide import EDITIONS, before, in_force, usual
from elo_xl.engine.rulebooks.rulebook import Rulebook

__all__ = ["EDITIONS", "RULEBOOKS", "Rulebook", "before", "in_force", "rulebook", "usual"]

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
"""All rulebooks by name; ``"fide"`` is FIDE's newest edition.

>>> elo.rulebooks["fide"] is elo.rulebooks["fide-2025-10"], len(elo.rulebooks)
(True, 16)
"""


def rulebook(rules: str | Path | Rulebook) -> Rulebook:
    """Look up a rulebook by name; ``"fide"`` is FIDE's newest edition.

    >>> rulebook("fide").name
    'fide-2025-10'

    A text may also name a rulebook of one's own, a file in the folder of those (:mod:`.own`). A
    ``Path`` is such a file anywhere; a Rulebook is returned as it is. Raises OptionError for an
    unknown name, and for a file that is wrong.
    """
    if isinstance(rules, str) and (known := RULEBOOKS.get(rules.lower())) is not None:
        return known
    if isinstance(rules, Rulebook):
        return rules
    from elo_xl.engine.rulebooks import own

    if isinstance(rules, Path):
        book = own.read(rules)
        if book.name.lower() in RULEBOOKS:
            what = f"{book.name} comes with elo_xl: a file of one's own needs another name"
            raise OptionError(f"{what} @ {rules}")
        return book
    if isinstance(rules, str):
        known = own.named(rules)
        if known is not None:
            return known
    own_ones = (
        f"; one of your own is known by its name in {own.folder()}, and to commands also by "
        "the path of its .toml file"
    )
    return RULEBOOKS[choose(rules, RULEBOOKS, "rules", own_ones)]
