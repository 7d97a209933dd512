"""What commands say, in the language that is spoken while they run.

English stands where something is said. A language is a file beside this one, ``es.toml``, with its
texts by the English ones; what it lacks is said in English.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from elo_xl.languages import ENGLISH, LANGUAGES, code_of, read_texts

_FEW: Final = 5
_OPTIONS: Final = ("--lang", "--language")


class _Spoken:
    code = ENGLISH


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Say everything in a language.

    >>> with speaking("es"): phrase("… and {more} more", more=3)
    '… y 3 más'
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
    """The code of the language that is spoken; English unless :func:`speaking` says otherwise."""
    return _Spoken.code


def phrase(english: str, /, **values: object) -> str:
    """A text in the language that is spoken, with numbers as that language writes them.

    >>> with speaking("es"): phrase("… and {more} more", more=12500.5)
    '… y 12500,5 más'
    """
    shown = {k: _Number(v) if isinstance(v, int | float) else v for k, v in values.items()}
    return translated(english).format(**shown)


def translated(english: str) -> str:
    """A text in the language that is spoken, with its places."""
    code = spoken()
    return english if code == ENGLISH else _texts(code).get(english, english)


def number(text: str) -> str:
    """A number that was written in English, in the language that is spoken.

    >>> with speaking("es"): number("+1,234.5")
    '+1\\xa0234,5'
    """
    language = LANGUAGES[spoken()]
    return text.translate({ord("."): language.decimal_sign, ord(","): language.thousands_sign})


def many(count: int, what: str) -> str:
    """A number of things in the language that is spoken.

    >>> many(1, "game"), many(2000, "game")
    ('1 game', '2,000 games')
    >>> with speaking("ru"): many(21, "game"), many(2, "game"), many(12, "game")
    ('21 партия', '2 партии', '12 партий')
    """
    plural = f"{what}s"
    forms = translated(f"{what}|{plural}").split("|")
    if len(forms) == 3:  # as Slavic languages count
        last, tens = count % 10, count % 100
        few = last in (2, 3, 4) and tens not in (12, 13, 14)
        form = forms[0 if last == 1 and tens != 11 else 1 if few else 2]
    else:
        form = forms[0 if count == 1 else 1]
    return f"{number(f'{count:,}')} {form}"


def either(texts: Iterable[str]) -> str:
    """Texts of which one is meant, in the language that is spoken.

    >>> with speaking("es"): either(["1", "0"])
    '1 o 0'
    """
    return phrase(" or ").join(texts)


def nearest(word: str, known: Iterable[str], most: int = 1, like: float = 0.6) -> list[str]:
    """The known words that are most like another one, in any case; ``like`` is 1 for the same.

    >>> nearest("Schweizer", ["Dauerliga", "Schweizer System"])
    ['Schweizer System']

    Of words that are equally like it, the first goes first.
    """
    from difflib import SequenceMatcher

    matcher, found = SequenceMatcher(None, "", word.casefold()), []
    for name in known:
        matcher.set_seq1(name.casefold())
        if matcher.quick_ratio() >= like and (score := matcher.ratio()) >= like:
            found.append((score, name))
    found.sort(key=lambda one: one[0], reverse=True)
    return [name for _, name in found[:most]]


def meant(word: str, known: Iterable[str], most: int = 1) -> str:
    """What somebody may have meant by a word that is unknown, as the end of a message.

    >>> meant("swis", ["ladder", "swiss"])
    '; did you mean swiss?'

    All that begin with it are named if they are few, otherwise at most ``most`` of the known words
    (:func:`nearest`); empty if none is like it.
    """
    words = tuple(known)
    begun = [name for name in words if name.casefold().startswith(word.casefold())]
    few = word and word not in words and len(begun) <= _FEW
    near = (begun if few else []) or nearest(word, words, most)
    return phrase("; did you mean {known}?", known=either(near)) if near else ""


@cache
def _texts(code: str) -> dict[str, str]:
    file = Path(__file__).with_name(f"{code}.toml")
    return read_texts(file) if file.exists() else {}


class _Number:
    """A number that is written with the signs of the language that is spoken."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __str__(self) -> str:
        return number(str(self.value))

    def __repr__(self) -> str:
        return number(repr(self.value))

    def __format__(self, how: str) -> str:
        return number(format(self.value, how))
