"""Write a file whole or not at all, and never one that somebody has open elsewhere."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Final, TextIO

from elo_xl.progress import whole, written

try:
    import fcntl
except ImportError:  # Windows
    _LOCKS = False
else:
    _LOCKS = True

_KINDS: Final = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_REFUSED: Final = (errno.EACCES, errno.EPERM, errno.EROFS)
_EXCEL_NAME: Final = 57
"""Where the name of the user begins in Excel's lock file: UTF-16, its length two bytes before."""
_MOST_OF_LOCK: Final = 2000
"""Bytes of a lock file that are looked at; that of a program has 200."""
_UNFINISHED: Final = re.compile(r"\.(.+)\.[0-9a-f]{8}\.tmp")
_OLD: Final = 3600.0
"""Seconds after which nobody works any more on an unfinished file that nobody can lock."""
_FIELD: Final = re.compile(r"((?:\\.|[^,\\])*),")
"""A field of LibreOffice's lock file, in which a backslash stands before a comma of a name."""

STANDARD: Final = Path("-")
"""What stands for standard output where a command names the file that it writes."""

_standard: list[TextIO] = []


@contextmanager
def to_standard_output() -> Iterator[None]:
    """Have nothing but the file on standard output; what is said goes to standard error."""
    _standard.append(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _standard.pop()


def is_standard(path: str | os.PathLike[str]) -> bool:
    """Whether a file is standard output, inside of :func:`to_standard_output`."""
    return bool(_standard) and os.fspath(path) == os.fspath(STANDARD)


def write_whole(
    path: str | os.PathLike[str],
    content: bytes,
    *,
    through: Path | None = None,
    like: Path | None = None,
) -> None:
    """Write a file beside its final place, then move it there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/notes.txt", b"all or nothing")
    ...     Path(folder, "notes.txt").read_bytes()
    b'all or nothing'

    ``through`` is a folder of the same volume for the unfinished file, where a program opens every
    file that lies beside ``path``. A new file may be read by whom ``like`` may be read, a file of
    which it is a copy. A failure leaves no file behind and an existing one as it was.

    Raises OSError naming ``path``, also where it is a device or a pipe, or is open in Excel or
    LibreOffice.
    """
    if is_standard(path):
        if _standard[-1].isatty() and b"\0" in content:
            told = "a terminal cannot show such a file: send it on with > or |"
            raise OSError(errno.EINVAL, told, "standard output")
        _standard[-1].buffer.write(content)
        _standard[-1].flush()
        return
    target = Path(os.path.realpath(path))
    try:
        _check(path, target)
        model = target if target.exists() or like is None else like
        with whole(), unfinished(target, through, model) as draft:
            # Not tempfile: its files are private, while a new file follows the user's umask.
            with open(draft, "r+b") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if draft.read_bytes() != content:
                raise OSError(errno.EIO, "what was written there cannot be read back")
            if model.exists():
                shutil.copymode(model, draft)
            os.replace(draft, target)
            written(path)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from error


@contextmanager
def unfinished(
    target: Path, folder: Path | None = None, model: Path | None = None
) -> Iterator[Path]:
    """An empty file to be written and then moved to ``target``; it is removed if it is not moved.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with unfinished(Path(folder, "notes.txt")) as draft:
    ...         _ = draft.replace(Path(folder, "notes.txt"))
    ...     os.listdir(folder)
    ['notes.txt']

    It lies in the same folder, or in ``folder``, and nobody can read it who cannot read ``model``.
    What a process that was killed has left of such files is removed first.
    """
    place = folder or target.parent
    clear_unfinished(place, target.name.__eq__)
    draft = place / f".{target.name}.{secrets.token_hex(4)}.tmp"
    known = model is not None and model.exists()
    mode = stat.S_IMODE(model.stat().st_mode) | 0o600 if model and known else 0o666
    try:
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            if _LOCKS:  # it tells others that somebody is at work on it
                with suppress(OSError):
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield draft
        if not _LOCKS:  # Windows moves no file that is open
            yield draft
    except OSError as error:
        if error.errno in _REFUSED and error.filename == str(draft):
            what = "the folder may not be written"
            raise type(error)(error.errno, what, str(place)) from error
        raise
    finally:
        with suppress(OSError):  # a disk that may only be read says so of files that are not there
            draft.unlink(missing_ok=True)


def clear_unfinished(folder: Path, ours: Callable[[str], bool]) -> None:
    """Remove unfinished files that nobody works on any more, for targets of these names."""
    for left in folder.glob(".*.tmp"):
        named = _UNFINISHED.fullmatch(left.name)
        if named is not None and ours(named[1]):
            with suppress(OSError):
                if stat.S_ISREG(left.lstat().st_mode) and _abandoned(left):
                    left.unlink()


def _abandoned(draft: Path) -> bool:
    old = time.time() - draft.stat().st_mtime > _OLD
    if old or not _LOCKS:
        return old
    with open(draft, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def check_free(path: str | os.PathLike[str]) -> None:
    """Refuse a file that :func:`write_whole` would not write, as it does, before any work."""
    try:
        _check(path, Path(os.path.realpath(path)))
    except OSError as error:
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from error


def _check(path: str | os.PathLike[str], target: Path) -> None:
    _check_kind(target)
    _check_locks(Path(path), target)
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _check_kind(target: Path) -> None:
    """Refuse what would stop being a device or a pipe if a file took its place."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return
    for is_kind, kind in _KINDS:
        if is_kind(mode):
            raise OSError(errno.EINVAL, f"it is {kind}, not a file: choose another name")


def _check_locks(*names: Path) -> None:
    """Refuse a file beside which an office program says that somebody has it open."""
    for path in dict.fromkeys(names):
        for program, name, owner in (
            ("Excel", f"~${path.name}", _owner_by_excel),
            ("LibreOffice", f".~lock.{path.name}#", _owner_by_libreoffice),
        ):
            lock = path.with_name(name)
            if path.is_file() and lock.is_file():
                who = owner(lock) or "somebody"
                raise OSError(
                    errno.EBUSY,
                    f"{who} has it open in {program}: close it there, or choose another "
                    f"name; if nobody has it open any more, delete {name} beside it",
                )


def _owner_by_excel(lock: Path) -> str:
    """The user whom Excel's lock file names; empty if it cannot be read."""
    held = _read(lock)
    if len(held) < _EXCEL_NAME:
        return ""
    length = int.from_bytes(held[_EXCEL_NAME - 2 : _EXCEL_NAME], "little")
    return _printable(held[_EXCEL_NAME : _EXCEL_NAME + 2 * length].decode("utf-16-le", "replace"))


def _owner_by_libreoffice(lock: Path) -> str:
    """The user whom LibreOffice's lock file names: as they told it, or else their login."""
    fields = _FIELD.findall(_read(lock).decode("utf-8", "replace"))
    names = (_printable(re.sub(r"\\(.)", r"\1", field)) for field in fields[:2])
    return next(filter(None, names), "")


def _read(lock: Path) -> bytes:
    try:
        with open(lock, "rb") as file:
            return file.read(_MOST_OF_LOCK)
    except OSError:  # Excel on Windows lets nobody read it
        return b""


def _printable(name: str) -> str:
    return "".join(c for c in name if c.isprintable()).strip()
