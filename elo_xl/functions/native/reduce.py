"""Reduce a formula as far as possible before the values of cells are known.

A native formula is one tree for all options. Reducing it inserts the arguments, replaces pieces by
their meaning and drops every branch that a constant decides, so that the formula for one cell is as
short as if it had been typed for that cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from elo_xl.xlsx.folding import Env, PartialEvaluator, Piece, junction, number_of, replaced, tree_of
from elo_xl.xlsx.formula import (
    COMPARISONS,
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


@dataclass(frozen=True, slots=True)
class OptionCell(Call):
    """A cell with the name of an option: :func:`option_cell` makes it."""

    @property
    def cell(self) -> Node:
        return _argument(self, 0)

    @property
    def default(self) -> Node:
        """The option that a blank cell means."""
        return _argument(self, 1)


@dataclass(frozen=True, slots=True)
class NumberRow(Call):
    """The numbers of an argument that may be a row of them; its arguments are their cells."""


@dataclass(frozen=True, slots=True)
class Clipped(Call):
    """A number limited to ±limit where a condition holds: :func:`clipped` makes it."""

    @property
    def number(self) -> Node:
        return _argument(self, 0)

    @property
    def limit(self) -> Node:
        return _argument(self, 1)

    @property
    def where(self) -> Node:
        return _argument(self, 2)


def option_cell(cell: Node, default: str) -> OptionCell:
    return OptionCell("option", (cell, Text(default)))


def number_row(cells: tuple[Node, ...]) -> NumberRow:
    return NumberRow("row", cells)


def clipped(number: Node, limit: Node, where: Node) -> Clipped:
    return Clipped("clip", (number, limit, where))


def _argument(node: Call, i: int) -> Node:
    argument = node.arguments[i]
    assert argument is not None
    return argument


EMPTY: Final[Node] = Text("")

MISSING: Final[Node] = Constant("missing")
"""Represents an optional argument that is omitted and has no default."""

Rule = Callable[..., Node]
"""A piece that is computed in Python: what it does with its arguments."""


class Reducer(PartialEvaluator):
    """Reduces formulas of one form.

    ``keep`` keeps the names of LET and local functions for a LAMBDA; otherwise their values replace
    them. ``arrays`` avoids functions that make one value of many. ``rules`` are the pieces that are
    computed in Python, ``pieces`` those that are formulas, ``names`` the meaning of free names.
    """

    numbers = True

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

    def meaning(self, name: str) -> Node | Piece:
        return self.names.get(name, Name(name))

    def call(self, name: str, arguments: tuple[Node | None, ...], env: Env) -> Node:
        if name == "LET":
            return self._let(arguments, env)
        if name == "LAMBDA":
            return self._lambda(arguments, env)
        reduced = self.reduced(arguments, env)
        known = env.get(name, self.pieces.get(name))
        if isinstance(known, Piece):
            return self.apply(known, reduced)
        if name in self.rules:
            return self.rules[name](*reduced)
        if name == "MOD" and reduced[0] is not None and reduced[1] is not None:
            a, b = number_of(reduced[0]), number_of(reduced[1])
            if a is not None and b:
                return tree_of(a % b)
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
        # backwards: a name that only another unused one needs goes with it
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

    def binary(self, operator: str, left: Node, right: Node) -> Node:
        if isinstance(left, OptionCell) and isinstance(right, Text) and operator in COMPARISONS:
            chosen = Binary(operator, left.cell, right)
            if right == left.default and operator == "=":
                return self.either(Binary("=", left.cell, EMPTY), chosen)
            return chosen
        return super().binary(operator, left, right)

    def either(self, *conditions: Node) -> Node:
        """Whether one of the conditions holds."""
        return self._joined("OR", "+", conditions)

    def both(self, *conditions: Node) -> Node:
        """Whether all conditions hold."""
        return self._joined("AND", "*", conditions)

    def _joined(self, function: str, operator: str, conditions: Sequence[Node]) -> Node:
        result = junction(function, conditions)
        if not (isinstance(result, Call) and result.name == function):
            return result
        first, *others = children(result)
        if others and not (self.arrays or self.keep):
            return result
        for other in others:
            first = Binary(operator, first, other)
        return first


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
    return ArrayConstant((tuple(map(tree_of, values)),))


def _local(function: Call, env: Env) -> Piece:
    *parameters, body = function.arguments
    assert body is not None
    return Piece(tuple(_text(p) for p in parameters), body, dict(env))


def _text(node: Node | None) -> str:
    assert isinstance(node, Name)
    return node.text
