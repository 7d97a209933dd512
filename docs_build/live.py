"""What computes on the site: cells on the page of each function, and the calculator.

They are forms in HTML, which Sphinx puts on its pages (``docs/conf.py``): where the Markdown is
read without the site, nothing of them is there. ``cells.js`` and ``calculator.js`` in
``docs/_static`` compute with the functions in JavaScript, which are the file ``elo.js`` of the site.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from elo_xl.functions.arguments import Numbers, Option
from elo_xl.functions.catalogue import Function, functions
from elo_xl.functions.cells import to_text
from elo_xl.hosts.javascript import missing, script

FUNCTIONS: Final = "elo.js"
CELLS: Final = "cells.js"


class Live(NamedTuple):
    """What computes on a page."""

    form: str
    """in HTML"""
    script: str
    """what fills it"""


def live(page: str) -> Live | None:
    """What computes on a page of the site, if anything does.

    >>> live("functions/ELO_EXPECTED").script, live("pitfalls")
    ('cells.js', None)
    """
    folder, _, name = page.rpartition("/")
    if folder == "functions" and name in functions():
        return Live(_cells(functions()[name]), CELLS)
    return None


def elo_js() -> str:
    """The functions in JavaScript."""
    return script()


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("docs_build", ""),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


# -- the page of a function -----------------------------------------------------------------------


class Field(NamedTuple):
    """An argument as cells to type into."""

    name: str
    default: str
    choices: tuple[str, ...]
    """names that may be typed"""
    range: str
    """``column`` or ``table`` if the argument takes a whole range, otherwise empty"""
    cells: str
    """what stands in the cells at first: the text of one, or rows of texts as JSON"""


def _cells(function: Function) -> str:
    """The arguments of a function as cells, with those of its first example."""
    template = _environment().get_template("cells.html")
    why = missing().get(function.name, "")
    return template.render(function=function, fields=list(_fields(function)), why=why)


def _fields(function: Function) -> Iterator[Field]:
    given = function.examples[0].arguments
    for i, argument in enumerate(function.arguments):
        value = given[i] if i < len(given) else None
        choices = argument.choices if isinstance(argument, Option) else ()
        default = "" if argument.required else to_text(argument.default)
        if not argument.whole:
            yield Field(argument.name, default, choices, "", to_text(value))
            continue
        rows = value if isinstance(value, list) else [[value]]
        column = isinstance(argument, Numbers)
        if column:  # one below the other, where there is room for more
            rows = [[cell] for row in rows for cell in row]
        cells = json.dumps([[to_text(cell) for cell in row] for row in rows], ensure_ascii=False)
        yield Field(argument.name, default, choices, "column" if column else "table", cells)
