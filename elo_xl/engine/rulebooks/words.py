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
        comma = language != "en"
        shown = {k: _Shown(v, comma) if isinstance(v, float) else v for k, v in values.items()}
        return text.format(**shown)


class _Shown:
    """A number that is written with a minus sign, and with a comma where that is the custom."""

    def __init__(self, value: float, comma: bool) -> None:
        self.value, self.comma = value, comma

    def __format__(self, how: str) -> str:
        text = format(self.value, how or "g").replace("-", "−")
        return text.replace(".", ",") if self.comma else text
