"""Columns of constants, and printed numbers beside the computed ones.

::

    table Scores
        d "Difference" 0 left           : 0..100/50
        e "E" 0.00000                   = ELO_EXPECTED(1500 + d, 1500)
            printed "The article" 0.5 0.570 -

Constants are numbers, fractions such as ``4/1500``, ranges such as ``0..300/50``, ``"text"``,
``t.KEY``, and ``-`` for a blank; parentheses let them continue on the next line. A table has as
many rows as its longest list. The line ``printed`` has a heading, by default the text
``column_printed``, and the numbers that the ones above should round to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from elo_xl.books.column_words import Look
from elo_xl.books.model import Constant, Declared, Seen, Table
from elo_xl.books.statements import BookError, Statement, located, pieces, words_of
from elo_xl.xlsx.folding import tree_of
from elo_xl.xlsx.formula import Call, Name

PIECES: Final = pieces(
    """
agrees(live, printed, tolerance) = IF(ABS(live - printed) <= tolerance + 1E-12,
                                      t.agrees, t.differs)
"""
)

LISTED: Final = re.compile(r'((?:[^"=]|"[^"]*")*?)\s:\s+(.*)', re.DOTALL)
"""A column and its constants."""

Printed = Mapping[str, list[str | None]]
"""Printed numbers to compare with the results of a column, by its key."""


def listed(book: Declared, statement: Statement) -> tuple[Statement, Printed]:
    """A table without the constants of its columns, which the book then has, and with two columns
    more for each line ``printed``; with what is printed in them."""
    constants: dict[str, list[Constant]] = {}
    printed: dict[str, list[str | None]] = {}
    columns: list[Statement] = []
    for child in statement.children:
        match, key = LISTED.fullmatch(child.text), child.keyword
        if match is not None:
            with located(child.where):
                constants[key] = [*constants_of(book, match[2])]
        compared = [line for line in child.children if line.keyword == "printed"]
        text = child.text if match is None else match[1]
        columns.append(Statement(text, child.where, [] if compared else child.children))
        for line in compared:
            words = _words(line.rest)
            heading = words.pop(0) if words[0].startswith(("text:", '"')) else "text:printed"
            printed[key] = [None if word == "-" else word for word in words]
            columns += (
                Statement(f"{key}_printed {heading}", line.where),
                Statement(f"{key}_verdict text:verdict center fits:agrees,differs", line.where),
            )
    if constants:
        rows = range(max(map(len, constants.values())))
        book.data[words_of(statement.rest)[0]] = [
            {key: values[i] for key, values in constants.items() if i < len(values)} for i in rows
        ]
    return replace(statement, children=columns), printed


def compare(table: Table, printed: Printed) -> None:
    """Write printed numbers, and for each whether the computed one rounds to it."""
    table.pieces |= PIECES if printed else {}
    for key, numbers in printed.items():
        for i, text in enumerate(numbers):
            decimals = len((text or "").partition(".")[2])
            cell = table.cell(f"{key}_printed", i)
            shown = f"0.{'0' * decimals}".rstrip(".")
            number = None if text is None else float(text)
            table.sheet.put(cell.row, cell.column, number, "quiet", shown, "right")
            if text is not None:
                tolerance = tree_of(0.5 * 10**-decimals)
                tree = Call("agrees", (Name(key), Name(f"{key}_printed"), tolerance))
                at = table.cell(f"{key}_verdict", i)
                table.sheet.fill(at, tree, Look(align="center"), Seen(table, i))
        table.mark(f"{key}_verdict", "attention", f"{key}_verdict = t.differs")


def _words(text: str) -> list[str]:
    """The words of a list, without the parentheses around it that let it go on on other lines."""
    return [word.strip("()") for word in words_of(text) if word.strip("()")]


def constants_of(book: Declared, text: str) -> Iterator[Constant]:
    """The constants in a text; ``0..300/50`` are those from 0 to 300 in steps of 50."""
    for word in _words(text):
        if ".." not in word or word.startswith('"'):
            yield _constant(book, word)
            continue
        ends, _, step = word.partition("/")
        low, high = map(float, ends.split(".."))
        size = float(step or 1)
        for i in range(round((high - low) / size) + 1):
            yield whole(round(low + i * size, 9))


def _constant(book: Declared, word: str) -> Constant:
    """The constant that a word stands for: a number, a fraction, a text, or ``-`` for a blank."""
    if word == "-":
        return None
    if word.startswith("t."):
        return book.say(word[2:])
    if word.startswith('"'):
        return word.strip('"')
    upper, _, lower = word.partition("/")
    try:
        return whole(float(upper) / float(lower or 1))
    except ValueError:
        raise BookError(f"neither a number nor a text: {word!r}") from None


def whole(value: float) -> float:
    return int(value) if value.is_integer() else value
