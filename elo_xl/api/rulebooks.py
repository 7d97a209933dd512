"""The rulebooks by name: ``elo_xl.rulebooks``."""

from __future__ import annotations

from typing import Final

from elo_xl.api.frames import GivenTable
from elo_xl.api.showing import html
from elo_xl.engine.rulebooks import RULEBOOKS, Rulebook


class Rulebooks(dict[str, Rulebook]):
    """Rulebooks by name, which show themselves in a line, and in a notebook as a table."""

    def __repr__(self) -> str:
        editions = [name for name in self if name[-3:-2] == "-"]
        names = ", ".join(name for name in self if name not in editions)
        return f"<Rulebooks {names}, and {len(editions)} dated editions>"

    def _repr_html_(self) -> str:
        rows = [(name, book.title.say(), book.since) for name, book in self.items()]
        columns = dict(zip(("name", "title", "since"), zip(*rows, strict=True), strict=True))
        return html("Rulebooks", GivenTable(columns, "rulebooks"))


rulebooks: Final = Rulebooks(RULEBOOKS)
"""All rulebooks by name; ``"fide"`` is FIDE's newest edition.

>>> elo.rulebooks["fide"].since.isoformat()
'2025-10-01'
"""
