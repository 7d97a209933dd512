"""Calls of our functions in the formulas of a file, whatever prefix the names have there."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from elo_xl.functions.catalogue import functions

PREFIX: Final = "_xldudf_"
"""The prefix that a function of an Office add-in has in a file."""


def renamed(formula: str, prefix: str = "") -> str:
    """Replace the prefixes of our functions in a formula by ``prefix``.

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
    """Match calls of our functions, and the texts and quoted names that must not be touched.

    A function may be preceded by the file of the add-in, given by number or by name; after a
    sheet's name it is a name defined on that sheet.
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
