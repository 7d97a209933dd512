"""The languages of workbooks, help and answers of functions: the only list of them.

A new language needs an entry here and the texts that tests then find missing: a folder under
``books/texts``, a file under ``functions/translations`` and the names in
``functions/class_names.py``.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Language:
    """The name of one language, and how it writes dates and decimals."""

    code: str
    name: str
    """the language's own name for itself"""
    date: str
    """the format of a date in figures, for :meth:`datetime.date.strftime`"""
    decimal_sign: str

    @property
    def date_format(self) -> str:
        r"""The number format of a cell with a date.

        >>> LANGUAGES["es"].date_format
        'dd\\/mm\\/yyyy'
        """
        parts = {"%d": "dd", "%m": "mm", "%Y": "yyyy"}
        return re.sub("%.|.", lambda found: parts.get(found[0], f"\\{found[0]}"), self.date)

    def span(self, *days: datetime.date | None) -> str:
        """The days of an event, each once.

        >>> LANGUAGES["en"].span(datetime.date(2026, 3, 7), None, datetime.date(2026, 3, 8))
        '2026-03-07 – 2026-03-08'
        """
        return " – ".join(dict.fromkeys(day.strftime(self.date) for day in days if day))

    def number(self, text: str) -> str:
        """A number with this language's decimal sign.

        >>> LANGUAGES["es"].number("0.25")
        '0,25'
        """
        return text.replace(".", self.decimal_sign)

    def date_text(self, cell: str) -> str:
        """A formula that writes a cell's date as text; TEXT needs other letters in each language.

        >>> LANGUAGES["en"].date_text("A2")
        'YEAR(A2)&"-"&RIGHT("0"&MONTH(A2),2)&"-"&RIGHT("0"&DAY(A2),2)'
        """
        parts = {
            "%d": f'RIGHT("0"&DAY({cell}),2)',
            "%m": f'RIGHT("0"&MONTH({cell}),2)',
            "%Y": f"YEAR({cell})",
        }
        return "&".join(parts.get(p, f'"{p}"') for p in re.findall("%.|[^%]+", self.date))


LANGUAGES: Final = {
    language.code: language
    for language in (
        Language("en", "English", "%Y-%m-%d", "."),
        Language("es", "Español", "%d/%m/%Y", ","),
        Language("ru", "Русский", "%d.%m.%Y", ","),
    )
}
"""The languages by their codes; the first is the default."""


def many(number: int, what: str) -> str:
    """A number of things in English, the language of messages.

    >>> many(1, "game"), many(2000, "game")
    ('1 game', '2,000 games')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


CODES: Final = tuple(LANGUAGES)
ENGLISH, *TRANSLATED = CODES
"""The language in which all texts are written, and those into which they are translated."""

YES: Final = frozenset(
    (
        *("x", "х", "✓", "✔", "1", "y", "yes", "true", "s", "sí", "si", "verdadero", "д", "да"),
        *("истина", "j", "ja", "wahr", "oui", "vrai", "sim", "verdadeiro"),
    )
)
"""What is a yes in a column that takes an x or nothing, in small letters. The second is Cyrillic;
those who write German, French and Portuguese are understood, too."""


def is_yes(text: str) -> bool:
    """Whether an entry is a yes.

    >>> is_yes(" X "), is_yes("да"), is_yes("no")
    (True, True, False)
    """
    return " ".join(text.split()).lower() in YES


CODES_LISTED: Final = ", ".join(f'"{code}"' for code in CODES)
"""The codes as help texts list them."""
