"""The common part of all files of an event: reading text, numbers and dates."""

from __future__ import annotations

import os
import re
import unicodedata
from datetime import date
from pathlib import Path
from typing import Final

Source = str | os.PathLike[str] | bytes
"""a path, or the content of a file as bytes"""

_NUMBER: Final = re.compile(r"[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+")
_THOUSANDS: Final = re.compile(r"(?<=[0-9])\s(?=[0-9]{3}(?![0-9]))")
# No spreadsheet and no XML can hold these; a NUL or the Ctrl-Z at the end of a DOS file is no text.
_UNUSABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_BLANKS: Final = re.compile(r"\s+")
_COMMA: Final = re.compile(r"\s*,\s*")

_OLD_TITLES: Final = {
    "g": "GM",
    "m": "IM",
    "f": "FM",
    "c": "CM",
    "wg": "WGM",
    "wm": "WIM",
    "wf": "WFM",
    "wc": "WCM",
}
_TITLES: Final = frozenset(_OLD_TITLES.values())
_SEXES: Final = {"m": "m", "male": "m", "w": "w", "f": "w", "female": "w"}

_MONTHS: Final = "janfebmaraprmayjunjulaugsepoctnovdec"
FIRST_YEAR: Final = 1900

_THREE_NUMBERS: Final = re.compile(r"([0-9]{1,4})([./-])([0-9]{1,2})\2([0-9]{1,4})")
_MONTH_DAY: Final = re.compile(r"([A-Za-z]{3,9})\.?\s+([0-9]{1,2})(?:st|nd|rd|th)?,?\s+([0-9]{4})")
_DAY_MONTH: Final = re.compile(
    r"([0-9]{1,2})(?:st|nd|rd|th|\.)?\s+([A-Za-z]{3,9})\.?,?\s+([0-9]{4})"
)
_YEAR: Final = re.compile(r"(?:1[89]|20)[0-9]{2}")


def content(source: Source) -> bytes:
    """The bytes of a file, or the bytes given; OSError if the path cannot be read."""
    return source if isinstance(source, bytes) else Path(source).read_bytes()


def file_name(source: Source) -> str:
    """The last part of a path, as problems quote it; empty for bytes.

    >>> file_name("events/rivertown.trf")
    'rivertown.trf'
    """
    return "" if isinstance(source, bytes) else Path(source).name


def decode(data: bytes) -> str:
    """Decode a file: UTF-8 or UTF-16 with a byte order mark, UTF-8, otherwise Windows' Latin-1.

    >>> decode("Müller".encode()), decode("Müller".encode("latin-1"))
    ('Müller', 'Müller')

    Control characters become blanks, so that columns keep their places.
    """
    return _UNUSABLE.sub(" ", _decode(data))


def _decode(data: bytes) -> str:
    encodings = ["utf-8-sig", "cp1252"]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings.insert(0, "utf-16")
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def lines(text: str) -> list[str]:
    r"""Split a text into lines that end in CR, LF or both, even mixed.

    >>> lines("one\rtwo\r\nthree\n")
    ['one', 'two', 'three', '']
    """
    return _LINE_END.split(text)


def same_name(name: str) -> str:
    """The form in which names are compared: without case, surplus blanks and variants of accents.

    >>> same_name(" Ferrer ,  Ana") == same_name("FERRER, Ana")
    True
    """
    plain = _BLANKS.sub(" ", unicodedata.normalize("NFKC", name)).strip()
    return _COMMA.sub(", ", plain).casefold()


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


def read_date(text: str) -> date | None:
    """Read a date in one of the forms that event files use; None for anything else.

    >>> read_date("2026/03/07") == read_date("07.03.2026") == read_date("26/03/07")
    True
    >>> read_date("May 29, 2020")
    datetime.date(2020, 5, 29)

    Three numbers, separated by slashes, points or hyphens, are tried as year, month, day, then as
    day, month, year, then as month, day, year. Years of two digits are 1970 to 2069. There is no
    date before 1900: no spreadsheet has one, and a year such as 0001 stands for none.
    """
    text = text.strip()
    if match := _THREE_NUMBERS.fullmatch(text):
        a, b, c = match.group(1), match.group(3), match.group(4)
        return _date(a, b, c) or _date(c, b, a) or _date(c, a, b)
    if match := _MONTH_DAY.fullmatch(text):
        return _date(match.group(3), _month(match.group(1)), match.group(2))
    if match := _DAY_MONTH.fullmatch(text):
        return _date(match.group(3), _month(match.group(2)), match.group(1))
    return None


def _month(name: str) -> str:
    where, off = divmod(_MONTHS.find(name[:3].lower()), 3)
    return "" if off else str(where + 1)


def _date(year: str, month: str, day: str) -> date | None:
    if len(year) not in (2, 4) or len(month) not in (1, 2) or len(day) not in (1, 2):
        return None
    y = int(year)
    if len(year) == 2:
        y += 2000 if y < 70 else 1900
    if y < FIRST_YEAR:
        return None
    try:
        return date(y, int(month), int(day))
    except ValueError:
        return None


def birth_year(text: str) -> int | None:
    """Read the year of a birth date in any form, even without month and day; None if it has none.

    >>> birth_year("2009/00/00"), birth_year("06.12.1969"), birth_year("0000/00/00")
    (2009, 1969, None)
    """
    years = [part for part in re.split(r"[./\s,-]+", text) if _YEAR.fullmatch(part)]
    return int(years[0]) if len(years) == 1 else None


def title(text: str) -> str:
    """Write a title as FIDE does today; any other text is returned as it is.

    >>> title("wm"), title("gm"), title("NM")
    ('WIM', 'GM', 'NM')
    """
    known = _OLD_TITLES.get(text.lower(), text.upper())
    return known if known in _TITLES else text


def sex(text: str) -> str:
    """Read a sex as ``"m"`` or ``"w"``; empty for anything else.

    >>> sex("F"), sex("m"), sex("")
    ('w', 'm', '')
    """
    return _SEXES.get(text.lower(), "")
