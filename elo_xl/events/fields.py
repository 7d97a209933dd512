"""What fields of an event's file say: dates, numbers within their bounds, births, sexes.

Three numbers of a date stand in one of three orders: year, month, day; day, month, year; or month,
day, year. All dates of a file that look alike stand in the same one (:class:`Dates`). A date by
itself is read by its separator: with points day, month, year; with slashes or hyphens year, month,
day, otherwise day, month, year, otherwise month, day, year.

A year of two digits is the one after 1969 that is at most a year ahead: in 2026, 27 is 2027, 28 is
no year, and 70 is 1970. Dates before 1800 are none (a year such as 0001 stands for none), and
neither are those more than a year ahead.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final, Literal

from elo_xl.engine.usual import RATINGS

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
    """What a number of a player may be."""

    what: str
    least: float
    most: float
    whole: bool = True
    unrated: bool = False
    """whether 0 or a dash means that there is none, as lists of ratings have it"""

    def read(self, text: str) -> float | None:
        """The number in a text; None for one that says none. Raises ValueError, which says what
        is read.

        >>> RATING.read("1850"), RATING.read("")
        (1850.0, None)
        >>> RATING.read("20000")
        Traceback (most recent call last):
        ...
        ValueError: rating must be a whole number from 1 to 4000: '20000'
        """
        if self.says_none(text):
            return None
        value = number(text)
        if value is None and (below := number(_MINUS.sub("", text, count=1))) is not None:
            value = -below
        if value is None:
            raise ValueError(f"{self.what} is not a number: {text!r}")
        return self.checked(value, text)

    def says_none(self, text: str) -> bool:
        """Whether a text is blank, or says that a player has no rating."""
        return not text.strip() or (
            self.unrated and (text.strip() in ("-", "–") or number(text) == 0)
        )

    def checked(self, value: float, text: str = "") -> float:
        """The number if it is within the bounds; ``text`` is what stands in the file."""
        if not self.least <= value <= self.most or (self.whole and not float(value).is_integer()):
            kind = "a whole number" if self.whole else "a number"
            got = repr(text) if text else f"{value:g}"
            raise ValueError(
                f"{self.what} must be {kind} from {self.least:g} to {self.most:g}: {got}"
            )
        return value


RATING: Final = Bounds("rating", *RATINGS, unrated=True)
PEAK: Final = replace(RATING, what="peak rating")
K: Final = Bounds("K", 0, 100, whole=False)
GAMES: Final = Bounds("number of games", 0, 100_000)
EVALUATED: Final = replace(GAMES, what="number of events evaluated")
TIMES: Final = Bounds("how often", 0, 1_000_000_000)


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


# -- dates ---------------------------------------------------------------------------------------

Order = Literal["ymd", "dmy", "mdy"]

FIRST_YEAR: Final = 1800
NOT_A_DATE: Final = "is not understood"

_WITH_POINTS: Final[tuple[Order, ...]] = ("dmy", "ymd")
_OTHERS: Final[tuple[Order, ...]] = ("ymd", "dmy", "mdy")
_WORD: Final = r"[^\W\d_]+"
_NUMBERS: Final = re.compile(r"([0-9]{1,4})\s*([./-])\s*([0-9]{1,2})\s*\2\s*([0-9]{1,4})")
_COMPACT: Final = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_SERIAL: Final = re.compile(r"([2-5][0-9]{4})(?:[.,][0-9]+)?")
"""days since the end of 1899, as a spreadsheet shows dates in cells without the format of dates"""
_MONTH_DAY: Final = re.compile(rf"({_WORD})\.?\s+([0-9]{{1,2}})(?:st|nd|rd|th)?,?\s+([0-9]{{4}})")
_DAY_MONTH: Final = re.compile(
    rf"([0-9]{{1,2}})(?:st|nd|rd|th|er|\.|º)?[\s-]+(?:de\s+)?({_WORD})\.?,?[\s-]+(?:del?\s+)?"
    r"([0-9]{4}|[0-9]{2}$)"
)
_BESIDE: Final = re.compile(rf"(?:{_WORD}\.?,?\s+)?([0-9].*?[0-9])\.?(?:,?\s+{_WORD}\.?)?")
"""a date in numbers, perhaps with a day of the week, a point at its end or "г." """
_WEEKDAY: Final = re.compile(rf"^{_WORD}(?:-{_WORD})?\.?,?\s+")
_TIME: Final = re.compile(r"(?<=[0-9])(?:T|\s+)[0-9]{1,2}:[0-9]{2}.*")
_RANGE: Final = re.compile(r"(.*[0-9]\.?)\s*[–—]\s*([0-9].*)|(.*[0-9]\.?)\s+-\s+([0-9].*)")

_MONTHS: Final = (
    ("jan", "ene", "янв"),
    ("feb", "fev", "фев"),
    ("mar", "mrz", "marz", "мар"),
    ("apr", "abr", "avr", "апр"),
    ("may", "mai", "май", "мая", "маи"),
    ("jun", "juin", "июн"),
    ("jul", "juil", "июл"),
    ("aug", "ago", "aou", "авг"),
    ("sep", "set", "сен"),
    ("oct", "okt", "out", "окт"),
    ("nov", "ноя"),
    ("dec", "dez", "dic", "дек"),
)
"""how the names of the months begin in English, German, Spanish, French, Portuguese and Russian"""


class MixedDatesError(ValueError):
    """Dates of one form stand in different orders."""


class Dates:
    """The dates of a file: those with the same separator and length stand in one order.

    >>> american = Dates(["03/07/2026", "07/13/2026", "2026-08-01"])
    >>> str(american.read("03/07/2026"))
    '2026-03-07'

    Texts that are no dates do not matter. ``usual`` comes first where slashes or hyphens and years
    of two digits leave several orders, as in 07/03/26: year, month, day in report files. Raises
    MixedDatesError if no order fits all of one form.
    """

    def __init__(self, texts: Iterable[str] = (), usual: Order = "ymd") -> None:
        self._usual = usual
        self._orders: dict[str, tuple[list[Order], str]] = {}
        for text in texts:
            form, readings = _readings(text, self._usual)
            if not readings:
                continue
            known, example = self._orders.setdefault(form, (list(readings), text))
            left = [order for order in known if order in readings]
            if not left:
                raise MixedDatesError(f"{example} and {text} stand in different orders")
            if len(left) < len(known):
                self._orders[form] = (left, text)

    def read(self, text: str, *, last: bool = False) -> date | None:
        """The date that a text stands for, or None; of a span the first or the last day."""
        day = next(iter(self._days(text, last).values()), None)
        return day if day is not None and day <= _latest() else None

    def otherwise(self, text: str) -> date | None:
        """What a date is in another order that no date of its form rules out; None without one.

        >>> str(Dates(["02/03/2024"], "dmy").otherwise("02/03/2024"))
        '2024-02-03'
        """
        days = list(self._days(text).values())
        return next((day for day in days if day != days[0] and day <= _latest()), None)

    def unsure(self, text: str) -> bool:
        """Whether a date might as well be that of another order, such as 03/07/2026."""
        days = self._days(text)
        return len({*days.values()}) > 1 and next(iter(days)) != self._usual

    def _days(self, text: str, last: bool = False) -> dict[Order, date]:
        """What a date is in each order that no date of its form rules out, the likeliest first."""
        form, readings = _readings(text, self._usual, last)
        orders, _ = self._orders.get(form, (list(readings), text))
        return {order: readings[order] for order in orders if order in readings}


def read_date(text: str) -> date | None:
    """Read a date by itself; None for anything else.

    >>> read_date("2026/03/07") == read_date("7. 3. 2026") == read_date("46088")
    True
    >>> read_date("28.07.15"), read_date("Fri, May 29, 2020"), read_date("sáb. 12 de julio de 2025")
    (datetime.date(2015, 7, 28), datetime.date(2020, 5, 29), datetime.date(2025, 7, 12))
    """
    return Dates().read(text)


def why_none(text: str) -> str:
    """Why a text is no date: it is far off, or not understood.

    >>> why_none("soon")
    'is not understood'
    """
    if _readings(text, "ymd")[1]:
        return f"is far off: dates from {FIRST_YEAR} to a year from today are read"
    return NOT_A_DATE


def _readings(text: str, usual: Order, last: bool = False) -> tuple[str, dict[Order, date]]:
    """The form of a date, and what it means in each order, the likeliest first."""
    text = _TIME.sub("", unicodedata.normalize("NFKC", text).strip())
    if span := _RANGE.fullmatch(text):
        ends = [end for end in span.groups() if end is not None]
        text = ends[-1 if last else 0].strip()
    inner = _BESIDE.fullmatch(text)
    numbers = inner.group(1) if inner else text
    if match := _NUMBERS.fullmatch(numbers):
        a, separator, b, c = match.groups()
        parts = {"ymd": (a, b, c), "dmy": (c, b, a), "mdy": (c, a, b)}
        # nobody writes the month first and then a point
        orders = _WITH_POINTS if separator == "." else dict.fromkeys((usual, *_OTHERS))
        return f"{len(a) > 2}{separator}{len(c) > 2}", {
            order: day for order in orders if (day := _date(*parts[order])) is not None
        }
    day = None
    if match := _COMPACT.fullmatch(numbers):
        day = _date(*match.groups())
    elif match := _SERIAL.fullmatch(text):
        day = date(1899, 12, 30) + timedelta(int(match.group(1)))
    for words in (text, _WEEKDAY.sub("", text, count=1)):
        if day is None and (match := _MONTH_DAY.fullmatch(words)):
            day = _date(match.group(3), month(match.group(1)), match.group(2))
        elif day is None and (match := _DAY_MONTH.match(words)):
            day = _date(match.group(3), month(match.group(2)), match.group(1))
    return "", {} if day is None else {"ymd": day}


def month(name: str) -> str:
    """The number of a month by its name, or nothing.

    >>> month("Sept"), month("декабря"), month("matches")
    ('9', '12', '')
    """
    decomposed = unicodedata.normalize("NFD", name.casefold())
    plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    months = [
        (len(beginning), number)
        for number, beginnings in enumerate(_MONTHS, start=1)
        for beginning in beginnings
        if plain.startswith(beginning)
    ]
    return str(max(months)[1]) if months else ""


def _date(year: str, month: str, day: str) -> date | None:
    if len(year) not in (2, 4) or len(month) not in (1, 2) or len(day) not in (1, 2):
        return None
    y = int(year)
    if len(year) == 2:
        y += 2000 if 2000 + y <= _latest().year else 1900
        if y < 1970:
            return None
    if y < FIRST_YEAR:
        return None
    try:
        return date(y, int(month), int(day))
    except ValueError:
        return None


def _latest() -> date:
    return date.today() + timedelta(days=366)
