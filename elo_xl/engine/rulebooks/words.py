"""Texts of rulebooks in the languages of workbooks."""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """One text in the languages of workbooks, with names in braces for numbers."""

    en: str
    es: str
    ru: str

    def say(self, language: str = "en", **values: object) -> str:
        """The text in a language, with numbers as that language writes them.

        >>> Words("{k:g} points", "{k:g} puntos", "пунктов: {k:g}").say("es", k=12.5)
        '12,5 puntos'
        """
        text: str = getattr(self, language)
        if language != "en":
            values = {k: _shown(v) for k, v in values.items()}
        return text.format(**values)


class _Decimal(str):
    """A number that is written with a comma, whatever format is asked for."""

    def __format__(self, _: str) -> str:
        return str(self)


def _shown(value: object) -> object:
    if isinstance(value, float):
        return _Decimal(f"{value:g}".replace(".", ","))
    return value
