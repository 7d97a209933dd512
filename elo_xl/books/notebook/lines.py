"""Statements of words and lines: paragraphs, yellow cells, and labels with results beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from elo_xl.books.column_words import ColumnLook, Look
from elo_xl.books.model import Seen
from elo_xl.books.names import constant_text
from elo_xl.books.notebook.page import COLUMNS, Input, Page, waiting
from elo_xl.books.statements import BookError, ColumnLine, Statement, typed_formula, words_of
from elo_xl.books.styles import LINE_HEIGHT, PADDING
from elo_xl.books.text import wrapped_lines
from elo_xl.xlsx.fill import column_letters

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_SPLIT: Final = re.compile(r'((?:[^"]|"[^"]*")*?)(?:\s([=:])\s(.*))?', re.DOTALL)
_NAMES: Final = re.compile(r"[a-z]\w*(,[a-z]\w*)+")


def split(statement: Statement) -> tuple[list[str], str, str]:
    """The words of a line, ``=`` or ``:``, and what follows."""
    found = _SPLIT.fullmatch(statement.text)
    assert found is not None
    return words_of(found[1]), found[2] or "", (found[3] or "").strip()


def look_of(page: Page, key: str, words: Sequence[str], statement: Statement) -> Look:
    """How a result looks."""
    return ColumnLook.read(ColumnLine((key,), (*words, '"-"'), None, statement), page.book).look


# -- words ----------------------------------------------------------------------------------------


def text(page: Page, statement: Statement) -> None:
    """``text KEY place=name``, or ``note``."""
    page.paragraph(page.said(statement), "paragraph" if statement.keyword == "text" else "note")


def formula(page: Page, statement: Statement) -> None:
    """``formula "E = …"``."""
    words = statement.rest.strip('"')
    page.sheet.put(page.sheet.row, 1, words, "strong", align="left", measure=False)
    page.sheet.row += 1


def section(page: Page, statement: Statement) -> None:
    """``section KEY place=name``, after a blank row."""
    page.sheet.row += 1
    page.across(page.said(statement), "section")
    page.sheet.height(page.sheet.row, 1.2)
    page.sheet.row += 1


def blank(page: Page, statement: Statement) -> None:
    """``blank``."""
    page.sheet.row += 1


def headings(page: Page, statement: Statement) -> None:
    """``headings a b c``."""
    sheet = page.sheet
    sheet.row += 1
    sheet.put(sheet.row, 1, None, "heading")
    for column, key in enumerate(words_of(statement.rest), start=2):
        words = page.book.say(f"column_{key}")
        sheet.put(sheet.row, column, words, "heading", align="right", measure=False)
    sheet.height(sheet.row, 2)
    sheet.row += 1


def printed_in(page: Page, statement: Statement) -> None:
    """``printed_in both.tables.2.3`` or ``asked_in teaching.problem.4``."""
    words = page.book.say(statement.keyword, where=page.source(statement.rest))
    page.sheet.put(page.sheet.row, 1, words, "note", measure=False)
    page.sheet.row += 1


def texts(page: Page, statement: Statement) -> None:
    """``texts`` with lines ``KEY = t.other(place = "x")``."""
    for child in statement.children:
        (key,), _, meaning = split(child)
        tree = page.sheet.names_at(None).resolve(typed_formula(meaning, child))
        page.book.texts[key] = constant_text(tree)


# -- lines ----------------------------------------------------------------------------------------


def yellow_cell(page: Page, statement: Statement) -> None:
    """``input KEY 20 0..100 0 step:1``."""
    key, usual, *words = words_of(statement.rest)
    yellow, sheet = Input.read(key, words), page.sheet
    typed = page.typed(key, yellow, page.constant(usual))
    page.label(f"column_{key}")
    cell = sheet.put(sheet.row, 2, typed, "input", yellow.number_format, "right")
    sheet.validations.append((cell, yellow.validation, None))
    counts = page.counted(key, page.book.say(f"column_{key}"), cell, yellow, column=3)
    page.name(key, counts, live=True)
    sheet.row += 1


def line(page: Page, statement: Statement) -> None:
    """``KEY words = formula``."""
    (key, *words), sign, meaning = split(statement)
    if sign != "=":
        raise BookError(f"a page has no {key!r}")
    names, labels, rest = [key], [f"line_{key}", f"column_{key}", key], []
    also: list[str] = []
    for word in words:
        if word.startswith("label:"):
            labels = [word[6:]]
        elif word.startswith("waits:"):
            also = word[6:].split(",")
        elif _NAMES.fullmatch(word):
            names = word.split(",")
        else:
            rest.append(word)
    page.label(*labels)
    look, cells = look_of(page, key, rest, statement), page.sheet.cells(page.sheet.row, 2)
    several = meaning[1:-1].split(" ; ") if " ; " in meaning else [meaning]
    formulas = [typed_formula(one, statement) for one in several]
    for j, tree in enumerate(formulas):
        page.put(cells.at(0, j), tree, look, also, wide=len(names))
    live = bool(also) or any(map(page.is_live, formulas))
    for j, name in enumerate(names):
        page.name(name, cells.at(0, j), live=live)
    page.sheet.row += 1


def step(page: Page, statement: Statement) -> None:
    """``step KEY LABEL = formula``."""
    (_, key, label), _, meaning = split(statement)
    tree = typed_formula(meaning, statement)
    shown = waiting(tree, page.live.__contains__)
    seen = Seen(names=page.seen)
    cell = page.back.step(page.sheet, page.book.say(label), shown, Look(align="right"), seen)
    page.name(key, cell, live=page.is_live(tree))


def remark(page: Page, statement: Statement) -> None:
    """``remark KEY 0.00 = formula``."""
    (_, key, *words), sign, meaning = split(statement)
    sheet, row, said = page.sheet, page.sheet.row, page.book.say(f"remark_{key}")
    page.label(f"subject_{key}")
    page.paragraph(said, first=3)
    sheet.put(row, 2, None)
    if sign:
        look = look_of(page, key, words, statement)
        page.put(sheet.cells(row, 2), typed_formula(meaning, statement), look)

    def fit(worksheet: Worksheet) -> None:
        letters = map(column_letters, range(3, COLUMNS + 1))
        width = sum(worksheet.column_dimensions[letter].width - PADDING for letter in letters)
        lines = wrapped_lines(said, 0.88 * width)
        worksheet.row_dimensions[row].height = LINE_HEIGHT * lines + 3

    sheet.edits.append(fit)
