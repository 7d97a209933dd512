"""The catalogue's help in other languages, for hosts whose help windows can show it.

A language is one TOML file: ``product``, what LibreOffice calls the add-in, and two tables,
``arguments``, keyed by the argument's name, and ``texts``, keyed by the English text. A text that
changes in the catalogue loses its translations that way, and a test names what is missing or left
over.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from elo_xl.languages import CODES_LISTED

LANGUAGES: Final = "{languages}"
"""Stands in a text for the list of all languages."""


@dataclass(frozen=True)
class Translation:
    """What one language has for the catalogue's English."""

    product: str
    arguments: dict[str, str]
    texts: dict[str, str]


@cache
def translation(language: str) -> Translation:
    """The translation into one of :data:`elo_xl.languages.TRANSLATED`.

    >>> translation("es").arguments["opponent"]
    'rival'
    """
    text = files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    table["texts"] = {
        english.replace(LANGUAGES, CODES_LISTED): own.replace(LANGUAGES, CODES_LISTED)
        for english, own in table["texts"].items()
    }
    return Translation(**table)
