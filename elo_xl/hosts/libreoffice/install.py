"""Install and uninstall the add-in with LibreOffice's own unopkg.

LibreOffice's own Python on Windows and macOS has no pip: NumPy and SciPy go into the add-in.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import elo_xl
from elo_xl.hosts.libreoffice.build import IDENTIFIER, build

REQUIREMENTS: Final = ("numpy>=2.0.2", "scipy>=1.13.1")
"""The packages that the engine needs, as in pyproject.toml."""

OLDEST_PYTHON: Final = (3, 10)

_OLDEST_GLIBC: Final = 17
"""The oldest glibc for which wheels are built, 2.17."""

# This runs in the Python in question; the last line that it prints is the answer.
_QUESTION: Final = """
import json, platform, sys, sysconfig
try:
    import numpy, scipy.special
    has = [numpy.__version__, scipy.__version__]
except Exception:
    has = []
print(json.dumps({
    "version": list(sys.version_info[:2]),
    "platform": sysconfig.get_platform(),
    "machine": platform.machine(),
    "libc": platform.libc_ver(),
    "macos": platform.mac_ver()[0],
    "has": has,
}))
"""


class OfficeError(Exception):
    """LibreOffice, its Python or a package is missing; the message is for the user."""


@dataclass(frozen=True)
class Target:
    """The Python that wheels are for: its version and platform, as wheels name them."""

    version: str
    platform: str

    @property
    def folder(self) -> str:
        """The folder in which the add-in looks for them (see ``component.py``).

        >>> Target("3.12", "win_amd64").folder, Target("3.11", "macosx_14_0_arm64").folder
        ('cp312-win_amd64', 'cp311-darwin_arm64')
        """
        system = re.sub(r"^macosx_\d+_\d+_", "darwin_", self.platform)
        system = re.sub(r"^manylinux(_\d+_\d+|\d+)_", "linux_", system)
        return f"cp{self.version.replace('.', '')}-{system}"

    @property
    def platforms(self) -> list[str]:
        """The platforms whose wheels it can use, newest first, as far as pip does not know them.

        >>> Target("3.11", "manylinux_2_18_x86_64").platforms
        ['manylinux_2_18_x86_64', 'manylinux_2_17_x86_64', 'manylinux2014_x86_64']
        """
        manylinux = re.fullmatch(r"manylinux_2_(\d+)_(\w+)", self.platform)
        if not manylinux:
            return [self.platform]
        newest, machine = int(manylinux[1]), manylinux[2]
        each = [f"manylinux_2_{v}_{machine}" for v in range(newest, _OLDEST_GLIBC - 1, -1)]
        return [*each, f"manylinux2014_{machine}"]


def ask(python: Path) -> tuple[Target, bool]:
    """What a Python reports about itself, and whether it has what the functions need."""
    try:
        answer = subprocess.run(
            [python, "-c", _QUESTION], capture_output=True, text=True, check=True, env=_clean()
        )
        facts = json.loads(answer.stdout.splitlines()[-1])
    except (OSError, subprocess.CalledProcessError, IndexError, ValueError) as error:
        raise OfficeError(f"LibreOffice's Python, {python}, gives no answer: {error}") from None
    if tuple(facts["version"]) < OLDEST_PYTHON:
        raise OfficeError(
            f"LibreOffice's Python is {_dotted(facts['version'])}; "
            f"{_dotted(OLDEST_PYTHON)} or newer is needed"
        )
    return Target(_dotted(facts["version"]), _platform(facts)), _suffices(facts["has"])


def _platform(facts: dict[str, Any]) -> str:
    """The platform of the wheels to get, from the facts of a Python."""
    if facts["macos"]:
        major, minor = f"{facts['macos']}.0".split(".")[:2]
        # Since macOS 11 only the first number counts.
        return f"macosx_{major}_{minor if int(major) < 11 else 0}_{facts['machine']}"
    if facts["libc"][0] == "glibc":
        return "manylinux_{}_{}_{}".format(*facts["libc"][1].split(".")[:2], facts["machine"])
    return re.sub(r"[-.]", "_", facts["platform"])


def _suffices(versions: Sequence[str]) -> bool:
    wanted = [requirement.split(">=")[1] for requirement in REQUIREMENTS]
    return bool(versions) and all(
        _numbers(has) >= _numbers(least) for has, least in zip(versions, wanted, strict=True)
    )


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)[:2]]


def _dotted(version: Sequence[int]) -> str:
    return ".".join(map(str, version))


def fetch(target: Target, folder: Path) -> list[str]:
    """Put NumPy and SciPy for another Python into a folder, with this Python's pip.

    Returns the versions, such as ``["numpy 2.4.6", "scipy 1.17.1"]``.
    """
    if find_spec("pip") is None:
        raise OfficeError(f"{sys.executable} has no pip; run: python -m ensurepip")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--no-input"]
    command += ["--disable-pip-version-check", "--only-binary=:all:", "--implementation=cp"]
    command += [f"--target={folder}", f"--python-version={target.version}"]
    command += [f"--platform={platform}" for platform in target.platforms]
    done = subprocess.run(
        [*command, *REQUIREMENTS], capture_output=True, text=True, check=False, env=_clean()
    )
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        why = (said or done.stderr.splitlines() or ["no reason given"])[-1]
        raise OfficeError(
            f"pip found no NumPy and SciPy for Python {target.version} on {target.platform}: {why}"
        )
    _slim(folder)
    return sorted(" ".join(path.stem.split("-")[:2]) for path in folder.glob("*.dist-info"))


def fetch_all(targets: Collection[Target], work: Path) -> dict[str, Path]:
    """NumPy and SciPy for several Pythons, as :func:`.build.build` takes them."""
    folders = {target.folder: work / target.folder for target in targets}
    for target in targets:
        fetch(target, folders[target.folder])
    return folders


def _slim(folder: Path) -> None:
    """Delete what nobody runs: tests are a sixth of the size."""
    for tests in [folder / "bin", *folder.rglob("tests")]:
        if tests.is_dir():
            shutil.rmtree(tests)
    # LibreOffice's own builds do not know the platform in a module's name; without it all do.
    for module in list(folder.rglob("*.cpython-*.so")):
        module.rename(module.with_name(f"{module.name.split('.')[0]}.so"))


def _clean() -> dict[str, str]:
    """The environment without the settings for the Python that runs now."""
    foreign = ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET")
    return {name: value for name, value in os.environ.items() if name not in foreign}


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
        candidates = [
            self.programs / "python.exe",
            self.programs / "python",
            self.programs.parent / "Resources" / "python",
        ]
        for python in candidates:
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
        addin = re.search(rf"{IDENTIFIER}\s+Version: (\S+)", self._unopkg("list"))
        if addin is None:
            yield "no add-in: run `elo-xl addin libreoffice --install`"
        else:
            yield f"add-in of elo-xl {addin[1]}; this is elo-xl {elo_xl.__version__}"

    def _unopkg(self, *arguments: str) -> str:
        """What unopkg prints."""
        try:
            done = subprocess.run(
                [self.unopkg, *arguments],
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                env=_clean(),
                timeout=LIMIT,
            )
        except subprocess.TimeoutExpired:
            raise OfficeError(f"unopkg needed more than {LIMIT} s and was ended") from None
        if done.returncode:
            raise OfficeError(f"unopkg: {_reason(done.stderr) or f'ended with {done.returncode}'}")
        return done.stdout


def find_office(soffice: Path | None = None) -> Office:
    """The LibreOffice to use: that of ``soffice``, or the first one found."""
    for candidate in [soffice] if soffice else _candidates():
        programs = candidate.resolve().parent
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
