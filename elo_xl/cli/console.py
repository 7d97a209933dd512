"""What the commands print with."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


def console() -> Console:
    """Standard output, as wide as the terminal."""
    terminal = Console(highlight=False)
    # Where no terminal sets the width nothing should be cut off.
    return terminal if terminal.is_terminal else Console(highlight=False, width=160)


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Say on a terminal what takes more than a second."""
    terminal = Console(stderr=True)
    status = terminal.status(f"{what} …")
    timer = threading.Timer(1.0, status.start)
    if terminal.is_terminal:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
        status.stop()
