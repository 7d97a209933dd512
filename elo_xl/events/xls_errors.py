"""The cells of an xls file that show an error, which its reader gives as blank ones.

Such a file is a small file system with chains of sectors ([MS-CFB]), and its workbook a stream of
records ([MS-XLS]). Of these only the sheets are looked up, and their cells with errors.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Final

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
_SHEET, _FORMULA, _BOOLEAN_OR_ERROR, _BEGIN, _END = 0x85, 0x06, 0x205, 0x809, 0x0A


def errors_in_xls(data: bytes, sheet: int) -> Iterator[tuple[int, int, str]]:
    """The errors of a sheet, counted from 0: row, counted from 1, place, counted from 0, and text.

    Raises LookupError or struct.error for a file that is damaged.
    """
    book = _workbook(data)
    tops = [record for kind, record in _records(book, 0) if kind == _SHEET]
    for kind, record in _records(book, *struct.unpack_from("<I", tops[sheet])):
        if kind == _BOOLEAN_OR_ERROR and record[7]:
            code = record[6]
        # the value of a formula is a number, unless it ends so: then its first byte tells the kind
        elif kind == _FORMULA and record[12:14] == b"\xff\xff" and record[6] == 2:
            code = record[8]
        else:
            continue
        row, place = struct.unpack_from("<2H", record)
        yield row + 1, place, ERRORS.get(code, "an error")


def _records(book: bytes, at: int) -> Iterator[tuple[int, bytes]]:
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
