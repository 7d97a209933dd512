"""What a worksheet function is: declared once, and everything else is made from that.

An entry is a decorated function. Its docstring is the formula, for the reference page. Its
arguments say how their cells are read; what it receives is ready for the engine:

* an element-wise function gets, for each argument, an array with one number per element, or the
  option's name, or None where an optional argument is omitted; elements with different options, or
  different omitted arguments, are passed in separate calls. It returns an array, or one with a row
  per element where the function gives several cells.
* a function with a :class:`.Numbers` or :class:`.TableArgument` gets plain numbers for its other
  arguments, and is called once for each element of theirs. It returns one number, a list of rows,
  or None for an empty cell.

Cells in error, blanks, shapes and whatever the engine raises are dealt with in :mod:`.evaluation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeVar

import numpy as np

from elo_xl.functions.arguments import Argument
from elo_xl.functions.cells import Result


@dataclass(frozen=True)
class Example:
    """A call with its result; a test runs every one of them."""

    arguments: tuple[Result, ...]
    result: Result


@dataclass(frozen=True)
class Native:
    """A worksheet function as formulas of the spreadsheet's own functions.

    ``formula`` is the arithmetic as a person types it, in the names of the arguments; a mapping
    where the result has several cells, by their headings. Functions in capitals are the
    spreadsheet's, those in small letters the pieces of :mod:`elo_xl.functions.native`. Reading
    cells, blanks, errors and domains come on top of it there.
    """

    formula: str | Mapping[str, str] = ""
    """empty where there is none; then ``reason`` says why"""
    reason: str = ""
    """why there is no LAMBDA, or for which options no inlined form"""
    let: str = ""
    """names that the formulas of several cells share, as LET has them"""
    inlined_let: str = ""
    """the same names where there is no LAMBDA, if they are worked out in another way there"""
    domain: Mapping[str, str] = field(default_factory=dict)
    """by argument: the condition for #NUM!, where it is not only the argument's own bounds"""
    compared: bool = False
    """whether numbers are only compared, so that a text would not be noticed"""
    whole: bool = False
    """whether ``formula`` reads its cells itself; there is no inlined form then"""

    def text(self, column: str | None = None) -> str:
        """The arithmetic of the result, or of one of its cells, for an inlined formula."""
        if isinstance(self.formula, str):
            return self.formula
        if column is None:
            raise LookupError(f"one of the columns is needed: {', '.join(self.formula)}")
        formula, names = self.formula[column], self.inlined_let or self.let
        return f"LET({names}, {formula})" if names else formula


@dataclass(frozen=True)
class Function:
    """One worksheet function."""

    name: str
    help: str
    """one line"""
    family: str
    arguments: tuple[Argument, ...]
    work: Callable[..., Any]
    source: str
    examples: tuple[Example, ...]
    columns: tuple[str, ...] = ()
    """headings of the result's cells where there are several"""
    native: Native | None = None

    @property
    def kind(self) -> str:
        """``"table"``, ``"aggregate"`` or ``"element-wise"``."""
        if self.columns:
            return "table"
        return "aggregate" if any(a.whole for a in self.arguments) else "element-wise"

    @cached_property
    def least(self) -> int:
        """How many arguments are required; they come first."""
        return sum(a.required for a in self.arguments)

    @cached_property
    def omitted(self) -> list[object]:
        """What an element-wise function takes for each argument that is omitted."""
        values = [None if a.required else a.single(a.default) for a in self.arguments]
        for value in values:
            if isinstance(value, np.ndarray):
                value.flags.writeable = False  # every call is handed the same one
        return values

    @property
    def signature(self) -> str:
        names = [a.name if a.required else f"[{a.name}]" for a in self.arguments]
        return f"{self.name}({', '.join(names)})"


_Work = TypeVar("_Work", bound=Callable[..., Any])

DECLARED: Final[dict[str, Function]] = {}
"""All functions of the modules that have been imported; the catalogue imports all there are."""


def function(
    name: str,
    help: str,
    *arguments: Argument,
    family: str,
    source: str,
    examples: Iterable[tuple[tuple[Result, ...], Result]],
    columns: tuple[str, ...] = (),
    native: Native | None = None,
) -> Callable[[_Work], _Work]:
    """Declare the decorated function as the worksheet function ``name``."""

    def declare(work: _Work) -> _Work:
        DECLARED[name] = Function(
            name=name,
            help=help,
            family=family,
            arguments=arguments,
            work=work,
            source=source,
            examples=tuple(Example(*example) for example in examples),
            columns=columns,
            native=native,
        )
        return work

    return declare
