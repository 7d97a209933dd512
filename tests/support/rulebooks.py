"""The rulebooks by what they can do, for tests of what they share."""

from typing import Final

from elo_xl.engine.rulebooks import RULEBOOKS

IN_BOOKS: Final = [name for name, book in RULEBOOKS.items() if book.linear]
"""Those of which workbooks have formulas: FIDE's editions and the plain models."""

ANY_K: Final = [name for name, book in RULEBOOKS.items() if book.change.takes_k]
"""Those under which somebody may give the K factor."""
