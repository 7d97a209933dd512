"""Words of messages, which are English: numbers of things, and what may have been meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_FEW: Final = 5


def plural(count: int, what: str) -> str:
    """A number of things.

    >>> plural(1, "game"), plural(2000, "game")
    ('1 game', '2,000 games')
    """
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


_QUOTED: Final = re.compile(r"""(?<=')[^'\n]{300,}(?=')|(?<=")[^"\n]{300,}(?=")""")


def brief(message: str) -> str:
    """A message in which quoted texts are no longer than somebody reads.

    >>> brief(f"no number: {'0' * 500!r} @ Players!C7") == f"no number: '{'0' * 80}…' @ Players!C7"
    True
    """
    return _QUOTED.sub(lambda text: f"{text[0][:80]}…", message)


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
    """A question at the end of a message: which known word may an unknown one have meant?

    >>> meant("swis", ["ladder", "swiss"])
    '; did you mean swiss?'

    All that begin with it are named if they are few, otherwise at most ``most`` of the known words
    (:func:`nearest`); empty if none is like it.
    """
    words = tuple(known)
    begun = [name for name in words if name.casefold().startswith(word.casefold())]
    few = word and word not in words and len(begun) <= _FEW
    near = (begun if few else []) or nearest(word, words, most)
    return f"; did you mean {' or '.join(near)}?" if near else ""
