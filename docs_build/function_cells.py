"""The arguments of a worksheet function as cells to type into, for the site's page of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from elo_xl.functions.arguments import Numbers, Option
from elo_xl.functions.catalogue import Function
from elo_xl.functions.cells import to_text


class Field(NamedTuple):
    """An argument as cells."""

    name: str
    default: str
    choices: tuple[str, ...]
    """names that may be typed"""
    range: str
    """``column`` or ``table`` if the argument takes a whole range, otherwise empty"""
    cells: str
    """what stands in the cells at first: the text of one, or rows of texts as JSON"""


def fields(function: Function) -> Iterator[Field]:
    """The arguments, filled with those of the function's first example.

    >>> from elo_xl.functions.catalogue import find
    >>> [field.cells for field in fields(find("ELO_PERFORMANCE"))]
    ['[["1860"], ["1770"], ["2000"]]', '[["1.5"]]', '']
    """
    given = function.examples[0].arguments
    for i, argument in enumerate(function.arguments):
        value = given[i] if i < len(given) else None
        choices = argument.choices if isinstance(argument, Option) else ()
        default = "" if argument.required else to_text(argument.default)
        rows = value if isinstance(value, list) else [[value]]
        if not argument.whole:
            yield Field(argument.name, default, choices, "", to_text(rows[0][0]))
            continue
        column = isinstance(argument, Numbers)
        if column:  # one below the other, where there is room for more
            rows = [[cell] for row in rows for cell in row]
        cells = json.dumps([[to_text(cell) for cell in row] for row in rows], ensure_ascii=False)
        yield Field(argument.name, default, choices, "column" if column else "table", cells)
