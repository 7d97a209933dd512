"""Nodes that occur in a formula only while it is being reduced; the result has none of them."""

from __future__ import annotations

from dataclasses import dataclass

from elo_xl.xlsx.formula import Call, Node, Text


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
