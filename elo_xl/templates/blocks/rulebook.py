"""The sheet *Rules*: what the rulebook of a book says, in the language of the book."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from elo_xl.books.book import Book, Constant, Formula, Sheet
from elo_xl.books.text import GENERAL, wrapped_lines

WIDTHS: Final = {1: 27.0, 2: 106.0}

ClauseLine = tuple[str, Constant | Formula]
"""A label and what stands beside it."""


def rule_sheet(book: Book, chosen: str, event: Sequence[ClauseLine], note: str = "") -> None:
    """Write the sheet; ``chosen`` says why it is this rulebook, ``event`` are further lines.

    ``note`` is a paragraph that comes before everything else.
    """
    sheet, say, rules = book.sheet("rules"), book.say, book.rules
    sheet.set_up.exact = WIDTHS
    sheet.heading()
    if note:
        sheet.put(sheet.row, 1, note, "paragraph", GENERAL, "left", measure=False)
        sheet.put(sheet.row, 2, None, "paragraph", measure=False)
        sheet.merge(sheet.cells(sheet.row, 1, 1, 2))
        sheet.height(sheet.row, wrapped_lines(note, 1.05 * sum(WIDTHS.values())))
        sheet.row += 1
    edition: list[ClauseLine] = [(say("label_edition"), say("rules_title"))]
    if rules.since is not None:
        edition.append((say("label_since"), rules.since))
    edition.append((say("label_chosen"), chosen))
    edition.append((say("label_source"), rules.source.say(book.options.language)))
    _section(sheet, say("section_edition"), edition)
    sentences = rules.sentences(book.options.language)
    said = [(say(f"label_{subject}"), text) for subject, text in sentences]
    _section(sheet, say("section_says"), said)
    uncertain = rules.uncertain
    doubts = say("certain") if uncertain is None else uncertain.say(book.options.language)
    _section(sheet, say("section_open"), [(say("label_open"), doubts)])
    _section(sheet, say("section_event"), event)


def _section(sheet: Sheet, title: str, lines: Sequence[ClauseLine]) -> None:
    sheet.row += 1
    sheet.put(sheet.row, 1, title, "section", measure=False)
    sheet.put(sheet.row, 2, None, "section", measure=False)
    sheet.height(sheet.row, 1.2)
    for label, text in lines:
        sheet.row += 1
        shown = sheet.book.date_format if isinstance(text, date) else GENERAL
        sheet.put(sheet.row, 1, label, "label", GENERAL, "left", measure=False)
        sheet.put(sheet.row, 2, text, "paragraph", shown, "left", measure=False)
        if isinstance(text, str):
            sheet.height(sheet.row, wrapped_lines(text, 1.05 * WIDTHS[2]))
    sheet.row += 1
