"""How books look and what they lock: styles, helper columns and sheets, colours of tabs."""

from __future__ import annotations

from typing import Any

import pytest

from elo_xl.books.book import Book, BookError, Options
from elo_xl.books.styles import ROLES, TABS
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


@pytest.mark.parametrize("template", TEMPLATES)
def test_what_only_computes_is_hidden(template: str) -> None:
    book = a_book(template)
    workbook = book.workbook
    hidden = {sheet.title for sheet in workbook.worksheets if sheet.sheet_state == "hidden"}
    assert hidden == {sheet.title for sheet in book.sheets.values() if sheet.set_up.hidden}
    assert book.say("sheet_steps") in hidden
    for sheet in book.sheets.values():
        columns = workbook[sheet.title].column_dimensions
        for table in sheet.tables:
            for key, look in table.columns.items():
                column = columns[table.letter(key)]
                assert (column.hidden, column.outlineLevel) == (look.helper, int(look.helper)), key


def test_tabs_tell_what_a_sheet_is_for() -> None:
    workbook: Any = a_book("swiss").workbook
    colours = {sheet.title: sheet.sheet_properties.tabColor.rgb[2:] for sheet in workbook}
    kinds = {colour: kind for kind, colour in TABS.items()}
    assert {title: kinds[colour] for title, colour in colours.items()} == {
        "Start here": "help",
        "Players": "typed",
        "Pairings": "typed",
        "Standings": "result",
        "Ratings": "result",
        "Gains and losses": "result",
        "Tie-breaks": "result",
        "Each game": "result",
        "Signs": "help",
        "Steps": "helper",
    }


def test_a_title_that_excel_reserves_is_refused() -> None:
    with pytest.raises(BookError, match="Excel reserves the title 'hiSTORY' for itself"):
        Book("swiss", Options()).sheet("x", "hiSTORY")


def test_a_helper_column_hides_no_other() -> None:
    book = Book("swiss", Options())
    book.read(
        """
        sheet "Games"
            table One rows:2
                a helper "A" = 1
            table Two rows:2
                b "B" = 1
        """
    )
    with pytest.raises(BookError, match="column A is a helper in one table, but not in all"):
        book.finish()
