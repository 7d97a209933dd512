"""The encoding of a text file: found by the bytes, or named by whoever knows it."""

from __future__ import annotations

import codecs
import re
from typing import Final

from elo_xl.events.event import EventError, Problem
from elo_xl.events.text import Source, content, file_name

# No spreadsheet and no XML can hold these; a NUL or the Ctrl-Z at the end of a DOS file is no text.
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
_ASK: Final = f"{_NAME_IT}, such as cp1250, cp1251 or iso8859-2"


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
    """The text of a file, decoded; raises EventError where its encoding is not known."""
    try:
        return decode(content(source), encoding)
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
        if found := _NO_LETTER.search(latin):
            start = max(latin.rfind(mark, 0, found.start()) for mark in ",;\t\r\n") + 1
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
