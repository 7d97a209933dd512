"""Rating rules: one frozen :class:`Rulebook` per edition, federation or model.

Each module of this package declares some, as ``RULEBOOKS``; nothing else names the modules. A
rulebook is composed of the clauses of :mod:`.clauses`, and may also be a file of one's own
(:mod:`.own`).
"""

from __future__ import annotations

from datetime import date
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

from elo_xl.engine.errors import OptionError, choose
from elo_xl.engine.rulebooks.fide import EDITIONS, before, in_force, usual
from elo_xl.engine.rulebooks.rulebook import Rulebook

__all__ = ["EDITIONS", "RULEBOOKS", "Rulebook", "before", "in_force", "on", "rulebook", "usual"]

#: The order of the modules in lists; others follow by name.
_FIRST: Final = ("fide", "plain")


def _declared() -> dict[str, Rulebook]:
    names = sorted(module.name for module in iter_modules(__path__))
    found: dict[str, Rulebook] = {}
    for name in sorted(names, key=lambda n: (n not in _FIRST, n)):
        module = import_module(f"{__name__}.{name}")
        books: tuple[Rulebook, ...] = getattr(module, "RULEBOOKS", ())
        if newest := getattr(module, "NEWEST", ""):
            found[newest] = books[0]
        found |= {book.name: book for book in books}
    return found


RULEBOOKS: Final[dict[str, Rulebook]] = _declared()
"""All rulebooks by name; ``"fide"`` and ``"us-chess"`` are the newest editions.

>>> elo.rulebooks["fide"] is elo.rulebooks["fide-2025-10"], len(elo.rulebooks)
(True, 21)
"""


def on(rules: str | Path | Rulebook, day: date | None) -> Rulebook:
    """The rulebook, as :func:`rulebook` has it; of US Chess the edition in force on a day.

    >>> on("us-chess", date(2024, 5, 1)).name, on("us-chess", None).name
    ('us-chess-2023-02', 'us-chess-2025-01')

    ``"fide"`` is always FIDE's newest edition: whoever names no rules gets the one of the day.
    """
    if isinstance(rules, str) and rules.lower() in RULEBOOKS and rules.lower() != "fide" and day:
        begins = f"{rules.lower()}-"
        editions = [book for name, book in RULEBOOKS.items() if name.startswith(begins)]
        known = [book for book in editions if book.since and book.since <= day]
        if known:
            return max(known, key=lambda book: book.since or day)
    return rulebook(rules)


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
