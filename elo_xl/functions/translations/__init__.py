"""The catalogue's help in other languages, for hosts whose help windows can show it.

A language is one TOML file: ``product`` is the name of the add-in in LibreOffice, the table
``arguments`` is keyed by the argument's name and the table ``texts`` by the English text. So a text
that changes in the catalogue loses its translations, and a test names the missing and the unused
ones.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from elo_xl.languages import CODES_LISTED

LANGUAGES: Final = "{languages}"
"""The placeholder for the list of all languages in a text."""


@dataclass(frozen=True)
class Translation:
    """The translations of the catalogue's English into one language."""

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
