"""The add-in on a Windows computer: install, uninstall, and find out what is wrong with it."""

from __future__ import annotations

import csv
import importlib
import io
import locale
import os
import platform
import re
import site
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, distribution, version
from importlib.util import find_spec
from pathlib import Path, PureWindowsPath
from time import perf_counter
from typing import Any, Final

import elo_xl
from elo_xl.hosts import PROBLEM
from elo_xl.hosts.excel_addin import (
    ADDIN,
    LIBRARY,
    LICENCE,
    SETTINGS,
    UDF_MODULE,
    XLWINGS,
    AddinError,
    content,
)
from elo_xl.xlsx.files import write_whole

Com = Any
"""An object of Excel, which has no types here."""

ON_WINDOWS: Final = sys.platform == "win32"

ELSEWHERE: Final = (
    "Excel runs this add-in on Windows only. `elo-xl addin excel` writes the file here to be used "
    "there; `elo-xl addin lite` puts the functions into workbooks for Excel on Mac and the web."
)

OLDEST, BEYOND = (0, 30), (1,)
"""The first version of xlwings that the functions know, and the first that they do not."""

_LIBRARY: Final = re.compile(r"xlwings(32|64)-.*\.dll")
"""xlwings' library for an Excel of 32 or 64 bits."""

# Scripts need not be on PATH on Windows, the launcher is.
_INSTALL: Final = "py -P -m elo_xl addin excel --install"
_OTHER_PYTHON: Final = (
    "install elo-xl in the 64-bit Python of python.org, which "
    "`winget install Python.Python.3.13 --architecture x64` gets"
)

_INTERPRETER, _CONDA, _ENVIRONMENT = "INTERPRETER_WIN", "CONDA PATH", "CONDA ENV"
_MODULES: Final = "UDF MODULES"
_WITHOUT: Final = "use the functions without Python: `py -P -m elo_xl addin native`"
_OURS: Final = (_INTERPRETER, _CONDA, _ENVIRONMENT, _MODULES)


def _libraries() -> dict[str, Path]:
    """Where the installed xlwings has its libraries, by the names that the add-in gives them."""
    try:
        installed = distribution("xlwings")
    except PackageNotFoundError:
        return {}
    found = {}
    for file in installed.files or ():
        if name := _LIBRARY.fullmatch(file.name):
            # where it is listed, or among the packages, as in the folder of the installer
            places = [Path(str(installed.locate_file(one))) for one in (file, file.name)]
            if path := next((place for place in places if place.exists()), None):
                found[LIBRARY.format(bits=name[1])] = path.resolve()
    return found


@dataclass(frozen=True)
class Computer:
    """The relevant facts of a computer, this one or a test's (an :class:`.Installation`)."""

    windows: bool = ON_WINDOWS
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    interpreter: str = sys.executable
    code_page: str = field(default_factory=locale.getencoding)
    base: str = sys.base_prefix
    # Not platform.machine(), which names the processor also for a Python that is made for another.
    built_for: str = field(default_factory=sysconfig.get_platform)
    libraries: Mapping[str, Path] = field(default_factory=_libraries)
    conda: bool = Path(sys.prefix, "conda-meta").is_dir()

    @property
    def addin(self) -> Path:
        """In the folder whose files Excel opens when it starts: nothing else may be put there."""
        return self._folder("APPDATA") / "Microsoft" / "Excel" / "XLSTART" / ADDIN

    @property
    def settings(self) -> Path:
        """The file that xlwings' module in the add-in reads."""
        return self._folder("USERPROFILE") / f".{SETTINGS}" / f"{SETTINGS}.conf"

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
        modules = {_MODULES: UDF_MODULE}
        if environment and program and prefix and self.interpreter.startswith(prefix):
            # Conda's libraries are found only if its environment is active.
            return {_CONDA: str(Path(program).parents[1]), _ENVIRONMENT: environment, **modules}
        return {_INTERPRETER: self.interpreter, **modules}

    def read_settings(self) -> dict[str, str]:
        """The present settings; none if there is no file."""
        try:
            text = self.settings.read_text(encoding=self.code_page, errors="replace")
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

        If nothing but xlwings is missing, pip installs it. Raises AddinError if that cannot be
        done, or the add-in would be of no use; then nothing has changed in Excel.
        """
        addin, settings = self.addin, self.settings
        unfit, libraries = list(self._unfit()), self.libraries
        if unfit == [lacks_xlwings(self.interpreter)] and find_spec("pip"):
            _get_xlwings(self.interpreter)
            yield f"{XLWINGS} is installed, through which Excel and Python talk"
            libraries = _libraries()
            unfit = list(replace(self, libraries=libraries)._unfit())
        if unfit:
            refused = "the functions would not run, so nothing changed in Excel"
            raise AddinError("\n".join([refused, *unfit]))
        wanted = self.wanted_settings()
        others = {k: v for k, v in self.read_settings().items() if k not in _OURS}
        lines = self.encoded({**wanted, **others})
        addin.parent.mkdir(parents=True, exist_ok=True)
        try:
            # Excel would open what a crash leaves in its start folder
            write_whole(addin, content(), through=addin.parents[1])
            settings.parent.mkdir(exist_ok=True)
            for copy in self._outdated(libraries):
                write_whole(copy, libraries[copy.name].read_bytes())
        except PermissionError:
            raise AddinError(f"cannot write {addin}: quit Excel, then try again") from None
        write_whole(settings, lines)
        write_whole(settings.with_name(LICENCE), content(LICENCE))
        yield f"add-in: {addin}"
        yield f"settings: {settings}"
        yield f"its functions run in {_python(wanted)}"
        yield "Excel has the functions from its next start: try =ELO_EXPECTED(1834,2179)"

    def uninstall(self) -> Iterator[str]:
        """Remove the add-in and its settings."""
        addin, settings = self.addin, self.settings
        others = {k: v for k, v in self.read_settings().items() if k not in _OURS}
        existed = addin.exists()
        try:
            for file in (addin, *settings.parent.glob(LIBRARY.format(bits="*"))):
                file.unlink(missing_ok=True)
        except PermissionError:
            raise AddinError(f"cannot remove {addin}: quit Excel, then try again") from None
        if others:
            write_whole(settings, self.encoded(others))
        else:
            settings.unlink(missing_ok=True)
        settings.with_name(LICENCE).unlink(missing_ok=True)
        if settings.parent.exists() and not any(settings.parent.iterdir()):
            settings.parent.rmdir()
        yield f"removed {addin}" if existed else f"no add-in at {addin}"

    def status(self) -> Iterator[str]:
        """Report what is installed, what does not fit, with the remedy, and what Excel says."""
        yield f"elo-xl {elo_xl.__version__}, Python {platform.python_version()}: {self.interpreter}"
        if not self.windows:
            yield ELSEWHERE
            return
        yield from (f"{PROBLEM}{line}" for line in self._unfit())
        try:
            installed = self.addin.read_bytes()
        except FileNotFoundError:
            yield f"{PROBLEM}no add-in at {self.addin}: run `{_INSTALL}`"
            return
        except PermissionError:
            yield f"add-in: {self.addin}, which Excel lets nobody read now"
        else:
            yield f"add-in: {self.addin}"
            with suppress(AddinError):  # told already
                if installed != content():
                    yield f"{PROBLEM}it is not the one of this elo-xl: quit Excel, run `{_INSTALL}`"
        for copy in self._outdated(self.libraries):
            yield f"{PROBLEM}{copy} is not xlwings' library: quit Excel, run `{_INSTALL}`"
        settings = self.read_settings()
        yield f"its functions run in {_python(settings)}"
        yield from self._other_python(settings)
        if find_spec("win32com"):
            yield from ask(self.addin)

    def _other_python(self, settings: Mapping[str, str]) -> Iterator[str]:
        """What is wrong with the Python that the settings name."""
        if not settings:
            yield (
                f"{PROBLEM}there is no {self.settings}, though it names the Python. Windows takes "
                f"the add-in along to other computers, not this file: run `{_INSTALL}` on each"
            )
        elif any(settings.get(key) != value for key, value in self.wanted_settings().items()):
            yield f"{PROBLEM}this is another Python: run `{_INSTALL}` to use it in Excel"
        interpreter = settings.get(_INTERPRETER)
        if interpreter and not Path(interpreter).exists():
            yield f"{PROBLEM}there is no {interpreter} on this computer: run `{_INSTALL}`"

    def _outdated(self, libraries: Mapping[str, Path]) -> Iterator[Path]:
        """The copies of xlwings' libraries beside the settings that are missing or others."""
        for name, library in libraries.items():
            copy = self.settings.with_name(name)
            if not copy.exists() or copy.read_bytes() != library.read_bytes():
                yield copy

    def _unfit(self) -> Iterator[str]:
        """Why Excel cannot run the functions in this Python; each reason with what helps."""
        reasons = list(self._lacking())
        yield from reasons
        if not reasons and (failure := _failure(self.interpreter)):
            yield (
                f"this Python does not compute {_FORMULA}: {failure}. If a policy of Windows, such "
                f"as Smart App Control, blocks a file, {_WITHOUT}"
            )

    def _lacking(self) -> Iterator[str]:
        try:
            content()
        except AddinError as error:
            yield str(error)
        if from_store(self.interpreter) or from_store(self.base):
            yield (
                "this Python is from the Microsoft Store: what it writes is kept where Excel does "
                f"not see it; {_OTHER_PYTHON}"
            )
            return
        if self.built_for != "win-amd64":
            yield f"this Python is for {self.built_for}, xlwings is not; {_OTHER_PYTHON}"
            return
        if (here := _version("xlwings")) is None:
            yield lacks_xlwings(self.interpreter)
        else:
            pip = _pip(self.interpreter)
            if not OLDEST <= tuple(map(int, re.findall(r"\d+", here))) < BEYOND:
                yield f'xlwings is {here}, the add-in works with others: {pip} "{XLWINGS}"'
            elif not self.libraries:
                yield f'xlwings has no library: {pip} --force-reinstall --no-deps "{XLWINGS}"'
            if find_spec("win32api") is None:
                yield f"pywin32 is missing: {pip} --force-reinstall pywin32"
        if self.conda and _ENVIRONMENT not in self.wanted_settings():
            yield (
                "this Python belongs to conda, but its environment is not active: activate it "
                f"with `conda activate`, then run `{_INSTALL}` there"
            )
        try:
            str(self.settings).encode(self.code_page)
        except UnicodeEncodeError as error:
            yield (
                f"VBA cannot open {self.settings}: Windows' code page {self.code_page} has no "
                f"{error.object[error.start : error.end]!r}; use an account whose folder has "
                f"only letters that it has, or {_WITHOUT}"
            )


def _python(settings: Mapping[str, str]) -> str:
    if _ENVIRONMENT in settings:
        return f"conda's environment {settings[_ENVIRONMENT]} of {settings.get(_CONDA)}"
    return settings.get(_INTERPRETER, "the first Python on PATH, because no settings name one")


_EXAMPLE: Final = (
    "import xlwings, elo_xl, scipy.optimize; print(elo_xl.worksheet('ELO_EXPECTED', 1834, 2179))"
)


def _failure(interpreter: str) -> str:
    """What a Python says when it cannot compute an example; empty where it can."""
    done = subprocess.run(
        [interpreter, "-P", "-c", _EXAMPLE], capture_output=True, text=True, errors="replace"
    )
    said = done.stderr.strip() or f"it ended with {done.returncode}"
    return said.splitlines()[-1] if done.returncode else ""


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


# -- xlwings, which only those who use Excel through it need --------------------------------------


def lacks_xlwings(interpreter: str = sys.executable) -> str:
    """What is said where xlwings is missing, with the command that gets it."""
    pip = _pip(interpreter)
    return f'xlwings is missing, through which Excel and Python talk: {pip} "{XLWINGS}"'


def _pip(interpreter: str) -> str:
    """The command that installs packages for a Python: pip, or uv, whose environments have none."""
    if find_spec("pip"):
        return f'"{interpreter}" -m pip install'
    return f'uv pip install --python "{interpreter}"'


def _get_xlwings(interpreter: str) -> None:
    """Install xlwings, and let this process find it, too."""
    done = subprocess.run(
        [interpreter, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", XLWINGS],
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode:
        reason = (done.stderr or done.stdout).strip()
        raise AddinError(f"{lacks_xlwings(interpreter)}\npip said: {reason}")
    importlib.invalidate_caches()
    site.main()  # reads the list of folders that pywin32 brings along


# -- Excel itself, asked through COM: it tells what no file can -----------------------------------


_FORMULA, _VALUE = "=ELO_EXPECTED(1834,2179)", "0.111278"


def from_store(path: str) -> bool:
    """Whether a program comes from the Microsoft Store.

    >>> from_store("C:/Program Files/WindowsApps/Microsoft.Office.Desktop.Excel_16/Office16")
    True
    """
    return "windowsapps" in (part.lower() for part in PureWindowsPath(path).parts)


def ask(addin: Path) -> Iterator[str]:
    """Report what Excel is, and what it does with the add-in.

    It is the Excel that runs, or one that is started for this and quits again.
    """
    import pywintypes
    from win32com import client

    try:
        excel, started = client.GetActiveObject("Excel.Application"), False
    except pywintypes.com_error:
        try:
            excel, started = client.DispatchEx("Excel.Application"), True
        except pywintypes.com_error as error:
            yield f"{PROBLEM}no Excel can be started here: {_reason(error)}"
            return
    try:
        yield from _look(excel, addin)
        if started:
            # An Excel that a program starts opens nothing of its start folder.
            excel.Workbooks.Add()
            excel.Workbooks.Open(str(addin))
        if started or _has_opened_it(excel):
            yield from _call(excel)
        else:
            yield (
                f"{PROBLEM}the Excel that runs has not opened {ADDIN}: quit it and start it again. "
                "If that does not help, its macros are blocked: File > Options > Trust Center"
            )
    except pywintypes.com_error as error:
        yield (
            f"{PROBLEM}Excel does not answer ({_reason(error)}): finish the cell that is being "
            "edited and close all dialogs, then try again"
        )
    finally:
        if started:
            excel.DisplayAlerts = False
            excel.Quit()


def _look(excel: Com, addin: Path) -> Iterator[str]:
    """What Excel says of itself."""
    bits = "64-bit" if "64-bit" in excel.OperatingSystem else "32-bit"
    yield f"Excel {excel.Version}.{excel.Build}, {bits}: {excel.Path}"
    if from_store(excel.Path):
        yield (
            f"{PROBLEM}this Excel is the Microsoft Store's edition, which starts no Python: "
            "uninstall it, then install Office from office.com"
        )
    if os.path.normcase(excel.StartupPath) != os.path.normcase(addin.parent):
        yield f"{PROBLEM}Excel's start folder is {excel.StartupPath}: copy {addin} into it"


def _has_opened_it(excel: Com) -> bool:
    import pywintypes

    try:
        excel.Workbooks(ADDIN)  # add-ins are not counted, but found by their names
    except pywintypes.com_error:
        return False
    return True


def _call(excel: Com) -> Iterator[str]:
    """Whether a function works, and how long it takes; the first call starts Python."""
    before = perf_counter()
    value = excel.Run(f"{ADDIN}!ELO_EXPECTED", 1834, 2179)
    took = perf_counter() - before
    if isinstance(value, float) and f"{value:.6f}" == _VALUE:
        yield f"in Excel, {_FORMULA} is {_VALUE}, after {took:.1f} s"
    else:
        reason = excel.Run(f"{ADDIN}!ELO_LAST_ERROR")
        yield f"{PROBLEM}in Excel, {_FORMULA} fails, after {took:.1f} s: {reason or value}"


def _reason(error: BaseException) -> str:
    """What a COM error says: its own text, or else that of its source."""
    _, text, details, *_ = error.args
    return str((details and details[2]) or text).strip()
