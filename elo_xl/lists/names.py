"""Names as they are compared: without case, accents, script and differences of spelling; titles."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_NO_LETTERS: Final = {code: " " for code in range(128) if not chr(code).isalpha()}

#: What is written in many ways where names are carried from one alphabet into another.
_SIBILANTS: Final = re.compile("(?:t?sch|t?ch|tsh|sh|zh|dz|cz|sz|ts|tz|[zs]|c(?=[eiy]))+")
_ALIKE: Final = str.maketrans(
    {**dict(zip("wfcqgdb", "vvkkktp", strict=True)), "x": "ks", **dict.fromkeys("aeiouyjh", "")}
)
_TWICE: Final = re.compile(r"(.)\1+")

_OLD_TITLES: Final = {
    "g": "GM",
    "m": "IM",
    "f": "FM",
    "c": "CM",
    "wg": "WGM",
    "wm": "WIM",
    "wf": "WFM",
    "wc": "WCM",
}
_TITLES: Final = frozenset(_OLD_TITLES.values())


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


def title(text: str) -> str:
    """Write a title as FIDE does today; any other text is returned as it is.

    >>> title("wm"), title("gm"), title("NM")
    ('WIM', 'GM', 'NM')
    """
    known = _OLD_TITLES.get(text.lower(), text.upper())
    return known if known in _TITLES else text
