"""A book as a file: sheets as blocks of text, for somebody who knows formulas but no Python.

::

    book "Office table tennis"
        language en
        about "Everybody's points and ranks."
        step "Type the games on the sheet Games."
    settings
        Points_for_a_win "Points for a win" 0..10 = 2
    sheet "Games" freeze:winner
        note "One line per game."
        table Games rows:40
            no      0 quiet "No."                   = row_number
            winner  @ left input 20 "Winner"
        typed
            Ana

Sheets, tables, pieces, marks and totals are those of :mod:`elo_xl.books`; headings,
notes, prompts and errors are written in quotes where they stand. ``typed`` is what ``--sample``
fills in, one line per row, in the order of the columns that can be typed.

A template is such a file, too, which names its texts instead of saying them: ``book season``. All
that its texts do not say, a copy of it may say in quotes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cached_property
from math import isfinite, prod
from pathlib import Path
from typing import Any, Final

from elo_xl.books.book import Book, BookError, Constant, Content, Options, usual_names
from elo_xl.books.column_words import WORD_OF_FORMAT
from elo_xl.books.front import Setting, front
from elo_xl.books.language import StatementReader
from elo_xl.books.names import Meaning
from elo_xl.books.signs import PAIRED, results
from elo_xl.books.statements import (
    Statement,
    columns_of,
    located,
    options_of,
    refuse,
    repeated,
    sides_of,
    statements,
    with_places,
    words_of,
)
from elo_xl.books.texts import languages, texts
from elo_xl.engine.errors import choose
from elo_xl.engine.rulebooks import rulebook
from elo_xl.languages import CODES
from elo_xl.xlsx.accepted import MOST_TEXT, format_problems, name_problems
from elo_xl.xlsx.evaluate import Workbook
from elo_xl.xlsx.fill import COLUMNS, ROWS
from elo_xl.xlsx.formula import parse

SUFFIX: Final = ".book"

OWN: Final = "file"
"""The room of the texts of a book that says them itself: there are none."""

_OWN: Final = ("prompt_", "error_", "step_", "about_", "check_", "setting_", "purpose", "title")
"""Texts that a file says itself, or nobody."""

_SAID: Final = re.compile(r"t\.(\w+)(?:\((\w+) = (\w+)\))?")
"""A text of the book in a typed cell, with a value for its place: ``t.evening(number = 1)``."""

_NUMBER: Final = re.compile(
    r"[-+]?(?:[0-9]++/[0-9]++|(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[Ee][-+]?[0-9]++)?)"
)
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")

_TOP: Final = ("sizes", "settings", "loops", "typed")
"""The statements at the margin that are read here; all others declare sheets and pieces."""


class FileBook(Book):
    """A book whose texts stand in its file, which somebody else may have written."""

    most_cells, most_lines = 200_000, 10_000

    def say(self, key: str, **places: object) -> str:
        """A text of the file, one that all books share, or a heading made of a column's key."""
        shared = self.template != OWN or not key.startswith(_OWN) or key == "setting_rules"
        if key in self.texts or shared:
            try:
                return super().say(key, **places)
            except BookError:
                if not key.startswith("column_"):
                    raise
        elif not key.startswith("column_"):
            raise BookError(f"no text is named {key!r}")
        return key.removeprefix("column_").replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Size:
    """How many players or rounds a book takes: ``2..200 = 30 "pupils" sample:12 ready:200,16``."""

    least: int
    usual: int
    most: int
    unit: str = ""
    sample: int | None = None
    """of the book filled in, where it is not the usual one nor what leaves room for a few more"""
    ready: Sequence[int] = ()
    """of the ready-made books: the large one, and the further ones"""


@dataclass(frozen=True)
class BookText:
    """The text of a file; ``where`` is what errors call it."""

    text: str
    where: str

    @classmethod
    def of(cls, path: Path) -> BookText:
        """The text in a file.

        Raises OSError and UnicodeDecodeError for one that cannot be read.
        """
        return cls(path.read_text(encoding="utf-8-sig"), path.name)

    @cached_property
    def head(self) -> Statement:
        """The line ``book``, with the lines below it.

        Raises BookError if the file does not begin with one.
        """
        if not self._declared or self._declared[0].keyword != "book":
            raise BookError(f'a book begins with a line: book "Its title" @ {self.where}:1:1')
        return self._declared[0]

    @cached_property
    def _declared(self) -> list[Statement]:
        return statements(self.text, self.where)

    @property
    def room(self) -> str:
        """The name of its texts."""
        return OWN if self.head.rest.startswith('"') else self.head.rest

    def size(self, key: str) -> Size | None:
        """What a line such as ``players 2..200 = 30 "pupils"`` says."""
        for child in self.head.children:
            if child.keyword == key:
                with located(child.where):
                    bounds, usual, *words = words_of(" ".join(sides_of(child.rest)))
                    least, _, most = bounds.partition("..")
                    size = Size(int(least), int(usual), int(most))
                    for word in words:
                        key, _, value = word.partition(":")
                        if key == "sample":
                            size = replace(size, sample=int(value))
                        elif key == "ready":
                            size = replace(size, ready=[*map(int, value.split(","))])
                        else:
                            size = replace(size, unit=word.strip('"'))
                    if not 0 < size.least <= size.usual <= size.most <= ROWS:
                        raise child.error(f"sizes look like 2..60 = 30, up to {ROWS:,}")
                    return size
        return None

    def filled(self, key: str) -> int | None:
        """The size with which ``--sample`` leaves no page empty: for what is typed, and an eighth
        more; None where nothing is."""
        size, rows = self.size(key), f"rows:{'size' if key == 'players' else key}"
        if size is None or size.sample is not None:
            return None if size is None else size.sample
        lines = [
            len(typed.children)
            for part in self._declared[1:]
            for table, typed in _typed_tables(part)
            if rows in table.rest.split()
        ]
        return min(max(size.least, *(n * 9 // 8 for n in lines)), size.most) if lines else None

    def with_texts(self, options: Options) -> tuple[Options, dict[str, str]]:
        """The options with what the lines below ``book`` say where they are empty, and its texts.

        Raises BookError for a line that no book has.
        """
        said: dict[str, str] = {}
        language, rules, steps = options.language, options.rules, 0
        if self.room == OWN:
            said["title"] = said["purpose"] = _quoted(self.head.rest, self.head)
        elif f"{self.room}.title" not in texts(CODES[0]).by_key(self.room):
            raise self.head.error(f"no ready-made book has the texts of {self.room!r}")
        for child in self.head.children:
            match child.keyword:
                case "language":
                    with located(child.where):
                        spoken = choose(child.rest, CODES, "language")
                    language = language or spoken
                case "rules":
                    with located(child.where):
                        named = rulebook(child.rest.removesuffix(" hidden")).name
                    rules = rules or named
                case "about":
                    said["purpose"] = _quoted(child.rest, child)
                case "step":
                    steps += 1
                    said[f"step_{steps}"] = _quoted(child.rest, child)
                case "players" | "rounds" | "signs":
                    pass
                case keyword:
                    raise child.error(
                        f"a book has language, rules, about, step, players, rounds and signs, "
                        f"not {keyword!r}"
                    )
        if language and self.room != OWN:
            choose(language, languages(self.room), f"the language of {self.room}")
        return replace(options, language=language or CODES[0], rules=rules), said

    @property
    def rules(self) -> str:
        """What the line ``rules`` says: a rulebook plays a part; with ``hidden`` none is said."""
        return next((c.rest for c in self.head.children if c.keyword == "rules"), "")

    def bounds(self, key: str) -> tuple[int, int, int] | None:
        """Least, usual and largest size; None where the number does not matter."""
        size = self.size(key)
        return (size.least, size.usual, size.most) if size and size.most > 1 else None

    def book(self, options: Options, content: Content | None = None) -> FileBook:
        """The book of a user's own text, as large as the options say; the file of it carries the
        text.

        Raises BookError: what is wrong @ file:line:column.
        """
        options, said = self.with_texts(options)
        book = FileBook(self.room, replace(options, rules=options.rules or "fide"), content)
        book.texts.update(said)
        book.made_from, book.said, book.carried = self.where, options, self.text
        self.declare(book, rules=bool(options.rules))
        return book

    def declare(self, book: Book, *, rules: bool = False) -> None:
        """Declare all sheets of a book; ``rules``: its settings name the rulebook.

        Raises BookError: what is wrong @ file:line:column.
        """
        names, parts = self._parts(book.options)
        reader = StatementReader(book, _loops(parts), names)
        settings = [s for part in parts if part.keyword == "settings" for s in part.children]
        fields: list[Setting] = []
        for child in reader.kept(settings, {}):
            with located(child.where):
                field = _setting(book, child)
                if field.name.casefold() in (other.name.casefold() for other in fields):
                    raise child.error(f"two settings have the name {field.name!r}")
                fields.append(field)
        front(book, *fields, rules=rules and not self.rules.endswith(" hidden"))
        reader.declare([_without_samples(s) for s in parts if s.keyword not in _TOP])
        rows = (sheet.validations for sheet in list(book.sheets.values()))
        asked = any(allowed.kind == "result" for each in rows for _, allowed, _ in each)
        if asked and "Signs" not in book.tables:
            results(book, self._signs())

    def _signs(self) -> tuple[str, ...]:
        """How a result may be typed: what a line such as ``signs 1 ½ 0`` says, by default in every
        way that a game of two players can end."""
        for child in self.head.children:
            if child.keyword == "signs":
                with located(child.where):
                    return tuple(choose(sign, PAIRED, "sign") for sign in child.rest.split())
        return PAIRED

    def sample(self, options: Options) -> Content:
        """What is typed into the book that shows itself filled in, as far as there is room; nobody
        whose ``name`` has none is typed into what stands below."""

        def cell(text: str, *, plain: bool = False) -> Constant:
            if said := _SAID.fullmatch(text):
                key, place, value = said.groups()
                return texts(options.language).of(self.room, key, **{place: value} if place else {})
            return text or None if plain else _typed(text)

        names, parts = self._parts(options)
        loops = _loops(parts)
        content: dict[str, Any] = {}
        strangers: set[str] = set()
        for part in parts:
            if part.keyword == "typed" and not part.rest:
                for child in part.children:
                    with located(child.where):
                        name, _, value = map(str.strip, child.text.partition("="))
                        keys = [c.keys[0] for c in columns_of(replace(child, text=name), loops)]
                        cells = _cells(value) if "{" in name else [value]
                        for key, said in zip(keys, cells, strict=False):
                            if said not in strangers:
                                content[key] = cell(said)
            for table, typed in _typed_tables(part):
                room = names.get(options_of(words_of(table.rest)).get("rows", ""))
                rows = [
                    (where, row)
                    for where, row in _rows(table, typed, loops)
                    if strangers.isdisjoint(row.values()) and _there(row, content)
                ]
                kept = rows[: room if isinstance(room, int) else None]
                strangers.update(row["name"] for _, row in rows[len(kept) :] if "name" in row)
                filled = list[dict[str, Constant]]()
                content[table.rest.split()[0]] = filled
                for where, row in kept:
                    with located(where):
                        filled.append(
                            {
                                key.rpartition(".")[2].removeprefix("@"): cell(
                                    said, plain=key[0] == "@"
                                )
                                for key, said in row.items()
                            }
                        )
        return content

    def _parts(self, options: Options) -> tuple[dict[str, Meaning], list[Statement]]:
        """The names of its sizes, and the statements behind the first one with these sizes."""
        names = usual_names(options) | {"rounds": options.rounds}
        self.head  # noqa: B018 - says what is wrong without one
        for part in self._declared:
            for child in part.children if part.keyword == "sizes" else ():
                with located(child.where):
                    name, _, formula = map(str.strip, child.text.partition("="))
                    size = _typed(f"={with_places(formula, names)}")
                    if not isinstance(size, int):
                        raise child.error(f"a size is a whole number, got {formula!r}")
                    names[name] = size
        return names, statements(with_places(self.text, names), self.where, self.text)[1:]

    def typed_at(self, name: str) -> str:
        """Where it says what is typed into a table or a cell."""
        place: str = self.head.where
        for part in self._declared:
            if part.keyword == "typed" and not part.rest:
                said = (child.where for child in part.children if child.keyword == name)
                place = next(said, part.where)
            for table, typed in _typed_tables(part):
                if table.rest.split()[0] == name:
                    return typed.where
        return place


def read(
    path: Path, options: Options, *, filled: bool = False, content: Content | None = None
) -> FileBook:
    """The book that a file describes; ``filled``: with what it gives as a sample.

    ``language`` and ``rules`` of ``options`` are those of the file where they are empty.

    Raises BookError: what is wrong @ file:line:column; OSError and UnicodeDecodeError for a file
    that cannot be read.
    """
    file = BookText.of(path)
    options, _ = file.with_texts(options)
    sizes = {key: file.size(key) for key in ("players", "rounds")}
    players, rounds = (
        (file.filled(key) if filled else None) or (size and size.usual)
        for key, size in sizes.items()
    )
    options = replace(options, players=players or options.players, rounds=rounds or options.rounds)
    sample = file.sample(options) if filled else {}
    book = file.book(options, sample or content)
    for name, typed in sample.items():
        table = book.tables.get(name)
        if table is None and name not in {**book.singles, **book.defined}:
            with located(file.typed_at(name)):
                raise BookError(f"nothing to type into is named {name!r}")
        for row in typed if isinstance(typed, list) else ():
            if table and (unknown := sorted(set(row) - set(table.at))):
                with located(file.typed_at(name)):
                    raise BookError(f"{name} has no column {unknown[0]!r}")
    return book


def _loops(parts: list[Statement]) -> dict[str, Sequence[int | str]]:
    """What the lines below ``loops`` say: ``r 1..8``, ``h 2..2*8``, ``s win draw``, or with two
    letters ``s,o a,b b,a``."""
    loops: dict[str, Sequence[int | str]] = {}
    for part in parts:
        for child in part.children if part.keyword == "loops" else ():
            with located(child.where):
                first, dots, last = child.rest.partition("..")
                beyond = prod(map(int, last.split("*"))) + 1 if dots else 0
                numbers = range(int(first), beyond) if dots else child.rest.split()
                loops[child.keyword] = numbers
                if len(numbers) > COLUMNS:
                    raise child.error(f"a loop has at most {COLUMNS:,} values")
    return loops


def _setting(book: Book, statement: Statement) -> Setting:
    """``NAME "Label" least..most words = value``; the words are those of a column."""
    left, value = sides_of(statement.text)
    name, *words = words_of(left)
    refuse(f"{name!r} cannot be the name of a setting: {why}" for why in name_problems(name))
    key = options_of(words).get("text", name.lower())
    setting = Setting(name, key, _typed(_said(book, value.strip().strip('"'))))
    label = name.replace("_", " ")
    for word in words:
        low, dots, high = word.partition("..")
        if word.startswith('"'):
            label = book.texts[f"setting_{key}"] = word[1:-1]
        elif word in ("wall", "locked"):
            setting = replace(setting, **{word: True})  # type: ignore[arg-type]
        elif word.startswith("list:"):
            choices = word.removeprefix("list:").strip('"').split(",")
            setting = replace(setting, choices=[_said(book, choice) for choice in choices])
            if len(",".join(setting.choices)) > MOST_TEXT:
                raise statement.error(f"a list of choices has at most {MOST_TEXT} characters")
        elif word.startswith("format:"):
            setting = replace(setting, number_format=word.removeprefix("format:").strip('"'))
            refuse(format_problems(setting.number_format))
        elif word.startswith("else:"):
            setting = replace(setting, instead=word.removeprefix("else:"))
        elif WORD_OF_FORMAT.fullmatch(word):
            setting = replace(setting, number_format=word)
        elif dots:
            try:
                setting = replace(setting, least=float(low), most=float(high))
                if not (isfinite(float(low)) and isfinite(float(high))):
                    raise ValueError
            except ValueError:
                raise statement.error(f"bounds look like 0..100, not {word!r}") from None
        elif not word.startswith("text:"):
            raise statement.error(f"a setting has a label, bounds and a format, not {word!r}")
    usual = {f"setting_{key}": label, f"prompt_{key}": ""}
    for text, said in usual.items():
        if text not in book.texts:
            book.texts[text] = book.say_or(text, said)
    return setting


def _said(book: Book, text: str) -> str:
    """A text as it is written, or ``t.KEY``, one of the book's."""
    return book.say(text.removeprefix("t.")) if text.startswith("t.") else text


def _typed_tables(sheet: Statement) -> Iterator[tuple[Statement, Statement]]:
    """The tables of a sheet that have a section ``typed``, with it. At the margin such a section
    says itself what it fills: ``typed Players rows:size name rating``."""
    if sheet.keyword == "typed" and sheet.rest:
        yield Statement(f"table {sheet.rest}", sheet.where), sheet
    if sheet.keyword != "sheet":
        return
    table: Statement | None = None
    for child in sheet.children:
        if child.keyword == "table":
            table = child
        elif child.keyword == "typed":
            if table is None:
                raise child.error("typed rows stand below their table")
            yield table, child


def _rows(
    table: Statement, typed: Statement, loops: Mapping[str, Sequence[int | str]]
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The rows of a section ``typed``, each with its place: behind the last column of a loop there
    is no room.

    The section lists the keys itself, one with ``@`` where its cells are texts as they were typed,
    or they are those of the columns of its table that are typed.
    """
    lines = (line for child in table.children for line in repeated(child, loops))
    declared = [line for line in lines if "input" in words_of(sides_of(line.text)[0])]
    declared += [Statement(key, typed.where) for key in words_of(typed.rest) if ":" not in key][1:]
    keys = [key for line in declared for column in columns_of(line, loops) for key in column.keys]
    for line in typed.children:
        cells = _cells(line.text)
        if len(cells) > len(keys) == len(declared):
            raise line.error(f"{len(cells)} cells for {len(keys)} columns that can be typed")
        # what a line leaves out behind its last cell is blank
        row = dict(zip(keys, cells + [""] * (len(keys) - len(cells)), strict=False))
        yield line.where, row


def _there(row: Mapping[str, str], content: Mapping[str, Sequence[object]]) -> bool:
    """Whether the lines of other tables are typed that a row means by number: ``Pairs.first``."""
    return all(
        int(number or 0) <= len(content[key.partition(".")[0]])
        for key, number in row.items()
        if "." in key
    )


def _cells(text: str) -> list[str]:
    """Cells separated by commas."""
    return next(csv.reader([text], skipinitialspace=True), [])


def _typed(text: str) -> Constant:
    """A cell as somebody types it: a number, a text or nothing; 1/3 is a number, too.

    >>> _typed("24"), _typed("0.5"), _typed("1/4"), _typed("Ana"), _typed("")
    (24, 0.5, 0.25, 'Ana', None)

    A day is one: ``2026-03-01``; and a formula of constants what it gives.

    >>> _typed("= MIN(6, 12)")
    6
    """
    if not text:
        return None
    if text.startswith("="):
        given = Workbook({"": {}}).evaluate(parse(text[1:].strip()), "", 1, 1)
        return int(given) if isinstance(given, float) and given.is_integer() else str(given)
    if _DAY.fullmatch(text):
        return date.fromisoformat(text)
    if not _NUMBER.fullmatch(text) or (text.count("/") and not int(text.partition("/")[2])):
        return text
    number = float(Fraction(text) if "/" in text else text)
    if not isfinite(number):
        raise BookError(f"no cell holds a number as large as {text!r:.20}")
    return int(text) if text.lstrip("-").isdecimal() else number


def _without_samples(statement: Statement) -> Statement:
    for child in statement.children if statement.keyword == "page" else ():
        if child.keyword == "typed":
            raise child.error("a page has no typed rows: its lines say what yellow cells hold")
    children = [child for child in statement.children if child.keyword != "typed"]
    return Statement(statement.text, statement.where, children)


def _quoted(text: str, statement: Statement) -> str:
    if len(text) < 2 or not text.startswith('"') or not text.endswith('"'):
        raise statement.error(f'a text stands in quotes: "{text}"')
    return text[1:-1]
