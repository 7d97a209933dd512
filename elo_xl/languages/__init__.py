"""The languages of workbooks and of the functions' help: each but English is a file here.

English stands in the code. The file of another language, ``es.toml``, says how the language writes
dates and numbers, and has its ``texts`` by the English ones; it is read when it is asked for. What
only workbooks say stands in ``books/texts``, what answers say in ``books/answers``. Errors, notes
and help of commands are English.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

_FOLDER: Final = Path(__file__).parent

ENGLISH: Final = "en"
TRANSLATED: Final = tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))
"""The languages into which texts are translated."""

CODES: Final = (ENGLISH, *TRANSLATED)
"""All languages; the first is the default."""

CODES_LISTED: Final = ", ".join(f'"{code}"' for code in CODES)
"""The codes as help texts list them."""

LISTED: Final = "{languages}"
"""What stands for that list in the files."""


def read_texts(file: Path) -> dict[str, Any]:
    """The texts of a file, by their keys."""
    import tomllib  # English needs none

    return tomllib.loads(file.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Language:
    """The name of one language, how it writes dates and numbers, and its texts."""

    code: str
    name: str
    """the language's own name for itself"""
    date: str
    """the format of a date in figures, for :meth:`datetime.date.strftime`"""
    decimal_sign: str
    thousands_sign: str
    arguments: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """the names of the functions' arguments, by the English ones"""
    texts: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """what :class:`Words` and the functions' help say, by the English texts"""

    @property
    def date_format(self) -> str:
        r"""The number format of a cell with a date.

        >>> LANGUAGES["es"].date_format
        'dd\\/mm\\/yyyy'
        """
        parts = {"%d": "dd", "%m": "mm", "%Y": "yyyy"}
        return re.sub("%.|.", lambda match: parts.get(match[0], f"\\{match[0]}"), self.date)

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

    def date_text(self, cell: str, *, year_apart: bool = False) -> str:
        """A formula that writes a cell's date as text; TEXT needs other letters in each language.

        With ``year_apart`` a space parts year and day, so that they may stand below each other; no
        line ends at the hyphen that is left (U+2011).

        >>> LANGUAGES["en"].date_text("A2")
        'YEAR(A2)&"-"&RIGHT("0"&MONTH(A2),2)&"-"&RIGHT("0"&DAY(A2),2)'
        >>> LANGUAGES["es"].date_text("A2", year_apart=True)
        'RIGHT("0"&DAY(A2),2)&"/"&RIGHT("0"&MONTH(A2),2)&" "&YEAR(A2)'
        """
        parts = {
            "%d": f'RIGHT("0"&DAY({cell}),2)',
            "%m": f'RIGHT("0"&MONTH({cell}),2)',
            "%Y": f"YEAR({cell})",
        }
        date = self.date
        if year_apart:
            date = re.sub("[/-](?=%Y$)|(?<=[.])(?=%Y$)|(?<=^%Y)-", " ", date).replace("-", "\u2011")
        return "&".join(parts.get(p, f'"{p}"') for p in re.findall("%.|[^%]+", date))


class _Languages(Mapping[str, Language]):
    def __getitem__(self, code: str) -> Language:
        if code not in CODES:
            raise KeyError(code)
        return _language(code)

    def __iter__(self) -> Iterator[str]:
        return iter(CODES)

    def __len__(self) -> int:
        return len(CODES)


@cache
def _language(code: str) -> Language:
    if code == ENGLISH:
        return Language(code, "English", "%Y-%m-%d", ".", ",")
    table = read_texts(_FOLDER / f"{code}.toml")
    table["texts"] = {
        english.replace(LISTED, CODES_LISTED): text.replace(LISTED, CODES_LISTED)
        for english, text in table["texts"].items()
    }
    return Language(code, **table)


LANGUAGES: Final = _Languages()
"""The languages by their codes."""


def code_of(text: str) -> str:
    """The code of a language by its code, its name, its name in English or a region's code; empty
    for any other text.

    >>> code_of("DE"), code_of("Deutsch"), code_of("german"), code_of("en-GB"), code_of("klingon")
    ('de', 'de', 'de', 'en', '')
    """
    import locale

    word = text.strip().casefold()
    if word in CODES:
        return word
    names = {language.name.casefold(): code for code, language in LANGUAGES.items()}
    # what systems call a language: german is de_DE.ISO8859-1
    code = names.get(word) or re.split("[_.]", locale.normalize(word.replace("-", "_")))[0]
    return code if code in CODES else ""


class Words(NamedTuple):
    """A text in English, with names in braces for numbers, that languages translate."""

    english: str

    def say(self, language: str = ENGLISH, **values: object) -> str:
        """The text in a language, with numbers as that language writes them.

        >>> words = Words(", scored {score:g}.")
        >>> words.say(score=12.5), words.say("es", score=12.5)
        (', scored 12.5.', ', obtuvo 12,5.')

        A text that the language lacks is said in English.
        """
        spoken = LANGUAGES[language]
        shown = {k: _Shown(v, spoken) if isinstance(v, float) else v for k, v in values.items()}
        return spoken.texts.get(self.english, self.english).format(**shown)


class _Shown:
    """A number that is written with a minus sign and the decimal sign of a language."""

    def __init__(self, value: float, language: Language) -> None:
        self.value, self.language = value, language

    def __format__(self, how: str) -> str:
        return self.language.number(format(self.value, how or "g").replace("-", "−"))


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
