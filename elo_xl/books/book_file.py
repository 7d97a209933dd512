"""A book as a file: sheets as blocks of text, for somebody who knows formulas but no Python.

::

    book "Office table tennis"
        language en
        about "Everybody's points and ranks."
        step "Type the games on the sheet Games."
    settings
        Points_for_a_win "Points for a win" 0..10 = 2
    sheet "Games" freeze:winner
        note "One line a game."
        table Games rows:40
            no      0 quiet "No."                   = row_number
            winner  @ left input 20 "Winner"
        typed
            Ana

Sheets, tables, pieces, marks and totals are those of :mod:`elo_xl.books`; headings,
notes, prompts and errors are written in quotes where they stand. ``typed`` is what ``--sample``
fills in, a line a row, in the order of the columns that can be typed.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from elo_xl.books.book import Book, BookError, Constant, Content, Options
from elo_xl.books.front import Setting, front
from elo_xl.books.language import StatementReader
from elo_xl.books.model import Row
from elo_xl.books.statements import Statement, located, statements, words_of
from elo_xl.engine.errors import choose
from elo_xl.engine.rulebooks import rulebook
from elo_xl.languages import CODES

SUFFIX: Final = ".book"

_OWN: Final = ("prompt_", "error_", "step_", "about_", "check_", "setting_", "purpose", "title")
"""Texts that a file says itself, or nobody."""


class FileBook(Book):
    """A book whose texts stand in its file, which somebody else may have written."""

    most_cells = 500_000

    def say(self, key: str, **places: object) -> str:
        """A text of the file, one that all books share, or a heading made of a column's key."""
        shared = not key.startswith(_OWN) or key == "setting_rules"
        if key in self.texts or shared:
            try:
                return super().say(key, **places)
            except BookError:
                if not key.startswith("column_"):
                    raise
        elif not key.startswith("column_"):
            raise BookError(f"no text is named {key!r}")
        return key.removeprefix("column_").replace("_", " ").capitalize()


def read(
    path: Path, options: Options, *, filled: bool = False, content: Content | None = None
) -> FileBook:
    """The book that a file describes; ``filled``: with what it gives as a sample.

    ``language`` and ``rules`` of ``options`` are those of the file where they are empty.

    Raises BookError: what is wrong @ file:line; OSError and UnicodeDecodeError for a file that
    cannot be read.
    """
    declared = statements(path.read_text(encoding="utf-8-sig"), path.name)
    if not declared or declared[0].keyword != "book":
        raise BookError(f'a book begins with a line: book "Its title" @ {path.name}:1')
    head, *rest = declared
    texts: dict[str, str] = {"title": _quoted(head.rest, head)}
    options = _heading(head, options, texts)
    content = dict(_samples(rest)) if filled else content
    book = FileBook("file", replace(options, rules=options.rules or "fide"), content)
    book.texts.update(texts)
    book.made_from, book.said = path.name, options
    settings = [s for s in rest if s.keyword == "settings"]
    fields = [_setting(book, child) for s in settings for child in s.children]
    front(book, *fields, rules=bool(options.rules))
    sheets = [_without_samples(s) for s in rest if s.keyword != "settings"]
    StatementReader(book, {}, {}).declare(sheets)
    return book


def _heading(head: Statement, options: Options, texts: dict[str, str]) -> Options:
    """What the lines below ``book`` say."""
    language, rules, steps = options.language, options.rules, 0
    for child in head.children:
        match child.keyword:
            case "language":
                with located(child.where):
                    spoken = choose(child.rest, CODES, "language")
                language = options.language or spoken
            case "rules":
                with located(child.where):
                    named = rulebook(child.rest).name
                rules = options.rules or named
            case "about":
                texts["purpose"] = _quoted(child.rest, child)
            case "step":
                steps += 1
                texts[f"step_{steps}"] = _quoted(child.rest, child)
            case keyword:
                raise child.error(f"a book has language, rules, about and step, not {keyword!r}")
    texts.setdefault("purpose", texts["title"])
    return replace(options, language=language or CODES[0], rules=rules)


def _setting(book: FileBook, statement: Statement) -> Setting:
    """``NAME "Label" least..most = value``."""
    left, _, value = statement.text.partition("=")
    name, *words = words_of(left)
    setting = Setting(name, name, _typed(value.strip().strip('"')))
    book.texts[f"setting_{name}"] = name.replace("_", " ")
    book.texts[f"prompt_{name}"] = ""
    for word in words:
        low, dots, high = word.partition("..")
        if word.startswith('"'):
            book.texts[f"setting_{name}"] = word[1:-1]
        elif dots:
            bounds = {"least": low, "most": high}
            book.texts[f"error_{name}"] = book.say("between", **bounds)
            try:
                setting = replace(setting, least=float(low), most=float(high))
            except ValueError:
                raise statement.error(f"bounds look like 0..100, not {word!r}") from None
        else:
            raise statement.error(f"a setting has a label and bounds, not {word!r}")
    return setting


def _samples(declared: list[Statement]) -> Iterator[tuple[str, list[Row]]]:
    """By table, the rows of its section ``typed``."""
    for sheet in declared:
        table: Statement | None = None
        for child in sheet.children:
            if child.keyword == "table":
                table = child
            elif child.keyword == "typed":
                if table is None:
                    raise child.error("typed rows stand below their table")
                keys = [line.text.split()[0] for line in table.children if _is_typed(line.text)]
                rows = [_row(keys, line) for line in child.children]
                yield table.rest.split()[0], rows


def _is_typed(line: str) -> bool:
    return "input" in words_of(line.partition("=")[0])


def _row(keys: list[str], line: Statement) -> Mapping[str, Constant]:
    cells = next(csv.reader([line.text], skipinitialspace=True))
    if len(cells) > len(keys):
        raise line.error(f"{len(cells)} cells for {len(keys)} columns that can be typed")
    return dict(zip(keys, map(_typed, cells), strict=False))


def _typed(text: str) -> Constant:
    """A cell as somebody types it: a number, a text or nothing."""
    if not text:
        return None
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text


def _without_samples(statement: Statement) -> Statement:
    children = [child for child in statement.children if child.keyword != "typed"]
    return Statement(statement.text, statement.where, children)


def _quoted(text: str, statement: Statement) -> str:
    if len(text) < 2 or not text.startswith('"') or not text.endswith('"'):
        raise statement.error(f'a text stands in quotes: "{text}"')
    return text[1:-1]
