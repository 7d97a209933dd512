"""The trees of the native formulas as SQL expressions, written as DuckDB takes them.

Every number is written with an exponent, as ``4e2``: so it is a double in each dialect, where
``400.0`` may be a decimal with digits of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from elo_xl.engine.arrays import round_half_away
from elo_xl.engine.models import SCALES
from elo_xl.engine.outcomes import PARAMETERS
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.functions.native.pieces import NativeForm
from elo_xl.functions.native.reduce import EMPTY, MISSING
from elo_xl.hosts.sql import normal
from elo_xl.xlsx.folding import Env, number_of, tree_of
from elo_xl.xlsx.formula import (
    COMPARISONS,
    TRUE,
    ArrayConstant,
    Binary,
    Call,
    Constant,
    Name,
    Node,
    Number,
    Text,
    Unary,
)

_CALLS: Final = {
    **{name: f"{name}({{}})" for name in ("ABS", "COALESCE", "EXP", "SIGN", "SQRT")},
    "INT": "FLOOR({})",
    "PI": "3.141592653589793e0",
    # of 0 it fails in some dialects, and LOG has other arguments in each
    "LN": "LN(NULLIF({}, 0e0))",
    "LOG10": "(LN(NULLIF({}, 0e0)) / 2.302585092994046e0)",
    "BLANK_IF": "NULLIF({})",
}


class NoSqlError(LookupError):
    """A formula that no single expression of SQL says."""


class SqlForm(NativeForm):
    """The pieces as SQL writes them.

    ``counted`` says which rows are games.
    """

    def __init__(self, names: Env, counted: Node = TRUE) -> None:
        super().__init__(keep=False, arrays=False, names=names)
        self.counted = counted

    def nth(self, row: Node, i: Node) -> Node:
        return row

    def draw_kind(self, draws: Node) -> Node:
        return draws

    def draw_size(self, draws: Node) -> Node:
        usual = EMPTY
        for kind, size in PARAMETERS.items():
            usual = Call("IF", (Binary("=", draws, Text(kind)), tree_of(size), usual))
        return Call("COALESCE", (Name("draw_size"), usual))

    def is_one_value(self, node: Node) -> bool:
        return True

    def highest(self, a: Node, b: Node) -> Node:
        # GREATEST of a NULL is something else in each dialect
        return a if b == MISSING else Call("IF", (Binary(">", b, a), b, a))

    def clip(self, x: Node, limit: Node, where: Node = TRUE) -> Node:
        cut = Call("MEDIAN", (Unary("-", limit), x, limit))
        return cut if where == TRUE else Call("IF", (where, cut, x))

    def sum_games(self, value: Node) -> Node:
        return Call("SUM", (self._of_games(value),))

    def most_games(self, value: Node) -> Node:
        return Call("LARGEST", (self._of_games(value),))

    def _of_games(self, value: Node) -> Node:
        return value if self.counted == TRUE else Call("IF", (self.counted, value, EMPTY))

    def too_many(self) -> Node:
        return self.reducer.typed("most_games(score) > 1")

    def scored(self, result: Node, side: Node) -> Node:
        raise NoSqlError("it reads results as people type them")

    def _factor(self, book: Rulebook, k: Node) -> Node:
        """K as given; the rulebook's own where it is NULL."""
        if k != Name("k"):
            return super()._factor(book, k)
        own = super()._factor(book, Text("auto"))
        if not book.change.takes_k:
            return Call("IF", (Binary("=", k, EMPTY), own, EMPTY))
        return Call("COALESCE", (k, own))


class Writer:
    """Writes trees as SQL; what a function alone can name is in :attr:`helpers`."""

    def __init__(self) -> None:
        self.helpers: dict[str, str] = {}
        """functions of one ``x`` by their names, each after those that it calls"""

    def truth(self, node: Node | None) -> str:
        """A condition as SQL."""
        match node:
            case Constant("TRUE" | "FALSE"):
                return f"(1e0 = {'1e0' if node == TRUE else '0e0'})"  # T-SQL has no TRUE
            case Binary("=" | "<>" as operator, a, b) if EMPTY in (a, b):
                known = "IS" if operator == "=" else "IS NOT"
                return f"{self.number(a if b == EMPTY else b)} {known} NULL"
            case Binary(operator, a, b) if operator in COMPARISONS:
                return f"({self.number(a)} {operator} {self.number(b)})"
            case Call("AND" | "OR" as name, conditions):
                return f"({f' {name} '.join(map(self.truth, conditions))})"
            case Call("NOT", (a,)):
                return f"(NOT {self.truth(a)})"
            case Call("IF", (condition, a, b)) if is_truth(node):
                test = self.truth(condition)
                return f"(({test} AND {self.truth(a)}) OR (NOT {test} AND {self.truth(b)}))"
            case Binary("*", a, b) if is_truth(node):
                return f"({self.truth(a)} AND {self.truth(b)})"
            case Binary("+", a, b) if is_truth(node):
                return f"({self.truth(a)} OR {self.truth(b)})"
        return f"({self.number(node)} <> 0e0)"

    def number(self, node: Node | None) -> str:
        """A value as SQL; NoSqlError if there is none."""
        if is_truth(node):
            return _case([(self.truth(node), "1e0")], "0e0")
        match node:
            case Constant() | Text(""):  # an error, an omitted argument
                return "NULL"
            case Text(value):
                return "'" + value.replace("'", "''") + "'"
            case Number():
                return double(node.value)
            case Name(text):
                return text
            case Unary("-", a):
                return f"(-{self.number(a)})"
            case Binary("^", a, b) if number_of(b) == 2:
                return self.of_one(self.number(a), lambda x: f"({x} * {x})", "elo_square")
            case Binary("^", a, b):
                return f"POWER({self.number(a)}, {self.number(b)})"
            case Binary("+" | "-" | "*" | "/" as operator, a, b):
                return f"({self.number(a)} {operator} {self.number(b)})"
            case Call("IF", (condition, a, b)):
                cases, other = [(self.truth(condition), self.number(a))], b
                # one CASE for all of them, for T-SQL has ten levels
                while isinstance(other, Call) and other.name == "IF" and not is_truth(other):
                    condition, a, other = other.arguments
                    cases.append((self.truth(condition), self.number(a)))
                return _case(cases, self.number(other))
            case Call("ROUND", (a, Number("0"))):
                known = number_of(a)
                if known is not None:
                    return double(float(round_half_away(known)))
                return self.of_one(self.number(a), _rounded_away, "elo_rounded")
            case Call("MOD", (a, b)):
                x, y = self.number(a), self.number(b)
                return f"({x} - {y} * FLOOR({x} / {y}))"
            case Call("MEDIAN", (low, x, high)):
                return self.between(low, x, high)
            case Call("MAX" | "MIN" as name, (a, b)):
                limit, inside = (a, b) if number_of(b) is None else (b, a)
                ends = (limit, None) if name == "MAX" else (None, limit)
                return self.between(ends[0], inside, ends[1])
            case Call("MATCH", (x, ArrayConstant(rows))):
                return self.steps(x, rows[0], map(self.number, _places(rows)))
            case Call("LOOKUP", (x, ArrayConstant(rows), ArrayConstant(values))):
                return self.steps(x, rows[0], map(self.number, values[0]))
            case Call("INDEX", (ArrayConstant(rows), Number("1"), i)):
                return self.steps(i, _places(rows), map(self.number, rows[0]))
            case Call("NORMSDIST", (z,)):
                return self.of_one(self.number(z), normal.phi, "elo_phi")
            case Call("NORMSINV", (p,)):
                return self.of_one(self.number(p), normal.inverse, "elo_phi_inverse")
            case Call("CURVE", (model,)):
                named = [(f"x LIKE '{curve}:%'", f"'{curve}'") for curve in SCALES]
                return self.of_one(self.number(model), lambda x: _case(named, x), "elo_curve")
            case Call("WIDE", (model,)):
                return self.of_one(self.number(model), _wide, "elo_wide")
            case Call("SUM" | "LARGEST" as name, (value,)):
                return self.added({"SUM": "SUM", "LARGEST": "MAX"}[name], value)
            case Call(name, arguments) if name in _CALLS:
                return _CALLS[name].format(", ".join(map(self.number, arguments)))
            case Call(
                "REDUCE", (start, Call("SEQUENCE", (count,)), Call("LAMBDA", (_, _, body)))
            ) if start is not None and body is not None:
                return self.iterated(start, int(number_of(count) or 0), body)
        raise NoSqlError("it needs steps that one expression does not have")

    def added(self, function: str, value: Node | None) -> str:
        """A sum over games."""
        return f"COALESCE({function}({self.number(value)}), 0e0)"

    def between(self, low: Node | None, x: Node | None, high: Node | None) -> str:
        """A number within bounds, NULL if it is none; GREATEST of a NULL differs by dialect."""
        least, most = (None if n is None else self.number(n) for n in (low, high))

        def made(x: str) -> str:
            cases = [] if least is None else [(f"{x} < {least}", least)]
            return _case(cases if most is None else [*cases, (f"{x} > {most}", most)], x)

        known = all(n is None or number_of(n) is not None for n in (low, high))
        return self.of_one(self.number(x), made, "elo_bounded") if known else made(self.number(x))

    def iterated(self, start: Node, count: int, body: Node) -> str:
        """The number after so many steps of an approximation."""
        raise NoSqlError("it needs steps that one expression does not have")

    def steps(self, x: Node | None, begins: Iterable[Node], values: Iterable[str]) -> str:
        """The value of the last step that a number has reached."""
        found = [
            (self.number(begin), value)
            for begin, value in zip(begins, values, strict=False)
            if (number_of(begin) or 0) < 1e90  # what LibreOffice needs
        ]
        (first, _), *_ = found

        def made(x: str) -> str:
            return _case([(f"{x} >= {first}", _chosen(x, found))])

        return self.of_one(self.number(x), made, "elo_step")

    def of_one(self, text: str, made: Callable[[str], str], name: str) -> str:
        """What is ``made`` of a value that it needs more than once: a call of a function."""
        body = made("x")
        names = {known: name for name, known in self.helpers.items()}
        if body not in names:
            same = sum(known.startswith(name) for known in self.helpers)
            names[body] = f"{name}_{same}" if same else name
            self.helpers[names[body]] = body
        return f"{names[body]}({text})"


def is_truth(node: Node | None) -> bool:
    """Whether a tree is a condition."""
    match node:
        case Constant("TRUE" | "FALSE"):
            return True
        case Binary(operator, a, b):
            return operator in COMPARISONS or (operator in "*+" and is_truth(a) and is_truth(b))
        case Call("AND" | "OR" | "NOT", _):
            return True
        case Call("IF", (_, a, b)):
            return is_truth(a) and is_truth(b)
    return False


def _places(rows: Sequence[Sequence[Node]]) -> list[Node]:
    return [tree_of(place) for place in range(1, len(rows[0]) + 1)]


def double(value: float) -> str:
    """A number as every dialect reads it: a double.

    >>> double(400), double(0.5), double(1e-12)
    ('400e0', '0.5e0', '1e-12')
    """
    text = repr(float(value)).removesuffix(".0")
    return text if "e" in text else f"{text}e0"


def _rounded_away(x: str) -> str:
    """The nearest whole number, halves away from zero: ROUND takes halves to even numbers in some
    dialects."""
    return f"(SIGN({x}) * FLOOR(ABS({x}) + 0.5e0))"


def _wide(x: str) -> str:
    """How many times as wide as usual the curve of a model such as logistic:300 is."""
    scales = _case([(f"{x} LIKE '{curve}:%'", double(scale)) for curve, scale in SCALES.items()])
    number = f"TRY_CAST(SUBSTRING({x}, STRPOS({x}, ':') + 1, 40) AS DOUBLE)"
    known = f"REGEXP_MATCHES({x}, '^[a-z]+:[0-9]+([.][0-9]+)?$')"
    return _case([(f"{x} NOT LIKE '%:%'", "1e0"), (known, f"{number} / {scales}")])


def _case(cases: Sequence[tuple[str, str]], other: str = "NULL") -> str:
    return f"CASE {' '.join(f'WHEN {a} THEN {b}' for a, b in cases)} ELSE {other} END"


def _chosen(x: str, steps: Sequence[tuple[str, str]]) -> str:
    """The value of the last step that a number has reached, by halves: of 51 after six questions.

    >>> _chosen("x", [("0e0", "1e0"), ("4e0", "2e0")])
    'CASE WHEN x >= 4e0 THEN 2e0 ELSE 1e0 END'
    """
    if len(steps) == 1:
        return steps[0][1]
    half = len(steps) // 2
    high, low = _chosen(x, steps[half:]), _chosen(x, steps[:half])
    return _case([(f"{x} >= {steps[half][0]}", high)], low)
