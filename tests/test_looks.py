"""How books look and what they lock: styles, helper columns and sheets, colours of tabs."""

from __future__ import annotations

from typing import Any

import pytest

from elo_xl.books.book import Book
from elo_xl.books.styles import ROLES
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from tests.support.template_books import build

EVERY = 12
"""Players, and rounds, of a book that takes more."""


def a_book(template: str, *, sample: bool = True) -> Book:
    """A small book of a template."""
    known = TEMPLATES[template]
    options = gallery.options(
        template,
        players=min(known.players[1], EVERY) if known.players else None,
        rounds=min(known.rounds[1], EVERY) if known.rounds else None,
    )
    return build(template, options, gallery.sample(template, options) if sample else None)


@pytest.mark.parametrize("template", TEMPLATES)
def test_only_what_is_typed_and_what_a_cut_leaves_is_unlocked(template: str) -> None:
    workbook: Any = a_book(template).workbook
    styles = {style.name: style.protection.locked for style in workbook._named_styles}
    assert not styles.pop("Normal")
    assert not styles.pop("Elo input")
    assert all(styles.values())
    assert set(styles) < {f"Elo {role}" for role in ROLES}
    for sheet in workbook.worksheets:
        columns = sheet.column_dimensions.values()
        assert sum(column.max - column.min + 1 for column in columns) == 16384, sheet.title
        assert all(column.protection.locked for column in columns), sheet.title
        for row in sheet:
            for cell in row:
                assert cell.protection.locked == (cell.style != "Elo input"), cell.coordinate
