"""What is known of a formula before the cells have values: computed, chosen, left out.

The formulas of books and those of worksheet functions are written once for all rulebooks, options
and sheets. :class:`PartialEvaluator` makes of such a formula the one for a cell, as short as if it
had been typed there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from elo_xl.xlsx.formula import (
    FALSE,
    TRUE,
    Binary,
    Call,
    Constant,
    Counting,
    Name,
    Node,
    Number,
    Text,
    Unary,
    children,
    parse,
    rebuilt,
)

ZERO: Final[Node] = Number("0")


class FormDecidedError(Exception):
    """The number of a row decides on the form of its formula, which is another one in others."""


# -- constants ------------------------------------------------------------------------------------


def tree_of(value: float | bool | str) -> Node:
    """The tree of a number, a truth value or a text.

    >>> from elo_xl.xlsx.formula import to_text
    >>> to_text(tree_of(-2.5)), to_text(tree_of(True)), to_text(tree_of("yes"))
    ('-2.5', 'TRUE', '"yes"')
    """
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, str):
        return Text(value)
    whole = float(value).is_integer() and abs(value) < 1e15
    node = Number(str(int(abs(value))) if whole else repr(abs(float(value))).upper())
    return Unary("-", node) if value < 0 else node


def value_of(node: Node | None) -> float | str | bool | None:
    """The value of a constant, or None for any other tree.

    >>> value_of(tree_of(-2.5)), value_of(Call("PI", ()))
    (-2.5, None)

    Raises FormDecidedError for a number that grows from row to row.
    """
    match node:
        case Counting():
            raise FormDecidedError
        case Number():
            return node.value
        case Text(value):
            return value
        case Constant("TRUE" | "FALSE"):
            return node == TRUE
        case Unary("-", Number() as positive):
            return -positive.value
    return None


def number_of(node: Node | None) -> float | None:
    """The number or truth value of a constant, or None for any other tree."""
    value = value_of(node)
    return None if value is None or isinstance(value, str) else float(value)


def truth(node: Node | None) -> bool | None:
    """Whether a test holds, or None if that depends on cells."""
    known = number_of(node)
    return None if known is None else bool(known)


# -- operations -----------------------------------------------------------------------------------


def sign(operator: str, operand: Node, *, numbers: bool = False) -> Node:
    """A sign and its operand: -(a-b) becomes b-a.

    With ``numbers`` every cell is known to hold a number; otherwise ``--x`` stays, which makes a
    number of it.
    """
    match operator, operand:
        case "+", _:
            return operand
        case "-", Counting():
            raise FormDecidedError
        case "-", Number("0"):
            return operand
        case "-", Unary("-", inner) if _is_number(inner) or (numbers and not _is_test(inner)):
            return inner
        case "-", Binary("-", left, right):
            return operation("-", right, left, numbers=numbers)
    return Unary(operator, operand)


def operation(operator: str, left: Node, right: Node, *, numbers: bool = False) -> Node:
    """An operation, computed if both sides are constants and the result is exact.

    The addition of 0 and the multiplication by 1 are left out where the other side is a number;
    with ``numbers`` every cell holds one.

    >>> from elo_xl.xlsx.formula import parse, to_text
    >>> to_text(operation("+", parse("A1 / 2"), operation("-", parse("3"), parse("3"))))
    'A1/2'
    """
    if isinstance(left, Counting) or isinstance(right, Counting):
        return _counting_operation(operator, left, right)
    a, b = value_of(left), value_of(right)
    if a is not None and b is not None and (known := _computed(operator, a, b)) is not None:
        return known
    if operator not in "+-*/^":
        return Binary(operator, left, right)
    # A1+0 makes 0 of a blank cell and #VALUE! of a text: A1 alone would give these back
    match operator, number_of(left), number_of(right):
        case ("+", 0, _) | ("*", 1, _) if numbers or _is_number(right):
            return right
        case ("+" | "-", _, 0) | ("*" | "/" | "^", _, 1) if numbers or _is_number(left):
            return left
        case "-", 0, _ if numbers:
            return sign("-", right, numbers=True)
        case ("*", 0, _) | ("*", _, 0) if numbers:
            return ZERO
        case "-", _, _ if numbers and left == right:
            return ZERO
    if operator in "+-" and isinstance(right, Unary) and right.operator == "-":
        return Binary("-" if operator == "+" else "+", left, right.operand)
    return Binary(operator, left, right)


def _is_number(node: Node) -> bool:
    """Whether a tree is a number even where cells are blank or hold texts or truth values."""
    match node:
        case Unary("-") | Number():
            return True
        case Binary(operator):
            return operator in "+-*/^"
    return False


def _is_test(node: Node) -> bool:
    return isinstance(node, Binary) and node.operator in _COMPARED


_COMPARED: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


def _rank(value: float | str | bool) -> tuple[int, float | str]:
    """The key by which spreadsheets compare: numbers before texts before truth values."""
    kind = 2 if isinstance(value, bool) else 1 if isinstance(value, str) else 0
    return kind, value.lower() if isinstance(value, str) else value


def _computed(operator: str, a: float | str | bool, b: float | str | bool) -> Node | None:
    """The result of two constants, or None if it is not exact: fractions stay as typed."""
    if operator in _COMPARED:
        return tree_of(_COMPARED[operator](_rank(a), _rank(b)))
    if operator == "&":
        return Text(text_of(a) + text_of(b))
    # a fraction in digits may differ in the last one from what the program computes
    if isinstance(a, str) or isinstance(b, str) or not (a == int(a) and b == int(b)):
        return None
    if operator not in ("+", "-", "*", "/") or (operator == "/" and not b):
        return None
    result = a / b if operator == "/" else {"+": a + b, "-": a - b, "*": a * b}[operator]
    return tree_of(float(result)) if abs(result) < 1e15 and result == int(result) else None


def text_of(value: float | str | bool) -> str:
    """A constant as it appears inside a text.

    >>> text_of(2400.0)
    '2400'
    """
    return f"{value:g}" if isinstance(value, float) else str(value)


def _counting_operation(operator: str, left: Node, right: Node) -> Node:
    """An operation on a number that grows from row to row."""
    match left, operator, right:
        case (Counting(start, step), "+", Number() as other) | (
            Number() as other,
            "+",
            Counting(start, step),
        ) if other.value.is_integer():
            return Counting(start + int(other.value), step)
        case Counting(start, step), "-", Number() as other if (
            other.value.is_integer() and other.value <= start
        ):
            return Counting(start - int(other.value), step)
        case (Counting(start, step), "*", Number() as other) | (
            Number() as other,
            "*",
            Counting(start, step),
        ) if other.value.is_integer() and other.value > 0:
            return Counting(start * int(other.value), step * int(other.value))
    if all(isinstance(side, Counting) or value_of(side) is not None for side in (left, right)):
        raise FormDecidedError
    return Binary(operator, left, right)


def junction(function: str, tests: Sequence[Node]) -> Node:
    """AND or OR (``function``) of some tests, without those that a constant decides."""
    deciding = function == "OR"
    kept: list[Node] = []
    for test in tests:
        known = truth(test)
        if known is deciding:
            return tree_of(deciding)
        if known is None:
            inner = isinstance(test, Call) and test.name == function
            kept += children(test) if inner else [test]
    if not kept:
        return tree_of(not deciding)
    return kept[0] if len(kept) == 1 and len(tests) > 1 else Call(function, tuple(kept))


def replaced(node: Node, name: str, value: Node) -> Node:
    """A formula of numbers with a name replaced by its value.

    >>> from elo_xl.xlsx.formula import parse, to_text
    >>> to_text(replaced(parse("x + ABS(x)"), "x", parse("a * b")))
    'a*b+ABS(a*b)'
    """
    match node:
        case Name(text) if text == name:
            return value
        case Unary(operator, operand):
            return sign(operator, replaced(operand, name, value), numbers=True)
    return rebuilt(node, partial(replaced, name=name, value=value))


# -- whole formulas -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Piece:
    """A formula with parameters that other formulas use by name."""

    parameters: tuple[str, ...]
    body: Node
    env: Mapping[str, Node | Piece] = field(default_factory=dict)

    @classmethod
    def typed(cls, parameters: str, body: str) -> Piece:
        """Parse a piece as a person would type it."""
        return cls(tuple(parameters.split()), parse(body))


Env = Mapping[str, "Node | Piece"]


class PartialEvaluator:
    """Evaluates what is known of formulas; subclasses say what names mean and which calls are
    their own."""

    numbers = False
    """whether every cell is known to hold a number"""

    def meaning(self, name: str) -> Node | Piece:
        """What a name stands for that is no parameter."""
        raise NotImplementedError

    def call(self, name: str, arguments: tuple[Node | None, ...], env: Env) -> Node:
        """Any call but IF."""
        raise NotImplementedError

    def reduce(self, node: Node, env: Env) -> Node:
        """Evaluate everything in the formula that is known; ``env`` holds its parameters."""
        match node:
            case Name(text):
                value = env[text] if text in env else self.meaning(text)
                if isinstance(value, Piece):
                    raise TypeError(f"{text} is a function, not a value")
                return value
            case Call("IF", arguments):
                return self.choice(arguments, env)
            case Call(name, arguments):
                return self.call(name, arguments, env)
            case Unary(operator, operand):
                return sign(operator, self.reduce(operand, env), numbers=self.numbers)
            case Binary(operator, left, right):
                return self.binary(operator, self.reduce(left, env), self.reduce(right, env))
        return node

    def binary(self, operator: str, left: Node, right: Node) -> Node:
        """Combine two reduced operands."""
        return operation(operator, left, right, numbers=self.numbers)

    def reduced(self, arguments: Sequence[Node | None], env: Env) -> list[Node | None]:
        """The arguments of a call, each of them reduced."""
        return [None if a is None else self.reduce(a, env) for a in arguments]

    def choice(self, arguments: Sequence[Node | None], env: Env) -> Node:
        """IF: what a constant does not choose is never looked at."""
        condition, *branches = arguments
        decided = None if condition is None else self.reduce(condition, env)
        known = truth(decided)
        if known is not None:
            chosen = branches[not known] if len(branches) > (not known) else None
            return FALSE if chosen is None else self.reduce(chosen, env)
        made = self.reduced(branches, env)
        if len(made) == 2 and made[0] == made[1] and made[0] is not None:
            return made[0]
        return Call("IF", (decided, *made))
