"""Trees of formulas made into functions of (down, right): nothing is parsed or walked per cell.

What comes out is a nest of closures, each of which gives a value, rows of values, or a NumPy array
of numbers for the cell that many rows below and columns beside the one the formula is written for.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from elo_xl.xlsx.fill import COLUMNS, ROWS, place
from elo_xl.xlsx.formula import (
    Array,
    Binary,
    Call,
    Constant,
    FormulaError,
    Name,
    Node,
    Number,
    Reference,
    Text,
    Unary,
    children,
    parse,
)
from elo_xl.xlsx.spreadsheet_functions import OF_RANGES, OF_VALUES, OfValues
from elo_xl.xlsx.values import (
    DIV,
    NA,
    NAME,
    NEAR,
    NUM,
    REF,
    VALUE,
    Cells,
    Error,
    Fault,
    Value,
    difference,
    each,
    is_grid,
    key_of,
    near,
    order,
    to_array,
    to_cells,
    to_number,
    to_text,
    to_truth,
)

Closure = Callable[[int, int], Any]


class Area(NamedTuple):
    """Cells of a sheet, by the rows and columns that they begin and end with."""

    sheet: str
    top: int
    left: int
    bottom: int
    right: int


FindArea = Callable[[int, int], Area | Error]


class Book(Protocol):
    """What formulas read: cells and ranges, which are computed when they are asked for."""

    @property
    def names(self) -> Mapping[str, str]: ...
    @property
    def functions(self) -> Mapping[str, Callable[..., Any]]: ...
    @property
    def ranges(self) -> Mapping[Area, Cells]: ...
    def known(self, sheet: str) -> Mapping[tuple[int, int], Value] | None: ...


#: Functions whose arguments are worked out for all cells of a range even in an ordinary formula.
LIFTING: Final = frozenset(("SUMPRODUCT", "MMULT", "LOOKUP", "TRANSPOSE"))

_COMPARISONS: Final[dict[str, Callable[[int, int], bool]]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def _same_numbers(a: Any, b: Any) -> Any:
    apart = np.abs(a - b)
    return (a == b) | ((apart < np.abs(a) * NEAR) & (apart < np.abs(b) * NEAR))


_ARRAY_COMPARISONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "=": _same_numbers,
    "<>": lambda a, b: ~_same_numbers(a, b),
    "<": lambda a, b: (a < b) & ~_same_numbers(a, b),
    ">": lambda a, b: (a > b) & ~_same_numbers(a, b),
    "<=": lambda a, b: (a <= b) | _same_numbers(a, b),
    ">=": lambda a, b: (a >= b) | _same_numbers(a, b),
}


def _power(base: float, exponent: float) -> Value:
    if base == 0 and exponent <= 0:
        return NUM if exponent == 0 else DIV
    if base < 0 and not exponent.is_integer():
        return NUM
    try:
        return float(base**exponent)
    except OverflowError:
        return NUM


def _divided(a: float, b: float) -> Value:
    return a / b if b else DIV


_ARITHMETIC: Final[dict[str, Callable[[float, float], Value]]] = {
    "+": operator.add,
    "-": difference,
    "*": operator.mul,
    "/": _divided,
    "^": _power,
}


def _powers(a: Any, b: Any) -> Any:
    a, b = np.broadcast_arrays(a, b)
    return np.array(
        [x**y for x, y in zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)]
    ).reshape(a.shape)


def _differences(a: Any, b: Any) -> Any:
    apart = a - b
    apart[np.abs(apart) < (np.abs(a) + np.abs(b)) * NEAR] = 0.0
    return apart


_ARRAY_ARITHMETIC: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": np.add,
    "-": _differences,
    "*": np.multiply,
    "/": np.divide,
    "^": _powers,
}


def safely(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose faults are values."""

    def result(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Fault as fault:
            return fault.error
        except (OverflowError, ValueError, ZeroDivisionError):
            return NUM

    return result


def arithmetic(sign: str) -> Callable[[Any, Any], Any]:
    """An operator of numbers, of any two values or rows."""
    plain, fast = _ARITHMETIC[sign], _ARRAY_ARITHMETIC[sign]

    def of_values(a: Value, b: Value) -> Value:
        if a.__class__ is Error:
            return a
        try:
            x, y = to_number(a), to_number(b)
        except Fault as fault:
            return fault.error
        found = plain(x, y)
        if found.__class__ is float and not math.isfinite(found):
            return NUM
        return found

    return lifted(of_values, fast)


def lifted(function: Callable[..., Value], fast: Callable[..., Any] | None) -> Callable[..., Any]:
    """A function of single values for rows too, with a way for arrays that hold numbers only."""

    def of_any(*arguments: Any) -> Any:
        if not any(is_grid(a) for a in arguments):
            return function(*arguments)
        if fast is not None:
            arrays = [to_array(a) for a in arguments]
            if not any(a is None for a in arrays):
                try:
                    with np.errstate(all="ignore"):
                        found = fast(*arrays)
                    if found.dtype == bool or np.isfinite(found).all():
                        return found
                except (ValueError, OverflowError, ZeroDivisionError, TypeError):
                    pass  # of other shapes, or outside of what the function takes
        return each(function, *arguments)

    return of_any


def comparison(sign: str) -> Callable[[Any, Any], Any]:
    """A comparison of any two values or rows."""
    holds = _COMPARISONS[sign]

    def of_values(a: Value, b: Value) -> Value:
        if a.__class__ is Error:
            return a
        if b.__class__ is Error:
            return b
        return holds(order(a, b), 0)

    fast = _ARRAY_COMPARISONS[sign]

    def of_arrays(a: Any, b: Any) -> Any:
        return fast(a, b)

    general = lifted(of_values, of_arrays)

    def of_any(a: Any, b: Any) -> Any:
        if a.__class__ is Cells or b.__class__ is Cells:
            # a blank is not always 0 here, nor a truth value 1
            if a.__class__ is Cells and b.__class__ is str and sign in ("=", "<>"):
                return _places_of_text(a, b, sign == "=")
            for x in (a, b):
                if x.__class__ is Cells and not x.only_numbers:
                    return each(of_values, a, b)
            if isinstance(a, str) or isinstance(b, str) or a is None or b is None:
                return each(of_values, a, b)
        if a.__class__ is bool or b.__class__ is bool or is_grid(a) or is_grid(b):
            if a.__class__ in (float, Cells) and b.__class__ in (float, Cells):
                return general(a, b)
            return _exactly(a, b)
        return general(a, b)

    def _exactly(a: Any, b: Any) -> Any:
        numbers = [x for x in (a, b) if is_float_array(x) or x.__class__ in (float, Cells)]
        if len(numbers) == 2:
            return general(a, b)
        return each(of_values, a, b) if is_grid(a) or is_grid(b) else of_values(a, b)

    return of_any


def is_float_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype != bool


def _places_of_text(cells: Cells, text: str, equal: bool) -> Any:
    """Where a range holds a text; an empty text is what a blank is equal to."""
    if cells.error is not None:
        return each(lambda v: v if isinstance(v, Error) else (order(v, text) == 0) == equal, cells)
    at = cells.places.get(key_of(text), [])
    found = np.full(len(cells.flat), not equal)
    found[at] = equal
    if text == "":
        blanks = [i for i, value in enumerate(cells.flat) if value is None]
        found[blanks] = equal
    return found.reshape(len(cells), -1)


def joined(a: Any, b: Any) -> Any:
    """Two texts as one."""
    if is_grid(a) or is_grid(b):
        return each(joined, a, b)
    try:
        return to_text(a) + to_text(b)
    except Fault as fault:
        return fault.error


ARITHMETIC: Final = {sign: arithmetic(sign) for sign in _ARITHMETIC}
COMPARE: Final = {sign: comparison(sign) for sign in _COMPARISONS}

_CONVERT: Final[dict[str, Callable[[Value], Any]]] = {"n": to_number, "t": to_text, "b": to_truth}


def of_values(entry: OfValues, count: int) -> Callable[..., Any]:
    """A function of single values with its conversions, for rows as well."""
    converts = [_CONVERT.get(letter) for letter in entry.takes[:count]]
    function = entry.function

    if converts == [to_number]:

        def single(value: Value) -> Value:
            try:
                return function(value if value.__class__ is float else to_number(value))
            except Fault as fault:
                return fault.error
            except (OverflowError, ValueError):
                return NUM

        return lifted(single, entry.of_arrays)

    def several(*values: Value) -> Value:
        try:
            return function(
                *[v if c is None else c(v) for c, v in zip(converts, values, strict=True)]
            )
        except Fault as fault:
            return fault.error
        except (OverflowError, ValueError):
            return NUM

    return lifted(several, entry.of_arrays)


class Compiler:
    """Makes closures of the formulas of one sheet, written for one first cell.

    ``row`` and ``column`` are that cell's; :attr:`placed` says whether any closure made use of
    them, for otherwise the same closure serves wherever the tree stands.
    """

    def __init__(self, book: Book, sheet: str, row: int, column: int) -> None:
        self.book = book
        self.sheet = sheet
        self.row = row
        self.column = column
        self.placed = False
        self.fixed: dict[Closure, Any] = {}  # closures that always give the same
        self._naming: tuple[str, ...] = ()

    # What a node gives

    def compile(self, node: Node | None, rows: bool = False) -> Closure:
        """A node's closure. ``rows``: as in an array formula, all cells of a range count."""
        match node:
            case None:
                return self._constant(None)
            case Number():
                return self._constant(node.value)
            case Text(text):
                return self._constant(text)
            case Constant(text):
                return self._constant(text == "TRUE" if text in ("TRUE", "FALSE") else Error(text))
            case Array(lines):
                return self._constant(
                    Cells([[self.compile(cell)(0, 0) for cell in line] for line in lines])
                )
            case Reference():
                return self._reference(node)
            case Name(name):
                return self._name(name, rows)
            case Unary("@", operand):
                return self.single(operand, rows=False)
            case Unary(sign, operand):
                return self._unary(sign, operand, rows)
            case Binary(":" | " " | ",", _, _):
                return self._contents(self.area(node))
            case Binary():
                return self._binary(node, rows)
            case Call():
                return self._call(node, rows)
        return self._constant(NAME)

    def single(self, node: Node | None, rows: bool) -> Closure:
        """A node where one value is wanted: a range gives the cell in this row or column."""
        if not rows and node is not None and self._is_range(node):
            return self._intersection(self.area(node))
        return self.compile(node, rows)

    def _is_range(self, node: Node) -> bool:
        match node:
            case Reference(text):
                found = place(text)
                return found is not None and found.last is not None
            case Name(name) if name not in self._naming:
                named = self._named(name)
                return named is not None and self._is_range(named)
            case Binary(":", _, _):
                return True
        return False

    def _constant(self, value: Any) -> Closure:
        def constant(down: int, right: int) -> Any:
            return value

        self.fixed[constant] = value
        return constant

    def _folded(self, closure: Closure, *parts: Closure) -> Closure:
        """The closure, worked out at once where all its parts are constant."""
        if all(part in self.fixed for part in parts):
            return self._constant(closure(0, 0))
        return closure

    # References

    def _reference(self, node: Reference) -> Closure:
        found = place(node.text)
        if found is None or found.last is not None:
            if found is None and self._named(node.text) is None:
                return self._constant(REF if node.text.endswith("#REF!") else NAME)
            return self._contents(self.area(node))
        known = self.book.known(self.sheet if found.sheet is None else found.sheet)
        if known is None:
            return self._constant(REF)
        row, row_fixed, column, column_fixed = found.first
        assert row is not None
        assert column is not None
        if row_fixed and column_fixed:
            key = row, column
            return lambda down, right: known[key]
        if row_fixed:
            return lambda down, right: known[row, column + right]
        if column_fixed:
            return lambda down, right: known[row + down, column]
        return lambda down, right: known[row + down, column + right]

    def _named(self, name: str) -> Node | None:
        text = self.book.names.get(name.rpartition("!")[2].casefold())
        if text is None:
            return None
        try:
            return parse(text)
        except FormulaError:
            return None

    def _name(self, name: str, rows: bool) -> Closure:
        named = self._named(name)
        if named is None or name in self._naming:
            return self._constant(NAME)
        self._naming = (*self._naming, name)
        try:
            return self.compile(named, rows)
        finally:
            self._naming = self._naming[:-1]

    def refers(self, node: Node | None) -> bool:
        """Whether a node stands for cells of a sheet rather than for values."""
        match node:
            case Reference(text):
                return place(text) is not None or self._named(text) is not None
            case Name(name):
                named = None if name in self._naming else self._named(name)
                return named is not None and self.refers(named)
            case Call(name, arguments):
                upper = name.upper()
                if upper == "INDEX":
                    return bool(arguments) and self.refers(arguments[0])
                return upper == "OFFSET"
            case Binary(":", left, right):
                return self.refers(left) and self.refers(right)
        return False

    def area(self, node: Node) -> FindArea:
        """The cells that a node stands for."""
        match node:
            case Reference(text):
                return self._area_of_reference(text)
            case Name(name):
                named = self._named(name)
                if named is not None and name not in self._naming:
                    return self.area(named)
            case Call(name, arguments) if name.upper() == "INDEX" and self.refers(node):
                return self._index_area(arguments)
            case Call(name, arguments) if name.upper() == "OFFSET" and len(arguments) >= 3:
                return self._offset_area(arguments)
            case Binary(":", left, right):
                first, last = self.area(left), self.area(right)

                def between(down: int, right: int) -> Area | Error:
                    a, b = first(down, right), last(down, right)
                    if isinstance(a, Error):
                        return a
                    if isinstance(b, Error):
                        return b
                    if a.sheet != b.sheet:
                        return VALUE
                    return Area(
                        a.sheet,
                        min(a.top, b.top),
                        min(a.left, b.left),
                        max(a.bottom, b.bottom),
                        max(a.right, b.right),
                    )

                return between
        return lambda down, right: VALUE

    def _area_of_reference(self, text: str) -> FindArea:
        found = place(text)
        if found is None:
            named = self._named(text)
            return self.area(named) if named else lambda down, right: REF
        sheet = self.sheet if found.sheet is None else found.sheet
        if self.book.known(sheet) is None:
            return lambda down, right: REF
        a, b = found.first, found.last or found.first
        top, top_fixed = (1, True) if a.row is None else (a.row, a.row_fixed)
        bottom, bottom_fixed = (ROWS, True) if b.row is None else (b.row, b.row_fixed)
        left, left_fixed = (1, True) if a.column is None else (a.column, a.column_fixed)
        last, last_fixed = (COLUMNS, True) if b.column is None else (b.column, b.column_fixed)

        def area(down: int, right: int) -> Area | Error:
            t = top if top_fixed else top + down
            z = bottom if bottom_fixed else bottom + down
            f = left if left_fixed else left + right
            g = last if last_fixed else last + right
            if t > z:
                t, z = z, t
            if f > g:
                f, g = g, f
            if t < 1 or f < 1 or z > ROWS or g > COLUMNS:
                return REF
            return Area(sheet, t, f, z, g)

        if top_fixed and bottom_fixed and left_fixed and last_fixed:
            return self._fixed_area(area(0, 0))
        return area

    def _fixed_area(self, found: Area | Error) -> FindArea:
        def constant(down: int, right: int) -> Area | Error:
            return found

        self.fixed[constant] = found
        return constant

    def _contents(self, area: FindArea) -> Closure:
        ranges = self.book.ranges
        if area in self.fixed:
            found = area(0, 0)
            if isinstance(found, Error):
                return self._constant(found)
            return lambda down, right: ranges[found]

        def contents(down: int, right: int) -> Any:
            found = area(down, right)
            if found.__class__ is Error:
                return found
            return ranges[found]  # type: ignore[index]

        return contents

    def _intersection(self, area: FindArea) -> Closure:
        """The cell of a range in the formula's own row or column."""
        self.placed = True
        own_row, own_column, known = self.row, self.column, self.book.known

        def intersection(down: int, right: int) -> Any:
            found = area(down, right)
            if isinstance(found, Error):
                return found
            row, column = own_row + down, own_column + right
            if found.left == found.right and found.top <= row <= found.bottom:
                column = found.left
            elif found.top == found.bottom and found.left <= column <= found.right:
                row = found.top
            elif not (found.top <= row <= found.bottom and found.left <= column <= found.right):
                return VALUE
            cells = known(found.sheet)
            return REF if cells is None else cells[row, column]

        return intersection

    # Operators

    def _unary(self, sign: str, operand: Node, rows: bool) -> Closure:
        value = self.single(operand, rows)
        if sign == "+":
            return value
        if sign == "#":
            return self._constant(NAME)
        if sign == "%":
            divide = ARITHMETIC["/"]
            return self._folded(lambda down, right: divide(value(down, right), 100.0), value)
        subtract = ARITHMETIC["*"]

        def negative(down: int, right: int) -> Any:
            found = value(down, right)
            if found.__class__ is float:
                return 0.0 - found
            return subtract(found, -1.0)

        return self._folded(negative, value)

    def _binary(self, node: Binary, rows: bool) -> Closure:
        sign = node.operator
        left, right = self.single(node.left, rows), self.single(node.right, rows)
        if sign == "&":
            closure = self._joined(left, right)
        elif sign in COMPARE:
            closure = self._compared(sign, left, right)
        else:
            closure = self._computed(sign, left, right)
        return self._folded(closure, left, right)

    def _joined(self, left: Closure, right: Closure) -> Closure:
        def both(down: int, across: int) -> Any:
            a, b = left(down, across), right(down, across)
            if a.__class__ is str and b.__class__ is str:
                return a + b
            return joined(a, b)

        return both

    def _compared(self, sign: str, left: Closure, right: Closure) -> Closure:
        general = COMPARE[sign]
        if sign in ("=", "<>"):
            equal = sign == "="
            if self.fixed.get(right) == "" and self.fixed[right].__class__ is str:

                def empty(down: int, across: int) -> Any:
                    a = left(down, across)
                    if a is None:
                        return equal
                    kind = a.__class__
                    if kind is str:
                        return (a == "") is equal
                    if kind is float:
                        return not equal
                    return general(a, "")

                return empty

            def same(down: int, across: int) -> Any:
                a, b = left(down, across), right(down, across)
                kind = a.__class__
                if kind is b.__class__:
                    if kind is float:
                        return (a == b or near(a, b)) is equal
                    if kind is str:
                        return (a == b or a.casefold() == b.casefold()) is equal
                return general(a, b)

            return same
        holds: Callable[[Any, Any], bool] = _COMPARISONS[sign]
        at_same = sign in ("<=", ">=")

        def ordered(down: int, across: int) -> Any:
            a, b = left(down, across), right(down, across)
            if a.__class__ is float and b.__class__ is float:
                if a == b or near(a, b):
                    return at_same
                return holds(a, b)
            return general(a, b)

        return ordered

    def _computed(self, sign: str, left: Closure, right: Closure) -> Closure:
        general, isfinite = ARITHMETIC[sign], math.isfinite

        if sign == "+":

            def added(down: int, across: int) -> Any:
                a, b = left(down, across), right(down, across)
                if a.__class__ is float and b.__class__ is float:
                    return a + b
                return general(a, b)

            return added
        if sign == "-":

            def subtracted(down: int, across: int) -> Any:
                a, b = left(down, across), right(down, across)
                if a.__class__ is float and b.__class__ is float:
                    return difference(a, b)
                return general(a, b)

            return subtracted
        if sign == "*":

            def multiplied(down: int, across: int) -> Any:
                a, b = left(down, across), right(down, across)
                if a.__class__ is float and b.__class__ is float:
                    c = a * b
                    return c if isfinite(c) else NUM
                return general(a, b)

            return multiplied
        return lambda down, across: general(left(down, across), right(down, across))

    # Calls

    def _call(self, node: Call, rows: bool) -> Closure:
        name, arguments = node.name, node.arguments
        plain = name.upper().removeprefix("_XLFN.").removeprefix("_XLWS.")
        own = self.book.functions.get(plain.rpartition("!")[2])
        if own is not None:
            return self._own(own, arguments, rows)
        special = _SPECIAL.get(plain)
        if special is not None:
            return special(self, arguments, rows)
        if plain in OF_VALUES:
            return self._of_values(OF_VALUES[plain], arguments, rows)
        if plain in OF_RANGES:
            return self._of_ranges(plain, arguments, rows)
        return self._constant(NAME)

    def _own(
        self, function: Callable[..., Any], arguments: tuple[Node | None, ...], rows: bool
    ) -> Closure:
        """A function that the caller of the evaluator brought."""
        values = [self.compile(a, rows) for a in arguments]

        def own(down: int, right: int) -> Any:
            given = [v(down, right) for v in values]
            return from_outside(
                function(*[g.tolist() if isinstance(g, np.ndarray) else g for g in given])
            )

        return own

    def _of_values(
        self, entry: OfValues, arguments: tuple[Node | None, ...], rows: bool
    ) -> Closure:
        if len(arguments) > len(entry.takes):
            return self._constant(VALUE)
        values = [self.single(a, rows) for a in arguments]
        function = of_values(entry, len(values))
        if len(values) == 1:
            value = values[0]
            closure: Closure = lambda down, right: function(value(down, right))  # noqa: E731
        elif len(values) == 2:
            first, second = values
            closure = lambda down, right: function(first(down, right), second(down, right))  # noqa: E731
        else:
            closure = lambda down, right: function(*[v(down, right) for v in values])  # noqa: E731
        try:
            return self._folded(closure, *values)
        except TypeError:  # too few arguments
            return self._constant(VALUE)

    def _of_ranges(self, name: str, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        lifting = rows or name in LIFTING
        values = [self.inside(a, lifting) for a in arguments]
        function = safely(OF_RANGES[name])
        if len(values) == 2:
            first, second = values
            closure: Closure = lambda down, right: function(first(down, right), second(down, right))  # noqa: E731
        else:
            closure = lambda down, right: function(*[v(down, right) for v in values])  # noqa: E731
        return self._folded(closure, *values)

    def inside(self, node: Node | None, rows: bool) -> Closure:
        """An argument of a function of ranges: what stands in a single cell comes as rows."""
        value = self.compile(node, rows)
        if not self.refers(node):
            return value

        def cell(down: int, right: int) -> Any:
            found = value(down, right)
            if found.__class__ is float or found.__class__ is Cells:
                return found
            return found if is_grid(found) else Cells([[found]])

        return cell

    # Functions that work out their arguments themselves

    def _if(self, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        if not 2 <= len(arguments) <= 3:
            return self._constant(VALUE)
        test, yes = self.single(arguments[0], rows), self.single_or_rows(arguments[1], rows)
        no = (
            self.single_or_rows(arguments[2], rows) if len(arguments) > 2 else self._constant(False)
        )
        blank = None

        def chosen(down: int, right: int) -> Any:
            condition = test(down, right)
            if condition is True:
                return yes(down, right)
            if condition is False:
                return no(down, right)
            if is_grid(condition):
                return each(pick, condition, yes(down, right), no(down, right))
            try:
                return yes(down, right) if to_truth(condition) else no(down, right)
            except Fault as fault:
                return fault.error

        def pick(condition: Value, first: Value, second: Value) -> Value:
            try:
                return first if to_truth(condition) else second
            except Fault as fault:
                return fault.error

        if test in self.fixed and not is_grid(self.fixed[test]):
            try:
                return yes if to_truth(self.fixed[test]) else no
            except Fault as fault:
                return self._constant(fault.error)
        del blank
        return chosen

    def single_or_rows(self, node: Node | None, rows: bool) -> Closure:
        return self.compile(node, rows) if node is not None else self._constant(0.0)

    def _if_error(self, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        return self._unless(arguments, rows, lambda value: value.__class__ is Error)

    def _if_na(self, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        return self._unless(arguments, rows, lambda v: v.__class__ is Error and v == NA)

    def _unless(
        self, arguments: tuple[Node | None, ...], rows: bool, bad: Callable[[Value], bool]
    ) -> Closure:
        if len(arguments) != 2:
            return self._constant(VALUE)
        value, other = self.single(arguments[0], rows), self.single(arguments[1], rows)

        def unless(down: int, right: int) -> Any:
            found = value(down, right)
            if is_grid(found):
                return each(lambda v, o: o if bad(v) else v, found, other(down, right))
            return other(down, right) if bad(found) else found

        return self._folded(unless, value, other)

    def _ifs(self, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        if not arguments or len(arguments) % 2:
            return self._constant(NA)
        rest: Node = Constant("#N/A")
        for test, value in zip(arguments[-2::-2], arguments[::-2], strict=True):
            rest = Call("IF", (test, value, rest))
        return self.compile(rest, rows)

    def _switch(self, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        if len(arguments) < 3:
            return self._constant(VALUE)
        wanted, *rest = [self.single(a, rows) for a in arguments]
        pairs = list(zip(rest[::2], rest[1::2], strict=False))
        other = rest[-1] if len(rest) % 2 else self._constant(NA)
        same = COMPARE["="]

        def switch(down: int, right: int) -> Any:
            value = wanted(down, right)
            if value.__class__ is Error:
                return value
            for case, result in pairs:
                if same(value, case(down, right)) is True:
                    return result(down, right)
            return other(down, right)

        return switch

    def _choose(self, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        if len(arguments) < 2:
            return self._constant(VALUE)
        which, *choices = [self.compile(a, rows) for a in arguments]

        def choose(down: int, right: int) -> Any:
            value = which(down, right)
            try:
                k = int(to_number(value))
            except Fault as fault:
                return fault.error
            return choices[k - 1](down, right) if 1 <= k <= len(choices) else VALUE

        return choose

    def _row(self, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        if not arguments:
            self.placed = True
            row = self.row
            return lambda down, right: float(row + down)
        return self._lines(arguments[0], rows, lambda a: (a.top, a.bottom), across=False)

    def _column(self, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        if not arguments:
            self.placed = True
            column = self.column
            return lambda down, right: float(column + right)
        return self._lines(arguments[0], rows, lambda a: (a.left, a.right), across=True)

    def _lines(
        self,
        node: Node | None,
        rows: bool,
        ends: Callable[[Area], tuple[int, int]],
        *,
        across: bool,
    ) -> Closure:
        """The numbers of the rows or columns of a reference."""
        if node is None or not self.refers(node):
            return self._constant(VALUE)
        area = self.area(node)

        def lines(down: int, right: int) -> Any:
            found = area(down, right)
            if isinstance(found, Error):
                return found
            first, last = ends(found)
            if first == last or not rows:
                return float(first)
            numbers = np.arange(first, last + 1, dtype=float)
            return numbers.reshape((1, -1) if across else (-1, 1))

        return self._folded(lines, area)

    def _rows(self, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        return self._size(arguments, rows, lambda a: a.bottom - a.top + 1, len)

    def _columns(self, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        return self._size(arguments, rows, lambda a: a.right - a.left + 1, lambda g: len(g[0]))

    def _size(
        self,
        arguments: tuple[Node | None, ...],
        rows: bool,
        of_area: Callable[[Area], int],
        of_grid: Callable[[Any], int],
    ) -> Closure:
        if len(arguments) != 1 or arguments[0] is None:
            return self._constant(VALUE)
        if self.refers(arguments[0]):
            area = self.area(arguments[0])

            def size(down: int, right: int) -> Value:
                found = area(down, right)
                return found if isinstance(found, Error) else float(of_area(found))

            return self._folded(size, area)
        value = self.compile(arguments[0], rows)
        return self._folded(lambda d, r: float(of_grid(to_cells(value(d, r)))), value)

    def _index(self, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        if not 2 <= len(arguments) <= 3:
            return self._constant(VALUE)
        at = [self.single(a, rows) for a in arguments[1:]]
        if not self.refers(arguments[0]):
            grid = self.compile(arguments[0], rows=True)

            def of_grid(down: int, right: int) -> Any:
                return picked_from(to_cells(grid(down, right)), [k(down, right) for k in at])

            return self._folded(of_grid, grid, *at)
        assert arguments[0] is not None
        area, known, ranges = self.area(arguments[0]), self.book.known, self.book.ranges

        def of_area(down: int, right: int) -> Any:
            found = area(down, right)
            if found.__class__ is Error:
                return found
            where = [k(down, right) for k in at]
            if any(map(is_grid, where)):
                return each(lambda *one: content(found, list(one)), *where)
            return content(found, where)

        def content(found: Any, where: list[Value]) -> Any:
            part = part_of(found, where)
            if isinstance(part, Error):
                return part
            sheet, top, left, bottom, last = part
            if top == bottom and left == last:
                cells = known(sheet)
                return REF if cells is None else cells[top, left]
            return ranges[part]

        if len(at) == 1 and area in self.fixed and isinstance(self.fixed[area], Area):
            return self._index_in_column(self.fixed[area], at[0], of_area)
        return of_area

    def _index_in_column(self, area: Area, at: Closure, general: Closure) -> Closure:
        """INDEX of one column that does not move, which is what most calls of it are."""
        sheet, top, left, bottom, last = area
        cells = self.book.known(sheet)
        if left != last or cells is None:
            return general
        size, known = bottom - top + 1, cells

        def item(down: int, right: int) -> Any:
            k = at(down, right)
            if k.__class__ is float and 1 <= k < size + 1:
                return known[top + int(k) - 1, left]
            if k.__class__ is Error:
                return k
            return general(down, right)

        return item

    def _index_area(self, arguments: tuple[Node | None, ...]) -> FindArea:
        assert arguments[0] is not None
        area = self.area(arguments[0])
        at = [self.single(a, rows=False) for a in arguments[1:3]]

        def part(down: int, right: int) -> Area | Error:
            found = area(down, right)
            if isinstance(found, Error):
                return found
            return part_of(found, [k(down, right) for k in at])

        return part

    def _offset(self, arguments: tuple[Node | None, ...], rows: bool) -> Closure:
        if len(arguments) < 3:
            return self._constant(VALUE)
        area, ranges, known = self._offset_area(arguments), self.book.ranges, self.book.known

        def offset(down: int, right: int) -> Any:
            found = area(down, right)
            if isinstance(found, Error):
                return found
            if found.top == found.bottom and found.left == found.right:
                cells = known(found.sheet)
                return REF if cells is None else cells[found.top, found.left]
            return ranges[found]

        return offset

    def _offset_area(self, arguments: tuple[Node | None, ...]) -> FindArea:
        first = arguments[0]
        if first is None or not self.refers(first):
            return lambda down, right: VALUE
        area = self.area(first)
        moves = [self.single(a, rows=False) for a in arguments[1:]]

        def moved(down: int, right: int) -> Area | Error:
            found = area(down, right)
            if isinstance(found, Error):
                return found
            try:
                steps = [int(to_number(m(down, right))) for m in moves]
            except Fault as fault:
                return fault.error
            height = steps[2] if len(steps) > 2 and arguments[3] is not None else 0
            width = steps[3] if len(steps) > 3 and arguments[4] is not None else 0
            top, left = found.top + steps[0], found.left + steps[1]
            bottom = top + (height or found.bottom - found.top + 1) - 1
            last = left + (width or found.right - found.left + 1) - 1
            if top < 1 or left < 1 or bottom < top or last < left:
                return REF
            return Area(found.sheet, top, left, bottom, last)

        return moved

    def depth(self, node: Node) -> int:
        """How many closures stand inside one another at most."""
        deepest, level = 0, [node]
        while level:
            deepest += 1
            level = [child for one in level for child in children(one)]
        return deepest


Special = Callable[[Compiler, tuple[Node | None, ...], bool], Closure]

_SPECIAL: Final[dict[str, Special]] = {
    "IF": Compiler._if,
    "IFERROR": Compiler._if_error,
    "IFNA": Compiler._if_na,
    "IFS": Compiler._ifs,
    "SWITCH": Compiler._switch,
    "CHOOSE": Compiler._choose,
    "ROW": Compiler._row,
    "COLUMN": Compiler._column,
    "ROWS": Compiler._rows,
    "COLUMNS": Compiler._columns,
    "INDEX": Compiler._index,
    "OFFSET": Compiler._offset,
}


def part_of(area: Area, at: list[Value]) -> Area | Error:
    """The part of a range that INDEX means: a cell, a row, a column or all of it."""
    try:
        numbers = [math.floor(to_number(k)) for k in at]
    except Fault as fault:
        return fault.error
    sheet, top, left, bottom, right = area
    if len(numbers) == 1:
        row, column = (0, numbers[0]) if top == bottom and left < right else (numbers[0], 0)
    else:
        row, column = numbers
    if row < 0 or column < 0:
        return VALUE
    if top + row - 1 > bottom or left + column - 1 > right:
        return REF
    if row:
        top = bottom = top + row - 1
    if column:
        left = right = left + column - 1
    return Area(sheet, top, left, bottom, right)


def picked_from(grid: Cells, at: list[Any]) -> Any:
    """What INDEX gives of rows that stand on no sheet."""
    if any(map(is_grid, at)):
        return each(lambda *one: picked_from(grid, list(one)), *at)
    part = part_of(Area("", 1, 1, len(grid), len(grid[0])), at)
    if isinstance(part, Error):
        return part
    rows = [row[part.left - 1 : part.right] for row in grid[part.top - 1 : part.bottom]]
    return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else Cells(rows)


ERRORS: Final = frozenset(
    ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#SPILL!", "#CALC!")
)


def from_outside(value: Any) -> Any:
    """A value or rows from a function of the caller's, or from a file, as they are kept here."""
    if value is None or value.__class__ in (float, bool, Error):
        return value
    if isinstance(value, list):
        return Cells([[from_outside(one) for one in row] for row in value])
    if isinstance(value, str):
        plain = value.__class__ is str
        return Error(value) if plain and value in ERRORS else str(value)
    if isinstance(value, np.ndarray):
        return from_outside(value.tolist())
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    return float(value)
