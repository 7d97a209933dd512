"""Steps in a club's book that is open in Excel: the same work on what is on the screen.

Excel saves a copy of the book, that is read as any file, and what is to be written goes into the
cells in Excel. The copy stays beside the book under a dated name; it tells which step it was taken
before, and what was entered after it. So the step can be taken back as long as that is what the
book holds, saved or not. Nothing is saved here: that is up to the person who has the book open.
"""

from __future__ import annotations

import errno
import os
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

from elo_xl.books.identity import PART
from elo_xl.club.ledger import Ledger
from elo_xl.club.steps import Done, fingerprint, telling, told_of
from elo_xl.hosts.excel_addin.open_books import HalfWrittenError, OpenBook
from elo_xl.templates.opened import EntriesError
from elo_xl.xlsx.files import write_whole
from elo_xl.xlsx.in_place import UNREADABLE, with_parts
from elo_xl.xlsx.keep import backup_name, held

LIVE_STEP: Final = "Step in Excel"
"""The property of a copy that tells it."""


def step(
    book: OpenBook, what: str, work: Callable[[Ledger], Done], *, write: bool = True
) -> tuple[Done, Path]:
    """Do some work on an open book and write it there, with a dated copy beside its file.

    Gives what the work gives, and the copy. Without ``write``, and where the work changes nothing,
    nothing is written, and the copy is the book itself. Raises ExcelError where Excel refuses,
    OSError where another command is at work on the book or somebody has typed meanwhile,
    EntriesError and WorkbookError for what is no book of a club, and whatever the work raises: the
    book is as it was then.
    """
    target = Path(os.path.realpath(book.path))
    if not write:
        return work(Ledger(book.copied())), target
    with held(target):
        book.check()
        typed = book.typed()
        ledger = Ledger(book.copied())
        done = work(ledger)
        if not ledger.changes:
            return done, target
        after = _entered(Ledger(ledger.changed()))
        copy = backup_name(target, datetime.now())
        facts = {"what": what, "copy": copy.name, "before": _entered(ledger), "after": after}
        part = telling(ledger.parts.get(PART), facts, LIVE_STEP)
        write_whole(copy, with_parts(ledger.file, {PART: part}), like=target)
        try:
            if book.typed() != typed:
                raise OSError(
                    errno.EBUSY,
                    "somebody has changed it in Excel in the meantime: start again",
                    os.fspath(book.path),
                )
            book.write(ledger.changes)
        except HalfWrittenError:
            raise
        except BaseException:
            copy.unlink(missing_ok=True)  # it tells of a step that was not taken
            raise
    return done, copy


def undo(book: OpenBook) -> tuple[str, Path]:
    """Take the last step back in an open book; returns what it was, and the copy that tells it.

    Raises EntriesError where there is none, or where something else was entered since; otherwise
    as :func:`step` does, which is how it is done: that, too, leaves a copy.
    """

    def back(now: Ledger) -> tuple[str, Path]:
        entered = _entered(now)
        newest = None
        for copy, facts in _copies(book.path):
            newest = newest or (copy, facts)
            if facts["after"] == entered and facts["before"] != entered:
                now.go_back(Ledger(copy.read_bytes()))
                return facts["what"], copy
        if newest is None:
            raise EntriesError(
                "there is no step to take back: beside it is no copy from a step in Excel"
            )
        raise EntriesError(
            "something else was entered after the last step in Excel "
            f"({newest[1]['what']}), and that would be lost: what the book was before is "
            f"{newest[0].name}"
        )

    return step(book, "undo", back)[0]


def _entered(book: Ledger) -> str:
    """The fingerprint of all that is entered in a book."""
    return fingerprint("\n".join(f"{key} {text}" for key, text in sorted(book.texts().items()))
                       .encode("utf-8", "surrogatepass"))  # fmt: skip


def _copies(path: Path) -> list[tuple[Path, dict[str, str]]]:
    """The copies beside a book that were taken before a step in Excel, the newest first."""
    copies = []
    for copy in path.parent.glob("*"):
        if copy.suffix != path.suffix or not copy.name.startswith(f"{path.stem} ("):
            continue
        try:
            with zipfile.ZipFile(copy) as archive:
                facts = told_of({PART: archive.read(PART)}, LIVE_STEP)
            changed = copy.stat().st_mtime_ns
        except (OSError, KeyError, *UNREADABLE):
            continue
        if facts is not None and facts["what"] != "undo":
            copies.append((changed, copy, facts))
    return [
        (copy, facts) for _, copy, facts in sorted(copies, key=lambda one: one[0], reverse=True)
    ]
