"""How much more a clear win counts, by a setting of the book: as :class:`elo_xl.engine.systems.Elo`
has it."""

from __future__ import annotations

from typing import Final

from elo_xl.books.book import Book
from elo_xl.books.statements import pieces

CHOICES: Final = ("none", "log", "goals")
"""The texts ``margin_KEY`` that such a setting may offer."""

_PIECES: Final = """
# how much a game counts; ahead is the rating of the first side minus that of the second one
margin_weight(kind, ours, theirs, ahead) = cases(
    kind = t.margin_log, cases(ours = theirs, LN(2) * 2.2, ours > theirs,
        LN(1 + MAX(1, ours - theirs)) * 2.2 / (0.001 * (ahead) + 2.2),
        LN(1 + MAX(1, theirs - ours)) * 2.2 / (0.001 * -(ahead) + 2.2)),
    kind = t.margin_goals, cases(ABS(ours - theirs) < 2, 1, ABS(ours - theirs) = 2, 1.5,
        (11 + ABS(ours - theirs)) / 8), 1)
"""


def margins(book: Book) -> None:
    """Let formulas of a book say how much a game counts: ``margin_weight``."""
    book.pieces |= pieces(_PIECES, "margins")
