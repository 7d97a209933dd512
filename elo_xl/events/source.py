"""An event's file as it lies there: its bytes, packed or not, and their text in any encoding.

Files of games may be packed by gzip, bzip2 or Zstandard, and are then read piece by piece. The
encoding of a text is found by the bytes, or named by whoever knows it.
"""

from __future__ import annotations

import bz2
import codecs
import errno
import gzip
import io
import os
import re
import sys
import zlib
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from elo_xl.events.event import EventError, Problem
from elo_xl.lists.layouts import NO_PDF, PDF

if TYPE_CHECKING:
    from _typeshed import SupportsRead

Source = str | os.PathLike[str] | bytes
"""a path, or the content of a file as bytes"""

ENDINGS: Final = (".gz", ".bz2", ".zst")

_GZIP: Final = b"\x1f\x8b"
_BZIP2: Final = b"BZh"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
ZIP: Final = b"PK\x03\x04"
OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_ZSTD_MODULES: Final = ("compression.zstd", "backports.zstd")
_MOST: Final = 200
"""How many times as large games may be when they are unpacked; ten times is usual."""
_FREE: Final = 1 << 26
"""The bytes up to which nobody asks."""
_PIECE: Final = 1 << 20


def content(source: Source) -> bytes:
    """The bytes of a file, or the bytes given; OSError if the path cannot be read.

    A device is not: ``/dev/zero`` has no end.
    """
    if isinstance(source, bytes):
        return source
    path = Path(source)
    if path.is_char_device() or path.is_block_device():
        raise OSError(errno.EINVAL, "a device is no file to read", str(path))
    return path.read_bytes()


def file_name(source: Source) -> str:
    """The last part of a path, as problems quote it; empty for bytes.

    >>> file_name("events/rivertown.trf")
    'rivertown.trf'
    """
    return "" if isinstance(source, bytes) else Path(source).name


def is_packed(source: Source) -> bool:
    """Whether a file is packed, by its first bytes.

    >>> is_packed(gzip.compress(b"[Event]")), is_packed(b"[Event]")
    (True, False)
    """
    with _raw(source) as file:
        return file.read(4).startswith((_GZIP, _BZIP2, _ZSTD))


def is_workbook(data: bytes) -> bool:
    """Whether a file is a workbook of any program, or at least begins like one."""
    return data.startswith((ZIP, OLE))


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


def _zstd(raw: BinaryIO, name: str) -> SupportsRead[bytes]:
    for module in _ZSTD_MODULES:
        with suppress(ImportError):
            stream: SupportsRead[bytes] = import_module(module).ZstdFile(raw)
            return stream
    raw.close()
    what = (
        "it is packed by Zstandard, which Python unpacks from 3.14 on, and before with the "
        "package backports.zstd: pip install backports.zstd"
    )
    raise EventError([Problem(what, file=name)])


class _Unpacked(io.RawIOBase, BinaryIO):
    """What a packed file holds; errors are those of an event's file."""

    def __init__(self, raw: BinaryIO, stream: SupportsRead[bytes], name: str) -> None:
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
            part = self._stream.read(size)
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
    errors = (sys.modules[name].ZstdError for name in _ZSTD_MODULES if name in sys.modules)
    return EOFError, zlib.error, OSError, ValueError, *errors


# No spreadsheet and no XML can hold these; a NUL or the Ctrl-Z at the end of a DOS file is no text.
# -- the encoding ---------------------------------------------------------------------------------

_UNUSABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_WORD: Final = re.compile(rb"[A-Za-z\x80-\x90\x98-\x9f\xa1-\xaa\xaf-\xba\xbc\xbe-\xff]+")
"""letters of any one-byte encoding, without what is punctuation in all of them"""
_FOREIGN: Final = re.compile(rb"[\x80-\xff]")
_LETTERS: Final = re.compile(rb"[A-Za-z]")
_CYRILLIC: Final = re.compile(rb"[\xa8\xb8\xc0-\xff]+")
_NO_LETTER: Final = re.compile(r"[^\W\d_][£¥¦§¨¯²³¶¸¹¼¾¿][^\W\d_]|[^\W\d_]³|Ã[\x80-\xbf]")
"""signs that stand in words only where another encoding has letters, such as Paw³owski"""
_WORDS: Final = re.compile(r"[^\W\d_]{2,}")
_NAME_IT: Final = "name it with --encoding"
_ASK: Final = "name it with --encoding, such as cp1250, cp1251 or iso8859-2"


class UnknownEncodingError(ValueError):
    """A text is not in the encoding that was named, or in none that can be told for sure."""


def decode(data: bytes, encoding: str = "") -> str:
    """Decode a file: by its byte order mark, as UTF-8, or as Windows has it (cp1252, cp1251).

    >>> decode("Müller".encode()), decode("Müller".encode("cp1252"))
    ('Müller', 'Müller')
    >>> decode("Name\\nИванов Иван".encode("cp1251"))
    'Name\\nИванов Иван'

    Cyrillic (cp1251) is it where every word is written in one of the two alphabets, and none in
    letters with accents only. Control characters become blanks.

    Raises UnknownEncodingError where words speak for both or for neither, and where the text is
    not in ``encoding``.
    """
    return _UNUSABLE.sub(" ", _decoded(data, encoding))


def read_text(source: Source, encoding: str = "", name: str = "") -> str:
    """The text of a file, decoded; raises EventError where its encoding is not known, and
    for a PDF."""
    data = content(source)
    if data.startswith(PDF):
        raise EventError([Problem(NO_PDF, file=file_name(source) or name)])
    try:
        return decode(data, encoding)
    except UnknownEncodingError as wrong:
        raise EventError([Problem(str(wrong), file=file_name(source) or name)]) from None


def guessed(data: bytes, encoding: str = "") -> str:
    """What to say of a text whose encoding is guessed, with three words as they are read; empty
    where the encoding is named, or known for sure.

    >>> guessed("Šarić, Ana".encode("cp1250"))
    "the encoding is taken for cp1252, as in 'Šariæ': if that is wrong, name it with --encoding"
    >>> guessed("Šarić, Ana".encode()), guessed("Ana 1-0".encode("cp1250"))
    ('', '')
    """
    if encoding or data.startswith(tuple(mark for mark, _ in _MARKS)) or b"\0" in data:
        return ""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)  # the end may be cut off
    except UnicodeDecodeError:
        pass
    else:
        return ""
    try:
        text = _windows(data)
    except UnknownEncodingError:
        return ""  # whoever reads it says so
    words = list(dict.fromkeys(word for word in _WORDS.findall(text) if not word.isascii()))[:3]
    if not words:
        return ""
    name = "cp1251" if "Ѐ" <= max("".join(words)) <= "ӿ" else "cp1252"
    shown = ", ".join(map(repr, words))
    return f"the encoding is taken for {name}, as in {shown}: if that is wrong, {_NAME_IT}"


def _decoded(data: bytes, encoding: str) -> str:
    if encoding:
        try:
            return data.decode(encoding)
        except LookupError:
            raise UnknownEncodingError(f"no encoding is called {encoding!r}") from None
        except UnicodeError as wrong:
            raise UnknownEncodingError(
                f"the text is not in {encoding} ({_first_wrong(wrong)})"
            ) from None
    for mark, name in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(name)
            except UnicodeDecodeError:
                break
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _windows(data)


def _first_wrong(wrong: UnicodeError) -> str:
    if isinstance(wrong, UnicodeDecodeError):
        line = bytes(wrong.object[: wrong.start]).count(b"\n") + 1
        return f"first in line {line}"
    return str(wrong)


def _windows(data: bytes) -> str:
    foreign = {word for word in _WORD.findall(data) if _FOREIGN.search(word)}
    mixed = [word for word in foreign if _LETTERS.search(word)]
    pure = [word for word in foreign if not _LETTERS.search(word) and len(word) > 1]
    try:
        latin = data.decode("cp1252")
    except UnicodeDecodeError:
        latin = data.decode("latin-1")
    if b"\0" in data:
        return latin  # no text at all
    if not pure:
        if match := _NO_LETTER.search(latin):
            start = max(latin.rfind(mark, 0, match.start()) for mark in ",;\t\r\n") + 1
            word = re.split("[,;\t\r\n]", latin[start:], maxsplit=1)[0]
            raise UnknownEncodingError(f"the encoding of {word[:60]!r} is not known: {_ASK}")
        return latin
    words = [word.decode("cp1251") for word in pure if _CYRILLIC.fullmatch(word)]
    cased = all(word.islower() or word.isupper() or word.istitle() for word in words)
    if mixed or len(words) < len(pure) or not cased or not any(w[0].isupper() for w in words):
        example = min(pure).decode("cp1252", errors="replace")
        raise UnknownEncodingError(
            f"the encoding of words such as {example!r} is not known: {_ASK}"
        )
    return data.decode("cp1251", errors="replace")


def garbled(text: str) -> str:
    """What a text was before another program read it in a wrong encoding; empty if it is all right.

    >>> garbled("Èâàíîâ Èâàí"), garbled("MÃ¼ller"), garbled("Müller, Zoë")
    ('Иванов Иван', 'Müller', '')
    """
    if text.isascii():
        return ""
    letters = [letter for letter in text if letter.isalpha()]
    try:
        if "Ã" in text or "Ð" in text or "Ñ" in text:
            return text.encode("cp1252").decode("utf-8")
        if len(letters) > 3 and all("À" <= letter <= "ÿ" for letter in letters):
            return text.encode("cp1252").decode("cp1251")
    except UnicodeError:
        pass
    return ""


def lines(text: str) -> list[str]:
    r"""Split a text into lines that end in CR, LF or both, even mixed.

    >>> lines("one\rtwo\r\nthree\n")
    ['one', 'two', 'three', '']
    """
    return _LINE_END.split(text)
