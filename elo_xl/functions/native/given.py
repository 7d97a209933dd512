"""The arguments that an inlined formula is given: cells, ranges, constants, and lists of games."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial, reduce
from math import isfinite
from typing import Final, Literal

from elo_xl.functions.arguments import (
    Argument,
    NumberArgument,
    NumberOrRow,
    Numbers,
    Option,
    Rating,
)
from elo_xl.functions.catalogue import Function
from elo_xl.functions.native.reduce import EMPTY, MISSING
from elo_xl.xlsx.fill import column_number
from elo_xl.xlsx.folding import ZERO, Piece, number_of, tree_of
from elo_xl.xlsx.formula import (
    FALSE,
    ArrayConstant,
    Binary,
    Call,
    Constant,
    Name,
    Node,
    Number,
    Reference,
    Text,
    Unary,
    binds,
    parse,
    to_text,
)

InlineArgument = str | float | None
"""An argument as the caller gives it: a formula, an option, a constant, or None if omitted."""

Checks = Literal["all", "blanks", "none"]
"""What an inlined formula checks: everything, only blank cells and empty texts, or nothing."""

_ONE_VALUE: Final = frozenset(
    re.findall(
        r"\S+",
        """
    AND AVERAGE AVERAGEIF AVERAGEIFS COUNT COUNTA COUNTIF COUNTIFS MAX MEDIAN MIN OR SUM SUMIF
    SUMIFS SUMPRODUCT
    """,
    )
)
_CELL: Final = re.compile(r"(?:(?:'(?:[^']|'')+'|\w+)!)?\$?[A-Za-z]{1,3}\$?[1-9][0-9]{0,6}")
_AREA: Final = re.compile(
    r"(?:(?:'(?:[^']|'')+'|\w+)!)?\$?([A-Z]{1,3})\$?([1-9][0-9]*):\$?([A-Z]{1,3})\$?([1-9][0-9]*)"
)


@dataclass(frozen=True, slots=True)
class GivenKind:
    """The properties of an argument that decide what the formula looks like."""

    constant: Node | None = None
    range: bool = False
    plain: bool = True
    """whether it needs no parentheses, because it is only cells or a call"""
    row: bool = False
    """whether it is a row of cells, for an argument that may be one"""


@dataclass(frozen=True, slots=True)
class Given:
    """An argument as it was given."""

    kind: GivenKind
    text: str = ""


_CELL_KIND: Final = GivenKind()
_RANGE_KIND: Final = GivenKind(range=True)
_LEFT_OUT: Final = Given(GivenKind(MISSING))


def read_arguments(
    function: Function, given: tuple[InlineArgument, ...], named: Mapping[str, InlineArgument]
) -> tuple[Given, ...]:
    """The arguments of a call in order; ValueError if one is wrong whatever the cells hold."""
    values = _by_name(function, given, named)
    arguments = tuple(_given(a, values.get(a.name)) for a in function.arguments)
    _check_lists(function, arguments)
    return arguments


def _by_name(
    function: Function, given: tuple[InlineArgument, ...], named: Mapping[str, InlineArgument]
) -> dict[str, InlineArgument]:
    names = [a.name for a in function.arguments]
    values = dict(zip(names, given, strict=False))
    wrong = sorted(named.keys() - (set(names) - set(values)))
    if len(given) > len(names) or wrong:
        what = ", ".join(wrong) or f"{len(given)} arguments"
        raise ValueError(f"{function.signature} does not take {what}")
    values |= named
    for argument in function.arguments:
        if argument.required and values.get(argument.name) is None:
            raise ValueError(f"{function.signature} needs {argument.name}")
    return values


def _given(argument: Argument, value: InlineArgument) -> Given:
    if value is None:
        return _LEFT_OUT
    if isinstance(value, str):
        text = value.removeprefix("=")
        if _CELL.fullmatch(text):
            return Given(_CELL_KIND, text)
        area = _AREA.fullmatch(text)
        if area:
            row = isinstance(argument, NumberOrRow) and _size(area) == (argument.width - 1, 0)
            return Given(GivenKind(row=True) if row else _RANGE_KIND, text)
        # words of an option come first: as a formula, ``auto`` would be a name
        if isinstance(argument, Option) and (text == value or '"' in text):
            typed = text.strip().strip('"')
            option, status = argument.read(typed)
            if isinstance(option, str) and not status:
                return Given(GivenKind(Text(option)))
            if typed.partition(":")[0].strip().lower() in argument.choices:
                raise ValueError(f"{argument.name} must be {argument.takes}, got {value!r}")
        node = parse(text)
        if isinstance(argument, Option) and isinstance(node, Name) and node.text == value:
            known = f"{argument.takes}, a cell or a formula"
            raise ValueError(f"{argument.name} must be {known}, got {value!r}")
    else:
        node = tree_of(float(value))
    constant = _constant(node)
    if constant is not None:
        _, wrong = argument.read(constant) if not argument.whole else (0, 0)
        if wrong:
            raise ValueError(f"{argument.name} must be {argument.takes}, got {value!r}")
        if not argument.whole or isinstance(argument, Numbers):
            return Given(GivenKind(node), to_text(node))
    return Given(
        GivenKind(range=not _one_value(node), plain=isinstance(node, (Reference, Name, Call))),
        to_text(node) if binds(node) >= binds(EMPTY) else f"({to_text(node)})",
    )


def _constant(node: Node) -> float | str | None:
    return node.value if isinstance(node, Text) else number_of(node)


def _one_value(node: Node | None) -> bool:
    """Whether a formula surely gives one value; a name or a table's column may give more."""
    match node:
        case Reference(text):
            return _CELL.fullmatch(text) is not None or "#This Row" in text or "[@" in text
        case Call(name, arguments):
            return name.upper() in _ONE_VALUE or all(map(_one_value, arguments))
        case Unary(_, operand):
            return _one_value(operand)
        case Binary(_, left, right):
            return _one_value(left) and _one_value(right)
        case Name() | ArrayConstant():
            return False
    return True


def _check_lists(function: Function, arguments: tuple[Given, ...]) -> None:
    """Raise ValueError for lists that cannot belong together."""
    lists = [
        given
        for argument, given in zip(function.arguments, arguments, strict=True)
        if isinstance(argument, Numbers)
    ]
    areas = [area for given in lists if (area := _AREA.fullmatch(given.text))]
    for area in areas:
        if _size(area) != _size(areas[0]):
            raise ValueError(f"{areas[0].group()} and {area.group()} differ in shape")


def _size(area: re.Match[str]) -> tuple[int, int]:
    left, top, right, bottom = area.groups()
    return column_number(right) - column_number(left), int(bottom) - int(top)


VALUE: Final = Constant("#VALUE!")
NUM: Final = Constant("#NUM!")


class Lists:
    """Opponents and scores in ranges of cells: which games count, and their sums."""

    def __init__(self, opponents: Node, scores: Node, *, total: bool, checks: Checks) -> None:
        self.opponents, self.scores, self.total = opponents, scores, total
        self.checked = checks == "all"
        cautious = checks != "none"
        rated, scored = Text(">0"), Text(">=0")
        if total:
            both: tuple[Node, ...] = (opponents, rated)
            self.played = Call("COUNTIF", both)
            self.points: Node = Call("N", (scores,)) if cautious else scores
            self.rating_sum, self.average = Call("SUMIF", both), Call("AVERAGEIF", both)
        else:
            both = (opponents, rated, scores, scored)
            self.played = Call("COUNTIFS", both)
            self.points = Call("SUMIFS", (scores, *both))
            self.rating_sum = Call("SUMIFS", (opponents, *both))
            self.average = Call("AVERAGEIFS", (opponents, *both))
        if isinstance(scores, (Number, Unary)):
            self.points = scores
        # Every cell gives a number, even an empty text; cells that do not count get the factor 0.
        self.opponent = _number_from(opponents) if cautious else opponents
        self.score = _number_from(scores) if cautious else scores
        self.counted = self._counted(cautious)

    def _counted(self, cautious: bool) -> Node:
        rated = _counted(self.opponents, cautious, True)
        return rated if self.total else Binary("*", rated, _counted(self.scores, cautious, False))

    @property
    def names(self) -> dict[str, Node | Piece]:
        return {
            "played": self.played,
            "points": self.points,
            "rating_sum": self.rating_sum,
            "average": self.average,
            "opponent": self.opponent,
            "score": self.score,
            "total": Constant(str(self.total).upper()),
        }

    @property
    def too_many(self) -> Node:
        """Whether there are more points than games."""
        if not self.checked:
            return FALSE
        if self.total:
            return Binary(">", self.scores, self.played)
        most = (self.opponents, Text(">0"), self.scores, Text(">1"))
        return Binary(">", Call("COUNTIFS", most), ZERO)

    def conditions(self) -> list[tuple[Node, Node]]:
        """The conditions to check before anything is added up, each with its result."""
        lists = [self.opponents] if self.total else [self.opponents, self.scores]
        texts = [
            Binary("*", Call("ISTEXT", (cells,)), Binary("<>", cells, EMPTY)) for cells in lists
        ]
        text: Node = texts[0] if self.total else Binary("+", texts[0], texts[1])
        found = Binary(">", Call("SUMPRODUCT", (text,)), ZERO)
        if not self.total:
            below = [Call("COUNTIF", (cells, Text("<0"))) for cells in lists]
            low: Node = Binary(">", Binary("+", below[0], below[1]), ZERO)
            return [(found, VALUE), (low, NUM)]
        low = Binary(">", Call("COUNTIF", (self.opponents, Text("<0"))), ZERO)
        if isinstance(self.scores, (Number, Unary)):
            return [(found, VALUE), (low, NUM)]
        score = Binary("<>", Call("T", (self.scores,)), EMPTY)
        return [
            (Call("OR", (score, found)), VALUE),
            (Call("OR", (Binary("<", self.scores, ZERO), low)), NUM),
        ]

    def blank(self) -> Node:
        """The condition that the total is missing, which is no error without opponents."""
        if not self.total or isinstance(self.scores, (Number, Unary)):
            return FALSE
        return Call("AND", (Binary("=", self.scores, EMPTY), Binary(">", self.played, ZERO)))


class GameColumns:
    """Games in columns of cells, all of one length: a game counts if none of its cells is blank."""

    too_many: Final = FALSE

    def __init__(self, columns: Mapping[NumberArgument, Node], checks: Checks) -> None:
        self.columns = columns
        cautious = checks != "none"
        self.names: dict[str, Node | Piece] = {
            kind.name: _number_from(cells) if cautious else cells for kind, cells in columns.items()
        }
        full = [
            _counted(cells, cautious, isinstance(kind, Rating)) for kind, cells in columns.items()
        ]
        self.counted = reduce(partial(Binary, "*"), full)

    def conditions(self) -> list[tuple[Node, Node]]:
        """The conditions to check before anything is added up, each with its result."""
        texts = [
            Binary("*", Call("ISTEXT", (cells,)), Binary("<>", cells, EMPTY))
            for cells in self.columns.values()
        ]
        found = Call("SUMPRODUCT", (reduce(partial(Binary, "+"), texts),))
        outside: list[Node] = [
            Call("COUNTIF", (cells, Text(bound)))
            for kind, cells in self.columns.items()
            for bound in _outside(kind)
        ]
        return [
            (Binary(">", found, ZERO), VALUE),
            (Binary(">", reduce(partial(Binary, "+"), outside), ZERO), NUM),
        ]

    def blank(self) -> Node:
        """The condition that something is missing without which there is no result."""
        return FALSE


def _outside(kind: NumberArgument) -> list[str]:
    """What COUNTIF looks for to find the numbers outside a domain."""
    if isinstance(kind, Rating):
        return ["<0"]
    bounds = [("<=", kind.above), ("<", kind.low), (">", kind.high)]
    return [f"{sign}{bound:g}" for sign, bound in bounds if isfinite(bound)]


def _counted(cells: Node, cautious: bool, rating: bool) -> Node:
    """Whether cells hold a number, and not 0 if they are ratings."""
    if cautious:
        return Call("ISNUMBER", (Binary("/", tree_of(1), cells) if rating else cells,))
    return Binary("<>", cells, ZERO if rating else EMPTY)


def _number_from(cells: Node) -> Node:
    """The numbers of cells that may hold empty texts; IF would look at one cell only."""
    return Call("VALUE", (Binary("&", Text("0"), cells),))
