"""The sheet *Rules*: what the rulebook of a book says, in the language of the book."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from elo_xl.books.book import Book, Constant, Formula, Sheet
from elo_xl.books.text import GENERAL, wrapped_lines
from elo_xl.engine.rulebooks import RULEBOOKS

WIDTHS: Final = {1: 27.0, 2: 106.0}

Line = tuple[str, Constant | Formula]
"""A label and what stands beside it."""


def rule_sheet(book: Book, chosen: str, event: Sequence[Line]) -> None:
    """Write the sheet; ``chosen`` says why it is this rulebook, ``event`` are further lines."""
    sheet, say, rules = book.sheet("rules"), book.say, book.rules
    sheet.set_up.exact = WIDTHS
    sheet.heading()
    edition: list[Line] = [(say("label_edition"), book.rules_title)]
    if rules.since is not None:
        edition.append((say("label_since"), rules.since))
    edition.append((say("label_chosen"), chosen))
    edition.append((say("label_source"), say(f"source_{rules.name}")))
    _section(sheet, say("section_edition"), edition)
    said = [(say(f"label_{key}"), text) for key, text in sentences(book)]
    _section(sheet, say("section_says"), said)
    same = (name for name, other in RULEBOOKS.items() if other.uncertain == rules.uncertain)
    doubts = say(f"uncertain_{next(same)}") if rules.uncertain else say("certain")
    _section(sheet, say("section_open"), [(say("label_open"), doubts)])
    _section(sheet, say("section_event"), event)


def sentences(book: Book) -> Iterator[tuple[str, str]]:
    """What the rulebook says, by subject."""
    say, rules = book.say, book.rules
    text = say("rule_rated")
    if rules.unrated_gap is not None:
        text += " " + say("rule_gap", gap=rules.unrated_gap, above=rules.unrated_above)
    yield "rated_games", text
    kind = "full" if rules.cap is None else "one_upgrade" if rules.one_upgrade else "cap"
    text = f"{say('rule_difference')} {say(f'difference_{kind}', cap=rules.cap)}"
    if rules.uncapped_from is not None:
        text += " " + say("rule_uncapped", rating=rules.uncapped_from)
    yield "difference", text
    yield "expected", say(f"model_{rules.model}")
    rounded = say("rule_rounded" if rules.rounded else "rule_unrounded")
    yield "change", f"{say('rule_change')} {rounded}"
    yield "k", " ".join(_k(book))
    yield "first", " ".join(_first(book))
    yield "performance", say(f"performance_{'table' if rules.performance == 'fide' else 'root'}")


def _k(book: Book) -> Iterator[str]:
    say, k = book.say, book.rules.k
    yield say("k_master", k=k.master, rating=k.master_from)
    if k.young_age is not None:
        yield say("k_young", k=k.new, age=k.young_age, rating=k.young_below)
    yield say("k_new", k=k.new, games=k.new_games, standard=k.standard)
    if k.most_points is not None:
        yield say("k_most", most=k.most_points)


def _first(book: Book) -> Iterator[str]:
    say, first = book.say, book.rules.first
    if first.method == "root":
        yield say("first_root")
        return
    if first.method == "half points":
        points = f"{first.per_half_point:g}".replace(".", book.decimal_sign)
        yield say("first_half", points=points)
    else:
        yield say("first_draws", draws=first.draws, against=first.draws_against)
    if first.most is not None:
        yield say("first_most", most=first.most)
    yield say("first_needs", games=first.games, floor=first.floor)
    if not first.zero_counts:
        yield say("first_zero")


def _section(sheet: Sheet, title: str, lines: Sequence[Line]) -> None:
    sheet.row += 1
    sheet.put(sheet.row, 1, title, "section", measure=False)
    sheet.put(sheet.row, 2, None, "section", measure=False)
    sheet.height(sheet.row, 1.2)
    for label, text in lines:
        sheet.row += 1
        shown = GENERAL if isinstance(text, str | Formula) else sheet.book.date_format
        sheet.put(sheet.row, 1, label, "label", GENERAL, "left", measure=False)
        sheet.put(sheet.row, 2, text, "paragraph", shown, "left", measure=False)
        if isinstance(text, str):
            sheet.height(sheet.row, wrapped_lines(text, 1.05 * WIDTHS[2]))
    sheet.row += 1
