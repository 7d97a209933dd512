"""Statements: lines, the lines that belong to them, and how pieces and columns are read."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from elo_xl.engine.errors import EloError
from elo_xl.xlsx.fill import COLUMNS
from elo_xl.xlsx.folding import Piece
from elo_xl.xlsx.formula import FormulaError, Node, Text, parse


class BookError(EloError, ValueError):
    """A text that does not describe a book; the message is *what is wrong @ where*."""


TOO_DEEP: Final = "it nests too deeply, or means itself"


def refuse(problems: Iterable[str]) -> None:
    """Raises BookError for the first of some problems."""
    for problem in problems:
        raise BookError(problem)


class Where(str):
    """Where a statement begins, ``FILE:LINE:COLUMN``, with its text as it stands there."""

    source: str

    @classmethod
    def of(cls, file: str, line: int, column: int, source: str) -> Where:
        """The place of a text."""
        where = cls(f"{file}:{line}:{column}")
        where.source = source
        return where

    def pointing(self, problem: str, before: str | None = None) -> str:
        """The place of the first word that a problem quotes, or of what follows a text."""
        at = None if before is None else self._behind("".join(before.split()))
        for word in map("".join, _QUOTED.findall(problem) if at is None else ()):
            if found := re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self.source, re.IGNORECASE):
                at = found.start()
                break
        if not at:
            return self
        file, line, first = self.rsplit(":", 2)
        above = self.source.count("\n", 0, at)
        column = at - self.source.rfind("\n", 0, at) if above else int(first) + at
        return f"{file}:{int(line) + above}:{column}"

    def _behind(self, before: str) -> int | None:
        """Where the signs end that a text has, blanks apart; None where places stand for others."""
        signs = [at for at, sign in enumerate(self.source) if not sign.isspace()]
        if "".join(self.source[at] for at in signs[: len(before)]) != before:
            return None
        return signs[len(before)] if len(before) < len(signs) else len(self.source.rstrip())


_QUOTED: Final = re.compile(r"""'([^']+)'|"([^"]+)"|\b([A-Z][A-Z0-9._]+)\b|^(\w+) takes""")


def _pointing(where: str, problem: str) -> str:
    return where.pointing(problem) if isinstance(where, Where) else where


@contextmanager
def located(where: str) -> Iterator[None]:
    """Add a place to every BookError without one that the block raises.

    What else a statement that makes no sense raises becomes a BookError, too.
    """
    try:
        yield
    except BookError as error:
        if " @ " in str(error):
            raise
        raise BookError(f"{error} @ {_pointing(where, str(error))}") from None
    except RecursionError:
        raise BookError(f"{TOO_DEEP} @ {where}") from None
    except (ValueError, LookupError, ArithmeticError, csv.Error) as error:
        place = _pointing(where, str(error))
        raise BookError(f"invalid statement: {error!s:.200} @ {place}") from error


@dataclass(frozen=True, slots=True)
class Statement:
    """A line, and the lines indented further that belong to it."""

    text: str
    where: str
    children: list[Statement] = field(default_factory=list)

    @property
    def keyword(self) -> str:
        """The first word."""
        return self.text.partition(" ")[0]

    @property
    def rest(self) -> str:
        """The text behind the first word."""
        return self.text.partition(" ")[2].strip()

    def with_places(self, names: Mapping[str, object]) -> Statement:
        """The same statement with the values of known names in its places."""
        children = [child.with_places(names) for child in self.children]
        return Statement(with_places(self.text, names), self.where, children)

    def has_no_children(self) -> None:
        """Raises BookError if lines that are indented further follow."""
        if self.children:
            child = self.children[0]
            raise child.error("a line continues the one above only while a parenthesis is open")

    def error(self, problem: str, before: str | None = None) -> BookError:
        """An error with its place: what it quotes of this statement, or what follows a text."""
        where = self.where
        if isinstance(where, Where):
            where = where.pointing(problem, before)
        return BookError(f"{problem:.300} @ {where}")


def statements(text: str, where: str, source: str | None = None) -> list[Statement]:
    """The statements of a text; ``where`` is the name of its file or sheet, ``source`` what stands
    there if its places have their values in the text already.

    >>> [s.keyword for s in statements("sheet Games\\n    table Games rows:9", "x")[0].children]
    ['table']

    Raises BookError for a tab at the beginning of a line, and for an open parenthesis at the end.
    """
    top: list[Statement] = []
    levels: list[tuple[int, list[Statement]]] = [(-1, top)]
    raw = (source or text).split("\n")
    for line, last, indent, words in _lines(text, where):
        while indent <= levels[-1][0]:
            levels.pop()
        here = ("" if each.lstrip().startswith("#") else each for each in raw[line - 1 : last])
        place = Where.of(where, line, indent + 1, "\n".join(here)[indent:])
        statement = Statement(words, place)
        levels[-1][1].append(statement)
        levels.append((indent, statement.children))
    return top


def _lines(text: str, where: str) -> Iterator[tuple[int, int, int, str]]:
    """First and last line, indentation and text of each statement, its lines joined."""
    whole = Where.of(where, 1, 1, text)
    if len(text) > MOST_SIGNS:
        raise BookError(f"the text of a book has at most {MOST_SIGNS:,} characters @ {whole}")
    if strange := _NO_TEXT.search(text):
        place = whole.pointing("", text[: strange.start()])
        raise BookError(f"a file cannot hold the character {strange[0]!a} @ {place}")
    depth, start, indent, parts = 0, 0, 0, list[str]()
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.strip()
        if not words or words.startswith("#"):
            continue
        if "\t" in line[: len(line) - len(line.lstrip())]:
            place = f"{where}:{number}:{line.index(chr(9)) + 1}"
            raise BookError(f"a line is indented with a tab; use spaces @ {place}")
        if not parts:
            start, indent = number, len(line) - len(line.lstrip())
        parts.append(words)
        plain = re.sub(r'"[^"]*"', "", words)
        depth += plain.count("(") - plain.count(")")
        if depth <= 0:
            yield start, number, indent, " ".join(parts)
            depth, parts = 0, []
    if parts:
        raise BookError(f"a parenthesis is not closed @ {where}:{start}:{indent + 1}")


MOST_SIGNS: Final = 1_000_000
_NO_TEXT: Final = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no file of XML can hold."""

_WORD: Final = re.compile(r'(?:[^\s"]|"[^"]*")++')


def words_of(text: str) -> list[str]:
    """The words of a statement; text in quotes belongs to one word."""
    return _WORD.findall(text)


_LEFT: Final = re.compile(r'(?:[^="]|"[^"]*"|")*+')


def sides_of(text: str) -> tuple[str, str]:
    """What stands before the first ``=`` outside of quotes, and what stands behind it."""
    left = next(_LEFT.finditer(text))[0]
    return left, text[len(left) + 1 :]


def options_of(words: Sequence[str]) -> dict[str, str]:
    """Words of the form ``key:value`` as a mapping; a word without a colon has the value ``""``."""
    return {key: value for key, _, value in (word.partition(":") for word in words)}


def typed_formula(text: str, statement: Statement) -> Node:
    """The tree of a formula in a statement.

    Raises BookError for a formula that cannot be read.
    """
    try:
        return parse(text)
    except FormulaError as error:
        before = statement.text.removesuffix(text) + text[: error.at]
        raise statement.error(str(error), before) from None
    except RecursionError:
        raise statement.error(TOO_DEEP) from None


_PIECE: Final = re.compile(r"(\w+)\(([^)]*)\)\s*=\s*(.*)", re.DOTALL)


def piece_of(statement: Statement) -> tuple[str, Piece]:
    """Name, parameters and formula of a line such as ``met(who) = INDEX(Ties[points], who)``."""
    match = _PIECE.fullmatch(statement.text)
    if match is None:
        raise statement.error(f"a piece is name(parameters) = formula, got {statement.text!r}")
    statement.has_no_children()
    name, parameters, body = match.groups()
    parameters = tuple(parameters.replace(",", " ").split())
    return name, Piece(parameters, typed_formula(body, statement))


def pieces(text: str, where: str = "pieces") -> dict[str, Piece]:
    """The pieces in a text of lines ``name(parameters) = formula``.

    >>> pieces("half(x) = x / 2")["half"].parameters
    ('x',)
    """
    return dict(map(piece_of, statements(text, where)))


def repeated(statement: Statement, loops: Mapping[str, Sequence[int | str]]) -> Iterator[Statement]:
    """The lines below ``each LOOP``, once for each of its values; another statement as it is.

    Raises BookError for a loop that is not in ``loops``.
    """
    if statement.keyword != "each" or not statement.children:
        yield statement
        return
    if statement.rest not in loops:
        raise statement.error(f"no loop is named {statement.rest!r}")
    for value in loops[statement.rest]:
        keys, values = statement.rest.split(","), str(value).split(",")
        yield from statement.with_places(dict(zip(keys, values, strict=True))).children


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """A line of a table: keys, words and formula.

    It has several keys if its formula is a worksheet function that gives several cells.
    """

    keys: tuple[str, ...]
    words: tuple[str, ...]
    formula: Node | None
    statement: Statement


_COLUMN: Final = re.compile(
    r'(?P<keys>[^\s"=]++)(?P<words>(?:[^="]|"[^"]*")*+)(?:=(?P<formula>.*))?', re.DOTALL
)


_PLACE: Final = re.compile(r"(?:(?<=\n)([ ]*))?\{([A-Za-z_]\w*)([+-]\d+)?\}")


def with_places(text: str, names: Mapping[str, object]) -> str:
    """A text with the values of known names in the places ``{name}`` and ``{name+1}``.

    A value of several lines at the beginning of a line is indented like it.

    >>> with_places("kind1:kind{rounds} {r}", {"rounds": 7})
    'kind1:kind7 {r}'
    """

    def value_at(place: re.Match[str]) -> str:
        indent, name, more = place.groups(default="")
        if name not in names:
            return place[0]
        value = names[name]
        value = value.value if isinstance(value, Text) else value
        said = str(int(value) + int(more)) if more else str(value)  # type: ignore[call-overload]
        return indent + said.replace("\n", f"\n{indent}")

    return _PLACE.sub(value_at, text)


def columns_of(
    statement: Statement, loops: Mapping[str, Sequence[int | str]]
) -> Iterator[ColumnLine]:
    """The columns of a line: one, or with ``{r}`` in its key one for each value of the loop ``r``.

    Raises BookError for a loop that is not in ``loops``, and for a line that is no column.
    """
    place = _PLACE.search(statement.text.partition(" ")[0])
    if place is None:
        yield _column(statement)
        return
    name = place[2]
    if name not in loops:
        raise statement.error(f"no loop is named {name!r}")
    made = (
        column
        for number in loops[name]
        for column in columns_of(
            Statement(with_places(statement.text, {name: number}), statement.where), loops
        )
    )
    for count, column in enumerate(made):
        if count == COLUMNS:
            raise statement.error(f"a sheet has at most {COLUMNS:,} columns")
        yield column


def _column(statement: Statement) -> ColumnLine:
    match = _COLUMN.fullmatch(statement.text)
    if match is None:
        raise statement.error(f"a column is KEY words = formula, got {statement.text!r}")
    statement.has_no_children()
    formula = match["formula"]
    return ColumnLine(
        tuple(match["keys"].split(",")),
        tuple(words_of(match["words"])),
        None if formula is None else typed_formula(formula.strip(), statement),
        statement,
    )
