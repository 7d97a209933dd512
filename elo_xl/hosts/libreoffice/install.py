"""Install and uninstall the add-in with LibreOffice's own unopkg."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import elo_xl
from elo_xl.hosts.libreoffice.build import IDENTIFIER, build
from elo_xl.hosts.libreoffice.wheels import OfficeError, ask, fetch

LIMIT: Final = 300
"""The number of seconds after which unopkg is considered stuck."""


@dataclass(frozen=True)
class Office:
    """An installed LibreOffice (an :class:`.Installation`): the folder with its programs."""

    programs: Path

    @property
    def unopkg(self) -> Path:
        return self.programs / ("unopkg.com" if os.name == "nt" else "unopkg")

    @property
    def python(self) -> Path:
        """The Python inside LibreOffice: its own, or the system's that it is linked with."""
        own = [
            self.programs / "python.exe",
            self.programs / "python",
            self.programs.parent / "Resources" / "python",
        ]
        for python in own:
            if python.is_file():
                return python
        bridge = self.programs / "libpyuno.so"
        linked = re.search(rb"libpython(3\.\d+)", bridge.read_bytes()) if bridge.exists() else None
        if linked is None:
            raise OfficeError(
                f"the LibreOffice in {self.programs} has no Python: install its Python support "
                "(python3-uno)"
            )
        return Path("/usr/bin", f"python{linked[1].decode()}")

    def install(self) -> Iterator[str]:
        """Build the add-in for this LibreOffice and install it."""
        _refuse_root()
        target, complete = ask(self.python)
        with tempfile.TemporaryDirectory() as work:
            folders = {}
            what = f"its Python {target.version} has NumPy and SciPy"
            if not complete:
                folders = {target.folder: Path(work, "wheels")}
                came = fetch(target, folders[target.folder])
                what = f"with {' and '.join(came)} for its Python {target.version}"
            addin = build(Path(work), folders)
            self._unopkg("add", "--force", "--suppress-license", str(addin))
        yield f"elo_xl installed in {self.programs}; {what}. Restart LibreOffice."

    def uninstall(self) -> Iterator[str]:
        """Uninstall the add-in."""
        _refuse_root()
        self._unopkg("remove", IDENTIFIER)
        yield f"elo_xl removed from {self.programs}. Restart LibreOffice."

    def status(self) -> Iterator[str]:
        """Report which Python LibreOffice has, and which version of the add-in."""
        _refuse_root()
        target, complete = ask(self.python)
        has = "has" if complete else "lacks"
        yield f"LibreOffice in {self.programs}: its Python {target.version} {has} NumPy and SciPy"
        found = re.search(rf"{IDENTIFIER}\s+Version: (\S+)", self._unopkg("list"))
        if found is None:
            yield "no add-in: run `elo-xl addin libreoffice --install`"
        else:
            yield f"add-in of elo-xl {found[1]}; this is elo-xl {elo_xl.__version__}"

    def _unopkg(self, *arguments: str) -> str:
        """What unopkg prints."""
        foreign = ("PYTHONPATH", "PYTHONHOME")
        kept = {name: value for name, value in os.environ.items() if name not in foreign}
        try:
            done = subprocess.run(
                [self.unopkg, *arguments],
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                env=kept,
                timeout=LIMIT,
            )
        except subprocess.TimeoutExpired:
            raise OfficeError(f"unopkg needed more than {LIMIT} s and was ended") from None
        if done.returncode:
            raise OfficeError(f"unopkg: {_reason(done.stderr) or f'ended with {done.returncode}'}")
        return done.stdout


def find_office(soffice: Path | None = None) -> Office:
    """The LibreOffice to use: that of ``soffice``, or the first one found."""
    for found in [soffice] if soffice else _candidates():
        programs = found.resolve().parent
        office = Office(programs)
        if office.unopkg.is_file():
            return office
    if soffice:
        raise OfficeError(f"there is no unopkg beside {soffice}")
    raise OfficeError("LibreOffice was not found; name its soffice with --soffice")


def _candidates() -> Iterator[Path]:
    for name in (os.environ.get("ELO_XL_SOFFICE"), shutil.which("soffice")):
        if name:
            yield Path(name)
    yield Path("/Applications/LibreOffice.app/Contents/MacOS/soffice")
    for folder in (os.environ.get("PROGRAMFILES"), os.environ.get("PROGRAMFILES(X86)")):
        if folder:
            yield Path(folder, "LibreOffice", "program", "soffice.exe")
    yield from sorted(Path("/opt").glob("libreoffice*/program/soffice"), reverse=True)


def _refuse_root() -> None:
    if sys.platform != "win32" and os.geteuid() == 0:
        raise OfficeError(
            "LibreOffice installs no add-ins for root: run this as the user who works with it"
        )


def _reason(said: str) -> str:
    """The error that unopkg reports, in one line.

    >>> _reason("ERROR: Exception occurred: There is no such extension\\n\\nERROR: unopkg failed.")
    'There is no such extension'
    """
    lines = [re.sub(r"^(ERROR: )?(Exception occurred: )?", "", line) for line in said.splitlines()]
    return " ".join(line for line in lines if line and line != "unopkg failed.")
