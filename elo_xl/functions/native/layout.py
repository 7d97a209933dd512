"""Break long formulas into lines, as a person would."""

from __future__ import annotations

from typing import Final

from elo_xl.xlsx.formula import Binary, Call, Node, binds, to_text

WIDTH: Final = 100
STEP: Final = "  "

#: Functions whose last arguments go below one another while the first ones stay on the line.
_HANGING: Final = {"LAMBDA": -1, "IF": 1, "MAP": -1, "REDUCE": -1}


def layout(node: Node | None, indent: str = "", before: int = 0) -> str:
    """Write the formula of a tree in lines of at most 100 characters where possible.

    ``indent`` is the indentation, ``before`` the number of characters already on the line.
    """
    flat = spaced(node)
    if not isinstance(node, (Call, Binary)) or len(indent) + before + len(flat) <= WIDTH:
        return flat
    deeper = indent + STEP
    if isinstance(node, Binary):
        return _terms(node, deeper)
    arguments = node.arguments
    if node.name == "LET":
        lines = []
        for name, value in zip(arguments[:-1:2], arguments[1::2], strict=True):
            label = f"{spaced(name)}, "
            lines.append(label + layout(value, deeper, len(label) + 1))
        lines.append(layout(arguments[-1], deeper, 1))
        return f"LET(\n{deeper}" + f",\n{deeper}".join(lines) + ")"
    kept = _HANGING.get(node.name, 0)
    first = arguments[:kept] if kept else ()
    head = ", ".join(map(spaced, first))
    if first and len(indent) + before + len(head) > WIDTH:
        first, head = (), ""
    rest = [layout(a, deeper, 1) for a in arguments[len(first) :]]
    opening = f"{node.name}({head}," if first else f"{node.name}("
    return f"{opening}\n{deeper}" + f",\n{deeper}".join(rest) + ")"


def _terms(node: Binary, indent: str) -> str:
    """One term per line, with its operator in front."""
    weight, terms = binds(node), []
    first: Node = node
    while isinstance(first, Binary) and binds(first) == weight:
        terms.append((first.operator, first.right))
        first = first.left
    lines = [_part(first, weight, indent)]
    lines += [f"{sign} {_part(term, weight + 1, indent)}" for sign, term in reversed(terms)]
    return f"\n{indent}".join(lines)


def _part(node: Node, least: int, indent: str) -> str:
    text = layout(node, indent, 2)
    return f"({text})" if binds(node) < least else text


def spaced(node: Node | None) -> str:
    """A formula on one line, with blanks after commas and around operators."""
    return to_text(node, comma=", ", around=" ")
