"""``elo-explained``: all that the five source papers compute, live, beside what they printed.

A sheet a subject: formula, cells to play with, results, printed values with paper and equation,
misprints marked. Nothing else is typed.
"""

from __future__ import annotations

from typing import Final

from elo_xl.templates.explained import (
    axioms,
    bayes,
    bridge,
    classes,
    consequences,
    contents,
    decimals,
    expected_score,
    football,
    logistic,
    margin,
    matches,
    misprints,
    new_rating,
    problems,
    results,
    tournament,
    two_formulas,
    unequal,
    unrated,
    what_k_does,
)
from elo_xl.templates.explained.page import Content, Explained
from elo_xl.templates.forms import Form, Options
from elo_xl.templates.front import front

EMPTY: Final[Content] = {}
"""Nothing typed anew: the cells to play with hold the papers' numbers."""

SHEETS: Final = (
    results,
    expected_score,
    consequences,
    unequal,
    logistic,
    decimals,
    matches,
    football,
    unrated,
    margin,
    tournament,
    new_rating,
    what_k_does,
    classes,
    axioms,
    two_formulas,
    bayes,
    bridge,
    problems,
    misprints,
)
"""In the order of reading."""


def sample(options: Options) -> Content:
    """The same: the papers are the sample."""
    return EMPTY


def build(form: Form, content: Content) -> None:
    """Write all sheets."""
    write(form, content)


def write(form: Form, content: Content) -> Explained:
    """Write all sheets, and say what stands on them."""
    front(form, rules=False)
    book = Explained(form, content)
    for sheet in SHEETS:
        sheet.write(book)
    contents.write(book)
    book.finish()
    return book
