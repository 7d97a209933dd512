"""LibreOffice Calc as a test engine: real values for a workbook's formulas, without a window."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import warnings
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import openpyxl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from openpyxl import Workbook

FINDER = Path(__file__).parents[2] / "scripts" / "libreoffice.sh"

# Mode 0 is "always": without it a cell keeps the value that its file says it has.
SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop>
<prop oor:name="ODFRecalcMode" oor:op="fuse"><value>0</value></prop>
</item>
{more}</oor:items>
"""

LANGUAGE = """<item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>{language}</value></prop>
</item>
"""


# By soffice: the first start with an empty profile takes thrice the time of any other.
_profiles: dict[str, Path] = {}


Values = dict[str, dict[str, Any]]
"""Values by sheet and cell."""


class CalcError(RuntimeError):
    """LibreOffice is missing, was too slow, or wrote nothing."""


def find_soffice() -> str:
    """The soffice that ``make test`` uses; CalcError says what to run if there is none."""
    found = subprocess.run([FINDER, "--find"], capture_output=True, text=True, check=False)
    if found.returncode:
        raise CalcError(found.stderr.strip())
    return found.stdout.strip()


def _values(path: Path) -> dict[str, dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        book = openpyxl.load_workbook(path, data_only=True)
    return {
        sheet.title: {
            cell.coordinate: cell.value
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None
        }
        for sheet in book.worksheets
    }


class Calc:
    """One LibreOffice with a profile of its own, started anew for each file.

    LibreOffice allows one process a profile: whatever runs side by side needs a Calc each.
    ``limit`` is the time in seconds that a run may take, ``addin`` an .oxt to work with,
    ``packages`` a folder with what its Python should find beside its own, ``profile`` one that is
    there already, ``language`` that of its numbers and dates, such as ``de-DE``, and ``prefix``
    what to put before the command, such as ``setpriv`` with options.
    """

    def __init__(
        self,
        soffice: str,
        home: Path,
        *,
        limit: float = 60,
        addin: Path | None = None,
        packages: Path | None = None,
        profile: Path | None = None,
        language: str = "",
        prefix: Sequence[str] = (),
    ) -> None:
        self.soffice = soffice
        self.language = language
        self.home = home
        self.limit = limit
        self.prefix = prefix
        self.packages = packages
        self.addins = home / "addins"
        if addin:
            with zipfile.ZipFile(addin) as package:
                package.extractall(self.addins / addin.stem)
        self.profile = profile or home / "profile"
        self._ordinary = not (addin or profile or language)
        if not profile:
            self._write_profile()

    def recalculate(self, path: Path, *, limit: float | None = None) -> dict[str, dict[str, Any]]:
        """Every value by sheet and cell, as in ``{"Ratings": {"B2": 1834}}``; no empty cells."""
        return {
            sheet.title: {
                cell.coordinate: cell.value
                for row in sheet.iter_rows()
                for cell in row
                if cell.value is not None
            }
            for sheet in self.workbook(path, limit=limit).worksheets
        }

    def workbook(self, path: Path, *, limit: float | None = None) -> Workbook:
        """The file as LibreOffice saves it: values in place of formulas, none of them cached."""
        saved = self.convert(path, "xlsx", limit=limit)
        with warnings.catch_warnings():
            # About extensions in what LibreOffice writes, which is not ours to mend.
            warnings.simplefilter("ignore", UserWarning)
            return openpyxl.load_workbook(saved, data_only=True)

    def convert(self, path: Path, to: str, *, limit: float | None = None) -> Path:
        """The file in another format, ``"pdf"`` for one; the original is left alone."""
        return self.convert_all([path], to, limit=limit)[0]

    def convert_all(
        self, paths: Sequence[Path], to: str, *, limit: float | None = None
    ) -> list[Path]:
        """Files of different names, converted in one start."""
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=self.home))
        # LibreOffice locks a file that it opens, and the same file may be open elsewhere.
        copies = [shutil.copy(path, folder) for path in paths]
        results = [folder / "out" / f"{path.stem}.{to}" for path in paths]
        output = self._run(
            ["--convert-to", to, "--outdir", str(folder / "out"), *map(str, copies)],
            self.limit if limit is None else limit,
        )
        for path, result in zip(paths, results, strict=True):
            # The exit status is 0 even where the file could not be read.
            if not result.exists():
                raise CalcError(f"LibreOffice made no {to} of {path}: {output.strip()}")
        return results

    def recalculate_all(self, files: Mapping[str, bytes]) -> dict[str, dict[str, dict[str, Any]]]:
        """What :meth:`recalculate` gives for many workbooks by name, from one start."""
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=self.home))
        paths = {name: folder / f"{i}.xlsx" for i, name in enumerate(files)}
        for name, path in paths.items():
            path.write_bytes(files[name])
        out = folder / "out"
        arguments = ["--convert-to", "xlsx", "--outdir", str(out), *map(str, paths.values())]
        output = self._run(arguments, 4 * self.limit)
        found = {}
        for name, path in paths.items():
            if not (out / path.name).exists():
                raise CalcError(f"LibreOffice made nothing of {name}: {output.strip()}")
            found[name] = _values(out / path.name)
        return found

    def _run(self, arguments: list[str], limit: float) -> str:
        """Run to the end and return what was printed; nothing is left running."""
        command = [
            *self.prefix,
            self.soffice,
            f"-env:UserInstallation={self.profile.as_uri()}",
            *([f"-env:BUNDLED_EXTENSIONS={self.addins.as_uri()}"] if self.addins.exists() else []),
            "--headless",
            "--nodefault",
            "--nologo",
            "--norestore",
            *arguments,
        ]
        # soffice is a script that starts others, hence a group that can be ended as a whole.
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=self.environment(),
            process_group=0,
        ) as process:
            try:
                output = process.communicate(timeout=limit)[0]
            except BaseException as interrupted:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                self._write_profile()
                if isinstance(interrupted, subprocess.TimeoutExpired):
                    message = f"LibreOffice needed more than {limit:g} s and was ended: {arguments}"
                    raise CalcError(message) from None
                raise
        if process.returncode == 0:
            self._keep_profile()
        return output

    def environment(self) -> dict[str, str]:
        """The environment of a soffice, with nothing in it that is the caller's own."""
        # A Python or a display of the caller's is not LibreOffice's; nor is a locale.
        foreign = {"PYTHONPATH", "PYTHONHOME", "DISPLAY", "WAYLAND_DISPLAY"}
        kept = {name: value for name, value in os.environ.items() if name not in foreign}
        # TMPDIR, since an ended run leaves its temporary files where they are.
        ours = {"LC_ALL": "C.UTF-8", "SAL_USE_VCLPLUGIN": "svp", "TMPDIR": str(self.home)}
        python = {"PYTHONPATH": str(self.packages)} if self.packages else {}
        return kept | ours | python

    def _write_profile(self) -> None:
        """A new profile; one that was in use when its process was ended is not to be trusted."""
        shutil.rmtree(self.profile, ignore_errors=True)
        kept = _profiles.get(self.soffice)
        if kept and kept.exists() and not self.language:
            shutil.copytree(kept, self.profile)
            return
        user = self.profile / "user"
        user.mkdir(parents=True)
        more = LANGUAGE.format(language=self.language) if self.language else ""
        settings = SETTINGS.format(more=more)
        (user / "registrymodifications.xcu").write_text(settings, encoding="utf-8")

    def _keep_profile(self) -> None:
        """Keep the first ordinary profile that was started once, to be copied."""
        if self._ordinary and self.soffice not in _profiles:
            _profiles[self.soffice] = self.home / "profile-started-once"
            shutil.copytree(self.profile, _profiles[self.soffice])
