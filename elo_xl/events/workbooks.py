"""What the package that reads workbooks leaves to us: files made to harm, old kinds, errors.

**Room.** It has some for every place between the cells of a sheet. A file of a few bytes may have
a cell in the last row and column, or say that one is repeated a million times; sheets are looked
through for that before they are read.

**Old kinds** (xls, xlsb). It may give up the whole process over a damaged file, or want more memory
than there is. So it is another process that ends then, and a damaged file is one like any other.

**Errors** in the cells of an xls file, which it gives as blank ones. Such a file is a small file
system with chains of sectors ([MS-CFB]), and its workbook a stream of records ([MS-XLS]). Of these
only the sheets are looked up, and their cells with errors.
"""

from __future__ import annotations

import io
import os
import pickle
import re
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import IO, Final
from xml.parsers import expat

from elo_xl.xlsx.opc import NO_XML, is_bomb, is_overgrown

MOST_SPREAD, MOST_PLACES = 2_000_000, 20
"""Places for cells that a sheet may have between its corners, and beyond it, for each cell."""

_CELL: Final = re.compile(rb'<(?:[\w.-]+:)?c\s[^<>]*?\br="([A-Z]{1,3})([0-9]{1,7})"')
_ANY_CELL: Final = re.compile(rb"<(?:[\w.-]+:)?c[\s/>]")
_SHEET: Final = re.compile(rb"<(?:[\w.-]+:)?worksheet[\s>]")
_ODS: Final = re.compile(rb"<table:(table-row|table-cell|covered-table-cell|table)\b([^<>]*)>")
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
                extent = _in_ods(_sparse(archive.read(entry), len(data)))
            elif name.endswith(".bin") and "sheet" in name:
                extent = _in_xlsb(archive.read(entry))
            elif name.endswith(".xml"):
                with archive.open(entry) as part:
                    found = _in_xlsx(part)
                extent = found or _parsed(_sparse(archive.read(entry), len(data)))
            else:
                continue
            rows, columns, count = extent
            if rows * columns > max(MOST_SPREAD, MOST_PLACES * count):
                raise TooLargeError(
                    f"{entry.filename} has cells in {rows} rows and {columns} columns: too many"
                )


def _sparse(part: bytes, packed: int) -> bytes:
    """A part that is to be parsed, unless it has too many elements."""
    if is_overgrown(tags := part.count(b"<"), packed):
        raise TooLargeError(f"the workbook has {tags:,} tags, as none of its size has")
    return part


def in_pieces(
    part: IO[bytes], mark: bytes, *, before: bool = False, begun: bytes = b""
) -> Iterator[bytes]:
    """The content of a part, of which some has ``begun`` to be read, in pieces of a megabyte or
    more that end with a mark, or ``before`` it; each byte is looked through once."""
    rest = [begun]
    while chunk := part.read(_CHUNK):
        # a mark across two chunks is not found, which is no harm: the next one is
        at = chunk.rfind(mark)
        cut = 0 if at < 0 else at if before else at + len(mark)
        rest.append(chunk[:cut])
        if at >= 0:
            yield b"".join(rest)
            rest = []
        rest.append(chunk[cut:])
    yield b"".join(rest)


def _in_xlsx(part: IO[bytes]) -> Extent | None:
    """The extent of a part with cells; None if one is written in a way that must be parsed."""
    columns, last, count, begun = set[bytes](), 0, 0, part.read(4096)
    if begun.startswith((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")):
        return None
    if not _SHEET.search(begun):
        return 0, 0, 0
    for whole in in_pieces(part, b"<", before=True, begun=begun):
        cells = _CELL.findall(whole)
        if len(cells) != len(_ANY_CELL.findall(whole)):
            return None
        columns.update(column for column, _ in cells)
        last = max(last, max((int(row) for _, row in cells), default=0))
        count += len(cells)
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
    with suppress(*NO_XML):  # its reader reports that
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


# -- old kinds, in a process of their own --------------------------------------------------------

SECONDS: Final = 120
"""How long a file may take; one that is full takes a tenth of it."""
MEMORY: Final = 4 << 30
"""How many bytes it may, where the system can limit that."""

_READER: Final = """
import pickle, sys
memory, *sys.path = int(sys.argv[1]), *sys.argv[2:]
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
except (ImportError, OSError, ValueError):
    pass
from io import BytesIO
from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum
sheets = []
try:
    book = CalamineWorkbook.from_filelike(BytesIO(sys.stdin.buffer.read()))
    seen = {one.name: one.visible == SheetVisibleEnum.Visible for one in book.sheets_metadata}
    for title in book.sheet_names:
        try:
            sheet = book.get_sheet_by_name(title)
            rows = list(sheet.iter_rows()) if sheet.start is not None else []
            sheets.append((title, not seen.get(title, True), rows, ""))
        except CalamineError as error:
            sheets.append((title, not seen.get(title, True), [], str(error) or "unreadable"))
except PasswordError:
    sheets = None
with sys.stdout.buffer as out:
    pickle.dump(sheets, out)
"""


class DamagedError(ValueError):
    """A workbook that cannot be read."""


@dataclass(frozen=True, slots=True)
class SheetApart:
    """A sheet with all its cells."""

    title: str
    hidden: bool
    rows: list[list[str | float | bool | date | time | timedelta]]
    wrong: str
    """why it could not be read, if so"""


def sheets_apart(data: bytes) -> list[SheetApart] | None:
    """The sheets of a workbook; None for one that is protected by a password.

    Raises DamagedError where it cannot be read, also within bounds of time and memory.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _READER, str(MEMORY), *sys.path],
            input=data,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            env={**os.environ, "RUST_BACKTRACE": "0"},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except subprocess.TimeoutExpired:
        raise DamagedError(f"it was not read within {SECONDS} seconds") from None
    if done.returncode:
        raise DamagedError(_why(done.stderr.decode("utf-8", "replace")))
    read = pickle.loads(done.stdout)  # what our own process wrote
    return None if read is None else [SheetApart(*sheet) for sheet in read]


def _why(said: str) -> str:
    """What the process said at its end, which an exception says last and an abort first.

    >>> _why("Traceback …\\npyo3_runtime.PanicException: index out of range\\n")
    'index out of range'
    """
    lines = [line for line in said.splitlines() if line.strip()] or ["its reader ended"]
    last = lines[-1].partition(": ")[2] if "Traceback" in said else ""
    return last or lines[0]


# -- errors in xls files -------------------------------------------------------------------------

ERRORS: Final = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
}

_SMALL: Final = 4096
"""Streams below this size stand in the stream of the root, in sectors of 64 bytes."""
_ENTRY, _ROOT = 128, 5
_BOUND_SHEET, _FORMULA, _BOOLEAN_OR_ERROR, _BEGIN, _END = 0x85, 0x06, 0x205, 0x809, 0x0A


def errors_in_xls(data: bytes, sheet: int) -> Iterator[tuple[int, int, str]]:
    """The errors of a sheet, counted from 0: row, counted from 1, place, counted from 0, and text.

    Raises LookupError or struct.error for a file that is damaged.
    """
    book = _workbook(data)
    tops = [record for kind, record in _xls_records(book, 0) if kind == _BOUND_SHEET]
    for kind, record in _xls_records(book, *struct.unpack_from("<I", tops[sheet])):
        if kind == _BOOLEAN_OR_ERROR and record[7]:
            code = record[6]
        # the value of a formula is a number, unless it ends so: then its first byte tells the kind
        elif kind == _FORMULA and record[12:14] == b"\xff\xff" and record[6] == 2:
            code = record[8]
        else:
            continue
        row, place = struct.unpack_from("<2H", record)
        yield row + 1, place, ERRORS.get(code, "an error")


def _xls_records(book: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    """The records of a sheet, or of what stands before all; those of charts are passed over."""
    depth = 0
    while at + 4 <= len(book):
        kind, size = struct.unpack_from("<2H", book, at)
        depth += (kind == _BEGIN) - (kind == _END)
        if depth == 1:
            yield kind, book[at + 4 : at + 4 + size]
        elif depth < 1:
            return
        at += 4 + size


def _workbook(data: bytes) -> bytes:
    """The stream of the workbook."""
    sector = 1 << struct.unpack_from("<H", data, 0x1E)[0]
    folder, small, more = struct.unpack_from("<I8xI4xI", data, 0x30)

    def read(number: int) -> bytes:
        return data[sector * (number + 1) : sector * (number + 2)]

    # the sectors that tell which sector follows which: 109 are named here, others in a chain
    tables = [*_numbers(data[0x4C:0x200])]
    for _ in range(len(data) // sector):
        if not (named := _numbers(read(more))):
            break
        *rest, more = named
        tables += rest
    following: list[int] = []
    for table in tables:
        if len(following) * sector < len(data):
            following += _numbers(read(table))

    def stream(first: int) -> bytes:
        return b"".join(map(read, _chain(first, following)))

    streams = {}
    entries = stream(folder)
    for at in range(0, len(entries), _ENTRY):
        length, kind = struct.unpack_from("<HB", entries, at + 64)
        name = entries[at : at + max(length - 2, 0)].decode("utf-16-le", "replace").casefold()
        streams[kind == _ROOT or name] = struct.unpack_from("<2I", entries, at + 116)
    first, size = streams.get("workbook") or streams["book"]
    if size >= _SMALL:
        return stream(first)[:size]
    inside = stream(streams[True][0])
    chain = _chain(first, _numbers(stream(small)))
    return b"".join(inside[64 * n : 64 * (n + 1)] for n in chain)[:size]


def _numbers(content: bytes) -> Sequence[int]:
    return struct.unpack(f"<{len(content) // 4}I", content[: len(content) // 4 * 4])


def _chain(first: int, following: Sequence[int]) -> Iterator[int]:
    """The sectors of a stream; none of them twice."""
    for _ in following:
        if first >= len(following):
            return
        yield first
        first = following[first]
