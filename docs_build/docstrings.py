"""Docstrings as pages and tests read them: what they list, in words."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from elo_xl import words
from elo_xl.api import docstrings

_KINDS: Final = {
    "NumbersLike": "number or column",
    "Games": "column",
    "GamesLike": "column",
    "Source": "path or bytes",
    "npt.ArrayLike": "array",
    "str": "str",
    **dict.fromkeys(("Table", "AnyTable"), "table"),
    **dict.fromkeys([word for word in vars(words) if word[0].isupper()], "str"),
}
"""What annotations are called, if not by themselves."""


class Docstring(NamedTuple):
    """The docstring of a function or class."""

    above: str
    sections: dict[str, str]
    kinds: Mapping[str, str] = {}
    """what each parameter takes, by its annotation and its default"""
    result: str = ""
    """what the function gives"""

    @classmethod
    def of(cls, thing: object) -> Docstring:
        """The docstring that something has itself, without those that it inherits."""
        sections = docstrings.sections(thing)
        kinds = {}
        if callable(thing) and "Args" in sections:
            given = inspect.signature(thing).parameters.values()
            kinds = {x.name: kind(str(x.annotation), x.default) for x in given}
        result = _result(thing.__annotations__["return"]) if "Returns" in sections else ""
        return cls(sections.pop(""), sections, kinds, result)

    def entries(self, section: str) -> Iterator[Entry]:
        """What a section lists, such as parameters."""
        for names, entry in docstrings.entries(self.sections.get(section, "")).items():
            head, _, text = " ".join(entry.split()).partition(": ")
            told = head.partition(" (")[2].removesuffix(")")
            yield Entry(names, told or self.kinds.get(names[0], ""), text)

    def parameters(self) -> list[str]:
        """The names of the parameters, as the signature has them."""
        return [n.lstrip("*") for entry in self.entries("Args") for n in entry.names]


class Entry(NamedTuple):
    """One or several parameters, a result, an error.

    >>> def double(x: float = 1):
    ...     '''
    ...     Args:
    ...         x: What is doubled.
    ...     '''
    >>> next(Docstring.of(double).entries("Args"))
    Entry(names=('x',), kind='float, default 1', text='What is doubled.')
    """

    names: tuple[str, ...]
    kind: str
    text: str


def kind(annotation: str, default: Any) -> str:
    """What a parameter takes, in words.

    >>> kind("RulebookName | str | Path", "fide"), kind("NumbersLike", None)
    ('str or Path, default "fide"', 'number or column, optional')
    """
    if default is inspect.Parameter.empty:
        usual = ""
    elif default is None:
        usual = ", optional"
    else:
        said = f"{default:g}" if type(default) is float else str(default)
        usual = f", default {json.dumps(default) if isinstance(default, str) else said}"
    several = (re.sub(r"\[.*", "", part) for part in annotation.split(" | ") if part != "None")
    *rest, last = dict.fromkeys(_KINDS.get(part, part) for part in several)
    return (f"{', '.join(rest)} or {last}" if rest else last) + usual


def _result(annotation: str) -> str:
    """What a function gives, in words.

    >>> _result("NumbersLike"), _result("checking.Check"), _result("Fit[AnyTable]")
    ('float or column', 'Check', 'Fit')
    """
    found = kind(annotation, inspect.Parameter.empty).rpartition(".")[2]
    return {"number or column": "float or column", "column": "table"}.get(found, found)
