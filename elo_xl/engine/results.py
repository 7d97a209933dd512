"""The notations in which organizers write results, for cells and files alike.

There are two. On paper and in a cell ``W`` is a win; in a tournament report file (TRF) ``W`` is a
win in a game of less than one move, which is not rated. :data:`SPELLINGS` is the first notation,
with the words of all languages; :data:`ROUND_CODES` lists the second.

Whatever reads a typed result, be it a function, a formula, a book or a file, makes two steps:
:data:`ALIKE` says which characters mean the same, and what is left then is looked up in
:data:`SPELLINGS`. So a result means the same everywhere, or nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from elo_xl.engine.errors import DomainError, RatingError
from elo_xl.languages.typed_words import TYPED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


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
_NOTHING: Final = ("", "")
_BY_SCORE: Final[dict[float, Codes]] = {1.0: _WIN, 0.5: _DRAW, 0.0: _LOSS}

ALIKE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": " \u00a0\u2009\u202f",
        "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212:\u2236",
        "/": "\u2044",
        ".": ",",
        "=": "½",
    }
)
"""Characters that make no difference, by the one that stands for them: blanks, dashes and colons,
fractions. Nor do capitals and control characters."""

_TO_NORMAL: Final = dict.fromkeys(range(32), "") | {
    ord(character): one for one, characters in ALIKE.items() for character in characters
}


def normal(text: str) -> str:
    """The form in which a result is looked up in :data:`SPELLINGS`.

    >>> normal("1 – 0"), normal("0,5 : 0,5"), normal("Win")
    ('1-0', '0.5-0.5', 'win')
    """
    return text.translate(_TO_NORMAL).lower()


_ONES: Final = "1", "1.0", "1.00"
_HALVES: Final = "=", "1/2", "0.5", ".5", "0.50"
_ZEROS: Final = "0", "0.0", "0.00"

UNRATED: Final = {"(1)": ("W", "L"), "(½)": ("D", "D"), "(0)": ("L", "W")}
"""Games of less than one move, which a tournament report file tells from others: points, but no
rating."""

PENALTIES: Final = {"0-0": ("0", "0"), "½-0": ("=", "0"), "0-½": ("0", "=")}
"""Games whose result the arbiter lowered for one player or both (Laws of Chess, 12.9)."""


def _words(text: str) -> list[str]:
    return [normal(word) for word in text.split(", ")] if text else []


def _spellings() -> Iterator[tuple[Iterable[str], Codes]]:
    """All that may be typed, with what it means; what is typed most comes first."""
    yield _ONES, _WIN
    yield _HALVES, _DRAW
    yield _ZEROS, _LOSS
    yield ("+", "+-", "+--", "+/-"), ("+", "-")
    yield ("-", "-+", "--+", "-/+"), ("-", "+")
    yield ("--", "---", "-/-"), ("-", "-")
    yield [f"{a}-{b}" for a, b in product(_ONES, _ZEROS)], _WIN
    yield [f"{a}-{b}" for a, b in product(_HALVES, _HALVES)], _DRAW
    yield [f"{a}-{b}" for a, b in product(_ZEROS, _ONES)], _LOSS
    for first, second in (("f", "f"), ("f", ""), ("", "f"), ("ff", ""), ("", "ff")):
        yield [f"1{first}-0{second}"], ("+", "-")
        yield [f"0{first}-1{second}"], ("-", "+")
    for language in TYPED.values():
        win, draw, loss = map(_words, (language.win, language.draw, language.loss))
        yield [*win, *(f"{a}-{b}" for a, b in zip(win, loss, strict=False))], _WIN
        yield [*draw, *(f"{word}-{word}" for word in draw)], _DRAW
        yield [*loss, *(f"{a}-{b}" for a, b in zip(loss, win, strict=False))], _LOSS
        bye, *byes = _words(language.bye)
        yield (bye, *byes), ("U", "")
        yield [half + bye for half in _HALVES], ("H", "")
        yield ["1" + bye], ("F", "")
        yield ["0" + bye, *_words(language.absent)], ("Z", "")
        yield _words(f"{language.unplayed}, {language.forfeit}"), _NOTHING
    yield _words("H, HPB, half bye, half-point bye, half point bye"), ("H", "")
    yield _words("F, FPB, full bye, full-point bye, full point bye"), ("F", "")
    yield _words("zero point bye"), ("Z", "")
    for half in _HALVES:
        yield [f"({half})"], UNRATED["(½)"]
        yield [f"{half}-0"], PENALTIES["½-0"]
        yield [f"0-{half}"], PENALTIES["0-½"]
    yield ["(1)"], UNRATED["(1)"]
    yield ["(0)"], UNRATED["(0)"]
    yield ["0-0"], PENALTIES["0-0"]


SPELLINGS: Final[Mapping[str, Codes]] = MappingProxyType(
    {"": _NOTHING} | {text: codes for texts, codes in _spellings() for text in texts}
)
"""Every text that is a result, in its :func:`normal` form, with the two players' TRF round codes.

>>> SPELLINGS["1-0"], SPELLINGS["tablas"], SPELLINGS["spielfrei"], SPELLINGS[normal("½-0")]
(('1', '0'), ('=', '='), ('U', ''), ('=', '0'))
"""

UNDECIDED: Final = frozenset(word for one in TYPED.values() for word in _words(one.forfeit))
"""The words for a forfeit that do not say whose it is; who has to tell the points asks."""


def read_result(value: str | float) -> Scores:
    """Read one result as organizers write it: the first and the second player's score.

    >>> read_result("1-0"), read_result("½–½"), read_result("0,5")
    ((1.0, 0.0), (0.5, 0.5), (0.5, 0.5))
    >>> read_result("L"), read_result("ничья"), read_result(1)
    ((0.0, 1.0), (0.5, 0.5), (1.0, 0.0))

    An unplayed game, a forfeit, a bye and an empty text have no scores:

    >>> read_result("+:-"), read_result("bye"), read_result("")
    ((None, None), (None, None), (None, None))

    A single result is the first player's; the second player's is 1 minus it. Blanks, case and the
    kind of dash make no difference.

    Raises DomainError for a number other than 1, 0.5 and 0, :class:`ResultError` for any other text
    and for two results that do not add up to 1.
    """
    first, second = codes = read_codes(value)
    if codes in PENALTIES.values():
        raise _uneven(value)
    a, b = _CODES[first], _CODES[second]
    return (a.points, b.points) if a.rated else (None, None)


def read_codes(value: str | float) -> Codes:
    """Read one result as :func:`read_result` does, but into the two players' TRF round codes.

    >>> read_codes("win"), read_codes("1/2"), read_codes("-/+"), read_codes("½ bye")
    (('1', '0'), ('=', '='), ('-', '+'), ('H', ''))

    A bye has no second player, so its second code is empty. What the arbiter lowered is read, too:

    >>> read_codes("½-0")
    ('=', '0')

    Raises the errors of :func:`read_result`.
    """
    if not isinstance(value, str):
        codes = _BY_SCORE.get(float(value))
        if codes is None:
            raise DomainError(_expected(value))
        return codes
    text = normal(value)
    if text not in SPELLINGS:
        both = [SPELLINGS.get(one, _NOTHING) for one in text.split("-")]
        if len(both) == 2 and set(both) <= {_WIN, _DRAW, _LOSS} and both[0] != both[1][::-1]:
            raise _uneven(value)
        several = "; several games are entered one by one"
        raise ResultError(_expected(repr(value)) + several * bool(_SEVERAL.fullmatch(text)))
    return SPELLINGS[text]


def _expected(value: object) -> str:
    return f"result must be 1, 0.5 or 0, got {value!s}"


_SEVERAL: Final = re.compile("(?<![0-9])[0-9]+(?:[.]5|=)?-[0-9]+(?:[.]5|=)?")
"""the score of a match, such as 2-0 or 2½-1½"""


def _uneven(value: object) -> ResultError:
    return ResultError(f"the two results of a game must add up to 1, got {value!r}")
