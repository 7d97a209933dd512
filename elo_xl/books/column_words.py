"""The words of columns and sheets: how cells look, what may be typed, how a sheet is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Literal, Protocol, cast

from elo_xl.books.statements import ColumnLine, Statement, located, refuse, typed_formula
from elo_xl.books.styles import ROLES, TABS
from elo_xl.books.text import GENERAL
from elo_xl.xlsx.accepted import format_problems
from elo_xl.xlsx.fill import ROWS
from elo_xl.xlsx.formula import Name, Node, Text


class Texts(Protocol):
    """The parts of a book that looks need."""

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
    """whether its column becomes wide enough for it"""
    bare: bool = False
    """without lines and fill: a conditional format gives them to the rows that are in use"""
    edge: bool = False
    """whether the table may end at its right: a number keeps away from there"""

    @property
    def indented(self) -> bool:
        """Whether a blank stands between what a cell shows and its line at the side."""
        return self.align == "left" or (self.align == "right" and self.edge)


# -- the words of a column ------------------------------------------------------------------------

WORD_OF_FORMAT: Final = re.compile(r"date|said|\+?[0#@][0#.,%E+]*")
_TEXT: Final = re.compile(r"\{t\.(\w+)\}")
MOST_WIDE: Final = 255
MOST_LINES: Final = 25
_WIDTH: Final = re.compile(r"[1-9][0-9]*(\.[0-9]+)?")
_RULES: Final = ("whole", "decimal", "list", "date")
_PLAIN_RULES: Final = ("any", "result", "yes")
_FLAGS: Final = ("soft", "free", "each", "helper")
_VALUES: Final = (
    "text",
    "name",
    "fits",
    "over",
    "under",
    "heading",
    "format",
    "prompt",
    "error",
    "optional",
    "tall",
    "high",
)


def number_format(word: str, book: Texts) -> str:
    """The number format that a word stands for: ``+0.0`` shows signs, ``date`` is a date.

    The format of dates is that of the book's language; ``said`` shows 1 and 0 as yes and no.
    """
    if word == "date":
        return book.date_format
    if word == "said":
        return f'[=1]"{book.say("yes")}";"{book.say("no")}"'
    return f"{word};-{word[1:]};{word[1:]}" if word.startswith("+") else word


@dataclass(frozen=True, slots=True)
class ColumnLook:
    """What the words of a column say; their order does not matter.

    ======================= ====================================================================
    ``0`` ``0.00`` ``+0.0`` the number format: ``@`` is a text as typed, ``date`` a date, ``said``
                            1 and 0 as yes and no; any other one is written
                            ``format:"0.0;-0.0;–"``
    ``left`` ``center``     the alignment, also ``right``; the default is ``center`` where one types
                            and ``right`` elsewhere
    ``strong`` ``input`` …  what the cells are for, a role of :data:`~elo_xl.books.styles.ROLES`;
                            the default is ``computed``
    ``24``                  the width in digits, whatever the cells hold; by default a column is as
                            wide as its widest cell. It is never too narrow for its heading.
                            A cell of its own with a width flows over the cells beside it
    ``fits:check_``         the width of the widest text whose key begins with ``check_``, or with
                            one of several beginnings: ``fits:check_pair,check_self``
    ``whole:1..size``       what Excel lets be typed: whole numbers within bounds; also
                            ``decimal:0..100``, ``date:a..b``, ``list:Result_signs``,
                            ``list:"x"``; ``any`` restricts nothing and only shows the prompt;
                            ``result`` offers the signs of results and takes every notation of
                            them, ``yes`` an x and takes every yes
    ``soft``                anything else may be typed, too, after a warning
    ``free``                anything else may be typed, too, without a word: a list only offers
    ``"Rating"``            the heading, in which ``{t.column_k}`` is a text of the book; also
                            ``heading:3``; ``heading:none`` leaves it blank. The default is the text
                            ``column_KEY``
    ``prompt:"Yes or no."`` the message when a cell is selected; the default is the text
                            ``prompt_KEY``
    ``error:"A number."``   the message when an entry is refused; the default is ``error_KEY``, or
                            what its bounds are
    ``text:white_no``       take the texts of another key: ``column_white_no`` and so on
    ``over:block_place``    the key of a text above the heading, or a name of the book for it
    ``under:"Games"``       what the heading shows below such a text; its cell holds the whole one,
                            which tells the column from those below other texts
    ``name:Result_signs``   a name of the file for the cells of the column
    ``each``                a call of a worksheet function in every row, not one call for all rows
    ``helper``              the column only computes: it is grouped and hidden
    ``optional:HEADING``    the heading is a formula; where it is blank, the column is blank, and
                            behind all others neither seen nor printed. For a table that has
                            ``shown``
    ``high:2``              the height in lines of a cell of its own
    ``tall:3``              the cell in the third row of each group reaches over the one below it
    ======================= ====================================================================
    """

    key: str
    look: Look
    heading: str
    text_key: str
    width: float | None = None
    name: str = ""
    over: str = ""
    under: str = ""
    soft: bool = False
    validation: Validation | None = None
    helper: bool = False
    optional: Node | None = None
    """the formula of the heading, blank where the column is not in use"""
    tall: int = 0
    """the row of a group, from 1, whose cell reaches over the one below it"""
    high: float = 0.0
    """the height in lines of a cell of its own, if it is not the usual one"""

    @property
    def headed(self) -> str:
        """What the heading shows, where it is not a formula."""
        return self.under or self.heading

    @property
    def bare(self) -> ColumnLook:
        """The same without lines and fill, for a table that shows only the rows in use."""
        return replace(self, look=replace(self.look, bare=True))

    @classmethod
    def all(cls, column: ColumnLine, book: Texts) -> Iterator[ColumnLook]:
        """Read a line with one or several keys, and give the look of each."""
        for key in column.keys:
            yield cls.read(replace(column, keys=(key,)), book)

    @classmethod
    def read(cls, column: ColumnLine, book: Texts) -> ColumnLook:
        """Read a line with one key.

        Raises BookError for a word that no column has.
        """
        key = column.keys[0]
        values: dict[str, str] = {}
        rule, heading, width = "", None, None
        role, shown, align = "computed", GENERAL, ""
        for word in column.words:
            name, colon, value = word.partition(":")
            # no word fits twice: widths begin with 1 to 9, and a ``date:`` with bounds is a rule
            if word.startswith('"'):
                heading = _TEXT.sub(lambda text: book.say(text[1]), word[1:-1])
            elif word in ROLES:
                role = word
            elif word in ("left", "center", "right"):
                align = word
            elif WORD_OF_FORMAT.fullmatch(word):
                shown = number_format(word, book)
            elif _WIDTH.fullmatch(word):
                width = float(word)
            elif (colon and name in _RULES) or word in _PLAIN_RULES:
                rule = word
            elif word in _FLAGS or (colon and name in _VALUES):
                values[name] = value if name == "optional" else value.strip('"')
            else:
                raise column.statement.error(f"a column has no {word!r}")
        text_key = values.get("text", key)
        if heading is None:
            heading = values.get("heading", "none" if "optional" in values else None)
        if heading is None:
            heading = book.say(f"column_{text_key}")
        if "fits" in values:
            width = book.widest(*values["fits"].split(","))
        if "format" in values:
            shown = values["format"]
        with located(column.statement.where):
            refuse(format_problems(shown))
        if width is not None and width > MOST_WIDE:
            raise column.statement.error(f"a column is at most {MOST_WIDE} digits wide")
        return cls(
            key,
            Look(role, shown, align or ("center" if role == "input" else "right"), width is None),
            "" if heading == "none" else heading,
            text_key,
            width,
            values.get("name", ""),
            values.get("over", ""),
            values.get("under", ""),
            "soft" in values,
            Validation.read(rule, text_key, column.statement, values),
            "helper" in values,
            typed_formula(values["optional"], column.statement) if "optional" in values else None,
            int(values.get("tall", 0)),
            height_of(values["high"], column.statement) if "high" in values else 0.0,
        )


def height_of(text: str, statement: Statement) -> float:
    """The height of a row in lines."""
    if not 0 < float(text) <= MOST_LINES:
        raise statement.error(f"a row is at most {MOST_LINES} lines high, got {text!r}")
    return float(text)


def _rows(text: str, statement: Statement) -> int:
    """A number of rows or pages."""
    if not 0 <= int(text) <= ROWS:
        raise statement.error(f"a sheet has at most {ROWS:,} rows, got {text!r}")
    return int(text)


# -- what may be typed ----------------------------------------------------------------------------

CheckedKind = Literal["whole", "decimal", "list", "date", "custom", "result", "yes"]


@dataclass(frozen=True, slots=True)
class Validation:
    """What may be typed into cells.

    Its messages are the texts ``prompt_KEY`` and ``error_KEY`` of ``text_key``, or those given.
    """

    kind: CheckedKind
    text_key: str
    first: Node | None = None
    second: Node | None = None
    soft: bool = False
    """whether anything else only causes a warning"""
    free: bool = False
    """whether anything else may be typed without a word"""
    prompt: str = ""
    error: str = ""
    where: str = ""
    """what an error in a bound says of its place"""

    @classmethod
    def read(
        cls,
        rule: str,
        text_key: str,
        statement: Statement,
        values: Mapping[str, str] = MappingProxyType({}),
    ) -> Validation | None:
        """Read a word such as ``whole:1..size`` or ``list:Result_signs``; None if it is empty.

        Raises BookError for bounds that cannot be read.
        """
        if not rule:
            return None
        if rule == "any":
            return cls("custom", text_key)
        if rule == "result":
            return cls("result", text_key, Name("Result_signs"), prompt=values.get("prompt", ""))
        if rule == "yes":
            return cls("yes", text_key, Text("x"), prompt=values.get("prompt", ""))
        word, _, value = rule.partition(":")
        kind = cast("CheckedKind", word)
        first: Node
        second: Node | None = None
        if kind == "list":
            first = typed_formula(value, statement)
        else:
            low, dots, high = value.partition("..")
            if not dots:
                raise statement.error(f"bounds are written {kind}:1..9, got {rule!r}")
            first = typed_formula(low, statement)
            second = typed_formula(high, statement)
        return cls(
            kind,
            text_key,
            first,
            second,
            "soft" in values,
            "free" in values,
            prompt=values.get("prompt", ""),
            error=values.get("error", ""),
            where=statement.where,
        )


# -- the words of a sheet --------------------------------------------------------------------------


@dataclass(slots=True)
class SetUp:
    """What the words of a sheet say about its view, its print and its lock.

    =============== ============================================================================
    ``freeze:KEY``  the header and the columns before this one stay on the screen
    ``stretch:KEY`` this column becomes wider if the lines above the table need room; also the
                    number of a column, ``stretch:3``
    ``upright``     portrait paper; the default is landscape
    ``down:N``      the sheet fits on N pages below each other; by default it takes as many pages
                    as it needs. It always fits on one page across
    ``titles:N``    every page repeats the first N rows, or none with ``titles:none``; the default,
                    ``titles:usual``, is the rows up to the header of the first table
    ``area:KEY``    only the columns up to this one are printed
    ``ordered``     the places of its rows count: other sheets name them by number, or games follow
                    each other. A list without this word, typed in columns next to each other, may
                    be sorted under the sheet's protection
    ``banded``      every second row has a band, as on sheets to pin up; ``plain``: none has
    ``unbroken``    no round goes on to another page, if it fits one; Excel takes no notice. With
                    ``unbroken:N`` a round has N rows, whatever the groups of the table; with
                    ``wall`` the groups are slips to cut apart: as many as fit fill a page
    ``only:NAME``   of rounds of which no two fit a page only one is printed, in Excel: that with
                    this number, a name of the book; nothing of the others while it is 0
    ``joined:KEY``  what says the same in this column, before a slash, does not go on to another
                    page, as far as the file holds it when it is made; ``unbroken`` goes before it
    ``hidden``      the sheet only computes: its tab is hidden
    ``wall``        a sheet to pin up: below its title stands ``wall_line``, a name of the book; its
                    letters are large, its rows have bands, and it fills the paper, which is upright
                    where that leaves the letters large enough. ``wall:NAME`` is ``wall`` and
                    ``title:NAME``
    ``title:NAME``  a name of the book for the title, instead of the sheet's own
    ``tab:KIND``    the colour of the tab, one of :data:`~elo_xl.books.styles.TABS`: ``typed``,
                    ``result`` or ``help``. By default the sheet is one to type into if it has a
                    cell for that, a result if it has a table or a chart, and otherwise help
    =============== ============================================================================
    """

    freeze: str = ""
    stretch: str = ""
    titles: int | None = None
    down: int = 0
    upright: bool = False
    ordered: bool = False
    hidden: bool = False
    banded: bool = False
    plain: bool = False
    unbroken: int = 0
    only: str = ""
    joined: str = ""
    wall: bool = False
    says: str = ""
    """the name of the title"""
    tab: str = ""
    area: str = ""
    areas: list[str] = field(default_factory=list)
    """ranges to print, each on pages of its own; they replace ``area``"""
    exact: dict[int, float] = field(default_factory=dict)
    """widths by column, instead of measured ones"""
    heading_lines: int = 2
    """how many lines a heading takes at most, unless its column is wide by itself"""

    def read(self, options: Mapping[str, str], statement: Statement) -> None:
        """Read the words of a sheet.

        Raises BookError for a word that no sheet has.
        """
        for key, value in options.items():
            if key in ("upright", "ordered", "hidden", "banded", "plain"):
                setattr(self, key, True)
            elif key == "wall":
                self.wall, self.says = True, value
            elif key == "unbroken":
                self.unbroken = _rows(value or "1", statement)
            elif key == "title":
                self.says = value
            elif key == "tab" and value in TABS:
                self.tab = value
            elif key in ("freeze", "stretch", "area", "joined", "only"):
                setattr(self, key, value)
            elif key in ("titles", "down"):
                number = {"none": 0, "usual": None}
                said = number[value] if value in number else _rows(value, statement)
                setattr(self, key, said)
            else:
                raise statement.error(f"a sheet has no {key!r}")
