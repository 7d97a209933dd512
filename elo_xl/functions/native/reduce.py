"""Reduce a formula as far as possible before the values of cells are known.

A native formula is one tree for all options. Reducing it inserts the arguments, replaces pieces by
their meaning and drops every branch that a constant decides, so that the formula for one cell is as
short as if it had been typed for that cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from elo_xl.functions.clause_formulas import MISSING
from elo_xl.functions.native.nodes import OptionCell
from elo_xl.xlsx.folding import arithmetic, number, number_of, replaced, unary
from elo_xl.xlsx.formula import (
    FALSE,
    TRUE,
    ArrayConstant,
    Binary,
    Call,
    Constant,
    Name,
    Node,
    Number,
    OptionalParameter,
    Reference,
    Text,
    Unary,
    children,
    parse,
    walk,
)

EMPTY: Final[Node] = Text("")

_COMPARED: Final[dict[str, Callable[[float | str, float | str], bool]]] = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: _rank(a) < _rank(b),
    ">": lambda a, b: _rank(a) > _rank(b),
    "<=": lambda a, b: _rank(a) <= _rank(b),
    ">=": lambda a, b: _rank(a) >= _rank(b),
}


def _rank(value: float | str) -> tuple[bool, float, str]:
    """The key by which spreadsheets compare: any text is greater than any number."""
    return (True, 0.0, value) if isinstance(value, str) else (False, value, "")


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
Rule = Callable[..., Node]
"""A piece that is computed in Python: what it does with its arguments."""


class Reducer:
    """Reduces formulas of one form.

    ``keep`` keeps the names of LET and local functions for a LAMBDA; otherwise their values replace
    them. ``arrays`` avoids functions that make one value of many. ``rules`` are the pieces that are
    computed in Python, ``pieces`` those that are formulas, ``names`` the meaning of free names.
    """

    def __init__(
        self,
        *,
        keep: bool,
        arrays: bool,
        pieces: Mapping[str, Piece],
        rules: Mapping[str, Rule],
        names: Env,
    ) -> None:
        self.keep = keep
        self.arrays = arrays
        self.pieces = pieces
        self.rules = rules
        self.names = names
        self.taken: set[str] = set()

    def typed(self, formula: str, **env: Node | Piece) -> Node:
        """Reduce a formula given as text; ``env`` says what its names stand for."""
        return self.reduce(parse(formula), env)

    def reduce(self, node: Node, env: Env) -> Node:
        """Evaluate everything in the formula that is known."""
        match node:
            case Name(text):
                value = env.get(text, self.names.get(text, node))
                if isinstance(value, Piece):
                    raise TypeError(f"{text} is a function, not a value")
                return value
            case Call(name, arguments):
                return self._call(name, arguments, env)
            case Unary(operator, operand):
                return unary(operator, self.reduce(operand, env))
            case Binary(operator, left, right):
                return self.binary(operator, self.reduce(left, env), self.reduce(right, env))
        return node

    def _call(self, name: str, arguments: tuple[Node | None, ...], env: Env) -> Node:
        if name == "LET":
            return self._let(arguments, env)
        if name == "LAMBDA":
            return self._lambda(arguments, env)
        if name == "IF":
            return self._if(arguments, env)
        reduced = [None if a is None else self.reduce(a, env) for a in arguments]
        known = env.get(name, self.pieces.get(name))
        if isinstance(known, Piece):
            return self.apply(known, reduced)
        if name in self.rules:
            return self.rules[name](*reduced)
        if name == "MOD" and reduced[0] is not None and reduced[1] is not None:
            a, b = number_of(reduced[0]), number_of(reduced[1])
            if a is not None and b:
                return number(a % b)
        return Call(known.text if isinstance(known, Name) else name, tuple(reduced))

    def apply(self, piece: Piece, arguments: Sequence[Node | None]) -> Node:
        """Insert the arguments into a piece; with ``keep``, one that it uses twice gets a name."""
        env: dict[str, Node | Piece] = dict(piece.env)
        bound: list[tuple[str, Node]] = []
        given = [MISSING if a is None else a for a in arguments]
        given += [MISSING] * (len(piece.parameters) - len(given))
        for parameter, argument in zip(piece.parameters, given, strict=True):
            if self.keep and not is_atom(argument):
                fresh = self.fresh(parameter)
                env[parameter] = Name(fresh)
                bound.append((fresh, argument))
            else:
                env[parameter] = argument
        result = self.reduce(piece.body, env)
        for name, value in reversed(bound):
            if uses(result, name) > 1:
                result = let(((name, value),), result)
            else:
                result = replaced(result, name, value)
        return result

    def fresh(self, wanted: str) -> str:
        """A name that does not occur anywhere else in the formula."""
        name, letter = wanted, ord("b")
        while name in self.taken:
            name, letter = f"{wanted}_{chr(letter)}", letter + 1
        self.taken.add(name)
        return name

    def _let(self, arguments: tuple[Node | None, ...], env: Env) -> Node:
        inner = dict(env)
        bound: list[tuple[str, Node]] = []
        for name, value in zip(arguments[:-1:2], arguments[1::2], strict=True):
            assert isinstance(name, Name)
            assert value is not None
            if isinstance(value, Call) and value.name == "LAMBDA" and not self.keep:
                inner[name.text] = _local(value, inner)
                continue
            result = self.reduce(value, inner)
            if not self.keep or is_atom(result):
                inner[name.text] = result
            else:
                fresh = self.fresh(name.text)
                inner[name.text] = Name(fresh)
                bound.append((fresh, result))
        assert arguments[-1] is not None
        body = self.reduce(arguments[-1], inner)
        for i in reversed(range(len(bound))):
            later = sum(uses(value, bound[i][0]) for _, value in bound[i + 1 :])
            if not later + uses(body, bound[i][0]):
                del bound[i]
        return let(bound, body)

    def _lambda(self, arguments: tuple[Node | None, ...], env: Env) -> Node:
        inner = dict(env)
        for parameter in arguments[:-1]:
            name = parameter.name if isinstance(parameter, OptionalParameter) else _text(parameter)
            inner[name] = Name(name)
        assert arguments[-1] is not None
        return Call("LAMBDA", (*arguments[:-1], self.reduce(arguments[-1], inner)))

    def _if(self, arguments: tuple[Node | None, ...], env: Env) -> Node:
        condition, yes, no = arguments
        assert condition is not None
        assert yes is not None
        assert no is not None
        decided = self.reduce(condition, env)
        known = number_of(decided)
        if known is not None:
            return self.reduce(yes if known else no, env)
        first, second = self.reduce(yes, env), self.reduce(no, env)
        return first if first == second else Call("IF", (decided, first, second))

    def binary(self, operator: str, left: Node, right: Node) -> Node:
        """Combine two reduced operands."""
        if operator in _COMPARED:
            return self._compared(operator, left, right)
        return arithmetic(operator, left, right)

    def _compared(self, operator: str, left: Node, right: Node) -> Node:
        if isinstance(left, OptionCell) and isinstance(right, Text):
            chosen = Binary(operator, left.cell, right)
            if right == left.default and operator == "=":
                return self.either(Binary("=", left.cell, EMPTY), chosen)
            return chosen
        a, b = _constant(left), _constant(right)
        if a is None or b is None:
            return Binary(operator, left, right)
        return TRUE if _COMPARED[operator](a, b) else FALSE

    def either(self, *conditions: Node) -> Node:
        """Whether one of the conditions holds."""
        return self._joined(conditions, "OR", "+", FALSE, TRUE)

    def both(self, *conditions: Node) -> Node:
        """Whether all conditions hold."""
        return self._joined(conditions, "AND", "*", TRUE, FALSE)

    def _joined(
        self, conditions: Sequence[Node], function: str, sign: str, idle: Node, decided: Node
    ) -> Node:
        left: list[Node] = []
        for condition in conditions:
            known = number_of(condition)
            if known is None:
                inner = isinstance(condition, Call) and condition.name == function
                left += children(condition) if inner else [condition]
            elif bool(known) == (decided == TRUE):
                return decided
        if not left:
            return idle
        if len(left) == 1:
            return left[0]
        if not (self.arrays or self.keep):
            return Call(function, tuple(left))
        result = left[0]
        for condition in left[1:]:
            result = Binary(sign, result, condition)
        return result


def _constant(node: Node) -> float | str | None:
    return node.value.lower() if isinstance(node, Text) else number_of(node)


def is_atom(node: Node) -> bool:
    """Whether writing a node twice costs no more than giving it a name."""
    if isinstance(node, Unary):
        return is_atom(node.operand)
    return isinstance(node, (Text, Number, Constant, Reference, Name))


def let(bound: Sequence[tuple[str, Node]], body: Node) -> Node:
    """LET with these names; a LET in its result is joined to it."""
    if not bound:
        return body
    pairs: list[Node | None] = [part for name, value in bound for part in (Name(name), value)]
    if isinstance(body, Call) and body.name == "LET":
        return Call("LET", (*pairs, *body.arguments))
    return Call("LET", (*pairs, body))


def uses(node: Node, name: str) -> int:
    """How often a name occurs in a formula, as a value or called."""
    return sum(
        (isinstance(n, Name) and n.text == name) or (isinstance(n, Call) and n.name == name)
        for n in walk(node)
    )


def array(values: Sequence[float | str]) -> ArrayConstant:
    """An array constant of one row."""
    return ArrayConstant((tuple(Text(v) if isinstance(v, str) else number(v) for v in values),))


def _local(function: Call, env: Env) -> Piece:
    *parameters, body = function.arguments
    assert body is not None
    return Piece(tuple(_text(p) for p in parameters), body, dict(env))


def _text(node: Node | None) -> str:
    assert isinstance(node, Name)
    return node.text
