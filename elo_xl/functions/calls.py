"""Calls of our functions in the formulas of a file, whatever stands before their names there."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from elo_xl.functions.catalogue import functions

PREFIX: Final = "_xldudf_"
"""What stands before a function of an Office add-in in a file."""


def renamed(formula: str, prefix: str = "") -> str:
    """A formula with its calls of our functions by plain name, behind ``prefix``.

    >>> renamed('IF(A1="[1]!ELO_K(",[1]!elo_k(A2),_xldudf_ELO_K(A3))')
    'IF(A1="[1]!ELO_K(",ELO_K(A2),ELO_K(A3))'
    """
    return _calls().sub(
        lambda found: prefix + found["name"].upper() if found["name"] else found[0], formula
    )


def calls_ours(formula: str) -> bool:
    """Whether a formula calls one of our functions.

    >>> calls_ours("[1]!ELO_K(A2)"), calls_ours('"ELO_K(A2)"')
    (True, False)
    """
    return any(found["name"] for found in _calls().finditer(formula))


@cache
def _calls() -> re.Pattern[str]:
    """Calls of our functions, and the texts and quoted names to be left alone.

    Before a function may stand the file of the add-in, by its number or its name; behind a sheet's
    name it is a name of that sheet.
    """
    names = "|".join(sorted(functions(), key=len, reverse=True))
    return re.compile(
        rf"""
        "(?:[^"]|"")*"
        | (?<![\w.!]) (?: (?:\[\d+\] | '(?:[^']|'')*\.xl[as]m?' | [\w.]+\.xl[as]m?) ! )?
          (?:{PREFIX})? (?P<name>{names}) (?=\()
        | '(?:[^']|'')*'
        | \[(?:[^\[\]']|'.)*\]
        """,
        re.VERBOSE | re.IGNORECASE,
    )
