"""Steps in a book that is kept: each leaves a dated copy, and the last one can be taken back.

The book itself tells its last step, in the properties of its file: what was done, the name of the
copy and its fingerprint, and a fingerprint of all other parts as they were written. So a step is
taken back only if nobody has changed the book since, and to the very bytes before it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, TypeVar

from lxml import etree

from elo_xl.books.identity import PART
from elo_xl.club.changes import ChangedBook
from elo_xl.club.ledger import Ledger
from elo_xl.templates.opened import EntriesError
from elo_xl.xlsx.files import check_free
from elo_xl.xlsx.in_place import read_parts, with_parts
from elo_xl.xlsx.keep import backup_name, held, is_backup, kept_copy, replace_kept
from elo_xl.xlsx.opc import from_bytes, to_bytes

STEP: Final = "Last step"
"""The property that tells it."""

_SET: Final = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"
_PROPERTIES: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/custom-properties}"
_TYPES: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes}"

Done = TypeVar("Done")
Kept = TypeVar("Kept", bound=ChangedBook)


def step(
    path: Path, what: str, work: Callable[[Ledger], Done], *, write: bool = True
) -> tuple[Done, Path]:
    """Do some work on a club's book, as :func:`change` does it."""
    return change(path, what, Ledger, work, write=write)


def change(
    path: Path,
    what: str,
    read: Callable[[bytes], Kept],
    work: Callable[[Kept], Done],
    *,
    write: bool = True,
) -> tuple[Done, Path]:
    """Read a book, do some work on it, and write it with a dated copy beside it.

    Gives what the work gives, and the copy. Without ``write``, and where the work changes nothing,
    nothing is written, and the copy is the book itself. Raises OSError where the book is open
    elsewhere or another command is at work on it, and whatever ``read`` and the work raise: the
    file is as it was then.
    """
    target = Path(os.path.realpath(path))
    if not write:
        return work(read(path.read_bytes())), target
    with held(target):
        check_free(path)
        old = path.read_bytes()
        book = read(old)
        done = work(book)
        if not book.changes:
            return done, target
        copy = backup_name(target, datetime.now())
        changed = book.written_parts()
        changed[PART] = _told(what, copy, old, book.parts | changed)
        replace_kept(path, old, with_parts(old, changed), copy)
    return done, copy


def replaced(path: Path, what: str, new: bytes) -> Path:
    """Write a book in the place of another one, with all that was there before in a dated copy.

    Gives the copy, to which :func:`undo` goes back. Raises OSError as :func:`change` does.
    """
    target = Path(os.path.realpath(path))
    with held(target):
        check_free(path)
        copy, old = kept_copy(target), target.read_bytes()
        told = _told(what, copy, old, read_parts(new))
        replace_kept(path, old, with_parts(new, {PART: told}), None)
    return copy


def _told(what: str, copy: Path, old: bytes, parts: Mapping[str, bytes]) -> bytes:
    """The part that tells of a step, for the parts that it leaves."""
    facts = {"what": what, "copy": copy.name, "before": fingerprint(old)}
    return telling(parts.get(PART), {**facts, "after": _fingerprint(parts)})


def undo(path: Path) -> tuple[str, Path]:
    """Take the last step back; returns what it was, and the copy that the book is again.

    Raises EntriesError where there is no step, where the book was changed since, and where its copy
    is missing or is not what it was; OSError as :func:`step` does.
    """
    target = Path(os.path.realpath(path))
    with held(target):
        check_free(path)
        now = path.read_bytes()
        parts = read_parts(now)
        facts = told_of(parts)
        if facts is None:
            raise EntriesError("there is no step to take back: nothing was added or closed")
        if not is_backup(facts["copy"], target):
            raise EntriesError(f"its last step names no copy of a book: {facts['copy'][:80]!r}")
        copy = target.with_name(facts["copy"])
        if _fingerprint(parts) != facts["after"]:
            raise EntriesError(
                f"it was changed or saved after the last step ({facts['what']}), and that "
                f"would be lost: what it was before is {copy.name}"
            )
        if not copy.is_file():
            raise EntriesError(f"{copy.name}, which it was before the last step, is not beside it")
        before = copy.read_bytes()
        if fingerprint(before) != facts["before"]:
            raise EntriesError(f"{copy.name} is no longer what the book was before the last step")
        replace_kept(path, now, before, None)
    return facts["what"], copy


def fingerprint(file: bytes) -> str:
    """What tells bytes from all others."""
    return hashlib.sha256(file).hexdigest()


def _fingerprint(parts: Mapping[str, bytes]) -> str:
    """The fingerprint of all parts but the one that tells the step."""
    total = hashlib.sha256()
    for name in sorted(parts.keys() - {PART}):
        total.update(f"{name} {fingerprint(parts[name])}\n".encode())
    return total.hexdigest()


def told_of(parts: Mapping[str, bytes], name: str = STEP) -> dict[str, str] | None:
    """What a property of a file tells of a step; None without one."""
    if PART not in parts:
        return None
    for element in from_bytes(parts[PART]).iterfind("{*}property"):
        if element.get("name") == name:
            try:
                facts = json.loads("".join(map(str, element.itertext())))
            except ValueError:
                return None
            whole = isinstance(facts, dict) and {"what", "copy", "before", "after"} <= facts.keys()
            return {key: str(value) for key, value in facts.items()} if whole else None
    return None


def telling(part: bytes | None, facts: Mapping[str, str], name: str = STEP) -> bytes:
    """The part of a file's properties, with one that tells of a step.

    >>> facts = dict.fromkeys(("what", "copy", "before", "after"), "")
    >>> b' pid="8"' in telling(b'<Properties><p pid="7"/><p pid="damaged"/></Properties>', facts)
    True
    """
    if part is None:
        raise EntriesError("its properties are missing: elo-xl new --from makes it again")
    root = from_bytes(part)
    element = next((e for e in root if e.get("name") == name), None)
    if element is None:
        numbers = (e.get("pid", "") for e in root)
        number = max((int(text) for text in numbers if text.isdecimal()), default=1) + 1
        element = etree.SubElement(
            root, f"{_PROPERTIES}property", fmtid=_SET, pid=str(number), name=name
        )
    for child in list(element):
        element.remove(child)
    text = etree.SubElement(element, f"{_TYPES}lpwstr", nsmap={"vt": _TYPES[1:-1]})
    # XML takes no half characters, which names have whose bytes are no text
    text.text = json.dumps(facts, ensure_ascii=not facts["copy"].isprintable())
    return to_bytes(root)
