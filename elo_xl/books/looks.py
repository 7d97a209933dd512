"""How cells look and what may be typed into them, as the words of a column or sheet say it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Literal, Protocol, cast

from elo_xl.books.statements import Column, Statement
from elo_xl.books.styles import ROLES
from elo_xl.books.text import GENERAL
from elo_xl.xlsx.formula import Node, parse


class Texts(Protocol):
    """A book, as far as looks need it."""

    @property
    def date_format(self) -> str: ...
    def say(self, key: str, **places: object) -> str: ...
    def widest(self, *prefixes: str) -> float: ...


@dataclass(frozen=True, slots=True)
class Look:
    """How a cell looks."""

    role: str = "computed"
    number_format: str = GENERAL
    align: str | None = None
    measure: bool = True
    """whether its column will be wide enough for it"""


# -- the words of a column ------------------------------------------------------------------------

_FORMAT: Final = re.compile(r"\+?[0#@][0#.,%E+]*")
_WIDTH: Final = re.compile(r"[1-9][0-9]*(\.[0-9]+)?")
_RULES: Final = ("whole", "decimal", "list", "date")
_FLAGS: Final = ("soft", "each")
_VALUES: Final = ("text", "name", "fits", "over", "heading", "format", "prompt", "error")


def number_format(word: str, book: Texts) -> str:
    """A number format as a word: ``+0.0`` shows the sign, ``date`` is the language's."""
    if word == "date":
        return book.date_format
    return f"{word};-{word[1:]};{word[1:]}" if word.startswith("+") else word


@dataclass(frozen=True, slots=True)
class ColumnLook:
    """What the words of a column say.

    ======================= ====================================================================
    ``0`` ``0.00`` ``+0.0`` number format; ``@`` a text as typed, ``date`` a date
    ``left`` ``center``     alignment; numbers stand right
    ``strong`` ``input`` …  what the cells are for: a role of :data:`~elo_xl.books.styles.ROLES`
    ``24``                  the least width, whatever the cells hold; else as wide as they are
    ``fits:check_``         the width of the widest text whose key begins so, or in one of several
                            ways: ``fits:check_pair,check_self``
    ``whole:1..size``       what may be typed, in the manner of Excel: ``decimal:0..100``,
                            ``list:Result_signs``, ``list:"x"``; ``soft`` lets anything pass,
                            ``any`` only says what belongs there
    ``"Rating"``            the heading; else it is the text ``column_KEY``
    ``prompt:"Yes or no."`` what is said when the cell is chosen, and ``error:"…"`` when what is
                            typed is refused; else the texts ``prompt_KEY`` and ``error_KEY``
    ``text:white_no``       other texts: ``column_white_no``, ``prompt_white_no`` and so on
    ``over:block_place``    a text above the heading
    ``name:Result_signs``   a name for the column that the file keeps
    ``each``                one call of a worksheet function a row, not one for all
    ======================= ====================================================================
    """

    key: str
    look: Look
    heading: str
    text_key: str
    width: float | None = None
    name: str = ""
    over: str = ""
    soft: bool = False
    validation: Validation | None = None

    @classmethod
    def all(cls, column: Column, book: Texts) -> Iterator[ColumnLook]:
        """One for each key of a line."""
        for key in column.keys:
            yield cls.read(replace(column, keys=(key,)), book)

    @classmethod
    def read(cls, column: Column, book: Texts) -> ColumnLook:
        """Of a line with one key."""
        key = column.keys[0]
        values: dict[str, str] = {}
        rule, heading, width = "", None, None
        role, shown, align = "computed", GENERAL, "right"
        for word in column.words:
            name, colon, value = word.partition(":")
            if word.startswith('"'):
                heading = word[1:-1]
            elif word in ROLES:
                role = word
            elif word in ("left", "center", "right"):
                align = word
            elif word == "date" or _FORMAT.fullmatch(word):
                shown = number_format(word, book)
            elif _WIDTH.fullmatch(word):
                width = float(word)
            elif (colon and name in _RULES) or word == "any":
                rule = word
            elif word in _FLAGS or (colon and name in _VALUES):
                values[name] = value.strip('"')
            else:
                raise column.statement.error(f"a column has no {word!r}")
        text_key = values.get("text", key)
        if heading is None:
            heading = values.get("heading")
        if heading is None:
            heading = book.say(f"column_{text_key}")
        if "fits" in values:
            width = book.widest(*values["fits"].split(","))
        if "format" in values:
            shown = values["format"]
        return cls(
            key,
            Look(role, shown, align, width is None),
            "" if heading == "none" else heading,
            text_key,
            width,
            values.get("name", ""),
            values.get("over", ""),
            "soft" in values,
            Validation.read(rule, text_key, column.statement, values),
        )


# -- what may be typed ----------------------------------------------------------------------------

Kind = Literal["whole", "decimal", "list", "date", "custom"]


@dataclass(frozen=True, slots=True)
class Validation:
    """What may be typed into cells; its texts are ``prompt_KEY`` and ``error_KEY``."""

    kind: Kind
    text_key: str
    first: Node | None = None
    second: Node | None = None
    soft: bool = False
    """whether anything else can be typed all the same"""
    heading: str = ""
    prompt: str = ""
    error: str = ""
    """these three instead of the texts"""

    @classmethod
    def read(
        cls,
        rule: str,
        text_key: str,
        statement: Statement,
        values: Mapping[str, str] = MappingProxyType({}),
    ) -> Validation | None:
        """Of a word such as ``whole:1..size`` or ``list:Result_signs``; None of an empty one."""
        if not rule:
            return None
        if rule == "any":
            return cls("custom", text_key)
        word, _, value = rule.partition(":")
        kind = cast("Kind", word)
        first: Node
        second: Node | None = None
        if kind == "list":
            first = parse(value)
        else:
            low, dots, high = value.partition("..")
            if not dots:
                raise statement.error(f"bounds look like {kind}:1..9, not {rule!r}")
            first, second = parse(low), parse(high)
        return cls(
            kind,
            text_key,
            first,
            second,
            "soft" in values,
            prompt=values.get("prompt", ""),
            error=values.get("error", ""),
        )


# -- the words of a sheet --------------------------------------------------------------------------


@dataclass(slots=True)
class SetUp:
    """How a sheet is seen and printed, and whether it is locked.

    ``freeze:KEY`` keeps the columns before one, and the header, on the screen; ``titles:N`` repeats
    the first N rows on every page (the rows up to the first table's header if left out);
    ``stretch:KEY`` makes a column wider where the lines above need room; ``upright`` and
    ``down:N`` set the page; ``area:KEY`` prints up to a column; ``open`` leaves it unlocked.
    """

    freeze: str = ""
    stretch: str = ""
    titles: int | None = None
    down: int = 0
    upright: bool = False
    open: bool = False
    area: str = ""
    areas: list[str] = field(default_factory=list)
    """cells printed from a new page on each, instead of ``area``"""
    exact: dict[int, float] = field(default_factory=dict)
    """widths of columns that follow nothing"""

    def read(self, options: Mapping[str, str], statement: Statement) -> None:
        """Take over what a sheet's words say."""
        for key, value in options.items():
            if key in ("upright", "open"):
                setattr(self, key, True)
            elif key in ("freeze", "stretch", "area"):
                setattr(self, key, value)
            elif key in ("titles", "down"):
                setattr(self, key, 0 if value == "none" else int(value))
            else:
                raise statement.error(f"a sheet has no {key!r}")
