"""Constants in formulas: their trees, their values, and the operations that they decide."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf

from elo_xl.books.statements import BookError
from elo_xl.xlsx.formula import (
    FALSE,
    TRUE,
    Binary,
    Call,
    Constant,
    Counting,
    Node,
    Number,
    Text,
    Unary,
)


class FormDecidedError(Exception):
    """The number of a row decides on the form of its formula, which is another one in others."""


def tree_of(value: float | bool) -> Node:
    """The tree of a number or of a truth value.

    >>> from elo_xl.xlsx.formula import to_text
    >>> to_text(tree_of(-2.5)), to_text(tree_of(True))
    ('-2.5', 'TRUE')
    """
    if isinstance(value, bool):
        return TRUE if value else FALSE
    node = Number(f"{abs(value):.15g}")
    return Unary("-", node) if value < 0 else node


def constant(node: Node | None) -> float | str | bool | None:
    """The value of a constant, or None for any other tree.

    >>> constant(tree_of(-2.5)), constant(Call("PI", ()))
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


def constant_text(node: Node) -> str:
    """A constant as it appears inside a text.

    >>> constant_text(tree_of(2400.0))
    '2400'

    Raises BookError for a tree that is no constant.
    """
    value = constant(node)
    if value is None:
        raise BookError("only a constant can stand in a text")
    return f"{value:g}" if isinstance(value, float) else str(value)


def truth(node: Node) -> bool | None:
    """Whether a test holds, or None if that depends on cells."""
    value = constant(node)
    return None if value is None or isinstance(value, str) else bool(value)


def folded_sign(operator: str, operand: Node) -> Node:
    """A sign and its operand; two minus signs cancel, a plus sign disappears."""
    match operator, operand:
        case "-", Counting():
            raise FormDecidedError
        case "-", Unary("-", Number() as inner):
            return inner
        case "+", _:
            return operand
    return Unary(operator, operand)


def folded_operation(operator: str, left: Node, right: Node) -> Node:
    """An operation, computed if both sides are constants and the result is exact."""
    if isinstance(left, Counting) or isinstance(right, Counting):
        return _counting_operation(operator, left, right)
    a, b = constant(left), constant(right)
    if a is None or b is None:
        return Binary(operator, left, right)
    if operator == "&":
        return Text(constant_text(left) + constant_text(right))
    if type(a) is type(b) and operator in ("=", "<>"):
        return tree_of((a == b) == (operator == "="))
    if isinstance(a, str) != isinstance(b, str) and operator in ("=", "<>"):
        return tree_of(operator == "<>")
    if isinstance(a, float) and isinstance(b, float):
        if operator in ("<", ">", "<=", ">="):
            return tree_of({"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[operator])
        if a.is_integer() and b.is_integer() and operator in "+-*":
            return tree_of({"+": a + b, "-": a - b, "*": a * b}[operator])
    return Binary(operator, left, right)


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
    if all(isinstance(side, Counting) or constant(side) is not None for side in (left, right)):
        raise FormDecidedError
    return Binary(operator, left, right)


def same_for(left: Node, right: Node) -> float:
    """For how many rows a comparison of a growing number with a constant comes out the same.

    >>> same_for(Counting(1), tree_of(12)), same_for(Counting(12), tree_of(12))
    (11, 1)
    >>> same_for(tree_of(12), Counting(13))
    inf

    Zero for any other comparison.
    """
    if isinstance(right, Counting):
        left, right = right, left
    if not (isinstance(left, Counting) and isinstance(right, Number)):
        return 0
    ahead = right.value - left.start
    return inf if ahead < 0 else max(ceil(ahead / left.step), 1)


def at_first(node: Node) -> Node:
    """A growing number as it is in the first row; any other tree as it is."""
    return tree_of(node.start) if isinstance(node, Counting) else node


def folded_junction(name: str, given: Sequence[Node]) -> Node:
    """AND or OR (``name``) of some tests, without those that a constant decides."""
    deciding = name == "OR"
    kept = []
    for node in given:
        known = truth(node)
        if known is deciding:
            return tree_of(deciding)
        if known is None:
            kept.append(node)
    if not kept:
        return tree_of(not deciding)
    return kept[0] if len(kept) == 1 and len(given) > 1 else Call(name, tuple(kept))
