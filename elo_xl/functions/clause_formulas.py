"""The formulas of clauses, as trees with the clauses' own numbers, for cells of any kind."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from elo_xl.engine.rulebooks.clauses import Clause, First
from elo_xl.xlsx.folding import replaced, tree_of
from elo_xl.xlsx.formula import Constant, Node, parse

MISSING: Final[Node] = Constant("missing")
"""Represents an optional argument that is omitted and has no default."""


def formula_of(clause: Clause) -> Node:
    """The formula of a clause; of a first rating with all its steps.

    >>> from elo_xl.engine.rulebooks import rulebook
    >>> from elo_xl.xlsx.formula import to_text
    >>> to_text(formula_of(rulebook("fide-2024-03").difference))
    'clip(d,400)'
    """
    node = with_numbers(clause.native() or "#VALUE!", clause)
    if isinstance(clause, First):
        for name, step in reversed(clause.steps):
            node = replaced(node, name, with_numbers(step, clause))
    return node


def with_numbers(formula: str, clause: Clause) -> Node:
    """A formula in which ``my.cap`` stands for the field ``cap`` of a clause."""
    node = parse(formula)
    for f in fields(clause):
        value = getattr(clause, f.name)
        if value is None or isinstance(value, (bool, int, float, str)):
            node = replaced(node, f"my.{f.name}", constant(value, MISSING))
    return node


def constant(value: object, none: Node) -> Node:
    """The tree of a number, a truth value or a text; ``none`` replaces None."""
    assert value is None or isinstance(value, (bool, int, float, str))
    return none if value is None else tree_of(value)
