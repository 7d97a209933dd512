"""All texts of the books: a folder for each language, with a TOML file for each template.

``form.toml`` holds what the templates share; a key with a dot in it, such as ``ladder.column_k``,
is of one template. A template is there in the languages that have its file. A text may have
``{places}`` for :meth:`str.format`, and several keys, with commas between them. A test names the
keys that a language lacks, that nothing uses, or that have other places than in English.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from elo_xl.languages import CODES, read_texts


@dataclass(frozen=True)
class Texts:
    """The texts of one language by dotted keys.

    >>> texts("es")("form.name"), texts("es")("swiss.name")
    ('Nombre', 'Nombre')

    A text that a template lacks is the one that all templates share. KeyError for a text that
    nobody wrote.
    """

    language: str

    def __call__(self, key: str, **places: object) -> str:
        room, _, name = key.partition(".")
        text = _room(self.language, room).get(key)
        if text is None:
            text = _room(self.language, "form")[f"form.{name}"]
        return text.format(**places) if places else text

    def of(self, template: str, key: str, **places: object) -> str:
        """A text of a template, or the one that all templates share."""
        return self(f"{template}.{key}", **places)

    def by_key(self, *rooms: str) -> dict[str, str]:
        """All texts, or those of some templates, by key."""
        lines: dict[str, str] = {}
        for room in rooms or [file.stem for file in _file(self.language).parent.iterdir()]:
            lines |= _room(self.language, room)
        return lines


def texts(language: str) -> Texts:
    """The texts of one of :data:`elo_xl.languages.CODES`."""
    return Texts(language)


def languages(room: str) -> list[str]:
    """The languages in which there are texts of a template.

    >>> languages("elo-explained")
    ['en', 'es', 'ru']
    """
    return [code for code in CODES if _file(code, room).exists()]


def _file(language: str, room: str = "form") -> Path:
    return Path(__file__).with_name(language) / f"{room}.toml"


@cache
def _room(language: str, room: str) -> dict[str, str]:
    """The texts of a template, or of ``form``, by key; a file is read when it is asked for."""
    file = _file(language, room)
    by_keys = read_texts(file) if file.exists() else {}
    own = {
        key if "." in key else f"{room}.{key}": text
        for keys, text in by_keys.items()
        for key in keys.split(", ")
    }
    if room == "form":
        return own
    shared = _room(language, "form").items()
    return {key: text for key, text in shared if key.startswith(f"{room}.")} | own
