"""Docstrings in Google's style, in which a function says only what others have not.

What several functions take and raise stands in one of them, and :func:`as_in` fills it into the
others, for ``help``, ``docs/reference.md`` and the stub that editors read.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from textwrap import dedent, fill, indent
from typing import Any, Final, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_ORDER: Final = ("Args", "Returns", "Raises", "References")
_HEADING: Final = re.compile(rf"^({'|'.join(_ORDER)}):(?=\s)", re.MULTILINE)


def sections(thing: object) -> dict[str, str]:
    """The sections of a docstring by their headings; what stands above them has none."""
    above, *parts = _HEADING.split(inspect.cleandoc(thing.__doc__ or ""))
    listed = {"": above.strip()}
    for heading, told in zip(parts[::2], parts[1::2], strict=True):
        one = heading in ("Returns", "References")
        listed[heading] = " ".join(told.split()) if one else dedent(told).strip()
    return listed


def entries(section: str) -> dict[tuple[str, ...], str]:
    """What a section lists, such as parameters, by the names in its first line."""
    listed = filter(None, re.split(r"\n(?=\S)", section))
    return {tuple(re.split(r":\s| \(", entry)[0].split(", ")): entry for entry in listed}


def as_in(*others: Callable[..., object]) -> Callable[[Function], Function]:
    r"""Take from other functions what a docstring leaves out: parameters, and errors.

    >>> def double(x: float) -> None: "Args:\n    x: What is multiplied."
    >>> def multiple(x: float, by: float) -> None: "Args:\n    by: What it is multiplied by."
    >>> [*entries(sections(as_in(double)(multiple))["Args"])]
    [('x',), ('by',)]

    The first function that describes a parameter or says when an error is raised counts.
    """

    def filled(function: Function) -> Function:
        if function.__doc__ is None:  # as under python -OO
            return function
        own = sections(function)
        above, parameters = own.pop(""), [*function.__annotations__]
        for heading in ("Args", "Raises"):
            listed = entries(own.get(heading, ""))
            for other in others:
                told = {name for names in listed for name in names}
                for names, entry in entries(sections(other).get(heading, "")).items():
                    known = heading == "Raises" or set(names) <= set(parameters)
                    if known and told.isdisjoint(names):
                        listed[names] = entry
            if heading == "Args":
                listed = dict(sorted(listed.items(), key=lambda item: parameters.index(item[0][0])))
            own[heading] = "\n".join(listed.values())
        parts = [
            f"{heading}:\n{indent(own[heading], '    ')}" if heading in ("Args", "Raises")
            else fill(f"{heading}: {own[heading]}", 96, subsequent_indent="    ")
            for heading in _ORDER if own.get(heading)
        ]  # fmt: skip
        function.__doc__ = above + "\n\n" + "\n".join(parts)
        return function

    return filled
