"""Packed files of games, by gzip, bzip2 or Zstandard, read piece by piece."""

from __future__ import annotations

import bz2
import gzip
import io
import sys
import zlib
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Final

from elo_xl.events.event import EventError, Problem
from elo_xl.events.text import Source, file_name

ENDINGS: Final = (".gz", ".bz2", ".zst")

_GZIP: Final = b"\x1f\x8b"
_BZIP2: Final = b"BZh"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_ZSTD_MODULES: Final = ("compression.zstd", "backports.zstd")
_MOST: Final = 200
"""How many times as large games may be when they are unpacked; ten times is usual."""
_FREE: Final = 1 << 26
"""The bytes up to which nobody asks."""
_PIECE: Final = 1 << 20


def is_packed(source: Source) -> bool:
    """Whether a file is packed, by its first bytes.

    >>> is_packed(gzip.compress(b"[Event]")), is_packed(b"[Event]")
    (True, False)
    """
    with _raw(source) as file:
        return file.read(4).startswith((_GZIP, _BZIP2, _ZSTD))


def opened(source: Source) -> BinaryIO:
    """The content of a file, unpacked where it is packed.

    >>> opened(bz2.compress(b"[Event]")).read()
    b'[Event]'

    Only so much stands in memory as is read. Raises EventError, also from reading, for a file that
    is damaged, that grows to more than any games would, or that no package here can unpack; OSError
    if it cannot be read.
    """
    raw, name = _raw(source), file_name(source)
    start = raw.read(4)
    raw.seek(0)
    if start.startswith(_GZIP):
        return _Unpacked(raw, gzip.GzipFile(fileobj=raw), name)
    if start.startswith(_BZIP2):
        return _Unpacked(raw, bz2.BZ2File(raw), name)
    if start == _ZSTD:
        return _Unpacked(raw, _zstd(raw, name), name)
    return raw


def _raw(source: Source) -> BinaryIO:
    return io.BytesIO(source) if isinstance(source, bytes) else Path(source).open("rb")


def _zstd(raw: BinaryIO, name: str) -> Any:
    for module in _ZSTD_MODULES:
        with suppress(ImportError):
            return import_module(module).ZstdFile(raw)
    raw.close()
    what = (
        "it is packed by Zstandard, which Python unpacks from 3.14 on, and before with the package "
        "backports.zstd: pip install 'elo-xl[zstd]'"
    )
    raise EventError([Problem(what, file=name)])


class _Unpacked(io.RawIOBase, BinaryIO):
    """What a packed file holds; errors are those of an event's file."""

    def __init__(self, raw: BinaryIO, stream: Any, name: str) -> None:
        self._packed, self._stream, self._name = raw, stream, name
        self._total = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        parts: list[bytes] = []
        left = -1 if size is None else size
        while left and (part := self._piece(_PIECE if left < 0 else min(left, _PIECE))):
            parts.append(part)
            left -= len(part) if left > 0 else 0
        return b"".join(parts)

    def _piece(self, size: int) -> bytes:
        try:
            part: bytes = self._stream.read(size)
        except _damage() as wrong:
            what = f"the packed file is damaged or not complete: {wrong}"
            raise EventError([Problem(what, file=self._name)]) from None
        self._total += len(part)
        if self._total > max(_FREE, _MOST * self._packed.tell()):
            what = f"unpacked it is more than {_MOST} times as large, as no games are"
            raise EventError([Problem(what, file=self._name)])
        return part

    def close(self) -> None:
        self._packed.close()
        super().close()


def _damage() -> tuple[type[Exception], ...]:
    """The errors of packed files."""
    found = (sys.modules[name].ZstdError for name in _ZSTD_MODULES if name in sys.modules)
    return EOFError, zlib.error, OSError, ValueError, *found
