"""Calls of our functions in the formulas of a file, whatever prefix the names have there."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from elo_xl.functions.catalogue import functions
from elo_xl.xlsx.stored import OFFICE_FUNCTION

PREFIX: Final = OFFICE_FUNCTION


def renamed(formula: str, prefix: str = "") -> str:
    """Replace the prefixes of our functions in a formula by ``prefix``.

    >>> renamed('IF(A1="_xldudf_ELO_K(",elo_k(A2),_xldudf_ELO_K(A3))', "[1]!")
    'IF(A1="_xldudf_ELO_K(",[1]!ELO_K(A2),[1]!ELO_K(A3))'

    A function of another file stays: :func:`unlinked` tells whose it is.
    """

    def new(found: re.Match[str]) -> str:
        plain = found["name"] and not found["link"]
        return prefix + found["name"].upper() if plain else found[0]

    return _calls().sub(new, formula)


def unlinked(formula: str, is_ours: Callable[[str], object]) -> str:
    """A formula whose calls need no link to our add-in's file.

    ``is_ours`` says whether a link leads there, which is a number or the name of a file:

    >>> unlinked("[1]!ELO_K(A2)+[2]!ELO_K(A3)+'C:/b.xlam'!ELO_K(1)", "[1] C:/b.xlam".count)
    'ELO_K(A2)+[2]!ELO_K(A3)+ELO_K(1)'
    """

    def new(found: re.Match[str]) -> str:
        ours = found["link"] and is_ours(found["link"].strip("'"))
        return found["name"].upper() if ours else found[0]

    return _calls().sub(new, formula)


def called_ours(formula: str) -> frozenset[str]:
    """Our functions that a formula calls without a link.

    >>> sorted(called_ours("elo_k(A2)+_xldudf_ELO_NEW(1,2,3,4)+[1]!ELO_DIFF(0.5)"))
    ['ELO_K', 'ELO_NEW']
    """
    found = _calls().finditer(formula)
    return frozenset(each["name"].upper() for each in found if each["name"] and not each["link"])


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
        | (?<![\w.!]) (?: (?P<link>\[\d+\] | '(?:[^']|'')*\.xl[as]m?' | [\w.]+\.xl[as]m?) ! )?
          (?:{PREFIX})? (?P<name>{names}) (?=\()
        | '(?:[^']|'')*'
        | \[(?:[^\[\]']|'.)*\]
        """,
        re.VERBOSE | re.IGNORECASE,
    )
