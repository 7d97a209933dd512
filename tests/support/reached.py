"""Which paths, hosts and programs Python code reaches for."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from unittest import mock

ROOT: Final = Path(__file__).parents[2]
OWN: Final = tuple({Path(place).resolve() for place in (sys.prefix, sys.base_prefix, ROOT)})
"""Where Python and the package are."""

_FILES: Final = frozenset(
    ("open", "os.listdir", "os.scandir", "os.mkdir", "os.remove", "os.rename", "sqlite3.connect")
)
_ELSEWHERE: Final = ("socket.", "subprocess.", "urllib.", "webbrowser.", "os.system", "os.exec",
                     "os.posix_spawn", "os.startfile", "ctypes.dlopen")  # fmt: skip
_SILENT: Final = ("stat", "lstat", "access", "readlink")
"""What looks at a path without an audit event."""


class _Watch:
    reached: list[str] | None = None

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.reached is None:
            return
        if event in _FILES and not isinstance(arguments[0], int):
            self.reached.append(os.fsdecode(arguments[0]))
        elif event.startswith(_ELSEWHERE):
            self.reached.append(f"{event}{arguments}")


_watch: Final = _Watch()
_installed: Final[list[bool]] = []


@contextmanager
def trap(*allowed: Path) -> Iterator[list[str]]:
    """What is reached for outside these files and folders, Python and the package."""
    if not _installed:  # a hook stays for good
        sys.addaudithook(_watch)
        _installed.append(True)
    found: list[str] = []
    seen: list[str] = []
    with ExitStack() as watched:
        for name in _SILENT:
            watched.enter_context(mock.patch.object(os, name, _told(getattr(os, name))))
        _watch.reached = seen
        try:
            yield found
        finally:
            _watch.reached = None
    fine = (*OWN, *(path.resolve() for path in allowed))
    found += [path for path in dict.fromkeys(seen) if not _within(path, fine)]


def _told(real: Callable[..., Any]) -> Callable[..., Any]:
    def looked(path: Any, *args: Any, **kwargs: Any) -> Any:
        if _watch.reached is not None and not isinstance(path, int):
            _watch.reached.append(os.fsdecode(path))
        return real(path, *args, **kwargs)

    return looked


def _within(path: str, fine: tuple[Path, ...]) -> bool:
    """Whether a path is one of these, within one, or above one, as a look for links passes."""
    try:
        real = Path(os.path.normpath(Path.cwd() / path))
    except ValueError:
        return False
    return any(real == one or one in real.parents or real in one.parents for one in fine)
