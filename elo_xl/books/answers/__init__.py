"""What answers show, in the language that ``--lang`` asks for: tables, headings and their lines.

English stands in the code; the file of a language beside this one has the texts by the English
ones. Errors, notes and help are English, and stand where they arise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from elo_xl.languages import ENGLISH, LANGUAGES, code_of, read_texts

_OPTIONS: Final = ("--lang", "--language")


class _Spoken:
    code = ENGLISH


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Answer in a language.

    >>> with speaking("es"): phrase("Round {number}", number=3)
    'Ronda 3'
    """
    before, _Spoken.code = _Spoken.code, code
    try:
        yield
    finally:
        _Spoken.code = before


def wanted(words: Sequence[str]) -> str:
    """The language that the words of a command line ask for, also where these are wrong.

    >>> wanted(["rate", "--lang", "es"]), wanted(["rate", "--lang=ru", "--los"]), wanted(["rate"])
    ('es', 'ru', 'en')
    """
    code = ENGLISH
    for word, after in zip(words, (*words[1:], ""), strict=False):
        option, sign, value = word.partition("=")
        if option in _OPTIONS:
            code = value if sign else after
    return code_of(code) or ENGLISH


def spoken() -> str:
    """The code of the language of answers; English unless :func:`speaking` says otherwise."""
    return _Spoken.code


def phrase(english: str, /, **values: object) -> str:
    """A text of an answer, with numbers as its language writes them."""
    shown = {k: _Number(v) if isinstance(v, int | float) else v for k, v in values.items()}
    return _text(english).format(**shown)


def number(text: str) -> str:
    """A number that was written in English, as the language of answers writes it.

    >>> with speaking("es"): number("+1,234.5")
    '+1\\xa0234,5'
    """
    language = LANGUAGES[spoken()]
    return text.translate({ord("."): language.decimal_sign, ord(","): language.thousands_sign})


def many(count: int, what: str) -> str:
    """A number of things in the language of answers.

    >>> many(1, "game"), many(2000, "game")
    ('1 game', '2,000 games')
    >>> with speaking("ru"): many(21, "game"), many(2, "game"), many(12, "game")
    ('21 партия', '2 партии', '12 партий')
    """
    forms = _text(f"{what}|{what}s").split("|")
    if len(forms) == 3:  # as Slavic languages count
        last, tens = count % 10, count % 100
        few = last in (2, 3, 4) and tens not in (12, 13, 14)
        form = forms[0 if last == 1 and tens != 11 else 1 if few else 2]
    else:
        form = forms[0 if count == 1 else 1]
    return f"{number(f'{count:,}')} {form}"


def _text(english: str) -> str:
    return str(_texts(spoken()).get(english, english))


@cache
def _texts(code: str) -> dict[str, Any]:
    return {} if code == ENGLISH else read_texts(Path(__file__).with_name(f"{code}.toml"))


class _Number:
    """A number that is written with the signs of the language of answers."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __str__(self) -> str:
        return number(str(self.value))

    def __format__(self, how: str) -> str:
        return number(format(self.value, how))
