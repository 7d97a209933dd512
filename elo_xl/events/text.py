"""What fields of an event's file say: numbers within their bounds, births, sexes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

_NUMBER: Final = re.compile(r"[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+")
_THOUSANDS: Final = re.compile(r"(?<=[0-9])\s(?=[0-9]{3}(?![0-9]))")

_MINUS: Final = re.compile(r"^\s*[-−–]")
_SEXES: Final = {"m": "m", "male": "m", "w": "w", "f": "w", "female": "w"}

_YEAR: Final = re.compile(r"(?:1[89]|20)[0-9]{2}")


def number(text: str) -> float | None:
    """Read a number without sign, with decimal point or comma; None for anything else.

    >>> number("1 850"), number("7,5"), number("2x00")
    (1850.0, 7.5, None)
    """
    plain = _THOUSANDS.sub("", text.strip())
    return float(plain.replace(",", ".")) if _NUMBER.fullmatch(plain) else None


def whole(text: str) -> int | None:
    """Read a whole number without sign; None for anything else.

    >>> whole("12"), whole("12.0"), whole("12.5")
    (12, 12, None)
    """
    value = number(text)
    return int(value) if value is not None and value.is_integer() else None


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a number of a player may be, the same as in the cells of the books."""

    what: str
    least: int
    most: int
    whole: bool = True

    def read(self, text: str) -> float | None:
        """The number in a text; None for a blank one. Raises ValueError, which says what is read.

        >>> RATING.read("1850"), RATING.read("")
        (1850.0, None)
        >>> RATING.read("20000")
        Traceback (most recent call last):
        ...
        ValueError: rating must be a whole number from 100 to 3999: '20000'
        """
        value = number(text)
        if value is None and (below := number(_MINUS.sub("", text, count=1))) is not None:
            value = -below
        if value is None and text.strip():
            raise ValueError(f"{self.what} is not a number: {text!r}")
        return value if value is None else self.checked(value, text)

    def checked(self, value: float, text: str = "") -> float:
        """The number if it is within the bounds; ``text`` is what stands in the file."""
        if not self.least <= value <= self.most or (self.whole and not float(value).is_integer()):
            kind = "a whole number" if self.whole else "a number"
            got = repr(text) if text else f"{value:g}"
            raise ValueError(f"{self.what} must be {kind} from {self.least} to {self.most}: {got}")
        return value


RATING: Final = Bounds("rating", 100, 3999)
PEAK: Final = replace(RATING, what="peak rating")
K: Final = Bounds("K", 0, 100, whole=False)
GAMES: Final = Bounds("number of games", 0, 100_000)


def read_rating(text: str) -> float | None:
    """A rating; None for a blank and for 0, with which lists mark the unrated.

    Raises ValueError for anything else that is no whole number from 100 to 3999.
    """
    return None if number(text) == 0 else RATING.read(text)


def birth_year(text: str) -> int | None:
    """Read the year of a birth date in any form, even without month and day; None if it has none.

    >>> birth_year("2009/00/00"), birth_year("06.12.1969"), birth_year("0000/00/00")
    (2009, 1969, None)
    """
    years = [part for part in re.split(r"[./\s,-]+", text) if _YEAR.fullmatch(part)]
    return int(years[0]) if len(years) == 1 else None


def sex(text: str) -> str:
    """Read a sex as ``"m"`` or ``"w"``; empty for anything else.

    >>> sex("F"), sex("m"), sex("")
    ('w', 'm', '')
    """
    return _SEXES.get(text.lower(), "")
