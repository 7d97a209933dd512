"""Formulas that are made shorter where constants decide: their numbers, signs and operations."""

from __future__ import annotations

from typing import Final

from elo_xl.xlsx.formula import (
    COMPARISONS,
    Binary,
    Call,
    Constant,
    Name,
    Node,
    Number,
    Unary,
)

ZERO: Final[Node] = Number("0")


def unary(operator: str, operand: Node) -> Node:
    """Put a sign before a reduced operand: -(a-b) becomes b-a."""
    if operator == "-":
        match operand:
            case Unary("-", inner) if not (
                isinstance(inner, Binary) and inner.operator in COMPARISONS
            ):
                return inner
            case Binary("-", left, right):
                return arithmetic("-", right, left)
            case Number("0"):
                return operand
    return Unary(operator, operand)


def arithmetic(operator: str, left: Node, right: Node) -> Node:
    """An operation on two numbers: computed if they are whole and so is the result; without the
    addition of 0 and the multiplication by 1 or 0."""
    a, b = number_of(left), number_of(right)
    if a is not None and b is not None and (operator in "+-*" or (operator == "/" and b)):
        known = _whole(operator, a, b)
        if known is not None:
            return known
    match operator:
        case "+" if a == 0:
            return right
        case "+" | "-" if b == 0:
            return left
        case "-" if a == 0:
            return unary("-", right)
        case "-" if left == right:
            return ZERO
        case "*" if a == 0 or b == 0:
            return ZERO
        case "*" if a == 1:
            return right
        case "*" | "/" | "^" if b == 1:
            return left
        case "+" if isinstance(right, Unary) and right.operator == "-":
            return Binary("-", left, right.operand)
        case "-" if isinstance(right, Unary) and right.operator == "-":
            return Binary("+", left, right.operand)
    return Binary(operator, left, right)


def _whole(operator: str, a: float, b: float) -> Node | None:
    """Compute the result of two whole numbers; fractions stay as they were typed."""
    if not (a.is_integer() and b.is_integer()):
        return None
    result = a / b if operator == "/" else {"+": a + b, "-": a - b, "*": a * b}[operator]
    return number(result) if abs(result) < 1e15 and result.is_integer() else None


def number(value: float) -> Node:
    """A number as a node, with a sign before it if it is negative."""
    whole = float(value).is_integer() and abs(value) < 1e15
    text = str(int(abs(value))) if whole else repr(abs(float(value))).upper()
    return Unary("-", Number(text)) if value < 0 else Number(text)


def number_of(node: Node) -> float | None:
    """The number or truth value of a constant node, otherwise None."""
    match node:
        case Number():
            return node.value
        case Unary("-", Number() as inner):
            return -inner.value
        case Constant("TRUE"):
            return 1.0
        case Constant("FALSE"):
            return 0.0
    return None


def replaced(node: Node, name: str, value: Node) -> Node:
    """The formula with a name replaced by its value.

    >>> from elo_xl.xlsx.formula import parse, to_text
    >>> to_text(replaced(parse("x + ABS(x)"), "x", parse("a * b")))
    'a*b+ABS(a*b)'
    """
    match node:
        case Name(text) if text == name:
            return value
        case Call(function, arguments):
            return Call(
                function, tuple(None if a is None else replaced(a, name, value) for a in arguments)
            )
        case Unary(operator, operand):
            return unary(operator, replaced(operand, name, value))
        case Binary(operator, left, right):
            return Binary(operator, replaced(left, name, value), replaced(right, name, value))
    return node
