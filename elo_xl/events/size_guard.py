"""How much room the cells of a workbook need: a reader has some for every place between them.

A file of a few bytes may have a cell in the last row and column, or say that one is repeated a
million times. Sheets are looked through for that before they are read.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Final
from xml.parsers import expat

from elo_xl.xlsx.opc import is_bomb

MOST_SPREAD, MOST_PLACES = 2_000_000, 20
"""Places for cells that a sheet may have between its corners, and beyond it, for each cell."""

_CELL: Final = re.compile(rb'<(?:[\w.-]+:)?c\s[^>]*?\br="([A-Z]{1,3})([0-9]{1,7})"')
_ANY_CELL: Final = re.compile(rb"<(?:[\w.-]+:)?c[\s/>]")
_SHEET: Final = re.compile(rb"<(?:[\w.-]+:)?worksheet[\s>]")
_ODS: Final = re.compile(rb"<table:(table-row|table-cell|covered-table-cell|table)\b([^>]*)>")
_REPEATED: Final = re.compile(rb"""number-(?:rows|columns)-repeated\s*=\s*["']([0-9]{1,12})""")
_VALUE: Final = re.compile(rb"\b(?:value-type|formula)\s*=")
_CHUNK: Final = 1 << 20


Extent = tuple[int, int, int]
"""Rows, columns, and cells."""


class TooLargeError(ValueError):
    """A workbook is made to fill the memory."""


def check_room(data: bytes) -> None:
    """Refuse a packed workbook (xlsx, xlsb, ods) that is small as a file and huge in memory.

    Raises TooLargeError, and what zipfile raises for a damaged file.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        if is_bomb(size, len(data)):
            raise TooLargeError(f"the workbook would fill {size >> 20} megabytes of memory")
        for entry in archive.infolist():
            name = entry.filename.lower()
            if name == "content.xml":
                found = _in_ods(archive.read(entry))
            elif name.endswith(".bin") and "sheet" in name:
                found = _in_xlsb(archive.read(entry))
            elif name.endswith(".xml"):
                with archive.open(entry) as part:
                    found = _in_xlsx(part) or _parsed(archive.read(entry))
            else:
                continue
            rows, columns, count = found
            if rows * columns > max(MOST_SPREAD, MOST_PLACES * count):
                raise TooLargeError(
                    f"{entry.filename} has cells in {rows} rows and {columns} columns: too many"
                )


def _in_xlsx(part: IO[bytes]) -> Extent | None:
    """The extent of a part with cells; None if one is written in a way that must be parsed."""
    columns, last, count, rest = set[bytes](), 0, 0, part.read(4096)
    if rest.startswith((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")):
        return None
    if not _SHEET.search(rest):
        return 0, 0, 0
    while True:
        chunk = part.read(_CHUNK)
        whole, rest = rest + chunk, b""
        if chunk and (cut := whole.rfind(b"<")) >= 0:
            whole, rest = whole[:cut], whole[cut:]
        found = _CELL.findall(whole)
        if len(found) != len(_ANY_CELL.findall(whole)):
            return None
        if found:
            columns.update(column for column, _ in found)
            last = max(last, max(int(row) for _, row in found))
            count += len(found)
        if not chunk:
            return last, max((column_number(letters) for letters in columns), default=0), count


def _parsed(part: bytes) -> Extent:
    """The same of a sheet whose cells need not say where they stand; of another part, nothing."""
    row = column = last = widest = count = 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, last, widest, count
        match name.rpartition(" ")[2]:
            case "row":
                said = attributes.get("r", "")
                row, column = int(said) if said.isdecimal() else row + 1, 0
            case "c":
                place = re.fullmatch("([A-Za-z]{1,3})([0-9]{1,7})", attributes.get("r", ""))
                column = column_number(place[1].upper().encode()) if place else column + 1
                last = max(last, int(place[2]) if place else row)
                widest, count = max(widest, column), count + 1

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = begin
    with suppress(expat.ExpatError):  # whoever reads it says so
        parser.Parse(part, True)
    return last, widest, count


def _in_ods(part: bytes) -> Extent:
    rows = columns = count = 0
    last, widest = 0, 0
    times = 1
    for tag in _ODS.finditer(part):
        said = _REPEATED.search(tag[2])
        repeated = int(said[1]) if said else 1
        match tag[1]:
            case b"table":
                rows = columns = 0
                times = 0
            case b"table-row":
                times, columns = repeated, 0
                rows += times
            case _:
                columns += repeated
                if _VALUE.search(tag[2]):
                    last, widest = max(last, rows), max(widest, columns)
                    count += 1
    return last, widest, count


def _in_xlsb(part: bytes) -> Extent:
    """Records: a kind and a length of seven bits a byte; rows are of kind 0, cells of 1 to 11."""
    row = last = widest = count = 0
    for kind, body in _records(part):
        if kind == 0 and len(body) >= 4:
            (row,) = struct.unpack_from("<I", body)
        elif 1 <= kind <= 11 and len(body) >= 4:
            (column,) = struct.unpack_from("<I", body)
            last, widest, count = max(last, row + 1), max(widest, column + 1), count + 1
    return last, widest, count


def _records(part: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(part):
        kind, at = _number(part, at, 2)
        length, at = _number(part, at, 4)
        yield kind, part[at : at + min(length, 8)]
        at += length


def _number(part: bytes, at: int, most: int) -> tuple[int, int]:
    number = 0
    for i, byte in enumerate(part[at : at + most]):
        number |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return number, at + i + 1
    return number, at + most


def column_number(letters: bytes) -> int:
    """The number of a column, from 1.

    >>> column_number(b"C"), column_number(b"XFD")
    (3, 16384)
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number
