"""All texts of the template workbooks, one TOML file a language.

A file has one table a template and the tables ``form`` and ``templates`` for what they share; a
text may have ``{places}`` for :meth:`str.format`. A test names the keys that a language lacks, has
left over, or uses with other places than English does.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

LANGUAGES: Final = ("en", "es", "ru")


@dataclass(frozen=True)
class Texts:
    """The texts of one language by dotted keys.

    >>> texts("es")("form.name")
    'Nombre'

    KeyError for a text that nobody wrote.
    """

    language: str
    by_key: dict[str, str]

    def __call__(self, key: str, **places: object) -> str:
        text = self.by_key[key]
        return text.format(**places) if places else text


@cache
def texts(language: str) -> Texts:
    """The texts of one of :data:`LANGUAGES`."""
    content = files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return Texts(language, dict(_flat(tomllib.loads(content))))


def _flat(table: dict[str, object], prefix: str = "") -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for key, value in table.items():
        pairs += (
            _flat(value, f"{prefix}{key}.")
            if isinstance(value, dict)
            else [(f"{prefix}{key}", str(value))]
        )
    return pairs
