"""What a workbook holds for xlwings Lite: ``main.py``, ``requirements.txt`` and settings."""

from __future__ import annotations

import base64
import bz2
import io
import re
import zipfile
from functools import cache
from hashlib import sha256
from typing import Final

from elo_xl import __version__
from elo_xl.functions.carried import carried
from elo_xl.xlsx.opc import EARLIEST

REQUIREMENTS: Final = ("xlwings", "numpy", "scipy")
"""Our lines in ``requirements.txt``; Pyodide has one build of each of the last two, so no pins."""

SETTINGS: Final = {"startupBehavior": "taskpane"}  # otherwise the functions wait for a click

_BEGIN: Final = "# >>> elo_xl"
_END: Final = "# <<< elo_xl"

#: Our code as any version wrote it: at first three lines, since then what is between two comments.
_OURS: Final = re.compile(
    rf"^{_BEGIN}\b.*?^{_END}\b[^\n]*(?:\n|\Z)"
    r"|^import xlwings\r?\nfrom elo_xl\.hosts\.xlwings_udfs import bind\r?\n"
    r"bind\(globals\(\), xlwings\)[^\n]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)

_MAIN: Final = f"""\
{_BEGIN} {__version__}: "elo-xl addin lite" wrote this; it also renews it and takes it out >>>
def _elo_xl(source):
    import base64, bz2, os, sys, tempfile
    import xlwings

    engine = os.path.join(tempfile.gettempdir(), "elo_xl-{{digest}}.zip")
    with open(engine, "wb") as file:
        file.write(bz2.decompress(base64.b64decode(source)))
    if engine not in sys.path:
        sys.path.insert(0, engine)
    from elo_xl.hosts.xlwings_udfs import bind

    bind(globals(), xlwings)


# The functions themselves: a zip file of Python modules, compressed and in letters.
_elo_xl('''
{{source}}
''')
del _elo_xl
{_END} <<<
"""

#: Characters in a line of our code; Lite's editor shows lines of less than 10,000.
_WIDTH: Final = 2000

#: Lines of ``requirements.txt`` as any version wrote them, and what in somebody's code needs them.
_LINES: Final = {
    "xlwings": r"\S",
    "xlwings>=0.37,<1": r"\S",
    "numpy": r"\bnumpy\b",
    "scipy": r"\bscipy\b",
}


@cache
def engine_zip() -> bytes:
    """A zip file of all modules that the functions import, and of the tables that they read.

    The same version of elo_xl always gives the same bytes. Nothing in the file is compressed: it
    is smaller if it is compressed as a whole.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, file in sorted(carried("elo_xl.hosts.xlwings_udfs").items()):
            info = zipfile.ZipInfo(name, EARLIEST)
            info.create_system = 0  # otherwise the bytes would differ between Windows and Linux
            archive.writestr(info, file.read_bytes().replace(b"\r\n", b"\n"))
    return buffer.getvalue()


@cache
def main() -> str:
    """Our code in ``main.py``: it unpacks what the functions need and binds them.

    Nothing but :data:`REQUIREMENTS` has to be installed where it runs.
    """
    engine = engine_zip()
    letters = base64.b64encode(bz2.compress(engine)).decode("ascii")
    lines = [letters[i : i + _WIDTH] for i in range(0, len(letters), _WIDTH)]
    return _MAIN.format(digest=sha256(engine).hexdigest()[:12], source="\n".join(lines))


def with_main(found: str) -> str:
    """Somebody's ``main.py`` with our code at its end.

    >>> with_main("x = 1\\n") == "x = 1\\n\\n" + main()
    True
    """
    own = without_main(found)
    return f"{own.rstrip()}\n\n{main()}" if own.strip() else main()


def without_main(found: str) -> str:
    """``main.py`` without our code; empty if nothing else is in it.

    >>> without_main("x = 1\\n\\n" + main()), without_main(main())
    ('x = 1\\n', '')
    """
    if not _OURS.search(found):
        return found
    parts = filter(None, (part.strip("\r\n") for part in _OURS.split(found)))
    rest = "\n\n".join(parts)
    return f"{rest}\n" if rest else ""


def with_requirements(found: str) -> str:
    """Somebody's ``requirements.txt`` with what our code needs and it lacks.

    >>> with_requirements("pandas\\nxlwings==0.37.8\\nelo-xl>=0.1.0\\n")
    'pandas\\nxlwings==0.37.8\\nnumpy\\nscipy\\n'
    """
    lines = [line for line in found.splitlines() if _package(line) not in _ITSELF]
    there = {_package(line) for line in lines}
    missing = [need for need in REQUIREMENTS if _package(need) not in there]
    wanted = [*lines, *missing]
    return found if wanted == found.splitlines() else "".join(f"{line}\n" for line in wanted)


def without_requirements(found: str, main: str) -> str:
    """``requirements.txt`` without our lines, except for those that the rest of the code needs.

    >>> without_requirements("xlwings>=0.37,<1\\nelo-xl>=0.1.0\\npandas\\n", "")
    'pandas\\n'
    """
    lines = found.splitlines()
    kept = [line for line in lines if not _leaves(line.strip(), main)]
    return found if kept == lines else "".join(f"{line}\n" for line in kept)


def is_bookkeeping(name: str, value: object) -> bool:
    """Whether a property holds nothing of a person's: our own, or what Lite notes for itself."""
    if name in ("main.py", "requirements.txt"):
        return not str(value or "").strip()
    return name in _NOTES or name.startswith("Office.")


#: What an earlier version had installed, though no index had it.
_ITSELF: Final = ("elo-xl", "elo_xl")

#: What Lite notes for itself.
_NOTES: Final = ("xlwingsSettingsWorkbook", "xlwingsWorkbookId", "pyodideVersion", "addinVersion")


def _leaves(line: str, main: str) -> bool:
    if _package(line) in _ITSELF:
        return True
    return line in _LINES and not re.search(_LINES[line], main)


def _package(line: str) -> str:
    return re.split(r"[^\w.-]", line.strip(), maxsplit=1)[0].lower()
