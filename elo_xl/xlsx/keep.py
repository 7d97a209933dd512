"""Change a workbook that people keep: one command at a time, with a dated copy beside it."""

from __future__ import annotations

import errno
import os
import re
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final

from elo_xl.progress import whole
from elo_xl.xlsx.files import check_free, clear_unfinished, unfinished, write_whole

WAIT: Final = 20.0
"""Seconds that a command waits for another one to finish with the same book."""

STALE: Final = 3600.0
"""Seconds after which a lock is stale: no command is at work on a book for so long."""

_BACKUP: Final = re.compile(
    r"""(.+) \(\d{4}-\d\d-\d\d \d{4}(-\d{1,4})?\)(.*)""", re.ASCII | re.DOTALL
)
_ANYWHERE: Final = re.compile(r"""[^/\\:*?"<>|\0-\x1f\ud800-\udfff]{1,200}""")
"""A name that is none but that of a file, whatever the system."""


def copies(path: Path) -> list[Path]:
    """The dated copies that lie beside a workbook.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     book = Path(folder, "club.xlsx")
    ...     for name in ("club.xlsx", "club (2026-03-07 1805).xlsx", "club (1).xlsx"):
    ...         book.with_name(name).touch()
    ...     [copy.name for copy in copies(book)]
    ['club (2026-03-07 1805).xlsx']
    """
    target = Path(os.path.realpath(path))
    begin = f"{target.stem} ("
    return sorted(
        file
        for file in target.parent.iterdir()
        if file.name.startswith(begin) and is_backup(file.name, target)
    )


@contextmanager
def held(path: Path, wait: float = WAIT) -> Iterator[None]:
    """Keep other commands off a workbook; they find a lock file beside it that says who has it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with held(Path(folder, "club.xlsx")):
    ...         print(*os.listdir(folder))
    ...     os.listdir(folder)
    .club.xlsx.elo-xl
    []

    The lock of a process that was killed is taken over: at once on the same machine, after an hour
    from another one. Raises OSError where another command still has the workbook after ``wait``
    seconds.
    """
    target = Path(os.path.realpath(path))
    lock = target.with_name(f".{target.name}.elo-xl")
    mine = f"{os.getpid()} {socket.gethostname()} {secrets.token_hex(8)}"
    until = time.monotonic() + wait
    while not _taken(lock, mine):
        owner = _owner(lock)
        if owner is not None and (_ended(owner) or _stale(lock)):
            _remove(lock, owner)
        elif time.monotonic() > until:
            number, host, *_ = (*(owner or "").split(), "", "")
            who = f"process {number} on {host}" if host else "another process"
            raise OSError(
                errno.EBUSY,
                f"{who} of elo-xl is at work on it: wait until it has finished; if there "
                f"is none, delete {lock.name} beside it",
                os.fspath(path),
            )
        else:
            time.sleep(0.05)
    try:
        _clear(target, lock)
        yield
    finally:
        _remove(lock, mine)


def _clear(target: Path, lock: Path) -> None:
    """Remove what commands that were killed have left beside a workbook."""
    begin, end = f"{target.stem} (", f"){target.suffix}"  # a copy of it
    clear_unfinished(target.parent, lambda name: name.startswith(begin) and name.endswith(end))
    for aside in target.parent.glob(".*.old"):
        if aside.name.startswith(f"{lock.name}.") and _ended(_owner(aside) or ""):
            aside.unlink(missing_ok=True)


def _taken(lock: Path, mine: str) -> bool:
    """Make the lock file, with its content at once, unless there is one."""
    with unfinished(lock) as draft:
        draft.write_text(mine, "utf-8")
        try:
            os.link(draft, lock)
        except FileExistsError:
            return False
        except OSError:  # a volume without links
            try:
                with open(lock, "x", encoding="utf-8") as file:
                    file.write(mine)
            except FileExistsError:
                return False
        return True


def _owner(lock: Path) -> str | None:
    try:
        return lock.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        return ""


def _ended(owner: str) -> bool:
    """Whether the process that a lock names ran on this machine and has ended."""
    number, host, *_ = (*owner.split(), "", "")
    if host != socket.gethostname() or not number.isdecimal():
        return False
    if os.name == "nt":
        return _ended_on_windows(int(number))
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def _stale(lock: Path) -> bool:
    """Whether a lock is older than any work, by the clock of the disk on which it lies."""
    with unfinished(lock) as draft, suppress(OSError):
        draft.touch()
        return draft.stat().st_mtime - lock.stat().st_mtime > STALE
    return False


def _ended_on_windows(number: int) -> bool:
    import ctypes

    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
    handle = kernel.OpenProcess(0x0010_0000, False, number)  # SYNCHRONIZE
    if not handle:
        return True
    ended: bool = kernel.WaitForSingleObject(handle, 0) == 0
    kernel.CloseHandle(handle)
    return ended


def _remove(lock: Path, owner: str) -> None:
    """Remove the lock of an owner, and no other that has come in its place."""
    aside = lock.with_name(f"{lock.name}.{secrets.token_hex(4)}.old")
    try:
        os.rename(lock, aside)
    except OSError:
        return
    if _owner(aside) != owner:
        with suppress(OSError):
            os.link(aside, lock)
    aside.unlink(missing_ok=True)


def backup_name(path: Path, now: datetime) -> Path:
    """A free name beside a workbook for the copy of this minute.

    >>> backup_name(Path("no such folder/club.xlsx"), datetime(2026, 11, 22, 10, 30)).name
    'club (2026-11-22 1030).xlsx'
    """
    stem = f"{path.stem} ({now:%Y-%m-%d %H%M}"
    names = (path.with_name(f"{stem}{'' if n == 1 else f'-{n}'}){path.suffix}") for n in count(1))
    return next(name for name in names if not name.exists())


def is_backup(name: str, path: Path) -> bool:
    """Whether a text, which a workbook may hold, is the name of such a copy of it, and no path.

    >>> book = Path("What?.xlsx")
    >>> is_backup("What? (2026-11-22 1030-2).xlsx", book)  # as the book itself is called
    True
    >>> is_backup("old (2026-11-22 1030).xlsx", book)  # as it was called once
    True
    >>> is_backup("../What? (2026-11-22 1030).xlsx", book)
    False
    """
    named = _BACKUP.fullmatch(name)
    return named is not None and (
        (named[1], named[3]) == (path.stem, path.suffix)
        or (_ANYWHERE.fullmatch(named[1]) is not None and named[3].lower() in (".xlsx", ".xlsm"))
    )


def kept_copy(path: Path) -> Path:
    """The dated copy of what a workbook is now; it is made where there is none."""
    content = path.read_bytes()
    for copy in copies(path):
        if copy.stat().st_size == len(content) and copy.read_bytes() == content:
            return copy
    copy = backup_name(Path(os.path.realpath(path)), datetime.now())
    write_whole(copy, content, like=path)
    return copy


def replace_kept(path: Path, old: bytes, new: bytes, backup: Path | None) -> None:
    """Write a workbook again, after a copy of what it was; where it cannot be written, that goes.

    Killed at any moment, either file is there whole. Raises OSError where the workbook is no longer
    what was read as ``old``, or cannot be written (:func:`~elo_xl.xlsx.files.write_whole`).
    """
    with whole():
        check_free(path)
        if backup is not None:
            write_whole(backup, old, like=path)
        try:
            if path.read_bytes() != old:
                what = "somebody has changed it in the meantime: start again"
                raise OSError(errno.EBUSY, what, os.fspath(path))
            write_whole(path, new)
        except OSError:
            if backup is not None and path.read_bytes() == old:
                backup.unlink()
            raise


def change_kept(path: Path, change: Callable[[bytes], bytes]) -> tuple[bytes, Path | None]:
    """Change a workbook where it is, alone and with a dated copy beside it.

    Gives what it is now, and the copy; None where nothing has changed. Raises OSError as
    :func:`held` and :func:`replace_kept`, and what ``change`` raises.
    """
    target = Path(os.path.realpath(path))
    with held(target):
        check_free(path)
        old = path.read_bytes()
        new = change(old)
        if new == old:
            return new, None
        copy = backup_name(target, datetime.now())
        replace_kept(path, old, new, copy)
    return new, copy
