"""The trees of the native formulas as JavaScript.

Each name of LET becomes a constant, LAMBDA an arrow function; what a spreadsheet need not compute
(the branches of IF, what IFERROR falls back on) becomes a function without arguments, unless it is
a value already. The rest are
calls of the functions in ``runtime.js``, which has each under its own name.
"""

from __future__ import annotations

import json
import re
from typing import Final

from elo_xl.functions.native.lambdas import READ
from elo_xl.xlsx.formula import (
    Apply,
    ArrayConstant,
    Binary,
    Call,
    Constant,
    Name,
    Node,
    Number,
    OptionalParameter,
    Text,
    Unary,
    to_text,
)

_OPERATORS: Final = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "^": "pow",
    "&": "cat",
    "=": "eq",
    "<>": "ne",
    "<": "lt",
    ">": "gt",
    "<=": "le",
    ">=": "ge",
}

#: Functions of which only the first argument is always computed.
_LAZY: Final = frozenset(("IF", "IFERROR", "IFNA", "CHOOSE"))

_ERRORS: Final = {"#NUM!": "NUM", "#VALUE!": "VALUE", "#N/A": "NA"}

#: What reads cells is written by hand, for all functions.
_GIVEN: Final = frozenset(READ)


def to_javascript(tree: Node, shared: dict[str, str] | None = None) -> str:
    """The JavaScript of a formula's tree.

    Array constants stay in their places, or get names in ``shared``: the names by what they stand
    for, so that a table that many formulas have is there once.

    >>> from elo_xl.xlsx.formula import parse
    >>> print(to_javascript(parse("LAMBDA(x, [y], LET(d, x - 1, IF(d < 0, -d, d ^ 2)))")))
    ($x,$y)=>{const $d=sub($x,1);return IF(lt($d,0),()=>neg($d),()=>pow($d,2))}
    """
    return _Writer(shared).expression(tree)


class _Writer:
    def __init__(self, shared: dict[str, str] | None) -> None:
        self.shared = shared
        self.scopes: list[dict[str, str]] = [{name: name for name in _GIVEN}]

    def expression(self, node: Node | None) -> str:
        match node:
            case None:
                return "undefined"
            case Text(value):
                return json.dumps(value)
            case Number():
                return _number(node.value)
            case Constant("TRUE" | "FALSE"):
                return node.text.lower()
            case Constant(text):
                return _ERRORS.get(text) or _unknown(node)
            case ArrayConstant(rows):
                cells = [self.expression(cell) for row in rows for cell in row]
                text = f"A({len(rows[0])},{','.join(cells)})"
                if self.shared is None:
                    return text
                return self.shared.setdefault(text, f"A{len(self.shared)}")
            case Name(text):
                return self.known(text) or _unknown(node)
            case Unary("-", Number() as number):
                return f"-{_number(number.value)}"
            case Unary("-", operand):
                return f"neg({self.expression(operand)})"
            case Binary("+") if found := _among(node):
                name, texts = found
                return f"among({self.expression(name)},{json.dumps(texts)})"
            case Binary(operator, left, right) if operator in _OPERATORS:
                return f"{_OPERATORS[operator]}({self.expression(left)},{self.expression(right)})"
            case Apply(function, arguments):
                return f"({self.expression(function)})({self.all(arguments)})"
            # an omitted argument is a blank, for which the rest gives the same
            case Call("IF", (Call("ISOMITTED"), _, rest)):
                return self.expression(rest)
            # MAP takes what has one value, and what has another shape
            case Call("IF", (_, Call(), Call("MAP") as map_)):
                return self.expression(map_)
            case Call("MAP", arguments):
                return f"MAP({self.all(tuple(map(_narrow, arguments)))})"
            case Call(name, arguments):
                return self.call(name, arguments)
        return _unknown(node)

    def all(self, nodes: tuple[Node | None, ...]) -> str:
        return ",".join(map(self.expression, nodes))

    def known(self, name: str) -> str | None:
        found = (scope[name.lower()] for scope in reversed(self.scopes) if name.lower() in scope)
        return next(found, None)

    def bind(self, name: str) -> str:
        """An identifier for a name; JavaScript's constants cannot refer to one that they hide."""
        bound = "$" + re.sub(r"\W", "_", name.lower())
        if (before := self.known(name)) is not None:
            bound = before + "_"
        self.scopes[-1][name.lower()] = bound
        return bound

    def call(self, name: str, arguments: tuple[Node | None, ...]) -> str:
        if name.upper() == "LET":
            return f"(()=>{self.body(Call(name, arguments))})()"
        if name.upper() == "LAMBDA":
            return self.function(arguments)
        if (bound := self.known(name)) is not None:
            return f"{bound}({self.all(arguments)})"
        name = name.upper().replace(".", "_")
        if name in _LAZY:
            first, *others = arguments
            return f"{name}({','.join([self.expression(first), *map(self.later, others)])})"
        return f"{name}({self.all(arguments)})"

    def later(self, node: Node | None) -> str:
        """What is computed if it is asked for; a value that is there already is itself."""
        ready = isinstance(node, Text | Number | Constant | Name)
        return self.expression(node) if ready else f"()=>{self.body(node)}"

    def function(self, arguments: tuple[Node | None, ...]) -> str:
        *parameters, body = arguments
        self.scopes.append({})
        names = [
            self.bind(p.name if isinstance(p, OptionalParameter) else to_text(p))
            for p in parameters
        ]
        text = f"({','.join(names)})=>{self.body(body)}"
        self.scopes.pop()
        return text

    def body(self, node: Node | None) -> str:
        """What stands after an arrow: the names of LET are constants of a block."""
        if not (isinstance(node, Call) and node.name.upper() == "LET"):
            return self.expression(node)
        lines = []
        self.scopes.append({})
        while isinstance(node, Call) and node.name.upper() == "LET":
            *pairs, node = node.arguments
            for name, value in zip(pairs[::2], pairs[1::2], strict=True):
                if to_text(name) in _GIVEN:
                    continue
                written = self.expression(value)
                lines.append(f"const {self.bind(to_text(name))}={written};")
        result = self.expression(node)
        self.scopes.pop()
        return f"{{{''.join(lines)}return {result}}}"


def _narrow(node: Node | None) -> Node | None:
    """An argument of MAP without what makes it as large as the others."""
    match node:
        case Call("IF", (_, Name() as one, Name() as other)) if one == other:
            return one
    return node


def _among(node: Node) -> tuple[Name, list[str]] | None:
    """A name and the texts one of which it is, if that is all that a sum says."""
    match node:
        case Binary("=", Name() as name, Text(value)):
            return name, [value]
        case Binary("+", left, right):
            one, other = _among(left), _among(right)
            if one and other and one[0] == other[0]:
                return one[0], one[1] + other[1]
    return None


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and value < 1e15 else repr(value)


def _unknown(node: Node | None) -> str:
    raise TypeError(f"no JavaScript for {node}")
