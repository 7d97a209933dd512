"""Who is the same person: the keys by which names are compared, one for each strength.

=================== ================================= ============================================
key                 makes no difference               who compares by it
=================== ================================= ============================================
:func:`same_cell`   blanks at the ends, several       cells: the functions ELO_… and the books, as
                    blanks, capitals                  a spreadsheet can compare no more
:func:`same_name`   also forms of one letter, blanks  files, clubs, tables of Python, long files:
                    before a comma                    this is the same name, nothing is said
:func:`spelling`    also accents, umlauts written     files and tables of Python, after that: the
                    out, apostrophes, the order       same person in another spelling, which a note
                                                      says; two who have the key are told apart by
                                                      ids, or asked about
:func:`respelt`     the same, if it is several words  lists of games without a list of players
=================== ================================= ============================================

Files and clubs find people by these keys, and by ids, with :class:`elo_xl.events.names.People`.
What is only like a name is never matched to it, but suggested (:mod:`elo_xl.lists.names`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_BLANKS: Final = re.compile(r"\s+")
_COMMA: Final = re.compile(r"\s*,\s*")
_LETTERS: Final = str.maketrans(
    {"ß": "ss", "ø": "o", "æ": "a", "œ": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_UMLAUTS: Final = re.compile("([aou])e")
_MARKS: Final = re.compile("[’'`´‘.]")
_WORD: Final = re.compile(r"\w+")
_SEVERAL: Final = re.compile(r"\S[\s,]+\S")


def same_cell(name: str) -> str:
    """The form in which cells compare names: without case and surplus blanks.

    >>> same_cell(" Ferrer,  Ana") == same_cell("FERRER, Ana") != same_cell("Ferrer,Ana")
    True
    """
    return " ".join(name.split()).casefold()


@lru_cache(maxsize=65536)
def same_name(name: str) -> str:
    """The form in which names are compared: without case, surplus blanks and variants of accents.

    >>> same_name(" Ferrer ,  Ana") == same_name("FERRER, Ana")
    True
    """
    if not name.isascii():
        name = unicodedata.normalize("NFKC", name)
    return _COMMA.sub(", ", _BLANKS.sub(" ", name).strip()).casefold()


@lru_cache(maxsize=65536)
def spelling(name: str) -> str:
    """The form in which names are the same in spite of accents, case, blanks and order.

    >>> spelling("Müller, Jürgen") == spelling("JURGEN  Mueller") != spelling("Müller, Jörg")
    True
    """
    plain = name.casefold()
    if not plain.isascii():
        decomposed = unicodedata.normalize("NFKD", plain.translate(_LETTERS))
        plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    plain = _UMLAUTS.sub(r"\1", _MARKS.sub("", plain))
    return " ".join(sorted(_WORD.findall(plain)))


def respelt(name: str) -> str:
    """:func:`spelling` of names of several words; one word may be a nickname: each letter counts.

    >>> respelt("Muller, Joe") == respelt("Joe Müller"), respelt("Joe") == respelt("Jo")
    (True, False)
    """
    return spelling(name) if _SEVERAL.search(name) else same_name(name)
