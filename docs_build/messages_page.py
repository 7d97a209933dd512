"""The page of all messages: what the books say about entries, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docs_build.markdown import page, table
from elo_xl.books.book import Book, Formula, Options
from elo_xl.engine.rulebooks.k_table import KTable
from elo_xl.templates.gallery import TEMPLATES, declared, options
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.formula import Node, Reference, Text, parse, walk

_INTRODUCTION: Final = """\
What a book says about an entry that needs attention, and why a player has this K. Until you correct
the entry nothing is guessed: what depends on it stays blank, and all other lines count. The wrong
cell is orange, and the second line of every sheet that is not for the wall says how many there are
and leads to the first one. If a program asks before it accepts an entry, it shows the text of the
second table."""

_KINDS: Final = "check_", "reason_", "why_", "setting_wrong_"
"""How the keys of messages begin."""

_Row = tuple[str, str, str]


def text() -> str:
    """The whole page."""
    return page("# Messages", _INTRODUCTION, *(part for name in TEMPLATES for part in _book(name)))


def _book(name: str) -> Iterator[str]:
    book = declared(name, _small(name))
    book.finish()
    said, refused = list(dict.fromkeys(_said(book))), list(dict.fromkeys(_refused(book)))
    if said or refused:
        yield f"## {name}"
    for heading, rows in (("message", said), ("what is asked for", refused)):
        if rows:
            yield table(["sheet", "column", heading], rows)


def _small(name: str) -> Options:
    """A book as small as shows all that is said in it, of no more than a dozen rounds."""
    template = TEMPLATES[name]
    return options(
        name,
        players=template.players and template.players[0],
        rounds=template.rounds and min(template.rounds[1], 12),
    )


def _said(book: Book) -> Iterator[_Row]:
    """The messages that formulas of a book show, with their sheets and columns."""
    own = {
        key: message
        for full, message in book.text.by_key().items()
        for room, _, key in [full.partition(".")]
        if room in ("form", book.template) and key.startswith(_KINDS) and len(message) > 1
    }
    known = [
        re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(book.say(key).strip()))) for key in own
    ]
    if isinstance(k := book.rules.k, KTable):
        for row in range(len(k.rows)):
            plain = k.why(row, False, False)
            more = k.why(row, True, True).removeprefix(plain).strip()
            known += [re.compile(re.escape(text)) for text in (plain, more) if text]

    def messages(tree: Node) -> Iterator[str]:
        texts = (node.value.strip() for node in walk(tree) if isinstance(node, Text))
        return (text for text in texts if any(k.fullmatch(text) for k in known))

    def listed(tree: Node) -> Iterator[str]:
        """The messages in a column of constants that a formula refers to."""
        for node in walk(tree):
            if isinstance(node, Reference) and node.text.endswith("]"):
                name, _, key = node.text.removesuffix("]").partition("[")
                for row in book.rows_of(name).values():
                    yield from messages(Text(str(row.get(key, ""))))

    for sheet in book.sheets.values():
        if sheet.set_up.hidden:
            continue
        for of in sheet.tables:
            names = sheet.names_at(of)
            for line in of.lines:
                shown = of.columns[line.keys[0]]
                if line.formula is not None and not shown.helper:
                    tree = names.resolve(line.formula, 0)
                    for message in (*listed(line.formula), *messages(tree)):
                        yield sheet.title, shown.heading, message
        for (row, column), put in sheet.puts.items():
            if isinstance(put.value, Formula) and put.look.role == "attention":
                scope = sheet.names_at(put.seen.table, put.seen.names)
                tree = scope.resolve(parse(put.value.text), put.seen.row)
                for message in messages(tree):
                    yield sheet.title, f"{column_letters(column)}{row}", message


def _refused(book: Book) -> Iterator[_Row]:
    """What a program says to an entry that it refuses, or that it asks about."""
    for sheet in book.sheets.values():
        for rule in book.workbook[sheet.title].data_validations.dataValidation:
            if rule.error and rule.showErrorMessage:
                yield sheet.title, rule.errorTitle, rule.error
