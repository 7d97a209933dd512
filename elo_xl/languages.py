"""The languages that workbooks, help and answers of functions come in: the only list of them.

A new language is an entry here, and the texts that tests then find missing: a folder under
``books/texts``, a file under ``functions/translations``, the names in
``functions/class_names.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Language:
    """How one language is called, and how it writes dates and decimals."""

    code: str
    name: str
    """what its speakers call it"""
    date: str
    """a date in figures, as :meth:`datetime.date.strftime` takes it"""
    decimal_sign: str

    @property
    def date_format(self) -> str:
        r"""The number format of a cell with a date.

        >>> LANGUAGES["es"].date_format
        'dd\\/mm\\/yyyy'
        """
        parts = {"%d": "dd", "%m": "mm", "%Y": "yyyy"}
        return re.sub("%.|.", lambda found: parts.get(found[0], f"\\{found[0]}"), self.date)

    def date_text(self, cell: str) -> str:
        """Formula for the date in a cell as a text: TEXT needs other letters in each language.

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
"""By their codes; the first is what is spoken where nobody asked for another."""

CODES: Final = tuple(LANGUAGES)
ENGLISH, *TRANSLATED = CODES
"""The language in which all texts are written, and those into which they are translated."""

CODES_LISTED: Final = ", ".join(f'"{code}"' for code in CODES)
"""As help texts name them."""
