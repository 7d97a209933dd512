"""What single programs write, as data: a file for each, named after it.

A file may have:

=============== ==================================================================================
``name``        the program, or several that write alike
``reads``       what of it is read, in a few words, for ``docs/files.md``
``[headings]``  further headings of columns of players, in plain letters, as those in ``table.py``
``[results]``   results in lists of games, by the two round codes that they mean
``[cells]``     expressions for cells of crosstables in small letters, by the round code; the groups
                ``opponent`` and ``colour`` are its parts
``[ratings]``   ``forms``: expressions whose first group is the number; ``none``: the unrated
``[beside]``    words beside a score: ``played``, where it counts as it is written; ``forfeit``;
                ``broken``, broken off, so that only a winner's name decides
``[names]``     ``forms``: expressions for what stands for a player of a list; the groups
                are ``name``, ``number``, ``title`` and ``rating``
=============== ==================================================================================

All of them are read in every file: no two mean something else by one sign.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from elo_xl.engine.results import UNDECIDED, normal

_FOLDER: Final = Path(__file__).parent


class ProgramCell(NamedTuple):
    """A cell of a crosstable, with the number of the opponent as it is written."""

    code: str
    opponent: int | None
    colour: str = ""
    """the letter of it"""
    stones: int = 0
    """of handicap, in go"""


@cache
def programs() -> Mapping[str, Mapping[str, Any]]:
    """All programs by the names of their files."""
    return {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(_FOLDER.glob("*.toml"))
    }


def _all(part: str, key: str) -> Iterator[str]:
    for program in programs().values():
        yield from program.get(part, {}).get(key, ())


def headings() -> Iterator[tuple[str, str]]:
    """The columns of players with their further headings."""
    for program in programs().values():
        yield from program.get("headings", {}).items()


@cache
def results() -> Mapping[str, tuple[str, str]]:
    """Results that only programs write, in their normal form, with their round codes."""
    return {
        normal(text): (codes[:1], codes[1:])
        for program in programs().values()
        for codes, texts in program.get("results", {}).items()
        for text in texts
    }


def result(text: str) -> tuple[str, str] | None:
    """The round codes of a result that only programs write; None for any other text.

    >>> result("0F-0F"), result("..."), result("2-0")
    (('-', '-'), ('', ''), None)
    """
    return results().get(normal(text))


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text.casefold()))


@cache
def notes() -> Mapping[str, str]:
    """Words beside a score, by their letters, with what they mean."""
    words = {
        _letters(text): kind
        for program in programs().values()
        for kind, texts in program.get("beside", {}).items()
        for text in texts
    }
    return {_letters(word): "forfeit" for word in UNDECIDED} | words


def beside(text: str) -> str:
    """What words beside a score mean, by their letters; nothing if no program writes them.

    >>> beside("n. V."), beside("(w/o)"), beside(" ret."), beside("(4 tab 3)"), beside("(derby)")
    ('played', 'forfeit', 'broken', 'played', '')
    """
    return notes().get(_letters(text), "")


@cache
def _cells() -> list[tuple[re.Pattern[str], str]]:
    return [
        (re.compile(form), code)
        for program in programs().values()
        for code, forms in program.get("cells", {}).items()
        for form in forms
    ]


def cell(text: str) -> ProgramCell | None:
    """What a cell of a crosstable means, in small letters; None for one that no program writes.

    >>> cell("h---"), cell("12+/w3")[:], cell("w2")
    (ProgramCell(code='H', opponent=None, colour='', stones=0), ('1', 12, 'w', 3), None)
    """
    for form, code in _cells():
        if match := form.fullmatch(text):
            parts = match.groupdict()
            opponent = parts.get("opponent")
            return ProgramCell(
                code,
                int(opponent) if opponent else None,
                parts.get("colour") or "",
                int(parts.get("stones") or 0),
            )
    return None


@cache
def ratings() -> tuple[list[re.Pattern[str]], frozenset[str]]:
    """The forms of a rating, whose first group is the number, and the words for none."""
    forms = [re.compile(form, re.IGNORECASE) for form in _all("ratings", "forms")]
    return forms, frozenset(_all("ratings", "none"))


def rating(text: str) -> str:
    """The number in a rating as programs write it; nothing for the unrated, else the text.

    >>> rating("1450P12"), rating("1800 F"), rating("unr."), rating("18oo")
    ('1450', '1800', '', '18oo')
    """
    forms, none = ratings()
    if text.casefold() in none:
        return ""
    return next((match[1] for form in forms if (match := form.fullmatch(text))), text)


@cache
def _names() -> list[re.Pattern[str]]:
    return [re.compile(form, re.IGNORECASE) for form in _all("names", "forms")]


def names_in(text: str) -> list[str]:
    """The names that a cell with a number, a title or a rating beside a name may hold.

    >>> names_in("12 FM Alpha, A"), names_in("Alpha, A 12 1807"), names_in("Alpha, A")
    (['Alpha, A'], ['Alpha, A'], [])
    """
    return [match["name"] for form in _names() if (match := form.fullmatch(text))]


def parts_of(names: set[str]) -> dict[str, dict[str, str]]:
    """The number, name, title and rating in each of these cells, if all of them are so written.

    >>> parts_of({"12 FM Alpha, A", "3 Beta, B"})["12 FM Alpha, A"]
    {'number': '12', 'title': 'FM', 'name': 'Alpha, A', 'rating': ''}
    >>> parts_of({"Alpha, A 12 1807", "Beta"}) or parts_of({"Komodo 14", "Stockfish 16"})
    {}

    A name has one number and a number one name; behind a name there is a rating, too.
    """
    for form in _names():
        found = {text: match.groupdict("") for text in names if (match := form.fullmatch(text))}
        known = {(parts["number"], parts["name"]) for parts in found.values()}
        alone = all(len({pair[at] for pair in known}) == len(known) for at in (0, 1))
        rated = all(parts.get("rating", "-") for parts in found.values())
        if len(found) == len(names) > 1 and alone and rated:
            return {
                text: {**parts, "rating": parts.get("rating", "")} for text, parts in found.items()
            }
    return {}
