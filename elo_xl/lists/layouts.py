"""What federations publish: FIDE's lists in fixed columns or XML, national lists as CSV.

A file may be zipped. The columns of a list in fixed width are where its first line names them, so
every layout that FIDE has had is read, and the next one will be. A line that cannot be read is
reported and counted, and the others are kept.
"""

from __future__ import annotations

import csv
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, NamedTuple

from elo_xl.engine.errors import EloError
from elo_xl.engine.usual import RATINGS
from elo_xl.lists.names import title

MOST_BYTES: Final = 8 << 30
"""The largest size of a list when it is unpacked."""
MOST_ALWAYS, MOST_RATIO = 1 << 24, 100
"""Above this size, a list that is packed tighter than this is a bomb."""
PDF: Final = b"%PDF"
"""the first signs of such a file"""
NO_PDF: Final = "it is a PDF, which cannot be read: give the same as CSV"
SHOWN: Final = 20
"""The number of faulty lines that are kept to be shown."""


class ListError(EloError, ValueError):
    """A rating list cannot be read, found or written; the message says what and where."""


class Entry(NamedTuple):
    """A line of a list; what the list does not say is None, or an empty text."""

    id: str
    name: str
    federation: str = ""
    title: str = ""
    sex: str = ""
    birth: int | None = None
    rating: int | None = None
    """None, like the next two: unrated"""
    games: int | None = None
    k: int | None = None
    rapid: int | None = None
    rapid_games: int | None = None
    rapid_k: int | None = None
    blitz: int | None = None
    blitz_games: int | None = None
    blitz_k: int | None = None
    flag: str = ""


KINDS: Final = {"standard": "", "rapid": "rapid_", "blitz": "blitz_"}

_LABELS: Final[Mapping[str, str]] = {
    "id number": "id", "name": "name", "fed": "federation", "sex": "sex",
    "tit": "title", "titl": "title", "wtit": "w_title",
    "srtng": "rating", "sgm": "games", "sk": "k",
    "rrtng": "rapid", "rgm": "rapid_games", "rk": "rapid_k",
    "brtng": "blitz", "bgm": "blitz_games", "bk": "blitz_k",
    "games": "games", "gms": "games", "k": "k",
    "b-day": "birth", "born": "birth", "flag": "flag", "otit": "", "foa": "",
}  # fmt: skip
_DAMAGED: Final = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError),
    *(RuntimeError, NotImplementedError, UnicodeDecodeError, OverflowError),
)
"""What zipfile raises for an archive that is damaged or encrypted."""
_MONTHS: Final = "janfebmaraprmayjunjulaugsepoctnovdec"
_MONTH: Final = re.compile(r"(?i)([a-z]{3})\s?(\d{2})")
_HEADING: Final = re.compile(
    r"(?i)ID number|B-day|[BSR]Rtng|[BSR]Gm|[BSR]k(?=\s)|WTit|OTit|Titl?|FOA|Fed|Sex|Name|Games|Gms"
    r"|Born|Flag|[a-z]{3}\d{2}|K(?=\s)"
)
_IN_XML: Final = {
    "fideid": "id", "name": "name", "country": "federation", "sex": "sex", "title": "title",
    "w_title": "w_title", "birthday": "birth", "rating": "rating", "games": "games", "k": "k",
    "rapid_rating": "rapid", "rapid_games": "rapid_games", "rapid_k": "rapid_k",
    "blitz_rating": "blitz", "blitz_games": "blitz_games", "blitz_k": "blitz_k", "flag": "flag",
}  # fmt: skip
_PARTS: Final = re.compile(r"[./\s-]+")
_BOUNDS: Final = {"birth": (0, 2100), "games": (0, 99_999), "k": (0, 100)}
_CALLED: Final = {
    "birth": "birth", "rating": "rating", "games": "games", "k": "k",
    "rapid": "rapid", "rapid_games": "rapid games", "rapid_k": "rapid k",
    "blitz": "blitz", "blitz_games": "blitz games", "blitz_k": "blitz k",
}  # fmt: skip
"""What messages call the numbers of an entry."""
_LEGIBLE: Final = 300
_CONTROL: Final = re.compile("[\x00-\x1f\x7f]+")


@dataclass
class Reading:
    """A list while it is read: the month that the file names, and what could not be read."""

    source: str
    kind: str
    """standard, rapid or blitz: what a list of one rating holds"""
    month: str = ""
    """``2026-10``; empty if the file does not name it"""
    faults: int = 0
    shown: list[str] = field(default_factory=list)
    """the first faults, each with its line"""

    def fault(self, what: str, line: int | None = None) -> None:
        self.faults += 1
        if self.faults <= SHOWN:
            where = self.source if line is None else _line(self.source, line)
            self.shown.append(f"{what} @ {where}")


def _line(source: str, line: int) -> str:
    """The place of a line for messages."""
    return f"{source}, line {line}"


@contextmanager
def opened(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """The list in a file, which may be zipped, with its name.

    Raises ListError for an archive that does not hold exactly one list, or one that is too large.
    """
    try:
        if not zipfile.is_zipfile(path):
            with path.open("rb") as file:
                if file.read(4) == b"PK\x03\x04":
                    raise zipfile.BadZipFile("it is cut off")
                file.seek(0)
                yield path.name, file
            return
        with zipfile.ZipFile(path) as archive:
            inside = [
                entry
                for entry in archive.infolist()
                if entry.filename.lower().endswith((".txt", ".xml", ".csv"))
            ]
            if len(inside) != 1:
                raise ListError(f"one list is needed, but the archive has {len(inside)} @ {path}")
            size, packed = inside[0].file_size, inside[0].compress_size
            if size > MOST_BYTES or (size > MOST_ALWAYS and size > MOST_RATIO * packed):
                what = f"its {packed:,} bytes would unfold to {size:,}, as no list's do"
                raise ListError(f"{what} @ {path}")
            with archive.open(inside[0]) as member:
                yield inside[0].filename.rpartition("/")[2], member
    except _DAMAGED as error:
        raise ListError(f"the archive is damaged or encrypted ({error}) @ {path}") from None
    except OSError as error:
        raise ListError(f"{error.strerror or error} @ {path}") from None


def read(
    name: str, file: IO[bytes], reading: Reading, columns: Mapping[str, str] | None = None
) -> Iterator[Entry]:
    """The lines of a list; ``columns`` says for CSV which heading each field has.

    Raises ListError for a file that is no list at all.
    """
    first = file.readline(1 << 16)
    if first.startswith(PDF):
        raise ListError(f"{NO_PDF} @ {name}")
    start = first.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start == b"<":
        file.seek(0)
        return _xml(file, reading)
    heading = _decoded(first.rstrip(b"\r\n"))
    if columns or not heading.lower().lstrip("\ufeff").startswith("id number"):
        file.seek(0)
        return _csv(file, reading, columns or {})
    file_month = _fixed_month(heading)
    reading.month = reading.month or file_month
    return _fixed(heading, file, reading)


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")


def _fixed_month(heading: str) -> str:
    for match in _HEADING.finditer(heading):
        if (month := _month(match.group())) is not None:
            return month
    return ""


def _month(text: str) -> str | None:
    """``2026-10`` for OCT26; None for anything else.

    >>> _month("OCT26"), _month("Mar11"), _month("Sex")
    ('2026-10', '2011-03', None)
    """
    match = _MONTH.fullmatch(text)
    where, off = divmod(_MONTHS.find(match.group(1).lower()), 3) if match else (0, 1)
    return f"20{match.group(2)}-{where + 1:02}" if match and not off else None


def number_of(text: str) -> str:
    """A player's number as lists hold it: without zeros before it.

    >>> number_of("0099000001"), number_of("A0042-001"), number_of("0")
    ('99000001', 'A0042-001', '0')
    """
    return text.lstrip("0") or text


def month_in(name: str) -> str:
    """The month in a file's name, as in ``standard_oct26frl.txt`` and ``list-2026-10.csv``."""
    if dated := re.search(r"(20\d\d)[-_]?(0[1-9]|1[0-2])", name):
        return f"{dated.group(1)}-{dated.group(2)}"
    months = (_month(match.group()) for match in _MONTH.finditer(name))
    return next(filter(None, months), "")


def kind_in(name: str) -> str:
    """The kind of rating in a file's name; standard if it names none."""
    return next((kind for kind in KINDS if kind in name.lower()), "standard")


def _fixed(heading: str, file: IO[bytes], reading: Reading) -> Iterator[Entry]:
    """Lines in the columns of their heading; a field ends where the next one begins."""
    matches = list(_HEADING.finditer(heading))
    ends = [match.start() for match in matches[1:]] + [None]
    prefix = KINDS[reading.kind]
    at: dict[str, slice] = {}
    for match, end in zip(matches, ends, strict=True):
        label = match.group().lower()
        key = "rating" if _month(label) else _LABELS.get(label, "")
        # FIDE calls the column by the month; srtng, sgm and sk are standard in every list
        if prefix and key in ("rating", "games", "k") and label not in ("srtng", "sgm", "sk"):
            key = prefix.rstrip("_") if key == "rating" else prefix + key
        if key:
            at[key] = slice(match.start(), end)
    if not {"id", "name"} <= at.keys():
        raise ListError(f"the first line names no columns for number and name @ {reading.source}")
    make = _maker(at.keys())
    for number, raw in enumerate(file, start=2):
        line = _decoded(raw.rstrip(b"\r\n\x1a"))
        if not line.strip():
            continue
        try:
            yield make([line[place].strip() for place in at.values()])
        except ValueError as error:
            reading.fault(str(error), number)


def _xml(stream: IO[bytes], reading: Reading) -> Iterator[Entry]:
    from lxml import etree

    make = _maker(_IN_XML.values())
    tags = list(_IN_XML)
    try:
        for number, (_, player) in enumerate(
            etree.iterparse(stream, tag="player", resolve_entities=False, no_network=True), start=1
        ):
            texts = {child.tag: child.text or "" for child in player}
            try:
                yield make([texts.get(tag, "").strip() for tag in tags])
            except ValueError as error:
                what = f"{error} (player {number})"
                reading.fault(what, player.sourceline or 0)
            player.clear()
            while player.getprevious() is not None:
                del player.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise ListError(f"the XML is damaged ({error.msg}) @ {reading.source}") from None


def _csv(stream: IO[bytes], reading: Reading, columns: Mapping[str, str]) -> Iterator[Entry]:
    """Lines of a table whose headings are the names of the fields, or those of ``columns``."""
    text = io.TextIOWrapper(io.BufferedReader(_Recoded(stream)), "utf-8-sig", newline="")  # type: ignore[type-var]
    first = text.readline()
    separator = max(";,\t", key=first.count)
    headings = [heading.strip() for heading in next(csv.reader([first], delimiter=separator))]
    known = {heading.casefold(): i for i, heading in enumerate(headings)}
    fields = ("id", "name", *Entry._fields[2:])
    places: dict[str, int] = {}
    for key in fields:
        heading = columns.get(key, key)
        if heading.casefold() in known:
            places[key] = known[heading.casefold()]
        elif key in columns:
            raise ListError(f"there is no column {heading!r} @ {_line(reading.source, 1)}")
    for key in ("id", "name"):
        if key not in places:
            what = (
                f"no column is the {key}; its headings are {_legible(headings)}: say which "
                f'with --columns "{key}=…"'
            )
            raise ListError(f"{what} @ {_line(reading.source, 1)}")
    make = _maker(places)
    rows = csv.reader(text, delimiter=separator)
    try:
        for row in rows:
            if not any(row):
                continue
            row += [""] * (len(headings) - len(row))
            try:
                yield make([row[i].strip() for i in places.values()])
            except ValueError as error:
                reading.fault(str(error), rows.line_num + 1)
    except csv.Error as error:
        raise ListError(f"{error} @ {_line(reading.source, rows.line_num + 1)}") from None


def _legible(headings: list[str]) -> str:
    """Headings for a message; in a file of another kind they may be anything.

    >>> _legible(["id", "n\x07ame"])
    'id, n?ame'
    """
    text = "".join(c if c.isprintable() else "?" for c in ", ".join(headings[:30]))
    return text if len(text) <= _LEGIBLE else f"{text[:_LEGIBLE]}…"


class _Recoded(io.RawIOBase):
    """Lines in UTF-8, whichever of UTF-8 and Windows' Latin-1 they are in."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.lines = iter(stream)
        self.left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        if not self.left:
            line = next(self.lines, b"")
            self.left = line if line.isascii() else _decoded(line).encode()
        part, self.left = self.left[: len(buffer)], self.left[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


def _maker(keys: Iterable[str]) -> Callable[[list[str]], Entry]:
    """What makes an entry of the texts of these fields; ValueError says what is wrong with one."""
    index = {key: i for i, key in enumerate(keys)}
    blank: list[object] = list(Entry("", ""))
    numbers = [
        (i, Entry._fields.index(key), key,
         next((each for kind, each in _BOUNDS.items() if kind in key), RATINGS))
        for key, i in index.items()
        if key not in ("id", "name", "federation", "title", "w_title", "sex", "flag")
    ]  # fmt: skip
    texts = [
        (index[key], Entry._fields.index(key))
        for key in ("federation", "sex", "flag")
        if key in index
    ]
    id_at, name_at = index["id"], index["name"]
    title_at, w_title_at = index.get("title"), index.get("w_title")
    title_to = Entry._fields.index("title")

    def make(cells: list[str]) -> Entry:
        if _CONTROL.search("".join(cells)):
            cells = [_CONTROL.sub(" ", cell).strip() for cell in cells]
        number, name = cells[id_at], cells[name_at]
        if not number or not name:
            raise ValueError("there is no name" if number else "there is no number")
        values = blank.copy()
        values[0], values[1] = number_of(number), name
        for i, to in texts:
            values[to] = cells[i]
        for i, to, key, (least, most) in numbers:
            text = cells[i]
            # lists write 0 for a rating, K factor or year that is unknown, but 0 games are none
            if not text.strip("0") and "games" not in key:
                continue
            if not text:
                continue
            if key == "birth" and len(text) != 4:
                text = next((part for part in _PARTS.split(text) if len(part) == 4), text)
            digits = text.isascii() and text.isdecimal() and len(text) < 9
            if not digits or not least <= int(text) <= most:
                raise ValueError(
                    f"{_CALLED[key]} is not a number from {least} to {most}: {text[:60]!r}"
                )
            values[to] = int(text)
        own_title = (cells[title_at] if title_at is not None else "") or (
            cells[w_title_at] if w_title_at is not None else ""
        )
        if own_title:
            values[title_to] = title(own_title)
        return Entry._make(values)

    return make
