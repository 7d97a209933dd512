"""Where a program keeps what is the user's own."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder(variable: str, name: str) -> Path:
    """The folder that an environment variable names, or one of that name in the place for data of
    programs on this system. It need not be there."""
    if path := os.environ.get(variable):
        return Path(path)
    # an unknown home is no folder within the current one
    home = Path(os.path.abspath(os.sep), os.path.expanduser("~"))
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home)
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "elo-xl" / name
