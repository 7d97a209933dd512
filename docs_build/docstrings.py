"""Docstrings in the manner of NumPy's guide: what stands above the sections, and the sections."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_HEADING: Final = re.compile(r"^([A-Z][A-Za-z ]+)\n-{4,}$\n?", re.MULTILINE)


class Docstring(NamedTuple):
    """The docstring of a function or class."""

    above: str
    sections: dict[str, str]

    @classmethod
    def of(cls, thing: object) -> Docstring:
        """The docstring that something has itself, without those that it inherits."""
        text = inspect.cleandoc(thing.__doc__ or "")
        above, *parts = map(str.strip, _HEADING.split(text))
        return cls(above, dict(zip(parts[::2], parts[1::2], strict=True)))

    def entries(self, section: str) -> Iterator[Entry]:
        """What a section lists, such as parameters."""
        for text in re.split(r"\n(?=\S)", self.sections.get(section, "")):
            head, _, lines = text.partition("\n")
            names, _, kind = head.partition(" : ")
            if head:
                yield Entry(tuple(names.split(", ")), kind, " ".join(lines.split()))

    def parameters(self) -> list[str]:
        """The names of the parameters, as the signature has them."""
        return [n.lstrip("*") for entry in self.entries("Parameters") for n in entry.names]


class Entry(NamedTuple):
    """One or several parameters, a result, an error.

    >>> def double(x): '''
    ...     Parameters
    ...     ----------
    ...     x : number, default 1
    ...         What is doubled.
    ... '''
    >>> next(Docstring.of(double).entries("Parameters"))
    Entry(names=('x',), kind='number, default 1', text='What is doubled.')
    """

    names: tuple[str, ...]
    kind: str
    text: str
