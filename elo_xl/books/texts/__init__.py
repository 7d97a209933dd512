"""All texts of the books: a folder for each language, with a TOML file for each template.

``form.toml`` holds what the templates share; ``elo-explained.model.toml`` is a part of the texts of
``elo-explained``. A text may have ``{places}`` for :meth:`str.format`. A test names the keys that a
language lacks, that nothing uses, or that have other places than in English.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


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

    def of(self, template: str, key: str, **places: object) -> str:
        """A text of a template, or the one that all templates share."""
        own = f"{template}.{key}"
        return self(own if own in self.by_key else f"form.{key}", **places)


@cache
def texts(language: str) -> Texts:
    """The texts of one of :data:`elo_xl.languages.CODES`."""
    by_key: dict[str, str] = {}
    for file in files(__name__).joinpath(language).iterdir():
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        by_key.update((f"{file.name.split('.')[0]}.{k}", v) for k, v in table.items())
    return Texts(language, by_key)
