"""Long work: it tells how far it is, and Ctrl-C stops it, but never within what has to be whole."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

Item = TypeVar("Item")
Listener = Callable[[int, str], None]
"""called with how many things of which kind are done"""

STOPPED: Final = 130
"""The exit code of a command that Ctrl-C has stopped."""
_EVERY: Final = 5000
_AGAIN: Final = 1.0
"""Seconds in which a second Ctrl-C does not disturb what clears up after the first one."""


class Stopped(BaseException):
    """Somebody has pressed Ctrl-C."""


class _State:
    listener: Listener | None = None
    held = 0
    asked = False
    last = float("-inf")
    written: list[str]


_now: Final = _State()
_now.written = []


# -- how far it is --------------------------------------------------------------------------------


def counted(things: Iterable[Item], kind: str, every: int = _EVERY) -> Iterator[Item]:
    """The same things, telling the listener now and then how many there were.

    >>> with listening(lambda count, kind: print(count, kind)):
    ...     sum(counted(range(12_000), "rows"))
    5000 rows
    10000 rows
    71994000
    """
    listener = _now.listener
    if listener is None:
        yield from things
        return
    for count, thing in enumerate(things, start=1):
        if not count % every:
            listener(count, kind)
        yield thing


def tell(count: int, kind: str) -> None:
    """Tell the listener how many things of which kind are done."""
    if _now.listener is not None:
        _now.listener(count, kind)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Be told how far work is."""
    before, _now.listener = _now.listener, listener
    try:
        yield
    finally:
        _now.listener = before


# -- Ctrl-C ---------------------------------------------------------------------------------------


def stop_at_ctrl_c() -> None:
    """From now on Ctrl-C raises :class:`Stopped`, which no handler of other errors catches."""
    signal.signal(signal.SIGINT, _ask)


def _ask(*_: object) -> None:
    if _now.held:
        _now.asked = True
        return
    now = time.monotonic()
    if now - _now.last > _AGAIN:
        _now.last = now
        raise Stopped


def stopping() -> bool:
    """Whether Ctrl-C was pressed, whatever another package has made of :class:`Stopped`."""
    return _now.last > float("-inf")


@contextmanager
def whole() -> Iterator[None]:
    """Carry something out to its end; Ctrl-C stops the command after it."""
    _now.held += 1
    try:
        yield
    finally:
        _now.held -= 1
    if _now.asked and not _now.held:
        _now.asked = False
        raise Stopped


def written(path: object) -> None:
    """Remember what a command has written."""
    _now.written.append(str(path))


def all_written() -> list[str]:
    """The names of what a command has written so far."""
    return list(_now.written)
