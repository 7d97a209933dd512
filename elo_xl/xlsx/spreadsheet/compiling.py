"""Compile trees of formulas into Python functions, so that no cell parses or walks a tree.

The result is a nest of closures. Each gives a value, rows of values, or a NumPy array, for the
cell that is so many rows below and columns beside the one that the formula is written for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from elo_xl.xlsx.fill import place
from elo_xl.xlsx.formula import (
    ArrayConstant,
    Binary,
    Call,
    Constant,
    Counting,
    Name,
    Node,
    Number,
    Reference,
    Text,
    Unary,
)
from elo_xl.xlsx.spreadsheet.lazy_functions import LAZY
from elo_xl.xlsx.spreadsheet.operators import (
    ARITHMETIC,
    COMPARISONS,
    HOLDS,
    JOINED,
    PLAIN,
    Operation,
    of_single_values,
    power,
    safely,
)
from elo_xl.xlsx.spreadsheet.range_functions import OF_RANGES, ONE
from elo_xl.xlsx.spreadsheet.references import (
    Arguments,
    CellSource,
    Closure,
    Own,
    Rows,
    T,
    contents,
    find_area,
    intersection,
    is_range,
    refers,
)
from elo_xl.xlsx.spreadsheet.value_functions import NUMBERS, TEXTS, OfValues
from elo_xl.xlsx.spreadsheet.values import (
    ERRORS,
    MOST_LETTERS,
    NAME,
    NEAR,
    REF,
    SEVERAL,
    VALUE,
    Argument,
    Error,
    Grid,
    RangeValues,
    Value,
    near,
    to_value,
)

OF_VALUES: Final = NUMBERS | TEXTS | {"POWER": OfValues("nn", power)}

LIFTING: Final = frozenset(("SUMPRODUCT", "LOOKUP"))
"""Functions whose arguments use all cells of a range even in an ordinary formula."""

_Step = tuple[Operation, Operation, Sequence[object]]
"""A function of a single value and of rows, and its arguments after the first."""

LARGE: Final = 1e300
"""Numbers below this cannot have become infinite."""


class Compiler:
    """Makes closures of the formulas of one sheet that are written for one first cell.

    ``row`` and ``column`` are that cell's. Where :attr:`placed` stays false, no closure made use of
    them, and the same closure serves wherever the tree stands.
    """

    def __init__(self, book: CellSource, sheet: str, row: int, column: int) -> None:
        self.book = book
        self.sheet = sheet
        self.row = row
        self.column = column
        self.placed = False
        self.depth = 0
        self.fixed: dict[Callable[[int, int], object], object] = {}
        self._level = 0
        self._chains: dict[Closure, tuple[Closure, tuple[_Step, ...]]] = {}

    def compile(self, node: Node | None, rows: Rows = False) -> Closure:
        """A node's closure; ``rows`` says what is wanted of a range."""
        if rows is None and is_range(self.book, node):
            return intersection(self, find_area(self, node))
        match node:
            case Reference():
                return self._reference(node)
            case Text(text):
                return self.constant(text)
            case Number():
                return self.constant(node.value)
            case Counting(start, step):
                return lambda down, right: float(start + step * down)
            case Constant(text):
                return self.constant(text == "TRUE" if text in ("TRUE", "FALSE") else Error(text))
            case None:
                return self.constant(None)
        self._level += 1
        if self._level > self.depth:
            self.depth = self._level
        closure = self._compound(node, rows)
        self._level -= 1
        return closure

    def _compound(self, node: Node, rows: Rows) -> Closure:
        match node:
            case Binary(":" | " " | ",", _, _):
                return contents(self, find_area(self, node))
            case Binary():
                return self._binary(node, rows)
            case Call():
                return self._call(node, rows)
            case Name(name):
                named = self.book.named(name)
                return self.constant(NAME) if named is None else self.compile(named, rows)
            case Unary("@", operand):
                return self.single(operand, rows=False)
            case Unary(sign, operand) if sign != "#":
                return self._unary(sign, operand, rows)
            case ArrayConstant(lines):
                cells = [[to_value(self.compile(cell)(0, 0)) for cell in line] for line in lines]
                return self.constant(RangeValues(cells))
        return self.constant(NAME)

    def single(self, node: Node | None, rows: Rows) -> Closure:
        """A node that must give one value, unless all cells count."""
        return self.compile(node, rows or None)

    def inside(self, node: Node | None, rows: Rows) -> Closure:
        """An argument of a function of ranges: even a single cell is passed as rows."""
        value = self.compile(node, bool(rows))
        if not refers(self.book, node):
            return value

        def cell(down: int, right: int) -> Argument:
            argument = value(down, right)
            if argument.__class__ is float or isinstance(argument, SEVERAL):
                return argument
            return RangeValues([[argument]])

        return cell

    def constant(self, value: T) -> Callable[[int, int], T]:
        """A closure that always gives the same value."""

        def constant(down: int, right: int) -> T:
            return value

        self.fixed[constant] = value
        return constant

    def folded(
        self, closure: Callable[[int, int], T], *parts: Callable[[int, int], object]
    ) -> Callable[[int, int], T]:
        """The closure, evaluated at once if all its parts are constant."""
        fixed = self.fixed
        for part in parts:
            if part not in fixed:
                return closure
        return self.constant(closure(0, 0))

    def _reference(self, node: Reference) -> Closure:
        reference = place(node.text)
        if reference is None:
            if (named := self.book.named(node.text)) is not None:
                return self.compile(named)
            return self.constant(REF if node.text.endswith("#REF!") else NAME)
        if reference.last is not None:
            return contents(self, find_area(self, node))
        known = self.book.known(self.sheet if reference.sheet is None else reference.sheet)
        if known is None:
            return self.constant(REF)
        row, row_fixed, column, column_fixed = reference.first
        assert row is not None
        assert column is not None
        cells = known
        # four closures: one alone would ask again in every cell what is fixed
        if row_fixed and column_fixed:
            at = row, column
            return lambda down, right: cells[at]
        if row_fixed:
            return lambda down, right: cells[row, column + right]
        if column_fixed:
            return lambda down, right: cells[row + down, column]
        return lambda down, right: cells[row + down, column + right]

    # Operators

    def _unary(self, sign: str, operand: Node, rows: Rows) -> Closure:
        if sign == "-" and isinstance(operand, Unary) and operand.operator == "-":
            return self._number(operand.operand, rows)
        value = self.single(operand, rows)
        if sign == "+":
            return value
        if sign == "%":
            divide = ARITHMETIC["/"]
            return self.folded(lambda down, right: divide(value(down, right), 100.0), value)
        subtract = ARITHMETIC["-"]

        def negative(down: int, right: int) -> Argument:
            argument = value(down, right)
            return 0.0 - argument if argument.__class__ is float else subtract(0.0, argument)

        return self.folded(negative, value)

    def _number(self, operand: Node, rows: Rows) -> Closure:
        """Two minuses, which make numbers of truth values and texts."""
        value, subtract = self.single(operand, rows), ARITHMETIC["-"]

        def number(down: int, right: int) -> Argument:
            argument = value(down, right)
            if isinstance(argument, np.ndarray) and argument.dtype == bool:
                return argument.astype(float)
            return subtract(0.0, subtract(0.0, argument))

        return self.folded(number, value)

    def _binary(self, node: Binary, rows: Rows) -> Closure:
        left, right = self.single(node.left, rows), self.single(node.right, rows)
        sign = node.operator
        if sign == "&":
            closure = _joined(left, right)
        elif sign in ("=", "<>"):
            empty = right in self.fixed and self.fixed[right] == ""
            closure = _empty(left, sign) if empty else _same(left, right, sign)
        elif sign in HOLDS:
            closure = _ordered(left, right, sign)
        else:
            closure = _computed(left, right, sign)
        return self.folded(closure, left, right)

    # Calls

    def _call(self, node: Call, rows: Rows) -> Closure:
        name, arguments = node.name.upper().rpartition("!")[2], node.arguments
        name = name.removeprefix("_XLFN.").removeprefix("_XLWS.")
        if (function := self.book.own(name)) is not None:
            return self._own(function, arguments, bool(rows))
        if name in LAZY:
            return LAZY[name](self, arguments, rows)
        if name in OF_VALUES:
            return self._of_values(OF_VALUES[name], arguments, rows)
        if name in OF_RANGES:
            return self._of_ranges(name, arguments, rows)
        return self.constant(NAME)

    def _own(self, function: Own, arguments: Arguments, rows: bool) -> Closure:
        """A function supplied by the caller of the evaluator."""
        values = [self.compile(argument, rows) for argument in arguments]

        def own(down: int, right: int) -> Argument:
            given = [value(down, right) for value in values]
            return from_outside(
                function(*[g.tolist() if isinstance(g, np.ndarray) else g for g in given])
            )

        return own

    def _of_values(self, entry: OfValues, arguments: Arguments, rows: Rows) -> Closure:
        if len(arguments) > len(entry.takes):
            return self.constant(VALUE)
        values = [self.single(argument, rows) for argument in arguments]
        plain, general = of_single_values(entry, len(values))
        others = [self.fixed.get(value, SEVERAL) for value in values[1:]]
        if values and entry.takes[0] == "t" and all(v.__class__ in PLAIN for v in others):
            return self.folded(self._of_text(values[0], plain, general, others), values[0])
        if len(values) == 1:
            value = values[0]

            def closure(down: int, right: int) -> Argument:
                given = value(down, right)
                return plain(given) if given.__class__ in PLAIN else general(given)

        else:

            def closure(down: int, right: int) -> Argument:
                return general(*[value(down, right) for value in values])

        try:
            return self.folded(closure, *values)
        except TypeError:  # too few arguments
            return self.constant(VALUE)

    def _of_text(
        self, text: Closure, plain: Operation, general: Operation, others: Sequence[object]
    ) -> Closure:
        """A function of a text and constants, with those inside it: what they all give for a text
        is remembered, as formulas that read what somebody typed nest dozens of them."""
        inner, steps = self._chains.get(text, (text, ()))
        steps = (*steps, (plain, general, others))
        known: dict[Argument, Argument] = {}

        def of_text(down: int, right: int) -> Argument:
            given = value = inner(down, right)
            remembered = given.__class__ is str or given is None
            if remembered and given in known:
                return known[given]
            for plain, general, others in steps:
                value = (plain if value.__class__ in PLAIN else general)(value, *others)
            if remembered:
                known[given] = value
            return value

        self._chains[of_text] = inner, steps
        return of_text

    def _of_ranges(self, name: str, arguments: Arguments, rows: Rows) -> Closure:
        lifting, one = rows or name in LIFTING, ONE.get(name, ())
        values = [
            self.single(argument, rows) if k in one else self.inside(argument, lifting)
            for k, argument in enumerate(arguments)
        ]
        function = safely(OF_RANGES[name])
        if len(values) == 1:
            value = values[0]
            return self.folded(lambda down, right: function(value(down, right)), value)
        return self.folded(
            lambda down, right: function(*[value(down, right) for value in values]), *values
        )


def _joined(left: Closure, right: Closure) -> Closure:
    def joined(down: int, across: int) -> Argument:
        a, b = left(down, across), right(down, across)
        if a.__class__ is str and b.__class__ is str and len(a) + len(b) <= MOST_LETTERS:
            return a + b
        return JOINED(a, b)

    return joined


def _empty(left: Closure, sign: str) -> Closure:
    """The comparison with an empty text, the most common one."""
    equal, general = sign == "=", COMPARISONS[sign]

    def empty(down: int, across: int) -> Argument:
        a = left(down, across)
        if a.__class__ is str:
            return (a == "") is equal
        if a.__class__ is float:
            return not equal
        return equal if a is None else general(a, "")

    return empty


def _same(left: Closure, right: Closure, sign: str) -> Closure:
    equal, general = sign == "=", COMPARISONS[sign]

    def same(down: int, across: int) -> Argument:
        a, b = left(down, across), right(down, across)
        if a.__class__ is float and b.__class__ is float:
            return (a == b or near(a, b)) is equal
        if a.__class__ is str and b.__class__ is str:
            return (a == b or a.casefold() == b.casefold()) is equal
        return general(a, b)

    return same


def _ordered(left: Closure, right: Closure, sign: str) -> Closure:
    holds, general, where_same = HOLDS[sign], COMPARISONS[sign], sign in ("<=", ">=")

    def ordered(down: int, across: int) -> Argument:
        a, b = left(down, across), right(down, across)
        if a.__class__ is float and b.__class__ is float:
            return where_same if near(a, b) else holds(a, b)
        return general(a, b)

    return ordered


def _computed(left: Closure, right: Closure, sign: str) -> Closure:
    general = ARITHMETIC[sign]

    def added(down: int, across: int) -> Argument:
        a, b = left(down, across), right(down, across)
        if a.__class__ is float and b.__class__ is float:
            c = a + b
            return c if abs(a) * NEAR <= abs(c) < LARGE else general(a, b)
        return general(a, b)

    def subtracted(down: int, across: int) -> Argument:
        a, b = left(down, across), right(down, across)
        if a.__class__ is float and b.__class__ is float:
            c = a - b
            return c if abs(a) * NEAR <= abs(c) < LARGE else general(a, b)
        return general(a, b)

    def multiplied(down: int, across: int) -> Argument:
        a, b = left(down, across), right(down, across)
        if a.__class__ is float and b.__class__ is float:
            c = a * b
            return c if -LARGE < c < LARGE else general(a, b)
        return general(a, b)

    def computed(down: int, across: int) -> Argument:
        return general(left(down, across), right(down, across))

    return {"+": added, "-": subtracted, "*": multiplied}.get(sign, computed)


def from_outside(value: Value | Grid) -> Argument:
    """The result of a caller's function, in the form kept here."""
    if isinstance(value, list):
        return RangeValues([[_from_outside(one) for one in row] for row in value])
    return _from_outside(value)


def _from_outside(value: Value) -> Value:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return Error(value) if value in ERRORS else value
    return float(value)
