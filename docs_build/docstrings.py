"""Docstrings as pages and tests read them: what they list, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from elo_xl.api import docstrings


class Docstring(NamedTuple):
    """The docstring of a function or class."""

    above: str
    sections: dict[str, str]

    @classmethod
    def of(cls, thing: object) -> Docstring:
        """The docstring that something has itself, without those that it inherits."""
        sections = docstrings.sections(thing)
        return cls(sections.pop(""), sections)

    def entries(self, section: str) -> Iterator[Entry]:
        """What a section lists, such as parameters."""
        for names, entry in docstrings.entries(self.sections.get(section, "")).items():
            head, _, text = " ".join(entry.split()).partition(": ")
            yield Entry(names, head.partition(" (")[2].removesuffix(")"), text)

    def parameters(self) -> list[str]:
        """The names of the parameters, as the signature has them."""
        return [n.lstrip("*") for entry in self.entries("Args") for n in entry.names]


class Entry(NamedTuple):
    """One or several parameters, a result, an error.

    >>> def double(x): '''
    ...     Args:
    ...         x (number, default 1): What is doubled.
    ... '''
    >>> next(Docstring.of(double).entries("Args"))
    Entry(names=('x',), kind='number, default 1', text='What is doubled.')
    """

    names: tuple[str, ...]
    kind: str
    text: str
