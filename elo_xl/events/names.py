"""Names of players, by which files mean the same person in different spellings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from elo_xl.events.event import EventError, Player, Problem
from elo_xl.lists.names import fits, plain, sounds
from elo_xl.people import same_name, spelling

_LIKE: Final = 78
"""From this share of equal letters on a name is suggested."""
_AKIN: Final = 55
_NAMED: Final = 3


class Names:
    """The names, ids and starting numbers of players, to find them by what a file calls them."""

    def __init__(self, players: Iterable[tuple[int, str, str]]) -> None:
        self._exact: dict[str, set[int]] = {}
        self._named: dict[str, set[int]] = {}
        self._alike: dict[str, set[int]] = {}
        self._names: dict[int, str] = {}
        self._sounds: dict[str, set[int]] = {}
        for number, name, id in players:
            for key in (name, id, str(number)):
                if key:
                    self._exact.setdefault(same_name(key), set()).add(number)
            if name:
                self._named.setdefault(same_name(name), set()).add(number)
                self._alike.setdefault(spelling(name), set()).add(number)
                self._names[number] = name

    def __contains__(self, text: str) -> bool:
        return same_name(text) in self._exact

    def name(self, number: int) -> str:
        return self._names.get(number, f"player {number}")

    def find(self, text: str) -> tuple[set[int], bool]:
        """Who may be meant, and whether the spelling is another one.

        >>> names = Names([(1, "Müller, Jürgen", ""), (2, "Ferrer, Ana", "99000001")])
        >>> names.find("99000001"), names.find("Jurgen Muller"), names.find("Ferrer, Anna")
        (({2}, False), ({1}, True), (set(), False))
        """
        if found := self._exact.get(same_name(text)):
            return found, False
        return self.find_name(text)

    def find_name(self, text: str) -> tuple[set[int], bool]:
        """The same by names alone."""
        if found := self._named.get(same_name(text)):
            return found, False
        found = self._alike.get(spelling(text), set()) if text else set()
        return found, bool(found)

    def suggested(self, text: str) -> str:
        """The names that are most like a text, as a question; empty if there is none.

        >>> Names([(2, "Ferrer, Ana", "")]).suggested("Anna Ferrer")
        ": did you mean 'Ferrer, Ana'?"

        Names in another script and with initials are like it, too.
        """
        from rapidfuzz import fuzz, process

        if not any(letter.isalpha() for letter in text):
            return ""
        wanted = spelling(text)
        found = process.extract(
            wanted, self._alike.keys(), scorer=fuzz.ratio, score_cutoff=_LIKE, limit=_NAMED
        )
        likely = sorted({number for key, _, _ in found for number in self._alike[key]})
        likely += [number for number in self._fitting(text) if number not in likely]
        texts = [repr(name) for name in dict.fromkeys(self._names[number] for number in likely)]
        return f": did you mean {' or '.join(texts[:_NAMED])}?" if texts else ""

    def _fitting(self, text: str) -> list[int]:
        """The players who can be meant in another script or with initials."""
        if not self._sounds:
            for number, name in self._names.items():
                for key in sounds(name):
                    self._sounds.setdefault(key, set()).add(number)
        near = {number for key in sounds(text) for number in self._sounds.get(key, ())}
        return sorted(number for number in near if fits(text, self._names[number]))


def akin(one: str, other: str) -> bool:
    """Whether two names with one id may be one person's: a word sounds alike, or most letters are.

    >>> akin("Ana", "Annabel"), akin("Ferrer, A.", "Ferrer, Ana"), akin("Ferrer, Ana", "Oduya, Ben")
    (True, True, False)
    """
    from rapidfuzz import fuzz

    return bool(sounds(one) & sounds(other)) or fuzz.ratio(plain(one), plain(other)) >= _AKIN


def look_alikes(names: Iterable[str]) -> list[tuple[str, str]]:
    """The pairs of different names that only a letter or two tell apart.

    >>> look_alikes(["Ferrer, Ana", "Ferrer, Anna", "Oduya, Ben"])
    [('Ferrer, Ana', 'Ferrer, Anna')]
    """
    from rapidfuzz import fuzz, process

    own = list(dict.fromkeys(names))
    if not 1 < len(own) <= MOST_COMPARED:
        return []
    keys = [spelling(name) for name in own]
    near = process.cdist(keys, keys, scorer=fuzz.ratio, score_cutoff=_SAME, dtype="uint8")
    found = [
        (own[i], own[j])
        for i, j in zip(*near.nonzero(), strict=True)
        if i < j and len(keys[i]) > _SHORT
    ]
    return found[:_MOST_PAIRS]


MOST_COMPARED: Final = 2000
"""With more names than this, each is not compared with all others."""
_SAME: Final = 90
_SHORT: Final = 8
_MOST_PAIRS: Final = 5


def find_player(players: Sequence[Player], who: str, where: str = "in the event") -> Player:
    """The player whom a number, an ID, a name or a part of one means.

    Raises EventError if that is nobody, or may be several.
    """
    names = Names((p.number, p.name, p.id) for p in players)
    found, _ = names.find(who)
    if not found and (words := set(spelling(who).split())):
        found = {p.number for p in players if words <= set(spelling(p.name).split())}
    if len(found) == 1:
        return next(p for p in players if p.number in found)
    if found:
        several = "; ".join(f"{names.name(n)} (No {n})" for n in sorted(found))
        raise EventError([Problem(f"{who!r} may be any of these: {several}")])
    raise EventError([Problem(f"no player {who!r} {where}{names.suggested(who)}")])
