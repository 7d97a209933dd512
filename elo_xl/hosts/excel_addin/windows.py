"""The add-in on a Windows computer: install, uninstall, and find out what is wrong with it."""

from __future__ import annotations

import csv
import io
import locale
import os
import platform
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from defusedxml.ElementTree import fromstring

import elo_xl
from elo_xl.hosts.excel_addin import ADDIN, LICENCE, AddinError, content, vba
from elo_xl.xlsx.opc import PROPERTIES
from elo_xl.xlsx.package import write_whole

ELSEWHERE: Final = (
    "Excel runs this add-in on Windows only. `elo-xl addin excel` builds the file here to be used "
    "there; `elo-xl addin lite` puts the functions into workbooks for Excel on Mac and the web."
)

_INTERPRETER, _CONDA, _ENVIRONMENT = "INTERPRETER_WIN", "CONDA PATH", "CONDA ENV"
_MODULES: Final = "UDF MODULES"
_OURS: Final = (_INTERPRETER, _CONDA, _ENVIRONMENT, _MODULES)
_MADE_WITH: Final = re.compile(r"elo-xl (\S+) for xlwings (\S+)")


@dataclass(frozen=True)
class Computer:
    """The relevant facts of a computer, this one or a test's (an :class:`.Installation`)."""

    windows: bool = sys.platform == "win32"
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    interpreter: str = sys.executable
    code_page: str = field(default_factory=locale.getencoding)

    @property
    def addin(self) -> Path:
        """In the folder whose files Excel opens when it starts: nothing else may be put there."""
        return self._folder("APPDATA") / "Microsoft" / "Excel" / "XLSTART" / ADDIN

    @property
    def settings(self) -> Path:
        """The file that xlwings' module in the add-in reads."""
        return self._folder("USERPROFILE") / f".{vba.SETTINGS}" / f"{vba.SETTINGS}.conf"

    def _folder(self, variable: str) -> Path:
        if not self.windows:
            raise AddinError(ELSEWHERE)
        if not self.environment.get(variable):
            raise AddinError(f"the environment variable {variable} is not set")
        return Path(self.environment[variable])

    def wanted_settings(self) -> dict[str, str]:
        """The settings with which the functions run in this environment."""
        environment, program, prefix = (
            self.environment.get(name, "")
            for name in ("CONDA_DEFAULT_ENV", "CONDA_EXE", "CONDA_PREFIX")
        )
        modules = {_MODULES: vba.UDF_MODULE}
        if environment and program and prefix and self.interpreter.startswith(prefix):
            # Conda's libraries are found only if its environment is active.
            return {_CONDA: str(Path(program).parents[1]), _ENVIRONMENT: environment, **modules}
        return {_INTERPRETER: self.interpreter, **modules}

    def read_settings(self) -> dict[str, str]:
        """The present settings; none if there is no file."""
        try:
            text = self.settings.read_text(encoding=self.code_page)
        except FileNotFoundError:
            return {}
        return {row[0]: row[1] for row in csv.reader(io.StringIO(text)) if len(row) == 2}

    def encoded(self, settings: Mapping[str, str]) -> bytes:
        """The content of the file; raises AddinError if Excel could not read it."""
        lines = "".join(f'"{key}","{value}"\r\n' for key, value in settings.items())
        try:
            return lines.encode(self.code_page)
        except UnicodeEncodeError as error:
            raise AddinError(
                f"Excel's settings cannot hold {error.object[error.start : error.end]!r} of the "
                f"path {self.interpreter}: use an environment in a folder without it"
            ) from None

    def install(self) -> Iterator[str]:
        """Put the add-in into Excel's start folder, and name this Python in its settings.

        Raises AddinError if that cannot be done; then nothing has changed.
        """
        addin, settings = self.addin, self.settings
        wanted = self.wanted_settings()
        others = {k: v for k, v in self.read_settings().items() if k not in _OURS}
        lines = self.encoded({**wanted, **others})
        made, terms = content(), vba.xlwings_licence().encode()
        addin.parent.mkdir(parents=True, exist_ok=True)
        try:
            write_whole(addin, made)
        except PermissionError:
            raise AddinError(f"cannot write {addin}: quit Excel, then try again") from None
        settings.parent.mkdir(exist_ok=True)
        write_whole(settings, lines)
        write_whole(settings.with_name(LICENCE), terms)
        yield f"add-in: {addin}"
        yield f"settings: {settings}"
        yield f"its functions run in {_python(wanted)}"
        yield from self._problems()
        yield "Excel has the functions from its next start: try =ELO_EXPECTED(1834,2179)"

    def uninstall(self) -> Iterator[str]:
        """Remove the add-in and its settings."""
        addin, settings = self.addin, self.settings
        others = {k: v for k, v in self.read_settings().items() if k not in _OURS}
        found = addin.exists()
        try:
            addin.unlink(missing_ok=True)
        except PermissionError:
            raise AddinError(f"cannot remove {addin}: quit Excel, then try again") from None
        if others:
            write_whole(settings, self.encoded(others))
        else:
            settings.unlink(missing_ok=True)
        settings.with_name(LICENCE).unlink(missing_ok=True)
        if settings.parent.exists() and not any(settings.parent.iterdir()):
            settings.parent.rmdir()
        yield f"removed {addin}" if found else f"no add-in at {addin}"

    def status(self) -> Iterator[str]:
        """Report what is installed in which version, and what does not fit, with the remedy."""
        yield f"Python {platform.python_version()}: {self.interpreter}"
        yield f"elo-xl {elo_xl.__version__}, xlwings {_version('xlwings')}"
        if not self.windows:
            yield ELSEWHERE
            return
        made = made_with(self.addin)
        if made is None:
            yield f"no add-in at {self.addin}: run `elo-xl addin excel --install`"
            return
        yield f"add-in of elo-xl {made[0]} for xlwings {made[1]}: {self.addin}"
        yield f"its functions run in {_python(self.read_settings())}"
        problems = list(self._problems())
        yield from problems or ["everything fits"]

    def _problems(self) -> Iterator[str]:
        again = "run `elo-xl addin excel --install`"
        now = elo_xl.__version__, _version("xlwings")
        made = made_with(self.addin)
        for name, built, here in zip(("elo-xl", "xlwings"), made or now, now, strict=True):
            if built != here:
                yield f"problem: the add-in was built with {name} {built}, here is {here}: {again}"
        settings = self.read_settings()
        wanted = self.wanted_settings()
        if any(settings.get(key) != value for key, value in wanted.items()):
            used = _python(settings)
            yield f"problem: the add-in runs in {used}, this is another Python: {again}"
        interpreter = settings.get(_INTERPRETER)
        if interpreter and not Path(interpreter).exists():
            yield f"problem: there is no {interpreter} any more: {again}"
        if find_spec("win32api") is None:
            yield "problem: pywin32 is missing: pip install pywin32"
        name = f"xlwings64-{now[1]}.dll"
        place = Path(self.interpreter).parent
        either = (name, name.replace("64", "32", 1))
        if not any((folder / file).exists() for folder in (place, place.parent) for file in either):
            yield f"problem: {name} is not beside Python: pip install --force-reinstall xlwings"


def made_with(addin: Path) -> tuple[str, str] | None:
    """The versions of elo-xl and xlwings that built the add-in; None if there is no add-in."""
    try:
        with zipfile.ZipFile(addin) as archive:
            properties = fromstring(archive.read(PROPERTIES))
    except FileNotFoundError:
        return None
    except (zipfile.BadZipFile, KeyError):
        return "unknown", "unknown"
    found = _MADE_WITH.search(" ".join(properties.itertext()))
    return (found[1], found[2]) if found else ("unknown", "unknown")


def _python(settings: Mapping[str, str]) -> str:
    if _ENVIRONMENT in settings:
        return f"conda's environment {settings[_ENVIRONMENT]} of {settings.get(_CONDA)}"
    return settings.get(_INTERPRETER, "the first Python on PATH, because no settings name one")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"
