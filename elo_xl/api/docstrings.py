"""Docstrings in the manner of NumPy's guide, in which a function says only what others have not.

What several functions take stands in one of them, and :func:`as_in` fills it into the others, for
``help``, ``docs/reference.md`` and the stubs that editors read.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from itertools import chain
from typing import Any, Final, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_HEADING: Final = re.compile(r"^([A-Z][A-Za-z ]+)\n-{4,}$\n?", re.MULTILINE)
_ORDER: Final = ("Parameters", "Returns", "Raises", "References")


def sections(thing: object) -> dict[str, str]:
    """The sections of a docstring by their headings; what stands above them has none."""
    above, *parts = map(str.strip, _HEADING.split(inspect.cleandoc(thing.__doc__ or "")))
    return {"": above, **dict(zip(parts[::2], parts[1::2], strict=True))}


def entries(section: str) -> dict[tuple[str, ...], str]:
    """What a section lists, such as parameters, by the names in its first line."""
    listed = filter(None, re.split(r"\n(?=\S)", section))
    return {tuple(re.split(" : |\n", entry)[0].split(", ")): entry for entry in listed}


def as_in(*others: Callable[..., object]) -> Callable[[Function], Function]:
    """Take from other functions what a docstring leaves out: parameters, and a section *Raises*.

    >>> def double(x: float) -> float:
    ...     '''Twice a number.
    ...
    ...     Parameters
    ...     ----------
    ...     x : number
    ...         What is multiplied.
    ...     '''
    >>> @as_in(double)
    ... def multiple(x: float, by: float) -> float:
    ...     '''A multiple of a number.
    ...
    ...     Parameters
    ...     ----------
    ...     by : number
    ...         What it is multiplied by.
    ...     '''
    >>> sections(multiple)["Parameters"].splitlines()[::2]
    ['x : number', 'by : number']

    The first function that describes a parameter counts.
    """

    def filled(function: Function) -> Function:
        if function.__doc__ is None:  # as under python -OO
            return function
        parameters = [*function.__annotations__]
        own = sections(function)
        described = entries(own.get("Parameters", ""))
        for other in map(sections, others):
            missing = set(parameters) - set(chain.from_iterable(described))
            found = entries(other["Parameters"]).items()
            described |= {names: entry for names, entry in found if missing.issuperset(names)}
            own = {"Raises": other["Raises"]} | own if "Raises" in other else own
        order = sorted(described, key=lambda names: parameters.index(names[0]))
        own["Parameters"] = "\n".join(described[names] for names in order)
        lines = [own.pop("")]
        for heading in sorted(own, key=_ORDER.index):
            lines += ["", heading, "-" * len(heading), own[heading]]
        function.__doc__ = "\n".join(lines)
        return function

    return filled
