"""The catalogue's help in other languages, for hosts whose help windows can show it.

A language is one TOML file with two tables: ``arguments``, keyed by the argument's name, and
``texts``, keyed by the English text. A text that changes in the catalogue loses its translations
that way, and a test names what is missing or left over.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

LANGUAGES: Final = ("es", "ru")


@dataclass(frozen=True)
class Translation:
    """What one language has for the catalogue's English."""

    arguments: dict[str, str]
    texts: dict[str, str]


@cache
def translation(language: str) -> Translation:
    """The translation into one of :data:`LANGUAGES`.

    >>> translation("es").arguments["opponent"]
    'rival'
    """
    text = files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return Translation(**tomllib.loads(text))
