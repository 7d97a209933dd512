"""Who is the same person: the keys by which names are compared, one for each strength.

=================== ================================= ============================================
key                 makes no difference               who compares by it
=================== ================================= ============================================
:func:`same_cell`   blanks at the ends, several       cells: the functions ELO_… and the books, as
                    blanks, capitals                  a spreadsheet can compare no more
:func:`same_name`   also forms of one letter, blanks  files, clubs, tables of Python, long files:
                    before a comma                    this is the same name, nothing is said
:func:`spellings`   also accents, umlauts written     files and tables of Python, after that: the
                    out, apostrophes, the order       same person in another spelling, which a note
                                                      says; two who have a key in common are told
                                                      apart by ids, or asked about
:func:`respelt`     the same, if it is several words; lists of games without a list of players
                    the case of an id such as aB3x
                    counts
=================== ================================= ============================================

Digits, ``+`` and ``#`` are never dropped, nor a minus at the end. Files and clubs find people by
these keys, and by ids, with :class:`elo_xl.events.names.People`.
What is only like a name is never matched to it, but suggested (:mod:`elo_xl.lists.names`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import product
from typing import Final

_BLANKS: Final = re.compile(r"\s+")
_COMMA: Final = re.compile(r"(?<!\s)\s*,\s*")
_LETTERS: Final = str.maketrans({"ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
_BARE: Final = str.maketrans("øæœ", "oao")
_WRITTEN_OUT: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "æ": "ae", "œ": "oe"}
)
_MARKS: Final = re.compile(r"[’'`´‘“”\"*:!?]|(?<![0-9])\.|\.(?![0-9])")
_BETWEEN: Final = re.compile(r"[\s,;/_()\[\]]+|(?<=\w)[-‐–](?=\w)|(?<!\S)[-‐–](?!\S)")
_SEVERAL: Final = re.compile(r"\S[\s,]+\S")
_MOST: Final = 5
"""Words that one name may have in two forms."""


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
def spellings(name: str) -> tuple[str, ...]:
    """The forms of a name without accents, case, blanks and order, the first of them without any
    sign: a letter such as ü is u or ue. Two names are the same if they have one in common.

    >>> spellings("Jürgen  MÜLLER")
    ('jurgen muller', 'jurgen mueller', 'juergen muller', 'juergen mueller')
    >>> spellings("Mueller, Juergen"), spellings("Stockfish 1.6"), spellings("Zhang Yue")
    (('juergen mueller',), ('1.6 stockfish',), ('yue zhang',))
    """
    words = [word for word in _BETWEEN.split(_MARKS.sub("", name.casefold())) if word]
    if name.isascii() or not words:
        return (" ".join(sorted(words)) or same_name(name),)
    forms = [(_unaccented(word.translate(_BARE)), _unaccented(word.translate(_WRITTEN_OUT)))
             for word in (unicodedata.normalize("NFC", word) for word in words)]  # fmt: skip
    chosen = [dict.fromkeys(pair if n < _MOST else pair[:1]) for n, pair in enumerate(forms)]
    return tuple(dict.fromkeys(" ".join(sorted(form)) for form in product(*chosen)))


def _unaccented(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.translate(_LETTERS))
    # only accents: in other scripts a mark makes another letter
    bare = "".join(letter for letter in decomposed if not "\u0300" <= letter <= "\u036f")
    return unicodedata.normalize("NFC", bare)


def respelt(name: str) -> tuple[str, ...]:
    """:func:`spellings` of names of several words; of one word, which may be a nickname, each
    letter counts, and of an id also its case.

    >>> set(respelt("Muller, Joe")) < set(respelt("Joe Müller")), respelt("Joe") == respelt("Jo")
    (True, False)
    >>> respelt("aB3x"), respelt("KnightRider")
    (('aB3x',), ('knightrider',))
    """
    if _SEVERAL.search(name):
        return spellings(name)
    return (name,) if any(map(str.isdigit, name)) else (same_name(name),)


def seated(name: str) -> tuple[str, bool]:
    """The name of a player in an order of finish, and whether they share the place before.

    >>> seated("=Bo"), seated("Bo ="), seated("Ana")
    (('Bo', True), ('Bo', True), ('Ana', False))
    """
    shared = name[:1] == "=" or name[-1:] == "="
    return (name.strip("= ") if shared else name), shared
