"""The notations in which organizers write results, for cells and files alike.

There are two. On paper and in a cell ``W`` is a win; in a tournament report file (TRF) ``W`` is a
win in a game of less than one move, which is not rated. :func:`read_result` and :func:`read_codes`
read the first notation, :data:`ROUND_CODES` lists the second.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from elo_xl.engine.errors import DomainError, RatingError

if TYPE_CHECKING:
    from collections.abc import Mapping


class ResultError(RatingError):
    """A text that is not the result of a game."""


@dataclass(frozen=True, slots=True)
class RoundCode:
    """The points and the meaning of a round code in a tournament report file."""

    points: float
    rated: bool
    meaning: str


_CODES: Final = {
    "1": RoundCode(1.0, True, "win"),
    "=": RoundCode(0.5, True, "draw"),
    "0": RoundCode(0.0, True, "loss"),
    "W": RoundCode(1.0, False, "win in less than one move"),
    "D": RoundCode(0.5, False, "draw in less than one move"),
    "L": RoundCode(0.0, False, "loss in less than one move"),
    "+": RoundCode(1.0, False, "forfeit win"),
    "-": RoundCode(0.0, False, "forfeit loss"),
    "H": RoundCode(0.5, False, "half-point bye"),
    "F": RoundCode(1.0, False, "full-point bye"),
    "U": RoundCode(1.0, False, "pairing-allocated bye"),
    "Z": RoundCode(0.0, False, "zero-point bye"),
    "": RoundCode(0.0, False, "nothing"),
}

ROUND_CODES: Final[Mapping[str, RoundCode]] = MappingProxyType(
    _CODES | {code.lower(): meaning for code, meaning in _CODES.items()}
)
"""The points of every TRF round code, and whether the game is rated; letters in either case.

>>> ROUND_CODES["="].points, ROUND_CODES["="].rated
(0.5, True)
>>> ROUND_CODES["h"].points, ROUND_CODES["h"].rated
(0.5, False)
"""

Codes = tuple[str, str]
Scores = tuple[float | None, float | None]

_WIN: Final = ("1", "0")
_DRAW: Final = ("=", "=")
_LOSS: Final = ("0", "1")
_SINGLE: Final[dict[str, Codes]] = {
    **dict.fromkeys(("w", "win", "won"), _WIN),
    **dict.fromkeys(("=", "d", "draw", "drawn", "drew"), _DRAW),
    **dict.fromkeys(("l", "loss", "lost", "lose"), _LOSS),
}
_BY_SCORE: Final[dict[float, Codes]] = {1.0: _WIN, 0.5: _DRAW, 0.0: _LOSS}

_FORFEITS: Final[dict[str, Codes]] = {
    a + separator + b: (a, b)
    for a, b in (("+", "-"), ("-", "+"), ("-", "-"))
    for separator in ("", "-", ":", "/")
}
_MARKED_FORFEITS: Final[dict[str, Codes]] = {
    f"{a}{first}{separator}{b}{second}": ("+", "-") if a == "1" else ("-", "+")
    for (a, b), separator in product((("1", "0"), ("0", "1")), "-:")
    for first, second in (("f", "f"), ("f", ""), ("", "f"), ("ff", ""), ("", "ff"))
}
_UNPLAYED: Final[dict[str, Codes]] = {
    **_FORFEITS,
    **_MARKED_FORFEITS,
    "+": ("+", "-"),
    "-": ("-", "+"),
    **dict.fromkeys(("h", "hpb", "halfbye", "half-pointbye", "halfpointbye", "=bye"), ("H", "")),
    **dict.fromkeys(("f", "fpb", "fullbye", "full-pointbye", "fullpointbye", "1bye"), ("F", "")),
    **dict.fromkeys(("u", "pab", "bye", "pairing-allocatedbye"), ("U", "")),
    **dict.fromkeys(("z", "zpb", "zero-pointbye", "zeropointbye", "0bye", "absent"), ("Z", "")),
    **dict.fromkeys(("", "*", "unplayed", "notplayed", "forfeit", "ff", "walkover"), ("", "")),
    **dict.fromkeys(("wo", "w/o", "w.o."), ("", "")),
}

_HALF: Final = re.compile(r"(?<![0-9])1/2(?![0-9])")
_HALF_BYES: Final = "0.5bye", ".5bye"
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_SIGNS: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-") | {"∶": ":", "⁄": "/"})
_EXPECTED: Final = "result must be 1, 0.5 or 0"


def read_result(value: str | float) -> Scores:
    """Read one result as organizers write it: the first and the second player's score.

    >>> read_result("1-0"), read_result("½–½"), read_result("0,5")
    ((1.0, 0.0), (0.5, 0.5), (0.5, 0.5))
    >>> read_result("L"), read_result(1)
    ((0.0, 1.0), (1.0, 0.0))

    An unplayed game, a forfeit, a bye and an empty text have no scores:

    >>> read_result("+:-"), read_result("bye"), read_result("")
    ((None, None), (None, None), (None, None))

    A single result is the first player's; the second player's is 1 minus it. Blanks, case and the
    kind of dash make no difference.

    Raises DomainError for a number other than 1, 0.5 and 0, :class:`ResultError` for any other text
    and for two results that do not add up to 1.
    """
    first, second = read_codes(value)
    a, b = _CODES[first], _CODES[second]
    return (a.points, b.points) if a.rated else (None, None)


def read_codes(value: str | float) -> Codes:
    """Read one result as :func:`read_result` does, but into the two players' TRF round codes.

    >>> read_codes("win"), read_codes("1/2"), read_codes("-/+"), read_codes("½ bye")
    (('1', '0'), ('=', '='), ('-', '+'), ('H', ''))

    A bye has no second player, so its second code is empty. Raises the errors of
    :func:`read_result`.
    """
    if isinstance(value, str):
        return _read_text(value)
    codes = _BY_SCORE.get(float(value))
    if codes is None:
        raise DomainError(f"{_EXPECTED}, got {value}")
    return codes


@lru_cache(maxsize=4096)
def _read_text(text: str) -> Codes:
    normal = "".join(unicodedata.normalize("NFKC", text).translate(_SIGNS).split()).casefold()
    normal = _HALF.sub("0.5", normal.replace(",", "."))
    if normal in _HALF_BYES:
        normal = "=bye"
    codes = _UNPLAYED.get(normal) or _SINGLE.get(normal)
    if codes is not None:
        return codes
    if _NUMBER.fullmatch(normal):
        number = float(normal)
        if number not in _BY_SCORE:
            raise DomainError(f"{_EXPECTED}, got {text!r}")
        # "+1" and "-0" may mean a forfeit: better to ask than to rate them
        if normal[0] not in "+-":
            return _BY_SCORE[number]
    for separator in ":-":
        left, found, right = normal.partition(separator)
        a, b = _single(left), _single(right)
        if found and a and b:
            if b != a[::-1]:
                raise ResultError(f"the two results of a game must add up to 1, got {text!r}")
            return a
    raise ResultError(f"{_EXPECTED}, got {text!r}")


def _single(normal: str) -> Codes | None:
    if _NUMBER.fullmatch(normal) and normal[0] not in "+-":
        return _BY_SCORE.get(float(normal))
    return _SINGLE.get(normal)


def spellings() -> dict[str, Scores]:
    """Every text that :func:`read_result` knows, in its normal form, with its two scores.

    >>> words = spellings()
    >>> words["1-0"], words["draw"], words["bye"]
    ((1.0, 0.0), (0.5, 0.5), (None, None))

    Hosts that cannot call Python look texts up in this table. The normal form has lower-case
    letters, a decimal point, plain hyphens and no blanks; a half is ``=``. Other ways to write the
    numbers 1, 0.5 and 0 are not listed.
    """
    single = {**_SINGLE, "1": _WIN, "0": _LOSS}
    pairs = {
        f"{a}-{b}": codes
        for (a, codes), (b, other) in product(single.items(), repeat=2)
        if other == codes[::-1]
    }
    return {text: read_result(text) for text in (*single, *pairs, *_UNPLAYED)}
