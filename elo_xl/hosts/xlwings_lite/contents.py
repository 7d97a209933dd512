"""What a workbook holds for xlwings Lite: ``main.py``, ``requirements.txt`` and settings."""

from __future__ import annotations

import re
from typing import Any, Final

import elo_xl

MAIN: Final = """\
import xlwings
from elo_xl.hosts.xlwings_udfs import bind
bind(globals(), xlwings)
"""
"""Our code in ``main.py``."""

REQUIREMENTS: Final = ("xlwings>=0.37,<1", f"elo-xl>={elo_xl.__version__}")
"""Our lines in ``requirements.txt``."""

SETTINGS: Final = {"startupBehavior": "taskpane"}  # otherwise the functions wait for a click

#: Our code as any version wrote it.
_OURS: Final = re.compile(
    r"^import xlwings\r?\nfrom elo_xl\.hosts\.xlwings_udfs import bind\r?\n"
    r"bind\(globals\(\), xlwings\)(?:\r?\n|\Z)",
    re.MULTILINE,
)

#: Lines of ``requirements.txt`` as any version wrote them, and what in somebody's code needs them.
_LINES: Final = {"xlwings>=0.37,<1": r"\S"}


def with_main(found: str) -> str:
    """Somebody's ``main.py`` with our code at its end.

    >>> with_main("x = 1\\n") == "x = 1\\n\\n" + MAIN
    True
    """
    own = without_main(found)
    return f"{own.rstrip()}\n\n{MAIN}" if own else MAIN


def without_main(found: str) -> str:
    """``main.py`` without our code; empty if nothing else is in it.

    >>> without_main("x = 1\\n\\n" + MAIN), without_main(MAIN)
    ('x = 1\\n', '')
    """
    if not _OURS.search(found):
        return found
    parts = filter(None, (part.strip("\r\n") for part in _OURS.split(found)))
    rest = "\n\n".join(parts)
    return f"{rest}\n" if rest else ""


def with_requirements(found: str) -> str:
    """Somebody's ``requirements.txt`` with what our code needs and it lacks."""
    lines = found.splitlines()
    there = {_package(line) for line in lines}
    missing = [need for need in REQUIREMENTS if _package(need) not in there]
    return "\n".join((*lines, *missing, "")) if missing else found


def without_requirements(found: str, main: str) -> str:
    """``requirements.txt`` without our lines, except for those that the rest of the code needs.

    >>> without_requirements("xlwings>=0.37,<1\\nelo-xl>=0.1.0\\npandas\\n", "")
    'pandas\\n'
    """
    lines = found.splitlines()
    kept = [line for line in lines if not _leaves(line.strip(), main)]
    return found if kept == lines else "".join(f"{line}\n" for line in kept)


def is_bookkeeping(name: str, value: Any) -> bool:
    """Whether a property holds nothing of a person's: our own, or what Lite notes for itself."""
    if name in ("main.py", "requirements.txt"):
        return not str(value or "").strip()
    return name in _NOTES or name.startswith("Office.")


_NOTES: Final = ("xlwingsSettingsWorkbook", "xlwingsWorkbookId", "pyodideVersion", "addinVersion")


def _leaves(line: str, main: str) -> bool:
    if _package(line) in ("elo-xl", "elo_xl"):
        return True
    return line in _LINES and not re.search(_LINES[line], main)


def _package(line: str) -> str:
    return re.split(r"[^\w.-]", line.strip(), maxsplit=1)[0].lower()
