"""Names as they are compared: without case, accents, script and differences of spelling; titles."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Final

_NO_LETTERS: Final = {code: " " for code in range(128) if not chr(code).isalpha()}

#: What is written in many ways where names are carried from one alphabet into another.
_SIBILANTS: Final = re.compile("(?:t?sch|t?ch|tsh|sh|zh|dz|cz|sz|ts|tz|[zs]|c(?=[eiy]))+")
_ALIKE: Final = str.maketrans(
    {**dict(zip("wfcqgdb", "vvkkktp", strict=True)), "x": "ks", **dict.fromkeys("aeiouyjh", "")}
)
_TWICE: Final = re.compile(r"(.)\1+")

_WORD: Final = re.compile(r"[^\W\d_]+")
_NUMBER: Final = re.compile(r"\d+")
_ALIKE_LETTERS: Final = 60
_ONE_WORD: Final = 85
"""The least likeness, of 100, of words that sound alike, and of any that are one word."""

_SPELLINGS: Final = tomllib.loads((Path(__file__).parent / "titles.toml").read_text("utf-8"))
_TITLES: Final = {text: known for known, texts in _SPELLINGS.items() for text in texts}
TITLES: Final = frozenset(_SPELLINGS)
"""those of FIDE"""


def plain(name: str) -> str:
    """A name in small Latin letters, without accents and punctuation.

    >>> plain("MÜLLER, Jürgen"), plain("Карякин, Сергей")
    ('muller jurgen', 'karyakin sergey')
    """
    if not name.isascii():
        from anyascii import anyascii

        name = anyascii(name)
    return " ".join(name.lower().translate(_NO_LETTERS).split())


@lru_cache(maxsize=1 << 16)
def sound(word: str) -> str:
    """The consonants of a plain word, those that sound alike as one; the same for most spellings.

    >>> sound("nepomniachtchi") == sound("nepomnyashchiy"), sound("ivanoff") == sound("iwanow")
    (True, True)
    """
    alike = _SIBILANTS.sub("s", word).replace("kh", "h").replace("ph", "v").translate(_ALIKE)
    return _TWICE.sub(r"\1", alike)


def family(name: str) -> str:
    """The sound of the family name, which stands first.

    >>> family("Ferrer Ruiz, Ana María") == sound("ferrer")
    True
    """
    words = plain(name.partition(",")[0]).split(" ", 1)
    return sound(words[0])


def fits(one: str, other: str) -> bool:
    """Whether two names can be one person's: in any script, spelling and order, and by initials.

    >>> fits("Дёмин, Егор", "Egor Demin"), fits("Fóris G.", "Fóris, Gábor")
    (True, True)
    >>> fits("Schmidt, Anna", "Adamczyk, Berta"), fits("Player 1", "Player 2")
    (False, False)

    Each word of the shorter name has its own in the longer one, and one of them is no initial.
    """
    numbers = [_NUMBER.findall(name) for name in (one, other)]
    if all(numbers) and numbers[0] != numbers[1]:
        return False
    shorter, longer = sorted((_words(one), _words(other)), key=len)
    left = list(longer)
    initials = []
    # whole words first, or an initial would take one that another word needs
    for word in shorter:
        if (match := next((x for x in left if _one_word(word, x)), None)) is None:
            initials.append(word)
        else:
            left.remove(match)
    if len(initials) == len(shorter):
        return False
    for word in initials:
        if (
            match := next((x for x in left if _initial(word, x) or _initial(x, word)), None)
        ) is None:
            return False
        left.remove(match)
    return True


def sounds(name: str) -> set[str]:
    """The sounds of all words of a name that are no initials.

    >>> sounds("Дёмин, Егор") == sounds("Egor Demin")
    True
    """
    return {sound(word) or word for word, whole in _words(name) if whole}


@lru_cache(maxsize=1 << 14)
def _words(name: str) -> tuple[tuple[str, bool], ...]:
    """The words of a name in plain letters, and whether each is no initial."""
    words = (
        (plain(word), len(word) > 1) for word in _WORD.findall(unicodedata.normalize("NFC", name))
    )
    return tuple((word.replace(" ", ""), whole) for word, whole in words if word)


def _one_word(one: tuple[str, bool], other: tuple[str, bool]) -> bool:
    from rapidfuzz import fuzz

    if not (one[1] and other[1]):
        return False
    like = fuzz.ratio(one[0], other[0])
    return like >= _ONE_WORD or (like >= _ALIKE_LETTERS and sound(one[0]) == sound(other[0]))


def _initial(one: tuple[str, bool], other: tuple[str, bool]) -> bool:
    return not one[1] and other[0].startswith(one[0])


def title(text: str) -> str:
    """Write a title as FIDE does today; any other text is returned as it is.

    >>> title("wm"), title("W-GM"), title("gmf"), title("Großmeister"), title("NM")
    ('WIM', 'WGM', 'WGM', 'GM', 'NM')
    """
    return _TITLES.get(plain(text).replace(" ", ""), text) if text else text
