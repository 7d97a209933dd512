"""The add-in's icon, drawn: an E, white on blue or, for the outline, on nothing."""

from __future__ import annotations

import zlib
from struct import pack
from typing import Final

_BLUE: Final = bytes((31, 78, 121, 255))
_WHITE: Final = bytes((255, 255, 255, 255))
_NOTHING: Final = bytes(4)


def png(size: int, *, outline: bool = False) -> bytes:
    """The icon as PNG, ``size`` pixels wide and high.

    >>> png(16)[1:4], int.from_bytes(png(16)[16:20])
    (b'PNG', 16)
    """
    ground = _NOTHING if outline else _BLUE
    rows = b""
    for y in range(size):
        pixels = (_WHITE if _in_letter(x / size, y / size) else ground for x in range(size))
        rows += b"\0" + b"".join(pixels)
    header = pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def _in_letter(x: float, y: float) -> bool:
    """Whether a point of the square is on the stem of the E, or on one of its three bars."""
    if not (0.25 <= x < 0.75 and 0.1875 <= y < 0.8125):
        return False
    return x < 0.375 or y < 0.3125 or y >= 0.6875 or (0.4375 <= y < 0.5625 and x < 0.6875)
