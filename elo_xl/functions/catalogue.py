"""The catalogue: how a worksheet function is declared, and all that are.

An entry is a decorated function, from which everything else is made. Its docstring is the formula,
for the reference page. Its arguments say how their cells are read; what it receives is ready for
the engine:

* an element-wise function gets, for each argument, an array with one number per element, or the
  option's name, or None if an optional argument is omitted; elements with different options, or
  different omitted arguments, are passed in separate calls. It returns an array, with one row per
  element if the function gives several cells.
* a function with a :class:`.Numbers` or :class:`.TableArgument` gets plain numbers for its other
  arguments, and is called once for each element of theirs. It returns one number, a list of rows,
  or None for an empty cell.

Errors in cells, blanks, shapes and the engine's exceptions are handled in :mod:`.evaluation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from typing import Any, Final, TypeVar

import numpy as np

from elo_xl.english import meant
from elo_xl.functions.arguments import Argument
from elo_xl.functions.cells import Result, to_block


@dataclass(frozen=True)
class Example:
    """A call with its result; a test runs every example."""

    arguments: tuple[Result, ...]
    result: Result


@dataclass(frozen=True)
class Native:
    """A worksheet function as formulas of the spreadsheet's own functions.

    ``formula`` is the arithmetic as a person would type it, in the names of the arguments; if the
    result has several cells, it is a mapping by their headings. Functions in capitals are the
    spreadsheet's, those in lower case the pieces of :mod:`elo_xl.functions.native`, which adds the
    reading of cells, blanks, errors and domains.
    """

    formula: str | Mapping[str, str] = ""
    """empty if there is none; then ``reason`` says why"""
    reason: str = ""
    """why there is no LAMBDA, or which options have no inlined form"""
    let: str = ""
    """names that the formulas of several cells share, written as in LET"""
    inlined_let: str = ""
    """the same names for inlined formulas, if those compute them in another way"""
    domain: Mapping[str, str] = field(default_factory=dict)
    """by argument: the condition for #NUM!, if the argument's own bounds do not suffice"""
    compared: bool = False
    """whether numbers are only compared, so that a text would go unnoticed"""
    whole: bool = False
    """whether ``formula`` reads its cells itself; then there is no inlined form"""
    far: str = ""
    """the condition for #NUM! of numbers further from 0 than the engine takes; only LAMBDAs ask it,
    after everything else"""
    more: str = ""
    """one more argument of the LAMBDA, for others that call it: for the rest that it knows"""

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
    """headings of the result's cells if there are several"""
    native: Native | None = None

    @property
    def kind(self) -> str:
        """``"table"``, ``"aggregate"`` or ``"element-wise"``."""
        if self.columns:
            return "table"
        return "aggregate" if self.takes_ranges else "element-wise"

    @cached_property
    def takes_ranges(self) -> bool:
        """Whether an argument is taken as a whole range."""
        return any(a.whole for a in self.arguments)

    @cached_property
    def least(self) -> int:
        """How many arguments are required; they come first."""
        return sum(a.required for a in self.arguments)

    @cached_property
    def omitted(self) -> list[object]:
        """The value that the function takes for each omitted argument in a call of one element."""
        values = [None if a.required else self._default(a) for a in self.arguments]
        for value in values:
            if isinstance(value, np.ndarray):
                value.flags.writeable = False  # all calls share it
        return values

    def _default(self, argument: Argument) -> object:
        if argument.whole:
            return argument.taken(to_block(None))
        return argument.default if self.takes_ranges else argument.single(argument.default)

    @property
    def signature(self) -> str:
        names = [a.name if a.required else f"[{a.name}]" for a in self.arguments]
        return f"{self.name}({', '.join(names)})"


_Work = TypeVar("_Work", bound=Callable[..., object])

DECLARED: Final[dict[str, Function]] = {}
"""All functions of the modules imported so far."""


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


# -- all functions --------------------------------------------------------------------------------

MODULES: Final = (
    "elo_xl.functions.expected",
    "elo_xl.functions.ratings",
    "elo_xl.functions.explaining",
    "elo_xl.functions.periods",
    "elo_xl.functions.runs",
    "elo_xl.functions.places",
    "elo_xl.functions.fitting",
    "elo_xl.functions.predictions",
    "elo_xl.functions.bayesian",
    "elo_xl.functions.deviations",
    "elo_xl.functions.exchange",
    "elo_xl.lists.function",
)
"""The modules that declare functions, in the order of the families; they are imported by name, so
that a room of which no function may know can offer one."""

PREFIX: Final = "ELO_"
"""How the name of every function begins."""


@cache
def functions() -> dict[str, Function]:
    """All functions by name, in the order of the families, whichever was imported first."""
    for module in MODULES:
        import_module(module)
    in_order = sorted(DECLARED.values(), key=lambda f: MODULES.index(f.work.__module__))
    return {function.name: function for function in in_order}


def known(name: str) -> Function | None:
    """The function of a name in capitals, or None.

    Modules are imported only up to the one that declares the function: with a module come those of
    the engine, which take longer to import than a cell to compute.
    """
    modules = iter(MODULES if name.startswith(PREFIX) else ())
    while name not in DECLARED and (module := next(modules, None)):
        import_module(module)
    return DECLARED.get(name)


def find(name: str) -> Function:
    """Find a function by name, in any case; raise LookupError, with similar names, if unknown."""
    wanted = name.upper()
    if (function := known(wanted)) is not None:
        return function

    whole, names = f"{PREFIX}{wanted}", functions()
    hint = meant(whole, names, 1) if whole in names else meant(wanted, names, 3)
    hint = hint or meant(whole, names, 3)
    raise LookupError(f"no function {name!r}" + hint)
