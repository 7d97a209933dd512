"""A book of pages, with the sheets *Contents* before them, and *Steps* and *Curves* behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from elo_xl.books import plots
from elo_xl.books.model import Declared, Table
from elo_xl.books.notebook import lines, tables
from elo_xl.books.notebook.page import PIECES, Back, Input, Page
from elo_xl.books.statements import (
    ColumnLine,
    Statement,
    located,
    options_of,
    piece_of,
    statements,
    words_of,
)
from elo_xl.books.styles import PADDING
from elo_xl.books.text import wrapped_lines

if TYPE_CHECKING:
    pass

NAME, SENTENCE = 34.0, 76.0
"""Widths of the sheet *Contents*."""

STATEMENTS: Final[Mapping[str, Callable[[Page, Statement], None]]] = {
    "text": lines.text,
    "note": lines.text,
    "formula": lines.formula,
    "section": lines.section,
    "blank": lines.blank,
    "headings": lines.headings,
    "printed_in": lines.printed_in,
    "asked_in": lines.printed_in,
    "texts": lines.texts,
    "input": lines.yellow_cell,
    "step": lines.step,
    "remark": lines.remark,
    "table": tables.table,
    "points": tables.points,
    "facts": tables.facts,
    "chart": lambda page, statement: plots.chart(page.sheet, statement, page.cells),
}
"""Any other statement is a line."""


def write(book: Declared, texts: Mapping[str, str]) -> Mapping[str, Input]:
    """Declare the pages of some texts; gives every yellow cell, by the key of what is typed into
    it: ``PAGE.INPUT``, or in a table ``PAGE.INPUT.ROW``.

    Raises BookError: what is wrong @ where.
    """
    declared = [one for where, text in texts.items() for one in statements(text, where)]
    book.pieces.update(map(piece_of, statements(PIECES, "notebook")))
    for statement in declared:
        if statement.keyword == "pieces":
            book.pieces.update(map(piece_of, statement.children))
        elif statement.keyword != "page":
            raise statement.error(f"a notebook has pages, not {statement.keyword!r}")
    pages = [one for one in declared if one.keyword == "page"]
    _contents(book, [words_of(page.rest)[0] for page in pages])
    back = _back(book)
    for page in pages:
        _page(book, back, page)
    return back.inputs


def _contents(book: Declared, keys: Sequence[str]) -> None:
    """The sheet of all pages, each with the sentence that it begins with; makes their sheets."""
    sheet, here = book.sheet("contents"), Statement("", "contents")
    sheet.heading()
    pages = [book.sheet(key) for key in keys]
    sentences = [book.say(f"about_{key}").split(". ")[0].rstrip(".") + "." for key in keys]
    book.data["Contents"] = [
        {"sheet": page.title, "about": sentence}
        for page, sentence in zip(pages, sentences, strict=True)
    ]
    columns = [
        ColumnLine(("sheet",), ("left", "strong"), None, here),
        ColumnLine(("about",), ("left", "paragraph"), None, here),
    ]
    table = Table(sheet, "Contents", columns, len(keys))
    table.fitted = False
    for i, (page, sentence) in enumerate(zip(pages, sentences, strict=True)):
        sheet.height(table.first + i, wrapped_lines(sentence, SENTENCE - 4))
        sheet.link(table.cell("sheet", i), page.cells(1, 1))
    sheet.set_up.exact = {1: NAME + PADDING, 2: SENTENCE}
    sheet.set_up.upright, sheet.set_up.down, sheet.set_up.tab = True, 1, "help"


def _back(book: Declared) -> Back:
    """The sheets behind all pages."""
    back = Back(book.sheet("steps"), book.sheet("curves"))
    for sheet, titles in ((back.steps, 3), (back.curves, 4)):
        sheet.line(book.say(f"about_{sheet.key}"))
        sheet.set_up.titles, sheet.set_up.hidden = titles, True
    for column, key in enumerate(("sheet", "input", "counts"), start=1):
        align = "right" if key == "counts" else "left"
        back.steps.put(3, column, book.say(f"column_{key}"), "heading", align=align)
    back.steps.row = 4
    return back


def _page(book: Declared, back: Back, statement: Statement) -> None:
    """``page KEY down:N wide``."""
    key, *words = words_of(statement.rest)
    page = Page(book, key, back)
    set_up = page.sheet.set_up
    set_up.upright, set_up.down, set_up.titles = "wide" not in words, 1, 0
    set_up.read(options_of([word for word in words if word != "wide"]), statement)
    page.sheet.heading()
    page.paragraph(book.say(f"about_{key}"))
    _read(page, statement.children)


def _read(page: Page, declared: Sequence[Statement]) -> None:
    """Write what statements say."""
    for statement in declared:
        page.sheet.where = statement.where
        with located(statement.where):
            if statement.keyword == "problem":
                _read(page, _problem(statement))
            else:
                STATEMENTS.get(statement.keyword, lines.line)(page, statement)


def _problem(statement: Statement) -> list[Statement]:
    """What ``problem 4 matches`` stands for."""
    number, subject = words_of(statement.rest)
    before = f"section heading_problem number={number}", f"text problem_{number}"
    after = f"note see_sheet sheet=t.sheet_{subject}"
    return [
        *(Statement(text, statement.where) for text in (*before, f"text answer_{number}")),
        *statement.children,
        Statement(after, statement.where),
    ]
