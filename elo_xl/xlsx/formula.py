"""The formula language of a workbook: from text to a tree and back.

English function names and comma separators, as files store formulas and as a person types them in
an English Excel. What :func:`parse` reads, :func:`to_text` writes again with as few parentheses as
the meaning needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Final, NamedTuple

from elo_xl.error_values import EXCEL_NUMBERS


class FormulaError(ValueError):
    """A text that is not a formula; ``at`` is the character, counted from 0, where that shows."""

    def __init__(self, problem: str, at: int = 0) -> None:
        super().__init__(problem)
        self.at = at


@dataclass(frozen=True, slots=True)
class Text:
    """A text constant, without its quotes."""

    value: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number constant, as typed and not below 0."""

    text: str

    @property
    def value(self) -> float:
        return float(self.text)


@dataclass(frozen=True, slots=True)
class Counting:
    """A whole number that grows by ``step`` with every row that a formula is filled down."""

    start: int
    step: int = 1


@dataclass(frozen=True, slots=True)
class Constant:
    """TRUE, FALSE or an error such as #NUM!."""

    text: str


@dataclass(frozen=True, slots=True)
class ArrayConstant:
    """An array constant: rows of constants."""

    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """Cells, a column of a table, or a name local to a sheet."""

    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """A parameter, a name bound by LET, or a defined name."""

    text: str


@dataclass(frozen=True, slots=True)
class OptionalParameter:
    """A parameter of LAMBDA in brackets, which may be omitted."""

    name: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function or a name; a skipped argument is None."""

    name: str
    arguments: tuple[Node | None, ...]


@dataclass(frozen=True, slots=True)
class Apply:
    """A call of the result of an expression: LAMBDA(x, x)(1)."""

    function: Node
    arguments: tuple[Node | None, ...]


@dataclass(frozen=True, slots=True)
class Unary:
    """An operator before (``-`` ``+`` ``@``) or after (``%`` ``#``) its operand."""

    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands and the operator between them."""

    operator: str
    left: Node
    right: Node


Node = (
    Text
    | Number
    | Counting
    | Constant
    | ArrayConstant
    | Reference
    | Name
    | OptionalParameter
    | Call
    | Apply
    | Unary
    | Binary
)

TRUE: Final = Constant("TRUE")
FALSE: Final = Constant("FALSE")

COMPARISONS: Final = ("=", "<>", "<", ">", "<=", ">=")

#: How strongly an operator binds; the sign before a number binds more strongly than ^.
BINDS: Final = {
    **dict.fromkeys(COMPARISONS, 1),
    "&": 2,
    **dict.fromkeys("+-", 3),
    **dict.fromkeys("*/", 4),
    "^": 5,
}
_PERCENT: Final = 6
_SIGN: Final = 7
_RANGE: Final = 8
_ATOM: Final = 9

_CELL: Final = r"\$?[A-Za-z]{1,3}\$?[1-9][0-9]{0,6}"
_COLUMNS: Final = r"\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}"
_ROWS: Final = r"\$?[1-9][0-9]{0,6}:\$?[1-9][0-9]{0,6}"
_WORD: Final = r"(?:[^\W\d]|\\)[\w.\\?]*+"
_SHEET: Final = rf"(?:'(?:[^']|'')+'|(?:\[[0-9]+\])?{_WORD}(?::{_WORD})?|\[[0-9]+\])!"
# a range may end with what a function refers to: A1:INDEX(B:B,9)
_AREA: Final = rf"(?:{_CELL}:{_CELL}|{_CELL}|{_COLUMNS}|{_ROWS})(?![\w.(\[!]|:(?!{_WORD}\())"
_COLUMN: Final = r"\[(?:[^\[\]']|'.|\[(?:[^\[\]']|'.)*\])*\]"

_TOKEN: Final = re.compile(
    rf"""(?P<text>"(?:[^"]|"")*")
    |(?P<error>{"|".join(re.escape(e) for e in EXCEL_NUMBERS)})
    |(?P<reference>{_SHEET}(?:{_AREA}|\#REF!|{_WORD}(?!\())|{_AREA}|{_WORD}{_COLUMN})
    |(?P<called>(?:{_SHEET})?{_WORD}(?=\())
    |(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[Ee][+-]?[0-9]+)?)
    |(?P<word>{_WORD})
    |(?P<bracket>\[[^\[\]]*\])
    |(?P<space>\s+)
    |(?P<sign><=|>=|<>|[-+*/^&=<>%\#@:,;(){{}}])""",
    re.VERBOSE,
)

_OPERAND: Final = frozenset(
    ("text", "error", "reference", "called", "number", "word", "bracket", "(", "{")
)


class _Token(NamedTuple):
    kind: str
    text: str
    spaced: bool  # whether white space precedes it
    at: int


def _tokens(formula: str) -> Iterator[_Token]:
    at, spaced = 0, False
    while at < len(formula):
        token = _TOKEN.match(formula, at)
        if token is None:
            raise FormulaError(
                f"{formula[at : at + 20]!r} @ character {at + 1} of {formula!r:.60}", at
            )
        kind, text, at = str(token.lastgroup), token.group(), token.end()
        if kind == "space":
            spaced = True
            continue
        yield _Token(text if kind == "sign" else kind, text, spaced, token.start())
        spaced = False
    yield _Token("", "", False, at)


@lru_cache(maxsize=4096)
def parse(formula: str) -> Node:
    """The tree of a formula, with or without the leading ``=``.

    >>> parse("=B2-C2")
    Binary(operator='-', left=Reference(text='B2'), right=Reference(text='C2'))

    Raises FormulaError, which quotes the place.
    """
    return _Parser(formula.removeprefix("=")).whole()


class _Parser:
    def __init__(self, formula: str) -> None:
        self.formula = formula
        self.tokens = list(_tokens(formula))
        self.at = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self, kind: str | None = None) -> _Token:
        token = self.next
        if kind is not None and token.kind != kind:
            text = repr(token.text) if token.text else "the end"
            raise FormulaError(f"{kind!r} expected, found {text} in {self.formula!r:.80}", token.at)
        self.at += 1
        return token

    def whole(self) -> Node:
        node = self.union()
        self.take("")
        return node

    def union(self) -> Node:
        node = self.expression()
        while self.next.kind == ",":
            self.take()
            node = Binary(",", node, self.expression())
        return node

    def expression(self, least: int = 1) -> Node:
        node = self.prefixed()
        while (binds := BINDS.get(self.next.kind, 0)) >= least:
            operator = self.take().text
            node = Binary(operator, node, self.expression(binds + 1))
        return node

    def prefixed(self) -> Node:
        if self.next.kind in ("-", "+", "@"):
            return Unary(self.take().text, self.prefixed())
        node = self.area()
        while self.next.kind == "%":
            node = Unary(self.take().text, node)
        return node

    def area(self) -> Node:
        node = self.operand()
        while True:
            if self.next.kind == ":":
                self.take()
                node = Binary(":", node, self.operand())
            elif self.next.spaced and self.next.kind in _OPERAND:
                node = Binary(" ", node, self.operand())
            else:
                return node

    def operand(self) -> Node:
        node = self.atom()
        while self.next.kind in ("(", "#") and not self.next.spaced:
            if self.next.kind == "#":
                node = Unary(self.take().text, node)
            else:
                node = Apply(node, self.arguments())
        return node

    def atom(self) -> Node:
        token = self.take()
        match token.kind:
            case "text":
                return Text(token.text[1:-1].replace('""', '"'))
            case "number":
                if float(token.text) == inf:
                    raise FormulaError(
                        f"{token.text} is too large a number in {self.formula!r:.80}", token.at
                    )
                return Number(token.text)
            case "error":
                return Constant(token.text)
            case "reference":
                return Reference(token.text)
            case "word":
                upper = token.text.upper()
                return Constant(upper) if upper in ("TRUE", "FALSE") else Name(token.text)
            case "bracket":
                return OptionalParameter(token.text[1:-1].strip())
            case "called":
                return Call(token.text, self.arguments())
            case "(":
                node = self.union()
                self.take(")")
                return node
            case "{":
                return self.array()
        text = repr(token.text) if token.text else "the end"
        raise FormulaError(f"{text} where a value should be in {self.formula!r:.80}", token.at)

    def arguments(self) -> tuple[Node | None, ...]:
        self.take("(")
        if self.next.kind == ")":
            self.take()
            return ()
        arguments: list[Node | None] = []
        while True:
            arguments.append(None if self.next.kind in (",", ")") else self.expression())
            if self.next.kind == ")":
                self.take()
                return tuple(arguments)
            self.take(",")

    def array(self) -> ArrayConstant:
        rows: list[tuple[Node, ...]] = []
        row: list[Node] = []
        while True:
            row.append(self.prefixed())
            token = self.take()
            sign = token.kind
            if sign == ",":
                continue
            rows.append(tuple(row))
            row = []
            if sign == "}":
                return ArrayConstant(tuple(rows))
            if sign != ";":
                problem = f"an array constant is not closed in {self.formula!r:.80}"
                raise FormulaError(problem, token.at)


def binds(node: Node) -> int:
    """How strongly the outermost operator of a node binds, which decides on parentheses."""
    match node:
        case Binary(operator):
            return BINDS.get(operator, _RANGE)
        case Unary("%" | "#"):
            return _PERCENT
        case Unary():
            return _SIGN
    return _ATOM


def to_text(node: Node | None, *, comma: str = ",", around: str = "") -> str:
    """The formula of a tree, without ``=``.

    >>> to_text(parse("(B2 - C2) / (200 * SQRT(2))"))
    '(B2-C2)/(200*SQRT(2))'

    ``comma`` separates arguments, ``around`` stands on both sides of an operator.
    """
    return _FormulaWriter(comma, around).text(node)


@dataclass(frozen=True, slots=True)
class _FormulaWriter:
    comma: str
    around: str

    def text(self, node: Node | None) -> str:
        match node:
            # all kinds of nodes, and no last resort: mypy tells of one that is missing
            case None:
                return ""
            case Text(value):
                return '"' + value.replace('"', '""') + '"'
            case Number(text) | Constant(text) | Reference(text) | Name(text):
                return text
            case Counting(start):
                return str(start)
            case OptionalParameter(name):
                return f"[{name}]"
            case ArrayConstant(rows):
                return "{" + ";".join(",".join(map(self.text, row)) for row in rows) + "}"
            case Call(name, arguments):
                return f"{name}({self.comma.join(map(self.text, arguments))})"
            case Apply(function, arguments):
                return f"{self.text(function)}({self.comma.join(map(self.text, arguments))})"
            case Unary(operator, operand):
                if operator in "%#":
                    return self._wrapped(operand, _PERCENT) + operator
                return operator + self._wrapped(operand, _SIGN)
            case Binary():
                return self._binary(node)

    def _binary(self, node: Binary) -> str:
        operator, strength = node.operator, binds(node)
        # (-2)^2 is what -2^2 means to a spreadsheet, but not to every reader
        signed = operator == "^" and binds(node.left) == _SIGN
        left = self._wrapped(node.left, _RANGE if signed else strength)
        # a-(-b) rather than a--b
        apart = strength >= BINDS["+"] and binds(node.right) == _SIGN
        right = self._wrapped(node.right, _RANGE if apart else strength + 1)
        if operator == ",":
            return f"({left},{right})"
        around = self.around if operator in BINDS else ""
        return f"{left}{around}{operator}{around}{right}"

    def _wrapped(self, node: Node, least: int) -> str:
        text = self.text(node)
        return f"({text})" if binds(node) < least else text


def children(node: Node | None) -> tuple[Node, ...]:
    """The parts of a node that are nodes."""
    match node:
        case Reference() | Text() | Number() | Name():  # as most are
            return ()
        case Call(_, arguments):
            return tuple(a for a in arguments if a is not None)
        case Apply(function, arguments):
            return (function, *(a for a in arguments if a is not None))
        case Unary(_, operand):
            return (operand,)
        case Binary(_, left, right):
            return (left, right)
        case ArrayConstant(rows):
            return tuple(cell for row in rows for cell in row)
    return ()


def rebuilt(node: Node, changed: Callable[[Node], Node]) -> Node:
    """A node with what ``changed`` makes of each of its parts, constants excepted."""
    match node:
        case Call(name, arguments):
            return Call(name, tuple([a and changed(a) for a in arguments]))
        case Apply(function, arguments):
            return Apply(changed(function), tuple([a and changed(a) for a in arguments]))
        case Unary(operator, operand):
            return Unary(operator, changed(operand))
        case Binary(operator, left, right):
            return Binary(operator, changed(left), changed(right))
    return node


def walk(node: Node | None) -> Iterator[Node]:
    """A node and all nodes below it, from the top."""
    waiting = [] if node is None else [node]
    while waiting:
        yield (node := waiting.pop())
        waiting.extend(reversed(children(node)))
