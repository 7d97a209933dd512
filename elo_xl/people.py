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

What is only like a name is never taken for it, but suggested (:mod:`elo_xl.lists.names`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

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


class Identity(NamedTuple):
    """Who somebody is whom a file names."""

    number: int
    """from 1 up, in the order in which they came"""
    new: bool
    taken_for: str = ""
    """their name until now, where it is spelled in another way"""
    id: str = ""
    """by which they were known, where the name would not do"""


class People:
    """Who is who among the names and ids of a list of games, as they come.

    >>> people = People()
    >>> met = ("Ana", "7"), ("Anna", "7"), ("Ana", "8"), ("Bo", "")
    >>> [people.meet(name, id).number for name, id in met]
    [1, 1, 2, 3]

    One id is one person, in whatever spelling; one name with two ids is two persons. A name without
    an id is the person of that name, and several may be: :attr:`unclear` tells.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.ids: list[str] = []
        self._by_id: dict[str, int] = {}
        self._alike: dict[str, list[int]] = {}
        self._bare: dict[int, str] = {}

    def meet(self, name: str, id: str) -> Identity:
        """The person of a name and an id, either of which may be blank."""
        if id and (number := self._by_id.get(id)):
            known = self.names[number - 1]
            other = name and respelt(name) != respelt(known)
            return Identity(number, False, known if other else "", id if other else "")
        alike = self._alike.setdefault(respelt(name), [])
        exact = [n for n in alike if same_name(self.names[n - 1]) == same_name(name)]
        for number in (*exact, *(n for n in alike if n not in exact)):
            if id and self.ids[number - 1]:
                continue  # another person of the same name
            if id:
                self.ids[number - 1] = id
                self._by_id[id] = number
            else:
                self._bare.setdefault(number, name)
            return Identity(number, False, "" if number in exact else self.names[number - 1])
        self.names.append(name)
        self.ids.append(id)
        number = len(self.names)
        alike.append(number)
        if id:
            self._by_id[id] = number
        else:
            self._bare[number] = name
        return Identity(number, True)

    @property
    def unclear(self) -> Iterator[tuple[int, str, list[str]]]:
        """Who was named without an id where several have the name: number, name, all their ids."""
        for alike in self._alike.values():
            for number in alike if len(alike) > 1 else ():
                if number in self._bare:
                    yield number, self._bare[number], [self.ids[n - 1] for n in alike]
